// Perfect nests of maps that do nothing but update accumulators, run in the order of memory.
//
//   map i (map j (map k (A[i,k] += B[k,j] * g[i,j];  B'[k,j] += A'[i,k] * g[i,j])))
//
// becomes one nest per update.  The innermost dimension is the one that most accesses have last
// (unit stride), or that they do not have; when the update's own index ignores it, the sum is
// private:
//
//   map i (map k (A[i,k] += sum_j B[k,j] * g[i,j]));  map i (map k (map j (B'[k,j] += ..)))
#include "acc.h"

#include <string.h>

Access *access_of(const Nest *n, Atom x) {
  return x.is_var ? map_get(n->names, x.var.id) : NULL;
}

Access *access_new(Nest *n, Var v, Access name) {
  Access *x = NEW(n->a->scratch, Access);
  *x = name;
  map_put(n->names, v.id, x);
  return x;
}

bool match_is_if(const Prog *prog, const struct match_form *m) {
  return m->args.len == 1 && m->cases.len == 2 && !m->cases.at[0].pats.at[0].any &&
         atom_type(prog, m->args.at[0]).prim == PRIM_BOOL;
}

bool access_is_if(const Nest *n, const Access *x, Atom *cond, Atom *yes, Atom *no) {
  if (x->kind != IS_COMPUTED || x->stm->exp.form != FORM_MATCH) return false;
  const struct match_form *m = &x->stm->exp.match;
  if (!match_is_if(n->a->prog, m)) return false;
  bool first = scalar_same(m->cases.at[0].pats.at[0].lit, scalar_bool(true));
  *cond = m->args.at[0];
  *yes = m->cases.at[!first].body.results.at[x->result];
  *no = m->cases.at[first].body.results.at[x->result];
  return true;
}

// ---- recognising
int nest_dim(Nest *n, Atom width) {
  int dim = n->dims++;
  n->width[dim] = width;
  n->dim[dim] = var_new(n->a->prog, "i", type_scalar(PRIM_I64));
  n->index[dim] = atom_var(n->dim[dim]);
  access_new(n, n->dim[dim], (Access){.kind = IS_INDEX, .dim = dim});
  return dim;
}

// x + y, as a name of the nest.
static Atom nest_plus(Nest *n, Atom x, Atom y) {
  if (atom_is(x, 0)) return y;
  if (atom_is(y, 0)) return x;
  Arena *scratch = n->a->scratch;
  Stm *stm = NEW(scratch, Stm);
  Atom args[] = {x, y};
  stm->exp = (Exp){.form = FORM_PRIM, .prim = {.op = OP_ADD, .prim = PRIM_I64}};
  stm->exp.prim.args = atoms_of(scratch, 2, args);
  Var sum = var_new(n->a->prog, "at", type_scalar(PRIM_I64));
  list_push(scratch, &stm->bound, sum);
  access_new(n, sum, (Access){.kind = IS_COMPUTED, .stm = stm, .under = (1u << n->dims) - 1});
  acc_define(n->a, sum, stm->exp);
  return atom_var(sum);
}

static Access row_start(Nest *n, const Access *row, Atom array) {
  Access name = {.kind = IS_READ, .base = row ? row->base : array, .stm = row ? row->stm : NULL};
  if (!row) return name;
  name.under = row->under;
  name.at = atoms_concat(n->a->scratch, row->at, (Atoms){0});
  name.perm = row->perm;
  name.permuted = row->permuted;
  return name;
}

// Indices in the order of the array, as soon as all are there.
static void unpermute(Nest *n, Access *name) {
  if (name->perm.len == 0 || name->at.len < name->permuted + name->perm.len) return;
  Atoms at = atoms_concat(n->a->scratch, name->at, (Atoms){0});
  for (int j = 0; j < name->perm.len; j++)
    name->at.at[name->permuted + name->perm.at[j]] = at.at[name->permuted + j];
  name->perm.len = 0;
}

bool nest_permute(Nest *n, const Stm *stm) {
  const struct rearrange_form *x = &stm->exp.rearrange;
  const Access *row = access_of(n, x->array);
  if (row ? row->kind != IS_READ || row->shift.len || row->perm.len : acc_is_inner(n->a, x->array))
    return false;
  Access name = row_start(n, row, x->array);
  name.perm = x->perm;
  name.permuted = name.at.len;
  access_new(n, stm->bound.at[0], name);
  return true;
}

