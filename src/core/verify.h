// The verifier: verify.c (scopes, statements, bodies), verify_forms.c and verify_soacs.c (operands
// of each form).  Every rule returns false once a fault is found; the first one is reported.
#ifndef CORE_VERIFY_H
#define CORE_VERIFY_H
#include "local.h"

typedef struct {
  Prog prog;           // the program checked, allocating in `arena`
  Arena *arena;
  const char *fault;
  const Stm *stm;
  bool *bound, *open;  // indexed by variable
  Vars scope;          // open variables, innermost last
  int constants;       // how many of them are constants of the program
  Map *fns;            // functions met, by address
} Verifier;

bool require(Verifier *v, bool ok, const char *what);
bool agree(Verifier *v, Type a, Type b, const char *what);      // but for sizes not both constant
bool scalar_at(Verifier *v, Atom a, Prim p, const char *what);
bool sizes_at(Verifier *v, Atoms atoms, const char *what);      // all i64 scalars
bool array_at(Verifier *v, Atom a, const char *what);           // rank > 0, no accumulator
bool copyable_at(Verifier *v, Atom a, const char *what);           // no accumulator
// fn takes these types and gives these; NULL rets: any.
bool lambda_at(Verifier *v, const Lambda *fn, Types params, const Types *rets, const char *what);
bool verify_form(Verifier *v, const Exp *e, Vars bound);
bool verify_soac(Verifier *v, const Exp *e);
Types types_cat(Verifier *v, Types a, Types b);
#endif
