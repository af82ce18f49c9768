// Calls.  Functions of the program become core functions, one for each way that pointer arguments
// meet objects: these are handed over by value, and handed back where the callee writes.  Effects
// of the C library are stores.
#include "variant.h"

// ---- the library --------------------------------------------------------------------------------
// A factor of the number of bytes, which are integers, is a multiple of the size.
static bool has_factor(const CExpr *bytes, int64_t size) {
  int64_t v;
  if (ctype_is_float(bytes->type)) return false;
  if (cexpr_integer(bytes, &v)) return v % size == 0;
  if (bytes->tag == CE_CONVERT || bytes->tag == CE_CAST) return has_factor(bytes->x, size);
  bool product = bytes->tag == CE_BINARY && bytes->op == COP_MUL;
  return product && (has_factor(bytes->x, size) || has_factor(bytes->y, size));
}

// Elements of the given size in a number of bytes: one factor of a product is divided.
static Atom elements(Lower *l, const CExpr *bytes, int64_t size) {
  int64_t v;
  if (!has_factor(bytes, size))
    return build_op(&l->b, OP_QUOT, index_value(l, bytes), atom_i64(size));
  if (cexpr_integer(bytes, &v)) return atom_i64(v / size);
  if (bytes->tag != CE_BINARY) return elements(l, bytes->x, size);
  bool left = has_factor(bytes->x, size);
  const CExpr *other = left ? bytes->y : bytes->x;
  return build_op(&l->b, OP_MUL, elements(l, left ? bytes->x : bytes->y, size),
                  index_value(l, other));
}

// One struct with pointers is an object like a local variable: each member has its own cell.
static bool is_one_struct(Lower *l, const CType *t, Atom n, Span at) {
  if (t->tag != CTYPE_STRUCT || n.is_var || n.value.i != 1) return false;
  Leaves leaves = leaves_of(l, t, at);
  return leaves_have_pointers(&leaves);
}

// The object that the pointer has led to, where no other pointer does: it ends here, and the new
// memory may take its number, so that branches and loops see an array that changes.
static int object_again(Lower *l, Place p, const CType *t, bool one) {
  int cell = l->objects.at[p.obj].first + p.leaf, obj = l->cells[cell].ptr.obj;
  if (!l->cells[cell].set || !l->cells[cell].pointer || obj < 0 || obj >= l->objects.len) return -1;
  const Object *o = &l->objects.at[obj];
  if (!o->heap || o->one != one || !ctype_same(o->type, t)) return -1;
  for (int i = 0; i < l->len; i++) {
    const Cell *c = &l->cells[i];
    if (i != cell && c->set && c->pointer && ptr_leads_to(&c->ptr, obj)) return -1;
  }
  return obj;
}

// double (*p)[m] leads to numbers, which are counted in rows.
void allocate(Lower *l, const CExpr *call, const CExpr *pointer) {
  const CType *unit = pointer->type->base;
  const CType *t = ctype_is_variable(unit) ? ctype_element(unit) : unit;
  int64_t size = ctype_size(t);
  const char *name = call->x->function->name;
  if (call->x->function->libc->kind == LIBC_REALLOC)
    lower_gap(l, call->at, "[c-unsupported] `realloc` is not supported through core.");
  if (t->tag == CTYPE_VOID || size <= 0)
    lower_gap(l, call->at, "[c-punning] Memory of a type that is not known here.");
  const CExpr *last = call->args[call->nargs - 1], *first = call->args[0];
  int64_t each;
  Atom n;
  bool two = strcmp(name, "calloc") == 0;
  if (two && cexpr_integer(last, &each) && each % size == 0)
    n = build_op(&l->b, OP_MUL, index_value(l, first), atom_i64(each / size));
  else if (two) n = build_op(&l->b, OP_MUL, elements(l, last, size), index_value(l, first));
  else n = elements(l, last, size);
  const CExpr *v = cexpr_bare(pointer);
  Place place = place_of(l, pointer);
  bool one = is_one_struct(l, t, n, call->at);
  if (is_rows(cell_at(l, place))) {
    rows_store(l, place, rows_allocate(l, place, n, call->at), call->at);
    return;
  }
  int obj = object_again(l, place, t, one);
  if (obj < 0) obj = object_new(l, v->tag == CE_VAR ? v->var->name : "memory", t, one);
  l->objects.at[obj].heap = true;
  object_zero(l, obj, n);
  Ptr made = {.obj = obj, .at = atom_i64(0), .unit = unit};
  store(l, place, cell_ptr(made), call->at);
}

static Ptr stripped_pointer(Lower *l, const CExpr *e) {
  while ((e->tag == CE_CONVERT || e->tag == CE_CAST) && ctype_is_pointer(e->x->type) &&
         e->x->type->tag == CTYPE_POINTER)
    e = e->x;
  return pointer_of(l, e);
}

