// Loops over an array that is updated in place (class "object" of loop_forward.c).  The forward
// loop pushes what every update overwrites on a stack; iteration i of the return loop first undoes
// the updates of iteration i, in reverse.  Nothing is copied, so the cost is that of the updates.
//
// The chain of a parameter: the statements that turn it into the result, one after the other.
// Updates, scatters, histograms that add, and loops that have a chain of their own for it.  Trip
// numbers and what is computed from them and from variables outside the loop is computed again;
// other indices and trip counts go to a second stack.
#include "loop_memory.h"

enum { MOST_PUSHED = 64 };  // values of a branch for which there is room whether it is taken or not
struct UpdateChain {
  const Prog *prog;
  Arena *arena;
  Map *stms;      // Stm * of the chain, in nested loops too
  Map *defs;      // variable bound in a scope of the chain -> its statement
  VarSet inside;  // variables bound in scopes of the chain, but for trip numbers
  VarSet versions;
};

// ---- finding chains
static void scope_add(UpdateChain *c, const Stms *stms) {
  for (int i = 0; i < stms->len; i++)
    for (int k = 0; k < stms->at[i].bound.len; k++) {
      varset_add(&c->inside, stms->at[i].bound.at[k]);
      map_put(c->defs, stms->at[i].bound.at[k].id, (void *)&stms->at[i]);
    }
}

// Whether the value can be had when undoing.
bool chain_recomputable(const UpdateChain *c, Atom a) {
  if (!varset_has_atom(&c->inside, a)) return true;
  const Stm *def = map_get(c->defs, a.var.id);
  if (!def || (def->exp.form != FORM_PRIM && def->exp.form != FORM_CONV)) return false;
  if (def->exp.form == FORM_CONV) return chain_recomputable(c, def->exp.conv.arg);
  for (int i = 0; i < def->exp.prim.args.len; i++)
    if (!chain_recomputable(c, def->exp.prim.args.at[i])) return false;
  return !prim_may_fail(&def->exp.prim) && prog_may(c->prog, SWITCH_INDICES);
}

static bool update_is_undoable(const UpdateChain *c, const struct update_form *e) {
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim d = e->slice.at[i];
    if (!d.is_fix && !chain_recomputable(c, d.stride)) return false;
  }
  return true;
}

// Statements that write to rows, some rows perhaps several times: a scatter, a histogram that adds.
typedef struct {
  Atoms dests;
  Atom width, indices;
} Rows;

static Rows written_rows(const Prog *prog, const Exp *e) {
  if (e->form == FORM_SCATTER)
    return (Rows){e->scatter.dests, e->scatter.width, e->scatter.inputs.at[0]};
  if (e->form == FORM_HIST && hist_restores(prog, &e->hist))
    return (Rows){e->hist.dests, e->hist.width, e->hist.inputs.at[0]};
  return (Rows){0};
}

static int loop_init_of(const struct loop_form *e, Atom x) {
  for (int k = 0; k < e->inits.len; k++)
    if (atom_same(e->inits.at[k], x)) return k;
  return -1;
}

static bool chain_follow(UpdateChain *c, const Lambda *fn, int k);

typedef struct {
  Atom x;
  bool found;
} Mention;

static void find_mention(void *state, Atom a) {
  Mention *m = state;
  m->found = m->found || atom_same(a, m->x);
}

static bool is_consumed(const UpdateChain *c, const Exp *e, Atom x) {
  Mention m = {x, form_has_bodies[e->form]};
  exp_each_atom(e, find_mention, &m);
  if (!m.found) return false;
  Atoms consumed = exp_consumes(c->prog, c->arena, e);
  for (int i = 0; i < consumed.len; i++)
    if (atom_same(consumed.at[i], x)) return true;
  return false;
}

