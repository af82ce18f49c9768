// Derivatives of main as functions of their own, and dot products to compare them by.
#include "local.h"
#include "derive/derive.h"

// The type of the first parameter after the sizes: f64, f32 or i64.
bool gen_is_active(const Prog *prog, Var param) {
  const Fn *main = prog_fn(prog, "main");
  int sizes = main->entry->size_params;
  for (int i = 0; i < sizes; i++)
    if (main->params.at[i].id == param.id) return false;
  return var_type(prog, param).prim == var_type(prog, main->params.at[sizes]).prim;
}

typedef enum {
  KIND_JVP, KIND_VJP, KIND_JMP, KIND_MJP, KIND_JMP_JAMMED, KIND_MJP_JAMMED, KIND_JVP_VJP,
  KIND_VJP_VJP, KIND_JVP_JVP, KIND_VJP_JVP, KINDS
} Kind;
static const char *const kind_names[] = {
    "main_jvp",     "main_vjp",     "main_jmp",     "main_mjp",     "main_jmp_jammed",
    "main_mjp_jammed", "main_jvp_vjp", "main_vjp_vjp", "main_jvp_jvp", "main_vjp_jvp"};

static bool is_vector(Kind kind) { return kind >= KIND_JMP && kind <= KIND_MJP_JAMMED; }
static bool is_jammed(Kind kind) { return kind == KIND_JMP_JAMMED || kind == KIND_MJP_JAMMED; }

static Types active_types(Wrapper *o) { return types_of_vars(o->prog, o->lambda->params); }

// \z -> the tangents of jvp fn z along, or the adjoints of vjp fn z along: what second derivatives
// are taken of.
static Lambda *derivative(Wrapper *o, Form form, Atoms along) {
  Builder b = builder_new(o->prog, NULL);
  LambdaBuilder lb = lambda_begin(&b, "z", active_types(o));
  Atoms args = atoms_of_vars(o->prog->arena, lb.lambda->params);
  Exp exp = {.form = form};
  if (form == FORM_JVP)
    exp.jvp = (struct jvp_form){.fn = o->lambda, .args = args, .tangents = along};
  else exp.vjp = (struct vjp_form){.fn = o->lambda, .args = args, .seeds = along};
  Vars vars = build_many(&lb.inner, "d", exp_types(o->prog, &exp), exp);
  Atoms all = atoms_of_vars(o->prog->arena, vars);
  int primal = o->lambda->rets.len;
  return lambda_end(&lb, atoms_slice(all, primal, all.len - primal));
}

static Exp derivative_exp(Wrapper *o, Kind kind, int directions) {
  Atoms shape = {0};
  Atom count = atom_i64(directions);
  if (is_vector(kind)) shape = atoms_of(o->prog->arena, 1, &count);
  Types active = active_types(o);
  Exp jvp = {.form = FORM_JVP, .jvp = {.shape = shape, .fn = o->lambda, .args = o->args}};
  Exp vjp = {.form = FORM_VJP, .vjp = {.shape = shape, .fn = o->lambda, .args = o->args}};
  if (kind == KIND_JVP || kind == KIND_JMP || kind == KIND_JMP_JAMMED) {
    jvp.jvp.tangents = wrapper_directions(o, "d", active, shape);
    return jvp;
  }
  if (kind == KIND_JVP_JVP || kind == KIND_VJP_JVP) {
    Types rets = o->lambda->rets;
    jvp.jvp.fn = vjp.vjp.fn = 
        derivative(o, FORM_JVP, wrapper_directions(o, "d", active, shape));
    if (kind == KIND_JVP_JVP) jvp.jvp.tangents = wrapper_directions(o, "d", active, shape);
    else vjp.vjp.seeds = wrapper_directions(o, "d", rets, shape);
    return kind == KIND_JVP_JVP ? jvp : vjp;
  }
  Atoms seeds = wrapper_directions(o, "d", o->lambda->rets, shape);
  vjp.vjp.seeds = seeds;
  if (kind == KIND_VJP || is_vector(kind)) return vjp;
  jvp.jvp.fn = vjp.vjp.fn = derivative(o, FORM_VJP, seeds);
  jvp.jvp.tangents = vjp.vjp.seeds = wrapper_directions(o, "d", active, shape);
  return kind == KIND_JVP_VJP ? jvp : vjp;
}

