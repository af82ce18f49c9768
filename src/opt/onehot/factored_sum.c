// A sum of sums of which one factor alone differs between the iterations around: the others are
// summed first, once.
//
//   map n (\i -> .. t : [m] .. screma l (\k -> screma m (\j -> t[j] *. a k j) <add> *. b k) <add>)
//     is   w = map m (\j -> screma l (\k -> a k j * b k) <add>)
//          map n (\i -> .. screma m (\j -> t[j] *. w[j]) <add>)
//
// which is l m + n m instead of n l m: the product of the Jacobians of two layers with one row,
// from the left.  Products by derivatives (*.) alone may change their order.  Beside the sum inside
// there may be others, elements of arrays that differ (t[k] *. c k joins w[k]), and terms, which
// become a separate sum.  Where a map in the lambda makes t for this alone, it joins the sum that
// is left, so that the layer before it is next.
#include "factored.h"

bool sum_differs(const Sum *s, Atom a) {
  a = env_atom(s->e, a);
  return a.is_var && map_get(s->tainted, a.var.id);
}

static bool differs(const Sum *s, Atom a) { return sum_differs(s, a); }

static bool any_differs(const Sum *s, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (differs(s, atom_var(vars.at[k]))) return true;
  return false;
}

void sum_taint(Sum *s) {
  s->tainted = map_new(s->e->scratch);
  for (int k = 0; k < map_len(s->outside); k++) map_put(s->tainted, map_key_at(s->outside, k), s);
  for (int k = 0; k < s->x->inputs.len; k++)
    if (differs(s, s->x->inputs.at[k])) map_put(s->tainted, s->x->fn->params.at[k].id, s);
  for (int i = 0; i < s->x->fn->body.stms.len; i++) {
    const Stm *stm = &s->x->fn->body.stms.at[i];
    if (any_differs(s, exp_free(s->e->prog, s->e->scratch, &stm->exp)))
      vars_mark(s->tainted, stm->bound);
  }
}

// ---- is it one
bool sum_is(Env *e, const struct screma_form *x, int red) {
  const Operator *op = &x->reds.at[red];
  Op kind;
  Prim p;
  if (!lambda_is_op(op->op, &kind, &p) || kind != OP_ADD || !prim_is_float(p)) return false;
  for (int k = 0; k < x->inputs.len; k++)
    if (atom_type(e->prog, x->inputs.at[k]).is_acc) return false;
  return !onehot_is_few(x->width);
}

// The factors of the leaf, and the conditions around it, are the same in all
// iterations around.
static bool has_equal_factors(const Sum *s, Atom a) {
  if (!linear_tainted(&s->l, a) || vars_have(s->l.leaves, a.var)) return true;
  const struct prim_form *p = &((const Stm *)map_get(s->l.defs, a.var.id))->exp.prim;
  for (int k = 0; k < p->args.len; k++) {
    Atom x = p->args.at[k];
    const Stm *of = x.is_var ? map_get(s->l.defs, x.var.id) : NULL;
    bool factor = p->op == OP_MUL || ((p->op == OP_SELECT || p->op == OP_GUARD) && k == 0);
    bool guard = p->op == OP_MUL && of && of->exp.form == FORM_PRIM && of->exp.prim.op == OP_GUARD;
    if (guard && linear_tainted(&s->l, x)) x = of->exp.prim.args.at[2];
    if (linear_tainted(&s->l, x) ? !has_equal_factors(s, x) : factor && differs(s, x))
      return false;
  }
  return true;
}

static bool is_linear(Sum *s, Atom element, Vars leaves) {
  linear_begin(&s->l, s->e, &s->x->fn->body, leaves);
  return linear_tainted(&s->l, element) && linear_walk(&s->l, element) &&
         has_equal_factors(s, element);
}

Map *sum_needed(const Sum *s, Atom element) {
  Map *needed = map_new(s->e->scratch);
  if (element.is_var) map_put(needed, element.var.id, needed);
  for (int i = s->x->fn->body.stms.len - 1; i >= 0; i--)
    if (vars_marked(needed, s->x->fn->body.stms.at[i].bound))
      vars_mark(needed, exp_free(s->e->prog, s->e->scratch, &s->x->fn->body.stms.at[i].exp));
  return needed;
}

// Statements that differ stay where they are; a sum inside that does may leave in part.
static bool may_leave(const Sum *s, const Map *needed) {
  for (int i = 0; i < s->x->fn->body.stms.len; i++) {
    const Stm *stm = &s->x->fn->body.stms.at[i];
    if (!vars_marked(needed, stm->bound)) continue;
    if (stm->attrs.opaque || exp_has_effect(&stm->exp)) return false;
    bool stays = vars_marked(s->tainted, stm->bound) && stm->exp.form != FORM_SCREMA;
    if (!stays && !exp_is_total(s->e->prog, stm)) return false;
  }
  return true;
}

// ---- the shares
typedef struct {
  Sum *s;
  const Map *needed;  // by the element
  Shares shares;
  Vars leaves;
} Finder;

// The inputs of the sum inside that differ, from the body of the iterations around; false: one of
// them comes from elsewhere.
static bool find_leaves(const Sum *s, const Sum *inner, Vars *leaves, Atoms *arrays) {
  Map *mine = map_new(s->e->scratch);
  vars_mark_bound(mine, s->x->fn);
  Atom width = env_atom(s->e, inner->x->width);
  if (width.is_var && (map_get(mine, width.var.id) || differs(s, width))) return false;
  for (int k = 0; k < inner->x->inputs.len; k++) {
    Atom input = env_atom(s->e, inner->x->inputs.at[k]);
    if (!differs(s, input)) continue;
    if (map_get(mine, input.var.id)) return false;
    list_push(s->e->scratch, leaves, inner->x->fn->params.at[k]);
    list_push(s->e->scratch, arrays, input);
  }
  return leaves->len > 0;
}

