// filter(filter y)/(x w) | x[n] y[n] w[4] | n=9 |
// A ring buffer in a struct, indices with a mask, moving extremes.
#include <string.h>
#define CAP 4
typedef struct { double buf[CAP]; unsigned head, count; double sum; } Ring;
static void push(Ring *r, double v) {
  if (r->count == CAP) { r->sum -= r->buf[r->head & (CAP - 1)]; } else r->count++;
  r->buf[r->head++ & (CAP - 1)] = v;
  r->sum += v;
}
static double at(const Ring *r, unsigned back) { return r->buf[(r->head - 1u - back) & (CAP - 1)]; }
double filter(int n, const double *x, const double *w, double *y) {
  Ring r;
  memset(&r, 0, sizeof r);
  double best = -1e30;
  for (int i = 0; i < n; i++) {
    push(&r, x[i]*x[i]);
    double s = 0;
    for (unsigned k = 0; k < r.count; k++) s += w[k]*at(&r, k);
    y[i] = s + r.sum/r.count;
    if (y[i] > best) best = y[i];
  }
  return best*r.sum;
}
