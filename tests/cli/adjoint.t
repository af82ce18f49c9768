$ cp $DAGAZ_ROOT/tests/c/examples/*.[ch] .
$ dagaz adjoint talk.c --head "f(v4)/(v1 v3)" && cat talk_b.c talk_b.h
/* Made by `dagaz adjoint` from talk.c. */
#include "talk_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of f in reverse (adjoint) mode:
     gradient     of useful results: *v4
     with respect to varying inputs: v1 v3  */
void f_b(double v1, double *v1b, double p1, double v3, double *v3b, double *v4, double *v4b) {
  (void)v4;
  double v2b = 0;
  double v2 = 2*v1 + 5;
  *v1b = 0;
  *v3b = 0;
  double q = p1*v3/v2;
  double tb0 = *v4b/v2;
  v2b += *v4b - q*tb0;
  *v3b += p1*tb0;
  *v4b = 0;
  *v1b += 2*v2b;
  v2b = 0;
}
#ifndef DAGAZ_talk_b_h
#define DAGAZ_talk_b_h
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DAGAZ_TYPES_talk_c
#define DAGAZ_TYPES_talk_c
#endif
/*  Differentiation of f in reverse (adjoint) mode:
     gradient     of useful results: *v4
     with respect to varying inputs: v1 v3  */
void f_b(double v1, double *v1b, double p1, double v3, double *v3b, double *v4, double *v4b);
#ifdef __cplusplus
}
#endif
#endif
$ dagaz adjoint march.c --head "march(march y)/(y e)" && cat march_b.c
/* Made by `dagaz adjoint` from march.c. */
#include "march_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "dagaz_tape.h"


/*  Differentiation of march in reverse (adjoint) mode:
     gradient     of useful results: march *y
     with respect to varying inputs: *y e  */
void march_b(int k, double *y, double *yb, double e, double *eb, double marchb) {
  int i;
  double t;
  double sb = 0;
  dz_tape tape = {0};
  double s = 1;
  for (i = 0; i < k; i++) {
    dz_push_real(&tape, s);
    s = s*sin(y[i]) + e;  /* y[i] is still the old one */
    dz_push_real(&tape, y[i]);
    y[i] = s*s;
  }
  *eb = 0;
  sb += marchb;
  marchb = 0;
  for (i = k - 1; i >= 0; i--) {
    y[i] = dz_pop_real(&tape);
    sb += 2*s*yb[i];
    yb[i] = 0;
    s = dz_pop_real(&tape);
    t = sin(y[i]);
    yb[i] += cos(y[i])*(s*sb);
    *eb += sb;
    sb = t*sb;
  }
  sb = 0;
  dz_tape_free(&tape);
}
$ dagaz adjoint mixture.c --head "log_sum_exp(log_sum_exp)/(x) Qtimesx(out)/(Qdiag ltri x)" && cat mixture_b.c
/* Made by `dagaz adjoint` from mixture.c. */
#include "mixture_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "dagaz_tape.h"


/*  Differentiation of log_sum_exp in reverse (adjoint) mode:
     gradient     of useful results: log_sum_exp
     with respect to varying inputs: *x  */
void log_sum_exp_b(int n, const double *x, double *xb, double log_sum_expb) {
  int i;
  int branch = 0;
  double t;
  double tb0;
  double mxb = 0;
  double semxb = 0;
  dz_tape tape = {0};
  double mx = x[0];
  for (i = 1; i < n; i++) {
    branch = mx < x[i];
    if (branch) {
      mx = x[i];
    }
    dz_push_int(&tape, branch);
  }
  double semx = 0.0;
  for (i = 0; i < n; i++) {
    semx = semx + exp(x[i] - mx);
  }
  for (long i0 = 0; i0 < n; i0++)
    xb[i0] = 0;
  semxb += 1/semx*log_sum_expb;
  mxb += log_sum_expb;
  log_sum_expb = 0;
  for (i = n - 1; i >= 0; i--) {
    t = exp(x[i] - mx);
    tb0 = t*semxb;
    xb[i] += tb0;
    mxb -= tb0;
  }
  semxb = 0;
  for (i = n - 1; i >= 1; i--) {
    branch = (int)dz_pop_int(&tape);
    if (branch) {
      xb[i] += mxb;
      mxb = 0;
    }
  }
  xb[0] += mxb;
  mxb = 0;
  dz_tape_free(&tape);
}

