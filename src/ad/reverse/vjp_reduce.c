// Reverse mode of reduce.
#include "fold.h"

// ---- lambdas the scan-like rules are made of
static Lambda *operator_flip(const Vjp *v, const Lambda *op) {
  Lambda *flip = arena_copy(v->w.to.prog->arena, op, sizeof *op);
  int n = op->params.len / 2;
  flip->params = (Vars){0};
  for (int k = 0; k < 2 * n; k++)
    list_push(v->w.to.prog->arena, &flip->params, op->params.at[(k + n) % (2 * n)]);
  return flip;
}

// op with fresh names; free variables that vary are replaced by others of the same value that do
// not, so that nothing is contributed to them.
static Atoms inline_constant(Vjp *v, Builder *b, const Lambda *op, Atoms args) {
  Rewrite w = rewrite_new(b->prog, *b);
  Vars vars = lambda_free(b->prog, b->prog->arena, op);
  for (int i = 0; i < vars.len; i++) {
    if (!varset_has(&v->varied, vars.at[i])) continue;
    Var same = var_new(b->prog, var_info(b->prog, vars.at[i])->base, var_type(b->prog, vars.at[i]));
    rewrite_bind(&v->w, same, primal_of(v, atom_var(vars.at[i])));
    rewrite_bind(&w, vars.at[i], atom_var(same));
  }
  for (int k = 0; k < args.len; k++) rewrite_bind(&w, op->params.at[k], args.at[k]);
  rewrite_stms(&w, op->body.stms);
  return rewrite_atoms(&w, op->body.results);
}

static Types operand_types(const Vjp *v, const Lambda *op, int times) {
  Types types = {0};
  int n = op->params.len / 2;
  for (int k = 0; k < times * n; k++)
    list_push(v->w.to.prog->arena, &types, type_fresh(var_type(v->w.from, op->params.at[k % n])));
  return types;
}

Lambda *operator_constant(Vjp *v, const Lambda *op) {
  LambdaBuilder lb = lambda_begin(vjp_builder(v), "x", operand_types(v, op, 2));
  Atoms params = atoms_of_vars(vjp_arena(v), lb.lambda->params);
  return lambda_end(&lb, inline_constant(v, &lb.inner, op, params));
}

//   \l a r -> op(op(l, a), r), free variables counted in the inner application only
static Lambda *operator_between(Vjp *v, const Lambda *op) {
  LambdaBuilder lb = lambda_begin(vjp_builder(v), "x", operand_types(v, op, 3));
  Atoms params = atoms_of_vars(vjp_arena(v), lb.lambda->params);
  int n = op->params.len / 2;
  Atoms left = lambda_inline(&lb.inner, op, atoms_slice(params, 0, 2 * n));
  Atoms args = atoms_concat(vjp_arena(v), left, atoms_slice(params, 2 * n, n));
  return lambda_end(&lb, inline_constant(v, &lb.inner, op, args));
}

// Adjoints of the operands `a` of operator_between at (ls, as, rs), seeded as given.
static Atoms vjp_between(Vjp *v, Atom width, const Lambda *op, Atoms ls, Atoms as, Atoms rs,
                         const Adj *seeds, const bool *varied) {
  int n = op->params.len / 2;
  Lambda *fn = operator_between(v, op);
  bool *want = NEW_ARRAY(vjp_arena(v), bool, 3 * n + 1);
  for (int k = 0; k < n; k++) want[n + k] = varied[k];
  activate(v, fn, want);
  Atoms inputs = atoms_concat(vjp_arena(v), atoms_concat(vjp_arena(v), ls, as), rs);
  return atoms_slice(vjp_map_with(v, width, fn, inputs, (Atoms){0}, seeds, want), n, n);
}

