// back: from core without derivative operators to C text for one core: one self-contained file
// (the runtime's text is pasted in), an executable, a server or a library with header and manifest.
#ifndef BACK_H
#define BACK_H
#include "../imp/imp.h"

typedef enum { BACK_EXECUTABLE, BACK_LIBRARY, BACK_SERVER } BackMode;
typedef struct {
  BackMode mode;
  const char *name;     // the program's name, for the header's file name and the manifest
  const char *prefix;   // of public names; NULL: "futhark"
  const char *version;  // of the compiler; NULL: "dagaz"
} BackOptions;
// Appends the texts; h and manifest are written in library mode only.
void back_c(const Prog *prog, const BackOptions *options, Text *c, Text *h, Text *manifest);
// The imperative program that back_c prints, for `dagaz ir`.
ImpProg *back_imp(const Prog *prog, Arena *arena);
#endif
