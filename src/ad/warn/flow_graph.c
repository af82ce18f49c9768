// The graph of flow_graph.h: one function per form says which operand flows where and how.
#include "flow_graph.h"

// ---- nodes and edges
Flow flow_new(const Prog *prog, Arena *arena) {
  return (Flow){.prog = prog, .arena = arena, .node_of = NEW_ARRAY(arena, int, prog->vars.len)};
}

int flow_node(const Flow *f, Atom a) { return a.is_var ? f->node_of[a.var.id] - 1 : -1; }

static int node_add(Flow *f, Var v, const Loc *loc) {
  int *at = &f->node_of[v.id];
  if (*at == 0) {
    list_push(f->arena, &f->nodes, (FlowNode){.var = v, .loc = loc, .out = -1, .in = -1});
    *at = f->nodes.len;
  } else if (loc && !f->nodes.at[*at - 1].loc) {
    f->nodes.at[*at - 1].loc = loc;
  }
  return *at - 1;
}

static void edge_add(Flow *f, Atom from, Var to, FlowKind kind, const Stm *stm) {
  if (!from.is_var) return;
  int a = node_add(f, from.var, NULL), b = node_add(f, to, stm->loc);
  FlowNode *source = &f->nodes.at[a], *target = &f->nodes.at[b];
  list_push(f->arena, &f->edges,
            (FlowEdge){.from = a, .to = b, .kind = kind, .stm = stm, .next_out = source->out,
                       .next_in = target->in});
  source->out = target->in = f->edges.len - 1;
}

static bool is_float(const Flow *f, Var v) { return prim_is_float(var_type(f->prog, v).prim); }

static void carry(Flow *f, Atom from, Var to, const Stm *stm) {
  bool smooth = from.is_var && is_float(f, from.var) && is_float(f, to);
  edge_add(f, from, to, smooth ? FLOW_SMOOTH : FLOW_VALUE, stm);
}

static void carry_all(Flow *f, Atoms from, const Stm *stm) {
  for (int i = 0; i < from.len; i++)
    for (int k = 0; k < stm->bound.len; k++) carry(f, from.at[i], stm->bound.at[k], stm);
}

static void carry_vars(Flow *f, Vars from, const Stm *stm) {
  for (int i = 0; i < from.len; i++)
    for (int k = 0; k < stm->bound.len; k++) carry(f, atom_var(from.at[i]), stm->bound.at[k], stm);
}

static void carry_each(Flow *f, Atoms from, Vars to, int first, const Stm *stm) {
  for (int k = 0; k < from.len && first + k < to.len; k++)
    carry(f, from.at[k], to.at[first + k], stm);
}

static void control(Flow *f, Atom from, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    edge_add(f, from, stm->bound.at[k], FLOW_CONTROL, stm);
}

// ---- scalars
static bool is_rounding(Op op) {
  return op == OP_CEIL || op == OP_FLOOR || op == OP_TRUNC || op == OP_ROUND || op == OP_TO_BITS;
}

static bool is_step(Op op) {
  return op == OP_SGN || op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE ||
         op == OP_ISNAN || op == OP_ISINF;
}

// Values without a derivative that are computed on with: truth values, and exponents of integers.
static bool is_computed(Op op, Prim p) {
  bool logic = op == OP_AND || op == OP_OR || op == OP_NOT;
  return op == OP_POW || (logic && p == PRIM_BOOL);
}

static FlowKind prim_kind(const struct prim_form *e, int i) {
  if (e->op == OP_SELECT) return i == 0 ? FLOW_CONTROL
                                 : prim_is_float(e->prim) ? FLOW_SMOOTH : FLOW_VALUE;
  if (prim_is_float(e->prim)) {
    if (is_rounding(e->op) || is_step(e->op)) return FLOW_NONDIFF;
    return op_carries(e->op, e->prim, i) ? FLOW_SMOOTH : FLOW_CONTROL;
  }
  // Bits mixed make tables and random numbers of an integer: it chooses.
  bool passes = op_carries(e->op, e->prim, i) || is_computed(e->op, e->prim);
  return passes ? FLOW_VALUE : FLOW_CONTROL;
}

// x, where these are the bits of x as they are.
static Atom number_of_bits(const Flow *f, Atom bits) {
  int node = flow_node(f, bits), in = node < 0 ? -1 : f->nodes.at[node].in;
  const Exp *e = in < 0 ? NULL : &f->edges.at[in].stm->exp;
  return e && e->form == FORM_PRIM && e->prim.op == OP_TO_BITS ? e->prim.args.at[0] : atom_none();
}

static void flow_prim(Flow *f, const Stm *stm) {
  const struct prim_form *e = &stm->exp.prim;
  Atom same = e->op == OP_FROM_BITS ? number_of_bits(f, e->args.at[0]) : atom_none();
  if (!atom_absent(same)) {
    edge_add(f, same, stm->bound.at[0], FLOW_SMOOTH, stm);
    return;
  }
  for (int i = 0; i < e->args.len; i++)
    edge_add(f, e->args.at[i], stm->bound.at[0], prim_kind(e, i), stm);
}

