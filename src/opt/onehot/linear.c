// Results that are linear in some operands, the leaves: what a derivative is in those before it.
//
//   a ::= leaf | term | a + a | a - a | -a | select (c, a, a) | a *. J | a *. guard (a, J, J)
//       | guard (J, a, a)
//
// c, J and terms depend on no leaf; *. is a product by a derivative (#linear).  `linear_emit` gives
// the coefficient of one leaf, or the share of one term, which is a with all other leaves and terms
// zero.  Products associate differently then, which #linear permits.
#include "onehot.h"

enum { MOST = 400 };  // steps of a walk

bool linear_tainted(const Linear *l, Atom a) { return a.is_var && map_get(l->tainted, a.var.id); }

void linear_begin(Linear *l, Env *e, const Body *body, Vars leaves) {
  *l = (Linear){.e = e, .defs = map_new(e->scratch), .tainted = map_new(e->scratch),
                .leaves = leaves};
  for (int k = 0; k < leaves.len; k++) map_put(l->tainted, leaves.at[k].id, l);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Vars free = exp_free(e->prog, e->scratch, &stm->exp);
    bool found = false;
    for (int k = 0; k < free.len; k++) found = found || linear_tainted(l, atom_var(free.at[k]));
    for (int k = 0; k < stm->bound.len; k++) {
      map_put(l->defs, stm->bound.at[k].id, (void *)stm);
      if (found) map_put(l->tainted, stm->bound.at[k].id, l);
    }
  }
}

static const Stm *prim_stm(const Linear *l, Atom a) {
  const Stm *def = a.is_var ? map_get(l->defs, a.var.id) : NULL;
  return def && def->exp.form == FORM_PRIM ? def : NULL;
}

typedef struct {
  Atom by;
  bool guard;  // guard (a, by, by)
} Factor;

// The factor beside operand `side` of a product; false: it depends on a leaf.
static bool factor_of(const Linear *l, const struct prim_form *p, int side, Factor *out) {
  Atom other = p->args.at[1 - side];
  const Stm *def = prim_stm(l, other);
  *out = (Factor){other, false};
  if (!linear_tainted(l, other)) return true;
  if (!def || def->exp.prim.op != OP_GUARD) return false;
  const Atom *x = def->exp.prim.args.at;
  *out = (Factor){x[2], true};
  return linear_tainted(l, x[0]) && atom_same(x[1], x[2]) && !linear_tainted(l, x[2]);
}

// The operand of a product that is linear, by permission; -1: none.
static int side_of(const Linear *l, const Stm *stm) {
  for (int side = 0; side < 2; side++) {
    Factor factor;
    if (!(stm->attrs.linear & (1 << side))) continue;
    if (!linear_tainted(l, stm->exp.prim.args.at[side])) continue;
    if (factor_of(l, &stm->exp.prim, side, &factor)) return side;
  }
  return -1;
}

static bool walk_product(Linear *l, const Stm *def) {
  int side = side_of(l, def);
  Factor factor;
  if (side < 0) return false;
  factor_of(l, &def->exp.prim, side, &factor);
  l->guarded = l->guarded || factor.guard;
  return linear_walk(l, def->exp.prim.args.at[side]);
}

bool linear_walk(Linear *l, Atom a) {
  if (l->steps++ > MOST) return false;
  if (!linear_tainted(l, a)) {
    if (a.is_var || !atom_is(a, 0)) list_push(l->e->scratch, &l->terms, a);
    return true;
  }
  if (vars_have(l->leaves, a.var)) return true;
  const Stm *def = prim_stm(l, a);
  if (!def) return false;
  const Atom *x = def->exp.prim.args.at;
  switch ((int)def->exp.prim.op) {
  case OP_ADD: case OP_SUB: return linear_walk(l, x[0]) && linear_walk(l, x[1]);
  case OP_NEG: return linear_walk(l, x[0]);
  case OP_SELECT:
    return !linear_tainted(l, x[0]) && linear_walk(l, x[1]) && linear_walk(l, x[2]);
  case OP_GUARD:
    return !linear_tainted(l, x[0]) && atom_same(x[1], x[2]) && linear_walk(l, x[2]);
  case OP_MUL: return walk_product(l, def);
  }
  return false;
}

