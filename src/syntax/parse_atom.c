// atom = literal | CONSTR | "???" | QUALID | "(" .. ")" | LB exp,, "]" | "{" fields "}"
//      | atom "." field | name "." "(" exp ")" | atom IX index,, "]"
#include "local.h"
#include <string.h>

bool at_atom(const Parser *p) {
  TokTag tag = tok(p);
  return tag == TOK_ID || tag == TOK_INT || tag == TOK_FLOAT || tag == TOK_LPAREN ||
         tag == TOK_LBRACK || tag == TOK_LBRACE || tag == TOK_CONSTR || tag == TOK_STRING ||
         tag == TOK_CHAR || tag == TOK_TRUE || tag == TOK_FALSE || tag == TOK_HOLE;
}

static bool at_decimal(const Parser *p) {
  if (tok(p) != TOK_INT) return false;
  size_t len;
  const char *s = tok_text(p, &len);
  for (size_t i = 0; i < len; i++)
    if ((s[i] < '0' || s[i] > '9') && s[i] != '_') return false;
  return true;
}

// field = ID | DECIMAL
Name parse_field(Parser *p, Span *at) {
  *at = tok_span(p);
  if (tok(p) != TOK_ID && !at_decimal(p)) unexpected(p, "a field name");
  return take_name(p);
}

Expr *parse_literal(Parser *p) {
  size_t len;
  const char *s = tok_text(p, &len);
  TokTag tag = tok(p);
  if (tag == TOK_INT) {
    Expr *exp = exp_new(p, EXP_INT, take(p));
    int_literal(p->arena, s, len, exp);
    return exp;
  }
  if (tag == TOK_FLOAT) {
    Expr *exp = exp_new(p, EXP_FLOAT, take(p));
    float_literal(p->arena, s, len, exp);
    return exp;
  }
  if (tag == TOK_CHAR) {
    Expr *exp = exp_new(p, EXP_CHAR, take(p));
    exp->char_.code = char_literal(s, len);
    return exp;
  }
  if (tag != TOK_TRUE && tag != TOK_FALSE) unexpected(p, "a literal");
  Expr *exp = exp_new(p, EXP_BOOL, take(p));
  exp->bool_.value = tag == TOK_TRUE;
  return exp;
}

// ---- indexing --------------------------------------------------------------------------------

static bool at_index_end(const Parser *p) {
  return tok(p) == TOK_COLON || tok(p) == TOK_COMMA || tok(p) == TOK_RBRACK;
}

// index = exp2 | [exp2] ":" [exp2] [":" exp2]
static Index parse_one_index(Parser *p) {
  Index index = {.span = tok_span(p)};
  if (tok(p) != TOK_COLON) index.i = parse_exp2(p, LEVEL_RANGE);
  if (accept(p, TOK_COLON)) {
    index.tag = INDEX_SLICE;
    if (!at_index_end(p)) index.j = parse_exp2(p, LEVEL_RANGE);
    if (accept(p, TOK_COLON)) index.s = parse_exp2(p, LEVEL_RANGE);
  }
  index.span = span_from(p, index.span);
  return index;
}

// "[" index,, "]" with either bracket
IndexList parse_index(Parser *p) {
  IndexList index = {0};
  expect(p, TOK_LBRACK, "'['");
  depth_enter(p);
  do list_push(p->arena, &index, parse_one_index(p));
  while (list_goes_on(p, TOK_RBRACK));
  depth_leave(p);
  take(p);
  return index;
}

static Step index_step(Parser *p) {
  Step step = {.tag = STEP_INDEX, .span = tok_span(p)};
  step.index = parse_index(p);
  step.span = span_from(p, step.span);
  return step;
}

static Step field_step(Parser *p) {
  Step step = {.tag = STEP_FIELD};
  step.field = parse_field(p, &step.span);
  return step;
}

// step+, step = "[" index,, "]" | "." field; the first field may stand without its dot.
StepList parse_steps(Parser *p) {
  StepList path = {0};
  bool dot = accept(p, TOK_DOT) || tok(p) != TOK_LBRACK;
  list_push(p->arena, &path, dot ? field_step(p) : index_step(p));
  while (tok(p) == TOK_LBRACK || tok(p) == TOK_DOT) {
    if (path.len > MAX_PARTS)
      syntax_error(p, tok_span(p), "[nesting] Too many projections in one go.");
    list_push(p->arena, &path, accept(p, TOK_DOT) ? field_step(p) : index_step(p));
  }
  return path;
}

// ---- array literals --------------------------------------------------------------------------

static Suffix token_suffix(const Parser *p, const Token *t) {
  if (t->tag != TOK_INT && t->tag != TOK_FLOAT) return SUFFIX_NONE;
  return literal_suffix(p->src->text + t->from, t->to - t->from);
}

