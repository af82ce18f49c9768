// dagaz convert: files of values from one format to another, and from one type to another.
#include "data.h"
#include <math.h>
#include <string.h>

typedef struct {
  Arena *arena;
  const Words *files;
  const char *as, *out;
  bool nan_cells;
} Conversion;

// Whether the integer is one of the type's; u64 has its upper half as negative numbers.
static bool integer_fits(Scalar s, Prim to) {
  int bits = 8 * prim_info[to].bytes;
  bool huge = s.prim == PRIM_U64 && s.i < 0;
  if (prim_is_signed(to)) return !huge && (bits == 64 || (s.i >> (bits - 1)) == (s.i < 0 ? -1 : 0));
  return (huge || s.i >= 0) && (bits == 64 || (!huge && s.i >> bits == 0));
}

// A float that is an integer of the type: 2^63 and 2^64 are exact doubles.
static bool float_integer(Scalar s, Prim to, Scalar *out) {
  double low = prim_is_signed(to) ? -ldexp(1, 8 * prim_info[to].bytes - 1) : 0;
  double high = ldexp(1, 8 * prim_info[to].bytes - prim_is_signed(to));
  if (!(s.f >= low && s.f < high) || s.f != floor(s.f)) return false;
  *out = scalar_int(to, to == PRIM_U64 ? (int64_t)(uint64_t)s.f : (int64_t)s.f);
  return true;
}

// Floats are rounded; integers and truth values must be the same number in the new type.
static bool element_convert(Scalar s, Prim to, Scalar *out) {
  bool from_float = prim_is_float(s.prim);
  double number = from_float ? s.f : s.prim == PRIM_U64 ? (double)(uint64_t)s.i : (double)s.i;
  if (prim_is_float(to)) return *out = scalar_float(to, number), true;
  if (to == PRIM_BOOL) return *out = scalar_bool(number != 0), number == 0 || number == 1;
  if (from_float) return float_integer(s, to, out);
  *out = scalar_int(to, s.i);
  return integer_fits(s, to);
}

static Value value_convert(Arena *arena, const char *file, const Value *v, Prim to) {
  Value out = value_new(arena, to, v->rank, v->shape);
  for (int64_t i = 0; i < v->len; i++) {
    Scalar s = value_at(v, i), made;
    if (!element_convert(s, to, &made)) {
      Text text = {0};
      scalar_print(&text, s);
      fail_io("%s: element %ld, %s, is no %s", file, (long)i, text.at, prim_info[to].name);
    }
    value_put(&out, i, made);
  }
  return out;
}

static const char *file_stem(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return arena_strndup(arena, name, strcspn(name, "."));
}

static void convert(Session *s, void *state) {
  const Conversion *c = state;
  Values values = {0};
  Words names = {0};
  Prim to = PRIM_COUNT;
  const char *error;
  (void)s;
  if (c->as && (!prim_named(c->as, &to) || to == PRIM_UNIT))
    fail_io("--as wants the type of elements, such as f64, not '%s'", c->as);
  for (int i = 0; i < c->files->len; i++) {
    DataSource from = data_source(c->arena, c->files->at[i]);
    int first = values.len;
    from.nan_cells = c->nan_cells;
    from.split = data_is_container(c->out);
    if (!data_values_read(c->arena, &from, &values, &names, &error)) fail_io("%s", error);
    bool alone = values.len == first + 1 && c->files->len > 1 && !*names.at[first];
    if (alone) names.at[first] = file_stem(c->arena, from.path);
    for (int k = first; c->as && k < values.len; k++)
      values.at[k] = value_convert(c->arena, from.path, &values.at[k], to);
  }
  if (values.len == 0) fail_io("there are no values to write");
  data_write(c->arena, c->out, &names, values.at);
}

int cmd_convert(int argc, char **argv) {
  Session *s = session_new();
  Conversion c = {.arena = s->arena};
  Words words = {0};
  bool help;
  int na = 0;
  const ArgRow rows[] = {
      {"as", 0, ARG_TEXT, &c.as, "the type of elements: f64, i32, bool, .."},
      {"na", 0, ARG_CHOICE, &na, "error|nan: what an empty cell of a table is"},
      {0}};
  int status = STATUS_IO;
  if (args_parse(s->arena, rows, argc, argv, &words, &help) && !help) {
    if (words.len < 2) {
      status = usage_error("convert");
    } else {
      c.out = words.at[--words.len];
      c.files = &words;
      c.nan_cells = na == 1;
      status = (int)session_run(s, convert, &c);
    }
  } else if (help) {
    status = STATUS_OK;
  }
  session_free(s);
  return status;
}
