// tables(tables)/(x) | x[n] | n=4 |
// Tables of structs with arrays inside, and limits of float.h, which are of type long double.
#include <float.h>
#include <math.h>
typedef struct { double w[2]; struct { int on; float g; } f; } Row;
static const Row tab[3] = {{{1.5, sqrt(2.0)}, {1, 0.5f}}, {.f = {.on = 0, .g = 2}}, {{[1] = 3}, {2, 0}}};
static const Row one = {{1, 2}, {3, 4}};
static Row free_one = {{0, INFINITY}, .f = {.g = 2}};
enum { CNT = sizeof tab/sizeof *tab };
double tables(int n, const double *x) {
  const Row loc[2] = {{{1.5, 2}, {1, 0.5f}}, {.f = {.on = 0, .g = 2}}};
  double s = 0, big = -DBL_MAX;
  for (int i = 0; i < n; i++) {
    const Row *r = &tab[i % CNT];
    s += (r->w[0] + r->w[1]*x[i])*x[i] + r->f.on*r->f.g*x[i] + one.w[1]*x[i] + loc[i & 1].f.g*one.f.on*x[i];
    if (x[i] > big) big = x[i];
    if (x[i] < free_one.w[1]) s += x[i];
  }
  return s*big;
}
