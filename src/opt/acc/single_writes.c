// Additions to cells of zeros that are each written once become writes.  Of an accumulator that
// adds to zeros, all of whose updates stand in nests of maps, an index is of one of two kinds:
//
//   a constant
//   s i + rest, or that modulo w      i the iteration of a map of width w, s = 1 or -1, rest the
//                                     same in all iterations, and w the size of the dimension
//
// (`select b e1 e2` in range with e1 - e2 = w or -w is e1 modulo w: what the simplifier makes of
// remainders.)  Where every map around an update is in one index of it, the update comes to all
// cells with its constants, once to each.  So if all updates have their constants in the same
// places and no two the same, no two iterations meet; and if every constant has one, all
// cells are written, and the zeros are not needed.
#include "acc.h"

enum { MAPS = 6, MOST_UPDATES = 32 };

typedef struct {
  Var index;   // its iteration; none where it has no name
  Atom width;
} Around;

typedef struct {
  Prog *prog;
  Arena *arena, *scratch;
  Map *defs, *iotas, *zeros;  // as of acc.h; zeros: variable -> Exp
  Map *inside;                // variables bound in the withacc looked at
  // The accumulator looked at:
  Var token;
  Type type;
  bool ok;
  int maps, updates;
  Around map[MAPS];
  Stm *update[MOST_UPDATES];
  Affine constants[MOST_UPDATES];   // those of an update, as coefficients of their places
  unsigned fixed;                 // the places, as bits
} Write;

// ---- the kinds of an index --------------------------------------------------------------------
// s i + rest for one of the maps: which; -1: none
static int affine_map(const Write *w, const Affine *l) {
  int map = -1;
  if (!l->ok) return -1;
  for (int i = 0; i < l->n; i++) {
    int of = -1;
    for (int m = 0; m < w->maps; m++)
      if (w->map[m].index.id == l->v[i].id) of = m;
    if (of < 0 && map_get(w->inside, l->v[i].id)) return -1;
    if (of >= 0 && (map >= 0 || (l->c[i] != 1 && l->c[i] != -1))) return -1;
    if (of >= 0) map = of;
  }
  return map;
}

static bool is_period(const Affine *l, Atom size) {
  if (!l->ok) return false;
  if (!size.is_var) return l->n == 0 && (l->k == size.value.i || l->k == -size.value.i);
  int64_t c = affine_coef(l, size.var);
  return l->k == 0 && l->n == 1 && (c == 1 || c == -1);
}

// The value of an index in range modulo the size.
static Affine modulo(const Write *w, Atom index, Atom size) {
  Affine none = {.ok = false}, l = affine_of(w->defs, index);
  const Exp *def = index.is_var ? map_get(w->defs, index.var.id) : NULL;
  if (affine_map(w, &l) >= 0 || !def || def->form != FORM_PRIM) return l;
  const Atom *x = def->prim.args.at;
  if (def->prim.op == OP_MOD || def->prim.op == OP_REM)
    return atom_same(x[1], size) ? affine_of(w->defs, x[0]) : none;
  if (def->prim.op != OP_SELECT) return l;
  Affine first = affine_of(w->defs, x[1]), difference = first, second = affine_of(w->defs, x[2]);
  affine_add(&difference, &second, -1);
  return is_period(&difference, size) ? first : none;
}

// Notes the update; false where its indices are of other kinds.
static bool note_update(Write *w, Stm *stm) {
  const struct updateacc_form *u = &stm->exp.updateacc;
  if (w->updates == MOST_UPDATES || !stm->attrs.unchecked || u->index.len != w->type.rank)
    return false;
  unsigned seen = 0, fixed = 0;
  Affine constants = {.ok = true};
  for (int k = 0; k < u->index.len; k++) {
    Atom at = u->index.at[k], size = w->type.dims[k];
    if (!at.is_var && !size.is_var) {
      fixed |= 1u << k;
      affine_add_term(&constants, (Var){(uint32_t)k + 1}, at.value.i + 1);
      continue;
    }
    Affine l = modulo(w, at, size);
    int map = affine_map(w, &l);
    if (map < 0 || (seen >> map & 1) || !atom_same(w->map[map].width, size)) return false;
    seen |= 1u << map;
  }
  if (seen + 1 != 1u << w->maps || !constants.ok) return false;
  if (w->updates && fixed != w->fixed) return false;
  w->fixed = fixed;
  w->constants[w->updates] = constants;
  w->update[w->updates++] = stm;
  return true;
}

// ---- the nest ---------------------------------------------------------------------------------
static void note_facts(Write *w, const Stm *stm, bool inside) {
  const Exp *x = &stm->exp;
  for (int k = 0; inside && k < stm->bound.len; k++) map_put(w->inside, stm->bound.at[k].id, w);
  Prim p = x->form == FORM_PRIM ? x->prim.prim : PRIM_F64;
  bool sum = p == PRIM_I64 || (x->form == FORM_PRIM && x->prim.op == OP_SELECT);
  if (x->form == FORM_ATOM || sum)
    map_put(w->defs, stm->bound.at[0].id, arena_copy(w->scratch, x, sizeof *x));
  if (exp_counts(w->prog, x)) map_put(w->iotas, stm->bound.at[0].id, w);
}

