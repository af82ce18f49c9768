// Parameters that only an associative and commutative operation is applied to.
//
//   s' = s op e | e op s | s - e | select c s' s' | match c { .. s' } | loop (s'..) | s
//
// No other statement mentions s or the values on the way from s to s', so with the operation's
// neutral element for s the body gives the iteration's term.  Terms and factors that are floats may
// be combined in another order; without the switch `loop-sums` such loops stay.
#include "loops.h"
#include <math.h>

typedef struct {
  Loop *s;
  Var p;
  bool known;
  Op op;
  int leaves;  // uses of p that were met
} Fold;

static bool folds(Fold *f, Atom a);

static Op op_class(Op op) { return op == OP_SUB ? OP_ADD : op; }

static bool is_folding(Op op, Prim p) {
  switch ((int)op) {
  case OP_ADD: case OP_SUB: case OP_MUL: return prim_is_int(p) || prim_is_float(p);
  case OP_MIN: case OP_MAX: return prim_is_int(p) || prim_is_float(p);
  case OP_AND: case OP_OR: return true;
  case OP_XOR: return prim_is_int(p) || p == PRIM_BOOL;
  }
  return false;
}

static bool folds_either(Fold *f, const struct prim_form *p) {
  Fold before = *f;
  if (folds(f, p->args.at[0])) return true;
  *f = before;
  return p->op != OP_SUB && folds(f, p->args.at[1]);
}

static bool folds_op(Fold *f, const struct prim_form *p) {
  if (p->op == OP_SELECT) return folds(f, p->args.at[1]) && folds(f, p->args.at[2]);
  if (!is_folding(p->op, p->prim) || (f->known && f->op != op_class(p->op))) return false;
  f->known = true;
  f->op = op_class(p->op);
  return folds_either(f, p);
}

static bool folds_match(Fold *f, const struct match_form *m, int k) {
  for (int i = 0; i < m->cases.len; i++)
    if (!folds(f, m->cases.at[i].body.results.at[k])) return false;
  return true;
}

static bool folds_loop(Fold *f, const struct loop_form *l, int k) {
  if (!l->is_for && l->cond == k) return false;
  Fold inner = {.s = f->s, .p = l->fn->params.at[k + l->is_for], .known = f->known, .op = f->op};
  if (!folds(&inner, l->fn->body.results.at[k])) return false;
  if (inner.leaves != loop_uses(f->s, inner.p)) return false;
  f->known = inner.known;
  f->op = inner.op;
  return folds(f, l->inits.at[k]);
}

static bool folds(Fold *f, Atom a) {
  if (atom_is_var(a, f->p)) return f->leaves++, true;
  const Stm *def = loop_def(f->s, a);
  if (!def || loop_uses(f->s, a.var) != 1) return false;
  int k = loop_result(f->s, a);
  switch ((int)def->exp.form) {
  case FORM_PRIM: return folds_op(f, &def->exp.prim);
  case FORM_MATCH: return folds_match(f, &def->exp.match, k);
  case FORM_LOOP: return folds_loop(f, &def->exp.loop, k);
  }
  return false;
}

// Where min and max of equal operands have a derivative, that of a reduction is another.
static bool is_free_to_fold(Env *e, Op op, Prim p) {
  if (op_is_extremum(op)) return !env_differentiable(e, p);
  bool rounds = prim_is_float(p) && (op == OP_ADD || op == OP_MUL);
  return !rounds || prog_may(e->prog, SWITCH_SUM_ORDER);
}

bool class_fold(Loop *s, int k, ParamClass *out) {
  Fold f = {.s = s, .p = loop_param(s, k)};
  Type t = var_type(s->e->prog, f.p);
  if (!type_is_scalar(t) || !folds(&f, s->l->fn->body.results.at[k])) return false;
  if (!f.known || f.leaves != loop_uses(s, f.p)) return false;
  if (!is_free_to_fold(s->e, f.op, t.prim)) return false;
  *out = (ParamClass){.kind = CLASS_FOLD, .op = f.op, .cell = type_scalar(t.prim)};
  return true;
}

static Atom extreme(Prim p, bool least) {
  if (p == PRIM_BOOL) return atom_bool(!least);
  if (prim_is_float(p)) return atom_number(p, least ? -INFINITY : INFINITY);
  int bits = 8 * prim_info[p].bytes;
  if (!prim_is_signed(p)) return atom_scalar(scalar_int(p, least ? 0 : -1));
  int64_t lowest = (int64_t)(UINT64_C(1) << 63) >> (64 - bits);
  return atom_scalar(scalar_int(p, least ? lowest : ~lowest));
}

Atom fold_neutral(Op op, Prim p) {
  switch ((int)op) {
  case OP_MUL: return atom_number(p, 1);
  case OP_MIN: return extreme(p, false);
  case OP_MAX: return extreme(p, true);
  case OP_AND: return p == PRIM_BOOL ? atom_bool(true) : atom_scalar(scalar_int(p, -1));
  }
  return atom_number(p, 0);
}
