// The tangent of a function: its statements, each active assignment preceded by its derivative.
//   (v = e)' = [t = ..;] vd = sum of (de/dx) xd;  v = e;        (g(x))' = g_d(x, xd)
#include "local.h"

static const CExpr *tangent(Derived *f, const CExpr *e);
static const CStmt *statement(Derived *f, const CStmt *s);

// ---- expressions --------------------------------------------------------------------------------
static const CExpr *tangent_product(Derived *f, const CExpr *e) {
  CDiff *d = f->d;
  const CExpr *dx = tangent(f, e->x), *dy;
  if (dx && same_expr(e->x, e->y)) {
    const CExpr *twice = mk_mul(d, cbuild_int(d->arena, 2), e->x);
    return mk_mul(d, twice, dx);
  }
  dy = tangent(f, e->y);
  return mk_add(d, mk_mul(d, dx, e->y), mk_mul(d, e->x, dy));
}

// (a / b)' = (a' - (a / b) b') / b
static const CExpr *tangent_quotient(Derived *f, const CExpr *e, const CExpr *result) {
  CDiff *d = f->d;
  const CExpr *da = tangent(f, e->x), *db = tangent(f, e->y);
  return mk_div(d, mk_sub(d, da, mk_mul(d, result, db)), e->y);
}

static const CExpr *tangent_call(Derived *f, const CExpr *e, const CExpr *result) {
  CDiff *d = f->d;
  const CExpr *sum = NULL;
  const CLibc *row = e->x->tag == CE_FUNCTION ? e->x->function->libc : NULL;
  if (!row || row->kind == LIBC_PURE) return NULL;
  for (int i = 0; i < e->nargs; i++) {
    const CExpr *dx = tangent(f, e->args[i]);
    if (dx) sum = mk_add(d, sum, mk_mul(d, partial_of(d, e, i, result), dx));
  }
  return sum;
}

// The tangent of e, whose value `result` has.
static const CExpr *tangent_of(Derived *f, const CExpr *e, const CExpr *result) {
  CDiff *d = f->d;
  switch ((int)e->tag) {
    case CE_CONVERT: case CE_CAST: return mk_convert(d, tangent(f, e->x), e->type);
    case CE_UNARY: return e->op == COP_NEG ? mk_neg(d, tangent(f, e->x)) : tangent(f, e->x);
    case CE_BINARY:
      if (e->op == COP_ADD) return mk_add(d, tangent(f, e->x), tangent(f, e->y));
      if (e->op == COP_SUB) return mk_sub(d, tangent(f, e->x), tangent(f, e->y));
      return e->op == COP_MUL ? tangent_product(f, e) : tangent_quotient(f, e, result);
    case CE_COND: return mk_cond(d, e->x, tangent(f, e->y), tangent(f, e->z));
    case CE_CALL: return tangent_call(f, e, result);
    default: return NULL;
  }
}

static const CExpr *tangent(Derived *f, const CExpr *e) {
  if (!ctype_is_float(e->type)) return NULL;
  const CExpr *was = e->tag == CE_VAR ? map_get(f->named, KEY(e->var)) : NULL;
  if (was) return tangent_of(f, was, e);
  if (cexpr_is_lvalue(e)) return is_active(f, e) ? direction_of(f, shadow_place(f, e)) : NULL;
  return tangent_of(f, e, e);
}

// ---- statements ---------------------------------------------------------------------------------
static const CExpr *zero_or(CDiff *d, const CExpr *e) {
  return e ? e : cbuild_int(d->arena, 0);
}

// The right side of an assignment with its operator.
static const CExpr *whole_value(CDiff *d, const CExpr *e) {
  return e->op ? cbuild_convert(d->arena, cbuild_binary(d->arena, e->op, e->x, e->y), e->x->type)
      : e->y;
}

// A struct without derivative is assigned: the shadow is zero, unless it has pointers.
static void record_zero(Derived *f, const CExpr *e, Stmts *out) {
  CDiff *d = f->d;
  const CExpr *x = shadow_place(f, e->x);
  for (int i = 0; i < x->type->record->fields.len; i++)
    if (x->type->record->fields.at[i].type->tag == CTYPE_POINTER)
      cflow_gap(d->p->diag, e->at,
                "[c-unsupported] A struct without derivative is assigned to one with pointers.");
  memory_cleared(d, x, out);
}

