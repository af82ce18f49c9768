// Loops: which sizes of the loop parameters stay the same in all iterations.
#include "sizes.h"

enum { ANY_LEVEL = 1 << 30 };  // may be linked to any name

typedef struct {
  DimVar *var;
  Dim *init;
  bool variant;
} LoopSize;
typedef struct {
  Dim *pat, *body;
} LoopPair;
typedef struct {
  Sizing *z;
  Expr *exp;
  int level, start;
  LIST(LoopSize) sizes;
  LIST(LoopPair) pairs;
} LoopSizing;

static Dim *loop_fresh(void *env, Dim *dim) {
  LoopSizing *l = env;
  if (dim_find(dim)->tag == DIM_ANY) return dim;
  Dim *d = dim_flex(l->z, l->exp->span, RANK_LOOP, "a loop parameter");
  d->var->init = dim;
  LoopSize size = {d->var, dim, false};
  const Dim *init = dim_find(dim);
  if (init->tag == DIM_VAR) d->var->name = init->var->name;
  list_push(l->z->c->arena, &l->sizes, size);
  return d;
}

static void pair_add(LoopSizing *l, Dim *pat, Dim *body) {
  LoopPair pair = {pat, body};
  list_push(l->z->c->arena, &l->pairs, pair);
}

static void loop_pairs(LoopSizing *l, Sized *p, Sized *b) {
  if (p->tag != b->tag) return;
  if (p->tag == TYPE_ARRAY) {
    pair_add(l, p->array.dim, b->array.dim);
    loop_pairs(l, p->array.elem, b->array.elem);
  } else if (p->tag == TYPE_RECORD) {
    for (int i = 0; i < p->fields.len && i < b->fields.len; i++)
      loop_pairs(l, p->fields.at[i].type, b->fields.at[i].type);
  } else if (p->tag == TYPE_SUM) {
    for (int i = 0; i < p->constrs.len && i < b->constrs.len; i++)
      for (int j = 0; j < p->constrs.at[i].args.len && j < b->constrs.at[i].args.len; j++)
        loop_pairs(l, p->constrs.at[i].args.at[j], b->constrs.at[i].args.at[j]);
  } else if (p->tag == TYPE_NAMED) {
    for (int i = 0; i < p->named.args.len && i < b->named.args.len; i++) {
      const SizedArg *x = &p->named.args.at[i], *y = &b->named.args.at[i];
      if (x->dim && y->dim) pair_add(l, x->dim, y->dim);
      if (x->type && y->type) loop_pairs(l, x->type, y->type);
    }
  }
}

static LoopSize *loop_size_of(LoopSizing *l, const Dim *dim) {
  for (int i = 0; dim->tag == DIM_VAR && i < l->sizes.len; i++)
    if (l->sizes.at[i].var == dim->var) return &l->sizes.at[i];
  return NULL;
}

// d = v0, or another loop size that starts equal and is invariant.
static bool pair_invariant(LoopSizing *l, const LoopSize *size, Dim *body) {
  if (dim_same(size->var->dim, body) || dim_same(size->init, body)) return true;
  const LoopSize *other = loop_size_of(l, dim_find(body));
  return other && !other->variant && dim_same(size->init, other->init);
}

// The least set of variant sizes.
static void loop_classify(LoopSizing *l) {
  Sizing *z = l->z;
  z->quiet = true;
  for (int i = 0; i < l->sizes.len; i++) {
    Dim *d = dim_find(l->sizes.at[i].var->dim);
    if (d->tag == DIM_VAR && d->var->id < l->start && !loop_size_of(l, d))
      dim_unify(z, d, l->sizes.at[i].init);
  }
  z->quiet = false;
  for (int i = 0; i < l->pairs.len; i++) {
    const Dim *b = dim_find(l->pairs.at[i].body);
    bool open = b->tag == DIM_VAR && b->var->tag == DIMVAR_FLEX && !dimvar_pending(b->var);
    if (!open || loop_size_of(l, b)) continue;
    z->quiet = true;
    dim_unify(z, l->pairs.at[i].pat, l->pairs.at[i].body);
    z->quiet = false;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < l->pairs.len; i++) {
      LoopSize *size = loop_size_of(l, dim_find(l->pairs.at[i].pat));
      if (!size || size->variant || pair_invariant(l, size, l->pairs.at[i].body)) continue;
      size->variant = changed = true;
    }
  }
}

