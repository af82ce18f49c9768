// Uniqueness and consumption: who may still use an array after it was updated in place.
#include "check/check.h"
#include "unit.h"
#include <string.h>
#include <time.h>

// All messages, one after the other; gives their number.
static int program_judge(const char *text, Text *out) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  Names *names = names_new(arena);
  CheckedProgram *p =
      program_load_text(arena, names, diag, lib_files, "t.fut", text, strlen(text));
  if (!diag->errors) program_check(arena, names, diag, p, NULL);
  text_puts(out, "");
  for (int i = 0; i < diag->entries.len; i++)
    if (diag->entries.at[i].kind == DIAG_ERROR) {
      text_puts(out, diag->entries.at[i].message);
      text_putc(out, '\n');
    }
  int errors = diag->errors;
  if (!errors) {  // the type of the last value
    const ModEnv *env = p->root->exports;
    SType *type = env->terms.at[env->terms.len - 1]->type;
    if (type) stype_print(out, type);
  }
  arena_free(arena);
  return errors;
}

static void accept(const char *text) {
  Text got = {0};
  int errors = program_judge(text, &got);
  verdict(errors == 0, text, "accepted", got.at);
  text_free(&got);
}

static void accept_as(const char *text, const char *type) {
  Text got = {0};
  bool good = program_judge(text, &got) == 0 && strcmp(got.at, type) == 0;
  verdict(good, text, type, got.at);
  text_free(&got);
}

static void reject(const char *text, const char *message) {
  Text got = {0};
  bool good = program_judge(text, &got) != 0 && strstr(got.at, message);
  verdict(good, text, message, got.at);
  text_free(&got);
}

static void reject_times(const char *text, int times) {
  Text got = {0}, want = {0};
  text_printf(&want, "%d errors", times);
  int errors = program_judge(text, &got);
  verdict(errors == times, text, want.at, got.at);
  text_free(&got);
  text_free(&want);
}

#define FREE "which is not consumable"
#define USED(x) "Using variable \"" x "\", but this was consumed at "

static void test_updates(void) {
  reject("def f (a: []i32) = a with [0] = 1", "Consuming variable \"a\", " FREE);
  reject("def f (a: *[]i32) = let b = a with [0] = 1 in a", USED("a") "t.fut:1:");
  accept("def f (a: *[]i32) = (a[0], a with [0] = 1)");
  reject("def f (a: *[]i32) = (a with [0] = 1, a[0])", USED("a"));
  reject("def f (a: *[]i32) = (a, a with [0] = 1)", USED("a"));
  reject("def g (x: []i32) (y: []i32) = x[0] + y[0]\n"
         "def f (a: *[]i32) = g a (a with [0] = 1)", USED("a"));
  accept("def f (xs: []i32) (ys: []i32) =\n"
         "  let (a, b) = (copy xs, ys) let a[0] = 1 in (a, b)");
  reject("def f (xs: []i32) (ys: []i32) =\n"
         "  let t = (copy xs, ys) let u = t.0 with [0] = 1 in (u, t.1)", USED("t"));
  reject("def f [n] (a: *[n][n]i32) (r: [n]i32) = let b = a[1] let a[0] = r in b", USED("a"));
  accept("def f [n] (a: *[n][n]i32) = let b = a[1, 2] let a[0, 0] = 5 in (a, b)");
  accept("def f (a: *[]i32) = let b = copy a let a[0] = 1 in b");
  accept("def f [n] (a: *[n][n]i32) = let b = [a[0]] let a[0, 0] = 1 in b");
  reject("def f [n] (a: *[n][n]i32) = a with [0] = a[1]", "in-place update");
  reject("def f [n] (a: *[n][n]i32) = let r = a[1] let a[0] = r in a", "in-place update");
  accept("def f [n] (a: *[n][n]i32) = a with [0] = copy a[1]");
  accept("def g (x: *[]i64) : i64 = x[0]\n"
         "def f (ys: *[]i64) (xs: *[]i64) = ys with [xs[0]] = g xs");
}

static void test_records(void) {
  accept_as("def f (r: {a: []i32, b: i32}) (v: []i32) = r with a = v",
            "(r: {a: []i32, b: i32}) -> (v: []i32) -> {a: []i32, b: i32}");
  reject("def f (r: {a: []i32, b: []i32}) = r with a[0] = 1", FREE);
  accept("def f (r: *{a: []i32, b: []i32}) = r with a[0] = 1");
  reject("def f (r: *{a: []i32, b: []i32}) = let s = r with a[0] = 1 in r.b", USED("r"));
  reject("def f (r: {a: *[]i32, b: []i32}) = r with a[0] = 1", FREE);
  reject("def f (xs: []i32) (ys: *[]i32) =\n"
         "  let t = (xs, ys) with 0 = xs let ys[0] = 0 in t", USED("ys"));
  reject("def f {a = a: *[]i32} = a[0]\ndef g (x: []i32) = f {a = x}",
         "Consuming variable \"x\"");
}

