$ cp $DAGAZ_ROOT/tests/c/examples/*.[ch] .
$ printf 'double f(int n, const double x[n], double s) {\n  double t = 0;\n  for (int i = 0; i < n; i++) t += s*x[i]*x[i]*x[(i + 1) %% n];\n  return t;\n}\nint main(void) { return 3; }\n' > f.c
$ for m in grad jvp vjp jac hvp; do dagaz cc --$m f.c -e f --check --check-size n=5 | cut -d: -f1; done; ls f*
f
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  f_grad, values
  f_grad, adjoint
  f_grad, dot product with tangent
  f_grad, differences
they agree
f
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  f_jvp, values
  f_jvp, tangent
  f_jvp, dot product with adjoint
  f_jvp, differences
they agree
f
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  f_vjp, values
  f_vjp, adjoint
  f_vjp, dot product with tangent
  f_vjp, differences
they agree
f
  f_jac, differences
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  f_jac, values
  f_jac, tangent
  f_jac, adjoint
they agree
f
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  f_hvp, values
  f_hvp, adjoint
  f_hvp, dot product with tangent
  f_hvp, differences
  f_hvp, Hessian, differences of gradients
  f_hvp, Hessian, symmetry
they agree
f.c
$ printf 'void mul(int n, int m, double a[n][m], const double x[m], double y[n], double *norm, float k) {\n  *norm = 0;\n  for (int i = 0; i < n; i++) {\n    double s = y[i];\n    for (int j = 0; j < m; j++) s += a[i][j]*x[j];\n    y[i] = s*k;\n    *norm += s*s;\n  }\n}\n' > mul.c
$ for m in jvp vjp jac; do dagaz cc --$m mul.c -e "mul(norm y)/(x y k a)" --check --check-size "n=4, m=2" | tail -1; done
they agree
they agree
they agree
$ dagaz cc --vjp mixture.c -e log_sum_exp --check --check-size n=4 | tail -1; dagaz cc --vjp mixture.c -e Qtimesx --check --check-size d=5 --length "ltri[d*(d-1)/2]" | tail -1
they agree
they agree
$ dagaz cc --vjp march.c -e march --check --length "y[k]" | tail -1
they agree
$ dagaz cc --vjp relax.c -e relax --check --check-size "n=9 steps=2" | tail -1
they agree
$ dagaz cc --jac polar.c -e move --check | tail -1
they agree
$ printf 'double steps(int n, const double x[n]) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += i == 2 ? (double)(long)(x[i]*1e12)*1e-12 : x[i];\n  return s;\n}\n' > steps.c
$ dagaz cc --grad steps.c -e steps --check | sed 's/ not .*/ not ./; s/deviation [-0-9e+.]*/deviation ./'
steps
  tangent, differences:                            relative deviation ., too large: steps is 0.2721591, not .
  adjoint, differences:                            relative deviation ., too large: x[2] is 0, not .
  adjoint, dot product with tangent:               relative deviation .
  steps_grad, values:                              relative deviation .
  steps_grad, adjoint:                             relative deviation .
  steps_grad, dot product with tangent:            relative deviation .
  steps_grad, differences:                         relative deviation ., too large: x[2] is 0, not .
they disagree
$ printf 'static void square(int n, double *to, const double *from) {\n  for (int i = 0; i < n; i++) to[i] = from[i]*from[i];\n}\ndouble norm(int n, double x[n]) {\n  double s = 0;\n  square(n, x, x);\n  for (int i = 0; i < n; i++) s += x[i];\n  return s;\n}\n' > norm.c
$ for m in grad jvp jac hvp; do dagaz cc --$m norm.c -e "norm(norm)/(x)" --check | cut -d: -f1; done
norm
  source transformation makes no derivative
  norm_grad, values
  norm_grad, differences
they agree
norm
  source transformation makes no derivative
  norm_jvp, values
  norm_jvp, differences
they agree
norm
  source transformation makes no derivative
  norm_jac, differences
  norm_jac, values
they agree
norm
  source transformation makes no derivative
  norm_hvp, values
  norm_hvp, differences
  norm_hvp, Hessian, differences of gradients
  norm_hvp, Hessian, symmetry
they agree
$ printf 'double two(int n, const double x[n], const double y[n]) {\n  double s = 0;\n  if (x < y) s = 1;\n  for (int i = 0; i < n; i++) s += x[i]*y[i];\n  return s;\n}\n' > two.c
$ dagaz cc --grad two.c -e two --check | cut -d: -f1
Warning at two.c:3:7-12:
Pointers to different objects are compared.
    3 |   if (x < y) s = 1;
      |       ^^^^^ [c-pointer-compare]
Hint: source transformation alone is checked
two
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
$ dagaz cc --hvp two.c -e two --check
Error at two.c:3:7-12:
Pointers to different objects are compared.
    3 |   if (x < y) s = 1;
      |       ^^^^^ [c-pointer-compare]
