// Expressions and types as C text.  Parentheses stand where precedence needs them and where they
// were written; implicit conversions are not printed.
#include "local.h"
#include <math.h>

enum { L_COMMA, L_ASSIGN, L_COND, L_OROR, L_UNARY = 13, L_POSTFIX, L_PRIMARY };

static int op_level(COp op) {
  switch ((int)op) {
    case COP_OROR: return L_OROR;
    case COP_ANDAND: return 4;
    case COP_OR: return 5;
    case COP_XOR: return 6;
    case COP_AND: return 7;
    case COP_EQ: case COP_NE: return 8;
    case COP_LT: case COP_GT: case COP_LE: case COP_GE: return 9;
    case COP_SHL: case COP_SHR: return 10;
    case COP_ADD: case COP_SUB: return 11;
    default: return 12;
  }
}

static int level_of(const CExpr *e) {
  switch (e->tag) {
    case CE_CONVERT: return level_of(e->x);
    case CE_COMMA: return L_COMMA;
    case CE_ASSIGN: return L_ASSIGN;
    case CE_COND: return L_COND;
    case CE_BINARY: return op_level(e->op);
    case CE_UNARY: case CE_CAST: case CE_SIZEOF: return L_UNARY;
    case CE_STEP: return e->postfix ? L_POSTFIX : L_UNARY;
    case CE_CALL: case CE_INDEX: case CE_MEMBER: case CE_COMPOUND: return L_POSTFIX;
    case CE_INT: return !e->spelling && e->value < 0 ? L_UNARY : L_PRIMARY;
    case CE_FLOAT: return !e->spelling && signbit(e->number) ? L_UNARY : L_PRIMARY;
    case CE_STRING: case CE_VAR: case CE_FUNCTION: case CE_LIST: return L_PRIMARY;
  }
  return L_PRIMARY;
}

static void print_at(Text *out, const CExpr *e, int level);

static void print_double(Text *out, const CExpr *e) {
  double v = e->number;
  if (isnan(v)) {
    text_puts(out, "NAN");
    return;
  }
  if (isinf(v)) {
    text_puts(out, v < 0 ? "-HUGE_VAL" : "HUGE_VAL");
    return;
  }
  char buffer[40];
  bool single = e->type->tag == CTYPE_FLOAT;
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(buffer, sizeof buffer, "%.*g", digits, v);
    double back = 0;
    sscanf(buffer, "%lf", &back);
    if (single ? (float)back == (float)v : back == v) break;
  }
  text_puts(out, buffer);
  if (!strpbrk(buffer, ".e")) text_puts(out, ".0");
  if (single) text_putc(out, 'f');
}

static void print_integer(Text *out, const CExpr *e) {
  bool is_unsigned = !ctype_is_signed(e->type) && e->type->tag >= CTYPE_INT;
  if (is_unsigned) text_printf(out, "%lluu", (unsigned long long)e->value);
  else if (e->value == INT64_MIN) text_puts(out, "-9223372036854775807 - 1");
  else text_printf(out, "%lld", (long long)e->value);
  if (ctype_size(e->type) == 8) text_putc(out, 'l');
}

static void print_binary(Text *out, const CExpr *e) {
  int level = op_level(e->op);
  bool tight = e->op == COP_MUL || e->op == COP_DIV || e->op == COP_REM;
  print_at(out, e->x, level);
  text_printf(out, tight ? "%s" : " %s ", cop_text(e->op));
  const CExpr *y = cexpr_bare(e->y);
  bool clash = tight && y->tag == CE_UNARY && y->op == COP_DEREF && e->op == COP_DIV;
  if (clash || (tight && e->op == COP_MUL && y->tag == CE_UNARY && y->op == COP_DEREF))
    text_putc(out, ' ');
  print_at(out, e->y, level + 1);
}

// - -x and & &x keep a blank between.
static void print_unary(Text *out, const CExpr *e) {
  const CExpr *x = cexpr_bare(e->x);
  bool literal = (x->tag == CE_INT || x->tag == CE_FLOAT) && level_of(x) == L_UNARY;
  bool again = (x->tag == CE_UNARY || (x->tag == CE_STEP && !x->postfix)) && !x->parens;
  text_puts(out, cop_text(e->op));
  if ((again && cop_text(x->op)[0] == cop_text(e->op)[0] && e->op != COP_NOT &&
      e->op != COP_DEREF) ||
      literal)
    text_putc(out, ' ');
  print_at(out, e->x, L_UNARY);
}

