// Shared by the files of core only.
#ifndef CORE_LOCAL_H
#define CORE_LOCAL_H
#include "core.h"

// The field of an expression as a T lvalue.
#define FIELD(exp, field, T) (*(T *)((char *)(exp) + (field)->offset))
#define FIELD_CONST(exp, field, T) (*(T const *)((const char *)(exp) + (field)->offset))

// ---- alias.c
// The memory of variables.  The roots of v are the variables that brought v's memory into being;
// a variable without an entry is its own and only root.  Two variables may share memory iff they
// have a root in common.
typedef struct {
  const Prog *prog;
  Arena *arena;
  Map *roots;             // var id -> Vars *; only where not the variable itself
  Map *depths;            // var id -> nesting depth of its binding + 1; absent: outermost
  int depth;
  bool through_operands;  // parameters of lambdas and loops share the roots of their operands
  bool through_calls;     // what results of calls share is looked up in the function's body
  Map *shares;            // Fn -> for each result the places of such parameters; NULL: not yet
} Roots;
Roots roots_new(const Prog *prog, Arena *arena, bool through_operands);
void roots_add(const Roots *roots, Var v, Vars *out);    // v's roots, without repeats
void roots_enter_params(Roots *roots, Vars params);      // binds at the current depth
void roots_bound(Roots *roots, const Stm *stm);          // its bodies are done
void roots_forget(Roots *roots, Var v, Map *dead);       // drops the roots in `dead`
int roots_depth(const Roots *roots, Var v);
void vars_add(Arena *arena, Vars *vars, Var v);          // unless it is there

// ---- consume.c
// NULL, or what is wrong with the consumption in prog, whose scopes and types are good.
const char *consume_fault(const Prog *prog, Arena *arena);
#endif
