// Objects, places in them, loads and stores.  The offset of a place counts elements of its type:
// a member keeps it, the first element of an array multiplies it by the array's length.
#include "local.h"

Cell cell_atom(Atom a) { return (Cell){.set = true, .atom = a}; }
Cell cell_ptr(Ptr p) { return (Cell){.set = true, .pointer = true, .ptr = p}; }

// ---- objects ------------------------------------------------------------------------------------
void cells_reserve(Lower *l, int n) {
  if (n <= l->cap) return;
  int cap = n < 32 ? 64 : 2 * n;
  Cell *cells = NEW_ARRAY(l->arena, Cell, cap);
  if (l->len) memcpy(cells, l->cells, sizeof *cells * (size_t)l->len);
  l->cells = cells;
  l->cap = cap;
}

int object_new(Lower *l, const char *name, const CType *type, bool one) {
  Object o = {.name = name, .type = type, .one = one, .first = l->len,
              .leaves = leaves_of(l, type, (Span){0})};
  list_push(l->arena, &l->objects, o);
  cells_reserve(l, l->len + o.leaves.len);
  memset(l->cells + l->len, 0, sizeof *l->cells * (size_t)o.leaves.len);
  l->len += o.leaves.len;
  return l->objects.len - 1;
}

bool is_array(const Object *o, const Leaf *leaf) { return leaf->array || !o->one; }

Prim leaf_prim(Lower *l, const Leaf *leaf, bool in_array, Span at) {
  if (in_array) return memory_prim(l, leaf->type, at);
  return leaf->boolean ? PRIM_BOOL : register_prim(l, leaf->type, at);
}

void object_zero(Lower *l, int obj, Atom count) {
  Object o = l->objects.at[obj];
  for (int i = 0; i < o.leaves.len; i++) {
    const Leaf *leaf = &o.leaves.at[i];
    bool array = is_array(&o, leaf);
    Cell *cell = &l->cells[o.first + i];
    if (leaf->type->tag == CTYPE_POINTER && array) {
      Cell rows = rows_new(l, &o, leaf, build_op(&l->b, OP_MUL, count, leaf->many));
      l->cells[o.first + i] = rows;
      continue;
    }
    if (leaf->type->tag == CTYPE_POINTER) {
      *cell = cell_ptr((Ptr){.obj = NO_OBJECT, .at = atom_i64(0), .unit = leaf->type->base});
      continue;
    }
    Atom zero = atom_number(leaf_prim(l, leaf, array, (Span){0}), 0);
    if (!array) {
      *cell = cell_atom(zero);
      continue;
    }
    Atom n = build_op(&l->b, OP_MUL, count, leaf->many);
    *cell = cell_atom(build_replicate(&l->b, atoms_of(l->arena, 1, &n), zero));
    l->prog->vars.at[cell->atom.var.id].base = o.name;
  }
}

int object_of(Lower *l, const CVar *v, Span at) {
  uintptr_t known = (uintptr_t)map_get(l->vars, KEY(v));
  if (known) return (int)known - 1;
  if (v->is_global || v->storage == CSTORE_STATIC)
    lower_gap(l, at, "[c-global] `%s` is written, or its value is not known here.", v->name);
  int obj = object_new(l, v->name, v->type, true);
  if (map_get(l->booleans, KEY(v))) l->objects.at[obj].leaves.at[0].boolean = true;
  map_put(l->vars, KEY(v), (void *)(uintptr_t)(obj + 1));
  return obj;
}

// ---- places -------------------------------------------------------------------------------------
int leaves_count(const CType *t) {
  if (t->tag == CTYPE_ARRAY) return leaves_count(t->base);
  if (t->tag != CTYPE_STRUCT) return 1;
  int n = 0;
  for (int i = 0; i < t->record->fields.len; i++) n += leaves_count(t->record->fields.at[i].type);
  return n;
}

_Noreturn void opaque_refuse(Lower *l, const CType *unit, Span at) {
  if (ctype_element(unit)->tag == CTYPE_POINTER)
    lower_gap(l, at, "[c-rows] A parameter that points to pointers to pointers, or to structs, is "
              "used, through core.");
  lower_gap(l, at, "[c-points-to] A parameter that points to a struct whose pointers lead to other "
            "pointers, or to structs, is used, through core.");
}

void assertion(Lower *l, Atom c, Span at, const char *what, Atoms args) {
  const char *message = arena_printf(l->arena, "%s:%d: %s", at.src ? at.src->path : "",
                                     at.src ? span_place(at).line : 0, what);
  Exp exp = {.form = FORM_ASSERT, .assert = {.cond = c, .message = message, .args = args}};
  build_stm(&l->b, (Stm){.exp = exp, .loc = l->b.loc});
}

