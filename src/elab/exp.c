// Note [Elaboration]
//
// The evaluator runs the checked program.  Anything known at compile time (functions, modules,
// records, constructors, types) is a value here; a scalar or an array is an atom of the core
// program, and an expression that computes one appends a statement to the current buffer.
// Functions never flow through branches, loops or arrays, so at every application the callee is
// known; recursion keeps functional arguments, so specialisation ends.  Environments are by
// name, with the scoping of the language.
#include <stdlib.h>
#include <string.h>
#include "local.h"

Atom eval_scalar(Elab *e, const Expr *exp, const Env *env) {
  return val_scalar(eval(e, exp, env));
}

Atom eval_i64(Elab *e, const Expr *exp, const Env *env) {
  return build_conv(&e->b, PRIM_I64, eval_scalar(e, exp, env));
}

static Prim prim_of(Elab *e, SType *type, const Env *env) {
  const Sem *sem = sem_of_type(e, type, env);
  return sem->tag == SEM_PRIM ? sem->prim : PRIM_I32;
}

static Val *hole_of(Elab *e, const Sem *sem) {
  Val *v = val_new(e, VAL_HOLE);
  v->hole.sem = sem;
  return v;
}

// ---- literals -------------------------------------------------------------------------------

static Val *literal_int(Elab *e, const Expr *exp, const Env *env) {
  Prim p = prim_of(e, exp->type, env);
  if (!prim_is_float(p)) return val_atom(e, atom_scalar(scalar_int(p, (int64_t)exp->int_.value)));
  double x = exp->int_.overflow ? strtod(exp->int_.text, NULL) : (double)exp->int_.value;
  return val_atom(e, atom_scalar(scalar_float(p, x)));
}

static Val *constant_array(Elab *e, Prim p, int64_t len, const Scalar *data) {
  Exp exp = {.form = FORM_CONSTANT, .constant = {{p, len, data}}};
  Type type = type_array(e->arena, type_scalar(p), atom_i64(len));
  Atom a = emit(e, "lit", type, exp);
  map_put(e->data, a.var.id, arena_copy(e->arena, &exp.constant.data, sizeof(Data)));
  return val_array(e, sem_prim(e, p), atom_list1(e, a));
}

static Val *literal_string(Elab *e, const Expr *exp) {
  size_t len = exp->string.len;
  if (len == 0) return val_zero(e, sem_array(e, sem_prim(e, PRIM_U8), atom_i64(0)));
  Scalar *data = NEW_ARRAY(e->arena, Scalar, len);
  for (size_t i = 0; i < len; i++)
    data[i] = scalar_int(PRIM_U8, (unsigned char)exp->string.bytes[i]);
  return constant_array(e, PRIM_U8, (int64_t)len, data);
}

static Val *literal_array(Elab *e, const Expr *exp, const Env *env) {
  SType *type = stype_find(exp->type);
  Prim p = prim_of(e, type->array.elem, env);
  int len = exp->arraylit.bits.len;
  Scalar *data = NEW_ARRAY(e->arena, Scalar, len);
  for (int i = 0; i < len; i++) {
    uint64_t bits = exp->arraylit.bits.at[i];
    double x;
    memcpy(&x, &bits, sizeof x);
    data[i] = prim_is_float(p) ? scalar_float(p, x) : scalar_int(p, (int64_t)bits);
  }
  return constant_array(e, p, len, data);
}

// ---- variables ------------------------------------------------------------------------------

static TypeArgs type_args(Elab *e, const InstArgList *args, const Env *env) {
  TypeArgs out = {0};
  for (int i = 0; i < args->len; i++)
    list_push(e->arena, &out,
              (TypeArg_){.def = args->at[i].param, .type = args->at[i].type, .env = env});
  return out;
}

