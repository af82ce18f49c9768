// derive: the derivative of an entry point as a function, and core as source text that
// compiles again to the same results.
#ifndef DERIVE_H
#define DERIVE_H
#include "core/core.h"

typedef enum {
  DERIVE_EXPAND,  // the entry point itself
  DERIVE_JVP,     // NAME_jvp : (params.., tangents of the floating-point ones) -> (y.., dy..)
  DERIVE_VJP,     // NAME_vjp : (params.., cotangents of the results) -> (y.., xB..)
} DeriveMode;

typedef struct {
  const char *why;
  Span at;  // the entry point
} DeriveObstacle;

// wrap.c: a program with one entry point: that one, or its derivative (with the operator still
// there).  y: the floating-point results.  NULL where something stands in the way.
Prog *derive_entry(Arena *arena, const Prog *prog, const char *entry, DeriveMode mode,
                   DeriveObstacle *obstacle);

// sizes.c: entry points with one size parameter for all that their assertions say are equal.
Prog *derive_sizes(Arena *arena, const Prog *prog);

// The parts of wrap.c, for callers with other operators: a function of the same parameters as `of`,
// and a lambda of the active ones (none unique) with its body; the others are free in the lambda.
typedef struct {
  Rewrite w;
  Prog *prog;
  const Fn *of;
  Fn *fn;          // the wrapper; directions come to its parameters
  Lambda *lambda;  // what is differentiated: all results of `of` that are active
  Atoms args;      // its arguments in the wrapper
  Atoms sizes;     // those bound with results of `of`, as the wrapper finds them beforehand
  int seed_sizes;  // parameters for sizes of seeds
} Wrapper;
typedef bool WrapActive(const Prog *prog, Var v);
// Sizes bound with results are computed before, by a copy of the body that does nothing else.
Wrapper wrapper_new(Prog *prog, const Fn *of, const char *name, WrapActive *active);
Var wrapper_param(Wrapper *o, const char *base, Type type);
Atoms wrapper_directions(Wrapper *o, const char *base, Types types, Atoms shape);
// The operator is the body, its results are the wrapper's; an entry point.
Fn *wrapper_end(Wrapper *o, const char *base, Exp exp);

// print*.c: the program's entry points as source text.  Level AD_FREE, no fused forms.  Leaves
// through `unsupported` where the language has no word for something.
void source_print(Text *out, const Prog *prog, Diag *diag);
#endif
