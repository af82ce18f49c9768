// Calls of shared core functions.
//
// A call is abstracted into a skeleton: static structure stays (which function, which closures,
// constructors, types), every atom becomes a parameter, equal atoms the same one.  The skeleton
// is the key of a memo of core functions.  Closures are abstracted with the part of their
// environment that their code mentions; what belongs to a file or module body stays as it is.
#include <string.h>
#include "local.h"

typedef LIST(uint64_t) KeyWords;

typedef struct {
  Atoms args;
  Vars outs;
} InnerCall;

// The facts that calls need of a finished (or, for recursion, begun) function.
struct Shared {
  KeyWords key;
  Fn *fn;
  Vars params;
  Vars sizes, outs;          // results: existential sizes, then leaves
  Val *result;               // over params, sizes and outs
  LIST(Ints) aliases;        // per out: the parameters it may share memory with
  LIST(InnerCall) inner;     // calls made while the body was not finished
  bool done;
  Shared *next;
};

typedef struct {
  Elab *e;
  KeyWords key;
  Atoms args;                // the arguments of this call
  Vars params;
  bool abstract_sizes;       // recursion: constant sizes are parameters too
  bool has_acc;
  LIST(const Val *) seen;    // closures met
  Vals seen_as;
} Skeleton;

static void key(Skeleton *s, uint64_t word) { list_push(s->e->arena, &s->key, word); }

static bool is_global(Elab *e, Atom a) { return a.is_var && fact(e, a.var)->home == 1; }

static Type abstract_type(Skeleton *s, Type t);

static Atom parameter(Skeleton *s, Atom a, bool reuse, const char *otherwise) {
  Elab *e = s->e;
  for (int i = 0; reuse && i < s->args.len; i++)
    if (atom_same(s->args.at[i], a)) {
      key(s, (uint64_t)i);
      return atom_var(s->params.at[i]);
    }
  Type t = abstract_type(s, atom_type(e->prog, a));
  key(s, (uint64_t)s->args.len);
  const char *base = base_of(e, a);
  Var v = var_new(e->prog, base ? base : otherwise, t);
  list_push(e->arena, &s->args, a);
  list_push(e->arena, &s->params, v);
  if (a.is_var && fact(e, a.var)->is_size) fact(e, v)->is_size = true;
  return atom_var(v);
}

static Atom abstract_size(Skeleton *s, Atom d) {
  if (!d.is_var && !s->abstract_sizes) {
    key(s, 1000003);
    key(s, (uint64_t)d.value.i);
    return d;
  }
  if (is_global(s->e, d)) {
    key(s, 1000033);
    key(s, d.var.id);
    return d;
  }
  Atom p = parameter(s, d, true, "n");
  fact(s->e, p.var)->is_size = true;
  return p;
}

static Type abstract_type(Skeleton *s, Type t) {
  key(s, (uint64_t)t.prim * 64 + (uint64_t)t.rank);
  Atom *dims = NEW_ARRAY(s->e->arena, Atom, t.rank);
  for (int i = 0; i < t.rank; i++) dims[i] = abstract_size(s, t.dims[i]);
  t.dims = dims;
  t.unique = false;
  return t;
}

static Atom abstract_atom(Skeleton *s, Atom a) {
  if (is_blank(a)) return key(s, 7), a;
  if (is_global(s->e, a)) {
    key(s, 1000037);
    key(s, a.var.id);
    return a;
  }
  return parameter(s, a, a.is_var, "arg");
}

static Atoms abstract_atoms(Skeleton *s, Atoms atoms) {
  Atoms out = {0};
  for (int i = 0; i < atoms.len; i++) list_push(s->e->arena, &out, abstract_atom(s, atoms.at[i]));
  return out;
}

