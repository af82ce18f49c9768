// Statements inside an expression (of GNU C), as macros have them that name their operands once:
//
//   m = ({ double a = x; a > y ? a : y; });
//     ==>  { double value1; { double a = x; value1 = a > y ? a : y; } m = value1; }
//
// They move before the statement that has the expression: C leaves the order of operands open.
// Where they need not be executed, or come after something else, there is no place before: after
// `?`, `&&`, `||` and a comma, in heads of loops, and after the first variable of a declaration.
#include "local.h"

// value1, value2, ..: a name that is nowhere in the file.
static Name name_unused(C *c) {
  for (int n = 1;; n++) {
    const char *text = arena_printf(c->arena, "value%d", n);
    bool used = false;
    for (int i = 0; i < c->tokens.len && !used; i++)
      used = c->tokens.at[i].tag == TOK_NAME && strcmp(c->tokens.at[i].text, text) == 0;
    Name name = name_of(c->names, text);
    if (!used && !scope_find(c, name)) return name;
  }
}

static const CExpr *nothing(C *c, Span at) {
  CExpr *e = expr_new(c, CE_CAST, at, &ctype_void);
  e->x = cbuild_int(c->arena, 0);
  return e;
}

static const CStmt *last_of(const CStmt *b) {
  return b->stmts.len ? b->stmts.at[b->stmts.len - 1] : NULL;
}

// The block whose last statement is the value of b.
static CStmt *end_of(CStmt *b) {
  while (last_of(b) && last_of(b)->valued) b = (CStmt *)(uintptr_t)last_of(b);
  return b;
}

// The block, which ends with `value`, assigns it to a new variable.
static const CExpr *value_named(C *c, CStmt *b, const CExpr *value) {
  Declared d = {ctype_plain(c->arena, value->type), name_unused(c), value->at};
  CVar *v = cvar_new(c, d, CSTORE_NONE);
  scope_add(c, d.name, (Symbol){.tag = SYM_VAR, .local = true, .var = v});
  CExpr *name = expr_new(c, CE_VAR, value->at, v->type);
  name->var = v;
  list_push(c->arena, c->ahead, cstmt_decl(c->arena, v));
  const CExpr *e = make_assign(c, COP_NONE, name, value);
  b->stmts.at[b->stmts.len - 1] = cstmt_expr(c->arena, e);
  return name;
}

const CExpr *statement_expression(C *c) {
  Span at = token_at(c)->at;
  if (!c->ahead)
    parse_fail_hint(c, at, "[c-gnu] A statement inside an expression is not supported here.",
                    "write the statements before, or a function");
  Ahead *ahead = c->ahead;
  CStmt *b = block(c), *end = end_of(b);
  c->ahead = ahead;
  expect_punct(c, ")");
  const CStmt *last = last_of(end);
  bool any = last && last->tag == CS_EXPR && last->x->type->tag != CTYPE_VOID;
  const CExpr *value = any ? value_named(c, end, decayed(c, last->x)) : nothing(c, at);
  list_push(c->arena, ahead, (const CStmt *)b);
  return value;
}

bool statements_alone(C *c, CStmt *s) {
  if (!at_punct(c, "(") || !is_punct(token_ahead(c, 1), "{")) return false;
  int from = c->pos;
  skip_parens(c);
  bool alone = at_punct(c, ";");
  c->pos = from;
  if (!alone) return false;
  c->pos++;
  *s = *block(c);
  s->valued = true;
  expect_punct(c, ")");
  return true;
}

// The statements that moved, then s, as one.
CStmt *with_ahead(C *c, const Ahead *ahead, CStmt *s) {
  if (!ahead->len) return s;
  CStmt *b = NEW(c->arena, CStmt);
  *b = (CStmt){.tag = CS_BLOCK, .at = s->at, .valued = true};
  for (int i = 0; i < ahead->len; i++) list_push(c->arena, &b->stmts, ahead->at[i]);
  list_push(c->arena, &b->stmts, (const CStmt *)s);
  return b;
}
