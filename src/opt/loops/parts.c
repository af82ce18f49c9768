// An array of rank 1 of which every iteration reads and writes cells of several ranges that have
// nothing in common: y[a i + b], y[a i + c], .. (gates of four kinds in one array, points by
// coordinates).  Each range is a class of cells:
//
//   loop (y) for i < n do y with [i] = f y[n + i]     becomes
//   t = map n (\i o -> f o) y[n:2n] ; y with [0:n] = t
#include "loops.h"

typedef struct {
  Linear at;
  const Stm *stm;
} Place;

// One cell at coef * i + base, with the same constant coef in all references.
static bool place_of(Loop *s, const Reference *ref, Place *out) {
  const Stm *stm = ref->stm;
  const Slice *slice =
      stm->exp.form == FORM_INDEX ? &stm->exp.index.slice : &stm->exp.update.slice;
  if (ref->nested || slice->len != 1 || !slice->at[0].is_fix) return false;
  *out = (Place){linear_of(s, slice->at[0].start), stm};
  return out->at.ok && !out->at.coef.is_var && out->at.coef.value.i > 0;
}

// a is the result plus k, modulo 2^64.
static Atom without_constant(Env *e, Atom a, int64_t *k) {
  *k = 0;
  for (int step = 0; step < 8; step++) {
    const Stm *def = env_def_as(e, a, FORM_PRIM);
    if (!def || (def->exp.prim.op != OP_ADD && def->exp.prim.op != OP_SUB)) return a;
    Atom x = def->exp.prim.args.at[0], y = def->exp.prim.args.at[1];
    bool first = !x.is_var && def->exp.prim.op == OP_ADD;
    if (!first && y.is_var) return a;
    uint64_t c = (uint64_t)(first ? x : y).value.i;
    *k = (int64_t)((uint64_t)*k + (def->exp.prim.op == OP_ADD ? c : -c));
    a = first ? y : x;
  }
  return a;
}

// a - b, modulo 2^64; false: it is no constant.
static bool distance(Env *e, Atom a, Atom b, int64_t *out) {
  int64_t j, k;
  if (!atom_same(without_constant(e, a, &j), without_constant(e, b, &k))) return false;
  *out = (int64_t)((uint64_t)j - (uint64_t)k);
  return true;
}

// Numbers of several kinds in turns: the ranges begin at a constant distance, no multiple of
// the step.  All cells lie in the array, so wrapped sums have the same distance.
static bool in_turns(Env *e, Atom a, Atom b, int64_t step) {
  int64_t between;
  return distance(e, a, b, &between) && between % step != 0;
}

// Whether y[x i + ..] and y[z k + ..] are different for all iterations i and k.
static bool are_separate(Loop *s, const ParamClass *x, const ParamClass *z) {
  Env *e = s->e;
  Atom a = x->slice.at[0].start, b = z->slice.at[0].start, coef = x->slice.at[0].stride;
  if (!x->written && !z->written) return true;
  int from = e->to.stms->len;
  Atom length = build_op(&e->to, OP_MUL, s->l->bound, coef);
  Atom after_a = build_op(&e->to, OP_ADD, a, length), after_b = build_op(&e->to, OP_ADD, b, length);
  env_register(e, from);
  Stms none = {0};
  BodyMark mark = renv_open(e, &none);
  if (s->l->bound.is_var) env_least_here(e, s->l->bound.var, 1);
  env_iterations_here(e, s->l->bound);
  bool out = atom_at_most(e, after_a, b) || atom_at_most(e, after_b, a) ||
             in_turns(e, a, b, coef.value.i);
  env_close(e, mark);
  return out;
}

static ParamClass *part_at(Loop *s, ParamClass *c, const Linear *at) {
  int64_t between;
  for (int j = 0; j < c->parts.len; j++)
    if (distance(s->e, c->parts.at[j].slice.at[0].start, at->base, &between) && between == 0)
      return &c->parts.at[j];
  return NULL;
}

static ParamClass *part_new(Loop *s, ParamClass *c, const Linear *at) {
  Type array = var_type(s->e->prog, c->family->p);
  ParamClass part = {.kind = CLASS_CELLS, .family = c->family, .cell = type_scalar(array.prim)};
  list_push(s->e->arena, &part.slice, ((SliceDim){.start = at->base, .stride = at->coef}));
  list_push(s->e->arena, &c->parts, part);
  return &c->parts.at[c->parts.len - 1];
}

static void part_refer(Loop *s, ParamClass *c, const Place *p) {
  ParamClass *part = part_at(s, c, &p->at);
  if (!part) part = part_new(s, c, &p->at);
  bool writes = p->stm->exp.form == FORM_UPDATE;
  part->read = part->read || (!writes && !part->written);
  part->written = part->written || writes;
  if (!p->stm->attrs.unchecked) part->checked = p->stm;
  map_put(c->part_of, p->stm->bound.at[0].id, (void *)(uintptr_t)(part - c->parts.at + 1));
}

static bool all_separate(Loop *s, const ParamClass *c) {
  for (int j = 0; j < c->parts.len; j++)
    for (int k = 0; k < j; k++)
      if (!are_separate(s, &c->parts.at[j], &c->parts.at[k])) return false;
  return true;
}

// The family's references stand in the body itself, so their order is that of the statements.
bool class_parts(Loop *s, Family *f, ParamClass *out) {
  Type array = var_type(s->e->prog, f->p);
  if (f->bad || array.rank != 1 || f->refs.len < 2) return false;
  *out = (ParamClass){.kind = CLASS_PARTS, .family = f, .part_of = map_new(s->e->scratch)};
  Atom coef = {0};
  for (int i = 0; i < f->refs.len; i++) {
    Place p;
    if (!place_of(s, &f->refs.at[i], &p)) return false;
    if (i > 0 && !atom_same(p.at.coef, coef)) return false;
    coef = p.at.coef;
    part_refer(s, out, &p);
  }
  int updates = 0;
  for (int j = 0; j < f->refs.len; j++) updates += f->refs.at[j].stm->exp.form == FORM_UPDATE;
  return map_len(f->names) == updates + 1 && all_separate(s, out);
}