static void inner_add(Finder *f, const struct screma_form *x, int red, Var result) {
  Env *e = f->s->e;
  if (!map_get(f->needed, result.id) || !map_get(f->s->tainted, result.id)) return;
  struct screma_form *one = arena_copy(e->arena, x, sizeof *x);
  one->fn = onehot_cut(e, x->fn, red, 1);
  Sum *inner = NEW(e->arena, Sum);
  *inner = (Sum){.e = e, .outside = f->s->tainted, .x = one};
  sum_taint(inner);
  Vars leaves = {0};
  Atoms arrays = {0};
  if (!sum_is(e, x, red) || !find_leaves(f->s, inner, &leaves, &arrays)) return;
  if (!is_linear(inner, one->fn->body.results.at[0], leaves) || inner->l.terms.len) return;
  for (int q = 0; q < leaves.len; q++)
    list_push(e->arena, &f->shares,
              (Share){.leaf = f->leaves.len, .q = q, .inner = inner, .array = arrays.at[q],
                      .width = env_atom(e, x->width)});
  list_push(e->scratch, &f->leaves, result);
}

static void find_inner(Finder *f) {
  const Stms *stms = &f->s->x->fn->body.stms;
  for (int i = 0; i < stms->len; i++) {
    const struct screma_form *y = &stms->at[i].exp.screma;
    if (stms->at[i].exp.form != FORM_SCREMA || y->scans.len) continue;
    for (int red = 0; red < y->reds.len && y->reds.at[red].neutral.len == 1; red++)
      inner_add(f, y, red, stms->at[i].bound.at[red]);
  }
}

static void find_own(Finder *f) {
  const struct screma_form *x = f->s->x;
  for (int k = 0; k < x->inputs.len; k++) {
    Var p = x->fn->params.at[k];
    Type t = var_type(f->s->e->prog, p);
    if (!differs(f->s, x->inputs.at[k]) || t.rank || !prim_is_float(t.prim)) continue;
    if (!map_get(f->needed, p.id)) continue;
    list_push(f->s->e->arena, &f->shares,
              (Share){.leaf = f->leaves.len, .array = env_atom(f->s->e, x->inputs.at[k]),
                      .width = env_atom(f->s->e, x->width)});
    list_push(f->s->e->scratch, &f->leaves, p);
  }
}

static bool any_equal_input(const Sum *s) {
  for (int k = 0; k < s->x->inputs.len; k++)
    if (!differs(s, s->x->inputs.at[k])) return true;
  return false;
}

// Elements of arrays that differ are terms where the element is not linear in them.
static bool factors(Sum *s, Atom element, Shares *out) {
  Finder f = {.s = s, .needed = sum_needed(s, element)};
  if (differs(s, s->x->width) || !any_equal_input(s) || !may_leave(s, f.needed)) return false;
  find_inner(&f);
  Finder own = f;
  if (!f.leaves.len) return false;
  find_own(&own);
  if (is_linear(s, element, own.leaves)) *out = own.shares;
  else if (is_linear(s, element, f.leaves)) *out = f.shares;
  else return false;
  return prog_may(s->e->prog, SWITCH_FACTORED_SUMS);
}

// ---- the sum that is left
void sum_replace(const Sum *s, Stms left, Body *body, int at, int red) {
  Env *e = s->e;
  Stms out = {0};
  left.at[left.len - 1].bound.at[0] = body->stms.at[at].bound.at[red];
  env_use_body(e, &(Body){.stms = left});
  for (int i = 0; i < body->stms.len; i++) {
    if (i == at) {
      onehot_drop_operator(&body->stms.at[i], red, red, red);
      for (int k = 0; k < left.len; k++) list_push(e->arena, &out, left.at[k]);
      if (!body->stms.at[i].bound.len) continue;
    }
    list_push(e->arena, &out, body->stms.at[i]);
  }
  body->stms = out;
  e->changed = true;
}

static void replace(const Sum *s, const Shares *shares, Body *body, int at, int red) {
  Stms left = {0};
  Builder b = builder_new(s->e->prog, &left);
  b.loc = body->stms.at[at].loc;
  factored_emit(&b, s, shares, body, &body->stms.at[at]);
  sum_replace(s, left, body, at, red);
}

static bool factor_stm(Env *e, const Map *local, Body *body, int at) {
  Stm *stm = &body->stms.at[at];
  Sum s = {.e = e, .outside = local, .x = &stm->exp.screma};
  if (stm->exp.form != FORM_SCREMA || stm->attrs.opaque || s.x->scans.len) return false;
  sum_taint(&s);
  for (int red = 0; red < s.x->reds.len; red++) {
    if (s.x->reds.at[red].neutral.len != 1) return false;
    if (!sum_is(e, s.x, red)) continue;
    struct screma_form one = *s.x;
    Shares shares = {0};
    one.fn = onehot_cut(e, s.x->fn, red, 1);
    s.x = &one;
    if (factors(&s, one.fn->body.results.at[0], &shares)) {
      replace(&s, &shares, body, at, red);
      return true;
    }
    s.x = &stm->exp.screma;
  }
  return false;
}

void onehot_factored_sums(Env *e, Atom width, Lambda *fn) {
  if (onehot_is_few(width)) return;
  Map *local = map_new(e->scratch);
  vars_mark_bound(local, fn);
  for (int k = 0; k < fn->body.stms.len; k++)
    if (factor_stm(e, local, &fn->body, k)) return;
}
