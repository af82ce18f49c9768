// Statements, functions and units as C text, in the layout of the source: its indent, the place of
// its braces, its comments.
#include "local.h"

static void indent(Text *out, int depth, CLayout l) {
  text_printf(out, "%*s", depth * l.indent, "");
}

static void note_origin(const Text *out, CLayout l, Span from) {
  if (l.printed && from.src)
    list_push(l.printed->arena, &l.printed->list, ((CPrinted){out->len, from}));
}

static void comments(Text *out, const CTexts *list, int depth, CLayout l) {
  for (int i = 0; i < list->len; i++) {
    indent(out, depth, l);
    text_printf(out, "%s\n", list->at[i]);
  }
}

static bool untagged(const CRecord *r) {
  return r && !r->name && !r->alias && r->tag != CTYPE_ENUM;
}

static const CType *named_type(const CType *t) {
  Text unused = {0};
  const CType *base = ctype_declarator(&unused, t, "");
  text_free(&unused);
  return base;
}

static void print_record(Text *out, const CRecord *r, int depth, CLayout l);

// Members of one struct without a tag have one declaration.
static bool field_shares(const CRecord *r, int i) {
  const CField *f = &r->fields.at[i];
  const CRecord *base = named_type(f->type)->record;
  return i && !f->record && untagged(base) && named_type(f[-1].type)->record == base;
}

static void print_field(Text *out, const CRecord *r, int i, int depth, CLayout l) {
  const CField *f = &r->fields.at[i];
  Text d = {0};
  const CType *base = ctype_declarator(&d, f->type, f->name);
  if (field_shares(r, i)) text_puts(out, ", ");
  else {
    if (i) text_puts(out, ";\n");
    indent(out, depth, l);
    if (f->record && base->quals & CQ_CONST) text_puts(out, "const ");
    if (f->record) print_record(out, f->record, depth, l);
    else ctype_specifiers(out, base);
    text_putc(out, ' ');
  }
  text_puts(out, d.at);
  text_free(&d);
}

static void print_record(Text *out, const CRecord *r, int depth, CLayout l) {
  const char *word = r->tag == CTYPE_STRUCT ? "struct" : r->tag == CTYPE_UNION ? "union" : "enum";
  text_printf(out, "%s %s%s{\n", word, r->name ? r->name : "", r->name ? " " : "");
  for (int i = 0; i < r->fields.len; i++) print_field(out, r, i, depth + 1, l);
  if (r->fields.len) text_puts(out, ";\n");
  for (int i = 0; i < r->enumerators.len; i++) {
    indent(out, depth + 1, l);
    text_printf(out, "%s = %lld,\n", r->enumerators.at[i]->name,
                (long long)r->enumerators.at[i]->value);
  }
  indent(out, depth, l);
  text_putc(out, '}');
}

static void storage(Text *out, CStorage s) {
  if (s == CSTORE_STATIC) text_puts(out, "static ");
  if (s == CSTORE_EXTERN) text_puts(out, "extern ");
  if (s == CSTORE_REGISTER) text_puts(out, "register ");
}

// Declarators that one declaration may have: of one type and storage.
static bool share_specifiers(const CVar *a, const CVar *b) {
  const CType *t = named_type(a->type), *u = named_type(b->type);
  return a->storage == b->storage && t->tag == u->tag && t->quals == u->quals &&
         t->alias == u->alias && t->record == u->record;
}

// record: defined by this declaration; NULL: none.
static void print_vars(Text *out, const CVars *vars, const CRecord *record, int depth, CLayout l) {
  for (int i = 0; i < vars->len; i++) {
    const CVar *v = vars->at[i];
    bool next = i && share_specifiers(vars->at[i - 1], v);
    Text d = {0};
    const CType *base = ctype_declarator(&d, v->type, v->name);
    if (i) text_puts(out, next ? ", " : "; ");
    if (!next) {
      storage(out, v->storage);
      if (!i && record && base->quals & CQ_CONST) text_puts(out, "const ");
      if (!i && record) print_record(out, record, depth, l);
      else ctype_specifiers(out, base);
      text_putc(out, ' ');
    }
    text_puts(out, d.at);
    text_free(&d);
    if (!v->init) continue;
    text_puts(out, " = ");
    cexpr_print(out, v->init);
  }
}

static void print_decl(Text *out, const CStmt *s, int depth, CLayout l) {
  if (s->record && !s->vars.len) print_record(out, s->record, depth, l);
  print_vars(out, &s->vars, s->record, depth, l);
  text_putc(out, ';');
}

static void end_line(Text *out, const CStmt *s) {
  if (s->after) text_printf(out, "  %s", s->after);
  text_putc(out, '\n');
}

