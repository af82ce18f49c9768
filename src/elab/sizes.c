// Sizes that no argument shows: from the size pass, from the type the context needs.
#include "local.h"

static int pending_index(const Pending *p, Name name) {
  for (int i = 0; p && i < p->names.len; i++)
    if (p->names.at[i] == name) return i;
  return -1;
}

static Name bare_name(const Expr *exp) {
  if (!exp || exp->tag != EXP_VAR || exp->var.name.parts.len != 1) return NULL;
  return exp->var.name.parts.at[0];
}

void texp_want(Elab *e, const Env **env, const TypeExp *type, const Sem *want, Pending *pending) {
  switch (type->tag) {
  case TEXP_ARRAY: {
    if (want->tag != SEM_ARRAY) return;
    Name name = bare_name(type->array.size.exp);
    int i = name ? pending_index(pending, name) : -1;
    if (i >= 0 && !is_blank(want->dim)) pending_bind(e, env, pending, i, want->dim);
    texp_want(e, env, type->array.elem, want->elem, pending);
    return;
  }
  case TEXP_TUPLE:
    for (int i = 0; i < type->tuple.elems.len && want->tag == SEM_RECORD && i < want->len; i++)
      texp_want(e, env, type->tuple.elems.at[i], want->fields[i], pending);
    return;
  case TEXP_UNIQUE: texp_want(e, env, type->unique.elem, want, pending); return;
  case TEXP_EXISTS: texp_want(e, env, type->exists.type, want, pending); return;
  case TEXP_RECORD:
    for (int i = 0; i < type->record.fields.len && want->tag == SEM_RECORD; i++)
      for (int k = 0; k < want->len; k++)
        if (want->names[k] == type->record.fields.at[i].name)
          texp_want(e, env, type->record.fields.at[i].type, want->fields[k], pending);
    return;
  case TEXP_NAME:
  case TEXP_APPLY:
  case TEXP_SUM:
  case TEXP_ARROW: return;
  }
}

// ---- sizes without names -----------------------------------------------------------------------

const Env *sizes_begin(Elab *e, const Env *env) {
  if (!e->program->witnesses) return env;
  Env *out = (Env *)env_new(e, env, ENV_SIZES, NULL);
  out->global = env && env->global;
  out->sizes = NEW(e->arena, SeenSizes);
  return out;
}

static SeenSizes *sizes_of(const Env *env, const Env **next) {
  while (env && env->tag != ENV_SIZES) env = env->next;
  *next = env ? env->next : NULL;
  return env ? env->sizes : NULL;
}

static bool witness_size(Elab *e, const SizeWitness *w, const Val *v, Atom *size) {
  for (int i = 0; v && i < w->fields.len; i++)
    v = v->tag == VAL_RECORD ? val_field(v, w->fields.at[i]) : NULL;
  if (!v) return false;
  if (w->depth < 0) return *size = v->atom, v->tag == VAL_ATOM;
  if (v->tag != VAL_ARRAY || v->array.leaves.len == 0) return false;
  Type t = atom_type(e->prog, v->array.leaves.at[0]);
  if (w->depth >= t.rank) return false;
  *size = t.dims[w->depth];
  return true;
}

void sizes_see(Elab *e, const Env *env, const void *node, const Val *v) {
  const SizeWitnessList *list = map_get(e->program->witnesses, KEY(node));
  const Env *next;
  SeenSizes *seen = list ? sizes_of(env, &next) : NULL;
  for (int i = 0; seen && i < list->len; i++) {
    SeenSize s = {.number = list->at[i].number};
    if (witness_size(e, &list->at[i], v, &s.size)) list_push(e->arena, seen, s);
  }
}

static Val *seen_size(Elab *e, int64_t number, const Env *env) {
  const SeenSizes *seen;
  while ((seen = sizes_of(env, &env)))
    for (int i = seen->len; i-- > 0;)
      if (seen->at[i].number == number) return val_atom(e, seen->at[i].size);
  return NULL;
}

// ---- sizes that inference found -------------------------------------------------------------

static Val *term_value(Elab *e, const SizeTerm *t, const Env *env);

static Val *name_value(Elab *e, const Binding *b, const VarRef *path, const Env *env) {
  if (b->tag == BIND_OPERATOR || b->tag == BIND_INTRINSIC) {
    Val *v = val_new(e, VAL_PRIM);
    v->prim.id = b->intr;
    return v;
  }
  if (path) return env_term(e, env, path->name.parts.at[0]) ? eval_var(e, path, env, NULL) : NULL;
  Val *local = env_binding(env, b);
  if (local || b->tag != BIND_TOP) return local;
  const Env *node = env_term(e, env, b->name);
  if (!node || node->through) return NULL;
  if (node->tag == ENV_LAZY) return lazy_force(e, node->lazy, (TypeArgs){0}, NULL, NULL);
  return node->tag == ENV_VAL && node->val.binding == b ? node->val.val : NULL;
}

