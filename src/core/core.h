// core: the compiler's one intermediate representation.  First order (lambdas only as operands of
// combinators), A-normal form, every variable bound exactly once in the whole program, so that
// substitution cannot capture and a variable's facts are arrays indexed by its id.  Nodes are
// never changed after they are built.  Text form reads back: core_parse(core_print(p)) == p.
// The forms and their meaning: form.def.
#ifndef CORE_H
#define CORE_H
#include "diag/diag.h"
#include "prim/prim.h"

// ---- atoms and types -------------------------------------------------------------------------
typedef struct {
  uint32_t id;  // index into prog->vars; 0 is no variable
} Var;
typedef union {
  Scalar value;
  struct {
    Prim none;  // as a Scalar begins
    bool is_var;
    Var var;
  };
} Atom;
typedef LIST(Atom) Atoms;
typedef LIST(Var) Vars;
typedef LIST(int64_t) Ints;

// An array [dims]prim, a scalar when rank == 0.  An accumulator (is_acc) is a write-only view of
// an array of this type, made by the WITHACC that binds `token` (its lambda's parameter), written
// at its first index_rank dimensions.  `unique` matters on function and loop parameters and
// function results only.
typedef struct {
  Prim prim;
  bool is_acc, unique;
  int rank, index_rank;
  const Atom *dims;  // rank atoms of type i64
  Var token;
} Type;
typedef LIST(Type) Types;

static inline Atom atom_var(Var v) { return (Atom){.is_var = true, .var = v}; }
Atom atom_scalar(Scalar s);
Atom atom_i64(int64_t i);
Atom atom_bool(bool b);
Atom atom_number(Prim p, double x);
static inline bool atom_same(Atom a, Atom b) {
  if (a.is_var != b.is_var) return false;
  return a.is_var ? a.var.id == b.var.id : scalar_same(a.value, b.value);
}
bool atom_is(Atom a, double x);  // a constant numerically equal to x
static inline bool atom_is_var(Atom a, Var v) { return a.is_var && a.var.id == v.id; }

static inline Type type_scalar(Prim p) { return (Type){.prim = p}; }
Type type_array(Arena *arena, Type row, Atom width);              // [width]row
Type type_array_dims(Arena *arena, Type elem, Atoms dims);        // dims ++ elem
Type type_row(Type t);                                            // without its first dimension
Type type_peel(Type t, int n);                                    // without its first n dimensions
bool type_same(Type a, Type b);                                   // ignores unique
bool type_same_shape_rank(Type a, Type b);                        // equal but for the sizes
bool type_is_scalar(Type t);

// ---- expressions -----------------------------------------------------------------------------
typedef struct Lambda Lambda;
typedef struct Stm Stm;
typedef LIST(Stm) Stms;
typedef struct {
  Stms stms;
  Atoms results;
} Body;
struct Lambda {
  Vars params;
  Body body;
  Types rets;  // types of the results; sizes are in scope outside (loops: may be parameters)
};

// A slice has one entry per dimension of the array (UPDATE, INDEX may leave trailing ones out:
// whole rows).
typedef struct {
  bool is_fix;
  Atom start;          // the index when is_fix
  Atom count, stride;  // ranges: elements start, start + stride, .. (stride may be negative)
} SliceDim;
typedef LIST(SliceDim) Slice;
bool slice_same(const Slice *a, const Slice *b);

typedef struct {
  Lambda *op;  // (k operands, k operands) -> k results; WITHACC: scalars, NULL for overwriting
  Atoms neutral;
  bool comm;
  bool exclusive;  // of a scan: what comes before each element
} Operator;
typedef LIST(Operator) Operators;

typedef struct {
  bool any;     // matches everything
  Scalar lit;
} CasePat;
typedef struct {
  LIST(CasePat) pats;  // one per scrutinee; empty in the last case
  Body body;
} Case;
typedef LIST(Case) Cases;

typedef struct {
  Prim prim;
  int64_t len;
  const Scalar *at;
} Data;
typedef struct Fn Fn;

typedef enum {
#define FORM(id, ...) FORM_##id,
#include "form.def"
  FORM_COUNT
} Form;

