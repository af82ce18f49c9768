// tester: how `dagaz test` checks one program.
#ifndef TESTER_H
#define TESTER_H
#include "cases.h"

typedef struct {
  bool interp, check_only, compile_only, verify;
  Target target;
  Words threads;        // with each so many, with the same results; empty: as the programs choose
  double tolerance;
  const char *exclude;  // a tag, or NULL
  const char *entry;    // only this entry point, or NULL
  uint64_t seed;        // of the candidates for properties
  int strategy;         // of derivatives that name none
  int passed, failed, skipped;
} Tester;
// Prints failures on stdout, counts in tester.
void program_test(Tester *tester, const char *path);
#endif
