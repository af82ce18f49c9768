// modexp  = modexp ":" mtexp | "\" modparam [":" (QUALID | "(" mtexp ")")] "->" modexp
//         | "import" STRING | modatom+
// modatom = "(" modexp ")" | QUALID | "{" dec* "}"
// mtexp   = QUALID | "{" spec* "}" | mtexp "with" QUALID tparam* "=" type | "(" mtexp ")"
//         | "(" ID ":" mtexp ")" "->" mtexp | mtexp "->" mtexp
#include "local.h"

static ModExp *modexp_new(Parser *p, ModExpTag tag, Span span) {
  ModExp *mod = NEW(p->arena, ModExp);
  mod->tag = tag;
  mod->span = span;
  return mod;
}

static ModTypeExp *modtype_new(Parser *p, ModTypeExpTag tag, Span span) {
  ModTypeExp *type = NEW(p->arena, ModTypeExp);
  type->tag = tag;
  type->span = span;
  return type;
}

// modparam = "(" ID ":" mtexp ")"
ModParam parse_modparam(Parser *p) {
  ModParam param = {0};
  expect(p, TOK_LPAREN, "'('");
  param.name = expect_id(p, &param.span);
  expect(p, TOK_COLON, "':'");
  param.type = parse_modtype(p);
  expect(p, TOK_RPAREN, "')'");
  return param;
}

static ModExp *parse_mod_decs(Parser *p) {
  ModExp *mod = modexp_new(p, MODEXP_DECS, take(p));
  while (tok(p) != TOK_RBRACE) list_push(p->arena, &mod->decs.decs, parse_dec(p));
  take(p);
  mod->span = span_from(p, mod->span);
  return mod;
}

static bool at_mod_atom(const Parser *p) {
  return tok(p) == TOK_LPAREN || tok(p) == TOK_ID || tok(p) == TOK_LBRACE;
}

static ModExp *parse_mod_atom(Parser *p) {
  if (tok(p) == TOK_LBRACE) return parse_mod_decs(p);
  if (tok(p) == TOK_LPAREN) {
    Span from = take(p);
    ModExp *mod = parse_modexp(p);
    expect(p, TOK_RPAREN, "')'");
    mod->span = span_from(p, from);
    return mod;
  }
  if (tok(p) != TOK_ID) unexpected(p, "a module");
  ModExp *mod = modexp_new(p, MODEXP_NAME, tok_span(p));
  mod->name = qual_ref(p);
  mod->span = mod->name.name.span;
  return mod;
}

// m a b is (m a) b.
static ModExp *parse_mod_apply(Parser *p) {
  ModExp *mod = parse_mod_atom(p);
  int depth = p->depth;
  while (at_mod_atom(p)) {
    depth_enter(p);
    ModExp *arg = parse_mod_atom(p);
    ModExp *apply = modexp_new(p, MODEXP_APPLY, span_from(p, mod->span));
    apply->apply.fn = mod;
    apply->apply.arg = arg;
    mod = apply;
  }
  p->depth = depth;
  return mod;
}

static ModTypeExp *parse_modtype_name(Parser *p) {
  ModTypeExp *type = modtype_new(p, MODTYPE_NAME, tok_span(p));
  type->name = qual_ref(p);
  type->span = type->name.name.span;
  return type;
}

static ModTypeExp *parse_modtype_parens(Parser *p) {
  Span from = take(p);
  ModTypeExp *type = parse_modtype(p);
  expect(p, TOK_RPAREN, "')'");
  type->span = span_from(p, from);
  return type;
}

static ModExp *parse_mod_lambda(Parser *p) {
  ModExp *mod = modexp_new(p, MODEXP_LAMBDA, take(p));
  mod->lambda.param = parse_modparam(p);
  if (accept(p, TOK_COLON))
    mod->lambda.type = tok(p) == TOK_LPAREN ? parse_modtype_parens(p) : parse_modtype_name(p);
  expect(p, TOK_ARROW, "'->'");
  mod->lambda.body = parse_modexp(p);
  mod->span = span_from(p, mod->span);
  return mod;
}

static ModExp *parse_mod_import(Parser *p) {
  ModExp *mod = modexp_new(p, MODEXP_IMPORT, take(p));
  mod->import.path = parse_path(p);
  mod->span = span_from(p, mod->span);
  return mod;
}

static ModExp *parse_mod_head(Parser *p) {
  if (tok(p) == TOK_LAMBDA) return parse_mod_lambda(p);
  if (tok(p) == TOK_IMPORT) return parse_mod_import(p);
  return parse_mod_apply(p);
}

