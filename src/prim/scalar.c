// Scalar values: making, comparing, printing and reading them.
#include "prim.h"
#include "rts/base.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const PrimInfo prim_info[PRIM_COUNT] = {
    [PRIM_I8] = {"i8", "int8_t", 1},     [PRIM_I16] = {"i16", "int16_t", 2},
    [PRIM_I32] = {"i32", "int32_t", 4},  [PRIM_I64] = {"i64", "int64_t", 8},
    [PRIM_U8] = {"u8", "uint8_t", 1},    [PRIM_U16] = {"u16", "uint16_t", 2},
    [PRIM_U32] = {"u32", "uint32_t", 4}, [PRIM_U64] = {"u64", "uint64_t", 8},
    [PRIM_F16] = {"f16", "dz_f16", 2},   [PRIM_F32] = {"f32", "float", 4},
    [PRIM_F64] = {"f64", "double", 8},   [PRIM_BOOL] = {"bool", "bool", 1},
    [PRIM_UNIT] = {"unit", "uint8_t", 1},
};

bool prim_is_int(Prim p) { return p <= PRIM_U64; }
bool prim_is_signed(Prim p) { return p <= PRIM_I64; }
bool prim_is_float(Prim p) { return p == PRIM_F16 || p == PRIM_F32 || p == PRIM_F64; }

bool prim_named(const char *name, Prim *out) {
  for (Prim p = 0; p < PRIM_COUNT; p++) {
    if (strcmp(prim_info[p].name, name) != 0) continue;
    *out = p;
    return true;
  }
  return false;
}

static int64_t wrap(Prim p, int64_t i) {
  int bits = 64 - 8 * prim_info[p].bytes;
  uint64_t up = (uint64_t)i << bits;
  return prim_is_signed(p) ? (int64_t)up >> bits : (int64_t)(up >> bits);
}

Scalar scalar_int(Prim p, int64_t i) {
  check(prim_is_int(p) || p == PRIM_UNIT);
  return (Scalar){.prim = p, .i = p == PRIM_UNIT ? 0 : wrap(p, i)};
}

Scalar scalar_float(Prim p, double f) {
  check(prim_is_float(p));
  if (p == PRIM_F32) f = (double)(float)f;
  if (p == PRIM_F16) f = dz_conv_f16_f64(dz_conv_f64_f16(f));
  return (Scalar){.prim = p, .f = f};
}

Scalar scalar_bool(bool b) { return (Scalar){.prim = PRIM_BOOL, .i = b}; }

Scalar scalar_number(Prim p, double x) {
  if (prim_is_float(p)) return scalar_float(p, x);
  if (p == PRIM_BOOL) return scalar_bool(x != 0);
  return scalar_int(p, (int64_t)x);
}

bool scalar_same(Scalar a, Scalar b) {
  if (a.prim != b.prim) return false;
  if (!prim_is_float(a.prim)) return a.i == b.i;
  return (isnan(a.f) && isnan(b.f)) || memcmp(&a.f, &b.f, sizeof a.f) == 0;
}

bool scalar_is(Scalar a, double x) {
  if (a.prim == PRIM_UNIT) return false;
  return prim_is_float(a.prim) ? a.f == x : x == (double)(int64_t)x && a.i == (int64_t)x;
}

static void float_print(Text *out, Scalar s) {
  if (isnan(s.f)) text_puts(out, "nan");
  else if (isinf(s.f)) text_puts(out, s.f < 0 ? "-inf" : "inf");
  else {
    char buffer[40];
    for (int digits = 1; digits <= 17; digits++) {
      snprintf(buffer, sizeof buffer, "%.*g", digits, s.f);
      if (strtod(buffer, NULL) == s.f) break;
    }
    text_puts(out, buffer);
  }
}

void scalar_print(Text *out, Scalar s) {
  if (s.prim == PRIM_BOOL) {
    text_puts(out, s.i ? "true" : "false");
    return;
  }
  if (s.prim == PRIM_UNIT) {
    text_puts(out, "()");
    return;
  }
  if (prim_is_float(s.prim)) float_print(out, s);
  else if (prim_is_signed(s.prim)) text_printf(out, "%" PRId64, s.i);
  else text_printf(out, "%" PRIu64, (uint64_t)s.i);
  text_puts(out, prim_info[s.prim].name);
}

static bool suffix_split(const char *s, size_t len, Prim *prim, size_t *digits) {
  for (Prim p = 0; p < PRIM_BOOL; p++) {
    size_t n = strlen(prim_info[p].name);
    if (len <= n || memcmp(s + len - n, prim_info[p].name, n) != 0) continue;
    *prim = p;
    *digits = len - n;
    return true;
  }
  return false;
}

static bool word_is(const char *s, size_t len, const char *word) {
  return strlen(word) == len && memcmp(s, word, len) == 0;
}

bool scalar_parse(const char *s, size_t len, Scalar *out) {
  if (word_is(s, len, "true") || word_is(s, len, "false")) {
    *out = scalar_bool(s[0] == 't');
    return true;
  }
  if (word_is(s, len, "()")) {
    *out = scalar_int(PRIM_UNIT, 0);
    return true;
  }
  Prim prim;
  size_t digits;
  char buffer[64], *end;
  if (!suffix_split(s, len, &prim, &digits) || digits >= sizeof buffer) return false;
  memcpy(buffer, s, digits);
  buffer[digits] = 0;
  if (prim_is_float(prim)) *out = scalar_float(prim, strtod(buffer, &end));
  else if (prim_is_signed(prim)) *out = scalar_int(prim, strtoll(buffer, &end, 10));
  else *out = scalar_int(prim, (int64_t)strtoull(buffer, &end, 10));
  return end == buffer + digits && end != buffer;
}
