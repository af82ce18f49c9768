// Names, modules and types: programs that are accepted, with the type of their last definition,
// and programs that are rejected, with part of the message.  tests/error has one program per
// diagnostic; here are the cases that need more than one line of thought.
#include "check/check.h"
#include "unit.h"
#include <string.h>

// Of the last value of the program: "f 'a : a -> a".
static void scheme_print(Text *out, const CheckedProgram *program) {
  const ModEnv *env = program->root->exports;
  if (!env->terms.len) return;
  const Binding *b = env->terms.at[env->terms.len - 1];
  static const char *const quote[] = {"'", "'~", "'^"};
  text_puts(out, b->name);
  for (int i = 0; i < b->tparams.len; i++)
    text_printf(out, " %s%s", quote[b->tparams.at[i]->lift], b->tparams.at[i]->name);
  text_puts(out, " : ");
  if (b->type) stype_print(out, b->type);
}

// The first error, or the scheme of the last value.
static bool program_judge(const char *text, Text *out) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  Names *names = names_new(arena);
  CheckedProgram *p =
      program_load_text(arena, names, diag, lib_files, "t.fut", text, strlen(text));
  if (!diag->errors) program_check(arena, names, diag, p, NULL);
  bool accepted = diag->errors == 0;
  for (int i = 0; i < diag->entries.len && !accepted && !out->len; i++)
    if (diag->entries.at[i].kind == DIAG_ERROR) text_puts(out, diag->entries.at[i].message);
  if (accepted) scheme_print(out, p);
  if (!out->at) text_puts(out, "");
  arena_free(arena);
  return accepted;
}

// Uniqueness is another pass's matter: `*` is left out of the comparison.
static void stars_drop(Text *text) {
  size_t n = 0;
  for (size_t i = 0; i < text->len; i++)
    if (text->at[i] != '*') text->at[n++] = text->at[i];
  text->at[text->len = n] = 0;
}

static void accept(const char *text, const char *scheme) {
  Text got = {0};
  bool accepted = program_judge(text, &got);
  stars_drop(&got);
  verdict(accepted && (!scheme || strcmp(got.at, scheme) == 0), text, scheme ? scheme : "accepted",
          got.at);
  text_free(&got);
}

static void reject(const char *text, const char *message) {
  Text got = {0};
  bool accepted = program_judge(text, &got);
  verdict(!accepted && strstr(got.at, message) != NULL, text, message, got.at);
  text_free(&got);
}

static void test_polymorphism(void) {
  accept("def f x = x", "f '^t0 : (x: t0) -> t0");
  accept("def f x y = x", "f '^t0 '^t1 : (x: t0) -> (y: t1) -> t0");
  accept("def f g x = g (g x)", "f '^t0 : (g: t0 -> t0) -> (x: t0) -> t0");
  accept("def f x = [x]", "f 't0 : (x: t0) -> []t0");
  accept("def f b x y = if b then x else y", "f '~t0 : (b: bool) -> (x: t0) -> (y: t0) -> t0");
  accept("def f 'a (x: a) = x", "f 'a : (x: a) -> a");
  accept("def f (x, y) = (y, x)", "f '^t0 '^t1 : (t0, t1) -> (t1, t0)");
  accept("def e = []", "e 't0 : []t0");
  accept("def i x = x  def f = (i 1i32, i true)", "f : (i32, bool)");
  accept("def f = map", NULL);
  accept("def f = let g 'a (x: a) = (x, x) in (g 1i32, g true)",
         "f : ((i32, i32), (bool, bool))");
  accept("def f x = let g y = (x, y) in g x", "f '^t0 : (x: t0) -> (t0, t0)");
  reject("def f = let g y = y in (g 1i32, g true)", "Cannot apply \"g\"");
  reject("def f x = x x", "Occurs check");
}

static void test_numbers(void) {
  accept("def add x y = x + y", "add : (x: i32) -> (y: i32) -> i32");
  accept("def f x = x + 1.0", "f : (x: f64) -> f64");
  accept("def f (x: u8) = x + 1", "f : (x: u8) -> u8");
  accept("def f (x: f32) = x * 2", "f : (x: f32) -> f32");
  accept("def f x = x && true", "f : (x: bool) -> bool");
  accept("def f x = !x", "f : (x: i32) -> i32");
  accept("def f : i8 = -128", "f : i8");
  accept("def f = -128i8", "f : i8");
  accept("def f : [4]u8 = ['a', 'b', 300u8, 4]", "f : [4]u8");
  accept("def f (i: i32) (xs: []f32) = xs[i]", "f : (i: i32) -> (xs: []f32) -> f32");
  accept("def f n = iota n", "f : (n: i64) -> [n]i64");
  accept("def f (n: u8) = 0..<n", "f : (n: u8) -> []u8");
  accept("def f = 3 == 4", "f : bool");
  accept("def f = (+) 1f32", "f : f32 -> f32");
  accept("def f = (1 -)", "f : i32 -> i32");
  accept("def f = (/ 2f32)", "f : f32 -> f32");
  accept("def (+) (x: i32) (y: bool) = y  def f = 1 + true", "f : bool");
  accept("def f = f32.i64 3 f32.+ 2", "f : f32");
  reject("def f : i8 = -129", "out of bounds");
  reject("def f = 1i32 + 1f32", "Cannot apply \"+\"");
  reject("def f (x: f32) = x % 2u8", "Cannot apply \"%\"");
}

