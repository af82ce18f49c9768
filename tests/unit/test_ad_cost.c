// Work of derivatives, by the interpreter's counts: for every pair of entries f, f_grad of
// tests/ad/costs/costs.fut the ratio work(f_grad)/work(f) stays the same from n to 8n, and below a
// bound.  Work: scalar operations, and eight bytes of memory traffic as one.
#include "../../src/driver/driver.h"
#include "../../src/interp/interp.h"
#include <stdio.h>
#include <string.h>

enum { SMALL = 64, LARGE = 8 * SMALL };
static const double growth_bound = 1.3, ratio_bound = 60;
static int passed, failed;

static double work(Session *s, const Prog *prog, const char *entry, int64_t n) {
  IValues args = {0};
  InterpOptions options = {0};
  list_push(s->arena, &args, ivalue_scalar(scalar_int(PRIM_I64, n)));
  InterpResult r = interp_call(s->arena, prog, entry, args, &options);
  if (!r.ok) {
    printf("FAIL %s: %s\n", entry, r.message);
    return 0;
  }
  for (int i = 0; i < r.results.len; i++) ivalue_release(r.results.at[i]);
  return (double)r.counts.scalar_ops + (double)r.counts.memory_bytes / 8;
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

int main(void) {
  Session *s = session_new();
  s->verify = true;
  Status status = session_run(s, judge_all, "tests/ad/costs/costs.fut");
  session_free(s);
  printf("ad cost: %d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0 || status != STATUS_OK;
}
