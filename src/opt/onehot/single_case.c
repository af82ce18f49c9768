// Reductions all of whose elements but one are neutral are that element.
//
//   reduce op z (map (\j -> select (c j, v j, z)) (iota n)), c j solved by j = e
//     is   if 0 <= e < n then v e else z
//
// for any associative operator with neutral element z, of one component or of several that have c
// in common.  Other conditions of the element stay: they are evaluated at e.
#include "onehot.h"

Atoms onehot_rows(Env *e, Builder *b, const Atoms *inputs, Atom at) {
  Atoms args = {0}, one = atoms_of(e->arena, 1, &at);
  for (int i = 0; i < inputs->len; i++)
    list_push(e->arena, &args, build_index(b, inputs->at[i], one));
  return args;
}

Lambda *onehot_cut(Env *e, const Lambda *fn, int from, int n) {
  Lambda *out = arena_copy(e->arena, fn, sizeof *fn);
  out->body.results = atoms_slice(fn->body.results, from, n);
  out->rets = (Types){0};
  for (int k = 0; k < n; k++) list_push(e->arena, &out->rets, fn->rets.at[from + k]);
  return out;
}

static Builder builder_at(Env *e, Stms *stms) {
  Builder b = builder_new(e->prog, stms);
  b.loc = e->to.loc;
  return b;
}

static void bind_all(Env *e, Vars bound, Atoms to) {
  for (int k = 0; k < bound.len; k++) env_bind(e, bound.at[k], to.at[k]);
  e->changed = true;
}

static Body case_body(Env *e, const Choice *x) {
  Body body = {0};
  Builder b = builder_at(e, &body.stms);
  Atoms args = x->by_row ? onehot_rows(e, &b, &x->args, x->c.at) : x->args;
  body.results = lambda_inline(&b, x->fn, args);
  env_use_body(e, &body);
  return body;
}

static void choose(Env *e, Vars bound, OneCase c, Body yes, Atoms otherwise) {
  Cases cases = {0};
  Case first = {.body = yes}, last = {.body = {.results = otherwise}};
  list_push(e->arena, &first.pats, (CasePat){.lit = atom_bool(true).value});
  list_push(e->arena, &cases, first);
  list_push(e->arena, &cases, last);
  Stm *stm = NEW(e->arena, Stm);
  *stm = (Stm){.bound = bound, .loc = e->to.loc,
               .exp = {.form = FORM_MATCH,
                       .match = {.args = atoms_of(e->arena, 1, &c.in), .cases = cases}}};
  simplify_stms_of(e, (Stms){stm, 1, 1});
}

static void case_emit(Env *e, Vars bound, OneCase c, Body yes, Atoms otherwise) {
  e->changed = true;
  if (c.in.is_var) {
    choose(e, bound, c, yes, otherwise);
  } else if (!c.in.value.i) {
    bind_all(e, bound, otherwise);
  } else {
    simplify_stms_of(e, yes.stms);
    bind_all(e, bound, env_atoms(e, yes.results));
  }
}

void onehot_choose(Env *e, Vars bound, const Choice *x) {
  case_emit(e, bound, x->c, case_body(e, x), x->otherwise);
}

// ---- which reductions
static bool is_plain(const Env *e, const struct screma_form *x) {
  for (int i = 0; i < x->inputs.len; i++)
    if (atom_type(e->prog, x->inputs.at[i]).is_acc) return false;
  return true;
}

static Support support_of_operator(Supports *s, const struct screma_form *x, const Operator *op,
                                   int from) {
  Support out = {.every = true};
  for (int k = 0; k < op->neutral.len; k++) {
    Atom z = op->neutral.at[k];
    if (z.is_var) return (Support){0};
    out = support_meet(s, out, support_of(s, x->fn->body.results.at[from + k], z));
  }
  return out;
}

bool onehot_solve(Supports *s, Elements x, Support support, OneCase *out) {
  for (int i = 0; i < x.inputs.len; i++) {
    const Stm *def = env_def_as(s->e, x.inputs.at[i], FORM_IOTA);
    if (!def || !atom_is(def->exp.iota.step, 1)) continue;
    if (atom_type(s->e->prog, def->exp.iota.start).prim != PRIM_I64) continue;
    Counter counter = {x.params.at[i], def->exp.iota.start, x.width};
    if (solve_case(s, support, counter, out)) return true;
  }
  return false;
}

void onehot_drop_operator(Stm *stm, int which, int elem, int bound) {
  struct screma_form *x = &stm->exp.screma;
  int n = x->reds.at[which].neutral.len;
  for (int k = 0; k < n; k++) {
    lambda_drop_result(x->fn, elem);
    vars_drop(&stm->bound, bound);
  }
  x->reds.len--;
  for (int i = which; i < x->reds.len; i++) x->reds.at[i] = x->reds.at[i + 1];
}

static Vars vars_slice(Env *e, Vars vars, int from, int n) {
  Vars out = {0};
  for (int k = 0; k < n; k++) list_push(e->arena, &out, vars.at[from + k]);
  return out;
}

// Where the element is neutral for all j nothing has to be computed.
static bool case_of(Supports *s, const struct screma_form *x, Support support, OneCase *c) {
  if (!support.every && !support.conds.len) return false;
  if (!prog_may(s->e->prog, SWITCH_SINGLE_CASE)) return false;
  if (!support.every)
    return onehot_solve(s, (Elements){x->inputs, x->fn->params, x->width}, support, c);
  *c = (OneCase){atom_i64(0), atom_bool(false)};
  return true;
}

static int components(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

bool onehot_screma(Env *e, Stm *stm) {
  struct screma_form *x = &stm->exp.screma;
  Supports s;
  if (!x->reds.len || !is_plain(e, x) || exp_has_effect(&stm->exp)) return false;
  if (!supports_begin(&s, e, x->fn)) return false;
  int scans = components(&x->scans), bound = components(&x->reds);
  for (int r = x->reds.len - 1; r >= 0; r--) {
    const Operator op = x->reds.at[r];
    int n = op.neutral.len;
    OneCase c;
    bound -= n;
    if (!case_of(&s, x, support_of_operator(&s, x, &op, scans + bound), &c)) continue;
    Lambda *fn = onehot_cut(e, x->fn, scans + bound, n);
    Vars vars = vars_slice(e, stm->bound, bound, n);
    Body yes = case_body(e, &(Choice){c, fn, x->inputs, true, op.neutral});
    onehot_drop_operator(stm, r, scans + bound, bound);
    case_emit(e, vars, c, yes, op.neutral);
  }
  if (stm->bound.len && !onehot_payload(e, stm, &s)) onehot_linear_fold(e, stm, &s);
  return stm->bound.len == 0;
}
