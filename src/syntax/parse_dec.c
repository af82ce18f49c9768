// prog = [doc] dec*
// dec  = [doc] ("#[" attr "]")* (valbind | typebind | modtype | modbind | "open" modexp
//      | "import" STRING | "local" dec)
#include "local.h"
#include <string.h>

static Dec *dec_new(Parser *p, DecTag tag, Span span) {
  Dec *dec = NEW(p->arena, Dec);
  dec->tag = tag;
  dec->span = span;
  return dec;
}

// The text of a doc comment: its lines without "-- |" or "--" and one blank.
const char *parse_doc(Parser *p) {
  if (tok(p) != TOK_DOC) return NULL;
  size_t len, n = 0;
  const char *s = tok_text(p, &len), *end = s + len;
  take(p);
  char *out = arena_alloc(p->arena, len + 1);
  for (s += 4; s < end; s += 2) {
    if (*s == ' ') s++;
    while (s < end && *s != '\n') out[n++] = *s++;
    if (s == end) break;
    out[n++] = '\n';
    while (*s != '-') s++;
  }
  return out;
}

// A definition's parameters, declared type and body.
static void parse_fun_tail(Parser *p, FunDef *fun) {
  if (accept(p, TOK_COLON)) fun->ret = parse_type(p);
  if (tok(p) != TOK_EQUALS && tok(p) == TOK_BANG)
    syntax_error(p, tok_span(p), "[infix-bang] The operator '!' cannot be used as infix.");
  expect(p, TOK_EQUALS, "'='");
  fun->body = parse_exp(p);
}

// param binop param: the operator is what is defined.
static void parse_infix_def(Parser *p, FunDef *fun, bool entry) {
  if (entry) unexpected(p, "'='");
  Pat *left = parse_param(p);
  if (tok(p) == TOK_BANG)
    syntax_error(p, tok_span(p), "[infix-bang] The operator '!' cannot be used as infix.");
  int width;
  if (!at_binop(p, &width) && (tok(p) == TOK_EQUALS || tok(p) == TOK_COLON))
    syntax_error(p, left->span, "[top-level-pattern] Cannot bind patterns at top level.");
  if (!at_binop(p, &width)) unexpected(p, "an operator");
  fun->name = bind_binop(p, &fun->name_span);
  list_push(p->arena, &fun->params, left);
  list_push(p->arena, &fun->params, parse_param(p));
}

static void parse_prefix_def(Parser *p, FunDef *fun) {
  if (tok(p) == TOK_ID)
    fun->name = expect_id(p, &fun->name_span);
  else
    fun->name = bind_operator(p, &fun->name_span);
  fun->tparams = parse_tparams(p);
  while (at_param(p)) list_push(p->arena, &fun->params, parse_param(p));
}

// The name is defined in prefix form unless an operator follows what looks like a parameter.
static bool at_infix_def(const Parser *p) {
  if (at_bind_operator(p)) return false;
  if (tok(p) != TOK_ID) return at_param(p);
  Parser after = {.toks = p->toks, .at = p->at + 1, .src = p->src};
  int width;
  return at_binop(&after, &width) || tok_at(p, 1) == TOK_BANG;
}

// valbind = ("def"|"entry"|"let") (bindname tparam* param* | param binop param) [":" type] "=" exp
static Dec *parse_valbind(Parser *p) {
  bool entry = tok(p) == TOK_ENTRY;
  Dec *dec = dec_new(p, DEC_VAL, take(p));
  FunDef *fun = &dec->val.fun;
  dec->val.entry = entry;
  if (at_infix_def(p))
    parse_infix_def(p, fun, entry);
  else if (tok(p) == TOK_ID || at_bind_operator(p))
    parse_prefix_def(p, fun);
  else
    unexpected(p, "a name to define");
  parse_fun_tail(p, fun);
  return dec;
}

// "type" ["~"|"^"] ID tparam* ["=" type]; without "=" only in module types.
TypeBind parse_typebind(Parser *p, bool abstract) {
  TypeBind bind = {0};
  take(p);
  if (accept(p, TOK_TILDE)) {
    bind.lift = LIFT_SIZE;
  } else if (tok_is(p, 0, '^')) {
    take(p);
    bind.lift = LIFT_FULL;
  }
  bind.name = expect_id(p, &bind.name_span);
  bind.tparams = parse_tparams(p);
  if (abstract && tok(p) != TOK_EQUALS) return bind;
  expect(p, TOK_EQUALS, "'='");
  bind.type = parse_type(p);
  return bind;
}

