// best(best)/(x) | x[n] | n=5 |
// Pointers to active structs that are NULL at first, are compared with it, and point at each other.
#include <stddef.h>
typedef struct { double a, b; } Point;
typedef struct Left { double v; struct Right *other; } Left;
struct Right { double w; Left *other; };
static const Point *highest(int n, const Point *p) {
  const Point *q = NULL;
  for (int i = 0; i < n; i++)
    if (q == NULL || p[i].a > q->a) q = &p[i];
  return q;
}
double best(int n, const double *x) {
  Point p[8];
  for (int i = 0; i < n; i++) { p[i].a = x[i]*x[i]; p[i].b = x[i]*0.5; }
  const Point *m = NULL;
  m = highest(n, p);
  Point *z = 0;
  if (n > 2) z = &p[2];
  Left left = {x[0], NULL};
  struct Right right = {x[1], &left};
  left.other = &right;
  return m->a*m->b + (z ? z->a : 0) + left.other->other->v*left.other->w;
}
