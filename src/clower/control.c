// Branches: each is lowered from the same state.  Variables and objects that differ after them
// become results of the match.  An object that a branch makes lives on where a pointer from outside
// leads to it: in the other branch it is what that makes for the same pointer, or empty; then the
// pointer is null there.
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
  for (int i = objects; i < l->objects.len; i++)
    list_push(l->arena, &arm.made, l->objects.at[i]);
  l->cells = before;
  l->len = len;
  l->objects.len = objects;
  l->b.stms = outer;
  return arm;
}

static bool ptr_same(const Ptr *a, const Ptr *b) {
  if (a->obj != b->obj || a->several != b->several || a->nullable != b->nullable) return false;
  if (a->nullable && !atom_same(a->null, b->null)) return false;
  if (a->several) return atom_same(a->tag, b->tag) && atom_same(a->at, b->at);
  return a->obj < 0 || (a->leaf == b->leaf && atom_same(a->at, b->at));
}

bool cell_same(const Cell *a, const Cell *b) {
  if (a->set != b->set) return false;
  if (!a->set) return true;
  return (!a->pointer || ptr_same(&a->ptr, &b->ptr)) && atom_same(a->atom, b->atom);
}

// An object after the branches and its numbers in both; -1: the branch has none.
typedef struct {
  int yes, no, now;
} Kept;
typedef struct {
  Atom *to;
  int size;             // result that is the size of this array; -1: none
} Result;
typedef struct {
  Lower *l;
  Types types;
  Atoms yes_results, no_results;
  LIST(Result) to;      // where results go
  Arm *yes, *no;
  int outer;            // objects before the branches
  LIST(Kept) kept;
} Join;

static void result_add(Join *j, Type t, Atom yes, Atom no, Result to) {
  t.unique = false;
  list_push(j->l->arena, &j->types, t);
  list_push(j->l->arena, &j->yes_results, yes);
  list_push(j->l->arena, &j->no_results, no);
  list_push(j->l->arena, &j->to, to);
}

// Arrays of different lengths: the length is a result, too.
static void joined(Join *j, Atom yes, Atom no, Atom *to) {
  Type t = atom_type(j->l->prog, yes);
  Result r = {to, -1};
  if (t.rank) {
    Atom n = t.dims[0], m = atom_type(j->l->prog, no).dims[0];
    if (!atom_same(n, m)) {
      r.size = j->types.len;
      result_add(j, type_scalar(PRIM_I64), n, m, (Result){NULL, -1});
    }
  }
  result_add(j, t, yes, no, r);
}

static bool join_several(Join *j, const Ptr *yes, const Ptr *no, Cell *to) {
  Several *all = NEW(j->l->arena, Several);
  if (!several_add(j->l, yes, all) || !several_add(j->l, no, all)) return false;
  *to = cell_ptr((Ptr){.obj = SEVERAL_OBJECTS, .unit = yes->unit, .several = all});
  Builder b = j->l->b;
  b.stms = &j->no->stms;
  Atom other = several_tag(&b, no, all);
  joined(j, several_tag(&b, yes, all), other, &to->ptr.tag);
  joined(j, yes->at, no->at, &to->ptr.at);
  return true;
}

// ---- objects that a branch makes ----------------------------------------------------------------
static bool is_made(const Join *j, const Ptr *p) { return p->obj >= j->outer; }

static const Object *made_object(const Join *j, const Arm *arm, int obj) {
  return &arm->made.at[obj - j->outer];
}

// -1: nothing is known of it yet; -2: it is another object in the other branch.
static int kept_find(const Join *j, int yes, int no) {
  for (int i = 0; i < j->kept.len; i++) {
    const Kept *k = &j->kept.at[i];
    if (k->yes == yes && k->no == no) return k->now;
    if ((yes >= 0 && k->yes == yes) || (no >= 0 && k->no == no)) return -2;
  }
  return -1;
}

static void join_cells(Join *j, const Cell *yes, const Cell *no, Cell *to);

