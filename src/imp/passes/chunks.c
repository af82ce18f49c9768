// Outermost parallel loops become CHUNKS: ranges of iterations, which run at once where the target
// has cores.  Loops that sum up become blocks for every target, so that one core and many give the
// same bits: what a block adds up is folded alone, and blocks are combined in their order.
//
//   for i < n { body }             chunks first of n { share count;
//                                    for k < count { i = first + k; body } }
//   for i < n reds (r) { body }    the same, r folded in each block
//   for i < n { update s[..] }     the same in blocks, with copies of s
//   for i < n { for j < m { .. } } both ways: chunks of i; or, where i has few iterations, for all
//                                  cores the loops inside in chunks, unless they sum up floats
//
// The loop inside is what it was, so the passes that follow see no difference.  The reason
// that keeps a loop on one core is a `Bar`.
#include <string.h>
#include "local.h"
#include "rts/blocks.h"

static const char *const bar_said[] = {
    "in chunks",
    "on one core: a running value is handed on",
    "on one core: iterations may update the same place",
    "on one core: values are handed on",
    "on one core: prints",
    "on one core: few iterations",
    "on one core: fills memory",
    "", "", "", "",
};
static const char *const device_said[] = {
    "as a kernel",
    "on the host: a running value is handed on",
    "on the host: iterations may update the same place",
    "on the host: values are handed on",
    "on the host: prints",
    "on the host: few iterations",
    "on the host: fills memory",
    "on the host: sums floats",
    "on the host: calls a function",
    "on the host: allocates memory whose size its iterations decide",
    "on the host: asks for what memory is left or for a tuning parameter",
};

// ---- memory of the loop's own -----------------------------------------------------------------
typedef struct {
  int *count;
} Mentions;
static void mention(void *state, ImpVar mem) { ((Mentions *)state)->count[mem.id]++; }
static void mention_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], mention, state);
    imp_each_block(block->at[i], mention_block, state);
  }
}

int *chunks_mentions(const Chunks *c, ImpBlock *block) {
  Mentions all = {NEW_ARRAY(c->arena, int, c->fn->vars.len + 1)};
  mention_block(&all, block);
  return all.count;
}

// ---- what keeps a loop on one core ------------------------------------------------------------
static bool is_own(const Search *s, ImpVar mem) {
  return s->inside[mem.id] == s->c->mentions[mem.id];
}

void bar_if(Search *s, bool bars, Bar why) {
  if (bars && s->bar == BAR_NONE) s->bar = why;
}

// The handle of a block that is not the loop's own.
static void bar_handle(void *state, ImpVar mem) {
  Search *s = state;
  if (mem.id && s->c->fn->vars.at[mem.id].is_mem) bar_if(s, !is_own(s, mem), BAR_CARRIED);
}

static bool is_red(const Search *s, ImpVar v) {
  for (int i = 0; i < s->loop->reds.len; i++)
    if (s->loop->reds.at[i].id == v.id) return true;
  return false;
}

// at = i S + place, with 0 <= what inner loops add < S: rows of their own.  From the innermost
// dimension outwards, each stride is the extent of the dimensions inside it.
static bool is_row_of_its_own(Search *s, const ImpExp *at) {
  ImpStrides *slopes = &s->c->slopes;
  const ImpExp *step = imp_exp_stride(slopes, at, s->loop), *extent = imp_i64(s->c->arena, 1);
  if (!step || imp_is_int(step, 0)) return false;
  int left = s->around.len;
  for (int k = s->around.len - 1; k >= 0; k--) {
    const ImpExp *stride = imp_exp_stride(slopes, at, s->around.at[k]);
    if (!stride) return false;
    left -= imp_is_int(stride, 0);
    if (!imp_exp_same(stride, extent)) continue;
    extent = imp_mul(s->c->arena, s->around.at[k]->bound, extent);
    left -= !imp_is_int(stride, 0);
  }
  if (left) return false;
  bool known = step->kind == IMP_CONST && extent->kind == IMP_CONST;
  return known ? extent->value.i <= step->value.i : imp_exp_same(step, extent);
}

