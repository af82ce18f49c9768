// Reductions, scans and histograms with operators on tuples and small matrices, and operators that
// branch, over values made for them.
#include "local.h"

enum { MOST_PARTS = 4 };
typedef struct {
  int parts;
  Prim prims[MOST_PARTS];
  double neutral[MOST_PARTS];
  bool comm;
  void (*op)(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out);
  bool smooth;
} Tuple;

static Atom add(Builder *b, Atom x, Atom y) { return build_op(b, OP_ADD, x, y); }
static Atom mul(Builder *b, Atom x, Atom y) { return build_op(b, OP_MUL, x, y); }

// match (c) { true -> x; _ -> y }, as a branch or a selection; branches do some work, too.
static Atom either(Gen *g, Builder *b, Atom c, Atom x, Atom y) {
  if (gen_chance(g, 40)) return build_select(b, c, x, y);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &c)}};
  Case yes = {.pats = {0}}, no = {.pats = {0}};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(g->arena, &yes.body.results, x);
  list_push(g->arena, &no.body.results, y);
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  return build(b, "e", atom_type(g->prog, x), exp);
}

// 2x2 matrices, row by row.
static void matrices(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  (void)g;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      out[2 * i + j] = add(b, mul(b, x[2 * i], y[j]), mul(b, x[2 * i + 1], y[2 + j]));
}

// Affine functions under composition.
static void affine(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  (void)g;
  out[0] = mul(b, x[0], y[0]);
  out[1] = add(b, mul(b, x[1], y[0]), y[1]);
}

// Segmented: (f, v) (h, w) -> (f | h, h ? w : v op w).
static void segmented_sum(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  out[0] = build_op(b, OP_OR, x[0], y[0]);
  out[1] = either(g, b, y[0], y[1], add(b, x[1], y[1]));
}

static void segmented_product(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  out[0] = build_op(b, OP_OR, x[0], y[0]);
  out[1] = either(g, b, y[0], y[1], mul(b, x[1], y[1]));
}

// The number that is larger in magnitude, the earlier of equal ones.
static void larger(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  Atom c = build_op(b, OP_LT, build_op1(b, OP_ABS, x[0]), build_op1(b, OP_ABS, y[0]));
  out[0] = either(g, b, c, y[0], x[0]);
}

// (key, value): the value of the larger key, and values of equal keys added.
static void keyed(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  out[0] = build_op(b, OP_MAX, x[0], y[0]);
  Atom later = either(g, b, build_op(b, OP_LT, x[0], y[0]), y[1], add(b, x[1], y[1]));
  out[1] = either(g, b, build_op(b, OP_LT, y[0], x[0]), x[1], later);
}

// Three parts that have nothing to do with one another.
static void separate(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  (void)g;
  out[0] = add(b, x[0], y[0]);
  out[1] = build_op(b, OP_MAX, x[1], y[1]);
  out[2] = mul(b, x[2], y[2]);
}

// Sums, and sums of products of two different elements.
static void moments(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  (void)g;
  out[0] = add(b, x[0], y[0]);
  out[1] = add(b, add(b, x[1], y[1]), mul(b, x[0], y[0]));
  out[2] = add(b, x[2], y[2]);
  out[3] = add(b, add(b, x[3], y[3]), add(b, mul(b, x[2], y[0]), mul(b, x[0], y[2])));
}

// 1 - (1 - x)(1 - y)
static void noisy_or(Gen *g, Builder *b, const Atom *x, const Atom *y, Atom *out) {
  (void)g;
  out[0] = build_op(b, OP_SUB, add(b, x[0], y[0]), mul(b, x[0], y[0]));
}

