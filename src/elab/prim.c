// Intrinsics: what each name of `intrinsics` does once all its arguments are there.
#include <math.h>
#include <string.h>
#include "local.h"

static const struct {
  const char *name, *scheme;
} infos[INTR_COUNT] = {
#define INTRINSIC(id, name, scheme) [INTR_##id] = {name, scheme},
#include "syntax/intrinsics.def"
};

// How many arrows the scheme has outside parentheses.
int intrinsic_arity(Intrinsic id) {
  int depth = 0, n = 0;
  for (const char *s = infos[id].scheme; *s; s++) {
    if (*s == '(') depth++;
    if (*s == ')') depth--;
    if (depth == 0 && s[0] == '-' && s[1] == '>') n++;
  }
  return n;
}

static const Sem *last_type(Elab *e, const TypeArgs *targs) {
  check(targs->len > 0);
  const TypeArg_ *arg = &targs->at[targs->len - 1];
  return arg->sem ? arg->sem : sem_of_type(e, arg->type, arg->env);
}

static Prim instance_prim(Elab *e, const TypeArgs *targs) {
  const Sem *sem = last_type(e, targs);
  check(sem->tag == SEM_PRIM);
  return sem->prim;
}

// ---- scalars --------------------------------------------------------------------------------

static Op op_of(Intrinsic id) {
  Op op;
  if (!op_named(infos[id].name, &op)) ice("intrinsic %s is no operation", infos[id].name);
  return op;
}

Atom scalar_op(Elab *e, Intrinsic id, Atom a, Atom b) {
  if (id == INTR_GT) return emit_op(e, OP_LT, b, a);
  if (id == INTR_GE) return emit_op(e, OP_LE, b, a);
  if (id == INTR_LOGAND) return build_op(&e->b, OP_AND, a, b);
  if (id == INTR_LOGOR) return build_op(&e->b, OP_OR, a, b);
  return emit_op(e, op_of(id), a, b);
}

static Val *do_scalar(Elab *e, const Val *prim, Vals args) {
  Intrinsic id = prim->prim.id;
  if (args.len == 1)
    return val_atom(e, build_op1(&e->b, op_of(id), val_scalar(args.at[0])));
  Atom a = val_scalar(args.at[0]), b = val_scalar(args.at[1]);
  if (args.len == 2) return val_atom(e, scalar_op(e, id, a, b));
  return val_atom(e, build_op3(&e->b, op_of(id), a, b, val_scalar(args.at[2])));
}

static Val *do_equal(Elab *e, const Val *prim, Vals args) {
  Atom eq = val_equal(e, args.at[0], args.at[1]);
  if (prim->prim.id == INTR_EQ) return val_atom(e, eq);
  return val_atom(e, build_op1(&e->b, OP_NOT, eq));
}

static Prim unsigned_of(Prim p) { return (Prim)(PRIM_U8 + (p - PRIM_I8)); }

// To an unsigned type bits are extended with zeros, whatever the sign of the source.
static Val *do_convert(Elab *e, const Val *prim, Vals args) {
  Prim to = instance_prim(e, &prim->prim.targs);
  Atom a = val_scalar(args.at[0]);
  Prim from = atom_type(e->prog, a).prim;
  if (prim_is_signed(from) && prim_is_int(to) && !prim_is_signed(to))
    a = build_conv(&e->b, unsigned_of(from), a);
  return val_atom(e, build_conv(&e->b, to, a));
}

static Val *do_bitcast(Elab *e, const Val *prim, Vals args) {
  Prim to = instance_prim(e, &prim->prim.targs);
  Atom a = val_scalar(args.at[0]);
  Prim from = atom_type(e->prog, a).prim;
  if (from == to) return args.at[0];
  if (prim_is_float(from)) return val_atom(e, build_op1(&e->b, OP_TO_BITS, a));
  Prim bits = to == PRIM_F16 ? PRIM_U16 : to == PRIM_F32 ? PRIM_U32 : PRIM_U64;
  return val_atom(e, build_op1(&e->b, OP_FROM_BITS, build_conv(&e->b, bits, a)));
}

