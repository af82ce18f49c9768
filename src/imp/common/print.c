// The text form of the imperative IR, for reading and for golden tests.
#include <inttypes.h>
#include "imp.h"

typedef struct {
  Text *out;
  const ImpFn *fn;
  int indent;
} Printer;

static void print_var(Printer *p, ImpVar v) {
  text_printf(p->out, "%s_%u", p->fn->vars.at[v.id].base, v.id);
}

static void print_exp(Printer *p, const ImpExp *e) {
  if (e->kind == IMP_CONST) {
    if (e->prim == PRIM_I64) text_printf(p->out, "%" PRId64, e->value.i);
    else scalar_print(p->out, e->value);
    return;
  }
  if (e->kind == IMP_VAR) {
    print_var(p, e->var);
    return;
  }
  if (e->index) {
    text_putc(p->out, '(');
    print_exp(p, e->args[0]);
    text_printf(p->out, " %s ", op_info[e->op].infix);
    print_exp(p, e->args[1]);
    text_putc(p->out, ')');
    return;
  }
  if (e->kind == IMP_CONV) text_printf(p->out, "conv.%s", prim_info[e->prim].name);
  else text_printf(p->out, "%s.%s", op_info[e->op].name, prim_info[e->from].name);
  for (int i = 0; i < 3 && e->args[i]; i++) {
    text_puts(p->out, i ? ", " : "(");
    print_exp(p, e->args[i]);
  }
  text_putc(p->out, ')');
}

void imp_exp_print(Text *out, const ImpFn *fn, const ImpExp *e) {
  Printer p = {out, fn, 0};
  print_exp(&p, e);
}

static void print_block(Printer *p, const ImpBlock *block);

static void print_field(Printer *p, const ImpStm *stm, const ImpField *d) {
  const void *at = (const char *)stm + d->offset;
  switch (d->kind) {
  case IMP_FIELD_DEF: case IMP_FIELD_USE: case IMP_FIELD_MEM:
    text_putc(p->out, ' ');
    print_var(p, *(const ImpVar *)at);
    break;
  case IMP_FIELD_EXP:
    text_printf(p->out, " %s=", d->name);
    print_exp(p, *(const ImpExp *const *)at);
    break;
  case IMP_FIELD_EXPS: {
    const ImpExps *list = at;
    text_printf(p->out, " %s=(", d->name);
    for (int i = 0; i < list->len; i++) {
      if (i) text_puts(p->out, ", ");
      print_exp(p, list->at[i]);
    }
    text_putc(p->out, ')');
    break;
  }
  case IMP_FIELD_MEMS: case IMP_FIELD_USES: {
    const ImpVars *list = at;
    if (list->len == 0) break;
    text_printf(p->out, " %s=(", d->name);
    for (int i = 0; i < list->len; i++) {
      if (i) text_puts(p->out, ", ");
      print_var(p, list->at[i]);
    }
    text_putc(p->out, ')');
    break;
  }
  case IMP_FIELD_BLOCK: {
    const ImpBlock *block = *(ImpBlock *const *)at;
    if (block->len == 0) break;
    text_puts(p->out, " {\n");
    print_block(p, block);
    text_printf(p->out, "%*s}", p->indent, "");
    break;
  }
  case IMP_FIELD_INT: text_printf(p->out, " %" PRId64, *(const int64_t *)at); break;
  case IMP_FIELD_FLAG:
    if (*(const bool *)at) text_printf(p->out, " %s", d->name);
    break;
  case IMP_FIELD_STRING: text_printf(p->out, " %s", *(const char *const *)at); break;
  case IMP_FIELD_END: break;
  }
}

static void print_block(Printer *p, const ImpBlock *block) {
  p->indent += 2;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    text_printf(p->out, "%*s%s", p->indent, "", imp_form_info[stm->form].keyword);
    for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++)
      print_field(p, stm, d);
    text_putc(p->out, '\n');
  }
  p->indent -= 2;
}

static const char *kind_name(ImpKind kind) {
  switch (kind) {
  case IMP_LET: return "let";
  case IMP_MUT: return "var";
  case IMP_BLOCK: return "block";
  case IMP_STACK: return "stack";
  case IMP_PTR: return "ptr";
  case IMP_REF: return "ref";
  case IMP_DATA: return "data";
  case IMP_GLOBAL: return "global";
  }
  return "?";
}

static void print_fn(Printer *p) {
  text_printf(p->out, "fn %s (", p->fn->name);
  for (int i = 0; i < p->fn->params.len; i++) {
    if (i) text_puts(p->out, ", ");
    print_var(p, p->fn->params.at[i]);
  }
  text_puts(p->out, ") {\n");
  for (int i = 1; i < p->fn->vars.len; i++) {
    const ImpVarInfo *v = &p->fn->vars.at[i];
    if (!v->is_mem) continue;
    text_printf(p->out, "  mem %s_%d : %s %s", v->base, i, kind_name(v->kind),
                prim_info[v->prim].name);
    if (v->kind == IMP_STACK) text_printf(p->out, " [%" PRId64 "]", v->count);
    text_putc(p->out, '\n');
  }
  print_block(p, p->fn->body);
  text_puts(p->out, "}\n");
}

void imp_print(Text *out, const ImpProg *prog) {
  for (int i = 0; i < prog->fns.len; i++) {
    Printer p = {out, prog->fns.at[i], 0};
    print_fn(&p);
  }
  for (int i = 0; i < prog->params.len; i++)
    text_printf(out, "param %d = %s\n", i, prog->params.at[i]);
  for (int i = 0; i < prog->sites.len; i++)
    text_printf(out, "site %d = \"%s\"\n", i, prog->sites.at[i].format);
}
