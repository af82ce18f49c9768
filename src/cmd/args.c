// Option parsing: --name, --name=value, --name value, -x, -xvalue, -x value, grouped -xy.
#include "cmd.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// "a|b|c: meaning" with the value b sets 1.
static bool choice_set(const ArgRow *row, const char *spelling, const char *value) {
  const char *at = row->help;
  for (int i = 0;; i++) {
    size_t len = strcspn(at, "|:");
    if (strlen(value) == len && memcmp(value, at, len) == 0) {
      *(int *)row->to = i;
      return true;
    }
    if (at[len] != '|') break;
    at += len + 1;
  }
  fprintf(stderr, "dagaz: option %s wants %.*s, not '%s'\n", spelling,
          (int)strcspn(row->help, ":"), row->help, value);
  return false;
}

static bool integer_set(const ArgRow *row, const char *spelling, const char *value) {
  char *end;
  errno = 0;
  int64_t n = strtoll(value, &end, 10);
  bool negative = row->kind == ARG_COUNT && n < 0;
  *(int64_t *)row->to = n;
  if (*value && !*end && !errno && !negative) return true;
  fprintf(stderr, "dagaz: option %s wants %s, not '%s'\n", spelling,
          errno ? "a smaller number" : negative ? "no negative number" : "an integer", value);
  return false;
}

static bool real_set(const ArgRow *row, const char *spelling, const char *value) {
  char *end;
  *(double *)row->to = strtod(value, &end);
  if (*value && !*end && *(double *)row->to >= 0) return true;
  fprintf(stderr, "dagaz: option %s wants a number, not negative, not '%s'\n", spelling, value);
  return false;
}

static bool value_set(Arena *arena, const ArgRow *row, const char *spelling, const char *value) {
  switch (row->kind) {
    case ARG_FLAG: *(bool *)row->to = true; return true;
    case ARG_CLEAR: *(bool *)row->to = false; return true;
    case ARG_TEXT: *(const char **)row->to = value; return true;
    case ARG_REPEAT: list_push(arena, (Words *)row->to, value); return true;
    case ARG_CHOICE: return choice_set(row, spelling, value);
    case ARG_ROWS: return false;
    case ARG_INT: case ARG_COUNT: return integer_set(row, spelling, value);
    case ARG_REAL: return real_set(row, spelling, value);
  }
  return false;
}

static bool is_flag(const ArgRow *row) {
  return row->kind == ARG_FLAG || row->kind == ARG_CLEAR;
}

static const ArgRow *row_named(const ArgRow *rows, const char *name, size_t len) {
  for (const ArgRow *row = rows; row->to; row++) {
    const ArgRow *inner = row->kind == ARG_ROWS ? row_named(row->to, name, len) : NULL;
    if (inner) return inner;
    if (row->name && strlen(row->name) == len && memcmp(row->name, name, len) == 0) return row;
  }
  return NULL;
}

static const ArgRow *row_lettered(const ArgRow *rows, char letter) {
  for (const ArgRow *row = rows; row->to; row++) {
    const ArgRow *inner = row->kind == ARG_ROWS ? row_lettered(row->to, letter) : NULL;
    if (inner) return inner;
    if (row->letter == letter) return row;
  }
  return NULL;
}

static void names_offer(Similar *near, const ArgRow *rows) {
  for (const ArgRow *row = rows; row->to; row++) {
    if (row->kind == ARG_ROWS) names_offer(near, row->to);
    else if (row->name) similar_offer(near, row->name);
  }
}

static bool unknown(const char *command, const ArgRow *rows, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  Similar near = similar_begin(name);
  if (word[1] == '-') names_offer(&near, rows);
  fprintf(stderr, "dagaz: unknown option '%s'", word);
  if (near.best) fprintf(stderr, ": did you mean '--%s'?\n", near.best);
  else fprintf(stderr, "; see `dagaz help %s`\n", command);
  return false;
}

static bool lacks_value(const char *word) {
  fprintf(stderr, "dagaz: option '%s' wants a value\n", word);
  return false;
}

static bool long_parse(Arena *arena, const ArgRow *rows, int argc, char **argv, int *i) {
  const char *word = argv[*i], *name = word + 2, *equals = strchr(name, '=');
  const ArgRow *row = row_named(rows, name, equals ? (size_t)(equals - name) : strlen(name));
  if (!row || (is_flag(row) && equals)) return unknown(argv[0], rows, word);
  if (is_flag(row)) return value_set(arena, row, word, NULL);
  if (equals) return value_set(arena, row, word, equals + 1);
  if (*i + 1 >= argc) return lacks_value(word);
  return value_set(arena, row, word, argv[++*i]);
}

