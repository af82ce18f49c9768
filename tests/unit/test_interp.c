// The interpreter: failure texts, limits, in-place updates, counting.
#include "interp/interp.h"
#include "unit.h"
#include <math.h>
#include <string.h>

static Prog *parsed(Arena *arena, const char *text) {
  Diag *diag = diag_new(arena);
  Prog *prog = core_parse(arena, source_new(arena, "test", text, strlen(text)), diag);
  if (!prog) expect(false, text, diag->entries.at[0].message);
  return prog;
}

static InterpResult run(Arena *arena, const char *text, int64_t n, InterpOptions options) {
  InterpResult none = {0};
  Prog *prog = parsed(arena, text);
  if (!prog) return none;
  IValues args = {0};
  list_push(arena, &args, ivalue_scalar(scalar_int(PRIM_I64, n)));
  return interp_call(arena, prog, "f", args, &options);
}

// f(n) must fail with this message.
static void fails(const char *text, int64_t n, const char *message) {
  Arena *arena = arena_new();
  InterpResult r = run(arena, text, n, (InterpOptions){.step_limit = 100000, .depth_limit = 500});
  expect(!r.ok && r.message && strcmp(r.message, message) == 0, message, r.message);
  arena_free(arena);
}

// f(n) must give this integer.
static void gives(const char *text, int64_t n, int64_t want) {
  Arena *arena = arena_new();
  InterpResult r = run(arena, text, n, (InterpOptions){0});
  bool good = r.ok && r.results.len == 1 && r.results.at[0].scalar.i == want;
  expect(good, text, r.ok ? "another value" : r.message);
  arena_free(arena);
}

static void failures(void) {
  fails("fn f (n : i64) -> (r : i64) {\n"
        "  let (xs : [3i64]i64) = iota 3i64 0i64 1i64\n"
        "  let (x : i64) = index xs [n]\n  in (x)\n}",
        5, "Index [5] out of bounds for array of shape [3].");
  fails("fn f (n : i64) -> (r : i64) {\n"
        "  let (xs : [2i64][3i64]i64) = replicate (2i64, 3i64) 1i64\n"
        "  let (x : i64) = index xs [n, 7i64]\n  in (x)\n}",
        1, "Index [1, 7] out of bounds for array of shape [2][3].");
  fails("fn f (n : i64) -> (r : i64) {\n"
        "  let (xs : [4i64]i64) = iota 4i64 0i64 1i64\n"
        "  let (ys : [3i64]i64) = index xs [n : 3i64 : 1i64]\n"
        "  let (x : i64) = index ys [0i64]\n  in (x)\n}",
        2, "Index [2:5] out of bounds for array of shape [4].");
  fails("fn f (n : i64) -> (r : i64) {\n  let (x : i64) = div i64 (1i64, n)\n  in (x)\n}", 0,
        "division by zero");
  fails("fn f (n : i64) -> (r : i64) {\n  let (x : i64) = pow i64 (2i64, n)\n  in (x)\n}", -1,
        "negative exponent");
  fails("fn f (n : i64) -> (r : i64) {\n  let (c : bool) = lt i64 (n, 0i64)\n"
        "  let () = assert c \"n is %d, 100%%\" (n)\n  in (n)\n}",
        7, "n is 7, 100%");
  fails("fn f (n : i64) -> (r : i64) {\n"
        "  let (xs : [n]i64) = iota n 0i64 1i64\n  in (n)\n}",
        -2, "Range 0..1..<-2 is invalid.");
}

static void limits(void) {
  fails("fn f (n : i64) -> (r : i64) {\n"
        "  let (t : bool) = loop 0 () (true) (\\(g : bool) -> (bool) { in (g) })\n  in (n)\n}",
        1, "Step limit of 100000 reached");
  fails("fn f (n : i64) -> (r : i64) {\n  let (x : i64) = apply f (n)\n  in (x)\n}", 1,
        "Calls nested deeper than 500");
}

