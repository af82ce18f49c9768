// How many states the derivative of a loop may hold (checkpoint.c): what its attributes say, or as
// many as fit into what the memory limit of the run leaves when the loop starts; and whether tapes of all
// iterations fit into that.
#include "pushed.h"

enum { PLACE = sizeof(int64_t) };  // where a state held starts

static Atom bytes_of(Vjp *v, Type t) {
  Builder *b = vjp_builder(v);
  Type now_t = rewrite_type(&v->w, type_fresh(t));
  return build_op(b, OP_MUL, element_count(b, now_t), atom_i64(prim_info[t.prim].bytes));
}

// The block of an array of so many bytes.
static Atom block_bytes(Builder *b, Atom bytes) { return build_op1(b, OP_BLOCK_BYTES, bytes); }

static Atom state_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Atom sum = atom_i64(PLACE);
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == CLASS_TAPED)
      sum = build_op(vjp_builder(v), OP_ADD, sum,
                     bytes_of(v, var_type(v->w.from, e->fn->params.at[1 + k])));
  return sum;
}

static Atom store_bytes(Vjp *v, const LoopStore *store) {
  Atom sum = atom_i64(0);
  for (int k = 0; store && k < store->kept.len; k++)
    sum = build_op(vjp_builder(v), OP_ADD, sum,
                   bytes_of(v, var_type(v->w.from, store->kept.at[k])));
  return sum;
}

// ---- what one iteration of the return loop takes besides states
// How a form's arrays count: maps may fuse with what reads them, updates make nothing, of views that
// turn things round only the adjoint is made; scans run over adjoints as well.
typedef enum { MAKES_NOTHING, MAKES_FUSIBLE, MAKES_ARRAYS, MAKES_ADJOINT } Makes;

static Makes form_makes(Form form) {
  switch (form) {
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_IOTA:
    case FORM_REPLICATE: case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX:
    case FORM_FLATUPDATE: case FORM_RESHAPE: case FORM_MATCH: case FORM_LOOP: case FORM_ASSERT:
    case FORM_UPDATEACC: case FORM_WITHACC: case FORM_HIST: case FORM_SCATTER:
    case FORM_CONSTANT: case FORM_COUNT:
      return MAKES_NOTHING;
    case FORM_MAP: case FORM_SCREMA: case FORM_LITERAL: return MAKES_FUSIBLE;
    case FORM_COPY: case FORM_SCRATCH: case FORM_CONCAT: case FORM_ROTATE: case FORM_APPLY:
    case FORM_REDUCE: case FORM_SCAN: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_BLOCKS:
      return MAKES_ARRAYS;
    case FORM_REARRANGE: case FORM_REVERSE: return MAKES_ADJOINT;
  }
  return MAKES_NOTHING;
}

// Bytes of what an iteration makes on the way to its results: twice that, with adjoints; or once.
// Parts put together: what is contributed to them is added up in arrays of their own.
typedef struct {
  Bound m;
  Atom fusible, arrays, once, parts;
} Iteration;

static bool is_result(const struct loop_form *e, Var v) {
  for (int k = 0; k < e->inits.len; k++)
    if (atom_is_var(e->fn->body.results.at[k], v)) return true;
  return false;
}

static void add_block(Vjp *v, Atom *sum, Atom bytes) {
  *sum = build_op(vjp_builder(v), OP_ADD, *sum, block_bytes(vjp_builder(v), bytes));
}

static Atom add_bytes(Vjp *v, Atom sum, Type t) {
  add_block(v, &sum, bytes_of(v, t));
  return sum;
}

// False where the size has no bound outside the iteration.
static bool made_bytes(Iteration *it, Type t, Atom *bytes) {
  it->m.known = t.rank > 0 && !t.is_acc;
  *bytes = it->m.known ? bound_bytes(&it->m, t) : atom_i64(0);
  return it->m.known;
}

static void iteration_add(Vjp *v, Iteration *it, const struct loop_form *e);

// The stacks of an object of a loop within, where there is a bound.
static void undone_add(Vjp *v, Iteration *it, const struct loop_form *e, int k, Atom trips) {
  const Chain *c = e->is_for ? chain_find(v->w.from, vjp_arena(v), e, k) : NULL;
  Atoms bytes = {0};
  it->m.known = true;
  if (c) bound_pushed(&it->m, e, k, c, &bytes);
  for (int i = 0; it->m.known && i < bytes.len; i++)
    add_block(v, &it->once, build_op(vjp_builder(v), OP_MUL, trips, bytes.at[i]));
}

