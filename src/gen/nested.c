// Derivatives inside programs: vjp or jvp of a function of what is known, which may stand in maps,
// loops and other derivatives.
#include "local.h"

enum { MOST_ARGS = 2, DIRECTIONS = 2, MOST_NESTED = 3 };

static bool fits(Gen *g, const Known *k) {
  (void)g;
  return k->type.prim == PRIM_F64 && k->type.rank < 2 && !k->type.is_acc;
}

static Types some_results(Gen *g) {
  Types types = {0};
  for (int n = gen_chance(g, 70) ? 1 : 2; n > 0; n--) {
    Type t = type_scalar(PRIM_F64);
    if (gen_chance(g, 40)) t = type_array(g->arena, t, gen_size(g));
    list_push(g->arena, &types, t);
  }
  return types;
}

// Some numbers have no direction: the constant zero.
static Atoms directions(Gen *g, Types along, Atoms shape) {
  Atoms out = {0};
  for (int i = 0; i < along.len; i++) {
    Type t = type_array_dims(g->arena, along.at[i], shape);
    bool none = t.rank == 0 && gen_chance(g, 20);
    list_push(g->arena, &out, none ? atom_number(t.prim, 0) : gen_value(g, t));
  }
  return out;
}

// Floats do not turn into integers inside: that derivative is zero.
static Lambda *function(Gen *g, Types params, Types results) {
  bool derivable = g->options.derivable;
  g->nested++;
  LambdaBuilder lb = lambda_begin(&g->b, "x", params);
  GenMark mark = gen_enter(g, &lb);
  g->options.derivable = true;
  for (int i = 0; i < params.len; i++)
    gen_know(g, atom_var(lb.lambda->params.at[i]), params.at[i].rank ? ROOT_SHARED : 0);
  gen_statements(g, (int)gen_random(g, 3));
  if (g->nested < MOST_NESTED && gen_chance(g, 40)) gen_stm_derivative(g);
  Atoms out = gen_body(g, (int)gen_random(g, 4) + 1, results);
  g->options.derivable = derivable;
  Lambda *fn = lambda_end(&lb, out);
  gen_leave(g, mark);
  g->nested--;
  return fn;
}

bool gen_stm_derivative(Gen *g) {
  if (!g->options.nested) return false;
  Atoms args = {0}, shape = {0};
  Types params = {0}, results;
  for (int n = (int)gen_random(g, MOST_ARGS) + 1; n > 0; n--) {
    Known *k = gen_pick(g, fits);
    if (!k) return false;
    list_push(g->arena, &args, k->atom);
    list_push(g->arena, &params, k->type);
    params.at[params.len - 1].unique = false;
  }
  results = some_results(g);
  Atom two = atom_i64(DIRECTIONS);
  if (gen_chance(g, 15)) shape = atoms_of(g->arena, 1, &two);
  bool forward = gen_chance(g, 40);
  Atoms along = directions(g, forward ? params : results, shape);
  Lambda *fn = function(g, params, results);
  Exp exp = {.form = FORM_VJP, .vjp = {.shape = shape, .fn = fn, .args = args, .seeds = along}};
  if (forward)
    exp = (Exp){.form = FORM_JVP,
                .jvp = {.shape = shape, .fn = fn, .args = args, .tangents = along}};
  gen_bind(g, exp);
  return true;
}