[3]
$ printf '#include <math.h>\ndouble root(double x) { return sqrt(x - 3); }\nstatic double own(double x) { return x*x; }\ntypedef struct { double a; } S;\ndouble of(S *s) { return s->a * own(s->a); }\ndouble kink(double x) { return x < 2.5 ? x : 2*x; }\n' > root.c
$ dagaz cc --grad root.c -e root --check
root
  at numbers from -1 to 1 an output is not finite
  at numbers from 0.5 to 1.5 an output is not finite
  nothing was compared; choose another range
they disagree
[1]
$ dagaz cc --grad root.c -e root --check --check-range 4:5 | tail -1
they agree
$ dagaz cc --grad root.c -e kink --check --check-range 2.4999:2.5001 | sed 's/deviation [-0-9e+.]*/deviation ./'
kink
  tangent, differences:                            relative deviation . (inconclusive at 1 of 2)
  adjoint, differences:                            inconclusive
  adjoint, dot product with tangent:               relative deviation .
  kink_grad, values:                               relative deviation .
  kink_grad, adjoint:                              relative deviation .
  kink_grad, dot product with tangent:             relative deviation .
  kink_grad, differences:                          inconclusive
they agree
$ for f in own of; do dagaz cc --grad root.c -e $f --check | tail -1; done
they agree
they agree
$ cp $DAGAZ_ROOT/tests/cli/checked.c .
$ for m in grad jvp vjp jac hvp; do dagaz cc --$m checked.c -e "energy(energy)/(p k)" --length "p[n]" --check --check-size "n=4 p.kind=2" | cut -d: -f1; done
energy
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  energy_grad, values
  energy_grad, adjoint
  energy_grad, dot product with tangent
  energy_grad, differences
they agree
energy
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  energy_jvp, values
  energy_jvp, tangent
  energy_jvp, dot product with adjoint
  energy_jvp, differences
they agree
energy
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  energy_vjp, values
  energy_vjp, adjoint
  energy_vjp, dot product with tangent
  energy_vjp, differences
they agree
energy
  energy_jac, differences
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  energy_jac, values
  energy_jac, tangent
  energy_jac, adjoint
they agree
energy
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  energy_hvp, values
  energy_hvp, adjoint
  energy_hvp, dot product with tangent
  energy_hvp, differences
  energy_hvp, Hessian, differences of gradients
  energy_hvp, Hessian, symmetry
they agree
$ for m in jvp vjp jac; do dagaz cc --$m checked.c -e "move(p)/(p.x p.v h)" --length "p[n]" --check | tail -1; done
they agree
they agree
they agree
$ for m in grad jvp jac hvp; do dagaz cc --$m checked.c -e picked --length "m[1] m.at[m->rows*m->columns] row[n]" --check --check-size "m.rows=4 row=4 n=5" | cut -d: -f1; done
picked
  source transformation makes no adjoint
  tangent, differences
  picked_grad, values
  picked_grad, dot product with tangent
  picked_grad, differences
they agree
picked
  source transformation makes no adjoint
  tangent, differences
  picked_jvp, values
  picked_jvp, tangent
  picked_jvp, differences
they agree
picked
  source transformation makes no adjoint
  picked_jac, differences
  tangent, differences
  picked_jac, values
  picked_jac, tangent
they agree
picked
  source transformation makes no adjoint
  tangent, differences
  picked_hvp, values
  picked_hvp, dot product with tangent
  picked_hvp, differences
  picked_hvp, Hessian, differences of gradients
  picked_hvp, Hessian, symmetry
they agree
$ for m in grad jvp; do dagaz cc -w --$m checked.c -e parts --check --check-size p.in.k=1 | cut -d: -f1; done
parts
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
parts
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
$ for f in one scaled; do for m in vjp jac; do dagaz cc --$m checked.c -e "$f($f)/(p)" --length "p[1]" --check | tail -1; done; done
they agree
they agree
they agree
they agree
$ dagaz cc --grad checked.c -e "rounded(rounded)/(p.v)" --length "p[n]" --check | sed -n 's/:.*large: \(.*\), not.*/: \1/p'
  tangent, differences: rounded is 0.350944281
  adjoint, differences: p.v[5] is 0
  rounded_grad, differences: p.v[5] is 0
