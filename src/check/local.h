// Shared by the files of check/: the checker's state and one entry per rule group.
//
// Types are inferred without sizes: Hindley-Milner with constrained variables, unification as the
// program is walked.  After the first error of a binding (c->failed) nothing more is reported for
// it; inference goes on with error types so that names still get resolved.
#ifndef CHECK_LOCAL_H
#define CHECK_LOCAL_H
#include "check.h"

// ---- state -----------------------------------------------------------------------------------
typedef enum { VAR_FREE, VAR_PRIM, VAR_RECORD, VAR_SUM } VarKind;
struct TypeVar {
  SType *ref;          // the solution; the rest is then meaningless
  uint32_t id;
  uint32_t shown;      // its number in messages, or 0
  int level;          // rigid type parameters of deeper levels may not flow in
  VarKind kind;
  Lift lift;          // what it may become: LIFT_FULL also functions
  uint32_t prims;     // VAR_PRIM: allowed, 1 << Prim
  FieldList fields;   // VAR_RECORD: at least these
  ConstrList constrs; // VAR_SUM: at least these
  Span span;
  const char *why;    // whose type it is, for messages
};
#define PRIMS_SIGNED 0x00fu
#define PRIMS_INT 0x0ffu
#define PRIMS_FLOAT 0x700u
#define PRIMS_NUM 0x7ffu
#define PRIMS_BOOL 0x800u
#define PRIMS_ALL 0xfffu

typedef enum { SPACE_TERM, SPACE_TYPE, SPACE_MODTYPE, SPACE_COUNT } Space;

// Checks that must wait until the types of the binding are known.
typedef enum {
  LATER_EQUALITY,    // type: operand of == or !=
  LATER_LITERAL,     // exp: literal with its sign in range
  LATER_MATCH,       // exp: EXP_MATCH exhaustive
  LATER_REFUTABLE,   // pat: irrefutable
} LaterTag;
typedef struct {
  LaterTag tag;
  bool negative;
  Span span;
  SType *type;
  const char *what;
  Expr *exp;
  Pat *pat;
} Later;

typedef struct {
  Space space;
  Name name;
  void *old;
} Undo;

// The original of a copy that renaming a module made.
typedef struct {
  void *from;    // TypeDef or Binding
  Map *renamed;  // TypeDef to TypeDef
} Origin;

// A value or a type of a module and what a module type says of it.
typedef struct {
  Span at;
  Map *renamed;          // abstract types of the module type to those of the module
  Binding *have, *want;  // values; want has have's type parameters at args
  InstArgList args;
  TypeDef *have_type, *want_type;
  Inst *inst;  // values: of the implementation
} SpecMatch;

typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
  CheckedProgram *program;
  CheckedFile *file;
  // names in scope: Name to Binding, TypeDef, ModTypeDef; undo restores on leaving a scope
  Map *scope[SPACE_COUNT];
  LIST(Undo) undo;
  ModEnv *exports;      // of the module body being checked
  int module_depth;     // > 0 inside { decs } and functors
  SType *prims[PRIM_COUNT];
  SType *unit, *error;
  TypeDef *acc;
  Binding *intrinsics;  // the module
  Name tuple_names[16];
  uint32_t next_id;
  int level;
  const char *const *extra_entries;
  // the binding being checked
  bool failed;
  bool reported;  // the last call of `report` did report
  LIST(SType *) vars;
  uint32_t vars_shown;
  LIST(Later) later;
  BindingList watched;   // names that should be used
  Map *puns;             // PAT_NAME of fields written {x}
  bool unsound;          // the definition uses what has an error
  const char *why;             // the innermost reason of the last failed unification
  Binding *self;               // recursive definition whose body is being checked
  LIST(Inst *) self_uses;
  int anonymous_sizes;         // [] met outside arrows in the type being resolved
  int arrow_depth;
  bool abbreviation;           // the type is that of an abbreviation
  // for sizes: TypeDef or Binding to the Origin it renames; implementations of specifications
  Map *origins;
  LIST(SpecMatch) matches;
} Checker;

