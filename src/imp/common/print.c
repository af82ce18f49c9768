// The text form of the imperative IR, for reading and for golden tests.
#include <inttypes.h>
#include "imp.h"

typedef struct {
  Text *out;
  const ImpFn *fn;
  int indent;
} Printer;

static void print_string(Printer *p, const char *s) {
  text_putc(p->out, '"');
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '\n') text_puts(p->out, "\\n");
    else if (c < 32 || c == 127) text_printf(p->out, "\\x%02x", c);
    else if (c == '"' || c == '\\') text_printf(p->out, "\\%c", c);
    else text_putc(p->out, *s);
  }
  text_putc(p->out, '"');
}

static void print_var(Printer *p, ImpVar v) {
  if (v.id == 0) {
    text_putc(p->out, '_');
    return;
  }
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

static void print_block(Printer *p, const ImpBlock *block);

// Parameters and results of calls: scalars with their type.
static void print_typed(Printer *p, ImpVar v) {
  print_var(p, v);
  const ImpVarInfo *info = &p->fn->vars.at[v.id];
  if (v.id && !info->is_mem) text_printf(p->out, " : %s", prim_info[info->prim].name);
}

static void print_vars(Printer *p, const ImpVars *list, bool reds) {
  for (int i = 0; i < list->len; i++) {
    if (i) text_puts(p->out, ", ");
    if (!reds) print_typed(p, list->at[i]);
    else print_var(p, list->at[i]);
    if (reds) text_printf(p->out, " %s", op_info[p->fn->vars.at[list->at[i].id].red_op].name);
  }
}

static void print_field(Printer *p, const ImpStm *stm, const ImpField *d) {
  const void *at = (const char *)stm + d->offset;
  switch (d->kind) {
  case IMP_FIELD_DEF: case IMP_FIELD_USE: case IMP_FIELD_MEM: {
    ImpVar v = *(const ImpVar *)at;
    text_putc(p->out, ' ');
    print_var(p, v);
    if (d->kind == IMP_FIELD_DEF && p->fn->vars.at[v.id].low_peak) text_puts(p->out, " low_peak");
    break;
  }
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
    print_vars(p, list, d->kind == IMP_FIELD_USES);
    text_putc(p->out, ')');
    break;
  }
  case IMP_FIELD_BLOCK: {
    const ImpBlock *block = *(ImpBlock *const *)at;
    text_puts(p->out, block->len ? " {\n" : " {}");
    if (block->len == 0) break;
    print_block(p, block);
    text_printf(p->out, "%*s}", p->indent, "");
    break;
  }
  case IMP_FIELD_OPER:
    text_printf(p->out, " %s", op_info[*(const int64_t *)at].name);
    break;
  case IMP_FIELD_INT: text_printf(p->out, " %" PRId64, *(const int64_t *)at); break;
  case IMP_FIELD_FLAG:
    if (*(const bool *)at) text_printf(p->out, " %s", d->name);
    break;
  case IMP_FIELD_STRING:
    text_putc(p->out, ' ');
    print_string(p, *(const char *const *)at);
    break;
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

const char *imp_kind_name(ImpKind kind) {
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

static void print_data(Printer *p, const Data *data) {
  text_puts(p->out, " data [");
  for (int i = 0; i < data->len; i++) {
    if (i) text_puts(p->out, ", ");
    scalar_print(p->out, data->at[i]);
  }
  text_putc(p->out, ']');
}

static void print_declaration(Printer *p, int id) {
  const ImpVarInfo *v = &p->fn->vars.at[id];
  text_printf(p->out, "  %s %s_%d : %s %s", v->is_mem ? "mem" : "scalar", v->base, id,
              imp_kind_name(v->kind), prim_info[v->prim].name);
  if (v->kind == IMP_GLOBAL) text_printf(p->out, " %d", v->global);
  if (v->kind == IMP_STACK) text_printf(p->out, " [%" PRId64 "]", v->count);
  if (v->moved) text_puts(p->out, " moved");
  if (v->expanded) text_printf(p->out, " expanded %d", v->expanded);
  if (v->home.id) text_puts(p->out, " of "), print_var(p, v->home);
  if (v->data) print_data(p, v->data);
  text_putc(p->out, '\n');
}

static void print_results(Printer *p) {
  const ImpFn *fn = p->fn;
  for (int i = 0; i < fn->result_prims.len; i++) {
    text_printf(p->out, "%s%s%s", i ? ", " : "", fn->result_is_mem.at[i] ? "block " : "",
                prim_info[fn->result_prims.at[i]].name);
    if (i < fn->result_in.len && fn->result_in.at[i])
      text_printf(p->out, " in %d", fn->result_in.at[i]);
  }
}

static void print_fn(Printer *p) {
  text_puts(p->out, "fn ");
  print_string(p, p->fn->name);
  text_puts(p->out, " (");
  print_vars(p, &p->fn->params, false);
  text_puts(p->out, ") -> (");
  print_results(p);
  text_puts(p->out, ") {\n");
  for (int i = 1; i < p->fn->vars.len; i++)
    if (p->fn->vars.at[i].is_mem || p->fn->vars.at[i].kind == IMP_GLOBAL) print_declaration(p, i);
  print_block(p, p->fn->body);
  text_puts(p->out, "}\n");
}

void imp_print(Text *out, const ImpProg *prog) {
  for (int i = 0; i < prog->fns.len; i++) {
    Printer p = {out, prog->fns.at[i], 0};
    print_fn(&p);
  }
  Printer p = {out, NULL, 0};
  for (int i = 0; i < prog->params.len; i++) {
    text_printf(out, "param %d = ", i);
    print_string(&p, prog->params.at[i]);
    text_putc(out, '\n');
  }
  for (int i = 0; i < prog->sites.len; i++) {
    text_printf(out, "site %d = ", i);
    print_string(&p, prog->sites.at[i].format);
    text_putc(out, ' ');
    print_string(&p, prog->sites.at[i].where ? prog->sites.at[i].where : "");
    text_putc(out, '\n');
  }
  for (int i = 0; i < prog->regions.len; i++) {
    text_printf(out, "region %d = ", i);
    print_string(&p, prog->regions.at[i].form);
    text_putc(out, ' ');
    print_string(&p, prog->regions.at[i].place);
    text_putc(out, '\n');
  }
  for (int i = 0; i < prog->globals.len; i++)
    text_printf(out, "global %d = %s : %s%s\n", i, prog->globals.at[i].base,
                prim_info[prog->globals.at[i].prim].name, prog->globals.at[i].is_mem ? " mem" : "");
}
