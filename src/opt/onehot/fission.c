// Reductions that do not depend on the iteration around them leave a SCREMA that has others, so
// that they can leave the iteration (hoist).
//
//   map (\i -> (s, t) = screma (\j -> (a j, b i j)) <add, add>)     is
//   map (\i -> s = screma (\j -> a j) <add> ; t = screma (\j -> b i j) <add>)
//
// Costs another walk over the inputs where hoist cannot follow.
#include "onehot.h"

static bool is_local(Env *e, Atom a) {
  return a.is_var && env_fact(e, a.var)->scope == e->scope;
}


static void need_all(Map *needed, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(needed, vars.at[i].id, needed);
}

static bool binds_needed(const Map *needed, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (map_get(needed, stm->bound.at[k].id)) return true;
  return false;
}

// Variables, inside fn and outside, of which the elements from..from+n-1 are computed.
static Map *needed_by(Env *e, const struct screma_form *x, int from, int n, int except) {
  Map *needed = map_new(e->scratch);
  const Body *body = &x->fn->body;
  for (int k = 0; k < n; k++) {
    Atom r = body->results.at[from + k];
    if (r.is_var && k != except) map_put(needed, r.var.id, needed);
  }
  for (int i = body->stms.len - 1; i >= 0; i--)
    if (binds_needed(needed, &body->stms.at[i]))
      need_all(needed, exp_free(e->prog, e->scratch, &body->stms.at[i].exp));
  return needed;
}

static bool any_local(Env *e, const Map *needed) {
  for (int i = 0; i < map_len(needed); i++)
    if (is_local(e, env_atom(e, atom_var((Var){(uint32_t)map_key_at(needed, i)})))) return true;
  return false;
}

bool onehot_is_invariant(Env *e, const struct screma_form *x, const Operator *op, int from,
                         int except) {
  Map *needed = needed_by(e, x, from, op->neutral.len, except);
  need_all(needed, lambda_free(e->prog, e->scratch, op->op));
  for (int k = 0; k < op->neutral.len; k++)
    if (is_local(e, op->neutral.at[k])) return false;
  for (int i = 0; i < x->inputs.len; i++)
    if (map_get(needed, x->fn->params.at[i].id) && is_local(e, x->inputs.at[i])) return false;
  return !is_local(e, x->width) && !any_local(e, needed);
}

static void emit_alone(Env *e, Stm *stm, int which, int elem, int bound) {
  struct screma_form x = stm->exp.screma;
  Operator op = x.reds.at[which];
  int n = op.neutral.len;
  x.fn = lambda_copy(&e->to, onehot_cut(e, x.fn, elem, n));
  x.inputs = atoms_concat(e->arena, x.inputs, (Atoms){0});
  x.scans = x.reds = (Operators){0};
  list_push(e->arena, &x.reds, op);
  LambdaBuilder post = lambda_begin(&e->to, "x", (Types){0});
  x.post = lambda_end(&post, (Atoms){0});
  Stm *alone = NEW(e->arena, Stm);
  *alone = (Stm){.exp = {.form = FORM_SCREMA, .screma = x}, .attrs = stm->attrs, .loc = stm->loc};
  for (int k = 0; k < n; k++) list_push(e->arena, &alone->bound, stm->bound.at[bound + k]);
  Body body = {.stms = {alone, 1, 1}};
  env_use_body(e, &body);
  onehot_drop_operator(stm, which, elem, bound);
  simplify_stms_of(e, body.stms);
  e->changed = true;
}

static bool is_invariant_all(Env *e, const struct screma_form *x) {
  Map *needed = needed_by(e, x, 0, x->fn->body.results.len, -1);
  for (int i = 0; i < x->inputs.len; i++)
    if (is_local(e, x->inputs.at[i])) return false;
  return !any_local(e, needed);
}

void onehot_fission(Env *e, Stm *stm) {
  struct screma_form *x = &stm->exp.screma;
  if (e->depth < 2 || stm->bound.len < 2 || exp_has_effect(&stm->exp)) return;
  if (is_invariant_all(e, x)) return;
  int elem = 0, bound = 0;
  for (int i = 0; i < x->scans.len; i++) elem += x->scans.at[i].neutral.len;
  for (int r = 0; r < x->reds.len && stm->bound.len > 1;) {
    int n = x->reds.at[r].neutral.len;
    bool alone = stm->bound.len > n && onehot_is_invariant(e, x, &x->reds.at[r], elem, -1) &&
                 prog_may(e->prog, SWITCH_FISSION);
    if (alone) {
      emit_alone(e, stm, r, elem, bound);
      continue;
    }
    elem += n, bound += n, r++;
  }
}