static void test_closures(void) {
  reject("def f (a: *[]i32) = let f = \\i -> a[i] let a[0] = 1 in f 0i32", USED("a"));
  reject("def f (a: *[]i32) = let f (i: i32) = a with [i] = 0 in f 1", "Consuming variable \"a\"");
  accept("def f (is: []i64) =\n"
         "  map (\\i -> let t = iota 3 let t[0] = i in t) is");
  reject("def f (m: [][]i32) = map (\\r -> r with [0] = 0) (copy m)", "Consuming variable \"r\"");
  reject("def f (m: [][]i32) = map (\\(r: *[]i32) -> r with [0] = 0) (copy m)",
         "incompatible regarding consuming");
  reject("def c 't (x: *t) : *t = x\ndef f (m: [][]i32) = map c m",
         "incompatible regarding consuming");
  reject("def f (xs: *[]i32) (is: []i64) (vs: []i32) = let f = scatter xs in f is vs",
         "(#contains-consumption)");
  reject("def u (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i\n"
         "def f (xs: *[]i32) (is: []i32) = map (u xs) is", "(#consuming-argument)");
  reject("def c (f: () -> *[]i32) : *[]i32 = f () with [0] = 1\n"
         "def f (x: []i32) = let g () = x in c g", "Cannot apply \"c\" to \"g\"");
  accept("def c (f: () -> *[]i32) : *[]i32 = f () with [0] = 1\n"
         "def f (x: []i32) = let g () = copy x in c g");
  accept("def f (x: []i32) = let g y = copy y in (g x) with [0] = 1");
  reject("def f (g: []i32 -> []i32) (x: *[]i32) = (g x) with [0] = 1", "Consuming variable \"g\"");
}

static void test_functions(void) {
  reject("def id' (x: *[]i32) : []i32 = x\n"
         "def f (a: *[]i32) = let b = id' a in (a, b)", USED("a"));
  reject("def w x = x\ndef f (a: []i32) = let b = w a let b[0] = 1 in b",
         "Consuming variable \"a\"");
  accept_as("def mk n = (iota n, iota n)", "(n: i64) -> (*[n]i64, *[n]i64)");
  accept_as("def mk2 n = let a = iota n in (a, a)", "(n: i64) -> ([n]i64, [n]i64)");
  accept_as("def f (x: *[]i32) (y: []i32) = (x, y)",
            "(x: *[]i32) -> (y: []i32) -> (*[]i32, []i32)");
  accept_as("def f (x: *[]i32) : []i32 = x", "(x: *[]i32) -> []i32");
  reject("def mk2 n = let a = iota n in (a, a)\n"
         "def f n = let (a, b) = mk2 n let a[0] = 0 in (a, b)",
         "Using result of applying \"mk2\" (at t.fut:2:");
  reject("def c = [1, 2]\ndef g () = c", "Function result aliases the free variable \"c\"");
  accept_as("def c = [1, 2]\ndef g = c", "[]i32");
  reject("def c = [1, 2]\ndef g = c with [0] = 1", "Consuming variable \"c\"");
  reject("def c = [1, 2]\ndef f (n: i64) = let g (i: i64) = c in i64.sum (map i64.i32 (g n))",
         "aliases the free variable \"c\"");
  reject("def f (x: []i32) : *[]i32 = x",
         "Unique-typed return value of \"f\" is aliased to \"x\", " FREE);
  reject("def f (x: *[]i32) : (*[]i32, []i32) = (x, x)",
         "component of the return value of \"f\" is aliased to some other component");
  reject("def f (x: []i32) = (\\(y: []i32) : *[]i32 -> y) x", "is aliased to \"y\"");
  reject("def c : *[]i32 = [1]", "constant cannot have a unique type");
  accept("def f 't (x: *t) : *t = x");
  reject("def f 't (x: t) : *t = x", "is aliased to \"x\"");
  reject("def f 't (x: *t) = let g (y: *t) = 0 in g x + g x", USED("x"));
  reject("def c (xs: *[]i64) : i64 = xs[0]\n"
         "def f [n] (ns: *[n]i64) (xs: [c ns]f32) = xs[0]", "Consuming variable \"ns\"");
}

