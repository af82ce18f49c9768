// Histograms and scatters, into one destination or two of equal outer dimensions.
#include "local.h"

static Type dest_type(Gen *g, Atoms dims) {
  Type type = type_scalar(gen_prim(g));
  if (gen_chance(g, 25)) type = type_array(g->arena, type, gen_size(g));
  return type_array_dims(g->arena, type, dims);
}

typedef struct {
  int rank;
  Atoms dests;
  Types values;  // of one element of each destination
  GenInputs in;
} Dests;

// Destinations, consumed from here on, and inputs that are something else.
static bool pick_dests(Gen *g, Dests *d) {
  Atoms dims = {0};
  *d = (Dests){.rank = gen_chance(g, 80) ? 1 : 2};
  for (int i = 0; i < d->rank; i++) list_push(g->arena, &dims, gen_size(g));
  int n = gen_chance(g, 75) ? 1 : 2;
  for (int i = 0; i < n; i++) {
    Type type = dest_type(g, dims);
    Atom dest = gen_fresh(g, type);
    gen_kill(g, dest);
    list_push(g->arena, &d->dests, dest);
    list_push(g->arena, &d->values, type_peel(type, d->rank));
  }
  return gen_inputs_pick(g, &d->in);
}

// Indices, some of them outside, then values.
static Lambda *bucket_lambda(Gen *g, const Dests *d) {
  Types wants = {0};
  for (int i = 0; i < d->rank; i++) list_push(g->arena, &wants, type_scalar(PRIM_I64));
  for (int i = 0; i < d->values.len; i++) list_push(g->arena, &wants, d->values.at[i]);
  GenRows rl = gen_rows_begin(g, &d->in);
  Atoms results = gen_body(g, gen_body_size(g), wants);
  for (int i = 0; i < d->rank; i++)
    if (gen_chance(g, 70))
      results.at[i] = build_op(&g->b, OP_MOD, results.at[i], atom_i64(gen_random(g, 4) + 2));
  return gen_rows_end(g, &rl, results);
}

// Independent operators: (a, b) and (c, d) give (a op1 c, b op2 d).
static Operator side_by_side(Gen *g, Types types) {
  Types params = {0};
  Operator both = {.comm = true};
  Operator parts[2];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < types.len; i++) list_push(g->arena, &params, types.at[i]);
  for (int i = 0; i < types.len; i++) {
    Types one = {0};
    list_push(g->arena, &one, types.at[i]);
    parts[i] = gen_operator(g, one);
    if (!parts[i].op) return parts[i];
    both.neutral = atoms_concat(g->arena, both.neutral, parts[i].neutral);
  }
  if (types.len == 1) return parts[0];
  LambdaBuilder lb = lambda_begin(&g->b, "x", params);
  Atoms p = atoms_of_vars(g->arena, lb.lambda->params), results = {0};
  for (int i = 0; i < types.len; i++) {
    Atoms args = atoms_of(g->arena, 2, (Atom[]){p.at[i], p.at[i + types.len]});
    Atoms r = lambda_inline(&lb.inner, parts[i].op, args);
    list_push(g->arena, &results, r.at[0]);
  }
  both.op = lambda_end(&lb, results);
  return both;
}

bool gen_stm_hist(Gen *g) {
  Dests d;
  if (!pick_dests(g, &d)) return false;
  Operator op = side_by_side(g, d.values);
  if (!op.op) return false;
  Lambda *fn = bucket_lambda(g, &d);
  gen_bind(g, (Exp){.form = FORM_HIST,
                    .hist = {.width = d.in.width,
                             .rank = d.rank,
                             .dests = d.dests,
                             .neutral = op.neutral,
                             .op = op.op,
                             .fn = fn,
                             .inputs = d.in.inputs}});
  return true;
}

bool gen_stm_scatter(Gen *g) {
  Dests d;
  if (!pick_dests(g, &d)) return false;
  Lambda *fn = bucket_lambda(g, &d);
  gen_bind(g, (Exp){.form = FORM_SCATTER,
                    .scatter = {.width = d.in.width,
                                .rank = d.rank,
                                .dests = d.dests,
                                .fn = fn,
                                .inputs = d.in.inputs}});
  return true;
}
