double f(double x) {
  return ({ double y = x; y; });  //! c-gnu statement inside an expression
}
__int128 wide;  //! c-gnu type is not supported
double g(int k) {
  switch (k) {
    case 1 ... 3: return 1;  //! c-gnu Ranges of cases
  }
  return __builtin_popcount(k);
}
double h(int k) { return __builtin_popcount(k); }  //! c-gnu not supported
