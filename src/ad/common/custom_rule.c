// with_vjp f f' x: f with a derivative of the user's for its arguments; f' gives J^T s from the
// results and their adjoint s.  The statement stays in the emitted code, so that outer operators
// use the user's rule too; outside every operator it is f.
//
// Variables that f captures are no arguments: they are differentiated through f as usual.  Where
// the rule is said to be exact (#[exact]) and they vary, all is.
#include "local.h"

// Variables that fn captures and derivatives pass through, by either mode's set.
static Vars captured(const Prog *prog, const VarSet *varied, const Lambda *fn) {
  Vars vars = lambda_free(prog, prog->arena, fn), out = {0};
  for (int i = 0; i < vars.len; i++)
    if (varset_has(varied, vars.at[i]) && var_type(prog, vars.at[i]).prim != PRIM_UNIT)
      list_push(prog->arena, &out, vars.at[i]);
  return out;
}

static Types emitted_types(Rewrite *w, Vars vars) {
  Types types = {0};
  for (int i = 0; i < vars.len; i++)
    list_push(w->to.prog->arena, &types,
              type_fresh(rewrite_type(w, var_type(w->from, vars.at[i]))));
  return types;
}

// \zs -> f x, for the captured zs; an argument that is one of them counts as constant as an
// argument.
static Lambda *of_captured(Rewrite *w, const struct withvjp_form *e, Vars zs) {
  Arena *arena = w->to.prog->arena;
  Atoms before = {0}, args = rewrite_atoms(w, e->args);
  LambdaBuilder lb = lambda_begin(&w->to, "z", emitted_types(w, zs));
  Builder outer = w->to;
  w->to = lb.inner;
  for (int i = 0; i < zs.len; i++) {
    list_push(arena, &before, rewrite_atom(w, atom_var(zs.at[i])));
    rewrite_bind(w, zs.at[i], atom_var(lb.lambda->params.at[i]));
  }
  for (int k = 0; k < args.len; k++) rewrite_bind(w, e->fn->params.at[k], args.at[k]);
  rewrite_stms(w, e->fn->body.stms);
  Atoms results = rewrite_atoms(w, e->fn->body.results);
  for (int i = 0; i < zs.len; i++) rewrite_bind(w, zs.at[i], before.at[i]);
  lb.inner = w->to;
  w->to = outer;
  return lambda_end(&lb, results);
}

// ---- exact rules
void withvjp_inline(Rewrite *w, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  for (int k = 0; k < e->args.len; k++)
    rewrite_bind(w, e->fn->params.at[k], rewrite_atom(w, e->args.at[k]));
  rewrite_stms(w, e->fn->body.stms);
  for (int k = 0; k < stm->bound.len; k++)
    rewrite_bind(w, stm->bound.at[k], rewrite_atom(w, e->fn->body.results.at[k]));
}

typedef struct {
  Rewrite w;  // first
  const VarSet *varied;
  bool changed;
} Plain;

static void plain_stm(Rewrite *w, const Stm *stm) {
  Plain *p = (Plain *)w;
  bool exact = stm->exp.form == FORM_WITHVJP && stm->attrs.exact;
  if (!exact || !captured(w->from, p->varied, stm->exp.withvjp.fn).len ||
      !prog_may(w->from, SWITCH_EXACT)) {
    rewrite_stm(w, stm);
    return;
  }
  p->changed = true;
  withvjp_inline(w, stm);
}

static bool is_withvjp(const Exp *e) { return e->form == FORM_WITHVJP; }

// fn with functions for exact rules that capture what varies; NULL: there are none.
Lambda *withvjp_plain(Builder *b, const Lambda *fn, const VarSet *varied) {
  if (!body_has(&fn->body, is_withvjp)) return NULL;
  Plain p = {.w = rewrite_new(b->prog, *b), .varied = varied};
  p.w.stm = plain_stm;
  Lambda *out = rewrite_lambda(&p.w, fn);
  return p.changed ? out : NULL;
}

// ---- reverse mode
//   xB += f' ys.. ysB..     zsB += vjp (\zs -> f x) zs ysB
void vjp_withvjp(Vjp *v, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  Arena *arena = vjp_arena(v);
  Atoms ys = {0}, seeds = {0};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(arena, &ys, primal_of(v, atom_var(stm->bound.at[k])));
  for (int k = 0; k < stm->bound.len; k++)
    list_push(arena, &seeds, adj_value(v, stm->bound.at[k]));
  Vars zs = captured(v->w.from, &v->varied, e->fn);
  if (zs.len) {
    Exp exp = {.form = FORM_VJP, .vjp = {.fn = of_captured(&v->w, e, zs), .seeds = seeds}};
    exp.vjp.args = rewrite_atoms(&v->w, atoms_of_vars(arena, zs));
    Vars out = build_exp(vjp_builder(v), "adj", exp);
    for (int i = 0; i < zs.len; i++)
      contribute(v, atom_var(zs.at[i]), atom_var(out.at[ys.len + i]), true);
  }
  Lambda *rev = rewrite_lambda(&v->w, e->rev);
  Atoms c = lambda_inline(vjp_builder(v), rev, atoms_concat(arena, ys, seeds));
  for (int k = 0; k < e->args.len; k++)
    if (is_varied(v, e->args.at[k]) && varset_has_atom(&v->active, e->args.at[k]))
      contribute(v, e->args.at[k], c.at[k], false);
}

