// Application of function values: gathering arguments, then running the body here or calling a
// shared core function.
#include <string.h>
#include "local.h"

// ---- the static part of functions -----------------------------------------------------------

static bool has_attr(const AttrList *attrs, const char *name) {
  for (int i = 0; attrs && i < attrs->len; i++)
    if (attrs->at[i]->tag == ATTR_NAME && strcmp(attrs->at[i]->name, name) == 0) return true;
  return false;
}

Code *code_of(Elab *e, const void *node) {
  Code *code = map_get(e->codes, KEY(node));
  if (code) return code;
  code = NEW(e->arena, Code);
  code->node = node;
  map_put(e->codes, KEY(node), code);
  return code;
}

Code *code_of_fun(Elab *e, const FunDef *fun, const AttrList *attrs) {
  Code *code = code_of(e, fun);
  if (code->body) return code;
  code->name = fun->name;
  code->span = fun->name_span;
  code->tparams = &fun->tparams;
  code->params = &fun->params;
  code->ret = fun->ret;
  code->body = fun->body;
  code->result = fun->info ? fun->info->type : NULL;
  code->recursive = fun->info && fun->info->recursive;
  code->inline_ = has_attr(attrs, "inline");
  code->noinline_ = has_attr(attrs, "noinline");
  code->unsafe = has_attr(attrs, "unsafe");
  return code;
}

Code *code_of_lambda(Elab *e, const Expr *lambda) {
  Code *code = code_of(e, lambda);
  if (code->body) return code;
  code->span = lambda->span;
  code->params = &lambda->lambda.params;
  code->ret = lambda->lambda.ret;
  code->body = lambda->lambda.body;
  code->result = lambda->type ? stype_find(lambda->type) : NULL;
  for (int i = 0; code->result && i < code->params->len; i++)
    code->result = code->result->tag == TYPE_ARROW ? stype_find(code->result->arrow.to) : NULL;
  code->local = true;
  return code;
}

// ---- running a body -------------------------------------------------------------------------

static const Env *bind_types(Elab *e, const Env *env, const TypeArgs *targs) {
  for (int i = 0; i < targs->len; i++) env = env_def(e, env, targs->at[i]);
  return env;
}

static const char *const result_message = "Result has size %d where %d is expected.";

// Parameters, then sizes that only the context of the call determines.
static const Env *bind_params(Elab *e, const Val *fun, Vals args, Pending *pending,
                              const Sem *want) {
  const Code *code = fun->fun.code;
  const Env *env = sizes_begin(e, bind_types(e, fun->fun.env, &fun->fun.targs));
  for (int i = 0; i < code->params->len; i++)
    env = pat_bind(e, env, code->params->at[i], args.at[i], pending);
  if (pending->names.len > 0) inst_sizes(e, &env, pending);
  if (pending->names.len > 0 && want && code->ret) texp_want(e, &env, code->ret, want, pending);
  return env;
}

Val *code_run(Elab *e, const Val *fun, Vals args) {
  const Code *code = fun->fun.code;
  const Sem *want = e->want;
  const Loc *callers = e->callers, *site = e->b.loc;
  bool unsafe = e->in_unsafe, unchecked = e->b.attrs.unchecked;
  e->want = NULL;
  if (!code->local && site) e->callers = site;
  if (code->unsafe) e->in_unsafe = e->b.attrs.unchecked = true;
  if (++e->depth > 2000)
    diag_unsupported(e->diag, code->span, "functions nested this deep");
  Pending pending = pending_of(e, code->tparams);
  pending.inst = fun->fun.inst;
  pending.inst_env = fun->fun.inst_env;
  pending.inst_sizes = fun->fun.inst_sizes;
  const Env *env = bind_params(e, fun, args, &pending, want);
  if (code->ret) e->want = texp_sem(e, env, code->ret, &pending);
  Val *v = eval(e, code->body, env);
  if (code->ret) v = texp_match(e, &env, code->ret, v, &pending, result_message);
  e->depth--;
  e->callers = callers;
  e->b.loc = site;
  e->in_unsafe = unsafe;
  e->b.attrs.unchecked = unchecked;
  return v;
}