// Sizes that the body ties to a local variable cannot hold in the next iteration.
static void loop_forced_check(LoopSizing *l, LoopSize *size) {
  Sizing *z = l->z;
  Dim *d = dim_find(size->var->dim);
  if (d->tag != DIM_VAR || d->var->tag != DIMVAR_UNKNOWN || d->var->id < l->start) return;
  report(z->c, l->exp->loop.body->span, "[loop-body-type] Loop body does not have expected "
                                        "type.\nA size of the "
         "loop parameter \"%s\" is forced to be \"%s\" (%s), which is created inside the loop "
         "body.", exp_text(z->c, l->exp->loop.init), dim_text(z, d),
         d->var->why ? d->var->why : "an unknown size");
}

static void loop_settle(LoopSizing *l) {
  Sizing *z = l->z;
  for (int i = 0; i < l->sizes.len; i++) {
    LoopSize *size = &l->sizes.at[i];
    if (dim_find(size->var->dim) != size->var->dim) {
      loop_forced_check(l, size);
      size->variant = false;
      continue;
    }
    if (!size->variant) {
      if (!dim_mentions(size->init, size->var)) size->var->ref = size->init;
      continue;
    }
    if (size->var->level < l->level)
      report(z->c, l->exp->span, "[loop-variant-escape] Loop-variant size \"%s\" is the size of a "
                                 "variable from outside "
             "the loop (#loop-variant-escape).", dim_text(z, size->var->dim));
    DimVar *rigid = dimvar_new(z, DIMVAR_NAME, size->var->name, l->exp->span, NULL);
    rigid->level = l->level;
    size->var->ref = rigid->dim;
  }
}

// The pattern's type with other sizes where they vary.
typedef struct {
  LoopSizing *loop;
  bool unknown;
  DimList made;
} LoopVariant;

static Dim *variant_var(void *env, DimVar *var) {
  LoopVariant *v = env;
  LoopSizing *l = v->loop;
  for (int i = 0; i < l->sizes.len; i++) {
    const Dim *rigid = dim_find(l->sizes.at[i].var->dim);
    if (!l->sizes.at[i].variant || rigid->tag != DIM_VAR || rigid->var != var) continue;
    for (int j = v->made.len; j <= i; j++) list_push(l->z->c->arena, &v->made, NULL);
    if (!v->made.at[i])
      v->made.at[i] = v->unknown
          ? unknown_make(l->z, l->exp, var->name, l->exp->span, "unknown size of a loop result")
          : dimvar_new(l->z, DIMVAR_FLEX, var->name, l->exp->span, NULL)->dim;
    if (!v->unknown) v->made.at[i]->var->level = ANY_LEVEL;
    return v->made.at[i];
  }
  return NULL;
}

static Dim *variant_dim(void *env, Dim *dim) {
  return dim_map(((LoopVariant *)env)->loop->z, dim, variant_var, env);
}

static Sized *loop_variant(LoopSizing *l, Sized *type, bool unknown) {
  LoopVariant v = {.loop = l, .unknown = unknown};
  SizedMap m = {l->z, NULL, variant_dim, &v, NULL};
  return sized_map(&m, type);
}

static void loop_form_size(Sizing *z, Expr *exp) {
  if (exp->loop.tag == LOOP_WHILE) return;
  Sized *t = exp_size(z, exp->loop.arg);
  if (exp->loop.tag == LOOP_IN && t->tag == TYPE_ARRAY) t = t->array.elem;
  pat_size(z, exp->loop.index, t, NULL);
}

Sized *loop_size(Sizing *z, Expr *exp) {
  LoopSizing l = {.z = z, .exp = exp, .level = z->level};
  Sized *init = exp_size(z, exp->loop.init);
  SizedMap fresh = {z, NULL, loop_fresh, &l, NULL};
  Sized *type = sized_map(&fresh, init);
  loop_form_size(z, exp);
  pat_size(z, exp->loop.pat, type, NULL);
  z->level++;
  l.start = z->next_id;
  if (exp->loop.tag == LOOP_WHILE) exp_size(z, exp->loop.arg);
  Sized *body = exp_size(z, exp->loop.body);
  z->level--;
  loop_pairs(&l, type, body);
  loop_classify(&l);
  loop_settle(&l);
  sized_expect(z, exp->loop.body->span, loop_variant(&l, type, false), body,
               "[loop-body-type] Loop body does not have expected type.");
  sized_expect(z, exp->loop.init->span, loop_variant(&l, type, false), init,
               "[loop-initial-type] Initial loop values do not have expected type.");
  return loop_variant(&l, type, true);
}