// A loop within tapes one value of each parameter that is neither the same in all iterations nor
// updated in place; two more are its state, two its adjoint.
static void loop_add(Vjp *v, Iteration *it, const struct loop_form *e) {
  Builder *b = vjp_builder(v);
  Atom row = atom_i64(0), bytes;
  it->m.known = e->is_for;
  Atom trips = e->is_for ? bound_most(&it->m, e->bound) : atom_i64(0);
  if (!it->m.known) trips = atom_i64(0);
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[e->is_for + k];
    Type t = var_type(v->w.from, p);
    if (t.unique) undone_add(v, it, e, k, trips);
    if (t.unique || atom_is_var(e->fn->body.results.at[k], p)) continue;
    if (made_bytes(it, t, &bytes)) add_block(v, &row, bytes);
  }
  row = build_op(b, OP_MUL, build_op(b, OP_ADD, trips, atom_i64(2)), row);
  it->once = build_op(b, OP_ADD, it->once, row);
  iteration_add(v, it, e);
}

static void blocks_add(Vjp *v, Iteration *it, Atom *sum, Atoms arrays) {
  Atom bytes;
  for (int k = 0; k < arrays.len; k++)
    if (made_bytes(it, atom_type(v->w.from, arrays.at[k]), &bytes)) add_block(v, sum, bytes);
}

// Rows that a scatter writes one by one come from arrays of their own; return code has adjoints of them,
// what was there, which of equal indices is the last, and what that is found with (doc/ad.md 4.11).
static void scatter_add(Vjp *v, Iteration *it, const struct scatter_form *e) {
  Atoms values = atoms_slice(e->inputs, 1, e->inputs.len - 1);
  blocks_add(v, it, &it->once, e->inputs);
  blocks_add(v, it, &it->once, e->inputs);
  blocks_add(v, it, &it->once, values);
  blocks_add(v, it, &it->once, atoms1(vjp_arena(v), e->dests.at[0]));
}

// Rows of histograms may fuse; what an operator that does not add makes of them is as large again, and so
// are its results.
static void hist_add(Vjp *v, Iteration *it, const Stm *stm) {
  if (rule_is_sum(v->w.from, stm->exp.hist.op)) return;
  blocks_add(v, it, &it->fusible, stm->exp.hist.inputs);
  blocks_add(v, it, &it->fusible, atoms_of_vars(vjp_arena(v), stm->bound));
}

static void made_add(Vjp *v, Iteration *it, Makes makes, Form form, Type t) {
  Atom bytes;
  if (!made_bytes(it, t, &bytes)) return;
  if (makes == MAKES_ARRAYS) add_block(v, &it->arrays, bytes);
  if (makes == MAKES_FUSIBLE) add_block(v, &it->fusible, bytes);
  if (makes == MAKES_ADJOINT || form == FORM_SCAN) add_block(v, &it->once, bytes);
  if (form == FORM_CONCAT || form == FORM_ROTATE) add_block(v, &it->parts, bytes);
}

static void iteration_add(Vjp *v, Iteration *it, const struct loop_form *e) {
  for (int i = 0; i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    Form form = stm->exp.form;
    Makes makes = form_makes(form);
    if (form == FORM_LOOP) loop_add(v, it, &stm->exp.loop);
    if (form == FORM_HIST) hist_add(v, it, stm);
    if (form == FORM_SCATTER) scatter_add(v, it, &stm->exp.scatter);
    for (int k = 0; makes != MAKES_NOTHING && k < stm->bound.len; k++)
      if (!is_result(e, stm->bound.at[k]))
        made_add(v, it, makes, form, var_type(v->w.from, stm->bound.at[k]));
  }
}

static Iteration iteration_of(Vjp *v, const struct loop_form *e) {
  Atom none = atom_i64(0);
  Iteration it = {bound_new(vjp_builder(v), &v->w, v->w.from, e), none, none, none, none};
  iteration_add(v, &it, e);
  return it;
}