// The type without its size hints, which are atoms of the call's place.
static const Sem *abstract_sem(Skeleton *s, const Sem *sem) {
  Elab *e = s->e;
  Sem *out = arena_copy(e->arena, sem, sizeof *sem);
  key(s, (uint64_t)sem->tag * 1009 + (uint64_t)sem->len);
  switch (sem->tag) {
  case SEM_PRIM: key(s, sem->prim); return out;
  case SEM_ARRAY:
  case SEM_ACC:
    out->elem = abstract_sem(s, sem->elem);
    out->dim = blank();
    return out;
  case SEM_RECORD: {
    const Sem **fields = NEW_ARRAY(e->arena, const Sem *, sem->len);
    for (int i = 0; i < sem->len; i++) {
      key(s, KEY(sem->names[i]));
      fields[i] = abstract_sem(s, sem->fields[i]);
    }
    out->fields = fields;
    return out;
  }
  case SEM_SUM: {
    SemCon *cons = NEW_ARRAY(e->arena, SemCon, sem->len);
    for (int i = 0; i < sem->len; i++) {
      cons[i] = sem->cons[i];
      cons[i].slots = (Ints){0};
      cons[i].payload = NEW_ARRAY(e->arena, const Sem *, cons[i].len);
      key(s, KEY(cons[i].name));
      for (int k = 0; k < cons[i].len; k++)
        cons[i].payload[k] = abstract_sem(s, sem->cons[i].payload[k]);
    }
    out->cons = cons;
    return sem->leaves.len > 0 ? sem_sum_layout(e, out) : out;
  }
  case SEM_FUN: return out;
  }
  return out;
}

static TypeArgs abstract_types(Skeleton *s, const TypeArgs *targs) {
  TypeArgs out = {0};
  for (int i = 0; i < targs->len; i++) {
    const TypeArg_ *t = &targs->at[i];
    const Sem *sem = t->sem ? t->sem : sem_of_type(s->e, t->type, t->env);
    list_push(s->e->arena, &out, (TypeArg_){.def = t->def, .sem = abstract_sem(s, sem)});
  }
  return out;
}

static Val *abstract_val(Skeleton *s, Val *v);

static Vals abstract_vals(Skeleton *s, Vals vals) {
  Vals out = {0};
  key(s, (uint64_t)vals.len);
  for (int i = 0; i < vals.len; i++) list_push(s->e->arena, &out, abstract_val(s, vals.at[i]));
  return out;
}

static const Env *global_part(const Env *env) {
  while (env && !env->global) env = env->next;
  return env;
}

static bool bound_already(const Env *env, const Env *stop, const Env *node) {
  for (; env != stop; env = env->next)
    if (env->tag == node->tag &&
        (node->tag == ENV_DEF ? env->def.def == node->def.def : env->name == node->name))
      return true;
  return false;
}

// The local part of an environment, reduced to the names in `free` and the types.
static const Env *abstract_env(Skeleton *s, const Env *env, const NameList *free) {
  Elab *e = s->e;
  const Env *global = global_part(env), *out = global;
  key(s, KEY(global));
  for (; env != global; env = env->next) {
    if (bound_already(out, global, env)) continue;
    if (env->tag == ENV_VAL && name_in(free, env->name)) {
      key(s, KEY(env->name));
      out = env_val(e, out, env->name, env->val.binding, abstract_val(s, env->val.val));
    } else if (env->tag == ENV_DEF) {
      key(s, KEY(env->def.def));
      TypeArgs one = {.at = (TypeArg_ *)&env->def, .len = 1};
      if (!env->def.sem && !env->def.type) continue;
      out = env_def(e, out, abstract_types(s, &one).at[0]);
    } else if (env->tag == ENV_OPEN) {
      key(s, KEY(env->mod));
      Env *open = (Env *)env_new(e, out, ENV_OPEN, NULL);
      open->mod = env->mod;
      out = open;
    }
  }
  return out;
}

// Sizes that only the function's place tells are read there and become parameters too.
static const Atom *abstract_inst(Skeleton *s, const Val *v) {
  const Inst *inst = v->fun.inst;
  if (!inst) return NULL;
  const Atom *known = v->fun.inst_sizes;
  if (!known) known = inst_sizes_read(s->e, inst, v->fun.inst_env);
  key(s, (uint64_t)inst->sizes.len);
  Atom *sizes = NEW_ARRAY(s->e->arena, Atom, inst->sizes.len);
  for (int i = 0; i < inst->sizes.len; i++) {
    key(s, is_blank(known[i]));
    sizes[i] = is_blank(known[i]) ? known[i] : abstract_size(s, known[i]);
  }
  return sizes;
}

