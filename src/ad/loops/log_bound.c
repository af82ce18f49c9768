// How much an iteration of a loop leaves for its adjoint code, at most, before it runs: a bound
// in terms of what is outside the loop, where sizes and trips say.
//
//   most(a)            a                       outside the loop
//                      n - 1                   the trip number of a loop of n trips; least is 0
//                      most(x) + most(y)       x + y;  most(x) - least(y): x - y
//                      c most(x)               c x with a constant c > 0;  most(x) / c: x / c
//                      the largest product     x y, of the extremes of x and y
//                      max(most(x), most(y))   a choice of x and y, and max;  min: of min
//
// An update pushes the slice it writes, scatters their rows, a loop its trips times what an
// iteration of it does (undo_log.c).
#include "loop_memory.h"

enum { MOST_STEPS = 64 };  // of a bound: values that are mentioned twice are looked at twice

static void scope_add(Bound *m, const struct loop_form *e);

static void body_add(void *state, const Body *body, const Vars *params) {
  Bound *m = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    varset_add_all(&m->inside, stm->bound);
    for (int k = 0; k < stm->bound.len; k++) map_put(m->defs, stm->bound.at[k].id, (void *)stm);
    if (stm->exp.form == FORM_LOOP) scope_add(m, &stm->exp.loop);
    if (stm->exp.form == FORM_MATCH) exp_each_body(&stm->exp, body_add, m);
  }
}

static void scope_add(Bound *m, const struct loop_form *e) {
  if (e->is_for) map_put(m->trips, e->fn->params.at[0].id, (void *)e);
  varset_add_all(&m->inside, e->fn->params);
  body_add(m, &e->fn->body, NULL);
}

Bound bound_new(Builder *b, Rewrite *outside, const Prog *from, const struct loop_form *scope) {
  Arena *arena = b->prog->arena;
  Bound m = {b, outside, from, map_new(arena), map_new(arena), varset_new(arena), 0, true,
             NEW(arena, struct Elements *)};
  scope_add(&m, scope);
  return m;
}

static Atom extreme(Bound *m, Atom a, bool most);

static Atom unknown(Bound *m) {
  m->known = false;
  return atom_i64(0);
}

// Of the four products of extremes, one.
static Atom of_product(Bound *m, Atom x, Atom y, bool most) {
  Atom xs[] = {extreme(m, x, false), extreme(m, x, true)};
  Atom ys[] = {extreme(m, y, false), extreme(m, y, true)}, best = atom_none();
  for (int k = 0; k < 4; k++) {
    Atom product = build_op(m->b, OP_MUL, xs[k / 2], ys[k % 2]);
    best = k == 0 ? product : build_op(m->b, most ? OP_MAX : OP_MIN, best, product);
  }
  return best;
}

static Atom of_prim(Bound *m, const struct prim_form *e, bool most) {
  Builder *b = m->b;
  Atom x = e->args.at[0], y = e->args.len > 1 ? e->args.at[1] : x;
  bool by = !y.is_var && prim_is_int(e->prim) && y.value.i > 0;
  if (!prim_is_int(e->prim) && e->op != OP_SELECT) return unknown(m);
  if (e->op == OP_ADD) return build_op(b, OP_ADD, extreme(m, x, most), extreme(m, y, most));
  if (e->op == OP_SUB) return build_op(b, OP_SUB, extreme(m, x, most), extreme(m, y, !most));
  if (e->op == OP_MIN || e->op == OP_MAX)
    return build_op(b, e->op, extreme(m, x, most), extreme(m, y, most));
  if (e->op == OP_SELECT)
    return build_op(b, most ? OP_MAX : OP_MIN, extreme(m, y, most),
                    extreme(m, e->args.at[2], most));
  if (e->op == OP_MUL && !by) return of_product(m, x, y, most);
  if (by && (e->op == OP_MUL || e->op == OP_QUOT || e->op == OP_DIV))
    return build_op(b, e->op, extreme(m, x, most), atom_i64(y.value.i));
  if (by && e->op == OP_MOD) return atom_i64(most ? y.value.i - 1 : 0);
  return unknown(m);
}

// A branch that chooses from constants.
static Atom of_match(Bound *m, const Stm *stm, Atom a, bool most) {
  int k = 0;
  Atom best = atom_none();
  while (!atom_is_var(a, stm->bound.at[k])) k++;
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    Atom choice = stm->exp.match.cases.at[i].body.results.at[k];
    if (choice.is_var) return unknown(m);
    choice = atom_i64(choice.value.i);
    best = i == 0 ? choice : build_op(m->b, most ? OP_MAX : OP_MIN, best, choice);
  }
  return best;
}

static Atom extreme(Bound *m, Atom a, bool most) {
  if (!m->known || m->steps++ > MOST_STEPS) return unknown(m);
  if (!varset_has_atom(&m->inside, a)) {
    Atom outside = rewrite_atom(m->outside, a);
    Prim p = atom_type(m->b->prog, outside).prim;
    return p == PRIM_I64 ? outside : build_conv(m->b, PRIM_I64, outside);
  }
  const struct loop_form *e = map_get(m->trips, a.var.id);
  if (e && !most) return atom_i64(0);
  if (e) return build_op(m->b, OP_SUB, bound_upper(m, e->bound), atom_i64(1));
  const Stm *def = map_get(m->defs, a.var.id);
  if (!def) return unknown(m);
  if (def->exp.form == FORM_PRIM) return of_prim(m, &def->exp.prim, most);
  if (def->exp.form == FORM_MATCH) return of_match(m, def, a, most);
  if (def->exp.form != FORM_CONV) return unknown(m);
  Prim from = atom_type(m->from, def->exp.conv.arg).prim;
  if (from == PRIM_BOOL) return atom_i64(most);
  return prim_is_int(from) ? extreme(m, def->exp.conv.arg, most) : unknown(m);
}

