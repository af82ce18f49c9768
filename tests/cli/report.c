// Functions whose adjoints keep values in different ways; what `dagaz report` says is measured.
#include <math.h>

double triangle(int n, const double *x) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) s = s * cos(x[j]) + x[i];
  return s;
}

double iterations(int n, int m, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double s = x[i];
    for (int j = 0; j < m; j++) s = sin(s) * s;
    sum += s;
  }
  return sum;
}

static double power(int k, double x) {
  double p = 1;
  for (int i = 0; i < k; i++) p = p * x + sin(p);
  return p;
}

double calls(int n, const double *x) {
  double s = 0.5;
  for (int i = 0; i < n; i++) s = power(i, s) * x[i];
  return s;
}

struct pair { double a, b; };
double records(int n, const double *x) {
  struct pair p = {1, 2};
  for (int i = 0; i < n; i++) {
    struct pair q = {p.a * x[i], p.b * p.a};
    p = q;
  }
  return p.a + p.b;
}

double newton(double a) {
  double x = a;
  int n = 0;
  while (fabs(x * x - a) > 1e-9 && n < 50) {
    x = (x + a / x) / 2;
    n++;
  }
  return x > 2 ? floor(x) * x : fmax(x, 1);
}
