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

static void unique_params_copy(Wrapper *o) {
  for (int i = 0; i < o->of->params.len; i++) {
    Var p = o->of->params.at[i];
    if (!var_type(o->prog, p).unique) continue;
    rewrite_bind(&o->w, p, build_copy(&o->w.to, rewrite_atom(&o->w, atom_var(p))));
  }
}

// The body, for the sizes that it binds with its results.
static void sizes_wrap(Wrapper *o) {
  Atoms outer = {0};
  Vars params = o->of->params;
  if (o->of->entry->sizes == 0) return;
  for (int i = 0; i < params.len; i++)
    list_push(o->prog->arena, &outer, rewrite_atom(&o->w, atom_var(params.at[i])));
  unique_params_copy(o);
  rewrite_stms(&o->w, o->of->body.stms);
  for (int i = 0; i < o->of->entry->sizes; i++)
    list_push(o->prog->arena, &o->sizes, rewrite_atom(&o->w, o->of->body.results.at[i]));
  for (int i = 0; i < params.len; i++) rewrite_bind(&o->w, params.at[i], outer.at[i]);
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
  sizes_wrap(o);
  o->w.to.stms = &o->lambda->body.stms;
  for (int i = 0; i < old.len; i++)
    rewrite_bind(&o->w, old.at[i], atom_var(o->lambda->params.at[i]));
  unique_params_copy(o);
}

// An array whose sizes are these, though its type may not say so.
static Atom sized(Builder *b, Atom array, Type t) {
  Atoms dims = {0};
  for (int d = 0; d < t.rank; d++) list_push(b->prog->arena, &dims, t.dims[d]);
  return build(b, "sized", t, (Exp){.form = FORM_RESHAPE, .reshape = {array, dims}});
}

// Whether it has a size that is bound with the results of `of`.
static bool size_is_bound(const Wrapper *o, Type t) {
  for (int d = 0; d < t.rank; d++)
    for (int k = 0; k < o->of->entry->sizes && t.dims[d].is_var; k++)
      if (o->of->results.at[k].id == t.dims[d].var.id) return true;
  return false;
}

static void body_wrap(Wrapper *o, WrapActive *active) {
  const Fn *of = o->of;
  rewrite_stms(&o->w, of->body.stms);
  for (int k = 0; k < o->sizes.len; k++)
    rewrite_bind(&o->w, of->results.at[k], o->sizes.at[k]);
  for (int i = of->entry->sizes; i < of->results.len; i++) {
    if (!active(o->prog, of->results.at[i])) continue;
    Type was = var_type(o->prog, of->results.at[i]), t = rewrite_type(&o->w, was);
    t.unique = false;
    Atom result = rewrite_atom(&o->w, of->body.results.at[i]);
    if (size_is_bound(o, was)) result = sized(&o->w.to, result, t);
    list_push(o->prog->arena, &o->lambda->rets, t);
    list_push(o->prog->arena, &o->lambda->body.results, result);
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

// ---- results
static int size_number(const Wrapper *o, Atom dim) {
  for (int k = 0; k < o->sizes.len && dim.is_var; k++)
    if (atom_same(o->sizes.at[k], dim)) return k;
  return -1;
}

static bool is_param(const Wrapper *o, Atom a) {
  for (int i = 0; i < o->fn->params.len; i++)
    if (o->fn->params.at[i].id == a.var.id) return true;
  return false;
}

// Names among the results for the sizes found in the body that types mention.
static Vars sizes_bound(Wrapper *o, Types types) {
  Arena *arena = o->prog->arena;
  Vars names = {0};
  for (int k = 0; k < o->sizes.len; k++) {
    Atom size = o->sizes.at[k];
    bool used = false;
    for (int i = 0; i < types.len; i++)
      for (int d = 0; d < types.at[i].rank; d++)
        used = used || size_number(o, types.at[i].dims[d]) == k;
    used = used && !is_param(o, size);
    Var name = used ? var_new(o->prog, "size", type_scalar(PRIM_I64)) : (Var){0};
    list_push(arena, &names, name);
    if (!used) continue;
    list_push(arena, &o->fn->results, name);
    list_push(arena, &o->fn->body.results, size);
  }
  return names;
}

static Type with_sizes(const Wrapper *o, Type t, Vars names) {
  Atoms dims = {0};
  for (int d = 0; d < t.rank; d++) {
    int k = size_number(o, t.dims[d]);
    Var name = k < 0 ? (Var){0} : names.at[k];
    list_push(o->prog->arena, &dims, name.id ? atom_var(name) : t.dims[d]);
  }
  if (t.rank) t.dims = dims.at;
  return t;
}

Fn *wrapper_end(Wrapper *o, const char *base, Exp exp) {
  Prog *prog = o->prog;
  Builder b = builder_new(prog, &o->fn->body.stms);
  b.loc = o->of->loc;
  Types types = exp_types(prog, &exp);
  Atoms values = atoms_of_vars(prog->arena, build_many(&b, base, types, exp));
  Vars sizes = sizes_bound(o, types);
  for (int i = 0; i < types.len; i++) {
    Type t = with_sizes(o, types.at[i], sizes);
    list_push(prog->arena, &o->fn->results, var_new(prog, "result", t));
    list_push(prog->arena, &o->fn->body.results, values.at[i]);
  }
  o->fn->entry = entry_info_sized(prog, o->fn, o->fn->name,
                                  o->of->entry->size_params + o->seed_sizes);
  return o->fn;
}

// ---- the derivative of an entry point
static void size_check(Builder *b, Atom given, Atom size) {
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = build_op(b, OP_EQ, given, size),
                        .message = "The seed has size %d where the result has size %d.",
                        .args = atoms_of(b->prog->arena, 2, (Atom[]){given, size})}};
  build_stm(b, (Stm){.exp = exp, .loc = b->loc});
}