static Val *abstract_fun(Skeleton *s, Val *v) {
  Elab *e = s->e;
  for (int i = 0; i < s->seen.len; i++)
    if (s->seen.at[i] == v) return key(s, (uint64_t)i), s->seen_as.at[i];
  Val *out = arena_copy(e->arena, v, sizeof *v);
  list_push(e->arena, &s->seen, v);
  list_push(e->arena, &s->seen_as, out);
  key(s, KEY(v->fun.code));
  code_free(e, (Code *)v->fun.code);
  out->fun.targs = abstract_types(s, &v->fun.targs);
  out->fun.env = abstract_env(s, v->fun.env, &v->fun.code->free);
  out->fun.args = abstract_vals(s, v->fun.args);
  out->fun.inst_sizes = abstract_inst(s, v);
  out->fun.inst_env = NULL;
  return out;
}

static Val *abstract_val(Skeleton *s, Val *v) {
  Elab *e = s->e;
  key(s, (uint64_t)v->tag + 2000003);
  Val *out = arena_copy(e->arena, v, sizeof *v);
  switch (v->tag) {
  case VAL_ATOM: out->atom = abstract_atom(s, v->atom); return out;
  case VAL_ARRAY:
  case VAL_ACC:
    s->has_acc |= v->tag == VAL_ACC;
    out->array.elem = abstract_sem(s, v->array.elem);
    out->array.leaves = abstract_atoms(s, v->array.leaves);
    return out;
  case VAL_RECORD: {
    Vals fields = {.at = v->record.at, .len = v->record.len};
    if (fields.len == 0) unit_use(e, v), out->record.token = (Var){0};
    for (int i = 0; i < fields.len; i++) key(s, KEY(v->record.names[i]));
    out->record.at = abstract_vals(s, fields).at;
    return out;
  }
  case VAL_CON: {
    Vals args = {.at = v->con.args, .len = v->con.sem->cons[v->con.index].len};
    key(s, (uint64_t)v->con.index);
    out->con.sem = abstract_sem(s, v->con.sem);
    out->con.args = abstract_vals(s, args).at;
    return out;
  }
  case VAL_SUM:
    out->sum.sem = abstract_sem(s, v->sum.sem);
    out->sum.leaves = abstract_atoms(s, v->sum.leaves);
    return out;
  case VAL_FUN: return abstract_fun(s, v);
  case VAL_PRIM:
    key(s, v->prim.id);
    out->prim.targs = abstract_types(s, &v->prim.targs);
    out->prim.args = abstract_vals(s, v->prim.args);
    return out;
  case VAL_FLIP:
    out->flip.fn = abstract_val(s, v->flip.fn);
    out->flip.arg = abstract_val(s, v->flip.arg);
    return out;
  case VAL_PATH: {
    NameList names = {0};
    names_of_path(e, v->path.path, &names);
    key(s, KEY(v->path.path));
    out->path.env = abstract_env(s, v->path.env, &names);
    return out;
  }
  case VAL_HOLE: out->hole.sem = abstract_sem(s, v->hole.sem); return out;
  }
  ice("value tag %d", v->tag);
}

// ---- the memo -------------------------------------------------------------------------------

static uint64_t key_hash(const KeyWords *k) {
  uint64_t h = 0x243f6a8885a308d3U;
  for (int i = 0; i < k->len; i++) h = (h ^ k->at[i]) * 0x9e3779b97f4a7c15U, h ^= h >> 29;
  return h | 1;
}

static Shared *memo_find(Elab *e, const KeyWords *k) {
  for (Shared *sh = map_get(e->shared, key_hash(k)); sh; sh = sh->next)
    if (sh->key.len == k->len && memcmp(sh->key.at, k->at, sizeof *k->at * (size_t)k->len) == 0)
      return sh;
  return NULL;
}

static Shared *memo_add(Elab *e, const Skeleton *s) {
  uint64_t h = key_hash(&s->key);
  Shared *sh = NEW(e->arena, Shared);
  sh->key = s->key;
  sh->params = s->params;
  sh->next = map_get(e->shared, h);
  map_put(e->shared, h, sh);
  return sh;
}

const char *fn_name(Elab *e, const char *base) {
  if (!base || name_is_operator(base)) base = "fn";
  if (fn_name_is_reserved(base)) base = arena_printf(e->arena, "fn_%s", base);
  Name name = name_of(e->names, base);
  uintptr_t used = (uintptr_t)map_get(e->names_used, KEY(name));
  map_put(e->names_used, KEY(name), (void *)(used + 1));
  if (used == 0) return name;
  return fn_name(e, arena_printf(e->arena, "%s_%d", base, (int)used));
}

