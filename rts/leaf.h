// leaf: calls of entry points by leaves, for callers that bring memory of their own (Python).
//
// Ownership.  Inputs are borrowed for the call and never written: what a program consumes is copied
// first.  Each array of the results is the caller's until dz_block_free, which any thread may call
// at any time, also during a call; it shares memory with no input, no other result and no constant.
// A context lives until its last block is back.  On failure there is nothing to free and the text
// is at dz_api_error.
#ifndef DZ_LEAF_H
#define DZ_LEAF_H
#include "object.h"
#include <pthread.h>

// One leaf of a value: a scalar in the low bytes of `bits`, or an array, row-major.
struct dagaz_leaf {
  void *data;        // first element; in: borrowed, aligned to the element
  void *block;       // out: whose memory it is, for dagaz_block_free
  int64_t bits;
  int64_t shape[8];  // DZ_RANK_MAX
};

// Room for an array of any rank: a leaf is one for the time of a call.
typedef struct DzBorrowed {
  _Alignas(16) char at[sizeof(DzArray) + sizeof(int64_t) * DZ_RANK_MAX];
} DzBorrowed;

typedef struct DzLeafCall {
  DzVal *in, *out;
  DzBorrowed *borrowed;  // one for each input
} DzLeafCall;

// ---- the lock of a context that threads share ------------------------------------------------
DZ_FN void dz_api_lock(DzCtx *c) {
  if (c->api_lock != NULL) pthread_mutex_lock((pthread_mutex_t *)c->api_lock);
}

// Takes a function's result along.
DZ_FN int dz_api_unlock(DzCtx *c, int result) {
  if (c->api_lock != NULL) pthread_mutex_unlock((pthread_mutex_t *)c->api_lock);
  return result;
}

DZ_FN DzCtx *dz_api_context(const DzProgram *program, const DzConfig *config) {
  pthread_mutex_t *lock = (pthread_mutex_t *)malloc(sizeof *lock);
  if (lock == NULL) return NULL;
  DzCtx *c = pthread_mutex_init(lock, NULL) == 0 ? dz_ctx_new(program, config) : NULL;
  if (c == NULL) free(lock);
  else c->api_lock = lock;
  return c;
}

// ---- blocks that come back from any thread -----------------------------------------------------
// Gives the returned blocks to the pool; under the lock.
DZ_FN void dz_returned_collect(DzCtx *c) {
  DzHeader *h = __atomic_exchange_n(&c->returned, (DzHeader *)NULL, __ATOMIC_ACQUIRE);
  while (h != NULL) {
    DzHeader *next = h->next;
    DzBlock b = {(char *)h + 64, h->bytes};
    dz_free(c, &b);
    h = next;
  }
}

DZ_FN void dz_context_retain(DzCtx *c) { __atomic_add_fetch(&c->owners, 1, __ATOMIC_RELAXED); }

DZ_FN void dz_api_context_free(DzCtx *c) {
  if (c == NULL || __atomic_sub_fetch(&c->owners, 1, __ATOMIC_ACQ_REL) >= 0) return;
  pthread_mutex_t *lock = (pthread_mutex_t *)c->api_lock;
  dz_returned_collect(c);
  dz_ctx_free(c);
  if (lock != NULL) pthread_mutex_destroy(lock);
  free(lock);
}

