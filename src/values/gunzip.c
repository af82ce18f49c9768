// Compressed data by zlib (RFC 1951, 1952), which is found at run time, as readline is: Dagaz is
// built and used without it, and then a compressed file gets a message that says so.  The bytes are
// not trusted: zlib bounds its reads, the output is limited here.
#include "local.h"
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

// zlib's z_stream, whose layout is the same in all its versions 1.x.
typedef struct {
  const unsigned char *next_in;
  unsigned in_len;
  unsigned long in_total;
  unsigned char *next_out;
  unsigned out_len;
  unsigned long out_total;
  const char *message;
  void *state, *allocate, *release, *of_user;
  int kind;
  unsigned long sum, reserved;
} Stream;

typedef union {
  void *object;
  int (*start)(Stream *, int window, const char *version, int stream_size);
  int (*inflate)(Stream *, int flush);
  int (*other)(Stream *);
} Function;

typedef struct {
  Function start, inflate, restart, end;
} Zlib;

enum { RAW_WINDOW = -15, GZIP_WINDOW = 15 + 16, OK = 0, STREAM_END = 1, CHUNK = 1 << 16 };
static const size_t most_output = (size_t)1 << 31;
static const char *const no_zlib = "no zlib (libz) on this machine: uncompress the file first";
static const char *const damaged = "the compressed bytes are damaged or end early";

static bool zlib_find(Zlib *z) {
  const char *names[] = {"libz.so.1", "libz.so", "libz.dylib", "libz.1.dylib"};
  void *handle = NULL;
  for (int i = 0; i < COUNT_OF(names) && !handle; i++) handle = dlopen(names[i], RTLD_NOW);
  if (!handle) return false;
  z->start.object = dlsym(handle, "inflateInit2_");
  z->inflate.object = dlsym(handle, "inflate");
  z->restart.object = dlsym(handle, "inflateReset");
  z->end.object = dlsym(handle, "inflateEnd");
  return z->start.object && z->inflate.object && z->restart.object && z->end.object;
}

// One member: until its end, the end of the bytes or too much output.
static bool member_inflate(const Zlib *z, Stream *s, size_t *left, size_t most, Text *out) {
  unsigned char chunk[CHUNK];
  for (;;) {
    unsigned given = *left > UINT_MAX ? UINT_MAX : (unsigned)*left;
    s->in_len = given, s->next_out = chunk, s->out_len = CHUNK;
    int status = z->inflate.inflate(s, 0);
    *left -= given - s->in_len;
    text_write(out, (const char *)chunk, CHUNK - s->out_len);
    if (status == STREAM_END) return out->len <= most;
    if (status != OK || out->len > most) return false;
  }
}

static const char *unpack(const char *bytes, size_t len, int window, size_t most, Text *out) {
  Zlib z;
  if (!zlib_find(&z)) return no_zlib;
  Stream s = {.next_in = (const unsigned char *)bytes};
  if (z.start.start(&s, window, "1", (int)sizeof s) != OK) return no_zlib;
  bool good;
  do {
    good = member_inflate(&z, &s, &len, most, out);
    if (good && window == RAW_WINDOW) break;
    if (good && len > 0) z.restart.other(&s);
  } while (good && len > 0);
  z.end.other(&s);
  return good ? NULL : damaged;
}

const char *gunzip(const char *bytes, size_t len, Text *out) {
  return unpack(bytes, len, GZIP_WINDOW, most_output, out);
}

const char *raw_inflate(const char *bytes, size_t len, size_t most, Text *out) {
  return unpack(bytes, len, RAW_WINDOW, most, out);
}
