// The sums that are left of factored sums: arrays of factors in front of the iterations around, and
// in these one product for each element of the arrays that differ.
#include "factored.h"

typedef struct {
  const Sum *s;
  const Shares *shares;
  const Body *body;    // of the iterations around
  const Stm *reader;   // the sum, a statement of it
  Atom width;          // of the shares that are looked at
  bool guarded;
} Left;

static Atom times(Builder *b, bool guarded, Atom x, Atom by) {
  if (atom_is(x, 1) && !x.is_var) return by;
  if (atom_is(by, 1) && !by.is_var) return x;
  if (guarded && by.is_var) by = build_op3(b, OP_GUARD, x, by, by);
  return build_op(b, OP_MUL, x, by);
}

Exp sum_exp(Env *e, Atom width, Atoms inputs, Lambda *fn) {
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

// The coefficient of a share's leaf, of the sum inside its element at j, too, from a lambda whose
// parameters are those inputs of the outer sum that are equal in all iterations around.
static Atom factor_at(const Sum *s, const Share *p, Rewrite *w, Atom j) {
  Env *e = s->e;
  LinearPart outer = {.l = &s->l, .w = w, .which = -1 - p->leaf};
  Atom by = linear_emit(&outer, s->x->fn->body.results.at[0]);
  if (!p->inner) return by;
  const Sum *inner = p->inner;
  LinearPart part = {.l = &inner->l, .w = w, .which = -1 - p->q};
  Vars free = lambda_free(e->prog, e->scratch, inner->x->fn);
  for (int k = 0; k < free.len; k++)
    if (!sum_differs(s, atom_var(free.at[k]))) linear_copy(&outer, atom_var(free.at[k]));
  for (int k = 0; k < inner->x->inputs.len; k++) {
    Atom input = inner->x->inputs.at[k];
    if (sum_differs(s, input)) continue;
    Atom row = linear_copy(&outer, input);
    rewrite_bind(w, inner->x->fn->params.at[k],
                 build_index(&w->to, row, atoms_of(e->arena, 1, &j)));
  }
  Atom x = linear_emit(&part, inner->x->fn->body.results.at[0]);
  return times(&w->to, s->l.guarded || inner->l.guarded, x, by);
}

static Atom factor_sum(const Sum *s, const Share *p, Builder *b, Atom j) {
  Env *e = s->e;
  Types types = {0};
  Atoms inputs = {0};
  for (int k = 0; k < s->x->inputs.len; k++) {
    if (sum_differs(s, s->x->inputs.at[k])) continue;
    list_push(e->arena, &types, var_type(e->prog, s->x->fn->params.at[k]));
    list_push(e->arena, &inputs, s->x->inputs.at[k]);
  }
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Rewrite w = rewrite_new(e->prog, lb.inner);
  for (int k = 0, at = 0; k < s->x->inputs.len; k++)
    if (!sum_differs(s, s->x->inputs.at[k]))
      rewrite_bind(&w, s->x->fn->params.at[k], atom_var(lb.lambda->params.at[at++]));
  Atom x = factor_at(s, p, &w, j);
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &x));
  return build(b, "factor", fn->rets.at[0], sum_exp(e, s->x->width, inputs, fn));
}

// Of an input of the outer sum: its coefficient in iteration j.
static Atom factor_own(const Sum *s, const Share *p, Builder *b, Atom j) {
  Env *e = s->e;
  Rewrite w = rewrite_new(e->prog, *b);
  for (int k = 0; k < s->x->inputs.len; k++)
    if (!sum_differs(s, s->x->inputs.at[k]))
      rewrite_bind(&w, s->x->fn->params.at[k],
                   build_index(&w.to, s->x->inputs.at[k], atoms_of(e->arena, 1, &j)));
  return factor_at(s, p, &w, j);
}

static bool is_of(const Left *l, const Share *p, Atom array) {
  return atom_same(p->width, l->width) && atom_same(p->array, array);
}

// All that element j of the array is multiplied by.
static Atom factor_all(const Left *l, Builder *b, Atom array, Atom j) {
  Atom sum = {0};
  for (int k = 0, found = 0; k < l->shares->len; k++) {
    const Share *p = &l->shares->at[k];
    if (!is_of(l, p, array)) continue;
    Atom x = p->inner ? factor_sum(l->s, p, b, j) : factor_own(l->s, p, b, j);
    sum = found++ ? build_op(b, OP_ADD, sum, x) : x;
  }
  return sum;
}

