// Control: branches, matches, lets.
#include "sizes.h"

// ---- branches --------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  const Expr *node;
  DimList left, right, unknown;
} Joining;

// ---- what branches do not make one -----------------------------------------------------------
// The size before all loops whose parameter has this size.
static Dim *size_at_start(Dim *dim) {
  dim = dim_find(dim);
  while (dim->tag == DIM_VAR && dim->var->init) dim = dim_find(dim->var->init);
  return dim;
}

// A parameter of a loop is to have another size in a branch than it starts with.  One that starts
// empty is going to grow.
static bool grows(Dim *dim, Dim *start) {
  return start != dim_find(dim) && start->tag == DIM_CONST && start->value == 0;
}

static void solvable_see(void *env, DimVar *var) {
  if (var->tag == DIMVAR_FLEX && !var->hidden) *(bool *)env = true;
}

static bool is_rigid(Dim *dim) {
  bool solvable = false;
  dim_each(dim, solvable_see, &solvable);
  return !solvable;
}

// A module type may hide a size that a named type does not show, so that callers cannot tell
// whether it equals another:
//
//   type~ t = {xs: []i64, ys: []i64}    \(v: t) -> if b then v.xs else v.ys
static bool is_hidden(const Dim *dim) { return dim->tag == DIM_VAR && dim->var->hidden; }

static bool is_written(const Dim *dim) {
  return is_hidden(dim) || (dim->tag == DIM_VAR && dim->var->rank == RANK_WRITTEN);
}

static bool stays_distinct(Dim *a, Dim *b) {
  Dim *from = size_at_start(a), *to = size_at_start(b);
  if (dim_same(a, b)) return false;
  if (grows(a, from) || grows(b, to)) return true;
  if ((is_hidden(from) && is_written(to)) || (is_written(from) && is_hidden(to)))
    return !dim_same(from, to);
  bool both_tell = from == dim_find(a) && to == dim_find(b) && !is_hidden(from) && !is_hidden(to);
  return !both_tell && is_rigid(from) && is_rigid(to) && !dim_same(from, to);
}

// Links what can be linked; the same differing pair is the same unknown.
static Dim *join_dim(Joining *j, Dim *a, Dim *b) {
  Sizing *z = j->z;
  z->quiet = true;
  bool same = !stays_distinct(a, b) && dim_unify(z, a, b);
  z->quiet = false;
  if (same) return dim_find(a)->tag == DIM_ANY ? b : a;
  for (int i = 0; i < j->left.len; i++)
    if (dim_same(j->left.at[i], a) && dim_same(j->right.at[i], b)) return j->unknown.at[i];
  const char *why = arena_printf(z->c->arena, "unknown size where branches differ: [%s] and "
                                 "[%s]", dim_text(z, a), dim_text(z, b));
  Dim *u = unknown_make(z, j->node, NULL, j->node->span, why);
  list_push(z->c->arena, &j->left, a);
  list_push(z->c->arena, &j->right, b);
  list_push(z->c->arena, &j->unknown, u);
  return u;
}

static Sized *join_types(Joining *j, Sized *a, Sized *b);

static Sized *join_fields(Joining *j, Sized *a, Sized *b) {
  SizedFieldList fields = {0};
  for (int i = 0; i < a->fields.len; i++) {
    SizedField f = a->fields.at[i];
    if (i < b->fields.len) f.type = join_types(j, f.type, b->fields.at[i].type);
    list_push(j->z->c->arena, &fields, f);
  }
  return fields.len ? sized_record(j->z, fields) : a;
}

static Sized *join_constrs(Joining *j, Sized *a, Sized *b) {
  Sized *t = sized_new(j->z, TYPE_SUM);
  for (int i = 0; i < a->constrs.len && i < b->constrs.len; i++) {
    SizedConstr k = {a->constrs.at[i].name, {0}};
    for (int n = 0; n < a->constrs.at[i].args.len && n < b->constrs.at[i].args.len; n++)
      list_push(j->z->c->arena, &k.args,
                join_types(j, a->constrs.at[i].args.at[n], b->constrs.at[i].args.at[n]));
    list_push(j->z->c->arena, &t->constrs, k);
  }
  return t;
}

