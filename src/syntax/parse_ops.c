// Operators: where one stands, taking it as an occurrence, taking it as a binding.
#include "local.h"
#include <string.h>

// binop = any operator token but prefix ! and lone = | "`" QUALID "`"
bool at_binop(const Parser *p, int *width) {
  TokTag tag = tok(p);
  *width = 1;
  if (tag == TOK_OP || tag == TOK_QUALOP || tag == TOK_MINUS) return true;
  if (tag != TOK_BACKTICK) return false;
  while (tok_at(p, *width) != TOK_BACKTICK) {
    if (tok_at(p, *width) != TOK_ID && tok_at(p, *width) != TOK_DOT) return false;
    ++*width;
  }
  ++*width;
  return true;
}

// The token `m.n.+` becomes the components m, n, +.
static VarRef split_qualop(Parser *p) {
  size_t len, from = 0;
  const char *s = tok_text(p, &len);
  VarRef ref = {.name.span = take(p)};
  for (size_t i = 0; i < len && !is_operator_char(s[from]); i++) {
    if (s[i] != '.') continue;
    list_push(p->arena, &ref.name.parts, name_intern(p->names, s + from, i - from));
    from = i + 1;
  }
  list_push(p->arena, &ref.name.parts, name_intern(p->names, s + from, len - from));
  return ref;
}

VarRef take_binop(Parser *p) {
  if (tok(p) == TOK_QUALOP) return split_qualop(p);
  if (tok(p) != TOK_BACKTICK) {
    Span at = tok_span(p);
    return var_ref(p, take_name(p), at);
  }
  Span from = take(p);
  VarRef ref = qual_ref(p);
  expect(p, TOK_BACKTICK, "'`'");
  ref.name.span = span_from(p, from);
  return ref;
}

Name bind_binop(Parser *p, Span *at) {
  VarRef ref = take_binop(p);
  *at = ref.name.span;
  if (ref.name.parts.len > 1)
    syntax_error(p, *at, "[qualified-binding] Cannot bind a qualified name: a definition names "
                         "one thing.");
  return ref.name.parts.at[0];
}

bool at_bind_operator(const Parser *p) {
  if (tok(p) != TOK_LPAREN) return false;
  Parser inner = {.toks = p->toks, .at = p->at + 1, .src = p->src};
  int width;
  return at_binop(&inner, &width) && tok_at(&inner, width) == TOK_RPAREN;
}

Name bind_operator(Parser *p, Span *at) {
  Span from = take(p);
  Name name = bind_binop(p, at);
  expect(p, TOK_RPAREN, "')'");
  *at = span_from(p, from);
  return name;
}
