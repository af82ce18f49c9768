// run: tangent --stdout --head "f"
double f(double x, double (*g)(double)) {
  return g(x) * x;  //! c-function-pointer through a pointer
}
