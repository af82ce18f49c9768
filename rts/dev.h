// dev: a device with separate memory, and kernels that run there.
//
//   dz_launch(ctx, &kernel, n, threads, args, count)   iterations 0 .. n - 1 of a kernel
//   dz_to_read dz_to_write dz_undefined (ctx, p)       before the host uses the block that has p
//
// Every block of the pool may have memory on the device, which it keeps in the pool.  It is valid on
// the host (as blocks are made), on the device (a kernel has written it), or on both; nothing is
// copied but by need.  Blocks are found by any address inside of them, so it does not matter by
// which of several names a program has one.  Memory that no block has (arrays of a frame,
// constant data) goes there and back for one launch.
//
// The emulation below runs the threads of a kernel one after the other, group by group.
#ifndef DZ_DEV_H
#define DZ_DEV_H
#include "ctx.h"

enum { DZ_ON_HOST, DZ_ON_BOTH, DZ_ON_DEVICE };      // DzHeader.place
enum { DZ_ARG_VALUE, DZ_ARG_READ, DZ_ARG_WRITE };   // DzArg.kind
#define DZ_NO_FAILURE INT64_MAX
#define DZ_FAIL_SLOTS 64
#define DZ_FAIL_VALUES 10
#define DZ_FAIL_WORDS (2 + DZ_FAIL_VALUES)
#define DZ_FAIL_ALL (1 + DZ_FAIL_SLOTS * DZ_FAIL_WORDS)
#define DZ_GROUP 256  // threads

typedef struct DzThread {
  int64_t id, threads;
} DzThread;
// a[]: where the arguments are: the failures, n, an object and an offset for each memory, values.
typedef struct DzKernel {
  const char *name;
  void (*call)(const DzThread *self, void *const *a);
} DzKernel;
typedef struct DzArg {
  void *at;       // of the value; of memory on the host
  int64_t bytes;  // of memory that no block has; -1: a caller may have lent it
  int kind;
} DzArg;

// Memory that no block has, of a function that hands it to one that it calls.
typedef struct DzLent {
  void *at;
  int64_t bytes;
  const struct DzLent *outer;
} DzLent;

typedef struct DzDev {
  const DzLent *lent;  // the innermost; NULL: none
  DzHeader **blocks;  // by address, in the pool or in use
  int64_t count, room;
  int64_t launches, to_device, to_host;  // bytes
  int64_t *fail;
} DzDev;

// ---- the device's memory: of the emulation -----------------------------------------------------
DZ_FN void *dz_mem_new(DzDev *d, int64_t bytes) {
  (void)d;
  return malloc((size_t)bytes + 1);
}
DZ_FN void dz_mem_free(DzDev *d, void *mem) {
  (void)d;
  free(mem);
}
DZ_FN int dz_mem_put(DzDev *d, void *mem, const void *from, int64_t bytes) {
  memcpy(mem, from, (size_t)bytes);
  d->to_device += bytes;
  return 0;
}
DZ_FN int dz_mem_get(DzDev *d, void *to, const void *mem, int64_t bytes) {
  memcpy(to, mem, (size_t)bytes);
  d->to_host += bytes;
  return 0;
}

// ---- blocks ------------------------------------------------------------------------------------
// How many blocks begin at or before p.
DZ_FN int64_t dz_blocks_until(const DzDev *d, const void *p) {
  int64_t low = 0, high = d->count;
  while (low < high) {
    const int64_t mid = low + (high - low) / 2;
    if ((uintptr_t)d->blocks[mid] <= (uintptr_t)p) low = mid + 1;
    else high = mid;
  }
  return low;
}

DZ_FN bool dz_dev_block_made(DzCtx *c, DzHeader *h) {
  DzDev *d = c->dev;
  if (d->count == d->room) {
    const int64_t room = 2 * d->room + 64;
    DzHeader **more = (DzHeader **)realloc(d->blocks, (size_t)room * sizeof *more);
    if (more == NULL) return false;
    d->blocks = more;
    d->room = room;
  }
  const int64_t at = dz_blocks_until(d, h);
  memmove(d->blocks + at + 1, d->blocks + at, (size_t)(d->count - at) * sizeof *d->blocks);
  d->blocks[at] = h;
  d->count++;
  return true;
}

