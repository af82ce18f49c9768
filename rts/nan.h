// nan: where the first infinity comes from that a scalar operation makes of finite operands, and
// the first NaN that one makes of numbers: the operation, its operands, the iterations around it.
// Part of programs made with --trace-nan, and of the interpreter, so that both say the same.
//
// A finding is stored until the call ends.  It is let go when a `select` passes over it, or over what
// was computed from it: derivatives compute partials at their poles and select others there.
#ifndef DZ_NAN_H
#define DZ_NAN_H
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base.h"

#define DZ_NESTS 16    // iterations shown
#define DZ_SAID 1024   // characters of a message without its backtrace

typedef union {
  int64_t i;
  double f;
} DzLookValue;
typedef struct {
  uint32_t var;              // 0: a constant
  const char *name, *type;   // of the variable; "f64"
} DzLookArg;
// One scalar statement of the program.
typedef struct DzLookSite {
  const char *what, *where;  // "log"; the backtrace
  char kind;                 // 's': select, 'g': guard
  uint32_t var;              // has the result
  int n;
  DzLookArg args[3];
} DzLookSite;
typedef struct {
  char said[DZ_SAID];
  const char *where;         // NULL: there is none
} DzFound;
typedef struct {
  DzFound now, passed_over;  // stored; the first that was let go
  uint64_t *vars;            // bits: those that have it, or what was computed from it
  bool in_results;
} DzFinding;
typedef struct {
  DzFinding of[2];           // infinity, NaN
  bool active;               // one is stored
  bool over;                 // a call has ended: the next starts anew
  int nest;                  // maps and loops around
  struct {
    int64_t at;
    bool backwards;          // in a loop that runs another's iterations backwards
  } iteration[DZ_NESTS];
} DzLooks;

static inline void dz_iteration(DzLooks *l, int64_t i, bool backwards) {
  if (l->nest > DZ_NESTS) return;
  l->iteration[l->nest - 1].at = i;
  l->iteration[l->nest - 1].backwards = backwards;
}

static inline bool dz_wild(double x) { return x - x != 0; }
static inline double dz_look_f64(double x) { return x; }
static inline double dz_look_f32(float x) { return (double)x; }
static inline double dz_look_f16(dz_f16 x) { return dz_conv_f16_f64(x); }

// words: of 64 bits each, one bit for every variable of the program.
#define DZ_LOOK(words, site, x, ...)                                          \
  do {                                                                        \
    const double dz_x = (x);                                                  \
    if (__builtin_expect(dz_wild(dz_x) || looks->active, 0))                  \
      dz_look(looks, words, site, dz_x, (const DzLookValue[]){__VA_ARGS__});  \
  } while (0)

// ---- messages ----------------------------------------------------------------------------------
typedef struct {
  char *at;
  size_t len;
} DzSaid;

__attribute__((format(printf, 2, 3))) DZ_FN void dz_say(DzSaid *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->at + s->len, DZ_SAID - s->len, format, args);
  va_end(args);
  if (n > 0) s->len += (size_t)n;
  if (s->len >= DZ_SAID) s->len = DZ_SAID - 1;
}

static inline double dz_rounded(const char *type, double x) {
  if (strcmp(type, "f32") == 0) return (double)(float)x;
  return strcmp(type, "f16") == 0 ? dz_conv_f16_f64(dz_conv_f64_f16(x)) : x;
}

// The fewest digits that are read as x.
DZ_FN void dz_say_float(DzSaid *s, const char *type, double x) {
  char digits[40];
  if (x != x) dz_say(s, "%s.nan", type);
  else if (dz_wild(x)) dz_say(s, "%s%s.inf", x < 0 ? "-" : "", type);
  else {
    int n = 1;  // 300, not 3e+02
    for (double a = fabs(x); n < 7 && a >= 10; a /= 10) n++;
    for (n = n < 7 ? n : 1; n <= 17; n++) {
      snprintf(digits, sizeof digits, "%.*g", n, x);
      if (dz_rounded(type, strtod(digits, NULL)) == x) break;
    }
    dz_say(s, "%s%s", digits, type);
  }
}

DZ_FN void dz_say_value(DzSaid *s, const char *type, DzLookValue v) {
  if (*type == 'f') dz_say_float(s, type, v.f);
  else if (*type == 'b') dz_say(s, "%s", v.i ? "true" : "false");
  else if (*type == 'u') dz_say(s, "%" PRIu64 "%s", (uint64_t)v.i, type);
  else dz_say(s, "%" PRId64 "%s", v.i, type);
}

DZ_FN void dz_say_iterations(DzSaid *s, const DzLooks *l) {
  bool backwards = false;
  for (int k = 0; k < l->nest && k < DZ_NESTS; k++) {
    dz_say(s, k ? ", %" PRId64 : " in iteration %" PRId64, l->iteration[k].at);
    backwards = backwards || l->iteration[k].backwards;
  }
  if (backwards) dz_say(s, " of the return sweep");
}

DZ_FN void dz_describe(DzFound *f, const DzLooks *l, const DzLookSite *site, bool nan,
                       const DzLookValue *args) {
  DzSaid s = {f->said, 0};
  dz_say(&s, "First %s: %s (", nan ? "NaN" : "infinity", site->what);
  for (int i = 0; i < site->n; i++) {
    if (i) dz_say(&s, ", ");
    if (site->args[i].var) dz_say(&s, "%s = ", site->args[i].name);
    dz_say_value(&s, site->args[i].type, args[i]);
  }
  dz_say(&s, ")");
  dz_say_iterations(&s, l);
  f->where = site->where;
}

