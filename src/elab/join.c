// Joins: one value for the results of several branches.
//
// A leaf on which all branches agree statically stays static.  Every other leaf becomes a result
// of the MATCH; a size the branches disagree on, or that only exists inside one, becomes an
// existential result, one per distinct tuple of sizes, so that equal sizes stay one variable.
#include "local.h"

typedef struct {
  Atom *of;      // per branch; blank: any value
  Leaf leaf;
  Type model;    // type in the first branch that has a value (accumulators keep it)
  Var var;
} Column;
typedef struct {
  Atom *of;
  Var var;
} SizeResult;
typedef struct {
  Elab *e;
  Branches *branches;
  int n;
  LIST(Column) cols;
  LIST(SizeResult) sizes;
} Join;

static bool outside_all(Join *j, Atom a) {
  for (int i = 0; i < j->n; i++)
    if (!atom_outside(j->e, &j->branches->at[i].scope, a)) return false;
  return true;
}

static Atom column(Join *j, const Atom *of, Leaf leaf) {
  Elab *e = j->e;
  int first = -1;
  bool same = true;
  for (int i = 0; i < j->n; i++) {
    if (is_blank(of[i])) continue;
    if (first < 0) first = i;
    else same = same && atom_same(of[i], of[first]);
  }
  if (first >= 0 && same && outside_all(j, of[first])) return of[first];
  Column c = {.of = arena_copy(e->arena, of, sizeof *of * (size_t)j->n), .leaf = leaf};
  if (first >= 0) {
    c.model = atom_type(e->prog, of[first]);
    c.leaf = (Leaf){c.model.prim, c.model.rank, c.model.is_acc, leaf.dims, false};
  }
  const char *base = first >= 0 ? base_of(e, of[first]) : NULL;
  c.var = var_new(e->prog, base ? base : "if", type_scalar(c.leaf.prim));
  list_push(e->arena, &j->cols, c);
  return atom_var(c.var);
}

static Val *join_vals(Join *j, Val **vs);

static Val *hole_of(Join *j, const Sem *sem) {
  Val *v = val_new(j->e, VAL_HOLE);
  v->hole.sem = sem;
  return v;
}

// Units are used in their branches; the whole is one more.
static Val *join_units(Join *j, Val **vs) {
  Elab *e = j->e;
  Stms *outer = e->b.stms;
  for (int i = 0; i < j->n; i++) {
    e->b.stms = &j->branches->at[i].scope.stms;
    if (vs[i]->tag == VAL_RECORD) unit_use(e, vs[i]);
  }
  e->b.stms = outer;
  return val_unit(e);
}

static Val *join_fields(Join *j, Val **vs, const Val *first) {
  Elab *e = j->e;
  if (first->record.len == 0) return join_units(j, vs);
  Val **out = NEW_ARRAY(e->arena, Val *, first->record.len);
  Val **part = NEW_ARRAY(e->arena, Val *, j->n);
  for (int f = 0; f < first->record.len; f++) {
    for (int i = 0; i < j->n; i++)
      part[i] = vs[i]->tag == VAL_RECORD ? vs[i]->record.at[f]
                                         : hole_of(j, val_sem(e, first->record.at[f]));
    out[f] = join_vals(j, part);
  }
  return val_record(e, first->record.len, first->record.names, out);
}

static Val *join_payload(Join *j, Val **vs, const Val *first) {
  Elab *e = j->e;
  int len = first->con.sem->cons[first->con.index].len;
  Val **out = NEW_ARRAY(e->arena, Val *, len);
  Val **part = NEW_ARRAY(e->arena, Val *, j->n);
  for (int k = 0; k < len; k++) {
    for (int i = 0; i < j->n; i++) part[i] = vs[i]->con.args[k];
    out[k] = join_vals(j, part);
  }
  return val_con(e, first->con.sem, first->con.index, out);
}

static Val *join_leaves(Join *j, Val **vs, const Val *first) {
  Elab *e = j->e;
  const Sem *sem = val_sem(e, first);
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  Atoms *all = NEW_ARRAY(e->arena, Atoms, j->n);
  for (int i = 0; i < j->n; i++) {
    if (vs[i]->tag != VAL_HOLE) val_leaves(e, vs[i], &all[i]);
    else for (int k = 0; k < leaves.len; k++) list_push(e->arena, &all[i], blank());
    check(all[i].len == leaves.len);
  }
  Atom *of = NEW_ARRAY(e->arena, Atom, j->n);
  Atom *out = NEW_ARRAY(e->arena, Atom, leaves.len + 1);
  for (int k = 0; k < leaves.len; k++) {
    for (int i = 0; i < j->n; i++) of[i] = all[i].at[k];
    out[k] = column(j, of, leaves.at[k]);
  }
  return val_build(e, sem, out);
}

