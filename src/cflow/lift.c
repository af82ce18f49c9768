// Types that are defined inside functions, or have no name, get names that are good in every file:
// derivatives are functions of another shape and declare such types before them.
//   a type of a function     f_tag, f_variable        an enumerator of one   f_NAME
//   of a variable or member  variable_type
#include "local.h"

typedef struct {
  CProgram *p;
  const CFunction *function;
  Map *tags;
  Map *named;    // records that have their name
} Lift;

static bool nameless(const CRecord *r) { return r && !r->name && !r->alias; }

static void name_record(Lift *l, CRecord *r, const char *base) {
  r->name = cname_fresh(l->p->arena, l->p->names, l->tags, base);
  map_put(l->named, KEY(r), r);
}

static bool lift_statement(const CStmt *s, void *state) {
  Lift *l = state;
  CRecord *r = (CRecord *)(uintptr_t)s->record;
  if (s->tag != CS_DECL || !r) return true;
  if (nameless(r) && s->vars.len)
    name_record(l, r, arena_printf(l->p->arena, "%s_%s", l->function->name, s->vars.at[0]->name));
  ((CStmt *)(uintptr_t)s)->record = NULL;
  return true;
}

static void lift_variables(Lift *l, const CItem *item) {
  CRecord *r = (CRecord *)(uintptr_t)item->record;
  if (item->tag == CITEM_VARS && nameless(r))
    name_record(l, r, arena_printf(l->p->arena, "%s_type", item->vars.at[0]->name));
}

static void lift_members(Lift *l, const CRecord *r) {
  for (int i = 0; i < r->fields.len; i++) {
    CRecord *inner = (CRecord *)(uintptr_t)r->fields.at[i].record;
    if (nameless(inner))
      name_record(l, inner, arena_printf(l->p->arena, "%s_type", r->fields.at[i].name));
  }
}

static void lift_inner(Lift *l, CRecord *r) {
  Arena *arena = l->p->arena;
  const char *f = r->owner->name;
  if (!map_get(l->named, KEY(r)))
    name_record(l, r, arena_printf(arena, "%s_%s", f, r->name ? r->name : "type"));
  for (int i = 0; i < r->enumerators.len; i++)
    r->enumerators.at[i]->name =
        cname_fresh(arena, l->p->names, l->p->used,
                    arena_printf(arena, "%s_%s", f, r->enumerators.at[i]->name));
}

static void lift_unit(Lift *l, const CUnit *unit) {
  for (int i = 0; i < unit->items.len; i++) lift_variables(l, &unit->items.at[i]);
  for (int i = 0; i < unit->functions.len; i++) {
    l->function = unit->functions.at[i];
    cstmt_visit(l->function->body, lift_statement, NULL, l);
  }
  for (int i = 0; i < unit->records.len; i++) lift_members(l, unit->records.at[i]);
  for (int i = 0; i < unit->records.len; i++)
    if (unit->records.at[i]->owner) lift_inner(l, unit->records.at[i]);
}

void cprogram_lift(CProgram *p) {
  if (p->lifted) return;
  p->lifted = true;
  Lift l = {.p = p, .tags = map_new(p->arena), .named = map_new(p->arena)};
  for (int u = 0; u < p->units.len; u++)
    for (int i = 0; i < p->units.at[u]->records.len; i++) {
      const CRecord *r = p->units.at[u]->records.at[i];
      if (r->name && !r->owner) map_put(l.tags, KEY(r->name), p);
    }
  for (int u = 0; u < p->units.len; u++) lift_unit(&l, p->units.at[u]);
}
