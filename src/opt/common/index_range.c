// Integer expressions as k + sum of c * v, followed through additions and multiplications by
// constants.  Enough to prove that an index lies in range: loop variables are replaced by the
// bound that makes the sum smallest, then every remaining term must be non-negative.  Minima,
// maxima and remainders lie where their operands do.  Unknown is "no"; nothing here loops more than
// a few times.
#include "local.h"

enum { AFFINE_DEPTH = 12, FACTS_DEPTH = 2, MOST_FACTS = 32 };

// ---- ranges ----------------------------------------------------------------------------------
// Sums of machine integers are sums only where they do not overflow.  A vector has no more elements
// than fit into memory, and no computation has so many iterations; rows without elements may be
// more.
__extension__ typedef __int128 Wide;
typedef struct {
  Wide least, most;
} Range;
static const int64_t most_elements = 1LL << 60;

static const Range every_i64 = {INT64_MIN, INT64_MAX};

static Wide min(Wide x, Wide y) { return x < y ? x : y; }
static Wide max(Wide x, Wide y) { return x < y ? y : x; }

static Range range_meet(Range a, Range b) {
  return (Range){max(a.least, b.least), min(a.most, b.most)};
}

static Range range_of(Env *e, Atom a, int depth);

static Range range_var(Env *e, Var v, int depth) {
  const Fact *f = env_fact(e, v);
  Range r = every_i64;
  if (f->has_least) r.least = f->least;
  if (f->has_most) r.most = f->most;
  if (!f->has_below) return r;
  r.least = max(r.least, 0);
  Range below = depth < AFFINE_DEPTH ? range_of(e, f->below, depth + 1) : every_i64;
  return range_meet(r, (Range){r.least, below.most - 1});
}

static Range range_op(Op op, Range x, Range y) {
  if (op == OP_ADD) return (Range){x.least + y.least, x.most + y.most};
  if (op == OP_SUB) return (Range){x.least - y.most, x.most - y.least};
  bool minus = y.least < 0;  // a constant
  return (Range){(minus ? x.most : x.least) * y.least, (minus ? x.least : x.most) * y.least};
}

// The operation as an exact sum or multiple by a constant, with operands x and y; false: it is
// none.
static bool exact_op(Env *e, Atom a, Op *op, Atom *x, Atom *y) {
  const Stm *def = env_def_as(e, a, FORM_PRIM);
  if (!def || def->exp.prim.prim != PRIM_I64) return false;
  const Atom *arg = def->exp.prim.args.at;
  *op = def->exp.prim.op;
  if (*op == OP_NEG) {
    *op = OP_SUB, *x = atom_i64(0), *y = env_atom(e, arg[0]);
    return true;
  }
  if (*op != OP_ADD && *op != OP_SUB && *op != OP_MUL) return false;
  *x = env_atom(e, arg[0]), *y = env_atom(e, arg[1]);
  if (*op == OP_MUL && !x->is_var) {
    Atom constant = *x;
    *x = *y, *y = constant;
  }
  return *op != OP_MUL || (!y->is_var && coef_is_small(y->value.i));
}

static bool fits_i64(Range r) { return r.least >= INT64_MIN && r.most <= INT64_MAX; }

// Minima, maxima and selections lie where their operands do, remainders below a positive divisor.
static Range range_choice(Env *e, const struct prim_form *p, int depth) {
  if (p->op != OP_MIN && p->op != OP_MAX && p->op != OP_SELECT && p->op != OP_MOD) return every_i64;
  int n = p->args.len;
  Range x = range_of(e, p->args.at[n - 2], depth), y = range_of(e, p->args.at[n - 1], depth);
  switch ((int)p->op) {
  case OP_MIN: return (Range){min(x.least, y.least), min(x.most, y.most)};
  case OP_MAX: return (Range){max(x.least, y.least), max(x.most, y.most)};
  case OP_SELECT: return (Range){min(x.least, y.least), max(x.most, y.most)};
  }
  return y.least > 0 ? (Range){0, y.most - 1} : every_i64;
}

