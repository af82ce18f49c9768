// A sum of products by derivatives is split where its terms depend on the iteration around in
// different ways.
//
//   map n (\i -> .. screma m (\j -> (select (c i j, v, 0) - d) *. a j) <add> ..)
//     is   map n (\i -> .. screma m (\j -> select (c i j, v, 0) *. a j) <add>
//                          - d *. screma m a <add> ..)
//
// The terms are choices by an equation of an index of the iteration with one of the sum, which are
// then one case or a key (single_case.c, key_sum.c); scalars d of the iteration whose factors are
// the same in all iterations, so that they are summed once (hoist); and those that are the same in
// all iterations.
#include "factored.h"

enum { MOST = 400 };  // steps of a search

typedef struct {
  Sum *s;
  Map *defs;   // of the sum's lambda: variable -> const Stm *
  Map *inner;  // its variables
  Vars choices, scalars;
  int steps;
} Terms;

static bool is_zero(Atom a) { return !a.is_var && atom_is(a, 0); }

static const struct prim_form *prim_of(const Terms *t, Atom a) {
  const Stm *def = a.is_var ? map_get(t->defs, a.var.id) : NULL;
  return def && def->exp.form == FORM_PRIM ? &def->exp.prim : NULL;
}

// ---- the terms
static bool is_inner(const Terms *t, Atom a) { return a.is_var && map_get(t->inner, a.var.id); }

static bool is_outer(const Terms *t, Atom a) { return !is_inner(t, a) && sum_differs(t->s, a); }

// Whether it holds for few pairs of an iteration and an element.
static bool is_equation(const Terms *t, Atom cond) {
  const struct prim_form *p = prim_of(t, cond);
  if (!p) return false;
  Atom x = p->args.at[0], y = p->args.len > 1 ? p->args.at[1] : x;
  if (p->op == OP_AND) return is_equation(t, x) || is_equation(t, y);
  return p->op == OP_EQ && p->prim == PRIM_I64 &&
         ((is_outer(t, x) && is_inner(t, y)) || (is_inner(t, x) && is_outer(t, y)));
}

static void add(const Terms *t, Vars *to, Var v) {
  if (!vars_have(*to, v)) list_push(t->s->e->scratch, to, v);
}

static void find_terms(Terms *t, Atom a);

static void find_factor(Terms *t, const Stm *product) {
  for (int side = 0; side < 2; side++)
    if (product->attrs.linear & (1 << side)) find_terms(t, product->exp.prim.args.at[side]);
}

// Goes as far as linear_walk.
static void find_terms(Terms *t, Atom a) {
  if (!a.is_var || t->steps++ > MOST) return;
  Type type = atom_type(t->s->e->prog, a);
  if (is_outer(t, a) && !type.rank && prim_is_float(type.prim)) add(t, &t->scalars, a.var);
  const struct prim_form *p = prim_of(t, a);
  if (!p || !sum_differs(t->s, a)) return;
  switch ((int)p->op) {
  case OP_ADD: case OP_SUB: find_terms(t, p->args.at[0]), find_terms(t, p->args.at[1]); return;
  case OP_NEG: find_terms(t, p->args.at[0]); return;
  case OP_GUARD: find_terms(t, p->args.at[2]); return;
  case OP_MUL: find_factor(t, map_get(t->defs, a.var.id)); return;
  case OP_SELECT:
    if (is_zero(p->args.at[2]) && is_equation(t, p->args.at[0])) {
      add(t, &t->choices, a.var);
      return;
    }
    find_terms(t, p->args.at[1]), find_terms(t, p->args.at[2]);
  }
}

static bool may_copy(const Sum *s, Atom element) {
  const Map *needed = sum_needed(s, element);
  for (int i = 0; i < s->x->fn->body.stms.len; i++) {
    const Stm *stm = &s->x->fn->body.stms.at[i];
    if (vars_marked(needed, stm->bound) && (stm->attrs.opaque || exp_has_effect(&stm->exp)))
      return false;
  }
  return !sum_differs(s, s->x->width);
}

static bool is_linear(Sum *s, Atom element, Vars leaves) {
  linear_begin(&s->l, s->e, &s->x->fn->body, leaves);
  return linear_tainted(&s->l, element) && linear_walk(&s->l, element);
}