// ---- state.c: errors, scopes -----------------------------------------------------------------
// Reports the binding's first error only.
void report(Checker *c, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// ---- hint.c: of the error that `report` has just been called for
void note(Checker *c, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// Did you mean ..: names in scope or of a module; `prefix` is how that module is written, with dot.
void hint_name(Checker *c, Space space, const ModEnv *env, Span at, const char *prefix, Name name,
               bool module);
void hint_size(Checker *c, const VarRef *ref);  // unknown where a size is wanted
// Argument i of an application was refused.
void hint_argument(Checker *c, const Expr *exp, int i, SType *expected, SType *given);
void hint_unsized(Checker *c, const Expr *exp, const Expr *arg);
void hint_field(Checker *c, SType *record, Name field, Span at);
void hint_constr(Checker *c, SType *sum, Name name);
// ---- hint_type.c: likewise
void hint_types(Checker *c, Span at, SType *expected, SType *actual);
bool hint_operands(Checker *c, const Expr *exp);  // a binop whose operands have the wrong types
void hint_operator(Checker *c, const Expr *exp);  // a binop whose right side was refused
void hint_foreign(Checker *c, const Expr *exp);   // a binop in one of whose operands is an error
void hint_order(Checker *c, const Expr *exp, int i, SType *given);
// ---- foreign.c: what other languages call it; NULL or false: nothing known
const char *foreign_instead(Space space, Name name);
bool foreign_hint(Checker *c, Name name);
bool foreign_module(Name module);  // of functions of numbers
void foreign_field(Checker *c, Name field);        // of an array

// ---- state.c: scopes, new things, texts ------------------------------------------------------
int names_scope_begin(Checker *c);
void names_scope_end(Checker *c, int mark);
void scope_put(Checker *c, Space space, Name name, void *what);
void *scope_get(const Checker *c, Space space, Name name);
Binding *binding_new(Checker *c, BindTag tag, Name name, Span span, SType *type);
TypeDef *typedef_new(Checker *c, TypeDefTag tag, Name name, Span span, Lift lift);
Inst *inst_new(Checker *c);
Info *info_of(Checker *c, Info **slot);
const char *stype_text(Checker *c, SType *type);
const char *exp_text(Checker *c, const Expr *exp);  // shortened
const char *type_exp_text(Checker *c, const TypeExp *exp);
const char *path_text(Checker *c, const NameList *parts, int len);

// ---- type.c ----------------------------------------------------------------------------------
SType *stype_new(Checker *c, TypeTag tag);
SType *stype_array(Checker *c, Size *dim, SType *elem);
SType *stype_arrow(Checker *c, Name param, SType *from, SType *to);
SType *stype_record(Checker *c, FieldList fields);  // sorts
SType *stype_sum(Checker *c, ConstrList constrs);   // sorts
SType *stype_tuple(Checker *c, const TypeList *elems);
SType *stype_named(Checker *c, TypeDef *def, NamedArgList args);
SType *stype_self(Checker *c, TypeDef *def);  // a type parameter or abstract type without arguments
Name tuple_name(Checker *c, int i);
int field_compare(Name a, Name b);
void fields_sort(FieldList *fields);
SType *stype_bounded(Checker *c, Span at, SType *type);  // an error where it is huge
void constrs_sort(ConstrList *constrs);
SType *stype_strip(Checker *c, SType *type);   // without uniqueness
SType *stype_star(Checker *c, SType *type);    // `*type`
Lift stype_lift(SType *type);
Lift lift_max(Lift a, Lift b);
SType *stype_row(SType *type, int n);          // after n indices; NULL: too few dimensions
SType *stype_fresh(Checker *c, Lift lift, Span span, const char *why);
SType *stype_fresh_prim(Checker *c, uint32_t prims, Span span, const char *why);
SType *stype_fresh_record(Checker *c, Name field, SType *type, Span span);
SType *stype_fresh_sum(Checker *c, Constr constr, Span span);

// ---- subst.c ---------------------------------------------------------------------------------
// SType parameters to types, size parameters to sizes, type names to type names.
typedef struct {
  Binding *from;
  Size *to;
} SizeArg;
typedef struct {
  InstArgList types;
  LIST(SizeArg) sizes;
  Map *defs;  // TypeDef to TypeDef; NULL: none
} Subst;
SType *stype_subst(Checker *c, SType *type, const Subst *subst);
SType *type_expand(Checker *c, TypeDef *def, const NamedArgList *args);
Mod *mod_subst(Checker *c, Mod *mod, const Subst *subst);
TypeDef *typedef_subst(Checker *c, TypeDef *def, const Subst *subst);

// ---- unify.c ---------------------------------------------------------------------------------
bool unify(Checker *c, SType *expected, SType *actual);
// After a failed unify: header, both types and the reason.
void mismatch_report(Checker *c, Span at, SType *expected, SType *actual, const char *header, ...)
    __attribute__((format(printf, 5, 6)));
// Without the suggestion that the types give.
void mismatch_bare(Checker *c, Span at, SType *expected, SType *actual, const char *header, ...)
    __attribute__((format(printf, 5, 6)));
// The same for a form of which only a part has the wrong type.
void mismatch_within(Checker *c, Span at, Span value, SType *expected, SType *actual,
                     const char *header, ...) __attribute__((format(printf, 6, 7)));

// ---- names.c ---------------------------------------------------------------------------------
SType *instantiate(Checker *c, Binding *binding, Span at, Inst *inst);
SType *value_resolve(Checker *c, VarRef *ref);      // fills ref, gives its type
TypeDef *typename_resolve(Checker *c, VarRef *ref);  // NULL after an error
ModTypeDef *modtype_resolve(Checker *c, VarRef *ref);
Binding *module_resolve(Checker *c, VarRef *ref);

// ---- modenv.c --------------------------------------------------------------------------------
Binding *modenv_term(Checker *c, ModEnv *env, Name name);
TypeDef *modenv_type(Checker *c, ModEnv *env, Name name);
ModTypeDef *modenv_modtype(Checker *c, ModEnv *env, Name name);
void modenv_open(Checker *c, const ModEnv *env);                     // into the scope
void modenv_include(Checker *c, ModEnv *env, const ModEnv *more);

// ---- type_exp.c ------------------------------------------------------------------------------
SType *type_exp(Checker *c, TypeExp *exp);
SType *type_exp_lift(Checker *c, TypeExp *exp, Lift *lift);
void tparams_bind(Checker *c, TypeParamList *params, Binding *of);
void sizes_bind(Checker *c, TypeParamList *params);  // let [n], ?[n]

// ---- pat.c -----------------------------------------------------------------------------------
typedef LIST(Binding *) PatNames;
// The pattern's type; its names are collected, not yet in scope.
SType *pat_infer(Checker *c, Pat *pat, SType *expected, BindTag tag, PatNames *names);
void pat_names_bind(Checker *c, const PatNames *names);
// Parameters one after the other, each in scope of the next; `from` types keep uniqueness.
void params_infer(Checker *c, PatList *params, BindTag tag, TypeList *from);
SType *function_type(Checker *c, const PatList *params, const TypeList *from, SType *to);
Name pat_param_name(const Pat *pat);

// ---- infer*.c --------------------------------------------------------------------------------
SType *infer(Checker *c, Expr *exp);
SType *infer_int(Checker *c, Expr *exp, bool negative);
SType *infer_float(Checker *c, Expr *exp);
SType *infer_array(Checker *c, Expr *exp);
SType *infer_arraylit(Checker *c, Expr *exp);
SType *infer_range(Checker *c, Expr *exp);
SType *infer_record(Checker *c, Expr *exp);
SType *infer_constr(Checker *c, Expr *exp);
SType *infer_apply(Checker *c, Expr *exp);
SType *infer_binop(Checker *c, Expr *exp);
SType *infer_neg(Checker *c, Expr *exp);
SType *infer_not(Checker *c, Expr *exp);
SType *infer_section_left(Checker *c, Expr *exp);
SType *infer_section_right(Checker *c, Expr *exp);
SType *infer_section_path(Checker *c, Expr *exp);
SType *infer_project(Checker *c, Expr *exp);
SType *infer_index(Checker *c, Expr *exp);
SType *infer_update(Checker *c, Expr *exp);
SType *infer_if(Checker *c, Expr *exp);
SType *infer_match(Checker *c, Expr *exp);
SType *infer_let(Checker *c, Expr *exp);
SType *infer_letfun(Checker *c, Expr *exp);
SType *infer_loop(Checker *c, Expr *exp);
SType *infer_lambda(Checker *c, Expr *exp);
SType *infer_localopen(Checker *c, Expr *exp);
SType *field_project(Checker *c, SType *record, Name field, Span at);
void later_refutable(Checker *c, Pat *pat);

void unused_watch(Checker *c, Binding *b);  // warns unless the name is used

// ---- binding.c, deferred.c, match.c, recursion.c, entry.c ---------------------------------------
void binding_begin(Checker *c);
void vars_number(Checker *c, SType *type);  // before it is printed
void binding_solve(Checker *c);  // defaults; no variable is left unsolved
void later_run(Checker *c);
Binding *def_check(Checker *c, Dec *dec);
void match_check(Checker *c, Expr *exp);
bool pat_refutable(Checker *c, const Pat *pat);
void recursion_check(Checker *c, FunDef *fun, Binding *self);
void entry_check(Checker *c, Dec *dec, Binding *binding);
bool supports_equality(SType *type);
bool size_witnessed(SType *type, const Binding *size);

// ---- decs.c ----------------------------------------------------------------------------------
void decs_check(Checker *c, DecList *decs);
TypeDef *type_bind_check(Checker *c, TypeBind *bind);
void tparams_sizes_used(Checker *c, const TypeParamList *params, const char *where);
ModInfo *modinfo_of(Checker *c, ModInfo **slot);
CheckedFile *import_find(Checker *c, const char *path);

// ---- modexp.c --------------------------------------------------------------------------------
Mod *modexp_check(Checker *c, ModExp *exp);  // NULL after an error
void dec_mod_check(Checker *c, Dec *dec);

// ---- modtype.c -------------------------------------------------------------------------------
// A module type and its abstract types, new at each call.
typedef struct {
  Mod *mod;  // NULL after an error
  TypeDefList abstract;
} Signature;
Signature modtype_check(Checker *c, ModTypeExp *exp);
Binding *spec_val_check(Checker *c, Spec *spec);
// Adds the abstract types with their paths in the module; those not found get an empty path.
void fresh_paths(Checker *c, const Mod *mod, const TypeDefList *defs, const TypeDefList *from,
                 ModInfo *into);
NameList path_find(Checker *c, const Mod *mod, const TypeDef *def);  // empty: not found
// New names for abstract types, recorded in subst.
TypeDefList defs_rename(Checker *c, const TypeDefList *defs, Subst *subst);
TypeDefList stype_defs(Checker *c, SType *type);  // the abstract types in it
// Abstract types younger than `start` that the module mentions and does not bind itself.
TypeDefList mod_fresh(Checker *c, Mod *mod, uint32_t start);

// ---- modmatch.c ------------------------------------------------------------------------------
// Does `mod` implement `spec`, whose abstract types are `abstract`?  Maps these in subst.
bool mod_match(Checker *c, Span at, Mod *mod, Mod *spec, const TypeDefList *abstract,
               Subst *subst, Coercion **coerce);

// ---- builtin.c -------------------------------------------------------------------------------
void builtin_bind(Checker *c);  // what a file of the prelude sees before its first line

// ---- needed.c --------------------------------------------------------------------------------
// The library with a prelude that has only what the names interned so far need.
const struct EmbeddedFile *prelude_needed(Arena *arena, Names *names,
                                          const struct EmbeddedFile *lib);
#endif
