// Application: functions, operators, sections.
#include "sizes.h"

// The applied function, for messages.
typedef struct {
  const Expr *node;
  const char *name;  // NULL: not a name
} Applied;

static const char *applied_quoted(Sizing *z, const Applied *f) {
  return f->name ? arena_printf(z->c->arena, "\"%s\"", f->name) : "function";
}

// ---- existentials of instances ---------------------------------------------------------------
typedef struct {
  Sizing *z;
  const Applied *f;
  Sized *type;
  DimVarList at_value, in_param, in_result;
} PendingScan;

static void pending_push(Sizing *z, DimVarList *list, DimVar *var) {
  for (int i = 0; i < list->len; i++)
    if (list->at[i] == var) return;
  list_push(z->c->arena, list, var);
}

typedef struct {
  PendingScan *scan;
  SizedPlace at;
} PendingAt;

static void pending_var(void *env, DimVar *var) {
  const PendingAt *p = env;
  if (!dimvar_pending(var)) return;
  PendingScan *s = p->scan;
  pending_push(s->z, p->at == AT_FUNCTION_PARAM ? &s->in_param
               : p->at == AT_FUNCTION_RESULT ? &s->in_result : &s->at_value, var);
}

static void pending_see(void *env, Dim *dim, SizedPlace at) {
  PendingAt p = {env, at};
  dim_each(dim, pending_var, &p);
}

static void pending_scan(PendingScan *s) {
  s->at_value.len = s->in_param.len = s->in_result.len = 0;
  sized_each(s->type, AT_VALUE, pending_see, s);
}

typedef struct {
  Sizing *z;
  DimVarList from;
  DimList to;
} ResultSizes;
static Dim *result_var(void *env, DimVar *var) {
  const ResultSizes *r = env;
  for (int i = 0; i < r->from.len; i++)
    if (pending_same(r->from.at[i], var)) return r->to.at[i];
  return NULL;
}
static Dim *result_dim(void *env, Dim *dim) {
  return dim_map(((ResultSizes *)env)->z, dim, result_var, env);
}
static void result_put(ResultSizes *r, DimVar *from, Dim *to) {
  list_push(r->z->c->arena, &r->from, from);
  list_push(r->z->c->arena, &r->to, to);
}
static Sized *result_map(ResultSizes *r, Sized *type) {
  SizedMap m = {r->z, NULL, result_dim, r, NULL};
  return r->from.len ? sized_map(&m, type) : type;
}
// All of one occurrence and source become one size.
static bool result_has(ResultSizes *r, DimVar *var) { return result_var(r, var) != NULL; }

static const char *returned_by(Sizing *z, const Applied *f) {
  return f->name ? arena_printf(z->c->arena, "unknown size returned by \"%s\"", f->name)
                 : "unknown size returned by a function";
}

static Name pending_name(const DimVar *var) {
  const Dim *source = dim_find(var->canon->source);
  return source->tag == DIM_VAR ? source->var->name : NULL;
}

// Sizes left in function results are bound at the innermost result.
static Sized *pending_bind(PendingScan *s, Sized *t) {
  if (t->tag != TYPE_ARROW) return t;
  Sizing *z = s->z;
  Sized *copy = arena_copy(z->c->arena, t, sizeof *t);
  PendingScan inner = {.z = z, .f = s->f, .type = t->arrow.to};
  ResultSizes r = {.z = z};
  copy->arrow.exists = (DimVarList){0};
  for (int i = 0; i < t->arrow.exists.len; i++)
    list_push(z->c->arena, &copy->arrow.exists, t->arrow.exists.at[i]);
  pending_scan(&inner);
  for (int i = 0; i < inner.at_value.len; i++) {
    DimVar *var = inner.at_value.at[i];
    if (result_has(&r, var)) continue;
    DimVar *bound = dimvar_new(z, DIMVAR_NAME, pending_name(var), var->span, NULL);
    list_push(z->c->arena, &copy->arrow.exists, bound);
    result_put(&r, var, bound->dim);
  }
  copy->arrow.from = pending_bind(s, t->arrow.from);
  copy->arrow.to = pending_bind(s, result_map(&r, t->arrow.to));
  return copy;
}