// 1 + .. + n through a recursive function whose variables live again in every call.
static void recursion(void) {
  gives("fn f (n : i64) -> (r : i64) {\n  let (z : bool) = le i64 (n, 0i64)\n"
        "  let (s : i64) = match (z) {\n    case (true) -> { in (0i64) }\n    case () -> {\n"
        "      let (m : i64) = sub i64 (n, 1i64)\n      let (t : i64) = apply f (m)\n"
        "      let (u : i64) = add i64 (t, n)\n      in (u)\n    }\n  }\n  in (s)\n}",
        100, 5050);
}

static const char *const fill =
    "fn f (n : i64) -> (r : i64) {\n"
    "  let (xs : [n]i64) = replicate (n) 0i64\n"
    "  let (ys : [n]i64) = loop is_for 0 n (xs) (\\(i : i64, v : *[n]i64) -> ([n]i64) {\n"
    "    let (w : [n]i64) = update v [i] i\n    in (w)\n  })\n"
    "  let (s : i64) = reduce n comm (\\(a : i64, b : i64) -> (i64) {\n"
    "    let (c : i64) = add i64 (a, b)\n    in (c)\n  }) (0i64) (ys)\n  in (s)\n}";

static void in_place(void) {
  Arena *arena = arena_new();
  int64_t n = 20000;
  InterpResult r = run(arena, fill, n, (InterpOptions){0});
  expect(r.ok && r.results.at[0].scalar.i == n * (n - 1) / 2, "the loop's sum", r.message);
  expect(r.counts.memory_bytes < 100 * n, "updates copy the array", NULL);
  expect(r.counts.allocations < 10, "updates allocate", NULL);
  expect(r.counts.scalar_ops == n, "one addition per element is counted", NULL);
  arena_free(arena);
}

// What is not consumed keeps its value.
static void values_are_values(void) {
  gives("fn f (n : i64) -> (r : i64) {\n  let (xs : [n]i64) = iota n 0i64 1i64\n"
        "  let (ys : [n]i64) = copy xs\n  let (zs : [n]i64) = update ys [0i64] 9i64\n"
        "  let (a : i64) = index xs [0i64]\n  let (b : i64) = index zs [0i64]\n"
        "  let (c : i64) = mul i64 (a, 10i64)\n  let (d : i64) = add i64 (c, b)\n  in (d)\n}",
        3, 9);
  gives("fn f (n : i64) -> (r : i64) {\n  let (xs : [n][n]i64) = replicate (n, n) n\n"
        "  let (ys : [n]i64) = map n (\\(x : [n]i64) -> (i64) {\n"
        "    let (y : [n]i64) = update x [0i64] 1i64\n"
        "    let (z : i64) = index y [0i64]\n    in (z)\n  }) (xs)\n"
        "  let (s : i64) = index ys [1i64]\n  in (s)\n}",
        3, 1);
}

// Accumulators that a map returns are told by their tokens, not by their order.
static void accumulators(void) {
  gives("fn f (n : i64) -> (r : i64) {\n  let (xs : [n]i64) = replicate (n) 0i64\n"
        "  let (ys : [n]i64) = replicate (n) 0i64\n"
        "  let (us : [n]i64, vs : [n]i64) = withacc (xs, ys) [1, 1] "
        "<comm (\\(a : i64, b : i64) -> (i64) {\n    let (c : i64) = add i64 (a, b)\n    in (c)\n"
        "  }) (0i64), comm (\\(d : i64, e : i64) -> (i64) {\n"
        "    let (g : i64) = add i64 (d, e)\n    in (g)\n  }) (0i64)> "
        "(\\(p : acc(p, 1, [n]i64), q : acc(q, 1, [n]i64)) "
        "-> (acc(p, 1, [n]i64), acc(q, 1, [n]i64)) {\n"
        "    let (is : [n]i64) = iota n 0i64 1i64\n"
        "    let (p2 : acc(p, 1, [n]i64), q2 : acc(q, 1, [n]i64)) = map n "
        "(\\(y : acc(q, 1, [n]i64), x : acc(p, 1, [n]i64), i : i64) "
        "-> (acc(p, 1, [n]i64), acc(q, 1, [n]i64)) {\n"
        "      let (x2 : acc(p, 1, [n]i64)) = updateacc x (i) 1i64\n"
        "      let (y2 : acc(q, 1, [n]i64)) = updateacc y (i) 20i64\n      in (x2, y2)\n"
        "    }) (q, p, is)\n"
        "    let (p3 : acc(p, 1, [n]i64)) = updateacc p2 (0i64) 300i64\n    in (p3, q2)\n  })\n"
        "  let (u : i64) = index us [0i64]\n  in (u)\n}",
        3, 301);
}

