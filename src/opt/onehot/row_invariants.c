// Values that an inner map or sum computes for each of its elements, whatever the iteration around
// it, are computed in a map in front of both.
//
//   map n (\i -> .. screma m (\w -> t = f w ; g i w t) ws <op> ..)
//     is   ts = map m f ws ; map n (\i -> .. screma m (\(w, t) -> g i w t) (ws, ts) <op> ..)
//
// for scalars t, and rows that the inner map gives, that cost more than a few instructions and
// cannot fail: the hidden values of a layer, in the map over directions of its derivative.  A sum
// inside w's lambda that has terms of both kinds is split for it.  Costs an array of m for each t.
#include "onehot.h"

typedef struct {
  Env *e;
  Map *local;      // variables of the outer lambda's body
  bool is_map;     // the inner one
  Atom width;      // its
  Lambda *fn;
  Atoms *inputs;
  Map *tainted;    // local, or dependent on that
  Map *lifts;      // bound by statements that may be computed in front
  Map *costly;     // those of them worth an array
  Vars roots;      // the arrays
} Rows;

static bool has(const Map *set, Var v) { return map_get(set, v.id) != NULL; }

static bool is_tainted(const Rows *r, Atom a) {
  a = env_atom(r->e, a);
  return a.is_var && has(r->tainted, a.var);
}

static bool any_tainted(const Rows *r, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (is_tainted(r, atom_var(vars.at[k]))) return true;
  return false;
}

static Vars free_of(const Rows *r, const Stm *stm) {
  return exp_free(r->e->prog, r->e->scratch, &stm->exp);
}

// ---- which inner maps and sums
static bool rows_of(Rows *r, Stm *stm) {
  Exp *x = &stm->exp;
  if (x->form != FORM_MAP && x->form != FORM_SCREMA) return false;
  bool map = r->is_map = x->form == FORM_MAP;
  r->width = env_atom(r->e, map ? x->map.width : x->screma.width);
  r->fn = map ? x->map.fn : x->screma.fn;
  r->inputs = map ? &x->map.inputs : &x->screma.inputs;
  return !onehot_is_few(r->width) && !(r->width.is_var && has(r->local, r->width.var));
}

static void taint(Rows *r) {
  r->tainted = map_new(r->e->scratch);
  for (int k = 0; k < map_len(r->local); k++) map_put(r->tainted, map_key_at(r->local, k), r);
  for (int k = 0; k < r->inputs->len; k++)
    if (is_tainted(r, r->inputs->at[k]) || atom_type(r->e->prog, r->inputs->at[k]).is_acc)
      map_put(r->tainted, r->fn->params.at[k].id, r);
  for (int i = 0; i < r->fn->body.stms.len; i++) {
    const Stm *stm = &r->fn->body.stms.at[i];
    if (any_tainted(r, free_of(r, stm))) vars_mark(r->tainted, stm->bound);
  }
}

// ---- a part of a lambda
static void close_needed(Env *e, const Body *body, Map *needed) {
  for (int i = body->stms.len - 1; i >= 0; i--)
    if (vars_marked(needed, body->stms.at[i].bound))
      vars_mark(needed, exp_free(e->prog, e->scratch, &body->stms.at[i].exp));
}

// fn with these results alone, and the inputs that are left.
static Lambda *part_of(Env *e, const Lambda *fn, Atoms results, const Atoms *inputs, Atoms *left) {
  Map *needed = map_new(e->scratch);
  for (int k = 0; k < results.len; k++)
    if (results.at[k].is_var) map_put(needed, results.at[k].var.id, needed);
  close_needed(e, &fn->body, needed);
  Types types = {0};
  for (int k = 0; k < fn->params.len; k++)
    if (has(needed, fn->params.at[k])) {
      list_push(e->arena, &types, var_type(e->prog, fn->params.at[k]));
      list_push(e->arena, left, inputs->at[k]);
    }
  LambdaBuilder lb = lambda_begin(&e->to, "x", types);
  Rewrite w = rewrite_new(e->prog, lb.inner);
  for (int k = 0, at = 0; k < fn->params.len; k++)
    if (has(needed, fn->params.at[k]))
      rewrite_bind(&w, fn->params.at[k], atom_var(lb.lambda->params.at[at++]));
  for (int i = 0; i < fn->body.stms.len; i++)
    if (vars_marked(needed, fn->body.stms.at[i].bound)) rewrite_stm(&w, &fn->body.stms.at[i]);
  return lambda_end(&lb, rewrite_atoms(&w, results));
}

