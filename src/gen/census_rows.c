// The rows of the census, and those that many programs together must have.
#include "local.h"
#include <stdlib.h>

CensusRow *gen_census_row(GenCensus *c, const char *name) {
  Name key = name_of(c->names, name);
  CensusRow *row = map_get(c->rows, (uint64_t)(uintptr_t)key);
  if (row) return row;
  row = NEW(c->arena, CensusRow);
  row->name = key;
  map_put(c->rows, (uint64_t)(uintptr_t)key, row);
  return row;
}

static void expect(GenCensus *c, const char *group, const char *name, const char *more) {
  gen_census_row(c, arena_printf(c->arena, "%s%s%s", group, name, more))->expected = true;
}

// "a|b|c", each after the group's name.
static void expect_all(GenCensus *c, const char *group, const char *names) {
  for (const char *at = names; *at;) {
    const char *end = strchr(at, '|');
    size_t len = end ? (size_t)(end - at) : strlen(at);
    expect(c, group, arena_strndup(c->arena, at, len), "");
    at += len + (end != NULL);
  }
}

static void expect_forms(GenCensus *c) {
  for (Form f = 0; f < FORM_COUNT; f++)
    expect(c, "form ", f == FORM_PRIM ? "operation" : form_info[f].keyword, "");
  for (Op op = 0; op < OP_COUNT; op++)
    if (!op_info[op].derived && !op_info[op].schedule)
      expect(c, "operation ", op_info[op].name, "");
  for (Prim p = 0; p < PRIM_UNIT; p++) expect(c, "type ", prim_info[p].name, "");
}

static void expect_bodies(GenCensus *c) {
  static const char *const outer[] = {"map", "while", "for", "branch"};
  static const char *const inner[] = {"map", "for",    "while",   "branch",  "operator", "hist",
                                      "scatter", "screma", "withacc", "withvjp", "jvp",  "vjp"};
  for (int i = 0; i < COUNT_OF(outer); i++) {
    for (int k = 0; k < COUNT_OF(inner); k++)
      expect(c, inner[k], " in ", outer[i]);
    for (int k = 0; k < 4; k++)
      for (int j = 0; j < 4; j++)  // three deep without the rare while
        if (i != 1 && k != 1 && j != 1)
          expect(c, arena_printf(c->arena, "%s in %s", outer[j], outer[k]), " in ", outer[i]);
  }
  expect_all(c, "", "vjp in vjp|vjp in jvp|jvp in vjp|jvp in jvp");
  expect_all(c, "", "vjp in vjp in vjp|vjp in vjp in jvp|vjp in jvp in vjp|vjp in jvp in jvp|"
             "jvp in vjp in vjp|jvp in vjp in jvp|jvp in jvp in vjp|jvp in jvp in jvp");
  expect_all(c, "update in ", "top in top|map in top|map in map|map in for|for in top|for in for|"
             "for in map|for in while|for in branch|while in top|branch in top|branch in for|"
             "branch in map|branch in while|branch in branch");
}

static void expect_recursion(GenCensus *c) {
  static const char *const kinds[] = {"a call", "a last call", "two calls"};
  for (int i = 0; i < COUNT_OF(kinds); i++) {
    expect(c, "recursion by ", kinds[i], "");
    expect(c, "recursion by ", kinds[i], " that consumes");
  }
}

static void expect_operators(GenCensus *c) {
  static const char *const forms[] = {"reduce", "scan", "hist"};
  for (int i = 0; i < COUNT_OF(forms); i++)
    expect_all(c, arena_printf(c->arena, "operator of %s: ", forms[i]),
               "add|mul|min|max|and|or|xor|tuple|four|rows|free variable|chooses|branches");
  expect_all(
      c, "operator of ",
      "reduce: matrices|scan: matrices|withacc: add|withacc: mul|withacc: min|"
      "withacc: max|withacc: none|screma: add|screma: mul|screma: min|screma: max|screma: and|"
      "screma: or|screma: xor|screma: free variable|screma: tuple|screma: chooses");
  expect_all(c, "scan: ", "exclusive");
}

