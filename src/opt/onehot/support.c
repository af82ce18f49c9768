// Supports of values: which conditions must hold where a value is not the neutral element.
//
//   select (c, x, 0)          {c} and those of x
//   d *. J                    those of d (structural zero: doc/strategies.md); of integers, of both
//   x + y, x - y              those common to both
//   guard (d, J, x), -x       those of x
//   match c {x} {y}           ({c} and those of x) common with those of y
//   sum, map, index, ..       those of the elements that are visible outside
//   loop                      common to the start and to a step from zero
//
// Sound for floats but for the sign of zeros: x + 0 is x, also where x is infinite or NaN.
#include "onehot.h"

enum { STEPS = 4000, FEWEST = 5 };

void vars_mark(Map *set, Vars vars) {
  for (int k = 0; k < vars.len; k++) map_put(set, vars.at[k].id, set);
}

bool vars_marked(const Map *set, Vars vars) {
  for (int k = 0; k < vars.len; k++)
    if (map_get(set, vars.at[k].id)) return true;
  return false;
}

void vars_mark_bound(Map *set, const Lambda *fn) {
  vars_mark(set, fn->params);
  for (int k = 0; k < fn->body.stms.len; k++) vars_mark(set, fn->body.stms.at[k].bound);
}

bool onehot_is_few(Atom width) {
  int64_t n;
  return atom_const_i64(width, &n) && n < FEWEST;
}

// ---- sets of conditions
static const Stm *def_of(Supports *s, Atom a) {
  const Stm *def = a.is_var ? map_get(s->defs, a.var.id) : NULL;
  return def ? def : renv_def(s->e, a);
}

static const struct prim_form *prim_of(Supports *s, Atom a) {
  const Stm *def = def_of(s, a);
  return def && def->exp.form == FORM_PRIM ? &def->exp.prim : NULL;
}

static bool cond_same(Supports *s, Var a, Var b) {
  if (a.id == b.id) return true;
  const struct prim_form *p = prim_of(s, atom_var(a)), *q = prim_of(s, atom_var(b));
  if (!p || !q || p->op != OP_EQ || q->op != OP_EQ || p->prim != q->prim) return false;
  const Atom *x = p->args.at, *y = q->args.at;
  return (atom_same(x[0], y[0]) && atom_same(x[1], y[1])) ||
         (atom_same(x[0], y[1]) && atom_same(x[1], y[0]));
}

static bool has_cond(Supports *s, const Support *set, Var c) {
  for (int i = 0; i < set->conds.len; i++)
    if (cond_same(s, set->conds.at[i], c)) return true;
  return false;
}

// A conjunction holds where its parts do.
static void add_cond(Supports *s, Support *set, Atom c) {
  c = env_atom(s->e, c);
  if (!c.is_var) {
    set->every = set->every || !c.value.i;
    return;
  }
  if (set->every || has_cond(s, set, c.var)) return;
  list_push(s->e->scratch, &set->conds, c.var);
  const struct prim_form *p = prim_of(s, c);
  if (!p || p->op != OP_AND || p->prim != PRIM_BOOL) return;
  add_cond(s, set, p->args.at[0]);
  add_cond(s, set, p->args.at[1]);
}

Support support_meet(Supports *s, Support a, Support b) {
  if (a.every) return b;
  if (b.every) return a;
  Support out = {0};
  for (int i = 0; i < a.conds.len; i++)
    if (has_cond(s, &b, a.conds.at[i])) list_push(s->e->scratch, &out.conds, a.conds.at[i]);
  return out;
}

static Support joined(Supports *s, Support a, Support b) {
  Support out = {.every = a.every || b.every};
  for (int i = 0; i < a.conds.len; i++) add_cond(s, &out, atom_var(a.conds.at[i]));
  for (int i = 0; i < b.conds.len; i++) add_cond(s, &out, atom_var(b.conds.at[i]));
  return out;
}

// ---- what is in the body
typedef struct {
  Supports *s;
  bool compares;
} Scan;

static void mark(Map *map, Var v) { map_put(map, v.id, map); }

static void scan_body(Scan *c, Body *body, bool nested);

static void scan_rows(Supports *s, const Vars *params, Atoms inputs) {
  for (int i = 0; i < params->len && i < inputs.len; i++)
    map_put(s->rows, params->at[i].id, arena_copy(s->e->scratch, &inputs.at[i], sizeof(Atom)));
}

