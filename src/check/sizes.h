// sizes: pass B of checking, static sizes: inference of size parameters, unknown and existential
// sizes, causality.  Runs over a whole program after type inference accepted it.
//
// Every expression gets a sized type: its type with a size (Dim) in every dimension.  A size is
// an expression; two are equal when they have the same structure.  Variables in sizes are names
// of the program, flexible variables to be solved, and unknown sizes, equal only to themselves.
#ifndef SIZES_H
#define SIZES_H
#include "local.h"

void program_sizes_check(Checker *c);  // reports size errors to diag

// ---- sizes -----------------------------------------------------------------------------------
typedef struct Dim Dim;
typedef struct DimVar DimVar;
typedef struct Sized Sized;
typedef LIST(Dim *) DimList;
typedef LIST(DimVar *) DimVarList;

// How much a flexible variable's origin says; the better one survives linking.
typedef enum { RANK_TYPE, RANK_FORM, RANK_PARAM, RANK_WRITTEN, RANK_LOOP } DimRank;

// One instance of a type parameter: all dimensions of all its occurrences in a type scheme.
typedef struct {
  Lift lift;           // above LIFT_NONE: its sizes may turn out to be existential
  DimVarList canon;    // one variable per dimension, those of the first occurrence
  DimVarList binders;  // named parameters of functions in it
  bool own;            // of a hole or constructor: one occurrence, whose sizes must be known
} Absorb;

typedef enum { DIMVAR_NAME, DIMVAR_FLEX, DIMVAR_UNKNOWN } DimVarTag;
struct DimVar {
  DimVarTag tag;
  DimRank rank;
  Dim *dim;            // the size that is this variable
  Name name;
  int id, level;
  Dim *ref;            // FLEX: its solution, or NULL
  Dim *init;           // FLEX, of a loop parameter: its size before the loop, or NULL
  Span span;
  const char *why;     // FLEX: what it arises from;  UNKNOWN: what it is
  Name of;             // FLEX: of which name it is an instance, or NULL
  Absorb *absorb;      // FLEX: of an instance of a type parameter
  DimVarList *binders; // FLEX: named parameters of functions in the inferred type that has it
  DimVar *canon;       // the variable this one equals as long as that is not existential
  Dim *source;         // canonical variable that became existential: what it absorbed
  bool hidden;         // FLEX: of a named type that does not show it
  int occurrence;      // pending existentials of one occurrence and source are one size
  int bound;           // > 0: bound inside the types being unified
  int stamp;           // scratch
  int shown;           // its number in messages, or 0
  Binding *binding;    // NAME
  const VarRef *path;  // NAME: a mention through modules, where there was one
};

typedef enum {
  DIM_CONST,
  DIM_VAR,
  DIM_TERM,  // an expression: its form, what else distinguishes it, its parts
  DIM_ANY,   // fits everything (after errors, in recursion)
} DimTag;
struct Dim {
  DimTag tag;
  union {
    int64_t value;
    DimVar *var;
    struct {
      ExprTag form;
      const char *text;
      DimList args;  // some may be NULL
      struct Resolved *resolved;  // sizes_dim.c
    } term;
  };
};

// ---- sized types -----------------------------------------------------------------------------
typedef struct {
  Name name;
  Sized *type;
} SizedField;
typedef LIST(Sized *) SizedList;
typedef LIST(SizedField) SizedFieldList;
typedef struct {
  Name name;
  SizedList args;
} SizedConstr;
typedef LIST(SizedConstr) SizedConstrList;
typedef struct {
  Dim *dim;  // or a type
  Sized *type;
} SizedArg;
typedef LIST(SizedArg) SizedArgList;

struct Sized {
  TypeTag tag;
  bool unique;
  union {
    Prim prim;
    struct { Dim *dim; Sized *elem; } array;
    SizedFieldList fields;
    SizedConstrList constrs;
    struct {
      Name param;
      DimVar *binder;  // the parameter in sizes of `to`, or NULL
      Sized *from;
      DimVarList exists;  // existential sizes of `to`
      Sized *to;
    } arrow;
    struct { TypeDef *def; SizedArgList args; } named;
  };
};

typedef struct {
  DimVarList sizes;  // size parameters, declared ones first
  TypeDefList types;
  Sized *type;
  int arity;         // parameters that its definition names; -1: not known
  bool self;         // of the function being checked: its flexible variables are copied too
  int start;
} Scheme;

// Size parameters of one occurrence, to be recorded in its Inst once everything is solved.
typedef struct {
  Inst *inst;
  Binding *param;
  Dim *dim;
  bool shown;        // an argument shows it whenever the body runs
} InstDim;

// An expression or parameter whose value may show a size that has no name.
typedef struct {
  const void *node;
  Sized *type;
} SizeSource;

// Function types that are being unified: both parameters are one, called `param`.
typedef struct {
  DimVar *param, *other;
} SameParam;

