// What masks keep out: x is masked if every use of it gives it a derivative that may be left out as a
// whole,
//
//   select c x _, select c _ x, min, max      by the other operand
//   guard d J x                               where d is 0: the partials of a derivative's product
//   a branch that mentions x                  by the other branches
//   scatter _ _ x                             by indices out of range, or that come again
//   hist op _ _ _ x, updateacc _ _ x          by indices out of range
//   op x.. = y, moves of data, maps           as y is; of maps row by row
//
// so that the partials of y = op x, y masked, may be infinite or NaN where nobody wants them, whatever
// op is: where data are missing, say, or sums have overflowed.  Their products are safe ones
// (safe.c).  What results of the function, of loops and of other operators get is not masked.
#include "local.h"

typedef struct {
  const Prog *prog;
  Frees *frees;
  VarSet *masked;
  VarSet plain;    // variables that have another use
} Masks;

static void walk_body(Masks *m, const Body *body);

static void use_plainly(void *state, Atom a) { varset_add_atom(&((Masks *)state)->plain, a); }

static bool is_plain(const Masks *m, Var v) { return varset_has(&m->plain, v); }

static bool any_plain(const Masks *m, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (is_plain(m, vars.at[i])) return true;
  return false;
}

// The results of the body get what those of the statement get.
static void walk_with(Masks *m, const Body *body, Vars bound) {
  for (int k = 0; k < bound.len && k < body->results.len; k++)
    if (is_plain(m, bound.at[k])) varset_add_atom(&m->plain, body->results.at[k]);
  walk_body(m, body);
}

static bool leaves_out(Op op) {
  return op == OP_SELECT || op_is_extremum(op) || op == OP_GUARD;
}

static void walk_prim(Masks *m, const Stm *stm) {
  Var y = stm->bound.at[0];
  if (!is_plain(m, y)) varset_add(m->masked, y);
  else if (!leaves_out(stm->exp.prim.op)) exp_each_atom(&stm->exp, use_plainly, m);
}

static void walk_match(Masks *m, const Stm *stm) {
  Vars free = frees_of_exp(m->frees, &stm->exp), masked = {0};
  for (int i = 0; i < free.len; i++)
    if (!is_plain(m, free.at[i])) list_push(m->plain.arena, &masked, free.at[i]);
  for (int i = 0; i < stm->exp.match.cases.len; i++)
    walk_with(m, &stm->exp.match.cases.at[i].body, stm->bound);
  for (int i = 0; i < masked.len; i++) varset_remove(&m->plain, masked.at[i]);
}

static void walk_map(Masks *m, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  walk_with(m, &e->fn->body, stm->bound);
  for (int i = 0; i < e->inputs.len; i++)
    if (is_plain(m, e->fn->params.at[i])) varset_add_atom(&m->plain, e->inputs.at[i]);
}

static bool moves(Form form) {
  return form == FORM_ATOM || form == FORM_CONV || form == FORM_COPY || form == FORM_INDEX ||
         form == FORM_RESHAPE || form == FORM_REARRANGE || form == FORM_CONCAT ||
         form == FORM_REVERSE || form == FORM_ROTATE;
}

static void walk_inner(void *state, const Body *body, const Vars *params) {
  (void)params;
  Masks *m = state;
  for (int k = 0; k < body->results.len; k++) use_plainly(m, body->results.at[k]);
  walk_body(m, body);
}

// What is in the bins before gets what comes of the bins.
static void walk_hist(Masks *m, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  bool plain = any_plain(m, stm->bound);
  for (int k = 0; k < e->dests.len && plain; k++) use_plainly(m, e->dests.at[k]);
  exp_each_body(&stm->exp, walk_inner, m);
}

static void walk_stm(Masks *m, const Stm *stm) {
  Form form = stm->exp.form;
  if (form == FORM_PRIM) walk_prim(m, stm);
  else if (form == FORM_MATCH) walk_match(m, stm);
  else if (form == FORM_MAP) walk_map(m, stm);
  else if (form == FORM_HIST) walk_hist(m, stm);
  else if (form == FORM_SCATTER) exp_each_body(&stm->exp, walk_inner, m);
  else if (form == FORM_UPDATEACC) return;
  else if (!moves(form) || any_plain(m, stm->bound)) {
    exp_each_body(&stm->exp, walk_inner, m);
    exp_each_atom(&stm->exp, use_plainly, m);
  }
}

// Uses come after what they use.
static void walk_body(Masks *m, const Body *body) {
  for (int i = body->stms.len - 1; i >= 0; i--) walk_stm(m, &body->stms.at[i]);
}

void masked_body(const Prog *prog, Frees *frees, VarSet *masked, const Body *body) {
  Masks m = {prog, frees, masked, varset_new(prog->arena)};
  walk_inner(&m, body, NULL);
}
