// Loops whose derivative may hold s states instead of all l: binomial checkpointing.  A state is
// the values of the taped parameters at the start of an iteration; all classes but invariant and
// affine count as taped here.  Which states are held follows the schedule that needs the fewest
// forward executions (Griewank and Walther's), in ordinary loops over arrays of s + 1 states:
//
//   forward   s segments: hold the state, advance m = split(what is left, slots left) iterations
//   return    for i = l-1 .. 0: the last state held starts at or before i.  While before: advance
//             m = split(..) iterations from it and hold that state too; the last advance ends at i
//             (in row s + 1 where all others are taken).  Then the return code of iteration i, and
//             its state is dropped.
//
// With C binomials and r the least with C(s+r, s) >= l, an iteration is executed at most r + 1
// times, and split(l, s) = min(C(s+r-1, s), l - C(s+r-2, s-1), l-s+1).  With s = l everything is
// held and nothing is executed again: one code serves both.
//
// How many states: what the loop's attributes say, at run time.
#include "local.h"

struct Checkpoint {
  Atom slots, places;  // s; the iterations at which the states held start
  VarSet slice;        // what the next state depends on within an iteration
};

// ---- whether
static bool depends(const VarSet *set, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(set, stm->bound.at[k])) return true;
  return false;
}

static void add_types(const Vjp *v, VarSet *set, Vars vars) {
  for (int k = 0; k < vars.len; k++) {
    Type t = var_type(v->w.from, vars.at[k]);
    for (int d = 0; d < t.rank; d++) varset_add_atom(set, t.dims[d]);
  }
}

// What the taped parameters' next values depend on; parameters among it are taped as well.
static VarSet state_slice(Vjp *v, const struct loop_form *e, LoopSave *save) {
  const Body *body = &e->fn->body;
  VarSet set = varset_new(vjp_arena(v));
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < e->inits.len; k++)
      if (save->tapes[k].class == CLASS_TAPED) varset_add_atom(&set, body->results.at[k]);
    for (int i = body->stms.len - 1; i >= 0; i--) {
      const Stm *stm = &body->stms.at[i];
      if (!depends(&set, stm)) continue;
      varset_add_all(&set, exp_free(v->w.from, vjp_arena(v), &stm->exp));
      add_types(v, &set, stm->bound);
    }
    for (int k = 0; k < e->inits.len; k++) {
      bool dead = save->tapes[k].class == CLASS_DEAD;
      if (!dead || !varset_has(&set, e->fn->params.at[1 + k])) continue;
      save->tapes[k].class = CLASS_TAPED;
      more = true;
    }
  }
  return set;
}

// Loops marked only because the run has a limit keep cheap tapes: scalars, undone updates.
bool checkpoint_applies(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  const Attrs *a = &stm->attrs;
  bool asked = a->checkpoint || a->memory_limit, arrays = false, undone = false, taped = false;
  if (!asked && !a->memory_share) return false;
  for (int k = 0; k < e->inits.len; k++) {
    Class class = save->tapes[k].class;
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (t.is_acc || class == CLASS_FLAT) return false;
    if (class == CLASS_OBJECT) undone = true;
    if (class == CLASS_TAPED && t.rank) arrays = true;
    if (class == CLASS_TAPED || class == CLASS_OBJECT) taped = true;
  }
  if (!taped || (!asked && (undone || !arrays))) return false;
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == CLASS_OBJECT) save->tapes[k].class = CLASS_TAPED;
  save->checkpoint = NEW(vjp_arena(v), Checkpoint);
  save->checkpoint->slice = state_slice(v, e, save);
  return true;
}

// ---- how many
static Atom bytes_of(Vjp *v, Type t) {
  Builder *b = vjp_builder(v);
  Type now_t = rewrite_type(&v->w, type_fresh(t));
  return build_op(b, OP_MUL, element_count(b, now_t), atom_i64(prim_info[t.prim].bytes));
}

static Atom state_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Atom sum = atom_i64((int64_t)sizeof(int64_t));
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == CLASS_TAPED)
      sum = build_op(vjp_builder(v), OP_ADD, sum,
                     bytes_of(v, var_type(v->w.from, e->fn->params.at[1 + k])));
  return sum;
}

