// Maps marked #[unroll], of few iterations (the directions of jmp and mjp among them), with their
// iterations abreast:
//
//   map V (\dx -> s1; s2; ..) X   =   s1; s2 for X[0]; .. s2 for X[V-1]; ..
//
// A statement that is the same for all iterations, as s1, is executed once.  Of others there are V;
// but maps, loops, branches, reductions, scans, histograms, scatters and accumulators stay one, in
// which what differs is there V times:
//
//   loop (p, dp) = (a, da) { (r, dr) }   =   loop (p, dp_1, .., dp_V) = (a, da_1, ..) { .. }
//
// so that the directions share loops, loads and all that does not depend on them, and scalars stay in
// registers.  What differs is found first, from the operands, in nested scopes to a fixpoint.
//
// Iterations that consume the same array get copies: only memory that a variable which differs is
// known to have for itself (`own`) is consumed as it is.
#include "local.h"

// Of maps that are marked; of those that nobody marked.
enum { MOST_ITERATIONS = 16, MOST_STATEMENTS = 4000, FEW_ITERATIONS = 4, FEW_STATEMENTS = 600 };

typedef struct {
  Prog *prog;
  Arena *arena;
  int n;           // iterations
  Rewrite *w;      // by iteration
  Map *differing;  // variables of the map's function -> not NULL
  Map *own;        // those that differ, whose memory is theirs alone
  Frees *frees;
  bool grew;
} Abreast;

// ---- what differs
static bool differs(const Abreast *a, Var v) { return map_get(a->differing, v.id) != NULL; }

static bool atom_differs(const Abreast *a, Atom x) { return x.is_var && differs(a, x.var); }

static void set_differs(Abreast *a, Var v) {
  if (differs(a, v)) return;
  map_put(a->differing, v.id, a);
  a->grew = true;
}

static bool any_differs(const Abreast *a, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (differs(a, vars.at[i])) return true;
  return false;
}

static bool any_atom_differs(const Abreast *a, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++)
    if (atom_differs(a, atoms.at[i])) return true;
  return false;
}

static void find_body(Abreast *a, const Body *body);

// Variables differ where what they are given does; as many of both.
static void find_given(Abreast *a, Vars vars, Atoms given) {
  for (int k = 0; k < vars.len; k++)
    if (atom_differs(a, given.at[k])) set_differs(a, vars.at[k]);
}

static void find_match(Abreast *a, const Stm *stm) {
  const Cases *cases = &stm->exp.match.cases;
  for (int i = 0; i < cases->len; i++) {
    find_body(a, &cases->at[i].body);
    find_given(a, stm->bound, cases->at[i].body.results);
  }
}

static Vars vars_from(Vars vars, int from, int n) { return (Vars){.at = vars.at + from, .len = n}; }

// Results come back as parameters: vars are these, of the same number.
static void find_cycle(Abreast *a, const Body *body, Vars vars) {
  bool outer = a->grew;
  do {
    a->grew = false;
    find_body(a, body);
    find_given(a, vars, body->results);
    outer = outer || a->grew;
  } while (a->grew);
  a->grew = outer;
}

static Vars loop_params(const struct loop_form *l) {
  return vars_from(l->fn->params, l->is_for, l->inits.len);
}

static void find_loop(Abreast *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  find_given(a, loop_params(l), l->inits);
  find_cycle(a, &l->fn->body, loop_params(l));
  find_given(a, stm->bound, atoms_of_vars(a->arena, loop_params(l)));
}

static void find_map(Abreast *a, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  find_given(a, m->fn->params, m->inputs);
  find_body(a, &m->fn->body);
  find_given(a, stm->bound, m->fn->body.results);
}

