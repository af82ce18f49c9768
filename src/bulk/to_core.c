// Bulk programs to core: each whole-array statement becomes a nest of maps, a reduction, a scan or
// an accumulator; the usual fusion makes one nest of many.
//
// Bulk values are pure, core's updates consume.  An array is overwritten in place where this is the
// last use of it and of every view of it, and copied before otherwise.
#include "local_core.h"

Atom core_of(ToCore *c, Atom a) {
  if (!a.is_var || a.var.id >= (uint32_t)c->cap) return a;
  return c->known[a.var.id] ? c->atoms[a.var.id] : a;
}

Atoms core_atoms(ToCore *c, Atoms atoms) {
  Atoms out = {0};
  for (int i = 0; i < atoms.len; i++) list_push(c->prog->arena, &out, core_of(c, atoms.at[i]));
  return out;
}

void core_bind(ToCore *c, Var v, Atom a) {
  check(v.id < (uint32_t)c->cap);
  if (a.is_var && a.var.id >= (uint32_t)c->cap) bulk_name_as(c->prog, a.var, v);
  c->atoms[v.id] = a, c->known[v.id] = true;
}

Type core_type(ToCore *c, Type t) {
  Atoms dims = {0};
  for (int d = 0; d < t.rank; d++) list_push(c->prog->arena, &dims, core_of(c, t.dims[d]));
  return type_array_dims(c->prog->arena, type_scalar(t.prim), dims);
}

// ---- nests of maps
Atoms core_nest(ToCore *c, Builder *b, int depth, Atoms inputs, NestBody body) {
  if (depth == 0) return body.rows(c, b, inputs, body.state);
  Types rows = {0};
  Atom width = atom_type(b->prog, inputs.at[0]).dims[0];
  for (int i = 0; i < inputs.len; i++) {
    Type t = atom_type(b->prog, inputs.at[i]);
    list_push(b->prog->arena, &rows, t.is_acc ? t : type_row(t));
  }
  LambdaBuilder fn = lambda_begin(b, "x", rows);
  Atoms params = atoms_of_vars(b->prog->arena, fn.lambda->params);
  Lambda *lambda = lambda_end(&fn, core_nest(c, &fn.inner, depth - 1, params, body));
  Exp exp = {.form = FORM_MAP, .map = {.width = width, .fn = lambda, .inputs = inputs}};
  return atoms_of_vars(b->prog->arena, build_many(b, NULL, exp_types(b->prog, &exp), exp));
}

// ---- elementwise operations
typedef struct {
  const BulkStm *stm;
  Atoms args;
  int *row;  // place among the rows, -1: a scalar
} Elementwise;

static Atoms element(ToCore *c, Builder *b, Atoms rows, void *state) {
  const Elementwise *e = state;
  const BulkExp *x = &e->stm->exp;
  Atoms args = {0};
  for (int i = 0; i < e->args.len; i++)
    list_push(c->prog->arena, &args, e->row[i] < 0 ? e->args.at[i] : rows.at[e->row[i]]);
  Exp exp = x->form == BULK_CONV
                ? (Exp){.form = FORM_CONV, .conv = {.to = x->prim, .arg = args.at[0]}}
                : (Exp){.form = FORM_PRIM, .prim = {.op = x->op, .prim = x->prim, .args = args}};
  Atom r = build(b, NULL, exp_types(b->prog, &exp).at[0], exp);
  b->stms->at[b->stms->len - 1].attrs.unchecked = e->stm->unchecked;
  b->stms->at[b->stms->len - 1].attrs.linear = x->form == BULK_PRIM && x->flag;
  return atoms_of(c->prog->arena, 1, &r);
}

static void core_elementwise(ToCore *c, const BulkStm *stm) {
  Elementwise e = {.stm = stm, .args = core_atoms(c, stm->exp.args)};
  e.row = NEW_ARRAY(c->prog->arena, int, e.args.len);
  Atoms inputs = {0};
  int rank = var_type(c->prog, stm->bound.at[0]).rank;
  for (int i = 0; i < e.args.len; i++) {
    bool is_array = atom_type(c->prog, e.args.at[i]).rank > 0;
    e.row[i] = is_array ? inputs.len : -1;
    if (is_array) list_push(c->prog->arena, &inputs, e.args.at[i]);
  }
  core_bind(c, stm->bound.at[0], core_nest(c, &c->b, rank, inputs, (NestBody){element, &e}).at[0]);
}

