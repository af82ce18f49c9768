// Loop-invariant statements leave loops and lambdas for the outermost body where all they use is
// bound.  Only what cannot fail and may run although the loop does not; never out of a branch, or a
// loop that represents one, having as many iterations as a truth value says, or a differentiated
// function; never memory that is overwritten, but for a histogram into arrays of one number each:
// these leave with it.
#include "opt/common/local.h"

typedef struct {
  Stms *out;
  int floor;  // nothing leaves for a level below this one
} HoistLevel;
typedef struct {
  Prog *prog;
  Arena *scratch;
  AliasClasses classes;
  FreeVars *free_vars;  // of statements whose bodies are done
  LIST(HoistLevel) levels;
  int *level_of;  // by variable
  bool *is_bit;   // by variable: a truth value as a number
  bool *maybe_negative;  // by variable: a difference, which is none where the loop has iterations
  // by variable: made of what differs between iterations of some loop or lambda
  bool *iterates;
  // by variable: of an iota, its length; of what counts iterations, their number (no variable: not
  // that)
  Atom *counts, *below;
  bool views;  // only arrays seen in another order of dimensions
  bool changed;
} Hoist;

// A place that is there wherever the row is, not only where the loop around it has iterations: map
// n (\i -> .. xs[0]) has a first row of xs : [n] inside alone.
static bool is_sure(const Hoist *h, Atom i, Atom dim) {
  if (i.is_var) return h->iterates[i.var.id];
  return !dim.is_var && 0 <= i.value.i && i.value.i < dim.value.i;
}

// A view that stays within its array touches nothing by itself.
static bool is_safe_view(const Hoist *h, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (e->form != FORM_INDEX || !stm->attrs.unchecked || !var_is_array(h->prog, stm->bound.at[0]))
    return false;
  Type t = atom_type(h->prog, e->index.array);
  for (int i = 0; i < e->index.slice.len; i++) {
    const SliceDim *s = &e->index.slice.at[i];
    if (s->is_fix && !is_sure(h, s->start, t.dims[i])) return false;
  }
  return true;
}

static bool is_negative(const Hoist *h, Atom a) {
  return a.is_var ? h->maybe_negative[a.var.id] : a.value.i < 0;
}

// x - y, and what is made of it, unless it is max 0 (x - y).
static bool is_difference(const Hoist *h, const Exp *e) {
  if (e->form != FORM_PRIM || e->prim.prim != PRIM_I64 || e->prim.op == OP_MAX) return false;
  bool found = e->prim.op == OP_SUB || e->prim.op == OP_NEG;
  for (int i = 0; i < e->prim.args.len && !found; i++) found = is_negative(h, e->prim.args.at[i]);
  return found;
}

// Of a size that is none where the loop has no iterations there must be no array then.
static bool size_may_fail(const Hoist *h, const Exp *e) {
  if (e->form == FORM_IOTA) return is_negative(h, e->iota.n);
  if (e->form == FORM_MAP) return e->map.inputs.len == 0 && is_negative(h, e->map.width);
  for (int i = 0; e->form == FORM_REPLICATE && i < e->replicate.dims.len; i++)
    if (is_negative(h, e->replicate.dims.at[i])) return true;
  for (int i = 0; e->form == FORM_INDEX && i < e->index.slice.len; i++)
    if (!e->index.slice.at[i].is_fix && is_negative(h, e->index.slice.at[i].count)) return true;
  return false;
}

// ---- destinations of histograms
// The place in the innermost body of the replicate that makes a destination, which no other
// statement mentions; -1: there is none.
static int dest_made(Hoist *h, Atom dest) {
  const Stms *stms = h->levels.at[h->levels.len - 1].out;
  for (int i = stms->len - 1; i >= 0; i--) {
    const Stm *stm = &stms->at[i];
    if (vars_have(stm->bound, dest.var))
      return stm->exp.form == FORM_REPLICATE && !size_may_fail(h, &stm->exp) ? i : -1;
    if (vars_have(free_vars_of_exp(h->free_vars, &stm->exp), dest.var)) return -1;
  }
  return -1;
}

static bool dests_made(Hoist *h, const Stm *stm) {
  if (stm->exp.form != FORM_HIST) return false;
  for (int i = 0; i < stm->exp.hist.dests.len; i++)
    if (dest_made(h, stm->exp.hist.dests.at[i]) < 0) return false;
  return true;
}

