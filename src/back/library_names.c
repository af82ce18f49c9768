// Readable names beside those that are hashes.
//
// The C API names an opaque type after the program's type where that is an identifier, a tuple or
// an array of such; other types ({x: i32, y: i32}, m.t, t') have an MD5 hash for a name, which
// manifests and bindings rely on.  The header has a second name for each identifier with a hash in
// it:  #define futhark_new_opaque_rec_x_i32_y_i32 futhark_new_opaque_bda45ecc..
#include <ctype.h>
#include <string.h>
#include "local.h"

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

// One word of a type's text, primes as zq; returns its end.
static const char *word_put(Text *out, const char *s) {
  for (; is_word(*s); s++) {
    if (*s == '\'') text_puts(out, "zq");
    else text_putc(out, *s);
  }
  return s;
}

// The words of a type's text with underscores between them, [][] as arr2d.
static void words_put(Text *out, const char *s) {
  size_t start = out->len;
  while (*s) {
    int rank = 0;
    for (; s[0] == '[' && s[1] == ']'; s += 2) rank++;
    if (!rank && !is_word(*s)) {
      s++;
      continue;
    }
    if (out->len > start) text_putc(out, '_');
    if (rank) text_printf(out, "arr%dd", rank);
    else s = word_put(out, s);
  }
}

static bool is_hash(const char *name) {
  return strlen(name) == MD5_HEX - 1 && strspn(name, "0123456789abcdef") == MD5_HEX - 1;
}

static const char *readable(const Edge *e, const AbiType *t) {
  Text text = {0};
  if (t->name[0] == '{') text_puts(&text, "rec_");
  if (t->name[0] == '#') text_puts(&text, "sum_");
  if (t->name[0] == '(') text_puts(&text, "tup_");
  words_put(&text, t->name);
  const char *name = arena_strdup(e->arena, text.at ? text.at : "");
  text_free(&text);
  return name;
}

static bool name_is_taken(const Edge *e, const AbiType *t, const char *name) {
  for (int i = 0; i < e->types.len; i++) {
    const AbiType *other = e->types.at[i].type;
    if (i == edge_type(e, t) || !abi_is_opaque(other)) continue;
    const char *theirs = opaque_short(e, other);
    if (strcmp(is_hash(theirs) ? readable(e, other) : theirs, name) == 0) return true;
  }
  return false;
}

const char *opaque_readable(const Edge *e, const AbiType *t) {
  const char *own = opaque_short(e, t);
  if (!is_hash(own)) return own;
  const char *name = readable(e, t);
  return name_is_taken(e, t, name) ? own : name;
}

// The identifiers of the declarations that have the hash in them, each once.
static void aliases_put(Text *out, const Edge *e, const char *text, const AbiType *t) {
  const char *hash = opaque_short(e, t), *name = opaque_readable(e, t);
  size_t len = strlen(hash);
  Map *seen = map_new(e->arena);
  Names *names = names_new(e->arena);
  for (const char *at = text; (at = strstr(at, hash)) != NULL; at += len) {
    const char *from = at, *to = at + len;
    while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_')) from--;
    while (isalnum((unsigned char)*to) || *to == '_') to++;
    Name whole = name_intern(names, from, (size_t)(to - from));
    if (map_get(seen, KEY(whole))) continue;
    map_put(seen, KEY(whole), (void *)whole);
    text_printf(out, "#define %.*s%s%.*s %s\n", (int)(at - from), from, name,
                (int)(to - at - (long)len), at + len, whole);
  }
}

void library_names(Text *out, const Edge *e, const char *declarations) {
  for (int i = 0; i < e->types.len; i++) {
    const AbiType *t = e->types.at[i].type;
    if (!abi_is_opaque(t) || opaque_readable(e, t) == opaque_short(e, t)) continue;
    text_printf(out, "\n// %s\n", t->name);
    aliases_put(out, e, declarations, t);
  }
}
