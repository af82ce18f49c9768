// Statements; one function for each kind.
#include "local.h"

static const CStmt *statement(C *c);

static CStmt *stmt_new(C *c, CStmtTag tag, Span at) {
  CStmt *s = NEW(c->arena, CStmt);
  s->tag = tag;
  s->at = at;
  return s;
}

static const CExpr *full_expression(C *c) {
  const CExpr *e = expression(c);
  check_sequence(c, e);
  return e;
}

static const CExpr *test_in_parens(C *c) {
  expect_punct(c, "(");
  const CExpr *e = condition(c);
  check_sequence(c, e);
  expect_punct(c, ")");
  return e;
}

static void if_statement(C *c, CStmt *s) {
  s->tag = CS_IF;
  s->x = test_in_parens(c);
  s->body = statement(c);
  if (take_keyword(c, KW_ELSE)) s->other = statement(c);
}

static const CExpr *loop_test(C *c) {
  c->ahead = NULL;
  return test_in_parens(c);
}

static const CStmt *loop_body(C *c) {
  c->loops++;
  c->switch_loops++;
  const CStmt *body = statement(c);
  c->switch_loops--;
  c->loops--;
  return body;
}

static void while_statement(C *c, CStmt *s) {
  s->tag = CS_WHILE;
  s->x = loop_test(c);
  s->body = loop_body(c);
}

static void do_statement(C *c, CStmt *s) {
  s->tag = CS_DO;
  s->body = loop_body(c);
  if (!take_keyword(c, KW_WHILE))
    parse_fail(c, token_at(c)->at, "[c-syntax] Expected `while` before `%.40s`.",
        token_at(c)->text);
  s->x = loop_test(c);
  expect_punct(c, ";");
}

static CStmt *declaration_statement(C *c) {
  CStmt *s = stmt_new(c, CS_DECL, token_at(c)->at);
  int from = c->pos;
  Specifiers sp = specifiers(c);
  s->record = sp.record;
  declaration_rest(c, sp, &s->vars);
  if (!s->record && !s->vars.len) s->tag = CS_EMPTY;  // a typedef
  s->at = span_since(c, from);
  return s;
}

static void for_statement(C *c, CStmt *s) {
  s->tag = CS_FOR;
  c->ahead = NULL;
  scope_push(c);
  expect_punct(c, "(");
  if (starts_type(c, token_at(c))) s->init = declaration_statement(c);
  else if (!take_punct(c, ";")) {
    CStmt *init = stmt_new(c, CS_EXPR, token_at(c)->at);
    init->x = full_expression(c);
    s->init = init;
    expect_punct(c, ";");
  }
  if (!at_punct(c, ";")) s->x = condition(c);
  expect_punct(c, ";");
  if (!at_punct(c, ")")) s->step = full_expression(c);
  expect_punct(c, ")");
  s->body = loop_body(c);
  scope_pop(c);
}

static void switch_statement(C *c, CStmt *s) {
  s->tag = CS_SWITCH;
  expect_punct(c, "(");
  s->x = condition(c);
  if (!ctype_is_integer(s->x->type))
    parse_fail(c, s->x->at, "[c-type] A switch is on an integer number.");
  s->x = convert_to(c, s->x, promoted(s->x->type));
  expect_punct(c, ")");
  int loops = c->switch_loops;
  c->switches++;
  c->switch_loops = 0;
  s->body = statement(c);
  c->switch_loops = loops;
  c->switches--;
}

static void label_in_switch(C *c, Span at) {
  if (!c->switches) parse_fail(c, at, "[c-syntax] A label of a switch outside of one.");
  if (c->switch_loops)
    parse_fail_hint(c, at, "[c-switch] A label of a switch inside a loop of the switch.",
                    "write the first iterations before the loop");
}

static const CStmt *labelled(C *c) {
  if (!at_punct(c, "}")) return statement(c);
  return stmt_new(c, CS_EMPTY, token_at(c)->at);
}

