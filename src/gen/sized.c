// Results whose size only running tells: a match on arrays of different lengths, a loop whose
// array grows or shrinks.  Their types mention the size bound beside them.
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

// while (c) (m, v) { (m / 2, map f v[:m / 2]), or every second element }
static Atom half_of(Gen *g, Atom m, Atom v, Prim p, Atom *less) {
  bool second = gen_chance(g, 50);
  Atom step = atom_i64(second ? 2 : 1), s = gen_scalar(g, p);
  *less = build_op(&g->b, OP_QUOT, m, atom_i64(2));
  Slice slice = {0};
  list_push(g->arena, &slice, (SliceDim){.start = atom_i64(0), .count = *less, .stride = step});
  Exp part = {.form = FORM_INDEX, .index = {.array = v, .slice = slice}};
  Atom rest = build(&g->b, "half", type_array(g->arena, type_scalar(p), *less), part);
  GenOver o = gen_over_begin(g, *less);
  Atom x = gen_mix(g, gen_read1(g, rest, o.i), s);
  return gen_over_end1(g, &o, prim_is_float(p) ? build_op1(&g->b, OP_TANH, x) : x);
}

// { (m + 1, v ++ [x]) } until there are four
static Atom one_more(Gen *g, Atom m, Atom v, Prim p, Atom *more) {
  Atom x = gen_scalar(g, p);
  *more = build_op(&g->b, OP_ADD, m, atom_i64(1));
  Exp one = {.form = FORM_LITERAL, .literal = {.prim = p, .elems = atoms_of(g->arena, 1, &x)}};
  Atom last = build(&g->b, "x", type_array(g->arena, type_scalar(p), atom_i64(1)), one);
  Exp join = {.form = FORM_CONCAT};
  join.concat.arrays = atoms_of(g->arena, 2, (Atom[]){v, last});
  return build(&g->b, "v", type_array(g->arena, type_scalar(p), *more), join);
}

static bool sized_while(Gen *g) {
  Known *pick = gen_pick(g, is_vector);
  if (!pick || pick->type.prim >= PRIM_BOOL) return false;
  Known k = *pick;
  Prim p = k.type.prim;
  bool grows = gen_chance(g, 40);
  Vars params = {0};
  list_push(g->arena, &params, var_new(g->prog, "c", type_scalar(PRIM_BOOL)));
  Vars sized = sized_vars(g, p);
  for (int i = 0; i < sized.len; i++) list_push(g->arena, &params, sized.at[i]);
  LambdaBuilder lb = lambda_begin(&g->b, "w", (Types){0});
  lb.lambda->params = params;
  GenMark mark = gen_enter(g, &lb);
  sized_know(g, sized, ROOT_SHARED);
  if (gen_chance(g, 30)) gen_statements(g, 2);
  Atom m = atom_var(sized.at[0]), v = atom_var(sized.at[1]), size, next;
  next = grows ? one_more(g, m, v, p, &size) : half_of(g, m, v, p, &size);
  Atom again = grows ? build_op(&g->b, OP_LT, size, atom_i64(4))
                     : build_op(&g->b, OP_LT, atom_i64(0), size);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 3, (Atom[]){again, size, next}));
  fn->rets = types_of_vars(g->prog, params);
  gen_leave(g, mark);
  Exp exp = {.form = FORM_LOOP, .loop = {.bound = atom_scalar(scalar_int(PRIM_UNIT, 0)), .fn = fn}};
  exp.loop.inits = atoms_of(g->arena, 3, (Atom[]){atom_bool(true), k.type.dims[0], k.atom});
  Vars out = {0}, now = sized_vars(g, p);
  list_push(g->arena, &out, var_new(g->prog, "c", type_scalar(PRIM_BOOL)));
  for (int i = 0; i < now.len; i++) list_push(g->arena, &out, now.at[i]);
  build_stm(&g->b, (Stm){.bound = out, .exp = exp});
  sized_know(g, now, k.roots | ROOT_SHARED);
  if (p == gen_real(g)) gen_know(g, gen_total(g, atom_var(now.at[1])), 0);
  return true;
}

bool gen_stm_sized(Gen *g) {
  if (gen_chance(g, 30)) return sized_while(g);
  return gen_chance(g, 60) ? sized_match(g) : sized_loop(g);
}
