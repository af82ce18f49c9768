// Making a failing program small.  Statements are replaced by zeros, by one of their operands, by
// one branch, by a loop's initial values; what is unused then goes.  First many at once, then
// fewer, as long as something is accepted.  Operators stay: without a statement they may not be
// associative.
#include "local.h"
#include <stdlib.h>

typedef enum { EDIT_ZERO, EDIT_FORWARD, EDIT_BRANCH, EDIT_LAST_BRANCH, EDIT_INIT, EDITS } Edit;

typedef struct {
  Rewrite w;  // first: the handler gets this
  bool *needed, *fixed;  // fixed: inside operators
  int at, from, to;  // statements from <= at < to are edited
  Edit edit;
  bool changed;
} Shrink;

// ---- what is needed: results, assertions, and all that they mention
typedef struct {
  const Prog *prog;
  bool *needed;
} Need;

static void need_atom(void *state, Atom a) {
  Need *n = state;
  if (a.is_var) n->needed[a.var.id] = true;
}

static void need_type(Need *n, Type t) {
  for (int d = 0; d < t.rank; d++) need_atom(n, t.dims[d]);
  if (t.is_acc) need_atom(n, atom_var(t.token));
}

static void need_types(Need *n, Vars vars) {
  for (int i = 0; i < vars.len; i++) need_type(n, var_type(n->prog, vars.at[i]));
}

static void need_body(void *state, const Body *body, const Vars *params);

static void need_stms(Need *n, Stms stms) {
  for (int i = stms.len - 1; i >= 0; i--) {
    const Stm *stm = &stms.at[i];
    bool needed = stm->exp.form == FORM_ASSERT;
    for (int k = 0; k < stm->bound.len; k++) needed |= n->needed[stm->bound.at[k].id];
    if (!needed) continue;
    for (int k = 0; k < stm->bound.len; k++) n->needed[stm->bound.at[k].id] = true;
    need_types(n, stm->bound);
    exp_each_atom(&stm->exp, need_atom, n);
    exp_each_body(&stm->exp, need_body, n);
  }
}

static void need_body(void *state, const Body *body, const Vars *params) {
  Need *n = state;
  need_types(n, *params);
  for (int i = 0; i < body->results.len; i++) need_atom(n, body->results.at[i]);
  for (int i = 0; i < body->results.len; i++)
    need_type(n, atom_type(n->prog, body->results.at[i]));
  need_stms(n, body->stms);
}

static void need_prog(Need *n) {
  for (int i = n->prog->fns.len - 1; i >= 0; i--) {
    const Fn *fn = n->prog->fns.at[i];
    need_types(n, fn->results);
    need_body(n, &fn->body, &fn->params);
  }
  need_stms(n, n->prog->constants);
}

// ---- what is inside operators
static void fix_all(void *state, const Body *body, const Vars *params) {
  bool *fixed = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    for (int k = 0; k < stm->bound.len; k++) fixed[stm->bound.at[k].id] = true;
    exp_each_body(&stm->exp, fix_all, fixed);
  }
}

static void fix_op(bool *fixed, const Lambda *op) {
  if (op) fix_all(fixed, &op->body, NULL);
}

static void fix_ops(bool *fixed, const Operators *ops) {
  for (int i = 0; i < ops->len; i++) fix_op(fixed, ops->at[i].op);
}

static void fix_operators(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_REDUCE) fix_op(state, e->reduce.op);
    if (e->form == FORM_SCAN) fix_op(state, e->scan.op);
    if (e->form == FORM_HIST) fix_op(state, e->hist.op);
    if (e->form == FORM_SCREMA) fix_ops(state, &e->screma.scans), fix_ops(state, &e->screma.reds);
    exp_each_body(e, fix_operators, state);
  }
}

// ---- edits
static bool has_acc(const Prog *prog, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (var_type(prog, vars.at[i]).is_acc) return true;
  return false;
}

// Zeros stay: every accepted edit is progress.
static bool edit_zero(Shrink *s, const Stm *stm) {
  if (stm->exp.form == FORM_REPLICATE && !stm->exp.replicate.arg.is_var) return false;
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = rewrite_type(&s->w, var_type(s->w.from, stm->bound.at[i]));
    rewrite_bind(&s->w, stm->bound.at[i], build_zero(&s->w.to, t));
  }
  return true;
}

typedef struct {
  const Prog *prog;
  Type type;
  bool found;
  Atom atom;
} Forward;

static void forward_atom(void *state, Atom a) {
  Forward *f = state;
  if (f->found || !a.is_var || !type_same(atom_type(f->prog, a), f->type)) return;
  f->found = true;
  f->atom = a;
}

