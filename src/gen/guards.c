// Branches that keep infinite, NaN and extreme numbers out: what is computed of them is not used,
// so that values and derivatives are finite.
#include "local.h"
#include <math.h>

typedef struct {
  Prim prim;
  Atom n, xs, ys, ps;  // ps: xs with poison at some places
  double poison;
  bool pole;           // the poison is 0: what divides by it is kept out
} Poisoned;

static const double poisons[] = {INFINITY, -INFINITY, NAN, 0, -0.0, 0, 1e300};

// map (\i -> i mod c == r ? poison : 0.5 + x * x), so that the others are positive.
static Poisoned data_new(Gen *g) {
  Poisoned d = {.prim = gen_float(g), .n = gen_size(g)};
  d.poison = poisons[gen_random(g, COUNT_OF(poisons))];
  d.pole = d.poison == 0;
  d.xs = gen_array(g, d.prim, d.n), d.ys = gen_array(g, d.prim, d.n);
  Atom c = atom_i64(gen_random(g, 3) + 1), r = atom_i64(gen_random(g, 2));
  GenOver o = gen_over_begin(g, d.n);
  Builder *b = &g->b;
  Atom x = build_op1(b, OP_TANH, gen_read1(g, d.xs, o.i));
  Atom good = build_op(b, OP_ADD, atom_number(d.prim, 0.5), build_op(b, OP_MUL, x, x));
  Atom here = build_op(b, OP_EQ, build_op(b, OP_MOD, o.i, c), r);
  d.ps = gen_over_end1(g, &o, build_select(b, here, atom_number(d.prim, d.poison), good));
  g->known.len--;  // nothing else reads it
  return d;
}

// Whether p is poison.
static Atom test_of(Gen *g, const Poisoned *d, Atom p) {
  Builder *b = &g->b;
  Prim f = d->prim;
  if (d->pole && gen_chance(g, 50)) return build_op(b, OP_EQ, p, atom_number(f, 0));
  if (d->pole) return build_op(b, OP_LT, p, atom_number(f, 0.25));
  if (isnan(d->poison)) {
    if (gen_chance(g, 50)) return build_op1(b, OP_ISNAN, p);
    return build_op(b, OP_NE, p, p);
  }
  if (isinf(d->poison) && gen_chance(g, 60)) return build_op1(b, OP_ISINF, p);
  return build_op(b, OP_LT, atom_number(f, 100), build_op1(b, OP_ABS, p));
}

// Of what may be poison: a pole where that is 0, else something that keeps or overflows.
static Atom danger(Gen *g, const Poisoned *d, Atom p) {
  static const Op poles[] = {OP_LOG, OP_RSQRT, OP_LOG2, OP_LGAMMA, OP_DIGAMMA};
  static const Op keeps[] = {OP_EXP, OP_SINH, OP_LOG, OP_SQRT, OP_CBRT, OP_SIN, OP_EXPM1};
  Builder *b = &g->b;
  Atom one = atom_number(d->prim, 1);
  if (gen_chance(g, 35)) return build_op(b, OP_DIV, one, p);
  if (gen_chance(g, 15)) return build_op(b, OP_POW, p, atom_number(d->prim, d->pole ? -1.5 : 2.5));
  if (d->pole) return build_op1(b, poles[gen_random(g, COUNT_OF(poles))], p);
  return build_op1(b, keeps[gen_random(g, COUNT_OF(keeps))], p);
}

typedef struct {
  Gen *g;
  const Poisoned *d;
  Atom p, y;
} Guard;

static Atom safe_side(Guard *u) {
  Gen *g = u->g;
  if (gen_chance(g, 30)) return atom_number(u->d->prim, 0.25);
  return gen_mix(g, u->y, u->y);
}

// Products with what may be infinite stand in the branch only.
static Atom danger_side(Guard *u) {
  Gen *g = u->g;
  Atom f = danger(g, u->d, u->p);
  if (gen_chance(g, 30)) f = build_op1(&g->b, OP_SIN, f);
  if (gen_chance(g, 60)) f = build_op(&g->b, OP_MUL, f, u->y);
  Atom one = atom_number(u->d->prim, 1);
  if (gen_chance(g, 30)) f = build_op(&g->b, OP_DIV, f, build_op(&g->b, OP_ADD, u->p, one));
  return f;
}

