// run: cc --stage core -e f
// status 3
double f(int n, int m, const double x[n]) {
  const double *p = 0;
  if (m > 1) p = x;
  double s = 1;
  if (p) s += p[0];  //! c-points-to Whether this pointer is null is not known here
  return s;
}
