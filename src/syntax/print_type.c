// Literals, attributes, patterns and types as source text.
#include "local.h"
#include <math.h>
#include <string.h>

// ---- literals --------------------------------------------------------------------------------

// Characters beyond ASCII stand as they are, others that do not print as decimal escapes.
static void char_print(Text *out, uint32_t code, char quote) {
  char utf8[4];
  if (code >= 0x80)
    text_write(out, utf8, utf8_put(utf8, code));
  else if (code < ' ' || code == 0x7F)
    text_printf(out, "\\%u", code);
  else if (code == (uint32_t)quote || code == '\\')
    text_printf(out, "\\%c", (char)code);
  else
    text_putc(out, (char)code);
}

// \& separates an escape from a digit that follows it.
void string_print(Text *out, const char *bytes, size_t len) {
  text_putc(out, '"');
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)bytes[i], before = i ? (unsigned char)bytes[i - 1] : 'x';
    if ((before < ' ' || before == 0x7F) && c >= '0' && c <= '9') text_puts(out, "\\&");
    if (c >= 0x80)
      text_putc(out, (char)c);
    else
      char_print(out, c, '"');
  }
  text_putc(out, '"');
}

static void float_bits_print(Text *out, uint64_t bits, Suffix suffix) {
  double value;
  memcpy(&value, &bits, sizeof value);
  if (isinf(value))
    text_puts(out, value < 0 ? "-1e999" : "1e999");
  else
    text_printf(out, suffix == SUFFIX_F64 ? "%.17g" : "%.9g", value);
}

static void signed_bits_print(Text *out, uint64_t bits, Suffix suffix) {
  bool minus = suffix <= SUFFIX_I64 && bits >> 63;
  text_printf(out, "%s%llu", minus ? "-" : "", (unsigned long long)(minus ? 0 - bits : bits));
}

static void arraylit_print(Text *out, const Expr *exp) {
  Suffix suffix = exp->arraylit.suffix;
  text_putc(out, '[');
  for (int i = 0; i < exp->arraylit.bits.len; i++) {
    if (i > 0) text_puts(out, ", ");
    if (suffix >= SUFFIX_F16)
      float_bits_print(out, exp->arraylit.bits.at[i], suffix);
    else
      signed_bits_print(out, exp->arraylit.bits.at[i], suffix);
    text_puts(out, suffix_name(suffix));
  }
  text_putc(out, ']');
}

void literal_print(Text *out, const Expr *exp) {
  if (exp->tag == EXP_INT)
    text_printf(out, "%s%s", exp->int_.text, suffix_name(exp->int_.suffix));
  else if (exp->tag == EXP_FLOAT)
    text_printf(out, "%s%s", exp->float_.text, suffix_name(exp->float_.suffix));
  else if (exp->tag == EXP_STRING)
    string_print(out, exp->string.bytes, exp->string.len);
  else if (exp->tag == EXP_BOOL)
    text_puts(out, exp->bool_.value ? "true" : "false");
  else if (exp->tag == EXP_ARRAYLIT)
    arraylit_print(out, exp);
  else {
    text_putc(out, '\'');
    char_print(out, exp->char_.code, '\'');
    text_putc(out, '\'');
  }
}

void attr_print(Text *out, const Attr *attr) {
  text_puts(out, attr->name);
  if (attr->tag != ATTR_CALL) return;
  text_putc(out, '(');
  for (int i = 0; i < attr->args.len; i++) {
    if (i > 0) text_puts(out, ", ");
    attr_print(out, attr->args.at[i]);
  }
  text_putc(out, ')');
}

// ---- patterns --------------------------------------------------------------------------------

static void field_pat_print(Text *out, const FieldPat *field) {
  text_puts(out, field->name);
  if (field->pun && field->pat->tag == PAT_ASCRIBE) {
    text_puts(out, ": ");
    type_exp_print(out, field->pat->ascribe.type);
  } else if (!field->pun) {
    text_puts(out, " = ");
    pat_print(out, field->pat);
  }
}

static bool is_loose_pat(const Pat *pat) {
  return pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR ||
         (pat->tag == PAT_CONSTR && pat->constr.args.len > 0) ||
         (pat->tag == PAT_LIT && pat->lit.exp->tag == EXP_NEG);
}

// Where only an atom may stand.
void param_print(Text *out, const Pat *pat) {
  bool parens = is_loose_pat(pat);
  if (parens) text_putc(out, '(');
  pat_print(out, pat);
  if (parens) text_putc(out, ')');
}

static void tuple_pat_print(Text *out, const PatList *elems) {
  text_putc(out, '(');
  for (int i = 0; i < elems->len; i++) {
    if (i > 0) text_puts(out, ", ");
    pat_print(out, elems->at[i]);
  }
  text_putc(out, ')');
}

static void record_pat_print(Text *out, const FieldPatList *fields) {
  text_putc(out, '{');
  for (int i = 0; i < fields->len; i++) {
    if (i > 0) text_puts(out, ", ");
    field_pat_print(out, &fields->at[i]);
  }
  text_putc(out, '}');
}

static void constr_pat_print(Text *out, const Pat *pat) {
  text_printf(out, "#%s", pat->constr.name);
  for (int i = 0; i < pat->constr.args.len; i++) {
    text_putc(out, ' ');
    param_print(out, pat->constr.args.at[i]);
  }
}