static void record_assign(Derived *f, const CExpr *e, Stmts *out) {
  CDiff *d = f->d;
  if (!cexpr_is_lvalue(e->y) || e->y->tag == CE_COMPOUND)
    refuse(d, e->at, "[c-unsupported] A struct is assigned a value that is not a variable.",
           "assign its members one by one");
  if (is_active(f, e->y)) stmts_assign(d, out, shadow_place(f, e->x), shadow_place(f, e->y));
  else record_zero(f, e, out);
  stmts_expr(d, out, e);
}

static void float_assign(Derived *f, const CExpr *e, Stmts *out) {
  CDiff *d = f->d;
  const CExpr *xd = shadow_place(f, e->x);
  if (e->op == COP_ADD || e->op == COP_SUB) {
    const CExpr *y = prepare(f, e->y, out), *dy = tangent(f, y);
    CExpr *again = arena_copy(d->arena, e, sizeof *e);
    again->y = y;
    if (dy) direction_assign(f, e->op, xd, dy, out);
    stmts_expr(d, out, again);
    return;
  }
  const CExpr *whole = whole_value(d, e), *y = prepare(f, whole, out);
  direction_assign(f, COP_NONE, xd, tangent(f, y), out);
  if (y == whole) stmts_expr(d, out, e);
  else stmts_assign(d, out, e->x, y);
}

// The derivative of an argument that is a number: the array of a variable, or a copy, as the callee
// may write the memory that the argument is read from.
static const CExpr *argument_shadow(Derived *f, const CExpr *a, Stmts *out) {
  CDiff *d = f->d;
  if (!directions_many(d)) return zero_or(d, tangent(f, a));
  bool variable = a->tag == CE_VAR && !a->var->addressed && !map_get(f->named, KEY(a->var));
  if (variable && is_active(f, a))
    return shadow_place(f, a);
  const CExpr *t = var_of(d, directions_temporary(f, a->type));
  direction_assign(f, COP_NONE, t, tangent(f, a), out);
  return t;
}

static const CExpr *call_args(Derived *f, Derived *g, const CExpr *call, Stmts *out, int more) {
  CDiff *d = f->d;
  const CExpr **args = NEW_ARRAY(d->arena, const CExpr *, 2 * call->nargs + 3 + more);
  int n = 0;
  for (int i = 0; i < call->nargs; i++) {
    const CExpr *a = call->args[i];
    bool active = derived_param_active(g, i);
    if (active && ctype_is_float(a->type)) a = prepare(f, a, out);
    args[n++] = a;
    if (!active) continue;
    if (a->type->tag == CTYPE_POINTER) args[n++] = shadow_pointer(f, a);
    else if (ctype_is_record(a->type)) args[n++] = shadow_place(f, a);
    else args[n++] = argument_shadow(f, a, out);
  }
  CExpr *r = arena_copy(d->arena, call, sizeof *call);
  r->args = args;
  r->nargs = n;
  return r;
}

static const CExpr *named_callee(CDiff *d, Derived *g) {
  CFunction *stub = NEW(d->arena, CFunction);
  *stub = *g->source;
  stub->name = g->name;
  stub->libc = NULL;
  CExpr *e = NEW(d->arena, CExpr);
  *e = (CExpr){.tag = CE_FUNCTION, .type = g->source->type, .function = stub};
  return e;
}

static void argument_add(CExpr *call, const CExpr *e) {
  if (e) ((const CExpr **)(uintptr_t)call->args)[call->nargs++] = e;
}

// nbdirs: the last argument, or the first where types of others depend on it.
static void directions_argument(Derived *f, CExpr *call) {
  CDiff *d = f->d;
  if (!directions_many(d)) return;
  const CExpr **args = (const CExpr **)(uintptr_t)call->args;
  int at = call->nargs++;
  for (; directions_any(d) && at > 0; at--) args[at] = args[at - 1];
  args[at] = var_of(d, directions_used(f));
}

// g_dv(x, xd, .., &lhs, lhsd, nbdirs)
static void number_call(Derived *f, CExpr *r, const CExpr *call, const CExpr *lhs, Stmts *out) {
  CDiff *d = f->d;
  bool same = ctype_same(lhs->type, call->type);
  const CExpr *to = lhs, *toward = shadow_place(f, lhs);
  if (!same) {
    to = var_of(d, local_new(f, "t", call->type));
    toward = var_of(d, directions_temporary(f, call->type));
  }
  argument_add(r, cbuild_unary(d->arena, COP_ADDRESS, to));
  argument_add(r, toward);
  directions_argument(f, r);
  r->type = &ctype_void;
  stmts_expr(d, out, r);
  if (same) return;
  direction_assign(f, COP_NONE, shadow_place(f, lhs),
                   mk_convert(d, direction_of(f, toward), lhs->type), out);
  stmts_assign(d, out, lhs, to);
}

