// Matching a module against a module type.
//
//   1. every abstract type of the module type is found in the module, of a kind not higher;
//   2. abbreviations mean the same on both sides;
//   3. values of the module are at least as general as specified;
//   4. submodules match; parametric ones contravariantly in their parameter.
#include "consume.h"

typedef struct {
  Checker *c;
  Span at;
  Subst *subst;
  const char *prefix;  // "" or "m.": the submodule being matched
} Match;

// ---- types -----------------------------------------------------------------------------------
static const char *kind_name(Lift lift) {
  return lift == LIFT_NONE ? "non-lifted" : lift == LIFT_SIZE ? "size-lifted" : "lifted";
}

static const char *def_text(Match *m, const TypeDef *def) {
  Checker *c = m->c;
  const char *s = arena_printf(c->arena, "type%s %s%s", def->lift == LIFT_NONE ? ""
                               : def->lift == LIFT_SIZE ? "~" : "^", m->prefix, def->name);
  for (int i = 0; i < def->params.len; i++)
    s = def->params.at[i].is_size
            ? arena_printf(c->arena, "%s [%s]", s, def->params.at[i].size->name)
            : arena_printf(c->arena, "%s '%s", s, def->params.at[i].type->name);
  if (def->tag == TYPEDEF_ABBREV)
    s = arena_printf(c->arena, "%s = %s", s, stype_text(c, def->type));
  return s;
}

static bool params_match(const TypeDef *a, const TypeDef *b) {
  if (a->params.len != b->params.len) return false;
  for (int i = 0; i < a->params.len; i++)
    if (a->params.at[i].is_size != b->params.at[i].is_size) return false;
  return true;
}

static bool types_differ(Match *m, const TypeDef *have, const TypeDef *want) {
  report(m->c, m->at, "[module-type-mismatch] Module defines\n  %s\nbut module type requires\n  %s",
         def_text(m, have), def_text(m, want));
  note(m->c, want->span, "The module type's \"%s\" is here.", want->name);
  note(m->c, have->span, "The module's \"%s\" is here.", have->name);
  return false;
}

static bool abstract_match(Match *m, const Mod *mod, const Mod *spec, TypeDef *want) {
  NameList path = path_find(m->c, spec, want);
  if (!path.len) list_push(m->c->arena, &path, want->name);  // shadowed by a later inclusion
  for (int i = 0; i + 1 < path.len; i++) {
    Binding *b = mod && mod->env ? modenv_term(m->c, mod->env, path.at[i]) : NULL;
    if (!b || b->tag != BIND_MODULE) {
      report(m->c, m->at, "[module-lacks] Module does not define a module named \"%s\".",
             path.at[i]);
      return false;
    }
    mod = b->mod;
  }
  if (!path.len || !mod || !mod->env) return true;
  Name name = path.at[path.len - 1];
  TypeDef *have = modenv_type(m->c, mod->env, name);
  if (!have) {
    report(m->c, m->at, "[module-lacks] Module does not define a type named \"%s\".", name);
    return false;
  }
  path.len--;
  Match sub = *m;
  if (path.len) sub.prefix = arena_printf(m->c->arena, "%s.", path_text(m->c, &path, path.len));
  if (!params_match(have, want)) return types_differ(&sub, have, want);
  if (have->lift > want->lift) {
    report(m->c, m->at, "[module-type-mismatch] Module defines\n  %s\nbut module type requires a "
                        "%s type \"%s\".",
           def_text(m, have), kind_name(want->lift), name);
    return false;
  }
  map_put(m->subst->defs, KEY(want), have);
  SpecMatch match = {m->at, m->subst->defs, NULL, NULL, {0}, have, want, NULL};
  list_push(m->c->arena, &m->c->matches, match);
  return true;
}

