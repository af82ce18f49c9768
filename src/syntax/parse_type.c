// type   = "(" ID ":" type ")" "->" type | tterm "->" type | "?" ("[" ID "]")+ "." type | tterm
// tterm  = "*" tterm | tapply | clause ("|" clause)*      clause = CONSTR tatom*
// tapply = tatom (size | tatom)*                          size = "[" exp "]" | "[" "]"
// tatom  = "(" type ")" | "()" | "(" type "," type,, ")" | "{" (field ":" type),, "}"
//        | size tterm | QUALID
#include "local.h"

static TypeExp *type_exp_new(Parser *p, TypeExpTag tag, Span span) {
  TypeExp *type = NEW(p->arena, TypeExp);
  type->tag = tag;
  type->span = span;
  return type;
}

static SizeExp parse_size(Parser *p) {
  SizeExp size = {.span = tok_span(p)};
  expect(p, TOK_LBRACK, "'['");
  if (tok(p) != TOK_RBRACK) size.exp = parse_exp(p);
  expect(p, TOK_RBRACK, "']'");
  size.span = span_from(p, size.span);
  return size;
}

static TypeExp *parse_tuple_type(Parser *p) {
  Span from = take(p);
  TypeExp *tuple = type_exp_new(p, TEXP_TUPLE, from), *only = tuple;
  if (tok(p) != TOK_RPAREN) {
    only = parse_type(p);
    if (accept(p, TOK_COMMA)) {
      list_push(p->arena, &tuple->tuple.elems, only);
      only = tuple;
      do list_push(p->arena, &tuple->tuple.elems, parse_type(p));
      while (list_goes_on(p, TOK_RPAREN));
    }
  }
  expect(p, TOK_RPAREN, "')'");
  only->span = span_from(p, from);
  return only;
}

static FieldType parse_field_type(Parser *p) {
  FieldType field = {0};
  field.name = parse_field(p, &field.span);
  expect(p, TOK_COLON, "':'");
  field.type = parse_type(p);
  return field;
}

static TypeExp *parse_record_type(Parser *p) {
  Span from = take(p);
  TypeExp *type = type_exp_new(p, TEXP_RECORD, from);
  if (tok(p) != TOK_RBRACE) {
    do list_push(p->arena, &type->record.fields, parse_field_type(p));
    while (list_goes_on(p, TOK_RBRACE));
  }
  take(p);
  type->span = span_from(p, from);
  return type;
}

static bool at_type_atom(const Parser *p) {
  TokTag tag = tok(p);
  return tag == TOK_ID || tag == TOK_LPAREN || tag == TOK_LBRACE || tag == TOK_LBRACK;
}

static TypeExp *parse_type_name(Parser *p) {
  TypeExp *type = type_exp_new(p, TEXP_NAME, tok_span(p));
  type->name = qual_ref(p);
  type->span = type->name.name.span;
  return type;
}

// The element of an array is a term even where the array is an atom: `#c [n]t [k] | #d` has one
// constructor of an array of `t [k]`.
static TypeExp *parse_type_atom(Parser *p) {
  TokTag tag = tok(p);
  if (tag == TOK_LPAREN) return parse_tuple_type(p);
  if (tag == TOK_LBRACE) return parse_record_type(p);
  if (tag == TOK_ID) return parse_type_name(p);
  if (tag != TOK_LBRACK) unexpected(p, "a type");
  TypeExp *type = type_exp_new(p, TEXP_ARRAY, tok_span(p));
  depth_enter(p);
  type->array.size = parse_size(p);
  type->array.elem = parse_type_term(p);
  depth_leave(p);
  type->span = span_from(p, type->span);
  return type;
}

static TypeExp *parse_sum_type(Parser *p) {
  TypeExp *type = type_exp_new(p, TEXP_SUM, tok_span(p));
  do {
    if (tok(p) != TOK_CONSTR) unexpected(p, "a constructor");
    SumClause clause = {.span = tok_span(p)};
    clause.name = take_name(p);
    while (at_type_atom(p)) list_push(p->arena, &clause.args, parse_type_atom(p));
    clause.span = span_from(p, clause.span);
    list_push(p->arena, &type->sum.clauses, clause);
  } while (tok_is(p, 0, '|') && take(p).src);
  type->span = span_from(p, type->span);
  return type;
}