// See given.c.  A value that is not active, or not used, gets temporaries.
static void given_code(Derived *f, Derived *g, const CExpr *call, const CExpr *lhs, Stmts *out) {
  CDiff *d = f->d;
  Exprs args = {0};
  for (int i = 0; i < call->nargs; i++) {
    const CExpr *a = call->args[i], *ad = NULL;
    bool number = ctype_is_float(a->type), active = derived_param_active(g, i);
    if (active && number) a = prepare(f, a, out);
    given_arg(d, &args, a);
    if (!ctype_has_derivative(g->source->params.at[i]->type)) continue;
    if (active) ad = number ? tangent(f, a) : shadow_pointer(f, a);
    given_arg(d, &args, ad);
  }
  const CType *result = call->type;
  if (!ctype_is_float(result)) {
    stmts_expr(d, out, given_tangent_call(d, g->source, &args));
    return;
  }
  const CExpr *value = lhs && ctype_same(lhs->type, result) ? lhs
      : var_of(d, local_new(f, "t", result));
  given_arg(d, &args, cbuild_unary(d->arena, COP_ADDRESS, value));
  const CExpr *r = given_tangent_call(d, g->source, &args);
  if (lhs && g->result_active)
    stmts_assign(d, out, shadow_place(f, lhs), mk_convert(d, r, lhs->type));
  else stmts_expr(d, out, r);
  if (lhs && value != lhs) stmts_assign(d, out, lhs, value);
}

// lhsd = g_d(x, xd, .., &lhs), or g_d(x, xd, ..).
static void user_call(Derived *f, Derived *g, const CExpr *call, const CExpr *lhs, Stmts *out) {
  CDiff *d = f->d;
  bool value = g->result_active;
  if (given_tangent(d, g->source)) {
    given_code(f, g, call, lhs, out);
    return;
  }
  g->used = true;
  CExpr *r = (CExpr *)(uintptr_t)call_args(f, g, call, out, 1);
  r->x = named_callee(d, g);
  if (value && directions_many(d) && ctype_is_float(call->type)) {
    number_call(f, r, call, lhs, out);
    return;
  }
  if (!value) {
    directions_argument(f, r);
    if (!lhs) stmts_expr(d, out, r);
    else stmts_assign(d, out, lhs, r);
    return;
  }
  const CExpr *to = lhs;
  bool same = lhs && ctype_same(lhs->type, call->type);
  if (!same) to = var_of(d, local_new(f, "t", call->type));
  argument_add(r, cbuild_unary(d->arena, COP_ADDRESS, to));
  directions_argument(f, r);
  r->type = shadow_type(d, call->type);
  stmts_assign(d, out, shadow_place(f, lhs), mk_convert(d, r, lhs->type));
  if (!same) stmts_assign(d, out, lhs, to);
}

