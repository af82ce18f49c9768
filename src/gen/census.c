// The features of a program: forms, operations at types, bodies in bodies, operators, updates,
// loops, places that are written, data.  Each is a row of the census by its name (census_rows.c).
#include "local.h"
#include <math.h>

typedef enum {
  TOP, MAP, FOR, WHILE, BRANCH, OPERATOR, HIST, SCATTER, SCREMA, WITHACC, UNDER_JVP, UNDER_VJP,
  RULE, PLACES
} Place;
static const char *const place_names[] = {"top",  "map",     "for",    "while",   "branch",
                                          "operator", "hist", "scatter", "screma", "withacc",
                                          "jvp",  "vjp",     "withvjp"};

typedef struct {
  GenCensus *c;
  const Prog *prog;
  const Stm **def;  // by variable: what binds it
  Place *owner;     // by variable: the place whose parameter it is
  int *home;        // by variable: how deep what binds it stands
  Place place[64];  // outermost first; [0] is TOP
  int depth;        // the place we are in
} Walk;

static void __attribute__((format(printf, 2, 3))) saw(GenCensus *c, const char *fmt, ...) {
  char name[160];
  va_list args;
  va_start(args, fmt);
  vsnprintf(name, sizeof name, fmt, args);
  va_end(args);
  CensusRow *row = gen_census_row(c, name);
  row->times++;
  row->programs += row->last != c->programs;
  row->last = c->programs;
}

static const Exp *def_of(const Walk *w, Atom a) {
  return a.is_var && w->def[a.var.id] ? &w->def[a.var.id]->exp : NULL;
}

static bool is_op(const Exp *e, Op op) { return e && e->form == FORM_PRIM && e->prim.op == op; }

// ---- operators
static bool chooses(const Exp *e) { return e->form == FORM_MATCH || is_op(e, OP_SELECT); }
static bool branches(const Exp *e) { return e->form == FORM_MATCH; }

static void see_operator(Walk *w, const char *form, const Lambda *op) {
  GenCensus *c = w->c;
  if (!op) {
    saw(c, "operator of %s: none", form);
    return;
  }
  Op one;
  Prim p;
  if (lambda_is_op(op, &one, &p)) saw(c, "operator of %s: %s", form, op_info[one].name);
  if (op->rets.len > 1) saw(c, "operator of %s: tuple", form);
  if (op->rets.len > 3) saw(c, "operator of %s: four", form);
  if (op->rets.len && op->rets.at[0].rank == 1) saw(c, "operator of %s: rows", form);
  if (op->rets.len && op->rets.at[0].rank == 2) saw(c, "operator of %s: matrices", form);
  if (lambda_free(w->prog, c->arena, op).len) saw(c, "operator of %s: free variable", form);
  if (body_has(&op->body, chooses)) saw(c, "operator of %s: chooses", form);
  if (body_has(&op->body, branches)) saw(c, "operator of %s: branches", form);
}

static void see_operators(Walk *w, const char *form, Operators ops) {
  for (int i = 0; i < ops.len; i++) see_operator(w, form, ops.at[i].op);
}

// ---- places that are written
static bool is_param(const Walk *w, Atom a) { return a.is_var && !w->def[a.var.id]; }
static bool is_load(const Exp *e) { return e && e->form == FORM_INDEX; }

// max 0 (min x last) is x for these.
static Atom unclamped(const Walk *w, Atom i) {
  const Exp *high = def_of(w, i);
  const Exp *low = is_op(high, OP_MAX) ? def_of(w, high->prim.args.at[1]) : NULL;
  return is_op(low, OP_MIN) ? low->prim.args.at[0] : i;
}

static const char *index_shape(const Walk *w, Atom i) {
  i = unclamped(w, i);
  if (!i.is_var) return "constant";
  if (is_param(w, i)) return "parameter";
  const Exp *e = def_of(w, i);
  if (is_load(e)) return "loaded";
  if (e->form != FORM_PRIM) return "other";
  const Exp *x = def_of(w, e->prim.args.at[0]);
  const Exp *y = e->prim.args.len > 1 ? def_of(w, e->prim.args.at[1]) : NULL;
  if (is_op(e, OP_ADD) && (is_load(x) || is_load(y))) return "loaded and added";
  if (is_op(e, OP_ADD) && is_op(x, OP_MUL)) return "stride and shift";
  if (is_op(e, OP_ADD)) return "shift";
  if (is_op(e, OP_SUB) && (is_op(x, OP_SUB))) return "mirrored";
  if (is_op(e, OP_MUL)) return "stride";
  if (is_op(e, OP_MOD) && (is_op(x, OP_MUL) || is_op(x, OP_ADD))) return "round";
  if (is_op(e, OP_MOD)) return "repeated";
  return "other";
}

