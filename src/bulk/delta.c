// From a bulk program to Delta terms, statement by statement (the table in doc/bulk.md).
//
// Partials are bulk statements computed once, after the statement they belong to.  Products by
// partials that may be infinite or NaN are safe products: src/ad/common/guarded.c has the reason;
// here every product is one in a program that selects, gathers under masks or has a pole.
#include "delta.h"

typedef struct {
  Deltas *d;
  bool guarding;
  jmp_buf refused;
  BulkRefusal *why;
} Forward;

static _Noreturn void refuse(Forward *f, const BulkStm *stm, const char *text) {
  *f->why = (BulkRefusal){.loc = stm ? stm->loc : NULL, .text = text};
  longjmp(f->refused, 1);
}

static Delta *node(Forward *f, DeltaKind kind, Type type, const Delta *of) {
  Delta *n = NEW(f->d->prog->arena, Delta);
  *n = (Delta){.kind = kind, .type = type, .of = {of, NULL}};
  f->d->nodes++;
  return n;
}

const Delta *delta_of(const Deltas *d, Atom a) {
  return a.is_var ? map_get(d->of_var, a.var.id) : NULL;
}

static const Delta *plus(Forward *f, const Delta *x, const Delta *y) {
  if (!x || !y) return x ? x : y;
  Delta *n = node(f, DELTA_ADD, x->type, x);
  n->of[1] = y;
  return n;
}

static const Delta *scaled(Forward *f, const Delta *x, Atom by, bool guarded) {
  if (!x || atom_is(by, 0)) return NULL;
  if (atom_is(by, 1)) return x;
  Delta *n = node(f, atom_is(by, -1) ? DELTA_NEG : DELTA_SCALE, x->type, x);
  n->atom = by, n->guarded = guarded && by.is_var;
  return n;
}

static const Delta *masked(Forward *f, const Delta *x, Atom where) {
  if (!x) return NULL;
  Delta *n = node(f, DELTA_MASK, x->type, x);
  n->atom = where;
  return n;
}

// ---- scalar operations
static bool chooses(const Term *t) {
  if (!t || t->kind == TERM_CONST) return true;
  return t->kind == TERM_OP && t->op == OP_SELECT && chooses(t->y) && chooses(t->z);
}

typedef struct {
  const BulkStm *stm;
  Prim prim;
  const Atom *args;
  Atom result;
} Partial;

static const Delta *by_term(Forward *f, const Partial *p, const Term *t, const Delta *x) {
  BulkBuilder *b = &f->d->b;
  if (!t) return NULL;
  if (t->kind == TERM_CONST) return scaled(f, x, atom_number(p->prim, t->value), false);
  if (t->kind == TERM_OP && t->op == OP_NEG)
    return scaled(f, by_term(f, p, t->x, x), atom_number(p->prim, -1), false);
  if (chooses(t)) {
    Atom c = bulk_term(b, t->x, p->prim, p->args, p->result);
    const Delta *yes = by_term(f, p, t->y, x), *no = by_term(f, p, t->z, x);
    const Delta *here = masked(f, yes, c);
    return plus(f, here, no ? masked(f, no, bulk_op1(b, OP_NOT, c)) : NULL);
  }
  return scaled(f, x, bulk_term(b, t, p->prim, p->args, p->result), f->guarding);
}

// The operands of one shape: scalars beside arrays are spread.
static const Delta *spread(Forward *f, const Delta *x, Type type) {
  if (!x || x->type.rank == type.rank) return x;
  return node(f, DELTA_SPREAD, type, x);
}

static const Delta *of_prim(Forward *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Type type = var_type(f->d->prog, stm->bound.at[0]);
  const Delta *sum = NULL;
  Partial p = {.stm = stm, .prim = e->prim, .args = e->args.at,
               .result = atom_var(stm->bound.at[0])};
  for (int i = 0; i < e->args.len; i++) {
    const Delta *x = spread(f, delta_of(f->d, e->args.at[i]), type);
    if (x) sum = plus(f, sum, by_term(f, &p, op_partial(e->op, e->prim, i), x));
  }
  return sum;
}