static void library_call(Derived *f, const CExpr *call, Stmts *out) {
  CDiff *d = f->d;
  const CLibc *row = call->x->function->libc;
  bool memory = row && (row->kind == LIBC_COPY || row->kind == LIBC_FILL || row->kind == LIBC_FREE);
  bool special = row && (row->kind == LIBC_SPECIAL || row->kind == LIBC_INPUT);
  bool active = false;
  for (int i = 0; i < call->nargs; i++)
    if (call->args[i]->type->tag == CTYPE_POINTER &&
        cflow_pointer_active(f->flow, &f->active, call->args[i]))
      active = true;
  if (special && active)
    refuse(d, call->at, "[c-no-rule] This function of the library has no derivative here.",
           "write it with functions that have one");
  if (active && memory) {
    CExpr *r = arena_copy(d->arena, call, sizeof *call);
    const CExpr **args = NEW_ARRAY(d->arena, const CExpr *, call->nargs + 1);
    for (int i = 0; i < call->nargs; i++) args[i] = call->args[i];
    int pointers = row->kind == LIBC_COPY ? 2 : 1;
    int64_t fill;
    if (row->kind == LIBC_FILL && !(cexpr_integer(args[1], &fill) && fill == 0))
      refuse(d, call->at, "[c-punning] Numbers of floating point are filled with bytes.",
             "write a loop that assigns");
    bool to = cflow_pointer_active(f->flow, &f->active, args[0]);
    bool from = pointers < 2 || cflow_pointer_active(f->flow, &f->active, args[1]);
    if (!to) {
      stmts_expr(d, out, call);
      return;
    }
    for (int i = 0; i < pointers && from; i++) args[i] = shadow_pointer(f, args[i]);
    const CExpr *bare;
    const CType *t = shadow_led(call->args[0], &bare);
    if (!from) {
      args[0] = shadow_pointer(f, args[0]);
      args[1] = cbuild_int(d->arena, 0);
      args[2] = shadow_size_of(d, t, args[2]);
      stmts_expr(d, out, mk_call(d, "memset", &ctype_void, args, 3));
      stmts_expr(d, out, call);
      return;
    }
    if (call->nargs > 2) args[2] = shadow_size_of(d, t, args[2]);
    r->args = args;
    stmts_expr(d, out, r);
  }
  stmts_expr(d, out, call);
}

static void call_effect(Derived *f, const CExpr *call, const CExpr *lhs, Stmts *out) {
  Derived *g = derived_call(f, call, lhs);
  if (g) {
    user_call(f, g, call, lhs, out);
    return;
  }
  note_original(f->d, call->x->function);
  if (!lhs) library_call(f, call, out);
  else stmts_assign(f->d, out, lhs, call);
}

static bool pointer_assign(Derived *f, const CExpr *e, Stmts *out) {
  CDiff *d = f->d;
  if (e->x->type->tag != CTYPE_POINTER || !is_active(f, e->x)) return false;
  const CExpr *xd = shadow_place(f, e->x);
  if (e->op) stmts_expr(d, out, cbuild_assign(d->arena, e->op, xd, e->y));
  else stmts_assign(d, out, xd, shadow_pointer(f, e->y));
  stmts_expr(d, out, e);
  return true;
}

static void assign(Derived *f, const CExpr *e, Stmts *out) {
  const CExpr *call = cexpr_bare(e->y);
  bool user = call->tag == CE_CALL && e->op == COP_NONE && call->x->tag == CE_FUNCTION &&
              cprogram_body(f->d->p, call->x->function);
  if (user) {
    Derived *g = derived_call(f, call, e->x);
    if (g) user_call(f, g, call, e->x, out);
    else note_original(f->d, call->x->function);
    if (!g) stmts_expr(f->d, out, e);
    return;
  }
  if (pointer_assign(f, e, out)) return;
  bool active = is_active(f, e->x);
  if (active && ctype_is_record(e->x->type)) record_assign(f, e, out);
  else if (active && ctype_is_float(e->x->type)) float_assign(f, e, out);
  else stmts_expr(f->d, out, e);
}

static void effect(Derived *f, const CExpr *e, Stmts *out) {
  if (e->tag == CE_ASSIGN) assign(f, e, out);
  else if (e->tag == CE_STEP && is_active(f, e->x)) {
    CExpr *r = arena_copy(f->d->arena, e, sizeof *e);
    if (e->x->type->tag == CTYPE_POINTER) {
      r->x = shadow_place(f, e->x);
      stmts_expr(f->d, out, r);
    }
    stmts_expr(f->d, out, e);
  } else if (e->tag == CE_CALL) call_effect(f, e, NULL, out);
  else if (e->tag == CE_COMMA) {
    effect(f, e->x, out);
    effect(f, e->y, out);
  } else stmts_expr(f->d, out, e);
}

static const CExpr *head_list(CDiff *d, const Stmts *list) {
  const CExpr *r = list->at[0]->x;
  for (int i = 1; i < list->len; i++) {
    CExpr *comma = NEW(d->arena, CExpr);
    *comma = (CExpr){.tag = CE_COMMA, .x = r, .y = list->at[i]->x, .type = list->at[i]->x->type};
    r = comma;
  }
  return r;
}

// Effects in the head of a for: a comma expression again.
static const CExpr *head_effect(Derived *f, const CExpr *e) {
  Stmts list = {0};
  if (!e) return NULL;
  effect(f, e, &list);
  for (int i = 0; i < list.len; i++)
    if (list.at[i]->tag != CS_EXPR)
      cflow_gap(f->d->p->diag, e->at, "[c-unsupported] An active value is computed in the step of "
                "a loop, for several directions.");
  return head_list(f->d, &list);
}

