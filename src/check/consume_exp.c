// The walk: one rule per form.  Parts are visited in the order of evaluation.
#include "consume.h"

static void index_scalar(Consumer *u, Expr *exp) {
  if (exp) consume_exp(u, exp);
}

void consume_scalars(Consumer *u, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    index_scalar(u, index->at[i].i);
    index_scalar(u, index->at[i].j);
    index_scalar(u, index->at[i].s);
  }
}

// ---- building --------------------------------------------------------------------------------
// An earlier part may have been consumed by a later one.
static void parts_alive(Consumer *u, Tree **kids, Expr *const *exps, int len) {
  for (int i = 0; i < len; i++) {
    Owner *lost = tree_tainted(kids[i]);
    if (!lost) continue;
    report_use(u, lost, NULL, exps[i]->span);
    kids[i] = tree_live(u, kids[i]);
  }
}

static Tree *use_tuple(Consumer *u, Expr *exp) {
  int len = exp->tuple.elems.len;
  Tree **kids = NEW_ARRAY(u->arena, Tree *, len + 1);
  for (int i = 0; i < len; i++) kids[i] = consume_exp(u, exp->tuple.elems.at[i]);
  parts_alive(u, kids, exp->tuple.elems.at, len);
  return tree_node(u, kids, len);
}

static Tree *use_record(Consumer *u, Expr *exp) {
  SType *type = stype_find(exp->type);
  if (type->tag != TYPE_RECORD) return NULL;
  int len = type->record.fields.len;
  Tree **kids = NEW_ARRAY(u->arena, Tree *, len + 1);
  Expr **exps = NEW_ARRAY(u->arena, Expr *, len + 1);
  for (int i = 0; i < exp->record.fields.len; i++) {
    const FieldExpr *f = &exp->record.fields.at[i];
    Tree *t = consume_exp(u, f->value);
    int at = field_index(type, f->name);
    if (at < 0) continue;
    kids[at] = t;
    exps[at] = f->value;
  }
  parts_alive(u, kids, exps, len);
  return tree_node(u, kids, len);
}

static Tree *use_constr(Consumer *u, Expr *exp) {
  SType *type = stype_find(exp->type);
  int n = exp->constr.args.len;
  Tree **args = NEW_ARRAY(u->arena, Tree *, n + 1);
  for (int i = 0; i < n; i++) args[i] = consume_exp(u, exp->constr.args.at[i]);
  parts_alive(u, args, exp->constr.args.at, n);
  if (type->tag != TYPE_SUM) return NULL;
  int len = payload_count(type), first = payload_index(type, exp->constr.name);
  Tree **kids = NEW_ARRAY(u->arena, Tree *, len + 1);
  for (int i = 0; first >= 0 && i < n && first + i < len; i++) kids[first + i] = args[i];
  return tree_node(u, kids, len);
}

// Array literals copy their elements.
static void use_array(Consumer *u, Expr *exp) {
  for (int i = 0; i < exp->array.elems.len; i++) consume_exp(u, exp->array.elems.at[i]);
}

// ---- parts -----------------------------------------------------------------------------------
static Tree *use_index(Consumer *u, Expr *exp) {
  consume_scalars(u, &exp->index.index);
  Alias *all = tree_all(u, consume_exp(u, exp->index.src));
  return tree_spread(u, exp->type, NULL, all, all);
}

static Tree *tree_replaced(Consumer *u, const Tree *t, SType *type, const StepList *path, int at,
                           Tree *value) {
  if (at == path->len) return value;
  type = stype_find(type);
  if (type->tag != TYPE_RECORD) return NULL;
  int len = type->record.fields.len, k = field_index(type, path->at[at].field);
  Tree **kids = NEW_ARRAY(u->arena, Tree *, len + 1);
  for (int i = 0; i < len; i++) {
    Tree *kid = t && !t->leaf && i < t->len ? t->kids[i] : NULL;
    kids[i] = i == k ? tree_replaced(u, kid, type->record.fields.at[i].type, path, at + 1, value)
                     : kid;
  }
  return tree_node(u, kids, len);
}

// Indices first, then the new value, then the source.  An index anywhere in the path makes it an
// update of the whole source; otherwise nothing is consumed.
static Tree *use_update(Consumer *u, Expr *exp) {
  StepList *path = &exp->update.path;
  bool fields = true;
  for (int i = 0; i < path->len; i++) {
    if (path->at[i].tag == STEP_FIELD) continue;
    fields = false;
    consume_scalars(u, &path->at[i].index);
  }
  Tree *value = consume_exp(u, exp->update.value), *src = consume_exp(u, exp->update.src);
  Owner *lost = tree_tainted(value);
  if (lost) report_use(u, lost, NULL, exp->update.value->span);
  if (fields) return tree_replaced(u, src, exp->type, path, 0, tree_live(u, value));
  Alias *all = tree_all(u, src);
  if (alias_overlap(u, all, tree_all(u, value)))
    diag_error(u->c->diag, exp->update.value->span,
               "[update-aliased] Source array for in-place update \"%s\" might alias update value "
               "\"%s\".\nUse "
               "copy to remove aliases from the value.", exp_text(u->c, exp->update.src),
               exp_text(u->c, exp->update.value));
  alias_consume(u, all, exp->update.src->span);
  return NULL;
}

// ---- branches --------------------------------------------------------------------------------
// UseBranches start from the same state; afterwards all that any of them consumed is consumed.
typedef struct {
  Consumer *u;
  Snapshot start;
  Tree *result;
  LIST(Consumption) consumed;
  LIST(Span) places;
} UseBranches;

