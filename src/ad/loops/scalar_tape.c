// Scalars that the reverse sweep of a for-loop reads instead of its parameters.  Adjoint code often
// needs little of what an iteration computes: of a stencil's cell a density and a velocity, say,
// not the numbers that they are sums of.  A minimum cut finds the scalars, in the body itself and
// in maps in it, that adjoint code computes all else from in the fewest bytes:
//
//   source -> IN_x     never cut   adjoint code mentions x
//   IN_x -> OUT_x      bytes of x in all iterations of the maps around it
//   OUT_x -> IN_y      never cut   y is an operand of x's statement, or the array x is a row of
//   OUT_p -> sink      never cut   p is a parameter that would be taped
//
// Of cuts of equal size the one next to adjoint code is taken, so that a number stored in place of
// another, of the same size, spares adjoint code the sums between them.
//
// The loop's body is then written twice, sharing statements: forward, its maps return the scalars
// chosen; for return, they take them as inputs, and tbr.c and vjp_body.c take a scalar chosen from
// there instead of computing it.
#include "opt/common/min_cut.h"
#include "ad/common/local.h"

enum { SIZE = 100, MOST_NODES = 4000 };  // an unknown size; nodes of a cut

typedef struct {
  Vjp *v;
  const Lambda *fn;
  const LoopSave *save;
  Map *numbers;      // variable -> 1 + its place in nodes
  Vars nodes;
  LIST(double) bytes;
  LIST(int) from, to;  // edges OUT -> IN
  Atoms widths;        // of the maps around
  bool plain;          // nothing is overwritten
} Graph;

// ---- the graph
static int node_of(Graph *g, Var x) {
  intptr_t at = (intptr_t)map_get(g->numbers, x.id);
  if (at) return (int)at - 1;
  list_push(vjp_arena(g->v), &g->nodes, x);
  list_push(vjp_arena(g->v), &g->bytes, CUT_NEVER);
  map_put(g->numbers, x.id, (void *)(intptr_t)g->nodes.len);
  return g->nodes.len - 1;
}

static void edge(Graph *g, Var x, Atom operand) {
  if (!operand.is_var) return;
  int from = node_of(g, x), to = node_of(g, operand.var);
  list_push(vjp_arena(g->v), &g->from, from);
  list_push(vjp_arena(g->v), &g->to, to);
}

static void edges(Graph *g, Var x, Vars operands) {
  for (int i = 0; i < operands.len; i++) edge(g, x, atom_var(operands.at[i]));
  Type t = var_type(g->v->w.from, x);
  for (int d = 0; d < t.rank; d++) edge(g, x, t.dims[d]);
}

static double size_of(Atom a) { return a.is_var ? SIZE : (double)a.value.i; }

static double type_bytes(Type t) {
  double bytes = prim_info[t.prim].bytes;
  for (int d = 0; d < t.rank; d++) bytes *= size_of(t.dims[d]);
  return bytes;
}

static bool is_taped(const Graph *g, int k) { return g->save->tapes[k].class == TAPE_ROWS; }

// Whether the unknown widths are among the sizes of t, each as often.
static bool widths_within(const Graph *g, Type t) {
  bool used[16] = {false};
  for (int i = 0; i < g->widths.len; i++) {
    bool found = !g->widths.at[i].is_var;
    for (int d = 0; !found && d < t.rank && d < 16; d++) {
      found = !used[d] && atom_same(t.dims[d], g->widths.at[i]);
      used[d] = used[d] || found;
    }
    if (!found) return false;
  }
  return true;
}

// A scalar by a statement whose rule needs nothing from its forward sweep but the value.  Whatever
// the sizes, it is not larger than some state.
static bool may_store(const Graph *g, const Stm *stm) {
  Form form = stm->exp.form;
  if (stm->bound.len != 1 || var_type(g->v->w.from, stm->bound.at[0]).rank > 0) return false;
  if (form == FORM_REDUCE && !rule_is_sum(g->v->w.from, stm->exp.reduce.op)) return false;
  if (form != FORM_PRIM && form != FORM_CONV && form != FORM_INDEX && form != FORM_REDUCE)
    return false;
  for (int k = 0; k + 1 < g->fn->params.len; k++)
    if (is_taped(g, k) && widths_within(g, var_type(g->v->w.from, g->fn->params.at[1 + k])))
      return true;
  return false;
}

