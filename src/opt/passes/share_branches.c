// A costly scalar that a branch computes is a result of it where a later branch on the same
// condition computes it again:
//
//   x = match c { A -> a = exp p; .. | B -> .. };  ..;
//   y = match c { A -> a' = exp p; .. | B -> .. }
//     ==>  x, t = match c { A -> a = exp p; ..; a | B -> ..; 0 };  ..
//          y = match c { A -> a' = t; .. | B -> .. }
//
// The reverse sweep of a branch computes the forward values of the branch again; what stands
// between needs the first branch and is needed for the second, so they cannot become one.
#include "opt/common/local.h"

enum { WINDOW = 400 };  // statements between two branches

typedef struct {
  Prog *prog;
  Arena *scratch;
  AlphaHash *hashes;
  bool changed;
} Share;

// A statement of the first branch, by the hash of its expression.
typedef struct Twin {
  const Stm *stm;
  struct Twin *next;
} Twin;

static bool may_share(const Prog *prog, const Stm *stm) {
  switch (stm->exp.form) {
  case FORM_PRIM: case FORM_CONV: case FORM_INDEX: case FORM_MATCH: case FORM_LOOP:
  case FORM_REDUCE: case FORM_SCREMA:
    return stm->bound.len == 1 && stm_binds_scalars(prog, stm) && !stm->attrs.opaque &&
           !exp_has_effect(&stm->exp);
  case FORM_ATOM: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE:
  case FORM_COPY: case FORM_SCRATCH: case FORM_FLATINDEX: case FORM_UPDATE: case FORM_FLATUPDATE:
  case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
  case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_MAP: case FORM_SCAN: case FORM_HIST: case FORM_SCATTER:
  case FORM_WITHACC: case FORM_UPDATEACC: case FORM_APPLY: case FORM_ASSERT: case FORM_JVP:
  case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT:
    return false;
  }
  return false;
}

static bool is_costly_exp(const Exp *exp) {
  if (exp->form == FORM_PRIM) return op_info[exp->prim.op].cost >= COST_DIVISION;
  return exp->form == FORM_LOOP || exp->form == FORM_REDUCE || exp->form == FORM_SCREMA ||
         exp_has(exp, is_costly_exp);
}

static Map *twins_of(Share *s, const Body *body) {
  Map *twins = map_new(s->scratch);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!may_share(s->prog, stm)) continue;
    uint64_t hash = alpha_hash(s->hashes, &stm->exp);
    Twin twin = {stm, map_get(twins, hash)};
    map_put(twins, hash, arena_copy(s->scratch, &twin, sizeof twin));
  }
  return twins;
}

static const Stm *twin_find(Share *s, Map *twins, const Exp *exp) {
  for (Twin *t = map_get(twins, alpha_hash(s->hashes, exp)); t; t = t->next)
    if (alpha_same(s->prog, s->scratch, &t->stm->exp, exp)) return t->stm;
  return NULL;
}

// The variable outside the first branch that has the value in case i, or NULL.
static const Var *result_with(const Stm *first, int i, Var value) {
  for (int k = 0; k < first->bound.len; k++)
    if (atom_is_var(first->exp.match.cases.at[i].body.results.at[k], value))
      return &first->bound.at[k];
  return NULL;
}

// The same, made where there is none.
static Var result_made(Share *s, Stm *first, int i, Var value) {
  const Var *known = result_with(first, i, value);
  if (known) return *known;
  struct match_form *m = &first->exp.match;
  Type type = var_type(s->prog, value);
  Var out = var_new(s->prog, "shared", type);
  list_push(s->prog->arena, &first->bound, out);
  Builder none = builder_new(s->prog, NULL);
  for (int k = 0; k < m->cases.len; k++)
    list_push(s->prog->arena, &m->cases.at[k].body.results,
              k == i ? atom_var(value) : build_zero(&none, type));
  return out;
}

// The statement of case i of the second branch is one of the first.
static void share_stm(Share *s, Stm *first, int i, Stm *stm, Var value) {
  if (!is_costly_exp(&stm->exp) && !result_with(first, i, value)) return;
  Atom out = atom_var(result_made(s, first, i, value));
  stm->exp = (Exp){.form = FORM_ATOM, .atom = {out}};
  s->changed = true;
}

// Statements of case i of the second branch that the first has, too.
static void share_case(Share *s, Stm *first, Stm *second, int i) {
  Map *twins = twins_of(s, &first->exp.match.cases.at[i].body);
  Stms *stms = &second->exp.match.cases.at[i].body.stms, unused = {0};
  Rewrite names = rewrite_new(s->prog, builder_new(s->prog, &unused));
  for (int k = 0; k < stms->len; k++) {
    Stm *stm = &stms->at[k];
    if (!may_share(s->prog, stm)) continue;
    Exp exp = rewrite_exp(&names, &stm->exp);
    const Stm *twin = twin_find(s, twins, &exp);
    if (!twin) continue;
    rewrite_bind(&names, stm->bound.at[0], atom_var(twin->bound.at[0]));
    share_stm(s, first, i, stm, twin->bound.at[0]);
  }
}

static bool is_branch(const Stm *stm) { return stm->exp.form == FORM_MATCH && stm->bound.len > 0; }

static void share_after(Share *s, Body *body, int from) {
  Stm *first = &body->stms.at[from];
  for (int k = from + 1; k < body->stms.len && k - from <= WINDOW; k++) {
    Stm *second = &body->stms.at[k];
    if (!is_branch(second) || !match_same_question(first, second)) continue;
    for (int i = 0; i < first->exp.match.cases.len; i++) share_case(s, first, second, i);
  }
}

static void share_body(Share *s, Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Exp *exp = &body->stms.at[i].exp;
    if (is_branch(&body->stms.at[i])) share_after(s, body, i);
    if (!exp_has_parts(exp)) continue;
    Parts parts = exp_parts(s->scratch, exp);
    for (int k = 0; k < parts.len; k++) share_body(s, parts.at[k].body);
  }
}

// needs: simplified, equal conditions have one name (cse); no jvp or vjp.  leaves: names for
// simplify.  cost: linear times the branches on one condition.
Prog *pass_share_branches(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Share s = {.prog = out, .scratch = scratch, .hashes = alpha_hash_new(out, scratch)};
  for (int i = 0; i < out->fns.len; i++) share_body(&s, &out->fns.at[i]->body);
  arena_free(scratch);
  out->at_fixpoint = prog->at_fixpoint && !s.changed;
  return out;
}
