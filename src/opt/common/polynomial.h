// Polynomials in the sizes of a program, for what a program costs.
#ifndef OPT_POLY_H
#define OPT_POLY_H
#include "core/core.h"

enum { POLY_FACTORS = 8 };  // of more variables in one term the rest is dropped
typedef struct {
  double factor;
  int n;
  Var vars[POLY_FACTORS];  // ascending
} Term1;
typedef LIST(Term1) Poly;
Poly poly_number(Arena *arena, double x);
Poly poly_var(Arena *arena, Var v);
Poly poly_trips(Arena *arena, Var bound);  // how often the loop runs that binds this first
Poly poly_log(Arena *arena, Var v);          // as "log n"
Poly poly_add(Arena *arena, Poly a, Poly b);
Poly poly_times(Arena *arena, Poly a, Poly b);
double poly_at(Poly p, double size);  // every variable being `size`, its logarithm of base 2
// Largest degree first: "3 n m + 2 n"; variables of one name are n, n_1, ..
void poly_print(Text *out, const Prog *prog, Poly p);

// ---- cost.c: what functions cost, as far as their sizes tell ------------------------------------
// Loop indices count as their bounds, branches as their most costly case (what they choose from
// constants as the largest), while-loops as one
// iteration of an unknown number that counts as its own variable.
typedef struct Cost Cost;
// `special`: what a transcendental function counts.
Cost *cost_new(const Prog *prog, Arena *arena, const Fn *fn, double special);
Poly cost_work(Cost *c, const Body *body);    // scalar operations and elements moved
Poly cost_tapes(Cost *c, const Body *body);   // bytes of arrays that loops fill for later loops
bool cost_tapes_in_maps(Cost *c, const Body *body);  // some are of one iteration of a map
Poly cost_span(Cost *c, const Body *body);    // statements on the critical path
Poly cost_memory(Cost *c, const Body *body);  // bytes of arrays that exist at one time, at most
Poly cost_elements(Cost *c, Type t);
Poly cost_atom(Cost *c, Atom a);
Poly cost_trips(Cost *c, const Stm *loop);
Arena *cost_arena(const Cost *c);
const Prog *cost_prog(const Cost *c);
#endif
