// What `dagaz explain` foretells against what is counted: the work of every derivative in
// tests/ad/costs/explained.fut, by its formula and by the interpreter's counts on the optimised
// program, at several sizes: they agree within a factor of two.
#include "driver/driver.h"
#include "interp/interp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH "tests/ad/costs/explained.fut"
static const double factor = 2;
static const struct {
  int64_t n, m, t;
} sizes[] = {{64, 32, 20}, {200, 9, 50}};
static int passed, failed;

// The value of a name: n and m, sizes of arrays, and t, a number of trips.
static double size_named(const char *name, size_t len, int k) {
  if (len == 1 && *name == 't') return (double)sizes[k].t;
  if (len == 1 && *name == 'n') return (double)sizes[k].n;
  if (len == 1 && *name == 'm') return (double)sizes[k].m;
  printf("FAIL: a formula mentions %.*s\n", (int)len, name);
  failed++;
  return 1;
}

// "91 n^2 t + 3 n - 2": terms are products.
static double evaluated(const char *formula, int k) {
  double sum = 0, term = 1, sign = 1;
  const char *p = formula;
  while (*p) {
    size_t len = strcspn(p, " ");
    if (*p == '+' || (*p == '-' && len == 1)) {
      sum += sign * term;
      sign = *p == '+' ? 1 : -1;
      term = 1;
    } else if (*p >= '0' && *p <= '9') {
      term *= strtod(p, NULL);
    } else {
      size_t name = strcspn(p, " ^");
      int power = p[name] == '^' ? atoi(p + name + 1) : 1;
      for (int i = 0; i < power; i++) term *= size_named(p, name, k);
    }
    p += len;
    while (*p == ' ') p++;
  }
  return sum + sign * term;
}

// All sizes are n where the formula knows only one.
static IValue argument(const Prog *prog, const Fn *fn, int i, int k, bool one) {
  Type t = var_type(prog, fn->params.at[i]);
  int64_t dims[2] = {0};
  if (t.rank == 0)
    return ivalue_scalar(scalar_int(PRIM_I64, i < fn->entry->size_params ? 0 : sizes[k].t));
  for (int d = 0; d < t.rank; d++)
    dims[d] = one || atom_is_var(t.dims[d], fn->params.at[0]) ? sizes[k].n : sizes[k].m;
  IValue v = ivalue_array(t.prim, t.rank, dims);
  for (int64_t j = 0; j < v.array->len; j++)
    cell_set(v.array, j, t.prim == PRIM_F64 ? scalar_float(PRIM_F64, 0.5 + (double)(j % 7) / 10)
                                            : scalar_int(t.prim, j * 5 % sizes[k].n));
  return v;
}

static double counted(Session *s, const Prog *prog, const Fn *fn, int k, bool one) {
  Values inputs = {0};
  for (int i = fn->entry->size_params; i < fn->params.len; i++)
    list_push(s->arena, &inputs, value_of(s->arena, argument(prog, fn, i, k, one)));
  InterpOptions options = {0};
  EntryResult r = interp_entry(s->arena, prog, fn->entry->name, inputs, &options);
  if (!r.ok) printf("FAIL %s: %s\n", fn->entry->name, r.message);
  return (double)r.counts.scalar_ops + (double)r.counts.memory_bytes / 8;
}

static void judge(Session *s, const Prog *prog, const Explained *x) {
  const Fn *fn = interp_entry_fn(prog, x->entry);
  for (int k = 0; k < COUNT_OF(sizes); k++) {
    double foretold = evaluated(x->work, k);
    double count = counted(s, prog, fn, k, !strstr(x->work, " m"));
    bool ok = foretold <= factor * count && count <= factor * foretold;
    if (ok) passed++;
    else failed++;
    if (!ok || getenv("VERBOSE"))
      printf("%s %s: %s is %.0f at n = %lld, counted %.0f: %.2f\n", ok ? "ok" : "FAIL", x->entry,
             x->work, foretold, (long long)sizes[k].n, count, foretold / count);
  }
}

static void judge_all(Session *s, void *state) {
  (void)state;
  Prog *prog = pipeline_optimise(s, pipeline_differentiate(s, session_elaborate(s, PATH)));
  ExplainedList all = explain_program(s, PATH, NULL);
  for (int i = 0; i < all.len; i++) judge(s, prog, all.at[i]);
}

int main(void) {
  Session *s = session_new();
  Status status = session_run(s, judge_all, NULL);
  session_free(s);
  printf("explain: %d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0 || status != STATUS_OK;
}