typedef struct {
  Form form;
  union {
#define ATOM(f) Atom f;
#define ATOMS(f) Atoms f;
#define LAMBDA(f) Lambda *f;
#define OPERATORS(f) Operators f;
#define SLICE(f) Slice f;
#define CASES(f) Cases f;
#define OP(f) Op f;
#define PRIM(f) Prim f;
#define INT(f) int64_t f;
#define INTS(f) Ints f;
#define FLAG(f) bool f;
#define STRING(f) const char *f;
#define FN(f) const char *f; /* the function's name */
#define DATA(f) Data f;
#define FORM(id, member, keyword, fields) struct member##_form { fields } member;
#include "form.def"
  };
} Exp;

typedef enum {
  FIELD_END, FIELD_ATOM, FIELD_ATOMS, FIELD_LAMBDA, FIELD_OPERATORS, FIELD_SLICE, FIELD_CASES,
  FIELD_OP, FIELD_PRIM, FIELD_INT, FIELD_INTS, FIELD_FLAG, FIELD_STRING, FIELD_FN, FIELD_DATA
} FieldKind;
typedef struct {
  FieldKind kind;
  size_t offset;  // within the Exp
  const char *name;
} Field;
typedef struct {
  const char *keyword;
  const Field *fields;  // ends with FIELD_END
} FormInfo;
extern const FormInfo form_info[FORM_COUNT];
extern const bool form_has_bodies[FORM_COUNT];  // lambdas, operators or branches

// ---- statements, functions, programs ---------------------------------------------------------
// Where a statement comes from: its own position, then the call sites it was inlined through.
typedef struct Loc {
  Span span;
  const struct Loc *caller;
} Loc;
void loc_print(Text *out, const Loc *loc);  // a backtrace; of the library's code only if all is
// Hints and promises written as source attributes; 0 / false where absent.
typedef struct {
  bool sequential, unroll, noinline_, unchecked, true_dep, opaque;
  bool warn_checks;  // say so if a test that may fail is left here: #[warn(safety_checks)]
  bool reversed;  // a loop: made by reverse mode, runs the iterations of another backwards
  bool low_peak;   // a loop: memory counts more than the time to allocate it
  bool chunked;   // a loop: what it does with a block it does with all of an array, block by block
  bool disjoint;  // an update of an accumulator that overwrites, a scatter: no two meet
  bool exact;     // a with_vjp: its rule is the derivative, which may be had otherwise, too
  // A product: bit k says that operand k is a derivative.  Where that is a zero that stands in the
  // program, or was put there for a direction that does not move it, the product may be 0 whatever
  // the other operand is (doc/strategies.md).
  uint8_t linear;
  uint8_t strategy;  // a jvp or vjp: a Strategy; 0: the program's
  int stripmine, bound;
  // Loops in reverse mode (doc/ad.md 4.12): at most so many states are stored; 0: all, -1: about
  // log2 of the trips.  Or so many bytes of them.  Or a share of what the memory limit of the run
  // leaves: one part in memory_fraction.
  int checkpoint, memory_fraction;
  int64_t memory_limit;
} Attrs;
struct Stm {
  Vars bound;  // their types are in prog->vars
  Exp exp;
  Attrs attrs;  // attrs.unchecked: bounds and divisors are known good, test nothing
  const Loc *loc;
};

typedef struct {
  const char *base;  // user's name or the builder's hint; not unique
  Type type;
} VarInfo;

// How an entry point's parameters and results look from outside.  A tree over the flat list of
// core parameters: leaves in order.
typedef enum { ABI_SCALAR, ABI_ARRAY, ABI_RECORD, ABI_SUM, ABI_OPAQUE_ARRAY } AbiKind;
typedef struct AbiType {
  AbiKind kind;
  const char *name;  // as shown to users: "[]f64", "(f64, f64)", or an opaque's own name
  bool is_tuple;     // ABI_RECORD with numeric fields
  Prim prim;         // ABI_SCALAR, ABI_ARRAY
  int rank;          // ABI_ARRAY, ABI_OPAQUE_ARRAY
  int leaves;        // how many core values it spans
  LIST(const char *) field_names;          // ABI_RECORD; ABI_SUM: constructors
  LIST(const struct AbiType *) fields;     // ABI_RECORD; ABI_OPAQUE_ARRAY: one, its element
  LIST(LIST(const struct AbiType *)) payloads;  // ABI_SUM, per constructor
  LIST(LIST(int)) slots;                   // ABI_SUM: leaf index of each payload leaf
} AbiType;
typedef struct {
  const char *name;
  const AbiType *type;
  bool unique;
} AbiParam;
typedef struct {
  const char *name;
  const char *doc;
  LIST(AbiParam) params;
  AbiParam result;  // existential sizes come first among the core results
  int sizes;        // how many of the core results are such sizes
  int size_params;  // how many leading core parameters are sizes read from array arguments
} EntryInfo;

