// Declaration specifiers: storage, qualifiers and the words that make a type.
#include "local.h"

bool starts_type(const C *c, const Token *t) {
  switch ((int)t->keyword) {
    case KW_CHAR: case KW_CONST: case KW_DOUBLE: case KW_ENUM: case KW_EXTERN: case KW_FLOAT:
    case KW_INLINE: case KW_INT: case KW_LONG: case KW_REGISTER: case KW_RESTRICT: case KW_SHORT:
    case KW_SIGNED: case KW_STATIC: case KW_STRUCT: case KW_TYPEDEF: case KW_UNION:
    case KW_UNSIGNED: case KW_VOID: case KW_VOLATILE: case KW_ALIGNAS: case KW_ATOMIC:
    case KW_BOOL: case KW_COMPLEX: case KW_NORETURN: case KW_THREAD: case KW_ATTRIBUTE:
    case KW_EXTENSION: case KW_TYPEOF: case KW_INT128: case KW_FLOAT128: case KW_FLOAT16:
    case KW_FLOATX: case KW_AUTO:
      return true;
    default: break;
  }
  if (t->tag != TOK_NAME) return false;
  const Symbol *s = scope_find(c, t->text);
  return s && s->tag == SYM_TYPEDEF;
}

// How often each word of a type stands there.
typedef struct {
  int is_signed, is_unsigned, longs, is_short, chars, ints, floats, doubles, voids, bools;
  const CType *type;     // of a struct, union, enum, typedef
} Words;

static const CType *words_type(C *c, const Words *w) {
  if (w->type) return w->type;
  bool u = w->is_unsigned > 0;
  if (w->voids) return &ctype_void;
  if (w->bools) return &ctype_bool;
  if (w->floats) return &ctype_float;
  if (w->doubles) return w->longs ? &ctype_ldouble : &ctype_double;
  if (w->chars) return ctype_basic(u ? CTYPE_UCHAR : w->is_signed ? CTYPE_SCHAR : CTYPE_CHAR);
  if (w->is_short) return ctype_basic(u ? CTYPE_USHORT : CTYPE_SHORT);
  if (w->longs > 1) return ctype_basic(u ? CTYPE_ULLONG : CTYPE_LLONG);
  if (w->longs) return u ? &ctype_ulong : &ctype_long;
  if (w->ints || w->is_signed || u) return u ? &ctype_uint : &ctype_int;
  parse_fail(c, token_at(c)->at, "[c-syntax] Expected a type before `%.40s`.", token_at(c)->text);
}

static bool basic_word(C *c, Words *w) {
  int *count = NULL;
  switch ((int)token_at(c)->keyword) {
    case KW_SIGNED: count = &w->is_signed; break;
    case KW_UNSIGNED: count = &w->is_unsigned; break;
    case KW_LONG: count = &w->longs; break;
    case KW_SHORT: count = &w->is_short; break;
    case KW_CHAR: count = &w->chars; break;
    case KW_INT: count = &w->ints; break;
    case KW_FLOAT: count = &w->floats; break;
    case KW_DOUBLE: count = &w->doubles; break;
    case KW_VOID: count = &w->voids; break;
    case KW_BOOL: count = &w->bools; break;
    default: return false;
  }
  ++*count;
  c->pos++;
  return true;
}

static void unsupported_word(C *c, const Token *t) {
  switch ((int)t->keyword) {
    case KW_COMPLEX:
      parse_fail_hint(c, t->at, "[c-complex] Complex numbers are not supported.",
                      "write real and imaginary part as two numbers");
    case KW_ATOMIC:
      parse_fail_hint(c, t->at, "[c-atomic] Atomic types are not supported.",
                      "leave `_Atomic` out: derivatives run in one thread");
    case KW_INT128: case KW_FLOAT128: case KW_FLOAT16: case KW_FLOATX:
      parse_fail_hint(c, t->at, "[c-gnu] This type is not supported.",
                      "write double, or an integer of at most 64 bits");
    case KW_THREAD:
      parse_fail(c, t->at, "[c-unsupported] Variables of threads are not supported.");
    default: break;
  }
}

static bool storage_word(C *c, Specifiers *s) {
  if (take_keyword(c, KW_TYPEDEF)) return s->is_typedef = true;
  if (take_keyword(c, KW_STATIC)) return s->storage = CSTORE_STATIC, true;
  if (take_keyword(c, KW_EXTERN)) return s->storage = CSTORE_EXTERN, true;
  if (take_keyword(c, KW_REGISTER)) return s->storage = CSTORE_REGISTER, true;
  if (take_keyword(c, KW_INLINE)) return s->is_inline = true;
  if (take_keyword(c, KW_NORETURN)) return s->is_noreturn = true;
  return take_keyword(c, KW_AUTO);
}

static bool qualifier(C *c, unsigned *quals) {
  const Token *t = token_at(c);
  unsigned q = t->keyword == KW_CONST      ? CQ_CONST
               : t->keyword == KW_VOLATILE ? CQ_VOLATILE
               : t->keyword == KW_RESTRICT ? CQ_RESTRICT
                                           : 0;
  if (!q) return false;
  if (q == CQ_VOLATILE && !t->system)
    diag_warn(c->diag, t->at, "[c-volatile] `volatile` is ignored by derivatives.");
  *quals |= q;
  c->pos++;
  return true;
}

static const CType *typeof_type(C *c) {
  Ahead *ahead = c->ahead, measured = {0};
  c->pos++;
  c->ahead = &measured;
  expect_punct(c, "(");
  const CType *t = starts_type(c, token_at(c)) ? type_name(c) : expression(c)->type;
  expect_punct(c, ")");
  c->ahead = ahead;
  return t;
}

static const CType *record_type(C *c, CRecord *r) {
  CType *t = NEW(c->arena, CType);
  *t = (CType){.tag = r->tag, .record = r, .count = -1};
  return t;
}

static bool named_type(C *c, Words *w) {
  bool none = !w->type && !w->ints && !w->chars && !w->longs && !w->is_short && !w->is_signed &&
              !w->is_unsigned && !w->floats && !w->doubles && !w->voids && !w->bools;
  const Token *t = token_at(c);
  if (t->tag != TOK_NAME || !none) return false;
  const Symbol *s = scope_find(c, t->text);
  if (!s || s->tag != SYM_TYPEDEF) return false;
  CType *named = arena_copy(c->arena, s->type, sizeof *named);
  if (!s->local) named->alias = t->text;
  w->type = named;
  c->pos++;
  return true;
}

static void alignas_skip(C *c) {
  c->pos++;
  if (at_punct(c, "(")) skip_parens(c);
}

Specifiers specifiers(C *c) {
  Specifiers s = {0};
  Words w = {0};
  unsigned quals = 0;
  bool defined = false;
  for (;;) {
    skip_attributes(c);
    unsupported_word(c, token_at(c));
    if (storage_word(c, &s) || qualifier(c, &quals) || basic_word(c, &w)) continue;
    if (at_keyword(c, KW_ALIGNAS)) alignas_skip(c);
    else if (at_keyword(c, KW_TYPEOF)) w.type = typeof_type(c);
    else if (at_keyword(c, KW_STRUCT) || at_keyword(c, KW_UNION) || at_keyword(c, KW_ENUM)) {
      CRecord *r = at_keyword(c, KW_ENUM) ? enum_specifier(c, &defined)
          : record_specifier(c, &defined);
      if (defined) s.record = r;
      w.type = record_type(c, r);
    } else if (!named_type(c, &w)) break;
  }
  const CType *type = words_type(c, &w);
  s.type = ctype_qualified(c->arena, type, type->quals | quals);
  return s;
}
