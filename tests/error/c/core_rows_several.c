// run: cc --stage core -e f
// status 3
double f(int n, const double x[n], const double y[n]) {
  const double *rows[2];
  rows[0] = x;
  rows[1] = y;  //! c-rows lead to several objects
  return rows[0][0] * rows[1][0];
}
