// Scans for cores.  Where all operators are on integers, blocks in any order give the same bits:
//
//   ys = scan n op ne (map f xs)
//     =  totals = map (\b -> reduce op ne (map f (block b of xs))) blocks
//        begins = scan exclusive op ne totals
//        ys     = map (\b begin -> scan op begin (map f (block b of xs))) blocks begins
//
// which computes f and op twice: for three threads or more.  A costly f is computed once, in a
// separate map, for two threads or more.  A scan of floats keeps its order, so only that map runs
// on several; where the operator is one operation, vector code may add in another order than the
// loop with f inside, and every target makes the map, so that their bits agree.  On a device that
// may add in any order, scans of floats have two passes as those of integers.
#include "blocks.h"

typedef struct {
  Atom width;
  const Lambda *fn;  // NULL: the elements
  Operators scans;
  const Lambda *post;  // NULL: the running values
  Atoms inputs;
  int n;  // running values
} Scan;

static bool scan_of(Prog *prog, const Stm *stm, Scan *f) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_SCAN) {
    Operator op = {.op = e->scan.op, .neutral = e->scan.neutral, .exclusive = e->scan.exclusive};
    *f = (Scan){.width = e->scan.width, .inputs = e->scan.inputs, .n = op.neutral.len};
    list_push(prog->arena, &f->scans, op);
    return true;
  }
  if (e->form != FORM_SCREMA || !e->screma.scans.len || e->screma.reds.len) return false;
  *f = (Scan){e->screma.width, e->screma.fn, e->screma.scans, e->screma.post, e->screma.inputs, 0};
  for (int i = 0; i < f->scans.len; i++) f->n += f->scans.at[i].neutral.len;
  return true;
}

static bool prints(const Exp *e) { return e->form == FORM_TRACE; }

// Scalars in, scalars out, nothing overwritten or printed; only the function of the elements may
// fail, so that the first of them that does is the one reported.
static bool is_plain(Blocks *s, const Stm *stm, const Scan *f) {
  for (int i = 0; i < f->scans.len; i++)
    if (!body_succeeds(s->prog, &f->scans.at[i].op->body)) return false;
  if (f->post && !body_succeeds(s->prog, &f->post->body)) return false;
  if (exp_has(&stm->exp, prints)) return false;
  for (int i = 0; i < stm->bound.len; i++)
    if (var_type(s->prog, stm->bound.at[i]).rank != 1) return false;
  return exp_consumes(s->prog, s->scratch, &stm->exp).len == 0;
}

static bool is_integer(Prim p) { return !prim_is_float(p); }

static bool is_exact_op(const Lambda *op) {
  for (int i = 0; i < op->rets.len; i++)
    if (op->rets.at[i].rank || !is_integer(op->rets.at[i].prim)) return false;
  for (int i = 0; i < op->body.stms.len; i++) {
    const Exp *e = &op->body.stms.at[i].exp;
    if (e->form != FORM_PRIM || !is_integer(e->prim.prim)) return false;
  }
  return true;
}

static bool is_exact(const Scan *f) {
  for (int i = 0; i < f->scans.len; i++)
    if (!is_exact_op(f->scans.at[i].op)) return false;
  return true;
}

// One operation on a float: SIMD lanes may run the loop.
static bool has_float_op(const Scan *f) {
  Op op;
  Prim p;
  for (int i = 0; i < f->scans.len; i++)
    if (lambda_is_op(f->scans.at[i].op, &op, &p) && prim_is_float(p)) return true;
  return false;
}

static Atom build_cost(Blocks *s, const Stm *stm, const Scan *f) {
  Vars known = exp_free(s->prog, s->scratch, &stm->exp);
  Poly cost = poly_number(s->scratch, f->inputs.len);
  for (int i = 0; i < f->scans.len; i++)
    cost = poly_add(s->scratch, cost, cost_work(s->cost, &f->scans.at[i].op->body));
  if (f->fn) cost = poly_add(s->scratch, cost, cost_work(s->cost, &f->fn->body));
  if (f->post) cost = poly_add(s->scratch, cost, cost_work(s->cost, &f->post->body));
  return build_poly(s, cost, known);
}

