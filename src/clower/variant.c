// From a C function and the way its pointers meet objects to a core function.
//   parameters  in the order of C's: numbers, leaves of structs, offsets of pointers unless 0; at
//               the first pointer to an object its leaves, sizes before arrays
//   results     the returned value; the leaves of objects that are written
// Functions that call themselves hand back all leaves.
#include "variant.h"

// ---- keys ---------------------------------------------------------------------------------------
static void key_ptr(Text *key, int slot, const Ptr *p) {
  bool zero = slot < 0 || (!p->at.is_var && p->at.value.i == 0);
  text_printf(key, " %d.%d%s", slot, slot < 0 ? 0 : p->leaf, zero ? "" : "+");
}

static Name key_of(Unit *u, const CFunction *f, const Args *args, const Slots *slots) {
  Text key = {0};
  text_printf(&key, "%s", f->name);
  for (int i = 0; i < args->len; i++)
    if (ctype_is_pointer(args->at[i].var->type)) key_ptr(&key, args->at[i].slot, &args->at[i].ptr);
  for (int i = 0; i < slots->len; i++) {
    const Slot *s = &slots->at[i];
    text_printf(&key, ";%d", s->one);
    for (int k = 0; k < s->leaves.len; k++) {
      const CType *t = s->leaves.at[k].type;
      text_printf(&key, "%d%s%s", t->tag, s->leaves.at[k].array ? "a" : "",
                  s->leaves.at[k].boolean ? "b" : "");
      if (s->cells.len && s->cells.at[k].pointer)
        key_ptr(&key, s->cells.at[k].slot, &s->cells.at[k].ptr);
    }
    ctype_print(&key, s->type, "");
  }
  Name name = name_of(u->p->names, key.at);
  text_free(&key);
  return name;
}

// ---- parameters ---------------------------------------------------------------------------------
typedef struct {
  Lower l;
  Variant *v;
  const Slots *slots;
  const Args *args;
  bool *given;           // slots that have parameters
  Cell *entry;           // state at the beginning
} Make;

static Var param(Make *m, const char *name, Type t, CoreParam s) {
  s.var = var_new(m->l.prog, name, t);
  list_push(m->l.arena, &m->v->fn->params, s.var);
  list_push(m->l.arena, &m->v->sources, s);
  return s.var;
}

static Type array_param(Make *m, const char *name, Prim p, CoreParam size) {
  size.size = true;
  const char *of = arena_printf(m->l.arena, "n_%s", name);
  Atom n = atom_var(param(m, of, type_scalar(PRIM_I64), size));
  return type_array(m->l.arena, type_scalar(p), n);
}

static void slot_rows(Make *m, int slot, int i, const char *name) {
  const LeafCell *from = &m->slots->at[slot].cells.at[i];
  Cell *cell = &m->l.cells[m->l.objects.at[slot].first + i];
  CoreParam source = {.slot = slot, .leaf = i};
  Ptr p = from->ptr;
  p.obj = from->slot;
  Type t = array_param(m, name, PRIM_I64, source);
  *cell = cell_ptr(p);
  cell->atom = atom_var(param(m, name, t, source));
}

static void slot_leaf(Make *m, int slot, int i) {
  Lower *l = &m->l;
  const Slot *s = &m->slots->at[slot];
  Object *o = &l->objects.at[slot];
  const Leaf *leaf = &o->leaves.at[i];
  Cell *cell = &l->cells[o->first + i];
  CoreParam source = {.slot = slot, .leaf = i};
  const char *name = leaf->path[0] ? arena_printf(l->arena, "%s_%s", s->name, leaf->path + 1)
                                   : s->name;
  if (leaf->type->tag == CTYPE_POINTER && is_array(o, leaf)) {
    slot_rows(m, slot, i, name);
    return;
  }
  if (leaf->type->tag == CTYPE_POINTER) {
    Ptr p = s->cells.at[i].ptr;
    p.obj = s->cells.at[i].slot;
    bool zero = p.obj < 0 || (!p.at.is_var && p.at.value.i == 0);
    if (!zero) p.at = atom_var(param(m, name, type_scalar(PRIM_I64), source));
    p.unit = leaf->type->base;
    *cell = cell_ptr(p);
    return;
  }
  bool array = !s->one || leaf->array;
  Prim prim = leaf_prim(l, leaf, array, (Span){0});
  Type t = array ? array_param(m, name, prim, source) : type_scalar(prim);
  *cell = cell_atom(atom_var(param(m, name, t, source)));
}