static void test_records(void) {
  accept("def f (r: {a: i32, b: bool}) = r.b", "f : (r: {a: i32, b: bool}) -> bool");
  accept("def f (r: {b: bool, a: i32}) = {a = r.a, b = r.b} == r",
         "f : (r: {a: i32, b: bool}) -> bool");
  accept("def f = {x = 1i32, 2 = true}.x", "f : i32");
  accept("def f (t: (i32, bool)) = t.1", "f : (t: (i32, bool)) -> bool");
  accept("def f (t: ((i32, bool), u8)) = t.0.1", "f : (t: ((i32, bool), u8)) -> bool");
  accept("def f = map (.x) [{x = 1i32, y = true}]", NULL);
  accept("def f (r: {a: {b: i32}}) = r with a.b = 3", "f : (r: {a: {b: i32}}) -> {a: {b: i32}}");
  accept("def f (r: {a: []i32}) = r.a[0]", "f : (r: {a: []i32}) -> i32");
  accept("def f = let {a, b = (c, _)} = {a = 1i32, b = (2u8, 3f32)} in (a, c)", "f : (i32, u8)");
  accept("def f (g: {h: i32 -> i32}) = g.h 2", "f : (g: {h: i32 -> i32}) -> i32");
  accept("def f a b = {b, a}", "f '^t0 '^t1 : (a: t0) -> (b: t1) -> {a: t0, b: t1}");
  reject("def f (r: {a: i32}) = r.b", "record");
  reject("def f (x: (i32, i32)) = x.2", "record");
}

static void test_sums(void) {
  accept("type o 'a = #some a | #none  def f 'a (x: a) : o a = #some x",
         "f 'a : (x: a) -> #none | #some a");
  accept("def f (x: #a i32 | #b) = match x case #a y -> y case #b -> 0",
         "f : (x: #a i32 | #b) -> i32");
  accept("def f (x: #a (i32, bool) | #b) = match x case #a (1, true) -> 1i32 case #a _ -> 2 "
         "case #b -> 3", NULL);
  accept("def f (x: i32) = match x case 1 -> 2i32 case -1 -> 3 case _ -> 4", "f : (x: i32) -> i32");
  accept("def f (x: bool, y: bool) = match (x, y) case (true, _) -> 1i32 case (_, true) -> 2 "
         "case (false, false) -> 3", NULL);
  accept("def f (x: #only i32) = let (#only y) = x in y", "f : (x: #only i32) -> i32");
  reject("def f (x: #a i32 | #b) = match x case #a 1 -> 1i32 case #b -> 2", "#a _");
  reject("def f (x: #a | #b) = match (x, x) case (#a, #b) -> 1i32 case (#b, _) -> 2", "(#a, #a)");
  reject("def f x = match x case #a -> 1i32 case #b -> 2", "ambiguous");
}

static void test_control(void) {
  accept("def f (n: i32) = loop (a, b) = (0i32, 1) for _i < n do (b, a + b)",
         "f : (n: i32) -> (i32, i32)");
  accept("def f (xs: []f32) = loop s = 0 for x in xs do s + x", "f : (xs: []f32) -> f32");
  accept("def f (x: i32) = loop x while x > 10 do x / 2", "f : (x: i32) -> i32");
  accept("def f (xs: [](i32, bool)) = loop s = 0 for (a, b) in xs do if b then a else s", NULL);
  accept("def f (n: i32) : i32 = if n == 0 then 1 else n * f (n - 1)", "f : (n: i32) -> i32");
  accept("def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then 1 else g (f g (n - 1))", NULL);
  accept("def f 'a (n: i64) (x: a) : [n]a = if n == 0 then replicate n x else f n x", NULL);
  accept("def f (xs: *[]i32) (i: i64) = xs with [i] = 2", NULL);
  accept("def f (xs: *[][]i32) = let xs[0, 1] = 2 in xs", NULL);
  accept("def f (x: i32) = assert (x > 0) x", "f : (x: i32) -> i32");
  accept("def f : i32 = ???", "f : i32");
  reject("def f g = map (>-> g)", "functional");
  accept("def f (xs: []i32) = xs |> map (+ 1) |> reduce (+) 0", "f : (xs: []i32) -> i32");
  accept("def f [n] (xs: [n]i32) (ys: [n]i32) = zip xs ys",
         "f : (xs: [n]i32) -> (ys: [n]i32) -> [n](i32, i32)");
}