static Range range_of(Env *e, Atom a, int depth) {
  int64_t k;
  a = env_atom(e, a);
  if (atom_const_i64(a, &k)) return (Range){k, k};
  if (!a.is_var) return every_i64;
  Range known = range_var(e, a.var, depth);
  Op op;
  Atom x, y;
  const Stm *def = depth < AFFINE_DEPTH ? env_def_as(e, a, FORM_PRIM) : NULL;
  if (!def || def->exp.prim.prim != PRIM_I64) return known;
  if (!exact_op(e, a, &op, &x, &y))
    return range_meet(known, range_choice(e, &def->exp.prim, depth + 1));
  Range r = range_op(op, range_of(e, x, depth + 1), range_of(e, y, depth + 1));
  return fits_i64(r) ? range_meet(known, r) : known;
}

static bool is_exact(Env *e, Op op, Atom x, Atom y) {
  return fits_i64(range_op(op, range_of(e, x, AFFINE_DEPTH - 4), range_of(e, y, AFFINE_DEPTH - 4)));
}

// ---- sums --------------------------------------------------------------------------------------
// out += scale * a
static void range_add(Env *e, Affine *out, Atom a, int64_t scale, int depth) {
  int64_t k;
  Op op;
  Atom x, y;
  a = env_atom(e, a);
  if (!out->ok || !coef_is_small(scale)) {
    out->ok = false;
  } else if (atom_const_i64(a, &k)) {
    if (!coef_is_small(k)) out->ok = false;
    else affine_add_const(out, scale * k);
  } else if (!a.is_var) {
    out->ok = false;
  } else if (depth >= AFFINE_DEPTH || !exact_op(e, a, &op, &x, &y) || !is_exact(e, op, x, y)) {
    affine_add_term(out, a.var, scale);
  } else if (op == OP_MUL) {
    range_add(e, out, x, scale * y.value.i, depth + 1);
  } else {
    range_add(e, out, x, scale, depth + 1);
    range_add(e, out, y, op == OP_ADD ? scale : -scale, depth + 1);
  }
}

// Replaces one loop variable with a negative coefficient by its largest value.
static bool range_lower(Env *e, Affine *a) {
  for (int i = 0; i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    if (a->c[i] >= 0 || !f->has_below) continue;
    int64_t c = a->c[i];
    affine_add_term(a, a->v[i], -c);
    range_add(e, a, f->below, c, 0);
    a->k -= c;
    return true;
  }
  return false;
}

// Replaces one bound w > i of another loop variable i of the sum by i + 1, its smallest value.
static bool range_raise(Env *e, Affine *a) {
  for (int i = 0; i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    int64_t c = f->has_below && f->below.is_var ? affine_coef(a, f->below.var) : 0;
    if (c <= 0) continue;
    affine_add_term(a, f->below.var, -c);
    affine_add_term(a, a->v[i], c);
    affine_add_const(a, c);
    return true;
  }
  return false;
}

static bool range_least(Env *e, Affine *a) {
  for (int step = 0; step < 8 && a->ok && range_lower(e, a); step++) {}
  int64_t least = a->k;
  for (int i = 0; a->ok && i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    if (a->c[i] < 0 || !f->has_least || !coef_is_small(f->least) || !coef_is_small(a->c[i]))
      return false;
    least += a->c[i] * f->least;
  }
  return a->ok && least >= 0;
}

void env_vectors_here(Env *e, const Vars *params) {
  for (int i = 0; i < params->len; i++) {
    const Type *t = &var_info(e->prog, params->at[i])->type;
    if (t->rank == 1 && t->prim != PRIM_UNIT && t->dims[0].is_var)
      env_most_here(e, t->dims[0].var, most_elements);
  }
}

void env_iterations_here(Env *e, Atom n) {
  if (n.is_var) env_most_here(e, n.var, most_elements);
}

// By the ranges of the variables alone.
static bool affine_by_ranges(Env *e, const Affine *a) {
  Affine lowered = *a, raised = *a;
  return range_least(e, &lowered) || (range_raise(e, &raised) && range_least(e, &raised));
}

