// Arrays whose cells are overwritten: after the last use of what was there, or before.
#include <math.h>

// ---- values are saved ---------------------------------------------------------------------------
// the next iteration overwrites what this one used
void next(int n, double *a) {
  for (int i = 1; i < n - 1; i++) a[i + 1] = a[i + 1]*a[i];
}
// columns 0 .. j are used, column j is overwritten once more
void last(int n, double *a) {
  for (int j = 0; j < n; j++) {
    double s = 0;
    for (int k = 0; k <= j; k++) s += a[j*n + k]*a[j*n + k];
    for (int i = j; i < n; i++) a[i*n + j] = s*a[i*n + j];
  }
}
// rows overlap: n - 1 cells from one to the next
void rows(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i*(n - 1) + j] = sin(a[i*(n - 1) + j]);
}
// the quotient is overwritten after its use
void again(int n, double *a) {
  for (int i = 0; i < n; i++) {
    double t = a[i] + 2;
    a[i] = t/(3 + a[(i + 1) % n]);
    a[i] = a[i]*a[i];
  }
}
// a condition, and a function, read it
static double sum(int n, const double *a) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i]*a[i];
  return s;
}
void read(int n, double *a) {
  for (int i = 0; i < n; i++) {
    double s = sum(i + 1, a);
    a[i] = a[i]*s;
  }
}
// iterations that are executed again read cells that no partial derivative has
void executed(int n, double *a) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < n; k++) {
      double t = a[k] + 1;
      t = t*t;
      s += t;
    }
    a[i] = s;
  }
}
// a step of 2, and counters that wrap
void pairs(int n, double *a) {
  for (int i = 0; i < n; i += 2) a[(i + 2) % n] = a[i]*a[i];
  for (unsigned i = 0; i + 1 < (unsigned)n; i++) a[i + 1] = a[i]*a[i + 1];
}

// ---- nothing is saved ---------------------------------------------------------------------------
void lu(int n, double *a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i*n + k] /= a[k*n + k] + n;
      for (int j = k + 1; j < n; j++) a[i*n + j] -= a[i*n + k]*a[k*n + j];
    }
}
void columns(int n, double a[n][4]) {
  for (int i = n - 2; i >= 0; i--) {
    a[i][2] = a[i + 1][3]*a[i + 1][1];
    a[i][3] = sqrt(2 + a[i + 1][2]*a[i][1]);
  }
}
