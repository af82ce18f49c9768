// Reverse mode of for-loops, adjoint code: iterations backwards, adjoints as parameters, values of
// the loop's parameters read from where forward sweep left them (loop_forward.c), or computed again
// from states that are kept (checkpoint.c).
#include "ad/common/local.h"

typedef struct {
  const struct loop_form *e, *run;  // as adjoint code sees the source's loop; as it is
  LoopSave *save;
  Lambda *fn;
  Atoms inits;
  bool *carried;   // per parameter: its adjoint is a parameter of the return loop
  bool *sized;     // per parameter: a size in the type of a carried adjoint
  Vars free;
  Undo *undo;      // per parameter of class object; tops and object are carried
  Snapshots snaps;     // where states are checkpointed
} ReverseLoop;

static Var back_param(Vjp *v, ReverseLoop *back, const char *hint, Type t, Atom init) {
  t.unique = t.rank > 0 && !t.is_acc;
  Var p = var_new(v->w.to.prog, hint, t);
  list_push(vjp_arena(v), &back->fn->params, p);
  list_push(vjp_arena(v), &back->inits, init);
  return p;
}

// Which adjoints go round, by the reach of the results' adjoints.
static void reverse_carried(Vjp *v, ReverseLoop *back, const Stm *stm) {
  const struct loop_form *e = back->e;
  VarSet useful = varset_new(vjp_arena(v));
  useful.reached = v->reached;
  for (int k = 0; k < stm->bound.len; k++)
    if (!adj_is_zero(v, stm->bound.at[k]) ||
        acc_is_seeded(v, var_type(v->w.from, stm->bound.at[k])))
      varset_add(&useful, stm->bound.at[k]);
  useful_stm(v->w.from, &v->varied, &useful, stm);
  back->carried = NEW_ARRAY(vjp_arena(v), bool, e->inits.len + 1);
  back->sized = NEW_ARRAY(vjp_arena(v), bool, e->inits.len + 1);
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    back->carried[k] = !t.is_acc && varset_has(&useful, e->fn->params.at[1 + k]);
    for (int s = 0; back->carried[k] && s < e->inits.len; s++)
      for (int d = 0; d < t.rank; d++)
        if (atom_is_var(t.dims[d], e->fn->params.at[1 + s])) back->sized[s] = true;
  }
  Vars vars = free_vars_of_lambda(v->tbr.free_vars, e->fn);
  for (int i = 0; i < vars.len; i++)
    if (varset_has(&useful, vars.at[i]) && !var_type(v->w.from, vars.at[i]).is_acc)
      list_push(vjp_arena(v), &back->free, vars.at[i]);
  back->free = view_roots(v, back->free);
}

static Atom adjoint_init(Vjp *v, Var x) {
  Adj adj = adj_get(v, x);
  if (adj.kind == ADJ_ACC) return adj.value;
  return var_type(v->w.from, x).rank ? adj_owned(v, x) : adj_value(v, x);
}

// Parameters: trip number, sizes of carried adjoints, carried adjoints, adjoints of free variables.
static Adj *reverse_params(Vjp *v, ReverseLoop *back, const Stm *stm) {
  const struct loop_form *e = back->e;
  Adj *seeds = NEW_ARRAY(vjp_arena(v), Adj, e->inits.len + 1);
  list_push(vjp_arena(v), &back->fn->params,
            var_new(v->w.to.prog, "j", type_scalar(PRIM_I64)));
  for (int k = 0; k < e->inits.len; k++)
    if (back->sized[k]) {
      Atom size = primal_of(v, atom_var(stm->bound.at[k]));
      Var s = back_param(v, back, "size", type_scalar(PRIM_I64), size);
      rewrite_bind(&v->w, e->fn->params.at[1 + k], atom_var(s));
    }
  for (int k = 0; k < e->inits.len; k++)
    if (back->carried[k]) {
      Type t = primal_type(v, e->fn->params.at[1 + k]);
      Atom init = adjoint_init(v, stm->bound.at[k]);
      seeds[k] = adj_val(atom_var(back_param(v, back, "adj", t, init)), true);
    }
  return seeds;
}

