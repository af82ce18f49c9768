// Dead code elimination with per-result precision.  A variable is live when a live statement needs
// it; results of maps, branches, loops, reductions .. are needed one by one, so a loop parameter
// that feeds only itself, and every array, save or accumulator after it, goes.  Parameters and
// results of functions that are no entry points likewise: a result is live if one call needs it.
// Roots: results of entry points, assertions standing in a live body.
#include "opt/common/local.h"

typedef struct {
  Stm *stm;          // that binds the variable, or whose lambda has it as a parameter
  const Lambda *fn;  // NULL: a result of stm
  int index;
  Fn *owner;         // the variable is a parameter of this function, or, with is_result, a result
  bool is_result;
} Site;
typedef struct {
  LIST(Stm *) calls;
} Callers;
typedef struct {
  Prog *prog;
  Arena *arena;
  Site *sites;     // by variable
  bool *live;      // by variable
  bool *stm_live;  // statements already made live, by the first variable they bind
  Map *effects;    // those that bind none
  LIST(Var) work;
  Map *fn_live;    // functions reached -> their Callers
  bool dropped;    // something
} Dce;

static void sites_stms(Dce *d, Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    Stm *stm = &stms->at[i];
    for (int k = 0; k < stm->bound.len; k++)
      d->sites[stm->bound.at[k].id] = (Site){.stm = stm, .index = k};
    if (!exp_has_parts(&stm->exp)) continue;
    Parts parts = exp_parts(d->arena, &stm->exp);
    for (int p = 0; p < parts.len; p++) {
      const Lambda *fn = parts.at[p].fn;
      for (int k = 0; fn && k < fn->params.len; k++)
        d->sites[fn->params.at[k].id] = (Site){.stm = stm, .fn = fn, .index = k};
      sites_stms(d, &parts.at[p].body->stms);
    }
  }
}

static void sites_fn(Dce *d, Fn *fn) {
  for (int k = 0; k < fn->params.len; k++)
    d->sites[fn->params.at[k].id] = (Site){.owner = fn, .index = k};
  for (int k = 0; k < fn->results.len; k++)
    d->sites[fn->results.at[k].id] = (Site){.owner = fn, .index = k, .is_result = true};
  sites_stms(d, &fn->body.stms);
}

static void live_var(Dce *d, Var v) {
  if (d->live[v.id]) return;
  d->live[v.id] = true;
  list_push(d->arena, &d->work, v);
}

static void live_atom(void *d, Atom a) {
  if (a.is_var) live_var(d, a.var);
}

static void live_atoms(Dce *d, const Atoms *atoms) {
  for (int i = 0; i < atoms->len; i++) live_atom(d, atoms->at[i]);
}

static void live_type(Dce *d, const Type *t) {
  for (int i = 0; i < t->rank; i++) live_atom(d, t->dims[i]);
  if (t->is_acc) live_var(d, t->token);
}

static void live_ret(Dce *d, const Lambda *fn, int k) {
  live_atom(d, fn->body.results.at[k]);
  live_type(d, &fn->rets.at[k]);
}

static bool stm_is_live(const Dce *d, const Stm *stm) {
  return stm->bound.len ? d->stm_live[stm->bound.at[0].id] : map_get(d->effects, KEY(stm)) != NULL;
}

static void live_stm(Dce *d, Stm *stm);

// Statements of a live body that stay whatever is needed of it.
static void live_roots(Dce *d, Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    Stm *stm = &stms->at[i];
    if (stm->bound.len == 0 && exp_has_effect(&stm->exp)) live_stm(d, stm);
  }
}

static void live_parts(Dce *d, Stm *stm, bool results) {
  if (!exp_has_parts(&stm->exp)) return;
  Parts parts = exp_parts(d->arena, &stm->exp);
  for (int i = 0; i < parts.len; i++) {
    live_roots(d, &parts.at[i].body->stms);
    if (!results) continue;
    live_atoms(d, &parts.at[i].body->results);
    const Lambda *fn = parts.at[i].fn;
    for (int k = 0; fn && k < fn->rets.len; k++) live_type(d, &fn->rets.at[k]);
  }
}