// The place with the counters of all loops zero: two updates of one memory must agree on it.
static const ImpExp *place_of(const Search *s, const ImpExp *at) {
  const ImpExp **map = NEW_ARRAY(s->c->arena, const ImpExp *, s->c->fn->vars.len + 1);
  const ImpExp *zero = imp_i64(s->c->arena, 0);
  map[s->loop->var.id] = zero;
  for (int k = 0; k < s->around.len; k++) map[s->around.at[k]->var.id] = zero;
  return imp_exp_subst(s->c->arena, at, map);
}

// An iteration opens accumulators on a part of memory that no other touches.
static bool opens_rows(const Search *s, ImpVar mem) {
  const ImpVars *rows = &s->c->fn->vars.at[s->loop->var.id].rows;
  for (int i = 0; i < rows->len; i++)
    if (rows->at[i].id == mem.id) return true;
  return false;
}

static void bar_update(Search *s, const struct imp_update *u) {
  if (is_own(s, u->mem) || opens_rows(s, u->mem)) return;
  const ImpExp *place = place_of(s, u->at);
  Updated *x = map_get(s->places, u->mem.id);
  if (!x) {
    x = NEW(s->c->arena, Updated);
    *x = (Updated){.mem = u->mem, .place = place, .op = (Op)u->op};
    map_put(s->places, u->mem.id, x);
  }
  x->updates++;
  x->differs = x->differs || x->op != (Op)u->op;
  bool separate = imp_exp_same(x->place, place) && is_row_of_its_own(s, u->at);
  if (separate || x->shared) return;
  x->shared = true;
  list_push(s->c->arena, &s->shared, x);
}

// Operators whose identities the back end has.
bool chunks_has_identity(Op op) {
  return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR ||
         op == OP_MIN || op == OP_MAX;
}

// Each block gets a copy of memory that the loop does nothing with but update it, by one operator;
// or updates are atomic.
static void bar_shared(Search *s) {
  int copied = 0;
  for (int i = 0; i < s->shared.len; i++) {
    Updated *x = s->shared.at[i];
    const ImpExp *cells = s->c->fn->vars.at[x->mem.id].cells;
    bool sized = cells && !imp_is_int(cells, -1);
    bool plain = x->updates == s->inside[x->mem.id] && !x->differs && chunks_has_identity(x->op);
    bool copies = !s->c->device || device_copies(s->c, x->mem);
    x->atomic = plain && device_adds_atomically(s->c, x);
    bar_if(s, !x->atomic && (!copies || !sized || !plain), BAR_PLACES);
    if (!x->atomic) s->shared.at[copied++] = x;
  }
  s->shared.len = copied;
}

bool chunks_call_reads(const ImpFn *callee, int k) {
  return callee && callee->vars.at[callee->params.at[k].id].kind == IMP_PTR;
}

static void bar_call(Search *s, const struct imp_call *call) {
  const ImpFn *callee = imp_callee(s->c->prog, call);
  bar_if(s, s->c->device, BAR_CALLS);
  for (int k = 0; k < call->results.len; k++) bar_handle(s, call->results.at[k]);
  for (int k = 0; k < call->mems.len; k++) {
    ImpVar mem = call->mems.at[k];
    bool block = mem.id && s->c->fn->vars.at[mem.id].kind == IMP_BLOCK;
    if (block && !chunks_call_reads(callee, k)) bar_handle(s, mem);
  }
}

