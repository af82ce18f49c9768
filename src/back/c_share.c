// Loops that became functions and are equal but for names are one function: a function of the
// source that is inlined many times, a value beside its derivative.
//
// Law: two texts are equal but for names if the same words stand in them once the k-th variable
// is written @k.  A word is a variable if it ends with a variable's number, and is not a function,
// a field or of the runtime; in doubt it stays as it is, and so do both functions.
#include <ctype.h>
#include <string.h>
#include "local.h"

Shares c_shares_new(Arena *arena) {
  return (Shares){.arena = arena, .texts = names_new(arena), .name_of = map_new(arena)};
}

static bool is_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Over digits before `end`, not before `from`.
static const char *before_digits(const char *from, const char *end) {
  while (end > from && isdigit((unsigned char)end[-1])) end--;
  return end;
}

// x_12, p_x_12, x_12v3 (of a vector), t4_12 (a copy's).
static bool ends_with_number(const char *s, const char *end) {
  const char *digits = before_digits(s, end);
  if (digits < end && digits > s && digits[-1] == 'v' &&
      before_digits(s, digits - 1) < digits - 1) {
    end = digits - 1;
    digits = before_digits(s, end);
  }
  return digits < end && digits > s && digits[-1] == '_';
}

static bool is_ours(const char *s) {
  return strncmp(s, "f_", 2) == 0 || strncmp(s, "dz_", 3) == 0 || strncmp(s, "Dz", 2) == 0 ||
         strncmp(s, "DZ", 2) == 0;
}

static bool is_variable(const char *text, const char *s, const char *end) {
  bool field = s > text && (s[-1] == '.' || s[-1] == '>');
  return !field && *end != '(' && !is_ours(s) && ends_with_number(s, end);
}

static void put_word(Text *out, Shares *shares, Map *seen, const char *s, const char *end) {
  Name name = name_intern(shares->texts, s, (size_t)(end - s));
  intptr_t number = (intptr_t)map_get(seen, KEY(name));
  if (!number) map_put(seen, KEY(name), (void *)(number = map_len(seen) + 1));
  text_printf(out, "@%d", (int)number);
}

// The text with its variables numbered; strings do not occur in loops.
static Name numbered(Shares *shares, const Text *text) {
  Text out = {0};
  Map *seen = map_new(shares->arena);
  for (const char *s = text->at; *s;) {
    const char *end = s;
    while (is_part(*end)) end++;
    if (end == s) text_putc(&out, *s++);
    else if (is_variable(text->at, s, end)) put_word(&out, shares, seen, s, end);
    else text_write(&out, s, (size_t)(end - s));
    s = end > s ? end : s;
  }
  Name name = name_intern(shares->texts, out.at, out.len);
  text_free(&out);
  return name;
}

const char *c_share(Shares *shares, const Text *text, const char *name) {
  Name key = numbered(shares, text);
  const char *first = map_get(shares->name_of, KEY(key));
  if (first) return first;
  map_put(shares->name_of, KEY(key), (void *)arena_strdup(shares->arena, name));
  return NULL;
}