static void slot_params(Make *m, int slot) {
  if (slot < 0 || m->given[slot]) return;
  m->given[slot] = true;
  for (int i = 0; i < m->slots->at[slot].leaves.len; i++) slot_leaf(m, slot, i);
  for (int i = 0; i < m->slots->at[slot].cells.len; i++)
    if (m->slots->at[slot].cells.at[i].pointer) slot_params(m, m->slots->at[slot].cells.at[i].slot);
}

static void arg_params(Make *m, int i) {
  Lower *l = &m->l;
  const Arg *arg = &m->args->at[i];
  CoreParam source = {.arg = i, .slot = -1};
  int obj = object_of(l, arg->var, arg->var->at), first = l->objects.at[obj].first;
  if (ctype_is_pointer(arg->var->type)) {
    slot_params(m, arg->slot);
    Ptr p = arg->ptr;
    p.obj = arg->slot;
    bool zero = p.obj < 0 || (!p.at.is_var && p.at.value.i == 0);
    const char *name = arena_printf(l->arena, "%s_at", arg->var->name);
    if (!zero) p.at = atom_var(param(m, name, type_scalar(PRIM_I64), source));
    if (p.obj < 0) p.at = atom_i64(0);
    if (arg->var->type->base->tag != CTYPE_VOID) p.unit = arg->var->type->base;
    l->cells[first] = cell_ptr(p);
    return;
  }
  for (int k = 0; k < l->objects.at[obj].leaves.len; k++) {
    source.leaf = k;
    Type t = type_scalar(register_prim(l, l->objects.at[obj].leaves.at[k].type, arg->var->at));
    l->cells[first + k] = cell_atom(atom_var(param(m, arg->var->name, t, source)));
  }
}

static void slots_make(Make *m) {
  Lower *l = &m->l;
  for (int i = 0; i < m->slots->len; i++) {
    const Slot *s = &m->slots->at[i];
    int obj = object_new(l, s->name, &ctype_int, true);
    l->objects.at[obj].type = s->type;
    l->objects.at[obj].one = s->one;
    l->objects.at[obj].leaves = s->leaves;
    for (int k = 1; k < s->leaves.len; k++) object_new(l, s->name, &ctype_int, true);
    l->objects.len = obj + 1;
  }
}

// ---- results ------------------------------------------------------------------------------------
static void result_add(Make *m, CoreResult r, Atom a, const char *name) {
  Lower *l = &m->l;
  Type t = atom_type(l->prog, a);
  if (r.slot < 0) a = as_prim(l, a, r.prim), t = type_scalar(r.prim);
  else if (t.rank) t.unique = true;
  list_push(l->arena, &m->v->fn->results, var_new(l->prog, name, t));
  list_push(l->arena, &m->v->fn->body.results, a);
}

static void returned_describe(Make *m) {
  Lower *l = &m->l;
  const CType *t = m->v->f->type->base;
  if (t->tag == CTYPE_VOID) return;
  if (t->tag == CTYPE_POINTER) {
    m->v->returns_pointer = true;
    list_push(l->arena, &m->v->results, (CoreResult){-1, 0, PRIM_I64});
    return;
  }
  Leaves leaves = leaves_of(l, t, m->v->f->at);
  for (int i = 0; i < leaves.len; i++) {
    if (leaves.at[i].array || leaves.at[i].type->tag == CTYPE_POINTER)
      lower_gap(l, m->v->f->at, "[c-unsupported] A struct with arrays or pointers is returned.");
    Prim p = register_prim(l, leaves.at[i].type, m->v->f->at);
    list_push(l->arena, &m->v->results, (CoreResult){-1, i, p});
  }
}

static void returned_add(Make *m) {
  Lower *l = &m->l;
  int n = m->v->results.len;
  const CVar *v = l->simple->result;
  if (!v) return;
  int first = l->objects.at[object_of(l, v, v->at)].first;
  for (int i = 0; i < n; i++) {
    Cell *cell = &l->cells[first + i];
    CoreResult r = m->v->results.at[i];
    if (r.slot >= 0) continue;
    if (m->v->returns_pointer) {
      if (!cell->set || cell->ptr.obj < 0 || cell->ptr.obj >= m->slots->len)
        lower_gap(l, m->v->f->at, "[c-escapes] `%s` calls itself and returns a pointer to memory "
                  "that it made, or to several objects: allocate it in the caller.", v->name);
      m->v->returned = cell->ptr;
    }
    Atom a = !cell->set ? atom_number(r.prim, 0) : cell->pointer ? cell->ptr.at : cell->atom;
    result_add(m, r, a, v->name);
  }
}

