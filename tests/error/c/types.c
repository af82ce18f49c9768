struct p { double x; };
double f(struct p a, double *b, int n) {
  return a.y;  //! c-type no member `y`
}
double g(double *b) { return b; }  //! c-type where `double` is needed
double h(double *b, double *c) { return *(b + c); }  //! c-type types that do not go together
double k(const double *b) { *b = 1; return 0; }  //! c-type constant
double l(double x) { return f(x); }  //! c-type arguments
double m(double x) { return x % 2; }  //! c-type operands of `%`
void n(void) { return 1; }  //! c-type returns nothing
union none { };
union none o = {1};  //! c-type More values than places