ModExp *parse_modexp(Parser *p) {
  int depth = p->depth;
  depth_enter(p);
  ModExp *mod = parse_mod_head(p);
  while (accept(p, TOK_COLON)) {
    depth_enter(p);
    ModExp *outer = modexp_new(p, MODEXP_ASCRIBE, mod->span);
    outer->ascribe.mod = mod;
    outer->ascribe.type = parse_modtype(p);
    outer->span = span_from(p, mod->span);
    mod = outer;
  }
  p->depth = depth;
  return mod;
}

// spec = "val" (ID | binop | "(" binop ")") tparam* ":" type
static void parse_val_spec(Parser *p, Spec *spec) {
  take(p);
  int width;
  spec->tag = SPEC_VAL;
  if (tok(p) == TOK_ID)
    spec->val.name = expect_id(p, &spec->val.name_span);
  else if (at_bind_operator(p))
    spec->val.name = bind_operator(p, &spec->val.name_span);
  else if (at_binop(p, &width))
    spec->val.name = bind_binop(p, &spec->val.name_span);
  else
    unexpected(p, "a name to specify");
  spec->val.tparams = parse_tparams(p);
  expect(p, TOK_COLON, "':'");
  spec->val.type = parse_type(p);
}

//      | "type" .. | "module" ID ":" mtexp | "include" mtexp
static void parse_spec_body(Parser *p, Spec *spec) {
  TokTag tag = tok(p);
  if (tag == TOK_VAL) {
    parse_val_spec(p, spec);
  } else if (tag == TOK_TYPE) {
    spec->tag = SPEC_TYPE;
    spec->type = parse_typebind(p, true);
  } else if (accept(p, TOK_MODULE)) {
    spec->tag = SPEC_MOD;
    spec->mod.name = expect_id(p, &spec->mod.name_span);
    expect(p, TOK_COLON, "':'");
    spec->mod.type = parse_modtype(p);
  } else if (accept(p, TOK_INCLUDE)) {
    spec->tag = SPEC_INCLUDE;
    spec->include.type = parse_modtype(p);
  } else {
    unexpected(p, "a specification");
  }
}

static Spec *parse_spec(Parser *p) {
  Spec *spec = NEW(p->arena, Spec);
  spec->doc = parse_doc(p);
  spec->span = tok_span(p);
  while (tok(p) == TOK_ATTR) list_push(p->arena, &spec->attrs, parse_attr(p));
  parse_spec_body(p, spec);
  spec->span = span_from(p, spec->span);
  return spec;
}

static ModTypeExp *parse_modtype_atom(Parser *p) {
  if (tok(p) == TOK_LPAREN) return parse_modtype_parens(p);
  if (tok(p) == TOK_ID) return parse_modtype_name(p);
  if (tok(p) != TOK_LBRACE) unexpected(p, "a module type");
  ModTypeExp *type = modtype_new(p, MODTYPE_SPECS, take(p));
  while (tok(p) != TOK_RBRACE) list_push(p->arena, &type->specs.specs, parse_spec(p));
  take(p);
  type->span = span_from(p, type->span);
  return type;
}

static ModTypeExp *parse_with(Parser *p, ModTypeExp *src) {
  take(p);
  ModTypeExp *type = modtype_new(p, MODTYPE_WITH, src->span);
  type->with.src = src;
  type->with.name = qual_ref(p);
  type->with.tparams = parse_tparams(p);
  expect(p, TOK_EQUALS, "'='");
  type->with.type = parse_type(p);
  type->span = span_from(p, src->span);
  return type;
}

static ModTypeExp *parse_mod_arrow(Parser *p, ModTypeExp *from) {
  ModTypeExp *type = modtype_new(p, MODTYPE_ARROW, from ? from->span : tok_span(p));
  type->arrow.from = from;
  if (!from) {
    ModParam param = parse_modparam(p);
    type->arrow.param = param.name;
    type->arrow.param_span = param.span;
    type->arrow.from = param.type;
  }
  expect(p, TOK_ARROW, "'->'");
  type->arrow.to = parse_modtype(p);
  type->span = span_from(p, type->span);
  return type;
}

static ModTypeExp *parse_modtype_body(Parser *p) {
  if (tok(p) == TOK_LPAREN && tok_at(p, 1) == TOK_ID && tok_at(p, 2) == TOK_COLON)
    return parse_mod_arrow(p, NULL);
  ModTypeExp *type = parse_modtype_atom(p);
  while (tok(p) == TOK_WITH) {
    depth_enter(p);
    type = parse_with(p, type);
  }
  return tok(p) == TOK_ARROW ? parse_mod_arrow(p, type) : type;
}

ModTypeExp *parse_modtype(Parser *p) {
  int depth = p->depth;
  depth_enter(p);
  ModTypeExp *type = parse_modtype_body(p);
  p->depth = depth;
  return type;
}
