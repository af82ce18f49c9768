// Shared by the files of elab/ only.  See Note [Elaboration] in exp.c.
#ifndef ELAB_LOCAL_H
#define ELAB_LOCAL_H
#include "elab.h"

typedef struct Sem Sem;
typedef struct Val Val;
typedef struct Env Env;
typedef struct Code Code;
typedef struct ModVal ModVal;
typedef struct Shared Shared;
typedef struct Scope Scope;

// ---- semantic types: what shape of values a type has, after all names are looked up ---------
typedef enum { SEM_PRIM, SEM_ARRAY, SEM_ACC, SEM_RECORD, SEM_SUM, SEM_FUN } SemTag;
// One core value: a scalar or an array of `rank` dimensions.  dims are hints: sizes the type
// mentions, a blank atom where it does not.
typedef struct {
  Prim prim;
  int rank;
  bool is_acc;
  const Atom *dims;
  bool is_tag;  // says which constructor
} Leaf;
typedef LIST(Leaf) Leaves;
typedef struct {
  Name name;
  int len;                 // payload
  const Sem **payload;
  Ints slots;              // leaf index (in the sum) of each payload leaf
} SemCon;
struct Sem {
  SemTag tag;
  Prim prim;
  const Sem *elem;         // ARRAY; ACC: its array
  Atom dim;                // ARRAY: hint, may be blank
  int len;                 // RECORD: fields, canonical order;  SUM: constructors, by name
  const Name *names;       // RECORD
  const Sem **fields;      // RECORD
  const SemCon *cons;      // SUM
  Leaves leaves;           // SUM: the tag when len > 1, then the slots
};

// ---- values ---------------------------------------------------------------------------------
typedef enum {
  VAL_ATOM,    // scalar
  VAL_ARRAY,   // structure of arrays: one core array per leaf of the element
  VAL_ACC,     // accumulators, one per leaf of the element
  VAL_RECORD,
  VAL_CON,     // known constructor
  VAL_SUM,     // unknown constructor: tag and slots
  VAL_FUN,     // closure
  VAL_PRIM,    // intrinsic
  VAL_FLIP,    // (op e): applied to x gives op x e
  VAL_PATH,    // (.f[i])
  VAL_HOLE,    // ???
} ValTag;

// A type argument: what a type parameter or abstract type means, looked at when needed.
typedef struct {
  const TypeDef *def;
  SType *type;           // read in env
  const TypeDef *impl;   // an abbreviation, perhaps with parameters; read in env
  const Env *env;
  const Sem *sem;        // known already
} TypeArg_;
typedef LIST(TypeArg_) TypeArgs;

typedef LIST(Val *) Vals;
struct Val {
  ValTag tag;
  union {
    Atom atom;
    struct { const Sem *elem; Atoms leaves; } array;  // and VAL_ACC
    struct {
      int len;
      const Name *names;
      Val **at;
      Var token;  // assert.c
      int parts;  // how many values that are no records it has
    } record;
    struct { const Sem *sem; int index; Val **args; } con;
    struct { const Sem *sem; Atoms leaves; } sum;
    struct {
      const Code *code;
      const Env *env;
      TypeArgs targs;
      Vals args;
      const Inst *inst;      // of the occurrence, read in inst_env: its size parameters
      const Env *inst_env;
      const Atom *inst_sizes;  // their values, where a shared call has read them; or NULL
    } fun;
    struct { Intrinsic id; TypeArgs targs; Vals args; } prim;
    struct { Val *fn, *arg; } flip;
    struct { const StepList *path; const Env *env; Span span; } path;
    struct { const Sem *sem; } hole;
  };
};

// The static part of a function, one per syntax node.
struct Code {
  const void *node;           // identity: the FunDef or Expr
  Name name;
  Span span;
  const TypeParamList *tparams;  // NULL: none
  const PatList *params;
  const TypeExp *ret;         // NULL: not declared
  const Expr *body;
  SType *result;              // type of the body's value; for recursive functions
  bool recursive, inline_, noinline_, local, unsafe;
  NameList free;              // names the body needs from its environment (local ones)
  bool free_known;
  int cost;                   // statements of its last inlined expansion; 0: unknown
};