// The next version of x after stm, or none where stm does not consume x; *ok false where it
// consumes it in a way that cannot be undone.
static Atom next_version(UpdateChain *c, const Stm *stm, Atom x, bool *ok) {
  const Exp *e = &stm->exp;
  varset_add_atom(&c->versions, x);
  if (e->form == FORM_UPDATE && atom_same(e->update.array, x)) {
    *ok = update_is_undoable(c, &e->update);
    map_put(c->stms, KEY(stm), c);
    return atom_var(stm->bound.at[0]);
  }
  if (e->form == FORM_LOOP && e->loop.is_for) {
    int k = loop_init_of(&e->loop, x);
    if (k < 0 || !var_type(c->prog, e->loop.fn->params.at[1 + k]).unique) return atom_none();
    *ok = chain_follow(c, e->loop.fn, k);
    map_put(c->stms, KEY(stm), c);
    return atom_var(stm->bound.at[k]);
  }
  const Rows rows = written_rows(c->prog, e);
  for (int k = 0; k < rows.dests.len; k++)
    if (atom_same(rows.dests.at[k], x)) {
      map_put(c->stms, KEY(stm), c);
      return atom_var(stm->bound.at[k]);
    }
  if (is_consumed(c, e, x)) *ok = false;
  return atom_none();
}

static bool chain_follow(UpdateChain *c, const Lambda *fn, int k) {
  Atom x = atom_var(fn->params.at[1 + k]);
  bool ok = true;
  for (int i = 1; i < fn->params.len; i++) varset_add(&c->inside, fn->params.at[i]);
  scope_add(c, &fn->body.stms);
  for (int i = 0; ok && i < fn->body.stms.len; i++) {
    Atom y = next_version(c, &fn->body.stms.at[i], x, &ok);
    if (!atom_absent(y)) x = y;
  }
  return ok && atom_same(x, fn->body.results.at[k]);
}

// NULL where parameter k is not updated in place in an undoable way.
UpdateChain *chain_find(const Prog *prog, Arena *arena, const struct loop_form *e, int k) {
  Type t = var_type(prog, e->fn->params.at[1 + k]);
  if (!t.unique || t.rank == 0 || t.is_acc) return NULL;
  UpdateChain *c = NEW(arena, UpdateChain);
  *c = (UpdateChain){
      prog, arena, map_new(arena), map_new(arena), varset_new(arena), varset_new(arena)};
  return chain_follow(c, e->fn, k) ? c : NULL;
}

bool chain_updates(const UpdateChain *c, const Stm *stm) {
  return map_get(c->stms, KEY(stm)) != NULL;
}

static bool chain_has_version(const UpdateChain *c, Atom x) {
  return varset_has_atom(&c->versions, x);
}

bool chain_has(const UpdateChain *c, const Stm *stm, Atom init) {
  return chain_updates(c, stm) && chain_has_version(c, init);
}

// ---- pushing
static Atom slice_size(Vjp *v, Slice slice, Type array) {
  Atom size = atom_i64(1);
  Builder *b = vjp_builder(v);
  for (int i = 0; i < array.rank; i++) {
    if (i >= slice.len) size = build_op(b, OP_MUL, size, array.dims[i]);
    else if (!slice.at[i].is_fix) size = build_op(b, OP_MUL, size, slice.at[i].count);
  }
  return size;
}

static Slice range_of(Arena *arena, Atom start, Atom count) {
  Slice slice = {0};
  list_push(arena, &slice, (SliceDim){.start = start, .count = count, .stride = atom_i64(1)});
  return slice;
}

static Slice slice_now(Vjp *v, Slice slice) {
  Exp e = {.form = FORM_INDEX, .index = {.array = atom_i64(0), .slice = slice}};
  return rewrite_exp(&v->w, &e).index.slice;
}

static void log_index(Vjp *v, UndoLog *p, Atom index) {
  Builder *b = vjp_builder(v);
  if (!p->size_only)
    p->indices = build_update(b, p->indices, atoms1(vjp_arena(v), p->index_top), index);
  p->index_top = build_op(b, OP_ADD, p->index_top, atom_i64(1));
}

// The largest of the constants that a branch chooses from; `otherwise` where it is no such choice.
static Atom largest_choice(const UpdateChain *c, Atom a, Atom otherwise) {
  const Stm *def = a.is_var ? map_get(c->defs, a.var.id) : NULL;
  int64_t most = 0;
  if (def && def->exp.form == FORM_PRIM && def->exp.prim.op == OP_SELECT) {
    Atom x = def->exp.prim.args.at[1], y = def->exp.prim.args.at[2];
    if (x.is_var || y.is_var) return otherwise;
    return atom_i64(x.value.i > y.value.i ? x.value.i : y.value.i);
  }
  if (!def || def->exp.form != FORM_MATCH) return otherwise;
  int k = 0;
  while (!atom_is_var(a, def->bound.at[k])) k++;
  for (int i = 0; i < def->exp.match.cases.len; i++) {
    Atom choice = def->exp.match.cases.at[i].body.results.at[k];
    if (choice.is_var) return otherwise;
    if (choice.value.i > most) most = choice.value.i;
  }
  return atom_i64(most);
}

