// cflow's own: growing sets of objects, messages.
#ifndef CFLOW_LOCAL_H
#define CFLOW_LOCAL_H
#include "cflow.h"

// children.c: copies of s with other statements, and with f of its body, else and statements.
const CStmt *cstmt_with(Arena *arena, const CStmt *s, const Stmts *list);
typedef const CStmt *CStmtMap(const CStmt *s, void *state);
CStmt *cstmt_mapped(Arena *arena, const CStmt *s, CStmtMap *f, void *state);
// The names that a function's variables must not have again: those of the program and its own.
Map *names_taken(CProgram *p, const CFunction *f);
CVar *var_named(CProgram *p, Map *taken, const CFunction *owner, const char *base, const CType *t);
int obj_add(CFlow *f, Obj obj);
void flow_scan(CFlow *f);                      // scan.c: one pass over the body
void flow_call(CFlow *f, const CExpr *call);   // calls.c: effects of a call
ObjSet flow_sources(CFlow *f, const CExpr *e); // places e depends on differentiably
void flow_edges(CFlow *f, const ObjSet *to, const ObjSet *from);
void flow_points(CFlow *f, const ObjSet *places, const ObjSet *targets);
void flow_writes(CFlow *f, const ObjSet *places);
void flow_reads(CFlow *f, const ObjSet *places);
ObjSet flow_heap(CFlow *f, const CExpr *site, int inner, const CType *type);
const CStmt *locals_copied(CSimple *s, const CStmt *body);  // rename.c
// parts.c: frexp, modf, sincos as statements and a value (NULL: none); x has their argument.
typedef struct {
  const CExpr *first, *second, *value;
} CParts;
// A call of a function of the C library.
const CExpr *libc_call(CProgram *p, const char *name, const CType *result,
                       const CExpr *const *args, int n);
bool call_has_parts(const CExpr *call);
CParts call_parts(CProgram *p, const CExpr *call, const CExpr *x);
const CStmt *jumps_back(CSimple *s, const CStmt *body);     // backward.c
bool jumps_to(const CStmt *s, Name label);                  // somewhere in it
const CStmt *jumps_forward(CSimple *s, const CStmt *body);  // forward.c
bool call_may_use(const CExpr *call, const CExpr *place);   // overlap.c
ObjSet flow_result_targets(CFlow *f, const CExpr *call);
#endif
