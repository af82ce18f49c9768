// elab: from the typed syntax tree to core, by evaluation at compile time.  Modules, functions,
// records, known constructors and types are values of this evaluator; scalars and arrays are
// atoms of the core program, and computing one appends a statement.  See Note [Elaboration].
#ifndef ELAB_H
#define ELAB_H
#include "check/check.h"
#include "core/core.h"

typedef struct {
  // Calls of a function whose body has become more statements than this share one core function.
  int inline_limit;  // 0: the default
  bool no_checks;    // as if the whole program were under #[unsafe]
  Diag *warnings;    // where these go; NULL: where errors do
  const char *const *only;  // entry points, NULL-terminated; NULL: all
} ElabOptions;

// The core program of a checked program: constants, shared functions, and one function with an
// EntryInfo for each of program->entries (in order, under its source name) that `only` names,
// reachable code only.
// Parameters of an entry function: first the i64 sizes (info->size_params of them) that the
// array parameters mention, then the leaves of the parameters in order; results: info->sizes
// existential sizes, then the leaves of the result.  Everything is in `arena`, at LEVEL_SOAC and
// verified.  Leaves through diag_unsupported for what this compiler cannot do.
Prog *elab_program(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program,
                   const ElabOptions *options);
#endif
