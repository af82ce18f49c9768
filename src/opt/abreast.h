// What abreast.c and differing.c share: what differs between the iterations of a map.
#ifndef OPT_ABREAST_H
#define OPT_ABREAST_H
#include "local.h"

typedef struct {
  Arena *arena;
  Map *vars;  // those that differ -> not NULL
  Frees *frees;
  bool grew;
} Differing;
Differing differing_new(const Prog *prog, Arena *arena);
bool differs(const Differing *a, Var v);
bool atom_differs(const Differing *a, Atom x);
bool any_differs(const Differing *a, Vars vars);
void set_differs(Differing *a, Var v);
void find_differing(Differing *a, const Body *body);  // in it, from those set
// Whether the statement can stay one where its results differ: what decides how often something is
// done, and where, must be the same for all.
bool is_together(const Differing *a, const Stm *stm);

// Parts of forms.
Vars vars_from(Vars vars, int from, int n);
Vars loop_params(const struct loop_form *l);        // without the counter
Atoms values_of(const Body *body, int64_t rank);    // of a histogram or scatter, behind the indices
#endif
