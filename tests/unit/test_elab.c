// Elaboration of small programs: what must be static, what must be shared, what must be checked.
#include "elab/elab.h"
#include <string.h>

static int failures, checks;

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

// The core text of a program; the caller's arena keeps it.
static const char *elaborated(Arena *arena, const char *text) {
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  struct EmbeddedFile *lib = lib_read(arena, "lib");
  CheckedProgram *p =
      program_load_text(arena, names, diag, lib, "test.fut", text, strlen(text));
  if (diag->errors == 0) program_check(arena, names, diag, p, NULL);
  if (diag->errors > 0) {
    diag_print(diag, stderr);
    return "";
  }
  Text out = {0};
  core_print(&out, elab_program(arena, names, diag, p, NULL));
  const char *copy = arena_strdup(arena, out.at ? out.at : "");
  text_free(&out);
  return copy;
}

// The program's core text has `what` exactly `n` times.
static void expect(const char *program, const char *what, int n) {
  Arena *arena = arena_new();
  const char *text = elaborated(arena, program);
  int found = count(text, what);
  checks++;
  if (!*text || found != n) {
    printf("%s\n  has '%s' %d times, not %d:\n%s\n", program, what, found, n, text);
    failures++;
  }
  arena_free(arena);
}

int main(void) {
  // Records, known constructors and functions leave nothing behind.
  expect("entry main (x: i32) = let t = {a = x, b = (\\y -> y + x)} in t.b t.a", "let ", 1);
  expect("def f (o: #some i32 | #none) = match o case #some x -> x case #none -> 0\n"
         "entry main (x: i32) = f (#some x)", "match", 0);
  expect("entry main (b: bool) (x: i32) = if b then x else 0", "select i32", 1);
  // Modules are evaluated, not represented.
  expect("module m (P: {type t val f: t -> t}) = {def g x = P.f (P.f x)}\n"
         "module n = m {type t = f32 def f (x: f32) = x * 2}\n"
         "entry main x = n.g x", "mul f32", 2);
  // Arrays of records are arrays; zip for a map copies nothing.
  expect("entry main (xs: []i32) (ys: []f32) = map2 (\\x y -> (x + 1, y)) xs ys", "copy", 0);
  expect("entry main (xs: []i32) = let [n] (ys: [n]i32) = filter (> 0) xs in ys", "scatter", 1);
  // Recursion becomes one core function, its functional argument included.
  expect(
      "def rep (k: i64) (f: i64 -> i64) (x: i64): i64 = if k == 0 then x else rep (k-1) f (f x)\n"
      "entry main (c: i64) (x: i64) = rep 3 (\\y -> y + c) x",
      "fn rep", 1);
  // Calls of functions that may not be inlined share one.
  expect("#[noinline] def f (x: i32) = x * 3\n"
         "entry main (x: i32) = f (f (f x))", "apply f", 3);
  // Equal sizes stay one size; unequal ones are compared once.
  expect("entry main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys", "assert", 1);
  expect("entry main (xs: []i32) = xs :> [3]i32", "assert", 1);
  expect("entry main (xs: []i32) = #[unsafe] (xs :> [3]i32)", "assert", 0);
  // A loop whose array grows has a size among its parameters.
  expect("entry main (n: i64) = loop xs = [0i64] for i < n do xs ++ [i]", ", size_", 1);
  expect("entry main (xs: *[]i32) = loop xs for i < 3 do xs with [i] = 1", "*[", 2);
  expect("entry main (x: f64) = vjp (\\y -> y * y) x 1", "= vjp", 1);
  printf("%d passed, %d failed\n", checks - failures, failures);
  return failures > 0;
}
