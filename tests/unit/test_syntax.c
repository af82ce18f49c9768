// Lexer, parser, printer and test blocks.  Most checks are pairs of source and its canonical
// print: the printer puts parentheses only where the tree needs them, so it shows the tree.
#include "syntax/testblock.h"
#include "unit.h"
#include <string.h>

typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
} Bench;

static Bench bench_new(void) {
  Arena *arena = arena_new();
  return (Bench){arena, names_new(arena), diag_new(arena)};
}

static const Source *source_of(Bench *b, const char *text) {
  return source_new(b->arena, "t.fut", text, strlen(text));
}

static const char *first_error(const Bench *b) {
  return b->diag->entries.len ? b->diag->entries.at[0].message : "no error";
}

static void print_exp_text(Bench *b, const char *text, Text *out) {
  Expr *exp = syntax_parse_exp(b->arena, b->names, source_of(b, text), b->diag);
  if (exp)
    exp_print(out, exp);
  else
    text_puts(out, first_error(b));
}

static void print_type_text(Bench *b, const char *text, Text *out) {
  TypeExp *type = syntax_parse_type(b->arena, b->names, source_of(b, text), b->diag);
  if (type)
    type_exp_print(out, type);
  else
    text_puts(out, first_error(b));
}

static void print_file_text(Bench *b, const char *text, Text *out) {
  SourceFile *file = syntax_parse(b->arena, b->names, source_of(b, text), b->diag);
  if (b->diag->errors)
    text_puts(out, first_error(b));
  else
    syntax_print(out, file);
}

typedef struct {
  const char *from, *to;  // to == NULL: prints as written
} Pair;

// Parse and print give `to`, and `to` gives itself.
static void check_pairs(const Pair *pairs, int n, void (*print)(Bench *, const char *, Text *)) {
  for (int i = 0; i < n; i++) {
    Bench b = bench_new();
    const char *want = pairs[i].to ? pairs[i].to : pairs[i].from;
    Text got = {0}, again = {0};
    print(&b, pairs[i].from, &got);
    print(&b, want, &again);
    verdict(strcmp(got.at, want) == 0, pairs[i].from, want, got.at);
    verdict(strcmp(again.at, want) == 0, "printed again", want, again.at);
    text_free(&got);
    text_free(&again);
    arena_free(b.arena);
  }
}

static void test_precedence(void) {
  static const Pair pairs[] = {
      {"a+b*c", "a + b * c"},
      {"(a+b)*c", "(a + b) * c"},
      {"a-b-c", "a - b - c"},
      {"a-(b-c)", "a - (b - c)"},
      {"a**b**c", "a ** b ** c"},
      {"a**(b**c)", "a ** (b ** c)"},
      {"-x ** 2", NULL},
      {"-(x ** 2)", NULL},
      {"-f y", NULL},
      {"-(-x)", NULL},
      {"!(!b)", NULL},
      {"f -x", "f - x"},
      {"f (-x)", NULL},
      {"a |> f <| b", NULL},
      {"(a |> f) <| b", NULL},
      {"x % 2 == 0", NULL},
      {"a && b || c", NULL},
      {"a && (b || c)", NULL},
      {"a || b |> f", NULL},
      {"a < b == c", NULL},
      {"a & b < c", NULL},
      {"a << b + c", NULL},
      {"a +^ b *^ c", NULL},
      {"a >-> b + c", NULL},
      {"a >>> b < c", NULL},
      {"(a >-> b) + c", NULL},
      {"a `f` b + c", NULL},
      {"(a `f` b) + c", NULL},
      {"a `m.f` b `g` c", NULL},
      {"a i32.+ b i32.* c", NULL},
      {"a !! b", NULL},
      {"f <| g <| x", NULL},
      {"(f <| g) <| x", NULL},
      {"x |> f |> g", NULL},
      {"x |> (f |> g)", NULL},
      {"a : i32 : i64", NULL},
      {"a + b : i32", NULL},
      {"a + (b : i32)", NULL},
      {"a :> [n]i32", NULL},
      {"0..<n", NULL},
      {"0..2..<n + 1", NULL},
      {"a...b - 1", NULL},
      {"n..>0", NULL},
      {"1.0... 2.0", NULL},
      {"(0..<n) |> f", NULL},
      {"1 + if a then b else c + d", "1 + (if a then b else c + d)"},
      {"(if a then b else c) + d", NULL},
      {"x with a = 1 with b = 2", NULL},
      {"a |> f with x = 1", NULL},
      {"a |> (f with x = 1)", NULL},
      {"f x with [0] = 1 + 2", NULL},
      {"r with a = (s with b = 1)", NULL},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_exp_text);
}