// {0, {0}, ..}, which compilers take without a warning inside of other lists.
static const CExpr *zero_members(Arena *arena, const CType *t) {
  int n = t->tag == CTYPE_ARRAY ? 1 : t->record->fields.len;
  CInit *elems = NEW_ARRAY(arena, CInit, n + 1);
  for (int i = 0; i < n; i++) {
    const CType *inner = t->tag == CTYPE_ARRAY ? t->base : t->record->fields.at[i].type;
    bool deep = inner->tag == CTYPE_ARRAY || ctype_is_record(inner);
    const CExpr *value = deep ? zero_members(arena, inner) : cbuild_int(arena, 0);
    elems[i] = (CInit){i, i, value};
  }
  return cbuild_list(arena, t, elems, n);
}

// Of a struct that a list has: where nothing is active in it, all of its members are zero.
static const CExpr *shadow_record(Derived *f, const CExpr *e) {
  if (is_active(f, e)) return shadow_place(f, e);
  return zero_members(f->d->arena, shadow_type(f->d, e->type));
}

static const CExpr *shadow_list(Derived *f, const CExpr *list) {
  CDiff *d = f->d;
  CExpr *r = arena_copy(d->arena, list, sizeof *list);
  LIST(CInit) elems = {0};
  const CType *t = list->type;
  for (int i = 0; i < list->nelems; i++) {
    CInit e = list->elems[i];
    const CType *inner = t->tag == CTYPE_ARRAY ? t->base : t->record->fields.at[e.at].type;
    if (!type_has_shadow(inner)) continue;
    if (t->tag != CTYPE_ARRAY) {
      const CField *field = ctype_field(shadow_type(d, t), t->record->fields.at[e.at].name);
      e.at = e.to = field - shadow_type(d, t)->record->fields.at;
    }
    if (e.value->tag == CE_LIST) e.value = shadow_list(f, e.value);
    else if (e.value->type->tag == CTYPE_POINTER) e.value = shadow_pointer(f, e.value);
    else if (ctype_is_record(inner)) e.value = shadow_record(f, e.value);
    else e.value = zero_or(d, tangent(f, e.value));
    list_push(d->arena, &elems, e);
  }
  r->type = shadow_type(d, t);
  r->elems = elems.at;
  r->nelems = elems.len;
  return r;
}

// A member that is a struct; where nothing is active in its value it stays zero.
static void record_filled(Derived *f, const CExpr *x, const CExpr *value, Stmts *out) {
  if (is_active(f, value)) stmts_assign(f->d, out, shadow_place(f, x), shadow_place(f, value));
}

// Several directions: the derivatives of what a list has, element by element.
static void shadow_filled(Derived *f, const CExpr *place, const CExpr *list, Stmts *out) {
  CDiff *d = f->d;
  if (list->tag != CE_LIST) return;  // a string
  for (int i = 0; i < list->nelems; i++) {
    const CInit *e = &list->elems[i];
    for (int64_t at = e->at; at <= e->to; at++) {
      const CExpr *x = list->type->tag == CTYPE_ARRAY
          ? cbuild_index(d->arena, place, cbuild_int(d->arena, at))
          : cbuild_field(d->arena, place, false, &list->type->record->fields.at[at]);
      if (!type_has_shadow(x->type)) continue;
      if (e->value->tag == CE_LIST) shadow_filled(f, x, e->value, out);
      else if (x->type->tag == CTYPE_POINTER)
        stmts_assign(d, out, shadow_place(f, x), shadow_pointer(f, e->value));
      else if (ctype_is_record(x->type)) record_filled(f, x, e->value, out);
      else direction_assign(f, COP_NONE, shadow_place(f, x), tangent(f, e->value), out);
    }
  }
}