static void reverse_free(Vjp *v, ReverseLoop *back) {
  int n = back->free.len;
  Adj *adj = NEW_ARRAY(vjp_arena(v), Adj, n + 1);
  for (int i = 0; i < n; i++) {
    Var f = back->free.at[i];
    bool acc = adj_get(v, f).kind == ADJ_ACC;
    Atom init = adjoint_init(v, f);
    Var p = back_param(v, back, "adj", type_fresh(atom_type(v->w.to.prog, init)), init);
    adj[i] = acc ? (Adj){.kind = ADJ_ACC, .value = atom_var(p)} : adj_val(atom_var(p), true);
  }
  for (int i = 0; i < n; i++) adj_set(v, back->free.at[i], adj[i]);
}

// Objects and the tops of their stacks go round as well.
static void reverse_in_place(Vjp *v, ReverseLoop *back, const Stm *stm) {
  back->undo = NEW_ARRAY(vjp_arena(v), Undo, back->e->inits.len + 1);
  for (int k = 0; k < back->e->inits.len; k++) {
    const Tape *tape = &back->save->tapes[k];
    if (tape->class != TAPE_UNDO) continue;
    Atom object = consumable(v, primal_of(v, atom_var(stm->bound.at[k])));
    Type t = type_fresh(atom_type(v->w.to.prog, object)), size = type_scalar(PRIM_I64);
    const UndoLog *s = &tape->stacks;
    back->undo[k] = (Undo){.chain = tape->chain, .values = s->values, .indices = s->indices};
    back->undo[k].object = atom_var(back_param(v, back, "object", t, object));
    back->undo[k].value_top = atom_var(back_param(v, back, "top", size, s->value_top));
    back->undo[k].index_top = atom_var(back_param(v, back, "top", size, s->index_top));
  }
}

// Rolls objects back to where iteration i started.
static void reverse_undo(Vjp *v, ReverseLoop *back) {
  for (int k = 0; k < back->e->inits.len; k++) {
    if (back->save->tapes[k].class != TAPE_UNDO) continue;
    Undo *u = &back->undo[k];
    Atom values = u->value_top, indices = u->index_top;
    undo_stms(v, u, back->e->fn->body.stms);
    LogMark log_marks = {u->chain, build_op(vjp_builder(v), OP_SUB, values, u->value_top),
                     build_op(vjp_builder(v), OP_SUB, indices, u->index_top)};
    list_push(vjp_arena(v), &v->log_marks, log_marks);
    rewrite_bind(&v->w, back->e->fn->params.at[1 + k], back->undo[k].object);
    varset_add(&v->entry_restore, back->e->fn->params.at[1 + k]);
  }
}

static bool kind_is_recomputable(TapeKind class) {
  return class == TAPE_INVARIANT || class == TAPE_AFFINE;
}

// Values in iteration i that need no tape: the trip number, invariant and affine parameters.
void loop_recomputable(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom i) {
  Builder *b = vjp_builder(v);
  Var index = e->fn->params.at[0];
  rewrite_bind(&v->w, index, build_conv(b, var_type(v->w.from, index).prim, i));
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[1 + k];
    Atom value = primal_of(v, e->inits.at[k]);
    if (save->tapes[k].class == TAPE_AFFINE) {
      Atom n = build_conv(b, var_type(v->w.from, p).prim, i);
      value = build_op(b, OP_ADD, value, build_op(b, OP_MUL, n, primal_of(v, save->tapes[k].step)));
    }
    if (kind_is_recomputable(save->tapes[k].class)) rewrite_bind(&v->w, p, value);
  }
}

static void stores_read(Vjp *v, const ScalarTape *store, Atoms tapes, Atom row) {
  for (int k = 0; k < store->kept.len; k++)
    rewrite_bind(&v->w, store->kept.at[k],
                 build_index(vjp_builder(v), tapes.at[k], atoms1(vjp_arena(v), row)));
}