static Val *instantiate(Elab *e, Val *v, TypeArgs targs) {
  if (targs.len == 0 || (v->tag != VAL_FUN && v->tag != VAL_PRIM)) return v;
  Val *out = arena_copy(e->arena, v, sizeof *v);
  if (v->tag == VAL_FUN) out->fun.targs = targs;
  else out->prim.targs = targs;
  return out;
}

static Val *with_sizes(Elab *e, Val *v, const Inst *inst, const Env *env) {
  if (v->tag != VAL_FUN || inst->sizes.len == 0) return v;
  Val *out = arena_copy(e->arena, v, sizeof *v);
  out->fun.inst = inst;
  out->fun.inst_env = env;
  out->fun.inst_sizes = NULL;
  return out;
}

// A constant's statements go before all functions; its variables are in scope everywhere.
enum { DEEP = 3000 };  // constants that need one another: 8 MB of stack hold 4000
static Val *force_global(Elab *e, Lazy *lazy) {
  Elab saved = *e;
  Scope s;
  if (lazy->busy) ice("constant %s needs itself", lazy->fun->name);
  if (++e->depth > DEEP)
    diag_unsupported(e->diag, lazy->fun->body->span, "constants nested this deep");
  lazy->busy = true;
  e->callers = NULL;
  e->want = NULL;
  e->open = NULL;
  e->b.attrs = (Attrs){0};
  e->in_unsafe = false;
  scope_open(e, &s);
  e->b.stms = &e->prog->constants;
  int first = e->prog->vars.len;
  const Env *env = sizes_begin(e, lazy->env);
  Pending none = {0};
  if (lazy->fun->ret) e->want = texp_sem(e, env, lazy->fun->ret, NULL);
  Val *v = eval(e, lazy->fun->body, env);
  if (lazy->fun->ret)
    v = texp_match(e, &env, lazy->fun->ret, v, &none, "Value has size %d where its type says %d.");
  for (int id = first; id < e->prog->vars.len; id++) fact(e, (Var){(uint32_t)id})->home = 1;
  scope_close(e, &s);
  e->b = saved.b;
  e->scope = saved.scope;
  e->open = saved.open;
  e->callers = saved.callers;
  e->in_unsafe = saved.in_unsafe;
  e->depth = saved.depth;
  lazy->busy = false;
  return lazy->val = v;
}

// Polymorphic constants are evaluated where they are used, at the instance's types.
Val *lazy_force(Elab *e, Lazy *lazy, TypeArgs targs, const Inst *inst, const Env *inst_env) {
  const FunDef *fun = lazy->fun;
  const Sem *want = e->want;
  e->want = NULL;
  bool sizes = false;
  for (int i = 0; i < fun->tparams.len; i++) sizes |= fun->tparams.at[i].tag == TPARAM_SIZE;
  if (targs.len == 0 && !sizes) return lazy->val ? lazy->val : force_global(e, lazy);
  const Env *env = sizes_begin(e, lazy->env);
  for (int i = 0; i < targs.len; i++) env = env_def(e, env, targs.at[i]);
  Pending pending = pending_of(e, &fun->tparams);
  pending.inst = inst;
  pending.inst_env = inst_env;
  inst_sizes(e, &env, &pending);
  if (want && fun->ret) texp_want(e, &env, fun->ret, want, &pending);
  if (fun->ret) e->want = texp_sem(e, env, fun->ret, &pending);
  Val *v = eval(e, fun->body, env);
  if (fun->ret)
    v = texp_match(e, &env, fun->ret, v, &pending, "Value has size %d where its type says %d.");
  return v;
}

// The type arguments of an implementation from those of its specification.
static TypeArgs through(Elab *e, const Env *node, TypeArgs targs) {
  const Env *env = node->through_env;
  for (int i = 0; i < targs.len; i++) env = env_def(e, env, targs.at[i]);
  return type_args(e, &node->through->args, env);
}

