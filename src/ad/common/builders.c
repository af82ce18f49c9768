// Small tools of both modes: sets of variables, and builders of the forms that derivative code
// is made of.
#include "local.h"
#include <string.h>

// ---- sets of variables
enum { PAGE = 2048 };  // variables of a page

VarSet varset_new(Arena *arena) { return (VarSet){.arena = arena}; }

bool varset_has(const VarSet *set, Var v) {
  int page = (int)(v.id / PAGE);
  return page < set->cap && set->pages[page] &&
         (set->pages[page][v.id % PAGE / 64] >> v.id % 64 & 1);
}

bool varset_has_atom(const VarSet *set, Atom a) { return a.is_var && varset_has(set, a.var); }

// Many sets are of a few variables with large numbers.
static uint64_t *page_for(VarSet *set, Var v) {
  int page = (int)(v.id / PAGE);
  if (page >= set->cap) {
    int cap = page * 2 + 1;
    uint64_t **pages = NEW_ARRAY(set->arena, uint64_t *, cap);
    if (set->cap) memcpy(pages, set->pages, sizeof *pages * (size_t)set->cap);
    set->pages = pages;
    set->cap = cap;
  }
  if (!set->pages[page]) set->pages[page] = NEW_ARRAY(set->arena, uint64_t, PAGE / 64);
  return set->pages[page];
}

bool varset_add(VarSet *set, Var v) {
  if (varset_has(set, v)) return false;
  page_for(set, v)[v.id % PAGE / 64] |= UINT64_C(1) << v.id % 64;
  set->len++;
  return true;
}

bool varset_add_atom(VarSet *set, Atom a) { return a.is_var && varset_add(set, a.var); }

void varset_remove(VarSet *set, Var v) {
  if (!varset_has(set, v)) return;
  set->pages[v.id / PAGE][v.id % PAGE / 64] &= ~(UINT64_C(1) << v.id % 64);
  set->len--;
}

void varset_add_all(VarSet *set, Vars vars) {
  for (int i = 0; i < vars.len; i++) varset_add(set, vars.at[i]);
}

// Whether derivatives pass from operand i to the result.  Bits of floats carry them as they are.
bool op_carries(Op op, Prim p, int i) {
  return op_is_bits(op) || op_partial(op, p, i);
}

bool op_is_bits(Op op) { return op == OP_TO_BITS || op == OP_FROM_BITS; }

// ---- leaving
Span loc_user_span(const Loc *loc) {
  Span span = {0};
  for (; loc; loc = loc->caller) {
    if (loc->span.src) span = loc->span;
    if (span.src && !span.src->builtin) break;
  }
  return span;
}

_Noreturn void ad_unsupported(const Prog *prog, const Loc *loc, const char *what) {
  Diag *diag = prog->switches ? prog->switches->diag : NULL;
  diag_unsupported(diag ? diag : diag_new(arena_new()), loc_user_span(loc), "%s", what);
}

// ---- atoms
Atom atom_none(void) { return atom_var((Var){0}); }
bool atom_absent(Atom a) { return a.is_var && a.var.id == 0; }
Atoms atoms1(Arena *arena, Atom a) { return atoms_of(arena, 1, &a); }
Atoms atoms2(Arena *arena, Atom a, Atom b) { return atoms_of(arena, 2, (Atom[]){a, b}); }
Atoms atoms3(Arena *arena, Atom a, Atom b, Atom c) {
  return atoms_of(arena, 3, (Atom[]){a, b, c});
}

Type type_fresh(Type t) {
  t.unique = false;
  return t;
}

Atom atom_width(const Prog *prog, Atom array) { return atom_type(prog, array).dims[0]; }

Types types_rows(const Prog *prog, Atoms arrays) {
  Types rows = {0};
  for (int i = 0; i < arrays.len; i++) {
    Type t = type_fresh(atom_type(prog, arrays.at[i]));
    list_push(prog->arena, &rows, t.is_acc ? t : type_row(t));
  }
  return rows;
}

// Exactly `op`, or a nest of maps of it over both operands.
bool operator_is(const Lambda *op, Op *kind, Prim *prim) {
  if (lambda_is_op(op, kind, prim)) return true;
  if (op->params.len != 2 || op->body.stms.len != 1 || op->body.results.len != 1) return false;
  const Stm *stm = &op->body.stms.at[0];
  if (stm->exp.form != FORM_MAP || stm->exp.map.inputs.len != 2) return false;
  if (!atom_is_var(op->body.results.at[0], stm->bound.at[0])) return false;
  Atom x = stm->exp.map.inputs.at[0], y = stm->exp.map.inputs.at[1];
  if (!operator_is(stm->exp.map.fn, kind, prim)) return false;
  if (atom_is_var(x, op->params.at[0]) && atom_is_var(y, op->params.at[1])) return true;
  return atom_is_var(x, op->params.at[1]) && atom_is_var(y, op->params.at[0]) &&
         op_info[*kind].commutative;
}

