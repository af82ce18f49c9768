// Scalars, names, assertions.
#include <string.h>
#include "local.h"

void lower_atom(Lower *l, const Stm *stm) {
  bind(l, stm->bound.at[0], atom_value(l, stm->exp.atom.arg));
}
void lower_opaque(Lower *l, const Stm *stm) {
  const struct opaque_form *e = &stm->exp.opaque;
  const char *param = exp_param(&stm->exp);
  if (param) bind_exp(l, stm->bound.at[0], emit_tuned(l, param, atom_exp(l, e->arg)));
  else if (e->tag && strcmp(e->tag, TAG_MEMORY_LEFT) == 0)
    bind_exp(l, stm->bound.at[0], emit_room(l, atom_exp(l, e->arg)));
  else bind(l, stm->bound.at[0], atom_value(l, e->arg));
}

static ImpExps exps_of(Lower *l, int n, const ImpExp *const *at) {
  ImpExps list = {0};
  for (int i = 0; i < n; i++) list_push(l->arena, &list, at[i]);
  return list;
}

// What op at its operands needs to be defined: a nonzero divisor, an exponent of at least 0.
static void check_operands(Lower *l, Op op, Prim p, const ImpExp *const *args) {
  const ImpExp *zero = imp_const(l->arena, scalar_number(p, 0));
  if (op == OP_POW) {
    const ImpExp *ok = imp_op(l->arena, OP_LE, p, zero, args[1], NULL);
    emit_check(l, ok, "negative exponent", exps_of(l, 0, NULL));
    return;
  }
  emit_check(l, imp_op(l->arena, OP_NE, p, args[1], zero, NULL), "division by zero",
             exps_of(l, 0, NULL));
}

void lower_prim(Lower *l, const Stm *stm) {
  const struct prim_form *e = &stm->exp.prim;
  const ImpExp *args[3] = {NULL};
  for (int i = 0; i < e->args.len; i++) args[i] = atom_exp(l, e->args.at[i]);
  if (op_may_fail(e->op, e->prim) && !stm->attrs.unchecked) check_operands(l, e->op, e->prim, args);
  const ImpExp *value = imp_op(l->arena, e->op, e->prim, args[0], args[1], args[2]);
  bind_exp(l, stm->bound.at[0], emit_let(l, var_base(l, stm->bound.at[0]), value));
}

void lower_conv(Lower *l, const Stm *stm) {
  const struct conv_form *e = &stm->exp.conv;
  const ImpExp *value = imp_conv(l->arena, e->to, atom_exp(l, e->arg));
  bind_exp(l, stm->bound.at[0], emit_let(l, var_base(l, stm->bound.at[0]), value));
}

void lower_assert(Lower *l, const Stm *stm) {
  const struct assert_form *e = &stm->exp.assert;
  ImpExps values = {0};
  for (int i = 0; i < e->args.len; i++)
    list_push(l->arena, &values, imp_conv(l->arena, PRIM_I64, atom_exp(l, e->args.at[i])));
  emit_check(l, atom_exp(l, e->cond), e->message, values);
}

void lower_jvp(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("jvp left"); }
void lower_vjp(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("vjp left"); }
void lower_withvjp(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("withvjp left"); }
