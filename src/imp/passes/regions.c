// Programs to be profiled: the loops whose time is measured (rts/profile.h) become REGIONs.  A
// region is an outermost loop, or one in a sequential loop around it:
//
//   for i < n: a; parallel for j < m: b     region 0: for i < n: a; region 1 leaf: parallel for ..
//
// Inside of parallel loops nothing is measured, nor are short loops of constant bounds: measuring
// would take longer than the loop.
#include "ad/common/ad.h"
#include "imp/common/imp.h"

enum { SHORT = 64 };

typedef struct {
  ImpProg *prog;
  const ImpFn *fn;
} Marker;

static bool is_loop(const ImpStm *stm) {
  return stm->form == IMP_STM_FOR || stm->form == IMP_STM_CHUNKS || stm->form == IMP_STM_WHILE
         || stm->form == IMP_STM_KERNEL;
}

static void find_loop(void *state, ImpBlock *block) {
  bool *found = state;
  for (int i = 0; i < block->len && !*found; i++) {
    if (is_loop(block->at[i]) || block->at[i]->form == IMP_STM_CALL) *found = true;
    else imp_each_block(block->at[i], find_loop, state);
  }
}

static bool is_short(const ImpStm *stm) {
  if (stm->form != IMP_STM_FOR) return false;
  const ImpExp *n = stm->for_.bound;
  bool inner = false;
  find_loop(&inner, stm->for_.body);
  return !inner && n->kind == IMP_CONST && n->value.i <= SHORT;
}

// Where the programmer wrote the loop.
static const char *loop_place(const Marker *m, ImpVar counter) {
  Span span = loc_user_span(m->fn->vars.at[counter.id].loc);
  if (!span.src) return m->fn->name;
  Text text = {0};
  span_print(&text, span);
  const char *place = arena_strndup(m->prog->arena, text.at, text.len);
  text_free(&text);
  return place;
}

// NULL: the statement is no region.
static const char *region_form(const ImpStm *stm, ImpVar *counter) {
  if (stm->form == IMP_STM_FOR && !is_short(stm)) {
    *counter = stm->for_.var;
    return stm->for_.parallel || stm->for_.outer_vec ? "parallel" : "loop";
  }
  if (stm->form == IMP_STM_KERNEL) return *counter = stm->kernel.var, "kernel";
  if (stm->form == IMP_STM_CHUNKS) return *counter = stm->chunks.first, "parallel";
  return NULL;
}

static void mark_block(void *state, ImpBlock *block) {
  Marker *m = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    ImpVar counter;
    const char *form = region_form(stm, &counter);
    bool sequential = form && stm->form == IMP_STM_FOR && *form == 'l';
    int index = m->prog->regions.len;
    if (form)
      list_push(m->prog->arena, &m->prog->regions, (ImpRegion){loop_place(m, counter), form});
    if (sequential || (!form && !is_short(stm))) imp_each_block(stm, mark_block, m);
    if (!form) continue;
    ImpBlock *body = NEW(m->prog->arena, ImpBlock);
    list_push(m->prog->arena, body, stm);
    ImpStm region = {.form = IMP_STM_REGION, .region = {index, !sequential, body}};
    block->at[i] = arena_copy(m->prog->arena, &region, sizeof region);
  }
}

void imp_pass_regions(ImpProg *prog, ImpFn *fn) {
  Marker marker = {prog, fn};
  mark_block(&marker, fn->body);
}
