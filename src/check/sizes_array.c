// Indices, slices, updates, ranges, coercions.
#include "sizes.h"

void index_parts_size(Sizing *z, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    if (index->at[i].i) exp_size(z, index->at[i].i);
    if (index->at[i].j) exp_size(z, index->at[i].j);
    if (index->at[i].s) exp_size(z, index->at[i].s);
  }
}

static bool is_literal(const Expr *exp, uint64_t value) {
  return exp && exp->tag == EXP_INT && exp->int_.value == value;
}

static bool is_minus_one(const Expr *exp) {
  return exp && exp->tag == EXP_NEG && is_literal(exp->neg.arg, 1);
}

static Dim *dim_difference(Sizing *z, const Expr *from, Dim *to) {
  return to ? dim_binop(z, "-", to, dim_of_part(z, from)) : NULL;
}

// The size of a slice of a dimension, or NULL.
static Dim *slice_dim(Sizing *z, const Index *ix, Dim *old) {
  bool all = !ix->i || is_literal(ix->i, 0);
  if (!ix->s || is_literal(ix->s, 1)) {
    Dim *to = ix->j ? dim_of_part(z, ix->j) : old;
    return all ? to : dim_difference(z, ix->i, to);
  }
  if (!is_minus_one(ix->s)) return NULL;
  if (!ix->i && !ix->j) return old;
  if (ix->i && ix->j) return dim_difference(z, ix->j, dim_of_part(z, ix->i));
  return NULL;
}

// a : [d]t    a[i] : t    a[i:j] : [j - i]t    (node NULL: sliced dimensions are flexible;
// a section: unknown)
Sized *index_size(Sizing *z, const Expr *node, Sized *array, const IndexList *index) {
  DimList dims = {0};
  for (int i = 0; i < index->len; i++) {
    const Index *ix = &index->at[i];
    if (array->tag != TYPE_ARRAY) return sized_new(z, TYPE_ERROR);
    if (ix->tag == INDEX_SLICE) {
      Dim *d = node && node->tag != EXP_SECTION_PATH ? slice_dim(z, ix, array->array.dim) : NULL;
      if (!d && node) d = unknown_make(z, node, NULL, ix->span, "unknown length of slice");
      if (!d) d = z->any;
      list_push(z->c->arena, &dims, d);
    }
    array = array->array.elem;
  }
  for (int i = dims.len; i-- > 0;) array = sized_array(z, dims.at[i], array);
  return array;
}

// ---- updates ---------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  const Expr *exp;
  const StepList *path;
  Sized *value;
} PathUpdate;

static Sized *path_part(Sizing *z, const StepList *path, int i, Sized *type) {
  for (; i < path->len; i++) {
    const Step *step = &path->at[i];
    if (step->tag == STEP_INDEX) type = index_size(z, NULL, type, &step->index);
    else type = sized_field(type, step->field);
    if (!type) return sized_new(z, TYPE_ERROR);
  }
  return type;
}

static Sized *field_replace(Sizing *z, Sized *record, Name field, Sized *type) {
  SizedFieldList fields = {0};
  for (int i = 0; i < record->fields.len; i++) {
    SizedField f = record->fields.at[i];
    if (f.name == field) f.type = type;
    list_push(z->c->arena, &fields, f);
  }
  return sized_record(z, fields);
}

// Fields take the new value's sizes; elements of arrays keep theirs.
static Sized *path_update(const PathUpdate *u, int i, Sized *type) {
  if (i == u->path->len) return u->value;
  const Step *step = &u->path->at[i];
  if (step->tag == STEP_FIELD) {
    Sized *old = sized_field(type, step->field);
    if (!old) return type;
    return field_replace(u->z, type, step->field, path_update(u, i + 1, old));
  }
  Sized *part = path_part(u->z, u->path, i, type);
  if (!sized_unify(u->z, part, u->value))
    sized_mismatch(u->z, u->exp->update.value->span, part, u->value,
                   "[update-type] New value for elements of \"%s\" does not have expected type.",
                   exp_text(u->z->c, u->exp->update.src));
  return type;
}

static void path_size(Sizing *z, const StepList *path) {
  for (int i = 0; i < path->len; i++)
    if (path->at[i].tag == STEP_INDEX) index_parts_size(z, &path->at[i].index);
}

Sized *update_size(Sizing *z, Expr *exp) {
  Sized *src = exp_size(z, exp->update.src);
  path_size(z, &exp->update.path);
  PathUpdate u = {z, exp, &exp->update.path, exp_size(z, exp->update.value)};
  return path_update(&u, 0, src);
}

// Sizes of slices are existential in the result.
Sized *section_path_size(Sizing *z, Expr *exp) {
  const SType *type = stype_find(exp->type);
  if (type->tag != TYPE_ARROW) return sized_any(z, exp->type);
  const StepList *path = &exp->section_path.path;
  path_size(z, path);
  Sized *t = sized_new(z, TYPE_ARROW);
  t->arrow.from = sized_flex(z, type->arrow.from, exp->span, RANK_FORM, "section argument");
  int start = z->next_id;
  Sized *to = t->arrow.from;
  for (int i = 0; i < path->len && to; i++)
    to = path->at[i].tag == STEP_FIELD ? sized_field(to, path->at[i].field)
                                       : index_size(z, exp, to, &path->at[i].index);
  if (!to) return sized_any(z, exp->type);
  t->arrow.to = unknowns_bind(z, to, start, z->level, &t->arrow.exists, NULL, exp->span);
  type_record(z, exp, t);
  return t;
}

