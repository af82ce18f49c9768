// Finding embedded files, and pasting those of the runtime into a generated program.
#include "embed.h"
#include <string.h>

const struct EmbeddedFile *embedded_find(const struct EmbeddedFile *files, const char *name) {
  for (; files->name != NULL; files++)
    if (strcmp(files->name, name) == 0) return files;
  return NULL;
}

static const char *skip_spaces(const char *s) {
  while (*s == ' ') s++;
  return s;
}

// The file named by a line `#include "name"`; false for every other line.
static bool local_include(const char *line, char *name, size_t cap) {
  static const char start[] = "#include \"";
  if (strncmp(line, start, sizeof start - 1) != 0) return false;
  const char *from = line + sizeof start - 1;
  size_t len = strcspn(from, "\"\n");
  check(len < cap);
  memcpy(name, from, len);
  name[len] = 0;
  return true;
}

void rts_paste(Text *out, const char *name, uint64_t *done) {
  const struct EmbeddedFile *file = embedded_find(rts_files, name);
  if (file == NULL) ice("no runtime file %s", name);
  uint64_t bit = (uint64_t)1 << (file - rts_files);
  if (*done & bit) return;
  *done |= bit;
  for (const char *line = file->text; *line != 0;) {
    char included[64];
    const char *end = strchr(line, '\n');
    size_t len = end != NULL ? (size_t)(end - line) + 1 : strlen(line);
    if (local_include(line, included, sizeof included)) rts_paste(out, included, done);
    else if (strncmp(skip_spaces(line), "//", 2) != 0) text_write(out, line, len);
    line += len;
  }
}
