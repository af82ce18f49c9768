// run: cc --stage core -e f
// status 3
double f(double x) {
  long double y = x;  //! c-long-double through core
  return (double)(y * y);
}