typedef struct {
  Checker *c;
  LIST(InstDim) insts;
  LIST(SizeSource) sources;
  LIST(SizeSource) empties;  // empty array literals, types of their elements
  Map *schemes;    // Binding to Scheme
  Map *vars_of;    // Binding to DimVar
  Map *bodies;     // TypeDef to TypeBody
  Map *types;      // VarRef, Expr or Pat to Sized, for causality
  Map *produced;   // Expr to DimVarList; those of the binding from produced_from on
  int produced_from;
  ExprList holes;  // of the binding
  Sized *prims[PRIM_COUNT];
  Sized *unit;
  Dim *any;
  int next_id, level, stamp, occurrence, shown;
  unsigned walks;   // over sizes
  DimVarList vars;  // flexible variables of the binding
  int unknowns;     // made in the binding
  const char *why;  // reason of the last failure
  DimVarList differing;  // what it mentions, when two sizes differ
  bool may_agree;        // when the program runs they may be equal
  bool partial;     // the program has type errors: only sound definitions are looked at
  LIST(Sized *) passed;  // parameters of the functions whose results are being unified
  LIST(SameParam) same_params;
  bool quiet;       // failures are not going to be reported
  bool argument;    // unifying a parameter with its argument
} Sizing;

// An anonymous size becomes a flexible variable, or an existential of `into`.
typedef struct {
  DimVarList *into;   // NULL: flexible
  const char *why;
  bool any;           // of no interest
} Anonymous;

// ---- sizes_dim.c -----------------------------------------------------------------------------
Dim *dim_find(Dim *dim);
Dim *dim_const(Sizing *z, int64_t value);
Dim *dim_var(DimVar *var);
Dim *dim_term(Sizing *z, ExprTag form, const char *text);  // without arguments yet
Dim *dim_binop(Sizing *z, const char *op, Dim *left, Dim *right);
DimVar *dimvar_new(Sizing *z, DimVarTag tag, Name name, Span span, const char *why);
Dim *dim_flex(Sizing *z, Span span, DimRank rank, const char *why);
DimVar *unknown_new(Sizing *z, Name name, Span span, const char *why);
bool dimvar_pending(const DimVar *var);
bool pending_same(const DimVar *a, const DimVar *b);
bool dim_same(Dim *a, Dim *b);
// sums, differences, products of constants are constants
bool dim_constant(Dim *dim, int64_t *out);
bool dim_unified(const Dim *a, const Dim *b);  // terms; a with b, before
void dim_unified_note(Dim *a, Dim *b);
int dim_weight(Dim *dim);            // larger than that of its parts
// Calls see on every variable of the size.
void dim_each(Dim *dim, void (*see)(void *env, DimVar *var), void *env);
bool dim_mentions(Dim *dim, const DimVar *var);
// The size of variables replaced: to(env, var) is a size or NULL (keep).
typedef Dim *(*DimMap)(void *env, DimVar *var);
Dim *dim_map(Sizing *z, Dim *dim, DimMap to, void *env);
typedef Dim *(*DimPartMap)(void *env, Dim *term);  // compound parts, too
Dim *dim_map_parts(Sizing *z, Dim *dim, DimMap to, DimPartMap part, void *env);
void dim_print(Text *out, Dim *dim);
void dim_number(Sizing *z, Dim *dim);  // its unknown sizes, before it is printed
const char *dim_text(Sizing *z, Dim *dim);

// ---- sizes_term.c ----------------------------------------------------------------------------
Dim *dim_of_exp(Sizing *z, const Expr *exp);  // NULL: binds names, cannot be a size
Dim *dim_of_part(Sizing *z, const Expr *exp);  // the same with a warning
DimVar *dimvar_of(Sizing *z, Binding *binding);

// ---- sizes_type.c ----------------------------------------------------------------------------
Sized *sized_new(Sizing *z, TypeTag tag);
Sized *sized_prim(Sizing *z, Prim prim);
Sized *sized_array(Sizing *z, Dim *dim, Sized *elem);
Sized *sized_record(Sizing *z, SizedFieldList fields);
Sized *sized_field(const Sized *record, Name field);  // NULL: none
// A type without sizes, with new variables in all dimensions.
typedef struct {
  Span span;
  DimRank rank;
  const char *why;
  Name of;
  bool any;
  Absorb *absorb;  // of an instance
  DimVarList *binders;  // of another type with functions
  bool again;      // another occurrence of the instance
  int occurrence, next, next_binder;
} Fresh;
Sized *sized_fresh(Sizing *z, SType *type, Fresh *fresh);
Sized *sized_flex(Sizing *z, SType *type, Span span, DimRank rank, const char *why);
Sized *sized_any(Sizing *z, SType *type);
// Types and sizes replaced: named(map, type) and dim(env, dim) give the same object to keep.
typedef struct SizedMap SizedMap;
struct SizedMap {
  Sizing *z;
  Sized *(*named)(const SizedMap *map, Sized *type);  // or NULL
  Dim *(*dim)(void *env, Dim *dim);
  void *env;
  DimVarList *hidden;  // where `named` puts sizes that an abbreviation hides, or NULL
};
Sized *sized_map(const SizedMap *map, Sized *type);
Sized *sized_subst(Sizing *z, Sized *type, DimVar *from, Dim *to);
// Calls see on every dimension; `where` says where it stands.
typedef enum { AT_VALUE, AT_FUNCTION_RESULT, AT_FUNCTION_PARAM, AT_TYPE_ARG } SizedPlace;
typedef void (*SizedSee)(void *env, Dim *dim, SizedPlace place);
void sized_each(Sized *type, SizedPlace place, SizedSee see, void *env);
bool sized_mentions(Sized *type, const DimVar *var);
bool sized_witnesses(Sized *type, const DimVar *var);
const char *sized_text(Sizing *z, Sized *type);

