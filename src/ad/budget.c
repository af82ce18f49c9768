// How many states the derivative of a loop may hold (checkpoint.c): what its attributes say, or as
// many as fit into what the memory limit of the run leaves when the loop starts; and whether tapes of all
// iterations fit into that.
#include "pushed.h"

enum { PLACE = sizeof(int64_t) };  // where a state held starts

// With a store: states that may be held, the bytes that they and its tape may take (limited: those of the
// run's limit, in blocks of the runtime).
typedef struct {
  Atom slots, bytes;
  bool limited;
} Room;

static Atom elements_of(Vjp *v, Type t) {
  return element_count(vjp_builder(v), rewrite_type(&v->w, type_fresh(t)));
}

static Atom bytes_of(Vjp *v, Type t) {
  return build_op(vjp_builder(v), OP_MUL, elements_of(v, t), atom_i64(prim_info[t.prim].bytes));
}

// The block of an array of so many bytes.
static Atom block_bytes(Builder *b, Atom bytes) { return build_op1(b, OP_BLOCK_BYTES, bytes); }

void arrays_add(Arena *arena, Arrays *to, Atom count, Prim prim) {
  list_push(arena, &to->counts, count);
  list_push(arena, &to->bytes, prim_info[prim].bytes);
}

void arrays_add_all(Arena *arena, Arrays *to, Arrays more) {
  for (int i = 0; i < more.counts.len; i++) {
    list_push(arena, &to->counts, more.counts.at[i]);
    list_push(arena, &to->bytes, more.bytes.at[i]);
  }
}

static Arrays arrays_of(Vjp *v, Arrays a, Arrays b) {
  Arrays both = {0};
  arrays_add_all(vjp_arena(v), &both, a);
  arrays_add_all(vjp_arena(v), &both, b);
  return both;
}

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
    case FORM_UPDATEACC: case FORM_WITHACC: case FORM_SCATTER:
    case FORM_CONSTANT: case FORM_COUNT:
      return MAKES_NOTHING;
    case FORM_MAP: case FORM_SCREMA: case FORM_LITERAL: return MAKES_FUSIBLE;
    case FORM_COPY: case FORM_SCRATCH: case FORM_CONCAT: case FORM_ROTATE: case FORM_APPLY:
    case FORM_REDUCE: case FORM_SCAN: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_BLOCKS: case FORM_HIST:
      return MAKES_ARRAYS;
    case FORM_REARRANGE: case FORM_REVERSE: return MAKES_ADJOINT;
  }
  return MAKES_NOTHING;
}

// What an iteration makes on the way to its results: twice that, with adjoints; or once.
// Parts put together: what is contributed to them is added up in arrays of their own.
typedef struct {
  Bound m;
  Arrays fusible, arrays, once, parts;
} Iteration;

static bool is_result(const struct loop_form *e, Var v) {
  for (int k = 0; k < e->inits.len; k++)
    if (atom_is_var(e->fn->body.results.at[k], v)) return true;
  return false;
}

// Nothing where the size has no bound outside the iteration.
static Arrays made(Vjp *v, Iteration *it, Type t) {
  Arrays one = {0};
  it->m.known = t.rank > 0 && !t.is_acc;
  Atom count = it->m.known ? bound_elements(&it->m, t) : atom_none();
  if (it->m.known) arrays_add(vjp_arena(v), &one, count, t.prim);
  return one;
}

static void iteration_add(Vjp *v, Iteration *it, const struct loop_form *e);

// The stacks of an object of a loop within, where there is a bound.
static void undone_add(Vjp *v, Iteration *it, const struct loop_form *e, int k, Atom trips) {
  const Chain *c = e->is_for ? chain_find(v->w.from, vjp_arena(v), e, k) : NULL;
  it->m.known = true;
  if (!c) return;
  Arrays stacks = bound_pushed(&it->m, e, k, c, trips);
  if (it->m.known) arrays_add_all(vjp_arena(v), &it->once, stacks);
}

