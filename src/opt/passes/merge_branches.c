// Branches on one condition become one branch:
//
//   x = match c { A -> a | B -> b };  ..;  y = match c { A -> a' | B -> b' }
//     ==>  x, y = match c { A -> a; a'[x] | B -> b; b'[x] }
//
// Computations of both are then common, and shared.  Derivatives ask the same question again and
// again. Only scalars and accumulators come out of them, so that no array lives longer; what uses
// the first and is not needed for the second stands after both.
#include "opt/common/local.h"

enum { WINDOW = 400 };  // statements between two branches

typedef struct {
  Prog *prog;
  Arena *scratch;
  DepsTable first, between;  // marked: a branch and all that depends on it; the latter alone
  bool changed;
} Branches;

typedef LIST(Deps *) DepsList;  // of a body's statements, as far as they were asked for

// All but that it has no effect: to see that takes a walk over what is nested in it.
static bool is_candidate(const Prog *prog, const Stm *stm) {
  if (stm->exp.form != FORM_MATCH || stm->bound.len == 0) return false;
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(prog, stm->bound.at[i]);
    if (!t.is_acc && t.rank > 0) return false;
  }
  return true;
}

bool match_same_question(const Stm *a, const Stm *b) {
  const struct match_form *m = &a->exp.match, *n = &b->exp.match;
  if (m->args.len != n->args.len || m->cases.len != n->cases.len) return false;
  for (int i = 0; i < m->args.len; i++)
    if (!atom_same(m->args.at[i], n->args.at[i])) return false;
  for (int i = 0; i < m->cases.len; i++) {
    if (m->cases.at[i].pats.len != n->cases.at[i].pats.len) return false;
    for (int k = 0; k < m->cases.at[i].pats.len; k++) {
      CasePat p = m->cases.at[i].pats.at[k], q = n->cases.at[i].pats.at[k];
      if (p.any != q.any || (!p.any && !scalar_same(p.lit, q.lit))) return false;
    }
  }
  return true;
}

// The statements of case i of both, the second's with the first's results in place.
static Body case_merge(Branches *b, const Stm *x, const Stm *y, int i) {
  const Body *one = &x->exp.match.cases.at[i].body, *two = &y->exp.match.cases.at[i].body;
  Body out = {0};
  for (int k = 0; k < one->stms.len; k++) list_push(b->prog->arena, &out.stms, one->stms.at[k]);
  Rewrite w = rewrite_new(b->prog, builder_new(b->prog, &out.stms));
  for (int k = 0; k < x->bound.len; k++) rewrite_bind(&w, x->bound.at[k], one->results.at[k]);
  rewrite_stms(&w, two->stms);
  out.results = atoms_concat(b->prog->arena, one->results, rewrite_atoms(&w, two->results));
  return out;
}

// An accumulator that the second goes on with is none of the results.
static void drop_taken(Branches *b, Stm *stm, int n, const Stm *second) {
  Vars used = exp_free(b->prog, b->scratch, &second->exp);
  for (int k = n - 1; k >= 0; k--) {
    if (!var_type(b->prog, stm->bound.at[k]).is_acc) continue;
    bool taken = false;
    for (int i = 0; i < used.len; i++) taken = taken || used.at[i].id == stm->bound.at[k].id;
    if (!taken) continue;
    for (int i = 0; i < stm->exp.match.cases.len; i++)
      atoms_drop(&stm->exp.match.cases.at[i].body.results, k);
    vars_drop(&stm->bound, k);
  }
}

static Stm stm_merge(Branches *b, const Stm *x, const Stm *y) {
  Stm out = *x;
  out.bound = (Vars){0};
  for (int k = 0; k < x->bound.len; k++) list_push(b->prog->arena, &out.bound, x->bound.at[k]);
  for (int k = 0; k < y->bound.len; k++) list_push(b->prog->arena, &out.bound, y->bound.at[k]);
  out.exp.match.cases = (Cases){0};
  for (int i = 0; i < x->exp.match.cases.len; i++) {
    Case c = x->exp.match.cases.at[i];
    c.body = case_merge(b, x, y, i);
    list_push(b->prog->arena, &out.exp.match.cases, c);
  }
  drop_taken(b, &out, x->bound.len, y);
  return out;
}

