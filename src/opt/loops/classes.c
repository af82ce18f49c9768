// The class of every parameter of a loop, and the rule that replaces the loop where all have one.
#include "loops.h"

// The source asks something of this loop, or of reverse mode at it.
static bool stays(const Attrs *a) {
  return a->sequential || a->unroll || a->chunked || a->low_peak || a->stripmine || a->bound ||
         a->checkpoint || a->memory_fraction || a->memory_limit;
}

static bool prints(const Exp *exp) { return exp->form == FORM_TRACE; }

// Parameters of shapes that do not change.
static bool has_shapes(const Loop *s) {
  for (int k = 0; k < s->l->inits.len; k++) {
    Type t = var_type(s->e->prog, loop_param(s, k));
    for (int d = 0; d < t.rank; d++)
      if (loop_binds(s, t.dims[d])) return false;
  }
  return true;
}

static bool is_candidate(const Env *e, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  return stm->exp.form == FORM_LOOP && l->is_for && l->inits.len > 0 && !stays(&stm->attrs) &&
         atom_type(e->prog, l->bound).prim == PRIM_I64 && !exp_has(&stm->exp, prints);
}

static bool only_accumulators(const Loop *s) {
  for (int k = 0; k < s->l->inits.len; k++)
    if (!var_type(s->e->prog, loop_param(s, k)).is_acc) return false;
  return true;
}

// The array is the result that belongs to the parameter, and no other.
static bool returns(const Loop *s, const Family *f, int k) {
  for (int j = 0; j < s->l->inits.len; j++)
    if (family_has(f, s->l->fn->body.results.at[j]) != (j == k)) return false;
  return true;
}

static bool class_array(Loop *s, int k, ParamClass *out) {
  Type t = var_type(s->e->prog, loop_param(s, k));
  if (t.is_acc) {
    const Operator *op = env_fact(s->e, t.token)->op;
    *out = (ParamClass){.kind = op && op->op ? CLASS_ACC : CLASS_NONE, .cell = t};
    return out->kind == CLASS_ACC;
  }
  Family *f = family_of(s, loop_param(s, k));
  if (!returns(s, f, k)) return false;
  if (class_cells(s, f, out) || class_parts(s, f, out) || class_adds(s, f, out) ||
      class_store(s, f, out))
    return true;
  *out = (ParamClass){.kind = CLASS_NONE};
  return false;
}

static bool class_param(Loop *s, int k, ParamClass *classes) {
  Type t = var_type(s->e->prog, loop_param(s, k));
  if (classes[k].kind != CLASS_NONE) return true;
  if (t.rank > 0 || t.is_acc) return class_array(s, k, &classes[k]);
  return class_fold(s, k, &classes[k]) || class_count(s, k, &classes[k]) ||
         class_best(s, k, classes);
}

static bool class_all(Loop *s, ParamClass *classes) {
  int n = s->l->inits.len;
  for (int k = 0; k < n; k++) class_param(s, k, classes);
  for (int k = 0; k < n; k++)
    if (classes[k].kind == CLASS_NONE) return false;
  return true;
}

// Iterations that are all the same number or factor: as a map they would gain nothing.
static bool is_even(const Loop *s, const ParamClass *classes) {
  for (int k = 0; k < s->l->inits.len; k++)
    if (classes[k].kind != CLASS_FOLD) return false;
  return loop_uses(s, s->i) == 0;
}

// The combinators into `out`; false: it stays.  last: the loops inside are done.
static bool replaced(Env *e, Stm *stm, Stms *out, bool last) {
  if (!is_candidate(e, stm)) return false;
  Loop s = loop_of(e, stm);
  if (!has_shapes(&s) || (stm->attrs.reversed && only_accumulators(&s))) return false;
  ParamClass *classes = NEW_ARRAY(e->scratch, ParamClass, s.l->inits.len);
  Stms before = {0}, *to = e->to.stms;
  e->to.stms = &before;
  bool all = class_all(&s, classes), even = all && is_even(&s, classes);
  if (all && !even) {
    loop_replace(&s, stm, classes);
    for (int i = 0; i < before.len; i++) list_push(e->arena, out, before.at[i]);
  }
  e->to.stms = to;
  if (last && !all && e->reverse) loop_note(&s, stm, classes);
  return all && !even;
}

bool rule_loops(Env *e, Stm *stm) {
  int from = e->to.stms->len;
  if (!replaced(e, stm, e->to.stms, true)) return false;
  env_register(e, from);
  e->changed = true;
  return true;
}

static bool is_loop(const Exp *exp) { return exp->form == FORM_LOOP; }

// Additions to an array in nested loops stay additions to one place in all of them, an element that
// an inner loop works on becomes its parameter; inside out they would become rows and slices.
bool rule_loop_nest(Env *e, Stm *stm) {
  Stms out = {0};
  if (!is_candidate(e, stm) || !body_has(&stm->exp.loop.fn->body, is_loop)) return false;
  if (!replaced(e, stm, &out, false)) return false;
  env_use_body(e, &(Body){.stms = out});
  simplify_stms_of(e, out);
  e->changed = true;
  return true;
}