static bool is_label(const CStmt *s) { return s->tag == CS_CASE || s->tag == CS_DEFAULT; }

// Between the labels of a switch statements stand deeper than the labels.
static void print_block(Text *out, const CStmt *b, int depth, CLayout l) {
  bool labels = false;
  text_puts(out, "{\n");
  for (int i = 0; i < b->stmts.len; i++) {
    labels = labels || is_label(b->stmts.at[i]);
    cstmt_print(out, b->stmts.at[i], depth + (labels && !is_label(b->stmts.at[i]) ? 2 : 1), l);
  }
  indent(out, depth, l);
  text_putc(out, '}');
}

static bool ends_in_if(const CStmt *s) {
  while (s) {
    if (s->tag == CS_IF && !s->other) return true;
    if (s->tag == CS_IF) s = s->other;
    else if (s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_LABEL || s->tag == CS_CASE ||
             s->tag == CS_DEFAULT) s = s->body;
    else return false;
  }
  return false;
}

// The body of a condition or loop: on its line in braces, or below.
static bool print_body(Text *out, const CStmt *s, int depth, CLayout l) {
  if (s->tag == CS_BLOCK && s->before.len == 0) {
    text_putc(out, ' ');
    print_block(out, s, depth, l);
    return true;
  }
  text_putc(out, '\n');
  cstmt_print(out, s, depth + 1, l);
  return false;
}

static void print_if(Text *out, const CStmt *s, int depth, CLayout l) {
  text_puts(out, "if (");
  cexpr_print(out, s->x);
  text_putc(out, ')');
  CStmt wrapped = {.tag = CS_BLOCK};
  const CStmt *one[1] = {s->body}, *body = s->body;
  if (s->other && body->tag != CS_BLOCK && ends_in_if(body)) {
    wrapped.stmts.at = one;
    wrapped.stmts.len = 1;
    body = &wrapped;
  }
  bool braces = print_body(out, body, depth, l);
  if (!s->other) {
    if (braces) end_line(out, s);
    return;
  }
  if (!braces) indent(out, depth, l);
  text_puts(out, braces ? " else" : "else");
  if (s->other->tag == CS_IF && s->other->before.len == 0) {
    text_putc(out, ' ');
    print_if(out, s->other, depth, l);
    return;
  }
  if (print_body(out, s->other, depth, l)) end_line(out, s);
}

static void print_for(Text *out, const CStmt *s, int depth, CLayout l) {
  text_puts(out, "for (");
  if (s->init && s->init->tag == CS_DECL)
    print_vars(out, &s->init->vars, s->init->record, depth, l);
  else if (s->init) cexpr_print(out, s->init->x);
  text_puts(out, ";");
  if (s->x) {
    text_putc(out, ' ');
    cexpr_print(out, s->x);
  }
  text_puts(out, ";");
  if (s->step) {
    text_putc(out, ' ');
    cexpr_print(out, s->step);
  }
  text_putc(out, ')');
  if (print_body(out, s->body, depth, l)) end_line(out, s);
}

static void print_headed(Text *out, const CStmt *s, int depth, CLayout l) {
  text_puts(out, s->tag == CS_WHILE ? "while (" : "switch (");
  cexpr_print(out, s->x);
  text_putc(out, ')');
  if (print_body(out, s->body, depth, l)) end_line(out, s);
}

static void print_do(Text *out, const CStmt *s, int depth, CLayout l) {
  text_puts(out, "do");
  if (print_body(out, s->body, depth, l)) text_putc(out, ' ');
  else indent(out, depth, l);
  text_puts(out, "while (");
  cexpr_print(out, s->x);
  text_puts(out, ");");
  end_line(out, s);
}

static void print_label(Text *out, const CStmt *s, int depth, CLayout l) {
  if (s->tag == CS_LABEL) text_printf(out, "%s:\n", s->label);
  else if (s->tag == CS_DEFAULT) text_puts(out, "default:\n");
  else {
    text_puts(out, "case ");
    cexpr_print(out, s->x);
    text_puts(out, ":\n");
  }
  bool declares = s->body->tag == CS_DECL || s->body->tag == CS_PRAGMA;
  if (declares) {
    indent(out, depth + 1, l);
    text_puts(out, ";\n");
  }
  bool again = s->body->tag == CS_CASE || s->body->tag == CS_DEFAULT;
  cstmt_print(out, s->body, again ? depth : depth + 1, l);
}

static void print_simple(Text *out, const CStmt *s) {
  switch ((int)s->tag) {
    case CS_EXPR: cexpr_print(out, s->x); break;
    case CS_GOTO: text_printf(out, "goto %s", s->label); break;
    case CS_BREAK: text_puts(out, "break"); break;
    case CS_CONTINUE: text_puts(out, "continue"); break;
    case CS_RETURN:
      text_puts(out, "return");
      if (s->x) text_putc(out, ' ');
      if (s->x) cexpr_print(out, s->x);
      break;
    default: break;
  }
  text_putc(out, ';');
  end_line(out, s);
}