static bool is_acc(const Write *w, Type t) { return t.is_acc && t.token.id == w->token.id; }

static bool has_acc(const Write *w, const Vars *vars) {
  for (int k = 0; k < vars->len; k++)
    if (is_acc(w, var_type(w->prog, vars->at[k]))) return true;
  return false;
}

static void write_nest(Write *w, Body *body);

static void write_map(Write *w, const struct map_form *m) {
  if (w->maps == MAPS) w->ok = false;
  if (!w->ok) return;
  Around *here = &w->map[w->maps++];
  *here = (Around){.index = var_new(w->prog, "i", type_scalar(PRIM_I64)), .width = m->width};
  Exp name = {.form = FORM_ATOM, .atom = {atom_var(here->index)}};
  for (int i = 0; i < m->fn->params.len; i++) {
    map_put(w->inside, m->fn->params.at[i].id, w);
    if (m->inputs.at[i].is_var && map_get(w->iotas, m->inputs.at[i].var.id))
      map_put(w->defs, m->fn->params.at[i].id, arena_copy(w->scratch, &name, sizeof name));
  }
  write_nest(w, &m->fn->body);
  w->maps--;
}

static void write_nest(Write *w, Body *body) {
  for (int i = 0; w->ok && i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    note_facts(w, stm, true);
    if (!has_acc(w, &stm->bound)) continue;
    if (stm->exp.form == FORM_UPDATEACC) w->ok = note_update(w, stm);
    else if (stm->exp.form == FORM_MAP) write_map(w, &stm->exp.map);
    else w->ok = stm->exp.form == FORM_ATOM;
  }
}

static bool all_disjoint(const Write *w) {
  for (int i = 0; i < w->updates; i++)
    for (int k = 0; k < i; k++) {
      Affine l = w->constants[i];
      affine_add(&l, &w->constants[k], -1);
      if (!l.ok || l.n == 0) return false;
    }
  return w->updates > 0;
}

static bool all_written(const Write *w) {
  int64_t cells = 1;
  for (int k = 0; k < w->type.rank && cells <= MOST_UPDATES; k++)
    if (w->fixed >> k & 1) cells *= w->type.dims[k].value.i;
  return cells == w->updates;
}

// ---- withacc ----------------------------------------------------------------------------------
static void write_array(Write *w, Stms *out, Stm *stm, int k) {
  struct withacc_form *e = &stm->exp.withacc;
  Op op;
  Prim p;
  Atom array = e->arrays.at[k];
  const Lambda *fn = e->ops.at[k].op;
  if (!array.is_var || !fn || !lambda_is_op(fn, &op, &p) || op != OP_ADD) return;
  if (!map_get(w->zeros, array.var.id)) return;
  w->token = e->fn->params.at[e->fn->params.len - e->arrays.len + k];
  w->token = var_type(w->prog, w->token).token;
  w->type = var_type(w->prog, array.var);
  w->type.unique = false;
  w->ok = true;
  w->maps = w->updates = 0;
  write_nest(w, &e->fn->body);
  if (!w->ok || !all_disjoint(w)) return;
  e->ops.at[k].op = NULL;
  e->ops.at[k].neutral = (Atoms){0};
  for (int i = 0; i < w->updates; i++) w->update[i]->attrs.disjoint = true;
  if (!all_written(w)) return;
  Var v = var_new(w->prog, "cells", w->type);
  Exp scratch = {.form = FORM_SCRATCH, .scratch = {.prim = w->type.prim}};
  for (int d = 0; d < w->type.rank; d++)
    list_push(w->arena, &scratch.scratch.dims, w->type.dims[d]);
  Stm made = {.exp = scratch, .attrs = {.unchecked = true}, .loc = stm->loc};
  list_push(w->arena, &made.bound, v);
  list_push(w->arena, out, made);
  e->arrays.at[k] = atom_var(v);
}

static void write_body(Write *w, Body *body) {
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    const Exp *x = &stm->exp;
    note_facts(w, stm, false);
    if (x->form == FORM_REPLICATE && !x->replicate.arg.is_var && atom_is(x->replicate.arg, 0))
      map_put(w->zeros, stm->bound.at[0].id, w);
    if (exp_has_parts(x)) {
      Parts parts = exp_parts(w->scratch, &stm->exp);
      for (int k = 0; k < parts.len; k++) write_body(w, parts.at[k].body);
    }
    for (int k = 0; x->form == FORM_WITHACC && k < x->withacc.arrays.len; k++)
      write_array(w, &out, stm, k);
    list_push(w->arena, &out, *stm);
  }
  body->stms = out;
}

// needs: indices in range known (simplified), arrays of few cells written out.  leaves: additions
// to zeros that may be writes are; their zeros for dce.  cost: a walk per accumulator.
Prog *pass_accwrite(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Write w = {.prog = out, .arena = out->arena, .scratch = scratch, .defs = map_new(scratch),
             .iotas = map_new(scratch), .zeros = map_new(scratch), .inside = map_new(scratch)};
  for (int i = 0; i < out->fns.len; i++) write_body(&w, &out->fns.at[i]->body);
  arena_free(scratch);
  return out;
}
