// Forms over whole arrays as formulas.
#include "formula.h"
#include <string.h>

static const char *joined(Formulas *f, const Text *text) {
  return arena_strdup(f->arena, text->at ? text->at : "");
}

static Formula called(const char *text) { return (Formula){.text = text, .binds = BINDS_ATOM}; }

// Names after a dot or an index: atoms only.
static const char *object(Formulas *f, Atom a) {
  Formula x = formula_whole(f, a);
  return x.binds == BINDS_ATOM ? x.text : arena_printf(f->arena, "(%s)", x.text);
}

static const char *type_name(Prim p) {
  static const char *const numpy[PRIM_COUNT] = {
      [PRIM_I8] = "np.int8",     [PRIM_I16] = "np.int16",   [PRIM_I32] = "np.int32",
      [PRIM_I64] = "np.int64",   [PRIM_U8] = "np.uint8",    [PRIM_U16] = "np.uint16",
      [PRIM_U32] = "np.uint32",  [PRIM_U64] = "np.uint64",  [PRIM_F16] = "np.float16",
      [PRIM_F32] = "np.float32", [PRIM_F64] = "np.float64", [PRIM_BOOL] = "np.bool_"};
  return numpy[p];
}

const char *formula_dims(Formulas *f, Type t) {
  Text text = {0};
  for (int d = 0; d < t.rank; d++)
    text_printf(&text, d ? ", %s" : "%s", formula_text(f, t.dims[d], BINDS_LAMBDA));
  const char *dims = joined(f, &text);
  text_free(&text);
  return t.rank == 1 ? dims : arena_printf(f->arena, "(%s)", dims);
}

static Formula full(Formulas *f, const char *value, Type t) {
  const char *dims = formula_dims(f, t);
  const char *type = t.prim == PRIM_F64
                         ? ""
                         : arena_printf(f->arena, ", %s", type_name(t.prim));
  if (strcmp(value, "0.0") == 0 || (strcmp(value, "0") == 0 && prim_is_int(t.prim)))
    return called(arena_printf(f->arena, "np.zeros(%s%s)", dims, type));
  if (strcmp(value, "1.0") == 0)
    return called(arena_printf(f->arena, "np.ones(%s%s)", dims, type));
  return called(arena_printf(f->arena, "np.full(%s, %s%s)", dims, value, type));
}

static Formula whole(Formulas *f, Formula x, Type t) {
  if (!x.partial) return x;
  if (x.constant) return full(f, x.text, t);
  return called(arena_printf(f->arena, "np.broadcast_to(%s, %s)", x.text, formula_dims(f, t)));
}

Formula formula_whole(Formulas *f, Atom a) {
  return whole(f, formula_of(f, a), atom_type(f->prog, a));
}

static const char *whole_text(Formulas *f, Atom a) { return formula_whole(f, a).text; }

// ---- elementwise
static Formula of_prim(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  int rank = var_type(f->prog, stm->bound.at[0]).rank;
  Formula args[3];
  for (int i = 0; i < e->args.len; i++) {
    args[i] = formula_of(f, e->args.at[i]);
    args[i].partial |= atom_type(f->prog, e->args.at[i]).rank < rank;
  }
  return formula_operation(f, e->op, e->prim, args, rank);
}

// ---- movement
// at: the dimensions of the result, of that rank, that x has, ascending.
static Formula spread(Formulas *f, Atom x, Ints at, int rank) {
  if (at.len == 0) {
    Formula scalar = formula_of(f, x);
    scalar.partial = true;
    return scalar;
  }
  Text text = {0};
  bool plain = true;
  int k = 0;
  for (int d = (int)at.at[0]; d < rank; d++) {
    bool own = k < at.len && at.at[k] == d;
    plain = plain && own;
    text_printf(&text, "%s%s", d > at.at[0] ? ", " : "", own ? ":" : "None");
    k += own;
  }
  const char *index = joined(f, &text);
  text_free(&text);
  const char *o = object(f, x);
  Formula out = called(plain ? o : arena_printf(f->arena, "%s[%s]", o, index));
  out.partial = true;
  return out;
}

