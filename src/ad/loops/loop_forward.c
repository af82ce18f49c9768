// Reverse mode of for-loops, forward sweep.  Parameters whose value adjoint code needs are taped:
//   dead       not needed: nothing
//   invariant  its own result: the initial value serves
//   affine     itself plus an invariant integer: initial value plus trip number times that
//   taped      T = T with [i] <- p in forward sweep, p = T[i] in iteration i of the return loop
//   object     updated in place: undo_log.c
//   flat       taped, of a size that varies: one buffer for all iterations and where each starts.
//              The buffer's size is found by running the loop once before.
// With a bound on memory (checkpoint.c) some values are kept instead of a tape of all.
#include "loop_memory.h"

// ---- what to tape
static bool is_param(const Lambda *fn, Atom a) {
  for (int k = 0; a.is_var && k < fn->params.len; k++)
    if (atom_is_var(a, fn->params.at[k])) return true;
  return false;
}

bool varies_in_size(const Lambda *fn, Type t) {
  for (int k = 0; k < t.rank; k++)
    if (is_param(fn, t.dims[k])) return true;
  return false;
}

VarSet loop_tbr(Vjp *v, const Lambda *fn) {
  VarSet need = varset_new(vjp_arena(v));
  for (int k = 0; k < fn->params.len; k++) {
    Type t = var_type(v->w.from, fn->params.at[k]);
    if (!varset_has(&v->active, fn->params.at[k])) continue;
    for (int d = 0; d < t.rank; d++) varset_add_atom(&need, t.dims[d]);
  }
  VarSet restore = varset_new(vjp_arena(v));
  tbr_body(&v->tbr, &v->active, v->reload, &need, &restore, &fn->body);
  for (int k = 0; k < fn->params.len; k++) {
    Type t = var_type(v->w.from, fn->params.at[k]);
    if (!varset_has(&need, fn->params.at[k])) continue;
    for (int d = 0; d < t.rank; d++) varset_add_atom(&need, t.dims[d]);
  }
  return need;
}

// r = p + c, c an integer that the loop does not change
static bool is_affine(const Lambda *fn, const VarSet *inside, int k, Atom *step) {
  Var p = fn->params.at[1 + k];
  Atom r = fn->body.results.at[k];
  for (int i = 0; r.is_var && i < fn->body.stms.len; i++) {
    const Stm *stm = &fn->body.stms.at[i];
    const struct prim_form *e = &stm->exp.prim;
    if (stm->exp.form != FORM_PRIM || !atom_is_var(r, stm->bound.at[0])) continue;
    if (e->op != OP_ADD || prim_is_float(e->prim) || e->prim == PRIM_BOOL) return false;
    bool first = atom_is_var(e->args.at[0], p);
    *step = e->args.at[first];
    return (first || atom_is_var(e->args.at[1], p)) && !varset_has_atom(inside, *step);
  }
  return false;
}

VarSet loop_inside(Arena *arena, const Lambda *fn) {
  VarSet inside = varset_new(arena);
  varset_add_all(&inside, fn->params);
  for (int i = 0; i < fn->body.stms.len; i++)
    varset_add_all(&inside, fn->body.stms.at[i].bound);
  return inside;
}

static bool may_undo(const Vjp *v, const struct loop_form *e, int k) {
  Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
  return t.unique && t.rank && !varies_in_size(e->fn, t) && prog_may(v->w.from, SWITCH_UNDO);
}

// Whether the loop consumes what adjoint code of an outer iteration needs: undoing its updates
// costs what they do, a copy in every iteration could cost more.
static bool restores(Vjp *v, const struct loop_form *e, int k) {
  return v->level > 0 && may_undo(v, e, k) && prog_may(v->w.from, SWITCH_TRIPS) &&
         varset_has_atom(&v->restore, e->inits.at[k]) && chain_find(v->w.from, vjp_arena(v), e, k);
}