// A loop within tapes one value of each parameter that is neither the same in all iterations nor
// updated in place; two more are its state, two its adjoint.
static void loop_add(Vjp *v, Iteration *it, const struct loop_form *e) {
  Builder *b = vjp_builder(v);
  it->m.known = e->is_for;
  Atom trips = e->is_for ? bound_most(&it->m, e->bound) : atom_i64(0);
  if (!it->m.known) trips = atom_i64(0);
  for (int k = 0; k < e->inits.len; k++) {
    Var p = e->fn->params.at[e->is_for + k];
    Type t = var_type(v->w.from, p);
    if (t.unique) undone_add(v, it, e, k, trips);
    if (t.unique || atom_is_var(e->fn->body.results.at[k], p)) continue;
    Arrays row = made(v, it, t), tape = row;
    if (row.counts.len == 0) continue;
    tape.counts = atoms1(vjp_arena(v), build_op(b, OP_MUL, trips, row.counts.at[0]));
    arrays_add_all(vjp_arena(v), &it->once, arrays_of(v, tape, arrays_of(v, row, row)));
  }
  iteration_add(v, it, e);
}

static void atoms_add(Vjp *v, Iteration *it, Arrays *sum, Atoms arrays) {
  for (int k = 0; k < arrays.len; k++)
    arrays_add_all(vjp_arena(v), sum, made(v, it, atom_type(v->w.from, arrays.at[k])));
}

// Rows that a scatter writes one by one come from arrays of their own; return code has adjoints of them,
// what was there, which of equal indices is the last, and what that is found with (doc/ad.md 4.11).
static void scatter_add(Vjp *v, Iteration *it, const struct scatter_form *e) {
  Atoms values = atoms_slice(e->inputs, 1, e->inputs.len - 1);
  atoms_add(v, it, &it->once, e->inputs);
  atoms_add(v, it, &it->once, e->inputs);
  atoms_add(v, it, &it->once, values);
  atoms_add(v, it, &it->once, atoms1(vjp_arena(v), e->dests.at[0]));
}

// Rows of histograms may fuse; what an operator that does not add makes of them is as large again, and so
// are its results.
static void hist_add(Vjp *v, Iteration *it, const Stm *stm) {
  if (rule_is_sum(v->w.from, stm->exp.hist.op)) return;
  atoms_add(v, it, &it->fusible, stm->exp.hist.inputs);
  atoms_add(v, it, &it->fusible, atoms_of_vars(vjp_arena(v), stm->bound));
}

// Other functions than sums want what they read again.
static const Lambda *streams_into(const Prog *prog, const Exp *e) {
  if (e->form == FORM_MAP) return e->map.fn;
  if (e->form == FORM_REDUCE && rule_is_sum(prog, e->reduce.op)) return e->reduce.op;
  if (e->form == FORM_SCAN && rule_is_sum(prog, e->scan.op)) return e->scan.op;
  return NULL;
}

// How often statements of a body read a variable, and whether they do so at other places than in line:
// only what is read in line fuses with what reads it.
typedef struct {
  int times;
  bool anywhere;
} Read;
static const Read never;

static const Read *read_of(const Map *reads, Var x) {
  const Read *r = map_get(reads, x.id);
  return r ? r : &never;
}

static Map *reads_of(Vjp *v, const Body *body) {
  Map *reads = map_new(vjp_arena(v));
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    Vars vars = frees_of_exp(v->needs.frees, e);
    const Lambda *fn = streams_into(v->w.from, e);
    for (int k = 0; k < vars.len; k++) {
      Read *r = NEW(vjp_arena(v), Read);
      *r = *read_of(reads, vars.at[k]);
      r->times++;
      r->anywhere = r->anywhere || !fn || vars_have(frees_of_lambda(v->needs.frees, fn), vars.at[k]);
      map_put(reads, vars.at[k].id, r);
    }
  }
  return reads;
}

