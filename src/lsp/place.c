// Positions and file names as the protocol writes them.
#include "local.h"
#include <string.h>

static int utf8_width(unsigned char c) { return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4; }

uint32_t place_offset(const char *text, size_t len, int64_t line, int64_t character) {
  size_t at = 0;
  for (; line > 0 && at < len; at++) line -= text[at] == '\n';
  while (character > 0 && at < len && text[at] != '\n') {
    int width = utf8_width((unsigned char)text[at]);
    character -= width == 4 ? 2 : 1;
    at += (size_t)width < len - at ? (size_t)width : len - at;
  }
  return (uint32_t)at;
}

static void place_print(Text *out, const Source *src, uint32_t at) {
  if (at > src->len) at = (uint32_t)src->len;
  int line = 0, high = src->lines.len;
  while (high - line > 1) {
    int middle = (line + high) / 2;
    if (src->lines.at[middle] <= at) line = middle;
    else high = middle;
  }
  int character = 0;
  for (uint32_t i = src->lines.at[line]; i < at; i++) {
    unsigned char c = (unsigned char)src->text[i];
    if ((c & 0xC0) != 0x80) character += c >= 0xF0 ? 2 : 1;
  }
  text_printf(out, "{\"line\": %d, \"character\": %d}", line, character);
}

void range_print(Text *out, Span span) {
  text_puts(out, "{\"start\": ");
  if (span.src) place_print(out, span.src, span.from);
  else text_puts(out, "{\"line\": 0, \"character\": 0}");
  text_puts(out, ", \"end\": ");
  if (span.src) place_print(out, span.src, span.to);
  else text_puts(out, "{\"line\": 0, \"character\": 0}");
  text_puts(out, "}");
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

const char *uri_path(Arena *arena, const char *uri) {
  if (strncmp(uri, "file://", 7) == 0) uri += 7;
  char *path = arena_strdup(arena, uri), *to = path;
  for (const char *s = uri; *s; s++) {
    bool escaped = *s == '%' && hex_value(s[1]) >= 0 && hex_value(s[2]) >= 0;
    char c = escaped ? (char)(hex_value(s[1]) * 16 + hex_value(s[2])) : *s;
    if (escaped && c != 0) s += 2;
    *to++ = c ? c : '%';
  }
  *to = 0;
  return path;
}

void uri_print(Text *out, const char *path) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  text_puts(out, path[0] == '/' ? "file://" : "");
  for (; *path; path++) {
    if (strchr(plain, *path)) text_putc(out, *path);
    else text_printf(out, "%%%02X", (unsigned char)*path);
  }
}