static void search_block(void *state, ImpBlock *block);
static void search_stm(Search *s, ImpStm *stm) {
  const ImpVar *def = imp_stm_def(stm);
  if (def && def->id) map_put(s->bound, def->id, s);
  switch (stm->form) {
  case IMP_STM_SET:
    bar_if(s, !map_get(s->bound, stm->set.var.id) && !is_red(s, stm->set.var), BAR_CARRIED);
    break;
  case IMP_STM_SCAN: bar_if(s, !map_get(s->bound, stm->scan.acc.id), BAR_SCAN); break;
  case IMP_STM_UPDATE: bar_update(s, &stm->update); break;
  case IMP_STM_FOR:
    list_push(s->c->arena, &s->around, &stm->for_);
    search_block(s, stm->for_.body);
    s->around.len--;
    return;
  case IMP_STM_CALL: bar_call(s, &stm->call); break;
  case IMP_STM_ALLOC:
    bar_handle(s, stm->alloc.mem);
    list_push(s->c->arena, &s->allocs, stm);
    break;
  case IMP_STM_FREE: bar_handle(s, stm->free.mem); break;
  case IMP_STM_MOVE:
    bar_handle(s, stm->move.to);
    bar_handle(s, stm->move.from);
    bar_if(s, s->c->device, BAR_ALLOCS);
    break;
  case IMP_STM_MEMORY_LEFT: case IMP_STM_MEMORY_NEED: bar_if(s, s->c->device, BAR_ROOM); break;
  case IMP_STM_TUNED: bar_if(s, s->c->device && stm->tuned.param >= 0, BAR_ROOM); break;
  case IMP_STM_SWAP:
    bar_handle(s, stm->swap.to);
    bar_handle(s, stm->swap.from);
    break;
  case IMP_STM_TRACE: case IMP_STM_PROBE: case IMP_STM_PROBE_LOOP:
    bar_if(s, true, BAR_PRINTS);
    break;
  case IMP_STM_RETURN: case IMP_STM_YIELD: case IMP_STM_CHUNKS: case IMP_STM_SHARE:
  case IMP_STM_KERNEL: case IMP_STM_PART: case IMP_STM_TRANSFER: case IMP_STM_REGION:
    bar_if(s, true, BAR_CARRIED);
    break;
  case IMP_STM_LET: case IMP_STM_VAR: case IMP_STM_LOAD: case IMP_STM_STORE: case IMP_STM_WHILE:
  case IMP_STM_IF: case IMP_STM_TEST: case IMP_STM_COPY: case IMP_STM_COUNT: break;
  }
  imp_each_block(stm, search_block, s);
}
static void search_block(void *state, ImpBlock *block) {
  Search *s = state;
  for (int i = 0; i < block->len && s->bar == BAR_NONE; i++) search_stm(s, block->at[i]);
}

static bool is_float(const Chunks *c, ImpVar v) {
  return prim_is_float(c->fn->vars.at[v.id].prim);
}

// One store of what the loop does not change: memory is the limit.
static bool only_stores(const struct imp_for_ *loop) {
  for (int i = 0; i < loop->body->len; i++) {
    ImpForm form = loop->body->at[i]->form;
    if (form != IMP_STM_STORE && form != IMP_STM_COPY) return false;
  }
  return true;
}

// The bar of a loop; s->shared, if there is none.
enum { FEW = 8 };  // iterations

Bar chunks_bar(Chunks *c, const struct imp_for_ *loop, Search *out) {
  Search s = {.c = c, .loop = loop, .inside = chunks_mentions(c, loop->body),
              .bound = map_new(c->arena), .places = map_new(c->arena)};
  imp_strides_forget(&c->slopes);
  bool few = loop->bound->kind == IMP_CONST && loop->bound->value.i < FEW;
  bar_if(&s, !c->device && few, BAR_SMALL);
  bar_if(&s, !c->device && only_stores(loop), BAR_FILL);
  for (int i = 0; i < loop->reds.len; i++)
    bar_if(&s, !chunks_has_identity(c->fn->vars.at[loop->reds.at[i].id].red_op), BAR_CARRIED);
  search_block(&s, loop->body);
  bar_shared(&s);
  bar_if(&s, c->device && !device_sums(c, loop, s.shared.len > 0 || device_has_atomic(&s, true)),
         BAR_SUMS);
  *out = s;
  return s.bar;
}

// ---- the cost of an iteration -----------------------------------------------------------------
// In plain operations, as a formula in what is known in front of the loop; of an inner loop whose
// trips count with a loop around it, half of the most.
enum { UNKNOWN_TRIPS = 16, CALL_COST = 64 };

typedef struct {
  Chunks *c;
  Map *bound;  // scalars bound in the loop
  ImpVar puts;  // only updates of this memory count
} Cost;

static const ImpExp *f64(const Cost *c, double x) {
  return imp_const(c->c->arena, scalar_number(PRIM_F64, x));
}
static const ImpExp *plus(const Cost *c, const ImpExp *a, const ImpExp *b) {
  return imp_op(c->c->arena, OP_ADD, PRIM_F64, a, b, NULL);
}
static const ImpExp *times(const Cost *c, const ImpExp *a, const ImpExp *b) {
  if (a->kind == IMP_CONST && a->value.f == 1) return b;
  if (b->kind == IMP_CONST && b->value.f == 0) return b;
  return imp_op(c->c->arena, OP_MUL, PRIM_F64, a, b, NULL);
}

