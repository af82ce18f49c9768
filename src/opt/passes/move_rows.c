// Rows that a map makes and that then only change places are made where they go:
//
//   ys = map n f xs ; zs = P ys     is     ws = P xs ; zs = map n f ws
//
// for numbers xs, arrays ys, and P made of slices of whole rows, concatenations, rotations and
// branches of such; the directions of a Jacobian whose columns are rotated, or are where one branch
// has them.  Where ys and zs have one width nothing is computed more often than before.
#include "opt/common/local.h"

typedef struct {
  Prog *prog;
  Arena *scratch;
  AliasClasses classes;
  bool changed;
} MoveRows;

// The array of one map, and what P makes of it: variables, and where they stand as operands.
typedef struct {
  MoveRows *m;
  Vars moved;     // in scope
  Vars all;       // in branches, too
  Var last;       // zs
  int last_place;
} Rows;

static bool is_moved(const Rows *r, Atom a) { return a.is_var && vars_have(r->moved, a.var); }

static bool mentions(const Rows *r, const Exp *e) {
  Vars free = exp_free(r->m->prog, r->m->scratch, e);
  for (int i = 0; i < free.len; i++)
    if (vars_have(r->moved, free.at[i])) return true;
  return false;
}

static void add_moved(Rows *r, Var v) {
  list_push(r->m->scratch, &r->moved, v);
  list_push(r->m->scratch, &r->all, v);
}

static bool branch_moves(Rows *r, const Body *body);

// Whether the result of the form is whole rows of moved arrays, which it reads in no other way.
static bool moves(Rows *r, const Exp *e) {
  switch ((int)e->form) {
  case FORM_INDEX:
    return is_moved(r, e->index.array) && e->index.slice.len == 1 && !e->index.slice.at[0].is_fix;
  case FORM_ROTATE: return is_moved(r, e->rotate.array);
  case FORM_REVERSE: return is_moved(r, e->reverse.array);
  case FORM_CONCAT:
    for (int i = 0; i < e->concat.arrays.len; i++)
      if (!is_moved(r, e->concat.arrays.at[i])) return false;
    return e->concat.dim == 0;
  case FORM_MATCH:
    for (int i = 0; i < e->match.cases.len; i++)
      if (!branch_moves(r, &e->match.cases.at[i].body)) return false;
    return true;
  }
  return false;
}

static bool moves_stm(Rows *r, const Stm *stm) {
  if (stm->bound.len != 1 || !moves(r, &stm->exp)) return false;
  add_moved(r, stm->bound.at[0]);
  return true;
}

static bool branch_moves(Rows *r, const Body *body) {
  Vars saved = r->moved;
  bool moved = body->results.len == 1;
  for (int i = 0; moved && i < body->stms.len; i++)
    if (mentions(r, &body->stms.at[i].exp)) moved = moves_stm(r, &body->stms.at[i]);
  moved = moved && is_moved(r, body->results.at[0]);
  r->moved = saved;
  return moved;
}

// ---- which maps
static bool is_consumed(MoveRows *m, Var v) {
  return var_is_array(m->prog, v) && alias_class_consumed(&m->classes, v);
}

// It may stand further down.
static bool is_map_of_rows(MoveRows *m, const Stm *stm) {
  const struct map_form *f = &stm->exp.map;
  if (stm->exp.form != FORM_MAP || stm->bound.len != 1 || f->inputs.len != 1) return false;
  Type t = var_type(m->prog, stm->bound.at[0]), x = atom_type(m->prog, f->inputs.at[0]);
  if (t.rank < 2 || t.is_acc || x.rank != 1 || x.is_acc) return false;
  Vars free = exp_free(m->prog, m->scratch, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (is_consumed(m, free.at[i]) || var_type(m->prog, free.at[i]).is_acc) return false;
  return !is_consumed(m, stm->bound.at[0]);
}

// Everything that mentions the rows moves them, but what comes after zs and mentions zs alone.
static bool find_rows(Rows *r, const Body *body, int map) {
  r->last_place = -1;
  for (int i = map + 1; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!mentions(r, &stm->exp)) continue;
    int known = r->all.len;
    if (!moves_stm(r, stm)) {
      r->all.len = known;
      break;
    }
    r->last = stm->bound.at[0];
    r->last_place = i;
  }
  if (r->last_place < 0) return false;
  Vars others = {0};
  for (int i = 0; i < r->moved.len; i++)
    if (r->moved.at[i].id != r->last.id) list_push(r->m->scratch, &others, r->moved.at[i]);
  r->moved = others;
  for (int i = r->last_place + 1; i < body->stms.len; i++)
    if (mentions(r, &body->stms.at[i].exp)) return false;
  for (int i = 0; i < body->results.len; i++)
    if (is_moved(r, body->results.at[i])) return false;
  return !is_consumed(r->m, r->last);
}

