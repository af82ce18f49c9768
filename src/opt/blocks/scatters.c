// Scatters for cores.  Of equal places the last wins, so iterations run at once only where places
// are known to differ: those of filters and partitions, for c_i the number of elements up to i that
// are wanted, t that of all:
//
//   wanted_i ? c_i - 1 : -1              wanted_i ? c_i - 1 : t + i - c_i
//
// Other places are written in order; a costly function of the elements is computed before, in a
// separate map, for two threads or more.
#include "blocks.h"

typedef struct {
  Blocks *s;
  const struct scatter_form *e;
  Map *inside;  // variable -> the Stm of the scatter's function that binds it
} Places;

static const Stm *def_of(const Places *p, Atom a) {
  return a.is_var ? map_get(p->inside, a.var.id) : NULL;
}

// x op y, as bound in the function
static bool is_op(const Places *p, Atom a, Op op, Atom *x, Atom *y) {
  const Stm *def = def_of(p, a);
  if (!def || def->exp.form != FORM_PRIM || def->exp.prim.op != op) return false;
  *x = def->exp.prim.args.at[0];
  *y = def->exp.prim.args.at[1];
  return true;
}

// The array of which the atom is the row.
static bool is_row(const Places *p, Atom a, Atom *array) {
  const Lambda *fn = p->e->fn;
  for (int i = 0; a.is_var && i < fn->params.len; i++) {
    if (!atom_is_var(a, fn->params.at[i])) continue;
    *array = p->e->inputs.at[i];
    return true;
  }
  return false;
}

static const Stm *bound_in(const Body *body, Atom a) {
  for (int i = 0; a.is_var && i < body->stms.len; i++)
    if (body->stms.at[i].bound.len == 1 && atom_is_var(a, body->stms.at[i].bound.at[0]))
      return &body->stms.at[i];
  return NULL;
}

// condition ? 1 : 0
static bool is_one_where(const Body *body, Atom a, Atom condition) {
  const Stm *def = bound_in(body, a);
  if (!def) return false;
  if (def->exp.form == FORM_CONV) return atom_same(def->exp.conv.arg, condition);
  if (def->exp.form != FORM_PRIM || def->exp.prim.op != OP_SELECT) return false;
  const Atom *args = def->exp.prim.args.at;
  return atom_same(args[0], condition) && atom_is(args[1], 1) && atom_is(args[2], 0);
}

// Which result of the fused scan the array is: what the function of its elements gives at that
// position, and whether it is the running value of the one scan there is.
static bool output_of(const Stm *scan, Atom array, Atom *element, bool *running) {
  const struct screma_form *e = &scan->exp.screma;
  for (int k = 0; k < scan->bound.len; k++) {
    if (!atom_is_var(array, scan->bound.at[k])) continue;
    for (int i = 0; i < e->post->params.len; i++) {
      if (!atom_is_var(e->post->body.results.at[k], e->post->params.at[i])) continue;
      *element = e->fn->body.results.at[i];
      *running = i == 0;
      return true;
    }
  }
  return false;
}

// counts is the number of elements so far at which flags holds.
static bool counts_flags(const Places *p, Atom counts, Atom flags) {
  const Stm *scan = counts.is_var ? map_get(p->s->defs, counts.var.id) : NULL;
  if (!scan || scan->exp.form != FORM_SCREMA) return false;
  const struct screma_form *e = &scan->exp.screma;
  Op op;
  Prim prim;
  Atom added, flag;
  bool running, is_scan;
  if (e->scans.len != 1 || e->reds.len || e->scans.at[0].exclusive) return false;
  if (!lambda_is_op(e->scans.at[0].op, &op, &prim)) return false;
  if (op != OP_ADD || prim != PRIM_I64) return false;
  if (!output_of(scan, counts, &added, &running) || !running) return false;
  if (!output_of(scan, flags, &flag, &is_scan) || is_scan) return false;
  return atom_same(e->width, p->e->width) && is_one_where(&e->fn->body, added, flag);
}