static void branch_done(UseBranches *b, Tree *t) {
  Consumer *u = b->u;
  b->result = tree_join(u, b->result, t);
  for (int i = b->start.consumed; i < u->consumed.len; i++) {
    list_push(u->arena, &b->consumed, u->consumed.at[i]);
    list_push(u->arena, &b->places, u->consumed.at[i].member->owner->at);
  }
  uses_undo(u, b->start);
}

static Tree *branches_join(UseBranches *b) {
  for (int i = 0; i < b->consumed.len; i++)
    alias_reconsume(b->u, b->consumed.at[i].member, b->places.at[i]);
  return tree_live(b->u, b->result);
}

static Tree *use_if(Consumer *u, Expr *exp) {
  consume_exp(u, exp->if_.cond);
  UseBranches b = {.u = u, .start = uses_snapshot(u)};
  branch_done(&b, consume_exp(u, exp->if_.yes));
  branch_done(&b, consume_exp(u, exp->if_.no));
  return branches_join(&b);
}

static Tree *use_match(Consumer *u, Expr *exp) {
  Tree *src = consume_exp(u, exp->match.src);
  UseBranches b = {.u = u, .start = uses_snapshot(u)};
  for (int i = 0; i < exp->match.cases.len; i++) {
    consume_pat(u, exp->match.cases.at[i].pat, src, BIND_CONSUMABLE);
    branch_done(&b, consume_exp(u, exp->match.cases.at[i].body));
  }
  return branches_join(&b);
}

// ---- binding ---------------------------------------------------------------------------------
static void use_let(Consumer *u, Expr *exp) {
  Snapshot before = uses_snapshot(u);
  Tree *t = consume_exp(u, exp->let.value);
  if (consumed_since(u, before) && stype_is_functional(exp->let.value->type))
    diag_error(u->c->diag, exp->let.value->span,
               "[contains-consumption] Let-bound expression of higher-order type \"%s\" contains "
               "consumption, which is "
               "not allowed (#contains-consumption).", stype_text(u->c, exp->let.value->type));
  consume_pat(u, exp->let.pat, t, BIND_CONSUMABLE);
}

// A chain of lets is as long as a function: it is walked without recursion.
static Tree *use_lets(Consumer *u, Expr *exp) {
  for (; exp->tag == EXP_LET || exp->tag == EXP_LETFUN;
       exp = exp->tag == EXP_LET ? exp->let.body : exp->letfun.body) {
    if (exp->tag == EXP_LET) use_let(u, exp);
    else consume_letfun(u, exp->letfun.fun);
  }
  return consume_exp(u, exp);
}

static Tree *use_range(Consumer *u, Expr *exp) {
  consume_exp(u, exp->range.from);
  index_scalar(u, exp->range.second);
  consume_exp(u, exp->range.to);
  return NULL;
}

static Tree *use_typed(Consumer *u, Expr *src, TypeExp *type) {
  consume_type(u, type);
  Tree *t = consume_exp(u, src);
  if (type->info)
    function_expect(u, src->span, type->info->type, t,
                    "[ascription] Expression does not have expected type from explicit type "
                    "ascription.");
  return t;
}

static Tree *use_section_path(Consumer *u, Expr *exp) {
  for (int i = 0; i < exp->section_path.path.len; i++)
    if (exp->section_path.path.at[i].tag == STEP_INDEX)
      consume_scalars(u, &exp->section_path.path.at[i].index);
  return tree_function(u, NULL, exp->type, NULL);
}

Tree *consume_exp(Consumer *u, Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL:
    case EXP_ARRAYLIT: return NULL;
    case EXP_HOLE: return tree_spread(u, exp->type, NULL, NULL, NULL);
    case EXP_VAR: return consume_var(u, &exp->var);
    case EXP_TUPLE: return use_tuple(u, exp);
    case EXP_RECORD: return use_record(u, exp);
    case EXP_ARRAY: use_array(u, exp); return NULL;
    case EXP_RANGE: return use_range(u, exp);
    case EXP_CONSTR: return use_constr(u, exp);
    case EXP_APPLY: return consume_apply(u, exp);
    case EXP_PROJECT: {
      Tree *t = consume_exp(u, exp->project.src);
      return tree_field(t, exp->project.src->type, exp->project.field);
    }
    case EXP_INDEX: return use_index(u, exp);
    case EXP_NEG: consume_exp(u, exp->neg.arg); return NULL;
    case EXP_NOT: consume_exp(u, exp->not_.arg); return NULL;
    case EXP_BINOP: return consume_binop(u, exp);
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT: return consume_section(u, exp);
    case EXP_SECTION_PATH: return use_section_path(u, exp);
    case EXP_UPDATE: return use_update(u, exp);
    case EXP_IF: return use_if(u, exp);
    case EXP_MATCH: return use_match(u, exp);
    case EXP_LET:
    case EXP_LETFUN: return use_lets(u, exp);
    case EXP_LOOP: return consume_loop(u, exp);
    case EXP_LAMBDA: return consume_lambda(u, exp);
    case EXP_ASSERT:
      consume_exp(u, exp->assert.cond);
      return consume_exp(u, exp->assert.body);
    case EXP_ASCRIBE: return use_typed(u, exp->ascribe.src, exp->ascribe.type);
    case EXP_COERCE: return use_typed(u, exp->coerce.src, exp->coerce.type);
    case EXP_ATTR: return consume_exp(u, exp->attr.body);
    case EXP_LOCALOPEN: return consume_exp(u, exp->localopen.body);
  }
  ice("expression tag %d", exp->tag);
}
