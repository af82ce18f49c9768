double f(double x) {
  double _Complex z = x;  //! c-complex Complex numbers
  return 0;
}
