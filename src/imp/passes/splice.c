// The statements of a function in place of a call of it: scalar parameters are bound to the
// arguments, memory is the caller's, results are the variables that the call binds.
//
//   call f args=(e, o) mems=(_, a) results=(r, b)      x' = e; .. a[o + i] ..; r = s;
//     of  fn f (x, p) { .. p[i] ..; return s;          and b for d and c everywhere
//                       move c d; yield c }
//
// Not for functions that take blocks of their caller, or give a block other than at their end.
#include "local.h"

typedef struct {
  Chunks *c;
  const ImpFn *callee;
  const struct imp_call *call;
  const ImpExp **map;      // by variable of the callee
  ImpVar *mems;            // by its memory: the same
  const ImpExp **offsets;  // by its memory; NULL: none
} Splice;

// ---- which ------------------------------------------------------------------------------------
typedef struct {
  const ImpFn *callee;
  int *yields;  // by memory
  bool prints;
} Ends;

static void find_ends(void *state, ImpBlock *block) {
  Ends *e = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_YIELD) e->yields[stm->yield.mem.id]++;
    e->prints = e->prints || stm->form == IMP_STM_TRACE;
    imp_each_block(stm, find_ends, state);
  }
}

static bool gives_well(const Ends *e, ImpVar mem) {
  return e->callee->vars.at[mem.id].kind == IMP_BLOCK && e->yields[mem.id] == 1;
}

bool imp_splices(Arena *arena, const ImpFn *callee) {
  Ends e = {.callee = callee, .yields = NEW_ARRAY(arena, int, callee->vars.len + 1)};
  int gives = 0, given = 0;
  find_ends(&e, callee->body);
  for (int i = 0; i < callee->params.len; i++)
    if (callee->vars.at[callee->params.at[i].id].kind == IMP_BLOCK) return false;
  for (int k = 0; k < callee->result_is_mem.len; k++)
    gives += callee->result_is_mem.at[k] && !callee->result_in.at[k];
  for (int i = 0; i < callee->body->len; i++) {
    const ImpStm *stm = callee->body->at[i];
    if (stm->form != IMP_STM_YIELD) continue;
    if (!gives_well(&e, stm->yield.mem)) return false;
    given++;
  }
  return given == gives && !e.prints;
}

// ---- variables --------------------------------------------------------------------------------
static bool is_same_global(const ImpVarInfo *a, const ImpVarInfo *b) {
  return a->kind == IMP_GLOBAL && b->kind == IMP_GLOBAL && a->global == b->global;
}

// The caller's variable of the callee's.
static ImpVar variable_of(Splice *s, int id) {
  ImpFn *fn = s->c->fn;
  const ImpVarInfo *v = &s->callee->vars.at[id];
  for (int k = 1; v->kind == IMP_GLOBAL && k < fn->vars.len; k++)
    if (is_same_global(&fn->vars.at[k], v)) return (ImpVar){(uint32_t)k};
  list_push(s->c->arena, &fn->vars, *v);
  return (ImpVar){(uint32_t)fn->vars.len - 1};
}

typedef struct {
  ImpVar mem;
  int count;
} Counted;
static void count_mem(void *state, ImpVar mem) {
  Counted *c = state;
  c->count += mem.id == c->mem.id;
}
static void count_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], count_mem, state);
    imp_each_block(block->at[i], count_block, state);
  }
}
// From statement number `first` on.
static int mentions(const ImpBlock *block, int first, ImpVar mem) {
  Counted c = {mem, 0};
  ImpBlock rest = {.at = block->at + first, .len = block->len - first};
  count_block(&c, &rest);
  return c.count;
}

// A block of the function's own goes into one that is yielded, and neither is mentioned otherwise.
static bool is_last_move(const Splice *s, int at) {
  const ImpStm *stm = s->callee->body->at[at];
  if (stm->form != IMP_STM_MOVE || !s->mems[stm->move.to.id].id) return false;
  const ImpVar to = stm->move.to, from = stm->move.from;
  return s->callee->vars.at[from.id].kind == IMP_BLOCK && !s->mems[from.id].id &&
         mentions(s->callee->body, 0, to) == 2 && mentions(s->callee->body, at, from) == 1;
}

static void map_params(Splice *s) {
  const ImpFn *callee = s->callee;
  for (int i = 0; i < callee->params.len; i++) {
    const uint32_t p = callee->params.at[i].id;
    const ImpExp *arg = s->call->args.at[i];
    if (!callee->vars.at[p].is_mem) continue;
    s->mems[p] = s->call->mems.at[i];
    s->offsets[p] = imp_is_int(arg, 0) ? NULL : arg;
  }
  for (int i = callee->body->len - 1; i >= 0; i--) {
    const ImpStm *stm = callee->body->at[i];
    if (stm->form == IMP_STM_YIELD)
      s->mems[stm->yield.mem.id] = s->call->results.at[stm->yield.index];
    if (is_last_move(s, i)) s->mems[stm->move.from.id] = s->mems[stm->move.to.id];
  }
}