// A size parameter, before the parameters that are none.
static Var seed_size(Wrapper *o) {
  Var size = var_new(o->prog, "k", type_scalar(PRIM_I64));
  Vars params = {0};
  for (int i = 0; i <= o->fn->params.len; i++) {
    if (i == o->of->entry->size_params + o->seed_sizes)
      list_push(o->prog->arena, &params, size);
    if (i < o->fn->params.len) list_push(o->prog->arena, &params, o->fn->params.at[i]);
  }
  o->fn->params = params;
  o->seed_sizes++;
  return size;
}

// Seeds of results with sizes that the body binds have sizes of their own.
static Atoms seeds_wrap(Wrapper *o) {
  Types types = o->lambda->rets;
  Builder b = builder_new(o->prog, &o->fn->body.stms);
  b.loc = o->of->loc;
  Vars names = {0};
  for (int k = 0; k < o->sizes.len; k++) {
    bool used = false;
    for (int i = 0; i < types.len; i++)
      for (int d = 0; d < types.at[i].rank; d++)
        used = used || size_number(o, types.at[i].dims[d]) == k;
    list_push(o->prog->arena, &names, used ? seed_size(o) : (Var){0});
    if (used) size_check(&b, atom_var(names.at[k]), o->sizes.at[k]);
  }
  Atoms seeds = {0};
  for (int i = 0; i < types.len; i++) {
    Type given = with_sizes(o, types.at[i], names);
    Atom seed = atom_var(wrapper_param(o, "seed", given));
    if (o->sizes.len && given.rank) seed = sized(&b, seed, types.at[i]);
    list_push(o->prog->arena, &seeds, seed);
  }
  return seeds;
}

static Exp operator_exp(Wrapper *o, DeriveMode mode) {
  if (mode == DERIVE_VJP) {
    Atoms seeds = seeds_wrap(o);
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

static const char *lacking(const Prog *prog, const Fn *fn) {
  bool in = false, out = false;
  for (int i = 0; i < fn->params.len; i++) in = in || is_active(prog, fn->params.at[i]);
  for (int i = 0; i < fn->results.len; i++) out = out || is_active(prog, fn->results.at[i]);
  if (!in) return "it has no floating-point parameter";
  if (!out) return "it has no floating-point result";
  return NULL;
}

// The last results are the adjoints of the parameters, and called so.
static void adjoints_name(Wrapper *o, Fn *fn) {
  int first = fn->results.len - o->args.len;
  for (int i = 0; i < o->args.len; i++) {
    VarInfo *result = &o->prog->vars.at[fn->results.at[first + i].id];
    result->base =
        arena_printf(o->prog->arena, "%s_adj", var_info(o->prog, o->args.at[i].var)->base);
  }
}

static Fn *wrap(Prog *prog, const Fn *of, DeriveMode mode) {
  bool forward = mode == DERIVE_JVP;
  const char *name = arena_printf(prog->arena, "%s_%s", of->name, forward ? "jvp" : "vjp");
  Wrapper o = wrapper_new(prog, of, name, is_active);
  Fn *fn = wrapper_end(&o, forward ? "d" : "adj", operator_exp(&o, mode));
  if (!forward) adjoints_name(&o, fn);
  return fn;
}

Prog *derive_entry(Arena *arena, const Prog *prog, const char *entry, DeriveMode mode,
                   DeriveObstacle *obstacle) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  const Fn *of = NULL;
  for (int i = 0; i < out->fns.len; i++) {
    Fn *fn = out->fns.at[i];
    if (!fn->entry) continue;
    if (strcmp(fn->entry->name, entry) == 0) of = fn;
    else fn->entry = NULL;
  }
  obstacle->at = of && of->loc ? of->loc->span : (Span){0};
  obstacle->why = !of                     ? entry_missing(arena, prog)
                  : mode == DERIVE_EXPAND ? NULL
                                          : lacking(out, of);
  if (obstacle->why) return NULL;
  if (mode == DERIVE_EXPAND) return out;
  Fn *made = wrap(out, of, mode);
  for (int i = 0; i < out->fns.len; i++)
    if (out->fns.at[i] == of) out->fns.at[i] = made;
  return out;
}