// Entry points: everything.  Others: what their calls need, but they fail as their bodies do.
static Callers *live_fn(Dce *d, Fn *fn, bool all) {
  if (!fn) return NULL;
  Callers *callers = map_get(d->fn_live, KEY(fn));
  if (!callers) {
    callers = NEW(d->arena, Callers);
    map_put(d->fn_live, KEY(fn), callers);
    live_roots(d, &fn->body.stms);
  }
  for (int i = 0; all && i < fn->params.len; i++) live_var(d, fn->params.at[i]);
  for (int i = 0; all && i < fn->results.len; i++) live_var(d, fn->results.at[i]);
  return callers;
}

// Result k of a function is live: its types everywhere it is called too.
static void live_fn_result(Dce *d, const Fn *fn, int k) {
  live_atom(d, fn->body.results.at[k]);
  const Callers *callers = map_get(d->fn_live, KEY(fn));
  for (int i = 0; callers && i < callers->calls.len; i++)
    live_type(d, &var_info(d->prog, callers->calls.at[i]->bound.at[k])->type);
}

static void live_fn_param(Dce *d, const Fn *fn, int i) {
  const Callers *callers = map_get(d->fn_live, KEY(fn));
  for (int c = 0; callers && c < callers->calls.len; c++)
    live_atom(d, callers->calls.at[c]->exp.apply.args.at[i]);
}

static void live_call(Dce *d, Stm *stm) {
  Fn *fn = prog_fn(d->prog, stm->exp.apply.fn);
  Callers *callers = live_fn(d, fn, false);
  check(callers);
  list_push(d->arena, &callers->calls, stm);
  for (int i = 0; i < fn->params.len; i++)
    if (d->live[fn->params.at[i].id]) live_atom(d, stm->exp.apply.args.at[i]);
  for (int k = 0; k < fn->results.len; k++)
    if (d->live[fn->results.at[k].id])
      live_type(d, &var_info(d->prog, stm->bound.at[k])->type);
}

// The operands that a live statement needs whichever of its results are live.
static void live_stm(Dce *d, Stm *stm) {
  if (stm_is_live(d, stm)) return;
  if (stm->bound.len) d->stm_live[stm->bound.at[0].id] = true;
  else map_put(d->effects, KEY(stm), stm);
  Exp *x = &stm->exp;
  switch (x->form) {
  case FORM_MATCH: live_atoms(d, &x->match.args); break;
  case FORM_LOOP:
    live_atom(d, x->loop.bound);
    if (!x->loop.is_for) live_var(d, stm->bound.at[x->loop.cond]);
    break;
  case FORM_MAP: live_atom(d, x->map.width); break;
  case FORM_REDUCE: live_atom(d, x->reduce.width); break;
  case FORM_SCAN: live_atom(d, x->scan.width); break;
  case FORM_SCREMA: live_atom(d, x->screma.width); break;
  case FORM_HIST:
    live_atom(d, x->hist.width);
    for (int i = 0; i < x->hist.rank; i++) live_ret(d, x->hist.fn, i);
    break;
  case FORM_SCATTER:
    live_atom(d, x->scatter.width);
    for (int i = 0; i < x->scatter.rank; i++) live_ret(d, x->scatter.fn, i);
    break;
  case FORM_WITHACC: break;
  case FORM_APPLY: live_call(d, stm); return;
  case FORM_ASSERT:
    live_atom(d, x->assert.cond);
    if (stm->bound.len == 0) live_atoms(d, &x->assert.args);
    return;
  case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
  case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
  case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
  case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
  case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
  case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS:
  case FORM_JACOBIAN: case FORM_COUNT: {
    exp_each_atom(x, live_atom, d);
    for (int i = 0; i < stm->bound.len; i++) live_var(d, stm->bound.at[i]);
    live_parts(d, stm, true);
    return;
  }
  }
  live_parts(d, stm, false);
}

