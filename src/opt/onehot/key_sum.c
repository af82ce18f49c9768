// Sums by a key that is data are a histogram: the transposition of a gather, as a rule on sums.
//
//   map n (\i -> reduce op z (map (\j -> select (k j == i, v j, z)) (iota m)))
//     is   hist (replicate n z) (\j -> (k j, v j))
//
// for a commutative op of one component with neutral element z; k and v mention i only by that
// equation.  Keys out of range are ignored by both.  Statements that may fail do so as before:
// under 0 < n, or, those of a branch on the equation, for keys in range.
//
// Where another map is between the two, it comes to stand around both:
//
//   map n (\i -> map m (\l -> .. sum by k j == i ..) xs)
//     is   rearrange (1, 0) (map m (\l -> map n (\i -> .. sum by k j == i ..)) xs)
#include "onehot.h"
#include "opt/acc/acc.h"

typedef struct {
  Env *e;
  struct map_form *map;
  Var i;                        // counts the iterations of the map
  const struct screma_form *x;  // the sum inside
  Supports s;
  Map *local;                   // variables of the map's body outside the sum
  Var cond;                     // k j == i
  Affine key;                   // k j
  Map *needed;                  // variables of which key and element are made
} KeySum;

static bool find_counter(KeySum *u) {
  if (onehot_is_few(u->map->width)) return false;
  for (int k = 0; k < u->map->inputs.len; k++) {
    const Stm *def = env_def_as(u->e, u->map->inputs.at[k], FORM_IOTA);
    if (!def || !exp_counts(u->e->prog, &def->exp)) continue;
    u->i = u->map->fn->params.at[k];
    return true;
  }
  return false;
}

// The substitution counts: the element of a one-hot array may be replaced by one of the map's.
static bool is_local(const KeySum *u, Atom a) {
  a = env_atom(u->e, a);
  return a.is_var && map_get(u->local, a.var.id);
}

static bool is_sum(const KeySum *u) {
  const struct screma_form *x = u->x;
  const Operator *op = &x->reds.at[0];
  bool local = is_local(u, x->width);
  for (int k = 0; k < x->inputs.len; k++) {
    if (atom_type(u->e->prog, x->inputs.at[k]).is_acc) return false;
    local = local || is_local(u, x->inputs.at[k]);
  }
  Vars free = lambda_free(u->e->prog, u->e->scratch, op->op);
  for (int k = 0; k < free.len; k++) local = local || is_local(u, atom_var(free.at[k]));
  return !local && op->comm && op->neutral.len == 1 && !op->neutral.at[0].is_var &&
         !exp_has_effect(&(Exp){.form = FORM_SCREMA, .screma = *x});
}

// Reduction `red` alone, of one component as those before it; false: it is none.
static bool sum_alone(KeySum *u, const Stm *stm, int red, struct screma_form *out) {
  if (stm->exp.form != FORM_SCREMA || stm->exp.screma.scans.len) return false;
  *out = stm->exp.screma;
  for (int k = 0; k <= red; k++)
    if (out->reds.at[k].neutral.len != 1) return false;
  out->fn = onehot_cut(u->e, out->fn, red, 1);
  out->reds = (Operators){&stm->exp.screma.reds.at[red], 1, 1};
  u->x = out;
  return is_sum(u);
}

// ---- the key: of x == y, one of which has i with factor 1 or -1
static bool is_key(KeySum *u, Var cond) {
  const Stm *def = map_get(u->s.defs, cond.id);
  if (!def || def->exp.form != FORM_PRIM) return false;
  const struct prim_form *p = &def->exp.prim;
  if (p->op != OP_EQ || p->prim != PRIM_I64) return false;
  Affine x = affine_of(u->s.exps, p->args.at[0]), y = affine_of(u->s.exps, p->args.at[1]);
  Affine l = affine_minus(&x, &y);
  int64_t factor = affine_coef(&l, u->i);
  if (!l.ok || (factor != 1 && factor != -1) || !coef_is_small(l.k)) return false;
  affine_add_term(&l, u->i, -factor);
  u->key = (Affine){.ok = true};
  affine_add(&u->key, &l, -factor);
  u->cond = cond;
  return u->key.ok;
}

