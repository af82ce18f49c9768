void relax(int n, double *u, double const *f, double c, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[i] += c * (u[i-1] - 2*u[i] + u[i+1] - u[i]*u[i]*f[i]);
}
