// Reverse mode of forms that make and move arrays: each is linear, its transpose is the rule.
#include "ad/common/local.h"

static Adj take(Vjp *v, const Stm *stm) { return adj_get(v, stm->bound.at[0]); }

static Atom take_value(Vjp *v, const Stm *stm, bool *owned) {
  return adj_dense(v, take(v, stm), primal_type(v, stm->bound.at[0]), owned);
}

static Type source_type(Vjp *v, Atom x) {
  return x.is_var ? primal_type(v, x.var) : type_scalar(x.value.prim);
}

//   y = [x0, x1, ..]    xiB += yB[i]
static void vjp_literal(Vjp *v, const Stm *stm) {
  const struct literal_form *e = &stm->exp.literal;
  Builder *b = vjp_builder(v);
  Adj yB = take(v, stm);
  if (yB.kind == ADJ_BROADCAST) {
    for (int i = 0; i < e->elems.len; i++) contribute(v, e->elems.at[i], yB.value, false);
    return;
  }
  Atom dense = adj_value(v, stm->bound.at[0]);
  for (int i = 0; i < e->elems.len; i++)
    if (is_varied(v, e->elems.at[i]))
      contribute(v, e->elems.at[i],
                 build_index(b, dense, atoms1(vjp_arena(v), atom_i64(i))), false);
}

// The sum of the rows of xs.
static Atom sum_rows(Builder *b, Atom xs) {
  Arena *arena = b->prog->arena;
  Type row = type_row(type_fresh(atom_type(b->prog, xs)));
  LambdaBuilder lb = lambda_begin(b, "x", (Types){0});
  for (int k = 0; k < 2; k++) list_push(arena, &lb.lambda->params, var_new(b->prog, "x", row));
  Atom sum = build_plus(&lb.inner, atom_var(lb.lambda->params.at[0]),
                        atom_var(lb.lambda->params.at[1]));
  Lambda *op = lambda_end(&lb, atoms1(arena, sum));
  return build_reduce(b, atom_width(b->prog, xs), op, atoms1(arena, build_zero(b, row)),
                      atoms1(arena, xs)).at[0];
}

//   y = replicate [d..] x    xB += sum of yB over the dimensions d..
static void vjp_replicate(Vjp *v, const Stm *stm) {
  const struct replicate_form *e = &stm->exp.replicate;
  Builder *b = vjp_builder(v);
  if (!is_varied(v, e->arg)) return;
  bool owned;
  Atom yB = take_value(v, stm, &owned);
  Type type = atom_type(b->prog, yB), inner = primal_type(v, e->arg.var);
  if (e->dims.len > 1) {
    Atom size = atom_i64(1);
    for (int k = 0; k < e->dims.len; k++) size = build_op(b, OP_MUL, size, type.dims[k]);
    yB = build_fit(b, yB, type_array(vjp_arena(v), inner, size));
  }
  contribute(v, e->arg, e->dims.len ? sum_rows(b, yB) : yB, true);
}

//   y = rearrange p x    xB += rearrange p^-1 yB
static void vjp_rearrange(Vjp *v, const Stm *stm) {
  const struct rearrange_form *e = &stm->exp.rearrange;
  bool owned;
  Atom yB = take_value(v, stm, &owned);
  int *inverse = NEW_ARRAY(vjp_arena(v), int, e->perm.len + 1);
  for (int k = 0; k < e->perm.len; k++) inverse[e->perm.at[k]] = k;
  contribute(v, e->array, build_rearrange(vjp_builder(v), yB, inverse), owned);
}

//   y = concat k x1 .. xm    xiB += the part of yB that came from xi
static void vjp_concat(Vjp *v, const Stm *stm) {
  const struct concat_form *e = &stm->exp.concat;
  Builder *b = vjp_builder(v);
  bool owned;
  Atom yB = take_value(v, stm, &owned), offset = atom_i64(0);
  Type type = atom_type(b->prog, yB);
  for (int i = 0; i < e->arrays.len; i++) {
    Atom len = source_type(v, e->arrays.at[i]).dims[e->dim];
    if (is_varied(v, e->arrays.at[i])) {
      Slice slice = {0};
      for (int k = 0; k < type.rank; k++)
        list_push(vjp_arena(v), &slice,
                  (SliceDim){.start = k == e->dim ? offset : atom_i64(0),
                             .count = k == e->dim ? len : type.dims[k],
                             .stride = atom_i64(1)});
      contribute(v, e->arrays.at[i], build_slice_all(b, yB, slice, true), false);
    }
    offset = build_op(b, OP_ADD, offset, len);
  }
}

