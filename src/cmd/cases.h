// cases: what dagaz test and dagaz bench share: finding programs, their test blocks, their inputs.
#ifndef CASES_H
#define CASES_H
#include "cmd.h"
#include "../syntax/testblock.h"

// The files named and every .fut file below the folders named, in order of name.
Words programs_below(Arena *arena, const Words *paths);
Status block_load(Session *s, const char *path, TestBlock **out);
// Names of all entry points that the block mentions, NULL-terminated, for session->entries.
const char *const *block_entries(Arena *arena, const TestBlock *block);
const char *file_beside(Arena *arena, const char *path, const char *name);
// The bytes for a program's stdin; NULL with errno when the file cannot be read.
const char *case_input(Arena *arena, const char *path, const TestCase *c, size_t *len);
#endif
