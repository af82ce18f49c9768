// run: adjoint --head "f(f)/(x)" --stdout
// status 3
double f(double x) {
  double s = x;
  /* $AD DO-NOT-DIFF */
  s = s*s;  //! c-pragma `$AD DO-NOT-DIFF` is not supported
  return s;
}