static void test_arguments(void) {
  reject("def f (xs: *[]i64) = scatter xs xs xs", "Argument is consumed, but aliases");
  reject("def g (t: *([]i32, []i32)) = 0i32\ndef f (x: *[]i32) = g (x, x)", "self-aliased");
  accept("def g (t: *([]i32, []i32)) = 0i32\n"
         "def f (x: []i32) = let t = (copy x, copy x) in g t");
  reject("def g (t: ([]i32, *[]i32)) = 0i32\ndef f (x: []i32) = g (x, copy x)",
         "Consuming variable \"x\"");
  reject("def f (t: ([]i32, *[]i32)) = let (a, b) = t let b[0] = 1 in a[0]", USED("t"));
  reject("def (+++) (x: *[]i32) (y: []i32) = y[0]\ndef f (x: *[]i32) = x +++ x", USED("x"));
  reject("def f (x: *[]i32) =\n  let g (a: []i32) (b: []i32) = a[0] + b[0]\n"
         "  in g (x with [0] = 1) x", USED("x"));
}

static void test_branches(void) {
  accept("def f (b: bool) (x: *[]i32) = if b then x with [0] = 1 else x");
  reject("def f (b: bool) (x: *[]i32) =\n"
         "  let y = if b then x with [0] = 1 else [1] in (x, y)", USED("x"));
  accept("def f (b: bool) (x: *[]i32) =\n"
         "  if b then x with [0] = 1 else x with [0] = 2");
  reject("type t = #some ([]i32) | #none\n"
         "def f (v: t) = match v case #some x -> x with [0] = 1 case #none -> [2]",
         "Consuming variable \"v\"");
  reject("type t = #some ([]i32) | #none\n"
         "def f (v: *t) = let y = match v case #some x -> x with [0] = 1 case #none -> [2]\n"
         "  in (v, y)", USED("v"));
  reject("def f (n: i64) (b: bool) =\n"
         "  let a = iota n let c = if b then iota n else a let c[0] = 4 in a[0]", USED("a"));
}

static void test_loops(void) {
  accept("def f (xs: []i32) n = loop a = copy xs for i < n do a with [i] = 0");
  reject("def f (xs: []i32) n = loop a = xs for i < n do a with [i] = 0",
         "Consuming variable \"xs\"");
  reject("def f (xs: []i32) n = loop a: []i32 = copy xs for i < n do a with [i] = 0",
         "Consuming variable \"a\"");
  reject("def f (xs: []i32) = loop (x: *[]i32) = xs for i < 10 do x", "Consuming variable \"xs\"");
  reject("def f (ys: *[]i32) n = loop a = [1] for i < n do let b = a with [i] = 0 in ys",
         "Return value for consuming loop parameter \"a\" aliases \"ys\"");
  reject("def f (n: i64) = loop (a: *[]i64, b: *[]i64) = (iota n, iota n) for i < 9 do (a, a)",
         "aliases other consumed loop parameter");
  reject("def f (n: i64) = loop (a, b) = (iota n, iota n) for i < 9 do\n"
         "  let b[0] = 1 in (b, b)", "aliases previously returned value");
  accept("def f (n: i64) = loop (a, b) = (iota n, iota n) for i < 9 do\n"
         "  let b[0] = 1 in (b, a)");
  reject("def f (n: i64) (xs: []i64) = loop (a, b) = (iota n, xs) for i < 9 do\n"
         "  let a[0] = 1 in (b, a)", "Consuming variable \"xs\"");
  reject("def f (xs: *[]i32) = loop a = xs for i < 9 do a with [i] = xs[i]",
         "Loop body uses \"xs\" (or aliases), but this is consumed by the initial loop argument");
  reject("def f (xs: *[]i32) = loop a = xs for x in xs do a with [0] = x", "Loop body uses");
  reject("def f (xs: *[]i32) = let g i = xs[i] in loop a = xs for i < 9i32 do a with [i] = g i",
         "Loop body uses \"g\"");
  reject("def f (xs: *[]i32) = loop a = copy xs for i < 9 do\n"
         "  let xs[i] = 1 in a", "Consuming variable \"xs\"");
  accept("def f (n: i64) (m: i64) = loop a = iota n for i < m do\n"
         "  loop b = a while b[0] < 9 do b with [0] = b[0] + 1");
  reject("def f (s: []i32) : *[]i32 = let t = loop t = s for _i < 10 do t in t with [0] = 0",
         "Consuming variable \"s\"");
  reject("def g (x: []i64) = x\n"
         "def f n : (*[]i64, *[]i64) = loop _ = (iota 10, iota 10) for i < n do\n"
         "  let a = iota 10 in (a, a)", "aliased to some other component");
  reject("def f (n: i64) : (*[]i64, *[]i64) = loop (a, b) = (iota n, iota n) for i < n do (b, a)",
         "aliased to some other component");
  accept("def f (n: i64) : (*[]i64, *[]i64) = loop (a: *[]i64, b: *[]i64) = (iota n, iota n)\n"
         "  for i < n do (b, a)");
}