static void test_atoms(void) {
  static const Pair pairs[] = {
      {"()", NULL},
      {"( )", "()"},
      {"{}", NULL},
      {"(a,b,)", "(a, b)"},
      {"{a=1, b, 0 = 2,}", "{a = 1, b, 0 = 2}"},
      {"[]", NULL},
      {"[1, 2,]", "[1, 2]"},
      {"[1i32, -2i32]", NULL},
      {"[0x1fu8, 1u8]", "[31u8, 1u8]"},
      {"[1.5f32, -2f32]", NULL},
      {"[1i32, 2i64]", NULL},
      {"[0x1f32]", NULL},
      {"[[1u8], []]", NULL},
      {"a . b . c", "a.b.c"},
      {"t.0.1", NULL},
      {"(m.x).y", NULL},
      {"(f x).y.z", NULL},
      {"{a=1}.a", "{a = 1}.a"},
      {"m.(x + 1)", NULL},
      {"m.n.(f x).y[0]", NULL},
      {"f[x]", NULL},
      {"f [x]", NULL},
      {"[1,2][0]", "[1, 2][0]"},
      {"(f x)[0][1]", NULL},
      {"{a=1}[0]", "{a = 1} [0]"},
      {"(a[i]) [j]", NULL},
      {"a[i, j]", NULL},
      {"a[i:j:k, :, ::-1, 1:, :n]", NULL},
      {"a.b[0].c", NULL},
      {"'a'", NULL},
      {"'\\''", NULL},
      {"'\\n'", "'\\10'"},
      {"\"a\\tb\\\"\"", "\"a\\9b\\\"\""},
      {"\"\\1234\\&5\"", "\"\xD3\x92" "5\""},
      {"\"\\7\\&1\"", NULL},
      {"true && false", NULL},
      {"???", NULL},
      {"1_000u8", "1000u8"},
      {"0xFFi32", NULL},
      {"0b1_0", "0b10"},
      {"0rXIV", NULL},
      {"1.5e-3f32", NULL},
      {"2f32", NULL},
      {"0x1.8p-3", NULL},
      {"0x1.8p-3f64", NULL},
      {"x' + _y1", NULL},
      {"#a", NULL},
      {"#a #b x (f y)", NULL},
      {"f #a x", NULL},
      {"(#a) x", NULL},
      {"#a (#b x)", NULL},
      {"f (g x) \\y -> y", "f (g x) (\\y -> y)"},
      {"-128i8", NULL},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_exp_text);
}

static void test_sections(void) {
  static const Pair pairs[] = {
      {"(+)", NULL},
      {"(-)", NULL},
      {"(*)", NULL},
      {"(&&)", NULL},
      {"(m.+)", NULL},
      {"(`f`)", "f"},
      {"(+ 1)", NULL},
      {"(1 +)", NULL},
      {"(1 -)", NULL},
      {"(- 1)", "-1"},
      {"(-x)", "-x"},
      {"(a*b +)", "(a * b +)"},
      {"(a+b +)", "(a + b +)"},
      {"(+ a * b)", NULL},
      {"(`f` x)", NULL},
      {"(x `m.f`)", NULL},
      {"(x |>)", NULL},
      {"(<| x)", NULL},
      {"(.a)", NULL},
      {"(.a.b[0])", NULL},
      {"(.[i, :j])", NULL},
      {"(.0.1)", NULL},
      {"map (+ 1) xs", NULL},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_exp_text);
}

