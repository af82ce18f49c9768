// Values: text and binary formats there and back, bad input, comparison, random generation.
#include "values/values.h"
#include "unit.h"
#include <math.h>
#include <string.h>

static bool read_all(Arena *arena, const char *text, Values *out, const char **error) {
  *out = (Values){0};
  return values_read(arena, text, strlen(text), NULL, 0, out, error);
}

// What is read prints as `want`.
static void prints(const char *text, const char *want) {
  Arena *arena = arena_new();
  Values values;
  const char *error = "";
  Text out = {0};
  if (!read_all(arena, text, &values, &error)) text_printf(&out, "error: %s", error);
  for (int i = 0; i < values.len; i++) {
    if (i) text_putc(&out, ' ');
    value_print(&out, &values.at[i]);
  }
  bool ok = out.at && strcmp(out.at, want) == 0;
  expect(ok, text, NULL);
  if (!ok) printf("  printed %s\n", out.at ? out.at : "");
  text_free(&out);
  arena_free(arena);
}

static void fails(const char *text, const char *mention) {
  Arena *arena = arena_new();
  Values values;
  const char *error = "";
  bool ok = !read_all(arena, text, &values, &error) && strstr(error, mention);
  expect(ok, text, NULL);
  if (!ok) printf("  said: %s\n", error);
  arena_free(arena);
}

static void binary_both_ways(const char *text) {
  Arena *arena = arena_new();
  Values values, again = {0};
  const char *error;
  Text bytes = {0};
  expect(read_all(arena, text, &values, &error), text, NULL);
  for (int i = 0; i < values.len; i++) value_write_binary(&bytes, &values.at[i]);
  bool ok =
      values_read(arena, bytes.at, bytes.len, NULL, 0, &again, &error) && again.len == values.len;
  for (int i = 0; ok && i < again.len; i++)
    ok = !value_differs(arena, &again.at[i], &values.at[i], 0);
  expect(ok, "binary both ways", NULL);
  for (size_t cut = 1; cut < bytes.len; cut++) {  // every truncation is an error, none a crash
    Values part = {0};
    if (values_read(arena, bytes.at, cut, NULL, 0, &part, &error))
      expect(part.len < values.len, "cut", NULL);
  }
  text_free(&bytes);
  arena_free(arena);
}

static void typed(const char *text, Prim prim, int rank, const char *want) {
  Arena *arena = arena_new();
  Values values = {0};
  ValueType type = {prim, rank};
  const char *error = NULL;
  Text out = {0};
  if (values_read(arena, text, strlen(text), &type, 1, &values, &error))
    value_print(&out, &values.at[0]);
  else text_puts(&out, "error");
  expect(strcmp(out.at, want) == 0, text, NULL);
  text_free(&out);
  arena_free(arena);
}

static void compares(const char *a, const char *b, bool same) {
  Arena *arena = arena_new();
  Values x, y;
  const char *error;
  bool ok = read_all(arena, a, &x, &error) && read_all(arena, b, &y, &error);
  ok = ok && (value_differs(arena, &x.at[0], &y.at[0], 0.002) == NULL) == same;
  expect(ok, a, NULL);
  arena_free(arena);
}

static void text_tests(void) {
  prints("1 -2i8 0x10 3u64 2.5 1e3 -f32.inf f64.nan true",
         "1i32 -2i8 16i32 3u64 2.5f64 1000f64 -f32.inf f64.nan true");
  prints("[1, 2, 3]", "[1i32, 2i32, 3i32]");
  prints("[[1.5f32, 2f32], [3f32, 4f32]]", "[[1.5f32, 2f32], [3f32, 4f32]]");
  prints("empty([0][3]f64)", "empty([0][3]f64)");
  prints("empty([9223372036854775807][0]i32)", "empty([9223372036854775807][0]i32)");
  prints("-- comment\n[true, -- inside\n false]", "[true, false]");
  prints("\"ab\"", "[97u8, 98u8]");
  prints("1_000i64", "1000i64");
  prints("1.0f16", "1f16");
  fails("[1, 2", "expected ','");
  fails("[1, ", "end of input");
  fails("[1, [2]]", "rank");
  fails("[[1], [2, 3]]", "different length");
  fails("[1i32, 2i64]", "among values of type");
  fails("zonk", "expected a value");
  fails("empty([1]i32)", "dimension of size 0");
  fails("empty([9223372036854775808][0]i32)", "expected a size");
  fails("\"abc", "unclosed string");
  fails("1.5i32", "integer type on a fraction");
  fails("99999999999999999999", "out of range");
}

int main(void) {
  text_tests();
  binary_both_ways("1i8 2i16 3i32 4i64 5u8 6u16 7u32 8u64 1.5f16 2.5f32 3.5f64 true");
  binary_both_ways("[[1i64, 2i64], [3i64, 4i64]]");
  typed("1", PRIM_F64, 0, "1f64");
  typed("[1, 2]", PRIM_U8, 1, "[1u8, 2u8]");
  typed("1", PRIM_F64, 1, "error");
  typed("1i32", PRIM_I64, 0, "error");
  typed("1 2", PRIM_I32, 0, "error");
  compares("[1.0, 2.0]", "[1.001, 2.0]", true);
  compares("[1.0, 2.0]", "[1.1, 2.0]", false);
  compares("f64.nan", "f64.nan", true);
  compares("f64.inf", "-f64.inf", false);
  compares("1i32", "1i64", false);
  Arena *arena = arena_new();
  RandomOptions a = random_options(7), b = random_options(7);
  Value x, y;
  expect(value_random(arena, "[3][4]f64", &a, &x) && value_random(arena, "[3][4]f64", &b, &y) &&
             !value_differs(arena, &x, &y, 0), "random values repeat with the seed", NULL);
  expect(!value_random(arena, "[]f64", &a, &x), "a type without sizes is refused", NULL);
  arena_free(arena);
  return unit_end();
}
