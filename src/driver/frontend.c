// From a path to a checked program, and on to core.
#include "driver.h"
#include "../elab/elab.h"
#include "../values/embed.h"
#include <errno.h>
#include <string.h>

CheckedProgram *session_check(Session *s, const char *path) {
  CheckedProgram *program =
      s->text ? program_load_text(s->arena, s->names, s->diag, lib_files, path, s->text, s->text_len)
              : program_load(s->arena, s->names, s->diag, lib_files, path);
  session_stop_on_errors(s);
  program_check(s->arena, s->names, s->diag, program, s->entries);
  session_stop_on_errors(s);
  return program;
}

Prog *session_elaborate(Session *s, const char *path) {
  double start = now_ms();
  const CheckedProgram *program = session_check(s, path);
  double checked = now_ms();
  ElabOptions options = {.no_checks = s->safe_off};
  Arena *arena = arena_new();
  list_push(s->arena, &s->programs, arena);
  s->pass = "elab";
  Prog *prog = elab_program(arena, s->names, s->diag, program, &options);
  if (s->verify) core_verify(prog, "elab");
  s->pass = NULL;
  if (s->time)
    fprintf(stderr, "%10.3f ms  %-12s\n%10.3f ms  %-12s %d variables\n", checked - start, "check",
            now_ms() - checked, "elab", prog->vars.len);
  return prog;
}

Prog *session_parse_core(Session *s, const char *path) {
  size_t len;
  char *text = file_read(s->arena, path, &len);
  if (!text) {
    diag_error(s->diag, (Span){0}, "cannot read '%s': %s", path, strerror(errno));
    session_stop_on_errors(s);
  }
  Prog *prog = core_parse(s->arena, source_new(s->arena, path, text, len), s->diag);
  session_stop_on_errors(s);
  check(prog);
  return prog;
}