static bool is_plain(Form form) {
  switch (form) {
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_INDEX:
    case FORM_FLATINDEX: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT:
    case FORM_REVERSE: case FORM_ROTATE: case FORM_MATCH: case FORM_ASSERT: case FORM_MAP:
    case FORM_REDUCE: case FORM_SCAN: case FORM_STOPGRADIENT: case FORM_TUNED:
      return true;
    case FORM_TRACE: case FORM_MEMORYLEFT: case FORM_SCRATCH: case FORM_UPDATE:
    case FORM_FLATUPDATE: case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC:
    case FORM_UPDATEACC: case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: case FORM_APPLY: case FORM_LOOP:
      return false;
  }
  return false;
}

static void check_plain(void *state, const Body *body, const Vars *params) {
  Graph *g = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    g->plain = g->plain && is_plain(body->stms.at[i].exp.form);
    exp_each_body(&body->stms.at[i].exp, check_plain, g);
  }
}

static void graph_body(Graph *g, const Body *body) {
  const Prog *prog = g->v->w.from;
  Arena *arena = vjp_arena(g->v);
  double times = 1;
  for (int i = 0; i < g->widths.len; i++) times *= size_of(g->widths.at[i]);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Vars operands = free_vars_of_exp(g->v->tbr.free_vars, &stm->exp);
    for (int k = 0; k < stm->bound.len; k++) {
      edges(g, stm->bound.at[k], operands);
      if (may_store(g, stm))
        g->bytes.at[node_of(g, stm->bound.at[k])] =
            times * prim_info[var_type(prog, stm->bound.at[k]).prim].bytes;
    }
    if (stm->exp.form != FORM_MAP) continue;
    const struct map_form *e = &stm->exp.map;
    for (int k = 0; k < e->inputs.len; k++) edge(g, e->fn->params.at[k], e->inputs.at[k]);
    list_push(arena, &g->widths, e->width);
    graph_body(g, &e->fn->body);
    g->widths.len--;
  }
}

// Adjoint code of a branch enters it: all that it reads is wanted.
static void want_matches(Graph *g, VarSet *wanted, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_MAP) want_matches(g, wanted, &stm->exp.map.fn->body);
    if (stm->exp.form == FORM_MATCH)
      varset_add_all(wanted, free_vars_of_exp(g->v->tbr.free_vars, &stm->exp));
  }
}

static VarSet wanted_of(Graph *g) {
  VarSet wanted = varset_new(vjp_arena(g->v));
  tbr_direct(&g->v->tbr, &g->v->active, &wanted, &g->fn->body);
  want_matches(g, &wanted, &g->fn->body);
  for (int k = 1; k < g->fn->params.len; k++) {
    Type t = var_type(g->v->w.from, g->fn->params.at[k]);
    for (int d = 0; d < t.rank; d++) varset_add_atom(&wanted, t.dims[d]);
  }
  return wanted;
}

// ---- the cut
static int in_of(int node) { return CUT_FIRST + 2 * node; }
static int out_of(int node) { return CUT_FIRST + 2 * node + 1; }

// Bytes of what is taped now.
static double graph_params(Graph *g) {
  double sum = 0;
  for (int k = 0; k + 1 < g->fn->params.len; k++) {
    if (!is_taped(g, k)) continue;
    Var p = g->fn->params.at[1 + k];
    double bytes = type_bytes(var_type(g->v->w.from, p));
    g->bytes.at[node_of(g, p)] = bytes;
    sum += bytes;
  }
  return sum;
}

// Adjoint code computes these again: `wanted`, and all that depends on, up to the values stored.
static VarSet computed_again(Graph *g, const VarSet *wanted, Vars stored) {
  VarSet again = varset_new(vjp_arena(g->v)), kept = varset_new(vjp_arena(g->v));
  bool more = true;
  varset_add_all(&kept, stored);
  for (int i = 0; i < g->nodes.len; i++)
    if (varset_has(wanted, g->nodes.at[i]) && !varset_has(&kept, g->nodes.at[i]))
      varset_add(&again, g->nodes.at[i]);
  while (more) {
    more = false;
    for (int i = 0; i < g->from.len; i++) {
      Var x = g->nodes.at[g->from.at[i]], operand = g->nodes.at[g->to.at[i]];
      if (varset_has(&again, x) && !varset_has(&kept, operand))
        more = varset_add(&again, operand) || more;
    }
  }
  return again;
}

