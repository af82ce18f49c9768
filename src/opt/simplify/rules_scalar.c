// Rules for scalar statements.  Law for floats: only identities that hold to the bit, but for the
// sign of zero in x + 0; never 0 * x, never reassociation.
#include "opt/common/local.h"
#include <math.h>

static Exp prim_exp(Env *e, Op op, Prim p, Atom x, Atom y) {
  Exp exp = {.form = FORM_PRIM, .prim = {.op = op, .prim = p}};
  list_push(e->arena, &exp.prim.args, x);
  if (op_info[op].arity > 1) list_push(e->arena, &exp.prim.args, y);
  return exp;
}

static const struct prim_form *def_op(Env *e, Atom a, Op op) {
  Stm *def = env_def_as(e, a, FORM_PRIM);
  return def && def->exp.prim.op == op ? &def->exp.prim : NULL;
}

static bool fold_constants(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  Scalar values[3], out;
  for (int i = 0; i < p->args.len; i++) {
    if (p->args.at[i].is_var) return false;
    values[i] = p->args.at[i].value;
  }
  return op_eval(p->op, p->prim, values, &out) && env_replace(e, stm, atom_scalar(out));
}

// (a + k1) + k2 = a + (k1 + k2), and with minus; integers.
static bool reassociate(Env *e, Stm *stm) {
  struct prim_form *p = &stm->exp.prim;
  if (!prim_is_int(p->prim) || (p->op != OP_ADD && p->op != OP_SUB)) return false;
  Atom x = p->args.at[0], k = p->args.at[1];
  if (p->op == OP_ADD && !x.is_var) x = p->args.at[1], k = p->args.at[0];
  if (k.is_var || !x.is_var) return false;
  Stm *def = env_def_as(e, x, FORM_PRIM);
  if (!def || (def->exp.prim.op != OP_ADD && def->exp.prim.op != OP_SUB)) return false;
  Atom a = def->exp.prim.args.at[0], b = def->exp.prim.args.at[1];
  bool inner_sub = def->exp.prim.op == OP_SUB;
  if (b.is_var && (inner_sub || a.is_var)) return false;
  if (b.is_var) { Atom t = a; a = b; b = t; }
  int64_t sum = (int64_t)((uint64_t)(inner_sub ? -b.value.i : b.value.i) +
                          (uint64_t)(p->op == OP_SUB ? -k.value.i : k.value.i));
  if (sum == 0) return env_replace(e, stm, a);
  Atom c = atom_scalar(scalar_int(p->prim, sum));
  return env_become(e, stm, prim_exp(e, OP_ADD, p->prim, a, c));
}

// a + (b - a) = b, (b - a) + a = b, (a + b) - a = b, (a + b) - b = a, a - (a - b) = b; integers.
static bool cancel(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q;
  if (!prim_is_int(p->prim)) return false;
  Atom x = p->args.at[0], y = p->args.at[1];
  if (p->op == OP_ADD) {
    if ((q = def_op(e, y, OP_SUB)) && atom_same(q->args.at[1], x))
      return env_replace(e, stm, q->args.at[0]);
    if ((q = def_op(e, x, OP_SUB)) && atom_same(q->args.at[1], y))
      return env_replace(e, stm, q->args.at[0]);
  }
  if (p->op == OP_SUB) {
    if ((q = def_op(e, x, OP_ADD)) && atom_same(q->args.at[0], y))
      return env_replace(e, stm, q->args.at[1]);
    if ((q = def_op(e, x, OP_ADD)) && atom_same(q->args.at[1], y))
      return env_replace(e, stm, q->args.at[0]);
    if ((q = def_op(e, y, OP_SUB)) && atom_same(q->args.at[0], x))
      return env_replace(e, stm, q->args.at[1]);
  }
  return false;
}

