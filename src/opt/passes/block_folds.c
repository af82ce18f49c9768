// Reductions outside of all maps, by other operators than those of which chunks.c makes blocks
// (tuples, small arrays, functions of the program), in blocks, which may run at once:
//
//   r = reduce n op ne f xs
//     =  block = clamp (cost of a block / cost of an element);  count = ceil (n / block)
//        parts = map (\b -> let first = b * block
//                           in reduce (min (block, n - first)) op ne f xs[first ..]) (iota count)
//        r     = reduce count op ne parts
//
// Sizes of blocks follow from the sizes in the program alone, and every target makes them, so that
// all of them give the same bits.  A block is worth what a block of rts/blocks.h is; arrays, of
// which each block makes one, are at most MOST_ARRAYS.
#include "opt/common/local.h"
#include "opt/common/polynomial.h"

enum {
  SPECIAL = 20,      // what a transcendental function counts, as in chunks.c
  UNKNOWN = 16,      // sizes that are not known outside
  BLOCK_MOST = 65536,
  FEW = 16,          // elements of a block, unless an operator is little beside them
  MOST_ARRAYS = 64,
};

typedef struct {
  Prog *prog;
  Arena *scratch;
  Cost *cost;
  Map *iotas;  // variable -> the Exp of its iota, outside of maps
  Builder to;  // beside the statement
} Blocks;

// A reduction as a fused one.
typedef struct {
  Atom width;
  const Lambda *fn;  // NULL: the elements
  Operators reds;
  Atoms inputs;
} Fold;

static bool fold_of(Prog *prog, const Stm *stm, Fold *f) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_REDUCE) {
    Operator op = {.op = e->reduce.op, .neutral = e->reduce.neutral, .comm = e->reduce.comm};
    *f = (Fold){.width = e->reduce.width, .inputs = e->reduce.inputs};
    list_push(prog->arena, &f->reds, op);
    return true;
  }
  if (e->form != FORM_SCREMA || e->screma.scans.len) return false;
  *f = (Fold){e->screma.width, e->screma.fn, e->screma.reds, e->screma.inputs};
  return true;
}

// One operation of the language on scalars: chunks.c makes the blocks.
static bool is_known(const Operator *o) {
  Op op;
  Prim p;
  return o->neutral.len == 1 && lambda_is_op(o->op, &op, &p) && op_info[op].associative &&
         op_info[op].commutative;
}

static bool is_split(Blocks *s, const Stm *stm, const Fold *f) {
  int n = 0;
  bool known = true;
  for (int i = 0; i < f->reds.len; i++) {
    known = known && is_known(&f->reds.at[i]);
    n += f->reds.at[i].neutral.len;
  }
  if (known || n != stm->bound.len || stm->attrs.sequential) return false;
  for (int i = 0; i < f->inputs.len; i++)
    if (atom_type(s->prog, f->inputs.at[i]).is_acc) return false;
  return exp_consumes(s->prog, s->scratch, &stm->exp).len == 0;
}

// ---- sizes of blocks --------------------------------------------------------------------------
static bool is_free(Vars free, const Term1 *term) {
  for (int k = 0; k < term->n; k++)
    if (!vars_have(free, term->vars[k])) return false;
  return true;
}

// The polynomial as an i64, at least 1.
static Atom build_poly(Blocks *s, Poly p, Vars free) {
  Atom sum = atom_i64(0);
  double fixed = 1;
  for (int i = 0; i < p.len; i++) {
    const Term1 *term = &p.at[i];
    if (term->n == 0 || !is_free(free, term)) {
      double value = term->factor;
      for (int k = 0; k < term->n; k++) value *= UNKNOWN;
      fixed += value;
      continue;
    }
    Atom product = atom_i64(term->factor < 1 ? 1 : (int64_t)term->factor);
    for (int k = 0; k < term->n; k++)
      product = build_op(&s->to, OP_MUL, product, atom_var(term->vars[k]));
    sum = build_op(&s->to, OP_ADD, sum, product);
  }
  sum = build_op(&s->to, OP_ADD, sum, atom_i64(fixed < 1 ? 1 : (int64_t)fixed));
  return build_op(&s->to, OP_MAX, sum, atom_i64(1));
}

