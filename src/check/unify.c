// Unification of types up to sizes.  The first argument is the expected type; a failure leaves
// its innermost reason, followed by the way there, in c->why.
#include "local.h"
#include <stdlib.h>

static bool fail(Checker *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Checker *c, const char *fmt, ...) {
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  c->why = arena_strndup(c->arena, text.at, text.len);
  text_free(&text);
  return false;
}

// Adds a line to the reason of a failure.
static bool within(Checker *c, const char *fmt, const char *name) {
  const char *line = arena_printf(c->arena, fmt, name);
  c->why = arena_printf(c->arena, "%s\n%s", c->why, line);
  return false;
}

static bool mismatch(Checker *c, SType *expected, SType *actual) {
  return fail(c, "Cannot unify types \"%s\" and \"%s\".", stype_text(c, expected),
              stype_text(c, actual));
}

// ---- binding a variable ----------------------------------------------------------------------
// A type that flows into a variable must not contain it, must not mention type parameters bound
// deeper, and must not be of a higher kind; the variables inside inherit these limits.
static bool admit(Checker *c, const TypeVar *var, SType *type);

static bool admit_named(Checker *c, const TypeVar *var, SType *type) {
  const TypeDef *def = type->named.def;
  if (def->tag == TYPEDEF_PARAM && def->level > var->level)
    return fail(c, "Type parameter \"%s\" is not in scope where the type was introduced "
                   "(#scope-violation).", def->name);
  if (def->lift > var->lift && var->lift != LIFT_FULL) {
    const char *why = var->why ? var->why : "this";
    if (var->lift == LIFT_SIZE)
      return fail(c, "Type \"%s\" is lifted and functional; %s may not be of function type.",
                  stype_text(c, type), why);
    return fail(c, "Type \"%s\" is lifted and cannot be an array element (%s).",
                stype_text(c, type), why);
  }
  for (int i = 0; i < type->named.args.len; i++)
    if (type->named.args.at[i].type && !admit(c, var, type->named.args.at[i].type)) return false;
  return true;
}

static bool admit_all(Checker *c, const TypeVar *var, const TypeList *types) {
  for (int i = 0; i < types->len; i++)
    if (!admit(c, var, types->at[i])) return false;
  return true;
}

static bool admit_fields(Checker *c, const TypeVar *var, const FieldList *fields) {
  for (int i = 0; i < fields->len; i++)
    if (!admit(c, var, fields->at[i].type)) return false;
  return true;
}

static bool admit_constrs(Checker *c, const TypeVar *var, const ConstrList *constrs) {
  for (int i = 0; i < constrs->len; i++)
    if (!admit_all(c, var, &constrs->at[i].args)) return false;
  return true;
}

static bool admit_arrow(Checker *c, const TypeVar *var, SType *type) {
  if (var->lift == LIFT_FULL)
    return admit(c, var, type->arrow.from) && admit(c, var, type->arrow.to);
  const char *why = var->why ? var->why : "this";
  if (var->lift == LIFT_SIZE)
    return fail(c, "Type \"%s\" is functional; %s may not be of function type.",
                stype_text(c, type), why);
  return fail(c, "Type \"%s\" is functional, which %s may not be.", stype_text(c, type), why);
}

static bool admit_var(Checker *c, const TypeVar *var, SType *type) {
  TypeVar *inner = type->var;
  if (inner == var) return fail(c, "Occurs check: the type would contain itself.");
  if (inner->level > var->level) inner->level = var->level;
  if (inner->kind == VAR_PRIM) return true;
  if (inner->lift > var->lift) {
    inner->lift = var->lift;
    if (var->why) inner->why = var->why;
  }
  return admit_fields(c, var, &inner->fields) && admit_constrs(c, var, &inner->constrs);
}

static bool admit(Checker *c, const TypeVar *var, SType *type) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_VAR: return admit_var(c, var, type);
    case TYPE_PRIM:
    case TYPE_ERROR: return true;
    case TYPE_ARRAY: return admit(c, var, type->array.elem);
    case TYPE_RECORD: return admit_fields(c, var, &type->record.fields);
    case TYPE_SUM: return admit_constrs(c, var, &type->sum.constrs);
    case TYPE_ARROW: return admit_arrow(c, var, type);
    case TYPE_NAMED: return admit_named(c, var, type);
  }
  ice("type tag %d", type->tag);
}

