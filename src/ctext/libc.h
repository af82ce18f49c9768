// Properties of functions that derivatives use instead of a source: libc.def has a row for each
// function of the C library, rule.c makes rows of pragmas.
#ifndef CTEXT_LIBC_H
#define CTEXT_LIBC_H
#include "ctext/ctext.h"

typedef enum {
  LIBC_MATH,      // op at the type given
  LIBC_PURE,      // depends on its arguments' values only; derivative zero
  LIBC_SPECIAL,   // math without a row in prim.def: frexp, modf, remainder ..
  LIBC_ALLOCATE, LIBC_FREE, LIBC_REALLOC,
  LIBC_FILL, LIBC_COPY, LIBC_COMPARE,  // memset; memcpy, memmove; memcmp
  LIBC_PRINT,     // output only
  LIBC_INPUT,     // writes through its arguments; inactive
  LIBC_ASSERT, LIBC_STOP,   // does not return
  LIBC_OPAQUE_STATE,        // rand, time ..: not repeatable
  LIBC_REFUSED,   // setjmp, signals, threads
} LibcKind;
// #pragma dagaz derivative f: p = e, q = e'
typedef struct {
  CVars params;
  const CVar *result;                 // the value of f in the expressions
  LIST(const CExpr *) partials;       // by parameter; NULL: zero
} CRule;
// Derivatives that users wrote: called instead of those that are made of the body.
typedef struct CGiven {
  const struct CFunction *tangent, *adjoint;  // NULL: none
  LIST(int) constant, needed;         // parameters: not active; read by the adjoint though written
} CGiven;
typedef struct CLibc {
  const char *name;
  LibcKind kind;
  Prim prim; Op op;  // of LIBC_MATH
  const CRule *rule; // of LIBC_MATH: instead of op; else NULL
} CLibc;
const CLibc *libc_named(const char *name);  // NULL: not known
#endif
