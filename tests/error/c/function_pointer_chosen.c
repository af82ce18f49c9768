// run: adjoint --stdout --head "f(f)/(x)"
static double half(double x) { return 0.5*x*x; }
static double twice(double x) { return 2*x; }
double f(double x, int i) {
  double (*g)(double) = half;
  static double (*table[])(double) = {half, twice};
  if (i) g = table[1];
  return g(x);  //! c-function-pointer through a pointer
}
