// Static sizes: programs that are accepted, and the message of those that are not.
#include "check/check.h"
#include <string.h>

typedef struct {
  const char *text;
  const char *error;  // part of the first message or its notes; NULL: accepted
} Case;

static const Case cases[] = {
    // inference and structural equality
    {"def f xs = map (+1i32) xs\ndef g [n] (xs: [n]i32) : [n]i32 = f xs", NULL},
    {"def f n = replicate (n+1) true\ndef g (n: i64) : [n+1]bool = f n", NULL},
    {"def f (n, x) = replicate n x\ndef g = f (2, true) : []bool", NULL},
    {"def f (n, x) = replicate n x\ndef g = f (2, true) : [2]bool", "do not match"},
    {"def f (n: i64, m: i64) (a: [n]u8) = a", "not accessible to the caller"},
    {"def f (x: i64, _: bool) : [0][x]i32 = []", "\"x\""},
    {"def f xs = let m = length xs in replicate (2*m) 0i32\n"
     "def g [n] (xs: [n]i32) : [2 * length xs]i32 = f xs", NULL},
    {"def f xs = let (m, _) = (length xs, 0i32) in replicate m 0i32", NULL},
    {"def f [n] (xs: [n]i32) : [n+1]i32 = xs ++ [0]", NULL},
    {"def f [n] (xs: [n]i32) : [n+1]i32 = [0] ++ xs", "\"n + 1\" and \"1 + n\" do not match"},
    {"def f [n] (xs: [n]i32) = zip (tail xs) (init xs)", NULL},
    {"def f [n] (xs: [n]i32) = zip xs[1:] (tail xs)", NULL},
    {"def f [n] (xs: [n]i32) = zip xs[2:] (tail (tail xs))", "\"n - 2\" and \"n - 1 - 1\""},
    {"def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip (xs ++ ys) (ys ++ xs)", "do not match"},
    {"def f [n] (xs: [n]i32) = (take 3 xs : [3]i32, xs[:3] : [3]i32, xs[0:3] : [3]i32)", NULL},
    {"def f [n] (xs: [n]i32) (i: i64) = xs[i:i+3] : [3]i32", "i + 3 - i"},
    {"def f [n] (xs: [n]i32) (i: i64) = xs[i:i+3] :> [3]i32", NULL},
    {"def f (n: i64) : [n]i64 = 0..<(n+1)", "\"n + 1\""},
    {"def f (n: i32) (x: [i64.i32 n]f64) : [10]f64 = x", "\"i64.i32 n\""},
    {"module m = { module k = { def z: i64 = 3 } }\n"
     "def f (x: [m.k.z]f64) : [10]f64 = x", "\"m.k.z\""},
    {"def f (n: i32) : [10]i32 = 0i32..<n", "unknown length of range"},
    {"def f [n] (xs: [n]i32) : [10]i32 = xs", "Expected: [10]i32"},
    {"def f [n] (xs: [n]i32) : [n]i32 = xs[::-1]", NULL},
    {"def f [n] (xs: [n]i32) : [n]i32 = xs[::2]", "unknown length of slice"},
    // constants are computed
    {"def g (x: [3]f64) : [2]f64 = [x[0], x[1]]\n"
     "def f (z: [5]f64) : [5]f64 = let x = z[0:3] in x ++ map2 (*) z[3:5] (g x)", NULL},
    {"def f (x: [2 * 3 - 1]i32) : [6 - 1]i32 = x", NULL},
    {"def f [n] (x: [n + (5 - 3)]i32) : [n + 2]i32 = x", NULL},
    {"def f [n] (x: [n]i32) (ys: [n]i32) = 0\ndef g (x: [2]i32) (y: [5]i32) = f x y[1:3]", NULL},
    {"def f (x: [2 * 3]i32) : [7]i32 = x", "Sizes \"7\" and \"6\" do not match."},
    {"def f [n] (x: [n + 2]i32) : [2 + n]i32 = x", "\"2 + n\" and \"n + 2\" do not match"},
    // instantiation and absorption
    {"def f [n] (xs: [n]i32) : [n][5]i64 = map (\\_ -> iota 5) xs", NULL},
    {"def f = map iota [1,2]", "anonymous sizes"},
    {"def f [n] (xs: [n]i64) = map (\\x -> iota x) xs", "anonymous sizes"},
    {"def f [n] (b: bool) (xs: [n]i32) = map (\\i -> replicate (if b then 1 else 2) i) xs", NULL},
    {"def f = iota (let k = 3 in k)", NULL},
    {"def f : [3]i64 = iota (let k = 3 in k)", "with binding"},
    {"def f (p: i32 -> bool) (xs: []i32) = xs |> filter p |> length", NULL},
    {"def f (p: i32 -> bool) (xs: []i32) = length <| filter p xs", "Causality check"},
    {"def f (p: i32 -> bool) = filter p >-> length", "Existential size would appear"},
    {"def f (p: i32 -> bool) (xs: []i32) = let ys = filter p xs in zip ys ys", NULL},
    {"def f (p: i32 -> bool) (xs: []i32) = zip (filter p xs) (filter p xs)",
     "returned by \"filter\""},
    {"def ap 'a (f: a -> a) (x: a) = f x\ndef f [n] (xs: [n]i32) = ap (\\x -> x ++ x) xs",
     "Occurs check"},
    {"def ap (f: (n: i64) -> [n]i64) (k: i64) : [k]i64 = f k\ndef f = ap iota 10", NULL},
    {"def ap (f: (n: i64) -> [n]i64) (k: i64) : [k]i64 = f k\ndef f = ap (\\n -> iota (n+1)) 10",
     "\"n\""},
    {"def f (g: (n: i64) -> [n]i32) (k: i64) : [k]i32 = g k", NULL},
    // a size that its use tells; a constant of a sum that owns an array
    {"def f [n] (is: [n]i64) (vs: [n]i32) : [n]bool =\n"
     "  let set = rep false in scatter set is (map (> 0) vs)", NULL},
    {"def f [n] (is: [n]i64) = let set = rep 0 in map2 (+) (scatter (copy set) is is) is", NULL},
    {"type~ s = #a (*[]i32) | #b\ndef y : s = #a [1]\n"
     "def n = match y case #a v -> length v case #b -> 0", NULL},
    // branches: flexible sizes become one, those that a named type hides do not
    {"def f (xs: []i32) (ys: []i32) b = zip (if b then xs else ys) xs", NULL},
    {"module m : { type~ t val f : bool -> t -> i64 } = { type~ t = {a: []i64, b: []i64}\n"
     "def f b (t: t) = length (if b then t.a else t.b) }", NULL},
    {"module m : { type~ t val f : bool -> t -> i64 } = { type~ t = {a: []i64, b: []i64}\n"
     "def f (b: bool) (t: t) = length (zip t.a t.b) }", "do not match"},
    {"module m : { type~ t val f [n]: bool -> [n]i64 -> t -> t } = { type~ t = {a: []i64}\n"
     "def f b (xs: []i64) (t: t) = if b then t with a = xs else t }", NULL},
    {"type~ xs = []i32\ntype~ tree = {nodes: []f64, starts: xs, ends: xs}\n"
     "module type trees = { type~ tree val mk : i64 -> tree val count : i64 -> tree -> i64 }\n"
     "module m : trees = { type~ tree = tree\n"
     "def mk n = {nodes = replicate n 1f64, starts = replicate n 1i32, ends = rep 1i32}\n"
     "def count n (t: tree) = n + length t.nodes + length t.ends }", NULL},
    {"type~ t = {a: []i64}\n"
     "def f (t: t) b = let s = if b then {a = [1]} else t in zip s.a t.a", "Unknown size"},
    {"module m : { type~ t val f : t -> t } = { type~ t = []i64 def f (t: t) = copy t }\n"
     "def f (x: m.t) = copy (m.f x)", NULL},
    // named parameters: sizes of an inferred function type follow, others do not
    {"def f : ((k: i64) -> [k]f64 -> [k]f64) -> () = \\_ -> ()", NULL},
    {"def f : (bool, (k: i64) -> [k]f64 -> [k]f64) -> bool = \\(b, _) -> b", NULL},
    {"type^ o = {go: (k: i64) -> [k]f64 -> [k]f64}\ndef g (o: o) : o = o\n"
     "def f (n: i64) = (g {go = \\k (x: [k]f64) -> map (+1) x} |> (.go)) n (replicate n 2)", NULL},
    {"type^ o = (bool, (k: i64) -> [k]f64 -> [k]f64)\ndef g (o: o) : o = o\n"
     "def f (n: i64) = (g (true, \\k (x: [k]f64) -> x) |> (.1)) n (replicate n 2)", NULL},
    {"type^ o = {go: (k: i64) -> [k]f64 -> [k]f64}\n"
     "def f (o: o) (n: i64) : [n]f64 = let {go} = o in go n (replicate n 2)", NULL},
    {"type^ g = (k: i64) -> [k]i32 -> i64\ndef f : g = \\_ xs -> length xs", "\"k\" do not match"},
    {"def same [m] (x: [m]i64) (y: [m]i64) = length x + length y\n"
     "def h (f: (m: i64) -> [m]i64 -> i64) = f 1 [2]\n"
     "def v = h (\\m u -> same u u + m)", "Sizes \"d\xe2\x82\x81\" and \"m\" do not match"},
    {"def h (f: (m: i64) -> [m]i64 -> i64) = f 1 [2]\n"
     "def v = h (\\m (u: [m]i64) -> length u + m)", NULL},
    {"type^ g = (k: i64) -> [k]i32 -> i64\ndef h (g: g) = g 2 [1, 2]\n"
     "def f = h (\\_ xs -> length xs)", "\"k\" do not match"},
    {"type^ g = (k: i64) -> [k]i32 -> i64\ndef f : g = \\k (xs: [k]i32) -> length xs", NULL},
    {"def f [n] (xs: [n]i64) = id iota n", NULL},
    {"def f (n: i64) : [n]i64 = {i = iota}.i n", NULL},
    // let
    {"def f (p: i32 -> bool) (xs: []i32) =\n"
     "  let [k] (ys: [k]i32) = filter p xs in zip ys (iota k)", NULL},
    {"def f (p: i32 -> bool) (xs: []i32) = let [k] ys = filter p xs in k", "unused in pattern"},
    {"def f = let [n] (g: [n]bool -> [n]bool) = (\\(xs: [10]bool) -> xs) in n", "Cannot bind [n]"},
    {"def f = let [n][m] (xss: [n][m]i64) = [] in (n, m)", "Ambiguous size \"m\""},
    {"def f = let [n] (a: [n]i64, b: [n]i64) = (iota 1, iota 2) in zip a b", "cannot match"},
    {"def f (xs: []i32) (k: i64) = let n = 5 + k in zip xs (iota n)", "#scope-violation"},
    {"def f xs n = zip xs (iota n)", "#scope-violation"},
    {"def f n xs = zip xs (iota n)\ndef g (n: i64) (xs: [n]bool) : [n](bool, i64) = f n xs", NULL},
    {"def f (xs: []i32) (ys: []i32) =\n"
     "  let g [m] (zs: [m]i32) = length zs in g xs + g ys", NULL},
    {"def f [n] (xs: [n]i32) = let g zs = zip xs zs in g (iota n)", NULL},
    // branches
    {"def f (b: bool) (n: i64) (m: i64) = if b then iota n else iota m", NULL},
    {"def f (b: bool) (n: i64) (m: i64) : [2]i64 = if b then iota n else iota m",
     "where branches differ: [n] and [m]"},
    {"def f (b: bool) (p: i32 -> bool) (xs: []i32) = if b then xs else filter p xs", NULL},
    {"def f (b: bool) (xs: []i32) (ys: []i32) = if b then xs else ys\n"
     "def g [n] (xs: [n]i32) : [n]i32 = f true xs xs", NULL},
    {"def f (b: bool) (xs: []i32) (ys: []i32) = if b then xs else ys\n"
     "def g (xs: [2]i32) (ys: [3]i32) = f true xs ys", "do not match"},
    {"def f (b: bool) (p: i32 -> bool) (xs: []i32) = if b then filter p xs else ???",
     "#causality-check"},
    // loops
    {"def f : []i32 = loop a = [1] for i < 3 do a ++ a", NULL},
    {"def f : [1]i32 = loop a = [1] for i < 3 do a ++ a", "loop result"},
    {"def f [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =\n"
     "  loop (a, b) = (xs, ys) for i < 3 do (b, a)", NULL},
    {"def f (p: i32 -> bool) (xs: []i32) =\n"
     "  loop (a, b) = (xs, xs) for i < 3 do (b, filter p b)", NULL},
    {"def f [n] (xs: [n]i32) : [n]i32 = loop (a: [n]i32) = xs for i < 3 do map (+1) a", NULL},
    {"def f [m] (xs: [m]i32) (n: i64) =\n"
     "  loop (ys: [n]i32) = xs for i < 3 do replicate n (ys[0] + 1)", "Initial loop values"},
    {"def f [n] (xs: [n]i32) =\n"
     "  loop (a, b) = (xs, xs) for i < 3 do let c = filter (> 0) (map2 (+) a b) in (a, c)",
     "Loop body does not have expected type"},
    {"def f (xs: []i32) =\n"
     "  loop a = xs for i < 2 do let b = filter (> 0) a let c = zip a b in a ++ a",
     "inside the loop body"},
    // functions
    {"def e = []\ndef f : [0]i32 = e", NULL},
    {"def e : [][]i32 = []", NULL},
    {"entry e : [][]i32 = []", "size-polymorphic in their return type"},
    {"def h [n] (g: [n]i32 -> i32) = n\ndef f = h (\\(ys: [3]i32) -> ys[0])", NULL},
    {"def h [n] (g: [n]i32 -> i32) = n\ndef f = h (\\ys -> ys[0])",
     "instantiated size parameter of \"h\""},
    {"def f (n: i64) : [n]i64 = if n == 0 then iota n else sized n (f (n - 1) ++ [1])", NULL},
    {"def f (n: i64) : [n]i64 = if n == 0 then iota n else let r = map f [n - 1] in r[0]",
     "Cannot apply \"map\""},
    {"def f (p: i32 -> bool) (xs: []i32) = \\(ys: []i32) -> zip xs (filter p ys)",
     "in parameter of \"f\""},
    {"def f (xs: []i32) = let zs = filter (> 0) xs in \\(ys: []i32) -> zip ys zs",
     "in parameter of \"f\""},
    {"def f (k: i32) = (\\ys -> loop xs = [1i32] for i < k do\n"
     "  let z = zip xs ys in xs ++ xs) [2i32]", "Loop-variant size"},
    {"def e = ([] : [0][]i32, filter (> 0) [1i32])", "A size-polymorphic value binding"},
    {"entry f [n] (x: [n + 1]i64) = n", "only used non-constructively"},
    {"def f (n: i64) : []i64 = let m = n * 2 in iota m\ndef g : [3 * 2]i64 = f 3", NULL},
    {"def f (n: i64) = let (m, _) = (n, 0i32) in iota m\ndef g : [3]i64 = f 3",
     "do not match"},
    {"def f (k: i64) (b: bool) : [k]i64 = let xs = if b then iota k else iota k in xs", NULL},
    {"def f (ns: []i64) = flatmap' (\\x -> iota x) ns", NULL},
    {"def f (xs: []i32) (x: i32) = uncurry zip (xs, map (+x) xs)", NULL},
    {"def f 'a [n] (xs: [n]a) = foldl (\\ys x -> [x]) [xs[0]] xs", NULL},
    {"def f 'a [n] (xs: [n]a) = foldl (\\ys x -> ys ++ [x]) [] xs", "Occurs check"},
    // type expressions
    {"def f (xs: [let n = 3 in n]i32) = xs", "#size-expression-bind"},
    {"type^ t = []i32 -> i32", "#anonymous-nonconstructive"},
    {"type v [n] = [n]f32\ndef f (x: v [3]) : [3]f32 = x", NULL},
    {"type v [n] = ([n]f32, [n]i32)\ndef f (x: v []) = zip x.0 x.1", NULL},
    {"type^ t = [3]i32 -> ?[m].[m]i32\ndef f : t = filter (> 0)", NULL},
    {"def f (x: ?[n].i32) = x", "Existential size \"n\" not used"},
    {"def f [n] : [n]i32 = (??? : [n]i32)\ndef g = length (??? : [3]bool)", NULL},
    {"def f = length ???", "Ambiguous size"},
    {"def f [n] (xs: [n]i32) = #some xs : (#some ([n]i32) | #none)", NULL},
    {"type~ s = #a ([]i32) | #b ([]i32)\ndef f (xs: []i32) = let v: s = #a xs in xs",
     "explicit type ascription"},
    {"def f (n: i64) (xs: [n]i32) = [] :> [0][n]i32", "Ambiguous size"},
    // modules
    {"module m : { type t [n] } = { type t [n] = [n + 1]bool }", "not used constructively"},
    {"module m : { type~ t val e : t } = { type~ t = []bool def e : []bool = [] }",
     "top-level size"},
    {"module m : { val n : i64 val xs : [n]i64 } = { def n = 3i64 def xs = iota n }", NULL},
    {"module m : { val n : i64 val xs : [n]i64 } = { def n = 3i64 def xs = iota (n + 1) }",
     "do not match"},
    {"module m : { val f [n] : [n]i32 -> [n]i32 } = { def f (xs: []i32) = tail xs }",
     "do not match"},
    {"module m : { type t [n] val mk : (n: i64) -> t [n] val un [n] : t [n] -> i64 } =\n"
     "  { type t [n] = [n]() def mk n = replicate n () def un x = length x }\n"
     "def f (k: i64) = m.un (m.mk (k + 1))", NULL},
};

