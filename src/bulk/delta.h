// Delta terms: the forward derivative of a bulk program as a term over the tangents of its inputs.
//
// Each statement's result has one SHARE node, numbered in statement order; a SHARE below another
// has a smaller number.  So a term is an acyclic graph whose size is at most the float statements
// and three nodes for each of their float operands, whatever the sizes of arrays are.
#ifndef BULK_DELTA_H
#define BULK_DELTA_H
#include "bulk.h"

typedef enum {
  DELTA_INPUT,     // the tangent of `var`
  DELTA_SHARE,     // the tangent of result number `operand` of statement `stm`
  DELTA_ADD,       // of[0] + of[1]
  DELTA_NEG,       // -of[0]
  DELTA_SCALE,     // atom * of[0], elementwise
  DELTA_MASK,      // of[0] where atom holds, 0 elsewhere
  DELTA_SPREAD,    // the scalar of[0] along all dimensions of the result
  DELTA_LINEAR,    // the statement's form applied to of[0] as operand number `operand`
  DELTA_CONTRACT,  // the contraction with of[0] as operand number `operand`
  DELTA_EXTREMUM,  // elements of of[0] at the indices `atom` along the folded dimension
  DELTA_PULL,      // operand number `operand` of a statement that the default strategy takes
} DeltaKind;

typedef struct Delta Delta;
struct Delta {
  DeltaKind kind;
  Type type;
  int id;               // of a SHARE, from 1
  Var var;
  Atom atom;
  bool guarded;
  int operand;
  const BulkStm *stm;
  const Delta *of[2];   // NULL: zero
};

typedef struct {
  Prog *prog;
  BulkBuilder b;        // partials follow the statement they belong to
  BulkBody body;        // the program with partials
  Map *of_var;          // Var -> its Delta
  const Delta **shares; // by id; [0] unused
  int count, cap, nodes;
  bool strict;          // given: products mean what IEEE says
} Deltas;

// The Delta terms of the body over the inputs, which are of float type where they have one.
// False, and *why, where there is none.  Of out, `strict` is given.
bool delta_build(Prog *prog, const BulkBody *body, Vars inputs, Deltas *out, BulkRefusal *why);
const Delta *delta_of(const Deltas *d, Atom a);  // NULL: zero

// Adjoints of the inputs for the seeds of the results: appended to `b`.  A zero adjoint is an
// array of zeros.
Atoms delta_transpose(Deltas *d, BulkBuilder *b, Vars inputs, Atoms results, Atoms seeds);
#endif
