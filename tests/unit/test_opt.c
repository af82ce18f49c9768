// The optimisation passes, over every file of tests/pass/<pass>: a first line
// `-- run: -p name,name`, a program, a line `-- ---`, and the program those passes make of it.
// BLESS=1 rewrites the expected part.  Every result must verify.  Every well-formed program of
// tests/core goes through every pass as well, for the verifier alone.
#include "driver/driver.h"
#include "unit.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const alone[] = {
    "inline", "inline-all", "inline-ad", "simplify", "dce", "cse", "tail", "hoist", "sink",
    "fuse", "fuse-maps", "unfuse", "accspec", "scalar-replace", "interchange", "remat",
    "merge-branches", "share-branches", "sparse-jacobian", "acc-to-write", "exclusive-scan",
    "map-jam", "onehot", "expand-small", "simplify-small"};
static char *printed(Arena *arena, const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  char *copy = arena_strndup(arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return copy;
}

static Prog *apply(Arena *arena, const Prog *prog, const char *names, const char *file) {
  char *list = arena_strdup(arena, names), *rest = NULL;
  Prog *out = (Prog *)prog;
  for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
    const Pass *pass = pass_named(name);
    if (!pass || !pass->run) {
      expect(false, file, "names an unknown pass");
      return out;
    }
    Prog *next = pass->run(out, arena);
    const char *fault = core_fault(next, arena);
    expect(!fault, file, fault ? arena_printf(arena, "after %s: %s\n%s", name, fault,
                                              printed(arena, next)) : "");
    out = next;
  }
  return out;
}

static Prog *parsed(Arena *arena, const char *text, const char *file) {
  Diag *diag = diag_new(arena);
  Prog *prog = core_parse(arena, source_new(arena, file, text, strlen(text)), diag);
  const char *message = diag->entries.len ? diag->entries.at[0].message : "";
  expect(prog != NULL, file, message);
  const char *fault = prog ? core_fault(prog, arena) : NULL;
  expect(!fault, file, fault ? fault : "");
  return fault ? NULL : prog;
}

static void bless(Arena *arena, const char *file, const char *head, const char *input,
                  const char *got) {
  char *all = arena_printf(arena, "%s\n%s-- ---\n%s", head, input, got);
  if (!file_write(file, all, strlen(all))) fail_io("cannot write %s", file);
}

// Goldens of the imperative program (--imp) are the golden suite's alone.
// Goldens of the imperative program, and others that tools/runtests alone looks at.
static bool is_imperative(const char *file, const char *text) {
  static const char *const starts[] = {"-- run: --imp", "-- run: -p lower", "-- must-fail"};
  for (int i = 0; i < COUNT_OF(starts); i++)
    if (strncmp(text, starts[i], strlen(starts[i])) == 0) return true;
  static const char *const options[] = {"--memory-limit", "--target"};
  for (int i = 0; i < COUNT_OF(options); i++) {
    const char *at = strstr(text, options[i]);
    if (at && at < strchr(text, '\n')) return true;
  }
  return strstr(file, ".imp");
}

static void golden(Arena *arena, const char *file, const char *text) {
  static const char run[] = "-- run: -p ";
  if (is_imperative(file, text)) return;
  const char *split = strstr(text, "-- ---\n");
  const char *end = strchr(text, '\n');
  if (strncmp(text, run, strlen(run)) != 0 || !end || !split) {
    expect(false, file, "not of the form of a pass test");
    return;
  }
  char *head = arena_strndup(arena, text, (size_t)(end - text));
  char *input = arena_strndup(arena, end + 1, (size_t)(split - end - 1));
  const char *want = split + strlen("-- ---\n");
  Prog *prog = parsed(arena, input, file);
  if (!prog) return;
  const char *got = printed(arena, apply(arena, prog, head + strlen(run), file));
  bool same = *got && strcmp(got, want) == 0;
  if (!same && getenv("BLESS")) bless(arena, file, head, input, got);
  else expect(same, file, same ? "" : arena_printf(arena, "the result is\n%s", got));
}

// By number: goldens that differ where the optimisation is left out.
static int switched[SWITCH_COUNT];

static void switches(Arena *arena, const char *file, const char *text) {
  static const char run[] = "-- run: -p ";
  const char *split = strstr(text, "-- ---\n"), *end = strchr(text, '\n');
  if (strncmp(text, run, strlen(run)) != 0 || !end || !split) return;
  const char *names = arena_strndup(arena, text + strlen(run), (size_t)(end - text) - strlen(run));
  Prog *prog = parsed(arena, arena_strndup(arena, end + 1, (size_t)(split - end - 1)), file);
  for (Switch s = 0; prog && s < SWITCH_COUNT; s++) {
    Switches one = {.off = UINT64_C(1) << s};
    prog->switches = &one;
    const char *got = printed(arena, apply(arena, prog, names, file));
    if (one.asked & one.off) switched[s] += strcmp(got, split + strlen("-- ---\n")) != 0;
  }
}

static void sound(Arena *arena, const char *file, const char *text) {
  if (strncmp(text, "-- must-fail", strlen("-- must-fail")) == 0) return;
  Prog *prog = parsed(arena, text, file);
  if (!prog) return;
  for (int i = 0; i < COUNT_OF(alone); i++) apply(arena, prog, alone[i], file);
  apply(arena, prog, "inline,simplify,cse,fuse,simplify,scalar-replace,cse,hoist,sink,dce", file);
}

static void each_file(const char *dir, void (*test)(Arena *, const char *, const char *)) {
  struct dirent **names;
  int n = scandir(dir, &names, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    Arena *arena = arena_new();
    char *path = arena_printf(arena, "%s/%s", dir, names[i]->d_name);
    struct stat info;
    if (names[i]->d_name[0] != '.' && stat(path, &info) == 0) {
      size_t len;
      const char *only = getenv("ONLY");
      if (S_ISDIR(info.st_mode)) each_file(path, test);
      else if (!only || strstr(path, only)) test(arena, path, file_read(arena, path, &len));
    }
    arena_free(arena);
    free(names[i]);
  }
  if (n >= 0) free(names);
}

// Every pass has a golden.
static void goldens_present(Arena *arena) {
  for (const Pass *pass = passes; pass->name; pass++) {
    DIR *dir = opendir(arena_printf(arena, "tests/pass/%s", pass->golden));
    int files = 0;
    for (const struct dirent *e; dir && (e = readdir(dir));) files += e->d_name[0] != '.';
    if (dir) closedir(dir);
    expect(files > 0, pass->name, "has no goldens in tests/pass");
  }
}

int main(void) {
  each_file("tests/pass", golden);
  each_file("tests/pass/accspec", switches);
  each_file("tests/pass/loops", switches);
  each_file("tests/pass/onehot", switches);
  each_file("tests/pass/sparse-jacobian", switches);
  for (Switch s = SWITCH_BLOCKS; s < SWITCH_COUNT; s++)
    expect(switched[s] > 0 || getenv("ONLY"), "tests/pass", switch_info[s].name);
  each_file("tests/core", sound);
  Arena *arena = arena_new();
  goldens_present(arena);
  arena_free(arena);
  return unit_end();
}
