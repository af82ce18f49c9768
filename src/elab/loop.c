// Loops.  The pattern's value, as leaves, becomes the core loop's parameters.
//
// Sizes: whether a dimension changes is found by trying.  The body is first evaluated as if every
// dimension kept its initial size; dimensions whose size comes out different become i64 loop
// parameters, and the body is evaluated again.  The plan found is kept per source loop, so that a
// loop inside another is not searched again and again.
#include "local.h"

// Per leaf and dimension, in order: 0 keeps its initial size, k > 0 has size parameter k.
typedef struct {
  LIST(int) group;
  int groups;
} LoopPlan;

typedef struct {
  Elab *e;
  const Expr *exp;
  const Env *env;
  const Sem *sem;
  Atoms inits;         // leaves of the initial value
  LoopPlan plan;
  Atom bound;          // for
  Val *rows;           // for .. in
  // one attempt
  Scope scope;
  Vars sizes, params;
  Var index, cond;
  Atoms results;       // leaves of the body's value
  Atom again;          // while: the condition at the end
} Loop;

static int dims_count(Loop *l) {
  int n = 0;
  for (int i = 0; i < l->inits.len; i++) n += atom_type(l->e->prog, l->inits.at[i]).rank;
  return n;
}

// Size parameters of the plan, and the leaves' parameters with types that mention them.
static void make_params(Loop *l) {
  Elab *e = l->e;
  l->sizes = (Vars){0};
  l->params = (Vars){0};
  for (int g = 0; g < l->plan.groups; g++) {
    Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
    fact(e, v)->is_size = true;
    list_push(e->arena, &l->sizes, v);
  }
  for (int i = 0, d = 0; i < l->inits.len; i++) {
    Type t = atom_type(e->prog, l->inits.at[i]);
    Atoms dims = atoms_of(e->arena, t.rank, t.dims);
    for (int k = 0; k < t.rank; k++, d++)
      if (l->plan.group.at[d]) dims.at[k] = atom_var(l->sizes.at[l->plan.group.at[d] - 1]);
    t.dims = dims.at;
    const char *base = base_of(e, l->inits.at[i]);
    list_push(e->arena, &l->params, var_new(e->prog, base ? base : "acc", t));
  }
}

static const Env *bind_state(Loop *l, const Env *env, Atoms leaves) {
  Val *v = val_build(l->e, l->sem, leaves.at);
  rename_hint(l->e, v, l->exp->loop.pat->tag == PAT_NAME ? l->exp->loop.pat->name.name : "acc");
  return pat_bind(l->e, env, l->exp->loop.pat, v, NULL);
}

static Atom condition(Loop *l, Atoms leaves) {
  return eval_scalar(l->e, l->exp->loop.arg, bind_state(l, l->env, leaves));
}

// The index or row is bound first: on a name clash the loop pattern's name wins.
static const Env *bind_index(Loop *l) {
  Elab *e = l->e;
  if (l->exp->loop.tag == LOOP_FOR)
    return pat_bind(e, l->env, l->exp->loop.index, val_atom(e, atom_var(l->index)), NULL);
  if (l->exp->loop.tag == LOOP_IN)
    return pat_bind(e, l->env, l->exp->loop.index,
                    array_row(e, l->rows, atom_var(l->index), true), NULL);
  return l->env;
}

static void attempt(Loop *l) {
  Elab *e = l->e;
  scope_open(e, &l->scope);
  make_params(l);
  Type i = l->exp->loop.tag == LOOP_WHILE ? type_scalar(PRIM_BOOL) : atom_type(e->prog, l->bound);
  if (l->exp->loop.tag == LOOP_WHILE) l->cond = var_new(e->prog, "cond", i);
  else l->index = var_new(e->prog, "i", i);
  const Env *env = bind_index(l);
  Val *v = eval(e, l->exp->loop.body, bind_state(l, env, atoms_of_vars(e->arena, l->params)));
  Atoms leaves = {0};
  val_leaves(e, v, &leaves);
  if (v->tag == VAL_HOLE) leaves = atoms_of_vars(e->arena, l->params);
  check(leaves.len == l->inits.len);
  for (int k = 0; k < leaves.len; k++) {
    Type t = var_type(e->prog, l->params.at[k]);
    if (is_blank(leaves.at[k]))
      leaves.at[k] = leaf_zero(e, (Leaf){t.prim, t.rank, t.is_acc, t.dims, false});
  }
  l->results = leaves;
  if (l->exp->loop.tag == LOOP_WHILE) l->again = condition(l, leaves);
  scope_close(e, &l->scope);
}

