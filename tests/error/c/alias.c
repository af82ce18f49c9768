// run: adjoint --stdout --head "f" --length "x[n]"
static void scale(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++) b[i] = a[i] * a[i];
}
void f(int n, double *x) {
  scale(n, x, x);  //! c-alias passed twice
}
