// f(f x y)/(x y) | x[n] y[n] | n=6 |
// A struct of integers is filled with zeros, and then has the indices of reads.
#include <string.h>
typedef struct { int used; int at[4]; } Slots;
static double take(Slots *s, const double *v, int n) {
  s->at[s->used] = (s->at[s->used] + s->used + 1) % n;
  s->used = (s->used + 1) % 4;
  return v[s->at[s->used]];
}
double f(int n, double *x, double *y) {
  Slots s;
  double r = 1;
  for (int k = 0; k < 2; k++) {
    memset(&s, 0, sizeof s);
    for (int i = 0; i < n; i++) { r = r*take(&s, x, n) + y[i]; s.at[i & 3] += 1; }
  }
  return r;
}
