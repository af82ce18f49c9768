// Shared by the files of core only.
#ifndef CORE_LOCAL_H
#define CORE_LOCAL_H
#include "core.h"

// The field of an expression as a T lvalue.
#define FIELD(exp, field, T) (*(T *)((char *)(exp) + (field)->offset))
#define FIELD_CONST(exp, field, T) (*(const T *)((const char *)(exp) + (field)->offset))

// What variables are made of: roots[v] are the variables that brought v's memory into being; a
// variable not in the map is its own and only root.  Sparse: only views are stored.
typedef struct {
  const Prog *prog;
  Arena *arena;
  Map *roots;             // var id -> Vars *
  bool through_operands;  // lambda and loop parameters share the roots of their operands
} Roots;
Roots roots_new(const Prog *prog, Arena *arena, bool through_operands);
void roots_of(const Roots *roots, Var v, Vars *out);          // appends without repeats
void roots_bind_stm(Roots *roots, const Stm *stm);            // nested bodies first, then bound
void roots_bind_params(Roots *roots, const Exp *exp);         // of lambdas inside exp
void roots_bind_results(Roots *roots, const Stm *stm);        // assuming the bodies are done

#endif
