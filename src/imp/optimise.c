// The passes over imp, in order.
#include "imp.h"

// Statements stay where they are.
static void looking(ImpProg *prog, ImpFn *fn) {
  imp_pass_unread(prog->arena, fn);
  imp_pass_hoist(prog->arena, fn);
  imp_pass_stack(prog->arena, fn);
  imp_pass_free(prog->arena, fn);
}

void imp_optimise(ImpProg *prog) {
  for (int i = 0; i < prog->fns.len; i++) {
    ImpFn *fn = prog->fns.at[i];
    if (prog->trace_nan) {
      looking(prog, fn);
      continue;
    }
    imp_pass_unread(prog->arena, fn);
    imp_pass_forward(prog->arena, fn);
    imp_pass_join(prog->arena, fn);
    imp_pass_unread(prog->arena, fn);
    imp_pass_nest(prog->arena, fn);
    imp_pass_known(prog->arena, fn);
    ImpPrivate *private_ = imp_find_private(prog->arena, fn);
    imp_pass_hoist(prog->arena, fn);
    imp_pass_strip(prog->arena, fn, private_);
    imp_pass_jam(prog->arena, fn);
    imp_pass_stack(prog->arena, fn);
    imp_pass_lanes(prog->arena, fn);
    imp_pass_free(prog->arena, fn);
  }
}
