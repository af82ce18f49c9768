// Types: building, looking, kinds.
#include "local.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

SType *stype_find(SType *type) {
  while (type->tag == TYPE_VAR && type->var->ref) {
    SType *next = type->var->ref;
    if (next->tag == TYPE_VAR && next->var->ref) type->var->ref = next->var->ref;
    type = next;
  }
  return type;
}

SType *stype_new(Checker *c, TypeTag tag) {
  SType *t = NEW(c->arena, SType);
  t->tag = tag;
  return t;
}

SType *stype_array(Checker *c, Size *dim, SType *elem) {
  SType *t = stype_new(c, TYPE_ARRAY);
  t->array.dim = dim;
  t->array.elem = elem;
  t->starred = elem->starred;
  return t;
}

SType *stype_arrow(Checker *c, Name param, SType *from, SType *to) {
  SType *t = stype_new(c, TYPE_ARROW);
  t->arrow.param = param;
  t->arrow.from = from;
  t->arrow.to = to;
  return t;
}

// Numbers by value, then names in alphabetical order.
int field_compare(Name a, Name b) {
  bool na = isdigit((unsigned char)a[0]) != 0, nb = isdigit((unsigned char)b[0]) != 0;
  if (na != nb) return na ? -1 : 1;
  if (na && strlen(a) != strlen(b)) return strlen(a) < strlen(b) ? -1 : 1;
  return strcmp(a, b);
}

static int field_order(const void *a, const void *b) {
  return field_compare(((const SField *)a)->name, ((const SField *)b)->name);
}
static int constr_order(const void *a, const void *b) {
  return strcmp(((const Constr *)a)->name, ((const Constr *)b)->name);
}
void fields_sort(FieldList *fields) {
  if (fields->len > 1) qsort(fields->at, (size_t)fields->len, sizeof(SField), field_order);
}
void constrs_sort(ConstrList *constrs) {
  if (constrs->len > 1) qsort(constrs->at, (size_t)constrs->len, sizeof(Constr), constr_order);
}

SType *stype_record(Checker *c, FieldList fields) {
  SType *t = stype_new(c, TYPE_RECORD);
  fields_sort(&fields);
  t->record.fields = fields;
  for (int i = 0; i < fields.len; i++) t->starred |= fields.at[i].type->starred;
  return t;
}

SType *stype_sum(Checker *c, ConstrList constrs) {
  SType *t = stype_new(c, TYPE_SUM);
  constrs_sort(&constrs);
  t->sum.constrs = constrs;
  for (int i = 0; i < constrs.len; i++)
    for (int j = 0; j < constrs.at[i].args.len; j++)
      t->starred |= constrs.at[i].args.at[j]->starred;
  return t;
}

Name tuple_name(Checker *c, int i) {
  if (i < COUNT_OF(c->tuple_names)) return c->tuple_names[i];
  char text[16];
  snprintf(text, sizeof text, "%d", i);
  return name_of(c->names, text);
}

SType *stype_tuple(Checker *c, const TypeList *elems) {
  FieldList fields = {0};
  for (int i = 0; i < elems->len; i++) {
    SField field = {tuple_name(c, i), elems->at[i]};
    list_push(c->arena, &fields, field);
  }
  return stype_record(c, fields);
}

SType *stype_named(Checker *c, TypeDef *def, NamedArgList args) {
  SType *t = stype_new(c, TYPE_NAMED);
  t->named.def = def;
  t->named.args = args;
  return t;
}

SType *stype_self(Checker *c, TypeDef *def) { return stype_named(c, def, (NamedArgList){0}); }

// A record is a tuple when its fields are 0 .. k-1 and k is not 1.
bool stype_is_tuple(const SType *type) {
  const FieldList *fields = &type->record.fields;
  if (fields->len == 1) return false;
  for (int i = 0; i < fields->len; i++) {
    char text[16];
    snprintf(text, sizeof text, "%d", i);
    if (strcmp(text, fields->at[i].name) != 0) return false;
  }
  return true;
}

SType *stype_field(const SType *record, Name field) {
  const FieldList *fields = &record->record.fields;
  for (int i = 0; i < fields->len; i++)
    if (fields->at[i].name == field) return fields->at[i].type;
  return NULL;
}

