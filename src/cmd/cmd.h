// cmd: the command line.  One file per subcommand; main.c has the table.
#ifndef CMD_H
#define CMD_H
#include "derive/derive.h"
#include "driver/driver.h"

// ---- commands.c: the table, from which all help comes
typedef struct {
  const char *name;
  const char *usage;    // arguments after the name
  const char *help;     // in the overview: a few words
  const char *about;    // in its own help: a sentence or two
  const char *example;
  int (*run)(int argc, char **argv);  // argv[0] is the command; returns the exit status
} Command;
extern const Command commands[];  // ends with {0}
const Command *command_find(const char *name);  // NULL: none
// Prints how the command is used, on stderr; STATUS_IO.
int usage_error(const char *name);

// ---- args.c: options.  One row per option of a command. -----------------------------------------
typedef enum {
  ARG_FLAG, ARG_TEXT, ARG_INT, ARG_REPEAT,
  ARG_CLEAR,   // a flag that the option makes false
  ARG_COUNT,   // an integer that is not negative
  ARG_REAL,    // a double that is not negative
  ARG_CHOICE,  // an int: the position of the value in the help text "a|b|..: what it means"
  ARG_ROWS,    // to: more rows, the rest is not used
} ArgKind;
typedef LIST(const char *) Words;
typedef struct {
  const char *name;   // long spelling without dashes, or NULL
  char letter;        // short spelling, or 0
  ArgKind kind;
  void *to;           // bool *, const char **, int64_t *, double *, Words *, int *
  const char *help;
} ArgRow;               // a list ends with {0}
// A row for the options of messages, the same in all commands that read programs: -w, --Werror,
// --error-format.
ArgRow args_messages(Session *s);
ArgRow args_strategy(int *to);  // --strategy
ArgRow args_finite_math(bool *to);
ArgRow args_any_order(Arena *arena, bool *to);  // --any-order, --deterministic
ArgRow args_without(const char **to);  // --without
// Leaves out the optimisations named; false, with a message, where there is none of such a name.
bool session_leaves_out(Session *s, const char *command, const char *names);
// The values of --backend, in the order of "c|multicore|gpu-host|opencl|cuda|interp".
enum {
  BACKEND_C, BACKEND_MULTICORE, BACKEND_GPU_HOST, BACKEND_OPENCL, BACKEND_CUDA, BACKEND_INTERP
};
Target backend_target(int backend, bool any_order);
// Fills in options, collects the other words.  False (after a message) on an unknown option, a
// missing value; with --help, prints the command's help, sets *help.  argv[0] is the command.
bool args_parse(Arena *arena, const ArgRow *rows, int argc, char **argv, Words *others, bool *help);

// ---- help.c: the same of all commands and options, in several forms
typedef enum { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH } HelpForm;
bool help_form(const char *name, HelpForm *form);
void help_print(const char *name, const ArgRow *rows, HelpForm form);
void help_overview(FILE *out);
void help_manual(void);                // dagaz.1
void help_completion(HelpForm shell);

int cmd_help(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_c(int argc, char **argv);
int cmd_multicore(int argc, char **argv);
int cmd_gpu_host(int argc, char **argv);
int cmd_opencl(int argc, char **argv);
int cmd_cuda(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_ir(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_autotune(int argc, char **argv);
int cmd_explain(int argc, char **argv);
void explain_launches(Text *out, const ImpProg *imp, bool json);  // explain_launches.c
int cmd_fmt(int argc, char **argv);
int cmd_repl(int argc, char **argv);
int cmd_doc(int argc, char **argv);
int cmd_lsp(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_derive(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_cgen(int argc, char **argv);
int cmd_hlo(int argc, char **argv);
int cmd_ctree(int argc, char **argv);
int cmd_tangent(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_adjoint(int argc, char **argv);
int cmd_pkg(int argc, char **argv);
int cmd_hash(int argc, char **argv);
int cmd_imports(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_literate(int argc, char **argv);
int cmd_script(int argc, char **argv);
// The derivative of an entry point as source text; leaves with messages when there is none.
// entry NULL: the one a command means (entry_chosen).  Returns its name.
const char *derivative_print(Session *s, Text *out, const char *path, const char *entry,
                             DeriveMode mode);
int cmd_gradcheck(int argc, char **argv);
int cmd_dataset(int argc, char **argv);
int cmd_datacmp(int argc, char **argv);
int cmd_convert(int argc, char **argv);

// ---- process.c
typedef struct {
  int status;               // exit status, 128 + signal
  const char *out, *error;  // in arena
  size_t out_len;
} ProcessResult;
// Runs a program without a shell, input on its stdin; at most `seconds` of processor time.
ProcessResult process_run(Arena *arena, const char *const *argv, const char *input,
                          size_t input_len, int seconds);

// ---- build.c: from a source file to an executable, used by c, run, test, bench
typedef enum { MODE_EXECUTABLE, MODE_LIBRARY, MODE_SERVER, MODE_SHARED } BuildMode;
typedef struct {
  Session *session;
  const char *path;
  const char *out;      // without suffix; NULL: for its texts only
  BuildMode mode;
  bool cpp;             // of a library: OUT.hpp, too
  bool interruptible;   // long loops ask whether to stop
  bool c_only;          // stop before the system compiler
  bool save;            // OUT.c, and OUT.h, OUT.json for libraries
  bool summary;         // print times on stderr
  // Sees the program before it is optimised; may leave.  NULL: not needed.
  void (*elaborated)(Session *s, const Prog *prog, void *state);
  void *state;
  BackTexts texts;
} BuildJob;
// Compiles job->path to C texts, the caller's to free.  Messages go to stderr.
Status build_texts(BuildJob *job);
// Compiles job->path to job->out.
Status build_program(BuildJob *job);
// The folder of the shared object: in the cache when this C text was compiled before, else new
// (*temporary).  NULL with a message on stderr: there is none.
const char *object_build(Session *s, const BackTexts *texts, const char *kind,
                         const char **temporary);
// Compiles job->path to a shared object that is called by leaves: job->out.so, or in the cache
// (job->out NULL), of which a line of JSON on stdout tells.
Status build_shared(BuildJob *job);
#endif
