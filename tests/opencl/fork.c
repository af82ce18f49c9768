// A context of a device after fork: the child gets an error instead of waiting; the parent goes on.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "twice_library.h"

static int run(struct futhark_context *c, const char *who) {
  double xs[] = {1, 2}, ys[2] = {0};
  struct futhark_f64_1d *in = futhark_new_f64_1d(c, xs, 2), *out = NULL;
  int err = futhark_entry_main(c, &out, in);
  if (err == 0) err = futhark_values_f64_1d(c, out, ys) || futhark_context_sync(c);
  char *why = err ? futhark_context_get_error(c) : NULL;
  printf("%s: %s%g %g\n", who, why ? why : "", ys[0], ys[1]);
  free(why);
  if (in) futhark_free_f64_1d(c, in);
  if (out) futhark_free_f64_1d(c, out);
  return err;
}

static void child(struct futhark_context *c) {
  alarm(60);
  run(c, "child");
  futhark_context_free(c);
  fflush(stdout);
  _exit(0);
}

int main(void) {
  int status = 0;
  struct futhark_context_config *config = futhark_context_config_new();
  struct futhark_context *c = futhark_context_new(config);
  run(c, "before");
  fflush(stdout);
  if (fork() == 0) child(c);
  wait(&status);
  run(c, "after");
  futhark_context_free(c);
  futhark_context_config_free(config);
  return status != 0;
}
