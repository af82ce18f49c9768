// SType expressions to types.  The kind of a type expression is computed beside its type, since an
// expanded abbreviation no longer shows that it hides sizes.
#include "local.h"
#include <string.h>

static void lift_raise(Lift *lift, Lift by) { *lift = lift_max(*lift, by); }

// ---- parameters ------------------------------------------------------------------------------
static Lift tparam_lift(TypeParamTag tag) {
  if (tag == TPARAM_SIZE_LIFTED) return LIFT_SIZE;
  return tag == TPARAM_LIFTED ? LIFT_FULL : LIFT_NONE;
}

static void size_bind(Checker *c, TypeParam *param, Binding *of) {
  Binding *b = binding_new(c, BIND_SIZE, param->name, param->span, c->prims[PRIM_I64]);
  info_of(c, &param->info)->binding = b;
  if (of) list_push(c->arena, &of->sparams, b);
  scope_put(c, SPACE_TERM, param->name, b);
}

static void tparam_check_dup(Checker *c, const TypeParamList *params, int i) {
  for (int j = 0; j < i; j++)
    if (params->at[j].name == params->at[i].name &&
        (params->at[j].tag == TPARAM_SIZE) == (params->at[i].tag == TPARAM_SIZE))
      report(c, params->at[i].span, "[bound-twice] Name \"%s\" also bound in the same parameter "
                                    "list.",
             params->at[i].name);
}

// The parameters of a function, in scope from here on; `of` collects them.
void tparams_bind(Checker *c, TypeParamList *params, Binding *of) {
  for (int i = 0; i < params->len; i++) {
    TypeParam *p = &params->at[i];
    tparam_check_dup(c, params, i);
    if (p->tag == TPARAM_SIZE) {
      size_bind(c, p, of);
      continue;
    }
    TypeDef *def = typedef_new(c, TYPEDEF_PARAM, p->name, p->span, tparam_lift(p->tag));
    info_of(c, &p->info)->def = def;
    if (of) list_push(c->arena, &of->tparams, def);
    scope_put(c, SPACE_TYPE, p->name, def);
  }
}

void sizes_bind(Checker *c, TypeParamList *params) { tparams_bind(c, params, NULL); }

// ---- sizes -----------------------------------------------------------------------------------
static Size *size_exp(Checker *c, SizeExp *exp) {
  if (!exp->exp) {
    if (!c->arrow_depth) c->anonymous_sizes++;
    return NULL;
  }
  int errors = c->diag->errors;
  SType *t = infer(c, exp->exp);
  if (c->diag->errors > errors && exp->exp->tag == EXP_VAR) hint_size(c, &exp->exp->var);
  if (!unify(c, c->prims[PRIM_I64], t))
    mismatch_report(c, exp->exp->span, c->prims[PRIM_I64], t,
                    "[size-type] Size expression does not have expected type.");
  Size *size = NEW(c->arena, Size);
  if (exp->exp->tag == EXP_INT) {
    size->tag = SIZE_CONST;
    size->value = (int64_t)exp->exp->int_.value;
  } else if (exp->exp->tag == EXP_VAR && exp->exp->var.inst && !exp->exp->var.inst->fields &&
             exp->exp->var.inst->binding) {
    size->tag = SIZE_NAME;
    size->name = exp->exp->var.inst->binding;
  } else {
    size->tag = SIZE_EXP;
    size->exp = exp->exp;
  }
  return size;
}

// ---- forms -----------------------------------------------------------------------------------
// A name keeps nothing of the `*` outside functions that its definition or its arguments have:
// with `type t = *[]i32`, t is []i32.
static SType *expand_plain(Checker *c, TypeDef *def, const NamedArgList *args) {
  return stype_strip(c, type_expand(c, def, args));
}

static SType *name_type(Checker *c, TypeExp *exp, Lift *lift) {
  TypeDef *def = typename_resolve(c, &exp->name);
  if (!def) return c->error;
  if (def->params.len) {
    report(c, exp->span, "[type-arguments] Type constructor \"%s\" requires %d arguments but is "
                         "used without any "
                         "arguments.", def->name, def->params.len);
    return c->error;
  }
  lift_raise(lift, def->lift);
  return expand_plain(c, def, &(NamedArgList){0});
}