static bool abbrev_match(Match *m, TypeDef *have, TypeDef *want) {
  TypeDef *there = typedef_subst(m->c, want, m->subst);
  if (!have) {
    report(m->c, m->at, "[module-lacks] Module does not define a type named \"%s\".", want->name);
    return false;
  }
  if (have == there) return true;
  if (!params_match(have, there)) return types_differ(m, have, there);
  NamedArgList args = {0};
  for (int i = 0; i < there->params.len; i++) {
    const TypeDefParam *p = &there->params.at[i];
    NamedArg arg = {p->is_size, NULL, p->is_size ? NULL : stype_self(m->c, p->type)};
    list_push(m->c->arena, &args, arg);
  }
  if (stype_same(type_expand(m->c, have, &args), type_expand(m->c, there, &args))) return true;
  return types_differ(m, have, there);
}

// ---- values ----------------------------------------------------------------------------------
static bool is_identity(const Binding *impl, const InstArgList *args) {
  for (int i = 0; i < args->len; i++) {
    SType *t = stype_find(args->at[i].type);
    if (t->tag != TYPE_NAMED || t->named.def != impl->tparams.at[i]) return false;
  }
  return true;
}

static const char *val_text(Match *m, const Binding *b, SType *type) {
  Checker *c = m->c;
  const char *s = arena_printf(c->arena, "val %s%s", m->prefix, b->name);
  for (int i = 0; i < b->sparams.len; i++)
    s = arena_printf(c->arena, "%s [%s]", s, b->sparams.at[i]->name);
  for (int i = 0; i < b->tparams.len; i++)
    s = arena_printf(c->arena, "%s '%s%s", s, b->tparams.at[i]->lift == LIFT_NONE ? ""
                     : b->tparams.at[i]->lift == LIFT_SIZE ? "~" : "^", b->tparams.at[i]->name);
  return arena_printf(c->arena, "%s : %s", s, stype_text(c, type));
}

static bool value_differs(Match *m, const Binding *have, const Binding *want) {
  note(m->c, want->span, "The module type specifies \"%s\" here.", want->name);
  note(m->c, have->span, "The module defines \"%s\" here.", have->name);
  return false;
}

static bool value_match(Match *m, Binding *have, Binding *want, Coercion *coerce) {
  Checker *c = m->c;
  if (!have || have->tag == BIND_MODULE) {
    report(c, m->at, "[module-lacks] Module does not define a value named \"%s\".", want->name);
    note(c, want->span, "The module type specifies it here.");
    return false;
  }
  if (!want->type || !have->type) return true;
  binding_begin(c);
  c->level = 1000000;  // the specification's parameters are in scope
  Inst inst = {0};
  SType *spec = stype_subst(c, want->type, m->subst);
  SType *impl = instantiate(c, have, m->at, &inst);
  if (!unify(c, spec, impl)) {
    report(c, m->at, "[module-value-mismatch] Module type specifies\n  %s\nbut module provides\n  "
                     "%s\n%s",
           val_text(m, want, spec), val_text(m, have, have->type), c->why);
    return value_differs(m, have, want);
  }
  binding_solve(c);
  Inst *sizes = inst_new(c);
  sizes->args = inst.args;
  SpecMatch match = {m->at, m->subst->defs, have, want, inst.args, NULL, NULL, sizes};
  list_push(c->arena, &c->matches, match);
  const char *misfit = consume_misfit(c, spec, have->proven ? have->proven : have->type, &inst);
  if (misfit) {
    report(c, m->at, "[module-value-mismatch] Module type specifies\n  %s\nbut module provides\n  "
                     "%s\nThe types %s.",
           val_text(m, want, spec), val_text(m, have, have->type), misfit);
    return value_differs(m, have, want);
  }
  if (have->sparams.len || (inst.args.len && !is_identity(have, &inst.args))) {
    ValCoercion val = {want->name, want, have, inst.args, sizes};
    list_push(c->arena, &coerce->vals, val);
  }
  return true;
}

// ---- modules ---------------------------------------------------------------------------------
static Coercion *match_any(Match *m, Mod *mod, Mod *spec, bool *ok);
static bool match_whole(Match *m, Mod *mod, Mod *spec, const TypeDefList *abstract,
                        Coercion **coerce);

