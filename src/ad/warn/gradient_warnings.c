// Warnings about derivatives that are zero, or lack a part, because of what a program computes in
// the middle.  Of each operator, with s its differentiated float parameters and y its float
// results, in the graph of flow_graph.h:
//
//   `severed-gradient`  s --smooth*--> x --cut--> c --any but control*--> y
//       rounding, a sign, a comparison or a conversion to integers takes the derivative out of a
//       value that goes on into the result by arithmetic
//   [zero-gradient]     s reaches y, but not by smooth edges alone, and no warning above says why
//       s only decides: indices, conditions, trip numbers
//
// and of integer parameters n of reverse mode whose adjoint is wanted
//
//   [truncated-gradient]  n --value*--> i --conversion to float--> x --smooth*--> y
//       the adjoint of x is a float, that of i its whole part
//
// Excused, because what is lost is zero or because it is how such functions are written:
//   x - c where every cut of c is of x or of what depends on x smoothly: remainders, x - floor x
//   x * c where x is smooth and the cuts of c are signs and comparisons: masks, x * bool (x > 0)
//   what goes through stop_gradient, or a rule of with_vjp; mixed bits and remainders of integers
#include "flow_graph.h"
#include <ctype.h>
#include <string.h>

#define SMOOTH_ONLY (1u << FLOW_SMOOTH)
#define ARITHMETIC (1u << FLOW_SMOOTH | 1u << FLOW_NONDIFF | 1u << FLOW_VALUE)
#define ANY_FLOW (ARITHMETIC | 1u << FLOW_CONTROL)

typedef struct {
  const Prog *prog;
  Diag *diag;
  Arena *arena;
  VarSet used;  // somewhere in the program
  Flow flow;
  const Lambda *fn;
  Span at;      // of the operator
  Atoms seeded, results;
} CutPath;

// ---- what can be said of an edge
static const char *cut_reason(const CutPath *s, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_CONV)
    return arena_printf(s->arena, "a number converted to %s is constant between its jumps",
                        prim_info[e->conv.to].name);
  if (e->form != FORM_PRIM) return "it only chooses";
  if (e->prim.op == OP_TO_BITS) return "what is computed of bits carries no derivative";
  if (op_result(e->prim.op, e->prim.prim) == PRIM_BOOL)
    return "a comparison is constant between its jumps";
  return arena_printf(s->arena, "\"%s\" is constant between its jumps", op_info[e->prim.op].name);
}

static const char *node_name(const CutPath *s, int node) {
  return var_info(s->prog, s->flow.nodes.at[node].var)->base;
}

// A parameter as the user named it: of a tuple there may be several of one name.
static const char *seed_name(const CutPath *s, int node) {
  const char *name = node_name(s, node);
  int same = 0;
  for (int k = 0; k < s->fn->params.len; k++)
    same += strcmp(var_info(s->prog, s->fn->params.at[k])->base, name) == 0;
  return arena_printf(s->arena, same > 1 ? "a part of \"%s\"" : "\"%s\"", name);
}

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

static bool line_mentions(Span span, const char *name) {
  if (!span.src) return false;
  const char *text = span.src->text, *line = text + span.from;
  while (line > text && line[-1] != '\n') line--;
  size_t len = strlen(name), width = strcspn(line, "\n");
  for (const char *p = line; p + len <= line + width; p++)
    if (strncmp(p, name, len) == 0 && !is_name_char(p[len]) && (p == line || !is_name_char(p[-1])))
      return true;
  return false;
}

// Whether the user wrote the name on that line: it is not one that the compiler invented.
static bool is_users(Span span, const char *name) {
  Op op;
  if (op_named(name, &op)) return false;
  for (Form form = 0; form < FORM_COUNT; form++)
    if (strcmp(form_info[form].keyword, name) == 0) return false;
  return line_mentions(span, name);
}

// Versions of one variable, as in a loop, are named once.
static void note_node(const CutPath *s, int node, const char *where, const char **last) {
  Span span = loc_user_span(s->flow.nodes.at[node].loc);
  const char *name = node_name(s, node);
  if (!is_users(span, name) || strcmp(name, *last) == 0) return;
  diag_note(s->diag, span, "%s: \"%s\".", where, name);
  *last = name;
}

