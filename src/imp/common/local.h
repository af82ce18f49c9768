// local: what the files of the lowering share.
#ifndef IMP_LOCAL_H
#define IMP_LOCAL_H
#include "imp.h"

// An array as the code sees it: elements of mem at offset + sum of index[d] * strides[d].
typedef struct {
  ImpVar mem;
  Prim prim;
  int rank;
  bool dense;  // row-major without gaps
  const ImpExp *offset;
  const ImpExp **dims, **strides;
} View;

// The meaning of a core variable.  Arrays that are only read element by element may be formulas.
typedef enum { VALUE_NONE, VALUE_SCALAR, VALUE_ARRAY, VALUE_IOTA, VALUE_FILL } ValueKind;
typedef struct {
  ValueKind kind;
  const ImpExp *exp;   // scalar; IOTA: the start; FILL: the element
  const ImpExp *step;  // IOTA
  View view;           // ARRAY, accumulators too
  const Operator *op;  // accumulators; NULL: overwriting
} Value;

// Where a variable's elements should be written.  flat: the view is dense, the variable has
// another shape of the same number of elements.
typedef struct {
  const View *view;
  bool flat;
} Want;

typedef struct {
  int block;        // id of the open block that made it
  const ImpExp *count;  // elements it was allocated with, if it was
  LIST(Var) users;  // core variables that lie in it
} MemUse;

typedef struct {
  const ImpExp *exp;
  ImpVar var;
} KnownLet;

typedef struct Lower {
  const Prog *prog;
  const MemFacts *facts;
  const Cycles *cycles;
  ImpProg *out;
  Arena *arena;
  ImpFn *fn;
  ImpBlock *at;         // statements go here
  int block, blocks;    // id of the open block; ids given out
  LIST(int) branch_of;  // by block: of a branch, the block that the match stands in; otherwise -1
  Value *values;        // by core variable
  Want *want;           // by core variable
  const Stm **pending;  // by core variable: the update in whose slice it is made (copy_elision.c)
  const View **place;   // by result of an update: the slice, if its value is made there
  Map *early;           // statements lowered before their turn
  bool *write_reversed;         // by core variable: only to be reversed: written back to front
  const View **reverse; // by core variable, when made back to front: its reverse
  int *global;          // by core variable: slot + 1 of a constant of the program
  Names *site_names;    // places and messages of checks
  Map *site_at;         // site_names -> 1 + index of the site
  LIST(MemUse) mems;    // by imp variable of fn
  LIST(KnownLet) lets;  // address computations in scope
  const Stm *stm;       // being lowered
  const Stm *uses_of;   // the statement that uses these (lower.c)
  Vars uses;
  int ordered;          // writes met so far whose order matters
  ImpVars maps;         // counters of the loops around that need no order, unless writes want one
  Map *looks;           // core statement -> 1 + its number in out->looks; NULL without --trace-nan
} Lower;

// ---- imp_emit.c
ImpVar var_fresh(Lower *l, const char *base, ImpKind kind, Prim prim);
ImpVar mem_fresh(Lower *l, const char *base, ImpKind kind, Prim prim);
ImpStm *imp_emit(Lower *l, ImpStm stm);
const ImpExp *emit_let(Lower *l, const char *base, const ImpExp *e);  // an atom
const ImpExp *emit_load(Lower *l, const char *base, ImpVar mem, Prim prim, const ImpExp *at);
void emit_store(Lower *l, ImpVar mem, const ImpExp *at, const ImpExp *value);
const ImpExp *emit_memory_left(Lower *l, const ImpExp *most);
const ImpExp *emit_memory_need(Lower *l, const ImpExp *left);
const ImpExp *emit_tuned(Lower *l, const char *name, const ImpExp *otherwise);
ImpVar emit_var(Lower *l, const char *base, const ImpExp *init);
const ImpExp *var_exp(Lower *l, ImpVar v);
const ImpExp *int_exp(Lower *l, int64_t i);
typedef struct {
  ImpBlock *outer, *block;
  int outer_id, lets;
} Open;
Open block_open(Lower *l);
Open branch_open(Lower *l);  // a block that runs at most once when the one around it does
void block_close(Lower *l, Open open);
typedef struct {
  Open open;
  ImpVar var;
  const ImpExp *i, *bound;
  bool parallel;
  ImpVars reds;
  int ordered;
} ForLoop;
ForLoop for_open(Lower *l, const char *base, const ImpExp *bound, bool parallel);
void for_close(Lower *l, ForLoop loop);
void imp_emit_if(Lower *l, const ImpExp *cond, ImpBlock *then, ImpBlock *other);
// Fails with the message unless cond; values are the format's, in order.
int site_new(Lower *l, const char *format);  // at the statement being lowered
void emit_check(Lower *l, const ImpExp *cond, const char *format, ImpExps values);
const ImpExp *exp_in_range(Lower *l, const ImpExp *i, const ImpExp *n);  // 0 <= i < n
const ImpExp *exp_and(Lower *l, const ImpExp *a, const ImpExp *b);
const ImpExp *exp_le(Lower *l, const ImpExp *a, const ImpExp *b);