static void print_call(Text *out, const CExpr *e) {
  print_at(out, e->x, L_POSTFIX);
  text_putc(out, '(');
  for (int i = 0; i < e->nargs; i++) {
    if (i) text_puts(out, ", ");
    print_at(out, e->args[i], L_ASSIGN);
  }
  text_putc(out, ')');
}

static void print_place(Text *out, const CExpr *list, const CInit *init, int64_t expected) {
  if (init->at == expected && init->to == init->at) return;
  if (list->type->tag != CTYPE_ARRAY)
    text_printf(out, ".%s = ", list->type->record->fields.at[init->at].name);
  else if (init->to != init->at)
    text_printf(out, "[%lld ... %lld] = ", (long long)init->at, (long long)init->to);
  else text_printf(out, "[%lld] = ", (long long)init->at);
}

static void print_list(Text *out, const CExpr *e) {
  text_putc(out, '{');
  for (int i = 0; i < e->nelems; i++) {
    if (i) text_puts(out, ", ");
    print_place(out, e, &e->elems[i], i ? e->elems[i - 1].to + 1 : 0);
    print_at(out, e->elems[i].value, L_ASSIGN);
  }
  text_putc(out, '}');
}

static void print_cast(Text *out, const CExpr *e) {
  text_putc(out, '(');
  ctype_print(out, e->type, "");
  text_putc(out, ')');
  bool number = e->tag == CE_COMPOUND && e->x->tag != CE_LIST;  // (int){1}
  if (number) text_putc(out, '{');
  print_at(out, e->x, number ? L_ASSIGN : e->tag == CE_COMPOUND ? L_PRIMARY : L_UNARY);
  if (number) text_putc(out, '}');
}

static void print_sizeof(Text *out, const CExpr *e) {
  text_puts(out, "sizeof");
  if (e->x) {
    if (!e->x->parens) text_putc(out, ' ');
    print_at(out, e->x, L_UNARY);
    return;
  }
  text_putc(out, '(');
  ctype_print(out, e->measured, "");
  text_putc(out, ')');
}

static void print_cond(Text *out, const CExpr *e) {
  print_at(out, e->x, L_OROR);
  text_puts(out, " ? ");
  print_at(out, e->y, L_COMMA);
  text_puts(out, " : ");
  print_at(out, e->z, L_COND);
}

static void print_step(Text *out, const CExpr *e) {
  const char *sign = e->op == COP_ADD ? "++" : "--";
  if (!e->postfix) text_puts(out, sign);
  print_at(out, e->x, e->postfix ? L_POSTFIX : L_UNARY);
  if (e->postfix) text_puts(out, sign);
}

static void print_pair(Text *out, const CExpr *e, const char *between, int left, int right) {
  print_at(out, e->x, left);
  text_puts(out, between);
  print_at(out, e->y, right);
}

static void print_bare(Text *out, const CExpr *e) {
  char sign[8];
  switch (e->tag) {
    case CE_INT:
      if (e->enumerator) text_puts(out, e->enumerator->name);
      else if (e->spelling) text_puts(out, e->spelling);
      else print_integer(out, e);
      return;
    case CE_FLOAT:
      if (e->spelling) text_puts(out, e->spelling);
      else print_double(out, e);
      return;
    case CE_STRING: text_puts(out, e->spelling); return;
    case CE_VAR: text_puts(out, e->var->name); return;
    case CE_FUNCTION: text_puts(out, e->function->name); return;
    case CE_UNARY: print_unary(out, e); return;
    case CE_BINARY: print_binary(out, e); return;
    case CE_ASSIGN:
      snprintf(sign, sizeof sign, " %s= ", e->op ? cop_text(e->op) : "");
      print_pair(out, e, sign, L_UNARY, L_ASSIGN);
      return;
    case CE_STEP: print_step(out, e); return;
    case CE_COND: print_cond(out, e); return;
    case CE_CALL: print_call(out, e); return;
    case CE_INDEX:
      print_pair(out, e, "[", L_POSTFIX, L_COMMA);
      text_putc(out, ']');
      return;
    case CE_MEMBER:
      print_at(out, e->x, L_POSTFIX);
      text_printf(out, "%s%s", e->arrow ? "->" : ".", e->field->name);
      return;
    case CE_CAST: case CE_COMPOUND: print_cast(out, e); return;
    case CE_CONVERT: print_bare(out, e->x); return;
    case CE_SIZEOF: print_sizeof(out, e); return;
    case CE_COMMA: print_pair(out, e, ", ", L_COMMA, L_ASSIGN); return;
    case CE_LIST: print_list(out, e); return;
  }
}

