// What the files of `dagaz fuzz` share.
#ifndef CMD_FUZZ_H
#define CMD_FUZZ_H
#include "cmd.h"
#include "../interp/interp.h"

enum { FUZZ_STEP_LIMIT = 2000000 };
// NULL, or how two lists of results differ.
const char *fuzz_values_differ(Session *s, const char *way, IValues got, IValues want);
// Prints a program without operators as source text, compiles that and calls the entry point, which
// must give `want`.  NULL, also where the language has no text for something, or what is wrong.
const char *fuzz_source(Session *outer, const Prog *prog, const char *entry, IValues args,
                        IValues want);
#endif
