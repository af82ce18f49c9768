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
// A table, DzDevOps, has the operations of a device: the emulation (dev_host.h), OpenCL
// (dev_opencl.h), CUDA (dev_cuda.h).
#ifndef DZ_DEV_H
#define DZ_DEV_H
#include <dlfcn.h>
#include <unistd.h>
#include "ctx.h"
#include "fail.h"

// Libraries that are opened when a program runs.
#define DZ_LIBRARY_OPEN(name) dlopen(name, RTLD_NOW)
#define DZ_LIBRARY_FIND(library, name) dlsym(library, name)

// Functions of a library, for pointers in a struct.
typedef struct DzSymbol {
  size_t at;  // in the struct
  const char *name;
} DzSymbol;
// False: one is not there.
DZ_FN bool dz_symbols(void *to, void *library, const DzSymbol *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *found = DZ_LIBRARY_FIND(library, rows[i].name);
    if (found == NULL) return false;
    memcpy((char *)to + rows[i].at, &found, sizeof found);
  }
  return true;
}

enum { DZ_ON_HOST, DZ_ON_BOTH, DZ_ON_DEVICE };      // DzHeader.place
enum { DZ_ARG_VALUE, DZ_ARG_READ, DZ_ARG_WRITE };   // DzArg.kind
// The failure (fail.h), then a lock.
#define DZ_NO_FAILURE INT64_MAX
#define DZ_GROUP 256  // threads at most: programs count on multiples of it
// Iterations of an inner loop that are worth a group; a program counts on hundreds of them.
#define DZ_SPREAD_FROM 64
#define DZ_SPREAD_NEVER ((int64_t)1 << 40)

// Of a kernel of groups: id and threads are of groups, lane and size of the thread in its group.
typedef struct DzThread {
  int64_t id, threads, lane, size;
  double *scratch;
  void *fibers;  // of the group
} DzThread;
// a[]: where the arguments are: the failure, n, an object and an offset for each memory, values.
typedef struct DzKernel {
  const char *name, *function, *where;  // equal kernels are one function
  int number;    // of the function, in the program
  int64_t site;  // the first place where it may fail; -1: it cannot
  bool groups;   // a group of threads for each iteration: so many groups are started
  void (*call)(const DzThread *self, void *const *a);  // of the emulation
} DzKernel;
// For devices whose drivers compile kernels, when the first of a text is needed.
typedef struct DzKernelTexts {
  const char *const *const *lines;  // of each text, up to NULL
  const int *text_of;               // by number of the function
  int texts, functions;
} DzKernelTexts;
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

// Arguments of a launch, in the order of DzKernel.call.
typedef struct DzPassed {
  const void *at;
  size_t bytes;
} DzPassed;

// Results of int: 0, or the code of the error that is noted in the context.
typedef struct DzDevOps {
  void *(*mem_new)(struct DzDev *d, int64_t bytes);  // NULL: out of memory
  void (*mem_free)(struct DzDev *d, void *mem);
  int (*put)(DzCtx *c, void *mem, const void *from, int64_t bytes);
  int (*get)(DzCtx *c, void *to, void *mem, int64_t bytes);
  int (*launch)(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *a, int count);
  int (*ready)(DzCtx *c, const DzKernel *k);  // compiled
  // Until kernels have ended; *ns: how long the last one ran, where the device says; ns may be NULL.
  int (*wait)(DzCtx *c, int64_t *ns);
  void (*end)(struct DzDev *d);
} DzDevOps;

typedef struct DzDev {
  const DzDevOps *ops;
  void *own;           // of the table
  pid_t pid;           // of the process that opened it; 0: any may use it
  const DzLent *lent;  // the innermost; NULL: none
  int64_t spread;      // DZ_SPREAD_FROM, but of processors
  DzHeader **blocks;  // by address, in the pool or in use
  int64_t count, room;
  int64_t launches, to_device, to_host;  // bytes
  void *fail;          // memory there: DZ_FAIL_WORDS and the lock
} DzDev;

