// Reverse mode: the adjoint environment A.  A variable not in it has adjoint zero, which costs
// nothing.  contribute adds to A(x) for the cheapest representation that will hold the sum.
#include "ad/common/local.h"
#include <string.h>

enum { SPARSE_ROWS_MAX = 8 };  // longer sparse adjoints become dense

Builder *vjp_builder(Vjp *v) { return &v->w.to; }
Arena *vjp_arena(Vjp *v) { return v->w.to.prog->arena; }
Atom primal_of(Vjp *v, Atom source) { return rewrite_atom(&v->w, source); }
Type primal_type(Vjp *v, Var source) {
  return type_fresh(rewrite_type(&v->w, var_type(v->w.from, source)));
}
bool is_varied(const Vjp *v, Atom a) { return varset_has_atom(&v->varied, a); }

Adj adj_get(const Vjp *v, Var x) {
  int page = (int)x.id / ADJ_PAGE;
  return page < v->pages && v->adj[page] ? v->adj[page][x.id % ADJ_PAGE] : (Adj){0};
}
Adj adj_val(Atom value, bool owned) {
  return (Adj){.kind = ADJ_VAL, .owned = owned, .value = value};
}
bool adj_is_zero(const Vjp *v, Var x) { return adj_get(v, x).kind == ADJ_ZERO; }

static void adj_write(Vjp *v, uint32_t id, Adj adj) {
  int page = (int)id / ADJ_PAGE;
  if (page >= v->pages) {
    int pages = page * 2 + 2;
    Adj **grown = NEW_ARRAY(vjp_arena(v), Adj *, pages);
    if (v->pages) memcpy(grown, v->adj, sizeof *grown * (size_t)v->pages);
    v->adj = grown;
    v->pages = pages;
  }
  if (!v->adj[page]) v->adj[page] = NEW_ARRAY(vjp_arena(v), Adj, ADJ_PAGE);
  v->adj[page][id % ADJ_PAGE] = adj;
}

void adj_set(Vjp *v, Var x, Adj adj) {
  list_push(vjp_arena(v), &v->trail, (Trail){x.id, adj_get(v, x)});
  adj_write(v, x.id, adj);
}

// Leaving a scope restores what was there when it was entered.
int scope_begin(Vjp *v) { return v->trail.len; }

void scope_end(Vjp *v, int mark) {
  while (v->trail.len > mark) {
    Trail t = v->trail.at[--v->trail.len];
    adj_write(v, t.id, t.old);
  }
}

// ---- materialising
// z with [i] <- z[i] + v
static Atom add_row(Builder *b, Atom z, const SparseRow *triple, bool empty) {
  Slice at = slice_fixed(b->prog->arena, atoms1(b->prog->arena, triple->index));
  Atom value = triple->value;
  if (!empty) value = build_plus(b, build_slice_all(b, z, at, triple->unchecked), value);
  return build_slice_update(b, z, at, value, triple->unchecked);
}

static Atom sparse_add(Builder *b, Atom z, const SparseRow *triple, bool empty) {
  if (!triple->guard.is_var) return triple->guard.value.i ? add_row(b, z, triple, empty) : z;
  PickBuilder p = pick_begin(b, triple->guard);
  return pick_end(&p, atom_type(b->prog, z), add_row(&p.then, z, triple, empty), z);
}

static Atom sparse_add_all(Builder *b, Atom z, SparseRows triples, bool empty) {
  for (int i = 0; i < triples.len; i++) z = sparse_add(b, z, &triples.at[i], empty && i == 0);
  return z;
}

Atom adj_dense(Vjp *v, Adj adj, Type type, bool *owned) {
  Builder *b = vjp_builder(v);
  *owned = true;
  switch (adj.kind) {
    case ADJ_ZERO: return build_zero(b, type);
    case ADJ_VAL: *owned = adj.owned; return build_fit(b, adj.value, type);
    case ADJ_BROADCAST: return build_replicate(b, atoms1(vjp_arena(v), type.dims[0]), adj.value);
    case ADJ_SPARSE: return sparse_add_all(b, build_zero(b, type), adj.triples, true);
    case ADJ_ACC: case ADJ_VIEW: ice("an accumulator cannot be read");
  }
  ice("adjoint kind %d", adj.kind);
}

Atom adj_value(Vjp *v, Var x) {
  bool owned;
  Adj adj = adj_get(v, x);
  Atom value = adj_dense(v, adj, primal_type(v, x), &owned);
  if (adj.kind != ADJ_VAL) adj_set(v, x, adj_val(value, owned));
  return value;
}

Atom adj_owned(Vjp *v, Var x) {
  bool owned;
  Atom value = adj_dense(v, adj_get(v, x), primal_type(v, x), &owned);
  if (!owned) value = build_copy(vjp_builder(v), value);
  adj_set(v, x, adj_val(value, true));
  return value;
}

