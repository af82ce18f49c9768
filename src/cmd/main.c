// The command line: `dagaz SUBCOMMAND ..`.
#include "cmd.h"
#include <errno.h>
#include <string.h>

const Command commands[] = {
    {"check", "check FILE.fut", "type-check a program", cmd_check},
    {"c", "c FILE.fut [-o OUT] [--library | --server]", "compile to C and on to a program", cmd_c},
    {"run", "run FILE.fut [-e NAME] < VALUES", "compile (or interpret) and run at once", cmd_run},
    {"ir", "ir [-p PASSES] FILE", "show the core IR of a .fut or .ir file", cmd_ir},
    {"test", "test [--interp] FILE..", "run the test blocks of programs", cmd_test},
    {"bench", "bench FILE..", "time the test blocks of programs", cmd_bench},
    {"explain", "explain [-e NAME] FILE", "what derivatives cost, store and recompute", cmd_explain},
    {"fmt", "fmt [--check | --stdout] FILE..", "lay out programs", cmd_fmt},
    {"repl", "repl [FILE.fut]", "evaluate what you type", cmd_repl},
    {"derive", "derive [--vjp | --jvp] [-e NAME] FILE.fut", "print a derivative as source text",
     cmd_derive},
    {"doc", "doc [--check] [-o DIR] FILE..", "HTML from documentation comments", cmd_doc},
    {"gradcheck", "gradcheck [-e NAME] FILE.fut [DATA]", "compare derivatives five ways",
     cmd_gradcheck},
    {"lsp", "lsp", "serve an editor on stdin and stdout", cmd_lsp},
    {"fuzz", "fuzz [--programs N] [--seed S]", "compare everything on random programs", cmd_fuzz},
    {"dataset", "dataset -g TYPE..", "generate random values", cmd_dataset},
    {"datacmp", "datacmp A B", "compare two files of values", cmd_datacmp},
    {NULL, NULL, NULL, NULL},
};

static int usage(FILE *out) {
  fprintf(out, "dagaz: a differentiating compiler for the Futhark array language\n\n");
  for (const Command *c = commands; c->name; c++) fprintf(out, "  dagaz %-46s %s\n", c->usage, c->help);
  fprintf(out, "\n`dagaz SUBCOMMAND --help` lists the options.\n");
  return out == stdout ? 0 : 1;
}

// What fails outside of a session (memory, mostly) is left to this.
static int command_run(const Command *c, int argc, char **argv) {
  Stop stop;
  if (!stop_arm(&stop)) return stop.status;
  int status = c->run(argc, argv);
  stop_pop(&stop);
  return status;
}

// Output that did not arrive is a failure of every command.
static int output_end(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (status == STATUS_OK) fprintf(stderr, "dagaz: cannot write the output: %s\n", strerror(errno));
  return status == STATUS_OK ? STATUS_IO : status;
}

int main(int argc, char **argv) {
  if (argc < 2) return usage(stderr);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return output_end(usage(stdout));
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    printf("dagaz 0.1.0\n");
    return output_end(0);
  }
  for (const Command *c = commands; c->name; c++)
    if (strcmp(c->name, argv[1]) == 0) return output_end(command_run(c, argc - 1, argv + 1));
  fprintf(stderr, "dagaz: no subcommand '%s'\n\n", argv[1]);
  return usage(stderr);
}