LoopSave *loop_tape_kinds(Vjp *v, const struct loop_form *e) {
  LoopSave *save = NEW(vjp_arena(v), LoopSave);
  VarSet need = loop_tbr(v, e->fn), inside = loop_inside(vjp_arena(v), e->fn);
  save->tapes = NEW_ARRAY(vjp_arena(v), Tape, e->inits.len + 1);
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[1 + k];
    Type t = var_type(v->w.from, p);
    TapeKind class = TAPE_ROWS;
    bool needed = varset_has(&need, p) || restores(v, e, k);
    if (t.is_acc || !needed) class = TAPE_NONE;
    else if (atom_is_var(e->fn->body.results.at[k], p) && !may_undo(v, e, k) &&
             prog_may(v->w.from, SWITCH_INVARIANTS))
      class = TAPE_INVARIANT;
    else if (is_affine(e->fn, &inside, k, &save->tapes[k].step) &&
             prog_may(v->w.from, SWITCH_AFFINE))
      class = TAPE_AFFINE;
    else if (varies_in_size(e->fn, t))
      class = loop_grows(v->w.from, e->fn, k) && prog_may(v->w.from, SWITCH_GROWS) ? CLASS_GROWS
                                                                                  : TAPE_RAGGED;
    else if ((save->tapes[k].chain = chain_find(v->w.from, vjp_arena(v), e, k)) &&
             prog_may(v->w.from, SWITCH_UNDO))
      class = TAPE_UNDO;
    save->tapes[k].class = class;
  }
  return save;
}

// ---- the forward loop
Var extra_param(Vjp *v, ExtraParams *x, Atom init) {
  Type t = type_fresh(atom_type(v->w.to.prog, init));
  t.unique = t.rank > 0;
  Var p = var_new(v->w.to.prog, "tape", t);
  list_push(vjp_arena(v), &x->params, p);
  list_push(vjp_arena(v), &x->inits, init);
  return p;
}

Atom element_count(Builder *b, Type t) {
  Atom size = atom_i64(1);
  for (int k = 0; k < t.rank; k++) size = build_op(b, OP_MUL, size, t.dims[k]);
  return size;
}

Lambda *loop_lambda(Vjp *v, const struct loop_form *e, Stms **saved) {
  Lambda *fn = NEW(vjp_arena(v), Lambda);
  for (int k = 0; k < e->fn->params.len; k++)
    if (!acc_is_erased(v, var_type(v->w.from, e->fn->params.at[k])))
      list_push(vjp_arena(v), &fn->params, rewrite_var(&v->w, e->fn->params.at[k]));
  *saved = v->w.to.stms;
  v->w.to.stms = &fn->body.stms;
  return fn;
}

// Emits the rest of the loop: its body, the extra parameters.  Returns the extra bound variables.
Vars loop_emit(Vjp *v, const Stm *stm, Lambda *fn, Stms *saved, ExtraParams *x, Atoms inits,
               UndoLogs *ps) {
  const struct loop_form *e = &stm->exp.loop;
  Arena *arena = vjp_arena(v);
  log_stms(v, ps, e->fn->body.stms);
  logs_end(v, ps, x);
  for (int k = 0; k < x->deferred.len; k++)
    list_push(arena, &x->results, build_update(vjp_builder(v), x->deferred_tapes.at[k],
                                               atoms1(arena, x->deferred_row),
                                               primal_of(v, atom_var(x->deferred.at[k]))));
  for (int k = 0; k < e->inits.len; k++) {
    if (acc_is_erased(v, e->fn->rets.at[k])) continue;
    list_push(arena, &fn->body.results, primal_of(v, e->fn->body.results.at[k]));
    list_push(arena, &fn->rets, rewrite_type(&v->w, e->fn->rets.at[k]));
  }
  fn->body.results = atoms_concat(arena, fn->body.results, x->results);
  Atom next = x->count ? build_op(vjp_builder(v), OP_ADD, atom_var(fn->params.at[0]), atom_i64(1))
                       : atom_none();
  v->w.to.stms = saved;
  Stm out = {.exp = stm->exp, .attrs = stm->attrs, .loc = v->w.to.loc};
  for (int k = 0; k < x->params.len; k++) {
    list_push(arena, &fn->params, x->params.at[k]);
    list_push(arena, &fn->rets, var_type(v->w.to.prog, x->params.at[k]));
  }
  if (!x->count) out.exp.loop.bound = primal_of(v, e->bound);
  out.exp.loop.fn = fn;
  out.exp.loop.inits = atoms_concat(arena, inits, x->inits);
  for (int k = 0; k < stm->bound.len; k++)
    if (!acc_is_erased(v, e->fn->rets.at[k]))
      list_push(arena, &out.bound, rewrite_var(&v->w, stm->bound.at[k]));
  for (int k = 0; k < x->params.len; k++)
    list_push(arena, &out.bound,
              var_new(v->w.to.prog, "tape",
                      type_fresh(var_type(v->w.to.prog, x->params.at[k]))));
  Vars extra = {0};
  for (int k = out.bound.len - x->params.len; k < out.bound.len; k++)
    list_push(arena, &extra, out.bound.at[k]);
  if (x->count) trips_counted(v, x->count, &out, next);
  build_stm(&v->w.to, out);
  return extra;
}

