// Sizes and parts of blocks.
#include "blocks.h"

enum {
  UNKNOWN = 16,  // sizes that are not known outside
  MOST = 65536,
};

static bool is_known(Vars known, const Term1 *term) {
  for (int k = 0; k < term->n; k++)
    if (!vars_have(known, term->vars[k])) return false;
  return true;
}

Atom build_poly(Blocks *s, Poly p, Vars known) {
  Atom sum = atom_i64(0);
  double fixed = 1;
  for (int i = 0; i < p.len; i++) {
    const Term1 *term = &p.at[i];
    if (term->n == 0 || !is_known(known, term)) {
      double value = term->factor;
      for (int k = 0; k < term->n; k++) value *= UNKNOWN;
      fixed += value;
      continue;
    }
    Atom product = atom_i64(term->factor < 1 ? 1 : (int64_t)term->factor);
    for (int k = 0; k < term->n; k++)
      product = build_op(&s->to, OP_MUL, product, atom_var(term->vars[k]));
    sum = build_op(&s->to, OP_ADD, sum, product);
  }
  sum = build_op(&s->to, OP_ADD, sum, atom_i64(fixed < 1 ? 1 : (int64_t)fixed));
  return build_op(&s->to, OP_MAX, sum, atom_i64(1));
}

static Atom build_div(Builder *b, Atom x, Atom y) {
  b->attrs.unchecked = true;
  Atom q = build_op(b, OP_DIV, x, y);
  b->attrs.unchecked = false;
  return q;
}

Atom build_ceil(Builder *b, Atom x, Atom y) {
  Atom more = build_op(b, OP_SUB, y, atom_i64(1));
  return build_div(b, build_op(b, OP_ADD, x, more), y);
}

Cut build_cut(Blocks *s, Atom width, Atom cost, int least) {
  Exp budget = {.form = FORM_TUNED, .tuned = {.name = TUNED_BLOCK, .otherwise = atom_i64(131072)}};
  Atom most = build(&s->to, "budget", type_scalar(PRIM_I64), budget);
  Cut cut = {.width = width, .block = build_div(&s->to, most, cost)};
  cut.block = build_op(&s->to, OP_MIN, cut.block, atom_i64(MOST));
  cut.block = build_op(&s->to, OP_MAX, cut.block, atom_i64(least));
  cut.blocks = build_ceil(&s->to, width, cut.block);
  return cut;
}

Range build_range(Builder *b, Cut cut, Atom number) {
  Atom first = build_op(b, OP_MUL, number, cut.block);
  Atom left = build_op(b, OP_SUB, cut.width, first);
  return (Range){first, build_op(b, OP_MIN, cut.block, left)};
}

Atom build_part(Blocks *s, Builder *b, Atom array, Range range) {
  const Stm *def = array.is_var ? map_get(s->defs, array.var.id) : NULL;
  Type t = atom_type(b->prog, array), part = type_array(b->prog->arena, type_row(t), range.count);
  if (def && def->exp.form == FORM_IOTA) {
    const struct iota_form *iota = &def->exp.iota;
    Atom step = build_op(b, OP_MUL, build_conv(b, t.prim, range.first), iota->step);
    Atom start = build_op(b, OP_ADD, iota->start, step);
    return build(b, NULL, part,
                 (Exp){.form = FORM_IOTA, .iota = {range.count, start, iota->step}});
  }
  Exp slice = {.form = FORM_INDEX, .index = {.array = array}};
  SliceDim rows = {.start = range.first, .count = range.count, .stride = atom_i64(1)};
  list_push(b->prog->arena, &slice.index.slice, rows);
  for (int d = 1; d < t.rank; d++)
    list_push(b->prog->arena, &slice.index.slice, slice_full(t.dims[d]));
  b->attrs.unchecked = true;
  Atom out = build(b, NULL, part, slice);
  b->attrs.unchecked = false;
  return out;
}

Atoms build_parts(Blocks *s, Builder *b, Atoms arrays, Range range) {
  Atoms out = {0};
  for (int i = 0; i < arrays.len; i++)
    list_push(b->prog->arena, &out, build_part(s, b, arrays.at[i], range));
  return out;
}

Operators operators_copy(Builder *b, Operators ops) {
  Operators out = {0};
  for (int i = 0; i < ops.len; i++) {
    Operator o = ops.at[i];
    o.op = lambda_copy(b, o.op);
    list_push(b->prog->arena, &out, o);
  }
  return out;
}
