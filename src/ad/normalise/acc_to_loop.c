// Accumulators whose operator does not add have no rule of their own: the order of additions does
// not matter to a derivative, that of other operators does, and in reverse mode that of overwriting
// (a cell may be written twice).  So they become arrays that loops update in place, whose
// derivative costs what the updates cost:
//
//   withacc xs op (\acc -> body)    body, with xs for acc
//   updateacc acc i v               if i is in range: acc with [i] <- op(acc[i], v)
//   map f (acc, as)                 loop (acc, rs) for i < n { f (acc, as[i]) }
//
// A map that becomes a loop for another reason carries the accumulators that stay, too.
//
// An accumulator without operator (overwriting) beside such a one becomes an array too.
#include "ad/common/local.h"

typedef struct {
  Rewrite w;       // first
  bool reverse;
  Map *operators;  // token of an accumulator that becomes an array -> its Operator
} Unacc;

static bool is_ours(const Unacc *u, Type t) {
  return t.is_acc && map_get(u->operators, t.token.id);
}
static bool var_is_ours(const Unacc *u, Var v) { return is_ours(u, var_type(u->w.from, v)); }

static bool any_ours(const Unacc *u, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (var_is_ours(u, vars.at[k])) return true;
  return false;
}

static Type array_type(Unacc *u, Type acc, bool unique) {
  Type t = {.prim = acc.prim, .rank = acc.rank, .dims = acc.dims, .unique = unique};
  return rewrite_type(&u->w, t);
}

// A binding occurrence; accumulators are bound as arrays.
static Var bind_var(Unacc *u, Var old, bool unique) {
  if (!var_is_ours(u, old)) return rewrite_var(&u->w, old);
  Prog *prog = u->w.to.prog;
  Type t = array_type(u, var_type(u->w.from, old), unique);
  Var v = var_new(prog, var_info(prog, old)->base, t);
  rewrite_bind(&u->w, old, atom_var(v));
  return v;
}

static Vars bind_vars(Unacc *u, Vars vars, bool unique) {
  Vars out = {0};
  for (int k = 0; k < vars.len; k++)
    list_push(u->w.to.prog->arena, &out, bind_var(u, vars.at[k], unique));
  return out;
}

// ---- updates
static Atom combine(Builder *b, const Lambda *op, Atom old, Atom value) {
  Type t = atom_type(b->prog, old);
  if (t.rank == var_type(b->prog, op->params.at[0]).rank)
    return lambda_inline(b, op, atoms2(b->prog->arena, old, value)).at[0];
  MapBuilder m = map_begin(b, t.dims[0], atoms2(b->prog->arena, old, value));
  return map_end1(&m, "new", combine(&m.lb.inner, op, map_param(&m, 0), map_param(&m, 1)));
}

static void update(Unacc *u, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Builder *b = &u->w.to;
  const Operator *op = map_get(u->operators, var_type(u->w.from, e->acc.var).token.id);
  Atom x = rewrite_atom(&u->w, e->acc), value = rewrite_atom(&u->w, e->value), ok = atom_bool(true);
  Atoms index = rewrite_atoms(&u->w, e->index);
  Type type = type_fresh(atom_type(b->prog, x));
  for (int k = 0; k < index.len; k++) {
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LE, atom_i64(0), index.at[k]));
    ok = build_op(b, OP_AND, ok, build_op(b, OP_LT, index.at[k], type.dims[k]));
  }
  PickBuilder p = pick_begin(b, ok);
  if (op->op) {
    Atom old = build_index(&p.then, x, index);
    if (type.rank > index.len) old = build_copy(&p.then, old);
    Lambda *fn = rewrite_lambda(&u->w, op->op);
    value = combine(&p.then, fn, old, value);
  }
  Atom yes = build_update(&p.then, x, index, value);
  rewrite_bind(&u->w, stm->bound.at[0], pick_end(&p, type, yes, x));
}

// ---- control
static Body body_of(Unacc *u, const Body *body) {
  Body out = {0};
  Stms *saved = u->w.to.stms;
  u->w.to.stms = &out.stms;
  rewrite_stms(&u->w, body->stms);
  out.results = rewrite_atoms(&u->w, body->results);
  u->w.to.stms = saved;
  return out;
}

