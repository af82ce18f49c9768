// f(f y)/(a y) | y[2] | |
// Calls that read or write the place that their value goes to.
#include <math.h>
typedef struct { double p, q; double w[3]; } S;
static double g(const S *s, double a) { return s->p*s->q*a + s->w[1]; }
static S mixed(const S *s, double a) { return (S){s->q*a, s->p*s->q, {s->w[2], s->p, a}}; }
static double h(double *v, double a) {
  *v = *v*a;
  return *v * *v + a;
}
static double sq(const double *v) { return *v * *v; }
double f(double a, double *y) {
  S s = {a, a*a, {1, a, y[0]}}, t;
  double v = a, *q = y + 1, w[2] = {a, v};
  s.p = g(&s, a);
  s.w[1] = g(&s, s.p);
  t = mixed(&s, a);
  s = mixed(&s, s.q);
  v = h(&v, a);
  v = h(&y[1], v);
  y[1] = sq(q);
  *q = h(y + 1, a);
  w[1] = sq(w);
  w[0] = h(w, a);
  return s.p + s.q*t.p + v + w[0]*w[1] + s.w[0]*s.w[1] + t.w[2];
}
