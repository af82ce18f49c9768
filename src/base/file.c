// Whole files in and out.
#include "base.h"
#include <errno.h>

char *stream_read(Arena *arena, FILE *stream, size_t *len) {
  Text text = {0};
  char buffer[65536];
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, stream)) > 0;)
    text_write(&text, buffer, got);
  char *result = arena_strndup(arena, text.at ? text.at : "", text.len);
  if (len) *len = text.len;
  text_free(&text);
  return result;
}

char *file_read(Arena *arena, const char *path, size_t *len) {
  FILE *stream = fopen(path, "rb");
  if (!stream) return NULL;
  char *result = stream_read(arena, stream, len);
  int failed = ferror(stream) ? errno : 0;
  fclose(stream);
  if (!failed) return result;
  errno = failed;
  return NULL;
}

bool file_write(const char *path, const char *s, size_t len) {
  FILE *stream = fopen(path, "wb");
  if (!stream) return false;
  bool ok = fwrite(s, 1, len, stream) == len;
  return fclose(stream) == 0 && ok;
}
