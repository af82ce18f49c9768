// Calls of derivatives that users wrote.  Activity, reads and writes are those of the body.
// The derivative of an argument that is not active is passed as 0.
//   y = g(x, n)      yd = g_d(x, xd, n, &y)      g_b(x, xb, n, yb)
// In the reverse sweep the memory that g wrote has any values, unless the rule says it is needed.
#include "local.h"

// The callee's own name, for the call and for its declaration.
static const CExpr *given_call(CDiff *d, const CFunction *f, const Exprs *args) {
  note_original(d, f);
  map_put(d->given, KEY(f), (void *)(uintptr_t)f);
  return cbuild_call(d->arena, f, args->at, args->len);
}

void given_arg(CDiff *d, Exprs *args, const CExpr *e) {
  list_push(d->arena, args, e ? e : cbuild_int(d->arena, 0));
}

bool given_tangent(const CDiff *d, const CFunction *g) {
  return g->given && g->given->tangent && !directions_many(d);
}

bool given_adjoint(const Derived *g) {
  const CGiven *given = g->source->given;
  if (!given || !given->adjoint || directions_many(g->d)) return false;
  for (int i = 0; i < given->constant.len; i++)
    if (derived_param_active((Derived *)(uintptr_t)g, given->constant.at[i])) return false;
  return true;
}

const CExpr *given_adjoint_call(const Derived *g, const Exprs *args) {
  return given_call(g->d, g->source->given->adjoint, args);
}

const CExpr *given_tangent_call(CDiff *d, const CFunction *g, const Exprs *args) {
  return given_call(d, g->given->tangent, args);
}

// Derivatives without a body are declared; of the others, keep_called has those that are called.
void given_originals(CDiff *d) {
  for (int i = 0; i < map_len(d->given); i++) {
    CFunction *f = map_value_at(d->given, i);
    if (!cprogram_body(d->p, f)) list_push(d->arena, &d->originals, f);
  }
}
