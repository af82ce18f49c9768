// Rules for making and rearranging whole arrays.
#include "opt/common/local.h"

static bool both_shared(Env *e, const Stm *stm, Atom a) {
  return env_shared(e, a) && env_shared(e, atom_var(stm->bound.at[0]));
}

// replicate a (replicate b v) = replicate (a ++ b) v
bool rule_replicate(Env *e, Stm *stm) {
  const struct replicate_form *r = &stm->exp.replicate;
  if (r->dims.len == 0)
    return env_become(e, stm, (Exp){.form = FORM_COPY, .copy = {.arg = r->arg}});
  Stm *def = env_def_as(e, r->arg, FORM_REPLICATE);
  if (!def || !env_shared(e, def->exp.replicate.arg)) return false;
  Atoms dims = atoms_concat(e->arena, r->dims, def->exp.replicate.dims);
  return env_become(e, stm, (Exp){.form = FORM_REPLICATE,
                                  .replicate = {dims, def->exp.replicate.arg}});
}

static bool same_dims(Env *e, Atom array, Atoms dims) {
  Type t = atom_type(e->prog, array);
  if (t.rank != dims.len) return false;
  for (int d = 0; d < t.rank; d++)
    if (!atom_same(t.dims[d], dims.at[d])) return false;
  return true;
}

// reshape (replicate a v) to b ++ shape of v = replicate b v
static bool reshape_replicate(Env *e, Stm *stm, const Stm *def) {
  const struct reshape_form *r = &stm->exp.reshape;
  Atom v = def->exp.replicate.arg;
  Type row = atom_type(e->prog, v);
  int outer = r->dims.len - row.rank;
  if (!stm->attrs.unchecked || outer < 1 || !both_shared(e, stm, v)) return false;
  for (int d = 0; d < row.rank; d++)
    if (!atom_same(row.dims[d], r->dims.at[outer + d])) return false;
  Atoms dims = atoms_of(e->arena, outer, r->dims.at);
  return env_become(e, stm, (Exp){.form = FORM_REPLICATE, .replicate = {dims, v}});
}

// reshape to the same shape is nothing; reshape of reshape is one; a filled array is filled anew.
bool rule_reshape(Env *e, Stm *stm) {
  const struct reshape_form *r = &stm->exp.reshape;
  if (same_dims(e, r->array, r->dims)) return env_replace(e, stm, r->array);
  const Stm *def = renv_def(e, r->array);
  if (!def) return false;
  if (def->exp.form == FORM_RESHAPE && stm->attrs.unchecked)
    return env_become(e, stm, (Exp){.form = FORM_RESHAPE,
                                    .reshape = {def->exp.reshape.array, r->dims}});
  if (def->exp.form == FORM_RESHAPE && same_dims(e, def->exp.reshape.array, r->dims))
    return env_replace(e, stm, def->exp.reshape.array);
  return def->exp.form == FORM_REPLICATE && reshape_replicate(e, stm, def);
}

static bool perm_is_identity(const Ints *perm) {
  for (int i = 0; i < perm->len; i++)
    if (perm->at[i] != i) return false;
  return true;
}

// rearrange p (rearrange q x) = rearrange (q o p) x: result dim j = dim q[p[j]] of x.
static bool rearrange_compose(Env *e, Stm *stm, const Stm *def) {
  const struct rearrange_form *r = &stm->exp.rearrange, *q = &def->exp.rearrange;
  Ints perm = {0};
  for (int j = 0; j < r->perm.len; j++) list_push(e->arena, &perm, q->perm.at[r->perm.at[j]]);
  return env_become(e, stm, (Exp){.form = FORM_REARRANGE, .rearrange = {q->array, perm}});
}

// Permuting the replicated dimensions among themselves.
static bool rearrange_replicate(Env *e, Stm *stm, const Stm *def) {
  const struct rearrange_form *r = &stm->exp.rearrange;
  const struct replicate_form *f = &def->exp.replicate;
  if (!both_shared(e, stm, f->arg)) return false;
  Atoms dims = {0};
  for (int j = 0; j < r->perm.len; j++) {
    bool outer = j < f->dims.len;
    if (outer ? r->perm.at[j] >= f->dims.len : r->perm.at[j] != j) return false;
    if (outer) list_push(e->arena, &dims, f->dims.at[r->perm.at[j]]);
  }
  return env_become(e, stm, (Exp){.form = FORM_REPLICATE, .replicate = {dims, f->arg}});
}

// The map that is all of the body, over rows of arrays from outside; else NULL.
static const Stm *only_map(const Lambda *fn) {
  if (fn->body.stms.len != 1 || fn->body.results.len != 1) return NULL;
  const Stm *in = &fn->body.stms.at[0];
  if (in->exp.form != FORM_MAP || in->bound.len != 1 || in->attrs.opaque) return NULL;
  const struct map_form *m = &in->exp.map;
  if (!atom_is_var(fn->body.results.at[0], in->bound.at[0])) return NULL;
  if (m->width.is_var && vars_have(fn->params, m->width.var)) return NULL;
  for (int i = 0; i < m->inputs.len; i++)
    if (!m->inputs.at[i].is_var || vars_have(fn->params, m->inputs.at[i].var)) return NULL;
  return in;
}