// The count is of room: where a branch decides whether to write, as if it did.  The
// count then needs no run of the loop.
static Slice slice_most(const UpdateChain *c, Slice slice, Slice source) {
  for (int i = 0; i < slice.len; i++)
    if (!slice.at[i].is_fix)
      slice.at[i].count = largest_choice(c, source.at[i].count, slice.at[i].count);
  return slice;
}

static void log_update(Vjp *v, UndoLog *p, const Stm *stm) {
  Builder *b = vjp_builder(v);
  const struct update_form *e = &stm->exp.update;
  Slice slice = slice_now(v, e->slice);
  if (p->size_only) slice = slice_most(p->chain, slice, e->slice);
  Atom x = primal_of(v, e->array);
  Type type = atom_type(b->prog, x);
  Atom size = slice_size(v, slice, type);
  if (!p->size_only) {
    Atom old = build_slice_all(b, x, slice, stm->attrs.unchecked);
    if (atom_type(b->prog, old).rank == 0) {
      p->values = build_update(b, p->values, atoms1(vjp_arena(v), p->value_top), old);
    } else {
      Type flat = type_array(vjp_arena(v), type_scalar(type.prim), size);
      p->values = build_slice_update(b, p->values, range_of(vjp_arena(v), p->value_top, size),
                                     build_fit(b, build_copy(b, old), flat), true);
    }
  }
  p->value_top = build_op(b, OP_ADD, p->value_top, size);
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim d = e->slice.at[i];
    if (!chain_recomputable(p->chain, d.start)) log_index(v, p, slice.at[i].start);
    if (!d.is_fix && !chain_recomputable(p->chain, d.count)) log_index(v, p, slice.at[i].count);
  }
}

// ---- rows that were there, and where
// The destination that belongs to the chain.
static int dest_of(const UpdateChain *c, Atoms dests) {
  for (int k = 0; k < dests.len; k++)
    if (varset_has_atom(&c->versions, dests.at[k])) return k;
  return -1;
}

static void push_all(Vjp *v, Atom *stack, Atom *top, Atom values, Atom size, bool size_only) {
  Builder *b = vjp_builder(v);
  if (!size_only) {
    Prim p = atom_type(b->prog, values).prim;
    Atom flat = build_fit(b, values, type_array(vjp_arena(v), type_scalar(p), size));
    *stack = build_slice_update(b, *stack, range_of(vjp_arena(v), *top, size), flat, true);
  }
  *top = build_op(b, OP_ADD, *top, size);
}

static void log_rows(Vjp *v, UndoLog *p, const Stm *stm) {
  const Rows e = written_rows(p->chain->prog, &stm->exp);
  Builder *b = vjp_builder(v);
  Atom x = primal_of(v, e.dests.at[dest_of(p->chain, e.dests)]), is = primal_of(v, e.indices);
  Atom width = primal_of(v, e.width), size = width, old = x;
  Type type = atom_type(b->prog, x);
  for (int i = 1; i < type.rank; i++) size = build_op(b, OP_MUL, size, type.dims[i]);
  if (!p->size_only) old = build_gather(b, x, is);
  push_all(v, &p->values, &p->value_top, old, size, p->size_only);
  if (!chain_recomputable(p->chain, e.indices))
    push_all(v, &p->indices, &p->index_top, is, width, p->size_only);
  if (!chain_recomputable(p->chain, e.width)) log_index(v, p, width);
}

static void push_params(Vjp *v, UndoLog *p, ExtraParams *x) {
  if (!p->size_only) p->values = atom_var(extra_param(v, x, p->values));
  p->value_top = atom_var(extra_param(v, x, p->value_top));
  if (!p->size_only) p->indices = atom_var(extra_param(v, x, p->indices));
  p->index_top = atom_var(extra_param(v, x, p->index_top));
}

static void push_results(Vjp *v, const UndoLog *p, Atoms *results) {
  if (!p->size_only) list_push(vjp_arena(v), results, p->values);
  list_push(vjp_arena(v), results, p->value_top);
  if (!p->size_only) list_push(vjp_arena(v), results, p->indices);
  list_push(vjp_arena(v), results, p->index_top);
}