static Poly operators_cost(Blocks *s, const Fold *f) {
  Poly sum = {0};
  for (int i = 0; i < f->reds.len; i++)
    sum = poly_add(s->scratch, sum, cost_work(s->cost, &f->reds.at[i].op->body));
  return sum;
}

static Atom build_div(Blocks *s, Atom x, Atom y) {
  s->to.attrs.unchecked = true;
  Atom q = build_op(&s->to, OP_DIV, x, y);
  s->to.attrs.unchecked = false;
  return q;
}

// ceil (x / y)
static Atom build_ceil(Blocks *s, Atom x, Atom y) {
  Atom more = build_op(&s->to, OP_SUB, y, atom_i64(1));
  return build_div(s, build_op(&s->to, OP_ADD, x, more), y);
}

static Atom build_block(Blocks *s, const Stm *stm, const Fold *f) {
  Vars free = exp_free(s->prog, s->scratch, &stm->exp);
  Poly ops = operators_cost(s, f), all = ops;
  if (f->fn) all = poly_add(s->scratch, all, cost_work(s->cost, &f->fn->body));
  all = poly_add(s->scratch, all, poly_number(s->scratch, f->inputs.len));
  Exp budget = {.form = FORM_TUNED, .tuned = {.name = TUNED_BLOCK, .otherwise = atom_i64(131072)}};
  Atom most = build(&s->to, "budget", type_scalar(PRIM_I64), budget);
  Atom block = build_div(s, most, build_poly(s, all, free));
  bool little = poly_at(all, 100) > FEW * poly_at(ops, 100), arrays = false;
  block = build_op(&s->to, OP_MIN, block, atom_i64(BLOCK_MOST));
  block = build_op(&s->to, OP_MAX, block, atom_i64(little ? 1 : FEW));
  for (int i = 0; i < stm->bound.len; i++)
    arrays = arrays || var_type(s->prog, stm->bound.at[i]).rank > 0;
  if (!arrays) return block;
  Atom share = build_ceil(s, f->width, atom_i64(MOST_ARRAYS));
  return build_op(&s->to, OP_MAX, block, share);
}

// ---- the statements ---------------------------------------------------------------------------
static Operators operators_copy(Builder *b, Operators ops) {
  Operators out = {0};
  for (int i = 0; i < ops.len; i++) {
    Operator o = ops.at[i];
    o.op = lambda_copy(b, o.op);
    list_push(b->prog->arena, &out, o);
  }
  return out;
}

// array[first : count]; of an iota, the numbers from there on.
static Atom build_part(Blocks *s, Builder *b, Atom array, Atom first, Atom count) {
  const Exp *def = array.is_var ? map_get(s->iotas, array.var.id) : NULL;
  Type t = atom_type(b->prog, array), row = type_row(t);
  Type part = type_array(b->prog->arena, row, count);
  if (def) {
    Atom step = build_op(b, OP_MUL, build_conv(b, t.prim, first), def->iota.step);
    Atom start = build_op(b, OP_ADD, def->iota.start, step);
    return build(b, NULL, part, (Exp){.form = FORM_IOTA, .iota = {count, start, def->iota.step}});
  }
  Exp slice = {.form = FORM_INDEX, .index = {.array = array}};
  SliceDim range = {.start = first, .count = count, .stride = atom_i64(1)};
  list_push(b->prog->arena, &slice.index.slice, range);
  for (int d = 1; d < t.rank; d++)
    list_push(b->prog->arena, &slice.index.slice, slice_full(t.dims[d]));
  b->attrs.unchecked = true;
  Atom out = build(b, NULL, part, slice);
  b->attrs.unchecked = false;
  return out;
}

static Lambda *no_results(Prog *prog) { return lambda_identity(prog, (Types){0}); }

// The reduction of elements first .. first + count - 1.
static Vars build_fold(Builder *b, const Fold *f, Types types, Atom count, Atoms inputs) {
  Prog *prog = b->prog;
  Types rows = {0};
  for (int i = 0; i < inputs.len; i++)
    list_push(prog->arena, &rows, type_row(atom_type(prog, inputs.at[i])));
  Lambda *fn = f->fn ? lambda_copy(b, f->fn) : lambda_identity(prog, rows);
  return build_many(b, "part", types,
                    (Exp){.form = FORM_SCREMA,
                          .screma = {.width = count, .fn = fn, .reds = operators_copy(b, f->reds),
                                     .post = no_results(prog), .inputs = inputs}});
}

