// One top-level binding: inference, solving what is left over, generalisation.
#include "consume.h"

void binding_begin(Checker *c) {
  c->failed = c->unsound = false;
  c->vars.len = 0;
  c->later.len = 0;
  c->vars_shown = 0;
  c->self = NULL;
  c->self_uses.len = 0;
  c->level = 1;
  c->anonymous_sizes = c->arrow_depth = 0;
  c->abbreviation = false;
}

// ---- variables of a type ---------------------------------------------------------------------
typedef LIST(SType *) VarList;

static void vars_collect(Checker *c, SType *type, VarList *out);

static void constrs_collect(Checker *c, const ConstrList *constrs, VarList *out) {
  for (int i = 0; i < constrs->len; i++)
    for (int j = 0; j < constrs->at[i].args.len; j++)
      vars_collect(c, constrs->at[i].args.at[j], out);
}

static void fields_collect(Checker *c, const FieldList *fields, VarList *out) {
  for (int i = 0; i < fields->len; i++) vars_collect(c, fields->at[i].type, out);
}

static void vars_collect(Checker *c, SType *type, VarList *out) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_VAR:
      for (int i = 0; i < out->len; i++)
        if (out->at[i] == type) return;
      list_push(c->arena, out, type);
      break;
    case TYPE_ARRAY: vars_collect(c, type->array.elem, out); break;
    case TYPE_RECORD: fields_collect(c, &type->record.fields, out); break;
    case TYPE_SUM: constrs_collect(c, &type->sum.constrs, out); break;
    case TYPE_ARROW:
      vars_collect(c, type->arrow.from, out);
      vars_collect(c, type->arrow.to, out);
      break;
    case TYPE_NAMED:
      for (int i = 0; i < type->named.args.len; i++)
        if (type->named.args.at[i].type) vars_collect(c, type->named.args.at[i].type, out);
      break;
    case TYPE_PRIM:
    case TYPE_ERROR: break;
  }
}

// Unknown types are called t1, t2, .. in the messages of a binding.
void vars_number(Checker *c, SType *type) {
  VarList vars = {0};
  vars_collect(c, type, &vars);
  for (int i = 0; i < vars.len; i++) {
    TypeVar *var = vars.at[i]->var;
    if (var->shown) continue;
    var->shown = ++c->vars_shown;
    for (int j = 0; j < var->fields.len; j++) vars_number(c, var->fields.at[j].type);
    for (int j = 0; j < var->constrs.len; j++)
      for (int k = 0; k < var->constrs.at[j].args.len; k++)
        vars_number(c, var->constrs.at[j].args.at[k]);
  }
}

// ---- solving ---------------------------------------------------------------------------------
static bool is_visible(const VarList *visible, const SType *type) {
  for (int i = 0; i < visible->len; i++)
    if (visible->at[i] == type) return true;
  return false;
}

// The parameter whose type has the variable in it; NULL: none.
static const Pat *param_of(Checker *c, const Binding *b, SType *var) {
  for (int i = 0; b->fun && i < b->fun->params.len; i++) {
    VarList vars = {0};
    if (b->fun->params.at[i]->type) vars_collect(c, b->fun->params.at[i]->type, &vars);
    if (is_visible(&vars, var)) return b->fun->params.at[i];
  }
  return NULL;
}

// A new type that tells to whom it was given: hints say what to annotate.
static SType *defaulted_type(Checker *c, SType *var, Prim p, Binding *b) {
  SType *t = arena_copy(c->arena, c->prims[p], sizeof *t);
  Defaulted *d = NEW(c->arena, Defaulted);
  *d = (Defaulted){b, param_of(c, b, var)};
  t->defaulted = d;
  return t;
}

static void default_prim(Checker *c, SType *type, Binding *b) {
  TypeVar *var = type->var;
  Prim p = var->prims >> PRIM_I32 & 1 ? PRIM_I32 : PRIM_F64;
  if (!(var->prims >> p & 1)) {
    report(c, var->span, "[ambiguous-type] Type is ambiguous (could be one of several primitive "
                         "types) "
                         "(#ambiguous-type).\nAdd a type annotation to disambiguate the type.");
    var->ref = c->error;
    return;
  }
  if (b && !c->failed)
    diag_warn(c->diag, var->span, "[defaulted] Defaulting ambiguous type to %s.",
              prim_info[p].name);
  var->ref = b ? defaulted_type(c, type, p, b) : c->prims[p];
}