// ---- lambdas of the fused forms ---------------------------------------------------------------
static Types row_types(Prog *prog, Atoms inputs) {
  Types rows = {0};
  for (int i = 0; i < inputs.len; i++)
    list_push(prog->arena, &rows, type_row(atom_type(prog, inputs.at[i])));
  return rows;
}

static Lambda *fn_of(Builder *b, const Scan *f) {
  return f->fn ? lambda_copy(b, f->fn) : lambda_identity(b->prog, row_types(b->prog, f->inputs));
}

static Lambda *post_of(Builder *b, const Scan *f) {
  if (f->post) return lambda_copy(b, f->post);
  return lambda_identity(b->prog, row_types(b->prog, f->inputs));
}

// Its first n results.
static Lambda *fn_cut(Builder *b, const Scan *f) {
  Lambda *fn = fn_of(b, f);
  Types rets = {0};
  for (int i = 0; i < f->n; i++) list_push(b->prog->arena, &rets, fn->rets.at[i]);
  fn->body.results = atoms_slice(fn->body.results, 0, f->n);
  fn->rets = rets;
  return fn;
}

static Types values_of(Prog *prog, const Scan *f) {
  Types out = {0};
  for (int i = 0; i < f->scans.len; i++)
    for (int k = 0; k < f->scans.at[i].neutral.len; k++)
      list_push(prog->arena, &out, f->scans.at[i].op->rets.at[k]);
  return out;
}

static Types arrays_of(Prog *prog, Types rows, Atom width) {
  Types out = {0};
  for (int i = 0; i < rows.len; i++)
    list_push(prog->arena, &out, type_array(prog->arena, rows.at[i], width));
  return out;
}

// ---- two passes -------------------------------------------------------------------------------
static Atoms one_counter(Builder *b, Cut cut) {
  Atoms out = {0};
  list_push(b->prog->arena, &out, build_iota(b, cut.blocks));
  return out;
}

static Atoms build_totals(Blocks *s, const Scan *f, Cut cut) {
  Arena *arena = s->prog->arena;
  Types types = values_of(s->prog, f), counter = {0};
  list_push(arena, &counter, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&s->to, "b", counter);
  Range range = build_range(&lb.inner, cut, atom_var(lb.lambda->params.at[0]));
  Atoms parts = build_parts(s, &lb.inner, f->inputs, range);
  Operators reds = operators_copy(&lb.inner, f->scans);
  for (int i = 0; i < reds.len; i++) reds.at[i].exclusive = false;
  Exp fold = {.form = FORM_SCREMA,
              .screma = {.width = range.count, .fn = fn_cut(&lb.inner, f), .reds = reds,
                         .post = lambda_identity(s->prog, (Types){0}), .inputs = parts}};
  Vars results = build_many(&lb.inner, "total", types, fold);
  Lambda *fn = lambda_end(&lb, atoms_of_vars(arena, results));
  Exp map = {.form = FORM_MAP,
             .map = {.width = cut.blocks, .fn = fn, .inputs = one_counter(&s->to, cut)}};
  Types arrays = arrays_of(s->prog, types, cut.blocks);
  return atoms_of_vars(arena, build_many(&s->to, "totals", arrays, map));
}

static Atoms build_begins(Blocks *s, const Scan *f, Cut cut, Atoms totals) {
  Operators scans = operators_copy(&s->to, f->scans);
  for (int i = 0; i < scans.len; i++) scans.at[i].exclusive = true;
  Types types = values_of(s->prog, f);
  Exp scan = {.form = FORM_SCREMA,
              .screma = {.width = cut.blocks, .fn = lambda_identity(s->prog, types),
                         .scans = scans, .post = lambda_identity(s->prog, types),
                         .inputs = totals}};
  Types arrays = arrays_of(s->prog, types, cut.blocks);
  return atoms_of_vars(s->prog->arena, build_many(&s->to, "begins", arrays, scan));
}

