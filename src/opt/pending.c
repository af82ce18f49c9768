// Passes that leave the program as it is until their own file exists.
#include "local.h"
Prog *pass_hoist(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_sink(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_fuse(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_fuse_maps(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_unfuse(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_accspec(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_scalars(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
Prog *pass_interchange(const Prog *prog, Arena *arena) { return prog_clone(prog, arena); }
bool soac_interchange(Builder *to, const Stm *stm) { return to && stm && false; }
