// Typed expressions from their parts: the typing rules of C's operators.
#include "local.h"

static _Noreturn void operands_wrong(C *c, COp op, Span at) {
  parse_fail(c, at, "[c-type] The operands of `%s` have types that do not go together.",
             cop_text(op));
}

const CExpr *make_unary(C *c, COp op, const CExpr *x, Span at) {
  CExpr *e = expr_new(c, CE_UNARY, at, NULL);
  e->op = op;
  if (op == COP_ADDRESS) {
    if (x->type->tag == CTYPE_FUNCTION) return decayed(c, x);
    if (!cexpr_is_lvalue(x)) parse_fail(c, at, "[c-type] This has no address.");
    const CExpr *root = x;
    while (root->tag == CE_MEMBER && !root->arrow) root = root->x;
    if (root->tag == CE_VAR) ((CVar *)(uintptr_t)root->var)->addressed = true;
    e->x = x;
    e->type = ctype_pointer(c->arena, x->type);
    return e;
  }
  x = decayed(c, x);
  if (op == COP_DEREF) {
    if (x->type->tag != CTYPE_POINTER || x->type->base->tag == CTYPE_VOID)
      parse_fail(c, at, "[c-type] `*` needs a pointer to something.");
    if (x->type->base->tag == CTYPE_FUNCTION) return x;
    e->type = x->type->base;
  } else if (op == COP_NOT) {
    if (!ctype_is_scalar(x->type)) operands_wrong(c, op, at);
    e->type = &ctype_int;
  } else {
    if (!ctype_is_arithmetic(x->type) || (op == COP_COMPL && !ctype_is_integer(x->type)))
      operands_wrong(c, op, at);
    e->type = promoted(x->type);
    x = convert_to(c, x, e->type);
  }
  e->x = x;
  return e;
}

static const CType *pointer_result(const CExpr *x, const CExpr *y, COp op) {
  const CType *a = x->type, *b = y->type;
  bool pa = a->tag == CTYPE_POINTER, pb = b->tag == CTYPE_POINTER;
  if (op == COP_SUB && pa && pb) return &ctype_long;
  if (op == COP_SUB && pa && ctype_is_integer(b)) return a;
  if (op == COP_ADD && pa && ctype_is_integer(b)) return a;
  if (op == COP_ADD && pb && ctype_is_integer(a)) return b;
  if (cop_compares(op) && (pa || pb)) return &ctype_int;
  return NULL;
}

static bool integers_only(COp op) {
  return op == COP_REM || op == COP_SHL || op == COP_SHR || op == COP_AND || op == COP_OR ||
         op == COP_XOR;
}

static void convert_both(C *c, COp op, const CExpr **x, const CExpr **y, CExpr *e) {
  if (op == COP_SHL || op == COP_SHR) {
    e->type = promoted((*x)->type);
    *x = convert_to(c, *x, e->type);
    *y = convert_to(c, *y, promoted((*y)->type));
    return;
  }
  const CType *common = arithmetic_common(c, (*x)->type, (*y)->type);
  *x = convert_to(c, *x, common);
  *y = convert_to(c, *y, common);
  e->type = cop_compares(op) ? &ctype_int : common;
}

const CExpr *make_binary(C *c, COp op, const CExpr *x, const CExpr *y) {
  x = decayed(c, x);
  y = decayed(c, y);
  CExpr *e = expr_new(c, CE_BINARY, span_join(x->at, y->at), NULL);
  e->op = op;
  if (op == COP_ANDAND || op == COP_OROR) {
    if (!ctype_is_scalar(x->type) || !ctype_is_scalar(y->type)) operands_wrong(c, op, e->at);
    e->type = &ctype_int;
  } else if (ctype_is_arithmetic(x->type) && ctype_is_arithmetic(y->type)) {
    if (integers_only(op) && !(ctype_is_integer(x->type) && ctype_is_integer(y->type)))
      operands_wrong(c, op, e->at);
    convert_both(c, op, &x, &y, e);
  } else {
    e->type = pointer_result(x, y, op);
    if (!e->type) operands_wrong(c, op, e->at);
  }
  e->x = x;
  e->y = y;
  return e;
}

