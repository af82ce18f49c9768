// The handler through which XLA calls compiled programs; built when a process first compiles such
// a call, against the header that jaxlib brings along (_xla.py).
//
//   dagaz_xla_enter   makes an entry point known under a key
//   dagaz_xla_call    the handler: its attribute `entry` is a key
//
// XLA calls from several threads.  A call takes a context from the free ones of its program, or
// makes one, and gives it back: two threads never share one.  Results are copied, since the memory
// of results is XLA's.
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "xla/ffi/api/c_api.h"

enum { RANK_MAX = 8, TEXT_MAX = 512 };

// Of a leaf the type, and in an array the number of sizes.
typedef struct {
  int32_t type, bytes, rank;
} Spec;

// As in rts/leaf.h.
typedef struct {
  void *data, *block;
  int64_t bits, shape[RANK_MAX];
} Leaf;

typedef struct {
  void *(*context_new)(int64_t);
  void (*context_release)(void *);
  char *(*context_error)(void *);
  int (*call)(void *, int, const Leaf *, Leaf *);
  void (*block_free)(void *, void *);
} Functions;

typedef struct Entry {
  struct Entry *next;
  char *key;
  Functions f;
  int64_t memory_limit;
  int number, inputs, outputs;
  Spec *specs;  // inputs, then outputs
  void **idle;
  int free, room;
} Entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Entry *entries;  // under the lock; never taken away

// ---- entry points ------------------------------------------------------------------------------
static bool functions_load(Functions *f, void *object) {
  void **at[] = {(void **)&f->context_new, (void **)&f->context_release, (void **)&f->context_error,
                 (void **)&f->call, (void **)&f->block_free};
  static const char *const names[] = {"dagaz_context_new", "dagaz_context_release",
                                      "dagaz_context_error", "dagaz_call", "dagaz_block_free"};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    if (!(*at[i] = dlsym(object, names[i]))) return false;
  return true;
}

static Entry *entry_new(const char *key, const char *path, const Spec *specs, int leaves) {
  Entry *e = calloc(1, sizeof *e);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  size_t bytes = (size_t)leaves * sizeof *specs;
  if (!e || !object || !functions_load(&e->f, object) || !(e->key = strdup(key)) ||
      !(e->specs = malloc(bytes + 1))) {
    if (e) free(e->key);
    free(e);
    return NULL;
  }
  memcpy(e->specs, specs, bytes);
  return e;
}

// Makes the entry point `number` of the object at `path` known; 0, or 1 if that fails.
int dagaz_xla_enter(const char *key, const char *path, int64_t memory_limit, int number,
                    const Spec *specs, int inputs, int outputs) {
  Entry *e = entry_new(key, path, specs, inputs + outputs);
  if (!e) return 1;
  e->memory_limit = memory_limit;
  e->number = number;
  e->inputs = inputs;
  e->outputs = outputs;
  pthread_mutex_lock(&lock);
  e->next = entries;
  entries = e;
  pthread_mutex_unlock(&lock);
  return 0;
}

static Entry *entry_named(const char *key, size_t length) {
  pthread_mutex_lock(&lock);
  Entry *e = entries;
  while (e && (strlen(e->key) != length || memcmp(e->key, key, length) != 0)) e = e->next;
  pthread_mutex_unlock(&lock);
  return e;
}

// ---- contexts ----------------------------------------------------------------------------------
static void *context_take(Entry *e) {
  pthread_mutex_lock(&lock);
  void *context = e->free > 0 ? e->idle[--e->free] : NULL;
  pthread_mutex_unlock(&lock);
  return context ? context : e->f.context_new(e->memory_limit);
}

static void context_give(Entry *e, void *context) {
  pthread_mutex_lock(&lock);
  if (e->free == e->room) {
    int room = e->room ? 2 * e->room : 4;
    void **idle = realloc(e->idle, (size_t)room * sizeof *idle);
    if (idle) e->idle = idle, e->room = room;
  }
  bool kept = e->free < e->room;
  if (kept) e->idle[e->free++] = context;
  pthread_mutex_unlock(&lock);
  if (!kept) e->f.context_release(context);
}

