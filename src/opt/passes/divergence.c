// Divergence analysis: the variables that depend on a map's rows, in nested scopes to a
// fixpoint.  Of statements that can stay one for all iterations, each result separately; of others
// all.
#include "map_jam.h"

Divergence divergence_new(const Prog *prog, Arena *arena) {
  return (Divergence){arena, map_new(arena), free_vars_new(prog, arena), false};
}

bool diverges(const Divergence *a, Var v) { return map_get(a->vars, v.id) != NULL; }

bool atom_diverges(const Divergence *a, Atom x) { return x.is_var && diverges(a, x.var); }

void set_divergent(Divergence *a, Var v) {
  if (diverges(a, v)) return;
  map_put(a->vars, v.id, a);
  a->grew = true;
}

bool any_diverges(const Divergence *a, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (diverges(a, vars.at[i])) return true;
  return false;
}

static bool any_atom_diverges(const Divergence *a, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++)
    if (atom_diverges(a, atoms.at[i])) return true;
  return false;
}

// Variables differ where what they are given does; as many of both.
static void divergence_args(Divergence *a, Vars vars, Atoms given) {
  for (int k = 0; k < vars.len; k++)
    if (atom_diverges(a, given.at[k])) set_divergent(a, vars.at[k]);
}

static void find_match(Divergence *a, const Stm *stm) {
  const Cases *cases = &stm->exp.match.cases;
  for (int i = 0; i < cases->len; i++) {
    divergence_body(a, &cases->at[i].body);
    divergence_args(a, stm->bound, cases->at[i].body.results);
  }
}

Vars vars_from(Vars vars, int from, int n) { return (Vars){.at = vars.at + from, .len = n}; }

// Results come back as parameters: vars are these, of the same number.
static void find_cycle(Divergence *a, const Body *body, Vars vars) {
  bool outer = a->grew;
  do {
    a->grew = false;
    divergence_body(a, body);
    divergence_args(a, vars, body->results);
    outer = outer || a->grew;
  } while (a->grew);
  a->grew = outer;
}

Vars loop_params(const struct loop_form *l) {
  return vars_from(l->fn->params, l->is_for, l->inits.len);
}

static void find_loop(Divergence *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  divergence_args(a, loop_params(l), l->inits);
  find_cycle(a, &l->fn->body, loop_params(l));
  divergence_args(a, stm->bound, atoms_of_vars(a->arena, loop_params(l)));
}

static void find_map(Divergence *a, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  divergence_args(a, m->fn->params, m->inputs);
  divergence_body(a, &m->fn->body);
  divergence_args(a, stm->bound, m->fn->body.results);
}

// op : (x.., y..) -> r..: component k differs where one of them does, or what comes in.
static void find_operator(Divergence *a, const Lambda *op, Atoms neutral, Atoms inputs,
                          Vars bound) {
  int n = neutral.len;
  Vars x = vars_from(op->params, 0, n), y = vars_from(op->params, n, n);
  Atoms xs = atoms_of_vars(a->arena, x), ys = atoms_of_vars(a->arena, y);
  divergence_args(a, x, neutral);
  divergence_args(a, x, inputs);
  divergence_args(a, y, xs);
  bool outer = a->grew;
  do {
    a->grew = false;
    find_cycle(a, &op->body, x);
    divergence_args(a, y, xs);
    divergence_args(a, x, ys);
    outer = outer || a->grew;
  } while (a->grew);
  a->grew = outer;
  divergence_args(a, bound, xs);
}

Atoms values_of(const Body *body, int64_t rank) {
  return atoms_slice(body->results, (int)rank, body->results.len - (int)rank);
}

static void find_hist(Divergence *a, const Stm *stm) {
  const struct hist_form *h = &stm->exp.hist;
  divergence_args(a, h->fn->params, h->inputs);
  divergence_body(a, &h->fn->body);
  divergence_args(a, stm->bound, h->dests);
  Vars x = vars_from(h->op->params, 0, h->dests.len);
  divergence_args(a, x, h->dests);
  find_operator(a, h->op, h->neutral, values_of(&h->fn->body, h->rank), stm->bound);
}

static void find_scatter(Divergence *a, const Stm *stm) {
  const struct scatter_form *s = &stm->exp.scatter;
  divergence_args(a, s->fn->params, s->inputs);
  divergence_body(a, &s->fn->body);
  divergence_args(a, stm->bound, s->dests);
  divergence_args(a, stm->bound, values_of(&s->fn->body, s->rank));
}

static void find_withacc(Divergence *a, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  divergence_args(a, e->fn->params, e->arrays);
  find_cycle(a, &e->fn->body, e->fn->params);  // other results come after
  divergence_args(a, vars_from(stm->bound, 0, e->arrays.len),
                  atoms_of_vars(a->arena, e->fn->params));
  divergence_args(a, stm->bound, e->fn->body.results);
}

bool is_uniform(const Divergence *a, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_MATCH: return !any_atom_diverges(a, e->match.args);
    case FORM_LOOP:
      return e->loop.is_for ? !atom_diverges(a, e->loop.bound)
                            : !diverges(a, e->loop.fn->params.at[e->loop.cond]);
    case FORM_MAP: return !atom_diverges(a, e->map.width);
    case FORM_REDUCE: return !atom_diverges(a, e->reduce.width);
    case FORM_SCAN: return !atom_diverges(a, e->scan.width);
    case FORM_HIST:
      return !atom_diverges(a, e->hist.width) &&
             !any_atom_diverges(a, atoms_slice(e->hist.fn->body.results, 0, (int)e->hist.rank));
    case FORM_SCATTER:
      return !atom_diverges(a, e->scatter.width) &&
             !any_atom_diverges(a, atoms_slice(e->scatter.fn->body.results, 0,
                                              (int)e->scatter.rank));
    case FORM_WITHACC: return true;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
    case FORM_APPLY: case FORM_ASSERT: case FORM_SCREMA: case FORM_UPDATEACC: case FORM_JVP:
    case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT:
      return false;
  }
  return false;
}

static void find_inside(Divergence *a, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_MATCH: find_match(a, stm); break;
    case FORM_LOOP: find_loop(a, stm); break;
    case FORM_MAP: find_map(a, stm); break;
    case FORM_REDUCE:
      find_operator(a, e->reduce.op, e->reduce.neutral, e->reduce.inputs, stm->bound);
      break;
    case FORM_SCAN:
      find_operator(a, e->scan.op, e->scan.neutral, e->scan.inputs, stm->bound);
      break;
    case FORM_HIST: find_hist(a, stm); break;
    case FORM_SCATTER: find_scatter(a, stm); break;
    case FORM_WITHACC: find_withacc(a, stm); break;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
    case FORM_APPLY: case FORM_ASSERT: case FORM_SCREMA: case FORM_UPDATEACC: case FORM_JVP:
    case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: break;
  }
}

void divergence_body(Divergence *a, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (!any_diverges(a, free_vars_of_exp(a->free_vars, &stm->exp))) continue;
    if (is_uniform(a, stm)) find_inside(a, stm);
    if (is_uniform(a, stm)) continue;
    for (int k = 0; k < stm->bound.len; k++) set_divergent(a, stm->bound.at[k]);
  }
}
