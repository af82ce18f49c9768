// C's types in core: numbers, and the leaves of structs and arrays.
#include "local.h"

_Noreturn void lower_gap(Lower *l, Span at, const char *fmt, ...) {
  va_list args;
  if (!at.src && l->b.loc) at = l->b.loc->span;
  va_start(args, fmt);
  diag_error_args(l->u->p->diag, at, fmt, args);
  va_end(args);
  stop_now(STATUS_UNSUPPORTED);
}

Prim memory_prim(Lower *l, const CType *t, Span at) {
  Prim p = PRIM_I32;
  if (t->tag == CTYPE_ENUM) return PRIM_I32;
  if (t->tag == CTYPE_LDOUBLE)
    lower_gap(l, at, "[c-long-double] `long double` is not supported through core.");
  if (!ctype_prim(t, &p)) lower_gap(l, at, "[c-unsupported] A value of this type.");
  return p;
}

Prim register_prim(Lower *l, const CType *t, Span at) {
  Prim p = memory_prim(l, t, at);
  switch (p) {
    case PRIM_I8: case PRIM_I16: case PRIM_I32: case PRIM_I64: case PRIM_U8: case PRIM_U16:
      return PRIM_I64;
    case PRIM_U32: case PRIM_U64: case PRIM_F16: case PRIM_F32: case PRIM_F64: case PRIM_BOOL:
    case PRIM_UNIT: case PRIM_COUNT:
      return p;
  }
  return p;
}

// In C a conversion to an integer has derivative zero; in core integers have derivatives.
Atom as_prim(Lower *l, Atom x, Prim p) {
  Type t = atom_type(l->prog, x);
  if (x.is_var && prim_is_float(t.prim) && !prim_is_float(p))
    x = build(&l->b, "whole", t, (Exp){.form = FORM_STOPGRADIENT, .stopgradient = {x}});
  return build_conv(&l->b, p, x);
}

// Narrow integers are cut to their width; a float goes to the type in memory first.
Atom convert(Lower *l, Atom x, const CType *to, Span at) {
  Prim from = atom_type(l->prog, x).prim, reg = register_prim(l, to, at);
  if (reg == PRIM_BOOL) {
    if (from == PRIM_BOOL) return x;
    return build_op(&l->b, OP_NE, x, atom_number(from, 0));
  }
  if (from == PRIM_BOOL || prim_is_float(reg)) return as_prim(l, x, reg);
  Prim mem = memory_prim(l, to, at);
  if (prim_is_float(from) && reg == PRIM_I64 && mem == PRIM_I32) return as_prim(l, x, reg);
  return as_prim(l, as_prim(l, x, mem), reg);
}

void lengths_keep(Lower *l, const CType *t) {
  for (; t->tag == CTYPE_ARRAY || t->tag == CTYPE_POINTER; t = t->base) {
    if (t->tag == CTYPE_POINTER || t->count >= 0 || !t->length) continue;
    Atom n = index_value(l, t->length);
    map_put(l->lengths, KEY(t->length), arena_copy(l->arena, &n, sizeof n));
  }
}

Atom array_length(Lower *l, const CType *array) {
  if (array->count >= 0) return atom_i64(array->count);
  if (!array->length) lower_gap(l, (Span){0}, "[c-length] An array without a length.");
  const Atom *known = map_get(l->lengths, KEY(array->length));
  return known ? *known : index_value(l, array->length);
}

static void leaves_add(Lower *l, const CType *t, Leaf at, Leaves *to) {
  if (t->tag == CTYPE_ARRAY) {
    at.many = build_op(&l->b, OP_MUL, at.many, array_length(l, t));
    at.array = true;
    leaves_add(l, t->base, at, to);
  } else if (t->tag == CTYPE_STRUCT) {
    const char *path = at.path;
    for (int i = 0; i < t->record->fields.len; i++) {
      at.path = arena_printf(l->arena, "%s.%s", path, t->record->fields.at[i].name);
      leaves_add(l, t->record->fields.at[i].type, at, to);
    }
  } else {
    at.type = t;
    list_push(l->arena, to, at);
  }
}

Leaves leaves_of(Lower *l, const CType *t, Span at) {
  Leaves leaves = {0};
  const CType *e = t;
  e = ctype_element(e);
  if (e->tag == CTYPE_UNION) lower_gap(l, at, "[c-punning] A union is not supported through core.");
  if (e->tag == CTYPE_STRUCT && !e->record->complete)
    lower_gap(l, at, "[c-unsupported] A struct whose members are not known here.");
  leaves_add(l, t, (Leaf){.path = "", .many = atom_i64(1)}, &leaves);
  return leaves;
}

bool leaves_have_pointers(const Leaves *leaves) {
  for (int i = 0; i < leaves->len; i++)
    if (leaves->at[i].type->tag == CTYPE_POINTER) return true;
  return false;
}
