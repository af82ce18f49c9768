// nvrtc CAPABILITY.. < LIST: compiles the texts of kernels in the files that the lines of stdin name,
// by the runtime's own functions, for devices of these capabilities (80 is 8.0); nothing runs.  Every
// kernel of a text must be in the code.
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

int main(int argc, char **argv) {
  DzCtx c = {0};
  DzNvrtc v = {0};
  char path[1000];
  int kernels = 0, passed = 0, failed = 0;
  if (dz_nvrtc_open(&c, &v, 99000) != 0) {
    printf("skipped: %s\n0 passed, 0 failed, 1 skipped\n", c.error);
    return 0;
  }
  while (fgets(path, sizeof path, stdin) != NULL) {
    path[strcspn(path, "\n")] = 0;
    char *text = file_read(path);
    const char *const lines[] = {text, NULL};
    for (int i = 1; i < argc; i++) {
      const int err = dz_nvrtc_compile(&c, &v, lines, atoi(argv[i]));
      const int found = err == 0 ? kernels_of(&v, text) : -1;
      if (found < 0) printf("FAILED: %s: %.600s\n", path, err != 0 ? c.error : "a kernel is missing");
      found < 0 ? failed++ : passed++;
      kernels += found > 0 ? found : 0;
    }
    free(text);
  }
  if (kernels == 0) failed++, printf("FAILED: no file has a kernel\n");
  printf("%d kernels are compiled\n%d passed, %d failed\n", kernels, passed, failed);
  dz_nvrtc_free(&v);
  return failed != 0;
}