static bool arg_check(Checker *c, TypeDef *def, int i, TypeArg *arg, NamedArg *out, Lift *lift) {
  TypeDefParam *p = &def->params.at[i];
  Span at = arg->is_size ? arg->size.span : arg->type->span;
  out->is_size = p->is_size;
  if (p->is_size != arg->is_size) {
    report(c, at, "[type-arguments] Type constructor \"%s\": argument %d must be a %s.", def->name,
           i + 1,
           p->is_size ? "size" : "type");
    return false;
  }
  if (p->is_size) {
    out->size = size_exp(c, &arg->size);
    return true;
  }
  Lift kind = LIFT_NONE;
  out->type = type_exp_lift(c, arg->type, &kind);
  lift_raise(lift, kind);
  return true;
}

static SType *apply_type(Checker *c, TypeExp *exp, Lift *lift) {
  if (exp->apply.fn->tag != TEXP_NAME) {
    report(c, exp->span, "[type-arguments] Type is not a type constructor and cannot be applied "
                         "to arguments.");
    return c->error;
  }
  TypeDef *def = typename_resolve(c, &exp->apply.fn->name);
  if (!def) return c->error;
  if (def->params.len != exp->apply.args.len) {
    report(c, exp->span, "[type-arguments] Type constructor \"%s\" requires %d arguments, but "
                         "provided %d.",
           def->name, def->params.len, exp->apply.args.len);
    return c->error;
  }
  NamedArgList args = {0};
  for (int i = 0; i < def->params.len; i++) {
    NamedArg arg = {0};
    if (!arg_check(c, def, i, &exp->apply.args.at[i], &arg, lift)) return c->error;
    list_push(c->arena, &args, arg);
  }
  lift_raise(lift, def->lift);
  return expand_plain(c, def, &args);
}

static SType *array_type(Checker *c, TypeExp *exp, Lift *lift) {
  Size *dim = size_exp(c, &exp->array.size);
  Lift kind = LIFT_NONE;
  SType *elem = type_exp_lift(c, exp->array.elem, &kind);
  if (kind != LIFT_NONE)
    report(c, exp->span, "[array-element-kind] Cannot create array with elements of %s type "
                         "\"%s\" (might %s).",
           kind == LIFT_FULL ? "lifted" : "size-lifted", type_exp_text(c, exp->array.elem),
           kind == LIFT_FULL ? "contain function" : "cause irregular array");
  lift_raise(lift, kind);
  return stype_array(c, dim, elem);
}

static SType *tuple_type(Checker *c, TypeExp *exp, Lift *lift) {
  TypeList elems = {0};
  for (int i = 0; i < exp->tuple.elems.len; i++)
    list_push(c->arena, &elems, type_exp_lift(c, exp->tuple.elems.at[i], lift));
  return stype_tuple(c, &elems);
}

static SType *record_type(Checker *c, TypeExp *exp, Lift *lift) {
  FieldList fields = {0};
  for (int i = 0; i < exp->record.fields.len; i++) {
    FieldType *f = &exp->record.fields.at[i];
    for (int j = 0; j < i; j++)
      if (exp->record.fields.at[j].name == f->name)
        report(c, f->span, "[duplicate-field] Duplicate record fields: field \"%s\" previously "
                           "defined.", f->name);
    SField field = {f->name, type_exp_lift(c, f->type, lift)};
    list_push(c->arena, &fields, field);
  }
  return stype_record(c, fields);
}

static SType *sum_type(Checker *c, TypeExp *exp, Lift *lift) {
  ConstrList constrs = {0};
  if (exp->sum.clauses.len >= 256)
    report(c, exp->span, "[too-many-constructors] Sum types must have less than 256 constructors.");
  for (int i = 0; i < exp->sum.clauses.len; i++) {
    SumClause *clause = &exp->sum.clauses.at[i];
    for (int j = 0; j < i; j++)
      if (exp->sum.clauses.at[j].name == clause->name)
        report(c, clause->span, "[duplicate-constructor] Duplicate constructors: \"#%s\".",
               clause->name);
    Constr constr = {clause->name, {0}};
    for (int j = 0; j < clause->args.len; j++)
      list_push(c->arena, &constr.args, type_exp_lift(c, clause->args.at[j], lift));
    list_push(c->arena, &constrs, constr);
  }
  return stype_sum(c, constrs);
}

// Named parameters of one function type must differ.
static void arrow_names_check(Checker *c, const TypeExp *exp) {
  const TypeExp *rest = exp->arrow.to;
  for (; rest->tag == TEXP_ARROW; rest = rest->arrow.to)
    if (rest->arrow.param && rest->arrow.param == exp->arrow.param)
      report(c, rest->arrow.param_span, "[bound-twice] Parameter name \"%s\" also bound in the "
                                        "same type.",
             rest->arrow.param);
}

