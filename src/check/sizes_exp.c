// Expressions: the sizes of their types, one rule per form.
#include "sizes.h"

// ---- records for the causality check ---------------------------------------------------------
void type_record(Sizing *z, const void *node, Sized *type) {
  if (type->tag != TYPE_PRIM) map_put(z->types, KEY(node), type);
}

void unknown_record(Sizing *z, const Expr *node, DimVar *unknown) {
  if (!node) return;
  DimVarList *list = map_get(z->produced, KEY(node));
  if (!list) {
    list = NEW(z->c->arena, DimVarList);
    map_put(z->produced, KEY(node), list);
  }
  list_push(z->c->arena, list, unknown);
}

// A new unknown size, known after the node is evaluated.
Dim *unknown_make(Sizing *z, const Expr *node, Name name, Span span, const char *why) {
  DimVar *v = unknown_new(z, name, span, why);
  unknown_record(z, node, v);
  return v->dim;
}

// ---- forms -----------------------------------------------------------------------------------
static Sized *var_size(Sizing *z, Expr *exp) {
  const VarRef *ref = &exp->var;
  if (!ref->inst || !ref->inst->binding) return sized_any(z, exp->type);
  Sized *t = scheme_instance(z, ref->inst->binding, ref->inst, exp->span);
  const NameList *parts = &ref->name.parts;
  for (int i = parts->len - ref->inst->fields; i < parts->len; i++) {
    t = sized_field(t, parts->at[i]);
    if (!t) return sized_any(z, exp->type);
  }
  type_record(z, exp, t);
  return t;
}

static Sized *record_size(Sizing *z, Expr *exp) {
  SizedFieldList fields = {0};
  int n = exp->tag == EXP_TUPLE ? exp->tuple.elems.len : exp->record.fields.len;
  if (!n) return z->unit;
  for (int i = 0; i < n; i++) {
    bool tuple = exp->tag == EXP_TUPLE;
    SizedField f = {tuple ? tuple_name(z->c, i) : exp->record.fields.at[i].name,
                    exp_size(z, tuple ? exp->tuple.elems.at[i] : exp->record.fields.at[i].value)};
    list_push(z->c->arena, &fields, f);
  }
  return sized_record(z, fields);
}

//  e1 : t .. ek : t
//  --------------------
//  [e1, .., ek] : [k]t
static Sized *array_size(Sizing *z, Expr *exp) {
  int n = exp->array.elems.len;
  if (!n) {
    SType *row = stype_row(exp->type, 1);
    if (!row) return sized_any(z, exp->type);
    Sized *t = sized_array(z, dim_const(z, 0), sized_flex(z, row, exp->span, RANK_FORM,
                                                           "empty array"));
    empty_note(z, exp, t->array.elem);
    type_record(z, exp, t);
    return t;
  }
  Sized *first = exp_size(z, exp->array.elems.at[0]);
  for (int i = 1; i < n; i++) {
    Expr *e = exp->array.elems.at[i];
    Sized *t = exp_size(z, e);
    if (!sized_unify(z, first, t))
      sized_mismatch(z, e->span, first, t,
                     "[element-type] Element \"%s\" of array literal differs in type from the "
                     "others.",
                     exp_text(z->c, e));
  }
  return sized_array(z, dim_const(z, n), first);
}

static Fresh absorbing(Sizing *z, Span span, const char *why) {
  Absorb *a = NEW(z->c->arena, Absorb);
  a->lift = LIFT_FULL;
  a->own = true;
  return (Fresh){.span = span, .rank = RANK_FORM, .why = why, .absorb = a,
                 .occurrence = z->occurrence++};
}

// The sizes of other constructors' payloads are open.
static Sized *constr_size(Sizing *z, Expr *exp) {
  const SType *sum = stype_find(exp->type);
  SizedList own = {0};
  for (int i = 0; i < exp->constr.args.len; i++)
    list_push(z->c->arena, &own, exp_size(z, exp->constr.args.at[i]));
  if (sum->tag != TYPE_SUM) return sized_any(z, exp->type);
  Fresh f = absorbing(z, exp->span, "constructor");
  Sized *t = sized_new(z, TYPE_SUM);
  for (int k = 0; k < sum->sum.constrs.len; k++) {
    const Constr *constr = &sum->sum.constrs.at[k];
    SizedConstr new = {constr->name, {0}};
    if (constr->name == exp->constr.name) new.args = own;
    else
      for (int i = 0; i < constr->args.len; i++)
        list_push(z->c->arena, &new.args, sized_fresh(z, constr->args.at[i], &f));
    list_push(z->c->arena, &t->constrs, new);
  }
  type_record(z, exp, t);
  return t;
}

