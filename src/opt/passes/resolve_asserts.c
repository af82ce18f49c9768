// Assertions whose value nothing uses.  Elaboration leaves tests, guards, uses and tokens
// (elab/assert.c).  A test stays if one of its guards or uses does, that is, if a value that was
// given under it is needed for a result or for what else may fail or print; sizes of arrays are no
// part of their value.  Guards become what they guard, tokens go: the interpreter and compiled
// code see the same program from here on.
#include "opt/common/local.h"

typedef struct {
  Prog *prog;
  Arena *arena;
  const bool *live;
  Atom *subst;     // by variable
  bool *has_subst;
  Map *kept;       // places of tests that stay
  Locs removed;       // of the others
} AssertCheck;

static Atom resolved(void *state, Atom a) {
  const AssertCheck *j = state;
  return a.is_var && j->has_subst[a.var.id] ? j->subst[a.var.id] : a;
}

static void resolve_type(AssertCheck *j, Type *t) {
  bool same = true;
  for (int i = 0; i < t->rank; i++) same = same && atom_same(t->dims[i], resolved(j, t->dims[i]));
  if (same) return;
  Atom *dims = NEW_ARRAY(j->prog->arena, Atom, t->rank);
  for (int i = 0; i < t->rank; i++) dims[i] = resolved(j, t->dims[i]);
  t->dims = dims;
}

static void resolve_atoms(AssertCheck *j, Atoms *atoms) {
  for (int i = 0; i < atoms->len; i++) atoms->at[i] = resolved(j, atoms->at[i]);
}

// Whether the statement stays.
static bool resolve_test(AssertCheck *j, Stm *stm) {
  struct assert_form *test = &stm->exp.assert;
  for (int k = 0; k < test->args.len && stm->bound.len; k++) {
    j->subst[stm->bound.at[k].id] = test->args.at[k];
    j->has_subst[stm->bound.at[k].id] = true;
  }
  if (!*test->message) return false;
  if (stm->bound.len == 0) return true;
  bool stays = j->live[stm->bound.at[0].id];
  if (stays && stm->loc) map_put(j->kept, KEY(stm->loc->span.src) ^ stm->loc->span.from, stm);
  if (!stays && stm->loc) list_push(j->arena, &j->removed, stm->loc);
  stm->bound = (Vars){0};
  return stays;
}

// A statement that gives only a unit is an effect, or not needed.
static bool resolve_token(AssertCheck *j, Stm *stm) {
  int n = results_without_token(j->prog, stm);
  if (n == stm->bound.len) return true;
  Var token = stm->bound.at[--stm->bound.len];
  return n > 0 || j->live[token.id];
}

static void resolve_body(AssertCheck *j, Body *body);

static void resolve_stms(AssertCheck *j, Stms *stms) {
  int len = 0;
  for (int i = 0; i < stms->len; i++) {
    Stm *stm = &stms->at[i];
    exp_change_atoms(&stm->exp, resolved, j);
    if (stm->exp.form == FORM_ASSERT ? !resolve_test(j, stm) : !resolve_token(j, stm)) continue;
    Parts parts = {0};
    if (exp_has_parts(&stm->exp)) parts = exp_parts(j->arena, &stm->exp);
    for (int k = 0; k < parts.len; k++) {
      resolve_body(j, parts.at[k].body);
      Lambda *fn = parts.at[k].fn;
      for (int r = 0; fn && r < fn->rets.len; r++) resolve_type(j, &fn->rets.at[r]);
    }
    if (len < i) stms->at[len] = *stm;
    len++;
  }
  stms->len = len;
}

static void resolve_body(AssertCheck *j, Body *body) {
  resolve_stms(j, &body->stms);
  resolve_atoms(j, &body->results);
}

static Locs never_tested(AssertCheck *j) {
  Locs never = {0};
  for (int i = 0; i < j->removed.len; i++) {
    const Loc *loc = j->removed.at[i];
    uintptr_t key = KEY(loc->span.src) ^ loc->span.from;
    if (map_get(j->kept, key)) continue;
    map_put(j->kept, key, j);
    list_push(j->arena, &never, loc);
  }
  return never;
}

// needs: a program as elaboration made it.  leaves: verified core at LEVEL_SOAC.  cost: linear.
Locs assertions_resolve(Prog *prog, Arena *arena) {
  AssertCheck j = {
      .prog = prog, .arena = arena, .live = vars_live(prog, arena), .kept = map_new(arena)};
  j.subst = NEW_ARRAY(arena, Atom, prog->vars.len);
  j.has_subst = NEW_ARRAY(arena, bool, prog->vars.len);
  resolve_stms(&j, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++) resolve_body(&j, &prog->fns.at[i]->body);
  for (int i = 1; i < prog->vars.len; i++) resolve_type(&j, &prog->vars.at[i].type);
  negative_sizes_hide(prog);
  prog->pending = false;
  core_verify(prog, "elab");
  return never_tested(&j);
}
