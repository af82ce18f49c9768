// Structs, unions and enumerations, laid out as LP64 machines do.
#include "local.h"

static CRecord *record_named(C *c, CTypeTag tag, Name name, bool here) {
  CRecord *r = name ? scope_tag(c, name, here) : NULL;
  if (r && r->tag != tag) parse_fail(c, token_at(c)->at, "[c-type] `%.80s` is declared otherwise.",
      name);
  if (r) return r;
  r = NEW(c->arena, CRecord);
  *r = (CRecord){.tag = tag, .name = name, .at = token_at(c)->at};
  if (name) scope_add_tag(c, name, r);
  return r;
}

static void field(C *c, CRecord *r, Declared d, const CRecord *defines) {
  if (at_punct(c, ":"))
    parse_fail_hint(c, token_at(c)->at, "[c-bitfield] Bit-fields are not supported.",
                    "write a member of an integer type");
  if (!d.name) parse_fail(c, d.at, "[c-unsupported] A member without a name is not supported.");
  int64_t size = ctype_size(d.type);
  if (size < 0) parse_fail(c, d.at, "[c-type] The size of member `%.80s` is not known.", d.name);
  for (int i = 0; i < r->fields.len; i++)
    if (r->fields.at[i].name == d.name) parse_fail(c, d.at, "[c-type] Two members `%.80s`.",
        d.name);
  int64_t align = ctype_align(d.type), offset = (r->size + align - 1) / align * align;
  if (r->tag == CTYPE_UNION) offset = 0;
  list_push(c->arena, &r->fields, (CField){d.name, d.type, offset, d.at, defines});
  if (offset + size > r->size) r->size = offset + size;
  if (align > r->align) r->align = align;
}

static void fields(C *c, CRecord *r) {
  while (!take_punct(c, "}")) {
    if (take_punct(c, ";")) continue;
    if (at_keyword(c, KW_ASSERT)) {
      static_assertion(c);
      continue;
    }
    comments_before(c);
    Specifiers s = specifiers(c);
    do {
      field(c, r, declarator(c, s.type), s.record);
      s.record = NULL;
    } while (take_punct(c, ","));
    expect_punct(c, ";");
  }
  comments_before(c);
}

static void defined_add(C *c, CRecord *r, bool system) {
  r->complete = true;
  r->owner = c->function;
  if (!system) list_push(c->arena, &c->unit->records, r);
}

CRecord *record_specifier(C *c, bool *defined) {
  CTypeTag tag = at_keyword(c, KW_STRUCT) ? CTYPE_STRUCT : CTYPE_UNION;
  c->pos++;
  skip_attributes(c);
  Name name = token_at(c)->tag == TOK_NAME ? expect_name(c, "a name") : NULL;
  bool body = at_punct(c, "{");
  if (!name && !body) parse_fail(c, token_at(c)->at, "[c-syntax] Expected `{` or a name.");
  CRecord *r = record_named(c, tag, name, body);
  if (!body) return r;
  if (r->complete) parse_fail(c, token_at(c)->at, "[c-type] `%.80s` is defined a second time.",
      name);
  bool system = token_at(c)->system;
  c->pos++;
  enter(c);
  fields(c, r);
  leave(c);
  if (r->align) r->size = (r->size + r->align - 1) / r->align * r->align;
  defined_add(c, r, system);
  *defined = true;
  skip_attributes(c);
  return r;
}

static void enumerators(C *c, CRecord *r) {
  int64_t next = 0;
  while (!take_punct(c, "}")) {
    comments_before(c);
    Span at = token_at(c)->at;
    Name name = expect_name(c, "an enumerator");
    const CExpr *written = NULL;
    if (take_punct(c, "=")) {
      written = conditional(c);
      if (!cexpr_integer(written, &next))
        parse_fail(c, at, "[c-type] The value of `%.80s` is no constant.", name);
    }
    CEnumerator *e = NEW(c->arena, CEnumerator);
    *e = (CEnumerator){name, next, written};
    list_push(c->arena, &r->enumerators, e);
    scope_add(c, name, (Symbol){.tag = SYM_ENUMERATOR, .enumerator = e});
    next++;
    if (!take_punct(c, ",")) {
      expect_punct(c, "}");
      return;
    }
  }
}

CRecord *enum_specifier(C *c, bool *defined) {
  c->pos++;
  skip_attributes(c);
  Name name = token_at(c)->tag == TOK_NAME ? expect_name(c, "a name") : NULL;
  bool body = at_punct(c, "{");
  CRecord *r = record_named(c, CTYPE_ENUM, name, body);
  if (!body) return r;
  bool system = token_at(c)->system;
  c->pos++;
  enumerators(c, r);
  defined_add(c, r, system);
  *defined = true;
  return r;
}
