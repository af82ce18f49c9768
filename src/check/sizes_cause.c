// Causality: a size must be known before an expression whose type mentions it.  Arguments are
// evaluated right to left, then the function; operands left to right, then the operator; the
// value of a let before its body.  Nothing is known of the parts of other forms in each other.
#include "sizes.h"

typedef struct {
  Sizing *z;
  int unknown, known;  // stamps
  DimVarList trail;    // what is known, in order
} Cause;

static void cause_walk(Cause *k, Expr *exp);

// ---- what is known ---------------------------------------------------------------------------
static void cause_know(Cause *k, DimVar *v) {
  v->stamp = k->known;
  list_push(k->z->c->arena, &k->trail, v);
}

static void cause_produce(Cause *k, const Expr *node) {
  const DimVarList *made = map_get(k->z->produced, KEY(node));
  for (int i = 0; made && i < made->len; i++) cause_know(k, made->at[i]);
}

// Forgets what came after the mark; gives it.
static DimVarList cause_forget(Cause *k, int mark) {
  DimVarList out = {0};
  for (int i = mark; i < k->trail.len; i++) {
    k->trail.at[i]->stamp = k->unknown;
    list_push(k->z->c->arena, &out, k->trail.at[i]);
  }
  k->trail.len = mark;
  return out;
}

static void cause_each(Cause *k, Expr *const *parts, int len) {
  DimVarList all = {0};
  int mark = k->trail.len;
  for (int i = 0; i < len; i++) {
    if (parts[i]) cause_walk(k, parts[i]);
    DimVarList made = cause_forget(k, mark);
    for (int j = 0; j < made.len; j++) list_push(k->z->c->arena, &all, made.at[j]);
  }
  for (int i = 0; i < all.len; i++) cause_know(k, all.at[i]);
}

// ---- what must be known ----------------------------------------------------------------------
typedef struct {
  const Cause *cause;
  DimVar *found;
} CauseSearch;

static void cause_var(void *env, DimVar *var) {
  CauseSearch *s = env;
  if (var->stamp == s->cause->unknown) s->found = var;
}
static void cause_see(void *env, Dim *dim, SizedPlace at) {
  (void)at;
  dim_each(dim, cause_var, env);
}

static void cause_check(Cause *k, const void *node, Span span, const char *what) {
  Sizing *z = k->z;
  Sized *type = map_get(z->types, KEY(node));
  if (!type || z->c->failed) return;
  CauseSearch s = {k, NULL};
  sized_each(type, AT_VALUE, cause_see, &s);
  if (!s.found) return;
  report(z->c, span, "[causality-check] Causality check: size \"%s\" needed for type of %s:\n  "
                     "%s\nBut \"%s\" is not "
         "known yet: it is %s (#causality-check).\nHint: bind the expression that produces it "
         "with let first.", dim_text(z, s.found->dim), what, sized_text(z, type),
         dim_text(z, s.found->dim), s.found->why ? s.found->why : "an unknown size");
}

static const char *quoted_exp(const Cause *k, const Expr *exp) {
  return arena_printf(k->z->c->arena, "\"%s\"", exp_text(k->z->c, exp));
}

// ---- forms -----------------------------------------------------------------------------------
static void cause_body(Cause *k, const PatList *params, Expr *body) {
  int mark = k->trail.len;
  for (int i = 0; params && i < params->len; i++)
    cause_check(k, params->at[i], params->at[i]->span, "a parameter");
  cause_walk(k, body);
  cause_forget(k, mark);
}

static void cause_apply(Cause *k, Expr *exp) {
  for (int i = exp->apply.args.len; i-- > 0;) cause_walk(k, exp->apply.args.at[i]);
  cause_walk(k, exp->apply.fn);
}

static void cause_op(Cause *k, const VarRef *op) {
  if (!map_get(k->z->types, KEY(op))) return;
  cause_check(k, op, op->name.span,
              arena_printf(k->z->c->arena, "\"%s\"", path_text(k->z->c, &op->name.parts,
                                                              op->name.parts.len)));
}

static void cause_binop(Cause *k, Expr *exp) {
  LIST(Expr *) spine = {0};
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left)
    list_push(k->z->c->arena, &spine, exp);
  cause_walk(k, exp);
  for (int i = spine.len; i-- > 0;) {
    cause_walk(k, spine.at[i]->binop.right);
    cause_op(k, &spine.at[i]->binop.op);
    cause_produce(k, spine.at[i]);
  }
}

static void cause_index(Cause *k, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    Expr *parts[3] = {index->at[i].i, index->at[i].j, index->at[i].s};
    cause_each(k, parts, 3);
  }
}

static void cause_path(Cause *k, const StepList *path) {
  for (int i = 0; i < path->len; i++)
    if (path->at[i].tag == STEP_INDEX) cause_index(k, &path->at[i].index);
}

