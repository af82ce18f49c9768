// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Pointers that are parameters walk in a loop whose condition steps its counter.
static double g_at(const double *x, int i) { return x[i]*x[i]; }
static void lap(int n, const double *x, double *o) { for (int i = 0; i < n; i++) o[i] = (i ? x[i-1] : 0) - 2*x[i] + (i + 1 < n ? x[i+1] : 0); }
static double dotp(int n, const double *a, const double *b) { double s = 0; while (n-- > 0) s += *a++**b++; return s; }
double f(int n, double *x, double *y) {
  double r[n], p[n], q[n], u[n];
  for (int i = 0; i < n; i++) { u[i] = 0; r[i] = p[i] = -y[i]; }
  double rr = dotp(n, r, r);
  for (int k = 0; k < n && rr > 1e-8; k++) {
    lap(n, p, q);
    for (int i = 0; i < n; i++) q[i] = -q[i] + g_at(x, i)*p[i];
    double al = rr/dotp(n, p, q);
    for (int i = 0; i < n; i++) { u[i] += al*p[i]; r[i] -= al*q[i]; }
    double rn = dotp(n, r, r), be = rn/rr;
    rr = rn;
    for (int i = 0; i < n; i++) p[i] = r[i] + be*p[i];
  }
  for (int i = 0; i < n; i++) y[i] = u[i];
  return dotp(n, u, u)*dotp(n, u, y);
}
