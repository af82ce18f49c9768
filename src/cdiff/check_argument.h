// The arguments that check programs make up, and the numbers in them.
#ifndef CDIFF_CHECK_ARGUMENT_H
#define CDIFF_CHECK_ARGUMENT_H
#include "sweep.h"

// The numbers of one kind in an argument: itself, its elements, or one member of a struct.
typedef struct {
  const char *path;              // ".p.x"; "" none
  LIST(const CField *) fields;   // to it
  const char *type;
  bool real, pointer;            // pointer: a member that leads to numbers
  int64_t many;                  // in each element
  const CExpr *length;           // of what the pointer leads to
  int argument;
  int input, output;             // which of the inputs, of the outputs, from 1 on; 0: none
} CheckPart;
typedef struct {
  const CVar *v;
  const char *name, *type;       // type: of the value or of the elements
  enum { ARGUMENT_NONE, ARGUMENT_VALUE, ARGUMENT_MEMORY } tag;  // NONE: a pointer that is not used
  const CExpr *length;
  bool nested;                   // an array of arrays
  bool record, real;             // a struct; numbers of floating point
  int first, parts;
  bool in_tangent, in_adjoint;   // has a derivative there
} CheckArgument;
typedef struct {
  CProgram *p;
  const CCheck *check;
  const CFunction *source;
  const char *called;            // its name, or that of one that calls it
  Derived *tangent, *adjoint;    // NULL: none
  LIST(CheckArgument) arguments;
  LIST(CheckPart) parts;
  int result;                    // as output of a CheckPart
  Text *out;
} Check;
const char *check_type_text(Arena *arena, const CType *t);
const CType *check_element(const CType *t);
// Leaves with a message where one cannot be made up.
void check_arguments(Check *c);
int check_result_rank(const Check *c);
#endif
