// run: cc --stage core -e f
// status 3
double f(int n, double **a) {  //! c-rows has pointers to memory that is written
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i][0] *= 2;
  return s;
}