// A size of an implementation in terms of the place, from one in terms of its specification.
static SizeTerm *term_through(Elab *e, const SizeTerm *t, const Inst *inst) {
  if (t->tag == SIZETERM_NAME && t->binding->tag == BIND_SIZE)
    for (int i = 0; i < inst->sizes.len; i++)
      if (inst->sizes.at[i].param->name == t->binding->name) return inst->sizes.at[i].size;
  SizeTerm *out = arena_copy(e->arena, t, sizeof *t);
  out->args.len = out->args.cap = 0;
  out->args.at = NULL;
  for (int i = 0; i < t->args.len; i++)
    list_push(e->arena, &out->args, term_through(e, t->args.at[i], inst));
  return out;
}

static const Inst *inst_through(Elab *e, const Env *node, const Inst *inst) {
  for (; node->through && inst->sizes.len; node = node->under) {
    Inst *out = arena_copy(e->arena, inst, sizeof *inst);
    const Inst *impl = node->through->inst;
    memset(&out->sizes, 0, sizeof out->sizes);
    for (int i = 0; i < impl->sizes.len; i++) {
      InstSize s = {impl->sizes.at[i].param, term_through(e, impl->sizes.at[i].size, inst)};
      list_push(e->arena, &out->sizes, s);
    }
    inst = out;
  }
  return inst;
}

static Val *node_value(Elab *e, const Env *node, TypeArgs targs, const Inst *inst,
                       const Env *inst_env) {
  while (node->through) {
    targs = through(e, node, targs);
    node = node->under;
  }
  if (node->tag == ENV_LAZY) return lazy_force(e, node->lazy, targs, inst, inst_env);
  check(node->tag == ENV_VAL);
  return instantiate(e, node->val.val, targs);
}

static Val *prim_value(Elab *e, Intrinsic id, TypeArgs targs) {
  if (intrinsic_arity(id) == 0) return intrinsic_const(e, id, targs);
  Val *v = val_new(e, VAL_PRIM);
  v->prim.id = id;
  v->prim.targs = targs;
  return v;
}

static bool is_intrinsic(const VarRef *ref) {
  const Binding *b = ref->inst ? ref->inst->binding : NULL;
  return b && (b->tag == BIND_INTRINSIC || b->tag == BIND_OPERATOR);
}

static Val *project(Elab *e, Val *v, Name field, SType *type, const Env *env) {
  if (v->tag == VAL_HOLE) {
    for (int i = 0; v->hole.sem->tag == SEM_RECORD && i < v->hole.sem->len; i++)
      if (v->hole.sem->names[i] == field) return hole_of(e, v->hole.sem->fields[i]);
    return hole_of(e, sem_of_type(e, type, env));
  }
  Val *f = val_field(v, field);
  if (!f) ice("no field %s", field);
  return f;
}

static Atom copy_global(void *state, Atom a) {
  Elab *e = state;
  bool array = a.is_var && !is_blank(a) && var_type(e->prog, a.var).rank > 0;
  return array && fact(e, a.var)->home == 1 ? build_copy(&e->b, a) : a;
}

// Nothing aliases a global of abstract type, so it may be consumed where it is used.
static Val *own_global(Elab *e, const Binding *b, Val *v) {
  bool top = b && (b->tag == BIND_TOP || b->tag == BIND_SPEC) && b->type;
  if (!top || v->tag == VAL_FUN || stype_has_array(b->type)) return v;
  return val_map(e, v, copy_global, e);
}

Val *eval_var(Elab *e, const VarRef *ref, const Env *env, SType *type) {
  const NameList *parts = &ref->name.parts;
  check(ref->inst);
  int mods = ref->inst->mods;
  TypeArgs targs = type_args(e, &ref->inst->args, env);
  Val *v;
  if (is_intrinsic(ref)) {
    v = prim_value(e, ref->inst->binding->intr, targs);
  } else {
    Name name = parts->at[mods];
    const Env *node = mods == 0 ? env_term(e, env, name)
                                : mod_term(env_module(e, env, parts->at, mods), name);
    if (!node) {
      const Binding *b = ref->inst->binding;
      if (b && b->tag == BIND_SIZE)
        diag_unsupported(e->diag, ref->name.span,
                         "size \"%s\" cannot be told from the arguments here", name);
      ice("name %s is not bound", name);
    }
    const Inst *inst = inst_through(e, node, ref->inst);
    v = with_sizes(e, node_value(e, node, targs, inst, env), inst, env);
    v = own_global(e, ref->inst->binding, v);
  }
  for (int i = mods + 1; i < parts->len; i++) v = project(e, v, parts->at[i], type, env);
  return v;
}

