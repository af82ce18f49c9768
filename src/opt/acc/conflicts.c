// Which updates of accumulators two iterations of a map may make at one place.  An update is plain,
// needs nothing atomic, if under every map between it and its `withacc` the updates of the
// accumulator have an index in common that distinguishes the iterations, or the map is sequential:
//
//   index p of every update  =  c i + rest     c /= 0; rest the same for all updates and
//                                              iterations, or different by no multiple of c
//   index p of every update  =  i w + j        j < w the iteration of a map inside
#include "acc.h"

typedef LIST(const struct Around *) Arounds;
typedef LIST(Affine) Affines;

// A map around updates.
typedef struct Around {
  const struct Around *outer;
  int depth;      // maps around this one
  bool in_order;  // its iterations run one after the other
  Var index;      // its iteration
  Atom width;
} Around;

typedef struct {
  const Stm *stm;
  uint32_t token;
  const Around *map;  // the innermost
  Affines index;
} Update;

typedef struct {
  Prog *prog;
  Arena *arena;
  Map *defs;    // variable -> Exp: sums of integers, the names of iterations
  Map *iotas;
  Map *counters;  // of for loops
  Map *made;    // variable bound in a map -> the innermost Around
  Map *tokens;  // token -> Around of its withacc, or the Plain itself where there is none
  LIST(Update) updates;
} Conflicts;

static Exp *exp_new(Conflicts *p, Exp exp) { return arena_copy(p->arena, &exp, sizeof exp); }

static void note_vars(Conflicts *p, const Vars *vars, const Around *map) {
  for (int i = 0; map && i < vars->len; i++)
    map_put(p->made, vars->at[i].id, arena_copy(p->arena, map, sizeof *map));
}

static void note_stm(Conflicts *p, const Stm *stm, const Around *map) {
  const Exp *x = &stm->exp;
  note_vars(p, &stm->bound, map);
  if (x->form == FORM_PRIM || x->form == FORM_ATOM)
    map_put(p->defs, stm->bound.at[0].id, exp_new(p, *x));
  if (exp_counts(p->prog, x)) map_put(p->iotas, stm->bound.at[0].id, p);
}

static void plain_body(Conflicts *p, const Body *body, const Around *map);

static void plain_map(Conflicts *p, const Stm *stm, Atom width, const Lambda *fn,
                      const Around *map) {
  bool plain = stm->exp.form == FORM_MAP;
  const Atoms *inputs = plain ? &stm->exp.map.inputs : &stm->exp.screma.inputs;
  Around *here = NEW(p->arena, Around);
  *here = (Around){.outer = map, .depth = map ? map->depth + 1 : 1, .width = width,
                   .in_order = stm->attrs.sequential};
  here->index = var_new(p->prog, "i", type_scalar(PRIM_I64));
  Exp name = {.form = FORM_ATOM, .atom = {atom_var(here->index)}};
  note_vars(p, &fn->params, here);
  for (int i = 0; i < inputs->len; i++)
    if (inputs->at[i].is_var && map_get(p->iotas, inputs->at[i].var.id))
      map_put(p->defs, fn->params.at[i].id, exp_new(p, name));
  plain_body(p, &fn->body, here);
}

static void plain_update(Conflicts *p, const Stm *stm, const Around *map) {
  const struct updateacc_form *u = &stm->exp.updateacc;
  Update update = {.stm = stm, .map = map, .token = atom_type(p->prog, u->acc).token.id};
  for (int i = 0; i < u->index.len; i++)
    list_push(p->arena, &update.index, affine_of(p->defs, u->index.at[i]));
  list_push(p->arena, &p->updates, update);
}

static void plain_body(Conflicts *p, const Body *body, const Around *map) {
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    note_stm(p, &stm, map);
    switch ((int)stm.exp.form) {
    case FORM_UPDATEACC:
      if (!stm.attrs.disjoint) plain_update(p, &body->stms.at[i], map);
      continue;
    case FORM_MAP: plain_map(p, &stm, stm.exp.map.width, stm.exp.map.fn, map); continue;
    case FORM_SCREMA: plain_map(p, &stm, stm.exp.screma.width, stm.exp.screma.fn, map); continue;
    case FORM_WITHACC:
      for (int k = 0; k < stm.exp.withacc.arrays.len; k++)
        map_put(p->tokens, stm.exp.withacc.fn->params.at[k].id,
                map ? arena_copy(p->arena, map, sizeof *map) : (void *)p);
      break;
    }
    if (!exp_has_parts(&stm.exp)) continue;
    if (stm.exp.form == FORM_LOOP && stm.exp.loop.is_for)
      map_put(p->counters, stm.exp.loop.fn->params.at[0].id, p);
    Parts parts = exp_parts(p->arena, &stm.exp);
    for (int k = 0; k < parts.len; k++) {
      if (parts.at[k].fn) note_vars(p, &parts.at[k].fn->params, map);
      plain_body(p, parts.at[k].body, map);
    }
  }
}

// ---- judging ----------------------------------------------------------------------------------
static int made_depth(const Conflicts *p, Var v) {
  const Around *map = map_get(p->made, v.id);
  return map ? map->depth : 0;
}

static const Around *around_of(const Update *u, Var index) {
  for (const Around *m = u->map; m; m = m->outer)
    if (m->index.id == index.id) return m;
  return NULL;
}

// Whether v is the same in all iterations of the map.
static bool is_outside(const Conflicts *p, const Update *u, Var v, const Around *map) {
  const Around *of = around_of(u, v);
  return of ? of->depth < map->depth : made_depth(p, v) < map->depth;
}

