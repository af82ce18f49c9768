// Shared by the files that translate core into bulk programs.
//
// The translation goes through a body under a *nest* of axes, outermost first, one for each map
// around it.  A variable of the body becomes an array that has only those axes on which it varies,
// in nest order, before its own dimensions.
#ifndef BULK_LOCAL_H
#define BULK_LOCAL_H
#include "bulk.h"

enum { MAX_NEST = 24 };
typedef uint32_t AxisSet;  // bit k: axis k of the nest
static inline AxisSet axis_bit(int k) { return UINT32_C(1) << k; }
static inline int axes_len(AxisSet s) { return __builtin_popcount(s); }
static inline int axes_before(AxisSet s, int k) { return axes_len(s & (axis_bit(k) - 1)); }

// An i64 that is base + sum of factor[k] * (iteration of axis k); base is uniform.
typedef struct {
  Atom base;
  int64_t factor[MAX_NEST];
} Line;

// An array that an accumulator writes; axes below `depth` exist where it began.
typedef struct {
  Atom array;
  AxisSet axes, wanted;  // of the array; that its updates vary on, below depth
  int depth, rank;
  const Lambda *op;      // NULL: overwrite
  Atoms neutral;
} Written;

typedef struct Value Value;
struct Value {
  Atom atom;        // the array, where made: axes.., own dimensions..
  bool made;
  AxisSet axes;
  const Line *line;     // of an i64 scalar
  const Line *elements; // of an [n]i64: line of its element, factor[0] for the position
  const Value *product; // two scalar factors with the axis `product_depth`, whose product this is
  int product_depth;
  Written *target;       // of an accumulator
};

typedef struct {
  Prog *prog;
  BulkBuilder b;
  Value *env;  // by number of a core variable
  const bool *is_size;  // by number: a size of a parameter of a function, so not negative
  int cap;
  int depth;
  Atom widths[MAX_NEST];
  LIST(Written *) written;  // by accumulators that are open here
  bool keep_rules;  // custom rules stay
  bool masked;
  Value mask;  // bool, under `masked`: whether this iteration is executed
  jmp_buf refused;
  BulkRefusal why;
} Translation;

// ---- value.c
_Noreturn void bulk_refuse(Translation *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
Value value_uniform(Atom atom);
Value value_get(Translation *t, Atom a);
void value_bind(Translation *t, Var v, Value value);
void value_make(Translation *t, Value *v);  // its array, where it has only a line
AxisSet value_axes(Value v);                // of its array or line
Type value_type(Translation *t, Value v);   // without axes
Atom value_lift(Translation *t, Value v, AxisSet to);    // with exactly these axes
Atom value_spread(Translation *t, Value v, AxisSet to);  // the same, uniform scalars as they are
bool value_is_uniform(Value v);
Atom value_scalar(Translation *t, Atom a, const char *role);  // uniform, or refused
// A size: uniform, or refused.  Where no iteration need be executed, it may be negative: 0 then.
Atom value_size(Translation *t, Atom a);
Atoms value_sizes(Translation *t, Atoms dims);
Atoms axes_dims(Translation *t, AxisSet s);
Atom axes_widths_product(Translation *t, AxisSet s);
const Line *line_of(Translation *t, Value v);  // also of uniform scalars; NULL: none
const Line *line_combine(Translation *t, const Line *x, const Line *y, int64_t sign);
const Line *line_scale(Translation *t, const Line *x, int64_t by);
Atom atom_op(Translation *t, Op op, Atom x, Atom y);
Atoms atoms_one(Translation *t, Atom x);
// all or any of a bool over its axes
Atom value_fold(Translation *t, Atom x, Op op, bool neutral);

// ---- one function a form: statement -> values bound
void from_prim(Translation *t, const Stm *stm);
void from_conv(Translation *t, const Stm *stm);
void from_assert(Translation *t, const Stm *stm);
// Fails where cond, with the axes given, is false in an iteration that is executed.
void assert_all(Translation *t, Value cond, const char *text, Atoms args);
// Fails with the text and n where it is negative and an iteration is executed.
void assert_size(Translation *t, Atom n, const char *text);
void from_iota(Translation *t, const Stm *stm);
void from_literal(Translation *t, const Stm *stm);
void from_constant(Translation *t, const Stm *stm);
void from_scratch(Translation *t, const Stm *stm);
void from_replicate(Translation *t, const Stm *stm);
void from_barrier(Translation *t, const Stm *stm);
void from_reshape(Translation *t, const Stm *stm);
void from_rearrange(Translation *t, const Stm *stm);
void from_concat(Translation *t, const Stm *stm);
void from_reverse(Translation *t, const Stm *stm);
void from_rotate(Translation *t, const Stm *stm);
void from_index(Translation *t, const Stm *stm);
void from_update(Translation *t, const Stm *stm);
void from_flatindex(Translation *t, const Stm *stm);
void from_flatupdate(Translation *t, const Stm *stm);
void from_map(Translation *t, const Stm *stm);
void from_reduce(Translation *t, const Stm *stm);
void from_scan(Translation *t, const Stm *stm);
void from_hist(Translation *t, const Stm *stm);
void from_scatter(Translation *t, const Stm *stm);
void from_withacc(Translation *t, const Stm *stm);
void from_updateacc(Translation *t, const Stm *stm);
void from_match(Translation *t, const Stm *stm);
void from_loop(Translation *t, const Stm *stm);
void from_inlined(Translation *t, const Stm *stm, const Lambda *fn, Atoms args);

// ---- from_core.c, from_soac.c
void from_stms(Translation *t, Stms stms);
bool operator_is_closed(Translation *t, const Lambda *fn);  // scalars and operations on them only
void axis_push(Translation *t, Atom width);
void axis_pop(Translation *t);
// The row of x at the innermost axis.
Value value_row(Translation *t, Value x);
// A result of the body of a map, as an array over the innermost axis.
Value value_column(Translation *t, Value r);
// A body whose statements are not kept; nor are updates of accumulators, but for the axes that they
// are found to want.
typedef struct {
  BulkStms *kept;
  Written *written;  // as the open accumulators were
} DryRun;
DryRun dry_begin(Translation *t);
void dry_end(Translation *t, DryRun *d);
// dest[index] = op(dest[index], value), all with these axes; op NULL: overwrite.
typedef struct {
  Atom dest;
  AxisSet batch, axes;  // of dest; of index and value, batch included
  const Lambda *op;
  Atoms neutral;
} PutPlace;
Atom put_values(Translation *t, PutPlace place, Atoms index, Atom value);
#endif
