// driver: one compilation from a path to a program, and what the commands share: the pass table,
// the pipelines, the system compiler.
#ifndef DRIVER_H
#define DRIVER_H
#include "back/back.h"
#include "check/check.h"
#include "core/core.h"
#include "ctext/ctext.h"
#include "opt/common/polynomial.h"
#include <sys/types.h>

// ---- session.c ---------------------------------------------------------------------------------
// One compilation.  Every layer may leave through base's Stop; arenas make that safe.
typedef struct Session {
  Arena *arena;  // sources, syntax, checking; programs have arenas of their own
  Names *names;
  Diag *diag;
  FILE *messages;            // where collected messages are printed; stderr
  bool verify;               // verify the program after every pass (tests always do)
  bool keep;                 // passes leave the program they read: bug reports have it
  bool time;                 // print the milliseconds of every pass on stderr
  const char *print_after;   // pass name, "all", or NULL
  const char *stop_after;    // pass name or NULL
  bool stopped;              // stop_after was reached
  bool safe_off;             // leave out run-time checks (#[unsafe] everywhere)
  const char *text;          // of the program, instead of what its file holds; or NULL
  size_t text_len;
  bool trace_nan;            // of the programs made: they say where the first NaN comes from
  bool profile;              // of the programs made: they measure their loops
  bool flush;                // of the programs made: denormal numbers are zero
  Target target;             // what programs are made for
  Switches switches;         // optimisations inside passes left out, and which applied
  uint64_t passes_off, passes_run;  // by number
  bool recompute;            // the pass `share` is left out
  bool strict_ieee;          // derivatives: zero times infinity is NaN
  bool finite_math;          // the program promises to compute no infinity and no NaN
  bool strict_order;         // loops that add floats stay loops
  int64_t memory_limit;      // of the programs made; 0: given when they run; -1: none
  const char *const *entries;  // extra entry points, NULL-terminated, or NULL
  const char *const *only;     // those to elaborate; NULL, or none of them there: all
  const CheckedProgram *checked;  // the last one; NULL: none
  const char *pass;          // the pass that is running, for internal errors
  const Prog *last_good;     // the program before it; NULL: changed by now
  bool own_preprocessor;     // C is preprocessed without a C compiler
  bool compare;              // explain: the cost of every strategy
  LIST(Note) notes;          // of all passes so far
  LIST(Arena *) programs;    // arenas of all programs so far
} Session;
Session *session_new(void);
void session_free(Session *s);
// One entry point alone, any function of the file: code that only others reach is not elaborated.
// NULL: main or, where there is none, all.
void session_select(Session *s, const char *entry);
// Runs work(s, state); returns STATUS_OK, or the status with which it left.  Messages collected
// in s->diag are printed to stderr in either case.
Status session_run(Session *s, void (*work)(Session *s, void *state), void *state);
// Leaves with STATUS_USER_ERROR when errors were collected.
void session_stop_on_errors(Session *s);

// ---- frontend.c --------------------------------------------------------------------------------
CheckedProgram *session_load(Session *s, const char *path);   // read only; leaves on errors
CheckedProgram *session_check(Session *s, const char *path);  // leaves on errors
Prog *session_elaborate(Session *s, const char *path);        // checked, elaborated, verified
// Warnings about derivatives that only core shows (ad/warn/gradient_warnings.c), of the entry
// points; silent where the program has none, or has something elaboration does not support.
void session_warn(Session *s, const CheckedProgram *program);
// The same for who has no session.
void derivatives_warn(Arena *arena, Names *names, Diag *diag, const CheckedProgram *program);
Prog *session_parse_core(Session *s, const char *path);       // a file of core text
Prog *session_core(Session *s, const char *path);  // of such a file where the name ends with .ir
ImpProg *session_parse_imp(Session *s, const char *path);     // a file of text of imp

// ---- c_source.c --------------------------------------------------------------------------------
typedef LIST(const char *) CFlags;  // for the preprocessor: -I, -D, -U, -std=
CUnit *session_math_rules(Session *s);  // lib/c/math.rules
CUnit *session_read_c(Session *s, const char *path, const CFlags *flags);  // leaves on errors
// preprocess.c: what the C compiler's preprocessor prints; NULL: it failed, and has said why.
const char *compiler_preprocess(Session *s, const char *path, const CFlags *flags);

