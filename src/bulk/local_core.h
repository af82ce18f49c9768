// Shared by the files that translate bulk programs to core.
#ifndef BULK_LOCAL_CORE_H
#define BULK_LOCAL_CORE_H
#include "bulk.h"

typedef struct Uses Uses;
typedef struct {
  Prog *prog;
  Builder b;
  Atom *atoms;   // by number of a bulk variable: its core atom, where known
  bool *known;
  int cap, at;   // at: the statement of the innermost body
  Uses *uses;    // of that body
} ToCore;
// The body of a nest of maps: its results for one row of each input.
typedef struct {
  Atoms (*rows)(ToCore *c, Builder *b, Atoms rows, void *state);
  void *state;
} NestBody;

ToCore core_begin(const Builder *b);  // with room for the variables made so far
Atom core_of(ToCore *c, Atom a);
Atoms core_atoms(ToCore *c, Atoms atoms);
void core_bind(ToCore *c, Var v, Atom a);
Type core_type(ToCore *c, Type t);
Slice core_slice(ToCore *c, Slice slice);
Atoms core_nest(ToCore *c, Builder *b, int depth, Atoms inputs, NestBody body);
Atoms core_body(ToCore *c, const BulkBody *body);
Atom core_owned(ToCore *c, const BulkStm *stm, Atom dest);  // to be consumed
void core_gather(ToCore *c, const BulkStm *stm);
void core_put(ToCore *c, const BulkStm *stm);
void core_fold(ToCore *c, const BulkStm *stm);
void core_prefix(ToCore *c, const BulkStm *stm);
void core_contract(ToCore *c, const BulkStm *stm);
void core_loop(ToCore *c, const BulkStm *stm);
void core_match(ToCore *c, const BulkStm *stm);

// ---- uses.c: last uses in a body
Uses *uses_find(ToCore *c, const BulkBody *body);
// Whether the statement, at c->at, is the last that needs the memory of v, which the body owns.
bool uses_end(const ToCore *c, const BulkStm *stm, Var v);
bool uses_consume(const Uses *u, Var param);  // the body overwrites this parameter in place
bool uses_fresh(const Uses *u, Atom result);  // a result in separate memory
#endif
