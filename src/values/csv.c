// Tables as text: numbers between commas, semicolons, tabs or blanks, whichever the first line has
// (in this order: tab, semicolon, comma); a first row of words has the names of the columns.  Cells
// may be quoted, "" is a quote within; lines end with LF or CRLF; lines that begin with # and, in
// tables of several columns, empty lines are left out.  Rows have one length.  Nothing is guessed:
// an empty cell, NA or text where a number should be is an error unless NaN is asked for.
#include "local.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MOST = 64, SHOWN_MOST = 30 };

typedef struct {
  const char *at;  // without quotes
  size_t len;
  bool quoted, last;  // last of its row
  int64_t line, column;  // from 1
} Cell;
typedef struct {
  Arena *arena;
  const char **error;
  const char *at, *end;
  char delimiter;
  int64_t line, column;  // of the next cell
  int64_t columns;       // of every row; 0: not known yet
} Csv;

static bool cell_fail(const Csv *t, const Cell *c, const char *what) {
  Text shown = {0};
  for (size_t i = 0; i < c->len && i < SHOWN_MOST; i++)
    text_putc(&shown, isprint((unsigned char)c->at[i]) ? c->at[i] : '?');
  data_fail(t->arena, t->error, "line %ld, column %ld: '%s' %s", (long)c->line, (long)c->column,
            shown.at ? shown.at : "", what);
  text_free(&shown);
  return false;
}

static bool line_fail(const Csv *t, int64_t line, const char *what) {
  return data_fail(t->arena, t->error, "line %ld: %s", (long)line, what);
}

// ---- rows and cells ---------------------------------------------------------------------------
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static const char *line_end(const Csv *t) {
  const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
  return end ? end : t->end;
}

static bool line_is_empty(const Csv *t) {
  const char *end = line_end(t), *at = t->at;
  while (at < end && (is_blank(*at) || *at == '\r')) at++;
  return at == end;
}

// Without the empty lines at the end.
static void end_trim(Csv *t) {
  for (const char *at = t->end; at > t->at && isspace((unsigned char)at[-1]); at--)
    if (at[-1] == '\n') t->end = at - 1;
  while (t->end > t->at && t->end[-1] == '\r') t->end--;
}

static void line_skip(Csv *t) {
  t->at = line_end(t);
  if (t->at < t->end) t->at++;
  t->line++;
}

// To the next row; false at the end.  An empty line is an empty cell of a table of one column.
static bool row_next(Csv *t) {
  while (t->at < t->end) {
    bool skip = *t->at == '#' || (t->columns != 1 && line_is_empty(t));
    if (!skip) {
      t->column = 1;
      return true;
    }
    line_skip(t);
  }
  return false;
}

static char delimiter_of(const Csv *t) {
  const char *end = line_end(t), *best = NULL;
  static const char order[] = "\t;,";
  bool quoted = false;
  for (const char *at = t->at; at < end; at++) {
    if (*at == '"') quoted = !quoted;
    const char *here = quoted || !*at ? NULL : strchr(order, *at);
    if (here && (!best || here < best)) best = here;
  }
  return best ? *best : ' ';
}

static void blanks_skip(Csv *t) {
  while (t->at < t->end && is_blank(*t->at) && *t->at != (t->delimiter == '\t' ? '\t' : 0)) t->at++;
}

// The text between the quotes; a copy where doubled quotes are halved.
static bool quoted_read(Csv *t, Cell *c) {
  Text text = {0};
  const char *from = ++t->at;
  bool doubled = false, good = false;
  for (; t->at < t->end && !good; t->at++) {
    if (*t->at == '\n') break;
    if (*t->at != '"') text_putc(&text, *t->at);
    else if (t->at + 1 < t->end && t->at[1] == '"') doubled = true, text_putc(&text, *t->at++);
    else good = true;
  }
  c->quoted = true;
  c->at = doubled ? arena_strndup(t->arena, text.at, text.len) : from;
  c->len = text.len;
  text_free(&text);
  return good || line_fail(t, t->line, "a quote is not closed on its line");
}

static bool is_delimiter(const Csv *t, char c) {
  return t->delimiter == ' ' ? is_blank(c) : c == t->delimiter;
}

