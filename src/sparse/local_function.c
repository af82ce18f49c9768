// The function g of one block: what of the source depends on x, with the elements of x that it
// reads for parameters.  Everything else stands outside g, where columns are computed too.
//
// Scopes that read x are split, so that every read has its own column: maps and loops of few
// iterations are unrolled, branches stay (what only they could compute must not be a column).
#include "jacobian.h"

enum { MOST_UNROLLED = 32 };

static Arena *arena_of(const Jac *b) { return b->pre.prog->arena; }

static void inside(Jac *b, Vars bound) {
  for (int i = 0; i < bound.len; i++)
    varset_add_atom(&b->inner, rewrite_atom(&b->w, atom_var(bound.at[i])));
}

// Operands that the statement consumes are copied: others may still read them.
static void own_consumed(Jac *b, Builder *to, Atoms consumed) {
  for (int i = 0; i < consumed.len; i++) {
    Atom a = rewrite_atom(&b->w, consumed.at[i]);
    if (atom_type(b->pre.prog, a).is_acc) continue;
    rewrite_bind(&b->w, consumed.at[i].var, build_copy(to, a));
    if (to == &b->g) varset_add_atom(&b->inner, rewrite_atom(&b->w, consumed.at[i]));
  }
}

// The copies are the statement's alone: where it stands in a branch, the other branches do not have
// them.
static void emit(Jac *b, Builder *to, const Stm *stm) {
  Atoms consumed = exp_consumes(b->w.from, arena_of(b), &stm->exp);
  Atoms before = rewrite_atoms(&b->w, consumed);
  own_consumed(b, to, consumed);
  b->w.to = *to;
  rewrite_stm(&b->w, stm);
  for (int i = 0; i < consumed.len; i++)
    rewrite_bind(&b->w, consumed.at[i].var, before.at[i]);
  if (to == &b->g) inside(b, stm->bound);
}

// ---- what does not vary
static bool is_cheap(const Stm *stm) {
  Form f = stm->exp.form;
  return f == FORM_PRIM || f == FORM_CONV || f == FORM_ATOM;
}

// A scalar of an array that x has no part in; zero where out of range.
static Atom guarded(Jac *b, Atom array, Atoms at) {
  Builder *p = &b->pre;
  Type t = atom_type(p->prog, array);
  Atom ok = atom_bool(true);
  for (int i = 0; i < t.rank; i++)
    ok = build_op(p, OP_AND, ok, build_op(p, OP_AND, build_op(p, OP_LE, atom_i64(0), at.at[i]),
                                          build_op(p, OP_LT, at.at[i], t.dims[i])));
  PickBuilder pick = pick_begin(p, ok);
  Type row = type_scalar(t.prim);
  Atom y = build_index(&pick.then, array, at);
  return pick_end(&pick, row, y, build_zero(&pick.otherwise, row));
}

// In a branch, which tests the index.
static void guarded_read(Jac *b, const Stm *stm) {
  Exp e = rewrite_exp(&b->w, &stm->exp);
  Type t = atom_type(b->pre.prog, e.index.array);
  Atoms at = {0};
  for (int i = 0; i < t.rank; i++) list_push(arena_of(b), &at, e.index.slice.at[i].start);
  rewrite_bind(&b->w, stm->bound.at[0], guarded(b, e.index.array, at));
  for (int i = 0; i < t.rank && !stm->attrs.unchecked; i++)
    blocks_test(b, &b->g, at.at[i], t.dims[i]);
}

// A division of integers in a branch, which tests the divisor; total outside.
static bool is_division(const Stm *stm) {
  const struct prim_form *e = &stm->exp.prim;
  return stm->exp.form == FORM_PRIM && prim_is_int(e->prim) && op_may_fail(e->op, e->prim) &&
         e->op != OP_POW;
}

static void guarded_division(Jac *b, const Stm *stm) {
  Exp e = rewrite_exp(&b->w, &stm->exp);
  Atom divisor = e.prim.args.at[1];
  Atom good = build_op(&b->pre, OP_NE, divisor, atom_number(e.prim.prim, 0));
  Atom safe = build_select(&b->pre, good, divisor, atom_number(e.prim.prim, 1));
  rewrite_bind(&b->w, stm->bound.at[0], build_op(&b->pre, e.prim.op, e.prim.args.at[0], safe));
  if (!stm->attrs.unchecked)
    build_many(&b->g, NULL, (Types){0},
               (Exp){.form = FORM_ASSERT, .assert = {good, "division by zero", (Atoms){0}}});
}

