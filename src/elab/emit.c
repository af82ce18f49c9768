// Appending statements: scopes, positions, checks, and what is known of each variable.
#include <stdlib.h>
#include <string.h>
#include "local.h"

VarFact *fact(Elab *e, Var v) {
  if (v.id >= e->facts_cap) {
    uint32_t cap = e->facts_cap ? e->facts_cap : 256;
    while (cap <= v.id) cap *= 2;
    VarFact *facts = NEW_ARRAY(e->arena, VarFact, cap);
    if (e->facts) memcpy(facts, e->facts, sizeof *facts * e->facts_cap);
    e->facts = facts;
    e->facts_cap = cap;
  }
  VarFact *f = &e->facts[v.id];
  if (f->home == 0) f->home = v.id;
  return f;
}

// Variables are numbered in the order they are made, so those of a nested buffer are the ones
// numbered after its start; a statement moved outwards takes its variables' homes along.
void scope_open(Elab *e, Scope *s) {
  *s = (Scope){.outer = e->b.stms, .outer_scope = e->scope};
  s->start = var_new(e->prog, "scope", type_scalar(PRIM_UNIT)).id + 1;
  e->scope = s->start;
  e->b.stms = &s->stms;
  s->next = e->open;
  e->open = s;
}

void scope_close(Elab *e, Scope *s) {
  e->b.stms = s->outer;
  e->scope = s->outer_scope;
  e->open = s->next;
}

bool atom_outside(Elab *e, const Scope *s, Atom a) {
  return !a.is_var || fact(e, a.var)->home < s->start;
}

// Positions inside the library show as the place in the user's program that called it.
const Loc *loc_here(Elab *e, Span span) {
  if (e->callers && (!span.src || span.src->builtin)) return e->callers;
  Loc *loc = NEW(e->arena, Loc);
  loc->span = span;
  loc->caller = e->callers;
  return loc;
}

void at(Elab *e, Span span) { e->b.loc = loc_here(e, span); }

// The variable and everything it may share memory with is dead.
void consume(Elab *e, Atom a) {
  if (!a.is_var || is_blank(a)) return;
  VarFact *f = fact(e, a.var);
  if (f->consumed) return;
  f->consumed = true;
  Vars others = f->alias;
  for (int i = 0; i < others.len; i++) consume(e, atom_var(others.at[i]));
}

void alias(Elab *e, Atom of, Atom to) {
  if (!of.is_var || !to.is_var || is_blank(of) || is_blank(to)) return;
  if (type_is_scalar(var_type(e->prog, of.var))) return;
  VarFact *f = fact(e, of.var);
  list_push(e->arena, &f->alias, to.var);
}

Atoms dims_of(Elab *e, Atom array) {
  Type t = atom_type(e->prog, array);
  return atoms_of(e->arena, t.rank, t.dims);
}

Atom dim_of(Elab *e, Atom array, int i) {
  Type t = atom_type(e->prog, array);
  check(i < t.rank);
  return t.dims[i];
}

Atoms atom_list1(Elab *e, Atom a) { return atoms_of(e->arena, 1, &a); }
Atoms atom_list2(Elab *e, Atom a, Atom b) {
  Atom both[2] = {a, b};
  return atoms_of(e->arena, 2, both);
}

Atom emit(Elab *e, const char *hint, Type type, Exp exp) {
  return build(&e->b, hint, type, exp);
}

Atom emit_view(Elab *e, const char *hint, Type type, Exp exp, Atom of) {
  Atom a = build(&e->b, hint, type, exp);
  alias(e, a, of);
  return a;
}

// Fails at run time with the message unless cond.
void emit_assert(Elab *e, Atom cond, const char *message, Atoms args) {
  if (e->in_unsafe || atom_is(cond, 1)) return;
  Exp exp = {.form = FORM_ASSERT, .assert = {.cond = cond, .message = message, .args = args}};
  build_many(&e->b, NULL, (Types){0}, exp);
}

// ---- sizes computed once --------------------------------------------------------------------
// Arithmetic on i64 is mostly about sizes, and sizes are compared as atoms: one computation, one
// atom.  A known result serves while the scope it was computed in is open.
typedef struct Known {
  Op op;
  Atom a, b, result;
  uint32_t where;    // its scope
  struct Known *next;
} Known;

static bool is_open(Elab *e, uint32_t where) {
  for (const Scope *s = e->open; s; s = s->next)
    if (s->start == where) return true;
  return false;
}

static uint64_t atom_key(Atom a) { return a.is_var ? 2U * a.var.id + 1 : 2 * (uint64_t)a.value.i; }

static uint64_t known_key(Op op, Atom a, Atom b) {
  return (((uint64_t)op * 31 + atom_key(a)) * 0x9e3779b97f4aU + atom_key(b)) | 1;
}

