// Structures that the special rules of derivatives (core/switch.def) look for and single
// statements rarely make: operators on rows and on independent parts, recurrences whose matrices
// are equal or 1, reductions in rows, elements that win, counters and constants in loops, branches
// that update an array many times, nests that read arrays along several of their dimensions.
// Programs that are differentiated often end with one, whose results are then theirs.
#include "local.h"

static Atom add(Builder *b, Atom x, Atom y) { return build_op(b, OP_ADD, x, y); }
static Atom mul(Builder *b, Atom x, Atom y) { return build_op(b, OP_MUL, x, y); }

static Atom small(Gen *g, Atom x) {
  return prim_is_float(atom_type(g->prog, x).prim) ? build_op1(&g->b, OP_TANH, x) : x;
}

static Atom place(Gen *g, Atom i, Atom n) {  // without remainders: it can be computed again
  Builder *b = &g->b;
  Atom last = build_op(b, OP_SUB, n, atom_i64(1));
  i = add(b, i, atom_i64((int64_t)gen_random(g, 3) - 1));
  return build_op(b, OP_MAX, atom_i64(0), build_op(b, OP_MIN, i, last));
}

// map i: small (f xs[near i])
static Atom values(Gen *g, Prim p, Atom n) {
  Atom xs = gen_array(g, p, n), is = gen_indices(g, n);
  GenOver o = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, o.i), y = gen_read1(g, xs, gen_clamped(g, gen_near(g, o.i, n, is), n));
  return gen_over_end1(g, &o, small(g, gen_mix(g, x, y)));
}

// ---- operators of parts that do not mix; of one part it is the operator
static Op some_op(Gen *g) {
  static const Op ops[] = {OP_MUL, OP_MUL, OP_ADD, OP_MAX, OP_MIN};
  return ops[gen_random(g, g->options.smooth ? 3 : COUNT_OF(ops))];
}

static Atom neutral_of(Prim p, Op op) {
  if (op == OP_ADD) return atom_number(p, 0);
  if (op == OP_MUL) return atom_number(p, 1);
  return atom_number(p, op == OP_MAX ? -1000 : 1000);
}

static Lambda *parts_lambda(Builder *b, Prim p, const Op *ops, int parts) {
  Types types = {0};
  for (int i = 0; i < 2 * parts; i++) list_push(b->prog->arena, &types, type_scalar(p));
  LambdaBuilder lb = lambda_begin(b, "t", types);
  Atoms x = atoms_of_vars(b->prog->arena, lb.lambda->params), out = {0};
  for (int i = 0; i < parts; i++)
    list_push(b->prog->arena, &out, build_op(&lb.inner, ops[i], x.at[i], x.at[parts + i]));
  return lambda_end(&lb, out);
}

static void parts(Gen *g) {
  Prim p = gen_real(g);
  Op ops[3];
  int count = (int)gen_random(g, 2) + 2;
  Atom n = gen_size(g);
  Atoms inputs = {0}, neutral = {0};
  for (int i = 0; i < count; i++) {
    ops[i] = some_op(g);
    list_push(g->arena, &inputs, values(g, p, n));
    list_push(g->arena, &neutral, neutral_of(p, ops[i]));
  }
  Lambda *op = parts_lambda(&g->b, p, ops, count);
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = n, .op = op, .neutral = neutral, .inputs = inputs}};
  if (gen_chance(g, 50))
    exp = (Exp){.form = FORM_SCAN,
                .scan = {.width = n, .op = op, .neutral = neutral, .inputs = inputs}};
  gen_bind(g, exp);
}

// ---- operators that act on rows [m], column by column: of one array, or of two separate ones
static Lambda *column_lambda(Gen *g, Prim p, Atom m, const Op *ops, int parts, bool flips) {
  Types types = {0};
  for (int i = 0; i < 2 * parts; i++)
    list_push(g->arena, &types, type_array(g->arena, type_scalar(p), m));
  LambdaBuilder lb = lambda_begin(&g->b, "u", types);
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params), inputs = x;
  if (flips)
    inputs = atoms_concat(g->arena, atoms_slice(x, parts, parts), atoms_slice(x, 0, parts));
  Exp exp = {.form = FORM_MAP,
             .map = {.width = m, .fn = parts_lambda(&lb.inner, p, ops, parts), .inputs = inputs}};
  Vars out = build_many(&lb.inner, "u", exp_types(g->prog, &exp), exp);
  return lambda_end(&lb, atoms_of_vars(g->arena, out));
}

