// Loop parameters that only grow at their end: the state of every iteration is the beginning of
// what the loop gives, so that no tape holds it.
//
//   loop (n, xs: [n]t) = .. for .. { .. (m, xs ++ vs) }        also in branches and inner loops
#include "ad/common/local.h"

static bool begins_with(const Prog *prog, const Body *body, Atom a, Var p);

static const Stm *definition(const Body *body, Atom a, int *k) {
  for (int i = 0; a.is_var && i < body->stms.len; i++)
    for (*k = 0; *k < body->stms.at[i].bound.len; (*k)++)
      if (atom_is_var(a, body->stms.at[i].bound.at[*k])) return &body->stms.at[i];
  return NULL;
}

static bool cases_begin_with(const Prog *prog, const struct match_form *e, int k, Var p) {
  for (int i = 0; i < e->cases.len; i++) {
    const Body *body = &e->cases.at[i].body;
    if (!begins_with(prog, body, body->results.at[k], p)) return false;
  }
  return true;
}

// Rows stay what they are.
static bool same_rows(const Prog *prog, Atom a, Atom b) {
  Type x = atom_type(prog, a), y = atom_type(prog, b);
  for (int d = 1; d < x.rank && x.rank == y.rank; d++)
    if (!atom_same(x.dims[d], y.dims[d])) return false;
  return x.rank == y.rank;
}

// Whether `a`, a result of the body, is p with further rows after.
static bool begins_with(const Prog *prog, const Body *body, Atom a, Var p) {
  int k;
  if (atom_is_var(a, p)) return true;
  const Stm *stm = definition(body, a, &k);
  if (!stm) return false;
  const Exp *e = &stm->exp;
  switch ((int)e->form) {
    case FORM_COPY: return begins_with(prog, body, e->copy.arg, p);
    case FORM_CONCAT:
      return e->concat.dim == 0 && begins_with(prog, body, e->concat.arrays.at[0], p);
    case FORM_RESHAPE:
      return same_rows(prog, a, e->reshape.array) && begins_with(prog, body, e->reshape.array, p);
    case FORM_MATCH: return cases_begin_with(prog, &e->match, k, p);
    case FORM_LOOP: {
      const Lambda *fn = e->loop.fn;
      Var inner = fn->params.at[k + e->loop.is_for];
      return !var_type(prog, inner).unique && begins_with(prog, body, e->loop.inits.at[k], p) &&
             begins_with(prog, &fn->body, fn->body.results.at[k], inner);
    }
  }
  return false;
}

bool loop_grows(const Prog *prog, const Lambda *fn, int k) {
  Var p = fn->params.at[1 + k];
  Type t = var_type(prog, p);
  if (t.unique || t.rank == 0) return false;
  for (int d = 1; d < t.rank; d++)
    for (int i = 0; i < fn->params.len; i++)
      if (atom_is_var(t.dims[d], fn->params.at[i])) return false;
  return begins_with(prog, &fn->body, fn->body.results.at[k], p);
}
