// Masked adjoints: x is masked if every use of it gives it a derivative that may be left out as
// a whole,
//
//   select c x _, select c _ x, min, max      by the other operand
//   guard d J x                               where d is 0: the partials of a derivative's product
//   a branch that mentions x                  by the other branches
//   scatter _ _ x                             by indices out of range, or that come again
//   hist op _ _ _ x, updateacc _ _ x          by indices out of range
//   op x.. = y, moves of data, maps           as y is; of maps row by row
//   sums and other operators, loops, updates  of which y is masked, or a later use, itself
//
// so that the partials of y = op x, y masked, may be infinite or NaN where nothing needs them,
// whatever op is: where data are missing, say, or sums have overflowed.  Their products are safe
// ones (guarded.c).  After sums and loops there may be all of a program, so products of two array
// elements as they are, of which matrix products consist, have no guard there.  Results of the
// function are not masked.
#include "ad/common/local.h"

typedef struct {
  const Prog *prog;
  FreeVars *free_vars;
  VarSet *masked, *after;
  VarSet plain;    // variables that have another use
  VarSet open;     // of these the ones that have a use that is not masked either
} Masks;

static void walk_body(Masks *m, const Body *body);

static void use_plainly(void *state, Atom a) { varset_add_atom(&((Masks *)state)->plain, a); }

static void use_openly(void *state, Atom a) {
  use_plainly(state, a);
  varset_add_atom(&((Masks *)state)->open, a);
}

static bool is_plain(const Masks *m, Var v) { return varset_has(&m->plain, v); }
static bool is_open(const Masks *m, Var v) { return varset_has(&m->open, v); }

static bool any_of(const VarSet *set, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (varset_has(set, vars.at[i])) return true;
  return false;
}

// a gets what y gets.
static void use_as(Masks *m, Atom a, Var y) {
  if (is_plain(m, y)) use_plainly(m, a);
  if (is_open(m, y)) use_openly(m, a);
}

// The results of the body get what those of the statement get.
static void walk_with(Masks *m, const Body *body, Vars bound) {
  for (int k = 0; k < bound.len && k < body->results.len; k++)
    use_as(m, body->results.at[k], bound.at[k]);
  walk_body(m, body);
}

static bool leaves_out(Op op) {
  return op == OP_SELECT || op_is_extremum(op) || op == OP_GUARD;
}

static void walk_prim(Masks *m, const Stm *stm) {
  Var y = stm->bound.at[0];
  varset_remove(m->masked, y);  // a loop's body is walked again
  varset_remove(m->after, y);
  if (!is_plain(m, y)) varset_add(m->masked, y);
  else if (!is_open(m, y)) varset_add(m->after, y);
  if (is_plain(m, y) && !leaves_out(stm->exp.prim.op))
    exp_each_atom(&stm->exp, is_open(m, y) ? use_openly : use_plainly, m);
}

static Vars not_in(const VarSet *set, Vars vars) {
  Vars out = {0};
  for (int i = 0; i < vars.len; i++)
    if (!varset_has(set, vars.at[i])) list_push(set->arena, &out, vars.at[i]);
  return out;
}

static void remove_all(VarSet *set, Vars vars) {
  for (int i = 0; i < vars.len; i++) varset_remove(set, vars.at[i]);
}

static void walk_match(Masks *m, const Stm *stm) {
  Vars free = free_vars_of_exp(m->free_vars, &stm->exp);
  Vars masked = not_in(&m->plain, free), closed = not_in(&m->open, free);
  for (int i = 0; i < stm->exp.match.cases.len; i++)
    walk_with(m, &stm->exp.match.cases.at[i].body, stm->bound);
  remove_all(&m->plain, masked);
  remove_all(&m->open, closed);
}

static void walk_map(Masks *m, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  walk_with(m, &e->fn->body, stm->bound);
  for (int i = 0; i < e->inputs.len; i++)
    use_as(m, e->inputs.at[i], e->fn->params.at[i]);
}