// A leaf of an object that is not there: an empty array, zero, null.
static Cell absent_cell(Join *j, Arm *arm, const Object *o, const Leaf *leaf) {
  bool array = is_array(o, leaf), pointer = leaf->type->tag == CTYPE_POINTER;
  Cell c = cell_ptr((Ptr){.obj = NO_OBJECT, .at = atom_i64(0), .unit = leaf->type->base});
  if (pointer && !array) return c;
  Prim p = pointer ? PRIM_I64 : leaf_prim(j->l, leaf, array, (Span){0});
  Atom none = atom_i64(0), zero = atom_number(p, 0);
  Builder b = j->l->b;
  b.stms = &arm->stms;
  if (array) zero = build_replicate(&b, atoms_of(j->l->arena, 1, &none), zero);
  if (!pointer) return cell_atom(zero);
  c.atom = zero;
  return c;
}

bool objects_alike(const Object *a, const Object *b) {
  return a->one == b->one && a->leaves.len == b->leaves.len && ctype_same(a->type, b->type);
}

// The object that is `yes` in one branch, `no` in the other; -2: there is none.
static int keep(Join *j, int yes, int no) {
  Lower *l = j->l;
  int known = kept_find(j, yes, no);
  if (known != -1) return known;
  const Object *a = yes >= 0 ? made_object(j, j->yes, yes) : NULL;
  const Object *b = no >= 0 ? made_object(j, j->no, no) : NULL;
  if (a && b && !objects_alike(a, b)) return -2;
  Object o = a ? *a : *b;
  o.first = l->len;
  l->len += o.leaves.len;
  int now = l->objects.len;
  list_push(l->arena, &l->objects, o);
  list_push(l->arena, &j->kept, (Kept){yes, no, now});
  for (int i = 0; i < o.leaves.len; i++) {
    const Leaf *leaf = &o.leaves.at[i];
    Cell y = a ? j->yes->cells[a->first + i] : absent_cell(j, j->yes, &o, leaf);
    Cell n = b ? j->no->cells[b->first + i] : absent_cell(j, j->no, &o, leaf);
    join_cells(j, &y, &n, &l->cells[o.first + i]);
  }
  return now;
}

// Where objects of branches are found afterwards; false: nowhere.
static bool pointers_keep(Join *j, Ptr *yes, Ptr *no) {
  bool a = is_made(j, yes), b = is_made(j, no);
  if ((a && yes->several) || (b && no->several)) return false;
  if (!a && !b) return true;
  int together = a && b && yes->leaf == no->leaf ? keep(j, yes->obj, no->obj) : -2;
  int of_yes = !a ? 0 : together >= 0 ? together : keep(j, yes->obj, -1);
  int of_no = !b ? 0 : together >= 0 ? together : keep(j, -1, no->obj);
  if (a) yes->obj = of_yes;
  if (b) no->obj = of_no;
  return of_yes >= 0 && of_no >= 0;
}

// ---- pointers -----------------------------------------------------------------------------------
static Atom null_of(const Ptr *p) {
  return ptr_is_null(p) ? atom_bool(true) : p->nullable ? p->null : atom_bool(false);
}

static void join_null(Join *j, const Ptr *yes, const Ptr *no, Ptr *to) {
  to->nullable = yes->nullable || no->nullable || ptr_is_null(yes) || ptr_is_null(no);
  if (!to->nullable) return;
  if (yes->obj == LOOP_NULL || no->obj == LOOP_NULL) j->l->null_tested = true;
  Atom a = null_of(yes), b = null_of(no);
  to->null = a;
  if (!atom_same(a, b)) joined(j, a, b, &to->null);
}

static bool is_unused(const Lower *l, const Ptr *p) {
  if (p->obj < 0) return p->obj == NO_OBJECT;
  return l->objects.at[p->obj].blocks && !l->objects.at[p->obj].used;
}

typedef struct {
  const Ptr *yes, *no;
} Ptrs;

static void join_rows(Join *j, const Cell *yes, const Cell *no, Ptrs kept, Cell *to) {
  const Ptr *a = kept.yes, *b = kept.no;
  bool same = a->obj == b->obj && a->leaf == b->leaf;
  *to = *yes;
  to->ptr = is_unused(j->l, a) ? *b : *a;
  if (!same && !is_unused(j->l, a) && !is_unused(j->l, b)) to->ptr.obj = DEAD_OBJECT;
  if (!atom_same(yes->atom, no->atom)) joined(j, yes->atom, no->atom, &to->atom);
}

