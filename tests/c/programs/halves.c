// mean(mean)/(x) | x[n] | n=7 |
// Divide and conquer with two recursive calls on parts of an array that is overwritten (a scan).
static double up(double *x, int lo, int hi) {
  if (hi - lo == 1) { x[lo] = x[lo]*x[lo] + 0.1; return x[lo]; }
  int m = lo + (hi - lo)/2;
  double a = up(x, lo, m), b = up(x, m, hi);
  x[m] += a*0.5;
  x[lo] = up(x, lo, lo + 1)*b;
  return a + b*x[m];
}
double mean(int n, double *x) { x[0] = up(x, 0, n); return x[0]/n + x[n - 1]; }