bool operator_is_sum(const Lambda *op) {
  Op kind;
  Prim p;
  return operator_is(op, &kind, &p) && (kind == OP_ADD || (kind == OP_OR && p == PRIM_BOOL));
}

bool rule_is_sum(const Prog *prog, const Lambda *op) {
  return operator_is_sum(op) && prog_may(prog, SWITCH_SUMS);
}

// ---- statements
Vars build_exp(Builder *b, const char *hint, Exp exp) {
  return build_many(b, hint, exp_types(b->prog, &exp), exp);
}

Atom build_exp1(Builder *b, const char *hint, Exp exp) {
  return atom_var(build_exp(b, hint, exp).at[0]);
}

Atom build_times(Builder *b, Atom x, Atom y) {
  return build_op(b, atom_type(b->prog, x).prim == PRIM_BOOL ? OP_AND : OP_MUL, x, y);
}

Atom build_linear(Builder *b, Atom d, Atom J, int which) {
  Attrs saved = b->attrs;
  b->attrs.linear = (uint8_t)which;
  Atom product = build_times(b, d, J);
  b->attrs = saved;
  return product;
}

Atom build_quot(Builder *b, Atom x, Atom y) {
  Attrs saved = b->attrs;
  b->attrs.unchecked = true;
  Atom q = build_op(b, OP_QUOT, x, y);
  b->attrs = saved;
  return q;
}

Atom build_plus(Builder *b, Atom x, Atom y) { return build_add(b, x, y); }

static bool dims_same(Type a, Type b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; i++)
    if (!atom_same(a.dims[i], b.dims[i])) return false;
  return true;
}

Atom build_fit(Builder *b, Atom x, Type type) {
  Type have = atom_type(b->prog, x);
  if (type.rank == 0 || have.is_acc || dims_same(have, type)) return x;
  Attrs saved = b->attrs;
  b->attrs.unchecked = true;
  Atom y = build_exp1(b, NULL, (Exp){.form = FORM_RESHAPE,
                                     .reshape = {.array = x, .dims = atoms_of(b->prog->arena,
                                                                               type.rank,
                                                                               type.dims)}});
  b->attrs = saved;
  return y;
}

static Atom build_unchecked(Builder *b, bool unchecked, Exp exp) {
  Attrs saved = b->attrs;
  b->attrs.unchecked = unchecked;
  Atom y = build_exp1(b, NULL, exp);
  b->attrs = saved;
  return y;
}

Atom build_slice_all(Builder *b, Atom x, Slice slice, bool unchecked) {
  return build_unchecked(b, unchecked,
                         (Exp){.form = FORM_INDEX, .index = {.array = x, .slice = slice}});
}

Atom build_slice_update(Builder *b, Atom x, Slice slice, Atom value, bool unchecked) {
  return build_unchecked(
      b, unchecked,
      (Exp){.form = FORM_UPDATE, .update = {.array = x, .slice = slice, .value = value}});
}

Atom build_slice(Builder *b, Atom x, Atom start, Atom count) {
  Slice slice = {0};
  list_push(b->prog->arena, &slice,
            (SliceDim){.start = start, .count = count, .stride = atom_i64(1)});
  return build_slice_all(b, x, slice, true);
}

Slice slice_fixed(Arena *arena, Atoms at) {
  Slice slice = {0};
  for (int i = 0; i < at.len; i++)
    list_push(arena, &slice, (SliceDim){.is_fix = true, .start = at.at[i]});
  return slice;
}

Atom build_flat(Builder *b, Atom x) {
  Type t = atom_type(b->prog, x);
  return build_fit(b, x, type_array(b->prog->arena, type_scalar(t.prim), element_count(b, t)));
}

Atom build_reverse(Builder *b, Atom x) {
  return build_exp1(b, NULL, (Exp){.form = FORM_REVERSE, .reverse = {.array = x}});
}

Atoms atoms_reversed(Builder *b, Atoms arrays) {
  Atoms out = {0};
  for (int k = 0; k < arrays.len; k++)
    list_push(b->prog->arena, &out, build_reverse(b, arrays.at[k]));
  return out;
}