static void flow_conv(Flow *f, const Stm *stm) {
  Atom a = stm->exp.conv.arg;
  bool from = a.is_var && is_float(f, a.var), to = prim_is_float(stm->exp.conv.to);
  FlowKind kind = from && to ? FLOW_SMOOTH : from ? FLOW_NONDIFF : FLOW_VALUE;
  edge_add(f, a, stm->bound.at[0], kind, stm);
}

// ---- arrays
typedef struct {
  Flow *flow;
  const Stm *stm;
  Atom carried[2];
} Operands;

static void operand(void *state, Atom a) {
  Operands *o = state;
  if (!atom_same(a, o->carried[0]) && !atom_same(a, o->carried[1])) control(o->flow, a, o->stm);
}

// One or two operands (the second may be absent) are carried, the others are indices and sizes.
static void flow_array(Flow *f, const Stm *stm, Atom x, Atom y) {
  carry(f, x, stm->bound.at[0], stm);
  if (!atom_absent(y)) carry(f, y, stm->bound.at[0], stm);
  Operands o = {f, stm, {x, y}};
  exp_each_atom(&stm->exp, operand, &o);
}

// ---- scopes
static void flow_body(Flow *f, const Body *body);

static void flow_match(Flow *f, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  for (int i = 0; i < e->args.len; i++) control(f, e->args.at[i], stm);
  for (int i = 0; i < e->cases.len; i++) {
    flow_body(f, &e->cases.at[i].body);
    carry_each(f, e->cases.at[i].body.results, stm->bound, 0, stm);
  }
}

static void flow_loop(Flow *f, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int first = e->is_for;
  carry_each(f, e->inits, e->fn->params, first, stm);
  flow_body(f, &e->fn->body);
  carry_each(f, e->fn->body.results, e->fn->params, first, stm);
  for (int k = 0; k < stm->bound.len; k++)
    carry(f, atom_var(e->fn->params.at[first + k]), stm->bound.at[k], stm);
  control(f, e->is_for ? e->bound : atom_var(e->fn->params.at[e->cond]), stm);
}

static void flow_call(Flow *f, const Stm *stm, const Lambda *fn, Atoms args) {
  carry_each(f, args, fn->params, 0, stm);
  flow_body(f, &fn->body);
  carry_each(f, fn->body.results, stm->bound, 0, stm);
}

// A function is in the graph once, however often it is called.
static void flow_apply(Flow *f, const Stm *stm) {
  const Fn *fn = prog_fn(f->prog, stm->exp.apply.fn);
  carry_each(f, stm->exp.apply.args, fn->params, 0, stm);
  bool entered = false;
  for (int i = 0; i < f->entered.len; i++) entered = entered || f->entered.at[i] == fn;
  if (!entered) {
    list_push(f->arena, &f->entered, fn);
    flow_body(f, &fn->body);
  }
  carry_each(f, fn->body.results, stm->bound, 0, stm);
}

// Elements are combined with each other.  A true neutral element changes nothing; so it carries
// none.
static void flow_operator(Flow *f, const Stm *stm, const Lambda *op, Atoms neutral, Atoms elems) {
  int k = op->params.len / 2;
  for (int i = 0; i < neutral.len; i++) control(f, neutral.at[i], stm);
  carry_each(f, elems, op->params, 0, stm);
  carry_each(f, elems, op->params, k, stm);
  flow_body(f, &op->body);
  carry_each(f, op->body.results, op->params, 0, stm);
  carry_each(f, op->body.results, op->params, k, stm);
  carry_each(f, op->body.results, stm->bound, 0, stm);
}

// The function's results: indices, then a value for each destination.
static Atoms flow_bins(Flow *f, const Stm *stm, const Lambda *fn, int64_t rank, Atoms inputs) {
  carry_each(f, inputs, fn->params, 0, stm);
  flow_body(f, &fn->body);
  for (int i = 0; i < rank; i++) control(f, fn->body.results.at[i], stm);
  return atoms_slice(fn->body.results, (int)rank, fn->body.results.len - (int)rank);
}

static void flow_hist(Flow *f, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  Atoms values = flow_bins(f, stm, e->fn, e->rank, e->inputs);
  carry_each(f, e->dests, stm->bound, 0, stm);
  carry_each(f, e->dests, e->op->params, 0, stm);
  flow_operator(f, stm, e->op, e->neutral, values);
}

static void flow_scatter(Flow *f, const Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Atoms values = flow_bins(f, stm, e->fn, e->rank, e->inputs);
  carry_each(f, e->dests, stm->bound, 0, stm);
  carry_each(f, values, stm->bound, 0, stm);
}

