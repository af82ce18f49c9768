// run: cc --stage core -e f
// status 3
static double g(int n, double ***a) { return n > 0 ? a[0][n][0] : 0; }  //! c-rows points to pointers to pointers
double f(int n, double ***a, double ***unused) {
  double ***b = unused + n;
  (void)b;
  return g(n, a + 1);
}
