// safe: products of derivatives and partials that leave out what masks keep out (guarded.c,
// masked_adjoints.c).
#ifndef SAFE_H
#define SAFE_H
#include "sets.h"

typedef struct {
  bool strict;              // products as IEEE says
  // what may be infinite or NaN at finite arguments; and what overflows
  VarSet singular, may_overflow;
  // what gets adjoints that masks make zero, also through sums (masked_adjoints.c)
  VarSet masked, after;
  VarSet computed;          // results of scalar operations
  bool rule_masked;         // the statement whose rule runs has results of `after`
} Guarding;
Guarding safe_new(bool strict, Arena *arena);
void guard_body(Guarding *safe, const Body *body);  // finds them, but for the masked ones
bool guard_is_idle(const Body *body);          // no product of its derivatives is guarded
// Of one operation: a pole or an edge of its domain; that, or it overflows at once.
bool guard_is_singular(const struct prim_form *e);
bool guard_is_risky(const struct prim_form *e);
Atom guard_times(Builder *b, Atom d, Atom partial);
// d * J(args, y) in the type of the operation stm; J is not a constant; and d * J_i in forward
// mode.
Atom guard_product(const Guarding *safe, Builder *b, const Stm *stm, const Term *J, Atoms args,
                   Atom y, Atom d);
Atom guard_tangent(const Guarding *safe, Builder *b, const Stm *stm, int i, Atoms args, Atom y,
                   Atom d);
// masked_adjoints.c
void masked_body(const Prog *prog, FreeVars *free_vars, Guarding *safe, const Body *body);
#endif