static void pending_refuse(PendingScan *s, const Expr *arg) {
  report(s->z->c, arg->span, "[argument-type] Cannot apply %s to \"%s\" (invalid "
                             "type).\nExistential size would "
         "appear in function parameter of return type:\n  %s", applied_quoted(s->z, s->f),
         exp_text(s->z->c, arg), sized_text(s->z, s->type));
}

static Sized *pending_close(Sizing *z, const Applied *f, const Expr *arg, Sized *type) {
  PendingScan s = {.z = z, .f = f, .type = type};
  ResultSizes r = {.z = z};
  pending_scan(&s);
  for (int i = 0; i < s.at_value.len; i++) {
    DimVar *var = s.at_value.at[i];
    if (result_has(&r, var)) continue;
    Dim *unknown = unknown_make(z, f->node, pending_name(var), f->node->span, returned_by(z, f));
    result_put(&r, var, unknown);
    if (var->absorb->own) var->ref = unknown;
  }
  bool in_result = s.in_result.len > 0, in_param = s.in_param.len > 0;
  s.type = result_map(&r, type);
  if (in_result || in_param) s.type = pending_bind(&s, s.type);
  if (in_param) {
    pending_scan(&s);
    if (s.in_param.len) pending_refuse(&s, arg);
  }
  return s.type;
}

// ---- one argument ----------------------------------------------------------------------------
static Dim *argument_dim(Sizing *z, const Expr *arg) {
  Dim *d = dim_of_part(z, arg);
  if (d) return d;
  size_source_note(z, arg, sized_prim(z, PRIM_I64));
  return unknown_make(z, arg, NULL, arg->span,
                      arena_printf(z->c->arena, "unknown size \"%s\" with binding",
                                   exp_text(z->c, arg)));
}

// The result of a function applied to arg, with its existentials as new unknown sizes.
static Sized *result_size(Sizing *z, const Applied *f, const Sized *fn, const Expr *arg) {
  ResultSizes r = {.z = z};
  if (fn->arrow.binder && sized_mentions(fn->arrow.to, fn->arrow.binder))
    result_put(&r, fn->arrow.binder, argument_dim(z, arg));
  for (int i = 0; i < fn->arrow.exists.len; i++) {
    DimVar *e = fn->arrow.exists.at[i];
    result_put(&r, e, unknown_make(z, f->node, e->name, f->node->span, returned_by(z, f)));
  }
  return result_map(&r, fn->arrow.to);
}

static Sized *apply_one(Sizing *z, const Applied *f, Sized *fn, const Expr *arg, Sized *actual) {
  if (fn->tag != TYPE_ARROW) return sized_new(z, TYPE_ERROR);
  z->argument = true;
  bool ok = sized_unify(z, fn->arrow.from, actual);
  z->argument = false;
  if (!ok)
    sized_mismatch(z, arg->span, fn->arrow.from, actual,
                   "[argument-type] Cannot apply %s to \"%s\" (invalid type).",
                   applied_quoted(z, f), exp_text(z->c, arg));
  if (!ok && actual->tag == TYPE_ARROW && actual->arrow.exists.len > 0)
    hint_unsized(z->c, f->node, arg);
  return pending_close(z, f, arg, result_size(z, f, fn, arg));
}

