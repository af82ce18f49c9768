// Expressions: folding builders, comparison, substitution.
#include "imp.h"

const ImpExp *imp_const(Arena *arena, Scalar value) {
  ImpExp *e = NEW(arena, ImpExp);
  *e = (ImpExp){.kind = IMP_CONST, .prim = value.prim, .value = value};
  return e;
}
const ImpExp *imp_i64(Arena *arena, int64_t i) { return imp_const(arena, scalar_int(PRIM_I64, i)); }

const ImpExp *imp_var(Arena *arena, const ImpFn *fn, ImpVar var) {
  ImpExp *e = NEW(arena, ImpExp);
  *e = (ImpExp){.kind = IMP_VAR, .prim = fn->vars.at[var.id].prim, .var = var};
  return e;
}

bool imp_is_int(const ImpExp *e, int64_t i) {
  return e->kind == IMP_CONST && !prim_is_float(e->prim) && e->value.i == i;
}
bool imp_is_atom(const ImpExp *e) { return e->kind == IMP_CONST || e->kind == IMP_VAR; }

int imp_exp_size(const ImpExp *e, int limit) {
  int size = 1;
  for (int i = 0; i < 3 && e->args[i] && size < limit; i++)
    size += imp_exp_size(e->args[i], limit - size);
  return size;
}

OpWork imp_exp_work(const ImpExp *e) {
  OpWork work = {0, 0};
  if (e->kind == IMP_OP || e->kind == IMP_CONV)
    work = op_work(e->kind == IMP_OP ? op_info[e->op].cost : COST_ONE);
  for (int i = 0; i < 3 && e->args[i]; i++) {
    OpWork arg = imp_exp_work(e->args[i]);
    work.lanes += arg.lanes;
    work.scalar += arg.scalar;
  }
  return work;
}

bool imp_exp_same(const ImpExp *a, const ImpExp *b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->prim != b->prim) return false;
  if (a->kind == IMP_CONST) return scalar_same(a->value, b->value);
  if (a->kind == IMP_VAR) return a->var.id == b->var.id;
  if (a->from != b->from || (a->kind == IMP_OP && a->op != b->op)) return false;
  for (int i = 0; i < 3; i++)
    if ((a->args[i] || b->args[i]) && !imp_exp_same(a->args[i], b->args[i])) return false;
  return true;
}

static const ImpExp *fold(Arena *arena, const ImpExp *e) {
  Scalar args[3] = {{0}}, out;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    if (e->args[i]->kind != IMP_CONST) return e;
    args[i] = e->args[i]->value;
  }
  if (e->kind == IMP_CONV) return imp_const(arena, scalar_convert(e->prim, args[0]));
  return op_eval(e->op, e->from, args, &out) ? imp_const(arena, out) : e;
}

const ImpExp *imp_op(Arena *arena, Op op, Prim prim, const ImpExp *a, const ImpExp *b,
                     const ImpExp *c) {
  ImpExp *e = NEW(arena, ImpExp);
  *e = (ImpExp){.kind = IMP_OP, .prim = op_result(op, prim), .from = prim, .op = op,
                .args = {a, b, c}};
  return fold(arena, e);
}

const ImpExp *imp_conv(Arena *arena, Prim to, const ImpExp *a) {
  if (a->prim == to) return a;
  ImpExp *e = NEW(arena, ImpExp);
  *e = (ImpExp){.kind = IMP_CONV, .prim = to, .from = a->prim, .args = {a}};
  return fold(arena, e);
}

static const ImpExp *index_op(Arena *arena, Op op, const ImpExp *a, const ImpExp *b) {
  ImpExp *e = NEW(arena, ImpExp);
  *e = (ImpExp){.kind = IMP_OP, .prim = PRIM_I64, .from = PRIM_I64, .op = op, .index = true,
                .args = {a, b}};
  return fold(arena, e);
}

const ImpExp *imp_add(Arena *arena, const ImpExp *a, const ImpExp *b) {
  if (imp_is_int(a, 0)) return b;
  if (imp_is_int(b, 0)) return a;
  if (a->kind == IMP_CONST) return index_op(arena, OP_ADD, b, a);
  // (x + c1) + c2: keep one constant, at the end.
  if (b->kind == IMP_CONST && a->kind == IMP_OP && a->op == OP_ADD && a->index
      && a->args[1]->kind == IMP_CONST)
    return imp_add(arena, a->args[0], imp_add(arena, a->args[1], b));
  return index_op(arena, OP_ADD, a, b);
}
const ImpExp *imp_sub(Arena *arena, const ImpExp *a, const ImpExp *b) {
  if (imp_exp_same(a, b)) return imp_i64(arena, 0);
  if (b->kind == IMP_CONST) return imp_add(arena, a, imp_i64(arena, -b->value.i));
  return index_op(arena, OP_SUB, a, b);
}
const ImpExp *imp_mul(Arena *arena, const ImpExp *a, const ImpExp *b) {
  if (imp_is_int(a, 1) || imp_is_int(b, 0)) return b;
  if (imp_is_int(b, 1) || imp_is_int(a, 0)) return a;
  return index_op(arena, OP_MUL, a, b);
}

const ImpExp *imp_exp_subst(Arena *arena, const ImpExp *e, const ImpExp *const *map) {
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) return map[e->var.id] ? map[e->var.id] : e;
  ImpExp copy = *e;
  bool changed = false;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    copy.args[i] = imp_exp_subst(arena, e->args[i], map);
    changed = changed || copy.args[i] != e->args[i];
  }
  if (!changed) return e;
  if (copy.index && copy.op == OP_ADD) return imp_add(arena, copy.args[0], copy.args[1]);
  if (copy.index && copy.op == OP_SUB) return imp_sub(arena, copy.args[0], copy.args[1]);
  if (copy.index && copy.op == OP_MUL) return imp_mul(arena, copy.args[0], copy.args[1]);
  return fold(arena, arena_copy(arena, &copy, sizeof copy));
}

typedef struct {
  Arena *arena;
  const ImpFn *fn;
  bool (*stays)(void *state, ImpVar v);
  void *state;
} Expand;

static const ImpExp *expanded(const Expand *x, const ImpExp *e, int depth) {
  if (e->kind == IMP_CONST) return e;
  if (e->kind == IMP_VAR) {
    if (x->stays(x->state, e->var)) return e;
    const ImpExp *def = x->fn->vars.at[e->var.id].def;
    return def && depth < 6 ? expanded(x, def, depth + 1) : NULL;
  }
  ImpExp *copy = arena_copy(x->arena, e, sizeof *e);
  for (int i = 0; i < 3 && e->args[i]; i++)
    if (!(copy->args[i] = expanded(x, e->args[i], depth))) return NULL;
  return copy;
}

const ImpExp *imp_exp_expand(Arena *arena, const ImpFn *fn, const ImpExp *e,
                             bool (*stays)(void *state, ImpVar v), void *state) {
  Expand x = {arena, fn, stays, state};
  return expanded(&x, e, 0);
}
