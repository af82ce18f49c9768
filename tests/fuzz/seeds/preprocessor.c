#include <math.h>
#define SQUARE(x) ((x)*(x))
#define SHOW(f, ...) f(#f, ## __VA_ARGS__)
#define J(a, b) a ## b
#if defined(M_PI) && !(2 * 3 == 7) || 'a' > 1u
double J(f, 1)(double x) { return SQUARE(x + \
  M_PI); }
#elif 0
#else
#error no
#endif
#undef J
