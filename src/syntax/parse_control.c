// Forms with keywords.  Forms that end in an expression reaching as far right as it can (let, if,
// lambda, assert, attribute) are chained in a loop, so long chains need no stack.
#include "local.h"

bool at_tail_form(TokTag tag) {
  return tag == TOK_LET || tag == TOK_IF || tag == TOK_ASSERT || tag == TOK_ATTR ||
         tag == TOK_LAMBDA;
}

bool is_tail_form(ExprTag tag) {
  return tag == EXP_LET || tag == EXP_LETFUN || tag == EXP_IF || tag == EXP_ASSERT ||
         tag == EXP_ATTR || tag == EXP_LAMBDA || tag == EXP_LOOP || tag == EXP_MATCH;
}

// The last operand of a tail form.
static Expr **tail_of(Expr *exp) {
  if (exp->tag == EXP_LET) return &exp->let.body;
  if (exp->tag == EXP_LETFUN) return &exp->letfun.body;
  if (exp->tag == EXP_IF) return &exp->if_.no;
  if (exp->tag == EXP_ASSERT) return &exp->assert.body;
  if (exp->tag == EXP_ATTR) return &exp->attr.body;
  return &exp->lambda.body;
}

// body = "in" exp | letexp
static void parse_in(Parser *p, Span let) {
  TokTag tag = tok(p);
  if (tag == TOK_LET || accept(p, TOK_IN)) return;
  size_t len;
  const char *s = tok_text(p, &len);
  if (tag == TOK_DEF || tag == TOK_TYPE || tag == TOK_MODULE || tag == TOK_ENTRY ||
      tag == TOK_LOCAL || tag == TOK_OPEN || tag == TOK_IMPORT) {
    diag_error(p->diag, tok_span(p), "[missing-in] Unexpected \"%.*s\": is an 'in' missing "
                                       "before it?",
               (int)len, s);
    hint_habit(p, "'in'");
    parse_leave(p);
  }
  unexpected_within(p, "'in'", let, "This 'let' has no 'in'.");
}

// "let" ID ltparam* param+ [":" type] "=" exp
static Expr *parse_letfun(Parser *p, Span from) {
  Expr *exp = exp_new(p, EXP_LETFUN, from);
  FunDef *fun = NEW(p->arena, FunDef);
  exp->letfun.fun = fun;
  fun->name = expect_id(p, &fun->name_span);
  fun->tparams = parse_tparams(p);
  do list_push(p->arena, &fun->params, parse_param(p));
  while (at_param(p));
  if (accept(p, TOK_COLON)) fun->ret = parse_type(p);
  expect(p, TOK_EQUALS, "'='");
  fun->body = parse_exp(p);
  return exp;
}

// "let" ID letstep+ "=" exp means let ID = ID with steps = exp.
static Expr *parse_let_update(Parser *p, Span from) {
  Expr *exp = exp_new(p, EXP_LET, from);
  Span at;
  Name name = expect_id(p, &at);
  Expr *update = exp_new(p, EXP_UPDATE, at);
  update->update.src = parse_var_exp(p, name, at);
  update->update.path = parse_steps(p);
  expect(p, TOK_EQUALS, "'='");
  update->update.value = parse_exp(p);
  update->span = span_from(p, at);
  Pat *pat = NEW(p->arena, Pat);
  pat->tag = PAT_NAME;
  pat->span = at;
  pat->name.name = name;
  exp->let.pat = pat;
  exp->let.value = update;
  return exp;
}

// "let" ("[" ID "]")* pat "=" exp.  Which of the three forms it is, the token after the name tells:
// a tight bracket or a dot begins an update, a parameter a local function.
static Expr *parse_let(Parser *p) {
  Span from = take(p);
  if (tok(p) == TOK_ID) {
    const Token *next = &p->toks[p->at + 1];
    if (next->tag == TOK_DOT || (next->tag == TOK_LBRACK && next->tight))
      return parse_let_update(p, from);
    if (next->tag != TOK_EQUALS && next->tag != TOK_COLON) return parse_letfun(p, from);
  }
  Expr *exp = exp_new(p, EXP_LET, from);
  exp->let.sizes = parse_size_binders(p);
  exp->let.pat = parse_pat(p);
  expect(p, TOK_EQUALS, "'='");
  exp->let.value = parse_exp(p);
  return exp;
}

static Expr *parse_if(Parser *p) {
  Expr *exp = exp_new(p, EXP_IF, take(p));
  exp->if_.cond = parse_exp(p);
  expect(p, TOK_THEN, "'then'");
  exp->if_.yes = parse_exp(p);
  if (!accept(p, TOK_ELSE))
    unexpected_within(p, "'else'", exp->span, "This 'if' has no 'else'.");
  return exp;
}

