// The cost of a body as a polynomial in the sizes of the function that contains it.
#include "polynomial.h"

// Work that is done `times` times: by a map, whose index may be asked for, or otherwise.
typedef struct Frame Frame;
struct Frame {
  const Lambda *map;  // or NULL
  Atoms inputs;       // of the map
  Poly times, once;   // once: what at most one of its iterations does
  Frame *around;
};

struct Cost {
  const Prog *prog;
  Arena *arena;
  Map *defs;     // variable -> the Exp that binds it alone
  Map *indices;  // index of a for loop -> its bound, an Atom *
  int depth;     // of definitions followed
  double special;
  bool low;      // lower bounds: of what is subtracted
  Map *busy;     // functions whose calls are being counted: recursive calls cost nothing
  int calls;     // counted so far
  Frame *around; // what is repeated around, the innermost first
};

enum { CALLS_MAX = 10000 };

static Atom larger_of(Atom x, Atom y) { return x.value.i < y.value.i ? y : x; }

// The choice of a branch from constants counts as the largest of them.
static void note_choices(Cost *c, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Exp most = {.form = FORM_ATOM, .atom = {atom_i64(0)}};
    bool known = prim_is_int(var_type(c->prog, stm->bound.at[k]).prim)
                 && var_type(c->prog, stm->bound.at[k]).rank == 0;
    for (int i = 0; known && i < stm->exp.match.cases.len; i++) {
      Atom choice = stm->exp.match.cases.at[i].body.results.at[k];
      known = !choice.is_var;
      if (known) most.atom.arg = larger_of(most.atom.arg, choice);
    }
    if (known) map_put(c->defs, stm->bound.at[k].id, arena_copy(c->arena, &most, sizeof most));
  }
}

static void note_body(void *state, const Body *body, const Vars *params) {
  Cost *c = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    if (stm->bound.len == 1) map_put(c->defs, stm->bound.at[0].id, &stm->exp);
    if (stm->exp.form == FORM_MATCH) note_choices(c, stm);
    if (stm->exp.form == FORM_LOOP && stm->exp.loop.is_for)
      map_put(c->indices, stm->exp.loop.fn->params.at[0].id, &stm->exp.loop.bound);
    exp_each_body(&stm->exp, note_body, c);
  }
}

Cost *cost_new(const Prog *prog, Arena *arena, const Fn *fn, double special) {
  Cost *c = NEW(arena, Cost);
  *c = (Cost){.prog = prog, .arena = arena, .defs = map_new(arena), .indices = map_new(arena),
              .special = special, .busy = map_new(arena)};
  note_body(c, &fn->body, NULL);
  return c;
}

Arena *cost_arena(const Cost *c) { return c->arena; }
const Prog *cost_prog(const Cost *c) { return c->prog; }

// ---- sizes
static bool is_small(Atom a) { return !a.is_var && a.value.i <= 1; }

static bool cost_choice(Cost *c, Atom x, Atom y, Poly *out) {
  if (x.is_var || y.is_var) return false;
  *out = cost_atom(c, larger_of(x, y));
  return true;
}

// Sums and products of sizes; max with 0 or 1 is the other operand.
static bool cost_prim(Cost *c, const struct prim_form *e, Poly *out) {
  if (prim_is_float(e->prim) || e->args.len < 2) return false;
  Atom x = e->args.at[0], y = e->args.at[1];
  if (e->op == OP_SELECT) return cost_choice(c, y, e->args.at[2], out);
  switch ((int)e->op) {
  case OP_ADD: *out = poly_add(c->arena, cost_atom(c, x), cost_atom(c, y)); return true;
  case OP_MUL: *out = poly_times(c->arena, cost_atom(c, x), cost_atom(c, y)); return true;
  case OP_SUB: {
    c->low = !c->low;
    Poly minus = poly_times(c->arena, poly_number(c->arena, -1), cost_atom(c, y));
    c->low = !c->low;
    *out = poly_add(c->arena, cost_atom(c, x), minus);
    return true;
  }
  case OP_MAX:
    if (is_small(x)) return *out = cost_atom(c, y), true;
    if (is_small(y)) return *out = cost_atom(c, x), true;
    return false;
  case OP_MIN: *out = cost_atom(c, x.is_var ? x : y); return true;
  }
  return false;
}