static Scalar extreme(Prim p, bool high) {
  if (prim_is_float(p)) return scalar_float(p, high ? INFINITY : -INFINITY);
  if (p == PRIM_BOOL) return scalar_bool(high);
  int bits = prim_info[p].bytes * 8;
  if (!prim_is_signed(p)) return scalar_int(p, high ? -1 : 0);
  int64_t top = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
  return scalar_int(p, high ? top : -top - 1);
}

Val *intrinsic_const(Elab *e, Intrinsic id, TypeArgs targs) {
  Prim p = instance_prim(e, &targs);
  return val_atom(e, atom_scalar(extreme(p, id == INTR_HIGHEST)));
}

// ---- arrays ---------------------------------------------------------------------------------

static Val *do_map(Elab *e, const Val *p, Vals a) {
  (void)p;
  return soac_map(e, a.at[0], a.at[1]);
}
static Val *do_reduce(Elab *e, const Val *p, Vals a) {
  return soac_reduce(e, a.at[0], a.at[1], a.at[2], p->prim.id == INTR_REDUCE_COMM);
}
static Val *do_scan(Elab *e, const Val *p, Vals a) {
  (void)p;
  return soac_scan(e, a.at[0], a.at[1], a.at[2]);
}
static Val *do_hist(Elab *e, const Val *p, Vals a) {
  (void)p;
  return soac_hist(e, a.at[1], a.at[2], a.at[3], a.at[4], a.at[5]);
}
static Val *do_scatter(Elab *e, const Val *p, Vals a) {
  (void)p;
  return soac_scatter(e, a.at[0], a.at[1], a.at[2]);
}
static Val *do_zip(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_zip(e, a.at[0], a.at[1]);
}
static Val *do_unzip(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_unzip(e, a.at[0]);
}
static Val *do_concat(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_concat(e, a.at[0], a.at[1]);
}
static Val *do_flatten(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_flatten(e, a.at[0]);
}
static Val *do_unflatten(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_unflatten(e, val_scalar(a.at[0]), val_scalar(a.at[1]), a.at[2]);
}
static Val *do_transpose(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_transpose(e, a.at[0]);
}
static Val *do_replicate(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_replicate(e, val_scalar(a.at[0]), a.at[1]);
}
static Val *do_scratch(Elab *e, const Val *p, Vals a) {
  (void)p;
  return array_scratch(e, val_scalar(a.at[0]), a.at[1]);
}
static Val *do_manifest(Elab *e, const Val *p, Vals a) {
  (void)p;
  return val_copy(e, a.at[0]);
}

static Atom opaque_atom(void *state, Atom a) {
  Elab *e = state;
  return emit_view(e, base_of(e, a), atom_type(e->prog, a),
                   (Exp){.form = FORM_OPAQUE, .opaque = {a}}, a);
}
static Val *do_opaque(Elab *e, const Val *p, Vals a) {
  (void)p;
  return val_map(e, a.at[0], opaque_atom, e);
}

static Atom stop_gradient_atom(void *state, Atom a) {
  Elab *e = state;
  Exp exp = {.form = FORM_STOPGRADIENT, .stopgradient = {a}};
  return emit_view(e, base_of(e, a), atom_type(e->prog, a), exp, a);
}
static Val *do_stop_gradient(Elab *e, const Val *p, Vals a) {
  (void)p;
  return val_map(e, a.at[0], stop_gradient_atom, e);
}

static int flat_rank(Intrinsic id) {
  if (id == INTR_FLAT_INDEX_2D || id == INTR_FLAT_UPDATE_2D) return 2;
  return id == INTR_FLAT_INDEX_3D || id == INTR_FLAT_UPDATE_3D ? 3 : 4;
}
static Val *do_flat_index(Elab *e, const Val *p, Vals a) {
  return array_flat_index(e, a, flat_rank(p->prim.id));
}
static Val *do_flat_update(Elab *e, const Val *p, Vals a) {
  return array_flat_update(e, a, flat_rank(p->prim.id));
}