static bool reads_rows(Env *e, const Atoms *inputs) {
  for (int i = 0; i < inputs->len; i++) {
    Type t = atom_type(e->prog, inputs->at[i]);
    if (t.is_acc || t.rank < 2 || !env_shared(e, inputs->at[i])) return false;
  }
  return inputs->len > 0;
}

static bool swaps_first(const Ints *perm) {
  for (int j = 0; j < perm->len; j++)
    if (perm->at[j] != (j < 2 ? 1 - j : j)) return false;
  return perm->len >= 2;
}

// \ys -> map n (\xs -> body) xss, of map n (\xs -> map m (\ys -> body) yss) xss
static Lambda *maps_swapped(Env *e, const struct map_form *out, const Stm *in) {
  Lambda column = *in->exp.map.fn, row = *out->fn;
  Type t = type_array(e->arena, type_row(var_type(e->prog, in->bound.at[0])), out->width);
  Stm map = *in;
  Var v = var_new(e->prog, var_info(e->prog, in->bound.at[0])->base, t);
  map.bound = (Vars){0};
  list_push(e->arena, &map.bound, v);
  row.body = column.body;
  row.rets = column.rets;
  column.rets = (Types){0};
  list_push(e->arena, &column.rets, t);
  map.exp.map = (struct map_form){out->width, arena_copy(e->arena, &row, sizeof row), out->inputs};
  column.body = (Body){0};
  list_push(e->arena, &column.body.stms, map);
  list_push(e->arena, &column.body.results, atom_var(v));
  return lambda_copy(&e->to, &column);
}

// transpose (map (\xs -> map (\ys -> body) yss) xss) = map (\ys -> map (\xs -> body) xss) yss where
// nothing else reads it: the product of matrices in the order of its result.
static bool rearrange_maps(Env *e, Stm *stm, const Stm *def) {
  const struct map_form *m = &def->exp.map;
  Atom x = stm->exp.rearrange.array;
  if (def->bound.len != 1 || env_uses(e, x) != 1 || env_fact(e, x.var)->scope != e->scope)
    return false;
  if (!both_shared(e, stm, x) || def->attrs.opaque || exp_has_effect(&def->exp)) return false;
  const Stm *in = only_map(m->fn);
  if (!in || !swaps_first(&stm->exp.rearrange.perm)) return false;
  if (!reads_rows(e, &m->inputs) || !reads_rows(e, &in->exp.map.inputs)) return false;
  Vars free = lambda_free(e->prog, e->scratch, m->fn);
  for (int i = 0; i < free.len; i++)
    if (!env_shared(e, atom_var(free.at[i]))) return false;
  Lambda *fn = maps_swapped(e, m, in);
  env_drop(e, x.var);
  return env_become(e, stm, (Exp){.form = FORM_MAP,
                                  .map = {in->exp.map.width, fn, in->exp.map.inputs}});
}

bool rule_rearrange(Env *e, Stm *stm) {
  const struct rearrange_form *r = &stm->exp.rearrange;
  if (perm_is_identity(&r->perm)) return env_replace(e, stm, r->array);
  const Stm *def = renv_def(e, r->array);
  if (!def) return false;
  if (def->exp.form == FORM_REARRANGE) return rearrange_compose(e, stm, def);
  if (def->exp.form == FORM_REPLICATE) return rearrange_replicate(e, stm, def);
  if (def->exp.form == FORM_MAP) return rearrange_maps(e, stm, def);
  return false;
}

// The rows of an input of a map, last first: a view, or counting down.
static Atom reversed(Env *e, Atom input) {
  Type t = atom_type(e->prog, input);
  Stm *def = env_def_as(e, input, FORM_IOTA);
  Exp exp = {.form = FORM_REVERSE, .reverse = {input}};
  if (def && t.prim == PRIM_I64) {
    const struct iota_form *i = &def->exp.iota;
    Atom last = build_op(&e->to, OP_SUB, i->n, atom_i64(1));
    bool down = atom_is(i->step, -1);
    Atom way = down ? last : build_op(&e->to, OP_MUL, last, i->step);
    Atom start = build_op(&e->to, down ? OP_SUB : OP_ADD, i->start, way);
    exp = (Exp){.form = FORM_IOTA, .iota = {i->n, start, build_op1(&e->to, OP_NEG, i->step)}};
  }
  Attrs saved = e->to.attrs;
  e->to.attrs.unchecked = true;
  Atom out = build(&e->to, "reverse", t, exp);
  e->to.attrs = saved;
  return out;
}

enum { MAPS_AFTER_SCAN = 4 };