bool nest_param(Nest *n, Var p, Atom input, int dim) {
  const Access *row = access_of(n, input);
  if (row && row->kind != IS_READ) return false;
  if (!row && map_get(n->a->iotas, input.var.id)) {
    access_new(n, p, (Access){.kind = IS_INDEX, .dim = dim});
    acc_name(n->a, p, n->dim[dim]);
    return true;
  }
  if (!row && acc_is_inner(n->a, input)) return false;
  Access name = row_start(n, row, input);
  Atom index = atom_var(n->dim[dim]);
  if (row && row->shift.len) {
    index = nest_plus(n, row->shift.at[0], index);
    name.shift = atoms_slice(row->shift, 1, row->shift.len - 1);
  }
  list_push(n->a->scratch, &name.at, index);
  unpermute(n, &name);
  access_new(n, p, name);
  return true;
}

// Leading indices, then ranges without gaps.
bool nest_read(Nest *n, const Stm *stm) {
  const struct index_form *x = &stm->exp.index;
  const Access *row = access_of(n, x->array);
  if (row && row->kind != IS_READ) return false;
  if (!row && acc_is_inner(n->a, x->array)) return false;
  Access name = row_start(n, row, x->array);
  bool checked = row && row->stm && !row->stm->attrs.unchecked;
  if (!checked) name.stm = stm;
  name.under |= (1u << n->dims) - 1;
  int pending = row ? row->shift.len : 0;
  for (int i = 0; i < x->slice.len || i < pending; i++) {
    const SliceDim *s = i < x->slice.len ? &x->slice.at[i] : NULL;
    Atom at = s ? s->start : atom_i64(0);
    if (i < pending) at = nest_plus(n, row->shift.at[i], at);
    if (s && s->is_fix ? name.shift.len > 0 : s && !atom_is(s->stride, 1)) return false;
    if (name.perm.len && !(s && s->is_fix)) return false;
    list_push(n->a->scratch, s && s->is_fix ? &name.at : &name.shift, at);
  }
  unpermute(n, &name);
  access_new(n, stm->bound.at[0], name);
  return true;
}

static bool nest_stm(Nest *n, const Stm *stm) {
  if (++n->stms > CORE) return false;
  switch ((int)stm->exp.form) {
  case FORM_INDEX: return nest_read(n, stm);
  case FORM_REARRANGE: return nest_permute(n, stm);
  case FORM_PRIM: case FORM_CONV:
    n->expensive += !exp_is_cheap(&stm->exp);
    access_new(n, stm->bound.at[0], (Access){.kind = IS_COMPUTED, .stm = stm,
                                             .under = (1u << n->dims) - 1});
    return true;
  case FORM_UPDATEACC:
    if (n->n == UPDATES || !acc_operator(n->a, stm->exp.updateacc.acc)) return false;
    if (!type_is_scalar(atom_type(n->a->prog, stm->exp.updateacc.value))) return false;
    n->update[n->n++] = &stm->exp.updateacc;
    return true;
  }
  return false;
}

static bool only_accs(const Prog *prog, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (!var_type(prog, stm->bound.at[i]).is_acc) return false;
  return stm->bound.len > 0;
}

static bool nest_level(Nest *n, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  const Body *body = &m->fn->body;
  if (n->dims == DIMS || !only_accs(n->a->prog, stm) || acc_is_inner(n->a, m->width)) return false;
  int dim = nest_dim(n, m->width);
  for (int i = 0; i < m->inputs.len; i++) {
    if (atom_type(n->a->prog, m->inputs.at[i]).is_acc) continue;
    if (!nest_param(n, m->fn->params.at[i], m->inputs.at[i], dim)) return false;
  }
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *s = &body->stms.at[i];
    if (s->exp.form == FORM_MAP) return i == body->stms.len - 1 && !n->n && nest_level(n, s);
    if (!nest_stm(n, s)) return false;
  }
  return n->n > 0;
}

// ---- choosing
// How an access with these indices likes dimension d innermost.
static int depends(const Nest *n, Atom x, int d) {
  const Access *name = access_of(n, x);
  if (!name) return 0;
  int found = 0;
  switch (name->kind) {
  case IS_OUTER: return 0;
  case IS_INDEX: return name->dim == d;
  case IS_READ:
    for (int i = 0; i < name->at.len; i++) found |= depends(n, name->at.at[i], d);
    return found;
  case IS_COMPUTED: {
    Exp exp = name->stm->exp;
    AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
    for (int i = 0; i < refs.len; i++) found |= depends(n, *refs.at[i], d);
    return found;
  }
  }
  return 0;
}

