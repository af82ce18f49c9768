// text: values of every type from text, as the language and dz_exe_text write them:
//   value   = scalar or array (io.h) | "(" value ")" | fields | "#" name value* | rows
//   fields  = "{" name "=" value, .. "}" in any order | "(" value, .. ")" for tuples
//   rows    = "[" value or rows, .. "]" | "empty(" "[" size "]".. type ")"
// The recursion follows the type, so its depth does not depend on the input.
#ifndef DZ_TEXT_H
#define DZ_TEXT_H
#include "cli.h"

DZ_FN int dz_text_value(DzCtx *c, DzReader *r, const DzType *t, DzVal *out);

// The reader's message becomes the context's.
DZ_FN int dz_text_error(DzCtx *c, const DzReader *r) {
  return dz_error(c, DZ_ERROR, "%s", r->error);
}

DZ_FN bool dz_text_accept(DzReader *r, int ch) {
  dz_skip(r);
  if (dz_peek(r) != ch) return false;
  dz_next(r);
  return true;
}

DZ_FN bool dz_text_expect(DzReader *r, char ch) {
  return dz_text_accept(r, ch) || dz_reader_fail(r, "expected '%c'", ch);
}

DZ_FN bool dz_text_in_name(int ch) {
  bool joins = ch == '.' || ch == '-' || ch == '+';
  return (dz_is_word(ch) && !joins) || ch == '\'' || ch >= 0x80;
}

// A name of the language, of a field or constructor.
DZ_FN bool dz_text_name(DzReader *r, char *out) {
  size_t n = 0;
  dz_skip(r);
  while (dz_text_in_name(dz_peek(r))) {
    if (n + 1 >= DZ_TOKEN_MAX) return dz_reader_fail(r, "name is too long");
    out[n++] = (char)dz_next(r);
  }
  out[n] = 0;
  return n > 0 || dz_reader_fail(r, "expected a name");
}

DZ_FN void dz_text_free(DzCtx *c, const DzPart *parts, int n, DzVal *values, const bool *have) {
  for (int i = 0; i < n; i++)
    if (have[i]) dz_val_free(c, parts[i].type, &values[i]);
  free(values);
}

// ---- records and tuples ----------------------------------------------------------------------
// Which field comes next; -1: none.
DZ_FN int dz_text_field(DzReader *r, const DzType *t, const bool *have) {
  char name[DZ_TOKEN_MAX];
  int i = 0;
  if (!dz_text_name(r, name)) return -1;
  while (i < t->part_count && strcmp(t->parts[i].name, name) != 0) i++;
  if (i == t->part_count) return dz_reader_fail(r, "%s has no field \"%.60s\"", t->name, name), -1;
  if (have[i]) return dz_reader_fail(r, "field \"%.60s\" is there twice", name), -1;
  return dz_text_expect(r, '=') ? i : -1;
}

DZ_FN int dz_text_fields(DzCtx *c, DzReader *r, const DzType *t, DzVal *values, bool *have) {
  bool tuple = dz_type_is_tuple(t);
  if (!dz_text_expect(r, tuple ? '(' : '{')) return dz_text_error(c, r);
  for (int k = 0; k < t->part_count; k++) {
    if (k > 0 && !dz_text_expect(r, ',')) return dz_text_error(c, r);
    int i = tuple ? k : dz_text_field(r, t, have);
    if (i < 0) return dz_text_error(c, r);
    int err = dz_text_value(c, r, t->parts[i].type, &values[i]);
    if (err != 0) return err;
    have[i] = true;
  }
  return dz_text_expect(r, tuple ? ')' : '}') ? 0 : dz_text_error(c, r);
}

DZ_FN int dz_text_record(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  size_t n = (size_t)t->part_count + 1;
  DzVal *values = (DzVal *)calloc(n, sizeof *values + sizeof(bool));
  if (values == NULL) return dz_out_of_memory(c, 0, -1);
  bool *have = (bool *)(values + n);
  int err = dz_text_fields(c, r, t, values, have);
  if (err == 0) err = dz_record_new(c, t, &out->opaque, values);
  dz_text_free(c, t->parts, t->part_count, values, have);
  return err;
}

// ---- sums ------------------------------------------------------------------------------------
DZ_FN int dz_text_variant(DzReader *r, const DzType *t) {
  char name[DZ_TOKEN_MAX];
  if (!dz_text_expect(r, '#') || !dz_text_name(r, name)) return -1;
  for (int k = 0; k < t->variant_count; k++)
    if (strcmp(t->variants[k].name, name) == 0) return k;
  return dz_reader_fail(r, "%s has no constructor #%.60s", t->name, name), -1;
}

DZ_FN int dz_text_sum(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  int k = dz_text_variant(r, t), err = 0;
  if (k < 0) return dz_text_error(c, r);
  const DzVariant *v = &t->variants[k];
  size_t n = (size_t)v->part_count + 1;
  DzVal *values = (DzVal *)calloc(n, sizeof *values + sizeof(bool));
  if (values == NULL) return dz_out_of_memory(c, 0, -1);
  bool *have = (bool *)(values + n);
  for (int i = 0; i < v->part_count && err == 0; i++) {
    err = dz_text_value(c, r, v->parts[i].type, &values[i]);
    have[i] = err == 0;
  }
  if (err == 0) err = dz_sum_new(c, t, k, &out->opaque, values);
  dz_text_free(c, v->parts, v->part_count, values, have);
  return err;
}

