// stack: how deep calls may nest.  A recursive function compares its frame's address with the lowest
// address that frames may have before it calls itself, so recursion without end is an error of the
// program, not of the process.
//
//   dz_stack_end()   that address for the calling thread; NULL: not known, no limit
//
// The margin is for what needs no test: functions that are not recursive, the C library.
#ifndef DZ_STACK_H
#define DZ_STACK_H
#include <stddef.h>
#include <stdint.h>
#include "int.h"
#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif

#define DZ_STACK_MARGIN (INT64_C(512) << 10)
#define DZ_STACK_MOST (INT64_C(1) << 30)  // of a stack without bounds

#define DZ_DEEP "Calls nested deeper than the stack has room for."

#if defined(__linux__)
// Weak: older C libraries have these in a library of their own, which programs may do without.
extern int pthread_getattr_np(pthread_t, pthread_attr_t *) __attribute__((weak));
extern int pthread_attr_getstack(const pthread_attr_t *, void **, size_t *) __attribute__((weak));
#endif

// The lowest address of the calling thread's stack and its size; 0: not known.
DZ_FN size_t dz_stack_find(char **low) {
#if defined(__linux__)
  pthread_attr_t attr;
  void *at = NULL;
  size_t size = 0;
  if (pthread_getattr_np == NULL || pthread_attr_getstack == NULL) return 0;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return 0;
  if (pthread_attr_getstack(&attr, &at, &size) != 0) size = 0;
  pthread_attr_destroy(&attr);
  *low = (char *)at;
  return size;
#elif defined(__APPLE__)
  size_t size = pthread_get_stacksize_np(pthread_self());
  *low = (char *)pthread_get_stackaddr_np(pthread_self()) - size;
  return size;
#else
  (void)low;
  return 0;
#endif
}

// A frame outside of the thread's stack is that of a coroutine, whose bounds nothing tells.
DZ_FN char *dz_stack_end(void) {
  static _Thread_local char *low;
  static _Thread_local size_t size;
  static _Thread_local int known;
  char *here = (char *)__builtin_frame_address(0);
  if (!known) size = dz_stack_find(&low), known = 1;
  if (size == 0 || here < low || here >= low + size) return NULL;
  size_t most = size < (size_t)DZ_STACK_MOST ? size : (size_t)DZ_STACK_MOST;
  size_t margin = most / 4 < (size_t)DZ_STACK_MARGIN ? most / 4 : (size_t)DZ_STACK_MARGIN;
  return low + size - most + margin;
}
#endif