// The values of the source's parameters in iteration i.
static void back_values(Vjp *v, const ReverseLoop *back, Atom i) {
  const struct loop_form *e = back->e;
  Builder *b = vjp_builder(v);
  loop_recomputable(v, e, back->save, i);
  const ScalarTape *store = back->save->store;
  if (store) stores_read(v, store, store->tapes, i);
  for (int flat = 0; flat < 2; flat++)  // sizes before what has them
    for (int k = 0; k < e->inits.len; k++) {
      const Tape *tape = &back->save->tapes[k];
      Var source = e->fn->params.at[1 + k];
      Atom value = atom_none();
      bool sized = tape->class == TAPE_RAGGED || tape->class == CLASS_GROWS;
      if (sized != (flat == 1) || kind_is_recomputable(tape->class)) continue;
      bool held = tape->class == TAPE_ROWS && back->save->checkpoint;
      if (held) value = back->snaps.values.at[k];
      else if (tape->class == TAPE_ROWS)
        value = build_index(b, tape->tape, atoms1(vjp_arena(v), i));
      if (tape->class == TAPE_UNDO) continue;
      if (tape->class == CLASS_GROWS) {
        Type t = primal_type(v, source);
        value = build_fit(b, build_slice(b, tape->tape, atom_i64(0), t.dims[0]), t);
      }
      if (tape->class == TAPE_RAGGED) {
        Type t = primal_type(v, source);
        Atom offset = build_index(b, tape->offsets, atoms1(vjp_arena(v), i));
        value = build_fit(b, build_slice(b, tape->tape, offset, element_count(b, t)), t);
      }
      if (var_type(v->w.from, source).unique && !atom_absent(value) && !held)
        value = build_copy(b, value);
      rewrite_bind(&v->w, source, value);
    }
}

static Atoms adjoint_results(Vjp *v, const ReverseLoop *back) {
  Atoms out = {0};
  for (int k = 0; k < back->e->inits.len; k++)
    if (back->carried[k])
      list_push(vjp_arena(v), &out, adjoint_init(v, back->e->fn->params.at[1 + k]));
  for (int i = 0; i < back->free.len; i++)
    list_push(vjp_arena(v), &out, adjoint_init(v, back->free.at[i]));
  return out;
}

static Atoms back_results(Vjp *v, const ReverseLoop *back) {
  Atoms out = {0};
  for (int k = 0; k < back->e->inits.len; k++)
    if (back->sized[k])
      list_push(vjp_arena(v), &out, primal_of(v, atom_var(back->e->fn->params.at[1 + k])));
  out = atoms_concat(vjp_arena(v), out, adjoint_results(v, back));
  for (int k = 0; k < back->e->inits.len; k++) {
    if (back->save->tapes[k].class != TAPE_UNDO) continue;
    list_push(vjp_arena(v), &out, primal_of(v, atom_var(back->e->fn->params.at[1 + k])));
    list_push(vjp_arena(v), &out, back->undo[k].value_top);
    list_push(vjp_arena(v), &out, back->undo[k].index_top);
  }
  if (back->save->checkpoint) snaps_results(v, &back->snaps, back->save, &out);
  return out;
}

// Results have the types of the parameters, with the sizes among the results.
static Vars back_bind(Vjp *v, const ReverseLoop *back) {
  Prog *prog = v->w.to.prog;
  Vars bound = {0};
  Rewrite sizes = rewrite_new(prog, v->w.to);
  for (int k = 1; k < back->fn->params.len; k++) {
    Var p = back->fn->params.at[k];
    Type t = type_fresh(var_type(prog, p));
    if (!t.is_acc) t = rewrite_type(&sizes, t);
    Var y = var_new(prog, "adj", t);
    rewrite_bind(&sizes, p, atom_var(y));
    list_push(prog->arena, &bound, y);
  }
  return bound;
}