static void see_buckets(Walk *w, const char *form, int64_t rank, const Lambda *fn, Atoms dests) {
  for (int k = 0; k < rank; k++)
    saw(w->c, "%s at: %s", form, index_shape(w, fn->body.results.at[k]));
  saw(w->c, "%s: rank %d", form, (int)rank);
  if (dests.len > 1) saw(w->c, "%s: two destinations", form);
  for (int k = 0; k < dests.len; k++)
    if (atom_type(w->prog, dests.at[k]).rank > rank) saw(w->c, "%s: rows", form);
}

static const char *slice_shape(const Slice *s) {
  for (int i = 0; i < s->len; i++) {
    if (s->at[i].is_fix) continue;
    Atom step = s->at[i].stride;
    if (s->len > 1) return "block";
    return atom_is(step, 1) ? "range" : !step.is_var && step.value.i < 0 ? "backwards" : "stride";
  }
  return "fixed";
}

static void see_update(Walk *w, const struct update_form *u) {
  Type t = atom_type(w->prog, u->array);
  const char *shape = slice_shape(&u->slice);
  if (strcmp(shape, "fixed") == 0) shape = u->slice.len < t.rank ? "row" : "cell";
  saw(w->c, "update: %s", shape);
  const Exp *v = def_of(w, u->value);
  if (v && v->form == FORM_COPY) v = def_of(w, v->copy.arg);
  if (v && v->form == FORM_INDEX && atom_same(v->index.array, u->array))
    saw(w->c, "update: from itself");
  Place in = w->place[w->depth], out = w->place[w->depth ? w->depth - 1 : 0];
  saw(w->c, "update in %s in %s", place_names[in], place_names[out]);
}

// ---- loops
static void see_params(Walk *w, const struct loop_form *l) {
  int skip = l->is_for, unique = 0, n = l->inits.len;
  bool crossed = false, grows = false, dead = false;
  for (int i = 0; i < n; i++) {
    Var p = l->fn->params.at[i + skip];
    Type t = var_type(w->prog, p);
    Atom r = l->fn->body.results.at[i];
    unique += t.unique;
    for (int d = 0; d < t.rank; d++)
      for (int k = 0; k < n; k++)
        grows = grows || atom_is_var(t.dims[d], l->fn->params.at[k + skip]);
    for (int k = 0; k < n; k++)
      if (k != i && atom_is_var(r, l->fn->params.at[k + skip]))
        crossed = true, saw(w->c, "loop: hands %s across", t.rank ? "an array" : "a scalar");
    dead = dead || !r.is_var;
    if (atom_is_var(r, p)) saw(w->c, "loop: invariant parameter");
  }
  if (crossed && unique > 1) saw(w->c, "loop: exchanges unique arrays");
  if (grows) saw(w->c, "loop: sizes change");
  if (grows && !l->is_for) saw(w->c, "while: sizes change");
  if (unique > 1) saw(w->c, "loop: several unique");
  if (dead) saw(w->c, "loop: constant result");
}

static void see_loop(Walk *w, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  const Attrs *a = &stm->attrs;
  GenCensus *c = w->c;
  see_params(w, l);
  if (l->is_for) {
    saw(c, "loop: counter %s", prim_info[atom_type(w->prog, l->bound).prim].name);
    if (!l->bound.is_var)
      saw(c, "loop: %d trips", l->bound.value.i > 3 ? 4 : (int)l->bound.value.i);
    const Exp *b = def_of(w, l->bound);
    if (is_load(b)) saw(c, "loop: trips loaded");
  } else {
    const Exp *cond = def_of(w, l->fn->body.results.at[l->cond]);
    bool real = cond && cond->form == FORM_PRIM && prim_is_float(cond->prim.prim);
    saw(c, "loop: while of %s", real ? "a float" : "an integer");
  }
  if (a->stripmine) saw(c, "loop: stripmine");
  if (a->checkpoint) saw(c, "loop: checkpoint %s", a->checkpoint < 0 ? "log" : "some");
  if (a->memory_limit) saw(c, "loop: memory_limit");
  if (a->memory_fraction) saw(c, "loop: memory_fraction");
  if (a->low_peak) saw(c, "loop: lean");
  if (a->unroll) saw(c, "loop: unroll");
  if (a->sequential) saw(c, "loop: sequential");
  if (a->bound) saw(c, "loop: bound");
}

