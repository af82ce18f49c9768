// Values of parameters from text, as the language and abi_print write them (grammar: rts/text.h,
// which reads the same for compiled programs).
#include <ctype.h>
#include <string.h>
#include "interp.h"

typedef struct {
  Arena *arena;
  ValueText *from;
  const ValueType *types;  // of all leaves; of leaves inside arrays, their ranks are larger
} AbiText;

// Leaf k of the value is leaf where[k] of the parameters, in arrays of `outer` dimensions.
typedef struct {
  const int *where;
  int outer;
} Leaves;

static bool value_take(AbiText *x, const AbiType *t, Leaves in, Value *out);

// The next character after white space and comments; -1 at the end.
static int look(AbiText *x) {
  value_text_skip(x->from);
  return x->from->at < x->from->len ? (unsigned char)x->from->text[x->from->at] : -1;
}

static bool accept(AbiText *x, char c) {
  if (look(x) != c) return false;
  x->from->at++;
  return true;
}

static bool fail(AbiText *x, const char *message) { return value_text_fail(x->from, message); }

static bool expect(AbiText *x, char c) {
  return accept(x, c) || fail(x, arena_printf(x->arena, "expected '%c'", c));
}

// A name of the language; NULL: there is none.
static const char *name_take(AbiText *x) {
  look(x);
  size_t from = x->from->at, n = from;
  for (; n < x->from->len; n++) {
    unsigned char c = (unsigned char)x->from->text[n];
    if (!isalnum(c) && c != '_' && c != '\'' && c < 0x80) break;
  }
  x->from->at = n;
  if (n == from) {
    fail(x, "expected a name");
    return NULL;
  }
  return arena_strndup(x->arena, x->from->text + from, n - from);
}

// ---- records and tuples
static int field_take(AbiText *x, const AbiType *t, const bool *have) {
  const char *name = name_take(x);
  for (int i = 0; name && i < t->field_names.len; i++) {
    if (strcmp(t->field_names.at[i], name) != 0) continue;
    if (have[i]) return fail(x, arena_printf(x->arena, "field \"%s\" is there twice", name)), -1;
    return expect(x, '=') ? i : -1;
  }
  if (name) fail(x, arena_printf(x->arena, "%s has no field \"%.60s\"", t->name, name));
  return -1;
}

static bool fields_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  bool *have = NEW_ARRAY(x->arena, bool, t->fields.len + 1);
  if (!expect(x, t->is_tuple ? '(' : '{')) return false;
  for (int k = 0; k < t->fields.len; k++) {
    if (k > 0 && !expect(x, ',')) return false;
    int i = t->is_tuple ? k : field_take(x, t, have), first = 0;
    if (i < 0) return false;
    have[i] = true;
    for (int before = 0; before < i; before++) first += t->fields.at[before]->leaves;
    Leaves own = {in.where + first, in.outer};
    if (!value_take(x, t->fields.at[i], own, out + first)) return false;
  }
  return expect(x, t->is_tuple ? ')' : '}');
}

// ---- sums
static Value nothing(AbiText *x, Leaves in, int leaf) {
  static const int64_t none[VALUE_MOST_RANK];
  ValueType type = x->types[in.where[leaf]];
  return value_new(x->arena, type.prim, type.rank - in.outer, none);
}

static bool payload_take(AbiText *x, const AbiType *t, int c, Leaves in, Value *out) {
  const int *slots = t->slots.at[c].at;
  for (int p = 0; p < t->payloads.at[c].len; p++) {
    const AbiType *type = t->payloads.at[c].at[p];
    Value *own = NEW_ARRAY(x->arena, Value, type->leaves + 1);
    int *where = NEW_ARRAY(x->arena, int, type->leaves + 1);
    for (int i = 0; i < type->leaves; i++) where[i] = in.where[slots[i]];
    if (!value_take(x, type, (Leaves){where, in.outer}, own)) return false;
    for (int i = 0; i < type->leaves; i++) out[*slots++] = own[i];
  }
  return true;
}

static bool sum_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  if (!expect(x, '#')) return false;
  const char *name = name_take(x);
  int c = 0;
  if (!name) return false;
  while (c < t->field_names.len && strcmp(t->field_names.at[c], name) != 0) c++;
  if (c == t->field_names.len)
    return fail(x, arena_printf(x->arena, "%s has no constructor #%.60s", t->name, name));
  for (int i = 0; i < t->leaves; i++) out[i] = nothing(x, in, i);
  value_put(&out[0], 0, scalar_int(out[0].prim, c));
  return payload_take(x, t, c, in, out);
}

// ---- arrays of records and sums
typedef struct {
  const AbiType *type;
  Leaves in;
  int64_t shape[VALUE_MOST_RANK];  // -1: not known yet
  LIST(Value *) elems;
} Rows;

static bool rows_take(AbiText *x, Rows *rows, int depth) {
  const AbiType *elem = rows->type->fields.at[0];
  if (depth == rows->type->rank) {
    Value *leaves = NEW_ARRAY(x->arena, Value, elem->leaves + 1);
    list_push(x->arena, &rows->elems, leaves);
    return value_take(x, elem, rows->in, leaves);
  }
  int64_t n = 0;
  if (!expect(x, '[')) return false;
  if (!accept(x, ']')) {
    do {
      if (!rows_take(x, rows, depth + 1)) return false;
      n++;
    } while (accept(x, ','));
    if (!expect(x, ']')) return false;
  }
  if (rows->shape[depth] >= 0 && rows->shape[depth] != n)
    return fail(x, "rows have different lengths");
  rows->shape[depth] = n;
  return true;
}

