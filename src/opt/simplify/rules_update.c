// Rules for in-place updates, y = x with [slice] <- v, and for copies.
#include "opt/common/local.h"

// x with [s] <- x[s] is x.
static bool write_back(Env *e, Stm *stm) {
  const struct update_form *u = &stm->exp.update;
  Stm *def = env_def_as(e, u->value, FORM_INDEX);
  if (!def || !atom_same(def->exp.index.array, u->array)) return false;
  if (!slice_same(&def->exp.index.slice, &u->slice)) return false;
  return env_replace(e, stm, u->array);
}

// (x with [s] <- u) with [s] <- v is x with [s] <- v when nothing reads between.
static bool overwrite(Env *e, Stm *stm) {
  struct update_form *u = &stm->exp.update;
  Stm *def = env_def_as(e, u->array, FORM_UPDATE);
  if (!def || env_uses(e, u->array) != 1) return false;
  if (env_fact(e, u->array.var)->scope != e->scope) return false;
  if (!slice_same(&def->exp.update.slice, &u->slice)) return false;
  env_drop(e, u->array.var);
  u->array = def->exp.update.array;
  e->again = true;
  return false;
}

static bool whole(Env *e, const struct update_form *u) {
  for (int d = 0; d < u->slice.len; d++)
    if (!slicedim_is_full(u->slice.at[d], dim_at(e->prog, u->array, d))) return false;
  return true;
}

// The elements of a small array that is known element by element.
static bool known_elements(Env *e, Atom a, Atoms *out) {
  Stm *def = renv_def(e, a);
  int64_t n, k;
  if (!def || !type_is_small(atom_type(e->prog, a), &n)) return false;
  if (def->exp.form == FORM_LITERAL) {
    *out = atoms_concat(e->arena, def->exp.literal.elems, (Atoms){0});
    return true;
  }
  if (def->exp.form != FORM_REPLICATE || def->exp.replicate.dims.len != 1) return false;
  if (!atom_const_i64(def->exp.replicate.dims.at[0], &k)) return false;
  for (*out = (Atoms){0}; k > 0; k--) list_push(e->arena, out, def->exp.replicate.arg);
  return true;
}

static bool shared_all(Env *e, const Atoms *atoms) {
  for (int i = 0; i < atoms->len; i++)
    if (!env_shared(e, atoms->at[i])) return false;
  return true;
}

// literal (a, b) with [1] <- c  =  literal (a, c); two indices go through the row.
static bool update_literal(Env *e, Stm *stm) {
  const struct update_form *u = &stm->exp.update;
  Atoms elems, row;
  int64_t i, j;
  if (!e->small || u->slice.len > 2 || !known_elements(e, u->array, &elems)) return false;
  if (!u->slice.at[0].is_fix || !atom_const_i64(u->slice.at[0].start, &i)) return false;
  if (i < 0 || i >= elems.len || !shared_all(e, &elems) || !env_shared(e, u->value)) return false;
  Prim p = atom_type(e->prog, u->array).prim;
  if (u->slice.len == 1) {
    elems.at[i] = u->value;
  } else {
    if (!u->slice.at[1].is_fix || !atom_const_i64(u->slice.at[1].start, &j)) return false;
    if (!known_elements(e, elems.at[i], &row) || j < 0 || j >= row.len) return false;
    row.at[j] = u->value;
    Exp exp = {.form = FORM_LITERAL, .literal = {.prim = p, .elems = row}};
    elems.at[i] = build(&e->to, "row", atom_type(e->prog, elems.at[i]), exp);
  }
  env_become(e, stm, (Exp){.form = FORM_LITERAL, .literal = {.prim = p, .elems = elems}});
  return false;
}

bool rule_update(Env *e, Stm *stm) {
  struct update_form *u = &stm->exp.update;
  if (write_back(e, stm) || overwrite(e, stm) || e->again) return !e->again;
  if (update_literal(e, stm) || e->again) return false;
  if (whole(e, u))
    return env_become(e, stm, (Exp){.form = FORM_COPY, .copy = {.arg = u->value}});
  if (!stm->attrs.unchecked) {
    bool safe = true;
    for (int d = 0; d < u->slice.len; d++) {
      Atom n = dim_at(e->prog, u->array, d);
      safe = safe && (slicedim_is_full(u->slice.at[d], n) ||
                      (u->slice.at[d].is_fix && index_in_range(e, u->slice.at[d].start, n)));
    }
    stm->attrs.unchecked = safe;
  }
  // A value copied only to be written is written from where it was.
  Stm *copy = env_def_as(e, u->value, FORM_COPY);
  if (copy && env_shared(e, copy->exp.copy.arg)) {
    u->value = copy->exp.copy.arg;
    e->changed = true;
  }
  return false;
}