static bool binds_needed(const KeySum *u, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (map_get(u->needed, stm->bound.at[k].id) && stm->bound.at[k].id != u->cond.id) return true;
  return false;
}

// Closes `needed` from the variables in it; false where one of them is of the map's iteration.
static bool close_needed(KeySum *u) {
  const Body *body = &u->x->fn->body;
  for (int k = body->stms.len - 1; k >= 0; k--)
    if (binds_needed(u, &body->stms.at[k]))
      vars_mark(u->needed, exp_free(u->e->prog, u->e->scratch, &body->stms.at[k].exp));
  for (int k = 0; k < map_len(u->needed); k++)
    if (is_local(u, atom_var((Var){(uint32_t)map_key_at(u->needed, k)}))) return false;
  return true;
}

static void need_key(KeySum *u) {
  u->needed = map_new(u->e->scratch);
  for (int k = 0; k < u->key.n; k++)
    if (u->key.c[k]) map_put(u->needed, u->key.v[k].id, u);
}

static bool key_is_closed(KeySum *u) {
  need_key(u);
  return close_needed(u);
}

static bool is_on_key(const KeySum *u, const Stm *stm) {
  return stm->exp.form == FORM_MATCH && stm->exp.match.args.len == 1 &&
         atom_is_var(stm->exp.match.args.at[0], u->cond);
}

typedef enum { NEEDS_NOTHING, NEEDS_ITERATIONS, NEEDS_RANGE, NEEDS_BOTH } Needs;

static Needs needs_of(const KeySum *u) {
  const Stms *stms = &u->x->fn->body.stms;
  bool strict = false, lazy = false;
  for (int k = 0; k < stms->len; k++) {
    const Stm *stm = &stms->at[k];
    if (!binds_needed(u, stm) || exp_is_total(u->e->prog, stm)) continue;
    if (is_on_key(u, stm)) lazy = true;
    else strict = true;
  }
  if (strict) return lazy ? NEEDS_BOTH : NEEDS_ITERATIONS;
  return lazy ? NEEDS_RANGE : NEEDS_NOTHING;
}

// An equation of a number that counts the elements, otherwise of values from outside: the sum is a
// single case.
static bool is_solvable(const KeySum *u, Var cond) {
  const Stm *def = map_get(u->s.defs, cond.id);
  int inner = 0, counters = 0;
  if (!def || def->exp.form != FORM_PRIM || def->exp.prim.prim != PRIM_I64) return false;
  Affine x = affine_of(u->s.exps, def->exp.prim.args.at[0]);
  Affine y = affine_of(u->s.exps, def->exp.prim.args.at[1]), l = affine_minus(&x, &y);
  for (int k = 0; k < l.n; k++) inner += l.c[k] && map_get(u->s.inner, l.v[k].id);
  for (int k = 0; k < u->x->inputs.len; k++)
    counters += affine_coef(&l, u->x->fn->params.at[k]) != 0 &&
                env_def_as(u->e, u->x->inputs.at[k], FORM_IOTA);
  return inner == 1 && counters == 1;
}

static bool find_key(KeySum *u) {
  Atom r = u->x->fn->body.results.at[0];
  Support support = support_of(&u->s, r, u->x->reds.at[0].neutral.at[0]);
  for (int k = 0; k < support.conds.len; k++)
    if (is_solvable(u, support.conds.at[k])) return false;
  for (int k = 0; k < support.conds.len && !support.every; k++) {
    if (!is_key(u, support.conds.at[k]) || !key_is_closed(u)) continue;
    if (r.is_var) map_put(u->needed, r.var.id, u);
    if (close_needed(u) && needs_of(u) != NEEDS_BOTH)
      return prog_may(u->e->prog, SWITCH_KEY_SUMS);
  }
  return false;
}

