double f(double x) {
  return x > 0 ? ({ double y = x; y; }) : 0;  //! c-gnu statement inside an expression
}
__int128 wide;  //! c-gnu type is not supported
double g(int k) {
  switch (k) {
    case 1 ... 3: return 1;  //! c-gnu Ranges of cases
  }
  return __builtin_popcount(k);
}
double h(int k) { return __builtin_popcount(k); }  //! c-gnu not supported
double head(int k, double x) {
  while (({ k--; k > 0; })) x *= 2;  //! c-gnu statement inside an expression
  return x;
}
double second(double x) {
  double a = x, b = ({ double y = a; y; });  //! c-gnu statement inside an expression
  return a * b;
}