static int64_t unit_size(Lower *l, Ptr p, Span at) {
  const CType *t = p.unit;
  t = ctype_element(t);
  if (p.obj == OPAQUE_OBJECT) opaque_refuse(l, t, at);
  bool record = p.obj >= 0 && t->tag == CTYPE_STRUCT;
  Leaves leaves = record ? leaves_of(l, t, at) : (Leaves){0};
  if (p.obj < 0 || (record ? leaves_have_pointers(&leaves) : !ctype_is_arithmetic(t)))
    lower_gap(l, at, "[c-punning] Memory that is not an array of numbers.");
  return ctype_size(t);
}

static Ptr flat_pointer(Lower *l, const CExpr *e) {
  Ptr p = stripped_pointer(l, e);
  while (p.obj >= 0 && p.unit->tag == CTYPE_ARRAY) {
    p.at = build_op(&l->b, OP_MUL, p.at, array_length(l, p.unit));
    p.unit = p.unit->base;
  }
  return p;
}

static Slice block(Lower *l, Atom start, Atom n) {
  Slice slice = {0};
  list_push(l->arena, &slice, (SliceDim){.start = start, .count = n, .stride = atom_i64(1)});
  return slice;
}

static void block_store(Lower *l, Ptr p, Atom n, Atom part) {
  Cell *cell = &l->cells[l->objects.at[p.obj].first + p.leaf];
  Exp put = {.form = FORM_UPDATE,
             .update = {.array = cell->atom, .slice = block(l, p.at, n), .value = part}};
  cell->atom = build(&l->b, l->objects.at[p.obj].name, atom_type(l->prog, cell->atom), put);
}

static bool is_scalar_cell(const Lower *l, Ptr p) {
  return l->objects.at[p.obj].one && !l->objects.at[p.obj].leaves.at[p.leaf].array;
}

// The pointer to one leaf of structs, whose elements are `many` in each.
static Ptr leaf_pointer(Lower *l, Ptr p, int i, const Leaf *leaf) {
  p.at = build_op(&l->b, OP_MUL, p.at, leaf->many);
  p.leaf += i;
  p.unit = leaf->type;
  return p;
}

static void leaf_fill(Lower *l, Ptr p, Atom n, Span at) {
  Prim prim = atom_type(l->prog, l->cells[l->objects.at[p.obj].first + p.leaf].atom).prim;
  if (is_scalar_cell(l, p)) {
    store(l, (Place){p.obj, p.leaf, p.at, p.unit}, cell_atom(atom_number(prim, 0)), at);
    return;
  }
  block_store(l, p, n, build_replicate(&l->b, atoms_of(l->arena, 1, &n), atom_number(prim, 0)));
}

static void leaf_move(Lower *l, Ptr to, Ptr from, Atom n, Span at) {
  bool one = is_scalar_cell(l, to) || is_scalar_cell(l, from);
  if (one && (n.is_var || n.value.i != 1))
    lower_gap(l, at, "[c-punning] Memory is copied to memory of another type.");
  if (one) {
    Cell value = load(l, (Place){from.obj, from.leaf, from.at, from.unit}, at);
    store(l, (Place){to.obj, to.leaf, to.at, to.unit}, value, at);
    return;
  }
  Cell *cell = &l->cells[l->objects.at[from.obj].first + from.leaf];
  Exp get = {.form = FORM_INDEX, .index = {.array = cell->atom, .slice = block(l, from.at, n)}};
  Type t = type_array(l->arena, type_scalar(atom_type(l->prog, cell->atom).prim), n);
  Atom part = build(&l->b, "part", t, get);
  block_store(l, to, n, build_copy(&l->b, part));
}

static void fill(Lower *l, const CExpr *call) {
  int64_t value;
  Ptr p = flat_pointer(l, call->args[0]);
  if (!cexpr_integer(call->args[1], &value) || value != 0)
    lower_gap(l, call->at, "[c-punning] Memory is filled with bytes other than zero.");
  Atom n = elements(l, call->args[2], unit_size(l, p, call->at));
  Leaves leaves = leaves_of(l, p.unit, call->at);
  for (int i = 0; i < leaves.len; i++)
    leaf_fill(l, leaf_pointer(l, p, i, &leaves.at[i]),
              build_op(&l->b, OP_MUL, n, leaves.at[i].many), call->at);
}

static void block_move(Lower *l, const CExpr *call) {
  Ptr to = flat_pointer(l, call->args[0]), from = flat_pointer(l, call->args[1]);
  int64_t size = unit_size(l, to, call->at);
  if (unit_size(l, from, call->at) != size || from.unit->tag != to.unit->tag)
    lower_gap(l, call->at, "[c-punning] Memory is copied to memory of another type.");
  Atom n = elements(l, call->args[2], size);
  Leaves leaves = leaves_of(l, to.unit, call->at);
  for (int i = 0; i < leaves.len; i++)
    leaf_move(l, leaf_pointer(l, to, i, &leaves.at[i]), leaf_pointer(l, from, i, &leaves.at[i]),
              build_op(&l->b, OP_MUL, n, leaves.at[i].many), call->at);
}