// ---- passes.c ----------------------------------------------------------------------------------
// Over core, `run`: changes a program that it owns, else gives another one in the arena.  Over the
// imperative program, `imp`: changes a function.  Neither: "lower", from one to the other.
typedef struct {
  const char *name, *help;
  const char *golden;  // folder below tests/pass
  Prog *(*run)(Prog *prog, Arena *arena);
  void (*imp)(ImpProg *prog, ImpFn *fn);
  Level from, to;
  bool optional;  // an optimisation: pipelines can do without
} Pass;
extern const Pass passes[];  // ends with a NULL name
const Pass *pass_named(const char *name);              // by its name or a former one; NULL: none
const char *pass_present_name(const char *name);       // of a former name; other names as they are
bool session_passes_known(const Session *s);  // whether print_after and stop_after name passes
Prog *pass_run(Session *s, const Pass *pass, Prog *prog);  // times, prints, verifies
void imp_pass_run(Session *s, const Pass *pass, ImpProg *prog);  // the same
ImpProg *session_lower(Session *s, const Prog *prog, Arena *arena);  // the pass "lower"
// Runs a list of pass names (NULL-terminated); "N: a b" repeats a and b while they change anything.
Prog *pipeline_run(Session *s, Prog *prog, const char *const *names);
// Elaborated program to a program without AD operators, simplified: for the interpreter.
Prog *pipeline_differentiate(Session *s, Prog *prog);
void pipeline_warn(Session *s, Prog *prog);     // only its warnings
Prog *pipeline_source(Session *s, Prog *prog);  // and on to what can be printed as source text
// Or on to what the lowering needs,
Prog *pipeline_optimise(Session *s, Prog *prog);
Prog *pipeline_counted(Session *s, Prog *prog);  // without the blocks that cores share out
// and to the imperative program, in the arena, that the back end prints.
ImpProg *pipeline_imp(Session *s, const Prog *prog, Arena *arena);
// To a program without operators and fused forms, with few functions: what bulk/ translates.
Prog *pipeline_bulk(Session *s, Prog *prog);

// ---- without.c: optimisations that can be left out, in passes and as passes
typedef struct {
  const char *name, *former, *help;  // former: accepted as well, NULL: none
  bool imp;                          // a pass over the imperative program; these come last
} WithoutRow;
WithoutRow without_row(int i);                      // name NULL: no more
// The row of a present or former name, -1: none.  Switches go before passes.
int without_named(const char *name);
bool session_without(Session *s, const char *names);  // "a,b"; false: there is none of the name
void session_with_all(Session *s);
bool session_tried(const Session *s, int i);        // it applied, or ran, since the last
void session_forget_tried(Session *s);

// ---- folders.c ---------------------------------------------------------------------------------
typedef enum { CACHE_HOME, CACHE_SPARE } CachePlace;
// NULL: there is none that only this user can write to.
const char *cache_dir(Arena *arena, CachePlace place, bool make);
const char *temporary_dir(Arena *arena);  // a new one; NULL with errno on failure
const char *folder_new(Arena *arena, const char *base, const char *prefix);  // likewise, elsewhere
void temporary_remove(const char *dir);   // with the files in it
uint64_t hash_text(uint64_t h, const char *s);
uint64_t machine_hash(uint64_t h);  // with the machine and its processor

// ---- cache.c -----------------------------------------------------------------------------------
// Files of a folder of the cache, as they were added; NULL: there is none, or it was damaged.
const char *cache_find(Arena *arena, const char *name, const char *const *files);
// Copies them there; NULL: there is no room.
const char *cache_add(Arena *arena, const char *from, const char *name, const char *const *files);

// ---- runtime.c ---------------------------------------------------------------------------------
typedef enum { FLAGS_TUNED, FLAGS_PORTABLE } FlagSet;  // for speed; gcc, any; $CFLAGS replaces both
typedef struct {
  const char *object, *declarations;  // path; text for back_units.  NULL: there is none
  bool compiled;                      // just now
  FlagSet flags;                      // that the compiler takes
} LinkedRuntime;
// dir: for files on the way; single: for programs with the lanes of f32
LinkedRuntime runtime_object(Arena *arena, const char *dir, bool single);

