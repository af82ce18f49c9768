// Loops whose derivative may hold s states instead of all l: binomial checkpointing.  A state is
// the values of the taped parameters at the start of an iteration; all classes but invariant and
// affine count as taped here.  Which states are held follows the schedule that needs the fewest
// forward executions (Griewank and Walther's):
//
//   forward   from a, which is held, to l; on the way the state of iteration `landing` is held
//   return    for i = l-1 .. 0: from the last state held to that of i, on the way as before; that is
//             dropped if it is the state of i.  Then the return code of iteration i.
//
// With C binomials and r the least with C(s+r, s) >= l, an iteration is executed at most r + 1
// times.  The next of s states, the last one held among them, starts after split(l, s) of l iterations,
//
//   split(l, s) = min(C(s+r-1, s), l - C(s+r-2, s-1), l-s+1)
//
// With s = l everything is held and nothing is executed again: one code serves both.  Where scalars
// stand for parameters (store.c) the schedule is one of blocks of iterations, in rows of states.
//
// How many states: what the loop's attributes say, at run time (budget.c).
#include "pushed.h"

struct Checkpoint {
  Atom slots, places;  // s, without a store s-1; the iterations, or blocks, at which states held start
  Atom count;          // of the states held, when the return loop starts; without a store rows free
  Atom block, blocks;  // with a store: iterations between two states; how many blocks of these
  VarSet slice;        // what the next state depends on within an iteration
  bool late;           // there is no forward sweep but the return loop's first advance
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
      varset_add_all(&set, frees_of_exp(v->needs.frees, &stm->exp));
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

// Loops marked only because the run has a limit keep cheap tapes: scalars, undone updates. Strip-mined
// ones that undo updates hold states where they tape arrays besides.
static bool worth_it(const Prog *prog, const Attrs *a, bool undone, bool arrays) {
  if (a->checkpoint || a->memory_limit) return true;
  if (a->memory_share) return arrays && !undone;
  return a->stripmine > 1 && prog_may(prog, SWITCH_STRIPMINE) && (arrays || !undone);
}

bool checkpoint_applies(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  bool arrays = false, undone = false, taped = false;
  for (int k = 0; k < e->inits.len; k++) {
    Class class = save->tapes[k].class;
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (t.is_acc || varies_in_size(e->fn, t)) return false;
    if (class == CLASS_OBJECT) undone = true;
    if (class == CLASS_TAPED && t.rank) arrays = true;
    if (class == CLASS_TAPED || class == CLASS_OBJECT) taped = true;
  }
  if (!taped || !worth_it(v->w.from, &stm->attrs, undone, arrays)) return false;
  if (!prog_may(v->w.from, SWITCH_BOUNDS)) return false;
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == CLASS_OBJECT) save->tapes[k].class = CLASS_TAPED;
  save->checkpoint = NEW(vjp_arena(v), Checkpoint);
  save->checkpoint->slice = state_slice(v, e, save);
  return true;
}

// ---- the schedule
// How many blocks to the next state held, with so many slots from here (1 <= slots <= len); `last`
// where there is no other slot.
static Atom segment_length(Builder *b, Atom len, Atom slots, Atom last) {
  return build_op3(b, OP_SEGMENT, len, slots, last);
}

// ---- blocks of iterations
// Where scalars stand for parameters (store.c), the schedule is one of blocks of g iterations each,
// the first, which is executed most often, perhaps shorter.  Return code of a block starts with taping
// its scalars.
static Atom block_start(Vjp *v, const LoopSave *save, Atom q) {
  return build_op3(vjp_builder(v), OP_BLOCK_START, q, save->checkpoint->block, save->trips);
}

Atom checkpoint_blocks(const LoopSave *save) { return save->checkpoint->blocks; }

void checkpoint_block(Vjp *v, const LoopSave *save, Atom b, Atom *first, Atom *count) {
  Builder *to = vjp_builder(v);
  *first = block_start(v, save, b);
  Atom next = block_start(v, save, build_op(to, OP_ADD, b, atom_i64(1)));
  *count = build_op(to, OP_SUB, next, *first);
}

// ---- advancing
// The source's parameters while iterations are executed again: those held by their value, others
// (of the first sweep) by what the loop carries, steady ones by their formula.
static bool is_held(const LoopSave *save, int k) { return save->tapes[k].class == CLASS_TAPED; }

static bool is_carried(const LoopSave *save, const VarSet *slice, int k) {
  return is_held(save, k) || !slice;
}

