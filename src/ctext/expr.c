// Expressions from assignment down to unary operators; one function for each rule:
//   expression  = assignment {"," assignment}
//   assignment  = conditional | unary OP= assignment
//   conditional = binary ["?" expression ":" conditional]
//   binary      = cast {OP cast}                            (by precedence)
//   cast        = "(" type-name ")" cast | unary
//   unary       = postfix | ("++" | "--") unary | OP cast | sizeof ..
#include "local.h"

static const CExpr *cast(C *c);

static const struct {
  const char *text;
  COp op;
  int level;
} binaries[] = {
    {"*", COP_MUL, 10}, {"/", COP_DIV, 10}, {"%", COP_REM, 10}, {"+", COP_ADD, 9},
    {"-", COP_SUB, 9},  {"<<", COP_SHL, 8}, {">>", COP_SHR, 8}, {"<", COP_LT, 7},
    {">", COP_GT, 7},   {"<=", COP_LE, 7},  {">=", COP_GE, 7},  {"==", COP_EQ, 6},
    {"!=", COP_NE, 6},  {"&", COP_AND, 5},  {"^", COP_XOR, 4},  {"|", COP_OR, 3},
    {"&&", COP_ANDAND, 2}, {"||", COP_OROR, 1}};

const char *cop_text(COp op) {
  static const char *const unaries[] = {"-", "+", "!", "~", "*", "&"};
  if (op >= COP_NEG) return unaries[op - COP_NEG];
  for (int i = 0; i < COUNT_OF(binaries); i++)
    if (binaries[i].op == op) return binaries[i].text;
  return "";
}

bool cop_compares(COp op) { return op >= COP_LT && op <= COP_NE; }

// A part that is not executed first, or not always.
static const CExpr *part(C *c, const CExpr *(*read)(C *c)) {
  Ahead *ahead = c->ahead;
  c->ahead = NULL;
  const CExpr *e = read(c);
  c->ahead = ahead;
  return e;
}

const CExpr *expression(C *c) {
  const CExpr *e = assignment(c);
  while (at_punct(c, ",")) {
    c->pos++;
    const CExpr *y = decayed(c, part(c, assignment));
    CExpr *r = expr_new(c, CE_COMMA, span_join(e->at, y->at), y->type);
    r->x = e;
    r->y = y;
    e = r;
  }
  return e;
}

static COp assignment_op(const C *c, bool *found) {
  *found = true;
  if (at_punct(c, "=")) return COP_NONE;
  for (int i = 0; i < 10 + 6; i++) {
    size_t len = strlen(binaries[i].text);
    if (token_at(c)->tag == TOK_PUNCT && strncmp(token_at(c)->text, binaries[i].text, len) == 0 &&
        strcmp(token_at(c)->text + len, "=") == 0 && !cop_compares(binaries[i].op))
      return binaries[i].op;
  }
  *found = false;
  return COP_NONE;
}

const CExpr *assignment(C *c) {
  enter(c);
  const CExpr *x = conditional(c);
  bool found;
  COp op = assignment_op(c, &found);
  if (found) {
    c->pos++;
    x = make_assign(c, op, x, assignment(c));
  }
  leave(c);
  return x;
}

static bool pointer_like(const CType *t) { return t->tag == CTYPE_POINTER; }

static const CType *choice_type(C *c, const CExpr **y, const CExpr **z) {
  *y = decayed(c, *y);
  *z = decayed(c, *z);
  const CType *a = (*y)->type, *b = (*z)->type;
  if (ctype_is_arithmetic(a) && ctype_is_arithmetic(b)) return arithmetic_common(c, a, b);
  if (pointer_like(a) && pointer_like(b)) return a->base->tag == CTYPE_VOID ? b : a;
  if (pointer_like(a)) return a;
  if (pointer_like(b)) return b;
  if (a->tag == CTYPE_VOID || b->tag == CTYPE_VOID) return &ctype_void;
  if (!ctype_same(a, b)) parse_fail(c, (*z)->at, "[c-type] The two sides of `:` do not agree.");
  return a;
}

// `c ? (void)0 : __assert_fail(..)` is what assert(c) was.
static const CExpr *assertion(C *c, const CExpr *test, const CExpr *z) {
  const CExpr *call = cexpr_bare(z);
  if (call->tag != CE_CALL || call->x->tag != CE_FUNCTION) return NULL;
  const char *name = call->x->function->name;
  if (strcmp(name, "__assert_fail") != 0 && strcmp(name, "__assert") != 0) return NULL;
  CFunction *f = cunit_function(c->unit, "assert");
  if (!f) {
    f = NEW(c->arena, CFunction);
    CType *type = NEW(c->arena, CType);
    *type = (CType){.tag = CTYPE_FUNCTION, .base = &ctype_void, .unprototyped = true};
    *f = (CFunction){.name = name_of(c->names, "assert"), .type = type, .system = true,
                     .libc = libc_named("assert")};
    list_push(c->arena, &c->unit->functions, f);
  }
  CExpr *callee = expr_new(c, CE_FUNCTION, test->at, f->type);
  callee->function = f;
  CExpr *e = expr_new(c, CE_CALL, test->at, &ctype_void),
      *bare = arena_copy(c->arena, test, sizeof *test);
  bare->parens = false;
  test = bare;
  e->x = callee;
  e->args = arena_copy(c->arena, &test, sizeof test);
  e->nargs = 1;
  return e;
}

static const CExpr *scalar_needed(C *c, const CExpr *e) {
  e = decayed(c, e);
  if (!ctype_is_scalar(e->type)) parse_fail(c, e->at,
      "[c-type] A number or pointer is needed here.");
  return e;
}

