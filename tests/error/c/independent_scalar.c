// run: adjoint --stdout --head "f(x)/(x)"
void f(int n, double x[n]) {
  double y = 1;
  /* $AD II-LOOP */
  for (int i = 0; i < n; i++) {  //! c-pragma The iterations of this loop are not independent: each uses `y`
    x[i] = y*x[i];
    y = x[i]*0.5;
  }
}