static void push_read(UndoLog *p, Vars bound, int *at) {
  if (!p->size_only) p->values = atom_var(bound.at[(*at)++]);
  p->value_top = atom_var(bound.at[(*at)++]);
  if (!p->size_only) p->indices = atom_var(bound.at[(*at)++]);
  p->index_top = atom_var(bound.at[(*at)++]);
}

// The parameters of a loop that carry stacks; the loop's body is emitted next.
void logs_begin(Vjp *v, UndoLogs *ps, ExtraParams *x) {
  for (int i = 0; i < ps->len; i++) push_params(v, &ps->at[i], x);
}

void logs_end(Vjp *v, UndoLogs *ps, ExtraParams *x) {
  for (int i = 0; i < ps->len; i++) push_results(v, &ps->at[i], &x->results);
}

void logs_read(UndoLogs *ps, Vars bound, int *at) {
  for (int i = 0; i < ps->len; i++) push_read(&ps->at[i], bound, at);
}

// How many values and indices these statements push, where constants say: what branches decide
// counts at its largest.
typedef struct {
  int64_t values, indices;
} LogSize;

static bool constant_most(const UpdateChain *c, Atom a, int64_t *out) {
  Atom most = a.is_var ? largest_choice(c, a, a) : a;
  *out = most.is_var ? 0 : most.value.i;
  return !most.is_var;
}

static bool pushed_by_update(Vjp *v, const UpdateChain *c, const struct update_form *e,
                             LogSize *sum) {
  Type t = var_type(v->w.from, e->array.var);
  int64_t size = 1, n;
  for (int i = 0; i < t.rank; i++) {
    bool given = i < e->slice.len;
    if (given && e->slice.at[i].is_fix) continue;
    if (!constant_most(c, given ? e->slice.at[i].count : t.dims[i], &n)) return false;
    size *= n;
  }
  sum->values += size;
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim d = e->slice.at[i];
    sum->indices +=
        !chain_recomputable(c, d.start) + (!d.is_fix && !chain_recomputable(c, d.count));
  }
  return size <= MOST_PUSHED;
}

static bool pushed_most(Vjp *v, const UpdateChain *c, const Stm *stm, LogSize *sum) {
  const Exp *e = &stm->exp;
  LogSize within = {0};
  int64_t trips;
  if (!map_get(c->stms, KEY(stm))) return true;
  if (e->form == FORM_UPDATE) return pushed_by_update(v, c, &e->update, sum);
  if (e->form != FORM_LOOP || !constant_most(c, e->loop.bound, &trips)) return false;
  if (trips < 0 || trips > MOST_PUSHED) return false;
  for (int i = 0; i < e->loop.fn->body.stms.len; i++)
    if (!pushed_most(v, c, &e->loop.fn->body.stms.at[i], &within)) return false;
  sum->values += trips * within.values;
  sum->indices += trips * within.indices + !chain_recomputable(c, e->loop.bound);
  return sum->values <= MOST_PUSHED && sum->indices <= MOST_PUSHED;
}

// A loop that represents a branch, of one trip or none, counts as made, too, where that is few
// values, whatever is data.
static bool log_bound(Vjp *v, UndoLogs *ps, const Stm *stm) {
  LogSize most[8] = {0};
  if (ps->len > 8 || !stm->exp.loop.bound.is_var) return false;
  for (int i = 0; i < ps->len; i++)
    if (!ps->at[i].size_only || !pushed_most(v, ps->at[i].chain, stm, &most[i])) return false;
  for (int i = 0; i < ps->len; i++) {
    UndoLog *p = &ps->at[i];
    p->value_top = build_op(vjp_builder(v), OP_ADD, p->value_top, atom_i64(most[i].values));
    p->index_top = build_op(vjp_builder(v), OP_ADD, p->index_top, atom_i64(most[i].indices));
  }
  vjp_copy(v, stm);
  return true;
}