Val *eval_path(Elab *e, const StepList *path, int from, Val *v, const Env *env, Span span) {
  for (int i = from; i < path->len; i++) {
    const Step *step = &path->at[i];
    if (step->tag == STEP_FIELD) {
      v = project(e, v, step->field, NULL, env);
      continue;
    }
    Places places = places_eval(e, &step->index, env);
    v = array_index(e, v, &places, span);
  }
  return v;
}

// ---- operators ------------------------------------------------------------------------------

// a && b, a || b: b is evaluated only where it decides, unless evaluating it is harmless.
static Val *eval_logic(Elab *e, const Expr *exp, Atom a, const Env *env, bool is_and) {
  if (atom_is(a, is_and ? 0 : 1)) return val_atom(e, a);
  if (!a.is_var) return eval(e, exp->binop.right, env);
  Branch more = {0}, done = {0};
  scope_open(e, &more.scope);
  Atom b = eval_scalar(e, exp->binop.right, env);
  scope_close(e, &more.scope);
  at(e, exp->span);
  if (stms_are_cheap(e, &more.scope.stms)) {
    for (int i = 0; i < more.scope.stms.len; i++) build_stm(&e->b, more.scope.stms.at[i]);
    return val_atom(e, build_op(&e->b, is_and ? OP_AND : OP_OR, a, b));
  }
  more.val = val_atom(e, b);
  scope_open(e, &done.scope);
  scope_close(e, &done.scope);
  done.val = val_atom(e, atom_bool(!is_and));
  return is_and ? emit_if(e, a, &more, &done) : emit_if(e, a, &done, &more);
}

// The operator of `exp` applied to the value of its left operand.
static Val *eval_operator(Elab *e, const Expr *exp, Val *a, const Env *env) {
  const VarRef *op = &exp->binop.op;
  if (is_intrinsic(op) && op->inst->binding->tag == BIND_OPERATOR) {
    Intrinsic id = op->inst->binding->intr;
    if (id == INTR_LOGAND || id == INTR_LOGOR)
      return eval_logic(e, exp, val_scalar(a), env, id == INTR_LOGAND);
    Val *b = eval(e, exp->binop.right, env);
    at(e, exp->span);
    if (a->tag == VAL_ATOM && b->tag == VAL_ATOM && id != INTR_NE)
      return val_atom(e, scalar_op(e, id, a->atom, b->atom));
    return apply2(e, prim_value(e, id, (TypeArgs){0}), a, b);
  }
  Val *b = eval(e, exp->binop.right, env);
  Val *f = eval_var(e, op, env, NULL);
  at(e, exp->span);
  return apply2(e, f, a, b);
}

// Chains of operators nest to the left: they are walked without recursion.
static Val *eval_binop(Elab *e, const Expr *exp, const Env *env) {
  LIST(const Expr *) chain = {0};
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left) list_push(e->arena, &chain, exp);
  Val *v = eval(e, exp, env);
  while (chain.len > 0) {
    v = eval_operator(e, chain.at[--chain.len], v, env);
    if (e->program->witnesses) sizes_see(e, env, chain.at[chain.len], v);
  }
  return v;
}

static Val *eval_section(Elab *e, const Expr *exp, const Env *env) {
  Val *f = eval_var(e, &exp->section.op, env, NULL);
  Val *a = eval(e, exp->section.arg, env);
  at(e, exp->span);
  if (exp->tag == EXP_SECTION_LEFT) return apply1(e, f, a);
  Val *v = val_new(e, VAL_FLIP);
  v->flip.fn = f;
  v->flip.arg = a;
  return v;
}

