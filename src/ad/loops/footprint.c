// The arrays that a loop's body, and the statements after it, make between the forward sweep and
// their adjoint code, besides states: arrays, counted by their forms.
#include "loop_memory.h"

Atom elements_of(Vjp *v, Type t) {
  return element_count(vjp_builder(v), rewrite_type(&v->w, type_fresh(t)));
}

void footprint_add(Arena *arena, Footprint *to, Atom count, Prim prim) {
  list_push(arena, &to->counts, count);
  list_push(arena, &to->bytes, prim_info[prim].bytes);
}

void footprint_add_all(Arena *arena, Footprint *to, Footprint more) {
  for (int i = 0; i < more.counts.len; i++) {
    list_push(arena, &to->counts, more.counts.at[i]);
    list_push(arena, &to->bytes, more.bytes.at[i]);
  }
}

Footprint footprint_union(Vjp *v, Footprint a, Footprint b) {
  Footprint both = {0};
  footprint_add_all(vjp_arena(v), &both, a);
  footprint_add_all(vjp_arena(v), &both, b);
  return both;
}

void footprint_add_type(Vjp *v, Footprint *sum, Type t) {
  footprint_add(vjp_arena(v), sum, elements_of(v, t), t.prim);
}

// How a form's arrays count: maps may fuse with what reads them, updates make nothing, of views
// that turn things round only the adjoint is made; scans run over adjoints as well.
typedef enum { ALLOC_NONE, ALLOC_FUSIBLE, ALLOC_ARRAY, ALLOC_ADJOINT } AllocKind;

static AllocKind form_alloc(Form form) {
  switch (form) {
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_IOTA:
    case FORM_REPLICATE: case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX:
    case FORM_FLATUPDATE: case FORM_RESHAPE: case FORM_LOOP: case FORM_ASSERT:
    case FORM_UPDATEACC: case FORM_WITHACC: case FORM_SCATTER:
    case FORM_CONSTANT: case FORM_COUNT:
      return ALLOC_NONE;
    case FORM_MAP: case FORM_SCREMA: case FORM_LITERAL: return ALLOC_FUSIBLE;
    case FORM_COPY: case FORM_SCRATCH: case FORM_CONCAT: case FORM_ROTATE: case FORM_APPLY:
    case FORM_REDUCE: case FORM_SCAN: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_HIST: case FORM_MATCH:
      return ALLOC_ARRAY;
    case FORM_REARRANGE: case FORM_REVERSE: return ALLOC_ADJOINT;
  }
  return ALLOC_NONE;
}

bool body_returns(const Body *body, Var v) {
  for (int k = 0; k < body->results.len; k++)
    if (atom_is_var(body->results.at[k], v)) return true;
  return false;
}

// Nothing where the size has no bound outside the iteration.
Footprint alloc_array(Vjp *v, Iteration *it, Type t) {
  Footprint one = {0};
  it->m.known = t.rank > 0 && !t.is_acc;
  Atom count = it->m.known ? bound_elements(&it->m, t) : atom_none();
  if (it->m.known) footprint_add(vjp_arena(v), &one, count, t.prim);
  return one;
}

static void lambda_add(Vjp *v, Iteration *it, const Lambda *fn);

// The stacks of an object of a loop within, where there is a bound.
static void undone_add(Vjp *v, Iteration *it, const struct loop_form *e, int k, Atom trips) {
  const UpdateChain *c = e->is_for ? chain_find(v->w.from, vjp_arena(v), e, k) : NULL;
  it->m.known = true;
  if (!c) return;
  Footprint stacks = bound_log(&it->m, e, k, c, trips);
  if (it->m.known) footprint_add_all(vjp_arena(v), &it->once, stacks);
}

// A loop within tapes one value of each parameter that is neither the same in all iterations nor
// updated in place; two more are its state, two its adjoint.  A later loop that keeps to the limit
// itself holds one value at least.
static void loop_add(Vjp *v, Iteration *it, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  Builder *b = vjp_builder(v);
  it->m.known = e->is_for;
  Atom trips = e->is_for ? bound_upper(&it->m, e->bound) : atom_i64(0);
  if (!it->m.known) trips = atom_i64(0);
  Atom rows = stm->attrs.memory_fraction ? build_op(b, OP_MIN, trips, atom_i64(1)) : trips;
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[e->is_for + k];
    Type t = var_type(v->w.from, p);
    if (t.unique) undone_add(v, it, e, k, trips);
    if (t.unique || atom_is_var(e->fn->body.results.at[k], p)) continue;
    Footprint row = alloc_array(v, it, t), tape = row;
    if (row.counts.len == 0) continue;
    tape.counts = atoms1(vjp_arena(v), build_op(b, OP_MUL, rows, row.counts.at[0]));
    footprint_add_all(vjp_arena(v), &it->once,
                      footprint_union(v, tape, footprint_union(v, row, row)));
  }
  lambda_add(v, it, e->fn);
}

