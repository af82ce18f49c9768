// run: adjoint --stdout --head "f"
// status 3
double f(double x) {
  if (x < 0) goto out;  //! c-goto not supported in adjoints
  x = x * x;
out:
  return x;
}
