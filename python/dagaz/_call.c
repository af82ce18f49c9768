// The call of a compiled program by leaves (rts/leaf.h), in Python's limited interface.
//
//   Library(path, memory_limit, threads, tuning)  a shared object with its free contexts
//   Library.plan(entry, inputs, outputs)          an entry point, what its leaves are (struct Spec)
//   Plan.call(*leaves)                            one leaf, or a tuple of them
//
// A call takes a context from the free ones, or makes one, and gives it back: two threads never share
// one.  Arguments that are not exactly as the program wants them raise Mismatch, and nothing has
// happened: _values.py converts them, or says what is wrong.
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANK_MAX = 8, STACK_LEAVES = 16, STOPPED = 4 };
enum Prim { I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, BOOL };
static const int prim_bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
static const char *const prim_format[] = {"b", "h", "i", "l", "B", "H", "I", "L",
                                          "e", "f", "d", "?"};

// A leaf's type.  Sizes: a constant, UNKNOWN, or -2 - k, the k-th name.  Of a scalar the first says
// which name it is the value of.
typedef struct {
  int32_t prim, rank;
  int64_t dims[RANK_MAX];
} Spec;
enum { UNKNOWN = -1, SIZES_MAX = 64 };

typedef struct {
  void *data, *block;
  int64_t bits, shape[RANK_MAX];
} Leaf;

typedef struct {
  void *(*context_new)(int64_t);
  void (*context_release)(void *);
  void (*context_stop)(void *);
  char *(*context_error)(void *);
  int (*context_clear)(void *);
  int (*context_tune)(void *, const char *, int64_t);
  void (*context_threads)(void *, int);
  void (*context_report)(void *, int64_t *);
  void (*context_progress)(void *, int64_t *);
  int (*call)(void *, int, const Leaf *, Leaf *);
  void (*block_free)(void *, void *);
  const char *(*manifest)(void);
} Functions;

// What the module looks up once.
static PyObject *mismatch, *call_failed, *asarray, *ndarray, *scalar_types[BOOL + 1];
static PyTypeObject *block_type, *plan_type;
static unsigned long main_thread;

// ---- results: memory that the program made -----------------------------------------------------
typedef struct {
  PyObject_HEAD
  void (*free)(void *, void *);
  void *context, *block, *data;
  int prim, rank;
  Py_ssize_t bytes, shape[RANK_MAX], strides[RANK_MAX];
} Block;