static void log_loop(Vjp *v, UndoLogs *ps, const Stm *stm, const Stm *count) {
  const struct loop_form *e = &stm->exp.loop;
  UndoLogs mine = {0};
  for (int i = 0; i < ps->len; i++)
    if (map_get(ps->at[i].chain->stms, KEY(stm))) list_push(vjp_arena(v), &mine, ps->at[i]);
  if (mine.len == 0 && !count) {
    vjp_copy(v, stm);
    return;
  }
  if (!count && log_bound(v, &mine, stm)) {
    for (int i = 0, k = 0; i < ps->len; i++)
      if (map_get(ps->at[i].chain->stms, KEY(stm))) ps->at[i] = mine.at[k++];
    return;
  }
  ExtraParams x = {.count = count};
  Stms *saved;
  Atoms inits = {0};
  for (int k = 0; k < e->inits.len; k++)
    if (!acc_is_erased(v, e->fn->rets.at[k]))
      list_push(vjp_arena(v), &inits, primal_of(v, e->inits.at[k]));
  Lambda *fn = loop_lambda(v, e, &saved);
  logs_begin(v, &mine, &x);
  Vars bound = loop_emit(v, stm, fn, saved, &x, inits, &mine);
  int at = 0;
  logs_read(&mine, bound, &at);
  for (int i = 0, k = 0; i < ps->len; i++) {
    if (!map_get(ps->at[i].chain->stms, KEY(stm))) continue;
    ps->at[i] = mine.at[k++];
    if (!chain_recomputable(ps->at[i].chain, e->bound))
      log_index(v, &ps->at[i], build_width(vjp_builder(v), primal_of(v, e->bound)));
  }
}

// Forward sweep of a scope with pushes in front of updates.
void log_stms(Vjp *v, UndoLogs *ps, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    const Stm *stm = &stms.at[i];
    if (trips_are_counted(v, stms, i)) {
      log_loop(v, ps, &stms.at[++i], stm);
      continue;
    }
    if (ps->len && stm->exp.form == FORM_LOOP) {
      log_loop(v, ps, stm, NULL);
      continue;
    }
    for (int k = 0; stm->exp.form == FORM_UPDATE && k < ps->len; k++)
      if (map_get(ps->at[k].chain->stms, KEY(stm))) log_update(v, &ps->at[k], stm);
    bool rows = stm->exp.form == FORM_SCATTER || stm->exp.form == FORM_HIST;
    for (int k = 0; rows && k < ps->len; k++)
      if (map_get(ps->at[k].chain->stms, KEY(stm))) log_rows(v, &ps->at[k], stm);
    vjp_copy(v, stm);
  }
}

// ---- undoing
static Atom value_there(Vjp *v, const UpdateChain *c, Atom a) {
  if (!varset_has_atom(&c->inside, a)) return primal_of(v, a);
  const Stm *def = map_get(c->defs, a.var.id);
  if (def->exp.form == FORM_CONV) value_there(v, c, def->exp.conv.arg);
  for (int i = 0; def->exp.form == FORM_PRIM && i < def->exp.prim.args.len; i++)
    value_there(v, c, def->exp.prim.args.at[i]);
  rewrite_stm(&v->w, def);
  return primal_of(v, a);
}

static Atom pop_index(Vjp *v, Undo *u) {
  Builder *b = vjp_builder(v);
  u->index_top = build_op(b, OP_SUB, u->index_top, atom_i64(1));
  return build_index(b, u->indices, atoms1(vjp_arena(v), u->index_top));
}

static Atom there_or_pop(Vjp *v, Undo *u, Atom a) {
  return chain_recomputable(u->chain, a) ? value_there(v, u->chain, a) : pop_index(v, u);
}

static void undo_update(Vjp *v, Undo *u, const Stm *stm) {
  Builder *b = vjp_builder(v);
  const struct update_form *e = &stm->exp.update;
  Slice slice = {0};
  for (int i = 0; i < e->slice.len; i++) {
    SliceDim d = e->slice.at[i];
    if (!d.is_fix) d.stride = value_there(v, u->chain, d.stride);
    list_push(vjp_arena(v), &slice, d);
  }
  for (int i = e->slice.len - 1; i >= 0; i--) {
    if (!slice.at[i].is_fix) slice.at[i].count = there_or_pop(v, u, e->slice.at[i].count);
    slice.at[i].start = there_or_pop(v, u, e->slice.at[i].start);
  }
  Type type = atom_type(b->prog, u->object), part = type_fresh(type);
  Atom size = slice_size(v, slice, type), old;
  u->value_top = build_op(b, OP_SUB, u->value_top, size);
  Atoms dims = {0};
  for (int i = 0; i < type.rank; i++)
    if (i >= slice.len) list_push(vjp_arena(v), &dims, type.dims[i]);
    else if (!slice.at[i].is_fix) list_push(vjp_arena(v), &dims, slice.at[i].count);
  part = type_array_dims(vjp_arena(v), type_scalar(type.prim), dims);
  if (dims.len == 0) old = build_index(b, u->values, atoms1(vjp_arena(v), u->value_top));
  else old = build_fit(b, build_slice(b, u->values, u->value_top, size), part);
  u->object = build_slice_update(b, u->object, slice, old, true);
}

