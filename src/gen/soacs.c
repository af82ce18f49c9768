// Second-order statements.  Widths are sizes of arrays that are known, inputs are arrays of that
// width, and iotas of the width are frequent inputs: their rows are valid indices.
#include "local.h"

static bool is_array(Gen *g, const Known *k) {
  (void)g;
  return k->type.rank > 0;
}

static void input_push(Gen *g, GenInputs *in, Atom array, bool iota) {
  list_push(g->arena, &in->inputs, array);
  list_push(g->arena, &in->rows, type_row(atom_type(g->prog, array)));
  in->is_iota[in->inputs.len - 1] = iota;
}

bool gen_inputs_pick(Gen *g, GenInputs *in) {
  Known *pick = gen_pick(g, is_array);
  if (!pick) return false;
  Known first = *pick;
  *in = (GenInputs){.width = first.type.dims[0], .is_iota = NEW_ARRAY(g->arena, bool, 8)};
  input_push(g, in, first.atom, false);
  for (int i = 0; i < g->known.len && in->inputs.len < 3; i++) {
    const Known *k = &g->known.at[i];
    if (k->type.rank > 0 && gen_usable(g, k) && atom_same(k->type.dims[0], in->width) &&
        gen_chance(g, 20))
      input_push(g, in, k->atom, false);
  }
  if (gen_chance(g, 50)) {
    Atom iota = build_iota(&g->b, in->width);
    gen_know(g, iota, gen_root(g));
    input_push(g, in, iota, true);
  }
  return true;
}

// ---- lambdas over rows
// At most one input gives its rows away; nothing in the lambda mentions that input otherwise.
static int pick_consumable(Gen *g, const GenInputs *in) {
  for (int i = 0; i < in->inputs.len; i++) {
    uint64_t roots = gen_roots_of(g, in->inputs.at[i]);
    if (in->rows.at[i].rank == 0 || roots == 0 || (roots & ~g->owned)) continue;
    bool shared = false;
    for (int j = 0; j < in->inputs.len; j++)
      shared = shared || (j != i && (gen_roots_of(g, in->inputs.at[j]) & roots));
    if (!shared && gen_chance(g, 40)) return i;
  }
  return -1;
}

GenRows gen_rows_begin(Gen *g, const GenInputs *in) {
  GenRows rl = {.lb = lambda_begin(&g->b, "x", in->rows), .dead = g->dead};
  rl.consumable = pick_consumable(g, in);
  if (rl.consumable >= 0) g->dead |= gen_roots_of(g, in->inputs.at[rl.consumable]);
  rl.mark = gen_enter(g, &rl.lb);
  Vars params = rl.lb.lambda->params;
  for (int i = 0; i < params.len; i++) {
    Atom p = atom_var(params.at[i]);
    if (in->is_iota[i]) {
      gen_know_below(g, p, in->width);
    } else if (i == rl.consumable) {
      rl.root = gen_root(g);
      gen_know(g, p, rl.root);
    } else {
      gen_know(g, p, in->rows.at[i].rank ? ROOT_SHARED : 0);
    }
  }
  return rl;
}

Lambda *gen_rows_end(Gen *g, GenRows *rl, Atoms results) {
  Lambda *fn = lambda_end(&rl->lb, results);
  gen_leave(g, rl->mark);
  bool consumed = rl->consumable >= 0 && (g->dead & rl->root);
  if (rl->consumable >= 0 && !consumed) g->dead = rl->dead;
  return fn;
}

static Types result_types(Gen *g) {
  Types types = {0};
  int n = (int)gen_random(g, 2) + 1;
  for (int i = 0; i < n; i++)
    list_push(g->arena, &types, gen_chance(g, 75) ? type_scalar(gen_prim(g)) : gen_type(g, 1));
  return types;
}

int gen_body_size(Gen *g) { return (int)gen_random(g, 5) + 1; }

void gen_bind(Gen *g, Exp exp) {
  Vars vars = build_many(&g->b, NULL, exp_types(g->prog, &exp), exp);
  gen_know_fresh(g, vars);
}

