// newton(newton)/(a x0) | | | 0.5:1.5 |
typedef struct dual { double v, d; } dual;
static inline dual dmul(dual a, dual b) { return (dual){ a.v*b.v, a.v*b.d + a.d*b.v }; }
static inline dual dsub(dual a, double c) { return (dual){ .v = a.v - c, .d = a.d }; }
double newton(double a, double x0) {
  double x = x0;
  for (int it = 0; it < 4; it++) {
    dual t = { x, 1 }, r = dsub(dmul(t, t), a);
    x -= r.v/r.d;
  }
  return x;
}