static void print_at(Text *out, const CExpr *e, int level) {
  e = cexpr_bare(e);
  bool parens = e->parens || level_of(e) < level;
  if (parens) text_putc(out, '(');
  print_bare(out, e);
  if (parens) text_putc(out, ')');
}

void cexpr_print(Text *out, const CExpr *e) { print_at(out, e, L_COMMA); }

// ---- types: from the name outwards --------------------------------------------------------------
static void print_quals(Text *out, unsigned q) {
  if (q & CQ_CONST) text_puts(out, "const ");
  if (q & CQ_VOLATILE) text_puts(out, "volatile ");
  if (q & CQ_RESTRICT) text_puts(out, "restrict ");
}

// Without a name to refer to it, a struct is printed where it is used.
static void print_inline(Text *out, const char *word, const CRecord *r) {
  text_printf(out, "%s {", word);
  for (int i = 0; i < r->fields.len; i++) {
    text_putc(out, ' ');
    ctype_print(out, r->fields.at[i].type, r->fields.at[i].name);
    text_putc(out, ';');
  }
  text_puts(out, " }");
}

static void print_base(Text *out, const CType *t) {
  static const char *const names[] = {
      "void", "_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
      "unsigned", "long", "unsigned long", "long long", "unsigned long long", "float", "double",
      "long double"};
  print_quals(out, t->quals);
  if (t->alias) text_puts(out, t->alias);
  else if (t->tag <= CTYPE_LDOUBLE) text_puts(out, names[t->tag]);
  else if (t->record) {
    const char *word = t->tag == CTYPE_STRUCT ? "struct" : t->tag == CTYPE_UNION ? "union" : "enum";
    if (t->record->name) text_printf(out, "%s %s", word, t->record->name);
    else if (t->record->alias) text_puts(out, t->record->alias);
    else if (t->tag == CTYPE_ENUM) text_puts(out, "int");
    else print_inline(out, word, t->record);
  } else text_puts(out, "?");
}

static void print_params(Text *out, const CType *t) {
  text_putc(out, '(');
  for (int i = 0; i < t->params.len; i++) {
    if (i) text_puts(out, ", ");
    const CVar *v = t->params.at[i];
    ctype_print(out, v->type, v->name ? v->name : "");
  }
  if (t->variadic) text_puts(out, ", ...");
  if (t->params.len == 0 && !t->unprototyped) text_puts(out, "void");
  text_putc(out, ')');
}

static void print_length(Text *out, const CType *t) {
  text_putc(out, '[');
  if (t->at_least) text_puts(out, "static ");
  if (t->tag == CTYPE_POINTER) print_quals(out, t->quals);
  if (t->length) cexpr_print(out, t->length);
  else if (t->count >= 0) text_printf(out, "%lld", (long long)t->count);
  text_putc(out, ']');
}

// Where the declarator ends and the specifiers begin, from inside: the type that is named.
static bool is_specifier(const CType *t) {
  return t->alias || t->tag <= CTYPE_ENUM || ctype_is_record(t) || t->tag == CTYPE_OPAQUE;
}

// The declarator of `inner`, which is what stands inside; returns the type of the specifiers.
const CType *ctype_declarator(Text *out, const CType *t, const char *inner) {
  if (is_specifier(t)) {
    text_puts(out, inner);
    return t;
  }
  Text s = {0};
  if (t->tag == CTYPE_POINTER && !t->was_array) {
    bool wrap = !is_specifier(t->base) && (t->base->tag != CTYPE_POINTER || t->base->was_array);
    text_puts(&s, wrap ? "(*" : "*");
    print_quals(&s, t->quals);
    text_puts(&s, inner);
    if (wrap) text_putc(&s, ')');
  } else {
    text_puts(&s, inner);
    if (t->tag == CTYPE_FUNCTION) print_params(&s, t);
    else print_length(&s, t);
  }
  const CType *base = ctype_declarator(out, t->base, s.at);
  text_free(&s);
  return base;
}

void ctype_specifiers(Text *out, const CType *base) { print_base(out, base); }

void ctype_print(Text *out, const CType *type, const char *name) {
  Text d = {0};
  print_base(out, ctype_declarator(&d, type, name));
  if (d.len) text_printf(out, " %s", d.at);
  text_free(&d);
}
