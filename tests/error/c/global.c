// run: tangent --stdout --head "f"
double scale;
double f(double x) {
  scale = x * x;  //! c-global active global
  return scale * x;
}
