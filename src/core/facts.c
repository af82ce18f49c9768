// Questions about single expressions: operands, bodies, totality, effects, equality.
#include "local.h"

void exp_each_atom(const Exp *exp, void (*f)(void *state, Atom atom), void *state) {
  for (const Field *field = form_info[exp->form].fields; field->kind != FIELD_END; field++) {
    if (field->kind == FIELD_ATOM) {
      f(state, FIELD_CONST(exp, field, Atom));
    } else if (field->kind == FIELD_ATOMS) {
      Atoms atoms = FIELD_CONST(exp, field, Atoms);
      for (int i = 0; i < atoms.len; i++) f(state, atoms.at[i]);
    } else if (field->kind == FIELD_SLICE) {
      Slice slice = FIELD_CONST(exp, field, Slice);
      for (int i = 0; i < slice.len; i++) {
        f(state, slice.at[i].start);
        if (slice.at[i].is_fix) continue;
        f(state, slice.at[i].count);
        f(state, slice.at[i].stride);
      }
    } else if (field->kind == FIELD_OPERATORS) {
      Operators ops = FIELD_CONST(exp, field, Operators);
      for (int i = 0; i < ops.len; i++)
        for (int k = 0; k < ops.at[i].neutral.len; k++) f(state, ops.at[i].neutral.at[k]);
    }
  }
}

void exp_each_body(const Exp *exp, void (*f)(void *state, const Body *body, const Vars *params),
                   void *state) {
  static const Vars none;
  for (const Field *field = form_info[exp->form].fields; field->kind != FIELD_END; field++) {
    if (field->kind == FIELD_LAMBDA) {
      const Lambda *fn = FIELD_CONST(exp, field, Lambda *);
      if (fn) f(state, &fn->body, &fn->params);
    } else if (field->kind == FIELD_OPERATORS) {
      Operators ops = FIELD_CONST(exp, field, Operators);
      for (int i = 0; i < ops.len; i++)
        if (ops.at[i].op) f(state, &ops.at[i].op->body, &ops.at[i].op->params);
    } else if (field->kind == FIELD_CASES) {
      Cases cases = FIELD_CONST(exp, field, Cases);
      for (int i = 0; i < cases.len; i++) f(state, &cases.at[i].body, &none);
    }
  }
}

// ---- totality
static bool is_const_int(Atom a, int64_t *out) {
  if (a.is_var) return false;
  *out = a.value.i;
  return true;
}

static bool is_size(Atom a) {
  int64_t n;
  return is_const_int(a, &n) && n >= 0;
}

// In bounds whatever the control flow: constants within a constant dimension, or all of it.
static bool slice_dim_is_total(SliceDim d, Atom dim) {
  int64_t n, i, count, stride;
  if (!d.is_fix && atom_is(d.start, 0) && atom_is(d.stride, 1) && atom_same(d.count, dim))
    return true;
  if (!is_const_int(dim, &n) || !is_const_int(d.start, &i)) return false;
  if (d.is_fix) return 0 <= i && i < n;
  if (!is_const_int(d.count, &count) || !is_const_int(d.stride, &stride)) return false;
  if (count == 0) return i >= 0 && i <= n;
  if (count < 0 || count > n || stride > n || stride < -n) return false;
  int64_t last = i + (count - 1) * stride;
  return 0 <= i && i < n && 0 <= last && last < n;
}

// here: where they stand, whatever they would do elsewhere.  Variable v is one of the numbers from
// 0 to below[v] - 1, where that is a variable.
typedef struct TotalWalk {
  const Prog *prog;
  const Atom *below;
  bool here, total;
  const struct TotalWalk *around;
  Atom width;  // iterations of the lambda that is walked, where that is a variable: one at least
} TotalWalk;

static bool is_width(const TotalWalk *walk, Atom a) {
  for (; walk; walk = walk->around)
    if (walk->width.is_var && atom_same(walk->width, a)) return true;
  return false;
}

bool prim_may_fail(const struct prim_form *e) {
  if (!op_may_fail(e->op, e->prim)) return false;
  Atom second = e->args.at[1];
  return second.is_var || op_fails(e->op, e->prim, second.value);
}

static bool op_is_total(const TotalWalk *walk, const struct prim_form *e) {
  return !prim_may_fail(e) || (e->args.at[1].is_var && is_width(walk, e->args.at[1]));
}

static bool counts_below(const TotalWalk *walk, SliceDim d, Atom dim) {
  return walk->below && d.is_fix && d.start.is_var && dim.is_var &&
         atom_same(walk->below[d.start.var.id], dim);
}

