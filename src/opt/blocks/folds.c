// Reductions by other operators than those of which chunks.c makes blocks (tuples, small arrays,
// functions of the program), in blocks:
//
//   r = reduce n op ne f xs
//     =  block = clamp (cost of a block / cost of an element);  count = ceil (n / block)
//        parts = map (\b -> let first = b * block
//                           in reduce (min (block, n - first)) op ne f xs[first ..]) (iota count)
//        r     = reduce count op ne parts
//
// Every target makes the same blocks, so that all of them give the same bits.  Arrays, of which
// each block makes one, are at most MOST_ARRAYS.
#include "blocks.h"

enum { MOST_ARRAYS = 64 };

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

// ---- the statements ---------------------------------------------------------------------------
static Poly operators_cost(Blocks *s, const Fold *f) {
  Poly sum = {0};
  for (int i = 0; i < f->reds.len; i++)
    sum = poly_add(s->scratch, sum, cost_work(s->cost, &f->reds.at[i].op->body));
  return sum;
}

static Cut build_fold_cut(Blocks *s, const Stm *stm, const Fold *f) {
  Vars known = exp_free(s->prog, s->scratch, &stm->exp);
  Poly ops = operators_cost(s, f), all = ops;
  if (f->fn) all = poly_add(s->scratch, all, cost_work(s->cost, &f->fn->body));
  all = poly_add(s->scratch, all, poly_number(s->scratch, f->inputs.len));
  bool little = poly_at(all, 100) > BLOCK_FEW * poly_at(ops, 100), arrays = false;
  Atom cost = build_poly(s, all, known);
  Cut cut = build_cut(s, f->width, cost, little ? 1 : BLOCK_FEW);
  for (int i = 0; i < stm->bound.len; i++)
    arrays = arrays || var_type(s->prog, stm->bound.at[i]).rank > 0;
  if (!arrays) return cut;
  Atom share = build_ceil(&s->to, f->width, atom_i64(MOST_ARRAYS));
  cut.block = build_op(&s->to, OP_MAX, cut.block, share);
  cut.blocks = build_ceil(&s->to, f->width, cut.block);
  return cut;
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

static Lambda *block_lambda(Blocks *s, const Fold *f, Types types, Cut cut) {
  Types counter = {0};
  list_push(s->prog->arena, &counter, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&s->to, "b", counter);
  Builder *b = &lb.inner;
  Range range = build_range(b, cut, atom_var(lb.lambda->params.at[0]));
  Atoms parts = build_parts(s, b, f->inputs, range);
  Vars results = build_fold(b, f, types, range.count, parts);
  return lambda_end(&lb, atoms_of_vars(s->prog->arena, results));
}

bool block_fold(Blocks *s, Stm *stm) {
  Arena *arena = s->prog->arena;
  Fold f;
  if (!fold_of(s->prog, stm, &f) || !is_split(s, stm, &f)) return false;
  Cut cut = build_fold_cut(s, stm, &f);
  Types types = types_of_vars(s->prog, stm->bound), arrays = {0};
  for (int i = 0; i < types.len; i++)
    list_push(arena, &arrays, type_array(arena, types.at[i], cut.blocks));
  Atoms counter = {0};
  list_push(arena, &counter, build_iota(&s->to, cut.blocks));
  Lambda *fn = block_lambda(s, &f, types, cut);
  Vars parts = build_many(&s->to, "parts", arrays,
                          (Exp){.form = FORM_MAP,
                                .map = {.width = cut.blocks, .fn = fn, .inputs = counter}});
  Stm last = stm_like(stm, (Exp){.form = FORM_SCREMA,
                                 .screma = {.width = cut.blocks,
                                            .fn = lambda_identity(s->prog, types),
                                            .reds = f.reds, .post = no_results(s->prog),
                                            .inputs = atoms_of_vars(arena, parts)}});
  last.bound = stm->bound;
  build_stm(&s->to, last);
  return true;
}
