// Functions with a reverse rule of their own, which is the right one: y = op x with xB = J yB, J
// from y.  Where programs are not differentiated they are just the function.
#include "local.h"

// tanh: J = 1 - y * y.  neg: J = -1.  exp . tanh: below.
static Atom forward(Builder *b, int which, Atom x) {
  static const Op ops[] = {OP_TANH, OP_NEG};
  if (which < 2) return build_op1(b, ops[which], x);
  return build_op1(b, OP_EXP, build_op1(b, OP_TANH, x));
}

// For exp(tanh x), with t = log y: J = y * (1 - t * t).
static Atom reverse(Builder *b, int which, Atom y, Atom yB) {
  if (which == 1) return build_op1(b, OP_NEG, yB);
  Atom t = which == 0 ? y : build_op1(b, OP_LOG, y);
  Atom J = build_op(b, OP_SUB, atom_number(PRIM_F64, 1), build_op(b, OP_MUL, t, t));
  if (which == 2) J = build_op(b, OP_MUL, J, y);
  return build_op(b, OP_MUL, J, yB);
}

static Lambda *scalar_lambda(Gen *g, Builder *b, int which, int params) {
  Types types = {0};
  for (int i = 0; i < params; i++) list_push(g->arena, &types, type_scalar(PRIM_F64));
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms p = atoms_of_vars(g->arena, lb.lambda->params);
  Atom r = params == 1 ? forward(&lb.inner, which, p.at[0])
                       : reverse(&lb.inner, which, p.at[0], p.at[1]);
  return lambda_end(&lb, atoms_of(g->arena, 1, &r));
}

// The same over every element of a vector.
static Lambda *vector_lambda(Gen *g, int which, int params, Type type) {
  Types types = {0};
  for (int i = 0; i < params; i++) list_push(g->arena, &types, type);
  LambdaBuilder lb = lambda_begin(&g->b, "v", types);
  Lambda *fn = scalar_lambda(g, &lb.inner, which, params);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = type.dims[0],
                     .fn = fn,
                     .inputs = atoms_of_vars(g->arena, lb.lambda->params)}};
  Atom r = build(&lb.inner, "v", type, exp);
  return lambda_end(&lb, atoms_of(g->arena, 1, &r));
}

// The captured variable of the product: without a derivative, with one, or one of its arguments.
static Atom factor(Gen *g, Atom x) {
  if (gen_chance(g, 40)) return x;
  Atom z = gen_chance(g, 50) ? gen_scalar(g, PRIM_F64)
                             : build_conv(&g->b, PRIM_F64, gen_scalar(g, PRIM_I64));
  return build_op1(&g->b, OP_SIN, z);
}

// (x, y) -> (c x y, x, y), whose results are the tape; c is free:
// (r, x, y, rB, xB, yB) -> (c y rB + xB, c x rB + yB)
static void product(Gen *g) {
  Atom args[] = {gen_scalar(g, PRIM_F64), gen_scalar(g, PRIM_F64)};
  Atom c = factor(g, args[0]);
  Types two = types_of_atoms(g->prog, atoms_of(g->arena, 2, args)), six = {0};
  for (int i = 0; i < 6; i++) list_push(g->arena, &six, type_scalar(PRIM_F64));
  LambdaBuilder fn = lambda_begin(&g->b, "x", two), rev = lambda_begin(&g->b, "r", six);
  Atoms x = atoms_of_vars(g->arena, fn.lambda->params);
  Atoms r = atoms_of_vars(g->arena, rev.lambda->params);
  Builder *b = &fn.inner;
  Atom cxy = build_op(b, OP_MUL, c, build_op(b, OP_MUL, x.at[0], x.at[1]));
  Atom out[] = {cxy, x.at[0], x.at[1]};
  b = &rev.inner;
  Atom crB = build_op(b, OP_MUL, c, r.at[3]);
  Atom xB = build_op(b, OP_ADD, build_op(b, OP_MUL, r.at[2], crB), r.at[4]);
  Atom yB = build_op(b, OP_ADD, build_op(b, OP_MUL, r.at[1], crB), r.at[5]);
  Exp exp = {.form = FORM_WITHVJP};
  exp.withvjp.fn = lambda_end(&fn, atoms_of(g->arena, 3, out));
  exp.withvjp.rev = lambda_end(&rev, atoms_of(g->arena, 2, (Atom[]){xB, yB}));
  exp.withvjp.args = atoms_of(g->arena, 2, args);
  Types three = types_of_atoms(g->prog, exp.withvjp.fn->body.results);
  g->b.attrs.exact = gen_chance(g, 40);
  gen_know_fresh(g, build_many(&g->b, "y", three, exp));
  g->b.attrs = (Attrs){0};
}

static bool fits(Gen *g, const Known *k) {
  (void)g;
  return k->type.prim == PRIM_F64 && k->type.rank < 2;
}

bool gen_stm_withvjp(Gen *g) {
  Known *pick = gen_pick(g, fits);
  if (!pick) return false;
  Known k = *pick;
  if (gen_chance(g, 25)) return product(g), true;
  int which = (int)gen_random(g, 3);
  Exp exp = {.form = FORM_WITHVJP, .withvjp = {.args = atoms_of(g->arena, 1, &k.atom)}};
  bool vector = k.type.rank == 1;
  exp.withvjp.fn = vector ? vector_lambda(g, which, 1, k.type) : scalar_lambda(g, &g->b, which, 1);
  exp.withvjp.rev = vector ? vector_lambda(g, which, 2, k.type) : scalar_lambda(g, &g->b, which, 2);
  Types types = {0};
  list_push(g->arena, &types, k.type);
  types.at[0].unique = false;
  g->b.attrs.exact = gen_chance(g, 40);
  Vars vars = build_many(&g->b, "y", types, exp);
  g->b.attrs = (Attrs){0};
  gen_know(g, atom_var(vars.at[0]), vector ? k.roots | gen_root(g) : 0);
  return true;
}
