// Interruptible programs: long loops ask at the start of an iteration whether the call is to end,
// and the outermost loop of an entry point says how far it is.
//
//   for (..) { if (dz_unlikely(dz_step(ctx, i, n))) { err = dz_stopped(ctx); goto fail; } .. }
//
// A loop is long when its body has a loop or a call.  Sequential loops of short bodies ask every
// 4096 iterations, and outermost vector code once a strip.
#include "local.h"

static void find_loop(void *state, ImpBlock *block) {
  bool *found = state;
  for (int i = 0; i < block->len && !*found; i++) {
    ImpForm form = block->at[i]->form;
    if (form == IMP_STM_FOR || form == IMP_STM_WHILE || form == IMP_STM_CALL) *found = true;
    else imp_each_block(block->at[i], find_loop, state);
  }
}
static bool has_loop(const ImpBlock *block) {
  bool found = false;
  find_loop(&found, (ImpBlock *)(uintptr_t)block);
  return found;
}

static bool is_entry(const Writer *w) { return w->fn->core && w->fn->core->entry; }

// seldom: only every 4096 iterations.
static void put_test(Writer *w, const struct imp_for_ *s, bool seldom, bool outermost) {
  c_line(w);
  text_puts(w->out, "if (dz_unlikely(");
  if (seldom) {
    text_puts(w->out, "(");
    c_var(w->out, w->fn, s->var);
    text_puts(w->out, " & 4095) == 4095 && ");
  }
  if (outermost && is_entry(w)) {
    text_puts(w->out, "dz_step(ctx, ");
    c_var(w->out, w->fn, s->var);
    text_puts(w->out, ", ");
    c_exp(w->out, w->fn, s->bound);
    text_puts(w->out, ")");
  } else text_puts(w->out, "dz_stops(ctx)");
  text_puts(w->out, ")) { err = dz_stopped(ctx); goto fail; }\n");
  w->fails = true;
}

void c_stop_test(Writer *w, const struct imp_for_ *s) {
  if (!w->prog->interruptible || s->simd || w->device) return;
  bool outermost = w->loops == 1 && !w->lanes, long_body = has_loop(s->body);
  if (w->lanes && s->parallel) return;
  if (long_body || !s->parallel) put_test(w, s, !long_body, outermost);
}

void c_stop_test_while(Writer *w, const struct imp_while_ *s) {
  if (!w->prog->interruptible || w->device) return;
  if (w->loops == 1 || has_loop(s->body)) put_test(w, NULL, false, false);
}

void c_stop_test_strip(Writer *w, const struct imp_for_ *s) {
  if (w->prog->interruptible && w->loops == 0 && has_loop(s->body)) put_test(w, s, false, true);
}