// ---- contributing
// map (\c i acc -> .. updateacc acc [.., i] c) c (iota n) acc, nested to the rank of c
static Atom acc_add(Builder *b, Atom acc, Atoms index, Atom c) {
  Arena *arena = b->prog->arena;
  Type t = atom_type(b->prog, c);
  if (t.rank == 0)
    return build_exp1(b, "acc",
                      (Exp){.form = FORM_UPDATEACC,
                            .updateacc = {.acc = acc, .index = index, .value = c}});
  MapBuilder m = map_begin(b, t.dims[0], atoms3(arena, c, build_iota(b, t.dims[0]), acc));
  Atoms at = atoms_concat(arena, index, atoms1(arena, map_param(&m, 1)));
  return map_end1(&m, "acc", acc_add(&m.lb.inner, map_param(&m, 2), at, map_param(&m, 0)));
}

// The accumulator that contributions to an ACC or VIEW go to, and where its index starts.
static bool acc_target(const Vjp *v, Atom x, Adj *acc, Var *root, Atoms *prefix) {
  *acc = adj_get(v, x.var);
  *root = x.var;
  *prefix = acc->prefix;
  if (acc->kind == ADJ_VIEW) {
    *root = acc->root;
    *acc = adj_get(v, *root);
    check(acc->kind == ADJ_ACC);
  }
  return acc->kind == ADJ_ACC;
}

static void acc_put(Vjp *v, Var root, Adj acc, Atom value) {
  acc.value = value;
  adj_set(v, root, acc);
}

static bool takes(const Vjp *v, Atom x) {
  return is_varied(v, x) && !var_type(v->w.from, x.var).is_acc;
}

// Names the last statement's result, an adjoint, after the variable whose adjoint it is.
static Atom named(Vjp *v, Var x, Atom c) {
  Prog *prog = v->w.to.prog;
  const Stms *stms = v->w.to.stms;
  const char *base = var_info(v->w.from, x)->base;
  if (!c.is_var || stms->len == 0 || name_is_default(base)) return c;
  const Stm *last = &stms->at[stms->len - 1];
  if (last->bound.len != 1 || !atom_is_var(c, last->bound.at[0])) return c;
  VarInfo *info = &prog->vars.at[c.var.id];
  if (name_is_default(info->base) || strcmp(info->base, "adj") == 0)
    info->base = name_of(prog->names, arena_printf(prog->arena, "%s_adj", base));
  return c;
}

void contribute(Vjp *v, Atom x, Atom c, bool fresh) {
  if (!takes(v, x)) return;
  Builder *b = vjp_builder(v);
  Type type = primal_type(v, x.var);
  bool owned, is_array = type.rank > 0;
  c = build_fit(b, c, type);
  Adj adj = adj_get(v, x.var), acc;
  Var root;
  Atoms prefix;
  switch (adj.kind) {
    case ADJ_ZERO: adj_set(v, x.var, adj_val(named(v, x.var, c), fresh && is_array)); break;
    case ADJ_SPARSE:
      if (!fresh) c = build_copy(b, c);
      adj_set(v, x.var, adj_val(sparse_add_all(b, c, adj.triples, false), true));
      break;
    case ADJ_VAL: case ADJ_BROADCAST:
      c = build_plus(b, adj_dense(v, adj, type, &owned), c);
      adj_set(v, x.var, adj_val(named(v, x.var, c), is_array));
      break;
    case ADJ_ACC: case ADJ_VIEW:
      acc_target(v, x, &acc, &root, &prefix);
      acc_put(v, root, acc, acc_add(b, acc.value, prefix, c));
      break;
  }
}

void contribute_row(Vjp *v, Atom x, SparseRow triple) {
  if (!takes(v, x)) return;
  Builder *b = vjp_builder(v);
  Adj adj = adj_get(v, x.var), acc;
  Var root;
  Atoms prefix;
  bool few = adj.kind == ADJ_ZERO || (adj.kind == ADJ_SPARSE && adj.triples.len < SPARSE_ROWS_MAX);
  if (few && prog_may(v->w.from, SWITCH_SPARSE_ADJOINTS)) {
    Adj grown = {.kind = ADJ_SPARSE};
    for (int i = 0; i < adj.triples.len; i++)
      list_push(vjp_arena(v), &grown.triples, adj.triples.at[i]);
    list_push(vjp_arena(v), &grown.triples, triple);
    adj_set(v, x.var, grown);
  } else if (acc_target(v, x, &acc, &root, &prefix)) {
    // Out of range is ignored by accumulators: so is a guard that fails, sent to index -1.
    Atom index = build_select(b, triple.guard, triple.index, atom_i64(-1));
    prefix = atoms_concat(vjp_arena(v), prefix, atoms1(vjp_arena(v), index));
    acc_put(v, root, acc, acc_add(b, acc.value, prefix, triple.value));
  } else {
    Atom z = adj_owned(v, x.var);
    adj_set(v, x.var, adj_val(sparse_add(b, z, &triple, false), true));
  }
}