static Body side(Guard *u, Atom (*make)(Guard *u)) {
  Gen *g = u->g;
  Body body = {0};
  Builder saved = g->b;
  int known = g->known.len;
  g->b.stms = &body.stms;
  Atom r = make(u);
  list_push(g->arena, &body.results, r);
  g->known.len = known;
  g->b = saved;
  return body;
}

// match (is poison p) { true -> safe; _ -> danger }, or the other way round, or a selection.
static Atom guarded(Gen *g, const Poisoned *d, Atom p, Atom y) {
  Guard u = {g, d, p, y};
  Atom test = test_of(g, d, p);
  if (gen_chance(g, 25)) {
    Atom f = danger(g, d, p), safe = safe_side(&u);
    return build_select(&g->b, test, safe, f);
  }
  bool inverse = gen_chance(g, 40);
  if (inverse) test = build_op1(&g->b, OP_NOT, test);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &test)}};
  Case first = {.body = side(&u, inverse ? danger_side : safe_side)};
  Case second = {.body = side(&u, inverse ? safe_side : danger_side)};
  list_push(g->arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(g->arena, &exp.match.cases, first);
  list_push(g->arena, &exp.match.cases, second);
  return build(&g->b, "safe", type_scalar(d->prim), exp);
}

static Atom bounded(Gen *g, Atom x) { return build_op1(&g->b, OP_TANH, x); }

// map (\i -> guarded p[i]), perhaps summed up.
static void guarded_map(Gen *g, const Poisoned *d) {
  GenOver o = gen_over_begin(g, d->n);
  Atom p = gen_read1(g, d->ps, o.i), y = gen_read1(g, d->ys, o.i);
  Atom r = bounded(g, guarded(g, d, p, y));
  if (gen_chance(g, 30)) r = gen_mix(g, r, bounded(g, guarded(g, d, p, r)));
  Atom rs = gen_over_end1(g, &o, r);
  if (gen_chance(g, 40)) gen_know(g, gen_total(g, rs), 0);
}

// A loop that carries what it found, perhaps in a map.
static void guarded_loop(Gen *g, const Poisoned *d) {
  GenOver o = {0};
  bool in_map = gen_chance(g, 40);
  if (in_map) o = gen_over_begin(g, gen_size(g));
  Atom half = atom_number(d->prim, 0.5);
  GenLoop l = gen_loop_begin(g, d->n, atoms_of(g->arena, 1, &half));
  Atom p = gen_read1(g, d->ps, l.i), s = l.state.at[0];
  Atom y = gen_chance(g, 50) ? s : gen_read1(g, d->ys, l.i);
  Atom next = bounded(g, gen_mix(g, guarded(g, d, p, y), s));
  Atom r = atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
  if (in_map) gen_over_end1(g, &o, r);
  else gen_know(g, r, 0);
}

// sum of guarded values in rows, then a norm that is not 0
static void guarded_rows(Gen *g, const Poisoned *d) {
  Atom m = gen_size(g);
  GenOver oi = gen_over_begin(g, m), oj = gen_over_begin(g, d->n);
  Atom p = gen_read1(g, d->ps, oj.i), y = gen_read1(g, d->ys, oj.i);
  Atom sum = gen_total(g, gen_over_end1(g, &oj, bounded(g, guarded(g, d, p, y))));
  Atom more = build_op(&g->b, OP_ADD, build_op(&g->b, OP_MUL, sum, sum), atom_number(d->prim, 1));
  gen_over_end1(g, &oi, build_op1(&g->b, OP_SQRT, more));
}

bool gen_stm_guards(Gen *g) {
  Poisoned d = data_new(g);
  switch (gen_random(g, 3)) {
  case 0: guarded_map(g, &d); break;
  case 1: guarded_loop(g, &d); break;
  default: guarded_rows(g, &d);
  }
  g->budget -= 2;
  return true;
}
