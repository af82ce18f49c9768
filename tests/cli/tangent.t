$ cp $DAGAZ_ROOT/tests/c/examples/*.[ch] .
$ dagaz tangent talk.c --head "f(v4)/(v1 v3)" && cat talk_d.c talk_d.h
/* Made by `dagaz tangent` from talk.c. */
#include "talk_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of f in forward (tangent) mode:
     variations   of useful results: *v4
     with respect to varying inputs: v1 v3  */
void f_d(double v1, double v1d, double p1, double v3, double v3d, double *v4, double *v4d) {
  double q;
  double v2d = 2*v1d;
  double v2 = 2*v1 + 5;
  q = p1*v3/v2;
  *v4d = v2d + (p1*v3d - q*v2d)/v2;
  *v4 = v2 + q;
}
#ifndef DAGAZ_talk_d_h
#define DAGAZ_talk_d_h
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DAGAZ_TYPES_talk_c
#define DAGAZ_TYPES_talk_c
#endif
/*  Differentiation of f in forward (tangent) mode:
     variations   of useful results: *v4
     with respect to varying inputs: v1 v3  */
void f_d(double v1, double v1d, double p1, double v3, double v3d, double *v4, double *v4d);
#ifdef __cplusplus
}
#endif
#endif
$ dagaz tangent march.c --head "march(march y)/(y e)" && cat march_d.c
/* Made by `dagaz tangent` from march.c. */
#include "march_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of march in forward (tangent) mode:
     variations   of useful results: march *y
     with respect to varying inputs: *y e  */
double march_d(int k, double *y, double *yd, double e, double ed, double *march) {
  double t;
  double sd = 0;
  double s = 1;
  for (int i = 0; i < k; i++) {
    t = sin(y[i]);
    sd = sd*t + s*(cos(y[i])*yd[i]) + ed;
    s = s*t + e;  /* y[i] is still the old one */
    yd[i] = 2*s*sd;
    y[i] = s*s;
  }
  *march = s;
  return sd;
}
$ dagaz tangent mixture.c --head "log_sum_exp(log_sum_exp)/(x) Qtimesx(out)/(Qdiag ltri x)" && cat mixture_d.c
/* Made by `dagaz tangent` from mixture.c. */
#include "mixture_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of log_sum_exp in forward (tangent) mode:
     variations   of useful results: log_sum_exp
     with respect to varying inputs: *x  */
double log_sum_exp_d(int n, const double *x, double *xd, double *log_sum_exp) {
  double t;
  int i;
  double mxd = xd[0];
  double mx = x[0];
  for (i = 1; i < n; i++)
    if (mx < x[i]) {
      mxd = xd[i];
      mx = x[i];
    }
  double semxd = 0;
  double semx = 0.0;
  for (i = 0; i < n; i++) {
    t = exp(x[i] - mx);
    semxd = semxd + t*(xd[i] - mxd);
    semx = semx + t;
  }
  *log_sum_exp = log(semx) + mx;
  return 1/semx*semxd + mxd;
}

/*  Differentiation of Qtimesx in forward (tangent) mode:
     variations   of useful results: *out
     with respect to varying inputs: *Qdiag *ltri *x  */
void Qtimesx_d(int d, const double *Qdiag, double *Qdiagd, const double *ltri, double *ltrid, const double *x, double *xd, double *out, double *outd) {
  int i;
  int j;
  int Lparamsidx = 0;  // ltri: strictly lower triangular part
  for (i = 0; i < d; i++) {
    outd[i] = Qdiagd[i]*x[i] + Qdiag[i]*xd[i];
    out[i] = Qdiag[i]*x[i];
  }
  for (i = 0; i < d; i++)
    for (j = i + 1; j < d; j++) {
      outd[j] = outd[j] + (ltrid[Lparamsidx]*x[i] + ltri[Lparamsidx]*xd[i]);
      out[j] = out[j] + ltri[Lparamsidx]*x[i];
      Lparamsidx++;
    }
}
$ dagaz tangent relax.c --head "relax(u f c -> u)" && cat relax_d.c
/* Made by `dagaz tangent` from relax.c. */
#include "relax_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of relax in forward (tangent) mode:
     variations   of useful results: *u
     with respect to varying inputs: *u *f c  */
void relax_d(int n, double *u, double *ud, const double *f, double *fd, double c, double cd, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++) {
      ud[i] += cd*(u[i - 1] - 2*u[i] + u[i + 1] - u[i]*u[i]*f[i]) + c*(ud[i - 1] - 2*ud[i] + ud[i + 1] - (2*u[i]*ud[i]*f[i] + u[i]*u[i]*fd[i]));
      u[i] += c*(u[i - 1] - 2*u[i] + u[i + 1] - u[i]*u[i]*f[i]);
    }
}
$ dagaz tangent chol.c --head chol && cat chol_d.c
/* Made by `dagaz tangent` from chol.c. */
#include "chol_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of chol in forward (tangent) mode:
     variations   of useful results: *a
     with respect to varying inputs: *a  */
