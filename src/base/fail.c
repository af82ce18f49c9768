// Leaving a session.  The innermost armed Stop is the one piece of thread-local state in the
// library; with none armed (unit tests) the process aborts, which is what a test needs.
#include "base.h"
#include <stdlib.h>

static _Thread_local Stop *armed;

void stop_push(Stop *stop) {
  stop->status = STATUS_OK;
  stop->outer = armed;
  armed = stop;
}

void stop_pop(Stop *stop) { armed = stop->outer; }

_Noreturn void stop_now(Status status) {
  if (!armed) abort();
  Stop *stop = armed;
  armed = stop->outer;
  stop->status = status;
  longjmp(stop->jump, 1);
}

_Noreturn void ice_at(const char *file, int line, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  fprintf(stderr, "internal error: %s:%d: ", file, line);
  vfprintf(stderr, fmt, args);
  fprintf(stderr, "\nThis is a bug in dagaz, not in your program; please report it.\n");
  va_end(args);
  stop_now(STATUS_BUG);
}

_Noreturn void fail_io(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  fprintf(stderr, "dagaz: ");
  vfprintf(stderr, fmt, args);
  fprintf(stderr, "\n");
  va_end(args);
  stop_now(STATUS_IO);
}