static void back_read(Vjp *v, Stms before, const ReverseLoop *back, Vars bound) {
  const struct loop_form *e = back->e;
  int at = 0, first = 0;
  for (int k = 0; k < e->inits.len; k++) at += back->sized[k];
  first = at;
  for (int k = 0; k < e->inits.len; k++) at += back->carried[k];
  for (int i = 0; i < back->free.len; i++) {
    Atom value = atom_var(bound.at[at + i]);
    bool acc = adj_get(v, back->free.at[i]).kind == ADJ_ACC;
    adj_set(v, back->free.at[i],
            acc ? (Adj){.kind = ADJ_ACC, .value = value} : adj_val(value, true));
  }
  for (int k = 0; k < e->inits.len; k++)
    if (back->carried[k]) contribute(v, e->inits.at[k], atom_var(bound.at[first++]), true);
  at += back->free.len;
  Atoms rolled_back = {0};
  for (int k = 0; k < e->inits.len; k++) {
    if (back->save->tapes[k].class != TAPE_UNDO) continue;
    if (e->inits.at[k].is_var) {
      rollback(v, e->inits.at[k].var, atom_var(bound.at[at]));
      list_push(vjp_arena(v), &rolled_back, e->inits.at[k]);
    }
    back->save->tapes[k].stacks.value_top = atom_var(bound.at[at + 1]);
    back->save->tapes[k].stacks.index_top = atom_var(bound.at[at + 2]);
    at += 3;
  }
  recompute_views(v, before, rolled_back);
}

// The body of the return loop: iteration n-1-j.
static void back_iteration(Vjp *v, ReverseLoop *back, const Adj *seeds) {
  const struct loop_form *e = back->e;
  Builder *b = vjp_builder(v);
  Atom last = build_op(b, OP_SUB, back->save->trips, atom_i64(1));
  Atom i = build_op(b, OP_SUB, last, atom_var(back->fn->params.at[0]));
  if (back->save->checkpoint) snaps_restore(v, &back->snaps, e, back->save, i, atom_none());
  back_values(v, back, i);
  int log_marks = v->log_marks.len;
  trips_forget(v, e->fn->body.stms);
  const Nested outer = v->nested;
  Nested mine = {0};
  mine.loop = nested_loop(v, e, back->save, &mine.save);
  v->nested = mine;
  if (mine.loop) nested_enter(v, e, back->save, back->undo);
  else reverse_undo(v, back);
  vjp_body(v, &e->fn->body, seeds);
  if (mine.loop) nested_leave(e, back->save, &mine, back->undo);
  v->nested = outer;
  back->fn->body.results = back_results(v, back);
  v->log_marks.len = log_marks;
}

// The adjoint code of `count` iterations from `first` on, whose scalars are taped; its results.
static Atoms back_within(Vjp *v, const ReverseLoop *outer, Atom first, Atom count,
                         const Adj *seeds) {
  const struct loop_form *e = outer->e;
  ReverseLoop in = {.e = e, .save = outer->save, .fn = NEW(vjp_arena(v), Lambda),
             .carried = outer->carried, .sized = outer->sized, .free = outer->free};
  in.undo = outer->undo;
  list_push(vjp_arena(v), &in.fn->params, var_new(v->w.to.prog, "j", type_scalar(PRIM_I64)));
  Adj *rows = NEW_ARRAY(vjp_arena(v), Adj, e->inits.len + 1);
  for (int k = 0; k < e->inits.len; k++) {
    if (!in.carried[k]) continue;
    Type t = primal_type(v, e->fn->params.at[1 + k]);
    rows[k] = adj_val(atom_var(back_param(v, &in, "adj", t, seeds[k].value)), true);
  }
  int mark = scope_begin(v);
  reverse_free(v, &in);
  Builder before = v->w.to;
  v->w.to.stms = &in.fn->body.stms;
  Builder *b = vjp_builder(v);
  Atom row = build_op(b, OP_SUB, build_op(b, OP_SUB, count, atom_i64(1)),
                      atom_var(in.fn->params.at[0]));
  loop_recomputable(v, e, in.save, build_op(b, OP_ADD, first, row));
  stores_read(v, in.save->store, outer->snaps.tapes, row);
  vjp_body(v, &e->fn->body, rows);
  in.fn->body.results = adjoint_results(v, &in);
  scope_end(v, mark);
  v->w.to = before;
  for (int k = 1; k < in.fn->params.len; k++)
    list_push(vjp_arena(v), &in.fn->rets, var_type(v->w.to.prog, in.fn->params.at[k]));
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = count, .inits = in.inits, .fn = in.fn}};
  Vars bound = back_bind(v, &in);
  build_stm(&v->w.to, (Stm){.bound = bound, .exp = exp, .attrs = {.reversed = true},
                            .loc = v->w.to.loc});
  return atoms_of_vars(vjp_arena(v), bound);
}

