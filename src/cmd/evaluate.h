// evaluate: expressions in the scope of a program, for `dagaz script` and `dagaz literate`.
#ifndef EVALUATE_H
#define EVALUATE_H
#include "cmd.h"
#include "interp/interp.h"

typedef struct {
  const char *path, *text;  // the program
  bool interp;              // do not compile
} ScriptContext;
typedef struct {
  Session *session;     // owns the rest; the caller's to free
  const AbiType *type;
  Values leaves;
} ScriptResult;
// Evaluates a FutharkScript expression: calls of the program's functions, tuples, records, arrays,
// `let`, and $loaddata, $loadbytes with files beside the program.  Messages go to stderr.
Status script_evaluate(const ScriptContext *c, const char *exp, ScriptResult *out);
#endif