static void null_assert(Lower *l, const Ptr *p, Span at) {
  if (l->u->options->unchecked) return;
  assertion(l, build_op1(&l->b, OP_NOT, p->null), at, "a null pointer is followed", (Atoms){0});
}

Place pointer_place(Lower *l, Ptr p, const CType *type, Span at) {
  if (p.obj == OPAQUE_OBJECT) opaque_refuse(l, p.unit, at);
  if (p.obj == SEVERAL_OBJECTS)
    lower_gap(l, at, "[c-points-to] This pointer may point to several objects here.");
  if (p.obj == DEAD_OBJECT)
    lower_gap(l, at, "[c-escapes] Memory that was made in a branch or loop is used after it, and "
              "several pointers lead to it: allocate it before the branch or loop.");
  if (ptr_is_null(&p))
    lower_gap(l, at, "[c-points-to] What this pointer points to is not known here.");
  if (p.obj >= l->objects.len)
    lower_gap(l, at, "[c-escapes] Memory is used after the branch or loop that made it.");
  if (p.unit->tag != type->tag && ctype_size(p.unit) != ctype_size(type))
    lower_gap(l, at, "[c-punning] Memory is used as something else than it was made for.");
  if (p.nullable && !p.far) null_assert(l, &p, at);
  return (Place){p.obj, p.leaf, p.at, type};
}

static Place member_place(Lower *l, const CExpr *e) {
  Place p = e->arrow ? pointer_place(l, pointer_of(l, e->x), e->x->type->base, e->at)
                     : place_of(l, e->x);
  if (p.type->tag != CTYPE_STRUCT) lower_gap(l, e->at, "[c-punning] A member of a union.");
  const CRecord *r = p.type->record;
  for (int i = 0; i < r->fields.len && &r->fields.at[i] != e->field; i++)
    p.leaf += leaves_count(r->fields.at[i].type);
  p.type = e->field->type;
  return p;
}

Place place_of(Lower *l, const CExpr *e) {
  Ptr p;
  switch ((int)e->tag) {
    case CE_VAR: return (Place){object_of(l, e->var, e->at), 0, atom_i64(0), e->var->type};
    case CE_INDEX:
      p = pointer_of(l, e->x);
      p.at = build_op(&l->b, OP_ADD, p.at, index_value(l, e->y));
      return pointer_place(l, p, e->type, e->at);
    case CE_UNARY:
      if (e->op == COP_DEREF) return pointer_place(l, pointer_of(l, e->x), e->type, e->at);
      break;
    case CE_MEMBER: return member_place(l, e);
    default: break;
  }
  lower_gap(l, e->at, "[c-unsupported] This place of memory is not supported through core.");
}

// ---- pointers -----------------------------------------------------------------------------------
// Arrays of the same lengths here.
static bool same_rows(Lower *l, const CType *a, const CType *b) {
  for (; a->tag == CTYPE_ARRAY && b->tag == CTYPE_ARRAY; a = a->base, b = b->base)
    if (!atom_same(array_length(l, a), array_length(l, b))) return false;
  return ctype_same(a, b);
}

// (double (*)[m])p: the offset counts rows of m numbers, and must be a whole number of them.
static bool pointer_rows(Lower *l, Ptr *p, const CType *to, Span at) {
  if (to->tag != CTYPE_ARRAY || !ctype_same(p->unit, ctype_element(to))) return false;
  Atom many = atom_i64(1), zero = atom_i64(0);
  for (const CType *t = to; t->tag == CTYPE_ARRAY; t = t->base)
    many = build_op(&l->b, OP_MUL, many, array_length(l, t));
  p->unit = to;
  if (!p->at.is_var && p->at.value.i == 0) return true;
  Atom rest = build_op(&l->b, OP_REM, p->at, many);
  if (!l->u->options->unchecked)
    assertion(l, build_op(&l->b, OP_EQ, rest, zero), at, "a pointer into the middle of a row",
              (Atoms){0});
  p->at = build_op(&l->b, OP_QUOT, p->at, many);
  return true;
}

// Down to the first element of nested arrays, until the type is met.
static Ptr pointer_cast(Lower *l, Ptr p, const CType *to, Span at) {
  if (p.obj < 0 || to->tag == CTYPE_VOID) return p;
  lengths_keep(l, to);
  if (same_rows(l, p.unit, to)) return p;
  while (!ctype_same(p.unit, to) && p.unit->tag == CTYPE_ARRAY) {
    p.at = build_op(&l->b, OP_MUL, p.at, array_length(l, p.unit));
    p.unit = p.unit->base;
  }
  bool chars = ctype_size(to) == 1;
  if (!ctype_same(p.unit, to) && !pointer_rows(l, &p, to, at) && !chars)
    lower_gap(l, at, "[c-punning] A pointer to memory of another type.");
  return p;
}

