// Shared by specialise.c and the files it is made of, acc*.c.
#ifndef OPT_ACC_H
#define OPT_ACC_H
#include "opt/common/local.h"

typedef struct {
  Prog *prog;
  Arena *arena;    // the program's
  Arena *scratch;
  Map *ops;        // token -> const Operator
  Map *iotas;      // variables that are iota n 0 1
  Map *zeros;      // variables that are arrays of zeros
  Map *sizes;      // variables that are sizes of arrays
  Map *defs;       // variable -> Exp: integer operations, iterations under another name
  Vars named;      // those with names of the nest looked at
  int *inner;      // by variable: stamp when bound inside the lambda looked at
  int stamp, cap;
  const Lambda *marked;  // whose they are all, while accumulators of one `withacc` are looked at
  int depth;       // of maps and loops around
  bool to_read;    // for a reader: sums wherever there can be any, fast or not
  bool changed;
} Acc;
const Operator *acc_operator(const Acc *a, Atom acc);  // NULL: overwriting, or not scalar
void acc_mark_inner(Acc *a, const Lambda *fn);         // then acc_is_inner answers for fn
bool acc_is_inner(const Acc *a, Atom x);
void acc_define(Acc *a, Var v, Exp exp);               // for line_of
void acc_name(Acc *a, Var v, Var dim);                 // v is the nest's iteration dim
void acc_names_forget(Acc *a);                         // before another nest is looked at

void acc_note_sizes(Acc *a, const Vars *vars);         // sizes in their types
void acc_loops(Acc *a, Body *body);                    // loop_to_map.c
Atom acc_width(const Acc *a, Stms *out, Atom bound);   // of arrays with an element an iteration
// The additions of one `withacc` in the loop stm are *after it; to out: what both need.  The loop
// may be left with nothing to carry.  See distribute.c.
bool acc_distribute(Acc *a, Stms *out, Stm *stm, Stm *after);
void acc_drop_updates(Acc *a, Body *body);             // and accumulators that maps hand on

// ---- what a variable is, as a sum (index_affine.c)
Affine affine_of(const Map *defs, Atom x);  // defs: variable -> Exp, what to follow

// ---- nests of maps around updates (nest.c)
enum { DIMS = 16, UPDATES = 8, CORE = 24 };

// The meaning of a name of the nest.
typedef struct {
  enum { IS_OUTER, IS_INDEX, IS_READ, IS_COMPUTED } kind;
  int dim;         // IS_INDEX
  Atom base;       // IS_READ: base[at..], a row when not all dimensions are fixed
  Atoms at;
  Atoms shift;     // of a row: to be added to the indices of its first dimensions
  // of a transposed row: its dimension j is dimension perm[j], counted from `turned`
  Ints perm;
  int permuted;
  const Stm *stm;  // IS_COMPUTED, also by a branch; IS_READ: the `index`, NULL when a map reads
  int result;      // which of the statement's
  unsigned under;  // the dimensions that the statement stands under, as bits
  int user;        // the only update that reads it, counted from 1
  Atom made;       // while generating: its new name, and the level where it stands
  int level, time;
} Access;
// While what stands under remainder r of dimension d is looked at (quotient_index.c): i = by t + r,
// and d is t's.
typedef struct {
  int dim;
  int64_t by, r;
  Var t, whole;
  Atom width, whole_width;
  const Exp *sum;  // by t + r
} Quotient;
typedef struct {
  Acc *a;
  int dims;
  Atom width[DIMS];
  Var dim[DIMS];   // represents the iteration of dimension d
  Map *names;      // variable -> Access
  int n;
  const struct updateacc_form *update[UPDATES];
  int expensive, stms;
  Builder *to[DIMS + DIMS + 1];  // while generating: where level t is built; [0] is outside
  Atom index[DIMS];       // of old dimension d: its new index
  int position[DIMS];     // at level position + 1
  const Quotient *split[DIMS];  // NULL: all remainders
  unsigned active;        // dimensions that are not empty, as bits
  int guard;              // what may fail stands at this level or deeper
  int time;
} Nest;

Access *access_of(const Nest *n, Atom x);                   // NULL: from outside, or not known
Access *access_new(Nest *n, Var v, Access name);
int nest_dim(Nest *n, Atom width);                          // a new dimension
bool nest_param(Nest *n, Var p, Atom input, int dim);       // p is input[index of dim]
bool nest_read(Nest *n, const Stm *stm);                    // an `index` statement
bool nest_permute(Nest *n, const Stm *stm);                    // a `rearrange` of a row
Atom nest_make(Nest *n, Atom x, int *level);                // while generating: x, and where it is
bool match_is_if(const Prog *prog, const struct match_form *m);  // one of two branches, by a bool
// x is `if cond then yes else no`.
bool access_is_if(const Nest *n, const Access *x, Atom *cond, Atom *yes, Atom *no);
void nest_forget(Nest *n, int time, int level);             // names made since, at or below
// x is made inside dimension d: it depends on it, or stands there and may fail.
bool nest_stands_in(const Nest *n, Atom x, int d);
int nest_reads_score(const Nest *n, Atom x, int d);         // < 0: x reads with strides along d
Exp nest_map(Nest *n, Atom width, Lambda *fn, Atom iota, const Atom *acc);
// Ends the lambda at depth + 1; the sum of its value over iota, built at that depth.
Atom nest_sum(Nest *n, const struct updateacc_form *u, LambdaBuilder *lb, int depth, Atom width,
              Atom iota, Atom value);

