// A preprocessor for where there is no C compiler: directives and files.  It prints what `cc -E`
// prints: the text without macros, line markers in between.  Headers of the C library are those of
// lib/c, which declare the functions of libc.def.  The first mistake ends it.
//
// Text between two directives is expanded as a whole, so that arguments of a macro may stand on
// several lines; a directive among them is an error.
#include "pp.h"
#include <errno.h>

enum { MOST_INCLUDES = 60 };

Span pp_line_span(const Pp *pp, int line) {
  const Source *s = pp->file;
  if (!s || line < 1 || line > s->lines.len) return (Span){0};
  uint32_t from = s->lines.at[line - 1];
  while (s->text[from] == ' ' || s->text[from] == '\t') from++;
  return (Span){s, from, from + (uint32_t)strcspn(s->text + from, "\r\n")};
}

_Noreturn void pp_fail(Pp *pp, int line, const char *fmt, ...) {
  va_list args;
  Text text = {0};
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  diag_error(pp->diag, pp_line_span(pp, line), "[c-preprocessor] %s", text.at);
  text_free(&text);
  stop_now(STATUS_USER_ERROR);
}

// ---- output -------------------------------------------------------------------------------------
static void marker(Pp *pp, int line) {
  if (pp->out->len && pp->out->at[pp->out->len - 1] != '\n') text_putc(pp->out, '\n');
  text_printf(pp->out, "# %d \"%s\"%s\n", line, pp->file->path, pp->system ? " 3" : "");
  pp->out_line = line;
}

static void line_reach(Pp *pp, int line) {
  if (line < pp->out_line || line > pp->out_line + 8) {
    if (line != pp->out_line) marker(pp, line);
    return;
  }
  for (; pp->out_line < line; pp->out_line++) text_putc(pp->out, '\n');
}

// _Pragma("text") at token i: the pragma on a separate line.
static bool pragma_operator(Pp *pp, const PpTokens *tokens, int i) {
  if (i + 3 >= tokens->len || strcmp(tokens->at[i].text, "_Pragma") != 0 ||
      !pp_is(&tokens->at[i + 1], "(") || tokens->at[i + 2].tag != PP_STRING)
    return false;
  marker(pp, tokens->at[i].line);
  text_puts(pp->out, "#pragma ");
  const char *text = tokens->at[i + 2].text;
  for (const char *c = text + 1; c[0] && c[1]; c++) {
    if (*c == '\\' && (c[1] == '"' || c[1] == '\\')) c++;
    text_putc(pp->out, *c);
  }
  marker(pp, tokens->at[i].line);
  return true;
}

static void flush(Pp *pp) {
  PpTokens tokens = pp_expand(pp, pp->pending);
  pp->pending = (PpTokens){0};
  const PpToken *last = NULL;
  for (int i = 0; i < tokens.len; i++) {
    if (pragma_operator(pp, &tokens, i)) {
      i += 3;
      last = NULL;
      continue;
    }
    if (tokens.at[i].line != pp->out_line) {
      line_reach(pp, tokens.at[i].line);
      last = NULL;
    }
    pp_token_print(pp->out, last, &tokens.at[i]);
    if (tokens.at[i].tag != PP_EMPTY) last = &tokens.at[i];
  }
}

// ---- #include -----------------------------------------------------------------------------------
static void file_process(Pp *pp, const Source *file, bool system);

static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
}

static const Source *file_open(Pp *pp, const char *path) {
  size_t len;
  const char *text = file_read(pp->arena, path, &len);
  if (!text || strlen(text) != len) return NULL;
  return source_new(pp->arena, arena_strdup(pp->arena, path), text, len);
}

static const Source *file_found(Pp *pp, const char *name, bool angle) {
  const Source *found = NULL;
  if (!angle && *name != '/')
    found = file_open(pp, arena_printf(pp->arena, "%s%s", folder_of(pp->arena, pp->file->path),
                                       name));
  if (*name == '/') return file_open(pp, name);
  for (int i = 0; i < pp->job->flags.len && !found; i++) {
    const char *flag = pp->job->flags.at[i];
    if (strncmp(flag, "-I", 2) == 0)
      found = file_open(pp, arena_printf(pp->arena, "%s/%s", flag + 2, name));
  }
  return found;
}

static const struct EmbeddedFile *header_found(const Pp *pp, const char *name) {
  for (const struct EmbeddedFile *h = pp->job->headers; h && h->name; h++)
    if (strcmp(h->name, name) == 0) return h;
  return NULL;
}

static const char *headers_known(Pp *pp) {
  Text text = {0};
  for (const struct EmbeddedFile *h = pp->job->headers; h && h->name; h++)
    text_printf(&text, "%s%s", h == pp->job->headers ? "" : " ", h->name);
  const char *known = arena_strdup(pp->arena, text.at ? text.at : "");
  text_free(&text);
  return known;
}

