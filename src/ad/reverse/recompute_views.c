// Views: arrays that share memory with one that is updated in place.  When the reverse sweep rolls
// an array back, its views are recomputed from it.
#include "ad/common/local.h"

bool form_shares_memory(Form form) {
  switch (form) {
    case FORM_OPAQUE: case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT:
    case FORM_INDEX: case FORM_FLATINDEX: case FORM_RESHAPE: case FORM_REARRANGE:
    case FORM_REVERSE: case FORM_MATCH: case FORM_LOOP: case FORM_WITHVJP: return true;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_LITERAL: case FORM_CONSTANT:
    case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH: case FORM_UPDATE:
    case FORM_FLATUPDATE: case FORM_CONCAT: case FORM_ROTATE: case FORM_APPLY: case FORM_ASSERT:
    case FORM_TRACE: case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA:
    case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP:
    case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT: return false;
  }
  return false;
}

// ---- branches: the results that are views of something moved, and what makes those
static const Vars *shares_of(Vjp *v, const Body *body) {
  Vars *shares = map_get(v->shares, KEY(body));
  if (shares) return shares;
  shares = body_shares(v->w.from, vjp_arena(v), body);
  map_put(v->shares, KEY(body), shares);
  return shares;
}

static VarSet results_moved(Vjp *v, const Stm *stm, const VarSet *moved) {
  const struct match_form *e = &stm->exp.match;
  VarSet out = varset_new(vjp_arena(v));
  for (int i = 0; i < e->cases.len; i++) {
    const Vars *shares = shares_of(v, &e->cases.at[i].body);
    for (int k = 0; k < stm->bound.len; k++)
      for (int j = 0; j < shares[k].len; j++)
        if (varset_has(moved, shares[k].at[j])) varset_add(&out, stm->bound.at[k]);
  }
  return out;
}

static bool binds_any(const Stm *stm, const VarSet *vars) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(vars, stm->bound.at[k])) return true;
  return false;
}

static Body body_part(Vjp *v, const Body *body, Vars bound, const VarSet *wanted) {
  Arena *arena = vjp_arena(v);
  VarSet need = varset_new(arena), kept = varset_new(arena);
  Body out = {0};
  for (int k = 0; k < bound.len; k++) {
    if (!varset_has(wanted, bound.at[k])) continue;
    list_push(arena, &out.results, body->results.at[k]);
    varset_add_atom(&need, body->results.at[k]);
  }
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    if (!binds_any(stm, &need)) continue;
    varset_add_all(&kept, stm->bound);
    varset_add_all(&need, free_vars_of_exp(v->tbr.free_vars, &stm->exp));
    for (int k = 0; k < stm->bound.len; k++) {
      Type t = var_type(v->w.from, stm->bound.at[k]);
      for (int d = 0; d < t.rank; d++) varset_add_atom(&need, t.dims[d]);
    }
  }
  for (int i = 0; i < body->stms.len; i++)
    if (binds_any(&body->stms.at[i], &kept)) list_push(arena, &out.stms, body->stms.at[i]);
  return out;
}

// The branches for these results alone: those of others may read what is not restored from the undo
// log yet.
static Stm match_part(Vjp *v, const Stm *stm, VarSet *wanted) {
  Arena *arena = vjp_arena(v);
  Stm out = *stm;
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(v->w.from, stm->bound.at[k]);
    for (int d = 0; varset_has(wanted, stm->bound.at[k]) && d < t.rank; d++)
      varset_add_atom(wanted, t.dims[d]);
  }
  out.bound = (Vars){0};
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(wanted, stm->bound.at[k])) list_push(arena, &out.bound, stm->bound.at[k]);
  out.exp.match.cases = (Cases){0};
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    Case c = stm->exp.match.cases.at[i];
    c.body = body_part(v, &c.body, stm->bound, wanted);
    list_push(arena, &out.exp.match.cases, c);
  }
  return out;
}

static void recompute_match(Vjp *v, const Stm *stm, VarSet *moved) {
  VarSet wanted = results_moved(v, stm, moved);
  if (!binds_any(stm, &wanted)) return;
  Stm part = match_part(v, stm, &wanted);
  rewrite_stm(&v->w, &part);
  varset_add_all(moved, part.bound);
}

// ---- the others
// Whether an array result of stm may be a view of a member of `moved`.
static bool is_view_of(Vjp *v, const Stm *stm, const VarSet *moved) {
  if (stm->exp.form == FORM_LOOP && loop_consumes(v->w.from, &stm->exp.loop)) return false;
  bool array = false, views = false;
  for (int k = 0; k < stm->bound.len; k++)
    array = array || var_type(v->w.from, stm->bound.at[k]).rank > 0;
  if (!array) return false;
  Vars vars = free_vars_of_exp(v->tbr.free_vars, &stm->exp);
  for (int i = 0; i < vars.len; i++) views = views || varset_has(moved, vars.at[i]);
  return views;
}

// Whether stm mentions what is overwritten and not restored from the undo log yet: then it is
// recomputed when that is, or never, where nothing keeps that.
static bool reads_overwritten(Vjp *v, const Stm *stm) {
  Vars vars = free_vars_of_exp(v->tbr.free_vars, &stm->exp);
  for (int i = 0; i < vars.len; i++)
    if (varset_has(&v->overwritten, vars.at[i])) return true;
  return false;
}

static void recompute_view(Vjp *v, const Stm *stm, VarSet *moved) {
  if (!is_view_of(v, stm, moved) || reads_overwritten(v, stm)) return;
  rewrite_stm(&v->w, stm);
  varset_add_all(moved, stm->bound);
}

void rollback(Vjp *v, Var x, Atom present) {
  varset_remove(&v->overwritten, x);
  if (present.is_var) varset_add(&v->rolled_back, present.var);
  rewrite_bind(&v->w, x, present);
}

void recompute_views(Vjp *v, Stms before, Atoms rolled_back) {
  VarSet moved = varset_new(vjp_arena(v));
  for (int i = 0; i < rolled_back.len; i++) varset_add_atom(&moved, rolled_back.at[i]);
  for (int i = 0; i < before.len; i++) {
    const Stm *stm = &before.at[i];
    if (!form_shares_memory(stm->exp.form) || !is_emitted(v, stm)) continue;
    if (stm->exp.form == FORM_MATCH) recompute_match(v, stm, &moved);
    else recompute_view(v, stm, &moved);
  }
}

void rollback_var(Vjp *v, Stms before, Var x, Atom present) {
  Atom one = atom_var(x);
  rollback(v, x, present);
  recompute_views(v, before, (Atoms){.at = &one, .len = 1});
}