static void library_effect(Lower *l, const CExpr *call, const CLibc *row) {
  switch (row->kind) {
    case LIBC_MATH: case LIBC_PURE: case LIBC_FREE: case LIBC_PRINT: return;
    case LIBC_FILL: fill(l, call); return;
    case LIBC_COPY: block_move(l, call); return;
    case LIBC_ASSERT:
      assertion(l, truth_of(l, call->args[0]), call->at, "an assertion failed", (Atoms){0});
      return;
    case LIBC_STOP:
      assertion(l, atom_bool(false), call->at, "the program stops", (Atoms){0});
      return;
    case LIBC_SPECIAL: case LIBC_ALLOCATE: case LIBC_REALLOC: case LIBC_COMPARE: case LIBC_INPUT:
    case LIBC_OPAQUE_STATE: case LIBC_REFUSED:
      break;
  }
  lower_gap(l, call->at, "[c-unsupported] `%s` is not supported through core.", row->name);
}

// ---- functions of the program -------------------------------------------------------------------
typedef struct {
  Lower *l;
  const CExpr *call;
  const CFunction *f;
  Slots slots;
  LIST(int) objects;       // of the slots
  LIST(Arg) args;
  bool in_place;           // a pointer may be null, or stands in an array: core functions have none
} Call;

// The number of the slot of an object; those that its pointers lead to are slots, too.
static int slot_of(Call *c, int obj) {
  Lower *l = c->l;
  for (int i = 0; i < c->objects.len; i++)
    if (c->objects.at[i] == obj) return i;
  Object o = l->objects.at[obj];
  list_push(l->arena, &c->objects, obj);
  list_push(l->arena, &c->slots, (Slot){.name = o.name, .type = o.type, .one = o.one,
                                        .leaves = o.leaves});
  int at = c->slots.len - 1;
  LeafCells cells = {0};
  for (int i = 0; i < o.leaves.len; i++) {
    Cell cell = l->cells[o.first + i];
    LeafCell lc = {.pointer = o.leaves.at[i].type->tag == CTYPE_POINTER, .ptr = cell.ptr};
    if (lc.pointer && !cell.set) lc.ptr = (Ptr){.obj = NO_OBJECT, .at = atom_i64(0)};
    c->in_place |= lc.pointer && (lc.ptr.nullable || is_rows(&cell));
    if (lc.pointer && lc.ptr.obj == LOOP_NULL) lc.ptr = ptr_tested(l, lc.ptr, c->call->at);
    if (lc.pointer) lc.slot = lc.ptr.obj >= 0 ? slot_of(c, lc.ptr.obj) : lc.ptr.obj;
    else if (!cell.set) {
      Leaf *leaf = &o.leaves.at[i];
      if (!o.one || leaf->array)
        lower_gap(l, c->call->at, "[c-escapes] `%s` is used where it no longer exists.", o.name);
      l->cells[o.first + i] = cell_atom(atom_number(leaf_prim(l, leaf, false, (Span){0}), 0));
    }
    list_push(l->arena, &cells, lc);
  }
  c->slots.at[at].cells = cells;
  return at;
}

static void argument(Call *c, const CVar *param, const CExpr *e) {
  Lower *l = c->l;
  Arg arg = {.var = param};
  if (ctype_is_pointer(param->type)) {
    arg.ptr = pointer_of(l, e);
    c->in_place |= arg.ptr.nullable;
    if (arg.ptr.obj == LOOP_NULL) arg.ptr = ptr_tested(l, arg.ptr, e->at);
    arg.slot = arg.ptr.obj >= 0 ? slot_of(c, arg.ptr.obj) : arg.ptr.obj;
  } else if (param->type->tag == CTYPE_STRUCT) {
    arg.place = place_of(l, cexpr_bare(e));
    Leaves leaves = leaves_of(l, param->type, e->at);
    for (int i = 0; i < leaves.len; i++)
      if (leaves.at[i].array || leaves.at[i].type->tag == CTYPE_POINTER)
        lower_gap(l, e->at, "[c-unsupported] A struct with arrays or pointers, passed by value.");
  } else {
    Prim p = register_prim(l, param->type, e->at);
    arg.value = as_prim(l, scalar(l, e), p);
  }
  list_push(l->arena, &c->args, arg);
}