// Results that are views of something become arrays of their own.
static Atom own_result(Vjp *v, const struct loop_form *e, int k) {
  Atom source = e->fn->body.results.at[k], result = now(v, source);
  if (!result.is_var || var_type(v->w.to.prog, result.var).rank == 0) return result;
  for (int i = 0; source.is_var && i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    for (int j = 0; j < stm->bound.len; j++)
      if (atom_is_var(source, stm->bound.at[j]) && !form_shares_memory(stm->exp.form) &&
          stm->exp.form != FORM_ATOM)
        return result;
  }
  return build_copy(vjp_builder(v), result);
}

static Atom hold(Vjp *v, Atom rows, Atom at, Atom value) {
  return build_update(vjp_builder(v), rows, atoms1(vjp_arena(v), at), value);
}

// Where the scalars of an iteration go: a row of the tapes, as soon as they are made, so that they are
// made there.
typedef struct {
  Atom row;
  Atoms tapes;
} Row;

static void hold_made(Vjp *v, const LoopStore *store, Vars bound, Row *to) {
  for (int i = 0; i < to->tapes.len; i++)
    for (int k = 0; k < bound.len; k++)
      if (bound.at[k].id == store->made.at[i].id)
        to->tapes.at[i] = hold(v, to->tapes.at[i], to->row, now(v, atom_var(store->made.at[i])));
}

// Iteration i from these values; with a slice, only what it holds is computed.
static Atoms step(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                  Atom i, Atoms values, Row *to) {
  Atoms out = {0};
  loop_steady(v, e, save, i);
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!is_carried(save, slice, k)) continue;
    rewrite_bind(&v->w, e->fn->params.at[1 + k], values.at[at++]);
  }
  if (save->store) hold_made(v, save->store, e->fn->params, to);
  for (int k = 0; k < e->fn->body.stms.len; k++) {
    const Stm *stm = &e->fn->body.stms.at[k];
    if (slice && !depends(slice, stm)) continue;
    vjp_copy(v, stm);
    if (save->store) hold_made(v, save->store, stm->bound, to);
  }
  for (int k = 0; k < e->inits.len; k++)
    if (is_carried(save, slice, k)) list_push(vjp_arena(v), &out, own_result(v, e, k));
  return out;
}

typedef struct {
  Lambda *fn;
  Builder outer;
  Atoms inits;
} Outer;

static Outer outer_begin(Vjp *v) {
  Outer o = {.fn = NEW(vjp_arena(v), Lambda), .outer = v->w.to};
  v->w.to.stms = &o.fn->body.stms;
  list_push(vjp_arena(v), &o.fn->params, var_new(v->w.to.prog, "q", type_scalar(PRIM_I64)));
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

static Atoms outer_arrays(Vjp *v, Outer *o, Atoms inits) {
  Atoms out = {0};
  for (int k = 0; k < inits.len; k++) list_push(vjp_arena(v), &out, outer_array(v, o, inits.at[k]));
  return out;
}

// One parameter per value that is carried: rows of the held, or the value itself.
static Atoms outer_values(Vjp *v, Outer *o, const struct loop_form *e, const LoopSave *save,
                          const VarSet *slice, Atoms inits) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!is_carried(save, slice, k)) continue;
    Atom init = inits.at[at++];
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    list_push(vjp_arena(v), &out,
              is_held(save, k) ? outer_array(v, o, init) : outer_param(v, o, t, init));
  }
  return out;
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

// Where a block's state is.  The first state, in row 0, is not held: return code never reads it, and
// iterations executed again read it where the loop has it from.
static Atom row_place(Vjp *v, Atom row) {
  Builder *b = vjp_builder(v);
  return build_op(b, OP_MAX, build_op(b, OP_SUB, row, atom_i64(1)), atom_i64(0));
}

static Atom is_first(Vjp *v, Atom row) {
  return build_op(vjp_builder(v), OP_EQ, row, atom_i64(0));
}

// The values at this place of the held, others as they are.
static Atoms row_values(Vjp *v, const struct loop_form *e, const LoopSave *save,
                        const VarSet *slice, Atoms held, Atom place) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!is_carried(save, slice, k)) continue;
    Atom value = held.at[at++];
    if (is_held(save, k)) value = build_index(vjp_builder(v), value, atoms1(vjp_arena(v), place));
    list_push(vjp_arena(v), &out, value);
  }
  return out;
}