// ---- results --------------------------------------------------------------------------------

typedef struct {
  Elab *e;
  Shared *sh;
  Atoms inner_sizes;   // sizes the body computes, matching sh->sizes
  Atoms inner_outs;
} Export;

static bool is_param(const Shared *sh, Atom a) {
  for (int i = 0; i < sh->params.len; i++)
    if (atom_is_var(a, sh->params.at[i])) return true;
  return false;
}

static Atom export_size(Export *x, Atom d) {
  Elab *e = x->e;
  if (!d.is_var || is_global(e, d) || is_param(x->sh, d)) return d;
  for (int i = 0; i < x->inner_sizes.len; i++)
    if (atom_same(x->inner_sizes.at[i], d)) return atom_var(x->sh->sizes.at[i]);
  Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
  fact(e, v)->is_size = true;
  list_push(e->arena, &x->inner_sizes, d);
  list_push(e->arena, &x->sh->sizes, v);
  return atom_var(v);
}

static Atom export_atom(void *state, Atom a) {
  Export *x = state;
  Elab *e = x->e;
  Type t = atom_type(e->prog, a);
  bool scalar_param = t.rank == 0 && is_param(x->sh, a);
  if (!a.is_var || scalar_param || is_global(e, a)) return a;
  for (int i = 0; i < x->inner_outs.len; i++)
    if (t.rank == 0 && atom_same(x->inner_outs.at[i], a)) return atom_var(x->sh->outs.at[i]);
  Atom *dims = NEW_ARRAY(e->arena, Atom, t.rank);
  for (int k = 0; k < t.rank; k++) dims[k] = export_size(x, t.dims[k]);
  t.dims = dims;
  t.unique = false;
  Var v = var_new(e->prog, base_of(e, a), t);
  list_push(e->arena, &x->inner_outs, a);
  list_push(e->arena, &x->sh->outs, v);
  return atom_var(v);
}

static void find_params(Elab *e, const Shared *sh, Var v, Ints *out, int depth) {
  for (int i = 0; i < sh->params.len; i++)
    if (sh->params.at[i].id == v.id) list_push(e->arena, out, i);
  Vars others = fact(e, v)->alias;
  for (int i = 0; i < others.len && depth < 64; i++)
    find_params(e, sh, others.at[i], out, depth + 1);
}

static void note_aliases(Export *x) {
  x->sh->aliases.len = 0;
  for (int i = 0; i < x->inner_outs.len; i++) {
    Ints params = {0};
    if (x->inner_outs.at[i].is_var)
      find_params(x->e, x->sh, x->inner_outs.at[i].var, &params, 0);
    list_push(x->e->arena, &x->sh->aliases, params);
  }
}

// Result `out` of a recursive call may be `arg`; whether that is news.
static bool may_be(Elab *e, Var out, Atom arg) {
  Vars known = fact(e, out)->alias;
  if (!arg.is_var || is_blank(arg)) return false;
  for (int i = 0; i < known.len; i++)
    if (known.at[i].id == arg.var.id) return false;
  alias(e, atom_var(out), arg);
  if (fact(e, out)->consumed) consume(e, arg);
  return fact(e, out)->alias.len > known.len;
}

// The results of recursive calls may be whatever the function's may be: to a fixpoint.
static void spread_aliases(Export *x) {
  Shared *sh = x->sh;
  for (bool more = true; more;) {
    more = false;
    note_aliases(x);
    for (int c = 0; c < sh->inner.len; c++)
      for (int i = 0; i < sh->outs.len; i++)
        for (int k = 0; k < sh->aliases.at[i].len; k++)
          more |= may_be(x->e, sh->inner.at[c].outs.at[i],
                         sh->inner.at[c].args.at[sh->aliases.at[i].at[k]]);
  }
}

// Parameters consumed by the body are unique; through recursive calls this may spread.
static void note_consumption(Elab *e, Shared *sh) {
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < sh->params.len; i++) {
      VarInfo *info = &e->prog->vars.at[sh->params.at[i].id];
      if (!fact(e, sh->params.at[i])->consumed || info->type.unique || info->type.rank == 0)
        continue;
      info->type.unique = true;
      more = true;
      for (int c = 0; c < sh->inner.len; c++) consume(e, sh->inner.at[c].args.at[i]);
    }
  }
}