// The nodes from which `node` was reached, the farthest first (or last, when going back).
static Ints path_of(const CutPath *s, const Reach *r, int node) {
  Ints nodes = {0};
  for (int by = r->by[node]; by > 0; by = r->by[node]) {
    const FlowEdge *e = &s->flow.edges.at[by - 1];
    node = r->back ? e->to : e->from;
    list_push(s->arena, &nodes, node);
  }
  return nodes;
}

enum { NAMED_AT_MOST = 4 };  // on either side of the cut

// ---- what the cut parts of a value are cut from
static Reach reach_of(const CutPath *s, bool back, unsigned kinds, int node) {
  Reach r = reach_new(&s->flow, back, kinds);
  reach_from(&r, node);
  reach_run(&r);
  return r;
}

static bool is_cut(const CutPath *s, const Reach *smooth, int edge) {
  const FlowEdge *e = &s->flow.edges.at[edge];
  return e->kind == FLOW_NONDIFF && reach_has(smooth, e->from);
}

static bool is_mask(const FlowEdge *e) {
  const Exp *exp = &e->stm->exp;
  return exp->form == FORM_PRIM &&
         (exp->prim.op == OP_SGN || op_result(exp->prim.op, exp->prim.prim) == PRIM_BOOL);
}

// c -> x - c or c -> x * c: whether all cuts after c have an excuse.
static bool is_exempt(const CutPath *s, const Reach *smooth, const FlowEdge *edge, int x) {
  bool product = edge->stm->exp.prim.op == OP_MUL;
  Reach later = reach_of(s, true, ARITHMETIC, edge->from);
  Reach from_x = reach_of(s, false, SMOOTH_ONLY, x);
  for (int i = 0; i < s->flow.edges.len; i++) {
    const FlowEdge *cut = &s->flow.edges.at[i];
    if (!is_cut(s, smooth, i) || !reach_has(&later, cut->to)) continue;
    if (product ? !is_mask(cut) : !reach_has(&from_x, cut->from)) return false;
  }
  return true;
}

static void excuse_edges(CutPath *s, const Reach *smooth, const Reach *tainted) {
  for (int i = 0; i < s->flow.edges.len; i++) {
    FlowEdge *e = &s->flow.edges.at[i];
    const Exp *exp = &e->stm->exp;
    if (e->kind != FLOW_SMOOTH || exp->form != FORM_PRIM || !reach_has(tainted, e->from)) continue;
    if (exp->prim.op != OP_SUB && exp->prim.op != OP_MUL) continue;
    int a = flow_node(&s->flow, exp->prim.args.at[0]),
        b = flow_node(&s->flow, exp->prim.args.at[1]);
    int x = a == e->from ? b : a;
    if (x >= 0 && x != e->from && reach_has(smooth, x)) e->exempt = is_exempt(s, smooth, e, x);
  }
}

static Reach tainted_by_cuts(const CutPath *s, const Reach *smooth) {
  Reach r = reach_new(&s->flow, false, ARITHMETIC);
  for (int i = 0; i < s->flow.edges.len; i++)
    if (is_cut(s, smooth, i)) reach_from(&r, s->flow.edges.at[i].to);
  reach_run(&r);
  return r;
}

static Reach before_results(const CutPath *s, unsigned kinds) {
  Reach r = reach_new(&s->flow, true, kinds);
  for (int i = 0; i < s->results.len; i++) reach_from(&r, flow_node(&s->flow, s->results.at[i]));
  reach_run(&r);
  return r;
}

// ---- messages
static bool truncates(const Stm *stm) {
  return stm->exp.form == FORM_CONV && prim_is_int(stm->exp.conv.to);
}

static void notes_end(const CutPath *s, int seed, bool truncated) {
  diag_note(s->diag, s->at, "The derivative is taken here, with respect to %s.",
            seed_name(s, seed));
  diag_hint(s->diag, "Where this is meant, say so with stop_gradient of lib/ad%s",
            truncated ? ". Otherwise the derivative is truncated to an integer." : ".");
}

