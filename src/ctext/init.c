// Initialisers: `= e`, `= { .. }` with designators and with braces left out.  A list becomes the
// places that are named, each with its value; what is not named is zero.
#include "local.h"

static const CExpr *list_for(C *c, const CType *type, bool braces, int64_t *longest);

static bool is_aggregate(const CType *t) { return t->tag == CTYPE_ARRAY || ctype_is_record(t); }

static const CType *place_type(const CType *t, int64_t at) {
  if (t->tag == CTYPE_ARRAY) return t->base;
  return at < t->record->fields.len ? t->record->fields.at[at].type : NULL;
}

static int64_t places(const CType *t) {
  if (t->tag == CTYPE_ARRAY) return t->count >= 0 ? t->count : INT64_MAX;
  return t->tag == CTYPE_UNION ? 1 : t->record->fields.len;
}

// [3] =, [2 ... 4] =, .name =
static void designator(C *c, const CType *type, CInit *place) {
  if (take_punct(c, ".")) {
    Name name = expect_name(c, "the name of a member");
    const CField *f = ctype_field(type, name);
    if (!f) parse_fail(c, token_at(c)->at, "[c-type] There is no member `%.80s` here.", name);
    place->at = place->to = f - type->record->fields.at;
  } else {
    expect_punct(c, "[");
    if (type->tag != CTYPE_ARRAY || !cexpr_integer(conditional(c), &place->at) || place->at < 0)
      parse_fail(c, token_at(c)->at, "[c-type] This is not the number of an element.");
    place->to = place->at;
    if (take_punct(c, "...") && !cexpr_integer(conditional(c), &place->to))
      parse_fail(c, token_at(c)->at, "[c-type] This is not the number of an element.");
    expect_punct(c, "]");
    if (place->to < place->at || place->to > (int64_t)1 << 40)
      parse_fail(c, token_at(c)->at, "[c-type] This is not the number of an element.");
  }
  if (at_punct(c, "[") || at_punct(c, "."))
    parse_fail(c, token_at(c)->at,
        "[c-unsupported] A designator of several steps: write inner braces.");
  expect_punct(c, "=");
}

static const CExpr *string_for(C *c, const CType *type, int64_t *longest) {
  bool text = type->tag == CTYPE_ARRAY && ctype_is_integer(type->base) &&
              ctype_size(type->base) == 1 && token_at(c)->tag == TOK_STRING;
  if (!text) return NULL;
  const CExpr *e = literal(c);
  if (longest) *longest = (int64_t)e->len + 1;
  return e;
}

static const CExpr *value_for(C *c, const CType *type) {
  int64_t unused;
  if (at_punct(c, "{")) {
    if (is_aggregate(type)) return list_for(c, type, true, &unused);
    c->pos++;
    const CExpr *e = value_for(c, type);
    take_punct(c, ",");
    expect_punct(c, "}");
    return e;
  }
  const CExpr *text = string_for(c, type, NULL);
  if (text) return text;
  if (type->tag == CTYPE_ARRAY) return list_for(c, type, false, &unused);
  if (ctype_is_record(type)) {
    int from = c->pos;
    DiagMark mark = diag_mark(c->diag);
    const CExpr *e = assignment(c);
    if (ctype_same(e->type, type)) return e;
    diag_forget(c->diag, mark, diag_mark(c->diag));
    c->pos = from;
    return list_for(c, type, false, &unused);
  }
  return convert_assigned(c, assignment(c), type);
}

static const CExpr *list_for(C *c, const CType *type, bool braces, int64_t *longest) {
  int from = c->pos;
  LIST(CInit) elems = {0};
  CInit next = {0, 0, NULL};
  *longest = 0;
  enter(c);
  if (braces) expect_punct(c, "{");
  while (!(braces && at_punct(c, "}"))) {
    bool named = at_punct(c, "[") || at_punct(c, ".");
    if (named && !braces) break;
    if (named) designator(c, type, &next);
    if (next.to >= places(type)) parse_fail(c, token_at(c)->at,
        "[c-type] More values than places.");
    const CType *inner = place_type(type, next.at);
    if (!inner) parse_fail(c, token_at(c)->at, "[c-type] More values than places.");
    next.value = value_for(c, inner);
    list_push(c->arena, &elems, next);
    if (next.to + 1 > *longest) *longest = next.to + 1;
    next = (CInit){next.to + 1, next.to + 1, NULL};
    if (!braces && next.at >= places(type)) break;
    if (!at_punct(c, ",") || (!braces && is_punct(token_ahead(c, 1), "}"))) break;
    c->pos++;
  }
  if (braces) {
    take_punct(c, ",");
    expect_punct(c, "}");
  }
  leave(c);
  CExpr *e = expr_new(c, CE_LIST, span_since(c, from), type);
  e->elems = elems.at;
  e->nelems = elems.len;
  return e;
}

static const CType *with_count(C *c, const CType *t, int64_t count) {
  CType *full = arena_copy(c->arena, t, sizeof *full);
  full->count = count;
  return full;
}

const CExpr *initialiser(C *c, const CType *type, const CType **complete) {
  int64_t longest = 0;
  bool open = type->tag == CTYPE_ARRAY && !type->length && type->count < 0;
  const CExpr *e = string_for(c, type, &longest);
  if (!e && at_punct(c, "{") && is_aggregate(type)) e = list_for(c, type, true, &longest);
  if (!e && type->tag == CTYPE_ARRAY)
    parse_fail(c, token_at(c)->at, "[c-type] An array is initialised by values in braces.");
  if (!e) e = value_for(c, type);
  *complete = open ? with_count(c, type, longest) : type;
  if (open && e->tag == CE_LIST) ((CExpr *)(uintptr_t)e)->type = *complete;
  return e;
}
