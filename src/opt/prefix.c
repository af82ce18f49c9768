// Scans that are read one place on, by maps as differentiation and unfuse.c write them, are exclusive:
//
//   ys = scan op ne xs;  before = map n (\i -> if i == 0 then ne else ys[i - 1]) (iota n)
//     =  before = scan exclusive op ne xs;  ys = map op before xs
//
// the last where somebody else reads ys, and then only for an operator that costs little.
#include "local.h"

enum { CHEAP = 4 };  // statements of an operator that may be applied twice

typedef struct {
  Prog *prog;
  Arena *arena;
  Uses uses;
  struct iota_form *iotas;  // by variable; step 0: none
  Atom *one_more;           // what the variable is one less than; the constant 0: nothing known
  int cap;
  bool found;
} Prefix;

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
static int direction(const Prefix *p, Atom a, Atom width) {
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
static int one_place_on(const Prefix *p, const Stm *stm, Atom *array, Atom *first) {
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

// The place of the map that is result k of the scan one place on, and which way; -1 where there is
// none.
static int reader(const Prefix *p, const Body *body, int at, int k, int *way) {
  const Stm *scan = &body->stms.at[at];
  Var y = scan->bound.at[k];
  for (int i = at + 1; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Atom first, array;
    *way = one_place_on(p, stm, &array, &first);
    if (*way == 0 || !atom_is_var(array, y)) continue;
    bool same = type_same(var_type(p->prog, y), var_type(p->prog, stm->bound.at[0]));
    return same && atom_same(first, scan->exp.scan.neutral.at[k]) &&
                   atom_same(stm->exp.map.width, scan->exp.scan.width)
               ? i
               : -1;
  }
  return -1;
}

// How the results of a scan are read: by result, the place of the map that has it one place on (-1:
// none) and which way; and whether there are others that read it.
typedef struct {
  int n, *places, *ways;
  bool *others, any_others;
} Readers;

static bool readers_found(const Prefix *p, const Body *body, int at, Readers *r) {
  const Stm *scan = &body->stms.at[at];
  bool found = false;
  *r = (Readers){.n = scan->bound.len};
  r->places = NEW_ARRAY(p->arena, int, r->n + 1);
  r->ways = NEW_ARRAY(p->arena, int, r->n + 1);
  r->others = NEW_ARRAY(p->arena, bool, r->n + 1);
  for (int k = 0; k < r->n; k++) {
    Var y = scan->bound.at[k];
    if ((int)y.id >= p->cap) return false;
    r->places[k] = reader(p, body, at, k, &r->ways[k]);
    r->others[k] = p->uses.count[y.id] > (r->places[k] >= 0);
    r->any_others = r->any_others || r->others[k];
    found = found || r->places[k] >= 0;
  }
  return found;
}

// Applied twice these are less than reading one place on; the C compiler knows it is the same.
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
static Stm applied_once_more(const Prefix *p, const Stm *scan, Vars before) {
  const struct scan_form *e = &scan->exp.scan;
  Stms none = {0};
  Builder b = builder_new(p->prog, &none);
  Atoms inputs = atoms_concat(p->prog->arena, atoms_of_vars(p->prog->arena, before), e->inputs);
  return (Stm){.exp = {.form = FORM_MAP, .map = {e->width, lambda_copy(&b, e->op), inputs}},
               .bound = scan->bound, .loc = scan->loc};
}

static void body_replace(const Prefix *p, Body *body, int at, const bool *dropped, const Stm *more) {
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    if (!dropped[i]) list_push(p->prog->arena, &out, body->stms.at[i]);
    if (i == at && more) list_push(p->prog->arena, &out, *more);
  }
  body->stms = out;
}

static bool scan_exclusive(const Prefix *p, Body *body, int at) {
  Stm *scan = &body->stms.at[at];
  Readers r;
  if (!readers_found(p, body, at, &r)) return false;
  if (r.any_others && !is_cheap(scan->exp.scan.op)) return false;
  bool *dropped = NEW_ARRAY(p->arena, bool, body->stms.len);
  Vars before = {0};
  for (int k = 0; k < r.n; k++) {
    Stm *map = r.places[k] < 0 ? NULL : &body->stms.at[r.places[k]];
    bool straight = map && r.ways[k] == 1;
    Var y = scan->bound.at[k],
        fresh = straight ? map->bound.at[0] : var_new(p->prog, "before", var_type(p->prog, y));
    list_push(p->prog->arena, &before, fresh);
    if (straight) dropped[r.places[k]] = true;
    else if (map) map->exp = (Exp){.form = FORM_REVERSE, .reverse = {atom_var(fresh)}};
  }
  Stm more = applied_once_more(p, scan, before);
  scan->exp.scan.exclusive = true;
  scan->bound = before;
  body_replace(p, body, at, dropped, r.any_others ? &more : NULL);
  return true;
}

static void prefix_body(Prefix *p, Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_IOTA) p->iotas[stm->bound.at[0].id] = stm->exp.iota;
    if (stm->exp.form == FORM_PRIM && stm->exp.prim.op == OP_SUB &&
        atom_is(stm->exp.prim.args.at[1], 1))
      p->one_more[stm->bound.at[0].id] = stm->exp.prim.args.at[0];
  }
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *exp = &body->stms.at[i].exp;
    if (exp->form == FORM_SCAN && !exp->scan.exclusive)
      p->found = scan_exclusive(p, body, i) || p->found;
  }
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(p->arena, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) prefix_body(p, parts.at[k].body);
  }
}

// needs: simplified, not yet fused.  leaves: scans that are only read one place on, in the body that
// has them, exclusive; simplified.  cost: linear, and the rest of the body for each scan.
Prog *pass_prefix(const Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Prefix p = {.prog = out, .arena = scratch, .uses = uses_compute(scratch, out),
              .cap = out->vars.len};
  p.iotas = NEW_ARRAY(scratch, struct iota_form, out->vars.len);
  p.one_more = NEW_ARRAY(scratch, Atom, out->vars.len);
  for (int i = 0; i < out->fns.len; i++) prefix_body(&p, &out->fns.at[i]->body);
  arena_free(scratch);
  out->settled = prog->settled && !p.found;
  if (p.found) simplify_prog(out);
  return out;
}
