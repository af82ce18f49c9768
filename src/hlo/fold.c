// Folds, prefixes and contractions.
#include "local.h"
#include <math.h>

// ---- known operators: their StableHLO name and their identity
static const char *applied(const Lambda *fn, Atom *identity) {
  Op op;
  Prim p;
  if (!lambda_is_op(fn, &op, &p)) return NULL;
  bool is_float = prim_is_float(p), is_bool = p == PRIM_BOOL;
  switch ((int)op) {
    case OP_ADD: return *identity = atom_number(p, 0), "add";
    case OP_MUL: return *identity = atom_number(p, 1), "multiply";
    case OP_AND: return is_bool ? (*identity = atom_bool(true), "and") : NULL;
    case OP_OR: return *identity = atom_number(p, 0), "or";
    case OP_MIN: return is_float ? (*identity = atom_number(p, INFINITY), "") : NULL;
    case OP_MAX: return is_float ? (*identity = atom_number(p, -INFINITY), "") : NULL;
  }
  return NULL;
}

static Type without(Hlo *h, Type t, int dim) { return bulk_without_dim(h->prog, t, dim); }

static const char *commas(Hlo *h, const char *list, const char *item) {
  return *list ? hlo_text(h, "%s, %s", list, item) : item;
}

// The region: one pair of parameters for each input.
static void reducer(Hlo *h, const BulkExp *e) {
  int k = e->args.len;
  const char **args = NEW_ARRAY(h->arena, const char *, 2 * k), **out = args;
  const char *header = "reducer", *values = "", *types = "";
  for (int i = 0; i < k; i++) {
    const char *type = hlo_type(h, type_scalar(atom_type(h->prog, e->args.at[i]).prim));
    args[i] = hlo_new(h), args[k + i] = hlo_new(h);
    header = hlo_text(h, "%s(%s: %s, %s: %s) ", header, args[i], type, args[k + i], type);
    types = commas(h, types, type);
  }
  hlo_line(h, "%s{", header);
  hlo_enter(h);
  out = NEW_ARRAY(h->arena, const char *, k);
  hlo_lambda(h, e->fn, args, type_scalar(PRIM_I64), out);
  for (int i = 0; i < k; i++) values = commas(h, values, out[i]);
  hlo_line(h, "stablehlo.return %s : %s", values, types);
  hlo_leave(h);
  hlo_line(h, "}");
}

// Where the neutral element is not the identity, it is applied once, afterwards.
static void bind_fold(Hlo *h, const BulkStm *stm, const char *r, const Atom *identity) {
  const BulkExp *e = &stm->exp;
  int k = e->args.len;
  for (int i = 0; i < k; i++) {
    const char *name = k == 1 ? r : hlo_text(h, "%s#%d", r, i);
    Type t = var_type(h->prog, stm->bound.at[i]);
    if (identity && !atom_same(*identity, e->neutral.at[0])) {
      const char *args[] = {hlo_value_at(h, e->neutral.at[0], t), name};
      hlo_lambda(h, e->fn, args, t, &name);
    }
    hlo_bind(h, stm->bound.at[i], name);
  }
}

void hlo_fold(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  int k = e->args.len;
  Atom identity;
  const char *name = k == 1 ? applied(e->fn, &identity) : NULL;
  const char *inputs = "", *types = "", *inits = "", *outs = "";
  for (int i = 0; i < k; i++) {
    Type t = atom_type(h->prog, e->args.at[i]);
    Atom init = name ? identity : e->neutral.at[i];
    const char *pair = hlo_text(h, "(%s init: %s)", hlo_name(h, e->args.at[i]), hlo_name(h, init));
    inputs = commas(h, inputs, pair);
    types = commas(h, types, hlo_type(h, t));
    inits = commas(h, inits, hlo_type(h, type_scalar(t.prim)));
    outs = commas(h, outs, hlo_type(h, without(h, t, (int)e->number)));
  }
  const char *r = hlo_new(h);
  const char *left = k == 1 ? r : hlo_text(h, "%s:%d", r, k);
  const char *apply = name && *name ? hlo_text(h, " applies stablehlo.%s", name) : "";
  outs = k == 1 ? outs : hlo_text(h, "(%s)", outs);
  hlo_line(h, "%s = stablehlo.reduce%s%s across dimensions = [%lld] : (%s, %s) -> %s", left, inputs,
           apply, (long long)e->number, types, inits, outs);
  if (!*apply) reducer(h, e);
  bind_fold(h, stm, r, name ? &identity : NULL);
}