static void derivative_add(Prog *prog, const Fn *main, Kind kind, int directions) {
  Wrapper o = wrapper_new(prog, main, kind_names[kind], gen_is_active);
  Fn *fn = wrapper_end(&o, "d", derivative_exp(&o, kind, directions));
  for (int i = 0; is_jammed(kind) && i < fn->body.stms.len; i++)
    fn->body.stms.at[i].attrs.unroll |= fn->body.stms.at[i].exp.form == FORM_JVP ||
                                        fn->body.stms.at[i].exp.form == FORM_VJP;
  list_push(prog->arena, &prog->fns, fn);
}

static Prog *with_kinds(Arena *arena, const Prog *prog, Kind from, Kind to, int directions) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  const Fn *main = prog_fn(out, "main");
  for (Kind kind = from; kind < to; kind++) derivative_add(out, main, kind, directions);
  return out;
}

Prog *gen_derivatives(Arena *arena, const Prog *prog) {
  return with_kinds(arena, prog, KIND_JVP, KIND_JMP, 1);
}

// Without the values: what only these need may be dropped.
Prog *gen_bare_derivatives(Arena *arena, const Prog *prog) {
  Prog *out = with_kinds(arena, prog, KIND_JVP, KIND_JMP, 1);
  int values = prog_fn(out, "main")->results.len;
  for (Kind kind = KIND_JVP; kind < KIND_JMP; kind++) {
    Fn *fn = prog_fn(out, kind_names[kind]);
    Vars results = {0};
    for (int i = values; i < fn->results.len; i++) list_push(arena, &results, fn->results.at[i]);
    fn->results = results;
    fn->body.results = atoms_slice(fn->body.results, values, results.len);
    fn->entry = entry_info_sized(out, fn, fn->name, fn->entry->size_params);
  }
  return out;
}

Prog *gen_vector_derivatives(Arena *arena, const Prog *prog, int directions) {
  return with_kinds(arena, prog, KIND_JVP, KIND_JVP_VJP, directions);
}

Prog *gen_second_derivatives(Arena *arena, const Prog *prog) {
  return with_kinds(arena, prog, KIND_JVP_VJP, KINDS, 1);
}

IValue gen_direction(Arena *arena, IValue like, uint64_t seed) {
  Gen g = {.arena = arena, .rng = seed * 31 + 17};
  Prim p = like.array ? like.array->prim : like.scalar.prim;
  double scale = prim_is_float(p) ? 1000 : 100;
  if (!like.array) return ivalue_scalar(scalar_number(p, gen_random(&g, 2000) / scale - 1));
  IValue v = ivalue_array(p, like.array->rank, like.array->dims);
  for (int64_t i = 0; i < v.array->len; i++)
    cell_set(v.array, i, scalar_number(p, gen_random(&g, 2000) / scale - 1));
  return v;
}

uint64_t gen_dot_integer(IValue a, IValue b) {
  if (!a.array) return (uint64_t)a.scalar.i * (uint64_t)b.scalar.i;
  uint64_t sum = 0;
  for (int64_t i = 0; i < a.array->len; i++)
    sum += (uint64_t)a.array->at[i].i * (uint64_t)b.array->at[i].i;
  return sum;
}

double gen_dot(IValue a, IValue b) {
  if (!a.array) return a.scalar.f * b.scalar.f;
  double sum = 0;
  for (int64_t i = 0; i < a.array->len; i++) sum += a.array->at[i].f * b.array->at[i].f;
  return sum;
}