static bool cell_end(Csv *t, Cell *c) {
  blanks_skip(t);
  if (t->at < t->end && *t->at == '\r' && (t->at + 1 == t->end || t->at[1] == '\n')) t->at++;
  c->last = t->at == t->end || *t->at == '\n';
  if (c->last) {
    if (t->at < t->end) t->at++;
    t->line++;
    return true;
  }
  if (t->delimiter == ' ') return true;
  if (!is_delimiter(t, *t->at)) return cell_fail(t, c, "is followed by something after its quote");
  t->at++;
  return true;
}

static bool cell_read(Csv *t, Cell *c) {
  blanks_skip(t);
  *c = (Cell){.at = t->at, .line = t->line, .column = t->column++};
  if (t->at < t->end && *t->at == '"') return quoted_read(t, c) && cell_end(t, c);
  while (t->at < t->end && *t->at != '\n' && !is_delimiter(t, *t->at)) t->at++;
  c->len = (size_t)(t->at - c->at);
  if (c->len && c->at[c->len - 1] == '\r' && (t->at == t->end || *t->at == '\n')) c->len--;
  while (c->len && is_blank(c->at[c->len - 1])) c->len--;
  if (memchr(c->at, 0, c->len)) return line_fail(t, c->line, "a byte 0: this is no table of text");
  return cell_end(t, c);
}

// ---- numbers ----------------------------------------------------------------------------------
static bool cell_is(const Cell *c, const char *word) {
  if (strlen(word) != c->len) return false;
  for (size_t i = 0; i < c->len; i++)
    if (tolower((unsigned char)c->at[i]) != word[i]) return false;
  return true;
}

static bool cell_missing(const Cell *c) {
  return c->len == 0 || cell_is(c, "na") || cell_is(c, "n/a") || cell_is(c, "null");
}