// ---- advancing
// From the state in row `from` to that of `count` iterations later in row `above`, two iterations
// at a time, so that one state between is all it takes.  With a store the scalars of iteration
// first + k go to row k of the tapes or, on the way to a block, all to row 0, where nothing is
// wanted then: the body is written for both at once.
typedef struct {
  struct loop_form e;       // as it runs: with a store, its maps return the scalars
  const LoopSave *save;
  const VarSet *slice;      // of an iteration, what is wanted; NULL: all, in the first sweep
  Atom from, above;         // rows of the state it starts from, of others on the way, not 0
  Atom start, place;        // where these are, the first not if it is row 0
  Atom first, count;        // its iterations
  Atom taping;              // whether they are of a block
} Advance;

static Advance advance_new(Vjp *v, const struct loop_form *e, const LoopSave *save, bool again) {
  Advance a = {.e = *e, .save = save, .taping = atom_bool(false)};
  a.e.fn = save->store->forward;
  VarSet all = loop_inside(vjp_arena(v), a.e.fn);
  if (again) a.slice = arena_copy(vjp_arena(v), &all, sizeof all);
  return a;
}

// From one block to another.
static void advance_blocks(Vjp *v, Advance *a, Atom at, Atom end) {
  a->first = block_start(v, a->save, at);
  a->count = build_op(vjp_builder(v), OP_SUB, block_start(v, a->save, end), a->first);
}

static Atoms advance_step(Vjp *v, const Advance *a, Atom k, Atoms values, Atoms *tapes) {
  Builder *b = vjp_builder(v);
  Row to = {.row = build_select(b, a->taping, k, atom_i64(0)),
            .tapes = atoms_concat(vjp_arena(v), *tapes, (Atoms){0})};
  Atoms out = step(v, &a->e, a->save, a->slice, build_op(b, OP_ADD, a->first, k), values, &to);
  *tapes = to.tapes;
  return out;
}

// Of values carried: those of a state, or the others.
static Atoms mixed(Vjp *v, const Advance *a, Atoms states, Atoms others) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!is_carried(a->save, a->slice, k)) continue;
    list_push(vjp_arena(v), &out, is_held(a->save, k) ? states.at[at] : others.at[at]);
    at++;
  }
  return out;
}

static Atoms hold_all(Vjp *v, const Advance *a, Atoms held, Atoms values) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!is_carried(a->save, a->slice, k)) continue;
    bool state = is_held(a->save, k);
    list_push(vjp_arena(v), &out,
              state ? hold(v, held.at[at], a->place, values.at[at]) : values.at[at]);
    at++;
  }
  return out;
}

// held[above] <- y if this is 1 and not 0
static Atoms hold_if(Vjp *v, const Advance *a, Atom trips, Atoms held, Atoms y) {
  Outer o = outer_begin(v);
  Atoms rows = outer_values(v, &o, &a->e, a->save, a->slice, mixed(v, a, held, y));
  return outer_end(v, &o, trips, hold_all(v, a, rows, mixed(v, a, y, rows)));
}

// held[above] <- the first state, which is not held, where iterations start from it
static Atoms hold_first(Vjp *v, const Advance *a, Atoms held) {
  Builder *b = vjp_builder(v);
  Atom any = build_op(b, OP_OR, a->taping, build_op(b, OP_LT, atom_i64(0), a->count));
  Atom first = build_op(b, OP_AND, is_first(v, a->from), any);
  Atoms inits = {0};
  for (int k = 0, at = 0; k < a->e.inits.len; k++) {
    if (!is_carried(a->save, a->slice, k)) continue;
    bool state = is_held(a->save, k);
    list_push(vjp_arena(v), &inits, state ? now(v, a->e.inits.at[k]) : held.at[at]);
    at++;
  }
  return hold_if(v, a, build_conv(b, PRIM_I64, first), held, inits);
}

// Of a block that is taped again the last iteration is wanted for its scalars only.
static bool ends_taping(const Advance *a) { return a->slice != NULL; }

//   loop tapes for _ < (taping ? 1 : 0)
//     x = held[whole = 0 ? from : above];  tapes[count-1] <- r (first+count-1) x
// where so many iterations have gone before; what else r computes is dead.
static Atoms tape_last(Vjp *v, const Advance *a, Atom whole, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  Advance last = *a;
  last.taping = atom_bool(true);
  Atom start = build_op(b, OP_EQ, whole, atom_i64(0));
  start = build_op(b, OP_AND, start, build_op1(b, OP_NOT, is_first(v, a->from)));
  Atom place = build_select(b, start, a->start, a->place);
  Atom once = build_conv(b, PRIM_I64, a->taping);
  Outer o = outer_begin(v);
  tapes = outer_arrays(v, &o, tapes);
  Atoms x = row_values(v, &a->e, a->save, a->slice, held, place);
  advance_step(v, &last, build_op(b, OP_SUB, a->count, atom_i64(1)), x, &tapes);
  tapes = outer_end(v, &o, once, tapes);
  return atoms_concat(vjp_arena(v), held, tapes);
}

