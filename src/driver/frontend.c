// From a path to a checked program, and on to core.
#include "driver.h"
#include "ad/common/ad.h"
#include "elab/elab.h"
#include "opt/common/opt.h"
#include "values/embed.h"
#include <errno.h>
#include <string.h>

static CheckedProgram *checked_with_all(Session *s, const char *path) {
  CheckedProgram *program = s->text ? program_load_text(s->arena, s->names, s->diag, lib_files,
                                                        path, s->text, s->text_len)
                                    : program_load(s->arena, s->names, s->diag, lib_files, path);
  session_stop_on_errors(s);
  program_check(s->arena, s->names, s->diag, program, s->entries);
  session_stop_on_errors(s);
  return program;
}

CheckedProgram *session_load(Session *s, const char *path) {
  CheckedProgram *program = program_load_needed(s->arena, s->names, s->diag, lib_files, path,
                                                s->text, s->text_len);
  session_stop_on_errors(s);
  return program;
}

// Most programs need little of the prelude and are right.  For the others, messages know all of it.
CheckedProgram *session_check(Session *s, const char *path) {
  DiagMark start = diag_mark(s->diag);
  CheckedProgram *program = session_load(s, path);
  program_check(s->arena, s->names, s->diag, program, s->entries);
  s->checked = program;
  if (s->diag->errors == start.errors) return program;
  diag_forget(s->diag, start, diag_mark(s->diag));
  return checked_with_all(s, path);
}

static void check_flow(Session *s, Prog *prog) {
  if (!prog->pending) return;
  Locs never = assertions_resolve(prog, s->arena);
  for (int i = 0; i < never.len; i++) {
    const Loc *loc = never.at[i];
    while (loc->caller && (!loc->span.src || loc->span.src->builtin)) loc = loc->caller;
    diag_warn(s->diag, loc->span, "[unused-assertion] This assertion is never checked, since its "
              "value is not used.");
    diag_hint(s->diag, "use its value, as in: let x = assert (x > 0) x");
  }
}

// Where none of the names is there, commands say which are.
static const char *const *entries_wanted(const Session *s, const CheckedProgram *program) {
  for (int i = 0; s->only && i < program->entries.len; i++)
    for (int k = 0; s->only[k]; k++)
      if (strcmp(s->only[k], program->entries.at[i].name) == 0) return s->only;
  return NULL;
}

Prog *session_elaborate(Session *s, const char *path) {
  double start = now_ms();
  const CheckedProgram *program = session_check(s, path);
  double checked = now_ms();
  ElabOptions options = {.no_checks = s->safe_off, .only = entries_wanted(s, program)};
  Arena *arena = arena_beside(s->arena);
  list_push(s->arena, &s->programs, arena);
  s->pass = "elab";
  Prog *prog = elab_program(arena, s->names, s->diag, program, &options);
  check_flow(s, prog);
  if (s->verify) core_verify(prog, "elab");
  s->pass = NULL;
  if (s->time)
    fprintf(stderr, "%10.3f ms  %-12s\n%10.3f ms  %-12s %d variables\n", checked - start, "check",
            now_ms() - checked, "elab", prog->vars.len);
  return prog;
}

// ---- warnings ----------------------------------------------------------------------------------

static bool may_differentiate(const CheckedProgram *program) {
  static const char *const words[] = {"jvp", "vjp", "jmp", "mjp"};
  for (int i = 0; i < program->files.len; i++)
    for (int k = 0; k < COUNT_OF(words) && !program->files.at[i]->prelude; k++)
      if (strstr(program->files.at[i]->syntax->src->text, words[k])) return true;
  return false;
}

// Gaps of elaboration matter to the commands that need it: here such messages are dropped.
static void warn_quietly(Session *s, const CheckedProgram *program) {
  ElabOptions options = {.no_checks = s->safe_off, .warnings = s->diag};
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  s->pass = "elab";
  Diag *dropped = diag_new(s->arena);
  dropped->quiet = true;
  Prog *prog = elab_program(arena, s->names, dropped, program, &options);
  s->pass = NULL;
  if (prog->pending) assertions_resolve(prog, arena);
  if (ad_is_left(prog)) pipeline_warn(s, prog);
}

void session_warn(Session *s, const CheckedProgram *program) {
  if (s->diag->no_warnings || !may_differentiate(program)) return;
  Stop stop;
  if (stop_arm(&stop)) {
    warn_quietly(s, program);
    stop_pop(&stop);
  } else if (stop.status != STATUS_UNSUPPORTED) {
    stop_now(stop.status);
  }
}

void derivatives_warn(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program) {
  Session s = {.arena = arena, .names = names, .diag = diag, .memory_limit = -1};
  session_warn(&s, program);
  for (int i = 0; i < s.programs.len; i++) arena_free(s.programs.at[i]);
}

static const Source *source_of(Session *s, const char *path) {
  size_t len;
  char *text = file_read(s->arena, path, &len);
  if (!text) {
    diag_error(s->diag, (Span){0}, "cannot read '%s': %s", path, strerror(errno));
    session_stop_on_errors(s);
  }
  return source_new(s->arena, path, text, len);
}

ImpProg *session_parse_imp(Session *s, const char *path) {
  ImpProg *prog = imp_parse(s->arena, source_of(s, path), s->diag);
  session_stop_on_errors(s);
  check(prog);
  return prog;
}

Prog *session_parse_core(Session *s, const char *path) {
  Prog *prog = core_parse(s->arena, source_of(s, path), s->diag);
  session_stop_on_errors(s);
  check(prog);
  return prog;
}

Prog *session_core(Session *s, const char *path) {
  size_t n = strlen(path);
  bool is_core = n > 3 && strcmp(path + n - 3, ".ir") == 0;
  return is_core ? session_parse_core(s, path) : session_elaborate(s, path);
}