Atom build_scratch(Builder *b, Type type) {
  Atoms dims = atoms_of(b->prog->arena, type.rank, type.dims);
  return build_unchecked(
      b, true, (Exp){.form = FORM_SCRATCH, .scratch = {.prim = type.prim, .dims = dims}});
}

Atom build_width(Builder *b, Atom bound) {
  return build_op(b, OP_MAX, build_conv(b, PRIM_I64, bound), atom_i64(0));
}

Atom build_literal(Builder *b, const char *hint, Prim prim, Atoms elems) {
  return build_exp1(b, hint,
                    (Exp){.form = FORM_LITERAL, .literal = {.prim = prim, .elems = elems}});
}

// gather xs is = map (\i -> if 0 <= i < n then xs[i] else 0) is
Atom build_gather(Builder *b, Atom array, Atom indices) {
  Arena *arena = b->prog->arena;
  MapBuilder m = map_begin(b, atom_width(b->prog, indices), atoms1(arena, indices));
  Builder *in = &m.lb.inner;
  Atom i = map_param(&m, 0), n = atom_width(b->prog, array);
  Atom ok = build_op(in, OP_AND, build_op(in, OP_LE, atom_i64(0), i), build_op(in, OP_LT, i, n));
  Type row = type_row(type_fresh(atom_type(b->prog, array)));
  PickBuilder p = pick_begin(in, ok);
  Atom found = build_copy(&p.then, build_index(&p.then, array, atoms1(arena, i)));
  return map_end1(&m, "gathered", pick_end(&p, row, found, build_zero(&p.otherwise, row)));
}

// ---- maps
MapBuilder map_begin(Builder *b, Atom width, Atoms inputs) {
  MapBuilder m = {.outer = b, .width = width, .inputs = inputs};
  m.lb = lambda_begin(b, "x", types_rows(b->prog, inputs));
  for (int i = 0; i < inputs.len; i++)
    if (inputs.at[i].is_var) {
      VarInfo *param = &b->prog->vars.at[m.lb.lambda->params.at[i].id];
      param->base = var_info(b->prog, inputs.at[i].var)->base;
    }
  return m;
}

Atom map_param(const MapBuilder *m, int i) { return atom_var(m->lb.lambda->params.at[i]); }

Vars map_end(MapBuilder *m, const char *hint, Atoms results) {
  Prog *prog = m->outer->prog;
  Lambda *fn = lambda_end(&m->lb, results);
  VarSet used = varset_new(prog->arena);
  varset_add_all(&used, m->free_vars ? free_vars_of_body(m->free_vars, &fn->body)
                                 : body_free(prog, prog->arena, &fn->body));
  Vars params = {0};
  Atoms inputs = {0};
  for (int i = 0; i < fn->params.len; i++) {
    if (!varset_has(&used, fn->params.at[i])) continue;
    list_push(prog->arena, &params, fn->params.at[i]);
    list_push(prog->arena, &inputs, m->inputs.at[i]);
  }
  fn->params = params;
  return build_exp(m->outer, hint, (Exp){.form = FORM_MAP,
                                         .map = {.width = m->width, .fn = fn, .inputs = inputs}});
}

Atom map_end1(MapBuilder *m, const char *hint, Atom result) {
  return atom_var(map_end(m, hint, atoms1(m->outer->prog->arena, result)).at[0]);
}

Vars build_map(Builder *b, Atom width, const Lambda *fn, Atoms inputs) {
  return build_exp(b, NULL, (Exp){.form = FORM_MAP,
                                  .map = {.width = width,
                                          .fn = lambda_copy(b, fn),
                                          .inputs = inputs}});
}

Atoms build_scan(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs) {
  Exp exp = {.form = FORM_SCAN,
             .scan = {.width = width,
                      .op = lambda_copy(b, op),
                      .neutral = neutral,
                      .inputs = inputs}};
  return atoms_of_vars(b->prog->arena, build_exp(b, NULL, exp));
}

Atoms build_reduce(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs) {
  Exp exp = {.form = FORM_REDUCE,
             .reduce = {.width = width,
                        .op = lambda_copy(b, op),
                        .neutral = neutral,
                        .inputs = inputs}};
  return atoms_of_vars(b->prog->arena, build_exp(b, NULL, exp));
}