static Formula of_broadcast(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  return spread(f, e->args.at[0], e->ints, var_type(f->prog, stm->bound.at[0]).rank);
}

// Of a broadcast: one along other dimensions, if these keep their order.
static bool transposed_spread(Formulas *f, const BulkExp *e, Formula *out) {
  const BulkStm *def = e->args.at[0].is_var ? map_get(f->defs, e->args.at[0].var.id) : NULL;
  Ints at = {0};
  if (!def || def->exp.form != BULK_BROADCAST) return false;
  for (int d = 0, k = 0; d < e->ints.len && k < def->exp.ints.len; d++) {
    for (int i = 0; i < def->exp.ints.len; i++)
      if (def->exp.ints.at[i] == e->ints.at[d] && i != k) return false;
    if (def->exp.ints.at[k] != e->ints.at[d]) continue;
    list_push(f->arena, &at, d);
    k++;
  }
  *out = spread(f, def->exp.args.at[0], at, e->ints.len);
  return true;
}

static Formula of_transpose(Formulas *f, const BulkExp *e) {
  Formula out;
  if (transposed_spread(f, e, &out)) return out;
  const char *x = object(f, e->args.at[0]);
  if (e->ints.len == 2) return called(arena_printf(f->arena, "%s.T", x));
  Text text = {0};
  for (int d = 0; d < e->ints.len; d++)
    text_printf(&text, d ? ", %d" : "%d", (int)e->ints.at[d]);
  const char *order = joined(f, &text);
  text_free(&text);
  return called(arena_printf(f->arena, "%s.transpose(%s)", x, order));
}

static Formula of_reshape(Formulas *f, const BulkStm *stm) {
  Type to = var_type(f->prog, stm->bound.at[0]), from = atom_type(f->prog, stm->exp.args.at[0]);
  bool same = to.rank == from.rank;
  for (int d = 0; same && d < to.rank; d++)
    same = to.rank == 1 || atom_same(to.dims[d], from.dims[d]);
  if (same) return formula_of(f, stm->exp.args.at[0]);
  return called(arena_printf(f->arena, "%s.reshape(%s)", object(f, stm->exp.args.at[0]),
                             to.rank ? formula_dims(f, to) : "()"));
}

static Formula of_reverse(Formulas *f, const BulkExp *e) {
  Text text = {0};
  for (int d = 0; d < e->number; d++) text_puts(&text, ":, ");
  const char *before = joined(f, &text);
  text_free(&text);
  return called(arena_printf(f->arena, "%s[%s::-1]", object(f, e->args.at[0]), before));
}

static const char *sum_text(Formulas *f, Atom x, const char *more) {
  if (atom_is(x, 0)) return more;
  return arena_printf(f->arena, "%s + %s", formula_text(f, x, BINDS_ADD), more);
}

// Ranges go up; one that goes down is reversed after the brackets.
static const char *range(Formulas *f, const SliceDim *d, Atom n, bool *down) {
  int64_t stride;
  if (d->stride.is_var) formula_refuse(f, "a range whose stride is not constant");
  stride = d->stride.value.i;
  const char *start = formula_text(f, d->start, BINDS_LAMBDA);
  const char *count = formula_text(f, d->count, BINDS_ADD + 1);
  if (stride == 1) {
    const char *end = sum_text(f, d->start, count);
    return atom_is(d->start, 0) ? arena_printf(f->arena, ":%s", end)
                                : arena_printf(f->arena, "%s:%s", start, end);
  }
  const char *last = arena_printf(f->arena, "%s - 1", formula_text(f, d->count, BINDS_ADD));
  if (stride == -1 && atom_same(d->count, n) && strcmp(start, last) == 0) return "::-1";
  count = formula_text(f, d->count, BINDS_NEG);
  if (stride > 0) {
    const char *steps = arena_printf(f->arena, "%d * %s", (int)stride, count);
    return arena_printf(f->arena, "%s:%s:%d", start, sum_text(f, d->start, steps), (int)stride);
  }
  *down = true;
  const char *low = formula_text(f, d->start, BINDS_ADD);
  return arena_printf(f->arena, "%s - %d * (%s - 1):%s + 1:%d", low, (int)-stride, count, low,
                      (int)-stride);
}

