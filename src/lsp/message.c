// Frames: header lines, an empty line, so many bytes.
#include "local.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_HEADER = 1024 };

// A line without its end; false at the end of input or when it is too long.
static bool header_line(FILE *in, char *line) {
  size_t n = 0;
  int c;
  while ((c = getc(in)) != EOF && c != '\n') {
    if (n + 1 >= MOST_HEADER) return false;
    line[n++] = (char)c;
  }
  if (n > 0 && line[n - 1] == '\r') n--;
  line[n] = 0;
  return c != EOF;
}

// -1: malformed or too large
static int64_t length_value(const char *s) {
  while (*s == ' ') s++;
  int64_t value = 0;
  if (!*s) return -1;
  for (; *s >= '0' && *s <= '9'; s++) {
    value = value * 10 + (*s - '0');
    if (value > MOST_MESSAGE) return -1;
  }
  while (*s == ' ') s++;
  return *s ? -1 : value;
}

static int64_t headers_read(FILE *in, bool *end) {
  char line[MOST_HEADER];
  int64_t len = -1;
  for (bool first = true;; first = false) {
    int c = first ? getc(in) : 0;
    if (c == EOF) return *end = true, -1;
    if (first) ungetc(c, in);
    if (!header_line(in, line)) return -1;
    if (!*line) return len;
    if (strncasecmp(line, "Content-Length:", 15) != 0) continue;
    len = length_value(line + 15);
    if (len < 0) return -1;
  }
}

FrameTag frame_read(Arena *arena, FILE *in, const char **text, size_t *len) {
  bool end = false;
  int64_t n = headers_read(in, &end);
  if (end) return FRAME_END;
  if (n < 0) return FRAME_BROKEN;
  char *bytes = arena_alloc(arena, (size_t)n + 1);
  *len = fread(bytes, 1, (size_t)n, in);
  *text = bytes;
  return *len == (size_t)n ? FRAME_MESSAGE : FRAME_END;
}

void frame_write(FILE *out, const Text *message) {
  fprintf(out, "Content-Length: %zu\r\n\r\n", message->len);
  fwrite(message->at, 1, message->len, out);
  fflush(out);
}
