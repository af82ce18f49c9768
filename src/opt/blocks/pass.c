// The pass: bodies outside of all maps.
#include "blocks.h"

static void blocks_body(Blocks *s, Body *body);

static bool is_outside(Form form) {
  return form == FORM_MATCH || form == FORM_LOOP || form == FORM_WITHACC;
}

static void blocks_stm(Blocks *s, Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    map_put(s->defs, stm->bound.at[i].id, arena_copy(s->scratch, stm, sizeof *stm));
  s->to.loc = stm->loc;
  if (block_fold(s, stm) || block_scan(s, stm) || block_scatter(s, stm)) return;
  Parts parts = is_outside(stm->exp.form) ? exp_parts(s->prog->arena, &stm->exp) : (Parts){0};
  for (int k = 0; k < parts.len; k++)
    if (parts.at[k].body) blocks_body(s, parts.at[k].body);
  build_stm(&s->to, *stm);
}

static void blocks_body(Blocks *s, Body *body) {
  Stms out = {0}, *around = s->to.stms;
  s->to.stms = &out;
  for (int i = 0; i < body->stms.len; i++) blocks_stm(s, &body->stms.at[i]);
  s->to.stms = around;
  body->stms = out;
}

static bool is_loop(const Exp *e) {
  return e->form == FORM_REDUCE || e->form == FORM_SCREMA || e->form == FORM_SCAN ||
         e->form == FORM_SCATTER;
}

// needs: everything fused, the last of the passes over core.  leaves: outside of maps, reductions
// by operators of several operations over blocks only, or with other results; for cores, two
// versions of scans and scatters.  cost: linear.
Prog *pass_blocks(Prog *prog, Arena *arena) {
  if (!prog_has(prog, is_loop)) return prog;
  Prog *out = prog_own(prog, arena);
  for (int i = 0; i < out->fns.len; i++) {
    Blocks s = {.prog = out, .scratch = arena_new(), .to = builder_new(out, NULL)};
    s.defs = map_new(s.scratch);
    s.cost = cost_new(out, s.scratch, out->fns.at[i], BLOCK_SPECIAL);
    blocks_body(&s, &out->fns.at[i]->body);
    arena_free(s.scratch);
  }
  return out;
}