bool nest_stands_in(const Nest *n, Atom x, int d) {
  const Access *name = access_of(n, x);
  if (!name || name->kind == IS_OUTER) return false;
  if (name->kind == IS_INDEX) return name->dim == d;
  bool stays = name->stm && (name->kind == IS_READ || name->stm->exp.form == FORM_MATCH ||
                             !exp_is_total(n->a->prog, name->stm));
  if (stays && name->under >> d & 1) return true;
  Exp none = {.form = FORM_LITERAL, .literal = {.elems = name->at}};
  Exp exp = name->kind == IS_READ ? none : name->stm->exp;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (nest_stands_in(n, *refs.at[i], d)) return true;
  return false;
}

static int access_score(const Nest *n, const Atoms *at, int d, int absent, int strided) {
  for (int i = 0; i + 1 < at->len; i++)
    if (depends(n, at->at[i], d)) return strided;
  if (!at->len || !depends(n, at->at[at->len - 1], d)) return absent;
  Affine last = affine_of(n->a->defs, at->at[at->len - 1]);
  return last.ok && affine_coef(&last, n->dim[d]) == 1 ? 2 : strided;
}

int nest_reads_score(const Nest *n, Atom x, int d) {
  const Access *name = access_of(n, x);
  if (!name) return 0;
  if (name->kind == IS_READ) return access_score(n, &name->at, d, 1, -4);
  if (name->kind != IS_COMPUTED) return 0;
  Exp exp = name->stm->exp;
  AtomRefs refs = exp_atom_refs(n->a->scratch, &exp);
  int score = 0;
  for (int i = 0; i < refs.len; i++) score += nest_reads_score(n, *refs.at[i], d);
  return score;
}

static int best_inner(const Nest *n, const struct updateacc_form *u) {
  int best = n->dims - 1, high = -1000000;
  for (int d = n->dims - 1; d >= 0; d--) {
    int score = access_score(n, &u->index, d, 3, -6) + nest_reads_score(n, u->value, d);
    if (score > high) high = score, best = d;
  }
  return best;
}

// ---- generating
static int max(int x, int y) { return x > y ? x : y; }

static Atoms make_all(Nest *n, const Atoms *from, int *level) {
  Atoms out = {0};
  for (int i = 0; i < from->len; i++) {
    int at;
    list_push(n->a->arena, &out, nest_make(n, from->at[i], &at));
    *level = max(*level, at);
  }
  return out;
}

static Atom make_computed(Nest *n, const Stm *stm, int *level) {
  Exp exp = stm->exp;
  Type t = var_type(n->a->prog, stm->bound.at[0]);
  if (exp.form == FORM_CONV) exp.conv.arg = nest_make(n, exp.conv.arg, level);
  else exp.prim.args = make_all(n, &stm->exp.prim.args, level);
  Builder *b = n->to[*level];
  Attrs saved = b->attrs;
  b->attrs.linear = stm->attrs.linear;
  Atom made = build(b, var_info(n->a->prog, stm->bound.at[0])->base, t, exp);
  b->attrs = saved;
  return made;
}

void nest_forget(Nest *n, int time, int level) {
  for (int i = 0; i < map_len(n->names); i++) {
    Access *name = map_value_at(n->names, i);
    if (name->time > time && name->level >= level) name->made = (Atom){0};
  }
}

void nest_enter(Nest *n, Inside *in, int level) {
  *in = (Inside){.outer = n->to[level], .level = level, .guard = n->guard, .time = n->time};
  in->inner = builder_new(n->a->prog, &in->stms);
  in->inner.loc = in->outer->loc;
  n->to[level] = &in->inner;
  n->guard = max(n->guard, level);
}

Body nest_leave(Nest *n, Inside *in, Atom value) {
  n->to[in->level] = in->outer;
  n->guard = in->guard;
  nest_forget(n, in->time, in->level);
  return (Body){.stms = in->stms, .results = atoms_of(n->a->arena, 1, &value)};
}

Atom nest_if(Nest *n, int level, Atom cond, Body yes, Atom otherwise) {
  Arena *arena = n->a->arena;
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(arena, 1, &cond)}};
  Case first = {.body = yes}, last = {.body.results = atoms_of(arena, 1, &otherwise)};
  list_push(arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &exp.match.cases, first);
  list_push(arena, &exp.match.cases, last);
  return build(n->to[level], "part", atom_type(n->a->prog, otherwise), exp);
}

