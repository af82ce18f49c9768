// The pass as a whole.
#include "local.h"
#include <string.h>

static Elab *elab_new(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program,
                      const ElabOptions *options) {
  Elab *e = NEW(arena, Elab);
  e->prog = prog_new(arena);
  e->arena = arena;
  e->names = names;
  e->diag = diag;
  e->warnings = options && options->warnings ? options->warnings : diag;
  e->program = program;
  e->b = builder_new(e->prog, &e->prog->constants);
  e->codes = map_new(arena);
  e->defs = map_new(arena);
  e->files = map_new(arena);
  e->loops = map_new(arena);
  e->shared = map_new(arena);
  e->names_used = map_new(arena);
  e->cse = map_new(arena);
  e->data = map_new(arena);
  e->warned = map_new(arena);
  e->inline_limit = options && options->inline_limit > 0 ? options->inline_limit : 600;
  e->in_unsafe = options && options->no_checks;
  return e;
}

// Sizes of code that fails when it runs, see opt/passes/negative_sizes.c.
static bool has_negative_sizes(const Prog *prog) {
  for (int i = 1; i < prog->vars.len; i++) {
    Type t = prog->vars.at[i].type;
    for (int k = 0; k < t.rank; k++)
      if (!t.dims[k].is_var && t.dims[k].value.i < 0) return true;
  }
  return false;
}

static bool is_wanted(const ElabOptions *options, Name entry) {
  const char *const *only = options ? options->only : NULL;
  for (; only && *only; only++)
    if (strcmp(*only, entry) == 0) return true;
  return !options || !options->only;
}

// needs: an accepted program.  leaves: core at LEVEL_SOAC, verified unless pending.  cost: linear
// in the code reached, counting a function once per specialisation and small ones once per call.
Prog *elab_program(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program,
                   const ElabOptions *options) {
  Elab *e = elab_new(arena, names, diag, program, options);
  var_new(e->prog, "elab", type_scalar(PRIM_UNIT));
  for (int i = 0; i < program->entries.len; i++) fn_name(e, program->entries.at[i].name);
  for (int i = 0; i < program->entries.len; i++) {
    if (!is_wanted(options, program->entries.at[i].name)) continue;
    Fn *fn = entry_elab(e, &program->entries.at[i]);
    list_push(arena, &e->prog->fns, fn);
  }
  if (has_negative_sizes(e->prog)) e->prog->pending = true;
  if (!e->prog->pending) core_verify(e->prog, "elab");
  return e->prog;
}
