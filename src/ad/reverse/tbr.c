// need: the variables of a scope whose values the scope's adjoint code mentions, closed under what
// their re-execution reads.  The forward sweep re-executed in front of adjoint code is restricted
// to these, and only these loop parameters are taped.  Mirrors the vjp rules form by form.
// keep: the variables whose memory must be as it was when adjoint code comes by.
#include "ad/common/local.h"

typedef struct {
  TbrCache *tbr;
  const Prog *prog;
  const VarSet *active;
  const Map *reload;
  VarSet *need;    // everything
  VarSet *direct;  // without what is only read by re-executed code of the scope itself
  int depth;       // scopes entered
  bool closing;    // adding what re-executed code reads
  bool direct_only;       // only what adjoint code mentions itself
  bool beyond_loop;     // of a loop's results only what is mentioned besides its own adjoint code
  bool changed;
  Vars added;      // to `need`
} Tbr;

static void tbr_atom(Tbr *n, Atom a) {
  if (varset_add_atom(n->need, a)) {
    n->changed = true;
    list_push(n->prog->arena, &n->added, a.var);
  }
  if (!n->closing || n->depth > 1) varset_add_atom(n->direct, a);
}

static void tbr_atoms(Tbr *n, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) tbr_atom(n, atoms.at[i]);
}

static void tbr_vars(Tbr *n, Vars vars) {
  for (int i = 0; i < vars.len; i++) tbr_atom(n, atom_var(vars.at[i]));
}

// Adjoints are as large as what they belong to.
static void tbr_sizes(Tbr *n, Type t) {
  for (int i = 0; i < t.rank; i++) tbr_atom(n, t.dims[i]);
}

static void tbr_term(Tbr *n, const Term *t, Atoms args, Atom result) {
  if (!t) return;
  switch (t->kind) {
    case TERM_A: tbr_atom(n, args.at[0]); break;
    case TERM_B: tbr_atom(n, args.at[1]); break;
    case TERM_C: tbr_atom(n, args.at[2]); break;
    case TERM_R: tbr_atom(n, result); break;
    case TERM_CONST: break;
    case TERM_OP:
      tbr_term(n, t->x, args, result);
      tbr_term(n, t->y, args, result);
      tbr_term(n, t->z, args, result);
      break;
  }
}

static void tbr_prim(Tbr *n, const struct prim_form *e, Var result) {
  for (int i = 0; i < e->args.len; i++)
    if (varset_has_atom(n->active, e->args.at[i]))
      tbr_term(n, op_partial(e->op, e->prim, i), e->args, atom_var(result));
}

static void tbr_slice(Tbr *n, Slice slice) {
  for (int i = 0; i < slice.len; i++) {
    tbr_atom(n, slice.at[i].start);
    if (slice.at[i].is_fix) continue;
    tbr_atom(n, slice.at[i].count);
    tbr_atom(n, slice.at[i].stride);
  }
}

static void tbr_scope(Tbr *n, const Body *body);

static void tbr_call(Tbr *n, const Lambda *fn, Atoms args) {
  tbr_scope(n, &fn->body);
  for (int k = 0; !n->direct_only && k < args.len; k++)
    if (varset_has(n->need, fn->params.at[k])) tbr_atom(n, args.at[k]);
}

// The nested loop's tapes are made by running it again.
static void tbr_loop(Tbr *n, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  tbr_atom(n, e->bound);
  tbr_scope(n, &e->fn->body);
  bool taped = false;
  for (int k = 0; k < e->fn->params.len; k++) {
    tbr_sizes(n, var_type(n->prog, e->fn->params.at[k]));
    if (k == 0 || !varset_has(n->need, e->fn->params.at[k])) continue;
    taped = true;
    if (var_type(n->prog, e->fn->params.at[k]).unique)
      tbr_atom(n, atom_var(stm->bound.at[k - 1]));  // may be undone back to the start
  }
  if (!taped) return;
  tbr_vars(n, free_vars_of_exp(n->tbr->free_vars, &stm->exp));
  if (!n->beyond_loop) tbr_vars(n, stm->bound);
}

static void tbr_results(Tbr *n, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) tbr_atom(n, atom_var(stm->bound.at[k]));
  tbr_vars(n, free_vars_of_exp(n->tbr->free_vars, &stm->exp));
}

