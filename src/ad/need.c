// need: the variables of a scope whose values the scope's return code mentions, closed under what
// their re-execution reads.  Forward code re-executed in front of return code is restricted to
// these, and only these loop parameters are taped.  Mirrors the vjp rules form by form.
// keep: the variables whose memory must be as it was when return code comes by.
#include "local.h"

typedef struct {
  Needs *needs;
  const Prog *prog;
  const VarSet *active;
  const Map *given;
  VarSet *need;    // everything
  VarSet *direct;  // without what is only read by re-executed code of the scope itself
  int depth;       // scopes entered
  bool closing;    // adding what re-executed code reads
  bool bare;       // only what return code mentions itself
  bool others;     // of a loop's results only what is mentioned besides its own return code
  bool changed;
  Vars added;      // to `need`
} Need;

static void need_atom(Need *n, Atom a) {
  if (varset_add_atom(n->need, a)) {
    n->changed = true;
    list_push(n->prog->arena, &n->added, a.var);
  }
  if (!n->closing || n->depth > 1) varset_add_atom(n->direct, a);
}

static void need_atoms(Need *n, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) need_atom(n, atoms.at[i]);
}

static void need_vars(Need *n, Vars vars) {
  for (int i = 0; i < vars.len; i++) need_atom(n, atom_var(vars.at[i]));
}

// Adjoints are as large as what they belong to.
static void need_sizes(Need *n, Type t) {
  for (int i = 0; i < t.rank; i++) need_atom(n, t.dims[i]);
}

static void need_term(Need *n, const Term *t, Atoms args, Atom result) {
  if (!t) return;
  switch (t->kind) {
    case TERM_A: need_atom(n, args.at[0]); break;
    case TERM_B: need_atom(n, args.at[1]); break;
    case TERM_C: need_atom(n, args.at[2]); break;
    case TERM_R: need_atom(n, result); break;
    case TERM_CONST: break;
    case TERM_OP:
      need_term(n, t->x, args, result);
      need_term(n, t->y, args, result);
      need_term(n, t->z, args, result);
      break;
  }
}

static void need_prim(Need *n, const struct prim_form *e, Var result) {
  for (int i = 0; i < e->args.len; i++)
    if (varset_has_atom(n->active, e->args.at[i]))
      need_term(n, op_partial(e->op, e->prim, i), e->args, atom_var(result));
}

static void need_slice(Need *n, Slice slice) {
  for (int i = 0; i < slice.len; i++) {
    need_atom(n, slice.at[i].start);
    if (slice.at[i].is_fix) continue;
    need_atom(n, slice.at[i].count);
    need_atom(n, slice.at[i].stride);
  }
}

static void need_scope(Need *n, const Body *body);

static void need_call(Need *n, const Lambda *fn, Atoms args) {
  need_scope(n, &fn->body);
  for (int k = 0; !n->bare && k < args.len; k++)
    if (varset_has(n->need, fn->params.at[k])) need_atom(n, args.at[k]);
}

// The nested loop's tapes are made by running it again.
static void need_loop(Need *n, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  need_atom(n, e->bound);
  need_scope(n, &e->fn->body);
  bool taped = false;
  for (int k = 0; k < e->fn->params.len; k++) {
    need_sizes(n, var_type(n->prog, e->fn->params.at[k]));
    if (k == 0 || !varset_has(n->need, e->fn->params.at[k])) continue;
    taped = true;
    if (var_type(n->prog, e->fn->params.at[k]).unique)
      need_atom(n, atom_var(stm->bound.at[k - 1]));  // may be undone back to the start
  }
  if (!taped) return;
  need_vars(n, frees_of_exp(n->needs->frees, &stm->exp));
  if (!n->others) need_vars(n, stm->bound);
}

static void need_results(Need *n, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) need_atom(n, atom_var(stm->bound.at[k]));
  need_vars(n, frees_of_exp(n->needs->frees, &stm->exp));
}

