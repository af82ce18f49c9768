// version ::= number "." number "." number [ "-" stamp "+" commit ]
#include "pkg.h"

typedef struct {
  const char *at, *end;
} Scan;

static bool number_scan(Scan *s, int64_t *out) {
  int digits = 0;
  *out = 0;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++, digits++) {
    if (digits == VERSION_DIGITS) return false;
    *out = *out * 10 + (*s->at - '0');
  }
  return digits > 0;
}

static bool char_scan(Scan *s, char c) {
  if (s->at == s->end || *s->at != c) return false;
  s->at++;
  return true;
}

static bool is_commit(const char *s, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (!(s[i] >= '0' && s[i] <= '9') && !(s[i] >= 'a' && s[i] <= 'f')) return false;
  return len > 0 && len <= 64;
}

bool version_parse(Arena *arena, const char *text, size_t len, Version *out) {
  Scan s = {text, text + len};
  *out = (Version){0};
  if (!number_scan(&s, &out->major) || !char_scan(&s, '.') || !number_scan(&s, &out->minor) ||
      !char_scan(&s, '.') || !number_scan(&s, &out->patch))
    return false;
  if (s.at == s.end) return true;
  if (!char_scan(&s, '-') || !number_scan(&s, &out->stamp) || !char_scan(&s, '+')) return false;
  if (!is_commit(s.at, (size_t)(s.end - s.at))) return false;
  out->commit = arena_strndup(arena, s.at, (size_t)(s.end - s.at));
  return true;
}

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

int version_compare(const Version *a, const Version *b) {
  int by = order(a->major, b->major);
  if (!by) by = order(a->minor, b->minor);
  if (!by) by = order(a->patch, b->patch);
  if (!by) by = order(!a->commit, !b->commit);
  return by ? by : order(a->stamp, b->stamp);
}

void version_print(Text *out, const Version *v) {
  text_printf(out, "%lld.%lld.%lld", (long long)v->major, (long long)v->minor,
              (long long)v->patch);
  if (v->commit) text_printf(out, "-%014lld+%s", (long long)v->stamp, v->commit);
}

const char *version_text(Arena *arena, const Version *v) {
  Text text = {0};
  version_print(&text, v);
  const char *copy = arena_strdup(arena, text.at);
  text_free(&text);
  return copy;
}