bool gen_stm_map(Gen *g) {
  GenInputs in;
  if (!gen_inputs_pick(g, &in)) return false;
  Types wants = result_types(g);
  GenRows rl = gen_rows_begin(g, &in);
  Atoms results = gen_body(g, gen_body_size(g), wants);
  Lambda *fn = gen_rows_end(g, &rl, results);
  Attrs attrs = g->b.attrs;
  if (!in.width.is_var && gen_chance(g, 40)) g->b.attrs.unroll = true;
  gen_bind(g, (Exp){.form = FORM_MAP, .map = {.width = in.width, .fn = fn, .inputs = in.inputs}});
  g->b.attrs = attrs;
  return true;
}

// ---- associative operators
static Op pick_op(Gen *g, Prim p) {
  static const Op ints[] = {OP_ADD, OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
  static const Op floats[] = {OP_ADD, OP_ADD, OP_ADD, OP_MUL, OP_MIN, OP_MAX};
  static const Op bools[] = {OP_AND, OP_OR, OP_XOR};
  if (p == PRIM_BOOL) return bools[gen_random(g, COUNT_OF(bools))];
  if (prim_is_float(p)) return floats[gen_random(g, g->options.smooth ? 4 : COUNT_OF(floats))];
  return ints[gen_random(g, COUNT_OF(ints))];
}

static Atom extreme(Prim p, bool largest) {
  if (prim_is_float(p)) return atom_number(p, largest ? 1e300 * 1e300 : -1e300 * 1e300);
  int bits = 8 * prim_info[p].bytes;
  uint64_t ones = prim_is_signed(p) ? (1ull << (bits - 1)) - 1 : ~0ull >> (64 - bits);
  int64_t low = prim_is_signed(p) ? -(int64_t)ones - 1 : 0;
  return atom_scalar(scalar_int(p, largest ? (int64_t)ones : low));
}

static Atom neutral_of(Op op, Prim p) {
  if (op == OP_MUL) return atom_number(p, 1);
  if (op == OP_AND) return p == PRIM_BOOL ? atom_bool(true) : atom_scalar(scalar_int(p, -1));
  if (op == OP_MIN || op == OP_MAX) return extreme(p, op == OP_MIN);
  return atom_number(p, 0);
}

static Types twice(Gen *g, Types types) {
  Types all = {0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < types.len; i++) list_push(g->arena, &all, types.at[i]);
  return all;
}

// Affine functions of one variable under composition: (a, b) then (c, d) is (a*c, b*c + d).
static Operator affine(Gen *g, Types types) {
  Prim p = types.at[0].prim;
  LambdaBuilder lb = lambda_begin(&g->b, "f", twice(g, types));
  Atoms f = atoms_of_vars(g->arena, lb.lambda->params);
  Atom a = build_op(&lb.inner, OP_MUL, f.at[0], f.at[2]);
  Atom b = build_op(&lb.inner, OP_ADD, build_op(&lb.inner, OP_MUL, f.at[1], f.at[2]), f.at[3]);
  Operator op = {.op = lambda_end(&lb, atoms_of(g->arena, 2, (Atom[]){a, b}))};
  op.neutral = atoms_of(g->arena, 2, (Atom[]){atom_number(p, 1), atom_number(p, 0)});
  return op;
}

// x + y + c x y, for a c from outside: (1 + c x)(1 + c y) = 1 + c z.  Neutral: 0.
static Operator with_free(Gen *g, Types types) {
  Prim p = types.at[0].prim;
  Atom c = gen_scalar(g, p);
  LambdaBuilder lb = lambda_begin(&g->b, "x", twice(g, types));
  Builder *b = &lb.inner;
  Atom x = atom_var(lb.lambda->params.at[0]), y = atom_var(lb.lambda->params.at[1]);
  Atom cxy = build_op(b, OP_MUL, c, build_op(b, OP_MUL, x, y));
  Atom sum = build_op(b, OP_ADD, build_op(b, OP_ADD, x, y), cxy), zero = atom_number(p, 0);
  return (Operator){.op = lambda_end(&lb, atoms_of(g->arena, 1, &sum)), .comm = true,
                    .neutral = atoms_of(g->arena, 1, &zero)};
}

// Sums of pairs and of their products: (p, s) (q, t) -> (p + q + s t, s + t).  Neutral: (0, 0).
static Operator pair_sum(Gen *g, Types types) {
  Prim p = types.at[0].prim;
  LambdaBuilder lb = lambda_begin(&g->b, "x", twice(g, types));
  Builder *b = &lb.inner;
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  Atom st = build_op(b, OP_MUL, x.at[1], x.at[3]), zero = atom_number(p, 0);
  Atom out[] = {build_op(b, OP_ADD, build_op(b, OP_ADD, x.at[0], x.at[2]), st),
                build_op(b, OP_ADD, x.at[1], x.at[3])};
  return (Operator){.op = lambda_end(&lb, atoms_of(g->arena, 2, out)), .comm = true,
                    .neutral = atoms_of(g->arena, 2, (Atom[]){zero, zero})};
}

// The pair with the larger first component, the earlier of equal ones.
static Operator larger_pair(Gen *g, Types types) {
  Prim p = types.at[0].prim;
  LambdaBuilder lb = lambda_begin(&g->b, "x", twice(g, types));
  Builder *b = &lb.inner;
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  Atom better = build_op(b, OP_LT, x.at[0], x.at[2]);
  Atom out[] = {build_select(b, better, x.at[2], x.at[0]),
                build_select(b, better, x.at[3], x.at[1])};
  return (Operator){.op = lambda_end(&lb, atoms_of(g->arena, 2, out)),
                    .neutral = atoms_of(g->arena, 2, (Atom[]){extreme(p, false),
                                                              atom_number(p, 0)})};
}

static Operator of_pairs(Gen *g, Types types) {
  uint32_t kind = gen_random(g, g->options.smooth ? 2 : 3);
  return kind == 0 ? affine(g, types) : kind == 1 ? pair_sum(g, types) : larger_pair(g, types);
}

// A scalar operator on rows, by column, perhaps with its operands exchanged.
static Operator by_column(Gen *g, Types types) {
  LambdaBuilder lb = lambda_begin(&g->b, "v", twice(g, types));
  Types row = {0};
  list_push(g->arena, &row, type_row(types.at[0]));
  Prim p = row.at[0].prim;
  Op kind = pick_op(g, p);
  Atom one = neutral_of(kind, p), dims = types.at[0].dims[0];
  bool exchanged = gen_chance(g, 30);
  Atom in[] = {atom_var(lb.lambda->params.at[exchanged]),
               atom_var(lb.lambda->params.at[!exchanged])};
  Exp map = {.form = FORM_MAP,
             .map = {.width = dims, .fn = lambda_binop(g->prog, kind, p),
                     .inputs = atoms_of(g->arena, 2, in)}};
  Atom out = build(&lb.inner, "v", types.at[0], map);
  Operator op = {.op = lambda_end(&lb, atoms_of(g->arena, 1, &out)), .comm = true};
  Atom ne = build_replicate(&g->b, atoms_of(g->arena, 1, &dims), one);
  op.neutral = atoms_of(g->arena, 1, &ne);
  return op;
}

// Elementwise addition of rows.
static Operator row_sum(Gen *g, Types types) {
  if (types.at[0].rank == 1 && gen_chance(g, 50)) return by_column(g, types);
  LambdaBuilder lb = lambda_begin(&g->b, "v", twice(g, types));
  Atom sum = build_add(&lb.inner, atom_var(lb.lambda->params.at[0]),
                       atom_var(lb.lambda->params.at[1]));
  Operator op = {.op = lambda_end(&lb, atoms_of(g->arena, 1, &sum)), .comm = true};
  Atom zero = build_zero(&g->b, types.at[0]);
  op.neutral = atoms_of(g->arena, 1, &zero);
  return op;
}

// An associative operator on elements of these types; NULL op: none is known.
Operator gen_operator(Gen *g, Types types) {
  if (types.len == 2 && types.at[0].rank == 0 && types.at[1].rank == 0 &&
      types.at[0].prim == types.at[1].prim && types.at[0].prim < PRIM_BOOL)
    return of_pairs(g, types);
  if (types.len == 1 && types.at[0].rank > 0 && types.at[0].prim < PRIM_UNIT)
    return row_sum(g, types);
  if (types.len != 1 || types.at[0].prim == PRIM_UNIT) return (Operator){0};
  Prim p = types.at[0].prim;
  if (p < PRIM_BOOL && gen_chance(g, 20)) return with_free(g, types);
  Op op = pick_op(g, p);
  Atom neutral = neutral_of(op, p);
  return (Operator){.op = lambda_binop(g->prog, op, p),
                    .neutral = atoms_of(g->arena, 1, &neutral),
                    .comm = gen_chance(g, 50)};
}

static void fold_inputs(Gen *g, Known first, Atoms *inputs, Types *rows) {
  list_push(g->arena, inputs, first.atom);
  list_push(g->arena, rows, type_row(first.type));
  if (first.type.rank > 1 || !gen_chance(g, 40)) return;
  for (int i = 0; i < g->known.len; i++) {
    const Known *k = &g->known.at[i];
    if (!gen_usable(g, k) || !type_same(k->type, first.type) || !gen_chance(g, 40)) continue;
    list_push(g->arena, inputs, k->atom);
    list_push(g->arena, rows, type_row(k->type));
    return;
  }
}

bool gen_stm_fold(Gen *g) {
  Known *pick = gen_pick(g, is_array);
  if (!pick) return false;
  Known first = *pick;
  Atoms inputs = {0};
  Types rows = {0};
  fold_inputs(g, first, &inputs, &rows);
  Operator op = gen_operator(g, rows);
  if (!op.op) return false;
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = first.type.dims[0],
                        .comm = op.comm,
                        .op = op.op,
                        .neutral = op.neutral,
                        .inputs = inputs}};
  if (gen_chance(g, 40))
    exp = (Exp){.form = FORM_SCAN,
                .scan = {.width = first.type.dims[0],
                         .exclusive = gen_chance(g, 20),
                         .op = op.op,
                         .neutral = op.neutral,
                         .inputs = inputs}};
  gen_bind(g, exp);
  return true;
}