static Expr *parse_assert(Parser *p) {
  Expr *exp = exp_new(p, EXP_ASSERT, take(p));
  exp->assert.cond = parse_atom(p);
  return exp;
}

static Expr *parse_attr_exp(Parser *p) {
  Expr *exp = exp_new(p, EXP_ATTR, tok_span(p));
  exp->attr.attr = parse_attr(p);
  return exp;
}

// lambda = "\" param+ [":" tterm] "->" exp
static Expr *parse_lambda_head(Parser *p) {
  Expr *exp = exp_new(p, EXP_LAMBDA, take(p));
  do list_push(p->arena, &exp->lambda.params, parse_param(p));
  while (at_param(p));
  if (accept(p, TOK_COLON)) exp->lambda.ret = parse_type_term(p);
  expect(p, TOK_ARROW, "'->'");
  return exp;
}

static Expr *parse_tail_head(Parser *p, TokTag tag) {
  if (tag == TOK_IF) return parse_if(p);
  if (tag == TOK_ASSERT) return parse_assert(p);
  if (tag == TOK_ATTR) return parse_attr_exp(p);
  if (tag == TOK_LAMBDA) return parse_lambda_head(p);
  Span let = tok_span(p);
  Expr *exp = parse_let(p);
  parse_in(p, let);
  return exp;
}

// Only chains of let and of if are free (of if up to a limit); the others count as nesting.
Expr *parse_tail_form(Parser *p) {
  Expr *head = NULL, **slot = &head;
  int depth = p->depth, ifs = 0;
  for (TokTag tag = tok(p); at_tail_form(tag); tag = tok(p)) {
    if (tag != TOK_LET && tag != TOK_IF) depth_enter(p);
    if (tag == TOK_IF && ++ifs > MAX_CHAIN)
      syntax_error(p, tok_span(p), "[nesting] Too many branches in one go.");
    *slot = parse_tail_head(p, tag);
    slot = tail_of(*slot);
  }
  *slot = parse_exp(p);
  p->depth = depth;
  for (Expr *exp = head; exp != *slot; exp = *tail_of(exp)) exp->span = span_from(p, exp->span);
  return head;
}

Expr *parse_lambda(Parser *p) { return parse_tail_form(p); }

// loopform = "for" ID "<" exp | "for" pat "in" exp | "while" exp
static void parse_loop_form(Parser *p, Expr *loop) {
  if (accept(p, TOK_WHILE)) {
    loop->loop.tag = LOOP_WHILE;
    loop->loop.arg = parse_exp(p);
    return;
  }
  expect(p, TOK_FOR, "'for' or 'while'");
  loop->loop.index = parse_pat(p);
  if (loop->loop.index->tag == PAT_NAME && tok_is(p, 0, '<')) {
    take(p);
    loop->loop.tag = LOOP_FOR;
  } else {
    expect(p, TOK_IN, "'in'");
    loop->loop.tag = LOOP_IN;
  }
  loop->loop.arg = parse_exp(p);
}

// "loop" pat ["=" exp] loopform "do" exp
Expr *parse_loop(Parser *p) {
  Expr *exp = exp_new(p, EXP_LOOP, take(p));
  depth_enter(p);
  exp->loop.pat = parse_pat(p);
  exp->loop.implicit = !accept(p, TOK_EQUALS);
  exp->loop.init = exp->loop.implicit ? pat_to_exp(p, exp->loop.pat) : parse_exp(p);
  parse_loop_form(p, exp);
  expect(p, TOK_DO, "'do'");
  exp->loop.body = parse_exp(p);
  depth_leave(p);
  exp->span = span_from(p, exp->span);
  return exp;
}

// "match" exp ("case" pat "->" exp)+
Expr *parse_match(Parser *p) {
  Expr *exp = exp_new(p, EXP_MATCH, take(p));
  depth_enter(p);
  exp->match.src = parse_exp(p);
  if (tok(p) != TOK_CASE) unexpected(p, "'case'");
  while (tok(p) == TOK_CASE) {
    if (exp->match.cases.len >= MAX_CHAIN)
      syntax_error(p, tok_span(p), "[nesting] Too many branches in one go.");
    MatchCase one = {.span = take(p)};
    one.pat = parse_pat(p);
    expect(p, TOK_ARROW, "'->'");
    one.body = parse_exp(p);
    one.span = span_from(p, one.span);
    list_push(p->arena, &exp->match.cases, one);
  }
  depth_leave(p);
  exp->span = span_from(p, exp->span);
  return exp;
}