static bool may_hoist(Hoist *h, const Stm *stm) {
  if (stm->bound.len == 0 || stm->attrs.opaque) return false;
  if (h->views && stm->exp.form != FORM_REARRANGE) return false;
  switch (stm->exp.form) {
  case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_SCRATCH: case FORM_UPDATE: case FORM_FLATUPDATE:
  case FORM_APPLY: case FORM_ASSERT: case FORM_SCATTER: case FORM_WITHACC:
  case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS:
  case FORM_JACOBIAN: case FORM_COUNT:
    return false;
  case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_LITERAL: case FORM_CONSTANT:
  case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_INDEX: case FORM_FLATINDEX:
  case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
  case FORM_MATCH: case FORM_LOOP: case FORM_MAP: case FORM_REDUCE: case FORM_SCAN:
  case FORM_SCREMA: case FORM_HIST:
    break;
  }
  for (int i = 0; i < stm->bound.len; i++) {
    Var v = stm->bound.at[i];
    if (var_info(h->prog, v)->type.is_acc) return false;
    if (!var_is_array(h->prog, v) || !alias_class_consumed(&h->classes, v)) continue;
    if (stm->exp.form != FORM_HIST || !alias_class_consumed_once(&h->classes, v)) return false;
  }
  if (size_may_fail(h, &stm->exp)) return false;
  if (stm->exp.form == FORM_HIST && !dests_made(h, stm)) return false;
  if (exp_has_parts(&stm->exp)) return exp_is_total_below(h->prog, stm, h->below);
  return is_safe_view(h, stm) || exp_is_total(h->prog, stm);
}

static bool is_dest(const Stm *hist, Var v) {
  for (int i = 0; hist && i < hist->exp.hist.dests.len; i++)
    if (atom_is_var(hist->exp.hist.dests.at[i], v)) return true;
  return false;
}

static int level_of_all(const Hoist *h, Vars vars, const Stm *hist, int level) {
  for (int i = 0; i < vars.len; i++)
    if (!is_dest(hist, vars.at[i]) && h->level_of[vars.at[i].id] > level)
      level = h->level_of[vars.at[i].id];
  return level;
}

static int level_of_dests(Hoist *h, const Stm *stm, int level) {
  const Stms *stms = h->levels.at[h->levels.len - 1].out;
  for (int i = 0; i < stm->exp.hist.dests.len; i++) {
    const Exp *made = &stms->at[dest_made(h, stm->exp.hist.dests.at[i])].exp;
    level = level_of_all(h, free_vars_of_exp(h->free_vars, made), NULL, level);
  }
  return level;
}

static void place(Hoist *h, const Stm *stm, int level);

static void place_dests(Hoist *h, const Stm *stm, int level) {
  Stms *stms = h->levels.at[h->levels.len - 1].out;
  for (int i = 0; i < stm->exp.hist.dests.len; i++) {
    int at = dest_made(h, stm->exp.hist.dests.at[i]);
    Stm made = stms->at[at];
    for (int k = at; k + 1 < stms->len; k++) stms->at[k] = stms->at[k + 1];
    stms->len--;
    place(h, &made, level);
  }
}

static int level_needed(Hoist *h, const Stm *stm) {
  int level = h->levels.at[h->levels.len - 1].floor;
  const Stm *hist = dests_made(h, stm) ? stm : NULL;
  level = level_of_all(h, free_vars_of_exp(h->free_vars, &stm->exp), hist, level);
  if (hist) level = level_of_dests(h, hist, level);
  for (int i = 0; i < stm->bound.len; i++) {
    const Type *t = &var_info(h->prog, stm->bound.at[i])->type;
    for (int d = 0; d < t->rank; d++)
      if (t->dims[d].is_var && h->level_of[t->dims[d].var.id] > level)
        level = h->level_of[t->dims[d].var.id];
  }
  return level;
}

static void hoist_body(Hoist *h, Body *body, const Vars *params, bool barrier);

static bool is_of_iterations(Hoist *h, const Exp *e) {
  Vars free = free_vars_of_exp(h->free_vars, e);
  for (int i = 0; i < free.len; i++)
    if (h->iterates[free.at[i].id]) return true;
  return false;
}

static void place(Hoist *h, const Stm *stm, int level) {
  bool iterates = h->levels.len > 1 && is_of_iterations(h, &stm->exp);
  for (int i = 0; i < stm->bound.len; i++) {
    h->level_of[stm->bound.at[i].id] = level;
    h->iterates[stm->bound.at[i].id] = iterates;
  }
  if (stm->exp.form == FORM_CONV && stm->exp.conv.arg.is_var)
    h->is_bit[stm->bound.at[0].id] = atom_type(h->prog, stm->exp.conv.arg).prim == PRIM_BOOL;
  if (exp_counts(h->prog, &stm->exp)) h->counts[stm->bound.at[0].id] = stm->exp.iota.n;
  if (stm->bound.len == 1) h->maybe_negative[stm->bound.at[0].id] = is_difference(h, &stm->exp);
  list_push(h->prog->arena, h->levels.at[level].out, *stm);
}

