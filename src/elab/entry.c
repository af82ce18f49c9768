// Entry points: core functions whose parameters are the leaves of the source parameters, after the
// sizes of their arrays.  Sizes that the types say are equal are compared on entry.
#include "local.h"
#include <ctype.h>
#include <string.h>

typedef struct {
  Elab *e;
  Fn *fn;
  EntryInfo *info;
  Vars sizes, leaves;      // parameters
  Vals args;
} EntryFn;

static const char *const size_message = "entry point arguments have invalid sizes.";

// One i64 parameter per source-level dimension; all leaves of one array share theirs.
static Atom size_param(EntryFn *x) {
  Elab *e = x->e;
  Var v = var_new(e->prog, "n", type_scalar(PRIM_I64));
  fact(e, v)->is_size = true;
  list_push(e->arena, &x->sizes, v);
  return atom_var(v);
}

// Leaves are called as the parameter, those of records with the names of the fields: p_x.
static void param_leaves(EntryFn *x, const Sem *sem, Atoms front, const char *base, Atoms *out) {
  Elab *e = x->e;
  switch (sem->tag) {
  case SEM_ARRAY: {
    Atoms dims = atoms_of(e->arena, front.len, front.at);
    list_push(e->arena, &dims, size_param(x));
    Leaves rows = {0};
    sem_leaves(e, sem->elem, &rows);
    if (rows.len > 0) {
      param_leaves(x, sem->elem, dims, base, out);
      return;
    }
    Var unit = var_new(e->prog, base,
                       type_array_dims(e->arena, type_scalar(PRIM_UNIT), dims));
    list_push(e->arena, &x->leaves, unit);
    list_push(e->arena, out, atom_var(unit));
    return;
  }
  case SEM_RECORD:
    for (int i = 0; i < sem->len; i++) {
      bool named = !isdigit((unsigned char)sem->names[i][0]);
      const char *part = named ? arena_printf(e->arena, "%s_%s", base, sem->names[i]) : base;
      param_leaves(x, sem->fields[i], front, part, out);
    }
    return;
  case SEM_PRIM:
  case SEM_SUM: {
    Leaves leaves = {0};
    sem_leaves(e, sem, &leaves);
    for (int i = 0; i < leaves.len; i++) {
      Atoms dims = atoms_of(e->arena, front.len, front.at);
      for (int k = 0; k < leaves.at[i].rank; k++) list_push(e->arena, &dims, size_param(x));
      Var v = var_new(e->prog, base,
                      type_array_dims(e->arena, type_scalar(leaves.at[i].prim), dims));
      list_push(e->arena, &x->leaves, v);
      list_push(e->arena, out, atom_var(v));
    }
    return;
  }
  case SEM_ACC:
  case SEM_FUN: break;
  }
  ice("entry point parameter without external form");
}

static const Pat *plain_pat(const Pat *pat, const TypeExp **type) {
  for (;;) {
    if (pat->tag == PAT_ASCRIBE) {
      if (!*type) *type = pat->ascribe.type;
      pat = pat->ascribe.pat;
    } else if (pat->tag == PAT_ATTR) {
      pat = pat->attr.pat;
    } else {
      return pat;
    }
  }
}

static void add_param(EntryFn *x, SType *type, const Pat *pat, const TypeExp *texp,
                      const Env *env) {
  Elab *e = x->e;
  const Pat *plain = pat ? plain_pat(pat, &texp) : NULL;
  const char *name = plain && plain->tag == PAT_NAME ? plain->name.name
                                                     : arena_printf(e->arena, "arg%d", x->args.len);
  const Sem *sem = sem_of_type(e, type, env);
  Atoms leaves = {0};
  param_leaves(x, sem, (Atoms){0}, name, &leaves);
  for (int i = 0; i < leaves.len; i++) fact(e, leaves.at[i].var)->named = true;
  Val *v = val_build(e, sem, leaves.at);
  list_push(e->arena, &x->args, v);
  list_push(e->arena, &x->info->params,
            (AbiParam){name, abi_type(e, sem, texp, env), stype_find(type)->starred});
}

// A size that the program names is called so.
static void sizes_name(EntryFn *x, const FunDef *fun, const Env *env) {
  for (int i = 0; i < fun->tparams.len; i++) {
    const TypeParam *t = &fun->tparams.at[i];
    const Val *v = t->info && t->info->binding ? env_binding(env, t->info->binding) : NULL;
    if (!v || v->tag != VAL_ATOM || !v->atom.is_var) continue;
    for (int k = 0; k < x->sizes.len; k++)
      if (atom_is_var(v->atom, x->sizes.at[k]))
        x->e->prog->vars.at[v->atom.var.id].base = t->name, fact(x->e, v->atom.var)->named = true;
  }
}

