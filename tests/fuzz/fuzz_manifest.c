// Manifests of packages: any bytes give a manifest or one message with its place; a printed manifest
// reads back as the same text; the paths in it stay inside lib/.
#include "pkg/pkg.h"

static void paths_check(const Manifest *m) {
  for (int i = 0; i < m->entries.len; i++) {
    const ManifestEntry *e = &m->entries.at[i];
    if (e->comment) continue;
    if (e->required.path[0] == '/' || strstr(e->required.path, "/../")) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  Manifest once, twice;
  ManifestError error = {0};
  const char *text = arena_strndup(arena, (const char *)data, size);
  if (!manifest_parse(arena, text, size, &once, &error)) {
    if (!error.message || error.line < 1 || error.column < 1) __builtin_trap();
    arena_free(arena);
    return 0;
  }
  Text a = {0}, b = {0};
  manifest_print(&a, &once);
  paths_check(&once);
  if (a.len <= MANIFEST_BYTES) {
    if (!manifest_parse(arena, a.at, a.len, &twice, &error)) __builtin_trap();
    manifest_print(&b, &twice);
    if (strcmp(a.at, b.at) != 0) __builtin_trap();
  }
  text_free(&a), text_free(&b);
  arena_free(arena);
  return 0;
}