// A branch at a level: what is made there from now on stands in the branch, until nest_leave, which
// gives `if cond then value else otherwise`.
typedef struct {
  Builder *outer, inner;
  Stms stms;
  int level, guard, time;
} Inside;
void nest_enter(Nest *n, Inside *in, int level);
Body nest_leave(Nest *n, Inside *in, Atom value);
Atom nest_if(Nest *n, int level, Atom cond, Body yes, Atom otherwise);

// A nest of maps whose only effect is updates: appends the same nests, one per update, in an order
// that walks memory; false when the order is good as it is.
bool acc_reorder(Acc *a, Stms *out, Stm *stm);

// ---- where an update is made, and how to find the iterations that make it (solve_index.c)
enum { RANK = 6, PARTS = 24, GUARDS = 6, PLACES = 16, SPLITS = 4 };
typedef struct {
  Atom cond;
  bool want;
} Guard;
typedef struct {
  const struct updateacc_form *update;
  int dims, dim[DIMS];  // the maps around it, outermost first
  int guards;           // and the branches, those last that only choose between the value and 0
  int branches;
  Guard guard[GUARDS];
  Atom value;           // where all guards hold
} UpdateSite;
// The part of an update's iterations whose indices are sums.  Index k of it is what dimension
// solved[k] takes part in alone; the other dimensions are summed over.
typedef struct {
  const UpdateSite *place;
  int splits;
  Quotient split[SPLITS];  // in force between part_enter and part_leave
  Affine index[RANK];
  Atom modulus[RANK];   // index k is modulo this; or no variable
  int solved[RANK];     // -1: index k does not depend on dimensions
  bool sparse[RANK];    // perhaps to most cells nothing comes
  int guards, bounds;
  Guard guard[GUARDS];
  Affine bound[GUARDS];   // is >= 0
} AccPart;
typedef struct {
  int len;
  AccPart at[PARTS];
} AccParts;
// Appends the parts; false: the indices are of another kind.
bool parts_of(Nest *n, const UpdateSite *place, AccParts *out);
// A quotient in an index: dimension dim, by `by` (quotient_index.c).  There are parts for each of
// `all` remainders.
typedef struct {
  int dims, all, dim[SPLITS];
  int64_t by[SPLITS];
} Quotients;
Quotients quotients_of(const Nest *n, const UpdateSite *place);
void part_split(Nest *n, AccPart *part, const Quotients *splits, int at);  // remainder number `at`
void part_enter(Nest *n, const AccPart *part);
void part_leave(Nest *n, const AccPart *part);
// Of iterations and what stands outside.
bool affine_is_closed(const Nest *n, const Affine *l);
// Chooses what is solved; false: the iterations that come to a cell cannot be told, or there are
// too many cells for them.  fresh: the array is made here, cells cost nothing by themselves.
bool part_solve(Nest *n, AccPart *part, const Type *array, bool fresh);
bool affine_mentions(const Affine *l, const Nest *n, int dim);
bool affine_nonneg(const Nest *n, const Affine *l);  // in all iterations
Affine affine_minus(const Affine *x, const Affine *y);

// The sum of the updates of every cell: an array (gather_sums.c).
Atom cells_make(Nest *n, Builder *out, const AccParts *parts, const Type *array);
// The update by itself, maps over what is not solved one iteration or block after the other: those
// of other maps do not meet (sequential_sums.c). rows_fit: what the part leaves out are ranges of
// the maps.  May solve it for other dimensions.
bool rows_fit(const Nest *n, AccPart *part, const Type *array);
Atom rows_make(Nest *n, Builder *out, const AccPart *part, const Type *array, Atom acc);

// The sums of `withacc` k of stm, computed without it in front of what else its maps do: as the
// array *contrib; or, if rows, by plain updates (*contrib is no variable).  False, and nothing
// done, when its updates are not of the kind.  See scatter_to_gather.c.
bool acc_gather(Acc *a, const Stm *stm, int k, bool rows, Atom *contrib);
// The accumulators, by token, for which acc_gather is false because data say where to
// (indirect_index.c).
Map *acc_indirect(const Acc *a, const Body *body);
// Appends to out a map of what the map stm computes before it updates accumulators, which is left
// to do with stm; false where there is nothing to gain.  See fission.c.
bool acc_fission(Acc *a, Stms *out, Stm *stm);
// Appends to out what leaves the `withacc` stm; see split_withacc.c.
void acc_split(Acc *a, Stms *out, Stm *stm);
#endif
