// Reductions that carry a payload which the operator only selects: the index of the selected
// element is enough, and the payload is that of this element.
//
//   reduce ((k, d), (k', d') -> (K k k', if S k k' then d else d')) (zk, zd) (ks, ds)
//     is   (k, w) = reduce ((k, w), (k', w') -> (K k k', if S k k' then w else w')) (zk, -1)
//                          (ks, iota)
//          d = if w < 0 then zd else ds[w]
//
// A selection commutes with every function of what it selects, so ties are decided as before.  Done
// where the payload has a support that can be solved, as the tangent of a maximum has: the
// reduction is then the same in all directions, and leaves the map over them.
#include "onehot.h"

// One reduction of a SCREMA.
typedef struct {
  Env *e;
  Stm *stm;
  struct screma_form *x;
  const Operator *op;
  int which, bound, elem;  // its number, its first result and its first element
  Map *defs;               // of the operator's body
} Fold;

static int components(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

static const struct prim_form *select_of(const Fold *f, Atom a) {
  const Stm *def = a.is_var ? map_get(f->defs, a.var.id) : NULL;
  return def && def->exp.form == FORM_PRIM && def->exp.prim.op == OP_SELECT ? &def->exp.prim : NULL;
}

static bool is_operand(const Fold *f, Atom a, int d) {
  int n = f->op->neutral.len;
  return atom_is_var(a, f->op->op->params.at[d]) || atom_is_var(a, f->op->op->params.at[n + d]);
}

// Selects whose leaves are the operands of component d.
static bool selects_operands(const Fold *f, Atom a, int d) {
  const struct prim_form *p = select_of(f, a);
  if (!p) return is_operand(f, a, d);
  return selects_operands(f, p->args.at[1], d) && selects_operands(f, p->args.at[2], d);
}

typedef struct {
  const Fold *f;
  int d;
  Map *tainted;
  bool found;
} Taint;

static void see(void *state, Atom a) {
  Taint *t = state;
  t->found = t->found || is_operand(t->f, a, t->d) || (a.is_var && map_get(t->tainted, a.var.id));
}

static void taint_conditions(Taint *t, Atom a) {
  const struct prim_form *p = select_of(t->f, a);
  if (!p) return;
  see(t, p->args.at[0]);
  taint_conditions(t, p->args.at[1]);
  taint_conditions(t, p->args.at[2]);
}

// Whether another component, or a condition of the selects, depends on operand d.
static bool payload_matters(const Fold *f, int d) {
  Taint t = {.f = f, .d = d, .tainted = map_new(f->e->scratch)};
  const Body *body = &f->op->op->body;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Vars free = exp_free(f->e->prog, f->e->scratch, &stm->exp);
    t.found = false;
    for (int k = 0; k < free.len; k++) see(&t, atom_var(free.at[k]));
    for (int k = 0; t.found && k < stm->bound.len; k++)
      map_put(t.tainted, stm->bound.at[k].id, &t);
  }
  t.found = false;
  for (int k = 0; k < body->results.len; k++)
    if (k != d) see(&t, body->results.at[k]);
  taint_conditions(&t, body->results.at[d]);
  return t.found;
}

static bool is_payload(const Fold *f, Supports *s, int d) {
  Atom z = f->op->neutral.at[d];
  Type t = f->op->op->rets.at[d];
  if (z.is_var || t.rank || !prim_is_float(t.prim)) return false;
  if (!select_of(f, f->op->op->body.results.at[d])) return false;
  if (!selects_operands(f, f->op->op->body.results.at[d], d) || payload_matters(f, d)) return false;
  Support support = support_of(s, f->x->fn->body.results.at[f->elem + d], z);
  return support.conds.len > 0 && !support.every && prog_may(f->e->prog, SWITCH_PAYLOAD);
}

// ---- the operator that carries indices
// The selects of a, of the indices w[0] for the first operand and w[1] for the second.
static Atom selected(const Fold *f, Rewrite *to, Atom a, int d, const Atom *w) {
  const struct prim_form *p = select_of(f, a);
  if (!p) return w[!atom_is_var(a, f->op->op->params.at[d])];
  Atom yes = selected(f, to, p->args.at[1], d, w), no = selected(f, to, p->args.at[2], d, w);
  return build_select(&to->to, rewrite_atom(to, p->args.at[0]), yes, no);
}