// ---- what is consumed
static const char *consumed_shape(const Walk *w, Atom a) {
  static const char *const owners[PLACES] = {[TOP] = "argument",       [MAP] = "row of a map",
                                             [FOR] = "loop parameter", [WHILE] = "loop parameter"};
  const Exp *e = def_of(w, a);
  if (!e) return owners[w->owner[a.var.id]] ? owners[w->owner[a.var.id]] : "parameter";
  switch ((int)e->form) {
  case FORM_COPY: return "copy";
  case FORM_REARRANGE: case FORM_RESHAPE: case FORM_INDEX: case FORM_REVERSE: case FORM_FLATINDEX:
    return "view";
  case FORM_UPDATE: case FORM_FLATUPDATE: case FORM_SCATTER: case FORM_HIST: case FORM_WITHACC:
    return "updated already";
  case FORM_MATCH: return "result of a branch";
  case FORM_LOOP: return "result of a loop";
  case FORM_APPLY: return "result of a call";
  }
  return "fresh array";
}

static void see_consumed(Walk *w, const Exp *e) {
  Atoms eaten = exp_consumes(w->prog, w->c->arena, e);
  for (int i = 0; i < eaten.len; i++) {
    Atom a = eaten.at[i];
    if (!a.is_var || atom_type(w->prog, a).is_acc) continue;
    saw(w->c, "consumed by %s", form_info[e->form].keyword);
    if (form_has_bodies[e->form] && e->form != FORM_LOOP && e->form != FORM_HIST &&
        e->form != FORM_SCATTER && e->form != FORM_WITHACC)
      continue;  // further in it is seen again
    saw(w->c, "consumed: %s", consumed_shape(w, a));
    for (int d = w->home[a.var.id] + 1; d <= w->depth; d++)
      if (w->place[d] == BRANCH) saw(w->c, "consumed: in a branch, from outside");
  }
}

static void see_consuming_cases(Walk *w, const struct match_form *m) {
  int consuming = 0, updated = 0;
  for (int i = 0; i < m->cases.len; i++) {
    const Body *body = &m->cases.at[i].body;
    int before = updated;
    for (int k = 0; k < body->stms.len; k++) {
      Atoms eaten = exp_consumes(w->prog, w->c->arena, &body->stms.at[k].exp);
      for (int n = 0; n < eaten.len; n++) {
        bool outside = eaten.at[n].is_var && w->home[eaten.at[n].var.id] <= w->depth;
        updated += outside && !atom_type(w->prog, eaten.at[n]).is_acc;
      }
    }
    consuming += updated > before;
  }
  if (consuming == 1) saw(w->c, "match: one case consumes");
  if (consuming > 1) saw(w->c, "match: several cases consume");
}

// ---- one statement
static void see_match(Walk *w, const struct match_form *m, const Stm *stm) {
  see_consuming_cases(w, m);
  if (m->cases.len > 2) saw(w->c, "match: three cases");
  if (m->args.len > 1) saw(w->c, "match: two scrutinees");
  const Exp *test = def_of(w, m->args.at[0]);
  if (test && test->form == FORM_PRIM && prim_is_float(test->prim.prim)) {
    saw(w->c, "match: on floats");
    bool odd = test->prim.op == OP_ISNAN || test->prim.op == OP_ISINF;
    if (odd) saw(w->c, "match: guards infinity or NaN");
  }
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(w->prog, stm->bound.at[i]);
    if (t.rank) saw(w->c, "match: gives an array");
    for (int d = 0; d < t.rank; d++)
      for (int k = 0; k < stm->bound.len; k++)
        if (atom_is_var(t.dims[d], stm->bound.at[k])) saw(w->c, "match: gives a size");
  }
}

static void see_withacc(Walk *w, const struct withacc_form *a) {
  see_operators(w, "withacc", a->ops);
  if (a->arrays.len > 1) saw(w->c, "withacc: several");
  for (int i = 0; i < a->arrays.len; i++) {
    saw(w->c, "withacc: rank %d", (int)a->ranks.at[i]);
    if (atom_type(w->prog, a->arrays.at[i]).rank > a->ranks.at[i]) saw(w->c, "withacc: rows");
  }
  for (int d = 0; d <= w->depth; d++)
    if (w->place[d] == WITHACC) saw(w->c, "withacc: in withacc");
}