static void test_control(void) {
  static const Pair pairs[] = {
      {"let x = 1 let y = 2 in x + y", "let x = 1 in let y = 2 in x + y"},
      {"let (a, _): (i32, t) = e in a", NULL},
      {"let [n] (xs: [n]i32) = e in n", "let [n] xs: [n]i32 = e in n"},
      {"let[n] xs: [n]i32 = e in n", "let [n] xs: [n]i32 = e in n"},
      {"let a[i] = 1 in a", "let a = a with [i] = 1 in a"},
      {"let r.x[0] = 1 in r", "let r = r with x[0] = 1 in r"},
      {"let f [n] 'a (x: [n]a) y: i32 = y in f x 1", NULL},
      {"let f x = x in f", NULL},
      {"if a then b else if c then d else e", NULL},
      {"if a then b else c : i32", NULL},
      {"(if a then b else c) : i32", NULL},
      {"loop x for i < n do x + i", NULL},
      {"loop (x, y) = (1, 2) for z in zs do (y, x)", NULL},
      {"loop (x: i32) = 1 while x < 10 do x * 2",
       "loop x: i32 = 1 while x < 10 do x * 2"},
      {"loop {a, b = c} for i < 3 do {a, b = c}", NULL},
      {"match x case 1 -> a case -2 -> b case _ -> c", NULL},
      {"match x case #a (#b y) z -> y case (#c: t) -> 1", NULL},
      {"match x case 'c' -> match y case a -> b case d -> e", NULL},
      {"match x case a -> (match y case b -> c) case d -> e", NULL},
      {"match x case {a, b = (c, _), d: t} -> a", NULL},
      {"match x case #[a] y -> y", "match x case (#[a] y) -> y"},
      {"\\x -> x + 1", NULL},
      {"\\(x: i32) {y} _ : i64 -> x", "\\(x: i32) {y} _: i64 -> x"},
      {"\\(a, b) () -> a", NULL},
      {"assert (x < 1) y", NULL},
      {"assert c[i] (y + 1)", "assert c[i] y + 1"},
      {"#[unroll] loop x = 1 for i < 3 do x", NULL},
      {"#[sequential_outer(1, a(b))] f x", NULL},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_exp_text);
}

static void test_types(void) {
  static const Pair pairs[] = {
      {"i32", NULL},
      {"m.t", NULL},
      {"[n][m+1]i32", "[n][m + 1]i32"},
      {"[]t", NULL},
      {"*[n]t", NULL},
      {"(a, b)", NULL},
      {"()", NULL},
      {"{x: i32, y: f32, 0: t}", NULL},
      {"#a | #b i32 ([n]t) (a -> b)", NULL},
      {"#c [n]t [m] u | #d", "#c ([n]t [m] u) | #d"},
      {"#c t [n]i32 | #d", "#c t ([n]i32) | #d"},
      {"[]#a | #b", NULL},
      {"a -> b -> c", NULL},
      {"(a -> b) -> c", NULL},
      {"(x: a) -> [x]b", NULL},
      {"?[k].[k]t", NULL},
      {"?[k][l].([k]t, [l]t)", NULL},
      {"(?[k].[k]t) -> i32", NULL},
      {"vec [n] t (u, v)", NULL},
      {"vec ([n]t)", NULL},
      {"[n]vec [m] t", NULL},
      {"[f x :> i64]t", NULL},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_type_text);
}

