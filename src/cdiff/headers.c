// Names that the headers of derivatives declare: <stdlib.h>, <math.h>, <string.h>, <stdio.h>.  A
// file that does not include them may have such names itself.
//   static function, static variable    another name in the printed text, y1_own
//   local, parameter                    the same, where a macro is named so or the function called
//   what other files link with          refused, unless the declarations agree
#include "sweep.h"

// Functions of one and two numbers; each is there for float (sinf) and long double (sinl), too.
static const char *const of_one[] = {
  "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "erf",
  "erfc", "exp", "exp2", "expm1", "fabs", "floor", "gamma", "j0", "j1", "lgamma", "log",
  "log10", "log1p", "log2", "logb", "nearbyint", "rint", "round", "sin", "sinh", "sqrt", "tan",
  "tanh", "tgamma", "trunc", "y0", "y1",
};
static const char *const of_two[] = {
  "atan2", "copysign", "drem", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow",
  "remainder", "scalb",
};
static const char *const families[] = {
  "finite", "fma", "frexp", "ilogb", "isinf", "isnan", "jn", "ldexp", "llrint", "llround",
  "lrint", "lround", "modf", "nan", "nexttoward", "remquo", "scalbln", "scalbn", "significand",
  "yn",
};
static const char *const functions[] = {
  "a64l", "abort", "abs", "aligned_alloc", "at_quick_exit", "atexit", "atof", "atoi", "atol",
  "atoll", "bcmp", "bcopy", "bsearch", "bzero", "calloc", "clearenv", "ctermid", "div",
  "dprintf", "drand48", "ecvt", "erand48", "exit", "explicit_bzero", "fclose", "fcvt", "fdopen",
  "ffs", "ffsl", "ffsll", "fgets", "fopen", "fputs", "fread", "free", "fwrite", "gcvt", "getc",
  "getchar", "getdelim", "getenv", "getline", "getloadavg", "gets", "getsubopt", "getw",
  "index", "initstate", "jrand48", "l64a", "labs", "lcong48", "ldiv", "llabs", "lldiv",
  "lrand48", "malloc", "mblen", "mbstowcs", "mbtowc", "memccpy", "memchr", "memcmp", "memcpy",
  "memmove", "memset", "mktemp", "mrand48", "nrand48", "on_exit", "pclose", "perror", "popen",
  "posix_memalign", "printf", "pselect", "putc", "putchar", "putenv", "puts", "putw", "qsort",
  "quick_exit", "rand", "random", "realloc", "reallocarray", "realpath", "remove", "rename",
  "renameat", "rewind", "rindex", "rpmatch", "scanf", "seed48", "select", "setbuf", "setenv",
  "setstate", "srand", "srand48", "srandom", "stpcpy", "stpncpy", "strcasecmp", "strcat",
  "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror", "strlen",
  "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr",
  "strsep", "strsignal", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold",
  "strtoll", "strtoul", "strtoull", "system", "tempnam", "tmpfile", "tmpnam", "ungetc",
  "unsetenv", "valloc", "wcstombs", "wctomb",
};
static const char *const macros[] = {
  "BIG_ENDIAN", "BYTE_ORDER", "EXIT_FAILURE", "EXIT_SUCCESS", "FP_ILOGB0", "FP_ILOGBNAN",
  "FP_INFINITE", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO", "HUGE_VAL", "HUGE_VALF",
  "HUGE_VALL", "INFINITY", "LITTLE_ENDIAN", "MATH_ERREXCEPT", "MATH_ERRNO", "MB_CUR_MAX",
  "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_E", "M_LN10", "M_LN2", "M_LOG10E", "M_LOG2E", "M_PI",
  "M_PI_2", "M_PI_4", "M_SQRT1_2", "M_SQRT2", "NAN", "NFDBITS", "NULL", "PDP_ENDIAN",
  "RAND_MAX", "alloca", "fpclassify", "isfinite", "isgreater", "isgreaterequal", "isinf",
  "isless", "islessequal", "islessgreater", "isnan", "isnormal", "isunordered", "linux",
  "signbit", "unix",
};

static bool among(const char *const *list, int n, const char *name, size_t len) {
  for (int i = 0; i < n; i++)
    if (strlen(list[i]) == len && strncmp(list[i], name, len) == 0) return true;
  return false;
}
#define AMONG(list, name, len) among(list, COUNT_OF(list), name, len)

static bool in_family(const char *name, size_t len, int *numbers) {
  *numbers = AMONG(of_one, name, len) ? 1 : AMONG(of_two, name, len) ? 2 : 0;
  return *numbers || AMONG(families, name, len);
}

