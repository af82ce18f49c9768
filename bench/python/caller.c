// The mixture's gradient from C, for bench/python/calls.py: caller OBJECT ENTRY DATA ROUNDS prints
// the nanoseconds of each round.  DATA: for each leaf its rank, its shape (8 numbers), then its bytes
// (a scalar's in 8); all as int64.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct leaf {
  void *data, *block;
  int64_t bits, shape[8];
};

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int read_leaf(FILE *file, struct leaf *leaf) {
  int64_t rank, bytes = 8;
  if (fread(&rank, sizeof rank, 1, file) != 1) return 0;
  if (fread(leaf->shape, sizeof leaf->shape, 1, file) != 1) exit(1);
  for (int64_t d = 0; d < rank; d++) bytes *= leaf->shape[d];
  leaf->data = rank > 0 ? malloc((size_t)bytes) : &leaf->bits;
  if (fread(leaf->data, 1, (size_t)bytes, file) != (size_t)bytes) exit(1);
  return 1;
}

int main(int argc, char **argv) {
  struct leaf in[16] = {{0}}, out[16] = {{0}};
  void *object = argc == 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
  FILE *file = object ? fopen(argv[3], "rb") : NULL;
  if (file == NULL) return 1;
  void *(*create)(int64_t) = (void *(*)(int64_t))dlsym(object, "dagaz_context_new");
  int (*call)(void *, int, const struct leaf *, struct leaf *) =
      (int (*)(void *, int, const struct leaf *, struct leaf *))dlsym(object, "dagaz_call");
  void (*release)(void *, void *) = (void (*)(void *, void *))dlsym(object, "dagaz_block_free");
  for (int n = 0; n < 16 && read_leaf(file, &in[n]);) n++;
  void *context = create(0);
  for (int i = 0; i < atoi(argv[4]); i++) {
    int64_t start = now();
    memset(out, 0, sizeof out);
    if (call(context, atoi(argv[2]), in, out) != 0) return 1;
    for (int k = 0; k < 16; k++)
      if (out[k].block) release(context, out[k].block);
    printf("%lld\n", (long long)(now() - start));
  }
  return 0;
}