// A result is the next state, which is counted with the others, and its adjoint; one more if it is
// read or put together.
static void made_add(Vjp *v, Iteration *it, const struct loop_form *e, Form form, Var x, const Read *read) {
  Makes makes = form_makes(form);
  bool parts = form == FORM_CONCAT || form == FORM_ROTATE, result = is_result(e, x);
  if (makes == MAKES_NOTHING) return;
  Arena *arena = vjp_arena(v);
  Arrays one = made(v, it, var_type(v->w.from, x));
  if (makes == MAKES_FUSIBLE && read->anywhere) makes = MAKES_ARRAYS;
  if (makes == MAKES_ARRAYS && !result) arrays_add_all(arena, &it->arrays, one);
  if (makes == MAKES_FUSIBLE && !result) arrays_add_all(arena, &it->fusible, one);
  if (makes == MAKES_ADJOINT || form == FORM_SCAN) arrays_add_all(arena, &it->once, one);
  if (result && (parts || read->times)) arrays_add_all(arena, &it->once, one);
  if (parts) arrays_add_all(arena, &it->parts, one);
}

static bool is_read_besides(const Map *reads, const Stm *map, Var x) {
  for (int i = 0; i < map->exp.map.inputs.len; i++)
    if (atom_is_var(map->exp.map.inputs.at[i], x)) return true;
  return read_of(reads, x)->times > 1;
}

// What a map contributes to arrays of the iteration that all of it may read, and something else reads as
// well: two arrays that are added.
static void shared_add(Vjp *v, Iteration *it, const struct loop_form *e, const Stm *map,
                       const Map *reads) {
  Vars free = frees_of_lambda(v->needs.frees, map->exp.map.fn);
  Vars outer = frees_of_lambda(v->needs.frees, e->fn);
  for (int i = 0; i < free.len; i++) {
    Type t = var_type(v->w.from, free.at[i]);
    if (prim_is_float(t.prim) && !vars_have(outer, free.at[i]) &&
        is_read_besides(reads, map, free.at[i]))
      arrays_add_all(vjp_arena(v), &it->once, made(v, it, t));
  }
}

static void iteration_add(Vjp *v, Iteration *it, const struct loop_form *e) {
  const Map *reads = reads_of(v, &e->fn->body);
  for (int i = 0; i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    Form form = stm->exp.form;
    if (form == FORM_LOOP) loop_add(v, it, &stm->exp.loop);
    if (form == FORM_HIST) hist_add(v, it, stm);
    if (form == FORM_SCATTER) scatter_add(v, it, &stm->exp.scatter);
    if (form == FORM_MAP) shared_add(v, it, e, stm, reads);
    for (int k = 0; k < stm->bound.len; k++)
      made_add(v, it, e, form, stm->bound.at[k], read_of(reads, stm->bound.at[k]));
  }
}

static Iteration iteration_of(Vjp *v, const struct loop_form *e) {
  Iteration it = {.m = bound_new(vjp_builder(v), &v->w, v->w.from, e)};
  iteration_add(v, &it, e);
  return it;
}

static void type_add(Vjp *v, Arrays *sum, Type t) {
  arrays_add(vjp_arena(v), sum, elements_of(v, t), t.prim);
}

// The adjoints of arrays from outside that the body reads.
static Arrays free_arrays(Vjp *v, const struct loop_form *e) {
  Vars free = frees_of_lambda(v->needs.frees, e->fn);
  Arrays sum = {0};
  for (int i = 0; i < free.len; i++) {
    Type t = var_type(v->w.from, free.at[i]);
    if (t.rank && !t.is_acc && varset_has(&v->active, free.at[i])) type_add(v, &sum, t);
  }
  return sum;
}

// Bytes that the loop may still allocate, huge where the run has no limit; those of these arrays.
typedef struct {
  Atom left, need;
} Memory;

static Memory memory_for(Vjp *v, const Stm *stm, Atom trips, Arrays arrays) {
  Builder *b = vjp_builder(v);
  Exp exp = {.form = FORM_MEMORYLEFT,
             .memoryleft = {.most = atom_i64(INT64_C(1) << 60), .share = stm->attrs.memory_share,
                            .trips = trips, .counts = arrays.counts, .bytes = arrays.bytes}};
  Types types = {0};
  for (int k = 0; k < 2; k++) list_push(vjp_arena(v), &types, type_scalar(PRIM_I64));
  Attrs saved = b->attrs;
  b->attrs.opaque = true;
  Vars bound = build_many(b, "left", types, exp);
  b->attrs = saved;
  return (Memory){atom_var(bound.at[0]), atom_var(bound.at[1])};
}