static Atom source_atom(Call *c, const CoreParam *s) {
  Lower *l = c->l;
  const Arg *arg = s->slot < 0 ? &c->args.at[s->arg] : NULL;
  if (s->slot >= 0) {
    const Object *o = &l->objects.at[c->objects.at[s->slot]];
    const Cell *cell = &l->cells[o->first + s->leaf];
    if (cell->pointer) return cell->ptr.at;
    return s->size ? atom_type(l->prog, cell->atom).dims[0] : cell->atom;
  }
  if (ctype_is_pointer(arg->var->type)) return arg->ptr.at;
  if (arg->var->type->tag != CTYPE_STRUCT) return arg->value;
  Place p = arg->place;
  Leaves leaves = leaves_of(l, p.type, c->call->at);
  return load(l, (Place){p.obj, p.leaf + s->leaf, p.at, leaves.at[s->leaf].type}, c->call->at).atom;
}

static Type result_type(Call *c, const Variant *v, const CoreResult *r) {
  if (r->slot < 0) return type_scalar(r->prim);
  const Object *o = &c->l->objects.at[c->objects.at[r->slot]];
  (void)v;
  return atom_type(c->l->prog, c->l->cells[o->first + r->leaf].atom);
}

static void slot_store(Call *c, const CoreResult *r, Var v) {
  Lower *l = c->l;
  const Object *o = &l->objects.at[c->objects.at[r->slot]];
  l->prog->vars.at[v.id].base = o->name;
  l->cells[o->first + r->leaf] = cell_atom(atom_var(v));
}

static void returned_store(Call *c, const Variant *v, int i, Atom a, const Place *to) {
  Lower *l = c->l;
  Span at = c->call->at;
  if (v->returns_pointer) {
    if (v->running)
      lower_gap(l, at, "[c-escapes] `%s` calls itself and uses the pointer that it gets.",
                v->f->name);
    Ptr p = {.obj = c->objects.at[v->returned.obj], .leaf = v->returned.leaf, .at = a,
             .unit = v->returned.unit};
    store(l, *to, cell_ptr(p), at);
    return;
  }
  Leaves leaves = leaves_of(l, to->type, at);
  Atom x = leaves.len == 1 ? convert(l, a, leaves.at[0].type, at) : a;
  int leaf = v->results.at[i].leaf;
  store(l, (Place){to->obj, to->leaf + leaf, to->at, leaves.at[leaf].type}, cell_atom(x), at);
}

// Objects that the callee wrote, then the place of the returned value, which may lie in one.
static void results_store(Call *c, const Variant *v, Vars vars, const Place *to) {
  for (int i = 0; i < vars.len; i++)
    if (v->results.at[i].slot >= 0) slot_store(c, &v->results.at[i], vars.at[i]);
  for (int i = 0; i < vars.len && to; i++)
    if (v->results.at[i].slot < 0) returned_store(c, v, i, atom_var(vars.at[i]), to);
}

static void function_call(Lower *l, const CExpr *call, const CFunction *f, const Place *to) {
  Call c = {.l = l, .call = call, .f = f};
  for (int i = 0; i < call->nargs; i++) argument(&c, f->params.at[i], call->args[i]);
  if (c.in_place && !may_splice(l->u, f))
    lower_gap(l, call->at, "[c-points-to] `%s` calls itself and gets a pointer that may be null, "
              "or an array of pointers.", f->name);
  if (c.in_place) {
    splice(l, call, f, to);
    return;
  }
  Args args = {0};
  for (int i = 0; i < c.args.len; i++) list_push(l->arena, &args, c.args.at[i]);
  Variant *v = variant_of(l->u, f, &args, &c.slots);
  Exp exp = {.form = FORM_APPLY, .apply = {.fn = v->fn->name}};
  for (int i = 0; i < v->sources.len; i++)
    list_push(l->arena, &exp.apply.args, source_atom(&c, &v->sources.at[i]));
  Types types = {0};
  for (int i = 0; i < v->results.len; i++)
    list_push(l->arena, &types, result_type(&c, v, &v->results.at[i]));
  Vars vars = build_many(&l->b, f->name, types, exp);
  results_store(&c, v, vars, to);
}

void call_statement(Lower *l, const CExpr *call, const Place *to) {
  if (call->x->tag != CE_FUNCTION)
    lower_gap(l, call->at, "[c-function-pointer] A call through a pointer to a function.");
  const CFunction *f = call->x->function, *body = cprogram_body(l->u->p, f);
  if (!body && f->libc) {
    library_effect(l, call, f->libc);
    return;
  }
  if (!body) lower_gap(l, call->at, "[c-no-rule] `%s` has no body here.", f->name);
  if (call->nargs != f->params.len)
    lower_gap(l, call->at, "[c-variadic] A call with more or fewer arguments than parameters.");
  if (is_spliced(l->u, body)) splice(l, call, body, to);
  else function_call(l, call, body, to);
}
