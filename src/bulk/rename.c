// Other operands instead of variables, in statements, types, sizes and bodies inside.
#include "rename.h"

static Atom renamed(BulkRename *r, Atom a) {
  for (Atom *to; a.is_var && (to = map_get(r->instead, a.var.id));) a = *to;
  return a;
}

Atoms bulk_renamed(BulkRename *r, Atoms atoms) {
  Atoms out = {0};
  for (int i = 0; i < atoms.len; i++) list_push(r->prog->arena, &out, renamed(r, atoms.at[i]));
  return out;
}

void bulk_rename_to(BulkRename *r, Var v, Atom a) {
  map_put(r->instead, v.id, arena_copy(r->prog->arena, &a, sizeof a));
}

static void rename_types(BulkRename *r, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    Type *t = &r->prog->vars.at[vars.at[i].id].type;
    t->dims = bulk_renamed(r, atoms_of(r->prog->arena, t->rank, t->dims)).at;
  }
}

static void rename_exp(BulkRename *r, BulkExp *e) {
  e->args = bulk_renamed(r, e->args);
  e->dims = bulk_renamed(r, e->dims);
  e->neutral = bulk_renamed(r, e->neutral);
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim *d = &e->slice.at[i];
    d->start = renamed(r, d->start), d->count = renamed(r, d->count);
    d->stride = renamed(r, d->stride);
  }
  for (int i = 0; i < e->bodies.len; i++) {
    BulkBody *body = &e->bodies.at[i];
    rename_types(r, body->params);
    for (int k = 0; k < body->stms.len; k++) bulk_rename(r, &body->stms.at[k]);
    body->results = bulk_renamed(r, body->results);
  }
}

void bulk_rename(BulkRename *r, BulkStm *stm) {
  rename_types(r, stm->bound);
  rename_exp(r, &stm->exp);
}

bool bulk_has_core(const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const BulkExp *e = &body->stms.at[i].exp;
    if (e->form == BULK_CORE) return true;
    for (int k = 0; k < e->bodies.len; k++)
      if (bulk_has_core(&e->bodies.at[k])) return true;
  }
  return false;
}

void bulk_made(BulkBuilder *b, Map *made, int from) {
  const BulkStms *all = b->stms;
  for (int i = from; i < all->len; i++) {
    const BulkStm *kept = arena_copy(b->prog->arena, &all->at[i], sizeof all->at[i]);
    for (int k = 0; k < kept->bound.len; k++) map_put(made, kept->bound.at[k].id, (void *)kept);
  }
}

const BulkExp *bulk_made_by(const Map *made, Atom a, BulkForm form) {
  const BulkStm *stm = a.is_var ? map_get(made, a.var.id) : NULL;
  return stm && stm->exp.form == form ? &stm->exp : NULL;
}
