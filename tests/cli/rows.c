// Numbers that pointers in memory lead to: rows of matrices, members that are pointers.
#include <math.h>
typedef struct {
  int n;
  double scale, *data;
} Vector;

double rows(int n, int m, double **a, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += sin(a[i][j])*a[i][j]*x[j];
  return s;
}

void scaled(int n, int m, double **a, double *const *b, double f) {
  for (int i = 0; i < n; i++) {
    double *to = a[i];
    for (int j = 0; j < m; j++) to[j] = to[j]*b[i][j]*f;
  }
}

double vector(const Vector *v) {
  double s = 0;
  for (int i = 0; i < v->n; i++) s += v->data[i]*v->data[i]*v->scale;
  return s;
}

// A table of rows that are made elsewhere.
double table(int n, const double *x, double ***t) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    t[1][0][i] = x[i]*x[i];
    s += t[1][0][i]*t[0][1][i];
  }
  return s;
}