#define F PRIM_F64
static const Tuple tuples[] = {
    {4, {F, F, F, F}, {1, 0, 0, 1}, false, matrices, true},
    {2, {F, F}, {1, 0}, false, affine, true},
    {2, {PRIM_BOOL, F}, {0, 0}, false, segmented_sum, true},
    {2, {PRIM_BOOL, F}, {0, 1}, false, segmented_product, true},
    {1, {F}, {0}, false, larger, false},
    {2, {PRIM_I64, F}, {-1, 0}, true, keyed, true},
    {3, {F, PRIM_I64, F}, {0, -9, 1}, true, separate, true},
    {4, {F, F, F, F}, {0, 0, 0, 0}, true, moments, true},
    {1, {F}, {0}, true, noisy_or, true},
};
#undef F

static Types tuple_types(Gen *g, const Tuple *t, Prim f) {
  Types types = {0};
  for (int i = 0; i < t->parts; i++)
    list_push(g->arena, &types, type_scalar(t->prims[i] == PRIM_F64 ? f : t->prims[i]));
  return types;
}

static Operator tuple_operator(Gen *g, const Tuple *t, Prim f) {
  Types once = tuple_types(g, t, f), all = {0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < once.len; i++) list_push(g->arena, &all, once.at[i]);
  LambdaBuilder lb = lambda_begin(&g->b, "t", all);
  Atoms p = atoms_of_vars(g->arena, lb.lambda->params);
  Atom out[MOST_PARTS];
  t->op(g, &lb.inner, p.at, p.at + t->parts, out);
  Operator op = {.comm = t->comm};
  op.op = lambda_end(&lb, atoms_of(g->arena, t->parts, out));
  for (int i = 0; i < once.len; i++)
    list_push(g->arena, &op.neutral, once.at[i].prim == PRIM_BOOL
                                         ? atom_bool(t->neutral[i] != 0)
                                         : atom_number(once.at[i].prim, t->neutral[i]));
  return op;
}

// One part of the value at counter i; zeros and neutral elements are among them.
static Atom part_value(Gen *g, Prim p, Atom i, Atom x, Atom y) {
  Builder *b = &g->b;
  Atom c = atom_i64(gen_random(g, 3) + 1);
  if (p == PRIM_BOOL) return build_op(b, OP_EQ, build_op(b, OP_MOD, i, c), atom_i64(0));
  if (p == PRIM_I64) return build_op(b, OP_MOD, build_op(b, OP_MUL, i, i), c);
  Atom v = build_op1(b, OP_TANH, gen_mix(g, x, y));
  if (!gen_chance(g, 25)) return v;
  Atom test = build_op(b, OP_EQ, build_op(b, OP_MOD, i, atom_i64(3)), atom_i64(1));
  return build_select(b, test, atom_number(p, gen_random(g, 2)), v);
}

static Vars tuple_values(Gen *g, const Tuple *t, Prim f, Atom n) {
  Atom xs = gen_array(g, f, n), ys = gen_array(g, f, n);
  GenOver o = gen_over_begin(g, n);
  Atom x = gen_read1(g, xs, o.i), y = gen_read1(g, ys, o.i);
  Atoms parts = {0};
  for (int i = 0; i < t->parts; i++) {
    Prim p = t->prims[i] == PRIM_F64 ? f : t->prims[i];
    list_push(g->arena, &parts, part_value(g, p, o.i, x, y));
  }
  return gen_over_end(g, &o, parts);
}

// Into as many arrays as there are parts; places repeat, miss, lie outside.
static void tuple_hist(Gen *g, const Tuple *t, Operator op, Atom n, Atoms values) {
  Atom m = gen_size(g), is = gen_indices(g, n);
  Types types = types_of_atoms(g->prog, values);
  Exp exp = {.form = FORM_HIST,
             .hist = {.width = n, .rank = 1, .neutral = op.neutral, .op = op.op}};
  for (int i = 0; i < t->parts; i++) {
    Type type = type_array(g->arena, type_row(types.at[i]), m);
    Atom dest = gen_chance(g, 50)
                    ? build_replicate(&g->b, atoms_of(g->arena, 1, &m), op.neutral.at[i])
                    : build_copy(&g->b, gen_value(g, type));
    list_push(g->arena, &exp.hist.dests, dest);
  }
  GenOver o = gen_over_begin(g, n);
  Atoms out = {0};
  Atom at = gen_near(g, o.i, n, is);
  list_push(g->arena, &out, at);
  for (int i = 0; i < t->parts; i++)
    list_push(g->arena, &out, gen_read1(g, values.at[i], o.i));
  exp.hist.fn = lambda_end(&o.lb, out);
  gen_leave(g, o.mark);
  exp.hist.inputs = atoms_of(g->arena, 1, &o.iota);
  gen_bind(g, exp);
}

