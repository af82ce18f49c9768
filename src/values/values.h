// values: the language's data formats inside the compiler: reading (text and binary), printing as
// executables do, comparing as the test tool does, random generation.
#ifndef VALUES_H
#define VALUES_H
#include "prim/prim.h"

// One array or (rank 0) scalar; data in native representation, row-major.
typedef struct {
  Prim prim;
  int rank;
  const int64_t *shape;
  int64_t len;  // number of elements
  void *data;   // len * prim_info[prim].bytes
} Value;
typedef LIST(Value) Values;
typedef struct {
  Prim prim;
  int rank;
} ValueType;
typedef LIST(ValueType) ValueTypes;
enum { VALUE_MOST_RANK = 16 };

Value value_new(Arena *arena, Prim prim, int rank, const int64_t *shape);  // zeros
Scalar value_at(const Value *v, int64_t i);
void value_put(Value *v, int64_t i, Scalar s);
// As "[][]f64".
void value_type_print(Text *out, ValueType type);

// ---- read.c, binary.c: bytes are not trusted ---------------------------------------------------
// Values one after the other, each text or binary.  expected: types in order (text scalars may
// then lack suffixes and take the expected type), or NULL: unsuffixed integers are i32, floats
// f64.  With expected, exactly `count` values must be there.  Strings are arrays of u8.
// False, with a message that has line and column (byte offset in binary data), on bad input.
bool values_read(Arena *arena, const char *bytes, size_t len, const ValueType *expected, int count,
                 Values *out, const char **error);
// One value of a longer text after the other, from `at` on.
typedef struct {
  Arena *arena;
  const char *text;
  size_t len, at;
  const char *error;  // of what failed, with its place
} ValueText;
bool value_text_read(ValueText *text, const ValueType *type, Value *out);  // `at` moves to its end
void value_text_skip(ValueText *text);  // white space and comments
bool value_text_fail(ValueText *text, const char *message);  // false

// ---- gunzip.c: appends the uncompressed bytes of a .gz file; NULL or the problem ----------------
const char *gunzip(const char *bytes, size_t len, Text *out);

// ---- npy.c, npz.c, csv.c: files of other programs; the bytes are not trusted --------------------
// False, with a message that says where in the file it went wrong.
bool npy_read(Arena *arena, const char *bytes, size_t len, Value *out, const char **error);
void npy_write(Text *out, const Value *v);

typedef struct {
  const char *name;  // "x" of the member x.npy
  const char *bytes;
  size_t len, whole;  // in the file; uncompressed
  uint32_t crc;
  bool deflated;
} NpzMember;
typedef LIST(NpzMember) NpzMembers;
bool npz_members(Arena *arena, const char *bytes, size_t len, NpzMembers *out, const char **error);
bool npz_read(Arena *arena, const NpzMember *member, Value *out, const char **error);
// values: one for each name.
void npz_write(Text *out, const char *const *names, const Value *values, int count);

typedef struct {
  const char *bytes;
  size_t len;
  const char *columns;  // "age,income", numbers from 1 among them; NULL: all
  bool nan_cells;       // cells that are empty or say NA are NaN
  // NULL: the columns chosen are [][]f64, one column is []f64; integers are i64, truth values bool.
  const ValueType *expected;  // a vector is one column or one row, a scalar one cell
} CsvFile;
bool csv_read(Arena *arena, const CsvFile *file, Value *out, const char **error);
// The names in the first row, none when it has numbers.  False when the text is no table.
typedef LIST(const char *) CsvNames;
bool csv_names(Arena *arena, const char *bytes, size_t len, CsvNames *out, const char **error);
// A scalar, a vector as a column, a matrix; or vectors of one length under their names.
bool csv_write(Text *out, char delimiter, const Value *v);
bool csv_write_table(Text *out, char delimiter, const char *const *names, const Value *values,
                     int count);

// ---- write.c -----------------------------------------------------------------------------------
void value_print(Text *out, const Value *v);         // text, without newline
void value_write_binary(Text *out, const Value *v);
void value_write_head(Text *out, const Value *v);  // of a binary value: all before its elements

// ---- compare.c ---------------------------------------------------------------------------------
// Types, shapes and values; floats within max(tolerance, tolerance * largest finite expected
// element), NaN equals NaN, infinities by sign.  NULL when equal, else what differs.
const char *value_differs(Arena *arena, const Value *got, const Value *want, double tolerance);
// Largest |got - want| over the largest |want| of all; inf when shapes or types differ.
double values_error(const Values *got, const Values *want);

// ---- random.c ----------------------------------------------------------------------------------
typedef struct {
  double low[PRIM_COUNT], high[PRIM_COUNT];  // bounds per type, inclusive
  uint64_t state;                            // of the generator
} RandomOptions;
RandomOptions random_options(uint64_t seed);  // integers: all values; floats: [0, 1)
// type: "i32", "[10][20]f64"; false when it is not such a type.
bool value_random(Arena *arena, const char *type, RandomOptions *options, Value *out);
Value value_random_shape(Arena *arena, Prim prim, int rank, const int64_t *shape,
                         RandomOptions *options);
#endif