// ---- moving
static void core_one(ToCore *c, const BulkStm *stm, Exp exp) {
  Type type = core_type(c, var_type(c->prog, stm->bound.at[0]));
  Atom r = build(&c->b, var_info(c->prog, stm->bound.at[0])->base, type, exp);
  c->b.stms->at[c->b.stms->len - 1].attrs.unchecked = stm->unchecked;
  core_bind(c, stm->bound.at[0], r);
}

// Missing dimensions in front, then all in place.
static void core_broadcast(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Atoms dims = core_atoms(c, e->dims), missing = {0};
  int64_t perm[64];
  int n = dims.len - e->ints.len, next = 0, own = 0;
  bool same = true;
  for (int d = 0; d < dims.len; d++) {
    bool has = own < e->ints.len && e->ints.at[own] == d;
    perm[d] = has ? n + own++ : next++;
    if (!has) list_push(c->prog->arena, &missing, dims.at[d]);
    same = same && perm[d] == d;
  }
  Atom r = build_replicate(&c->b, missing, core_of(c, e->args.at[0]));
  if (!same) {
    Ints ints = {.at = arena_copy(c->prog->arena, perm, sizeof *perm * (size_t)dims.len),
                 .len = dims.len, .cap = dims.len};
    Exp exp = {.form = FORM_REARRANGE, .rearrange = {.array = r, .perm = ints}};
    r = build(&c->b, NULL, exp_types(c->prog, &exp).at[0], exp);
  }
  core_bind(c, stm->bound.at[0], r);
}

Slice core_slice(ToCore *c, Slice slice) {
  Slice out = {0};
  for (int i = 0; i < slice.len; i++) {
    SliceDim d = slice.at[i];
    d.start = core_of(c, d.start), d.count = core_of(c, d.count), d.stride = core_of(c, d.stride);
    list_push(c->prog->arena, &out, d);
  }
  return out;
}

static void core_reverse(ToCore *c, const BulkStm *stm) {
  Atom x = core_of(c, stm->exp.args.at[0]);
  Slice s = slice_whole(c->prog->arena, atom_type(c->prog, x), 0);
  SliceDim *d = &s.at[stm->exp.number];
  d->start = build_op(&c->b, OP_SUB, d->count, atom_i64(1)), d->stride = atom_i64(-1);
  Exp exp = {.form = FORM_INDEX, .index = {.array = x, .slice = s}};
  BulkStm fine = *stm;
  fine.unchecked = true;
  core_one(c, &fine, exp);
}

static void core_concat(ToCore *c, const BulkStm *stm) {
  Atoms parts = core_atoms(c, stm->exp.args);
  core_one(c, stm, (Exp){.form = FORM_CONCAT,
                         .concat = {.dim = stm->exp.number, .arrays = parts}});
}

Atom core_owned(ToCore *c, const BulkStm *stm, Atom dest) {
  Atom a = core_of(c, dest);
  if (dest.is_var && uses_end(c, stm, dest.var)) return a;
  return build_copy(&c->b, a);
}

static void core_update(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Atom dest = core_owned(c, stm, e->args.at[0]);
  core_one(c, stm, (Exp){.form = FORM_UPDATE,
                         .update = {.array = dest, .slice = core_slice(c, e->slice),
                                    .value = core_of(c, e->args.at[1])}});
}

static void core_assert(ToCore *c, const BulkStm *stm) {
  Atoms args = core_atoms(c, stm->exp.args);
  Exp exp = {.form = FORM_ASSERT,
             .assert = {.cond = args.at[0], .message = stm->exp.text,
                        .args = atoms_slice(args, 1, args.len - 1)}};
  build_stm(&c->b, (Stm){.exp = exp, .loc = c->b.loc});
}

static void core_foreign(ToCore *c, const BulkStm *stm) {
  Rewrite w = rewrite_new(c->prog, c->b);
  Vars free = exp_free(c->prog, c->prog->arena, &stm->exp.core);
  for (int i = 0; i < free.len; i++)
    rewrite_bind(&w, free.at[i], core_of(c, atom_var(free.at[i])));
  Types types = {0};
  for (int i = 0; i < stm->bound.len; i++)
    list_push(c->prog->arena, &types, core_type(c, var_type(c->prog, stm->bound.at[i])));
  Vars r = build_many(&c->b, NULL, types, rewrite_exp(&w, &stm->exp.core));
  // The derivative of what dual arrays leave is not theirs to take.
  if (stm->exp.core.form == FORM_VJP)
    c->b.stms->at[c->b.stms->len - 1].attrs.strategy = STRATEGY_REDUNDANT;
  for (int i = 0; i < r.len; i++) core_bind(c, stm->bound.at[i], atom_var(r.at[i]));
}