static bool slice_is_total(const TotalWalk *walk, Atom array, Slice slice) {
  Type type = atom_type(walk->prog, array);
  for (int i = 0; i < slice.len; i++)
    if (!slice_dim_is_total(slice.at[i], type.dims[i]) &&
        !counts_below(walk, slice.at[i], type.dims[i]))
      return false;
  return true;
}

static bool sizes_are_total(const Stm *stm, const Atom *dims, int n) {
  for (int i = 0; i < n && !stm->attrs.unchecked; i++)
    if (!is_size(dims[i])) return false;
  return true;
}

static bool is_total(const TotalWalk *walk, const Stm *stm);

static void body_total(void *state, const Body *body, const Vars *params) {
  (void)params;
  TotalWalk *walk = state;
  for (int i = 0; i < body->stms.len && walk->total; i++)
    walk->total = is_total(walk, &body->stms.at[i]);
}

static Atom iterations_of(const Exp *e) {
  switch ((int)e->form) {
  case FORM_MAP: return e->map.width;
  case FORM_SCREMA: return e->screma.width;
  case FORM_HIST: return e->hist.width;
  case FORM_LOOP: return e->loop.bound;
  }
  return (Atom){0};
}

static bool bodies_are_total(const TotalWalk *around, const Exp *exp) {
  TotalWalk walk = {.prog = around->prog, .below = around->below, .here = around->here,
                    .total = true, .around = around, .width = iterations_of(exp)};
  exp_each_body(exp, body_total, &walk);
  return walk.total;
}

// `unchecked` says that this statement succeeds where it stands.  This is enough for sizes, which
// do not depend on the place, but not for indices and divisors, which a branch may have tested.
static bool is_total(const TotalWalk *walk, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (walk->here && stm->attrs.unchecked && !form_has_bodies[e->form]) return true;
  switch (e->form) {
    case FORM_PRIM: return op_is_total(walk, &e->prim);
    case FORM_INDEX: return slice_is_total(walk, e->index.array, e->index.slice);
    case FORM_UPDATE: return slice_is_total(walk, e->update.array, e->update.slice);
    case FORM_IOTA: return sizes_are_total(stm, &e->iota.n, 1);
    case FORM_REPLICATE: return sizes_are_total(stm, e->replicate.dims.at, e->replicate.dims.len);
    case FORM_SCRATCH: return sizes_are_total(stm, e->scratch.dims.at, e->scratch.dims.len);
    case FORM_RESHAPE: return stm->attrs.unchecked;
    case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_APPLY: case FORM_ASSERT: case FORM_TRACE:
      return false;
    case FORM_LOOP: return e->loop.is_for && bodies_are_total(walk, e);
    case FORM_ATOM: case FORM_CONV: case FORM_OPAQUE: case FORM_STOPGRADIENT:
    case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL: case FORM_CONSTANT: case FORM_COPY:
    case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE: case FORM_UPDATEACC:
      return true;
    case FORM_MATCH: case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA:
    case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC: case FORM_JVP: case FORM_VJP:
    case FORM_WITHVJP: case FORM_DEPENDS:
    case FORM_JACOBIAN: return bodies_are_total(walk, e);
    case FORM_COUNT: break;
  }
  ice("form %d", e->form);
}

bool exp_is_total(const Prog *prog, const Stm *stm) {
  return exp_is_total_below(prog, stm, NULL);
}

bool exp_is_total_below(const Prog *prog, const Stm *stm, const Atom *below) {
  return is_total(&(TotalWalk){.prog = prog, .below = below}, stm);
}

bool body_succeeds(const Prog *prog, const Body *body) {
  TotalWalk walk = {.prog = prog, .here = true, .total = true};
  body_total(&walk, body, NULL);
  return walk.total;
}

// A call may hold an ASSERT; so it counts as one.
static void body_effect(void *state, const Body *body, const Vars *params) {
  (void)params;
  bool *found = state;
  for (int i = 0; i < body->stms.len && !*found; i++)
    *found = exp_has_effect(&body->stms.at[i].exp);
}

bool exp_has_effect(const Exp *exp) {
  if (exp->form == FORM_ASSERT || exp->form == FORM_APPLY || exp->form == FORM_TRACE) return true;
  bool found = false;
  exp_each_body(exp, body_effect, &found);
  return found;
}

bool stm_makes_float(const Prog *prog, const Stm *stm) {
  bool scalar = stm->exp.form == FORM_PRIM || stm->exp.form == FORM_CONV;
  return scalar && prim_is_float(var_type(prog, stm->bound.at[0]).prim);
}
