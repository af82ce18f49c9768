// A sum of sums of which one factor alone differs between the iterations around: the others are
// summed first, once.
//
//   map n (\i -> .. t : [m] .. screma l (\k -> screma m (\j -> t[j] *. a k j) <add> *. b k) <add>)
//     is   w = map m (\j -> screma l (\k -> a k j * b k) <add>)
//          map n (\i -> .. screma m (\j -> t[j] *. w[j]) <add>)
//
// which is l m + n m instead of n l m: the product of the Jacobians of two layers with one row,
// from the left.  Products by derivatives (*.) alone may change their order.  Where a map in the
// lambda makes t for this alone, it joins the sum, so that the layer before it is next.
#include "onehot.h"

typedef struct {
  Env *e;
  const Map *outside;  // what differs between the iterations around
  Map *tainted;        // the same in the lambda, with what depends on it
  struct screma_form *x;
  Linear l;            // its element, or that of the sum inside
} Sum;

static bool differs(const Sum *s, Atom a) {
  a = env_atom(s->e, a);
  return a.is_var && map_get(s->tainted, a.var.id);
}

static bool any_differs(const Sum *s, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (differs(s, atom_var(vars.at[k]))) return true;
  return false;
}

static void taint(Sum *s) {
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
static bool is_sum(Env *e, const struct screma_form *x, int red) {
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
  return linear_tainted(&s->l, element) && linear_walk(&s->l, element) && !s->l.terms.len &&
         has_equal_factors(s, element);
}

static bool is_total(const Sum *s, Atom element) {
  Map *needed = map_new(s->e->scratch);
  if (element.is_var) map_put(needed, element.var.id, needed);
  for (int i = s->x->fn->body.stms.len - 1; i >= 0; i--) {
    const Stm *stm = &s->x->fn->body.stms.at[i];
    if (!vars_marked(needed, stm->bound)) continue;
    if (stm->attrs.opaque || exp_has_effect(&stm->exp) || !exp_is_total(s->e->prog, stm))
      return false;
    vars_mark(needed, exp_free(s->e->prog, s->e->scratch, &stm->exp));
  }
  return true;
}

// The sum inside: a statement of the element's lambda that gives one number.
static Stm *sum_inside(Sum *s) {
  for (int i = 0; i < s->x->fn->body.stms.len; i++) {
    Stm *stm = &s->x->fn->body.stms.at[i];
    struct screma_form *y = &stm->exp.screma;
    if (stm->exp.form == FORM_SCREMA && stm->bound.len == 1 && !y->scans.len &&
        y->reds.len == 1 && vars_marked(s->tainted, stm->bound) && is_sum(s->e, y, 0))
      return stm;
  }
  return NULL;
}

// Its inputs from the body of the iterations around; false: another differs between these.
static bool find_leaves(const Sum *s, const Sum *inner, Vars *leaves) {
  Map *mine = map_new(s->e->scratch);
  vars_mark_bound(mine, s->x->fn);
  Atom width = env_atom(s->e, inner->x->width);
  if (width.is_var && (map_get(mine, width.var.id) || differs(s, width))) return false;
  for (int k = 0; k < inner->x->inputs.len; k++) {
    Atom input = env_atom(s->e, inner->x->inputs.at[k]);
    if (!differs(s, input)) continue;
    if (map_get(mine, input.var.id)) return false;
    list_push(s->e->scratch, leaves, inner->x->fn->params.at[k]);
  }
  return leaves->len > 0;
}

static bool any_equal_input(const Sum *s) {
  for (int k = 0; k < s->x->inputs.len; k++)
    if (!differs(s, s->x->inputs.at[k])) return true;
  return false;
}

static bool factors(Sum *s, Sum *inner, Atom element) {
  Stm *stm = sum_inside(s);
  Vars leaves = {0}, sums = {0};
  if (!stm || differs(s, s->x->width) || !any_equal_input(s) || !is_total(s, element)) return false;
  *inner = (Sum){.e = s->e, .outside = s->tainted, .x = &stm->exp.screma};
  taint(inner);
  list_push(s->e->scratch, &sums, stm->bound.at[0]);
  return find_leaves(s, inner, &leaves) && is_linear(s, element, sums) &&
         is_linear(inner, inner->x->fn->body.results.at[0], leaves) &&
         prog_may(s->e->prog, SWITCH_FACTORED_SUMS);
}

// ---- the factors, summed
static Atom times(Builder *b, bool guarded, Atom x, Atom by) {
  if (atom_is(x, 1) && !x.is_var) return by;
  if (atom_is(by, 1) && !by.is_var) return x;
  if (guarded && by.is_var) by = build_op3(b, OP_GUARD, x, by, by);
  return build_op(b, OP_MUL, x, by);
}

// A sum by `element`s of the lambda, in the order of the inputs.
static Exp sum_exp(Env *e, Atom width, Atoms inputs, Lambda *fn) {
  Prim p = fn->rets.at[0].prim;
  Atom zero = atom_number(p, 0);
  Operator op = {.op = lambda_binop(e->prog, OP_ADD, p), .neutral = atoms_of(e->arena, 1, &zero),
                 .comm = true};
  Exp out = {.form = FORM_SCREMA, .screma = {.width = width, .fn = fn, .inputs = inputs}};
  list_push(e->arena, &out.screma.reds, op);
  LambdaBuilder post = lambda_begin(&e->to, "x", (Types){0});
  out.screma.post = lambda_end(&post, (Atoms){0});
  return out;
}

// The product of all that leaf q of the inner sum is multiplied by, at j, from a lambda whose
// parameters are those inputs of the outer sum that are equal in all iterations around.
static Atom factor_at(const Sum *s, const Sum *inner, Rewrite *w, int q, Atom j) {
  Env *e = s->e;
  LinearPart outer = {&s->l, w, -1}, part = {&inner->l, w, -1 - q};
  Atom by = linear_emit(&outer, s->x->fn->body.results.at[0]);
  Vars free = lambda_free(e->prog, e->scratch, inner->x->fn);
  for (int k = 0; k < free.len; k++)
    if (!differs(s, atom_var(free.at[k]))) linear_copy(&outer, atom_var(free.at[k]));
  for (int k = 0; k < inner->x->inputs.len; k++) {
    Atom input = inner->x->inputs.at[k];
    if (differs(s, input)) continue;
    Atom row = linear_copy(&outer, input);
    rewrite_bind(w, inner->x->fn->params.at[k],
                 build_index(&w->to, row, atoms_of(e->arena, 1, &j)));
  }
  Atom x = linear_emit(&part, inner->x->fn->body.results.at[0]);
  return times(&w->to, s->l.guarded || inner->l.guarded, x, by);
}

static Atom factor_sum(const Sum *s, const Sum *inner, Builder *b, int q, Atom j) {
  Env *e = s->e;
  Types types = {0};
  Atoms inputs = {0};
  for (int k = 0; k < s->x->inputs.len; k++) {
    if (differs(s, s->x->inputs.at[k])) continue;
    list_push(e->arena, &types, var_type(e->prog, s->x->fn->params.at[k]));
    list_push(e->arena, &inputs, s->x->inputs.at[k]);
  }
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Rewrite w = rewrite_new(e->prog, lb.inner);
  for (int k = 0, at = 0; k < s->x->inputs.len; k++)
    if (!differs(s, s->x->inputs.at[k]))
      rewrite_bind(&w, s->x->fn->params.at[k], atom_var(lb.lambda->params.at[at++]));
  Atom x = factor_at(s, inner, &w, q, j);
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &x));
  return build(b, "factor", fn->rets.at[0], sum_exp(e, s->x->width, inputs, fn));
}