void alloc_add_atoms(Vjp *v, Iteration *it, Footprint *sum, Atoms arrays) {
  for (int k = 0; k < arrays.len; k++)
    footprint_add_all(vjp_arena(v), sum, alloc_array(v, it, atom_type(v->w.from, arrays.at[k])));
}

// Rows that a scatter writes one by one come from arrays of their own; adjoint code has adjoints of
// them, what was there, which of equal indices is the last, and what that is found with (doc/ad.md
// 4.11).
static void scatter_add(Vjp *v, Iteration *it, const struct scatter_form *e) {
  Atoms values = atoms_slice(e->inputs, 1, e->inputs.len - 1);
  alloc_add_atoms(v, it, &it->once, e->inputs);
  alloc_add_atoms(v, it, &it->once, e->inputs);
  alloc_add_atoms(v, it, &it->once, values);
  alloc_add_atoms(v, it, &it->once, atoms1(vjp_arena(v), e->dests.at[0]));
}

// Rows of histograms may fuse; what an operator that does not add makes of them is as large again,
// and so are its results.
static void hist_add(Vjp *v, Iteration *it, const Stm *stm) {
  if (rule_is_sum(v->w.from, stm->exp.hist.op)) return;
  alloc_add_atoms(v, it, &it->fusible, stm->exp.hist.inputs);
  alloc_add_atoms(v, it, &it->fusible, atoms_of_vars(vjp_arena(v), stm->bound));
}

// Other functions than sums want what they read again.
static const Lambda *streams_into(const Prog *prog, const Exp *e) {
  if (e->form == FORM_MAP) return e->map.fn;
  if (e->form == FORM_REDUCE && rule_is_sum(prog, e->reduce.op)) return e->reduce.op;
  if (e->form == FORM_SCAN && rule_is_sum(prog, e->scan.op)) return e->scan.op;
  return NULL;
}

// How often statements of a body read a variable, and whether they do so at other places than in
// line: only what is read in line fuses with what reads it.
typedef struct {
  int times;
  bool anywhere;
} Read;
static const Read never;

static const Read *read_of(const Map *reads, Var x) {
  const Read *r = map_get(reads, x.id);
  return r ? r : &never;
}

bool is_read_once(const Map *reads, Var x) { return read_of(reads, x)->times == 1; }

Map *body_reads(Vjp *v, const Body *body) {
  Map *reads = map_new(vjp_arena(v));
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    Vars vars = free_vars_of_exp(v->tbr.free_vars, e);
    const Lambda *fn = streams_into(v->w.from, e);
    for (int k = 0; k < vars.len; k++) {
      Read *r = NEW(vjp_arena(v), Read);
      *r = *read_of(reads, vars.at[k]);
      r->times++;
      r->anywhere =
          r->anywhere || !fn || vars_have(free_vars_of_lambda(v->tbr.free_vars, fn), vars.at[k]);
      map_put(reads, vars.at[k].id, r);
    }
  }
  return reads;
}

// A result is the next state, which is counted with the others, and its adjoint; one more if it is
// read or concatenated.
static void made_add(Vjp *v, Iteration *it, const Body *body, Form form, Var x, const Read *read) {
  AllocKind makes = form_alloc(form);
  bool parts = form == FORM_CONCAT || form == FORM_ROTATE, result = body_returns(body, x);
  if (makes == ALLOC_NONE) return;
  Arena *arena = vjp_arena(v);
  Footprint one = alloc_array(v, it, var_type(v->w.from, x));
  if (makes == ALLOC_FUSIBLE && read->anywhere) makes = ALLOC_ARRAY;
  if (makes == ALLOC_ARRAY && !result) footprint_add_all(arena, &it->arrays, one);
  if (makes == ALLOC_FUSIBLE && !result) footprint_add_all(arena, &it->fusible, one);
  if (makes == ALLOC_ADJOINT || form == FORM_SCAN) footprint_add_all(arena, &it->once, one);
  if (result && (parts || read->times)) footprint_add_all(arena, &it->once, one);
  if (parts) footprint_add_all(arena, &it->parts, one);
}

