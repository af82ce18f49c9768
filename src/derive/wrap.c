// The derivative of an entry point: its body becomes the operator's function over the
// floating-point parameters, everything else stays what it is in the wrapper.
#include "derive.h"
#include <string.h>

static bool is_active(const Prog *prog, Var v) { return prim_is_float(var_type(prog, v).prim); }

// ---- the wrapper
Var wrapper_param(Wrapper *o, const char *base, Type type) {
  type.unique = false;
  Var v = var_new(o->prog, base, type);
  list_push(o->prog->arena, &o->fn->params, v);
  return v;
}

Atoms wrapper_directions(Wrapper *o, const char *base, Types types, Atoms shape) {
  Atoms out = {0};
  for (int i = 0; i < types.len; i++) {
    Type t = type_array_dims(o->prog->arena, types.at[i], shape);
    list_push(o->prog->arena, &out, atom_var(wrapper_param(o, base, t)));
  }
  return out;
}

// Unique parameters are copied before the body consumes them.
static void params_wrap(Wrapper *o, WrapActive *active) {
  Arena *arena = o->prog->arena;
  Vars old = {0};
  for (int i = 0; i < o->of->params.len; i++) {
    Var p = o->of->params.at[i];
    Type type = rewrite_type(&o->w, var_type(o->prog, p));
    Var outer = wrapper_param(o, var_info(o->prog, p)->base, type);
    rewrite_bind(&o->w, p, atom_var(outer));
    if (!active(o->prog, p)) continue;
    type.unique = false;
    list_push(arena, &o->args, atom_var(outer));
    list_push(arena, &o->lambda->params, var_new(o->prog, var_info(o->prog, p)->base, type));
    list_push(arena, &old, p);
  }
  o->w.to.stms = &o->lambda->body.stms;
  for (int i = 0; i < old.len; i++)
    rewrite_bind(&o->w, old.at[i], atom_var(o->lambda->params.at[i]));
  for (int i = 0; i < o->of->params.len; i++) {
    Var p = o->of->params.at[i];
    if (!var_type(o->prog, p).unique) continue;
    rewrite_bind(&o->w, p, build_copy(&o->w.to, rewrite_atom(&o->w, atom_var(p))));
  }
}

static void body_wrap(Wrapper *o, WrapActive *active) {
  const Fn *of = o->of;
  rewrite_stms(&o->w, of->body.stms);
  for (int i = of->entry->sizes; i < of->results.len; i++) {
    if (!active(o->prog, of->results.at[i])) continue;
    Type t = rewrite_type(&o->w, var_type(o->prog, of->results.at[i]));
    t.unique = false;
    list_push(o->prog->arena, &o->lambda->rets, t);
    list_push(o->prog->arena, &o->lambda->body.results,
              rewrite_atom(&o->w, of->body.results.at[i]));
  }
}

Wrapper wrapper_new(Prog *prog, const Fn *of, const char *name, WrapActive *active) {
  Wrapper o = {.prog = prog, .of = of, .fn = NEW(prog->arena, Fn),
               .lambda = NEW(prog->arena, Lambda)};
  o.fn->name = name;
  o.fn->loc = of->loc;
  Builder b = builder_new(prog, &o.fn->body.stms);
  b.loc = of->loc;
  o.w = rewrite_new(prog, b);
  params_wrap(&o, active);
  body_wrap(&o, active);
  return o;
}

Fn *wrapper_end(Wrapper *o, const char *base, Exp exp) {
  Prog *prog = o->prog;
  Builder b = builder_new(prog, &o->fn->body.stms);
  b.loc = o->of->loc;
  Types types = exp_types(prog, &exp);
  o->fn->body.results = atoms_of_vars(prog->arena, build_many(&b, base, types, exp));
  for (int i = 0; i < types.len; i++)
    list_push(prog->arena, &o->fn->results, var_new(prog, "result", types.at[i]));
  EntryInfo *info = NEW(prog->arena, EntryInfo);
  *info = *entry_info_plain(prog, o->fn, o->fn->name);
  info->size_params = o->of->entry->size_params;
  o->fn->entry = info;
  return o->fn;
}

// ---- the derivative of an entry point
static Exp operator_exp(Wrapper *o, DeriveMode mode) {
  if (mode == DERIVE_VJP) {
    Atoms seeds = wrapper_directions(o, "seed", o->lambda->rets, (Atoms){0});
    return (Exp){.form = FORM_VJP, .vjp = {{0}, o->lambda, o->args, seeds}};
  }
  Atoms tangents = {0};
  for (int i = 0; i < o->args.len; i++) {
    Var x = o->args.at[i].var;
    const char *name = arena_printf(o->prog->arena, "d_%s", var_info(o->prog, x)->base);
    list_push(o->prog->arena, &tangents, atom_var(wrapper_param(o, name, var_type(o->prog, x))));
  }
  return (Exp){.form = FORM_JVP, .jvp = {{0}, o->lambda, o->args, tangents}};
}

static const char *obstacle(const Prog *prog, const Fn *fn) {
  bool in = false, out = false;
  for (int i = 0; i < fn->params.len; i++) in = in || is_active(prog, fn->params.at[i]);
  for (int i = 0; i < fn->results.len; i++) out = out || is_active(prog, fn->results.at[i]);
  if (!in) return "it has no floating-point parameter";
  if (!out) return "it has no floating-point result";
  for (int i = 0; i < fn->results.len; i++) {
    Type t = var_type(prog, fn->results.at[i]);
    for (int d = 0; d < t.rank && prim_is_float(t.prim); d++)
      for (int k = 0; k < fn->entry->sizes && t.dims[d].is_var; k++)
        if (fn->results.at[k].id == t.dims[d].var.id)
          return "the size of a result is not known from the parameters";
  }
  return NULL;
}

static Fn *wrap(Prog *prog, const Fn *of, DeriveMode mode) {
  bool forward = mode == DERIVE_JVP;
  const char *name = arena_printf(prog->arena, "%s_%s", of->name, forward ? "jvp" : "vjp");
  Wrapper o = wrapper_new(prog, of, name, is_active);
  return wrapper_end(&o, forward ? "d" : "adj", operator_exp(&o, mode));
}

Prog *derive_entry(Arena *arena, const Prog *prog, const char *entry, DeriveMode mode,
                   const char **error) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  const Fn *of = NULL;
  for (int i = 0; i < out->fns.len; i++) {
    Fn *fn = out->fns.at[i];
    if (!fn->entry) continue;
    if (strcmp(fn->entry->name, entry) == 0) of = fn;
    else fn->entry = NULL;
  }
  *error = !of ? entry_missing(arena, prog) : mode == DERIVE_EXPAND ? NULL : obstacle(out, of);
  if (*error) return NULL;
  if (mode == DERIVE_EXPAND) return out;
  Fn *made = wrap(out, of, mode);
  for (int i = 0; i < out->fns.len; i++)
    if (out->fns.at[i] == of) out->fns.at[i] = made;
  return out;
}