static Sized *ascribe_size(Sizing *z, Expr *exp) {
  Anonymous anonymous = {NULL, "explicit type ascription", false};
  Sized *type = sized_texp(z, exp->ascribe.type, &anonymous);
  Sized *t = exp_size(z, exp->ascribe.src);
  sized_expect(z, exp->span, type, t,
               "[ascription] Expression does not have expected type from explicit type "
               "ascription.");
  return type;
}

static Sized *assert_size(Sizing *z, Expr *exp) {
  exp_size(z, exp->assert.cond);
  return exp_size(z, exp->assert.body);
}

static Sized *hole_size(Sizing *z, Expr *exp) {
  Fresh f = absorbing(z, exp->span, "hole");
  Sized *t = sized_fresh(z, exp->type, &f);
  type_record(z, exp, t);
  list_push(z->c->arena, &z->holes, exp);
  return t;
}

static Sized *project_size(Sizing *z, Expr *exp) {
  Sized *t = sized_field(exp_size(z, exp->project.src), exp->project.field);
  return t ? t : sized_any(z, exp->type);
}

static Sized *operand_size(Sizing *z, const Expr *exp, Expr *arg) {
  exp_size(z, arg);
  return sized_any(z, exp->type);
}

static Sized *size_form(Sizing *z, Expr *exp) {
  switch (exp->tag) {
    case EXP_INT:
    case EXP_FLOAT:
    case EXP_CHAR:
    case EXP_BOOL: return sized_any(z, exp->type);
    case EXP_STRING:
      return sized_array(z, dim_const(z, (int64_t)exp->string.len), sized_prim(z, PRIM_U8));
    case EXP_HOLE: return hole_size(z, exp);
    case EXP_VAR: return var_size(z, exp);
    case EXP_TUPLE:
    case EXP_RECORD: return record_size(z, exp);
    case EXP_ARRAY: return array_size(z, exp);
    case EXP_ARRAYLIT:
      return sized_array(z, dim_const(z, exp->arraylit.bits.len),
                         sized_any(z, stype_row(exp->type, 1)));
    case EXP_RANGE: return range_size(z, exp);
    case EXP_CONSTR: return constr_size(z, exp);
    case EXP_APPLY: return apply_size(z, exp);
    case EXP_PROJECT: return project_size(z, exp);
    case EXP_INDEX: {
      Sized *src = exp_size(z, exp->index.src);
      index_parts_size(z, &exp->index.index);
      return index_size(z, exp, src, &exp->index.index);
    }
    case EXP_NEG: return operand_size(z, exp, exp->neg.arg);
    case EXP_NOT: return operand_size(z, exp, exp->not_.arg);
    case EXP_BINOP: return binop_size(z, exp);
    case EXP_SECTION_LEFT: return section_left_size(z, exp);
    case EXP_SECTION_RIGHT: return section_right_size(z, exp);
    case EXP_SECTION_PATH: return section_path_size(z, exp);
    case EXP_UPDATE: return update_size(z, exp);
    case EXP_IF: return if_size(z, exp);
    case EXP_MATCH: return match_size(z, exp);
    case EXP_LET:
    case EXP_LETFUN: return let_size(z, exp);
    case EXP_LOOP: return loop_size(z, exp);
    case EXP_LAMBDA: return lambda_size(z, exp);
    case EXP_ASSERT: return assert_size(z, exp);
    case EXP_ASCRIBE: return ascribe_size(z, exp);
    case EXP_COERCE: return coerce_size(z, exp);
    case EXP_ATTR: return exp_size(z, exp->attr.body);
    case EXP_LOCALOPEN: return exp_size(z, exp->localopen.body);
  }
  ice("expression tag %d", exp->tag);
}

Sized *exp_size(Sizing *z, Expr *exp) {
  Sized *t = size_form(z, exp);
  if (z->unknowns && map_get(z->produced, KEY(exp))) size_source_note(z, exp, t);
  return t;
}
