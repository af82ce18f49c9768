// Programs that must give what another gives: with copies in between, with one result only.
#include "local.h"

typedef struct {
  Rewrite w;  // first
  Gen g;
} Copying;

// Later statements read the copy; the memory that is consumed is then another.
static void copying_stm(Rewrite *rw, const Stm *stm) {
  Copying *c = (Copying *)rw;
  rewrite_stm(rw, stm);
  if (stm->exp.form == FORM_COPY || stm->exp.form == FORM_SCRATCH) return;
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(rw->from, stm->bound.at[i]);
    if (t.rank == 0 || t.is_acc || !gen_chance(&c->g, 40)) continue;
    Atom now = rewrite_atom(rw, atom_var(stm->bound.at[i]));
    Builder b = rw->to;
    b.attrs = (Attrs){0};
    rewrite_bind(rw, stm->bound.at[i], build_copy(&b, now));
  }
}

Prog *gen_copies(Arena *arena, const Prog *prog, uint64_t seed) {
  Copying c = {.w = {.stm = copying_stm}, .g = {.arena = arena, .rng = seed * 13 + 5}};
  return rewrite_prog(prog, arena, &c.w);
}

Prog *gen_part(Arena *arena, const Prog *prog, const char *name, int result) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  Fn *fn = prog_fn(out, name);
  fn->results.at[0] = fn->results.at[result];
  fn->body.results.at[0] = fn->body.results.at[result];
  fn->results.len = fn->body.results.len = 1;
  fn->entry = entry_info_plain(out, fn, name);
  return out;
}
