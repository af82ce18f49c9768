// pat  = "#[" attr "]" pat | ipat ":" type | ipat | CONSTR ipat+
// ipat = ID | "(" binop ")" | "_" | "()" | "(" pat,, ")" | "{" fieldpat,, "}" | ["-"] literal
//      | CONSTR
// A parameter is an ipat without a minus.
#include "local.h"

static Pat *pat_new(Parser *p, PatTag tag, Span span) {
  Pat *pat = NEW(p->arena, Pat);
  pat->tag = tag;
  pat->span = span;
  return pat;
}

static bool at_literal(TokTag tag) {
  return tag == TOK_INT || tag == TOK_FLOAT || tag == TOK_CHAR || tag == TOK_TRUE ||
         tag == TOK_FALSE;
}

bool at_param(const Parser *p) {
  TokTag tag = tok(p);
  return tag == TOK_ID || tag == TOK_WILD || tag == TOK_LPAREN || tag == TOK_LBRACE ||
         tag == TOK_CONSTR || at_literal(tag);
}

static Pat *name_pat(Parser *p, Name name, Span at) {
  Pat *pat = pat_new(p, PAT_NAME, at);
  pat->name.name = name;
  return pat;
}

// p : t
static Pat *parse_ascription(Parser *p, Pat *pat) {
  take(p);
  Pat *outer = pat_new(p, PAT_ASCRIBE, pat->span);
  outer->ascribe.pat = pat;
  outer->ascribe.type = parse_type(p);
  outer->span = span_from(p, pat->span);
  return outer;
}

// "(" pat ")" | "()" | "(" pat "," pat,, ")"
static Pat *parse_pat_parens(Parser *p) {
  Span from = take(p);
  Pat *tuple = pat_new(p, PAT_TUPLE, from), *only = tuple;
  if (tok(p) != TOK_RPAREN) {
    only = parse_pat(p);
    if (accept(p, TOK_COMMA)) {
      list_push(p->arena, &tuple->tuple.elems, only);
      only = tuple;
      do list_push(p->arena, &tuple->tuple.elems, parse_pat(p));
      while (list_goes_on(p, TOK_RPAREN));
    }
  }
  expect(p, TOK_RPAREN, "')'");
  only->span = span_from(p, from);
  return only;
}

// fieldpat = field "=" pat | field ":" type | field
static FieldPat parse_field_pat(Parser *p) {
  FieldPat field = {0};
  bool pun = tok(p) == TOK_ID;
  field.name = parse_field(p, &field.span);
  if (accept(p, TOK_EQUALS)) {
    field.pat = parse_pat(p);
    return field;
  }
  if (!pun) unexpected(p, "'='");
  if (field.name[0] == '_')
    syntax_error(p, field.span, "[private-name] A field shorthand cannot start with an "
                                "underscore; use %s=_.",
                 field.name);
  field.pun = true;
  field.pat = name_pat(p, field.name, field.span);
  if (tok(p) == TOK_COLON) field.pat = parse_ascription(p, field.pat);
  return field;
}

static Pat *parse_pat_record(Parser *p) {
  Span from = take(p);
  Pat *pat = pat_new(p, PAT_RECORD, from);
  if (tok(p) != TOK_RBRACE) {
    do list_push(p->arena, &pat->record.fields, parse_field_pat(p));
    while (list_goes_on(p, TOK_RBRACE));
  }
  take(p);
  pat->span = span_from(p, from);
  return pat;
}

static Pat *parse_pat_constr(Parser *p) {
  Pat *pat = pat_new(p, PAT_CONSTR, tok_span(p));
  pat->constr.name = take_name(p);
  return pat;
}

static Pat *parse_pat_literal(Parser *p, bool minus) {
  Span from = minus ? take(p) : tok_span(p);
  if (minus && tok(p) != TOK_INT && tok(p) != TOK_FLOAT) unexpected(p, "a number");
  Expr *exp = parse_literal(p);
  Pat *pat = pat_new(p, PAT_LIT, span_from(p, from));
  pat->lit.exp = exp;
  if (!minus) return pat;
  pat->lit.exp = exp_new(p, EXP_NEG, pat->span);
  pat->lit.exp->neg.arg = exp;
  return pat;
}

