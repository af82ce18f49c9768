// run: tangent --stdout --head "f"
#include <string.h>
typedef struct { int k; double a; } Cell;
double f(double x) {
  Cell c[2];
  memset(c, 0, 32);  //! c-unsupported The size of active memory is not in terms of `sizeof`
  c[1].a = x;
  return c[0].a + c[1].a*x;
}