static void block_dealloc(PyObject *self) {
  Block *b = (Block *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (b->block) b->free(b->context, b->block);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int block_getbuffer(PyObject *self, Py_buffer *view, int flags) {
  Block *b = (Block *)self;
  (void)flags;
  view->buf = b->data;
  view->obj = Py_NewRef(self);
  view->len = b->bytes;
  view->itemsize = prim_bytes[b->prim];
  view->readonly = 0;
  view->ndim = b->rank;
  view->format = (char *)(uintptr_t)prim_format[b->prim];
  view->shape = b->shape;
  view->strides = b->strides;
  view->suboffsets = NULL;
  view->internal = NULL;
  return 0;
}

static PyObject *array_result(const Functions *f, void *context, const Spec *spec, Leaf *leaf) {
  Block *b = (Block *)PyType_GenericAlloc(block_type, 0);
  if (!b) {
    f->block_free(context, leaf->block);
    return NULL;
  }
  b->free = f->block_free;
  b->context = context;
  b->block = leaf->block;
  b->data = leaf->data;
  b->prim = spec->prim;
  b->rank = spec->rank;
  b->bytes = prim_bytes[spec->prim];
  for (int d = spec->rank - 1; d >= 0; d--) {
    b->shape[d] = (Py_ssize_t)leaf->shape[d];
    b->strides[d] = b->bytes;
    b->bytes *= b->shape[d];
  }
  PyObject *array = PyObject_CallFunctionObjArgs(asarray, (PyObject *)b, NULL);
  Py_DECREF(b);
  return array;
}

static double half_value(uint16_t h) {
  int exponent = h >> 10 & 31, fraction = h & 1023;
  double x = exponent ? 1 + fraction / 1024.0 : fraction / 1024.0;
  for (int i = exponent ? exponent : 1; i < 15; i++) x *= 0.5;
  for (int i = 15; i < exponent; i++) x *= 2;
  if (exponent == 31) x = fraction ? Py_NAN : Py_HUGE_VAL;
  return h >> 15 ? -x : x;
}

static PyObject *scalar_result(int prim, const int64_t *bits) {
  PyObject *number = NULL, *result;
  double x = 0;
  float f;
  switch (prim) {
    case I8: number = PyLong_FromLong(*(const int8_t *)(const void *)bits); break;
    case I16: number = PyLong_FromLong(*(const int16_t *)(const void *)bits); break;
    case I32: number = PyLong_FromLong(*(const int32_t *)(const void *)bits); break;
    case I64: number = PyLong_FromLongLong(*bits); break;
    case U8: number = PyLong_FromLong(*(const uint8_t *)(const void *)bits); break;
    case U16: number = PyLong_FromLong(*(const uint16_t *)(const void *)bits); break;
    case U32: number = PyLong_FromUnsignedLong(*(const uint32_t *)(const void *)bits); break;
    case U64: number = PyLong_FromUnsignedLongLong((uint64_t)*bits); break;
    case BOOL: number = PyBool_FromLong(*(const uint8_t *)(const void *)bits); break;
    case F16: x = half_value(*(const uint16_t *)(const void *)bits); break;
    case F32: memcpy(&f, bits, sizeof f), x = f; break;
    case F64: memcpy(&x, bits, sizeof x); break;
  }
  if (!number && prim >= F16 && prim <= F64) number = PyFloat_FromDouble(x);
  if (!number) return NULL;
  result = PyObject_CallFunctionObjArgs(scalar_types[prim], number, NULL);
  Py_DECREF(number);
  return result;
}

// ---- arguments ---------------------------------------------------------------------------------
static int misfit(Py_ssize_t i) {
  PyObject *number = PyLong_FromSsize_t(i);
  PyErr_Clear();
  if (number) PyErr_SetObject(mismatch, number);
  Py_XDECREF(number);
  return -1;
}

static bool format_fits(int prim, const char *format, Py_ssize_t itemsize) {
  if (!format) format = "B";
  if (*format == '@' || *format == '=' || (*format == '<' && PY_LITTLE_ENDIAN)) format++;
  if (!*format || format[1] || itemsize != prim_bytes[prim]) return false;
  if (prim == BOOL) return *format == '?';
  if (prim >= F16) return *format == *prim_format[prim];
  return strchr(prim <= I64 ? "bhilqn" : "BHILQN", *format) != NULL;
}

static bool in_range(int prim, int64_t i) {
  switch (prim) {
    case I8: return i == (int8_t)i;
    case I16: return i == (int16_t)i;
    case I32: return i == (int32_t)i;
    case U8: return i == (uint8_t)i;
    case U16: return i == (uint16_t)i;
    case U32: return i == (uint32_t)i;
    default: return true;
  }
}

// Python's own numbers; the rest is for _values.py.
static int scalar_argument(int prim, PyObject *x, int64_t *bits) {
  if (prim == F64 || prim == F32) {
    if (!PyFloat_Check(x)) return -1;
    double d = PyFloat_AsDouble(x);
    float f = (float)d;
    if (prim == F32 && Py_IS_INFINITY(f) && !Py_IS_INFINITY(d)) return -1;
    if (prim == F64) memcpy(bits, &d, sizeof d);
    else memcpy(bits, &f, sizeof f);
    return 0;
  }
  if (prim == BOOL) {
    if (x != Py_True && x != Py_False) return -1;
    *bits = x == Py_True;
    return 0;
  }
  if (prim == F16) {  // _values.py has rounded
    if (!PyBytes_Check(x) || PyBytes_Size(x) != 2) return -1;
    memcpy(bits, PyBytes_AsString(x), 2);
    return 0;
  }
  if (!PyLong_Check(x)) return -1;
  if (prim == U64) {
    *bits = (int64_t)PyLong_AsUnsignedLongLong(x);
    return PyErr_Occurred() ? -1 : 0;
  }
  int overflow;
  *bits = PyLong_AsLongLongAndOverflow(x, &overflow);
  return overflow || !in_range(prim, *bits) ? -1 : 0;
}

// Sizes of one name are one size.
static int size_fits(int64_t code, int64_t size, int64_t *sizes) {
  if (code >= 0) return size == code;
  if (code == UNKNOWN) return 1;
  int64_t *known = &sizes[-2 - code];
  if (*known < 0) *known = size;
  return *known == size;
}

static int array_argument(const Spec *spec, PyObject *x, Leaf *leaf, Py_buffer *view,
                          int64_t *sizes) {
  // Exactly arrays: a subclass may mean something else by its elements (masks).
  if ((PyObject *)Py_TYPE(x) != ndarray) return -1;
  if (PyObject_GetBuffer(x, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    view->obj = NULL;
    return -1;
  }
  bool fits = view->ndim == spec->rank && format_fits(spec->prim, view->format, view->itemsize) &&
              (uintptr_t)view->buf % (uintptr_t)prim_bytes[spec->prim] == 0;
  for (int d = 0; d < spec->rank && fits; d++) {
    leaf->shape[d] = view->shape[d];
    fits = size_fits(spec->dims[d], leaf->shape[d], sizes);
  }
  leaf->data = view->buf;
  return fits ? 0 : -1;
}

// ---- libraries ---------------------------------------------------------------------------------
typedef struct {
  PyObject_HEAD
  Functions f;
  int64_t memory_limit;
  int threads;       // of a context, for all cores; 0: all processors
  PyObject *tuning;  // a tuple of (name, value)
  void **all;        // every context that was made
  void **idle;
  int made, free, room;
} Library;

static int functions_load(Functions *f, void *handle) {
  void **at[] = {(void **)&f->context_new, (void **)&f->context_release, (void **)&f->context_stop,
                 (void **)&f->context_error, (void **)&f->context_clear, (void **)&f->context_tune,
                 (void **)&f->context_threads, (void **)&f->context_report,
                 (void **)&f->context_progress, (void **)&f->call, (void **)&f->block_free,
                 (void **)&f->manifest};
  static const char *const names[] = {"context_new", "context_release", "context_stop",
                                      "context_error", "context_clear", "context_tune",
                                      "context_threads", "context_report", "context_progress",
                                      "call", "block_free", "manifest"};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    char name[64];
    snprintf(name, sizeof name, "dagaz_%s", names[i]);
    *at[i] = dlsym(handle, name);
    if (!*at[i]) {
      PyErr_Format(PyExc_OSError, "not an object of dagaz c --shared: it has no %s", name);
      return -1;
    }
  }
  return 0;
}

// The object stays loaded to the end of the process: arrays and functions of it may live on.
static PyObject *library_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  const char *path;
  long long limit;
  int threads;
  PyObject *tuning;
  if (kwargs && PyDict_Size(kwargs)) return PyErr_Format(PyExc_TypeError, "no keywords");
  if (!PyArg_ParseTuple(args, "sLiO!", &path, &limit, &threads, &PyTuple_Type, &tuning))
    return NULL;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return PyErr_Format(PyExc_OSError, "%s", dlerror());
  Library *lib = (Library *)PyType_GenericAlloc(type, 0);
  if (!lib) return NULL;
  lib->memory_limit = limit;
  lib->threads = threads;
  lib->tuning = Py_NewRef(tuning);
  if (functions_load(&lib->f, handle) != 0) {
    Py_DECREF(lib);
    return NULL;
  }
  return (PyObject *)lib;
}

static void library_dealloc(PyObject *self) {
  Library *lib = (Library *)self;
  PyTypeObject *type = Py_TYPE(self);
  for (int i = 0; i < lib->made; i++) lib->f.context_release(lib->all[i]);
  PyMem_Free(lib->all);
  PyMem_Free(lib->idle);
  Py_XDECREF(lib->tuning);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int library_grow(Library *lib) {
  int room = lib->room ? 2 * lib->room : 4;
  void **all = PyMem_Realloc(lib->all, (size_t)room * sizeof *all);
  if (all) lib->all = all;
  void **idle = all ? PyMem_Realloc(lib->idle, (size_t)room * sizeof *idle) : NULL;
  if (!idle) {
    PyErr_NoMemory();
    return -1;
  }
  lib->idle = idle;
  lib->room = room;
  return 0;
}

static int failed(const Functions *f, void *context, int code) {
  char *text = f->context_error(context);
  bool raised = code == STOPPED && PyErr_CheckSignals() != 0;  // KeyboardInterrupt, as a rule
  PyObject *value = raised ? NULL : Py_BuildValue("(is)", code, text ? text : "");
  free(text);
  if (value) PyErr_SetObject(call_failed, value);
  Py_XDECREF(value);
  return -1;
}

static int context_tune(Library *lib, void *context) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(lib->tuning); i++) {
    const char *name;
    long long value;
    if (!PyArg_ParseTuple(PyTuple_GetItem(lib->tuning, i), "sL", &name, &value)) return -1;
    if (lib->f.context_tune(context, name, value) != 0) {
      PyObject *text = PyUnicode_FromFormat("tuning: the program has no parameter %s", name);
      PyObject *said = text ? Py_BuildValue("(iN)", 1, text) : NULL;
      if (said) PyErr_SetObject(call_failed, said);
      Py_XDECREF(said);
      return -1;
    }
  }
  return 0;
}