// ---- the histogram
// A copy of the needed statements of which the condition holds, appended to b.
static Rewrite copy_needed(const KeySum *u, Builder b, Atoms args) {
  Rewrite w = rewrite_new(u->e->prog, b);
  Stms some = {0};
  const Body *body = &u->x->fn->body;
  for (int k = 0; k < args.len; k++) rewrite_bind(&w, u->x->fn->params.at[k], args.at[k]);
  rewrite_bind(&w, u->cond, atom_bool(true));
  for (int k = 0; k < body->stms.len; k++)
    if (binds_needed(u, &body->stms.at[k])) list_push(u->e->arena, &some, body->stms.at[k]);
  rewrite_stms(&w, some);
  return w;
}

static Atom key_atom(const KeySum *u, Rewrite *w) {
  Builder *b = &w->to;
  Atom sum = atom_i64(u->key.k);
  for (int k = 0; k < u->key.n; k++) {
    Atom v = rewrite_atom(w, atom_var(u->key.v[k]));
    sum = build_op(b, OP_ADD, sum, build_op(b, OP_MUL, v, atom_i64(u->key.c[k])));
  }
  return sum;
}

static Atom needed_cond(const KeySum *u, Builder *b, Needs needs, Atom key) {
  Atom n = u->map->width;
  if (needs == NEEDS_ITERATIONS) return build_op(b, OP_LT, atom_i64(0), n);
  return build_op(b, OP_AND, build_op(b, OP_LE, atom_i64(0), key), build_op(b, OP_LT, key, n));
}

// The results of `yes` where `in` holds, else those of `no`.
static Atoms guarded(const KeySum *u, Builder *b, Atom in, Body yes, Atoms no) {
  Env *e = u->e;
  Case first = {.body = yes}, last = {.body = {.results = no}};
  list_push(e->arena, &first.pats, (CasePat){.lit = atom_bool(true).value});
  Cases cases = {0};
  list_push(e->arena, &cases, first);
  list_push(e->arena, &cases, last);
  Exp exp = {.form = FORM_MATCH,
             .match = {.args = atoms_of(e->arena, 1, &in), .cases = cases}};
  return atoms_of_vars(e->arena, build_many(b, "v", exp_types(e->prog, &exp), exp));
}

static Builder inside(const Builder *b, Body *body) {
  Builder inner = *b;
  inner.stms = &body->stms;
  return inner;
}

// Key and element where the map has iterations, else no key.
static Atoms pair_of_iterations(KeySum *u, Builder *b, Atoms args) {
  Atom no[2] = {atom_i64(-1), u->x->reds.at[0].neutral.at[0]}, yes[2];
  Body body = {0};
  Rewrite w = copy_needed(u, inside(b, &body), args);
  yes[0] = key_atom(u, &w);
  yes[1] = rewrite_atom(&w, u->x->fn->body.results.at[0]);
  body.results = atoms_of(u->e->arena, 2, yes);
  Atom in = needed_cond(u, b, NEEDS_ITERATIONS, yes[0]);
  return guarded(u, b, in, body, atoms_of(u->e->arena, 2, no));
}

// The key, and the element where the map has an iteration of that number.
static Atoms pair_of_range(KeySum *u, Builder *b, Atoms args) {
  Map *all = u->needed;
  Body body = {0};
  Atom out[2];
  check(key_is_closed(u));
  Rewrite w = copy_needed(u, *b, args);
  out[0] = key_atom(u, &w);
  u->needed = all;
  Atom in = needed_cond(u, b, NEEDS_RANGE, out[0]);
  Rewrite v = copy_needed(u, inside(b, &body), args);
  Atom element = rewrite_atom(&v, u->x->fn->body.results.at[0]);
  body.results = atoms_of(u->e->arena, 1, &element);
  out[1] = guarded(u, b, in, body, u->x->reds.at[0].neutral).at[0];
  return atoms_of(u->e->arena, 2, out);
}

static Atoms pair(KeySum *u, Builder *b, Atoms args) {
  Needs needs = needs_of(u);
  Atom out[2];
  if (needs == NEEDS_ITERATIONS) return pair_of_iterations(u, b, args);
  if (needs) return pair_of_range(u, b, args);
  Rewrite w = copy_needed(u, *b, args);
  out[0] = key_atom(u, &w);
  out[1] = rewrite_atom(&w, u->x->fn->body.results.at[0]);
  return atoms_of(u->e->arena, 2, out);
}