static void test_modules(void) {
  accept("module m = { def x = 1i32  local def y = 2i32 }  def f = m.x", "f : i32");
  reject("module m = { local def y = 2i32 }  def f = m.y", "Unknown name");
  accept("module m = { module n = { type t = i32 def x : t = 1 } }  def f : m.n.t = m.n.x",
         "f : i32");
  accept("module m = { def r = {a = 1i32} }  def f = m.r.a", "f : i32");
  accept("module m = { def x = 1i32 }  open m  def f = x", "f : i32");
  accept("module m = { def x = 1i32 }  local open m  def x = true  def f = x", "f : bool");
  accept("module m = { def x = 1i32 }  def f = let x = true in (x, m.(x))", "f : (bool, i32)");
  accept("module m : { type t val x : t val f : t -> i32 } = "
         "{ type t = bool def x = true def f (b: t) = i32.bool b }  def f = m.f m.x", "f : i32");
  accept("module m : { type t val x : t } with t = i32 = { type t = i32 def x = 1 }  "
         "def f = m.x + 1", "f : i32");
  accept("module F (P: { type t val op : t -> t -> t val ne : t }) = "
         "{ def sum [n] (xs: [n]P.t) = reduce P.op P.ne xs }\n"
         "module S = F { type t = f32 def op (x: t) y = x + y def ne = 0f32 }\n"
         "def f = S.sum [1, 2]", "f : f32");
  accept("module F (P: { type t }) : { type u val mk : P.t -> u val un : u -> P.t } = "
         "{ type u = (P.t, i32) def mk x = (x, 1) def un (x: u) = x.0 }\n"
         "module A = F { type t = bool }\ndef f = A.un (A.mk true)", "f : bool");
  accept("module type S = { type t val x : t }\n"
         "module type FT = (P: S) -> S with t = (P.t, P.t)\n"
         "module F : FT = \\(P: S) -> { type t = (P.t, P.t) def x = (P.x, P.x) }\n"
         "module A = F { type t = i32 def x = 1i32 }\ndef f = A.x", "f : (i32, i32)");
  accept("module type S = { val x : i32 }\n"
         "module Twice (F: S -> S) (P: S) = F (F P)\n"
         "module Inc (P: S) = { def x = P.x + 1 }\n"
         "module A = Twice Inc { def x = 1i32 }\ndef f = A.x", "f : i32");
  accept("module m : { val f 'a : a -> a } = { def f x = x }  def f = (m.f 1i32, m.f true)",
         "f : (i32, bool)");
  accept("module type A = { type t }  module type B = { include A val x : t }\n"
         "module m : B = { type t = i32 def x = 1i32 }  def f = m.x", "f : t");
  accept("module type S = { module n: { type t } val x : n.t }\n"
         "module m : S with n.t = i32 = { module n = { type t = i32 } def x = 1i32 }\n"
         "def f = m.x + 1", "f : i32");
  accept("module type S = { type t 'a val one 'a : a -> t a }\n"
         "module m : S = { type t 'a = [1]a def one x = [x] }\ndef f = m.one 2i32",
         "f : t i32");
  accept("module m = i32  def f = m.max 1 2", "f : i32");
  accept("def f = f64.sqrt 2 + f64.pi", "f : f64");
  reject("module F (P: { type t val x : t }) = { def y = P.x + 1i32 }", "P.t");
  reject("module m : { val f 'a 'b : a -> b -> a } = { def f 'a (x: a) (y: a) = x }",
         "Module type specifies");
}

static void test_types(void) {
  accept("type v [n] = [n]f32  def f (x: v [3]) = x", "f : (x: [3]f32) -> [3]f32");
  accept("type v [n] 'a = [n](a, i32)  def f [k] (x: v [k] bool) = x",
         "f : (x: [k](bool, i32)) -> [k](bool, i32)");
  accept("type^ fn 'a 'b = a -> b  def f (g: fn i32 bool) = g 1", "f : (g: i32 -> bool) -> bool");
  accept("def f (g: (n: i64) -> [n]i32) (k: i64) = g k", NULL);
  accept("type i32 = bool  def f (x: i32) = !x", "f : (x: bool) -> bool");
  accept("def f [n] [m] (x: [n][m]i32) = length x + n + m", NULL);
  accept("def f (x: ?[n].[n]i32) = x[0]", NULL);
  reject("type t 'a = a  def f (x: t i32 i32) = x", "\"t\"");
  reject("def f (x: [true]i32) = x", "bool");
}

