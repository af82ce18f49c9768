// Arrays that are only added to, wherever that is: y[e] += v, in branches and inner loops, too.
//
//   x = y[e]; t = x + v; y' = y with [e] = t      is      y' = updateacc y e v
//
// and x - v adds -v.
#include "loops.h"

// The addition that an update stores, with what it reads; NULL: it is another kind of update.
static const Stm *addition_of(Loop *s, const Stm *update, const Stm **read) {
  const struct update_form *u = &update->exp.update;
  const Stm *add = loop_def(s, u->value);
  if (!add || add->exp.form != FORM_PRIM) return NULL;
  Op op = add->exp.prim.op;
  for (int k = 0; k < (op == OP_ADD ? 2 : op == OP_SUB ? 1 : 0); k++) {
    const Stm *def = loop_def(s, add->exp.prim.args.at[k]);
    if (!def || def->exp.form != FORM_INDEX || !atom_same(def->exp.index.array, u->array)) continue;
    if (!slice_same(&def->exp.index.slice, &u->slice)) continue;
    *read = def;
    return add;
  }
  return NULL;
}

static bool is_cell(const Loop *s, const Stm *update) {
  const struct update_form *u = &update->exp.update;
  if (u->slice.len != var_type(s->e->prog, u->array.var).rank) return false;
  for (int d = 0; d < u->slice.len; d++)
    if (!u->slice.at[d].is_fix) return false;
  return true;
}

// Names that are read by the update alone.
static bool is_taken(Loop *s, ParamClass *c, const Stm *update) {
  const Stm *read = NULL, *add = is_cell(s, update) ? addition_of(s, update, &read) : NULL;
  if (!add || loop_uses(s, add->bound.at[0]) != 1 || loop_uses(s, read->bound.at[0]) != 1)
    return false;
  map_put(c->dropped, add->bound.at[0].id, (void *)add);
  map_put(c->dropped, read->bound.at[0].id, (void *)read);
  return true;
}

bool class_adds(Loop *s, Family *f, ParamClass *out) {
  Type t = var_type(s->e->prog, f->p);
  if (f->bad || t.rank == 0 || !(prim_is_float(t.prim) || prim_is_int(t.prim))) return false;
  *out = (ParamClass){.kind = CLASS_ADDS, .family = f, .dropped = map_new(s->e->scratch)};
  int updates = 0;
  for (int i = 0; i < f->refs.len; i++) {
    const Stm *stm = f->refs.at[i].stm;
    if (stm->exp.form != FORM_UPDATE) continue;
    updates++;
    if (!is_taken(s, out, stm)) return false;
  }
  return updates > 0 && f->refs.len == 2 * updates;
}