static bool moves(Form form) {
  return form == FORM_ATOM || form == FORM_CONV || form == FORM_COPY || form == FORM_INDEX ||
         form == FORM_RESHAPE || form == FORM_REARRANGE || form == FORM_CONCAT ||
         form == FORM_REVERSE || form == FORM_ROTATE;
}

// ---- bodies whose results get what others give them
static void walk_openly(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int k = 0; k < body->results.len; k++) use_openly(state, body->results.at[k]);
  walk_body(state, body);
}

static void walk_after(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int k = 0; k < body->results.len; k++) use_plainly(state, body->results.at[k]);
  walk_body(state, body);
}

// A loop's result of an iteration gets the mask of the next one's parameter, at last of the result.
static bool walk_iteration(Masks *m, const Stm *stm) {
  const Lambda *fn = stm->exp.loop.fn;
  bool is_for = stm->exp.loop.is_for;
  for (int k = 0; k < stm->bound.len; k++) {
    Var p = fn->params.at[k + is_for];
    if (is_open(m, stm->bound.at[k])) use_openly(m, atom_var(p));
    use_plainly(m, fn->body.results.at[k]);
    if (is_open(m, p)) use_openly(m, fn->body.results.at[k]);
  }
  Vars closed = not_in(&m->open, fn->params);
  walk_body(m, &fn->body);
  return any_of(&m->open, closed);
}

static void walk_loop(Masks *m, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  while (walk_iteration(m, stm)) continue;
  for (int k = 0; k < stm->bound.len; k++) {
    use_plainly(m, e->inits.at[k]);
    if (is_open(m, e->fn->params.at[k + e->is_for])) use_openly(m, e->inits.at[k]);
  }
}

// Results that have masked uses only, here or later: the rule's own products are safe, too.
static void note_bound(Masks *m, Vars bound, bool open) {
  for (int k = 0; k < bound.len; k++) {
    varset_remove(m->after, bound.at[k]);  // a loop's body is walked again
    if (!open) varset_add(m->after, bound.at[k]);
  }
}

// The bins' previous contents get the mask of the resulting bins.
static void walk_hist(Masks *m, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  bool plain = any_of(&m->plain, stm->bound), open = any_of(&m->open, stm->bound);
  note_bound(m, stm->bound, open);
  for (int k = 0; k < e->dests.len && plain; k++)
    (open ? use_openly : use_plainly)(m, e->dests.at[k]);
  exp_each_body(&stm->exp, open ? walk_openly : walk_after, m);
}

static void walk_other(Masks *m, const Stm *stm) {
  bool open = any_of(&m->open, stm->bound);
  note_bound(m, stm->bound, open);
  exp_each_body(&stm->exp, open ? walk_openly : walk_after, m);
  exp_each_atom(&stm->exp, open ? use_openly : use_plainly, m);
}

static void walk_stm(Masks *m, const Stm *stm) {
  Form form = stm->exp.form;
  if (form == FORM_PRIM) walk_prim(m, stm);
  else if (form == FORM_MATCH) walk_match(m, stm);
  else if (form == FORM_MAP) walk_map(m, stm);
  else if (form == FORM_HIST) walk_hist(m, stm);
  else if (form == FORM_LOOP) walk_loop(m, stm);
  else if (form == FORM_SCATTER) exp_each_body(&stm->exp, walk_openly, m);
  else if (form == FORM_UPDATEACC) return;
  else if (!moves(form) || any_of(&m->plain, stm->bound)) walk_other(m, stm);
}

// Uses come after what they use.
static void walk_body(Masks *m, const Body *body) {
  for (int i = body->stms.len - 1; i >= 0; i--) walk_stm(m, &body->stms.at[i]);
}

void masked_body(const Prog *prog, FreeVars *free_vars, Guarding *safe, const Body *body) {
  Arena *arena = prog->arena;
  Masks m = {prog, free_vars, &safe->masked, &safe->after, varset_new(arena), varset_new(arena)};
  if (safe->rule_masked) walk_body(&m, body);  // its results are as one that a mask keeps out
  else walk_openly(&m, body, NULL);
}