static void scan_stm(Scan *c, Stm *stm, bool nested) {
  Supports *s = c->s;
  env_exp(s->e, &stm->exp);
  for (int k = 0; k < stm->bound.len; k++) {
    map_put(s->defs, stm->bound.at[k].id, stm);
    map_put(s->exps, stm->bound.at[k].id, &stm->exp);
    mark(s->inner, stm->bound.at[k]);
    if (nested) mark(s->nested, stm->bound.at[k]);
  }
  const Exp *x = &stm->exp;
  if (x->form == FORM_PRIM && x->prim.op == OP_EQ && x->prim.prim == PRIM_I64) c->compares = true;
  if (!exp_has_parts(x)) return;
  Parts parts = exp_parts(s->e->scratch, &stm->exp);
  for (int i = 0; i < parts.len; i++) {
    for (int k = 0; parts.at[i].fn && k < parts.at[i].fn->params.len; k++) {
      mark(s->inner, parts.at[i].fn->params.at[k]);
      mark(s->nested, parts.at[i].fn->params.at[k]);
    }
    scan_body(c, parts.at[i].body, true);
  }
  if (x->form == FORM_MAP) scan_rows(s, &x->map.fn->params, x->map.inputs);
  if (x->form == FORM_SCREMA) scan_rows(s, &x->screma.fn->params, x->screma.inputs);
}

static void scan_body(Scan *c, Body *body, bool nested) {
  for (int i = 0; i < body->stms.len; i++) scan_stm(c, &body->stms.at[i], nested);
  body->results = env_atoms(c->s->e, body->results);
}

bool supports_begin(Supports *s, Env *e, const Lambda *fn) {
  Arena *a = e->scratch;
  *s = (Supports){.e = e, .defs = map_new(a), .exps = map_new(a), .rows = map_new(a),
                  .inner = map_new(a), .nested = map_new(a), .known = map_new(a),
                  .assumed = map_new(a), .budget = STEPS};
  Scan scan = {.s = s};
  for (int i = 0; i < fn->params.len; i++) mark(s->inner, fn->params.at[i]);
  scan_body(&scan, (Body *)&fn->body, false);
  return scan.compares;
}

// ---- the rules
static Support support(Supports *s, Atom a, Atom z);

static bool is_zero(Atom z) { return !z.is_var && atom_is(z, 0); }

static Support chosen(Supports *s, Atom c, Support yes, Support no) {
  add_cond(s, &yes, c);
  return support_meet(s, yes, no);
}

// Towards a variable, x + y is it where one of them is and the other zero.
static Support of_sum(Supports *s, Atom x, Atom y, Atom z) {
  if (is_zero(z)) return support_meet(s, support(s, x, z), support(s, y, z));
  Atom zero = atom_number(atom_type(s->e->prog, z).prim, 0);
  Support first = support_meet(s, support(s, x, z), support(s, y, zero));
  if (first.every || first.conds.len) return first;
  return support_meet(s, support(s, x, zero), support(s, y, z));
}

static Support of_product(Supports *s, const Stm *def) {
  const struct prim_form *p = &def->exp.prim;
  bool ring = prim_is_int(p->prim);
  Support out = {0};
  Atom zero = atom_number(p->prim, 0);
  if (ring || def->attrs.linear & 1) out = joined(s, out, support(s, p->args.at[0], zero));
  if (ring || def->attrs.linear & 2) out = joined(s, out, support(s, p->args.at[1], zero));
  return out;
}

static Support of_prim(Supports *s, const Stm *def, Atom z) {
  const struct prim_form *p = &def->exp.prim;
  const Atom *x = p->args.at;
  if (p->op == OP_SELECT) return chosen(s, x[0], support(s, x[1], z), support(s, x[2], z));
  if (p->op == OP_ADD && p->prim != PRIM_BOOL) return of_sum(s, x[0], x[1], z);
  if (!is_zero(z) || p->prim == PRIM_BOOL) return (Support){0};
  switch ((int)p->op) {
  case OP_SUB: return of_sum(s, x[0], x[1], z);
  case OP_MUL: return of_product(s, def);
  case OP_NEG: return support(s, x[0], z);
  case OP_GUARD: return support(s, x[2], z);
  }
  return (Support){0};
}

static Support of_match(Supports *s, const Stm *def, int k, Atom z) {
  const struct match_form *m = &def->exp.match;
  if (m->args.len != 1 || m->cases.len != 2 || m->cases.at[0].pats.at[0].any) return (Support){0};
  Scalar lit = m->cases.at[0].pats.at[0].lit;
  if (lit.prim != PRIM_BOOL) return (Support){0};
  const Body *yes = &m->cases.at[lit.i ? 0 : 1].body, *no = &m->cases.at[lit.i ? 1 : 0].body;
  Support first = support(s, env_atom(s->e, yes->results.at[k]), z);
  return chosen(s, m->args.at[0], first, support(s, env_atom(s->e, no->results.at[k]), z));
}

// From zero a step leads to zero, so all steps do.
static Support of_loop(Supports *s, const Stm *def, int k, Atom z) {
  const struct loop_form *l = &def->exp.loop;
  Support start = support(s, l->inits.at[k], z);
  Map *known = s->known;
  Var p = l->fn->params.at[l->is_for + k];
  s->known = map_new(s->e->scratch);
  mark(s->assumed, p);
  Support step = support(s, l->fn->body.results.at[k], z);
  map_put(s->assumed, p.id, NULL);
  s->known = known;
  return support_meet(s, start, step);
}