Atom emit_op(Elab *e, Op op, Atom a, Atom b) {
  if (atom_type(e->prog, a).prim != PRIM_I64 || op_may_fail(op, PRIM_I64))
    return build_op(&e->b, op, a, b);
  Atom first = a, second = b;
  bool ties = op == OP_MIN || op == OP_MAX;  // a derivative goes to the first of equal operands
  if (op_info[op].commutative && !ties && (!a.is_var || (b.is_var && b.var.id < a.var.id))) {
    Atom t = a;
    a = b;
    b = t;
  }
  uint64_t key = known_key(op, a, b);
  for (Known *k = map_get(e->cse, key); k; k = k->next)
    if (k->op == op && atom_same(k->a, a) && atom_same(k->b, b) && is_open(e, k->where))
      return k->result;
  Atom result = build_op(&e->b, op, first, second);
  if (!result.is_var || atom_same(result, a) || atom_same(result, b)) return result;
  VarFact *f = fact(e, result.var);
  f->op = op;
  f->a = first;
  f->b = second;
  Known *k = NEW(e->arena, Known);
  *k = (Known){op, a, b, result, e->scope, map_get(e->cse, key)};
  map_put(e->cse, key, k);
  return result;
}

bool is_size(Elab *e, Atom a) {
  return a.is_var ? fact(e, a.var)->is_size : a.value.i >= 0;
}

Atom emit_size_eq(Elab *e, Atom a, Atom b) { return emit_op(e, OP_EQ, a, b); }

const char *base_of(Elab *e, Atom a) {
  return a.is_var && !is_blank(a) ? var_info(e->prog, a.var)->base : NULL;
}

Atom emit_reshape(Elab *e, Atom array, Atoms dims) {
  Type t = atom_type(e->prog, array);
  bool same = t.rank == dims.len;
  for (int i = 0; i < dims.len && same; i++) same = atom_same(t.dims[i], dims.at[i]);
  if (same) return array;
  Exp exp = {.form = FORM_RESHAPE, .reshape = {.array = array, .dims = dims}};
  Attrs attrs = e->b.attrs;
  e->b.attrs.unchecked = true;
  Type to = type_array_dims(e->arena, type_scalar(t.prim), dims);
  Atom out = emit_view(e, base_of(e, array), to, exp, array);
  e->b.attrs = attrs;
  return out;
}

static bool is_empty(const Atom *dims, int n) {
  for (int i = 0; i < n; i++)
    if (atom_is(dims[i], 0)) return true;
  return false;
}

// An array known to be empty has any shape that is.
Atom emit_empty_as(Elab *e, Atom array, Atoms dims) {
  Type t = atom_type(e->prog, array);
  if (!is_empty(t.dims, t.rank) || !is_empty(dims.at, dims.len)) return blank();
  return leaf_zero(e, (Leaf){t.prim, t.rank, false, dims.at, false});
}

// Messages show both sizes: "%d" is replaced by the actual one, then the expected one.
Atom emit_shaped(Elab *e, Atom array, Atoms dims, const char *message) {
  Atoms have = dims_of(e, array);
  check(dims.len <= have.len);
  bool same = true;
  for (int i = 0; i < dims.len; i++) same = same && atom_same(have.at[i], dims.at[i]);
  if (same) return array;
  if (dims.len == have.len) {
    Atom empty = emit_empty_as(e, array, dims);
    if (!is_blank(empty)) return empty;
  }
  for (int i = 0; i < dims.len; i++) {
    if (atom_same(have.at[i], dims.at[i])) continue;
    Atom eq = emit_size_eq(e, have.at[i], dims.at[i]);
    emit_assert(e, eq, message, atom_list2(e, have.at[i], dims.at[i]));
    have.at[i] = dims.at[i];
  }
  return emit_reshape(e, array, have);
}

// kept: how many range dimensions; counts: their sizes.
Atom emit_index(Elab *e, Atom array, Slice slice, bool unchecked, int kept, const Atom *counts) {
  Type t = atom_type(e->prog, array);
  Atoms dims = atoms_of(e->arena, kept, counts);
  for (int i = slice.len; i < t.rank; i++) list_push(e->arena, &dims, t.dims[i]);
  Type to = type_array_dims(e->arena, type_scalar(t.prim), dims);
  Exp exp = {.form = FORM_INDEX, .index = {.array = array, .slice = slice}};
  Attrs attrs = e->b.attrs;
  if (unchecked) e->b.attrs.unchecked = true;
  Atom out = emit_view(e, base_of(e, array), to, exp, array);
  e->b.attrs = attrs;
  return out;
}

// A variable made for an unnamed intermediate takes the name the user gives the value.
static void rename_atom(Elab *e, Atom a, Name name) {
  if (!a.is_var || is_blank(a) || a.var.id < e->scope || fact(e, a.var)->named) return;
  e->prog->vars.at[a.var.id].base = name;
  fact(e, a.var)->named = true;
}

void rename_hint(Elab *e, Val *v, Name name) {
  if (name_is_operator(name)) return;
  switch (v->tag) {
  case VAL_ATOM: rename_atom(e, v->atom, name); return;
  case VAL_ARRAY:
    for (int i = 0; i < v->array.leaves.len; i++) rename_atom(e, v->array.leaves.at[i], name);
    return;
  case VAL_ACC:
  case VAL_RECORD:
  case VAL_CON:
  case VAL_SUM:
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH:
  case VAL_HOLE: return;
  }
}

// The buffer as a lambda; result types are those of the results.
Lambda *close_lambda(Elab *e, Scope *s, Vars params, Atoms results) {
  scope_close(e, s);
  Lambda *fn = NEW(e->arena, Lambda);
  fn->params = params;
  fn->body = (Body){.stms = s->stms, .results = results};
  fn->rets = types_of_atoms(e->prog, results);
  return fn;
}