// ---- environments: persistent lists ---------------------------------------------------------
typedef enum {
  ENV_VAL,
  ENV_LAZY,
  ENV_MOD,
  ENV_TYPE,
  ENV_MODTYPE,
  ENV_DEF,
  ENV_OPEN,
  ENV_SIZES
} EnvTag;
// A top-level binding without parameters: evaluated when first used, once per instance.
typedef struct {
  const FunDef *fun;
  const Env *env;
  Val *val;           // once known; polymorphic ones stay unknown
  bool busy;
} Lazy;
// Sizes without names that values of one activation have shown, by number; filled as it runs.
typedef struct {
  int number;
  Atom size;
} SeenSize;
typedef LIST(SeenSize) SeenSizes;
struct Env {
  EnvTag tag;
  bool global;         // belongs to a file or module body
  bool hidden;         // declared local: not exported
  Name name;
  const Env *next;
  struct EnvIndex *index;  // env.c; of this and a stretch of older bindings, or NULL
  union {
    struct { Val *val; const Binding *binding; } val;
    Lazy *lazy;
    ModVal *mod;                                        // MOD, OPEN
    struct { const TypeDef *def; const Env *env; } type;
    struct { const ModTypeExp *exp; const Env *env; } modtype;
    TypeArg_ def;
    SeenSizes *sizes;
  };
  // VAL, LAZY: `under` seen through an ascription whose own type parameters differ
  const ValCoercion *through;
  const Env *through_env, *under;
};

typedef enum { NAMES_TERM, NAMES_TYPE, NAMES_MODTYPE, NAME_SPACES } NameSpace;
struct ModVal {
  bool is_functor;
  const Env *env;      // exports, newest first, ending where the body began; functors: definition
  const Env *stop;     // not part of the exports
  const ModParam *params;     // functors: those still to come
  int params_len;
  const ModTypeExp *ret;      // ascription of the result, or NULL
  const Coercion *coerce;     // of that ascription
  const ModExp *body;
  Map *found[NAME_SPACES];    // what its exports have of names looked up (env.c)
};

// ---- the evaluator's state ------------------------------------------------------------------
typedef struct {
  uint32_t home;     // position in binding order: below a scope's start means outside it; 1: global
  bool consumed, is_size, named;
  Vars alias;        // may share memory with these
  Op op;             // a size computed as op(a, b); a is no atom where unknown
  Atom a, b;
} VarFact;

typedef struct Elab {
  Prog *prog;
  Arena *arena;
  Names *names;
  Diag *diag, *warnings;
  const CheckedProgram *program;
  Builder b;               // where statements go now
  uint32_t scope;          // first variable id of the current scope
  Scope *open;             // open scopes, innermost first, of the current function
  VarFact *facts;
  uint32_t facts_cap;
  Map *codes;              // syntax node -> Code
  Map *defs;               // TypeDef -> TypeArg_, of the last binding
  Map *files;              // CheckedFile -> ModVal
  Map *loops;              // loop Expr -> LoopPlan
  Map *shared;             // hash -> Shared list
  Map *names_used;         // interned function name -> count
  const Loc *callers;      // call sites, innermost first
  int inline_limit;
  Val *seq_op;             // operator of the accumulator that is being run as a loop
  int depth;               // of nested inlining
  int specialisations;
  const Sem *want;         // what the context of the expression being evaluated asks for
  Map *cse;                // i64 operations already computed: hash -> Known
  Map *warned;             // Attr: what a warning was given of
  Map *data;               // constant arrays: variable -> Data
  bool in_unsafe;
  int strategy;            // of the derivatives taken now; 0: none is named
} Elab;

// A nested buffer.
struct Scope {
  Stms stms;
  Stms *outer;
  uint32_t start, outer_scope;
  Scope *next;             // the scope around it
};

// ---- sem.c ----------------------------------------------------------------------------------
const Sem *sem_prim(Elab *e, Prim p);
const Sem *sem_array(Elab *e, const Sem *elem, Atom dim);
const Sem *sem_acc(Elab *e, const Sem *array);
const Sem *sem_record(Elab *e, int len, const Name *names, const Sem **fields);
const Sem *sem_unit(Elab *e);
const Sem *sem_of_type(Elab *e, SType *type, const Env *env);
void sem_leaves(Elab *e, const Sem *sem, Leaves *out);
bool sem_same(const Sem *a, const Sem *b);
Sem *sem_sum_layout(Elab *e, Sem *sum);
const Sem *sem_peel(const Sem *sem, int n);
Atom size_hint(Elab *e, const Size *size, const Env *env);  // blank where not plainly known
bool name_less(Name a, Name b);  // canonical field order

