// Whole programs: a few callees, and main with its sizes, arrays and scalars; inputs for it.
#include "local.h"
#include <math.h>

// Constants are in scope everywhere and never consumed.
static void gen_constants(Gen *g) {
  g->b = builder_new(g->prog, &g->prog->constants);
  gen_statements(g, (int)gen_random(g, 4));
  for (int i = 0; i < g->known.len; i++) {
    Known k = g->known.at[i];
    if (gen_usable(g, &k))
      list_push(g->arena, &g->constants,
                (Known){.atom = k.atom, .type = k.type, .roots = k.type.rank ? ROOT_SHARED : 0});
  }
}

Fn *gen_fn_begin(Gen *g, const char *name) {
  Fn *fn = NEW(g->arena, Fn);
  fn->name = name;
  g->b = builder_new(g->prog, &fn->body.stms);
  g->known.len = 0;
  g->dead = g->owned = 0;
  g->roots = 0;
  g->depth = 0;
  for (int i = 0; i < g->constants.len; i++)
    list_push(g->arena, &g->known, g->constants.at[i]);
  return fn;
}

Var gen_param_add(Gen *g, Fn *fn, const char *base, Type type, bool unique) {
  type.unique = unique && type.rank > 0;
  Var v = var_new(g->prog, base, type);
  list_push(g->arena, &fn->params, v);
  uint64_t roots = type.rank == 0 ? 0 : type.unique ? gen_root(g) : ROOT_SHARED;
  gen_know(g, atom_var(v), roots);
  return v;
}

void gen_result_add(Gen *g, Fn *fn, Atom atom, bool unique) {
  Type type = atom_type(g->prog, atom);
  type.unique = unique;
  list_push(g->arena, &fn->body.results, atom);
  list_push(g->arena, &fn->results, var_new(g->prog, "r", type));
}

static Fn *gen_callee(Gen *g, int number) {
  Fn *fn = gen_fn_begin(g, arena_printf(g->arena, "callee%d", number));
  Atom n = atom_var(gen_param_add(g, fn, "n", type_scalar(PRIM_I64), false));
  Type type = type_array(g->arena, type_scalar(PRIM_F64), n);
  gen_param_add(g, fn, "xs", type, gen_chance(g, 50));
  gen_param_add(g, fn, "a", type_scalar(PRIM_F64), false);
  gen_statements(g, (int)gen_random(g, 6) + 1);
  bool unique = gen_chance(g, 50);
  Atom array = unique ? gen_fresh(g, type) : gen_value(g, type);
  Atom scalar = gen_scalar(g, PRIM_F64);
  gen_result_add(g, fn, array, unique);
  gen_result_add(g, fn, scalar, false);
  fn->attrs.noinline_ = gen_chance(g, 50);
  return fn;
}

static void main_params(Gen *g, Fn *fn, int sizes) {
  for (int i = 0; i < sizes; i++) {
    Type row = type_scalar(gen_real(g));
    if (gen_chance(g, 20)) row = type_array(g->arena, row, atom_var(fn->params.at[0]));
    gen_param_add(g, fn, "xs", type_array(g->arena, row, atom_var(fn->params.at[i])),
              gen_chance(g, 40));
  }
  for (int i = 0; i < sizes; i++) {
    Type row = type_scalar(PRIM_I64);
    if (gen_chance(g, 40))
      gen_param_add(g, fn, "is", type_array(g->arena, row, atom_var(fn->params.at[i])), false);
  }
  int more = (int)gen_random(g, 3);
  for (int i = 0; i < more; i++) {
    Atom n = atom_var(fn->params.at[gen_random(g, (uint32_t)sizes)]);
    Type type = type_array(g->arena, type_scalar(gen_prim(g)), n);
    if (gen_chance(g, 30)) type = type_array(g->arena, type, atom_var(fn->params.at[0]));
    gen_param_add(g, fn, "ys", type, gen_chance(g, 40));
  }
  gen_param_add(g, fn, "a", type_scalar(gen_real(g)), false);
  gen_param_add(g, fn, "k", type_scalar(PRIM_I64), false);
  if (gen_chance(g, 50)) gen_param_add(g, fn, "c", type_scalar(gen_prim(g)), false);
}

