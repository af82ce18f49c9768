// Shared by the files of `dagaz fuzz`.
#ifndef CMD_FUZZ_H
#define CMD_FUZZ_H
#include "cmd.h"
#include "interp/interp.h"

enum { FUZZ_STEP_LIMIT = 2000000 };
// Prints a program without operators as source text, compiles that and calls the entry point, which
// must give `want`.  NULL, also where the language has no text for something, or what is wrong.
const char *fuzz_source(Session *outer, const Prog *prog, const char *entry, IValues args,
                        IValues want, double tolerance);
InterpResult fuzz_call(Session *s, const Prog *prog, const char *fn, IValues args);
Prog *fuzz_copy(Session *s, const Prog *prog);  // passes change what they are given
// or a loop's limit has no room, or memory has none: none tells anything
bool fuzz_out_of_steps(const InterpResult *r);
void fuzz_release(IValues values);
// Derivatives inside main were simplified before it ran: what nothing needs may fail without that.
bool fuzz_main_fails(Session *s, const Prog *prog, IValues params);
IValues fuzz_with(Arena *arena, IValues a, IValues b);  // one after the other
// NULL, or how two lists of results differ.
const char *fuzz_values_within(Session *s, const char *way, IValues got, IValues want,
                               double tolerance);

// ---- fuzz_modes.c
typedef struct {
  IValues params, tangents, adjoints;  // of main; a direction for each active parameter, result
  bool coarse;     // some numbers are f32, or f16
  bool half;       // all are f16
  bool limited;    // the run may have a memory limit, and nothing but that depends on it
  int *unbounded;  // counts derivatives that need not be finite (fuzz_identities.c)
  int *unstable;   // counts comparisons that roundings decide (fuzz_roundings.c)
} FuzzSeeds;
FuzzSeeds fuzz_seeds(Session *s, const Prog *prog, IValues params, IValues results, uint64_t seed);
double fuzz_tolerance(const FuzzSeeds *seeds);
double fuzz_dot(IValues a, IValues b, int from);  // of b and the values of a from there
// NULL, or how forward and reverse mode differ, which return so many results before their
// derivatives.
const char *fuzz_duality(Session *s, const Prog *prog, const FuzzSeeds *seeds, int results,
                         const char *way);
typedef struct {
  int compared, inconclusive;
} FuzzCompared;
// NULL, or how forward mode and differences of prog's main differ.
const char *fuzz_differences(Session *s, const Prog *prog, const Prog *derived,
                             const FuzzSeeds *seeds, int results, FuzzCompared *count);

// ---- fuzz_roundings.c
typedef struct {
  const Prog *prog;
  const char *fn;
  IValues args;
} FuzzCall;
// Whether random rounding changes the results by a share of the tolerance.
bool fuzz_is_unstable(Session *s, const FuzzCall *c, double tolerance);
typedef struct {
  double forward, reverse, scale;  // <tangent of results, u>, <v, adjoint of params>
} FuzzDuality;
// Whether it changes the two numbers as much as they differ.  results: how many come before
// the derivatives.
bool fuzz_duality_is_lost(Session *s, const Prog *prog, const FuzzSeeds *seeds, int results,
                          FuzzDuality d);

// ---- fuzz_identities.c
// Further identities of derivatives besides <u, J v> = <J' u, v>; the seed decides which identity
// is tried. derived: main_jvp and main_vjp of prog's main, without operators.  NULL, or what is
// wrong.
const char *fuzz_identity(Session *s, uint64_t seed, const Prog *prog, const Prog *derived,
                          const FuzzSeeds *seeds, const InterpResult *want);

// ---- fuzz_limits.c: NULL, or what is wrong within memory limits
bool fuzz_is_limited(const Session *s, const Prog *prog);
const char *fuzz_limits(Session *s, const Prog *derived, const FuzzSeeds *seeds);  // interpreted
const char *fuzz_within(Session *s, const char *program, const char *fn, const Text *input);

// ---- fuzz_bulk.c
typedef struct {
  int compared, refused, duals;
  struct {
    const char *text;
    int times;
  } why[32];
} FuzzBulk;
// NULL, or how the whole-array form of prog's main differs.
const char *fuzz_bulk(Session *s, const Prog *prog, IValues args, const InterpResult *want,
                      FuzzBulk *count);
// NULL, or how main_vjp by dual arrays differs from main_jvp; derived holds both as operators.
const char *fuzz_dual(Session *outer, const Prog *derived, const FuzzSeeds *seeds, int results,
                      FuzzBulk *count);
void fuzz_bulk_show(const FuzzBulk *count);

// ---- fuzz_without.c
enum { FUZZ_ROWS = 128 };                  // more than there are rows of fuzz_row
__extension__ typedef unsigned __int128 FuzzTried;  // such rows, as bits
static inline FuzzTried fuzz_bit(int row) { return (FuzzTried)1 << row; }
WithoutRow fuzz_row(int i);                // those over core: programs are interpreted
FuzzTried fuzz_tried(const Session *s);    // those that applied
// The optimisations that apply to operators where the passes in front are off; 0 where the seed
// leaves them on.
FuzzTried fuzz_tried_bare(Session *s, const Prog *source, uint64_t seed);
typedef struct {
  const Prog *source, *derived;            // main_jvp and main_vjp as operators; differentiated
  FuzzTried early, late, bare;             // what applied then, and when that was optimised
  double tolerance;
  bool may_fail;                           // the program, with other inputs
  const char *names;                       // what to leave out; NULL: the seed chooses
} FuzzDerived;
// The derivatives without one optimisation, or without the rules for particular operators; NULL
// where nothing applied.  *differs: NULL, or what is wrong with them; *row: which, or -1.
const Prog *fuzz_without(Session *s, const FuzzDerived *d, const FuzzSeeds *seeds, uint64_t seed,
                         const char **differs, int *row);
typedef struct {
  const Prog *a, *b;
  double tolerance;
  bool may_fail;  // b, although a does not: a leaves a dead value out, b fails in it
} FuzzPair;
// NULL, or how b's results differ from a's, where both are finite.
const char *fuzz_same_results(Session *s, const char *way, const FuzzPair *pair, const char *fn,
                              IValues args);
// The same of main_vjp, but where roundings decide.
const char *fuzz_same_adjoints(Session *s, const char *way, const FuzzPair *pair,
                               const FuzzSeeds *seeds);

// ---- fuzz_strategies.c: NULL, or how the adjoints of another strategy differ
const char *fuzz_strategies(Session *s, const FuzzDerived *d, const FuzzSeeds *seeds,
                            uint64_t seed);
#endif
