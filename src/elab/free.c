// The names a piece of syntax mentions: an upper bound of its free variables, which is all that
// slicing a closure's environment needs.
#include "local.h"

bool name_in(const NameList *names, Name name) {
  for (int i = 0; i < names->len; i++)
    if (names->at[i] == name) return true;
  return false;
}

static void add(Elab *e, NameList *out, Name name) {
  if (!name_in(out, name)) list_push(e->arena, out, name);
}

static void of_exp(Elab *e, const Expr *exp, NameList *out);
static void of_type(Elab *e, const TypeExp *type, NameList *out);

static void of_size(Elab *e, const SizeExp *size, NameList *out) {
  if (size->exp) of_exp(e, size->exp, out);
}

static void of_type(Elab *e, const TypeExp *type, NameList *out) {
  if (!type) return;
  switch (type->tag) {
  case TEXP_NAME: add(e, out, type->name.name.parts.at[0]); return;
  case TEXP_APPLY:
    of_type(e, type->apply.fn, out);
    for (int i = 0; i < type->apply.args.len; i++) {
      const TypeArg *arg = &type->apply.args.at[i];
      if (arg->is_size) of_size(e, &arg->size, out);
      else of_type(e, arg->type, out);
    }
    return;
  case TEXP_ARRAY:
    of_size(e, &type->array.size, out);
    of_type(e, type->array.elem, out);
    return;
  case TEXP_TUPLE:
    for (int i = 0; i < type->tuple.elems.len; i++) of_type(e, type->tuple.elems.at[i], out);
    return;
  case TEXP_RECORD:
    for (int i = 0; i < type->record.fields.len; i++)
      of_type(e, type->record.fields.at[i].type, out);
    return;
  case TEXP_SUM:
    for (int i = 0; i < type->sum.clauses.len; i++)
      for (int k = 0; k < type->sum.clauses.at[i].args.len; k++)
        of_type(e, type->sum.clauses.at[i].args.at[k], out);
    return;
  case TEXP_ARROW:
    of_type(e, type->arrow.from, out);
    of_type(e, type->arrow.to, out);
    return;
  case TEXP_UNIQUE: of_type(e, type->unique.elem, out); return;
  case TEXP_EXISTS: of_type(e, type->exists.type, out); return;
  }
}

static void of_pat(Elab *e, const Pat *pat, NameList *out) {
  switch (pat->tag) {
  case PAT_NAME:
  case PAT_WILD:
  case PAT_LIT: return;
  case PAT_TUPLE:
    for (int i = 0; i < pat->tuple.elems.len; i++) of_pat(e, pat->tuple.elems.at[i], out);
    return;
  case PAT_RECORD:
    for (int i = 0; i < pat->record.fields.len; i++)
      if (pat->record.fields.at[i].pat) of_pat(e, pat->record.fields.at[i].pat, out);
    return;
  case PAT_CONSTR:
    for (int i = 0; i < pat->constr.args.len; i++) of_pat(e, pat->constr.args.at[i], out);
    return;
  case PAT_ASCRIBE:
    of_pat(e, pat->ascribe.pat, out);
    of_type(e, pat->ascribe.type, out);
    return;
  case PAT_ATTR: of_pat(e, pat->attr.pat, out); return;
  }
}

static void of_opt(Elab *e, const Expr *exp, NameList *out) {
  if (exp) of_exp(e, exp, out);
}

static void of_list(Elab *e, const ExprList *list, NameList *out) {
  for (int i = 0; i < list->len; i++) of_exp(e, list->at[i], out);
}

static void of_index(Elab *e, const IndexList *index, NameList *out) {
  for (int i = 0; i < index->len; i++) {
    of_opt(e, index->at[i].i, out);
    of_opt(e, index->at[i].j, out);
    of_opt(e, index->at[i].s, out);
  }
}

void names_of_path(Elab *e, const StepList *path, NameList *out) {
  for (int i = 0; i < path->len; i++)
    if (path->at[i].tag == STEP_INDEX) of_index(e, &path->at[i].index, out);
}

static void of_term(Elab *e, const SizeTerm *t, NameList *out) {
  if (t->tag == SIZETERM_NAME) add(e, out, t->path ? t->path->name.parts.at[0] : t->binding->name);
  for (int i = 0; i < t->args.len; i++) of_term(e, t->args.at[i], out);
}

// The sizes that inference found for this occurrence mention names, too.
static void of_var(Elab *e, const VarRef *ref, NameList *out) {
  add(e, out, ref->name.parts.at[0]);
  for (int i = 0; ref->inst && i < ref->inst->sizes.len; i++)
    of_term(e, ref->inst->sizes.at[i].size, out);
}

static void of_shape(Elab *e, const SizeShape *s, NameList *out) {
  if (s->size) of_term(e, s->size, out);
  for (int i = 0; i < s->parts.len; i++) of_shape(e, s->parts.at[i], out);
}

static void of_array(Elab *e, const Expr *x, NameList *out) {
  const SizeShape *shape = empty_shape(e, x);
  if (shape) of_shape(e, shape, out);
  of_list(e, &x->array.elems, out);
}

