// Maps marked #[unroll], of few iterations (the directions of jmp and mjp among them), with their
// iterations jammed:
//
//   map V (\dx -> s1; s2; ..) X   =   s1; s2 for X[0]; .. s2 for X[V-1]; ..
//
// A statement that is the same for all iterations, as s1, is executed once.  Of others there are V;
// but maps, loops, branches, reductions, scans, histograms, scatters and accumulators stay one, in
// which what differs is there V times:
//
//   loop (p, dp) = (a, da) { (r, dr) }   =   loop (p, dp_1, .., dp_V) = (a, da_1, ..) { .. }
//
// so that the directions share loops, loads and all that does not depend on them, and scalars stay
// in registers.  Divergent variables are found first (divergence.c).
//
// Iterations that consume the same array get copies: only memory that a variable which differs is
// known to own (`own`) is consumed as it is.
#include "map_jam.h"

// For marked maps; for others.
enum { MOST_ITERATIONS = 16, MOST_STATEMENTS = 4000, FEW_ITERATIONS = 4, FEW_STATEMENTS = 600 };

typedef struct {
  Prog *prog;
  Arena *arena;
  int n;           // iterations
  Rewrite *w;      // by iteration
  Divergence what;  // variables of the map's function
  Map *own;        // those that differ, whose memory is theirs alone
} MapJam;

// ---- names, once or for every iteration
static Builder *builder_of(MapJam *a) { return &a->w[0].to; }

static Stms *scope_begin(MapJam *a, Stms *stms) {
  Stms *saved = a->w[0].to.stms;
  for (int d = 0; d < a->n; d++) a->w[d].to.stms = stms;
  return saved;
}

static void bind_same(MapJam *a, Var source) {
  Atom x = rewrite_atom(&a->w[0], atom_var(source));
  for (int d = 1; d < a->n; d++) rewrite_bind(&a->w[d], source, x);
}

// Binders may mention each other in their types: first all names, then all types.
static void spread_names(MapJam *a, Vars sources, Vars *out) {
  for (int k = 0; k < sources.len; k++) {
    Var x = sources.at[k];
    for (int d = 0; d < (diverges(&a->what, x) ? a->n : 1); d++) {
      Var copy = var_new(a->prog, var_info(a->prog, x)->base, type_scalar(PRIM_UNIT));
      rewrite_bind(&a->w[d], x, atom_var(copy));
      list_push(a->arena, out, copy);
    }
    if (!diverges(&a->what, x)) bind_same(a, x);
  }
}

static Vars spread_vars(MapJam *a, Vars sources) {
  Vars out = {0};
  spread_names(a, sources, &out);
  for (int k = 0, at = 0; k < sources.len; k++)
    for (int d = 0; d < (diverges(&a->what, sources.at[k]) ? a->n : 1); d++) {
      Type t = rewrite_type(&a->w[d], var_type(a->prog, sources.at[k]));
      a->prog->vars.at[out.at[at++].id].type = t;
    }
  return out;
}

// The values of the variables: once for those that do not differ.
static Atoms replicate_args(MapJam *a, Vars vars, Atoms given) {
  Atoms out = {0};
  for (int k = 0; k < vars.len; k++)
    for (int d = 0; d < (diverges(&a->what, vars.at[k]) ? a->n : 1); d++)
      list_push(a->arena, &out, rewrite_atom(&a->w[d], given.at[k]));
  return out;
}

static Types spread_types(MapJam *a, Vars vars, Types types) {
  Types out = {0};
  for (int k = 0; k < vars.len; k++)
    for (int d = 0; d < (diverges(&a->what, vars.at[k]) ? a->n : 1); d++)
      list_push(a->arena, &out, rewrite_type(&a->w[d], types.at[k]));
  return out;
}

// ---- consumption
static bool is_own(const MapJam *a, Atom x) {
  return x.is_var && diverges(&a->what, x.var) && map_get(a->own, x.var.id);
}

static void set_own(MapJam *a, Var v) {
  if (diverges(&a->what, v)) map_put(a->own, v.id, a);
}

static bool needs_copy(const MapJam *a, Atom x) {
  Type t = atom_type(a->prog, x);
  return t.rank > 0 && !t.is_acc && !is_own(a, x);
}

