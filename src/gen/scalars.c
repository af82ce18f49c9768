// Scalar statements.  Float operations are chosen to stay finite; integer operations may wrap.
#include "local.h"

static Atom float_one(Gen *g, Prim p, Atom x) {
  static const Op smooth[] = {OP_SIN, OP_COS, OP_TANH, OP_ATAN, OP_NEG, OP_ASINH, OP_ERF};
  static const Op rough[] = {OP_ABS, OP_FLOOR, OP_ROUND, OP_SGN, OP_TRUNC, OP_CEIL};
  if (!g->options.smooth && gen_chance(g, 12))
    return build_op1(&g->b, rough[gen_random(g, COUNT_OF(rough))], x);
  switch (gen_random(g, 5)) {
    case 0: return build_op1(&g->b, OP_EXP, build_op1(&g->b, OP_SIN, x));
    case 1: {
      Atom square = build_op(&g->b, OP_MUL, x, x);
      Op op = gen_chance(g, 50) ? OP_SQRT : OP_LOG;
      return build_op1(&g->b, op, build_op(&g->b, OP_ADD, square, atom_number(p, 1)));
    }
    default: return build_op1(&g->b, smooth[gen_random(g, COUNT_OF(smooth))], x);
  }
}

static Atom float_two(Gen *g, Prim p, Atom x, Atom y) {
  static const Op smooth[] = {OP_ADD, OP_SUB, OP_MUL, OP_MUL};
  static const Op rough[] = {OP_MIN, OP_MAX, OP_COPYSIGN};
  if (!g->options.smooth && gen_chance(g, 15))
    return build_op(&g->b, rough[gen_random(g, COUNT_OF(rough))], x, y);
  if (gen_chance(g, 15)) {
    Atom away = build_op(&g->b, OP_ADD, build_op1(&g->b, OP_SIN, y), atom_number(p, 2));
    return build_op(&g->b, gen_chance(g, 70) ? OP_DIV : OP_HYPOT, x, away);
  }
  if (gen_chance(g, 8)) {
    Atom base = build_op(&g->b, OP_ADD, build_op1(&g->b, OP_COS, x), atom_number(p, 1.5));
    return build_op(&g->b, OP_POW, base, build_op1(&g->b, OP_TANH, y));
  }
  return build_op(&g->b, smooth[gen_random(g, COUNT_OF(smooth))], x, y);
}

static Atom float_any(Gen *g, Prim p) {
  Atom x = gen_scalar(g, p), y = gen_scalar(g, p);
  if (gen_chance(g, 15)) return gen_function(g, p);
  if (gen_chance(g, 40)) return float_one(g, p, x);
  if (gen_chance(g, 8)) return build_op3(&g->b, OP_FMA, x, y, gen_scalar(g, p));
  if (gen_chance(g, 8)) return build_select(&g->b, gen_scalar(g, PRIM_BOOL), x, y);
  return float_two(g, p, x, y);
}