// What an iteration makes, where sizes are known before it and fusion cannot be counted on.
static Atom iteration_bytes(Vjp *v, const struct loop_form *e) {
  VarSet inside = loop_inside(vjp_arena(v), e->fn);
  Atom sum = atom_i64(0);
  for (int i = 0; i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    Form form = stm->exp.form;
    if (form == FORM_IOTA || form == FORM_REPLICATE || form_shares_memory(form)) continue;
    for (int k = 0; k < stm->bound.len; k++) {
      Type t = var_type(v->w.from, stm->bound.at[k]);
      bool known = t.rank > 0 && !t.is_acc;
      for (int d = 0; d < t.rank; d++) known = known && !varset_has_atom(&inside, t.dims[d]);
      if (known) sum = build_op(vjp_builder(v), OP_ADD, sum, bytes_of(v, t));
    }
  }
  return sum;
}

static Atom build_quot(Builder *b, Atom x, Atom y) {
  Attrs saved = b->attrs;
  b->attrs.unchecked = true;
  Atom q = build_op(b, OP_QUOT, x, y);
  b->attrs = saved;
  return q;
}

// Bytes that may still be allocated; huge where the run has no limit.
static Atom memory_left(Builder *b) {
  Attrs saved = b->attrs;
  b->attrs.opaque = true;
  Exp exp = {.form = FORM_MEMORYLEFT, .memoryleft = {atom_i64(INT64_C(1) << 60)}};
  Atom left = build_exp1(b, "left", exp);
  b->attrs = saved;
  return left;
}

// The bound of log2 states: with as many the number of executions grows like log2 as well.
static Atom log_slots(Builder *b, Atom trips) {
  Atom zeros = build_conv(b, PRIM_I64, build_op1(b, OP_CLZ, trips));
  return build_op(b, OP_SUB, atom_i64(65), zeros);
}

// At least `least` of the budget, or the loop fails before it starts.
static void assert_fits(Builder *b, Atom state, Atom budget, Atom trips, int least) {
  Atom enough = build_op(b, OP_LE, build_op(b, OP_MUL, state, atom_i64(least)), budget);
  Atom ok = build_op(b, OP_OR, enough, build_op(b, OP_LE, trips, atom_i64(1)));
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = ok,
                        .message = "the derivative of a loop holds states of %d bytes, "
                                   "and the memory limit leaves %d bytes for them",
                        .args = atoms2(b->prog->arena, state, budget)}};
  build_stm(b, (Stm){.exp = exp, .loc = b->loc});
}

// 1 <= s <= l, or 0 where l is 0
static Atom slots_of(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom state = state_bytes(v, e, save), slots;
  if (stm->attrs.checkpoint > 0) {
    slots = atom_i64(stm->attrs.checkpoint);
  } else if (stm->attrs.memory_limit) {
    Atom budget = atom_i64(stm->attrs.memory_limit);
    assert_fits(b, state, budget, save->trips, 2);
    slots = build_op(b, OP_SUB, build_quot(b, budget, state), atom_i64(1));
  } else if (stm->attrs.checkpoint < 0) {
    slots = log_slots(b, save->trips);
  } else {
    Atom left = build_quot(b, memory_left(b), atom_i64(stm->attrs.memory_share));
    assert_fits(b, state, left, save->trips, 4);
    // Values and adjoints of an iteration, a state to advance and the one after, the adjoint.
    Atom work = build_op(b, OP_MUL, atom_i64(2), iteration_bytes(v, e));
    work = build_op(b, OP_ADD, work, build_op(b, OP_MUL, atom_i64(3), state));
    Atom room = build_quot(b, build_op(b, OP_SUB, left, work), state);
    slots = build_op(b, OP_SUB, room, atom_i64(1));
  }
  return build_op(b, OP_MIN, build_op(b, OP_MAX, slots, atom_i64(1)), save->trips);
}

