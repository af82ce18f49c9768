// cflow: what derivatives of C need to know of it.  Functions are first simplified (simplify.c:
// one effect in each statement; exits.c: no jumps); then every place of memory has an object
// (objects.c), pointers have sets of objects, functions have summaries, and activity follows.
// Core is not used here.
//
//   object   = a variable | a member of an object | what a pointer parameter or a pointer reached
//              from one points to at entry | what one allocation gives.  All elements of an array
//              are one object.  Pointers that are parameters are taken to point to different
//              objects.
#ifndef CFLOW_H
#define CFLOW_H
#include "ctext/ctext.h"

// ---- program ------------------------------------------------------------------------------------
typedef LIST(CUnit *) CUnits;
typedef LIST(const CStmt *) Stmts;
typedef struct CFlow CFlow;
typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
  CUnits units;
  Map *flows;       // by function: CFlow, once it has been computed
  Map *used;        // names of globals and functions
  Map *summaries;   // of independent.c, by function
  bool lifted;
} CProgram;
CProgram *cprogram_new(Arena *arena, Names *names, Diag *diag, CUnits units);
CFunction *cprogram_function(const CProgram *p, const char *name);  // with a body; NULL: none
// After a message that the caller survives: facts that were being computed then are no answer.
void cprogram_forget(CProgram *p);
// A known gap: one message, then leaves with STATUS_UNSUPPORTED.
_Noreturn void cflow_gap(Diag *diag, Span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
CFunction *cprogram_body(const CProgram *p, const CFunction *f);    // where f is defined, or NULL

void cprogram_pointers(CProgram *p); // pointers.c: pointers to functions become their names
void cprogram_realloc(CProgram *p);  // realloc.c: it becomes malloc, a loop that copies, free
void cprogram_lift(CProgram *p);     // lift.c: types of functions get names outside
void cprogram_pragmas(CProgram *p);  // messages for words that are no pragmas of derivatives

// ---- simplify.c, exits.c: from a function to one with simple statements ------------------------
// A statement has one effect: `lvalue op= pure`, `lvalue++`, `[lvalue =] f(pure, ..)`.  Conditions
// are pure.  Jumps, loops and declarations stay where they are.
typedef struct {
  CProgram *program;
  const CFunction *source;
  CFunction *f;        // simplified: variables are those of source and new ones
  Map *names;          // taken in it
  CVars locals;        // of exits_remove
  CVar *result;        // variable of the value; NULL: none (exits_remove makes it)
  bool keep_declarations;  // exits_remove leaves them, without values, where they were
} CSimple;
CSimple *csimple_of(CProgram *p, const CFunction *f);
// base, or base0, base1 .. if that is taken
Name cname_fresh(Arena *arena, Names *names, Map *taken, const char *base);
CVar *cvar_fresh(CSimple *s, const char *base, const CType *type);
// Without break, continue, return, goto and switch; declarations at the top, each name once; loops
// that are not counted are `while (1)`-free whiles.  Leaves with a message where that is not done.
void exits_remove(CSimple *s);
// rename.c: a copy with variables replaced (by variable: CVar).
const CStmt *cstmt_renamed(Arena *arena, Map *copies, const CStmt *s);
const CStmt *cstmt_replaced(Arena *arena, Map *places, const CStmt *s);  // .. by expressions
const CStmt *cstmt_cloned(Arena *arena, Map *copies, const CStmt *s);  // with copies of its locals

// ---- objects.c ----------------------------------------------------------------------------------
enum { MOST_OBJECTS = 1024 };
typedef struct {
  uint64_t w[MOST_OBJECTS / 64];
} ObjSet;
typedef enum { OBJ_VAR, OBJ_FIELD, OBJ_TARGET, OBJ_HEAP } ObjTag;
typedef struct {
  ObjTag tag;
  const CVar *var;       // of OBJ_VAR
  int parent;            // of OBJ_FIELD; the pointer of OBJ_TARGET
  const CField *field;
  const CExpr *site;     // of OBJ_HEAP: the call
  const CType *type;     // of the place (element)
  int depth;             // of targets
  bool entry;            // there when the function is entered: parameters, globals, their targets
  bool formal;           // reached from a parameter or global
  bool one;              // certainly one cell: a scalar variable or member of one
} Obj;
typedef struct {
  int to, from;          // the value at `to` depends on that at `from`, differentiably
} Edge;
struct CFlow {
  CProgram *program;
  const CFunction *function;
  const CStmt *body;
  LIST(Obj) objs;
  LIST(ObjSet) targets;  // by object: what a pointer there may point to
  Map *var_objs;         // by variable: number + 1
  LIST(Edge) edges;
  ObjSet reads, writes;  // of places, anywhere in the function; an assignment counts as both
  ObjSet loads;          // the reads, without places that are only assigned
  ObjSet frees;          // allocations and targets that are freed
  int result;            // object of the returned value; -1: none
  bool done, running;    // summaries of recursive functions grow until they stay
  bool external;         // prints, reads, or has state: cannot be done twice
  bool changed, quiet;
};
CFlow *cflow_of(CProgram *p, const CFunction *f);  // of the function as written
CFlow *cflow_simple(CProgram *p, CSimple *s);      // of a simplified one
void set_add(ObjSet *s, int i);
bool set_has(const ObjSet *s, int i);
bool set_join(ObjSet *to, const ObjSet *s);  // whether it grew
bool set_meets(const ObjSet *a, const ObjSet *b);
bool set_empty(const ObjSet *a);
ObjSet cflow_spread(CFlow *f, ObjSet places);         // with the members of records
ObjSet cflow_places(CFlow *f, const CExpr *lvalue);   // objects it may be
ObjSet cflow_targets(CFlow *f, const CExpr *pointer); // objects a pointer value points to
const Obj *cflow_whole(const CFlow *f, int obj);  // the memory that a member is in; obj's if none
int cflow_var(CFlow *f, const CVar *v);
int cflow_field(CFlow *f, int obj, const CField *field);
int cflow_target(CFlow *f, int obj);                  // of a pointer at entry
// Each place whose value e uses, those in its addresses included.
void cflow_each_read(const CExpr *e, void (*read)(void *state, const CExpr *place), void *state);
ObjSet cflow_reads(CFlow *f, const CExpr *e);         // the objects of these places
// An object of the callee, seen by its caller, at a call.
ObjSet cflow_map(CFlow *caller, CFlow *callee, const CExpr *call, int obj);
bool cflow_floats(const CFlow *f, int obj);           // the place has a floating-point number

// ---- activity.c ---------------------------------------------------------------------------------
ObjSet cflow_reach(const CFlow *f, const ObjSet *from, bool backwards);
bool cflow_pointer_active(CFlow *f, const ObjSet *active, const CExpr *pointer);
bool cflow_leads(CFlow *f, const ObjSet *active, ObjSet targets);  // through pointers, too
ObjSet cflow_floats_below(CFlow *f, ObjSet places);                // numbers in and below places
bool cflow_active(CFlow *f, const ObjSet *active, const CExpr *lvalue);

// ---- independent.c ------------------------------------------------------------------------------
// Whether no iteration of the loop (a statement of f's body) uses a value that another iteration
// computes, except sums that it adds to.  Then an iteration that is executed again gives the same
// values.  reads: the objects that an iteration reads and does not write.
bool cflow_independent(CFlow *f, const CStmt *loop, const ObjSet *writes, ObjSet *reads);
// The objects whose values at the beginning an iteration of the loop, or a block of neighbours in
// f's body, may use.  once: sums that it adds to as well.  False: not known.
bool cflow_exposed(CFlow *f, const CStmt *s, bool once, ObjSet *exposed);
// carried.c: what an iteration reads and another one certainly writes; NULL: none is known.
const CExpr *cflow_carried(CFlow *f, const CStmt *loop);

// ---- lengths.c ----------------------------------------------------------------------------------
// The number of elements of what a parameter points to, as a C expression of the parameters at
// entry; NULL: not known.
const CExpr *clength_of(CProgram *p, const CFunction *f, const CVar *param);
#endif
