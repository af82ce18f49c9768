// run: cc --stage core -e f
// status 3
double f(int n, const double *x, const double *y) {
  return x + n < y ? x[0] : y[0];  //! c-pointer-compare different objects
}