static void test_modules(void) {
  accept("module type S = {type t val zero: t val add: t -> t -> t}\n"
         "module f (M: S) = {def sum (xs: []M.t) = reduce M.add M.zero xs}");
  reject("module m: {val f [n]: [n]i32 -> *[n]i32} = {def f [n] (x: [n]i32) : [n]i32 = x}",
         "differ in uniqueness");
  accept("module m: {val f [n]: [n]i32 -> *[n]i32} = {def f [n] (x: [n]i32) = copy x}");
  reject("module m = {def e = []}\ndef c (a: *[]i64) = a\ndef f (_: bool) = c m.e",
         "Consuming variable \"e\"");
}

// Every misuse is reported, and only once.
static void test_counts(void) {
  reject_times("def f (a: *[]i32) (b: *[]i32) =\n"
               "  let c = a with [0] = 1 let d = b with [0] = 1 in (a, b, c, d)", 2);
  reject_times("def f (a: *[]i32) =\n"
               "  let c = a with [0] = 1 let d = a let e = d let g = e in (g, d)", 1);
  reject_times("def f (a: []i32) (b: []i32) = (a with [0] = 1, b with [0] = 1)", 2);
}

// Long chains take time in proportion to their length.
static double chain_time(int len, const char *head, const char *step, const char *end) {
  Text text = {0}, got = {0};
  text_puts(&text, head);
  for (int i = 0; i < len; i++) {
    text_printf(&text, "let a%d = ", i + 1);
    for (const char *s = step; *s; s++)
      if (*s == '@') text_printf(&text, "a%d", i);
      else text_putc(&text, *s);
    text_putc(&text, '\n');
  }
  text_printf(&text, end, len);
  clock_t start = clock();
  int errors = program_judge(text.at, &got);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  verdict(errors == 0, "a long chain", "accepted", got.at);
  text_free(&text);
  text_free(&got);
  return seconds;
}

static void test_length(void) {
  double s = chain_time(20000, "def g (x: []i32) : []i32 = x\ndef f (a0: *[]i32) = ", "g @",
                        "in a%d with [0] = 1");
  s += chain_time(20000, "def f (a0: *[]i32) = ", "@ with [0] = 1", "in a%d");
  s += chain_time(5000, "def f (a0: *[]i32) = ", "if @[0] == 0 then @ with [0] = 1 else @",
                  "in a%d");
  verdict(s < 20, "long chains", "less than 20 s", "more");
}

// Names of types keep no `*` outside functions.
static void test_abbreviations(void) {
  accept("type t = *[3]i32\ndef f (_: i32) (y: [3]i32) : t = y");
  reject("type t = {a: *[3]i32}\ndef f (x: t) = x.a with [0] = 1", "not consumable");
  reject("type t 'a = {a: a}\ndef f (x: t (*[3]i32)) = x.a with [0] = 1", "not consumable");
  accept("type t = [3]i32\ndef f (x: *t) = x with [0] = 1");
  reject("type^ f = *[3]i32 -> i32\ndef g (f: f) (x: *[3]i32) = (f x, x[0])", "was consumed");
  accept("type t = *[3]i32\ndef x : t = [1, 2, 3]");
  accept("type opt 'a = #some a | #none\ndef x : opt (*[3]i32) = #some [1, 2, 3]");
  reject("type t = [3]i32\ndef x : *t = [1, 2, 3]", "cannot have a unique type");
}

// Globals of abstract type may be numbers: they have no aliases.
static void test_abstract_globals(void) {
#define L "module mk (L: {type t val ne: t val a: [2]t val op: t -> t -> t val eat: *t -> t}) = {\n"
  accept(L "def f [n] (xs: [n]L.t): *[n]L.t = map (\\x -> x) xs |> scan L.op L.ne\n}");
  reject(L "def f [n] (xs: [n]L.t): *[n]L.t = xs |> scan L.op L.ne\n}", "aliased to \"xs\"");
  reject(L "def f [n] (e: L.t) (xs: [n]L.t): *[n]L.t = map id xs |> scan L.op e\n}",
         "aliased to \"e\"");
  accept(L "def f (_: i64): (*L.t, *L.t) = (L.ne, L.ne)\n}");
  accept(L "def f (_: i64) = L.eat L.ne\n}");
  reject(L "def f (_: i64) = L.a with [0] = L.ne\n}", "not consumable");
  reject(L "def f (_: i64): *[2]L.t = L.a\n}", "aliases the free variable \"a\"");
  reject(L "def f (_: i64) = let y = L.ne in (L.eat y, y)\n}", "was consumed");
#undef L
}

int main(void) {
  test_updates();
  test_records();
  test_closures();
  test_functions();
  test_arguments();
  test_branches();
  test_loops();
  test_modules();
  test_abbreviations();
  test_abstract_globals();
  test_counts();
  test_length();
  return unit_end();
}