static void tuple_fold(Gen *g, Operator op, Atom n, Atoms values) {
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = n, .comm = op.comm, .op = op.op, .neutral = op.neutral,
                        .inputs = values}};
  if (gen_chance(g, 55))
    exp = (Exp){.form = FORM_SCAN,
                .scan = {.width = n, .exclusive = gen_chance(g, 30), .op = op.op,
                         .neutral = op.neutral, .inputs = values}};
  gen_bind(g, exp);
}

// reduce or scan with the product of [2][2] matrices as arrays
static Lambda *matmul(Gen *g, Atom k, Type type) {
  Types both = {0};
  for (int i = 0; i < 2; i++) list_push(g->arena, &both, type);
  LambdaBuilder lb = lambda_begin(&g->b, "m", both);
  GenMark mark = gen_enter(g, &lb);
  Atom x = atom_var(lb.lambda->params.at[0]), y = atom_var(lb.lambda->params.at[1]);
  GenOver oi = gen_over_begin(g, k), oj = gen_over_begin(g, k), oq = gen_over_begin(g, k);
  Atom xy = build_op(&g->b, OP_MUL, gen_read2(g, x, oi.i, oq.i), gen_read2(g, y, oq.i, oj.i));
  Atom sum = gen_total(g, gen_over_end1(g, &oq, xy));
  Atom out = gen_over_end1(g, &oi, gen_over_end1(g, &oj, sum));
  Lambda *fn = lambda_end(&lb, atoms_of(g->arena, 1, &out));
  gen_leave(g, mark);
  return fn;
}

static void matrix_fold(Gen *g) {
  Atom n = gen_size(g), k = atom_i64(2), xs = gen_array(g, PRIM_F64, n);
  Type row = type_array(g->arena, type_scalar(PRIM_F64), k), type = type_array(g->arena, row, k);
  GenOver oi = gen_over_begin(g, k), oj = gen_over_begin(g, k);
  Atom eye = build_conv(&g->b, PRIM_F64,
                        build_conv(&g->b, PRIM_I64, build_op(&g->b, OP_EQ, oi.i, oj.i)));
  Atom one = gen_over_end1(g, &oi, gen_over_end1(g, &oj, eye));
  GenOver o = gen_over_begin(g, n), ou = gen_over_begin(g, k), ov = gen_over_begin(g, k);
  Atom at = build_conv(&g->b, PRIM_F64, build_op(&g->b, OP_SUB, ou.i, ov.i));
  Atom v = build_op1(&g->b, OP_SIN, gen_mix(g, gen_read1(g, xs, o.i), at));
  Atom ms = gen_over_end1(g, &o, gen_over_end1(g, &ou, gen_over_end1(g, &ov, v)));
  Operator op = {.op = matmul(g, k, type), .neutral = atoms_of(g->arena, 1, &one)};
  tuple_fold(g, op, n, atoms_of(g->arena, 1, &ms));
}

bool gen_stm_tuples(Gen *g) {
  g->budget -= 2;
  if (gen_chance(g, 12)) {
    matrix_fold(g);
    return true;
  }
  const Tuple *t = &tuples[gen_random(g, COUNT_OF(tuples))];
  if (g->options.smooth && !t->smooth) return false;
  Prim f = gen_float(g);
  Atom n = gen_size(g);
  Atoms values = atoms_of_vars(g->arena, tuple_values(g, t, f, n));
  Operator op = tuple_operator(g, t, f);
  if (t->comm && gen_chance(g, 40)) tuple_hist(g, t, op, n, values);
  else tuple_fold(g, op, n, values);
  return true;
}
