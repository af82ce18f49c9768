// Operands and bodies of any form, through the field descriptors of form.def.
#include "local.h"

#include <string.h>

// The descriptors' offsets are within Exp.
#define FIELD_AT(T, exp, field) ((T *)(void *)((char *)(exp) + (field)->offset))

static void refs_of_atoms(Arena *arena, AtomRefs *out, Atoms *atoms) {
  for (int i = 0; i < atoms->len; i++) list_push(arena, out, &atoms->at[i]);
}

static void refs_of_slice(Arena *arena, AtomRefs *out, Slice *slice) {
  for (int i = 0; i < slice->len; i++) {
    list_push(arena, out, &slice->at[i].start);
    if (slice->at[i].is_fix) continue;
    list_push(arena, out, &slice->at[i].count);
    list_push(arena, out, &slice->at[i].stride);
  }
}

AtomRefs exp_atom_refs(Arena *arena, Exp *exp) {
  AtomRefs out = {0};
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    if (f->kind == FIELD_ATOM) list_push(arena, &out, FIELD_AT(Atom, exp, f));
    if (f->kind == FIELD_ATOMS) refs_of_atoms(arena, &out, FIELD_AT(Atoms, exp, f));
    if (f->kind == FIELD_SLICE) refs_of_slice(arena, &out, FIELD_AT(Slice, exp, f));
    if (f->kind != FIELD_OPERATORS) continue;
    Operators *ops = FIELD_AT(Operators, exp, f);
    for (int i = 0; i < ops->len; i++) refs_of_atoms(arena, &out, &ops->at[i].neutral);
  }
  return out;
}

static void change_atoms(Atoms *atoms, Atom (*f)(void *state, Atom atom), void *state) {
  for (int i = 0; i < atoms->len; i++) atoms->at[i] = f(state, atoms->at[i]);
}

static void change_slice(Slice *slice, Atom (*f)(void *state, Atom atom), void *state) {
  for (int i = 0; i < slice->len; i++) {
    SliceDim *dim = &slice->at[i];
    dim->start = f(state, dim->start);
    if (dim->is_fix) continue;
    dim->count = f(state, dim->count);
    dim->stride = f(state, dim->stride);
  }
}

void exp_change_atoms(Exp *exp, Atom (*f)(void *state, Atom atom), void *state) {
  for (const Field *field = form_info[exp->form].fields; field->kind != FIELD_END; field++) {
    if (field->kind == FIELD_ATOM) {
      Atom *atom = FIELD_AT(Atom, exp, field);
      *atom = f(state, *atom);
    } else if (field->kind == FIELD_ATOMS) {
      change_atoms(FIELD_AT(Atoms, exp, field), f, state);
    } else if (field->kind == FIELD_SLICE) {
      change_slice(FIELD_AT(Slice, exp, field), f, state);
    } else if (field->kind == FIELD_OPERATORS) {
      Operators *ops = FIELD_AT(Operators, exp, field);
      for (int i = 0; i < ops->len; i++) change_atoms(&ops->at[i].neutral, f, state);
    }
  }
}

static void part_of_lambda(Arena *arena, Parts *out, Lambda *fn) {
  if (fn) list_push(arena, out, (Part){&fn->body, fn});
}

Parts exp_parts(Arena *arena, Exp *exp) {
  Parts out = {0};
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    if (f->kind == FIELD_LAMBDA) part_of_lambda(arena, &out, *FIELD_AT(Lambda *, exp, f));
    if (f->kind == FIELD_OPERATORS) {
      Operators *ops = FIELD_AT(Operators, exp, f);
      for (int i = 0; i < ops->len; i++) part_of_lambda(arena, &out, ops->at[i].op);
    }
    if (f->kind == FIELD_CASES) {
      Cases *cases = FIELD_AT(Cases, exp, f);
      for (int i = 0; i < cases->len; i++)
        list_push(arena, &out, (Part){&cases->at[i].body, NULL});
    }
  }
  return out;
}