/*  Differentiation of Qtimesx in reverse (adjoint) mode:
     gradient     of useful results: *out
     with respect to varying inputs: *Qdiag *ltri *x  */
void Qtimesx_b(int d, const double *Qdiag, double *Qdiagb, const double *ltri, double *ltrib, const double *x, double *xb, double *out, double *outb) {
  (void)out;
  int i;
  int j;
  int Lparamsidx = 0;  // ltri: strictly lower triangular part
  for (i = 0; i < d; i++) {
  }
  for (i = 0; i < d; i++) {
    for (j = i + 1; j < d; j++) {
      Lparamsidx++;
    }
  }
  for (long i0 = 0; i0 < d; i0++)
    Qdiagb[i0] = 0;
  for (long i1 = 0; i1 < (d*d - d)/2; i1++)
    ltrib[i1] = 0;
  for (long i2 = 0; i2 < d; i2++)
    xb[i2] = 0;
  for (i = d - 1; i >= 0; i--) {
    for (j = d - 1; j >= i + 1; j--) {
      Lparamsidx--;
      ltrib[Lparamsidx] += x[i]*outb[j];
      xb[i] += ltri[Lparamsidx]*outb[j];
    }
  }
  for (i = d - 1; i >= 0; i--) {
    Qdiagb[i] += x[i]*outb[i];
    xb[i] += Qdiag[i]*outb[i];
    outb[i] = 0;
  }
}
$ dagaz adjoint relax.c --head "relax(u f c -> u)" && cat relax_b.c
/* Made by `dagaz adjoint` from relax.c. */
#include "relax_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "dagaz_tape.h"


/*  Differentiation of relax in reverse (adjoint) mode:
     gradient     of useful results: *u
     with respect to varying inputs: *u *f c  */
void relax_b(int n, double *u, double *ub, const double *f, double *fb, double c, double *cb, int steps) {
  int t;
  int i;
  double tb0;
  dz_tape tape = {0};
  for (t = 0; t < steps; t++) {
    for (i = 1; i < n - 1; i++) {
      dz_push_real(&tape, u[i]);
      u[i] += c*(u[i - 1] - 2*u[i] + u[i + 1] - u[i]*u[i]*f[i]);
    }
  }
  for (long i0 = 0; i0 < n - 1; i0++)
    fb[i0] = 0;
  *cb = 0;
  for (t = steps - 1; t >= 0; t--) {
    for (i = n - 1 - 1; i >= 1; i--) {
      u[i] = dz_pop_real(&tape);
      tb0 = c*ub[i];
      *cb += (u[i - 1] - 2*u[i] + u[i + 1] - u[i]*u[i]*f[i])*ub[i];
      ub[i - 1] += tb0;
      ub[i + 1] += tb0;
      fb[i] -= u[i]*u[i]*tb0;
      ub[i] = ub[i] + -2*tb0 - 2*u[i]*(f[i]*tb0);
    }
  }
  dz_tape_free(&tape);
}
$ dagaz adjoint chol.c --head chol && cat chol_b.c
/* Made by `dagaz adjoint` from chol.c. */
#include "chol_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of chol in reverse (adjoint) mode:
     gradient     of useful results: *a
     with respect to varying inputs: *a  */