static void of_pats(Elab *e, const PatList *pats, NameList *out) {
  for (int i = 0; i < pats->len; i++) of_pat(e, pats->at[i], out);
}

static void of_loop(Elab *e, const Expr *exp, NameList *out) {
  of_pat(e, exp->loop.pat, out);
  of_opt(e, exp->loop.init, out);
  if (exp->loop.index) of_pat(e, exp->loop.index, out);
  of_exp(e, exp->loop.arg, out);
  of_exp(e, exp->loop.body, out);
}

static void of_apply(Elab *e, const Expr *exp, NameList *out) {
  of_exp(e, exp->apply.fn, out);
  of_list(e, &exp->apply.args, out);
}

static void of_binop(Elab *e, const Expr *exp, NameList *out) {
  of_var(e, &exp->binop.op, out);
  of_exp(e, exp->binop.left, out);
  of_exp(e, exp->binop.right, out);
}

static void of_three(Elab *e, const Expr *a, const Expr *b, const Expr *c, NameList *out) {
  of_opt(e, a, out);
  of_opt(e, b, out);
  of_opt(e, c, out);
}

static void of_match(Elab *e, const Expr *exp, NameList *out) {
  of_exp(e, exp->match.src, out);
  for (int i = 0; i < exp->match.cases.len; i++) {
    of_pat(e, exp->match.cases.at[i].pat, out);
    of_exp(e, exp->match.cases.at[i].body, out);
  }
}

static void of_let(Elab *e, const Expr *exp, NameList *out) {
  for (; exp->tag == EXP_LET; exp = exp->let.body) {
    of_pat(e, exp->let.pat, out);
    of_exp(e, exp->let.value, out);
  }
  of_exp(e, exp, out);
}

static void of_function(Elab *e, const PatList *params, const TypeExp *ret, const Expr *body,
                        NameList *out) {
  of_pats(e, params, out);
  of_type(e, ret, out);
  of_exp(e, body, out);
}

static void of_fields(Elab *e, const FieldExprList *fields, NameList *out) {
  for (int i = 0; i < fields->len; i++) of_exp(e, fields->at[i].value, out);
}

static void of_exp(Elab *e, const Expr *x, NameList *out) {
  switch (x->tag) {
  case EXP_INT:
  case EXP_FLOAT:
  case EXP_CHAR:
  case EXP_STRING:
  case EXP_BOOL:
  case EXP_HOLE:
  case EXP_ARRAYLIT: return;
  case EXP_VAR: of_var(e, &x->var, out); return;
  case EXP_TUPLE: of_list(e, &x->tuple.elems, out); return;
  case EXP_ARRAY: of_array(e, x, out); return;
  case EXP_RECORD: of_fields(e, &x->record.fields, out); return;
  case EXP_RANGE: of_three(e, x->range.from, x->range.second, x->range.to, out); return;
  case EXP_CONSTR: of_list(e, &x->constr.args, out); return;
  case EXP_APPLY: of_apply(e, x, out); return;
  case EXP_PROJECT: of_exp(e, x->project.src, out); return;
  case EXP_INDEX: of_exp(e, x->index.src, out), of_index(e, &x->index.index, out); return;
  case EXP_NEG:
  case EXP_NOT: of_exp(e, x->neg.arg, out); return;
  case EXP_BINOP: of_binop(e, x, out); return;
  case EXP_SECTION_LEFT:
  case EXP_SECTION_RIGHT: of_var(e, &x->section.op, out), of_exp(e, x->section.arg, out); return;
  case EXP_SECTION_PATH: names_of_path(e, &x->section_path.path, out); return;
  case EXP_UPDATE:
    of_three(e, x->update.src, x->update.value, NULL, out);
    names_of_path(e, &x->update.path, out);
    return;
  case EXP_IF: of_three(e, x->if_.cond, x->if_.yes, x->if_.no, out); return;
  case EXP_MATCH: of_match(e, x, out); return;
  case EXP_LET: of_let(e, x, out); return;
  case EXP_LETFUN:
    of_function(e, &x->letfun.fun->params, x->letfun.fun->ret, x->letfun.fun->body, out);
    of_exp(e, x->letfun.body, out);
    return;
  case EXP_LOOP: of_loop(e, x, out); return;
  case EXP_LAMBDA:
    of_function(e, &x->lambda.params, x->lambda.ret, x->lambda.body, out);
    return;
  case EXP_ASSERT: of_three(e, x->assert.cond, x->assert.body, NULL, out); return;
  case EXP_ASCRIBE:
  case EXP_COERCE: of_exp(e, x->ascribe.src, out), of_type(e, x->ascribe.type, out); return;
  case EXP_ATTR: of_exp(e, x->attr.body, out); return;
  case EXP_LOCALOPEN: of_var(e, &x->localopen.mod, out), of_exp(e, x->localopen.body, out); return;
  }
}

void names_of_exp(Elab *e, const Expr *exp, NameList *out) { of_exp(e, exp, out); }

void names_of_code(Elab *e, const Code *code, NameList *out) {
  of_function(e, code->params, code->ret, code->body, out);
}

void code_free(Elab *e, Code *code) {
  if (code->free_known) return;
  names_of_code(e, code, &code->free);
  code->free_known = true;
}
