// run: cc --stage core -e f
// status 3
double f(int n, const double x[n]) {
  const double *p = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {  //! c-points-to A pointer changes from one object to another
    if (p != 0) s += p[0] * x[i];
    if (i == 2) p = x;
  }
  return s;
}
