// Whether a call may read or write the place that its value is assigned to, as in
//   x[i] = norm (n, x)
// Then it is t = norm (n, x); x[i] = t.  The derivative of the call assigns the value of the call
// while it still reads x.
#include "local.h"

// The variable that a place or pointer begins at; NULL: what a call or a choice gives.
static const CVar *root_of(const CExpr *e) {
  while (e->tag != CE_VAR) {
    bool right = e->tag == CE_BINARY && !ctype_is_pointer(e->x->type);
    if (e->tag == CE_CALL || e->tag == CE_COND || !e->x) return NULL;
    e = right ? e->y : e->x;
  }
  return e->var;
}

// Memory that no other variable leads to, unless its address is taken.
static bool has_own_memory(const CVar *v) {
  bool leads = v->type->tag == CTYPE_POINTER;
  return !v->is_global && (!leads || (v->is_param && !v->assigned && !v->addressed));
}

static bool leads_to(const CExpr *arg, const CVar *to) {
  const CVar *from = root_of(arg);
  return !from || from == to || !has_own_memory(from) || !has_own_memory(to);
}

static bool is_address(const CType *t) {
  for (int i = 0; ctype_is_record(t) && i < t->record->fields.len; i++)
    if (is_address(ctype_element(t->record->fields.at[i].type))) return true;
  return t->tag == CTYPE_POINTER;
}

bool call_may_use(const CExpr *call, const CExpr *place) {
  const CVar *to = root_of(place);
  if (!to || to->is_global || to->storage == CSTORE_STATIC) return true;
  if (cexpr_owner(place) && ctype_is_scalar(to->type) && !to->addressed) return false;
  for (int i = 0; i < call->nargs; i++)
    if (is_address(call->args[i]->type) && leads_to(call->args[i], to)) return true;
  return false;
}