//   y = flatindex x o [c..] [s..]: reads may overlap, so each adds on its own
//   map over i..: updateacc xB [o + i.s] yB[i..]
static void vjp_flatindex(Vjp *v, const Stm *stm) {
  const struct flatindex_form *e = &stm->exp.flatindex;
  Builder *b = vjp_builder(v);
  if (!is_varied(v, e->array)) return;
  bool owned;
  Atom yB = take_value(v, stm, &owned);
  Atom size = atom_i64(1);
  Atoms counts = rewrite_atoms(&v->w, e->counts);
  for (int k = 0; k < counts.len; k++) size = build_op(b, OP_MUL, size, counts.at[k]);
  Type row = type_row(primal_type(v, e->array.var));
  yB = build_fit(b, yB, type_array(vjp_arena(v), row, size));
  // The position of element t of the flattened result.
  MapBuilder m = map_begin(b, size, atoms1(vjp_arena(v), build_iota(b, size)));
  Builder *in = &m.lb.inner;
  Atom rest = map_param(&m, 0), at = primal_of(v, e->offset);
  for (int k = counts.len - 1; k >= 0; k--) {
    Atom i = build_op(in, OP_REM, rest, counts.at[k]);
    at = build_op(in, OP_ADD, at, build_op(in, OP_MUL, i, primal_of(v, e->strides.at[k])));
    rest = build_op(in, OP_QUOT, rest, counts.at[k]);
  }
  Atom positions = map_end1(&m, "at", at);
  contribute_scattered(v, e->array, positions, yB);
}

//   y = flatupdate x o [s..] w    wB += flatindex yB ..;  xB = yB with those cells zero
static void vjp_flatupdate(Vjp *v, const Stm *stm) {
  const struct flatupdate_form *e = &stm->exp.flatupdate;
  Builder *b = vjp_builder(v);
  Atom yB = adj_owned(v, stm->bound.at[0]);
  Type type = source_type(v, e->value);
  int n = e->strides.len;
  Exp read = {.form = FORM_FLATINDEX,
              .flatindex = {.array = yB, .offset = primal_of(v, e->offset),
                            .counts = atoms_of(vjp_arena(v), n, type.dims),
                            .strides = rewrite_atoms(&v->w, e->strides)}};
  if (is_varied(v, e->value))
    contribute(v, e->value, build_copy(b, build_exp1(b, NULL, read)), true);
  Exp write = {.form = FORM_FLATUPDATE,
               .flatupdate = {.array = yB, .offset = primal_of(v, e->offset),
                              .strides = rewrite_atoms(&v->w, e->strides),
                              .value = build_zero(b, type)}};
  contribute(v, e->array, build_exp1(b, NULL, write), true);
}

//   y = rotate k x    xB += rotate (-k) yB
static void vjp_rotate(Vjp *v, const Stm *stm) {
  Builder *b = vjp_builder(v);
  bool owned;
  Atom yB = take_value(v, stm, &owned);
  Atom by = build_op1(b, OP_NEG, primal_of(v, stm->exp.rotate.by));
  Exp exp = {.form = FORM_ROTATE, .rotate = {.array = yB, .by = by}};
  contribute(v, stm->exp.rotate.array, build_exp1(b, NULL, exp), true);
}

