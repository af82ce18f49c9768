// Symbolic evaluation of scalar statements: each is emitted, and is a vertex where its derivative
// can be other than zero.
#include "eliminate.h"

SymVal *sym_scalar(Symbolic *s, Atom a) {
  SymVal v = {.kind = SYM_SCALAR, .atom = a};
  return arena_copy(s->arena, &v, sizeof v);
}

SymVal *sym_elements(Symbolic *s, int n) {
  SymVal v = {.kind = SYM_ELEMENTS, .n = n, .at = NEW_ARRAY(s->arena, SymVal *, n + 1)};
  return arena_copy(s->arena, &v, sizeof v);
}

bool symbolic_refuse(Symbolic *s, const Stm *stm, const char *why) {
  if (!s->why) s->refused = stm, s->why = why;
  return false;
}

SymVal *symbolic_val(Symbolic *s, Atom a) {
  SymVal *v = a.is_var ? map_get(s->vals, a.var.id) : NULL;
  if (v) return v;
  v = sym_scalar(s, a);
  if (a.is_var && var_type(s->b->prog, a.var).rank) v->kind = SYM_WHOLE;
  return v;
}

SymVal *sym_element(Symbolic *s, SymVal *v, int64_t i) {
  if (v->kind == SYM_ELEMENTS) return i >= 0 && i < v->n ? v->at[i] : NULL;
  if (v->kind == SYM_SCALAR) return NULL;
  Atom row = build_index(s->b, v->atom, atoms1(s->arena, atom_i64(i)));
  SymVal *out = sym_scalar(s, row);
  if (atom_type(s->b->prog, row).rank) out->kind = SYM_WHOLE;
  return out;
}

// ---- vertices
static int *vertex_of(Symbolic *s, Atom a) {
  return a.is_var ? map_get(s->vertex, a.var.id) : NULL;
}

static bool any_active(Symbolic *s, Atoms args) {
  for (int i = 0; i < args.len; i++)
    if (vertex_of(s, args.at[i])) return true;
  return false;
}

static bool any_singular(Symbolic *s, Atoms args) {
  for (int i = 0; i < args.len; i++)
    if (args.at[i].is_var && map_get(s->singular, args.at[i].var.id)) return true;
  return false;
}

static void edge_to(Symbolic *s, int v, Atom operand, Edge e) {
  const int *from = vertex_of(s, operand);
  if (!from || (!e.a.is_var && atom_is(e.a, 0))) return;
  e.from = *from;
  e.to = v;
  graph_edge(s->g, s->b, e, NULL);
}

static void edges_of_select(Symbolic *s, int v, Prim p, Atoms x) {
  edge_to(s, v, x.at[1], (Edge){.a = atom_number(p, 1), .cond = x.at[0]});
  edge_to(s, v, x.at[2], (Edge){.a = atom_number(p, 1), .cond = x.at[0], .unless = true});
}

static void edges_of(Symbolic *s, int v, const struct prim_form *p, Atoms x, Atom y) {
  if (p->op == OP_SELECT) {
    edges_of_select(s, v, p->prim, x);
    return;
  }
  struct prim_form e = {p->op, p->prim, x};
  bool risky = guard_is_risky(&e) || any_singular(s, x);
  if (guard_is_singular(&e) || any_singular(s, x)) map_put(s->singular, y.var.id, s);
  for (int i = 0; i < x.len; i++) {
    const Term *J = op_partial(p->op, p->prim, i);
    if (!J || !vertex_of(s, x.at[i])) continue;
    Atom partial = build_term(s->b, J, p->prim, x.at, y);
    edge_to(s, v, x.at[i], (Edge){.a = partial, .cond = atom_none(),
                                  .risky = risky && partial.is_var});
  }
}