// An i64 expression as f64, over variables from outside; NULL: not known there.
static const ImpExp *known(const Cost *c, const ImpExp *e, int depth) {
  const ImpVarInfo *v = e->kind == IMP_VAR ? &c->c->fn->vars.at[e->var.id] : NULL;
  if (depth > 6) return NULL;
  if (e->kind == IMP_CONST || (v && !map_get(c->bound, e->var.id) && v->kind != IMP_MUT))
    return imp_conv(c->c->arena, PRIM_F64, e);
  if (v && v->def) return known(c, v->def, depth + 1);
  if (v && v->bound) {
    const ImpExp *most = known(c, v->bound, depth + 1);
    return most ? times(c, f64(c, 0.5), most) : NULL;
  }
  bool least = e->kind == IMP_OP && e->op == OP_MIN && e->from == PRIM_I64;
  const ImpExp *one = least ? known(c, e->args[0], depth + 1) : NULL;
  if (least) return one ? one : known(c, e->args[1], depth + 1);
  bool sum = e->kind == IMP_OP && (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL);
  if (!sum || e->from != PRIM_I64) return NULL;
  const ImpExp *a = known(c, e->args[0], depth), *b = known(c, e->args[1], depth);
  return a && b ? imp_op(c->c->arena, e->op, PRIM_F64, a, b, NULL) : NULL;
}

void chunks_bind(void *bound, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    const ImpVar *def = imp_stm_def(block->at[i]);
    if (def && def->id) map_put(bound, def->id, bound);
    imp_each_block(block->at[i], chunks_bind, bound);
  }
}

static const ImpExp *block_cost(const Cost *c, const ImpBlock *block);

static const ImpExp *trips(const Cost *c, const ImpExp *bound) {
  const ImpExp *n = known(c, bound, 0);
  return n ? n : f64(c, UNKNOWN_TRIPS);
}

static const ImpExp *stm_cost(const Cost *c, const ImpStm *stm) {
  const bool nested =
      stm->form == IMP_STM_FOR || stm->form == IMP_STM_WHILE || stm->form == IMP_STM_IF;
  if (c->puts.id && !nested)
    return f64(c, stm->form == IMP_STM_UPDATE && stm->update.mem.id == c->puts.id);
  switch (stm->form) {
  case IMP_STM_LET: return f64(c, imp_exp_work(stm->let.value).lanes);
  case IMP_STM_SET: return f64(c, imp_exp_work(stm->set.value).lanes);
  case IMP_STM_FOR: return times(c, trips(c, stm->for_.bound), block_cost(c, stm->for_.body));
  case IMP_STM_WHILE: return times(c, f64(c, UNKNOWN_TRIPS), block_cost(c, stm->while_.body));
  case IMP_STM_IF: return plus(c, block_cost(c, stm->if_.then), block_cost(c, stm->if_.other));
  case IMP_STM_COPY: return times(c, f64(c, 0.25), trips(c, stm->copy.count));
  case IMP_STM_CALL: return f64(c, CALL_COST);
  case IMP_STM_SCAN: return f64(c, 4);
  case IMP_STM_UPDATE: return f64(c, 2 + imp_exp_work(stm->update.value).lanes);
  case IMP_STM_STORE: return f64(c, 1 + imp_exp_work(stm->store.value).lanes);
  case IMP_STM_LOAD: case IMP_STM_ALLOC: case IMP_STM_VAR: case IMP_STM_TEST: return f64(c, 1);
  case IMP_STM_FREE: case IMP_STM_MOVE: case IMP_STM_SWAP: case IMP_STM_RETURN:
  case IMP_STM_YIELD: case IMP_STM_MEMORY_LEFT: case IMP_STM_MEMORY_NEED:
  case IMP_STM_TUNED: case IMP_STM_TRACE:
  case IMP_STM_PROBE: case IMP_STM_PROBE_LOOP: case IMP_STM_CHUNKS: case IMP_STM_SHARE:
  case IMP_STM_KERNEL: case IMP_STM_PART: case IMP_STM_TRANSFER: case IMP_STM_REGION:
  case IMP_STM_COUNT: break;
  }
  return f64(c, 0);
}