// Whether a reduction of the body need not be run again: then storing is better, although nothing
// gets smaller.
static bool spares_sums(Graph *g, const VarSet *wanted, Vars stored) {
  VarSet before = computed_again(g, wanted, (Vars){0}), after = computed_again(g, wanted, stored);
  for (int i = 0; i < g->fn->body.stms.len; i++) {
    const Stm *stm = &g->fn->body.stms.at[i];
    for (int k = 0; stm->exp.form == FORM_REDUCE && k < stm->bound.len; k++)
      if (varset_has(&before, stm->bound.at[k]) && !varset_has(&after, stm->bound.at[k]))
        return true;
  }
  return false;
}

// The variables that the cut chooses; empty where nothing is gained.
static Vars cut_vars(Graph *g, double before) {
  Arena *arena = vjp_arena(g->v);
  VarSet wanted = wanted_of(g);
  Cut *c = cut_new(arena, CUT_FIRST + 2 * g->nodes.len);
  for (int i = 0; i < g->nodes.len; i++) {
    cut_edge(c, in_of(i), out_of(i), g->bytes.at[i]);
    if (varset_has(&wanted, g->nodes.at[i])) cut_edge(c, CUT_SOURCE, in_of(i), CUT_NEVER);
  }
  for (int i = 0; i < g->from.len; i++)
    cut_edge(c, out_of(g->from.at[i]), in_of(g->to.at[i]), CUT_NEVER);
  for (int k = 0; k + 1 < g->fn->params.len; k++)
    if (is_taped(g, k))
      cut_edge(c, out_of(node_of(g, g->fn->params.at[1 + k])), CUT_SINK, CUT_NEVER);
  const bool *side = cut_source_side(c);
  Vars out = {0}, none = {0};
  double after = 0;
  for (int i = 0; i < g->nodes.len; i++) {
    if (!side[in_of(i)] || side[out_of(i)]) continue;
    after += g->bytes.at[i];
    list_push(arena, &out, g->nodes.at[i]);
  }
  if (after * 3 <= before * 2) return out;
  return after <= before && spares_sums(g, &wanted, out) ? out : none;
}

// ---- the body, forward: its maps return what is stored
typedef struct {
  Var value, here;  // a scalar chosen; where it is in the current body
} Stored;
typedef LIST(Stored) Storeds;

static Body forward_body(Vjp *v, const Body *body, const VarSet *chosen, Storeds *found);

static Stm forward_map(Vjp *v, const Stm *stm, const VarSet *chosen, Storeds *found) {
  Arena *arena = vjp_arena(v);
  Prog *prog = v->w.to.prog;
  const struct map_form *e = &stm->exp.map;
  Storeds inner = {0};
  Lambda *fn = NEW(arena, Lambda);
  *fn = *e->fn;
  fn->body = forward_body(v, &e->fn->body, chosen, &inner);
  Stm out = *stm;
  out.bound = (Vars){0};
  fn->rets = (Types){0};
  for (int k = 0; k < stm->bound.len; k++) {
    list_push(arena, &out.bound, stm->bound.at[k]);
    list_push(arena, &fn->rets, e->fn->rets.at[k]);
  }
  for (int k = 0; k < inner.len; k++) {
    Type t = type_fresh(var_type(prog, inner.at[k].here));
    Var whole = var_new(prog, var_info(prog, inner.at[k].value)->base,
                        type_array(arena, t, e->width));
    fn->body.results = atoms_concat(arena, fn->body.results,
                                    atoms1(arena, atom_var(inner.at[k].here)));
    list_push(arena, &fn->rets, t);
    list_push(arena, &out.bound, whole);
    list_push(arena, found, (Stored){inner.at[k].value, whole});
  }
  out.exp.map.fn = fn;
  return inner.len ? out : *stm;
}

static Body forward_body(Vjp *v, const Body *body, const VarSet *chosen, Storeds *found) {
  Body out = {.results = body->results};
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    if (stm.bound.len == 1 && varset_has(chosen, stm.bound.at[0]))
      list_push(vjp_arena(v), found, (Stored){stm.bound.at[0], stm.bound.at[0]});
    if (stm.exp.form == FORM_MAP) stm = forward_map(v, &stm, chosen, found);
    list_push(vjp_arena(v), &out.stms, stm);
  }
  return out;
}

// ---- for return: they take it
static bool body_binds(const Body *body, Var x) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->bound.len == 1 && stm->bound.at[0].id == x.id) return true;
    if (stm->exp.form == FORM_MAP && body_binds(&stm->exp.map.fn->body, x)) return true;
  }
  return false;
}