static void *context_make(Library *lib) {
  if (lib->made == lib->room && library_grow(lib) != 0) return NULL;
  void *context = lib->f.context_new(lib->memory_limit);
  if (!context) return PyErr_NoMemory();
  lib->f.context_threads(context, lib->threads);
  char *error = lib->f.context_error(context);
  if (error || context_tune(lib, context) != 0) {
    PyObject *value = error ? Py_BuildValue("(is)", 2, error) : NULL;
    if (value) PyErr_SetObject(call_failed, value);
    Py_XDECREF(value);
    free(error);
    lib->f.context_release(context);
    return NULL;
  }
  return lib->all[lib->made++] = context;
}

static void *context_take(Library *lib) {
  return lib->free > 0 ? lib->idle[--lib->free] : context_make(lib);
}

static PyObject *library_manifest(PyObject *self, PyObject *none) {
  (void)none;
  return PyUnicode_FromString(((Library *)self)->f.manifest());
}

// Bytes in use, their peak, bytes held for reuse, calls, nanoseconds, contexts: of all together.
// Contexts at work are left out.
static PyObject *library_report(PyObject *self, PyObject *none) {
  Library *lib = (Library *)self;
  int64_t sum[5] = {0};
  (void)none;
  for (int i = 0; i < lib->free; i++) {
    int64_t of[5];
    lib->f.context_report(lib->idle[i], of);
    for (int k = 0; k < 5; k++) sum[k] += of[k];
  }
  return Py_BuildValue("(LLLLLi)", sum[0], sum[1], sum[2], sum[3], sum[4], lib->made);
}