static Atom pop_all(Vjp *v, Atom stack, Atom *top, Atom size) {
  *top = build_op(vjp_builder(v), OP_SUB, *top, size);
  return build_slice(vjp_builder(v), stack, *top, size);
}

// Where indices are equal, so are the rows that were there.
static void undo_rows(Vjp *v, Undo *u, const Stm *stm) {
  const Rows e = written_rows(u->chain->prog, &stm->exp);
  Builder *b = vjp_builder(v);
  Type rows = type_fresh(atom_type(b->prog, u->object));
  Atom width = there_or_pop(v, u, e.width), size = width, is = e.indices;
  for (int i = 1; i < rows.rank; i++) size = build_op(b, OP_MUL, size, rows.dims[i]);
  is = chain_recomputable(u->chain, is) ? value_there(v, u->chain, is)
                              : pop_all(v, u->indices, &u->index_top, width);
  Atom old = pop_all(v, u->values, &u->value_top, size);
  rows = type_array(vjp_arena(v), type_row(rows), width);
  u->object = build_scatter(b, width, u->object, is, build_fit(b, old, rows));
}

static void undo_loop(Vjp *v, Undo *u, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  bool there = chain_recomputable(u->chain, e->bound);
  Atom trips = there ? build_width(b, value_there(v, u->chain, e->bound)) : pop_index(v, u);
  if (!u->inside) trips_known(v, e->bound, trips);
  Types params = {0};
  Atoms inits = atoms3(arena, u->object, u->value_top, u->index_top);
  list_push(arena, &params, type_scalar(PRIM_I64));
  for (int k = 0; k < 3; k++)
    list_push(arena, &params, type_fresh(atom_type(b->prog, inits.at[k])));
  params.at[1].unique = true;
  LambdaBuilder lb = lambda_begin(b, "undo", params);
  Builder outer = v->w.to;
  v->w.to = lb.inner;
  Atoms p = atoms_of_vars(arena, lb.lambda->params);
  Undo inner = *u;
  inner.inside = true;
  inner.object = p.at[1], inner.value_top = p.at[2], inner.index_top = p.at[3];
  Builder *in = vjp_builder(v);
  Atom i = build_op(in, OP_SUB, build_op(in, OP_SUB, trips, atom_i64(1)), p.at[0]);
  Var source = e->fn->params.at[0];
  rewrite_bind(&v->w, source, build_conv(in, var_type(v->w.from, source).prim, i));
  undo_stms(v, &inner, e->fn->body.stms);
  v->w.to = outer;
  Lambda *fn = lambda_end(&lb, atoms3(arena, inner.object, inner.value_top, inner.index_top));
  fn->rets.at[0].unique = true;
  Exp exp = {.form = FORM_LOOP,
             .loop = {.is_for = true, .bound = trips, .inits = inits, .fn = fn}};
  Types types = types_of_atoms(b->prog, inits);
  Vars out = build_many(vjp_builder(v), "undone", types, exp);
  u->object = atom_var(out.at[0]);
  u->value_top = atom_var(out.at[1]);
  u->index_top = atom_var(out.at[2]);
}

// The object as it was before these statements.
void undo_stms(Vjp *v, Undo *u, Stms stms) {
  for (int i = stms.len - 1; i >= 0; i--) {
    const Stm *stm = &stms.at[i];
    if (!map_get(u->chain->stms, KEY(stm))) continue;
    if (stm->exp.form == FORM_UPDATE) undo_update(v, u, stm);
    else if (stm->exp.form == FORM_LOOP) undo_loop(v, u, stm);
    else undo_rows(v, u, stm);
  }
}
