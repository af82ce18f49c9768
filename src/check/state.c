// The checker's state: errors of a binding, scopes, new names.
#include "local.h"
#include <string.h>

void report(Checker *c, Span at, const char *fmt, ...) {
  c->reported = !c->failed;
  if (c->failed) return;
  c->failed = true;
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  diag_error(c->diag, at, "%s", text.at);
  text_free(&text);
}

int names_scope_begin(Checker *c) { return c->undo.len; }

void names_scope_end(Checker *c, int mark) {
  while (c->undo.len > mark) {
    Undo u = c->undo.at[--c->undo.len];
    map_put(c->scope[u.space], KEY(u.name), u.old);
  }
}

void scope_put(Checker *c, Space space, Name name, void *what) {
  Undo u = {space, name, map_get(c->scope[space], KEY(name))};
  list_push(c->arena, &c->undo, u);
  map_put(c->scope[space], KEY(name), what);
}

void *scope_get(const Checker *c, Space space, Name name) {
  return map_get(c->scope[space], KEY(name));
}

Binding *binding_new(Checker *c, BindTag tag, Name name, Span span, SType *type) {
  Binding *b = NEW(c->arena, Binding);
  b->tag = tag;
  b->name = name;
  b->id = c->next_id++;
  b->level = c->level;
  b->span = span;
  b->type = type;
  return b;
}

TypeDef *typedef_new(Checker *c, TypeDefTag tag, Name name, Span span, Lift lift) {
  TypeDef *def = NEW(c->arena, TypeDef);
  def->tag = tag;
  def->name = name;
  def->id = c->next_id++;
  def->level = c->level;
  def->span = span;
  def->lift = lift;
  return def;
}

Inst *inst_new(Checker *c) { return NEW(c->arena, Inst); }

Info *info_of(Checker *c, Info **slot) {
  if (!*slot) *slot = NEW(c->arena, Info);
  return *slot;
}

// Abstract types print with the path by which they are reached from here.
static void show_def(Checker *c, TypeDef *def) {
  if (def->tag != TYPEDEF_ABSTRACT) return;
  def->shown = NULL;
  const Map *terms = c->scope[SPACE_TERM];
  if (scope_get(c, SPACE_TYPE, def->name) == def) return;
  for (int i = 0; i < map_len(terms) && !def->shown; i++) {
    const Binding *b = map_value_at(terms, i);
    if (!b || b->tag != BIND_MODULE) continue;
    NameList path = path_find(c, b->mod, def);
    if (path.len)
      def->shown = arena_printf(c->arena, "%s.%s", b->name, path_text(c, &path, path.len));
  }
}

static void show_defs(Checker *c, SType *type) {
  TypeDefList defs = stype_defs(c, type);
  for (int i = 0; i < defs.len; i++) show_def(c, defs.at[i]);
}

const char *stype_text(Checker *c, SType *type) {
  Text text = {0};
  show_defs(c, type);
  vars_number(c, type);
  stype_print(&text, type);
  const char *s = arena_strndup(c->arena, text.at, text.len);
  text_free(&text);
  return s;
}

const char *exp_text(Checker *c, const Expr *exp) {
  Text text = {0};
  exp_print(&text, exp);
  const char *s = text.len > 60 ? arena_printf(c->arena, "%.57s...", text.at)
                                : arena_strndup(c->arena, text.at, text.len);
  text_free(&text);
  return s;
}

const char *type_exp_text(Checker *c, const TypeExp *exp) {
  Text text = {0};
  type_exp_print(&text, exp);
  const char *s = arena_strndup(c->arena, text.at, text.len);
  text_free(&text);
  return s;
}

const char *path_text(Checker *c, const NameList *parts, int len) {
  const char *s = parts->at[0];
  for (int i = 1; i < len; i++) s = arena_printf(c->arena, "%s.%s", s, parts->at[i]);
  return s;
}