int constr_index(const SType *sum, Name name) {
  for (int i = 0; i < sum->sum.constrs.len; i++)
    if (sum->sum.constrs.at[i].name == name) return i;
  return -1;
}

// ---- uniqueness ------------------------------------------------------------------------------
// `*` distributes over records and sums to arrays and named types; functions keep their own.
static SType *stype_mark(Checker *c, SType *type, bool unique);

static SType *record_mark(Checker *c, SType *type, bool unique) {
  FieldList fields = {0};
  for (int i = 0; i < type->record.fields.len; i++) {
    SField f = type->record.fields.at[i];
    f.type = stype_mark(c, f.type, unique);
    list_push(c->arena, &fields, f);
  }
  return stype_record(c, fields);
}

static SType *sum_mark(Checker *c, SType *type, bool unique) {
  ConstrList constrs = {0};
  for (int i = 0; i < type->sum.constrs.len; i++) {
    Constr old = type->sum.constrs.at[i], new = {old.name, {0}};
    for (int j = 0; j < old.args.len; j++)
      list_push(c->arena, &new.args, stype_mark(c, old.args.at[j], unique));
    list_push(c->arena, &constrs, new);
  }
  return stype_sum(c, constrs);
}

static SType *stype_mark(Checker *c, SType *type, bool unique) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_RECORD: return record_mark(c, type, unique);
    case TYPE_SUM: return sum_mark(c, type, unique);
    case TYPE_ARRAY:
    case TYPE_NAMED: {
      SType *copy = arena_copy(c->arena, type, sizeof *type);
      copy->unique = copy->starred = unique;
      if (copy->tag == TYPE_ARRAY) copy->array.elem = stype_strip(c, type->array.elem);
      return copy;
    }
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ARROW:
    case TYPE_ERROR: return type;
  }
  ice("type tag %d", type->tag);
}

SType *stype_strip(Checker *c, SType *type) {
  type = stype_find(type);
  return type->starred ? stype_mark(c, type, false) : type;
}
SType *stype_star(Checker *c, SType *type) { return stype_mark(c, type, true); }

// ---- size -------------------------------------------------------------------------------------
// The rest of a number of parts after those of the type, written out, are subtracted.
static int parts_left(SType *type, int left) {
  type = stype_find(type);
  if (--left < 0) return left;
  switch (type->tag) {
    case TYPE_ARRAY: return parts_left(type->array.elem, left);
    case TYPE_ARROW:
      left = parts_left(type->arrow.from, left);
      return left < 0 ? left : parts_left(type->arrow.to, left);
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len && left >= 0; i++)
        left = parts_left(type->record.fields.at[i].type, left);
      return left;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len && left >= 0; j++)
          left = parts_left(type->sum.constrs.at[i].args.at[j], left);
      return left;
    case TYPE_NAMED:
      for (int i = 0; i < type->named.args.len && left >= 0; i++)
        if (type->named.args.at[i].type) left = parts_left(type->named.args.at[i].type, left);
      return left;
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ERROR: return left;
  }
  ice("type tag %d", type->tag);
}

// Types are written out, values have as many parts: pairs of pairs of .. end here.
SType *stype_bounded(Checker *c, Span at, SType *type) {
  enum { LARGEST = 100000 };
  if (parts_left(type, LARGEST) >= 0) return type;
  report(c, at, "[large-type] This type has more than %d parts.", LARGEST);
  return c->error;
}

// ---- kinds -----------------------------------------------------------------------------------
Lift lift_max(Lift a, Lift b) { return a > b ? a : b; }

Lift stype_lift(SType *type) {
  Lift lift = LIFT_NONE;
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_VAR: return type->var->kind == VAR_PRIM ? LIFT_NONE : type->var->lift;
    case TYPE_ARRAY: return stype_lift(type->array.elem);
    case TYPE_ARROW: return LIFT_FULL;
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        lift = lift_max(lift, stype_lift(type->record.fields.at[i].type));
      return lift;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
          lift = lift_max(lift, stype_lift(type->sum.constrs.at[i].args.at[j]));
      return lift;
    case TYPE_NAMED:
      lift = type->named.def->lift;
      for (int i = 0; i < type->named.args.len; i++)
        if (type->named.args.at[i].type)
          lift = lift_max(lift, stype_lift(type->named.args.at[i].type));
      return lift;
    case TYPE_PRIM:
    case TYPE_ERROR: return LIFT_NONE;
  }
  ice("type tag %d", type->tag);
}