// An array for each leaf, in front of the iterations around.
static Atoms factors_build(const Sum *s, const Sum *inner) {
  Env *e = s->e;
  Atom width = env_atom(e, inner->x->width);
  Stms news = {0};
  Builder b = builder_new(e->prog, &news);
  b.loc = e->to.loc;
  Atom iota = build_iota(&b, width);
  Types count = {0};
  list_push(e->arena, &count, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&b, "j", count);
  Atoms rows = {0};
  for (int q = 0; q < inner->l.leaves.len; q++)
    list_push(e->arena, &rows,
              factor_sum(s, inner, &lb.inner, q, atom_var(lb.lambda->params.at[0])));
  Lambda *fn = lambda_end(&lb, rows);
  Exp map = {.form = FORM_MAP, .map = {.width = width, .fn = fn,
                                       .inputs = atoms_of(e->arena, 1, &iota)}};
  Vars out = build_many(&b, "factors", exp_types(e->prog, &map), map);
  env_use_body(e, &(Body){.stms = news});
  simplify_stms_of(e, news);
  return env_atoms(e, atoms_of_vars(e->arena, out));
}

// ---- the sum that is left
static bool may_join(Env *e, const struct map_form *m, Atom width) {
  for (int k = 0; k < m->inputs.len; k++)
    if (atom_type(e->prog, m->inputs.at[k]).is_acc || !env_shared(e, m->inputs.at[k])) return false;
  return atom_same(env_atom(e, m->width), env_atom(e, width));
}

