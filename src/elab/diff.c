// Derivative operators: the static function becomes a lambda over the leaves of its argument.
#include "local.h"

typedef struct {
  Lambda *fn;
  Atoms args;
  const Sem *in, *out;
} Primal;

// fn over the leaves of x, with result sizes known outside.
static Primal primal(Elab *e, Val *f, Val *x) {
  const Loc *loc = e->b.loc;
  Primal p = {.args = val_atoms(e, x), .in = val_sem(e, x)};
  Scope s;
  scope_open(e, &s);
  Vars params = lambda_params(e, "x", types_of_atoms(e->prog, p.args));
  Val *r = apply1(e, f, val_build(e, p.in, atoms_of_vars(e->arena, params).at));
  e->b.loc = loc;
  p.out = val_sem(e, r);
  Atoms results = val_atoms(e, r);
  settle_sizes(e, &s, params, p.args, blank(), &results);
  p.fn = close_lambda(e, &s, params, results);
  return p;
}

static Types types_twice(Elab *e, Types a, Types b) {
  Types out = {0};
  for (int i = 0; i < a.len; i++) list_push(e->arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(e->arena, &out, b.at[i]);
  return out;
}

// ---- constructors
// A tangent or cotangent has the constructor of what it belongs to, so that its payload can be
// matched.

// The derivatives' leaves, of a value of sem whose own are `of`.
static void take_tags(Elab *e, const Sem *sem, const Atom *of, Atom *leaves) {
  Leaves own = {0};
  sem_leaves(e, sem, &own);
  for (int k = 0; k < own.len; k++)
    if (own.at[k].is_tag)
      leaves[k] = atom_type(e->prog, of[k]).rank ? build_copy(&e->b, of[k]) : of[k];
}

// The value of sem a, and derivatives of sem b, of a value with the leaves `of`.
static Val *pair_of(Elab *e, const Sem *a, const Sem *b, int split, Vars vars, const Atom *of) {
  Atoms all = atoms_of_vars(e->arena, vars);
  take_tags(e, b, of ? of : all.at, all.at + split);
  Val *both[2] = {val_build(e, a, all.at), val_build(e, b, all.at + split)};
  return val_tuple(e, 2, both);
}

static const char *const tangent_message = "Shape of tangent differs from argument's: %d and %d.";
static const char *const cotangent_message = "Shape of cotangent differs from result's: %d and %d.";

// By the strategy that an attribute around names.
static Vars derivative(Elab *e, const char *hint, Types types, Exp exp) {
  Attrs saved = e->b.attrs;
  e->b.attrs.strategy = (uint8_t)e->strategy;
  Vars out = build_many(&e->b, hint, types, exp);
  e->b.attrs = saved;
  return out;
}

Val *diff_jvp(Elab *e, Val *f, Val *x, Val *dx) {
  Primal p = primal(e, f, x);
  Atoms tangents = leaves_as(e, dx, types_of_atoms(e->prog, p.args), tangent_message);
  Exp exp = {.form = FORM_JVP, .jvp = {(Atoms){0}, p.fn, p.args, tangents}};
  Vars out = derivative(e, "jvp", types_twice(e, p.fn->rets, p.fn->rets), exp);
  return pair_of(e, p.out, p.out, p.fn->rets.len, out, NULL);
}

Val *diff_vjp(Elab *e, Val *f, Val *x, Val *dy) {
  Primal p = primal(e, f, x);
  Atoms seeds = leaves_as(e, dy, p.fn->rets, cotangent_message);
  Exp exp = {.form = FORM_VJP, .vjp = {(Atoms){0}, p.fn, p.args, seeds}};
  Types types = types_twice(e, p.fn->rets, types_of_atoms(e->prog, p.args));
  Vars out = derivative(e, "vjp", types, exp);
  return pair_of(e, p.out, p.in, p.fn->rets.len, out, p.args.at);
}

// marks: u64 of the shape of x.
Val *diff_depends(Elab *e, Val *f, Val *x, Val *marks) {
  Primal p = primal(e, f, x);
  Types along = types_of_atoms(e->prog, p.args), out = types_twice(e, p.fn->rets, (Types){0});
  for (int i = 0; i < along.len; i++) along.at[i].prim = PRIM_U64;
  for (int i = 0; i < out.len; i++) out.at[i].prim = PRIM_U64;
  Atoms leaves = leaves_as(e, marks, along, tangent_message);
  Exp exp = {.form = FORM_DEPENDS, .depends = {p.fn, p.args, leaves}};
  Vars vars = build_many(&e->b, "marks", out, exp);
  return val_array(e, sem_prim(e, PRIM_U64), atoms_of_vars(e->arena, vars));
}

static Val *matrix(Elab *e, Prim prim, Var leaf) {
  Type t = var_type(e->prog, leaf);
  const Sem *row = sem_prim(e, prim);
  for (int d = t.rank - 1; d > 0; d--) row = sem_array(e, row, t.dims[d]);
  return val_array(e, row, atoms_of_vars(e->arena, (Vars){&leaf, 1, 1}));
}

static Var blocks_result(Elab *e, Vars *out, const char *hint, Type t) {
  Var v = var_new(e->prog, hint, t);
  list_push(e->arena, out, v);
  return v;
}

// (known, added, rows [p], columns [p][k], cells [q], present [p][q], entries [p][q]); the form
// gives the sizes, too.
Val *diff_blocks(Elab *e, Val *f, Val *x) {
  Primal at = primal(e, f, x);
  Prim prim = at.fn->rets.at[0].prim;
  Vars out = {0};
  Type number = type_scalar(PRIM_I64);
  Var known = blocks_result(e, &out, "known", type_scalar(PRIM_BOOL));
  Var added = blocks_result(e, &out, "added", type_scalar(PRIM_BOOL));
  Atom p = atom_var(blocks_result(e, &out, "blocks", number));
  Atom k = atom_var(blocks_result(e, &out, "columns", number));
  Atom q = atom_var(blocks_result(e, &out, "cells", number));
  Atoms by_column = atoms_of(e->arena, 2, (Atom[]){p, k}), cell = atoms_of(e->arena, 1, &q);
  Atoms by_block = atoms_of(e->arena, 1, &p);
  Atoms by_cell = atoms_of(e->arena, 2, (Atom[]){p, q});
  Var rows = blocks_result(e, &out, "rows", type_array_dims(e->arena, number, by_block));
  Var columns = blocks_result(e, &out, "columns", type_array_dims(e->arena, number, by_column));
  Var cells = blocks_result(e, &out, "cells", type_array_dims(e->arena, number, cell));
  Var present = blocks_result(e, &out, "present",
                              type_array_dims(e->arena, type_scalar(PRIM_BOOL), by_cell));
  Var entries = blocks_result(e, &out, "entries",
                              type_array_dims(e->arena, type_scalar(prim), by_cell));
  Exp exp = {.form = FORM_JACOBIAN, .jacobian = {at.fn, at.args}};
  build_stm(&e->b, (Stm){.bound = out, .exp = exp, .loc = e->b.loc});
  Val *parts[7] = {val_build(e, sem_prim(e, PRIM_BOOL), (Atom[]){atom_var(known)}),
                   val_build(e, sem_prim(e, PRIM_BOOL), (Atom[]){atom_var(added)}),
                   matrix(e, PRIM_I64, rows), matrix(e, PRIM_I64, columns),
                   matrix(e, PRIM_I64, cells), matrix(e, PRIM_BOOL, present),
                   matrix(e, prim, entries)};
  return val_tuple(e, 7, parts);
}

// A result may be what the function captures, or an argument.
static void alias_results(Elab *e, Vars out, const Primal *p) {
  for (int k = 0; k < out.len; k++) {
    alias(e, atom_var(out.at[k]), p->fn->body.results.at[k]);
    for (int i = 0; i < p->args.len; i++) alias(e, atom_var(out.at[k]), p->args.at[i]);
  }
}

// rev takes the leaves of the result, then those of its cotangent.
Val *diff_with_vjp(Elab *e, Val *f, Val *rev, Val *x) {
  const Loc *loc = e->b.loc;
  Primal p = primal(e, f, x);
  Scope s;
  scope_open(e, &s);
  Vars params = lambda_params(e, "res", types_twice(e, p.fn->rets, p.fn->rets));
  Atoms all = atoms_of_vars(e->arena, params);
  take_tags(e, p.out, all.at, all.at + p.fn->rets.len);
  Val *r = apply2(e, rev, val_build(e, p.out, all.at),
                  val_build(e, p.out, all.at + p.fn->rets.len));
  e->b.loc = loc;
  Atoms results = leaves_as(e, r, types_of_atoms(e->prog, p.args), cotangent_message);
  Lambda *back = close_lambda(e, &s, params, results);
  Exp exp = {.form = FORM_WITHVJP, .withvjp = {p.fn, back, p.args}};
  Vars out = build_many(&e->b, "with_vjp", p.fn->rets, exp);
  alias_results(e, out, &p);
  return val_build(e, p.out, atoms_of_vars(e->arena, out).at);
}