// ---- linear forms
static const Delta *linear(Forward *f, const BulkStm *stm, int operand) {
  const Delta *x = delta_of(f->d, stm->exp.args.at[operand]);
  if (!x) return NULL;
  Delta *n = node(f, DELTA_LINEAR, var_type(f->d->prog, stm->bound.at[0]), x);
  n->stm = stm, n->operand = operand;
  return n;
}

static const Delta *linear_all(Forward *f, const BulkStm *stm) {
  const Delta *sum = NULL;
  for (int i = 0; i < stm->exp.args.len; i++) sum = plus(f, sum, linear(f, stm, i));
  return sum;
}

static const Delta *of_contract(Forward *f, const BulkStm *stm) {
  const Delta *sum = NULL;
  for (int i = 0; i < 2; i++) {
    const Delta *x = delta_of(f->d, stm->exp.args.at[i]);
    if (!x) continue;
    Delta *n = node(f, DELTA_CONTRACT, var_type(f->d->prog, stm->bound.at[0]), x);
    n->stm = stm, n->operand = i, n->atom = stm->exp.args.at[1 - i];
    sum = plus(f, sum, n);
  }
  return sum;
}

static bool operator_adds(const Lambda *fn) {
  Op op;
  Prim prim;
  return fn && lambda_is_op(fn, &op, &prim) && op == OP_ADD;
}

// Where each value of an overwriting PUT is the last written to its place.
static Atom winners(Forward *f, const BulkStm *stm) {
  BulkBuilder *b = &f->d->b;
  Arena *arena = b->prog->arena;
  const BulkExp *e = &stm->exp;
  Type at = atom_type(b->prog, e->args.at[1]), dest = atom_type(b->prog, e->args.at[0]);
  int indices = e->args.len - 2, batch = (int)e->number;
  Atom n = atom_i64(1);
  for (int d = 0; d < at.rank; d++) n = bulk_op(b, OP_MUL, n, at.dims[d]);
  Atom place = bulk_iota(b, n, atom_i64(0), atom_i64(1));
  place = at.rank ? bulk_reshape(b, place, atoms_of(arena, at.rank, at.dims)) : atom_i64(0);
  Type cells = type_array_dims(arena, type_scalar(PRIM_I64),
                               atoms_of(arena, batch + indices, dest.dims));
  Atom none = bulk_broadcast(b, atom_i64(-1), atoms_of(arena, cells.rank, cells.dims), NULL);
  Atoms index = atoms_slice(e->args, 1, indices);
  Atom least = atom_i64(INT64_MIN);
  Operator max = {.op = lambda_binop(b->prog, OP_MAX, PRIM_I64),
                  .neutral = atoms_of(arena, 1, &least)};
  Atom last = bulk_put(b, none, batch, max,
                       atoms_concat(arena, index, atoms_of(arena, 1, &place)));
  Atom won = bulk_gather(b, last, batch, index);
  b->stms->at[b->stms->len - 1].exp.flag = true;
  return bulk_op(b, OP_EQ, won, place);
}

static const Delta *of_put(Forward *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  int value = e->args.len - 1;
  const Delta *old = linear(f, stm, 0), *v = linear(f, stm, value);
  if (!e->fn && v) ((Delta *)v)->atom = winners(f, stm);
  return plus(f, old, v);
}

// ---- extrema: the index of the first of the largest elements, -1 for the neutral element
static Lambda *first_operator(Prog *prog, Op op, Prim prim) {
  Stms none = {0};
  Builder outer = builder_new(prog, &none);
  Types params = {0};
  Prim prims[] = {prim, PRIM_I64, prim, PRIM_I64};
  for (int i = 0; i < 4; i++) list_push(prog->arena, &params, type_scalar(prims[i]));
  LambdaBuilder fn = lambda_begin(&outer, "x", params);
  Builder *b = &fn.inner;
  Atoms p = atoms_of_vars(prog->arena, fn.lambda->params);
  bool max = op == OP_MAX || op == OP_MAX_FIRST;
  Atom keeps = max ? build_op(b, OP_LE, p.at[2], p.at[0]) : build_op(b, OP_LE, p.at[0], p.at[2]);
  Atom nan = build_op(b, OP_NE, p.at[2], p.at[2]);
  keeps = build_op(b, OP_OR, keeps, nan);
  Atom out[] = {build_select(b, keeps, p.at[0], p.at[2]), build_select(b, keeps, p.at[1], p.at[3])};
  return lambda_end(&fn, atoms_of(prog->arena, 2, out));
}