static void core_stm(ToCore *c, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Atom x = e->args.len ? core_of(c, e->args.at[0]) : atom_i64(0);
  switch (e->form) {
    case BULK_PRIM: case BULK_CONV: core_elementwise(c, stm); return;
    case BULK_OPAQUE: core_one(c, stm, (Exp){.form = FORM_OPAQUE, .opaque = {x}}); return;
    case BULK_STOP: core_one(c, stm, (Exp){.form = FORM_STOPGRADIENT, .stopgradient = {x}}); return;
    case BULK_CONSTANT:
      core_one(c, stm, (Exp){.form = FORM_CONSTANT, .constant = {e->data}});
      return;
    case BULK_SCRATCH:
      core_one(c, stm, (Exp){.form = FORM_SCRATCH, .scratch = {e->prim, core_atoms(c, e->dims)}});
      return;
    case BULK_IOTA:
      core_one(c, stm, (Exp){.form = FORM_IOTA,
                             .iota = {x, core_of(c, e->args.at[1]), core_of(c, e->args.at[2])}});
      return;
    case BULK_BROADCAST: core_broadcast(c, stm); return;
    case BULK_TRANSPOSE:
      core_one(c, stm, (Exp){.form = FORM_REARRANGE, .rearrange = {x, e->ints}});
      return;
    case BULK_RESHAPE:
      core_one(c, stm, (Exp){.form = FORM_RESHAPE, .reshape = {x, core_atoms(c, e->dims)}});
      return;
    case BULK_SLICE:
      core_one(c, stm, (Exp){.form = FORM_INDEX, .index = {x, core_slice(c, e->slice)}});
      return;
    case BULK_UPDATE: core_update(c, stm); return;
    case BULK_REVERSE: core_reverse(c, stm); return;
    case BULK_CONCAT: core_concat(c, stm); return;
    case BULK_GATHER: core_gather(c, stm); return;
    case BULK_PUT: core_put(c, stm); return;
    case BULK_FOLD: core_fold(c, stm); return;
    case BULK_PREFIX: core_prefix(c, stm); return;
    case BULK_CONTRACT: core_contract(c, stm); return;
    case BULK_LOOP: core_loop(c, stm); return;
    case BULK_MATCH: core_match(c, stm); return;
    case BULK_ASSERT: core_assert(c, stm); return;
    case BULK_CORE: core_foreign(c, stm); return;
    case BULK_CONVOLVE: case BULK_COUNT: break;
  }
  ice("form %d", e->form);
}

Atoms core_body(ToCore *c, const BulkBody *body) {
  Uses *outer = c->uses;
  c->uses = uses_find(c, body);
  for (int i = 0; i < body->stms.len; i++) {
    c->b.loc = body->stms.at[i].loc;
    c->at = i;
    core_stm(c, &body->stms.at[i]);
  }
  c->uses = outer;
  return core_atoms(c, body->results);
}

ToCore core_begin(const Builder *b) {
  ToCore c = {.prog = b->prog, .b = *b, .cap = b->prog->vars.len};
  c.atoms = NEW_ARRAY(b->prog->arena, Atom, c.cap);
  c.known = NEW_ARRAY(b->prog->arena, bool, c.cap);
  return c;
}

Atoms bulk_to_core(Builder *b, const BulkBody *body) {
  ToCore c = core_begin(b);
  return core_body(&c, body);
}

Lambda *bulk_lambda(Prog *prog, const BulkStm *stm, Vars operands) {
  Stms none = {0};
  Builder outer = builder_new(prog, &none);
  LambdaBuilder fn = lambda_begin(&outer, "x", types_of_vars(prog, operands));
  ToCore c = core_begin(&fn.inner);
  for (int i = 0; i < operands.len; i++)
    core_bind(&c, operands.at[i], atom_var(fn.lambda->params.at[i]));
  BulkBody body = {.results = atoms_of_vars(prog->arena, stm->bound)};
  list_push(prog->arena, &body.stms, *stm);
  return lambda_end(&fn, core_body(&c, &body));
}
