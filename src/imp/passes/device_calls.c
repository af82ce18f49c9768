// Of programs for a device: calls in loops that would be kernels but for them give way to the
// statements of the functions (splice.c), as a kernel has no blocks of a pool to hand over.  Calls
// of functions that call themselves stay, and so do such loops on the host.
//
//   for i < n parallel { x = f (i) }     for i < n parallel { x = statements of f }
//
// A loop that something else keeps on the host keeps its calls.
#include "local.h"

enum { STATEMENTS_MOST = 4000 };  // of a loop

typedef struct {
  Chunks *c;
  LIST(const ImpFn *) open;  // whose statements these are, outermost first
  LIST(ImpVar) results;      // blocks that calls gave
  int statements;
  bool ok;
} Calls;

static bool is_open(const Calls *s, const ImpFn *fn) {
  for (int i = 0; i < s->open.len; i++)
    if (s->open.at[i] == fn) return true;
  return false;
}

static ImpBlock *without_calls(Calls *s, const ImpBlock *block);

static ImpStm *stm_without(Calls *s, const ImpStm *stm) {
  ImpStm *copy = arena_copy(s->c->arena, stm, sizeof *stm);
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
    if (d->kind == IMP_FIELD_BLOCK) {
      ImpBlock **at = (ImpBlock **)(void *)((char *)copy + d->offset);
      *at = without_calls(s, *at);
    }
  return copy;
}

static void put_callee(Calls *s, const struct imp_call *call, ImpBlock *out) {
  const ImpFn *callee = imp_callee(s->c->prog, call);
  s->ok = s->ok && callee && !is_open(s, callee) && imp_splices(s->c->arena, callee);
  if (!s->ok) return;
  for (int k = 0; k < call->results.len; k++)
    if (callee->result_is_mem.at[k] && !callee->result_in.at[k])
      list_push(s->c->arena, &s->results, call->results.at[k]);
  ImpBlock spliced = {0};
  imp_splice(s->c, call, callee, &spliced);
  list_push(s->c->arena, &s->open, callee);
  const ImpBlock *body = without_calls(s, &spliced);
  s->open.len--;
  for (int i = 0; i < body->len; i++) list_push(s->c->arena, out, body->at[i]);
}

static ImpBlock *without_calls(Calls *s, const ImpBlock *block) {
  ImpBlock *out = NEW(s->c->arena, ImpBlock);
  for (int i = 0; i < block->len && s->ok; i++) {
    const ImpStm *stm = block->at[i];
    s->ok = ++s->statements <= STATEMENTS_MOST;
    if (stm->form == IMP_STM_CALL) put_callee(s, &stm->call, out);
    else list_push(s->c->arena, out, stm_without(s, stm));
  }
  return out;
}

// ---- blocks that calls gave -------------------------------------------------------------------
// They are allocated here now, and are handed on only if something else does that.
typedef struct {
  ImpVar mem;
  bool handed;
} Hands;
static void find_hands(void *state, ImpBlock *block) {
  Hands *h = state;
  const uint32_t mem = h->mem.id;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_YIELD && stm->yield.mem.id == mem) h->handed = true;
    if (stm->form == IMP_STM_MOVE && (stm->move.to.id == mem || stm->move.from.id == mem))
      h->handed = true;
    if (stm->form == IMP_STM_SWAP && (stm->swap.to.id == mem || stm->swap.from.id == mem))
      h->handed = true;
    for (int k = 0; stm->form == IMP_STM_CALL && k < stm->call.mems.len; k++)
      h->handed = h->handed || stm->call.mems.at[k].id == mem;
    imp_each_block(stm, find_hands, state);
  }
}

static void stay_put(const Calls *s) {
  for (int i = 0; i < s->results.len; i++) {
    Hands h = {s->results.at[i], false};
    find_hands(&h, s->c->fn->body);
    s->c->fn->vars.at[h.mem.id].moved = h.handed;
  }
}

// ---- the pass ---------------------------------------------------------------------------------
static void find_calls(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_CALL) *(bool *)state = true;
    imp_each_block(block->at[i], find_calls, state);
  }
}

// The loop at `at`, if it is a kernel without its calls.
static void loop_without(Chunks *c, ImpStm **at) {
  Calls s = {.c = c, .ok = true};
  const int variables = c->fn->vars.len;
  ImpStm *loop = *at, *without = stm_without(&s, loop);
  if (!s.ok) c->fn->vars.len = variables;
  if (!s.ok) return;
  *at = without;
  stay_put(&s);
  c->mentions = chunks_mentions(c, c->fn->body);
  if (device_takes(c, &without->for_)) return;
  *at = loop;
  c->fn->vars.len = variables;
  for (int i = 0; i < s.results.len; i++) c->fn->vars.at[s.results.at[i].id].moved = true;
}

bool device_calls(ImpBlock *block) {
  bool calls = false;
  find_calls(&calls, block);
  return calls;
}

ImpStm *device_without_calls(Chunks *c, const ImpStm *stm) {
  Calls s = {.c = c, .ok = true};
  const int variables = c->fn->vars.len;
  ImpStm *without = stm_without(&s, stm);
  if (!s.ok || s.results.len) c->fn->vars.len = variables;
  return s.ok && !s.results.len ? without : NULL;
}

static void call_block(void *state, ImpBlock *block) {
  Chunks *c = state;
  for (int i = 0; i < block->len; i++) {
    const bool parallel = block->at[i]->form == IMP_STM_FOR && block->at[i]->for_.parallel;
    if (!parallel) {
      imp_each_block(block->at[i], call_block, c);
      continue;
    }
    if (device_calls(block->at[i]->for_.body)) loop_without(c, &block->at[i]);
  }
}

// ---- functions that nothing calls any more ------------------------------------------------------
typedef struct {
  const Chunks *c;
  Map *reached;
} Reach;
static void reach_block(void *state, ImpBlock *block) {
  Reach *r = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    imp_each_block(stm, reach_block, state);
    const ImpFn *fn = stm->form == IMP_STM_CALL ? imp_callee(r->c->prog, &stm->call) : NULL;
    if (!fn || map_get(r->reached, KEY(fn))) continue;
    map_put(r->reached, KEY(fn), r);
    reach_block(r, fn->body);
  }
}

static void drop_unreached(Chunks *c, ImpProg *prog) {
  Reach r = {c, map_new(c->arena)};
  int kept = 0;
  for (int i = 0; i < prog->fns.len; i++) {
    const ImpFn *fn = prog->fns.at[i];
    if (fn->core && !fn->core->entry) continue;
    map_put(r.reached, KEY(fn), &r);
    reach_block(&r, fn->body);
  }
  for (int i = 0; i < prog->fns.len && map_len(r.reached); i++)
    if (map_get(r.reached, KEY(prog->fns.at[i]))) prog->fns.at[kept++] = prog->fns.at[i];
  if (kept) prog->fns.len = kept;
}

void imp_pass_device_calls(ImpProg *prog, ImpFn *fn) {
  if (!prog->core || !prog_on_device(prog->core)) return;
  Chunks c = {.arena = prog->arena, .prog = prog, .fn = fn, .device = true,
              .slopes = {.arena = prog->arena, .fn = fn}};
  call_block(&c, fn->body);
  if (fn == prog->fns.at[prog->fns.len - 1]) drop_unreached(&c, prog);
}