// The last of counts, 0 where there is none.
static bool is_total(const Places *p, Atom a, Atom counts) {
  const Stm *def = a.is_var ? map_get(p->s->defs, a.var.id) : NULL;
  if (!def || def->exp.form != FORM_MATCH || def->exp.match.cases.len != 2) return false;
  const Body *last = &def->exp.match.cases.at[1].body;
  const Stm *read = last->results.len == 1 ? bound_in(last, last->results.at[0]) : NULL;
  if (!read || read->exp.form != FORM_INDEX) return false;
  if (!atom_same(read->exp.index.array, counts)) return false;
  const SliceDim *at = &read->exp.index.slice.at[0];
  const Stm *sub = at->is_fix ? bound_in(last, at->start) : NULL;
  return sub && sub->exp.form == FORM_PRIM && sub->exp.prim.op == OP_SUB &&
         atom_same(sub->exp.prim.args.at[0], p->e->width) && atom_is(sub->exp.prim.args.at[1], 1);
}

// t + i - c, of which c is the count.
static bool is_after_all(const Places *p, Atom a, Atom c, Atom counts) {
  Atom sum, less, total, i, iota;
  if (!is_op(p, a, OP_SUB, &sum, &less) || !atom_same(less, c)) return false;
  if (!is_op(p, sum, OP_ADD, &total, &i)) return false;
  if (!is_row(p, i, &iota)) {
    Atom other = total;
    total = i, i = other;
    if (!is_row(p, i, &iota)) return false;
  }
  const Stm *def = iota.is_var ? map_get(p->s->defs, iota.var.id) : NULL;
  return def && exp_counts(p->s->prog, &def->exp) && is_total(p, total, counts);
}

static bool is_distinct(Blocks *s, const struct scatter_form *e) {
  Places p = {s, e, map_new(s->scratch)};
  for (int i = 0; i < e->fn->body.stms.len; i++) {
    const Stm *stm = &e->fn->body.stms.at[i];
    if (stm->bound.len == 1) map_put(p.inside, stm->bound.at[0].id, (void *)stm);
  }
  const Stm *choice = e->rank == 1 ? def_of(&p, e->fn->body.results.at[0]) : NULL;
  if (!choice || choice->exp.form != FORM_PRIM || choice->exp.prim.op != OP_SELECT) return false;
  const Atom *args = choice->exp.prim.args.at;
  Atom c, one, flags, counts;
  if (!is_row(&p, args[0], &flags) || !is_op(&p, args[1], OP_SUB, &c, &one)) return false;
  if (!atom_is(one, 1) || !is_row(&p, c, &counts) || !counts_flags(&p, counts, flags)) return false;
  return atom_is(args[2], -1) || is_after_all(&p, args[2], c, counts);
}

static void build_in_order(Blocks *s, Stm *stm) {
  const struct scatter_form *e = &stm->exp.scatter;
  Vars known = exp_free(s->prog, s->scratch, &stm->exp);
  Atom cost = build_poly(s, cost_work(s->cost, &e->fn->body), known);
  Atom many = build_threads(s, e->width, cost, 2);
  Body body = {0};
  Stms *around = s->to.stms;
  s->to.stms = &body.stms;
  Exp rest = stm->exp;
  rest.scatter.inputs = build_elements(&s->to, e->width, e->fn, e->inputs);
  rest.scatter.fn = lambda_identity(s->prog, e->fn->rets);
  Vars ys = build_many(&s->to, "ys", types_of_vars(s->prog, stm->bound), rest);
  body.results = atoms_of_vars(s->prog->arena, ys);
  s->to.stms = around;
  build_versions(s, stm, many, body);
}

bool block_scatter(Blocks *s, Stm *stm) {
  if (stm->exp.form != FORM_SCATTER || prog_target(s->prog) == TARGET_ONE) return false;
  if (is_distinct(s, &stm->exp.scatter)) {
    stm->attrs.disjoint = true;
    build_stm(&s->to, *stm);
    return true;
  }
  if (!is_costly(s, stm->exp.scatter.fn, COSTLY)) return false;
  build_in_order(s, stm);
  return true;
}