// ---- prefixes: a loop over the rows of the dimension
typedef struct {
  int k, dim;
  int64_t n;
  Type rows[16], slices[16], arrays[16];
  const char *state[16], *out[16], *input[16];
} Prefix;

static const char *starts_at(Hlo *h, const Prefix *p, int i, const char *counter,
                             const char *zero) {
  const char *list = "";
  for (int d = 0; d < p->arrays[i].rank; d++)
    list = hlo_text(h, "%s, %s", list, d == p->dim ? counter : zero);
  return list;
}

static const char *many(Hlo *h, const char *item, int n) {
  const char *list = "";
  for (int i = 0; i < n; i++) list = hlo_text(h, "%s, %s", list, item);
  return list;
}

static const char *row_at(Hlo *h, const Prefix *p, int i, const char *starts) {
  int64_t sizes[32];
  for (int d = 0; d < p->arrays[i].rank; d++)
    sizes[d] = d == p->dim ? 1 : hlo_dim(h, p->arrays[i].dims[d]);
  const char *s = hlo_let(h, "stablehlo.dynamic_slice %s%s, sizes = %s : (%s%s) -> %s", p->input[i],
                          starts, hlo_dims(h, p->arrays[i].rank, sizes), hlo_type(h, p->arrays[i]),
                          many(h, "tensor<i64>", p->arrays[i].rank), hlo_type(h, p->slices[i]));
  return hlo_let(h, "stablehlo.reshape %s : (%s) -> %s", s, hlo_type(h, p->slices[i]),
                 hlo_type(h, p->rows[i]));
}

static const char *row_put(Hlo *h, const Prefix *p, int i, const char *row, const char *starts) {
  const char *s = hlo_let(h, "stablehlo.reshape %s : (%s) -> %s", row, hlo_type(h, p->rows[i]),
                          hlo_type(h, p->slices[i]));
  return hlo_let(h, "stablehlo.dynamic_update_slice %s, %s%s : (%s, %s%s) -> %s", p->out[i], s,
                 starts, hlo_type(h, p->arrays[i]), hlo_type(h, p->slices[i]),
                 many(h, "tensor<i64>", p->arrays[i].rank), hlo_type(h, p->arrays[i]));
}

static void prefix_body(Hlo *h, const BulkExp *e, Prefix *p, const char *counter,
                        const char *types) {
  Type index = type_scalar(PRIM_I64);
  const char *zero = hlo_full_int(h, 0, index), *one = hlo_full_int(h, 1, index);
  const char *args[32], *next[16], *starts[16];
  for (int i = 0; i < p->k; i++) {
    starts[i] = starts_at(h, p, i, counter, zero);
    args[i] = p->state[i], args[p->k + i] = row_at(h, p, i, starts[i]);
  }
  hlo_lambda(h, e->fn, args, p->rows[0], next);
  const char *values = hlo_binary(h, "add", counter, one, index);
  for (int i = 0; i < p->k; i++) values = commas(h, values, next[i]);
  for (int i = 0; i < p->k; i++)
    values = commas(h, values, row_put(h, p, i, e->flag ? p->state[i] : next[i], starts[i]));
  hlo_line(h, "stablehlo.return %s : %s", values, types);
}

