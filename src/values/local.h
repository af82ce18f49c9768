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
#endif