static void expect_places(GenCensus *c) {
  static const char *const forms[] = {"hist at: ", "scatter at: ", "updateacc at: "};
  for (int i = 0; i < COUNT_OF(forms); i++)
    expect_all(c, forms[i], "constant|parameter|loaded|loaded and added|stride and shift|shift|"
               "mirrored|stride|round|repeated");
  expect_all(c, "index at: ", "constant|parameter|loaded|loaded and added|stride and shift|shift|"
             "mirrored|stride|round|repeated");
  expect_all(c, "hist: ", "rank 1|rank 2|two destinations|rows");
  expect_all(c, "scatter: ", "rank 1|rank 2|two destinations|rows");
  expect_all(c, "withacc: ", "several|rank 1|rank 2|rows|in withacc");
  expect_all(c, "updateacc in ", "map|for|while|branch|withacc");
  expect_all(c, "update: ", "cell|row|range|stride|backwards|block|from itself");
  expect_all(c, "index: ", "fixed|range|stride|backwards|block");
}

static void expect_loops(GenCensus *c) {
  expect_all(
      c, "loop: ",
      "hands a scalar across|hands an array across|exchanges unique arrays|sizes change|"
      "several unique|invariant parameter|constant result|counter i8|counter i32|counter i64|"
      "counter u8|0 trips|1 trips|2 trips|3 trips|trips loaded|while of an integer|"
      "while of a float|stripmine|checkpoint log|checkpoint some|memory_limit|memory_fraction|"
      "lean|unroll|sequential|bound");
  expect_all(c, "map: ", "unroll");
  expect_all(c, "while: ", "sizes change");
}

static void expect_consumption(GenCensus *c) {
  expect_all(c, "consumed by ", "update|flatupdate|scatter|hist|withacc|loop|apply|map|match");
  expect_all(c, "consumed: ", "argument|row of a map|loop parameter|copy|view|updated already|"
             "result of a branch|result of a loop|result of a call|fresh array|"
             "in a branch, from outside");
  expect_all(c, "match: ", "one case consumes|several cases consume");
}

static void expect_others(GenCensus *c) {
  expect_all(c, "match: ", "three cases|two scrutinees|on floats|guards infinity or NaN|"
             "gives an array|gives a size");
  expect_all(c, "array of ", "0 dimensions|1 dimensions|2 dimensions|3 dimensions|4 dimensions");
  expect_all(c, "rearrange: rank ", "1|2|3|4");
  expect_all(c, "reshape: to rank ", "1|2|3");
  expect_all(c, "", "concat: inner dimension|concat: three|replicate: of an array|"
             "jvp: several directions|vjp: several directions|withvjp: free variable|"
             "withvjp: several arguments");
  expect_all(c, "conv: ", "f64 to f32|f32 to f64|f64 to f16|f16 to f64|i64 to f64|f64 to i64|"
             "i64 to f32|bool to f64|f64 to bool|bool to i64|i64 to bool|i64 to i8|i64 to u8|"
             "u8 to i64|i32 to i64|f64 to i32");
  expect_all(c, "data: ", "empty|one element|more|infinite or NaN");
}

GenCensus *gen_census_new(Arena *arena) {
  GenCensus *c = NEW(arena, GenCensus);
  *c = (GenCensus){.arena = arena, .names = names_new(arena), .rows = map_new(arena)};
  expect_forms(c);
  expect_bodies(c);
  expect_recursion(c);
  expect_operators(c);
  expect_places(c);
  expect_loops(c);
  expect_consumption(c);
  expect_others(c);
  return c;
}

static int by_name(const void *a, const void *b) {
  const CensusRow *x = *(CensusRow *const *)a, *y = *(CensusRow *const *)b;
  return strcmp(x->name, y->name);
}

int gen_census_print(Text *out, const GenCensus *c) {
  int n = map_len(c->rows), never = 0;
  CensusRow **rows = NEW_ARRAY(c->arena, CensusRow *, n + 1);
  for (int i = 0; i < n; i++) rows[i] = map_value_at(c->rows, i);
  qsort(rows, (size_t)n, sizeof *rows, by_name);
  for (int i = 0; i < n; i++)
    if (rows[i]->programs)
      text_printf(out, "%-44s %8d %10lld\n", rows[i]->name, rows[i]->programs,
                  (long long)rows[i]->times);
  for (int i = 0; i < n; i++)
    if (rows[i]->expected && !rows[i]->programs)
      text_printf(out, "never: %s\n", rows[i]->name), never++;
  return never;
}