// Recursion: the result as its type alone tells, sizes of the declared type where it names them.
typedef struct {
  Elab *e;
  Shared *sh;
} Declared;

static Val *declared_val(Declared *d, const Sem *sem);

static Val *declared_array(Declared *d, const Sem *array) {
  Elab *e = d->e;
  Atoms front = {0};
  const Sem *elem = array;
  for (; elem->tag == SEM_ARRAY; elem = elem->elem) {
    Atom size = elem->dim;
    if (is_blank(size)) {
      Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
      fact(e, v)->is_size = true;
      list_push(e->arena, &d->sh->sizes, v);
      size = atom_var(v);
    }
    list_push(e->arena, &front, size);
  }
  Leaves rows = {0};
  Atoms leaves = {0};
  sem_leaves(e, elem, &rows);
  if (rows.len == 0) list_push(e->arena, &rows, (Leaf){.prim = PRIM_UNIT});
  for (int i = 0; i < rows.len; i++) {
    Atoms dims = atoms_of(e->arena, front.len, front.at);
    for (int k = 0; k < rows.at[i].rank; k++) {
      Var v = var_new(e->prog, "size", type_scalar(PRIM_I64));
      list_push(e->arena, &d->sh->sizes, v);
      list_push(e->arena, &dims, atom_var(v));
    }
    Type t = type_array_dims(e->arena, type_scalar(rows.at[i].prim), dims);
    Var v = var_new(e->prog, "result", t);
    list_push(e->arena, &d->sh->outs, v);
    list_push(e->arena, &leaves, atom_var(v));
  }
  return val_array(e, array->elem, leaves);
}

static Val *declared_val(Declared *d, const Sem *sem) {
  Elab *e = d->e;
  switch (sem->tag) {
  case SEM_ARRAY: return declared_array(d, sem);
  case SEM_RECORD: {
    Val **vals = NEW_ARRAY(e->arena, Val *, sem->len);
    for (int i = 0; i < sem->len; i++) vals[i] = declared_val(d, sem->fields[i]);
    return val_record(e, sem->len, sem->names, vals);
  }
  case SEM_PRIM:
  case SEM_SUM: {
    Leaves leaves = {0};
    Atoms atoms = {0};
    sem_leaves(e, sem, &leaves);
    for (int i = 0; i < leaves.len; i++) {
      const Sem *leaf = sem_prim(e, leaves.at[i].prim);
      for (int k = leaves.at[i].rank - 1; k >= 0; k--)
        leaf = sem_array(e, leaf, leaves.at[i].dims[k]);
      Val *v = leaf->tag == SEM_ARRAY ? declared_array(d, leaf) : NULL;
      if (v) {
        list_push(e->arena, &atoms, v->array.leaves.at[0]);
        continue;
      }
      Var var = var_new(e->prog, "result", type_scalar(leaf->prim));
      list_push(e->arena, &d->sh->outs, var);
      list_push(e->arena, &atoms, atom_var(var));
    }
    return val_build(e, sem, atoms.at);
  }
  case SEM_ACC:
  case SEM_FUN: break;
  }
  ice("a recursive function returns no plain value");
}

// The body's value fitted to the declared results: fixed sizes checked, the others exported.
static void fit_declared(Export *x, Val *v) {
  Elab *e = x->e;
  Shared *sh = x->sh;
  Atoms leaves = {0};
  val_leaves(e, v, &leaves);
  check(leaves.len == sh->outs.len);
  for (int s = 0; s < sh->sizes.len; s++) list_push(e->arena, &x->inner_sizes, blank());
  for (int i = 0; i < leaves.len; i++) {
    Type want = var_type(e->prog, sh->outs.at[i]);
    Atom leaf = leaves.at[i];
    if (is_blank(leaf)) {
      Atom *none = NEW_ARRAY(e->arena, Atom, want.rank);
      for (int k = 0; k < want.rank; k++) none[k] = atom_i64(0);
      leaf = leaf_zero(e, (Leaf){want.prim, want.rank, false, none, false});
    }
    Atoms dims = dims_of(e, leaf);
    for (int k = 0; k < want.rank; k++) {
      Atom d = want.dims[k];
      for (int s = 0; s < sh->sizes.len; s++) {
        if (!atom_is_var(d, sh->sizes.at[s])) continue;
        if (is_blank(x->inner_sizes.at[s])) x->inner_sizes.at[s] = dims.at[k];
        d = x->inner_sizes.at[s];
      }
      dims.at[k] = d;
    }
    if (want.rank > 0)
      leaf = emit_shaped(e, leaf, dims, "Result has size %d where %d is expected.");
    list_push(e->arena, &x->inner_outs, leaf);
  }
  for (int s = 0; s < sh->sizes.len; s++)
    if (is_blank(x->inner_sizes.at[s])) x->inner_sizes.at[s] = atom_i64(0);
}