// op : (x.., y..) -> r..: component k differs where one of them does, or what comes in.
static void find_operator(Abreast *a, const Lambda *op, Atoms neutral, Atoms inputs, Vars bound) {
  Vars x = vars_from(op->params, 0, neutral.len), y = vars_from(op->params, neutral.len, neutral.len);
  Atoms xs = atoms_of_vars(a->arena, x), ys = atoms_of_vars(a->arena, y);
  find_given(a, x, neutral);
  find_given(a, x, inputs);
  find_given(a, y, xs);
  bool outer = a->grew;
  do {
    a->grew = false;
    find_cycle(a, &op->body, x);
    find_given(a, y, xs);
    find_given(a, x, ys);
    outer = outer || a->grew;
  } while (a->grew);
  a->grew = outer;
  find_given(a, bound, xs);
}

// Of a histogram or scatter the values, behind the indices.
static Atoms values_of(const Body *body, int64_t rank) {
  return atoms_slice(body->results, (int)rank, body->results.len - (int)rank);
}

static void find_hist(Abreast *a, const Stm *stm) {
  const struct hist_form *h = &stm->exp.hist;
  find_given(a, h->fn->params, h->inputs);
  find_body(a, &h->fn->body);
  find_given(a, stm->bound, h->dests);
  Vars x = vars_from(h->op->params, 0, h->dests.len);
  find_given(a, x, h->dests);
  find_operator(a, h->op, h->neutral, values_of(&h->fn->body, h->rank), stm->bound);
}

static void find_scatter(Abreast *a, const Stm *stm) {
  const struct scatter_form *s = &stm->exp.scatter;
  find_given(a, s->fn->params, s->inputs);
  find_body(a, &s->fn->body);
  find_given(a, stm->bound, s->dests);
  find_given(a, stm->bound, values_of(&s->fn->body, s->rank));
}

static void find_withacc(Abreast *a, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  find_given(a, e->fn->params, e->arrays);
  find_cycle(a, &e->fn->body, e->fn->params);  // other results come behind
  find_given(a, vars_from(stm->bound, 0, e->arrays.len), atoms_of_vars(a->arena, e->fn->params));
  find_given(a, stm->bound, e->fn->body.results);
}

// Whether the statement can stay one where its results differ: what decides how often something is
// done, and where, must be the same for all.
static bool is_together(const Abreast *a, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_MATCH: return !any_atom_differs(a, e->match.args);
    case FORM_LOOP:
      return e->loop.is_for ? !atom_differs(a, e->loop.bound)
                            : !differs(a, e->loop.fn->params.at[e->loop.cond]);
    case FORM_MAP: return !atom_differs(a, e->map.width);
    case FORM_REDUCE: return !atom_differs(a, e->reduce.width);
    case FORM_SCAN: return !atom_differs(a, e->scan.width);
    case FORM_HIST:
      return !atom_differs(a, e->hist.width) &&
             !any_atom_differs(a, atoms_slice(e->hist.fn->body.results, 0, (int)e->hist.rank));
    case FORM_SCATTER:
      return !atom_differs(a, e->scatter.width) &&
             !any_atom_differs(a, atoms_slice(e->scatter.fn->body.results, 0, (int)e->scatter.rank));
    case FORM_WITHACC: return true;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
    case FORM_APPLY: case FORM_ASSERT: case FORM_SCREMA: case FORM_UPDATEACC: case FORM_JVP:
    case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_BLOCKS: case FORM_COUNT:
      return false;
  }
  return false;
}

static void find_inside(Abreast *a, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_MATCH: find_match(a, stm); break;
    case FORM_LOOP: find_loop(a, stm); break;
    case FORM_MAP: find_map(a, stm); break;
    case FORM_REDUCE:
      find_operator(a, e->reduce.op, e->reduce.neutral, e->reduce.inputs, stm->bound);
      break;
    case FORM_SCAN: find_operator(a, e->scan.op, e->scan.neutral, e->scan.inputs, stm->bound); break;
    case FORM_HIST: find_hist(a, stm); break;
    case FORM_SCATTER: find_scatter(a, stm); break;
    case FORM_WITHACC: find_withacc(a, stm); break;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
    case FORM_APPLY: case FORM_ASSERT: case FORM_SCREMA: case FORM_UPDATEACC: case FORM_JVP:
    case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_BLOCKS: case FORM_COUNT: break;
  }
}

