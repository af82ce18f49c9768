// Texts that travel inside the compiler: the runtime (pasted into generated programs) and the
// library (the prelude).  Made by tools/embed.sh at build time; the lists end with a NULL name.
#ifndef EMBED_H
#define EMBED_H
#include <stddef.h>
#include "base/base.h"

struct EmbeddedFile {
  const char *name, *text;  // "base.h"; "prelude/array.fut"
  size_t len;
};
extern const struct EmbeddedFile rts_files[];
extern const struct EmbeddedFile lib_files[];
extern const struct EmbeddedFile c_headers[];  // "math.h": for a preprocessor without the system's
extern const char *const rts_scalars;          // rts/device.h after the preprocessor
extern const char *const schedule_text;        // src/ad/loops/schedule.ir

extern const struct EmbeddedFile c_rules[];  // "math.rules": derivatives of the C library

// ---- embed.c ---------------------------------------------------------------------------------
const struct EmbeddedFile *embedded_find(const struct EmbeddedFile *files, const char *name);
// Appends the text of a runtime header with what it includes from rts/ in place, without lines
// that are only comments.  *done (0 at first) remembers what is in the output already, so
// pasting "server.h" alone gives all of the runtime, once.
void rts_paste(Text *out, const char *name, uint64_t *done);
#endif