// ---- val.c ----------------------------------------------------------------------------------
Atom blank(void);
bool is_blank(Atom a);
Val *val_new(Elab *e, ValTag tag);
Val *val_atom(Elab *e, Atom a);
Val *val_array(Elab *e, const Sem *elem, Atoms leaves);
Val *val_record(Elab *e, int len, const Name *names, Val **at);
Val *val_tuple(Elab *e, int len, Val **at);
Val *val_unit(Elab *e);
Val *val_field(const Val *v, Name name);      // NULL: none
Val *val_con(Elab *e, const Sem *sum, int index, Val **args);
const Sem *val_sem(Elab *e, const Val *v);
// The leaves; slots a known constructor does not use are blank.
void val_leaves(Elab *e, const Val *v, Atoms *out);
Atoms val_atoms(Elab *e, const Val *v);       // blanks made zero
Val *val_build(Elab *e, const Sem *sem, const Atom *leaves);
Val *val_zero(Elab *e, const Sem *sem);       // unknown sizes: 0
Atom leaf_zero(Elab *e, Leaf leaf);
Val *val_map(Elab *e, const Val *v, Atom (*f)(void *state, Atom a), void *state);
void val_trace(Elab *e, const Val *v, const char *label);  // show.c: printed at run time
bool val_is_functional(const Val *v);
bool val_has_acc(const Val *v);
Atom val_scalar(const Val *v);
Atom val_size(Elab *e, const Val *array);     // outer dimension

// ---- assert.c ------------------------------------------------------------------------------
Var assert_begin(Elab *e, Atom cond, const char *message);
Val *assert_end(Elab *e, Var test, Val *v);
void unit_use(Elab *e, const Val *unit);
Val *units_of_stm(Elab *e, Stm *stm, Val *v);

// ---- emit.c ---------------------------------------------------------------------------------
VarFact *fact(Elab *e, Var v);
void scope_open(Elab *e, Scope *s);
void scope_close(Elab *e, Scope *s);
bool atom_outside(Elab *e, const Scope *s, Atom a);
void at(Elab *e, Span span);                  // position of the statements to come
const Loc *loc_here(Elab *e, Span span);
void consume(Elab *e, Atom a);
void alias(Elab *e, Atom of, Atom to);
Atoms dims_of(Elab *e, Atom array);
Atom dim_of(Elab *e, Atom array, int i);
void emit_assert(Elab *e, Atom cond, const char *message, Atoms args);
Atom emit(Elab *e, const char *hint, Type type, Exp exp);
Atom emit_view(Elab *e, const char *hint, Type type, Exp exp, Atom of);
Atom emit_reshape(Elab *e, Atom array, Atoms dims);         // unchecked
// The same array with these leading dimensions, after checking that they are its own.
Atom emit_shaped(Elab *e, Atom array, Atoms dims, const char *message);
Atom emit_empty_as(Elab *e, Atom array, Atoms dims);  // blank: not known to be empty
Atom emit_op(Elab *e, Op op, Atom a, Atom b);  // sizes: computed once per scope
bool is_size(Elab *e, Atom a);  // known not to be negative
Atom emit_size_eq(Elab *e, Atom a, Atom b);
Atoms atom_list1(Elab *e, Atom a);
Atoms atom_list2(Elab *e, Atom a, Atom b);
Atom emit_index(Elab *e, Atom array, Slice slice, bool unchecked, int kept, const Atom *counts);
const char *base_of(Elab *e, Atom a);
void rename_hint(Elab *e, Val *v, Name name);
Lambda *close_lambda(Elab *e, Scope *s, Vars params, Atoms results);

// ---- join.c ---------------------------------------------------------------------------------
typedef struct {
  Scope scope;
  Val *val;
} Branch;
typedef LIST(Branch) Branches;
// One value for several branches; `cases` has their patterns, without bodies.
Val *join(Elab *e, Branches *branches, Atoms args, Cases cases);
Val *emit_if(Elab *e, Atom cond, Branch *yes, Branch *no);
bool stms_are_cheap(Elab *e, const Stms *stms);  // scalar, total: may be executed regardless

