// The table of library functions, looked up by name.
#include "local.h"

#define MATH(name, op)                        \
  {#name, LIBC_MATH, PRIM_F64, OP_##op, NULL},      \
  {#name "f", LIBC_MATH, PRIM_F32, OP_##op, NULL},
#define FN(name, kind) {#name, LIBC_##kind, PRIM_UNIT, OP_ADD, NULL},
static const CLibc rows[] = {
#include "libc.def"
};
#undef MATH
#undef FN

const CLibc *libc_named(const char *name) {
  for (int i = 0; i < COUNT_OF(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}
