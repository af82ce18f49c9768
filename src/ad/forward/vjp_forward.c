// Adjoints by forward mode: one tangent for each element of the arguments, no tape.
//
//   vjp f x s    xB[i] = sum_r s_r . (jvp f x (onehot i))_r
//
// for each argument x of rank k a nest of k maps, a *direction map*, over its elements.  That
// costs n times the function's work where nothing simplifies; products by derivatives are #linear
// and directions are selects of 1 and 0, so that the optimiser can simplify (doc/strategies.md).
#include "ad/common/local.h"

typedef struct {
  const struct vjp_form *e;  // the operator, without a dimension of seeds
  const Lambda *fn;          // prepared for forward mode
  Atoms seeds;
  int arg;
  Atoms at;                  // indices of the direction: one per dimension of the argument
  Calls *calls;
} Directions;

static Atom one_of(Prim p) { return p == PRIM_BOOL ? atom_bool(true) : atom_number(p, 1); }

// The one-hot array that is 1 at `at`, from dimension d on: in there j_0 .. j_d-1 are `is`.
static Atom hot(const Directions *d, Builder *b, Type t, Atom is) {
  Arena *arena = b->prog->arena;
  int dim = d->at.len - t.rank;
  if (t.rank == 0) return build_select(b, is, one_of(t.prim), atom_number(t.prim, 0));
  MapBuilder m = map_begin(b, t.dims[0], atoms1(arena, build_iota(b, t.dims[0])));
  Builder *inner = &m.lb.inner;
  Atom here = build_op(inner, OP_EQ, d->at.at[dim], map_param(&m, 0));
  if (dim > 0) here = build_op(inner, OP_AND, is, here);
  return map_end1(&m, "hot", hot(d, inner, type_row(t), here));
}

static Atom direction(const Directions *d, Builder *b) {
  Type t = type_fresh(atom_type(b->prog, d->e->args.at[d->arg]));
  return t.rank ? hot(d, b, t, atom_none()) : one_of(t.prim);
}

// s . dy, summed over all elements; both are derivatives.
static Atom weighted(const Directions *d, Builder *b, Atom dy, Atom s) {
  Arena *arena = b->prog->arena;
  Type t = atom_type(b->prog, dy);
  if (t.rank == 0) return build_linear(b, dy, s, calls_strict(d->calls) ? 0 : LINEAR_BOTH);
  MapBuilder m = map_begin(b, t.dims[0], atoms2(arena, dy, s));
  Atom row = weighted(d, &m.lb.inner, map_param(&m, 0), map_param(&m, 1));
  Atom rows = map_end1(&m, "weighted", row);
  Lambda *add = lambda_binop(b->prog, t.prim == PRIM_BOOL ? OP_OR : OP_ADD, t.prim);
  Exp sum = {.form = FORM_REDUCE,
             .reduce = {.width = t.dims[0], .comm = true, .op = add,
                        .neutral = atoms1(arena, atom_number(t.prim, 0)),
                        .inputs = atoms1(arena, rows)}};
  return build_exp1(b, "adj", sum);
}

// The derivative in one direction.
static Atom along(const Directions *d, Builder *b) {
  Atoms tangents = {0};
  for (int k = 0; k < d->e->args.len; k++)
    list_push(b->prog->arena, &tangents, k == d->arg ? direction(d, b) : atom_none());
  Atoms dys = ad_jvp_sparse(b, d->fn, d->e->args, tangents, d->calls);
  Atom sum = atom_none();
  for (int r = 0; r < dys.len; r++) {
    if (atom_absent(dys.at[r])) continue;
    Type t = atom_type(b->prog, d->seeds.at[r]);
    if (t.prim == PRIM_UNIT || (t.rank == 0 && atom_is(d->seeds.at[r], 0))) continue;
    Atom part = weighted(d, b, dys.at[r], d->seeds.at[r]);
    part = build_conv(b, atom_type(b->prog, d->e->args.at[d->arg]).prim, part);
    sum = atom_absent(sum) ? part : build_plus(b, sum, part);
  }
  Prim p = atom_type(b->prog, d->e->args.at[d->arg]).prim;
  return atom_absent(sum) ? atom_number(p, 0) : sum;
}

static Atom adjoint(const Directions *d, Builder *b, Type t) {
  if (t.rank == 0) return along(d, b);
  MapBuilder m = map_begin(b, t.dims[0], atoms1(b->prog->arena, build_iota(b, t.dims[0])));
  Directions row = *d;
  row.at = atoms_concat(b->prog->arena, d->at, atoms1(b->prog->arena, map_param(&m, 0)));
  return map_end1(&m, "adj", adjoint(&row, &m.lb.inner, type_row(t)));
}

static Atoms adjoints(Directions d, Builder *b) {
  Atoms out = {0};
  for (int k = 0; k < d.e->args.len; k++) {
    Type t = type_fresh(atom_type(b->prog, d.e->args.at[k]));
    d.arg = k;
    list_push(b->prog->arena, &out, t.prim == PRIM_UNIT ? build_zero(b, t) : adjoint(&d, b, t));
  }
  return out;
}

Atoms ad_vjp_forward(Builder *b, const struct vjp_form *e, Calls *calls) {
  Arena *arena = b->prog->arena;
  NormaliseFor what = {.reverse = false, .own_only = true, .calls = calls};
  Directions d = {.e = e, .fn = ad_normalise(b, e->fn, what), .seeds = e->seeds, .calls = calls};
  Atoms primal = lambda_inline(b, d.fn, e->args);
  if (e->shape.len == 0) return atoms_concat(arena, primal, adjoints(d, b));
  MapBuilder m = map_begin(b, e->shape.at[0], e->seeds);
  d.seeds = (Atoms){0};
  for (int r = 0; r < e->seeds.len; r++) list_push(arena, &d.seeds, map_param(&m, r));
  Atoms rows = adjoints(d, &m.lb.inner);
  return atoms_concat(arena, primal, atoms_of_vars(arena, map_end(&m, "adj", rows)));
}