static Atom int_any(Gen *g, Prim p) {
  static const Op safe[] = {OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
  static const Op dividing[] = {OP_DIV, OP_MOD, OP_QUOT, OP_REM};
  Atom x = gen_scalar(g, p), y = gen_scalar(g, p);
  if (gen_chance(g, 25)) {
    Op op = dividing[gen_random(g, COUNT_OF(dividing))];
    Atom divisor = atom_scalar(scalar_int(p, gen_random(g, 5) + 1));
    Atom r = build_op(&g->b, op, x, g->options.may_fail && gen_chance(g, 30) ? y : divisor);
    if (op == OP_MOD && !divisor.is_var && p == PRIM_I64 && r.is_var)
      gen_know_below(g, r, divisor);
    return r;
  }
  if (gen_chance(g, 10)) return build_op1(&g->b, gen_chance(g, 50) ? OP_NEG : OP_NOT, x);
  if (gen_chance(g, 10)) {
    Atom amount = atom_scalar(scalar_int(p, gen_random(g, 7)));
    return build_op(&g->b, gen_chance(g, 50) ? OP_SHL : OP_SHR, x, amount);
  }
  return build_op(&g->b, safe[gen_random(g, COUNT_OF(safe))], x, y);
}

// In smooth programs no condition depends on a float.
static Atom bool_any(Gen *g) {
  static const Op compare[] = {OP_LT, OP_LE, OP_EQ, OP_NE};
  static const Op logic[] = {OP_AND, OP_OR, OP_XOR};
  Atom x = gen_scalar(g, PRIM_BOOL);
  if (gen_chance(g, 20)) return build_op1(&g->b, OP_NOT, x);
  if (gen_chance(g, 30))
    return build_op(&g->b, logic[gen_random(g, COUNT_OF(logic))], x, gen_scalar(g, PRIM_BOOL));
  Prim p = g->options.smooth || gen_chance(g, 70) ? PRIM_I64 : PRIM_F64;
  Op op = compare[gen_random(g, p == PRIM_F64 ? 2 : COUNT_OF(compare))];
  return build_op(&g->b, op, gen_scalar(g, p), gen_scalar(g, p));
}

// Not from floats to integers where derivatives are taken.
static bool may_convert(const Gen *g, Prim from, Prim to) {
  if (from == PRIM_UNIT || to == PRIM_UNIT) return false;
  if (g->options.derivable && prim_is_float(from) && !prim_is_float(to)) return false;
  return !g->options.integers || (from != PRIM_BOOL && to != PRIM_BOOL);
}

// Of a number known here, of another type where there is one.
static Atom convert(Gen *g, Prim to) {
  const Known *best = NULL;
  int best_rank = 0;
  for (int i = 0; i < g->known.len; i++) {
    const Known *k = &g->known.at[i];
    Prim from = k->type.prim;
    if (k->type.rank || k->type.is_acc || !gen_usable(g, k) || !may_convert(g, from, to)) continue;
    bool floats = prim_is_float(from) && prim_is_float(to);
    int rank =
        1 + (int)gen_random(g, 100) + (from != to ? 100 : 0) + (from != to && floats ? 50 : 0);
    if (rank > best_rank) best = k, best_rank = rank;
  }
  return build_conv(&g->b, to, best ? best->atom : gen_scalar(g, to));
}

bool gen_stm_scalar(Gen *g) {
  Prim p = gen_prim(g);
  Atom r;
  if (gen_chance(g, g->options.mixed ? 25 : 10)) r = convert(g, p);
  else if (prim_is_float(p)) r = float_any(g, p);
  else if (p == PRIM_BOOL) r = bool_any(g);
  else r = int_any(g, p);
  gen_know(g, r, 0);
  return true;
}

// The memory left: where there is no limit it is the number.
static bool memory_left(Gen *g) {
  Exp exp = {.form = FORM_MEMORYLEFT,
             .memoryleft = {.most = atom_i64(gen_random(g, 5)), .share = 1,
                            .least = atom_i64(gen_random(g, 4))}};
  Types types = {0};
  for (int k = 0; k < 2; k++) list_push(g->arena, &types, type_scalar(PRIM_I64));
  Vars bound = build_many(&g->b, "left", types, exp);
  gen_know(g, atom_var(bound.at[0]), 0);
  return true;
}

// Numbers from other forms: a tuning parameter, a trace, no gradient, the memory
// left.
static bool scalar_marked(Gen *g) {
  Prim p = gen_prim(g);
  Atom x = gen_scalar(g, p);
  Exp exp = {.form = FORM_STOPGRADIENT, .stopgradient = {x}};
  if (gen_chance(g, 30)) {
    return memory_left(g);
  } else if (gen_chance(g, 40)) {
    x = atom_i64(gen_random(g, 5));
    exp = (Exp){.form = FORM_TUNED, .tuned = {.name = "size", .otherwise = x}};
  } else if (g->options.smooth || gen_chance(g, 50)) {
    Atom both[] = {x, gen_scalar(g, PRIM_F64)};
    Atoms args = atoms_of(g->arena, 2, both);
    exp = (Exp){.form = FORM_TRACE, .trace = {"x", "(%0., %1.)", args}};
    build_stm(&g->b, (Stm){.exp = exp});
    return true;
  }
  gen_know(g, build(&g->b, NULL, atom_type(g->prog, x), exp), 0);
  return true;
}

bool gen_stm_assert(Gen *g) {
  if (gen_chance(g, 40)) return scalar_marked(g);
  bool fails = g->options.may_fail && gen_chance(g, 30);
  Atom x = gen_scalar(g, PRIM_I64);
  Atom cond = fails ? gen_scalar(g, PRIM_BOOL) : build_op(&g->b, OP_LE, x, atom_i64(INT64_MAX));
  Exp exp = {.form = FORM_ASSERT, .assert = {.cond = cond, .message = "the number is %d"}};
  list_push(g->arena, &exp.assert.args, x);
  build_stm(&g->b, (Stm){.exp = exp});
  return true;
}