static bool is_scalar_read(const Stm *stm) {
  if (stm->exp.form != FORM_INDEX) return false;
  const struct index_form *e = &stm->exp.index;
  for (int i = 0; i < e->slice.len; i++)
    if (!e->slice.at[i].is_fix) return false;
  return true;
}

void blocks_constant(Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  bool outside = true;
  for (int i = 0; i < free.len; i++) {
    JacAccess *view = jac_access(b, atom_var(free.at[i]));
    if (view && atom_absent(view->array)) b->failed = true;
    if (view) rewrite_bind(&b->w, free.at[i], view->array);
    Atom a = rewrite_atom(&b->w, atom_var(free.at[i]));
    outside = outside && !varset_has_atom(&b->inner, a);
  }
  if (b->failed) return;
  bool scalar = stm->bound.len == 1 && var_type(b->w.from, stm->bound.at[0]).rank == 0;
  if (outside && b->branches == 0) emit(b, &b->pre, stm);
  else if (outside && (scalar ? is_cheap(stm) : stm->exp.form == FORM_IOTA) &&
           exp_is_total(b->w.from, stm))
    emit(b, &b->pre, stm);  // nothing reads all of the range (plain_row)
  else if (outside && scalar && is_division(stm)) guarded_division(b, stm);
  else if (outside && scalar && is_scalar_read(stm)) guarded_read(b, stm);
  else emit(b, &b->g, stm);
}

// ---- what varies
Atom blocks_value(Jac *b, Atom source) {
  JacAccess *view = jac_access(b, source);
  return view ? blocks_copy(b, view) : rewrite_atom(&b->w, source);
}

// All views that the statement mentions become arrays in g.
static void whole(Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  for (int i = 0; i < free.len; i++) {
    JacAccess *view = jac_access(b, atom_var(free.at[i]));
    if (view) rewrite_bind(&b->w, free.at[i], blocks_copy(b, view));
  }
  if (!b->failed) emit(b, &b->g, stm);
}

static bool is_small(const JacAccess *view) {
  int64_t n = 1;
  for (int i = 0; i < view->dims.len; i++) {
    Atom d = view->dims.at[i];
    if (d.is_var || d.value.i < 1 || d.value.i > MOST_UNROLLED) return false;
    n *= d.value.i;
  }
  return !view->made && n <= MOST_UNROLLED;
}

// Whether the statement reads a view that cannot be had as a whole.
static bool reads_large(const Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  for (int i = 0; i < free.len; i++) {
    const JacAccess *view = jac_access(b, atom_var(free.at[i]));
    if (view && !is_small(view)) return true;
  }
  return false;
}

static int64_t unrolled_trips(Atom width) {
  bool good = !width.is_var && width.value.i >= 1 && width.value.i <= MOST_UNROLLED;
  return good ? width.value.i : -1;
}

static Slice row_at(const Jac *b, Atom i) {
  return slice_fixed(arena_of(b), atoms1(arena_of(b), i));
}

// Row i of an array that x has no part in; of a range it is arithmetic.
static Atom plain_row(Jac *b, Atom a, Atom i) {
  const Exp *made = a.is_var ? blocks_definition(b, a.var) : NULL;
  if (made && made->form == FORM_IOTA && atom_type(b->pre.prog, made->iota.start).prim == PRIM_I64)
    return blocks_pre(b, OP_ADD, made->iota.start, blocks_pre(b, OP_MUL, i, made->iota.step));
  bool in_g = varset_has_atom(&b->inner, a);
  if (!in_g && b->branches > 0 && atom_type(b->pre.prog, a).rank == 1)
    return guarded(b, a, atoms1(arena_of(b), i));
  in_g = in_g || b->branches > 0;
  Atom row = build_slice_all(in_g ? &b->g : &b->pre, a, row_at(b, i), true);
  if (in_g) varset_add_atom(&b->inner, row);
  return row;
}

