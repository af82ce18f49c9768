// Accumulators, which the language has no plain word for: an accumulator is an array that is
// updated in place, and a map that hands one on is a loop.
#include "local.h"

void stm_withacc(Writer *s, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  for (int k = 0; k < e->arrays.len; k++) {
    if (k) put_line(s);
    put(s, "let %s = ", source_name(s, e->fn->params.at[k]));
    put_owned(s, e->arrays.at[k]);
  }
  s->lets = true;
  put_stms(s, e->fn->body.stms);
  for (int k = 0; k < stm->bound.len; k++) {
    put_line(s);
    put(s, "let %s = ", source_name(s, stm->bound.at[k]));
    put_atom(s, e->fn->body.results.at[k]);
  }
  put_shapes(s, stm->bound);
}

// ---- a map as a loop
typedef struct {
  const Stm *stm;
  const char *index;
  const char **outs;  // the result arrays inside the loop; NULL for accumulators
} Sequential;

static bool is_acc(Writer *s, Atom a) { return atom_type(s->prog, a).is_acc; }

static void put_updated(Writer *s, void *state) {
  const Sequential *q = state;
  Atoms results = q->stm->exp.map.fn->body.results;
  if (results.len != 1) put(s, "(");
  for (int k = 0; k < results.len; k++) {
    if (k) put(s, ", ");
    if (q->outs[k]) put(s, "%s with [%s] = ", q->outs[k], q->index);
    put_atom(s, results.at[k]);
  }
  if (results.len != 1) put(s, ")");
}

// The accumulator among the inputs that result k continues: they come in the same order.
static int acc_input(Writer *s, const Stm *stm, int k) {
  const struct map_form *e = &stm->exp.map;
  Var token = var_type(s->prog, stm->bound.at[k]).token;
  for (int i = 0; i < e->inputs.len; i++)
    if (is_acc(s, e->inputs.at[i]) && atom_type(s->prog, e->inputs.at[i]).token.id == token.id)
      return i;
  ice("an accumulator from nowhere");
}

static void put_loop_head(Writer *s, const Stm *stm, Sequential *q) {
  const struct map_form *e = &stm->exp.map;
  put(s, "loop (");
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(s->prog, stm->bound.at[k]);
    const char *name = t.is_acc ? source_name(s, e->fn->params.at[acc_input(s, stm, k)])
                                : source_fresh(s, "out");
    q->outs[k] = t.is_acc ? NULL : name;
    put(s, k ? ", %s: *" : "%s: *", name);
    put_type(s, t);
  }
  put(s, ") = (");
  for (int k = 0; k < stm->bound.len; k++) {
    if (k) put(s, ", ");
    if (q->outs[k]) put_zeros(s, var_type(s->prog, stm->bound.at[k]));
    else put_atom(s, e->inputs.at[acc_input(s, stm, k)]);
  }
  put(s, ")");
}

void stm_map_acc(Writer *s, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  Sequential q = {.stm = stm, .index = source_fresh(s, "i")};
  q.outs = NEW_ARRAY(s->arena, const char *, stm->bound.len + 1);
  put_let(s, stm->bound);
  put_shapes(s, stm->bound);
  s->depth++;
  put_line(s);
  put_loop_head(s, stm, &q);
  put_line(s);
  put(s, "for %s < ", q.index);
  put_atom(s, e->width);
  put(s, " do");
  s->depth++;
  for (int i = 0; i < e->inputs.len; i++) {
    if (is_acc(s, e->inputs.at[i])) continue;
    put_line(s);
    put(s, "let %s = ", source_name(s, e->fn->params.at[i]));
    put_atom(s, e->inputs.at[i]);
    put(s, "[%s]", q.index);
  }
  s->depth--;
  put_body_with(s, &e->fn->body, put_updated, &q);
  s->depth--;
}

// ---- updates
static void put_position(Writer *s, const struct updateacc_form *e) {
  put_atom(s, e->acc);
  put(s, "[");
  for (int d = 0; d < e->index.len; d++) {
    if (d) put(s, ", ");
    put_atom(s, e->index.at[d]);
  }
  put(s, "]");
}