// ---- the schedule
// (r, C(s+r-1, s)) of the least r with C(s+r, s) >= len
static void least_repeats(Builder *b, Atom len, Atom s, Atom *r, Atom *before) {
  Prog *prog = b->prog;
  Types types = {0};
  list_push(prog->arena, &types, type_scalar(PRIM_BOOL));
  for (int k = 0; k < 3; k++) list_push(prog->arena, &types, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(b, "repeats", types);
  Builder *in = &lb.inner;
  Atoms p = atoms_of_vars(prog->arena, lb.lambda->params);
  Atom more = build_op(in, OP_ADD, p.at[1], atom_i64(1));
  Atom product = build_op(in, OP_MUL, p.at[3], build_op(in, OP_ADD, s, more));
  Atom next = build_quot(in, product, more);
  Atoms results = atoms3(prog->arena, build_op(in, OP_LT, next, len), more, p.at[3]);
  list_push(prog->arena, &results, next);
  Lambda *fn = lambda_end(&lb, results);
  Atoms inits = atoms3(prog->arena, build_op(b, OP_LT, atom_i64(1), len), atom_i64(0), atom_i64(0));
  list_push(prog->arena, &inits, atom_i64(1));
  Exp exp = {.form = FORM_LOOP, .loop = {.bound = atom_i64(0), .inits = inits, .fn = fn}};
  Vars out = build_many(b, "repeats", types, exp);
  *r = atom_var(out.at[1]);
  *before = atom_var(out.at[2]);
}

// How far to the next state held, with so many slots from here (1 <= slots <= len); `last` where
// there is no other slot.
static Atom segment_length(Builder *b, Atom len, Atom slots, Atom last) {
  Atom s = build_op(b, OP_MAX, slots, atom_i64(2)), r, before;
  least_repeats(b, len, s, &r, &before);
  Atom less = build_op(b, OP_SUB, s, atom_i64(1));
  Atom near = build_quot(b, build_op(b, OP_MUL, before, s), build_op(b, OP_ADD, less, r));
  Atom m = build_op(b, OP_MIN, before, build_op(b, OP_SUB, len, near));
  m = build_op(b, OP_MIN, m, build_op(b, OP_SUB, len, less));
  m = build_op(b, OP_MAX, m, atom_i64(1));
  return build_select(b, build_op(b, OP_LE, slots, atom_i64(1)), last, m);
}

// ---- advancing
// Iterations from .. from+count-1 of the loop for the parameters marked; with a slice, only what
// it holds is computed, and other parameters have to be steady.
static Atoms advance(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                     Atom from, Atom count, Atoms inits) {
  Arena *arena = vjp_arena(v);
  Lambda *fn = NEW(arena, Lambda);
  Builder outer = v->w.to;
  Types types = {0};
  v->w.to.stms = &fn->body.stms;
  list_push(arena, &fn->params, var_new(v->w.to.prog, "i", type_scalar(PRIM_I64)));
  Atom i = build_op(vjp_builder(v), OP_ADD, from, atom_var(fn->params.at[0]));
  loop_steady(v, e, save, i);
  for (int k = 0; k < e->inits.len; k++) {
    if (slice && save->tapes[k].class != CLASS_TAPED) continue;
    list_push(arena, &fn->params, rewrite_var(&v->w, e->fn->params.at[1 + k]));
    Type t = var_type(v->w.to.prog, fn->params.at[fn->params.len - 1]);
    list_push(arena, &fn->rets, t);
    list_push(arena, &types, type_fresh(t));
  }
  for (int k = 0; k < e->fn->body.stms.len; k++)
    if (!slice || depends(slice, &e->fn->body.stms.at[k])) vjp_copy(v, &e->fn->body.stms.at[k]);
  for (int k = 0; k < e->inits.len; k++)
    if (!slice || save->tapes[k].class == CLASS_TAPED)
      list_push(arena, &fn->body.results, now(v, e->fn->body.results.at[k]));
  v->w.to = outer;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = count, .inits = inits, .fn = fn}};
  return atoms_of_vars(arena, build_many(vjp_builder(v), "state", types, exp));
}

// ---- the forward loop
typedef struct {
  Lambda *fn;
  Builder outer;
  Atoms inits;
} Outer;