// Parameter p is row i of the input; i is in range.
static void bind_row(Jac *b, Var p, Atom input, Atom i) {
  JacAccess *view = jac_access(b, input);
  Atoms at = atoms1(arena_of(b), i);
  JacAccess lazy;
  if (view && view->made && blocks_made_row(b, view, at, &lazy)) {
    jac_access_set(b, p, lazy);
  } else if (view && view->made && view->flat) {
    Atom element = blocks_flat_element(b, view, i, NULL);
    if (b->failed) return;
    rewrite_bind(&b->w, p, element);
    varset_add_atom(&b->inner, element);
  } else if (view && view->made) {
    JacAccess large = {0};
    Atom row = blocks_made_or_view(b, view, at, &large);
    if (b->failed) return;
    if (large.dims.len) {
      jac_access_set(b, p, large);
      return;
    }
    rewrite_bind(&b->w, p, row);
    varset_add_atom(&b->inner, row);
  } else if (view && view->dims.len == 1) {
    rewrite_bind(&b->w, p, blocks_element(b, view, at, true));
  } else if (view) {
    JacAccess row = blocks_subview(b, view, row_at(b, i));
    if (b->branches == 0 && !atom_absent(view->array))
      row.array = build_slice_all(&b->pre, view->array, row_at(b, i), true);
    jac_access_set(b, p, row);
  } else {
    rewrite_bind(&b->w, p, plain_row(b, rewrite_atom(&b->w, input), i));
  }
}

// The body at iteration i.  Maps in it that are left stay so until another iteration is run.
static void iterate(Jac *b, const struct map_form *e, Atom i, bool may_make) {
  for (int k = 0; k < e->inputs.len; k++)
    bind_row(b, e->fn->params.at[k], e->inputs.at[k], i);
  bool outer = b->may_make;
  b->may_make = may_make;
  b->depth++;
  const BlockTerm *term = blocks_term(b, e->fn);
  Stms stms = e->fn->body.stms;
  blocks_stms(b, term ? blocks_needed(b->w.from, stms, term) : stms);
  b->depth--;
  b->may_make = outer;
}

// The results of a map's iterations, or the terms of which they are sums.
static Atom given_by(const Jac *b, const Lambda *fn, int result) {
  const BlockTerm *term = blocks_term(b, fn);
  return term ? term->of : fn->body.results.at[result];
}

static Atoms iteration(Jac *b, const struct map_form *e, Atom i) {
  Atoms out = {0};
  iterate(b, e, i, false);
  for (int k = 0; k < e->fn->body.results.len; k++)
    list_push(arena_of(b), &out, blocks_value(b, e->fn->body.results.at[k]));
  return out;
}

// A row of what an iteration gave, at the indices that are left.  `large`: a view is wanted where
// the row is not small.
static Atom row_of(Jac *b, Atom result, Atoms at, JacAccess *large) {
  JacAccess *view = jac_access(b, result);
  if (at.len == 0 && large && view && !view->made && !is_small(view)) {
    *large = *view;
    return atom_none();
  }
  if (at.len == 0) return blocks_value(b, result);
  if (!view)
    return build_slice_all(&b->g, rewrite_atom(&b->w, result), slice_fixed(arena_of(b), at), false);
  if (!view->made && view->dims.len == at.len) return blocks_element(b, view, at, false);
  b->failed = true;
  return atom_none();
}

static Atom made_row(Jac *b, const JacAccess *made, Atoms more, bool flat, JacAccess *large) {
  Atoms at = atoms_concat(arena_of(b), made->at, more);
  for (int k = 0; k < at.len && !b->failed; k++) {
    const struct map_form *e = &made->made->exp.map;
    Atom result = given_by(b, e->fn, made->result);
    Atoms left = atoms_slice(at, k + 1, at.len - k - 1);
    iterate(b, e, at.at[k], left.len > 0);
    const JacAccess *next = jac_access(b, result);
    if (b->failed) break;
    if (left.len == 0 || !next || !next->made) return row_of(b, result, left, large);
    b->failed = b->failed || (next->flat && !flat);
    made = next;
  }
  b->failed = true;
  return atom_none();
}

Atom blocks_made(Jac *b, const JacAccess *made, Atoms at, bool flat) {
  return made_row(b, made, at, flat, NULL);
}

Atom blocks_flat_element(Jac *b, const JacAccess *made, Atom i, Builder *to) {
  Atoms widths = blocks_nest(b, made, true);
  b->failed = b->failed || made->at.len > 0;
  Atom n = atom_i64(1);
  for (int k = 0; k < widths.len; k++) n = blocks_pre(b, OP_MUL, n, widths.at[k]);
  if (to && !b->failed) blocks_test(b, to, i, n);
  Atom element = b->failed ? i : blocks_made(b, made, blocks_nest_indices(b, widths, i), true);
  b->failed = b->failed || atom_type(b->pre.prog, element).rank > 0;
  return element;
}

