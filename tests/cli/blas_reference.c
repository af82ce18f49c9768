// BLAS as its reference says, for tests: increments may be negative, matrices are stored by columns.
static long start(int n, int inc) { return inc < 0 ? -(long)(n - 1) * inc : 0; }

void dcopy_(const int *n, const double *x, const int *incx, double *y, const int *incy) {
  for (long k = 0, i = start(*n, *incx), j = start(*n, *incy); k < *n; k++, i += *incx, j += *incy)
    y[j] = x[i];
}

void dscal_(const int *n, const double *alpha, double *x, const int *incx) {
  if (*incx <= 0) return;
  for (long k = 0; k < *n; k++) x[k * *incx] *= *alpha;
}

void daxpy_(const int *n, const double *alpha, const double *x, const int *incx, double *y,
            const int *incy) {
  for (long k = 0, i = start(*n, *incx), j = start(*n, *incy); k < *n; k++, i += *incx, j += *incy)
    y[j] += *alpha * x[i];
}

double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy) {
  double s = 0;
  for (long k = 0, i = start(*n, *incx), j = start(*n, *incy); k < *n; k++, i += *incx, j += *incy)
    s += x[i] * y[j];
  return s;
}

void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda) {
  for (int j = 0; j < *n; j++)
    for (int i = 0; i < *m; i++)
      a[i + (long)j * *lda] += *alpha * x[start(*m, *incx) + (long)i * *incx] *
                               y[start(*n, *incy) + (long)j * *incy];
}

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy) {
  int turned = *trans == 'T', rows = turned ? *n : *m, columns = turned ? *m : *n;
  for (int i = 0; i < rows; i++) {
    double *to = &y[start(rows, *incy) + (long)i * *incy], s = 0;
    for (int j = 0; j < columns; j++)
      s += a[turned ? j + (long)i * *lda : i + (long)j * *lda] *
           x[start(columns, *incx) + (long)j * *incx];
    *to = *alpha * s + (*beta == 0 ? 0 : *beta * *to);
  }
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc) {
  for (int j = 0; j < *n; j++)
    for (int i = 0; i < *m; i++) {
      double s = 0;
      for (int l = 0; l < *k; l++)
        s += a[*transa == 'T' ? l + (long)i * *lda : i + (long)l * *lda] *
             b[*transb == 'T' ? j + (long)l * *ldb : l + (long)j * *ldb];
      double *to = &c[i + (long)j * *ldc];
      *to = *alpha * s + (*beta == 0 ? 0 : *beta * *to);
    }
}