Poly cost_atom(Cost *c, Atom a) {
  if (!a.is_var) return poly_number(c->arena, (double)a.value.i);
  const Exp *def = map_get(c->defs, a.var.id);
  const Atom *bound = map_get(c->indices, a.var.id);
  Poly out = poly_var(c->arena, a.var);
  if (bound && c->low) return (Poly){0};
  if (c->depth > 40) return out;
  c->depth++;
  if (bound) out = cost_atom(c, *bound);
  else if (def && def->form == FORM_ATOM) out = cost_atom(c, def->atom.arg);
  else if (def && def->form == FORM_CONV) out = cost_atom(c, def->conv.arg);
  else if (def && def->form == FORM_PRIM) cost_prim(c, &def->prim, &out);
  c->depth--;
  return out;
}

Poly cost_elements(Cost *c, Type t) {
  Poly size = poly_number(c->arena, 1);
  for (int i = 0; i < t.rank; i++) size = poly_times(c->arena, size, cost_atom(c, t.dims[i]));
  return size;
}

// ---- work
static Poly plus(Cost *c, Poly a, Poly b) { return poly_add(c->arena, a, b); }
static Poly number(Cost *c, double x) { return poly_number(c->arena, x); }
static Poly larger(Poly a, Poly b) { return poly_at(a, 100) < poly_at(b, 100) ? b : a; }

static Poly bound_elements(Cost *c, const Stm *stm) {
  Poly sum = {0};
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(c->prog, stm->bound.at[k]);
    if (!t.is_acc) sum = plus(c, sum, cost_elements(c, t));
  }
  return sum;
}

static Poly operators_work(Cost *c, Operators ops) {
  Poly sum = {0};
  for (int i = 0; i < ops.len; i++)
    if (ops.at[i].op) sum = plus(c, sum, cost_work(c, &ops.at[i].op->body));
  return sum;
}

static Poly read_elements(Cost *c, Atoms inputs) {
  double count = 0;
  for (int i = 0; i < inputs.len; i++) {
    Type t = atom_type(c->prog, inputs.at[i]);
    count += !t.is_acc && t.rank == 1;
  }
  return number(c, count);
}

// `times` times the work of these bodies (other: or NULL), and the work that is done once at most.
static Poly repeated(Cost *c, Frame f, const Body *body, const Body *other, Poly more) {
  f.around = c->around;
  c->around = &f;
  Poly work = plus(c, cost_work(c, body), more);
  if (other) work = plus(c, work, cost_work(c, other));
  c->around = f.around;
  return plus(c, poly_times(c->arena, f.times, work), f.once);
}

// n times the work of an element, and the elements of rows of rank 0 read.
static Poly per_element(Cost *c, Atom n, const Body *body, Atoms inputs) {
  Frame f = {.times = cost_atom(c, n)};
  return repeated(c, f, body, NULL, read_elements(c, inputs));
}

// A map, and at last the work that one of its iterations does.
static Poly map_work(Cost *c, Atom width, const Lambda *fn, Poly more, Atoms inputs) {
  Frame f = {.map = fn, .inputs = inputs, .times = cost_atom(c, width)};
  return repeated(c, f, &fn->body, NULL, plus(c, more, read_elements(c, inputs)));
}

// ---- what at most one iteration does
static bool is_free_in(Cost *c, const Frame *f, Atom a) {
  if (!a.is_var) return true;
  Vars free = lambda_free(c->prog, c->arena, f->map);
  for (int i = 0; i < free.len; i++)
    if (free.at[i].id == a.var.id) return true;
  return false;
}

// The index of the map, plus or minus what its iterations share.
static bool is_index(Cost *c, const Frame *f, Atom a) {
  if (!a.is_var) return false;
  for (int i = 0; i < f->inputs.len; i++) {
    const Exp *in = f->inputs.at[i].is_var ? map_get(c->defs, f->inputs.at[i].var.id) : NULL;
    if (in && in->form == FORM_IOTA && atom_is_var(a, f->map->params.at[i])) return true;
  }
  const Exp *def = map_get(c->defs, a.var.id);
  if (!def || def->form != FORM_PRIM || (def->prim.op != OP_ADD && def->prim.op != OP_SUB))
    return false;
  Atom x = def->prim.args.at[0], y = def->prim.args.at[1];
  return (is_index(c, f, x) && is_free_in(c, f, y)) || (is_index(c, f, y) && is_free_in(c, f, x));
}

// The condition says i == k, for the index of the map and a k that its iterations share: it holds
// at most once.  Also where it says more.
static bool holds_once(Cost *c, const Frame *f, Atom condition) {
  const Exp *def = condition.is_var ? map_get(c->defs, condition.var.id) : NULL;
  if (!f->map || !def || def->form != FORM_PRIM) return false;
  if (def->prim.op != OP_EQ && def->prim.op != OP_AND) return false;
  Atom x = def->prim.args.at[0], y = def->prim.args.at[1];
  if (def->prim.op == OP_AND) return holds_once(c, f, x) || holds_once(c, f, y);
  return (is_index(c, f, x) && is_free_in(c, f, y)) || (is_index(c, f, y) && is_free_in(c, f, x));
}