// The name between <> or "", after macros; a message when there is none.
static const char *include_name(Pp *pp, const PpTokens *line, int from, bool *angle) {
  PpTokens rest = {0};
  for (int i = from; i < line->len; i++) list_push(pp->arena, &rest, line->at[i]);
  if (rest.len && rest.at[0].tag == PP_NAME) rest = pp_expand(pp, rest);
  *angle = rest.len && pp_is(&rest.at[0], "<");
  if (rest.len == 1 && rest.at[0].tag == PP_STRING && strlen(rest.at[0].text) > 2)
    return arena_strndup(pp->arena, rest.at[0].text + 1, strlen(rest.at[0].text) - 2);
  Text name = {0};
  int i = 1;
  for (; *angle && i < rest.len && !pp_is(&rest.at[i], ">"); i++)
    text_printf(&name, "%s%s", rest.at[i].space && i > 1 ? " " : "", rest.at[i].text);
  const char *result = arena_strdup(pp->arena, name.at ? name.at : "");
  text_free(&name);
  if (!*angle || i >= rest.len || !*result)
    pp_fail(pp, line->at[0].line, "#include needs <NAME> or \"NAME\".");
  return result;
}

static void include(Pp *pp, const PpTokens *line) {
  bool angle;
  int at = line->at[0].line;
  const char *name = include_name(pp, line, 2, &angle);
  const Source *file = file_found(pp, name, angle);
  const struct EmbeddedFile *header = file ? NULL : header_found(pp, name);
  if (!file && !header) {
    diag_error(pp->diag, pp_line_span(pp, at), "[c-preprocessor] There is no header \"%.200s\".",
               name);
    diag_hint(pp->diag, "headers of the C library that are known here: %s", headers_known(pp));
    stop_now(STATUS_USER_ERROR);
  }
  if (++pp->depth > MOST_INCLUDES) pp_fail(pp, at, "Files include each other without end.");
  if (header)
    file = source_new(pp->arena, arena_printf(pp->arena, "<%s>", name), header->text, header->len);
  if (!map_get(pp->once, KEY(name_of(pp->names, file->path))))
    file_process(pp, file, header != NULL || pp->system);
  pp->depth--;
}

// ---- conditions ---------------------------------------------------------------------------------
static bool active(const Pp *pp) {
  return !pp->conditions.len || pp->conditions.at[pp->conditions.len - 1].active;
}

static bool is_defined(Pp *pp, const PpTokens *line) {
  if (line->len < 3 || line->at[2].tag != PP_NAME)
    pp_fail(pp, line->at[0].line, "#%s without a name.", line->at[1].text);
  return pp_macro(pp, line->at[2].text) != NULL;
}

static void condition_open(Pp *pp, const char *word, const PpTokens *line) {
  PpCondition c = {.line = line->at[0].line, .outer = active(pp)};
  if (c.outer)
    c.active = strcmp(word, "if") == 0 ? pp_condition(pp, line, 2)
                                       : is_defined(pp, line) == (strcmp(word, "ifdef") == 0);
  c.taken = c.active;
  list_push(pp->arena, &pp->conditions, c);
}

static void condition_next(Pp *pp, const char *word, const PpTokens *line, int opened) {
  int at = line->at[0].line;
  if (pp->conditions.len <= opened) pp_fail(pp, at, "#%s without #if.", word);
  PpCondition *c = &pp->conditions.at[pp->conditions.len - 1];
  if (strcmp(word, "endif") == 0) {
    pp->conditions.len--;
    return;
  }
  if (c->after_else) pp_fail(pp, at, "#%s after #else.", word);
  bool open = c->outer && !c->taken;
  c->active = false;
  if (strcmp(word, "else") == 0) c->after_else = true, c->active = open;
  else if (open) c->active = pp_condition(pp, line, 2);
  c->taken |= c->active;
}

static bool one_of(const char *word, const char *list) {
  size_t len = strlen(word);
  for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
    if ((p == list || p[-1] == ' ') && (p[len] == ' ' || !p[len])) return true;
  return false;
}

// ---- other directives ---------------------------------------------------------------------------
static const char *rest_of(Pp *pp, const PpTokens *line, int from) {
  Text text = {0};
  for (int i = from; i < line->len; i++)
    text_printf(&text, "%s%s", i > from && line->at[i].space ? " " : "", line->at[i].text);
  const char *rest = arena_strdup(pp->arena, text.at ? text.at : "");
  text_free(&text);
  return rest;
}

static void pragma(Pp *pp, const PpTokens *line) {
  const char *rest = rest_of(pp, line, 2);
  if (strcmp(rest, "once") == 0)
    map_put(pp->once, KEY(name_of(pp->names, pp->file->path)), pp);
  else {
    marker(pp, line->at[0].line);
    text_printf(pp->out, "#pragma %s", rest);
    marker(pp, pp->line);
  }
}

// Positions are those of the file, whatever #line says.
static void directive(Pp *pp, const char *word, const PpTokens *line) {
  int at = line->at[0].line;
  if (strcmp(word, "define") == 0) pp_define(pp, line, 2);
  else if (strcmp(word, "undef") == 0) {
    is_defined(pp, line);
    map_put(pp->macros, KEY(line->at[2].text), NULL);
  } else if (strcmp(word, "include") == 0) include(pp, line);
  else if (strcmp(word, "pragma") == 0) pragma(pp, line);
  else if (strcmp(word, "error") == 0) pp_fail(pp, at, "#error %.300s", rest_of(pp, line, 2));
  else if (strcmp(word, "warning") == 0)
    diag_warn(pp->diag, pp_line_span(pp, at), "[c-preprocessor] #warning %.300s",
              rest_of(pp, line, 2));
  else if (strcmp(word, "line") != 0 && strcmp(word, "ident") != 0)
    pp_fail(pp, at, "Unknown directive #%.40s.", word);
}