// ---- application ----------------------------------------------------------------------------

static bool wants_sizes(const Val *f) {
  if (f->tag != VAL_FUN || !f->fun.code->tparams || !f->fun.code->ret) return false;
  for (int i = 0; i < f->fun.code->tparams->len; i++)
    if (f->fun.code->tparams->at[i].tag == TPARAM_SIZE) return true;
  return false;
}

static Val *eval_apply(Elab *e, const Expr *exp, const Env *env, const Sem *want) {
  const ExprList *list = &exp->apply.args;
  Vals args = {0};
  for (int i = 0; i < list->len; i++) list_push(e->arena, &args, NULL);
  for (int i = list->len - 1; i >= 0; i--) args.at[i] = eval(e, list->at[i], env);
  Val *f = eval(e, exp->apply.fn, env);
  at(e, exp->span);
  if (f->tag == VAL_HOLE) {
    emit_assert(e, atom_bool(false), "Reached hole of functional type.", (Atoms){0});
    return hole_of(e, sem_of_type(e, exp->type, env));
  }
  if (!want && wants_sizes(f)) want = sem_of_type(e, exp->type, env);
  e->want = want;
  Val *v = apply(e, f, args);
  e->want = NULL;
  return v;
}

// ---- data -----------------------------------------------------------------------------------

static Val *eval_tuple(Elab *e, const Expr *exp, const Env *env) {
  int len = exp->tuple.elems.len;
  Val **vals = NEW_ARRAY(e->arena, Val *, len);
  for (int i = 0; i < len; i++) vals[i] = eval(e, exp->tuple.elems.at[i], env);
  return val_tuple(e, len, vals);
}

typedef struct {
  Name name;
  Val *val;
} NamedVal;

static int by_name(const void *a, const void *b) {
  return name_less(((const NamedVal *)a)->name, ((const NamedVal *)b)->name) ? -1 : 1;
}

// Evaluated in the order they are written in, kept in the order of their names.
static Val *eval_record(Elab *e, const Expr *exp, const Env *env) {
  int len = exp->record.fields.len;
  Name *names = NEW_ARRAY(e->arena, Name, len);
  Val **vals = NEW_ARRAY(e->arena, Val *, len);
  NamedVal *fields = NEW_ARRAY(e->arena, NamedVal, len);
  for (int i = 0; i < len; i++) {
    const FieldExpr *f = &exp->record.fields.at[i];
    fields[i] = (NamedVal){f->name, eval(e, f->value, env)};
  }
  if (len > 1) qsort(fields, (size_t)len, sizeof *fields, by_name);
  for (int i = 0; i < len; i++) names[i] = fields[i].name, vals[i] = fields[i].val;
  return val_record(e, len, names, vals);
}

static Val *eval_array(Elab *e, const Expr *exp, const Env *env) {
  Vals rows = {0};
  for (int i = 0; i < exp->array.elems.len; i++)
    list_push(e->arena, &rows, eval(e, exp->array.elems.at[i], env));
  at(e, exp->span);
  if (rows.len > 0) return array_literal(e, rows, NULL);
  const Sem *elem = sem_of_type(e, exp->type, env)->elem;
  const SizeShape *shape = empty_shape(e, exp);
  return array_literal(e, rows, shape ? sem_shaped(e, elem, shape, env) : elem);
}

static Val *eval_constr(Elab *e, const Expr *exp, const Env *env) {
  const Sem *sum = sem_of_type(e, exp->type, env);
  check(sum->tag == SEM_SUM);
  int len = exp->constr.args.len, index = 0;
  while (index < sum->len && sum->cons[index].name != exp->constr.name) index++;
  check(index < sum->len && sum->cons[index].len == len);
  Val **args = NEW_ARRAY(e->arena, Val *, len);
  for (int i = 0; i < len; i++) args[i] = eval(e, exp->constr.args.at[i], env);
  return val_con(e, sum, index, args);
}

