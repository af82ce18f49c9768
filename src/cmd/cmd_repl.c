// dagaz repl: declarations and expressions one by one.  Declarations in scope are kept as text;
// every input is checked with all of it, so that an input with an error leaves no trace.
#include "repl.h"
#include "syntax/syntax.h"
#include <errno.h>
#include <string.h>

typedef struct {
  Arena *arena;
  Lines *lines;
  const char *path;    // imports are relative to it
  Text scope;          // declarations so far
  DiagParts parts;     // the inputs that it is made of
  const char *function;  // the function declared last, in parentheses where it is an operator
  int arity;             // its parameters
  int values;            // it_1, it_2, .. so far
  bool quit;
} Repl;

// ---- declarations -------------------------------------------------------------------------------

static const char *scope_text(const Repl *r) { return r->scope.at ? r->scope.at : ""; }

static const char earlier[] = "earlier input";

static SourceFile *text_parse(Repl *r, const char *text) {
  Names *names = names_new(r->arena);
  Source *src = source_new(r->arena, "input", text, strlen(text));
  return syntax_parse(r->arena, names, src, diag_new(r->arena));
}

// The function that :jvp and :vjp are about.
static void function_note(Repl *r, const SourceFile *file) {
  for (int i = 0; i < file->decs.len; i++) {
    const Dec *dec = file->decs.at[i];
    if (dec->tag != DEC_VAL || dec->val.fun.params.len == 0) continue;
    bool operator = name_is_operator(dec->val.fun.name);
    r->function = arena_printf(r->arena, operator ? "(%s)" : "%s", dec->val.fun.name);
    r->arity = dec->val.fun.params.len;
  }
}

// Entry points may stand at the top of a file only: here they are plain definitions.
static const char *without_entries(Repl *r, const char *text, const SourceFile *file) {
  char *copy = arena_strdup(r->arena, text);
  for (int i = 0; i < file->decs.len; i++) {
    const Dec *dec = file->decs.at[i];
    if (dec->tag != DEC_VAL || !dec->val.entry) continue;
    char *word = strstr(copy + dec->span.from, "entry");
    if (word) memcpy(word, "def  ", 5);
  }
  return copy;
}

static Name declared_name(const Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: return dec->val.fun.name;
    case DEC_TYPE: return dec->type.name;
    case DEC_MODTYPE: return dec->modtype.name;
    case DEC_MOD: return dec->mod.name;
    case DEC_LOCAL: return declared_name(dec->local.dec);
    case DEC_OPEN:
    case DEC_IMPORT: break;
  }
  return NULL;
}

static bool declares(const SourceFile *file, const char *name) {
  for (int i = 0; i < file->decs.len; i++) {
    Name other = declared_name(file->decs.at[i]);
    if (name && other && strcmp(other, name) == 0) return true;
  }
  return false;
}

static DiagParts parts_moved(const Repl *r, size_t by) {
  DiagParts parts = {0};
  for (int i = 0; i < r->parts.len; i++) {
    DiagPart part = {r->parts.at[i].from + (uint32_t)by, r->parts.at[i].path};
    list_push(r->arena, &parts, part);
  }
  return parts;
}

static void part_add(Repl *r, DiagParts *parts, size_t from, const char *path) {
  DiagPart part = {(uint32_t)from, path};
  list_push(r->arena, parts, part);
}

// One file declares a name once: what is declared again goes after an opened module.
static const char *scope_around(Repl *r, const SourceFile *new, DiagParts *parts) {
  static const char open[] = "open {\n";
  const SourceFile *old = text_parse(r, scope_text(r));
  bool again = false;
  for (int i = 0; i < new->decs.len; i++) again |= declares(old, declared_name(new->decs.at[i]));
  *parts = parts_moved(r, again ? sizeof open - 1 : 0);
  return again ? arena_printf(r->arena, "%s%s}\n", open, scope_text(r))
               : arena_strdup(r->arena, scope_text(r));
}

