// Bounds on the memory of reverse mode go from where they are written to the loops that keep to
// them (checkpoint.c): from #[checkpoint], #[stripmine] and #[memory_limit] on a vjp, and from the
// session's memory limit.  A loop's own attribute wins, but over a limit in bytes.  Loops inside
// loops are left alone: they are taped for one iteration at a time.  Loops inside maps are left
// alone, too, where the run's limit counts, which no single iteration may take.
#include "ad/common/local.h"

enum { MOST_SHARES = 1024 };

typedef struct {
  Rewrite w;   // first
  Attrs give;  // what loops met next are given; nothing where it is all zero
  int loops;   // how many of them are still to come
} Limit;

static bool bounds(const Attrs *a) {
  return a->checkpoint || a->memory_limit || a->memory_fraction;
}

static bool gives(const Attrs *a) { return bounds(a) || a->stripmine; }

typedef struct {
  bool maps;
  int loops;
} Count;

static bool is_map(Form form) {
  return form == FORM_MAP || form == FORM_REDUCE || form == FORM_SCAN || form == FORM_HIST ||
         form == FORM_SCATTER || form == FORM_SCREMA;
}

static void count_body(void *state, const Body *body, const Vars *params) {
  Count *c = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Form form = stm->exp.form;
    if (form == FORM_LOOP) c->loops += !bounds(&stm->attrs);
    else if (form != FORM_VJP && (c->maps || !is_map(form)))
      exp_each_body(&stm->exp, count_body, c);
  }
}

static void give_loop(Limit *l, Stm *stm) {
  if (!stm->attrs.stripmine) {
    stm->attrs.stripmine = l->give.stripmine;
    stm->attrs.checkpoint = l->give.checkpoint;
  }
  stm->attrs.memory_limit = l->give.memory_limit;
  if (l->give.memory_fraction) stm->attrs.memory_fraction = l->give.memory_fraction * l->loops--;
}

static void limit_stm(Rewrite *w, const Stm *stm) {
  Limit *l = (Limit *)w, saved = *l;
  Stm out = *stm;
  if (stm->exp.form == FORM_VJP) {
    Count c = {.maps = !stm->attrs.memory_fraction};
    l->give = (Attrs){0};
    if (gives(&stm->attrs)) {
      count_body(&c, &stm->exp.vjp.fn->body, NULL);
      l->give = stm->attrs;
      l->loops = c.loops;
      if (c.loops) l->give.memory_limit /= c.loops;
    }
  } else if (stm->exp.form == FORM_LOOP) {
    if (gives(&l->give) && !bounds(&stm->attrs)) give_loop(l, &out);
    saved.loops = l->loops;
    l->give = (Attrs){0};
  } else if (is_map(stm->exp.form) && l->give.memory_fraction) {
    l->give = (Attrs){0};
  }
  rewrite_stm(w, &out);
  if (stm->exp.form != FORM_VJP && stm->exp.form != FORM_LOOP) saved.loops = l->loops;
  l->give = saved.give;
  l->loops = saved.loops;
}

// Hands bounds written on a vjp to the loops of its function.
Prog *pass_checkpoint(Prog *prog, Arena *arena) {
  Limit l = {.w = {.stm = limit_stm}};
  return rewrite_prog(prog, arena, &l.w);
}

typedef struct {
  Rewrite w;   // first
  int shares;  // of a vjp here
} Shares;

static void share_stm(Rewrite *w, const Stm *stm) {
  Shares *s = (Shares *)w;
  Stm out = *stm;
  int shares = s->shares;
  if (stm->exp.form == FORM_VJP && !gives(&stm->attrs)) out.attrs.memory_fraction = shares;
  if (stm->exp.form == FORM_JVP && shares < MOST_SHARES) s->shares *= 2;
  rewrite_stm(w, &out);
  s->shares = shares;
}

// Every vjp keeps to the memory limit of the run; what is stored has tangents under each jvp.
Prog *pass_limit(Prog *prog, Arena *arena) {
  Shares s = {.w = {.stm = share_stm}, .shares = 1};
  return rewrite_prog(prog, arena, &s.w);
}
