// f(f)/(x) | x[n] | n=5 |
// Statements inside expressions, as macros of GNU C have them.
#include <math.h>
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define square(a) ({ double _s = (a); _s * _s; })
#define swap(a, b) ({ __typeof__(a) _t = a; a = b; b = _t; })

double f(int n, const double *x) {
  double s = max(x[0], x[1] * x[2]), low = x[1], high = 2 * x[0];
  for (int i = 0; i < n; i++) {
    if (max(x[i], 0.5) > 0.7) s += square(x[i] + square(s)) * 0.01;
    else s -= max(max(x[i], s), square(sin(x[i])));
    low *= square(x[i]) + 1;
  }
  swap(low, high);
  switch (max(n, 2)) {
    case 2: s += low; break;
    default: s += ({ double t = high; t *= ({ low; }); t; });
  }
  return max(s, low) + square(high);
}