static bool is_all(Type t, const SliceDim *s, int d) {
  return !s->is_fix && atom_is(s->start, 0) && atom_is(s->stride, 1) &&
         atom_same(s->count, t.dims[d]);
}

// The index of a value of this type; *after reverses the ranges that go down.
static const char *index_of(Formulas *f, Type t, const Slice *slice, const char **after) {
  Text text = {0}, flips = {0};
  bool any = false;
  int last = slice->len;
  while (last > 1 && is_all(t, &slice->at[last - 1], last - 1)) last--;
  for (int d = 0; d < last; d++) {
    const SliceDim *s = &slice->at[d];
    bool down = false;
    const char *at = s->is_fix         ? formula_text(f, s->start, BINDS_LAMBDA)
                     : is_all(t, s, d) ? ":"
                                       : range(f, s, t.dims[d], &down);
    text_printf(&text, d ? ", %s" : "%s", at);
    if (!s->is_fix) text_printf(&flips, flips.at ? ", %s" : "%s", down ? "::-1" : ":");
    any = any || down;
  }
  const char *out = arena_printf(f->arena, "[%s]", joined(f, &text));
  *after = any ? arena_printf(f->arena, "[%s]", joined(f, &flips)) : "";
  text_free(&text);
  text_free(&flips);
  return out;
}

static Formula of_slice(Formulas *f, const BulkExp *e) {
  const char *after;
  Type t = atom_type(f->prog, e->args.at[0]);
  const char *index = index_of(f, t, &e->slice, &after);
  return called(arena_printf(f->arena, "%s%s%s", object(f, e->args.at[0]), index, after));
}

const char *formula_index(Formulas *f, Type t, const Slice *slice) {
  const char *after;
  const char *index = index_of(f, t, slice, &after);
  if (*after) formula_refuse(f, "an update of a range that goes down");
  return index;
}

static Formula of_concat(Formulas *f, const BulkExp *e) {
  Text text = {0};
  for (int i = 0; i < e->args.len; i++)
    text_printf(&text, i ? ", %s" : "%s", whole_text(f, e->args.at[i]));
  const char *list = joined(f, &text);
  text_free(&text);
  const char *dim = e->number ? arena_printf(f->arena, ", %d", (int)e->number) : "";
  return called(arena_printf(f->arena, "np.concatenate([%s]%s)", list, dim));
}

// ---- indices from data.  Dimensions of a batch get their own position as index.
static const char *position(Formulas *f, Type at, int d) {
  Text text = {0};
  const char *n = formula_text(f, at.dims[d], BINDS_LAMBDA);
  for (int k = d + 1; k < at.rank; k++) text_puts(&text, ", None");
  const char *nones = joined(f, &text);
  text_free(&text);
  if (!*nones) return arena_printf(f->arena, "np.arange(%s)", n);
  return arena_printf(f->arena, "np.arange(%s)[:%s]", n, nones);
}

static const char *clamped(Formulas *f, const char *i, Atom n) {
  return arena_printf(f->arena, "np.clip(%s, 0, %s - 1)", i, formula_text(f, n, BINDS_ADD));
}

static const char *places(Formulas *f, const BulkExp *e, Atoms index, bool clamp) {
  Type at = atom_type(f->prog, index.at[0]), into = atom_type(f->prog, e->args.at[0]);
  Text text = {0};
  for (int d = 0; d < e->number; d++) text_printf(&text, "%s, ", position(f, at, d));
  for (int i = 0; i < index.len; i++) {
    const char *x = whole_text(f, index.at[i]);
    if (clamp) x = clamped(f, x, into.dims[e->number + i]);
    text_printf(&text, i ? ", %s" : "%s", x);
  }
  const char *out = joined(f, &text);
  text_free(&text);
  return out;
}

static Formula of_gather(Formulas *f, const BulkExp *e) {
  Atoms index = atoms_slice(e->args, 1, e->args.len - 1);
  return called(arena_printf(f->arena, "%s[%s]", object(f, e->args.at[0]),
                             places(f, e, index, e->flag)));
}

