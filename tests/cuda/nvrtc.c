// nvrtc CAPABILITY.. < LIST: compiles the texts of kernels in the files that the lines of stdin name,
// by the runtime's own functions, for devices of these capabilities (80 is 8.0); nothing runs.  A file
// has the texts of a program, each from a line "// Kernels of .." on.  Every kernel of a text must be
// in the code.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "nvrtc.h"

static char *file_read(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = (char *)calloc(1 << 24, 1);
  if (f == NULL || text == NULL) exit(2);
  text[fread(text, 1, (1 << 24) - 1, f)] = 0;
  fclose(f);
  return text;
}

static bool code_has(const DzNvrtc *v, const char *name) {
  const size_t n = strlen(name);
  for (size_t i = 0; i + n <= v->bytes; i++)
    if (memcmp(v->code + i, name, n) == 0) return true;
  return false;
}

// How many kernels the code has; -1: one of the text's is missing.
static int kernels_of(const DzNvrtc *v, const char *text) {
  static const char mark[] = "\nDZ_KERNEL(";
  char name[300];
  int count = 0;
  for (const char *at = text; (at = strstr(at, mark)) != NULL; count++) {
    at += sizeof mark - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ")"), at);
    if (!code_has(v, name)) return -1;
  }
  return count;
}

typedef struct {
  int kernels, passed, failed;
} Counts;

static Counts compile(DzCtx *c, DzNvrtc *v, const char *path, const char *text, int capability) {
  const char *const lines[] = {text, NULL};
  const int err = dz_nvrtc_compile(c, v, lines, capability);
  const int found = err == 0 ? kernels_of(v, text) : -1;
  if (found < 0) printf("FAILED: %s: %.600s\n", path, err != 0 ? c->error : "a kernel is missing");
  return (Counts){found > 0 ? found : 0, found >= 0, found < 0};
}

// The text after this one, which then ends; NULL: it is the last.
static char *next_text(char *text) {
  char *next = strstr(text + 1, "\n// Kernels of ");
  if (next != NULL) *next++ = 0;
  return next;
}

int main(int argc, char **argv) {
  DzCtx c = {0};
  DzNvrtc v = {0};
  char path[1000];
  Counts n = {0};
  if (dz_nvrtc_open(&c, &v, 99000) != 0) {
    printf("skipped: %s\n0 passed, 0 failed, 1 skipped\n", c.error);
    return 0;
  }
  while (fgets(path, sizeof path, stdin) != NULL) {
    path[strcspn(path, "\n")] = 0;
    char *all = file_read(path);
    for (char *text = all, *next; text != NULL; text = next) {
      next = next_text(text);
      for (int i = 1; i < argc; i++) {
        const Counts one = compile(&c, &v, path, text, atoi(argv[i]));
        n = (Counts){n.kernels + one.kernels, n.passed + one.passed, n.failed + one.failed};
      }
    }
    free(all);
  }
  if (n.kernels == 0) n.failed++, printf("FAILED: no file has a kernel\n");
  printf("%d kernels are compiled\n%d passed, %d failed\n", n.kernels, n.passed, n.failed);
  dz_nvrtc_free(&v);
  return n.failed != 0;
}