static void live_operator(Dce *d, const Lambda *op, const Atoms *neutral, int k) {
  if (op) live_ret(d, op, k);
  live_atom(d, neutral->at[k]);
}

// The operator that component k of a list of operators belongs to.
static const Operator *component(const Operators *ops, int *k) {
  for (int i = 0; i < ops->len; i++) {
    if (*k < ops->at[i].neutral.len) return &ops->at[i];
    *k -= ops->at[i].neutral.len;
  }
  ice("no such component");
}

static int components(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

static void live_screma_result(Dce *d, const struct screma_form *s, int k) {
  int reds = components(&s->reds), scans = components(&s->scans);
  if (k >= reds) {
    live_ret(d, s->post, k - reds);
    return;
  }
  live_ret(d, s->fn, scans + k);
  const Operator *op = component(&s->reds, &k);
  live_operator(d, op->op, &op->neutral, k);
}

// Before assertions_resolve a statement may bind a token after its results.
int results_without_token(const Prog *prog, const Stm *stm) {
  const Exp *x = &stm->exp;
  switch ((int)x->form) {
  case FORM_APPLY: return prog_fn(prog, x->apply.fn)->results.len;
  case FORM_MATCH: return x->match.cases.at[0].body.results.len;
  case FORM_LOOP: return x->loop.fn->rets.len;
  case FORM_ASSERT: return x->assert.args.len;
  }
  return stm->bound.len;
}

// The operands that result k of a live statement needs.
static void live_result(Dce *d, const Stm *stm, int k) {
  const Exp *x = &stm->exp;
  if (k >= results_without_token(d->prog, stm)) return;
  switch ((int)x->form) {
  case FORM_ASSERT: live_atom(d, x->assert.args.at[k]); return;
  case FORM_APPLY: live_var(d, prog_fn(d->prog, x->apply.fn)->results.at[k]); return;
  case FORM_MAP: live_ret(d, x->map.fn, k); return;
  case FORM_MATCH:
    for (int i = 0; i < x->match.cases.len; i++)
      live_atom(d, x->match.cases.at[i].body.results.at[k]);
    return;
  case FORM_LOOP:
    live_var(d, x->loop.fn->params.at[k + (x->loop.is_for ? 1 : 0)]);
    live_ret(d, x->loop.fn, k);
    live_atom(d, x->loop.inits.at[k]);
    return;
  case FORM_REDUCE:
    live_operator(d, x->reduce.op, &x->reduce.neutral, k);
    live_atom(d, x->reduce.inputs.at[k]);
    return;
  case FORM_SCAN:
    live_operator(d, x->scan.op, &x->scan.neutral, k);
    live_atom(d, x->scan.inputs.at[k]);
    return;
  case FORM_SCREMA: live_screma_result(d, &x->screma, k); return;
  case FORM_HIST:
    live_operator(d, x->hist.op, &x->hist.neutral, k);
    live_atom(d, x->hist.dests.at[k]);
    live_ret(d, x->hist.fn, (int)x->hist.rank + k);
    return;
  case FORM_SCATTER:
    live_atom(d, x->scatter.dests.at[k]);
    live_ret(d, x->scatter.fn, (int)x->scatter.rank + k);
    return;
  case FORM_WITHACC:
    live_ret(d, x->withacc.fn, k);
    if (k >= x->withacc.arrays.len) return;
    live_atom(d, x->withacc.arrays.at[k]);
    live_var(d, x->withacc.fn->params.at[k]);
    live_atoms(d, &x->withacc.ops.at[k].neutral);
    if (x->withacc.ops.at[k].op) live_ret(d, x->withacc.ops.at[k].op, 0);
    return;
  }
}

static void live_screma_param(Dce *d, const Stm *stm, const Lambda *fn, int i) {
  const struct screma_form *s = &stm->exp.screma;
  int scans = components(&s->scans), reds = components(&s->reds), at = 0;
  if (fn == s->fn) {
    live_atom(d, s->inputs.at[i]);
  } else if (fn == s->post) {
    live_ret(d, s->fn, i < scans ? i : reds + i);
    if (i >= scans) return;
    const Operator *op = component(&s->scans, &i);
    live_operator(d, op->op, &op->neutral, i);
  } else {
    for (int k = 0; k < s->scans.len; k++) {
      int n = s->scans.at[k].neutral.len;
      if (fn == s->scans.at[k].op) live_var(d, s->post->params.at[at + i % n]);
      at += n;
    }
    at = 0;
    for (int k = 0; k < s->reds.len; k++) {
      int n = s->reds.at[k].neutral.len;
      if (fn == s->reds.at[k].op) live_var(d, stm->bound.at[at + i % n]);
      at += n;
    }
  }
}

// The operands that parameter i of a lambda of a statement needs.
static void live_param(Dce *d, const Stm *stm, const Lambda *fn, int i) {
  const Exp *x = &stm->exp;
  switch ((int)x->form) {
  case FORM_MAP: live_atom(d, x->map.inputs.at[i]); return;
  case FORM_LOOP:
    i -= x->loop.is_for ? 1 : 0;
    if (i >= 0) live_var(d, stm->bound.at[i]);
    return;
  case FORM_REDUCE: case FORM_SCAN: live_var(d, stm->bound.at[i % stm->bound.len]); return;
  case FORM_SCREMA: live_screma_param(d, stm, fn, i); return;
  case FORM_HIST:
    if (fn == x->hist.op) live_var(d, stm->bound.at[i % stm->bound.len]);
    else live_atom(d, x->hist.inputs.at[i]);
    return;
  case FORM_SCATTER: live_atom(d, x->scatter.inputs.at[i]); return;
  case FORM_WITHACC:
    if (fn == x->withacc.fn) live_var(d, stm->bound.at[i]);
    return;
  }
}

static void live_all(Dce *d) {
  while (d->work.len) {
    Var v = d->work.at[--d->work.len];
    live_type(d, &var_info(d->prog, v)->type);
    const Site *site = &d->sites[v.id];
    if (site->owner && site->is_result) live_fn_result(d, site->owner, site->index);
    else if (site->owner) live_fn_param(d, site->owner, site->index);
    if (!site->stm) continue;
    live_stm(d, site->stm);
    if (site->fn) live_param(d, site->stm, site->fn, site->index);
    else live_result(d, site->stm, site->index);
  }
}

// Asked of what goes when it is not.
static bool is_kept(Dce *d, Var v) {
  d->dropped = d->dropped || !d->live[v.id];
  return d->live[v.id];
}

static void drop_operands(Lambda *op, int k, int n) {
  lambda_drop_param(op, n + k);
  lambda_drop_param(op, k);
  lambda_drop_result(op, k);
}

static void trim_inputs(Dce *d, Lambda *fn, Atoms *inputs) {
  for (int i = inputs->len - 1; i >= 0; i--) {
    if (is_kept(d, fn->params.at[i])) continue;
    lambda_drop_param(fn, i);
    atoms_drop(inputs, i);
  }
}

static void trim_screma(Dce *d, Stm *stm) {
  struct screma_form *s = &stm->exp.screma;
  int scans = components(&s->scans), reds = components(&s->reds);
  for (int i = s->post->params.len - 1; i >= scans; i--) {
    if (is_kept(d, s->post->params.at[i])) continue;
    lambda_drop_param(s->post, i);
    lambda_drop_result(s->fn, reds + i);
  }
  for (int k = stm->bound.len - 1; k >= reds; k--) {
    if (is_kept(d, stm->bound.at[k])) continue;
    lambda_drop_result(s->post, k - reds);
    vars_drop(&stm->bound, k);
  }
  for (int k = reds - 1; k >= 0; k--) {
    if (is_kept(d, stm->bound.at[k])) continue;
    int at = k;
    Operator *op = (Operator *)component(&s->reds, &at);
    drop_operands(op->op, at, op->neutral.len);
    atoms_drop(&op->neutral, at);
    lambda_drop_result(s->fn, scans + k);
    vars_drop(&stm->bound, k);
  }
  for (int k = scans - 1; k >= 0; k--) {
    if (is_kept(d, s->post->params.at[k])) continue;
    int at = k;
    Operator *op = (Operator *)component(&s->scans, &at);
    drop_operands(op->op, at, op->neutral.len);
    atoms_drop(&op->neutral, at);
    lambda_drop_result(s->fn, k);
    lambda_drop_param(s->post, k);
  }
  Operators *lists[] = {&s->scans, &s->reds};
  for (int l = 0; l < 2; l++) {
    int len = 0;
    for (int i = 0; i < lists[l]->len; i++)
      if (lists[l]->at[i].neutral.len) lists[l]->at[len++] = lists[l]->at[i];
    lists[l]->len = len;
  }
  trim_inputs(d, s->fn, &s->inputs);
}

static bool has_separate_results(Form f) {
  return f == FORM_MAP || f == FORM_MATCH || f == FORM_LOOP || f == FORM_REDUCE ||
         f == FORM_SCAN || f == FORM_HIST || f == FORM_SCATTER || f == FORM_WITHACC;
}

// Removes result k, which is not live, and its share of the form.
static void trim_result(Stm *stm, int k) {
  Exp *x = &stm->exp;
  if (!has_separate_results(x->form)) return;
  int n = stm->bound.len, first = 0;
  switch ((int)x->form) {
  case FORM_MAP: lambda_drop_result(x->map.fn, k); break;
  case FORM_MATCH:
    for (int i = 0; i < x->match.cases.len; i++)
      atoms_drop(&x->match.cases.at[i].body.results, k);
    break;
  case FORM_LOOP:
    first = x->loop.is_for ? 1 : 0;
    lambda_drop_param(x->loop.fn, first + k);
    lambda_drop_result(x->loop.fn, k);
    atoms_drop(&x->loop.inits, k);
    if (!first && x->loop.cond > k) x->loop.cond--;
    break;
  case FORM_REDUCE:
    drop_operands(x->reduce.op, k, n);
    atoms_drop(&x->reduce.neutral, k);
    atoms_drop(&x->reduce.inputs, k);
    break;
  case FORM_SCAN:
    drop_operands(x->scan.op, k, n);
    atoms_drop(&x->scan.neutral, k);
    atoms_drop(&x->scan.inputs, k);
    break;
  case FORM_HIST:
    drop_operands(x->hist.op, k, n);
    atoms_drop(&x->hist.neutral, k);
    atoms_drop(&x->hist.dests, k);
    lambda_drop_result(x->hist.fn, (int)x->hist.rank + k);
    break;
  case FORM_SCATTER:
    atoms_drop(&x->scatter.dests, k);
    lambda_drop_result(x->scatter.fn, (int)x->scatter.rank + k);
    break;
  case FORM_WITHACC:
    if (k < x->withacc.arrays.len) {
      withacc_drop(stm, k);
      return;
    }
    lambda_drop_result(x->withacc.fn, k);
    break;
  }
  vars_drop(&stm->bound, k);
}

// Before the function itself is trimmed.
static void trim_call(Dce *d, Stm *stm) {
  const Fn *fn = prog_fn(d->prog, stm->exp.apply.fn);
  for (int i = fn->params.len - 1; i >= 0; i--)
    if (!is_kept(d, fn->params.at[i])) atoms_drop(&stm->exp.apply.args, i);
  for (int k = fn->results.len - 1; k >= 0; k--)
    if (!is_kept(d, fn->results.at[k])) vars_drop(&stm->bound, k);
}

static void trim_fn(Dce *d, Fn *fn) {
  for (int i = fn->params.len - 1; i >= 0; i--)
    if (!is_kept(d, fn->params.at[i])) vars_drop(&fn->params, i);
  for (int k = fn->results.len - 1; k >= 0; k--) {
    if (is_kept(d, fn->results.at[k])) continue;
    vars_drop(&fn->results, k);
    atoms_drop(&fn->body.results, k);
  }
}

static void trim_stm(Dce *d, Stm *stm) {
  if (stm->exp.form == FORM_SCREMA) {
    trim_screma(d, stm);
    return;
  }
  if (stm->exp.form == FORM_APPLY) {
    trim_call(d, stm);
    return;
  }
  for (int k = stm->bound.len - 1; k >= 0; k--)
    if (!is_kept(d, stm->bound.at[k])) trim_result(stm, k);
  Exp *x = &stm->exp;
  if (x->form == FORM_MAP) trim_inputs(d, x->map.fn, &x->map.inputs);
  if (x->form == FORM_HIST) trim_inputs(d, x->hist.fn, &x->hist.inputs);
  if (x->form == FORM_SCATTER) trim_inputs(d, x->scatter.fn, &x->scatter.inputs);
}

static void sweep(Dce *d, Stms *stms) {
  int len = 0;
  for (int i = 0; i < stms->len; i++) {
    Stm *stm = &stms->at[i];
    if (!stm_is_live(d, stm)) {
      d->dropped = true;
      continue;
    }
    trim_stm(d, stm);
    Parts parts = {0};
    if (exp_has_parts(&stm->exp)) parts = exp_parts(d->arena, &stm->exp);
    for (int k = 0; k < parts.len; k++) sweep(d, &parts.at[k].body->stms);
    if (len < i) stms->at[len] = *stm;
    len++;
  }
  stms->len = len;
}

static void live_entries(Dce *d) {
  bool any = false;
  for (int i = 0; i < d->prog->fns.len; i++) any = any || d->prog->fns.at[i]->entry;
  for (int i = 0; i < d->prog->fns.len; i++) {
    Fn *fn = d->prog->fns.at[i];
    if (fn->entry || !any) live_fn(d, fn, true);
  }
}

static Dce dce_analyse(Prog *prog, Arena *scratch) {
  Dce d = {.prog = prog, .arena = scratch};
  d.sites = NEW_ARRAY(scratch, Site, prog->vars.len);
  d.live = NEW_ARRAY(scratch, bool, prog->vars.len);
  d.stm_live = NEW_ARRAY(scratch, bool, prog->vars.len);
  d.effects = map_new(scratch);
  d.fn_live = map_new(scratch);
  sites_stms(&d, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++) sites_fn(&d, prog->fns.at[i]);
  live_roots(&d, &prog->constants);
  live_entries(&d);
  live_all(&d);
  return d;
}

const bool *vars_live(Prog *prog, Arena *arena) { return dce_analyse(prog, arena).live; }

bool dce_prog(Prog *prog) {
  Arena *scratch = arena_beside(prog->arena);
  Dce d = dce_analyse(prog, scratch);
  int len = 0;
  sweep(&d, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++)
    if (map_get(d.fn_live, KEY(prog->fns.at[i]))) sweep(&d, &prog->fns.at[i]->body.stms);
  for (int i = 0; i < prog->fns.len; i++) {
    Fn *fn = prog->fns.at[i];
    if (!map_get(d.fn_live, KEY(fn))) continue;
    trim_fn(&d, fn);
    prog->fns.at[len++] = fn;
  }
  d.dropped = d.dropped || len < prog->fns.len;
  prog->fns.len = len;
  arena_free(scratch);
  return d.dropped;
}

// needs: any program.  leaves: only what results and live assertions need; functions and constants
// nothing reaches are removed.  cost: linear.
Prog *pass_dce(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  out->at_fixpoint = prog->at_fixpoint;
  if (!prog->at_fixpoint) dce_prog(out);
  return out;
}