static bool short_parse(Arena *arena, const ArgRow *rows, int argc, char **argv, int *i) {
  const char *word = argv[*i];
  for (const char *at = word + 1; *at; at++) {
    const ArgRow *row = row_lettered(rows, *at);
    if (!row) return unknown(argv[0], rows, word);
    if (is_flag(row)) {
      value_set(arena, row, word, NULL);
      continue;
    }
    if (at[1]) return value_set(arena, row, word, at + 1);
    if (*i + 1 >= argc) return lacks_value(word);
    return value_set(arena, row, word, argv[++*i]);
  }
  return true;
}

// --help, -h, and for our own use --help=FORM.
static bool asks_help(const char *word, HelpForm *form) {
  *form = HELP_TEXT;
  if (strncmp(word, "--help=", 7) == 0) return help_form(word + 7, form);
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

bool args_parse(Arena *arena, const ArgRow *rows, int argc, char **argv, Words *others,
                bool *help) {
  *help = false;
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    HelpForm form;
    if (asks_help(word, &form)) {
      help_print(argv[0], rows, form);
      return *help = true;
    }
    bool ok = true;
    if (strncmp(word, "--", 2) == 0 && word[2]) ok = long_parse(arena, rows, argc, argv, &i);
    else if (word[0] == '-' && word[1] && strcmp(word, "--") != 0)
      ok = short_parse(arena, rows, argc, argv, &i);
    else list_push(arena, others, word);
    if (!ok) return false;
  }
  return true;
}

ArgRow args_strategy(int *to) {
  static const char names[] = "default"
#define STRATEGY(id, name, help) "|" name
#include "syntax/strategy.def"
#undef STRATEGY
      ": for derivatives without a strategy of their own (doc/strategies.md)";
  return (ArgRow){"strategy", 0, ARG_CHOICE, to, names};
}

ArgRow args_finite_math(bool *to) {
  return (ArgRow){"finite-math", 0, ARG_FLAG, to,
                  "no number is infinite or NaN: products by zeros of the program are 0, without "
                  "guards; not with --strict-ieee"};
}

ArgRow args_any_order(Arena *arena, bool *to) {
  const ArgRow rows[] = {
      {"any-order", 0, ARG_FLAG, to,
       "kernels add floats to places that data decide in any order, with other last bits in every "
       "run; without it, in copies, or on the host"},
      {"deterministic", 0, ARG_CLEAR, to,
       "the same bits in every run: the default, and what undoes --any-order"},
      {0}};
  return (ArgRow){.kind = ARG_ROWS, .to = arena_copy(arena, rows, sizeof rows)};
}

ArgRow args_without(const char **to) {
  return (ArgRow){"without", 0, ARG_TEXT, to,
                  "leave out these optimisations, separated by commas; `dagaz ir --optional` lists "
                  "them"};
}

bool session_leaves_out(Session *s, const char *command, const char *names) {
  if (!names || session_without(s, names)) return true;
  fprintf(stderr, "dagaz %s: `dagaz ir --optional` lists what --without can leave out\n", command);
  return false;
}

ArgRow args_messages(Session *s) {
  const ArgRow rows[] = {
      {NULL, 'w', ARG_FLAG, &s->diag->no_warnings, "print no warnings"},
      {"Werror", 0, ARG_FLAG, &s->diag->werror, "treat warnings as errors"},
      {"error-format", 0, ARG_CHOICE, &s->diag->format, "text|json: how to print messages"},
      {0}};
  return (ArgRow){.kind = ARG_ROWS, .to = arena_copy(s->arena, rows, sizeof rows)};
}

Target backend_target(int backend, bool any_order) {
  Target t = target_of(backend == BACKEND_MULTICORE  ? TARGET_CORES
                   : backend == BACKEND_GPU_HOST ? TARGET_GPU_HOST
                   : backend == BACKEND_OPENCL   ? TARGET_OPENCL
                   : backend == BACKEND_CUDA     ? TARGET_CUDA
                                                 : TARGET_ONE);
  t.any_order = any_order;
  return t;
}
