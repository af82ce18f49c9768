// cdiff's own: derived functions, shadows of variables and types, building of expressions.
#ifndef CDIFF_LOCAL_H
#define CDIFF_LOCAL_H
#include "cdiff.h"

typedef LIST(int) Lines;
typedef struct Derived Derived;
typedef struct Split Split;
typedef struct {
  Name *at, name;             // of a function or variable; the name it has in the source
} CRenamed;
typedef struct {
  CProgram *p;
  Arena *arena;
  const CDiffOptions *options;
  LIST(Derived *) derived;    // in the order of being asked for
  LIST(const CFunction *) originals;  // called from derivatives
  Map *records;               // by record: its shadow
  LIST(const CRecord *) shadow_records;
  Map *library;               // by name: functions of dagaz_tape.h, calloc
  LIST(Split *) splits;
  LIST(struct SweepNotes *) notes;  // of the sweeps made
  Map *passive;               // by function: Derived of which nothing is active
  Map *made_calls;            // by function made: the call it replaces
  Map *given;                 // derivatives that users wrote and that are called
  LIST(CRenamed) renamed;     // while the text is printed
  bool tape;
  Span at;                    // of the source's statement whose derivative is being made
  CLayout layout;             // of the source, and where its statements are printed
} CDiff;
// One function differentiated for one set of active places.
struct Derived {
  CDiff *d;
  CFunction *source;          // as written
  CSimple *simple;
  CFlow *flow;                // of simple, with the same objects at entry as the source's
  ObjSet active;
  ObjSet varied, useful;      // before they met
  ObjSet wanted, given;       // asked for: places useful at exit, varied at entry, in source terms
  ObjSet entry_active;        // of the places at entry, in source terms
  bool result_active;
  bool head, made, used;      // used: called, not only its split sweeps
  LIST(Split *) splits;       // of adjoints: its sweeps as separate functions
  const CHead *head_spec;
  Name name;
  Map *shadows;               // by variable: CVar of the shadow
  CFunction *out;             // the function made
  CVars extra;                // locals of the function made
  CVar *direction, *directions;  // counter of directions, parameter nbdirs; NULL: none
  CVars copied;               // directions of parameters that change: the copy, the parameter
  CVar *value, *value_shadow;    // parameters of tangents for the value; NULL: returned
  Map *loops;                 // by loop: LoopFacts, once asked for
  Map *advice;                // by loop or call: its pragma, once asked for
  Map *regions;               // by the pragma at their begin: blocks
  Map *named;                 // by temporary: the expression it has the value of
};

// ---- context.c: which functions, for which active places ----------------------------------------
Derived *derived_head(CDiff *d, const CHead *head);
// Of a call whose value goes to lhs (NULL: nowhere).  NULL: nothing in it is active.
Derived *derived_call(Derived *caller, const CExpr *call, const CExpr *lhs);
bool derived_param_active(Derived *f, int i);
bool is_active(Derived *f, const CExpr *lvalue);            // place, or pointer to such
bool activity_close(Derived *f);
// Places at entry, from one flow of a function to another.
ObjSet entry_places(CFlow *to, const CFlow *from, const ObjSet *set);

// ---- shadow.c -----------------------------------------------------------------------------------
const CType *shadow_type(CDiff *d, const CType *t);
bool type_has_shadow(const CType *t);
bool shadow_leads(const CType *t);     // a struct whose shadow has pointers
bool may_have_shadow(const CType *t);  // if what it points to is active
CVar *shadow_var(Derived *f, const CVar *v);
const CExpr *shadow_place(Derived *f, const CExpr *lvalue);
const CExpr *shadow_pointer(Derived *f, const CExpr *pointer);
bool parameter_changes(Derived *f, const CVar *v);
const CExpr *shadow_size(CDiff *d, const CExpr *size);      // sizeof of shadow types
const CExpr *shadow_size_of(CDiff *d, const CType *t, const CExpr *size);  // .. of memory of t
const CType *shadow_led(const CExpr *pointer, const CExpr **bare);  // what a void * hides

// ---- directions.c: several directions ----------------------------------------------------------
bool directions_many(const CDiff *d);
bool directions_any(const CDiff *d);  // their number is not bounded, and the first parameter
// nbdirs as a parameter or argument, where it has this place: the first if types of others depend
// on it, else the last.
typedef LIST(const CExpr *) Exprs;
void directions_param_first(Derived *f, CVars *params);
void directions_param_last(Derived *f, CVars *params);
void directions_arg_first(Derived *f, Exprs *args);
void directions_arg_last(Derived *f, Exprs *args);
bool directions_sized(const CDiff *d, const CType *t);  // an array whose size that tells
const CType *directions_type(const CDiff *d, const CType *number);
const CType *directions_parameter(const CDiff *d, const CType *number);
CVar *directions_used(Derived *f);  // nbdirs
CVar *directions_temporary(Derived *f, const CType *number);
const CExpr *direction_of(Derived *f, const CExpr *shadow);  // in the present direction
void direction_body(Derived *f, const Stmts *body, Stmts *out);  // of one direction, for all
void direction_assign(Derived *f, COp op, const CExpr *shadow, const CExpr *value, Stmts *out);
CVar *directions_copied(Derived *f, CVar *shadow);  // the parameter that gives a local its values
void directions_copy(Derived *f, Stmts *out);  // gives them
Stmts directions_fused(Derived *f, const Stmts *list);