//   y = reduce op ne as    l_i = a_0 . .. . a_(i-1)    r_i = a_(i+1) . .. . a_(n-1)
//   aiB += J_a op(op(l_i, a), r_i)^T yB
// from the last to the first, so that the scan that makes the r_i takes in the rest.
static Atoms general_adjoints(Vjp *v, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  Builder *b = vjp_builder(v);
  int n = e->inputs.len;
  Atom width = primal_of(v, e->width);
  Atoms ne = rewrite_atoms(&v->w, e->neutral), as = rewrite_atoms(&v->w, e->inputs);
  Lambda *op = rewrite_lambda(&v->w, e->op);
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, n);
  bool *varied = NEW_ARRAY(vjp_arena(v), bool, n);
  for (int k = 0; k < n; k++) {
    varied[k] = is_varied(v, e->inputs.at[k]);
    if (!adj_is_zero(v, stm->bound.at[k]))
      seeds[k] = (Adj){.kind = ADJ_BROADCAST, .value = adj_value(v, stm->bound.at[k])};
  }
  Atoms ls = atoms_reversed(b, build_scan_exclusive(b, width, op, ne, as)),
        back = atoms_reversed(b, as);
  Atoms rs = build_scan_exclusive(b, width, operator_flip(v, op), ne, back);
  Atoms cs = vjp_between(v, width, e->op, ls, back, rs, seeds, varied);
  for (int k = 0; k < cs.len; k++)
    if (!atom_absent(cs.at[k])) cs.at[k] = build_reverse(b, cs.at[k]);
  return cs;
}

static void vjp_reduce_general(Vjp *v, const Stm *stm) {
  Atoms cs = general_adjoints(v, stm);
  for (int k = 0; k < cs.len; k++)
    if (!atom_absent(cs.at[k])) contribute(v, stm->exp.reduce.inputs.at[k], cs.at[k], true);
}

// ---- products
static bool is_product(const Lambda *op) {
  Op kind;
  Prim p;
  return lambda_is_op(op, &kind, &p) && kind == OP_MUL && (p == PRIM_F64 || p == PRIM_F32);
}

// Where the product is well inside the range of normal numbers no factor is zero and dividing
// loses nothing:   y = product as    aiB += yB (y / ai)
static void vjp_reduce_product(Vjp *v, const Stm *stm) {
  Builder *b = vjp_builder(v);
  Atom y = primal_of(v, atom_var(stm->bound.at[0])), yB = adj_value(v, stm->bound.at[0]);
  Prim p = atom_type(b->prog, y).prim;
  Atom low = atom_number(p, p == PRIM_F64 ? 1e-290 : 1e-30);
  Atom high = atom_number(p, p == PRIM_F64 ? 1e290 : 1e30), size = build_op1(b, OP_ABS, y);
  Atom below = build_op(b, OP_LT, size, high), above = build_op(b, OP_LT, low, size);
  Atom normal = build_op(b, OP_AND, above, below);
  Atom width = primal_of(v, stm->exp.reduce.width), as = primal_of(v, stm->exp.reduce.inputs.at[0]);
  PickBuilder pick = pick_begin(b, normal);
  MapBuilder m = map_begin(&pick.then, width, atoms1(vjp_arena(v), as));
  Atom rest = build_op(&m.lb.inner, OP_DIV, y, map_param(&m, 0));
  Atom fast = map_end1(&m, "adj", build_times(&m.lb.inner, yB, rest));
  Builder outer = v->w.to;
  v->w.to = pick.otherwise;
  Atom slow = general_adjoints(v, stm).at[0];
  v->w.to = outer;
  Type type = type_fresh(atom_type(b->prog, as));
  contribute(v, stm->exp.reduce.inputs.at[0], pick_end(&pick, type, fast, slow), true);
}

// ---- minimum and maximum
// \x y -> max x y; of \x y -> max y x equal numbers are the last one's, as the general rule
// has it. Operators of floats are max_first by now (first_winner.c).
bool operator_is_extremum(const Prog *prog, const Lambda *op, Op *kind, Prim *p) {
  if (!lambda_is_op(op, kind, p) || !op_is_extremum(*kind)) return false;
  bool straight = atom_is_var(op->body.stms.at[0].exp.prim.args.at[0], op->params.at[0]);
  return straight && prog_may(prog, SWITCH_EXTREMA);
}