// ---- helpers on terms ---------------------------------------------------------------------------

bool atom_const_i64(Atom a, int64_t *out) {
  if (a.is_var || !prim_is_int(a.value.prim)) return false;
  *out = a.value.i;
  return true;
}

bool var_is_array(const Prog *prog, Var v) {
  const Type *t = &var_info(prog, v)->type;
  return t->rank > 0 || t->is_acc;
}

Atom dim_at(const Prog *prog, Atom array, int d) { return atom_type(prog, array).dims[d]; }

SliceDim slice_full(Atom n) {
  return (SliceDim){.is_fix = false, .start = atom_i64(0), .count = n, .stride = atom_i64(1)};
}

bool slicedim_is_full(SliceDim s, Atom n) {
  return !s.is_fix && atom_is(s.start, 0) && atom_is(s.stride, 1) && atom_same(s.count, n);
}

Slice slice_copy(Arena *arena, Slice s) {
  Slice out = {0};
  for (int i = 0; i < s.len; i++) list_push(arena, &out, s.at[i]);
  return out;
}

Slice slice_fix(Arena *arena, Atoms at) {
  Slice out = {0};
  for (int i = 0; i < at.len; i++)
    list_push(arena, &out, (SliceDim){.is_fix = true, .start = at.at[i]});
  return out;
}

bool exp_is_cheap(const Exp *exp) {
  if (exp->form == FORM_CONV || exp->form == FORM_ATOM) return true;
  if (exp->form != FORM_PRIM) return false;
  OpCost cost = op_info[exp->prim.op].cost;
  return cost == COST_ONE || cost == COST_CHOICE || cost == COST_DIVISION;
}

bool stm_binds_scalars(const Prog *prog, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (var_is_array(prog, stm->bound.at[i])) return false;
  return true;
}

void atoms_drop(Atoms *atoms, int i) {
  memmove(&atoms->at[i], &atoms->at[i + 1], sizeof(Atom) * (size_t)(atoms->len - i - 1));
  atoms->len--;
}

void vars_drop(Vars *vars, int i) {
  memmove(&vars->at[i], &vars->at[i + 1], sizeof(Var) * (size_t)(vars->len - i - 1));
  vars->len--;
}

void lambda_drop_param(Lambda *fn, int i) { vars_drop(&fn->params, i); }

void lambda_drop_result(Lambda *fn, int i) {
  atoms_drop(&fn->body.results, i);
  memmove(&fn->rets.at[i], &fn->rets.at[i + 1], sizeof(Type) * (size_t)(fn->rets.len - i - 1));
  fn->rets.len--;
}

void withacc_drop(Stm *stm, int k) {
  struct withacc_form *w = &stm->exp.withacc;
  int n = w->arrays.len;
  atoms_drop(&w->arrays, k);
  for (int i = k; i + 1 < n; i++) {
    w->ranks.at[i] = w->ranks.at[i + 1];
    w->ops.at[i] = w->ops.at[i + 1];
  }
  w->ranks.len--;
  w->ops.len--;
  lambda_drop_param(w->fn, k);
  lambda_drop_result(w->fn, k);
  vars_drop(&stm->bound, k);
}

Stm stm_like(const Stm *stm, Exp exp) {
  Stm out = *stm;
  out.exp = exp;
  return out;
}

// Dropped nodes stay in the arena and in the table of variables: a copy has none of them.
static bool has_much_dead(const Prog *prog) {
  return prog->vars.len > 2 * prog->vars_made || arena_used(prog->arena) > 4 * prog->bytes_made;
}

Prog *prog_own(Prog *prog, Arena *arena) {
  if (prog->owned && !has_much_dead(prog)) return prog;
  Rewrite w;
  memset(&w, 0, sizeof w);
  Prog *out = rewrite_prog(prog, arena, &w);
  out->at_fixpoint = prog->at_fixpoint;
  return out;
}
