// manifest ::= [ "package" path ] [ "require" "{" { path version [ "#" hash ] } "}" ]
// A comment goes from "--" to the end of its line.  Printing keeps comments, each on a line of its
// own, in the place between words where it stood.
#include "pkg.h"

// ---- paths -----------------------------------------------------------------------------------
// A path becomes a folder of lib/ and an argument of git: no option, no way out of the folder.
static bool word_valid(const char *s, size_t len) {
  if (len == 0 || s[0] == '-') return false;
  return !(s[0] == '.' && (len == 1 || (len == 2 && s[1] == '.')));
}

bool pkg_path_valid(const char *path, size_t len) {
  if (len > PKG_PATH_BYTES) return false;
  size_t from = 0;
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)path[i];
    if (c <= ' ' || c == 0x7f || strchr("\\{}#\"'`$*?<>|;&()", c)) return false;
    if (c != '/') continue;
    if (!word_valid(path + from, i - from)) return false;
    from = i + 1;
  }
  return word_valid(path + from, len - from);
}

const char *pkg_repository(Arena *arena, const char *path, int64_t *major) {
  const char *at = strrchr(path, '@');
  Version v;
  *major = -1;
  if (!at || strchr(at, '/')) return path;
  if (!version_parse(arena, arena_printf(arena, "%s.0.0", at + 1), strlen(at + 1) + 4, &v))
    return path;
  *major = v.major;
  return arena_strndup(arena, path, (size_t)(at - path));
}

// ---- reading ---------------------------------------------------------------------------------
typedef struct {
  Arena *arena;
  const char *text, *at, *end;
  Manifest *out;
  CommentList *comments;  // where the next ones go; NULL: into the list of entries
  ManifestError *error;
  bool failed;
} Reader;

static void fail_at(Reader *r, const char *at, const char *message) {
  if (r->failed) return;
  r->failed = true;
  *r->error = (ManifestError){1, 1, message};
  for (const char *p = r->text; p < at; p++) {
    r->error->column++;
    if (*p == '\n') r->error->line++, r->error->column = 1;
  }
}

static void comment_take(Reader *r) {
  const char *from = r->at;
  while (r->at < r->end && *r->at != '\n' && *r->at) r->at++;
  const char *to = r->at;
  while (to > from && (to[-1] == ' ' || to[-1] == '\r' || to[-1] == '\t')) to--;
  const char *comment = arena_strndup(r->arena, from, (size_t)(to - from));
  if (r->comments) list_push(r->arena, r->comments, comment);
  else list_push(r->arena, &r->out->entries, (ManifestEntry){.comment = comment});
}

static void space_skip(Reader *r) {
  for (; r->at < r->end; r->at++) {
    if (r->end - r->at >= 2 && r->at[0] == '-' && r->at[1] == '-') {
      comment_take(r);
      if (r->at == r->end) return;
    }
    if (!strchr(" \t\r\n", *r->at) || !*r->at) return;
  }
}

static bool is_word(char c) {
  return c && !strchr(" \t\r\n{}#", c);
}

static size_t word_length(const Reader *r) {
  size_t n = 0;
  while (r->at + n < r->end && is_word(r->at[n])) n++;
  return n;
}

static bool keyword_take(Reader *r, const char *word) {
  size_t n = strlen(word);
  if (word_length(r) != n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static bool char_take(Reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

// A slash at the end is no part of the path.
static const char *path_read(Reader *r) {
  size_t word = word_length(r), n = word;
  if (n > 0 && r->at[n - 1] == '/') n--;
  if (!pkg_path_valid(r->at, n)) fail_at(r, r->at, "a package path was expected here, as in "
                                                   "github.com/user/repo");
  const char *path = arena_strndup(r->arena, r->at, n);
  r->at += word;
  return path;
}

static void version_read(Reader *r, Requirement *q) {
  space_skip(r);
  size_t n = word_length(r);
  if (!version_parse(r->arena, r->at, n, &q->version))
    fail_at(r, r->at, "a version was expected here, as in 1.2.3");
  r->at += n;
}

static void hash_read(Reader *r, Requirement *q) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
  const char *from = r->at;
  if (!char_take(r, '#')) return;
  size_t n = word_length(r);
  for (size_t i = 0; i < n; i++)
    if (!strchr("0123456789abcdefABCDEF", r->at[i])) n = 0;
  if (n == 0 || n > 64) fail_at(r, from, "the hash of a commit has hexadecimal digits");
  q->hash = arena_strndup(r->arena, r->at, n);
  r->at += n;
}

static void requirement_read(Reader *r) {
  ManifestEntry entry = {0};
  entry.required.path = path_read(r);
  if (!r->failed) version_read(r, &entry.required);
  if (!r->failed) hash_read(r, &entry.required);
  if (r->out->entries.len >= MANIFEST_ENTRIES) fail_at(r, r->at, "too many requirements");
  if (!r->failed) list_push(r->arena, &r->out->entries, entry);
}

static void requirements_read(Reader *r) {
  space_skip(r);
  if (!char_take(r, '{')) {
    fail_at(r, r->at, "'{' was expected after 'require'");
    return;
  }
  r->comments = NULL;
  for (space_skip(r); !r->failed && !char_take(r, '}'); space_skip(r)) {
    if (r->at == r->end) fail_at(r, r->at, "a package path or '}' was expected before the end");
    else requirement_read(r);
  }
}

bool manifest_parse(Arena *arena, const char *text, size_t len, Manifest *out,
                    ManifestError *error) {
  *out = (Manifest){0};
  Reader r = {arena, text, text, text + len, out, &out->head, error, false};
  if (len > MANIFEST_BYTES) fail_at(&r, text, "the file is larger than 1 MB");
  if (!r.failed) space_skip(&r);
  if (!r.failed && keyword_take(&r, "package")) {
    space_skip(&r);
    out->path = path_read(&r);
    r.comments = &out->between;
    if (!r.failed) space_skip(&r);
  }
  if (!r.failed && keyword_take(&r, "require")) requirements_read(&r);
  r.comments = &out->tail;
  if (!r.failed) space_skip(&r);
  if (!r.failed && r.at < r.end)
    fail_at(&r, r.at, "'package PATH' or 'require { .. }' was expected here");
  return !r.failed;
}

// ---- printing --------------------------------------------------------------------------------
static void comments_print(Text *out, const CommentList *comments) {
  for (int i = 0; i < comments->len; i++) text_printf(out, "%s\n", comments->at[i]);
}

void manifest_print(Text *out, const Manifest *m) {
  comments_print(out, &m->head);
  if (m->path) text_printf(out, "package %s\n\n", m->path);
  comments_print(out, &m->between);
  text_puts(out, "require {\n");
  for (int i = 0; i < m->entries.len; i++) {
    const ManifestEntry *e = &m->entries.at[i];
    if (e->comment) {
      text_printf(out, "  %s\n", e->comment);
      continue;
    }
    text_printf(out, "  %s ", e->required.path);
    version_print(out, &e->required.version);
    if (e->required.hash) text_printf(out, " #%s", e->required.hash);
    text_putc(out, '\n');
  }
  text_puts(out, "}\n");
  comments_print(out, &m->tail);
}

Requirement *manifest_find(const Manifest *m, const char *path) {
  for (int i = 0; i < m->entries.len; i++) {
    ManifestEntry *e = &m->entries.at[i];
    if (!e->comment && strcmp(e->required.path, path) == 0) return &e->required;
  }
  return NULL;
}