static Lambda *block_lambda(Blocks *s, const Fold *f, Types types, Atom block) {
  Types counter = {0};
  list_push(s->prog->arena, &counter, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&s->to, "b", counter);
  Builder *b = &lb.inner;
  Atom first = build_op(b, OP_MUL, atom_var(lb.lambda->params.at[0]), block);
  Atom left = build_op(b, OP_SUB, f->width, first);
  Atom count = build_op(b, OP_MIN, block, left);
  Atoms parts = {0};
  for (int i = 0; i < f->inputs.len; i++)
    list_push(s->prog->arena, &parts, build_part(s, b, f->inputs.at[i], first, count));
  Vars results = build_fold(b, f, types, count, parts);
  return lambda_end(&lb, atoms_of_vars(s->prog->arena, results));
}

static void split(Blocks *s, const Stm *stm, const Fold *f) {
  Arena *arena = s->prog->arena;
  Atom block = build_block(s, stm, f), blocks = build_ceil(s, f->width, block);
  Types types = types_of_vars(s->prog, stm->bound), arrays = {0};
  for (int i = 0; i < types.len; i++)
    list_push(arena, &arrays, type_array(arena, types.at[i], blocks));
  Atoms counter = {0};
  list_push(arena, &counter, build_iota(&s->to, blocks));
  Lambda *fn = block_lambda(s, f, types, block);
  Vars parts = build_many(&s->to, "parts", arrays,
                          (Exp){.form = FORM_MAP,
                                .map = {.width = blocks, .fn = fn, .inputs = counter}});
  Stm last = stm_like(stm, (Exp){.form = FORM_SCREMA,
                                 .screma = {.width = blocks,
                                            .fn = lambda_identity(s->prog, types),
                                            .reds = f->reds, .post = no_results(s->prog),
                                            .inputs = atoms_of_vars(arena, parts)}});
  last.bound = stm->bound;
  build_stm(&s->to, last);
}

// ---- the walk: bodies outside of maps ---------------------------------------------------------
static void blocks_body(Blocks *s, Body *body);

static bool is_outside(Form form) {
  return form == FORM_MATCH || form == FORM_LOOP || form == FORM_WITHACC;
}

static void blocks_stm(Blocks *s, Stm *stm) {
  Fold f;
  if (stm->exp.form == FORM_IOTA)
    map_put(s->iotas, stm->bound.at[0].id, arena_copy(s->scratch, &stm->exp, sizeof stm->exp));
  if (fold_of(s->prog, stm, &f) && is_split(s, stm, &f)) {
    s->to.loc = stm->loc;
    split(s, stm, &f);
    return;
  }
  Parts parts = is_outside(stm->exp.form) ? exp_parts(s->prog->arena, &stm->exp) : (Parts){0};
  for (int k = 0; k < parts.len; k++)
    if (parts.at[k].body) blocks_body(s, parts.at[k].body);
  build_stm(&s->to, *stm);
}

static void blocks_body(Blocks *s, Body *body) {
  Stms out = {0}, *around = s->to.stms;
  s->to.stms = &out;
  for (int i = 0; i < body->stms.len; i++) blocks_stm(s, &body->stms.at[i]);
  s->to.stms = around;
  body->stms = out;
}

static bool is_fold(const Exp *e) { return e->form == FORM_REDUCE || e->form == FORM_SCREMA; }

// needs: everything fused, the last of the passes over core.  leaves: outside of maps, reductions
// by operators of several operations over blocks only, or with other results.  cost: linear.
Prog *pass_block_folds(Prog *prog, Arena *arena) {
  if (!prog_has(prog, is_fold)) return prog;
  Prog *out = prog_own(prog, arena);
  for (int i = 0; i < out->fns.len; i++) {
    Blocks s = {.prog = out, .scratch = arena_new(), .to = builder_new(out, NULL)};
    s.iotas = map_new(s.scratch);
    s.cost = cost_new(out, s.scratch, out->fns.at[i], SPECIAL);
    blocks_body(&s, &out->fns.at[i]->body);
    arena_free(s.scratch);
  }
  return out;
}