// The operands of a fused form's operator: a number, or two of one type; none.
static Types some_parts(Gen *g) {
  Types types = {0};
  if (gen_chance(g, 30)) return types;
  Type t = type_scalar(gen_prim(g));
  bool two = t.prim < PRIM_BOOL && gen_chance(g, 30);
  for (int i = two ? 2 : 1; i > 0; i--) list_push(g->arena, &types, t);
  return types;
}

static void types_push_all(Gen *g, Types *to, Types from) {
  for (int i = 0; i < from.len; i++) list_push(g->arena, to, from.at[i]);
}

// One scan and one reduction, one plain result; post uses the scan and the plain one.
bool gen_stm_screma(Gen *g) {
  GenInputs in;
  if (!gen_inputs_pick(g, &in)) return false;
  Exp exp = {.form = FORM_SCREMA, .screma = {.width = in.width, .inputs = in.inputs}};
  Types scan = some_parts(g), red = some_parts(g), wants = {0}, post = {0};
  Type plain = type_scalar(gen_prim(g));
  types_push_all(g, &wants, scan), types_push_all(g, &wants, red);
  list_push(g->arena, &wants, plain);
  GenRows rl = gen_rows_begin(g, &in);
  exp.screma.fn = gen_rows_end(g, &rl, gen_body(g, gen_body_size(g), wants));
  if (scan.len) list_push(g->arena, &exp.screma.scans, gen_operator(g, scan));
  if (red.len) list_push(g->arena, &exp.screma.reds, gen_operator(g, red));
  types_push_all(g, &post, scan);
  list_push(g->arena, &post, plain);
  LambdaBuilder lb = lambda_begin(&g->b, "p", post);
  GenMark mark = gen_enter(g, &lb);
  for (int i = 0; i < post.len; i++) gen_know(g, atom_var(lb.lambda->params.at[i]), 0);
  Atoms outs = gen_body(g, 2, post);
  exp.screma.post = lambda_end(&lb, outs);
  gen_leave(g, mark);
  gen_bind(g, exp);
  return true;
}