// i w + j: w is the width of the map with iteration j, inside.
static bool is_mixed(const Conflicts *p, const Update *u, const Affine *l, const Around *map) {
  const Exp *product = NULL;
  const Around *inner = NULL;
  for (int i = 0; i < l->n; i++) {
    const Around *of = around_of(u, l->v[i]);
    if (l->c[i] == 1 && of && of->depth > map->depth && !inner) inner = of;
    else if (l->c[i] == 1 && !of && !product && map_get(p->defs, l->v[i].id))
      product = map_get(p->defs, l->v[i].id);
    else if (!is_outside(p, u, l->v[i], map)) return false;
  }
  if (!inner || !product || product->form != FORM_PRIM || product->prim.op != OP_MUL) return false;
  for (int k = 0; k < 2; k++) {
    Affine i = affine_of(p->defs, product->prim.args.at[k]);
    if (atom_same(product->prim.args.at[1 - k], inner->width) && i.ok && i.n == 1 &&
        i.v[0].id == map->index.id)
      return true;
  }
  return false;
}

// Index k of the update differs between the iterations of the map.
static bool is_unconflicting(const Conflicts *p, const Update *u, int k, const Around *map) {
  const Affine *l = &u->index.at[k];
  if (!l->ok) return false;
  if (affine_coef(l, map->index) == 0) return is_mixed(p, u, l, map);
  for (int i = 0; i < l->n; i++)
    if (l->v[i].id != map->index.id && !is_outside(p, u, l->v[i], map)) return false;
  return true;
}

static bool is_disjoint(const Update *u, const Update *v, int k, const Around *map) {
  Affine difference = u->index.at[k];
  int64_t c = affine_coef(&difference, map->index);
  affine_add(&difference, &v->index.at[k], -1);
  return difference.ok && difference.n == 0 &&
         (difference.k == 0 || (c != 0 && difference.k % c != 0));
}

static bool is_under(const Update *u, const Around *map) {
  for (const Around *m = u->map; m; m = m->outer)
    if (m == map) return true;
  return false;
}

static bool is_plain_under(const Conflicts *p, const Update *u, const Around *map) {
  for (int k = 0; k < u->index.len; k++) {
    bool ok = is_unconflicting(p, u, k, map);
    for (int i = 0; ok && i < p->updates.len; i++) {
      const Update *v = &p->updates.at[i];
      if (v->token == u->token && is_under(v, map)) ok = is_disjoint(u, v, k, map);
    }
    if (ok) return true;
  }
  return false;
}

// v is made in the map of something that is not known before the program runs.
static bool is_from_data(const Conflicts *p, const Update *u, Var v, const Around *map, int depth) {
  if (around_of(u, v) || map_get(p->counters, v.id) || is_outside(p, u, v, map)) return false;
  const Exp *def = map_get(p->defs, v.id);
  if (!def || depth > 8) return true;
  const Atom *args = def->form == FORM_ATOM ? &def->atom.arg : def->prim.args.at;
  int n = def->form == FORM_ATOM ? 1 : def->prim.args.len;
  for (int i = 0; i < n; i++)
    if (args[i].is_var && is_from_data(p, u, args[i].var, map, depth + 1)) return true;
  return false;
}

static bool is_data(const Conflicts *p, const Update *u, const Around *map) {
  for (int k = 0; k < u->index.len; k++)
    for (int i = 0; i < u->index.at[k].n; i++)
      if (is_from_data(p, u, u->index.at[k].v[i], map, 0)) return true;
  return false;
}

// The update is made at the same places in every iteration of the map: iterations of maps and loops
// inside it, and what stands outside, say where.
static bool is_same(const Conflicts *p, const Update *u, const Around *map) {
  for (int k = 0; k < u->index.len; k++) {
    const Affine *l = &u->index.at[k];
    if (!l->ok) return false;
    for (int i = 0; i < l->n; i++) {
      const Around *of = around_of(u, l->v[i]);
      bool inside = of ? of->depth > map->depth : map_get(p->counters, l->v[i].id) != NULL;
      if (!inside && !is_outside(p, u, l->v[i], map)) return false;
    }
  }
  return true;
}

// Some update of the accumulator is: copies of it are no more than what iterations add to them.
static bool is_private(const Conflicts *p, const Update *u, const Around *map) {
  for (int i = 0; i < p->updates.len; i++) {
    const Update *v = &p->updates.at[i];
    if (v->token == u->token && is_under(v, map) && is_same(p, v, map)) return true;
  }
  return false;
}

static SharedUpdate decide(const Conflicts *p, const Update *u) {
  const Around *outer = map_get(p->tokens, u->token);
  int from = (const void *)outer == (const void *)p || !outer ? 0 : outer->depth;
  for (const Around *m = u->map; m && m->depth > from; m = m->outer)
    if (!m->in_order && !is_plain_under(p, u, m))
      return (SharedUpdate){.stm = u->stm, .shared = true, .data = is_data(p, u, m),
                            .private_ = is_private(p, u, m)};
  return (SharedUpdate){.stm = u->stm};
}

SharedUpdates acc_shared(Prog *prog, Arena *arena, const Body *body) {
  Conflicts p = {.prog = prog, .arena = arena, .defs = map_new(arena), .iotas = map_new(arena),
             .counters = map_new(arena), .made = map_new(arena), .tokens = map_new(arena)};
  SharedUpdates out = {0};
  plain_body(&p, body, NULL);
  for (int i = 0; i < p.updates.len; i++) {
    SharedUpdate s = decide(&p, &p.updates.at[i]);
    if (s.shared) list_push(arena, &out, s);
  }
  return out;
}