static bool terms_match(Match *m, ModEnv *mod, ModEnv *spec, Coercion *coerce) {
  bool ok = true;
  for (int i = 0; i < spec->terms.len && ok; i++) {
    Binding *want = spec->terms.at[i];
    if (modenv_term(m->c, spec, want->name) != want) continue;
    Binding *have = modenv_term(m->c, mod, want->name);
    if (want->tag != BIND_MODULE) {
      ok = value_match(m, have, want, coerce);
      continue;
    }
    if (!have || have->tag != BIND_MODULE) {
      report(m->c, m->at, "[module-lacks] Module does not define a module named \"%s\".",
             want->name);
      return false;
    }
    Match sub = *m;
    sub.prefix = arena_printf(m->c->arena, "%s%s.", m->prefix, want->name);
    ModCoercion inner = {want->name, match_any(&sub, have->mod, want->mod, &ok)};
    if (inner.coerce) list_push(m->c->arena, &coerce->mods, inner);
  }
  return ok;
}

static bool env_match(Match *m, ModEnv *mod, ModEnv *spec, Coercion *coerce) {
  for (int i = 0; i < spec->types.len; i++) {
    TypeDef *want = spec->types.at[i];
    if (want->tag != TYPEDEF_ABBREV || modenv_type(m->c, spec, want->name) != want) continue;
    if (!abbrev_match(m, modenv_type(m->c, mod, want->name), want)) return false;
  }
  return terms_match(m, mod, spec, coerce);
}

// The specified parameter must do as an argument, and what then results as the result.
static bool functor_match(Match *m, Mod *mod, Mod *spec, Coercion *coerce) {
  Checker *c = m->c;
  spec = mod_subst(c, spec, m->subst);
  Subst inner = {0}, outer = {0};
  Match param = {c, m->at, &inner, m->prefix}, result_match = {c, m->at, &outer, m->prefix};
  if (!match_whole(&param, spec->param, mod->param, &mod->abstract, &coerce->param)) return false;
  defs_rename(c, &mod->fresh, &inner);
  Mod *result = mod_subst(c, mod->result, &inner);
  return match_whole(&result_match, result, spec->result, &spec->fresh, &coerce->result);
}

static Coercion *match_any(Match *m, Mod *mod, Mod *spec, bool *ok) {
  if (!mod || !spec) return NULL;
  if (!mod->env != !spec->env) {
    report(m->c, m->at, mod->env
               ? "[module-is-parametric] Cannot match non-parametric module with parametric "
                 "module type."
               : "[module-is-parametric] Cannot match parametric module with non-parametric module "
                 "type.");
    *ok = false;
    return NULL;
  }
  Coercion *coerce = NEW(m->c->arena, Coercion);
  bool good = mod->env ? env_match(m, mod->env, spec->env, coerce)
                       : functor_match(m, mod, spec, coerce);
  if (!good) *ok = false;
  bool empty = !coerce->vals.len && !coerce->mods.len && !coerce->param && !coerce->result;
  return empty ? NULL : coerce;
}

static bool match_whole(Match *m, Mod *mod, Mod *spec, const TypeDefList *abstract,
                        Coercion **coerce) {
  if (!m->subst->defs) m->subst->defs = map_new(m->c->arena);
  bool ok = true;
  if (mod && mod->env && spec && spec->env)
    for (int i = 0; i < abstract->len && ok; i++)
      ok = abstract_match(m, mod, spec, abstract->at[i]);
  if (ok) *coerce = match_any(m, mod, spec, &ok);
  return ok;
}

bool mod_match(Checker *c, Span at, Mod *mod, Mod *spec, const TypeDefList *abstract,
               Subst *subst, Coercion **coerce) {
  Match m = {c, at, subst, ""};
  return match_whole(&m, mod, spec, abstract, coerce);
}