enum { MOST_RESULTS = 10 };

static bool dims_are_params(const Fn *fn, Type t) {
  for (int d = 0; d < t.rank; d++) {
    bool good = !t.dims[d].is_var;
    for (int i = 0; i < fn->params.len && !good; i++)
      good = atom_is_var(t.dims[d], fn->params.at[i]);
    if (!good) return false;
  }
  return true;
}

// Results are the latest bindings of all kinds, in some programs most bindings: the others' code is
// dead, and passes see little of it.  Sizes that are not parameters come first, and
// the types of the results mention them.
static void main_results(Gen *g, Fn *fn) {
  Atoms picked = {0};
  bool most = gen_chance(g, 10);
  int want = most ? MOST_RESULTS : (int)gen_random(g, 3) + 2, skip = most ? 10 : 40;
  for (int i = g->known.len - 1; i >= g->constants.len + fn->params.len && picked.len < want; i--) {
    const Known *k = &g->known.at[i];
    if (!gen_usable(g, k) || gen_chance(g, skip)) continue;
    if (g->options.derivable && (k->type.prim != gen_real(g) || !dims_are_params(fn, k->type)))
      continue;
    list_push(g->arena, &picked, k->atom);
  }
  if (picked.len == 0) list_push(g->arena, &picked, gen_scalar(g, gen_real(g)));
  Vars sizes = {0}, named = {0};
  for (int i = 0; i < picked.len; i++) {
    Type t = atom_type(g->prog, picked.at[i]);
    for (int d = 0; d < t.rank; d++) {
      Type one = {.rank = 1, .dims = &t.dims[d]};
      bool seen = dims_are_params(fn, one);
      for (int k = 0; k < sizes.len; k++) seen = seen || atom_is_var(t.dims[d], sizes.at[k]);
      if (seen) continue;
      list_push(g->arena, &sizes, t.dims[d].var);
      gen_result_add(g, fn, t.dims[d], false);
      list_push(g->arena, &named, fn->results.at[fn->results.len - 1]);
    }
  }
  Rewrite w = rewrite_new(g->prog, g->b);
  for (int i = 0; i < sizes.len; i++) rewrite_bind(&w, sizes.at[i], atom_var(named.at[i]));
  for (int i = 0; i < picked.len; i++) {
    gen_result_add(g, fn, picked.at[i], false);
    Var r = fn->results.at[fn->results.len - 1];
    Type t = rewrite_type(&w, var_type(g->prog, r));
    g->prog->vars.at[r.id].type = t;
  }
}

Prog *gen_program(Arena *arena, uint64_t seed, GenOptions options) {
  Gen g = {.arena = arena, .prog = prog_new(arena), .options = options, .rng = seed * 7919 + 1};
  if (options.smooth) g.options.derivable = true;
  g.budget = options.statements ? options.statements : 25;
  g.kernels = gen_chance(&g, 40) ? 90 : 9;
  if (gen_chance(&g, 20)) gen_constants(&g);
  int callees = gen_chance(&g, 30) ? (int)gen_random(&g, 2) + 1 : 0;
  for (int i = 0; i < callees; i++) {
    Fn *deep = gen_chance(&g, 40) ? gen_recursive(&g, i) : NULL;
    if (deep) list_push(arena, &g.prog->fns, deep);
    Fn *fn = deep ? gen_recursive_call(&g, deep, i) : gen_callee(&g, i);
    list_push(arena, &g.prog->fns, fn);
    list_push(arena, &g.callees, fn);
  }
  Fn *fn = gen_fn_begin(&g, "main");
  int sizes = (int)gen_random(&g, 2) + 1;
  for (int i = 0; i < sizes; i++) gen_param_add(&g, fn, "n", type_scalar(PRIM_I64), false);
  main_params(&g, fn, sizes);
  gen_statements(&g, g.budget);
  if (g.options.derivable && gen_chance(&g, 50)) gen_stm_particular(&g);
  main_results(&g, fn);
  fn->entry = entry_info_plain(g.prog, fn, fn->name);
  list_push(arena, &g.prog->fns, fn);
  return g.prog;
}

