// The critical path of a body and the memory it holds at one time, as polynomials in the sizes.
//
// Span, as the interpreter counts it: every statement is 1, of a map the longest iteration counts,
// a reduction, scan or histogram over n elements takes log n of its operator, a loop all its trips.
#include "polynomial.h"

static Poly sum(Cost *c, Poly a, Poly b) { return poly_add(cost_arena(c), a, b); }
static Poly larger(Poly a, Poly b) { return poly_at(a, 100) < poly_at(b, 100) ? b : a; }

// The logarithm of the leading term's variables.
static Poly height(Cost *c, Atom width) {
  Poly n = cost_atom(c, width), out = {0};
  if (!n.len) return poly_number(cost_arena(c), 1);
  const Term1 *lead = &n.at[0];
  for (int k = 0; k < lead->n; k++) out = sum(c, out, poly_log(cost_arena(c), lead->vars[k]));
  int bits = 0;
  for (double x = lead->factor; x >= 2; x /= 2) bits++;
  return sum(c, out, poly_number(cost_arena(c), lead->n ? bits : bits + 1));
}

static Poly tree(Cost *c, Atom width, const Lambda *op) {
  if (!op) return (Poly){0};
  return poly_times(cost_arena(c), height(c, width), cost_span(c, &op->body));
}

static Poly trees(Cost *c, Atom width, Operators ops) {
  Poly out = {0};
  for (int i = 0; i < ops.len; i++) out = sum(c, out, tree(c, width, ops.at[i].op));
  return out;
}

static Poly span_inside(Cost *c, const Stm *stm) {
  const Exp *e = &stm->exp;
  Poly most = {0};
  switch ((int)e->form) {
  case FORM_MAP: return cost_span(c, &e->map.fn->body);
  case FORM_REDUCE: return tree(c, e->reduce.width, e->reduce.op);
  case FORM_SCAN: return tree(c, e->scan.width, e->scan.op);
  case FORM_SCREMA: {
    Poly each = sum(c, cost_span(c, &e->screma.fn->body), cost_span(c, &e->screma.post->body));
    return sum(c, each, sum(c, trees(c, e->screma.width, e->screma.scans),
                            trees(c, e->screma.width, e->screma.reds)));
  }
  case FORM_HIST:
    return sum(c, cost_span(c, &e->hist.fn->body), tree(c, e->hist.width, e->hist.op));
  case FORM_SCATTER: return cost_span(c, &e->scatter.fn->body);
  case FORM_WITHACC: return cost_span(c, &e->withacc.fn->body);
  case FORM_LOOP:
    return poly_times(cost_arena(c), cost_trips(c, stm), cost_span(c, &e->loop.fn->body));
  case FORM_MATCH:
    for (int i = 0; i < e->match.cases.len; i++)
      most = larger(most, cost_span(c, &e->match.cases.at[i].body));
  }
  return most;
}

Poly cost_span(Cost *c, const Body *body) {
  Poly out = poly_number(cost_arena(c), body->stms.len);
  for (int i = 0; i < body->stms.len; i++) out = sum(c, out, span_inside(c, &body->stms.at[i]));
  return out;
}

// ---- memory: from the statement that makes an array to the last that reads it, or a view of it
static bool makes_array(Form f) {
  return f == FORM_MAP || f == FORM_SCREMA || f == FORM_SCAN || f == FORM_REDUCE ||
         f == FORM_COPY || f == FORM_REPLICATE || f == FORM_LITERAL || f == FORM_CONCAT ||
         f == FORM_ROTATE || f == FORM_SCRATCH || f == FORM_MATCH || f == FORM_APPLY;
}

static Poly bytes_of(Cost *c, const Stm *stm) {
  Poly out = {0};
  const Prog *prog = cost_prog(c);
  for (int k = 0; makes_array(stm->exp.form) && k < stm->bound.len; k++) {
    Type t = var_type(prog, stm->bound.at[k]);
    if (t.is_acc || t.rank == 0) continue;
    Poly size = poly_number(cost_arena(c), prim_info[t.prim].bytes);
    out = sum(c, out, poly_times(cost_arena(c), size, cost_elements(c, t)));
  }
  return out;
}

typedef struct {
  Cost *c;
  Poly most;
} Inside;

static void memory_inside(void *state, const Body *body, const Vars *params) {
  Inside *in = state;
  (void)params;
  in->most = larger(in->most, cost_memory(in->c, body));
}

static bool binds_array(const Prog *prog, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (var_type(prog, stm->bound.at[k]).rank > 0) return true;
  return false;
}

// By statement: the last one that reads its results.  Others' results may be views of what they
// read, so they read it as long as they are read themselves.
static int *last_reads(Cost *c, const Body *body) {
  Arena *arena = cost_arena(c);
  const Prog *prog = cost_prog(c);
  int n = body->stms.len, *last = NEW_ARRAY(arena, int, n + 1);
  Map *made = map_new(arena);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < body->stms.at[i].bound.len; k++)
      map_put(made, body->stms.at[i].bound.at[k].id, &last[i]);
  for (int k = 0; k < body->results.len; k++) {
    int *at = body->results.at[k].is_var ? map_get(made, body->results.at[k].var.id) : NULL;
    if (at) *at = n;
  }
  for (int i = n - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    int until = i;
    if (!makes_array(stm->exp.form) && binds_array(prog, stm) && last[i] > i) until = last[i];
    Vars free = exp_free(prog, arena, &stm->exp);
    for (int k = 0; k < free.len; k++) {
      int *at = map_get(made, free.at[k].id);
      if (at && *at < until) *at = until;
    }
  }
  return last;
}

Poly cost_memory(Cost *c, const Body *body) {
  int n = body->stms.len;
  const int *last = last_reads(c, body);
  Poly *bytes = NEW_ARRAY(cost_arena(c), Poly, n + 1), most = {0};
  for (int i = 0; i < n; i++) {
    Inside in = {.c = c};
    exp_each_body(&body->stms.at[i].exp, memory_inside, &in);
    bytes[i] = bytes_of(c, &body->stms.at[i]);
    Poly now = sum(c, in.most, bytes[i]);
    for (int k = 0; k < i; k++)
      if (last[k] >= i) now = sum(c, now, bytes[k]);
    most = larger(most, now);
  }
  return most;
}