// The map of the outer body that makes t for statement `reader` alone; NULL: there is none.
static const struct map_form *made_for(Env *e, const Body *body, Atom t, const Stm *reader) {
  const struct map_form *found = NULL;
  for (int k = 0; k < body->results.len; k++)
    if (atom_same(body->results.at[k], t)) return NULL;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_MAP && stm->bound.len == 1 && atom_is_var(t, stm->bound.at[0]))
      found = exp_has_effect(&stm->exp) || stm->attrs.opaque ? NULL : &stm->exp.map;
    else if (stm != reader && vars_have(exp_free(e->prog, e->scratch, &stm->exp), t.var))
      return NULL;
  }
  return found && may_join(e, found, dim_at(e->prog, t, 0)) ? found : NULL;
}

typedef struct {
  Types types;
  Atoms inputs;
} Inputs;

static void push_inputs(Env *e, Inputs *to, Atoms more) {
  for (int k = 0; k < more.len; k++) {
    list_push(e->arena, &to->types, type_row(atom_type(e->prog, more.at[k])));
    list_push(e->arena, &to->inputs, more.at[k]);
  }
}

static Atoms leaf_inputs(const Sum *s, const Sum *inner) {
  Atoms out = {0};
  for (int k = 0; k < inner->x->inputs.len; k++)
    if (differs(s, inner->x->inputs.at[k]))
      list_push(s->e->arena, &out, env_atom(s->e, inner->x->inputs.at[k]));
  return out;
}

static Exp sum_left(const Sum *s, const Sum *inner, const Body *body, const Stm *reader) {
  Env *e = s->e;
  Atoms w = factors_build(s, inner), t = leaf_inputs(s, inner);
  Inputs in = {0};
  push_inputs(e, &in, w);
  for (int q = 0; q < t.len; q++) {
    const struct map_form *made = made_for(e, body, t.at[q], reader);
    push_inputs(e, &in, made ? made->inputs : atoms_of(e->arena, 1, &t.at[q]));
  }
  LambdaBuilder lb = lambda_begin(&e->to, "x", in.types);
  Atoms params = atoms_of_vars(e->arena, lb.lambda->params);
  Atom sum = atom_number(in.types.at[0].prim, 0);
  for (int q = 0, at = w.len; q < t.len; q++) {
    const struct map_form *made = made_for(e, body, t.at[q], reader);
    Atom x = params.at[at];
    if (made)
      x = lambda_inline(&lb.inner, made->fn, atoms_slice(params, at, made->inputs.len)).at[0];
    at += made ? made->inputs.len : 1;
    Atom term = linear_times(&lb.inner, s->l.guarded || inner->l.guarded, x, params.at[q]);
    sum = q ? build_op(&lb.inner, OP_ADD, sum, term) : term;
  }
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &sum));
  return sum_exp(e, env_atom(e, inner->x->width), in.inputs, fn);
}

// Reduction `red` of statement `at` of the body.
static void replace(const Sum *s, const Sum *inner, Body *body, int at, int red) {
  Env *e = s->e;
  Stm *stm = &body->stms.at[at];
  Stm *left = NEW(e->arena, Stm);
  *left = (Stm){.exp = sum_left(s, inner, body, stm), .loc = stm->loc};
  list_push(e->arena, &left->bound, stm->bound.at[red]);
  env_use_body(e, &(Body){.stms = {left, 1, 1}});
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    if (i == at) {
      onehot_drop_operator(&body->stms.at[i], red, red, red);
      list_push(e->arena, &out, *left);
      if (!body->stms.at[i].bound.len) continue;
    }
    list_push(e->arena, &out, body->stms.at[i]);
  }
  body->stms = out;
  e->changed = true;
}

static bool factor_stm(Env *e, const Map *local, Body *body, int at) {
  Stm *stm = &body->stms.at[at];
  Sum s = {.e = e, .outside = local, .x = &stm->exp.screma}, inner;
  if (stm->exp.form != FORM_SCREMA || stm->attrs.opaque || s.x->scans.len) return false;
  taint(&s);
  for (int red = 0; red < s.x->reds.len; red++) {
    if (s.x->reds.at[red].neutral.len != 1) return false;
    if (!is_sum(e, s.x, red)) continue;
    struct screma_form one = *s.x;
    one.fn = onehot_cut(e, s.x->fn, red, 1);
    s.x = &one;
    if (factors(&s, &inner, one.fn->body.results.at[0])) {
      replace(&s, &inner, body, at, red);
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
