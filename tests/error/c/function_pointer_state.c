// run: adjoint --stdout --head "f(f)/(x)"
static double count(double (*g)(double), double x) {
  static double calls = 1;
  calls += 1;
  return calls*g(x);  //! c-function-pointer through a pointer
}
static double half(double x) { return 0.5*x*x; }
double f(double x) { return count(half, x) + count(half, x); }