void vjp_array(Vjp *v, const Stm *stm) {
  const Exp *e = &stm->exp;
  bool owned;
  switch (e->form) {
    case FORM_OPAQUE: contribute_adj(v, e->opaque.arg, take(v, stm)); break;
    case FORM_COPY: contribute_adj(v, e->copy.arg, take(v, stm)); break;
    case FORM_LITERAL: vjp_literal(v, stm); break;
    case FORM_REPLICATE: vjp_replicate(v, stm); break;
    case FORM_INDEX: {
      Exp at = rewrite_exp(&v->w, e);
      contribute_at(v, e->index.array, at.index.slice, adj_value(v, stm->bound.at[0]),
                    stm->attrs.unchecked);
      break;
    }
    case FORM_FLATINDEX: vjp_flatindex(v, stm); break;
    case FORM_FLATUPDATE: vjp_flatupdate(v, stm); break;
    case FORM_RESHAPE: {
      Atom yB = take_value(v, stm, &owned);
      contribute(v, e->reshape.array, yB, owned);
      break;
    }
    case FORM_REARRANGE: vjp_rearrange(v, stm); break;
    case FORM_CONCAT: vjp_concat(v, stm); break;
    case FORM_REVERSE: {
      if (take(v, stm).kind == ADJ_BROADCAST) {
        contribute_adj(v, e->reverse.array, take(v, stm));
        break;
      }
      Atom yB = take_value(v, stm, &owned);
      contribute(v, e->reverse.array, build_reverse(vjp_builder(v), yB), owned);
      break;
    }
    case FORM_ROTATE: vjp_rotate(v, stm); break;
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_CONSTANT:
    case FORM_IOTA: case FORM_SCRATCH: break;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_UPDATE: case FORM_MATCH:
    case FORM_LOOP: case FORM_APPLY: case FORM_ASSERT: case FORM_TRACE: case FORM_MAP:
    case FORM_REDUCE:
    case FORM_SCAN: case FORM_SCREMA: case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC:
    case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS:
    case FORM_JACOBIAN: case FORM_COUNT:
      ice("form %d does not move data", e->form);
  }
}

// ---- in-place update
static Slice slice_now(Vjp *v, const Stm *stm) {
  Exp e = {.form = FORM_INDEX,
           .index = {.array = atom_i64(0), .slice = stm->exp.update.slice}};
  return rewrite_exp(&v->w, &e).index.slice;
}

//   FWD   s = copy x[i];  y = x with [i] <- w      (s only where x is kept)
void vjp_update_forward(Vjp *v, const Stm *stm) {
  Builder *b = vjp_builder(v);
  varset_add_atom(&v->overwritten, stm->exp.update.array);
  if (!varset_has_atom(&v->restore, stm->exp.update.array)) {
    vjp_copy(v, stm);
    return;
  }
  Atom x = primal_of(v, stm->exp.update.array);
  Atom *saved = NEW(vjp_arena(v), Atom);
  prog_note(b->prog, b->loc, "stored", "what the update of %s overwrites",
            var_info(v->w.from, stm->exp.update.array.var)->base);
  *saved = build_copy(b, build_slice_all(b, x, slice_now(v, stm), stm->attrs.unchecked));
  save_put(v, stm, saved);
  vjp_copy(v, stm);
}

//   RET   wB += copy yB[i];  xB = yB with [i] <- 0;  P(x) = P(y) with [i] <- s
void vjp_update(Vjp *v, Stms before, const Stm *stm) {
  const struct update_form *e = &stm->exp.update;
  Builder *b = vjp_builder(v);
  Var y = stm->bound.at[0];
  Slice slice = slice_now(v, stm);
  bool unchecked = stm->attrs.unchecked;
  if (!adj_is_zero(v, y)) {
    Atom yB = adj_owned(v, y);
    Atom part = build_slice_all(b, yB, slice, unchecked);
    if (is_varied(v, e->value)) contribute(v, e->value, build_copy(b, part), true);
    if (is_varied(v, e->array)) {
      Atom zero = build_zero(b, type_fresh(atom_type(b->prog, part)));
      contribute(v, e->array, build_slice_update(b, yB, slice, zero, unchecked), true);
    }
  }
  const Atom *saved = save_get(v, stm);
  if (!saved || !e->array.is_var) return;
  Atom present = consumable(v, primal_of(v, atom_var(y)));
  rollback_var(v, before, e->array.var,
         build_slice_update(b, present, slice, *saved, true));
}