static Lambda *keys_and_values(KeySum *u) {
  Types types = types_of_vars(u->e->prog, u->x->fn->params);
  LambdaBuilder lb = lambda_begin(&u->e->to, "x", types);
  Atoms args = atoms_of_vars(u->e->arena, lb.lambda->params);
  Atoms out = pair(u, &lb.inner, args);
  return lambda_end(&lb, out);
}

static Var histogram(KeySum *u, Var sum) {
  Env *e = u->e;
  const Operator *op = &u->x->reds.at[0];
  int from = e->to.stms->len;
  Atom dest = build_replicate(&e->to, atoms_of(e->arena, 1, &u->map->width), op->neutral.at[0]);
  Lambda *fn = keys_and_values(u);
  env_register(e, from);
  Stm *stm = NEW(e->arena, Stm);
  Var out = var_new(e->prog, var_info(e->prog, sum)->base,
                    atom_type(e->prog, dest));
  struct hist_form h = {.width = u->x->width, .rank = 1, .dests = atoms_of(e->arena, 1, &dest),
                        .neutral = atoms_concat(e->arena, op->neutral, (Atoms){0}),
                        .op = lambda_copy(&e->to, op->op), .fn = fn,
                        .inputs = atoms_concat(e->arena, u->x->inputs, (Atoms){0})};
  *stm = (Stm){.exp = {.form = FORM_HIST, .hist = h}, .loc = e->to.loc};
  list_push(e->arena, &stm->bound, out);
  env_use_body(e, &(Body){.stms = {stm, 1, 1}});
  simplify_stms_of(e, (Stms){stm, 1, 1});
  return out;
}

// The sum is an element of the histogram, a further input of the map.  True: no statement is left.
static bool replace_sum(KeySum *u, int at, int red) {
  Env *e = u->e;
  Lambda *fn = u->map->fn;
  Stm *stm = &fn->body.stms.at[at];
  Var bound = stm->bound.at[red];
  Atom h = env_atom(e, atom_var(histogram(u, bound)));
  Var p = var_new(e->prog, var_info(e->prog, bound)->base, var_type(e->prog, bound));
  bool removed = stm->bound.len == 1;
  Stms rest = {0};
  for (int k = 0; k < fn->body.stms.len; k++)
    if (k != at || !removed) list_push(e->arena, &rest, fn->body.stms.at[k]);
  if (!removed) onehot_drop_operator(&rest.at[at], red, red, red);
  fn->body.stms = rest;
  list_push(e->arena, &fn->params, p);
  list_push(e->arena, &u->map->inputs, h);
  env_bind(e, bound, atom_var(p));
  e->changed = true;
  return removed;
}

// True: the statement is removed.
static bool key_sums_of(KeySum *u, int at) {
  const Stms *stms = &u->map->fn->body.stms;
  int reds = stms->at[at].exp.form == FORM_SCREMA ? stms->at[at].exp.screma.reds.len : 0;
  for (int red = reds - 1; red >= 0; red--) {
    struct screma_form alone;
    if (!sum_alone(u, &u->map->fn->body.stms.at[at], red, &alone)) continue;
    if (!supports_begin(&u->s, u->e, alone.fn) || !find_key(u)) continue;
    if (replace_sum(u, at, red)) return true;
  }
  return false;
}

void onehot_key_sums(Env *e, Stm *stm) {
  KeySum u = {.e = e, .map = &stm->exp.map, .local = map_new(e->scratch)};
  if (!find_counter(&u)) return;
  vars_mark_bound(u.local, u.map->fn);
  for (int k = 0; k < u.map->fn->body.stms.len; k++)
    if (key_sums_of(&u, k)) k--;
}

// ---- sums in an inner map
static bool are_outside(const KeySum *u, Atoms inputs) {
  for (int k = 0; k < inputs.len; k++)
    if (is_local(u, inputs.at[k]) || atom_type(u->e->prog, inputs.at[k]).is_acc ||
        !env_shared(u->e, inputs.at[k]))
      return false;
  return true;
}

