// A map in the direction map of a Jacobian, with products by derivatives that are nothing in most
// directions, stands twice:
//
//   d = select (c, a, 0) ; map (\x -> .. d *. J x .. select (c, K x, 0) ..)
//     is   match (c) { map (\x -> .. d *. J x .. select (c, K x, 0) ..) }
//                    { map (\x -> .. 0 .. 0 ..) }
//
// so that directions without d compute neither J nor K.  Only where the conditions are at most two
// comparisons of indices: of many conditions one holds in most directions.
#include "opt/common/local.h"

enum { MOST_CONDITIONS = 2, MOST_STATEMENTS = 400, FEWEST_PRODUCTS = 2, MOST_STEPS = 6 };

typedef struct {
  Rewrite w;
  Arena *scratch;
  const Stm **defs;  // by variable: of statements seen inside a map or loop
  int depth;         // of maps and loops
  bool copying;      // a map that stands twice
  bool found;
} Unswitch;

// Variables from outside the map that are 0 unless one of the conditions holds, and the conditions.
typedef struct {
  Vars zeros, conds;
} Zeros;

static const struct prim_form *prim_of(const Unswitch *u, Atom a) {
  const Stm *def = a.is_var ? u->defs[a.var.id] : NULL;
  return def && def->exp.form == FORM_PRIM ? &def->exp.prim : NULL;
}

static bool compares_indices(const Unswitch *u, Atom c) {
  const struct prim_form *p = prim_of(u, c);
  return p && p->op == OP_EQ && p->prim == PRIM_I64;
}

static bool add_condition(Unswitch *u, Vars *conds, Atom c) {
  if (!compares_indices(u, c)) return false;
  if (!vars_have(*conds, c.var)) list_push(u->scratch, conds, c.var);
  return conds->len <= MOST_CONDITIONS;
}

// Whether a is 0 unless one of the conditions, to which it adds, holds.
static bool is_zero_unless(Unswitch *u, Atom a, Vars *conds, int steps) {
  if (!a.is_var) return atom_is(a, 0);
  const struct prim_form *p = prim_of(u, a);
  if (!p || steps == 0) return false;
  const Atom *x = p->args.at;
  if (p->op == OP_SELECT)
    return !x[2].is_var && atom_is(x[2], 0) && add_condition(u, conds, x[0]);
  if (p->op == OP_NEG) return is_zero_unless(u, x[0], conds, steps - 1);
  if (p->op != OP_ADD && p->op != OP_SUB) return false;
  return is_zero_unless(u, x[0], conds, steps - 1) && is_zero_unless(u, x[1], conds, steps - 1);
}

static bool find_zeros(Unswitch *u, const Exp *map, Zeros *z) {
  Vars free = exp_free(u->w.from, u->scratch, map);
  for (int i = 0; i < free.len; i++) {
    Type t = var_type(u->w.from, free.at[i]);
    Vars conds = {0};
    bool is = type_is_scalar(t) && prim_is_float(t.prim) &&
              is_zero_unless(u, atom_var(free.at[i]), &conds, MOST_STEPS);
    if (is) list_push(u->scratch, &z->zeros, free.at[i]);
    if (compares_indices(u, atom_var(free.at[i]))) list_push(u->scratch, &conds, free.at[i]);
    for (int k = 0; k < conds.len; k++)
      if (!add_condition(u, &z->conds, atom_var(conds.at[k]))) return false;
  }
  return z->conds.len > 0;
}

// ---- the gain
typedef struct {
  const Zeros *z;
  int statements, products;
} Worth;

// A product by one of the zeros, or a choice of zero under one of the conditions.
static bool is_product_by(const Worth *n, const Stm *stm) {
  if (stm->exp.form != FORM_PRIM) return false;
  const Atom *x = stm->exp.prim.args.at;
  if (stm->exp.prim.op == OP_SELECT)
    return x[0].is_var && vars_have(n->z->conds, x[0].var) && !x[2].is_var && atom_is(x[2], 0);
  for (int d = 0; d < 2 && stm->exp.prim.op == OP_MUL; d++)
    if (stm->attrs.linear >> d & 1 && x[d].is_var && vars_have(n->z->zeros, x[d].var)) return true;
  return false;
}

static void count_worth(void *state, const Body *body, const Vars *params) {
  Worth *n = state;
  (void)params;
  n->statements += body->stms.len;
  for (int i = 0; i < body->stms.len; i++) {
    n->products += is_product_by(n, &body->stms.at[i]);
    exp_each_body(&body->stms.at[i].exp, count_worth, n);
  }
}