static Val *eval_hole(Elab *e, const Expr *exp, const Env *env, const Sem *want) {
  const Sem *sem = want ? want : sem_of_type(e, exp->type, env);
  if (sem->tag == SEM_FUN) return hole_of(e, sem);
  Text text = {0};
  text_puts(&text, "Reached hole of type: ");
  stype_print(&text, exp->type);
  emit_assert(e, atom_bool(false), arena_strdup(e->arena, text.at), (Atoms){0});
  text_free(&text);
  return hole_of(e, sem);
}

static Val *eval_update(Elab *e, const Expr *exp, const Env *env) {
  PlacePath path = path_eval(e, &exp->update.path, env);
  Val *value = eval(e, exp->update.value, env);
  Val *src = eval(e, exp->update.src, env);
  at(e, exp->span);
  return path_update(e, &path, 0, src, value, exp->span);
}

// ---- control --------------------------------------------------------------------------------

static Val *eval_if(Elab *e, const Expr *exp, const Env *env, const Sem *want) {
  Atom cond = eval_scalar(e, exp->if_.cond, env);
  e->want = want;
  if (!cond.is_var) return eval(e, atom_is(cond, 1) ? exp->if_.yes : exp->if_.no, env);
  Branch yes = {0}, no = {0};
  scope_open(e, &yes.scope);
  yes.val = eval(e, exp->if_.yes, env);
  scope_close(e, &yes.scope);
  e->want = want;
  scope_open(e, &no.scope);
  no.val = eval(e, exp->if_.no, env);
  scope_close(e, &no.scope);
  at(e, exp->span);
  return emit_if(e, cond, &yes, &no);
}

static Val *eval_assert(Elab *e, const Expr *exp, const Env *env, const Sem *want) {
  Atom cond = eval_scalar(e, exp->assert.cond, env);
  Text text = {0};
  text_puts(&text, "Assertion is false: ");
  exp_print(&text, exp->assert.cond);
  at(e, exp->span);
  Text escaped = {0};
  for (size_t i = 0; i < text.len; i++) {
    if (text.at[i] == '%') text_putc(&escaped, '%');
    text_putc(&escaped, text.at[i]);
  }
  Var test = assert_begin(e, cond, arena_strdup(e->arena, escaped.at));
  text_free(&text);
  text_free(&escaped);
  e->want = want;
  Val *v = eval(e, exp->assert.body, env);
  return test.id ? assert_end(e, test, v) : v;
}

static Val *function_value(Elab *e, const Code *code, const Env *env) {
  Val *v = val_new(e, VAL_FUN);
  v->fun.code = code;
  v->fun.env = env;
  return v;
}

static const Env *bind_let(Elab *e, const Expr *exp, const Env *env) {
  Val *v = eval(e, exp->let.value, env);
  Pending pending = pending_of(e, &exp->let.sizes);
  return pat_bind(e, env, exp->let.pat, v, &pending);
}

static const Env *bind_letfun(Elab *e, const Expr *exp, const Env *env) {
  const FunDef *fun = exp->letfun.fun;
  Val *v = function_value(e, code_of_fun(e, fun, NULL), env);
  return env_val(e, env, fun->name, fun->info ? fun->info->binding : NULL, v);
}

static Val *eval_ascribe(Elab *e, const Expr *exp, const Env *env) {
  const TypeExp *type = exp->ascribe.type;
  e->want = texp_sem(e, env, type, NULL);
  Val *v = eval(e, exp->ascribe.src, env);
  at(e, exp->span);
  const char *message =
      exp->tag == EXP_COERCE ? NULL : "Value has size %d where its type says %d.";
  return texp_match(e, &env, type, v, NULL, message);
}

