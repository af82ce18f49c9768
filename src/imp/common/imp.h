// imp: the structured imperative IR that every back end shares, and its making from core.
// Functions hold scalars (bound once, or `var`), memory variables, loops, branches, checks.
// The statements: imp.def.  A function returns 0 or an error code, its results through
// out-parameters; a failing check leaves the function and frees its blocks.
#ifndef IMP_H
#define IMP_H
#include "core/core.h"
#include "mem/mem.h"

typedef struct {
  uint32_t id;  // index into fn->vars; 0 is no variable
} ImpVar;
typedef LIST(ImpVar) ImpVars;

// ---- expressions: pure, without loads ---------------------------------------------------------
typedef enum { IMP_CONST, IMP_VAR, IMP_OP, IMP_CONV } ImpExpKind;
typedef struct ImpExp {
  ImpExpKind kind;
  Prim prim;  // of the value
  Prim from;  // IMP_OP, IMP_CONV: operand type
  Op op;
  bool index;  // i64 address arithmetic: never overflows
  Scalar value;
  ImpVar var;
  const struct ImpExp *args[3];
} ImpExp;
typedef LIST(const ImpExp *) ImpExps;

// ---- statements -------------------------------------------------------------------------------
typedef struct ImpStm ImpStm;
typedef LIST(ImpStm *) ImpBlock;

typedef enum {
#define STM(id, ...) IMP_STM_##id,
#include "imp.def"
  IMP_STM_COUNT
} ImpForm;

struct ImpStm {
  ImpForm form;
  union {
#define DEF(f) ImpVar f;
#define USE(f) ImpVar f;
#define USES(f) ImpVars f;
#define MEM(f) ImpVar f;
#define EXP(f) const ImpExp *f;
#define EXPS(f) ImpExps f;
#define MEMS(f) ImpVars f;
#define BLOCK(f) ImpBlock *f;
#define INT(f) int64_t f;
#define OPER(f) int64_t f;
#define FLAG(f) bool f;
#define STRING(f) const char *f;
#define STM(id, member, keyword, fields) \
  struct imp_##member {                  \
    fields                               \
  } member;
#include "imp.def"
  };
};

typedef enum {
  IMP_FIELD_END,
  IMP_FIELD_DEF,
  IMP_FIELD_USE,
  IMP_FIELD_USES,
  IMP_FIELD_MEM,
  IMP_FIELD_EXP,
  IMP_FIELD_EXPS,
  IMP_FIELD_MEMS,
  IMP_FIELD_BLOCK,
  IMP_FIELD_INT,
  IMP_FIELD_OPER,
  IMP_FIELD_FLAG,
  IMP_FIELD_STRING
} ImpFieldKind;
typedef struct {
  ImpFieldKind kind;
  size_t offset;
  const char *name;
} ImpField;
typedef struct {
  const char *keyword;
  const ImpField *fields;
} ImpFormInfo;
extern const ImpFormInfo imp_form_info[IMP_STM_COUNT];

// ---- variables, functions, programs -----------------------------------------------------------
typedef enum {
  IMP_LET,  // scalar bound once (also loop counters, scalar parameters, loads)
  IMP_MUT,  // scalar that may be set
  IMP_BLOCK,  // memory: owns a block of the pool
  IMP_STACK,  // memory: `count` elements in the C frame
  IMP_PTR,  // memory: borrowed parameter, read only
  IMP_REF,  // memory: borrowed parameter that is updated in place
  IMP_DATA,  // memory: constant data of the program, `data`
  IMP_GLOBAL,  // scalar or memory: constant of the program, slot `global`
} ImpKind;
typedef struct {
  const char *base;
  ImpKind kind;
  Prim prim;  // scalar's type or memory's element type
  const ImpExp *def;  // IMP_LET bound by LET: its value
  const ImpExp *bound;  // loop counters: 0 <= var < bound
  int64_t count;
  const Data *data;
  int global;
  bool is_mem;
  int expanded;  // memory: one copy per lane of the strip loop it is private to; vectors
  Op red_op;  // IMP_MUT reduced by a loop, copies of CHUNKS: the operator
  const ImpExp *cells;  // memory that is only updated by an accumulator or histogram: its elements
  const Loc *loc;  // loop counters: the loop's place in the source
  bool low_peak;  // loop counters: what the loop's body allocates stays inside
  ImpVars rows;  // loop counters: memory that an iteration updates, each another part
  ImpVar home;  // IMP_BLOCK: counter of the parallel loop that hoist-allocs moved its ALLOC out of
  bool moved;  // IMP_BLOCK: gives its block away (or takes one): allocations stay put
} ImpVarInfo;