// What `dagaz explain` calls it in formulas.
static Atom named(Builder *b, Atom x, const char *name) {
  if (x.is_var) b->prog->vars.at[x.var.id].base = name;
  return x;
}

// c l^(1/c), which c nested loops of l^(1/c) trips would hold; the schedule then executes no iteration more
// than c times: C(s+c, c) >= l.  Roundings may give c more.
static Atom strip_slots(Builder *b, Atom trips, int c) {
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

static Memory memory_fits(Vjp *v, const Stm *stm, Atom trips, Arrays arrays) {
  Memory m = memory_for(v, stm, trips, arrays);
  assert_fits(vjp_builder(v), m.need, m.left);
  return m;
}

// Rows of tape that fit into so many bytes.
static Atom store_rows(Vjp *v, const LoopStore *store, bool limited, Atom bytes) {
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

// A state and what an iteration takes besides, if its maps do not fuse.
typedef struct {
  Arrays state, made, parts;
} Work;

// The arrays of a state; or, float, of parameters that no state has.
static Arrays param_arrays(Vjp *v, const struct loop_form *e, const LoopSave *save, bool in_state) {
  Arrays sum = {0};
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(v->w.from, e->fn->params.at[1 + k]);
    bool taped = save->tapes[k].class == CLASS_TAPED;
    if (t.rank && taped == in_state && (in_state || prim_is_float(t.prim))) type_add(v, &sum, t);
  }
  return sum;
}

// Parameters that no state has have adjoints, and the next of these.
static Work work_of(Vjp *v, const struct loop_form *e, const LoopSave *save) {
  Iteration it = iteration_of(v, e);
  Arrays free = free_arrays(v, e), once = arrays_of(v, it.once, arrays_of(v, free, free));
  Arrays made = arrays_of(v, it.arrays, it.fusible);
  Arrays others = param_arrays(v, e, save, false);
  once = arrays_of(v, once, arrays_of(v, others, others));
  return (Work){param_arrays(v, e, save, true), arrays_of(v, arrays_of(v, made, made), once), it.parts};
}

// What is left for states of blocks and their tapes.  With s states there are s + 1
// rows, of which the caller has the first; besides them the adjoint, what is made of it or the state in
// between while the loop advances, and what an iteration makes, with adjoints.  Scalars are in blocks of
// their own; the places are of fixed number, in the C frame, and what a step makes for the tape is made
// there (imp/place.c).
static Room room_blocks(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  Work w = work_of(v, e, save);
  Arrays work = arrays_of(v, arrays_of(v, w.state, w.state), arrays_of(v, w.made, w.parts));
  Memory m = memory_fits(v, stm, save->trips, arrays_of(v, work, w.state));
  Atom room = build_op(b, OP_SUB, m.left, memory_for(v, stm, save->trips, work).need);
  Atom rows = build_op(b, OP_ADD, build_quot(b, room, state), atom_i64(8));
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  room = build_op(b, OP_SUB, room, build_op(b, OP_MUL, twice(b, small), rows));
  room = build_op(b, OP_MAX, room, atom_i64(1));
  return (Room){build_quot(b, room, build_op(b, OP_MAX, arrays, atom_i64(1))), room, true};
}

// States that may be held besides the first, which is in the caller's memory: there is room for the state
// at hand, too, its adjoint, and the next of either.  Rows of scalars are in blocks of their own.
static Atom states_within(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  const struct loop_form *e = &stm->exp.loop;
  Atom arrays = array_bytes(v, e, save), small = build_op(b, OP_SUB, state, arrays);
  small = build_op(b, OP_SUB, small, atom_i64(PLACE));
  state = build_op(b, OP_ADD, arrays, twice(b, small));
  Work w = work_of(v, e, save);
  Arrays work = arrays_of(v, w.made, arrays_of(v, w.state, arrays_of(v, w.state, w.state)));
  Memory m = memory_fits(v, stm, save->trips, work);
  return build_op3(b, OP_STATES, build_op(b, OP_SUB, m.left, m.need), state, save->trips);
}

// As many as a memory limit of so many bytes allows; two at least, where there are as many.
static Atom limit_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  Builder *b = vjp_builder(v);
  Atom budget = atom_i64(stm->attrs.memory_limit), one = atom_i64(1);
  Atom once = build_op(b, OP_LE, save->trips, one);
  assert_fits(b, build_select(b, once, atom_i64(0), twice(b, state)), budget);
  return build_op(b, OP_SUB, named(b, build_quot(b, budget, state), "states"), one);
}

