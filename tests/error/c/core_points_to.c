// run: cc --stage core -e f
// status 3
double f(int n, const double *x, const double *y) {
  const double *p = n > 2 ? x : y;
  return x[0] + y[0] + p[0];  //! c-points-to several objects
}