// ---- findings ----------------------------------------------------------------------------------
static inline bool dz_is_from(const DzFinding *f, const DzLookArg *a) {
  return a->var && f->vars && (f->vars[a->var / 64] >> a->var % 64 & 1);
}

static inline bool dz_is_finite(const DzLookArg *a, DzLookValue v) {
  return *a->type != 'f' || !dz_wild(v.f);
}

DZ_FN bool dz_passes_over(const DzFinding *f, const DzLookSite *s, const DzLookValue *args) {
  if (s->kind == 'g')
    return dz_is_from(f, &s->args[2]) && !dz_is_finite(&s->args[1], args[1]) && args[0].f == 0;
  if (s->kind != 's') return false;
  int taken = args[0].i ? 1 : 2;
  return dz_is_from(f, &s->args[3 - taken]) && !dz_is_from(f, &s->args[taken]);
}

// The effect of a statement on a finding that is stored.
DZ_FN void dz_follow(DzFinding *f, size_t words, const DzLookSite *s, bool finite,
                     const DzLookValue *args) {
  bool uses = false;
  if (dz_passes_over(f, s, args)) {
    if (!f->passed_over.where) f->passed_over = f->now;
    f->now.where = NULL;
    if (f->vars) memset(f->vars, 0, words * sizeof *f->vars);
    return;
  }
  for (int i = 0; i < s->n; i++) uses = uses || dz_is_from(f, &s->args[i]);
  if (!f->vars) return;
  uint64_t bit = (uint64_t)1 << s->var % 64;  // the next iteration's variable is another value
  if (uses && !finite) f->vars[s->var / 64] |= bit;
  else f->vars[s->var / 64] &= ~bit;
}

// A NaN is made of numbers, an infinity of finite operands.
DZ_FN bool dz_is_made(const DzLookSite *s, bool nan, const DzLookValue *args) {
  for (int i = 0; i < s->n; i++) {
    bool is_nan = *s->args[i].type == 'f' && args[i].f != args[i].f;
    if (nan ? is_nan : !dz_is_finite(&s->args[i], args[i])) return false;
  }
  return true;
}

DZ_FN void dz_look(DzLooks *l, size_t words, const DzLookSite *s, double result,
                   const DzLookValue *args) {
  bool finite = !dz_wild(result), nan = result != result;
  for (int k = 0; k < 2; k++)
    if (l->of[k].now.where) dz_follow(&l->of[k], words, s, finite, args);
  DzFinding *f = &l->of[nan];
  if (!finite && !f->now.where && dz_is_made(s, nan, args)) {
    dz_describe(&f->now, l, s, nan, args);
    if (!f->vars) f->vars = (uint64_t *)calloc(words + 1, sizeof *f->vars);
    if (f->vars) f->vars[s->var / 64] |= (uint64_t)1 << s->var % 64;
  }
  l->active = l->of[0].now.where || l->of[1].now.where;
}

// ---- calls -------------------------------------------------------------------------------------
DZ_FN void dz_looks_free(DzLooks *l) {
  for (int k = 0; k < 2; k++) free(l->of[k].vars);
  memset(l, 0, sizeof *l);
}

// Findings in constants of the program belong to the first call.
DZ_FN void dz_looks_begin(DzLooks *l) {
  if (l->over) dz_looks_free(l);
  l->nest = 0;
}

// The first of n floats of so many bytes that is infinite, or NaN; -1: none is.
DZ_FN int64_t dz_wild_at(const void *data, int bytes, int64_t n, bool nan) {
  for (int64_t i = 0; i < n; i++) {
    double x = bytes == 8   ? ((const double *)data)[i]
               : bytes == 4 ? (double)((const float *)data)[i]
                            : dz_conv_f16_f64(((const dz_f16 *)data)[i]);
    if (dz_wild(x) && (x != x) == nan) return i;
  }
  return -1;
}

DZ_FN int64_t dz_wild_len(int rank, const int64_t *shape) {
  int64_t n = 1;
  for (int d = 0; d < rank; d++) n *= shape[d];
  return n;
}

// Says which element of an argument is not finite, if one is: it was not made here but came in.
DZ_FN bool dz_look_input(bool nan, const char *name, const void *data, int bytes, int rank,
                         const int64_t *shape) {
  int64_t n = dz_wild_len(rank, shape), at = dz_wild_at(data, bytes, n, nan);
  if (at < 0) return false;
  fprintf(stderr, "%s in the input: %s", nan ? "NaN" : "Infinity", name);
  for (int d = 0; d < rank; d++) {
    n /= shape[d];
    fprintf(stderr, "%s%" PRId64, d ? ", " : "[", at / n);
    at %= n;
  }
  fputs(rank ? "]\n" : "\n", stderr);
  return true;
}

DZ_FN void dz_look_result(DzLooks *l, const void *data, int bytes, int rank,
                          const int64_t *shape) {
  for (int k = 0; k < 2; k++)
    if (dz_wild_at(data, bytes, dz_wild_len(rank, shape), k == 1) >= 0) l->of[k].in_results = true;
}

// A finding that was passed over counts where the results have such a number and nothing else
// explains it.
DZ_FN void dz_looks_report(DzLooks *l) {
  for (int k = 0; k < 2; k++) {
    const DzFound *f = l->of[k].now.where        ? &l->of[k].now
                       : l->of[k].in_results     ? &l->of[k].passed_over
                                                 : NULL;
    if (f && f->where) fprintf(stderr, "%s\n%s", f->said, f->where);
  }
  l->over = true;
}
#endif
