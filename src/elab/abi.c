// How entry point values look from outside: a tree over their leaves, with type names for users.
#include "local.h"

static void name_of_sem(Text *out, const Sem *sem);

static bool is_tuple(const Sem *sem) {
  for (int i = 0; i < sem->len; i++)
    if (sem->names[i][0] < '0' || sem->names[i][0] > '9') return false;
  return sem->len != 1;
}

static void name_of_record(Text *out, const Sem *sem) {
  bool tuple = is_tuple(sem);
  text_putc(out, tuple ? '(' : '{');
  for (int i = 0; i < sem->len; i++) {
    if (i) text_puts(out, ", ");
    if (!tuple) text_printf(out, "%s: ", sem->names[i]);
    name_of_sem(out, sem->fields[i]);
  }
  text_putc(out, tuple ? ')' : '}');
}

static void name_of_sum(Text *out, const Sem *sem) {
  for (int i = 0; i < sem->len; i++) {
    if (i) text_puts(out, " | ");
    text_printf(out, "#%s", sem->cons[i].name);
    for (int k = 0; k < sem->cons[i].len; k++) {
      const Sem *p = sem->cons[i].payload[k];
      text_putc(out, ' ');
      if (p->tag == SEM_SUM) text_putc(out, '(');
      name_of_sem(out, p);
      if (p->tag == SEM_SUM) text_putc(out, ')');
    }
  }
}

static void name_of_sem(Text *out, const Sem *sem) {
  switch (sem->tag) {
  case SEM_PRIM: text_puts(out, prim_info[sem->prim].name); return;
  case SEM_ARRAY:
    text_puts(out, "[]");
    name_of_sem(out, sem->elem);
    return;
  case SEM_RECORD: name_of_record(out, sem); return;
  case SEM_SUM: name_of_sum(out, sem); return;
  case SEM_ACC: text_puts(out, "acc"); return;
  case SEM_FUN: text_puts(out, "->"); return;
  }
}

// The written type without sizes, stars and existentials.
static void name_of_texp(Text *out, const TypeExp *type) {
  switch (type->tag) {
  case TEXP_NAME: qual_name_print(out, &type->name.name); return;
  case TEXP_APPLY:
    name_of_texp(out, type->apply.fn);
    for (int i = 0; i < type->apply.args.len; i++) {
      if (type->apply.args.at[i].is_size) continue;
      text_putc(out, ' ');
      name_of_texp(out, type->apply.args.at[i].type);
    }
    return;
  case TEXP_ARRAY:
    text_puts(out, "[]");
    name_of_texp(out, type->array.elem);
    return;
  case TEXP_TUPLE:
    text_putc(out, '(');
    for (int i = 0; i < type->tuple.elems.len; i++) {
      if (i) text_puts(out, ", ");
      name_of_texp(out, type->tuple.elems.at[i]);
    }
    text_putc(out, ')');
    return;
  case TEXP_RECORD:
    text_putc(out, '{');
    for (int i = 0; i < type->record.fields.len; i++) {
      if (i) text_puts(out, ", ");
      text_printf(out, "%s: ", type->record.fields.at[i].name);
      name_of_texp(out, type->record.fields.at[i].type);
    }
    text_putc(out, '}');
    return;
  case TEXP_SUM:
    for (int i = 0; i < type->sum.clauses.len; i++) {
      const SumClause *c = &type->sum.clauses.at[i];
      text_printf(out, i ? " | #%s" : "#%s", c->name);
      for (int k = 0; k < c->args.len; k++) {
        text_putc(out, ' ');
        name_of_texp(out, c->args.at[k]);
      }
    }
    return;
  case TEXP_ARROW: type_exp_print(out, type); return;
  case TEXP_UNIQUE: name_of_texp(out, type->unique.elem); return;
  case TEXP_EXISTS: name_of_texp(out, type->exists.type); return;
  }
}

