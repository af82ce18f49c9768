// Literals, arrays, ranges, records, constructors.
#include "local.h"

static SType *suffix_type(Checker *c, Suffix suffix) { return c->prims[(int)suffix - 1]; }

static void later_literal(Checker *c, Expr *exp, bool negative) {
  Later later = {.tag = LATER_LITERAL, .exp = exp, .negative = negative, .span = exp->span};
  list_push(c->arena, &c->later, later);
}

SType *infer_int(Checker *c, Expr *exp, bool negative) {
  if (exp->int_.suffix != SUFFIX_NONE) return suffix_type(c, exp->int_.suffix);
  if (negative || exp->int_.overflow || exp->int_.value > 127) later_literal(c, exp, negative);
  return stype_fresh_prim(c, PRIMS_NUM, exp->span, "integer literal");
}

SType *infer_float(Checker *c, Expr *exp) {
  later_literal(c, exp, false);
  if (exp->float_.suffix != SUFFIX_NONE) return suffix_type(c, exp->float_.suffix);
  return stype_fresh_prim(c, PRIMS_FLOAT, exp->span, "float literal");
}

static bool is_number(SType *type) {
  type = stype_find(type);
  if (type->tag == TYPE_VAR)
    return type->var->kind == VAR_PRIM && (type->var->prims & ~PRIMS_NUM) == 0;
  return type->tag == TYPE_PRIM && (PRIMS_NUM >> type->prim & 1);
}

// Long literals of plain numbers need one variable only.
static bool infer_element(Checker *c, Expr *e, SType *u) {
  if (e->tag != EXP_INT || e->int_.suffix != SUFFIX_NONE || !is_number(u)) return false;
  if (e->int_.overflow || e->int_.value > 127) later_literal(c, e, false);
  e->type = u;
  return true;
}

//  ei : u    u unlifted
//  --------------------
//  [e1, .., ek] : [k]u
SType *infer_array(Checker *c, Expr *exp) {
  SType *u = stype_fresh(c, LIFT_NONE, exp->span, "an element of an array literal");
  for (int i = 0; i < exp->array.elems.len; i++) {
    Expr *e = exp->array.elems.at[i];
    if (infer_element(c, e, u)) continue;
    SType *t = infer(c, e);
    if (!unify(c, u, t)) {
      mismatch_report(c, e->span, u, t,
                      "[element-type] Element \"%s\" of array literal differs in type from the "
                      "others.",
                      exp_text(c, e));
      if (i > 0)
        note(c, exp->array.elems.at[0]->span, "The first element has the type %s.",
             stype_text(c, exp->array.elems.at[0]->type));
    }
  }
  return stype_array(c, NULL, u);
}

SType *infer_arraylit(Checker *c, Expr *exp) {
  return stype_array(c, NULL, suffix_type(c, exp->arraylit.suffix));
}

static void range_part(Checker *c, Expr *part, SType *t) {
  if (!part) return;
  SType *actual = infer(c, part);
  if (!unify(c, t, actual))
    mismatch_report(c, part->span, t, actual, "[range-type] Range component \"%s\" does not have "
                                              "expected type.",
                    exp_text(c, part));
}

SType *infer_range(Checker *c, Expr *exp) {
  SType *t = stype_fresh_prim(c, PRIMS_INT, exp->span, "range component");
  range_part(c, exp->range.from, t);
  range_part(c, exp->range.second, t);
  range_part(c, exp->range.to, t);
  return stype_array(c, NULL, t);
}

SType *infer_record(Checker *c, Expr *exp) {
  FieldList fields = {0};
  Map *seen = map_new(c->arena);
  for (int i = 0; i < exp->record.fields.len; i++) {
    FieldExpr *f = &exp->record.fields.at[i];
    if (f->pun && f->name[0] == '_')
      report(c, f->span, "[private-name] Use of \"%s\": variables prefixed with underscore may "
                         "not be accessed.",
             f->name);
    if (map_get(seen, KEY(f->name)))
      report(c, f->span, "[duplicate-field] Duplicate field: \"%s\" previously defined.", f->name);
    map_put(seen, KEY(f->name), f);
    SField field = {f->name, infer(c, f->value)};
    list_push(c->arena, &fields, field);
  }
  return stype_record(c, fields);
}

SType *infer_constr(Checker *c, Expr *exp) {
  Constr constr = {exp->constr.name, {0}};
  for (int i = 0; i < exp->constr.args.len; i++)
    list_push(c->arena, &constr.args, infer(c, exp->constr.args.at[i]));
  return stype_fresh_sum(c, constr, exp->span);
}
