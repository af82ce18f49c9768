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

// An element of iota is the loop's counter.
static bool is_counter(Writer *s, const struct map_form *e, int i, const char *index) {
  Atom a = e->inputs.at[i];
  if (!a.is_var || !map_get(s->iotas, a.var.id)) return false;
  Var p = e->fn->params.at[i];
  map_put(s->names, p.id, arena_strdup(s->arena, index));
  map_put(s->counters, p.id, arena_copy(s->arena, &e->width, sizeof e->width));
  return true;
}

void stm_map_acc(Writer *s, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  Sequential q = {.stm = stm, .index = source_fresh(s, "i")};
  q.outs = NEW_ARRAY(s->arena, const char *, stm->bound.len + 1);
  put(s, "let ");
  put_vars_tuple(s, stm->bound);
  put(s, " =");
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
    if (is_acc(s, e->inputs.at[i]) || is_counter(s, e, i, q.index)) continue;
    put_line(s);
    put(s, "let %s = ", source_name(s, e->fn->params.at[i]));
    put_atom(s, e->inputs.at[i]);
    put(s, "[%s]", q.index);
    s->begun = true;
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
    put_size(s, e->index.at[d]);
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

// Whether an index needs no test, being a loop's counter, or a constant.
static bool is_inside(Writer *s, Atom index, Atom size) {
  if (!index.is_var) return !size.is_var && 0 <= index.value.i && index.value.i < size.value.i;
  const Atom *count = map_get(s->counters, index.var.id);
  return count && atom_same(*count, size);
}

static int tests_needed(Writer *s, const struct updateacc_form *e, Type t) {
  int n = 0;
  for (int d = 0; d < e->index.len; d++) n += !is_inside(s, e->index.at[d], t.dims[d]);
  return n;
}

static void put_tests(Writer *s, const struct updateacc_form *e, Type t) {
  bool first = true;
  for (int d = 0; d < e->index.len; d++) {
    if (is_inside(s, e->index.at[d], t.dims[d])) continue;
    put(s, first ? "0 <= " : " && 0 <= ");
    put_atom(s, e->index.at[d]);
    put(s, " && "), put_atom(s, e->index.at[d]);
    put(s, " < "), put_size(s, t.dims[d]);
    first = false;
  }
}

// acc with [i] = acc[i] + v
static void put_added(Writer *s, const struct updateacc_form *e, const Lambda *op, const char *v) {
  Type t = atom_type(s->prog, e->acc);
  t.is_acc = false;
  Type value = type_peel(t, e->index.len);
  const char *old = NULL;
  if (op && value.rank) {
    put(s, "let %s = copy ", old = source_fresh(s, "old"));
    put_position(s, e);
    put_line(s);
    put(s, "in ");
  }
  Text place = {0};
  Writer quiet = *s;
  quiet.out = &place;
  if (!old) put_position(&quiet, e);
  put_atom(s, e->acc);
  put(s, " with [");
  for (int d = 0; d < e->index.len; d++) put(s, d ? ", " : ""), put_size(s, e->index.at[d]);
  put(s, "] = ");
  if (op) put_combined(s, op, value, old ? old : place.at, v);
  else put(s, "%s", v);
  text_free(&place);
}

void stm_updateacc(Writer *s, const Stm *stm) {
  const struct updateacc_form *e = &stm->exp.updateacc;
  Type t = atom_type(s->prog, e->acc), plain = t;
  plain.is_acc = false;
  Text text = {0};
  Writer quiet = *s;
  quiet.out = &text;
  put_row(&quiet, e->value, type_peel(plain, e->index.len));
  const Lambda *op = operator_of(s, t.token);
  put(s, "let %s =", source_name(s, stm->bound.at[0]));
  s->depth++;
  bool tests = tests_needed(s, e, t) > 0;
  if (tests) {
    put_line(s);
    put(s, "if "), put_tests(s, e, t), put(s, " then");
    s->depth++;
  }
  if (tests || (op && plain.rank > e->index.len)) put_line(s);
  else put(s, " ");
  put_added(s, e, op, text.at);
  text_free(&text);
  if (tests) {
    s->depth--;
    put_line(s);
    put(s, "else "), put_atom(s, e->acc);
  }
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