// Total sizes of flat tapes and stacks: the loop itself, only to count; where it represents a while
// loop it counts its trips as well, and the copy that only does that is dead.
typedef struct {
  Atom elements;       // of a flat tape or a stack of values
  Atom indices;        // of a stack of indices
} Total;

// In adjoint code of an outer iteration: as much as all of that pushed.
static bool totals_popped(Vjp *v, const Stm *stm, const LoopSave *save, Total *totals) {
  const struct loop_form *e = &stm->exp.loop;
  if (!prog_may(v->w.from, SWITCH_TRIPS)) return false;
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class == TAPE_RAGGED) return false;
    if (save->tapes[k].class != TAPE_UNDO) continue;
    int i = v->log_marks.len - 1;
    while (i >= 0 && !chain_has(v->log_marks.at[i].chain, stm, e->inits.at[k])) i--;
    if (i < 0) return false;
    totals[k] = (Total){v->log_marks.at[i].values, v->log_marks.at[i].indices};
  }
  return true;
}

static Total *totals_of(Vjp *v, const Stm *stm, const Stm *source, const LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Total *totals = NEW_ARRAY(vjp_arena(v), Total, e->inits.len + 1);
  Atoms inits = {0};
  ExtraParams x = {.count = stm->exp.loop.fn == source->exp.loop.fn ? v->counter : NULL};
  UndoLogs ps = {0};
  bool any = false;
  if (totals_popped(v, source, save, totals)) return totals;
  for (int k = 0; k < e->inits.len; k++) {
    any = any || save->tapes[k].class == TAPE_RAGGED || save->tapes[k].class == TAPE_UNDO;
    if (save->tapes[k].class == TAPE_UNDO)
      list_push(vjp_arena(v), &ps, (UndoLog){.chain = save->tapes[k].chain, .size_only = true,
                                          .value_top = atom_i64(0), .index_top = atom_i64(0)});
  }
  if (!any) return totals;
  for (int k = 0; k < e->inits.len; k++) {
    bool consumed = var_type(v->w.from, e->fn->params.at[1 + k]).unique;
    if (acc_is_erased(v, e->fn->rets.at[k])) continue;
    Atom init = primal_of(v, e->inits.at[k]);
    list_push(vjp_arena(v), &inits, consumed ? build_copy(vjp_builder(v), init) : init);
  }
  Stms *saved;
  Lambda *fn = loop_lambda(v, e, &saved);
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class != TAPE_RAGGED) continue;
    Var total = extra_param(v, &x, atom_i64(0));
    Atom size = element_count(vjp_builder(v), primal_type(v, e->fn->params.at[1 + k]));
    list_push(vjp_arena(v), &x.results, build_op(vjp_builder(v), OP_ADD, atom_var(total), size));
  }
  logs_begin(v, &ps, &x);
  Vars bound = loop_emit(v, stm, fn, saved, &x, inits, &ps);
  int at = 0;
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == TAPE_RAGGED) totals[k].elements = atom_var(bound.at[at++]);
  logs_read(&ps, bound, &at);
  for (int k = 0, i = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class != TAPE_UNDO) continue;
    totals[k] = (Total){.elements = ps.at[i].value_top, .indices = ps.at[i].index_top};
    i++;
  }
  return totals;
}