static const Lambda *operator_of(Writer *s, Var token);

// Infix where it is one of scalars; else a function of two rows.
static const char *infix_of(const Lambda *fn) {
  Op op;
  Prim p;
  if (!lambda_is_op(fn, &op, &p) || p == PRIM_BOOL) return NULL;
  return op == OP_ADD ? "+" : op == OP_MUL ? "*" : op == OP_OR ? "|" : NULL;
}

// Where the operator is of fewer dimensions than the value, it works element by element.
static void put_combined(Writer *s, const Lambda *op, Type t, const char *a, const char *b) {
  if (t.rank > var_type(s->prog, op->params.at[0]).rank) {
    const char *x = source_fresh(s, "x"), *y = source_fresh(s, "y");
    put(s, "map2 (\\%s %s -> ", x, y);
    put_combined(s, op, type_row(t), x, y);
    put(s, ") %s %s", a, b);
  } else if (infix_of(op)) {
    put(s, "%s %s %s", a, infix_of(op), b);
  } else {
    put_operator(s, op);
    put(s, " %s %s", a, b);
  }
}

// Rows whose sizes are only asserted to be those of the accumulator's.
static void put_row(Writer *s, Atom a, Type row) {
  Type t = atom_type(s->prog, a);
  bool same = true;
  for (int d = 0; d < t.rank; d++) same = same && atom_same(t.dims[d], row.dims[d]);
  if (!same) put(s, "(");
  put_atom(s, a);
  if (same) return;
  put(s, " :> ");
  put_type(s, row);
  put(s, ")");
}

void stm_updateacc(Writer *s, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Type t = atom_type(s->prog, e->acc), plain = t;
  plain.is_acc = false;
  Type value = type_peel(plain, e->index.len);
  const Lambda *op = operator_of(s, t.token);
  const char *old = source_fresh(s, "old"), *next = source_fresh(s, "new");
  put_let(s, stm->bound);
  s->depth++;
  put_line(s);
  put(s, "if ");
  for (int d = 0; d < e->index.len; d++) {
    if (d) put(s, " && ");
    put(s, "0 <= "), put_atom(s, e->index.at[d]);
    put(s, " && "), put_atom(s, e->index.at[d]), put(s, " < "), put_atom(s, t.dims[d]);
  }
  put(s, " then");
  s->depth++;
  put_line(s);
  Text text = {0};
  Writer quiet = *s;
  quiet.out = &text;
  put_row(&quiet, e->value, value);
  if (op) {
    put(s, "let %s = %s(", old, value.rank ? "copy " : "");
    put_position(s, e);
    put(s, ")");
    put_line(s);
    put(s, "let %s = ", next);
    put_combined(s, op, value, old, text.at);
    put_line(s);
    put(s, "in ");
  }
  put_atom(s, e->acc);
  put(s, " with [");
  for (int d = 0; d < e->index.len; d++) put(s, d ? ", " : ""), put_atom(s, e->index.at[d]);
  put(s, "] = %s", op ? next : text.at);
  text_free(&text);
  s->depth--;
  put_line(s);
  put(s, "else ");
  put_atom(s, e->acc);
  s->depth--;
}

// ---- the operator of an accumulator, found where its token is bound
typedef struct {
  Var token;
  const Operator *op;
} Search;

static void search_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Search *q = state;
  for (int i = 0; i < body->stms.len && !q->op; i++) {
    const Exp *e = &body->stms.at[i].exp;
    for (int k = 0; e->form == FORM_WITHACC && k < e->withacc.ops.len; k++)
      if (e->withacc.fn->params.at[k].id == q->token.id) q->op = &e->withacc.ops.at[k];
    if (!q->op) exp_each_body(e, search_body, q);
  }
}

static const Lambda *operator_of(Writer *s, Var token) {
  Search q = {.token = token};
  Body constants = {.stms = s->prog->constants};
  search_body(&q, &constants, NULL);
  for (int i = 0; i < s->prog->fns.len && !q.op; i++)
    search_body(&q, &s->prog->fns.at[i]->body, NULL);
  check(q.op);
  return q.op->op;
}