// ---- arrays of records and sums --------------------------------------------------------------
typedef struct DzTextRows {
  const DzType *type;
  int64_t shape[DZ_RANK_MAX];  // -1: not known yet
  DzVal *elems;
  int64_t count, room;
} DzTextRows;

DZ_FN int dz_text_element(DzCtx *c, DzReader *r, DzTextRows *rows) {
  if (rows->count == rows->room) {
    int64_t room = 2 * rows->room + 16;
    DzVal *more = (DzVal *)realloc(rows->elems, (size_t)room * sizeof *more);
    if (more == NULL) return dz_out_of_memory(c, room * (int64_t)sizeof *more, -1);
    rows->elems = more;
    rows->room = room;
  }
  int err = dz_text_value(c, r, rows->type->elem, &rows->elems[rows->count]);
  rows->count += err == 0;
  return err;
}

DZ_FN int dz_text_rows(DzCtx *c, DzReader *r, DzTextRows *rows, int depth) {
  if (depth == rows->type->rank) return dz_text_element(c, r, rows);
  int64_t n = 0;
  if (!dz_text_expect(r, '[')) return dz_text_error(c, r);
  if (!dz_text_accept(r, ']')) {
    do {
      int err = dz_text_rows(c, r, rows, depth + 1);
      if (err != 0) return err;
      n++;
    } while (dz_text_accept(r, ','));
    if (!dz_text_expect(r, ']')) return dz_text_error(c, r);
  }
  if (rows->shape[depth] >= 0 && rows->shape[depth] != n) {
    dz_reader_fail(r, "rows have different lengths");
    return dz_text_error(c, r);
  }
  rows->shape[depth] = n;
  return 0;
}

// empty([0][3]{a: i32})
DZ_FN bool dz_text_empty(DzReader *r, DzTextRows *rows) {
  char token[DZ_TOKEN_MAX];
  bool negative;
  uint64_t n, none = 1;
  if (!dz_text_name(r, token) || strcmp(token, "empty") != 0)
    return dz_reader_fail(r, "expected '['");
  if (!dz_text_expect(r, '(')) return false;
  for (int d = 0; d < rows->type->rank; d++) {
    if (!dz_text_expect(r, '[') || !dz_read_token(r, token)) return false;
    if (!dz_token_int(token, &negative, &n) || negative || n > INT64_MAX)
      return dz_reader_fail(r, "invalid dimension \"%.60s\"", token);
    rows->shape[d] = (int64_t)n;
    none = n == 0 ? 0 : none;
    if (!dz_text_expect(r, ']')) return false;
  }
  if (none != 0) return dz_reader_fail(r, "\"empty\" needs a dimension of size 0");
  for (int64_t open = 1; open > 0;) {  // the type, in whatever words
    int ch = dz_next(r);
    if (ch < 0) return dz_reader_fail(r, "unexpected end of input");
    open += ch == '(' ? 1 : ch == ')' ? -1 : 0;
  }
  return true;
}

DZ_FN int dz_text_array(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  DzTextRows rows = {.type = t};
  for (int d = 0; d < t->rank; d++) rows.shape[d] = -1;
  int err = 0;
  dz_skip(r);
  if (dz_peek(r) == 'e') err = dz_text_empty(r, &rows) ? 0 : dz_text_error(c, r);
  else err = dz_text_rows(c, r, &rows, 0);
  for (int d = 0; d < t->rank; d++)
    if (rows.shape[d] < 0) rows.shape[d] = 0;
  if (err == 0) err = dz_rows_new(c, t, &out->opaque, rows.elems, rows.shape);
  for (int64_t i = 0; i < rows.count; i++) dz_val_free(c, t->elem, &rows.elems[i]);
  free(rows.elems);
  return err;
}

// ---- any value -------------------------------------------------------------------------------
DZ_FN int dz_text_plain(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  switch (t->kind) {
    case DZ_SCALAR:
    case DZ_ARRAY: return dz_val_read(c, r, t, out);
    case DZ_RECORD: return dz_text_record(c, r, t, out);
    case DZ_SUM: return dz_text_sum(c, r, t, out);
    case DZ_OPAQUE_ARRAY: return dz_text_array(c, r, t, out);
    case DZ_OPAQUE: break;
  }
  dz_reader_fail(r, "values of type %s have no text", t->name);
  return dz_text_error(c, r);
}

// Parentheses around what is no tuple change nothing.
DZ_FN int dz_text_value(DzCtx *c, DzReader *r, const DzType *t, DzVal *out) {
  int64_t open = 0;
  bool tuple = t->kind == DZ_RECORD && dz_type_is_tuple(t);
  while (!tuple && dz_text_accept(r, '(')) open++;
  int err = dz_text_plain(c, r, t, out);
  if (err != 0) return err;
  while (open > 0 && dz_text_expect(r, ')')) open--;
  if (open == 0) return 0;
  dz_val_free(c, t, out);
  return dz_text_error(c, r);
}
#endif