// No input may bring the checker down.
static void test_nonsense(void) {
  static const char *const programs[] = {
      "", "def", "def f = f", "def f = (", "module m = m", "open open", "type t = t t",
      "def f = #a #b #c", "def f = match", "module F (P: F) = P", "def f = (+) (+)",
      "def f = loop x = x for x in x do x", "def f x = x.f.g.h.i == x", "def f = [[[[]]]]",
      "def f = \\x -> \\x -> \\x -> x x x", "module type S = { include S }",
      "def f (x: f) = f", "def f 'a = \\(x: a) -> x", "entry main = ???", "def f = ??? ??? ???",
      "module m : { type t } with t = t = { type t = i32 }", "def f = let (a, a) = 1 in a",
  };
  for (int i = 0; i < COUNT_OF(programs); i++) {
    Text got = {0};
    program_judge(programs[i], &got);
    verdict(true, programs[i], "", "");
    text_free(&got);
  }
}

// ---- what is needed of the prelude
// The scheme of the last value, or NULL after errors; exports: how many values the prelude has.
static const char *needed_judge(Arena *arena, const char *text, int *exports) {
  Names *names = names_new(arena);
  Diag *diag = diag_new(arena);
  CheckedProgram *p =
      program_load_needed(arena, names, diag, lib_files, "t.fut", text, strlen(text));
  if (!diag->errors) program_check(arena, names, diag, p, NULL);
  if (diag->errors) return NULL;
  *exports = p->prelude->exports->terms.len;
  Text out = {0};
  scheme_print(&out, p);
  const char *scheme = arena_strdup(arena, out.at);
  text_free(&out);
  return scheme;
}

// With what it needs, a program is the same as with all of the prelude.
static int needed_same(const char *text) {
  Arena *arena = arena_new();
  Text all = {0};
  bool accepted = program_judge(text, &all);
  int exports = 0;
  const char *scheme = needed_judge(arena, text, &exports);
  bool same = accepted ? scheme && strcmp(scheme, all.at) == 0 : !scheme;
  verdict(same, text, all.at, scheme ? scheme : "an error");
  text_free(&all);
  arena_free(arena);
  return exports;
}

static void needed_member(const Binding *module, const Binding *b) {
  char text[200];
  const char *at = module ? module->name : "", *dot = module ? "." : "";
  if (b->tag == BIND_MODULE) snprintf(text, sizeof text, "module m = %s def f = 1i32", b->name);
  else
    snprintf(text, sizeof text, name_is_operator(b->name) ? "def f = (%s%s%s)" : "def f = %s%s%s",
             at, dot, b->name);
  needed_same(text);
}

// One program for every name of the prelude, and of its modules.
static void test_needed_names(void) {
  Arena *arena = arena_new();
  Diag *diag = diag_new(arena);
  Names *names = names_new(arena);
  CheckedProgram *p = program_load_text(arena, names, diag, lib_files, "t.fut", "", 0);
  program_check(arena, names, diag, p, NULL);
  BindingList all = p->prelude->exports->terms;
  for (int i = 0; i < all.len; i++) {
    const Binding *b = all.at[i];
    needed_member(NULL, b);
    if (b->tag != BIND_MODULE || !b->mod || !b->mod->env) continue;
    for (int k = 0; k < b->mod->env->terms.len; k++) needed_member(b, b->mod->env->terms.at[k]);
  }
  verdict(all.len > 100, "names of the prelude", "more than 100", "fewer");
  arena_free(arena);
}

static void test_needed(void) {
  verdict(needed_same("def f = 1i32") == 0, "def f = 1i32", "nothing of the prelude", "something");
  int one = needed_same("def f = map");
  verdict(one == 1, "def f = map", "one name of the prelude", "others");
  needed_same("module m : from_prim = { type t = bool } def f = 1i32");
  needed_same("module F (P: numeric) = P module m = F { type t = i32 def x = 1i32 } def f = 1i32");
  needed_same("module F (P: numeric) = { def f (x: P.t) = x P.+ x } module m = F f32 def f = m.f");
  needed_same("module m : { val tanpi : f32 -> f32 } = f32 def f = m.tanpi");
  needed_same("open f64 def f (x: t) = sinh x");
  needed_same("module m = { open f64 def sum = 1i32 } def f = m.sum");
  needed_same("import \"lib/ad\" def f = 1i32");
}

int main(void) {
  test_needed_names();
  test_needed();
  test_polymorphism();
  test_numbers();
  test_records();
  test_sums();
  test_control();
  test_modules();
  test_types();
  test_nonsense();
  return unit_end();
}
