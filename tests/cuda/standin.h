// standin: what the stand-in of NVRTC compiles kernels with, in front of their text: the words of CUDA C
// that kernels use, in C++ for the processor.  STANDIN_SHIM ends it: a function for each
// kernel that makes a launch of it, which runs for every thread, the last first.
//
//   void *NAME_launch(void **params, unsigned groups, unsigned group, Lent *lent)
//   void standin_run(void *launch)
//
// Parameters have the sizes that the kernel declares; those that are pointers are addresses of the
// stand-in's device, which `lent` turns into memory, or ends the program.
#ifndef STANDIN_H
#define STANDIN_H
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#include <ucontext.h>
#define __device__
#define __global__
#define __forceinline__ inline
typedef void *Lent(unsigned long long address);
inline void *operator new(__SIZE_TYPE__, void *at) { return at; }

struct Place3 {
  unsigned x, y, z;
};
static Place3 threadIdx, blockIdx, blockDim, gridDim;

// Threads of kernels of groups are fibers: each runs up to its next barrier or its end, in turns.
#define __shared__ static
enum { STANDIN_GROUP = 256, STANDIN_STACK = 64 * 1024 };
static ucontext_t standin_caller, standin_fiber[STANDIN_GROUP];
static bool standin_ended[STANDIN_GROUP];
static inline void __syncthreads() {
  swapcontext(&standin_fiber[threadIdx.x], &standin_caller);
}

static inline float __int_as_float(int x) {
  float out;
  __builtin_memcpy(&out, &x, 4);
  return out;
}
static inline int __float_as_int(float x) {
  int out;
  __builtin_memcpy(&out, &x, 4);
  return out;
}
static inline double __longlong_as_double(long long x) {
  double out;
  __builtin_memcpy(&out, &x, 8);
  return out;
}
static inline long long __double_as_longlong(double x) {
  long long out;
  __builtin_memcpy(&out, &x, 8);
  return out;
}
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline void __threadfence() {}

template <class T> static T atomicCAS(T *at, T wanted, T then) {
  T before = *at;
  if (before == wanted) *at = then;
  return before;
}
// Of the types that CUDA has them for, and no others.
#define STANDIN_ATOMIC(name, T, value)     \
  static inline T name(T *at, T b) {       \
    const T a = *at;                       \
    *at = (T)(value);                      \
    return a;                              \
  }
#define STANDIN_BITS(T)                    \
  STANDIN_ATOMIC(atomicAnd, T, a & b)      \
  STANDIN_ATOMIC(atomicOr, T, a | b)       \
  STANDIN_ATOMIC(atomicXor, T, a ^ b)
#define STANDIN_CHOICES(T)                 \
  STANDIN_ATOMIC(atomicMin, T, a < b ? a : b) \
  STANDIN_ATOMIC(atomicMax, T, a < b ? b : a)
STANDIN_BITS(int)
STANDIN_BITS(unsigned)
STANDIN_BITS(unsigned long long)
STANDIN_CHOICES(int)
STANDIN_CHOICES(unsigned)
STANDIN_CHOICES(long long)
STANDIN_CHOICES(unsigned long long)
STANDIN_ATOMIC(atomicAdd, int, (unsigned)a + (unsigned)b)
STANDIN_ATOMIC(atomicAdd, unsigned, a + b)
STANDIN_ATOMIC(atomicAdd, unsigned long long, a + b)
STANDIN_ATOMIC(atomicAdd, float, a + b)
STANDIN_ATOMIC(atomicAdd, double, a + b)
template <class T> static T atomicExch(T *at, T x) {
  T before = *at;
  *at = x;
  return before;
}

// ---- launches ----------------------------------------------------------------------------------
template <class T> struct Param {
  static T take(void *from, Lent *) {
    T out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
  }
};
template <class T> struct Param<T *> {
  static T *take(void *from, Lent *lent) {
    unsigned long long address;
    __builtin_memcpy(&address, from, 8);
    return (T *)lent(address);
  }
};

template <class... P> struct Held;
template <> struct Held<> {
  Held(void **, Lent *) {}
  template <class F, class... Q> void call(F f, Q... q) { f(q...); }
};
template <class T, class... P> struct Held<T, P...> {
  T first;
  Held<P...> others;
  Held(void **params, Lent *lent) : first(Param<T>::take(*params, lent)), others(params + 1, lent) {}
  template <class F, class... Q> void call(F f, Q... q) { others.call(f, q..., first); }
};

// A launch: parameters are taken when it is made, kernels run later.
struct Launch {
  unsigned groups, group;
  bool fibers;
  virtual void run() = 0;
};
template <class... P> struct LaunchOf : Launch {
  void (*kernel)(P...);
  Held<P...> held;
  LaunchOf(void (*k)(P...), void **params, Lent *lent) : kernel(k), held(params, lent) {}
  static LaunchOf *now;
  static void enter() {
    now->held.call(now->kernel);
    standin_ended[threadIdx.x] = true;
  }
  void start(char *stacks) {
    for (unsigned t = 0; t < group; t++) {
      getcontext(&standin_fiber[t]);
      standin_fiber[t].uc_stack.ss_sp = stacks + (unsigned long)t * STANDIN_STACK;
      standin_fiber[t].uc_stack.ss_size = STANDIN_STACK;
      standin_fiber[t].uc_link = &standin_caller;
      standin_ended[t] = false;
      makecontext(&standin_fiber[t], enter, 0);
    }
  }
  void run_fibers() {
    char *stacks = (char *)__builtin_malloc((unsigned long)group * STANDIN_STACK);
    now = this;
    for (blockIdx.x = 0; blockIdx.x < groups; blockIdx.x++) {
      start(stacks);
      for (bool left = true; left;) {
        left = false;
        for (unsigned t = group; t-- > 0;) {
          if (standin_ended[t]) continue;
          left = true;
          threadIdx.x = t;
          swapcontext(&standin_caller, &standin_fiber[t]);
        }
      }
    }
    __builtin_free(stacks);
  }
  void run() {
    gridDim.x = groups;
    blockDim.x = group;
    if (fibers) return run_fibers();
    for (unsigned g = groups; g-- > 0;)
      for (unsigned t = group; t-- > 0;) {
        blockIdx.x = g;
        threadIdx.x = t;
        held.call(kernel);
      }
  }
};
template <class... P> LaunchOf<P...> *LaunchOf<P...>::now;
template <class... P>
static Launch *launch_of(void (*kernel)(P...), void **params, Lent *lent) {
  void *at = __builtin_malloc(sizeof(LaunchOf<P...>));
  return new (at) LaunchOf<P...>(kernel, params, lent);
}
#define STANDIN_SHIM(name)                                                               \
  extern "C" void *name##_launch(void **params, unsigned groups, unsigned group, Lent *lent) { \
    Launch *out = launch_of(name, params, lent);                                         \
    out->groups = groups;                                                                \
    out->group = group;                                                                  \
    out->fibers = __builtin_strstr(#name, "_groups") != 0;                               \
    return out;                                                                          \
  }
extern "C" void standin_run(void *launch) {
  ((Launch *)launch)->run();
  __builtin_free(launch);
}
#endif
