// The size pass's results for elaboration: the size parameters of each occurrence and the sizes in
// elements of empty arrays, as far as they can be written with names of the place.
#include "sizes.h"

static bool arguments_show(const Scheme *s, const DimVar *param) {
  const Sized *t = s->type;
  for (int i = 0; i != s->arity && t->tag == TYPE_ARROW; i++, t = t->arrow.to)
    if (sized_witnesses(t->arrow.from, param)) return true;
  return false;
}

void inst_dim_note(Sizing *z, const Inst *inst, const Scheme *scheme, const DimVar *param,
                   Dim *dim) {
  if (!param->binding) return;
  bool shown = arguments_show(scheme, param);
  list_push(z->c->arena, &z->insts, (InstDim){(Inst *)inst, param->binding, dim, shown});
}

void size_source_note(Sizing *z, const void *node, Sized *type) {
  if (type->tag != TYPE_ERROR) list_push(z->c->arena, &z->sources, (SizeSource){node, type});
}

static bool has_sizes(const Sized *t) {
  if (t->tag == TYPE_ARRAY) return true;
  for (int i = 0; t->tag == TYPE_RECORD && i < t->fields.len; i++)
    if (has_sizes(t->fields.at[i].type)) return true;
  for (int i = 0; t->tag == TYPE_SUM && i < t->constrs.len; i++)
    for (int k = 0; k < t->constrs.at[i].args.len; k++)
      if (has_sizes(t->constrs.at[i].args.at[k])) return true;
  return false;
}

void empty_note(Sizing *z, const Expr *exp, Sized *elem) {
  if (has_sizes(elem)) list_push(z->c->arena, &z->empties, (SizeSource){exp, elem});
}

// ---- terms -----------------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  Map *wanted;  // DimVar to int: sizes without names that occurrences need
  bool shown;   // of no need here
  int left;     // parts that the size may still have
} Recording;

enum { DEEPEST = 50, LARGEST = 1000 };

static SizeTerm *found_term(Recording *r, SizeTerm *t, const DimVar *var) {
  if (r->shown || var->tag == DIMVAR_FLEX) return t;
  Arena *arena = r->z->c->arena;
  if (!r->wanted) r->wanted = map_new(arena);
  int *number = map_get(r->wanted, KEY(var));
  if (!number) {
    number = NEW(arena, int);
    *number = map_len(r->wanted);
    map_put(r->wanted, KEY(var), number);
  }
  t->tag = SIZETERM_FOUND;
  t->value = *number;
  return t;
}

static SizeTerm *term_of(Recording *r, Dim *dim, int depth) {
  Sizing *z = r->z;
  SizeTerm *t = NEW(z->c->arena, SizeTerm);
  dim = dim_find(dim);
  t->tag = SIZETERM_UNKNOWN;
  if (depth > DEEPEST || r->left-- <= 0) return t;
  switch (dim->tag) {
    case DIM_CONST:
      t->tag = SIZETERM_CONST;
      t->value = dim->value;
      return t;
    case DIM_VAR:
      if (dim->var->tag != DIMVAR_NAME || !dim->var->binding) return found_term(r, t, dim->var);
      t->tag = SIZETERM_NAME;
      t->binding = dim->var->binding;
      t->path = dim->var->path;
      return t;
    case DIM_TERM:
      if (dim->term.form == EXP_PROJECT) t->tag = SIZETERM_PROJECT;
      else if (dim->term.form == EXP_BINOP || dim->term.form == EXP_APPLY) t->tag = SIZETERM_APPLY;
      else return t;
      t->field = dim->term.text;
      for (int i = 0; i < dim->term.args.len; i++) {
        if (!dim->term.args.at[i]) return t->tag = SIZETERM_UNKNOWN, t;
        list_push(z->c->arena, &t->args, term_of(r, dim->term.args.at[i], depth + 1));
      }
      return t;
    case DIM_ANY: return t;
  }
  return t;
}