void chol_d(int n, double *a, double *ad) {
  double t0, q;
  for (int j = 0; j < n; j++) {
    double sd = ad[j*n + j];
    double s = a[j*n + j];
    for (int k = 0; k < j; k++) {
      sd -= 2*a[j*n + k]*ad[j*n + k];
      s -= a[j*n + k]*a[j*n + k];
    }
    t0 = sqrt(s);
    ad[j*n + j] = (t0 == 0 ? 0 : 1/(2*t0))*sd;
    a[j*n + j] = t0;
    for (int i = j + 1; i < n; i++) {
      double td = ad[i*n + j];
      double t = a[i*n + j];
      for (int k = 0; k < j; k++) {
        td -= ad[i*n + k]*a[j*n + k] + a[i*n + k]*ad[j*n + k];
        t -= a[i*n + k]*a[j*n + k];
      }
      q = t/a[j*n + j];
      ad[i*n + j] = (td - q*ad[j*n + j])/a[j*n + j];
      a[i*n + j] = q;
    }
  }
}
$ dagaz tangent polar.c --head "move(p dt -> q)" && cat polar_d.c
/* Made by `dagaz tangent` from polar.c. */
#include "polar_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

static void polar_d(double x, double xd, double y, double yd, double *r, double *rd, double *phi, double *phid);

/*  Differentiation of move in forward (tangent) mode:
     variations   of useful results: *q
     with respect to varying inputs: *p dt  */
void move_d(const double *p, double *pd, double dt, double dtd, double *q, double *qd) {
  double t, t0;
  double rd;
  double r;
  double phid;
  double phi;
  polar_d(p[0], pd[0], p[1], pd[1], &r, &rd, &phi, &phid);
  t = cos(phi + dt);
  qd[0] = (rd*(1 + dt) + r*dtd)*t - r*(1 + dt)*(sin(phi + dt)*(phid + dtd));
  q[0] = r*(1 + dt)*t;
  t0 = sin(phi + dt);
  qd[1] = (rd*(1 + dt) + r*dtd)*t0 + r*(1 + dt)*(cos(phi + dt)*(phid + dtd));
  q[1] = r*(1 + dt)*t0;
}

/*  Differentiation of polar in forward (tangent) mode:
     variations   of useful results: *r *phi
     with respect to varying inputs: x y *r *phi  */
static void polar_d(double x, double xd, double y, double yd, double *r, double *rd, double *phi, double *phid) {
  double t;
  t = sqrt(x*x + y*y);
  *rd = (t == 0 ? 0 : 1/(2*t))*(2*x*xd + 2*y*yd);
  *r = t;
  *phid = x/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x))*yd - y/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x))*xd;
  *phi = atan2(y, x);
}
$ dagaz tangent exits.c --head "sumtil g" && cat exits_d.c
/* Made by `dagaz tangent` from exits.c. */
#include "exits_d.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>


/*  Differentiation of sumtil in forward (tangent) mode:
     variations   of useful results: sumtil *vec
     with respect to varying inputs: *vec  */
double sumtil_d(double *vec, double *vecd, int size, double *sumtil) {
  double retd = 0;
  double ret = 0.0;
  for (int i = 0; i < size; i++) {
    retd += 2*vec[i]*vecd[i];
    ret += vec[i]*vec[i];
    if (ret > 30)
      break;
    retd += 2*vec[i]*vecd[i];
    ret += vec[i]*vec[i];
    vecd[i] = 0;
    vec[i] = 0;
  }
  *sumtil = ret;
  return retd;
}

/*  Differentiation of g in forward (tangent) mode:
     variations   of useful results: *a *b *c
     with respect to varying inputs: *a *b *c  */
void g_d(double *a, double *ad, double *b, double *bd, double *c, double *cd) {
  *ad = 2.0* *ad;
  *a = 2.0* *a + 10.0;
  *bd = *cd + cos(*a)* *ad;
  *b = *c + sin(*a);
  *cd = 0;
  *c = 0.0;
}
$ gcc -std=c11 -Wall -Wextra -O1 -fsanitize=address,undefined -o check check_tangent.c talk*.c march*.c mixture*.c relax*.c chol*.c polar*.c exits*.c -lm && ./check
talk ok
march ok
march y ok
log_sum_exp ok
Qtimesx ok
relax ok
chol ok
move ok
sumtil ok
sumtil vec ok
