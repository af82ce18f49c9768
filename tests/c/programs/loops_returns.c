// f(f y)/(x y) | x[n] y[n] | n=6 |
// Labelled leaving by flags and returns from nested loops, continue in while, loops without bodies.
double f(int n, const double *x, double *y) {
  double s = 0;
  int i, j, k = 0;
  for (i = 0; i < n; i++, k += 2) {
    if (x[i] < -0.7) continue;
    for (j = i; ; j++) {
      if (j >= n) break;
      y[j] = y[j]*x[i] + s;
      if (y[j] > 1.5) return s + y[j]*k;
      if (j == 3) { s += y[j]; break; }
    }
    s += x[i]*j;
    int m = i;
    while (m > 0) { m--; if (m % 2) continue; s += y[m]*0.1*y[m]; }
  }
  for (i = 0; i < n && x[i] < 0.3; i++) ;
  return s + (i < n ? x[i]*y[i] : 0);
}
