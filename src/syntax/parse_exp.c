// exp    = exp ":" type | exp ":>" type | exp2
// exp2   = operand (binop operand | "with" path "=" exp2)*, by levels; ranges
// operand = prefix operand | tail form | loop | match | apply
#include "local.h"

Expr *exp_new(Parser *p, ExprTag tag, Span span) {
  Expr *exp = NEW(p->arena, Expr);
  exp->tag = tag;
  exp->span = span;
  return exp;
}

Expr *parse_var_exp(Parser *p, Name name, Span at) {
  Expr *exp = exp_new(p, EXP_VAR, at);
  exp->var = var_ref(p, name, at);
  return exp;
}

static bool is_array(const Expr *exp) {
  return !exp->parens && (exp->tag == EXP_ARRAY || exp->tag == EXP_ARRAYLIT);
}

// `a[i] [j]` is nearly always meant as a[i,j].
static void reject_index_call(Parser *p, const Expr *fn, const Expr *arg) {
  if (fn->tag == EXP_INDEX && !fn->parens && is_array(arg))
    syntax_error(p, span_join(fn->span, arg->span),
                 "[index-of-literal] Array element applied to an array literal.  Did you mean "
                 "a[i,j]?");
}

// apply = atom+ [lambda] | lambda;  a constructor takes all that follows as its payload.
static Expr *parse_apply(Parser *p) {
  if (tok(p) == TOK_LAMBDA) return parse_lambda(p);
  Expr *fn = parse_atom(p);
  ExprList args = {0};
  while (at_atom(p)) list_push(p->arena, &args, parse_atom(p));
  if (tok(p) == TOK_LAMBDA) list_push(p->arena, &args, parse_lambda(p));
  if (args.len == 0) return fn;
  reject_index_call(p, fn, args.at[0]);
  if (fn->tag == EXP_CONSTR && !fn->parens) {
    fn->constr.args = args;
    fn->span = span_from(p, fn->span);
    return fn;
  }
  Expr *exp = exp_new(p, EXP_APPLY, span_from(p, fn->span));
  exp->apply.fn = fn;
  exp->apply.args = args;
  return exp;
}

static Expr *parse_operand(Parser *p);

// -x binds tighter than every infix operator and looser than application.
static Expr *parse_prefix(Parser *p, ExprTag tag) {
  Span from = take(p);
  depth_enter(p);
  Expr *arg = parse_operand(p);
  depth_leave(p);
  Expr *exp = exp_new(p, tag, span_from(p, from));
  exp->neg.arg = arg;
  return exp;
}

static Expr *parse_operand(Parser *p) {
  TokTag tag = tok(p);
  if (tag == TOK_MINUS) return parse_prefix(p, EXP_NEG);
  if (tag == TOK_BANG) return parse_prefix(p, EXP_NOT);
  if (tag == TOK_LOOP) return parse_loop(p);
  if (tag == TOK_MATCH) return parse_match(p);
  if (at_tail_form(tag)) return parse_tail_form(p);
  return parse_apply(p);
}

static RangeTag range_tag(TokTag tag) {
  if (tag == TOK_RANGE_TO) return RANGE_TO;
  return tag == TOK_RANGE_BELOW ? RANGE_BELOW : RANGE_ABOVE;
}

static bool at_range(const Parser *p) {
  TokTag tag = tok(p);
  return tag == TOK_DOTDOT || tag == TOK_RANGE_TO || tag == TOK_RANGE_BELOW ||
         tag == TOK_RANGE_ABOVE;
}

// "a..b" is "a..<b" where others write it.
static _Noreturn void range_endless(Parser *p, const Expr *from, Span dots, const Expr *second) {
  const char *text = p->src->text;
  int wide = (int)(from->span.to - from->span.from);
  int last = (int)(second->span.to - second->span.from);
  diag_error(p->diag, dots, "[range-end] A range with '..' needs an end: use '...', '..<' or "
                            "'..>'.");
  if (wide <= 30 && last <= 30)
    diag_hint(p->diag, "numbers below the second are \"%.*s..<%.*s\", with it \"%.*s...%.*s\": "
                       "an array, without brackets.",
              wide, text + from->span.from, last, text + second->span.from, wide,
              text + from->span.from, last, text + second->span.from);
  parse_leave(p);
}

