// back: from the imperative program to C text for one core: one self-contained file
// (the runtime's text is pasted in), an executable, a server or a library with header and manifest.
#ifndef BACK_H
#define BACK_H
#include "imp/common/imp.h"

// A function that is no entry point, as a manifest describes it: types as source text.
typedef struct {
  const char *name, *text;
} SourceParam;
typedef struct {
  const char *name, *result;  // name: with modules before it, "stats.loss"
  LIST(SourceParam) params;
} SourceFunction;
typedef LIST(SourceFunction) SourceFunctionList;

// BACK_SHARED: a library that is called by leaves only (rts/leaf.h), its manifest inside.
// BACK_RAW: static functions of numbers and pointers (raw.c), and the text `after` that calls them.
typedef enum { BACK_EXECUTABLE, BACK_LIBRARY, BACK_SERVER, BACK_SHARED, BACK_RAW } BackMode;
typedef struct {
  BackMode mode;
  const char *name;     // the program's name, for the header's file name and the manifest
  const char *prefix;   // of public names; NULL: "futhark"
  int64_t memory_limit; // in bytes, where the run gives none; 0: none
  bool trace_nan;       // says on stderr where the first infinity and NaN come from
  bool cpp;             // of a library: texts.hpp, too
  bool flush;           // denormal numbers are zero while an entry point runs
  const char *version;  // of the compiler; NULL: "dagaz"
  const char *after;    // of BACK_RAW
  SourceFunctionList functions;  // for the manifest
} BackOptions;
typedef struct {
  Text runtime, program;  // one C file after the other; all that a C compiler needs
  Text h, hpp, manifest;  // in library mode; manifest: shared, too
  bool threads;           // needs the threads of the C library
  bool loads;             // opens libraries when it runs
  bool single;            // has the lanes of f32 (c_single.c)
} BackTexts;
void back_c(const ImpProg *prog, const BackOptions *options, BackTexts *texts);
void back_texts_free(BackTexts *texts);
// The text of the kernels of a program for OpenCL, with the words of another dialect, too.
typedef enum { DIALECT_OPENCL, DIALECT_CUDA } Dialect;
void back_kernels(Text *out, const ImpProg *prog, Dialect dialect);

// ---- units.c: programs compiled separately from the runtime
// The runtime as one C file, the source of an object that any program can be linked with.
void back_runtime(Text *out, bool single);  // for programs with the lanes of f32
// The part of back_runtime's text, after the preprocessor (cc -E -P -dD), that other C files can
// use.
void back_declarations(Text *out, const char *preprocessed);
// The program as C files to be compiled by themselves and linked with the runtime's object: at
// most so many; their number.  No code is twice in them but small static functions.
enum { BACK_UNITS_MOST = 16 };
int back_units(const char *declarations, const BackTexts *texts, int most, Text *units);

// ---- md5.c
#define MD5_HEX 33
void md5_hex(char out[MD5_HEX], const char *data, size_t len);
#endif
