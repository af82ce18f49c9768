// Negative constant sizes.  The code that would use such an array fails before it does, or is never
// reached; types do not mention these constants.  Each becomes a constant of the program that the
// optimiser does not look into, so that equal sizes stay equal:
//
//   [-3]t   ->   let size = opaque -3   [size]t
#include "opt/common/local.h"

typedef struct {
  Prog *prog;
  LIST(Atom) found;   // the sizes
  LIST(Atom) hidden;  // the variables
} Negative;

static bool is_negative(Atom a) {
  return !a.is_var && a.value.prim == PRIM_I64 && a.value.i < 0;
}

static Atom shown(void *state, Atom a) {
  const Negative *n = state;
  if (!is_negative(a)) return a;
  for (int i = 0; i < n->found.len; i++)
    if (n->found.at[i].value.i == a.value.i) return n->hidden.at[i];
  return a;
}

static void find(Negative *n, const Type *t) {
  for (int i = 0; i < t->rank; i++) {
    if (!is_negative(t->dims[i]) || shown(n, t->dims[i]).is_var) continue;
    list_push(n->prog->arena, &n->found, t->dims[i]);
    Var v = var_new(n->prog, "size", type_scalar(PRIM_I64));
    list_push(n->prog->arena, &n->hidden, atom_var(v));
  }
}

static void change_type(Negative *n, Type *t) {
  Atom *dims = NEW_ARRAY(n->prog->arena, Atom, t->rank);
  for (int i = 0; i < t->rank; i++) dims[i] = shown(n, t->dims[i]);
  t->dims = dims;
}

static void change_atoms(Negative *n, Atoms *atoms) {
  for (int i = 0; i < atoms->len; i++) atoms->at[i] = shown(n, atoms->at[i]);
}

static void change_stms(Negative *n, Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    Exp *exp = &stms->at[i].exp;
    exp_change_atoms(exp, shown, n);
    Parts parts = exp_parts(n->prog->arena, exp);
    for (int k = 0; k < parts.len; k++) {
      change_stms(n, &parts.at[k].body->stms);
      change_atoms(n, &parts.at[k].body->results);
      for (int r = 0; parts.at[k].fn && r < parts.at[k].fn->rets.len; r++)
        change_type(n, &parts.at[k].fn->rets.at[r]);
    }
  }
}

static void put_constants(Negative *n) {
  Stms all = {0};
  for (int i = 0; i < n->found.len; i++) {
    Stm stm = {.exp = {.form = FORM_OPAQUE, .opaque = {n->found.at[i]}}};
    list_push(n->prog->arena, &stm.bound, n->hidden.at[i].var);
    list_push(n->prog->arena, &all, stm);
  }
  for (int i = 0; i < n->prog->constants.len; i++)
    list_push(n->prog->arena, &all, n->prog->constants.at[i]);
  n->prog->constants = all;
}

// needs: a program as elaboration made it.  leaves: no negative constant in a type.  cost: linear.
void negative_sizes_hide(Prog *prog) {
  Negative n = {.prog = prog};
  for (int i = 1, len = prog->vars.len; i < len; i++) {
    Type type = prog->vars.at[i].type;
    find(&n, &type);
  }
  if (n.found.len == 0) return;
  for (int i = 1; i < prog->vars.len; i++) change_type(&n, &prog->vars.at[i].type);
  change_stms(&n, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++) {
    Fn *fn = prog->fns.at[i];
    change_stms(&n, &fn->body.stms);
    change_atoms(&n, &fn->body.results);
  }
  put_constants(&n);
}
