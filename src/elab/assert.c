// Assertions.  `assert c e` is checked if e's value is used: which uses there are is known only
// when the program is whole, so elaboration says what depends on what, in statements that
// opt/passes/resolve_asserts.c takes out again:
//
//   let (t) = assert c "message" ()    the test, where e is about to be evaluated
//   let (g) = assert t "" (x)          g is x of e's value, once t has been tested
//   let () = assert t "" ()            a use that leaves no operand, of a unit or a function
//
// A unit carries the test it waits for (its token) through this evaluator; statements that give
// units bind a token of their own after their results.
#include "local.h"

static Var pending(Elab *e, Atom cond, const char *message, Atoms args, Type type) {
  Exp exp = {.form = FORM_ASSERT, .assert = {.cond = cond, .message = message, .args = args}};
  Types types = {0};
  list_push(e->arena, &types, type);
  return build_many(&e->b, "assert", types, exp).at[0];
}

// The test; id 0: there is none.
Var assert_begin(Elab *e, Atom cond, const char *message) {
  if (e->in_unsafe || atom_is(cond, 1)) return (Var){0};
  e->prog->pending = true;
  return pending(e, cond, message, (Atoms){0}, type_scalar(PRIM_BOOL));
}

static void use(Elab *e, Var test) {
  Exp exp = {.form = FORM_ASSERT, .assert = {.cond = atom_var(test), .message = ""}};
  build_many(&e->b, NULL, (Types){0}, exp);
}

void unit_use(Elab *e, const Val *unit) {
  if (unit->record.token.id) use(e, unit->record.token);
}

static Atom guard(Elab *e, Var test, Atom a) {
  if (is_blank(a)) return a;
  Type type = atom_type(e->prog, a);
  Atom g = atom_var(pending(e, atom_var(test), "", atom_list1(e, a), type));
  if (base_of(e, a)) e->prog->vars.at[g.var.id].base = base_of(e, a);
  alias(e, g, a);
  fact(e, g.var)->is_size = is_size(e, a);
  if (a.is_var && map_get(e->data, a.var.id))
    map_put(e->data, g.var.id, map_get(e->data, a.var.id));
  return g;
}

static Atoms guard_all(Elab *e, Var test, const Atoms *leaves) {
  Atoms out = {0};
  for (int i = 0; i < leaves->len; i++)
    list_push(e->arena, &out, guard(e, test, leaves->at[i]));
  return out;
}

static Val *unit_with(Elab *e, Var token) {
  Val *v = val_unit(e);
  v->record.token = token;
  return v;
}

static Val *guard_record(Elab *e, Var test, const Val *v) {
  if (v->record.len == 0 && v->record.token.id == 0) return unit_with(e, test);
  if (v->record.len == 0)
    return unit_with(e, guard(e, test, atom_var(v->record.token)).var);
  Val **fields = NEW_ARRAY(e->arena, Val *, v->record.len);
  for (int i = 0; i < v->record.len; i++) fields[i] = assert_end(e, test, v->record.at[i]);
  return val_record(e, v->record.len, v->record.names, fields);
}

// The value, every part of it after the test.  A constructor that is known is looked at through
// its tag from now on.
Val *assert_end(Elab *e, Var test, Val *v) {
  if (v->tag == VAL_RECORD) return guard_record(e, test, v);
  if (v->tag == VAL_CON && !val_is_functional(v))
    v = val_build(e, v->con.sem, val_atoms(e, v).at);
  Val *out = arena_copy(e->arena, v, sizeof *v);
  switch (v->tag) {
  case VAL_ATOM: out->atom = guard(e, test, v->atom); return out;
  case VAL_ARRAY: out->array.leaves = guard_all(e, test, &v->array.leaves); return out;
  case VAL_SUM:
    if (v->sum.leaves.len == 0) use(e, test);
    out->sum.leaves = guard_all(e, test, &v->sum.leaves);
    return out;
  case VAL_ACC: case VAL_RECORD: case VAL_CON: case VAL_FUN: case VAL_PRIM: case VAL_FLIP:
  case VAL_PATH: case VAL_HOLE: use(e, test); return v;
  }
  ice("value tag %d", v->tag);
}

static bool has_unit(const Val *v) {
  if (v->tag != VAL_RECORD) return false;
  bool found = v->record.len == 0;
  for (int i = 0; i < v->record.len; i++) found = found || has_unit(v->record.at[i]);
  return found;
}

static Val *with_token(Elab *e, Var token, Val *v) {
  if (!has_unit(v)) return v;
  if (v->record.len == 0) return unit_with(e, token);
  Val **fields = NEW_ARRAY(e->arena, Val *, v->record.len);
  for (int i = 0; i < v->record.len; i++) fields[i] = with_token(e, token, v->record.at[i]);
  return val_record(e, v->record.len, v->record.names, fields);
}

// Units in v, the value of the statement, are used when that is.
Val *units_of_stm(Elab *e, Stm *stm, Val *v) {
  if (!e->prog->pending || !has_unit(v)) return v;
  Var token = var_new(e->prog, "unit", type_scalar(PRIM_UNIT));
  list_push(e->arena, &stm->bound, token);
  return with_token(e, token, v);
}