// The work of the first of two cases goes to the outermost map of which one iteration does it at
// most.
static bool done_once(Cost *c, const struct match_form *e) {
  if (e->args.len != 1 || e->cases.len != 2) return false;
  const CasePat *pat = e->cases.at[0].pats.at;
  if (pat->any || pat->lit.prim != PRIM_BOOL || pat->lit.i == 0) return false;
  Frame *outermost = NULL;
  for (Frame *f = c->around; f; f = f->around)
    if (holds_once(c, f, e->args.at[0])) outermost = f;
  if (!outermost) return false;
  Poly work = cost_work(c, &e->cases.at[0].body);
  for (Frame *f = c->around; f != outermost; f = f->around)
    if (!holds_once(c, f, e->args.at[0])) work = poly_times(c->arena, f->times, work);
  outermost->once = plus(c, outermost->once, work);
  return true;
}

static Poly soac_work(Cost *c, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch ((int)e->form) {
  case FORM_MAP: return map_work(c, e->map.width, e->map.fn, (Poly){0}, e->map.inputs);
  case FORM_REDUCE:
    return per_element(c, e->reduce.width, &e->reduce.op->body, e->reduce.inputs);
  case FORM_SCAN:
    return per_element(c, e->scan.width, &e->scan.op->body, e->scan.inputs);
  case FORM_SCREMA: {
    Poly work = plus(c, cost_work(c, &e->screma.post->body), operators_work(c, e->screma.scans));
    work = plus(c, work, operators_work(c, e->screma.reds));
    return map_work(c, e->screma.width, e->screma.fn, work, e->screma.inputs);
  }
  case FORM_HIST: {
    Frame f = {.times = cost_atom(c, e->hist.width)};
    return repeated(c, f, &e->hist.fn->body, &e->hist.op->body,
                    plus(c, number(c, 1), read_elements(c, e->hist.inputs)));
  }
  case FORM_SCATTER: {
    Frame f = {.times = cost_atom(c, e->scatter.width)};
    return repeated(c, f, &e->scatter.fn->body, NULL,
                    plus(c, number(c, 1), read_elements(c, e->scatter.inputs)));
  }
  }
  return (Poly){0};
}

// p = p + 1
static bool counts_up(Cost *c, Atom next, Var p) {
  const Exp *def = next.is_var ? map_get(c->defs, next.var.id) : NULL;
  if (!def || def->form != FORM_PRIM || def->prim.op != OP_ADD) return false;
  return atom_is_var(def->prim.args.at[0], p) && atom_is(def->prim.args.at[1], 1);
}

// Of a while loop: what it counts from 0 on, where it does; the last, as derivatives count last.
Poly cost_trips(Cost *c, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  if (e->is_for) return cost_atom(c, e->bound);
  for (int k = e->inits.len - 1; k >= 0; k--)
    if (atom_is(e->inits.at[k], 0) && counts_up(c, e->fn->body.results.at[k], e->fn->params.at[k]))
      return poly_var(c->arena, stm->bound.at[k]);
  return poly_trips(c->arena, stm->bound.at[0]);
}

static Poly control_work(Cost *c, const Stm *stm) {
  const Exp *e = &stm->exp;
  Poly most = {0};
  if (e->form == FORM_MATCH && done_once(c, &e->match))
    return cost_work(c, &e->match.cases.at[1].body);
  if (e->form == FORM_MATCH) {
    for (int i = 0; i < e->match.cases.len; i++)
      most = larger(most, cost_work(c, &e->match.cases.at[i].body));
    return most;
  }
  if (!e->loop.is_for && stm->bound.len == 0) return cost_work(c, &e->loop.fn->body);
  if (stm->attrs.chunked) return cost_work(c, &e->loop.fn->body);  // all of it as one block
  return repeated(c, (Frame){.times = cost_trips(c, stm)}, &e->loop.fn->body, NULL, (Poly){0});
}