//   loop (held, tapes) for j < (whole + 1) / 2
//     i = first + 2j;  x = held[j = 0 ? from : above];  y, tapes[2j] <- r i x
//     loop (held, tapes) for _ < (2j + 1 < whole ? 1 : 0)
//       held[above], tapes[2j+1] <- r (i+1) y
// Where that many are odd, held[above] <- y in the end.
static Atoms advance_pairs(Vjp *v, const Advance *a, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  Atom one = atom_i64(1), zero = atom_i64(0), whole = a->count;
  if (ends_taping(a)) whole = build_op(b, OP_SUB, whole, build_conv(b, PRIM_I64, a->taping));
  Atom pairs = build_op(b, OP_SHR, build_op(b, OP_ADD, whole, one), one);
  Atom not_first = build_op1(b, OP_NOT, is_first(v, a->from));
  held = hold_first(v, a, held);
  Outer o = outer_begin(v);
  Atom j = atom_var(o.fn->params.at[0]), at = build_op(b, OP_MUL, j, atom_i64(2));
  Atom next = build_op(b, OP_ADD, at, one);
  held = outer_values(v, &o, &a->e, a->save, a->slice, held);
  tapes = outer_arrays(v, &o, tapes);
  Atom start = build_op(b, OP_AND, build_op(b, OP_EQ, j, zero), not_first);
  Atom place = build_select(b, start, a->start, a->place);
  Atoms x = row_values(v, &a->e, a->save, a->slice, held, place);
  Atoms y = advance_step(v, a, at, x, &tapes);
  Atom again = build_op(b, OP_LT, next, whole);
  Atom last = build_conv(b, PRIM_I64, build_op1(b, OP_NOT, again));
  again = build_conv(b, PRIM_I64, again);
  held = hold_if(v, a, last, held, y);
  Outer second = outer_begin(v);
  held = outer_values(v, &second, &a->e, a->save, a->slice, held);
  tapes = outer_arrays(v, &second, tapes);
  Atoms z = advance_step(v, a, next, mixed(v, a, y, held), &tapes);
  Atoms results = atoms_concat(vjp_arena(v), hold_all(v, a, held, z), tapes);
  Atoms out = outer_end(v, &o, pairs, outer_end(v, &second, again, results));
  if (!ends_taping(a)) return out;
  held = atoms_slice(out, 0, out.len - tapes.len);
  return tape_last(v, a, whole, held, atoms_slice(out, held.len, tapes.len));
}

// (held.., tapes..)
static Atoms advance(Vjp *v, Advance *a, Atoms held, Atoms tapes) {
  Builder *b = vjp_builder(v);
  a->start = build_op(b, OP_SUB, a->from, atom_i64(1));
  a->place = build_op(b, OP_SUB, a->above, atom_i64(1));
  return advance_pairs(v, a, held, tapes);
}

// ---- states
// What the loops over states carry: the state at hand (as the source's loop does), those held, in the
// rows from `free` on, the last in front, the iterations at which they start, and the iteration at which
// the next one to be held starts.
typedef struct {
  Atoms values, held;
  Atom places, free, next;
} Walk;

static Atoms hold_row(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                      Atoms held, Atom row, Atoms values) {
  Atoms out = {0};
  for (int k = 0, at = 0, from = 0; k < e->inits.len; k++) {
    if (!is_carried(save, slice, k)) continue;
    Atom value = values.at[from++];
    if (is_held(save, k)) list_push(vjp_arena(v), &out, hold(v, held.at[at++], row, value));
  }
  return out;
}

