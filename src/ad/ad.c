// The pass: finds the innermost operators and puts the derivative code in their place.
#include "local.h"

typedef struct {
  Rewrite w;  // first
  int depth;  // operators around the statement
  bool strict;
} Ad;

// ---- questions
typedef struct {
  bool with_vjp, found;
} Search;

static void search_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Search *s = state;
  for (int i = 0; i < body->stms.len && !s->found; i++)
    s->found = exp_has_ad(&body->stms.at[i].exp, s->with_vjp);
}

static bool exp_has_ad_inside(const Exp *exp, bool with_vjp) {
  Search s = {.with_vjp = with_vjp};
  exp_each_body(exp, search_body, &s);
  return s.found;
}

bool exp_has_ad(const Exp *exp, bool with_vjp) {
  if (exp->form == FORM_JVP || exp->form == FORM_VJP) return true;
  if (exp->form == FORM_WITHVJP && with_vjp) return true;
  return exp_has_ad_inside(exp, with_vjp);
}

bool ad_is_left(const Prog *prog) {
  Search s = {.with_vjp = true};
  Body constants = {.stms = prog->constants};
  search_body(&s, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) search_body(&s, &prog->fns.at[i]->body, NULL);
  return s.found;
}

// ---- results
// Whether the variable was bound, since statement `from`, by a form that makes a new array.
static bool is_fresh(const Builder *b, int from, Var x) {
  for (int i = b->stms->len - 1; i >= from; i--) {
    const Stm *stm = &b->stms->at[i];
    for (int k = 0; k < stm->bound.len; k++) {
      if (stm->bound.at[k].id != x.id) continue;
      Form f = stm->exp.form;
      return f == FORM_MAP || f == FORM_COPY || f == FORM_REPLICATE || f == FORM_WITHACC ||
             f == FORM_SCAN || f == FORM_CONCAT || f == FORM_LITERAL || f == FORM_ROTATE;
    }
  }
  return false;
}

// The operator's results are new arrays, each its own.
static void bind_results(Ad *a, const Stm *stm, int from, Atoms out) {
  Builder *b = &a->w.to;
  VarSet seen = varset_new(b->prog->arena);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom y = out.at[k];
    bool shared = y.is_var && (!varset_add(&seen, y.var) || !is_fresh(b, from, y.var));
    if (shared) y = build_copy(b, y);
    rewrite_bind(&a->w, stm->bound.at[k], y);
  }
}

static void inline_withvjp(Ad *a, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  int from = a->w.to.stms->len;
  for (int k = 0; k < e->args.len; k++)
    rewrite_bind(&a->w, e->fn->params.at[k], rewrite_atom(&a->w, e->args.at[k]));
  rewrite_stms(&a->w, e->fn->body.stms);
  bind_results(a, stm, from, rewrite_atoms(&a->w, e->fn->body.results));
}

static void ad_stm(Rewrite *w, const Stm *stm) {
  Ad *a = (Ad *)w;
  const Exp *e = &stm->exp;
  bool derivative = e->form == FORM_JVP || e->form == FORM_VJP;
  if (e->form == FORM_WITHVJP && a->depth == 0) {
    inline_withvjp(a, stm);
    return;
  }
  if (!derivative) {
    rewrite_stm(w, stm);
    return;
  }
  if (exp_has_ad_inside(e, false)) {
    a->depth++;
    rewrite_stm(w, stm);
    a->depth--;
    return;
  }
  a->depth++;
  Exp exp = rewrite_exp(w, e);
  a->depth--;
  int from = w->to.stms->len;
  Atoms out = e->form == FORM_JVP ? ad_jvp(&w->to, &exp.jvp, stm->loc, a->strict)
                                  : ad_vjp(&w->to, &exp.vjp, stm->loc, a->strict);
  bind_results(a, stm, from, out);
}

// needs   functions under operators inlined, screma unfused
// leaves  one level of operators fewer
Prog *pass_ad(const Prog *prog, Arena *arena) {
  Ad a = {.w = {.stm = ad_stm}};
  return rewrite_prog(prog, arena, &a.w);
}

Prog *pass_ad_strict(const Prog *prog, Arena *arena) {
  Ad a = {.w = {.stm = ad_stm}, .strict = true};
  return rewrite_prog(prog, arena, &a.w);
}

// What stopped gradients is only a name now.
static void done_stm(Rewrite *w, const Stm *stm) {
  if (stm->exp.form == FORM_STOPGRADIENT)
    rewrite_bind(w, stm->bound.at[0], rewrite_atom(w, stm->exp.stopgradient.arg));
  else
    rewrite_stm(w, stm);
}

// needs   ad_is_left does not hold
Prog *pass_ad_done(const Prog *prog, Arena *arena) {
  check(!ad_is_left(prog));
  Rewrite w = {.stm = done_stm};
  Prog *out = rewrite_prog(prog, arena, &w);
  out->level = LEVEL_AD_FREE;
  return out;
}
