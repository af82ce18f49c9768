// Which variables share blocks, when they are last used, and how loop states are kept.
#include <limits.h>
#include <string.h>
#include "mem.h"

typedef struct {
  MemFacts *facts;
  Arena *arena;
  int order;
  int depth;
  LIST(int) current;  // by depth: order of the statement being visited there
} Walk;

int mem_order(const MemFacts *facts, const Stm *stm) {
  return (int)(intptr_t)map_get(facts->order, KEY(stm));
}

static void use_var(Walk *w, Var v) {
  MemFacts *f = w->facts;
  int depth = f->def_depth[v.id];
  if (depth > w->depth) return;
  int at = w->current.at[depth];
  if (at > f->last_use[v.id]) f->last_use[v.id] = at;
}
static void use_atom(void *state, Atom a) {
  if (a.is_var) use_var(state, a.var);
}

static void bind_var(Walk *w, Var v) {
  MemFacts *f = w->facts;
  f->same[v.id] = f->block[v.id] = v;
  f->def_depth[v.id] = w->depth;
  f->last_use[v.id] = -1;
}

static void share(MemFacts *f, Var v, Atom with) {
  if (!with.is_var) return;
  f->same[v.id] = f->same[with.var.id];
  f->block[v.id] = f->block[with.var.id];
}
static void view(MemFacts *f, Var v, Atom of) {
  if (of.is_var) f->block[v.id] = f->block[of.var.id];
}
static void consume(MemFacts *f, Atom a) {
  if (a.is_var) f->consumed[f->block[a.var.id].id] = true;
}

// ---- calls
// Which results lie in the memory of consumed parameters is the least answer for all functions at
// once, as they may call one another.  While it is computed, a result may lie ANYWHERE: what has
// not been found to differ agrees with everything.
enum { ANYWHERE = -1 };

static Var anywhere(const MemFacts *f) { return (Var){(uint32_t)f->prog->vars.len}; }
static bool is_anywhere(const MemFacts *f, Var v) { return v.id == anywhere(f).id; }

int mem_in_place(const MemFacts *facts, const Fn *fn, int result) {
  return ((const int *)map_get(facts->in_place, KEY(fn)))[result];
}

bool mem_holds_result(const MemFacts *facts, const Fn *fn, int param) {
  for (int k = 0; k < fn->results.len; k++)
    if (mem_in_place(facts, fn, k) == param + 1) return true;
  return false;
}

static void walk_apply(MemFacts *f, const Stm *stm) {
  const Fn *fn = prog_fn(f->prog, stm->exp.apply.fn);
  check(fn != NULL);
  for (int k = 0; k < stm->bound.len; k++) {
    int in = mem_in_place(f, fn, k);
    if (in == ANYWHERE) share(f, stm->bound.at[k], atom_var(anywhere(f)));
    if (in > 0) share(f, stm->bound.at[k], stm->exp.apply.args.at[in - 1]);
  }
  for (int i = 0; i < fn->params.len; i++)
    if (var_type(f->prog, fn->params.at[i]).unique) consume(f, stm->exp.apply.args.at[i]);
}

static void walk_stm(Walk *w, const Stm *stm);

static void walk_body(Walk *w, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) walk_stm(w, &body->stms.at[i]);
  w->current.at[w->depth] = INT_MAX;
  for (int i = 0; i < body->results.len; i++) use_atom(w, body->results.at[i]);
}

static void enter(Walk *w, Vars params) {
  w->depth++;
  while (w->current.len <= w->depth) list_push(w->arena, &w->current, 0);
  w->current.at[w->depth] = w->order;
  for (int i = 0; i < params.len; i++) bind_var(w, params.at[i]);
}

static void walk_lambda(Walk *w, const Lambda *fn) {
  enter(w, fn->params);
  walk_body(w, &fn->body);
  w->depth--;
}

// A lambda whose last parameters are rows of (or accumulators among) the inputs.
static void walk_rows(Walk *w, const Lambda *fn, Atoms inputs) {
  MemFacts *f = w->facts;
  enter(w, fn->params);
  int skip = fn->params.len - inputs.len;
  for (int i = 0; i < inputs.len; i++) {
    Var p = fn->params.at[skip + i];
    if (var_type(f->prog, p).is_acc) share(f, p, inputs.at[i]);
    else view(f, p, inputs.at[i]);
  }
  walk_body(w, &fn->body);
  w->depth--;
}

static bool type_mentions(const Type *t, Vars vars) {
  for (int i = 0; i < t->rank; i++)
    for (int j = 0; j < vars.len; j++)
      if (atom_is_var(t->dims[i], vars.at[j])) return true;
  return false;
}