// An array of factors for each of these, in front of the iterations around.
static Atoms factors_build(const Left *l, Atoms arrays) {
  Env *e = l->s->e;
  Stms news = {0};
  Builder b = builder_new(e->prog, &news);
  b.loc = e->to.loc;
  Atom iota = build_iota(&b, l->width);
  Types count = {0};
  list_push(e->arena, &count, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&b, "j", count);
  Atoms rows = {0};
  for (int k = 0; k < arrays.len; k++)
    list_push(e->arena, &rows,
              factor_all(l, &lb.inner, arrays.at[k], atom_var(lb.lambda->params.at[0])));
  Lambda *fn = lambda_end(&lb, rows);
  Exp map = {.form = FORM_MAP, .map = {.width = l->width, .fn = fn,
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

// ---- one width
static Exp sum_left(Left *l, Atoms t) {
  Env *e = l->s->e;
  Atoms w = factors_build(l, t);
  Inputs in = {0};
  push_inputs(e, &in, w);
  for (int q = 0; q < t.len; q++) {
    const struct map_form *made = made_for(e, l->body, t.at[q], l->reader);
    push_inputs(e, &in, made ? made->inputs : atoms_of(e->arena, 1, &t.at[q]));
  }
  LambdaBuilder lb = lambda_begin(&e->to, "x", in.types);
  Atoms params = atoms_of_vars(e->arena, lb.lambda->params);
  Atom sum = atom_number(in.types.at[0].prim, 0);
  for (int q = 0, at = w.len; q < t.len; q++) {
    const struct map_form *made = made_for(e, l->body, t.at[q], l->reader);
    Atom x = params.at[at];
    if (made)
      x = lambda_inline(&lb.inner, made->fn, atoms_slice(params, at, made->inputs.len)).at[0];
    at += made ? made->inputs.len : 1;
    Atom term = linear_times(&lb.inner, l->guarded, x, params.at[q]);
    sum = q ? build_op(&lb.inner, OP_ADD, sum, term) : term;
  }
  Lambda *fn = lambda_end(&lb, atoms_of(e->arena, 1, &sum));
  return sum_exp(e, l->width, in.inputs, fn);
}

static Atoms arrays_of(const Left *l) {
  Atoms out = {0};
  for (int k = 0; k < l->shares->len; k++) {
    const Share *p = &l->shares->at[k];
    bool known = !atom_same(p->width, l->width);
    for (int i = 0; i < out.len; i++) known = known || atom_same(out.at[i], p->array);
    if (!known) list_push(l->s->e->arena, &out, p->array);
  }
  return out;
}

static bool is_first_of_width(const Shares *shares, int k) {
  for (int i = 0; i < k; i++)
    if (atom_same(shares->at[i].width, shares->at[k].width)) return false;
  return true;
}

// ---- the terms
Lambda *sum_part(const Sum *s, SumPart part) {
  Env *e = s->e;
  const Lambda *fn = s->x->fn;
  LambdaBuilder lb = lambda_begin(&e->to, "x", types_of_vars(e->prog, fn->params));
  Rewrite w = rewrite_new(e->prog, lb.inner);
  for (int k = 0; k < fn->params.len; k++)
    rewrite_bind(&w, fn->params.at[k], atom_var(lb.lambda->params.at[k]));
  Atom sum = {0};
  for (int k = 0; k < part.n; k++) {
    LinearPart one = {.l = &s->l, .w = &w, .which = part.which + k, .keep = part.keep};
    Atom x = linear_emit(&one, fn->body.results.at[0]);
    sum = k ? build_op(&w.to, OP_ADD, sum, x) : x;
  }
  lb.inner = w.to;
  return lambda_end(&lb, atoms_of(e->arena, 1, &sum));
}

static Exp terms_sum(const Sum *s) {
  Atoms inputs = atoms_concat(s->e->arena, s->x->inputs, (Atoms){0});
  return sum_exp(s->e, s->x->width, inputs, sum_part(s, (SumPart){.n = s->l.terms.len}));
}

static void add(Builder *b, Atom *sum, const char *name, Exp part) {
  Atom x = build(b, name, part.screma.fn->rets.at[0], part);
  *sum = sum->is_var ? build_op(b, OP_ADD, *sum, x) : x;
}

void factored_emit(Builder *b, const Sum *s, const Shares *shares, const Body *body,
                   const Stm *reader) {
  Left l = {.s = s, .shares = shares, .body = body, .reader = reader, .guarded = s->l.guarded};
  for (int k = 0; k < shares->len; k++)
    l.guarded = l.guarded || (shares->at[k].inner && shares->at[k].inner->l.guarded);
  Atom sum = {0};
  for (int k = 0; k < shares->len; k++) {
    if (!is_first_of_width(shares, k)) continue;
    l.width = shares->at[k].width;
    add(b, &sum, "sum", sum_left(&l, arrays_of(&l)));
  }
  if (s->l.terms.len) add(b, &sum, "terms", terms_sum(s));
}