static const char *ufunc(const Lambda *fn) {
  Op op;
  Prim p;
  if (!lambda_is_op(fn, &op, &p)) return NULL;
  bool real = prim_is_float(p);
  switch ((int)op) {
    case OP_ADD: return "np.add";
    case OP_MUL: return "np.multiply";
    case OP_MIN: case OP_MIN_FIRST: return real ? "np.fmin" : "np.minimum";
    case OP_MAX: case OP_MAX_FIRST: return real ? "np.fmax" : "np.maximum";
    case OP_AND: return p == PRIM_BOOL ? "np.logical_and" : "np.bitwise_and";
    case OP_OR: return p == PRIM_BOOL ? "np.logical_or" : "np.bitwise_or";
    case OP_XOR: return p == PRIM_BOOL ? "np.logical_xor" : "np.bitwise_xor";
  }
  return NULL;
}

static Formula of_put(Formulas *f, const BulkExp *e) {
  const char *op = e->fn ? ufunc(e->fn) : "None";
  if (!op) formula_refuse(f, "a histogram whose operator is no single operation");
  f->helps |= 1u << HELP_PUT;
  Atoms index = atoms_slice(e->args, 1, e->args.len - 2);
  const char *at = places(f, e, index, false);
  bool one = index.len == 1 && e->number == 0;
  return called(arena_printf(f->arena, "put(%s, %s, (%s%s), %s)", op, whole_text(f, e->args.at[0]),
                             at, one ? "," : "", whole_text(f, e->args.at[e->args.len - 1])));
}

// ---- the first place of an extremum: the operator of (element, place) that keeps the first
static bool is_first(Formulas *f, const BulkExp *e, const char *op, bool *max) {
  if (e->args.len != 2 || !e->args.at[1].is_var || !atom_is(e->neutral.at[1], -1)) return false;
  if (strcmp(formula_of(f, e->args.at[1]).text,
             arena_printf(f->arena, "np.arange(%s)",
                          formula_text(f, atom_type(f->prog, e->args.at[0]).dims[e->number],
                                       BINDS_LAMBDA))) != 0)
    return false;
  const char *p[4];
  for (int i = 0; i < 4; i++) p[i] = formula_name(f, e->fn->params.at[i]);
  *max = e->neutral.at[0].value.f < 0;
  const char *keeps = arena_printf(f->arena, "np.where((%s <= %s) | (%s != %s)", p[*max ? 2 : 0],
                                   p[*max ? 0 : 2], p[2], p[2]);
  const char *want = arena_printf(f->arena, "lambda %s, %s, %s, %s: (%s, %s, %s), %s, %s, %s), )",
                                  p[0], p[1], p[2], p[3], keeps, p[0], p[2], keeps, p[1], p[3]);
  return strcmp(op, want) == 0;
}

// ---- reductions and scans
static const char *axis_text(Formulas *f, Atom x, int64_t dim) {
  bool only = atom_type(f->prog, x).rank == 1;
  return only ? "" : arena_printf(f->arena, ", %d", (int)dim);
}

// Columns of a transposed matrix are rows of the matrix.
static Atom untransposed(Formulas *f, Atom x, int64_t *dim) {
  const BulkStm *def = x.is_var ? map_get(f->defs, x.var.id) : NULL;
  if (!def || def->exp.form != BULK_TRANSPOSE || def->exp.ints.len != 2) return x;
  *dim = def->exp.ints.at[*dim];
  return def->exp.args.at[0];
}

const char *formula_fold(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  bool scan = e->form == BULK_PREFIX;
  bool max;
  if (scan && e->flag) formula_refuse(f, "an exclusive scan by an operator that is no operation");
  const char *op = formula_operator(f, e->fn);
  if (!scan && is_first(f, e, op, &max)) {
    f->helps |= 1u << HELP_FIRST;
    return arena_printf(f->arena, "first(np.%s, np.arg%s, %s, %d)", max ? "fmax" : "fmin",
                        max ? "max" : "min", whole_text(f, e->args.at[0]), (int)e->number);
  }
  f->helps |= 1u << (scan ? HELP_SCAN : HELP_FOLD);
  Text text = {0};
  text_printf(&text, "%s(%s, (", scan ? "scan" : "fold", op);
  for (int i = 0; i < e->neutral.len; i++)
    text_printf(&text, "%s, ", formula_text(f, e->neutral.at[i], BINDS_LAMBDA));
  text_printf(&text, "), %d", (int)e->number);
  for (int i = 0; i < e->args.len; i++) text_printf(&text, ", %s", whole_text(f, e->args.at[i]));
  text_puts(&text, ")");
  const char *out = joined(f, &text);
  text_free(&text);
  return out;
}