// ---- sums of both kinds
static bool varies(Rows *r, const struct screma_form *x, const Operator *op, int from) {
  Map *needed = map_new(r->e->scratch);
  for (int k = 0; k < op->neutral.len; k++) {
    Atom a = x->fn->body.results.at[from + k];
    if (a.is_var) map_put(needed, a.var.id, needed);
    if (is_tainted(r, op->neutral.at[k])) return true;
  }
  close_needed(r->e, &x->fn->body, needed);
  vars_mark(needed, lambda_free(r->e->prog, r->e->scratch, op->op));
  for (int k = 0; k < x->inputs.len; k++)
    if (has(needed, x->fn->params.at[k]) && is_tainted(r, x->inputs.at[k])) return true;
  for (int k = 0; k < map_len(needed); k++)
    if (is_tainted(r, atom_var((Var){(uint32_t)map_key_at(needed, k)}))) return true;
  return is_tainted(r, x->width);
}

static Stm sum_alone(Env *e, Stm *stm, int which, int from) {
  struct screma_form x = stm->exp.screma;
  Operator op = x.reds.at[which];
  Atoms inputs = {0};
  x.fn = part_of(e, x.fn, atoms_slice(x.fn->body.results, from, op.neutral.len), &x.inputs,
                 &inputs);
  x.inputs = inputs;
  x.reds = (Operators){0};
  list_push(e->arena, &x.reds, op);
  LambdaBuilder post = lambda_begin(&e->to, "x", (Types){0});
  x.post = lambda_end(&post, (Atoms){0});
  Stm out = {.exp = {.form = FORM_SCREMA, .screma = x}, .attrs = stm->attrs, .loc = stm->loc};
  for (int k = 0; k < op.neutral.len; k++) list_push(e->arena, &out.bound, stm->bound.at[from + k]);
  onehot_drop_operator(stm, which, from, from);
  Stm *used = arena_copy(e->arena, &out, sizeof out);
  env_use_body(e, &(Body){.stms = {used, 1, 1}});
  return out;
}

// Reductions of `stm` that no iteration changes, in front of it.
static void split_sums(Rows *r, Stm *stm, Stms *out) {
  const struct screma_form *x = &stm->exp.screma;
  if (stm->exp.form != FORM_SCREMA || x->scans.len || exp_has_effect(&stm->exp)) return;
  if (x->inputs.len == 0 || !exp_is_total(r->e->prog, stm)) return;
  for (int k = 0, from = 0; k < x->reds.len && x->reds.len > 1;) {
    const Operator *op = &x->reds.at[k];
    int n = op->neutral.len;
    if (!varies(r, x, op, from) && prog_may(r->e->prog, SWITCH_ROW_INVARIANTS)) {
      list_push(r->e->arena, out, sum_alone(r->e, stm, k, from));
      continue;
    }
    from += n, k++;
  }
}

static void split_all_sums(Rows *r) {
  Stms out = {0};
  for (int i = 0; i < r->fn->body.stms.len; i++) {
    Stm stm = r->fn->body.stms.at[i];
    if (vars_marked(r->tainted, stm.bound)) split_sums(r, &stm, &out);
    list_push(r->e->arena, &out, stm);
  }
  r->fn->body.stms = out;
}

// ---- statements that leave the inner map
static bool is_plain(const Stm *stm) {
  static const Form plain[] = {FORM_PRIM,      FORM_CONV,    FORM_ATOM,      FORM_INDEX,
                               FORM_MAP,       FORM_SCREMA,  FORM_IOTA,      FORM_MATCH,
                               FORM_REPLICATE, FORM_COPY,    FORM_LOOP,      FORM_LITERAL,
                               FORM_RESHAPE,   FORM_REVERSE, FORM_REARRANGE, FORM_CONCAT};
  bool found = false;
  for (int k = 0; k < COUNT_OF(plain); k++) found = found || stm->exp.form == plain[k];
  return found && !stm->attrs.opaque && !exp_has_effect(&stm->exp);
}

// Dependent on a parameter of the lambda: otherwise it leaves by itself (hoist).
static bool may_lift(Rows *r, const Stm *stm, Vars free, const Map *unfit, const Map *of_row) {
  return vars_marked(of_row, free) && !vars_marked(unfit, free) &&
         !vars_marked(r->tainted, stm->bound) &&
         is_plain(stm) && exp_is_total(r->e->prog, stm);
}