static Ptr pointer_sum(Lower *l, const CExpr *e) {
  bool left = ctype_is_pointer(e->x->type);
  Ptr p = pointer_of(l, left ? e->x : e->y);
  Atom by = index_value(l, left ? e->y : e->x);
  if (p.obj >= 0 && !ctype_same(p.unit, e->type->base) && p.unit->tag != CTYPE_ARRAY)
    lower_gap(l, e->at, "[c-punning] Bytes of memory are counted.");
  if (p.obj == OPAQUE_OBJECT) return p;
  p.at = build_op(&l->b, e->op == COP_ADD ? OP_ADD : OP_SUB, p.at, by);
  return p;
}

static Ptr pointer_chosen(Lower *l, const CExpr *e);

static Ptr place_pointer(Place p) {
  return (Ptr){.obj = p.obj, .leaf = p.leaf, .at = p.at, .unit = p.type};
}

static Ptr array_pointer(Lower *l, const CExpr *e) {
  Place p = place_of(l, e);
  p.at = build_op(&l->b, OP_MUL, p.at, array_length(l, p.type));
  return (Ptr){.obj = p.obj, .leaf = p.leaf, .at = p.at, .unit = p.type->base};
}

Ptr pointer_of(Lower *l, const CExpr *e) {
  int64_t zero;
  switch ((int)e->tag) {
    case CE_CONVERT: case CE_CAST:
      if (cexpr_integer(e->x, &zero) && zero == 0) break;
      if (e->x->type->tag == CTYPE_ARRAY) return array_pointer(l, e->x);
      if (ctype_is_pointer(e->x->type))
        return pointer_cast(l, pointer_of(l, e->x), e->type->base, e->at);
      lower_gap(l, e->at, "[c-punning] A pointer made of a number.");
    case CE_INT: break;
    case CE_COND: return pointer_chosen(l, e);
    case CE_UNARY:
      if (e->op == COP_ADDRESS) return place_pointer(place_of(l, e->x));
      return load(l, place_of(l, e), e->at).ptr;
    case CE_BINARY: return pointer_sum(l, e);
    case CE_VAR: case CE_INDEX: case CE_MEMBER:
      if (e->type->tag == CTYPE_ARRAY) return array_pointer(l, e);
      return load(l, place_of(l, e), e->at).ptr;
    default: lower_gap(l, e->at, "[c-points-to] This pointer is not followed through core.");
  }
  return (Ptr){.obj = NO_OBJECT, .at = atom_i64(0), .unit = e->type->base};
}

static void arm_value(Lower *l, const void *what, Cell *value) { *value = cell_of(l, what); }

static Ptr pointer_chosen(Lower *l, const CExpr *e) {
  Atom c = truth_of(l, e->x);
  if (!c.is_var) return pointer_of(l, c.value.i ? e->y : e->z);
  Arm yes = arm_lower(l, arm_value, e->y), no = arm_lower(l, arm_value, e->z);
  return arms_join(l, c, &yes, &no).ptr;
}

// ---- loads and stores ---------------------------------------------------------------------------
Cell *cell_at(Lower *l, Place p) { return &l->cells[l->objects.at[p.obj].first + p.leaf]; }

static const Leaf *leaf_at(const Lower *l, Place p) {
  return &l->objects.at[p.obj].leaves.at[p.leaf];
}

Slice one_index(Lower *l, Atom at) {
  Slice slice = {0};
  list_push(l->arena, &slice, (SliceDim){.is_fix = true, .start = at});
  return slice;
}

static Exp unchecked_exp(Lower *l, Exp e) {
  l->b.attrs.unchecked = l->u->options->unchecked;
  return e;
}

// A leaf without an array is one element: another index fails when it runs.
static void one_assert(Lower *l, const Object *o, Place p, Span at) {
  bool first = !p.at.is_var && p.at.value.i == 0;
  if (first || l->u->options->unchecked) return;
  Atom is = build_op(&l->b, OP_EQ, p.at, atom_i64(0));
  assertion(l, is, at, arena_printf(l->arena, "index %%d of `%s`, which is one element", o->name),
            atoms_of(l->arena, 1, &p.at));
}

static const Cell *cell_read(Lower *l, Place p, Span at) {
  const Cell *cell = cell_at(l, p);
  const Object *o = &l->objects.at[p.obj];
  if (!cell->set && is_array(o, leaf_at(l, p)))
    lower_gap(l, at, "[c-escapes] `%s` is used where it no longer exists.", o->name);
  return cell;
}

