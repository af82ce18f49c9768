// The C back end against the interpreter: every file of tests/back is compiled, with all run-time
// sanitizers of the C compiler and optimised, run on each of its `-- input:` lines, and must print
// what the interpreter computes; where that fails, the message must be the same.
// usage: test_back [-v] [FILE.ir ..], test_back [-v] -r SEED COUNT (random programs instead);
// without a C compiler nothing is tested.
#include "driver/driver.h"
#include "gen/gen.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int passed, failed;
static bool verbose;

static void expect(bool ok, const char *file, const char *what) {
  if (ok) passed++;
  else {
    failed++;
    printf("FAIL %s: %s\n", file, what);
  }
}

// ---- the outside view that text does not carry: parameters and results as they are ------------
static const AbiType *leaf_type(Arena *arena, Type t) {
  AbiType *abi = NEW(arena, AbiType);
  *abi = (AbiType){
      .kind = t.rank ? ABI_ARRAY : ABI_SCALAR, .prim = t.prim, .rank = t.rank, .leaves = 1};
  Text name = {0};
  for (int i = 0; i < t.rank; i++) text_puts(&name, "[]");
  text_puts(&name, prim_info[t.prim].name);
  abi->name = arena_strdup(arena, name.at);
  text_free(&name);
  return abi;
}

static void entry_complete(Arena *arena, const Prog *prog, Fn *fn) {
  EntryInfo *e = NEW(arena, EntryInfo);
  e->name = fn->entry->name;
  for (int i = 0; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    list_push(arena, &e->params,
              (AbiParam){var_info(prog, fn->params.at[i])->base, leaf_type(arena, t), t.unique});
  }
  AbiType *tuple = NEW(arena, AbiType);
  *tuple =
      (AbiType){.kind = ABI_RECORD, .name = "results", .is_tuple = true, .leaves = fn->results.len};
  for (int i = 0; i < fn->results.len; i++) {
    list_push(arena, &tuple->fields, leaf_type(arena, var_type(prog, fn->results.at[i])));
    list_push(arena, &tuple->field_names, (const char *)arena_printf(arena, "%d", i));
  }
  e->result.type = fn->results.len == 1 ? tuple->fields.at[0] : tuple;
  fn->entry = e;
}

// ---- running ----------------------------------------------------------------------------------
static char folder[64];

static bool run(const char *command) {
  if (verbose) printf("%s\n", command);
  return system(command) == 0;
}

static bool compile(Arena *arena, const Prog *prog, const char *flags) {
  BackTexts texts = {0};
  BackOptions options = {.mode = BACK_EXECUTABLE, .name = "test"};
  Session *s = session_new();
  back_c(pipeline_imp(s, prog, arena), &options, &texts);
  session_free(s);
  text_write(&texts.runtime, texts.program.at, texts.program.len);
  bool ok =
      file_write(arena_printf(arena, "%s/test.c", folder), texts.runtime.at, texts.runtime.len);
  back_texts_free(&texts);
  return ok
         && run(arena_printf(arena,
                             "gcc -std=gnu11 -w -fopenmp-simd -fno-math-errno -fno-trapping-math "
                             "-ffp-contract=off %s -o %s/test %s/test.c -lm",
                             flags, folder, folder));
}

static void compare(Arena *arena, const char *file, const Prog *prog, const char *input) {
  const Fn *fn = interp_entry_fn(prog, "main");
  ValueTypes types = {0};
  int opaque;
  Values inputs = {0}, got = {0};
  const char *error = NULL;
  if (!fn || !interp_entry_inputs(arena, fn, &types, &opaque)
      || !values_read(arena, input, strlen(input), types.at, types.len, &inputs, &error)) {
    expect(false, file, error ? error : "cannot read the input line");
    return;
  }
  EntryResult want = interp_entry(arena, prog, "main", inputs, NULL);
  file_write(arena_printf(arena, "%s/in", folder), input, strlen(input));
  bool ok = run(
      arena_printf(arena, "%s/test < %s/in > %s/out 2> %s/err", folder, folder, folder, folder));
  char *out = file_read(arena, arena_printf(arena, "%s/out", folder), NULL);
  char *err = file_read(arena, arena_printf(arena, "%s/err", folder), NULL);
  if (!want.ok) {
    bool same = !ok && strstr(err, want.message) != NULL;
    expect(same, file,
           arena_printf(arena, "expected failure '%s', got: %s%s", want.message, out, err));
    return;
  }
  if (!ok || !values_read(arena, out, strlen(out), NULL, 0, &got, &error)) {
    expect(false, file, arena_printf(arena, "program failed: %s %s", err, error ? error : ""));
    return;
  }
  const char *differs = got.len == want.outputs.len ? NULL : "number of results";
  for (int i = 0; !differs && i < got.len; i++)
    differs = value_differs(arena, &got.at[i], &want.outputs.at[i], 1e-9);
  expect(!differs, file, arena_printf(arena, "on %s: %s\n%s", input, differs ? differs : "", out));
}

