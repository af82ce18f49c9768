// cases: what dagaz test and dagaz bench share: finding programs, their test blocks, their inputs.
#ifndef CASES_H
#define CASES_H
#include "cmd.h"
#include "syntax/testblock.h"

// The files named and every .fut file below the folders named, in order of name.
Words programs_below(Arena *arena, const Words *paths);
Status block_load(Session *s, const char *path, TestBlock **out);
// Names of all entry points that the block mentions, NULL-terminated, for session->entries.
const char *const *block_entries(Arena *arena, const TestBlock *block);
// FILE.fut.tuning, if it is there, else NULL.
const char *tuning_beside(Arena *arena, const char *path);
const char *file_beside(Arena *arena, const char *path, const char *name);
// The bytes of a data file, uncompressed when its name ends in .gz: NULL with
// the problem.
const char *data_read(Arena *arena, const char *path, size_t *len, const char **problem);
// The input of values_read: those bytes, or the values of an .npy, .npz or .csv file; NULL with the
// problem.
const char *file_values(Arena *arena, const char *path, size_t *len, const char **problem);

// The input of one entry point: the bytes for its stdin, or why there are none.
typedef struct {
  const char *fn;     // the entry point to run: of script inputs, a made one
  const char *input;
  size_t len;
  const char *problem;  // NULL: none
} CaseInput;
CaseInput case_input(Arena *arena, const char *path, const TestCase *c);

// ---- script.c: inputs that are expressions over the program's own entry points ------------------
// Every such case becomes a new entry point, written after the program's text.
typedef struct {
  const TestCase *test;
  const char *entry;
  CaseInput input;
} ScriptCase;
typedef LIST(ScriptCase) ScriptCases;
// A script with $loaddata, $loadbytes replaced: an expression over parameters, the parameters as
// source text, and the bytes of their values.
typedef struct {
  Text exp, params, input;
  int loads;
  const char *problem;  // NULL: none
} ScriptText;
ScriptText script_expand(Arena *arena, const char *path, const char *text);
// Sets s->text when there are any.
ScriptCases scripts_add(Session *s, const char *path, const TestBlock *block);
// Elaborates only what the cases of this entry point run; NULL: those of all s->entries, which are
// the block's.
void cases_select(Session *s, const ScriptCases *scripts, const char *entry);
CaseInput script_input(const ScriptCases *scripts, const TestCase *c, const char *entry);
bool case_is_script(const TestCase *c);
#endif
