// sets: sets of variables (builders.c).
#ifndef SETS_H
#define SETS_H
#include "core/core.h"

typedef struct Calls Calls;  // the functions that differentiated code calls: calls.c
typedef struct UsefulCache UsefulCache;
// Sets of variables, growing on demand.
typedef struct {
  Arena *arena;
  uint64_t **pages;  // a bit per variable; NULL: none of that page
  int cap, len;  // pages; members
  Calls *calls;  // where the set answers a question of activity.c: what is known of functions
  UsefulCache *reached;  // reach: nested statements add only what is free in them, found once
} VarSet;
VarSet varset_new(Arena *arena);
bool varset_has(const VarSet *set, Var v);
bool varset_has_atom(const VarSet *set, Atom a);
bool varset_add(VarSet *set, Var v);  // whether it is new
bool varset_add_atom(VarSet *set, Atom a);
void varset_remove(VarSet *set, Var v);
void varset_add_all(VarSet *set, Vars vars);
#endif