// a + -b = a - b, a - -b = a + b, -(-a) = a, a * -1 = -a, -(a - b) = b - a only for integers (sign
// of zero).
static bool signs(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q;
  Atom x = p->args.at[0], y = p->args.len > 1 ? p->args.at[1] : x;
  if (p->op == OP_MUL && prim_is_float(p->prim) && atom_is(y, -1))
    return env_become(e, stm, prim_exp(e, OP_NEG, p->prim, x, x));
  if (p->op == OP_NEG && (q = def_op(e, x, OP_NEG))) return env_replace(e, stm, q->args.at[0]);
  if (p->op == OP_NEG && prim_is_int(p->prim) && (q = def_op(e, x, OP_SUB)))
    return env_become(e, stm, prim_exp(e, OP_SUB, p->prim, q->args.at[1], q->args.at[0]));
  if (p->op == OP_ADD && (q = def_op(e, y, OP_NEG)))
    return env_become(e, stm, prim_exp(e, OP_SUB, p->prim, x, q->args.at[0]));
  if (p->op == OP_ADD && (q = def_op(e, x, OP_NEG)))
    return env_become(e, stm, prim_exp(e, OP_SUB, p->prim, y, q->args.at[0]));
  if (p->op == OP_SUB && (q = def_op(e, y, OP_NEG)))
    return env_become(e, stm, prim_exp(e, OP_ADD, p->prim, x, q->args.at[0]));
  if (p->op == OP_SUB && prim_is_int(p->prim) && atom_is(x, 0))
    return env_become(e, stm, prim_exp(e, OP_NEG, p->prim, y, y));
  return false;
}

static bool booleans(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q;
  if (p->prim != PRIM_BOOL) return false;
  Atom x = p->args.at[0], y = p->args.len > 1 ? p->args.at[1] : x;
  if (env_differentiable(e, PRIM_BOOL) && p->op != OP_NOT) return false;
  if (p->op == OP_NOT && (q = def_op(e, x, OP_NOT))) return env_replace(e, stm, q->args.at[0]);
  if (p->op == OP_EQ && atom_is(y, 1)) return env_replace(e, stm, x);
  if (p->op == OP_EQ && atom_is(x, 1)) return env_replace(e, stm, y);
  if ((p->op == OP_EQ && atom_is(y, 0)) || (p->op == OP_NE && atom_is(y, 1)))
    return env_become(e, stm, prim_exp(e, OP_NOT, PRIM_BOOL, x, x));
  if (p->op == OP_NE && atom_is(y, 0)) return env_replace(e, stm, x);
  return false;
}

static bool selects(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q;
  if (p->op != OP_SELECT) return false;
  Atom c = p->args.at[0], x = p->args.at[1], y = p->args.at[2];
  if (!c.is_var) return env_replace(e, stm, c.value.i ? x : y);
  if (atom_same(x, y)) return env_replace(e, stm, x);
  if (p->prim == PRIM_BOOL && atom_is(x, 1) && atom_is(y, 0)) return env_replace(e, stm, c);
  if (p->prim == PRIM_BOOL && atom_is(x, 0) && atom_is(y, 1))
    return env_become(e, stm, prim_exp(e, OP_NOT, PRIM_BOOL, c, c));
  if ((q = def_op(e, c, OP_NOT))) {
    Exp exp = stm->exp;
    exp.prim.args = atoms_of(e->arena, 3, (Atom[]){q->args.at[0], y, x});
    return env_become(e, stm, exp);
  }
  return false;
}

// A value that is finite where this one is, which is it times signs and factors of at most 1, so
// that guards of several multiples ask of one.
static Atom as_finite_as(Env *e, Atom a) {
  for (Stm *def; (def = env_def_as(e, a, FORM_PRIM)); a = def->exp.prim.args.at[0]) {
    const struct prim_form *p = &def->exp.prim;
    if (p->op == OP_NEG) continue;
    if (p->op != OP_MUL || p->args.at[1].is_var || !p->args.at[0].is_var) break;
    double k = fabs(p->args.at[1].value.f);
    if (!(k > 0 && k <= 1)) break;
  }
  return a;
}

