/* Data-parallel gradient descent: each process of MPI has a part of the rows, one sum over the
 * processes gives the loss and the gradient of all.
 *
 *   dagaz c --library logistic.fut
 *   mpicc -O2 gradient.c logistic.c -lm -lpthread -o gradient
 *   mpirun -n 4 ./gradient
 */
#include "logistic.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, D = 5, STEPS = 50 };

/* Row i of the data, whichever process has it. */
static double row(int64_t i, double x[D]) {
  double margin = 0;
  for (int k = 0; k < D; k++) {
    x[k] = sin((double)(7 * i + 13 * k * k) + 1);
    margin += x[k] * (k - 1.5);
  }
  return margin + sin((double)(3 * i)) > 0 ? 1 : -1;
}

static void fail(struct futhark_context *ctx) {
  char *why = futhark_context_get_error(ctx);
  fprintf(stderr, "%s\n", why ? why : "failed");
  free(why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* out: the loss of the rows, then the gradient in w. */
static void value_and_gradient(struct futhark_context *ctx, const struct futhark_f64_2d *xs,
                               const struct futhark_f64_1d *ys, const double w[D],
                               double out[D + 1]) {
  struct futhark_f64_1d *at = futhark_new_f64_1d(ctx, w, D), *result = NULL;
  if (!at || futhark_entry_value_and_gradient(ctx, &result, xs, ys, at) ||
      futhark_values_f64_1d(ctx, result, out) || futhark_context_sync(ctx))
    fail(ctx);
  futhark_free_f64_1d(ctx, result);
  futhark_free_f64_1d(ctx, at);
}

int main(int argc, char **argv) {
  int rank, processes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);

  /* Rows first .. first + n - 1; parts differ by one row at most, and may be empty. */
  int64_t first = (int64_t)ROWS * rank / processes;
  int64_t n = (int64_t)ROWS * (rank + 1) / processes - first;
  double *x = malloc(sizeof(double) * (size_t)(n * D + 1));
  double *y = malloc(sizeof(double) * (size_t)(n + 1));
  if (!x || !y) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int64_t i = 0; i < n; i++) y[i] = row(first + i, &x[i * D]);

  struct futhark_context_config *config = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(config);
  struct futhark_f64_2d *xs = futhark_new_f64_2d(ctx, x, n, D);
  struct futhark_f64_1d *ys = futhark_new_f64_1d(ctx, y, n);
  if (!xs || !ys) fail(ctx);

  double w[D] = {0}, part[D + 1], all[D + 1];
  for (int step = 0; step <= STEPS; step++) {
    value_and_gradient(ctx, xs, ys, w, part);
    MPI_Allreduce(part, all, D + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; step < STEPS && k < D; k++) w[k] -= 2.0 / ROWS * all[1 + k];
  }
  if (rank == 0) {
    printf("loss %.9f\nweights", all[0]);
    for (int k = 0; k < D; k++) printf(" %.9f", w[k]);
    printf("\n");
  }

  futhark_free_f64_2d(ctx, xs);
  futhark_free_f64_1d(ctx, ys);
  futhark_context_free(ctx);
  futhark_context_config_free(config);
  free(x);
  free(y);
  MPI_Finalize();
  return 0;
}