//   if k is next:  free - 1;  held[free] = x;  places[free] = k;  next = landing(k, end, free)
static void walk_hold(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                      Walk *w, Atom k, Atom end) {
  Arena *arena = vjp_arena(v);
  Builder *b = vjp_builder(v), outer = *b;
  Atom hit = build_op(b, OP_EQ, k, w->next);
  Atoms before = atoms_concat(arena, w->held, atoms3(arena, w->places, w->free, w->next));
  PickBuilder p = pick_begin(b, hit);
  v->w.to.stms = p.then.stms;
  Atom free = build_op(b, OP_SUB, w->free, atom_i64(1));
  Atoms after = hold_row(v, e, save, slice, w->held, free, w->values);
  list_push(arena, &after, hold(v, w->places, free, k));
  list_push(arena, &after, free);
  list_push(arena, &after, build_op3(b, OP_LANDING, k, end, free));
  v->w.to = outer;
  Atoms out = pick_end_all(&p, after, before);
  int n = w->held.len;
  w->held = atoms_slice(out, 0, n);
  w->places = out.at[n], w->free = out.at[n + 1], w->next = out.at[n + 2];
}

static Atoms walk_params(Vjp *v, Outer *o, const struct loop_form *e, const LoopSave *save,
                         const VarSet *slice, Atoms inits) {
  Atoms out = {0};
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (!is_carried(save, slice, k)) continue;
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    list_push(vjp_arena(v), &out, outer_param(v, o, t, inits.at[at++]));
  }
  return out;
}

//   next = landing(at, end, free)
//   loop (x, held, places, free, next) for count iterations from k = at on
//     held[free - 1] = x if k is next;  x = r k x
static void walk(Vjp *v, const struct loop_form *e, const LoopSave *save, const VarSet *slice,
                 Walk *w, Atom at, Atom end, Atom count) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Type i64 = type_scalar(PRIM_I64);
  Row none = {0};
  int n = w->values.len, m = w->held.len;
  Atom first = build_op3(b, OP_LANDING, at, end, w->free);
  Outer o = outer_begin(v);
  Walk in = {.values = walk_params(v, &o, e, save, slice, w->values)};
  in.held = outer_arrays(v, &o, w->held);
  in.places = outer_array(v, &o, w->places);
  in.free = outer_param(v, &o, i64, w->free);
  in.next = outer_param(v, &o, i64, first);
  Atom k = build_op(b, OP_ADD, at, atom_var(o.fn->params.at[0]));
  walk_hold(v, e, save, slice, &in, k, end);
  in.values = step(v, e, save, slice, k, in.values, &none);
  Atoms results = atoms_concat(arena, in.values, in.held);
  list_push(arena, &results, in.places);
  list_push(arena, &results, in.free);
  list_push(arena, &results, in.next);
  Atoms out = outer_end(v, &o, count, results);
  *w = (Walk){atoms_slice(out, 0, n), atoms_slice(out, n, m), out.at[n + m], out.at[n + m + 1],
              out.at[n + m + 2]};
}

// What a result is called that nobody wants.
static void forward_nothing(Vjp *v, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = now_type(v, stm->bound.at[k]);
    Builder *b = vjp_builder(v);
    rewrite_bind(&v->w, stm->bound.at[k], t.rank ? build_scratch(b, t) : build_zero(b, t));
  }
}

static Atom forward_init(Vjp *v, const struct loop_form *e, const LoopSave *save, int k) {
  Atom init = now(v, e->inits.at[k]);
  bool kept = is_held(save, k) || varset_has_atom(&v->keep, e->inits.at[k]);
  bool unique = var_type(v->w.from, e->fn->params.at[1 + k]).unique;
  return unique && kept ? build_copy(vjp_builder(v), init) : init;
}

//   held, places = scratch of s-1 rows
//   y, held, places, free = from a on for l iterations
static void forward_states(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Checkpoint *c = save->checkpoint;
  Builder *b = vjp_builder(v);
  Atom zero = atom_i64(0);
  c->slots = checkpoint_rows(v, stm, save);
  Walk w = {.free = c->slots};
  w.places = build_scratch(b, type_array(vjp_arena(v), type_scalar(PRIM_I64), w.free));
  for (int k = 0; k < e->inits.len; k++) {
    Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
    Type rows = type_array(vjp_arena(v), type_fresh(t), w.free);
    if (is_held(save, k)) list_push(vjp_arena(v), &w.held, build_scratch(b, rows));
    if (!c->late) list_push(vjp_arena(v), &w.values, forward_init(v, e, save, k));
  }
  if (c->late) forward_nothing(v, stm);
  else walk(v, e, save, NULL, &w, zero, save->trips, save->trips);
  for (int k = 0, at = 0; k < e->inits.len; k++) {
    if (is_held(save, k)) save->tapes[k].tape = w.held.at[at++];
    if (!c->late) rewrite_bind(&v->w, stm->bound.at[k], w.values.at[k]);
  }
  c->places = w.places;
  c->count = w.free;
}

