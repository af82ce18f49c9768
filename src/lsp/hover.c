// Hovering: the type, the documentation, and how derivatives treat it.
#include "local.h"
#include <string.h>

// Whether derivatives see something in values of the type.
static bool has_floats(SType *type) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_PRIM: return prim_is_float(type->prim);
    case TYPE_ARRAY: return has_floats(type->array.elem);
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        if (has_floats(type->record.fields.at[i].type)) return true;
      return false;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
          if (has_floats(type->sum.constrs.at[i].args.at[j])) return true;
      return false;
    case TYPE_NAMED: return type->named.def->tag == TYPEDEF_PARAM;  // may become floats
    case TYPE_VAR:
    case TYPE_ARROW:
    case TYPE_ERROR: break;
  }
  return false;
}

// The parameters' types as one: a tuple when there are several.  False for higher-order functions.
static bool argument_print(Text *out, SType *fn, bool *floats, SType **result) {
  Text parts = {0};
  int n = 0;
  bool first_order = true;
  for (; fn->tag == TYPE_ARROW; fn = stype_find(fn->arrow.to), n++) {
    if (n > 0) text_puts(&parts, ", ");
    stype_print(&parts, fn->arrow.from);
    *floats |= has_floats(fn->arrow.from);
    first_order = first_order && !stype_is_functional(fn->arrow.from);
  }
  text_printf(out, n > 1 ? "(%s)" : "%s", parts.at ? parts.at : "");
  text_free(&parts);
  *result = fn;
  return first_order;
}

static void function_derivative(Text *out, SType *fn) {
  Text argument = {0}, result_text = {0};
  bool floats = false;
  SType *result;
  bool first_order = argument_print(&argument, fn, &floats, &result);
  stype_print(&result_text, result);
  if (!first_order)
    text_puts(out, "\n\nDifferentiated together with the functions it is given.");
  else if (!floats || !has_floats(result))
    text_puts(out, "\n\nDerivative: zero; nothing real goes in and comes out.");
  else
    text_printf(out, "\n\nDerivatives: `jvp : %s -> %s -> %s`, `vjp : %s -> %s -> %s`", argument.at,
                argument.at, result_text.at, argument.at, result_text.at, argument.at);
  text_free(&argument), text_free(&result_text);
}

// The rules of scalar operations come from the table that both modes use.
static bool operation_rule(Text *out, Name name) {
  Op op;
  if (!op_named(name, &op) || op_info[op].arity > 2 || !(op_info[op].class & CLASS_FLOAT))
    return false;
  text_puts(out, "\n\nPartial derivatives (of operands a, b with result r): `");
  for (int i = 0; i < op_info[op].arity; i++) {
    if (i > 0) text_puts(out, "`, `");
    term_print(out, op_info[op].partial[i]);
  }
  text_putc(out, '`');
  return true;
}

static const struct {
  const char *name, *rule;
} rules[] = {
    {"map", "element by element; what the function captures gets the sum over the elements"},
    {"reduce", "of a sum, the seed goes to every element; products, minima and other operators "
               "have rules of their own"},
    {"scan", "of prefix sums, a scan from the other end; other operators by a linear recurrence"},
    {"reduce_by_index", "every value gets the seed of the cell that it went to"},
    {"hist", "every value gets the seed of the cell that it went to"},
    {"scatter", "written values get the seeds of their cells, overwritten cells none"},
    {"replicate", "the value gets the sum of all seeds"},
    {"reverse", "the seeds in opposite order"},
    {"transpose", "the seeds transposed"},
    {"concat", "the seeds, cut where the arrays meet"},
    {"++", "the seeds, cut where the arrays meet"},
};

static bool binding_is_builtin(const Binding *binding) {
  return binding && binding->span.src && binding->span.src->builtin;
}

static bool known_rule(Text *out, const Found *found) {
  static const struct {
    const char *symbol, *op;
  } symbols[] = {{"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}, {"**", "pow"}};
  if (found->binding->tag == BIND_OPERATOR) {
    for (int i = 0; i < COUNT_OF(symbols); i++)
      if (strcmp(symbols[i].symbol, found->name) == 0) return operation_rule(out, symbols[i].op);
    return false;
  }
  if (!binding_is_builtin(found->binding) && found->binding->tag != BIND_SPEC) return false;
  for (int i = 0; i < COUNT_OF(rules); i++)
    if (strcmp(rules[i].name, found->name) == 0) {
      text_printf(out, "\n\nReverse derivative: %s.", rules[i].rule);
      return true;
    }
  return binding_is_builtin(found->binding) && operation_rule(out, found->name);
}

static void derivative_text(Text *out, const Found *found) {
  if (!found->type) return;
  SType *type = stype_find(found->type);
  if (found->name && found->binding && known_rule(out, found)) return;
  if (type->tag == TYPE_ARROW) function_derivative(out, type);
  else if (!has_floats(type)) text_puts(out, "\n\nConstant to derivatives.");
}

static const char *documentation(const Found *found) {
  if (!found->binding) return NULL;
  if (found->binding->dec) return found->binding->dec->doc;
  return found->binding->spec ? found->binding->spec->doc : NULL;
}

void hover_text(Text *out, const Found *found) {
  text_puts(out, "```futhark\n");
  if (found->name) text_puts(out, found->name);
  if (found->name && found->type) text_puts(out, " : ");
  if (found->type) stype_print(out, found->type);
  text_puts(out, "\n```");
  const char *doc = documentation(found);
  if (doc) text_printf(out, "\n\n%s", doc);
  derivative_text(out, found);
}
