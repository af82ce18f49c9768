// run: adjoint --stdout --head "f"
// status 3
double f(double x) {
again:
  x = x * x;
  if (x > 2) goto again;  //! c-goto `goto` back, or into a block
  return x;
}
