// Arrays of pointers.  All of one array lead to one object, so that each is an offset:
//   rows[i] = malloc (n)    the object has the blocks of all of them, one after the other; it grows
//   rows[i] = &a[i*n]       the object is a, where nothing was allocated for the array
// A block that is freed stays.  Null is an offset from which no index is in range.
#include "local.h"

static const int64_t null_at = -((int64_t)1 << 60);

bool is_rows(const Cell *c) { return c->set && c->pointer && c->atom.is_var; }

bool rows_unused(const Lower *l, const Cell *c) {
  if (c->ptr.obj < 0) return false;
  const Object *o = &l->objects.at[c->ptr.obj];
  return o->blocks && !o->used;
}

Cell rows_new(Lower *l, const Object *o, const Leaf *leaf, Atom n) {
  const CType *base = leaf->type->base;
  Span at = l->b.loc ? l->b.loc->span : (Span){0};
  bool known = base->tag != CTYPE_VOID && base->tag != CTYPE_FUNCTION && ctype_size(base) > 0;
  if (!known) lower_gap(l, at, "[c-rows] `%s` has pointers to memory of no known type.", o->name);
  Leaves leaves = leaves_of(l, base, at);
  if (leaves_have_pointers(&leaves))
    lower_gap(l, at, "[c-rows] `%s` has pointers to memory with pointers: use one array, and "
              "indices.", o->name);
  int obj = object_new(l, arena_printf(l->arena, "%s_blocks", o->name), base, false);
  l->objects.at[obj].blocks = true;
  object_zero(l, obj, atom_i64(0));
  Cell c = cell_ptr((Ptr){.obj = obj, .at = atom_i64(0), .unit = base});
  c.atom = build_replicate(&l->b, atoms_of(l->arena, 1, &n), atom_i64(null_at));
  l->prog->vars.at[c.atom.var.id].base = o->name;
  return c;
}

Cell rows_load(Lower *l, const Cell *rows, const CType *unit, Atom at) {
  Exp exp = {.form = FORM_INDEX, .index = {.array = rows->atom, .slice = one_index(l, at)}};
  Ptr p = rows->ptr;
  l->b.attrs.unchecked = l->u->options->unchecked;
  p.at = build(&l->b, "row", type_scalar(PRIM_I64), exp);
  l->b.attrs.unchecked = false;
  p.null = build_op(&l->b, OP_EQ, p.at, atom_i64(null_at));
  p.nullable = p.far = true;
  p.unit = unit;
  return cell_ptr(p);
}

// ---- blocks -------------------------------------------------------------------------------------
static Atom length_of(const Lower *l, const Object *o) {
  return atom_type(l->prog, l->cells[o->first].atom).dims[0];
}

// The object's arrays with these after them; where they begin.
static Atom append(Lower *l, int obj, const Atom *more, Span at) {
  Object *o = &l->objects.at[obj];
  Atom from = length_of(l, o), n = atom_type(l->prog, more[0]).dims[0];
  Atom to = build_op(&l->b, OP_ADD, from, n);
  for (int i = 0; i < o->leaves.len; i++) {
    Cell *c = &l->cells[o->first + i];
    if (o->leaves.at[i].array)
      lower_gap(l, at, "[c-rows] Blocks of structs with arrays: use one array, and indices.");
    Exp exp = {.form = FORM_CONCAT};
    list_push(l->arena, &exp.concat.arrays, c->atom);
    list_push(l->arena, &exp.concat.arrays, more[i]);
    Type t = type_array(l->arena, type_scalar(atom_type(l->prog, c->atom).prim), to);
    c->atom = build(&l->b, o->name, t, exp);
  }
  o->used = true;
  return from;
}

static void end_test(Lower *l, Place p, Span at) {
  if (cell_at(l, p)->ptr.obj < 0)
    lower_gap(l, at, "[c-rows] `%s` has pointers to different memory in two branches: allocate it "
              "before them.", l->objects.at[p.obj].name);
}

static bool is_growing(const Object *o) { return o->blocks || (o->heap && !o->one); }

