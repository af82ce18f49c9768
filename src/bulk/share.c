// Equal statements of a body are computed once.  Two statements are equal when their texts are,
// with operands replaced by those that are kept.  Bodies of loops and branches only get the
// replacements.
#include "bulk.h"

typedef struct {
  Prog *prog;
  Names *texts;
  Map *first;    // text -> the statement that has it
  Map *instead;  // variable -> the variable kept
} Share;

static Atom kept(Share *s, Atom a) {
  Vars *v = a.is_var ? map_get(s->instead, a.var.id) : NULL;
  return v ? atom_var(v->at[0]) : a;
}

static Atoms kept_all(Share *s, Atoms atoms) {
  Atoms out = {0};
  for (int i = 0; i < atoms.len; i++) list_push(s->prog->arena, &out, kept(s, atoms.at[i]));
  return out;
}

static void replace_types(Share *s, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    Type *t = &s->prog->vars.at[vars.at[i].id].type;
    t->dims = kept_all(s, atoms_of(s->prog->arena, t->rank, t->dims)).at;
  }
}

static void replace_body(Share *s, BulkBody *body);

static void replace_exp(Share *s, BulkExp *e) {
  e->args = kept_all(s, e->args);
  e->dims = kept_all(s, e->dims);
  e->neutral = kept_all(s, e->neutral);
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim *d = &e->slice.at[i];
    d->start = kept(s, d->start), d->count = kept(s, d->count), d->stride = kept(s, d->stride);
  }
  for (int i = 0; i < e->bodies.len; i++) replace_body(s, &e->bodies.at[i]);
}

static void replace_body(Share *s, BulkBody *body) {
  replace_types(s, body->params);
  for (int i = 0; i < body->stms.len; i++) {
    replace_types(s, body->stms.at[i].bound);
    replace_exp(s, &body->stms.at[i].exp);
  }
  body->results = kept_all(s, body->results);
}

// The statement of the same text before this one; NULL: this is the first.
static const BulkStm *same_before(Share *s, const BulkStm *stm) {
  if (stm->exp.bodies.len || stm->exp.form == BULK_CORE || stm->exp.form == BULK_OPAQUE)
    return NULL;
  Text text = {0};
  bulk_print_exp(&text, s->prog, &stm->exp);
  text_putc(&text, stm->unchecked ? '!' : '?');
  uint64_t key = KEY(name_of(s->texts, text.at));
  text_free(&text);
  const BulkStm *first = map_get(s->first, key);
  if (!first) map_put(s->first, key, arena_copy(s->prog->arena, stm, sizeof *stm));
  return first;
}

static bool has_core(const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++)
    if (body->stms.at[i].exp.form == BULK_CORE) return true;
  return false;
}

void bulk_share(Prog *prog, BulkBody *body) {
  Arena *arena = prog->arena;
  Share s = {prog, names_new(arena), map_new(arena), map_new(arena)};
  if (has_core(body)) return;  // their operands are not replaced
  BulkStms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    BulkStm stm = body->stms.at[i];
    replace_types(&s, stm.bound);
    replace_exp(&s, &stm.exp);
    const BulkStm *first = same_before(&s, &stm);
    for (int k = 0; first && k < stm.bound.len; k++) {
      Vars *v = NEW(arena, Vars);
      list_push(arena, v, first->bound.at[k]);
      map_put(s.instead, stm.bound.at[k].id, v);
    }
    if (!first) list_push(arena, &out, stm);
  }
  body->stms = out;
  body->results = kept_all(&s, body->results);
}