// ---- ranges ----------------------------------------------------------------------------------
static Dim *range_dim(Sizing *z, const Expr *exp) {
  const Expr *from = exp->range.from, *second = exp->range.second, *to = exp->range.to;
  const SType *elem = stype_row(exp->type, 1);
  if (!elem || elem->tag != TYPE_PRIM || elem->prim != PRIM_I64) return NULL;
  if (exp->range.tag == RANGE_BELOW && is_literal(from, 0) && (!second || is_literal(second, 1)))
    return dim_of_part(z, to);
  if (exp->range.tag == RANGE_TO && is_literal(from, 1) && is_literal(second, 2))
    return dim_of_part(z, to);
  if (second || exp->range.tag == RANGE_ABOVE) return NULL;
  Dim *d = dim_difference(z, from, dim_of_part(z, to));
  if (exp->range.tag == RANGE_BELOW || !d) return d;
  return dim_binop(z, "+", d, dim_const(z, 1));
}

Sized *range_size(Sizing *z, Expr *exp) {
  exp_size(z, exp->range.from);
  if (exp->range.second) exp_size(z, exp->range.second);
  exp_size(z, exp->range.to);
  Dim *d = range_dim(z, exp);
  if (!d) d = unknown_make(z, exp, NULL, exp->span, "unknown length of range");
  SType *row = stype_row(exp->type, 1);
  return row ? sized_array(z, d, sized_any(z, row)) : sized_any(z, exp->type);
}

// ---- coercion --------------------------------------------------------------------------------
static Dim *coerce_dim(void *env, Dim *dim) {
  const PathUpdate *u = env;
  (void)dim;
  return dim_flex(u->z, u->exp->span, RANK_WRITTEN, "explicit size coercion");
}

// Dimensions that the type names are as it says, others stay.
static Sized *coerce_merge(Sizing *z, Sized *to, Sized *from);

static Sized *coerce_record(Sizing *z, Sized *to, Sized *from) {
  SizedFieldList fields = {0};
  for (int i = 0; i < to->fields.len && i < from->fields.len; i++) {
    SizedField f = {to->fields.at[i].name,
                    coerce_merge(z, to->fields.at[i].type, from->fields.at[i].type)};
    list_push(z->c->arena, &fields, f);
  }
  return fields.len ? sized_record(z, fields) : to;
}

static Sized *coerce_sum(Sizing *z, Sized *to, Sized *from) {
  Sized *t = sized_new(z, TYPE_SUM);
  for (int i = 0; i < to->constrs.len && i < from->constrs.len; i++) {
    SizedConstr k = {to->constrs.at[i].name, {0}};
    for (int j = 0; j < to->constrs.at[i].args.len; j++)
      list_push(z->c->arena, &k.args, coerce_merge(z, to->constrs.at[i].args.at[j],
                                                   from->constrs.at[i].args.at[j]));
    list_push(z->c->arena, &t->constrs, k);
  }
  return t;
}

static bool is_anonymous(Dim *dim) {
  Dim *d = dim_find(dim);
  return d->tag == DIM_VAR && d->var->tag == DIMVAR_FLEX && d->var->why &&
         d->var->stamp == -1;
}

static Sized *coerce_merge(Sizing *z, Sized *to, Sized *from) {
  if (to->tag != from->tag) return to;
  if (to->tag == TYPE_RECORD) return coerce_record(z, to, from);
  if (to->tag == TYPE_SUM) return coerce_sum(z, to, from);
  if (to->tag == TYPE_NAMED) {
    Sized *t = arena_copy(z->c->arena, to, sizeof *to);
    t->named.args = (SizedArgList){0};
    for (int i = 0; i < to->named.args.len && i < from->named.args.len; i++) {
      SizedArg arg = to->named.args.at[i];
      if (arg.dim && is_anonymous(arg.dim)) arg.dim = from->named.args.at[i].dim;
      if (arg.type) arg.type = coerce_merge(z, arg.type, from->named.args.at[i].type);
      list_push(z->c->arena, &t->named.args, arg);
    }
    return t;
  }
  if (to->tag != TYPE_ARRAY) return to;
  Dim *dim = is_anonymous(to->array.dim) ? from->array.dim : to->array.dim;
  return sized_array(z, dim, coerce_merge(z, to->array.elem, from->array.elem));
}

Sized *coerce_size(Sizing *z, Expr *exp) {
  int first = z->vars.len;
  Anonymous anonymous = {NULL, "explicit size coercion", false};
  Sized *type = sized_texp(z, exp->coerce.type, &anonymous);
  for (int i = first; i < z->vars.len; i++) z->vars.at[i]->stamp = -1;
  z->vars.len = first;
  Sized *t = exp_size(z, exp->coerce.src);
  PathUpdate u = {z, exp, NULL, NULL};
  SizedMap m = {z, NULL, coerce_dim, &u, NULL};
  sized_expect(z, exp->span, sized_map(&m, type), t,
               "[coercion] Expression does not have expected type from explicit size coercion.");
  return coerce_merge(z, type, t);
}
