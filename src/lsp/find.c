// The node at a byte of a file: the innermost name, or else expression.  Chains of lets and of
// operators may be long, so expressions are walked without recursion: of the parts of each, at
// most one holds the place.
#include "local.h"

typedef struct {
  uint32_t at;
  Found found;
  const PathVisitor *visit;  // of what holds the place, from outside in; or NULL
} Finder;

static bool holds(const Finder *f, Span span) {
  return span.src && span.from <= f->at && f->at < span.to;
}

static void found_name(Finder *f, Span span, Name name, SType *type, const Binding *binding) {
  if (!holds(f, span)) return;
  f->found = (Found){.span = span, .name = name, .type = type, .binding = binding};
}

static const Binding *info_binding(const Info *info) { return info ? info->binding : NULL; }

static void ref_find(Finder *f, const VarRef *ref) {
  if (!holds(f, ref->name.span) || !ref->inst) return;
  Name name = ref->name.parts.at[ref->name.parts.len - 1];
  f->found = (Found){ref->name.span, name, ref->type, ref->inst->binding, ref->inst->def,
                     .mods = ref->inst->mods};
}

// ---- patterns and types -----------------------------------------------------------------------

static void type_find(Finder *f, const TypeExp *type);

static void pat_find(Finder *f, const Pat *pat) {
  if (!pat || !holds(f, pat->span)) return;
  switch (pat->tag) {
    case PAT_NAME:
      found_name(f, pat->span, pat->name.name, pat->type, info_binding(pat->info));
      break;
    case PAT_WILD:
    case PAT_LIT: found_name(f, pat->span, NULL, pat->type, NULL); break;
    case PAT_TUPLE:
      for (int i = 0; i < pat->tuple.elems.len; i++) pat_find(f, pat->tuple.elems.at[i]);
      break;
    case PAT_RECORD:
      for (int i = 0; i < pat->record.fields.len; i++) {
        pat_find(f, pat->record.fields.at[i].pat);
        if (holds(f, pat->record.fields.at[i].span)) f->found.pun = pat->record.fields.at[i].pun;
      }
      break;
    case PAT_CONSTR:
      for (int i = 0; i < pat->constr.args.len; i++) pat_find(f, pat->constr.args.at[i]);
      break;
    case PAT_ASCRIBE:
      pat_find(f, pat->ascribe.pat);
      type_find(f, pat->ascribe.type);
      break;
    case PAT_ATTR: pat_find(f, pat->attr.pat); break;
  }
}

static void pats_find(Finder *f, const PatList *pats) {
  for (int i = 0; i < pats->len; i++) pat_find(f, pats->at[i]);
}

static void exp_find(Finder *f, const Expr *exp);

static void size_find(Finder *f, const SizeExp *size) {
  if (size->exp) exp_find(f, size->exp);
}

static void args_find(Finder *f, const TypeArgList *args) {
  for (int i = 0; i < args->len; i++) {
    if (args->at[i].is_size) size_find(f, &args->at[i].size);
    else type_find(f, args->at[i].type);
  }
}

static void type_find(Finder *f, const TypeExp *type) {
  if (!type || !holds(f, type->span)) return;
  switch (type->tag) {
    case TEXP_NAME: ref_find(f, &type->name); break;
    case TEXP_APPLY:
      type_find(f, type->apply.fn);
      args_find(f, &type->apply.args);
      break;
    case TEXP_ARRAY:
      size_find(f, &type->array.size);
      type_find(f, type->array.elem);
      break;
    case TEXP_TUPLE:
      for (int i = 0; i < type->tuple.elems.len; i++) type_find(f, type->tuple.elems.at[i]);
      break;
    case TEXP_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        type_find(f, type->record.fields.at[i].type);
      break;
    case TEXP_SUM:
      for (int i = 0; i < type->sum.clauses.len; i++)
        for (int j = 0; j < type->sum.clauses.at[i].args.len; j++)
          type_find(f, type->sum.clauses.at[i].args.at[j]);
      break;
    case TEXP_ARROW:
      type_find(f, type->arrow.from);
      type_find(f, type->arrow.to);
      break;
    case TEXP_UNIQUE: type_find(f, type->unique.elem); break;
    case TEXP_EXISTS: type_find(f, type->exists.type); break;
  }
}

// ---- expressions ------------------------------------------------------------------------------

static const Expr *pick(const Finder *f, const Expr *exp) {
  return exp && holds(f, exp->span) ? exp : NULL;
}

static const Expr *pick_list(const Finder *f, const ExprList *exps) {
  for (int i = 0; i < exps->len; i++)
    if (holds(f, exps->at[i]->span)) return exps->at[i];
  return NULL;
}

static const Expr *pick_index(const Finder *f, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    const Index *one = &index->at[i];
    const Expr *e = pick(f, one->i);
    if (!e) e = pick(f, one->j);
    if (!e) e = pick(f, one->s);
    if (e) return e;
  }
  return NULL;
}