void chol_b(int n, double *a, double *ab) {
  int j;
  double s;
  int k;
  int i;
  double t;
  int k0;
  double t0;
  double t1;
  double tb1;
  double tb2;
  double sb = 0;
  double tb = 0;
  for (j = 0; j < n; j++) {
    s = a[j*n + j];
    for (k = 0; k < j; k++) {
      s -= a[j*n + k]*a[j*n + k];
    }
    a[j*n + j] = sqrt(s);
    for (i = j + 1; i < n; i++) {
      t = a[i*n + j];
      for (k0 = 0; k0 < j; k0++) {
        t -= a[i*n + k0]*a[j*n + k0];
      }
      a[i*n + j] = t/a[j*n + j];
    }
  }
  for (j = n - 1; j >= 0; j--) {
    for (i = n - 1; i >= j + 1; i--) {
      t1 = a[i*n + j];
      tb1 = ab[i*n + j];
      ab[i*n + j] = 0;
      tb2 = tb1/a[j*n + j];
      tb += tb2;
      ab[j*n + j] -= t1*tb2;
      for (k0 = j - 1; k0 >= 0; k0--) {
        ab[i*n + k0] -= a[j*n + k0]*tb;
        ab[j*n + k0] -= a[i*n + k0]*tb;
      }
      ab[i*n + j] += tb;
      tb = 0;
    }
    t0 = a[j*n + j];
    sb += (t0 == 0 ? 0 : 1/(2*t0))*ab[j*n + j];
    ab[j*n + j] = 0;
    for (k = j - 1; k >= 0; k--) {
      ab[j*n + k] -= 2*a[j*n + k]*sb;
    }
    ab[j*n + j] += sb;
    sb = 0;
  }
}
$ dagaz adjoint polar.c --head "move(p dt -> q)" && cat polar_b.c
/* Made by `dagaz adjoint` from polar.c. */
#include "polar_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "dagaz_tape.h"

static void polar_fwd(double x, double y, double *r, double *rb, double *phi, double *phib, dz_tape *tape0);
static void polar_bwd(double x, double *xb, double y, double *yb, double *r, double *rb, double *phi, double *phib, dz_tape *tape0);

/*  Forward sweep of polar, with what it keeps on the tape  */
static void polar_fwd(double x, double y, double *r, double *rb, double *phi, double *phib, dz_tape *tape0) {
  (void)rb;
  (void)phib;
  (void)tape0;
  *r = sqrt(x*x + y*y);
  *phi = atan2(y, x);
}

/*  Reverse sweep of polar, with what it keeps on the tape  */
static void polar_bwd(double x, double *xb, double y, double *yb, double *r, double *rb, double *phi, double *phib, dz_tape *tape0) {
  (void)r;
  (void)phi;
  (void)tape0;
  *yb += x/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x))* *phib;
  *xb -= y/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x))* *phib;
  *phib = 0;
  double t = sqrt(x*x + y*y);
  double tb0 = (t == 0 ? 0 : 1/(2*t))* *rb;
  *xb += 2*x*tb0;
  *yb += 2*y*tb0;
  *rb = 0;
}

/*  Differentiation of move in reverse (adjoint) mode:
     gradient     of useful results: *q
     with respect to varying inputs: *p dt  */
void move_b(const double *p, double *pb, double dt, double *dtb, double *q, double *qb) {
  (void)q;
  double r;
  double phi;
  double rb = 0;
  double phib = 0;
  dz_tape tape = {0};
  polar_fwd(p[0], p[1], &r, &rb, &phi, &phib, &tape);
  for (long i = 0; i < 2; i++)
    pb[i] = 0;
  *dtb = 0;
  double t0 = sin(phi + dt);
  double tb8 = t0*qb[1];
  double tb9 = r*(1 + dt)*qb[1];
  double tb10 = cos(phi + dt)*tb9;
  rb += (1 + dt)*tb8;
  *dtb += r*tb8 + tb10;
  phib += tb10;
  qb[1] = 0;
  double t = cos(phi + dt);
  double tb2 = t*qb[0];
  double tb3 = r*(1 + dt)*qb[0];
  double tb4 = -(sin(phi + dt)*tb3);
  rb += (1 + dt)*tb2;
  *dtb += r*tb2 + tb4;
  phib += tb4;
  qb[0] = 0;
  polar_bwd(p[0], &pb[0], p[1], &pb[1], &r, &rb, &phi, &phib, &tape);
  dz_tape_free(&tape);
}
$ dagaz adjoint exits.c --head "sumtil g" && cat exits_b.c
/* Made by `dagaz adjoint` from exits.c. */
#include "exits_b.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include "dagaz_tape.h"


