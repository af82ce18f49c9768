// Last uses.  A view (transposition, reshape, slice, reversal) shares the memory of its root.  The
// memory of a variable ends at a statement when neither it nor any view of it is used later and
// the body owns it: a statement of the body made it, or it is a parameter of a loop.
#include "local_core.h"

struct Uses {
  Prog *prog;
  const BulkBody *body;
  Map *root, *last, *params;  // by number: root + 1; index of the last statement + 1; itself
  Map *made;                  // roots that statements of the body made
  Map *escaped;               // roots that a result of a loop or branch may share memory with
};

static bool is_view(BulkForm form) {
  return form == BULK_TRANSPOSE || form == BULK_RESHAPE || form == BULK_SLICE ||
         form == BULK_REVERSE || form == BULK_STOP || form == BULK_OPAQUE || form == BULK_LOOP ||
         form == BULK_MATCH || form == BULK_CORE;
}

static uint64_t root_of(const Uses *u, uint64_t id) {
  void *root = map_get(u->root, id);
  return root ? (uint64_t)(uintptr_t)root : id;
}

static void used(Uses *u, Atom a, int at) {
  if (a.is_var && a.var.id)
    map_put(u->last, root_of(u, a.var.id), (void *)(uintptr_t)(at + 1));
}

static void used_in(Uses *u, const BulkExp *e, int at);

static void root_find(Uses *u, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  for (int k = 0; k < stm->bound.len; k++) {
    uint64_t id = stm->bound.at[k].id;
    if (is_view(e->form) && !e->bodies.len && e->args.len && e->args.at[0].is_var)
      map_put(u->root, id, (void *)(uintptr_t)root_of(u, e->args.at[0].var.id));
  }
}

static void escape(Uses *u, Atom a) {
  if (a.is_var) map_put(u->escaped, root_of(u, a.var.id), u);
}

static void used_body(Uses *u, const BulkBody *body, int at) {
  for (int i = 0; i < body->stms.len; i++) {
    root_find(u, &body->stms.at[i]);
    used_in(u, &body->stms.at[i].exp, at);
  }
  for (int i = 0; i < body->results.len; i++) {
    used(u, body->results.at[i], at);
    escape(u, body->results.at[i]);
  }
}

static void used_in(Uses *u, const BulkExp *e, int at) {
  for (int i = 0; i < e->args.len; i++) {
    used(u, e->args.at[i], at);
    if (e->form == BULK_LOOP) escape(u, e->args.at[i]);
  }
  for (int i = 0; i < e->bodies.len; i++) used_body(u, &e->bodies.at[i], at);
  if (e->form != BULK_CORE) return;
  Vars free = exp_free(u->prog, u->prog->arena, &e->core);
  for (int i = 0; i < free.len; i++) used(u, atom_var(free.at[i]), at);
}

Uses *uses_find(ToCore *c, const BulkBody *body) {
  Arena *arena = c->prog->arena;
  Uses *u = NEW(arena, Uses);
  *u = (Uses){.prog = c->prog, .body = body, .root = map_new(arena), .last = map_new(arena),
              .params = map_new(arena), .made = map_new(arena),
              .escaped = map_new(arena)};
  for (int i = 0; i < body->params.len; i++) map_put(u->params, body->params.at[i].id, u);
  for (int i = 0; i < body->stms.len; i++) {
    const BulkStm *stm = &body->stms.at[i];
    used_in(u, &stm->exp, i);
    root_find(u, stm);
    for (int k = 0; k < stm->bound.len && !is_view(stm->exp.form); k++)
      map_put(u->made, stm->bound.at[k].id, u);
  }
  for (int i = 0; i < body->results.len; i++) used(u, body->results.at[i], body->stms.len);
  return u;
}

bool uses_end(const ToCore *c, const BulkStm *stm, Var v) {
  const Uses *u = c->uses;
  uint64_t id = v.id;
  if (root_of(u, id) != id || map_get(u->escaped, id)) return false;
  for (int i = 1; i < stm->exp.args.len; i++) {
    Atom other = stm->exp.args.at[i];
    if (other.is_var && root_of(u, other.var.id) == id) return false;
  }
  bool owned = map_get(u->made, id) || map_get(u->params, id);
  return owned && (uintptr_t)map_get(u->last, id) == (uintptr_t)(c->at + 1);
}

static bool overwrites(BulkForm form) { return form == BULK_UPDATE || form == BULK_PUT; }

bool uses_consume(const Uses *u, Var param) {
  uintptr_t last = (uintptr_t)map_get(u->last, param.id);
  if (!last || last > (uintptr_t)u->body->stms.len) return false;
  const BulkExp *e = &u->body->stms.at[last - 1].exp;
  return overwrites(e->form) && atom_is_var(e->args.at[0], param);
}

bool uses_fresh(const Uses *u, Atom result) {
  if (!result.is_var) return false;
  int times = 0;
  for (int i = 0; i < u->body->results.len; i++) {
    Atom r = u->body->results.at[i];
    times += r.is_var && root_of(u, r.var.id) == root_of(u, result.var.id);
  }
  return times == 1 && map_get(u->made, result.var.id);
}