static Pat *parse_param_body(Parser *p) {
  TokTag tag = tok(p);
  Span at = tok_span(p);
  if (tag == TOK_ID) return name_pat(p, take_name(p), at);
  if (tag == TOK_WILD) return pat_new(p, PAT_WILD, take(p));
  if (at_bind_operator(p)) {
    Name name = bind_operator(p, &at);
    return name_pat(p, name, at);
  }
  if (tag == TOK_LPAREN) return parse_pat_parens(p);
  if (tag == TOK_LBRACE) return parse_pat_record(p);
  if (tag == TOK_CONSTR) return parse_pat_constr(p);
  if (!at_literal(tag)) unexpected(p, "a pattern");
  return parse_pat_literal(p, false);
}

Pat *parse_param(Parser *p) {
  depth_enter(p);
  Pat *pat = parse_param_body(p);
  depth_leave(p);
  return pat;
}

static Pat *parse_ipat(Parser *p) {
  return tok(p) == TOK_MINUS ? parse_pat_literal(p, true) : parse_param(p);
}

static Pat *parse_attr_pat(Parser *p) {
  Pat *pat = pat_new(p, PAT_ATTR, tok_span(p));
  pat->attr.attr = parse_attr(p);
  depth_enter(p);
  pat->attr.pat = parse_pat(p);
  depth_leave(p);
  pat->span = span_from(p, pat->span);
  return pat;
}

// Only a constructor without payload can be ascribed.
Pat *parse_pat(Parser *p) {
  if (tok(p) == TOK_ATTR) return parse_attr_pat(p);
  if (tok(p) == TOK_CONSTR) {
    Pat *pat = parse_pat_constr(p);
    while (at_param(p) || tok(p) == TOK_MINUS)
      list_push(p->arena, &pat->constr.args, parse_ipat(p));
    pat->span = span_from(p, pat->span);
    return pat->constr.args.len == 0 && tok(p) == TOK_COLON ? parse_ascription(p, pat) : pat;
  }
  Pat *pat = parse_ipat(p);
  return tok(p) == TOK_COLON ? parse_ascription(p, pat) : pat;
}

static Expr *tuple_pat_to_exp(Parser *p, const Pat *pat) {
  Expr *exp = exp_new(p, EXP_TUPLE, pat->span);
  for (int i = 0; i < pat->tuple.elems.len; i++)
    list_push(p->arena, &exp->tuple.elems, pat_to_exp(p, pat->tuple.elems.at[i]));
  return exp;
}

static Expr *record_pat_to_exp(Parser *p, const Pat *pat) {
  Expr *exp = exp_new(p, EXP_RECORD, pat->span);
  for (int i = 0; i < pat->record.fields.len; i++) {
    const FieldPat *from = &pat->record.fields.at[i];
    FieldExpr field = {.name = from->name, .pun = from->pun, .span = from->span};
    field.value = pat_to_exp(p, from->pat);
    list_push(p->arena, &exp->record.fields, field);
  }
  return exp;
}

// A loop without initial values starts from the variables named like its pattern.
Expr *pat_to_exp(Parser *p, const Pat *pat) {
  switch (pat->tag) {
    case PAT_NAME: return parse_var_exp(p, pat->name.name, pat->span);
    case PAT_TUPLE: return tuple_pat_to_exp(p, pat);
    case PAT_RECORD: return record_pat_to_exp(p, pat);
    case PAT_ASCRIBE: return pat_to_exp(p, pat->ascribe.pat);
    case PAT_ATTR: return pat_to_exp(p, pat->attr.pat);
    case PAT_WILD:
    case PAT_LIT:
    case PAT_CONSTR: break;
  }
  syntax_error(p, pat->span, "[loop-initial] A loop with this pattern needs an explicit initial "
                             "value.");
}