/*  Differentiation of sumtil in reverse (adjoint) mode:
     gradient     of useful results: sumtil *vec
     with respect to varying inputs: *vec  */
void sumtil_b(double *vec, double *vecb, int size, double sumtilb) {
  int branch = 0;
  double retb = 0;
  dz_tape tape = {0};
  double ret = 0.0;
  int i = 0;
  int left = 0;
  long trips = 0;
  while (!left && i < size) {
    ret += vec[i]*vec[i];
    branch = ret > 30;
    if (branch) {
      dz_push_int(&tape, left);
      left = 1;
    } else {
      ret += vec[i]*vec[i];
      dz_push_real(&tape, vec[i]);
      vec[i] = 0;
    }
    dz_push_int(&tape, branch);
    if (!left) {
      i++;
    }
    trips++;
  }
  retb += sumtilb;
  sumtilb = 0;
  for (; trips > 0; trips--) {
    if (!left) {
      i--;
    }
    branch = (int)dz_pop_int(&tape);
    if (branch) {
      left = (int)dz_pop_int(&tape);
    } else {
      vec[i] = dz_pop_real(&tape);
      vecb[i] = 0;
      vecb[i] += 2*vec[i]*retb;
    }
    vecb[i] += 2*vec[i]*retb;
  }
  retb = 0;
  dz_tape_free(&tape);
}

/*  Differentiation of g in reverse (adjoint) mode:
     gradient     of useful results: *a *b *c
     with respect to varying inputs: *a *b *c  */
void g_b(double *a, double *ab, double *b, double *bb, double *c, double *cb) {
  (void)b;
  (void)c;
  *a = 2.0* *a + 10.0;
  *cb = 0;
  *cb += *bb;
  *ab += cos(*a)* *bb;
  *bb = 0;
  *ab = 2.0* *ab;
}
$ dagaz tangent talk.c --head "f(v4)/(v1 v3)" && dagaz tangent march.c --head march && dagaz tangent mixture.c --head "log_sum_exp Qtimesx(out)/(Qdiag ltri x)" && dagaz tangent relax.c --head "relax(u f c -> u)" && dagaz tangent chol.c --head chol && dagaz tangent polar.c --head "move(p dt -> q)" && dagaz tangent exits.c --head sumtil
$ gcc -std=c11 -Wall -Wextra -O1 -fsanitize=address,undefined -o check check_adjoint.c talk*.c march*.c mixture*.c relax*.c chol*.c polar*.c exits*.c -lm && ./check
talk ok
talk seed ok
march ok
march restored ok
log_sum_exp ok
Qtimesx ok
relax ok
chol ok
move ok
sumtil ok
sumtil ok
sumtil ok
sumtil ok
sumtil ok
$ cp $DAGAZ_ROOT/tests/cli/again.c .
$ for f in whole part some both carried before added shorter; do dagaz adjoint again.c --head "$f($f)/(x)" --length "x[n*m]" --stdout | awk -v f=$f '/dz_push_real/ { n++ } END { print f, n ? "keeps values" : "keeps nothing" }'; done
whole keeps nothing
part keeps values
some keeps values
both keeps nothing
carried keeps values
before keeps values
added keeps nothing
shorter keeps values
$ printf 'double erf(double x);\ndouble f(double x) { return erf(x)*x; }\n' > main.c
$ printf 'double erf(double x) { return x*x*x; }\n' > lib.c
$ dagaz cc --grad main.c lib.c -e f --check | tail -1
they agree