// path: of the file that the declarations are from, "" where they were typed.
static bool scope_extend(Repl *r, const char *input, const char *path) {
  const SourceFile *file = text_parse(r, input);
  const char *text = without_entries(r, input, file);
  DiagParts parts;
  const char *around = scope_around(r, file, &parts);
  const char *all = arena_printf(r->arena, "%s%s\n", around, text);
  part_add(r, &parts, strlen(around), path);
  Evaluation e = {.path = r->path, .text = all, .parts = parts, .mode = EVAL_CHECK};
  if (!repl_eval(&e)) return false;
  if (!*path) parts.at[parts.len - 1].path = earlier;
  r->parts = parts;
  r->scope.len = 0;
  text_puts(&r->scope, all);
  function_note(r, file);
  return true;
}

static bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'' || c == '.';
}

// `it` is the last value, it_1, it_2, .. are all of them.
static const char *it_replace(Repl *r, const char *exp) {
  Text text = {0};
  for (const char *at = exp; *at;) {
    size_t n = 0;
    while (in_word(at[n])) n++;
    bool is_it = strncmp(at, "it", 2) == 0 && (n == 2 || (n > 2 && at[2] == '.'));
    if (is_it && r->values) text_printf(&text, "it_%d%.*s", r->values, (int)(n - 2), at + 2);
    else text_write(&text, at, n ? n : 1);
    at += n ? n : 1;
  }
  const char *copy = arena_strndup(r->arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

// For checking, `it` is its own definition, so that columns stay.
static bool exp_eval(Repl *r, EvalMode mode, const char *exp) {
  bool own = r->values && !declares(text_parse(r, scope_text(r)), "it");
  const char *it = own ? arena_printf(r->arena, "it_%d", r->values) : NULL;
  Evaluation e = {.path = r->path, .text = scope_text(r), .parts = r->parts, .it = it, .exp = exp,
                  .mode = mode};
  return repl_eval(&e);
}

static void expression_run(Repl *r, const char *input) {
  if (!exp_eval(r, EVAL_VALUE, input)) return;
  const char *exp = it_replace(r, input);
  text_printf(&r->scope, "def it_%d =\n", ++r->values);
  part_add(r, &r->parts, r->scope.len, earlier);
  text_printf(&r->scope, "%s\n", exp);
}

// ---- commands -----------------------------------------------------------------------------------

static void help_show(Repl *r, const char *rest) {
  (void)r, (void)rest;
  printf("Declarations extend what is in scope; expressions are evaluated; `it` is the\n"
         "last value, it_1, it_2, .. are all of them.\n"
         "  :type EXP         the type of an expression\n"
         "  :load FILE        start anew with the declarations of a file\n"
         "  :jvp X DX         the function declared last at X, and its derivative towards DX\n"
         "  :vjp X [SEED]     its value, and its gradient (SEED is 1 when left out)\n"
         "  :derive [NAME]    the gradient of that function as source text\n"
         "  :derive jvp [NAME]  its forward-mode derivative\n"
         "  :list             what was declared\n"
         "  :clear            forget it\n"
         "  :{ .. :}          several lines as one input\n"
         "An input that is not complete goes on in the next line; an empty line ends it, the\n"
         "interrupt key (Ctrl-C) drops it.\n"
         "  :help, :quit\n");
}

static void type_show(Repl *r, const char *rest) {
  exp_eval(r, EVAL_TYPE, rest);
}

static void file_load(Repl *r, const char *rest) {
  size_t len;
  const char *text = file_read(r->arena, rest, &len);
  if (!text) {
    printf("Cannot read '%s': %s\n", rest, strerror(errno));
    return;
  }
  Repl before = *r;
  r->path = rest;
  r->scope = (Text){0};
  r->parts = (DiagParts){0};
  r->values = 0;
  if (scope_extend(r, text, rest)) {
    text_free(&before.scope);
    return;
  }
  text_free(&r->scope);
  *r = before;
}

// f itself, or f of a tuple when it has several parameters.
static const char *uncurried(const Repl *r) {
  if (r->arity <= 1) return r->function;
  Text params = {0}, args = {0};
  for (int i = 0; i < r->arity; i++) {
    text_printf(&params, "%sx%d", i ? ", " : "", i);
    text_printf(&args, " x%d", i);
  }
  const char *text = arena_printf(r->arena, "(\\(%s) -> %s%s)", params.at, r->function, args.at);
  text_free(&params), text_free(&args);
  return text;
}

static int atoms_count(const Repl *r, const char *text) {
  Names *names = names_new(r->arena);
  const char *call = arena_printf(r->arena, "f %s", text);
  const Source *src = source_new(r->arena, "input", call, strlen(call));
  const Expr *exp = syntax_parse_exp(r->arena, names, src, diag_new(r->arena));
  return exp && exp->tag == EXP_APPLY ? exp->apply.args.len : 0;
}

static void derivative_run(Repl *r, const char *rest, const char *operator, bool optional) {
  int n = atoms_count(r, rest);
  if (!r->function) printf("Declare a function first.\n");
  else if (n != 2 && !(n == 1 && optional))
    printf("Wanted: a point and a %s, each in parentheses or one word.\n",
           optional ? "seed (or nothing for 1)" : "direction");
  else
    expression_run(r, arena_printf(r->arena, "%s %s %s%s", operator, uncurried(r), rest,
                                   n == 1 ? " 1" : ""));
}

static void jvp_run(Repl *r, const char *rest) { derivative_run(r, rest, "jvp2", false); }
static void vjp_run(Repl *r, const char *rest) { derivative_run(r, rest, "vjp2", true); }

static void derive_show(Repl *r, const char *rest) {
  size_t n = strcspn(rest, " \t");
  bool forward = n == 3 && strncmp(rest, "jvp", n) == 0;
  if (forward || (n == 3 && strncmp(rest, "vjp", n) == 0)) rest += n + strspn(rest + n, " \t");
  const char *name = *rest ? rest : r->function;
  if (!name) {
    printf("Declare a function first.\n");
    return;
  }
  Evaluation e = {.path = r->path, .text = scope_text(r), .parts = r->parts, .exp = name,
                  .mode = EVAL_DERIVE, .forward = forward};
  repl_eval(&e);
}

static void scope_list(Repl *r, const char *rest) {
  (void)rest;
  fputs(scope_text(r), stdout);
}

static void scope_clear(Repl *r, const char *rest) {
  (void)rest;
  r->scope.len = 0;
  r->parts = (DiagParts){0};
  if (r->scope.at) r->scope.at[0] = 0;
  r->function = NULL;
  r->values = 0;
}

static void quit(Repl *r, const char *rest) {
  (void)rest;
  r->quit = true;
}

static const struct {
  const char *name;
  void (*run)(Repl *r, const char *rest);
} repl_commands[] = {{"help", help_show}, {"type", type_show},   {"load", file_load},
                     {"jvp", jvp_run},    {"vjp", vjp_run},      {"list", scope_list},
                     {"quit", quit},      {"clear", scope_clear}, {"derive", derive_show}};

// A command may be shortened.
static void command_run(Repl *r, const char *line) {
  size_t n = strcspn(line, " \t");
  const char *rest = line + n + strspn(line + n, " \t");
  for (int i = 0; n > 0 && i < COUNT_OF(repl_commands); i++)
    if (strncmp(repl_commands[i].name, line, n) == 0) {
      repl_commands[i].run(r, rest);
      return;
    }
  printf("No command ':%.*s'; :help lists them.\n", (int)n, line);
}

// ---- the loop -----------------------------------------------------------------------------------

int cmd_repl(int argc, char **argv) {
  Arena *arena = arena_new();
  Words files = {0};
  Repl r = {.arena = arena, .path = "input.fut"};
  bool help;
  const ArgRow rows[] = {{0}};
  if (!args_parse(arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  r.lines = lines_open(arena);
  if (lines_terminal(r.lines)) printf("dagaz: :help for help, :quit to leave\n");
  if (files.len) file_load(&r, files.at[0]);
  while (!r.quit) {
    const char *text;
    InputKind kind = input_read(r.lines, arena, &text);
    if (kind == INPUT_END) break;
    if (kind == INPUT_COMMAND) command_run(&r, text);
    if (kind == INPUT_DECLARATION) scope_extend(&r, text, "");
    if (kind == INPUT_EXPRESSION) expression_run(&r, text);
  }
  fflush(stdout);
  lines_close(r.lines);
  text_free(&r.scope);
  arena_free(arena);
  return STATUS_OK;
}
