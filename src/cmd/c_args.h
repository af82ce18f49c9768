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
// `#pragma dagaz head f(..)` in the files.
void args_c_heads(Session *s, const CUnits *units, CHeads *heads);
#endif