// ---- the change, in place
typedef struct {
  Var from;
  Atom to;
} Replaced;

static Atom replace_atom(void *state, Atom a) {
  const Replaced *s = state;
  return atom_is_var(a, s->from) ? s->to : a;
}

static void replace_body(MoveRows *m, Body *body, Replaced *s) {
  for (int i = 0; i < body->results.len; i++)
    body->results.at[i] = replace_atom(s, body->results.at[i]);
  for (int i = 0; i < body->stms.len; i++) {
    Exp *e = &body->stms.at[i].exp;
    exp_change_atoms(e, replace_atom, s);
    Parts parts = {0};
    if (exp_has_parts(e)) parts = exp_parts(m->scratch, e);
    for (int k = 0; k < parts.len; k++) replace_body(m, parts.at[k].body, s);
  }
}

// xs takes the place of ys: arrays that P made of rows of ys hold the numbers of xs now.
static void retype(Rows *r, Var ys, Atom xs) {
  Prog *prog = r->m->prog;
  Type x = atom_type(prog, xs);
  for (int i = 0; i < r->all.len; i++) {
    Var v = r->all.at[i];
    Type row = {.prim = x.prim};
    if (v.id != ys.id)
      prog->vars.at[v.id].type = type_array(prog->arena, row, var_type(prog, v).dims[0]);
  }
}

static void place_map(Rows *r, Body *body, int place) {
  MoveRows *m = r->m;
  Stm map = body->stms.at[place];
  Var ys = map.bound.at[0], zs = r->last;
  Type type = var_type(m->prog, zs);
  Atom xs = map.exp.map.inputs.at[0];
  Var ws = var_new(m->prog, "w", type);
  list_push(m->scratch, &r->all, ws);
  Stm *last = &body->stms.at[r->last_place];
  last->bound.at[0] = ws;
  retype(r, ys, xs);
  m->prog->vars.at[zs.id].type = type;
  replace_body(m, body, &(Replaced){ys, xs});
  map.exp.map.inputs.at[0] = atom_var(ws);
  map.bound.at[0] = zs;
  for (int i = place; i < r->last_place; i++) body->stms.at[i] = body->stms.at[i + 1];
  body->stms.at[r->last_place] = map;
  m->changed = true;
}

static void move_rows_of(MoveRows *m, Body *body, int place) {
  const Stm *stm = &body->stms.at[place];
  if (!is_map_of_rows(m, stm)) return;
  Rows r = {.m = m};
  add_moved(&r, stm->bound.at[0]);
  if (!find_rows(&r, body, place)) return;
  Type t = var_type(m->prog, r.last);
  if (t.rank > 1 && atom_same(t.dims[0], stm->exp.map.width)) place_map(&r, body, place);
}

static void move_rows_body(MoveRows *m, Body *body) {
  for (int i = body->stms.len - 1; i >= 0; i--) {
    Exp *e = &body->stms.at[i].exp;
    Parts parts = {0};
    if (exp_has_parts(e)) parts = exp_parts(m->scratch, e);
    for (int k = 0; k < parts.len; k++) move_rows_body(m, parts.at[k].body);
    move_rows_of(m, body, i);
  }
}

static bool moves_any(const Exp *e) {
  Form f = e->form;
  return f == FORM_CONCAT || f == FORM_ROTATE || f == FORM_REVERSE || f == FORM_MATCH;
}

// needs: core without derivatives.  leaves: the same level.  cost: linear in bodies times the maps
// of rows in them.
Prog *pass_move_rows(Prog *prog, Arena *arena) {
  if (!prog_has(prog, moves_any)) return prog;
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(arena);
  MoveRows m = {.prog = out, .scratch = scratch, .classes = alias_classes_compute(scratch, out)};
  for (int i = 0; i < out->fns.len; i++) move_rows_body(&m, &out->fns.at[i]->body);
  arena_free(scratch);
  out->changed = m.changed;
  out->at_fixpoint = prog->at_fixpoint && !m.changed;
  return out;
}
