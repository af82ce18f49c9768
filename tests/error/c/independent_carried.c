// run: adjoint --stdout --head "f(x)/(x)"
void f(int n, double x[n]) {
  /* $AD II-LOOP */
  for (int i = 1; i < n; i++) {
    double y = x[i]*x[i];
    x[i] = y*x[i - 1];  //! c-pragma The iterations of this loop are not independent: each uses `x[i - 1]`
  }
}
