// Initialised variables: tables of numbers, also in structs, become constants.  An element that is
// a constant expression is folded; any other element, `sqrt (2.0)`, is computed and then stored
// into a copy of the constant.
#include "local.h"

typedef struct {
  int leaf;
  int64_t at;
  Atom value;
} TableStore;

typedef struct {
  Lower *l;
  const Object *object;
  Scalar **numbers;          // by leaf
  LIST(TableStore) stores;
} Table;

static void number_fill(Table *t, const CExpr *e, int leaf, int64_t at) {
  double number;
  int64_t v;
  Lower *l = t->l;
  const Leaf *of = &t->object->leaves.at[leaf];
  Prim prim = leaf_prim(l, of, is_array(t->object, of), e->at);
  Scalar *to = &t->numbers[leaf][at];
  if (ctype_is_integer(e->type) && cexpr_integer(e, &v)) *to = scalar_int(prim, v);
  else if (cexpr_number(e, &number)) *to = scalar_number(prim, number);
  else {
    Atom value = convert(l, scalar(l, e), of->type, e->at);
    list_push(l->arena, &t->stores, (TableStore){leaf, at, as_prim(l, value, prim)});
  }
}

// The value of type `type` whose first leaf is `leaf`, element `at` of it.
static void value_fill(Table *t, const CExpr *e, const CType *type, int leaf, int64_t at) {
  if (e->tag == CE_COMPOUND) e = e->x;
  if (e->tag != CE_LIST) {
    if (!ctype_is_arithmetic(type))
      lower_gap(t->l, e->at, "[c-unsupported] This initialiser is not supported through core.");
    number_fill(t, e, leaf, at);
    return;
  }
  for (int k = 0; k < e->nelems; k++) {
    const CInit *init = &e->elems[k];
    if (type->tag == CTYPE_STRUCT) {
      int field = leaf;
      for (int i = 0; i < init->at; i++) field += leaves_count(type->record->fields.at[i].type);
      value_fill(t, init->value, type->record->fields.at[init->at].type, field, at);
    } else
      for (int64_t i = init->at; i <= init->to; i++)
        value_fill(t, init->value, type->base, leaf, at * type->count + i);
  }
}

static int64_t leaf_length(const Leaf *leaf) { return leaf->many.value.i; }

static Atom leaf_stored(Table *t, int leaf, Atom whole) {
  Lower *l = t->l;
  for (int i = 0; i < t->stores.len; i++) {
    const TableStore *s = &t->stores.at[i];
    if (s->leaf != leaf) continue;
    Exp put = {.form = FORM_UPDATE, .update = {.array = whole, .value = s->value}};
    put.update.slice = one_index(l, atom_i64(s->at));
    whole = build(&l->b, t->object->name, atom_type(l->prog, whole), put);
  }
  return whole;
}

static Cell leaf_cell(Table *t, int leaf) {
  Lower *l = t->l;
  const Leaf *of = &t->object->leaves.at[leaf];
  const Scalar *numbers = t->numbers[leaf];
  if (!is_array(t->object, of)) {
    Atom one = atom_scalar(numbers[0]);
    for (int i = 0; i < t->stores.len; i++)
      if (t->stores.at[i].leaf == leaf) one = t->stores.at[i].value;
    return cell_atom(one);
  }
  int64_t n = leaf_length(of);
  Prim prim = leaf_prim(l, of, true, (Span){0});
  Exp exp = {.form = FORM_CONSTANT, .constant = {{prim, n, numbers}}};
  Type type = type_array(l->arena, type_scalar(prim), atom_i64(n));
  Atom whole = build(&l->b, t->object->name, type, exp);
  bool fixed = (ctype_element(t->object->type)->quals & CQ_CONST) && t->stores.len == 0;
  return cell_atom(fixed ? whole : leaf_stored(t, leaf, build_copy(&l->b, whole)));
}

static bool has_table(const Object *o) {
  if (ctype_size(o->type) <= 0) return false;
  for (int i = 0; i < o->leaves.len; i++)
    if (!ctype_is_arithmetic(o->leaves.at[i].type) || o->leaves.at[i].many.is_var) return false;
  return true;
}

bool table_cells(Lower *l, const CVar *v, int obj) {
  Table t = {.l = l, .object = &l->objects.at[obj]};
  const CExpr *init = v->init;
  if (init->tag == CE_COMPOUND) init = init->x;
  bool list = init->tag == CE_LIST || ctype_is_arithmetic(v->type);
  if (!list || !has_table(t.object)) return false;
  int leaves = t.object->leaves.len, first = t.object->first;
  t.numbers = NEW_ARRAY(l->arena, Scalar *, leaves + 1);
  for (int i = 0; i < leaves; i++) {
    const Leaf *of = &t.object->leaves.at[i];
    Prim prim = leaf_prim(l, of, is_array(t.object, of), v->at);
    t.numbers[i] = NEW_ARRAY(l->arena, Scalar, leaf_length(of) + 1);
    for (int64_t k = 0; k < leaf_length(of); k++) t.numbers[i][k] = scalar_number(prim, 0);
  }
  value_fill(&t, init, v->type, 0, 0);
  for (int i = 0; i < leaves; i++) l->cells[first + i] = leaf_cell(&t, i);
  return true;
}