static bool all_same_con(Join *j, Val **vs) {
  for (int i = 0; i < j->n; i++)
    if (vs[i]->tag != VAL_CON || vs[i]->con.index != vs[0]->con.index) return false;
  return true;
}

static Val *join_vals(Join *j, Val **vs) {
  Val *first = NULL;
  bool same = true;
  for (int i = 0; i < j->n; i++) {
    if (!first && vs[i]->tag != VAL_HOLE) first = vs[i];
    same = same && vs[i] == vs[0];
  }
  if (!first) return vs[0];
  switch (first->tag) {
  case VAL_RECORD: return join_fields(j, vs, first);
  case VAL_CON:
    if (all_same_con(j, vs)) return join_payload(j, vs, first);
    return join_leaves(j, vs, first);
  case VAL_ATOM:
  case VAL_ARRAY:
  case VAL_ACC:
  case VAL_SUM: return join_leaves(j, vs, first);
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH:
    if (same) return first;
    diag_unsupported(j->e->diag, j->e->b.loc ? j->e->b.loc->span : (Span){0},
                     "a branch may not choose between functions");
  case VAL_HOLE: return first;
  }
  ice("value tag %d", first->tag);
}

// ---- sizes ----------------------------------------------------------------------------------

static Atom size_result(Join *j, const Atom *of) {
  Elab *e = j->e;
  for (int s = 0; s < j->sizes.len; s++) {
    bool same = true;
    for (int i = 0; i < j->n && same; i++) same = atom_same(j->sizes.at[s].of[i], of[i]);
    if (same) return atom_var(j->sizes.at[s].var);
  }
  SizeResult s = {.of = arena_copy(e->arena, of, sizeof *of * (size_t)j->n)};
  s.var = var_new(e->prog, "size", type_scalar(PRIM_I64));
  fact(e, s.var)->is_size = true;
  list_push(e->arena, &j->sizes, s);
  return atom_var(s.var);
}

static Atom column_dim(Join *j, const Column *c, int k) {
  Elab *e = j->e;
  Atom *of = NEW_ARRAY(e->arena, Atom, j->n);
  bool same = true, any = false;
  Atom first = blank();
  for (int i = 0; i < j->n; i++) {
    of[i] = is_blank(c->of[i]) ? blank() : atom_type(e->prog, c->of[i]).dims[k];
    if (is_blank(of[i])) continue;
    if (!any) first = of[i];
    else same = same && atom_same(first, of[i]);
    any = true;
  }
  if (!any) return c->leaf.dims && !is_blank(c->leaf.dims[k]) && outside_all(j, c->leaf.dims[k])
                       ? c->leaf.dims[k] : atom_i64(0);
  if (same && outside_all(j, first)) return first;
  for (int i = 0; i < j->n; i++)
    if (is_blank(of[i]))
      of[i] = atom_outside(e, &j->branches->at[i].scope, first) && outside_all(j, first)
                  ? first : atom_i64(0);
  return size_result(j, of);
}

static Atom size_in_branch(const Join *j, Atom d, int i) {
  for (int s = 0; s < j->sizes.len; s++)
    if (atom_is_var(d, j->sizes.at[s].var)) return j->sizes.at[s].of[i];
  return d;
}

// Gives a column its type, and branches that have no value zeros of that type.
static void settle(Join *j, Column *c) {
  Elab *e = j->e;
  Atoms dims = {0};
  for (int k = 0; k < c->leaf.rank; k++) list_push(e->arena, &dims, column_dim(j, c, k));
  Type type = type_array_dims(e->arena, type_scalar(c->leaf.prim), dims);
  e->prog->vars.at[c->var.id].type = c->leaf.is_acc ? c->model : type;
  for (int i = 0; i < j->n; i++) {
    if (!is_blank(c->of[i])) {
      alias(e, atom_var(c->var), c->of[i]);
      continue;
    }
    Atom *in = NEW_ARRAY(e->arena, Atom, dims.len);
    for (int k = 0; k < dims.len; k++) in[k] = size_in_branch(j, dims.at[k], i);
    Stms *outer = e->b.stms;
    e->b.stms = &j->branches->at[i].scope.stms;
    c->of[i] = leaf_zero(e, (Leaf){c->leaf.prim, c->leaf.rank, false, in, false});
    e->b.stms = outer;
  }
}