static Val *eval_localopen(Elab *e, const Expr *exp, const Env *env) {
  const NameList *parts = &exp->localopen.mod.name.parts;
  Env *inner = (Env *)env_new(e, env, ENV_OPEN, NULL);
  inner->mod = env_module(e, env, parts->at, parts->len);
  return eval(e, exp->localopen.body, inner);
}

static Val *eval_one(Elab *e, const Expr *exp, const Env *env, const Sem *want) {
  switch (exp->tag) {
  case EXP_INT: return literal_int(e, exp, env);
  case EXP_FLOAT:
    return val_atom(e, atom_scalar(scalar_float(prim_of(e, exp->type, env),
                                                strtod(exp->float_.text, NULL))));
  case EXP_CHAR:
    return val_atom(e, atom_number(prim_of(e, exp->type, env), (double)exp->char_.code));
  case EXP_STRING: return literal_string(e, exp);
  case EXP_BOOL: return val_atom(e, atom_bool(exp->bool_.value));
  case EXP_HOLE: return at(e, exp->span), eval_hole(e, exp, env, want);
  case EXP_VAR: return e->want = want, eval_var(e, &exp->var, env, exp->type);
  case EXP_TUPLE: return eval_tuple(e, exp, env);
  case EXP_RECORD: return eval_record(e, exp, env);
  case EXP_ARRAY: return eval_array(e, exp, env);
  case EXP_ARRAYLIT: return at(e, exp->span), literal_array(e, exp, env);
  case EXP_RANGE: return array_range(e, exp, env);
  case EXP_CONSTR: return eval_constr(e, exp, env);
  case EXP_APPLY: return eval_apply(e, exp, env, want);
  case EXP_PROJECT:
    return project(e, eval(e, exp->project.src, env), exp->project.field, exp->type, env);
  case EXP_INDEX: {
    Val *src = eval(e, exp->index.src, env);
    Places places = places_eval(e, &exp->index.index, env);
    return array_index(e, src, &places, exp->span);
  }
  case EXP_NEG:
  case EXP_NOT: {
    Atom a = eval_scalar(e, exp->neg.arg, env);
    at(e, exp->span);
    return val_atom(e, build_op1(&e->b, exp->tag == EXP_NEG ? OP_NEG : OP_NOT, a));
  }
  case EXP_BINOP: return eval_binop(e, exp, env);
  case EXP_SECTION_LEFT:
  case EXP_SECTION_RIGHT: return eval_section(e, exp, env);
  case EXP_SECTION_PATH: {
    Val *v = val_new(e, VAL_PATH);
    v->path.path = &exp->section_path.path;
    v->path.env = env;
    v->path.span = exp->span;
    return v;
  }
  case EXP_UPDATE: return eval_update(e, exp, env);
  case EXP_IF: return eval_if(e, exp, env, want);
  case EXP_MATCH: return e->want = want, match_eval(e, exp, env);
  case EXP_LOOP: return loop_eval(e, exp, env);
  case EXP_LAMBDA: return function_value(e, code_of_lambda(e, exp), env);
  case EXP_ASSERT: return eval_assert(e, exp, env, want);
  case EXP_ASCRIBE:
  case EXP_COERCE: return eval_ascribe(e, exp, env);
  case EXP_ATTR: return e->want = want, attr_eval(e, exp, env);
  case EXP_LOCALOPEN: return e->want = want, eval_localopen(e, exp, env);
  case EXP_LET:
  case EXP_LETFUN: break;
  }
  ice("expression tag %d", exp->tag);
}

// Chains of bindings are walked, not nested.
Val *eval(Elab *e, const Expr *exp, const Env *env) {
  const Expr *whole = exp;
  const Sem *want = e->want;
  e->want = NULL;
  while (exp->tag == EXP_LET || exp->tag == EXP_LETFUN) {
    env = exp->tag == EXP_LET ? bind_let(e, exp, env) : bind_letfun(e, exp, env);
    exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body;
  }
  Val *v = eval_one(e, exp, env, want);
  if (e->program->witnesses) sizes_see(e, env, whole, v);
  return v;
}
