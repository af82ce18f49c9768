// c_args: options of commands that read C, which go to the preprocessor.
#ifndef C_ARGS_H
#define C_ARGS_H
#include "cmd.h"

typedef struct {
  Words include, define, undefine;
  const char *standard;
} CArgs;
ArgRow args_preprocessor(Session *s, CArgs *to);  // -I, -D, -U, --std
CFlags args_c_flags(Arena *arena, const CArgs *args);
#endif