void pat_print(Text *out, const Pat *pat) {
  switch (pat->tag) {
    case PAT_NAME: name_print(out, pat->name.name); break;
    case PAT_WILD: text_putc(out, '_'); break;
    case PAT_TUPLE: tuple_pat_print(out, &pat->tuple.elems); break;
    case PAT_RECORD: record_pat_print(out, &pat->record.fields); break;
    case PAT_LIT: exp_print(out, pat->lit.exp); break;
    case PAT_CONSTR: constr_pat_print(out, pat); break;
    case PAT_ASCRIBE:
      param_print(out, pat->ascribe.pat);
      text_puts(out, ": ");
      type_exp_print(out, pat->ascribe.type);
      break;
    case PAT_ATTR:
      text_puts(out, "#[");
      attr_print(out, pat->attr.attr);
      text_puts(out, "] ");
      pat_print(out, pat->attr.pat);
      break;
  }
}

// ---- types -----------------------------------------------------------------------------------

enum { TYPE_ANY, TYPE_TERM, TYPE_ATOM };

static void type_print_at(Text *out, const TypeExp *type, int level);

static void size_print(Text *out, const SizeExp *size) {
  text_putc(out, '[');
  if (size->exp) exp_print(out, size->exp);
  text_putc(out, ']');
}

static void type_args_print(Text *out, const TypeExp *type) {
  type_print_at(out, type->apply.fn, TYPE_ATOM);
  for (int i = 0; i < type->apply.args.len; i++) {
    const TypeArg *arg = &type->apply.args.at[i];
    text_putc(out, ' ');
    if (arg->is_size)
      size_print(out, &arg->size);
    else
      type_print_at(out, arg->type, TYPE_ATOM);
  }
}

static void tuple_type_print(Text *out, const TypeExpList *elems) {
  text_putc(out, '(');
  for (int i = 0; i < elems->len; i++) {
    if (i > 0) text_puts(out, ", ");
    type_exp_print(out, elems->at[i]);
  }
  text_putc(out, ')');
}

static void record_type_print(Text *out, const FieldTypeList *fields) {
  text_putc(out, '{');
  for (int i = 0; i < fields->len; i++) {
    text_printf(out, "%s%s: ", i ? ", " : "", fields->at[i].name);
    type_exp_print(out, fields->at[i].type);
  }
  text_putc(out, '}');
}

static void sum_type_print(Text *out, const SumClauseList *clauses) {
  for (int i = 0; i < clauses->len; i++) {
    const SumClause *clause = &clauses->at[i];
    text_printf(out, "%s#%s", i ? " | " : "", clause->name);
    for (int j = 0; j < clause->args.len; j++) {
      text_putc(out, ' ');
      type_print_at(out, clause->args.at[j], TYPE_ATOM);
    }
  }
}

static void arrow_print(Text *out, const TypeExp *type) {
  if (type->arrow.param) {
    text_printf(out, "(%s: ", type->arrow.param);
    type_exp_print(out, type->arrow.from);
    text_putc(out, ')');
  } else {
    type_print_at(out, type->arrow.from, TYPE_TERM);
  }
  text_puts(out, " -> ");
  type_exp_print(out, type->arrow.to);
}

static void exists_print(Text *out, const TypeExp *type) {
  text_putc(out, '?');
  for (int i = 0; i < type->exists.sizes.len; i++)
    text_printf(out, "[%s]", type->exists.sizes.at[i].name);
  text_putc(out, '.');
  type_exp_print(out, type->exists.type);
}

static int type_level(const TypeExp *type) {
  switch (type->tag) {
    case TEXP_ARROW:
    case TEXP_EXISTS: return TYPE_ANY;
    case TEXP_SUM:
    case TEXP_UNIQUE:
    case TEXP_ARRAY:
    case TEXP_APPLY: return TYPE_TERM;
    case TEXP_NAME:
    case TEXP_TUPLE:
    case TEXP_RECORD: break;
  }
  return TYPE_ATOM;
}

static void bare_type_print(Text *out, const TypeExp *type) {
  switch (type->tag) {
    case TEXP_NAME: qual_name_print(out, &type->name.name); break;
    case TEXP_APPLY: type_args_print(out, type); break;
    case TEXP_ARRAY:
      size_print(out, &type->array.size);
      type_print_at(out, type->array.elem, TYPE_TERM);
      break;
    case TEXP_TUPLE: tuple_type_print(out, &type->tuple.elems); break;
    case TEXP_RECORD: record_type_print(out, &type->record.fields); break;
    case TEXP_SUM: sum_type_print(out, &type->sum.clauses); break;
    case TEXP_ARROW: arrow_print(out, type); break;
    case TEXP_UNIQUE:
      text_putc(out, '*');
      type_print_at(out, type->unique.elem, TYPE_TERM);
      break;
    case TEXP_EXISTS: exists_print(out, type); break;
  }
}

// ** is an operator, and a sum would take a `|` that follows it.
static void type_print_at(Text *out, const TypeExp *type, int level) {
  bool nested = level == TYPE_TERM && type->tag == TEXP_UNIQUE;
  bool parens = type_level(type) < level || (nested && out->len && out->at[out->len - 1] == '*');
  if (parens) text_putc(out, '(');
  bare_type_print(out, type);
  if (parens) text_putc(out, ')');
}

void type_exp_print(Text *out, const TypeExp *type) { type_print_at(out, type, TYPE_ANY); }
void type_term_print(Text *out, const TypeExp *type) { type_print_at(out, type, TYPE_TERM); }
