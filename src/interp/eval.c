// Environments, statements, functions, failure.
#include "local.h"
#include "rts/stack.h"
#include <stdlib.h>
#include <string.h>

_Noreturn void interp_fail(Interp *in, const char *fmt, ...) {
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  in->message = arena_strdup(in->arena, text.at);
  text_puts(&text, "\n\nBacktrace:\n");
  loc_print(&text, in->stm ? in->stm->loc : NULL);
  in->error = arena_strdup(in->arena, text.at);
  in->unchecked = in->stm && in->stm->attrs.unchecked && !form_has_bodies[in->stm->exp.form];
  text_free(&text);
  longjmp(in->fail, 1);
}

IValue atom_get(Interp *in, Atom a) {
  return a.is_var ? in->env[a.var.id] : ivalue_scalar(a.value);
}

int64_t atom_int(Interp *in, Atom a) { return atom_get(in, a).scalar.i; }
IValue atom_own(Interp *in, Atom a) { return ivalue_retain(atom_get(in, a)); }

IValue atom_take(Interp *in, Atom a) {
  IValue v = atom_get(in, a);
  if (!v.array) return v;
  in->env[a.var.id] = (IValue){0};
  return array_owned(in, v);
}

void var_set(Interp *in, Var v, IValue value) {
  ivalue_release(in->env[v.id]);
  in->env[v.id] = value;
}

void steps_take(Interp *in, int64_t steps) {
  in->steps += steps;
  if (in->options.step_limit && in->steps > in->options.step_limit)
    interp_fail(in, "Step limit of %lld reached", (long long)in->options.step_limit);
}

static void step_count(Interp *in) {
  in->counts.span++;
  steps_take(in, 1);
}

void stms_eval(Interp *in, const Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    const Stm *stm = &stms->at[i], *outer = in->stm;
    in->stm = stm;
    step_count(in);
    Scratch mark = scratch_mark(in);
    IValue *out = values_new(in, stm->bound.len);
    exp_eval(in, &stm->exp, &stm->bound, out);
    if (in->options.trace_nan) nan_look(in, stm, out);
    for (int k = 0; k < stm->bound.len; k++) var_set(in, stm->bound.at[k], out[k]);
    scratch_reset(in, mark);
    in->stm = outer;
  }
}

// Arrays bound in a body that has ended must not keep the next iteration from updating in place.
static void arrays_forget(Interp *in, const Vars *vars) {
  for (int i = 0; i < vars->len; i++)
    if (in->env[vars->at[i].id].array) var_set(in, vars->at[i], (IValue){0});
}

void body_eval(Interp *in, const Body *body, IValue *out) {
  stms_eval(in, &body->stms);
  for (int i = 0; i < body->results.len; i++) out[i] = atom_own(in, body->results.at[i]);
  for (int i = 0; i < body->stms.len; i++) arrays_forget(in, &body->stms.at[i].bound);
}

void lambda_eval(Interp *in, const Lambda *fn, IValue *args, IValue *out) {
  for (int i = 0; i < fn->params.len; i++) var_set(in, fn->params.at[i], args[i]);
  body_eval(in, &fn->body, out);
  arrays_forget(in, &fn->params);
}

void dims_eval(Interp *in, const Atoms *dims, int64_t out[16]) {
  check(dims->len <= 16);
  for (int i = 0; i < dims->len; i++) {
    out[i] = atom_int(in, dims->at[i]);
    if (out[i] < 0) interp_fail(in, "Size %lld is negative", (long long)out[i]);
  }
}

IValue zeros_of_type(Interp *in, Type t, int leading, const int64_t *dims) {
  if (t.rank + leading == 0) return ivalue_scalar(scalar_number(t.prim, 0));
  int64_t all[16];
  for (int i = 0; i < leading; i++) all[i] = dims[i];
  for (int i = 0; i < t.rank; i++) all[leading + i] = atom_int(in, t.dims[i]);
  return (IValue){.array = array_new(in, t.prim, leading + t.rank, all)};
}

void exp_eval(Interp *in, const Exp *exp, const Vars *bound, IValue *out) {
  (void)bound;
  switch (exp->form) {
#define FORM(id, member, keyword, fields) \
  case FORM_##id: eval_##member(in, &exp->member, out); return;
#include "core/form.def"
    case FORM_COUNT: break;
  }
  ice("form %d", exp->form);
}

// ---- calls

static void vars_collect(void *state, const Body *body, const Vars *params);

typedef struct {
  Arena *arena;
  Vars *vars;
} Collector;

static void body_collect(Collector *c, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    for (int k = 0; k < stm->bound.len; k++) list_push(c->arena, c->vars, stm->bound.at[k]);
    exp_each_body(&stm->exp, vars_collect, c);
  }
}

static void vars_collect(void *state, const Body *body, const Vars *params) {
  Collector *c = state;
  for (int i = 0; params && i < params->len; i++) list_push(c->arena, c->vars, params->at[i]);
  body_collect(c, body);
}