// (c ? k1 : k2) == k and != k, of different constants: c, not c, or known; not of floats.
static bool chosen(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q = NULL;
  if ((p->op != OP_EQ && p->op != OP_NE) || !prim_is_int(p->prim)) return false;
  if (p->args.at[1].is_var || !(q = def_op(e, p->args.at[0], OP_SELECT))) return false;
  Atom c = q->args.at[0], x = q->args.at[1], y = q->args.at[2], k = p->args.at[1];
  if (x.is_var || y.is_var) return false;
  bool first = atom_same(x, k) == (p->op == OP_EQ), second = atom_same(y, k) == (p->op == OP_EQ);
  if (first == second) return env_replace(e, stm, atom_bool(first));
  if (first) return env_replace(e, stm, c);
  return env_become(e, stm, prim_exp(e, OP_NOT, PRIM_BOOL, c, c));
}

// A guard that is decided by a constant, or that asks what another asked of the same.
static bool guards(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim, *q;
  if (p->op != OP_GUARD) return false;
  Atom d = p->args.at[0], J = p->args.at[1], x = p->args.at[2];
  bool finite = !J.is_var && isfinite(J.value.f), nonzero = !d.is_var && d.value.f != 0;
  if (finite || nonzero || atom_is(x, 0)) return env_replace(e, stm, x);
  q = def_op(e, x, OP_GUARD);
  if (q && atom_same(q->args.at[0], d) && atom_same(q->args.at[1], J))
    return env_replace(e, stm, x);
  Atom of = as_finite_as(e, J);
  if (atom_same(of, J)) return false;
  Exp exp = stm->exp;
  exp.prim.args = atoms_of(e->arena, 3, (Atom[]){d, of, x});
  return env_become(e, stm, exp);
}

// The bits of a that are 0, and those that are 1, whatever the data; looks at a few definitions.
typedef struct {
  uint64_t zeros, ones;
} Bits;
enum { MOST_BITS = 200 };

static Bits bits_of(Env *e, Atom a, uint64_t wanted, int *budget) {
  if (!a.is_var) return (Bits){~(uint64_t)a.value.i, (uint64_t)a.value.i};
  Stm *def = (*budget)-- > 0 ? env_def_as(e, a, FORM_PRIM) : NULL;
  if (!def) return (Bits){0};
  const struct prim_form *p = &def->exp.prim;
  bool both = p->op == OP_AND || p->op == OP_OR;
  if ((!both && p->op != OP_SELECT) || p->prim != PRIM_U64) return (Bits){0};
  Bits x = bits_of(e, p->args.at[both ? 0 : 1], wanted, budget);
  if (p->op == OP_OR && (x.ones & wanted) == wanted) return x;
  if (p->op == OP_AND && (x.zeros & wanted) == wanted) return x;
  Bits y = bits_of(e, p->args.at[both ? 1 : 2], wanted, budget);
  if (p->op == OP_OR) return (Bits){x.zeros & y.zeros, x.ones | y.ones};
  if (p->op == OP_AND) return (Bits){x.zeros | y.zeros, x.ones & y.ones};
  return (Bits){x.zeros & y.zeros, x.ones & y.ones};
}

// a & k, where all bits of k are known of a.
static bool masks(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (p->op != OP_AND || p->prim != PRIM_U64 || p->args.at[1].is_var) return false;
  uint64_t k = (uint64_t)p->args.at[1].value.i;
  int budget = MOST_BITS;
  Bits known = bits_of(e, p->args.at[0], k, &budget);
  if (k & ~(known.zeros | known.ones)) return false;
  return env_replace(e, stm, atom_scalar(scalar_int(PRIM_U64, (int64_t)(k & known.ones))));
}