static void line_process(Pp *pp, const PpTokens *line, int opened) {
  if (!line->len) return;
  if (!pp_is(&line->at[0], "#")) {
    for (int i = 0; active(pp) && i < line->len; i++)
      list_push(pp->arena, &pp->pending, line->at[i]);
    return;
  }
  flush(pp);
  const char *word = line->len > 1 ? line->at[1].text : "";
  if (!*word) return;
  if (one_of(word, "if ifdef ifndef")) condition_open(pp, word, line);
  else if (one_of(word, "elif else endif")) condition_next(pp, word, line, opened);
  else if (active(pp)) directive(pp, word, line);
}

static void file_process(Pp *pp, const Source *file, bool system) {
  const Source *outer = pp->file;
  const char *at = pp->at;
  int line = pp->line, opened = pp->conditions.len;
  bool outer_system = pp->system;
  pp->file = file, pp->at = file->text, pp->line = 1, pp->system = system;
  marker(pp, 1);
  for (;;) {
    PpTokens tokens = {0};
    if (!pp_line(pp, &tokens)) break;
    line_process(pp, &tokens, opened);
  }
  flush(pp);
  if (pp->conditions.len > opened)
    pp_fail(pp, pp->conditions.at[pp->conditions.len - 1].line, "This #if has no #endif.");
  pp->file = outer, pp->at = at, pp->line = line, pp->system = outer_system;
  if (outer) marker(pp, line);
}

// ---- the whole ----------------------------------------------------------------------------------
static void define_text(Pp *pp, const char *text) {
  PpTokens line = {0};
  pp_tokens_of(pp, text, 1, &line);
  if (line.len) pp_define(pp, &line, 0);
}

// As the compilers define them, for the data model of ctype_size: LP64, two's complement, IEEE.
static void predefine(Pp *pp) {
  static const char *const texts[] = {
      "__DAGAZ__ 1", "__STDC__ 1", "__STDC_VERSION__ 201112L", "__STDC_HOSTED__ 1", "__LP64__ 1",
      "_LP64 1", "__CHAR_BIT__ 8", "__SIZEOF_INT__ 4", "__SIZEOF_LONG__ 8", "__SIZEOF_POINTER__ 8",
      "__STRICT_ANSI__ 1", "_DEFAULT_SOURCE 1", "_XOPEN_SOURCE 700",
      "__DATE__ \"??? ?? ????\"", "__TIME__ \"??:??:??\""};
  static const struct {
    const char *name;
    PpMacroKind kind;
  } special[] = {{"__LINE__", MACRO_LINE}, {"__FILE__", MACRO_FILE},
                 {"__COUNTER__", MACRO_COUNTER}};
  for (int i = 0; i < COUNT_OF(texts); i++) define_text(pp, texts[i]);
  for (int i = 0; i < COUNT_OF(special); i++) {
    PpMacro *m = NEW(pp->arena, PpMacro);
    *m = (PpMacro){.name = name_of(pp->names, special[i].name), .kind = special[i].kind};
    map_put(pp->macros, KEY(m->name), m);
  }
}

// -DNAME, -DNAME=TEXT, -UNAME.
static void flags_apply(Pp *pp) {
  for (int i = 0; i < pp->job->flags.len; i++) {
    const char *flag = pp->job->flags.at[i];
    const char *equals = strchr(flag, '=');
    if (strncmp(flag, "-U", 2) == 0) map_put(pp->macros, KEY(name_of(pp->names, flag + 2)), NULL);
    if (strncmp(flag, "-D", 2) != 0) continue;
    define_text(pp, equals ? arena_printf(pp->arena, "%.*s %s", (int)(equals - flag - 2), flag + 2,
                                          equals + 1)
                           : arena_printf(pp->arena, "%s 1", flag + 2));
  }
}

const char *cpreprocess(Arena *arena, Names *names, Diag *diag, const CPreprocess *job) {
  Text out = {0};
  Pp pp = {.arena = arena, .names = names, .diag = diag, .job = job, .out = &out,
           .macros = map_new(arena), .once = map_new(arena)};
  Stop stop;
  const char *result = NULL;
  if (stop_arm(&stop)) {
    const Source *main_file = source_new(arena, job->path, job->text, strlen(job->text));
    pp.file = main_file;
    predefine(&pp);
    flags_apply(&pp);
    pp.file = NULL;
    file_process(&pp, main_file, false);
    stop_pop(&stop);
    result = arena_strdup(arena, out.at ? out.at : "");
  }
  text_free(&out);
  text_free(&pp.scratch);
  if (!result && stop.status != STATUS_USER_ERROR) stop_now(stop.status);
  return result;
}
