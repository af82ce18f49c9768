double f(double x) {
  return x + y;  //! c-undeclared `y`
}
double g(double x) { return sin(x); }  //! c-undeclared `sin`