static bool pays(Unswitch *u, const Exp *map, Zeros *z) {
  if (u->depth == 0 || u->copying || map->form != FORM_MAP) return false;
  if (!find_zeros(u, map, z)) return false;
  Worth n = {.z = z};
  exp_each_body(map, count_worth, &n);
  return n.statements <= MOST_STATEMENTS && n.products >= FEWEST_PRODUCTS;
}

// ---- twice
static Case a_case(Unswitch *u, const Stm *map) {
  Case c = {0};
  Stms *saved = u->w.to.stms;
  u->w.to.stms = &c.body.stms;
  u->copying = true;
  rewrite_stm(&u->w, map);
  u->copying = false;
  u->w.to.stms = saved;
  c.body.results = rewrite_atoms(&u->w, atoms_of_vars(u->w.to.prog->arena, map->bound));
  return c;
}

static void bind_all(Unswitch *u, Vars vars, const Atoms *to) {
  for (int i = 0; i < vars.len; i++) {
    Prim prim = var_type(u->w.from, vars.at[i]).prim;
    rewrite_bind(&u->w, vars.at[i], to ? to->at[i] : atom_scalar(scalar_number(prim, 0)));
  }
}

static Case case_of_zeros(Unswitch *u, const Stm *map, const Zeros *z) {
  Arena *arena = u->w.to.prog->arena;
  Atoms zeros = rewrite_atoms(&u->w, atoms_of_vars(arena, z->zeros));
  Atoms conds = rewrite_atoms(&u->w, atoms_of_vars(arena, z->conds));
  bind_all(u, z->zeros, NULL);
  bind_all(u, z->conds, NULL);
  Case c = a_case(u, map);
  bind_all(u, z->zeros, &zeros);
  bind_all(u, z->conds, &conds);
  return c;
}

static void emit_both(Unswitch *u, const Stm *map, const Zeros *z) {
  Arena *arena = u->w.to.prog->arena;
  Atom any = rewrite_atom(&u->w, atom_var(z->conds.at[0]));
  for (int i = 1; i < z->conds.len; i++)
    any = build_op(&u->w.to, OP_OR, any, rewrite_atom(&u->w, atom_var(z->conds.at[i])));
  Exp match = {.form = FORM_MATCH};
  list_push(arena, &match.match.args, any);
  Case some = a_case(u, map), none = case_of_zeros(u, map, z);
  list_push(arena, &some.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &match.match.cases, some);
  list_push(arena, &match.match.cases, none);
  Stm stm = {.exp = match, .loc = u->w.to.loc};
  for (int k = 0; k < map->bound.len; k++)
    list_push(arena, &stm.bound, rewrite_var(&u->w, map->bound.at[k]));
  build_stm(&u->w.to, stm);
  u->found = true;
}

static bool iterates(Form f) { return f == FORM_MAP || f == FORM_LOOP || f == FORM_SCREMA; }

static void unswitch_stm(Rewrite *w, const Stm *stm) {
  Unswitch *u = (Unswitch *)w;
  Zeros z = {0};
  if (u->depth > 0 && stm->bound.len == 1) u->defs[stm->bound.at[0].id] = stm;
  if (pays(u, &stm->exp, &z) && prog_may(w->to.prog, SWITCH_ZERO_PRODUCTS)) {
    emit_both(u, stm, &z);
    return;
  }
  bool inside = iterates(stm->exp.form);
  u->depth += inside;
  rewrite_stm(w, stm);
  u->depth -= inside;
}

static bool chooses_zero(const Exp *e) {
  if (e->form != FORM_PRIM || e->prim.op != OP_SELECT) return false;
  return prim_is_float(e->prim.prim) && !e->prim.args.at[2].is_var;
}

// needs: core without derivatives, hoisted; after it, products by 0 are still there.  leaves: the
// same level.  cost: linear.
Prog *pass_unswitch(Prog *prog, Arena *arena) {
  if (!prog_has(prog, chooses_zero)) return prog;
  Arena *scratch = arena_beside(arena);
  Unswitch u = {.w = {.stm = unswitch_stm}, .scratch = scratch,
                .defs = NEW_ARRAY(scratch, const Stm *, prog->vars.len)};
  Prog *out = rewrite_prog(prog, arena, &u.w);
  out->changed = u.found;
  arena_free(scratch);
  return u.found ? out : prog;
}