// ---- what a report says ------------------------------------------------------------------------
// The event of that name; NULL: no memory for it.
DZ_FN DzEvent *dz_event(DzCtx *c, const char *name, const char *where) {
  DzEvent **at = &c->events;
  while (*at != NULL && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  if (*at == NULL && (*at = (DzEvent *)calloc(1, sizeof **at)) != NULL) {
    (*at)->name = name;
    (*at)->where = where != NULL ? where : "unknown";
  }
  return *at;
}
DZ_FN void dz_event_add(DzCtx *c, const char *name, const char *where, int64_t ns, int64_t bytes) {
  DzEvent *e = c->profiling ? dz_event(c, name, where) : NULL;
  if (e == NULL) return;
  const int64_t now = c->timeline != NULL ? dz_now() : 0;
  if (c->timeline != NULL)
    dz_bar_add(c->timeline, (DzBar){name, e->where, DZ_BAR_DEVICE, now - ns, now, bytes});
  e->runs++;
  e->ns += ns;
  e->bytes += bytes;
}
// Once more since `start`.
DZ_FN void dz_event_end(DzCtx *c, const char *name, const char *where, int64_t start,
                        int64_t bytes) {
  dz_event_add(c, name, where, dz_now() - start, bytes);
}

// ---- the process -------------------------------------------------------------------------------
// A driver's threads and handles are not in a child of the process: a call would wait for ever.
DZ_FN bool dz_dev_is_here(const DzDev *d) { return d->pid == 0 || d->pid == getpid(); }
DZ_FN int dz_dev_here(DzCtx *c) {
  if (dz_dev_is_here(c->dev)) return 0;
  return dz_error(c, DZ_ERROR, "the device was opened before fork, and cannot be used in the child:\n"
                               "fork first, then make a context");
}

// ---- the device's memory -----------------------------------------------------------------------
DZ_FN int dz_mem_put(DzCtx *c, void *mem, const void *from, int64_t bytes) {
  const int64_t start = dz_now();
  int err = dz_dev_here(c);
  if (err == 0 && bytes > 0) err = c->dev->ops->put(c, mem, from, bytes);
  c->dev->to_device += bytes;
  dz_event_end(c, "copy_host_to_dev", NULL, start, bytes);
  return err;
}
DZ_FN int dz_mem_get(DzCtx *c, void *to, void *mem, int64_t bytes) {
  const int64_t start = dz_now();
  int err = dz_dev_here(c);
  if (err == 0 && bytes > 0) err = c->dev->ops->get(c, to, mem, bytes);
  c->dev->to_host += bytes;
  dz_event_end(c, "copy_dev_to_host", NULL, start, bytes);
  return err;
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
  if (h->dev != NULL && dz_dev_is_here(d)) d->ops->mem_free(d, h->dev);
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
                ? dz_mem_get(c, (char *)h + 64, h->dev, h->bytes) : 0;
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
  if (h != NULL) h->place = DZ_ON_BOTH;
  return 0;
}

DZ_FN int dz_to_device(DzCtx *c, DzHeader *h) {
  if (h->dev == NULL && (h->dev = c->dev->ops->mem_new(c->dev, h->bytes)) == NULL)
    return dz_dev_error(c, h->bytes);
  if (h->place != DZ_ON_HOST) return 0;
  h->place = DZ_ON_BOTH;
  return dz_mem_put(c, h->dev, (char *)h + 64, h->bytes);
}

// ---- launches ----------------------------------------------------------------------------------
// What the kernel gets for memory.
typedef struct DzPlace {
  void *mem;
  int64_t offset;
  DzHeader *block;  // NULL: mem is for this launch
  bool shared;      // with an argument before
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
// The memory that p is in, or at the end of; NULL: none that is lent.
DZ_FN const DzLent *dz_lent_of(const DzDev *d, const void *p) {
  const DzLent *at_end = NULL;
  for (const DzLent *l = d->lent; l != NULL; l = l->outer) {
    const uintptr_t from = (uintptr_t)p - (uintptr_t)l->at;  // large where p is before it
    if (from < (uintptr_t)l->bytes) return l;
    if (from == (uintptr_t)l->bytes) at_end = l;
  }
  return at_end;
}

// The argument becomes the lent block that it points into; *offset: the bytes before that place.
DZ_FN void dz_borrow(const DzDev *d, DzArg *arg, int64_t *offset) {
  const DzLent *l = dz_lent_of(d, arg->at);
  if (l == NULL) return;
  *offset = (char *)arg->at - (char *)l->at;
  arg->at = l->at;
  arg->bytes = l->bytes;
}

// Memory of one launch.
// An argument before this one that is the same memory; -1: none.
DZ_FN int dz_place_before(const DzArg *args, const DzPlace *places, int i) {
  for (int j = 0; j < i; j++)
    if (args[j].kind != DZ_ARG_VALUE && args[j].at == args[i].at && places[j].block == NULL) return j;
  return -1;
}

DZ_FN int dz_place_foreign(DzCtx *c, const DzArg *arg, DzPlace *p) {
  if (arg->bytes < 0 && arg->at != NULL)
    return dz_error(c, DZ_ERROR, "internal error: a kernel's memory has no known size");
  if ((p->mem = c->dev->ops->mem_new(c->dev, arg->bytes)) == NULL) return dz_dev_error(c, arg->bytes);
  return arg->at != NULL ? dz_mem_put(c, p->mem, arg->at, arg->bytes) : 0;
}

DZ_FN int dz_place(DzCtx *c, DzArg *args, DzPlace *places, int i) {
  DzArg *arg = &args[i];
  DzPlace *p = &places[i];
  DzHeader *h = arg->at != NULL ? dz_block_of(c->dev, arg->at) : NULL;
  if (h == NULL) {
    if (arg->at == NULL) arg->bytes = 0;
    if (arg->bytes < 0) dz_borrow(c->dev, arg, &p->offset);
    const int before = arg->at != NULL ? dz_place_before(args, places, i) : -1;
    if (before >= 0) {
      p->mem = places[before].mem;
      p->shared = true;
      if (arg->kind == DZ_ARG_WRITE) args[before].kind = DZ_ARG_WRITE;
      return 0;
    }
    return dz_place_foreign(c, arg, p);
  }
  int err = dz_to_device(c, h);
  *p = (DzPlace){h->dev, (char *)arg->at - ((char *)h + 64), h, false};
  return err;
}

// After the kernel.
DZ_FN int dz_place_end(DzCtx *c, const DzArg *arg, DzPlace *p, bool ran) {
  int err = 0;
  if (p->shared) return 0;
  if (p->block != NULL) {
    if (ran && arg->kind == DZ_ARG_WRITE) p->block->place = DZ_ON_DEVICE;
    return 0;
  }
  if (ran && p->mem != NULL && arg->kind == DZ_ARG_WRITE && arg->at != NULL)
    err = dz_mem_get(c, arg->at, p->mem, arg->bytes);
  if (p->mem != NULL) c->dev->ops->mem_free(c->dev, p->mem);
  return err;
}

// No failure.
DZ_FN int dz_fail_none(DzCtx *c) {
  const int64_t none[DZ_FAIL_WORDS + 1] = {DZ_NO_FAILURE};
  return dz_mem_put(c, c->dev->fail, none, (int64_t)sizeof none);
}

// After a kernel: the failure of the first iteration that failed.
DZ_FN int dz_launch_end(DzCtx *c, const DzKernel *k) {
  int64_t f[DZ_FAIL_WORDS], *const v = f + 2;
  int err = dz_mem_get(c, f, c->dev->fail, (int64_t)sizeof f);
  if (err != 0 || f[0] == DZ_NO_FAILURE) return err;
  err = dz_fail_none(c);
  if (err != 0) return err;
  return dz_fail(c, (int)(k->site + f[1]), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8],
                 v[9]);
}

// Where the time is measured: of the kernel alone, until it has ended.
DZ_FN int dz_launch_timed(DzCtx *c, const DzKernel *k, int64_t threads, const DzPassed *a,
                          int count) {
  int err = c->profiling ? c->dev->ops->ready(c, k) : 0;
  const int64_t start = dz_now();
  int64_t ns = -1;
  if (err == 0) err = c->dev->ops->launch(c, k, threads, a, count);
  if (err == 0 && c->profiling) err = c->dev->ops->wait(c, &ns);
  dz_event_add(c, k->name, k->where, ns >= 0 ? ns : dz_now() - start, 0);
  return err;
}

DZ_FN int dz_launch(DzCtx *c, const DzKernel *k, int64_t n, int64_t threads, DzArg *args,
                    int count) {
  DzPlace places[count + 1];
  DzPassed a[2 * count + 2];
  int err = dz_dev_here(c), at = 2, i;
  if (n <= 0 || err != 0) return err;
  a[0] = (DzPassed){&c->dev->fail, sizeof c->dev->fail};
  a[1] = (DzPassed){&n, sizeof n};
  memset(places, 0, sizeof places);
  for (i = 0; i < count && err == 0; i++) {
    if (args[i].kind == DZ_ARG_VALUE) {
      a[at++] = (DzPassed){args[i].at, (size_t)args[i].bytes};
      continue;
    }
    err = dz_place(c, args, places, i);
    a[at++] = (DzPassed){&places[i].mem, sizeof places[i].mem};
    a[at++] = (DzPassed){&places[i].offset, sizeof places[i].offset};
  }
  const bool ran = err == 0;
  c->dev->launches += ran;
  if (ran) err = dz_launch_timed(c, k, threads, a, at);
  if (ran && err == 0 && k->site >= 0) err = dz_launch_end(c, k);
  for (int j = 0; j < i; j++) {
    int late = args[j].kind == DZ_ARG_VALUE ? 0 : dz_place_end(c, &args[j], &places[j], ran);
    if (err == 0) err = late;
  }
  return err;
}

// Threads in a group: a divisor of DZ_GROUP, by default_group_size of the tuning.
DZ_FN int64_t dz_group_size(const DzCtx *c) {
  const int64_t most = dz_own_tuned(c, DZ_GROUP);
  int64_t group = DZ_GROUP;
  while (group > 32 && group > most) group /= 2;
  return group;
}

// DZ_SPREAD is of tests.
DZ_FN int64_t dz_spread(const DzCtx *c) {
#ifdef DZ_SPREAD
  (void)c;
  return DZ_SPREAD;
#else
  return c->dev->spread;
#endif
}

DZ_FN int64_t dz_groups(const DzKernel *k, int64_t threads, int64_t group) {
  return k->groups ? threads : (threads + group - 1) / group;
}

// ---- the device --------------------------------------------------------------------------------
DZ_FN void dz_dev_end(DzCtx *c) {
  DzDev *d = c->dev;
  if (d->fail != NULL && dz_dev_is_here(d)) d->ops->mem_free(d, d->fail);
  if (dz_dev_is_here(d)) d->ops->end(d);
  for (DzEvent *e = c->events, *next; e != NULL; e = next) next = e->next, free(e);
  c->events = NULL;
  free(d->blocks);
  free(d);
  c->dev = NULL;
}

DZ_FN int dz_dev_wait(DzCtx *c) {
  const int err = dz_dev_here(c);
  return err != 0 ? err : c->dev->ops->wait(c, NULL);
}

// The device is there; `own` is its table's, NULL: of no driver.
DZ_FN int dz_dev_begin(DzCtx *c, const DzDevOps *ops, void *own) {
  DzDev *d = (DzDev *)calloc(1, sizeof *d);
  if (d == NULL) return dz_out_of_memory(c, (int64_t)sizeof *d, -1);
  d->ops = ops;
  d->own = own;
  d->pid = own != NULL ? getpid() : 0;
  d->spread = DZ_SPREAD_FROM;
  c->dev = d;
  c->dev_end = dz_dev_end;
  c->dev_wait = dz_dev_wait;
  d->fail = ops->mem_new(d, (DZ_FAIL_WORDS + 1) * 8);
  if (d->fail == NULL) return dz_dev_error(c, (DZ_FAIL_WORDS + 1) * 8);
  c->block_made = dz_dev_block_made;
  c->block_dead = dz_dev_block_dead;
  return dz_fail_none(c);
}
#endif
