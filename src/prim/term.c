// Partial-derivative terms: evaluated for tests, printed for the documents.
#include "prim.h"

static Prim term_prim(const Term *t, Prim p, const Scalar *args, Scalar result) {
  switch (t->kind) {
    case TERM_A: return args[0].prim;
    case TERM_B: return args[1].prim;
    case TERM_C: return args[2].prim;
    case TERM_R: return result.prim;
    case TERM_CONST: return p;
    case TERM_OP: break;
  }
  Prim operand = t->op == OP_SELECT ? term_prim(t->y, p, args, result)
                                    : term_prim(t->x, p, args, result);
  return op_result(t->op, operand);
}

Scalar term_eval(const Term *t, Prim p, const Scalar *args, Scalar result) {
  switch (t->kind) {
    case TERM_A: return args[0];
    case TERM_B: return args[1];
    case TERM_C: return args[2];
    case TERM_R: return result;
    case TERM_CONST: return scalar_number(p, t->value);
    case TERM_OP: break;
  }
  const Term *parts[3] = {t->x, t->y, t->z};
  Scalar values[3], out = scalar_number(p, 0);
  for (int i = 0; i < op_info[t->op].arity; i++) values[i] = term_eval(parts[i], p, args, result);
  Prim operand = t->op == OP_SELECT ? values[1].prim : term_prim(t->x, p, args, result);
  op_eval(t->op, operand, values, &out);
  return out;
}

static void operation_print(Text *out, const Term *t) {
  if (op_info[t->op].infix[0]) {
    text_puts(out, "(");
    term_print(out, t->x);
    text_printf(out, " %s ", op_info[t->op].infix);
    term_print(out, t->y);
    text_puts(out, ")");
    return;
  }
  text_printf(out, "%s(", op_info[t->op].name);
  const Term *parts[3] = {t->x, t->y, t->z};
  for (int i = 0; i < op_info[t->op].arity; i++) {
    if (i) text_puts(out, ", ");
    term_print(out, parts[i]);
  }
  text_puts(out, ")");
}

void term_print(Text *out, const Term *t) {
  if (!t) {
    text_puts(out, "0");
    return;
  }
  switch (t->kind) {
    case TERM_A: text_puts(out, "a"); break;
    case TERM_B: text_puts(out, "b"); break;
    case TERM_C: text_puts(out, "c"); break;
    case TERM_R: text_puts(out, "r"); break;
    case TERM_CONST: text_printf(out, "%.9g", t->value); break;
    case TERM_OP: operation_print(out, t); break;
  }
}