// The adjoints of arrays from outside that the body reads.
static Atom free_bytes(Vjp *v, const struct loop_form *e) {
  Vars free = frees_of_lambda(v->needs.frees, e->fn);
  Atom sum = atom_i64(0);
  for (int i = 0; i < free.len; i++) {
    Type t = var_type(v->w.from, free.at[i]);
    if (t.rank && !t.is_acc && varset_has(&v->active, free.at[i])) sum = add_bytes(v, sum, t);
  }
  return sum;
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

// What `dagaz explain` calls it in formulas.
static Atom named(Builder *b, Atom x, const char *name) {
  if (x.is_var) b->prog->vars.at[x.var.id].base = name;
  return x;
}

// The bound of log2 states: with as many the number of executions grows like log2 as well.
static Atom log_slots(Builder *b, Atom trips) {
  Atom zeros = build_conv(b, PRIM_I64, named(b, build_op1(b, OP_CLZ, trips), "zeros"));
  return build_op(b, OP_SUB, atom_i64(65), zeros);
}

// c l^(1/c), which c nested loops of l^(1/c) trips would hold; the schedule then executes no iteration more
// than c times: C(s+c, c) >= l.  Roundings may give c more.
static Atom strip_slots(Builder *b, Atom trips, int c) {
  Atom n = build_conv(b, PRIM_F64, trips);
  Atom root = build_op1(b, OP_CEIL, build_op(b, OP_POW, n, atom_number(PRIM_F64, 1.0 / c)));
  return build_op(b, OP_MUL, atom_i64(c), build_conv(b, PRIM_I64, named(b, root, "root")));
}

// The loop fails before it starts where the budget is less than it needs at the least.
static void assert_fits(Builder *b, Atom need, Atom budget, Atom trips) {
  Atom enough = build_op(b, OP_LE, need, budget);
  Atom ok = build_op(b, OP_OR, enough, build_op(b, OP_LE, trips, atom_i64(1)));
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = ok,
                        .message = "the derivative of a loop needs %d bytes at least, "
                                   "and the memory limit leaves %d bytes for it",
                        .args = atoms2(b->prog->arena, need, budget)}};
  build_stm(b, (Stm){.exp = exp, .loc = b->loc});
}

// Rows of tape that fit into so many bytes; at least one.
Atom store_rows(Vjp *v, const LoopStore *store, bool limited, Atom bytes) {
  Builder *b = vjp_builder(v);
  Atom row = build_op(b, OP_MAX, store_bytes(v, store), atom_i64(1));
  Atom rows = build_quot(b, bytes, row), most = rows;
  for (int k = 0; limited && k < store->kept.len; k++) {
    Atom each = bytes_of(v, var_type(v->w.from, store->kept.at[k]));
    Atom fit = build_op1(b, OP_WITHIN_BLOCK, build_op(b, OP_MUL, rows, each));
    fit = build_quot(b, fit, build_op(b, OP_MAX, each, atom_i64(1)));
    most = build_op(b, OP_MIN, most, fit);
  }
  return build_op(b, OP_MAX, most, atom_i64(1));
}

// The bytes of s states; arrays of no bytes have no block.
Atom states_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save, bool limited, Atom s) {
  Builder *b = vjp_builder(v);
  Atom sum = atom_i64(0);
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (save->tapes[k].class != CLASS_TAPED || t.rank == 0) continue;
    Atom bytes = build_op(b, OP_MUL, s, bytes_of(v, t));
    sum = build_op(b, OP_ADD, sum, limited ? block_bytes(b, bytes) : bytes);
  }
  return sum;
}

// Bytes of the arrays of a state.
static Atom array_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  return states_bytes(v, e, save, false, atom_i64(1));
}

static Atom twice(Builder *b, Atom x) { return build_op(b, OP_MUL, atom_i64(2), x); }

// Bytes that an iteration takes besides states; `fusible` where its maps do not fuse.
typedef struct {
  Atom always, fusible, parts;
} Work;

static Work iteration_work(Vjp *v, const struct loop_form *e) {
  Builder *b = vjp_builder(v);
  Iteration it = iteration_of(v, e);
  Atom free = free_bytes(v, e), once = build_op(b, OP_ADD, it.once, free);
  return (Work){build_op(b, OP_ADD, twice(b, it.arrays), once),
                build_op(b, OP_ADD, twice(b, it.fusible), free), it.parts};
}