// ---- names that one side lacks ---------------------------------------------------------------
static int name_order(const void *a, const void *b) {
  return field_compare(*(const Name *)a, *(const Name *)b);
}

static const char *names_text(Checker *c, NameList names, const char *prefix) {
  if (names.len > 1) qsort(names.at, (size_t)names.len, sizeof(Name), name_order);
  const char *s = "";
  for (int i = 0; i < names.len; i++)
    s = arena_printf(c->arena, "%s%s%s%s", s, i ? ", " : "", prefix, names.at[i]);
  return s;
}

static void fields_lacking(Checker *c, const FieldList *from, const FieldList *other,
                           NameList *out) {
  for (int i = 0; i < from->len; i++) {
    bool found = false;
    for (int j = 0; j < other->len; j++) found |= other->at[j].name == from->at[i].name;
    if (!found) list_push(c->arena, out, from->at[i].name);
  }
}

static const char *field_names(Checker *c, const FieldList *a, const FieldList *b) {
  NameList names = {0};
  fields_lacking(c, a, b, &names);
  fields_lacking(c, b, a, &names);
  return names_text(c, names, "");
}

static void constrs_lacking(Checker *c, const ConstrList *from, const ConstrList *other,
                            NameList *out) {
  for (int i = 0; i < from->len; i++) {
    bool found = false;
    for (int j = 0; j < other->len; j++) found |= other->at[j].name == from->at[i].name;
    if (!found) list_push(c->arena, out, from->at[i].name);
  }
}

static const char *constr_names(Checker *c, const ConstrList *a, const ConstrList *b, bool both) {
  NameList names = {0};
  constrs_lacking(c, a, b, &names);
  if (both) constrs_lacking(c, b, a, &names);
  return names_text(c, names, "#");
}

static bool unify_payload(Checker *c, const Constr *e, const Constr *a) {
  if (e->args.len != a->args.len)
    return fail(c, "Constructors \"#%s\" differ in arity: %d and %d.", e->name, e->args.len,
                a->args.len);
  for (int i = 0; i < e->args.len; i++)
    if (!unify(c, e->args.at[i], a->args.at[i]))
      return within(c, "When matching types of constructor \"%s\".", e->name);
  return true;
}

// The fields a record variable needs, against a record.
static bool fit_record(Checker *c, const FieldList *need, SType *type, bool flip) {
  if (type->tag != TYPE_RECORD)
    return fail(c, "Cannot unify \"%s\" with type that must be a record with fields {%s}.",
                stype_text(c, type), field_names(c, need, &(FieldList){0}));
  for (int i = 0; i < need->len; i++) {
    SType *have = stype_field(type, need->at[i].name);
    if (!have)
      return fail(c, "Cannot unify record type with fields {%s} and \"%s\": no field \"%s\".",
                  field_names(c, need, &(FieldList){0}), stype_text(c, type), need->at[i].name);
    if (!(flip ? unify(c, have, need->at[i].type) : unify(c, need->at[i].type, have)))
      return within(c, "When matching types of record field \"%s\".", need->at[i].name);
  }
  return true;
}

static bool fit_sum(Checker *c, const ConstrList *need, SType *type, bool flip) {
  if (type->tag != TYPE_SUM)
    return fail(c, "Cannot unify type with constructors %s and \"%s\", which is no sum type.",
                constr_names(c, need, &(ConstrList){0}, false), stype_text(c, type));
  const ConstrList *have = &type->sum.constrs;
  for (int i = 0; i < need->len; i++) {
    int at = constr_index(type, need->at[i].name);
    if (at < 0)
      return fail(c, "Cannot unify type with constructors.\nUnshared constructors: %s.",
                  constr_names(c, need, have, false));
    if (!(flip ? unify_payload(c, &have->at[at], &need->at[i])
               : unify_payload(c, &need->at[i], &have->at[at])))
      return false;
  }
  return true;
}

static bool fit_prim(Checker *c, const TypeVar *var, SType *type) {
  const char *why = var->why ? var->why : "this expression";
  if (type->tag == TYPE_SUM)
    return fail(c, "Cannot unify primitive type with sum type \"%s\" (%s).",
                stype_text(c, type), why);
  if (type->tag != TYPE_PRIM || !(var->prims >> type->prim & 1))
    return fail(c, "Cannot unify \"%s\" with the possible types of %s.", stype_text(c, type), why);
  return true;
}