static void declare(Derived *f, const CVar *v, Stmts *out) {
  CDiff *d = f->d;
  CExpr self = {.tag = CE_VAR, .var = v, .type = v->type, .at = v->at};
  CVar *own = (CVar *)(uintptr_t)v;
  if (!may_have_shadow(v->type) || !is_active(f, &self)) {
    stmts_add(d, out, cstmt_decl(d->arena, own));
    return;
  }
  if (v->storage == CSTORE_STATIC)
    refuse(d, v->at, "[c-global] An active static variable.", "make it a parameter");
  CVar *s = shadow_var(f, v);
  const CExpr *init = v->init;
  bool list = init && (init->tag == CE_LIST || v->type->tag == CTYPE_ARRAY);
  if (list && directions_many(d)) {
    stmts_add(d, out, cstmt_decl(d->arena, s));
    stmts_add(d, out, cstmt_decl(d->arena, own));
    memory_cleared(d, var_of(d, s), out);
    shadow_filled(f, cbuild_var(d->arena, own), init, out);
    return;
  }
  if (list) {
    s->init = shadow_list(f, init);
    stmts_add(d, out, cstmt_decl(d->arena, s));
    stmts_add(d, out, cstmt_decl(d->arena, own));
    return;
  }
  stmts_add(d, out, cstmt_decl(d->arena, s));
  if (!init) {
    stmts_add(d, out, cstmt_decl(d->arena, own));
    return;
  }
  own->init = NULL;
  own->type = ctype_qualified(d->arena, v->type, v->type->quals & ~(unsigned)CQ_CONST);
  stmts_add(d, out, cstmt_decl(d->arena, own));
  assign(f, cbuild_assign(d->arena, COP_NONE, cbuild_var(d->arena, own), init), out);
}

static const CStmt *with(Derived *f, const CStmt *from, Stmts *list) {
  CDiff *d = f->d;
  CStmt *r;
  if (list->len == 1) r = arena_copy(d->arena, list->at[0], sizeof *r);
  else {
    r = arena_copy(d->arena, stmts_block(d, list), sizeof *r);
    r->flat = true;
  }
  r->before = from->before;
  r->after = from->after;
  r->at = from->at;
  return r;
}

static const CStmt *declaration(Derived *f, const CStmt *s) {
  Stmts list = {0};
  for (int i = 0; i < s->vars.len; i++) {
    Stmts one = {0};
    declare(f, s->vars.at[i], &one);
    for (int k = 0; k < one.len; k++) list_push(f->d->arena, &list, one.at[k]);
  }
  return list.len || !s->before.len ? with(f, s, &list) : s;
}

// (T_diff){0}
static const CExpr *zero_record(Derived *f, const CType *t) {
  CExpr *e = NEW(f->d->arena, CExpr);
  const CType *type = shadow_type(f->d, t);
  *e = (CExpr){.tag = CE_COMPOUND, .type = type, .x = zeros(f->d->arena, type)};
  return e;
}

static const CStmt *return_statement(Derived *f, const CStmt *s) {
  CDiff *d = f->d;
  if (!f->result_active || !s->x) return s;
  Stmts list = {0};
  const CExpr *to = cbuild_unary(d->arena, COP_DEREF, var_of(d, f->value));
  const CExpr *derivative = NULL;
  if (s->x->type->tag == CTYPE_POINTER) {
    derivative = shadow_pointer(f, s->x);
    stmts_assign(d, &list, to, s->x);
  } else if (ctype_is_record(s->x->type)) {
    derivative = is_active(f, s->x) ? shadow_place(f, s->x) : zero_record(f, s->x->type);
    stmts_assign(d, &list, to, s->x);
  } else {
    const CExpr *e = prepare(f, s->x, &list);
    if (f->value_shadow)
      direction_assign(f, COP_NONE, var_of(d, f->value_shadow), tangent(f, e), &list);
    else derivative = zero_or(d, tangent(f, e));
    stmts_assign(d, &list, to, e);
  }
  CStmt *r = arena_copy(d->arena, s, sizeof *s);
  r->x = derivative;
  r->before = (CTexts){0};
  list_push(d->arena, &list, r);
  return with(f, s, &list);
}

static const CStmt *block(Derived *f, const CStmt *s) {
  CStmt *r = arena_copy(f->d->arena, s, sizeof *s);
  r->stmts.at = NULL;
  r->stmts.len = r->stmts.cap = 0;
  for (int i = 0; i < s->stmts.len; i++) {
    const CStmt *one = statement(f, s->stmts.at[i]);
    if (one->tag == CS_EMPTY && !one->before.len && !one->after) continue;
    if (!(one->tag == CS_BLOCK && one->flat)) {
      list_push(f->d->arena, &r->stmts, one);
      continue;
    }
    for (int k = 0; k < one->stmts.len; k++) {
      CStmt *copy = arena_copy(f->d->arena, one->stmts.at[k], sizeof *copy);
      if (k == 0) copy->before = one->before;
      if (k == one->stmts.len - 1 && one->after) copy->after = one->after;
      list_push(f->d->arena, &r->stmts, copy);
    }
  }
  Stmts list = {r->stmts.at, r->stmts.len, r->stmts.cap};
  declarations_join(f->d, &list);
  r->stmts.at = list.at;
  r->stmts.len = list.len;
  return r;
}