static void see_prim(Walk *w, const struct prim_form *p) {
  saw(w->c, "operation %s", op_info[p->op].name);
  saw(w->c, "type %s", prim_info[p->prim].name);
  saw(w->c, "%s %s", op_info[p->op].name, prim_info[p->prim].name);
}

static void see_form(Walk *w, const Stm *stm) {
  const Exp *e = &stm->exp;
  GenCensus *c = w->c;
  switch (e->form) {
  case FORM_PRIM: see_prim(w, &e->prim); return;
  case FORM_CONV:
    saw(c, "conv: %s to %s", prim_info[atom_type(w->prog, e->conv.arg).prim].name,
        prim_info[e->conv.to].name);
    return;
  case FORM_REDUCE: see_operator(w, "reduce", e->reduce.op); return;
  case FORM_SCAN:
    see_operator(w, "scan", e->scan.op);
    if (e->scan.exclusive) saw(c, "scan: exclusive");
    return;
  case FORM_HIST:
    see_operator(w, "hist", e->hist.op);
    see_buckets(w, "hist", e->hist.rank, e->hist.fn, e->hist.dests);
    return;
  case FORM_SCATTER:
    see_buckets(w, "scatter", e->scatter.rank, e->scatter.fn, e->scatter.dests);
    return;
  case FORM_SCREMA:
    see_operators(w, "screma", e->screma.scans), see_operators(w, "screma", e->screma.reds);
    return;
  case FORM_WITHACC: see_withacc(w, &e->withacc); return;
  case FORM_UPDATEACC:
    for (int i = 0; i < e->updateacc.index.len; i++)
      saw(c, "updateacc at: %s", index_shape(w, e->updateacc.index.at[i]));
    saw(c, "updateacc in %s", place_names[w->place[w->depth]]);
    return;
  case FORM_UPDATE: see_update(w, &e->update); return;
  case FORM_INDEX: {
    saw(c, "index: %s", slice_shape(&e->index.slice));
    for (int i = 0; i < e->index.slice.len; i++)
      if (e->index.slice.at[i].is_fix)
        saw(c, "index at: %s", index_shape(w, e->index.slice.at[i].start));
    return;
  }
  case FORM_LOOP: see_loop(w, stm); return;
  case FORM_MAP:
    if (stm->attrs.unroll) saw(c, "map: unroll");
    return;
  case FORM_MATCH: see_match(w, &e->match, stm); return;
  case FORM_CONCAT:
    if (e->concat.dim) saw(c, "concat: inner dimension");
    if (e->concat.arrays.len > 2) saw(c, "concat: three");
    return;
  case FORM_REARRANGE: saw(c, "rearrange: rank %d", (int)e->rearrange.perm.len); return;
  case FORM_RESHAPE: saw(c, "reshape: to rank %d", e->reshape.dims.len); return;
  case FORM_REPLICATE:
    if (atom_type(w->prog, e->replicate.arg).rank) saw(c, "replicate: of an array");
    return;
  case FORM_JVP:
    if (e->jvp.shape.len) saw(c, "jvp: several directions");
    return;
  case FORM_VJP:
    if (e->vjp.shape.len) saw(c, "vjp: several directions");
    return;
  case FORM_WITHVJP:
    if (lambda_free(w->prog, c->arena, e->withvjp.fn).len) saw(c, "withvjp: free variable");
    if (e->withvjp.args.len > 1) saw(c, "withvjp: several arguments");
    return;
  case FORM_ATOM: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA: case FORM_COPY:
  case FORM_SCRATCH: case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_REVERSE:
  case FORM_ROTATE: case FORM_APPLY: case FORM_ASSERT: case FORM_DEPENDS:
  case FORM_JACOBIAN: case FORM_COUNT: return;
  }
}

// ---- bodies
static Place place_of(const Exp *e) {
  switch (e->form) {
  case FORM_MAP: return MAP;
  case FORM_LOOP: return e->loop.is_for ? FOR : WHILE;
  case FORM_MATCH: return BRANCH;
  case FORM_REDUCE: case FORM_SCAN: return OPERATOR;
  case FORM_HIST: return HIST;
  case FORM_SCATTER: return SCATTER;
  case FORM_SCREMA: return SCREMA;
  case FORM_WITHACC: return WITHACC;
  case FORM_JVP: return UNDER_JVP;
  case FORM_VJP: return UNDER_VJP;
  case FORM_WITHVJP: return RULE;
  case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
  case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
  case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
  case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_RESHAPE:
  case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE: case FORM_APPLY:
  case FORM_ASSERT: case FORM_UPDATEACC: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT:
    return TOP;
  }
  return TOP;
}

