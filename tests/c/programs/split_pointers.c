// twice(twice)/(x) | x[n] | n=5 |
// Pointers to local variables of functions whose sweeps are two: walks, exchanges, NULL, members.
#include <math.h>
typedef struct { double *at; int n; } View;
typedef struct { int n; double data[8]; } Buf;
static double walked(int n, const double *x) {
  double w[8], s = 1, *p = w;
  for (int i = 0; i < n; i++) w[i] = x[i];
  for (int k = 0; k < 2; k++) {
    for (p = w; p < w + n; p++) { *p = 0.5* *p*sin(*p) + 0.1*s; s += 0.1* *p; }
    while (p > w) {
      --p;
      s = s*0.5 + *p* *p;
      *p = s;
      if (s > 3) break;
    }
    p += 1;
    s += sin(*p);
  }
  p = 0;
  return p ? 2*s : s;
}
static double chosen(int n, const double *x) {
  double w[8], u[8], s = 0, *p = w, *q = u, *best = 0;
  for (int i = 0; i < n; i++) {
    *p = sin(x[i]) + s;
    q[i] = cos(*p)*s;
    s += *p* *p*q[i];
    if (x[i] > 0.3) best = p;
    p++;
  }
  p = w;
  if (s > 0.5) { double *t = p; p = q; q = t; }
  s += p[1]*q[2]*q[2];
  if (best) s += *best* *best;
  for (int i = 0; i < n; i++) w[i] = u[i] = 0;
  return s;
}
static double viewed(int n, const double *x) {
  double w[8], s = 0;
  View v;
  Buf b = {n, {0}};
  double *p = b.data;
  v.at = w;
  v.n = n;
  for (int i = 0; i < n; i++) {
    *v.at = sin(x[i]) + s;
    s += 0.3* *v.at* *v.at;
    *p++ = s*x[i];
    v.at++;
  }
  v.at = w + 1;
  p -= 2;
  return s + *v.at*v.at[1]*p[0]*p[1];
}
static double inner(int n, double *p) {
  double s = 0;
  for (int i = 0; i < n; i++) { *p = sin(*p)* *p; s += *p* *p; p++; }
  p -= 2;
  s *= *p;
  return s;
}
static double outer(int n, const double *x) {
  double w[8], s = 0;
  for (int i = 0; i < n; i++) w[i] = x[i];
#pragma dagaz nocheckpoint
  s += inner(n, w);
  return s*w[1];
}
double twice(int n, const double *x) {
  double s = 0;
  for (int k = 0; k < 2; k++) {
#pragma dagaz nocheckpoint
    s += walked(n, x);
#pragma dagaz nocheckpoint
    s += chosen(n, x);
#pragma dagaz nocheckpoint
    s += viewed(n, x);
#pragma dagaz nocheckpoint
    s += outer(n, x);
  }
  return s*s;
}
