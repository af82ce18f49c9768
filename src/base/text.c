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

// ---- formats -----------------------------------------------------------------------------------
// Conversions without flags or widths, which nearly all texts of the compiler are made of, are
// written directly; a format with any other one is the C library's.
static bool format_is_plain(const char *fmt) {
  for (; *fmt; fmt++) {
    if (*fmt != '%') continue;
    fmt++;
    if (*fmt == 'l' && (fmt[1] == 'd' || fmt[1] == 'u')) fmt++;
    else if (*fmt == 'z' && fmt[1] == 'u') fmt++;
    else if (*fmt == 0 || !strchr("sducd%", *fmt)) return false;
  }
  return true;
}

static void put_unsigned(Text *text, uint64_t x) {
  char digits[20];
  size_t n = 0;
  do digits[sizeof digits - ++n] = (char)('0' + x % 10);
  while (x /= 10);
  text_write(text, digits + sizeof digits - n, n);
}

static void put_signed(Text *text, int64_t x) {
  if (x < 0) text_putc(text, '-');
  put_unsigned(text, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

static void put_string(Text *text, const char *s) { text_puts(text, s ? s : "(null)"); }

static void put_plain(Text *text, const char *fmt, va_list args) {
  text->at[text->len] = 0;
  while (*fmt) {
    size_t n = strcspn(fmt, "%");
    text_write(text, fmt, n);
    fmt += n;
    if (!*fmt) break;
    char first = fmt[1];
    bool is_long = first == 'l';
    fmt += is_long || first == 'z' ? 3 : 2;
    switch (fmt[-1]) {
      case 's': put_string(text, va_arg(args, const char *)); break;
      case 'd': put_signed(text, is_long ? va_arg(args, long) : va_arg(args, int)); break;
      case 'c': text_putc(text, (char)va_arg(args, int)); break;
      case 'u':
        if (is_long) put_unsigned(text, va_arg(args, unsigned long));
        else if (first == 'z') put_unsigned(text, va_arg(args, size_t));
        else put_unsigned(text, va_arg(args, unsigned));
        break;
      default: text_putc(text, '%'); break;
    }
  }
}

static void put_any(Text *text, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  size_t room = text->cap - text->len;
  int len = vsnprintf(text->at + text->len, room, fmt, args);
  if ((size_t)len >= room) {
    text_reserve(text, (size_t)len);
    vsnprintf(text->at + text->len, (size_t)len + 1, fmt, again);
  }
  va_end(again);
  text->len += (size_t)len;
}

void text_vprintf(Text *text, const char *fmt, va_list args) {
  text_reserve(text, 64);
  if (format_is_plain(fmt)) put_plain(text, fmt, args);
  else put_any(text, fmt, args);
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