static Atom first_place(Forward *f, const BulkStm *stm, Op op) {
  BulkBuilder *b = &f->d->b;
  Arena *arena = b->prog->arena;
  const BulkExp *e = &stm->exp;
  Atom x = e->args.at[0];
  Type t = atom_type(b->prog, x);
  int64_t dim = e->number;
  Atom places = bulk_iota(b, t.dims[dim], atom_i64(0), atom_i64(1));
  places = bulk_broadcast(b, places, atoms_of(arena, t.rank, t.dims), &dim);
  Atom inputs[] = {x, places}, neutral[] = {e->neutral.at[0], atom_i64(-1)};
  Vars r = bulk_fold(b, (int)dim, first_operator(b->prog, op, t.prim), atoms_of(arena, 2, neutral),
                     atoms_of(arena, 2, inputs));
  return atom_var(r.at[1]);
}

// ---- forms without a rule here
static const Delta *pulled(Forward *f, const BulkStm *stm, int result) {
  const Delta *first = NULL;
  Vars operands = bulk_operands(f->d->prog, stm);
  for (int i = 0; i < operands.len && !first; i++) first = delta_of(f->d, atom_var(operands.at[i]));
  if (!first) return NULL;
  Delta *n = node(f, DELTA_PULL, var_type(f->d->prog, stm->bound.at[result]), NULL);
  n->stm = stm, n->operand = result;
  return n;
}

static const Delta *of_fold(Forward *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Op op;
  Prim prim;
  if (operator_adds(e->fn)) return linear(f, stm, 0);
  bool extremum = lambda_is_op(e->fn, &op, &prim) && op_is_extremum(op) && prim_is_float(prim);
  if (e->args.len > 1 || !extremum) return pulled(f, stm, 0);
  const Delta *x = delta_of(f->d, e->args.at[0]);
  if (!x) return NULL;
  Delta *n = node(f, DELTA_EXTREMUM, var_type(f->d->prog, stm->bound.at[0]), x);
  n->stm = stm, n->atom = first_place(f, stm, op);
  return n;
}

static const Delta *of_conv(Forward *f, const BulkStm *stm) {
  Prim from = atom_type(f->d->prog, stm->exp.args.at[0]).prim;
  return prim_is_float(from) ? linear(f, stm, 0) : NULL;
}

static const Delta *of_result(Forward *f, const BulkStm *stm, int k) {
  switch (stm->exp.form) {
    case BULK_PRIM: return of_prim(f, stm);
    case BULK_CONV: return of_conv(f, stm);
    case BULK_STOP: case BULK_CONSTANT: case BULK_SCRATCH: case BULK_IOTA: return NULL;
    case BULK_OPAQUE: case BULK_BROADCAST: case BULK_TRANSPOSE: case BULK_RESHAPE:
    case BULK_SLICE: case BULK_REVERSE: return linear(f, stm, 0);
    case BULK_UPDATE: case BULK_CONCAT: return linear_all(f, stm);
    case BULK_GATHER: return linear(f, stm, 0);
    case BULK_PUT:
      return stm->exp.fn && !operator_adds(stm->exp.fn) ? pulled(f, stm, 0) : of_put(f, stm);
    case BULK_FOLD: return stm->bound.len > 1 ? pulled(f, stm, k) : of_fold(f, stm);
    case BULK_PREFIX:
      return operator_adds(stm->exp.fn) ? linear(f, stm, 0) : pulled(f, stm, k);
    case BULK_CONTRACT: return of_contract(f, stm);
    case BULK_LOOP: case BULK_MATCH: case BULK_CORE: return pulled(f, stm, k);
    case BULK_ASSERT: return NULL;
    case BULK_CONVOLVE: case BULK_COUNT: break;
  }
  ice("form %d", stm->exp.form);
}

