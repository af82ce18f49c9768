// Accumulators: one or two arrays are made writable, updated from maps and loops, perhaps in only
// one branch, and given back.
#include "local.h"
#include <math.h>

static Type acc_type(Var token, Type array) {
  array.is_acc = true;
  array.index_rank = 1;
  array.token = token;
  array.unique = false;
  return array;
}

static Type row_of(Gen *g, Atom acc) {
  Type t = atom_type(g->prog, acc);
  t.is_acc = false;
  return type_row(t);
}

// One update of acc at an index near row number i.
static Atom update(Gen *g, Atom acc, Atom i) {
  Atom at = i;
  if (gen_chance(g, 60)) {
    at = build_op(&g->b, OP_MUL, i, atom_i64(gen_random(g, 3) + 1));
    at = build_op(&g->b, OP_MOD, at, atom_i64(gen_random(g, 4) + 1));
  }
  gen_statements(g, (int)gen_random(g, 4));
  Atom value = gen_value(g, row_of(g, acc));
  Exp exp = {.form = FORM_UPDATEACC,
             .updateacc = {.acc = acc, .index = atoms_of(g->arena, 1, &at), .value = value}};
  return build(&g->b, "acc", atom_type(g->prog, acc), exp);
}


// match (c) { true -> update; _ -> acc }
static Atom update_perhaps(Gen *g, Atom acc, Atom i) {
  if (gen_chance(g, 70)) return update(g, acc, i);
  Atom cond = gen_scalar(g, PRIM_BOOL);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &cond)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  Builder saved = g->b;
  int known = g->known.len;
  g->b.stms = &yes.body.stms;
  g->depth++;
  list_push(g->arena, &yes.body.results, update(g, acc, i));
  g->depth--;
  g->known.len = known;
  g->b = saved;
  list_push(g->arena, &no.body.results, acc);
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  return build(&g->b, "acc", atom_type(g->prog, acc), exp);
}

// Rows (i, acc..) of a map over an iota, or the iterations of a loop.
static Atoms update_many(Gen *g, Atoms accs) {
  Atom n = gen_size(g);
  bool map = gen_chance(g, 60);
  Types types = types_of_atoms(g->prog, accs), params = {0};
  list_push(g->arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < types.len; k++) list_push(g->arena, &params, types.at[k]);
  Atom iota = map ? build_iota(&g->b, n) : n;
  LambdaBuilder lb = lambda_begin(&g->b, "acc", params);
  GenMark mark = gen_enter(g, &lb);
  Atom i = atom_var(lb.lambda->params.at[0]);
  gen_know_below(g, i, n);
  Atoms next = {0};
  for (int k = 0; k < types.len; k++)
    list_push(g->arena, &next, update_perhaps(g, atom_var(lb.lambda->params.at[k + 1]), i));
  Lambda *fn = lambda_end(&lb, next);
  gen_leave(g, mark);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = n,
                     .fn = fn,
                     .inputs = atoms_concat(g->arena, atoms_of(g->arena, 1, &iota), accs)}};
  if (!map)
    exp = (Exp){.form = FORM_LOOP,
                .loop = {.is_for = true, .bound = n, .inits = accs, .fn = fn}};
  return atoms_of_vars(g->arena, build_many(&g->b, "acc", types, exp));
}

// while (i < 3) { one update; i + 1 }
static Atoms update_while(Gen *g, Atoms accs) {
  Atoms inits = atoms_of(g->arena, 2, (Atom[]){atom_bool(true), atom_i64(0)}), next = {0};
  inits = atoms_concat(g->arena, inits, accs);
  Types params = types_of_atoms(g->prog, inits);
  LambdaBuilder lb = lambda_begin(&g->b, "w", params);
  GenMark mark = gen_enter(g, &lb);
  Atoms in = atoms_of_vars(g->arena, lb.lambda->params);
  Atom more = build_op(&g->b, OP_ADD, in.at[1], atom_i64(1));
  list_push(g->arena, &next, build_op(&g->b, OP_LT, more, atom_i64(gen_random(g, 4))));
  list_push(g->arena, &next, more);
  for (int k = 2; k < in.len; k++)
    list_push(g->arena, &next,
              gen_chance(g, 70) ? update_perhaps(g, in.at[k], in.at[1]) : in.at[k]);
  Exp exp = {.form = FORM_LOOP, .loop = {.inits = inits}};
  exp.loop.bound = atom_scalar(scalar_int(PRIM_UNIT, 0));
  exp.loop.fn = lambda_end(&lb, next);
  gen_leave(g, mark);
  Atoms all = atoms_of_vars(g->arena, build_many(&g->b, "w", params, exp));
  return atoms_slice(all, 2, accs.len);
}

static bool is_dest(Gen *g, const Known *k) {
  return gen_consumable(g, k) && k->type.prim < PRIM_BOOL;
}

// Commutative and associative: mostly sums, else products, minima and maxima.
static Operator combination(Gen *g, Prim p) {
  if (gen_chance(g, 10)) return (Operator){0};  // overwrites
  static const Op ops[] = {OP_ADD, OP_ADD, OP_ADD, OP_ADD, OP_MUL, OP_MIN, OP_MAX};
  Op kind = ops[gen_random(g, g->options.smooth ? 5 : COUNT_OF(ops))];
  double ne = kind == OP_ADD ? 0 : kind == OP_MUL ? 1 : kind == OP_MIN ? INFINITY : -INFINITY;
  if (!prim_is_float(p) && isinf(ne)) kind = OP_ADD, ne = 0;
  Atom neutral = atom_number(p, ne);
  Operator op = {.op = lambda_binop(g->prog, kind, p), .comm = true};
  op.neutral = atoms_of(g->arena, 1, &neutral);
  return op;
}

bool gen_stm_withacc(Gen *g) {
  Exp exp = {.form = FORM_WITHACC, .withacc = {.arrays = {0}}};
  Types params = {0};
  int n = gen_chance(g, 70) ? 1 : 2;
  for (int k = 0; k < n; k++) {
    Known *pick = gen_pick(g, is_dest);
    if (!pick) break;
    Known dest = *pick;
    gen_kill(g, dest.atom);
    list_push(g->arena, &exp.withacc.arrays, dest.atom);
    list_push(g->arena, &exp.withacc.ranks, 1);
    list_push(g->arena, &exp.withacc.ops, combination(g, dest.type.prim));
    list_push(g->arena, &params, dest.type);
  }
  if (params.len == 0) return false;
  LambdaBuilder lb = lambda_begin(&g->b, "acc", params);
  for (int k = 0; k < params.len; k++) {
    Var token = lb.lambda->params.at[k];
    g->prog->vars.at[token.id].type = acc_type(token, params.at[k]);
  }
  GenMark mark = gen_enter(g, &lb);
  Atoms accs = atoms_of_vars(g->arena, lb.lambda->params);
  if (gen_chance(g, 15)) accs.at[0] = update(g, accs.at[0], gen_scalar(g, PRIM_I64));
  if (gen_chance(g, 15)) accs = update_while(g, accs);
  else accs = update_many(g, accs);
  if (gen_chance(g, 30)) accs = update_many(g, accs);
  Atom other = gen_scalar(g, gen_real(g));
  exp.withacc.fn = lambda_end(&lb, atoms_concat(g->arena, accs, atoms_of(g->arena, 1, &other)));
  gen_leave(g, mark);
  gen_bind(g, exp);
  return true;
}
