// Work of derivatives, by the interpreter's counts: for every pair of entries f, f_grad of
// tests/ad/costs/costs.fut the ratio work(f_grad)/work(f) stays the same from n to 8n, and below a
// bound.  Work: scalar operations, and eight bytes of memory traffic as one.
//
// The entries NAME_d of onehot.fut work n^d: sums over one case are that case.
//
// The critical paths of the entries of spans.fut grow from n to 8n as powers of log n do: half as
// much as work would, at most.
//
// Of every pair NAME, NAME_apart of apart.fut the second, maps in a row, costs what the first costs.
//
// Of every pair NAME, NAME_grad of dual.fut the second, by dual arrays, has at most three times the
// scalar operations of the first.
//
// Of every pair NAME_B, NAME_B_grad of bounded.fut the second works at most B times as much.
#include "driver/driver.h"
#include "interp/interp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64, LARGE = 8 * SMALL };
static const double growth_bound = 1.35, ratio_bound = 60, span_bound = 4;
static const double degree_bound = 1.1, apart_bound = 1.05, dual_bound = 3;
static int passed, failed;

static InterpCounts counts(Session *s, const Prog *prog, const char *entry, int64_t n) {
  IValues args = {0};
  InterpOptions options = {0};
  list_push(s->arena, &args, ivalue_scalar(scalar_int(PRIM_I64, n)));
  InterpResult r = interp_call(s->arena, prog, entry, args, &options);
  if (!r.ok) {
    printf("FAIL %s: %s\n", entry, r.message);
    return (InterpCounts){0};
  }
  for (int i = 0; i < r.results.len; i++) ivalue_release(r.results.at[i]);
  return r.counts;
}

static double work(Session *s, const Prog *prog, const char *entry, int64_t n) {
  InterpCounts c = counts(s, prog, entry, n);
  return (double)c.scalar_ops + (double)c.memory_bytes / 8;
}

static void judge(Session *s, const Prog *prog, const char *f) {
  const char *grad = arena_printf(s->arena, "%s_grad", f);
  double small = work(s, prog, grad, SMALL) / work(s, prog, f, SMALL);
  double large = work(s, prog, grad, LARGE) / work(s, prog, f, LARGE);
  bool ok = large > 0 && large <= growth_bound * small && large <= ratio_bound;
  if (ok) passed++;
  else failed++;
  if (!ok) printf("FAIL %s: gradient costs %.1f times its primal at %d, %.1f times at %d\n", f,
                  small, SMALL, large, LARGE);
}

static void judge_all(Session *s, void *path) {
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, path));
  for (int i = 0; i < prog->fns.len; i++) {
    const char *name = prog->fns.at[i]->name;
    if (prog->fns.at[i]->entry && !strstr(name, "_grad")) judge(s, prog, name);
  }
}

static void judge_span(Session *s, const Prog *prog, const char *entry) {
  double small = (double)counts(s, prog, entry, SMALL).span;
  double large = (double)counts(s, prog, entry, LARGE).span;
  bool ok = small > 0 && large <= span_bound * small;
  if (ok) passed++;
  else failed++;
  if (!ok)
    printf("FAIL %s: critical path %.0f at %d, %.0f at %d\n", entry, small, SMALL, large, LARGE);
}

static void judge_spans(Session *s, void *path) {
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, path));
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry) judge_span(s, prog, prog->fns.at[i]->name);
}

// The entries of onehot.fut, whose names end in their degree, optimised: at n, 2n and 4n.
static void judge_degree(Session *s, const Prog *prog, const char *entry) {
  int degree = entry[strlen(entry) - 1] - '0';
  double at[3];
  for (int i = 0; i < 3; i++) at[i] = work(s, prog, entry, SMALL << i);
  double most = degree_bound * (1 << degree);
  bool ok = at[0] > 0 && at[1] <= most * at[0] && at[2] <= most * at[1];
  if (ok) passed++;
  else failed++;
  if (!ok)
    printf("FAIL %s: work %.0f at %d, %.0f at %d, %.0f at %d\n", entry, at[0], SMALL, at[1],
           2 * SMALL, at[2], 4 * SMALL);
}

