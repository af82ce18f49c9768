// ad: removes the differentiation operators jvp, vjp and with_vjp from a core program.  The rules
// are those of doc/ad.md, one function per form; forward mode in jvp*.c, reverse mode in vjp*.c.
//
// needs   screma unfused
// leaves  ordinary core; with_vjp survives only where an operator that is still there reaches it;
//         functions called under the operators removed have derivative functions beside them
// cost    every statement under a vjp is emitted once per scope that encloses it, and once more
#ifndef AD_H
#define AD_H
#include "core/core.h"

// Removes the innermost operators: those with no operator inside.  The driver simplifies and
// repeats while ad_is_left.
Prog *pass_ad(Prog *prog, Arena *arena);
// The same, where zero times infinity or NaN is NaN, as IEEE says; without it, zero (guarded.c).
Prog *pass_ad_strict(Prog *prog, Arena *arena);
bool ad_is_left(const Prog *prog);
Span loc_user_span(const Loc *loc);  // the innermost place outside the library
// Warns of non-differentiable paths (gradient_warnings.c).  Needs what pass_ad needs.
void ad_warn(const Prog *prog, Diag *diag);
// Before: bounds on memory reach the loops that keep to them (distribute_limit.c).
Prog *pass_limit(Prog *prog, Arena *arena);       // all vjp keep to the limit of the run
Prog *pass_checkpoint(Prog *prog, Arena *arena);  // from vjp to the loops inside
// The innermost Jacobians by blocks become derivatives of one block's function (jacobian.c).
Prog *pass_jacobian(Prog *prog, Arena *arena);
bool jacobian_is_left(const Prog *prog);
// Marks the program free of operators.
Prog *pass_ad_done(Prog *prog, Arena *arena);
#endif
