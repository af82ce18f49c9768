// run: cc --stage core -e f
// status 3
double f(int n, double **a) {  //! c-rows points to pointers
  return a[0][n];
}
