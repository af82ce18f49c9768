// Operations of models in the interpreter, by strategies: counts FILE..
// Each file has entries data, value and gradient; data n gives the arguments of the others.  Prints a
// line for each file, entry and strategy: work at n, 2n, 4n, where work is scalar operations, and eight
// bytes of memory traffic as one; "refused" and why; "many" above the limit on steps.  The results of
// strategies must agree.
#include "driver/driver.h"
#include "interp/interp.h"
#include <stdio.h>
#include <string.h>

enum { SIZES = 3, FIRST = 16 };
static const int64_t step_limit = 50000000;
static const double tolerance = 1e-9;
static const int strategies[] = {STRATEGY_REDUNDANT, STRATEGY_FORWARD, STRATEGY_DUAL};
static bool differs;

static Values data_of(Session *s, const Prog *prog, int64_t n) {
  Values in = {0};
  InterpOptions options = {0};
  Value size = value_new(s->arena, PRIM_I64, 0, NULL);
  value_put(&size, 0, scalar_int(PRIM_I64, n));
  list_push(s->arena, &in, size);
  EntryResult r = interp_entry(s->arena, prog, "data", in, &options);
  if (!r.ok) fprintf(stderr, "data: %s\n", r.error);
  return r.outputs;
}

static EntryResult run(Session *s, const Prog *prog, const char *entry, Values in) {
  InterpOptions options = {.step_limit = step_limit};
  return interp_entry(s->arena, prog, entry, in, &options);
}

static double work(const EntryResult *r) {
  return (double)r->counts.scalar_ops + (double)r->counts.memory_bytes / 8;
}

static void print_row(Session *s, const char *name, const char *entry, int strategy,
                      const Prog *prog, Values *expected) {
  printf("%s %s %s", name, entry, strategy_info[strategy].name);
  for (int i = 0; i < SIZES; i++) {
    EntryResult r = run(s, prog, entry, data_of(s, prog, (int64_t)FIRST << i));
    if (r.ok) printf(" %.0f", work(&r));
    else printf(" many");
    if (!r.ok) continue;
    if (!expected[i].len) expected[i] = r.outputs;
    for (int k = 0; k < r.outputs.len; k++)
      if (value_differs(s->arena, &r.outputs.at[k], &expected[i].at[k], tolerance)) differs = true;
  }
  printf("\n");
}

static void count(Session *s, void *state) {
  const char *path = state, *why, *slash = strrchr(path, '/');
  Prog *source = session_elaborate(s, path);
  const char *name = slash ? slash + 1 : path;
  name = arena_strndup(s->arena, name, strcspn(name, "."));
  Values value[SIZES] = {{0}}, gradient[SIZES] = {{0}};
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    const Prog *made = strategy_try(s, source, strategies[i], TRY_OPTIMISED, &why);
    if (!made) printf("%s gradient %s refused %s\n", name, strategy_info[strategies[i]].name, why);
    if (made && i == 0) print_row(s, name, "value", strategies[i], made, value);
    if (made) print_row(s, name, "gradient", strategies[i], made, gradient);
  }
}

int main(int argc, char **argv) {
  Status status = STATUS_OK;
  for (int i = 1; i < argc && status == STATUS_OK; i++) {
    Session *s = session_new();
    status = session_run(s, count, argv[i]);
    session_free(s);
  }
  if (differs) fprintf(stderr, "the results of strategies differ\n");
  return status != STATUS_OK || differs;
}