static void test_decs(void) {
  static const Pair pairs[] = {
      {"def x=1", "def x = 1\n"},
      {"let f [n] 'a '~b '^c (x: [n]a): i32 = 1", "def f [n] 'a '~b '^c (x: [n]a): i32 = 1\n"},
      {"entry main (x: i32) = x\n", NULL},
      {"def x +^ y = x", "def (+^) x y = x\n"},
      {"def (x: t) `f` (y: t): t = x", "def f (x: t) (y: t): t = x\n"},
      {"def (<*>) a b = a\n", NULL},
      {"def x - y = x", "def (-) x y = x\n"},
      {"def f (-1) 'c' #a = 1\n", NULL},
      {"#[inline] #[a(b)] def f = 1\n", NULL},
      {"type t = i32\n", NULL},
      {"type~ t [n] 'a = [n]a\n", NULL},
      {"type^ t 'a = a -> a\n", NULL},
      {"open m\n", NULL},
      {"open import \"a/b\"\n", NULL},
      {"import \"a\"\n", NULL},
      {"local open m.n\n", NULL},
      {"local def x = 1\n", NULL},
      {"-- | About x.\n-- More.\ndef x = 1\n", NULL},
      {"-- | The file.\n\n-- | About x.\ndef x = 1\n", NULL},
      {"-- plain\ndef x = 1 -- more\n", "def x = 1\n"},
      {"module m = {\n}\n", NULL},
      {"module m (p: S) (q: {\n  val x: t\n}) : T = F p {\n  def y = 1\n}\n", NULL},
      {"module m = \\(p: S): T -> p\n", NULL},
      {"module m = \\(p: S): (T with t = u) -> (p : T) : U\n",
       "module m = \\(p: S): (T with t = u) -> p : T : U\n"},
      {"module m = import \"x\" : S\n", NULL},
      {"module m = F (G x) y\n", NULL},
      {"module type S = {\n  type t\n  type~ u 'a\n  type v = i32\n  val f [n] 'a: [n]a -> t\n"
       "  val (+): t -> t\n  module M: T\n  include U with t = i32\n  #[a] val g: t\n}\n", NULL},
      {"module type S = {val + : t}", "module type S = {\n  val (+): t\n}\n"},
      {"module type S = (p: A) -> B -> C with t 'a = a with u = ?[k].[k]t\n", NULL},
      {"module type S = {\n  -- | Doc.\n  val x: i32\n}\n", NULL},
      {"type^ f = a -> b\ndef g = h\n", NULL},
      {"def x = a\n#[b]\ndef y = c", "def x = a\n#[b] def y = c\n"},
  };
  check_pairs(pairs, COUNT_OF(pairs), print_file_text);
}

typedef struct {
  const char *text, *place, *message;
} Wrong;

static void check_wrong(const Wrong *w, const Bench *b) {
  Text place = {0};
  if (b->diag->entries.len) span_print(&place, b->diag->entries.at[0].span);
  text_puts(&place, "");
  const char *message = first_error(b);
  verdict(strstr(message, w->message) != NULL, w->text, w->message, message);
  verdict(strcmp(place.at ? place.at : "", w->place) == 0, w->text, w->place, place.at);
  text_free(&place);
}

static void test_errors(void) {
  static const Wrong wrongs[] = {
      {"def f = )", "t.fut:1:9-10", "Unexpected token: ')'"},
      {"def f = 1 +", "t.fut:1:12-13", "Unexpected end of file"},
      {"def f = let x = 1\ndef g = 2", "t.fut:2:1-4", "Unexpected \"def\""},
      {"def f =\n  let x = 1", "t.fut:2:12-13", "Unexpected end of file"},
      {"def x ! y = 1", "t.fut:1:7-8", "cannot be used as infix"},
      {"def x m.+ y = 1", "t.fut:1:7-10", "Cannot bind a qualified name"},
      {"def (a, b) = 1", "t.fut:1:5-11", "Cannot bind patterns at top level"},
      {"def f = -- | no\n 1", "t.fut:1:9-16", "Documentation comments are only allowed"},
      {"def f = a[i] [j]", "t.fut:1:9-17", "a[i,j]"},
      {"def f = (m x).(e)", "t.fut:1:15-16", "Only a module name"},
      {"def f = 1..2", "t.fut:1:10-12", "use '...'"},
      {"def f = (a,)", "t.fut:1:12-13", "Unexpected token: ')'"},
      {"def f = (a+b *)", "t.fut:1:15-16", "Unexpected token: ')'"},
      {"def f = \"abc", "t.fut:1:9-13", "Unclosed string literal"},
      {"def f = in[1]", "t.fut:1:9-11", "Unexpected token: 'in'"},
      {"def f {_x} = 1", "t.fut:1:8-10", "underscore"},
      {"def f = loop _ for i < 1 do 1", "t.fut:1:14-15", "explicit initial value"},
      {"type t = #a | b", "t.fut:1:15-16", "Unexpected token: 'b'"},
      {"def f = match x", "t.fut:1:16-17", "Unexpected end of file"},
      {"def f = a \xC2\xA7 b", "t.fut:1:11-12", "Unexpected character"},
      {"def f = \"\xC3\xA9\" )", "t.fut:1:13-14", "Unexpected token: ')'"},
      {"def f = __x", "t.fut:1:9-10", "Unexpected token: '_'"},
      {"def true = 1", "t.fut:1:5-9", "Cannot bind patterns"},
      {"module m = { def x = 1", "t.fut:1:23-24", "Unexpected end of file"},
  };
  for (int i = 0; i < COUNT_OF(wrongs); i++) {
    Bench b = bench_new();
    syntax_parse(b.arena, b.names, source_of(&b, wrongs[i].text), b.diag);
    check_wrong(&wrongs[i], &b);
    arena_free(b.arena);
  }
}