// T with [i] <- p
static void tape_value(Vjp *v, ExtraParams *x, Atom i, Var p, Atom tape_init) {
  Atom tape = atom_var(extra_param(v, x, tape_init));
  list_push(vjp_arena(v), &x->results,
            build_update(vjp_builder(v), tape, atoms1(vjp_arena(v), i), atom_var(p)));
}

// buffer with [offset : offset + size] <- p; offsets with [i] <- offset; offset + size
static void tape_flat(Vjp *v, ExtraParams *x, Atom i, Var p, Atom buffer_init, Atom offsets_init) {
  Builder *b = vjp_builder(v);
  Atom buffer = atom_var(extra_param(v, x, buffer_init));
  Atom offsets = atom_var(extra_param(v, x, offsets_init));
  Atom offset = atom_var(extra_param(v, x, atom_i64(0)));
  Type t = type_fresh(var_type(b->prog, p));
  Atom size = element_count(b, t);
  Atom flat = build_fit(b, atom_var(p), type_array(vjp_arena(v), type_scalar(t.prim), size));
  Slice slice = {0};
  list_push(vjp_arena(v), &slice,
            (SliceDim){.start = offset, .count = size, .stride = atom_i64(1)});
  list_push(vjp_arena(v), &x->results, build_slice_update(b, buffer, slice, flat, true));
  list_push(vjp_arena(v), &x->results,
            build_update(b, offsets, atoms1(vjp_arena(v), i), offset));
  list_push(vjp_arena(v), &x->results, build_op(b, OP_ADD, offset, size));
}

typedef struct {
  Type tape, offsets;  // of no rank: none
} TapeTypes;

static TapeTypes *tape_types(Vjp *v, const struct loop_form *e, const LoopSave *save,
                             const Total *totals) {
  TapeTypes *out = NEW_ARRAY(vjp_arena(v), TapeTypes, e->inits.len + 1);
  for (int k = 0; k < e->inits.len; k++) {
    TapeKind class = save->tapes[k].class;
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]), i64 = type_scalar(PRIM_I64);
    Type flat = type_scalar(t.prim);
    out[k] = (TapeTypes){i64, i64};
    if (class < TAPE_UNDO) continue;
    if (class == TAPE_ROWS) {
      Type row = type_fresh(rewrite_type(&v->w, t));
      out[k].tape = type_array(vjp_arena(v), row, save->trips);
      continue;
    }
    out[k].tape = type_array(vjp_arena(v), flat, totals[k].elements);
    out[k].offsets =
        type_array(vjp_arena(v), i64, class == TAPE_RAGGED ? save->trips : totals[k].indices);
  }
  return out;
}

typedef struct {
  Atom tape, offsets;
} TapeInit;

static TapeInit *tape_inits(Vjp *v, const struct loop_form *e, const TapeTypes *types) {
  TapeInit *out = NEW_ARRAY(vjp_arena(v), TapeInit, e->inits.len + 1);
  for (int k = 0; k < e->inits.len; k++) {
    if (types[k].tape.rank) out[k].tape = build_scratch(vjp_builder(v), types[k].tape);
    if (types[k].offsets.rank) out[k].offsets = build_scratch(vjp_builder(v), types[k].offsets);
  }
  return out;
}

static bool has_tapes(const Stm *stm, const LoopSave *save, const TapeTypes *types) {
  bool any = save->store && save->store->made.len;
  for (int k = 0; k < stm->exp.loop.inits.len; k++)
    any = any || types[k].tape.rank || types[k].offsets.rank;
  return any;
}

