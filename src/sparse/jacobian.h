// Between the files of this folder: Jacobians and Hessians by index expressions,
// doc/sparse-jacobians.md.
#ifndef AD_BLOCKS_H
#define AD_BLOCKS_H
#include "ad/common/local.h"

enum { MOST_LEAVES = 192 };  // elements of x that one block reads

// How an array of the source is made of elements of x: element [i..] is x[offset + sum i_d
// stride_d]. Or by an iteration of a map of the source, in which case only `made`, `result` and
// `at` are set; or of parts one after the other, of which it is element first + i_1 step.
typedef struct JacAccess JacAccess;
typedef struct {
  const JacAccess *view;  // or NULL
  Atom array, end;        // emitted; where the part ends
  bool row;               // a single row
} JacPart;
struct JacAccess {
  // its value, a variable outside g; none where it would have to be speculated
  Atom array;
  Atom offset;
  Atoms dims, strides;  // dims are dimensions of the source array, as emitted
  Atom copy;            // an array in g with these elements, or none
  const Stm *made;
  int result;
  Atoms at;             // indices of the made array that are given already: this is a row
  bool flat;            // of what was made: its elements in one dimension
  LIST(JacPart) parts;
  Atom first, step;
  bool row;             // of parts: row number `first`; dims are those of a row
};
// A sum, or a scalar, times factors: innermost first; OP_NEG has no other operand.
typedef struct {
  Op op;
  Atom other;
} BlockFactor;
typedef LIST(BlockFactor) BlockFactors;
typedef struct {
  const Lambda *fn;  // of a map, whose result has this term; NULL: the function itself
  Atom of;           // the array that is summed, or the scalar; of the source, as the factors
  BlockFactors factors;
} BlockTerm;
typedef LIST(BlockTerm) BlockTerms;  // a way: a term, one of those that are summed for it, ..
typedef LIST(BlockTerms) BlockWays;
// Values of the source: element j is added to element target[j] of the function's result; to
// element j where there is no target.
typedef struct {
  Atom of, target;
} BlockTarget;
typedef LIST(BlockTarget) BlockTargets;
typedef struct {
  Atom column, value;   // an element of x that g reads; both outside g
  Var z;                // the parameter of g for it
} BlockLeaf;
typedef struct {
  Rewrite w;      // first; source to emitted
  Builder pre;    // code outside g: once before all blocks, then for each block
  Builder g;      // the body of g that is being written
  Stms head;      // of g: arrays of its parameters
  VarSet varied;  // of the source
  VarSet inner;   // emitted variables that only g has
  Map *views;     // source variable id -> BlockView *
  LIST(BlockLeaf) leaves;
  LIST(Stms *) outside;  // where pre went before and goes now, to look up definitions
  int depth;      // of bodies of the source: 0 in that of the function itself
  bool may_make;  // maps of this body may stay maps: it is run once, or nothing runs before they do
  int branches;   // of the source around the statement
  BlockTerms way;  // that is followed to what is summed
  int levels;      // of maps around the way's first sum
  bool is_ragged;  // the sum of the way's last map has as many terms as `ragged`, a width of the
  Atom ragged;     // source, says, which is known within the maps only
  bool added;      // blocks have one row each, and say where it is added
  bool failed;     // not of this form
  Atom x, n;
  const struct jacobian_form *form;
} Jac;
// The terms added up in a result of the function, or of a map of it; none where there is no sum
// (sums.c).
BlockWays blocks_ways(const Prog *prog, const VarSet *varied, const Lambda *fn, const Body *body,
                      Atom result);
// The result as values that are put, or added, into its elements.
BlockTargets blocks_targets(const Prog *prog, const VarSet *varied, const Body *body);
const BlockTerm *blocks_term(const Jac *b, const Lambda *fn);  // on the way, or NULL
// the map, through reshapes; or NULL
const Stm *blocks_making(const Body *body, Atom *a, bool flat);
Stms blocks_needed(const Prog *prog, Stms stms, const BlockTerm *term);  // for the term
Atom blocks_scaled(Jac *b, Atom row, BlockFactors factors);           // in g
JacAccess *jac_access(const Jac *b, Atom source);
const Exp *blocks_definition(const Jac *b, Var emitted);  // outside g; or NULL
void jac_access_set(Jac *b, Var source, JacAccess view);
void blocks_stms(Jac *b, Stms stms);           // the statements of the source, to pre and g
Atom blocks_value(Jac *b, Atom source);        // in g
// The value in g of a map, and of the maps that make its rows, at these indices.  flat:
// indices are those of the maps, also where rows are flattened.
Atom blocks_made(Jac *b, const JacAccess *made, Atoms at, bool flat);
// The same, or, where the last iteration gives a view that is too large for that, the view.
Atom blocks_made_or_view(Jac *b, const JacAccess *made, Atoms at, JacAccess *view);
// The row at these indices where that is made by maps, too; false: it is a value.
bool blocks_made_row(Jac *b, const JacAccess *made, Atoms at, JacAccess *row);
Atoms blocks_nest(Jac *b, const JacAccess *made, bool flat);  // widths of the maps, outside them
// The indices of iteration i of such a nest, the innermost running fastest.
Atoms blocks_nest_indices(Jac *b, Atoms widths, Atom i);
// Element i of what was made and flattened; `to`: where its index is tested, or NULL.
Atom blocks_flat_element(Jac *b, const JacAccess *made, Atom i, Builder *to);
Atom blocks_ragged_width(Jac *b, const JacAccess *made, Atoms at);  // at these of the maps' indices
bool blocks_move(Jac *b, const Stm *stm);      // a view of a view; false: it is something else
void blocks_constant(Jac *b, const Stm *stm);  // a statement that does not vary
Atom blocks_element(Jac *b, JacAccess *view, Atoms at, bool in_range);  // as a parameter of g
bool blocks_concat(Jac *b, const Stm *stm);     // a view of parts; false: it is something else
Atom blocks_part_element(Jac *b, const JacAccess *view, Atoms at);
JacAccess blocks_subview(Jac *b, const JacAccess *view, Slice slice);
void blocks_leaves_sort(Jac *b);               // columns that differ by a constant ascend
Atom blocks_copy(Jac *b, JacAccess *view);     // all elements of a view, in g
void blocks_test(Jac *b, Builder *to, Atom at, Atom n);  // that 0 <= at < n
Atom blocks_pre(Jac *b, Op op, Atom x, Atom y);  // i64, outside g
// The same function; loops that add up one number are sums over maps (loops_to_sums.c).
Lambda *blocks_sums_of_loops(Builder *b, const Lambda *fn);
// Whether result i can depend on parameter k of g, at i * params + k (pattern.c).
bool *jac_pattern(const Prog *prog, const Lambda *g);
#endif