// a - c * fact without the variable, multiplied by a positive number; false: c would be negative.
static bool affine_without(const Affine *a, const Affine *fact, int k, Affine *out) {
  int64_t have = affine_coef(a, fact->v[k]), c = fact->c[k];
  if (have == 0 || (have > 0) != (c > 0)) return false;
  *out = (Affine){.ok = true};
  affine_add(out, a, c < 0 ? -c : c);
  affine_add(out, fact, have < 0 ? have : -have);
  return out->ok;
}

// None of these sums is negative: so is a, if it is not without what they have in common.
static bool affine_by_facts(Env *e, const Affine *a, int depth) {
  if (affine_by_ranges(e, a)) return true;
  for (int i = e->holds.len - 1; depth > 0 && i >= 0 && i >= e->holds.len - MOST_FACTS; i--) {
    const Affine fact = e->holds.at[i];
    Affine less;
    for (int k = 0; k < fact.n; k++)
      if (affine_without(a, &fact, k, &less) && affine_by_facts(e, &less, depth - 1)) return true;
  }
  return false;
}

static bool range_nonneg(Env *e, const Affine *a) {
  return a->ok && affine_by_facts(e, a, FACTS_DEPTH);
}

static Affine affine_difference(Env *e, Atom x, Atom y, int64_t k) {
  Affine a = {.ok = true, .k = -k};
  range_add(e, &a, y, 1, 0);
  range_add(e, &a, x, -1, 0);
  return a;
}

static void affine_hold(Env *e, const Affine *a) {
  if (a->ok && a->n > 0) list_push(e->scratch, &e->holds, *a);
}

void env_at_most_here(Env *e, Atom x, Atom y, int64_t k) {
  Affine a = affine_difference(e, x, y, k);
  affine_hold(e, &a);
}

// x != y and x <= y: x < y.
void env_differ_here(Env *e, Atom x, Atom y) {
  Affine up = affine_difference(e, x, y, 0), down = affine_difference(e, y, x, 0);
  bool below = range_nonneg(e, &up), above = range_nonneg(e, &down);
  if (below) up.k--, affine_hold(e, &up);
  if (above) down.k--, affine_hold(e, &down);
}

// start <= v <= start + step * (n - 1), or the other way round.
void env_counts_here(Env *e, Var v, const struct iota_form *iota) {
  int64_t step;
  if (!atom_const_i64(env_atom(e, iota->step), &step) || !coef_is_small(step)) return;
  Range count = range_of(e, iota->n, 0), start = range_of(e, iota->start, 0);
  Range last = range_op(OP_MUL, (Range){0, count.most - 1}, (Range){step, step});
  Range all = range_op(OP_ADD, start, last);
  if (!fits_i64(all)) return;
  env_least_here(e, v, (int64_t)min(all.least, start.least));
  env_most_here(e, v, (int64_t)max(all.most, start.most));
  Affine from = affine_difference(e, iota->start, atom_var(v), 0), to = {.ok = true, .k = -step};
  range_add(e, &to, iota->n, step, 0);
  affine_add(&to, &from, -1);
  for (int i = 0; step < 0 && i < to.n; i++) to.c[i] = -to.c[i];
  for (int i = 0; step < 0 && i < from.n; i++) from.c[i] = -from.c[i];
  if (step < 0) to.k = -to.k, from.k = -from.k;
  affine_hold(e, &from);
  affine_hold(e, &to);
}

// y - x - k >= 0
static bool range_between(Env *e, Atom x, Atom y, int64_t k) {
  Affine a = affine_difference(e, x, y, k);
  return range_nonneg(e, &a);
}

// The definition of an integer that is no sum, to be split at most `RANGE_DEPTH` deep.
enum { RANGE_DEPTH = 4 };
static const struct prim_form *range_def(Env *e, Atom x, int depth) {
  const Stm *def = depth < RANGE_DEPTH ? env_def_as(e, x, FORM_PRIM) : NULL;
  return def && def->exp.prim.prim == PRIM_I64 ? &def->exp.prim : NULL;
}

