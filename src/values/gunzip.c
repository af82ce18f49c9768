// gunzip (RFC 1951, 1952): data files may be compressed.  The bytes are not trusted: every read is
// bounded, the output is limited.
#include "local.h"
#include <string.h>

enum { MOST_BITS = 15, MOST_CODES = 288 };
static const size_t most_output = (size_t)1 << 31;

typedef struct {
  const unsigned char *at, *end;
  uint32_t bits;
  int count;  // bits stored
  size_t most;  // bytes of output
  Text *out;
  bool bad;
} Inflater;

// Canonical Huffman codes: how many of each length, and the symbols in order.
typedef struct {
  uint16_t count[MOST_BITS + 1], symbol[MOST_CODES];
} Codes;

static uint32_t take(Inflater *f, int n) {
  while (f->count < n) {
    if (f->at == f->end) return f->bad = true, 0;
    f->bits |= (uint32_t)*f->at++ << f->count;
    f->count += 8;
  }
  uint32_t value = f->bits & ((1u << n) - 1);
  f->bits >>= n;
  f->count -= n;
  return value;
}

static Codes codes_of(const uint8_t *lengths, int n) {
  Codes codes = {{0}, {0}};
  uint16_t offset[MOST_BITS + 1] = {0};
  for (int i = 0; i < n; i++) codes.count[lengths[i]]++;
  codes.count[0] = 0;
  for (int b = 1; b < MOST_BITS; b++) offset[b + 1] = (uint16_t)(offset[b] + codes.count[b]);
  for (int i = 0; i < n; i++)
    if (lengths[i]) codes.symbol[offset[lengths[i]]++] = (uint16_t)i;
  return codes;
}

static int symbol_take(Inflater *f, const Codes *codes) {
  int code = 0, first = 0, index = 0;
  for (int b = 1; b <= MOST_BITS && !f->bad; b++) {
    code |= (int)take(f, 1);
    int count = codes->count[b];
    if (code - first < count) return codes->symbol[index + code - first];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  f->bad = true;
  return 0;
}

static void stored_copy(Inflater *f) {
  f->bits = 0;
  f->count = 0;
  if (f->end - f->at < 4) {
    f->bad = true;
    return;
  }
  size_t len = f->at[0] | (size_t)f->at[1] << 8;
  f->at += 4;
  if ((size_t)(f->end - f->at) < len) {
    f->bad = true;
    return;
  }
  text_write(f->out, (const char *)f->at, len);
  f->at += len;
}

static void match_copy(Inflater *f, int symbol, const Codes *distances) {
  static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                  31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t more[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t far[] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,
                                 33,  49,  65,  97,  129, 193,  257,  385,  513,  769,
                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  if (symbol - 257 >= COUNT_OF(base)) {
    f->bad = true;
    return;
  }
  size_t len = base[symbol - 257] + take(f, more[symbol - 257]);
  int d = symbol_take(f, distances);
  bool known = !f->bad && d < COUNT_OF(far);
  size_t distance = known ? far[d] + take(f, d < 2 ? 0 : d / 2 - 1) : 0;
  if (!known || f->bad || distance > f->out->len) {
    f->bad = true;
    return;
  }
  for (; len > 0; len--) text_putc(f->out, f->out->at[f->out->len - distance]);
}

static void block_inflate(Inflater *f, const Codes *literals, const Codes *distances) {
  while (!f->bad) {
    int symbol = symbol_take(f, literals);
    if (f->bad || symbol == 256) return;
    if (f->out->len > f->most) f->bad = true;
    else if (symbol < 256) text_putc(f->out, (char)symbol);
    else match_copy(f, symbol, distances);
  }
}

static void fixed_inflate(Inflater *f) {
  uint8_t lengths[MOST_CODES], five[30];
  for (int i = 0; i < MOST_CODES; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  memset(five, 5, sizeof five);
  Codes literals = codes_of(lengths, MOST_CODES), distances = codes_of(five, 30);
  block_inflate(f, &literals, &distances);
}

// The lengths of the codes are themselves coded: 16 repeats the last, 17 and 18 repeat zero.
static bool lengths_take(Inflater *f, const Codes *codes, uint8_t *lengths, int n) {
  for (int i = 0; i < n && !f->bad;) {
    int symbol = symbol_take(f, codes), repeat = 1;
    uint8_t value = (uint8_t)symbol;
    if (symbol >= 16) value = 0;
    if (symbol == 16) {
      if (i == 0) return false;
      value = lengths[i - 1];
      repeat = 3 + (int)take(f, 2);
    }
    if (symbol == 17) repeat = 3 + (int)take(f, 3);
    if (symbol == 18) repeat = 11 + (int)take(f, 7);
    if (repeat > n - i) return false;
    while (repeat-- > 0) lengths[i++] = value;
  }
  return !f->bad;
}

static void dynamic_inflate(Inflater *f) {
  static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[320] = {0}, few[19] = {0};
  int literals = 257 + (int)take(f, 5), distances = 1 + (int)take(f, 5), n = 4 + (int)take(f, 4);
  for (int i = 0; i < n; i++) few[order[i]] = (uint8_t)take(f, 3);
  Codes codes = codes_of(few, 19);
  if (literals > 286 || distances > 30 || !lengths_take(f, &codes, lengths, literals + distances)) {
    f->bad = true;
    return;
  }
  Codes l = codes_of(lengths, literals), d = codes_of(lengths + literals, distances);
  block_inflate(f, &l, &d);
}

static void member_inflate(Inflater *f) {
  for (bool last = false; !last && !f->bad;) {
    last = take(f, 1);
    switch (take(f, 2)) {
      case 0: stored_copy(f); break;
      case 1: fixed_inflate(f); break;
      case 2: dynamic_inflate(f); break;
      default: f->bad = true;
    }
  }
}

static void text_skip(Inflater *f) {
  while (f->at < f->end && *f->at) f->at++;
  if (f->at < f->end) f->at++;
  else f->bad = true;
}

// magic, method 8, flags, time, more flags, system; then what the flags announce
static void header_skip(Inflater *f) {
  if (f->end - f->at < 18 || f->at[0] != 0x1f || f->at[1] != 0x8b || f->at[2] != 8) {
    f->bad = true;
    return;
  }
  int flags = f->at[3];
  f->at += 10;
  if (flags & 4) {
    size_t len = 2 + (f->at[0] | (size_t)f->at[1] << 8);
    if ((size_t)(f->end - f->at) < len) f->bad = true;
    else f->at += len;
  }
  if (!f->bad && (flags & 8)) text_skip(f);
  if (!f->bad && (flags & 16)) text_skip(f);
  if (flags & 2) f->at += f->end - f->at < 2 ? 0 : 2;
}

bool gunzip(const char *bytes, size_t len, Text *out) {
  Inflater f = {.at = (const unsigned char *)bytes, .out = out, .most = most_output};
  f.end = f.at + len;
  do {
    f.bits = 0;
    f.count = 0;
    header_skip(&f);
    if (!f.bad) member_inflate(&f);
    if (f.end - f.at < 8) f.bad = true;
    else f.at += 8;
  } while (!f.bad && f.at < f.end);
  return !f.bad;
}

bool inflate(const char *bytes, size_t len, size_t most, Text *out) {
  Inflater f = {.at = (const unsigned char *)bytes, .out = out, .most = most};
  f.end = f.at + len;
  member_inflate(&f);
  return !f.bad && out->len <= most;
}