// ---- the forward loop over blocks
static Atom carried_init(Vjp *v, const struct loop_form *e, const LoopSave *save, int k,
                         Atom rows) {
  Builder *b = vjp_builder(v);
  Atom init = now(v, e->inits.at[k]);
  Type t = rewrite_type(&v->w, var_type(v->w.from, e->fn->params.at[1 + k]));
  bool kept = varset_has_atom(&v->keep, e->inits.at[k]);
  if (!is_held(save, k)) return t.unique && kept ? build_copy(b, init) : init;
  return build_scratch(b, type_array(vjp_arena(v), type_fresh(t), rows));
}

// Segment q of the forward loop, from block `at`, in row `row`, to block `end`; the one after the last slot
// is the last block, which is taped.
static Advance forward_segment(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom q,
                               Atom at, Atom row, Atom *end) {
  Builder *b = vjp_builder(v);
  Atom slots = save->checkpoint->slots, one = atom_i64(1);
  Atom left = build_op(b, OP_SUB, save->checkpoint->blocks, at);
  Advance a = advance_new(v, e, save, false);
  a.from = row;
  a.taping = build_op(b, OP_LE, slots, q);
  a.above = build_op(b, OP_MAX, build_op(b, OP_MIN, build_op(b, OP_ADD, q, one), slots), one);
  Atom len = segment_length(b, left, build_op(b, OP_SUB, slots, q), build_op(b, OP_SUB, left, one));
  *end = build_op(b, OP_ADD, at, build_select(b, a.taping, left, len));
  advance_blocks(v, &a, at, *end);
  return a;
}

// The last state that the forward loop came to.
static void forward_result(Vjp *v, LoopSave *save, int k, Var bound, Atom value) {
  Builder *b = vjp_builder(v);
  if (is_held(save, k)) {
    save->tapes[k].tape = value;
    Atom place = row_place(v, save->checkpoint->slots);
    value = build_index(b, value, atoms1(vjp_arena(v), place));
    if (atom_type(b->prog, value).rank) value = build_copy(b, value);
  }
  rewrite_bind(&v->w, bound, value);
}

// Only the first state is there.
static void forward_late(Vjp *v, const Stm *stm, LoopSave *save, Atoms held, Atoms tapes,
                         Atom places) {
  for (int k = 0; k < held.len; k++)
    if (is_held(save, k)) save->tapes[k].tape = held.at[k];
  save->checkpoint->places = places;
  save->checkpoint->count = atom_i64(1);
  save->store->tapes = tapes;
  forward_nothing(v, stm);
}

//   places = scratch
//   loop (held, places, at = 0) for q <= s
//     places[q] = at;  m = split(blocks - at, s - q);  held[q+1] = m blocks from held[q]
//   y = held[s]
// The last block's state is in row s, or in the row before if there were no more blocks; it counts as
// held, so that the return loop finds nothing to do for it.
static void forward_blocks(Vjp *v, const Stm *stm, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Arena *arena = vjp_arena(v);
  Builder *b = vjp_builder(v);
  Checkpoint *c = save->checkpoint;
  int n = e->inits.len;
  Atom one = atom_i64(1), zero = atom_i64(0);
  Division d = checkpoint_divide(v, stm, save);
  c->block = d.block;
  Atom more = build_op(b, OP_ADD, save->trips, build_op(b, OP_SUB, d.block, one));
  c->blocks = build_quot(b, more, d.block);
  Atom slots = build_op(b, OP_MIN, d.slots, c->blocks);
  c->slots = slots;
  Atom rows = build_op(b, OP_MAX, slots, one), segments = build_op(b, OP_ADD, slots, one);
  Atoms held = {0}, tapes = {0};
  Type starts = type_array(arena, type_scalar(PRIM_I64), atom_i64(MOST_SLOTS + 1));
  Atom places = build_scratch(b, starts);
  for (int k = 0; k < n; k++) list_push(arena, &held, carried_init(v, e, save, k, rows));
  tapes = stores_scratch(v, save->store, c->block);
  if (c->late) {
    forward_late(v, stm, save, held, tapes, hold(v, places, zero, zero));
    return;
  }
  Outer o = outer_begin(v);
  Atom q = atom_var(o.fn->params.at[0]);
  held = outer_values(v, &o, e, save, NULL, held);
  tapes = outer_arrays(v, &o, tapes);
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), zero);
  places = hold(v, outer_array(v, &o, places), q, at);
  Atom row = outer_param(v, &o, type_scalar(PRIM_I64), zero);
  Atom end;
  Advance a = forward_segment(v, e, save, q, at, row, &end);
  Atoms results = advance(v, &a, held, tapes);
  list_push(arena, &results, end);
  list_push(arena, &results, places);
  Atom on = build_op(b, OP_AND, build_op(b, OP_LT, zero, a.count), build_op1(b, OP_NOT, a.taping));
  list_push(arena, &results, build_select(b, on, build_op(b, OP_ADD, q, one), row));
  Atoms out = outer_end(v, &o, segments, results);
  c->places = out.at[n + tapes.len + 1];
  c->count = build_op(b, OP_ADD, out.at[out.len - 1], one);
  save->store->tapes = atoms_slice(out, n, tapes.len);
  for (int k = 0; k < n; k++) forward_result(v, save, k, stm->bound.at[k], out.at[k]);
}