static Lambda *operator_of_indices(const Fold *f, int d) {
  Env *e = f->e;
  const Lambda *op = f->op->op;
  int n = f->op->neutral.len;
  Types types = {0};
  for (int k = 0; k < 2 * n; k++) {
    Type t = var_type(e->prog, op->params.at[k]);
    list_push(e->arena, &types, k % n == d ? type_scalar(PRIM_I64) : t);
  }
  LambdaBuilder lb = lambda_begin(&e->to, "w", types);
  Rewrite w = rewrite_new(e->prog, lb.inner);
  Atom zero = atom_number(op->rets.at[d].prim, 0);
  for (int k = 0; k < 2 * n; k++)
    rewrite_bind(&w, op->params.at[k], k % n == d ? zero : atom_var(lb.lambda->params.at[k]));
  rewrite_stms(&w, op->body.stms);
  Atoms results = {0};
  Atom indices[] = {atom_var(lb.lambda->params.at[d]), atom_var(lb.lambda->params.at[n + d])};
  for (int k = 0; k < n; k++) {
    Atom r = op->body.results.at[k];
    list_push(e->arena, &results, k == d ? selected(f, &w, r, d, indices) : rewrite_atom(&w, r));
  }
  return lambda_end(&lb, results);
}

static Atom counting_input(Env *e, const struct screma_form *x) {
  for (int i = 0; i < x->inputs.len; i++) {
    const Stm *def = env_def_as(e, x->inputs.at[i], FORM_IOTA);
    if (def && exp_counts(e->prog, &def->exp)) return x->inputs.at[i];
  }
  return build_iota(&e->to, x->width);
}

// The reduction alone, with index w in the place of component d.
static Stm fold_of_indices(const Fold *f, int d, Var w) {
  Env *e = f->e;
  int n = f->op->neutral.len;
  Atom iota = counting_input(e, f->x);
  Lambda *fn = lambda_copy(&e->to, onehot_cut(e, f->x->fn, f->elem, n));
  Var j = var_new(e->prog, "j", type_scalar(PRIM_I64));
  list_push(e->arena, &fn->params, j);
  fn->body.results.at[d] = atom_var(j);
  fn->rets.at[d] = type_scalar(PRIM_I64);
  struct screma_form x = *f->x;
  x.fn = fn;
  x.inputs = atoms_concat(e->arena, f->x->inputs, atoms_of(e->arena, 1, &iota));
  x.scans = x.reds = (Operators){0};
  Operator op = *f->op;
  op.op = operator_of_indices(f, d);
  op.neutral = atoms_concat(e->arena, op.neutral, (Atoms){0});
  op.neutral.at[d] = atom_i64(-1);
  list_push(e->arena, &x.reds, op);
  LambdaBuilder post = lambda_begin(&e->to, "x", (Types){0});
  x.post = lambda_end(&post, (Atoms){0});
  Stm stm = {.exp = {.form = FORM_SCREMA, .screma = x}, .loc = f->stm->loc};
  for (int k = 0; k < n; k++)
    list_push(e->arena, &stm.bound, k == d ? w : f->stm->bound.at[f->bound + k]);
  return stm;
}

void onehot_walk(Env *e, Stm stm) {
  Stm *copy = arena_copy(e->arena, &stm, sizeof stm);
  Body body = {.stms = {copy, 1, 1}};
  env_use_body(e, &body);
  simplify_stms_of(e, body.stms);
}

// The component is the element's at the index that was selected.
static void payload_replace(const Fold *f, int d) {
  Env *e = f->e;
  Var w = var_new(e->prog, "w", type_scalar(PRIM_I64));
  Vars bound = {0};
  list_push(e->arena, &bound, f->stm->bound.at[f->bound + d]);
  Lambda *fn = onehot_cut(e, f->x->fn, f->elem + d, 1);
  Atoms inputs = f->x->inputs, otherwise = atoms_of(e->arena, 1, &f->op->neutral.at[d]);
  int from = e->to.stms->len;
  Stm indices = fold_of_indices(f, d, w);
  env_register(e, from);
  onehot_walk(e, indices);
  from = e->to.stms->len;
  OneCase c = {atom_var(w), build_op(&e->to, OP_LE, atom_i64(0), atom_var(w))};
  env_register(e, from);
  onehot_choose(e, bound, &(Choice){c, fn, inputs, true, otherwise});
}

static Map *defs_of(Env *e, Lambda *op) {
  Map *defs = map_new(e->scratch);
  for (int i = 0; i < op->body.stms.len; i++) {
    Stm *stm = &op->body.stms.at[i];
    env_exp(e, &stm->exp);
    for (int k = 0; k < stm->bound.len; k++) map_put(defs, stm->bound.at[k].id, stm);
  }
  op->body.results = env_atoms(e, op->body.results);
  return defs;
}

bool onehot_payload(Env *e, Stm *stm, Supports *s) {
  Fold f = {.e = e, .stm = stm, .x = &stm->exp.screma};
  f.elem = components(&f.x->scans);
  for (; f.which < f.x->reds.len; f.which++) {
    f.op = &f.x->reds.at[f.which];
    int n = f.op->neutral.len;
    f.defs = n > 1 ? defs_of(e, f.op->op) : NULL;
    for (int d = 0; n > 1 && d < n; d++) {
      if (!is_payload(&f, s, d)) continue;
      payload_replace(&f, d);
      onehot_drop_operator(stm, f.which, f.elem, f.bound);
      e->changed = true;
      return true;
    }
    f.elem += n;
    f.bound += n;
  }
  return false;
}
