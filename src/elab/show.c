// #[trace]: the statement that prints a value as it is written in source.  Its arguments are the
// value's atoms, its layout (rts/show.h) says how they make up the value.
#include "local.h"

typedef struct {
  Elab *e;
  Text text;
  Atoms args;
} Layout;

// The text before field i, and after the last.
static void field_begin(Layout *l, bool tuple, const Name *names, int i) {
  text_puts(&l->text, i ? ", " : tuple ? "(" : "{");
  if (!tuple) text_printf(&l->text, "%s = ", names[i]);
}
static void fields_end(Layout *l, bool tuple, int len) {
  if (len == 0) text_putc(&l->text, '(');
  text_putc(&l->text, tuple ? ')' : '}');
}

// Arguments number *at, *at + 1, ..; of a constructor's payload those in its slots.
typedef struct {
  const Ints *slots;  // NULL: one after the other
  int first, at;
} Numbers;
static int number_next(Numbers *n) {
  int at = n->at++;
  return n->first + (n->slots ? (int)n->slots->at[at] : at);
}

static void show_sem(Layout *l, const Sem *sem, Numbers *n);

static bool has_payload(const Sem *sem) {
  bool any = false;
  for (int i = 0; sem->tag == SEM_SUM && i < sem->len; i++) any = any || sem->cons[i].len > 0;
  return any;
}

static void payload_begin(Layout *l, const Sem *sem) {
  text_puts(&l->text, has_payload(sem) ? " (" : " ");
}
static void payload_end(Layout *l, const Sem *sem) {
  if (has_payload(sem)) text_putc(&l->text, ')');
}

static void show_con(Layout *l, const SemCon *con, int first, const Numbers *outer) {
  Ints slots = {0};
  for (int i = 0; i < con->slots.len; i++) {
    int64_t slot = first + con->slots.at[i];
    list_push(l->e->arena, &slots, outer->slots ? outer->slots->at[slot] : slot);
  }
  Numbers n = {&slots, outer->first, 0};
  text_printf(&l->text, "#%s", con->name);
  for (int i = 0; i < con->len; i++) {
    payload_begin(l, con->payload[i]);
    show_sem(l, con->payload[i], &n);
    payload_end(l, con->payload[i]);
  }
}

static void show_sum(Layout *l, const Sem *sum, Numbers *n) {
  int first = n->at;
  if (sum->len > 1) text_printf(&l->text, "?%d.", number_next(n));
  for (int i = 0; i < sum->len; i++) {
    if (i) text_putc(&l->text, '|');
    show_con(l, &sum->cons[i], first, n);
  }
  if (sum->len > 1) text_putc(&l->text, ';');
  n->at = first + sum->leaves.len;
}

static void show_array(Layout *l, const Sem *array, Numbers *n) {
  const Sem *elem = array->elem;
  while (elem->tag == SEM_ARRAY) elem = elem->elem;
  if (elem->tag == SEM_PRIM) {
    text_printf(&l->text, "%%%d.", number_next(n));
    return;
  }
  Numbers first = *n;
  Leaves leaves = {0};
  sem_leaves(l->e, array, &leaves);
  text_printf(&l->text, "[%d.", number_next(&first));
  show_sem(l, array->elem, n);
  n->at = first.at - 1 + leaves.len;  // units have a leaf in arrays only
  text_putc(&l->text, ']');
}

static void show_sem(Layout *l, const Sem *sem, Numbers *n) {
  switch (sem->tag) {
  case SEM_PRIM: text_printf(&l->text, "%%%d.", number_next(n)); return;
  case SEM_ARRAY: show_array(l, sem, n); return;
  case SEM_RECORD: {
    bool tuple = names_are_tuple(sem->len, sem->names);
    for (int i = 0; i < sem->len; i++) {
      field_begin(l, tuple, sem->names, i);
      show_sem(l, sem->fields[i], n);
    }
    fields_end(l, tuple, sem->len);
    return;
  }
  case SEM_SUM: show_sum(l, sem, n); return;
  case SEM_ACC:
  case SEM_FUN: ice("a value that is not printed");
  }
}

// Leaves that the value does not have are never printed.
static void show_leaves(Layout *l, const Sem *sem, Atoms leaves) {
  Numbers n = {NULL, l->args.len, 0};
  for (int i = 0; i < leaves.len; i++)
    list_push(l->e->arena, &l->args, is_blank(leaves.at[i]) ? atom_i64(0) : leaves.at[i]);
  show_sem(l, sem, &n);
}

static void show_val(Layout *l, const Val *v) {
  switch (v->tag) {
  case VAL_ATOM: show_leaves(l, val_sem(l->e, v), val_atoms(l->e, v)); return;
  case VAL_ARRAY: show_leaves(l, val_sem(l->e, v), v->array.leaves); return;
  case VAL_SUM: show_leaves(l, v->sum.sem, v->sum.leaves); return;
  case VAL_RECORD: {
    bool tuple = names_are_tuple(v->record.len, v->record.names);
    for (int i = 0; i < v->record.len; i++) {
      field_begin(l, tuple, v->record.names, i);
      show_val(l, v->record.at[i]);
    }
    fields_end(l, tuple, v->record.len);
    return;
  }
  case VAL_CON: {
    const SemCon *con = &v->con.sem->cons[v->con.index];
    text_printf(&l->text, "#%s", con->name);
    for (int i = 0; i < con->len; i++) {
      payload_begin(l, con->payload[i]);
      show_val(l, v->con.args[i]);
      payload_end(l, con->payload[i]);
    }
    return;
  }
  case VAL_ACC: text_puts(&l->text, "<accumulator>"); return;
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH: text_puts(&l->text, "<function>"); return;
  case VAL_HOLE: text_puts(&l->text, "???"); return;
  }
}

void val_trace(Elab *e, const Val *v, const char *label) {
  Layout l = {.e = e};
  show_val(&l, v);
  Exp exp = {.form = FORM_TRACE,
             .trace = {label, arena_strdup(e->prog->arena, l.text.at), l.args}};
  text_free(&l.text);
  build_many(&e->b, NULL, (Types){0}, exp);
}
