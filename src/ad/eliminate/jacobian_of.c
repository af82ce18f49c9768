// The strategy: value and Jacobian of the function at the point, and their product with the
// tangents or seeds of the operator.  In a map over unit vectors the products fold to the
// Jacobian's entries, and the Jacobian is common to all of them.
#include "ad/common/strategies.h"
#include "eliminate.h"

typedef struct {
  Symbolic s;
  Graph g;
  Atoms inputs, results;  // scalars, in order
  LIST(int) input_vertex, result_vertex;
} Local;

static bool constant_shape(const Prog *prog, Type t) {
  (void)prog;
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var || t.dims[d].value.i > INPUTS_MOST) return false;
  return true;
}

// An array as its elements; inputs are vertices.
static SymVal *input_val(Local *l, Atom a, Type t) {
  Builder *b = l->s.b;
  if (t.rank == 0) {
    // a new name: other uses of the variable are constant
    Exp same = {.form = FORM_ATOM, .atom = {a}};
    Atom x = build(b, "x", type_scalar(t.prim), same);
    int v = graph_vertex(&l->g, VERTEX_INPUT);
    map_put(l->s.vertex, x.var.id, arena_copy(l->s.arena, &v, sizeof v));
    list_push(l->s.arena, &l->input_vertex, v);
    return sym_scalar(&l->s, x);
  }
  SymVal *out = sym_elements(&l->s, (int)t.dims[0].value.i);
  for (int i = 0; i < out->n; i++) {
    Atom row = build_index(b, a, atoms1(l->s.arena, atom_i64(i)));
    ((SymVal **)out->at)[i] = input_val(l, row, type_row(t));
  }
  return out;
}

static bool collect(Local *l, SymVal *v, Type t) {
  if (t.rank == 0) {
    int r = graph_vertex(&l->g, VERTEX_RESULT);
    const int *from = v->atom.is_var ? map_get(l->s.vertex, v->atom.var.id) : NULL;
    Edge e = {.to = r, .a = atom_number(t.prim, 1), .cond = atom_none()};
    if (from) e.from = *from, graph_edge(&l->g, l->s.b, e, NULL);
    list_push(l->s.arena, &l->result_vertex, r);
    list_push(l->s.arena, &l->results, v->atom);
    return true;
  }
  for (int i = 0; i < t.dims[0].value.i; i++) {
    SymVal *x = sym_element(&l->s, v, i);
    if (!x || !collect(l, x, type_row(t))) return false;
  }
  return true;
}

static bool types_fit(Local *l, const Stm *stm, const Lambda *fn, Atoms args) {
  const Prog *prog = l->s.b->prog;
  int n = 0;
  for (int k = 0; k < args.len + fn->rets.len; k++) {
    Type t = k < args.len ? atom_type(prog, args.at[k]) : fn->rets.at[k - args.len];
    if (!prim_is_float(t.prim) || t.is_acc)
      return symbolic_refuse(&l->s, stm, "an argument or result that is no float");
    if (!constant_shape(prog, t))
      return symbolic_refuse(&l->s, stm, "an argument or result whose size is not constant");
    int64_t count = 1;
    for (int d = 0; d < t.rank; d++) count *= t.dims[d].value.i;
    n += k < args.len ? (int)count : 0;
    if (count > INPUTS_MOST || n > INPUTS_MOST)
      return symbolic_refuse(&l->s, stm, "more than 64 elements");
  }
  return true;
}

static bool evaluate(Local *l, const Stm *stm, const Lambda *fn, Atoms args) {
  if (!types_fit(l, stm, fn, args)) return false;
  int n = fn->rets.len;
  SymVal **results = NEW_ARRAY(l->s.arena, SymVal *, n + 1);
  SymVal **vals = NEW_ARRAY(l->s.arena, SymVal *, args.len + 1);
  for (int k = 0; k < args.len; k++)
    vals[k] = input_val(l, args.at[k], atom_type(l->s.b->prog, args.at[k]));
  l->g.inputs = l->input_vertex.len;
  if (!symbolic_lambda(&l->s, fn, vals, results)) return false;
  for (int k = 0; k < n; k++)
    if (!collect(l, results[k], fn->rets.at[k]))
      return symbolic_refuse(&l->s, stm, "a result that is not known element by element");
  l->g.results = l->result_vertex.len;
  bool fits = l->g.results <= INPUTS_MOST;
  return fits || symbolic_refuse(&l->s, stm, "more than 64 elements");
}