static Val *apply_term(Elab *e, const SizeTerm *t, const Env *env) {
  Vals args = {0};
  for (int i = 0; i < t->args.len; i++) {
    Val *v = term_value(e, t->args.at[i], env);
    if (!v) return NULL;
    list_push(e->arena, &args, v);
  }
  Val *fn = args.at[0];
  if (!val_is_functional(fn)) return NULL;
  return apply(e, fn, (Vals){.at = args.at + 1, .len = args.len - 1});
}

// NULL: not to be known here.
static Val *term_value(Elab *e, const SizeTerm *t, const Env *env) {
  switch (t->tag) {
  case SIZETERM_CONST: return val_atom(e, atom_i64(t->value));
  case SIZETERM_NAME: return name_value(e, t->binding, t->path, env);
  case SIZETERM_PROJECT: {
    Val *v = term_value(e, t->args.at[0], env);
    return v ? val_field(v, t->field) : NULL;
  }
  case SIZETERM_APPLY: return apply_term(e, t, env);
  case SIZETERM_FOUND: return seen_size(e, t->value, env);
  case SIZETERM_UNKNOWN: return NULL;
  }
  return NULL;
}

static Atom read_size(Elab *e, const SizeTerm *term, const Env *env) {
  Val *v = term_value(e, term, env);
  return v && v->tag == VAL_ATOM ? v->atom : blank();
}

bool inst_size(Elab *e, const Pending *pending, Name name, Atom *out) {
  const Inst *inst = pending->inst;
  for (int i = 0; inst && i < inst->sizes.len; i++) {
    if (inst->sizes.at[i].param->name != name) continue;
    *out = pending->inst_sizes ? pending->inst_sizes[i]
                               : read_size(e, inst->sizes.at[i].size, pending->inst_env);
    return !is_blank(*out);
  }
  return false;
}

const Atom *inst_sizes_read(Elab *e, const Inst *inst, const Env *env) {
  Atom *sizes = NEW_ARRAY(e->arena, Atom, inst->sizes.len);
  for (int i = 0; i < inst->sizes.len; i++)
    sizes[i] = read_size(e, inst->sizes.at[i].size, env);
  return sizes;
}

void inst_sizes(Elab *e, const Env **env, Pending *pending) {
  for (int k = pending->names.len - 1; k >= 0; k--) {
    Atom size;
    if (inst_size(e, pending, pending->names.at[k], &size))
      pending_bind(e, env, pending, k, size);
  }
}

// ---- empty arrays -------------------------------------------------------------------------------

const SizeShape *empty_shape(const Elab *e, const Expr *exp) {
  Map *shapes = e->program->shapes;
  return shapes && exp->array.elems.len == 0 ? map_get(shapes, KEY(exp)) : NULL;
}

static const Sem *record_shaped(Elab *e, const Sem *sem, const SizeShape *shape, const Env *env) {
  const Sem **fields = NEW_ARRAY(e->arena, const Sem *, sem->len);
  for (int i = 0; i < sem->len; i++)
    fields[i] = sem_shaped(e, sem->fields[i], shape->parts.at[i], env);
  return sem_record(e, sem->len, sem->names, fields);
}

static const Sem *sum_shaped(Elab *e, const Sem *sem, const SizeShape *shape, const Env *env) {
  Sem *sum = NEW(e->arena, Sem);
  SemCon *cons = NEW_ARRAY(e->arena, SemCon, sem->len);
  *sum = (Sem){.tag = SEM_SUM, .len = sem->len, .cons = cons};
  for (int i = 0, part = 0; i < sem->len; i++) {
    const SemCon *c = &sem->cons[i];
    const Sem **payload = NEW_ARRAY(e->arena, const Sem *, c->len);
    for (int k = 0; k < c->len; k++)
      payload[k] = sem_shaped(e, c->payload[k], shape->parts.at[part++], env);
    cons[i] = (SemCon){.name = c->name, .len = c->len, .payload = payload};
  }
  return sem_sum_layout(e, sum);
}

// Types that have no parts here, such as abstract ones, keep the sizes that their definition says.
const Sem *sem_shaped(Elab *e, const Sem *sem, const SizeShape *shape, const Env *env) {
  if (shape->parts.len == 0) return sem;
  if (shape->size) {
    Atom size = read_size(e, shape->size, env);
    return sem_array(e, sem_shaped(e, sem->elem, shape->parts.at[0], env),
                     is_blank(size) ? sem->dim : size);
  }
  return sem->tag == SEM_SUM ? sum_shaped(e, sem, shape, env) : record_shaped(e, sem, shape, env);
}