static void report_cut(const CutPath *s, const FlowEdge *e, const Reach *smooth,
                       const Reach *before) {
  Ints to = path_of(s, smooth, e->from), from = path_of(s, before, e->to);
  int seed = to.len ? (int)to.at[to.len - 1] : e->from;
  diag_warn(s->diag, loc_user_span(e->stm->loc),
            "[severed-gradient] The derivative with respect to %s is severed here: %s.",
            seed_name(s, seed), cut_reason(s, e->stm));
  const char *last = node_name(s, seed);
  for (int i = to.len < NAMED_AT_MOST ? to.len - 2 : NAMED_AT_MOST - 1; i >= 0; i--)
    note_node(s, (int)to.at[i], "On the way to it", &last);
  if (e->from != seed) note_node(s, e->from, "On the way to it", &last);
  last = node_name(s, seed);
  for (int i = 0; i < from.len && i < NAMED_AT_MOST; i++)
    note_node(s, (int)from.at[i], "On the way from it to the result", &last);
  notes_end(s, seed, truncates(e->stm));
}

// The first edge on the way from the seed to a result where the derivative is lost.
static const FlowEdge *first_loss(const CutPath *s, int seed) {
  Reach r = reach_of(s, false, ANY_FLOW, seed);
  const FlowEdge *loss = NULL;
  for (int i = 0; i < s->results.len && !loss; i++) {
    int node = flow_node(&s->flow, s->results.at[i]);
    if (!reach_has(&r, node)) continue;
    for (int by = r.by[node]; by > 0; by = r.by[node]) {
      const FlowEdge *e = &s->flow.edges.at[by - 1];
      if (e->kind != FLOW_SMOOTH) loss = e;
      node = e->from;
    }
  }
  return loss;
}

static void report_zero(const CutPath *s, int seed) {
  const FlowEdge *e = first_loss(s, seed);
  if (!e) return;
  diag_warn(s->diag, loc_user_span(e->stm->loc),
            "[zero-gradient] The derivative with respect to %s is zero everywhere: %s.",
            seed_name(s, seed),
            e->kind == FLOW_NONDIFF ? cut_reason(s, e->stm)
                                : "here it only chooses (an index, a condition, a number of "
                                  "iterations) or is a neutral element");
  notes_end(s, seed, false);
}

// ---- one operator
static void check_flow(CutPath *s) {
  Reach smooth = reach_new(&s->flow, false, SMOOTH_ONLY);
  for (int i = 0; i < s->seeded.len; i++) reach_from(&smooth, flow_node(&s->flow, s->seeded.at[i]));
  reach_run(&smooth);
  Reach tainted = tainted_by_cuts(s, &smooth);
  excuse_edges(s, &smooth, &tainted);
  Reach before = before_results(s, ARITHMETIC);
  const Stm *last = NULL;
  Reach said = reach_new(&s->flow, true, SMOOTH_ONLY);
  for (int i = 0; i < s->flow.edges.len; i++) {
    const FlowEdge *e = &s->flow.edges.at[i];
    if (!is_cut(s, &smooth, i) || !reach_has(&before, e->to)) continue;
    reach_from(&said, e->from);
    if (e->stm != last) report_cut(s, e, &smooth, &before);
    last = e->stm;
  }
  reach_run(&said);
  Reach carried = before_results(s, SMOOTH_ONLY);
  for (int i = 0; i < s->seeded.len; i++) {
    int seed = flow_node(&s->flow, s->seeded.at[i]);
    if (!reach_has(&carried, seed) && !reach_has(&said, seed)) report_zero(s, seed);
  }
}

// ---- derivatives by integers
static bool through_integers(const CutPath *s, const Reach *r, int node) {
  for (; r->by[node] > 0; node = s->flow.edges.at[r->by[node] - 1].from)
    if (!prim_is_int(var_type(s->prog, s->flow.nodes.at[node].var).prim)) return false;
  return true;
}