DZ_FN void dz_dev_block_dead(DzCtx *c, DzHeader *h) {
  DzDev *d = c->dev;
  const int64_t at = dz_blocks_until(d, h) - 1;
  if (h->dev != NULL) dz_mem_free(d, h->dev);
  if (at < 0 || d->blocks[at] != h) return;
  d->count--;
  memmove(d->blocks + at, d->blocks + at + 1, (size_t)(d->count - at) * sizeof *d->blocks);
}

// The block that has p, which may be its end; NULL: none.
DZ_FN DzHeader *dz_block_of(const DzDev *d, const void *p) {
  const int64_t n = dz_blocks_until(d, p);
  if (n == 0) return NULL;
  DzHeader *h = d->blocks[n - 1];
  const char *first = (const char *)h + 64;
  return (const char *)p >= first && (const char *)p <= first + h->bytes ? h : NULL;
}

DZ_COLD int dz_dev_error(DzCtx *c, int64_t bytes) {
  return dz_error(c, DZ_OUT_OF_MEMORY,
                  "out of memory: cannot allocate %" PRId64 " bytes on the device", bytes);
}

// ---- transfers ---------------------------------------------------------------------------------
DZ_FN int dz_to_host(DzCtx *c, DzHeader *h, int place) {
  int err = h->place == DZ_ON_DEVICE
                ? dz_mem_get(c->dev, (char *)h + 64, h->dev, h->bytes) : 0;
  if (h->place != DZ_ON_HOST) h->place = place;
  return err;
}
DZ_FN int dz_to_read(DzCtx *c, const void *p) {
  DzHeader *h = p != NULL ? dz_block_of(c->dev, p) : NULL;
  return h != NULL ? dz_to_host(c, h, DZ_ON_BOTH) : 0;
}
DZ_FN int dz_to_write(DzCtx *c, const void *p) {
  DzHeader *h = p != NULL ? dz_block_of(c->dev, p) : NULL;
  return h != NULL ? dz_to_host(c, h, DZ_ON_HOST) : 0;
}
// Kernels that write a block in part get the rest of it, whatever that is.
DZ_FN int dz_undefined(DzCtx *c, const void *p) {
  DzHeader *h = p != NULL ? dz_block_of(c->dev, p) : NULL;
  if (h != NULL && h->dev != NULL) h->place = DZ_ON_BOTH;
  return 0;
}

DZ_FN int dz_to_device(DzCtx *c, DzHeader *h) {
  if (h->dev == NULL && (h->dev = dz_mem_new(c->dev, h->bytes)) == NULL)
    return dz_dev_error(c, h->bytes);
  if (h->place != DZ_ON_HOST) return 0;
  h->place = DZ_ON_BOTH;
  return dz_mem_put(c->dev, h->dev, (char *)h + 64, h->bytes);
}

// ---- launches ----------------------------------------------------------------------------------
// What the kernel gets for memory.
typedef struct DzPlace {
  void *mem;
  int64_t offset;
  DzHeader *block;  // NULL: mem is for this launch
} DzPlace;

DZ_FN void dz_lend(DzCtx *c, DzLent *lent, int count) {
  for (int i = 0; i < count; i++) {
    lent[i].outer = c->dev->lent;
    c->dev->lent = &lent[i];
  }
}
// After the call, whose result is err.
DZ_FN int dz_lend_end(DzCtx *c, int count, int err) {
  for (int i = 0; i < count; i++) c->dev->lent = c->dev->lent->outer;
  return err;
}
// The whole of it is where p is in it; -1: memory that is not lent.
DZ_FN int64_t dz_lent_bytes(const DzDev *d, const void *p) {
  for (const DzLent *l = d->lent; l != NULL; l = l->outer)
    if (l->at == p) return l->bytes;
  return -1;
}

// Memory of one launch.
DZ_FN int dz_place_foreign(DzCtx *c, const DzArg *arg, DzPlace *p) {
  if (arg->bytes < 0 && arg->at != NULL)
    return dz_error(c, DZ_ERROR, "internal error: a kernel's memory has no known size");
  if ((p->mem = dz_mem_new(c->dev, arg->bytes)) == NULL) return dz_dev_error(c, arg->bytes);
  return arg->at != NULL ? dz_mem_put(c->dev, p->mem, arg->at, arg->bytes) : 0;
}