static bool cell_float(const Cell *c, double *f, float *narrow) {
  char word[NUMBER_MOST];
  size_t sign = c->len && (c->at[0] == '-' || c->at[0] == '+');
  Cell bare = {.at = c->at + sign, .len = c->len - sign};
  bool inf = cell_is(&bare, "inf") || cell_is(&bare, "infinity");
  if (inf || cell_is(&bare, "nan")) {
    *f = !inf ? (double)NAN : c->at[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    *narrow = (float)*f;
    return true;
  }
  if (!c->len || c->len >= NUMBER_MOST) return false;
  for (size_t i = 0; i < c->len; i++)
    if (!c->at[i] || !strchr("0123456789+-.eE", c->at[i])) return false;
  memcpy(word, c->at, c->len);
  word[c->len] = 0;
  char *end;
  *f = strtod(word, &end);
  *narrow = strtof(word, NULL);
  return !*end && end != word;
}

static bool cell_integer(const Cell *c, bool *negative, uint64_t *out) {
  size_t at = c->len && (c->at[0] == '-' || c->at[0] == '+');
  *negative = at && c->at[0] == '-';
  *out = 0;
  if (at == c->len) return false;
  for (; at < c->len; at++) {
    unsigned d = (unsigned)(c->at[at] - '0');
    if (d > 9 || __builtin_mul_overflow(*out, (uint64_t)10, out) ||
        __builtin_add_overflow(*out, (uint64_t)d, out))
      return false;
  }
  return true;
}

static bool cell_truth(const Cell *c, bool *out) {
  *out = cell_is(c, "true") || cell_is(c, "1");
  return *out || cell_is(c, "false") || cell_is(c, "0");
}

static bool cell_numeric(const Cell *c) {
  double f;
  float narrow;
  return cell_float(c, &f, &narrow) || cell_is(c, "true") || cell_is(c, "false");
}

static bool integer_value(const Csv *t, const Cell *c, Prim prim, Scalar *out) {
  bool negative;
  uint64_t u;
  int bits = 8 * prim_info[prim].bytes;
  if (!cell_integer(c, &negative, &u)) return cell_fail(t, c, "is not an integer");
  uint64_t most = prim_is_signed(prim) ? ((uint64_t)1 << (bits - 1)) - !negative
                  : negative           ? 0
                                       : UINT64_MAX >> (64 - bits);
  if (u > most)
    return cell_fail(t, c, arena_printf(t->arena, "does not fit %s", prim_info[prim].name));
  *out = scalar_int(prim, (int64_t)(negative ? 0 - u : u));
  return true;
}

static bool cell_value(const Csv *t, const Cell *c, Prim prim, bool nan_cells, Scalar *out) {
  double f = (double)NAN;
  float narrow = NAN;
  bool truth;
  if (cell_missing(c) && !(nan_cells && prim_is_float(prim)))
    return cell_fail(t, c, prim_is_float(prim)
                               ? "is no number (--na nan makes NaN of missing values)"
                               : "is a missing value");
  if (prim == PRIM_BOOL) {
    *out = scalar_bool(cell_truth(c, &truth) && truth);
    return cell_truth(c, &truth) || cell_fail(t, c, "is neither true nor false");
  }
  if (!prim_is_float(prim)) return integer_value(t, c, prim, out);
  if (!cell_missing(c) && !cell_float(c, &f, &narrow)) return cell_fail(t, c, "is not a number");
  *out = scalar_float(prim, prim == PRIM_F32 ? (double)narrow : f);
  return true;
}

// ---- the first row ----------------------------------------------------------------------------
typedef struct {
  CsvNames names;      // empty: there is no header
  LIST(int64_t) take;  // the columns chosen, from 0
  int64_t *place;      // by column: where in these, -1: not chosen
  Csv body;            // at the first row of numbers
  int64_t rows;
} Table;

// It has the names of the columns when no cell is a number, or those that are, are quoted.
static bool header_read(Csv *t, Table *table) {
  int64_t numbers = 0, words = 0;
  Csv start = *t;
  for (Cell c = {0}; !c.last;) {
    if (!cell_read(t, &c)) return false;
    bool number = cell_numeric(&c);
    numbers += number && !c.quoted;
    words += !number && !cell_missing(&c);
    list_push(t->arena, &table->names, arena_strndup(t->arena, c.at, c.len));
    t->columns = c.column;
  }
  start.columns = t->columns;
  if (words && numbers)
    return line_fail(t, start.line, "the first row has both names and numbers; quote the names");
  if (words) return true;
  table->names.len = 0;
  *t = start;
  return true;
}

static bool table_begin(Csv *t, Table *table) {
  static const char mark[] = "\xef\xbb\xbf";  // of UTF-8
  if (t->end - t->at >= 3 && memcmp(t->at, mark, 3) == 0) t->at += 3;
  end_trim(t);
  if (!row_next(t)) return data_fail(t->arena, t->error, "the table is empty");
  t->delimiter = delimiter_of(t);
  return header_read(t, table);
}

static bool rows_count(Csv *t, Table *table) {
  table->body = *t;
  while (row_next(t)) {
    int64_t line = t->line;
    Cell c = {0};
    while (!c.last)
      if (!cell_read(t, &c)) return false;
    if (c.column != t->columns)
      return data_fail(t->arena, t->error, "line %ld: %ld column%s, but %ld in the first row",
                       (long)line, (long)c.column, c.column == 1 ? "" : "s", (long)t->columns);
    table->rows++;
  }
  return true;
}

// ---- choosing columns -------------------------------------------------------------------------
static bool column_choose(const Csv *t, Table *table, const char *word) {
  for (int i = 0; i < table->names.len; i++)
    if (strcmp(table->names.at[i], word) == 0) return list_push(t->arena, &table->take, i), true;
  char *end;
  errno = 0;
  long n = strtol(word, &end, 10);
  if (*word && !*end && !errno && n >= 1 && n <= t->columns)
    return list_push(t->arena, &table->take, n - 1), true;
  Text names = {0};
  for (int i = 0; i < table->names.len && i < SHOWN_MOST; i++)
    text_printf(&names, "%s%s", i ? ", " : "", table->names.at[i]);
  if (!names.at) text_printf(&names, "numbers 1 to %ld", (long)t->columns);
  data_fail(t->arena, t->error, "no column '%s'; there are %s", word, names.at);
  text_free(&names);
  return false;
}

static bool columns_choose(const Csv *t, Table *table, const char *columns) {
  for (int64_t i = 0; !columns && i < t->columns; i++) list_push(t->arena, &table->take, i);
  while (columns) {
    size_t n = strcspn(columns, ",");
    if (!column_choose(t, table, arena_strndup(t->arena, columns, n))) return false;
    columns = columns[n] ? columns + n + 1 : NULL;
  }
  table->place = NEW_ARRAY(t->arena, int64_t, t->columns + 1);
  for (int64_t i = 0; i < t->columns; i++) table->place[i] = -1;
  for (int k = 0; k < table->take.len; k++) {
    int64_t *place = &table->place[table->take.at[k]];
    if (*place >= 0)
      return data_fail(t->arena, t->error, "column %ld is chosen twice",
                       (long)table->take.at[k] + 1);
    *place = k;
  }
  return true;
}

// ---- the value --------------------------------------------------------------------------------
static bool shape_choose(const Csv *t, const Table *table, int rank, int64_t *shape) {
  int64_t n = table->rows, m = table->take.len;
  shape[0] = m == 1 ? n : m;
  if (rank == 2) shape[0] = n, shape[1] = m;
  bool fits = rank == 2 || (rank == 1 && (m == 1 || n == 1)) || (rank == 0 && n * m == 1);
  if (fits) return true;
  if (rank > 2)
    return data_fail(t->arena, t->error, "a table has 2 dimensions, not %d", rank);
  if (table->names.len)
    return data_fail(t->arena, t->error,
                     "%ld rows of %ld columns; choose one by its name, as in FILE:%s", (long)n,
                     (long)m, table->names.at[table->take.at[0]]);
  return data_fail(t->arena, t->error,
                   "%ld rows of %ld columns; choose one by its number, as in FILE:1", (long)n,
                   (long)m);
}

// Integers, truth values or floats: what all cells are.
static bool prim_guess(const Table *table, Prim *out) {
  Csv t = table->body;
  bool integers = true, truths = true;
  while (row_next(&t))
    for (Cell c = {0}; !c.last;) {
      bool negative;
      uint64_t u;
      if (!cell_read(&t, &c)) return false;
      if (table->place[c.column - 1] < 0) continue;
      bool integer = cell_integer(&c, &negative, &u);
      integers &= integer && u <= INT64_MAX;
      truths &= cell_is(&c, "true") || cell_is(&c, "false");
    }
  *out = truths ? PRIM_BOOL : integers ? PRIM_I64 : PRIM_F64;
  return true;
}

static bool row_fill(Csv *t, const Table *table, bool nan_cells, Value *out, int64_t row) {
  for (Cell c = {0}; !c.last;) {
    Scalar s;
    if (!cell_read(t, &c)) return false;
    int64_t place = table->place[c.column - 1];
    if (place < 0) continue;
    if (!cell_value(t, &c, out->prim, nan_cells, &s)) return false;
    value_put(out, row * table->take.len + place, s);
  }
  return true;
}

bool csv_read(Arena *arena, const CsvFile *file, Value *out, const char **error) {
  Csv t = {.arena = arena, .error = error, .at = file->bytes, .line = 1};
  t.end = file->bytes + file->len;
  Table table = {0};
  if (!table_begin(&t, &table) || !rows_count(&t, &table)) return false;
  if (!columns_choose(&t, &table, file->columns)) return false;
  ValueType type = {PRIM_F64, table.take.len > 1 ? 2 : 1};
  if (file->expected) type = *file->expected;
  else if (!prim_guess(&table, &type.prim)) return false;
  int64_t shape[2], count;
  if (!shape_choose(&t, &table, type.rank, shape)) return false;
  if (!shape_fits(type.rank, shape, prim_info[type.prim].bytes, SIZE_MAX / 4, &count))
    return data_fail(arena, error, "the table is too large");
  *out = value_new(arena, type.prim, type.rank, shape);
  for (int64_t row = 0; row_next(&table.body); row++)
    if (!row_fill(&table.body, &table, file->nan_cells, out, row)) return false;
  return true;
}

bool csv_names(Arena *arena, const char *bytes, size_t len, CsvNames *out, const char **error) {
  Csv t = {.arena = arena, .error = error, .at = bytes, .end = bytes + len, .line = 1};
  Table table = {0};
  if (!table_begin(&t, &table)) return false;
  *out = table.names;
  return true;
}
