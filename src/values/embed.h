// Texts that travel inside the compiler: the runtime (pasted into generated programs) and the
// library (the prelude).  Made by tools/embed.sh at build time; both lists end with a NULL name.
#ifndef EMBED_H
#define EMBED_H
#include <stddef.h>

struct EmbeddedFile {
  const char *name, *text;  // "base.h"; "prelude/array.fut"
  size_t len;
};
extern const struct EmbeddedFile rts_files[];
extern const struct EmbeddedFile lib_files[];
#endif
