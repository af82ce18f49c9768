// Pictures as PNG: 8 bits for each of red, green and blue, in stored (uncompressed) deflate blocks.
// [][]i32 and [][]u32 are 0xAARRGGBB, floats grey from 0 to 1, u8 grey from 0 to 255, bool black
// and white.
#include "media.h"

double value_real(const Value *v, int64_t i) {
  Scalar s = value_at(v, i);
  if (prim_is_float(s.prim)) return s.f;
  return s.prim == PRIM_U64 ? (double)(uint64_t)s.i : (double)s.i;
}

static uint32_t grey(double x) {
  uint32_t g = !(x > 0) ? 0 : x >= 1 ? 255 : (uint32_t)(x * 255 + 0.5);
  return g << 16 | g << 8 | g;
}

static bool pixel(const Value *v, int64_t i, uint32_t *out) {
  switch (v->prim) {
    case PRIM_I32: case PRIM_U32: *out = (uint32_t)value_at(v, i).i; return true;
    case PRIM_F32: case PRIM_F64: *out = grey(value_at(v, i).f); return true;
    case PRIM_U8: *out = grey((double)value_at(v, i).i / 255); return true;
    case PRIM_BOOL: *out = value_at(v, i).i ? 0xffffff : 0; return true;
    case PRIM_I8: case PRIM_I16: case PRIM_I64: case PRIM_U16: case PRIM_U64: case PRIM_F16:
    case PRIM_UNIT: case PRIM_COUNT: break;
  }
  return false;
}

static void be32(Text *out, uint32_t x) {
  for (int shift = 24; shift >= 0; shift -= 8) text_putc(out, (char)(x >> shift));
}

static uint32_t crc32(const char *s, size_t len) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < len; i++) {
    crc ^= (unsigned char)s[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

static void chunk(Text *out, const char *type, const Text *data) {
  be32(out, (uint32_t)data->len);
  size_t from = out->len;
  text_write(out, type, 4);
  text_write(out, data->at ? data->at : "", data->len);
  be32(out, crc32(out->at + from, out->len - from));
}

static void zlib_store(Text *out, const Text *raw) {
  enum { BLOCK = 65535 };
  uint32_t a = 1, b = 0;
  text_write(out, "\x78\x01", 2);
  for (size_t at = 0; at < raw->len; at += BLOCK) {
    size_t n = raw->len - at < BLOCK ? raw->len - at : BLOCK;
    char head[5] = {at + n == raw->len, (char)n, (char)(n >> 8), (char)~n, (char)(~n >> 8)};
    text_write(out, head, 5);
    text_write(out, raw->at + at, n);
  }
  for (size_t i = 0; i < raw->len; i++) {
    a = (a + (unsigned char)raw->at[i]) % 65521;
    b = (b + a) % 65521;
  }
  be32(out, b << 16 | a);
}

bool png_write(Text *out, const Value *v) {
  uint32_t rgb;
  if (v->rank != 2 || v->len == 0 || !pixel(v, 0, &rgb)) return false;
  if (v->shape[0] > INT32_MAX || v->shape[1] > INT32_MAX) return false;
  Text raw = {0}, head = {0}, data = {0}, none = {0};
  for (int64_t i = 0; i < v->len; i++) {
    if (i % v->shape[1] == 0) text_putc(&raw, 0);  // the row's filter: none
    pixel(v, i, &rgb);
    for (int shift = 16; shift >= 0; shift -= 8) text_putc(&raw, (char)(rgb >> shift));
  }
  be32(&head, (uint32_t)v->shape[1]), be32(&head, (uint32_t)v->shape[0]);
  text_write(&head, "\x08\x02\0\0\0", 5);
  zlib_store(&data, &raw);
  text_write(out, "\x89PNG\r\n\x1a\n", 8);
  chunk(out, "IHDR", &head), chunk(out, "IDAT", &data), chunk(out, "IEND", &none);
  text_free(&raw), text_free(&head), text_free(&data);
  return true;
}
