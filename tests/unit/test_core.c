// The text form of the IR and the verifier, over every file of tests/core.  A file whose first
// line is `-- must-fail: message` must be rejected with that message; any other must be accepted
// and print as something that reads back to the same text.
#include "core/core.h"
#include "unit.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *first_error(const Diag *diag) {
  return diag->entries.len ? diag->entries.at[0].message : "";
}

static char *printed(Arena *arena, const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

static Prog *parsed(Arena *arena, const char *text, Diag *diag) {
  return core_parse(arena, source_new(arena, "test.ir", text, strlen(text)), diag);
}

static Prog *copied(const Prog *prog, Arena *arena) {
  Rewrite w = {0};
  return rewrite_prog(prog, arena, &w);
}

static void round_trip(Arena *arena, const char *file, const char *text) {
  Diag *diag = diag_new(arena);
  Prog *prog = parsed(arena, text, diag);
  expect(prog != NULL, file, first_error(diag));
  if (!prog) return;
  char *once = printed(arena, prog);
  Prog *again = parsed(arena, once, diag);
  expect(again != NULL, file, first_error(diag));
  if (!again) return;
  expect(strcmp(once, printed(arena, again)) == 0, file, "the text does not read back");
  Prog *copy = copied(prog, arena);
  const char *fault = core_fault(copy, arena);
  expect(!fault, file, fault ? fault : "");
  Prog *reread = parsed(arena, printed(arena, copy), diag);
  expect(reread && strcmp(once, printed(arena, reread)) == 0, file, "a copy differs");
}

static void must_fail(Arena *arena, const char *file, const char *text) {
  const char *want = text + strlen("-- must-fail: ");
  size_t len = strcspn(want, "\n");
  Diag *diag = diag_new(arena);
  Prog *prog = parsed(arena, text, diag);
  expect(prog == NULL, file, "is accepted");
  const char *got = first_error(diag);
  bool same = strncmp(got, want, len) == 0;
  expect(same, file, got);
}

static void test_file(const char *file) {
  Arena *arena = arena_new();
  size_t len;
  char *text = file_read(arena, arena_printf(arena, "tests/core/%s", file), &len);
  if (!text) expect(false, file, "cannot be read");
  else if (strncmp(text, "-- must-fail: ", 14) == 0) must_fail(arena, file, text);
  else round_trip(arena, file, text);
  arena_free(arena);
}

static bool is_ir(const char *name) {
  size_t len = strlen(name);
  return len > 3 && strcmp(name + len - 3, ".ir") == 0;
}

int main(void) {
  DIR *dir = opendir("tests/core");
  if (!dir) {
    printf("tests/core is missing\n");
    return 1;
  }
  for (struct dirent *entry; (entry = readdir(dir));)
    if (is_ir(entry->d_name)) test_file(entry->d_name);
  closedir(dir);
  expect(passed > 0, "tests/core", "no tests");
  return unit_end();
}