// One operation on n as a float, rounded at random by this seed.
static double rounded(const char *operation, int64_t n, uint64_t seed) {
  Arena *arena = arena_new();
  const char *text = arena_printf(
      arena,
      "fn f (n : i64) -> (r : f64) {\n  let (x : f64) = conv f64 n\n  let (y : f64) = %s\n"
      "  in (y)\n}",
      operation);
  InterpResult r = run(arena, text, n, (InterpOptions){.rounding = seed});
  double value = r.ok ? r.results.at[0].scalar.f : 0;
  arena_free(arena);
  return value;
}

static void random_rounding(void) {
  static const char *const exact[] = {"add f64 (x, 0.5f64)", "sub f64 (x, 3f64)",
                                      "mul f64 (x, 1.5f64)", "div f64 (x, 8f64)",
                                      "neg f64 (x)", "floor f64 (x)", "max f64 (x, 0.1f64)",
                                      "select f64 (true, x, 0.1f64)", "exp f64 (0f64)"};
  for (int i = 0; i < COUNT_OF(exact); i++)
    expect(rounded(exact[i], 7, 1) == rounded(exact[i], 7, 0), exact[i], "moved, though exact");
  static const char *const inexact[] = {"add f64 (x, 0.1f64)", "mul f64 (x, 0.1f64)",
                                        "div f64 (x, 3f64)", "exp f64 (x)"};
  for (int i = 0; i < COUNT_OF(inexact); i++) {
    double nearest = rounded(inexact[i], 7, 0), lowest = nearest, highest = nearest;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      double y = rounded(inexact[i], 7, seed);
      expect(y == rounded(inexact[i], 7, seed), inexact[i], "the seed does not decide");
      lowest = fmin(lowest, y), highest = fmax(highest, y);
    }
    double unit = nextafter(nearest, INFINITY) - nearest;
    expect(lowest < highest, inexact[i], "did not move");
    expect(highest - lowest <= 2 * unit, inexact[i], "moved by more than a unit");
  }
}

// Reductions and scans group their elements at random: sums of integers stay, and x + y + x*y, which
// has no neutral element for infinite numbers, becomes NaN.
static void random_grouping(void) {
  static const char sum[] =
      "fn f (n : i64) -> (r : i64) {\n  let (is : [n]i64) = iota n 0i64 1i64\n"
      "  let (ps : [n]i64) = scan n (\\(x : i64, y : i64) -> (i64) {\n"
      "    let (z : i64) = add i64 (x, y)\n    in (z)\n  }) (0i64) (is)\n"
      "  let (s : i64) = reduce n comm (\\(u : i64, v : i64) -> (i64) {\n"
      "    let (w : i64) = add i64 (u, v)\n    in (w)\n  }) (0i64) (ps)\n  in (s)\n}";
  static const char infinite[] =
      "fn f (n : i64) -> (r : f64) {\n  let (xs : [n]f64) = replicate (n) inff64\n"
      "  let (s : f64) = reduce n (\\(x : f64, y : f64) -> (f64) {\n"
      "    let (p : f64) = mul f64 (x, y)\n    let (q : f64) = add f64 (x, y)\n"
      "    let (z : f64) = add f64 (p, q)\n    in (z)\n  }) (0f64) (xs)\n  in (s)\n}";
  Arena *arena = arena_new();
  for (uint64_t seed = 0; seed <= 5; seed++) {
    InterpResult r = run(arena, sum, 30, (InterpOptions){.rounding = seed});
    expect(r.ok && r.results.at[0].scalar.i == 4495, sum, "another sum");
    r = run(arena, infinite, 1, (InterpOptions){.rounding = seed});
    expect(r.ok && isnan(r.results.at[0].scalar.f), infinite, "not NaN");
  }
  arena_free(arena);
}

int main(void) {
  random_grouping();
  random_rounding();
  failures();
  limits();
  recursion();
  in_place();
  values_are_values();
  accumulators();
  return unit_end();
}