// How the state kept in param is replaced by result.
static LoopMode state_mode(const MemFacts *f, const Lambda *fn, Var param, Atom result) {
  Type t = var_type(f->prog, param);
  if (result.is_var && is_anywhere(f, f->same[result.var.id])) return LOOP_SAME;
  if (t.is_acc || (result.is_var && f->same[result.var.id].id == param.id)) return LOOP_SAME;
  if (type_mentions(&t, fn->params)) return LOOP_MOVE;
  if (mem_elementwise(f, &fn->body, param, result)) return LOOP_ELEMENTWISE;
  return LOOP_BUFFER;
}

static void walk_loop(Walk *w, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  MemFacts *f = w->facts;
  walk_lambda(w, e->fn);
  int skip = e->is_for ? 1 : 0;
  for (int i = 0; i < e->inits.len; i++) {
    Var p = e->fn->params.at[skip + i];
    Type t = var_type(f->prog, p);
    if (t.rank == 0 && !t.is_acc) continue;
    f->mode[p.id] = state_mode(f, e->fn, p, e->fn->body.results.at[i]);
    if (stm->attrs.low_peak && f->mode[p.id] == LOOP_BUFFER) f->mode[p.id] = LOOP_MOVE;
    if (f->mode[p.id] != LOOP_SAME) continue;
    share(f, stm->bound.at[i], e->inits.at[i]);
    if (f->consumed[f->block[p.id].id]) consume(f, e->inits.at[i]);
  }
}

// Accumulator parameters come first, then the elements.
static void walk_operator(Walk *w, const Lambda *op) {
  walk_lambda(w, op);
  MemFacts *f = w->facts;
  for (int i = 0; i < op->body.results.len; i++) {
    Var p = op->params.at[i];
    if (var_type(f->prog, p).rank > 0) f->mode[p.id] = state_mode(f, op, p, op->body.results.at[i]);
  }
}

static void walk_match(Walk *w, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  MemFacts *f = w->facts;
  Vars none = {0};
  for (int i = 0; i < e->cases.len; i++) {
    enter(w, none);
    walk_body(w, &e->cases.at[i].body);
    w->depth--;
  }
  for (int r = 0; r < stm->bound.len; r++) {
    Type t = var_type(f->prog, stm->bound.at[r]);
    if (t.rank == 0 && !t.is_acc) continue;
    Var all = anywhere(f);
    bool agree = true;
    for (int i = 0; i < e->cases.len; i++) {
      Atom a = e->cases.at[i].body.results.at[r];
      Var s = f->same[a.var.id];
      if (is_anywhere(f, s)) continue;
      if (is_anywhere(f, all)) all = s;
      agree = agree && s.id == all.id && f->def_depth[s.id] <= w->depth;
    }
    if (agree) share(f, stm->bound.at[r], atom_var(all));
  }
}

static void walk_withacc(Walk *w, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  MemFacts *f = w->facts;
  for (int i = 0; i < e->ops.len; i++)
    if (e->ops.at[i].op) walk_operator(w, e->ops.at[i].op);
  enter(w, e->fn->params);
  int skip = e->fn->params.len - e->arrays.len;
  for (int i = 0; i < e->arrays.len; i++) {
    view(f, e->fn->params.at[skip + i], e->arrays.at[i]);  // itself: it has the operator
    consume(f, e->arrays.at[i]);
  }
  walk_body(w, &e->fn->body);
  w->depth--;
  for (int i = 0; i < e->arrays.len; i++) share(f, stm->bound.at[i], e->arrays.at[i]);
  for (int i = e->arrays.len; i < stm->bound.len; i++)  // of a `withacc` around
    if (var_type(f->prog, stm->bound.at[i]).is_acc)
      share(f, stm->bound.at[i], e->fn->body.results.at[i]);
}

static void walk_operators(Walk *w, Operators ops) {
  for (int i = 0; i < ops.len; i++) walk_operator(w, ops.at[i].op);
}

// Results of a map or screma that are accumulators lie where the accumulator lies.
static void share_accs(MemFacts *f, const Stm *stm, Atoms results) {
  int skip = stm->bound.len - results.len;
  for (int i = 0; i < results.len; i++)
    if (var_type(f->prog, stm->bound.at[skip + i]).is_acc)
      share(f, stm->bound.at[skip + i], results.at[i]);
}

static void walk_dests(MemFacts *f, const Stm *stm, Atoms dests) {
  for (int i = 0; i < dests.len; i++) {
    consume(f, dests.at[i]);
    share(f, stm->bound.at[i], dests.at[i]);
  }
}

