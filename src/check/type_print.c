// Types as text: `[n]i32`, `(a, b)`, `{x: i32}`, `#a i32 | #b`, `(x: a) -> b`, `*[]t`.
#include "local.h"

enum { AT_TOP, AT_PARAM, AT_ATOM };  // what surrounds: nothing, left of an arrow, an atom's place

static void print_at(Text *out, SType *type, int place);

static void print_size(Text *out, const Size *size) {
  text_puts(out, "[");
  if (size) switch (size->tag) {
      case SIZE_CONST: text_printf(out, "%lld", (long long)size->value); break;
      case SIZE_NAME: text_puts(out, size->name->name); break;
      case SIZE_EXP: exp_print(out, size->exp); break;
    }
  text_puts(out, "]");
}

static void print_fields(Text *out, const FieldList *fields) {
  for (int i = 0; i < fields->len; i++) {
    text_printf(out, "%s%s: ", i ? ", " : "", fields->at[i].name);
    print_at(out, fields->at[i].type, AT_TOP);
  }
}

static void print_record(Text *out, const SType *type) {
  bool tuple = stype_is_tuple(type);
  text_puts(out, tuple ? "(" : "{");
  if (!tuple) print_fields(out, &type->record.fields);
  for (int i = 0; tuple && i < type->record.fields.len; i++) {
    if (i) text_puts(out, ", ");
    print_at(out, type->record.fields.at[i].type, AT_TOP);
  }
  text_puts(out, tuple ? ")" : "}");
}

static void print_constrs(Text *out, const ConstrList *constrs) {
  for (int i = 0; i < constrs->len; i++) {
    text_printf(out, "%s#%s", i ? " | " : "", constrs->at[i].name);
    for (int j = 0; j < constrs->at[i].args.len; j++) {
      text_puts(out, " ");
      print_at(out, constrs->at[i].args.at[j], AT_ATOM);
    }
  }
}

static void print_named(Text *out, const SType *type) {
  const TypeDef *def = type->named.def;
  text_puts(out, def->shown ? def->shown : def->name);
  for (int i = 0; i < type->named.args.len; i++) {
    text_puts(out, " ");
    NamedArg arg = type->named.args.at[i];
    if (arg.is_size) print_size(out, arg.size);
    else print_at(out, arg.type, AT_ATOM);
  }
}

static const char *prims_text(uint32_t prims) {
  if (prims == PRIMS_NUM) return "a number";
  if (prims == PRIMS_INT) return "an integer";
  if (prims == PRIMS_FLOAT) return "a float";
  if (prims == PRIMS_SIGNED) return "a signed integer";
  return "a primitive type";
}

static void print_var(Text *out, const TypeVar *var) {
  switch (var->kind) {
    case VAR_FREE: text_printf(out, "t%u", (unsigned)var->shown); break;
    case VAR_PRIM: text_printf(out, "(%s)", prims_text(var->prims)); break;
    case VAR_RECORD:
      text_puts(out, "{");
      print_fields(out, &var->fields);
      text_puts(out, ", ...}");
      break;
    case VAR_SUM:
      print_constrs(out, &var->constrs);
      text_puts(out, " | ...");
      break;
  }
}

static void print_arrow(Text *out, const SType *type) {
  if (type->arrow.param) {
    text_printf(out, "(%s: ", type->arrow.param);
    print_at(out, type->arrow.from, AT_TOP);
    text_puts(out, ")");
  } else {
    print_at(out, type->arrow.from, AT_PARAM);
  }
  text_puts(out, " -> ");
  print_at(out, type->arrow.to, AT_TOP);
}

static bool needs_parens(const SType *type, int place) {
  switch (type->tag) {
    case TYPE_ARROW: return place != AT_TOP;
    case TYPE_SUM: return place == AT_ATOM;
    case TYPE_NAMED: return place == AT_ATOM && type->named.args.len > 0;
    case TYPE_ARRAY: return false;
    case TYPE_VAR: return type->var->kind == VAR_SUM && place == AT_ATOM;
    case TYPE_PRIM:
    case TYPE_RECORD:
    case TYPE_ERROR: return false;
  }
  return false;
}

static void print_bare(Text *out, SType *type) {
  switch (type->tag) {
    case TYPE_VAR: print_var(out, type->var); break;
    case TYPE_PRIM: text_puts(out, prim_info[type->prim].name); break;
    case TYPE_ARRAY:
      print_size(out, type->array.dim);
      print_at(out, type->array.elem, AT_ATOM);
      break;
    case TYPE_RECORD: print_record(out, type); break;
    case TYPE_SUM: print_constrs(out, &type->sum.constrs); break;
    case TYPE_ARROW: print_arrow(out, type); break;
    case TYPE_NAMED: print_named(out, type); break;
    case TYPE_ERROR: text_puts(out, "?"); break;
  }
}

static void print_at(Text *out, SType *type, int place) {
  type = stype_find(type);
  if (type->unique) text_puts(out, "*");
  bool parens = needs_parens(type, place);
  if (parens) text_puts(out, "(");
  print_bare(out, type);
  if (parens) text_puts(out, ")");
}

void stype_print(Text *out, SType *type) { print_at(out, type, AT_TOP); }