static const Expr *pick_steps(const Finder *f, const StepList *path) {
  for (int i = 0; i < path->len; i++) {
    const Expr *e = path->at[i].tag == STEP_INDEX ? pick_index(f, &path->at[i].index) : NULL;
    if (e) return e;
  }
  return NULL;
}

static void params_find(Finder *f, const TypeParamList *params) {
  for (int i = 0; i < params->len; i++) {
    const TypeParam *p = &params->at[i];
    if (!holds(f, p->span) || !p->info) continue;
    SType *type = p->info->binding ? p->info->binding->type : NULL;
    f->found = (Found){.span = p->span, .name = p->name, .type = type,
                       .binding = p->info->binding, .def = p->info->def};
  }
}

static const Expr *fun_pick(Finder *f, const FunDef *fun) {
  if (f->visit) f->visit->fun(f->visit->state, fun);
  params_find(f, &fun->tparams);
  found_name(f, fun->name_span, fun->name, fun->type, info_binding(fun->info));
  pats_find(f, &fun->params);
  type_find(f, fun->ret);
  return pick(f, fun->body);
}

static const Expr *either(const Finder *f, const Expr *a, const Expr *b) {
  const Expr *e = pick(f, a);
  return e ? e : pick(f, b);
}

static const Expr *match_pick(Finder *f, const Expr *exp) {
  const Expr *e = pick(f, exp->match.src);
  for (int i = 0; !e && i < exp->match.cases.len; i++) {
    pat_find(f, exp->match.cases.at[i].pat);
    e = pick(f, exp->match.cases.at[i].body);
  }
  return e;
}

static const Expr *loop_pick(Finder *f, const Expr *exp) {
  pat_find(f, exp->loop.pat);
  pat_find(f, exp->loop.index);
  const Expr *e = exp->loop.implicit ? NULL : pick(f, exp->loop.init);
  return e ? e : either(f, exp->loop.arg, exp->loop.body);
}

// {x} is {x = x}: one word for both.
static const Expr *record_pick(Finder *f, const Expr *exp) {
  for (int i = 0; i < exp->record.fields.len; i++) {
    const FieldExpr *field = &exp->record.fields.at[i];
    const Expr *e = pick(f, field->value);
    if (!e || !field->pun) {
      if (e) return e;
      continue;
    }
    ref_find(f, &e->var);
    f->found.pun = true;
  }
  return NULL;
}

// The part that holds the place; names found on the way are noted.
static const Expr *part_at(Finder *f, const Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL: case EXP_HOLE:
    case EXP_ARRAYLIT: return NULL;
    case EXP_VAR: ref_find(f, &exp->var); return NULL;
    case EXP_TUPLE:
    case EXP_ARRAY: return pick_list(f, &exp->tuple.elems);
    case EXP_RECORD: return record_pick(f, exp);
    case EXP_RANGE: {
      const Expr *e = pick(f, exp->range.second);
      return e ? e : either(f, exp->range.from, exp->range.to);
    }
    case EXP_CONSTR: return pick_list(f, &exp->constr.args);
    case EXP_APPLY: {
      const Expr *e = pick(f, exp->apply.fn);
      return e ? e : pick_list(f, &exp->apply.args);
    }
    case EXP_PROJECT: return pick(f, exp->project.src);
    case EXP_INDEX: {
      const Expr *e = pick(f, exp->index.src);
      return e ? e : pick_index(f, &exp->index.index);
    }
    case EXP_NEG:
    case EXP_NOT: return pick(f, exp->neg.arg);
    case EXP_BINOP:
      ref_find(f, &exp->binop.op);
      return either(f, exp->binop.left, exp->binop.right);
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT: ref_find(f, &exp->section.op); return pick(f, exp->section.arg);
    case EXP_SECTION_PATH: return pick_steps(f, &exp->section_path.path);
    case EXP_UPDATE: {
      const Expr *e = pick_steps(f, &exp->update.path);
      return e ? e : either(f, exp->update.value, exp->update.src);
    }
    case EXP_IF: {
      const Expr *e = pick(f, exp->if_.cond);
      return e ? e : either(f, exp->if_.yes, exp->if_.no);
    }
    case EXP_MATCH: return match_pick(f, exp);
    case EXP_LET:
      params_find(f, &exp->let.sizes);
      pat_find(f, exp->let.pat);
      return either(f, exp->let.value, exp->let.body);
    case EXP_LETFUN: {
      const Expr *e = fun_pick(f, exp->letfun.fun);
      return e ? e : pick(f, exp->letfun.body);
    }
    case EXP_LOOP: return loop_pick(f, exp);
    case EXP_LAMBDA:
      pats_find(f, &exp->lambda.params);
      type_find(f, exp->lambda.ret);
      return pick(f, exp->lambda.body);
    case EXP_ASSERT: return either(f, exp->assert.cond, exp->assert.body);
    case EXP_ASCRIBE:
    case EXP_COERCE: type_find(f, exp->ascribe.type); return pick(f, exp->ascribe.src);
    case EXP_ATTR: return pick(f, exp->attr.body);
    case EXP_LOCALOPEN: ref_find(f, &exp->localopen.mod); return pick(f, exp->localopen.body);
  }
  return NULL;
}