static bool var_bind(Checker *c, TypeVar *var, SType *type, bool flip) {
  type = stype_strip(c, type);
  if (!admit(c, var, type)) return false;
  TypeVar old = *var;
  var->ref = type;
  bool ok = true;
  switch (old.kind) {
    case VAR_FREE: break;
    case VAR_PRIM: ok = fit_prim(c, &old, type); break;
    case VAR_RECORD: ok = fit_record(c, &old.fields, type, flip); break;
    case VAR_SUM: ok = fit_sum(c, &old.constrs, type, flip); break;
  }
  if (!ok) var->ref = NULL;
  return ok;
}

// ---- two variables ---------------------------------------------------------------------------
static bool merge_prims(Checker *c, TypeVar *into, const TypeVar *from) {
  uint32_t both = into->prims & from->prims;
  if (!both)
    return fail(c, "No type is possible both for %s and for %s.",
                into->why ? into->why : "one operand", from->why ? from->why : "the other");
  if (from->prims != both) into->why = into->prims == both ? into->why : from->why;
  else into->why = from->why;
  into->prims = both;
  for (int p = 0; p < PRIM_COUNT; p++)
    if (both == 1u << p) into->ref = c->prims[p];
  return true;
}

static bool merge_fields(Checker *c, TypeVar *into, const TypeVar *from) {
  for (int i = 0; i < from->fields.len; i++) {
    int at = -1;
    for (int j = 0; j < into->fields.len; j++)
      if (into->fields.at[j].name == from->fields.at[i].name) at = j;
    if (at < 0) list_push(c->arena, &into->fields, from->fields.at[i]);
    else if (!unify(c, into->fields.at[at].type, from->fields.at[i].type))
      return within(c, "When matching types of record field \"%s\".", from->fields.at[i].name);
  }
  fields_sort(&into->fields);
  return true;
}

static bool merge_constrs(Checker *c, TypeVar *into, const TypeVar *from) {
  for (int i = 0; i < from->constrs.len; i++) {
    int at = -1;
    for (int j = 0; j < into->constrs.len; j++)
      if (into->constrs.at[j].name == from->constrs.at[i].name) at = j;
    if (at < 0) list_push(c->arena, &into->constrs, from->constrs.at[i]);
    else if (!unify_payload(c, &into->constrs.at[at], &from->constrs.at[i])) return false;
  }
  constrs_sort(&into->constrs);
  return true;
}

static const char *kind_text(VarKind kind) {
  switch (kind) {
    case VAR_FREE: return "any type";
    case VAR_PRIM: return "a primitive type";
    case VAR_RECORD: return "type that must be a record";
    case VAR_SUM: return "sum type";
  }
  return "";
}

// `from` becomes `into`, which takes over its constraints.
static bool var_merge(Checker *c, SType *into_type, SType *from_type) {
  TypeVar *into = into_type->var, *from = from_type->var;
  if (into->kind == VAR_FREE && from->kind != VAR_FREE) return var_merge(c, from_type, into_type);
  if (from->kind != VAR_FREE && into->kind != from->kind)
    return fail(c, "Cannot unify %s with %s.",
                kind_text(into->kind == VAR_PRIM ? into->kind : from->kind),
                kind_text(into->kind == VAR_PRIM ? from->kind : into->kind));
  if (!admit(c, from, into_type) || !admit_fields(c, into, &from->fields) ||
      !admit_constrs(c, into, &from->constrs))
    return false;
  if (into->level > from->level) into->level = from->level;
  TypeVar old = *from;
  from->ref = into_type;
  switch (old.kind) {
    case VAR_FREE: return true;
    case VAR_PRIM: return merge_prims(c, into, &old);
    case VAR_RECORD: return merge_fields(c, into, &old);
    case VAR_SUM: return merge_constrs(c, into, &old);
  }
  return true;
}

// ---- structure -------------------------------------------------------------------------------
static bool unify_records(Checker *c, SType *e, SType *a) {
  const FieldList *fe = &e->record.fields, *fa = &a->record.fields;
  bool same = fe->len == fa->len;
  for (int i = 0; same && i < fe->len; i++) same = fe->at[i].name == fa->at[i].name;
  if (!same && stype_is_tuple(e) && stype_is_tuple(a))
    return fail(c, "Cannot unify \"%s\" and \"%s\".\nTuples have %d and %d elements respectively.",
                stype_text(c, e), stype_text(c, a), fe->len, fa->len);
  if (!same)
    return fail(c, "Cannot unify record types \"%s\" and \"%s\": unshared fields: %s.",
                stype_text(c, e), stype_text(c, a), field_names(c, fe, fa));
  for (int i = 0; i < fe->len; i++)
    if (!unify(c, fe->at[i].type, fa->at[i].type))
      return within(c, "When matching types of record field \"%s\".", fe->at[i].name);
  return true;
}