static void test_recovery(void) {
  Bench b = bench_new();
  const char *text = "def a = 1\ndef b = )\ndef c = 2\ntype = 3\n  def d = 4\ndef e = 5\n";
  SourceFile *file = syntax_parse(b.arena, b.names, source_of(&b, text), b.diag);
  verdict(b.diag->errors == 2, "recovery: errors", "2", "other");
  verdict(file->decs.len == 3, "recovery: declarations", "3", "other");
  arena_free(b.arena);
}

static void check_span(const char *what, Span span, const char *want) {
  Text place = {0};
  span_print(&place, span);
  verdict(strcmp(place.at, want) == 0, what, want, place.at);
  text_free(&place);
}

static void test_spans(void) {
  Bench b = bench_new();
  Expr *exp = syntax_parse_exp(b.arena, b.names, source_of(&b, "f (a + b)\n  [c.d, 1]"), b.diag);
  check_span("apply", exp->span, "t.fut:1:1-2:11");
  check_span("argument in parentheses", exp->apply.args.at[0]->span, "t.fut:1:3-10");
  check_span("operator", exp->apply.args.at[0]->binop.op.name.span, "t.fut:1:6-7");
  check_span("array", exp->apply.args.at[1]->span, "t.fut:2:3-11");
  check_span("name", exp->apply.args.at[1]->array.elems.at[0]->span, "t.fut:2:4-7");
  const char *text = "let x = 1 in if a then b else c";
  exp = syntax_parse_exp(b.arena, b.names, source_of(&b, text), b.diag);
  check_span("let", exp->span, "t.fut:1:1-32");
  check_span("if", exp->let.body->span, "t.fut:1:14-32");
  arena_free(b.arena);
}

static void test_literals(void) {
  Bench b = bench_new();
  static const struct {
    const char *text;
    uint64_t value;
    bool overflow;
  } ints[] = {{"18446744073709551615", UINT64_MAX, false}, {"18446744073709551616", 0, true},
              {"0xff_ff", 65535, false}, {"0rMCMXCIX", 1999, false}, {"0b1010i8", 10, false}};
  for (int i = 0; i < COUNT_OF(ints); i++) {
    Expr *exp = syntax_parse_exp(b.arena, b.names, source_of(&b, ints[i].text), b.diag);
    verdict(exp && exp->tag == EXP_INT && exp->int_.value == ints[i].value &&
                exp->int_.overflow == ints[i].overflow,
            ints[i].text, "its value", "another");
  }
  Expr *exp = syntax_parse_exp(b.arena, b.names, source_of(&b, "[1f64, -1f64]"), b.diag);
  verdict(exp->arraylit.bits.at[0] == 0x3FF0000000000000u &&
              exp->arraylit.bits.at[1] == 0xBFF0000000000000u,
          "float bits", "1.0, -1.0", "other bits");
  exp = syntax_parse_exp(b.arena, b.names, source_of(&b, "'\xC3\xA9'"), b.diag);
  verdict(exp->char_.code == 0xE9, "char", "0xE9", "another");
  arena_free(b.arena);
}

// n copies of `unit` between head and tail.
static char *repeated(Bench *b, const char *head, const char *unit, int n, const char *tail) {
  Text text = {0};
  text_puts(&text, head);
  for (int i = 0; i < n; i++) text_puts(&text, unit);
  text_puts(&text, tail);
  char *copy = arena_strndup(b->arena, text.at, text.len);
  text_free(&text);
  return copy;
}

