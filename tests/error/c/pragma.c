// run: adjoint --head "f(f)/(x)" --stdout
#pragma dagaz lenght x[n]  //! c-pragma `lenght` is no pragma
double f(int n, const double *x) {
  double s = 0;
  /* $AD II-LOOP */
  for (int i = 0; i < n; i++) s += x[i]*x[i];
  /* $AD NOCHEKPOINT */
  s = s*s;  //! c-pragma `NOCHEKPOINT` is no pragma
#pragma dagaz faster  //! c-pragma `faster` is no pragma
#pragma dagaz derivative g: x = 1  //! c-pragma This pragma stands inside of a function
  return s;
}