// ---- forward mode
// The transpose of the linear function s -> f' ys s, applied to the tangents of the arguments.
static Atoms transposed_rule(Jvp *j, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  Builder *b = jvp_builder(j);
  Arena *arena = b->prog->arena;
  int n = stm->bound.len;
  Types types = emitted_types(&j->w, stm->bound);
  Atoms ys = rewrite_atoms(&j->w, atoms_of_vars(arena, stm->bound)), zeros = {0}, dx = {0};
  for (int k = 0; k < n; k++) list_push(arena, &zeros, build_zero(b, types.at[k]));
  for (int k = 0; k < e->args.len; k++) list_push(arena, &dx, tangent_dense(j, e->args.at[k]));
  Lambda *rev = rewrite_lambda(&j->w, e->rev);
  LambdaBuilder lb = lambda_begin(b, "s", types);
  Atoms s = atoms_of_vars(arena, lb.lambda->params);
  Lambda *rule = lambda_end(&lb, lambda_inline(&lb.inner, rev, atoms_concat(arena, ys, s)));
  Exp exp = {.form = FORM_VJP, .vjp = {.fn = rule, .args = zeros, .seeds = dx}};
  Vars out = build_exp(b, "tangent", exp);
  return atoms_slice(atoms_of_vars(arena, out), e->args.len, n);
}

static Atoms through_captured(Jvp *j, const Stm *stm, Vars zs) {
  Builder *b = jvp_builder(j);
  Arena *arena = b->prog->arena;
  Exp exp = {.form = FORM_JVP, .jvp = {.fn = of_captured(&j->w, &stm->exp.withvjp, zs)}};
  for (int i = 0; i < zs.len; i++) {
    list_push(arena, &exp.jvp.args, rewrite_atom(&j->w, atom_var(zs.at[i])));
    list_push(arena, &exp.jvp.tangents, tangent_dense(j, atom_var(zs.at[i])));
  }
  Vars out = build_exp(b, "tangent", exp);
  return atoms_slice(atoms_of_vars(arena, out), stm->bound.len, stm->bound.len);
}

static Atom marks_united(Jvp *j, Atoms sources) {
  Builder *b = jvp_builder(j);
  Arena *arena = b->prog->arena;
  Atom all = atom_number(PRIM_U64, 0);
  for (int k = 0; k < sources.len; k++) {
    Atom dx = tangent_of(j, sources.at[k]);
    if (atom_absent(dx)) continue;
    Type t = atom_type(b->prog, dx);
    if (t.rank) {
      dx = build_flat(b, dx);
      dx = build_reduce(b, atom_width(b->prog, dx), lambda_binop(b->prog, OP_OR, PRIM_U64),
                        atoms1(arena, atom_number(PRIM_U64, 0)), atoms1(arena, dx)).at[0];
    }
    all = build_op(b, OP_OR, all, dx);
  }
  return all;
}

void marks_spread(Jvp *j, const Stm *stm, Atoms sources) {
  Builder *b = jvp_builder(j);
  Arena *arena = b->prog->arena;
  rewrite_stm(&j->w, stm);
  Atom all = marks_united(j, sources);
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(b->prog, rewrite_atom(&j->w, atom_var(stm->bound.at[k])).var);
    if (t.prim == PRIM_UNIT) continue;
    tangent_set(j, stm->bound.at[k],
                t.rank ? build_replicate(b, atoms_of(arena, t.rank, t.dims), all) : all);
  }
}

//   dys = (f' ys)^T dx + jvp (\zs -> f x) zs dzs
void jvp_withvjp(Jvp *j, const Stm *stm) {
  const struct withvjp_form *e = &stm->exp.withvjp;
  Builder *b = jvp_builder(j);
  Vars zs = captured(j->w.from, &j->varied, e->fn);
  if (j->marks) {
    // All arguments that the rule gives an adjoint, and all captured variables.
    Atoms sources = withvjp_carrying(j->w.from, e);
    marks_spread(j, stm, atoms_concat(b->prog->arena, sources, atoms_of_vars(b->prog->arena, zs)));
    return;
  }
  rewrite_stm(&j->w, stm);
  bool args = false;
  for (int k = 0; k < e->args.len; k++) args = args || varset_has_atom(&j->varied, e->args.at[k]);
  // what seemed to vary had no tangent after all: some components of a hist
  if (!args && !zs.len) {
    for (int k = 0; k < stm->bound.len; k++) varset_remove(&j->varied, stm->bound.at[k]);
    return;
  }
  Atoms dy = {0}, more = {0};
  if (args) dy = transposed_rule(j, stm);
  if (zs.len) more = through_captured(j, stm, zs);
  for (int k = 0; k < stm->bound.len; k++) {
    if (var_type(j->w.from, stm->bound.at[k]).prim == PRIM_UNIT) continue;
    Atom d = args ? dy.at[k] : more.at[k];
    if (args && zs.len) d = build_plus(b, d, more.at[k]);
    tangent_set(j, stm->bound.at[k], d);
  }
}
