// run: adjoint --stdout --head "f" --length "x[n]"
// status 3
static double g(int n, const double *x, double a) {  //! c-unsupported A pointer to the parameter `a` is needed later
  double *p = &a, s = 0;
  for (int i = 0; i < n; i++) {
    *p *= x[i];
    s += *p;
  }
  return s;
}
double f(int n, const double *x) {
  double s = 1;
#pragma dagaz nocheckpoint
  s = g(n, x, s);
  return s*s;
}