typedef struct {
  const char *name;
  LIST(ImpVarInfo) vars;  // [0] unused
  ImpVars params;  // one per core parameter: scalars, IMP_PTR, IMP_REF, IMP_BLOCK (moved in)
  LIST(Prim) result_prims;
  LIST(bool) result_is_mem;
  LIST(int) result_in;  // 1 + the parameter (IMP_REF) that holds the result; 0: it is handed over
  ImpBlock *body;
  const Fn *core;  // NULL: the function that computes the constants
} ImpFn;
typedef struct {
  const char *format, *where;
} ImpSite;
typedef struct {
  const char *base;
  Prim prim;
  bool is_mem;
} ImpGlobal;
// An outermost parallel loop, for `dagaz explain`.
typedef struct {
  const Loc *loc;
  const char *text;  // "in chunks", "in blocks", or why not
  bool runs;
} ImpParallel;
typedef LIST(ImpParallel) ImpParallels;
// A loop whose time a profile shows.
typedef struct {
  const char *place, *form;  // "f.fut:3:5-9", "loop"
} ImpRegion;
typedef struct {
  Arena *arena;
  const Prog *core;
  ImpParallels parallels;  // of the pass chunks
  LIST(ImpFn *) fns;  // the first one is the constants' when there are any
  LIST(ImpSite) sites;
  LIST(ImpRegion) regions;
  LIST(const char *) params;  // names of the tuning parameters
  LIST(ImpGlobal) globals;  // arrays are blocks
  bool has_init;
  bool recursive;  // some function may call itself
  bool trace_nan;
  bool interruptible;  // long loops ask whether to stop, and say how far they are
  LIST(const Stm *) looks;  // what LOOK statements look at, in core
} ImpProg;

// TUNED: no parameters of the run, but DZ_BLOCK_COST, threads for a loop, DZ_W, DZ_SPREAD.
enum { IMP_TUNED_BLOCK = -1, IMP_TUNED_THREADS = -2, IMP_TUNED_LANES = -3, IMP_TUNED_SPREAD = -4 };

// TRANSFER.  To read: on the host, too.  To write: on the host alone.  Undefined: nowhere needs the
// contents, as the block is new.
enum { IMP_TO_READ, IMP_TO_WRITE, IMP_UNDEFINED };

// ---- exp.c: builders fold ---------------------------------------------------------------------
const ImpExp *imp_const(Arena *arena, Scalar value);
const ImpExp *imp_i64(Arena *arena, int64_t i);
const ImpExp *imp_var(Arena *arena, const ImpFn *fn, ImpVar var);
const ImpExp *imp_op(Arena *arena, Op op, Prim prim, const ImpExp *a, const ImpExp *b,
                     const ImpExp *c);