static void judge_degrees(Session *s, void *path) {
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, path));
  prog = pipeline_optimise(s, prog);
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry) judge_degree(s, prog, prog->fns.at[i]->name);
}

static void judge_apart(Session *s, const Prog *prog, const char *apart) {
  const char *nest = arena_printf(s->arena, "%.*s", (int)(strlen(apart) - strlen("_apart")), apart);
  double one = work(s, prog, nest, LARGE), row = work(s, prog, apart, LARGE);
  bool ok = one > 0 && row > 0 && row <= apart_bound * one;
  if (ok) passed++;
  else failed++;
  if (!ok) printf("FAIL %s: work %.0f, as one nest %.0f\n", apart, row, one);
}

static void judge_all_apart(Session *s, void *path) {
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, path));
  prog = pipeline_optimise(s, prog);
  for (int i = 0; i < prog->fns.len; i++)
    if (strstr(prog->fns.at[i]->name, "_apart")) judge_apart(s, prog, prog->fns.at[i]->name);
}

static double arithmetic(Session *s, const Prog *prog, const char *entry) {
  return (double)counts(s, prog, entry, SMALL).scalar_ops;
}

static void judge_dual(Session *s, const Prog *prog, const char *f) {
  double value = arithmetic(s, prog, f);
  double gradient = arithmetic(s, prog, arena_printf(s->arena, "%s_grad", f));
  bool ok = value > 0 && gradient > 0 && gradient <= dual_bound * value;
  if (ok) passed++;
  else failed++;
  if (!ok) printf("FAIL %s: arithmetic %.0f, of the gradient %.0f\n", f, value, gradient);
}

static void judge_all_dual(Session *s, void *path) {
  s->switches.strategy = STRATEGY_DUAL;
  Prog *prog = pipeline_differentiate(s, session_elaborate(s, path));
  prog = pipeline_optimise(s, prog);
  for (int i = 0; i < prog->fns.len; i++) {
    const char *name = prog->fns.at[i]->name;
    if (prog->fns.at[i]->entry && !strstr(name, "_grad")) judge_dual(s, prog, name);
  }
}

// The number after the last _ of NAME_B.
static double bound_of(const char *f) { return atof(strrchr(f, '_') + 1); }

static void judge_bound(Session *s, const Prog *prog, const char *f) {
  const char *grad = arena_printf(s->arena, "%s_grad", f);
  for (int n = SMALL / 2; n <= SMALL; n *= 2) {
    double ratio = work(s, prog, grad, n) / work(s, prog, f, n);
    bool ok = ratio > 0 && ratio <= bound_of(f);
    if (ok) passed++;
    else failed++;
    if (!ok) printf("FAIL %s: %.2f times at %d\n", f, ratio, n);
  }
}

static void judge_bounds(Session *s, void *path) {
  Prog *plain = pipeline_differentiate(s, session_elaborate(s, path));
  Prog *optimised = pipeline_optimise(s, pipeline_differentiate(s, session_elaborate(s, path)));
  for (int i = 0; i < plain->fns.len; i++) {
    const char *name = plain->fns.at[i]->name;
    if (!plain->fns.at[i]->entry || strstr(name, "_grad")) continue;
    judge_bound(s, plain, name);
    judge_bound(s, optimised, name);
  }
}

static Status judged(void (*judges)(Session *s, void *path), char *path) {
  Session *s = session_new();
  s->verify = true;
  Status status = session_run(s, judges, path);
  session_free(s);
  return status;
}

int main(void) {
  Status status = judged(judge_all, "tests/ad/costs/costs.fut");
  Status spans = judged(judge_spans, "tests/ad/costs/spans.fut");
  Status degrees = judged(judge_degrees, "tests/ad/costs/onehot.fut");
  Status apart = judged(judge_all_apart, "tests/ad/costs/apart.fut");
  if (status == STATUS_OK) status = spans == STATUS_OK ? degrees : spans;
  Status dual = judged(judge_all_dual, "tests/ad/costs/dual.fut");
  if (status == STATUS_OK) status = apart == STATUS_OK ? dual : apart;
  Status bounds = judged(judge_bounds, "tests/ad/costs/bounded.fut");
  if (status == STATUS_OK) status = bounds;
  printf("ad cost: %d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0 || status != STATUS_OK;
}
