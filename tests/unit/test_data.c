// Files of other programs: .npy, .npz and tables there and back; damaged ones give one message.
#include "values/values.h"
#include "unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef bool ReadFn(Arena *arena, const char *bytes, size_t len, Value *out, const char **error);

static void says(bool ok, const char *error, const char *mention, const char *what) {
  bool good = !ok && error && strstr(error, mention);
  expect(good, what, NULL);
  if (!good) printf("  said: %s\n", ok ? "nothing" : error);
}

// ---- .npy ----------------------------------------------------------------------------------------
static void npy_text(Text *out, int version, const char *header) {
  size_t len = strlen(header);
  char head[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', (char)version, 0};
  text_write(out, head, sizeof head);
  for (int i = 0; i < (version == 1 ? 2 : 4); i++) text_putc(out, (char)(len >> (8 * i)));
  text_puts(out, header);
}

static void npy_gives(int version, const char *header, const void *data, size_t bytes,
                      const char *want) {
  Arena *arena = arena_new();
  Text file = {0}, text = {0};
  Value v;
  const char *error = NULL;
  npy_text(&file, version, header);
  text_write(&file, data, bytes);
  // Of the exact size, so that a sanitizer sees what is read behind it.
  char *exact = malloc(file.len);
  memcpy(exact, file.at, file.len);
  bool ok = npy_read(arena, exact, file.len, &v, &error);
  if (ok) value_print(&text, &v);
  else text_puts(&text, error);
  bool good = strcmp(text.at, want) == 0;
  expect(good, header, NULL);
  if (!good) printf("  gave %s\n", text.at);
  for (size_t cut = 0; ok && cut < file.len; cut++)
    if (npy_read(arena, exact, cut, &v, &error)) expect(false, "a file cut short is read", NULL);
  free(exact);
  text_free(&file), text_free(&text);
  arena_free(arena);
}

static void npy_reads(void) {
  const double d[] = {1, 2, 3, 4, 5, 6};
  const unsigned char big[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0};
  const unsigned char truth[] = {0, 1, 7};
  const int16_t h[] = {-1, 2};
  npy_gives(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", d, sizeof d,
            "[[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]]");
  npy_gives(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", d, sizeof d,
            "[[1f64, 3f64, 5f64], [2f64, 4f64, 6f64]]");
  npy_gives(2, "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 3)}", d, sizeof d,
            "[[[1f64, 3f64, 5f64], [2f64, 4f64, 6f64]]]");
  npy_gives(3, "{\"shape\": (2L,), 'descr': '>f4', 'fortran_order': False}", big, sizeof big,
            "[1f32, 2f32]");
  npy_gives(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", truth, sizeof truth,
            "[false, true, true]");
  npy_gives(1, "{'descr': '=i2', 'fortran_order': False, 'shape': (2,)}", h, sizeof h,
            "[-1i16, 2i16]");
  npy_gives(1, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", d, 8, "1f64");
  npy_gives(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4611686018427387904, 8)}", d,
            0, "empty([0][4611686018427387904][8]f64)");
}

