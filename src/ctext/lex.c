// Characters to tokens.  Line markers of the preprocessor (`# 12 "f.c" 2 3`) say where what
// follows stands in the user's files; a token is looked up in its line there, so that positions
// are those of the file as written.  Tokens from a macro have the position of the line's rest.
#include "local.h"
#include <ctype.h>
#include <stdlib.h>

struct Reader {
  C *c;
  const Source *text;    // what is read
  const char *at;
  const Source *file;    // where it stands; NULL: a file that cannot be read
  const char *path;
  bool system, main_file, raw;
  int line;              // of file, from 1
  const char *seek;      // in file: after the token found last on this line
  Map *files;            // by path: Source
};

static const char *const puncts[] = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=",  "%=",  "+=",  "-=", "&=", "^=", "|=", "##", "[",  "]",  "(",  ")",  "{",  "}",  ".",
    "&",   "*",   "+",   "-",  "~",  "!",  "/",  "%",  "<",  ">",  "^",  "|",  "?",  ":",  ";",
    "=",   ",",   "#"};

static const struct {
  const char *text;
  Keyword keyword;
} keywords[] = {
#define K(id, text) {text, KW_##id},
    CTEXT_KEYWORDS(K)
#undef K
    {"__const", KW_CONST}, {"__restrict", KW_RESTRICT}, {"__restrict__", KW_RESTRICT},
    {"__inline", KW_INLINE}, {"__inline__", KW_INLINE}, {"__volatile__", KW_VOLATILE},
    {"__volatile", KW_VOLATILE}, {"__signed__", KW_SIGNED}, {"__asm__", KW_ASM},
    {"__asm", KW_ASM}, {"__attribute", KW_ATTRIBUTE}, {"typeof", KW_TYPEOF},
    {"__typeof", KW_TYPEOF}, {"__thread", KW_THREAD}, {"__alignof__", KW_ALIGNOF},
    {"__complex__", KW_COMPLEX}, {"__float128", KW_FLOAT128}, {"_Float64x", KW_FLOAT128},
    {"_Float32", KW_FLOATX}, {"_Float64", KW_FLOATX}, {"__int128_t", KW_INT128},
    {"__uint128_t", KW_INT128}};

static Keyword keyword_of(const char *s, size_t len) {
  for (int i = 0; i < COUNT_OF(keywords); i++)
    if (strlen(keywords[i].text) == len && memcmp(keywords[i].text, s, len) == 0)
      return keywords[i].keyword;
  return KW_NONE;
}

static bool name_start(char ch) { return isalpha((unsigned char)ch) || ch == '_' || ch == '$'; }
static bool name_part(char ch) { return name_start(ch) || isdigit((unsigned char)ch); }

// ---- positions ----------------------------------------------------------------------------------
static const char *line_start(const Reader *r) {
  if (!r->file || r->line < 1 || r->line > r->file->lines.len) return NULL;
  return r->file->text + r->file->lines.at[r->line - 1];
}

static const char *found_in_line(const Reader *r, const char *from, const char *s, size_t len) {
  bool word = name_part(*s);
  for (const char *p = from; *p && *p != '\n'; p++) {
    if (strncmp(p, s, len) != 0) continue;
    if (word && ((p > r->file->text && name_part(p[-1])) || name_part(p[len]))) continue;
    return p;
  }
  return NULL;
}

static Span span_of(Reader *r, const char *s, size_t len) {
  if (r->raw) {
    uint32_t from = (uint32_t)(s - r->text->text);
    return (Span){r->text, from, from + (uint32_t)len};
  }
  const char *start = r->seek ? r->seek : line_start(r);
  if (!start) return (Span){0};
  const char *p = found_in_line(r, start, s, len);
  if (p) {
    r->seek = p + len;
    uint32_t from = (uint32_t)(p - r->file->text);
    return (Span){r->file, from, from + (uint32_t)len};
  }
  size_t rest = strcspn(start, "\n");
  uint32_t from = (uint32_t)(start - r->file->text);
  return (Span){r->file, from, from + (uint32_t)(rest ? rest : 0)};
}

static const Source *file_of(Reader *r, const char *path) {
  Name name = name_of(r->c->names, path);
  const Source *known = map_get(r->files, KEY(name));
  if (known) return known;
  size_t len;
  char *text = r->system || *path == '<' ? NULL : file_read(r->c->arena, path, &len);
  if (!text) return NULL;
  Source *source = source_new(r->c->arena, name, text, len);
  map_put(r->files, KEY(name), source);
  return source;
}

// # LINE "PATH" FLAGS
static void line_marker(Reader *r) {
  char *end;
  long line = strtol(r->at, &end, 10);
  const char *stop = r->at + strcspn(r->at, "\n");
  const char *open = end < stop ? memchr(end, '"', (size_t)(stop - end)) : NULL;
  const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
  r->line = line > 0 && line < 1000000000 ? (int)line - 1 : 0;  // the marker's own line ends
  r->seek = NULL;
  r->at = stop;
  if (!close) return;
  r->path = arena_strndup(r->c->arena, open + 1, (size_t)(close - open - 1));
  r->system = false;
  for (const char *p = close; p < stop; p++)
    if (*p == '3') r->system = true;
  r->main_file = strcmp(r->path, r->c->unit->path) == 0;
  r->file = r->main_file ? r->c->unit->source : file_of(r, r->path);
}

