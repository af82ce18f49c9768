// Accumulators: an array is made writable, updated from a map or a loop, and given back.
#include "local.h"

static Type acc_type(Var token, Type array) {
  array.is_acc = true;
  array.index_rank = 1;
  array.token = token;
  array.unique = false;
  return array;
}

// One update of acc at an index near row number i.
static Atom update(Gen *g, Atom acc, Type array, Atom i) {
  Atom at = i;
  if (gen_chance(g, 60)) {
    at = build_op(&g->b, OP_MUL, i, atom_i64(gen_random(g, 3) + 1));
    at = build_op(&g->b, OP_MOD, at, atom_i64(gen_random(g, 4) + 1));
  }
  gen_statements(g, (int)gen_random(g, 4));
  Atom value = gen_value(g, type_row(array));
  Exp exp = {.form = FORM_UPDATEACC,
             .updateacc = {.acc = acc, .index = atoms_of(g->arena, 1, &at), .value = value}};
  return build(&g->b, "acc", atom_type(g->prog, acc), exp);
}

// Rows (i, acc) of a map over an iota, or the iterations of a loop.
static Atom update_many(Gen *g, Atom acc, Type array) {
  Type type = atom_type(g->prog, acc);
  Atom n = gen_size(g);
  bool map = gen_chance(g, 60);
  Types params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  list_push(g->arena, &params, type);
  Atom iota = map ? build_iota(&g->b, n) : n;
  LambdaBuilder lb = lambda_begin(&g->b, "acc", params);
  GenMark mark = gen_enter(g, &lb);
  Atom i = atom_var(lb.lambda->params.at[0]);
  gen_know_below(g, i, n);
  Atom next = update(g, atom_var(lb.lambda->params.at[1]), array, i);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 1, &next));
  gen_leave(g, mark);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = n,
                     .fn = fn,
                     .inputs = atoms_of(g->arena, 2, (Atom[]){iota, acc})}};
  if (!map)
    exp = (Exp){.form = FORM_LOOP,
                .loop = {.is_for = true,
                         .bound = n,
                         .inits = atoms_of(g->arena, 1, &acc),
                         .fn = fn}};
  return build(&g->b, "acc", type, exp);
}

static bool is_dest(Gen *g, const Known *k) {
  return gen_consumable(g, k) && k->type.prim < PRIM_BOOL;
}

bool gen_stm_withacc(Gen *g) {
  Known *pick = gen_pick(g, is_dest);
  if (!pick) return false;
  Known k = *pick;
  g->dead |= k.roots;
  Prim p = k.type.prim;
  Atom zero = atom_number(p, 0);
  Operator op = {.op = lambda_binop(g->prog, OP_ADD, p), .comm = true};
  op.neutral = atoms_of(g->arena, 1, &zero);
  Types params = {0};
  list_push(g->arena, &params, k.type);
  LambdaBuilder lb = lambda_begin(&g->b, "acc", params);
  Var token = lb.lambda->params.at[0];
  g->prog->vars.at[token.id].type = acc_type(token, k.type);
  GenMark mark = gen_enter(g, &lb);
  Atom acc = update_many(g, atom_var(token), k.type);
  if (gen_chance(g, 30)) acc = update_many(g, acc, k.type);
  Atom other = gen_scalar(g, PRIM_F64);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 2, (Atom[]){acc, other}));
  gen_leave(g, mark);
  Exp exp = {.form = FORM_WITHACC, .withacc = {.arrays = atoms_of(g->arena, 1, &k.atom), .fn = fn}};
  list_push(g->arena, &exp.withacc.ranks, 1);
  list_push(g->arena, &exp.withacc.ops, op);
  Vars vars = build_many(&g->b, NULL, exp_types(g->prog, &exp), exp);
  gen_know_fresh(g, vars);
  return true;
}
