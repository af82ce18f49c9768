$ cp $DAGAZ_ROOT/tests/cli/blas*.c $DAGAZ_ROOT/tests/cli/solve.c .
$ # Derivatives of calls of BLAS are calls of BLAS; they agree with differences.
$ dagaz adjoint blas.c --rules blas.rules --head "vectors(vectors y)/(x y a) layers(layers y)/(w x y alpha) products(c d)/(a b alpha c d) mixed(mixed y)/(w x y beta)" --context && gcc -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o check blas_check.c blas.c blas_d.c blas_b.c blas_reference.c -lm && ./check | sed 's/deviation .*/deviation/'
vectors
  tangent, differences:                            relative deviation
  adjoint, differences:                            relative deviation
  adjoint, dot product with tangent:               relative deviation
layers
  tangent, differences:                            relative deviation
  adjoint, differences:                            relative deviation
  adjoint, dot product with tangent:               relative deviation
products
  tangent, differences:                            relative deviation
  adjoint, differences:                            relative deviation
  adjoint, dot product with tangent:               relative deviation
mixed
  tangent, differences:                            relative deviation
  adjoint, differences:                            relative deviation
  adjoint, dot product with tangent:               relative deviation
they agree
$ sed -n '/^void layers_b/,/^}/p' blas_b.c && sed -n '/^double layers_d/,/^}/p' blas_d.c
void layers_b(const double w[6], double wb[6], const double x[3], double xb[3], double y[2], double yb[2], double alpha, double *alphab, double layersb) {
  double h[2];
  double g[3];
  int i;
  double t0;
  double hb[2] = {0};
  double gb[3] = {0};
  double tb = 0;
  int m = 2;
  int n = 3;
  int one = 1;
  int back = -1;
  double beta = -0.5;
  double zero = 0;
  dgemv_("N", &m, &n, &alpha, w, &m, x, &one, &beta, y, &one);
  for (i = 0; i < 2; i++) {
    h[i] = tanh(y[i]);
  }
  dgemv_("T", &m, &n, &alpha, w, &m, h, &back, &zero, g, &one);
  for (long i0 = 0; i0 < 6; i0++)
    wb[i0] = 0;
  for (long i1 = 0; i1 < 3; i1++)
    xb[i1] = 0;
  *alphab = 0;
  tb += layersb;
  layersb = 0;
  double tb0 = tb;
  tb = 0;
  ddot_adjoint(&n, g, gb, &one, x, xb, &one, tb0);
  dgemv_adjoint("T", &m, &n, &alpha, alphab, w, wb, &m, h, hb, &back, &zero, 0, g, gb, &one);
  for (i = 1; i >= 0; i--) {
    t0 = tanh(y[i]);
    yb[i] += (1 - t0*t0)*hb[i];
    hb[i] = 0;
  }
  dgemv_adjoint("N", &m, &n, &alpha, alphab, w, wb, &m, x, xb, &one, &beta, 0, y, yb, &one);
}
double layers_d(const double w[6], double wd[6], const double x[3], double xd[3], double y[2], double yd[2], double alpha, double alphad, double *layers) {
  double t0;
  int m = 2;
  int n = 3;
  int one = 1;
  int back = -1;
  double beta = -0.5;
  double zero = 0;
  double hd[2];
  double h[2];
  double gd[3];
  double g[3];
  dgemv_tangent("N", &m, &n, &alpha, &alphad, w, wd, &m, x, xd, &one, &beta, 0, y, yd, &one);
  for (int i = 0; i < 2; i++) {
    t0 = tanh(y[i]);
    hd[i] = (1 - t0*t0)*yd[i];
    h[i] = t0;
  }
  dgemv_tangent("T", &m, &n, &alpha, &alphad, w, wd, &m, h, hd, &back, &zero, 0, g, gd, &one);
  double t;
  double td = ddot_tangent(&n, g, gd, &one, x, xd, &one, &t);
  *layers = t;
  return td;
}
$ # beta is active: the model's sweeps.  Several directions: the model, too.
$ sed -n '/^void mixed_b/,/^}/p' blas_b.c | grep dgemv
  dgemv__fwd("N", &n, &n, &alpha, w, wb, &n, x, xb, &one, &beta, betab, y, yb, &one, &tape);
  dgemv__bwd("N", &n, &n, &alpha, w, wb, &n, x, xb, &one, &beta, betab, y, yb, &one, &tape);
