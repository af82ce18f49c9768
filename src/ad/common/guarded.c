// Safe products: a derivative times a partial that is infinite or NaN is zero where the derivative
// is zero, so that what a mask, a branch or a zero seed keeps out stays out.
//
//   d * J    becomes    d * guard(d, J, J)    guard: if d != 0 || |J| <= largest then J else 0
//
// which is linear in d wherever J is finite, so that derivatives of it are those of d * J (a test
// of d alone would lose them where d happens to be 0).  guard(d, J, x) is linear in x.
//
// Only products whose partial can be so at finite operands are guarded: the operation has a pole,
// an edge of its domain, or overflows at once; or the partial mentions what was computed, in the
// same function body, by one with a pole or an edge: of x * w the partial in x is w, whatever x is.
// In reverse mode those are, too, whose derivative a mask makes zero (masked_adjoints.c).
#include "local.h"

// Division by a constant has neither, nor has what is left of it.
static bool is_singular(const struct prim_form *e) {
  bool divides = op_info[e->op].cost == COST_DIVISION;
  return op_info[e->op].pole && (!divides || e->args.at[1].is_var);
}

bool guard_is_singular(const struct prim_form *e) { return is_singular(e); }

bool guard_is_risky(const struct prim_form *e) {
  return is_singular(e) || op_info[e->op].overflows;
}

static bool any_risky(const VarSet *singular, Atoms args) {
  for (int i = 0; i < args.len; i++)
    if (varset_has_atom(singular, args.at[i])) return true;
  return false;
}

static void risky_inner(void *state, const Body *body, const Vars *params) {
  (void)params;
  guard_body(state, body);
}

Guarding safe_new(bool strict, Arena *arena) {
  return (Guarding){
      strict,           varset_new(arena), varset_new(arena), varset_new(arena), varset_new(arena),
      varset_new(arena), false};
}

void guard_body(Guarding *safe, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    exp_each_body(e, risky_inner, safe);
    if (e->form != FORM_PRIM || !prim_is_float(e->prim.prim)) continue;
    Var y = body->stms.at[i].bound.at[0];
    varset_add(&safe->computed, y);
    bool singular = is_singular(&e->prim) || any_risky(&safe->singular, e->prim.args);
    if (singular) varset_add(&safe->singular, y);
    if (singular || op_info[e->prim.op].overflows || any_risky(&safe->may_overflow, e->prim.args))
      varset_add(&safe->may_overflow, y);
  }
}

static void plain_inner(void *state, const Body *body, const Vars *params) {
  (void)params;
  bool *plain = state;
  *plain = *plain && guard_is_idle(body);
}

bool guard_is_idle(const Body *body) {
  bool plain = true;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *e = &body->stms.at[i].exp;
    if (e->form == FORM_APPLY || e->form == FORM_WITHVJP) return false;
    exp_each_body(e, plain_inner, &plain);
    if (e->form != FORM_PRIM || !prim_is_float(e->prim.prim)) continue;
    if (is_singular(&e->prim) || op_info[e->prim.op].overflows) return false;
  }
  return plain;
}

// sqrt and cbrt have 0 at 0 in the table, where IEEE has the pole of 1/r.
static const Term *strict_term(Op op, const Term *J) {
  bool chosen = (op == OP_SQRT || op == OP_CBRT) && J->kind == TERM_OP && J->op == OP_SELECT;
  return chosen ? J->z : J;
}

static bool term_risky(const VarSet *singular, const Term *t, Atoms args) {
  if (!t) return false;
  switch (t->kind) {
    case TERM_A: return varset_has_atom(singular, args.at[0]);
    case TERM_B: return varset_has_atom(singular, args.at[1]);
    case TERM_C: return varset_has_atom(singular, args.at[2]);
    case TERM_R: return any_risky(singular, args);
    case TERM_CONST: return false;
    case TERM_OP: break;
  }
  return term_risky(singular, t->x, args) || term_risky(singular, t->y, args) ||
         term_risky(singular, t->z, args);
}