// The variables that the adjoint code of stm mentions itself.
static void tbr_adjoint(Tbr *n, const Stm *stm) {
  const Exp *e = &stm->exp;
  for (int k = 0; k < stm->bound.len; k++) tbr_sizes(n, var_type(n->prog, stm->bound.at[k]));
  switch (e->form) {
    case FORM_PRIM: tbr_prim(n, &e->prim, stm->bound.at[0]); break;
    case FORM_INDEX: tbr_slice(n, e->index.slice); break;
    case FORM_UPDATE: tbr_slice(n, e->update.slice); break;
    case FORM_FLATINDEX:
      tbr_atom(n, e->flatindex.offset);
      tbr_atoms(n, e->flatindex.counts);
      tbr_atoms(n, e->flatindex.strides);
      break;
    case FORM_FLATUPDATE:
      tbr_atom(n, e->flatupdate.offset);
      tbr_atoms(n, e->flatupdate.strides);
      break;
    case FORM_REPLICATE: tbr_atoms(n, e->replicate.dims); break;
    case FORM_ROTATE: tbr_atom(n, e->rotate.by); break;
    case FORM_MATCH:
      tbr_atoms(n, e->match.args);
      for (int i = 0; i < e->match.cases.len; i++) tbr_scope(n, &e->match.cases.at[i].body);
      break;
    case FORM_LOOP: tbr_loop(n, stm); break;
    case FORM_MAP:
      tbr_atom(n, e->map.width);
      tbr_call(n, e->map.fn, e->map.inputs);
      break;
    case FORM_WITHACC: tbr_call(n, e->withacc.fn, (Atoms){0}); break;
    case FORM_UPDATEACC: tbr_atoms(n, e->updateacc.index); break;
    case FORM_REDUCE:
      tbr_atom(n, e->reduce.width);
      if (!rule_is_sum(n->prog, e->reduce.op)) tbr_results(n, stm);
      break;
    case FORM_SCAN:
      tbr_atom(n, e->scan.width);
      if (!rule_is_sum(n->prog, e->scan.op)) tbr_results(n, stm);
      break;
    case FORM_HIST:
      if (rule_is_sum(n->prog, e->hist.op)) tbr_atom(n, e->hist.inputs.at[0]);
      else tbr_results(n, stm);
      break;
    case FORM_SCATTER: case FORM_WITHVJP: tbr_results(n, stm); break;
    case FORM_CONCAT:
      for (int i = 0; i < e->concat.arrays.len; i++)
        tbr_sizes(n, atom_type(n->prog, e->concat.arrays.at[i]));
      break;
    case FORM_RESHAPE: tbr_sizes(n, atom_type(n->prog, e->reshape.array)); break;
    case FORM_APPLY: tbr_atoms(n, e->apply.args); break;
    case FORM_ATOM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT:
    case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA:
    case FORM_COPY: case FORM_SCRATCH: case FORM_REARRANGE: case FORM_REVERSE: case FORM_ASSERT:
    case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT: break;
  }
}

static void tbr_stm(Tbr *n, const Stm *stm) {
  bool active = false, needed = false;
  for (int k = 0; k < stm->bound.len; k++)
    active = active || varset_has(n->active, stm->bound.at[k]);
  if (active) tbr_adjoint(n, stm);
  for (int k = 0; k < stm->bound.len; k++)
    needed = needed || varset_has(n->need, stm->bound.at[k]);
  if (!needed || n->direct_only) return;
  const Var *reload = stm->bound.len == 1 ? map_get(n->reload, stm->bound.at[0].id) : NULL;
  n->closing = true;
  if (reload) tbr_atom(n, atom_var(*reload));
  else tbr_vars(n, free_vars_of_exp(n->tbr->free_vars, &stm->exp));
  for (int k = 0; k < stm->bound.len; k++) tbr_sizes(n, var_type(n->prog, stm->bound.at[k]));
  n->closing = false;
}

static void tbr_stms(Tbr *n, const Body *body) {
  n->depth++;
  for (int i = body->stms.len - 1; i >= 0; i--) tbr_stm(n, &body->stms.at[i]);
  n->depth--;
}

static void bound_inside(void *state, const Body *body, const Vars *params) {
  (void)body;
  varset_add_all(state, *params);
}

// The outer variables that a nested scope needs, which do not depend on what is needed outside.
// True as long as there are no more active and given variables.
typedef struct {
  int active, reload;
  Vars vars;
} ScopeTbr;

