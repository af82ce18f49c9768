// Sized types as text, like type_print.c with all sizes written out.
#include "sizes.h"
#include <string.h>

static void sized_print(Text *out, const Sized *t, bool atom, bool param);

static void print_sized_fields(Text *out, const Sized *t) {
  bool tuple = t->fields.len != 1;
  for (int i = 0; i < t->fields.len; i++) {
    char digits[16];
    snprintf(digits, sizeof digits, "%d", i);
    tuple &= strcmp(digits, t->fields.at[i].name) == 0;
  }
  text_putc(out, tuple ? '(' : '{');
  for (int i = 0; i < t->fields.len; i++) {
    text_puts(out, i ? ", " : "");
    if (!tuple) text_printf(out, "%s: ", t->fields.at[i].name);
    sized_print(out, t->fields.at[i].type, false, false);
  }
  text_putc(out, tuple ? ')' : '}');
}

static void print_sized_constrs(Text *out, const Sized *t) {
  for (int i = 0; i < t->constrs.len; i++) {
    text_printf(out, "%s#%s", i ? " | " : "", t->constrs.at[i].name);
    for (int j = 0; j < t->constrs.at[i].args.len; j++) {
      text_putc(out, ' ');
      sized_print(out, t->constrs.at[i].args.at[j], true, true);
    }
  }
}

static void print_exists(Text *out, const DimVarList *exists) {
  for (int i = 0; i < exists->len; i++) {
    text_puts(out, i ? "[" : "?[");
    dim_print(out, exists->at[i]->dim);
    text_putc(out, ']');
  }
  if (exists->len) text_putc(out, '.');
}

static void print_sized_arrow(Text *out, const Sized *t) {
  bool named = t->arrow.binder && sized_mentions(t->arrow.to, t->arrow.binder);
  if (named || t->arrow.param) {
    text_putc(out, '(');
    if (t->arrow.binder) dim_print(out, t->arrow.binder->dim);
    else text_puts(out, t->arrow.param);
    text_puts(out, ": ");
    sized_print(out, t->arrow.from, false, false);
    text_putc(out, ')');
  } else {
    sized_print(out, t->arrow.from, false, true);
  }
  text_puts(out, " -> ");
  print_exists(out, &t->arrow.exists);
  sized_print(out, t->arrow.to, false, false);
}

static void print_sized_named(Text *out, const Sized *t) {
  text_puts(out, t->named.def->shown ? t->named.def->shown : t->named.def->name);
  for (int i = 0; i < t->named.args.len; i++) {
    text_putc(out, ' ');
    if (t->named.args.at[i].dim) {
      text_putc(out, '[');
      dim_print(out, t->named.args.at[i].dim);
      text_putc(out, ']');
    } else {
      sized_print(out, t->named.args.at[i].type, true, true);
    }
  }
}

static void sized_print(Text *out, const Sized *t, bool atom, bool param) {
  bool parens = (t->tag == TYPE_ARROW && (param || atom)) || (t->tag == TYPE_SUM && atom) ||
                (t->tag == TYPE_NAMED && atom && t->named.args.len);
  if (t->unique) text_putc(out, '*');
  if (parens) text_putc(out, '(');
  switch (t->tag) {
    case TYPE_PRIM: text_puts(out, prim_info[t->prim].name); break;
    case TYPE_ARRAY:
      text_putc(out, '[');
      dim_print(out, t->array.dim);
      text_putc(out, ']');
      sized_print(out, t->array.elem, true, true);
      break;
    case TYPE_RECORD: print_sized_fields(out, t); break;
    case TYPE_SUM: print_sized_constrs(out, t); break;
    case TYPE_ARROW: print_sized_arrow(out, t); break;
    case TYPE_NAMED: print_sized_named(out, t); break;
    case TYPE_VAR:
    case TYPE_ERROR: text_putc(out, '?'); break;
  }
  if (parens) text_putc(out, ')');
}

static void number_see(void *env, Dim *dim, SizedPlace place) {
  (void)place;
  dim_number(env, dim);
}

const char *sized_text(Sizing *z, Sized *type) {
  Text text = {0};
  sized_each(type, AT_VALUE, number_see, z);
  sized_print(&text, type, false, false);
  const char *s = arena_strndup(z->c->arena, text.at, text.len);
  text_free(&text);
  return s;
}
