// The names that can be used at a place of a program that was checked: local ones of the
// definitions around it, declarations before it, what is imported and opened, the prelude.
#include "local.h"
#include <ctype.h>
#include <string.h>

typedef struct {
  Arena *arena;
  uint32_t at;
  VisibleList names;  // outermost first, until scope_at reverses them
} Scope;

static void name_add(Scope *s, const Binding *b) {
  if (b) list_push(s->arena, &s->names, (Visible){b->name, b->type, b, NULL});
}

static void def_add(Scope *s, const TypeDef *def) {
  if (def) list_push(s->arena, &s->names, (Visible){def->name, NULL, NULL, def});
}

static void env_add(Scope *s, const ModEnv *env) {
  for (int i = 0; env && i < env->terms.len; i++) name_add(s, env->terms.at[i]);
  for (int i = 0; env && i < env->types.len; i++) def_add(s, env->types.at[i]);
}

// ---- patterns and parameters ------------------------------------------------------------------
static void pat_add(Scope *s, const Pat *pat) {
  if (!pat) return;
  switch (pat->tag) {
    case PAT_NAME: name_add(s, pat->info ? pat->info->binding : NULL); break;
    case PAT_WILD: case PAT_LIT: break;
    case PAT_TUPLE:
      for (int i = 0; i < pat->tuple.elems.len; i++) pat_add(s, pat->tuple.elems.at[i]);
      break;
    case PAT_RECORD:
      for (int i = 0; i < pat->record.fields.len; i++) pat_add(s, pat->record.fields.at[i].pat);
      break;
    case PAT_CONSTR:
      for (int i = 0; i < pat->constr.args.len; i++) pat_add(s, pat->constr.args.at[i]);
      break;
    case PAT_ASCRIBE: pat_add(s, pat->ascribe.pat); break;
    case PAT_ATTR: pat_add(s, pat->attr.pat); break;
  }
}

static void pats_add(Scope *s, const PatList *pats) {
  for (int i = 0; i < pats->len; i++) pat_add(s, pats->at[i]);
}

static void tparams_add(Scope *s, const TypeParamList *params) {
  for (int i = 0; i < params->len; i++) {
    const Info *info = params->at[i].info;
    if (info) name_add(s, info->binding), def_add(s, info->def);
  }
}

// ---- around the place -------------------------------------------------------------------------
static bool in_body(const Scope *s, const Expr *body) {
  return body && s->at >= body->span.from && s->at <= body->span.to;
}

static void fun_enter(void *state, const FunDef *fun) {
  Scope *s = state;
  if (!fun->body || s->at < fun->name_span.to || s->at > fun->body->span.to) return;
  if (fun->info && fun->info->recursive) name_add(s, fun->info->binding);
  tparams_add(s, &fun->tparams);
  pats_add(s, &fun->params);
}

static void exp_enter(void *state, const Expr *exp) {
  Scope *s = state;
  if (exp->tag == EXP_LET && in_body(s, exp->let.body)) {
    tparams_add(s, &exp->let.sizes);
    pat_add(s, exp->let.pat);
  } else if (exp->tag == EXP_LETFUN && in_body(s, exp->letfun.body)) {
    name_add(s, exp->letfun.fun->info ? exp->letfun.fun->info->binding : NULL);
  } else if (exp->tag == EXP_LOOP && in_body(s, exp->loop.body)) {
    pat_add(s, exp->loop.pat);
    pat_add(s, exp->loop.index);
  } else if (exp->tag == EXP_LAMBDA) {
    pats_add(s, &exp->lambda.params);
  } else if (exp->tag == EXP_MATCH) {
    for (int i = 0; i < exp->match.cases.len; i++)
      if (in_body(s, exp->match.cases.at[i].body)) pat_add(s, exp->match.cases.at[i].pat);
  }
}

static void dec_add(Scope *s, const Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: name_add(s, dec->val.fun.info ? dec->val.fun.info->binding : NULL); break;
    case DEC_TYPE: def_add(s, dec->info ? dec->info->def : NULL); break;
    case DEC_MOD: name_add(s, dec->info ? dec->info->binding : NULL); break;
    case DEC_MODTYPE: break;
    case DEC_OPEN: env_add(s, dec->info && dec->info->mod ? dec->info->mod->env : NULL); break;
    case DEC_IMPORT:
      env_add(s, dec->info && dec->info->file ? dec->info->file->exports : NULL);
      break;
    case DEC_LOCAL: dec_add(s, dec->local.dec); break;
  }
}

static void decs_enter(void *state, const DecList *decs) {
  Scope *s = state;
  for (int i = 0; i < decs->len && decs->at[i]->span.to <= s->at; i++) dec_add(s, decs->at[i]);
}

VisibleList scope_at(Arena *arena, const Version *v, uint32_t at) {
  Scope s = {.arena = arena, .at = at};
  if (v->program->prelude) env_add(&s, v->program->prelude->exports);
  // The last character before the place lies in all that encloses it.
  uint32_t inside = at;
  while (inside > 0 && (inside == at || isspace((unsigned char)v->text[inside]))) inside--;
  const PathVisitor visitor = {decs_enter, fun_enter, exp_enter, &s};
  path_visit(v->program->root->syntax, inside, &visitor);
  VisibleList out = {0};
  for (int i = s.names.len - 1; i >= 0; i--) list_push(arena, &out, s.names.at[i]);
  return out;
}

// ---- dotted names -----------------------------------------------------------------------------
uint32_t name_start(const char *text, uint32_t at) {
  while (at > 0 && (isalnum((unsigned char)text[at - 1]) || strchr("_.'", text[at - 1]))) {
    if (text[at - 1] == 0) break;
    at--;
  }
  return at;
}

static const Visible *visible_named(const VisibleList *names, const char *name, size_t len) {
  for (int i = 0; i < names->len; i++)
    if (strncmp(names->at[i].name, name, len) == 0 && !names->at[i].name[len])
      return &names->at[i];
  return NULL;
}

static VisibleList contents(Arena *arena, const Visible *v) {
  Scope s = {.arena = arena};
  SType *type = v->type ? stype_find(v->type) : NULL;
  if (v->binding && v->binding->tag == BIND_MODULE) {
    if (v->binding->mod) env_add(&s, v->binding->mod->env);
  } else if (type && type->tag == TYPE_RECORD) {
    for (int i = 0; i < type->record.fields.len; i++) {
      const SField *field = &type->record.fields.at[i];
      list_push(arena, &s.names, (Visible){field->name, field->type, NULL, NULL});
    }
  }
  return s.names;
}

Visible scope_lookup(Arena *arena, const VisibleList *scope, const char *path, size_t len) {
  VisibleList names = *scope;
  for (const char *end = path + len;; path++) {
    size_t n = 0;
    while (path + n < end && path[n] != '.') n++;
    const Visible *v = n ? visible_named(&names, path, n) : NULL;
    if (!v) return (Visible){0};
    if (path + n == end) return *v;
    names = contents(arena, v);
    path += n;
  }
}

VisibleList scope_within(Arena *arena, const VisibleList *scope, const char *path, size_t len) {
  Visible v = scope_lookup(arena, scope, path, len);
  return v.name ? contents(arena, &v) : (VisibleList){0};
}

const char *visible_doc(const Visible *v) {
  if (!v->binding) return NULL;
  if (v->binding->dec) return v->binding->dec->doc;
  return v->binding->spec ? v->binding->spec->doc : NULL;
}
