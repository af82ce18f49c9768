// opt: passes from core to core.  Every pass is total and deterministic; it changes a program that
// it owns (prog_own), else returns another in the arena given; none changes what a program computes
// (floating-point sums may be reassociated where the operator was declared associative).
// The promises among passes: pass_<x> below states needs / leaves / cost.
#ifndef OPT_H
#define OPT_H
#include "core/core.h"

// ---- inline.c
Prog *pass_tail(Prog *prog, Arena *arena);        // tail calls to loops
Prog *pass_inline(Prog *prog, Arena *arena);      // functions called once, or small
Prog *pass_inline_all(Prog *prog, Arena *arena);  // everything reachable but recursion
Prog *pass_inline_ad(Prog *prog, Arena *arena);   // everything under jvp, vjp, with_vjp

// ---- simplify.c, dce.c, cse.c, hoist.c
Prog *pass_simplify(Prog *prog, Arena *arena);
Prog *pass_simplify_small(Prog *prog, Arena *arena);
Prog *pass_dce(Prog *prog, Arena *arena);
Prog *pass_cse(Prog *prog, Arena *arena);
Prog *pass_hoist(Prog *prog, Arena *arena);
Prog *pass_hoist_views(Prog *prog, Arena *arena);
Prog *pass_finite_math(Prog *prog, Arena *arena);
Prog *pass_sink(Prog *prog, Arena *arena);
Prog *pass_unswitch(Prog *prog, Arena *arena);
Prog *pass_move_rows(Prog *prog, Arena *arena);

// ---- resolve_asserts.c: assertions whose value is not used go; of the program that elaboration
// made, in place.  Gives the places of those of which no copy stayed.
typedef LIST(const Loc *) Locs;
Locs assertions_resolve(Prog *prog, Arena *arena);

// ---- negative_sizes.c: constant sizes below 0 become variables; the same program, in place
void negative_sizes_hide(Prog *prog);

// ---- merge_branches.c: branches on one condition become one
Prog *pass_merge_branches(Prog *prog, Arena *arena);

// ---- share_branches.c: a later branch takes costly scalars from an earlier one
Prog *pass_share_branches(Prog *prog, Arena *arena);

// ---- remat.c: the reverse sweep takes costly values from the forward sweep
Prog *pass_exclusive_scan(Prog *prog, Arena *arena);
Prog *pass_remat(Prog *prog, Arena *arena);
Prog *pass_remat_text(Prog *prog, Arena *arena);

// ---- join_maps.c: maps whose elements a later map computes again become part of that
Prog *pass_join_maps(Prog *prog, Arena *arena);

// ---- fuse.c, unfuse.c
Prog *pass_fuse(Prog *prog, Arena *arena);       // everything; makes SCREMA
Prog *pass_fuse_maps(Prog *prog, Arena *arena);  // over arrays of rows; before AD
Prog *pass_unfuse(Prog *prog, Arena *arena);     // SCREMA to map, scan, reduce, map

// ---- specialise.c
Prog *pass_accspec(Prog *prog, Arena *arena);
Prog *pass_accsums(Prog *prog, Arena *arena);
Prog *pass_accwrite(Prog *prog, Arena *arena);
// The updates of accumulators in the body that iterations of a map may make at one place; the
// others are plain additions (conflicts.c).
typedef struct {
  const Stm *stm;
  bool shared, data;  // data: at indices that come from data
  bool private_;      // every iteration adds to the same places of the accumulator
} SharedUpdate;
typedef LIST(SharedUpdate) SharedUpdates;
SharedUpdates acc_shared(Prog *prog, Arena *arena, const Body *body);

// ---- onehot/pass.c: sums and loops over one case are that case
Prog *pass_onehot(Prog *prog, Arena *arena);
bool onehot_applies(const Prog *prog);  // it compares indices and chooses zero

// ---- loops/: loops over arrays to map, reduce, scatter, accumulators
Prog *pass_loops(Prog *prog, Arena *arena);

// ---- scalar_replace.c: small constant loops unroll; small arrays of constant size become scalars
Prog *pass_expand_small(Prog *prog, Arena *arena);
Prog *pass_scalar_replace(Prog *prog, Arena *arena);

// ---- map_jam.c: maps marked #[unroll] of few iterations: one of all of them
Prog *pass_map_jam(Prog *prog, Arena *arena);
// Whether derivatives in a few directions, with scalar results, should be marked so.
bool map_jam_pays(const Prog *prog, Arena *arena, const struct map_form *m);

// ---- blocks/: reductions, scans, scatters outside of maps in parts that may run at once
Prog *pass_blocks(Prog *prog, Arena *arena);

// ---- operator_interchange.c: reduce (map g) ==> map (reduce g), scan likewise
Prog *pass_interchange(Prog *prog, Arena *arena);
// Rewrites one REDUCE or SCAN whose operator is exactly a map of a function over its operands;
// appends the equivalent to `to` and binds the same variables.  False when it is not of that form.
bool soac_interchange(Builder *to, const Stm *stm);
#endif
