// C types: making, comparing, measuring them.  Sizes are those of LP64 machines.
#include "local.h"

#define BASIC(tag) {tag, 0, NULL, NULL, NULL, -1, false, false, {0}, false, false, NULL}
const CType ctype_void = BASIC(CTYPE_VOID), ctype_bool = BASIC(CTYPE_BOOL),
            ctype_char = BASIC(CTYPE_CHAR), ctype_int = BASIC(CTYPE_INT),
            ctype_uint = BASIC(CTYPE_UINT), ctype_long = BASIC(CTYPE_LONG),
            ctype_ulong = BASIC(CTYPE_ULONG), ctype_float = BASIC(CTYPE_FLOAT),
            ctype_double = BASIC(CTYPE_DOUBLE), ctype_ldouble = BASIC(CTYPE_LDOUBLE);
static const CType basics[] = {
    BASIC(CTYPE_VOID), BASIC(CTYPE_BOOL), BASIC(CTYPE_CHAR), BASIC(CTYPE_SCHAR),
    BASIC(CTYPE_UCHAR), BASIC(CTYPE_SHORT), BASIC(CTYPE_USHORT), BASIC(CTYPE_INT),
    BASIC(CTYPE_UINT), BASIC(CTYPE_LONG), BASIC(CTYPE_ULONG), BASIC(CTYPE_LLONG),
    BASIC(CTYPE_ULLONG), BASIC(CTYPE_FLOAT), BASIC(CTYPE_DOUBLE), BASIC(CTYPE_LDOUBLE)};
static const int sizes[] = {1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8, 16};

const CType *ctype_basic(CTypeTag tag) {
  check(tag <= CTYPE_LDOUBLE);
  return &basics[tag];
}

const CType *ctype_pointer(Arena *arena, const CType *to) {
  CType *t = NEW(arena, CType);
  *t = (CType){.tag = CTYPE_POINTER, .base = to, .count = -1};
  return t;
}

const CType *ctype_qualified(Arena *arena, const CType *t, unsigned quals) {
  if (t->quals == quals) return t;
  CType *copy = arena_copy(arena, t, sizeof *t);
  copy->quals = quals;
  return copy;
}

const CType *ctype_plain(Arena *arena, const CType *t) { return ctype_qualified(arena, t, 0); }

bool ctype_is_integer(const CType *t) {
  return (t->tag >= CTYPE_BOOL && t->tag <= CTYPE_ULLONG) || t->tag == CTYPE_ENUM;
}
bool ctype_is_float(const CType *t) { return t->tag >= CTYPE_FLOAT && t->tag <= CTYPE_LDOUBLE; }
bool ctype_is_arithmetic(const CType *t) { return ctype_is_integer(t) || ctype_is_float(t); }
bool ctype_is_scalar(const CType *t) {
  return ctype_is_arithmetic(t) || t->tag == CTYPE_POINTER;
}
bool ctype_is_pointer(const CType *t) { return t->tag == CTYPE_POINTER || t->tag == CTYPE_ARRAY; }
bool ctype_has_derivative(const CType *t) {
  return ctype_is_float(ctype_is_pointer(t) ? t->base : t);
}
const CType *ctype_element(const CType *t) {
  while (t->tag == CTYPE_ARRAY) t = t->base;
  return t;
}
bool ctype_is_record(const CType *t) { return t->tag == CTYPE_STRUCT || t->tag == CTYPE_UNION; }

bool ctype_is_signed(const CType *t) {
  switch (t->tag) {
    case CTYPE_CHAR: case CTYPE_SCHAR: case CTYPE_SHORT: case CTYPE_INT: case CTYPE_LONG:
    case CTYPE_LLONG: case CTYPE_ENUM: case CTYPE_FLOAT: case CTYPE_DOUBLE: case CTYPE_LDOUBLE:
      return true;
    case CTYPE_VOID: case CTYPE_BOOL: case CTYPE_UCHAR: case CTYPE_USHORT: case CTYPE_UINT:
    case CTYPE_ULONG: case CTYPE_ULLONG: case CTYPE_POINTER: case CTYPE_ARRAY:
    case CTYPE_FUNCTION: case CTYPE_STRUCT: case CTYPE_UNION: case CTYPE_OPAQUE:
      return false;
  }
  return false;
}

bool ctype_is_variable(const CType *t) {
  if (t->tag != CTYPE_ARRAY) return false;
  return (t->length && t->count < 0) || ctype_is_variable(t->base);
}

static bool same_params(const CType *a, const CType *b) {
  if (a->unprototyped || b->unprototyped) return true;
  if (a->params.len != b->params.len || a->variadic != b->variadic) return false;
  for (int i = 0; i < a->params.len; i++)
    if (!ctype_same(a->params.at[i]->type, b->params.at[i]->type)) return false;
  return true;
}

static bool same_base(const CType *a, const CType *b) {
  return a->base->quals == b->base->quals && ctype_same(a->base, b->base);
}

bool ctype_same(const CType *a, const CType *b) {
  if (a == b) return true;
  if (a->tag != b->tag) return false;
  if (a->tag <= CTYPE_LDOUBLE) return true;
  if (a->tag == CTYPE_STRUCT || a->tag == CTYPE_UNION || a->tag == CTYPE_ENUM)
    return a->record == b->record;
  if (a->tag == CTYPE_OPAQUE) return false;
  if (a->tag == CTYPE_FUNCTION) return ctype_same(a->base, b->base) && same_params(a, b);
  if (a->tag == CTYPE_ARRAY && a->count >= 0 && b->count >= 0 && a->count != b->count) return false;
  return same_base(a, b);
}

int64_t ctype_size(const CType *t) {
  if (t->tag <= CTYPE_LDOUBLE) return sizes[t->tag];
  switch ((int)t->tag) {
    case CTYPE_ENUM: return 4;
    case CTYPE_POINTER: return 8;
    case CTYPE_STRUCT: case CTYPE_UNION: return t->record->complete ? t->record->size : -1;
    case CTYPE_ARRAY: {
      int64_t element = ctype_size(t->base);
      if (element < 0 || t->count < 0) return -1;
      return element && t->count > INT64_MAX / element ? -1 : element * t->count;
    }
    default: return -1;
  }
}

int64_t ctype_align(const CType *t) {
  if (t->tag == CTYPE_ARRAY) return ctype_align(t->base);
  if (ctype_is_record(t)) return t->record->align ? t->record->align : 1;
  int64_t size = ctype_size(t);
  return size > 0 ? size : 1;
}

bool ctype_prim(const CType *t, Prim *out) {
  if (t->tag == CTYPE_BOOL) return *out = PRIM_BOOL, true;
  if (t->tag == CTYPE_FLOAT) return *out = PRIM_F32, true;
  if (t->tag == CTYPE_DOUBLE) return *out = PRIM_F64, true;
  if (!ctype_is_integer(t)) return false;
  static const Prim of_size[2][9] = {
      {[1] = PRIM_U8, [2] = PRIM_U16, [4] = PRIM_U32, [8] = PRIM_U64},
      {[1] = PRIM_I8, [2] = PRIM_I16, [4] = PRIM_I32, [8] = PRIM_I64}};
  *out = of_size[ctype_is_signed(t)][ctype_size(t)];
  return true;
}

const CField *ctype_field(const CType *t, Name name) {
  if (!ctype_is_record(t)) return NULL;
  for (int i = 0; i < t->record->fields.len; i++)
    if (t->record->fields.at[i].name == name) return &t->record->fields.at[i];
  return NULL;
}