void contribute_broadcast(Vjp *v, Atom x, Atom row) {
  if (!takes(v, x)) return;
  if (adj_is_zero(v, x.var) && prog_may(v->w.from, SWITCH_FILLS)) {
    adj_set(v, x.var, (Adj){.kind = ADJ_BROADCAST, .value = row});
    return;
  }
  bool owned;
  Atom c = adj_dense(v, (Adj){.kind = ADJ_BROADCAST, .value = row}, primal_type(v, x.var), &owned);
  contribute(v, x, c, true);
}

void contribute_adj(Vjp *v, Atom x, Adj adj) {
  if (!takes(v, x)) return;
  bool first = adj_is_zero(v, x.var);
  switch (adj.kind) {
    case ADJ_ZERO: break;
    case ADJ_VAL: contribute(v, x, adj.value, adj.owned); break;
    case ADJ_BROADCAST: contribute_broadcast(v, x, adj.value); break;
    case ADJ_SPARSE:
      if (first) adj_set(v, x.var, adj);
      else for (int i = 0; i < adj.triples.len; i++) contribute_row(v, x, adj.triples.at[i]);
      break;
    case ADJ_ACC: case ADJ_VIEW: ice("an accumulator is not a contribution");
  }
}

// acc[s] += c: ranges of the slice become maps.
static Atom acc_add_at(Builder *b, Atom acc, Atoms index, Slice slice, int k, Atom c) {
  Arena *arena = b->prog->arena;
  if (k == slice.len) return acc_add(b, acc, index, c);
  SliceDim d = slice.at[k];
  if (d.is_fix)
    return acc_add_at(b, acc, atoms_concat(arena, index, atoms1(arena, d.start)), slice, k + 1, c);
  MapBuilder m = map_begin(b, d.count, atoms3(arena, c, build_iota(b, d.count), acc));
  Builder *in = &m.lb.inner;
  Atom i = build_op(in, OP_ADD, d.start, build_op(in, OP_MUL, map_param(&m, 1), d.stride));
  Atoms at = atoms_concat(arena, index, atoms1(arena, i));
  return map_end1(&m, "acc", acc_add_at(in, map_param(&m, 2), at, slice, k + 1, map_param(&m, 0)));
}

//   x[s] += c
void contribute_at(Vjp *v, Atom x, Slice slice, Atom c, bool unchecked) {
  if (!takes(v, x)) return;
  Builder *b = vjp_builder(v);
  Adj acc;
  Var root;
  Atoms prefix;
  if (acc_target(v, x, &acc, &root, &prefix)) {
    acc_put(v, root, acc, acc_add_at(b, acc.value, prefix, slice, 0, c));
  } else if (slice.len == 1 && slice.at[0].is_fix) {
    contribute_row(v, x, (SparseRow){.guard = atom_bool(true), .index = slice.at[0].start,
                                 .value = c, .unchecked = unchecked});
  } else {
    Atom z = adj_owned(v, x.var);
    Atom sum = build_plus(b, build_slice_all(b, z, slice, unchecked), c);
    adj_set(v, x.var, adj_val(build_slice_update(b, z, slice, sum, unchecked), true));
  }
}

// acc_add of every row, through an accumulator made for the purpose where x has none.
static Atom acc_scatter(Builder *b, Atom acc, Atoms prefix, Atom is, Atom cs) {
  Arena *arena = b->prog->arena;
  MapBuilder m = map_begin(b, atom_width(b->prog, is), atoms3(arena, is, cs, acc));
  Atoms at = atoms_concat(arena, prefix, atoms1(arena, map_param(&m, 0)));
  return map_end1(&m, "acc", acc_add(&m.lb.inner, map_param(&m, 2), at, map_param(&m, 1)));
}

void contribute_scattered(Vjp *v, Atom x, Atom is, Atom cs) {
  if (!takes(v, x)) return;
  Builder *b = vjp_builder(v);
  Adj target;
  Var root;
  Atoms prefix;
  if (acc_target(v, x, &target, &root, &prefix)) {
    acc_put(v, root, target, acc_scatter(b, target.value, prefix, is, cs));
    return;
  }
  AccBuilder a = acc_begin(b, atoms1(vjp_arena(v), adj_owned(v, x.var)));
  Atom acc = acc_scatter(&a.inner, acc_param(&a, 0), (Atoms){0}, is, cs);
  adj_set(v, x.var, adj_val(atom_var(acc_end(&a, atoms1(vjp_arena(v), acc)).at[0]), true));
}
