// How many states the derivative of a loop may hold (checkpoint.c): what its attributes say, or as
// many as fit into what the memory limit of the run leaves when the loop starts; and whether tapes
// of all iterations fit into that.
#include "loop_memory.h"

enum { PLACE = sizeof(int64_t) };  // where a stored state starts

// With a store: states that may be stored, the bytes that they and its tape may take (limited:
// those of the run's limit, in blocks of the runtime).
typedef struct {
  Atom slots, bytes;
  bool limited;
} StateBudget;

static Atom bytes_of(Vjp *v, Type t) {
  return build_op(vjp_builder(v), OP_MUL, elements_of(v, t), atom_i64(prim_info[t.prim].bytes));
}

// The block of an array of so many bytes.
static Atom block_bytes(Builder *b, Atom bytes) { return build_op1(b, OP_BLOCK_BYTES, bytes); }

static Atom state_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Atom sum = atom_i64(PLACE);
  for (int k = 0; k < e->inits.len; k++)
    if (save->tapes[k].class == TAPE_ROWS)
      sum = build_op(vjp_builder(v), OP_ADD, sum,
                     bytes_of(v, var_type(v->w.from, e->fn->params.at[1 + k])));
  return sum;
}

static Atom store_bytes(Vjp *v, const ScalarTape *store) {
  Atom sum = atom_i64(0);
  for (int k = 0; store && k < store->kept.len; k++)
    sum = build_op(vjp_builder(v), OP_ADD, sum,
                   bytes_of(v, var_type(v->w.from, store->kept.at[k])));
  return sum;
}

// Bytes that the loop may still allocate, huge where the run has no limit; those that it needs.
typedef struct {
  Atom left, need;
} Memory;

static Memory memory_for(Vjp *v, int share, Atom trips, Footprint arrays, Footprint later) {
  Builder *b = vjp_builder(v);
  Exp exp = {.form = FORM_MEMORYLEFT,
             .memoryleft = {.most = atom_i64(INT64_C(1) << 60), .share = share, .trips = trips,
                            .counts = arrays.counts, .bytes = arrays.bytes,
                            .later = later.counts, .later_bytes = later.bytes}};
  Types types = {0};
  for (int k = 0; k < 2; k++) list_push(vjp_arena(v), &types, type_scalar(PRIM_I64));
  Attrs saved = b->attrs;
  b->attrs.opaque = true;
  Vars bound = build_many(b, "left", types, exp);
  b->attrs = saved;
  return (Memory){atom_var(bound.at[0]), atom_var(bound.at[1])};
}

Atom footprint_bytes(Vjp *v, Footprint arrays) {
  return memory_for(v, 1, atom_i64(2), arrays, (Footprint){0}).need;
}

// The name that `dagaz explain` gives it in formulas.
static Atom named(Builder *b, Atom x, const char *name) {
  if (x.is_var) b->prog->vars.at[x.var.id].base = name;
  return x;
}

// c l^(1/c), which c nested loops of l^(1/c) trips would hold; the schedule then executes no
// iteration more than c times: C(s+c, c) >= l.  Roundings may give c more.
static Atom stripmine_slots(Builder *b, Atom trips, int c) {
  Atom n = build_conv(b, PRIM_F64, trips);
  Atom root = build_op1(b, OP_CEIL, build_op(b, OP_POW, n, atom_number(PRIM_F64, 1.0 / c)));
  return build_op(b, OP_MUL, atom_i64(c), build_conv(b, PRIM_I64, named(b, root, "root")));
}

// The loop fails before it starts where the budget is less than it needs at the least.
static void assert_fits(Builder *b, Atom need, Atom budget) {
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = build_op(b, OP_LE, need, budget),
                        .message = "the derivative of a loop needs %d bytes at least, "
                                   "and the memory limit leaves %d bytes for it",
                        .args = atoms2(b->prog->arena, need, budget)}};
  build_stm(b, (Stm){.exp = exp, .loc = b->loc});
}

static Memory memory_fits(Vjp *v, const Stm *stm, Atom trips, Footprint arrays, Footprint later) {
  Memory m = memory_for(v, stm->attrs.memory_fraction, trips, arrays, later);
  assert_fits(vjp_builder(v), m.need, m.left);
  return m;
}

// Rows of tape that fit into so many bytes.
static Atom store_rows(Vjp *v, const ScalarTape *store, bool limited, Atom bytes) {
  Builder *b = vjp_builder(v);
  Atom row = build_op(b, OP_MAX, store_bytes(v, store), atom_i64(1));
  Atom rows = build_quot(b, bytes, row), most = rows, last = atom_none();
  for (int k = 0; limited && k < store->kept.len; k++) {
    Atom each = bytes_of(v, var_type(v->w.from, store->kept.at[k]));
    Atom fit = build_op(b, OP_WITHIN_BLOCK, rows, each);
    if (!atom_same(each, last)) most = k == 0 ? fit : build_op(b, OP_MIN, most, fit);
    last = each;
  }
  return most;
}