// ---- array.c, range.c, shape.c --------------------------------------------------------------
Val *array_row(Elab *e, const Val *array, Atom i, bool unchecked);
// Index lists and update paths with their expressions evaluated; absent bounds are blank.
typedef struct {
  bool is_fix;
  Atom i, j, s;
} Place;
typedef LIST(Place) Places;
typedef struct {
  Name field;      // NULL: places
  Places places;
} PlaceStep;
typedef LIST(PlaceStep) PlacePath;
Places places_eval(Elab *e, const IndexList *index, const Env *env);
PlacePath path_eval(Elab *e, const StepList *path, const Env *env);
Val *array_index(Elab *e, const Val *array, const Places *places, Span span);
Val *path_update(Elab *e, const PlacePath *path, int from, Val *src, Val *value, Span span);
Val *array_literal(Elab *e, Vals rows, const Sem *elem);
Val *array_range(Elab *e, const Expr *exp, const Env *env);
Val *array_zip(Elab *e, Val *a, Val *b);
Val *array_concat(Elab *e, Val *a, Val *b);
Val *array_unzip(Elab *e, Val *array);
Val *array_flatten(Elab *e, Val *array);
Val *array_unflatten(Elab *e, Atom n, Atom m, Val *array);
Val *array_transpose(Elab *e, Val *array);
Val *array_replicate(Elab *e, Atom n, const Val *v);
Val *array_scratch(Elab *e, Atom n, Val *like);
Val *array_flat_index(Elab *e, Vals args, int rank);
Val *array_flat_update(Elab *e, Vals args, int rank);
Val *val_copy(Elab *e, const Val *v);
Atom val_equal(Elab *e, const Val *a, const Val *b);
Val *array_resized(Elab *e, const Val *array, Atom n, const char *message);

// ---- soac.c, size_fixpoint.c, acc.c, diff.c
Val *soac_map(Elab *e, Val *f, Val *xs);
Val *soac_reduce(Elab *e, Val *op, Val *ne, Val *xs, bool comm);
Val *soac_scan(Elab *e, Val *op, Val *ne, Val *xs);
Val *soac_hist(Elab *e, Val *dest, Val *op, Val *ne, Val *is, Val *as);
Val *soac_scatter(Elab *e, Val *dest, Val *is, Val *vs);
Val *acc_write(Elab *e, Val *acc, Atom i, Val *v);
Val *acc_stream(Elab *e, Val *dest, Val *op, Val *ne, Val *f, Val *xs);
Vars lambda_params(Elab *e, const char *hint, Types types);
Types row_types(Elab *e, Atoms arrays);
Atoms leaves_as(Elab *e, const Val *v, Types types, const char *message);
Val *diff_jvp(Elab *e, Val *f, Val *x, Val *dx);
Val *diff_vjp(Elab *e, Val *f, Val *x, Val *dy);
Val *diff_depends(Elab *e, Val *f, Val *x, Val *marks);
Val *diff_blocks(Elab *e, Val *f, Val *x);
Val *diff_with_vjp(Elab *e, Val *f, Val *rev, Val *x);

// Makes every size in the types of the results one that is known outside the open scope.  args:
// what the parameters represent outside; width: blank, or the args are rows of arrays of it.
void settle_sizes(Elab *e, Scope *s, Vars params, Atoms args, Atom width, Atoms *results);

// ---- prim.c ---------------------------------------------------------------------------------
int intrinsic_arity(Intrinsic id);
Val *intrinsic_apply(Elab *e, const Val *prim, Vals args);
Val *intrinsic_const(Elab *e, Intrinsic id, TypeArgs targs);
Atom scalar_op(Elab *e, Intrinsic id, Atom a, Atom b);

// ---- unique.c: arrays of a value that a type says are unique ----------------------------------
Vars unique_result(Elab *e, const Code *code, const Val *v);
void unique_param(Elab *e, const Pat *pat, const Val *v, Vars *out);

// ---- apply.c, specialise.c
Val *apply(Elab *e, Val *f, Vals args);
Val *apply1(Elab *e, Val *f, Val *a);
Val *apply2(Elab *e, Val *f, Val *a, Val *b);
Val *code_run(Elab *e, const Val *fun, Vals args);  // the body, here
Val *code_run_entry(Elab *e, Val *fun, Vals args);  // the first body here, whatever its size
Code *code_of(Elab *e, const void *node);           // NULL: new
Code *code_of_fun(Elab *e, const FunDef *fun, const AttrList *attrs);
Code *code_of_lambda(Elab *e, const Expr *lambda);
Val *shared_call(Elab *e, const Val *fun, Vals args);
void code_free(Elab *e, Code *code);                // fills code->free
void names_of_exp(Elab *e, const Expr *exp, NameList *out);  // free.c: every name it mentions
void names_of_code(Elab *e, const Code *code, NameList *out);
void names_of_path(Elab *e, const StepList *path, NameList *out);
bool name_in(const NameList *names, Name name);
const char *fn_name(Elab *e, const char *base);