// The map in the map, of scalars, which is all that the outer one does; NULL: there is none.
static const struct map_form *inner_map(const KeySum *u) {
  const Body *body = &u->map->fn->body;
  const Stm *stm = &body->stms.at[0];
  if (body->stms.len != 1 || stm->exp.form != FORM_MAP || exp_has_effect(&stm->exp)) return NULL;
  if (body->results.len != stm->bound.len) return NULL;
  const struct map_form *m = &stm->exp.map;
  for (int k = 0; k < body->results.len; k++)
    if (k >= stm->bound.len || !atom_is_var(body->results.at[k], stm->bound.at[k]) ||
        m->fn->rets.at[k].rank)
      return NULL;
  return are_outside(u, m->inputs) && are_outside(u, u->map->inputs) && !is_local(u, m->width)
             ? m : NULL;
}

static bool has_key_sum(KeySum *u, const struct map_form *inner) {
  const Stms *stms = &inner->fn->body.stms;
  for (int k = 0; k < stms->len; k++) {
    const Stm *stm = &stms->at[k];
    int reds = stm->exp.form == FORM_SCREMA ? stm->exp.screma.reds.len : 0;
    for (int red = 0; red < reds; red++) {
      struct screma_form alone;
      if (sum_alone(u, stm, red, &alone) && supports_begin(&u->s, u->e, alone.fn) && find_key(u))
        return true;
    }
    if (vars_marked(u->local, exp_free(u->e->prog, u->e->scratch, &stm->exp)))
      vars_mark(u->local, stm->bound);
  }
  return false;
}

static Lambda *exchanged(const KeySum *u, const struct map_form *inner) {
  Env *e = u->e;
  const Lambda *outer = u->map->fn;
  LambdaBuilder a = lambda_begin(&e->to, "x", types_of_vars(e->prog, inner->fn->params));
  LambdaBuilder b = lambda_begin(&a.inner, "x", types_of_vars(e->prog, outer->params));
  Rewrite w = rewrite_new(e->prog, b.inner);
  for (int k = 0; k < inner->fn->params.len; k++)
    rewrite_bind(&w, inner->fn->params.at[k], atom_var(a.lambda->params.at[k]));
  for (int k = 0; k < outer->params.len; k++)
    rewrite_bind(&w, outer->params.at[k], atom_var(b.lambda->params.at[k]));
  rewrite_stms(&w, inner->fn->body.stms);
  Atoms results = rewrite_atoms(&w, inner->fn->body.results);
  b.inner = w.to;
  Lambda *fn = lambda_end(&b, results);
  Exp map = {.form = FORM_MAP, .map = {.width = u->map->width, .fn = fn}};
  map.map.inputs = atoms_concat(e->arena, u->map->inputs, (Atoms){0});
  Vars out = build_many(&a.inner, "columns", exp_types(e->prog, &map), map);
  return lambda_end(&a, atoms_of_vars(e->arena, out));
}

bool onehot_key_columns(Env *e, Stm *stm) {
  KeySum u = {.e = e, .map = &stm->exp.map, .local = map_new(e->scratch)};
  if (!find_counter(&u)) return false;
  vars_mark_bound(u.local, u.map->fn);
  const struct map_form *inner = inner_map(&u);
  if (!inner || !has_key_sum(&u, inner)) return false;
  Stms stms = {0};
  Builder b = builder_new(e->prog, &stms);
  b.loc = stm->loc;
  Exp map = {.form = FORM_MAP, .map = {.width = inner->width, .fn = exchanged(&u, inner)}};
  map.map.inputs = atoms_concat(e->arena, inner->inputs, (Atoms){0});
  Vars columns = build_many(&b, "columns", exp_types(e->prog, &map), map);
  for (int k = 0; k < columns.len; k++) {
    build_rearrange(&b, atom_var(columns.at[k]), (int[]){1, 0});
    stms.at[stms.len - 1].bound.at[0] = stm->bound.at[k];
  }
  env_use_body(e, &(Body){.stms = stms});
  simplify_stms_of(e, stms);
  return e->changed = true;
}