#define SHAPE(s) "{'descr': '<f8', 'fortran_order': False, 'shape': " s "}"
#define TYPE(t) "{'descr': " t ", 'fortran_order': False, 'shape': (1,)}"
static void npy_refuses(void) {
  static const struct {
    const char *header, *mention;
  } bad[] = {
      {SHAPE("(4611686018427387904, 4611686018427387904)"), "ends early"},
      {SHAPE("(9223372036854775807,)"), "ends early"},
      {SHAPE("(99999999999999999999,)"), "too large"},
      {SHAPE("(-1,)"), "missing or negative"},
      {SHAPE("(2,)"), "ends early"},
      {SHAPE("(0,)"), "8 bytes follow"},
      {SHAPE("3"), "no tuple"},
      {SHAPE("(1"), "no end"},
      {SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,)"), "16 dimensions"},
      {TYPE("'|O'"), "never read"},
      {TYPE("'<c16'"), "complex"},
      {TYPE("'<U3'"), "text"},
      {TYPE("'<M8[s]'"), "dates"},
      {TYPE("'<f16'"), "astype('f8')"},
      {TYPE("[('a', '<f8')]"), "structured"},
      {TYPE("''"), "unknown type"},
      {TYPE("'"), "damaged"},
      {"{'descr': '<f8', 'shape': (1,)}", "fortran_order"},
      {"{'descr': '<f8', 'descr': '<f8'}", "repeated"},
      {"{'descr': '<f8', 'fortran_order': 1}", "truth value"},
      {"{}", "missing"},
      {"{'a': 1}", "unknown"},
      {"x", "no dictionary"},
      {"{'descr' '<f8'}", "colon"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x", "follows"},
  };
  for (int i = 0; i < COUNT_OF(bad); i++) {
    Arena *arena = arena_new();
    Text file = {0};
    Value v;
    const char *error = NULL;
    npy_text(&file, 1, bad[i].header);
    text_write(&file, "\0\0\0\0\0\0\0\0", 8);
    bool ok = npy_read(arena, file.at, file.len, &v, &error);
    says(ok, error, bad[i].mention, bad[i].header);
    text_free(&file);
    arena_free(arena);
  }
}

// ---- there and back ------------------------------------------------------------------------------
static bool npz_first(Arena *arena, const char *bytes, size_t len, Value *out, const char **error) {
  NpzMembers members = {0};
  *error = "no member";
  return npz_members(arena, bytes, len, &members, error) && members.len == 1 &&
         strcmp(members.at[0].name, "x") == 0 && npz_read(arena, &members.at[0], out, error);
}

// Every file cut short is refused; no changed byte of an archive goes unseen or does harm.
static void both_ways(Arena *arena, const Value *v, const Text *file, ReadFn *read,
                      const char *what) {
  Value again;
  const char *error;
  bool ok = read(arena, file->at, file->len, &again, &error);
  expect(ok && !value_differs(arena, &again, v, 0), what, NULL);
  if (!ok) printf("  said: %s\n", error);
  for (size_t at = 0; at < file->len; at++) {
    char *exact = malloc(at + 1);
    memcpy(exact, file->at, at);
    if (read(arena, exact, at, &again, &error)) expect(false, "cut short", what);
    free(exact);
    file->at[at] ^= 0x55;
    read(arena, file->at, file->len, &again, &error);
    file->at[at] ^= 0x55;
  }
}

static void put(Text *out, uint64_t value, int n) {
  for (int i = 0; i < n; i++) text_putc(out, (char)(value >> (8 * i)));
}

// The archive with the end that files of more than 4 GB have: the directory's place and the number of
// entries are in the ZIP64 end record, which the locator before the end record finds.
static void npz_widen(const Text *npz, Text *out) {
  enum { END = 22 };
  const char *end = npz->at + npz->len - END;
  uint64_t place = 0;
  for (int i = 3; i >= 0; i--) place = place << 8 | (unsigned char)end[16 + i];
  text_write(out, npz->at, npz->len - END);
  uint64_t wide = out->len;
  put(out, 0x06064b50, 4), put(out, 44, 8), put(out, 45, 2), put(out, 45, 2), put(out, 0, 8);
  put(out, 1, 8), put(out, 1, 8), put(out, wide - place, 8), put(out, place, 8);
  put(out, 0x07064b50, 4), put(out, 0, 4), put(out, wide, 8), put(out, 1, 4);
  put(out, 0x06054b50, 4), put(out, 0, 4), put(out, 0xffff, 2), put(out, 0xffff, 2);
  put(out, 0xffffffff, 4), put(out, 0xffffffff, 4), put(out, 0, 2);
}

static void written_is_read(void) {
  static const char *const types[] = {"i8",        "[3]i16", "[2][3]i32", "[4]i64",  "[2]u8",
                                      "[0][3]u16", "u32",    "[2]u64",    "[3]f16",  "[2][2]f32",
                                      "[1][2][3]f64", "[5]bool"};
  for (int i = 0; i < COUNT_OF(types); i++) {
    Arena *arena = arena_new();
    RandomOptions options = random_options(7);
    Text npy = {0}, npz = {0}, wide = {0};
    Value v;
    const char *name = "x";
    expect(value_random(arena, types[i], &options, &v), types[i], NULL);
    npy_write(&npy, &v);
    npz_write(&npz, &name, &v, 1);
    both_ways(arena, &v, &npy, npy_read, types[i]);
    both_ways(arena, &v, &npz, npz_first, types[i]);
    npz_widen(&npz, &wide);
    both_ways(arena, &v, &wide, npz_first, types[i]);
    text_free(&npy), text_free(&npz), text_free(&wide);
    arena_free(arena);
  }
}

static void table_is_read(void) {
  static const char *const types[] = {"[3]i64", "[2][3]f64", "[4]u64", "[2]f32", "[1][2]bool", "i8"};
  for (int i = 0; i < COUNT_OF(types); i++) {
    Arena *arena = arena_new();
    RandomOptions options = random_options(3);
    Text text = {0};
    Value v, again;
    const char *error = "";
    expect(value_random(arena, types[i], &options, &v) && csv_write(&text, ';', &v), types[i], NULL);
    ValueType type = {v.prim, v.rank};
    CsvFile csv = {.bytes = text.at, .len = text.len, .expected = &type};
    bool ok = csv_read(arena, &csv, &again, &error);
    expect(ok && !value_differs(arena, &again, &v, 0), types[i], error);
    text_free(&text);
    arena_free(arena);
  }
}

// ---- archives ------------------------------------------------------------------------------------
static void npz_refuses(void) {
  static const char huge[] = "PK\5\6\0\0\0\0\377\377\377\377\1\0\0\0\0\0\0\0\0\0";
  Arena *arena = arena_new();
  NpzMembers members = {0};
  const char *error = NULL;
  bool ok = npz_members(arena, huge, sizeof huge - 1, &members, &error);
  says(ok, error, "damaged", "entries");
  ok = npz_members(arena, "PK", 2, &members, &error);
  says(ok, error, "no .npz", "short");
  ok = npz_members(arena, "", 0, &members, &error);
  says(ok, error, "no .npz", "empty");
  arena_free(arena);
}

// ---- tables --------------------------------------------------------------------------------------
static const ValueType f64s = {PRIM_F64, 1}, f64ss = {PRIM_F64, 2}, u8s = {PRIM_U8, 1},
                       f64 = {PRIM_F64, 0}, bools = {PRIM_BOOL, 1};

static void csv_case(CsvFile file, const char *want) {
  Arena *arena = arena_new();
  Text text = {0};
  Value v;
  const char *error = NULL;
  char *exact = malloc(file.len + 1);
  const char *bytes = file.bytes;
  memcpy(exact, bytes, file.len);
  file.bytes = exact;
  bool ok = csv_read(arena, &file, &v, &error);
  if (ok) value_print(&text, &v);
  else text_puts(&text, error);
  bool good = strcmp(text.at, want) == 0;
  expect(good, bytes, NULL);
  if (!good) printf("  gave: %s\n  want: %s\n", text.at, want);
  free(exact);
  text_free(&text);
  arena_free(arena);
}
#define CSV(text, type, want) \
  csv_case((CsvFile){text, sizeof text - 1, .expected = type}, want)
#define COLUMN(text, name, type, want) \
  csv_case((CsvFile){text, sizeof text - 1, name, .expected = type}, want)

static void csv_reads(void) {
  CSV("1\n2\n", &f64s, "[1f64, 2f64]");
  CSV("1,2", &f64s, "[1f64, 2f64]");
  CSV("1,2\r\n3,4\r\n", &f64ss, "[[1f64, 2f64], [3f64, 4f64]]");
  CSV("\xef\xbb\xbf" "a;b\n1;-2e3\n", &f64ss, "[[1f64, -2000f64]]");
  CSV("# made by\n 1  2\n\t3 4 \n", &f64ss, "[[1f64, 2f64], [3f64, 4f64]]");
  CSV("a\tb c\n1\t2\n\n3\t4\n\n\n", &f64ss, "[[1f64, 2f64], [3f64, 4f64]]");
  CSV("nan\n-inf\nInf\n", &f64s, "[f64.nan, -f64.inf, f64.inf]");
  CSV("x\n300\n", &u8s, "line 2, column 1: '300' does not fit u8");
  CSV("-1\n", &u8s, "line 1, column 1: '-1' does not fit u8");
  CSV("1.5\n", &u8s, "line 1, column 1: '1.5' is not an integer");
  CSV("true\n0\n", &bools, "[true, false]");
  CSV("2\n", &bools, "line 1, column 1: '2' is neither true nor false");
  CSV("7", &f64, "7f64");
  CSV("\"a, \"\"b\"\"\",c\n\"1\",2\n", &f64ss, "[[1f64, 2f64]]");
  CSV("18446744073709551615\n", NULL, "[1.8446744073709552e+19f64]");
  CSV("1,2\n3,4\n", NULL, "[[1i64, 2i64], [3i64, 4i64]]");
  CSV("a,b\ntrue,false\n", NULL, "[[true, false]]");
  CSV("a\n", &f64s, "empty([0]f64)");
  COLUMN("a,\"b,c\",d\n1,2,3\n4,5,6\n", "d", &f64s, "[3f64, 6f64]");
  COLUMN("a,b,d\n1,2,3\n4,5,6\n", "3,a", &f64ss, "[[3f64, 1f64], [6f64, 4f64]]");
  csv_case((CsvFile){"1\n\nNA\n", 6, NULL, true, &f64s}, "[1f64, f64.nan, f64.nan]");
}

static void csv_refuses(void) {
  CSV("", &f64s, "the table is empty");
  CSV("\n \n", &f64s, "the table is empty");
  CSV("1,2\n3\n", &f64ss, "line 2: 1 column, but 2 in the first row");
  CSV("1,2\n3,4,5\n", &f64ss, "line 2: 3 columns, but 2 in the first row");
  CSV("1,2\n3,\n", &f64ss,
      "line 2, column 2: '' is no number (--na nan makes NaN of missing values)");
  CSV("1\n\n2\n", &f64s,
      "line 2, column 1: '' is no number (--na nan makes NaN of missing values)");
  CSV("a,b\n1,x\n", &f64ss, "line 2, column 2: 'x' is not a number");
  CSV("a,1\n1,2\n", &f64ss, "line 1: the first row has both names and numbers; quote the names");
  CSV("1,\"2\n3,4\n", &f64ss, "line 1: a quote is not closed on its line");
  CSV("\"1\"2,3\n", &f64ss, "line 1, column 1: '1' is followed by something after its quote");
  CSV("1\0,2\n", &f64ss, "line 1: a byte 0: this is no table of text");
  CSV("\xff\xfe" "1\0,\0", &f64ss, "line 1: a byte 0: this is no table of text");
  CSV("1\n0x10\n", &f64s, "line 2, column 1: '0x10' is not a number");
  CSV("1\n1e\n", &f64s, "line 2, column 1: '1e' is not a number");
  CSV("a,b\n1,2\n3,4\n", &f64s, "2 rows of 2 columns; choose one by its name, as in FILE:a");
  CSV("1,2\n3,4\n", &f64, "2 rows of 2 columns; choose one by its number, as in FILE:1");
  COLUMN("a,b\n1,2\n", "c", &f64s, "no column 'c'; there are a, b");
  COLUMN("1,2\n", "3", &f64s, "no column '3'; there are numbers 1 to 2");
  COLUMN("1,2\n", "99999999999999999999", &f64s,
         "no column '99999999999999999999'; there are numbers 1 to 2");
  COLUMN("a,b\n1,2\n", "b,1,2", &f64ss, "column 2 is chosen twice");
  COLUMN("1,2\n", "", &f64s, "no column ''; there are numbers 1 to 2");
}

int main(void) {
  npy_reads();
  npy_refuses();
  npz_refuses();
  written_is_read();
  table_is_read();
  csv_reads();
  csv_refuses();
  return unit_end();
}
