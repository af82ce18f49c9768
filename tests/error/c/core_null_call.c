// run: cc --stage core -e f
// status 3
static double g(int n, const double *p) { return n > 0 ? g(n - 1, p) : p ? p[0] : 1; }
double f(int n, int m, const double x[n]) {
  const double *p = 0;
  if (m > 1) p = x;
  return g(m, p);  //! c-points-to calls itself and gets a pointer that may be null
}