// The work of the function's body, for these arguments.
static Poly call_work(Cost *c, const struct apply_form *e) {
  const Fn *fn = prog_fn(c->prog, e->fn);
  if (!fn || map_get(c->busy, KEY(fn)) || c->calls++ > CALLS_MAX) return (Poly){0};
  map_put(c->busy, KEY(fn), (void *)fn);
  note_body(c, &fn->body, NULL);
  for (int i = 0; i < e->args.len; i++) {
    Exp arg = {.form = FORM_ATOM, .atom = {.arg = e->args.at[i]}};
    map_put(c->defs, fn->params.at[i].id, arena_copy(c->arena, &arg, sizeof arg));
  }
  Poly work = cost_work(c, &fn->body);
  map_put(c->busy, KEY(fn), NULL);
  return work;
}

static Poly stm_work(Cost *c, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
  case FORM_PRIM: return number(c, op_is_function(e->prim.op, e->prim.prim) ? c->special : 1);
  case FORM_CONV: return number(c, 1);
  case FORM_APPLY: return call_work(c, &e->apply);
  case FORM_ATOM: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE:
  case FORM_SCRATCH: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_REVERSE: case FORM_ASSERT:
  case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN:
  case FORM_COUNT:
    return (Poly){0};
  case FORM_INDEX: case FORM_FLATINDEX:
    return var_type(c->prog, stm->bound.at[0]).rank ? (Poly){0} : number(c, 1);
  case FORM_UPDATE: return cost_elements(c, atom_type(c->prog, e->update.value));
  case FORM_FLATUPDATE: return cost_elements(c, atom_type(c->prog, e->flatupdate.value));
  case FORM_UPDATEACC:  // combined, and moved
    return poly_times(c->arena, number(c, 2),
                      cost_elements(c, atom_type(c->prog, e->updateacc.value)));
  case FORM_LITERAL: case FORM_COPY: case FORM_CONCAT: case FORM_ROTATE:
    return bound_elements(c, stm);
  case FORM_WITHACC: return cost_work(c, &e->withacc.fn->body);
  case FORM_MATCH: case FORM_LOOP: return control_work(c, stm);
  case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
  case FORM_SCATTER: return soac_work(c, stm);
  }
  return (Poly){0};
}

Poly cost_work(Cost *c, const Body *body) {
  Poly sum = {0};
  for (int i = 0; i < body->stms.len; i++) sum = plus(c, sum, stm_work(c, &body->stms.at[i]));
  return sum;
}

// ---- tapes
typedef struct {
  Cost *c;
  Poly most;
} Tapes;

static void tapes_inside(void *state, const Body *body, const Vars *params) {
  Tapes *t = state;
  (void)params;
  t->most = larger(t->most, cost_tapes(t->c, body));
}

static Poly loop_tapes(Cost *c, const struct loop_form *e) {
  Poly sum = {0};
  for (int k = 0; k < e->inits.len; k++) {
    const Exp *def = e->inits.at[k].is_var ? map_get(c->defs, e->inits.at[k].var.id) : NULL;
    if (!def || def->form != FORM_SCRATCH) continue;
    Type t = atom_type(c->prog, e->inits.at[k]);
    Poly bytes = poly_times(c->arena, number(c, prim_info[t.prim].bytes), cost_elements(c, t));
    sum = plus(c, sum, bytes);
  }
  return sum;
}

// Tapes of nested scopes live for one execution of the scope: the largest counts.
Poly cost_tapes(Cost *c, const Body *body) {
  Tapes inside = {.c = c};
  Poly sum = {0};
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_LOOP && !body->stms.at[i].attrs.chunked)
      sum = plus(c, sum, loop_tapes(c, &e->loop));
    exp_each_body(e, tapes_inside, &inside);
  }
  return plus(c, sum, inside.most);
}

// ---- tapes of each iteration
typedef struct {
  Cost *c;
  bool found;
} TapesInMaps;

static void has_tapes(void *state, const Body *body, const Vars *params) {
  TapesInMaps *t = state;
  (void)params;
  t->found = t->found || cost_tapes(t->c, body).len > 0;
}

static void has_tapes_in_maps(void *state, const Body *body, const Vars *params) {
  TapesInMaps *t = state;
  (void)params;
  t->found = t->found || cost_tapes_in_maps(t->c, body);
}

bool cost_tapes_in_maps(Cost *c, const Body *body) {
  TapesInMaps t = {.c = c};
  for (int i = 0; i < body->stms.len && !t.found; i++) {
    const Exp *e = &body->stms.at[i].exp;
    bool map = e->form == FORM_MAP || e->form == FORM_SCREMA || e->form == FORM_SCAN ||
               e->form == FORM_REDUCE || e->form == FORM_HIST;
    exp_each_body(e, map ? has_tapes : has_tapes_in_maps, &t);
  }
  return t.found;
}
