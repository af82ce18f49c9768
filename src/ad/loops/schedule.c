// Calls of the schedule's functions, schedule.ir, in derivatives of loops within bounded memory.
#include "checkpoint.h"

Atom schedule(Vjp *v, const char *name, Atoms args) {
  const Prog *from = calls_schedule(v->varied.calls);
  const Fn *fn = prog_fn(from, arena_printf(vjp_arena(v), "schedule_%s", name));
  Builder *b = vjp_builder(v);
  check(fn);
  if (!fn->attrs.noinline_) return body_inline(b, from, &fn->body, fn->params, args).at[0];
  calls_bring(v->varied.calls, fn->name);
  Exp call = {.form = FORM_APPLY, .apply = {.fn = fn->name, .args = args}};
  return build(b, name, type_scalar(PRIM_I64), call);
}