const CExpr *condition(C *c) { return scalar_needed(c, expression(c)); }

static const CExpr *binary(C *c, int level) {
  const CExpr *x = cast(c);
  for (;;) {
    int row = -1;
    for (int i = 0; i < COUNT_OF(binaries); i++)
      if (at_punct(c, binaries[i].text) && binaries[i].level >= level) row = i;
    if (row < 0) return x;
    c->pos++;
    enter(c);
    Ahead *ahead = c->ahead;
    if (binaries[row].op == COP_ANDAND || binaries[row].op == COP_OROR) c->ahead = NULL;
    const CExpr *y = binary(c, binaries[row].level + 1);
    c->ahead = ahead;
    leave(c);
    x = make_binary(c, binaries[row].op, x, y);
  }
}

const CExpr *conditional(C *c) {
  const CExpr *x = binary(c, 1);
  if (!at_punct(c, "?")) return x;
  c->pos++;
  enter(c);
  x = scalar_needed(c, x);
  const CExpr *y = part(c, expression);
  expect_punct(c, ":");
  const CExpr *z = part(c, conditional);
  leave(c);
  const CExpr *was_assertion = assertion(c, x, z);
  if (was_assertion) return was_assertion;
  const CType *type = choice_type(c, &y, &z);
  CExpr *e = expr_new(c, CE_COND, span_join(x->at, z->at), type);
  e->x = x;
  e->y = type->tag == CTYPE_VOID ? y : convert_to(c, y, type);
  e->z = type->tag == CTYPE_VOID ? z : convert_to(c, z, type);
  return e;
}


static void check_cast(C *c, const CType *to, const CExpr *x) {
  bool ok = to->tag == CTYPE_VOID || (ctype_is_scalar(to) && ctype_is_scalar(x->type));
  if (to->tag == CTYPE_POINTER && ctype_is_float(x->type)) ok = false;
  if (ctype_is_float(to) && x->type->tag == CTYPE_POINTER) ok = false;
  if (!ok) parse_fail(c, x->at, "[c-type] This cannot be cast to that type.");
}

static const CExpr *cast(C *c) {
  if (take_keyword(c, KW_EXTENSION)) return cast(c);
  if (!at_punct(c, "(") || !starts_type(c, token_ahead(c, 1))) return unary(c);
  int from = c->pos++;
  const CType *type = type_name(c);
  expect_punct(c, ")");
  if (at_punct(c, "{")) {
    c->pos = from;
    return postfix(c);
  }
  enter(c);
  const CExpr *x = cast(c);
  leave(c);
  if (type->tag != CTYPE_VOID) x = decayed(c, x);
  check_cast(c, type, x);
  CExpr *e = expr_new(c, CE_CAST, span_since(c, from), type);
  e->x = x;
  return e;
}

static const CExpr *sizeof_expression(C *c, int from) {
  bool align = at_keyword(c, KW_ALIGNOF);
  Ahead *ahead = c->ahead, measured = {0};
  c->pos++;
  c->ahead = &measured;
  CExpr *e = expr_new(c, CE_SIZEOF, token_at(c)->at, &ctype_ulong);
  if (at_punct(c, "(") && starts_type(c, token_ahead(c, 1))) {
    c->pos++;
    e->measured = type_name(c);
    expect_punct(c, ")");
  } else {
    e->x = unary(c);
    e->measured = e->x->type;
  }
  e->at = span_since(c, from);
  c->ahead = ahead;
  if (measured.len) e->x = NULL;  // it names what moved
  if (ctype_size(e->measured) < 0 && !ctype_is_variable(e->measured))
    parse_fail(c, e->at, "[c-type] The size of this is not known.");
  if (!align) return e;
  CExpr *n = expr_new(c, CE_INT, e->at, &ctype_ulong);
  n->value = ctype_align(e->measured);
  return n;
}

static const CExpr *step(C *c, COp op, const CExpr *x, bool postfix_form) {
  if (!cexpr_is_lvalue(x) || !ctype_is_scalar(x->type) || x->type->quals & CQ_CONST)
    parse_fail(c, x->at, "[c-type] This cannot be counted up or down.");
  mark_assigned(x);
  CExpr *e = expr_new(c, CE_STEP, x->at, ctype_plain(c->arena, x->type));
  e->op = op;
  e->x = x;
  e->postfix = postfix_form;
  return e;
}

static COp unary_op(const C *c) {
  static const char *const texts[] = {"-", "+", "!", "~", "*", "&"};
  for (int i = 0; i < COUNT_OF(texts); i++)
    if (at_punct(c, texts[i])) return (COp)(COP_NEG + i);
  return COP_NONE;
}

const CExpr *unary(C *c) {
  int from = c->pos;
  if (at_keyword(c, KW_SIZEOF) || at_keyword(c, KW_ALIGNOF)) return sizeof_expression(c, from);
  if (at_punct(c, "&&"))
    parse_fail(c, token_at(c)->at, "[c-gnu] The address of a label cannot be taken here.");
  COp op = unary_op(c);
  bool up = at_punct(c, "++"), down = at_punct(c, "--");
  if (op == COP_NONE && !up && !down) {
    const CExpr *x = postfix(c);
    while (at_punct(c, "++") || at_punct(c, "--")) {
      x = step(c, at_punct(c, "++") ? COP_ADD : COP_SUB, x, true);
      c->pos++;
    }
    return x;
  }
  c->pos++;
  enter(c);
  const CExpr *x = up || down ? unary(c) : cast(c);
  leave(c);
  if (up || down) return step(c, up ? COP_ADD : COP_SUB, x, false);
  return make_unary(c, op, x, span_since(c, from));
}