static void cause_fields(Cause *k, const Expr *exp) {
  ExprList parts = {0};
  for (int i = 0; i < exp->record.fields.len; i++)
    list_push(k->z->c->arena, &parts, exp->record.fields.at[i].value);
  cause_each(k, parts.at, parts.len);
}

static void cause_match(Cause *k, Expr *exp) {
  cause_walk(k, exp->match.src);
  ExprList parts = {0};
  for (int i = 0; i < exp->match.cases.len; i++)
    list_push(k->z->c->arena, &parts, exp->match.cases.at[i].body);
  cause_each(k, parts.at, parts.len);
}

static void cause_let(Cause *k, Expr *exp) {
  ExprList steps = {0};
  for (; exp->tag == EXP_LET || exp->tag == EXP_LETFUN;
       exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body) {
    if (exp->tag == EXP_LET) cause_walk(k, exp->let.value);
    else cause_body(k, &exp->letfun.fun->params, exp->letfun.fun->body);
    list_push(k->z->c->arena, &steps, exp);
  }
  cause_walk(k, exp);
  for (int i = steps.len; i-- > 0;) cause_produce(k, steps.at[i]);
}

static void cause_loop(Cause *k, Expr *exp) {
  cause_walk(k, exp->loop.init);
  cause_walk(k, exp->loop.arg);
  cause_body(k, NULL, exp->loop.body);
}

static void cause_array(Cause *k, Expr *exp) {
  cause_each(k, exp->array.elems.at, exp->array.elems.len);
  if (!exp->array.elems.len) cause_check(k, exp, exp->span, "empty array literal");
}

static void cause_form(Cause *k, Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL: case EXP_ARRAYLIT:
      break;
    case EXP_HOLE: cause_check(k, exp, exp->span, "hole"); break;
    case EXP_VAR: cause_check(k, exp, exp->span, quoted_exp(k, exp)); break;
    case EXP_TUPLE: cause_each(k, exp->tuple.elems.at, exp->tuple.elems.len); break;
    case EXP_RECORD: cause_fields(k, exp); break;
    case EXP_ARRAY: cause_array(k, exp); break;
    case EXP_RANGE: {
      Expr *parts[3] = {exp->range.from, exp->range.second, exp->range.to};
      cause_each(k, parts, 3);
      break;
    }
    case EXP_CONSTR:
      for (int i = 0; i < exp->constr.args.len; i++) cause_walk(k, exp->constr.args.at[i]);
      cause_check(k, exp, exp->span, "constructor");
      break;
    case EXP_APPLY: cause_apply(k, exp); break;
    case EXP_PROJECT: cause_walk(k, exp->project.src); break;
    case EXP_INDEX:
      cause_walk(k, exp->index.src);
      cause_index(k, &exp->index.index);
      break;
    case EXP_NEG: cause_walk(k, exp->neg.arg); break;
    case EXP_NOT: cause_walk(k, exp->not_.arg); break;
    case EXP_BINOP: cause_binop(k, exp); return;
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT:
      cause_op(k, &exp->section.op);
      cause_walk(k, exp->section.arg);
      break;
    case EXP_SECTION_PATH:
      cause_check(k, exp, exp->span, "section");
      cause_path(k, &exp->section_path.path);
      break;
    case EXP_UPDATE:
      cause_walk(k, exp->update.src);
      cause_path(k, &exp->update.path);
      cause_walk(k, exp->update.value);
      break;
    case EXP_IF: {
      Expr *parts[2] = {exp->if_.yes, exp->if_.no};
      cause_walk(k, exp->if_.cond);
      cause_each(k, parts, 2);
      break;
    }
    case EXP_MATCH: cause_match(k, exp); break;
    case EXP_LET:
    case EXP_LETFUN: cause_let(k, exp); return;
    case EXP_LOOP: cause_loop(k, exp); break;
    case EXP_LAMBDA: cause_body(k, &exp->lambda.params, exp->lambda.body); break;
    case EXP_ASSERT:
      cause_walk(k, exp->assert.cond);
      cause_walk(k, exp->assert.body);
      break;
    case EXP_ASCRIBE: cause_walk(k, exp->ascribe.src); break;
    case EXP_COERCE: cause_walk(k, exp->coerce.src); break;
    case EXP_ATTR: cause_walk(k, exp->attr.body); break;
    case EXP_LOCALOPEN: cause_walk(k, exp->localopen.body); break;
  }
  cause_produce(k, exp);
}

static void cause_walk(Cause *k, Expr *exp) { cause_form(k, exp); }

void causality_check(Sizing *z, Expr *body) {
  Cause k = {.z = z, .unknown = z->stamp + 1, .known = z->stamp + 2};
  z->stamp += 2;
  for (int i = z->produced_from; i < map_len(z->produced); i++) {
    const DimVarList *made = map_value_at(z->produced, i);
    for (int j = 0; j < made->len; j++) made->at[j]->stamp = k.unknown;
  }
  cause_walk(&k, body);
}