// range = exp2 [".." exp2] ("..." | "..<" | "..>") exp2, operands above the range level
static Expr *parse_range(Parser *p, Expr *from) {
  Span dots = tok_span(p);
  Expr *second = accept(p, TOK_DOTDOT) ? parse_exp2(p, LEVEL_RANGE + 1) : NULL;
  if (!at_range(p) || tok(p) == TOK_DOTDOT) {
    if (!second) unexpected(p, "a range");
    range_endless(p, from, dots, second);
  }
  RangeTag tag = range_tag(tok(p));
  take(p);
  Expr *to = parse_exp2(p, LEVEL_RANGE + 1);
  Expr *exp = exp_new(p, EXP_RANGE, span_from(p, from->span));
  exp->range.tag = tag;
  exp->range.from = from;
  exp->range.second = second;
  exp->range.to = to;
  return exp;
}

// r with a = 1 with b = 2 is (r with a = 1) with b = 2.
static Expr *parse_update(Parser *p, Expr *src) {
  take(p);
  StepList path = parse_steps(p);
  expect(p, TOK_EQUALS, "'='");
  Expr *value = parse_exp2(p, LEVEL_WITH + 1);
  Expr *exp = exp_new(p, EXP_UPDATE, span_from(p, src->span));
  exp->update.src = src;
  exp->update.path = path;
  exp->update.value = value;
  return exp;
}

static int token_level(Parser *p) {
  TokTag tag = tok(p);
  if (tag == TOK_BACKTICK) return LEVEL_BACKTICK;
  size_t len, dot = 0;
  const char *s = tok_text(p, &len);
  if (tag == TOK_QUALOP)
    while (!is_operator_char(s[dot])) dot++;
  return operator_level(name_intern(p->names, s + dot, len - dot));
}

static Expr *parse_binop(Parser *p, Expr *left, int level) {
  VarRef op = take_binop(p);
  if (level == LEVEL_PIPE_LEFT) depth_enter(p);
  Expr *right = parse_exp2(p, level == LEVEL_PIPE_LEFT ? level : level + 1);
  if (level == LEVEL_PIPE_LEFT) depth_leave(p);
  Expr *exp = exp_new(p, EXP_BINOP, span_join(left->span, right->span));
  exp->binop.op = op;
  exp->binop.left = left;
  exp->binop.right = right;
  return exp;
}

// An operator directly before ")" belongs to a section, `(e op)`.
static bool at_section_end(const Parser *p, int width) { return tok_at(p, width) == TOK_RPAREN; }

// Long chains of left-associative operators stay in this loop.
Expr *parse_exp2(Parser *p, int least) {
  Expr *left = parse_operand(p);
  int updates = 0, width;
  for (;;) {
    if (tok(p) == TOK_WITH && least <= LEVEL_WITH) {
      if (++updates > MAX_DEPTH) syntax_error(p, tok_span(p), "[nesting] Too many updates in one "
                                              "go.");
      left = parse_update(p, left);
    } else if (at_range(p) && least <= LEVEL_RANGE) {
      return parse_range(p, left);
    } else if (at_binop(p, &width) && !at_section_end(p, width)) {
      int level = token_level(p);
      if (level < least) return left;
      left = parse_binop(p, left, level);
    } else {
      return left;
    }
  }
}

Expr *parse_exp(Parser *p) {
  depth_enter(p);
  Expr *exp = parse_exp2(p, LEVEL_RANGE);
  for (int i = 0; tok(p) == TOK_COLON || tok(p) == TOK_COERCE; i++) {
    if (i > MAX_DEPTH) syntax_error(p, tok_span(p), "[nesting] Too many ascriptions in one go.");
    ExprTag tag = tok(p) == TOK_COLON ? EXP_ASCRIBE : EXP_COERCE;
    take(p);
    TypeExp *type = parse_type(p);
    Expr *outer = exp_new(p, tag, span_from(p, exp->span));
    outer->ascribe.src = exp;
    outer->ascribe.type = type;
    exp = outer;
  }
  depth_leave(p);
  return exp;
}