// With what the head declares or computes before the loop.
static const CStmt *for_after(Derived *f, const CStmt *init, CStmt *loop) {
  CDiff *d = f->d;
  Stmts list = {0};
  bool flat = init->tag == CS_BLOCK && init->flat;
  for (int i = 0; flat && i < init->stmts.len; i++)
    list_push(d->arena, &list, init->stmts.at[i]);
  if (!flat) list_push(d->arena, &list, init);
  declarations_join(d, &list);
  loop->init = NULL;
  loop->before = (CTexts){0};
  list_push(d->arena, &list, loop);
  CStmt *all = arena_copy(d->arena, stmts_block(d, &list), sizeof *all);
  all->before = init->before;
  all->at = loop->at;
  return all;
}

static const CStmt *for_statement(Derived *f, const CStmt *s) {
  CDiff *d = f->d;
  CStmt *r = arena_copy(d->arena, s, sizeof *s);
  Stmts first = {0};
  bool single = true;
  if (s->init && s->init->tag == CS_EXPR) {
    effect(f, s->init->x, &first);
    for (int i = 0; i < first.len; i++) single &= first.at[i]->tag == CS_EXPR;
    if (single) r->init = cstmt_expr(d->arena, head_list(d, &first));
  }
  bool active = false;
  for (int i = 0; s->init && i < s->init->vars.len; i++) {
    CExpr e = {.tag = CE_VAR, .var = s->init->vars.at[i], .type = s->init->vars.at[i]->type};
    active |= may_have_shadow(e.type) && is_active(f, &e);
  }
  r->step = head_effect(f, s->step);
  r->body = statement(f, s->body);
  if (active) return for_after(f, statement(f, s->init), r);
  return single ? r : for_after(f, with(f, s, &first), r);
}

static const CStmt *derived(Derived *f, const CStmt *s) {
  CDiff *d = f->d;
  CStmt *r;
  Stmts list = {0};
  switch (s->tag) {
    case CS_EXPR:
      effect(f, s->x, &list);
      return with(f, s, &list);
    case CS_DECL: return declaration(f, s);
    case CS_BLOCK: return block(f, s);
    case CS_FOR: return for_statement(f, s);
    case CS_RETURN: return return_statement(f, s);
    case CS_IF: case CS_WHILE: case CS_DO: case CS_SWITCH: case CS_CASE: case CS_DEFAULT:
    case CS_LABEL:
      r = arena_copy(d->arena, s, sizeof *s);
      r->body = statement(f, s->body);
      if (s->other) r->other = statement(f, s->other);
      return r;
    case CS_EMPTY: case CS_GOTO: case CS_BREAK: case CS_CONTINUE: case CS_PRAGMA: return s;
  }
  return s;
}

static const CStmt *statement(Derived *f, const CStmt *s) {
  Span outer = f->d->at;
  f->d->at = s->at;
  const CStmt *r = derived(f, s);
  f->d->at = outer;
  return r;
}

// ---- the function -------------------------------------------------------------------------------
static CVar *parameter_new(Derived *f, CVars *params, const char *base, const CType *type) {
  CVar *v = cvar_fresh(f->simple, base, type);
  v->is_param = true;
  list_push(f->d->arena, params, v);
  return v;
}