static Sized *join_args(Joining *j, Sized *a, Sized *b) {
  Sized *t = arena_copy(j->z->c->arena, a, sizeof *a);
  t->named.args = (SizedArgList){0};
  for (int i = 0; i < a->named.args.len && i < b->named.args.len; i++) {
    SizedArg arg = a->named.args.at[i];
    if (arg.dim) arg.dim = join_dim(j, arg.dim, b->named.args.at[i].dim);
    if (arg.type) arg.type = join_types(j, arg.type, b->named.args.at[i].type);
    list_push(j->z->c->arena, &t->named.args, arg);
  }
  return t;
}

static Sized *join_types(Joining *j, Sized *a, Sized *b) {
  if (a == b || a->tag != b->tag) return a->tag == TYPE_ERROR ? b : a;
  switch (a->tag) {
    case TYPE_ARRAY: {
      Dim *d = join_dim(j, a->array.dim, b->array.dim);
      return sized_array(j->z, d, join_types(j, a->array.elem, b->array.elem));
    }
    case TYPE_RECORD: return join_fields(j, a, b);
    case TYPE_SUM: return join_constrs(j, a, b);
    case TYPE_NAMED: return a->named.args.len ? join_args(j, a, b) : a;
    case TYPE_ARROW:
    case TYPE_PRIM:
    case TYPE_VAR:
    case TYPE_ERROR: return a;
  }
  return a;
}

Sized *if_size(Sizing *z, Expr *exp) {
  exp_size(z, exp->if_.cond);
  Sized *yes = exp_size(z, exp->if_.yes);
  Sized *no = exp_size(z, exp->if_.no);
  Joining j = {.z = z, .node = exp};
  return join_types(&j, yes, no);
}

Sized *match_size(Sizing *z, Expr *exp) {
  Sized *src = exp_size(z, exp->match.src), *out = NULL;
  Joining j = {.z = z, .node = exp};
  for (int i = 0; i < exp->match.cases.len; i++) {
    MatchCase *k = &exp->match.cases.at[i];
    BoundNames names = {0};
    int level = z->level;
    pat_size(z, k->pat, src, &names);
    z->level++;
    Sized *t = scope_leave(z, exp, exp_size(z, k->body), &names, NULL);
    z->level = level;
    out = out ? join_types(&j, out, t) : t;
  }
  return out ? out : sized_any(z, exp->type);
}

// ---- let -------------------------------------------------------------------------------------
// The sizes of `let [n] p = e` are whatever the value has in their places.
static void let_sizes_bind(Sizing *z, const Expr *exp) {
  for (int i = 0; i < exp->let.sizes.len; i++) {
    const TypeParam *p = &exp->let.sizes.at[i];
    Binding *b = p->info->binding;
    DimVar *v = dim_flex(z, p->span, RANK_WRITTEN, "a size bound by let")->var;
    v->name = p->name;
    map_put(z->vars_of, KEY(b), v);
    scheme_put(z, b, sized_prim(z, PRIM_I64));
  }
}

typedef struct {
  Expr *exp;
  BoundNames names;
  Dim *value;
} LetStep;

static void let_one(Sizing *z, LetStep *step) {
  Expr *exp = step->exp;
  if (exp->tag == EXP_LETFUN) {
    Binding *b = exp->letfun.fun->info->binding;
    letfun_size(z, exp->letfun.fun, b);
    dimvar_of(z, b);
    list_push(z->c->arena, &step->names, b);
    return;
  }
  Sized *t = exp_size(z, exp->let.value);
  let_sizes_bind(z, exp);
  pat_size(z, exp->let.pat, t, &step->names);
  if (t->tag == TYPE_PRIM && t->prim == PRIM_I64 && pat_is_whole(exp->let.pat))
    step->value = dim_of_exp(z, exp->let.value);
}

Sized *let_size(Sizing *z, Expr *exp) {
  LIST(LetStep) steps = {0};
  int level = z->level;
  for (; exp->tag == EXP_LET || exp->tag == EXP_LETFUN;
       exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body) {
    LetStep step = {exp, {0}, NULL};
    let_one(z, &step);
    list_push(z->c->arena, &steps, step);
    z->level++;
  }
  Sized *t = exp_size(z, exp);
  z->level = level;
  for (int i = steps.len; i-- > 0;)
    t = scope_leave(z, steps.at[i].exp, t, &steps.at[i].names, steps.at[i].value);
  return t;
}
