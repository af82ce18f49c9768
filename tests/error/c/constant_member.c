// run: adjoint --stdout --head "f"
// status 3
typedef struct { const double a; double b; } Pair;
double f(double x) {
  Pair p = {x, x*x};  //! c-unsupported A constant member is initialised
  return p.a*p.b;
}