static Atom rows_of_values(Gen *g, Prim p, Atom n, Atom m) {
  Atom xs = values(g, p, n);
  GenOver o = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, o.i);
  GenOver in = gen_over_begin(g, m);
  Atom v = gen_mix(g, x, build_conv(&g->b, p, in.i));
  return gen_over_end1(g, &o, gen_over_end1(g, &in, small(g, v)));
}

static Exp rows_hist(Gen *g, Prim p, Atom n, Atom m, Operator op, Atoms rows) {
  Atom k = gen_size(g), is = gen_indices(g, n);
  Exp exp = {.form = FORM_HIST,
             .hist = {.width = n, .rank = 1, .neutral = op.neutral, .op = op.op}};
  for (int i = 0; i < rows.len; i++)
    list_push(g->arena, &exp.hist.dests, build_copy(&g->b, gen_matrix(g, p, k, m)));
  Types params = types_of_atoms(g->prog, rows);
  Atoms inputs = atoms_concat(g->arena, atoms_of(g->arena, 1, &is), rows), out = {0};
  for (int i = 0; i < params.len; i++) params.at[i] = type_row(params.at[i]);
  Types all = {0};
  list_push(g->arena, &all, type_scalar(PRIM_I64));
  for (int i = 0; i < params.len; i++) list_push(g->arena, &all, params.at[i]);
  LambdaBuilder lb = lambda_begin(&g->b, "i", all);
  GenMark mark = gen_enter(g, &lb);
  for (int i = 0; i < all.len; i++)
    list_push(g->arena, &out, atom_var(lb.lambda->params.at[i]));
  exp.hist.fn = lambda_end(&lb, out);
  gen_leave(g, mark);
  exp.hist.inputs = inputs;
  return exp;
}

static void columns(Gen *g) {
  Prim p = gen_real(g);
  Atom n = gen_size(g), m = gen_size(g);
  int count = gen_chance(g, 70) ? 1 : 2;
  Op ops[2] = {some_op(g), some_op(g)};
  Atoms rows = {0}, dims = atoms_of(g->arena, 1, &m);
  Operator op = {0};
  for (int i = 0; i < count; i++) {
    if (i == 0 && ops[0] == OP_ADD) ops[0] = OP_MUL;  // sums have a rule for rows
    list_push(g->arena, &rows, rows_of_values(g, p, n, m));
    list_push(g->arena, &op.neutral, build_replicate(&g->b, dims, neutral_of(p, ops[i])));
  }
  op.op = column_lambda(g, p, m, ops, count, gen_chance(g, 30));
  Exp exp = {.form = FORM_SCAN,
             .scan = {.width = n, .op = op.op, .neutral = op.neutral, .inputs = rows}};
  if (gen_chance(g, 30))
    exp = (Exp){.form = FORM_REDUCE,
                .reduce = {.width = n, .op = op.op, .neutral = op.neutral, .inputs = rows}};
  else if (gen_chance(g, 60))
    exp = rows_hist(g, p, n, m, op, rows);
  gen_bind(g, exp);
}

// ---- scans by linear recurrences.  The matrix is diagonal, with equal entries or 1, or a block.
typedef void (*Recurrence)(Builder *b, const Atom *x, const Atom *y, Atom *out);

// (a, b, c) (d, e, f) -> (a d, b d + e, c d + f): thrice the number d
static void shared(Builder *b, const Atom *x, const Atom *y, Atom *out) {
  out[0] = mul(b, x[0], y[0]);
  out[1] = add(b, mul(b, x[1], y[0]), y[1]);
  out[2] = add(b, mul(b, x[2], y[0]), y[2]);
}

