// run: adjoint --stdout --head "f"
// status 3
double f(double x) {
  if (x < 0) goto inside;  //! c-goto `goto` into a block or a loop
again:
  x = x * x;
inside:
  x = x + 1;
  if (x < 2) goto again;
  return x;
}