// The arrays that the loop consumes; a copy where adjoint code needs it and the loop does not undo
// itself.
Atoms forward_inits(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Atoms inits = {0};
  for (int k = 0; k < e->inits.len; k++) {
    if (acc_is_erased(v, e->fn->rets.at[k])) continue;
    Atom init = primal_of(v, e->inits.at[k]);
    bool consumed = var_type(v->w.from, e->fn->params.at[1 + k]).unique;
    bool kept = varset_has_atom(&v->restore, e->inits.at[k]);
    bool undone = save->tapes[k].class == TAPE_UNDO;
    if (undone || (consumed && !kept)) varset_add_atom(&v->overwritten, e->inits.at[k]);
    else if (consumed) init = build_copy(vjp_builder(v), init);
    list_push(vjp_arena(v), &inits, init);
  }
  return inits;
}

static void tapes_read(const struct loop_form *e, LoopSave *save, Vars bound, const UndoLogs *ps) {
  for (int k = 0, i = 0, at = 0; k < e->inits.len; k++) {
    Tape *tape = &save->tapes[k];
    if (tape->class == TAPE_UNDO) tape->stacks = ps->at[i++];
    if (tape->class < TAPE_ROWS) continue;
    tape->tape = atom_var(bound.at[at++]);
    if (tape->class != TAPE_RAGGED) continue;
    tape->offsets = atom_var(bound.at[at]);
    at += 2;
  }
}

static int tape_count(const struct loop_form *e, const LoopSave *save) {
  int n = 0;
  for (int k = 0; k < e->inits.len; k++) {
    if (save->tapes[k].class == TAPE_ROWS) n += 1;
    if (save->tapes[k].class == TAPE_RAGGED) n += 3;
  }
  return n;
}

// For `dagaz explain`.
static void note_classes(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Prog *prog = v->w.to.prog;
  for (int k = 0; save->store && k < save->store->kept.len; k++)
    prog_note(prog, v->w.to.loc, "stored", "%s: %s of every iteration, from which the rest follows",
              var_info(v->w.from, save->store->kept.at[k])->base,
              type_text(v->w.from, prog->arena, var_type(v->w.from, save->store->kept.at[k])));
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[1 + k];
    const char *name = var_info(v->w.from, p)->base;
    const char *type = type_text(v->w.from, prog->arena, var_type(v->w.from, p));
    switch (save->tapes[k].class) {
      case TAPE_NONE: case TAPE_INVARIANT: break;
      case TAPE_AFFINE:
        prog_note(prog, v->w.to.loc, "recomputed", "loop parameter %s: from the trip number", name);
        break;
      case TAPE_UNDO:
        prog_note(prog, v->w.to.loc, "stored",
                  "loop parameter %s: what its updates overwrite; they are undone", name);
        break;
      case CLASS_GROWS:
        prog_note(prog, v->w.to.loc, "stored",
                  "loop parameter %s: what the loop gives begins with it", name);
        break;
      case TAPE_ROWS: case TAPE_RAGGED:
        prog_note(prog, v->w.to.loc, "stored",
                  save->checkpoint ? "loop parameter %s: %s of as many iterations as memory allows"
                                   : "loop parameter %s: %s of every iteration",
                  name, type);
        break;
    }
  }
}

// Tapes of what is stored in place of parameters.
static void stores_begin(Vjp *v, const ScalarTape *store, Atom row, Atoms scratch, ExtraParams *x) {
  x->deferred = store->made;
  x->deferred_row = row;
  for (int k = 0; k < store->made.len; k++)
    list_push(vjp_arena(v), &x->deferred_tapes, atom_var(extra_param(v, x, scratch.at[k])));
}

Atoms stores_scratch(Vjp *v, const ScalarTape *store, Atom rows) {
  Atoms out = {0};
  for (int k = 0; store && k < store->made.len; k++) {
    Type row = type_fresh(rewrite_type(&v->w, var_type(v->w.from, store->kept.at[k])));
    list_push(vjp_arena(v), &out,
              build_scratch(vjp_builder(v), type_array(vjp_arena(v), row, rows)));
  }
  return out;
}

