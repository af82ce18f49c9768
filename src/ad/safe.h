// safe: products of derivatives and partials that leave out what masks keep out (safe.c, masked.c).
#ifndef SAFE_H
#define SAFE_H
#include "sets.h"

typedef struct {
  bool strict;              // products as IEEE says
  VarSet risky, unbounded;  // what may be infinite or NaN at finite arguments; and what overflows
  VarSet masked, behind;    // what gets adjoints that masks make zero, also through sums (masked.c)
  VarSet computed;          // results of scalar operations
} Safe;
Safe safe_new(bool strict, Arena *arena);
void safe_body(Safe *safe, const Body *body);  // finds them, but for the masked ones
bool safe_is_plain(const Body *body);          // no product of its derivatives is guarded
Atom safe_times(Builder *b, Atom d, Atom partial);
// d * J(args, y) in the type of the operation stm; J is not a constant; and d * J_i in forward mode.
Atom safe_product(const Safe *safe, Builder *b, const Stm *stm, const Term *J, Atoms args, Atom y,
                  Atom d);
Atom safe_tangent(const Safe *safe, Builder *b, const Stm *stm, int i, Atoms args, Atom y, Atom d);
void masked_body(const Prog *prog, Frees *frees, Safe *safe, const Body *body);  // masked.c
#endif
