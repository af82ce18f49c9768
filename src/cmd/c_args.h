// c_args: options of commands that read C, which go to the preprocessor.
#ifndef C_ARGS_H
#define C_ARGS_H
#include "cmd.h"
#include "cdiff/cdiff.h"

typedef struct {
  Words include, define, undefine, rules;
  const char *standard;
} CArgs;
ArgRow args_preprocessor(Session *s, CArgs *to);  // -I, -D, -U, --std
ArgRow args_rules(CArgs *to);                         // --rules
void args_c_rules(Arena *arena, const CArgs *args, Words *files);  // files of rules are files, too
CFlags args_c_flags(Arena *arena, const CArgs *args);
// The files, and the rules of the C library.  All three leave with the messages there are.
CUnits args_c_units(Session *s, const Words *files, const CFlags *flags);
// The heads said; where there are none, `#pragma dagaz head f(..)` in the files.
CHeads args_c_heads(Session *s, const Words *said, const CUnits *units);
CProgram *args_c_program(Session *s, CUnits units);
// Stops with an error where the program defines none of this name.
CFunction *args_c_function(Session *s, const CProgram *p, const char *name);
// OUT of OUT.c, OUT.h, OUT.o, libOUT.so; of OUT_b.c with the tail "_b".
const char *args_c_base(Arena *arena, const char *out, const char *tail);
// Writes a file.  Another that is there and was not made by Dagaz stays: an error (it may be the
// source).
void args_c_save(Arena *arena, const char *path, const char *text, size_t len);
void args_c_joint(Session *s, const CProgram *p, const CNames *functions);  // all of --joint exist
#endif