// What is left of so many bytes for states of blocks and their tapes.  With s states there are s + 1
// rows, of which the caller has the first; besides them the adjoint, what is made of it or the state in
// between while the loop advances, and what an iteration makes, with adjoints.  Scalars are in blocks of
// their own; the places are of fixed number, in the C frame, and what a step makes for the tape is made
// there (imp/place.c).
static Room room_blocks(Vjp *v, const Stm *stm, const LoopSave *save, Atom state, Atom left) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  Atom blocks = states_bytes(v, e, save, true, atom_i64(1));
  Work it = iteration_work(v, e);
  Atom work = build_op(b, OP_ADD, build_op(b, OP_ADD, twice(b, blocks), it.always), it.parts);
  assert_fits(b, build_op(b, OP_ADD, work, blocks), left, save->trips);
  work = build_op(b, OP_ADD, work, it.fusible);
  Atom room = build_op(b, OP_SUB, left, work);
  Atom rows = build_op(b, OP_ADD, build_quot(b, room, state), atom_i64(8));
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  room = build_op(b, OP_SUB, room, build_op(b, OP_MUL, twice(b, small), rows));
  room = build_op(b, OP_MAX, room, atom_i64(1));
  return (Room){build_quot(b, room, build_op(b, OP_MAX, arrays, atom_i64(1))), room, true};
}

// States that may be held within so many bytes, the first in the caller's memory: besides them the state
// at hand, its adjoint, and the next of either.  Rows of scalars are in blocks of their own.
static Atom states_within(Vjp *v, const Stm *stm, const LoopSave *save, Atom state, Atom left) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  Atom blocks = states_bytes(v, e, save, true, atom_i64(1));
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  state = build_op(b, OP_ADD, arrays, twice(b, small));
  Work it = iteration_work(v, e);
  Atom work = build_op(b, OP_ADD, it.always, build_op(b, OP_MUL, blocks, atom_i64(3)));
  assert_fits(b, work, left, save->trips);
  work = build_op(b, OP_ADD, work, it.fusible);
  return build_op3(b, OP_STATES, build_op(b, OP_SUB, left, work), state, save->trips);
}

static Room whole_states(Builder *b, Atom slots, Atom state) {
  return (Room){slots, build_op(b, OP_MUL, slots, state), false};
}

// 1 <= slots <= l, where l is 0 without a store 1, with one 0.
Room checkpoint_room(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atom state = state_bytes(v, &stm->exp.loop, save), one = atom_i64(1);
  Room room;
  if (stm->attrs.checkpoint > 0) {
    room = whole_states(b, atom_i64(stm->attrs.checkpoint), state);
  } else if (stm->attrs.memory_limit) {
    Atom budget = atom_i64(stm->attrs.memory_limit);
    assert_fits(b, twice(b, state), budget, save->trips);
    Atom slots = build_op(b, OP_SUB, named(b, build_quot(b, budget, state), "states"), one);
    room = whole_states(b, slots, state);
  } else if (stm->attrs.checkpoint < 0) {
    room = whole_states(b, log_slots(b, save->trips), state);
  } else if (!stm->attrs.memory_share) {
    room = whole_states(b, strip_slots(b, save->trips, stm->attrs.stripmine), state);
  } else {
    Atom left = build_quot(b, memory_left(b), atom_i64(stm->attrs.memory_share));
    if (!save->store) return (Room){.slots = states_within(v, stm, save, state, left)};
    room = room_blocks(v, stm, save, state, left);
  }
  if (save->store) room.slots = build_op(b, OP_MIN, build_op(b, OP_MAX, room.slots, one), save->trips);
  else room.slots = build_op(b, OP_MAX, build_op(b, OP_MIN, room.slots, save->trips), one);
  return room;
}

// Besides the tapes there are the adjoint of the state and what an iteration makes.
void budget_check(Vjp *v, const Stm *stm, Types tapes, Atom trips) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  if (tapes.len == 0) return;
  Iteration it = iteration_of(v, e);
  Atom need = build_op(b, OP_ADD, build_op(b, OP_ADD, it.arrays, it.once), free_bytes(v, e)), state;
  for (int k = 0; k < e->inits.len; k++)
    if (made_bytes(&it, var_type(v->w.from, e->fn->params.at[e->is_for + k]), &state))
      add_block(v, &need, state);
  for (int k = 0; k < tapes.len; k++)
    add_block(v, &need, build_op(b, OP_MUL, element_count(b, tapes.at[k]),
                                 atom_i64(prim_info[tapes.at[k].prim].bytes)));
  Atom left = build_quot(b, memory_left(b), atom_i64(stm->attrs.memory_share));
  assert_fits(b, need, left, trips);
}