// (a, b) (c, d) -> (a + c, b e^c + d): 1 and e^c
static void logarithmic(Builder *b, const Atom *x, const Atom *y, Atom *out) {
  Atom e = y[0];
  bool real = prim_is_float(atom_type(b->prog, e).prim);
  out[0] = add(b, x[0], y[0]);
  if (real) e = build_op1(b, OP_EXP, e);
  out[1] = real ? add(b, mul(b, x[1], e), y[1]) : add(b, x[1], y[1]);
}

static void complex_product(Builder *b, const Atom *x, const Atom *y, Atom *out) {
  out[0] = build_op(b, OP_SUB, mul(b, x[0], y[0]), mul(b, x[1], y[1]));
  out[1] = add(b, mul(b, x[0], y[1]), mul(b, x[1], y[0]));
}

enum { MOST = 3 };
typedef struct {
  Prim p;
  int count;
  Lambda *op;
  Atoms neutral;
} Composition;

static Composition composition(Gen *g) {
  static const Recurrence kinds[] = {shared, logarithmic, complex_product, logarithmic};
  static const double first[] = {1, 0, 1, 0};
  Composition c = {.p = gen_real(g)};
  int which = (int)gen_random(g, COUNT_OF(kinds));
  c.count = which == 0 ? MOST : 2;
  Atom out[MOST];
  Types types = {0};
  for (int i = 0; i < c.count; i++)
    list_push(g->arena, &c.neutral, atom_number(c.p, i ? 0 : first[which]));
  for (int i = 0; i < 2 * c.count; i++) list_push(g->arena, &types, type_scalar(c.p));
  LambdaBuilder lb = lambda_begin(&g->b, "t", types);
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  kinds[which](&lb.inner, x.at, x.at + c.count, out);
  c.op = lambda_end(&lb, atoms_of(g->arena, c.count, out));
  return c;
}

static void recurrence(Gen *g) {
  Composition c = composition(g);
  Atom n = gen_size(g);
  Atoms inputs = {0};
  for (int i = 0; i < c.count; i++) list_push(g->arena, &inputs, values(g, c.p, n));
  Exp exp = {.form = FORM_SCAN,
             .scan = {.width = n, .neutral = c.neutral, .inputs = inputs, .op = c.op}};
  gen_bind(g, exp);
}

// ---- map i (reduce op ne (map j (x[i] y[j])) z..): in every row a fold
static void folds(Gen *g) {
  Composition c = composition(g);
  Atom n = gen_size(g), m = gen_size(g), xs = gen_array(g, c.p, n);
  Atoms columns = {0}, inputs = {0};
  for (int k = 0; k < c.count; k++) list_push(g->arena, &columns, values(g, c.p, m));
  GenOver oi = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, oi.i);
  GenOver oj = gen_over_begin(g, m);
  Atom y = gen_read1(g, columns.at[0], oj.i);
  list_push(g->arena, &inputs, gen_over_end1(g, &oj, small(g, gen_mix(g, x, y))));
  for (int k = 1; k < c.count; k++) list_push(g->arena, &inputs, columns.at[k]);
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = m, .op = c.op, .neutral = c.neutral, .inputs = inputs}};
  Vars out = build_many(&g->b, "fold", c.op->rets, exp);
  gen_over_end1(g, &oi, gen_mix(g, atom_var(out.at[0]), atom_var(out.at[c.count - 1])));
}

// ---- reduce (larger) over a map: of the map only the iteration that wins matters
static Lambda *winner(Gen *g, Prim p) {
  Op op = gen_chance(g, 50) ? OP_MAX : OP_MIN;
  if (gen_chance(g, 50)) return lambda_binop(g->prog, op, p);
  Types types = {0};
  for (int i = 0; i < 2; i++) list_push(g->arena, &types, type_scalar(p));
  LambdaBuilder lb = lambda_begin(&g->b, "t", types);
  Builder *b = &lb.inner;
  Atoms x = atoms_of_vars(g->arena, lb.lambda->params);
  Atom c = build_op(b, OP_LT, build_op1(b, OP_ABS, x.at[0]), build_op1(b, OP_ABS, x.at[1]));
  Atom out = build_select(b, c, x.at[1], x.at[0]);
  return lambda_end(&lb, atoms_of(g->arena, 1, &out));
}