struct Fn {
  const char *name;   // unique in the program
  Vars params;        // .unique in their types: consumed
  Vars results;       // names of the results: types may mention params and earlier results
  Body body;
  const EntryInfo *entry;  // NULL: not an entry point
  const Loc *loc;
  Attrs attrs;
};

// A remark of a pass about a decision, for `dagaz explain`.
typedef struct {
  const Loc *loc;
  const char *kind, *text;  // kind: "stored", "recomputed"
} Note;

// ---- switches.c: optimisations that can be left out (switch.def)
typedef enum {
#define SWITCH(id, name, former, help) SWITCH_##id,
#include "switch.def"
#undef SWITCH
  SWITCH_COUNT
} Switch;
typedef struct {
  const char *name, *former, *help;  // former: accepted as well, NULL: none
} SwitchInfo;
extern const SwitchInfo switch_info[SWITCH_COUNT];
typedef struct {
  uint64_t off, asked;  // bits; asked: where the optimisation applied
  int strategy;         // of derivatives that name none; 0: the default
  // The strategy is only tried: where it refuses, it leaves in silence and says why here.
  bool trial;
  const char *why;
  Diag *diag;           // where passes report what they refuse; NULL: a new one
} Switches;

// ---- switches.c: ways to a derivative (strategy.def), numbered from 1
typedef enum {
  STRATEGY_NONE,
#define STRATEGY(id, name, help) STRATEGY_##id,
#include "syntax/strategy.def"
#undef STRATEGY
  STRATEGY_END
} StrategyId;
typedef struct {
  const char *name, *help;
} StrategyInfo;
extern const StrategyInfo strategy_info[STRATEGY_END];  // [0] unused
int strategy_named(const char *name);                   // 0: there is none
// What programs are made for: the one place with numbers of a machine that passes go by.  The
// width of vectors in the generated C is the C compiler's (DZ_W of rts/vec.h).
// From GPU_HOST on: kernels on a device; of the first, the device is an emulation on the host.
typedef enum { TARGET_ONE, TARGET_CORES, TARGET_GPU_HOST, TARGET_OPENCL, TARGET_CUDA } TargetKind;
typedef struct {
  TargetKind kind;
  int lanes;       // f64 in a vector
  int most_lanes;  // of the widest vectors there are
  int strip;       // the fewest iterations that are worth a strip (imp/vector/outer_vec.c)
  int cached_rows;        // rows whose strip of columns stays in the first cache
  int frame, frame_array; // bytes of arrays on the stack: of a function, of one array
  int frame_strip;        // of one array that has a copy per lane
  bool any_order;         // devices add floats to places that data decide in any order
} Target;

// TUNED parameters that are the compiler's: what a block of a loop costs in plain operations, how
// many threads a loop may use.
#define TUNED_BLOCK "#block"
#define TUNED_THREADS "#threads"