static void test_inputs(Arena *arena, const char *file, const char *text, const Prog *prog) {
  for (const char *s = text; (s = strstr(s, "-- input:")) != NULL;) {
    s += strlen("-- input:");
    compare(arena, file, prog, arena_strndup(arena, s, strcspn(s, "\n")));
  }
}

static void test_file(const char *file) {
  Arena *arena = arena_new();
  char *text = file_read(arena, file, NULL);
  Diag *diag = diag_new(arena);
  Prog *prog = core_parse(arena, source_new(arena, file, text, strlen(text)), diag);
  if (!prog) {
    diag_print(diag, stdout);
    expect(false, file, "does not parse");
  } else {
    core_verify(prog, "parse");
    for (int i = 0; i < prog->fns.len; i++)
      if (prog->fns.at[i]->entry) entry_complete(arena, prog, prog->fns.at[i]);
    static const char *const flags[] = {
        "-O0 -DDZ_W=1 -fsanitize=address,undefined -fno-sanitize-recover", "-O2 -march=native"};
    for (int i = 0; i < COUNT_OF(flags); i++) {
      bool ok = compile(arena, prog, flags[i]);
      expect(ok, file, "generated C does not compile");
      if (ok) test_inputs(arena, file, text, prog);
    }
  }
  arena_free(arena);
}

// ---- random programs --------------------------------------------------------------------------
static char *input_text(Arena *arena, const Prog *prog, const Fn *fn, uint64_t seed) {
  IValues args = gen_inputs(arena, prog, seed, false);
  Text text = {0};
  for (int i = fn->entry->size_params; i < args.len; i++) {
    Value v = value_of(arena, args.at[i]);
    value_print(&text, &v);
    text_putc(&text, ' ');
  }
  char *copy = arena_strdup(arena, text.at ? text.at : "");
  text_free(&text);
  return copy;
}

// Derivative operators are for the passes before the back end.
static bool has_derivatives(const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  bool found = strstr(text.at, "jvp ") != NULL || strstr(text.at, "vjp ") != NULL;
  text_free(&text);
  return found;
}

static void show(const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  printf("%s", text.at);
  text_free(&text);
}

static void test_random(uint64_t seed, const char *flags) {
  Arena *arena = arena_new();
  GenOptions options = {.statements = 10 + (int)(seed % 40), .may_fail = seed % 4 == 0};
  const Prog *prog = gen_program(arena, seed, options);
  const Fn *fn = interp_entry_fn(prog, "main");
  char *name = arena_printf(arena, "seed %llu", (unsigned long long)seed);
  if (has_derivatives(prog)) {
    arena_free(arena);
    return;
  }
  if (verbose) show(prog);
  bool ok = compile(arena, prog, flags);
  expect(ok, name, "generated C does not compile");
  for (uint64_t k = 0; ok && k < 3; k++)
    compare(arena, name, prog, input_text(arena, prog, fn, seed + k));
  arena_free(arena);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void test_folder(const char *path) {
  char *names[512];
  int n = 0;
  DIR *dir = opendir(path);
  for (struct dirent *d; dir && (d = readdir(dir)) != NULL && n < COUNT_OF(names);) {
    size_t len = strlen(d->d_name);
    if (len < 4 || strcmp(d->d_name + len - 3, ".ir") != 0) continue;
    names[n] = malloc(strlen(path) + len + 2);
    sprintf(names[n++], "%s/%s", path, d->d_name);
  }
  if (dir) closedir(dir);
  qsort(names, (size_t)n, sizeof *names, by_name);
  for (int i = 0; i < n; i++) {
    test_file(names[i]);
    free(names[i]);
  }
}

int main(int argc, char **argv) {
  volatile int at = 1;  // main is re-entered by stop_arm
  if (at < argc && strcmp(argv[at], "-v") == 0) verbose = true, at++;
  strcpy(folder, "/tmp/dagaz-back-XXXXXX");
  if (!mkdtemp(folder)) return 1;
  if (system("gcc --version > /dev/null 2>&1") != 0) {
    printf("test_back: no gcc, nothing tested\n");
    return 0;
  }
  Stop stop;
  if (!stop_arm(&stop)) return 70;
  if (at + 2 < argc && strcmp(argv[at], "-r") == 0) {
    long from = strtol(argv[at + 1], NULL, 10), count = strtol(argv[at + 2], NULL, 10);
    const char *flags = getenv("FUZZ_FLAGS");
    for (long i = 0; i < count; i++)
      test_random(
          (uint64_t)(from + i),
          flags ? flags : "-O0 -DDZ_W=1 -fsanitize=address,undefined -fno-sanitize-recover");
  } else if (at < argc)
    for (; at < argc; at++) test_file(argv[at]);
  else test_folder("tests/back");
  if (!verbose) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) failed++;
  } else printf("left in %s\n", folder);
  printf("test_back: %d passed, %d failed\n", passed, failed);
  return failed != 0;
}
