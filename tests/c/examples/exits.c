#include <math.h>
double sumtil(double *vec, int size) {
  double ret = 0.0;
  for (int i = 0; i < size; i++) {
    ret += vec[i] * vec[i];
    if (ret > 30) break;
    ret += vec[i] * vec[i];
    vec[i] = 0;
  }
  return ret;
}
void g(double *a, double *b, double *c) {
  *a = 2.0 * *a + 10.0;
  *b = *c + sin(*a);
  *c = 0.0;
}
