// driver: one compilation from a path to a program, and what the commands share: the pass table,
// the pipelines, the system compiler.
#ifndef DRIVER_H
#define DRIVER_H
#include "../check/check.h"
#include "../core/core.h"

// ---- session.c ---------------------------------------------------------------------------------
// One compilation.  Every layer may leave through base's Stop; arenas make that safe.
typedef struct Session {
  Arena *arena;  // sources, syntax, checking; programs have arenas of their own
  Names *names;
  Diag *diag;
  FILE *messages;            // where collected messages are printed; stderr
  bool verify;               // judge the program after every pass (tests always do)
  bool time;                 // print the milliseconds of every pass on stderr
  const char *print_after;   // pass name, "all", or NULL
  const char *stop_after;    // pass name or NULL
  bool stopped;              // stop_after was reached
  bool safe_off;             // leave out run-time checks (#[unsafe] everywhere)
  const char *const *entries;  // extra entry points, NULL-terminated, or NULL
  const char *pass;          // the pass that is running, for internal errors
  const Prog *last_good;     // the program before it
  LIST(Arena *) programs;    // arenas of all programs so far
} Session;
Session *session_new(void);
void session_free(Session *s);
// Runs work(s, state); returns STATUS_OK, or the status with which it left.  Messages collected
// in s->diag are printed to stderr in either case.
Status session_run(Session *s, void (*work)(Session *s, void *state), void *state);
// Leaves with STATUS_USER_ERROR when errors were collected.
void session_stop_on_errors(Session *s);

// ---- frontend.c --------------------------------------------------------------------------------
CheckedProgram *session_check(Session *s, const char *path);  // leaves on errors
Prog *session_elaborate(Session *s, const char *path);        // checked, elaborated, verified
Prog *session_parse_core(Session *s, const char *path);       // a file of core text

// ---- passes.c ----------------------------------------------------------------------------------
typedef struct {
  const char *name, *help;
  Prog *(*run)(const Prog *prog, Arena *arena);
  Level from, to;
} Pass;
extern const Pass passes[];  // ends with a NULL name
const Pass *pass_named(const char *name);
Prog *pass_run(Session *s, const Pass *pass, Prog *prog);  // times, prints, verifies; frees `prog`
// Runs a list of pass names (NULL-terminated), repeating sections as written in pipelines below.
Prog *pipeline_run(Session *s, Prog *prog, const char *const *names);
// Elaborated program to a program without AD operators, simplified: for the interpreter.
Prog *pipeline_differentiate(Session *s, Prog *prog);
// And on to what the back end wants.
Prog *pipeline_optimise(Session *s, Prog *prog);

// ---- toolchain.c -------------------------------------------------------------------------------
typedef enum { OUTPUT_EXECUTABLE, OUTPUT_SHARED } OutputKind;
// Compiles one C file with the system compiler ($CC, else cc, gcc, clang; flags $CFLAGS or ours).
// Returns false, with the compiler's own messages on stderr, when that fails.
bool toolchain_compile(const char *c_path, const char *out_path, OutputKind kind);
bool toolchain_present(void);
const char *toolchain_flags(void);
double now_ms(void);
#endif