// The same, with memory of their own where that may be consumed.
static Atoms spread_consumed(MapJam *a, Vars vars, Atoms given, bool consumed) {
  Atoms out = replicate_args(a, vars, given);
  for (int k = 0, at = 0; k < vars.len; k++) {
    bool many = diverges(&a->what, vars.at[k]);
    bool owner = consumed || var_type(a->prog, vars.at[k]).unique;
    bool copied = many && owner && needs_copy(a, given.at[k]);
    for (int d = 0; d < (many ? a->n : 1); d++, at++)
      if (copied) out.at[at] = build_copy(builder_of(a), out.at[at]);
  }
  return out;
}

// The memory that results of a statement have, where it is one of each iteration.
static bool makes_own(const MapJam *a, const Exp *e) {
  switch (e->form) {
    case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY:
    case FORM_SCRATCH: case FORM_UPDATE: case FORM_FLATUPDATE: case FORM_CONCAT: case FORM_ROTATE:
    case FORM_MAP: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST: case FORM_SCATTER: return true;
    case FORM_ATOM: return is_own(a, e->atom.arg);
    case FORM_OPAQUE: return is_own(a, e->opaque.arg);
    case FORM_STOPGRADIENT: return is_own(a, e->stopgradient.arg);
    case FORM_INDEX: return is_own(a, e->index.array);
    case FORM_FLATINDEX: return is_own(a, e->flatindex.array);
    case FORM_RESHAPE: return is_own(a, e->reshape.array);
    case FORM_REARRANGE: return is_own(a, e->rearrange.array);
    case FORM_REVERSE: return is_own(a, e->reverse.array);
    case FORM_PRIM: case FORM_CONV: case FORM_TRACE: case FORM_TUNED: case FORM_MEMORYLEFT:
    case FORM_MATCH: case FORM_LOOP: case FORM_APPLY: case FORM_ASSERT: case FORM_REDUCE:
    case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: return false;
  }
  return false;
}

// ---- statements
static void emit_stms(MapJam *a, Stms stms);

static void emit(MapJam *a, const Stm *like, Exp exp) {
  Stm stm = *like;
  stm.exp = exp;
  stm.bound = spread_vars(a, like->bound);
  build_stm(builder_of(a), stm);
}

// The function with what differs there n times; its results are what vars are given.
static Lambda *spread_lambda(MapJam *a, const Lambda *fn, Vars vars) {
  Lambda *out = NEW(a->arena, Lambda);
  out->params = spread_vars(a, fn->params);
  Stms *saved = scope_begin(a, &out->body.stms);
  emit_stms(a, fn->body.stms);
  out->body.results = spread_consumed(a, vars, fn->body.results, false);
  scope_begin(a, saved);
  out->rets = spread_types(a, vars, fn->rets);
  return out;
}

static void emit_match(MapJam *a, const Stm *stm) {
  const struct match_form *m = &stm->exp.match;
  Exp out = {.form = FORM_MATCH};
  out.match.args = rewrite_atoms(&a->w[0], m->args);
  bool *own = NEW_ARRAY(a->arena, bool, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) own[k] = true;
  for (int i = 0; i < m->cases.len; i++) {
    Atoms results = m->cases.at[i].body.results;
    Case c = {.pats = m->cases.at[i].pats};
    Stms *saved = scope_begin(a, &c.body.stms);
    emit_stms(a, m->cases.at[i].body.stms);
    c.body.results = replicate_args(a, stm->bound, results);
    scope_begin(a, saved);
    for (int k = 0; k < stm->bound.len; k++) own[k] = own[k] && is_own(a, results.at[k]);
    list_push(a->arena, &out.match.cases, c);
  }
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++)
    if (own[k]) set_own(a, stm->bound.at[k]);
}

static void own_unique(MapJam *a, Vars params, Vars vars) {
  for (int k = 0; k < params.len; k++)
    if (var_type(a->prog, params.at[k]).unique) set_own(a, vars.at[k]);
}

static void emit_loop(MapJam *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  Vars params = loop_params(l);
  Exp out = {.form = FORM_LOOP, .loop = {.is_for = l->is_for, .bound = l->bound}};
  if (l->is_for) out.loop.bound = rewrite_atom(&a->w[0], l->bound);
  for (int k = 0; !l->is_for && k < l->cond; k++)
    out.loop.cond += diverges(&a->what, params.at[k]) ? a->n : 1;
  out.loop.inits = spread_consumed(a, params, l->inits, false);
  own_unique(a, params, params);
  out.loop.fn = spread_lambda(a, l->fn, params);
  emit(a, stm, out);
  own_unique(a, params, stm->bound);
}

