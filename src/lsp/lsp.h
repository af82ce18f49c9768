// lsp: the language server: what an editor asks about programs while they are written, as
// JSON-RPC with Content-Length headers.  Nothing it reads is trusted.
#ifndef LSP_H
#define LSP_H
#include "../check/check.h"

// Serves one client until it leaves; `lib` is the library, as program_load wants it.  The exit
// status: 0 after shutdown and exit, else 1.
int lsp_serve(FILE *in, FILE *out, const struct EmbeddedFile *lib);
#endif
