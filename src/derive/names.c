// Names in printed source: the user's where they can be had, numbered where they are taken.
#include "local.h"
#include <ctype.h>
#include <string.h>

// Words of the language, and the names that printed text relies on.
static const char *const reserved[] = {
    "def", "let", "in", "if", "then", "else", "loop", "for", "while", "do", "match", "case",
    "type", "module", "entry", "val", "with", "open", "import", "include", "assert", "true",
    "false", "local", "sig", "map", "map2", "map3", "map4", "map5", "zip", "zip3", "zip4", "zip5",
    "unzip", "unzip3", "unzip4", "unzip5", "reduce", "reduce_comm", "scan", "iota", "replicate",
    "copy", "tabulate", "reverse", "rotate", "transpose", "flatten", "unflatten", "opaque",
    "reduce_by_index", "reduce_by_index_2d", "reduce_by_index_3d", "scatter", "scatter_2d",
    "scatter_3d", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64",
    "bool", "guard_f16", "guard_f32", "guard_f64", "_", NULL};

static bool is_reserved(const char *name) {
  for (int i = 0; reserved[i]; i++)
    if (strcmp(reserved[i], name) == 0) return true;
  for (int i = 0; schedule_rows[i].text; i++)
    if (strcmp(op_info[schedule_rows[i].op].name, name) == 0) return true;
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
  const char *name = source_fresh(s, var_info(s->prog, v)->base);
  if (counted && s->before && s->before[v.id] == 1) name = arena_printf(s->arena, "_%s", name);
  map_put(s->names, v.id, arena_printf(s->arena, "%s", name));
  return name;
}