static void case_statement(C *c, CStmt *s) {
  int64_t value;
  label_in_switch(c, s->at);
  s->tag = CS_CASE;
  s->x = conditional(c);
  if (!cexpr_integer(s->x, &value)) parse_fail(c, s->x->at, "[c-type] This case is no constant.");
  if (at_punct(c, "...")) parse_fail(c, token_at(c)->at,
      "[c-gnu] Ranges of cases are not supported.");
  expect_punct(c, ":");
  s->body = labelled(c);
}

static void default_statement(C *c, CStmt *s) {
  label_in_switch(c, s->at);
  s->tag = CS_DEFAULT;
  expect_punct(c, ":");
  s->body = labelled(c);
}

static void jump(C *c, CStmt *s, CStmtTag tag) {
  bool inside = tag == CS_CONTINUE ? c->loops > 0 : c->loops + c->switches > 0;
  if (!inside) parse_fail(c, s->at, "[c-syntax] There is no loop around this.");
  s->tag = tag;
  expect_punct(c, ";");
}

static void return_statement(C *c, CStmt *s) {
  s->tag = CS_RETURN;
  const CType *result = c->function->type->base;
  if (!at_punct(c, ";")) s->x = full_expression(c);
  if (s->x && result->tag == CTYPE_VOID && s->x->type->tag != CTYPE_VOID)
    parse_fail(c, s->x->at, "[c-type] The function returns nothing.");
  if (!s->x && result->tag != CTYPE_VOID)
    parse_fail(c, s->at, "[c-type] The function returns a value.");
  if (s->x && result->tag != CTYPE_VOID) s->x = convert_assigned(c, s->x, result);
  expect_punct(c, ";");
}

static void goto_statement(C *c, CStmt *s) {
  s->tag = CS_GOTO;
  if (at_punct(c, "*")) parse_fail(c, token_at(c)->at, "[c-gnu] A computed goto is not supported.");
  s->label = expect_name(c, "a label");
  expect_punct(c, ";");
}

static bool omp_refused(const char *text) {
  static const char *const words[] = {"critical", "task", "atomic", "ordered", "sections",
      "barrier"};
  if (strncmp(text, "omp", 3) != 0) return false;
  for (int i = 0; i < COUNT_OF(words); i++)
    if (strstr(text, words[i])) return true;
  return false;
}

static void pragma_statement(C *c, CStmt *s) {
  s->tag = CS_PRAGMA;
  s->text = token_at(c)->text;
  if (omp_refused(s->text))
    parse_fail_hint(c, s->at, "[c-openmp] Only loops may be parallel.",
                    "write `omp parallel for` or `omp simd`, or no pragma");
  c->pos++;
}

static void labelled_statement(C *c, CStmt *s) {
  s->tag = CS_LABEL;
  s->label = expect_name(c, "a label");
  c->pos++;
  skip_attributes(c);
  s->body = labelled(c);
}

static void keyword_statement(C *c, CStmt *s) {
  Keyword k = token_at(c)->keyword;
  c->pos++;
  switch ((int)k) {
    case KW_IF: if_statement(c, s); return;
    case KW_WHILE: while_statement(c, s); return;
    case KW_DO: do_statement(c, s); return;
    case KW_FOR: for_statement(c, s); return;
    case KW_SWITCH: switch_statement(c, s); return;
    case KW_CASE: case_statement(c, s); return;
    case KW_DEFAULT: default_statement(c, s); return;
    case KW_BREAK: jump(c, s, CS_BREAK); return;
    case KW_CONTINUE: jump(c, s, CS_CONTINUE); return;
    case KW_RETURN: return_statement(c, s); return;
    case KW_GOTO: goto_statement(c, s); return;
    case KW_ASM:
      parse_fail(c, s->at, "[c-unsupported] Inline assembler cannot be differentiated.");
    default:
      parse_fail(c, s->at, "[c-syntax] `%.40s` does not begin a statement.",
                 c->tokens.at[c->pos - 1].text);
  }
}

static bool statement_keyword(const C *c) {
  Keyword k = token_at(c)->keyword;
  return k && k != KW_SIZEOF && k != KW_ALIGNOF && k != KW_GENERIC && k != KW_EXTENSION;
}