static bool is_barrier(const Hoist *h, const Exp *exp) {
  Form form = exp->form;
  if (form == FORM_LOOP && exp->loop.is_for && exp->loop.bound.is_var)
    return h->is_bit[exp->loop.bound.var.id];
  return form == FORM_MATCH || form == FORM_JVP || form == FORM_VJP || form == FORM_WITHVJP ||
         form == FORM_DEPENDS || form == FORM_JACOBIAN;
}

static void note_counters(Hoist *h, const Exp *e) {
  const Atoms *inputs = e->form == FORM_MAP ? &e->map.inputs : &e->screma.inputs;
  const Lambda *fn = e->form == FORM_MAP ? e->map.fn : e->screma.fn;
  if (e->form == FORM_LOOP && e->loop.is_for) h->below[e->loop.fn->params.at[0].id] = e->loop.bound;
  if (e->form != FORM_MAP && e->form != FORM_SCREMA) return;
  for (int i = 0; i < inputs->len; i++)
    if (inputs->at[i].is_var) h->below[fn->params.at[i].id] = h->counts[inputs->at[i].var.id];
}

static void hoist_stm(Hoist *h, Stm *stm) {
  note_counters(h, &stm->exp);
  int here = h->levels.len - 1;
  if (exp_has_parts(&stm->exp)) {
    Parts parts = exp_parts(h->scratch, &stm->exp);
    for (int i = 0; i < parts.len; i++)
      hoist_body(h, parts.at[i].body, parts.at[i].fn ? &parts.at[i].fn->params : NULL,
                 is_barrier(h, &stm->exp));
  }
  int level = here;
  if (here > h->levels.at[here].floor) level = level_needed(h, stm);
  if (level < here && !may_hoist(h, stm)) level = here;
  h->changed = h->changed || level < here;
  if (level < here && stm->exp.form == FORM_HIST) place_dests(h, stm, level);
  place(h, stm, level);
}

static void hoist_body(Hoist *h, Body *body, const Vars *params, bool barrier) {
  Stms out = {0};
  list_reserve(h->prog->arena, &out, body->stms.len);
  int level = h->levels.len;
  int floor = barrier || level == 0 ? level : h->levels.at[level - 1].floor;
  list_push(h->scratch, &h->levels, (HoistLevel){&out, floor});
  for (int i = 0; params && i < params->len; i++) {
    h->level_of[params->at[i].id] = level;
    h->iterates[params->at[i].id] = level > 0;
  }
  for (int i = 0; i < body->stms.len; i++) hoist_stm(h, &body->stms.at[i]);
  h->levels.len--;
  body->stms = out;
}

static bool hoist_some(Prog *prog, bool views) {
  Arena *scratch = arena_beside(prog->arena);
  Hoist h = {.prog = prog, .scratch = scratch, .classes = alias_classes_compute(scratch, prog),
             .free_vars = free_vars_new(prog, scratch), .views = views};
  h.level_of = NEW_ARRAY(scratch, int, prog->vars.len);
  h.is_bit = NEW_ARRAY(scratch, bool, prog->vars.len);
  h.maybe_negative = NEW_ARRAY(scratch, bool, prog->vars.len);
  h.iterates = NEW_ARRAY(scratch, bool, prog->vars.len);
  h.counts = NEW_ARRAY(scratch, Atom, prog->vars.len);
  h.below = NEW_ARRAY(scratch, Atom, prog->vars.len);
  for (int i = 0; i < prog->fns.len; i++)
    hoist_body(&h, &prog->fns.at[i]->body, &prog->fns.at[i]->params, true);
  arena_free(scratch);
  return h.changed;
}

// needs: any program.  leaves: no transposition in a loop or lambda of what is bound outside.
// Before differentiation: a contribution to the adjoint of a transposition then goes straight to
// its place, and not into its own array for every iteration.
Prog *pass_hoist_views(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  out->at_fixpoint = !hoist_some(out, true) && prog->at_fixpoint;
  return out;
}

// needs: any program; after simplify and cse there is less to move.  leaves: no total statement in
// a loop or lambda whose operands are all bound outside.  cost: linear times the depth of nesting.
Prog *pass_hoist(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  out->at_fixpoint = !hoist_some(out, false) && prog->at_fixpoint;
  return out;
}
