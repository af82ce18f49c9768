// Whole-array forms of random programs against the programs (src/bulk).
#include "fuzz.h"
#include "bulk/bulk.h"
#include <stdlib.h>

static void refusal_count(FuzzBulk *count, const char *text) {
  count->refused++;
  for (int i = 0; i < COUNT_OF(count->why); i++) {
    if (!count->why[i].text) count->why[i].text = strdup(text);
    if (strcmp(count->why[i].text, text) != 0) continue;
    count->why[i].times++;
    return;
  }
}

// main by way of its bulk form, or NULL.
static Prog *bulked(Session *s, Prog *prog, FuzzBulk *count) {
  prog = fuzz_copy(s, pipeline_bulk(s, prog));
  Fn *fn = prog_fn(prog, "main");
  BulkBody body;
  BulkRefusal why;
  if (!bulk_from_core(prog, &fn->body, &body, &why)) {
    refusal_count(count, why.text);
    return NULL;
  }
  Stms stms = {0};
  Builder b = builder_new(prog, &stms);
  fn->body.results = bulk_to_core(&b, &body);
  fn->body.stms = stms;
  core_verify(prog, "bulk");
  return prog;
}

// ---- derivatives by dual arrays
typedef struct {
  Prog *prog;
} DualJob;

static void dual_work(Session *s, void *state) {
  DualJob *job = state;
  s->verify = true;
  s->diag->no_warnings = true;
  s->switches.strategy = STRATEGY_DUAL;
  job->prog = pipeline_differentiate(s, job->prog);
}

const char *fuzz_dual(Session *outer, const Prog *derived, const FuzzSeeds *seeds, int results,
                      FuzzBulk *count) {
  Rewrite w = {0};
  DualJob job = {.prog = rewrite_prog(derived, outer->arena, &w)};
  Session *s = session_new();
  FILE *messages = tmpfile();
  if (!messages) fail_io("cannot make a temporary file");
  s->messages = messages;
  s->diag->quiet = true;
  Status status = session_run(s, dual_work, &job);
  const char *differs = NULL;
  if (status == STATUS_OK) {
    count->duals++;
    differs = fuzz_duality(s, job.prog, seeds, results, "dual arrays");
    if (differs) differs = arena_strdup(outer->arena, differs);
  } else if (status != STATUS_UNSUPPORTED) {
    differs = "dual arrays: the compiler stopped";
  }
  session_free(s);
  fclose(messages);
  return differs;
}

const char *fuzz_bulk(Session *s, const Prog *prog, IValues args, const InterpResult *want,
                      FuzzBulk *count) {
  Prog *bulk = bulked(s, fuzz_copy(s, prog), count);
  if (!bulk || !want->ok) return NULL;
  InterpResult got = fuzz_call(s, bulk, "main", args);
  if (fuzz_out_of_steps(&got)) return NULL;
  count->compared++;
  if (!got.ok) return arena_printf(s->arena, "bulk: failed with %s", got.message);
  return fuzz_values_within(s, "bulk", got.results, want->results, 1e-7);
}

void fuzz_bulk_show(const FuzzBulk *count) {
  printf("%d compared in whole-array form, %d derivatives by dual arrays, %d have none:\n",
         count->compared, count->duals, count->refused);
  for (int i = 0; i < COUNT_OF(count->why) && count->why[i].text; i++)
    printf("%8d %s\n", count->why[i].times, count->why[i].text);
}
