// derive: the derivative of an entry point as a function of its own, and core as source text that
// compiles again to the same results.
#ifndef DERIVE_H
#define DERIVE_H
#include "../core/core.h"

typedef enum {
  DERIVE_EXPAND,  // the entry point itself
  DERIVE_JVP,     // NAME_jvp : (params.., tangents of the floating-point ones) -> (y.., dy..)
  DERIVE_VJP,     // NAME_vjp : (params.., cotangents of the results) -> (y.., xB..)
} DeriveMode;

// wrap.c: a program with one entry point: that one, or its derivative (with the operator still
// there).  y: the floating-point results.  Messages go to *error when it cannot be; then NULL.
Prog *derive_entry(Arena *arena, const Prog *prog, const char *entry, DeriveMode mode,
                   const char **error);

// print*.c: the program's entry points as source text.  Level AD_FREE, no fused forms.  Leaves
// through `unsupported` where the language has no word for something.
void source_print(Text *out, const Prog *prog, Diag *diag);
#endif