static bool unify_sums(Checker *c, SType *e, SType *a) {
  const ConstrList *ce = &e->sum.constrs, *ca = &a->sum.constrs;
  bool same = ce->len == ca->len;
  for (int i = 0; same && i < ce->len; i++) same = ce->at[i].name == ca->at[i].name;
  if (!same)
    return fail(c, "Cannot unify sum types \"%s\" and \"%s\".\nUnshared constructors: %s.",
                stype_text(c, e), stype_text(c, a), constr_names(c, ce, ca, true));
  for (int i = 0; i < ce->len; i++)
    if (!unify_payload(c, &ce->at[i], &ca->at[i])) return false;
  return true;
}

// A function that consumes its argument does not do where one that observes it is expected.
static bool unify_arrows(Checker *c, SType *e, SType *a) {
  if (a->arrow.from->starred && !e->arrow.from->starred)
    return fail(c, "Functions \"%s\" and \"%s\" are incompatible regarding consuming their "
                   "arguments (#unify-consuming-param).", stype_text(c, e), stype_text(c, a));
  if (!unify(c, a->arrow.from, e->arrow.from))
    return within(c, "When matching %s types.", "parameter");
  if (!unify(c, e->arrow.to, a->arrow.to)) return within(c, "When matching %s types.", "return");
  return true;
}

static bool unify_named(Checker *c, SType *e, SType *a) {
  if (e->named.def != a->named.def) return mismatch(c, e, a);
  for (int i = 0; i < e->named.args.len && i < a->named.args.len; i++) {
    SType *te = e->named.args.at[i].type, *ta = a->named.args.at[i].type;
    if (te && ta && !unify(c, te, ta)) return false;
  }
  return true;
}

bool unify(Checker *c, SType *e, SType *a) {
  e = stype_find(e);
  a = stype_find(a);
  if (e == a || e->tag == TYPE_ERROR || a->tag == TYPE_ERROR) return true;
  if (e->tag == TYPE_VAR && a->tag == TYPE_VAR)
    return e->var == a->var || var_merge(c, e->var->id < a->var->id ? e : a,
                                         e->var->id < a->var->id ? a : e);
  if (e->tag == TYPE_VAR) return var_bind(c, e->var, a, false);
  if (a->tag == TYPE_VAR) return var_bind(c, a->var, e, true);
  if (e->tag != a->tag) return mismatch(c, e, a);
  switch (e->tag) {
    case TYPE_PRIM: return e->prim == a->prim || mismatch(c, e, a);
    case TYPE_ARRAY: return unify(c, e->array.elem, a->array.elem);
    case TYPE_RECORD: return unify_records(c, e, a);
    case TYPE_SUM: return unify_sums(c, e, a);
    case TYPE_ARROW: return unify_arrows(c, e, a);
    case TYPE_NAMED: return unify_named(c, e, a);
    case TYPE_VAR:
    case TYPE_ERROR: return true;
  }
  ice("type tag %d", e->tag);
}

static void types_report(Checker *c, Span at, SType *expected, SType *actual, const char *header,
                         va_list args) {
  Text text = {0};
  text_vprintf(&text, header, args);
  report(c, at, "%s\nExpected: %s\nActual:   %s\n%s", text.at, stype_text(c, expected),
         stype_text(c, actual), c->why ? c->why : "");
  text_free(&text);
}

void mismatch_report(Checker *c, Span at, SType *expected, SType *actual, const char *header, ...) {
  va_list args;
  va_start(args, header);
  types_report(c, at, expected, actual, header, args);
  va_end(args);
  hint_types(c, at, expected, actual);
}

void mismatch_bare(Checker *c, Span at, SType *expected, SType *actual, const char *header, ...) {
  va_list args;
  va_start(args, header);
  types_report(c, at, expected, actual, header, args);
  va_end(args);
}

void mismatch_within(Checker *c, Span at, Span value, SType *expected, SType *actual,
                     const char *header, ...) {
  va_list args;
  va_start(args, header);
  types_report(c, at, expected, actual, header, args);
  va_end(args);
  hint_types(c, value, expected, actual);
}