// Pointers to one object differ in their offsets; one that was not set is never followed.
static void join_pointers(Join *j, const Cell *yes, const Cell *no, Cell *to) {
  bool both = yes->set && no->set;
  Ptr a = yes->set ? yes->ptr : no->ptr, b = no->set ? no->ptr : yes->ptr;
  *to = cell_ptr(a);
  to->ptr.several = NULL;
  if (!both || !pointers_keep(j, &a, &b)) {
    to->ptr = a;
    if (both || is_made(j, &a)) to->ptr.obj = DEAD_OBJECT;
    if (both) to->ptr.several = NULL, to->ptr.nullable = false;
    return;
  }
  if (is_rows(yes) && is_rows(no)) {
    join_rows(j, yes, no, (Ptrs){&a, &b}, to);
    return;
  }
  bool none = ptr_is_null(&a) || ptr_is_null(&b);
  const Ptr *known = ptr_is_null(&a) ? &b : &a;
  bool several = a.several || b.several;
  bool differ = a.obj != b.obj || a.leaf != b.leaf;
  if (several || (differ && !none)) {
    if (join_several(j, &a, &b, to)) return;
    to->ptr.obj = SEVERAL_OBJECTS;
    to->ptr.several = NULL;
    to->ptr.nullable = false;
    return;
  }
  to->ptr = *known;
  if (a.obj == LOOP_NULL && known->obj < 0) to->ptr.obj = LOOP_NULL;
  if (known->obj < 0) return;
  join_null(j, &a, &b, &to->ptr);
  to->ptr.far = a.far && b.far;
  if (!none && !atom_same(a.at, b.at)) joined(j, a.at, b.at, &to->ptr.at);
  else if (none && known->at.is_var) joined(j, a.at, b.at, &to->ptr.at);
}

static void join_cells(Join *j, const Cell *yes, const Cell *no, Cell *to) {
  bool pointer = (yes->set && yes->pointer) || (no->set && no->pointer);
  bool made = pointer && yes->set && is_made(j, &yes->ptr);
  made |= pointer && no->set && is_made(j, &no->ptr);
  if (!made && cell_same(yes, no)) {
    *to = *yes;
    return;
  }
  if (pointer) {
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
  Case first = {.body = {yes->stms, j->yes_results}}, rest = {.body = {no->stms, j->no_results}};
  list_push(l->arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(l->arena, &exp.match.cases, first);
  list_push(l->arena, &exp.match.cases, rest);
  return exp;
}

static int made_cells(const Arm *a) {
  int n = 0;
  for (int i = 0; i < a->made.len; i++) n += a->made.at[i].leaves.len;
  return n;
}

static void results_bind(Lower *l, const Join *j, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    Result r = j->to.at[i];
    VarInfo *info = &l->prog->vars.at[vars.at[i].id];
    if (r.size >= 0) {
      Atom n = atom_var(vars.at[r.size]);
      info->type = type_array(l->arena, type_scalar(info->type.prim), n);
    }
    if (r.to) *r.to = atom_var(vars.at[i]);
    if (j->yes_results.at[i].is_var)
      info->base = var_info(l->prog, j->yes_results.at[i].var)->base;
  }
}

// Where only values differ, operations need no branch.
Cell arms_join(Lower *l, Atom c, Arm *yes, Arm *no) {
  Join j = {.l = l, .yes = yes, .no = no, .outer = l->objects.len};
  Cell value = {0};
  cells_reserve(l, l->len + made_cells(yes) + made_cells(no));  // results go to cells that stay
  Cell *to = cells_copy(l);
  l->cells = to;
  for (int i = 0; i < yes->len; i++) join_cells(&j, &yes->cells[i], &no->cells[i], &to[i]);
  if (yes->value.set && no->value.set) join_cells(&j, &yes->value, &no->value, &value);
  if (!j.types.len && !yes->stms.len && !no->stms.len) return value;
  results_bind(l, &j, build_many(&l->b, NULL, j.types, match_exp(l, c, yes, no, &j)));
  return value;
}
