// Functions and calls.  Functions that are no entry points are printed before the first that calls
// them; sizes are parameters like others, and types say which.
#include "local.h"

// ---- calls
static Type type_at_call(Writer *s, const Fn *fn, const Stm *call, Type t) {
  Atom *dims = NEW_ARRAY(s->arena, Atom, t.rank + 1);
  for (int d = 0; d < t.rank; d++) {
    dims[d] = t.dims[d];
    for (int i = 0; i < fn->params.len; i++)
      if (atom_is_var(t.dims[d], fn->params.at[i])) dims[d] = call->exp.apply.args.at[i];
    for (int k = 0; k < fn->results.len; k++)
      if (atom_is_var(t.dims[d], fn->results.at[k])) dims[d] = atom_var(call->bound.at[k]);
  }
  t.dims = dims;
  return t;
}

static void put_arg(Writer *s, const Fn *fn, const Stm *stm, int i) {
  Atom a = stm->exp.apply.args.at[i];
  Type want = type_at_call(s, fn, stm, var_type(s->prog, fn->params.at[i]));
  bool same = want.rank == 0 || type_same(want, atom_type(s->prog, a));
  put(s, same ? " " : " (");
  if (want.unique) put_owned(s, a);
  else put_atom(s, a);
  if (same) return;
  want.unique = false;
  put(s, " :> ");
  put_type(s, want);
  put(s, ")");
}

// Results of one call that are not unique share memory for the types.
static void results_share_call(Writer *s, const Fn *fn, Vars bound) {
  int arrays = 0;
  for (int k = 0; k < bound.len; k++) arrays += var_type(s->prog, bound.at[k]).rank > 0;
  for (int k = 0; arrays > 1 && k < bound.len; k++) {
    Type t = var_type(s->prog, fn->results.at[k]);
    if (t.rank > 0 && !t.unique) array_share(s, bound.at[k]);
  }
}

// Arrays whose sizes the checker would know by other names are coerced.
void stm_apply(Writer *s, const Stm *stm) {
  const Fn *fn = prog_fn(s->prog, stm->exp.apply.fn);
  const char **loose = NEW_ARRAY(s->arena, const char *, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(s->prog, stm->bound.at[k]);
    Type given = type_at_call(s, fn, stm, var_type(s->prog, fn->results.at[k]));
    if (t.rank > 0 && (!type_same(t, given) || type_mentions(t, stm->bound)))
      loose[k] = source_fresh(s, var_info(s->prog, stm->bound.at[k])->base);
  }
  put(s, "let ");
  put_bound(s, stm->bound, loose);
  put(s, " = %s", source_fn(s, fn));
  for (int i = 0; i < fn->params.len; i++) put_arg(s, fn, stm, i);
  if (fn->params.len == 0) put(s, " ()");
  put_shapes(s, stm->bound);
  put_coercions(s, stm->bound, loose);
  results_share_call(s, fn, stm->bound);
}

// ---- functions
const char *source_fn(Writer *s, const Fn *fn) {
  const char *name = map_get(s->fns, KEY(fn));
  if (name) return name;
  name = arena_strdup(s->arena, source_fresh(s, fn->name));
  map_put(s->fns, KEY(fn), (void *)name);
  return name;
}

static void put_result_type(Writer *s, const Fn *fn, int k) {
  Type t = var_type(s->prog, fn->results.at[k]);
  if (t.unique) put(s, "*");
  for (int d = 0; d < t.rank; d++) {
    bool unknown = false;
    for (int i = 0; i < fn->results.len; i++)
      unknown = unknown || atom_is_var(t.dims[d], fn->results.at[i]);
    put(s, "[");
    if (!unknown) put_size(s, t.dims[d]);
    put(s, "]");
  }
  t.rank = 0;
  put_type(s, t);
}

void put_helper(Writer *s, const Fn *fn) {
  put(s, "def %s", source_fn(s, fn));
  for (int i = 0; i < fn->params.len; i++) {
    Type t = var_type(s->prog, fn->params.at[i]);
    put(s, " (%s: %s", source_name(s, fn->params.at[i]), t.unique ? "*" : "");
    put_type(s, t);
    put(s, ")");
  }
  if (fn->params.len == 0) put(s, " ()");
  put(s, " : ");
  if (fn->results.len == 0) put(s, "bool");
  if (fn->results.len > 1) put(s, "(");
  for (int k = 0; k < fn->results.len; k++) {
    if (k) put(s, ", ");
    put_result_type(s, fn, k);
  }
  if (fn->results.len > 1) put(s, ")");
  put(s, " =");
}

typedef struct {
  Writer *s;
  void (*put_fn)(Writer *s, const Fn *fn);
} Helpers;

static void helpers_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Helpers *h = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    const Fn *fn = e->form == FORM_APPLY ? prog_fn(h->s->prog, e->apply.fn) : NULL;
    if (fn && !map_get(h->s->printed, KEY(fn))) {
      map_put(h->s->printed, KEY(fn), (void *)fn);
      helpers_body(h, &fn->body, NULL);
      h->put_fn(h->s, fn);
      put(h->s, "\n");
    }
    exp_each_body(e, helpers_body, h);
  }
}

void put_helpers(Writer *s, const Body *body, void (*put_fn)(Writer *s, const Fn *fn)) {
  Helpers h = {s, put_fn};
  helpers_body(&h, body, NULL);
}