// Where the statement's dimensions all exist, and no branch around has to be left.
static int level_of(const Nest *n, const Access *name) {
  int level = n->guard;
  for (int d = 0; d < n->dims; d++)
    if (name->under >> d & 1) level = max(level, n->position[d] + 1);
  return level;
}

static Atom make_chosen(Nest *n, const Access *name, int *level) {
  const Stm *stm = name->stm;
  Arena *arena = n->a->arena;
  *level = max(*level, level_of(n, name));
  Exp exp = {.form = FORM_MATCH, .match = {.args = make_all(n, &stm->exp.match.args, level)}};
  for (int i = 0; i < stm->exp.match.cases.len; i++) {
    Case c = stm->exp.match.cases.at[i];
    Inside in;
    int inside = *level;
    nest_enter(n, &in, *level);
    Atom value = nest_make(n, c.body.results.at[name->result], &inside);
    c.body = nest_leave(n, &in, value);
    list_push(arena, &exp.match.cases, c);
  }
  Var old = stm->bound.at[name->result];
  return build(n->to[*level], var_info(n->a->prog, old)->base, var_type(n->a->prog, old), exp);
}

static Atom make_read(Nest *n, const Access *name, int *level) {
  Atoms at = make_all(n, &name->at, level);
  *level = max(*level, name->stm ? level_of(n, name) : n->guard);
  Atom x = build_index(n->to[*level], name->base, at);
  Stms *made = n->to[*level]->stms;
  if (name->stm && !name->stm->attrs.unchecked) made->at[made->len - 1].attrs.unchecked = false;
  return x;
}

static Atom make_iteration(const Nest *n, int d) {
  const Quotient *s = n->split[d];
  if (!s) return n->index[d];
  Builder *b = n->to[n->position[d] + 1];
  return build_op(b, OP_ADD, build_op(b, OP_MUL, n->index[d], atom_i64(s->by)), atom_i64(s->r));
}

// The new name of an old one, built at the outermost level where its operands exist.
Atom nest_make(Nest *n, Atom x, int *level) {
  Access *name = access_of(n, x);
  *level = 0;
  if (!name) return x;
  if (name->kind == IS_INDEX) {
    *level = n->position[name->dim] + 1;
    return make_iteration(n, name->dim);
  }
  if (name->made.is_var) {
    *level = name->level;
    return name->made;
  }
  if (name->kind == IS_READ) name->made = make_read(n, name, level);
  else if (name->stm->exp.form == FORM_MATCH) name->made = make_chosen(n, name, level);
  else {
    if (!exp_is_total(n->a->prog, name->stm)) *level = level_of(n, name);
    name->made = make_computed(n, name->stm, level);
  }
  name->level = *level;
  name->time = ++n->time;
  return name->made;
}

Exp nest_map(Nest *n, Atom width, Lambda *fn, Atom iota, const Atom *acc) {
  Exp exp = {.form = FORM_MAP, .map = {.width = width, .fn = fn}};
  list_push(n->a->arena, &exp.map.inputs, iota);
  if (acc) list_push(n->a->arena, &exp.map.inputs, *acc);
  return exp;
}

Atom nest_sum(Nest *n, const struct updateacc_form *u, LambdaBuilder *lb, int depth, Atom width,
              Atom iota, Atom value) {
  Arena *arena = n->a->arena;
  Lambda *fn = lambda_end(lb, atoms_of(arena, 1, &value));
  Builder *b = n->to[depth];
  Type t = fn->rets.at[0];
  Atom parts = build(b, "part", type_array(arena, t, width), nest_map(n, width, fn, iota, NULL));
  const Operator *op = acc_operator(n->a, u->acc);
  return build(b, "total", t, (Exp){.form = FORM_REDUCE, .reduce = {
      .width = width, .comm = true, .op = lambda_copy(b, op->op),
      .neutral = atoms_concat(arena, op->neutral, (Atoms){0}),
      .inputs = atoms_of(arena, 1, &parts)}});
}