static void share(Forward *f, const BulkStm *stm, int k, const Delta *body) {
  Deltas *d = f->d;
  Delta *n = node(f, DELTA_SHARE, var_type(d->prog, stm->bound.at[k]), body);
  n->stm = stm, n->operand = k, n->id = ++d->count, n->var = stm->bound.at[k];
  check(n->id < d->cap);
  d->shares[n->id] = n;
  map_put(d->of_var, n->var.id, n);
}

static void forward_stm(Forward *f, const BulkStm *stm) {
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(f->d->prog, stm->bound.at[k]);
    if (!prim_is_float(t.prim)) continue;
    const Delta *body = of_result(f, stm, k);
    if (body) share(f, stm, k, body);
  }
}

// ---- what has no derivative here: arguments of integers that a float or a result depends on
static void refuse_integers(Forward *f, const BulkBody *body, Vars inputs) {
  Map *ints = map_new(f->d->prog->arena);
  for (int i = 0; i < inputs.len; i++)
    if (!prim_is_float(var_type(f->d->prog, inputs.at[i]).prim)) map_put(ints, inputs.at[i].id, f);
  if (!map_len(ints)) return;
  for (int i = 0; i < body->stms.len; i++) {
    const BulkStm *stm = &body->stms.at[i];
    Vars operands = bulk_operands(f->d->prog, stm);
    bool any = false;
    for (int k = 0; k < operands.len; k++) any = any || map_get(ints, operands.at[k].id);
    for (int k = 0; any && k < stm->bound.len; k++) {
      Prim p = var_type(f->d->prog, stm->bound.at[k]).prim;
      if (prim_is_float(p) && stm->exp.form == BULK_CONV)
        refuse(f, stm, "a conversion of an integer that is differentiated");
      if (!prim_is_float(p)) map_put(ints, stm->bound.at[k].id, f);
    }
  }
  for (int i = 0; i < body->results.len; i++)
    if (body->results.at[i].is_var && map_get(ints, body->results.at[i].var.id))
      refuse(f, NULL, "an integer result that depends on an integer argument");
}

static bool may_guard(const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  if (e->form == BULK_GATHER) return e->flag;
  if (e->form == BULK_PUT || e->form == BULK_MATCH || e->form == BULK_LOOP) return true;
  if (e->form == BULK_FOLD || e->form == BULK_PREFIX) return !operator_adds(e->fn);
  if (e->form != BULK_PRIM || !prim_is_float(e->prim)) return false;
  switch ((int)e->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: case OP_MAD: case OP_FMA: case OP_SIN:
    case OP_COS: case OP_TANH: case OP_ATAN: case OP_ERF: case OP_ABS: return false;
  }
  return true;
}

bool delta_build(Prog *prog, const BulkBody *body, Vars inputs, Deltas *out, BulkRefusal *why) {
  *out = (Deltas){.prog = prog, .of_var = map_new(prog->arena), .strict = out->strict};
  Forward f = {.d = out, .why = why};
  out->b = (BulkBuilder){.prog = prog, .stms = &out->body.stms};
  out->cap = 1;
  for (int i = 0; i < body->stms.len; i++) out->cap += body->stms.at[i].bound.len;
  out->shares = NEW_ARRAY(prog->arena, const Delta *, out->cap);
  for (int i = 0; i < body->stms.len && !out->strict; i++)
    f.guarding = f.guarding || may_guard(&body->stms.at[i]);
  if (setjmp(f.refused)) return false;
  refuse_integers(&f, body, inputs);
  for (int i = 0; i < inputs.len; i++) {
    Type t = var_type(prog, inputs.at[i]);
    if (!prim_is_float(t.prim)) continue;
    Delta *n = node(&f, DELTA_INPUT, t, NULL);
    n->var = inputs.at[i];
    map_put(out->of_var, n->var.id, n);
  }
  for (int i = 0; i < body->stms.len; i++) {
    out->b.loc = body->stms.at[i].loc;
    list_push(prog->arena, &out->body.stms, body->stms.at[i]);
    forward_stm(&f, &body->stms.at[i]);
  }
  out->body.results = body->results;
  return true;
}