static void statement_in(C *c, CStmt *s) {
  if (token_at(c)->tag == TOK_PRAGMA) pragma_statement(c, s);
  else if (take_punct(c, ";")) s->tag = CS_EMPTY;
  else if (statement_keyword(c)) keyword_statement(c, s);
  else if (token_at(c)->tag == TOK_NAME && is_punct(token_ahead(c, 1), ":")) labelled_statement(c,
      s);
  else if (statements_alone(c, s)) expect_punct(c, ";");
  else {
    s->tag = CS_EXPR;
    s->x = full_expression(c);
    expect_punct(c, ";");
  }
}

static const CStmt *statement(C *c) {
  enter(c);
  CTexts before = comments_before(c);
  int from = c->pos;
  CStmt *s;
  if (at_punct(c, "{")) s = block(c);
  else {
    Ahead *around = c->ahead, ahead = {0};
    c->ahead = &ahead;
    s = stmt_new(c, CS_EMPTY, token_at(c)->at);
    statement_in(c, s);
    s->at = span_since(c, from);
    s = with_ahead(c, &ahead, s);
    c->ahead = around;
  }
  s->before = before;
  if (!s->after) s->after = comment_after(c);
  leave(c);
  return s;
}

// `$AD ..` in a comment is a pragma.
static void comments_to_pragmas(C *c, CStmt *b, CStmt *s) {
  CTexts kept = {0};
  for (int i = 0; i < s->before.len; i++) {
    const char *text = s->before.at[i], *word = strstr(text, "$AD ");
    if (!word) {
      list_push(c->arena, &kept, text);
      continue;
    }
    size_t len = strcspn(word + 4, "\n*");
    while (len && word[4 + len - 1] == ' ') len--;
    CStmt *p = stmt_new(c, CS_PRAGMA, s->at);
    p->inside = true;
    p->text = arena_strndup(c->arena, word + 4, len);
    list_push(c->arena, &b->stmts, p);
  }
  s->before = kept;
}

static bool begins_declaration(const C *c) {
  const Token *t = token_at(c);
  if (t->tag == TOK_NAME && is_punct(token_ahead(c, 1), ":")) return false;
  if (t->keyword == KW_EXTENSION) return starts_type(c, token_ahead(c, 1));
  return starts_type(c, t);
}

// `ahead`: statements before the declaration.
static CStmt *block_item(C *c, Ahead *ahead) {
  if (!begins_declaration(c)) return (CStmt *)(uintptr_t)statement(c);
  CTexts before = comments_before(c);
  c->ahead = ahead;
  CStmt *s = declaration_statement(c);
  s->before = before;
  s->after = comment_after(c);
  return s;
}

CStmt *block(C *c) {
  CStmt *b = stmt_new(c, CS_BLOCK, token_at(c)->at);
  expect_punct(c, "{");
  enter(c);
  scope_push(c);
  while (!at_punct(c, "}")) {
    if (token_at(c)->tag == TOK_END) parse_fail(c, token_at(c)->at, "[c-syntax] `}` is missing.");
    if (at_keyword(c, KW_ASSERT)) {
      static_assertion(c);
      continue;
    }
    Ahead ahead = {0}, *around = c->ahead;
    CStmt *s = block_item(c, &ahead);
    c->ahead = around;
    comments_to_pragmas(c, b, s);
    for (int i = 0; i < ahead.len; i++) list_push(c->arena, &b->stmts, ahead.at[i]);
    list_push(c->arena, &b->stmts, s);
  }
  CTexts last = comments_before(c);
  if (last.len) {
    Span at = token_at(c)->at;
    at.to = at.from;
    CStmt *s = stmt_new(c, CS_EMPTY, at);
    s->before = last;
    comments_to_pragmas(c, b, s);
    if (s->before.len) list_push(c->arena, &b->stmts, s);
  }
  c->pos++;
  scope_pop(c);
  leave(c);
  return b;
}