static Vars tbr_of_scope(const Tbr *outer, const Body *body) {
  Arena *arena = outer->prog->arena;
  ScopeTbr *known = map_get(outer->tbr->scopes, KEY(body));
  int active = outer->active->len, reload = map_len(outer->reload);
  if (known && known->active == active && known->reload == reload) return known->vars;
  VarSet need = varset_new(arena), inside = varset_new(arena);
  Tbr n = *outer;
  n.need = n.direct = &need, n.depth = 0, n.closing = n.beyond_loop = false, n.added = (Vars){0};
  for (n.changed = true; n.changed;) {
    n.changed = false;
    tbr_stms(&n, body);
  }
  for (int i = 0; i < body->stms.len; i++) {
    varset_add_all(&inside, body->stms.at[i].bound);
    exp_each_body(&body->stms.at[i].exp, bound_inside, &inside);
  }
  known = NEW(arena, ScopeTbr);
  *known = (ScopeTbr){active, reload, {0}};
  for (int i = 0; i < n.added.len; i++)
    if (!varset_has(&inside, n.added.at[i])) list_push(arena, &known->vars, n.added.at[i]);
  map_put(outer->tbr->scopes, KEY(body), known);
  return known->vars;
}

static void tbr_scope(Tbr *n, const Body *body) {
  if (n->direct_only) {
    tbr_stms(n, body);
    return;
  }
  Vars vars = tbr_of_scope(n, body);
  n->depth++;
  tbr_vars(n, vars);
  n->depth--;
}

// x must be kept for its views and for what it is updated into (which is restored from the undo log
// to x).
static void restore_scope(TbrCache *tbr, VarSet *restore, const Body *body) {
  const Prog *prog = tbr->prog;
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    if (!form_shares_memory(stm->exp.form)) continue;
    bool kept = false;
    for (int k = 0; k < stm->bound.len; k++)
      kept = kept || (varset_has(restore, stm->bound.at[k]) &&
                      var_type(prog, stm->bound.at[k]).rank > 0);
    Vars vars = {0};
    if (kept) vars = free_vars_of_exp(tbr->free_vars, &stm->exp);
    for (int k = 0; k < vars.len; k++)
      if (var_type(prog, vars.at[k]).rank > 0) varset_add(restore, vars.at[k]);
  }
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_UPDATE && varset_has_atom(restore, e->update.array))
      varset_add(restore, body->stms.at[i].bound.at[0]);
    for (int k = 0; e->form == FORM_LOOP && k < e->loop.inits.len; k++)
      if (varset_has_atom(restore, e->loop.inits.at[k]) &&
          var_type(prog, e->loop.fn->params.at[k + e->loop.is_for]).unique)
        varset_add(restore, body->stms.at[i].bound.at[k]);
    if (e->form == FORM_HIST && hist_restores(prog, &e->hist) &&
        varset_has_atom(restore, e->hist.dests.at[0]))
      varset_add(restore, body->stms.at[i].bound.at[0]);
    if (e->form != FORM_SCATTER) continue;
    for (int k = 0; k < e->scatter.dests.len; k++)
      if (varset_has_atom(restore, e->scatter.dests.at[k]))
        varset_add(restore, body->stms.at[i].bound.at[k]);
  }
}

void tbr_direct(TbrCache *tbr, const VarSet *active, VarSet *need, const Body *body) {
  VarSet restore = varset_new(tbr->prog->arena);
  Tbr n = {.tbr = tbr, .prog = tbr->prog, .active = active, .need = need, .direct = &restore,
            .direct_only = true};
  tbr_stms(&n, body);
}

void tbr_used(TbrCache *tbr, const VarSet *active, const Map *reload, VarSet *used,
              const Body *body) {
  VarSet direct = varset_new(tbr->prog->arena);
  Tbr n = {.tbr = tbr, .prog = tbr->prog, .active = active, .reload = reload, .need = used,
            .direct = &direct, .beyond_loop = true, .changed = true};
  for (int i = 0; i < body->stms.len; i++)
    if (exp_has_effect(&body->stms.at[i].exp))
      tbr_vars(&n, free_vars_of_exp(tbr->free_vars, &body->stms.at[i].exp));
  while (n.changed) {
    n.changed = false;
    tbr_stms(&n, body);
  }
}

void tbr_body(TbrCache *tbr, const VarSet *active, const Map *reload, VarSet *need, VarSet *restore,
               const Body *body) {
  Tbr n = {.tbr = tbr, .prog = tbr->prog, .active = active, .reload = reload, .need = need,
            .direct = restore, .changed = true};
  while (n.changed) {
    n.changed = false;
    tbr_stms(&n, body);
  }
  restore_scope(tbr, restore, body);
}
