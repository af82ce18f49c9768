// Whether a loop whose memory is bounded (checkpoint.c) needs no forward sweep: the first iteration
// of its return loop then advances from the first state, as others do from the one stored last.
// This saves one execution of every iteration, and the body is written once less.  The sweep can be
// left out where
//   * nothing needs the loop's results but the loop's own adjoint code,
//   * adjoint code goes back once, not in several directions,
//   * no statement of the body can fail, run for ever or print: of the last iteration only the
//     variables that adjoint code reads are computed, of others those the next state depends on.
#include "ad/common/local.h"

static bool is_wanted(Vjp *v, const Stm *stm) {
  VarSet used = varset_new(vjp_arena(v));
  for (int k = 0; v->level == 0 && v->valued && k < v->body->results.len; k++)
    varset_add_atom(&used, v->body->results.at[k]);
  tbr_used(&v->tbr, &v->active, v->reload, &used, v->body);
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(&used, stm->bound.at[k])) return true;
  return false;
}

bool forward_elidable(Vjp *v, const Stm *stm) {
  return body_succeeds(v->w.from, &stm->exp.loop.fn->body) && !v->shared && !is_wanted(v, stm) &&
         prog_may(v->w.from, SWITCH_ONE_SWEEP);
}
