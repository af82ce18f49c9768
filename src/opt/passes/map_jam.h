// Shared by map_jam.c and divergence.c: the variables that differ between the iterations of a map.
#ifndef OPT_MAP_JAM_H
#define OPT_MAP_JAM_H
#include "opt/common/local.h"

typedef struct {
  Arena *arena;
  Map *vars;  // those that differ -> not NULL
  FreeVars *free_vars;
  bool grew;
} Divergence;
Divergence divergence_new(const Prog *prog, Arena *arena);
bool diverges(const Divergence *a, Var v);
bool atom_diverges(const Divergence *a, Atom x);
bool any_diverges(const Divergence *a, Vars vars);
void set_divergent(Divergence *a, Var v);
void divergence_body(Divergence *a, const Body *body);  // in it, from those set
// Whether the statement can stay one where its results differ: what decides how often something is
// done, and where, must be the same for all.
bool is_uniform(const Divergence *a, const Stm *stm);

// Parts of forms.
Vars vars_from(Vars vars, int from, int n);
Vars loop_params(const struct loop_form *l);        // without the counter
Atoms values_of(const Body *body, int64_t rank);    // of a histogram or scatter, after the indices
#endif
