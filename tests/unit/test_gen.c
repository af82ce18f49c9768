// Random programs: well formed, readable back, the same after copying, and the same after the
// optimiser; derivatives forward against reverse and against differences.
// Every form is generated within a few hundred programs.
// test_gen [first seed] [how many, else SEEDS of the environment, else 150]
#include "gen/gen.h"
#include "unit.h"
#include <stdlib.h>
#include <string.h>

static void fail(uint64_t seed, const char *what, const char *detail) {
  failed++;
  printf("FAIL seed %llu: %s: %s\n", (unsigned long long)seed, what, detail ? detail : "");
}

static Prog *reread(Arena *arena, const Prog *prog) {
  Text text = {0};
  core_print(&text, prog);
  Diag *diag = diag_new(arena);
  Prog *again = core_parse(arena, source_new(arena, "gen", text.at, text.len), diag);
  if (!again) printf("%s\n", diag->entries.at[0].message);
  text_free(&text);
  return again;
}

static Prog *copied(Arena *arena, const Prog *prog) {
  Rewrite w = {0};
  return rewrite_prog(prog, arena, &w);
}

static bool same_results(const InterpResult *a, const InterpResult *b) {
  if (a->ok != b->ok) return false;
  if (!a->ok) return strcmp(a->message, b->message) == 0;
  for (int i = 0; i < a->results.len; i++)
    if (!ivalue_same(a->results.at[i], b->results.at[i], 1e-9)) return false;
  return a->results.len == b->results.len;
}

static void drop(const InterpResult *r) {
  for (int i = 0; i < r->results.len; i++) ivalue_release(r->results.at[i]);
}

static void one_seed(uint64_t seed, GenOptions options) {
  Arena *arena = arena_new();
  Prog *prog = gen_program(arena, seed, options);
  const char *fault = core_fault(prog, arena);
  Prog *again = fault ? NULL : reread(arena, prog);
  if (fault) fail(seed, "is not well formed", fault);
  else if (!again) fail(seed, "does not read back", NULL);
  else {
    Prog *copy = copied(arena, prog);
    InterpOptions limit = {.step_limit = 2000000};
    for (uint64_t k = 0; k < 3; k++) {
      IValues in = gen_inputs(arena, prog, seed * 10 + k, false);
      InterpResult a = interp_call(arena, prog, "main", in, &limit);
      InterpResult b = interp_call(arena, copy, "main", in, &limit);
      InterpResult c = interp_call(arena, again, "main", in, &limit);
      bool ran_out = !a.ok && strncmp(a.message, "Step limit", 10) == 0;
      if (!options.may_fail && !a.ok && !ran_out) fail(seed, "fails", a.message);
      else if (!same_results(&a, &b)) fail(seed, "differs after copying", NULL);
      else if (!same_results(&a, &c)) fail(seed, "differs after reading back", NULL);
      else passed++;
      drop(&a), drop(&b), drop(&c);
      for (int i = 0; i < in.len; i++) ivalue_release(in.at[i]);
    }
  }
  arena_free(arena);
}

static void note_forms(void *seen, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *exp = &body->stms.at[i].exp;
    ((bool *)seen)[exp->form] = true;
    exp_each_body(exp, note_forms, seen);
  }
}

static void all_forms(uint64_t first, uint64_t count) {
  bool seen[FORM_COUNT] = {false};
  for (uint64_t seed = first; seed < first + count; seed++) {
    Arena *arena = arena_new();
    GenOptions options = {.nested = seed % 2 == 0, .derivable = seed % 3 == 0};
    const Prog *prog = gen_program(arena, seed, options);
    for (int i = 0; i < prog->fns.len; i++) note_forms(seen, &prog->fns.at[i]->body, NULL);
    arena_free(arena);
  }
  for (Form f = 0; f < FORM_COUNT; f++) {
    if (!seen[f]) fail(first, "no program has", form_info[f].keyword);
    passed += seen[f];
  }
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const char *many = argc > 2 ? argv[2] : getenv("SEEDS");
  uint64_t count = many ? strtoull(many, NULL, 10) : 150;
  for (uint64_t seed = first; seed < first + count; seed++) {
    one_seed(seed, (GenOptions){0});
    one_seed(seed, (GenOptions){.may_fail = true});
    one_seed(seed, (GenOptions){.smooth = true});
  }
  all_forms(first, 800);
  return unit_end();
}
