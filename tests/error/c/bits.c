// run: tangent --stdout --head "f"
#include <string.h>
double f(double x) {
  unsigned long long bits;
  double y;
  memcpy(&bits, &x, sizeof x);  //! c-punning memory of another type
  memcpy(&y, &bits, sizeof y);
  return y;
}