// ---- making and calling ---------------------------------------------------------------------

static bool has_int(Ints ints, int64_t n) {
  for (int i = 0; i < ints.len; i++)
    if (ints.at[i] == n) return true;
  return false;
}

// Nothing else has result i: its type says so, it is new, or a consumed parameter that no other
// result may be.
static bool is_own(Elab *e, const Shared *sh, Vars starred, int i) {
  if (var_type(e->prog, sh->outs.at[i]).rank == 0) return false;
  for (int k = 0; k < starred.len; k++)
    if (starred.at[k].id == sh->outs.at[i].id) return true;
  for (int k = 0; k < sh->aliases.at[i].len; k++) {
    int64_t param = sh->aliases.at[i].at[k];
    if (!var_type(e->prog, sh->params.at[param]).unique) return false;
    for (int j = 0; j < sh->outs.len; j++)
      if (j != i && has_int(sh->aliases.at[j], param)) return false;
  }
  return true;
}

static void finish_fn(Export *x, const Code *code, Stms stms) {
  Elab *e = x->e;
  Shared *sh = x->sh;
  spread_aliases(x);
  note_consumption(e, sh);
  Vars starred = unique_result(e, code, sh->result);
  for (int i = 0; i < sh->outs.len; i++)
    e->prog->vars.at[sh->outs.at[i].id].type.unique = is_own(e, sh, starred, i);
  sh->fn->params = sh->params;
  for (int i = 0; i < sh->sizes.len; i++)
    list_push(e->arena, &sh->fn->results, sh->sizes.at[i]);
  for (int i = 0; i < sh->outs.len; i++)
    list_push(e->arena, &sh->fn->results, sh->outs.at[i]);
  sh->fn->body = (Body){stms, atoms_concat(e->arena, x->inner_sizes, x->inner_outs)};
  sh->done = true;
}

// The statements of the parameters' types are those of the body, which makes its own.
static void declare_result(Elab *e, Shared *sh, const Val *fun, Vals args) {
  const Code *code = fun->fun.code;
  const Env *env = fun->fun.env;
  for (int i = 0; i < fun->fun.targs.len; i++) env = env_def(e, env, fun->fun.targs.at[i]);
  Scope scratch;
  scope_open(e, &scratch);
  Pending pending = pending_of(e, code->tparams);
  for (int i = 0; i < code->params->len; i++)
    env = pat_bind(e, env, code->params->at[i], args.at[i], &pending);
  const Sem *sem = code->ret ? texp_sem(e, env, code->ret, &pending)
                             : sem_of_type(e, code->result, env);
  scope_close(e, &scratch);
  Declared d = {e, sh};
  sh->result = declared_val(&d, sem);
}

static void make_fn(Elab *e, Shared *sh, Val *fun, Vals args) {
  const Code *code = fun->fun.code;
  if (++e->specialisations > 10000)
    diag_unsupported(e->diag, code->span, "more than 10000 specialisations of functions");
  Builder b = e->b;
  Scope *open = e->open;
  const Loc *callers = e->callers;
  Scope s;
  sh->fn = NEW(e->arena, Fn);
  sh->fn->name = fn_name(e, code->name);
  sh->fn->loc = loc_here(e, code->span);
  sh->fn->attrs.noinline_ = code->noinline_;
  e->open = NULL;
  e->callers = NULL;
  e->b.loc = NULL;
  e->b.attrs = (Attrs){.unchecked = e->in_unsafe, .warn_checks = b.attrs.warn_checks};
  uint32_t scope = e->scope;
  scope_open(e, &s);
  Export x = {.e = e, .sh = sh};
  if (code->recursive) declare_result(e, sh, fun, args);
  Val *v = code_run(e, fun, args);
  e->b.loc = sh->fn->loc;
  if (code->recursive) fit_declared(&x, v);
  else sh->result = val_map(e, v, export_atom, &x);
  scope_close(e, &s);
  Vars starred = {0};
  for (int i = 0; i < code->params->len; i++)
    unique_param(e, code->params->at[i], args.at[i], &starred);
  for (int i = 0; i < starred.len; i++) consume(e, atom_var(starred.at[i]));
  finish_fn(&x, code, s.stms);
  e->b = b;
  e->open = open;
  e->scope = scope;
  e->callers = callers;
  list_push(e->arena, &e->prog->fns, sh->fn);
}