DZ_FN int dz_place(DzCtx *c, DzArg *arg, DzPlace *p) {
  DzHeader *h = arg->at != NULL ? dz_block_of(c->dev, arg->at) : NULL;
  if (h == NULL) {
    if (arg->bytes < 0) arg->bytes = arg->at != NULL ? dz_lent_bytes(c->dev, arg->at) : 0;
    return dz_place_foreign(c, arg, p);
  }
  int err = dz_to_device(c, h);
  *p = (DzPlace){h->dev, (char *)arg->at - ((char *)h + 64), h};
  return err;
}

// After the kernel.
DZ_FN int dz_place_end(DzCtx *c, const DzArg *arg, DzPlace *p, bool ran) {
  int err = 0;
  if (p->block != NULL) {
    if (ran && arg->kind == DZ_ARG_WRITE) p->block->place = DZ_ON_DEVICE;
    return 0;
  }
  if (ran && p->mem != NULL && arg->kind == DZ_ARG_WRITE && arg->at != NULL)
    err = dz_mem_get(c->dev, arg->at, p->mem, arg->bytes);
  if (p->mem != NULL) dz_mem_free(c->dev, p->mem);
  return err;
}

// The failure of the first iteration that failed.
DZ_COLD int dz_launch_failed(DzCtx *c, int64_t *fail) {
  const int64_t *f = fail + 1 + fail[0] % DZ_FAIL_SLOTS * DZ_FAIL_WORDS, *v = f + 2;
  fail[0] = DZ_NO_FAILURE;
  return dz_fail(c, (int)f[1], v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
}

// The emulation.
DZ_FN int dz_emulate(DzCtx *c, const DzKernel *k, int64_t threads, void *const *a) {
  const int64_t groups = (threads + DZ_GROUP - 1) / DZ_GROUP;
  c->dev->launches++;
  for (int64_t g = 0; g < groups; g++)
    for (int64_t t = 0; t < DZ_GROUP; t++) {
      const DzThread self = {g * DZ_GROUP + t, groups * DZ_GROUP};
      if (self.id < threads) k->call(&self, a);
    }
  return c->dev->fail[0] != DZ_NO_FAILURE ? dz_launch_failed(c, c->dev->fail) : 0;
}

DZ_FN int dz_launch(DzCtx *c, const DzKernel *k, int64_t n, int64_t threads, DzArg *args,
                    int count) {
  DzPlace places[count + 1];
  void *a[2 * count + 2];
  int err = 0, at = 2, i;
  if (n <= 0) return 0;
  a[0] = &c->dev->fail;
  a[1] = &n;
  memset(places, 0, sizeof places);
  for (i = 0; i < count && err == 0; i++) {
    if (args[i].kind == DZ_ARG_VALUE) {
      a[at++] = args[i].at;
      continue;
    }
    err = dz_place(c, &args[i], &places[i]);
    a[at++] = &places[i].mem;
    a[at++] = &places[i].offset;
  }
  const bool ran = err == 0;
  if (ran) err = dz_emulate(c, k, threads, a);
  for (int j = 0; j < i; j++) {
    int late = args[j].kind == DZ_ARG_VALUE ? 0 : dz_place_end(c, &args[j], &places[j], ran);
    if (err == 0) err = late;
  }
  return err;
}

// ---- the device --------------------------------------------------------------------------------
DZ_FN void dz_dev_end(DzCtx *c) {
  free(c->dev->blocks);
  free(c->dev->fail);
  free(c->dev);
  c->dev = NULL;
}

DZ_FN int dz_dev_open(DzCtx *c) {
  DzDev *d = (DzDev *)calloc(1, sizeof *d);
  if (d == NULL) return dz_out_of_memory(c, (int64_t)sizeof *d, -1);
  c->dev = d;
  c->dev_end = dz_dev_end;
  if ((d->fail = (int64_t *)calloc(DZ_FAIL_ALL, sizeof *d->fail)) == NULL)
    return dz_out_of_memory(c, (int64_t)DZ_FAIL_ALL * 8, -1);
  d->fail[0] = DZ_NO_FAILURE;
  c->block_made = dz_dev_block_made;
  c->block_dead = dz_dev_block_dead;
  return 0;
}
#endif