static void find_body(Abreast *a, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!any_differs(a, frees_of_exp(a->frees, &stm->exp))) continue;
    if (is_together(a, stm)) find_inside(a, stm);
    if (is_together(a, stm)) continue;
    for (int k = 0; k < stm->bound.len; k++) set_differs(a, stm->bound.at[k]);
  }
}

// ---- names, once or for every iteration
static Builder *builder_of(Abreast *a) { return &a->w[0].to; }

static Stms *scope_begin(Abreast *a, Stms *stms) {
  Stms *saved = a->w[0].to.stms;
  for (int d = 0; d < a->n; d++) a->w[d].to.stms = stms;
  return saved;
}

static void bind_same(Abreast *a, Var source) {
  Atom x = rewrite_atom(&a->w[0], atom_var(source));
  for (int d = 1; d < a->n; d++) rewrite_bind(&a->w[d], source, x);
}

// Binders may mention each other in their types: first all names, then all types.
static void spread_names(Abreast *a, Vars sources, Vars *out) {
  for (int k = 0; k < sources.len; k++) {
    Var x = sources.at[k];
    for (int d = 0; d < (differs(a, x) ? a->n : 1); d++) {
      Var copy = var_new(a->prog, var_info(a->prog, x)->base, type_scalar(PRIM_UNIT));
      rewrite_bind(&a->w[d], x, atom_var(copy));
      list_push(a->arena, out, copy);
    }
    if (!differs(a, x)) bind_same(a, x);
  }
}

static Vars spread_vars(Abreast *a, Vars sources) {
  Vars out = {0};
  spread_names(a, sources, &out);
  for (int k = 0, at = 0; k < sources.len; k++)
    for (int d = 0; d < (differs(a, sources.at[k]) ? a->n : 1); d++) {
      Type t = rewrite_type(&a->w[d], var_type(a->prog, sources.at[k]));
      a->prog->vars.at[out.at[at++].id].type = t;
    }
  return out;
}

// What the variables are given: once for those that do not differ.
static Atoms spread_given(Abreast *a, Vars vars, Atoms given) {
  Atoms out = {0};
  for (int k = 0; k < vars.len; k++)
    for (int d = 0; d < (differs(a, vars.at[k]) ? a->n : 1); d++)
      list_push(a->arena, &out, rewrite_atom(&a->w[d], given.at[k]));
  return out;
}

static Types spread_types(Abreast *a, Vars vars, Types types) {
  Types out = {0};
  for (int k = 0; k < vars.len; k++)
    for (int d = 0; d < (differs(a, vars.at[k]) ? a->n : 1); d++)
      list_push(a->arena, &out, rewrite_type(&a->w[d], types.at[k]));
  return out;
}

// ---- consumption
static bool is_own(const Abreast *a, Atom x) {
  return x.is_var && differs(a, x.var) && map_get(a->own, x.var.id);
}

static void set_own(Abreast *a, Var v) {
  if (differs(a, v)) map_put(a->own, v.id, a);
}

static bool needs_copy(const Abreast *a, Atom x) {
  Type t = atom_type(a->prog, x);
  return t.rank > 0 && !t.is_acc && !is_own(a, x);
}

// The same, with memory of their own where that may be consumed.
static Atoms spread_consumed(Abreast *a, Vars vars, Atoms given, bool consumed) {
  Atoms out = spread_given(a, vars, given);
  for (int k = 0, at = 0; k < vars.len; k++) {
    bool many = differs(a, vars.at[k]), owner = consumed || var_type(a->prog, vars.at[k]).unique;
    bool copied = many && owner && needs_copy(a, given.at[k]);
    for (int d = 0; d < (many ? a->n : 1); d++, at++)
      if (copied) out.at[at] = build_copy(builder_of(a), out.at[at]);
  }
  return out;
}

