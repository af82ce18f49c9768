// A function of the program as an entry: every pointer parameter points to another object, whose
// length is told by cdiff_length_known.
#include "variant.h"

typedef struct {
  Unit u;
  CLowered *out;
  const CFunction *f;
  Args args;
  Slots slots;
} Entry;

static Lower *plain_lower(Unit *u) {
  Lower *l = NEW(u->arena, Lower);
  *l = (Lower){.u = u, .arena = u->arena, .prog = u->prog, .vars = map_new(u->arena),
               .lengths = map_new(u->arena)};
  l->b = builder_new(u->prog, NEW(u->arena, Stms));
  return l;
}

// Lengths that are variable make no leaf's count: those of rows are computed in the function.
static Leaves entry_leaves(Entry *x, const CType *t, Span at) {
  Lower *l = plain_lower(&x->u);
  const CType *e = t;
  e = ctype_element(e);
  bool rows = e != t;
  Leaves leaves = leaves_of(l, rows ? e : t, at);
  for (int i = 0; i < leaves.len; i++) leaves.at[i].array |= rows;
  return leaves;
}

// Where pointers of the caller's memory point is not known: refused where it is used.
static void opaque_param(Entry *x, const CVar *v) {
  list_push(x->u.arena, &x->out->params, (CLoweredParam){.var = v, .opaque = true});
  Ptr p = {.obj = OPAQUE_OBJECT, .at = atom_i64(0), .unit = v->type->base};
  list_push(x->u.arena, &x->args, (Arg){.var = v, .slot = OPAQUE_OBJECT, .ptr = p});
}

static void pointer_param(Entry *x, const CVar *v) {
  int64_t n;
  Arena *arena = x->u.arena;
  const CType *t = v->type->base;
  Leaves leaves = entry_leaves(x, t, v->at);
  if (leaves_have_pointers(&leaves)) {
    opaque_param(x, v);
    return;
  }
  const CExpr *length = cdiff_length_known(x->u.p, &x->u.options->lengths, x->f, v);
  bool said_one = length && length->spelling && strcmp(length->spelling, "(1)") == 0;
  bool is_one = length && !length->spelling && cexpr_integer(length, &n) && n == 1;
  bool one = (said_one || is_one) && !v->type->was_array;
  CLoweredParam p = {.var = v, .length = length, .one = one};
  list_push(arena, &x->out->params, p);
  Slot s = {.name = v->name, .type = t, .one = one, .leaves = leaves};
  for (int i = 0; i < leaves.len; i++) list_push(arena, &s.cells, (LeafCell){0});
  Arg arg = {.var = v, .slot = x->slots.len,
             .ptr = {.obj = x->slots.len, .at = atom_i64(0), .unit = t}};
  list_push(arena, &x->slots, s);
  list_push(arena, &x->args, arg);
}

static void param_add(Entry *x, const CVar *v) {
  if (ctype_is_pointer(v->type) && v->type->base->tag == CTYPE_FUNCTION)
    lower_gap(plain_lower(&x->u), v->at, "[c-function-pointer] A parameter that is a function.");
  if (ctype_is_pointer(v->type)) {
    pointer_param(x, v);
    return;
  }
  list_push(x->u.arena, &x->out->params, (CLoweredParam){.var = v});
  list_push(x->u.arena, &x->args, (Arg){.var = v, .slot = NO_OBJECT});
}

// ---- the description ----------------------------------------------------------------------------
static int64_t leaf_many(const Leaf *leaf) {
  return leaf->many.is_var ? -1 : leaf->many.value.i;
}

static Var source_var(const Variant *v, int arg, int slot, int leaf, bool size) {
  for (int i = 0; i < v->sources.len; i++) {
    const CoreParam *s = &v->sources.at[i];
    bool same = slot >= 0 ? s->slot == slot : s->slot < 0 && s->arg == arg;
    if (same && s->leaf == leaf && s->size == size) return s->var;
  }
  return (Var){0};
}

static int result_of(const Variant *v, int slot, int leaf) {
  for (int i = 0; i < v->results.len; i++)
    if (v->results.at[i].slot == slot && v->results.at[i].leaf == leaf) return i;
  return -1;
}

static void describe_param(Entry *x, const Variant *v, int i) {
  CLoweredParam *p = &x->out->params.at[i];
  const Arg *arg = &x->args.at[i];
  bool pointer = ctype_is_pointer(p->var->type);
  p->first = x->out->leaves.len;
  if (p->opaque) return;
  Leaves leaves = pointer ? x->slots.at[arg->slot].leaves
                          : leaves_of(plain_lower(&x->u), p->var->type, p->var->at);
  p->leaves = leaves.len;
  for (int k = 0; k < leaves.len; k++) {
    const Leaf *leaf = &leaves.at[k];
    int slot = pointer ? arg->slot : NO_OBJECT;
    CLoweredLeaf out = {.param = p->var, .type = leaf->type, .path = leaf->path,
                        .array = pointer && (!p->one || leaf->array), .many = leaf_many(leaf),
                        .size = source_var(v, i, slot, k, true),
                        .in = source_var(v, i, slot, k, false),
                        .out = pointer ? result_of(v, slot, k) : -1};
    list_push(x->u.arena, &x->out->leaves, out);
  }
}

static void describe_result(Entry *x, const Variant *v) {
  const CType *t = x->f->type->base;
  if (t->tag == CTYPE_VOID) return;
  Leaves leaves = leaves_of(plain_lower(&x->u), t, x->f->at);
  for (int i = 0; i < leaves.len; i++) {
    CLoweredLeaf out = {.type = leaves.at[i].type, .path = leaves.at[i].path, .many = 1,
                        .out = result_of(v, -1, i)};
    list_push(x->u.arena, &x->out->leaves, out);
  }
}

static void lengths_check(Entry *x) {
  for (int i = 0; i < x->out->params.len; i++) {
    const CLoweredParam *p = &x->out->params.at[i];
    if (!ctype_is_pointer(p->var->type) || p->length) continue;
    for (int k = 0; k < p->leaves; k++) {
      const CLoweredLeaf *leaf = &x->out->leaves.at[p->first + k];
      if (ctype_is_float(leaf->type) || leaf->out >= 0) cdiff_length_refuse(x->u.p, p->var);
    }
  }
}

CLowered *clower_function(CProgram *p, const CFunction *f, const CLowerOptions *options) {
  Entry x = {.f = f, .out = NEW(p->arena, CLowered)};
  x.u = (Unit){.p = p, .arena = p->arena, .prog = prog_new(p->arena), .options = options,
               .variants = map_new(p->arena), .taken = map_new(p->arena),
               .splices = map_new(p->arena)};
  if (f->type->base->tag == CTYPE_POINTER)
    lower_gap(plain_lower(&x.u), f->at, "[c-escapes] `%s` returns a pointer.", f->name);
  for (int i = 0; i < f->params.len; i++) param_add(&x, f->params.at[i]);
  const Variant *v = variant_of(&x.u, f, &x.args, &x.slots);
  for (int i = 0; i < x.out->params.len; i++) describe_param(&x, v, i);
  describe_result(&x, v);
  lengths_check(&x);
  x.out->prog = x.u.prog;
  x.out->fn = v->fn;
  x.out->source = f;
  return x.out;
}