static const ImpExp *block_cost(const Cost *c, const ImpBlock *block) {
  const ImpExp *cost = f64(c, 0);
  double fixed = 0;
  for (int i = 0; i < block->len; i++) {
    const ImpExp *of = stm_cost(c, block->at[i]);
    if (of->kind == IMP_CONST) fixed += of->value.f;
    else cost = cost->kind == IMP_CONST ? of : plus(c, cost, of);
  }
  if (cost->kind == IMP_CONST) return f64(c, fixed);
  return fixed > 0 ? plus(c, cost, f64(c, fixed)) : cost;
}

static Cost cost_of(Chunks *c, const struct imp_for_ *loop) {
  Cost cost = {.c = c, .bound = map_new(c->arena)};
  map_put(cost.bound, loop->var.id, cost.bound);
  chunks_bind(cost.bound, loop->body);
  return cost;
}

const ImpExp *chunks_cost(Chunks *c, const struct imp_for_ *loop) {
  Cost cost = cost_of(c, loop);
  return plus(&cost, block_cost(&cost, loop->body), f64(&cost, 1));
}

// How often an iteration updates the memory.  Before chunks are made of the loop.
static const ImpExp *loop_puts(Chunks *c, const struct imp_for_ *loop, ImpVar mem) {
  Cost cost = cost_of(c, loop);
  cost.puts = mem;
  return block_cost(&cost, loop->body);
}

// ---- making chunks ----------------------------------------------------------------------------
ImpVar chunks_fresh(Chunks *c, const char *base) {
  ImpVar v = {(uint32_t)c->fn->vars.len};
  list_push(c->arena, &c->fn->vars,
            (ImpVarInfo){.base = base, .kind = IMP_LET, .prim = PRIM_I64});
  return v;
}
ImpVar chunks_like(Chunks *c, ImpVar of, ImpKind kind) {
  const ImpVarInfo *v = &c->fn->vars.at[of.id];
  const bool block = kind == IMP_BLOCK;
  ImpVarInfo made = {.base = v->base, .kind = kind, .prim = v->prim, .is_mem = block,
                     .moved = block, .red_op = block ? 0 : v->red_op};
  list_push(c->arena, &c->fn->vars, made);
  return (ImpVar){(uint32_t)c->fn->vars.len - 1};
}

ImpStm *chunks_make(Chunks *c, ImpStm stm) { return arena_copy(c->arena, &stm, sizeof stm); }

const ImpExp *chunks_let(Chunks *c, ImpBlock *out, ImpVar v, const ImpExp *value) {
  c->fn->vars.at[v.id].def = value;
  c->fn->vars.at[v.id].bound = NULL;
  list_push(c->arena, out, chunks_make(c, (ImpStm){.form = IMP_STM_LET, .let = {v, value}}));
  return imp_var(c->arena, c->fn, v);
}

// Updates of `from` become updates of `to`.
typedef struct {
  ImpVar from, to;
} Renamed;
static void rename_updates(void *state, ImpBlock *block) {
  const Renamed *r = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_UPDATE && stm->update.mem.id == r->from.id) stm->update.mem = r->to;
    imp_each_block(stm, rename_updates, state);
  }
}

static ImpExps all_puts(Chunks *c, const Search *s) {
  ImpExps puts = {0};
  for (int i = 0; i < s->shared.len && c->cores && chunks_log(s); i++)
    list_push(c->arena, &puts, loop_puts(c, s->loop, s->shared.at[i]->mem));
  return puts;
}

static void add_copies(Chunks *c, struct imp_chunks *to, const Search *s) {
  for (int i = 0; i < s->shared.len; i++) {
    const Updated *x = s->shared.at[i];
    ImpVarInfo info = c->fn->vars.at[x->mem.id];
    Renamed r = {x->mem, {(uint32_t)c->fn->vars.len}};
    list_push(c->arena, &c->fn->vars,
              (ImpVarInfo){.base = info.base, .kind = IMP_BLOCK, .prim = info.prim, .is_mem = true,
                           .red_op = x->op, .moved = true});
    rename_updates(&r, to->body);
    list_push(c->arena, &to->copies, r.to);
    list_push(c->arena, &to->sums, r.from);
    list_push(c->arena, &to->cells, info.cells);
  }
}