static SType *arrow_type(Checker *c, TypeExp *exp, Lift *lift) {
  Lift kind = LIFT_NONE;
  *lift = LIFT_FULL;
  int depth = c->arrow_depth, anonymous = c->anonymous_sizes;
  c->arrow_depth = 0;
  SType *from = type_exp_lift(c, exp->arrow.from, &kind);
  if (c->abbreviation && c->anonymous_sizes > anonymous)
    report(c, exp->arrow.from->span, "[anonymous-nonconstructive] Anonymous size of a parameter "
                                     "is not constructively "
                                     "determined by a value of the type "
                                     "(#anonymous-nonconstructive).");
  if (depth) c->anonymous_sizes = anonymous;
  c->arrow_depth = depth;
  int mark = names_scope_begin(c);
  Binding *b = NULL;
  if (exp->arrow.param) {
    arrow_names_check(c, exp);
    b = binding_new(c, BIND_PARAM, exp->arrow.param, exp->arrow.param_span, stype_strip(c, from));
    info_of(c, &exp->info)->binding = b;
    scope_put(c, SPACE_TERM, exp->arrow.param, b);
  }
  c->arrow_depth++;
  SType *to = type_exp_lift(c, exp->arrow.to, &kind);
  c->arrow_depth--;
  names_scope_end(c, mark);
  SType *t = stype_arrow(c, exp->arrow.param, from, to);
  t->arrow.binding = b;
  return t;
}

static bool has_arrays(SType *type) {
  SType *t = stype_find(type);
  bool found = t->tag == TYPE_ARRAY || t->tag == TYPE_NAMED || t->tag == TYPE_ERROR;
  if (t->tag == TYPE_RECORD)
    for (int i = 0; i < t->record.fields.len; i++) found |= has_arrays(t->record.fields.at[i].type);
  if (t->tag == TYPE_SUM)
    for (int i = 0; i < t->sum.constrs.len; i++)
      for (int j = 0; j < t->sum.constrs.at[i].args.len; j++)
        found |= has_arrays(t->sum.constrs.at[i].args.at[j]);
  return found;
}

static SType *unique_type(Checker *c, TypeExp *exp, Lift *lift) {
  SType *t = type_exp_lift(c, exp->unique.elem, lift);
  if (!has_arrays(t) && !c->failed)
    diag_warn(c->diag, exp->span, "[unique-no-effect] Declaring \"*%s\" as unique has no effect.",
              stype_text(c, t));
  return stype_star(c, t);
}

static SType *exists_type(Checker *c, TypeExp *exp, Lift *lift) {
  int mark = names_scope_begin(c);
  sizes_bind(c, &exp->exists.sizes);
  SType *t = type_exp_lift(c, exp->exists.type, lift);
  names_scope_end(c, mark);
  for (int i = 0; i < exp->exists.sizes.len; i++) {
    const TypeParam *p = &exp->exists.sizes.at[i];
    if (!size_witnessed(t, p->info->binding))
      report(c, p->span, "[unused-existential] Existential size \"%s\" not used as array size "
                         "(#unused-existential).",
             p->name);
  }
  lift_raise(lift, LIFT_SIZE);
  return t;
}

static SType *type_exp_form(Checker *c, TypeExp *exp, Lift *lift) {
  switch (exp->tag) {
    case TEXP_NAME: return name_type(c, exp, lift);
    case TEXP_APPLY: return apply_type(c, exp, lift);
    case TEXP_ARRAY: return array_type(c, exp, lift);
    case TEXP_TUPLE: return tuple_type(c, exp, lift);
    case TEXP_RECORD: return record_type(c, exp, lift);
    case TEXP_SUM: return sum_type(c, exp, lift);
    case TEXP_ARROW: return arrow_type(c, exp, lift);
    case TEXP_UNIQUE: return unique_type(c, exp, lift);
    case TEXP_EXISTS: return exists_type(c, exp, lift);
  }
  ice("type expression tag %d", exp->tag);
}

SType *type_exp_lift(Checker *c, TypeExp *exp, Lift *lift) {
  SType *t = type_exp_form(c, exp, lift);
  info_of(c, &exp->info)->type = t;
  return t;
}

SType *type_exp(Checker *c, TypeExp *exp) {
  Lift lift = LIFT_NONE;
  return type_exp_lift(c, exp, &lift);
}
