// Calls by leaves from C (rts/leaf.h): who owns what, and blocks that come back late.
#include "shared.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct futhark_context *ctx;

static struct dagaz_leaf vector(double *data, int64_t n) {
  struct dagaz_leaf leaf = {.data = data, .shape = {n}};
  return leaf;
}

// Results share memory with neither inputs nor each other; consumed inputs stay as they are.
static void ownership(void) {
  double xs[] = {1, 2, 3};
  struct dagaz_leaf in = vector(xs, 3), out[2];
  assert(dagaz_call(ctx, 0, &in, out) == 0);  // twice: (xs, xs)
  double *a = out[0].data, *b = out[1].data;
  assert(a != xs && b != xs && a != b && a[2] == 3 && b[2] == 3 && out[0].shape[0] == 3);
  dagaz_block_free(ctx, out[0].block);
  dagaz_block_free(ctx, out[1].block);
  assert(dagaz_call(ctx, 1, &in, out) == 0);  // overwrite: xs with [0] = 7
  printf("%g, was %g\n", *(double *)out[0].data, xs[0]);
  dagaz_block_free(ctx, out[0].block);
}

static void failure(void) {
  double xs[] = {1};
  struct dagaz_leaf in[2] = {vector(xs, 1), {.bits = 5}}, out;
  assert(dagaz_call(ctx, 2, in, &out) == 2);  // at: xs[i]
  char *text = dagaz_context_error(ctx);
  printf("%s", text);
  free(text);
  assert(dagaz_call(ctx, 99, in, &out) == 1);
  text = dagaz_context_error(ctx);
  printf("%s", text);
  free(text);
}

static void *give_back(void *blocks) {
  for (int i = 0; i < 1000; i++) dagaz_block_free(ctx, ((void **)blocks)[i]);
  return NULL;
}

// Blocks are given back in another thread while calls go on; memory does not grow.
static void elsewhere(void) {
  double xs[64] = {0};
  static void *blocks[1000];
  struct dagaz_leaf in = vector(xs, 64), out;
  int64_t facts[5];
  for (int i = 0; i < 1000; i++) {
    assert(dagaz_call(ctx, 1, &in, &out) == 0);
    blocks[i] = out.block;
  }
  dagaz_context_report(ctx, facts);
  int64_t most = facts[1];
  pthread_t thread;
  assert(pthread_create(&thread, NULL, give_back, blocks) == 0);
  for (int i = 0; i < 1000; i++) {
    assert(dagaz_call(ctx, 1, &in, &out) == 0);
    dagaz_block_free(ctx, out.block);
  }
  pthread_join(thread, NULL);
  assert(dagaz_call(ctx, 1, &in, &out) == 0);
  dagaz_block_free(ctx, out.block);
  dagaz_context_report(ctx, facts);
  printf("in use: %d, peak grew: %d\n", (int)facts[0], facts[1] > most + 1024);
}

// An array that lends the caller's elements: nobody writes to it, freeing it frees the handle.
static void lent(struct futhark_context *c) {
  double xs[] = {1, 2, 3}, ys[3];
  struct futhark_f64_1d *a = dagaz_wrap_f64_1d(c, xs, 3), *b;
  assert(futhark_entry_overwrite(c, &b, a) == 0 && futhark_values_f64_1d(c, b, ys) == 0);
  printf("%g, was %g\n", ys[0], xs[0]);
  futhark_free_f64_1d(c, a);
  futhark_free_f64_1d(c, b);
}

int main(void) {
  ctx = dagaz_context_new(0);
  assert(dagaz_abi() == 1 && strstr(dagaz_manifest(), "\"overwrite\""));
  ownership();
  failure();
  elsewhere();
  lent(ctx);
  double xs[] = {4};
  struct dagaz_leaf in = vector(xs, 1), out;
  assert(dagaz_call(ctx, 1, &in, &out) == 0);
  futhark_context_free(ctx);
  printf("%g after the context\n", *(double *)out.data);
  dagaz_block_free(ctx, out.block);
  return 0;
}
