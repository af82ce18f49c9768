// Shared by the readers only.
#ifndef VALUES_LOCAL_H
#define VALUES_LOCAL_H
#include "values.h"

typedef struct {
  Arena *arena;
  const char *at, *start, *end;
  const char **error;
} Reader;
bool reader_fail(Reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool text_value_read(Reader *r, const ValueType *expected, Value *out);
bool binary_value_read(Reader *r, Value *out);

// Sets *error; false.
bool data_fail(Arena *arena, const char **error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// The number of elements, when the shape is possible and they are at most `bytes` bytes.
bool shape_fits(int rank, const int64_t *shape, int64_t size, size_t bytes, int64_t *len);
// Appends the bytes of a deflated stream (gunzip.c), at most `most` of them; NULL or the problem.
const char *raw_inflate(const char *bytes, size_t len, size_t most, Text *out);
#endif