// The plan the attempt's results ask for: dimensions that start equal and end equal share a size.
static bool replan(Loop *l) {
  Elab *e = l->e;
  LoopPlan next = {0};
  Atom starts[64], ends[64];
  bool changed = false;
  for (int i = 0, d = 0; i < l->inits.len; i++) {
    Type from = atom_type(e->prog, l->inits.at[i]);
    Type param = var_type(e->prog, l->params.at[i]);
    Type to = atom_type(e->prog, l->results.at[i]);
    for (int k = 0; k < from.rank; k++, d++) {
      int old = l->plan.group.at[d], g = 0;
      if (old || !atom_same(param.dims[k], to.dims[k])) {
        while (g < next.groups && g < 64 &&
               !(atom_same(starts[g], from.dims[k]) && atom_same(ends[g], to.dims[k])))
          g++;
        if (g == next.groups || g == 64) {
          g = next.groups++;
          if (g < 64) starts[g] = from.dims[k], ends[g] = to.dims[k];
        }
        g++;
      }
      changed = changed || (!old != !g);
      list_push(e->arena, &next.group, g);
    }
  }
  for (int d = 0; d < next.group.len && !changed; d++)
    changed = next.group.at[d] != l->plan.group.at[d];
  l->plan = next;
  return changed;
}

// Every changing dimension on its own: always right, when sharing does not settle.
static void plan_separate(Loop *l) {
  l->plan.groups = 0;
  for (int d = 0; d < l->plan.group.len; d++)
    if (l->plan.group.at[d]) l->plan.group.at[d] = ++l->plan.groups;
}

static bool resolved(Loop *l) {
  Elab *e = l->e;
  for (int i = 0, d = 0; i < l->inits.len; i++) {
    Type param = var_type(e->prog, l->params.at[i]);
    Type to = atom_type(e->prog, l->results.at[i]);
    for (int k = 0; k < param.rank; k++, d++)
      if (!l->plan.group.at[d] && !atom_same(param.dims[k], to.dims[k])) return false;
  }
  return true;
}

static void search(Loop *l) {
  Elab *e = l->e;
  LoopPlan *known = map_get(e->loops, KEY(l->exp));
  int n = dims_count(l);
  l->plan = (LoopPlan){0};
  if (known && known->group.len == n) l->plan = *known;
  else for (int d = 0; d < n; d++) list_push(e->arena, &l->plan.group, 0);
  for (int tries = 0;; tries++) {
    attempt(l);
    if (tries >= 4 && resolved(l)) break;
    if (!replan(l)) break;
    if (tries >= 3) plan_separate(l);
  }
  map_put(e->loops, KEY(l->exp), arena_copy(e->arena, &l->plan, sizeof l->plan));
}

// ---- the core form --------------------------------------------------------------------------

// The size a size parameter starts with, or ends the iteration with.
static Atom size_value(Loop *l, int group, const Atoms *leaves) {
  for (int i = 0, d = 0; i < leaves->len; i++) {
    Type t = atom_type(l->e->prog, leaves->at[i]);
    for (int k = 0; k < t.rank; k++, d++)
      if (l->plan.group.at[d] == group) return t.dims[k];
  }
  return atom_i64(0);
}

// Inside the loop a parameter's type is that of its leaf; outside, of the loop's results.
static Vars result_vars(Loop *l, Vars *sizes) {
  Elab *e = l->e;
  Vars out = {0};
  for (int g = 0; g < l->plan.groups; g++) {
    Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
    fact(e, v)->is_size = true;
    list_push(e->arena, sizes, v);
  }
  for (int i = 0, d = 0; i < l->params.len; i++) {
    Type t = var_type(e->prog, l->params.at[i]);
    Atoms dims = atoms_of(e->arena, t.rank, t.dims);
    for (int k = 0; k < t.rank; k++, d++)
      if (l->plan.group.at[d]) dims.at[k] = atom_var(sizes->at[l->plan.group.at[d] - 1]);
    t.dims = dims.at;
    t.unique = false;
    list_push(e->arena, &out, var_new(e->prog, var_info(e->prog, l->params.at[i])->base, t));
  }
  return out;
}