static Outer outer_begin(Vjp *v) {
  Outer o = {.fn = NEW(vjp_arena(v), Lambda), .outer = v->w.to};
  list_push(vjp_arena(v), &o.fn->params, var_new(v->w.to.prog, "q", type_scalar(PRIM_I64)));
  v->w.to.stms = &o.fn->body.stms;
  return o;
}

static Atom outer_param(Vjp *v, Outer *o, Type t, Atom init) {
  Var p = var_new(v->w.to.prog, "held", t);
  list_push(vjp_arena(v), &o->fn->params, p);
  list_push(vjp_arena(v), &o->inits, init);
  return atom_var(p);
}

static Atom outer_array(Vjp *v, Outer *o, Atom init) {
  Type t = type_fresh(atom_type(v->w.to.prog, init));
  t.unique = true;
  return outer_param(v, o, t, init);
}

static Atoms outer_end(Vjp *v, Outer *o, Atom trips, Atoms results) {
  Types types = {0};
  for (int k = 1; k < o->fn->params.len; k++) {
    Type t = var_type(v->w.to.prog, o->fn->params.at[k]);
    list_push(vjp_arena(v), &o->fn->rets, t);
    list_push(vjp_arena(v), &types, type_fresh(t));
  }
  o->fn->body.results = results;
  v->w.to = o->outer;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = trips, .inits = o->inits, .fn = o->fn}};
  return atoms_of_vars(vjp_arena(v), build_many(vjp_builder(v), "held", types, exp));
}

static Atom hold(Vjp *v, Atom rows, Atom at, Atom value) {
  return build_update(vjp_builder(v), rows, atoms1(vjp_arena(v), at), value);
}

//   loop (p = a, held = scratch, places = scratch, at = 0) for q < s
//     held[q] = p;  places[q] = at;  m = split(l - at, s - q)
//     in (loop p for i < m { r at at + i }, held, places, at + m)
void checkpoint_forward(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Arena *arena = vjp_arena(v);
  int n = e->inits.len;
  Atom slots = slots_of(v, stm, save);
  Atom rows = build_op(vjp_builder(v), OP_ADD, slots, atom_i64(1));
  Atoms inits = forward_inits(v, e, save), held = {0}, results, params = {0};
  Builder *b = vjp_builder(v);
  Atom places = build_scratch(b, type_array(arena, type_scalar(PRIM_I64), rows));
  for (int k = 0; k < n; k++) {
    Type t = type_fresh(rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k])));
    bool taped = save->tapes[k].class == CLASS_TAPED;
    list_push(arena, &held, taped ? build_scratch(b, type_array(arena, t, rows)) : atom_none());
  }
  Outer o = outer_begin(v);
  Atom q = atom_var(o.fn->params.at[0]);
  for (int k = 0; k < n; k++) {
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    list_push(arena, &params, outer_param(v, &o, t, inits.at[k]));
  }
  for (int k = 0; k < n; k++)
    if (!atom_absent(held.at[k]))
      held.at[k] = hold(v, outer_array(v, &o, held.at[k]), q, params.at[k]);
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), atom_i64(0));
  places = hold(v, outer_array(v, &o, places), q, at);
  Atom len = build_op(b, OP_SUB, save->trips, at);
  Atom m = segment_length(b, len, build_op(b, OP_SUB, slots, q), len);
  results = advance(v, e, save, NULL, at, m, params);
  for (int k = 0; k < n; k++)
    if (!atom_absent(held.at[k])) list_push(arena, &results, held.at[k]);
  list_push(arena, &results, build_op(b, OP_ADD, at, m));
  list_push(arena, &results, places);
  Atoms out = outer_end(v, &o, slots, results);
  for (int k = 0; k < n; k++) rewrite_bind(&v->w, stm->bound.at[k], out.at[k]);
  int next = n;
  for (int k = 0; k < n; k++)
    if (!atom_absent(held.at[k])) save->tapes[k].tape = out.at[next++];
  save->checkpoint->slots = slots;
  save->checkpoint->places = out.at[next + 1];
}

