// Branches: each is lowered from the same state.  Variables and objects that differ after them
// become results of the match.  Objects that a branch makes end with it.
#include "local.h"

Cell *cells_copy(Lower *l) {
  Cell *copy = NEW_ARRAY(l->arena, Cell, l->cap + 1);
  if (l->len) memcpy(copy, l->cells, sizeof *copy * (size_t)l->len);
  return copy;
}

Arm arm_lower(Lower *l, ArmBody *f, const void *what) {
  Arm arm = {0};
  Cell *before = l->cells;
  Stms *outer = l->b.stms;
  int len = l->len, objects = l->objects.len;
  l->cells = cells_copy(l);
  l->b.stms = &arm.stms;
  f(l, what, &arm.value);
  arm.cells = l->cells;
  arm.len = len;
  l->cells = before;
  l->len = len;
  l->objects.len = objects;
  l->b.stms = outer;
  return arm;
}

static bool ptr_same(const Ptr *a, const Ptr *b) {
  if (a->obj != b->obj || a->several != b->several) return false;
  if (a->several) return atom_same(a->tag, b->tag) && atom_same(a->at, b->at);
  return a->obj < 0 || (a->leaf == b->leaf && atom_same(a->at, b->at));
}

bool cell_same(const Cell *a, const Cell *b) {
  if (a->set != b->set) return false;
  if (!a->set) return true;
  return a->pointer ? ptr_same(&a->ptr, &b->ptr) : atom_same(a->atom, b->atom);
}

void pointers_end(Lower *l) {
  for (int i = 0; i < l->len; i++)
    if (l->cells[i].pointer && l->cells[i].ptr.obj >= l->objects.len)
      l->cells[i].ptr.obj = DEAD_OBJECT;
}

typedef struct {
  Lower *l;
  Types types;
  Atoms yes, no;
  LIST(Atom *) to;      // where results go
  Arm *other;           // the second branch
} Join;

static void joined(Join *j, Atom yes, Atom no, Atom *to) {
  Type t = atom_type(j->l->prog, yes);
  t.unique = false;
  list_push(j->l->arena, &j->types, t);
  list_push(j->l->arena, &j->yes, yes);
  list_push(j->l->arena, &j->no, no);
  list_push(j->l->arena, &j->to, to);
}

static bool join_several(Join *j, const Cell *yes, const Cell *no, Cell *to) {
  Several *all = NEW(j->l->arena, Several);
  if (!several_add(j->l, &yes->ptr, all) || !several_add(j->l, &no->ptr, all)) return false;
  *to = cell_ptr((Ptr){.obj = SEVERAL_OBJECTS, .unit = yes->ptr.unit, .several = all});
  Builder b = j->l->b;
  b.stms = &j->other->stms;
  Atom other = several_tag(&b, &no->ptr, all);
  joined(j, several_tag(&b, &yes->ptr, all), other, &to->ptr.tag);
  joined(j, yes->ptr.at, no->ptr.at, &to->ptr.at);
  return true;
}

// Pointers to one object differ in their offsets; one that was not set is never followed.
static void join_pointers(Join *j, const Cell *yes, const Cell *no, Cell *to) {
  const Cell *known = yes->set && !ptr_is_null(&yes->ptr) ? yes : no;
  const Cell *other = known == yes ? no : yes;
  bool none = !other->set || ptr_is_null(&other->ptr);
  *to = *known;
  bool several = known->ptr.several || (other->set && other->ptr.several);
  bool differ = known->ptr.obj != other->ptr.obj || known->ptr.leaf != other->ptr.leaf;
  if (!none && (several || differ)) {
    if (join_several(j, yes, no, to)) return;
    to->ptr.obj = SEVERAL_OBJECTS;
    to->ptr.several = NULL;
    return;
  }
  if (none && other->set) {
    bool made = known->ptr.obj >= j->l->objects.len;
    if (known->ptr.obj >= 0) to->ptr.obj = made ? DEAD_OBJECT : SEVERAL_OBJECTS;
    to->ptr.several = NULL;
    return;
  }
  if (none || known->ptr.obj < 0) return;
  if (!atom_same(yes->ptr.at, no->ptr.at)) joined(j, yes->ptr.at, no->ptr.at, &to->ptr.at);
}

static void join_cells(Join *j, const Cell *yes, const Cell *no, Cell *to) {
  if (cell_same(yes, no)) {
    *to = *yes;
    return;
  }
  if ((yes->set && yes->pointer) || (no->set && no->pointer)) {
    join_pointers(j, yes, no, to);
    return;
  }
  const Cell *set = yes->set ? yes : no;
  Type t = atom_type(j->l->prog, set->atom);
  *to = (Cell){.set = t.rank == 0 || (yes->set && no->set)};
  if (yes->set && no->set) joined(j, yes->atom, no->atom, &to->atom);
  else if (t.rank == 0) {
    Atom zero = atom_number(t.prim, 0);
    joined(j, yes->set ? yes->atom : zero, no->set ? no->atom : zero, &to->atom);
  }
}

static Exp match_exp(Lower *l, Atom c, const Arm *yes, const Arm *no, const Join *j) {
  Exp exp = {.form = FORM_MATCH};
  exp.match.args = atoms_of(l->arena, 1, &c);
  Case first = {.body = {yes->stms, j->yes}}, rest = {.body = {no->stms, j->no}};
  list_push(l->arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(l->arena, &exp.match.cases, first);
  list_push(l->arena, &exp.match.cases, rest);
  return exp;
}

// Where only values differ, operations need no branch.
Cell arms_join(Lower *l, Atom c, Arm *yes, Arm *no) {
  Join j = {.l = l, .other = no};
  Cell value = {0};
  Cell *to = cells_copy(l);
  for (int i = 0; i < yes->len; i++) join_cells(&j, &yes->cells[i], &no->cells[i], &to[i]);
  if (yes->value.set && no->value.set) join_cells(&j, &yes->value, &no->value, &value);
  l->cells = to;
  pointers_end(l);
  if (!j.types.len && !yes->stms.len && !no->stms.len) return value;
  Vars vars = build_many(&l->b, NULL, j.types, match_exp(l, c, yes, no, &j));
  for (int i = 0; i < vars.len; i++) {
    *j.to.at[i] = atom_var(vars.at[i]);
    if (j.yes.at[i].is_var) {
      const char *base = var_info(l->prog, j.yes.at[i].var)->base;
      l->prog->vars.at[vars.at[i].id].base = base;
    }
  }
  return value;
}
