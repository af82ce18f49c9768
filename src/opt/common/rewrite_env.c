// A forward walk that rewrites in place: what each variable represents, where it is defined, how
// often it is used.  Substitution reaches operands and the sizes in types alike.
#include "local.h"

Env renv_new(Prog *prog, Arena *scratch) {
  Env e = {.prog = prog, .arena = prog->arena, .scratch = scratch};
  e.to.prog = prog;
  e.classes = alias_classes_compute(scratch, prog);
  Uses uses = uses_compute(scratch, prog);
  for (int i = 1; i < uses.cap; i++) {
    Fact *f = env_fact(&e, (Var){(uint32_t)i});
    f->counted = true;
    f->uses = uses.count[i];
    f->type_uses = uses.in_types[i];
  }
  return e;
}

Fact *env_new_fact(Env *e, Var v) {
  int block = (int)v.id / FACTS_PER_BLOCK;
  if (block >= e->blocks) {
    int n = e->blocks ? e->blocks : 8;
    while (n <= block) n *= 2;
    Fact **facts = NEW_ARRAY(e->scratch, Fact *, n);
    for (int i = 0; i < e->blocks; i++) facts[i] = e->facts[i];
    e->facts = facts;
    e->blocks = n;
  }
  if (!e->facts[block]) e->facts[block] = NEW_ARRAY(e->scratch, Fact, FACTS_PER_BLOCK);
  return &e->facts[block][v.id % FACTS_PER_BLOCK];
}

Atom env_atom(Env *e, Atom a) {
  while (a.is_var) {
    const Fact *f = env_fact(e, a.var);
    if (!f->has_subst) break;
    a = f->subst;
  }
  return a;
}

Atoms env_atoms(Env *e, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) atoms.at[i] = env_atom(e, atoms.at[i]);
  return atoms;
}

Type renv_type(Env *e, Type t) {
  if (t.is_acc) {
    Atom token = env_atom(e, atom_var(t.token));
    if (token.is_var) t.token = token.var;
  }
  bool same = true;
  for (int i = 0; i < t.rank; i++) same = same && atom_same(env_atom(e, t.dims[i]), t.dims[i]);
  if (same) return t;
  Atom *dims = NEW_ARRAY(e->arena, Atom, t.rank);
  for (int i = 0; i < t.rank; i++) dims[i] = env_atom(e, t.dims[i]);
  t.dims = dims;
  return t;
}

static void env_var_type(Env *e, Var v) {
  e->prog->vars.at[v.id].type = renv_type(e, e->prog->vars.at[v.id].type);
}

static Atom substituted(void *e, Atom a) { return a.is_var ? env_atom(e, a) : a; }

static void use(void *e, Atom a) {
  if (a.is_var) env_fact(e, a.var)->uses++;
}

void env_exp(Env *e, Exp *exp) {
  exp_change_atoms(exp, substituted, e);
  if (!exp_has_parts(exp)) return;
  Parts parts = exp_parts(e->scratch, exp);
  for (int i = 0; i < parts.len; i++) {
    Lambda *fn = parts.at[i].fn;
    if (!fn) continue;
    for (int k = 0; k < fn->params.len; k++) env_var_type(e, fn->params.at[k]);
    for (int k = 0; k < fn->rets.len; k++) fn->rets.at[k] = renv_type(e, fn->rets.at[k]);
  }
}

void env_bound(Env *e, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++) env_var_type(e, stm->bound.at[i]);
}

void env_least_here(Env *e, Var v, int64_t least) {
  Fact *f = env_fact(e, v);
  if (f->has_least && f->least >= least) return;
  list_push(e->scratch, &e->undo, (Undo){v, *f});
  f->has_least = true;
  f->least = least;
}

void env_most_here(Env *e, Var v, int64_t most) {
  Fact *f = env_fact(e, v);
  if (f->has_most && f->most <= most) return;
  list_push(e->scratch, &e->undo, (Undo){v, *f});
  f->has_most = true;
  f->most = most;
}

// A size that is found to be negative belongs to code that fails or is never reached; types do not
// mention such constants.
static bool is_negative_size(const Fact *f, Atom a) {
  return !a.is_var && a.value.prim == PRIM_I64 && a.value.i < 0 && f->counted && f->type_uses > 0;
}

static Atom hidden(Env *e, Atom a) {
  Exp exp = {.form = FORM_OPAQUE, .opaque = {a}};
  return build(&e->to, "size", type_scalar(PRIM_I64), exp);
}

void env_bind(Env *e, Var v, Atom a) {
  a = env_atom(e, a);
  Fact *f = env_fact(e, v);
  if (is_negative_size(f, a)) a = hidden(e, a);
  f = env_fact(e, v);
  f->has_subst = true;
  f->subst = a;
  if (a.is_var) {
    check(a.var.id != v.id);
    alias_class_join(&e->classes, e->prog, v, a.var);
    Fact *g = env_fact(e, a.var);
    g->uses += f->counted ? f->uses : 1 << 20;
    g->type_uses += f->counted ? f->type_uses : 1;
    if (f->has_least) env_least_here(e, a.var, f->least);
  }
  e->changed = true;
}

void env_bind_here(Env *e, Var v, Atom a) {
  if (is_negative_size(env_fact(e, v), env_atom(e, a))) return;
  Undo undo = {v, *env_fact(e, v)};
  list_push(e->scratch, &e->undo, undo);
  bool changed = e->changed;
  env_bind(e, v, a);
  e->changed = changed;
}

