// gen: random well-typed core programs, inputs for them, derivatives of them, and a shrinker.
// They compare the interpreter with every pass and back end, and the AD strategies with each
// other.  Everything is a function of the seed.
#ifndef GEN_H
#define GEN_H
#include "interp/interp.h"

typedef struct {
  int statements;  // about how many, counting nested bodies; 0: 25
  int depth;       // of nested bodies; 0: 3
  bool derivable;  // results are f64 of sizes known from the parameters
  bool smooth;     // and differentiable everywhere: differences may be compared with
  bool nested;     // vjp and jvp inside: the interpreter needs them differentiated first
  bool integers;   // derivatives are taken of i64 and in i64: they wrap and are exact
  bool single;     // derivatives are taken of f32
  bool half;       // of f16
  bool mixed;      // of f64, with f32 on the way
  bool overwrites; // several arrays are shared and then overwritten
  bool may_fail;   // indices out of bounds, divisions by zero and false assertions may occur
} GenOptions;

// An entry point "main" (size_params sizes, then arrays and scalars), and functions it calls.
Prog *gen_program(Arena *arena, uint64_t seed, GenOptions options);
// Arguments of main, sizes included; empty and one-element arrays are frequent.  wild: infinite and
// NaN elements in some arrays.
IValues gen_inputs(Arena *arena, const Prog *prog, uint64_t seed, bool wild);
IValues gen_inputs_of(Arena *arena, const Prog *prog, const char *fn, uint64_t seed);
// One size is long, for compiled programs: several strips of vectors, blocks, and what is left
// over.
IValues gen_inputs_long(Arena *arena, const Prog *prog, uint64_t seed);

// ---- derive.c: adds to a copy of a derivable program, with x its f64 parameters and y its results
//   main_jvp : (params.., dx) -> (y, dy)
//   main_vjp : (params.., yB) -> (y, xB)
Prog *gen_derivatives(Arena *arena, const Prog *prog);
// the same, and with an outer dimension of so many directions on dx, dy, yB, xB: main_jmp,
// main_mjp, and marked #[unroll]: main_jmp_jammed, main_mjp_jammed
Prog *gen_bare_derivatives(Arena *arena, const Prog *prog);  // main_jvp, main_vjp: no values
Prog *gen_vector_derivatives(Arena *arena, const Prog *prog, int directions);
// of the gradient xB as a function of x, for a given yB, with H its derivative:
//   main_jvp_vjp : (params.., yB, dx) -> (xB, H dx)
//   main_vjp_vjp : (params.., yB, w) -> (xB, w H)
// and of the tangent dy along dx as one:
//   main_jvp_jvp : (params.., dx, w) -> (dy, what w changes dy by)
//   main_vjp_jvp : (params.., dx, yB) -> (dy, H dx)
Prog *gen_second_derivatives(Arena *arena, const Prog *prog);
bool gen_is_active(const Prog *prog, Var param);  // whether a parameter of main has a tangent
IValue gen_direction(Arena *arena, IValue like, uint64_t seed);  // random numbers of its shape
double gen_dot(IValue a, IValue b);
uint64_t gen_dot_integer(IValue a, IValue b);

// ---- variants.c: the program with copies of arrays in between, and with one result of a function
Prog *gen_copies(Arena *arena, const Prog *prog, uint64_t seed);
Prog *gen_part(Arena *arena, const Prog *prog, const char *fn, int result);

// ---- wrong.c: the program with a wrong derivative for an operation of one f64
Prog *gen_wrong(Arena *arena, const Prog *prog, Op op);

// ---- census.c, census_rows.c: what programs and their arguments have, how often
typedef struct GenCensus GenCensus;
GenCensus *gen_census_new(Arena *arena);
void gen_census_add(GenCensus *c, const Prog *prog, IValues args);
// A line each: name, programs that have it, times; then what none has.  Returns how many those are.
int gen_census_print(Text *out, const GenCensus *c);

// ---- shrink.c: the smallest program found for which `still` holds (it holds for prog).
// Deletes statements and branches and replaces results by constants; candidates are verified.
Prog *gen_shrink(Arena *arena, const Prog *prog, bool (*still)(void *state, const Prog *prog),
                 void *state);
// cgen.c: a C program whose head is f, for tests/c/random.sh.
void cgen_program(Text *out, uint64_t seed);
#endif