static bool is_extremum(const char *op) {
  return strcmp(op, "np.fmin") == 0 || strcmp(op, "np.fmax") == 0 ||
         strcmp(op, "np.minimum") == 0 || strcmp(op, "np.maximum") == 0;
}

static Formula of_fold(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const char *op = ufunc(e->fn), *x, *axis;
  if (!op) return called(arena_printf(f->arena, "%s[0]", formula_fold(f, stm)));
  int64_t dim = e->number;
  Atom of = untransposed(f, e->args.at[0], &dim);
  x = whole_text(f, of), axis = axis_text(f, of, dim);
  if (strcmp(op, "np.add") == 0) return called(arena_printf(f->arena, "np.sum(%s%s)", x, axis));
  if (strcmp(op, "np.multiply") == 0)
    return called(arena_printf(f->arena, "np.prod(%s%s)", x, axis));
  if (strcmp(op, "np.logical_and") == 0)
    return called(arena_printf(f->arena, "np.all(%s%s)", x, axis));
  if (strcmp(op, "np.logical_or") == 0)
    return called(arena_printf(f->arena, "np.any(%s%s)", x, axis));
  const char *first = is_extremum(op)
                          ? arena_printf(f->arena, ", initial=%s",
                                         formula_text(f, e->neutral.at[0], BINDS_LAMBDA))
                          : "";
  return called(arena_printf(f->arena, "%s.reduce(%s%s%s)", op, x, axis, first));
}

static Formula of_prefix(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const char *op = ufunc(e->fn);
  if (!op) return called(arena_printf(f->arena, "%s[0]", formula_fold(f, stm)));
  const char *x = whole_text(f, e->args.at[0]), *axis = axis_text(f, e->args.at[0], e->number);
  const char *scan = strcmp(op, "np.add") == 0
                         ? arena_printf(f->arena, "np.cumsum(%s%s)", x, axis)
                         : arena_printf(f->arena, "%s.accumulate(%s%s)", op, x, axis);
  if (!e->flag) return called(scan);
  f->helps |= 1u << HELP_BEFORE;
  return called(arena_printf(f->arena, "before(%s, %s, %d)", scan,
                             formula_text(f, e->neutral.at[0], BINDS_LAMBDA), (int)e->number));
}

// ---- contractions: products of matrices and vectors where they are such, else by letters
static Formula product(Formulas *f, const char *x, const char *op, const char *y) {
  return (Formula){.text = arena_printf(f->arena, "%s %s %s", x, op, y), .binds = BINDS_MUL};
}

static const char *factor(Formulas *f, Atom a, bool transposed, Binds least) {
  Formula x = formula_whole(f, a);
  if (transposed) {
    const char *o = object(f, a);
    size_t n = strlen(o);
    if (n > 2 && strcmp(o + n - 2, ".T") == 0) return arena_strndup(f->arena, o, n - 2);
    return arena_printf(f->arena, "%s.T", o);
  }
  return x.binds >= least ? x.text : arena_printf(f->arena, "(%s)", x.text);
}

static Formula by_letters(Formulas *f, const BulkExp *e) {
  char in[2][64] = {{0}}, out[64] = {0};
  char next = 'i';
  int n = 0, pairs = e->ints.len / 2;
  for (int p = 0; p < pairs; p++, next++) {
    in[0][e->ints.at[2 * p]] = in[1][e->ints.at[2 * p + 1]] = next;
    if (p < e->number) out[n++] = next;
  }
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < atom_type(f->prog, e->args.at[side]).rank; d++)
      if (!in[side][d]) out[n++] = in[side][d] = next, next++;
  return called(arena_printf(f->arena, "np.einsum(\"%s,%s->%s\", %s, %s)", in[0], in[1], out,
                             whole_text(f, e->args.at[0]), whole_text(f, e->args.at[1])));
}