static bool neutral_at(const Operators *ops, int k, Atom z) {
  for (int i = 0; i < ops->len; k -= ops->at[i++].neutral.len)
    if (k < ops->at[i].neutral.len)
      return atom_same(ops->at[i].neutral.at[k], z) ||
             (is_zero(z) && is_zero(ops->at[i].neutral.at[k]));
  return false;
}

static int components(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

// All components of the operator must be neutral: of one alone it is enough to look at that.
static Support of_screma(Supports *s, const Stm *def, int k, Atom z) {
  const struct screma_form *x = &def->exp.screma;
  int scans = components(&x->scans), reds = components(&x->reds);
  const Atoms *r = &x->fn->body.results;
  if (k < reds) {
    bool simple = reds == x->reds.len && neutral_at(&x->reds, k, z);
    return simple ? support(s, r->at[scans + k], z) : (Support){0};
  }
  Atom out = env_atom(s->e, x->post->body.results.at[k - reds]);
  for (int i = 0; i < x->post->params.len; i++)
    if (atom_is_var(out, x->post->params.at[i]))
      return i < scans ? (Support){0} : support(s, r->at[reds + i], z);
  return (Support){0};
}

static Support of_all(Supports *s, Atoms atoms, Atom z) {
  Support out = {.every = true};
  for (int i = 0; i < atoms.len; i++) out = support_meet(s, out, support(s, atoms.at[i], z));
  return out;
}

// Of a condition: 1 where it holds, else 0.
static Support of_conv(Supports *s, Atom a, Atom z) {
  Support out = {0};
  if (atom_type(s->e->prog, a).prim != PRIM_BOOL) return support(s, a, z);
  add_cond(s, &out, a);
  return out;
}

static Support of_def(Supports *s, const Stm *def, int k, Atom z) {
  const Exp *x = &def->exp;
  if (x->form == FORM_PRIM) return of_prim(s, def, z);
  if (x->form == FORM_MATCH) return of_match(s, def, k, z);
  if (x->form == FORM_SCREMA && !z.is_var) return of_screma(s, def, k, z);
  if (!is_zero(z)) return (Support){0};
  switch ((int)x->form) {
  case FORM_ATOM: return support(s, x->atom.arg, z);
  case FORM_CONV: return of_conv(s, x->conv.arg, z);
  case FORM_LOOP: return of_loop(s, def, k, z);
  case FORM_MAP: return support(s, x->map.fn->body.results.at[k], z);
  case FORM_REDUCE:
    if (x->reduce.inputs.len != 1 || !is_zero(x->reduce.neutral.at[0])) return (Support){0};
    return support(s, x->reduce.inputs.at[0], z);
  case FORM_INDEX: return support(s, x->index.array, z);
  case FORM_REPLICATE: return support(s, x->replicate.arg, z);
  case FORM_COPY: return support(s, x->copy.arg, z);
  case FORM_LITERAL: return of_all(s, x->literal.elems, z);
  case FORM_REARRANGE: return support(s, x->rearrange.array, z);
  case FORM_RESHAPE: return support(s, x->reshape.array, z);
  case FORM_REVERSE: return support(s, x->reverse.array, z);
  case FORM_ROTATE: return support(s, x->rotate.array, z);
  case FORM_CONCAT: return of_all(s, x->concat.arrays, z);
  case FORM_UPDATE:
    return support_meet(s, support(s, x->update.array, z), support(s, x->update.value, z));
  }
  return (Support){0};
}

static Support support_var(Supports *s, Atom a, Atom z) {
  const Atom *row = map_get(s->rows, a.var.id);
  if (row && is_zero(z)) return support(s, *row, z);
  const Stm *def = def_of(s, a);
  for (int k = 0; def && k < def->bound.len; k++)
    if (def->bound.at[k].id == a.var.id) return of_def(s, def, k, z);
  return (Support){0};
}

static Support support(Supports *s, Atom a, Atom z) {
  a = env_atom(s->e, a);
  bool same = is_zero(z) ? is_zero(a) : atom_same(a, z);
  if (same) return (Support){.every = true};
  if (!a.is_var || s->budget-- <= 0) return (Support){0};
  if (is_zero(z) && map_get(s->assumed, a.var.id)) return (Support){.every = true};
  const Support *known = is_zero(z) ? map_get(s->known, a.var.id) : NULL;
  if (known) return *known;
  Support out = support_var(s, a, z);
  if (is_zero(z)) map_put(s->known, a.var.id, arena_copy(s->e->scratch, &out, sizeof out));
  return out;
}

Support support_of(Supports *s, Atom a, Atom neutral) {
  Support all = support(s, a, neutral), out = {.every = all.every};
  for (int i = 0; i < all.conds.len; i++)
    if (!map_get(s->nested, all.conds.at[i].id))
      list_push(s->e->scratch, &out.conds, all.conds.at[i]);
  return out;
}
