// Calls of the schedule's functions, schedule.ir, in derivatives of loops within bounded memory.
#include "checkpoint.h"
#include "values/embed.h"

static const Prog *schedule_of(Vjp *v) {
  const Prog **schedule = calls_schedule(v->varied.calls);
  if (*schedule) return *schedule;
  Arena *arena = vjp_arena(v);
  const char *text = schedule_text;
  const Source *src = source_new(arena, "schedule.ir", text, strlen(text));
  *schedule = core_parse(arena, src, diag_new(arena));
  check(*schedule);
  return *schedule;
}

Atom schedule(Vjp *v, const char *name, Atoms args) {
  const Prog *from = schedule_of(v);
  const Fn *fn = prog_fn(from, arena_printf(vjp_arena(v), "schedule_%s", name));
  Builder *b = vjp_builder(v);
  check(fn && fn->params.len == args.len);
  if (fn->attrs.noinline_) {
    calls_bring(v->varied.calls, fn);
    Exp call = {.form = FORM_APPLY, .apply = {.fn = fn->name, .args = args}};
    return build(b, name, type_scalar(PRIM_I64), call);
  }
  Rewrite w = rewrite_new(from, *b);
  for (int i = 0; i < args.len; i++) rewrite_bind(&w, fn->params.at[i], args.at[i]);
  rewrite_stms(&w, fn->body.stms);
  return rewrite_atom(&w, fn->body.results.at[0]);
}