static void slots_describe(Make *m, bool all) {
  Lower *l = &m->l;
  for (int i = 0; i < m->slots->len; i++) {
    const Object *o = &l->objects.at[i];
    for (int k = 0; k < o->leaves.len; k++) {
      const Cell *was = &m->entry[o->first + k], *is = &l->cells[o->first + k];
      bool same = cell_same(was, is);
      if (was->pointer && !same)
        lower_gap(l, m->v->f->at, "[c-escapes] `%s` changes a pointer in memory of its caller: the "
                  "function that is differentiated, or one that calls itself, cannot.",
                  m->v->f->name);
      if (was->pointer || (same && !all)) continue;
      CoreResult r = {i, k, atom_type(l->prog, was->atom).prim};
      list_push(l->arena, &m->v->results, r);
    }
  }
}

static void slots_add(Make *m) {
  Lower *l = &m->l;
  for (int i = 0; i < m->v->results.len; i++) {
    CoreResult r = m->v->results.at[i];
    if (r.slot < 0) continue;
    const Object *o = &l->objects.at[r.slot];
    Cell was = m->entry[o->first + r.leaf];
    const char *name = var_info(l->prog, was.atom.var)->base;
    VarInfo *info = &l->prog->vars.at[was.atom.var.id];
    if (info->type.rank) info->type.unique = true;
    result_add(m, r, l->cells[o->first + r.leaf].atom, arena_printf(l->arena, "%s_out", name));
  }
}

static const char *fn_name(Unit *u, const char *base) {
  if (fn_name_is_reserved(base)) base = arena_printf(u->arena, "fn_%s", base);
  const char *name = base;
  for (int i = 1; map_get(u->taken, KEY(name_of(u->p->names, name))); i++)
    name = arena_printf(u->arena, "%s_%d", base, i);
  map_put(u->taken, KEY(name_of(u->p->names, name)), u);
  return name;
}

static Variant *variant_make(Unit *u, const CFunction *f, const Args *args, const Slots *slots,
                             Variant *v) {
  Make m = {.v = v, .slots = slots, .args = args};
  m.l = (Lower){.u = u, .arena = u->arena, .prog = u->prog, .vars = map_new(u->arena),
                .lengths = map_new(u->arena), .guesses = map_new(u->arena),
                .booleans = map_new(u->arena), .spliced = map_new(u->arena)};
  Lower *l = &m.l;
  v->fn->loc = arena_copy(u->arena, &(Loc){.span = f->at}, sizeof(Loc));
  l->b = builder_new(u->prog, &v->fn->body.stms);
  l->b.loc = v->fn->loc;
  m.given = NEW_ARRAY(u->arena, bool, slots->len + 1);
  slots_make(&m);
  for (int i = 0; i < args->len; i++) arg_params(&m, i);
  m.entry = cells_copy(l);
  returned_describe(&m);
  int returned = v->results.len;
  slots_describe(&m, true);
  body_lower(l, body_simple(u->p, f));
  if (!v->recursive) {
    v->results.len = returned;
    slots_describe(&m, false);
  }
  returned_add(&m);
  slots_add(&m);
  list_push(u->arena, &u->prog->fns, v->fn);
  return v;
}

Variant *variant_of(Unit *u, const CFunction *f, const Args *args, const Slots *slots) {
  Name key = key_of(u, f, args, slots);
  Variant *v = map_get(u->variants, KEY(key));
  if (v) {
    if (v->running) v->recursive = true;
    return v;
  }
  v = NEW(u->arena, Variant);
  v->f = f;
  v->running = true;
  v->fn = NEW(u->arena, Fn);
  v->fn->name = fn_name(u, f->name);
  for (int i = 0; i < slots->len; i++) list_push(u->arena, &v->slots, slots->at[i]);
  map_put(u->variants, KEY(key), v);
  variant_make(u, f, args, slots, v);
  v->running = false;
  return v;
}