static Val *do_acc_write(Elab *e, const Val *p, Vals a) {
  (void)p;
  return acc_write(e, a.at[0], val_scalar(a.at[1]), a.at[2]);
}
static Val *do_scatter_stream(Elab *e, const Val *p, Vals a) {
  (void)p;
  return acc_stream(e, a.at[0], NULL, NULL, a.at[1], a.at[2]);
}
static Val *do_hist_stream(Elab *e, const Val *p, Vals a) {
  (void)p;
  return acc_stream(e, a.at[0], a.at[1], a.at[2], a.at[3], a.at[4]);
}

static Val *do_jvp(Elab *e, const Val *p, Vals a) {
  (void)p;
  return diff_jvp(e, a.at[0], a.at[1], a.at[2]);
}
static Val *do_vjp(Elab *e, const Val *p, Vals a) {
  (void)p;
  return diff_vjp(e, a.at[0], a.at[1], a.at[2]);
}
static Val *do_depends(Elab *e, const Val *p, Vals a) {
  (void)p;
  return diff_depends(e, a.at[0], a.at[1], a.at[2]);
}
static Val *do_jacobian_blocks(Elab *e, const Val *p, Vals a) {
  (void)p;
  return diff_blocks(e, a.at[0], a.at[1]);
}
static Val *do_with_vjp(Elab *e, const Val *p, Vals a) {
  (void)p;
  return diff_with_vjp(e, a.at[0], a.at[1], a.at[2]);
}

// Intrinsics without a row are scalar operations of the same name.
typedef Val *Rule(Elab *e, const Val *prim, Vals args);
static Rule *const rules[INTR_COUNT] = {
    [INTR_EQ] = do_equal, [INTR_NE] = do_equal,
    [INTR_CONVERT] = do_convert, [INTR_BITCAST] = do_bitcast,
    [INTR_MAP] = do_map, [INTR_REDUCE] = do_reduce, [INTR_REDUCE_COMM] = do_reduce,
    [INTR_SCAN] = do_scan, [INTR_HIST_1D] = do_hist, [INTR_SCATTER] = do_scatter,
    [INTR_ZIP] = do_zip, [INTR_UNZIP] = do_unzip, [INTR_CONCAT] = do_concat,
    [INTR_FLATTEN] = do_flatten, [INTR_UNFLATTEN] = do_unflatten,
    [INTR_TRANSPOSE] = do_transpose, [INTR_REPLICATE] = do_replicate,
    [INTR_SCRATCH] = do_scratch, [INTR_MANIFEST] = do_manifest, [INTR_OPAQUE] = do_opaque,
    [INTR_FLAT_INDEX_2D] = do_flat_index, [INTR_FLAT_INDEX_3D] = do_flat_index,
    [INTR_FLAT_INDEX_4D] = do_flat_index, [INTR_FLAT_UPDATE_2D] = do_flat_update,
    [INTR_FLAT_UPDATE_3D] = do_flat_update, [INTR_FLAT_UPDATE_4D] = do_flat_update,
    [INTR_ACC_WRITE] = do_acc_write, [INTR_SCATTER_STREAM] = do_scatter_stream,
    [INTR_HIST_STREAM] = do_hist_stream, [INTR_JVP2] = do_jvp, [INTR_VJP2] = do_vjp,
    [INTR_DEPENDS] = do_depends, [INTR_JACOBIAN_BLOCKS] = do_jacobian_blocks,
    [INTR_HESSIAN_BLOCKS] = do_jacobian_blocks,
    [INTR_WITH_VJP] = do_with_vjp, [INTR_STOP_GRADIENT] = do_stop_gradient,
};

Val *intrinsic_apply(Elab *e, const Val *prim, Vals args) {
  Rule *rule = rules[prim->prim.id];
  return rule ? rule(e, prim, args) : do_scalar(e, prim, args);
}
