// Scans that are read one place on, by maps as differentiation and unfuse.c write them, are
// exclusive:
//
//   ys = scan op ne xs;  before = map n (\i -> if i == 0 then ne else ys[i - 1]) (iota n)
//     =  before = scan exclusive op ne xs;  ys = map op before xs
//
// the last where another statement reads ys, and then only for an operator that costs little.
#include "opt/common/local.h"

enum { CHEAP = 4 };  // statements of an operator that may be applied twice

// The map of a body that has an array one place on, and which way; the first there is.
typedef struct {
  int place, way;  // way 0: there is none
} Reader;

typedef struct {
  Prog *prog;
  Arena *arena;
  Uses uses;
  struct iota_form *iotas;  // by variable; step 0: none
  Atom *one_more;           // what the variable is one less than; the constant 0: nothing known
  Reader *readers;          // by variable
  int cap;
  bool found;
} ExclusiveScan;

static const Stm *bound_by(const Stms *stms, Atom a) {
  for (int i = 0; a.is_var && i < stms->len; i++)
    if (stms->at[i].bound.len == 1 && atom_is_var(a, stms->at[i].bound.at[0])) return &stms->at[i];
  return NULL;
}

static bool is_op_of(const Stm *stm, Op op, Var x, double constant) {
  if (!stm || stm->exp.form != FORM_PRIM || stm->exp.prim.op != op) return false;
  const Atoms *args = &stm->exp.prim.args;
  return atom_is_var(args->at[0], x) && atom_is(args->at[1], constant);
}

// 0, 1, .., width - 1 (1), or the other way (-1); otherwise 0.
static int direction(const ExclusiveScan *p, Atom a, Atom width) {
  if (!a.is_var || (int)a.var.id >= p->cap) return 0;
  const struct iota_form *iota = &p->iotas[a.var.id];
  if (!atom_same(iota->n, width)) return 0;
  if (atom_is(iota->step, 1) && atom_is(iota->start, 0)) return 1;
  bool down = atom_is(iota->step, -1) && iota->start.is_var && (int)iota->start.var.id < p->cap;
  return down && width.is_var && atom_same(p->one_more[iota->start.var.id], width) ? -1 : 0;
}

static bool reads_before(const Body *body, Var i, Atom *array) {
  const Stm *read = body->stms.len == 2 ? bound_by(&body->stms, body->results.at[0]) : NULL;
  if (!read || read->exp.form != FORM_INDEX || read->exp.index.slice.len != 1) return false;
  const SliceDim *at = &read->exp.index.slice.at[0];
  *array = read->exp.index.array;
  return at->is_fix && is_op_of(bound_by(&body->stms, at->start), OP_SUB, i, 1);
}

// Whether a map is an array one place on, with something else in the first place (1), perhaps
// reversed (-1).
static int is_shifted_by_one(const ExclusiveScan *p, const Stm *stm, Atom *array, Atom *first) {
  if (stm->exp.form != FORM_MAP) return 0;
  const struct map_form *m = &stm->exp.map;
  const Body *body = &m->fn->body;
  if (m->inputs.len != 1) return 0;
  if (body->stms.len != 2 || body->results.len != 1) return 0;
  const Stm *pick = bound_by(&body->stms, body->results.at[0]);
  if (!pick || pick->exp.form != FORM_MATCH || pick->exp.match.cases.len != 2) return 0;
  const struct match_form *e = &pick->exp.match;
  const CasePat *pat = e->args.len == 1 ? &e->cases.at[0].pats.at[0] : NULL;
  Var i = m->fn->params.at[0];
  if (!pat || pat->any || !pat->lit.i || e->cases.at[0].body.stms.len) return 0;
  if (!is_op_of(bound_by(&body->stms, e->args.at[0]), OP_EQ, i, 0)) return 0;
  *first = e->cases.at[0].body.results.at[0];
  if (!reads_before(&e->cases.at[1].body, i, array)) return 0;
  return direction(p, m->inputs.at[0], m->width);
}

// The first map that has each variable one place on, by variable.
static void readers_note(ExclusiveScan *p, const Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    Atom array, first;
    int way = is_shifted_by_one(p, &stms->at[i], &array, &first);
    if (way && array.is_var && (int)array.var.id < p->cap && !p->readers[array.var.id].way)
      p->readers[array.var.id] = (Reader){i, way};
  }
}

// The map that is result k of the scan one place on.
static Reader reader_of(const ExclusiveScan *p, const Body *body, const Stm *scan, int k) {
  Var y = scan->bound.at[k];
  Reader r = p->readers[y.id];
  Atom first, array;
  if (!r.way) return r;
  const Stm *map = &body->stms.at[r.place];
  is_shifted_by_one(p, map, &array, &first);
  bool same = type_same(var_type(p->prog, y), var_type(p->prog, map->bound.at[0])) &&
              atom_same(first, scan->exp.scan.neutral.at[k]) &&
              atom_same(map->exp.map.width, scan->exp.scan.width);
  return same ? r : (Reader){0};
}

// How the results of a scan are read: by result, the map that has it one place on; and whether
// there are others that read it.
typedef struct {
  int n;
  Reader *maps;
  bool any_others;
} Readers;