// AD_FREE: no JVP, VJP, WITHVJP left; IMP: an imperative program (imp.h), no core any more
typedef enum { LEVEL_SOAC, LEVEL_AD_FREE, LEVEL_IMP } Level;
typedef struct Prog {
  Arena *arena;
  Level level;
  LIST(VarInfo) vars;  // [0] unused
  Stms constants;      // evaluated once before any entry point; in scope everywhere
  LIST(Fn *) fns;
  struct FnTable *by_name;  // prog_fn's
  Names *names;        // base names of variables
  LIST(Note) notes;    // of the pass that made it
  Switches *switches;  // the session's; NULL: all on
  const Target *target;  // the session's; NULL: one core
  // elaboration's: assertions and sizes that opt/passes/resolve_asserts.c checks
  bool pending;
  bool at_fixpoint;    // opt's simplify has nothing left to do
  bool changed;        // the last pass did something: said by passes that pipelines repeat
  bool owned;          // nothing else reads it: opt's passes change it instead of a copy
  bool one_case;       // opt's onehot found something: it may again, though no index is compared
  int vars_made;       // variables and bytes when it was made, all of them live
  size_t bytes_made;
} Prog;
// The strategy that a jvp or vjp names, or else the session; STRATEGY_NONE: neither.
int strategy_asked(const Prog *prog, const Stm *stm);
// entry.c
const Fn *entry_find(const Prog *prog, const char *name);  // NULL: there is none
// For a message that there is none: "there is no such entry point; there are f, g".
const char *entry_missing(Arena *arena, const Prog *prog);
// The entry point a command means: the name, where given; main; the only one there is.
const char *entry_chosen(const Prog *prog, const char *name);
// An entry point as seen from outside when only its core types are known.
const EntryInfo *entry_info_plain(const Prog *prog, const Fn *fn, const char *name);
// Where it is known how many parameters are read from arrays: (n: i64) (xs: [n]f64) is given n,
// too.
const EntryInfo *entry_info_sized(const Prog *prog, const Fn *fn, const char *name,
                                  int size_params);