// Whether the input results from a scan, by maps, with which it would be fused.
static bool follows_scan(Env *e, Atom input, int depth) {
  const Stm *def = renv_def(e, input);
  if (!def || depth == 0) return false;
  if (def->exp.form == FORM_SCAN) return true;
  if (def->exp.form != FORM_MAP) return false;
  for (int i = 0; i < def->exp.map.inputs.len; i++)
    if (follows_scan(e, def->exp.map.inputs.at[i], depth - 1)) return true;
  return false;
}

// reverse (map f xs) = map f (reverse xs) when nothing else reads the map.
static bool reverse_map(Env *e, Stm *stm, const Stm *def) {
  const struct map_form *m = &def->exp.map;
  Atom x = stm->exp.reverse.array;
  if (def->bound.len != 1 || env_uses(e, x) != 1 || env_fact(e, x.var)->scope != e->scope)
    return false;
  if (!both_shared(e, stm, x) || def->attrs.opaque || exp_has_effect(&def->exp)) return false;
  for (int i = 0; i < m->inputs.len; i++)
    if (atom_type(e->prog, m->inputs.at[i]).is_acc || !env_shared(e, m->inputs.at[i]) ||
        follows_scan(e, m->inputs.at[i], MAPS_AFTER_SCAN))
      return false;
  Vars free = lambda_free(e->prog, e->scratch, m->fn);
  for (int i = 0; i < free.len; i++)
    if (!env_shared(e, atom_var(free.at[i]))) return false;
  Atoms inputs = {0};
  for (int i = 0; i < m->inputs.len; i++)
    list_push(e->arena, &inputs, reversed(e, m->inputs.at[i]));
  env_drop(e, x.var);
  // A copy: this walk has been through the old lambda, which looks like outer code by now.
  Exp exp = {.form = FORM_MAP, .map = {m->width, lambda_copy(&e->to, m->fn), inputs}};
  return env_become(e, stm, exp);
}

bool rule_reverse(Env *e, Stm *stm) {
  Atom x = stm->exp.reverse.array;
  const Stm *def = renv_def(e, x);
  if (atom_is(dim_at(e->prog, x, 0), 1)) return env_replace(e, stm, x);
  if (!def) return false;
  if (def->exp.form == FORM_REVERSE) return env_replace(e, stm, def->exp.reverse.array);
  if (def->exp.form == FORM_MAP) return reverse_map(e, stm, def);
  if (def->exp.form == FORM_IOTA && !def->exp.iota.start.is_var &&
      atom_type(e->prog, x).prim == PRIM_I64 && both_shared(e, stm, x))
    return env_replace(e, stm, reversed(e, x));
  if (def->exp.form == FORM_REPLICATE && both_shared(e, stm, x)) return env_replace(e, stm, x);
  return false;
}

bool rule_rotate(Env *e, Stm *stm) {
  const struct rotate_form *r = &stm->exp.rotate;
  if (atom_is(r->by, 0) || atom_is(dim_at(e->prog, r->array, 0), 1))
    return env_become(e, stm, (Exp){.form = FORM_COPY, .copy = {.arg = r->array}});
  return false;
}

enum { MOST_JOINED = 256 };  // parts: arrays that grow by concat a thousand times stay quick

// concat of one is a copy; an empty part of known extent 0 goes; nested concats of the same
// dimension join when the inner one has no other use.
bool rule_concat(Env *e, Stm *stm) {
  const struct concat_form *c = &stm->exp.concat;
  Atoms out = {0};
  bool changed = false;
  for (int i = 0; i < c->arrays.len; i++) {
    Atom a = c->arrays.at[i];
    Stm *def = env_def_as(e, a, FORM_CONCAT);
    if (def && out.len + def->exp.concat.arrays.len > MOST_JOINED) def = NULL;
    if (atom_is(dim_at(e->prog, a, (int)c->dim), 0) && out.len + c->arrays.len - i > 1) {
      changed = true;
    } else if (def && def->exp.concat.dim == c->dim && env_uses(e, a) == 1) {
      bool shared = true;
      for (int k = 0; k < def->exp.concat.arrays.len; k++)
        shared = shared && env_shared(e, def->exp.concat.arrays.at[k]);
      changed = changed || shared;
      if (shared) out = atoms_concat(e->arena, out, def->exp.concat.arrays);
      else list_push(e->arena, &out, a);
    } else {
      list_push(e->arena, &out, a);
    }
  }
  if (out.len == 1)
    return env_become(e, stm, (Exp){.form = FORM_COPY, .copy = {.arg = out.at[0]}});
  if (!changed) return false;
  return env_become(e, stm, (Exp){.form = FORM_CONCAT, .concat = {c->dim, out}});
}

// A literal of equal elements is a replicate.
bool rule_literal(Env *e, Stm *stm) {
  const struct literal_form *l = &stm->exp.literal;
  for (int i = 1; i < l->elems.len; i++)
    if (!atom_same(l->elems.at[i], l->elems.at[0])) return false;
  if (l->elems.len < 2) return false;
  Atom n = atom_i64(l->elems.len);
  return env_become(e, stm, (Exp){.form = FORM_REPLICATE,
                                  .replicate = {atoms_of(e->arena, 1, &n), l->elems.at[0]}});
}
