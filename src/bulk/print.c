// The text of bulk programs: one statement a line, fields in the order of bulk.def.  It is read by
// people and golden tests only.
#include "bulk.h"
#include <inttypes.h>

typedef struct {
  Text *out;
  const Prog *prog;
  int depth;
} Printer;

static void put(Printer *p, const char *s) { text_puts(p->out, s); }

static void put_line(Printer *p) {
  put(p, "\n");
  for (int i = 0; i < p->depth; i++) put(p, "  ");
}

static void put_list(Printer *p, const char *open, Atoms atoms, const char *close) {
  put(p, open);
  for (int i = 0; i < atoms.len; i++) {
    if (i) put(p, ", ");
    core_print_atom(p->out, p->prog, atoms.at[i]);
  }
  put(p, close);
}

static void put_binders(Printer *p, Vars vars) {
  put(p, "(");
  for (int i = 0; i < vars.len; i++) {
    if (i) put(p, ", ");
    core_print_atom(p->out, p->prog, atom_var(vars.at[i]));
    put(p, " : ");
    core_print_type(p->out, p->prog, var_type(p->prog, vars.at[i]));
  }
  put(p, ")");
}

static void put_ints(Printer *p, Ints ints) {
  put(p, "[");
  for (int i = 0; i < ints.len; i++) text_printf(p->out, i ? ", %" PRId64 : "%" PRId64, ints.at[i]);
  put(p, "]");
}

static void put_slice(Printer *p, Slice slice) {
  put(p, "[");
  for (int i = 0; i < slice.len; i++) {
    const SliceDim *d = &slice.at[i];
    if (i) put(p, ", ");
    core_print_atom(p->out, p->prog, d->start);
    if (d->is_fix) continue;
    put(p, " : ");
    core_print_atom(p->out, p->prog, d->count);
    put(p, " : ");
    core_print_atom(p->out, p->prog, d->stride);
  }
  put(p, "]");
}

// An operator \x y -> op x y by its name, others as functions.
static void put_operator(Printer *p, const BulkExp *e) {
  Op op;
  Prim prim;
  if (!e->fn) put(p, "overwrite");
  else if (lambda_is_op(e->fn, &op, &prim)) put(p, op_info[op].name);
  else lambda_print(p->out, p->prog, e->fn);
  if (e->neutral.len) put_list(p, " (", e->neutral, ")");
}

static void put_data(Printer *p, Data data) {
  put(p, "[");
  for (int64_t i = 0; i < data.len; i++) {
    if (i) put(p, ", ");
    scalar_print(p->out, data.at[i]);
  }
  put(p, "]");
}

static void put_stms(Printer *p, const BulkBody *body);

static void put_pats(Printer *p, const BulkBody *body) {
  for (int i = 0; i < body->pats.len; i++) {
    if (i) put(p, ", ");
    if (body->pats.at[i].any) put(p, "_");
    else scalar_print(p->out, body->pats.at[i].lit);
  }
}

static void put_bodies(Printer *p, const BulkExp *e) {
  p->depth++;
  for (int i = 0; i < e->bodies.len; i++) {
    put_line(p);
    if (e->form == BULK_LOOP) put_binders(p, e->bodies.at[i].params);
    else put_pats(p, &e->bodies.at[i]);
    put(p, " -> {");
    p->depth++;
    put_stms(p, &e->bodies.at[i]);
    p->depth--;
    put_line(p);
    put(p, "}");
  }
  p->depth--;
}

static const char *flag_name(const BulkExp *e) {
  if (e->form == BULK_LOOP) return e->flag ? "for" : "while";
  if (e->form == BULK_GATHER) return e->flag ? "clamped" : "inside";
  return e->flag ? "exclusive" : "inclusive";
}

static void put_field(Printer *p, const BulkExp *e, char field) {
  switch (field) {
    case 'o': put(p, op_info[e->op].name); break;
    case 'p': put(p, prim_info[e->prim].name); break;
    case 'n': text_printf(p->out, "%" PRId64, e->number); break;
    case 'f': put(p, flag_name(e)); break;
    case 'i': put_ints(p, e->ints); break;
    case 'd': put_list(p, "(", e->dims, ")"); break;
    case 's': put_slice(p, e->slice); break;
    case 'l': put_operator(p, e); break;
    case 'a': put_list(p, "(", e->args, ")"); break;
    case 'b': put_bodies(p, e); break;
    case 'c': put_data(p, e->data); break;
    case 't': text_printf(p->out, "\"%s\"", e->text); break;
    case 'e': core_print_exp(p->out, p->prog, &e->core, p->depth); break;
    default: ice("field %c", field);
  }
}

static void put_exp(Printer *p, const BulkExp *e) {
  const char *space = "";
  if (e->form != BULK_PRIM) put(p, bulk_info[e->form].keyword), space = " ";
  for (const char *f = bulk_info[e->form].fields; *f; f++) {
    put(p, *f == 'b' ? "" : space);
    put_field(p, e, *f);
    space = " ";
  }
}

static void put_stms(Printer *p, const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++) {
    put_line(p);
    put(p, "let ");
    const BulkStm *stm = &body->stms.at[i];
    if (stm->unchecked) put(p, "#unchecked ");
    bool product = stm->exp.form == BULK_CONTRACT || stm->exp.form == BULK_PRIM;
    if (product && stm->exp.flag) put(p, "#linear ");
    put_binders(p, body->stms.at[i].bound);
    put(p, " = ");
    put_exp(p, &body->stms.at[i].exp);
  }
  put_line(p);
  put_list(p, "in (", body->results, ")");
}

void bulk_print_exp(Text *out, const Prog *prog, const BulkExp *exp) {
  Printer p = {.out = out, .prog = prog};
  put_exp(&p, exp);
}

void bulk_print(Text *out, const Prog *prog, const BulkBody *body, int indent) {
  Printer p = {.out = out, .prog = prog, .depth = indent};
  put_stms(&p, body);
}