static bool form_is_fresh(Form form) {
  switch (form) {
  case FORM_LITERAL: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
  case FORM_CONCAT: case FORM_ROTATE: case FORM_MAP: case FORM_SCAN:
    return true;
  case FORM_CONSTANT: case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE:
  case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT:
  case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
  case FORM_RESHAPE: case FORM_REARRANGE: case FORM_REVERSE: case FORM_MATCH: case FORM_LOOP:
  case FORM_APPLY: case FORM_ASSERT: case FORM_REDUCE: case FORM_SCREMA: case FORM_HIST:
  case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP:
  case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT:
    return false;
  }
  return false;
}

static int result_of(Env *e, Atom a) { return env_fact(e, a.var)->result; }

static int reductions_of(const struct screma_form *s) {
  int n = 0;
  for (int i = 0; i < s->reds.len; i++) n += s->reds.at[i].neutral.len;
  return n;
}

static bool is_owned(Env *e, Atom x);

// Bound by a body within this one: bodies have numbers in the order they are entered, and of those
// met before only the ones around this are still open.
static bool is_inner(Env *e, Atom x) { return env_fact(e, x.var)->scope > e->scope; }

// Every branch updates, or passes on, one array of this body that some branch overwrites, so that
// nothing can use it afterwards; or makes a fresh one.
static bool branches_own(Env *e, const struct match_form *m, int k) {
  Atom outer = {0};
  bool overwritten = false;
  for (int i = 0; i < m->cases.len; i++) {
    Atom x = m->cases.at[i].body.results.at[k];
    bool updated = false;
    Stm *def;
    while ((def = env_def_as(e, x, FORM_UPDATE)) && is_inner(e, x)) {
      x = def->exp.update.array;
      updated = true;
    }
    if (!x.is_var) return false;
    def = renv_def(e, x);
    if (def && is_inner(e, x) && form_is_fresh(def->exp.form)) continue;
    if (outer.is_var && !atom_same(outer, x)) return false;
    outer = x;
    overwritten = overwritten || updated;
  }
  return !outer.is_var || (overwritten && is_owned(e, outer));
}

// The memory of x belongs to this body: made here, or given to it for good.
static bool is_owned(Env *e, Atom x) {
  for (int steps = 0; steps < 1000 && x.is_var; steps++) {
    const Fact *f = env_fact(e, x.var);
    if (f->scope != e->scope) return false;
    if (!f->def) return var_info(e->prog, x.var)->type.unique;
    const Exp *d = &f->def->exp;
    if (form_is_fresh(d->form)) return !var_info(e->prog, x.var)->type.is_acc;
    if (d->form == FORM_LOOP)
      return var_info(e->prog, d->loop.fn->params.at[f->result + (d->loop.is_for ? 1 : 0)])
          ->type.unique;
    if (d->form == FORM_SCREMA) return f->result >= reductions_of(&d->screma);
    if (d->form == FORM_MATCH) return branches_own(e, &d->match, f->result);
    if (d->form == FORM_UPDATE) x = d->update.array;
    else if (d->form == FORM_HIST) x = d->hist.dests.at[result_of(e, x)];
    else if (d->form == FORM_SCATTER) x = d->scatter.dests.at[result_of(e, x)];
    else if (d->form == FORM_WITHACC && result_of(e, x) < d->withacc.arrays.len)
      x = d->withacc.arrays.at[result_of(e, x)];
    else return false;
  }
  return false;
}

// A copy of what is used nowhere else and belongs to this very body is the thing itself.
// A copy between memories that are never overwritten likewise.
bool rule_copy(Env *e, Stm *stm) {
  Atom x = stm->exp.copy.arg;
  Var y = stm->bound.at[0];
  if (!x.is_var || !var_is_array(e->prog, x.var)) return env_replace(e, stm, x);
  if (env_shared(e, x) && env_shared(e, atom_var(y))) return env_replace(e, stm, x);
  Atoms elems;
  Stm *def = env_def_as(e, x, FORM_LITERAL);
  if (e->small && def && known_elements(e, x, &elems) && shared_all(e, &elems)) {
    Exp exp = {.form = FORM_LITERAL, .literal = {.prim = def->exp.literal.prim, .elems = elems}};
    return env_become(e, stm, exp);
  }
  return env_uses(e, x) == 1 && is_owned(e, x) && env_replace(e, stm, x);
}
