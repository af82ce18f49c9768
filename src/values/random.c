// Random values of a given type: splitmix64, the same on every machine.
#include "values.h"
#include <ctype.h>
#include <stdlib.h>

static uint64_t next(RandomOptions *o) {
  uint64_t z = (o->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

RandomOptions random_options(uint64_t seed) {
  RandomOptions o = {.state = seed};
  for (Prim p = 0; p < PRIM_COUNT; p++) {
    int bits = 8 * prim_info[p].bytes;
    if (prim_is_float(p)) o.high[p] = 1;
    else if (prim_is_signed(p)) {
      o.high[p] = (double)(INT64_MAX >> (64 - bits));
      o.low[p] = -o.high[p] - 1;
    } else o.high[p] = (double)(UINT64_MAX >> (64 - bits));
  }
  return o;
}

static Scalar random_scalar(Prim p, RandomOptions *o) {
  uint64_t bits = next(o);
  if (p == PRIM_BOOL) return scalar_bool(bits >> 63);
  double unit = (double)(bits >> 11) / 9007199254740992.0;
  if (prim_is_float(p)) return scalar_float(p, o->low[p] + unit * (o->high[p] - o->low[p]));
  double span = o->high[p] - o->low[p] + 1;
  if (span >= 1.8e19) return scalar_int(p, (int64_t)bits);
  uint64_t offset = bits % (uint64_t)span;
  return scalar_int(p, (int64_t)((uint64_t)(int64_t)o->low[p] + offset));
}

Value value_random_shape(Arena *arena, Prim prim, int rank, const int64_t *shape,
                         RandomOptions *options) {
  Value out = value_new(arena, prim, rank, shape);
  for (int64_t i = 0; i < out.len; i++) value_put(&out, i, random_scalar(prim, options));
  return out;
}

bool value_random(Arena *arena, const char *type, RandomOptions *options, Value *out) {
  int64_t shape[VALUE_MOST_RANK];
  int rank = 0;
  while (*type == '[' && rank < VALUE_MOST_RANK) {
    char *end;
    if (!isdigit((unsigned char)type[1])) return false;
    shape[rank++] = strtoll(type + 1, &end, 10);
    for (type = end; isalnum((unsigned char)*type);) type++;  // [10i64]
    if (*type++ != ']') return false;
  }
  Prim prim;
  if (!prim_named(type, &prim) || prim == PRIM_UNIT) return false;
  *out = value_random_shape(arena, prim, rank, shape, options);
  return true;
}