// Comparisons decided by what is known about sizes and loop variables.
static bool comparisons(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (p->prim != PRIM_I64) return false;
  Atom x = p->args.at[0], y = p->args.len > 1 ? p->args.at[1] : x;
  bool ties = env_differentiable(e, PRIM_I64);  // a derivative goes to the first of equal operands
  bool max = p->op == OP_MAX && !ties, min = p->op == OP_MIN && !ties;
  if ((max && atom_is(x, 0) && atom_nonneg(e, y)) || (min && atom_is(y, 0) && atom_nonneg(e, x)))
    return env_replace(e, stm, y);
  if ((max && atom_is(y, 0) && atom_nonneg(e, x)) || (min && atom_is(x, 0) && atom_nonneg(e, y)))
    return env_replace(e, stm, x);
  if ((min && atom_at_most(e, x, y)) || (max && atom_at_most(e, y, x)))
    return env_replace(e, stm, x);
  if ((min && atom_at_most(e, y, x)) || (max && atom_at_most(e, x, y)))
    return env_replace(e, stm, y);
  if (p->op == OP_EQ && atoms_differ(e, x, y)) return env_replace(e, stm, atom_bool(false));
  if (p->op == OP_NE && atoms_differ(e, x, y)) return env_replace(e, stm, atom_bool(true));
  if (p->op == OP_LE && atom_is(x, 0) && atom_nonneg(e, y))
    return env_replace(e, stm, atom_bool(true));
  if (p->op == OP_LT && atom_is(y, 0) && atom_nonneg(e, x))
    return env_replace(e, stm, atom_bool(false));
  if (p->op == OP_LT && atom_nonneg(e, x) && index_in_range(e, x, y))
    return env_replace(e, stm, atom_bool(true));
  if (p->op == OP_LE && atom_nonneg(e, x) && index_in_range(e, x, y))
    return env_replace(e, stm, atom_bool(true));
  if ((p->op == OP_LE || p->op == OP_LT) && atom_nonneg(e, y) && index_in_range(e, y, x))
    return env_replace(e, stm, atom_bool(false));
  return false;
}

// Folds of the builder: units and equal operands.
// Bits have no derivative, their operands may: x & x becomes x when everything is differentiated.
static bool is_cut(Env *e, const struct prim_form *p) {
  return op_is_logic(p->op) && env_differentiable(e, p->prim);
}

static bool identities(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  Atom r;
  return p->args.len == 2 && fold_op(p->op, p->prim, p->args.at[0], p->args.at[1], &r) &&
         !(r.is_var && is_cut(e, p)) && env_replace(e, stm, r);
}

// A divisor that is known not to be zero needs no test.
static void divisors(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (stm->attrs.unchecked || op_info[p->op].fails == FAILS_NEGATIVE) return;
  if (!op_may_fail(p->op, p->prim)) return;
  Atom d = p->args.at[1];
  const Fact *f = d.is_var ? env_fact(e, d.var) : NULL;
  stm->attrs.unchecked = f ? f->has_least && f->least > 0 : !atom_is(d, 0);
}

// Remainders of what lies within two periods are choices.  Only in the last rounds: accumulators
// are solved by remainders (solve_index.c).  Where 0 <= x < 2 d can be shown, d is not zero.
static bool remainders(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (!e->small || p->prim != PRIM_I64 || (p->op != OP_REM && p->op != OP_MOD)) return false;
  Builder *b = &e->to;
  Atom x = p->args.at[0], d = p->args.at[1];
  if (!x.is_var) return false;
  if (atom_in_periods(e, x, d, 0, 1)) return env_replace(e, stm, x);
  if (p->op == OP_MOD && atom_in_periods(e, x, d, -1, 1)) {
    Atom below = build_op(b, OP_LT, x, atom_i64(0));
    return env_replace(e, stm, build_select(b, below, build_op(b, OP_ADD, x, d), x));
  }
  if (atom_in_periods(e, x, d, 1, 3)) x = build_op(b, OP_SUB, x, d);
  else if (!atom_in_periods(e, x, d, 0, 2)) return false;
  Atom below = build_op(b, OP_LT, x, d);
  return env_replace(e, stm, build_select(b, below, x, build_op(b, OP_SUB, x, d)));
}

// x^n by squares.
static Atom product_of(Builder *b, Atom x, int n) {
  if (n == 1) return x;
  Atom half = product_of(b, x, n / 2), square = build_op(b, OP_MUL, half, half);
  return n % 2 ? build_op(b, OP_MUL, square, x) : square;
}

