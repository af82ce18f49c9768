// Arrays that are made only to be written into a part of another one,
//
//   v = map ..            any form that makes an array
//   y = x with [s] <- v
//
// are made in that part: the slice is computed and checked before v, and v is written there.
// The law: from the statement that makes v's block to the update nothing mentions x's block, but
// for a map that reads x[s] at the very element it makes; nothing in v's block is used after the
// update; the slice, and whatever is asserted on the way, is known before v is made; nothing else
// on the way says that the slice is inside x.
#include "imp/common/local.h"

// The longest distance of the two statements: what lies between is searched for each update.
enum { FAR = 40, SMALL = 64 };

typedef struct {
  Lower *l;
  const Body *body;
  int from, to;  // the statements that make v and that write it into x
} Gap;

static bool in_block(const Lower *l, Var v, Var block) {
  return l->facts->block[v.id].id == block.id;
}

static bool mentions(const Gap *s, const Stm *stm, Var block, Arena *scratch) {
  Vars free = exp_free(s->l->prog, scratch, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (in_block(s->l, free.at[i], block)) return true;
  for (int i = 0; i < stm->bound.len; i++)
    if (in_block(s->l, stm->bound.at[i], block)) return true;
  return false;
}

// v is x[s] of the update x with [s] <- ..
static bool is_place(const Gap *s, Var v) {
  const struct update_form *e = &s->body->stms.at[s->to].exp.update;
  const Stm *def = s->l->facts->def[v.id];
  return def && def->exp.form == FORM_INDEX && atom_same(e->array, def->exp.index.array)
         && slice_same(&def->exp.index.slice, &e->slice);
}

// The statement that makes v, a map that may read x[s] element by element.
static bool maker_is_idle(const Gap *s, Var x, Arena *scratch) {
  const Stm *stm = &s->body->stms.at[s->from];
  Var block = s->l->facts->block[x.id];
  Var root = s->l->facts->same[s->body->stms.at[s->to].exp.update.value.var.id];
  if (stm->exp.form != FORM_MAP) return !mentions(s, stm, block, scratch);
  int at = 0;
  while (stm->bound.at[at].id != root.id) at++;
  Vars free = exp_free(s->l->prog, scratch, &stm->exp);
  bool idle = true;
  for (int i = 0; idle && i < free.len; i++)
    idle = !in_block(s->l, free.at[i], block)
           || (is_place(s, free.at[i]) && mem_map_elementwise(s->l->facts, stm, free.at[i], at));
  return idle;
}

static bool target_is_idle(const Gap *s, Var x) {
  Arena *scratch = arena_beside(s->l->prog->arena);
  bool idle = maker_is_idle(s, x, scratch);
  for (int i = s->from + 1; idle && i < s->to; i++)
    idle = !mentions(s, &s->body->stms.at[i], s->l->facts->block[x.id], scratch);
  arena_free(scratch);
  return idle;
}

static bool value_ends_here(const Gap *s, Var root) {
  const MemFacts *f = s->l->facts;
  int order = mem_order(f, &s->body->stms.at[s->to]);
  for (int i = s->from; i < s->to; i++)
    for (int k = 0; k < s->body->stms.at[i].bound.len; k++) {
      Var b = s->body->stms.at[i].bound.at[k];
      if (in_block(s->l, b, root) && f->last_use[b.id] > order) return false;
    }
  return true;
}

// A scalar that is there before v, or can be: it follows from such by operations that cannot fail.
static bool known_before(const Gap *s, Atom a, int depth) {
  const Stm *def = a.is_var ? s->l->facts->def[a.var.id] : NULL;
  if (body_index(s->body, def) < s->from) return true;
  if (depth > 4) return false;
  if (def->exp.form == FORM_CONV) return known_before(s, def->exp.conv.arg, depth + 1);
  if (def->exp.form != FORM_PRIM || op_may_fail(def->exp.prim.op, def->exp.prim.prim)) return false;
  for (int i = 0; i < def->exp.prim.args.len; i++)
    if (!known_before(s, def->exp.prim.args.at[i], depth + 1)) return false;
  return true;
}

static bool slice_known_before(const Gap *s, Slice slice) {
  for (int i = 0; i < slice.len; i++) {
    SliceDim d = slice.at[i];
    if (!known_before(s, d.start, 0)) return false;
    if (!d.is_fix && !(known_before(s, d.count, 0) && known_before(s, d.stride, 0))) return false;
  }
  return true;
}

// Whether going on after the statement may prove an index to be in range.
static bool proves(const Stm *stm) {
  Form form = stm->exp.form;
  if (form == FORM_APPLY) return true;
  if (form == FORM_PRIM) return op_may_fail(stm->exp.prim.op, stm->exp.prim.prim);
  bool reads = form == FORM_INDEX || form == FORM_UPDATE || form == FORM_FLATINDEX
               || form == FORM_FLATUPDATE || form == FORM_RESHAPE || form == FORM_REPLICATE
               || form == FORM_IOTA || form == FORM_SCRATCH;
  return reads && !stm->attrs.unchecked;
}

static bool assert_known_before(const Gap *s, const struct assert_form *e) {
  bool known = known_before(s, e->cond, 0);
  for (int i = 0; i < e->args.len; i++) known = known && known_before(s, e->args.at[i], 0);
  return known;
}

static bool checks_known_before(const Gap *s) {
  bool unchecked = s->body->stms.at[s->to].attrs.unchecked;
  for (int i = s->from + 1; unchecked && i < s->to; i++) {
    const Stm *stm = &s->body->stms.at[i];
    if (stm->exp.form == FORM_ASSERT ? !assert_known_before(s, &stm->exp.assert) : proves(stm))
      return false;
  }
  return true;
}

// Few numbers that are changed again stay where the C compiler keeps them in registers.
static bool keep_in_registers(Type t, Form form, bool changed) {
  int64_t count = 1;
  for (int i = 0; i < t.rank && count <= SMALL; i++) {
    if (t.dims[i].is_var) return false;
    count *= t.dims[i].value.i;
  }
  return count <= SMALL && (changed || form == FORM_LOOP || form == FORM_REDUCE);
}

static bool makes_array(Form form) {
  return form == FORM_MAP || form == FORM_SCREMA || form == FORM_SCAN || form == FORM_REDUCE
         || form == FORM_REPLICATE || form == FORM_IOTA || form == FORM_LITERAL
         || form == FORM_CONSTANT || form == FORM_COPY || form == FORM_CONCAT
         || form == FORM_ROTATE || form == FORM_MATCH || form == FORM_LOOP;
}

// Statement `to` of the body, an update: notes it with the variable to be made in its slice.
static void elide_copy(Lower *l, const Body *body, int to) {
  const struct update_form *e = &body->stms.at[to].exp.update;
  if (!e->value.is_var || !e->array.is_var) return;
  Type t = var_type(l->prog, e->value.var);
  if (t.rank == 0) return;
  Var root = l->facts->same[e->value.var.id];
  const Stm *def = l->facts->def[root.id];
  Gap s = {l, body, body_index(body, def), to};
  if (s.from < 0 || to - s.from > FAR || !makes_array(def->exp.form)) return;
  if (l->facts->block[root.id].id != root.id || l->pending[root.id]) return;
  if (keep_in_registers(t, def->exp.form, root.id != e->value.var.id)) return;
  if (body_index(body, l->facts->def[e->array.var.id]) >= s.from) return;
  if (value_ends_here(&s, root) && slice_known_before(&s, e->slice) && checks_known_before(&s)
      && target_is_idle(&s, e->array.var))
    l->pending[root.id] = &body->stms.at[to];
}

void elide_copies(Lower *l, const Body *body) {
  for (int i = 0; i < body->stms.len; i++)
    if (body->stms.at[i].exp.form == FORM_UPDATE) elide_copy(l, body, i);
}

// ---- when v is about to be made ---------------------------------------------------------------
static bool is_early(const Lower *l, const Stm *stm) { return map_get(l->early, KEY(stm)) != NULL; }

static void lower_early(Lower *l, const Body *body, int from, Atom a);

static void stm_early(Lower *l, const Body *body, int from, const Stm *stm) {
  const Exp *e = &stm->exp;
  if (is_early(l, stm)) return;
  if (e->form == FORM_CONV) lower_early(l, body, from, e->conv.arg);
  if (e->form == FORM_ASSERT) lower_early(l, body, from, e->assert.cond);
  Atoms args = e->form == FORM_PRIM     ? e->prim.args
               : e->form == FORM_ASSERT ? e->assert.args
                                        : (Atoms){0};
  for (int i = 0; i < args.len; i++) lower_early(l, body, from, args.at[i]);
  lower_stm(l, stm);
  map_put(l->early, KEY(stm), l);
}

static void lower_early(Lower *l, const Body *body, int from, Atom a) {
  const Stm *def = a.is_var ? l->facts->def[a.var.id] : NULL;
  if (body_index(body, def) >= from) stm_early(l, body, from, def);
}

static void slice_early(Lower *l, const Body *body, int from, Slice slice) {
  for (int i = 0; i < slice.len; i++) {
    lower_early(l, body, from, slice.at[i].start);
    if (slice.at[i].is_fix) continue;
    lower_early(l, body, from, slice.at[i].count);
    lower_early(l, body, from, slice.at[i].stride);
  }
}

static void place_begin(Lower *l, const Body *body, int at, Var root) {
  const Stm *update = l->pending[root.id];
  if (!update || l->want[root.id].view) return;
  slice_early(l, body, at, update->exp.update.slice);
  for (int i = at + 1; update->attrs.unchecked && i < body_index(body, update); i++)
    if (body->stms.at[i].exp.form == FORM_ASSERT) stm_early(l, body, at, &body->stms.at[i]);
  View place = update_place(l, update);
  const View *kept = arena_copy(l->arena, &place, sizeof place);
  l->place[update->bound.at[0].id] = kept;
  l->want[root.id] = (Want){kept, false};
}

void lower_elided(Lower *l, const Body *body, int at) {
  const Stm *stm = &body->stms.at[at];
  if (is_early(l, stm)) {
    map_put(l->early, KEY(stm), NULL);
    return;
  }
  for (int k = 0; k < stm->bound.len; k++) place_begin(l, body, at, stm->bound.at[k]);
  lower_stm(l, stm);
  for (int k = 0; k < stm->bound.len; k++) {
    Var root = stm->bound.at[k];
    if (l->pending[root.id]) l->want[root.id] = (Want){NULL, false};
    l->pending[root.id] = NULL;
  }
}
