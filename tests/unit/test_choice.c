// The strategy "auto" against the others: for every entry of bench/strategies/choice.fut the
// interpreter counts the operations of its derivative, optimised, by every strategy that accepts
// it, a transcendental function as several.  The automatic choice must come within a tenth of the
// least in all but few, never above 1.5.
#include "driver/driver.h"
#include "interp/interp.h"
#include <stdio.h>
#include <string.h>

enum { SIZES = 2, NEAR_LEAST = 33 };
static const int64_t sizes[SIZES] = {16, 64};
static const double bound = 1.1, never = 1.5;
static int passed, failed, near_, all_;

// Scalar operations, functions as vector code takes for them, and eight bytes of memory traffic as
// one; -1: too many.
static double work(Session *s, const Prog *prog, const char *entry, int64_t n) {
  IValues args = {0};
  InterpOptions options = {.step_limit = 100000000};
  list_push(s->arena, &args, ivalue_scalar(scalar_int(PRIM_I64, n)));
  InterpResult r = interp_call(s->arena, prog, entry, args, &options);
  if (!r.ok) return -1;
  for (int i = 0; i < r.results.len; i++) ivalue_release(r.results.at[i]);
  int64_t more = (op_work(COST_FUNCTION).lanes - 1) * r.counts.functions;
  return (double)(r.counts.scalar_ops + more) + (double)r.counts.memory_bytes / 8;
}

static Prog *alone(Session *s, const Prog *prog, const char *entry) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, s->arena, &w);
  for (int i = 0; i < out->fns.len; i++)
    if (strcmp(out->fns.at[i]->name, entry) != 0) out->fns.at[i]->entry = NULL;
  return out;
}

static void judge(Session *s, const Prog *source, const char *entry, bool show) {
  const char *why;
  double of[STRATEGY_END][SIZES];
  bool accepts[STRATEGY_END] = {false};
  const Prog *prog = alone(s, source, entry);
  int programs = s->programs.len;
  for (int k = 1; k < STRATEGY_END; k++) {
    const Prog *made = strategy_try(s, prog, k, TRY_OPTIMISED, &why);
    accepts[k] = made != NULL;
    for (int i = 0; made && i < SIZES; i++) of[k][i] = work(s, made, entry, sizes[i]);
    session_drop_programs(s, programs);
  }
  bool good = true, close = true;
  for (int i = 0; i < SIZES; i++) {
    double least = of[1][i];
    for (int k = 1; k < STRATEGY_AUTO; k++)
      if (accepts[k] && of[k][i] > 0 && of[k][i] < least) least = of[k][i];
    good = good && accepts[STRATEGY_AUTO] && of[STRATEGY_AUTO][i] <= never * least && least > 0;
    close = close && of[STRATEGY_AUTO][i] <= bound * least;
    if (show) printf("%-16s %4d", i ? "" : entry, (int)sizes[i]);
    for (int k = 1; show && k < STRATEGY_END; k++)
      if (accepts[k] && of[k][i] > 0) printf(" %10.0f", of[k][i]);
      else printf(" %10s", accepts[k] ? "many" : "-");
    if (show) printf("  %.2f\n", of[STRATEGY_AUTO][i] / least);
  }
  all_++, near_ += close;
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s: the automatic choice is far from the best\n", entry);
}

static void judge_all(Session *s, void *state) {
  const bool *show = state;
  Prog *prog = session_elaborate(s, "bench/strategies/choice.fut");
  for (int k = 1; *show && k < STRATEGY_END; k++)
    printf(k == 1 ? "%32s" : " %10.10s", strategy_info[k].name);
  if (*show) printf("\n");
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry) judge(s, prog, prog->fns.at[i]->name, *show);
}

// --show: the table.
int main(int argc, char **argv) {
  bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
  Session *s = session_new();
  Status status = session_run(s, judge_all, &show);
  session_free(s);
  if (near_ < NEAR_LEAST) failed++;
  printf("%d of %d within %.1f of the least\n", near_, all_, bound);
  printf("choice: %d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0 || status != STATUS_OK;
}
