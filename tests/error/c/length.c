// run: adjoint --stdout --head "f(f)/(x)"
double f(int n, const double *x, const int *idx) {  //! c-length How long `x` is
  double s = 0;
  for (int i = 0; i < n; i++) s += x[idx[i]];
  return s;
}