Cell load(Lower *l, Place p, Span at) {
  const Leaf *leaf = leaf_at(l, p);
  const Object *o = &l->objects.at[p.obj];
  bool pointer = leaf->type->tag == CTYPE_POINTER;
  if (pointer != (p.type->tag == CTYPE_POINTER))
    lower_gap(l, at, "[c-punning] Memory is used as something else than it was made for.");
  Cell cell = *cell_read(l, p, at);
  if (!is_array(o, leaf)) one_assert(l, o, p, at);
  if (pointer && is_rows(&cell)) return rows_load(l, &cell, p.type->base, p.at);
  if (pointer) {
    Ptr none = {.obj = NO_OBJECT, .at = atom_i64(0), .unit = p.type->base};
    return cell.set ? cell : cell_ptr(none);
  }
  if (!is_array(o, leaf))
    return cell.set ? cell : cell_atom(atom_number(leaf_prim(l, leaf, false, at), 0));
  Exp exp = unchecked_exp(l, (Exp){.form = FORM_INDEX,
                                   .index = {.array = cell.atom, .slice = one_index(l, p.at)}});
  Atom x = build(&l->b, o->name, type_scalar(memory_prim(l, leaf->type, at)), exp);
  l->b.attrs.unchecked = false;
  return cell_atom(as_prim(l, x, register_prim(l, leaf->type, at)));
}

// The variable's name for a value that has none.
static void name_value(Lower *l, Atom a, const char *name) {
  if (!a.is_var) return;
  VarInfo *info = &l->prog->vars.at[a.var.id];
  if (name_is_default(info->base)) info->base = name;
}

void store(Lower *l, Place p, Cell value, Span at) {
  const Leaf *leaf = leaf_at(l, p);
  const Object *o = &l->objects.at[p.obj];
  if ((leaf->type->tag == CTYPE_POINTER) != value.pointer)
    lower_gap(l, at, "[c-punning] Memory is used as something else than it was made for.");
  if (!is_array(o, leaf)) one_assert(l, o, p, at);
  if (value.pointer && is_rows(cell_at(l, p))) {
    rows_store(l, p, value.ptr, at);
    return;
  }
  if (value.pointer) {
    *cell_at(l, p) = value;
    return;
  }
  bool array = is_array(o, leaf);
  Prim prim = leaf_prim(l, leaf, array, at);
  Atom x = value.atom;
  if (prim == PRIM_BOOL && atom_type(l->prog, x).prim != PRIM_BOOL)
    x = build_op(&l->b, OP_NE, x, atom_number(atom_type(l->prog, x).prim, 0));
  x = as_prim(l, x, prim);
  if (!array) {
    name_value(l, x, o->name);
    *cell_at(l, p) = cell_atom(x);
    return;
  }
  Atom whole = cell_read(l, p, at)->atom;
  Exp exp = unchecked_exp(l, (Exp){.form = FORM_UPDATE, .update = {.array = whole, .value = x}});
  exp.update.slice = one_index(l, p.at);
  Atom to = build(&l->b, o->name, atom_type(l->prog, whole), exp);
  l->b.attrs.unchecked = false;
  *cell_at(l, p) = cell_atom(to);
}

// ---- structs ------------------------------------------------------------------------------------
static Place leaf_place(Place of, int i, const Leaf *leaf, Atom at) {
  return (Place){of.obj, of.leaf + i, at, leaf->type};
}

static Slice block_slice(Lower *l, Place p, Atom many) {
  Slice slice = {0};
  Atom start = build_op(&l->b, OP_MUL, p.at, many);
  list_push(l->arena, &slice, (SliceDim){.start = start, .count = many, .stride = atom_i64(1)});
  return slice;
}

static void block_copy(Lower *l, Place to, Place from, Atom many) {
  Type t = type_array(l->arena, type_scalar(atom_type(l->prog, cell_at(l, from)->atom).prim), many);
  Exp get = {.form = FORM_INDEX, .index = {.array = cell_at(l, from)->atom}};
  get.index.slice = block_slice(l, from, many);
  Atom part = build_copy(&l->b, build(&l->b, "part", t, get));
  Atom whole = cell_at(l, to)->atom;
  Exp put = {.form = FORM_UPDATE, .update = {.array = whole, .value = part}};
  put.update.slice = block_slice(l, to, many);
  *cell_at(l, to) = cell_atom(build(&l->b, NULL, atom_type(l->prog, whole), put));
}

void struct_copy(Lower *l, Place to, Place from, Span at) {
  Leaves leaves = leaves_of(l, to.type, at);
  for (int i = 0; i < leaves.len; i++) {
    const Leaf *leaf = &leaves.at[i];
    Place a = leaf_place(to, i, leaf, to.at), b = leaf_place(from, i, leaf, from.at);
    if (leaf->array && leaf->type->tag == CTYPE_POINTER)
      lower_gap(l, at, "[c-rows] A struct with an array of pointers is copied: copy the pointers.");
    if (leaf->array) block_copy(l, a, b, leaf->many);
    else store(l, a, load(l, b, at), at);
  }
}