//   \(a, i) (b, j) -> the better of a and b, with its index; ties to the smaller index
Lambda *extremum_operator(Vjp *v, Op kind, Prim p) {
  Types types = {0};
  for (int half = 0; half < 2; half++) {
    list_push(vjp_arena(v), &types, type_scalar(p));
    list_push(vjp_arena(v), &types, type_scalar(PRIM_I64));
  }
  LambdaBuilder lb = lambda_begin(vjp_builder(v), "x", types);
  Builder *b = &lb.inner;
  Atoms x = atoms_of_vars(vjp_arena(v), lb.lambda->params);
  Atom a = x.at[0], i = x.at[1], c = x.at[2], j = x.at[3];
  Atom better =
      kind == OP_MAX || kind == OP_MAX_FIRST ? build_op(b, OP_LT, c, a) : build_op(b, OP_LT, a, c);
  if (prim_is_float(p)) better = build_op(b, OP_OR, better, build_op(b, OP_NE, c, c));
  Atom tie = build_op(b, OP_AND, build_op(b, OP_EQ, a, c), build_op(b, OP_LE, i, j));
  Atom first = build_op(b, OP_OR, better, tie);
  Atoms out = atoms2(vjp_arena(v), build_op(b, kind, a, c), build_select(b, first, i, j));
  return lambda_end(&lb, out);
}

// ---- operators that select one of their operands: (u.., v..) -> if c then u.. else v..
// whose: 0 where the condition chooses the first operand, 1 the second.
static bool is_operand(const Lambda *op, Atoms results, int *whose) {
  int n = op->params.len / 2;
  for (*whose = 0; *whose < 2; (*whose)++) {
    bool all = true;
    for (int k = 0; k < n; k++)
      all = all && atom_is_var(results.at[k], op->params.at[*whose * n + k]);
    if (all) return true;
  }
  return false;
}

static const Stm *definition(const Body *body, Atom a) {
  for (int i = 0; a.is_var && i < body->stms.len; i++) {
    const Vars *bound = &body->stms.at[i].bound;
    if (bound->len && atom_is_var(a, bound->at[0])) return &body->stms.at[i];
  }
  return NULL;
}

static bool selects_each(const Prog *prog, const Lambda *op, Atom *cond, int *whose) {
  Atoms yes = {0}, no = {0};
  int other;
  for (int k = 0; k < op->body.results.len; k++) {
    const Stm *stm = definition(&op->body, op->body.results.at[k]);
    if (!stm || stm->exp.form != FORM_PRIM || stm->exp.prim.op != OP_SELECT) return false;
    Atoms args = stm->exp.prim.args;
    if (k > 0 && !atom_same(args.at[0], *cond)) return false;
    *cond = args.at[0];
    list_push(prog->arena, &yes, args.at[1]);
    list_push(prog->arena, &no, args.at[2]);
  }
  return is_operand(op, yes, whose) && is_operand(op, no, &other) && other != *whose;
}

static bool selects_at_once(const Lambda *op, Atom *cond, int *whose) {
  const Stm *stm = definition(&op->body, op->body.results.at[0]);
  int other;
  if (!stm || stm->exp.form != FORM_MATCH || stm->bound.len != op->body.results.len) return false;
  const struct match_form *e = &stm->exp.match;
  if (e->args.len != 1 || e->cases.len != 2 || !e->cases.at[0].pats.at[0].lit.i) return false;
  for (int k = 0; k < stm->bound.len; k++)
    if (!atom_is_var(op->body.results.at[k], stm->bound.at[k])) return false;
  *cond = e->args.at[0];
  return is_operand(op, e->cases.at[0].body.results, whose) &&
         is_operand(op, e->cases.at[1].body.results, &other) && other != *whose;
}

static bool is_selection(const Prog *prog, const Lambda *op, Atom *cond, int *whose) {
  if (op->body.results.len == 0) return false;
  if (!selects_each(prog, op, cond, whose) && !selects_at_once(op, cond, whose)) return false;
  return atom_type(prog, *cond).prim == PRIM_BOOL;
}

