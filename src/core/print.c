// The text form of the IR: one statement per line, every variable as base_number.  It is the text
// that parse.c reads.  Positions and the outside view of entry points are not part of it.
#include "local.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

typedef struct {
  Text *out;
  const Prog *prog;
  int depth;
} Printer;

static void put(Printer *p, const char *s) { text_puts(p->out, s); }

static void put_line(Printer *p) {
  text_putc(p->out, '\n');
  for (int i = 0; i < p->depth; i++) put(p, "  ");
}

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

static void put_var(Printer *p, Var v) {
  const char *base = v.id ? var_info(p->prog, v)->base : "none";
  if (isdigit((unsigned char)*base)) text_putc(p->out, '_');
  for (const char *s = base; *s; s++) text_putc(p->out, is_word_char(*s) ? *s : '_');
  text_printf(p->out, "_%" PRIu32, v.id);
}

static void put_atom(Printer *p, Atom a) {
  if (a.is_var) put_var(p, a.var);
  else scalar_print(p->out, a.value);
}

static void put_atoms(Printer *p, Atoms atoms) {
  put(p, "(");
  for (int i = 0; i < atoms.len; i++) {
    if (i) put(p, ", ");
    put_atom(p, atoms.at[i]);
  }
  put(p, ")");
}

static void put_type(Printer *p, Type t) {
  if (t.unique) put(p, "*");
  if (t.is_acc) {
    put(p, "acc(");
    put_var(p, t.token);
    text_printf(p->out, ", %d, ", t.index_rank);
  }
  for (int i = 0; i < t.rank; i++) {
    put(p, "[");
    put_atom(p, t.dims[i]);
    put(p, "]");
  }
  put(p, prim_info[t.prim].name);
  if (t.is_acc) put(p, ")");
}

static void put_types(Printer *p, Types types) {
  put(p, "(");
  for (int i = 0; i < types.len; i++) {
    if (i) put(p, ", ");
    put_type(p, types.at[i]);
  }
  put(p, ")");
}

static void put_binders(Printer *p, Vars vars) {
  put(p, "(");
  for (int i = 0; i < vars.len; i++) {
    if (i) put(p, ", ");
    put_var(p, vars.at[i]);
    put(p, " : ");
    put_type(p, var_type(p->prog, vars.at[i]));
  }
  put(p, ")");
}

static void put_string(Printer *p, const char *s) {
  put(p, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') text_printf(p->out, "\\%c", c);
    else if (c == '\n') put(p, "\\n");
    else if (c < ' ' || c == 127) text_printf(p->out, "\\x%02x", c);
    else text_putc(p->out, *s);
  }
  put(p, "\"");
}

static void put_name(Printer *p, const char *name) {
  bool plain = isalpha((unsigned char)*name) || *name == '_';
  for (const char *s = name; *s; s++) plain = plain && is_word_char(*s);
  if (plain) put(p, name);
  else put_string(p, name);
}

static const char *const linear_names[] = {"", "#linear ", "#linear_second ", "#linear_both "};

static void put_attrs(Printer *p, Attrs a) {
  if (a.sequential) put(p, "#sequential ");
  if (a.unroll) put(p, "#unroll ");
  if (a.noinline_) put(p, "#noinline ");
  if (a.unchecked) put(p, "#unchecked ");
  if (a.warn_checks) put(p, "#warn_checks ");
  if (a.true_dep) put(p, "#true_dep ");
  if (a.opaque) put(p, "#opaque ");
  if (a.reversed) put(p, "#reversed ");
  if (a.low_peak) put(p, "#low_peak ");
  if (a.chunked) put(p, "#chunked ");
  if (a.disjoint) put(p, "#disjoint ");
  if (a.exact) put(p, "#exact ");
  if (a.linear) put(p, linear_names[a.linear]);
  if (a.strategy) text_printf(p->out, "#strategy(%s) ", strategy_info[a.strategy].name);
  if (a.stripmine) text_printf(p->out, "#stripmine(%d) ", a.stripmine);
  if (a.bound) text_printf(p->out, "#bound(%d) ", a.bound);
  if (a.checkpoint > 0) text_printf(p->out, "#checkpoint(%d) ", a.checkpoint);
  if (a.checkpoint < 0) put(p, "#checkpoint_log ");
  if (a.memory_limit) text_printf(p->out, "#memory_limit(%lld) ", (long long)a.memory_limit);
  if (a.memory_fraction) text_printf(p->out, "#memory_fraction(%d) ", a.memory_fraction);
}

static void put_stm(Printer *p, const Stm *stm);

static void put_body(Printer *p, const Body *body) {
  put(p, "{");
  p->depth++;
  for (int i = 0; i < body->stms.len; i++) {
    put_line(p);
    put_stm(p, &body->stms.at[i]);
  }
  if (body->stms.len) put_line(p);
  else put(p, " ");
  put(p, "in ");
  put_atoms(p, body->results);
  p->depth--;
  if (body->stms.len) put_line(p);
  else put(p, " ");
  put(p, "}");
}

static void put_lambda(Printer *p, const Lambda *fn) {
  if (!fn) {
    put(p, "none");
    return;
  }
  put(p, "(\\");
  put_binders(p, fn->params);
  put(p, " -> ");
  put_types(p, fn->rets);
  put(p, " ");
  put_body(p, &fn->body);
  put(p, ")");
}

static void put_operators(Printer *p, Operators ops) {
  put(p, "<");
  for (int i = 0; i < ops.len; i++) {
    if (i) put(p, ", ");
    if (ops.at[i].comm) put(p, "comm ");
    if (ops.at[i].exclusive) put(p, "exclusive ");
    put_lambda(p, ops.at[i].op);
    put(p, " ");
    put_atoms(p, ops.at[i].neutral);
  }
  put(p, ">");
}

