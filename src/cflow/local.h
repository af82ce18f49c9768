// cflow's own: growing sets of objects, messages.
#ifndef CFLOW_LOCAL_H
#define CFLOW_LOCAL_H
#include "cflow.h"

int obj_add(CFlow *f, Obj obj);
void flow_scan(CFlow *f);                      // scan.c: one pass over the body
void flow_call(CFlow *f, const CExpr *call);   // calls.c: effects of a call
ObjSet flow_sources(CFlow *f, const CExpr *e); // places e depends on differentiably
void flow_edges(CFlow *f, const ObjSet *to, const ObjSet *from);
void flow_points(CFlow *f, const ObjSet *places, const ObjSet *targets);
void flow_writes(CFlow *f, const ObjSet *places);
ObjSet flow_heap(CFlow *f, const CExpr *site, int inner, const CType *type);
const CStmt *locals_copied(CSimple *s, const CStmt *body);  // rename.c
// parts.c: frexp, modf, sincos as statements and a value (NULL: none); x has their argument.
typedef struct {
  const CExpr *first, *second, *value;
} CParts;
bool call_has_parts(const CExpr *call);
CParts call_parts(CProgram *p, const CExpr *call, const CExpr *x);
const CStmt *jumps_forward(CSimple *s, const CStmt *body);  // forward.c
bool call_may_use(const CExpr *call, const CExpr *place);   // overlap.c
ObjSet flow_result_targets(CFlow *f, const CExpr *call);
#endif