static void branch(Unacc *u, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  Stm out = {.exp = {.form = FORM_MATCH, .match = {.args = rewrite_atoms(&u->w, e->args)}},
             .attrs = stm->attrs, .loc = u->w.to.loc};
  for (int i = 0; i < e->cases.len; i++) {
    Case c = e->cases.at[i];
    c.body = body_of(u, &c.body);
    list_push(u->w.to.prog->arena, &out.exp.match.cases, c);
  }
  out.bound = bind_vars(u, stm->bound, false);
  build_stm(&u->w.to, out);
}

static void loop(Unacc *u, const Stm *stm) {
  Arena *arena = u->w.to.prog->arena;
  const struct loop_form *e = &stm->exp.loop;
  Lambda *fn = NEW(arena, Lambda);
  Stm out = {.exp = stm->exp, .attrs = stm->attrs, .loc = u->w.to.loc};
  out.exp.loop.bound = rewrite_atom(&u->w, e->bound);
  out.exp.loop.inits = rewrite_atoms(&u->w, e->inits);
  out.exp.loop.fn = fn;
  fn->params = bind_vars(u, e->fn->params, true);
  for (int k = 0; k < e->fn->rets.len; k++) {
    Type t = e->fn->rets.at[k];
    list_push(arena, &fn->rets, is_ours(u, t) ? array_type(u, t, true) : rewrite_type(&u->w, t));
  }
  fn->body = body_of(u, &e->fn->body);
  out.bound = bind_vars(u, stm->bound, false);
  build_stm(&u->w.to, out);
}

// ---- maps
// The loop's parameter for each result: the accumulator (ours or not), or an array of rows.
static Atoms map_inits(Unacc *u, const struct map_form *e, Atom width) {
  Builder *b = &u->w.to;
  Atoms inits = {0};
  for (int k = 0; k < e->fn->rets.len; k++) {
    Type t = e->fn->rets.at[k];
    Atom init = atom_none();
    for (int i = 0; i < e->inputs.len && t.is_acc; i++) {
      Type in = var_type(u->w.from, e->fn->params.at[i]);
      if (in.is_acc && in.token.id == t.token.id) init = rewrite_atom(&u->w, e->inputs.at[i]);
    }
    if (atom_absent(init)) {
      Type row = rewrite_type(&u->w, type_fresh(t));
      init = build_scratch(b, type_array(b->prog->arena, row, width));
    }
    list_push(b->prog->arena, &inits, init);
  }
  return inits;
}

// Inputs of the function in iteration i; an accumulator is what the loop carries.
static void bind_inputs(Unacc *u, const struct map_form *e, Vars params) {
  Builder *b = &u->w.to;
  Atom i = atom_var(params.at[0]);
  for (int k = 0; k < e->inputs.len; k++) {
    Var p = e->fn->params.at[k];
    Type t = var_type(u->w.from, p);
    if (t.is_acc) {
      for (int r = 0; r < e->fn->rets.len; r++)
        if (e->fn->rets.at[r].is_acc && e->fn->rets.at[r].token.id == t.token.id)
          rewrite_bind(&u->w, p, atom_var(params.at[1 + r]));
      continue;
    }
    Atom x = build_index(b, rewrite_atom(&u->w, e->inputs.at[k]), atoms1(b->prog->arena, i));
    rewrite_bind(&u->w, p, t.rank ? build_copy(b, x) : x);
  }
}

static void map_to_loop(Unacc *u, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  Prog *prog = u->w.to.prog;
  Atom width = rewrite_atom(&u->w, e->width);
  Atoms inits = map_inits(u, e, width), results = {0};
  Types types = types_of_atoms(prog, inits), params = {0};
  list_push(prog->arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < types.len; k++) {
    types.at[k].unique = types.at[k].rank > 0 && !types.at[k].is_acc;
    list_push(prog->arena, &params, types.at[k]);
  }
  LambdaBuilder lb = lambda_begin(&u->w.to, "i", params);
  Stms *saved = u->w.to.stms;
  u->w.to.stms = lb.inner.stms;
  bind_inputs(u, e, lb.lambda->params);
  rewrite_stms(&u->w, e->fn->body.stms);
  for (int k = 0; k < types.len; k++) {
    Atom r = rewrite_atom(&u->w, e->fn->body.results.at[k]);
    Atoms at = atoms1(prog->arena, atom_var(lb.lambda->params.at[0]));
    if (!e->fn->rets.at[k].is_acc)
      r = build_update(&u->w.to, atom_var(lb.lambda->params.at[1 + k]), at, r);
    list_push(prog->arena, &results, r);
  }
  u->w.to.stms = saved;
  Lambda *fn = lambda_end(&lb, results);
  fn->rets = types;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = width, .inits = inits, .fn = fn}};
  build_stm(&u->w.to, (Stm){.bound = bind_vars(u, stm->bound, false), .exp = exp,
                            .loc = u->w.to.loc});
}

