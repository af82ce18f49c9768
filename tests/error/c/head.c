// run: tangent --stdout --head "f(y)/(x)"
double f(double x) {  //! c-head `y`
  return x * x;
}