// A rule that the user gave is taken as it is; what its function captures is differentiated.
static void flow_withvjp(Flow *f, const Stm *stm) {
  carry_all(f, withvjp_carrying(f->prog, &stm->exp.withvjp), stm);
  carry_vars(f, lambda_free(f->prog, f->arena, stm->exp.withvjp.fn), stm);
}

static void flow_stm(Flow *f, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_ATOM: carry(f, e->atom.arg, stm->bound.at[0], stm); break;
    case FORM_PRIM: flow_prim(f, stm); break;
    case FORM_CONV: flow_conv(f, stm); break;
    case FORM_OPAQUE: carry(f, e->opaque.arg, stm->bound.at[0], stm); break;
    case FORM_LITERAL: carry_all(f, e->literal.elems, stm); break;
    case FORM_CONCAT: carry_all(f, e->concat.arrays, stm); break;
    case FORM_REPLICATE: flow_array(f, stm, e->replicate.arg, atom_none()); break;
    case FORM_COPY: flow_array(f, stm, e->copy.arg, atom_none()); break;
    case FORM_INDEX: flow_array(f, stm, e->index.array, atom_none()); break;
    case FORM_UPDATE: flow_array(f, stm, e->update.array, e->update.value); break;
    case FORM_FLATINDEX: flow_array(f, stm, e->flatindex.array, atom_none()); break;
    case FORM_FLATUPDATE: flow_array(f, stm, e->flatupdate.array, e->flatupdate.value); break;
    case FORM_RESHAPE: flow_array(f, stm, e->reshape.array, atom_none()); break;
    case FORM_REARRANGE: flow_array(f, stm, e->rearrange.array, atom_none()); break;
    case FORM_REVERSE: flow_array(f, stm, e->reverse.array, atom_none()); break;
    case FORM_ROTATE: flow_array(f, stm, e->rotate.array, atom_none()); break;
    case FORM_IOTA: flow_array(f, stm, e->iota.start, e->iota.step); break;
    case FORM_UPDATEACC: flow_array(f, stm, e->updateacc.acc, e->updateacc.value); break;
    case FORM_MATCH: flow_match(f, stm); break;
    case FORM_LOOP: flow_loop(f, stm); break;
    case FORM_MAP: flow_call(f, stm, e->map.fn, e->map.inputs); break;
    case FORM_WITHACC: flow_call(f, stm, e->withacc.fn, e->withacc.arrays); break;
    case FORM_REDUCE:
      flow_operator(f, stm, e->reduce.op, e->reduce.neutral, e->reduce.inputs);
      break;
    case FORM_SCAN: flow_operator(f, stm, e->scan.op, e->scan.neutral, e->scan.inputs); break;
    case FORM_HIST: flow_hist(f, stm); break;
    case FORM_SCATTER: flow_scatter(f, stm); break;
    case FORM_WITHVJP: flow_withvjp(f, stm); break;
    case FORM_APPLY: flow_apply(f, stm); break;
    case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_SCREMA:
      carry_vars(f, exp_free(f->prog, f->arena, e), stm);
      break;
    case FORM_CONSTANT: case FORM_SCRATCH: case FORM_ASSERT: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_COUNT: break;
  }
}

static void flow_body(Flow *f, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) flow_stm(f, &body->stms.at[i]);
}

void flow_fill(Flow *f, const Lambda *fn, const Loc *loc) {
  for (int i = 0; i < f->nodes.len; i++) f->node_of[f->nodes.at[i].var.id] = 0;
  f->nodes.len = f->edges.len = f->entered.len = 0;
  for (int k = 0; k < fn->params.len; k++) node_add(f, fn->params.at[k], loc);
  flow_body(f, &fn->body);
}

// ---- reach
Reach reach_new(const Flow *f, bool back, unsigned kinds) {
  Reach r = {.flow = f, .back = back, .kinds = kinds};
  r.by = NEW_ARRAY(f->arena, int, f->nodes.len + 1);
  for (int i = 0; i < f->nodes.len; i++) r.by[i] = -1;
  return r;
}

bool reach_has(const Reach *r, int node) { return node >= 0 && r->by[node] >= 0; }

static void reach_add(Reach *r, int node, int by) {
  if (r->by[node] >= 0) return;
  r->by[node] = by;
  list_push(r->flow->arena, &r->queue, node);
}

void reach_from(Reach *r, int node) {
  if (node >= 0) reach_add(r, node, 0);
}

void reach_run(Reach *r) {
  for (int i = 0; i < r->queue.len; i++) {
    const FlowNode *n = &r->flow->nodes.at[r->queue.at[i]];
    for (int e = r->back ? n->in : n->out; e >= 0;) {
      const FlowEdge *edge = &r->flow->edges.at[e];
      if ((r->kinds >> edge->kind & 1) && !edge->exempt)
        reach_add(r, r->back ? edge->from : edge->to, e + 1);
      e = r->back ? edge->next_in : edge->next_out;
    }
  }
}