// How many states the loop's attributes allow; -1: about log2 of the trips, with which the number of
// executions grows like log2 as well.
static Atom asked_slots(Vjp *v, const Stm *stm, const LoopSave *save, Atom state) {
  const Attrs *a = &stm->attrs;
  if (a->checkpoint > 0) return atom_i64(a->checkpoint);
  if (a->memory_limit) return limit_slots(v, stm, save, state);
  if (a->checkpoint < 0) return atom_i64(-1);
  return strip_slots(vjp_builder(v), save->trips, a->stripmine);
}

static bool is_asked(const Attrs *a) {
  return a->checkpoint || a->memory_limit || !a->memory_share;
}

// The states held besides the first: 0 <= rows < l.
Atom checkpoint_rows(Vjp *v, const Stm *stm, const LoopSave *save) {
  Atom state = state_bytes(v, &stm->exp.loop, save);
  if (!is_asked(&stm->attrs)) return states_within(v, stm, save, state);
  Builder *b = vjp_builder(v);
  return named(b, build_op(b, OP_ROWS, asked_slots(v, stm, save, state), save->trips), "states");
}

// With a store: 1 <= slots <= l, where l is 0 none.
static Room room_of(Vjp *v, const Stm *stm, const LoopSave *save) {
  Builder *b = vjp_builder(v);
  Atom state = state_bytes(v, &stm->exp.loop, save), one = atom_i64(1);
  Room room;
  if (is_asked(&stm->attrs)) {
    Atom slots = asked_slots(v, stm, save, state);
    if (atom_is(slots, -1)) slots = build_op(b, OP_ADD, build_op(b, OP_ROWS, slots, save->trips), one);
    room = (Room){slots, build_op(b, OP_MUL, slots, state), false};
  } else {
    room = room_blocks(v, stm, save, state);
  }
  room.slots = build_op(b, OP_MIN, build_op(b, OP_MAX, room.slots, one), save->trips);
  return room;
}

// Of the memory some is for s states, of which the caller has the first, and the row on the way to a
// block, the rest for the tape of blocks of g iterations; in the way that advances least,
//
//   advances = g (r L - C(s+r-1, s) (s+r) / (s+1)) - r d     L = blocks, r: checkpoint.c
//
// over s <= MOST_SLOTS.
static Division divide_room(Vjp *v, const struct loop_form *e, const LoopSave *save, Room room) {
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
  return divide_room(v, &stm->exp.loop, save, room_of(v, stm, save));
}

// Besides the tapes there are the adjoint of the state and what an iteration makes.
void budget_check(Vjp *v, const Stm *stm, Types tapes, Atom trips) {
  const struct loop_form *e = &stm->exp.loop;
  if (tapes.len == 0) return;
  Iteration it = iteration_of(v, e);
  Arrays need = arrays_of(v, arrays_of(v, it.arrays, it.once), free_arrays(v, e));
  for (int k = 0; k < e->inits.len; k++)
    arrays_add_all(vjp_arena(v), &need,
                   made(v, &it, var_type(v->w.from, e->fn->params.at[e->is_for + k])));
  for (int k = 0; k < tapes.len; k++)
    arrays_add(vjp_arena(v), &need, element_count(vjp_builder(v), tapes.at[k]), tapes.at[k].prim);
  memory_fits(v, stm, trips, need);
}