static void winners(Gen *g) {
  Prim p = gen_real(g);
  Atom n = gen_size(g), ys = values(g, p, n), none = atom_number(p, 0);
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = n, .op = winner(g, p), .neutral = atoms_of(g->arena, 1, &none),
                        .inputs = atoms_of(g->arena, 1, &ys)}};
  gen_bind(g, exp);
}

// ---- jvp (\x y -> f x y) (a, b) (1, 0): what b contributes is zero
static void direction(Gen *g) {
  Prim p = gen_real(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), args[2];
  Atom along[] = {atom_number(p, 1), atom_number(p, 0)};
  for (int i = 0; i < 2; i++) args[i] = gen_scalar(g, p);
  Types two = types_of_atoms(g->prog, atoms_of(g->arena, 2, args));
  LambdaBuilder lb = lambda_begin(&g->b, "x", two);
  GenMark mark = gen_enter(g, &lb);
  Atom x = atom_var(lb.lambda->params.at[0]), y = atom_var(lb.lambda->params.at[1]);
  GenOver o = gen_over_begin(g, n);
  Atom r = gen_mix(g, gen_mix(g, x, y), gen_mix(g, gen_read1(g, xs, o.i), y));
  Atom out = mul(&g->b, gen_total(g, gen_over_end1(g, &o, r)), x);
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 1, &out));
  gen_leave(g, mark);
  gen_bind(g, (Exp){.form = FORM_JVP,
                    .jvp = {.fn = fn, .args = atoms_of(g->arena, 2, args),
                            .tangents = atoms_of(g->arena, 2, along)}});
}

static void exact(Gen *g) {
  if (gen_real(g) != PRIM_F64 || !gen_stm_withvjp(g)) recurrence(g);
}

// ---- loop (s, k, v) { (f s k v xs[..], k + 2, v) }
static void counters(Gen *g) {
  Prim p = gen_real(g), c = gen_chance(g, 50) ? PRIM_I64 : PRIM_I32;
  Builder *b = &g->b;
  Atom n = gen_size(g), xs = gen_array(g, p, n), v = gen_scalar(g, p);
  Atom inits[] = {gen_scalar(g, p), atom_scalar(scalar_int(c, gen_random(g, 4))), v};
  GenLoop l = gen_loop_begin(g, n, atoms_of(g->arena, 3, inits));
  Atom k = l.state.at[1], step = atom_scalar(scalar_int(c, gen_random(g, 5) + 1));
  Atom f = mul(b, build_conv(b, p, k), gen_read1(g, xs, l.i));
  Atom s = add(b, mul(b, l.state.at[0], l.state.at[2]), f);
  Atom next[] = {prim_is_float(p) ? build_op1(b, OP_SIN, s) : s, add(b, k, step), l.state.at[2]};
  gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 3, next)));
}

// ---- for i < n { if .. { a[i] <- ..; a[i + 1] <- .. } else if .. { for .. a[..] <- .. } }
static Atom written(Gen *g, Atom a, Atom n, Atom i, Atom v) {
  Atom at = place(g, i, n);
  Atom r = gen_read1(g, a, place(g, i, n));
  return build_update(&g->b, a, atoms_of(g->arena, 1, &at), small(g, gen_mix(g, r, v)));
}

static Atom written_in_loop(Gen *g, Atom a, Atom n, Atom v) {
  GenLoop l = gen_loop_begin(g, build_op(&g->b, OP_MIN, n, atom_i64(2)),
                             atoms_of(g->arena, 1, &a));
  Atom next = written(g, l.state.at[0], n, l.i, v);
  return atom_var(gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)).at[0]);
}