static bool is_macro(const char *name) { return AMONG(macros, name, strlen(name)); }

static bool is_declared(const char *name) {
  size_t len = strlen(name);
  int numbers;
  bool other = len > 1 && (name[len - 1] == 'f' || name[len - 1] == 'l');
  return AMONG(functions, name, len) || is_macro(name) || in_family(name, len, &numbers) ||
         (other && in_family(name, len - 1, &numbers));
}

// double f(double), float ff(float): as the header has it.
static bool agrees(const CFunction *f) {
  size_t len = strlen(f->name);
  int numbers = 0;
  bool whole = in_family(f->name, len, &numbers);
  if (!whole && f->name[len - 1] == 'f') in_family(f->name, len - 1, &numbers);
  const CType *t = whole ? &ctype_double : &ctype_float;
  bool same = numbers == f->params.len && ctype_same(f->type->base, t);
  for (int i = 0; same && i < numbers; i++) same = ctype_same(f->params.at[i]->type, t);
  return same;
}

// ---- other names --------------------------------------------------------------------------------
static void name_change(CDiff *d, const Name *at) {
  Name *place = (Name *)(uintptr_t)at;
  CRenamed old = {place, *place};
  list_push(d->arena, &d->renamed, old);
  *place = cname_fresh(d->arena, d->p->names, d->p->used, arena_printf(d->arena, "%s_own", *place));
}

typedef struct {
  CDiff *d;
  Map *called;  // names of functions
} Local;

static bool called_in(const CExpr *e, void *state) {
  Local *x = state;
  if (e->tag == CE_FUNCTION) map_put(x->called, KEY(e->function->name), x);
  return true;
}

static void local_change(Local *x, const CVar *v) {
  if (v->name && (is_macro(v->name) || map_get(x->called, KEY(v->name))))
    name_change(x->d, &v->name);
}

static bool locals_in(const CStmt *s, void *state) {
  for (int i = 0; i < s->vars.len; i++)
    if (!s->vars.at[i]->is_global) local_change(state, s->vars.at[i]);
  return true;
}

static void function_names(CDiff *d, const CFunction *f) {
  if (!f || !f->body) return;
  Local x = {d, map_new(d->arena)};
  cstmt_visit(f->body, NULL, called_in, &x);
  for (int i = 0; i < f->params.len; i++) local_change(&x, f->params.at[i]);
  cstmt_visit(f->body, locals_in, NULL, &x);
}

static void file_names(CDiff *d, const CUnit *unit) {
  for (int i = 0; i < unit->functions.len; i++) {
    const CFunction *f = unit->functions.at[i];
    if (f->is_static && f->body && !f->system && is_declared(f->name)) name_change(d, &f->name);
  }
  for (int i = 0; i < unit->globals.len; i++) {
    const CVar *v = unit->globals.at[i];
    bool own = v->at.src == unit->source;
    if (own && v->storage == CSTORE_STATIC && is_declared(v->name)) name_change(d, &v->name);
  }
}

void headers_names(CDiff *d) {
  for (int i = 0; i < d->derived.len; i++) function_names(d, d->derived.at[i]->out);
  for (int i = 0; i < d->splits.len; i++) {
    function_names(d, d->splits.at[i]->forward);
    function_names(d, d->splits.at[i]->backward);
  }
  for (int i = 0; i < d->originals.len; i++)
    if (d->originals.at[i]->is_static) function_names(d, d->originals.at[i]);
  for (int u = 0; u < d->p->units.len; u++) file_names(d, d->p->units.at[u]);
}

void headers_names_back(CDiff *d) {
  for (int i = d->renamed.len - 1; i >= 0; i--) *d->renamed.at[i].at = d->renamed.at[i].name;
  d->renamed.len = 0;
}

// ---- names that stay ----------------------------------------------------------------------------
static _Noreturn void name_refused(CDiff *d, Span at, const char *name) {
  refuse(d, at, arena_printf(d->arena, "[c-unsupported] `%s` is also declared by the headers that "
                             "derivatives include: <stdlib.h>, <math.h>, <string.h>.", name),
         "give it another name");
}

void headers_variable(CDiff *d, const CVar *v) {
  if (is_declared(v->name)) name_refused(d, v->at, v->name);
}

void headers_function(CDiff *d, const CFunction *f) {
  if (f->body && is_declared(f->name) && !agrees(f)) name_refused(d, f->at, f->name);
}

void headers_enumerators(CDiff *d, const CRecord *r) {
  for (int i = 0; i < r->enumerators.len; i++)
    if (is_declared(r->enumerators.at[i]->name)) name_refused(d, r->at, r->enumerators.at[i]->name);
}