// Every written parameter type is matched against the arguments before the body sees them.
static void check_sizes(EntryFn *x, const FunDef *fun, const Env *env) {
  Elab *e = x->e;
  Pending pending = pending_of(e, &fun->tparams);
  for (int i = 0; i < fun->params.len; i++) {
    const Pat *pat = fun->params.at[i];
    const TypeExp *type = NULL;
    plain_pat(pat, &type);
    at(e, pat->span);
    if (type)
      x->args.at[i] = texp_match(e, &env, type, x->args.at[i], &pending, size_message);
    env = pat_bind(e, env, pat, x->args.at[i], &pending);
  }
  sizes_name(x, fun, env);
}

// Sizes that inference alone made equal.
static void check_inferred(EntryFn *x, const EntryPoint *entry) {
  if (!entry->dims_known || entry->dims.len != x->sizes.len) return;
  at(x->e, entry->fun->name_span);
  for (int i = 0; i < x->sizes.len; i++)
    for (int j = i + 1; j < x->sizes.len && entry->dims.at[i] >= 0; j++) {
      if (entry->dims.at[i] != entry->dims.at[j]) continue;
      Atom a = atom_var(x->sizes.at[i]), b = atom_var(x->sizes.at[j]);
      emit_assert(x->e, emit_size_eq(x->e, a, b), size_message, (Atoms){0});
      break;
    }
}

// ---- what is said when they differ -----------------------------------------------------------
// The place of the parameter that has the size; -1: none.
static int size_owner(const EntryFn *x, Atom size) {
  const Prog *prog = x->e->prog;
  for (int i = 0; i < x->leaves.len; i++) {
    Type t = var_type(prog, x->leaves.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (atom_same(t.dims[d], size)) return i;
  }
  return -1;
}

static const char *size_name(const EntryFn *x, Atom size) {
  bool named = size.is_var && fact(x->e, size.var)->named;
  return named ? var_info(x->e->prog, size.var)->base : NULL;
}

// a == b was asserted: names what is compared, after the words that tools look for.
static void assert_explain(const EntryFn *x, Exp *assert, Atom a, Atom b) {
  int first = size_owner(x, a), second = size_owner(x, b);
  if (second >= 0 && (first < 0 || first > second)) {
    assert_explain(x, assert, b, a);
    return;
  }
  if (first < 0) return;
  const char *of_a = var_info(x->e->prog, x->leaves.at[first])->base;
  const char *of_b = second < 0 ? NULL : var_info(x->e->prog, x->leaves.at[second])->base;
  const char *name = size_name(x, a) ? size_name(x, a) : size_name(x, b);
  Arena *arena = x->e->arena;
  const char *head = strchr(size_message, '.');
  int len = (int)(head - size_message);
  if (of_b && name)
    assert->assert.message = arena_printf(arena, "%.*s: %s is %%d for %s and %%d for %s.", len,
                                          size_message, name, of_a, of_b);
  else if (of_b)
    assert->assert.message = arena_printf(arena, "%.*s: %%d for %s and %%d for %s.", len,
                                          size_message, of_a, of_b);
  else
    assert->assert.message = arena_printf(arena, "%.*s: %%d for %s, not %%d.", len, size_message,
                                          of_a);
  assert->assert.args = atom_list2(x->e, a, b);
}

static const Exp *exp_of(const Stms *stms, Atom a) {
  for (int i = 0; i < stms->len && a.is_var; i++)
    for (int k = 0; k < stms->at[i].bound.len; k++)
      if (stms->at[i].bound.at[k].id == a.var.id) return &stms->at[i].exp;
  return NULL;
}

static void asserts_explain(const EntryFn *x, Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    Exp *e = &stms->at[i].exp;
    if (e->form != FORM_ASSERT || e->assert.message != size_message) continue;
    const Exp *test = exp_of(stms, e->assert.cond);
    if (test && test->form == FORM_PRIM && test->prim.op == OP_EQ)
      assert_explain(x, e, test->prim.args.at[0], test->prim.args.at[1]);
  }
}

typedef struct {
  EntryFn *x;
  Vars sizes, outs;
  Atoms inner_sizes, inner_outs;
} Results;