static bool make_vertex(Symbolic *s, const Stm *stm, const struct prim_form *p, Atoms x, Atom y) {
  if (!y.is_var || vertex_of(s, y) || !any_active(s, x)) return true;
  if (!prim_is_float(atom_type(s->b->prog, y).prim)) return true;
  if (p->op == OP_GUARD || op_is_bits(p->op)) return symbolic_refuse(s, stm, op_info[p->op].name);
  if (s->g->vertices.len >= VERTICES_MOST) return symbolic_refuse(s, stm, "more scalars than 2000");
  int v = graph_vertex(s->g, VERTEX_INNER);
  map_put(s->vertex, y.var.id, arena_copy(s->arena, &v, sizeof v));
  edges_of(s, v, p, x, y);
  return true;
}

static Atom emit_prim(Symbolic *s, const Stm *stm, Atoms x) {
  const struct prim_form *p = &stm->exp.prim;
  Attrs saved = s->b->attrs;
  s->b->attrs.unchecked = stm->attrs.unchecked;
  Atom y = p->op == OP_SELECT ? build_select(s->b, x.at[0], x.at[1], x.at[2])
           : x.len == 1       ? build_op1(s->b, p->op, x.at[0])
           : x.len == 2       ? build_op(s->b, p->op, x.at[0], x.at[1])
                              : build_op3(s->b, p->op, x.at[0], x.at[1], x.at[2]);
  s->b->attrs = saved;
  return y;
}

static bool symbolic_prim(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct prim_form *p = &stm->exp.prim;
  Atoms x = {0};
  for (int i = 0; i < p->args.len; i++)
    list_push(s->arena, &x, symbolic_val(s, p->args.at[i])->atom);
  if (op_may_fail(p->op, p->prim) && !stm->attrs.unchecked && s->branches)
    return symbolic_refuse(s, stm, "an operation that may fail, in a branch");
  Atom y = emit_prim(s, stm, x);
  out[0] = sym_scalar(s, y);
  return make_vertex(s, stm, p, x, y);
}

// Selects of all scalars of two values; the same shape.
SymVal *symbolic_select(Symbolic *s, Atom cond, SymVal *yes, SymVal *no) {
  if (yes->kind == SYM_SCALAR && no->kind == SYM_SCALAR) {
    Atom x[] = {cond, yes->atom, no->atom}, y = build_select(s->b, cond, yes->atom, no->atom);
    struct prim_form p = {OP_SELECT, atom_type(s->b->prog, yes->atom).prim, {0}};
    return make_vertex(s, NULL, &p, atoms_of(s->arena, 3, x), y) ? sym_scalar(s, y) : NULL;
  }
  int n = yes->kind == SYM_ELEMENTS ? yes->n : no->n;
  if (yes->kind == SYM_WHOLE && no->kind == SYM_WHOLE) return NULL;
  SymVal *out = sym_elements(s, n);
  for (int i = 0; i < n; i++) {
    SymVal *x = sym_element(s, yes, i), *y = sym_element(s, no, i);
    SymVal *z = x && y ? symbolic_select(s, cond, x, y) : NULL;
    if (!z) return NULL;
    ((SymVal **)out->at)[i] = z;
  }
  return out;
}

static bool symbolic_stm(Symbolic *s, const Stm *stm) {
  SymVal **out = NEW_ARRAY(s->arena, SymVal *, stm->bound.len + 1);
  if (--s->budget < 0) return symbolic_refuse(s, stm, "a function of too many steps");
  if (stm->loc) s->b->loc = stm->loc;
  bool scalar = stm->exp.form == FORM_PRIM;
  if (!(scalar ? symbolic_prim(s, stm, out) : symbolic_form(s, stm, out))) return false;
  for (int k = 0; k < stm->bound.len; k++) map_put(s->vals, stm->bound.at[k].id, out[k]);
  return true;
}

bool symbolic_body(Symbolic *s, const Body *body, SymVal **results) {
  for (int i = 0; i < body->stms.len; i++)
    if (!symbolic_stm(s, &body->stms.at[i])) return false;
  for (int k = 0; k < body->results.len; k++) results[k] = symbolic_val(s, body->results.at[k]);
  return true;
}

bool symbolic_lambda(Symbolic *s, const Lambda *fn, SymVal **args, SymVal **results) {
  for (int k = 0; k < fn->params.len; k++) map_put(s->vals, fn->params.at[k].id, args[k]);
  return symbolic_body(s, &fn->body, results);
}
