// Script inputs: expressions that call the program's own entry points, such as
//   script input { let n = 10 in make_data n }     script input { (2, $loaddata "x.in") }
// A case becomes an entry point `dagaz_script_<i>` after the end of the program: types, opaque
// values and sizes then mean what they always mean.  The values of $loaddata and $loadbytes are
// its parameters, given on stdin.  A tuple is passed as one argument, or as one for every
// parameter when the entry point has several.
#include "cases.h"
#include "data.h"
#include <errno.h>
#include <string.h>

typedef struct {
  Session *s;
  const char *path;
  SourceFile *file;
  Text decs;
  ScriptCases cases;
} Scripts;

bool case_is_script(const TestCase *c) {
  return c->input == INPUT_SCRIPT || c->input == INPUT_SCRIPT_FILE;
}

static const FunDef *definition(const SourceFile *file, const char *name) {
  for (int i = 0; i < file->decs.len; i++) {
    const Dec *dec = file->decs.at[i];
    if (dec->tag == DEC_VAL && strcmp(dec->val.fun.name, name) == 0) return &dec->val.fun;
  }
  return NULL;
}

// How many parameters a definition has; that of `entry f = g` has those of g.  -1 when they cannot
// be seen.
static int entry_arity(const SourceFile *file, const char *name) {
  const FunDef *def = definition(file, name);
  for (int steps = 0; def && steps <= file->decs.len; steps++) {
    if (def->params.len) return def->params.len;
    const Expr *body = def->body;
    if (!body || body->tag != EXP_VAR || body->var.name.parts.len != 1) return -1;
    def = definition(file, body->var.name.parts.at[0]);
  }
  return -1;
}

// ---- $loaddata "file", $loadbytes "file" --------------------------------------------------------

static void bytes_load(Arena *arena, ScriptText *x, const char *file) {
  size_t len;
  const char *bytes = file_read(arena, file, &len);
  if (!bytes) {
    x->problem = arena_printf(arena, "'%s': %s", file, strerror(errno));
    return;
  }
  Value v = value_new(arena, PRIM_U8, 1, (int64_t[]){(int64_t)len});
  memcpy(v.data, bytes, len);
  value_write_binary(&x->input, &v);
  text_printf(&x->params, " (dagaz_load_%d: []u8)", x->loads);
}

static void data_load(Arena *arena, ScriptText *x, const char *file) {
  DataSource from = data_source(arena, file);
  const char *error;
  Value value;
  if (!data_value_read(arena, &from, NULL, &value, &error)) {
    x->problem = error;
  } else {
    ValueType type = {value.prim, value.rank};
    value_write_binary(&x->input, &value);
    text_printf(&x->params, " (dagaz_load_%d: ", x->loads);
    value_type_print(&x->params, type);
    text_putc(&x->params, ')');
  }
}

// One `$word "file"`; returns what follows it.
static const char *load_expand(Arena *arena, const char *path, ScriptText *x, const char *at) {
  size_t n = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
  const char *word = arena_strndup(arena, at, n), *quote = at + n + strspn(at + n, " \t\r\n");
  const char *end = *quote == '"' ? strchr(quote + 1, '"') : NULL;
  bool data = strcmp(word, "$loaddata") == 0;
  if (!end || (!data && strcmp(word, "$loadbytes") != 0)) {
    x->problem = arena_printf(arena, "unsupported in a script: '%s'", word);
    return at + n;
  }
  const char *name = arena_strndup(arena, quote + 1, (size_t)(end - quote - 1));
  const char *file = file_beside(arena, path, name);
  text_printf(&x->exp, "dagaz_load_%d", x->loads);
  if (data) data_load(arena, x, file);
  else bytes_load(arena, x, file);
  x->loads++;
  return end + 1;
}

// empty([0][2]t) is [] of that type.
static bool is_empty_array(const char *at, const char *start) {
  const char *before = "abcdefghijklmnopqrstuvwxyz0123456789_'.";
  if (strncmp(at, "empty([", 7) != 0 || at[7] < '0' || at[7] > '9') return false;
  return at == start || !strchr(before, at[-1]);
}

ScriptText script_expand(Arena *arena, const char *path, const char *text) {
  ScriptText x = {0};
  const char *start = text;
  while (*text) {
    size_t n = 0;
    while (text[n] && !strchr("$\"", text[n]) && !is_empty_array(text + n, start)) n++;
    text_write(&x.exp, text, n);
    text += n;
    if (*text == 'e') text_puts(&x.exp, "([] : "), text += strlen("empty(");
    else if (*text == '$') text = load_expand(arena, path, &x, text);
    else if (*text == '"')
      do text_putc(&x.exp, *text++);
      while (text[-1] && *text && *text != '"');
    if (*text == '"') text_putc(&x.exp, *text++);
  }
  return x;
}

