// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Arrays of structs are filled with zeros, copied and moved, also onto themselves.
#include <math.h>
#include <string.h>
typedef struct { double v[3]; int tag; double w; } Cell;
double f(int n, double *x, double *y) {
  Cell a[4], b[4];
  double s = 1;
  for (int k = 0; k < n; k++) {
    memset(a, 0, sizeof a);
    for (int i = 0; i < 3; i++) { a[i].v[i] = x[k]*s; a[i + 1].w += y[k]; a[i].tag = i + k; }
    memcpy(b, a, 3*sizeof(Cell));
    memmove(a + 1, a, 3*sizeof *a);
    b[3] = a[2];
    for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) s += b[i].v[j]*a[i].w + sin(a[i].v[j])*b[i].tag;
    Cell one;
    memcpy(&one, &a[k % 4], sizeof one);
    s = s/2 + one.w*one.v[1] + one.tag;
  }
  return s;
}