// ---- the return loop
static Atom shelf_param(Vjp *v, Lambda *fn, Atoms *inits, Atom init) {
  Type t = type_fresh(atom_type(v->w.to.prog, init));
  t.unique = t.rank > 0;
  // Under a vector of directions the arrays belong to a scope outside the map.
  if (v->vector && v->level == 0 && t.rank) init = build_copy(vjp_builder(v), init);
  Var p = var_new(v->w.to.prog, "held", t);
  list_push(vjp_arena(v), &fn->params, p);
  list_push(vjp_arena(v), inits, init);
  return atom_var(p);
}

static bool is_held(const LoopSave *save, int k) { return save->tapes[k].class == CLASS_TAPED; }

void shelf_params(Vjp *v, Shelf *shelf, const LoopSave *save, const struct loop_form *e,
                  Lambda *fn, Atoms *inits) {
  for (int k = 0; k < e->inits.len; k++)
    list_push(vjp_arena(v), &shelf->states,
              is_held(save, k) ? shelf_param(v, fn, inits, save->tapes[k].tape) : atom_none());
  shelf->places = shelf_param(v, fn, inits, save->checkpoint->places);
  shelf->count = shelf_param(v, fn, inits, save->checkpoint->slots);
}

Atom shelf_top(Vjp *v, const Shelf *shelf) {
  return build_op(vjp_builder(v), OP_SUB, shelf->count, atom_i64(1));
}

//   gap = i - places[count-1];  q = min(s - count + 1, gap)
//   loop (held, places, at) for j < q
//     m = split(i - at + 1, q - j), i - at in the last;  at + m
//     held[count+j] = loop p = copy held[count+j-1] for k < m { r at at + k }
//   count + q
void shelf_fill(Vjp *v, Shelf *shelf, const struct loop_form *e, const LoopSave *save, Atom i) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom start = build_index(b, shelf->places, atoms1(arena, shelf_top(v, shelf)));
  Atom room = build_op(b, OP_ADD, build_op(b, OP_SUB, save->checkpoint->slots, shelf->count),
                       atom_i64(1));
  Atom q = build_op(b, OP_MIN, room, build_op(b, OP_SUB, i, start));
  Outer o = outer_begin(v);
  Atoms held = {0}, values = {0}, results = {0};
  for (int k = 0; k < e->inits.len; k++)
    if (is_held(save, k)) list_push(arena, &held, outer_array(v, &o, shelf->states.at[k]));
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), start);
  Atom places = outer_array(v, &o, shelf->places), j = atom_var(o.fn->params.at[0]);
  Atom row = build_op(b, OP_ADD, shelf->count, j), gap = build_op(b, OP_SUB, i, at);
  Atom before = build_op(b, OP_SUB, row, atom_i64(1));
  Atom m = segment_length(b, build_op(b, OP_ADD, gap, atom_i64(1)), build_op(b, OP_SUB, q, j), gap);
  for (int k = 0; k < held.len; k++) {
    Atom x = build_index(b, held.at[k], atoms1(arena, before));
    bool array = atom_type(b->prog, x).rank > 0;
    list_push(arena, &values, array ? build_copy(b, x) : x);
  }
  Atoms next = advance(v, e, save, &save->checkpoint->slice, at, m, values);
  for (int k = 0; k < held.len; k++)
    list_push(arena, &results, hold(v, held.at[k], row, next.at[k]));
  at = build_op(b, OP_ADD, at, m);
  list_push(arena, &results, at);
  list_push(arena, &results, hold(v, places, row, at));
  Atoms out = outer_end(v, &o, q, results);
  for (int k = 0, from = 0; k < e->inits.len; k++)
    if (is_held(save, k)) shelf->states.at[k] = out.at[from++];
  shelf->places = out.at[out.len - 1];
  shelf->count = build_op(vjp_builder(v), OP_ADD, shelf->count, q);
}

void shelf_results(Vjp *v, const Shelf *shelf, Atoms *out) {
  for (int k = 0; k < shelf->states.len; k++)
    if (!atom_absent(shelf->states.at[k])) list_push(vjp_arena(v), out, shelf->states.at[k]);
  list_push(vjp_arena(v), out, shelf->places);
  list_push(vjp_arena(v), out, shelf_top(v, shelf));
}