// f : (x: a) -> ?[k].b    e : a
// -----------------------------
// f e : b[x := e, k := unknown]
Sized *apply_size(Sizing *z, Expr *exp) {
  Expr *fn = exp->apply.fn;
  const NameList *parts = fn->tag == EXP_VAR ? &fn->var.name.parts : NULL;
  Applied f = {exp, parts ? path_text(z->c, parts, parts->len) : NULL};
  Sized *t = exp_size(z, fn);
  for (int i = 0; i < exp->apply.args.len; i++) {
    Expr *arg = exp->apply.args.at[i];
    Sized *actual = exp_size(z, arg);
    t = apply_one(z, &f, t, arg, actual);
  }
  return t->tag == TYPE_ERROR ? sized_any(z, exp->type) : t;
}

// ---- operators -------------------------------------------------------------------------------
static bool is_scalar_op(const Expr *e) {
  const Inst *inst = e->binop.op.inst;
  if (!inst || !inst->binding || inst->binding->tag != BIND_OPERATOR) return false;
  return !inst->args.len || stype_find(inst->args.at[0].type)->tag == TYPE_PRIM;
}

static Sized *op_instance(Sizing *z, VarRef *op, Span span) {
  if (!op->inst || !op->inst->binding) return sized_new(z, TYPE_ERROR);
  Sized *t = scheme_instance(z, op->inst->binding, op->inst, span);
  type_record(z, op, t);
  return t;
}

Sized *binop_size(Sizing *z, Expr *exp) {
  LIST(Expr *) spine = {0};
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left) list_push(z->c->arena, &spine, exp);
  Sized *left = exp_size(z, exp);
  for (int i = spine.len; i-- > 0;) {
    Expr *e = spine.at[i];
    Sized *right = exp_size(z, e->binop.right);
    if (is_scalar_op(e)) {
      left = sized_any(z, e->type);
      continue;
    }
    VarRef *op = &e->binop.op;
    Applied f = {e, path_text(z->c, &op->name.parts, op->name.parts.len)};
    Sized *t = op_instance(z, op, op->name.span);
    t = apply_one(z, &f, t, e->binop.left, left);
    left = apply_one(z, &f, t, e->binop.right, right);
    if (left->tag == TYPE_ERROR) left = sized_any(z, e->type);
    if (i > 0 && map_get(z->produced, KEY(e))) size_source_note(z, e, left);
  }
  return left;
}

Sized *section_left_size(Sizing *z, Expr *exp) {
  VarRef *op = &exp->section.op;
  Applied f = {exp, path_text(z->c, &op->name.parts, op->name.parts.len)};
  Sized *t = op_instance(z, op, op->name.span);
  Sized *arg = exp_size(z, exp->section.arg);
  t = apply_one(z, &f, t, exp->section.arg, arg);
  return t->tag == TYPE_ERROR ? sized_any(z, exp->type) : t;
}

//  op : (x: a) -> (y: b) -> c    e : b
//  -----------------------------------
//  (op e) : (x: a) -> c[y := e]
Sized *section_right_size(Sizing *z, Expr *exp) {
  VarRef *op = &exp->section.op;
  Applied f = {exp, path_text(z->c, &op->name.parts, op->name.parts.len)};
  Sized *t = op_instance(z, op, op->name.span);
  Sized *arg = exp_size(z, exp->section.arg);
  if (t->tag != TYPE_ARROW || t->arrow.to->tag != TYPE_ARROW) return sized_any(z, exp->type);
  const Sized *inner = t->arrow.to;
  if (!sized_unify(z, inner->arrow.from, arg))
    sized_mismatch(z, exp->section.arg->span, inner->arrow.from, arg,
                   "[argument-type] Cannot apply \"%s\" to \"%s\" (invalid type).", f.name,
                   exp_text(z->c, exp->section.arg));
  Sized *out = arena_copy(z->c->arena, t, sizeof *t);
  out->arrow.exists = inner->arrow.exists;
  out->arrow.to = inner->arrow.to;
  if (inner->arrow.binder && sized_mentions(out->arrow.to, inner->arrow.binder))
    out->arrow.to = sized_subst(z, out->arrow.to, inner->arrow.binder,
                                argument_dim(z, exp->section.arg));
  return pending_close(z, &f, exp->section.arg, out);
}