// The next value of a consumed parameter is consumed too; this may reach other parameters.
static void spread_consumption(Loop *l) {
  Elab *e = l->e;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < l->params.len; i++) {
      Atom next = l->results.at[i];
      if (!fact(e, l->params.at[i])->consumed || !next.is_var) continue;
      if (fact(e, next.var)->consumed) continue;
      consume(e, next);
      more = true;
    }
  }
}

static void mark_consumed(Loop *l, Vars outs) {
  Elab *e = l->e;
  spread_consumption(l);
  for (int i = 0; i < l->params.len; i++) {
    Var p = l->params.at[i];
    if (fact(e, p)->consumed) {
      e->prog->vars.at[p.id].type.unique = !var_type(e->prog, p).is_acc;
      consume(e, l->inits.at[i]);
    } else {
      alias(e, atom_var(outs.at[i]), l->inits.at[i]);
      alias(e, atom_var(outs.at[i]), l->results.at[i]);
    }
  }
}

static Lambda *loop_lambda(Loop *l) {
  Elab *e = l->e;
  bool is_while = l->exp->loop.tag == LOOP_WHILE;
  Vars params = {0};
  Atoms results = {0};
  Types rets = {0};
  if (!is_while) list_push(e->arena, &params, l->index);
  for (int g = 0; g < l->sizes.len; g++) {
    list_push(e->arena, &params, l->sizes.at[g]);
    list_push(e->arena, &results, size_value(l, g + 1, &l->results));
    list_push(e->arena, &rets, type_scalar(PRIM_I64));
  }
  for (int i = 0; i < l->params.len; i++) {
    list_push(e->arena, &params, l->params.at[i]);
    list_push(e->arena, &results, l->results.at[i]);
    list_push(e->arena, &rets, atom_type(e->prog, l->results.at[i]));
  }
  if (is_while) {
    list_push(e->arena, &params, l->cond);
    list_push(e->arena, &results, l->again);
    list_push(e->arena, &rets, type_scalar(PRIM_BOOL));
  }
  Lambda *fn = NEW(e->arena, Lambda);
  *fn = (Lambda){params, {l->scope.stms, results}, rets};
  return fn;
}

static Val *close_loop(Loop *l) {
  Elab *e = l->e;
  bool is_while = l->exp->loop.tag == LOOP_WHILE;
  Atoms inits = {0};
  for (int g = 0; g < l->sizes.len; g++)
    list_push(e->arena, &inits, size_value(l, g + 1, &l->inits));
  inits = atoms_concat(e->arena, inits, l->inits);
  if (is_while) list_push(e->arena, &inits, condition(l, l->inits));
  at(e, l->exp->span);
  Stm stm = {.attrs = e->b.attrs, .loc = e->b.loc};
  Vars sizes = {0}, outs = result_vars(l, &sizes);
  mark_consumed(l, outs);
  stm.exp = (Exp){.form = FORM_LOOP,
                  .loop = {.is_for = !is_while, .cond = is_while ? inits.len - 1 : 0,
                           .bound = is_while ? atom_scalar((Scalar){.prim = PRIM_UNIT}) : l->bound,
                           .inits = inits, .fn = loop_lambda(l)}};
  for (int i = 0; i < sizes.len; i++) list_push(e->arena, &stm.bound, sizes.at[i]);
  for (int i = 0; i < outs.len; i++) list_push(e->arena, &stm.bound, outs.at[i]);
  if (is_while) list_push(e->arena, &stm.bound, var_new(e->prog, "cond", type_scalar(PRIM_BOOL)));
  Val *v = units_of_stm(e, &stm, val_build(e, l->sem, atoms_of_vars(e->arena, outs).at));
  build_stm(&e->b, stm);
  return v;
}

Val *loop_eval(Elab *e, const Expr *exp, const Env *env) {
  Loop l = {.e = e, .exp = exp, .env = env};
  Val *init = eval(e, exp->loop.init, env);
  l.sem = val_sem(e, init);
  if (l.sem->tag == SEM_FUN || val_is_functional(init))
    diag_unsupported(e->diag, exp->span, "a loop parameter may not be a function");
  l.inits = val_atoms(e, init);
  if (exp->loop.tag == LOOP_FOR) l.bound = eval_scalar(e, exp->loop.arg, env);
  if (exp->loop.tag == LOOP_IN) {
    l.rows = eval(e, exp->loop.arg, env);
    l.bound = val_size(e, l.rows);
  }
  search(&l);
  return close_loop(&l);
}