Atom blocks_ragged_width(Jac *b, const JacAccess *made, Atoms at) {
  for (int k = 0; k < at.len && !b->failed; k++) {
    const struct map_form *e = &made->made->exp.map;
    iterate(b, e, at.at[k], true);
    if (k + 1 == at.len) break;
    made = jac_access(b, given_by(b, e->fn, made->result));
    b->failed = b->failed || !made || !made->made;
  }
  if (b->failed) return atom_none();
  Atom width = rewrite_atom(&b->w, b->ragged);
  b->failed = varset_has_atom(&b->inner, width);
  return blocks_pre(b, OP_MAX, width, atom_i64(0));
}

Atom blocks_made_or_view(Jac *b, const JacAccess *made, Atoms at, JacAccess *view) {
  return made_row(b, made, at, false, view);
}

bool blocks_made_row(Jac *b, const JacAccess *made, Atoms at, JacAccess *row) {
  if (made->flat || made->at.len + at.len >= blocks_nest(b, made, false).len) return false;
  *row = *made;
  row->array = row->copy = atom_none();
  row->at = atoms_concat(arena_of(b), made->at, at);
  return true;
}

static const Stm *defining(const Body *body, Atom a) {
  for (int i = 0; i < body->stms.len; i++)
    for (int k = 0; k < body->stms.at[i].bound.len; k++)
      if (atom_is_var(a, body->stms.at[i].bound.at[k])) return &body->stms.at[i];
  return NULL;
}

const Stm *blocks_making(const Body *body, Atom *a, bool flat) {
  const Stm *stm = defining(body, *a);
  while (stm && flat && stm->exp.form == FORM_RESHAPE) {
    *a = stm->exp.reshape.array;
    stm = defining(body, *a);
  }
  return stm && stm->exp.form == FORM_MAP && stm->exp.map.width.is_var ? stm : NULL;
}

static bool is_bound_in(const Lambda *fn, Atom a) {
  bool bound = defining(&fn->body, a);
  for (int i = 0; i < fn->params.len; i++) bound = bound || atom_is_var(a, fn->params.at[i]);
  return bound;
}

static bool is_bound_in_any(const Lambda **fns, int n, Atom a) {
  for (int i = 0; i < n; i++)
    if (is_bound_in(fns[i], a)) return true;
  return false;
}

Atoms blocks_nest(Jac *b, const JacAccess *made, bool flat) {
  const Stm *stm = made->made;
  int result = made->result;
  LIST(const Lambda *) around = {0};
  Atoms widths = {0};
  bool summed = false;
  while (stm) {
    Atom width = stm->exp.map.width;
    if (is_bound_in_any(around.at, around.len, width)) {
      if (summed) b->is_ragged = true, b->ragged = width;
      return widths;
    }
    list_push(arena_of(b), &widths, rewrite_atom(&b->w, width));
    const Lambda *fn = stm->exp.map.fn;
    list_push(arena_of(b), &around, fn);
    Atom row = given_by(b, fn, result);
    summed = blocks_term(b, fn);
    if (summed && b->way.at[0].fn == fn) b->levels = widths.len;
    stm = blocks_making(&fn->body, &row, flat);
    for (int k = 0; stm && k < stm->bound.len; k++)
      if (atom_is_var(row, stm->bound.at[k])) result = k;
    Type t = atom_type(b->w.from, row);
    if (stm || !summed || t.rank != 1) continue;
    if (is_bound_in_any(around.at, around.len, t.dims[0]))
      b->is_ragged = true, b->ragged = t.dims[0];
    else list_push(arena_of(b), &widths, rewrite_atom(&b->w, t.dims[0]));
  }
  return widths;
}

static Atom gathered(Jac *b, Atoms rows) {
  return build_literal(&b->g, "rows", atom_type(b->pre.prog, rows.at[0]).prim, rows);
}

static void unroll_map(Jac *b, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  int64_t n = unrolled_trips(rewrite_atom(&b->w, e->width));
  if (n < 0) b->failed = true;
  Atoms *rows = NEW_ARRAY(arena_of(b), Atoms, stm->bound.len + 1);
  for (int64_t i = 0; i < n && !b->failed; i++) {
    Atoms out = iteration(b, e, atom_i64(i));
    for (int k = 0; k < out.len; k++) list_push(arena_of(b), &rows[k], out.at[k]);
  }
  for (int k = 0; k < stm->bound.len && !b->failed; k++)
    rewrite_bind(&b->w, stm->bound.at[k], gathered(b, rows[k]));
  if (!b->failed) inside(b, stm->bound);
}