// J chooses between constants, as of min and max: d, nothing or a share of d, whatever d is.
static Atom chosen(Builder *b, const struct prim_form *e, const Term *J, Atoms args, Atom d) {
  if (J->kind == TERM_CONST)
    return J->value == 0 ? atom_number(e->prim, 0)
                         : build_times(b, d, atom_number(e->prim, J->value));
  Atom c = build_term(b, J->x, e->prim, args.at, atom_none());
  Atom yes = chosen(b, e, J->y, args, d);
  return build_select(b, c, yes, chosen(b, e, J->z, args, d));
}

// x * w of array elements or parameters as they are: what matrix products consist of.
static bool is_contraction(const Guarding *safe, const struct prim_form *e) {
  Atom x = e->args.at[0], w = e->args.at[e->args.len > 1];
  return (e->op == OP_MUL || e->op == OP_MAD || e->op == OP_FMA) && !atom_same(x, w) &&
         !varset_has_atom(&safe->computed, x) && !varset_has_atom(&safe->computed, w);
}

static bool is_masked(const Guarding *safe, const Stm *stm) {
  Var y = stm->bound.at[0];
  if (varset_has(&safe->masked, y)) return true;
  return varset_has(&safe->after, y) && !is_contraction(safe, &stm->exp.prim);
}

// The other operand of a product by a derivative may be a derivative itself: of d *. J, d is the
// partial in J.
static int linear_of(const Guarding *safe, const Stm *stm, const Term *J) {
  if (safe->strict || !prim_is_float(stm->exp.prim.prim)) return 0;
  bool other = (J->kind == TERM_A && stm->attrs.linear & LINEAR_FIRST) ||
               (J->kind == TERM_B && stm->attrs.linear & LINEAR_SECOND);
  return other ? LINEAR_BOTH : LINEAR_FIRST;
}

Atom guard_product(const Guarding *safe, Builder *b, const Stm *stm, const Term *J, Atoms args,
                   Atom y, Atom d) {
  const struct prim_form *e = &stm->exp.prim;
  if (op_is_extremum(e->op)) return chosen(b, e, J, args, d);
  if (J->kind == TERM_OP && J->op == OP_NEG && prim_is_float(e->prim))
    return build_op1(b, OP_NEG, guard_product(safe, b, stm, J->x, args, y, d));
  Prim p = e->prim;
  Atom partial = build_term(b, safe->strict ? strict_term(e->op, J) : J, p, args.at, y);
  bool guard = guard_is_risky(e) || term_risky(&safe->singular, J, e->args) ||
               is_masked(safe, stm);
  if (safe->strict || !prim_is_float(p) || !partial.is_var ||
      (!guard && prog_may(b->prog, SWITCH_FINITE)))
    return build_linear(b, d, partial, linear_of(safe, stm, J));
  partial = build_op3(b, OP_GUARD, d, partial, partial);
  return build_linear(b, d, partial, linear_of(safe, stm, J));
}

// In forward mode the guard comes after the operation: the tangent of an operand that is
// infinite counts as 0 where the partial is 0, as in 1 / (1 + exp (-x)) for large -x.
Atom guard_tangent(const Guarding *safe, Builder *b, const Stm *stm, int i, Atoms args, Atom y,
                   Atom d) {
  const struct prim_form *e = &stm->exp.prim;
  const Term *J = op_partial(e->op, e->prim, i);
  bool settles = !safe->strict && op_info[e->op].settles[i];
  if (settles && varset_has_atom(&safe->may_overflow, e->args.at[i])) {
    Atom partial = build_term(b, J, e->prim, args.at, y);
    d = build_op3(b, OP_GUARD, partial, d, d);
  }
  return guard_product(safe, b, stm, J, args, y, d);
}

Atom guard_times(Builder *b, Atom d, Atom partial) {
  return build_linear(b, d, build_op3(b, OP_GUARD, d, partial, partial), LINEAR_FIRST);
}
