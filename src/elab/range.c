// Ranges: s..t..<e and its relatives.
#include "local.h"

static Atom op2(Elab *e, Op op, Atom a, Atom b) { return emit_op(e, op, a, b); }


typedef struct {
  Atom from, to, step;  // i64
  Atom count, ok;
} Range;

// Step 1 or -1: the count is the distance.
static void range_unit(Elab *e, Range *r, RangeTag tag, bool down) {
  Atom lo = down ? r->to : r->from, hi = down ? r->from : r->to;
  r->count = op2(e, OP_SUB, hi, lo);
  if (tag == RANGE_TO) r->count = op2(e, OP_ADD, r->count, atom_i64(1));
  bool sure = tag != RANGE_TO && atom_is(lo, 0) && is_size(e, hi);
  r->ok = sure ? atom_bool(true) : op2(e, OP_LE, lo, hi);
  bool small = !lo.is_var && lo.value.i >= (tag == RANGE_TO);
  if (!small) r->ok = op2(e, OP_AND, r->ok, op2(e, OP_LE, atom_i64(tag == RANGE_TO), r->count));
}

// Any step: count = ceil(distance / |step|), for `...` floor(distance / |step|) + 1.
static void range_stepped(Elab *e, Range *r, RangeTag tag) {
  Atom zero = atom_i64(0), one = atom_i64(1);
  Atom up = op2(e, OP_LT, zero, r->step), down = op2(e, OP_LT, r->step, zero);
  Atom rising = op2(e, OP_LE, r->from, r->to), falling = op2(e, OP_LE, r->to, r->from);
  Atom size = build_select(&e->b, op2(e, OP_EQ, r->step, zero), one,
                           build_op1(&e->b, OP_ABS, r->step));
  Atom distance = build_op1(&e->b, OP_ABS, op2(e, OP_SUB, r->to, r->from));
  Atom rounded = op2(e, OP_ADD, distance, op2(e, OP_SUB, size, one));
  // The distance and the rounded one must not overflow.
  Atom way =
      build_select(&e->b, up, op2(e, OP_SUB, r->to, r->from), op2(e, OP_SUB, r->from, r->to));
  Atom fits = op2(e, OP_AND, op2(e, OP_LE, zero, way), op2(e, OP_LE, zero, rounded));
  switch (tag) {
  case RANGE_BELOW: r->ok = op2(e, OP_AND, op2(e, OP_AND, up, rising), fits); break;
  case RANGE_ABOVE: r->ok = op2(e, OP_AND, op2(e, OP_AND, down, falling), fits); break;
  case RANGE_TO:
    r->ok = op2(e, OP_OR, op2(e, OP_AND, up, rising), op2(e, OP_AND, down, falling));
    r->ok = op2(e, OP_AND, r->ok, op2(e, OP_LE, zero, way));
    r->count = op2(e, OP_ADD, op2(e, OP_QUOT, distance, size), one);
    r->ok = op2(e, OP_AND, r->ok, op2(e, OP_LE, zero, r->count));
    return;
  }
  r->count = op2(e, OP_QUOT, rounded, size);
}

static void range_check(Elab *e, const Range *r, const Expr *exp, Atom second) {
  static const char *const ops[] = {
      [RANGE_TO] = "...", [RANGE_BELOW] = "..<", [RANGE_ABOVE] = "..>"};
  Atoms shown = atom_list1(e, r->from);
  if (exp->range.second) list_push(e->arena, &shown, second);
  list_push(e->arena, &shown, r->to);
  const char *message = arena_printf(e->arena, "Range %%d%s%s%%d is invalid.",
                                     exp->range.second ? "..%d" : "", ops[exp->range.tag]);
  emit_assert(e, r->ok, message, shown);
}

Val *array_range(Elab *e, const Expr *exp, const Env *env) {
  Atom from = eval_scalar(e, exp->range.from, env);
  Atom second = exp->range.second ? eval_scalar(e, exp->range.second, env) : blank();
  Atom to = eval_scalar(e, exp->range.to, env);
  at(e, exp->span);
  Prim p = atom_type(e->prog, from).prim;
  Range r = {.from = build_conv(&e->b, PRIM_I64, from), .to = build_conv(&e->b, PRIM_I64, to)};
  Atom wide = is_blank(second) ? second : build_conv(&e->b, PRIM_I64, second);
  int sign = exp->range.tag == RANGE_ABOVE ? -1 : 1;
  r.step = is_blank(second) ? atom_i64(sign) : op2(e, OP_SUB, wide, r.from);
  if (atom_is(r.step, 1) && exp->range.tag != RANGE_ABOVE)
    range_unit(e, &r, exp->range.tag, false);
  else if (atom_is(r.step, -1) && exp->range.tag != RANGE_BELOW)
    range_unit(e, &r, exp->range.tag, true);
  else
    range_stepped(e, &r, exp->range.tag);
  range_check(e, &r, exp, wide);
  if (r.count.is_var) fact(e, r.count.var)->is_size = true;
  Exp iota = {.form = FORM_IOTA,
              .iota = {r.count, from, build_conv(&e->b, p, r.step)}};
  Attrs attrs = e->b.attrs;
  e->b.attrs.unchecked = true;
  Atom a = emit(e, "iota", type_array(e->arena, type_scalar(p), r.count), iota);
  e->b.attrs = attrs;
  return val_array(e, sem_prim(e, p), atom_list1(e, a));
}
