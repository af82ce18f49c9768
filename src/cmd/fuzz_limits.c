// dagaz fuzz: derivatives that keep to a memory limit give the same under any limit, or say before
// a loop runs what it needs; compiled they stay within it.
#include "fuzz.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_asking(const Exp *exp) { return exp->form == FORM_MEMORYLEFT; }

// Programs that ask for the memory left themselves have other results where there is less.
bool fuzz_is_limited(const Session *s, const Prog *prog) {
  return s->memory_limit >= 0 && !prog_has(prog, is_asking);
}

static bool is_refusal(const char *message) {
  return strstr(message, "bytes at least") || strstr(message, "out of memory");
}

const char *fuzz_limits(Session *s, const Prog *derived, const FuzzSeeds *seeds) {
  static const int64_t limits[] = {100, 400, 1000, 2500, 6000, 20000};
  IValues args = fuzz_with(s->arena, seeds->params, seeds->adjoints);
  InterpResult want = fuzz_call(s, derived, "main_vjp", args);
  const char *differs = NULL;
  for (int i = 0; want.ok && i < COUNT_OF(limits) && !differs; i++) {
    const char *way = arena_printf(s->arena, "within %" PRId64 " bytes", limits[i]);
    InterpOptions options = {.step_limit = FUZZ_STEP_LIMIT, .memory_limit = limits[i]};
    InterpResult got = interp_call(s->arena, derived, "main_vjp", args, &options);
    if (got.ok)
      differs = fuzz_values_within(s, way, got.results, want.results, seeds->coarse ? 1e-2 : 1e-6);
    else if (!fuzz_out_of_steps(&got) && !is_refusal(got.message))
      differs = arena_printf(s->arena, "%s: %s", way, got.message);
    if (got.ok) fuzz_release(got.results);
  }
  if (want.ok) fuzz_release(want.results);
  return differs;
}

static int64_t peak_of(const char *report) {
  const char *at = strstr(report, "\"peak\":");
  return at ? strtoll(at + strlen("\"peak\":"), NULL, 10) : -1;
}

// The program under parts of what it takes without a limit.
const char *fuzz_within(Session *s, const char *program, const char *fn, const Text *input) {
  const char *profiled[] = {program, "-e", fn, "-b", "-P", "--memory-limit", "0", NULL};
  ProcessResult whole = process_run(s->arena, profiled, input->at ? input->at : "", input->len, 20);
  int64_t peak = whole.status == 0 ? peak_of(whole.error) : -1;
  for (int part = 1; part <= 6 && peak >= 0; part++) {
    int64_t limit = peak * part / 4 + 1;
    profiled[6] = arena_printf(s->arena, "%" PRId64, limit);
    ProcessResult r = process_run(s->arena, profiled, input->at ? input->at : "", input->len, 20);
    if (r.status != 0 && !is_refusal(r.error))
      return arena_printf(s->arena, "compiled within %" PRId64 ": %s", limit, r.error);
    if (r.status == 0 && peak_of(r.error) > limit)
      return arena_printf(s->arena, "compiled within %" PRId64 ": %.200s", limit, r.error);
  }
  return NULL;
}