// Of the newest context that is at work.
static PyObject *library_progress(PyObject *self, PyObject *none) {
  Library *lib = (Library *)self;
  int64_t out[3] = {0, 0, 0};
  (void)none;
  for (int i = lib->made - 1; i >= 0; i--) {
    bool idle = false;
    for (int k = 0; k < lib->free; k++) idle = idle || lib->idle[k] == lib->all[i];
    if (idle) continue;
    lib->f.context_progress(lib->all[i], out);
    break;
  }
  return Py_BuildValue("(LLL)", out[0], out[1], out[2]);
}

static PyObject *library_clear(PyObject *self, PyObject *none) {
  Library *lib = (Library *)self;
  (void)none;
  for (int i = 0; i < lib->free; i++) lib->f.context_clear(lib->idle[i]);
  Py_RETURN_NONE;
}

// ---- plans -------------------------------------------------------------------------------------
typedef struct {
  PyObject_HEAD
  PyObject *library;
  int entry, inputs, outputs;
  int64_t last_ns;  // how long the last call took; 0: none yet
  Spec *specs;      // inputs, then outputs
} Plan;

static Library *library_of(const Plan *p) { return (Library *)p->library; }

static PyObject *library_plan(PyObject *self, PyObject *args) {
  int entry;
  const char *in, *out;
  Py_ssize_t in_bytes, out_bytes;
  if (!PyArg_ParseTuple(args, "iy#y#", &entry, &in, &in_bytes, &out, &out_bytes)) return NULL;
  Plan *p = (Plan *)PyType_GenericAlloc(plan_type, 0);
  if (!p) return NULL;
  p->specs = PyMem_Malloc((size_t)(in_bytes + out_bytes) + 1);
  if (!p->specs) {
    Py_DECREF(p);
    return PyErr_NoMemory();
  }
  memcpy(p->specs, in, (size_t)in_bytes);
  memcpy((char *)p->specs + in_bytes, out, (size_t)out_bytes);
  p->entry = entry;
  p->inputs = (int)((size_t)in_bytes / sizeof(Spec));
  p->outputs = (int)((size_t)out_bytes / sizeof(Spec));
  p->library = Py_NewRef(self);
  return (PyObject *)p;
}

