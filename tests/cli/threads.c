// threads THREADS ROUNDS [own]: all threads use one context, or each its own; every result is
// compared with what it must be.
#include "threads.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };
static struct futhark_context_config *config;
static struct futhark_context *shared;
static int rounds;

typedef struct {
  pthread_t thread;
  int number, wrong;
} Worker;

static int gradient_wrong(struct futhark_context *ctx, int n, double from) {
  static _Thread_local double in[MOST], out[MOST];
  struct futhark_f64_1d *a, *g = NULL;
  int wrong = 0;
  for (int i = 0; i < n; i++) in[i] = from + i;
  a = futhark_new_f64_1d(ctx, in, n);
  if (!a || futhark_entry_gradient(ctx, &g, a) != 0 || futhark_values_f64_1d(ctx, g, out) != 0 ||
      futhark_context_sync(ctx) != 0 || futhark_shape_f64_1d(ctx, g)[0] != n)
    return 1;
  for (int i = 0; i < n; i++) {
    double x = in[i], want = 2 * x * sin(x) + x * x * cos(x);
    wrong += !(fabs(out[i] - want) <= 1e-9 * (1 + x * x));
  }
  futhark_free_f64_1d(ctx, a);
  futhark_free_f64_1d(ctx, g);
  return wrong;
}

static int failure_wrong(struct futhark_context *ctx) {
  double in[3] = {1, 2, 3}, out;
  struct futhark_f64_1d *a = futhark_new_f64_1d(ctx, in, 3);
  int wrong = futhark_entry_at(ctx, &out, a, 3) == 0;  // the text may have been fetched meanwhile
  char *text = futhark_context_get_error(ctx);
  wrong += text && !strstr(text, "out of bounds");
  free(text);
  wrong += futhark_entry_at(ctx, &out, a, 1) != 0 || out != 2;
  futhark_free_f64_1d(ctx, a);
  return wrong;
}

static int record_wrong(struct futhark_context *ctx, int n) {
  struct futhark_opaque_point *p = NULL, *q = NULL;
  double x = 0;
  void *bytes = NULL;
  size_t size = 0;
  int wrong = futhark_new_opaque_point(ctx, &p, n, 0.5) != 0 || futhark_entry_mirror(ctx, &q, p) != 0;
  futhark_free_opaque_point(ctx, p);
  wrong += futhark_store_opaque_point(ctx, q, &bytes, &size) != 0;
  futhark_free_opaque_point(ctx, q);
  p = futhark_restore_opaque_point(ctx, bytes);
  wrong += !p || futhark_project_opaque_point_x(ctx, &x, p) != 0 || x != -0.5;
  futhark_free_opaque_point(ctx, p);
  free(bytes);
  free(futhark_context_report(ctx));
  return wrong;
}

static void *work(void *state) {
  Worker *w = state;
  struct futhark_context *ctx = shared ? shared : futhark_context_new(config);
  for (int i = 0; i < rounds; i++) {
    w->wrong += gradient_wrong(ctx, 1 + (i * 37 + w->number * 101) % MOST, w->number) != 0;
    w->wrong += failure_wrong(ctx) != 0;
    w->wrong += record_wrong(ctx, i) != 0;
    if (i % 16 == 15) futhark_context_clear_caches(ctx);
  }
  if (!shared) futhark_context_free(ctx);
  return NULL;
}

int main(int argc, char **argv) {
  Worker workers[64] = {0};
  int n = argc > 1 ? atoi(argv[1]) : 1, wrong = 0;
  rounds = argc > 2 ? atoi(argv[2]) : 1;
  config = futhark_context_config_new();
  if (argc < 4) shared = futhark_context_new(config);
  for (int i = 0; i < n && i < 64; i++) {
    workers[i].number = i;
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (int i = 0; i < n && i < 64; i++) {
    pthread_join(workers[i].thread, NULL);
    wrong += workers[i].wrong;
  }
  if (shared) futhark_context_free(shared);
  futhark_context_config_free(config);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
