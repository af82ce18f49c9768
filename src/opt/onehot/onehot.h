// onehot: sums and loops over one case are that case (doc/strategies.md).
//
// The *support* of a value is a set of conditions each of which must hold where the value is to
// differ from a neutral element: of `select (i == j, v, 0)` it is {i == j}.  Supports pass through
// products by derivatives (#linear), sums, branches and data movement; a reduction, scan or loop
// over j whose elements have a condition that can be solved for j in their support is replaced by
// the one iteration for which it holds.
#ifndef OPT_ONEHOT_H
#define OPT_ONEHOT_H
#include "opt/common/local.h"

typedef struct {
  bool every;  // the neutral element, whatever holds
  Vars conds;
} Support;

// Facts about a lambda or loop body while its results are looked at.
typedef struct {
  Env *e;
  Map *defs;     // variable -> const Stm *, of the body and what is nested in it
  Map *exps;     // the same -> const Exp *, for affine_of
  Map *rows;     // parameter of a nested lambda -> const Atom *, the array whose row it is
  Map *inner;    // bound by the body, its parameters included, or nested in it
  Map *nested;   // bound by what is nested in it
  Map *known;    // variable -> const Support *, for zero
  Map *assumed;  // loop parameters taken for zero while the loop's body is looked at
  int budget;    // of steps
} Supports;

// ---- support.c
// Sets of variables, by their ids: puts in all of `vars`; whether one of them is in it.
void vars_mark(Map *set, Vars vars);
bool vars_marked(const Map *set, Vars vars);
void vars_mark_bound(Map *set, const Lambda *fn);  // its parameters and what its statements bind
bool onehot_is_few(Atom width);  // so few iterations that they are unrolled
// Brings operands inside the body up to date and finds its definitions; false: no condition in it
// compares indices.
bool supports_begin(Supports *s, Env *e, const Lambda *fn);
// Of a value in the body, towards `neutral`: a literal, or a variable (a loop's parameter).  Only
// conditions that are visible in the body itself are kept.
Support support_of(Supports *s, Atom a, Atom neutral);
Support support_meet(Supports *s, Support a, Support b);

// ---- solve.c
// The only iteration for which a condition of the support holds.
typedef struct {
  Atom at;     // from outside the body
  Atom in;     // whether it is one of the iterations; true: for certain
} OneCase;
// j counts `width` iterations from `start`.
typedef struct {
  Var j;
  Atom start, width;
} Counter;
// False: no condition can be solved for the counter.  Emits the index and the test.
bool solve_case(Supports *s, Support support, Counter counter, OneCase *out);

// ---- rules, in simplify's walk: true when the statement was replaced
bool onehot_screma(Env *e, Stm *stm);  // single_case.c
bool onehot_loop(Env *e, Stm *stm);    // loop_case.c
bool onehot_hist(Env *e, Stm *stm);    // hist_case.c
bool onehot_product(Env *e, Stm *stm);  // product.c
bool onehot_equation(Env *e, Stm *stm);  // equation.c
bool onehot_payload(Env *e, Stm *stm, Supports *s);  // payload.c
void onehot_recurrences(Env *e, Stm *stm);  // recurrence.c: of the body of a map
bool onehot_linear_fold(Env *e, Stm *stm, Supports *s);  // linear_fold.c
void onehot_fission(Env *e, Stm *stm);  // fission.c
// Whether a reduction whose elements are results from.. of the lambda, but for component `except`,
// is the same in all iterations of what is around it.
bool onehot_is_invariant(Env *e, const struct screma_form *x, const Operator *op, int from,
                         int except);
// row_invariants.c: of the maps and sums in the lambda of a map or sum; true: some were lifted,
// which the rest of the walk must see before another rule looks at the lambda
bool onehot_row_invariants(Env *e, Atom width, Lambda *fn);
void onehot_factored_sums(Env *e, Atom width, Lambda *fn);  // factored_sum.c: likewise
void onehot_split_sums(Env *e, Atom width, Lambda *fn);     // split_sum.c: likewise
void onehot_key_sums(Env *e, Stm *stm);  // key_sum.c: of the body of a map
bool onehot_key_columns(Env *e, Stm *stm);  // key_sum.c: true when the statement was replaced
// pull.c: elements, columns, rows of one-hot arrays; transpositions written with indices
bool onehot_pull(Env *e, Stm *stm);
bool onehot_columns(Env *e, Stm *stm);
bool onehot_part(Env *e, Stm *stm);
void onehot_inputs(Env *e, Atom width, Lambda *fn, Atoms *inputs);
bool onehot_transposition(Env *e, Stm *stm);
const struct map_form *map_transposes(const Exp *x);  // the map of rows inside; NULL: it does not

// ---- linear.c: bodies whose result is a sum of factor * leaf and of terms without the leaf
typedef struct {
  Env *e;
  Map *defs;     // of the body: variable -> const Stm *
  Map *tainted;  // variables that depend on a leaf
  Vars leaves;
  Atoms terms;   // in the order of the walk
  bool guarded;  // a factor stood in a guard
  int steps;
} Linear;
// Products must be by derivatives (#linear): only those may change their order.  False: not linear.
bool linear_walk(Linear *l, Atom a);
void linear_begin(Linear *l, Env *e, const Body *body, Vars leaves);
bool linear_tainted(const Linear *l, Atom a);
// One leaf (which < 0: number -1 - which), taken as 1 or kept, or one term.
typedef struct {
  const Linear *l;
  Rewrite *w;  // has what is copied; operands outside the body stay
  int which;
  bool keep;
} LinearPart;
Atom linear_emit(LinearPart *p, Atom a);
Atom linear_copy(LinearPart *p, Atom a);  // of what depends on no leaf
Atom linear_times(Builder *b, bool guarded, Atom x, Atom by);  // x *. by, or x *. guard (x, by, by)

// ---- single_case.c, for these
typedef struct {
  Atoms inputs;
  Vars params;
  Atom width;
} Elements;
// Solved for one of the inputs that count.
bool onehot_solve(Supports *s, Elements x, Support support, OneCase *out);
// In the case: the results of fn at args, or, if by_row, at row c.at of args; else `otherwise`.
typedef struct {
  OneCase c;
  const Lambda *fn;
  Atoms args;
  bool by_row;
  Atoms otherwise;
} Choice;
void onehot_choose(Env *e, Vars bound, const Choice *choice);  // emitted and simplified
Atoms onehot_rows(Env *e, Builder *b, const Atoms *inputs, Atom at);  // of each input
void onehot_walk(Env *e, Stm stm);  // emitted and simplified
Lambda *onehot_cut(Env *e, const Lambda *fn, int from, int n);  // with these results alone
// Reduction `which` of a SCREMA, whose first element is result elem of fn, its first result number
// bound of the statement.
void onehot_drop_operator(Stm *stm, int which, int elem, int bound);
#endif