TargetKind prog_target(const Prog *prog);
bool prog_on_device(const Prog *prog);
Target target_of(TargetKind kind);
const Target *prog_machine(const Prog *prog);  // prog may be NULL: one core
bool prog_may(const Prog *prog, Switch s);  // asked last: the optimisation applies here
Prog *prog_new(Arena *arena);
Fn *prog_fn(const Prog *prog, const char *name);  // NULL when absent
bool fn_name_is_reserved(const char *name);  // for functions of ad/loops/schedule.ir
void vars_reserve(Prog *prog, int n);  // room for n in all
Var var_new(Prog *prog, const char *base, Type type);
bool name_is_default(const char *base);  // one that builders give, after an operation or a form
Note note_copy(Arena *arena, Note note);  // with its place and text
void prog_note(Prog *prog, const Loc *loc, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
const char *type_text(const Prog *prog, Arena *arena, Type t);  // "[n][3]f64", sizes by base name
static inline const VarInfo *var_info(const Prog *prog, Var v) {
  check(v.id > 0 && v.id < (uint32_t)prog->vars.len);
  return &prog->vars.at[v.id];
}
static inline Type var_type(const Prog *prog, Var v) { return var_info(prog, v)->type; }
static inline Type atom_type(const Prog *prog, Atom a) {
  return a.is_var ? var_type(prog, a.var) : type_scalar(a.value.prim);
}

// ---- build.c: appending statements.  Builders fold constants and trivial identities. ----------
typedef struct {
  Prog *prog;
  Stms *stms;      // where statements go
  const Loc *loc;  // given to every statement built
  Attrs attrs;
} Builder;
Builder builder_new(Prog *prog, Stms *stms);
// Appends the statement with fresh variables of the given types; NULL hint: named by the form.
Atom build(Builder *b, const char *hint, Type type, Exp exp);
Vars build_many(Builder *b, const char *hint, Types types, Exp exp);
void build_stm(Builder *b, Stm stm);  // as it is
Atom build_op(Builder *b, Op op, Atom x, Atom y);      // operand type from the operands;
// Whether x op y is an atom by itself: units and equal operands.
bool fold_op(Op op, Prim p, Atom x, Atom y, Atom *out);
Atom build_op1(Builder *b, Op op, Atom x);             // folds constants, 0 + x, 1 * x (not 0 * x
Atom build_op3(Builder *b, Op op, Atom x, Atom y, Atom z);  // for floats)
Atom build_select(Builder *b, Atom c, Atom x, Atom y);
Atom build_conv(Builder *b, Prim to, Atom x);
Atom build_term(Builder *b, const Term *term, Prim p, const Atom *args, Atom result);
Atom build_index(Builder *b, Atom array, Atoms at);    // fixes leading dimensions; unchecked
Atom build_update(Builder *b, Atom array, Atoms at, Atom value);  // likewise
Atom build_copy(Builder *b, Atom array);
Atom build_replicate(Builder *b, Atoms dims, Atom value);
Atom build_zero(Builder *b, Type type);                // zeros of a scalar or array type
Atom build_iota(Builder *b, Atom n);                   // i64
Atom build_rearrange(Builder *b, Atom array, const int *perm);
Atom build_add(Builder *b, Atom x, Atom y);            // elementwise (+) at any type: map nest
// One-parameter-list lambda: opens a fresh body; between begin and end build into *inner.
typedef struct {
  Lambda *lambda;
  Builder inner;
} LambdaBuilder;
LambdaBuilder lambda_begin(Builder *b, const char *hint, Types params);
Lambda *lambda_end(LambdaBuilder *lb, Atoms results);  // rets from the results' types
Lambda *lambda_identity(Prog *prog, Types types);
Lambda *lambda_binop(Prog *prog, Op op, Prim p);       // \x y -> op x y
bool lambda_is_op(const Lambda *fn, Op *op, Prim *p);  // exactly \x y -> op x y (either order
                                                       // of operands if op is commutative)
bool lambda_is_identity(const Lambda *fn);
// Pure list helpers: fresh lists in the arena.
Atoms atoms_of(Arena *arena, int n, const Atom *at);
Atoms atoms_concat(Arena *arena, Atoms a, Atoms b);
Atoms atoms_of_vars(Arena *arena, Vars vars);
Atoms atoms_slice(Atoms a, int from, int len);         // shares
Types types_of_vars(const Prog *prog, Vars vars);      // in prog->arena
Types types_of_atoms(const Prog *prog, Atoms atoms);

// ---- rewrite.c: copying with changes.  `from` may equal the program built into. ----------------
// Every bound variable is renamed.  A pass puts Rewrite first in its own struct, sets `stm` to its
// handler for statements (called for nested bodies too) and calls rewrite_stm for "copy".
typedef struct Rewrite {
  const Prog *from;
  Builder to;
  Atom *subst;       // indexed by old Var id; a zero Atom where none: the variable stays itself
                     // when from == to.prog, and is an ice otherwise
  bool *has_subst;
  int cap;
  void (*stm)(struct Rewrite *w, const Stm *stm);  // NULL: rewrite_stm
  Map *sparse;       // used instead of subst when from == to.prog: go through rewrite_bind/_atom
  Map *copied;       // text and positions already copied into to.prog; NULL: shared
  const Loc *last_loc, *last_copy;  // the position copied last
} Rewrite;
Rewrite rewrite_new(const Prog *from, Builder to);
void rewrite_bind(Rewrite *w, Var old, Atom atom);
Atom rewrite_atom(Rewrite *w, Atom a);
Atoms rewrite_atoms(Rewrite *w, Atoms atoms);
Type rewrite_type(Rewrite *w, Type t);
Types rewrite_types(Rewrite *w, Types types);
Var rewrite_var(Rewrite *w, Var old);             // fresh variable for a binding occurrence
Exp rewrite_exp(Rewrite *w, const Exp *exp);      // operands and nested bodies
void rewrite_stm(Rewrite *w, const Stm *stm);     // appends the copy to w->to
void rewrite_stms(Rewrite *w, Stms stms);         // through w->stm, appended to w->to
Body rewrite_body(Rewrite *w, const Body *body);  // into its own body
Lambda *rewrite_lambda(Rewrite *w, const Lambda *fn);
Fn *rewrite_fn(Rewrite *w, const Fn *fn);
// A whole program in a new arena, statement by statement through `stm`; state: the pass's struct.
Prog *rewrite_prog(const Prog *prog, Arena *arena, Rewrite *w);
Lambda *lambda_copy(Builder *b, const Lambda *fn);                // fresh names, same program
Atoms lambda_inline(Builder *b, const Lambda *fn, Atoms args);    // its body here; the results
Atoms body_inline(Builder *b, const Prog *from, const Body *body, Vars params, Atoms args);

// ---- cycles.c: recursion -----------------------------------------------------------------------
typedef struct Cycles Cycles;
Cycles *cycles_find(const Prog *prog, Arena *arena);
bool cycles_any(const Cycles *c);  // some function may call itself
// Whether caller, which calls callee, may be called by it.
bool cycles_join(const Cycles *c, const Fn *caller, const Fn *callee);

// ---- facts.c: questions about terms ------------------------------------------------------------
void exp_each_atom(const Exp *exp, void (*f)(void *state, Atom atom), void *state);  // operands of
                   // the form itself, not those inside lambdas and branches
void exp_each_body(const Exp *exp, void (*f)(void *state, const Body *body, const Vars *params),
                   void *state);
// Whether `is` holds for a statement of the body, of what stands inside the form, of the program;
// bodies inside those too.
bool body_has(const Body *body, bool (*is)(const Exp *exp));
bool exp_has(const Exp *exp, bool (*is)(const Exp *exp));
bool prog_has(const Prog *prog, bool (*is)(const Exp *exp));
const bool *prog_mentions(const Prog *prog, Arena *arena);  // by variable; in types, too
Vars exp_free(const Prog *prog, Arena *arena, const Exp *exp);    // incl. sizes in types of inner
Vars lambda_free(const Prog *prog, Arena *arena, const Lambda *fn);  // bindings; in first-use order
Vars body_free(const Prog *prog, Arena *arena, const Body *body);
// The same of a program whose bodies stay as they are: each of them is walked once.
typedef struct FreeVars FreeVars;
FreeVars *free_vars_new(const Prog *prog, Arena *arena);
Vars free_vars_of_exp(FreeVars *f, const Exp *exp);
Vars free_vars_of_lambda(FreeVars *f, const Lambda *fn);
bool vars_have(Vars vars, Var v);
Vars free_vars_of_body(FreeVars *f, const Body *body);  // whose parameters may still go
Atoms exp_consumes(const Prog *prog, Arena *arena, const Exp *exp);
bool prim_may_fail(const struct prim_form *e);  // with its second operand, where that is known
bool exp_is_total(const Prog *prog, const Stm *stm);   // cannot fail, may run speculatively
// the same, if variable v is one of 0 to below[v.id] - 1, where that is a variable
bool exp_is_total_below(const Prog *prog, const Stm *stm, const Atom *below);
// cannot fail where it stands, prints nothing
bool body_succeeds(const Prog *prog, const Body *body);
bool stm_makes_float(const Prog *prog, const Stm *stm);  // by a scalar operation
bool exp_has_effect(const Exp *exp);                   // ASSERT, TRACE, or a body with one
// aliases[v.id]: the variables v may share memory with (itself included), as bitset rows or lists.
typedef struct Aliases Aliases;
Aliases *aliases_compute(const Prog *prog, Arena *arena);
Vars aliases_of(const Aliases *aliases, Var v);
Vars aliases_roots(const Aliases *aliases, Var v);  // what brought its memory into being
// For each result of the body, which needs not be in the program yet: the variables outside of it
// whose memory that may be.
Vars *body_shares(const Prog *prog, Arena *arena, const Body *body);

// ---- typing.c: the type rules, one function per form -------------------------------------------
// Types of the results of a form as far as its operands determine them (existential sizes of
// MATCH, LOOP, APPLY come from the bound variables).
Types exp_types(Prog *prog, const Exp *exp);

// ---- verify.c: checks our own programs; shows the program, names pass and statement, then ice. --
void core_verify(const Prog *prog, const char *pass);
// The same, but returns a description of the fault (in arena) or NULL; for must-fail tests.
const char *core_fault(const Prog *prog, Arena *arena);

// ---- print.c, parse.c --------------------------------------------------------------------------
void core_print(Text *out, const Prog *prog);
void lambda_print(Text *out, const Prog *prog, const Lambda *fn);
void core_print_atom(Text *out, const Prog *prog, Atom a);
void core_print_type(Text *out, const Prog *prog, Type t);
void core_print_exp(Text *out, const Prog *prog, const Exp *exp, int depth);
Prog *core_parse(Arena *arena, const Source *src, Diag *diag);  // NULL after errors
#endif
