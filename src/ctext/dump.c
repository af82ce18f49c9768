// The tree as text with its types, for tests: one line for each statement, expressions in prefix
// form, `(op type operands)`.
#include "local.h"

static void dump_type(Text *out, const CType *t) { ctype_print(out, t, ""); }

static void dump_expr(Text *out, const CExpr *e);

static void dump_parts(Text *out, const CExpr *e) {
  const CExpr *parts[] = {e->x, e->y, e->z};
  for (int i = 0; i < 3; i++) {
    if (!parts[i]) continue;
    text_putc(out, ' ');
    dump_expr(out, parts[i]);
  }
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) {
    text_putc(out, ' ');
    dump_expr(out, e->args[i]);
  }
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++) {
    text_printf(out, " %lld:", (long long)e->elems[i].at);
    dump_expr(out, e->elems[i].value);
  }
}

static void dump_head(Text *out, const CExpr *e) {
  static const char *const names[] = {
      "int", "float", "string", "var", "function", "unary", "binary", "assign", "step", "cond",
      "call", "index", "member", "cast", "convert", "sizeof", "comma", "list", "compound"};
  text_puts(out, names[e->tag]);
  if (e->op) text_printf(out, " %s", cop_text(e->op));
  if (e->tag == CE_MEMBER) text_printf(out, " %s%s", e->arrow ? "->" : ".", e->field->name);
  text_puts(out, " <");
  dump_type(out, e->type);
  text_putc(out, '>');
}

static void dump_expr(Text *out, const CExpr *e) {
  if (e->tag == CE_VAR) text_puts(out, e->var->name);
  else if (e->tag == CE_FUNCTION) text_puts(out, e->function->name);
  else if (e->tag == CE_INT) text_printf(out, "%lld", (long long)e->value);
  else if (e->tag == CE_FLOAT) text_printf(out, "%.17g", e->number);
  else if (e->tag == CE_STRING) text_puts(out, e->spelling);
  else {
    text_putc(out, '(');
    dump_head(out, e);
    dump_parts(out, e);
    text_putc(out, ')');
  }
}

static void dump_var(Text *out, const CVar *v) {
  text_puts(out, " ");
  ctype_print(out, v->type, v->name ? v->name : "");
  if (!v->init) return;
  text_puts(out, " = ");
  dump_expr(out, v->init);
}

static void dump_stmt(Text *out, const CStmt *s, int depth) {
  static const char *const names[] = {
      "empty", "expr", "decl", "block", "if", "for", "while", "do", "switch", "case", "default",
      "label", "goto", "break", "continue", "return", "pragma"};
  if (!s) return;
  for (int i = 0; i < s->before.len; i++) text_printf(out, "%*s%s\n", depth * 2, "",
      s->before.at[i]);
  text_printf(out, "%*s%s", depth * 2, "", names[s->tag]);
  if (s->label) text_printf(out, " %s", s->label);
  if (s->text) text_printf(out, " %s", s->text);
  for (int i = 0; i < s->vars.len; i++) dump_var(out, s->vars.at[i]);
  if (s->x) text_putc(out, ' ');
  if (s->x) dump_expr(out, s->x);
  if (s->step) text_puts(out, " step ");
  if (s->step) dump_expr(out, s->step);
  text_printf(out, "%s%s\n", s->after ? " " : "", s->after ? s->after : "");
  dump_stmt(out, s->init, depth + 1);
  dump_stmt(out, s->body, depth + 1);
  dump_stmt(out, s->other, depth + 1);
  for (int i = 0; i < s->stmts.len; i++) dump_stmt(out, s->stmts.at[i], depth + 1);
}

void cunit_dump(Text *out, const CUnit *unit) {
  for (int i = 0; i < unit->items.len; i++) {
    const CItem *item = &unit->items.at[i];
    if (item->tag == CITEM_VARS)
      for (int k = 0; k < item->vars.len; k++) {
        text_puts(out, "global");
        dump_var(out, item->vars.at[k]);
        text_putc(out, '\n');
      }
    if (item->tag == CITEM_PRAGMA) text_printf(out, "pragma %s\n", item->text);
    if (item->tag != CITEM_FUNCTION || !item->defines) continue;
    text_puts(out, "function ");
    cfunction_head_print(out, item->function);
    text_putc(out, '\n');
    dump_stmt(out, item->function->body, 1);
  }
}