static void define(const Body *body, Walk *w, int depth) {
  for (int i = 0; i < body->stms.len; i++)
    for (int k = 0; k < body->stms.at[i].bound.len; k++) {
      Var v = body->stms.at[i].bound.at[k];
      w->def[v.id] = &body->stms.at[i];
      w->home[v.id] = depth;
    }
}

static void define_inner(void *state, const Body *body, const Vars *params) {
  Walk *w = state;
  (void)params;
  define(body, w, w->depth + 1);
}

static void see_body(void *state, const Body *body, const Vars *params);

static void see_stm(Walk *w, const Stm *stm) {
  const Exp *e = &stm->exp;
  saw(w->c, "form %s", e->form == FORM_PRIM ? "operation" : form_info[e->form].keyword);
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(w->prog, stm->bound.at[i]);
    saw(w->c, "array of %d dimensions", t.rank);
  }
  exp_each_body(e, define_inner, w);
  see_consumed(w, e);
  see_form(w, stm);
  if (!form_has_bodies[e->form] || w->depth > 60) return;
  Place here = place_of(e);
  if (w->depth > 0) saw(w->c, "%s in %s", place_names[here], place_names[w->place[w->depth]]);
  if (w->depth > 1)
    saw(w->c, "%s in %s in %s", place_names[here], place_names[w->place[w->depth]],
        place_names[w->place[w->depth - 1]]);
  w->place[++w->depth] = here;
  exp_each_body(e, see_body, w);
  w->depth--;
}

static void see_body(void *state, const Body *body, const Vars *params) {
  Walk *w = state;
  for (int i = 0; params && i < params->len; i++) {
    w->owner[params->at[i].id] = w->place[w->depth];
    w->home[params->at[i].id] = w->depth;
  }
  define(body, w, w->depth);
  for (int i = 0; i < body->stms.len; i++) see_stm(w, &body->stms.at[i]);
}

// ---- recursion
typedef struct {
  const Fn *fn;
  int calls, last;
} Calls;

static void count_calls(void *state, const Body *body, const Vars *params) {
  (void)params;
  Calls *c = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    exp_each_body(&stm->exp, count_calls, c);
    if (stm->exp.form != FORM_APPLY || strcmp(stm->exp.apply.fn, c->fn->name) != 0) continue;
    c->calls++;
    c->last += i == body->stms.len - 1 && atom_is_var(body->results.at[0], stm->bound.at[0]);
  }
}

static void see_recursion(GenCensus *c, const Prog *prog, const Fn *fn) {
  Calls calls = {.fn = fn};
  count_calls(&calls, &fn->body, NULL);
  if (calls.calls == 0) return;
  const char *kind = calls.calls > 1 ? "two calls" : calls.last ? "a last call" : "a call";
  saw(c, "recursion by %s", kind);
  for (int i = 0; i < fn->params.len; i++)
    if (var_type(prog, fn->params.at[i]).unique) saw(c, "recursion by %s that consumes", kind);
}

static void see_argument(GenCensus *c, IValue v) {
  if (!v.array) return;
  saw(c, "data: %s", v.array->len == 0 ? "empty" : v.array->len == 1 ? "one element" : "more");
  bool odd = false;
  for (int64_t i = 0; i < v.array->len && prim_is_float(v.array->prim); i++)
    odd = odd || !isfinite(v.array->at[i].f);
  if (odd) saw(c, "data: infinite or NaN");
}

void gen_census_add(GenCensus *c, const Prog *prog, IValues args) {
  c->programs++;
  Walk w = {.c = c, .prog = prog};
  w.def = NEW_ARRAY(prog->arena, const Stm *, prog->vars.len + 1);
  w.owner = NEW_ARRAY(prog->arena, Place, prog->vars.len + 1);
  w.home = NEW_ARRAY(prog->arena, int, prog->vars.len + 1);
  saw(c, "program");
  Body constants = {.stms = prog->constants};
  see_body(&w, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) see_body(&w, &prog->fns.at[i]->body, NULL);
  for (int i = 0; i < prog->fns.len; i++) see_recursion(c, prog, prog->fns.at[i]);
  for (int i = 0; i < args.len; i++) see_argument(c, args.at[i]);
}
