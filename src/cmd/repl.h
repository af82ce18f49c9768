// repl: what reading lines, evaluating and the loop share.
#ifndef REPL_H
#define REPL_H
#include "cmd.h"

// ---- repl_line.c -------------------------------------------------------------------------------
// Lines from a terminal with the system's editing library where there is one, else plain.
typedef struct Lines Lines;
Lines *lines_open(Arena *arena);
typedef enum { LINE_READ, LINE_DROPPED, LINE_END } LineEvent;  // dropped by the interrupt key
LineEvent line_read(Lines *lines, Arena *arena, const char *prompt, const char **line);
void lines_close(Lines *lines);
bool lines_terminal(const Lines *lines);

// ---- repl_input.c: an input goes on to the next line while it can only end there
typedef enum {
  INPUT_END,
  INPUT_NONE,
  INPUT_COMMAND,
  INPUT_DECLARATION,
  INPUT_EXPRESSION
} InputKind;
// text: without white space around it, of a command without its colon.
InputKind input_read(Lines *lines, Arena *arena, const char **text);

// ---- repl_eval.c, repl_child.c ------------------------------------------------------------------
typedef enum { EVAL_CHECK, EVAL_TYPE, EVAL_VALUE, EVAL_DERIVE } EvalMode;
typedef struct {
  const char *path;    // where imports are looked for
  const char *text;    // the declarations in scope
  DiagParts parts;     // the inputs that it is made of
  const char *it;      // the value of "it" in exp, or NULL
  const char *exp;     // EVAL_TYPE, EVAL_VALUE; EVAL_DERIVE: the name of a function
  bool forward;        // EVAL_DERIVE: jvp, not vjp
  EvalMode mode;
  bool errors;         // messages go to stderr, not to stdout
} Evaluation;
// Prints messages, the type, the value or the derivative as source text.  True when all went well.
bool evaluation_run(const Evaluation *e);
// The same in another process, so that nothing it does can end the loop.
bool repl_eval(const Evaluation *e);
#endif