static void put_slice(Printer *p, Slice slice) {
  put(p, "[");
  for (int i = 0; i < slice.len; i++) {
    if (i) put(p, ", ");
    put_atom(p, slice.at[i].start);
    if (slice.at[i].is_fix) continue;
    put(p, " : ");
    put_atom(p, slice.at[i].count);
    put(p, " : ");
    put_atom(p, slice.at[i].stride);
  }
  put(p, "]");
}

static void put_case(Printer *p, const Case *c) {
  put(p, "case (");
  for (int i = 0; i < c->pats.len; i++) {
    if (i) put(p, ", ");
    if (c->pats.at[i].any) put(p, "_");
    else scalar_print(p->out, c->pats.at[i].lit);
  }
  put(p, ") -> ");
  put_body(p, &c->body);
}

static void put_cases(Printer *p, Cases cases) {
  put(p, "{");
  p->depth++;
  for (int i = 0; i < cases.len; i++) {
    put_line(p);
    put_case(p, &cases.at[i]);
  }
  p->depth--;
  put_line(p);
  put(p, "}");
}

static void put_data(Printer *p, Data data) {
  put(p, prim_info[data.prim].name);
  put(p, " [");
  for (int64_t i = 0; i < data.len; i++) {
    if (i) put(p, ", ");
    scalar_print(p->out, data.at[i]);
  }
  put(p, "]");
}

static void put_ints(Printer *p, Ints ints) {
  put(p, "[");
  for (int i = 0; i < ints.len; i++) text_printf(p->out, i ? ", %" PRId64 : "%" PRId64, ints.at[i]);
  put(p, "]");
}

static void put_field(Printer *p, const Exp *exp, const Field *f) {
  switch (f->kind) {
    case FIELD_ATOM: put_atom(p, FIELD_CONST(exp, f, Atom)); break;
    case FIELD_ATOMS: put_atoms(p, FIELD_CONST(exp, f, Atoms)); break;
    case FIELD_LAMBDA: put_lambda(p, FIELD_CONST(exp, f, Lambda *)); break;
    case FIELD_OPERATORS: put_operators(p, FIELD_CONST(exp, f, Operators)); break;
    case FIELD_SLICE: put_slice(p, FIELD_CONST(exp, f, Slice)); break;
    case FIELD_CASES: put_cases(p, FIELD_CONST(exp, f, Cases)); break;
    case FIELD_OP: put(p, op_info[FIELD_CONST(exp, f, Op)].name); break;
    case FIELD_PRIM: put(p, prim_info[FIELD_CONST(exp, f, Prim)].name); break;
    case FIELD_INT: text_printf(p->out, "%" PRId64, FIELD_CONST(exp, f, int64_t)); break;
    case FIELD_INTS: put_ints(p, FIELD_CONST(exp, f, Ints)); break;
    case FIELD_FLAG: put(p, f->name); break;
    case FIELD_STRING: put_string(p, FIELD_CONST(exp, f, const char *)); break;
    case FIELD_FN: put_name(p, FIELD_CONST(exp, f, const char *)); break;
    case FIELD_DATA: put_data(p, FIELD_CONST(exp, f, Data)); break;
    case FIELD_END: break;
  }
}

static void put_exp(Printer *p, const Exp *exp) {
  const char *gap = *form_info[exp->form].keyword ? " " : "";
  put(p, form_info[exp->form].keyword);
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    if (f->kind == FIELD_FLAG && !FIELD_CONST(exp, f, bool)) continue;
    put(p, gap);
    put_field(p, exp, f);
    gap = " ";
  }
}

static void put_stm(Printer *p, const Stm *stm) {
  put(p, "let ");
  put_attrs(p, stm->attrs);
  put_binders(p, stm->bound);
  put(p, " = ");
  put_exp(p, &stm->exp);
}

static void put_fn(Printer *p, const Fn *fn) {
  put(p, "fn ");
  put_name(p, fn->name);
  put(p, " ");
  put_attrs(p, fn->attrs);
  if (fn->entry) {
    put(p, "entry ");
    if (strcmp(fn->entry->name, fn->name) != 0) {
      put_string(p, fn->entry->name);
      put(p, " ");
    }
  }
  put_binders(p, fn->params);
  put(p, " -> ");
  put_binders(p, fn->results);
  put(p, " ");
  put_body(p, &fn->body);
  put(p, "\n");
}

void core_print(Text *out, const Prog *prog) {
  Printer p = {.out = out, .prog = prog};
  if (prog->level != LEVEL_SOAC) text_printf(out, "level %d\n", (int)prog->level);
  if (prog->constants.len) {
    put(&p, "constants {");
    p.depth = 1;
    for (int i = 0; i < prog->constants.len; i++) {
      put_line(&p);
      put_stm(&p, &prog->constants.at[i]);
    }
    p.depth = 0;
    put(&p, "\n}\n");
  }
  for (int i = 0; i < prog->fns.len; i++) put_fn(&p, prog->fns.at[i]);
  if (!out->at) text_puts(out, "");
}

void lambda_print(Text *out, const Prog *prog, const Lambda *fn) {
  Printer p = {.out = out, .prog = prog};
  put_lambda(&p, fn);
}

void core_print_atom(Text *out, const Prog *prog, Atom a) {
  Printer p = {.out = out, .prog = prog};
  put_atom(&p, a);
}

void core_print_type(Text *out, const Prog *prog, Type t) {
  Printer p = {.out = out, .prog = prog};
  put_type(&p, t);
}

void core_print_exp(Text *out, const Prog *prog, const Exp *exp, int depth) {
  Printer p = {.out = out, .prog = prog, .depth = depth};
  put_exp(&p, exp);
}
