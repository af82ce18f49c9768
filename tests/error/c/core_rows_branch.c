// run: cc --stage core -e f
// status 3
double f(int n, const double x[n], const double y[n]) {
  const double *rows[2];
  if (n > 3) rows[0] = x;
  else rows[0] = y;
  rows[1] = x;  //! c-rows has pointers to different memory in two branches
  return rows[0][0] * rows[1][0];
}