static void plan_dealloc(PyObject *self) {
  Plan *p = (Plan *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyMem_Free(p->specs);
  Py_XDECREF(p->library);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int arguments(const Plan *p, PyObject *const *args, Leaf *in, Py_buffer *views) {
  int64_t sizes[SIZES_MAX];
  memset(sizes, -1, sizeof sizes);
  for (int i = 0; i < p->inputs; i++) {
    const Spec *spec = &p->specs[i];
    int bad = spec->rank > 0 ? array_argument(spec, args[i], &in[i], &views[i], sizes)
                             : scalar_argument(spec->prim, args[i], &in[i].bits);
    if (!bad && spec->rank == 0 && spec->dims[0] < UNKNOWN)
      bad = !size_fits(spec->dims[0], in[i].bits, sizes);
    if (bad) return misfit(i);
  }
  return 0;
}

static PyObject *results(const Plan *p, void *context, Leaf *out) {
  const Spec *specs = p->specs + p->inputs;
  PyObject *all = p->outputs == 1 ? NULL : PyTuple_New(p->outputs), *one = NULL;
  bool good = p->outputs == 1 || all;
  for (int i = 0; i < p->outputs; i++) {
    if (!good) {
      if (out[i].block) library_of(p)->f.block_free(context, out[i].block);
      continue;
    }
    one = specs[i].rank > 0 ? array_result(&library_of(p)->f, context, &specs[i], &out[i])
                            : scalar_result(specs[i].prim, &out[i].bits);
    good = one && (!all || PyTuple_SetItem(all, i, one) == 0);
  }
  if (good) return all ? all : one;
  Py_XDECREF(all);
  return NULL;
}

// ---- interrupts: Ctrl-C in the main thread ends the call ----------------------------------------
static void *volatile interrupted_context;
static void (*volatile interrupted_stop)(void *);
static struct sigaction python_action;

static void on_interrupt(int number, siginfo_t *info, void *machine) {
  void *context = interrupted_context;
  if (context) interrupted_stop(context);
  if (python_action.sa_flags & SA_SIGINFO) python_action.sa_sigaction(number, info, machine);
  else if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN)
    python_action.sa_handler(number);
}

// False: not the main thread, or a call so short that nobody would notice.
static bool interrupts_begin(const Plan *p, void *context) {
  enum { SHORT_NS = 200000 };
  if (p->last_ns > 0 && p->last_ns < SHORT_NS) return false;
  if (PyThread_get_thread_ident() != main_thread || interrupted_context) return false;
  struct sigaction ours = {0};
  if (sigaction(SIGINT, NULL, &python_action) != 0 || python_action.sa_handler == SIG_DFL ||
      python_action.sa_handler == SIG_IGN)
    return false;
  interrupted_stop = library_of(p)->f.context_stop;
  interrupted_context = context;
  ours.sa_sigaction = on_interrupt;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  return sigaction(SIGINT, &ours, NULL) == 0;
}

static void interrupts_end(void) {
  sigaction(SIGINT, &python_action, NULL);
  interrupted_context = NULL;
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int plan_run(Plan *p, void *context, const Leaf *in, Leaf *out) {
  bool watching = interrupts_begin(p, context);
  int64_t start = now_ns();
  PyThreadState *state = PyEval_SaveThread();
  int code = library_of(p)->f.call(context, p->entry, in, out);
  PyEval_RestoreThread(state);
  p->last_ns = now_ns() - start;
  if (watching) interrupts_end();
  return code;
}

static PyObject *call_with(Plan *p, PyObject *const *args, Leaf *leaves, Py_buffer *views) {
  Leaf *out = leaves + p->inputs;
  PyObject *result = NULL;
  void *context = NULL;
  if (arguments(p, args, leaves, views) == 0) context = context_take(library_of(p));
  if (context) {
    int code = plan_run(p, context, leaves, out);
    if (code == 0) result = results(p, context, out);
    else failed(&library_of(p)->f, context, code);
    Library *lib = library_of(p);
    lib->idle[lib->free++] = context;
  }
  for (int i = 0; i < p->inputs; i++)
    if (views[i].obj) PyBuffer_Release(&views[i]);
  return result;
}

static PyObject *plan_call(PyObject *self, PyObject *const *args, Py_ssize_t n) {
  Plan *p = (Plan *)self;
  if (n != p->inputs)
    return PyErr_Format(PyExc_TypeError, "%d leaves wanted, %zd given", p->inputs, n);
  int leaves = p->inputs + p->outputs;
  if (leaves <= STACK_LEAVES) {
    Leaf at[STACK_LEAVES];
    Py_buffer views[STACK_LEAVES];
    for (int i = 0; i < p->inputs; i++) views[i].obj = NULL;
    return call_with(p, args, at, views);
  }
  Leaf *at = PyMem_Calloc((size_t)leaves, sizeof *at);
  Py_buffer *views = PyMem_Calloc((size_t)leaves, sizeof *views);
  PyObject *result = at && views ? call_with(p, args, at, views) : PyErr_NoMemory();
  PyMem_Free(at);
  PyMem_Free(views);
  return result;
}

// ---- the module --------------------------------------------------------------------------------
static PyType_Slot block_slots[] = {{Py_tp_dealloc, block_dealloc},
                                    {Py_bf_getbuffer, block_getbuffer},
                                    {0, NULL}};
static PyType_Spec block_spec = {"dagaz._call.Block", sizeof(Block), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 block_slots};

static PyMethodDef library_methods[] = {
    {"manifest", library_manifest, METH_NOARGS, "The program's description, JSON."},
    {"plan", library_plan, METH_VARARGS, "An entry point, to be called."},
    {"report", library_report, METH_NOARGS, "Bytes, calls and time of all idle contexts."},
    {"progress", library_progress, METH_NOARGS, "The call at work: done, of how many, bytes in use."},
    {"clear", library_clear, METH_NOARGS, "Gives memory held for reuse back to the system."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot library_slots[] = {{Py_tp_new, library_new},
                                      {Py_tp_dealloc, library_dealloc},
                                      {Py_tp_methods, library_methods},
                                      {0, NULL}};
static PyType_Spec library_spec = {"dagaz._call.Library", sizeof(Library), 0, Py_TPFLAGS_DEFAULT,
                                   library_slots};

static PyMethodDef plan_methods[] = {
    {"call", (PyCFunction)(void (*)(void))plan_call, METH_FASTCALL, "Calls with leaves."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot plan_slots[] = {{Py_tp_dealloc, plan_dealloc},
                                   {Py_tp_methods, plan_methods},
                                   {0, NULL}};
static PyType_Spec plan_spec = {"dagaz._call.Plan", sizeof(Plan), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, plan_slots};

static int numpy_load(void) {
  static const char *const names[] = {"int8", "int16", "int32", "int64", "uint8", "uint16",
                                      "uint32", "uint64", "float16", "float32", "float64", "bool_"};
  PyObject *numpy = PyImport_ImportModule("numpy");
  if (!numpy) return -1;
  asarray = PyObject_GetAttrString(numpy, "asarray");
  ndarray = PyObject_GetAttrString(numpy, "ndarray");
  bool good = asarray && ndarray;
  for (int i = 0; i <= BOOL && good; i++)
    good = (scalar_types[i] = PyObject_GetAttrString(numpy, names[i])) != NULL;
  Py_DECREF(numpy);
  return good ? 0 : -1;
}

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "dagaz._call",
                                    "Calls of compiled programs.", -1, NULL, NULL, NULL, NULL,
                                    NULL};

PyMODINIT_FUNC PyInit__call(void) {
  PyObject *m = PyModule_Create(&module);
  if (!m || numpy_load() != 0) return NULL;
  main_thread = PyThread_get_thread_ident();
  mismatch = PyErr_NewException("dagaz._call.Mismatch", NULL, NULL);
  call_failed = PyErr_NewException("dagaz._call.CallFailed", NULL, NULL);
  block_type = (PyTypeObject *)PyType_FromSpec(&block_spec);
  plan_type = (PyTypeObject *)PyType_FromSpec(&plan_spec);
  PyObject *library = PyType_FromSpec(&library_spec);
  if (!mismatch || !call_failed || !block_type || !plan_type || !library) return NULL;
  if (PyModule_AddObjectRef(m, "Mismatch", mismatch) != 0 ||
      PyModule_AddObjectRef(m, "CallFailed", call_failed) != 0 ||
      PyModule_AddObjectRef(m, "Library", library) != 0 ||
      PyModule_AddObjectRef(m, "Plan", (PyObject *)plan_type) != 0)
    return NULL;
  return m;
}
