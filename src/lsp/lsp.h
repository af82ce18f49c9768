// lsp: the language server: what an editor asks about programs while they are written, as
// JSON-RPC with Content-Length headers.  Nothing it reads is trusted.
#ifndef LSP_H
#define LSP_H
#include "check/check.h"

// Warnings about an accepted program beyond those of checking; it may leave by a Stop.
typedef void LspWarn(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program);

// Serves one client until it leaves; `lib` is the library, as program_load needs it; `warn` may be
// NULL.  The exit status: 0 after shutdown and exit, else 1.
int lsp_serve(FILE *in, FILE *out, const struct EmbeddedFile *lib, LspWarn *warn);
#endif
