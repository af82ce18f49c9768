// bench: what timing and comparing share.
#ifndef BENCH_H
#define BENCH_H
#include "cmd.h"

typedef LIST(double) Times;
typedef struct {
  int runs;
  double median, low, high;  // with 95% probability the true median is within [low, high]
} Summary;
Summary times_summary(double *times, int n);  // sorts them

// bench_compare.c: OLD NEW; exit status 1 when a file cannot be read, else 0.
int bench_compare(Arena *arena, const Words *files);
#endif