static bool edit_forward(Shrink *s, const Stm *stm) {
  if (stm->bound.len != 1) return false;
  Forward f = {.prog = s->w.from, .type = var_type(s->w.from, stm->bound.at[0])};
  exp_each_atom(&stm->exp, forward_atom, &f);
  if (f.found) rewrite_bind(&s->w, stm->bound.at[0], rewrite_atom(&s->w, f.atom));
  return f.found;
}

static bool edit_branch(Shrink *s, const Stm *stm, bool last) {
  if (stm->exp.form != FORM_MATCH) return false;
  const Cases *cases = &stm->exp.match.cases;
  const Body *body = &cases->at[last ? cases->len - 1 : 0].body;
  rewrite_stms(&s->w, body->stms);
  for (int i = 0; i < stm->bound.len; i++)
    rewrite_bind(&s->w, stm->bound.at[i], rewrite_atom(&s->w, body->results.at[i]));
  return true;
}

static bool edit_init(Shrink *s, const Stm *stm) {
  if (stm->exp.form != FORM_LOOP) return false;
  for (int i = 0; i < stm->bound.len; i++)
    rewrite_bind(&s->w, stm->bound.at[i], rewrite_atom(&s->w, stm->exp.loop.inits.at[i]));
  return true;
}

static bool edit_stm(Shrink *s, const Stm *stm) {
  if (stm->exp.form == FORM_ASSERT) return s->edit == EDIT_ZERO;
  if (has_acc(s->w.from, stm->bound) && s->edit != EDIT_INIT) return false;
  switch (s->edit) {
    case EDIT_ZERO: return edit_zero(s, stm);
    case EDIT_FORWARD: return edit_forward(s, stm);
    case EDIT_BRANCH: return edit_branch(s, stm, false);
    case EDIT_LAST_BRANCH: return edit_branch(s, stm, true);
    case EDIT_INIT: return edit_init(s, stm);
    case EDITS: break;
  }
  return false;
}

static void shrink_stm(Rewrite *w, const Stm *stm) {
  Shrink *s = (Shrink *)w;
  bool needed = stm->exp.form == FORM_ASSERT;
  for (int k = 0; k < stm->bound.len; k++) needed |= s->needed[stm->bound.at[k].id];
  if (!needed) return;
  int at = s->at++;
  bool fixed = stm->bound.len && s->fixed[stm->bound.at[0].id];
  if (!fixed && at >= s->from && at < s->to && edit_stm(s, stm)) s->changed = true;
  else rewrite_stm(w, stm);
}

// The candidate, or NULL when no statement in the range admits the edit.  *count: how many
// statements there are.
static Prog *candidate(Arena *arena, const Prog *prog, Edit edit, int from, int to, int *count) {
  Shrink s = {.edit = edit, .from = from, .to = to};
  s.needed = NEW_ARRAY(arena, bool, prog->vars.len);
  Need need = {prog, s.needed};
  need_prog(&need);
  s.fixed = NEW_ARRAY(arena, bool, prog->vars.len);
  for (int i = 0; i < prog->fns.len; i++) fix_operators(s.fixed, &prog->fns.at[i]->body, NULL);
  s.w.stm = shrink_stm;
  Prog *out = rewrite_prog(prog, arena, &s.w);
  *count = s.at;
  return s.changed || from == to ? out : NULL;
}

typedef struct {
  Arena *arena;
  const Prog *best;
  bool (*still)(void *state, const Prog *prog);
  void *state;
} Search;

static bool try_edit(Search *s, Edit edit, int from, int to, int *count) {
  Prog *out = candidate(s->arena, s->best, edit, from, to, count);
  if (!out || core_fault(out, s->arena) || !s->still(s->state, out)) return false;
  s->best = out;
  return true;
}

static bool pass_over(Search *s, Edit edit, int step) {
  bool any = false;
  int count = 1;
  for (int at = 0; at < count;)
    if (try_edit(s, edit, at, at + step, &count)) any = true;
    else at += step;
  return any;
}

Prog *gen_shrink(Arena *arena, const Prog *prog, bool (*still)(void *state, const Prog *prog),
                 void *state) {
  Search s = {.arena = arena, .best = prog, .still = still, .state = state};
  int count = 0;
  try_edit(&s, EDIT_ZERO, 0, 0, &count);
  int step = count > 1 ? count / 2 : 1;
  for (bool again = true; again;) {
    again = false;
    for (Edit edit = 0; edit < EDITS; edit++) again |= pass_over(&s, edit, step);
    if (step > 1) step /= 2, again = true;
  }
  Rewrite w = {0};
  return rewrite_prog(s.best, arena, &w);
}