// ---- remarks.c ---------------------------------------------------------------------------------
// Warnings that attributes ask for, of an optimised program.
void session_remarks(Session *s, const Prog *prog);

// ---- strategies.c
// All derivatives of the program by one strategy, also those that name another; NULL where it
// refuses, with *why.
typedef enum { TRY_DIFFERENTIATED, TRY_OPTIMISED } StrategyTry;
Prog *strategy_try(Session *s, const Prog *prog, int strategy, StrategyTry how, const char **why);
// The cost of main of an optimised program, as polynomials in the sizes and their texts.
typedef struct {
  const char *name;                       // of the strategy
  const char *work, *tapes, *memory, *span;  // work NULL: it refuses
  const char *why;
  double at_hundred;                      // its time, all sizes being 100
  Poly time_poly, memory_poly;            // time: a transcendental function is several operations
  int statements;
} StrategyCost;
StrategyCost strategy_cost(Session *s, const Prog *made);
const char *poly_text(Arena *arena, const Prog *prog, Poly p);
int program_statements(const Prog *prog);
// Drops all programs but the first `from`.
void session_drop_programs(Session *s, int from);

// ---- functions.c: what a manifest lists beside entry points
SourceFunctionList program_functions(Arena *arena, const CheckedProgram *program);

// ---- operators.c: statements, the last of which is a derivative operator or holds one
// Their free variables with the sizes in their types, sizes first.
Vars operator_inputs(const Prog *prog, Arena *arena, Stms stms);
// A program whose main computes the last one's results that are mentioned (prog_mentions); its
// parameters are operator_inputs.  mentioned NULL: the value of the operator's function.
Prog *operator_program(Session *s, const Prog *prog, Stms stms, const bool *mentioned);

// ---- choose.c
// The innermost operators whose strategy is "auto" get the name of the one of the least work.
Prog *pipeline_choose(Session *s, Prog *prog);
bool choice_is_asked(Session *s, Prog *prog);

// ---- explain.c: what derivatives cost and why
// One derivative operator of the program.  Work and tapes are polynomials in the sizes, in text.
typedef struct {
  const Loc *loc;
  const char *mode;       // "vjp", "jvp"
  const char *entry;      // whose it is
  const char *inputs;     // the arrays it reads: "xs: [n]f64, .."
  const char *value_work, *work, *tapes;
  bool tapes_by_run;   // besides, elements that updates overwrite: only the run tells how many
  bool work_by_run;    // besides, work on these
  bool tapes_in_maps;  // some are of each iteration of a map that is at work
  // loops hold some states: work is that without; again: the value's, at most
  bool again;
  double factor;          // work by value_work, all sizes being 1000; 0: depends on values
  int value_statements, statements;  // after optimisation
  LIST(Note) notes;       // "stored", "recomputed", "accumulated", "eliminated", "chosen"
  LIST(StrategyCost) strategies;  // where requested
} Explained;
typedef LIST(Explained *) ExplainedList;
// Of one entry point, or of all (NULL).
ExplainedList explain_program(Session *s, const char *path, const char *entry);

// ---- toolchain.c -------------------------------------------------------------------------------
typedef enum { OUTPUT_EXECUTABLE, OUTPUT_SHARED, OUTPUT_OBJECT } OutputKind;
typedef struct {
  int units;            // C files compiled in parallel
  const char *runtime;  // "cached", "compiled" (and cached), "pasted" into the one C file
} BuildNote;
// Compiles a program with the system compiler ($CC, else cc, gcc, clang).
// Returns false, with the compiler's own messages on stderr, when that fails.
bool toolchain_build(const BackTexts *texts, const char *out, OutputKind kind, BuildNote *note);
bool toolchain_present(void);
const char *compiler_name(void);  // the command; NULL: there is none
uint64_t toolchain_hash(uint64_t h, FlagSet set);  // with the compiler, its version and the flags
// The compiler with its flags and more words (NULL-terminated); quiet: without messages.
pid_t compiler_start(FlagSet set, const char *const *words, bool quiet);
bool compiler_wait(pid_t child);  // whether it succeeded
double now_ms(void);
#endif
