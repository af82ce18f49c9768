// The one table of commands: the overview, `dagaz help`, every --help, the manual page and the
// completions of shells come from it and from the options that each command gives to args_parse.
// A new command is a row here; a new option is a row in its command.
#include "cmd.h"
#include <string.h>

const Command commands[] = {
    {"check", "FILE.fut..", "type-check programs",
     "Reads each program and its imports and reports errors and warnings: syntax, names, types, "
     "sizes, consumption, and derivatives that are lost. Status 2 when a program is rejected.",
     "dagaz check --Werror model.fut", cmd_check},
    {"c", "FILE.fut [-o OUT] [--library | --server]", "compile to C and on to a program",
     "Compiles a program to C and runs the C compiler (CC and CFLAGS of the environment). The "
     "result reads the values of the parameters from stdin; with --library it is a C file and a "
     "header for other programs.",
     "dagaz c model.fut && echo '[1.0, 2.0] 3.0' | ./model", cmd_c},
    {"multicore", "FILE.fut [-o OUT] [--library | --server]", "the same, for all cores",
     "Compiles a program to C with threads: loops whose iterations do not need each other run on "
     "all cores, with the results of `dagaz c` to the bit. The program takes --num-threads N, or "
     "DAGAZ_THREADS from the environment; else it uses all processors.",
     "dagaz multicore model.fut && echo '[1.0, 2.0] 3.0' | ./model --num-threads 4", cmd_multicore},
    {"gpu-host", "FILE.fut [-o OUT] [--library | --server]", "the same, with kernels of a device",
     "Compiles a program to kernels, as for a graphics processor, and runs them on the processor "
     "in an emulation of a device that has its own memory: to test such programs.",
     "dagaz gpu-host model.fut && echo '[1.0, 2.0] 3.0' | ./model", cmd_gpu_host},
    {"opencl", "FILE.fut [-o OUT] [--library | --server]", "the same, for a graphics processor",
     "Compiles a program to kernels in OpenCL C, which its driver compiles when the program runs: "
     "outermost loops whose iterations do not need each other; the processor runs the rest. "
     "DAGAZ_DEVICE chooses a device by a part of its name.",
     "dagaz opencl model.fut && echo '[1.0, 2.0] 3.0' | ./model", cmd_opencl},
    {"cuda", "FILE.fut [-o OUT] [--library | --server]", "the same, by NVIDIA's driver",
     "Compiles a program to the kernels of `dagaz opencl` in CUDA C, which NVRTC compiles when the "
     "program runs. The driver's library and NVRTC are opened then; nothing of CUDA is needed to "
     "compile. DAGAZ_DEVICE chooses a device by a part of its name, or by # and its number; "
     "DAGAZ_NVRTC is NVRTC's file where the loader does not find it.",
     "dagaz cuda model.fut && echo '[1.0, 2.0] 3.0' | ./model", cmd_cuda},
    {"run", "FILE.fut [-e NAME] [PARAMETER=VALUE|FILE..] [-o FILE]",
     "compile (or interpret) and run at once",
     "Runs an entry point and prints the results; of the file it compiles what that entry point "
     "reaches. Parameters are given by name, as values or as files (.npy, .npz, .csv, text or "
     "binary values; FILE:PART for a member or columns); without any, stdin has a value for each. "
     "-o writes a result to a file. Without a C compiler, or with --interp, it interprets.",
     "dagaz run model.fut -e loss xs=data.npy ys=labels.csv:price rate=0.1", cmd_run},
    {"profile", "FILE.fut [-e NAME] [PARAMETER=VALUE|FILE..]", "where the time of a call goes",
     "Compiles a program that measures its loops, calls an entry point several times, and shows "
     "the time of each loop by its place in the source, those of derivatives included. Inputs are "
     "given as to `dagaz run`. --timeline writes a picture of the last call.",
     "dagaz profile model.fut -e loss xs=data.npy ys=labels.csv:price rate=0.1", cmd_profile},
    {"ir", "[-p PASSES] FILE.fut|FILE.ir|FILE.c -e f", "show the core IR of a program",
     "Prints the intermediate program, as it is made or after passes; of a C file, a function.",
     "dagaz ir -O model.fut", cmd_ir},
    {"test", "[--interp] FILE..", "run the test blocks of programs",
     "Compiles each program and compares what its entry points give with the results in its test "
     "blocks; a folder means all programs in it.",
     "dagaz test model.fut tests/", cmd_test},
    {"bench", "FILE.. | --compare OLD.json NEW.json", "time the test blocks of programs",
     "Times the entry points of each program on the inputs of its test blocks, and with --compare "
     "two such measurements.",
     "dagaz bench --json=now.json model.fut", cmd_bench},
    {"autotune", "FILE.fut [--backend B]", "find the best settings of a program",
     "Times a program on the inputs of its test blocks for several values of the parameter of its "
     "machine (--print-params of the program lists it), and writes FILE.fut.tuning if one is at "
     "least 3% faster, and slower on no input. Programs take it with --tuning; test and bench by "
     "themselves.",
     "dagaz autotune --backend cuda model.fut", cmd_autotune},
    {"explain", "[-e NAME] [--json] FILE.fut", "say what derivatives cost, store and recompute",
     "Prints for every derivative that entry points compute how many operations it takes for each "
     "of the function's, what it keeps for the reverse sweep, and what it computes again.",
     "dagaz explain model.fut", cmd_explain},
    {"fmt", "[--check | --stdout] FILE..", "lay out programs",
     "Writes each program anew in the standard layout; line breaks and comments stay.",
     "dagaz fmt --check *.fut", cmd_fmt},
    {"repl", "[FILE.fut]", "evaluate what you type",
     "Evaluates expressions and declarations line by line, in the scope of a program if one is "
     "named. `:help` lists its commands.",
     "dagaz repl model.fut", cmd_repl},
    {"derive", "[--vjp | --jvp] [--bulk] [-e NAME] FILE.fut", "print a derivative as source text",
     "Prints the derivative of a function as a program in the source language, to read or to "
     "change by hand.",
     "dagaz derive --vjp -e loss model.fut", cmd_derive},
    {"hlo", "[--vjp | --jvp] [-e NAME] FILE.fut SIZE=N..", "a StableHLO module, for XLA",
     "Prints an entry point, or a derivative of it, as a program of whole arrays in StableHLO, for "
     "sizes that are given by the names of the size parameters. The last result is the number of "
     "the first check that failed, or 2147483647.",
     "dagaz hlo --vjp -e loss model.fut n=1000 d=20", cmd_hlo},
    {"tangent", "FILE.c.. --head HEAD [-o NAME]", "differentiate C: tangent (forward) source",
     "Writes NAME_d.c and NAME_d.h: for each head a function that computes derivatives along with "
     "values, statement by statement.",
     "dagaz tangent f.c --head \"f(err)/(x p)\"", cmd_tangent},
    {"adjoint", "FILE.c.. --head HEAD [-o NAME]", "differentiate C: adjoint (reverse) source",
     "Writes NAME_b.c and NAME_b.h: for each head a function that computes gradients, a forward "
     "sweep and a reverse sweep; dagaz_tape.h beside them if they need it.",
     "dagaz adjoint f.c --head \"f(err)/(x p)\"", cmd_adjoint},
    {"report", "FILE.c.. -e HEAD [--json | --html]", "what differentiating C costs, and why",
     "Says of each function which variables are active, what the adjoint keeps, which statements "
     "need it and how many bytes it is, operations as formulas of the parameters, assumptions, and "
     "where the function is not differentiable.",
     "dagaz report f.c -e f", cmd_report},
    {"cc", "[--grad | --jvp | --vjp | --jac | --hvp] -e FUNCTION FILE.c..",
     "fast derivatives of C, compiled",
     "Differentiates a C function through core and compiles it: a shared library or an object "
     "file, and headers for C and C++.",
     "dagaz cc --grad rosen.c -e rosen", cmd_cc},
    {"cgen", "--seed N", "print a random C program",
     "Prints a program of the C subset that the seed decides: for tests of tangent and adjoint.",
     "dagaz cgen --seed 7", cmd_cgen},
    {"ctree", "[--print] FILE.c", "show how a C file is read",
     "Prints the typed tree of a C file, or with --print the file as it is printed back. "
     "Constructs outside the subset are errors.",
     "dagaz ctree model.c", cmd_ctree},
    {"doc", "[--check] [-o DIR] FILE..", "HTML from documentation comments",
     "Writes a page for each program and for the files it imports.", "dagaz doc -o pages lib/*.fut",
     cmd_doc},
    {"gradcheck", "[-e NAME] [-n POINTS] FILE.fut [DATA | PARAMETER=..]",
     "check derivatives against differences",
     "Compares forward mode, reverse mode, finite differences and compiled code with each other, "
     "at random points, at the values of a file or at those of parameters (as of `dagaz run`), and "
     "shrinks what disagrees.",
     "dagaz gradcheck -e loss model.fut", cmd_gradcheck},
    {"script", "PROGRAM.fut [EXP]", "run an expression on a compiled program",
     "Evaluates a FutharkScript expression: calls of the program's functions, tuples, records, "
     "`let`, $loaddata \"FILE\", $loadbytes \"FILE\", and $store \"FILE\" EXP. Of several -f and "
     "-e "
     "the last value is printed.",
     "dagaz script model.fut 'loss ($loaddata \"x.in\") 3'", cmd_script},
    {"literate", "PROGRAM.fut [-o FILE.md]", "run a document",
     "Writes a program as Markdown: comments as text, definitions as code, and directives, "
     "comments "
     "`-- > EXP` after an empty line, with their results. `:img` shows a picture, `:plot2d` a "
     "plot, "
     "`:audio` a sound, `:gnuplot EXP; SCRIPT` what gnuplot draws; `:brief` leaves out the "
     "parameters, "
     "`:covert` the directive. Status 1 when a directive fails. A document may run any gnuplot "
     "script.",
     "dagaz literate tour.fut -o tour.md", cmd_literate},
    {"eval", "[-f FILE.fut] EXP..", "evaluate expressions",
     "Interprets each expression, in the scope of a program if one is named, and prints its value, "
     "or its type when it is a function.",
     "dagaz eval -f model.fut 'vjp loss [1, 2] 1'", cmd_eval},
    {"imports", "FILE.fut", "list the files that a program imports",
     "Prints the names of the program's files, each after those that it imports. Files of the "
     "compiler's library are left out.",
     "dagaz imports model.fut", cmd_imports},
    {"hash", "FILE.fut", "print a hash of a program",
     "Prints a hash of a program and the files it imports. Comments, blanks and line breaks make "
     "no "
     "difference.",
     "dagaz hash model.fut", cmd_hash},
    {"pkg", "add | check | init | fmt | remove | sync | upgrade | versions", "manage packages",
     "Reads and writes the manifest futhark.pkg: `add PKGPATH [X.Y.Z]` requires a package, `remove "
     "PKGPATH` no longer does, `upgrade` requires the newest versions, `check` says which versions "
     "are chosen, `versions PKGPATH` lists those that exist, `init PKGPATH` begins a package, "
     "`fmt` "
     "lays out the manifest. `sync` makes lib/ hold the packages; other files in lib/ stay. "
     "Packages "
     "are git repositories, cloned with git from https://PKGPATH or from a folder of mirrors. A "
     "package that cannot be fetched but lies in lib/ stays there.",
     "dagaz pkg add github.com/diku-dk/sorts && dagaz pkg sync", cmd_pkg},
    {"lsp", "", "serve an editor on stdin and stdout",
     "The language server: diagnostics and their fixes, types under the cursor, completion, "
     "signatures, definitions, references, renaming, the outline, layout.", "dagaz lsp",
     cmd_lsp},
    {"fuzz", "[--programs N] [--seed S]", "compare everything on random programs",
     "Tests the compiler itself: random programs, interpreted, compiled, optimised and "
     "differentiated in several ways that must agree.",
     "dagaz fuzz --programs 1000 --seed 7", cmd_fuzz},
    {"dataset", "-g TYPE..", "generate random values",
     "Prints random values of the types, for use as inputs.",
     "dagaz dataset -g '[100][3]f64' -g i64 > data.in", cmd_dataset},
    {"datacmp", "A B", "compare two files of values",
     "Status 0 when all values agree within the tolerance, 2 when some do not.",
     "dagaz datacmp expected.out actual.out", cmd_datacmp},
    {"convert", "[--as TYPE] FILE.. OUT", "files of values from one format to another",
     "Reads values (.npy, .npz, .csv, text or binary values; FILE:PART for a member or columns) "
     "and writes them in the format that OUT's name says, `-` for text on stdout. --as changes the "
     "type of the elements and refuses numbers that it does not have.",
     "dagaz convert --as f64 table.csv:age,income x.npy", cmd_convert},
    {"completion", "bash | zsh | fish", "print the completions of a shell",
     "Prints a script that completes commands and options; `make install` puts it where the shell "
     "looks for it.",
     "dagaz completion bash > ~/.local/share/bash-completion/completions/dagaz", cmd_completion},
    {"help", "[COMMAND] | --man", "say what commands do",
     "Lists the commands, or prints the help of one; with --man, the manual page.",
     "dagaz help run", cmd_help},
    {"version", "", "print the version", "Prints the version.", "dagaz version", cmd_version},
    {0}};

const Command *command_find(const char *name) {
  for (const Command *c = commands; c->name; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

int usage_error(const char *name) {
  const Command *c = command_find(name);
  fprintf(stderr, "usage: dagaz %s %s  (dagaz help %s says more)\n", name, c->usage, name);
  return STATUS_IO;
}