static Vars *fn_vars(Interp *in, const Fn *fn) {
  Vars *vars = map_get(in->fn_vars, KEY(fn));
  if (vars) return vars;
  vars = NEW(in->arena, Vars);
  for (int i = 0; i < fn->params.len; i++) list_push(in->arena, vars, fn->params.at[i]);
  Collector c = {in->arena, vars};
  body_collect(&c, &fn->body);
  map_put(in->fn_vars, KEY(fn), vars);
  return vars;
}

static void fn_call(Interp *in, const Fn *fn, IValue *args, IValue *out) {
  int limit = in->options.depth_limit;
  if (++in->depth > limit && limit) interp_fail(in, "Calls nested deeper than %d", limit);
  if ((const char *)__builtin_frame_address(0) < in->stack_end) interp_fail(in, "%s", DZ_DEEP);
  Vars *vars = fn_vars(in, fn);
  bool recursive = map_get(in->active, KEY(fn)) != NULL;
  IValue *saved = recursive ? values_new(in, vars->len + 1) : NULL;
  for (int i = 0; saved && i < vars->len; i++) {
    saved[i] = in->env[vars->at[i].id];
    in->env[vars->at[i].id] = (IValue){0};
  }
  map_put(in->active, KEY(fn), (void *)(uintptr_t)1);
  for (int i = 0; i < fn->params.len; i++) var_set(in, fn->params.at[i], args[i]);
  body_eval(in, &fn->body, out);
  arrays_forget(in, &fn->params);
  if (!recursive) map_put(in->active, KEY(fn), NULL);
  for (int i = 0; saved && i < vars->len; i++) var_set(in, vars->at[i], saved[i]);
  in->depth--;
}

void eval_apply(Interp *in, const struct apply_form *e, IValue *out) {
  const Fn *fn = prog_fn(in->prog, e->fn);
  check(fn && fn->params.len == e->args.len);
  IValue *args = values_new(in, e->args.len);
  for (int i = 0; i < e->args.len; i++) args[i] = atom_own(in, e->args.at[i]);
  fn_call(in, fn, args, out);
}

// A call that fails leaves arrays in lists that nothing will walk again: all that it made goes,
// and its arguments have the references that they came with.
static void env_release(Interp *in, const IValues *args, const int *refs, bool ok) {
  for (int i = 0; i < in->prog->vars.len; i++) ivalue_release(in->env[i]);
  free(in->env);
  scratch_free(in);
  for (int i = 0; !ok && i < args->len; i++)
    if (args->at[i].array) args->at[i].array->refs = refs[i];
  while (!ok && in->arrays->after != in->arrays) {
    IArray *left = in->arrays->after;
    array_unlink(left);
    free(left);
  }
}

typedef struct {
  Interp *in;
  const Fn *fn;
  const IValues *args;
  InterpResult *result;
} Run;

static void run(void *state) {
  Run *r = state;
  Interp *in = r->in;
  const IValues *args = r->args;
  in->stack_end = dz_stack_end();
  if (setjmp(in->fail) != 0) return;
  stms_eval(in, &in->prog->constants);
  check(args->len == r->fn->params.len);
  IValue *owned = NEW_ARRAY(in->arena, IValue, args->len + 1);
  for (int i = 0; i < args->len; i++) owned[i] = ivalue_retain(args->at[i]);
  IValue *out = NEW_ARRAY(in->arena, IValue, r->fn->results.len + 1);
  if (in->options.trace_nan) nan_arguments(in, r->fn, owned);
  fn_call(in, r->fn, owned, out);
  for (int i = 0; i < r->fn->results.len; i++) {
    if (out[i].array) array_unlink(out[i].array);
    list_push(in->arena, &r->result->results, out[i]);
  }
  r->result->ok = true;
}

InterpResult interp_call(Arena *arena, const Prog *prog, const char *name, IValues args,
                         const InterpOptions *options) {
  Interp *in = NEW(arena, Interp);
  in->prog = prog;
  in->arena = arena;
  if (options) in->options = *options;
  in->env = calloc((size_t)prog->vars.len + 1, sizeof(IValue));
  if (!in->env) fail_io("out of memory");
  in->arrays = NEW(arena, IArray);
  in->arrays->before = in->arrays->after = in->arrays;
  in->fn_vars = map_new(arena);
  in->active = map_new(arena);
  in->acc_ops = map_new(arena);
  in->sites = map_new(arena);
  const Fn *fn = prog_fn(prog, name);
  check(fn);
  InterpResult result = {0};
  int *refs = NEW_ARRAY(arena, int, args.len + 1);
  for (int i = 0; i < args.len; i++) refs[i] = args.at[i].array ? args.at[i].array->refs : 0;
  Run call = {in, fn, &args, &result};
  if (cycles_any(cycles_find(prog, arena))) deep_run(run, &call);
  else run(&call);
  if (in->options.trace_nan) nan_report(in, &result.results);
  dz_looks_free(&in->looks);
  result.error = in->error;
  result.message = in->message;
  result.unchecked = in->unchecked;
  result.counts = in->counts;
  env_release(in, &args, refs, result.ok);
  return result;
}
