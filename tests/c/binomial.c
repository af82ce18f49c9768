// Loops with $AD BINOMIAL-CKP, for binomial.sh: their adjoints with and without the pragma.
#include <math.h>

static void step(int n, double u[n], double h) {
  for (int k = 0; k < 3; k++)
    for (int i = 1; i + 1 < n; i++) u[i] += h*(sin(u[i - 1]) - u[i]*u[i]);
}

// The state is an array of the caller and a sum.
static double wave(int n, int steps, int most, double u[n], double h) {
  double s = 0;
  /* $AD BINOMIAL-CKP steps+1 most 1 */
  for (int t = 0; t < steps; t++) {
    step(n, u, h);
    s += u[n/2]*h;
  }
  return s*u[n/2];
}

// From 2 to `steps`, inside of another loop, with arrays of its own and values that others need.
static double inner(int n, int steps, int most, double u[n], double h) {
  double a[n], b[3] = {h, 1, 0}, y = h;
  for (int i = 0; i < n; i++) a[i] = u[i]*h;
  for (int r = 0; r < 3; r++) {
    y = y*sin(a[1]);
    /* $AD BINOMIAL-CKP steps most 1 */
    for (int t = 2; t <= steps; t++) {
      double old = a[0];
      for (int i = 0; i + 1 < n; i++) a[i] = cos(a[i]*a[i + 1]) + 0.1*t*h;
      if (a[1] > 0.9) a[n - 1] = old*y;
      else b[t % 3] *= a[2] + r*b[(t + 1) % 3];
    }
    a[2] *= y*b[1];
    u[r] = y*a[0];
  }
  return y + a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
}

// A function with such a loop, whose reverse sweep is a function of its own.
static void advance(int n, int steps, int most, double u[n], double *h) {
  /* $AD BINOMIAL-CKP steps+1 most 1 */
  for (int t = 0; t < steps; t++) {
    step(n, u, *h);
    *h = *h*0.9 + u[1]*u[1]*0.01;
  }
}

double all(int n, int steps, int most, double u[n], double h) {
  double s = wave(n, steps, most, u, h), g = h;
  s += inner(n, steps, most, u, h*s);
  for (int k = 0; k < 2; k++) {
    advance(n, steps + k, most, u, &g);
    s += u[2]*g*s;
  }
  return s;
}