// The outputs of a block, which begins with these values.
static Atoms build_block_scan(Builder *b, const Scan *f, Range range, Atoms parts,
                              const Atom *begins) {
  Operators scans = operators_copy(b, f->scans);
  for (int i = 0, at = 0; i < scans.len; i++) {
    int n = scans.at[i].neutral.len;
    scans.at[i].neutral = atoms_of(b->prog->arena, n, begins + at);
    at += n;
  }
  Lambda *post = post_of(b, f);
  Exp scan = {.form = FORM_SCREMA,
              .screma = {.width = range.count, .fn = fn_of(b, f), .scans = scans, .post = post,
                         .inputs = parts}};
  Types arrays = arrays_of(b->prog, post->rets, range.count);
  return atoms_of_vars(b->prog->arena, build_many(b, "ys", arrays, scan));
}

// map (\i ys.. accs.. -> accs with ys.. at i) (first ..) ys.. accs..
static Atoms build_writes(Builder *b, Range range, Atoms ys, Atoms accs) {
  Arena *arena = b->prog->arena;
  Exp iota = {.form = FORM_IOTA, .iota = {range.count, range.first, atom_i64(1)}};
  Type counters = type_array(arena, type_scalar(PRIM_I64), range.count);
  Atoms inputs = {0}, results = {0};
  list_push(arena, &inputs, build(b, "i", counters, iota));
  inputs = atoms_concat(arena, atoms_concat(arena, inputs, ys), accs);
  Types params = {0};
  for (int i = 0; i < inputs.len; i++) {
    Type t = atom_type(b->prog, inputs.at[i]);
    list_push(arena, &params, t.is_acc ? t : type_row(t));
  }
  LambdaBuilder lb = lambda_begin(b, "i", params);
  lb.inner.attrs.disjoint = lb.inner.attrs.unchecked = true;
  for (int k = 0; k < ys.len; k++) {
    Exp write = {.form = FORM_UPDATEACC,
                 .updateacc = {.acc = atom_var(lb.lambda->params.at[1 + ys.len + k]),
                               .value = atom_var(lb.lambda->params.at[1 + k])}};
    list_push(arena, &write.updateacc.index, atom_var(lb.lambda->params.at[0]));
    list_push(arena, &results, build(&lb.inner, "acc", params.at[1 + ys.len + k], write));
  }
  Lambda *fn = lambda_end(&lb, results);
  Exp map = {.form = FORM_MAP, .map = {.width = range.count, .fn = fn, .inputs = inputs}};
  return atoms_of_vars(arena, build_many(b, "acc", fn->rets, map));
}

// over: the values that blocks begin with, then the accumulators
static Atoms build_blocks_map(Blocks *s, Builder *b, const Scan *f, Cut cut, Atoms over) {
  Arena *arena = s->prog->arena;
  Atoms inputs = atoms_concat(arena, one_counter(b, cut), over);
  Types params = {0};
  for (int i = 0; i < inputs.len; i++) {
    Type t = atom_type(s->prog, inputs.at[i]);
    list_push(arena, &params, t.is_acc ? t : type_row(t));
  }
  LambdaBuilder lb = lambda_begin(b, "b", params);
  Atoms given = atoms_of_vars(arena, lb.lambda->params);
  Range range = build_range(&lb.inner, cut, given.at[0]);
  Atoms parts = build_parts(s, &lb.inner, f->inputs, range);
  Atoms ys = build_block_scan(&lb.inner, f, range, parts, given.at + 1);
  Atoms own = atoms_slice(given, 1 + f->n, over.len - f->n);
  Lambda *fn = lambda_end(&lb, build_writes(&lb.inner, range, ys, own));
  Exp map = {.form = FORM_MAP, .map = {.width = cut.blocks, .fn = fn, .inputs = inputs}};
  return atoms_of_vars(arena, build_many(b, "acc", fn->rets, map));
}

