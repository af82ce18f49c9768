// Lengths of arrays: what the user says (--length, #pragma dagaz length), declares, or what the
// accesses tell.
#include <stdlib.h>
#include "local.h"

// Text in parentheses; its value is -1 where it is no number.
static const CExpr *raw(Arena *arena, const char *text) {
  CExpr *e = NEW(arena, CExpr);
  char *end;
  long long value = strtoll(text + 1, &end, 10);
  if (strcmp(end, ")") != 0) value = -1;
  *e = (CExpr){.tag = CE_INT, .type = &ctype_long, .value = value, .spelling = text};
  return e;
}

// x[n*d], y[3]: the text between the brackets after the name.
static const CExpr *said(Arena *arena, const char *text, const char *name) {
  size_t len = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p++) {
    bool start = p == text || strchr(" ,*\t", p[-1]);
    if (!start || p[len] != '[') continue;
    int depth = 1;
    const char *from = p + len + 1, *q = from;
    for (; *q && depth; q++) depth += *q == '[' ? 1 : *q == ']' ? -1 : 0;
    if (depth) return NULL;
    return raw(arena, arena_printf(arena, "(%.*s)", (int)(q - 1 - from), from));
  }
  return NULL;
}

static const CExpr *in_pragmas(const CProgram *p, const CFunction *f, const char *name) {
  const CUnit *unit = NULL;
  const CExpr *found = NULL;
  for (int u = 0; u < p->units.len; u++)
    if (cunit_function(p->units.at[u], f->name) == f) unit = p->units.at[u];
  bool before = true;
  for (int i = 0; unit && i < unit->items.len && before; i++) {
    const CItem *item = &unit->items.at[i];
    if (item->tag == CITEM_FUNCTION && item->defines) {
      before = item->function != f;
      if (before) found = NULL;
    }
    if (item->tag == CITEM_PRAGMA && strncmp(item->text, "dagaz length ", 13) == 0) {
      const CExpr *e = said(p->arena, item->text + 13, name);
      if (e) found = e;
    }
  }
  return found;
}

const CExpr *cdiff_length_said(CProgram *p, const CNames *lengths, const CFunction *f,
                               const char *name) {
  const CExpr *e = NULL;
  for (int i = 0; i < lengths->len && !e; i++) e = said(p->arena, lengths->at[i], name);
  return e ? e : in_pragmas(p, f, name);
}

const CExpr *cdiff_length_known(CProgram *p, const CNames *lengths, const CFunction *f,
                                const CVar *v) {
  const CExpr *e = cdiff_length_said(p, lengths, f, v->name);
  if (!e && v->type->was_array && v->type->length) e = v->type->length;
  if (!e) e = clength_of(p, f, v);
  return e;
}

_Noreturn void cdiff_length_refuse_member(CProgram *p, const CVar *v, const char *path) {
  diag_error(p->diag, v->at, "[c-length] How long `%s%s` is cannot be told from its uses.", v->name,
             path);
  diag_hint(p->diag, "say it in terms of the parameters: --length \"%s%s[n]\", or `#pragma dagaz "
            "length %s%s[n]`", v->name, path, v->name, path);
  stop_now(STATUS_USER_ERROR);
}

_Noreturn void cdiff_length_refuse(CProgram *p, const CVar *v) {
  diag_error(p->diag, v->at, "[c-length] How long `%s` is cannot be told from its uses.", v->name);
  diag_hint(p->diag, "write `%s[n]` in the parameter list, `#pragma dagaz length %s[n]`, or "
            "--length \"%s[n]\"", v->name, v->name, v->name);
  stop_now(STATUS_USER_ERROR);
}

// A length that users say in terms of an unsigned parameter, which no counter is compared with.
static bool said_unsigned(const CFunction *f, const CExpr *e) {
  for (int i = 0; e->spelling && i < f->params.len; i++) {
    const CVar *v = f->params.at[i];
    bool is = ctype_is_integer(v->type) && !ctype_is_signed(v->type);
    if (is && v->name && strstr(e->spelling, v->name)) return true;
  }
  return false;
}

const CExpr *cdiff_length(Derived *f, const CVar *v) {
  const CExpr *e = cdiff_length_known(f->d->p, &f->d->options->lengths, f->source, v);
  if (!e) cdiff_length_refuse(f->d->p, v);
  if (!ctype_is_signed(e->type) || said_unsigned(f->source, e)) {
    CExpr *cast = NEW(f->d->arena, CExpr);
    *cast = (CExpr){.tag = CE_CAST, .type = &ctype_long, .x = e};
    return cast;
  }
  return e->tag == CE_BINARY ? cbuild_convert(f->d->arena, e, &ctype_long) : e;
}
