// Every optimisation pass, and the chains the driver uses, on random programs: the results must
// verify and the interpreter must compute the same before and after.  SEEDS=n sets how many
// programs, SEED=n tries only that one and shows it, smallest form first.
#include "gen/gen.h"
#include "driver/driver.h"
#include <stdlib.h>
#include <string.h>

static const char *const alone[] = {
    "inline", "inline-all", "simplify", "dce", "cse", "hoist", "sink", "fuse", "fuse-maps",
    "unfuse", "accspec", "onehot", "scalar-replace", "interchange", "remat", "acc-to-write",
    "exclusive-scan", "expand-small", "simplify-small"};
static const char *const chains[] = {
    "inline,simplify,cse,simplify,dce",
    "inline,simplify,cse,fuse,accspec,onehot,fuse,scalar-replace,cse,hoist,sink,simplify,"
    "acc-to-write,dce",
    "simplify,fuse,unfuse,interchange,simplify,fuse,hoist,fuse,scalar-replace,simplify",
};

static int compared;  // runs of the original that succeeded
typedef struct {
  const char *chain;
  uint64_t seed;
  bool derivatives;
  const char *why;
} Trial;

static const Prog *pass_apply(Arena *arena, const Prog *prog, const char *chain,
                              const char **why) {
  char *names = arena_strdup(arena, chain), *rest = NULL;
  for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    prog = pass_named(name)->run((Prog *)prog, arena);
    const char *fault = core_fault(prog, arena);
    if (fault) {
      *why = arena_printf(arena, "after %s: %s", name, fault);
      return NULL;
    }
  }
  return prog;
}

// Sums may be reassociated, so floats agree to a part in 1e8; overflow and nan are left alone.
static bool same_results(const InterpResult *a, const InterpResult *b) {
  if (a->ok != b->ok) return false;
  for (int i = 0; a->ok && i < a->results.len; i++)
    if (!ivalue_same(a->results.at[i], b->results.at[i], 1e-8)) return false;
  return true;
}

static void release(IValues values) {
  for (int i = 0; i < values.len; i++) ivalue_release(values.at[i]);
}

static bool differs(void *state, const Prog *prog) {
  Trial *t = state;
  Arena *arena = arena_new();
  const char *why = NULL;
  InterpOptions options = {.step_limit = 2000000};
  bool bad = false;
  const Prog *after = pass_apply(arena, prog, t->chain, &why);
  if (!after) bad = true;
  for (int k = 0; after && !bad && k < 3; k++) {
    IValues args = gen_inputs(arena, prog, t->seed * 10 + (uint64_t)k, false);
    InterpResult a = interp_call(arena, prog, "main", args, &options);
    if (!a.ok) {
      release(args);
      continue;
    }
    compared++;
    InterpResult b = interp_call(arena, after, "main", args, &options);
    bad = !same_results(&a, &b);
    why = b.ok ? "results differ" : b.message;
    release(a.results);
    if (b.ok) release(b.results);
    release(args);
  }
  t->why = bad ? strdup(why) : NULL;
  arena_free(arena);
  return bad;
}

static void show(const char *title, const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  printf("-- %s\n%s", title, text.at);
  text_free(&text);
}

static int try_chain(const char *chain, const Prog *prog, uint64_t seed) {
  Trial t = {.chain = chain, .seed = seed};
  if (!differs(&t, prog)) return 0;
  printf("FAIL seed %llu, %s: %s\n", (unsigned long long)seed, chain, t.why);
  if (!getenv("SEED")) return 1;
  Arena *arena = arena_new();
  Prog *small = gen_shrink(arena, prog, differs, &t);
  differs(&t, small);
  printf("smallest: %s\n", t.why);
  show("before", small);
  const char *why = NULL;
  const Prog *after = pass_apply(arena, small, chain, &why);
  if (after) show("after", after);
  arena_free(arena);
  return 1;
}

static int try_seed(uint64_t seed) {
  Arena *arena = arena_new();
  GenOptions options = {.statements = seed % 3 == 0 ? 60 : 20, .may_fail = seed % 5 == 0};
  Prog *prog = gen_program(arena, seed, options);
  const char *only = getenv("CHAIN");
  int bad = 0;
  if (only) bad = try_chain(only, prog, seed);
  for (int i = 0; !only && i < COUNT_OF(alone); i++) bad += try_chain(alone[i], prog, seed);
  for (int i = 0; !only && i < COUNT_OF(chains); i++) bad += try_chain(chains[i], prog, seed);
  arena_free(arena);
  return bad;
}

int main(void) {
  const char *one = getenv("SEED"), *many = getenv("SEEDS");
  uint64_t from = one ? strtoull(one, NULL, 10) : 1;
  uint64_t count = one ? 1 : many ? strtoull(many, NULL, 10) : 100;
  int bad = 0;
  for (uint64_t i = 0; i < count; i++) bad += try_seed(from + i);
  printf("%llu programs\n%d passed, %d failed\n", (unsigned long long)count, compared - bad, bad);
  return bad > 0 || compared == 0;
}