static void exp_find(Finder *f, const Expr *exp) {
  for (exp = pick(f, exp); exp; exp = part_at(f, exp)) {
    if (f->visit) f->visit->exp(f->visit->state, exp);
    found_name(f, exp->span, NULL, exp->type, NULL);
  }
}

// ---- declarations -----------------------------------------------------------------------------

static void decs_find(Finder *f, const DecList *decs);
static void modtype_find(Finder *f, const ModTypeExp *type);

static void typebind_find(Finder *f, const TypeBind *bind, const Info *info) {
  if (holds(f, bind->name_span))
    f->found = (Found){.span = bind->name_span, .name = bind->name,
                       .def = info ? info->def : NULL};
  params_find(f, &bind->tparams);
  type_find(f, bind->type);
}

static void spec_find(Finder *f, const Spec *spec) {
  if (!holds(f, spec->span)) return;
  const Binding *binding = info_binding(spec->info);
  switch (spec->tag) {
    case SPEC_VAL:
      found_name(f, spec->val.name_span, spec->val.name, binding ? binding->type : NULL, binding);
      type_find(f, spec->val.type);
      break;
    case SPEC_TYPE: typebind_find(f, &spec->type, spec->info); break;
    case SPEC_MOD: modtype_find(f, spec->mod.type); break;
    case SPEC_INCLUDE: modtype_find(f, spec->include.type); break;
  }
}

static void modtype_find(Finder *f, const ModTypeExp *type) {
  if (!type || !holds(f, type->span)) return;
  switch (type->tag) {
    case MODTYPE_NAME: ref_find(f, &type->name); break;
    case MODTYPE_SPECS:
      for (int i = 0; i < type->specs.specs.len; i++) spec_find(f, type->specs.specs.at[i]);
      break;
    case MODTYPE_WITH:
      modtype_find(f, type->with.src);
      type_find(f, type->with.type);
      break;
    case MODTYPE_ARROW:
      modtype_find(f, type->arrow.from);
      modtype_find(f, type->arrow.to);
      break;
  }
}

static void modexp_find(Finder *f, const ModExp *mod) {
  if (!mod || !holds(f, mod->span)) return;
  switch (mod->tag) {
    case MODEXP_NAME: ref_find(f, &mod->name); break;
    case MODEXP_DECS: decs_find(f, &mod->decs.decs); break;
    case MODEXP_IMPORT: break;
    case MODEXP_APPLY:
      modexp_find(f, mod->apply.fn);
      modexp_find(f, mod->apply.arg);
      break;
    case MODEXP_LAMBDA:
      modtype_find(f, mod->lambda.param.type);
      modtype_find(f, mod->lambda.type);
      modexp_find(f, mod->lambda.body);
      break;
    case MODEXP_ASCRIBE:
      modexp_find(f, mod->ascribe.mod);
      modtype_find(f, mod->ascribe.type);
      break;
  }
}

static void mod_find(Finder *f, const Dec *dec) {
  const Binding *binding = info_binding(dec->info);
  if (binding) found_name(f, dec->mod.name_span, dec->mod.name, NULL, binding);
  for (int i = 0; i < dec->mod.params.len; i++) modtype_find(f, dec->mod.params.at[i].type);
  modtype_find(f, dec->mod.type);
  modexp_find(f, dec->mod.body);
}

static void dec_find(Finder *f, const Dec *dec) {
  if (!holds(f, dec->span)) return;
  switch (dec->tag) {
    case DEC_VAL: exp_find(f, fun_pick(f, &dec->val.fun)); break;
    case DEC_TYPE: typebind_find(f, &dec->type, dec->info); break;
    case DEC_MODTYPE: modtype_find(f, dec->modtype.type); break;
    case DEC_MOD: mod_find(f, dec); break;
    case DEC_OPEN: modexp_find(f, dec->open.mod); break;
    case DEC_IMPORT: break;
    case DEC_LOCAL: dec_find(f, dec->local.dec); break;
  }
}

static void decs_find(Finder *f, const DecList *decs) {
  if (f->visit) f->visit->decs(f->visit->state, decs);
  for (int i = 0; i < decs->len; i++) dec_find(f, decs->at[i]);
}

Found find_at(const SourceFile *file, uint32_t at) {
  Finder f = {.at = at};
  decs_find(&f, &file->decs);
  return f.found;
}

void path_visit(const SourceFile *file, uint32_t at, const PathVisitor *visitor) {
  Finder f = {.at = at, .visit = visitor};
  decs_find(&f, &file->decs);
}
