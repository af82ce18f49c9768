// Core functions of C functions: the operands that calls pass to them.
#ifndef CLOWER_VARIANT_H
#define CLOWER_VARIANT_H
#include "local.h"

typedef struct {
  bool pointer;
  int slot;            // that it points to, or NO_OBJECT ..
  Ptr ptr;
} LeafCell;
typedef LIST(LeafCell) LeafCells;
// An object that the function is handed.
typedef struct {
  const char *name;
  const CType *type;
  bool one;
  Leaves leaves;
  LeafCells cells;
} Slot;
typedef LIST(Slot) Slots;
typedef struct {
  const CVar *var;
  int slot;            // of a pointer
  Ptr ptr;
  Atom value;          // of a number
  Place place;         // of a struct
} Arg;
typedef LIST(Arg) Args;
// A parameter of the core function: of an argument (slot -1: its value, offset or leaf), or of a
// slot (a leaf, or its size).
typedef struct {
  int arg, slot, leaf;
  bool size;
  Var var;
} CoreParam;
typedef struct {
  int slot, leaf;      // slot -1: the returned value
  Prim prim;           // of that
} CoreResult;
struct Variant {
  const CFunction *f;
  Fn *fn;
  bool running, recursive;
  LIST(CoreParam) sources;
  LIST(CoreResult) results;
  bool returns_pointer;
  Ptr returned;        // obj: the slot
  Slots slots;
};
Variant *variant_of(Unit *u, const CFunction *f, const Args *args, const Slots *slots);
#endif