const CExpr *make_assign(C *c, COp op, const CExpr *x, const CExpr *y) {
  if (!cexpr_is_lvalue(x) || x->type->tag == CTYPE_ARRAY)
    parse_fail(c, x->at, "[c-type] This cannot be assigned to.");
  if (x->type->quals & CQ_CONST) parse_fail(c, x->at, "[c-type] This is constant.");
  mark_assigned(x);
  CExpr *e = expr_new(c, CE_ASSIGN, span_join(x->at, y->at), ctype_plain(c->arena, x->type));
  e->op = op;
  e->x = x;
  if (op == COP_NONE) {
    e->y = convert_assigned(c, y, x->type);
    return e;
  }
  const CExpr *whole = make_binary(c, op, x, y);
  if (x->type->tag == CTYPE_POINTER && whole->type->tag != CTYPE_POINTER)
    operands_wrong(c, op, e->at);
  e->y = decayed(c, y);
  return e;
}

const CExpr *make_index(C *c, const CExpr *x, const CExpr *y, Span at) {
  x = decayed(c, x);
  y = decayed(c, y);
  if (ctype_is_integer(x->type) && y->type->tag == CTYPE_POINTER) {
    const CExpr *swap = x;
    x = y;
    y = swap;
  }
  if (x->type->tag != CTYPE_POINTER || !ctype_is_integer(y->type) ||
      ctype_size(x->type->base) == 0 || x->type->base->tag == CTYPE_VOID)
    parse_fail(c, at,
        "[c-type] Only pointers and arrays have elements, and these integer numbers.");
  CExpr *e = expr_new(c, CE_INDEX, at, x->type->base);
  e->x = x;
  e->y = y;
  return e;
}

const CExpr *make_member(C *c, const CExpr *x, bool arrow, Name name, Span at) {
  const CType *record = x->type;
  if (arrow) {
    x = decayed(c, x);
    record = x->type->tag == CTYPE_POINTER ? x->type->base : x->type;
    if (x->type->tag != CTYPE_POINTER) parse_fail(c, at, "[c-type] `->` needs a pointer.");
  }
  const CField *f = ctype_field(record, name);
  if (!f) parse_fail(c, at, "[c-type] There is no member `%.80s` here.", name);
  CExpr *e = expr_new(c, CE_MEMBER, at,
                      ctype_qualified(c->arena, f->type,
                          f->type->quals | (record->quals & CQ_CONST)));
  e->x = x;
  e->arrow = arrow;
  e->field = f;
  return e;
}

static const CExpr *argument(C *c, const CType *type, const CExpr *arg, int i) {
  if (i < type->params.len) return convert_assigned(c, arg, type->params.at[i]->type);
  arg = decayed(c, arg);
  if (arg->type->tag == CTYPE_FLOAT) return convert_to(c, arg, &ctype_double);
  return ctype_is_integer(arg->type) ? convert_to(c, arg, promoted(arg->type)) : arg;
}

const CExpr *make_call(C *c, const CExpr *callee, const CExpr *const *args, int n, Span at) {
  const CType *type = callee->type;
  if (type->tag == CTYPE_POINTER) type = type->base;
  if (type->tag != CTYPE_FUNCTION) parse_fail(c, at, "[c-type] This is no function.");
  bool counted = type->unprototyped || n == type->params.len ||
                 (type->variadic && n > type->params.len);
  if (!counted)
    parse_fail(c, at, "[c-type] %d arguments, where the function has %d parameters.", n,
               type->params.len);
  const CExpr **converted = NEW_ARRAY(c->arena, const CExpr *, n + 1);
  for (int i = 0; i < n; i++) converted[i] = argument(c, type, args[i], i);
  CExpr *e = expr_new(c, CE_CALL, at, ctype_plain(c->arena, type->base));
  e->x = callee;
  e->args = converted;
  e->nargs = n;
  return e;
}
