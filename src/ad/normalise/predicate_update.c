// Branches that update an outer array in place:
//
//   z = match c { .. -> x with [i..] <- v ; .. -> x }
//     ==>
//   (v', i'.., n) = match c { .. -> (v, i.., 1) ; .. -> (scratch, 0.., 0) }
//   z = x with [i' : n ..] <- replicate [n..] v'
//
// so that the update stands in the scope that owns x, where it can be undone, and no branch has to
// copy the array.  Each branch may update x once, at a single cell or row, and not read the result.
#include "ad/common/local.h"

static bool mentions(const Prog *prog, const Stm *stm, Atom x) {
  Vars vars = exp_free(prog, prog->arena, &stm->exp);
  for (int i = 0; i < vars.len; i++)
    if (atom_is_var(x, vars.at[i])) return true;
  return false;
}

static bool consumes(const Prog *prog, const Stm *stm, Atom x) {
  Atoms atoms = exp_consumes(prog, prog->arena, &stm->exp);
  for (int i = 0; i < atoms.len; i++)
    if (atom_same(atoms.at[i], x)) return true;
  return false;
}

static const Stm *update_of(const Body *body, Atom y) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_UPDATE && atom_is_var(y, stm->bound.at[0])) return stm;
  }
  return NULL;
}

// The branch's update that makes result j, and whether it is the only thing done to its array.
static bool branch_fits(const Prog *prog, const Body *body, int j, const Stm *update) {
  Atom y = body->results.at[j], x = update->exp.update.array;
  for (int k = 0; k < update->exp.update.slice.len; k++)
    if (!update->exp.update.slice.at[k].is_fix) return false;
  for (int k = 0; k < body->results.len; k++)
    if (k != j && (atom_same(body->results.at[k], y) || atom_same(body->results.at[k], x)))
      return false;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm == update) continue;
    if (mentions(prog, stm, y) || consumes(prog, stm, x)) return false;
    for (int k = 0; k < stm->bound.len; k++)
      if (atom_is_var(x, stm->bound.at[k])) return false;
  }
  return true;
}

// The array that result j is an update of in some branch and itself in the others, or none;
// *indices: how many dimensions the updates fix.
static Atom updated_array(const Prog *prog, const struct match_form *e, int j, int *indices) {
  Atom x = atom_none();
  for (int i = 0; i < e->cases.len; i++) {
    const Body *body = &e->cases.at[i].body;
    const Stm *update = update_of(body, body->results.at[j]);
    if (!update) continue;
    if (!atom_absent(x) && (!atom_same(x, update->exp.update.array) ||
                            *indices != update->exp.update.slice.len))
      return atom_none();
    x = update->exp.update.array;
    *indices = update->exp.update.slice.len;
    if (!branch_fits(prog, body, j, update)) return atom_none();
  }
  for (int i = 0; i < e->cases.len && !atom_absent(x); i++) {
    const Body *body = &e->cases.at[i].body;
    if (update_of(body, body->results.at[j])) continue;
    if (!atom_same(body->results.at[j], x)) return atom_none();
    for (int k = 0; k < body->stms.len; k++)
      if (consumes(prog, &body->stms.at[k], x)) return atom_none();
  }
  return x;
}

// The branch without its update; (value, index.., count) in place of result j.
static Body branch_without(Prog *prog, const Body *body, int j, Type cell, int indices) {
  const Stm *update = update_of(body, body->results.at[j]);
  Body out = {0};
  Builder b = builder_new(prog, &out.stms);
  for (int i = 0; i < body->stms.len; i++)
    if (&body->stms.at[i] != update) list_push(prog->arena, &out.stms, body->stms.at[i]);
  for (int k = 0; k < body->results.len; k++)
    if (k != j) list_push(prog->arena, &out.results, body->results.at[k]);
  Atom value;
  if (update) value = update->exp.update.value;
  else value = cell.rank ? build_scratch(&b, cell) : atom_number(cell.prim, 0);
  list_push(prog->arena, &out.results, value);
  for (int k = 0; k < indices; k++)
    list_push(prog->arena, &out.results,
              update ? update->exp.update.slice.at[k].start : atom_i64(0));
  list_push(prog->arena, &out.results, atom_i64(update != NULL));
  return out;
}

// Appends the two statements, in source variables, for result j.
static bool unbranch(Prog *prog, const Stm *stm, int j, Stms *out) {
  int indices = 0;
  Atom x = updated_array(prog, &stm->exp.match, j, &indices);
  if (atom_absent(x)) return false;
  Type cell = type_fresh(type_peel(var_type(prog, x.var), indices));
  Stm branch = *stm;
  branch.bound = (Vars){0};
  branch.exp.match.cases = (Cases){0};
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    Case c = stm->exp.match.cases.at[i];
    c.body = branch_without(prog, &c.body, j, cell, indices);
    list_push(prog->arena, &branch.exp.match.cases, c);
  }
  for (int k = 0; k < stm->bound.len; k++)
    if (k != j) list_push(prog->arena, &branch.bound, stm->bound.at[k]);
  Var value = var_new(prog, "value", cell);
  list_push(prog->arena, &branch.bound, value);
  Vars starts = {0};
  for (int k = 0; k < indices; k++) {
    list_push(prog->arena, &starts, var_new(prog, "at", type_scalar(PRIM_I64)));
    list_push(prog->arena, &branch.bound, starts.at[k]);
  }
  Var count = var_new(prog, "count", type_scalar(PRIM_I64));
  list_push(prog->arena, &branch.bound, count);
  list_push(prog->arena, out, branch);
  Builder b = builder_new(prog, out);
  b.loc = stm->loc;
  Slice slice = {0};
  Atoms counts = {0};
  for (int k = 0; k < indices; k++) {
    list_push(prog->arena, &counts, atom_var(count));
    list_push(prog->arena, &slice,
              (SliceDim){.start = atom_var(starts.at[k]), .count = atom_var(count),
                         .stride = atom_i64(1)});
  }
  Atom values = build_replicate(&b, counts, atom_var(value));
  Stm update = {.loc = stm->loc};
  list_push(prog->arena, &update.bound, stm->bound.at[j]);
  update.exp = (Exp){.form = FORM_UPDATE, .update = {.array = x, .slice = slice, .value = values}};
  list_push(prog->arena, out, update);
  return true;
}

// The statements that replace a match, once for each array it updates; false when there is none.
bool match_if_convert(Prog *prog, const Stm *stm, Stms *out) {
  for (int j = 0; j < stm->bound.len; j++)
    if (var_type(prog, stm->bound.at[j]).rank > 0 && unbranch(prog, stm, j, out)) return true;
  return false;
}