// stm: the source's loop, or one that stores scalars in its place.
static void tape_forward(Vjp *v, const Stm *stm, const Stm *source, LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  const Total *totals = totals_of(v, stm, source, save);
  if (v->counter) save->trips = build_width(vjp_builder(v), primal_of(v, e->bound));
  const TapeTypes *types = tape_types(v, e, save, totals);
  if (has_tapes(source, save, types)) budget_check(v, source);
  const TapeInit *starts = tape_inits(v, e, types);
  Atoms inits = forward_inits(v, e, save), scratch = stores_scratch(v, save->store, save->trips);
  ExtraParams x = {0};
  UndoLogs ps = {0};
  Stms *saved;
  Lambda *fn = loop_lambda(v, e, &saved);
  Atom i = build_conv(vjp_builder(v), PRIM_I64, atom_var(fn->params.at[0]));
  for (int k = 0; k < e->inits.len; k++) {
    const TapeInit *start = &starts[k];
    Var p = primal_of(v, atom_var(e->fn->params.at[1 + k])).var;
    if (save->tapes[k].class == TAPE_ROWS) tape_value(v, &x, i, p, start->tape);
    if (save->tapes[k].class == TAPE_RAGGED) tape_flat(v, &x, i, p, start->tape, start->offsets);
    if (save->tapes[k].class == TAPE_UNDO)
      list_push(vjp_arena(v), &ps,
                (UndoLog){.chain = save->tapes[k].chain, .values = start->tape,
                       .value_top = atom_i64(0), .indices = start->offsets,
                       .index_top = atom_i64(0)});
  }
  logs_begin(v, &ps, &x);
  if (save->store) stores_begin(v, save->store, i, scratch, &x);
  Vars bound = loop_emit(v, stm, fn, saved, &x, inits, &ps);
  int at = tape_count(e, save);
  logs_read(&ps, bound, &at);
  tapes_read(e, save, bound, &ps);
  for (int k = 0; k < e->inits.len; k++)  // what is overwritten later is not the copy
    if (save->tapes[k].class == CLASS_GROWS)
      save->tapes[k].tape = build_copy(vjp_builder(v), primal_of(v, atom_var(source->bound.at[k])));
  for (int k = 0; save->store && k < save->store->made.len; k++)
    list_push(vjp_arena(v), &save->store->tapes,
              atom_var(bound.at[bound.len - save->store->made.len + k]));
}

// At the outermost level forward sweep and adjoint code are written once; there scalars of the body
// may represent parameters.
static LoopSave *loop_save(Vjp *v, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  LoopSave *save = loop_tape_kinds(v, e);
  ScalarTape *store = v->level > 0 ? NULL : scalar_tape_choose(v, e, save);
  bool bounded = checkpoint_applies(v, stm, save);
  if (!store) return save;
  if (!bounded) {
    struct loop_form back = *e;
    back.fn = store->back;
    save = loop_tape_kinds(v, &back);
  } else {
    VarSet need = loop_tbr(v, store->back);
    for (int k = 0; k < e->inits.len; k++) {
      Var p = e->fn->params.at[1 + k];
      if (save->tapes[k].class != TAPE_ROWS || !varset_has(&need, p)) continue;
      list_push(vjp_arena(v), &store->made, p);
      list_push(vjp_arena(v), &store->kept, p);
    }
  }
  save->store = store;
  return save;
}

void vjp_loop_forward(Vjp *v, const Stm *stm) {
  check(stm->exp.loop.is_for);
  LoopSave *save = loop_save(v, stm);
  save->trips = build_width(vjp_builder(v), primal_of(v, stm->exp.loop.bound));
  save_put(v, stm, save);
  note_classes(v, &stm->exp.loop, save);
  if (save->checkpoint) {
    checkpoint_forward(v, stm, save);
    return;
  }
  Stm run = *stm;
  if (save->store) run.exp.loop.fn = save->store->forward;
  tape_forward(v, &run, stm, save);
}