static void walk_screma(Walk *w, const Stm *stm) {
  const struct screma_form *e = &stm->exp.screma;
  walk_rows(w, e->fn, e->inputs);
  walk_operators(w, e->scans);
  walk_operators(w, e->reds);
  MemFacts *f = w->facts;
  enter(w, e->post->params);
  int nscan = 0, nred = 0;
  for (int i = 0; i < e->scans.len; i++) nscan += e->scans.at[i].neutral.len;
  for (int i = 0; i < e->reds.len; i++) nred += e->reds.at[i].neutral.len;
  for (int i = nscan; i < e->post->params.len; i++) {
    Var p = e->post->params.at[i];
    if (var_type(f->prog, p).is_acc) share(f, p, e->fn->body.results.at[i + nred]);
  }
  walk_body(w, &e->post->body);
  w->depth--;
  share_accs(f, stm, e->post->body.results);
}

// The block each result lies in, by form; nested bodies are visited on the way.
static void walk_form(Walk *w, const Stm *stm) {
  MemFacts *f = w->facts;
  const Exp *e = &stm->exp;
  Var b = stm->bound.len > 0 ? stm->bound.at[0] : (Var){0};
  switch (e->form) {
  case FORM_ATOM: share(f, b, e->atom.arg); break;
  case FORM_OPAQUE: share(f, b, e->opaque.arg); break;
  case FORM_STOPGRADIENT: share(f, b, e->stopgradient.arg); break;
  case FORM_TUNED: case FORM_MEMORYLEFT: break;
  case FORM_INDEX: view(f, b, e->index.array); break;
  case FORM_FLATINDEX: view(f, b, e->flatindex.array); break;
  case FORM_RESHAPE: view(f, b, e->reshape.array); break;
  case FORM_REARRANGE: view(f, b, e->rearrange.array); break;
  case FORM_REVERSE: view(f, b, e->reverse.array); break;
  case FORM_UPDATE:
    consume(f, e->update.array);
    share(f, b, e->update.array);
    break;
  case FORM_FLATUPDATE:
    consume(f, e->flatupdate.array);
    share(f, b, e->flatupdate.array);
    break;
  case FORM_MATCH: walk_match(w, stm); break;
  case FORM_LOOP: walk_loop(w, stm); break;
  case FORM_APPLY: walk_apply(f, stm); break;
  case FORM_MAP:
    walk_rows(w, e->map.fn, e->map.inputs);
    share_accs(f, stm, e->map.fn->body.results);
    break;
  case FORM_REDUCE: walk_operator(w, e->reduce.op); break;
  case FORM_SCAN: walk_operator(w, e->scan.op); break;
  case FORM_SCREMA: walk_screma(w, stm); break;
  case FORM_HIST:
    walk_operator(w, e->hist.op);
    walk_rows(w, e->hist.fn, e->hist.inputs);
    walk_dests(f, stm, e->hist.dests);
    break;
  case FORM_SCATTER:
    walk_rows(w, e->scatter.fn, e->scatter.inputs);
    walk_dests(f, stm, e->scatter.dests);
    break;
  case FORM_WITHACC: walk_withacc(w, stm); break;
  case FORM_UPDATEACC: share(f, b, e->updateacc.acc); break;
  case FORM_PRIM:
  case FORM_CONV:
  case FORM_LITERAL:
  case FORM_CONSTANT:
  case FORM_IOTA:
  case FORM_REPLICATE:
  case FORM_COPY:
  case FORM_SCRATCH:
  case FORM_CONCAT:
  case FORM_ROTATE:
  case FORM_ASSERT: case FORM_TRACE: break;
  case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    ice("derivative left for the back end");
  case FORM_COUNT: break;
  }
}

static void walk_stm(Walk *w, const Stm *stm) {
  MemFacts *f = w->facts;
  int order = ++w->order;
  map_put(f->order, KEY(stm), (void *)(intptr_t)order);
  w->current.at[w->depth] = order;
  exp_each_atom(&stm->exp, use_atom, w);
  for (int i = 0; i < stm->bound.len; i++) {
    bind_var(w, stm->bound.at[i]);
    f->def[stm->bound.at[i].id] = stm;
  }
  walk_form(w, stm);
}

// ---- elementwise reuse ------------------------------------------------------------------------
static bool lambda_mentions(const MemFacts *f, Arena *arena, const Lambda *fn, Var v) {
  Vars free = lambda_free(f->prog, arena, fn);
  for (int i = 0; i < free.len; i++)
    if (free.at[i].id == v.id) return true;
  return false;
}