// y - x - k >= 0 where the choice is made that gives x or y: the first operand if x' < y', else the
// second.  The condition's own difference may be subtracted: y' - x' - 1, or x' - y'.
static bool chosen_between(Env *e, const struct prim_form *choice, bool second, Atom x, Atom y,
                           int64_t k) {
  if (range_between(e, x, y, k)) return true;
  const Stm *def = env_def_as(e, env_atom(e, choice->args.at[0]), FORM_PRIM);
  if (!def || def->exp.prim.op != OP_LT || def->exp.prim.prim != PRIM_I64) return false;
  Affine a = {.ok = true, .k = second ? -k : 1 - k};
  range_add(e, &a, y, 1, 0);
  range_add(e, &a, x, -1, 0);
  range_add(e, &a, def->exp.prim.args.at[0], second ? -1 : 1, 0);
  range_add(e, &a, def->exp.prim.args.at[1], second ? 1 : -1, 0);
  return range_nonneg(e, &a);
}

// Divisors that are not negative are positive where there is a result.
static bool is_nonneg(Env *e, Atom x, int depth) {
  x = env_atom(e, x);
  if (range_between(e, atom_i64(0), x, 0)) return true;
  const struct prim_form *p = range_def(e, x, depth++);
  if (!p) return false;
  const Atom *arg = p->args.at;
  switch ((int)p->op) {
  case OP_MIN: case OP_DIV: case OP_QUOT:
    return is_nonneg(e, arg[0], depth) && is_nonneg(e, arg[1], depth);
  case OP_MAX: return is_nonneg(e, arg[0], depth) || is_nonneg(e, arg[1], depth);
  case OP_SELECT:
    for (int i = 1; i < 3; i++)
      if (!chosen_between(e, p, i == 2, atom_i64(0), arg[i], 0) && !is_nonneg(e, arg[i], depth))
        return false;
    return true;
  case OP_MOD: return is_nonneg(e, arg[1], depth);
  case OP_REM: return is_nonneg(e, arg[0], depth);
  }
  return false;
}

static bool is_below(Env *e, Atom x, Atom limit, int depth) {
  x = env_atom(e, x);
  if (range_between(e, x, limit, 1)) return true;
  const struct prim_form *p = range_def(e, x, depth++);
  if (!p) return false;
  const Atom *arg = p->args.at;
  switch ((int)p->op) {
  case OP_MIN: return is_below(e, arg[0], limit, depth) || is_below(e, arg[1], limit, depth);
  case OP_MAX: return is_below(e, arg[0], limit, depth) && is_below(e, arg[1], limit, depth);
  case OP_SELECT:
    for (int i = 1; i < 3; i++)
      if (!chosen_between(e, p, i == 2, arg[i], limit, 1) && !is_below(e, arg[i], limit, depth))
        return false;
    return true;
  case OP_MOD: case OP_REM:
    return is_nonneg(e, arg[1], depth) && range_between(e, arg[1], limit, 0);
  case OP_DIV: case OP_QUOT:
    return is_nonneg(e, arg[0], depth) && is_nonneg(e, arg[1], depth) &&
           is_below(e, arg[0], limit, depth);
  }
  return false;
}

bool atom_nonneg(Env *e, Atom x) { return is_nonneg(e, x, 0); }

bool atom_at_most(Env *e, Atom x, Atom y) { return range_between(e, x, y, 0); }

bool index_in_range(Env *e, Atom index, Atom dim) {
  return is_nonneg(e, index, 0) && is_below(e, index, dim, 0);
}

bool atom_in_periods(Env *e, Atom x, Atom d, int64_t first, int64_t end) {
  Affine low = {.ok = true}, high = {.ok = true, .k = -1};
  range_add(e, &low, x, 1, 0);
  range_add(e, &low, d, -first, 0);
  range_add(e, &high, d, end, 0);
  range_add(e, &high, x, -1, 0);
  return range_nonneg(e, &low) && range_nonneg(e, &high);
}

bool atoms_differ(Env *e, Atom x, Atom y) {
  Affine a = {.ok = true};
  range_add(e, &a, x, 1, 0);
  range_add(e, &a, y, -1, 0);
  return a.ok && a.n == 0 && a.k != 0;
}
