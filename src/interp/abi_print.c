// Text of a result as the language writes it: records, sums, and arrays of those.
#include "interp.h"

static void fields_print(Text *out, Arena *arena, const AbiType *t, const Value *leaves) {
  text_putc(out, t->is_tuple ? '(' : '{');
  for (int i = 0; i < t->fields.len; i++) {
    if (i > 0) text_puts(out, ", ");
    if (!t->is_tuple) text_printf(out, "%s = ", t->field_names.at[i]);
    abi_print(out, arena, t->fields.at[i], leaves);
    leaves += t->fields.at[i]->leaves;
  }
  text_putc(out, t->is_tuple ? ')' : '}');
}

// The first leaf is the constructor; `slots` says where the payload's leaves are.
static void sum_print(Text *out, Arena *arena, const AbiType *t, const Value *leaves) {
  int64_t c = value_at(&leaves[0], 0).i;
  if (c < 0 || c >= t->field_names.len) return;
  text_printf(out, "#%s", t->field_names.at[c]);
  const int *slots = t->slots.at[c].at;
  for (int p = 0; p < t->payloads.at[c].len; p++) {
    const AbiType *type = t->payloads.at[c].at[p];
    Value *own = NEW_ARRAY(arena, Value, type->leaves + 1);
    for (int i = 0; i < type->leaves; i++) own[i] = leaves[*slots++];
    bool parens = type->kind == ABI_SUM;
    text_puts(out, parens ? " (" : " ");
    abi_print(out, arena, type, own);
    if (parens) text_putc(out, ')');
  }
}

// Row i of an array with at least one dimension.
static Value row(const Value *v, int64_t i) {
  Value r = {.prim = v->prim, .rank = v->rank - 1, .shape = v->shape + 1};
  r.len = v->len / v->shape[0];
  r.data = (char *)v->data + i * r.len * prim_info[v->prim].bytes;
  return r;
}

static void rows_print(Text *out, Arena *arena, const AbiType *t, int rank, const Value *leaves) {
  if (rank == 0) {
    abi_print(out, arena, t->fields.at[0], leaves);
    return;
  }
  Value *rows = NEW_ARRAY(arena, Value, t->leaves + 1);
  text_putc(out, '[');
  for (int64_t i = 0; i < leaves[0].shape[0]; i++) {
    for (int k = 0; k < t->leaves; k++) rows[k] = row(&leaves[k], i);
    if (i) text_puts(out, ", ");
    rows_print(out, arena, t, rank - 1, rows);
  }
  text_putc(out, ']');
}

// empty([0]{a: i32}): the sizes distinguish empty arrays of several dimensions.
static void empty_print(Text *out, const AbiType *t, const Value *leaf) {
  text_puts(out, "empty(");
  for (int d = 0; d < t->rank; d++) text_printf(out, "[%lld]", (long long)leaf->shape[d]);
  text_printf(out, "%s)", t->fields.at[0]->name);
}

void abi_print(Text *out, Arena *arena, const AbiType *t, const Value *leaves) {
  switch (t->kind) {
    case ABI_SCALAR:
    case ABI_ARRAY: value_print(out, leaves); break;
    case ABI_RECORD: fields_print(out, arena, t, leaves); break;
    case ABI_SUM: sum_print(out, arena, t, leaves); break;
    case ABI_OPAQUE_ARRAY: {
      bool empty = false;
      for (int d = 0; d < t->rank && t->leaves > 0; d++) empty |= leaves[0].shape[d] == 0;
      if (t->leaves == 0) text_printf(out, "<%s>", t->name);
      else if (empty) empty_print(out, t, leaves);
      else rows_print(out, arena, t, t->rank, leaves);
      break;
    }
  }
}