// Pragmas for derivatives are not for those of derivatives, and C compilers warn of them.
static void print_pragma(Text *out, const CStmt *s, int depth, CLayout l) {
  if (l.printed && !s->inside && strncmp(s->text, "dagaz ", 6) == 0) return;
  if (s->inside) {
    indent(out, depth, l);
    text_printf(out, "/* $AD %s */\n", s->text);
  } else text_printf(out, "#pragma %s\n", s->text);
}

void cstmt_print(Text *out, const CStmt *s, int depth, CLayout l) {
  comments(out, &s->before, depth, l);
  if (s->tag == CS_EMPTY && s->before.len && !s->after && s->at.from == s->at.to) return;
  if (s->tag == CS_PRAGMA) {
    print_pragma(out, s, depth, l);
    return;
  }
  note_origin(out, l, s->at);
  indent(out, depth, l);
  switch (s->tag) {
    case CS_EMPTY: case CS_EXPR: case CS_GOTO: case CS_BREAK: case CS_CONTINUE: case CS_RETURN:
      print_simple(out, s);
      return;
    case CS_DECL:
      print_decl(out, s, depth, l);
      end_line(out, s);
      return;
    case CS_BLOCK:
      print_block(out, s, depth, l);
      end_line(out, s);
      return;
    case CS_IF: print_if(out, s, depth, l); return;
    case CS_FOR: print_for(out, s, depth, l); return;
    case CS_WHILE: case CS_SWITCH: print_headed(out, s, depth, l); return;
    case CS_DO: print_do(out, s, depth, l); return;
    case CS_CASE: case CS_DEFAULT: case CS_LABEL: print_label(out, s, depth, l); return;
    case CS_PRAGMA: return;
  }
}

void cfunction_head_print(Text *out, const CFunction *f) {
  if (f->is_static) text_puts(out, "static ");
  if (f->is_inline) text_puts(out, "inline ");
  if (f->is_noreturn) text_puts(out, "_Noreturn ");
  ctype_print(out, f->type, f->name);
}

void cfunction_print(Text *out, const CFunction *f, CLayout l) {
  CLayout none = l;
  comments(out, &f->before, 0, none);
  note_origin(out, l, f->at);
  cfunction_head_print(out, f);
  text_puts(out, l.brace_below ? "\n" : " ");
  print_block(out, f->body, 0, l);
  text_putc(out, '\n');
}

// ---- units --------------------------------------------------------------------------------------
static void print_extern(Text *out, const CVars *vars) {
  for (int i = 0; i < vars->len; i++) {
    text_puts(out, i ? "; extern " : "extern ");
    ctype_print(out, vars->at[i]->type, vars->at[i]->name);
  }
}

static void print_item(Text *out, const CItem *item, CLayout l) {
  if (item->tag != CITEM_FUNCTION || !item->defines) comments(out, &item->before, 0, l);
  switch (item->tag) {
    case CITEM_FUNCTION:
      if (item->defines) {
        text_putc(out, '\n');
        cfunction_print(out, item->function, l);
        return;
      }
      if (item->function->is_static) text_puts(out, "static ");
      ctype_print(out, item->type, item->function->name);
      text_puts(out, ";\n");
      return;
    case CITEM_VARS:
      if (item->record && !item->defines && !untagged(item->record)) {
        print_record(out, item->record, 0, l);
        text_puts(out, ";\n");
      }
      if (item->defines) print_vars(out, &item->vars, item->record, 0, l);
      else print_extern(out, &item->vars);
      text_puts(out, ";\n");
      return;
    case CITEM_RECORD:
      print_record(out, item->record, 0, l);
      text_puts(out, ";\n");
      return;
    case CITEM_TYPEDEF:
      if (item->record && item->record->name) {
        print_record(out, item->record, 0, l);
        text_puts(out, ";\n");
      }
      text_puts(out, "typedef ");
      if (item->record && !item->record->name) {
        print_record(out, item->record, 0, l);
        text_printf(out, " %s", item->name);
      } else ctype_print(out, item->type, item->name);
      text_puts(out, ";\n");
      return;
    case CITEM_PRAGMA: text_printf(out, "#pragma %s\n", item->text); return;
  }
}

void cunit_print(Text *out, const CUnit *unit) {
  for (int i = 0; i < unit->includes.len; i++) text_printf(out, "%s\n", unit->includes.at[i]);
  for (int i = 0; i < unit->items.len; i++)
    if (!unit->items.at[i].included) print_item(out, &unit->items.at[i], unit->layout);
}
