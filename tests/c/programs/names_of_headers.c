// shape(shape z)/(x p) | x[n] z[n] | n=4 |
// Names that the headers of the derivatives declare, too: of static functions and variables of the
// file, of locals whose derivative calls the function of that name, of macros.
double sin(double);
double sinh(double);
static const double y1[3] = {1, 2, 3};
static int div = 3;
static double gamma(double x) { return 0.5*x*x; }
static int index(int i) { return i % 3; }
static double exp2(double x, double remove) { return x*remove*x; }
double shape(int n, const double *x, double p, double *z) {
  double s = 0, M_PI = 3*p;
  const double cos = sin(p), cosh = sinh(x[0])*cos;
  for (int i = 0; i < n; i++) {
    double log = gamma(x[i])*y1[index(i)]/div;
    z[i] = exp2(log, cos) + cosh;
    s += z[i]*M_PI;
  }
  return s;
}