// ---- sizes_texp.c ----------------------------------------------------------------------------
Sized *sized_texp(Sizing *z, TypeExp *exp, const Anonymous *anonymous);
Sized *sized_expand(Sizing *z, TypeDef *def, const SizedArgList *args,
                    const Anonymous *anonymous);
void typedef_size(Sizing *z, TypeDef *def);  // checks an abbreviation
Sized *sized_star(Sizing *z, Sized *type);
// Type names replaced by others; the sizes that these hide are added to hidden.
Sized *sized_rename(Sizing *z, Sized *type, Map *renamed, DimVarList *hidden);

// ---- sizes_scheme.c --------------------------------------------------------------------------
Scheme *scheme_of(Sizing *z, Binding *binding);
void scheme_put(Sizing *z, Binding *binding, Sized *type);  // monomorphic
Sized *scheme_instance(Sizing *z, Binding *binding, const Inst *inst, Span span);

// ---- sizes_record.c --------------------------------------------------------------------------
void inst_dim_note(Sizing *z, const Inst *inst, const Scheme *scheme, const DimVar *param,
                   Dim *dim);
void size_source_note(Sizing *z, const void *node, Sized *type);
void empty_note(Sizing *z, const Expr *exp, Sized *elem);
void inst_dims_record(Sizing *z);

// ---- sizes_unify.c ---------------------------------------------------------------------------
bool dim_unify(Sizing *z, Dim *expected, Dim *actual);
// Where the sizes come from that made the last unification fail.
void sizes_note(Sizing *z);
bool sized_unify(Sizing *z, Sized *expected, Sized *actual);
void sized_mismatch(Sizing *z, Span at, Sized *expected, Sized *actual, const char *header, ...)
    __attribute__((format(printf, 5, 6)));
bool sized_expect(Sizing *z, Span at, Sized *expected, Sized *actual, const char *header, ...)
    __attribute__((format(printf, 5, 6)));

// ---- sizes_pat.c -----------------------------------------------------------------------------
typedef LIST(Binding *) BoundNames;
// Binds the names of a pattern for values of the given type; NULL: any type.
Sized *pat_size(Sizing *z, Pat *pat, Sized *given, BoundNames *names);
bool pat_is_whole(const Pat *pat);  // one name for the whole value
// The type without the names, which go out of scope.
Sized *scope_leave(Sizing *z, const Expr *node, Sized *type, const BoundNames *names, Dim *value);

// ---- sizes_fun.c -----------------------------------------------------------------------------
typedef struct {
  const Pat *pat;
  Sized *type;
} SizedParam;
typedef LIST(SizedParam) SizedParamList;
Sized *lambda_size(Sizing *z, Expr *exp);
void letfun_size(Sizing *z, FunDef *fun, Binding *binding);
void def_size(Sizing *z, FunDef *fun, Binding *binding);
// Binds unknown sizes made since `start` in the results of functions that produce them.
Sized *unknowns_bind(Sizing *z, Sized *type, int start, int level, DimVarList *exists,
                     const char *of, Span span);

// ---- sizes_exp.c and the groups of rules -----------------------------------------------------
Sized *exp_size(Sizing *z, Expr *exp);
void type_record(Sizing *z, const void *node, Sized *type);
void unknown_record(Sizing *z, const Expr *node, DimVar *unknown);
Dim *unknown_make(Sizing *z, const Expr *node, Name name, Span span, const char *why);
Sized *apply_size(Sizing *z, Expr *exp);
Sized *binop_size(Sizing *z, Expr *exp);
Sized *section_left_size(Sizing *z, Expr *exp);
Sized *section_right_size(Sizing *z, Expr *exp);
Sized *index_size(Sizing *z, const Expr *node, Sized *array, const IndexList *index);
Sized *update_size(Sizing *z, Expr *exp);
Sized *section_path_size(Sizing *z, Expr *exp);
Sized *range_size(Sizing *z, Expr *exp);
Sized *if_size(Sizing *z, Expr *exp);
Sized *match_size(Sizing *z, Expr *exp);
Sized *let_size(Sizing *z, Expr *exp);
Sized *loop_size(Sizing *z, Expr *exp);
Sized *coerce_size(Sizing *z, Expr *exp);
void index_parts_size(Sizing *z, const IndexList *index);

// ---- sizes_cause.c, sizes_mod.c --------------------------------------------------------------
void causality_check(Sizing *z, Expr *body);
void entry_size(Sizing *z, const Scheme *scheme, const FunDef *fun);
void matches_check(Sizing *z);
#endif