static const char *with_notes(Arena *arena, const DiagEntry *entry) {
  const char *s = entry->message;
  for (int i = 0; i < entry->notes.len; i++)
    s = arena_printf(arena, "%s\n%s", s, entry->notes.at[i].message);
  return s;
}

static const char *first_error(Arena *arena, const char *text) {
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  diag->no_warnings = true;
  CheckedProgram *program = program_load_text(arena, names, diag, lib_read(arena, "lib"), "t.fut",
                                              text, strlen(text));
  if (!diag->errors) program_check(arena, names, diag, program, NULL);
  for (int i = 0; i < diag->entries.len; i++)
    if (diag->entries.at[i].kind == DIAG_ERROR) return with_notes(arena, &diag->entries.at[i]);
  return NULL;
}

int main(void) {
  int failed = 0;
  for (int i = 0; i < COUNT_OF(cases); i++) {
    Arena *arena = arena_new();
    const char *got = first_error(arena, cases[i].text);
    const char *want = cases[i].error;
    if (want ? !got || !strstr(got, want) : got != NULL) {
      failed++;
      printf("%s\n  want: %s\n  got:  %s\n", cases[i].text, want ? want : "accepted",
             got ? got : "accepted");
    }
    arena_free(arena);
  }
  printf("sizes: %d passed, %d failed\n", COUNT_OF(cases) - failed, failed);
  return failed != 0;
}