static bool is_read_besides(const Map *reads, const Stm *stm, Var x) {
  for (int i = 0; stm->exp.form == FORM_MAP && i < stm->exp.map.inputs.len; i++)
    if (atom_is_var(stm->exp.map.inputs.at[i], x)) return true;
  return read_of(reads, x)->times > 1;
}

// Contributions to arrays of the iteration that something else reads as well: two arrays that
// are added. Arrays from outside count elsewhere.
static void shared_add(Vjp *v, Iteration *it, Vars from, Vars outer, const Stm *stm,
                       const Map *reads) {
  for (int i = 0; i < from.len; i++) {
    Type t = var_type(v->w.from, from.at[i]);
    if (prim_is_float(t.prim) && !vars_have(outer, from.at[i]) &&
        is_read_besides(reads, stm, from.at[i]))
      footprint_add_all(vjp_arena(v), &it->once, alloc_array(v, it, t));
  }
}

// Of the cases of a branch that make arrays the one that makes most.
static void cases_add(Vjp *v, Iteration *it, const struct match_form *e, Vars outer) {
  Builder *b = vjp_builder(v);
  Footprint one = {0}, none = {0};
  Atom most = atom_i64(0);
  int n = 0;
  for (int i = 0; i < e->cases.len; i++) {
    Footprint peak = peak_of(v, it, &e->cases.at[i].body, outer);
    if (peak.counts.len == 0) continue;
    if (n++) most = build_op(b, OP_MAX, most, footprint_bytes(v, one));
    one = peak;
  }
  if (n > 1) most = build_op(b, OP_MAX, most, footprint_bytes(v, one)), one = none;
  if (n > 1) footprint_add(vjp_arena(v), &one, most, PRIM_I8);
  footprint_add_all(vjp_arena(v), &it->once, one);
}

void alloc_add(Vjp *v, Iteration *it, const Body *body, Vars outer, const Stm *stm,
               const Map *reads) {
  const Exp *e = &stm->exp;
  if (e->form == FORM_LOOP) loop_add(v, it, stm);
  if (e->form == FORM_HIST) hist_add(v, it, stm);
  if (e->form == FORM_SCATTER) scatter_add(v, it, &e->scatter);
  if (e->form == FORM_MAP)
    shared_add(v, it, free_vars_of_lambda(v->tbr.free_vars, e->map.fn), outer, stm, reads);
  if (e->form == FORM_MATCH) {
    shared_add(v, it, free_vars_of_exp(v->tbr.free_vars, e), outer, stm, reads);
    cases_add(v, it, &e->match, outer);
  }
  for (int k = 0; k < stm->bound.len; k++)
    made_add(v, it, body, e->form, stm->bound.at[k], read_of(reads, stm->bound.at[k]));
}

static void lambda_add(Vjp *v, Iteration *it, const Lambda *fn) {
  const Map *reads = body_reads(v, &fn->body);
  Vars outer = free_vars_of_lambda(v->tbr.free_vars, fn);
  for (int i = 0; i < fn->body.stms.len; i++)
    alloc_add(v, it, &fn->body, outer, &fn->body.stms.at[i], reads);
}

Iteration iteration_of(Vjp *v, const struct loop_form *e) {
  Iteration it = {.m = bound_new(vjp_builder(v), &v->w, v->w.from, e)};
  lambda_add(v, &it, e->fn);
  return it;
}

// ---- from outside
bool has_adjoint(const Vjp *v, Var x) {
  Type t = var_type(v->w.from, x);
  return t.rank && !t.is_acc && varset_has(&v->active, x);
}

// The adjoints of arrays from outside that the body reads.
Footprint free_arrays(Vjp *v, const struct loop_form *e) {
  Vars free = free_vars_of_lambda(v->tbr.free_vars, e->fn);
  Footprint sum = {0};
  for (int i = 0; i < free.len; i++)
    if (has_adjoint(v, free.at[i])) footprint_add_type(v, &sum, var_type(v->w.from, free.at[i]));
  return sum;
}