static void emit_map(MapJam *a, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  Exp out = {.form = FORM_MAP, .map = {.width = rewrite_atom(&a->w[0], m->width)}};
  out.map.inputs = replicate_args(a, m->fn->params, m->inputs);
  for (int k = 0; k < m->inputs.len; k++)
    if (is_own(a, m->inputs.at[k])) set_own(a, m->fn->params.at[k]);
  out.map.fn = spread_lambda(a, m->fn, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static Vars first_operands(const Lambda *op) {
  return vars_from(op->params, 0, op->params.len / 2);
}

static void emit_reduce(MapJam *a, const Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  Exp out = {.form = FORM_REDUCE, .reduce = *r};
  out.reduce.width = rewrite_atom(&a->w[0], r->width);
  out.reduce.neutral = replicate_args(a, stm->bound, r->neutral);
  out.reduce.inputs = replicate_args(a, stm->bound, r->inputs);
  out.reduce.op = spread_lambda(a, r->op, first_operands(r->op));
  emit(a, stm, out);
}

static void emit_scan(MapJam *a, const Stm *stm) {
  const struct scan_form *s = &stm->exp.scan;
  Exp out = {.form = FORM_SCAN, .scan = *s};
  out.scan.width = rewrite_atom(&a->w[0], s->width);
  out.scan.neutral = replicate_args(a, stm->bound, s->neutral);
  out.scan.inputs = replicate_args(a, stm->bound, s->inputs);
  out.scan.op = spread_lambda(a, s->op, first_operands(s->op));
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

// Of a histogram or scatter: indices are the same for all.
static Lambda *spread_writes(MapJam *a, const Lambda *fn, int rank, Vars dests) {
  Lambda *out = NEW(a->arena, Lambda);
  out->params = spread_vars(a, fn->params);
  Stms *saved = scope_begin(a, &out->body.stms);
  emit_stms(a, fn->body.stms);
  Atoms indices = rewrite_atoms(&a->w[0], atoms_slice(fn->body.results, 0, rank));
  Atoms values = replicate_args(a, dests, values_of(&fn->body, rank));
  out->body.results = atoms_concat(a->arena, indices, values);
  scope_begin(a, saved);
  for (int i = 0; i < rank; i++) list_push(a->arena, &out->rets, fn->rets.at[i]);
  Types rows = {.at = fn->rets.at + rank, .len = fn->rets.len - rank};
  rows = spread_types(a, dests, rows);
  for (int i = 0; i < rows.len; i++) list_push(a->arena, &out->rets, rows.at[i]);
  return out;
}

static void emit_hist(MapJam *a, const Stm *stm) {
  const struct hist_form *h = &stm->exp.hist;
  Exp out = {.form = FORM_HIST, .hist = *h};
  out.hist.width = rewrite_atom(&a->w[0], h->width);
  out.hist.dests = spread_consumed(a, stm->bound, h->dests, true);
  out.hist.neutral = replicate_args(a, stm->bound, h->neutral);
  out.hist.inputs = replicate_args(a, h->fn->params, h->inputs);
  out.hist.op = spread_lambda(a, h->op, first_operands(h->op));
  out.hist.fn = spread_writes(a, h->fn, (int)h->rank, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static void emit_scatter(MapJam *a, const Stm *stm) {
  const struct scatter_form *s = &stm->exp.scatter;
  Exp out = {.form = FORM_SCATTER, .scatter = *s};
  out.scatter.width = rewrite_atom(&a->w[0], s->width);
  out.scatter.dests = spread_consumed(a, stm->bound, s->dests, true);
  out.scatter.inputs = replicate_args(a, s->fn->params, s->inputs);
  out.scatter.fn = spread_writes(a, s->fn, (int)s->rank, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static void emit_withacc(MapJam *a, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  Exp out = {.form = FORM_WITHACC};
  out.withacc.arrays = spread_consumed(a, e->fn->params, e->arrays, true);
  for (int k = 0; k < e->arrays.len; k++)
    for (int d = 0; d < (diverges(&a->what, e->fn->params.at[k]) ? a->n : 1); d++) {
      Operator op = e->ops.at[k];
      if (op.op) op.op = lambda_copy(builder_of(a), op.op);
      list_push(a->arena, &out.withacc.ops, op);
      list_push(a->arena, &out.withacc.ranks, e->ranks.at[k]);
    }
  out.withacc.fn = spread_lambda(a, e->fn, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < e->arrays.len; k++) set_own(a, stm->bound.at[k]);
}

// One for each iteration, of copies of what it consumes but does not own.
static void emit_each(MapJam *a, const Stm *stm) {
  Atoms consumed = exp_consumes(a->prog, a->arena, &stm->exp);
  for (int d = 0; d < a->n; d++) {
    Atoms values = rewrite_atoms(&a->w[d], consumed);
    for (int i = 0; i < consumed.len; i++)
      if (needs_copy(a, consumed.at[i]))
        rewrite_bind(&a->w[d], consumed.at[i].var, build_copy(builder_of(a), values.at[i]));
    rewrite_stm(&a->w[d], stm);
    for (int i = 0; i < consumed.len; i++) rewrite_bind(&a->w[d], consumed.at[i].var, values.at[i]);
  }
  for (int k = 0; makes_own(a, &stm->exp) && k < stm->bound.len; k++)
    set_own(a, stm->bound.at[k]);
}

static void emit_same(MapJam *a, const Stm *stm) {
  rewrite_stm(&a->w[0], stm);
  for (int k = 0; k < stm->bound.len; k++) bind_same(a, stm->bound.at[k]);
}

static bool all_diverge(const MapJam *a, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (!diverges(&a->what, vars.at[k])) return false;
  return true;
}

// Operators that share nothing between the iterations are simpler unjammed.
static void emit_stm(MapJam *a, const Stm *stm) {
  if (!any_diverges(&a->what, free_vars_of_exp(a->what.free_vars, &stm->exp))) {
    emit_same(a, stm);
    return;
  }
  Form form = is_uniform(&a->what, stm) ? stm->exp.form : FORM_COUNT;
  bool all = all_diverge(a, stm->bound);
  if (form == FORM_MATCH) emit_match(a, stm);
  else if (form == FORM_LOOP) emit_loop(a, stm);
  else if (form == FORM_MAP) emit_map(a, stm);
  else if (form == FORM_REDUCE && !all) emit_reduce(a, stm);
  else if (form == FORM_SCAN && !all) emit_scan(a, stm);
  else if (form == FORM_HIST && !all) emit_hist(a, stm);
  else if (form == FORM_SCATTER && !all) emit_scatter(a, stm);
  else if (form == FORM_WITHACC) emit_withacc(a, stm);
  else emit_each(a, stm);
}

static void emit_stms(MapJam *a, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    for (int d = 0; d < a->n; d++) a->w[d].to.loc = stms.at[i].loc;
    emit_stm(a, &stms.at[i]);
  }
}

// ---- the map
static MapJam map_jam_new(const Builder *b, int n) {
  Arena *arena = b->prog->arena;
  MapJam a = {.prog = b->prog, .arena = arena, .n = n, .w = NEW_ARRAY(arena, Rewrite, n)};
  a.what = divergence_new(b->prog, arena);
  a.own = map_new(arena);
  for (int d = 0; d < n; d++) a.w[d] = rewrite_new(b->prog, *b);
  return a;
}

// map n fn inputs: the results, in the order of the map's, each of all iterations.
static Atoms side_by_side(Builder *b, int n, const Lambda *fn, Atoms inputs) {
  MapJam a = map_jam_new(b, n);
  for (int k = 0; k < fn->params.len; k++) {
    set_divergent(&a.what, fn->params.at[k]);
    for (int d = 0; d < n; d++) {
      Atom at = atom_i64(d);
      rewrite_bind(&a.w[d], fn->params.at[k],
                   build_index(b, inputs.at[k], atoms_of(a.arena, 1, &at)));
    }
  }
  divergence_body(&a.what, &fn->body);
  emit_stms(&a, fn->body.stms);
  Atoms out = {0};
  for (int k = 0; k < fn->body.results.len; k++)
    for (int d = 0; d < n; d++)
      list_push(a.arena, &out, rewrite_atom(&a.w[d], fn->body.results.at[k]));
  return out;
}

typedef struct {
  int statements;
  bool operators, calls;
} Survey;

static bool is_acc(const Prog *prog, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++)
    if (atom_type(prog, atoms.at[i]).is_acc) return true;
  return false;
}

// Operators must have been differentiated, or there would be one for every direction.
static void survey(void *state, const Body *body, const Vars *params) {
  (void)params;
  Survey *s = state;
  s->statements += body->stms.len;
  for (int i = 0; i < body->stms.len; i++) {
    Form form = body->stms.at[i].exp.form;
    s->calls |= form == FORM_APPLY;
    s->operators |= form == FORM_JVP || form == FORM_VJP || form == FORM_WITHVJP ||
                    form == FORM_SCREMA || form == FORM_DEPENDS || form == FORM_JACOBIAN;
    exp_each_body(&body->stms.at[i].exp, survey, s);
  }
}

static bool fits(const Prog *prog, Arena *arena, const struct map_form *m, int most, int statements,
                 bool calls) {
  int64_t n;
  if (!atom_const_i64(m->width, &n) || n < 1 || n > most || is_acc(prog, m->inputs)) return false;
  Survey s = {0};
  survey(&s, &m->fn->body, NULL);
  Atoms free = atoms_of_vars(arena, lambda_free(prog, arena, m->fn));
  if (s.operators || (s.calls && !calls) || is_acc(prog, free)) return false;
  return s.statements * n <= statements;
}

// Twice to three times as fast, where nothing is copied: bench/log.
bool map_jam_pays(const Prog *prog, Arena *arena, const struct map_form *m) {
  for (int k = 0; k < m->fn->rets.len; k++)
    if (!type_is_scalar(m->fn->rets.at[k])) return false;
  return fits(prog, arena, m, FEW_ITERATIONS, FEW_STATEMENTS, false);
}

static bool is_for_us(const Prog *prog, Arena *arena, const Stm *stm) {
  return stm->exp.form == FORM_MAP && stm->attrs.unroll &&
         fits(prog, arena, &stm->exp.map, MOST_ITERATIONS, MOST_STATEMENTS, true) &&
         exp_consumes(prog, arena, &stm->exp).len == 0;
}

static void map_jam_stm(Rewrite *w, const Stm *stm) {
  Arena *arena = w->to.prog->arena;
  if (!is_for_us(w->from, arena, stm)) {
    rewrite_stm(w, stm);
    return;
  }
  Exp exp = rewrite_exp(w, &stm->exp);
  int n = (int)exp.map.width.value.i;
  Atoms out = side_by_side(&w->to, n, exp.map.fn, exp.map.inputs);
  for (int k = 0; k < stm->bound.len; k++) {
    const VarInfo *info = var_info(w->from, stm->bound.at[k]);
    Type t = rewrite_type(w, info->type);
    Exp all = {.form = FORM_LITERAL, .literal = {t.prim, atoms_slice(out, k * n, n)}};
    rewrite_bind(w, stm->bound.at[k], build(&w->to, info->base, t, all));
  }
}

static void look_for_marks(void *state, const Body *body, const Vars *params) {
  (void)params;
  bool *marked = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->attrs.unroll && stm->exp.form == FORM_MAP) *marked = true;
    exp_each_body(&stm->exp, look_for_marks, state);
  }
}

// Within a copy, because what calls consume is asked of the functions.
// needs   nothing;  leaves  #[unroll] on maps that stay
Prog *pass_map_jam(Prog *prog, Arena *arena) {
  bool marked = false;
  Body constants = {.stms = prog->constants};
  look_for_marks(&marked, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) look_for_marks(&marked, &prog->fns.at[i]->body, NULL);
  if (!marked) return prog;
  Rewrite copy = {0};
  Prog *out = rewrite_prog(prog, arena, &copy);
  Rewrite w = rewrite_new(out, builder_new(out, NULL));
  w.stm = map_jam_stm;
  constants.stms = out->constants;
  out->constants = rewrite_body(&w, &constants).stms;
  for (int i = 0; i < out->fns.len; i++)
    out->fns.at[i]->body = rewrite_body(&w, &out->fns.at[i]->body);
  out->at_fixpoint = false;
  return out;
}
