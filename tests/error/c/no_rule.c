// run: tangent --stdout --head "f"
double other(double x);
double f(double x) {
  return other(x) * x;  //! c-no-rule no source
}