void checkpoint_forward(Vjp *v, const Stm *stm, LoopSave *save) {
  save->checkpoint->late = loop_is_late(v, stm);
  if (save->store) forward_blocks(v, stm, save);
  else forward_states(v, stm, save);
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

void shelf_params(Vjp *v, Shelf *shelf, const LoopSave *save, const struct loop_form *e,
                  Lambda *fn, Atoms *inits) {
  for (int k = 0; k < e->inits.len; k++)
    list_push(vjp_arena(v), &shelf->states,
              is_held(save, k) ? shelf_param(v, fn, inits, save->tapes[k].tape) : atom_none());
  shelf->places = shelf_param(v, fn, inits, save->checkpoint->places);
  shelf->count = shelf_param(v, fn, inits, save->checkpoint->count);
  for (int k = 0; save->store && k < save->store->tapes.len; k++)
    list_push(vjp_arena(v), &shelf->tapes,
              shelf_param(v, fn, inits, save->store->tapes.at[k]));
}

static Atom shelf_top(Vjp *v, const Shelf *shelf) {
  return build_op(vjp_builder(v), OP_SUB, shelf->count, atom_i64(1));
}

static Atoms shelf_states(Vjp *v, const Shelf *shelf) {
  Atoms held = {0};
  for (int k = 0; k < shelf->states.len; k++)
    if (!atom_absent(shelf->states.at[k])) list_push(vjp_arena(v), &held, shelf->states.at[k]);
  return held;
}

// Sets what is held; how many they are.
static int shelf_set(Shelf *shelf, Atoms held) {
  int from = 0;
  for (int k = 0; k < shelf->states.len; k++)
    if (!atom_absent(shelf->states.at[k])) shelf->states.at[k] = held.at[from++];
  return from;
}

static Atom own(Builder *b, Atom x) {
  return atom_type(b->prog, x).rank ? build_copy(b, x) : x;
}

// The iteration at which the state held last starts, and what it is. The first is not held: it is where the
// loop has it from.
static Atoms last_held(Vjp *v, const Shelf *shelf, const struct loop_form *e, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atoms row = atoms1(vjp_arena(v), shelf->count), first = {0}, held = {0};
  PickBuilder p = pick_begin(b, build_op(b, OP_EQ, shelf->count, save->checkpoint->slots));
  list_push(vjp_arena(v), &first, atom_i64(0));
  list_push(vjp_arena(v), &held, build_index(&p.otherwise, shelf->places, row));
  for (int k = 0; k < e->inits.len; k++) {
    if (!is_held(save, k)) continue;
    Atom x = build_index(&p.otherwise, shelf->states.at[k], row);
    list_push(vjp_arena(v), &first, own(&p.then, now(v, e->inits.at[k])));
    list_push(vjp_arena(v), &held, own(&p.otherwise, x));
  }
  return pick_end_all(&p, first, held);
}

// The state of iteration i: from the one held last, which is dropped if it is that of i.
//
//   at, x = free = s-1 ? 0, a : places[free], held[free]
//   x, held, places, free = from at on for i - at iterations
//   free + 1 if i = at
static void fill_states(Vjp *v, Shelf *shelf, const struct loop_form *e, const LoopSave *save,
                        Atom i) {
  Builder *b = vjp_builder(v);
  Atoms last = last_held(v, shelf, e, save);
  Atom at = last.at[0], gap = build_op(b, OP_SUB, i, at);
  Walk w = {.held = shelf_states(v, shelf), .places = shelf->places, .free = shelf->count,
            .values = atoms_slice(last, 1, last.len - 1)};
  walk(v, e, save, &save->checkpoint->slice, &w, at, i, gap);
  shelf_set(shelf, w.held);
  shelf->places = w.places;
  shelf->count = build_op(b, OP_FREED, w.free, gap);
  for (int k = 0, from = 0; k < e->inits.len; k++)
    list_push(vjp_arena(v), &shelf->values, is_held(save, k) ? w.values.at[from++] : atom_none());
}

//   gap = to - places[count-1];  q = min(s - count + 1, gap)
//   loop (held, places, at) for j < q + 1
//     m = split(to - at + 1, q - j), gap in the last but one;  at + m
//     held[count+j] = m blocks of iterations from held[count+j-1]
//   count + q
// The last time it is block `to`, if it is not taped yet: the scalars of its iterations are; from the
// state held last, which goes on in row s, if all others are held.
static Advance return_segment(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom row,
                              Atom at, Atom left, Atom to, Atom taped, Atom *next) {
  Builder *b = vjp_builder(v);
  Atom gap = build_op(b, OP_SUB, to, at), one = atom_i64(1);
  Advance a = advance_new(v, e, save, true);
  a.from = build_op(b, OP_SUB, row, one);
  Atom len = segment_length(b, build_op(b, OP_ADD, gap, one), left, gap);
  Atom last = build_op(b, OP_LE, left, atom_i64(0));
  a.taping = build_op(b, OP_AND, last, build_op1(b, OP_NOT, taped));
  a.above = build_op(b, OP_MIN, row, save->checkpoint->slots);
  *next = build_op(b, OP_ADD, at, build_select(b, last, atom_i64(0), len));
  advance_blocks(v, &a, at, build_op(b, OP_ADD, *next, build_conv(b, PRIM_I64, a.taping)));
  return a;
}

static void fill_blocks(Vjp *v, Shelf *shelf, const struct loop_form *e, const LoopSave *save,
                        Atom to, Atom taped) {
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Atom slots = save->checkpoint->slots, one = atom_i64(1);
  Atom start = build_index(b, shelf->places, atoms1(arena, shelf_top(v, shelf)));
  Atom room = build_op(b, OP_ADD, build_op(b, OP_SUB, slots, shelf->count), one);
  Atom q = build_op(b, OP_MIN, room, build_op(b, OP_SUB, to, start));
  Atom segments = build_op(b, OP_ADD, q, one), next;
  Outer o = outer_begin(v);
  Atoms held = outer_values(v, &o, e, save, &save->checkpoint->slice, shelf_states(v, shelf));
  Atoms tapes = outer_arrays(v, &o, shelf->tapes);
  Atom at = outer_param(v, &o, type_scalar(PRIM_I64), start);
  Atom places = outer_array(v, &o, shelf->places), j = atom_var(o.fn->params.at[0]);
  Atom row = build_op(b, OP_ADD, shelf->count, j);
  Advance a = return_segment(v, e, save, row, at, build_op(b, OP_SUB, q, j), to, taped, &next);
  Atoms results = advance(v, &a, held, tapes);
  list_push(arena, &results, next);
  list_push(arena, &results, hold(v, places, a.above, next));
  Atoms out = outer_end(v, &o, segments, results);
  shelf->tapes = atoms_slice(out, shelf_set(shelf, out), tapes.len);
  shelf->places = out.at[out.len - 1];
  shelf->count = build_op(b, OP_ADD, shelf->count, q);
}

void shelf_fill(Vjp *v, Shelf *shelf, const struct loop_form *e, const LoopSave *save, Atom to,
                Atom j) {
  Builder *b = vjp_builder(v);
  Atom taped = atom_bool(false);
  if (save->store && !save->checkpoint->late) taped = build_op(b, OP_EQ, j, atom_i64(0));
  if (save->store) fill_blocks(v, shelf, e, save, to, taped);
  else fill_states(v, shelf, e, save, to);
}

void shelf_results(Vjp *v, const Shelf *shelf, const LoopSave *save, Atoms *out) {
  *out = atoms_concat(vjp_arena(v), *out, shelf_states(v, shelf));
  list_push(vjp_arena(v), out, shelf->places);
  list_push(vjp_arena(v), out, save->store ? shelf_top(v, shelf) : shelf->count);
  for (int k = 0; k < shelf->tapes.len; k++) list_push(vjp_arena(v), out, shelf->tapes.at[k]);
}