// x ** n for whole n up to 12 is at most five products, each of which rounds once, and a division
// where n is negative (of powz, 0 at 0): libm's power costs as much as fifty, and no vector has it.
// In the last rounds only, as the derivative of a power is one power.
static bool small_powers(Env *e, Stm *stm) {
  enum { MOST = 12 };
  const struct prim_form *p = &stm->exp.prim;
  Builder *b = &e->to;
  if (!e->small || (p->op != OP_POW && p->op != OP_POWZ) || !prim_is_float(p->prim)) return false;
  Atom x = p->args.at[0], exponent = p->args.at[1], zero = atom_number(p->prim, 0);
  double n = exponent.is_var ? 0 : exponent.value.f;
  if (!(n >= -MOST && n <= MOST && n == (int)n && n != 0)) return false;
  Atom out = product_of(b, x, n < 0 ? -(int)n : (int)n);
  if (n < 0) out = build_op(b, OP_DIV, atom_number(p->prim, 1), out);
  if (p->op == OP_POWZ) out = build_select(b, build_op(b, OP_EQ, x, zero), zero, out);
  return env_replace(e, stm, out);
}

// Until everything is differentiated: of equal integers the first operand gets the derivative.
static bool ties_may_change(Env *e, const struct prim_form *p) {
  bool shares = (p->op != OP_MIN && p->op != OP_MAX) || prim_is_float(p->prim);
  return shares || e->prog->level == LEVEL_AD_FREE;
}

// 0 *. J = 0: what a derivative that is nothing multiplies is not computed.
static bool zero_products(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  if (p->op != OP_MUL) return false;
  for (int d = 0; d < 2; d++) {
    Atom x = p->args.at[d];
    bool may = stm->attrs.linear >> d & 1 && !x.is_var && atom_is(x, 0);
    if (may && prog_may(e->prog, SWITCH_ZERO_PRODUCTS)) return env_replace(e, stm, x);
  }
  return false;
}

bool rule_prim(Env *e, Stm *stm) {
  const struct prim_form *p = &stm->exp.prim;
  divisors(e, stm);
  if (fold_constants(e, stm) || selects(e, stm) || guards(e, stm) || remainders(e, stm))
    return true;
  if (p->args.len > 2 || e->again) return false;
  // Constants go last, so that CSE sees one form.
  if (op_info[p->op].commutative && !p->args.at[0].is_var && p->args.at[1].is_var &&
      ties_may_change(e, p)) {
    Atom k = p->args.at[0];
    p->args.at[0] = p->args.at[1];
    p->args.at[1] = k;
    stm->attrs.linear = (uint8_t)(stm->attrs.linear >> 1 | (stm->attrs.linear & 1) << 1);
  }
  if (zero_products(e, stm) || identities(e, stm) || masks(e, stm) || chosen(e, stm)) return true;
  if (prim_is_float(p->prim) && p->op == OP_POW && atom_is(p->args.at[1], 2))
    return env_become(e, stm, prim_exp(e, OP_MUL, p->prim, p->args.at[0], p->args.at[0]));
  if (p->op == OP_POWZ && !p->args.at[1].is_var && p->args.at[1].value.f >= 0)
    return env_become(e, stm, prim_exp(e, OP_POW, p->prim, p->args.at[0], p->args.at[1]));
  if (small_powers(e, stm)) return true;
  if (signs(e, stm) || e->again) return !e->again;
  if (p->args.len == 2 && (cancel(e, stm) || reassociate(e, stm))) return true;
  if (e->again) return false;
  return booleans(e, stm) || (!e->again && comparisons(e, stm));
}

// Widening and back is nothing; the same width twice is once.
bool rule_conv(Env *e, Stm *stm) {
  Prim to = stm->exp.conv.to;
  Atom x = stm->exp.conv.arg;
  if (!x.is_var) return env_replace(e, stm, atom_scalar(scalar_convert(to, x.value)));
  Prim from = atom_type(e->prog, x).prim;
  if (from == to) return env_replace(e, stm, x);
  Stm *def = env_def_as(e, x, FORM_CONV);
  if (!def) return false;
  Atom y = def->exp.conv.arg;
  Prim first = atom_type(e->prog, y).prim;
  bool widened = prim_is_int(first) && prim_is_int(from) &&
                 prim_info[from].bytes > prim_info[first].bytes;
  if (widened && prim_is_int(to) && prim_info[to].bytes <= prim_info[first].bytes) {
    if (to == first) return env_replace(e, stm, y);
    return env_become(e, stm, (Exp){.form = FORM_CONV, .conv = {.to = to, .arg = y}});
  }
  return false;
}
