// Which indices are in range where a branch is.  Facts (i, n), for 0 <= i < n, and n > 0 alone:
//
//   for i < n { .. }                 (i, n) inside
//   map n (\i -> ..) (iota n)        (i, n) inside
//   x[i], x with [i] <- v            (i, n) after it in its body, for x of n elements
//
// A body has those of the bodies around it; they are about names, of which each has one value.
#include "ad/common/local.h"

typedef struct Within Within;
struct Within {
  Atom index, size;  // index none: the size is positive
  const Within *before;
};

struct Ranges {
  const Prog *prog;
  Map *matches;     // variable bound by a match -> the Within there
  VarSet counters;  // iota n
  const Within *facts;
};

static void learn(Ranges *r, Atom index, Atom size) {
  Within *w = NEW(r->prog->arena, Within);
  *w = (Within){index, size, r->facts};
  r->facts = w;
}

static void learn_slice(Ranges *r, Atom array, const Slice *slice) {
  if (!array.is_var) return;
  Type t = var_type(r->prog, array.var);
  for (int d = 0; d < slice->len; d++)
    if (slice->at[d].is_fix) learn(r, slice->at[d].start, t.dims[d]);
}

static void learn_inside(Ranges *r, const Exp *e) {
  if (e->form == FORM_LOOP && e->loop.is_for)
    learn(r, atom_var(e->loop.fn->params.at[0]), e->loop.bound);
  if (e->form != FORM_MAP) return;
  learn(r, atom_none(), e->map.width);
  for (int k = 0; k < e->map.inputs.len; k++)
    if (varset_has_atom(&r->counters, e->map.inputs.at[k]))
      learn(r, atom_var(e->map.fn->params.at[k]), e->map.width);
}

static void learn_after(Ranges *r, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_INDEX) learn_slice(r, e->index.array, &e->index.slice);
  if (e->form == FORM_UPDATE) learn_slice(r, e->update.array, &e->update.slice);
  if (e->form == FORM_IOTA && atom_is(e->iota.start, 0) && atom_is(e->iota.step, 1))
    varset_add(&r->counters, stm->bound.at[0]);
}

static void ranges_body(void *state, const Body *body, const Vars *params) {
  Ranges *r = state;
  const Within *outside = r->facts;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    const Within *here = r->facts;
    for (int k = 0; k < stm->bound.len && stm->exp.form == FORM_MATCH; k++)
      map_put(r->matches, stm->bound.at[k].id, (void *)here);
    learn_inside(r, &stm->exp);
    exp_each_body(&stm->exp, ranges_body, r);
    r->facts = here;
    learn_after(r, stm);
  }
  r->facts = outside;
}

Ranges *ranges_find(const Prog *prog, const Lambda *fn) {
  Ranges *r = NEW(prog->arena, Ranges);
  r->prog = prog;
  r->matches = map_new(prog->arena);
  r->counters = varset_new(prog->arena);
  ranges_body(r, &fn->body, &fn->params);
  return r;
}

IndexRange range_at(const Ranges *r, const Stm *match, Atom index, Atom size) {
  if (!size.is_var && !index.is_var && index.value.i >= 0 && index.value.i < size.value.i)
    return RANGE_INDEX;
  IndexRange out = !size.is_var && size.value.i > 0 ? RANGE_SIZE : RANGE_UNKNOWN;
  const Within *w = NULL;
  for (int k = 0; k < match->bound.len && !w; k++) w = map_get(r->matches, match->bound.at[k].id);
  for (; w; w = w->before) {
    if (!atom_same(w->size, size)) continue;
    if (!atom_absent(w->index) && atom_same(w->index, index)) return RANGE_INDEX;
    out = RANGE_SIZE;
  }
  return out;
}