static void body_push(Branches *b, Body *body, DepsList *known, Stm stm, Deps *deps) {
  list_push(b->prog->arena, &body->stms, stm);
  list_push(b->scratch, known, deps);
}

// The statements [from, to]: those before it that do not read the first branch, the branch, the
// others.
static void body_merge(Branches *b, Body *body, DepsList *known, int from, int to,
                       const bool *after) {
  Stms in = body->stms;
  DepsList deps = *known;
  body->stms = (Stms){0};
  *known = (DepsList){0};
  list_reserve(b->prog->arena, &body->stms, in.len);
  list_reserve(b->scratch, known, in.len);
  for (int k = 0; k < to; k++)
    if (k < from || (k > from && !after[k - from])) body_push(b, body, known, in.at[k], deps.at[k]);
  body_push(b, body, known, stm_merge(b, &in.at[from], &in.at[to]), NULL);
  for (int k = from + 1; k < in.len; k++)
    if (k > to || (k < to && after[k - from])) body_push(b, body, known, in.at[k], deps.at[k]);
  b->changed = true;
}

static Deps *deps_at(Branches *b, const Body *body, DepsList *deps, int k) {
  if (!deps->at[k]) deps->at[k] = deps_of(&b->first, &body->stms.at[k]);
  return deps->at[k];
}

// The next branch that can join the one at `from`, found and joined.
static bool merge_next(Branches *b, Body *body, DepsList *known, int from) {
  bool after[WINDOW + 1] = {false};
  const Stm *first = &body->stms.at[from];
  deps_mark_clear(&b->first);
  deps_mark_clear(&b->between);
  deps_mark(&b->first, first, deps_at(b, body, known, from));
  for (int k = from + 1; k < body->stms.len && k - from <= WINDOW; k++) {
    const Stm *stm = &body->stms.at[k];
    Deps *deps = deps_at(b, body, known, k);
    if (is_candidate(b->prog, stm) && match_same_question(first, stm) &&
        !deps_on_marked(&b->between, deps) && !exp_has_effect(&stm->exp)) {
      body_merge(b, body, known, from, k, after);
      return true;
    }
    after[k - from] = deps_on_marked(&b->first, deps);
    if (!after[k - from]) continue;
    deps_mark(&b->first, stm, deps);
    deps_mark(&b->between, stm, deps);
  }
  return false;
}

static bool has_twin(const Branches *b, const Body *body, int from) {
  for (int k = from + 1; k < body->stms.len && k - from <= WINDOW; k++)
    if (is_candidate(b->prog, &body->stms.at[k]) &&
        match_same_question(&body->stms.at[from], &body->stms.at[k]))
      return true;
  return false;
}

// From the outside in: what became one branch may hold others.
static void branches_body(Branches *b, Body *body) {
  DepsList deps = {0};
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!is_candidate(b->prog, stm) || !has_twin(b, body, i) || exp_has_effect(&stm->exp)) continue;
    while (deps.len < body->stms.len) list_push(b->scratch, &deps, NULL);
    if (merge_next(b, body, &deps, i)) i--;
  }
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(b->scratch, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) branches_body(b, parts.at[k].body);
  }
}

static bool branches_round(Prog *prog) {
  Arena *scratch = arena_new();
  AliasClasses classes = alias_classes_compute(scratch, prog);
  Branches b = {.prog = prog, .scratch = scratch};
  b.first = deps_table(prog, scratch, &classes);
  b.between = deps_table(prog, scratch, &classes);
  for (int i = 0; i < prog->fns.len; i++) branches_body(&b, &prog->fns.at[i]->body);
  arena_free(scratch);
  return b.changed;
}

// needs: any program; after simplify and cse equal conditions have one name.  leaves: no two
// branches on one condition in one body that could be one; nested ones, where cse follows and the
// pass runs again.
// cost: linear times the branches that join; each looks at the next statements (WINDOW).
Prog *pass_merge_branches(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  out->changed = branches_round(out);
  out->at_fixpoint = prog->at_fixpoint && !out->changed;
  return out;
}