// The memory that results of a statement have, where it is one of each iteration.
static bool makes_own(const Abreast *a, const Exp *e) {
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
    case FORM_DEPENDS: case FORM_BLOCKS: case FORM_COUNT: return false;
  }
  return false;
}

// ---- statements
static void emit_stms(Abreast *a, Stms stms);

static void emit(Abreast *a, const Stm *like, Exp exp) {
  Stm stm = *like;
  stm.exp = exp;
  stm.bound = spread_vars(a, like->bound);
  build_stm(builder_of(a), stm);
}

// The function with what differs there n times; its results are what vars are given.
static Lambda *spread_lambda(Abreast *a, const Lambda *fn, Vars vars) {
  Lambda *out = NEW(a->arena, Lambda);
  out->params = spread_vars(a, fn->params);
  Stms *saved = scope_begin(a, &out->body.stms);
  emit_stms(a, fn->body.stms);
  out->body.results = spread_consumed(a, vars, fn->body.results, false);
  scope_begin(a, saved);
  out->rets = spread_types(a, vars, fn->rets);
  return out;
}

static void emit_match(Abreast *a, const Stm *stm) {
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
    c.body.results = spread_given(a, stm->bound, results);
    scope_begin(a, saved);
    for (int k = 0; k < stm->bound.len; k++) own[k] = own[k] && is_own(a, results.at[k]);
    list_push(a->arena, &out.match.cases, c);
  }
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++)
    if (own[k]) set_own(a, stm->bound.at[k]);
}

static void own_unique(Abreast *a, Vars params, Vars vars) {
  for (int k = 0; k < params.len; k++)
    if (var_type(a->prog, params.at[k]).unique) set_own(a, vars.at[k]);
}

static void emit_loop(Abreast *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  Vars params = loop_params(l);
  Exp out = {.form = FORM_LOOP, .loop = {.is_for = l->is_for, .bound = l->bound}};
  if (l->is_for) out.loop.bound = rewrite_atom(&a->w[0], l->bound);
  for (int k = 0; !l->is_for && k < l->cond; k++)
    out.loop.cond += differs(a, params.at[k]) ? a->n : 1;
  out.loop.inits = spread_consumed(a, params, l->inits, false);
  own_unique(a, params, params);
  out.loop.fn = spread_lambda(a, l->fn, params);
  emit(a, stm, out);
  own_unique(a, params, stm->bound);
}

