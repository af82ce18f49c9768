// Arrays that are concatenated from parts, some of which are views of x: concat, rotate, rows.
// Which part an element comes from is a branch of g; its columns are computed outside, total.
#include "jacobian.h"

static Arena *arena_of(const Jac *b) { return b->pre.prog->arena; }

// ---- elements
static Atom part_value(Jac *b, const JacPart *part, Atoms at) {
  const JacAccess *view = part->view;
  if (part->row) at = atoms_slice(at, 1, at.len - 1);
  if (view && view->flat && at.len == 1) return blocks_flat_element(b, view, at.at[0], NULL);
  if (view && view->made) return blocks_made(b, view, at, false);
  if (!view) return build_slice_all(&b->g, part->array, slice_fixed(arena_of(b), at), true);
  if (view->dims.len == at.len) return blocks_element(b, (JacAccess *)view, at, false);
  b->failed = true;
  return atom_none();
}

// For part k or a later one; `at` counts from its start.
static Atom chosen(Jac *b, const JacAccess *view, int k, Atom i, Atoms at) {
  Arena *arena = arena_of(b);
  Atoms here = atoms_concat(arena, at, (Atoms){0});
  if (k > 0) here.at[0] = blocks_pre(b, OP_SUB, i, view->parts.at[k - 1].end);
  if (k + 1 == view->parts.len) return part_value(b, &view->parts.at[k], here);
  Atom before = blocks_pre(b, OP_LT, i, view->parts.at[k].end);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms1(arena, before)}};
  Stms *saved = b->g.stms;
  Type t = type_scalar(atom_type(b->pre.prog, b->x).prim);
  b->branches++;
  for (int way = 0; way < 2; way++) {
    Case c = {.pats = {0}};
    if (way == 0) list_push(arena, &c.pats, (CasePat){.lit = atom_bool(true).value});
    b->g.stms = &c.body.stms;
    Atom value = way ? chosen(b, view, k + 1, i, at) : part_value(b, &view->parts.at[k], here);
    list_push(arena, &c.body.results, value);
    list_push(arena, &exp.match.cases, c);
  }
  b->branches--;
  b->g.stms = saved;
  if (b->failed) return atom_none();
  Types types = {0};
  list_push(arena, &types, t);
  Atom value = atom_var(build_many(&b->g, "part", types, exp).at[0]);
  varset_add_atom(&b->inner, value);
  return value;
}

Atom blocks_part_element(Jac *b, const JacAccess *view, Atoms at) {
  Atoms row = view->row ? atoms1(arena_of(b), view->first) : (Atoms){0};
  Atoms in = atoms_concat(arena_of(b), row, at);
  Atom i = view->row ? view->first : blocks_pre(b, OP_MUL, at.at[0], view->step);
  if (!view->row) in.at[0] = blocks_pre(b, OP_ADD, view->first, i);
  return chosen(b, view, 0, in.at[0], in);
}

// ---- views
static void part_add(Jac *b, JacAccess *view, JacPart part, Atom width) {
  Atom start = view->parts.len ? view->parts.at[view->parts.len - 1].end : atom_i64(0);
  part.end = blocks_pre(b, OP_ADD, start, width);
  list_push(arena_of(b), &view->parts, part);
}

static JacPart part_of(Jac *b, Atom source) {
  JacPart part = {.view = jac_access(b, source)};
  if (!part.view) part.array = rewrite_atom(&b->w, source);
  b->failed = b->failed || (part.view && part.view->flat && atom_type(b->w.from, source).rank > 1);
  return part;
}

static void concat_parts(Jac *b, JacAccess *out, const struct concat_form *e) {
  for (int k = 0; k < e->arrays.len; k++) {
    Type t = rewrite_type(&b->w, atom_type(b->w.from, e->arrays.at[k]));
    part_add(b, out, part_of(b, e->arrays.at[k]), t.dims[0]);
  }
}

// [x0, x1, ..] of rows
static void literal_parts(Jac *b, JacAccess *out, const struct literal_form *e) {
  for (int k = 0; k < e->elems.len; k++) {
    JacPart part = part_of(b, e->elems.at[k]);
    part.row = true;
    part_add(b, out, part, atom_i64(1));
  }
}

// rotate k x = x[k mod n:] ++ x[:k mod n]
static void rotate_parts(Jac *b, JacAccess *out, const struct rotate_form *e) {
  JacPart part = part_of(b, e->array);
  Atom n = out->dims.at[0];
  Atom by =
      blocks_pre(b, OP_MOD, rewrite_atom(&b->w, e->by), blocks_pre(b, OP_MAX, n, atom_i64(1)));
  Slice tail = {0};
  Atom left = blocks_pre(b, OP_SUB, n, by);
  list_push(arena_of(b), &tail, (SliceDim){.start = by, .count = left, .stride = atom_i64(1)});
  if (!part.view || part.view->made || part.view->parts.len) {
    b->failed = true;
    return;
  }
  for (int d = 1; d < part.view->dims.len; d++)
    list_push(arena_of(b), &tail, (SliceDim){.start = atom_i64(0), .count = part.view->dims.at[d],
                                             .stride = atom_i64(1)});
  JacAccess *shifted = NEW(arena_of(b), JacAccess);
  *shifted = blocks_subview(b, part.view, tail);
  part_add(b, out, (JacPart){.view = shifted}, left);
  part_add(b, out, part, by);
}

// Its value is kept outside g, too, where it can be had there.
static Atom value_outside(Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  for (int i = 0; i < free.len; i++) {
    JacAccess *view = jac_access(b, atom_var(free.at[i]));
    Atom a = view ? view->array : rewrite_atom(&b->w, atom_var(free.at[i]));
    if (b->branches > 0 || b->depth > 0 || atom_absent(a) || varset_has_atom(&b->inner, a))
      return atom_none();
    if (view) rewrite_bind(&b->w, free.at[i], a);
  }
  b->w.to = b->pre;
  rewrite_stm(&b->w, stm);
  return rewrite_atom(&b->w, atom_var(stm->bound.at[0]));
}

bool blocks_concat(Jac *b, const Stm *stm) {
  bool concat = stm->exp.form == FORM_CONCAT && stm->exp.concat.dim == 0;
  bool rows = stm->exp.form == FORM_LITERAL;
  if (!concat && !rows && stm->exp.form != FORM_ROTATE) return false;
  JacAccess out = {.copy = atom_none(), .offset = atom_none(), .first = atom_i64(0),
                   .step = atom_i64(1)};
  Type t = rewrite_type(&b->w, var_type(b->w.from, stm->bound.at[0]));
  out.dims = atoms_of(arena_of(b), t.rank, t.dims);
  if (concat) concat_parts(b, &out, &stm->exp.concat);
  else if (rows) literal_parts(b, &out, &stm->exp.literal);
  else rotate_parts(b, &out, &stm->exp.rotate);
  if (!b->failed) out.array = value_outside(b, stm);
  jac_access_set(b, stm->bound.at[0], out);
  return true;
}
