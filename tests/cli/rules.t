$ # A rule instead of the source: bit tricks, a function of another library, two arguments.
$ printf '%s\n' '#include <string.h>' 'static float rsqrt(float number) {' '  int i;' '  float y = number;' '  memcpy(&i, &y, 4);' '  i = 0x5f3759df - (i >> 1);' '  memcpy(&y, &i, 4);' '  y = y*(1.5f - 0.5f*number*y*y);' '  return y*(1.5f - 0.5f*number*y*y);' '}' '#pragma dagaz derivative rsqrt: number = -0.5f*rsqrt/number' 'double mix(double a, int k, double b);' '#pragma dagaz derivative mix: a = k*b, b = k*(a + 2*b)' 'void show(int n, const double *x);' '#pragma dagaz inactive show' 'double f(int n, const double x[n]) {' '  double s = 0;' '  show(n, x);' '  for (int i = 0; i < n; i++) s += rsqrt(x[i])*mix(x[i] + 1, i, s - x[i]);' '  return s;' '}' > f.c
$ printf '%s\n' 'double mix(double a, int k, double b) { return k*(a*b + b*b); }' 'void show(int n, const double *x) { (void)n; (void)x; }' > other.c
$ dagaz adjoint f.c --head "f(f)/(x)" --context && sed -n '/^void f_b/,$p' f_b.c
void f_b(int n, const double x[n], double xb[n], double fb) {
  int i;
  float t;
  double t0;
  double tb1;
  double tb2;
  double sb = 0;
  dz_tape tape = {0};
  double s = 0;
  show(n, x);
  for (i = 0; i < n; i++) {
    dz_push_real(&tape, s);
    s += rsqrt(x[i])*mix(x[i] + 1, i, s - x[i]);
  }
  for (long i0 = 0; i0 < n; i0++)
    xb[i0] = 0;
  sb += fb;
  fb = 0;
  for (i = n - 1; i >= 0; i--) {
    s = dz_pop_real(&tape);
    t = rsqrt(x[i]);
    t0 = mix(x[i] + 1, i, s - x[i]);
    tb1 = t*sb;
    tb2 = i*(x[i] + 1 + 2*(s - x[i]))*tb1;
    xb[i] += -0.5f*t/x[i]*(t0*sb) + i*(s - x[i])*tb1 - tb2;
    sb = sb + tb2;
  }
  sb = 0;
  dz_tape_free(&tape);
}
$ gcc -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-unused-parameter -O1 -o check f_check.c f.c f_d.c f_b.c other.c -lm && ./check n=4 --range=1:2 | tail -1
they agree
$ # A wrong sign is found.
$ sed 's/k\*(a + 2\*b)/-k*(a + 2*b)/' f.c > g.c && dagaz adjoint g.c --head "f(f)/(x)" --context && gcc -Wno-unknown-pragmas -O1 -o check g_check.c g.c g_d.c g_b.c other.c -lm && ./check n=4 --range=1:2 | tail -1
they disagree
$ # Rules in a file for themselves.
$ grep -v pragma f.c > h.c && (echo 'float rsqrt(float number);'; grep -A1 '^double mix' f.c; grep -A1 '^void show' f.c; grep rsqrt: f.c) > my.rules.h
$ dagaz adjoint h.c --head "f(f)/(x)" 2>&1 | head -2
Error at h.c:15:3-13:
This function has no source here.
$ dagaz adjoint h.c --rules my.rules.h --head "f(f)/(x)" && diff f_b.c h_b.c | grep '^[<>]'
< /* Made by `dagaz adjoint` from f.c. */
< #include "f_b.h"
> /* Made by `dagaz adjoint` from h.c. */
> #include "h_b.h"
$ # Bessel functions have rules.
$ printf '%s\n' '#include <math.h>' 'double g(double x) { return j0(x)*y1(x) + jn(2, x)*j1(x) + yn(3, x)*y0(x); }' > b.c
$ dagaz adjoint b.c --head "g(g)/(x)" --context && gcc -O1 -o check b_check.c b.c b_d.c b_b.c -lm && ./check --range=1:2 | tail -1
they agree
$ # Core has no such rules.
$ dagaz cc --grad f.c -e f
Warning at f.c:19:36-47:
`rsqrt` has a rule of its derivative, which core does not know.
   19 |   for (int i = 0; i < n; i++) s += rsqrt(x[i])*mix(x[i] + 1, i, s - x[i]);
      |                                    ^^^^^^^^^^^ [c-rule]
Hint: source transformation is used instead: `f_b`, with the parameters that `dagaz adjoint` gives it