static Val *emit_match(Join *j, Atoms args, Cases cases, Val *v) {
  Elab *e = j->e;
  Stm stm = {.exp = {.form = FORM_MATCH}, .attrs = e->b.attrs, .loc = e->b.loc};
  for (int s = 0; s < j->sizes.len; s++) list_push(e->arena, &stm.bound, j->sizes.at[s].var);
  for (int c = 0; c < j->cols.len; c++) list_push(e->arena, &stm.bound, j->cols.at[c].var);
  for (int i = 0; i < j->n; i++) {
    Atoms results = {0};
    for (int s = 0; s < j->sizes.len; s++)
      list_push(e->arena, &results, j->sizes.at[s].of[i]);
    for (int c = 0; c < j->cols.len; c++) list_push(e->arena, &results, j->cols.at[c].of[i]);
    cases.at[i].body = (Body){.stms = j->branches->at[i].scope.stms, .results = results};
  }
  stm.exp.match.args = args;
  stm.exp.match.cases = cases;
  v = units_of_stm(e, &stm, v);
  build_stm(&e->b, stm);
  return v;
}

static bool all_empty(const Join *j) {
  for (int i = 0; i < j->n; i++)
    if (j->branches->at[i].scope.stms.len > 0) return false;
  return true;
}

static Atom substitute(void *state, Atom a) {
  const Join *j = state;
  for (int c = 0; c < j->cols.len; c++) {
    const Column *col = &j->cols.at[c];
    if (!atom_is_var(a, col->var)) continue;
    return col->of[j->n];
  }
  return a;
}

// Two branches without statements and with scalar results: choices, not control.
static Val *as_selects(Join *j, Atom cond, Val *v) {
  Elab *e = j->e;
  for (int c = 0; c < j->cols.len; c++) {
    Column *col = &j->cols.at[c];
    Atom yes = col->of[0], no = col->of[1];
    if (is_blank(yes)) yes = no;
    if (is_blank(no)) no = yes;
    if (is_blank(yes)) yes = no = atom_number(col->leaf.prim, 0);
    Atom both[3] = {col->of[0], col->of[1], build_select(&e->b, cond, yes, no)};
    col->of = arena_copy(e->arena, both, sizeof both);
  }
  return val_map(e, v, substitute, j);
}

Val *join(Elab *e, Branches *branches, Atoms args, Cases cases) {
  Join j = {.e = e, .branches = branches, .n = branches->len};
  Val **vs = NEW_ARRAY(e->arena, Val *, j.n);
  for (int i = 0; i < j.n; i++) vs[i] = branches->at[i].val;
  Val *out = join_vals(&j, vs);
  bool scalars = true;
  for (int c = 0; c < j.cols.len; c++) scalars = scalars && j.cols.at[c].leaf.rank == 0;
  bool on_bool = args.len == 1 && j.n == 2 && atom_type(e->prog, args.at[0]).prim == PRIM_BOOL;
  if (all_empty(&j) && (j.cols.len == 0 || (scalars && on_bool && cases.at[0].pats.len == 1))) {
    if (j.cols.len == 0) return out;
    return as_selects(&j, args.at[0], out);
  }
  for (int c = 0; c < j.cols.len; c++) settle(&j, &j.cols.at[c]);
  return emit_match(&j, args, cases, out);
}

Val *emit_if(Elab *e, Atom cond, Branch *yes, Branch *no) {
  Branches branches = {0};
  list_push(e->arena, &branches, *yes);
  list_push(e->arena, &branches, *no);
  Cases cases = {0};
  Case first = {0}, second = {0};
  list_push(e->arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(e->arena, &cases, first);
  list_push(e->arena, &cases, second);
  return join(e, &branches, atom_list1(e, cond), cases);
}

// Scalar operations that cannot fail: may run whether or not their result is wanted.
bool stms_are_cheap(Elab *e, const Stms *stms) {
  (void)e;
  if (stms->len > 8) return false;
  for (int i = 0; i < stms->len; i++) {
    const Exp *exp = &stms->at[i].exp;
    bool ok = exp->form == FORM_CONV || exp->form == FORM_ATOM ||
              (exp->form == FORM_PRIM && !op_may_fail(exp->prim.op, exp->prim.prim));
    if (!ok) return false;
  }
  return true;
}
