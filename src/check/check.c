// Programs: every file in order, in its own scope.
#include "sizes.h"

static Checker *checker_new(Arena *arena, Names *names, Diag *diag, CheckedProgram *program) {
  Checker *c = NEW(arena, Checker);
  c->arena = arena;
  c->names = names;
  c->diag = diag;
  c->program = program;
  c->next_id = 1;
  for (int i = 0; i < SPACE_COUNT; i++) c->scope[i] = map_new(arena);
  for (int p = 0; p < PRIM_COUNT; p++) {
    c->prims[p] = stype_new(c, TYPE_PRIM);
    c->prims[p]->prim = (Prim)p;
  }
  c->unit = stype_new(c, TYPE_RECORD);
  c->error = stype_new(c, TYPE_ERROR);
  for (int i = 0; i < COUNT_OF(c->tuple_names); i++)
    c->tuple_names[i] = name_of(names, arena_printf(arena, "%d", i));
  return c;
}

static void file_check(Checker *c, CheckedFile *file) {
  c->file = file;
  c->exports = NEW(c->arena, ModEnv);
  int mark = names_scope_begin(c);
  const CheckedFile *prelude = c->program->prelude;
  if (!file->prelude && prelude && prelude->exports) modenv_open(c, prelude->exports);
  decs_check(c, &file->syntax->decs);
  names_scope_end(c, mark);
  file->exports = c->exports;
}

// ---- unused names ----------------------------------------------------------------------------
void unused_watch(Checker *c, Binding *b) {
  if (!c->file->builtin && b->name[0] != '_') list_push(c->arena, &c->watched, b);
}

// A field written {x} can be named otherwise only as {x = y}.
static bool is_pun(const Checker *c, const Binding *b) {
  return b->pat && c->puns && map_get(c->puns, KEY(b->pat));
}

static void unused_warn(Checker *c) {
  for (int i = 0; i < c->watched.len; i++) {
    Binding *b = c->watched.at[i];
    if (b->used) continue;
    diag_warn(c->diag, b->span, "[unused-name] Unused name \"%s\".", b->name);
    const char *as = arena_printf(c->arena, is_pun(c, b) ? "%s = _" : "_%s", b->name);
    diag_fix(c->diag, b->span, as, "write \"%s\" if that is meant.", as);
  }
}

void program_check(Arena *arena, Names *names, Diag *diag, CheckedProgram *program,
                   const char *const *extra) {
  Checker *c = checker_new(arena, names, diag, program);
  CheckedFile builtin = {.path = "/prelude/intrinsics", .prelude = true};
  c->extra_entries = extra;
  c->file = &builtin;
  builtin_bind(c);
  for (int i = 0; i < program->files.len; i++) file_check(c, program->files.at[i]);
  program_sizes_check(c);
  if (!diag->errors) unused_warn(c);
}
