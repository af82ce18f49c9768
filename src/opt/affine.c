// Integer expressions as k + sum of c * v, followed through additions and multiplications by
// constants.  Enough to prove that an index lies in range: loop variables are replaced by the
// bound that makes the sum smallest, then every remaining term must be non-negative.  Minima, maxima
// and remainders lie where their operands do.  Unknown is "no"; nothing here loops more than a few
// times.
#include "local.h"

enum { AFFINE_DEPTH = 12 };

// out += scale * a
static void affine_add(Env *e, Line *out, Atom a, int64_t scale, int depth) {
  int64_t k;
  a = env_atom(e, a);
  if (!out->ok || !line_is_small(scale)) {
    out->ok = false;
    return;
  }
  if (atom_const_i64(a, &k)) {
    if (!line_is_small(k)) out->ok = false;
    else out->k += scale * k;
    return;
  }
  if (!a.is_var) {
    out->ok = false;
    return;
  }
  Stm *def = depth < AFFINE_DEPTH ? env_def_as(e, a, FORM_PRIM) : NULL;
  if (def && def->exp.prim.prim == PRIM_I64) {
    const Atom *x = def->exp.prim.args.at;
    Op op = def->exp.prim.op;
    if (op == OP_ADD || op == OP_SUB) {
      affine_add(e, out, x[0], scale, depth + 1);
      affine_add(e, out, x[1], op == OP_ADD ? scale : -scale, depth + 1);
      return;
    }
    if (op == OP_MUL && (atom_const_i64(x[0], &k) || atom_const_i64(x[1], &k)) && line_is_small(k)) {
      affine_add(e, out, x[x[0].is_var ? 0 : 1], scale * k, depth + 1);
      return;
    }
    if (op == OP_NEG) {
      affine_add(e, out, x[0], -scale, depth + 1);
      return;
    }
  }
  line_add_term(out, a.var, scale);
}

// Replaces one loop variable with a negative coefficient by its largest value.
static bool affine_lower(Env *e, Line *a) {
  for (int i = 0; i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    if (a->c[i] >= 0 || !f->has_below) continue;
    int64_t c = a->c[i];
    line_add_term(a, a->v[i], -c);
    affine_add(e, a, f->below, c, 0);
    a->k -= c;
    return true;
  }
  return false;
}

// Replaces one bound w > i of another loop variable i of the sum by i + 1, its smallest value.
static bool affine_raise(Env *e, Line *a) {
  for (int i = 0; i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    int64_t c = f->has_below && f->below.is_var ? line_coef(a, f->below.var) : 0;
    if (c <= 0) continue;
    line_add_term(a, f->below.var, -c);
    line_add_term(a, a->v[i], c);
    line_add_const(a, c);
    return true;
  }
  return false;
}

static bool affine_least(Env *e, Line *a) {
  for (int step = 0; step < 8 && a->ok && affine_lower(e, a); step++) {}
  int64_t least = a->k;
  for (int i = 0; a->ok && i < a->n; i++) {
    const Fact *f = env_fact(e, a->v[i]);
    if (a->c[i] < 0 || !f->has_least || !line_is_small(f->least) || !line_is_small(a->c[i])) return false;
    least += a->c[i] * f->least;
  }
  return a->ok && least >= 0;
}

static bool affine_nonneg(Env *e, Line *a) {
  Line raised = *a;
  return affine_least(e, a) || (affine_raise(e, &raised) && affine_least(e, &raised));
}

// y - x - k >= 0
static bool affine_between(Env *e, Atom x, Atom y, int64_t k) {
  Line a = {.ok = true, .k = -k};
  affine_add(e, &a, y, 1, 0);
  affine_add(e, &a, x, -1, 0);
  return affine_nonneg(e, &a);
}

// The definition of an integer that is no sum, to be taken apart at most `RANGE_DEPTH` deep.
enum { RANGE_DEPTH = 4 };
static const struct prim_form *range_def(Env *e, Atom x, int depth) {
  const Stm *def = depth < RANGE_DEPTH ? env_def_as(e, x, FORM_PRIM) : NULL;
  return def && def->exp.prim.prim == PRIM_I64 ? &def->exp.prim : NULL;
}

// y - x - k >= 0 where the choice is made that gives x or y: the first operand if x' < y', else the
// second.  What the condition says may be taken off: y' - x' - 1, or x' - y'.
static bool chosen_between(Env *e, const struct prim_form *choice, bool second, Atom x, Atom y,
                           int64_t k) {
  if (affine_between(e, x, y, k)) return true;
  const Stm *def = env_def_as(e, env_atom(e, choice->args.at[0]), FORM_PRIM);
  if (!def || def->exp.prim.op != OP_LT || def->exp.prim.prim != PRIM_I64) return false;
  Line a = {.ok = true, .k = second ? -k : 1 - k};
  affine_add(e, &a, y, 1, 0);
  affine_add(e, &a, x, -1, 0);
  affine_add(e, &a, def->exp.prim.args.at[0], second ? -1 : 1, 0);
  affine_add(e, &a, def->exp.prim.args.at[1], second ? 1 : -1, 0);
  return affine_nonneg(e, &a);
}

// Divisors that are not negative are positive where there is a result.
static bool is_nonneg(Env *e, Atom x, int depth) {
  x = env_atom(e, x);
  if (affine_between(e, atom_i64(0), x, 0)) return true;
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
  if (affine_between(e, x, limit, 1)) return true;
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
    return is_nonneg(e, arg[1], depth) && affine_between(e, arg[1], limit, 0);
  case OP_DIV: case OP_QUOT:
    return is_nonneg(e, arg[0], depth) && is_nonneg(e, arg[1], depth) &&
           is_below(e, arg[0], limit, depth);
  }
  return false;
}

bool atom_nonneg(Env *e, Atom x) { return is_nonneg(e, x, 0); }

bool atom_at_most(Env *e, Atom x, Atom y) { return affine_between(e, x, y, 0); }

bool index_in_range(Env *e, Atom index, Atom dim) {
  return is_nonneg(e, index, 0) && is_below(e, index, dim, 0);
}

bool atom_in_periods(Env *e, Atom x, Atom d, int64_t first, int64_t end) {
  Line low = {.ok = true}, high = {.ok = true, .k = -1};
  affine_add(e, &low, x, 1, 0);
  affine_add(e, &low, d, -first, 0);
  affine_add(e, &high, d, end, 0);
  affine_add(e, &high, x, -1, 0);
  return affine_nonneg(e, &low) && affine_nonneg(e, &high);
}

bool atoms_differ(Env *e, Atom x, Atom y) {
  Line a = {.ok = true};
  affine_add(e, &a, x, 1, 0);
  affine_add(e, &a, y, -1, 0);
  return a.ok && a.n == 0 && a.k != 0;
}
