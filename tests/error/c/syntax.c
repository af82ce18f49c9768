double f(double x) {
  return x +;  //! c-syntax Expected an expression
}
double g(double x) { return x }  //! c-syntax Expected `;`
double h(double x) {
  break;  //! c-syntax no loop
}
double k(void) { return 1.5q; }  //! c-syntax no number
