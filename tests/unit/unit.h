// What a unit test counts, says of a failure, and ends with.  A test is one file, so these are its own.
#ifndef DAGAZ_TESTS_UNIT_H
#define DAGAZ_TESTS_UNIT_H
#include <stdbool.h>
#include <stdio.h>

static int passed, failed;

// One check: 'subject' (a file, a program) and what of it is wrong, which may be NULL.
static inline void expect(bool ok, const char *subject, const char *what) {
  if (ok) {
    passed++;
    return;
  }
  failed++;
  printf("FAIL %s: %s\n", subject, what ? what : "");
}

static inline void verdict(bool good, const char *text, const char *want, const char *got) {
  if (good) {
    passed++;
    return;
  }
  failed++;
  printf("%s\n  want: %s\n  got:  %s\n", text, want, got);
}

// The exit status; a test that checked nothing has failed.
static inline int unit_end(void) {
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}
#endif
