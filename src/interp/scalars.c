// Scalar forms, assertions and branches.
#include "local.h"
#include "rts/show.h"
#include <math.h>
#include <string.h>

void eval_atom(Interp *in, const struct atom_form *e, IValue *out) {
  out[0] = atom_own(in, e->arg);
}

// Of floats to a float, and no choice between them.
static bool is_arithmetic(Op op) {
  return op != OP_SELECT && !op_is_extremum(op) && op != OP_GUARD;
}

static void check_infinities(Interp *in, const struct prim_form *e, const Scalar *args,
                             Scalar *result) {
  if (!prim_is_float(result->prim) || !is_arithmetic(e->op)) return;
  bool infinite = false;
  for (int i = 0; i < e->args.len; i++)
    infinite = infinite || (prim_is_float(args[i].prim) && isinf(args[i].f));
  bool sums = e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL;
  if (isinf(result->f) && sums && !infinite) in->counts.overflows++;
  if (infinite && in->options.finite) result->f = NAN;
}

void eval_prim(Interp *in, const struct prim_form *e, IValue *out) {
  Scalar args[3], result;
  for (int i = 0; i < e->args.len; i++) args[i] = atom_get(in, e->args.at[i]).scalar;
  in->counts.scalar_ops++;
  in->counts.functions += op_is_function(e->op, e->prim);
  if (!op_eval(e->op, e->prim, args, &result))
    interp_fail(in, op_info[e->op].fails == FAILS_NEGATIVE ? "negative exponent"
                                                           : "division by zero");
  check_infinities(in, e, args, &result);
  round_at_random(in, e->op, args, e->args.len, &result);
  out[0] = ivalue_scalar(result);
}

void eval_conv(Interp *in, const struct conv_form *e, IValue *out) {
  in->counts.scalar_ops++;
  out[0] = ivalue_scalar(scalar_convert(e->to, atom_get(in, e->arg).scalar));
}

void eval_opaque(Interp *in, const struct opaque_form *e, IValue *out) {
  out[0] = atom_own(in, e->arg);
}

void eval_trace(Interp *in, const struct trace_form *e, IValue *out) {
  (void)out;
  if (!in->options.trace) return;
  DzShown *shown = NEW_ARRAY(in->arena, DzShown, e->args.len + 1);
  for (int i = 0; i < e->args.len; i++) {
    Value v = value_of(in->arena, atom_get(in, e->args.at[i]));
    shown[i] = (DzShown){(DzPrim)v.prim, v.rank, v.shape, v.data};
  }
  dz_trace(e->label, e->layout, shown);
}

void eval_stopgradient(Interp *in, const struct stopgradient_form *e, IValue *out) {
  out[0] = atom_own(in, e->arg);
}

void eval_tuned(Interp *in, const struct tuned_form *e, IValue *out) {
  out[0] = atom_own(in, e->otherwise);
}

// The interpreter's blocks say nothing about those of compiled code, which has the limit.
void eval_memoryleft(Interp *in, const struct memoryleft_form *e, IValue *out) {
  int64_t all = in->options.memory_limit;
  if (all <= 0) all = atom_int(in, e->most);
  int64_t left = all / e->share, least = atom_int(in, e->least);
  if (left < least) left = least < all ? least : all;
  out[0] = ivalue_scalar(scalar_int(PRIM_I64, left));
  out[1] = ivalue_scalar(scalar_int(PRIM_I64, 0));
}

// The message has %d for each argument in order.
void eval_assert(Interp *in, const struct assert_form *e, IValue *out) {
  (void)out;
  if (atom_get(in, e->cond).scalar.i) return;
  Text text = {0};
  int next = 0;
  for (const char *at = e->message; *at; at++) {
    if (at[0] == '%' && at[1] == 'd' && next < e->args.len) {
      text_printf(&text, "%lld", (long long)atom_int(in, e->args.at[next++]));
      at++;
    } else if (at[0] == '%' && at[1] == '%') {
      text_putc(&text, '%');
      at++;
    } else {
      text_putc(&text, *at);
    }
  }
  const char *message = arena_strdup(in->arena, text.at ? text.at : "");
  text_free(&text);
  interp_fail(in, "%s", message);
}

static bool case_fits(Interp *in, const struct match_form *e, const Case *c) {
  for (int i = 0; i < c->pats.len; i++) {
    if (c->pats.at[i].any) continue;
    Scalar args[2] = {atom_get(in, e->args.at[i]).scalar, c->pats.at[i].lit}, same;
    op_eval(OP_EQ, args[0].prim, args, &same);
    if (!same.i) return false;
  }
  return true;
}

void eval_match(Interp *in, const struct match_form *e, IValue *out) {
  int i = 0;
  while (i < e->cases.len - 1 && !case_fits(in, e, &e->cases.at[i])) i++;
  body_eval(in, &e->cases.at[i].body, out);
}

static void loop_step(Interp *in, const struct loop_form *e, int64_t i, Prim prim, IValue *state) {
  int n = e->inits.len;
  Scratch mark = scratch_mark(in);
  IValue *args = values_new(in, n + 1), *next = values_new(in, n);
  if (e->is_for) args[0] = ivalue_scalar(scalar_int(prim, i));
  memcpy(args + (e->is_for ? 1 : 0), state, sizeof *state * (size_t)n);
  in->looks.nest++;
  bool backwards = in->stm->attrs.reversed;
  int64_t last = backwards ? atom_int(in, e->bound) - 1 : 0;
  dz_iteration(&in->looks, backwards ? last - i : i, backwards);
  lambda_eval(in, e->fn, args, next);
  in->looks.nest--;
  memcpy(state, next, sizeof *state * (size_t)n);
  scratch_reset(in, mark);
}

void eval_loop(Interp *in, const struct loop_form *e, IValue *out) {
  for (int k = 0; k < e->inits.len; k++) out[k] = atom_own(in, e->inits.at[k]);
  // Consumed initial values: the loop's copy is the only one from now on.
  int first = e->is_for ? 1 : 0;
  for (int k = 0; k < e->inits.len; k++)
    if (var_type(in->prog, e->fn->params.at[first + k]).unique && e->inits.at[k].is_var &&
        out[k].array)
      var_set(in, e->inits.at[k].var, (IValue){0});
  if (e->is_for) {
    Scalar bound = atom_get(in, e->bound).scalar;
    bool is_unsigned = !prim_is_signed(bound.prim);
    for (int64_t i = 0; is_unsigned ? (uint64_t)i < (uint64_t)bound.i : i < bound.i; i++)
      loop_step(in, e, i, bound.prim, out);
    return;
  }
  for (int64_t i = 0; out[e->cond].scalar.i; i++) {
    steps_take(in, 1);
    loop_step(in, e, i, PRIM_I64, out);
  }
}
