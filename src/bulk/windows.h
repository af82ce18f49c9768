// Windows: sums over places that slide, x[i + k] * w[k].  Shared by affine.c and windows.c.
#ifndef BULK_WINDOWS_H
#define BULK_WINDOWS_H
#include "rename.h"
#include <string.h>

// An i64 array whose element is base + the sum over its dimensions d of by[d] * (position along d).
enum { AFFINE_DIMS = 32 };
typedef struct {
  int64_t base, by[AFFINE_DIMS];
} Affine;
// made: variable -> the BulkStm that binds it.  False where it is not known to be one.
bool positions_of(const Prog *prog, const Map *made, Atom a, Affine *out);
// The least and the largest element.
void positions_range(const Affine *a, Type type, int64_t *low, int64_t *high);
// A constant size; -1: it is none.
int64_t size_constant(Atom dim);
#endif