// withacc (scratch n ..) (\accs.. -> the blocks)
static Atoms build_outputs(Blocks *s, const Stm *stm, const Scan *f, Cut cut, Atoms begins) {
  Arena *arena = s->prog->arena;
  Exp with = {.form = FORM_WITHACC};
  Types types = types_of_vars(s->prog, stm->bound), accs = {0};
  for (int k = 0; k < types.len; k++) {
    Atoms dims = {0};
    list_push(arena, &dims, f->width);
    Exp scratch = {.form = FORM_SCRATCH, .scratch = {types.at[k].prim, dims}};
    list_push(arena, &with.withacc.arrays, build(&s->to, "ys", types.at[k], scratch));
    list_push(arena, &with.withacc.ranks, 1);
    list_push(arena, &with.withacc.ops, (Operator){0});
    Type t = types.at[k];
    t.is_acc = true, t.index_rank = 1;
    list_push(arena, &accs, t);
  }
  LambdaBuilder lb = lambda_begin(&s->to, "acc", accs);
  for (int k = 0; k < types.len; k++) {
    Var v = lb.lambda->params.at[k];
    s->prog->vars.at[v.id].type.token = v;
  }
  Atoms over = atoms_concat(arena, begins, atoms_of_vars(arena, lb.lambda->params));
  with.withacc.fn = lambda_end(&lb, build_blocks_map(s, &lb.inner, f, cut, over));
  return atoms_of_vars(arena, build_many(&s->to, "ys", types, with));
}

static Atoms build_two_passes(Blocks *s, const Stm *stm, const Scan *f, Atom cost) {
  Cut cut = build_cut(s, f->width, cost, BLOCK_FEW);
  Atoms totals = build_totals(s, f, cut);
  return build_outputs(s, stm, f, cut, build_begins(s, f, cut, totals));
}

// ---- versions ---------------------------------------------------------------------------------
// The scan of elements that were computed.
static Atoms build_rest(Blocks *s, const Stm *stm, const Scan *f) {
  Exp scan = {.form = FORM_SCREMA,
              .screma = {.width = f->width, .fn = fn_of(&s->to, f),
                         .scans = operators_copy(&s->to, f->scans), .post = post_of(&s->to, f),
                         .inputs = f->inputs}};
  return atoms_of_vars(s->prog->arena,
                       build_many(&s->to, "ys", types_of_vars(s->prog, stm->bound), scan));
}

static Scan with_elements(Blocks *s, const Scan *f) {
  Scan rest = *f;
  rest.inputs = build_elements(&s->to, f->width, f->fn, f->inputs);
  rest.fn = NULL;
  return rest;
}

static bool block_scan_exact(Blocks *s, Stm *stm, const Scan *f, bool costly) {
  Body body = {0};
  Stms *around = s->to.stms;
  Atom cost = build_cost(s, stm, f);
  Atom many = build_threads(s, f->width, cost, costly ? 2 : 3);
  s->to.stms = &body.stms;
  Scan rest = costly ? with_elements(s, f) : *f;
  body.results = build_two_passes(s, stm, &rest, costly ? atom_i64(4) : cost);
  s->to.stms = around;
  build_versions(s, stm, many, body);
  return true;
}

static bool block_scan_rest(Blocks *s, Stm *stm, const Scan *f) {
  Body body = {0};
  Stms *around = s->to.stms;
  Atom many = build_threads(s, f->width, build_cost(s, stm, f), 2);
  s->to.stms = &body.stms;
  Scan rest = with_elements(s, f);
  body.results = build_rest(s, stm, &rest);
  s->to.stms = around;
  build_versions(s, stm, many, body);
  return true;
}

// For every target.
static bool block_scan_split(Blocks *s, Stm *stm, const Scan *f) {
  Scan rest = with_elements(s, f);
  Atoms ys = build_rest(s, stm, &rest);
  for (int k = 0; k < ys.len; k++) {
    Stm name = {.exp = {.form = FORM_ATOM, .atom = {ys.at[k]}}, .loc = stm->loc};
    list_push(s->prog->arena, &name.bound, stm->bound.at[k]);
    build_stm(&s->to, name);
  }
  return true;
}

bool block_scan(Blocks *s, Stm *stm) {
  Scan f;
  if (!scan_of(s->prog, stm, &f) || !is_plain(s, stm, &f) || stm->attrs.sequential) return false;
  bool cores = prog_target(s->prog) != TARGET_ONE, costly = is_costly(s, f.fn, COSTLY);
  bool any_order = prog_on_device(s->prog) && prog_machine(s->prog)->any_order;
  if (any_order || is_exact(&f)) return cores && block_scan_exact(s, stm, &f, costly);
  if (has_float_op(&f)) return is_costly(s, f.fn, COSTLY_ALONE) && block_scan_split(s, stm, &f);
  return costly && cores && block_scan_rest(s, stm, &f);
}