// Never waits: a context at work finds the block before its next call.
DZ_FN void dz_block_free(DzCtx *c, void *block) {
  if (block == NULL) return;
  DzHeader *h = (DzHeader *)(void *)((char *)block - 64);
  h->next = __atomic_load_n(&c->returned, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&c->returned, &h->next, h, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    continue;
  if (c->api_lock != NULL && pthread_mutex_trylock((pthread_mutex_t *)c->api_lock) == 0) {
    dz_returned_collect(c);
    pthread_mutex_unlock((pthread_mutex_t *)c->api_lock);
  }
  dz_api_context_free(c);
}

// ---- calls -------------------------------------------------------------------------------------
DZ_FN DzArray *dz_leaf_borrow(DzBorrowed *b, DzLeaf type, const struct dagaz_leaf *in) {
  static const int64_t nothing[8] = {0};  // where arrays without elements are
  DzArray *a = (DzArray *)(void *)b->at;
  a->mem = (DzBlock){NULL, 0};
  a->data = in->data != NULL ? (char *)in->data : (char *)(uintptr_t)nothing;
  a->prim = (int32_t)type.prim;
  a->rank = type.rank;
  memcpy(a->shape, in->shape, sizeof(int64_t) * (size_t)type.rank);
  return a;
}

DZ_FN int dz_leaf_inputs(DzCtx *c, const DzEntry *e, DzLeafCall *call,
                         const struct dagaz_leaf *in) {
  int n = 0;
  for (int i = 0; i < e->in_count; i++)
    for (int k = 0; k < e->in[i].type->leaf_count; k++, n++) {
      DzLeaf type = e->in[i].type->leaves[k];
      if (type.rank == 0) {
        dz_scalar_load(&call->in[n], type.prim, (const char *)&in[n].bits);
        continue;
      }
      if (dz_shape_count(type.rank, in[n].shape, dz_prim_sizes[type.prim]) < 0)
        return dz_error(c, DZ_ERROR, "argument %d has an impossible shape", i);
      call->in[n].array = dz_leaf_borrow(&call->borrowed[n], type, &in[n]);
    }
  return 0;
}

// One array of the result is handed over.
DZ_FN void dz_leaf_give(DzCtx *c, struct dagaz_leaf *out, DzArray *a) {
  out->data = a->data;
  out->block = a->mem.at;
  memcpy(out->shape, a->shape, sizeof(int64_t) * (size_t)a->rank);
  if (a->mem.at != NULL) dz_context_retain(c);
  free(a);
}

DZ_FN int dz_leaf_results(DzCtx *c, const DzType *t, DzVal *vals, struct dagaz_leaf *out) {
  int err = 0;
  for (int i = 0; i < t->leaf_count && err == 0; i++)
    if (t->leaves[i].rank > 0) err = dz_array_own(c, vals[i].array);
  for (int i = 0; i < t->leaf_count; i++) {
    out[i].data = out[i].block = NULL;
    out[i].bits = 0;
    if (t->leaves[i].rank == 0) memcpy(&out[i].bits, &vals[i], dz_prim_sizes[t->leaves[i].prim]);
    else if (err == 0) dz_leaf_give(c, &out[i], vals[i].array);
    else dz_array_free(c, vals[i].array);
  }
  return err;
}

DZ_FN int dz_leaf_run(DzCtx *c, const DzEntry *e, DzLeafCall *call, const struct dagaz_leaf *in,
                      struct dagaz_leaf *out) {
  dz_returned_collect(c);
  int err = dz_leaf_inputs(c, e, call, in);
  if (err != 0) return err;
  err = dz_entry_run(c, e, call->out, call->in);
  __atomic_store_n(&c->stop, 0, __ATOMIC_RELAXED);
  c->done = c->todo = 0;
  return err != 0 ? err : dz_leaf_results(c, e->out.type, call->out, out);
}

// Entry points of more leaves than fit on the stack.
DZ_FN int dz_leaf_run_large(DzCtx *c, const DzEntry *e, const struct dagaz_leaf *in,
                            struct dagaz_leaf *out) {
  size_t n = (size_t)dz_entry_leaves(e) + 1, m = (size_t)e->out.type->leaf_count + 1;
  DzLeafCall call;
  call.in = (DzVal *)calloc(n, sizeof *call.in);
  call.out = (DzVal *)calloc(m, sizeof *call.out);
  call.borrowed = (DzBorrowed *)calloc(n, sizeof(DzBorrowed));
  int err = call.in == NULL || call.out == NULL || call.borrowed == NULL
                ? dz_out_of_memory(c, (int64_t)((n + m) * sizeof(DzBorrowed)), -1)
                : dz_leaf_run(c, e, &call, in, out);
  free(call.in);
  free(call.out);
  free(call.borrowed);
  return err;
}

#define DZ_STACK_LEAVES 32
DZ_FN int dz_leaf_call(DzCtx *c, int entry, const struct dagaz_leaf *in, struct dagaz_leaf *out) {
  dz_api_lock(c);
  if (entry < 0 || entry >= c->program->entry_count)
    return dz_api_unlock(c, dz_error(c, DZ_ERROR, "there is no entry point number %d", entry));
  const DzEntry *e = &c->program->entries[entry];
  if (dz_entry_leaves(e) > DZ_STACK_LEAVES || e->out.type->leaf_count > DZ_STACK_LEAVES)
    return dz_api_unlock(c, dz_leaf_run_large(c, e, in, out));
  DzVal vals[DZ_STACK_LEAVES], results[DZ_STACK_LEAVES];
  DzBorrowed borrowed[DZ_STACK_LEAVES];
  memset(results, 0, sizeof *results * (size_t)e->out.type->leaf_count);
  DzLeafCall call = {vals, results, borrowed};
  return dz_api_unlock(c, dz_leaf_run(c, e, &call, in, out));
}

// ---- contexts ----------------------------------------------------------------------------------
DZ_FN DzCtx *dz_leaf_context(const DzProgram *program, int64_t memory_limit) {
  DzConfig config = {.mem_limit = memory_limit};
  return dz_api_context(program, &config);
}

DZ_FN char *dz_api_error(DzCtx *c) {
  dz_api_lock(c);
  char *text = dz_error_take(c);
  dz_api_unlock(c, 0);
  return text;
}

DZ_FN int dz_api_clear(DzCtx *c) {
  dz_api_lock(c);
  dz_returned_collect(c);
  dz_clear_caches(c);
  return dz_api_unlock(c, 0);
}

// From any thread: the call that runs ends with DZ_STOPPED, if the program was made to ask.
DZ_FN void dz_context_stop(DzCtx *c) { __atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED); }

// From any thread, also during a call: how many iterations of the outermost loop are done, of how
// many (0 of 0: nothing is known), and the bytes in use.
DZ_FN void dz_context_progress(DzCtx *c, int64_t out[3]) {
  out[0] = __atomic_load_n(&c->done, __ATOMIC_RELAXED);
  out[1] = __atomic_load_n(&c->todo, __ATOMIC_RELAXED);
  out[2] = __atomic_load_n(&c->mem_now, __ATOMIC_RELAXED);
}

// 0: tuned; else there is no such parameter.
DZ_FN int dz_leaf_tune(DzCtx *c, const char *name, int64_t value) {
  for (int i = 0; i < c->program->tuning_count; i++)
    if (strcmp(c->program->tuning[i].name, name) == 0) {
      c->tuning[i] = value;
      return 0;
    }
  return DZ_ERROR;
}

// Bytes in use, their peak, bytes kept for reuse, calls, nanoseconds.
DZ_FN void dz_leaf_report(DzCtx *c, int64_t out[5]) {
  dz_api_lock(c);
  const int64_t facts[5] = {c->mem_now, c->mem_peak, c->mem_held, c->calls, c->run_ns};
  memcpy(out, facts, sizeof facts);
  dz_api_unlock(c, 0);
}
#endif