static void var_ambiguous(Checker *c, SType *type) {
  const char *text = stype_text(c, type);
  if (type->var->kind == VAR_RECORD)
    report(c, type->var->span, "[ambiguous-type] Type is ambiguous (#ambiguous-type).\nIt must be "
                               "a record with "
           "fields: %s\nAdd a type annotation to disambiguate the type.", text);
  else
    report(c, type->var->span, "[ambiguous-type] Type is ambiguous (#ambiguous-type).\nIt must be "
                               "a sum type with "
           "constructors: %s\nAdd a type annotation to disambiguate the type.", text);
  type->var->ref = c->error;
}

// b: the definition whose type has the variable in it; NULL: none.
static void var_solve(Checker *c, SType *type, Binding *b) {
  switch (type->var->kind) {
    case VAR_FREE: type->var->ref = c->unit; break;
    case VAR_PRIM: default_prim(c, type, b); break;
    case VAR_RECORD:
    case VAR_SUM: var_ambiguous(c, type); break;
  }
}

static void solve(Checker *c, const VarList *visible, Binding *b) {
  for (int i = 0; i < c->vars.len; i++)
    if (!c->vars.at[i]->var->ref)
      var_solve(c, c->vars.at[i], is_visible(visible, c->vars.at[i]) ? b : NULL);
}

void binding_solve(Checker *c) { solve(c, &(VarList){0}, NULL); }

// Free variables in the type become type parameters.
static void generalise(Checker *c, Binding *b, const VarList *visible) {
  int n = 0;
  for (int i = 0; i < visible->len; i++) {
    SType *t = visible->at[i];
    if (t->var->ref || t->var->kind != VAR_FREE) continue;
    Name name = name_of(c->names, arena_printf(c->arena, "t%d", n++));
    TypeDef *def = typedef_new(c, TYPEDEF_PARAM, name, t->var->span, t->var->lift);
    list_push(c->arena, &b->tparams, def);
    t->var->ref = stype_self(c, def);
  }
}

// ---- definitions -----------------------------------------------------------------------------
static void name_guard(Checker *c, const FunDef *fun) {
  if (fun->name == name_of(c->names, "&&") || fun->name == name_of(c->names, "||"))
    report(c, fun->name_span, "[may-not-be-redefined] The operator \"%s\" may not be redefined "
                              "(#may-not-be-redefined).", fun->name);
}

// Names of size parameters and of value parameters must differ.
static void params_distinct(Checker *c, const FunDef *fun, const Binding *b) {
  for (int i = 0; i < b->sparams.len; i++) {
    Binding *now = scope_get(c, SPACE_TERM, b->sparams.at[i]->name);
    if (now && now->tag == BIND_PARAM && now->span.from > fun->name_span.from)
      report(c, now->span, "[bound-twice] Name \"%s\" also bound as a size parameter.", now->name);
  }
}

static SType *def_infer(Checker *c, FunDef *fun, Binding *b) {
  TypeList from = {0};
  params_infer(c, &fun->params, BIND_PARAM, &from);
  params_distinct(c, fun, b);
  SType *ret = fun->ret ? type_exp(c, fun->ret) : NULL;
  if (ret) tparams_sizes_used(c, &fun->tparams, " in pattern");
  SType *self = b->type;
  if (ret && self)
    unify(c, self, function_type(c, &fun->params, &from, ret));
  SType *body = infer(c, fun->body);
  if (ret)
    if (!unify(c, stype_strip(c, ret), body)) {
      mismatch_report(c, fun->body->span, stype_strip(c, ret), body,
                      "[result-type] Function body does not have expected type.");
      note(c, fun->ret->span, "The result type is declared here.");
    }
  info_of(c, &fun->info)->type = ret ? ret : body;
  SType *type = function_type(c, &fun->params, &from, ret ? ret : body);
  if (self)
    if (!unify(c, self, type))
      mismatch_report(c, fun->name_span, self, type,
                      "[recursive-type] Recursive uses of \"%s\" do not have expected type.",
                      fun->name);
  return type;
}