// Every row of param that the map reads is itself replaced elementwise (or is a scalar).
static bool rows_elementwise(const MemFacts *f, const Stm *stm, Var param, int at) {
  const struct map_form *e = &stm->exp.map;
  Atom row = e->fn->body.results.at[at];
  Type t = atom_type(f->prog, row);
  if (t.rank == 0) return true;
  for (int i = 0; i < e->inputs.len; i++)
    if (atom_is_var(e->inputs.at[i], param)
        && !mem_elementwise(f, &e->fn->body, e->fn->params.at[i], row))
      return false;
  return true;
}

bool mem_elementwise(const MemFacts *f, const Body *body, Var param, Atom result) {
  if (!result.is_var) return false;
  const Stm *stm = f->def[result.var.id];
  if (!stm || stm->exp.form != FORM_MAP) return false;
  if (f->def_depth[result.var.id] != f->def_depth[param.id]) return false;
  int order = mem_order(f, stm), at = -1;
  for (int i = 0; i < stm->bound.len; i++)
    if (stm->bound.at[i].id == result.var.id) at = i;
  if (f->last_use[param.id] > order) return false;
  for (int i = 0; i < body->stms.len; i++)
    for (int j = 0; j < body->stms.at[i].bound.len; j++) {
      Var b = body->stms.at[i].bound.at[j];
      bool alias = f->block[b.id].id == f->block[param.id].id;
      if (alias && (f->last_use[b.id] >= order || mem_order(f, &body->stms.at[i]) >= order))
        return false;
    }
  return mem_map_elementwise(f, stm, param, at);
}

bool mem_map_elementwise(const MemFacts *f, const Stm *stm, Var input, int result) {
  Arena *scratch = arena_beside(f->prog->arena);
  bool free = lambda_mentions(f, scratch, stm->exp.map.fn, input);
  arena_free(scratch);
  return !free && rows_elementwise(f, stm, input, result);
}

// ---- arrays that need no memory ---------------------------------------------------------------
// An iota or a replicated scalar that is only read row by row or by full index, or written into
// a slice, stays a formula.
typedef struct {
  MemFacts *facts;
  bool *needed;
} Rows;
static void need_atom(void *state, Atom a) {
  Rows *r = state;
  if (a.is_var) r->needed[a.var.id] = true;
}
// The operands of a combinator that it reads row by row.
static Atoms *exp_inputs(Exp *e) {
  if (e->form == FORM_MAP) return &e->map.inputs;
  if (e->form == FORM_REDUCE) return &e->reduce.inputs;
  if (e->form == FORM_SCAN) return &e->scan.inputs;
  if (e->form == FORM_SCREMA) return &e->screma.inputs;
  if (e->form == FORM_HIST) return &e->hist.inputs;
  if (e->form == FORM_SCATTER) return &e->scatter.inputs;
  return NULL;
}

static void rows_body(void *state, const Body *body, const Vars *params);

static bool index_is_element(const Prog *prog, const struct index_form *e) {
  Type t = atom_type(prog, e->array);
  if (e->slice.len != t.rank || t.rank != 1) return false;
  return e->slice.at[0].is_fix;
}

static void rows_stm(Rows *r, const Stm *stm) {
  Exp rest = stm->exp;
  Atoms *inputs = exp_inputs(&rest);
  if (inputs) {
    for (int i = 0; i < inputs->len; i++)
      if (inputs->at[i].is_var && var_type(r->facts->prog, inputs->at[i].var).rank != 1)
        need_atom(r, inputs->at[i]);
    inputs->len = 0;
  }
  if (rest.form == FORM_INDEX && index_is_element(r->facts->prog, &rest.index))
    need_atom(r, rest.index.slice.at[0].start);
  else if (rest.form == FORM_UPDATE) need_atom(r, rest.update.array);  // its value row by row
  else exp_each_atom(&rest, need_atom, r);
  exp_each_body(&stm->exp, rows_body, r);
}
static void rows_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Rows *r = state;
  for (int i = 0; i < body->stms.len; i++) rows_stm(r, &body->stms.at[i]);
  for (int i = 0; i < body->results.len; i++) need_atom(r, body->results.at[i]);
}