static void find_lifts(Rows *r) {
  Map *unfit = map_new(r->e->scratch), *of_row = map_new(r->e->scratch);
  r->lifts = map_new(r->e->scratch), r->costly = map_new(r->e->scratch);
  for (int k = 0; k < r->fn->params.len; k++)
    if (!has(r->tainted, r->fn->params.at[k])) map_put(of_row, r->fn->params.at[k].id, r);
  for (int i = 0; i < r->fn->body.stms.len; i++) {
    const Stm *stm = &r->fn->body.stms.at[i];
    Vars free = free_of(r, stm);
    if (vars_marked(of_row, free)) vars_mark(of_row, stm->bound);
    if (!may_lift(r, stm, free, unfit, of_row)) {
      vars_mark(unfit, stm->bound);
      continue;
    }
    vars_mark(r->lifts, stm->bound);
    bool costs = exp_has_parts(&stm->exp) ||
                 (stm->exp.form == FORM_PRIM && !exp_is_cheap(&stm->exp));
    if (costs || vars_marked(r->costly, free)) vars_mark(r->costly, stm->bound);
  }
}

static bool is_inside(const Rows *r, Atom size) {
  return is_tainted(r, size) || has(r->lifts, size.var) || vars_have(r->fn->params, size.var);
}

// Arrays leave where they are results of the inner map, which are stored in any case.
static bool may_leave(const Rows *r, const Stm *stm, const Map *read) {
  if (!vars_marked(r->costly, stm->bound)) return false;
  if (stm_binds_scalars(r->e->prog, stm)) return true;
  if (!r->is_map || vars_marked(read, stm->bound)) return false;
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(r->e->prog, stm->bound.at[k]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var && is_inside(r, t.dims[d])) return false;
  }
  return true;
}

// The roots: values of what leaves that results and staying statements read.
static void find_roots(Rows *r) {
  Map *read = map_new(r->e->scratch), *results = map_new(r->e->scratch);
  const Body *body = &r->fn->body;
  for (int k = 0; k < body->results.len; k++)
    if (body->results.at[k].is_var) map_put(results, body->results.at[k].var.id, r);
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    bool leaves = may_leave(r, stm, read);
    if (!leaves) vars_mark(read, free_of(r, stm));
    for (int k = 0; leaves && k < stm->bound.len; k++)
      if (has(read, stm->bound.at[k]) || has(results, stm->bound.at[k]))
        list_push(r->e->scratch, &r->roots, stm->bound.at[k]);
  }
}

static bool all_roots(const Rows *r, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (!vars_have(r->roots, stm->bound.at[k])) return false;
  return stm->bound.len > 0;
}

static Type shared_type(Type t) {
  t.unique = false;
  return t;
}

static void lift(Rows *r, const Loc *loc) {
  Env *e = r->e;
  Atoms results = atoms_of_vars(e->arena, r->roots), left = {0};
  Stm stm = {.loc = loc};
  Lambda *fn = part_of(e, r->fn, results, r->inputs, &left);
  stm.exp = (Exp){.form = FORM_MAP, .map = {.width = r->width, .fn = fn, .inputs = left}};
  for (int k = 0; k < r->roots.len; k++) {
    const VarInfo *info = var_info(e->prog, r->roots.at[k]);
    Type type = type_array(e->arena, shared_type(info->type), r->width);
    list_push(e->arena, &stm.bound, var_new(e->prog, info->base, type));
  }
  Stms stms = {0}, rest = {0};
  list_push(e->arena, &stms, stm);
  env_use_body(e, &(Body){.stms = stms});
  simplify_stms_of(e, stms);
  *r->inputs = atoms_concat(e->arena, *r->inputs, env_atoms(e, atoms_of_vars(e->arena, stm.bound)));
  for (int k = 0; k < r->roots.len; k++) {
    const VarInfo *info = var_info(e->prog, r->roots.at[k]);
    Var param = var_new(e->prog, info->base, shared_type(info->type));
    list_push(e->arena, &r->fn->params, param);
    env_bind(e, r->roots.at[k], atom_var(param));
  }
  for (int i = 0; i < r->fn->body.stms.len; i++)
    if (!all_roots(r, &r->fn->body.stms.at[i]))
      list_push(e->arena, &rest, r->fn->body.stms.at[i]);
  r->fn->body.stms = rest;
  e->changed = true;
}

static bool rows_lift(Rows *r, Stm *inner) {
  if (!rows_of(r, inner)) return false;
  taint(r);
  split_all_sums(r);
  taint(r);
  find_lifts(r);
  r->roots = (Vars){0};
  find_roots(r);
  if (!r->roots.len || !prog_may(r->e->prog, SWITCH_ROW_INVARIANTS)) return false;
  lift(r, inner->loc);
  return true;
}

bool onehot_row_invariants(Env *e, Atom width, Lambda *fn) {
  Rows r = {.e = e, .local = map_new(e->scratch)};
  bool lifted = false;
  if (onehot_is_few(width)) return false;
  vars_mark_bound(r.local, fn);
  for (int k = 0; k < fn->body.stms.len; k++) lifted |= rows_lift(&r, &fn->body.stms.at[k]);
  return lifted;
}