// "module" "type" ID "=" mtexp | "module" ID modparam* [":" mtexp] "=" modexp
static Dec *parse_modbind(Parser *p) {
  Span from = take(p);
  if (accept(p, TOK_TYPE)) {
    Dec *dec = dec_new(p, DEC_MODTYPE, from);
    dec->modtype.name = expect_id(p, &dec->modtype.name_span);
    expect(p, TOK_EQUALS, "'='");
    dec->modtype.type = parse_modtype(p);
    return dec;
  }
  Dec *dec = dec_new(p, DEC_MOD, from);
  dec->mod.name = expect_id(p, &dec->mod.name_span);
  while (tok(p) == TOK_LPAREN) list_push(p->arena, &dec->mod.params, parse_modparam(p));
  if (accept(p, TOK_COLON)) dec->mod.type = parse_modtype(p);
  expect(p, TOK_EQUALS, "'='");
  dec->mod.body = parse_modexp(p);
  return dec;
}

static Dec *parse_typedec(Parser *p) {
  Dec *dec = dec_new(p, DEC_TYPE, tok_span(p));
  dec->type = parse_typebind(p, false);
  return dec;
}

static Dec *parse_open(Parser *p) {
  Dec *dec = dec_new(p, DEC_OPEN, take(p));
  dec->open.mod = parse_modexp(p);
  return dec;
}

static Dec *parse_import(Parser *p) {
  Dec *dec = dec_new(p, DEC_IMPORT, take(p));
  dec->import.path = parse_path(p);
  return dec;
}

static Dec *parse_local(Parser *p) {
  Dec *dec = dec_new(p, DEC_LOCAL, take(p));
  dec->local.dec = parse_dec(p);
  return dec;
}

static Dec *parse_bare_dec(Parser *p) {
  TokTag tag = tok(p);
  if (tag == TOK_TYPE) return parse_typedec(p);
  if (tag == TOK_MODULE) return parse_modbind(p);
  if (tag == TOK_OPEN) return parse_open(p);
  if (tag == TOK_IMPORT) return parse_import(p);
  if (tag == TOK_LOCAL) return parse_local(p);
  if (tag != TOK_DEF && tag != TOK_LET && tag != TOK_ENTRY) unexpected(p, "a declaration");
  return parse_valbind(p);
}

Dec *parse_dec(Parser *p) {
  const char *doc = parse_doc(p);
  Span from = tok_span(p);
  AttrList attrs = {0};
  while (tok(p) == TOK_ATTR) list_push(p->arena, &attrs, parse_attr(p));
  depth_enter(p);
  Dec *dec = parse_bare_dec(p);
  depth_leave(p);
  dec->doc = doc || dec->tag != DEC_LOCAL ? doc : dec->local.dec->doc;
  dec->attrs = attrs;
  dec->span = span_from(p, from);
  return dec;
}

// After an error: on to the next token that begins a declaration at the start of a line.
static void skip_to_dec(Parser *p) {
  for (;; p->at++) {
    TokTag tag = tok(p);
    uint32_t from = p->toks[p->at].from;
    if (tag == TOK_EOF) return;
    if (from > 0 && p->src->text[from - 1] != '\n') continue;
    if (tag == TOK_DEF || tag == TOK_LET || tag == TOK_ENTRY || tag == TOK_TYPE ||
        tag == TOK_MODULE || tag == TOK_OPEN || tag == TOK_IMPORT || tag == TOK_LOCAL ||
        tag == TOK_DOC || tag == TOK_ATTR)
      return;
  }
}

// Two doc comments in a row: the first belongs to the file.
void parse_file(Parser *p) {
  if (tok(p) == TOK_DOC && tok_at(p, 1) == TOK_DOC) p->file->doc = parse_doc(p);
  while (tok(p) != TOK_EOF) {
    int start = p->at;
    if (setjmp(p->bail) == 0) {
      Dec *dec = parse_dec(p);  // before the list grows: it may leave
      list_push(p->arena, &p->file->decs, dec);
      continue;
    }
    p->depth = 0;
    if (p->at == start) p->at++;
    skip_to_dec(p);
  }
}