// One nest for one update, from accumulator acc; the accumulator afterwards.
static Atom generate(Nest *n, Builder *out, const struct updateacc_form *u, Atom acc,
                     const int *order) {
  Arena *arena = n->a->arena;
  Type type = atom_type(n->a->prog, acc);
  LambdaBuilder lb[DIMS];
  Atom iota[DIMS], accs[DIMS + 1];
  nest_forget(n, -1, 0);
  int last = order[n->dims - 1], level;
  bool summed = true;
  for (int i = 0; i < u->index.len; i++)
    summed = summed && !nest_stands_in(n, u->index.at[i], last);
  n->to[0] = out;
  accs[0] = acc;
  for (int t = 0; t < n->dims; t++) iota[t] = build_iota(out, n->width[order[t]]);
  for (int t = 0; t < n->dims; t++) {
    Types params = {0};
    list_push(arena, &params, type_scalar(PRIM_I64));
    bool threads = !(summed && t == n->dims - 1);
    if (threads) list_push(arena, &params, type);
    lb[t] = lambda_begin(n->to[t], "i", params);
    n->to[t + 1] = &lb[t].inner;
    n->position[order[t]] = t;
    n->index[order[t]] = atom_var(lb[t].lambda->params.at[0]);
    if (threads) accs[t + 1] = atom_var(lb[t].lambda->params.at[1]);
  }
  Atom value = nest_make(n, u->value, &level);
  int deep = n->dims;
  if (summed) {
    deep--;
    value = nest_sum(n, u, &lb[deep], deep, n->width[last], iota[deep], value);
  }
  Exp update = {.form = FORM_UPDATEACC,
                .updateacc = {.acc = accs[deep], .index = make_all(n, &u->index, &level),
                              .value = value}};
  Atom now = build(n->to[deep], "acc", type, update);
  for (int t = deep - 1; t >= 0; t--) {
    Lambda *fn = lambda_end(&lb[t], atoms_of(arena, 1, &now));
    now = build(n->to[t], "acc", type, nest_map(n, n->width[order[t]], fn, iota[t], &accs[t]));
  }
  return now;
}

static void order_with(const Nest *n, int inner, int *order) {
  int at = 0;
  for (int d = 0; d < n->dims; d++)
    if (d != inner) order[at++] = d;
  order[at] = inner;
}

static Atom acc_of_token(const Nest *n, const struct map_form *m, Var token) {
  for (int i = 0; i < m->inputs.len; i++) {
    Type t = atom_type(n->a->prog, m->inputs.at[i]);
    if (t.is_acc && t.token.id == token.id) return m->inputs.at[i];
  }
  ice("an accumulator is lost");
}

bool acc_reorder(Acc *a, Stms *out, Stm *stm) {
  Nest n;
  memset(&n, 0, sizeof n);
  n.a = a;
  n.names = map_new(a->scratch);
  if (!only_accs(a->prog, stm) || stm->attrs.sequential) return false;
  acc_names_forget(a);
  acc_mark_inner(a, stm->exp.map.fn);
  if (!nest_level(&n, stm) || n.dims < 2) return false;
  bool better = false;
  int inner[UPDATES];
  for (int i = 0; i < n.n; i++) {
    inner[i] = best_inner(&n, n.update[i]);
    better = better || inner[i] != n.dims - 1;
  }
  // Several nests compute the common part several times.
  if (!better || (n.n > 1 && n.expensive) || !prog_may(a->prog, SWITCH_ACC_ORDER)) return false;
  Builder b = builder_new(a->prog, out);
  b.loc = stm->loc;
  Map *accs = map_new(a->scratch);
  for (int i = 0; i < n.n; i++) {
    int order[DIMS];
    order_with(&n, inner[i], order);
    Var token = atom_type(a->prog, n.update[i]->acc).token;
    const Atom *now = map_get(accs, token.id);
    Atom acc = now ? *now : acc_of_token(&n, &stm->exp.map, token);
    acc = generate(&n, &b, n.update[i], acc, order);
    map_put(accs, token.id, arena_copy(a->scratch, &acc, sizeof acc));
  }
  for (int i = 0; i < stm->bound.len; i++) {
    Var token = var_type(a->prog, stm->bound.at[i]).token;
    const Atom *now = map_get(accs, token.id);
    Stm bind = {.exp = {.form = FORM_ATOM,
                        .atom = {now ? *now : acc_of_token(&n, &stm->exp.map, token)}},
                .loc = stm->loc};
    list_push(a->arena, &bind.bound, stm->bound.at[i]);
    list_push(a->arena, out, bind);
  }
  a->changed = true;
  return true;
}
