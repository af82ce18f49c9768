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

// ---- parameters that lead to pointers -----------------------------------------------------------
static bool leads_to_numbers(const Leaves *leaves) {
  for (int i = 0; i < leaves->len; i++) {
    const CType *t = leaves->at[i].type;
    if (t->tag == CTYPE_POINTER && !ctype_is_arithmetic(t->base)) return false;
  }
  return true;
}

static bool is_used(Entry *x, const CVar *v) {
  CFlow *flow = cflow_of(x->u.p, x->f);
  ObjSet places = {{0}};
  set_add(&places, cflow_target(flow, cflow_var(flow, v)));
  places = cflow_spread(flow, places);
  return set_meets(&places, &flow->reads) || set_meets(&places, &flow->writes);
}

// The object that a pointer in slot s leads to.
static LeafCell target_slot(Entry *x, const Slot *s, const Leaf *leaf) {
  Arena *arena = x->u.arena;
  const CType *t = leaf->type->base;
  const char *member = *leaf->path ? leaf->path + 1 : "rows";
  Slot to = {.name = arena_printf(arena, "%s_%s", s->name, member), .type = t,
             .leaves = entry_leaves(x, t, (Span){0})};
  list_push(arena, &to.cells, (LeafCell){0});
  list_push(arena, &x->slots, to);
  int at = x->slots.len - 1;
  return (LeafCell){.pointer = true, .slot = at, .ptr = {.obj = at, .at = atom_i64(0), .unit = t}};
}

static void pointer_param(Entry *x, const CVar *v) {
  int64_t n;
  Arena *arena = x->u.arena;
  const CType *t = v->type->base;
  if (t->tag == CTYPE_VOID && !is_used(x, v)) {
    opaque_param(x, v);
    return;
  }
  Leaves leaves = entry_leaves(x, t, v->at);
  bool pointers = leaves_have_pointers(&leaves);
  if (pointers && !(leads_to_numbers(&leaves) && is_used(x, v))) {
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
  int at = x->slots.len;
  Arg arg = {.var = v, .slot = at, .ptr = {.obj = at, .at = atom_i64(0), .unit = t}};
  list_push(arena, &x->slots, s);
  for (int i = 0; i < leaves.len; i++) {
    LeafCell c = {0};
    if (leaves.at[i].type->tag == CTYPE_POINTER) c = target_slot(x, &s, &leaves.at[i]);
    list_push(arena, &x->slots.at[at].cells, c);
  }
  list_push(arena, &x->args, arg);
}

// Core's parameters for a struct by value are numbers.
static void value_check(Entry *x, const CVar *v) {
  Leaves leaves = entry_leaves(x, v->type, v->at);
  for (int i = 0; i < leaves.len; i++)
    if (leaves.at[i].array || leaves.at[i].type->tag == CTYPE_POINTER)
      lower_gap(plain_lower(&x->u), v->at, "[c-unsupported] A struct with arrays or pointers is "
                "passed by value: pass a pointer to it.");
}

static void param_add(Entry *x, const CVar *v) {
  if (ctype_is_pointer(v->type) && v->type->base->tag == CTYPE_FUNCTION)
    lower_gap(plain_lower(&x->u), v->at, "[c-function-pointer] A parameter that is a function.");
  if (ctype_is_pointer(v->type)) {
    pointer_param(x, v);
    return;
  }
  value_check(x, v);
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

// The leaves for memory that the pointers in leaf k of a parameter's slot lead to.
static void describe_target(Entry *x, const Variant *v, int i, int k) {
  CLoweredParam *p = &x->out->params.at[i];
  const Slot *s = &x->slots.at[x->args.at[i].slot];
  const Leaf *leaf = &s->leaves.at[k];
  int to = s->cells.at[k].slot, slot = x->args.at[i].slot;
  bool rows = !p->one || leaf->array;
  const char *name = arena_printf(x->u.arena, "%s%s", p->var->name, leaf->path);
  CLoweredLeaf out = {.param = p->var, .path = leaf->path, .array = true, .out = -1};
  if (rows) {
    out.way = LEAF_ROWS;
    out.type = &ctype_long;
    out.many = leaf_many(leaf);
    out.size = source_var(v, i, slot, k, true);
    out.in = source_var(v, i, slot, k, false);
    list_push(x->u.arena, &x->out->leaves, out);
  } else out.length = cdiff_length_said(x->u.p, &x->u.options->lengths, x->f, name);
  out.way = rows ? LEAF_FAR : LEAF_MEMBER;
  out.type = leaf->type->base;
  out.many = 1;
  out.size = source_var(v, i, to, 0, true);
  out.in = source_var(v, i, to, 0, false);
  out.out = result_of(v, to, 0);
  list_push(x->u.arena, &x->out->leaves, out);
  p->leaves += 1 + rows;
}

static void describe_param(Entry *x, const Variant *v, int i) {
  CLoweredParam *p = &x->out->params.at[i];
  const Arg *arg = &x->args.at[i];
  bool pointer = ctype_is_pointer(p->var->type);
  p->first = x->out->leaves.len;
  if (p->opaque) return;
  Leaves leaves = pointer ? x->slots.at[arg->slot].leaves
                          : leaves_of(plain_lower(&x->u), p->var->type, p->var->at);
  for (int k = 0; k < leaves.len; k++) {
    const Leaf *leaf = &leaves.at[k];
    if (pointer && leaf->type->tag == CTYPE_POINTER) {
      describe_target(x, v, i, k);
      continue;
    }
    p->leaves++;
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

static void target_check(Entry *x, const CLoweredLeaf *leaf) {
  const CVar *v = leaf->param;
  if (leaf->out < 0 || leaf->way == LEAF_PLAIN) return;
  if (leaf->way == LEAF_FAR)
    lower_gap(plain_lower(&x->u), v->at, "[c-rows] `%s` has pointers to memory that is written: "
              "write to one array, and copy it.", v->name);
  if (!leaf->length) cdiff_length_refuse_member(x->u.p, v, leaf->path);
}

bool clower_is_only(const CLoweredLeaf *leaf) {
  if (!leaf->param || !ctype_is_pointer(leaf->param->type)) return false;
  return ctype_size(leaf->param->type->base) == leaf->many * ctype_size(leaf->type);
}

static void lengths_check(Entry *x) {
  for (int i = 0; i < x->out->params.len; i++) {
    const CLoweredParam *p = &x->out->params.at[i];
    if (!ctype_is_pointer(p->var->type) || p->length) continue;
    for (int k = 0; k < p->leaves; k++) {
      const CLoweredLeaf *leaf = &x->out->leaves.at[p->first + k];
      if (leaf->way == LEAF_ROWS) cdiff_length_refuse(x->u.p, p->var);
      if (leaf->way) continue;
      bool copied = leaf->in.id && *leaf->path && !clower_is_only(leaf);
      if (ctype_is_float(leaf->type) || leaf->out >= 0 || copied)
        cdiff_length_refuse(x->u.p, p->var);
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
  for (int i = 0; i < x.out->leaves.len; i++) target_check(&x, &x.out->leaves.at[i]);
  x.out->prog = x.u.prog;
  x.out->fn = v->fn;
  x.out->source = f;
  return x.out;
}