static TypeArg parse_type_arg(Parser *p) {
  TypeArg arg = {.is_size = tok(p) == TOK_LBRACK};
  if (arg.is_size)
    arg.size = parse_size(p);
  else
    arg.type = parse_type_atom(p);
  return arg;
}

static TypeExp *parse_type_apply(Parser *p) {
  TypeExp *fn = parse_type_atom(p);
  if (fn->tag == TEXP_ARRAY || !at_type_atom(p)) return fn;
  TypeExp *type = type_exp_new(p, TEXP_APPLY, fn->span);
  type->apply.fn = fn;
  while (at_type_atom(p)) list_push(p->arena, &type->apply.args, parse_type_arg(p));
  type->span = span_from(p, fn->span);
  return type;
}

TypeExp *parse_type_term(Parser *p) {
  if (tok(p) == TOK_CONSTR) return parse_sum_type(p);
  if (!tok_is(p, 0, '*')) return parse_type_apply(p);
  TypeExp *type = type_exp_new(p, TEXP_UNIQUE, take(p));
  depth_enter(p);
  type->unique.elem = parse_type_term(p);
  depth_leave(p);
  type->span = span_from(p, type->span);
  return type;
}

// "?" ("[" ID "]")+ "." type
static TypeExp *parse_exists(Parser *p) {
  TypeExp *type = type_exp_new(p, TEXP_EXISTS, take(p));
  type->exists.sizes = parse_size_binders(p);
  if (type->exists.sizes.len == 0) unexpected(p, "'['");
  expect(p, TOK_DOT, "'.'");
  type->exists.type = parse_type(p);
  type->span = span_from(p, type->span);
  return type;
}

static void parse_named_param(Parser *p, TypeExp *arrow) {
  take(p);
  arrow->arrow.param = expect_id(p, &arrow->arrow.param_span);
  expect(p, TOK_COLON, "':'");
  arrow->arrow.from = parse_type(p);
  expect(p, TOK_RPAREN, "')'");
}

static TypeExp *parse_arrow(Parser *p, TypeExp *from) {
  TypeExp *type = type_exp_new(p, TEXP_ARROW, tok_span(p));
  if (from) {
    type->span = from->span;
    type->arrow.from = from;
  } else {
    parse_named_param(p, type);
  }
  expect(p, TOK_ARROW, "'->'");
  type->arrow.to = parse_type(p);
  type->span = span_from(p, type->span);
  return type;
}

static TypeExp *parse_type_body(Parser *p) {
  if (tok(p) == TOK_QUESTION) return parse_exists(p);
  if (tok(p) == TOK_LPAREN && tok_at(p, 1) == TOK_ID && tok_at(p, 2) == TOK_COLON)
    return parse_arrow(p, NULL);
  TypeExp *type = parse_type_term(p);
  return tok(p) == TOK_ARROW ? parse_arrow(p, type) : type;
}

TypeExp *parse_type(Parser *p) {
  depth_enter(p);
  TypeExp *type = parse_type_body(p);
  depth_leave(p);
  return type;
}

// tparam = "[" ID "]" | "'" ID | "'~" ID | "'^" ID
static bool at_tparam(const Parser *p, bool sizes_only) {
  TokTag tag = tok(p);
  if (tag == TOK_LBRACK) return true;
  return !sizes_only && (tag == TOK_TICK || tag == TOK_TICK_TILDE || tag == TOK_TICK_LIFTED);
}

static TypeParam parse_tparam(Parser *p) {
  TypeParam param = {0};
  Span from = tok_span(p);
  TokTag tag = tok(p);
  take(p);
  if (tag == TOK_TICK) param.tag = TPARAM_TYPE;
  if (tag == TOK_TICK_TILDE) param.tag = TPARAM_SIZE_LIFTED;
  if (tag == TOK_TICK_LIFTED) param.tag = TPARAM_LIFTED;
  param.name = expect_id(p, &param.span);
  if (tag == TOK_LBRACK) expect(p, TOK_RBRACK, "']'");
  param.span = span_from(p, from);
  return param;
}

static TypeParamList parse_binders(Parser *p, bool sizes_only) {
  TypeParamList params = {0};
  while (at_tparam(p, sizes_only)) list_push(p->arena, &params, parse_tparam(p));
  return params;
}

TypeParamList parse_tparams(Parser *p) { return parse_binders(p, false); }
TypeParamList parse_size_binders(Parser *p) { return parse_binders(p, true); }