// The bytes of s states; arrays of no bytes have no block.
static Atom states_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save, bool limited,
                         Atom s) {
  Builder *b = vjp_builder(v);
  Atom sum = atom_i64(0);
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (save->tapes[k].class != TAPE_ROWS || t.rank == 0) continue;
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

// A state and what an iteration takes besides, if its maps do not fuse.
typedef struct {
  Footprint state, made, parts, after;
} WorkingSet;

// The arrays of a state; or, float, of parameters that no state has.
static Footprint param_arrays(Vjp *v, const struct loop_form *e, const LoopSave *save,
                              bool in_state) {
  Footprint sum = {0};
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    bool taped = save->tapes[k].class == TAPE_ROWS;
    if (t.rank && taped == in_state && (in_state || prim_is_float(t.prim)))
      footprint_add_type(v, &sum, t);
  }
  return sum;
}

// Parameters that no state has have adjoints, and the next of these.
static WorkingSet work_of(Vjp *v, const Stm *stm, const LoopSave *save) {
  const struct loop_form *e = &stm->exp.loop;
  Iteration it = iteration_of(v, e);
  AfterLoop after = after_loop_of(v, stm);
  Footprint free = free_arrays(v, e),
            once = footprint_union(v, it.once, footprint_union(v, free, free));
  Footprint made = footprint_union(v, it.arrays, it.fusible);
  Footprint others = param_arrays(v, e, save, false);
  once =
      footprint_union(v, footprint_union(v, once, after.kept), footprint_union(v, others, others));
  return (WorkingSet){param_arrays(v, e, save, true),
                      footprint_union(v, footprint_union(v, made, made), once), it.parts,
                      after.made};
}

// The memory left for states of blocks and their tapes.  With s states there are s + 1
// rows, of which the caller has the first; besides them the adjoint, what is made of it or the
// state in between while the loop advances, and what an iteration makes, with adjoints.  Scalars
// are in blocks of their own; the places are of fixed number, in the C frame, and what a step makes
// for the tape is made there (imp/lower/copy_elision.c).
static StateBudget state_budget_blocks(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  WorkingSet w = work_of(v, stm, save);
  Footprint work =
      footprint_union(v, footprint_union(v, w.state, w.state), footprint_union(v, w.made, w.parts));
  Footprint least = footprint_union(v, work, w.state), later = footprint_union(v, w.after, w.state);
  Memory m = memory_fits(v, stm, save->trips, least, w.after.counts.len ? later : w.after);
  Memory besides = memory_for(v, stm->attrs.memory_fraction, save->trips, work, w.after);
  Atom room = build_op(b, OP_SUB, m.left, besides.need);
  Atom rows = build_op(b, OP_ADD, build_quot(b, room, state), atom_i64(8));
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  room = build_op(b, OP_SUB, room, build_op(b, OP_MUL, twice(b, small), rows));
  room = build_op(b, OP_MAX, room, atom_i64(1));
  return (StateBudget){build_quot(b, room, build_op(b, OP_MAX, arrays, atom_i64(1))), room, true};
}

// States that may be stored besides the first, which is in the caller's memory: there is room for
// the current state, too, its adjoint, and the next of either.  Rows of scalars are in blocks of
// their own.
static Atom states_within(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  state = build_op(b, OP_ADD, arrays, twice(b, small));
  WorkingSet w = work_of(v, stm, save);
  Footprint work =
      footprint_union(v, w.made, footprint_union(v, w.state, footprint_union(v, w.state, w.state)));
  Memory m = memory_fits(v, stm, save->trips, work, w.after);
  return build_op3(b, OP_STATES, build_op(b, OP_SUB, m.left, m.need), state, save->trips);
}

// The number of states that a memory limit of so many bytes allows: two at least, or all.
static Atom limit_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  Atom budget = atom_i64(stm->attrs.memory_limit), one = atom_i64(1);
  Atom once = build_op(b, OP_LE, save->trips, one);
  assert_fits(b, build_select(b, once, atom_i64(0), twice(b, state)), budget);
  return build_op(b, OP_SUB, named(b, build_quot(b, budget, state), "states"), one);
}

// How many states the loop's attributes allow; -1: about log2 of the trips, with which the number
// of executions grows like log2 as well.
static Atom asked_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  const Attrs *a = &stm->attrs;
  if (a->checkpoint > 0) return atom_i64(a->checkpoint);
  if (a->memory_limit) return limit_slots(v, stm, save, state);
  if (a->checkpoint < 0) return atom_i64(-1);
  return stripmine_slots(vjp_builder(v), save->trips, a->stripmine);
}

static bool is_asked(const Attrs *a) {
  return a->checkpoint || a->memory_limit || !a->memory_fraction;
}