static void report_truncated(CutPath *s, const FlowEdge *e, int seed) {
  const char *name = seed_name(s, seed);
  const char *type = prim_info[var_type(s->prog, s->flow.nodes.at[seed].var).prim].name;
  diag_warn(
      s->diag, loc_user_span(e->stm->loc),
      "[truncated-gradient] The derivative with respect to %s, of type %s, is truncated here: "
      "it goes back through a conversion from an integer.",
      name, type);
  diag_note(s->diag, s->at, "The derivative is taken here, with respect to %s.", name);
  diag_hint(s->diag, "Make %s a float, or stop its derivative with stop_gradient of lib/ad.", name);
}

// The first conversion through which floats go back to the integer.
static void check_integer(CutPath *s, Atom n) {
  int seed = flow_node(&s->flow, n);
  if (seed < 0) return;
  Reach from = reach_of(s, false, 1u << FLOW_VALUE, seed), before = before_results(s, SMOOTH_ONLY);
  for (int i = 0; i < s->flow.edges.len; i++) {
    const FlowEdge *e = &s->flow.edges.at[i];
    if (e->stm->exp.form != FORM_CONV || !prim_is_float(e->stm->exp.conv.to)) continue;
    if (!reach_has(&from, e->from) || !reach_has(&before, e->to)) continue;
    if (!through_integers(s, &from, e->from)) continue;
    report_truncated(s, e, seed);
    return;
  }
}

static bool is_wanted(const CutPath *s, const Stm *stm, int k) {
  if (stm->exp.form == FORM_JVP) return !atom_is(stm->exp.jvp.tangents.at[k], 0);
  int first = stm->bound.len - stm->exp.vjp.args.len;
  return varset_has(&s->used, stm->bound.at[first + k]);
}

static void operator_check(CutPath *s, const Stm *stm) {
  const Exp *e = &stm->exp;
  s->fn = e->form == FORM_JVP ? e->jvp.fn : e->vjp.fn;
  s->at = loc_user_span(stm->loc);
  s->seeded = s->results = (Atoms){0};
  for (int k = 0; k < s->fn->params.len; k++) {
    Var x = s->fn->params.at[k];
    if (prim_is_float(var_type(s->prog, x).prim) && is_wanted(s, stm, k))
      list_push(s->arena, &s->seeded, atom_var(x));
  }
  for (int k = 0; k < s->fn->body.results.len; k++) {
    Atom y = s->fn->body.results.at[k];
    bool seeded = e->form == FORM_JVP || !atom_is(e->vjp.seeds.at[k], 0);
    if (y.is_var && prim_is_float(var_type(s->prog, y.var).prim) && seeded)
      list_push(s->arena, &s->results, y);
  }
  flow_fill(&s->flow, s->fn, stm->loc);
  if (s->seeded.len) check_flow(s);
  for (int k = 0; e->form == FORM_VJP && k < s->fn->params.len; k++) {
    Var n = s->fn->params.at[k];
    if (prim_is_int(var_type(s->prog, n).prim) && is_wanted(s, stm, k))
      check_integer(s, atom_var(n));
  }
}

// ---- all operators
static void use_atom(void *state, Atom a) { varset_add_atom(state, a); }

static void use_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    exp_each_atom(&body->stms.at[i].exp, use_atom, state);
    exp_each_body(&body->stms.at[i].exp, use_body, state);
  }
  for (int i = 0; i < body->results.len; i++) use_atom(state, body->results.at[i]);
}

static void check_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_JVP || e->form == FORM_VJP) operator_check(state, &body->stms.at[i]);
    exp_each_body(e, check_body, state);
  }
}

void ad_warn(const Prog *prog, Diag *diag) {
  Arena *arena = arena_beside(prog->arena);
  CutPath s = {.prog = prog, .diag = diag, .arena = arena, .used = varset_new(arena),
               .flow = flow_new(prog, arena)};
  for (int i = 0; i < prog->fns.len; i++) use_body(&s.used, &prog->fns.at[i]->body, NULL);
  Body constants = {.stms = prog->constants};
  use_body(&s.used, &constants, NULL);
  check_body(&s, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) check_body(&s, &prog->fns.at[i]->body, NULL);
  arena_free(arena);
}
