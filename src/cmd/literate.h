// literate: what reading a document and running its directives share.
#ifndef LITERATE_H
#define LITERATE_H
#include "media.h"

typedef enum { BLOCK_CODE, BLOCK_TEXT, BLOCK_DIRECTIVE } BlockKind;
typedef struct {
  BlockKind kind;
  const char *text;  // without the "-- " of comments and without the "> " of directives
} LiterateBlock;
typedef LIST(LiterateBlock) LiterateBlocks;
typedef struct {
  Arena *arena;
  ScriptContext context;
  const char *media, *media_name;  // the folder for pictures: its path, and as the document says it
  bool verbose, stop;
  int files, failed;
  Text out;
} Literate;
// ---- literate_blocks.c
LiterateBlocks literate_blocks(Arena *arena, const char *text);
// ---- literate_run.c: appends the directive and its result.
void directive_run(Literate *l, const char *text);
#endif