typedef struct {
  Elab *e;
  const Shared *sh;
  Atoms args;
  Vars sizes, outs;
} Call;

static Atom at_call(void *state, Atom a) {
  const Call *c = state;
  if (!a.is_var) return a;
  for (int i = 0; i < c->sh->params.len; i++)
    if (c->sh->params.at[i].id == a.var.id) return c->args.at[i];
  for (int i = 0; i < c->sizes.len; i++)
    if (c->sh->sizes.at[i].id == a.var.id) return atom_var(c->sizes.at[i]);
  for (int i = 0; i < c->outs.len; i++)
    if (c->sh->outs.at[i].id == a.var.id) return atom_var(c->outs.at[i]);
  return a;
}

static Var call_result(Call *c, Var v) {
  Elab *e = c->e;
  Type t = var_type(e->prog, v);
  Atom *dims = NEW_ARRAY(e->arena, Atom, t.rank);
  for (int k = 0; k < t.rank; k++) dims[k] = at_call(c, t.dims[k]);
  t.dims = dims;
  t.unique = false;
  return var_new(e->prog, var_info(e->prog, v)->base, t);
}

static Val *emit_call(Elab *e, Shared *sh, Atoms args) {
  Call c = {.e = e, .sh = sh, .args = args};
  Stm stm = {.attrs = e->b.attrs, .loc = e->b.loc};
  for (int i = 0; i < sh->sizes.len; i++) {
    list_push(e->arena, &c.sizes, call_result(&c, sh->sizes.at[i]));
    fact(e, c.sizes.at[i])->is_size = true;
    list_push(e->arena, &stm.bound, c.sizes.at[i]);
  }
  for (int i = 0; i < sh->outs.len; i++) {
    list_push(e->arena, &c.outs, call_result(&c, sh->outs.at[i]));
    list_push(e->arena, &stm.bound, c.outs.at[i]);
  }
  if (sh->done) {
    for (int i = 0; i < sh->params.len; i++)
      if (var_type(e->prog, sh->params.at[i]).unique) consume(e, args.at[i]);
    for (int i = 0; i < sh->outs.len; i++)
      for (int k = 0; k < sh->aliases.at[i].len; k++)
        alias(e, atom_var(c.outs.at[i]), args.at[sh->aliases.at[i].at[k]]);
  } else {
    list_push(e->arena, &sh->inner, (InnerCall){args, c.outs});
  }
  stm.exp = (Exp){.form = FORM_APPLY, .apply = {sh->fn->name, args}};
  Val *v = units_of_stm(e, &stm, val_map(e, sh->result, at_call, &c));
  build_stm(&e->b, stm);
  return v;
}

Val *shared_call(Elab *e, const Val *fun, Vals args) {
  Skeleton s = {.e = e, .abstract_sizes = fun->fun.code->recursive};
  Val *bare = arena_copy(e->arena, fun, sizeof *fun);
  bare->fun.args = (Vals){0};
  key(&s, (uint64_t)(e->in_unsafe + 2 * e->b.attrs.warn_checks + 4 * e->strategy));
  Val *inner = abstract_fun(&s, bare);
  Vals inner_args = abstract_vals(&s, args);
  if (s.has_acc && !fun->fun.code->recursive) return NULL;
  Shared *sh = memo_find(e, &s.key);
  if (!sh) {
    sh = memo_add(e, &s);
    make_fn(e, sh, inner, inner_args);
  }
  return emit_call(e, sh, s.args);
}
