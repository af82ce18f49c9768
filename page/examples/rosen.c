/* Rosenbrock's function: a narrow valley, the usual first test of optimisers. */
double rosen(int n, const double x[n]) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    double t = x[i+1] - x[i]*x[i];
    s += (1 - x[i])*(1 - x[i]) + 100*t*t;
  }
  return s;
}