// The stored states besides the first: 0 <= rows < l.
Atom checkpoint_rows(Vjp *v, const Stm *stm, const LoopSave *save) {
  Atom state = state_bytes(v, &stm->exp.loop, save);
  if (!is_asked(&stm->attrs)) return states_within(v, stm, save, state);
  Builder *b = vjp_builder(v);
  return named(b, build_op(b, OP_ROWS, asked_slots(v, stm, save, state), save->trips), "states");
}

// With a store: 1 <= slots <= l, where l is 0 none.
static StateBudget state_budget(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atom state = state_bytes(v, &stm->exp.loop, save), one = atom_i64(1);
  StateBudget room;
  if (is_asked(&stm->attrs)) {
    Atom slots = asked_slots(v, stm, save, state);
    if (atom_is(slots, -1))
      slots = build_op(b, OP_ADD, build_op(b, OP_ROWS, slots, save->trips), one);
    room = (StateBudget){slots, build_op(b, OP_MUL, slots, state), false};
  } else {
    room = state_budget_blocks(v, stm, save, state);
  }
  room.slots = build_op(b, OP_MIN, build_op(b, OP_MAX, room.slots, one), save->trips);
  return room;
}

// Of the memory some is for s states, of which the caller has the first, and the row on the way to
// a block, the rest for the tape of blocks of g iterations; in the way that advances least,
//
//   advances = g (r L - C(s+r-1, s) (s+r) / (s+1)) - r d     L = blocks, r: checkpoint.c
//
// over s <= MOST_SLOTS.
static Division divide_room(Vjp *v, const struct loop_form *e, const LoopSave *save,
                            StateBudget room) {
  Builder *b = vjp_builder(v);
  Prog *prog = b->prog;
  Atom one = atom_i64(1);
  Atom most = build_op(b, OP_MIN, room.slots, atom_i64(MOST_SLOTS));
  Types types = {0};
  for (int k = 0; k < 4; k++) list_push(prog->arena, &types, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(b, "best", types);
  Builder *in = &lb.inner, outer = v->w.to;
  Atoms p = atoms_of_vars(prog->arena, lb.lambda->params);
  Atom s = build_op(in, OP_ADD, p.at[0], one);
  v->w.to = *in;
  Atom spare = build_op(in, OP_SUB, room.bytes, states_bytes(v, e, save, room.limited, s));
  Atom g = store_rows(v, save->store, room.limited, spare);
  v->w.to = outer;
  Atom cost = build_op3(in, OP_ADVANCES, save->trips, s, g);
  Atom better = build_op(in, OP_LT, cost, p.at[1]);
  Atoms results = atoms3(prog->arena, build_select(in, better, cost, p.at[1]),
                         build_select(in, better, s, p.at[2]),
                         build_select(in, better, g, p.at[3]));
  Lambda *fn = lambda_end(&lb, results);
  Atoms inits = atoms3(prog->arena, atom_i64(INT64_MAX), one, one);
  types = types_of_atoms(prog, inits);
  Exp exp = {.form = FORM_LOOP, .loop = {.is_for = true, .bound = most, .inits = inits, .fn = fn}};
  Vars out = build_many(b, "states", types, exp);
  prog->vars.at[out.at[2].id].base = "rows";
  Atom block = build_op(b, OP_MAX, build_op(b, OP_MIN, atom_var(out.at[2]), save->trips), one);
  return (Division){build_op(b, OP_MIN, atom_var(out.at[1]), room.slots), block};
}

Division checkpoint_divide(Vjp *v, const Stm *stm, const LoopSave *save) {
  return divide_room(v, &stm->exp.loop, save, state_budget(v, stm, save));
}

// Besides the tapes there are the adjoint of the state and what an iteration makes, or what comes
// after.
void budget_check(Vjp *v, const Stm *stm, Types tapes, Atom trips) {
  const struct loop_form *e = &stm->exp.loop;
  if (tapes.len == 0) return;
  Iteration it = iteration_of(v, e);
  AfterLoop after = after_loop_of(v, stm);
  Footprint need = footprint_union(v, footprint_union(v, it.arrays, it.once),
                                   footprint_union(v, free_arrays(v, e), after.kept));
  Footprint held = {0};
  Vars params = e->fn->params;
  for (int k = e->is_for; k < params.len; k++)
    footprint_add_all(vjp_arena(v), &need, alloc_array(v, &it, var_type(v->w.from, params.at[k])));
  for (int k = 0; k < tapes.len; k++)
    footprint_add(vjp_arena(v), &held, element_count(vjp_builder(v), tapes.at[k]),
                  tapes.at[k].prim);
  if (after.made.counts.len) after.made = footprint_union(v, after.made, held);
  memory_fits(v, stm, trips, footprint_union(v, need, held), after.made);
}