static bool any_acc(Vals args) {
  for (int i = 0; i < args.len; i++)
    if (val_has_acc(args.at[i])) return true;
  return false;
}

// Bodies are copied to their calls until one copy is known to be large, those of lambdas, which
// are mostly called once, until it is very large; recursion and #[noinline] always share.
// Functions that return functions exist at compile time only.
static bool should_share(Elab *e, const Code *code, Vals args) {
  enum { LAMBDA = 4 };
  if (code->recursive) return true;
  if (code->inline_ || any_acc(args)) return false;
  if (!code->result || stype_is_functional(code->result)) return false;
  return code->noinline_ || code->cost > e->inline_limit * (code->local ? LAMBDA : 1);
}

static Val *call(Elab *e, const Val *fun, Vals args) {
  Code *code = (Code *)fun->fun.code;
  Val *v = should_share(e, code, args) ? shared_call(e, fun, args) : NULL;
  if (v) return v;
  int before = e->prog->vars.len;
  v = code_run(e, fun, args);
  code->cost = e->prog->vars.len - before + 1;
  return v;
}

// ---- application ----------------------------------------------------------------------------

static Vals vals_concat(Elab *e, Vals a, Vals b) {
  Vals out = {0};
  for (int i = 0; i < a.len; i++) list_push(e->arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(e->arena, &out, b.at[i]);
  return out;
}

static Vals vals_from(Vals a, int from, int len) {
  return (Vals){.at = a.at + from, .len = len};
}

static Val *hold(Elab *e, const Val *f, Vals args) {
  Val *v = arena_copy(e->arena, f, sizeof *v);
  if (f->tag == VAL_FUN) v->fun.args = args;
  else v->prim.args = args;
  return v;
}

static Val *apply_known(Elab *e, Val *f, Vals bound, Vals args, int arity) {
  Vals all = vals_concat(e, bound, args);
  if (all.len < arity) return hold(e, f, all);
  Vals now = vals_from(all, 0, arity), later = vals_from(all, arity, all.len - arity);
  Val *r = f->tag == VAL_FUN ? call(e, f, now) : intrinsic_apply(e, f, now);
  return later.len > 0 ? apply(e, r, later) : r;
}

Val *apply(Elab *e, Val *f, Vals args) {
  if (args.len == 0) return f;
  switch (f->tag) {
  case VAL_FUN: return apply_known(e, f, f->fun.args, args, f->fun.code->params->len);
  case VAL_PRIM: return apply_known(e, f, f->prim.args, args, intrinsic_arity(f->prim.id));
  case VAL_FLIP: {
    Val *r = apply2(e, f->flip.fn, args.at[0], f->flip.arg);
    return apply(e, r, vals_from(args, 1, args.len - 1));
  }
  case VAL_PATH: {
    Val *r = eval_path(e, f->path.path, 0, args.at[0], f->path.env, f->path.span);
    return apply(e, r, vals_from(args, 1, args.len - 1));
  }
  case VAL_HOLE: return f;
  case VAL_ATOM:
  case VAL_ARRAY:
  case VAL_ACC:
  case VAL_RECORD:
  case VAL_CON:
  case VAL_SUM: ice("application of a value that is no function");
  }
  ice("value tag %d", f->tag);
}

Val *apply1(Elab *e, Val *f, Val *a) {
  Vals args = {0};
  list_push(e->arena, &args, a);
  return apply(e, f, args);
}

Val *apply2(Elab *e, Val *f, Val *a, Val *b) {
  Vals args = {0};
  list_push(e->arena, &args, a);
  list_push(e->arena, &args, b);
  return apply(e, f, args);
}

Val *code_run_entry(Elab *e, Val *fun, Vals args) {
  int arity = fun->fun.code->params->len;
  check(fun->fun.args.len == 0);
  if (fun->fun.code->recursive) return apply(e, fun, args);
  Val *r = code_run(e, fun, vals_from(args, 0, arity));
  return apply(e, r, vals_from(args, arity, args.len - arity));
}