// ---- a call ------------------------------------------------------------------------------------
static XLA_FFI_Error *failure(XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code, const char *text) {
  XLA_FFI_Error_Create_Args args = {.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE,
                                    .message = text,
                                    .errc = code};
  return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error *misfit(XLA_FFI_CallFrame *frame, const char *what, int64_t number) {
  char text[TEXT_MAX];
  snprintf(text, sizeof text, "dagaz: %s %lld does not fit the program", what, (long long)number);
  return failure(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, text);
}

static bool buffer_fits(const XLA_FFI_Buffer *b, const Spec *s) {
  return (int32_t)b->dtype == s->type && b->rank == s->rank;
}

static XLA_FFI_Error *arguments(XLA_FFI_CallFrame *frame, const Entry *e, Leaf *in) {
  if (frame->args.size != e->inputs || frame->rets.size != e->outputs)
    return misfit(frame, "the number of arguments", frame->args.size);
  for (int i = 0; i < e->inputs; i++) {
    const XLA_FFI_Buffer *b = frame->args.args[i];
    if (!buffer_fits(b, &e->specs[i])) return misfit(frame, "argument", i);
    in[i] = (Leaf){.data = b->data};
    if (b->rank == 0) memcpy(&in[i].bits, b->data, (size_t)e->specs[i].bytes);
    for (int64_t d = 0; d < b->rank; d++) in[i].shape[d] = b->dims[d];
  }
  return NULL;
}

static bool result_copy(const XLA_FFI_Buffer *b, const Spec *s, const Leaf *out) {
  size_t bytes = (size_t)s->bytes;
  if (!buffer_fits(b, s)) return false;
  for (int d = 0; d < s->rank; d++) {
    if (b->dims[d] != out->shape[d]) return false;
    bytes *= (size_t)b->dims[d];
  }
  if (bytes > 0) memcpy(b->data, s->rank == 0 ? (const void *)&out->bits : out->data, bytes);
  return true;
}

static XLA_FFI_Error *results(XLA_FFI_CallFrame *frame, const Entry *e, void *context, Leaf *out) {
  int64_t bad = -1;
  for (int i = 0; i < e->outputs; i++) {
    const Spec *s = &e->specs[e->inputs + i];
    if (!result_copy(frame->rets.rets[i], s, &out[i]) && bad < 0) bad = i;
    if (s->rank > 0 && out[i].block) e->f.block_free(context, out[i].block);
  }
  return bad < 0 ? NULL : misfit(frame, "the shape of result", bad);
}

static XLA_FFI_Error *said(XLA_FFI_CallFrame *frame, const Entry *e, void *context) {
  char *text = e->f.context_error(context);
  XLA_FFI_Error *error =
      failure(frame, XLA_FFI_Error_Code_INTERNAL, text ? text : "dagaz: the call failed");
  free(text);
  return error;
}

// A context that could not be made well holds its error and is not kept.
static XLA_FFI_Error *context_fresh_error(XLA_FFI_CallFrame *frame, Entry *e, void *context) {
  if (!context) return failure(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "dagaz: out of memory");
  char *text = e->f.context_error(context);
  XLA_FFI_Error *error = text ? failure(frame, XLA_FFI_Error_Code_INTERNAL, text) : NULL;
  if (text) e->f.context_release(context);
  free(text);
  return error;
}

static XLA_FFI_Error *entry_run(XLA_FFI_CallFrame *frame, Entry *e, Leaf *leaves) {
  Leaf *out = leaves + e->inputs;
  XLA_FFI_Error *error = arguments(frame, e, leaves);
  if (error) return error;
  void *context = context_take(e);
  error = context_fresh_error(frame, e, context);
  if (error) return error;
  int code = e->f.call(context, e->number, leaves, out);
  error = code == 0 ? results(frame, e, context, out) : said(frame, e, context);
  context_give(e, context);
  return error;
}

static const XLA_FFI_ByteSpan *attribute(const XLA_FFI_Attrs *attrs, const char *name) {
  size_t length = strlen(name);
  for (int64_t i = 0; i < attrs->size; i++) {
    const XLA_FFI_ByteSpan *at = attrs->names[i];
    if (attrs->types[i] == XLA_FFI_AttrType_STRING && at->len == length &&
        memcmp(at->ptr, name, length) == 0)
      return attrs->attrs[i];
  }
  return NULL;
}

// XLA asks a handler which version of the interface it was built for.
static bool metadata_answer(XLA_FFI_CallFrame *frame) {
  XLA_FFI_Extension_Base *at = frame->extension_start;
  if (!at || at->type != XLA_FFI_Extension_Metadata) return false;
  XLA_FFI_Metadata *facts = ((XLA_FFI_Metadata_Extension *)at)->metadata;
  facts->api_version.major_version = XLA_FFI_API_MAJOR;
  facts->api_version.minor_version = XLA_FFI_API_MINOR;
  return true;
}

XLA_FFI_Error *dagaz_xla_call(XLA_FFI_CallFrame *frame) {
  if (metadata_answer(frame)) return NULL;
  const XLA_FFI_ByteSpan *key = attribute(&frame->attrs, "entry");
  Entry *e = key ? entry_named(key->ptr, key->len) : NULL;
  if (!e)
    return failure(frame, XLA_FFI_Error_Code_FAILED_PRECONDITION,
                   "dagaz: this process has not loaded the program of a compiled call; call "
                   "jax.clear_caches() or trace the function again");
  Leaf *leaves = calloc((size_t)(e->inputs + e->outputs) + 1, sizeof *leaves);
  if (!leaves) return failure(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "dagaz: out of memory");
  XLA_FFI_Error *error = entry_run(frame, e, leaves);
  free(leaves);
  return error;
}