void hlo_prefix(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Prefix *p = NEW(h->arena, Prefix);
  p->k = e->args.len, p->dim = (int)e->number;
  if (p->k > 16) hlo_refuse(h, "a scan of more than 16 values");
  const char *counter = hlo_new(h), *inits, *types = "tensor<i64>";
  inits = hlo_text(h, "%s = %s", counter, hlo_full_int(h, 0, type_scalar(PRIM_I64)));
  for (int i = 0; i < p->k; i++) {
    Type t = p->arrays[i] = atom_type(h->prog, e->args.at[i]);
    p->n = hlo_dim(h, t.dims[p->dim]);
    p->rows[i] = without(h, t, p->dim), p->slices[i] = t;
    Atoms dims = atoms_of(h->arena, t.rank, t.dims);
    dims.at[p->dim] = atom_i64(1);
    p->slices[i].dims = dims.at;
    p->input[i] = hlo_name(h, e->args.at[i]);
    p->state[i] = hlo_new(h), p->out[i] = hlo_new(h);
    const char *ne = hlo_value_at(h, e->neutral.at[i], p->rows[i]);
    inits = hlo_text(h, "%s, %s = %s", inits, p->state[i], ne);
    types = commas(h, types, hlo_type(h, p->rows[i]));
  }
  for (int i = 0; i < p->k; i++) {
    inits = hlo_text(h, "%s, %s = %s", inits, p->out[i], p->input[i]);
    types = commas(h, types, hlo_type(h, p->arrays[i]));
  }
  const char *r = hlo_new(h);
  hlo_line(h, "%s:%d = stablehlo.while(%s) : %s", r, 1 + 2 * p->k, inits, types);
  hlo_line(h, "cond {");
  hlo_enter(h);
  const char *more = hlo_compare(h, "LT", counter, hlo_full_int(h, p->n, type_scalar(PRIM_I64)),
                                 type_scalar(PRIM_I64));
  hlo_line(h, "stablehlo.return %s : tensor<i1>", more);
  hlo_leave(h);
  hlo_line(h, "} do {");
  hlo_enter(h);
  prefix_body(h, e, p, counter, types);
  hlo_leave(h);
  hlo_line(h, "}");
  for (int i = 0; i < p->k; i++)
    hlo_bind(h, stm->bound.at[i], hlo_text(h, "%s#%d", r, 1 + p->k + i));
}

// ---- contractions
static const char *side_list(Hlo *h, Ints pairs, int from, int to, int side) {
  int64_t at[32];
  int n = 0;
  for (int i = from + side; i < to; i += 2) at[n++] = pairs.at[i];
  return hlo_dims(h, n, at);
}

void hlo_contract(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  int batch = 2 * (int)e->number, all = e->ints.len;
  const char *how = "";
  if (batch)
    how = hlo_text(h, "batching_dims = %s x %s, ", side_list(h, e->ints, 0, batch, 0),
                   side_list(h, e->ints, 0, batch, 1));
  const char *x = hlo_name(h, e->args.at[0]), *y = hlo_name(h, e->args.at[1]);
  hlo_bind(
      h, stm->bound.at[0],
      hlo_let(h,
              "stablehlo.dot_general %s, %s, %scontracting_dims = %s x %s, "
              "precision = [HIGHEST, HIGHEST] : (%s, %s) -> %s",
              x, y, how, side_list(h, e->ints, batch, all, 0), side_list(h, e->ints, batch, all, 1),
              hlo_type(h, atom_type(h->prog, e->args.at[0])),
              hlo_type(h, atom_type(h->prog, e->args.at[1])), hlo_type(h, hlo_stm_type(h, stm))));
}

// ---- convolutions
// Number `at` of the five numbers of each dimension.
static const char *window_list(Hlo *h, Ints ints, int at) {
  int64_t list[32];
  int n = 0;
  for (int i = at; i < ints.len; i += 5) list[n++] = ints.at[i];
  return hlo_dims(h, n, list);
}

void hlo_convolve(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const char *pads = "", *space = "", *no = "";
  for (int i = 0; i < e->ints.len; i += 5) {
    pads = commas(h, pads, hlo_dims(h, 2, &e->ints.at[i + 1]));
    space = hlo_text(h, "%s, %d", space, i / 5);
    no = commas(h, no, "false");
  }
  const char *x = hlo_name(h, e->args.at[0]), *w = hlo_name(h, e->args.at[1]);
  hlo_bind(
      h, stm->bound.at[0],
      hlo_let(h,
              "stablehlo.convolution(%s, %s) dim_numbers = [b, f%s]x[i, o%s]->[b, f%s], window = "
              "{stride = %s, pad = [%s], lhs_dilate = %s, rhs_dilate = %s, reverse = [%s]} "
              "{batch_group_count = 1 : i64, feature_group_count = %lld : i64, precision_config = "
              "[#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (%s, %s) -> %s",
              x, w, space, space, space, window_list(h, e->ints, 0), pads,
              window_list(h, e->ints, 3), window_list(h, e->ints, 4), no, (long long)e->number,
              hlo_type(h, atom_type(h->prog, e->args.at[0])),
              hlo_type(h, atom_type(h->prog, e->args.at[1])), hlo_type(h, hlo_stm_type(h, stm))));
}
