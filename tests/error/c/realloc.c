// run: adjoint --head f
#include <stdlib.h>
typedef struct { double *data; int len; } List;
static void push(List *l, double x) {
  l->data = realloc(l->data, (l->len + 1)*sizeof(double));  //! c-unsupported or malloc, copy in a loop, free
  l->data[l->len++] = x;
}
double f(int n, const double x[n]) {
  List l = {NULL, 0};
  double s = 0;
  for (int i = 0; i < n; i++) push(&l, x[i]*x[i]);
  for (int i = 0; i < n; i++) s += l.data[i];
  free(l.data);
  return s;
}