static ImpStm *chunks_of(Chunks *c, const ImpStm *stm) {
  struct imp_for_ loop = stm->for_;
  const ImpExp *bound = loop.bound, *cost = chunks_cost(c, &loop);
  ImpVar i = loop.var, first = chunks_fresh(c, "first"), count = chunks_fresh(c, "count");
  ImpVar k = chunks_fresh(c, "k");
  const ImpExp *from = imp_var(c->arena, c->fn, first);
  const ImpExp *at = imp_add(c->arena, from, imp_var(c->arena, c->fn, k));
  loop.var = k;
  loop.bound = imp_var(c->arena, c->fn, count);
  c->fn->vars.at[k.id].bound = loop.bound;
  c->fn->vars.at[k.id].low_peak = c->fn->vars.at[i.id].low_peak;
  c->fn->vars.at[k.id].loc = c->fn->vars.at[first.id].loc = c->fn->vars.at[i.id].loc;
  ImpBlock *inner = NEW(c->arena, ImpBlock), *body = NEW(c->arena, ImpBlock);
  chunks_let(c, inner, i, at);
  for (int s = 0; s < loop.body->len; s++) list_push(c->arena, inner, loop.body->at[s]);
  loop.body = inner;
  list_push(c->arena, body, chunks_make(c, (ImpStm){.form = IMP_STM_SHARE, .share = {count}}));
  list_push(c->arena, body, chunks_make(c, (ImpStm){.form = IMP_STM_FOR, .for_ = loop}));
  return chunks_make(c, (ImpStm){.form = IMP_STM_CHUNKS,
                          .chunks = {.first = first, .bound = bound, .cost = cost,
                                     .reds = loop.reds, .body = body}});
}

void chunks_say(Chunks *c, const struct imp_for_ *loop, const Search *s) {
  Bar bar = s->bar;
  if (!c->said) return;
  bool copies = bar == BAR_NONE && s->shared.len > 0;
  const bool runs = c->device && bar == BAR_NONE, any = runs && device_has_atomic(s, true);
  const bool atomic = runs && device_has_atomic(s, false);
  const char *text = c->device ? (copies ? "as a kernel, where copies of what it adds to are little"
                                  : any ? "as a kernel, adding to places in any order"
                                  : atomic ? "as a kernel, adding to places by atomic operations"
                                         : device_said[bar])
                     : bar != BAR_NONE ? bar_said[bar]
                     : s->shared.len && chunks_log(s)
                         ? "in blocks, with copies of what they add to, or writing that down"
                     : s->shared.len ? "in blocks, with copies of what they add to"
                     : loop->reds.len ? "in blocks" : bar_said[bar];
  ImpParallel p = {c->fn->vars.at[loop->var.id].loc, text, bar == BAR_NONE};
  list_push(c->arena, c->said, p);
}

// Sums of floats in the body of a loop: by updates, by loops inside.
typedef struct {
  const Chunks *c;
  bool updates, reds;
} FloatSums;
static void find_float_sums(void *state, ImpBlock *block) {
  FloatSums *f = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_UPDATE && is_float(f->c, stm->update.mem)) f->updates = true;
    for (int k = 0; stm->form == IMP_STM_FOR && k < stm->for_.reds.len; k++)
      if (is_float(f->c, stm->for_.reds.at[k])) f->reds = true;
    imp_each_block(stm, find_float_sums, state);
  }
}
static FloatSums float_sums(const Chunks *c, const struct imp_for_ *loop) {
  FloatSums f = {.c = c};
  find_float_sums(&f, loop->body);
  return f;
}

// ---- loops of few iterations ------------------------------------------------------------------
// Their inner loops run in chunks, one after the other.  Where floats are summed anywhere inside,
// they do not: vector code is made for other loops then, and adds in another order.
enum { LONGEST_TWICE = 300 };

static void host_block(void *state, ImpBlock *block);

typedef struct {
  int stms, loops;
  bool whole;  // nothing that cannot be cloned
} Inner;
static void look_inside(void *state, ImpBlock *block) {
  Inner *in = state;
  for (int i = 0; i < block->len; i++) {
    ImpForm form = block->at[i]->form;
    in->stms++;
    in->loops += form == IMP_STM_FOR && block->at[i]->for_.parallel;
    if (form == IMP_STM_ALLOC || form == IMP_STM_CALL) in->whole = false;
    imp_each_block(block->at[i], look_inside, state);
  }
}