// ---- withacc
static bool op_is_ours(const Unacc *u, const Operator *op) {
  Op kind;
  Prim p;
  if (!op->op) return u->reverse;
  return !(lambda_is_op(op->op, &kind, &p) && (kind == OP_ADD || kind == OP_OR));
}

static bool withacc_is_ours(const Unacc *u, const struct withacc_form *e) {
  for (int k = 0; k < e->ops.len; k++)
    if (op_is_ours(u, &e->ops.at[k])) return true;
  return false;
}

static void inline_withacc(Unacc *u, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  for (int k = 0; k < e->arrays.len; k++) {
    map_put(u->operators, e->fn->params.at[k].id, &e->ops.at[k]);
    rewrite_bind(&u->w, e->fn->params.at[k], rewrite_atom(&u->w, e->arrays.at[k]));
  }
  rewrite_stms(&u->w, e->fn->body.stms);
  for (int k = 0; k < stm->bound.len; k++)
    rewrite_bind(&u->w, stm->bound.at[k], rewrite_atom(&u->w, e->fn->body.results.at[k]));
}

// ---- maps that call functions
// Whether the body calls a function with one of the arrays.
typedef struct {
  const Prog *prog;
  Vars arrays;
  bool found;
} CallSearch;

static void search_calls(void *state, const Body *body, const Vars *params) {
  (void)params;
  CallSearch *s = state;
  for (int i = 0; i < body->stms.len && !s->found; i++) {
    const Exp *e = &body->stms.at[i].exp;
    exp_each_body(e, search_calls, s);
    for (int k = 0; e->form == FORM_APPLY && k < e->apply.args.len; k++) {
      Atom a = e->apply.args.at[k];
      Type t = atom_type(s->prog, a);
      s->found |= t.rank > 0 && prim_is_float(t.prim) && vars_have(s->arrays, a.var);
    }
  }
}

// map (\x -> .. f a x ..): the adjoint of a goes through the derivative of each call (calls.c), so
// the iterations come one after the other.
static bool calls_with_free(const Unacc *u, const Stm *stm) {
  if (!u->reverse || stm->exp.form != FORM_MAP) return false;
  const Lambda *fn = stm->exp.map.fn;
  CallSearch s = {.prog = u->w.from, .arrays = lambda_free(u->w.from, u->w.to.prog->arena, fn)};
  search_calls(&s, &fn->body, NULL);
  return s.found;
}

static void unacc_stm(Rewrite *w, const Stm *stm) {
  Unacc *u = (Unacc *)w;
  Form form = stm->exp.form;
  if (form == FORM_WITHACC && withacc_is_ours(u, &stm->exp.withacc)) inline_withacc(u, stm);
  else if (calls_with_free(u, stm)) map_to_loop(u, stm);
  else if (!any_ours(u, stm->bound)) rewrite_stm(w, stm);
  else if (form == FORM_ATOM)
    rewrite_bind(w, stm->bound.at[0], rewrite_atom(w, stm->exp.atom.arg));
  else if (form == FORM_UPDATEACC) update(u, stm);
  else if (form == FORM_MATCH) branch(u, stm);
  else if (form == FORM_LOOP) loop(u, stm);
  else if (form == FORM_MAP) map_to_loop(u, stm);
  else ice("form %d binds an accumulator", form);
}

static bool concerns(const Exp *e) { return e->form == FORM_WITHACC || e->form == FORM_APPLY; }

const Lambda *normalise_accs(Builder *b, const Lambda *fn, bool reverse) {
  if (!body_has(&fn->body, concerns)) return fn;
  Unacc u = {.w = rewrite_new(b->prog, *b), .reverse = reverse};
  u.w.stm = unacc_stm;
  u.operators = map_new(b->prog->arena);
  return rewrite_lambda(&u.w, fn);
}
