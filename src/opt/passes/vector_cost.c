// Whether a map of few iterations is better off as a loop than written out.
//
// The C compiler makes vector code of a map's loop (`omp simd`), where four iterations cost what
// one does; of the same statements one after the other it makes scalar code, but then arrays are
// scalars, too.  So a map stays, also one fused with what folds its results, that fills a vector,
// has vector code for all of its body, and costs more than arrays do: 20 additions, or an
// exponential.  Measured in bench/log.
//
// Inside forms whose iterations run in SIMD lanes the lanes are theirs, and maps of few
// iterations are statements of one lane.
#include "opt/common/local.h"

enum { ARRAYS = 20 };  // what arrays cost, in additions for each element

static bool has_vectors(const struct prim_form *e) {
  switch (op_info[e->op].vector) {
    case VECTOR_LANES: case VECTOR_INLINE: return true;
    case VECTOR_FLOATS: return prim_is_float(e->prim);
    case VECTOR_BRANCH: case VECTOR_NONE: break;
  }
  return false;
}

static int prim_saves(const struct prim_form *e) {
  OpCost cost = op_info[e->op].cost;
  if (op_info[e->op].vector == VECTOR_INLINE) return ARRAYS;
  if (cost == COST_DIVISION || cost == COST_ROOT) return 2;
  return prim_is_float(e->prim) ? 1 : 0;
}

static bool body_saves(const Body *body, int *sum);

static bool match_saves(const Cases *cases, int *sum) {
  for (int i = 0; i < cases->len; i++)
    if (!body_saves(&cases->at[i].body, sum)) return false;
  return true;
}

static bool stm_saves(const Stm *stm, int *sum) {
  const struct prim_form *e = &stm->exp.prim;
  switch ((int)stm->exp.form) {
    case FORM_ATOM: case FORM_CONV: case FORM_LITERAL: case FORM_INDEX: return true;
    case FORM_MATCH: return match_saves(&stm->exp.match.cases, sum);
    case FORM_PRIM: *sum += prim_saves(e); return e->prim != PRIM_F16 && has_vectors(e);
  }
  return false;
}

// Adds up what statements cost; false: not all of them have vector code.
static bool body_saves(const Body *body, int *sum) {
  for (int i = 0; i < body->stms.len; i++)
    if (!stm_saves(&body->stms.at[i], sum)) return false;
  return true;
}

bool map_is_vectorisable(const Target *target, const Lambda *fn, int64_t n) {
  int sum = 0;
  for (int i = 0; i < fn->rets.len; i++)
    if (fn->rets.at[i].is_acc) return false;
  return n >= target->lanes && body_saves(&fn->body, &sum) && sum >= ARRAYS;
}

static bool has_loop(const Body *body) {
  for (int i = 0; i < body->stms.len; i++)
    if (body->stms.at[i].exp.form == FORM_LOOP) return true;
  return false;
}

// Maps of few iterations are vector code where there is no loop inside, never strips.
static bool few_have_lanes(const Target *target, Atom width, const Body *body) {
  int64_t n;
  return !atom_const_i64(width, &n) || n >= target->strip ||
         (n >= target->lanes && !has_loop(body));
}

bool exp_is_vectorised(const Target *target, const Exp *exp) {
  switch ((int)exp->form) {
    case FORM_LOOP: case FORM_MATCH: case FORM_WITHACC: return false;
    case FORM_MAP: return few_have_lanes(target, exp->map.width, &exp->map.fn->body);
    case FORM_SCREMA: return few_have_lanes(target, exp->screma.width, &exp->screma.fn->body);
  }
  return exp_has_parts(exp);
}