// The suffix that every element up to "]" has, or SUFFIX_NONE.  Elements are literals, perhaps
// negated.
static Suffix common_suffix(const Parser *p) {
  Suffix common = SUFFIX_NONE;
  for (const Token *t = p->toks + p->at;; t++) {
    if (t->tag == TOK_MINUS) t++;
    Suffix found = token_suffix(p, t++);
    if (!found || (common && common != found)) return SUFFIX_NONE;
    common = found;
    if (t->tag == TOK_RBRACK) return common;
    if (t->tag != TOK_COMMA) return SUFFIX_NONE;
    if (t[1].tag == TOK_RBRACK) return common;
  }
}

static uint64_t take_bits(Parser *p, Suffix suffix) {
  bool minus = accept(p, TOK_MINUS);
  size_t len;
  const char *s = tok_text(p, &len);
  take(p);
  char digits[64];
  char *text = len < sizeof digits ? digits : arena_alloc(p->arena, len + 1);
  literal_digits(text, s, len - strlen(suffix_name(suffix)));
  if (suffix >= SUFFIX_F16) return float_bits(text, suffix) ^ ((uint64_t)minus << 63);
  bool overflow = false;
  uint64_t value = int_value(text, &overflow);
  return minus ? 0 - value : value;
}

static Expr *parse_flat_array(Parser *p, Span from, Suffix suffix) {
  Expr *exp = exp_new(p, EXP_ARRAYLIT, from);
  exp->arraylit.suffix = suffix;
  do list_push(p->arena, &exp->arraylit.bits, take_bits(p, suffix));
  while (list_goes_on(p, TOK_RBRACK));
  take(p);
  exp->span = span_from(p, from);
  return exp;
}

// LB exp,, "]" | LB "]"
static Expr *parse_array(Parser *p) {
  Span from = take(p);
  Suffix suffix = common_suffix(p);
  if (suffix) return parse_flat_array(p, from, suffix);
  Expr *exp = exp_new(p, EXP_ARRAY, from);
  if (tok(p) != TOK_RBRACK) {
    do list_push(p->arena, &exp->array.elems, parse_exp(p));
    while (list_goes_on(p, TOK_RBRACK));
  }
  take(p);
  exp->span = span_from(p, from);
  return exp;
}

// ---- records, parentheses, sections ----------------------------------------------------------

static FieldExpr parse_field_exp(Parser *p) {
  FieldExpr field = {0};
  bool pun = tok(p) == TOK_ID;
  field.name = parse_field(p, &field.span);
  if (accept(p, TOK_EQUALS)) {
    field.value = parse_exp(p);
    return field;
  }
  if (!pun) unexpected(p, "'='");
  field.pun = true;
  field.value = parse_var_exp(p, field.name, field.span);
  return field;
}

// "{" (field "=" exp | ID),, "}"
static Expr *parse_record(Parser *p) {
  Span from = take(p);
  Expr *exp = exp_new(p, EXP_RECORD, from);
  if (tok(p) != TOK_RBRACE) {
    do list_push(p->arena, &exp->record.fields, parse_field_exp(p));
    while (list_goes_on(p, TOK_RBRACE));
  }
  take(p);
  exp->span = span_from(p, from);
  return exp;
}

// "(" "." step+ ")"
static Expr *parse_path_section(Parser *p, Span from) {
  take(p);
  Expr *exp = exp_new(p, EXP_SECTION_PATH, from);
  exp->section_path.path = parse_steps(p);
  return exp;
}

// "(" binop ")" | "(" binop exp2 ")", where binop is not a lone minus
static Expr *parse_operator_section(Parser *p, Span from) {
  VarRef op = take_binop(p);
  Expr *exp = exp_new(p, tok(p) == TOK_RPAREN ? EXP_VAR : EXP_SECTION_RIGHT, from);
  if (exp->tag == EXP_VAR) {
    exp->var = op;
    return exp;
  }
  Expr *arg = parse_exp2(p, LEVEL_RANGE);
  exp->section.op = op;
  exp->section.arg = arg;
  return exp;
}

static int exp_level(const Expr *exp) {
  if (exp->parens) return LEVEL_ATOM;
  if (exp->tag == EXP_BINOP) {
    const NameList *parts = &exp->binop.op.name.parts;
    return operator_level(parts->at[parts->len - 1]);
  }
  if (exp->tag == EXP_UPDATE) return LEVEL_WITH;
  if (exp->tag == EXP_RANGE) return LEVEL_RANGE;
  if (exp->tag == EXP_ASCRIBE || exp->tag == EXP_COERCE) return LEVEL_ASCRIBE;
  return is_tail_form(exp->tag) ? LEVEL_TAIL : LEVEL_PREFIX;
}