static void unroll_loop(Jac *b, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int64_t n = e->is_for ? unrolled_trips(rewrite_atom(&b->w, e->bound)) : -1;
  if (n < 0) b->failed = true;
  Atoms now = {0};
  for (int k = 0; k < e->inits.len && !b->failed; k++)
    list_push(arena_of(b), &now, blocks_value(b, e->inits.at[k]));
  for (int64_t i = 0; i < n && !b->failed; i++) {
    Prim p = var_type(b->w.from, e->fn->params.at[0]).prim;
    rewrite_bind(&b->w, e->fn->params.at[0], atom_scalar(scalar_int(p, i)));
    for (int k = 0; k < now.len; k++) rewrite_bind(&b->w, e->fn->params.at[k + 1], now.at[k]);
    bool outer = b->may_make;
    b->may_make = false;
    b->depth++;
    blocks_stms(b, e->fn->body.stms);
    b->depth--;
    b->may_make = outer;
    for (int k = 0; k < now.len && !b->failed; k++)
      now.at[k] = blocks_value(b, e->fn->body.results.at[k]);
  }
  for (int k = 0; k < stm->bound.len && !b->failed; k++)
    rewrite_bind(&b->w, stm->bound.at[k], now.at[k]);
}

static void branches(Jac *b, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  Arena *arena = arena_of(b);
  Exp exp = {.form = FORM_MATCH, .match = {.args = rewrite_atoms(&b->w, e->args)}};
  Stms *saved = b->g.stms;
  b->branches++;
  for (int i = 0; i < e->cases.len && !b->failed; i++) {
    Case c = {.pats = {0}};
    for (int k = 0; k < e->cases.at[i].pats.len; k++)
      list_push(arena, &c.pats, e->cases.at[i].pats.at[k]);
    b->g.stms = &c.body.stms;
    blocks_stms(b, e->cases.at[i].body.stms);
    for (int k = 0; k < e->cases.at[i].body.results.len && !b->failed; k++)
      list_push(arena, &c.body.results, blocks_value(b, e->cases.at[i].body.results.at[k]));
    list_push(arena, &exp.match.cases, c);
  }
  b->branches--;
  b->g.stms = saved;
  if (b->failed) return;
  Vars bound = {0};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(arena, &bound, rewrite_var(&b->w, stm->bound.at[k]));
  build_stm(&b->g, (Stm){.bound = bound, .exp = exp, .attrs = stm->attrs, .loc = b->g.loc});
  inside(b, stm->bound);
}

// A map of the function itself: its iterations are the blocks, or what they read.
static void make(Jac *b, const Stm *stm) {
  Vars free = exp_free(b->w.from, arena_of(b), &stm->exp);
  bool outside = b->depth == 0;  // its value can be had there, too
  for (int i = 0; i < free.len; i++) {
    JacAccess *view = jac_access(b, atom_var(free.at[i]));
    if (view) rewrite_bind(&b->w, free.at[i], view->array);
    Atom a = rewrite_atom(&b->w, atom_var(free.at[i]));
    outside = outside && !atom_absent(a) && !varset_has_atom(&b->inner, a);
  }
  if (outside) emit(b, &b->pre, stm);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom array = outside ? rewrite_atom(&b->w, atom_var(stm->bound.at[k])) : atom_none();
    JacAccess view = {.array = array, .copy = atom_none(), .made = stm, .result = k};
    jac_access_set(b, stm->bound.at[k], view);
  }
}

static void blocks_stm(Jac *b, const Stm *stm) {
  bool any = false;
  for (int k = 0; k < stm->bound.len; k++) any = any || varset_has(&b->varied, stm->bound.at[k]);
  if (!any) blocks_constant(b, stm);
  else if (blocks_move(b, stm)) return;
  else if (stm->exp.form == FORM_MATCH) branches(b, stm);
  else if (!reads_large(b, stm)) whole(b, stm);
  else if (blocks_concat(b, stm)) return;
  else if (stm->exp.form == FORM_MAP && b->may_make && stm->exp.map.width.is_var) make(b, stm);
  else if (stm->exp.form == FORM_MAP) unroll_map(b, stm);
  else if (stm->exp.form == FORM_LOOP) unroll_loop(b, stm);
  else b->failed = true;
}

void blocks_stms(Jac *b, Stms stms) {
  for (int i = 0; i < stms.len && !b->failed; i++) {
    if (stms.at[i].loc) b->pre.loc = b->g.loc = stms.at[i].loc;
    blocks_stm(b, &stms.at[i]);
  }
}