// Something non-negative is below the bound, so the bound is positive.
void env_below_here(Env *e, Var v, Atom below) {
  list_push(e->scratch, &e->undo, (Undo){v, *env_fact(e, v)});
  Fact *f = env_fact(e, v);
  f->has_below = true;
  f->below = below;
  env_least_here(e, v, 0);
  if (below.is_var) env_least_here(e, below.var, 1);
}

// Once an array exists its extents are known not to be negative.
void env_sizes_here(Env *e, Var v) {
  const Type *t = &var_info(e->prog, v)->type;
  for (int i = 0; i < t->rank; i++)
    if (t->dims[i].is_var) env_least_here(e, t->dims[i].var, 0);
}

static void register_def(Env *e, Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++) {
    env_sizes_here(e, stm->bound.at[i]);
    Fact *f = env_fact(e, stm->bound.at[i]);
    f->def = stm;
    f->result = i;
    f->scope = e->scope;
  }
}

void env_emit(Env *e, Stm stm) {
  list_push(e->arena, e->to.stms, stm);
  register_def(e, arena_copy(e->scratch, &stm, sizeof stm));
}

// New statements count as uses of their operands.
void env_register(Env *e, int from) {
  for (int i = from; i < e->to.stms->len; i++) {
    Stm *copy = arena_copy(e->scratch, &e->to.stms->at[i], sizeof *copy);
    register_def(e, copy);
    exp_each_atom(&copy->exp, use, e);
  }
}

static void use_types(Env *e, const Type *types, int n) {
  for (int i = 0; i < n; i++)
    for (int d = 0; d < types[i].rank; d++)
      if (types[i].dims[d].is_var) env_fact(e, types[i].dims[d].var)->type_uses++;
}

static void use_vars(Env *e, const Vars *vars) {
  for (int i = 0; i < vars->len; i++) use_types(e, &var_info(e->prog, vars->at[i])->type, 1);
}

void env_use_body(Env *e, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Exp *exp = &body->stms.at[i].exp;
    use_vars(e, &body->stms.at[i].bound);
    exp_each_atom(exp, use, e);
    if (!exp_has_parts(exp)) continue;
    Parts parts = exp_parts(e->scratch, exp);
    for (int k = 0; k < parts.len; k++) {
      const Lambda *fn = parts.at[k].fn;
      if (fn) use_vars(e, &fn->params), use_types(e, fn->rets.at, fn->rets.len);
      env_use_body(e, parts.at[k].body);
    }
  }
  for (int i = 0; i < body->results.len; i++) use(e, body->results.at[i]);
}

Stm *renv_def(Env *e, Atom a) { return a.is_var ? env_fact(e, a.var)->def : NULL; }

Stm *env_def_as(Env *e, Atom a, Form form) {
  Stm *def = renv_def(e, a);
  return def && def->exp.form == form ? def : NULL;
}

int env_uses(Env *e, Atom a) {
  if (!a.is_var || !env_fact(e, a.var)->counted) return 1 << 20;
  return env_fact(e, a.var)->uses;
}

bool env_unused(Env *e, Var v) {
  const Fact *f = env_fact(e, v);
  return f->counted && f->uses == 0 && f->type_uses == 0;
}

bool env_shared(Env *e, Atom a) {
  return !a.is_var || !var_is_array(e->prog, a.var) || !alias_class_consumed(&e->classes, a.var);
}

bool env_replace(Env *e, Stm *stm, Atom a) {
  env_bind(e, stm->bound.at[0], a);
  return true;
}

bool env_become(Env *e, Stm *stm, Exp exp) {
  stm->exp = exp;
  stm->attrs.linear = 0;
  exp_each_atom(&exp, use, e);
  e->changed = e->again = true;
  return false;
}

void env_drop(Env *e, Var v) {
  env_fact(e, v)->dropped = true;
  e->changed = true;
}

Stms stms_over(Stms in) { return (Stms){.at = in.at}; }

void stms_taken(Stms *out, Stms in, int i) {
  if (out->at == in.at) out->cap = i + 1;
}

BodyMark renv_open(Env *e, Stms *out) {
  BodyMark mark = {e->to.stms, e->scope, e->undo.len, e->holds.len};
  list_push(e->scratch, &e->around, e->to.stms);
  e->to.stms = out;
  e->scope = ++e->scopes;
  e->depth++;
  return mark;
}

void env_close(Env *e, BodyMark mark) {
  Stms *out = e->to.stms;
  int len = 0;
  for (int i = 0; i < out->len; i++) {
    const Stm *stm = &out->at[i];
    if (stm->bound.len && env_fact(e, stm->bound.at[0])->dropped) continue;
    out->at[len++] = *stm;
  }
  out->len = len;
  while (e->undo.len > mark.undo) {
    Undo undo = e->undo.at[--e->undo.len];
    Fact *f = env_fact(e, undo.var);
    f->has_subst = undo.old.has_subst;
    f->subst = undo.old.subst;
    f->has_below = undo.old.has_below;
    f->below = undo.old.below;
    f->has_least = undo.old.has_least;
    f->least = undo.old.least;
    f->has_most = undo.old.has_most;
    f->most = undo.old.most;
  }
  e->holds.len = mark.holds;
  e->to.stms = mark.stms;
  e->around.len--;
  e->scope = mark.scope;
  e->depth--;
}
