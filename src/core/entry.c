// The outside view of an entry point of which only core types are known: leading i64 parameters
// that are sizes of later ones are read from the arrays, leading i64 results that are sizes of
// later ones are not shown, and several results are a tuple.
#include "core.h"
#include <string.h>

static const AbiType *leaf_of(Arena *arena, Type t) {
  AbiType *abi = NEW(arena, AbiType);
  const char *name = prim_info[t.prim].name;
  for (int i = 0; i < t.rank; i++) name = arena_printf(arena, "[]%s", name);
  *abi = (AbiType){.kind = t.rank ? ABI_ARRAY : ABI_SCALAR,
                   .name = name,
                   .prim = t.prim,
                   .rank = t.rank,
                   .leaves = 1};
  return abi;
}

static const AbiType *tuple_of(Arena *arena, Types types) {
  if (types.len == 1) return leaf_of(arena, types.at[0]);
  AbiType *abi = NEW(arena, AbiType);
  *abi = (AbiType){.kind = ABI_RECORD, .is_tuple = true, .leaves = types.len};
  const char *name = "(";
  for (int i = 0; i < types.len; i++) {
    const AbiType *field = leaf_of(arena, types.at[i]);
    list_push(arena, &abi->fields, field);
    list_push(arena, &abi->field_names, (const char *)arena_printf(arena, "%d", i));
    name = arena_printf(arena, "%s%s%s", name, i ? ", " : "", field->name);
  }
  abi->name = arena_printf(arena, "%s)", name);
  return abi;
}

static bool is_size_of_later(const Prog *prog, Vars vars, int i) {
  Type mine = var_type(prog, vars.at[i]);
  if (!type_is_scalar(mine) || mine.prim != PRIM_I64) return false;
  for (int k = i + 1; k < vars.len; k++) {
    Type t = var_type(prog, vars.at[k]);
    for (int d = 0; d < t.rank; d++)
      if (atom_is_var(t.dims[d], vars.at[i])) return true;
  }
  return false;
}

static int leading_sizes(const Prog *prog, Vars vars) {
  int n = 0;
  while (n < vars.len && is_size_of_later(prog, vars, n)) n++;
  return n;
}

const EntryInfo *entry_info_plain(const Prog *prog, const Fn *fn, const char *name) {
  return entry_info_sized(prog, fn, name, leading_sizes(prog, fn->params));
}

const EntryInfo *entry_info_sized(const Prog *prog, const Fn *fn, const char *name,
                                  int size_params) {
  Arena *arena = prog->arena;
  EntryInfo *entry = NEW(arena, EntryInfo);
  entry->name = name;
  entry->size_params = size_params;
  entry->sizes = leading_sizes(prog, fn->results);
  for (int i = entry->size_params; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    list_push(arena, &entry->params,
              (AbiParam){.name = arena_strdup(arena, var_info(prog, fn->params.at[i])->base),
                         .type = leaf_of(arena, t),
                         .unique = t.unique});
  }
  Types types = {0};
  for (int i = entry->sizes; i < fn->results.len; i++)
    list_push(arena, &types, var_type(prog, fn->results.at[i]));
  entry->result = (AbiParam){.name = "", .type = tuple_of(arena, types)};
  for (int i = 0; i < types.len; i++) entry->result.unique |= types.at[i].unique;
  return entry;
}

const Fn *entry_find(const Prog *prog, const char *name) {
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    if (fn->entry && strcmp(fn->entry->name, name) == 0) return fn;
  }
  return NULL;
}

const char *entry_missing(Arena *arena, const Prog *prog) {
  const char *text = "there is no such entry point";
  int found = 0;
  for (int i = 0; i < prog->fns.len; i++)
    if (prog->fns.at[i]->entry)
      text = arena_printf(arena, "%s%s %s", text, found++ ? "," : "; there are",
                          prog->fns.at[i]->entry->name);
  return text;
}

const char *entry_chosen(const Prog *prog, const char *name) {
  const char *only = NULL;
  int found = 0;
  for (int i = 0; i < prog->fns.len && !name; i++) {
    if (!prog->fns.at[i]->entry) continue;
    only = prog->fns.at[i]->entry->name;
    found++;
    if (strcmp(only, "main") == 0) return only;
  }
  return name ? name : found == 1 ? only : "main";
}