// ---- the entry point ----------------------------------------------------------------------------

static void tuple_pass(Text *out, const Expr *exp) {
  for (int i = 0; i < exp->tuple.elems.len; i++) {
    Span span = exp->tuple.elems.at[i]->span;
    text_printf(out, " (%.*s)", (int)(span.to - span.from), span.src->text + span.from);
  }
}

static void result_pass(Text *out, const char *entry, const char *exp, int arity) {
  text_puts(out, " let (");
  for (int i = 0; i < arity; i++) text_printf(out, "%sdagaz_%d", i ? ", " : "", i);
  text_printf(out, ") = %s in %s", exp, entry);
  for (int i = 0; i < arity; i++) text_printf(out, " dagaz_%d", i);
}

static void call_write(Scripts *t, const char *entry, const ScriptText *x) {
  Session *s = t->s;
  const char *text = x->exp.at ? x->exp.at : "";
  Diag *quiet = diag_new(s->arena);
  const Source *src = source_new(s->arena, "script", text, strlen(text));
  Expr *exp = syntax_parse_exp(s->arena, s->names, src, quiet);
  int arity = entry_arity(t->file, entry);
  if (exp && exp->tag == EXP_TUPLE && arity != 1) {
    text_printf(&t->decs, " %s", entry);
    tuple_pass(&t->decs, exp);
  } else if (arity > 1) {
    result_pass(&t->decs, entry, text, arity);
  } else {
    text_printf(&t->decs, " %s (%s)", entry, text);
  }
}

static const char *script_text(Scripts *t, const TestCase *c, const char **problem) {
  if (c->input == INPUT_SCRIPT) return c->in_text;
  const char *file = file_beside(t->s->arena, t->path, c->in_text);
  const char *text = file_read(t->s->arena, file, NULL);
  if (!text) *problem = arena_printf(t->s->arena, "'%s': %s", file, strerror(errno));
  return text ? text : "";
}

static void script_add(Scripts *t, const char *entry, const TestCase *c) {
  Arena *arena = t->s->arena;
  ScriptCase one = {.test = c, .entry = entry};
  one.input.fn = arena_printf(arena, "dagaz_script_%d", t->cases.len);
  const char *text = script_text(t, c, &one.input.problem);
  ScriptText x = script_expand(arena, t->path, text);
  if (x.problem) one.input.problem = x.problem;
  one.input.input = arena_strndup(arena, x.input.at ? x.input.at : "", x.input.len);
  one.input.len = x.input.len;
  if (!one.input.problem) {
    text_printf(&t->decs, "\nentry %s%s =", one.input.fn, x.params.at ? x.params.at : "");
    call_write(t, entry, &x);
  }
  text_free(&x.exp), text_free(&x.params), text_free(&x.input);
  list_push(arena, &t->cases, one);
}

static void group_add(Scripts *t, const TestGroup *group) {
  for (int e = 0; e < group->entries.len; e++)
    for (int c = 0; c < group->cases.len; c++)
      if (case_is_script(&group->cases.at[c]))
        script_add(t, group->entries.at[e], &group->cases.at[c]);
}

static bool has_scripts(const TestBlock *block) {
  for (int g = 0; g < block->groups.len; g++)
    for (int c = 0; c < block->groups.at[g].cases.len; c++)
      if (case_is_script(&block->groups.at[g].cases.at[c])) return true;
  return false;
}

ScriptCases scripts_add(Session *s, const char *path, const TestBlock *block) {
  Scripts t = {.s = s, .path = path};
  size_t len;
  const char *text = has_scripts(block) ? file_read(s->arena, path, &len) : NULL;
  if (!text) return t.cases;
  Diag *quiet = diag_new(s->arena);
  t.file = syntax_parse(s->arena, s->names, source_new(s->arena, path, text, len), quiet);
  for (int g = 0; g < block->groups.len; g++) group_add(&t, &block->groups.at[g]);
  s->text = arena_printf(s->arena, "%s%s\n", text, t.decs.at ? t.decs.at : "");
  s->text_len = strlen(s->text);
  text_free(&t.decs);
  return t.cases;
}

CaseInput script_input(const ScriptCases *scripts, const TestCase *c, const char *entry) {
  for (int i = 0; i < scripts->len; i++)
    if (scripts->at[i].test == c && strcmp(scripts->at[i].entry, entry) == 0)
      return scripts->at[i].input;
  return (CaseInput){.problem = "no such script"};
}