// ---- trace_nan.c: nothing without --trace-nan
void probe_value(Lower *l, const Stm *stm, int n, const ImpExp *const *args);  // a scalar statement
void probe_enter(Lower *l);
void probe_iteration(Lower *l, const ImpExp *i, bool backwards);
void probe_leave(Lower *l);

// ---- view.c
View view_alloc(Lower *l, const char *base, Type type);           // a fresh dense block
void alloc_view(Lower *l, const View *v);                         // its ALLOC
View view_dense(Lower *l, ImpVar mem, Prim prim, int rank, const ImpExp **dims);
View view_row(Lower *l, const View *v, const ImpExp *i);          // v[i]
View view_slice(Lower *l, const View *v, Slice slice);
View view_reverse(Lower *l, const View *v);                       // of the outermost dimension
bool view_same(const View *a, const View *b);
const ImpExp *view_at(Lower *l, const View *v, int n, const ImpExp *const *at);
const ImpExp *view_count(Lower *l, const View *v);                // elements
const ImpExp **type_dims(Lower *l, Type t);
void copy_view(Lower *l, const View *to, const View *from);
void fill_view(Lower *l, const View *to, const ImpExp *e);
void iota_view(Lower *l, const View *to, Value iota);
View view_make_dense(Lower *l, const View *v);                    // copies if it is not
// A block variable that holds exactly these elements, taken over if nothing else needs it.
ImpVar view_own(Lower *l, const View *v, bool dead);
bool view_movable(Lower *l, const View *v);                       // whole block made in this block
bool view_is_block(Lower *l, const View *v);      // whole, wherever made
ImpVar view_take(Lower *l, const View *v);        // of a whole block: it is empty then

// ---- lower.c
const ImpExp *atom_exp(Lower *l, Atom a);
Value atom_value(Lower *l, Atom a);
View atom_view(Lower *l, Atom a);
void bind(Lower *l, Var v, Value value);
void bind_exp(Lower *l, Var v, const ImpExp *e);
void bind_view(Lower *l, Var v, View view);
const char *var_base(Lower *l, Var v);
View dest_view(Lower *l, Var v);                       // where to write v's elements
// Results at their wanted places (where given): array results are copied there if need be.
void lower_body(Lower *l, const Body *body, const View *const *dests, Value *results);
void lower_stm(Lower *l, const Stm *stm);
void store_row(Lower *l, const View *array, const ImpExp *i, Value value);  // array[i] = value
int body_index(const Body *body, const Stm *stm);  // its place among the body's own; -1
View update_place(Lower *l, const Stm *stm);  // the part an update overwrites, checked
bool atom_dead(Lower *l, Atom a);  // this statement is the last to use its block

// ---- copy_elision.c
void elide_copies(Lower *l, const Body *body);               // finds what is made in place
void lower_elided(Lower *l, const Body *body, int at);        // statement `at` of the body

// ---- one function per form: lower_scalar.c, lower_array.c, lower_control.c, lower_soac.c,
//      lower_scatter.c
#define FORM(id, member, ...) void lower_##member(Lower *l, const Stm *stm);
#include "core/form.def"

// ---- loop_state.c: what a loop, reduction or scan carries
typedef struct {
  Var param;
  LoopMode mode;
  bool scalar;
  ImpVar var;      // scalar
  View cur, next;  // arrays
  const View *dest;
  Value value;     // LOOP_SAME
} LoopState;
void state_init(Lower *l, LoopState *s, Var param, Atom init, const View *place);
void state_bind(Lower *l, LoopState *s);
void state_dests(const LoopState *s, int n, const View **dests);
void state_advance(Lower *l, LoopState *s, int n, const Value *results);
Value state_value(Lower *l, const LoopState *s, Type type);
// One element or row of a combinator's input.
void bind_input(Lower *l, Var param, Atom input, const ImpExp *i);
// ---- mem_writes.c: what changes between two loops
typedef struct MemWrites MemWrites;
// Holds as long as no statement that writes is added.
MemWrites *mem_writes_find(Arena *arena, const ImpFn *fn);
// Is mem, or anything there is, written in the loops `first` and `last` or between them?
bool mem_written_between(const MemWrites *w, ImpVar mem, const ImpStm *first, const ImpStm *last);

#endif
