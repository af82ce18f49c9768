// From C files to typed trees: each is preprocessed, by the system's or our own, then read.
#include "driver.h"
#include <errno.h>

// Without a C compiler, or where the user says so, our own preprocessor reads the file.
static const char *preprocessed(Session *s, const char *path, const char *text,
                                const CFlags *flags) {
  if (!s->own_preprocessor && compiler_name()) {
    const char *result = compiler_preprocess(s, path, flags);
    if (!result) fail_io("the preprocessor failed on %s", path);
    return result;
  }
  CPreprocess job = {.path = path, .text = text, .headers = c_headers};
  for (int i = 0; i < flags->len; i++) list_push(s->arena, &job.flags, flags->at[i]);
  const char *result = cpreprocess(s->arena, s->names, s->diag, &job);
  session_stop_on_errors(s);
  return result;
}

static CUnit *rules_of_library(Session *s, const char *name) {
  const struct EmbeddedFile *file = embedded_find(c_rules, name);
  if (!file) return NULL;
  CInput input = {.path = file->name, .text = arena_strndup(s->arena, file->text, file->len)};
  return cunit_parse(s->arena, s->names, s->diag, input);
}

// A file; of the library's rules where there is none of that name.
CUnit *session_read_c(Session *s, const char *path, const CFlags *flags) {
  size_t len;
  char *text = file_read(s->arena, path, &len);
  CUnit *rules = text ? NULL : rules_of_library(s, path);
  if (rules) return rules;
  if (!text) fail_io("cannot read %s: %s", path, strerror(errno));
  if (memchr(text, '\0', len)) fail_io("%s is no text file", path);
  CInput input = {path, text, preprocessed(s, path, text, flags)};
  CUnit *unit = cunit_parse(s->arena, s->names, s->diag, input);
  session_stop_on_errors(s);
  return unit;
}

CUnit *session_math_rules(Session *s) { return rules_of_library(s, "math.rules"); }
