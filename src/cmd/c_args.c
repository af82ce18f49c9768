// The preprocessor's options, shared by all commands that read C.
#include "c_args.h"
#include <errno.h>
#include <strings.h>

ArgRow args_preprocessor(Session *s, CArgs *to) {
  ArgRow *rows = NEW_ARRAY(s->arena, ArgRow, 6);
  rows[0] = (ArgRow){NULL, 'I', ARG_REPEAT, &to->include, "a folder of headers"};
  rows[1] = (ArgRow){NULL, 'D', ARG_REPEAT, &to->define, "a macro: NAME or NAME=TEXT"};
  rows[2] = (ArgRow){NULL, 'U', ARG_REPEAT, &to->undefine, "a macro that is not defined"};
  rows[3] = (ArgRow){"std", 0, ARG_TEXT, &to->standard, "the preprocessor's -std="};
  rows[4] = (ArgRow){"own-preprocessor", 0, ARG_FLAG, &s->own_preprocessor,
                     "do not run a C compiler's (as where there is none)"};
  return (ArgRow){NULL, 0, ARG_ROWS, rows, NULL};
}

ArgRow args_rules(CArgs *to) {
  return (ArgRow){"rules", 0, ARG_REPEAT, &to->rules,
                  "a C file of declarations with pragmas: derivative f: x = .., inactive f, "
                  "tangent f: g, adjoint f: g; blas.rules: those of BLAS"};
}

void args_c_rules(Arena *arena, const CArgs *args, Words *files) {
  for (int i = 0; i < args->rules.len; i++) list_push(arena, files, args->rules.at[i]);
}

static void flags_add(Arena *arena, CFlags *flags, char letter, const Words *words) {
  for (int i = 0; i < words->len; i++)
    list_push(arena, flags, arena_printf(arena, "-%c%s", letter, words->at[i]));
}

CFlags args_c_flags(Arena *arena, const CArgs *args) {
  CFlags flags = {0};
  flags_add(arena, &flags, 'I', &args->include);
  flags_add(arena, &flags, 'D', &args->define);
  flags_add(arena, &flags, 'U', &args->undefine);
  if (args->standard) list_push(arena, &flags, arena_printf(arena, "-std=%s", args->standard));
  return flags;
}

CUnits args_c_units(Session *s, const Words *files, const CFlags *flags) {
  CUnits units = {0};
  for (int i = 0; i < files->len; i++)
    list_push(s->arena, &units, session_read_c(s, files->at[i], flags));
  list_push(s->arena, &units, session_math_rules(s));
  return units;
}

static void heads_of_pragmas(Session *s, const CUnit *unit, CHeads *heads) {
  for (int i = 0; i < unit->items.len; i++) {
    const CItem *item = &unit->items.at[i];
    if (item->tag == CITEM_PRAGMA && strncmp(item->text, "dagaz head ", 11) == 0)
      cheads_parse(s->arena, s->diag, item->text + 11, heads);
  }
}

CHeads args_c_heads(Session *s, const Words *said, const CUnits *units) {
  CHeads heads = {0};
  for (int i = 0; i < said->len; i++) cheads_parse(s->arena, s->diag, said->at[i], &heads);
  for (int u = 0; u < units->len && !said->len; u++)
    heads_of_pragmas(s, units->at[u], &heads);
  session_stop_on_errors(s);
  return heads;
}

CProgram *args_c_program(Session *s, CUnits units) {
  CProgram *p = cprogram_new(s->arena, s->names, s->diag, units);
  cprogram_pragmas(p);
  cprogram_pointers(p);
  cprogram_realloc(p);
  session_stop_on_errors(s);
  return p;
}

CFunction *args_c_function(Session *s, const CProgram *p, const char *name) {
  CFunction *f = cprogram_function(p, name);
  if (f) return f;
  diag_error(s->diag, (Span){0}, "[c-head] No function `%s` is defined.", name);
  stop_now(STATUS_USER_ERROR);
}

void args_c_joint(Session *s, const CProgram *p, const CNames *functions) {
  for (int i = 0; i < functions->len; i++) args_c_function(s, p, functions->at[i]);
}

static bool drop_end(Arena *arena, const char **name, const char *end) {
  size_t n = strlen(*name), m = strlen(end);
  if (n <= m || strcmp(*name + n - m, end) != 0) return false;
  *name = arena_strndup(arena, *name, n - m);
  return true;
}

static const char *without_lib(Arena *arena, const char *name) {
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  if (strncmp(base, "lib", 3) != 0 || !base[3]) return name;
  return arena_printf(arena, "%.*s%s", (int)(base - name), name, base + 3);
}

const char *args_c_base(Arena *arena, const char *out, const char *tail) {
  static const char *const ends[] = {".c", ".h", ".o"};
  bool dropped = false;
  if (!out) return NULL;
  if (drop_end(arena, &out, ".so")) return without_lib(arena, out);
  for (size_t i = 0; i < COUNT_OF(ends) && !dropped; i++) dropped = drop_end(arena, &out, ends[i]);
  if (dropped) drop_end(arena, &out, tail);
  return out;
}

// The first line of all that Dagaz writes has its name.
static bool is_made(Arena *arena, const char *path) {
  size_t len;
  const char *text = file_read(arena, path, &len);
  if (!text || !len) return true;
  for (const char *at = text; *at && *at != '\n'; at++)
    if (strncasecmp(at, "dagaz", 5) == 0) return true;
  return false;
}

void args_c_save(Arena *arena, const char *path, const char *text, size_t len) {
  if (!is_made(arena, path))
    fail_io("%s is there, and Dagaz did not make it: move it, or name the files with -o", path);
  if (!file_replace(path, text, len, REMADE)) fail_io("cannot write %s: %s", path, strerror(errno));
}
