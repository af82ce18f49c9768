// poly: polynomials over integer variables with rational coefficients, for lengths of arrays.
#ifndef CFLOW_POLY_H
#define CFLOW_POLY_H
#include "ctext/ctext.h"

enum { MOST_FACTORS = 6 };
typedef struct {
  int64_t num, den;          // den > 0, in lowest terms
  int n;
  const CVar *vars[MOST_FACTORS];  // sorted by address
} Monomial;
typedef struct {
  bool known;                // false: not a polynomial
  LIST(Monomial) terms;      // none twice, no zero
} Poly;
Poly cpoly_const(Arena *arena, int64_t v);
Poly cpoly_var(Arena *arena, const CVar *v);
Poly cpoly_add(Arena *arena, Poly a, Poly b, int64_t factor);  // a + factor b
Poly cpoly_mul(Arena *arena, Poly a, Poly b);
Poly cpoly_over(Arena *arena, Poly a, int64_t divisor);        // as rationals
Poly cpoly_divide(Arena *arena, Poly a, Poly by);              // exact, by one term; else not known
Poly cpoly_subst(Arena *arena, Poly a, const CVar *v, Poly value);
Poly cpoly_coefficient(Arena *arena, Poly a, const CVar *v, int power);
int cpoly_degree(const Poly *a, const CVar *v);
bool cpoly_zero(const Poly *a);
// For variables of at least 1: a >= 0 for certain.
bool cpoly_at_least_zero(Arena *arena, Poly a);
bool cpoly_whole(const Poly *a);    // whole numbers for whole variables, as far as halves go
int64_t cpoly_denominator(const Poly *p);  // common to all terms
const CExpr *cpoly_expr(Arena *arena, Poly a);  // as C of type long
#endif