static Formula of_contract(Formulas *f, const BulkExp *e) {
  Atom x = e->args.at[0], y = e->args.at[1];
  int rx = atom_type(f->prog, x).rank, ry = atom_type(f->prog, y).rank;
  if (e->ints.len == 0 && (rx == 0 || ry == 0))
    return product(f, factor(f, x, false, BINDS_MUL), "*", factor(f, y, false, BINDS_NEG));
  if (e->ints.len == 0 && rx == 1 && ry == 1)
    return called(arena_printf(f->arena, "np.outer(%s, %s)", whole_text(f, x), whole_text(f, y)));
  if (e->number || e->ints.len != 2 || rx > 2 || ry > 2) return by_letters(f, e);
  int64_t dx = e->ints.at[0], dy = e->ints.at[1];
  if (rx == 1 && ry == 2 && dy == 1)  // x @ y.T
    return product(f, factor(f, y, false, BINDS_MUL), "@", factor(f, x, false, BINDS_NEG));
  return product(f, factor(f, x, dx != rx - 1, BINDS_MUL), "@", factor(f, y, dy != 0, BINDS_NEG));
}

// ---- new arrays
static Formula of_iota(Formulas *f, const BulkExp *e) {
  const char *n = formula_text(f, e->args.at[0], BINDS_LAMBDA);
  Formula steps = called(arena_printf(f->arena, "np.arange(%s)", n));
  if (!atom_is(e->args.at[2], 1)) {
    Formula args[] = {formula_of(f, e->args.at[2]), steps};
    steps = formula_operation(f, OP_MUL, PRIM_I64, args, 0);
  }
  if (atom_is(e->args.at[1], 0)) return steps;
  Formula args[] = {formula_of(f, e->args.at[1]), steps};
  return formula_operation(f, OP_ADD, PRIM_I64, args, 0);
}

static Formula of_constant(Formulas *f, const BulkStm *stm) {
  Data data = stm->exp.data;
  Text text = {0};
  for (int64_t i = 0; i < data.len; i++)
    text_printf(&text, i ? ", %s" : "%s", formula_of(f, atom_scalar(data.at[i])).text);
  const char *list = joined(f, &text);
  text_free(&text);
  return called(arena_printf(f->arena, "np.array([%s], %s)", list,
                             type_name(var_type(f->prog, stm->bound.at[0]).prim)));
}

Formula formula_array(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  switch (e->form) {
    case BULK_PRIM: return of_prim(f, stm);
    case BULK_CONV: return formula_conv(f, e->prim, formula_of(f, e->args.at[0]));
    case BULK_OPAQUE: case BULK_STOP: return formula_of(f, e->args.at[0]);
    case BULK_CONSTANT: return of_constant(f, stm);
    case BULK_SCRATCH: return full(f, "0.0", var_type(f->prog, stm->bound.at[0]));
    case BULK_IOTA: return of_iota(f, e);
    case BULK_BROADCAST: return of_broadcast(f, stm);
    case BULK_TRANSPOSE: return of_transpose(f, e);
    case BULK_RESHAPE: return of_reshape(f, stm);
    case BULK_SLICE: return of_slice(f, e);
    case BULK_REVERSE: return of_reverse(f, e);
    case BULK_CONCAT: return of_concat(f, e);
    case BULK_GATHER: return of_gather(f, e);
    case BULK_PUT: return of_put(f, e);
    case BULK_FOLD: return of_fold(f, stm);
    case BULK_PREFIX: return of_prefix(f, stm);
    case BULK_CONTRACT: return of_contract(f, e);
    case BULK_UPDATE: case BULK_LOOP: case BULK_MATCH: case BULK_ASSERT: case BULK_CORE:
    case BULK_CONVOLVE: case BULK_COUNT: break;
  }
  ice("form %d is a statement", e->form);
}
