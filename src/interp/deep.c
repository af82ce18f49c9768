// Programs whose functions call themselves run on a thread of their own, with a stack for some
// hundred thousand calls: an interpreter's frames are larger than a compiled program's, and both
// should take the same programs.
#include <pthread.h>
#include "local.h"

enum { STACK_MOST = 1 << 28, STACK_LEAST = 1 << 23 };

typedef struct {
  void (*run)(void *state);
  void *state;
  Status status;
} Deep;

// Who leaves through stop_now leaves the thread; the thread that waits goes on leaving.
static void *deep_main(void *state) {
  Deep *d = state;
  Stop stop;
  stop_push(&stop);
  if (setjmp(stop.jump) == 0) {
    d->run(d->state);
    stop_pop(&stop);
  } else d->status = stop.status;
  return NULL;
}

// Stacks are reserved whole, so the largest that the machine grants.
static bool deep_start(pthread_t *thread, Deep *d) {
  pthread_attr_t attr;
  if (pthread_attr_init(&attr) != 0) return false;
  bool started = false;
  for (size_t size = STACK_MOST; size >= STACK_LEAST && !started; size /= 2)
    started = pthread_attr_setstacksize(&attr, size) == 0 &&
              pthread_create(thread, &attr, deep_main, d) == 0;
  pthread_attr_destroy(&attr);
  return started;
}

void deep_run(void (*run)(void *state), void *state) {
  Deep d = {run, state, STATUS_OK};
  pthread_t thread;
  if (!deep_start(&thread, &d)) {
    run(state);
    return;
  }
  pthread_join(thread, NULL);
  if (d.status != STATUS_OK) stop_now(d.status);
}
