// Sounds as WAV: one array of samples, or one for each channel.  8-bit samples are unsigned in the
// file, wider ones signed; floats are stored as they are.
#include "media.h"

static void le(Text *out, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++) text_putc(out, (char)(x >> 8 * i));
}

// Bytes of a sample; 0: no sound has this type.
static int sample_bytes(Prim p) {
  switch (p) {
    case PRIM_I8: case PRIM_U8: return 1;
    case PRIM_I16: case PRIM_U16: return 2;
    case PRIM_I32: case PRIM_U32: case PRIM_F32: return 4;
    case PRIM_F64: return 8;
    case PRIM_I64: case PRIM_U64: case PRIM_F16: case PRIM_BOOL: case PRIM_UNIT: case PRIM_COUNT:
      break;
  }
  return 0;
}

static void sample_write(Text *out, const Value *v, int64_t i, int bytes) {
  Scalar s = value_at(v, i);
  if (s.prim == PRIM_F32) {
    float f = (float)s.f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    le(out, bits, 4);
  } else if (s.prim == PRIM_F64) {
    uint64_t bits;
    memcpy(&bits, &s.f, sizeof bits);
    le(out, bits, 8);
  } else {
    bool shift = s.prim == PRIM_I8 || s.prim == PRIM_U16 || s.prim == PRIM_U32;
    le(out, (uint64_t)s.i + (shift ? (uint64_t)1 << (8 * bytes - 1) : 0), bytes);
  }
}

bool wav_write(Text *out, const Value *v, int64_t rate) {
  int bytes = sample_bytes(v->prim);
  int64_t channels = v->rank == 2 ? v->shape[0] : 1;
  if (!bytes || v->rank < 1 || v->rank > 2 || channels < 1 || channels > 64) return false;
  int64_t samples = v->len / channels, size = v->len * bytes;
  if (size > INT32_MAX - 64) return false;
  text_puts(out, "RIFF"), le(out, (uint64_t)size + 36, 4), text_puts(out, "WAVEfmt ");
  le(out, 16, 4), le(out, prim_is_float(v->prim) ? 3 : 1, 2), le(out, (uint64_t)channels, 2);
  le(out, (uint64_t)rate, 4), le(out, (uint64_t)(rate * channels * bytes), 4);
  le(out, (uint64_t)(channels * bytes), 2), le(out, (uint64_t)bytes * 8, 2);
  text_puts(out, "data"), le(out, (uint64_t)size, 4);
  for (int64_t i = 0; i < samples; i++)
    for (int64_t c = 0; c < channels; c++) sample_write(out, v, c * samples + i, bytes);
  return true;
}
