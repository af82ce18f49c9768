// How many states the derivative of a loop may hold (checkpoint.c): what its attributes say, or as
// many as fit into what the memory limit of the run leaves when the loop starts; and whether tapes
// of all iterations fit into that.
#include "checkpoint.h"

enum { PLACE = sizeof(int64_t) };  // where a stored state starts

// With a store: states that may be stored, the bytes that they and its tape may take (limited:
// those of the run's limit, in blocks of the runtime).
typedef struct {
  Atom slots, bytes;
  bool limited;
} StateBudget;

static Atom bytes_of(Vjp *v, Type t) {
  Atom elements = element_count(vjp_builder(v), rewrite_type(&v->w, type_fresh(t)));
  return build_op(vjp_builder(v), OP_MUL, elements, atom_i64(prim_info[t.prim].bytes));
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

// One row of each tape; limited: in blocks of their own.
static Atom row_bytes(Vjp *v, const ScalarTape *store, bool limited) {
  Builder *b = vjp_builder(v);
  Atom sum = atom_i64(0);
  for (int k = 0; store && k < store->kept.len; k++) {
    Atom bytes = bytes_of(v, var_type(v->w.from, store->kept.at[k]));
    sum = build_op(b, OP_ADD, sum, limited ? block_bytes(b, bytes) : bytes);
  }
  return sum;
}

// left: the bytes that the loop may allocate, huge where the run has no limit.  need: the part of
// these that other arrays than the loop's snapshots and tapes take, until its derivative has ended.
typedef struct {
  Atom left, need;
} Memory;

static Memory memory_for(Vjp *v, int share, Atom least) {
  Builder *b = vjp_builder(v);
  Exp exp = {.form = FORM_MEMORYLEFT,
             .memoryleft = {.most = atom_i64(INT64_C(1) << 60), .share = share, .least = least}};
  Types types = {0};
  for (int k = 0; k < 2; k++) list_push(vjp_arena(v), &types, type_scalar(PRIM_I64));
  Attrs saved = b->attrs;
  b->attrs.opaque = true;
  Vars bound = build_many(b, "left", types, exp);
  b->attrs = saved;
  return (Memory){atom_var(bound.at[0]), atom_var(bound.at[1])};
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

// The bytes for snapshots and tapes; least: of one row of each.
static Atom memory_besides(Vjp *v, const Stm *stm, Atom least) {
  Builder *b = vjp_builder(v);
  Memory m = memory_for(v, stm->attrs.memory_fraction, least);
  assert_fits(b, build_op(b, OP_ADD, m.need, least), m.left);
  return build_op(b, OP_SUB, m.left, m.need);
}

// Rows of tape that fit into so many bytes.
static Atom store_rows(Vjp *v, const ScalarTape *store, bool limited, Atom bytes) {
  Builder *b = vjp_builder(v);
  Atom row = build_op(b, OP_MAX, row_bytes(v, store, false), atom_i64(1));
  Atom rows = build_quot(b, bytes, row), most = rows, last = atom_none();
  for (int k = 0; limited && k < store->kept.len; k++) {
    Atom each = bytes_of(v, var_type(v->w.from, store->kept.at[k]));
    Atom fit = build_op(b, OP_WITHIN_BLOCK, rows, each);
    if (!atom_same(each, last)) most = k == 0 ? fit : build_op(b, OP_MIN, most, fit);
    last = each;
  }
  return most;
}

// The bytes of s states; rows of scalars are arrays, too.
static Atom states_bytes(Vjp *v, const struct loop_form *e, const LoopSave *save, bool limited,
                         Atom s) {
  Builder *b = vjp_builder(v);
  Atom sum = atom_i64(0);
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    if (save->tapes[k].class != TAPE_ROWS || (t.rank == 0 && !limited)) continue;
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

// With s states there are s + 1 rows, of which the caller has the first.  The division finds how
// many fit.
static StateBudget state_budget_blocks(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atom one = atom_i64(1), state = states_bytes(v, &stm->exp.loop, save, true, one);
  Atom least = build_op(b, OP_ADD, state, row_bytes(v, save->store, true));
  return (StateBudget){save->trips, memory_besides(v, stm, least), true};
}

// States that may be stored besides the first, which is in the caller's memory.  Rows of scalars
// and of places are in blocks of their own.
static Atom states_within(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  Atom none = atom_i64(0), empty = states_bytes(v, e, save, true, none);
  Atom least = build_op(b, OP_ADD, empty, block_bytes(b, none));
  Atom room = build_op(b, OP_SUB, memory_besides(v, stm, least), least);
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  state = build_op(b, OP_ADD, arrays, twice(b, small));
  return schedule(v, "states", atoms3(vjp_arena(v), room, state, save->trips));
}

// The number of states that a memory limit of so many bytes allows: two at least, or all.
static Atom limit_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  Atom budget = atom_i64(stm->attrs.memory_limit), one = atom_i64(1);
  Atom once = build_op(b, OP_LE, save->trips, one);
  assert_fits(b, build_select(b, once, atom_i64(0), twice(b, state)), budget);
  return build_op(b, OP_SUB, named(b, build_quot(b, budget, state), "states"), one);
}

// How many states the loop's attributes allow.
static Atom asked_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  const Attrs *a = &stm->attrs;
  if (a->checkpoint > 0) return atom_i64(a->checkpoint);
  if (a->memory_limit) return limit_slots(v, stm, save, state);
  if (a->checkpoint < 0) return schedule(v, "log", atoms1(vjp_arena(v), save->trips));
  return stripmine_slots(vjp_builder(v), save->trips, a->stripmine);
}

static bool is_asked(const Attrs *a) {
  return a->checkpoint || a->memory_limit || !a->memory_fraction;
}

// The stored states besides the first: 0 <= rows < l.
Atom checkpoint_rows(Vjp *v, const Stm *stm, const LoopSave *save) {
  Atom state = state_bytes(v, &stm->exp.loop, save);
  if (!is_asked(&stm->attrs)) return states_within(v, stm, save, state);
  Atom slots = asked_slots(v, stm, save, state);
  Atom rows = schedule(v, "rows", atoms2(vjp_arena(v), slots, save->trips));
  return named(vjp_builder(v), rows, "states");
}

// With a store: 1 <= slots <= l, where l is 0 none.
static StateBudget state_budget(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  if (!is_asked(&stm->attrs)) return state_budget_blocks(v, stm, save);
  Atom state = state_bytes(v, &stm->exp.loop, save), one = atom_i64(1);
  Atom slots = asked_slots(v, stm, save, state);
  Atom bytes = build_op(b, OP_MUL, slots, state);
  slots = build_op(b, OP_MIN, build_op(b, OP_MAX, slots, one), save->trips);
  return (StateBudget){slots, bytes, false};
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
  Atom cost = schedule(v, "advances", atoms3(prog->arena, save->trips, s, g));
  v->w.to = outer;
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
  Atom slots = build_op(b, OP_MAX, atom_var(out.at[1]), one);
  return (Division){build_op(b, OP_MIN, slots, room.slots), block};
}

Division checkpoint_divide(Vjp *v, const Stm *stm, const LoopSave *save) {
  return divide_room(v, &stm->exp.loop, save, state_budget(v, stm, save));
}

// Tapes of all iterations, made for a run that is limited.
void budget_check(Vjp *v, const Stm *stm) {
  if (stm->attrs.memory_fraction) memory_besides(v, stm, atom_i64(0));
}