// ---- build.c ------------------------------------------------------------------------------------
const CExpr *mk_num(CDiff *d, const CType *t, double v);
const CExpr *mk_add(CDiff *d, const CExpr *a, const CExpr *b);  // NULL is zero
const CExpr *mk_sub(CDiff *d, const CExpr *a, const CExpr *b);
const CExpr *mk_mul(CDiff *d, const CExpr *a, const CExpr *b);
const CExpr *mk_div(CDiff *d, const CExpr *a, const CExpr *b);
const CExpr *mk_neg(CDiff *d, const CExpr *a);
const CExpr *mk_cond(CDiff *d, const CExpr *c, const CExpr *a, const CExpr *b);
const CExpr *mk_call(CDiff *d, const char *name, const CType *result, const CExpr *const *args,
    int n);
const CExpr *mk_convert(CDiff *d, const CExpr *e, const CType *to);  // a cast where it rounds
bool mk_is(const CExpr *e, double v);
bool same_expr(const CExpr *a, const CExpr *b);
void stmts_add(CDiff *d, Stmts *to, const CStmt *s);
void stmts_add_all(CDiff *d, Stmts *to, const Stmts *from);
void stmts_expr(CDiff *d, Stmts *to, const CExpr *e);
void stmts_assign(CDiff *d, Stmts *to, const CExpr *x, const CExpr *y);
CVar *local_new(Derived *f, const char *base, const CType *type);
const CExpr *var_of(CDiff *d, const CVar *v);
const CStmt *stmts_block(CDiff *d, const Stmts *s);
void memory_cleared(CDiff *d, const CExpr *place, Stmts *to);  // memset of a struct or array
const CExpr *cbuild_list(Arena *arena, const CType *t, CInit *elems, int n);
const CExpr *zeros(Arena *arena, const CType *t);  // {0}

// ---- var_use.c: variables of statements
typedef struct {
  Map *used, *read;  // by variable
} VarUse;
VarUse var_use_new(Arena *arena);
void var_use_add(VarUse *u, const CStmt *s, bool simple);

// ---- partial.c ----------------------------------------------------------------------------------
// d call / d argument i; result: an expression of the call's value.  NULL: zero.
const CExpr *partial_of(CDiff *d, const CExpr *call, int i, const CExpr *result);
bool partial_needs_result(const CExpr *call);
bool partial_of_result(const CExpr *call);  // of one argument, which it does not need
const CExpr *rule_partial(CDiff *d, const CExpr *call, int i, const CExpr *result);
bool rule_needs_result(const CRule *rule);
void rule_originals(CDiff *d);  // functions with rules that derivatives call are declared

// ---- given.c: derivatives that users wrote ------------------------------------------------------
bool given_tangent(const CDiff *d, const CFunction *g);   // has one
bool given_adjoint(const Derived *g);  // has one for these active places
void given_arg(CDiff *d, Exprs *args, const CExpr *e);    // NULL: not active
const CExpr *given_tangent_call(CDiff *d, const CFunction *g, const Exprs *args);
const CExpr *given_adjoint_call(const Derived *g, const Exprs *args);
void given_originals(CDiff *d);                           // they are declared

// ---- headers.c: names that the headers of the output declare, too -------------------------------
void headers_names(CDiff *d);       // others where that is possible, until ..
void headers_names_back(CDiff *d);
void headers_variable(CDiff *d, const CVar *v);         // leave with a message where it is not
void headers_function(CDiff *d, const CFunction *f);
void headers_enumerators(CDiff *d, const CRecord *r);

// ---- prepare.c: temporaries for subexpressions that partials need and that cost ----------------
// e with costly active subexpressions replaced by temporaries, which are assigned in `before`.
const CExpr *prepare(Derived *f, const CExpr *e, Stmts *before);
// The same where the variable `known` has the value.
const CExpr *prepare_known(Derived *f, const CExpr *e, const CExpr *known, Stmts *before);
bool depends_active(Derived *f, const CExpr *e);            // some active place in it matters

// ---- tidy.c -------------------------------------------------------------------------------------
// `double x; .. x = e;` becomes `double x = e;` where nothing between mentions x.
bool stmt_mentions(const CStmt *s, const CVar *v);
void declarations_join(CDiff *d, Stmts *list);
void body_tidy(CDiff *d, Stmts *body);  // initialisers; no warnings about what is only assigned
void parameters_use(CDiff *d, CFunction *f, Stmts *body);  // (void)x for those not mentioned

// ---- tangent.c, adjoint.c -----------------------------------------------------------------------
void tangent_make(Derived *f);
void adjoint_make(Derived *f);
void split_make(Split *s);
// length.c: elements of what a parameter points to; leaves with [c-length] where it is not known.
const CExpr *cdiff_length(Derived *f, const CVar *param);
void place_print(Text *out, const CFlow *f, int obj);  // *x, s.member
_Noreturn void refuse(CDiff *d, Span at, const char *message, const char *hint);
void note_original(CDiff *d, const CFunction *f);
void code_visit(CDiff *d, CExprVisit *visit, void *state);  // of all derivatives
#endif
