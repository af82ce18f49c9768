// Accumulators with updates at places that data say, of which scatter_to_gather.c can solve none:
// where there are many, they are told by one walk of the nest, which would be walked for each.
//
//   map (\i -> A[is[i]] += v; ..) (iota n)     map (\k -> A[k + 1] += v; ..) is
//
// An index is from data if it is a sum with a term that a map has as a parameter, but no iteration,
// or that is read inside a map.
#include "acc.h"

typedef struct {
  const Acc *a;
  Map *data;    // variables that are read
  Map *tokens;  // the accumulators found
} Walk;

static bool is_data(const Walk *w, Atom x) {
  Affine l = affine_of(w->a->defs, x);
  for (int i = 0; l.ok && i < l.n; i++)
    if (map_get(w->data, l.v[i].id)) return true;
  return false;
}

static void note_update(Walk *w, const struct updateacc_form *u) {
  for (int i = 0; i < u->index.len; i++)
    if (is_data(w, u->index.at[i])) {
      map_put(w->tokens, atom_type(w->a->prog, u->acc).token.id, w);
      return;
    }
}

static void walk_body(Walk *w, const Body *body, bool in_map);

static void walk_map(Walk *w, const struct map_form *m) {
  for (int i = 0; i < m->inputs.len; i++) {
    Var p = m->fn->params.at[i];
    bool reads = !var_type(w->a->prog, p).is_acc && type_is_scalar(var_type(w->a->prog, p));
    if (reads && !map_get(w->a->iotas, m->inputs.at[i].var.id)) map_put(w->data, p.id, w);
  }
  walk_body(w, &m->fn->body, true);
}

// Updates in branches may never run: they are left to scatter_to_gather.c.
static void walk_body(Walk *w, const Body *body, bool in_map) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_MAP) walk_map(w, &stm->exp.map);
    else if (stm->exp.form == FORM_WITHACC) walk_body(w, &stm->exp.withacc.fn->body, in_map);
    else if (in_map && stm->exp.form == FORM_INDEX) map_put(w->data, stm->bound.at[0].id, w);
    else if (in_map && stm->exp.form == FORM_UPDATEACC) note_update(w, &stm->exp.updateacc);
  }
}

Map *acc_indirect(const Acc *a, const Body *body) {
  Walk w = {.a = a, .data = map_new(a->scratch), .tokens = map_new(a->scratch)};
  walk_body(&w, body, false);
  return w.tokens;
}
