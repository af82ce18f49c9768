// The parts of `dagaz gradcheck`: checks of an entry point's derivatives at one point
// (gradcheck.c), random points (gradcheck_data.c), and shrinking those that disagree
// (cmd_gradcheck.c).
#ifndef GRADCHECK_H
#define GRADCHECK_H
#include "cmd.h"
#include "interp/interp.h"

typedef struct {
  const Prog *primal, *jvp, *vjp;     // ready for the interpreter
  const Prog *by_strategy[STRATEGY_END];  // vjp by another strategy; NULL: not compared
  const Fn *fn;                       // the entry point in primal
  const char *entry, *jvp_name, *vjp_name;
  const char *jvp_exe, *vjp_exe;      // NULL: compiled code is not looked at
  Arena *arena;
  uint64_t seed;
  double tolerance;                   // of differences; 0: by type
  Prim coarsest;                      // floating-point type that the entry computes with
  int64_t most;                       // elements of each input that are looked at
  bool quiet;                         // no report
  unsigned *kinds;                    // the kinds of disagreement, one bit each; NULL: not wanted
} GradCheck;
// GRAD_INCONCLUSIVE: both modes agree, and differences decide nowhere.  GRAD_EMPTY: no elements.
// GRAD_TOO_LONG: the interpreter's step limit ended a run.
typedef enum {
  GRAD_AGREES, GRAD_INCONCLUSIVE, GRAD_EMPTY, GRAD_DISAGREES, GRAD_FAILED, GRAD_TOO_LONG
} GradVerdict;
typedef enum {
  DISAGREE_FAILS = 1,     // a derivative fails where the entry does not
  DISAGREE_VALUE = 2,     // the value a derivative program computes is another
  DISAGREE_MODES = 4,     // reverse and forward mode
  DISAGREE_DIFFERENCES = 8,
  DISAGREE_COMPILED = 16  // compiled and interpreted code
} GradKind;
// At the inputs; prints the report unless quiet.  GRAD_FAILED: the entry itself fails there, with
// *why.
GradVerdict gradcheck_at(const GradCheck *g, Values inputs, const char **why);

// The same by compiled code alone, in one random direction v with random weights u: the value of
// both programs, <u, J v> against <J^T u, v>, both against differences along v.
GradVerdict gradcheck_compiled(const GradCheck *g, Values inputs, const char **why);

// For every parameter of the entry point fn that no size is read for.  Unknown sizes are this one
// where the entry does not test for others; integers are such that they can be indices.
Values gradcheck_random(Arena *arena, const Prog *prog, const Fn *fn, int64_t size,
                        RandomOptions *options);
#endif