Ptr rows_allocate(Lower *l, Place p, Atom n, Span at) {
  end_test(l, p, at);
  const Cell rows = *cell_at(l, p);
  const Object *o = &l->objects.at[rows.ptr.obj];
  if (!is_growing(o))
    lower_gap(l, at, "[c-rows] `%s` has pointers into `%s`: blocks that are allocated need another "
              "array of pointers.", l->objects.at[p.obj].name, o->name);
  Atom *zeros = NEW_ARRAY(l->arena, Atom, o->leaves.len);
  for (int i = 0; i < o->leaves.len; i++) {
    Prim prim = atom_type(l->prog, l->cells[o->first + i].atom).prim;
    zeros[i] = build_replicate(&l->b, atoms_of(l->arena, 1, &n), atom_number(prim, 0));
  }
  Ptr made = rows.ptr;
  made.at = append(l, rows.ptr.obj, zeros, at);
  return made;
}

// Whether only pointers that are variables or members lead to it, to its beginning as one array.
static bool is_absorbed(const Lower *l, int obj) {
  const Object *o = &l->objects.at[obj];
  if (!o->heap || o->one) return false;
  for (int i = 0; i < l->len; i++) {
    const Cell *c = &l->cells[i];
    bool shared = is_rows(c) || c->ptr.several;
    if (c->set && c->pointer && shared && ptr_leads_to(&c->ptr, obj)) return false;
  }
  return true;
}

// Memory that was allocated becomes a block: all that lead to it lead there.
static void absorb(Lower *l, int obj, int blocks, Ptr *value, Span at) {
  const Object *o = &l->objects.at[obj];
  Atom *more = NEW_ARRAY(l->arena, Atom, o->leaves.len);
  for (int i = 0; i < o->leaves.len; i++) more[i] = l->cells[o->first + i].atom;
  Atom from = append(l, blocks, more, at);
  value->obj = blocks;
  value->at = build_op(&l->b, OP_ADD, value->at, from);
  for (int i = 0; i < l->len; i++) {
    Cell *c = &l->cells[i];
    if (!c->set || !c->pointer || c->ptr.obj != obj) continue;
    c->ptr.obj = blocks;
    c->ptr.at = build_op(&l->b, OP_ADD, c->ptr.at, from);
  }
}

// ---- stores -------------------------------------------------------------------------------------
// The object that the array's pointers and this one lead to.
static void meet(Lower *l, Place p, Ptr *value, Span at) {
  end_test(l, p, at);
  Cell *rows = cell_at(l, p);
  const char *name = l->objects.at[p.obj].name;
  if (value->obj < 0)
    lower_gap(l, at, "[c-rows] `%s` gets a pointer to memory that is not known here.", name);
  if (!ctype_same(value->unit, rows->ptr.unit))
    lower_gap(l, at, "[c-punning] A pointer to memory of another type.");
  if (value->obj == rows->ptr.obj && value->leaf == rows->ptr.leaf) return;
  bool before = value->obj < l->loop_objects || l->loop_objects == 0;
  if (rows_unused(l, rows) && before) {
    rows->ptr.obj = value->obj;
    rows->ptr.leaf = value->leaf;
    return;
  }
  bool blocks = is_growing(&l->objects.at[rows->ptr.obj]) && value->leaf == 0;
  if (!blocks || !is_absorbed(l, value->obj))
    lower_gap(l, at, "[c-rows] The pointers of `%s` lead to several objects: allocate one array, "
              "and let them point into it.", name);
  absorb(l, value->obj, rows->ptr.obj, value, at);
}

void rows_store(Lower *l, Place p, Ptr value, Span at) {
  Atom to = atom_i64(null_at);
  if (ptr_is_null(&value)) value = ptr_tested(l, value, at);
  else {
    meet(l, p, &value, at);
    to = value.at;
    if (value.nullable && !value.far) to = build_select(&l->b, value.null, atom_i64(null_at), to);
  }
  Cell *rows = cell_at(l, p);
  Exp exp = {.form = FORM_UPDATE, .update = {.array = rows->atom, .value = to}};
  exp.update.slice = one_index(l, p.at);
  l->b.attrs.unchecked = l->u->options->unchecked;
  Atom a = build(&l->b, l->objects.at[p.obj].name, atom_type(l->prog, rows->atom), exp);
  l->b.attrs.unchecked = false;
  cell_at(l, p)->atom = a;
}