static bool readers_found(const ExclusiveScan *p, const Body *body, int at, Readers *r) {
  const Stm *scan = &body->stms.at[at];
  bool found = false;
  *r = (Readers){.n = scan->bound.len};
  r->maps = NEW_ARRAY(p->arena, Reader, r->n + 1);
  for (int k = 0; k < r->n; k++) {
    r->maps[k] = reader_of(p, body, scan, k);
    bool read = r->maps[k].way != 0;
    r->any_others = r->any_others || p->uses.count[scan->bound.at[k].id] > read;
    found = found || read;
  }
  return found;
}

// Applied twice these cost less than a shifted read; the C compiler shares the two.
static bool is_cheap(const Lambda *op) {
  static const Op cheap[] = {OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR,
                             OP_EQ,  OP_LT,  OP_LE,  OP_NE,  OP_SELECT};
  if (op->body.stms.len > CHEAP) return false;
  for (int i = 0; i < op->body.stms.len; i++) {
    const Exp *exp = &op->body.stms.at[i].exp;
    bool found = false;
    for (int k = 0; exp->form == FORM_PRIM && k < COUNT_OF(cheap); k++)
      found = found || exp->prim.op == cheap[k];
    if (!found) return false;
  }
  return true;
}

// ys = map op before xs
static Stm applied_once_more(const ExclusiveScan *p, const Stm *scan, Vars before) {
  const struct scan_form *e = &scan->exp.scan;
  Stms none = {0};
  Builder b = builder_new(p->prog, &none);
  Atoms inputs = atoms_concat(p->prog->arena, atoms_of_vars(p->prog->arena, before), e->inputs);
  return (Stm){.exp = {.form = FORM_MAP, .map = {e->width, lambda_copy(&b, e->op), inputs}},
               .bound = scan->bound, .loc = scan->loc};
}

// The changes to the statements of a body: the removed ones, and the new ones after others.
typedef struct {
  bool *dropped;  // by place; NULL: nothing has changed
  Stm **more;     // by place
} Changes;

static void body_change(const ExclusiveScan *p, Body *body, const Changes *c) {
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    if (!c->dropped[i]) list_push(p->prog->arena, &out, body->stms.at[i]);
    if (c->more[i]) list_push(p->prog->arena, &out, *c->more[i]);
  }
  body->stms = out;
}

static void scan_change(const ExclusiveScan *p, Body *body, int at, const Readers *r, Changes *c) {
  Stm *scan = &body->stms.at[at];
  Vars before = {0};
  for (int k = 0; k < r->n; k++) {
    int way = r->maps[k].way, place = r->maps[k].place;
    Stm *map = &body->stms.at[place];
    Var y = scan->bound.at[k],
        fresh = way == 1 ? map->bound.at[0] : var_new(p->prog, "before", var_type(p->prog, y));
    list_push(p->prog->arena, &before, fresh);
    if (way == 1) c->dropped[place] = true;
    else if (way) map->exp = (Exp){.form = FORM_REVERSE, .reverse = {atom_var(fresh)}};
  }
  if (r->any_others) {
    c->more[at] = NEW(p->arena, Stm);
    *c->more[at] = applied_once_more(p, scan, before);
  }
  scan->exp.scan.exclusive = true;
  scan->bound = before;
}

static void scan_exclusive(const ExclusiveScan *p, Body *body, int at, Changes *c) {
  Readers r;
  if (!readers_found(p, body, at, &r)) return;
  if (r.any_others && !is_cheap(body->stms.at[at].exp.scan.op)) return;
  if (!c->dropped) {
    c->dropped = NEW_ARRAY(p->arena, bool, body->stms.len);
    c->more = NEW_ARRAY(p->arena, Stm *, body->stms.len);
  }
  scan_change(p, body, at, &r, c);
}

static void counting_note(ExclusiveScan *p, const Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    const Stm *stm = &stms->at[i];
    if (stm->exp.form == FORM_IOTA) p->iotas[stm->bound.at[0].id] = stm->exp.iota;
    if (stm->exp.form == FORM_PRIM && stm->exp.prim.op == OP_SUB &&
        atom_is(stm->exp.prim.args.at[1], 1))
      p->one_more[stm->bound.at[0].id] = stm->exp.prim.args.at[0];
  }
}

static void prefix_body(ExclusiveScan *p, Body *body) {
  Changes changes = {0};
  counting_note(p, &body->stms);
  readers_note(p, &body->stms);
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *exp = &body->stms.at[i].exp;
    if (exp->form == FORM_SCAN && !exp->scan.exclusive) scan_exclusive(p, body, i, &changes);
  }
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(p->arena, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) prefix_body(p, parts.at[k].body);
  }
  if (!changes.dropped) return;
  body_change(p, body, &changes);
  p->found = true;
}

// needs: simplified, not yet fused.  leaves: scans that are only read one place on, in the body
// that has them, exclusive.  cost: linear.
Prog *pass_exclusive_scan(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  ExclusiveScan p = {.prog = out, .arena = scratch, .uses = uses_compute(scratch, out),
              .cap = out->vars.len};
  p.iotas = NEW_ARRAY(scratch, struct iota_form, out->vars.len);
  p.one_more = NEW_ARRAY(scratch, Atom, out->vars.len);
  p.readers = NEW_ARRAY(scratch, Reader, out->vars.len);
  for (int i = 0; i < out->fns.len; i++) prefix_body(&p, &out->fns.at[i]->body);
  arena_free(scratch);
  out->at_fixpoint = prog->at_fixpoint && !p.found;
  return out;
}