static void test_long_and_deep(void) {
  static const struct {
    const char *head, *unit, *tail;
    bool good;
  } table[] = {
      {"x", " + x", "", true},           {"", "let x = y ", "in x", true},
      {"", "if a then b else ", "c", false}, {"[", "1, ", "2]", true},
      {"[", "1i32, ", "2i32]", true},    {"", "(", "", false},
      {"", "[", "", false},              {"", "- ", "x", false},
      {"", "\\x -> ", "x", false},       {"", "f <| ", "x", false},
      {"x", " with a = 1", "", false},   {"x", ".0", "", false},
      {"x : ", "a -> ", "b", false},     {"", "let x = ", "", false},
      {"", "#[a] ", "x", false},         {"x", "[0]", "", false},
  };
  for (int i = 0; i < COUNT_OF(table); i++) {
    Bench b = bench_new();
    char *text = repeated(&b, table[i].head, table[i].unit, 50000, table[i].tail);
    Expr *exp = syntax_parse_exp(b.arena, b.names, source_of(&b, text), b.diag);
    verdict((exp != NULL) == table[i].good && b.diag->errors == !table[i].good, table[i].unit,
            table[i].good ? "a long chain is fine" : "one error", first_error(&b));
    arena_free(b.arena);
  }
}

static void test_imports(void) {
  Bench b = bench_new();
  const char *text = "import \"a\"\nmodule m = { open import \"../b\" }\nlocal import \"c\"\n";
  SourceFile *file = syntax_parse(b.arena, b.names, source_of(&b, text), b.diag);
  verdict(file->imports.len == 3 && strcmp(file->imports.at[1].path, "../b") == 0, "imports",
          "a ../b c", "other");
  arena_free(b.arena);
}

static void check_text(const char *what, const char *got, const char *want) {
  verdict(got && strcmp(got, want) == 0, what, want, got ? got : "nothing");
}

static void test_blocks(void) {
  Bench b = bench_new();
  const char *text =
      "-- About.\n-- ==\n-- tags { slow no_c }\n-- entry: f g\n-- input { 1 [2,\n--  3] }\n"
      "-- output { {4} }\n-- \"big one\" compiled random input { [10]i32 } auto output\n"
      "-- script input { f \"}\" }\n-- nobench input @ a/b.in.gz output @ b.out\n"
      "-- input { 5 } error: out of\n-- structure gpu { SegMap 1 }\n-- warning: some .* text\n"
      "\ndef x = 1\n-- ==\n-- property: p q\n";
  TestBlock *block = testblock_parse(b.arena, b.names, source_of(&b, text), b.diag);
  verdict(block->present && b.diag->errors == 0, "block", "no error", first_error(&b));
  verdict(block->groups.len == 1 && block->tags.len == 2, "groups", "1", "other");
  TestGroup *group = &block->groups.at[0];
  verdict(group->entries.len == 2 && group->cases.len == 5, "cases", "5", "other");
  check_text("values", group->cases.at[0].in_text, "1 [2,\n    3]");
  check_text("invented name", group->cases.at[0].name, "#0 (1 [2, 3])");
  check_text("output", group->cases.at[0].out_text, "{4}");
  check_text("name", group->cases.at[1].name, "big one");
  check_text("random", group->cases.at[1].in_text, "[10]i32");
  check_text("script", group->cases.at[2].in_text, "f \"}\"");
  check_text("file case", group->cases.at[3].name, "a/b.in");
  check_text("error", group->cases.at[4].out_text, "out of");
  check_text("warning", block->warnings.at[0], "some .* text");
  verdict(block->properties.len == 2, "properties", "2", "other");
  verdict(group->cases.at[1].output == OUTPUT_AUTO && group->cases.at[4].output == OUTPUT_ERROR,
          "outputs", "auto, error", "other");
  text = "-- ==\n-- error: .*x.*\n";
  check_text("compile error",
             testblock_parse(b.arena, b.names, source_of(&b, text), b.diag)->error, ".*x.*");
  testblock_parse(b.arena, b.names, source_of(&b, "-- ==\n-- input { 1"), b.diag);
  verdict(b.diag->errors == 1, "unreadable block", "1 error", "other");
  arena_free(b.arena);
}

int main(void) {
  test_precedence();
  test_atoms();
  test_sections();
  test_control();
  test_types();
  test_decs();
  test_errors();
  test_recovery();
  test_spans();
  test_literals();
  test_long_and_deep();
  test_imports();
  test_blocks();
  return unit_end();
}