// What the return code of stm mentions itself.
static void need_return(Need *n, const Stm *stm) {
  const Exp *e = &stm->exp;
  for (int k = 0; k < stm->bound.len; k++) need_sizes(n, var_type(n->prog, stm->bound.at[k]));
  switch (e->form) {
    case FORM_PRIM: need_prim(n, &e->prim, stm->bound.at[0]); break;
    case FORM_INDEX: need_slice(n, e->index.slice); break;
    case FORM_UPDATE: need_slice(n, e->update.slice); break;
    case FORM_FLATINDEX:
      need_atom(n, e->flatindex.offset);
      need_atoms(n, e->flatindex.counts);
      need_atoms(n, e->flatindex.strides);
      break;
    case FORM_FLATUPDATE:
      need_atom(n, e->flatupdate.offset);
      need_atoms(n, e->flatupdate.strides);
      break;
    case FORM_REPLICATE: need_atoms(n, e->replicate.dims); break;
    case FORM_ROTATE: need_atom(n, e->rotate.by); break;
    case FORM_MATCH:
      need_atoms(n, e->match.args);
      for (int i = 0; i < e->match.cases.len; i++) need_scope(n, &e->match.cases.at[i].body);
      break;
    case FORM_LOOP: need_loop(n, stm); break;
    case FORM_MAP:
      need_atom(n, e->map.width);
      need_call(n, e->map.fn, e->map.inputs);
      break;
    case FORM_WITHACC: need_call(n, e->withacc.fn, (Atoms){0}); break;
    case FORM_UPDATEACC: need_atoms(n, e->updateacc.index); break;
    case FORM_REDUCE:
      need_atom(n, e->reduce.width);
      if (!rule_is_sum(n->prog, e->reduce.op)) need_results(n, stm);
      break;
    case FORM_SCAN:
      need_atom(n, e->scan.width);
      if (!rule_is_sum(n->prog, e->scan.op)) need_results(n, stm);
      break;
    case FORM_HIST:
      if (rule_is_sum(n->prog, e->hist.op)) need_atom(n, e->hist.inputs.at[0]);
      else need_results(n, stm);
      break;
    case FORM_SCATTER: case FORM_WITHVJP: need_results(n, stm); break;
    case FORM_CONCAT:
      for (int i = 0; i < e->concat.arrays.len; i++)
        need_sizes(n, atom_type(n->prog, e->concat.arrays.at[i]));
      break;
    case FORM_RESHAPE: need_sizes(n, atom_type(n->prog, e->reshape.array)); break;
    case FORM_APPLY: need_atoms(n, e->apply.args); break;
    case FORM_ATOM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT:
    case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA:
    case FORM_COPY: case FORM_SCRATCH: case FORM_REARRANGE: case FORM_REVERSE: case FORM_ASSERT:
    case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_BLOCKS:
    case FORM_COUNT: break;
  }
}

static void need_stm(Need *n, const Stm *stm) {
  bool active = false, needed = false;
  for (int k = 0; k < stm->bound.len; k++)
    active = active || varset_has(n->active, stm->bound.at[k]);
  if (active) need_return(n, stm);
  for (int k = 0; k < stm->bound.len; k++)
    needed = needed || varset_has(n->need, stm->bound.at[k]);
  if (!needed || n->bare) return;
  const Var *given = stm->bound.len == 1 ? map_get(n->given, stm->bound.at[0].id) : NULL;
  n->closing = true;
  if (given) need_atom(n, atom_var(*given));
  else need_vars(n, frees_of_exp(n->needs->frees, &stm->exp));
  for (int k = 0; k < stm->bound.len; k++) need_sizes(n, var_type(n->prog, stm->bound.at[k]));
  n->closing = false;
}

static void need_stms(Need *n, const Body *body) {
  n->depth++;
  for (int i = body->stms.len - 1; i >= 0; i--) need_stm(n, &body->stms.at[i]);
  n->depth--;
}

static void bound_inside(void *state, const Body *body, const Vars *params) {
  (void)body;
  varset_add_all(state, *params);
}

// What of outside a nested scope needs, which does not depend on what is needed outside.  True as
// long as there are no more active and given variables.
typedef struct {
  int active, given;
  Vars vars;
} ScopeNeed;

