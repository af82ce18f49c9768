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

static void of_var(Elab *e, const VarRef *ref, NameList *out) {
  add(e, out, ref->name.parts.at[0]);
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

static void of_exp(Elab *e, const Expr *exp, NameList *out) {
  switch (exp->tag) {
  case EXP_INT:
  case EXP_FLOAT:
  case EXP_CHAR:
  case EXP_STRING:
  case EXP_BOOL:
  case EXP_HOLE:
  case EXP_ARRAYLIT: return;
  case EXP_VAR: of_var(e, &exp->var, out); return;
  case EXP_TUPLE:
  case EXP_ARRAY: of_list(e, &exp->tuple.elems, out); return;
  case EXP_RECORD:
    for (int i = 0; i < exp->record.fields.len; i++)
      of_exp(e, exp->record.fields.at[i].value, out);
    return;
  case EXP_RANGE:
    of_exp(e, exp->range.from, out);
    of_opt(e, exp->range.second, out);
    of_exp(e, exp->range.to, out);
    return;
  case EXP_CONSTR: of_list(e, &exp->constr.args, out); return;
  case EXP_APPLY:
    of_exp(e, exp->apply.fn, out);
    of_list(e, &exp->apply.args, out);
    return;
  case EXP_PROJECT: of_exp(e, exp->project.src, out); return;
  case EXP_INDEX:
    of_exp(e, exp->index.src, out);
    of_index(e, &exp->index.index, out);
    return;
  case EXP_NEG:
  case EXP_NOT: of_exp(e, exp->neg.arg, out); return;
  case EXP_BINOP:
    of_var(e, &exp->binop.op, out);
    of_exp(e, exp->binop.left, out);
    of_exp(e, exp->binop.right, out);
    return;
  case EXP_SECTION_LEFT:
  case EXP_SECTION_RIGHT:
    of_var(e, &exp->section.op, out);
    of_exp(e, exp->section.arg, out);
    return;
  case EXP_SECTION_PATH: names_of_path(e, &exp->section_path.path, out); return;
  case EXP_UPDATE:
    of_exp(e, exp->update.src, out);
    names_of_path(e, &exp->update.path, out);
    of_exp(e, exp->update.value, out);
    return;
  case EXP_IF:
    of_exp(e, exp->if_.cond, out);
    of_exp(e, exp->if_.yes, out);
    of_exp(e, exp->if_.no, out);
    return;
  case EXP_MATCH:
    of_exp(e, exp->match.src, out);
    for (int i = 0; i < exp->match.cases.len; i++) {
      of_pat(e, exp->match.cases.at[i].pat, out);
      of_exp(e, exp->match.cases.at[i].body, out);
    }
    return;
  case EXP_LET:
    for (; exp->tag == EXP_LET; exp = exp->let.body) {
      of_pat(e, exp->let.pat, out);
      of_exp(e, exp->let.value, out);
    }
    of_exp(e, exp, out);
    return;
  case EXP_LETFUN:
    of_pats(e, &exp->letfun.fun->params, out);
    of_type(e, exp->letfun.fun->ret, out);
    of_exp(e, exp->letfun.fun->body, out);
    of_exp(e, exp->letfun.body, out);
    return;
  case EXP_LOOP: of_loop(e, exp, out); return;
  case EXP_LAMBDA:
    of_pats(e, &exp->lambda.params, out);
    of_type(e, exp->lambda.ret, out);
    of_exp(e, exp->lambda.body, out);
    return;
  case EXP_ASSERT:
    of_exp(e, exp->assert.cond, out);
    of_exp(e, exp->assert.body, out);
    return;
  case EXP_ASCRIBE:
  case EXP_COERCE:
    of_exp(e, exp->ascribe.src, out);
    of_type(e, exp->ascribe.type, out);
    return;
  case EXP_ATTR: of_exp(e, exp->attr.body, out); return;
  case EXP_LOCALOPEN:
    of_var(e, &exp->localopen.mod, out);
    of_exp(e, exp->localopen.body, out);
    return;
  }
}

void names_of_exp(Elab *e, const Expr *exp, NameList *out) { of_exp(e, exp, out); }

void names_of_code(Elab *e, const Code *code, NameList *out) {
  of_pats(e, code->params, out);
  of_type(e, code->ret, out);
  of_exp(e, code->body, out);
}

void code_free(Elab *e, Code *code) {
  if (code->free_known) return;
  names_of_code(e, code, &code->free);
  code->free_known = true;
}
