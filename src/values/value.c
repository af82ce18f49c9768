// Values: making, reading and writing elements, types.
#include "values.h"
#include <ctype.h>
#include <string.h>
#include "rts/base.h"

Value value_new(Arena *arena, Prim prim, int rank, const int64_t *shape) {
  Value v = {.prim = prim, .rank = rank, .len = 1};
  int64_t *dims = NEW_ARRAY(arena, int64_t, rank + 1);
  for (int d = 0; d < rank; d++) {
    dims[d] = shape[d];
    if (__builtin_mul_overflow(v.len, shape[d], &v.len)) fail_io("out of memory: array too large");
  }
  v.shape = dims;
  if (v.len > INT64_MAX / 16) fail_io("out of memory: array too large");
  v.data = arena_alloc(arena, (size_t)v.len * (size_t)prim_info[prim].bytes);
  return v;
}

Scalar value_at(const Value *v, int64_t i) {
  const char *at = (const char *)v->data + i * prim_info[v->prim].bytes;
  union {
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; float f32; double f64;
  } u;
  memcpy(&u, at, (size_t)prim_info[v->prim].bytes);
  switch (v->prim) {
    case PRIM_I8: return scalar_int(v->prim, u.i8);
    case PRIM_I16: return scalar_int(v->prim, u.i16);
    case PRIM_I32: return scalar_int(v->prim, u.i32);
    case PRIM_I64: case PRIM_U64: return scalar_int(v->prim, u.i64);
    case PRIM_U8: return scalar_int(v->prim, u.u8);
    case PRIM_U16: return scalar_int(v->prim, u.u16);
    case PRIM_U32: return scalar_int(v->prim, u.u32);
    case PRIM_F16: {
      Scalar bits = scalar_int(PRIM_U16, u.u16), out;
      op_eval(OP_FROM_BITS, PRIM_U16, &bits, &out);
      return out;
    }
    case PRIM_F32: return scalar_float(v->prim, (double)u.f32);
    case PRIM_F64: return scalar_float(v->prim, u.f64);
    case PRIM_BOOL: return scalar_bool(u.u8 != 0);
    case PRIM_UNIT: return scalar_int(PRIM_UNIT, 0);
    case PRIM_COUNT: break;
  }
  ice("type %d", v->prim);
}

void value_put(Value *v, int64_t i, Scalar s) {
  char *at = (char *)v->data + i * prim_info[v->prim].bytes;
  check(s.prim == v->prim);
  if (s.prim == PRIM_F64) {
    memcpy(at, &s.f, 8);
  } else if (s.prim == PRIM_F32) {
    float f = (float)s.f;
    memcpy(at, &f, 4);
  } else if (s.prim == PRIM_F16) {
    Scalar bits;
    op_eval(OP_TO_BITS, PRIM_F16, &s, &bits);
    uint16_t h = (uint16_t)bits.i;
    memcpy(at, &h, 2);
  } else {  // little-endian: the low bytes come first
    for (int b = 0; b < prim_info[s.prim].bytes; b++) at[b] = (char)((uint64_t)s.i >> (8 * b));
  }
}

void value_type_print(Text *out, ValueType type) {
  for (int d = 0; d < type.rank; d++) text_puts(out, "[]");
  text_puts(out, prim_info[type.prim].name);
}