static Body back_body(Vjp *v, const Body *body, const Storeds *stored);

static Stm back_map(Vjp *v, const Stm *stm, const Storeds *stored) {
  Arena *arena = vjp_arena(v);
  Prog *prog = v->w.to.prog;
  Stm out = *stm;
  const struct map_form *e = &stm->exp.map;
  Lambda *fn = NEW(arena, Lambda);
  *fn = *e->fn;
  fn->params = (Vars){0};
  for (int k = 0; k < e->fn->params.len; k++) list_push(arena, &fn->params, e->fn->params.at[k]);
  Storeds inner = {0};
  for (int k = 0; k < stored->len; k++) {
    Stored s = stored->at[k];
    if (!body_binds(&e->fn->body, s.value)) continue;
    Var row = var_new(prog, var_info(prog, s.value)->base, type_row(var_type(prog, s.here)));
    list_push(arena, &fn->params, row);
    out.exp.map.inputs = atoms_concat(arena, out.exp.map.inputs, atoms1(arena, atom_var(s.here)));
    list_push(arena, &inner, (Stored){s.value, row});
  }
  fn->body = back_body(v, &e->fn->body, &inner);
  out.exp.map.fn = fn;
  return out;
}

static Body back_body(Vjp *v, const Body *body, const Storeds *stored) {
  Body out = {.results = body->results};
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    for (int k = 0; k < stored->len; k++)
      if (stm.bound.len == 1 && stm.bound.at[0].id == stored->at[k].value.id)
        map_put(v->reload, stm.bound.at[0].id, arena_copy(vjp_arena(v), &stored->at[k].here,
                                                         sizeof(Var)));
    if (stm.exp.form == FORM_MAP) stm = back_map(v, &stm, stored);
    list_push(vjp_arena(v), &out.stms, stm);
  }
  return out;
}

// ---- the choice
static bool is_param_of(const Lambda *fn, Var x) {
  for (int k = 0; k < fn->params.len; k++)
    if (fn->params.at[k].id == x.id) return true;
  return false;
}

static bool may_apply(Graph *g) {
  bool taped = false;
  for (int k = 0; k + 1 < g->fn->params.len; k++) {
    TapeKind class = g->save->tapes[k].class;
    Type t = var_type(g->v->w.from, g->fn->params.at[1 + k]);
    if (t.is_acc || t.unique || class == TAPE_RAGGED || class == CLASS_GROWS) return false;
    if (class == TAPE_UNDO) return false;
    taped = taped || class == TAPE_ROWS;
  }
  g->plain = true;
  check_plain(g, &g->fn->body, NULL);
  return taped && g->plain;
}

static Lambda *with_body(Arena *arena, const Lambda *fn, Body body) {
  Lambda *out = arena_copy(arena, fn, sizeof *fn);
  out->body = body;
  return out;
}

ScalarTape *scalar_tape_choose(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Arena *arena = vjp_arena(v);
  Graph g = {.v = v, .fn = e->fn, .save = save, .numbers = map_new(arena)};
  if (!may_apply(&g)) return NULL;
  graph_body(&g, &e->fn->body);
  double before = graph_params(&g);
  if (g.nodes.len > MOST_NODES) return NULL;
  Vars cut = cut_vars(&g, before);
  VarSet chosen = varset_new(arena);
  bool any = false;
  for (int i = 0; i < cut.len; i++) {
    if (is_param_of(e->fn, cut.at[i])) continue;
    varset_add(&chosen, cut.at[i]);
    any = true;
  }
  if (!any || !prog_may(v->w.from, SWITCH_STORE)) return NULL;
  ScalarTape *out = NEW(arena, ScalarTape);
  Storeds made = {0}, kept = {0};
  out->forward = with_body(arena, e->fn, forward_body(v, &e->fn->body, &chosen, &made));
  for (int i = 0; i < made.len; i++) {
    Prog *prog = v->w.to.prog;
    Var x = made.at[i].value, whole = made.at[i].here;
    Var later = var_new(prog, var_info(prog, x)->base, type_fresh(var_type(prog, whole)));
    list_push(arena, &kept, (Stored){x, later});
    list_push(arena, &out->made, whole);
    list_push(arena, &out->kept, later);
  }
  out->back = with_body(arena, e->fn, back_body(v, &e->fn->body, &kept));
  return out;
}