// ---- env.c ----------------------------------------------------------------------------------
const Env *env_val(Elab *e, const Env *env, Name name, const Binding *binding, Val *val);
const Env *env_def(Elab *e, const Env *env, TypeArg_ def);
const Env *env_new(Elab *e, const Env *next, EnvTag tag, Name name);
const Env *env_term(Elab *e, const Env *env, Name name);  // VAL, LAZY or MOD; NULL: none
const Env *env_type(Elab *e, const Env *env, Name name);
const Env *env_modtype(Elab *e, const Env *env, Name name);
const TypeArg_ *env_find_def(Elab *e, const Env *env, const TypeDef *def);
Val *env_binding(const Env *env, const Binding *binding);  // NULL: not there
ModVal *env_module(Elab *e, const Env *env, const Name *path, int len);
const Env *mod_term(const ModVal *mod, Name name);
const Env *mod_type(const ModVal *mod, Name name);
const Env *mod_modtype(const ModVal *mod, Name name);

// ---- pat.c, match.c, texp.c, sizes.c --------------------------------------------------------
// Size parameters a binding construct introduces, until a type ascription shows their values.
typedef struct {
  NameList names;
  LIST(const Binding *) bindings;
  const Inst *inst;        // what inference found for them, read in inst_env; or NULL
  const Env *inst_env;
  const Atom *inst_sizes;  // their values, blank where unknown; NULL: not read yet
} Pending;
Pending pending_of(Elab *e, const TypeParamList *tparams);
void pending_bind(Elab *e, const Env **env, Pending *p, int i, Atom size);
// Binds the pattern's names to the parts of the value; pending may be NULL.
const Env *pat_bind(Elab *e, const Env *env, const Pat *pat, Val *v, Pending *pending);
Val **con_payload(Elab *e, const Val *v, Name name);
Val *match_eval(Elab *e, const Expr *exp, const Env *env);
// The value at the sizes the type names: a pending size is bound (in *env) to the size found, any
// other is checked at run time unless it is the same atom.  message NULL: that of `:>`.
Val *texp_match(Elab *e, const Env **env, const TypeExp *type, Val *v, Pending *pending,
                const char *message);
// The type with its sizes as hints, but for those that mention pending names.
const Sem *texp_sem(Elab *e, const Env *env, const TypeExp *type, const Pending *pending);
// A semantic type with the sizes that its type as written says.
const Sem *texp_hints(Elab *e, const Env *env, const TypeExp *type, const Sem *sem);
// Binds pending sizes that inference found for an occurrence.
const Env *sizes_begin(Elab *e, const Env *env);  // an activation
void sizes_see(Elab *e, const Env *env, const void *node, const Val *v);
void inst_sizes(Elab *e, const Env **env, Pending *pending);
bool inst_size(Elab *e, const Pending *pending, Name name, Atom *out);
// The values of all of them, blank where they cannot be known there.
// The inferred type of the elements of an empty array literal, or NULL; a type with its sizes.
const SizeShape *empty_shape(const Elab *e, const Expr *exp);
const Sem *sem_shaped(Elab *e, const Sem *sem, const SizeShape *shape, const Env *env);
const Atom *inst_sizes_read(Elab *e, const Inst *inst, const Env *env);
// Binds pending sizes of a function's declared result from sizes its context needs.
void texp_want(Elab *e, const Env **env, const TypeExp *type, const Sem *want, Pending *pending);

// ---- exp.c ----------------------------------------------------------------------------------
Val *eval(Elab *e, const Expr *exp, const Env *env);
Atom eval_scalar(Elab *e, const Expr *exp, const Env *env);
Atom eval_i64(Elab *e, const Expr *exp, const Env *env);
Val *eval_var(Elab *e, const VarRef *ref, const Env *env, SType *type);
Val *eval_path(Elab *e, const StepList *path, int from, Val *v, const Env *env, Span span);
Val *attr_eval(Elab *e, const Expr *exp, const Env *env);
Val *loop_eval(Elab *e, const Expr *exp, const Env *env);
Val *lazy_force(Elab *e, Lazy *lazy, TypeArgs targs, const Inst *inst, const Env *inst_env);

// ---- module.c, abi.c, entry.c ---------------------------------------------------------------
bool names_are_tuple(int len, const Name *names);  // of fields: 0, 1, ..; not one alone
ModVal *file_eval(Elab *e, const CheckedFile *file);
const Env *decs_eval(Elab *e, const DecList *decs, const Env *env, const CheckedFile *file);
Fn *entry_elab(Elab *e, const EntryPoint *entry);
// type: as written in env, or NULL
const AbiType *abi_type(Elab *e, const Sem *sem, const TypeExp *type, const Env *env);
#endif
