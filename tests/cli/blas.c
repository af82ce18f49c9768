// Calls of BLAS: every function, both transpositions, increments that are not 1, active factors.
#include <math.h>
void dcopy_(const int *n, const double *x, const int *incx, double *y, const int *incy);
void dscal_(const int *n, const double *alpha, double *x, const int *incx);
void daxpy_(const int *n, const double *alpha, const double *x, const int *incx, double *y,
            const int *incy);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);
void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

double vectors(const double x[6], double y[6], double a) {
  int n = 3, n6 = 6, one = 1, two = 2, back = -2;
  double half = 0.5, z[6];
  dcopy_(&n6, x, &one, z, &one);
  dscal_(&n, &half, z, &two);
  daxpy_(&n, &a, z, &back, y, &two);
  daxpy_(&n6, &half, x, &one, y, &one);
  return ddot_(&n, y, &two, z, &back) * ddot_(&n6, x, &one, x, &one);
}

// A layer, and its matrix turned.
double layers(const double w[6], const double x[3], double y[2], double alpha) {
  int m = 2, n = 3, one = 1, back = -1;
  double beta = -0.5, zero = 0, h[2], g[3];
  dgemv_("N", &m, &n, &alpha, w, &m, x, &one, &beta, y, &one);
  for (int i = 0; i < 2; i++) h[i] = tanh(y[i]);
  dgemv_("T", &m, &n, &alpha, w, &m, h, &back, &zero, g, &one);
  return ddot_(&n, g, &one, x, &one);
}

void products(const double a[6], const double b[6], double alpha, double c[4], double d[9]) {
  int m = 2, n = 2, k = 3, three = 3;
  double beta = 0.25;
  dgemm_("N", "N", &m, &n, &k, &alpha, a, &m, b, &k, &beta, c, &m);
  dgemm_("T", "T", &m, &n, &k, &alpha, a, &k, b, &n, &beta, c, &m);
  dgemm_("N", "T", &m, &n, &k, &alpha, b, &m, a, &n, &beta, c, &m);
  dgemm_("T", "N", &three, &three, &m, &alpha, a, &m, b, &m, &beta, d, &three);
  dger_(&three, &three, &alpha, a, &m, b, &m, d, &three);
}

// beta is active: the model's adjoint.
double mixed(const double w[4], const double x[2], double y[2], double beta) {
  int n = 2, one = 1;
  double alpha = 1;
  dgemv_("N", &n, &n, &alpha, w, &n, x, &one, &beta, y, &one);
  return ddot_(&n, y, &one, y, &one);
}
