// Programs: the variable table and the functions.
#include "core.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Positions in `fns` by hash of the name.  Passes change the list as they like: what is found is
// compared, and what is not found is searched for.
struct FnTable {
  Arena *arena;
  int *at;        // position + 1, 0 = free
  int cap, seen;  // so many functions are entered
};
enum { FEW_FNS = 8 };

Prog *prog_new(Arena *arena) {
  Prog *prog = NEW(arena, Prog);
  prog->arena = arena;
  prog->by_name = NEW(arena, struct FnTable);
  prog->by_name->arena = arena;
  prog->names = names_new(arena);
  list_push(arena, &prog->vars, (VarInfo){.base = "none"});
  return prog;
}

void vars_reserve(Prog *prog, int n) {
  if (n <= prog->vars.cap) return;
  VarInfo *at = arena_alloc_raw(prog->arena, sizeof *at * (size_t)n);
  memcpy(at, prog->vars.at, sizeof *at * (size_t)prog->vars.len);
  prog->vars.at = at;
  prog->vars.cap = n;
}

static uint32_t hash_name(const char *name) {
  uint32_t h = 2166136261u;
  for (const char *s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h ^ (h >> 15);
}

static void enter_fn(struct FnTable *t, const Prog *prog, int i) {
  uint32_t mask = (uint32_t)t->cap - 1, h = hash_name(prog->fns.at[i]->name) & mask;
  while (t->at[h]) h = (h + 1) & mask;
  t->at[h] = i + 1;
}

static void enter_fns(struct FnTable *t, const Prog *prog) {
  int n = prog->fns.len;
  if (4 * n > 3 * t->cap || n < t->seen) {
    if (4 * n > 3 * t->cap) {
      t->cap = 32;
      while (t->cap < 2 * n) t->cap *= 2;
      t->at = NEW_ARRAY(t->arena, int, t->cap);
    } else {
      memset(t->at, 0, sizeof *t->at * (size_t)t->cap);
    }
    t->seen = 0;
  }
  for (; t->seen < n; t->seen++) enter_fn(t, prog, t->seen);
}

static Fn *look_up(const struct FnTable *t, const Prog *prog, const char *name) {
  uint32_t mask = (uint32_t)t->cap - 1;
  for (uint32_t h = hash_name(name) & mask; t->at[h]; h = (h + 1) & mask) {
    int i = t->at[h] - 1;
    if (i < prog->fns.len && strcmp(prog->fns.at[i]->name, name) == 0) return prog->fns.at[i];
  }
  return NULL;
}

bool fn_name_is_reserved(const char *name) { return strncmp(name, "schedule_", 9) == 0; }

Fn *prog_fn(const Prog *prog, const char *name) {
  struct FnTable *t = prog->by_name;
  if (prog->fns.len > FEW_FNS && t) {
    enter_fns(t, prog);
    Fn *found = look_up(t, prog, name);
    if (found) return found;
  }
  for (int i = 0; i < prog->fns.len; i++) {
    if (strcmp(prog->fns.at[i]->name, name) != 0) continue;
    if (prog->fns.len > FEW_FNS && t) t->seen = prog->fns.len + 1;  // out of date
    return prog->fns.at[i];
  }
  return NULL;
}

bool name_is_default(const char *base) {
  for (int op = 0; op < OP_COUNT; op++)
    if (strcmp(op_info[op].name, base) == 0) return true;
  for (int f = 0; f < FORM_COUNT; f++)
    if (strcmp(form_info[f].keyword, base) == 0) return true;
  return strcmp(base, "t") == 0;
}

// Base names are interned in the program, so they outlive the program they were copied from.
Var var_new(Prog *prog, const char *base, Type type) {
  Var v = {(uint32_t)prog->vars.len};
  list_push(prog->arena, &prog->vars,
            (VarInfo){.base = name_of(prog->names, base ? base : "t"), .type = type});
  return v;
}

void prog_note(Prog *prog, const Loc *loc, const char *kind, const char *fmt, ...) {
  char text[400];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  Note note = {.loc = loc, .kind = kind, .text = arena_strdup(prog->arena, text)};
  list_push(prog->arena, &prog->notes, note);
}

const char *type_text(const Prog *prog, Arena *arena, Type t) {
  const char *text = "";
  for (int i = 0; i < t.rank; i++)
    text = t.dims[i].is_var
               ? arena_printf(arena, "%s[%s]", text, var_info(prog, t.dims[i].var)->base)
               : arena_printf(arena, "%s[%lld]", text, (long long)t.dims[i].value.i);
  return arena_printf(arena, "%s%s", text, prim_info[t.prim].name);
}

Types types_of_vars(const Prog *prog, Vars vars) {
  Types types = {0};
  for (int i = 0; i < vars.len; i++)
    list_push(prog->arena, &types, var_type(prog, vars.at[i]));
  return types;
}

Types types_of_atoms(const Prog *prog, Atoms atoms) {
  Types types = {0};
  for (int i = 0; i < atoms.len; i++)
    list_push(prog->arena, &types, atom_type(prog, atoms.at[i]));
  return types;
}

Atoms atoms_of(Arena *arena, int n, const Atom *at) {
  Atoms atoms = {0};
  for (int i = 0; i < n; i++) list_push(arena, &atoms, at[i]);
  return atoms;
}

Atoms atoms_concat(Arena *arena, Atoms a, Atoms b) {
  Atoms all = atoms_of(arena, a.len, a.at);
  for (int i = 0; i < b.len; i++) list_push(arena, &all, b.at[i]);
  return all;
}

Atoms atoms_of_vars(Arena *arena, Vars vars) {
  Atoms atoms = {0};
  for (int i = 0; i < vars.len; i++) list_push(arena, &atoms, atom_var(vars.at[i]));
  return atoms;
}

// cap == len, so that a push onto the slice copies instead of overwriting what it shares.
Atoms atoms_slice(Atoms a, int from, int len) {
  check(from >= 0 && len >= 0 && from + len <= a.len);
  return (Atoms){.at = a.at + from, .len = len, .cap = len};
}

void loc_print(Text *out, const Loc *loc) {
  bool user = false;
  for (const Loc *l = loc; l; l = l->caller) user |= l->span.src && !l->span.src->builtin;
  int frame = 0;
  for (const Loc *l = loc; l; l = l->caller) {
    if (!l->span.src || (user && l->span.src->builtin)) continue;
    text_printf(out, "%s #%d  ", frame == 0 ? "->" : "  ", frame);
    span_print(out, l->span);
    text_puts(out, "\n");
    frame++;
  }
}