// Of a number of trips.
Atom bound_upper(Bound *m, Atom a) {
  m->steps = 0;
  return build_op(m->b, OP_MAX, extreme(m, a, true), atom_i64(0));
}

static Atom bound_size(Bound *m, Atom a) {
  return varset_has_atom(&m->inside, a) ? bound_upper(m, a) : extreme(m, a, true);
}

struct Elements {
  Type type;
  Atom count;
  struct Elements *next;
};

static bool sizes_same(Type a, Type b) {
  if (a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; d++)
    if (!atom_same(a.dims[d], b.dims[d])) return false;
  return true;
}

// The elements of an array, the same atom for the same sizes.
Atom bound_elements(Bound *m, Type t) {
  Atom count = atom_i64(1);
  for (const struct Elements *e = *m->elements; e; e = e->next)
    if (sizes_same(e->type, t)) return e->count;
  for (int d = 0; d < t.rank; d++) count = build_op(m->b, OP_MUL, count, bound_size(m, t.dims[d]));
  if (!m->known) return count;
  struct Elements *e = NEW(m->b->prog->arena, struct Elements);
  *e = (struct Elements){t, count, *m->elements};
  *m->elements = e;
  return count;
}

// ---- what is pushed
typedef struct {
  Atom values, indices;  // how many
} LogSize;

static void add(Bound *m, Atom *sum, Atom more) { *sum = build_op(m->b, OP_ADD, *sum, more); }

static Atom times(Bound *m, Atom x, Atom y) { return build_op(m->b, OP_MUL, x, y); }

static void pushed_update(Bound *m, const UpdateChain *c, const struct update_form *e,
                          LogSize *sum) {
  Type t = var_type(m->from, e->array.var);
  Atom size = atom_i64(1);
  for (int i = 0; i < t.rank; i++) {
    bool given = i < e->slice.len;
    if (given && e->slice.at[i].is_fix) continue;
    size = times(m, size, bound_size(m, given ? e->slice.at[i].count : t.dims[i]));
  }
  add(m, &sum->values, size);
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim d = e->slice.at[i];
    int indices = !chain_recomputable(c, d.start) + (!d.is_fix && !chain_recomputable(c, d.count));
    add(m, &sum->indices, atom_i64(indices));
  }
}

static void pushed_rows(Bound *m, const UpdateChain *c, const Exp *e, LogSize *sum) {
  const Rows rows = written_rows(m->from, e);
  Type t = atom_type(m->from, rows.dests.at[0]);
  Atom width = bound_size(m, rows.width), size = width;
  for (int k = 0; k < rows.dests.len; k++)
    if (chain_has_version(c, rows.dests.at[k])) t = atom_type(m->from, rows.dests.at[k]);
  for (int i = 1; i < t.rank; i++) size = times(m, size, bound_size(m, t.dims[i]));
  add(m, &sum->values, size);
  if (!chain_recomputable(c, rows.indices)) add(m, &sum->indices, width);
  if (!chain_recomputable(c, rows.width)) add(m, &sum->indices, atom_i64(1));
}

static LogSize pushed_body(Bound *m, const UpdateChain *c, const Lambda *fn);

static void pushed_loop(Bound *m, const UpdateChain *c, const struct loop_form *e, LogSize *sum) {
  LogSize within = pushed_body(m, c, e->fn);
  Atom trips = bound_upper(m, e->bound);
  add(m, &sum->values, times(m, trips, within.values));
  add(m, &sum->indices, times(m, trips, within.indices));
  if (!chain_recomputable(c, e->bound)) add(m, &sum->indices, atom_i64(1));
}

static LogSize pushed_body(Bound *m, const UpdateChain *c, const Lambda *fn) {
  LogSize sum = {atom_i64(0), atom_i64(0)};
  for (int i = 0; i < fn->body.stms.len; i++) {
    const Stm *stm = &fn->body.stms.at[i];
    if (!chain_updates(c, stm)) continue;
    if (stm->exp.form == FORM_UPDATE) pushed_update(m, c, &stm->exp.update, &sum);
    else if (stm->exp.form == FORM_LOOP) pushed_loop(m, c, &stm->exp.loop, &sum);
    else pushed_rows(m, c, &stm->exp, &sum);
  }
  return sum;
}

Footprint bound_log(Bound *m, const struct loop_form *e, int k, const UpdateChain *c, Atom trips) {
  LogSize p = pushed_body(m, c, e->fn);
  Arena *arena = m->b->prog->arena;
  Footprint stacks = {0};
  footprint_add(arena, &stacks, times(m, trips, p.values),
             var_type(m->from, e->fn->params.at[e->is_for + k]).prim);
  footprint_add(arena, &stacks, times(m, trips, p.indices), PRIM_I64);
  return stacks;
}