// empty([0][3]{a: i32})
static bool empty_take(AbiText *x, Rows *rows) {
  bool zero = false;
  const char *word = name_take(x);
  if (!word || strcmp(word, "empty") != 0) return fail(x, "expected '['");
  if (!expect(x, '(')) return false;
  for (int d = 0; d < rows->type->rank; d++) {
    ValueType size = {PRIM_I64, 0};
    Value v;
    if (!expect(x, '[') || !value_text_read(x->from, &size, &v) || !expect(x, ']')) return false;
    rows->shape[d] = value_at(&v, 0).i;
    if (rows->shape[d] < 0) return fail(x, "a size is negative");
    zero |= rows->shape[d] == 0;
  }
  if (!zero) return fail(x, "\"empty\" needs a dimension of size 0");
  for (int open = 1; open > 0; x->from->at++) {  // the type, in whatever words
    if (x->from->at >= x->from->len) return fail(x, "unexpected end of input");
    char c = x->from->text[x->from->at];
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  return true;
}

// Leaf k of all elements as one array.
static bool leaf_join(AbiText *x, const Rows *rows, int k, Value *out) {
  int64_t shape[2 * VALUE_MOST_RANK] = {0};
  int n = rows->type->rank;
  Value first = rows->elems.len ? rows->elems.at[0][k] : nothing(x, rows->in, k);
  memcpy(shape, rows->shape, sizeof *shape * (size_t)n);
  if (first.rank) memcpy(shape + n, first.shape, sizeof *shape * (size_t)first.rank);
  *out = value_new(x->arena, first.prim, n + first.rank, shape);
  size_t bytes = (size_t)first.len * (size_t)prim_info[first.prim].bytes;
  for (int i = 0; i < rows->elems.len; i++) {
    const Value *v = &rows->elems.at[i][k];
    if (v->rank && memcmp(v->shape, first.shape, sizeof *shape * (size_t)v->rank) != 0)
      return fail(x, "elements of an array have different shapes");
    if (bytes) memcpy((char *)out->data + (size_t)i * bytes, v->data, bytes);
  }
  return true;
}

static bool array_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  Rows rows = {.type = t, .in = {in.where, in.outer + t->rank}};
  for (int d = 0; d < t->rank; d++) rows.shape[d] = -1;
  if (look(x) == 'e' ? !empty_take(x, &rows) : !rows_take(x, &rows, 0)) return false;
  for (int d = 0; d < t->rank; d++)
    if (rows.shape[d] < 0) rows.shape[d] = 0;
  for (int k = 0; k < t->leaves; k++)
    if (!leaf_join(x, &rows, k, &out[k])) return false;
  return true;
}

// ---- any value
static bool plain_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  ValueType type = {t->prim, t->kind == ABI_ARRAY ? t->rank : 0};
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: return value_text_read(x->from, &type, out);
    case ABI_RECORD: return fields_take(x, t, in, out);
    case ABI_SUM: return sum_take(x, t, in, out);
    case ABI_OPAQUE_ARRAY: return array_take(x, t, in, out);
  }
  return false;
}

// Parentheses around what is no tuple change nothing.
static bool value_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  int64_t open = 0;
  while (!(t->kind == ABI_RECORD && t->is_tuple) && accept(x, '(')) open++;
  if (!plain_take(x, t, in, out)) return false;
  for (; open > 0; open--)
    if (!expect(x, ')')) return false;
  return true;
}

// A tuple is its components one after the other, or in parentheses.
static bool param_take(AbiText *x, const AbiType *t, Leaves in, Value *out) {
  if (t->kind != ABI_RECORD || !t->is_tuple || look(x) == '(') return value_take(x, t, in, out);
  for (int i = 0; i < t->fields.len; i++) {
    const AbiType *field = t->fields.at[i];
    if (!param_take(x, field, in, out)) return false;
    in.where += field->leaves, out += field->leaves;
  }
  return true;
}

static const ValueType *leaf_types(Arena *arena, const Prog *prog, const Fn *fn) {
  ValueType *types = NEW_ARRAY(arena, ValueType, fn->params.len + 1);
  int first = fn->entry->size_params;
  for (int i = first; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    types[i - first] = (ValueType){t.prim, t.rank};
  }
  return types;
}

bool abi_inputs_read(ValueText *text, const Prog *prog, const Fn *fn, AbiInputs *in) {
  Arena *arena = text->arena;
  AbiText x = {arena, text, leaf_types(arena, prog, fn)};
  int leaf = 0;
  for (in->param = 0; in->param < fn->entry->params.len; in->param++) {
    const AbiType *t = fn->entry->params.at[in->param].type;
    Value *own = NEW_ARRAY(arena, Value, t->leaves + 1);
    int *where = NEW_ARRAY(arena, int, t->leaves + 1);
    for (int i = 0; i < t->leaves; i++) where[i] = leaf++;
    if (t->leaves && !param_take(&x, t, (Leaves){where, 0}, own)) return false;
    for (int i = 0; i < t->leaves; i++) list_push(arena, &in->leaves, own[i]);
  }
  return look(&x) < 0 || fail(&x, "expected end of input");
}