//   \(u.., i) (v.., j) -> (op(u.., v..), if c then i else j)
static Lambda *selection_operator(Vjp *v, const Lambda *op, Atom cond, int whose) {
  Builder *b = vjp_builder(v);
  int n = op->params.len / 2;
  Types types = {0};
  for (int half = 0; half < 2; half++) {
    for (int k = 0; k < n; k++)
      list_push(vjp_arena(v), &types, type_fresh(var_type(b->prog, op->params.at[k])));
    list_push(vjp_arena(v), &types, type_scalar(PRIM_I64));
  }
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms x = atoms_of_vars(vjp_arena(v), lb.lambda->params);
  Rewrite w = rewrite_new(b->prog, lb.inner);
  for (int k = 0; k < 2 * n; k++) rewrite_bind(&w, op->params.at[k], x.at[k < n ? k : k + 1]);
  rewrite_stms(&w, op->body.stms);
  Atom c = rewrite_atom(&w, cond), i = x.at[n], j = x.at[2 * n + 1];
  Atom winner = whose == 0 ? build_select(&w.to, c, i, j) : build_select(&w.to, c, j, i);
  Atoms out = rewrite_atoms(&w, op->body.results);
  return lambda_end(&lb, atoms_concat(vjp_arena(v), out, atoms1(vjp_arena(v), winner)));
}

// The operator with the index of the winner along; NULL where no operand wins.
static Lambda *winner_operator(Vjp *v, const Lambda *op) {
  Op kind;
  Prim p;
  Atom cond;
  int whose;
  if (operator_is_extremum(v->w.from, op, &kind, &p)) return extremum_operator(v, kind, p);
  if (!is_selection(v->w.from, op, &cond, &whose)) return NULL;
  if (!prog_may(v->w.from, SWITCH_SELECTIONS)) return NULL;
  Lambda *emitted = rewrite_lambda(&v->w, op);
  check(is_selection(v->w.to.prog, emitted, &cond, &whose));
  return selection_operator(v, emitted, cond, whose);
}

// The values that FWD leaves for RET: the index of the winner, or the states of a fold.
typedef struct {
  Atom winner;
  Atoms states;
} ReduceSave;

static ReduceSave *new_save(Vjp *v, const Stm *stm) {
  ReduceSave *save = NEW(vjp_arena(v), ReduceSave);
  save->winner = atom_none();
  save_put(v, stm, save);
  return save;
}

// FWD carries the index of the winner along.
void vjp_reduce_forward(Vjp *v, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  Arena *arena = vjp_arena(v);
  Lambda *op = winner_operator(v, e->op);
  if (!op && !is_product(e->op) && states_in_forward(v, stm) && reduce_is_fold(v, e->op)) {
    new_save(v, stm)->states = vjp_reduce_states(v, stm);
    return;
  }
  if (!op) {
    vjp_copy(v, stm);
    return;
  }
  Builder *b = vjp_builder(v);
  Atom width = primal_of(v, e->width);
  Atoms ne = atoms_concat(arena, rewrite_atoms(&v->w, e->neutral), atoms1(arena, atom_i64(-1)));
  Atoms in = atoms_concat(arena, rewrite_atoms(&v->w, e->inputs),
                          atoms1(arena, build_iota(b, width)));
  Atoms out = build_reduce(b, width, op, ne, in);
  int n = stm->bound.len;
  for (int k = 0; k < n; k++) rewrite_bind(&v->w, stm->bound.at[k], out.at[k]);
  new_save(v, stm)->winner = out.at[n];
}

//   y.. = select as..    as[winner]B += yB, if there is a winner
//   y = sum as           aiB += yB
void vjp_reduce(Vjp *v, const Stm *stm) {
  const struct reduce_form *e = &stm->exp.reduce;
  const ReduceSave *save = save_get(v, stm);
  if (rule_is_sum(v->w.from, e->op)) {
    contribute_broadcast(v, e->inputs.at[0], adj_value(v, stm->bound.at[0]));
    return;
  }
  if (!save || atom_absent(save->winner)) {
    if (is_product(e->op) && prog_may(v->w.from, SWITCH_PRODUCTS)) vjp_reduce_product(v, stm);
    else if (reduce_is_fold(v, e->op)) vjp_reduce_fold(v, stm, save ? save->states : (Atoms){0});
    else vjp_reduce_general(v, stm);
    return;
  }
  Atom guard = build_op(vjp_builder(v), OP_LE, atom_i64(0), save->winner);
  for (int k = 0; k < stm->bound.len; k++)
    if (!adj_is_zero(v, stm->bound.at[k]) && is_varied(v, e->inputs.at[k]))
      contribute_row(v, e->inputs.at[k],
                      (SparseRow){.guard = guard, .index = save->winner, .unchecked = true,
                             .value = adj_value(v, stm->bound.at[k])});
}