$ for m in tangent adjoint; do dagaz $m blas.c --rules blas.rules --head "layers(layers y)/(w x y alpha)" --multi 2; done && gcc -Wall -Wextra -Werror -c blas_dv.c blas_bv.c && echo compiles
compiles
$ # y is overwritten while it is needed: kept, by the model.
$ printf '%s\n' 'void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,' '            const int *lda, const double *x, const int *incx, const double *beta, double *y,' '            const int *incy);' 'double chain(const double w[4], double x[2]) {' '  int n = 2, one = 1;' '  double alpha = 1, beta = 0, y[2];' '  for (int k = 0; k < 3; k++) {' '    dgemv_("N", &n, &n, &alpha, w, &n, x, &one, &beta, y, &one);' '    for (int i = 0; i < n; i++) x[i] = y[i]*y[i];' '  }' '  return x[0] + 2*x[1];' '}' > chain.c && dagaz adjoint chain.c --rules blas.rules --head "chain(chain x)/(w x)" --context && gcc -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o check chain_check.c chain.c chain_d.c chain_b.c blas_reference.c -lm && ./check | tail -1 && sed -n '/^double chain_d/,/^}/p' chain_d.c | grep dgemv && sed -n '/^void chain_b/,/^}/p' chain_b.c | grep dgemv
they agree
    dgemv_tangent("N", &n, &n, &alpha, 0, w, wd, &n, x, xd, &one, &beta, 0, y, yd, &one);
    dgemv__fwd("N", &n, &n, &alpha, w, wb, &n, x, xb, &one, &beta, y, yb, &one, &tape);
    dgemv__bwd("N", &n, &n, &alpha, w, wb, &n, x, xb, &one, &beta, y, yb, &one, &tape);
$ # An adjoint that a user wrote, which reads what the function wrote.
$ dagaz adjoint solve.c --head "energy(energy)/(a b)" --context && gcc -Wall -Wextra -Wno-unknown-pragmas -Werror -fsanitize=address,undefined -o check solve_check.c solve.c solve_b.c solve_d.c -lm && ./check n=4 --range=1:2 | tail -1; grep solve_adjoint solve_b.c
they agree
void solve_adjoint(int n, const double *a, double *ab, const double *b, double *bb, double *x, double *xb);
  solve_adjoint(n, a, ab, b, bb, x, xb);
$ # Without `needs` it reads what is no longer there; a wrong sign is found.
$ for change in "s/a/a/" "s/, needs x//" "s/bb\[i\] += t/bb[i] -= t/"; do sed "$change" solve.c > other.c && dagaz adjoint other.c --head "total(total)/(a b)" --context && gcc -Wno-unknown-pragmas -o check other_check.c other.c other_b.c other_d.c -lm && ./check n=4 --range=1:2 | tail -1; done
they agree
they disagree
they disagree
$ # dagaz cc does not compile rules, nor call them through core.
$ printf 'double energy(int n, const double *a, const double *b, double *x);\nvoid solve_adjoint(int n, const double *a, double *ab, const double *b, double *bb, double *x, double *xb);\nvoid solve(int n, const double *a, const double *b, double *x);\n#pragma dagaz adjoint solve: solve_adjoint, needs x\n' > solve.rules && grep -v pragma solve.c > plain.c && dagaz cc --grad plain.c --rules solve.rules -e "energy(energy)/(a b)" --check --check-size n=4 --check-range 1:2 | tail -1
they agree