// (e op): the operand binds at least as tightly as the operator.
static Expr *parse_left_section(Parser *p, Span from, Expr *arg) {
  VarRef op = take_binop(p);
  int level = operator_level(op.name.parts.at[op.name.parts.len - 1]);
  if (exp_level(arg) < level + (level == LEVEL_PIPE_LEFT)) unexpected(p, "an operand");
  Expr *exp = exp_new(p, EXP_SECTION_LEFT, from);
  exp->section.op = op;
  exp->section.arg = arg;
  return exp;
}

static Expr *parse_tuple(Parser *p, Span from, Expr *first) {
  Expr *exp = exp_new(p, EXP_TUPLE, from);
  list_push(p->arena, &exp->tuple.elems, first);
  take(p);
  do list_push(p->arena, &exp->tuple.elems, parse_exp(p));
  while (list_goes_on(p, TOK_RPAREN));
  return exp;
}

static Expr *parse_parens_body(Parser *p, Span from) {
  int width;
  if (tok(p) == TOK_RPAREN) return exp_new(p, EXP_TUPLE, from);
  if (tok(p) == TOK_DOT) return parse_path_section(p, from);
  bool minus = tok(p) == TOK_MINUS && tok_at(p, 1) != TOK_RPAREN;
  if (at_binop(p, &width) && !minus) return parse_operator_section(p, from);
  Expr *exp = parse_exp(p);
  if (tok(p) == TOK_COMMA) return parse_tuple(p, from, exp);
  if (at_binop(p, &width)) return parse_left_section(p, from, exp);
  return exp;
}

static Expr *parse_parens(Parser *p) {
  Span from = take(p);
  depth_enter(p);
  Expr *exp = parse_parens_body(p, from);
  depth_leave(p);
  expect(p, TOK_RPAREN, "')'");
  exp->span = span_from(p, from);
  exp->parens = true;
  return exp;
}

// ---- atoms -----------------------------------------------------------------------------------

static Expr *parse_string(Parser *p) {
  size_t len;
  const char *s = tok_text(p, &len);
  Expr *exp = exp_new(p, EXP_STRING, take(p));
  exp->string.bytes = string_literal(p->arena, s, len, &exp->string.len);
  return exp;
}

static Expr *parse_variable(Parser *p) {
  VarRef ref = qual_ref(p);
  Expr *exp = exp_new(p, EXP_VAR, ref.name.span);
  exp->var = ref;
  return exp;
}

static Expr *parse_constructor(Parser *p) {
  Expr *exp = exp_new(p, EXP_CONSTR, tok_span(p));
  exp->constr.name = take_name(p);
  return exp;
}

static Expr *parse_simple_atom(Parser *p) {
  TokTag tag = tok(p);
  if (tag == TOK_ID) return parse_variable(p);
  if (tag == TOK_LPAREN) return parse_parens(p);
  if (tag == TOK_LBRACK && !p->toks[p->at].tight) return parse_array(p);
  if (tag == TOK_LBRACE) return parse_record(p);
  if (tag == TOK_CONSTR) return parse_constructor(p);
  if (tag == TOK_STRING) return parse_string(p);
  if (tag == TOK_HOLE) return exp_new(p, EXP_HOLE, take(p));
  if (!at_atom(p) || tag == TOK_LBRACK) unexpected(p, "an expression");
  return parse_literal(p);
}

// m.(e) opens m around e.
static Expr *parse_local_open(Parser *p, const Expr *mod) {
  if (mod->tag != EXP_VAR || mod->parens)
    syntax_error(p, tok_span(p), "[module-open] Only a module name can be opened with m.(e).");
  take(p);
  depth_enter(p);
  Expr *body = parse_exp(p);
  depth_leave(p);
  expect(p, TOK_RPAREN, "')'");
  Expr *exp = exp_new(p, EXP_LOCALOPEN, span_from(p, mod->span));
  exp->localopen.mod = mod->var;
  exp->localopen.body = body;
  return exp;
}

static Expr *parse_projection(Parser *p, Expr *src) {
  take(p);
  if (tok(p) == TOK_LPAREN) return parse_local_open(p, src);
  Span at;
  Name field = parse_field(p, &at);
  Expr *exp = exp_new(p, EXP_PROJECT, span_from(p, src->span));
  exp->project.src = src;
  exp->project.field = field;
  exp->project.field_span = at;
  return exp;
}

static Expr *parse_indexing(Parser *p, Expr *src) {
  IndexList index = parse_index(p);
  Expr *exp = exp_new(p, EXP_INDEX, span_from(p, src->span));
  exp->index.src = src;
  exp->index.index = index;
  return exp;
}

Expr *parse_atom(Parser *p) {
  Expr *exp = parse_simple_atom(p);
  for (int i = 0;; i++) {
    if (i > MAX_DEPTH) syntax_error(p, tok_span(p), "[nesting] Too many projections in one go.");
    if (tok(p) == TOK_DOT)
      exp = parse_projection(p, exp);
    else if (tok(p) == TOK_LBRACK && p->toks[p->at].tight)
      exp = parse_indexing(p, exp);
    else
      return exp;
  }
}
