// grown(grown y)/(x y) | x[n] y[n] | n=6 | -1:1 | source |
// realloc: a buffer that doubles, one that begins as NULL, with a check; one that shrinks, of structs;
// variables of a declaration that are computed from it; lengths with fractions, and from memory.
#include <math.h>
#include <stdlib.h>
typedef struct { double value; int at; } Cell;
static double doubling(int n, const double *x) {
  int room = 1, len = 0;
  double s = 0, *v = malloc(room*sizeof *v);
  for (int i = 0; i < n; i++) {
    if (len == room) {
      room *= 2;
      v = (double *)realloc(v, room*sizeof(double));
    }
    v[len] = x[i]*(len > 0 ? v[len - 1] + 1 : 1);
    len++;
  }
  for (int i = 0; i < len; i++) s += sin(v[i]);
  free(v);
  return s;
}
static double listed(int n, const double *x, const double *y) {
  Cell *cells = NULL;
  int len = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < -0.9) continue;
    Cell *more;
    if ((more = realloc(cells, (len + 1)*sizeof *more)) == NULL) {
      free(cells);
      return -1;
    }
    cells = more;
    cells[len].value = x[i]*y[i];
    cells[len++].at = i;
  }
  if (len > 2) {
    len = 2;
    cells = realloc(cells, sizeof *cells*len);
  }
  for (int i = 0; i < len; i++) s += cells[i].value*y[cells[i].at];
  free(cells);
  return s;
}
static double halves(int n, const double *x) {
  double s = 0, *v = malloc(n*sizeof *v*1.5);
  for (int i = 0; i < n*3/2; i++) v[i] = x[i % n]*(i + 1);
  double *w = realloc(v, 2*n*sizeof *w), *end = w + n*3/2, first = w[0]*x[1];
  for (int i = 0; i < n/2; i++) end[i] = x[i]*first;
  for (int i = 0; i < 2*n; i++) s += sin(w[i]);
  free(w);
  return s;
}
static double told(int n, const double *x) {
  int *head = malloc(sizeof *head), *at = head;
  double s = 0;
  head[0] = n;
  at = malloc(at[0]*sizeof *at);
  for (int i = 0; i < n; i++) at[i] = n - 1 - i;
  at = realloc(at, 2*n*sizeof *at);
  for (int i = 0; i < n; i++) s += x[i]*x[at[i]]*(i + 1);
  free(head);
  free(at);
  return s;
}
double grown(int n, const double *x, double *y) {
  double s = doubling(n, x);
  y[0] *= s;
  return s + listed(n, x, y) + halves(n, x) + told(n, x);
}