$ dagaz cc --grad checked.c -e "many(many)/(m)" --check
Warning at checked.c:37:28-29:
A derivative for what the pointers of `m` lead to, through core.
   37 | double many(int n, Matrix *m) {
      |                            ^ [c-rows]
Hint: source transformation alone is checked

Error at checked.c:37:28-29:
A check cannot make up a value of `m`.
   37 | double many(int n, Matrix *m) {
      |                            ^ [c-unsupported]
[3]
$ dagaz cc --grad checked.c -e energy --length "p[n]" --check --check-size p.v=2
Error at checked.c:7:8-14:
`energy` has no parameter `p.v` that is an integer.
    7 | double energy(int n, const Particle *p, double k) {
      |        ^^^^^^ [c-check]
[2]
$ dagaz adjoint checked.c --head "scaled(scaled)/(x)" --context
Error at checked.c:27:15-21:
A check cannot call `scaled`: it is static.
   27 | static double scaled(const Pair *p, int n, const double x[n]) {
      |               ^^^^^^ [c-unsupported]
[3]
$ dagaz cc --grad f.c -e f --check --check-size m=2
Error at f.c:1:8-9:
`f` has no parameter `m` that is an integer.
    1 | double f(int n, const double x[n], double s) {
      |        ^ [c-check]
[2]
$ dagaz cc --grad f.c -e f --check --check-size "n=2 n=x"
Error:
Expected a size like "n=7", not "n=x".
[2]
$ dagaz cc --grad f.c -e f --check --check-range 3
Error:
Expected a range like "0.5:2", not "3".
[2]
$ dagaz cc --value f.c -e f --check
dagaz cc: --check compares derivatives: say --grad, --jvp, --vjp, --jac or --hvp
[1]
$ dagaz cc --vjp f.c -e f --check --convention tapenade
dagaz cc: --check calls functions of the convention plain
[1]
$ dagaz cc --vjp f.c -e f --check -o g
dagaz cc: --check makes no files: leave out -o, -c, --c-only, --stdout and --stage
[1]
$ dagaz cc --vjp f.c -e f --check-size n=2
dagaz cc: --check-size and --check-range are options of --check
[1]
$ printf 'double last(int n, const double x[n], int k) { return x[k]*x[k]; }\n' > last.c && dagaz cc --grad last.c -e "last(last)/(x)" --check --check-size "n=2 k=2"
last
  Error: Index [2] out of bounds for array of shape [2].

Backtrace:
-> #0  last.c:1:48-65
   #1  last.c:1:8-12
  tangent, differences:                            relative deviation 0e+00
  adjoint, differences:                            relative deviation 0e+00
  adjoint, dot product with tangent:               relative deviation 0e+00
they disagree
[1]
$ printf '#include <stdlib.h>\ntypedef struct { int n; double *at; } V;\nstatic double *copy(int n, const double *x) {\n  double *p = malloc(n*sizeof(double));\n  for (int i = 0; i < n; i++) p[i] = x[i]*x[i];\n  return p;\n}\nstatic void put(int n, const double *x, double **to) { *to = copy(n, x); }\nstatic V make(int n, const double *x) {\n  V v = {n, malloc(n*sizeof(double))};\n  for (int i = 0; i < n; i++) v.at[i] = x[i]*x[i];\n  return v;\n}\nstatic void fill(V *v, const double *x) {\n  v->at = malloc(v->n*sizeof(double));\n  for (int i = 0; i < v->n; i++) v->at[i] = x[i]*x[i];\n}\nstatic double used(int n, double *p, const double *x) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += p[i]*x[i];\n  free(p);\n  return s;\n}\ndouble returned(int n, const double x[n]) { return used(n, copy(n, x), x); }\ndouble stored(int n, const double x[n]) { double *p; put(n, x, &p); return used(n, p, x); }\ndouble filled(int n, const double x[n]) { V v; v.n = n; fill(&v, x); return used(n, v.at, x); }\ndouble whole(int n, const double x[n]) { V v = make(n, x); return used(n, v.at, x); }\ndouble bare(int n, const double x[n]) {\n  void *t = malloc(n*sizeof(double));\n  double *p = t;\n  for (int i = 0; i < n; i++) p[i] = x[i]*x[i];\n  return used(n, p, x);\n}\ndouble inner(int n, const double x[n], double y[n]) {\n  double s = 0;\n  for (int i = 0; i < n; i++) y[i] = x[i]*x[i], s += y[i];\n  return s;\n}\n' > made.c
$ for f in returned stored filled whole bare; do dagaz cc -w --grad made.c -e $f --check | cut -d: -f1; done
returned
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  returned_grad, values
  returned_grad, adjoint
  returned_grad, dot product with tangent
  returned_grad, differences
they agree
stored
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  stored_grad, values
  stored_grad, adjoint
  stored_grad, dot product with tangent
  stored_grad, differences
they agree
filled
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
  filled_grad, values
  filled_grad, adjoint
  filled_grad, dot product with tangent
  filled_grad, differences
they agree
whole
  source transformation makes no adjoint
  tangent, differences
  whole_grad, values
  whole_grad, dot product with tangent
  whole_grad, differences
they agree
bare
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
$ dagaz cc --grad made.c -e "inner(inner)/(x)" --check | tail -1
they agree
$ printf 'void parts(int n, const double x[n], double y[n]) {\n  for (int i = 0; i < n; i++) y[i] = i == 2 ? (double)(long)(x[i]*1e12)*1e-12 : x[i];\n}\n' > parts.c && dagaz cc --jac parts.c -e parts --check | sed -n 's/:.*large: \(.*\), not.*/: \1/p'; dagaz cc --jvp parts.c -e parts --check | sed -n 's/:.*large: \(.*\), not.*/: \1/p'
  parts_jac, differences: y[2] by x[2] is 0
  tangent, differences: y[2] is 0
  adjoint, differences: x[2] is 0
  tangent, differences: y[2] is 0
  adjoint, differences: x[2] is 0
  parts_jvp, differences: y[2] is 0