static void constant_check(Checker *c, const FunDef *fun, SType *type) {
  if (!fun->params.len && fun->ret && stype_find(type)->starred)
    report(c, fun->ret->span, "[unique-constant] A top-level constant cannot have a unique type.");
}

// The body sees the function itself when it has parameters, with one type.
static void def_scope(Checker *c, FunDef *fun, Binding *b, bool recursive) {
  int mark = names_scope_begin(c);
  if (recursive) {
    c->self = b;
    b->type = stype_fresh(c, LIFT_FULL, fun->name_span, NULL);
    scope_put(c, SPACE_TERM, fun->name, b);
  }
  tparams_bind(c, &fun->tparams, b);
  SType *type = def_infer(c, fun, b);
  names_scope_end(c, mark);
  fun->type = b->type = type;
}

static void self_instances(Checker *c, Binding *b) {
  for (int i = 0; i < c->self_uses.len; i++)
    for (int j = 0; j < b->tparams.len; j++) {
      InstArg arg = {b->tparams.at[j], stype_self(c, b->tparams.at[j])};
      list_push(c->arena, &c->self_uses.at[i]->args, arg);
    }
}

// `def g = f`: results of polymorphic f stay unique, now that the instance is known.
static void renaming_type(Checker *c, FunDef *fun, Binding *b) {
  const Expr *body = fun->body;
  if (fun->params.len || fun->ret || body->tag != EXP_VAR) return;
  const Inst *inst = body->var.inst;
  if (!inst || !inst->args.len || inst->fields || !inst->binding || !inst->binding->type) return;
  if (inst->binding == b || stype_find(inst->binding->type)->tag != TYPE_ARROW) return;
  Subst s = {.types = inst->args};
  fun->type = b->type = stype_subst(c, inst->binding->type, &s);
}

static Binding *def_attempt(Checker *c, Dec *dec, bool recursive) {
  FunDef *fun = &dec->val.fun;
  binding_begin(c);
  Binding *b = binding_new(c, BIND_TOP, fun->name, fun->name_span, NULL);
  b->level = 0;
  b->fun = fun;
  b->dec = dec;
  name_guard(c, fun);
  def_scope(c, fun, b, recursive);
  VarList visible = {0};
  vars_collect(c, b->type, &visible);
  generalise(c, b, &visible);
  solve(c, &visible, b);
  self_instances(c, b);
  renaming_type(c, fun, b);
  Info *info = info_of(c, &fun->info);
  info->binding = b;
  info->tparams = b->tparams;
  info->recursive = c->self_uses.len > 0;
  constant_check(c, fun, b->type);
  later_run(c);
  if (info->recursive && !c->failed) recursion_check(c, fun, b);
  if (!c->failed) consume_check(c, fun, b);
  info->unsound = c->failed || c->unsound;
  if (c->failed) {
    b->type = c->error;
    b->tparams.len = 0;
  }
  return b;
}

// A function whose name occurs in its body is recursive.  Where that makes no sense and the name
// means something outside, the outer one is meant, as it was before the language had recursion:
// `def f x = f 1 x`.
Binding *def_check(Checker *c, Dec *dec) {
  const FunDef *fun = &dec->val.fun;
  const Binding *outer = scope_get(c, SPACE_TERM, fun->name);
  DiagMark mark = diag_mark(c->diag);
  int watched = c->watched.len;
  Binding *b = def_attempt(c, dec, fun->params.len > 0);
  if (!c->failed || !c->self_uses.len || !outer) return b;
  DiagMark first = diag_mark(c->diag);
  c->watched.len = watched;
  Binding *again = def_attempt(c, dec, false);
  if (!c->failed) {
    diag_forget(c->diag, mark, first);
    return again;
  }
  diag_forget(c->diag, first, diag_mark(c->diag));
  return b;
}
