// sweep(sweep)/(sys.k sys.m) | | |
// Arrays in the one struct that a parameter points to.
typedef struct { int n; double k[4], m[4]; struct { double damp, dt; } opt; } Sys;
double sweep(const Sys *sys) {
  double x[4] = {1}, v[4] = {0};
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < 4; i++) {
      double F = -sys->k[i]*x[i];
      if (i > 0) F += sys->k[i-1]*(x[i-1] - x[i]);
      v[i] += 0.1*(F - 0.1*v[i])/(2 + sys->m[i]);
    }
    for (int i = 0; i < 4; i++) x[i] += 0.1*v[i];
  }
  return x[0]*x[0] + x[3];
}