// ---- inputs
static Scalar input_scalar(Gen *g, Prim p) {
  if (prim_is_float(p)) return scalar_float(p, ((double)gen_random(g, 1u << 20) / (1 << 18)) - 2);
  if (p == PRIM_BOOL) return scalar_bool(gen_chance(g, 50));
  if (p == PRIM_UNIT) return scalar_int(p, 0);
  return scalar_int(p, (int64_t)gen_random(g, 12) - (prim_is_signed(p) ? 3 : 0));
}

static IValue input_array(Gen *g, Type t, const int64_t *sizes, const Fn *fn, int size_params) {
  int64_t dims[16];
  for (int d = 0; d < t.rank; d++) {
    if (!t.dims[d].is_var) dims[d] = t.dims[d].value.i;
    for (int i = 0; i < size_params; i++)
      if (atom_is_var(t.dims[d], fn->params.at[i])) dims[d] = sizes[i];
  }
  IValue v = ivalue_array(t.prim, t.rank, dims);
  static const double odd[] = {INFINITY, -INFINITY, NAN, -0.0, 0};
  bool wild = g->wild && prim_is_float(t.prim) && gen_chance(g, 50);
  for (int64_t i = 0; i < v.array->len; i++) {
    bool here = wild && gen_chance(g, 20);
    Scalar s = input_scalar(g, t.prim);
    cell_set(v.array, i, here ? scalar_float(t.prim, odd[gen_random(g, COUNT_OF(odd))]) : s);
  }
  return v;
}

static IValues inputs(Gen *g, const Prog *prog, const Fn *fn, const int64_t *sizes) {
  int size_params = fn->entry->size_params;
  IValues values = {0};
  for (int i = 0; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    IValue v;
    if (i < size_params) v = ivalue_scalar(scalar_int(PRIM_I64, sizes[i]));
    else if (t.rank) v = input_array(g, t, sizes, fn, size_params);
    else v = ivalue_scalar(input_scalar(g, t.prim));
    list_push(g->arena, &values, v);
  }
  return values;
}

enum { MOST_SIZES = 8 };

static IValues inputs_short(Gen *g, const Prog *prog, const Fn *fn) {
  static const int64_t small[] = {0, 1, 1, 2, 3, 3, 4, 5, 7, 2, 3, 33};
  static const int64_t vectors[] = {8, 9, 15, 16, 17, 31, 32, 33, 40, 65};  // and what is left over
  int size_params = fn->entry->size_params;
  int large = gen_chance(g, 30) ? (int)gen_random(g, (uint32_t)size_params) : -1;
  int64_t sizes[MOST_SIZES] = {0};
  for (int i = 0; i < size_params; i++) {
    sizes[i] = small[gen_random(g, COUNT_OF(small))];
    if (i == large) sizes[i] = vectors[gen_random(g, COUNT_OF(vectors))];
  }
  return inputs(g, prog, fn, sizes);
}

IValues gen_inputs(Arena *arena, const Prog *prog, uint64_t seed, bool wild) {
  Gen g = {.arena = arena, .rng = seed * 104729 + 3, .wild = wild};
  return inputs_short(&g, prog, prog_fn(prog, "main"));
}

IValues gen_inputs_of(Arena *arena, const Prog *prog, const char *fn, uint64_t seed) {
  Gen g = {.arena = arena, .rng = seed * 7919 + 11};
  return inputs_short(&g, prog, prog_fn(prog, fn));
}

IValues gen_inputs_long(Arena *arena, const Prog *prog, uint64_t seed) {
  static const int64_t lengths[] = {64, 100, 127, 129, 257, 500, 1000}, others[] = {1, 3, 7, 9};
  Gen g = {.arena = arena, .rng = seed * 15485863 + 5};
  int size_params = prog_fn(prog, "main")->entry->size_params;
  int longest = (int)gen_random(&g, (uint32_t)size_params);
  int64_t sizes[MOST_SIZES] = {0};
  for (int i = 0; i < size_params; i++)
    sizes[i] = i == longest ? lengths[gen_random(&g, COUNT_OF(lengths))]
                            : others[gen_random(&g, COUNT_OF(others))];
  return inputs(&g, prog, prog_fn(prog, "main"), sizes);
}