// ---- shapes of the elements of empty arrays ----------------------------------------------------
static SizeShape *shape_of(Recording *r, const Sized *t) {
  Arena *arena = r->z->c->arena;
  SizeShape *s = NEW(arena, SizeShape);
  switch (t->tag) {
    case TYPE_ARRAY:
      s->size = term_of(r, t->array.dim, 0);
      list_push(arena, &s->parts, shape_of(r, t->array.elem));
      return s;
    case TYPE_RECORD:
      for (int i = 0; i < t->fields.len; i++)
        list_push(arena, &s->parts, shape_of(r, t->fields.at[i].type));
      return s;
    case TYPE_SUM:
      for (int i = 0; i < t->constrs.len; i++)
        for (int k = 0; k < t->constrs.at[i].args.len; k++)
          list_push(arena, &s->parts, shape_of(r, t->constrs.at[i].args.at[k]));
      return s;
    case TYPE_ARROW:
    case TYPE_NAMED:
    case TYPE_PRIM:
    case TYPE_VAR:
    case TYPE_ERROR: return s;
  }
  return s;
}

static void empties_record(Recording *r) {
  Map **shapes = &r->z->c->program->shapes;
  for (int i = 0; i < r->z->empties.len; i++) {
    if (!*shapes) *shapes = map_new(r->z->c->arena);
    r->shown = false;
    r->left = LARGEST;
    map_put(*shapes, KEY(r->z->empties.at[i].node), shape_of(r, r->z->empties.at[i].type));
  }
}

// ---- where sizes without names are seen ------------------------------------------------------
typedef struct {
  Recording *r;
  const void *node;
  SizeWitnessList *list;  // of the node, or NULL
} Seeing;

static void witness_put(Seeing *s, Dim *dim, SizeWitness w) {
  dim = dim_find(dim);
  Arena *arena = s->r->z->c->arena;
  int *number = dim->tag == DIM_VAR ? map_get(s->r->wanted, KEY(dim->var)) : NULL;
  if (!number) return;
  w.number = *number;
  if (!s->list) {
    s->list = NEW(arena, SizeWitnessList);
    Map **all = &s->r->z->c->program->witnesses;
    if (!*all) *all = map_new(arena);
    map_put(*all, KEY(s->node), s->list);
  }
  list_push(arena, s->list, w);
}

static void witness_walk(Seeing *s, const Sized *t, SizeWitness w) {
  if (t->tag == TYPE_ARRAY) {
    for (; t->tag == TYPE_ARRAY; t = t->array.elem, w.depth++) witness_put(s, t->array.dim, w);
    return;
  }
  if (t->tag != TYPE_RECORD) return;
  for (int i = 0; i < t->fields.len; i++) {
    SizeWitness inner = {.depth = 0};
    for (int k = 0; k < w.fields.len; k++)
      list_push(s->r->z->c->arena, &inner.fields, w.fields.at[k]);
    list_push(s->r->z->c->arena, &inner.fields, t->fields.at[i].name);
    witness_walk(s, t->fields.at[i].type, inner);
  }
}

// An argument of type i64 may be an unknown size itself.
static void witness_value(Seeing *s) {
  const DimVarList *made = map_get(s->r->z->produced, KEY(s->node));
  for (int i = 0; made && i < made->len; i++)
    witness_put(s, made->at[i]->dim, (SizeWitness){.depth = -1});
}

void inst_dims_record(Sizing *z) {
  Recording r = {.z = z};
  for (int i = 0; i < z->insts.len; i++) {
    const InstDim *n = &z->insts.at[i];
    r.shown = n->shown;
    r.left = LARGEST;
    list_push(z->c->arena, &n->inst->sizes, (InstSize){n->param, term_of(&r, n->dim, 0)});
  }
  empties_record(&r);
  for (int i = 0; r.wanted && i < z->sources.len; i++) {
    Seeing s = {&r, z->sources.at[i].node, NULL};
    const Sized *t = z->sources.at[i].type;
    if (t->tag == TYPE_PRIM && t->prim == PRIM_I64) witness_value(&s);
    else witness_walk(&s, t, (SizeWitness){0});
  }
}
