// Activity: what depends on the inputs (edges forwards) and influences the outputs (backwards).
#include "local.h"

ObjSet cflow_reach(const CFlow *f, const ObjSet *from, bool backwards) {
  ObjSet reached = *from;
  bool grew = true;
  while (grew) {
    grew = false;
    for (int i = 0; i < f->edges.len; i++) {
      int a = backwards ? f->edges.at[i].to : f->edges.at[i].from;
      int b = backwards ? f->edges.at[i].from : f->edges.at[i].to;
      if (!set_has(&reached, a) || set_has(&reached, b)) continue;
      set_add(&reached, b);
      grew = true;
    }
  }
  return reached;
}

// The pointer leads, through others perhaps, to something active.
bool cflow_leads(CFlow *f, const ObjSet *active, ObjSet targets) {
  for (int round = 0; round < 6; round++) {
    targets = cflow_spread(f, targets);
    if (set_meets(&targets, active)) return true;
    ObjSet next = {{0}};
    for (int i = 0; i < f->objs.len; i++)
      if (set_has(&targets, i)) set_join(&next, &f->targets.at[i]);
    if (set_empty(&next)) return false;
    targets = next;
  }
  return true;
}

bool cflow_pointer_active(CFlow *f, const ObjSet *active, const CExpr *pointer) {
  return cflow_leads(f, active, cflow_targets(f, pointer));
}

bool cflow_active(CFlow *f, const ObjSet *active, const CExpr *e) {
  ObjSet places = cflow_places(f, e);
  if (e->type->tag == CTYPE_POINTER) return cflow_leads(f, active, cflow_targets(f, e));
  places = cflow_spread(f, places);
  if (set_meets(&places, active)) return true;
  for (int i = 0; i < f->objs.len; i++)
    if (set_has(&places, i) && !set_empty(&f->targets.at[i]) &&
        cflow_leads(f, active, f->targets.at[i]))
      return true;
  return false;
}

ObjSet cflow_floats_below(CFlow *f, ObjSet places) {
  ObjSet result = {{0}};
  for (int round = 0; round < 7 && !set_empty(&places); round++) {
    places = cflow_spread(f, places);
    ObjSet next = {{0}};
    for (int i = 0; i < f->objs.len; i++) {
      if (!set_has(&places, i)) continue;
      const CType *t = f->objs.at[i].type;
      t = ctype_element(t);
      bool dangling = t->tag == CTYPE_POINTER && ctype_is_float(t->base) &&
                      set_empty(&f->targets.at[i]);  // null so far: has a shadow all the same
      if (ctype_is_float(t) || dangling) set_add(&result, i);
      set_join(&next, &f->targets.at[i]);
    }
    places = next;
  }
  return result;
}