const ImpExp *imp_conv(Arena *arena, Prim to, const ImpExp *a);
// Address arithmetic on i64.
const ImpExp *imp_add(Arena *arena, const ImpExp *a, const ImpExp *b);
const ImpExp *imp_sub(Arena *arena, const ImpExp *a, const ImpExp *b);
const ImpExp *imp_mul(Arena *arena, const ImpExp *a, const ImpExp *b);
bool imp_exp_same(const ImpExp *a, const ImpExp *b);
bool imp_is_int(const ImpExp *e, int64_t i);  // the integer constant i
bool imp_is_atom(const ImpExp *e);
int imp_exp_size(const ImpExp *e, int limit);
OpWork imp_exp_work(const ImpExp *e);  // the sum over its operations; conversions are additions
// e with variables replaced by map[id] where not NULL.
const ImpExp *imp_exp_subst(Arena *arena, const ImpExp *e, const ImpExp *const *map);
// e with definitions in place of variables that do not stay, at most 6 deep; NULL: one has none.
const ImpExp *imp_exp_expand(Arena *arena, const ImpFn *fn, const ImpExp *e,
                             bool (*stays)(void *state, ImpVar v), void *state);

// ---- strides.c
typedef struct {
  const struct imp_for_ *loop;
  LIST(int) inside;  // by variable: `stamp` where the loop binds or sets it
  int stamp;
} ImpMarks;
enum { IMP_MARKED = 4 };  // two nests of two loops, compared
typedef struct {
  Arena *arena;
  const ImpFn *fn;
  ImpMarks marks[IMP_MARKED], *now;
  int oldest;
} ImpStrides;
// The coefficient of the loop's counter in e, through definitions; NULL: e is not affine in it.
const ImpExp *imp_exp_stride(ImpStrides *s, const ImpExp *e, const struct imp_for_ *loop);
void imp_strides_forget(ImpStrides *s);  // after changing a loop
void imp_strides_bind(ImpStrides *s, ImpVar v, ImpVar beside);  // v is new, in beside's block

// ---- operands.c: statements by their descriptors ----------------------------------------------
void imp_each_exp(const ImpStm *stm, void (*f)(void *state, const ImpExp *e), void *state);
void imp_each_mem(const ImpStm *stm, void (*f)(void *state, ImpVar mem), void *state);
void imp_each_block(const ImpStm *stm, void (*f)(void *state, ImpBlock *block), void *state);
void imp_each_var(const ImpExp *e, void (*f)(void *state, ImpVar var), void *state);
ImpVar *imp_stm_def(ImpStm *stm);  // the variable it binds, NULL: none
ImpFn *imp_callee(const ImpProg *prog, const struct imp_call *call);  // NULL: not known
bool imp_mem_writes(const ImpStm *stm, ImpVar mem);  // this very statement, not nested ones

// ---- clone.c
ImpStm *imp_stm_clone(Arena *arena, ImpFn *fn, const ImpStm *stm);  // with new names
// Scalars and memory in place of others: by the map, in the statement without its blocks; `to` in
// place of `from`, which the block does not bind.
void imp_stm_rename(Arena *arena, const ImpExp **map, ImpStm *stm);
void imp_block_rename(Arena *arena, ImpFn *fn, ImpBlock *block, ImpVar from, ImpVar to);

// ---- lane_analysis.c: a vector of a parallel loop's iterations, one a SIMD lane
typedef enum {
  LANE_UNIFORM,  // the same in all lanes
  LANE_AFFINE,  // i64: grows by `slope` from lane to lane
  LANE_VARYING,
} LaneClass;
typedef struct {
  LaneClass cls;  // scalars
  const ImpExp *slope;  // LANE_AFFINE
  bool inside, top;  // bound in the loop's body; directly in it
  bool own;  // memory: each lane has its own
} ImpLane;
typedef struct {
  const ImpStm *loop;
  Map *vars;  // variable -> ImpLane: those of the loop, few of the function's
} ImpLanes;
// NULL where the loop cannot run that way.
ImpLanes *imp_lanes(Arena *arena, const ImpFn *fn, const ImpStm *loop, const ImpVars *own);
const ImpLane *imp_lane(const ImpLanes *lanes, ImpVar v);  // all zero for what the loop has not
LaneClass imp_exp_lanes(Arena *arena, const ImpLanes *lanes, const ImpExp *e, const ImpExp **slope);

