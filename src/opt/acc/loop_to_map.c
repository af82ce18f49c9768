// Loops that carry accumulators only are maps: their iterations know nothing of each other, and the
// order of additions is free.
//
//   loop (a) for i < n { .. a with [e] += v .. }   =   map i (.. a with [e] += v ..)
//
// So what a sum written as a loop adds in its adjoint code is a nest of maps like that of a
// reduction.
#include "acc.h"

// Loops of the pass's own stay (`#chunked`), as do those of bounds that are no 64-bit numbers.
static bool is_map(const Acc *a, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  if (!l->is_for || stm->attrs.chunked || l->inits.len == 0) return false;
  if (var_type(a->prog, l->fn->params.at[0]).prim != PRIM_I64) return false;
  for (int i = 0; i < l->inits.len; i++)
    if (!acc_operator(a, l->inits.at[i])) return false;
  return prog_may(a->prog, SWITCH_ACC_LOOPS);
}

Atom acc_width(const Acc *a, Stms *out, Atom bound) {
  if (bound.is_var ? map_get(a->sizes, bound.var.id) != NULL : bound.value.i >= 0) return bound;
  Builder b = builder_new(a->prog, out);
  return build_op(&b, OP_MAX, bound, atom_i64(0));
}

// The iterations of a loop that runs backwards in the order of what it returns from.
static void reverse_iterations(Acc *a, Lambda *fn, Atom width) {
  Stms old = fn->body.stms;
  Var *counter = &fn->params.at[0], was = *counter;
  *counter = var_new(a->prog, "i", type_scalar(PRIM_I64));
  fn->body.stms = (Stms){0};
  Builder b = builder_new(a->prog, &fn->body.stms);
  Atom last = build_op(&b, OP_SUB, width, atom_i64(1));
  Stm stm = {.exp = {.form = FORM_PRIM, .prim = {.op = OP_SUB, .prim = PRIM_I64}}};
  Atom args[] = {last, atom_var(*counter)};
  stm.exp.prim.args = atoms_of(a->arena, 2, args);
  list_push(a->arena, &stm.bound, was);
  list_push(a->arena, &fn->body.stms, stm);
  for (int i = 0; i < old.len; i++) list_push(a->arena, &fn->body.stms, old.at[i]);
}

static void loop_to_map(Acc *a, Stms *out, Stm *stm) {
  struct loop_form l = stm->exp.loop;
  Atom width = acc_width(a, out, l.bound);
  Builder b = builder_new(a->prog, out);
  Atom iota = build_iota(&b, width);
  stm->exp = (Exp){.form = FORM_MAP, .map = {.width = width, .fn = l.fn}};
  stm->exp.map.inputs = atoms_concat(a->arena, atoms_of(a->arena, 1, &iota), l.inits);
  if (stm->attrs.reversed) reverse_iterations(a, l.fn, width);
  stm->attrs.reversed = false;
  a->changed = true;
}

static void acc_loop(Acc *a, Stms *out, Stm *stm);

static void loops_of_stm(Acc *a, Stms *out, Stm *stm) {
  acc_note_sizes(a, &stm->bound);
  if (stm->exp.form == FORM_WITHACC)
    for (int k = 0; k < stm->exp.withacc.arrays.len; k++)
      map_put(a->ops, stm->exp.withacc.fn->params.at[k].id, &stm->exp.withacc.ops.at[k]);
  if (exp_has_parts(&stm->exp)) {
    Parts parts = exp_parts(a->scratch, &stm->exp);
    for (int k = 0; k < parts.len; k++) acc_loops(a, parts.at[k].body);
  }
  if (stm->exp.form == FORM_LOOP) acc_loop(a, out, stm);
  else list_push(a->arena, out, *stm);
}

static void acc_loop(Acc *a, Stms *out, Stm *stm) {
  Stm after;
  if (acc_distribute(a, out, stm, &after)) {
    if (stm->bound.len > 0) acc_loop(a, out, stm);
    loops_of_stm(a, out, &after);
    return;
  }
  if (is_map(a, stm)) loop_to_map(a, out, stm);
  list_push(a->arena, out, *stm);
}

void acc_loops(Acc *a, Body *body) {
  Stms out = {0};
  list_reserve(a->arena, &out, body->stms.len);
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    loops_of_stm(a, &out, &stm);
  }
  body->stms = out;
}
