// Scalars, names, assertions.
#include "imp/common/local.h"

void lower_atom(Lower *l, const Stm *stm) {
  bind(l, stm->bound.at[0], atom_value(l, stm->exp.atom.arg));
}
void lower_opaque(Lower *l, const Stm *stm) {
  bind(l, stm->bound.at[0], atom_value(l, stm->exp.opaque.arg));
}
void lower_stopgradient(Lower *l, const Stm *stm) {
  bind(l, stm->bound.at[0], atom_value(l, stm->exp.stopgradient.arg));
}
void lower_tuned(Lower *l, const Stm *stm) {
  const struct tuned_form *e = &stm->exp.tuned;
  bind_exp(l, stm->bound.at[0], emit_tuned(l, e->name, atom_exp(l, e->otherwise)));
}

// left = min(m, need + max(least, max(0, m - need) / share)), where m bytes are left
void lower_memoryleft(Lower *l, const Stm *stm) {
  const struct memoryleft_form *e = &stm->exp.memoryleft;
  Arena *arena = l->arena;
  const ImpExp *all = emit_memory_left(l, atom_exp(l, e->most)), *left = all;
  const ImpExp *need = emit_memory_need(l, all);
  if (e->share > 1) {
    left = imp_op(arena, OP_SUB, PRIM_I64, all, need, NULL);
    left = imp_op(arena, OP_MAX, PRIM_I64, left, int_exp(l, 0), NULL);
    left = imp_op(arena, OP_QUOT, PRIM_I64, left, int_exp(l, e->share), NULL);
    left = imp_op(arena, OP_MAX, PRIM_I64, left, atom_exp(l, e->least), NULL);
    left = imp_op(arena, OP_ADD, PRIM_I64, need, left, NULL);
    left = imp_op(arena, OP_MIN, PRIM_I64, all, left, NULL);
  }
  bind_exp(l, stm->bound.at[0], left);
  bind_exp(l, stm->bound.at[1], need);
}

static void trace_arg(Lower *l, struct imp_trace *trace, Atom arg) {
  Value value = atom_value(l, arg);
  if (value.kind == VALUE_SCALAR) {
    list_push(l->arena, &trace->values, value.exp);
    list_push(l->arena, &trace->mems, (ImpVar){0});
    return;
  }
  View dense = view_make_dense(l, &value.view);
  list_push(l->arena, &trace->values, dense.offset);
  for (int d = 0; d < dense.rank; d++) list_push(l->arena, &trace->values, dense.dims[d]);
  list_push(l->arena, &trace->mems, dense.mem);
}

void lower_trace(Lower *l, const Stm *stm) {
  const struct trace_form *e = &stm->exp.trace;
  char *ranks = arena_alloc(l->arena, (size_t)e->args.len + 1);
  struct imp_trace trace = {.label = e->label, .layout = e->layout, .ranks = ranks};
  for (int i = 0; i < e->args.len; i++) {
    ranks[i] = (char)('0' + atom_type(l->prog, e->args.at[i]).rank);
    trace_arg(l, &trace, e->args.at[i]);
  }
  imp_emit(l, (ImpStm){.form = IMP_STM_TRACE, .trace = trace});
  l->ordered++;
}

static ImpExps exps_of(Lower *l, int n, const ImpExp *const *at) {
  ImpExps list = {0};
  for (int i = 0; i < n; i++) list_push(l->arena, &list, at[i]);
  return list;
}

// The condition under which op is defined at its operands: a nonzero divisor, an exponent of at
// least 0.
static void check_operands(Lower *l, Op op, Prim p, const ImpExp *const *args) {
  const ImpExp *zero = imp_const(l->arena, scalar_number(p, 0));
  if (op_info[op].fails == FAILS_NEGATIVE) {
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
  probe_value(l, stm, e->args.len, args);
}

void lower_conv(Lower *l, const Stm *stm) {
  const struct conv_form *e = &stm->exp.conv;
  const ImpExp *arg = atom_exp(l, e->arg), *value = imp_conv(l->arena, e->to, arg);
  bind_exp(l, stm->bound.at[0], emit_let(l, var_base(l, stm->bound.at[0]), value));
  probe_value(l, stm, 1, &arg);
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
void lower_depends(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("depends left"); }
void lower_jacobian(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("jacobian_blocks left"); }
void lower_withvjp(Lower *l, const Stm *stm) { (void)l, (void)stm; ice("withvjp left"); }
