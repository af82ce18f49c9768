// Shared by the files of factored sums: a sum around sums, and the products that it is made of.
#ifndef OPT_ONEHOT_FACTORED_H
#define OPT_ONEHOT_FACTORED_H
#include "onehot.h"

typedef struct {
  Env *e;
  const Map *outside;  // what differs between the iterations around
  Map *tainted;        // the same in the lambda, with what depends on it
  struct screma_form *x;
  Linear l;            // its element, or that of the sum inside
} Sum;

// A share array[j] *. factor[j] of the sum: the element is linear in leaf `leaf`, which is a row of
// the array itself, or a sum inside whose element is linear in its leaf q, a row of the array.
typedef struct {
  int leaf, q;
  const Sum *inner;  // NULL: the array is an input of the outer sum
  Atom array, width;
} Share;
typedef LIST(Share) Shares;

// ---- factored_sum.c
bool sum_differs(const Sum *s, Atom a);  // between the iterations around
void sum_taint(Sum *s);
bool sum_is(Env *e, const struct screma_form *x, int red);  // of floats, of many elements
Map *sum_needed(const Sum *s, Atom element);  // the variables that the element is computed from
// These statements of the body of the iterations around, of which the last binds the sum, instead
// of reduction `red` of statement `at`.
void sum_replace(const Sum *s, Stms left, Body *body, int at, int red);

// ---- factors.c
// The sum by `fn` of the elements of the inputs.
Exp sum_exp(Env *e, Atom width, Atoms inputs, Lambda *fn);
// The element of the sum but for other terms than which..which+n-1 (leaves: LinearPart), each
// leaf as it is (keep) or 1.
typedef struct {
  int which, n;
  bool keep;
} SumPart;
Lambda *sum_part(const Sum *s, SumPart part);
// The sums that are left of `s`, which statement `reader` of the body computes: one for each width,
// and one of the terms that no share has.  The last statement emitted binds the sum of them.
void factored_emit(Builder *b, const Sum *s, const Shares *shares, const Body *body,
                   const Stm *reader);
#endif
