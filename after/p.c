#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { double p; int k; double q; } Pair;

static void g0(double a, double *u, double *v) {
  *u = sin(a + *v);
  *v = 0.5 * *v * a + *u;
}

void g1(double a, double *u, double *v) {
  double k = *u;
  a = 0.3*a + k;
  if (a > *v) { *u = *v * k; return; }
  *v -= a*a*0.1;
}

static void fill(int n, double a, double *z) {
  for (int j = 0; j < n; j++) z[j] = sin(a + j);
}

static double k0(double a) { return a*a; }
static double k1(double a) { return a > 0.2 ? k0(a) : 0.5*k0(a - 1) + sin(k0(a)); }
static Pair mix(Pair p, double a) {
  p.k += a > 0;
  return (Pair){p.p*sin(k1(a)), p.k, 0.5*sin(k1(p.q) + p.p) + sin(a)};
}

static double h0(int n, double a, double b, double *x, double *y, Pair *s, const int *idx) {
  int i0 = 0, i1 = 0, i2 = 0;
  double v0 = 0.1, v1 = a, v2 = 0.3*b;
  Pair t = {0.2, 1, 0.4};
  double w[5];
  for (i0 = 0; i0 < n; i0++) w[i0] = 0.1*i0 + a;
  for (i0 = 0; i0 < n; i0++) {
    { int m; for (m = 0; m < 5; m++) w[m] = 0.5*tanh(s->p); }
    x[i0] = sin((i0 % 2 == 0 ? v1 : a));
    for (i1 = 0; i1 < n; i1++) {
      fill(n - 1, i0, w);
      v1 = v1 - 0.5*tanh((v0 > 0.8 ? (a + y[i1]) : atan2(0.3 + atan2(0.3 + v2, 1.7), 1.7)));
      v0 *= 0.5*tanh(tanh(exp(-fabs(0.1 + sin(pow(1.5 + sin(((1.5 + x[i1 ? i1 - 1 : 0]) + i0)), 3))))));
    }
    v2 += sin((cos(w[i0 ? i0 - 1 : 0]) - 1.1));
    v1 = 0.5*tanh(x[i0 ? i0 - 1 : 0]);
  }
  if (idx[0] > 0) {
    y[2] = 0.5*tanh(tanh((x[2] + a)));
  }
  v2 = sin((k1(atan2(0.3 + n, 1.7)) * cos(1.3)));
  { double *r = w; int m; for (m = 0; m < n; m++) { *r = sin(n); r++; } }
  (void)i1; (void)i2; (void)t; (void)v2; return v0*w[2] + v1;
}

static double h1(int n, double a, double b, double *x, double *y, Pair *s, const int *idx) {
  int i0 = 0, i1 = 0, i2 = 0;
  double v0 = 0.1, v1 = a, v2 = 0.3*b;
  Pair t = {0.2, 1, 0.4};
  double *w = malloc(n * sizeof(double));
  for (i0 = 0; i0 < n; i0++) w[i0] = 0.1*i0 + a;
  g0(w[1], &v0, &w[3]);
  if (idx[3] > 3) {
    for (i0 = 0; i0 < n; i0++) {
      { int m; for (m = 0; m < n; m++) if (m > 1) w[m] = 0.1*m; else w[m] = sin((1/(2.5 + sin(sin(sqrt(2.1 + cos(1.1))))))); }
      for (i1 = 0; i1 < n; i1++) {
        { int m; for (m = 0; m < n; m++) if (m > 1) w[m] = 0.1*m; else w[m] = 0.5*tanh(x[n - 1 - i0]); }
        v1 = v1 - 0.5*tanh(0.2);
      }
      y[i0] = 0.5*tanh(cos(cos(sin(exp(-fabs(0.1 + sin(b)))))));
    }
    g0(v1, &v1, &x[3]);
  } else {
    g0(b, &v2, &w[0]);
    v1 = 0.5*tanh(sin((exp(-fabs(0.1 + sin((b * 1.7)))) + (1.2 + w[3]))));
  }
  w[2] += sin(sin(v1));
  v2 = w[1];
  free(w);
  return v0 + 0.5*v1*v2;
}

double h2(int n, double a, double b, double *x, double *y, Pair *s, const int *idx) {
  int i0 = 0, i1 = 0, i2 = 0;
  double v0 = 0.1, v1 = a, v2 = 0.3*b;
  Pair t = {0.2, 1, 0.4};
  double *w = malloc(n * sizeof(double));
  for (i0 = 0; i0 < n; i0++) w[i0] = 0.1*i0 + a;
  y[3] = 0.5*tanh(((n + w[3]) + sin(w[3])));
  v2 = 0.5*tanh(v2);
  if (v0 < 0.0) {
    { double *r = y; int m; for (m = 0; m < n; m++) { *r = 0.5 * *r + 0.5*tanh((v1 - v0)); r++; } }
    w[1] = sin(cos(mix(t, tanh((v0 < 0.1 ? k1(w[3]) : cos(v0)))).q));
  }
  x[2] = h0(n, t.q, b, x, y, s, idx);
  v2 = w[1];
  free(w);
  return v0 + 0.5*v1*v2;
}

double f(int n, double a, double b, double *x, double *y, Pair *s, const int *idx) {
  int i0 = 0, i1 = 0, i2 = 0;
  double v0 = 0.1, v1 = a, v2 = 0.3*b;
  Pair t = {0.2, 1, 0.4};
  double *w = malloc(n * sizeof(double));
  for (i0 = 0; i0 < n; i0++) w[i0] = 0.1*i0 + a;
  v1 *= sin(atan2(0.3 + atan2(0.3 + pow(1.5 + sin(atan2(0.3 + (1/(2.5 + sin((n + n)))), 1.7)), 3), 1.7), 1.7));
  for (i0 = 0; i0 < n; i0++) {
    { int m; for (m = 0; m < n; m++) w[m] += 0.5*tanh(pow(1.5 + sin(pow(1.5 + sin(y[i0]), 3)), 3)); }
    for (i1 = 0; i1 < n; i1++) {
      fill(n, i0, w);
      x[idx[i1]] = 0.5*tanh(y[idx[i1]]);
      y[i0] = 0.5*tanh((i0 * v2));
      v0 += sin(tanh((i1 % 2 == 0 ? sqrt(2.1 + cos(sqrt(2.1 + cos(v1)))) : exp(-fabs(0.1 + sin(exp(-fabs(0.1 + sin(v1)))))))));
    }
    y[i0] = sin((1/(2.5 + sin((atan2(0.3 + a, 1.7) - (a + b))))));
  }
  y[4] = 0.5*tanh(exp(-fabs(0.1 + sin(v2))));
  if (idx[4] > 1) v0 = sin(0.9);
  v2 *= sin(sqrt(2.1 + cos((k1(x[4]) * mix(t, a).q))));
  for (i0 = 0; i0 < n; i0++) {
    { int m; for (m = 0; m < n; m++) w[m] += sin((1/(2.5 + sin(cos(sin(((v0 + w[(2*i0 + 1) % n]) + v2))))))); }
    v2 += 0.5*tanh((v2 * v2));
  }
  x[2] -= 0.5*tanh(x[0]);
  v0 = h1(n, 1.1, b, x, y, s, idx);
  v2 += w[3];
  free(w);
  (void)i1; (void)i2; (void)t;
  return v0 + v1*0.5 + v2;
}
