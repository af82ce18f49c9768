// The binary format: 'b', version 2, rank, type in four characters, sizes as i64, then the
// elements, all little-endian.
#include "local.h"
#include <string.h>

static const char *const type_codes[PRIM_COUNT] = {
    [PRIM_I8] = "  i8",  [PRIM_I16] = " i16", [PRIM_I32] = " i32", [PRIM_I64] = " i64",
    [PRIM_U8] = "  u8",  [PRIM_U16] = " u16", [PRIM_U32] = " u32", [PRIM_U64] = " u64",
    [PRIM_F16] = " f16", [PRIM_F32] = " f32", [PRIM_F64] = " f64", [PRIM_BOOL] = "bool",
    [PRIM_UNIT] = "unit",
};

static bool prim_coded(const char *code, Prim *out) {
  for (Prim p = 0; p < PRIM_UNIT; p++) {
    if (memcmp(type_codes[p], code, 4) != 0) continue;
    *out = p;
    return true;
  }
  return false;
}

bool binary_value_read(Reader *r, Value *out) {
  if (r->end - r->at < 7) return reader_fail(r, "binary value cut short");
  int rank = (unsigned char)r->at[2];
  Prim prim;
  if (rank > VALUE_MOST_RANK) return reader_fail(r, "binary value of rank %d", rank);
  if (!prim_coded(r->at + 3, &prim)) return reader_fail(r, "unknown type in binary value");
  r->at += 7;
  int64_t shape[VALUE_MOST_RANK], len = 1;
  bool too_large = false;
  if (r->end - r->at < 8 * rank) return reader_fail(r, "binary value cut short");
  for (int d = 0; d < rank; d++, r->at += 8) {
    memcpy(&shape[d], r->at, 8);
    if (shape[d] < 0) return reader_fail(r, "negative size in binary value");
    too_large |= __builtin_mul_overflow(len, shape[d], &len);
  }
  int64_t bytes;
  if (too_large || __builtin_mul_overflow(len, prim_info[prim].bytes, &bytes) ||
      bytes > r->end - r->at)
    return reader_fail(r, "binary value cut short");
  *out = value_new(r->arena, prim, rank, shape);
  if (bytes) memcpy(out->data, r->at, (size_t)bytes);
  r->at += bytes;
  return true;
}

void value_write_head(Text *out, const Value *v) {
  char head[3] = {'b', 2, (char)v->rank};
  text_write(out, head, 3);
  text_write(out, type_codes[v->prim], 4);
  text_write(out, (const char *)v->shape, 8 * (size_t)v->rank);
}

void value_write_binary(Text *out, const Value *v) {
  value_write_head(out, v);
  text_write(out, v->data, (size_t)v->len * (size_t)prim_info[v->prim].bytes);
}