static const ImpExp *of_caller(const Splice *s, const ImpExp *e) {
  return e ? imp_exp_subst(s->c->arena, e, s->map) : NULL;
}

static void map_variables(Splice *s) {
  ImpFn *fn = s->c->fn;
  const int first = fn->vars.len;
  for (int id = 1; id < s->callee->vars.len; id++) {
    const ImpVar v = s->mems[id].id ? s->mems[id] : variable_of(s, id);
    if (s->callee->vars.at[id].is_mem) s->mems[id] = v;
    s->map[id] = imp_var(s->c->arena, fn, v);
  }
  for (int id = first; id < fn->vars.len; id++) {
    ImpVarInfo *v = &fn->vars.at[id];
    ImpVars rows = {0};
    v->def = of_caller(s, v->def);
    v->bound = of_caller(s, v->bound);
    v->cells = of_caller(s, v->cells);
    for (int k = 0; k < v->rows.len; k++)
      list_push(s->c->arena, &rows, s->mems[v->rows.at[k].id]);
    v->rows = rows;
  }
}

// ---- statements -------------------------------------------------------------------------------
static ImpBlock *block_of_caller(Splice *s, const ImpBlock *block);

static const ImpExp *moved(const Splice *s, ImpVar mem, const ImpExp *at) {
  const ImpExp *offset = s->offsets[mem.id];
  return offset ? imp_add(s->c->arena, offset, at) : at;
}

// `from` is the callee's statement, `to` the caller's.
static void add_offsets(const Splice *s, const ImpStm *from, ImpStm *to) {
  if (from->form == IMP_STM_LOAD) to->load.at = moved(s, from->load.mem, to->load.at);
  if (from->form == IMP_STM_STORE) to->store.at = moved(s, from->store.mem, to->store.at);
  if (from->form == IMP_STM_UPDATE) to->update.at = moved(s, from->update.mem, to->update.at);
  if (from->form == IMP_STM_COPY) {
    to->copy.to_at = moved(s, from->copy.to, to->copy.to_at);
    to->copy.from_at = moved(s, from->copy.from, to->copy.from_at);
  }
  for (int i = 0; from->form == IMP_STM_CALL && i < from->call.mems.len; i++)
    to->call.args.at[i] = moved(s, from->call.mems.at[i], to->call.args.at[i]);
}

static ImpStm *stm_of_caller(Splice *s, const ImpStm *stm) {
  if (stm->form == IMP_STM_RETURN) {
    ImpStm set = {.form = IMP_STM_SET, .set = {s->call->results.at[stm->return_.index],
                                               of_caller(s, stm->return_.value)}};
    return chunks_make(s->c, set);
  }
  ImpStm *copy = arena_copy(s->c->arena, stm, sizeof *stm);
  imp_stm_rename(s->c->arena, s->map, copy);
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    ImpBlock **at = (ImpBlock **)(void *)((char *)copy + d->offset);
    if (d->kind == IMP_FIELD_BLOCK) *at = block_of_caller(s, *at);
  }
  add_offsets(s, stm, copy);
  return copy;
}

// Of one block: it is there already.
static bool stays_there(const Splice *s, const ImpStm *stm) {
  if (stm->form != IMP_STM_MOVE) return stm->form == IMP_STM_YIELD;
  return s->mems[stm->move.to.id].id == s->mems[stm->move.from.id].id;
}

static ImpBlock *block_of_caller(Splice *s, const ImpBlock *block) {
  ImpBlock *out = NEW(s->c->arena, ImpBlock);
  for (int i = 0; i < block->len; i++)
    if (!stays_there(s, block->at[i]))
      list_push(s->c->arena, out, stm_of_caller(s, block->at[i]));
  return out;
}

// ---- the call ---------------------------------------------------------------------------------
static void bind_params(Splice *s, ImpBlock *out) {
  for (int i = 0; i < s->callee->params.len; i++) {
    const uint32_t p = s->callee->params.at[i].id;
    if (s->callee->vars.at[p].is_mem) continue;
    chunks_let(s->c, out, s->map[p]->var, s->call->args.at[i]);
  }
}

void imp_splice(Chunks *c, const struct imp_call *call, const ImpFn *callee, ImpBlock *out) {
  const int n = callee->vars.len + 1;
  Splice s = {c, callee, call, NEW_ARRAY(c->arena, const ImpExp *, n),
              NEW_ARRAY(c->arena, ImpVar, n), NEW_ARRAY(c->arena, const ImpExp *, n)};
  map_params(&s);
  map_variables(&s);
  bind_params(&s, out);
  const ImpBlock *body = block_of_caller(&s, callee->body);
  for (int i = 0; i < body->len; i++) list_push(c->arena, out, body->at[i]);
}
