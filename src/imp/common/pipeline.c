// The passes over imp, in order.
#include "imp.h"

// Statements stay where they are.
static void looking(ImpProg *prog, ImpFn *fn) {
  imp_pass_dead_stores(prog->arena, fn);
  imp_pass_hoist(prog->arena, fn);
  imp_pass_stack(prog->arena, fn);
  imp_pass_free(prog->arena, fn);
}

void imp_optimise(ImpProg *prog, ImpParallels *said) {
  bool cores = prog_target(prog->core) == TARGET_CORES;
  for (int i = 0; i < prog->fns.len; i++) {
    ImpFn *fn = prog->fns.at[i];
    if (prog->trace_nan) {
      looking(prog, fn);
      continue;
    }
    imp_pass_dead_stores(prog->arena, fn);
    imp_pass_contract(prog->arena, fn);
    imp_pass_fuse(prog->arena, fn);
    imp_pass_dead_stores(prog->arena, fn);
    imp_pass_interchange(prog->arena, fn);
    imp_pass_checks(prog->arena, fn);
    imp_pass_split(prog->arena, fn);
    imp_pass_chunks(prog->arena, fn, cores, said);
    ImpPrivatised *privatised = imp_privatise(prog->arena, fn);
    imp_pass_hoist(prog->arena, fn);
    imp_pass_outer_vec(prog->arena, fn, privatised);
    imp_pass_jam(prog->arena, fn);
    imp_pass_stack(prog->arena, fn);
    imp_pass_inner_vec(prog->arena, fn);
    imp_pass_free(prog->arena, fn);
  }
}