// ---- strip_rest.c: loops that outer-vec has made strips
typedef struct {
  int stms;      // statements
  bool differs;  // a check does, between lanes
  bool walks;    // neighbouring elements are read or written again and again
  bool folds;    // all lanes add to one place, in a loop that is vector code as scalar code's
  int strides;   // accesses with a constant stride
} ImpLook;
// The remainder of a loop after its full strips.
typedef enum { REST_SCALAR, REST_PART, REST_VECTORS } ImpRest;
typedef struct {
  int vectors;  // of the widest strip; 0: there is none
  bool simd;
} ImpWidth;
ImpLanes *imp_strip_lanes(Arena *arena, const ImpFn *fn, const struct imp_for_ *loop);
ImpLook imp_look(Arena *arena, const ImpLanes *lanes, ImpBlock *body);
ImpRest imp_rest(const ImpLook *look, int parts, bool inside);  // inside: of other loops
ImpWidth imp_width(ImpBlock *body);
int imp_block_unit(ImpBlock *body);  // blocks of sums are multiples of it

// ---- lower.c ----------------------------------------------------------------------------------
ImpProg *imp_lower(const Prog *prog, Arena *arena, bool trace_nan);

// ---- passes, in this order; each changes the function in place --------------------------------
void imp_pass_dead_stores(ImpProg *prog, ImpFn *fn);  // blocks that nothing reads
void imp_pass_contract(ImpProg *prog, ImpFn *fn);  // arrays computed where they are read
void imp_pass_fuse(ImpProg *prog, ImpFn *fn);  // scans with the loops that read their results
void imp_pass_interchange(ImpProg *prog, ImpFn *fn);  // interchange, updates to reductions
void imp_pass_checks(ImpProg *prog, ImpFn *fn);  // what was tested before is not tested again
void imp_pass_split(ImpProg *prog, ImpFn *fn);  // conditions at the ends of loops
void imp_pass_device_calls(ImpProg *prog, ImpFn *fn);  // loops that would be kernels lose calls
// Outermost parallel loops become CHUNKS; says in prog->parallels what became of each.
void imp_pass_chunks(ImpProg *prog, ImpFn *fn);
void imp_pass_device_sums(ImpProg *prog, ImpFn *fn);  // CHUNKS that sum floats become kernels
void imp_pass_transfers(ImpProg *prog, ImpFn *fn);  // between host and device
void imp_pass_regions(ImpProg *prog, ImpFn *fn);  // what a profile measures; the last pass
void imp_pass_hoist(ImpProg *prog, ImpFn *fn);  // invariant allocations leave loops
void imp_pass_stack(ImpProg *prog, ImpFn *fn);  // small constant blocks move to the frame
void imp_pass_free(ImpProg *prog, ImpFn *fn);  // frees after last uses
void imp_pass_memory_need(ImpProg *prog, ImpFn *fn);  // memory_need becomes an expression
void imp_pass_inner_vec(ImpProg *prog, ImpFn *fn);  // marks loops that run as vector code
void imp_pass_outer_vec(ImpProg *prog, ImpFn *fn);  // chooses strip loops, after hoist
void imp_pass_jam(ImpProg *prog, ImpFn *fn);  // several iterations of a loop at once, after it
void imp_pass_panels(ImpProg *prog, ImpFn *fn);  // columns that many rows read become adjacent

// ---- print.c, parse.c, verify.c ---------------------------------------------------------------
ImpProg *imp_parse(Arena *arena, const Source *src, Diag *diag);  // NULL: reported
const char *imp_kind_name(ImpKind kind);
// NULL, or what the first statement that breaks a rule of verify.c does.
const char *imp_fault(const ImpProg *prog, Arena *arena);
void imp_print(Text *out, const ImpProg *prog);
void imp_verify(const ImpProg *prog, const char *pass);
#endif