bool stype_is_functional(SType *type) { return stype_lift(type) == LIFT_FULL; }

SType *stype_row(SType *type, int n) {
  type = stype_find(type);
  for (; n > 0; n--) {
    if (type->tag != TYPE_ARRAY) return NULL;
    type = stype_find(type->array.elem);
  }
  return type;
}

// ---- variables -------------------------------------------------------------------------------
static SType *stype_fresh_kind(Checker *c, VarKind kind, Lift lift, Span span, const char *why) {
  SType *t = stype_new(c, TYPE_VAR);
  t->var = NEW(c->arena, TypeVar);
  t->var->id = c->next_id++;
  t->var->level = c->level;
  t->var->kind = kind;
  t->var->lift = lift;
  t->var->span = span;
  t->var->why = why;
  list_push(c->arena, &c->vars, t);
  return t;
}

SType *stype_fresh(Checker *c, Lift lift, Span span, const char *why) {
  return stype_fresh_kind(c, VAR_FREE, lift, span, why);
}

SType *stype_fresh_prim(Checker *c, uint32_t prims, Span span, const char *why) {
  SType *t = stype_fresh_kind(c, VAR_PRIM, LIFT_NONE, span, why);
  t->var->prims = prims;
  return t;
}

SType *stype_fresh_record(Checker *c, Name field, SType *type, Span span) {
  SType *t = stype_fresh_kind(c, VAR_RECORD, LIFT_FULL, span, NULL);
  SField f = {field, type};
  list_push(c->arena, &t->var->fields, f);
  return t;
}

SType *stype_fresh_sum(Checker *c, Constr constr, Span span) {
  SType *t = stype_fresh_kind(c, VAR_SUM, LIFT_FULL, span, NULL);
  list_push(c->arena, &t->var->constrs, constr);
  return t;
}

// ---- comparison ------------------------------------------------------------------------------
static bool types_same(const TypeList *a, const TypeList *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (!stype_same(a->at[i], b->at[i])) return false;
  return true;
}

static bool records_same(const FieldList *a, const FieldList *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (a->at[i].name != b->at[i].name || !stype_same(a->at[i].type, b->at[i].type)) return false;
  return true;
}

static bool sums_same(const ConstrList *a, const ConstrList *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (a->at[i].name != b->at[i].name || !types_same(&a->at[i].args, &b->at[i].args))
      return false;
  return true;
}

static bool named_same(const SType *a, const SType *b) {
  if (a->named.def != b->named.def) return false;
  for (int i = 0; i < a->named.args.len && i < b->named.args.len; i++)
    if (a->named.args.at[i].type && b->named.args.at[i].type &&
        !stype_same(a->named.args.at[i].type, b->named.args.at[i].type))
      return false;
  return true;
}

bool stype_same(SType *a, SType *b) {
  a = stype_find(a);
  b = stype_find(b);
  if (a == b || a->tag == TYPE_ERROR || b->tag == TYPE_ERROR) return true;
  if (a->tag != b->tag) return false;
  switch (a->tag) {
    case TYPE_VAR: return false;
    case TYPE_PRIM: return a->prim == b->prim;
    case TYPE_ARRAY: return stype_same(a->array.elem, b->array.elem);
    case TYPE_RECORD: return records_same(&a->record.fields, &b->record.fields);
    case TYPE_SUM: return sums_same(&a->sum.constrs, &b->sum.constrs);
    case TYPE_ARROW:
      return stype_same(a->arrow.from, b->arrow.from) && stype_same(a->arrow.to, b->arrow.to);
    case TYPE_NAMED: return named_same(a, b);
    case TYPE_ERROR: return true;
  }
  ice("type tag %d", a->tag);
}

bool stype_has_array(SType *type) {
  type = stype_find(type);
  bool found = type->tag == TYPE_ARRAY;
  if (type->tag == TYPE_RECORD)
    for (int i = 0; i < type->record.fields.len; i++)
      found |= stype_has_array(type->record.fields.at[i].type);
  if (type->tag == TYPE_SUM)
    for (int i = 0; i < type->sum.constrs.len; i++)
      for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
        found |= stype_has_array(type->sum.constrs.at[i].args.at[j]);
  return found;
}