static bool has_terms(Terms *t, Atom element) {
  Sum *s = t->s;
  Env *e = s->e;
  linear_begin(&s->l, e, &s->x->fn->body, (Vars){0});
  t->defs = s->l.defs, t->inner = map_new(e->scratch);
  vars_mark_bound(t->inner, s->x->fn);
  find_terms(t, element);
  Vars leaves = {0};
  for (int k = 0; k < t->choices.len; k++) list_push(e->scratch, &leaves, t->choices.at[k]);
  for (int k = 0; k < t->scalars.len; k++) list_push(e->scratch, &leaves, t->scalars.at[k]);
  if (!is_linear(s, element, leaves) || !may_copy(s, element)) return false;
  return t->scalars.len || t->choices.len + (s->l.terms.len > 0) > 1;
}

// ---- the sums
// Whether the lambda is the same function in all iterations around.
static bool is_invariant(const Sum *s, const Lambda *fn) {
  Vars free = lambda_free(s->e->prog, s->e->scratch, fn);
  for (int k = 0; k < free.len; k++)
    if (sum_differs(s, atom_var(free.at[k]))) return false;
  Map *read = map_new(s->e->scratch);
  for (int i = 0; i < fn->body.stms.len; i++)
    vars_mark(read, exp_free(s->e->prog, s->e->scratch, &fn->body.stms.at[i].exp));
  for (int k = 0; k < fn->params.len; k++) {
    bool reads = map_get(read, fn->params.at[k].id) ||
                 atom_is_var(fn->body.results.at[0], fn->params.at[k]);
    if (reads && sum_differs(s, s->x->inputs.at[k])) return false;
  }
  return true;
}

static Atom sum_of(const Sum *s, Builder *b, Lambda *fn) {
  Atoms inputs = atoms_concat(s->e->arena, s->x->inputs, (Atoms){0});
  return build(b, "sum", fn->rets.at[0], sum_exp(s->e, s->x->width, inputs, fn));
}

static Atom plus(Builder *b, Atom sum, Atom x) {
  return sum.is_var ? build_op(b, OP_ADD, sum, x) : x;
}

// False: a sum that is to be the same in all iterations is not.
static bool emit_terms(const Terms *t, Builder *b) {
  const Sum *s = t->s;
  Atom sum = {0};
  for (int k = 0; k < t->choices.len; k++)
    sum = plus(b, sum, sum_of(s, b, sum_part(s, (SumPart){-1 - k, 1, true})));
  for (int k = 0; k < t->scalars.len; k++) {
    Lambda *fn = sum_part(s, (SumPart){-1 - t->choices.len - k, 1, false});
    if (!is_invariant(s, fn)) return false;
    sum = plus(b, sum, linear_times(b, s->l.guarded, atom_var(t->scalars.at[k]), sum_of(s, b, fn)));
  }
  if (!s->l.terms.len) return true;
  Lambda *rest = sum_part(s, (SumPart){0, s->l.terms.len, false});
  plus(b, sum, sum_of(s, b, rest));
  return is_invariant(s, rest);
}

static bool split_sum(Sum *s, Body *body, int at, int red) {
  Env *e = s->e;
  Terms t = {.s = s};
  Stms left = {0};
  Builder b = builder_new(e->prog, &left);
  b.loc = body->stms.at[at].loc;
  if (!has_terms(&t, s->x->fn->body.results.at[0]) || !emit_terms(&t, &b)) return false;
  if (!prog_may(e->prog, SWITCH_FACTORED_SUMS)) return false;
  sum_replace(s, left, body, at, red);
  return true;
}

static bool split_stm(Env *e, const Map *local, Body *body, int at) {
  Stm *stm = &body->stms.at[at];
  Sum s = {.e = e, .outside = local, .x = &stm->exp.screma};
  if (stm->exp.form != FORM_SCREMA || stm->attrs.opaque || s.x->scans.len) return false;
  sum_taint(&s);
  struct screma_form *all = s.x;
  for (int red = 0; red < all->reds.len && all->reds.at[red].neutral.len == 1; red++) {
    struct screma_form one = *all;
    if (!sum_is(e, all, red)) continue;
    one.fn = onehot_cut(e, all->fn, red, 1);
    s.x = &one;
    if (split_sum(&s, body, at, red)) return true;
  }
  return false;
}

void onehot_split_sums(Env *e, Atom width, Lambda *fn) {
  if (onehot_is_few(width)) return;
  Map *local = map_new(e->scratch);
  vars_mark_bound(local, fn);
  for (int k = 0; k < fn->body.stms.len; k++)
    if (split_stm(e, local, &fn->body, k)) return;
}
