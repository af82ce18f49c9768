// Results whose size only running tells: a match on arrays of different lengths, a loop whose
// array grows.  Their types mention the size bound beside them.
#include "local.h"

static bool is_vector(Gen *g, const Known *k) {
  (void)g;
  return k->type.rank == 1;
}

// (m : i64, v : [m]p)
static Vars sized_vars(Gen *g, Prim p) {
  Vars vars = {0};
  Var m = var_new(g->prog, "m", type_scalar(PRIM_I64));
  list_push(g->arena, &vars, m);
  list_push(g->arena, &vars,
            var_new(g->prog, "v", type_array(g->arena, type_scalar(p), atom_var(m))));
  return vars;
}

static void sized_know(Gen *g, Vars vars, uint64_t roots) {
  gen_know(g, atom_var(vars.at[0]), 0);
  gen_know(g, atom_var(vars.at[1]), roots);
}

static Body sized_body(Gen *g, Known k) {
  Body body = {.results = atoms_of(g->arena, 2, (Atom[]){k.type.dims[0], k.atom})};
  return body;
}

static bool sized_match(Gen *g) {
  Known *pick = gen_pick(g, is_vector);
  if (!pick) return false;
  Known a = *pick, b = a;
  for (int i = 0; i < g->known.len; i++) {
    const Known *k = &g->known.at[i];
    if (gen_usable(g, k) && k->type.rank == 1 && k->type.prim == a.type.prim && gen_chance(g, 40))
      b = *k;
  }
  Atom cond = gen_scalar(g, PRIM_BOOL);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &cond)}};
  Case yes = {.body = sized_body(g, a)}, no = {.body = sized_body(g, b)};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  Stm stm = {.bound = sized_vars(g, a.type.prim), .exp = exp};
  build_stm(&g->b, stm);
  sized_know(g, stm.bound, a.roots | b.roots | gen_root(g));
  return true;
}

// loop (m, v) = (n, xs) for i < 0..3 { (m + 1, v ++ [x]) }
static bool sized_loop(Gen *g) {
  Known *pick = gen_pick(g, is_vector);
  if (!pick) return false;
  Known k = *pick;
  Prim p = k.type.prim;
  Vars params = sized_vars(g, p);
  LambdaBuilder lb = lambda_begin(&g->b, "i", (Types){0});
  list_push(g->arena, &lb.lambda->params, var_new(g->prog, "i", type_scalar(PRIM_I64)));
  list_push(g->arena, &lb.lambda->params, params.at[0]);
  list_push(g->arena, &lb.lambda->params, params.at[1]);
  GenMark mark = gen_enter(g, &lb);
  sized_know(g, params, ROOT_SHARED);
  gen_statements(g, (int)gen_random(g, 3));
  Atom x = gen_scalar(g, p), more = build_op(&g->b, OP_ADD, atom_var(params.at[0]), atom_i64(1));
  Exp one = {.form = FORM_LITERAL, .literal = {.prim = p, .elems = atoms_of(g->arena, 1, &x)}};
  Atom last = build(&g->b, "x", type_array(g->arena, type_scalar(p), atom_i64(1)), one);
  Exp join = {.form = FORM_CONCAT};
  join.concat.arrays = atoms_of(g->arena, 2, (Atom[]){atom_var(params.at[1]), last});
  Atom longer = build(&g->b, "v", type_array(g->arena, type_scalar(p), more), join);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 2, (Atom[]){more, longer}));
  fn->rets = types_of_vars(g->prog, params);
  gen_leave(g, mark);
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true,
                      .bound = atom_i64(gen_random(g, 4)),
                      .inits = atoms_of(g->arena, 2, (Atom[]){k.type.dims[0], k.atom}),
                      .fn = fn}};
  Stm stm = {.bound = sized_vars(g, p), .exp = exp};
  build_stm(&g->b, stm);
  sized_know(g, stm.bound, k.roots | ROOT_SHARED);
  return true;
}

bool gen_stm_sized(Gen *g) { return gen_chance(g, 60) ? sized_match(g) : sized_loop(g); }