// ---- tokens -------------------------------------------------------------------------------------
static void token(Reader *r, TokenTag tag, size_t len) {
  Span at = span_of(r, r->at, len);
  Name text = name_intern(r->c->names, r->at, len);
  Keyword k = tag == TOK_NAME ? keyword_of(r->at, len) : KW_NONE;
  list_push(r->c->arena, &r->c->tokens,
            (Token){k ? TOK_KEYWORD : tag, k, r->system, r->main_file, text, at});
  r->at += len;
}

static size_t number_length(const char *s, bool *is_float) {
  bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  size_t i = 0;
  for (;; i++) {
    char e = s[i];
    bool exponent = hex ? e == 'p' || e == 'P' : e == 'e' || e == 'E';
    if (e == '.' || exponent) *is_float = true;
    if (exponent && (s[i + 1] == '+' || s[i + 1] == '-')) i++;
    else if (e != '.' && !name_part(e)) break;
  }
  return i;
}

// The length of a quoted text with its quotes; 0: it does not end on its line.
static size_t quoted_length(const char *s, char quote) {
  for (size_t i = 1; s[i] && s[i] != '\n'; i++) {
    if (s[i] == '\\' && s[i + 1]) i++;
    else if (s[i] == quote) return i + 1;
  }
  return 0;
}

static void quoted(Reader *r, char quote) {
  size_t len = quoted_length(r->at, quote);
  Span at = span_of(r, r->at, 1);
  if (len) {
    token(r, quote == '"' ? TOK_STRING : TOK_CHAR, len);
    return;
  }
  diag_error(r->c->diag, at, "[c-syntax] This %s does not end on its line.",
             quote == '"' ? "string" : "character");
  r->at += strcspn(r->at, "\n");
}

static bool punctuation(Reader *r) {
  for (int i = 0; i < COUNT_OF(puncts); i++) {
    size_t len = strlen(puncts[i]);
    if (strncmp(r->at, puncts[i], len) != 0) continue;
    token(r, TOK_PUNCT, len);
    return true;
  }
  return false;
}

static void directive(Reader *r) {
  const char *p = r->at + 1;
  while (*p == ' ' || *p == '\t') p++;
  if (isdigit((unsigned char)*p)) {
    r->at = p;
    line_marker(r);
    return;
  }
  size_t rest = strcspn(r->at, "\n");
  if (strncmp(p, "pragma", 6) == 0) {
    p += 6;
    while (*p == ' ' || *p == '\t') p++;
    Span at = span_of(r, r->at, 1);
    if (at.src) at.to = at.from + (uint32_t)strcspn(at.src->text + at.from, "\n");
    Name text = name_intern(r->c->names, p, (size_t)(r->at + rest - p));
    list_push(r->c->arena, &r->c->tokens,
              (Token){TOK_PRAGMA, KW_NONE, r->system, r->main_file, text, at});
  } else if (strncmp(p, "include", 7) != 0 && strncmp(p, "define", 6) != 0) {
    diag_error(r->c->diag, span_of(r, r->at, rest),
               "[c-syntax] A preprocessor directive: the text was not preprocessed.");
  }
  r->at += rest;
}

static void comment_skip(Reader *r) {
  if (r->at[1] == '/') {
    r->at += strcspn(r->at, "\n");
    return;
  }
  const char *end = strstr(r->at + 2, "*/");
  const char *to = end ? end + 2 : r->at + strlen(r->at);
  for (; r->at < to; r->at++)
    if (*r->at == '\n') r->line++, r->seek = NULL;
}

static void stray(Reader *r) {
  diag_error(r->c->diag, span_of(r, r->at, 1), "[c-syntax] Stray character in the program.");
  r->at++;
}

static void read_one(Reader *r, bool *fresh) {
  char ch = *r->at;
  bool is_float = false;
  if (ch == '\n') {
    r->line++;
    r->seek = NULL;
    r->at++;
    *fresh = true;
    return;
  }
  bool first = *fresh;
  if (isspace((unsigned char)ch)) {
    r->at++;
    return;
  }
  *fresh = false;
  if (ch == '\\' && r->at[1] == '\n') r->at++;
  else if (ch == '#' && first) directive(r);
  else if (ch == '/' && (r->at[1] == '/' || r->at[1] == '*')) comment_skip(r);
  else if (name_start(ch)) {
    size_t len = 1;
    while (name_part(r->at[len])) len++;
    token(r, TOK_NAME, len);
  } else if (isdigit((unsigned char)ch) || (ch == '.' && isdigit((unsigned char)r->at[1]))) {
    size_t len = number_length(r->at, &is_float);
    token(r, is_float ? TOK_FLOAT : TOK_INT, len);
  } else if (ch == '"' || ch == '\'') quoted(r, ch);
  else if (!punctuation(r)) stray(r);
}

void ctext_lex(C *c, CInput input) {
  bool raw = !input.preprocessed, fresh = true;
  const char *text = raw ? input.text : input.preprocessed;
  Reader r = {.c = c, .at = text, .file = c->unit->source, .path = input.path, .main_file = true,
              .raw = raw, .line = 1, .files = map_new(c->arena)};
  r.text = raw ? c->unit->source : NULL;
  while (*r.at) read_one(&r, &fresh);
  uint32_t end = (uint32_t)c->unit->source->len;
  list_push(c->arena, &c->tokens,
            (Token){TOK_END, KW_NONE, false, true, name_of(c->names, "end of file"),
                    {c->unit->source, end, end}});
}