static void find_chunks(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_CHUNKS) *(bool *)state = true;
    imp_each_block(block->at[i], find_chunks, state);
  }
}

// The loop with those inside in chunks; NULL: none can be.
static ImpStm *inner_chunks(Chunks *c, ImpStm *stm) {
  bool found = false;
  host_block(c, stm->for_.body);
  find_chunks(&found, stm->for_.body);
  return found ? stm : NULL;
}

// bound < FEW and an iteration is worth splitting
static const ImpExp *is_better_inside(Chunks *c, const struct imp_for_ *loop, const ImpExp *cost) {
  const double worth = 4 * DZ_BLOCK_COST;
  const ImpExp *few =
      imp_op(c->arena, OP_LT, PRIM_I64, loop->bound, imp_i64(c->arena, FEW), NULL);
  const ImpExp *least = imp_const(c->arena, scalar_number(PRIM_F64, worth));
  const ImpExp *much = imp_op(c->arena, OP_LT, PRIM_F64, least, cost, NULL);
  return imp_op(c->arena, OP_AND, PRIM_BOOL, few, much, NULL);
}

// Two versions of a loop of unknown length; NULL: one is enough.
static ImpStm *either_way(Chunks *c, ImpStm *stm) {
  Inner in = {.whole = true};
  look_inside(&in, stm->for_.body);
  const ImpExp *cost = chunks_cost(c, &stm->for_);
  bool twice = c->cores && in.whole && in.loops && in.stms <= LONGEST_TWICE;
  if (!twice || cost->kind == IMP_CONST || stm->for_.bound->kind == IMP_CONST) return NULL;
  ImpStm *inside = inner_chunks(c, imp_stm_clone(c->arena, c->fn, stm));
  if (!inside) return NULL;
  inside->for_.parallel = false;
  ImpBlock *then = NEW(c->arena, ImpBlock), *other = NEW(c->arena, ImpBlock);
  const ImpExp *better = is_better_inside(c, &stm->for_, cost);
  list_push(c->arena, then, inside);
  list_push(c->arena, other, chunks_of(c, stm));
  return chunks_make(c, (ImpStm){.form = IMP_STM_IF, .if_ = {better, then, other}});
}

ImpStm *chunks_loop(Chunks *c, ImpStm *stm) {
  const struct imp_for_ *loop = &stm->for_;
  bool blocks = c->cores;
  for (int i = 0; i < loop->reds.len; i++) blocks = blocks || is_float(c, loop->reds.at[i]);
  FloatSums inside = float_sums(c, loop);
  if (!blocks && !inside.updates) return stm;
  Search s;
  Bar bar = chunks_bar(c, loop, &s);
  chunks_say(c, loop, &s);
  for (int i = 0; i < s.shared.len; i++) blocks = blocks || is_float(c, s.shared.at[i]->mem);
  bool exact = !inside.updates && !inside.reds && !loop->reds.len;
  if (bar == BAR_SMALL && c->cores && exact) inner_chunks(c, stm);
  if (!blocks || bar != BAR_NONE) return stm;
  ImpStm *either = exact && !s.shared.len ? either_way(c, stm) : NULL;
  if (either) return either;
  const ImpExps puts = all_puts(c, &s);
  ImpStm *chunks = chunks_of(c, stm);
  chunks->chunks.puts = puts;
  add_copies(c, &chunks->chunks, &s);
  return chunks;
}

// ---- the pass ---------------------------------------------------------------------------------
static void host_block(void *state, ImpBlock *block) {
  Chunks *c = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_FOR && stm->for_.parallel) block->at[i] = chunks_loop(c, stm);
    else imp_each_block(stm, host_block, c);
  }
}

void imp_pass_chunks(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  Mentions all = {NEW_ARRAY(arena, int, fn->vars.len + 1)};
  mention_block(&all, fn->body);
  for (int i = 0; i < fn->params.len; i++) mention(&all, fn->params.at[i]);
  bool cores = prog->core && prog_target(prog->core) == TARGET_CORES;
  bool device = prog->core && prog_on_device(prog->core);
  Chunks c = {.arena = arena, .prog = prog, .fn = fn, .cores = cores, .device = device,
              .said = &prog->parallels, .slopes = {.arena = arena, .fn = fn},
              .mentions = all.count};
  if (device) device_block(&c, fn->body);
  else host_block(&c, fn->body);
}