// ---- emission
Atom linear_times(Builder *b, bool guarded, Atom x, Atom by) {
  if (guarded) by = build_op3(b, OP_GUARD, x, by, by);
  b->attrs.linear = 1;
  Atom out = build_op(b, OP_MUL, x, by);
  b->attrs.linear = 0;
  return out;
}

Atom linear_copy(LinearPart *p, Atom a) {
  const Stm *def = a.is_var ? map_get(p->l->defs, a.var.id) : NULL;
  if (!def || !atom_same(rewrite_atom(p->w, a), a)) return rewrite_atom(p->w, a);
  Vars free = exp_free(p->l->e->prog, p->l->e->scratch, &def->exp);
  for (int k = 0; k < free.len; k++) linear_copy(p, atom_var(free.at[k]));
  rewrite_stm(p->w, def);
  return rewrite_atom(p->w, a);
}

typedef struct {
  LinearPart *p;
  int term;  // the next
} Walk;

static bool is_none(Atom a) { return !a.is_var && atom_is(a, 0); }

static Atom emit(Walk *k, Atom a);

static Atom emit_product(Walk *k, const Stm *def) {
  const Linear *l = k->p->l;
  Builder *b = &k->p->w->to;
  int side = side_of(l, def);
  Atom x = emit(k, def->exp.prim.args.at[side]);
  Factor factor;
  factor_of(l, &def->exp.prim, side, &factor);
  if (is_none(x)) return x;
  Atom by = linear_copy(k->p, factor.by);
  if (factor.guard && x.is_var) by = build_op3(b, OP_GUARD, x, by, by);
  if (!x.is_var && atom_is(x, 1)) return by;
  b->attrs.linear = 1;
  Atom out = build_op(b, OP_MUL, x, by);
  b->attrs.linear = 0;
  return out;
}

static Atom emit_sum(Walk *k, const struct prim_form *p) {
  Builder *b = &k->p->w->to;
  Atom x = emit(k, p->args.at[0]), y = emit(k, p->args.at[1]);
  if (is_none(y)) return x;
  if (!is_none(x)) return build_op(b, p->op, x, y);
  return p->op == OP_ADD ? y : build_op1(b, OP_NEG, y);
}

static Atom emit_guard(Walk *k, const struct prim_form *p) {
  Atom x = emit(k, p->args.at[2]);
  if (!x.is_var) return x;
  return build_op3(&k->p->w->to, OP_GUARD, linear_copy(k->p, p->args.at[0]), x, x);
}

static Atom emit(Walk *k, Atom a) {
  const LinearPart *p = k->p;
  Atom none = atom_number(atom_type(p->l->e->prog, a).prim, 0);
  if (!linear_tainted(p->l, a)) {
    if (!a.is_var && atom_is(a, 0)) return none;
    return k->term++ == p->which ? linear_copy(k->p, a) : none;
  }
  if (vars_have(p->l->leaves, a.var)) {
    bool chosen = p->which < 0 && a.var.id == p->l->leaves.at[-1 - p->which].id;
    if (chosen && p->keep) return linear_copy(k->p, a);
    return chosen ? atom_number(none.value.prim, 1) : none;
  }
  const Stm *def = prim_stm(p->l, a);
  const struct prim_form *x = &def->exp.prim;
  if (x->op == OP_MUL) return emit_product(k, def);
  if (x->op == OP_ADD || x->op == OP_SUB) return emit_sum(k, x);
  if (x->op == OP_GUARD) return emit_guard(k, x);
  Atom first = emit(k, x->args.at[x->op == OP_SELECT]);
  if (x->op == OP_NEG) return is_none(first) ? first : build_op1(&p->w->to, OP_NEG, first);
  Atom second = emit(k, x->args.at[2]);
  if (is_none(first) && is_none(second)) return none;
  return build_select(&p->w->to, linear_copy(k->p, x->args.at[0]), first, second);
}

Atom linear_emit(LinearPart *p, Atom a) {
  Walk k = {.p = p};
  return emit(&k, a);
}