static void emit_map(Abreast *a, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  Exp out = {.form = FORM_MAP, .map = {.width = rewrite_atom(&a->w[0], m->width)}};
  out.map.inputs = spread_given(a, m->fn->params, m->inputs);
  for (int k = 0; k < m->inputs.len; k++)
    if (is_own(a, m->inputs.at[k])) set_own(a, m->fn->params.at[k]);
  out.map.fn = spread_lambda(a, m->fn, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static Vars first_operands(const Lambda *op) { return vars_from(op->params, 0, op->params.len / 2); }

static void emit_reduce(Abreast *a, const Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  Exp out = {.form = FORM_REDUCE, .reduce = *r};
  out.reduce.width = rewrite_atom(&a->w[0], r->width);
  out.reduce.neutral = spread_given(a, stm->bound, r->neutral);
  out.reduce.inputs = spread_given(a, stm->bound, r->inputs);
  out.reduce.op = spread_lambda(a, r->op, first_operands(r->op));
  emit(a, stm, out);
}

static void emit_scan(Abreast *a, const Stm *stm) {
  const struct scan_form *s = &stm->exp.scan;
  Exp out = {.form = FORM_SCAN, .scan = *s};
  out.scan.width = rewrite_atom(&a->w[0], s->width);
  out.scan.neutral = spread_given(a, stm->bound, s->neutral);
  out.scan.inputs = spread_given(a, stm->bound, s->inputs);
  out.scan.op = spread_lambda(a, s->op, first_operands(s->op));
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

// Of a histogram or scatter: indices are the same for all.
static Lambda *spread_writes(Abreast *a, const Lambda *fn, int rank, Vars dests) {
  Lambda *out = NEW(a->arena, Lambda);
  out->params = spread_vars(a, fn->params);
  Stms *saved = scope_begin(a, &out->body.stms);
  emit_stms(a, fn->body.stms);
  Atoms indices = rewrite_atoms(&a->w[0], atoms_slice(fn->body.results, 0, rank));
  Atoms values = spread_given(a, dests, values_of(&fn->body, rank));
  out->body.results = atoms_concat(a->arena, indices, values);
  scope_begin(a, saved);
  for (int i = 0; i < rank; i++) list_push(a->arena, &out->rets, fn->rets.at[i]);
  Types rows = {.at = fn->rets.at + rank, .len = fn->rets.len - rank};
  rows = spread_types(a, dests, rows);
  for (int i = 0; i < rows.len; i++) list_push(a->arena, &out->rets, rows.at[i]);
  return out;
}

static void emit_hist(Abreast *a, const Stm *stm) {
  const struct hist_form *h = &stm->exp.hist;
  Exp out = {.form = FORM_HIST, .hist = *h};
  out.hist.width = rewrite_atom(&a->w[0], h->width);
  out.hist.dests = spread_consumed(a, stm->bound, h->dests, true);
  out.hist.neutral = spread_given(a, stm->bound, h->neutral);
  out.hist.inputs = spread_given(a, h->fn->params, h->inputs);
  out.hist.op = spread_lambda(a, h->op, first_operands(h->op));
  out.hist.fn = spread_writes(a, h->fn, (int)h->rank, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static void emit_scatter(Abreast *a, const Stm *stm) {
  const struct scatter_form *s = &stm->exp.scatter;
  Exp out = {.form = FORM_SCATTER, .scatter = *s};
  out.scatter.width = rewrite_atom(&a->w[0], s->width);
  out.scatter.dests = spread_consumed(a, stm->bound, s->dests, true);
  out.scatter.inputs = spread_given(a, s->fn->params, s->inputs);
  out.scatter.fn = spread_writes(a, s->fn, (int)s->rank, stm->bound);
  emit(a, stm, out);
  for (int k = 0; k < stm->bound.len; k++) set_own(a, stm->bound.at[k]);
}

static void emit_withacc(Abreast *a, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  Exp out = {.form = FORM_WITHACC};
  out.withacc.arrays = spread_consumed(a, e->fn->params, e->arrays, true);
  for (int k = 0; k < e->arrays.len; k++)
    for (int d = 0; d < (differs(a, e->fn->params.at[k]) ? a->n : 1); d++) {
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
static void emit_apart(Abreast *a, const Stm *stm) {
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

static void emit_same(Abreast *a, const Stm *stm) {
  rewrite_stm(&a->w[0], stm);
  for (int k = 0; k < stm->bound.len; k++) bind_same(a, stm->bound.at[k]);
}

static bool all_differ(const Abreast *a, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (!differs(a, vars.at[k])) return false;
  return true;
}

// Operators of which nothing is the same for all iterations are simpler apart.
static void emit_stm(Abreast *a, const Stm *stm) {
  if (!any_differs(a, frees_of_exp(a->frees, &stm->exp))) {
    emit_same(a, stm);
    return;
  }
  Form form = is_together(a, stm) ? stm->exp.form : FORM_COUNT;
  bool all = all_differ(a, stm->bound);
  if (form == FORM_MATCH) emit_match(a, stm);
  else if (form == FORM_LOOP) emit_loop(a, stm);
  else if (form == FORM_MAP) emit_map(a, stm);
  else if (form == FORM_REDUCE && !all) emit_reduce(a, stm);
  else if (form == FORM_SCAN && !all) emit_scan(a, stm);
  else if (form == FORM_HIST && !all) emit_hist(a, stm);
  else if (form == FORM_SCATTER && !all) emit_scatter(a, stm);
  else if (form == FORM_WITHACC) emit_withacc(a, stm);
  else emit_apart(a, stm);
}

static void emit_stms(Abreast *a, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    for (int d = 0; d < a->n; d++) a->w[d].to.loc = stms.at[i].loc;
    emit_stm(a, &stms.at[i]);
  }
}

// ---- the map
static Abreast abreast_new(const Builder *b, int n) {
  Arena *arena = b->prog->arena;
  Abreast a = {.prog = b->prog, .arena = arena, .n = n, .w = NEW_ARRAY(arena, Rewrite, n)};
  a.differing = map_new(arena);
  a.own = map_new(arena);
  a.frees = frees_new(b->prog, arena);
  for (int d = 0; d < n; d++) a.w[d] = rewrite_new(b->prog, *b);
  return a;
}

// map n fn inputs: the results, in the order of the map's, each of all iterations.
static Atoms side_by_side(Builder *b, int n, const Lambda *fn, Atoms inputs) {
  Abreast a = abreast_new(b, n);
  for (int k = 0; k < fn->params.len; k++) {
    set_differs(&a, fn->params.at[k]);
    for (int d = 0; d < n; d++) {
      Atom at = atom_i64(d);
      rewrite_bind(&a.w[d], fn->params.at[k],
                   build_index(b, inputs.at[k], atoms_of(a.arena, 1, &at)));
    }
  }
  find_body(&a, &fn->body);
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

// Operators have to be gone, or there would be one for every direction.
static void survey(void *state, const Body *body, const Vars *params) {
  (void)params;
  Survey *s = state;
  s->statements += body->stms.len;
  for (int i = 0; i < body->stms.len; i++) {
    Form form = body->stms.at[i].exp.form;
    s->calls |= form == FORM_APPLY;
    s->operators |= form == FORM_JVP || form == FORM_VJP || form == FORM_WITHVJP ||
                    form == FORM_SCREMA || form == FORM_DEPENDS || form == FORM_BLOCKS;
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
  return !s.operators && (calls || !s.calls) && s.statements * n <= statements && !is_acc(prog, free);
}

// Twice to three times as fast, where nothing is copied: doc/performance.md.
bool abreast_pays(const Prog *prog, Arena *arena, const struct map_form *m) {
  for (int k = 0; k < m->fn->rets.len; k++)
    if (!type_is_scalar(m->fn->rets.at[k])) return false;
  return fits(prog, arena, m, FEW_ITERATIONS, FEW_STATEMENTS, false);
}

static bool is_for_us(const Prog *prog, Arena *arena, const Stm *stm) {
  return stm->exp.form == FORM_MAP && stm->attrs.unroll &&
         fits(prog, arena, &stm->exp.map, MOST_ITERATIONS, MOST_STATEMENTS, true) &&
         exp_consumes(prog, arena, &stm->exp).len == 0;
}

static void abreast_stm(Rewrite *w, const Stm *stm) {
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
Prog *pass_abreast(const Prog *prog, Arena *arena) {
  bool marked = false;
  Body constants = {.stms = prog->constants};
  look_for_marks(&marked, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) look_for_marks(&marked, &prog->fns.at[i]->body, NULL);
  if (!marked) return (Prog *)prog;
  Rewrite copy = {0};
  Prog *out = rewrite_prog(prog, arena, &copy);
  Rewrite w = rewrite_new(out, builder_new(out, NULL));
  w.stm = abreast_stm;
  constants.stms = out->constants;
  out->constants = rewrite_body(&w, &constants).stms;
  for (int i = 0; i < out->fns.len; i++) out->fns.at[i]->body = rewrite_body(&w, &out->fns.at[i]->body);
  out->settled = false;
  return out;
}
