// Names in printed source: the user's where they can be had, numbered where they are taken.
#include "local.h"
#include <ctype.h>
#include <string.h>

// Words of the language, and the names that printed text relies on.
static const char *const reserved[] = {"def",
                                       "let",
                                       "in",
                                       "if",
                                       "then",
                                       "else",
                                       "loop",
                                       "for",
                                       "while",
                                       "do",
                                       "match",
                                       "case",
                                       "type",
                                       "module",
                                       "entry",
                                       "val",
                                       "with",
                                       "open",
                                       "import",
                                       "include",
                                       "assert",
                                       "true",
                                       "false",
                                       "local",
                                       "sig",
                                       "map",
                                       "map2",
                                       "map3",
                                       "map4",
                                       "map5",
                                       "zip",
                                       "zip3",
                                       "zip4",
                                       "zip5",
                                       "unzip",
                                       "unzip3",
                                       "unzip4",
                                       "unzip5",
                                       "reduce",
                                       "reduce_comm",
                                       "scan",
                                       "iota",
                                       "replicate",
                                       "copy",
                                       "tabulate",
                                       "reverse",
                                       "rotate",
                                       "transpose",
                                       "flatten",
                                       "unflatten",
                                       "opaque",
                                       "reduce_by_index",
                                       "reduce_by_index_2d",
                                       "reduce_by_index_3d",
                                       "scatter",
                                       "scatter_2d",
                                       "scatter_3d",
                                       "i8",
                                       "i16",
                                       "i32",
                                       "i64",
                                       "u8",
                                       "u16",
                                       "u32",
                                       "u64",
                                       "f16",
                                       "f32",
                                       "f64",
                                       "bool",
                                       "guard_f16",
                                       "guard_f32",
                                       "guard_f64",
                                       "times_f16",
                                       "times_f32",
                                       "times_f64",
                                       "_",
                                       NULL};

static bool is_reserved(const char *name) {
  for (int i = 0; reserved[i]; i++)
    if (strcmp(reserved[i], name) == 0) return true;
  return false;
}

static const char *cleaned(Writer *s, const char *base) {
  while (base[0] == '_' && base[1]) base++;  // _i has been used
  char *name = arena_printf(s->arena, "%s", base);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  if (isalpha((unsigned char)name[0]) && !isupper((unsigned char)name[0])) return name;
  return arena_printf(s->arena, "v_%s", name);
}

static bool take(Writer *s, const char *name) {
  uint64_t key = (uint64_t)(uintptr_t)name_of(s->prog->names, name);
  if (is_reserved(name) || map_get(s->taken, key)) return false;
  map_put(s->taken, key, s);
  return true;
}

const char *source_fresh(Writer *s, const char *base) {
  const char *stem = cleaned(s, base), *name = stem;
  uint64_t key = (uint64_t)(uintptr_t)name_of(s->prog->names, stem);
  uintptr_t i = (uintptr_t)map_get(s->numbers, key);
  if (!i && take(s, name)) return name;
  if (!i) i = 1;
  do name = arena_printf(s->arena, "%s_%d", stem, (int)i++);
  while (!take(s, name));
  map_put(s->numbers, key, (void *)i);
  return name;
}

const char *source_name(Writer *s, Var v) {
  bool counted = (int)v.id < s->vars;
  if (counted) s->mentions[v.id]++;
  const char *known = map_get(s->names, v.id);
  if (known) return known;
  const char *better = map_get(s->bases, v.id);
  const char *name = source_fresh(s, better ? better : var_info(s->prog, v)->base);
  if (counted && s->before && s->before[v.id] == 1) name = arena_printf(s->arena, "_%s", name);
  map_put(s->names, v.id, arena_printf(s->arena, "%s", name));
  return name;
}

// ---- better names -----------------------------------------------------------------------------
// A name that a pass gave says how the value came about, not of what it is the adjoint.
static bool is_adjoint(const char *base) {
  size_t len = strlen(base);
  return len > 4 && strcmp(base + len - 4, "_adj") == 0;
}

static void name_better(Writer *s, Var v, const char *base) {
  if (v.id && !map_get(s->bases, v.id)) map_put(s->bases, v.id, (void *)base);
}

static const char *base_of(Writer *s, Var v) {
  const char *better = v.id ? map_get(s->bases, v.id) : NULL;
  return better ? better : var_info(s->prog, v)->base;
}

static void plan_body(void *state, const Body *body, const Vars *params);

// An accumulator is called as the array it becomes, under all of its names.
static void plan_acc(Writer *s, Var v) {
  Type t = var_type(s->prog, v);
  const char *base = t.is_acc ? base_of(s, t.token) : "";
  if (is_adjoint(base)) name_better(s, v, base);
}

static void plan_withacc(Writer *s, const Stm *stm) {
  const Lambda *fn = stm->exp.withacc.fn;
  for (int k = 0; k < stm->bound.len; k++) {
    const char *base = base_of(s, stm->bound.at[k]);
    if (!is_adjoint(base)) continue;
    if (k < stm->exp.withacc.arrays.len) name_better(s, fn->params.at[k], base);
    else if (fn->body.results.at[k].is_var) name_better(s, fn->body.results.at[k].var, base);
  }
}

// An array of adjoints is called as its elements are.
static void plan_map(Writer *s, const Stm *stm) {
  Atoms results = stm->exp.map.fn->body.results;
  for (int k = 0; k < stm->bound.len; k++) {
    const char *inner = results.at[k].is_var ? base_of(s, results.at[k].var) : "";
    if (is_adjoint(inner)) name_better(s, stm->bound.at[k], inner);
  }
}

static void plan_body(void *state, const Body *body, const Vars *params) {
  Writer *s = state;
  for (int i = 0; params && i < params->len; i++) plan_acc(s, params->at[i]);
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    for (int k = 0; k < stm->bound.len; k++) plan_acc(s, stm->bound.at[k]);
    if (stm->exp.form == FORM_WITHACC) plan_withacc(s, stm);
    exp_each_body(&stm->exp, plan_body, s);
    if (stm->exp.form == FORM_MAP) plan_map(s, stm);
  }
}

// Results of the whole are called as the function calls them, where it says of what they are the
// adjoints.
void names_plan(Writer *s, const Fn *fn, const Body *body) {
  for (int k = 0; k < body->results.len && k < fn->results.len; k++) {
    const char *base = var_info(s->prog, fn->results.at[k])->base;
    Atom a = body->results.at[k];
    if (a.is_var && is_adjoint(base)) name_better(s, a.var, base);
  }
  plan_body(s, body, NULL);
}