// A choice between two values computed in branches of their own.
PickBuilder pick_begin(Builder *b, Atom cond) {
  PickBuilder p = {.outer = b, .cond = cond};
  p.yes = NEW(b->prog->arena, Case);
  p.no = NEW(b->prog->arena, Case);
  list_push(b->prog->arena, &p.yes->pats, (CasePat){.lit = scalar_bool(true)});
  p.then = builder_new(b->prog, &p.yes->body.stms);
  p.otherwise = builder_new(b->prog, &p.no->body.stms);
  p.then.loc = p.otherwise.loc = b->loc;
  return p;
}

static Exp pick_exp(PickBuilder *p, Atoms yes, Atoms no) {
  Arena *arena = p->outer->prog->arena;
  p->yes->body.results = yes;
  p->no->body.results = no;
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms1(arena, p->cond)}};
  list_push(arena, &exp.match.cases, *p->yes);
  list_push(arena, &exp.match.cases, *p->no);
  return exp;
}

Atom pick_end(PickBuilder *p, Type type, Atom yes, Atom no) {
  Arena *arena = p->outer->prog->arena;
  return build(p->outer, NULL, type_fresh(type),
               pick_exp(p, atoms1(arena, yes), atoms1(arena, no)));
}

// For several values, which have the types of the second ones.
Atoms pick_end_all(PickBuilder *p, Atoms yes, Atoms no) {
  Prog *prog = p->outer->prog;
  Types types = {0};
  for (int k = 0; k < no.len; k++)
    list_push(prog->arena, &types, type_fresh(atom_type(prog, no.at[k])));
  return atoms_of_vars(prog->arena, build_many(p->outer, "pick", types, pick_exp(p, yes, no)));
}

// map (\i -> if i == 0 then ne else xs[i - 1])
Atom shift_right(Builder *b, Atom width, Atom xs, Atom ne) {
  Arena *arena = b->prog->arena;
  MapBuilder m = map_begin(b, width, atoms1(arena, build_iota(b, width)));
  Builder *in = &m.lb.inner;
  PickBuilder p = pick_begin(in, build_op(in, OP_EQ, map_param(&m, 0), atom_i64(0)));
  Atom before = build_op(&p.otherwise, OP_SUB, map_param(&m, 0), atom_i64(1));
  Atom row = build_index(&p.otherwise, xs, atoms1(arena, before));
  row = build_copy(&p.otherwise, row);
  Type type = type_row(atom_type(b->prog, xs));
  return map_end1(&m, "before", pick_end(&p, type, build_copy(&p.then, ne), row));
}

Atoms build_scan_exclusive(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs) {
  Exp exp = {.form = FORM_SCAN,
             .scan = {.width = width,
                      .exclusive = true,
                      .op = lambda_copy(b, op),
                      .neutral = neutral,
                      .inputs = inputs}};
  return atoms_of_vars(b->prog->arena, build_exp(b, NULL, exp));
}

// ---- accumulators
AccBuilder acc_begin(Builder *b, Atoms arrays) {
  Prog *prog = b->prog;
  AccBuilder a = {.outer = b, .fn = NEW(prog->arena, Lambda), .arrays = arrays};
  for (int k = 0; k < arrays.len; k++) {
    Type t = type_fresh(atom_type(prog, arrays.at[k]));
    t.is_acc = true;
    t.index_rank = t.rank;
    Var acc = var_new(prog, "acc", t);
    prog->vars.at[acc.id].type.token = acc;
    list_push(prog->arena, &a.fn->params, acc);
  }
  a.inner = builder_new(prog, &a.fn->body.stms);
  a.inner.loc = b->loc;
  return a;
}

Atom acc_param(const AccBuilder *a, int k) { return atom_var(a->fn->params.at[k]); }

Vars acc_end(AccBuilder *a, Atoms results) {
  Prog *prog = a->outer->prog;
  Exp exp = {.form = FORM_WITHACC, .withacc = {.arrays = a->arrays, .fn = a->fn}};
  for (int k = 0; k < a->arrays.len; k++) {
    Type t = atom_type(prog, a->arrays.at[k]);
    Operator op = {.op = lambda_binop(prog, t.prim == PRIM_BOOL ? OP_OR : OP_ADD, t.prim),
                   .comm = true};
    list_push(prog->arena, &op.neutral, atom_number(t.prim, 0));
    list_push(prog->arena, &exp.withacc.ranks, t.rank);
    list_push(prog->arena, &exp.withacc.ops, op);
  }
  a->fn->body.results = results;
  a->fn->rets = types_of_atoms(prog, results);
  return build_exp(a->outer, "adj", exp);
}