static Atom branch_written(Gen *g, Atom a, Atom n, Atom i, Atom v) {
  Builder saved = g->b;
  Atom c = build_op(&saved, OP_LT, build_op(&saved, OP_MOD, i, atom_i64(3)),
                    atom_i64(gen_random(g, 3)));
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &c)}};
  bool loops = gen_chance(g, 30);
  for (int k = 0; k < 2; k++) {
    Case one = {.pats = {0}};
    int known = g->known.len;
    Atom r = a;
    if (k == 0) list_push(g->arena, &one.pats, (CasePat){.lit = scalar_bool(true)});
    g->b.stms = &one.body.stms;
    if (k == 0 && loops) r = written_in_loop(g, r, n, v);
    else if (k == 0 || gen_chance(g, 40)) r = written(g, written(g, r, n, i, v), n, i, v);
    list_push(g->arena, &one.body.results, r);
    g->known.len = known;
    g->b = saved;
    list_push(g->arena, &exp.match.cases, one);
  }
  return build(&g->b, "a", atom_type(g->prog, a), exp);
}

static void branches(Gen *g) {
  Prim p = gen_real(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), a = build_copy(&g->b, gen_array(g, p, n));
  GenLoop l = gen_loop_begin(g, n, atoms_of(g->arena, 1, &a));
  Atom now = l.state.at[0], v = gen_read1(g, xs, l.i);
  if (gen_chance(g, 40)) now = written(g, now, n, l.i, v);
  Atom next = branch_written(g, now, n, l.i, v);
  gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)));
}

// ---- for i < n { a[i + 1] <- f a[i] xs[i] }: places that follow from the counter
static void sweep(Gen *g) {
  Prim p = gen_real(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), a = build_copy(&g->b, gen_array(g, p, n));
  GenLoop l = gen_loop_begin(g, n, atoms_of(g->arena, 1, &a));
  Atom next = written(g, l.state.at[0], n, l.i, gen_read1(g, xs, l.i));
  if (gen_chance(g, 50)) next = written_in_loop(g, next, n, gen_read1(g, xs, l.i));
  gen_know_fresh(g, gen_loop_end(g, &l, atoms_of(g->arena, 1, &next)));
}

// ---- map i (map j (A[i,j] B[j,i] v[j] w[i] s)), or sums along j, of which what i costs comes
// first
static void nest(Gen *g) {
  Prim p = gen_real(g);
  Builder *b = &g->b;
  Atom n = gen_size(g), m = gen_size(g);
  Atom A = gen_matrix(g, p, n, m), B = gen_matrix(g, p, m, n);
  Atom v = gen_array(g, p, m), w = gen_array(g, p, n), s = gen_scalar(g, p);
  bool sums = gen_chance(g, 50), costly = prim_is_float(p) && gen_chance(g, 60);
  GenOver oi = gen_over_begin(g, n);
  Atom x = gen_read1(g, w, oi.i);
  if (costly) x = build_op1(b, OP_EXP, build_op1(b, OP_SIN, build_op1(b, OP_TANH, x)));
  GenOver oj = gen_over_begin(g, m);
  Atom cells[] = {gen_read2(g, A, oi.i, oj.i), gen_read2(g, B, oj.i, oi.i),
                  gen_read1(g, v, oj.i), s};
  Atom r = x;
  for (int k = 0, first = (int)gen_random(g, 4); k < 3; k++)
    r = gen_mix(g, r, cells[(first + k) % COUNT_OF(cells)]);
  Atom row = gen_over_end1(g, &oj, r);
  gen_over_end1(g, &oi, sums ? gen_total(g, row) : row);
}

// One of a list; of some programs those that make kinks, or operators, come first.
bool gen_stm_particular(Gen *g) {
  static void (*const kinds[])(Gen *g) = {
      parts,    columns,  columns,  columns, recurrence, recurrence,    folds,
      counters, counters, counters, branches, branches,  sweep,         nest,
      nest,     gen_columns, exact, exact,   gen_additions, gen_additions, gen_columns};
  bool kinks = !g->options.smooth && gen_chance(g, 35);
  bool operators = g->options.nested && gen_real(g) == PRIM_F64 && gen_chance(g, 20);
  g->budget -= 2;
  if (operators) direction(g);
  else if (kinks && gen_chance(g, 50)) gen_ties(g);
  else if (kinks) winners(g);
  else kinds[gen_random(g, COUNT_OF(kinds))](g);
  return true;
}