static void signature(Derived *f) {
  CDiff *d = f->d;
  CFunction *out = f->out = NEW(d->arena, CFunction);
  CType *t = NEW(d->arena, CType);
  directions_param_first(f, &t->params);
  for (int i = 0; i < f->source->params.len; i++) {
    CVar *v = f->source->params.at[i];
    list_push(d->arena, &t->params, v);
    if (!derived_param_active(f, i)) continue;
    CVar *s = shadow_var(f, v);
    bool number = directions_many(d) && ctype_is_float(v->type);
    if (number && (v->assigned || v->addressed)) {
      list_push(d->arena, &f->extra, s);
      s = directions_copied(f, s);
    }
    list_push(d->arena, &t->params, s);
  }
  const CType *result = f->source->type->base;
  if (f->result_active && directions_any(d) && result->tag == CTYPE_POINTER)
    refuse(d, f->source->at, "[c-unsupported] A function that returns a pointer to numbers, for a "
           "number of directions that is known when it runs.",
           "say the most directions, --multi 16, or give the pointer through a parameter");
  bool array = f->result_active && directions_many(d) && ctype_is_float(result);
  *t = (CType){.tag = CTYPE_FUNCTION, .count = -1, .params = t->params,
               .base = array ? &ctype_void : f->result_active ? shadow_type(d, result) : result};
  if (f->result_active) {
    CVar *value = cvar_fresh(f->simple, f->source->name, ctype_pointer(d->arena, result));
    value->name = f->source->name;
    value->is_param = true;
    list_push(d->arena, &t->params, value);
    f->value = value;
  }
  if (array)
    f->value_shadow = parameter_new(f, &t->params,
                                    arena_printf(d->arena, "%sd", f->source->name),
                                    directions_parameter(d, ctype_plain(d->arena, result)));
  directions_param_last(f, &t->params);
  *out = (CFunction){.name = f->name, .type = t, .params = t->params, .is_static = !f->head,
                     .at = f->source->at};
}

// Jumps into the scope of an array of variable length are not C.
static bool jumps_tested(const CStmt *s, void *state) {
  CDiff *d = state;
  bool declares = s->tag == CS_GOTO;
  for (int i = 0; s->tag == CS_SWITCH && i < s->body->stmts.len; i++)
    declares |= s->body->stmts.at[i]->tag == CS_DECL;
  if (declares)
    refuse(d, s->at, "[c-unsupported] `goto`, or a declaration in a switch, for a number of "
           "directions that is known when it runs.", "say the most directions, --multi 16");
  return true;
}

typedef struct {
  Derived *f;
  const CStmt *whole;
} Dropping;

static bool dropped(const CStmt *s, const Dropping *x) {
  const CVar *v = s->tag == CS_DECL && s->vars.len == 1 ? s->vars.at[0] : NULL;
  bool shadow = false;
  for (int i = 0; v && i < map_len(x->f->shadows) && !shadow; i++)
    shadow = map_value_at(x->f->shadows, i) == v;
  return shadow && v->type->tag == CTYPE_POINTER && !stmt_mentions(x->whole, v);
}

static bool drop_in(const CStmt *s, void *state) {
  CStmt *own = (CStmt *)(uintptr_t)s;
  int kept = 0;
  for (int i = 0; s->tag == CS_BLOCK && i < s->stmts.len; i++)
    if (!dropped(s->stmts.at[i], state)) own->stmts.at[kept++] = s->stmts.at[i];
  if (s->tag == CS_BLOCK) own->stmts.len = kept;
  return true;
}

// The derivatives of pointers that are only compared.
static void unused_dropped(Derived *f, Stmts *body) {
  Dropping x = {f, stmts_block(f->d, body)};
  cstmt_visit(x.whole, drop_in, NULL, &x);
  body->len = x.whole->stmts.len;
  for (int i = 0; i < body->len; i++) body->at[i] = x.whole->stmts.at[i];
}

void tangent_make(Derived *f) {
  CDiff *d = f->d;
  if (directions_any(d)) cstmt_visit(f->source->body, jumps_tested, NULL, d);
  signature(f);
  CStmt *body = arena_copy(d->arena, statement(f, f->simple->f->body), sizeof *body);
  Stmts all = {0}, start = {0};
  directions_copy(f, &start);
  CStmt *decl = NEW(d->arena, CStmt);
  *decl = (CStmt){.tag = CS_DECL, .vars = f->extra};
  if (f->extra.len) list_push(d->arena, &all, decl);
  for (int i = 0; i < start.len; i++) list_push(d->arena, &all, start.at[i]);
  for (int i = 0; i < body->stmts.len; i++) list_push(d->arena, &all, body->stmts.at[i]);
  all = directions_fused(f, &all);
  bool ends = all.len && all.at[all.len - 1]->tag == CS_RETURN && !all.at[all.len - 1]->x;
  if (ends) all.len--;
  unused_dropped(f, &all);
  parameters_use(d, f->out, &all);
  f->out->body = stmts_block(d, &all);
}