// The body of the return loop with a bound on memory, where scalars are stored: block n-1-j.
static void back_block(Vjp *v, ReverseLoop *back, Atom blocks, const Adj *seeds) {
  const struct loop_form *e = back->run;
  Builder *b = vjp_builder(v);
  Atom last = build_op(b, OP_SUB, blocks, atom_i64(1)), first, count;
  Atom j = atom_var(back->fn->params.at[0]), block = build_op(b, OP_SUB, last, j);
  checkpoint_block(v, back->save, block, &first, &count);
  snaps_restore(v, &back->snaps, e, back->save, block, j);
  Atoms out = back_within(v, back, first, count, seeds);
  snaps_results(v, &back->snaps, back->save, &out);
  back->fn->body.results = out;
}

//   ys = loop p = a for i < n { r }
//   (b, g) = loop (b, g) = (ysB, fB) for j < n { i = n-1-j; p = T[i]; revBody seeded by b }
//   aB += b;  fB = g
bool loop_restores(const Vjp *v, const Stm *stm) {
  const LoopSave *save = stm->exp.form == FORM_LOOP ? save_get(v, stm) : NULL;
  for (int k = 0; save && k < stm->exp.loop.inits.len; k++)
    if (save->tapes[k].class == TAPE_UNDO) return true;
  return false;
}

void vjp_loop(Vjp *v, Stms before, const Stm *source) {
  Stm one = *source, *stm = &one;
  const struct loop_form *e = &stm->exp.loop;
  ReverseLoop back = {.e = e, .run = &source->exp.loop, .save = save_get(v, source)};
  back.fn = NEW(vjp_arena(v), Lambda);
  if (back.save && back.save->store) one.exp.loop.fn = back.save->store->back;
  LoopSave fresh = {0};
  if (!back.save) {  // the loop itself was not needed again
    fresh.tapes = NEW_ARRAY(vjp_arena(v), Tape, e->inits.len + 1);
    for (int k = 0; k < e->inits.len; k++)
      if (atom_is_var(e->fn->body.results.at[k], e->fn->params.at[1 + k]))
        fresh.tapes[k].class = TAPE_INVARIANT;
    fresh.trips = build_width(vjp_builder(v), primal_of(v, e->bound));
    back.save = &fresh;
  }
  reverse_carried(v, &back, stm);
  const Adj *seeds = reverse_params(v, &back, stm);
  int mark = scope_begin(v);
  reverse_free(v, &back);
  reverse_in_place(v, &back, stm);
  if (back.save->checkpoint) snaps_params(v, &back.snaps, back.save, e, back.fn, &back.inits);
  Builder outer = v->w.to;
  bool blocks = back.save->store && back.save->checkpoint;
  Atom trips = blocks ? checkpoint_blocks(back.save) : back.save->trips;
  v->w.to.stms = &back.fn->body.stms;
  if (blocks) {
    back_block(v, &back, trips, seeds);
  } else {
    back_iteration(v, &back, seeds);
  }
  scope_end(v, mark);
  v->w.to = outer;
  if (back.inits.len == 0) return;
  for (int k = 1; k < back.fn->params.len; k++)
    list_push(vjp_arena(v), &back.fn->rets, var_type(v->w.to.prog, back.fn->params.at[k]));
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = trips, .inits = back.inits, .fn = back.fn}};
  Vars bound = back_bind(v, &back);
  Attrs attrs = {.reversed = true, .low_peak = back.save->checkpoint != NULL};
  build_stm(&v->w.to, (Stm){.bound = bound, .exp = exp, .attrs = attrs, .loc = outer.loc});
  back_read(v, before, &back, bound);
}