// ---- arrays of scalars
static Atom assembled(Builder *b, Type t, const Atom *scalars, int *at) {
  if (t.rank == 0) return scalars[(*at)++];
  Atoms rows = {0};
  for (int i = 0; i < t.dims[0].value.i; i++)
    list_push(b->prog->arena, &rows, assembled(b, type_row(t), scalars, at));
  if (!rows.len) return build_zero(b, t);
  return build_literal(b, "lit", t.prim, rows);
}

static Atoms arrays_of(Builder *b, Types types, Atoms scalars) {
  Atoms out = {0};
  int at = 0;
  for (int k = 0; k < types.len; k++)
    list_push(b->prog->arena, &out, assembled(b, type_fresh(types.at[k]), scalars.at, &at));
  return out;
}

static void flatten(Builder *b, Atom a, Atoms *out) {
  Type t = atom_type(b->prog, a);
  if (t.rank == 0) {
    list_push(b->prog->arena, out, a);
    return;
  }
  for (int i = 0; i < t.dims[0].value.i; i++)
    flatten(b, build_index(b, a, atoms1(b->prog->arena, atom_i64(i))), out);
}

// ---- the products
static Atom entry(Local *l, int result, int input) {
  const Edge *e = graph_find(&l->g, l->input_vertex.at[input], l->result_vertex.at[result]);
  return e ? edge_atom(l->s.b, e) : atom_number(l->s.prim, 0);
}

// sum over i of J_i w_i; the weight is a derivative, too.
static Atom product(Local *l, Atoms J, Atoms w) {
  Builder *b = l->s.b;
  Atom sum = atom_number(l->s.prim, 0);
  for (int i = 0; i < w.len; i++) {
    if ((!J.at[i].is_var && atom_is(J.at[i], 0)) || (!w.at[i].is_var && atom_is(w.at[i], 0)))
      continue;
    Atom J_ = J.at[i];
    if (!l->g.strict) J_ = build_op3(b, OP_GUARD, w.at[i], J_, J_);
    sum = build_op(b, OP_ADD, sum, build_linear(b, w.at[i], J_, l->g.strict ? 0 : LINEAR_BOTH));
  }
  return sum;
}

static Atoms products(Local *l, Atoms weights, bool forward) {
  Atoms out = {0};
  int n = forward ? l->result_vertex.len : l->input_vertex.len;
  for (int k = 0; k < n; k++) {
    Atoms J = {0};
    for (int i = 0; i < weights.len; i++)
      list_push(l->s.arena, &J, forward ? entry(l, k, i) : entry(l, i, k));
    list_push(l->s.arena, &out, product(l, J, weights));
  }
  return out;
}

static void note_order(Local *l, const Stm *stm, const ElimOrder *o) {
  prog_note(l->s.b->prog, stm->loc, "eliminated",
            "%d vertices, %s order: %d multiplications, %d additions for a Jacobian of %d x %d",
            o->len, o->name, o->cost.muls, o->cost.adds, l->g.results, l->g.inputs);
}

Atoms ad_eliminate(Builder *b, const Stm *stm, bool strict) {
  const Exp *e = &stm->exp;
  bool forward = e->form == FORM_JVP;
  const Lambda *fn = forward ? e->jvp.fn : e->vjp.fn;
  Atoms args = forward ? e->jvp.args : e->vjp.args, w = {0};
  Arena *arena = b->prog->arena;
  Local *l = NEW(arena, Local);
  l->s = (Symbolic){.b = b, .arena = arena, .g = &l->g, .vals = map_new(arena),
                    .vertex = map_new(arena), .singular = map_new(arena), .budget = 20000};
  l->g = (Graph){.arena = arena, .strict = strict};
  if (forward ? e->jvp.shape.len : e->vjp.shape.len)
    symbolic_refuse(&l->s, stm, "many directions in one operator");
  if (l->s.why || !evaluate(l, stm, fn, args)) {
    const Loc *at = l->s.refused && l->s.refused->loc ? l->s.refused->loc : stm->loc;
    strategy_refuse(b->prog, STRATEGY_ELIMINATION, at, l->s.why);
  }
  l->s.prim = fn->rets.len ? fn->rets.at[0].prim : PRIM_F64;
  ElimOrder order = order_best(&l->g);
  for (int i = 0; i < order.len; i++) graph_eliminate(&l->g, b, order.at[i], &(ElimCost){0});
  note_order(l, stm, &order);
  Atoms given = forward ? e->jvp.tangents : e->vjp.seeds;
  for (int k = 0; k < given.len; k++) flatten(b, given.at[k], &w);
  Atoms derivatives = products(l, w, forward);
  Types types = forward ? fn->rets : types_of_atoms(b->prog, args);
  return atoms_concat(arena, arrays_of(b, fn->rets, l->results), arrays_of(b, types, derivatives));
}