static const char *type_name(Elab *e, const Sem *sem, const TypeExp *type) {
  Text text = {0};
  bool plain = sem->tag == SEM_PRIM;
  const Sem *elem = sem;
  while (elem->tag == SEM_ARRAY) elem = elem->elem;
  plain = plain || elem->tag == SEM_PRIM;
  if (type && !plain) name_of_texp(&text, type);
  else name_of_sem(&text, sem);
  const char *name = arena_strdup(e->arena, text.at ? text.at : "()");
  text_free(&text);
  return name;
}

static int width(Elab *e, const Sem *sem) {
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  return leaves.len;
}

static const TypeExp *bare(const TypeExp *type) {
  while (type && (type->tag == TEXP_UNIQUE || type->tag == TEXP_EXISTS))
    type = type->tag == TEXP_UNIQUE ? type->unique.elem : type->exists.type;
  return type;
}

static const TypeExp *field_texp(const TypeExp *type, int i, Name name) {
  if (!type) return NULL;
  if (type->tag == TEXP_TUPLE && i < type->tuple.elems.len) return type->tuple.elems.at[i];
  if (type->tag == TEXP_RECORD)
    for (int k = 0; k < type->record.fields.len; k++)
      if (type->record.fields.at[k].name == name) return type->record.fields.at[k].type;
  return NULL;
}

static void abi_record(Elab *e, AbiType *out, const Sem *sem, const TypeExp *type) {
  out->kind = ABI_RECORD;
  out->is_tuple = is_tuple(sem);
  for (int i = 0; i < sem->len; i++) {
    list_push(e->arena, &out->field_names, sem->names[i]);
    list_push(e->arena, &out->fields,
              abi_type(e, sem->fields[i], field_texp(type, i, sem->names[i])));
  }
}

static void abi_sum(Elab *e, AbiType *out, const Sem *sem) {
  out->kind = ABI_SUM;
  for (int i = 0; i < sem->len; i++) {
    const SemCon *con = &sem->cons[i];
    list_push(e->arena, &out->field_names, con->name);
    list_grow(e->arena, (void **)&out->payloads.at, out->payloads.len, &out->payloads.cap,
              sizeof *out->payloads.at);
    list_grow(e->arena, (void **)&out->slots.at, out->slots.len, &out->slots.cap,
              sizeof *out->slots.at);
    int at_con = out->payloads.len++;
    out->slots.len++;
    out->payloads.at[at_con].at = NULL;
    out->payloads.at[at_con].len = out->payloads.at[at_con].cap = 0;
    out->slots.at[at_con].at = NULL;
    out->slots.at[at_con].len = out->slots.at[at_con].cap = 0;
    for (int k = 0; k < con->len; k++)
      list_push(e->arena, &out->payloads.at[at_con], abi_type(e, con->payload[k], NULL));
    for (int k = 0; k < con->slots.len; k++)
      list_push(e->arena, &out->slots.at[at_con], (int)con->slots.at[k]);
  }
}

const AbiType *abi_type(Elab *e, const Sem *sem, const TypeExp *type) {
  AbiType *out = NEW(e->arena, AbiType);
  type = bare(type);
  out->name = type_name(e, sem, type);
  out->leaves = width(e, sem);
  switch (sem->tag) {
  case SEM_PRIM:
    out->kind = ABI_SCALAR;
    out->prim = sem->prim;
    return out;
  case SEM_ARRAY: {
    const Sem *elem = sem;
    const TypeExp *inner = type;
    for (; elem->tag == SEM_ARRAY; elem = elem->elem) {
      out->rank++;
      inner = inner && inner->tag == TEXP_ARRAY ? bare(inner->array.elem) : NULL;
    }
    out->kind = elem->tag == SEM_PRIM ? ABI_ARRAY : ABI_OPAQUE_ARRAY;
    if (elem->tag == SEM_PRIM) out->prim = elem->prim;
    else list_push(e->arena, &out->fields, abi_type(e, elem, inner));
    return out;
  }
  case SEM_RECORD: abi_record(e, out, sem, type); return out;
  case SEM_SUM: abi_sum(e, out, sem); return out;
  case SEM_ACC:
  case SEM_FUN: break;
  }
  ice("an entry point value without external form");
}