static Atom result_size(Results *r, Atom d) {
  Elab *e = r->x->e;
  if (!d.is_var || fact(e, d.var)->home == 1) return d;
  for (int i = 0; i < r->x->sizes.len; i++)
    if (atom_is_var(d, r->x->sizes.at[i])) return d;
  for (int i = 0; i < r->x->leaves.len; i++)
    if (atom_is_var(d, r->x->leaves.at[i])) return d;
  for (int i = 0; i < r->inner_sizes.len; i++)
    if (atom_same(r->inner_sizes.at[i], d)) return atom_var(r->sizes.at[i]);
  Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
  list_push(e->arena, &r->sizes, v);
  list_push(e->arena, &r->inner_sizes, d);
  return atom_var(v);
}

static void export_results(EntryFn *x, const Val *v, Stms *stms) {
  Elab *e = x->e;
  Results r = {.x = x};
  Atoms leaves = val_atoms(e, v);
  for (int i = 0; i < leaves.len; i++) {
    Type t = atom_type(e->prog, leaves.at[i]);
    Atom *dims = NEW_ARRAY(e->arena, Atom, t.rank);
    for (int k = 0; k < t.rank; k++) dims[k] = result_size(&r, t.dims[k]);
    t.dims = dims;
    t.unique = false;
    list_push(e->arena, &r.outs, var_new(e->prog, "result", t));
  }
  for (int i = 0; i < r.sizes.len; i++) list_push(e->arena, &x->fn->results, r.sizes.at[i]);
  for (int i = 0; i < r.outs.len; i++) list_push(e->arena, &x->fn->results, r.outs.at[i]);
  x->info->sizes = r.sizes.len;
  x->fn->body = (Body){*stms, atoms_concat(e->arena, r.inner_sizes, leaves)};
}

static SType *result_type(EntryFn *x, SType *type, const FunDef *fun, const Env *env) {
  for (int i = 0;; i++) {
    type = stype_find(type);
    if (type->tag != TYPE_ARROW) return type;
    const Pat *pat = i < fun->params.len ? fun->params.at[i] : NULL;
    add_param(x, type->arrow.from, pat, NULL, env);
    type = type->arrow.to;
  }
}

static const TypeExp *declared_result(const FunDef *fun) {
  const TypeExp *type = fun->ret;
  while (type && (type->tag == TEXP_ARROW || type->tag == TEXP_UNIQUE))
    type = type->tag == TEXP_ARROW ? type->arrow.to : type->unique.elem;
  return type;
}

static void finish(EntryFn *x) {
  Elab *e = x->e;
  for (int i = 0; i < x->sizes.len; i++) list_push(e->arena, &x->fn->params, x->sizes.at[i]);
  for (int i = 0; i < x->leaves.len; i++) {
    Var v = x->leaves.at[i];
    if (fact(e, v)->consumed) e->prog->vars.at[v.id].type.unique = true;
    list_push(e->arena, &x->fn->params, v);
  }
  x->info->size_params = x->sizes.len;
}

Fn *entry_elab(Elab *e, const EntryPoint *entry) {
  const FunDef *fun = entry->fun;
  EntryFn x = {.e = e, .fn = NEW(e->arena, Fn), .info = NEW(e->arena, EntryInfo)};
  ModVal *root = file_eval(e, e->program->root);
  const Env *node = env_term(e, root->env, entry->name);
  if (!node) ice("entry point %s is not bound", entry->name);
  Scope s;
  scope_open(e, &s);
  e->b.attrs = (Attrs){.unchecked = e->in_unsafe};
  x.info->name = entry->name;
  x.info->doc = entry->dec ? entry->dec->doc : NULL;
  SType *type = result_type(&x, entry->binding->type, fun, root->env);
  check_sizes(&x, fun, root->env);
  check_inferred(&x, entry);
  asserts_explain(&x, e->b.stms);
  at(e, fun->name_span);
  Val *f = node->tag == ENV_LAZY ? lazy_force(e, node->lazy, (TypeArgs){0}, NULL, NULL)
                                 : node->val.val;
  e->b.loc = NULL;
  Val *v = f->tag == VAL_FUN && x.args.len >= f->fun.code->params->len
               ? code_run_entry(e, f, x.args) : apply(e, f, x.args);
  at(e, fun->name_span);
  const Sem *sem = val_sem(e, v);
  if (v->tag == VAL_HOLE) v = val_zero(e, sem);
  scope_close(e, &s);
  Stms *outer = e->b.stms;
  e->b.stms = &s.stms;
  export_results(&x, v, &s.stms);
  e->b.stms = outer;
  x.info->result = (AbiParam){"result", abi_type(e, sem, declared_result(fun), root->env),
                              stype_find(type)->starred};
  finish(&x);
  x.fn->name = entry->name;
  x.fn->entry = x.info;
  x.fn->loc = loc_here(e, fun->name_span);
  return x.fn;
}
