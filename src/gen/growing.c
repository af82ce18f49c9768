// Loops that append to an array, always or under a condition.
#include "local.h"

// concat v [x], or v where the condition on the counter fails; *k becomes its size.
static Atom appended(Gen *g, Atom v, Atom x, Atom i, Atom *k) {
  Builder *b = &g->b;
  Prim p = atom_type(g->prog, x).prim;
  Type one = type_array(g->arena, type_scalar(p), atom_i64(1));
  Exp exp = {.form = FORM_LITERAL, .literal = {.prim = p, .elems = atoms_of(g->arena, 1, &x)}};
  Atom parts[] = {v, build(b, "one", one, exp)};
  Exp join = {.form = FORM_CONCAT, .concat = {.arrays = atoms_of(g->arena, 2, parts)}};
  if (gen_chance(g, 60)) {
    *k = build_op(b, OP_ADD, *k, atom_i64(1));
    return build(b, "more", type_array(g->arena, type_scalar(p), *k), join);
  }
  Atom c = build_op(b, OP_LT, build_op(b, OP_MOD, i, atom_i64(3)), atom_i64(2));
  Exp choice = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &c)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder in = *b;
  in.stms = &yes.body.stms;
  Atom m = build_op(&in, OP_ADD, *k, atom_i64(1));
  Atom more = build(&in, "more", type_array(g->arena, type_scalar(p), m), join);
  yes.body.results = atoms_of(g->arena, 2, (Atom[]){m, more});
  no.body.results = atoms_of(g->arena, 2, (Atom[]){*k, v});
  list_push(g->arena, &choice.match.cases, yes);
  list_push(g->arena, &choice.match.cases, no);
  Var size = var_new(g->prog, "k", type_scalar(PRIM_I64));
  Var next = var_new(g->prog, "v", type_array(g->arena, type_scalar(p), atom_var(size)));
  Stm stm = {.exp = choice};
  list_push(g->arena, &stm.bound, size);
  list_push(g->arena, &stm.bound, next);
  build_stm(b, stm);
  *k = atom_var(size);
  return atom_var(next);
}

static Vars sized(Gen *g, Prim p) {
  Vars vars = {0};
  list_push(g->arena, &vars, var_new(g->prog, "k", type_scalar(PRIM_I64)));
  Type type = type_array(g->arena, type_scalar(p), atom_var(vars.at[0]));
  list_push(g->arena, &vars, var_new(g->prog, "v", type));
  return vars;
}

// loop (k, v: [k]) = (1, [s]) for i < n { v ++ [f xs[i] v[near i]] }
void gen_appends(Gen *g) {
  Builder *b = &g->b;
  Prim p = gen_real(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), s = gen_scalar(g, p), is = gen_indices(g, n);
  Type one = type_array(g->arena, type_scalar(p), atom_i64(1));
  Exp exp = {.form = FORM_LITERAL, .literal = {.prim = p, .elems = atoms_of(g->arena, 1, &s)}};
  Atom start = build(b, "start", one, exp);
  Vars params = sized(g, p);
  LambdaBuilder lb = lambda_begin(b, "i", (Types){0});
  list_push(g->arena, &lb.lambda->params, var_new(g->prog, "i", type_scalar(PRIM_I64)));
  list_push(g->arena, &lb.lambda->params, params.at[0]);
  list_push(g->arena, &lb.lambda->params, params.at[1]);
  GenMark mark = gen_enter(g, &lb);
  Atom i = atom_var(lb.lambda->params.at[0]), k = atom_var(params.at[0]);
  gen_know_below(g, i, n);
  Atom x = gen_read1(g, xs, i);
  Atom y = gen_read1(g, atom_var(params.at[1]), gen_clamped(g, gen_near(g, i, n, is), k));
  Atom v = gen_mix(g, gen_mix(g, x, y), x);
  if (prim_is_float(p)) v = build_op1(b, OP_TANH, v);
  Atom next = appended(g, atom_var(params.at[1]), v, i, &k);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 2, (Atom[]){k, next}));
  fn->rets = types_of_vars(g->prog, params);
  gen_leave(g, mark);
  Stm stm = {.bound = sized(g, p)};
  stm.exp = (Exp){.form = FORM_LOOP, .loop = {.is_for = true, .bound = n, .fn = fn}};
  stm.exp.loop.inits = atoms_of(g->arena, 2, (Atom[]){atom_i64(1), start});
  build_stm(b, stm);
  gen_know(g, gen_total(g, atom_var(stm.bound.at[1])), 0);
}
