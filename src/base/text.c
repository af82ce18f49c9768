// The growing character buffer of base.h.
#include "base.h"
#include <stdlib.h>
#include <string.h>

static void text_reserve(Text *text, size_t more) {
  if (text->len + more + 1 <= text->cap) return;
  size_t cap = text->cap ? text->cap * 2 : 256;
  while (cap < text->len + more + 1) cap *= 2;
  char *at = realloc(text->at, cap);
  if (!at) fail_io("out of memory (%zu bytes)", cap);
  text->at = at;
  text->cap = cap;
}

void text_write(Text *text, const char *s, size_t len) {
  text_reserve(text, len);
  if (len) memcpy(text->at + text->len, s, len);
  text->len += len;
  text->at[text->len] = 0;
}

void text_puts(Text *text, const char *s) { text_write(text, s, strlen(s)); }
void text_putc(Text *text, char c) { text_write(text, &c, 1); }

void text_vprintf(Text *text, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  text_reserve(text, 64);
  size_t room = text->cap - text->len;
  int len = vsnprintf(text->at + text->len, room, fmt, args);
  if ((size_t)len >= room) {
    text_reserve(text, (size_t)len);
    vsnprintf(text->at + text->len, (size_t)len + 1, fmt, again);
  }
  va_end(again);
  text->len += (size_t)len;
}

void text_printf(Text *text, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  text_vprintf(text, fmt, args);
  va_end(args);
}

void text_free(Text *text) {
  free(text->at);
  *text = (Text){0};
}