static void find_formulas(MemFacts *f, Arena *arena) {
  const Prog *prog = f->prog;
  Rows r = {f, NEW_ARRAY(arena, bool, prog->vars.len)};
  for (int i = 0; i < prog->fns.len; i++) rows_body(&r, &prog->fns.at[i]->body, NULL);
  for (int i = 0; i < prog->constants.len; i++) rows_stm(&r, &prog->constants.at[i]);
  for (int i = 0; i < prog->constants.len; i++)
    for (int j = 0; j < prog->constants.at[i].bound.len; j++)
      r.needed[prog->constants.at[i].bound.at[j].id] = true;
  for (int id = 1; id < prog->vars.len; id++) {
    const Stm *def = f->def[id];
    if (!def || r.needed[id] || prog->vars.at[id].type.rank != 1) continue;
    f->only_rows[id] = def->exp.form == FORM_IOTA
                       || (def->exp.form == FORM_REPLICATE
                           && type_is_scalar(atom_type(prog, def->exp.replicate.arg)));
  }
}

static MemFacts *facts_walk(const Prog *prog, Arena *arena, Map *in_place) {
  MemFacts *f = NEW(arena, MemFacts);
  int n = prog->vars.len + 1;
  *f = (MemFacts){.prog = prog,
                  .in_place = in_place,
                  .same = NEW_ARRAY(arena, Var, n),
                  .block = NEW_ARRAY(arena, Var, n),
                  .consumed = NEW_ARRAY(arena, bool, n),
                  .only_rows = NEW_ARRAY(arena, bool, n),
                  .mode = NEW_ARRAY(arena, LoopMode, n),
                  .def_depth = NEW_ARRAY(arena, int, n),
                  .last_use = NEW_ARRAY(arena, int, n),
                  .def = NEW_ARRAY(arena, const Stm *, n),
                  .order = map_new(arena)};
  Walk w = {.facts = f, .arena = arena};
  list_push(arena, &w.current, 0);
  f->same[n - 1] = f->block[n - 1] = anywhere(f);
  for (int i = 0; i < prog->constants.len; i++) walk_stm(&w, &prog->constants.at[i]);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    for (int p = 0; p < fn->params.len; p++) bind_var(&w, fn->params.at[p]);
    walk_body(&w, &fn->body);
  }
  return f;
}

static bool has_unique(const Prog *prog, const Fn *fn) {
  for (int i = 0; i < fn->params.len; i++)
    if (var_type(prog, fn->params.at[i]).unique) return true;
  return false;
}

// Before anything is known.  Entry points are called from outside: they get blocks and give blocks.
static Map *in_place_begin(const Prog *prog, Arena *arena, bool *some) {
  Map *out = map_new(arena);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    int *results = NEW_ARRAY(arena, int, fn->results.len + 1);
    map_put(out, KEY(fn), results);
    if (fn->entry || !has_unique(prog, fn)) continue;
    for (int k = 0; k < fn->results.len; k++)
      if (var_type(prog, fn->results.at[k]).rank > 0) results[k] = ANYWHERE, *some = true;
  }
  return out;
}

// 1 + the consumed parameter that result k is by these facts.
static int place_of(const MemFacts *f, const Fn *fn, int k) {
  Var at = f->same[fn->body.results.at[k].var.id];
  if (is_anywhere(f, at)) return ANYWHERE;
  for (int i = 0; i < fn->params.len; i++)
    if (fn->params.at[i].id == at.id && var_type(f->prog, at).unique) return i + 1;
  return 0;
}

static bool in_place_improve(const MemFacts *f, const Fn *fn) {
  int *results = map_get(f->in_place, KEY(fn));
  bool changed = false;
  for (int k = 0; k < fn->results.len; k++) {
    int now = results[k] == 0 ? 0 : place_of(f, fn, k);
    for (int j = 0; j < k && now > 0; j++)
      if (results[j] == now) now = 0;
    if (now == ANYWHERE || now == results[k]) continue;
    results[k] = results[k] == ANYWHERE ? now : 0;
    changed = true;
  }
  return changed;
}

// A function that never returns returns nothing anywhere.
static bool in_place_end(const MemFacts *f, const Fn *fn) {
  int *results = map_get(f->in_place, KEY(fn));
  bool changed = false;
  for (int k = 0; k < fn->results.len; k++)
    if (results[k] == ANYWHERE) results[k] = 0, changed = true;
  return changed;
}

MemFacts *mem_facts(const Prog *prog, Arena *arena) {
  bool more = false;
  Map *in_place = in_place_begin(prog, arena, &more);
  while (more) {
    Arena *scratch = arena_beside(prog->arena);
    const MemFacts *f = facts_walk(prog, scratch, in_place);
    more = false;
    for (int i = 0; i < prog->fns.len; i++) more |= in_place_improve(f, prog->fns.at[i]);
    for (int i = 0; i < prog->fns.len && !more; i++) more |= in_place_end(f, prog->fns.at[i]);
    arena_free(scratch);
  }
  MemFacts *f = facts_walk(prog, arena, in_place);
  find_formulas(f, arena);
  return f;
}