static Vars scope_need(const Need *outer, const Body *body) {
  Arena *arena = outer->prog->arena;
  ScopeNeed *known = map_get(outer->needs->scopes, KEY(body));
  int active = outer->active->len, given = map_len(outer->given);
  if (known && known->active == active && known->given == given) return known->vars;
  VarSet need = varset_new(arena), inside = varset_new(arena);
  Need n = *outer;
  n.need = n.direct = &need, n.depth = 0, n.closing = n.others = false, n.added = (Vars){0};
  for (n.changed = true; n.changed;) {
    n.changed = false;
    need_stms(&n, body);
  }
  for (int i = 0; i < body->stms.len; i++) {
    varset_add_all(&inside, body->stms.at[i].bound);
    exp_each_body(&body->stms.at[i].exp, bound_inside, &inside);
  }
  known = NEW(arena, ScopeNeed);
  *known = (ScopeNeed){active, given, {0}};
  for (int i = 0; i < n.added.len; i++)
    if (!varset_has(&inside, n.added.at[i])) list_push(arena, &known->vars, n.added.at[i]);
  map_put(outer->needs->scopes, KEY(body), known);
  return known->vars;
}

static void need_scope(Need *n, const Body *body) {
  if (n->bare) {
    need_stms(n, body);
    return;
  }
  Vars vars = scope_need(n, body);
  n->depth++;
  need_vars(n, vars);
  n->depth--;
}

// x must be kept for its views and for what it is updated into (which is rolled back to x).
static void keep_scope(Needs *needs, VarSet *keep, const Body *body) {
  const Prog *prog = needs->prog;
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    if (!form_shares_memory(stm->exp.form)) continue;
    bool kept = false;
    for (int k = 0; k < stm->bound.len; k++)
      kept = kept || (varset_has(keep, stm->bound.at[k]) &&
                      var_type(prog, stm->bound.at[k]).rank > 0);
    Vars vars = {0};
    if (kept) vars = frees_of_exp(needs->frees, &stm->exp);
    for (int k = 0; k < vars.len; k++)
      if (var_type(prog, vars.at[k]).rank > 0) varset_add(keep, vars.at[k]);
  }
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_UPDATE && varset_has_atom(keep, e->update.array))
      varset_add(keep, body->stms.at[i].bound.at[0]);
    for (int k = 0; e->form == FORM_LOOP && k < e->loop.inits.len; k++)
      if (varset_has_atom(keep, e->loop.inits.at[k]) &&
          var_type(prog, e->loop.fn->params.at[k + e->loop.is_for]).unique)
        varset_add(keep, body->stms.at[i].bound.at[k]);
    if (e->form == FORM_HIST && hist_is_undone(prog, &e->hist) &&
        varset_has_atom(keep, e->hist.dests.at[0]))
      varset_add(keep, body->stms.at[i].bound.at[0]);
    if (e->form != FORM_SCATTER) continue;
    for (int k = 0; k < e->scatter.dests.len; k++)
      if (varset_has_atom(keep, e->scatter.dests.at[k]))
        varset_add(keep, body->stms.at[i].bound.at[k]);
  }
}

void need_directly(Needs *needs, const VarSet *active, VarSet *need, const Body *body) {
  VarSet keep = varset_new(needs->prog->arena);
  Need n = {.needs = needs, .prog = needs->prog, .active = active, .need = need, .direct = &keep,
            .bare = true};
  need_stms(&n, body);
}

void need_used(Needs *needs, const VarSet *active, const Map *given, VarSet *used, const Body *body) {
  VarSet direct = varset_new(needs->prog->arena);
  Need n = {.needs = needs, .prog = needs->prog, .active = active, .given = given, .need = used,
            .direct = &direct, .others = true, .changed = true};
  for (int i = 0; i < body->stms.len; i++)
    if (exp_has_effect(&body->stms.at[i].exp))
      need_vars(&n, frees_of_exp(needs->frees, &body->stms.at[i].exp));
  while (n.changed) {
    n.changed = false;
    need_stms(&n, body);
  }
}

void need_body(Needs *needs, const VarSet *active, const Map *given, VarSet *need, VarSet *keep,
               const Body *body) {
  Need n = {.needs = needs, .prog = needs->prog, .active = active, .given = given, .need = need,
            .direct = keep, .changed = true};
  while (n.changed) {
    n.changed = false;
    need_stms(&n, body);
  }
  keep_scope(needs, keep, body);
}
