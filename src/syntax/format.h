// Shared by the two halves of the formatter: layout.c says where lines begin, format.c writes.
#ifndef FORMAT_H
#define FORMAT_H
#include "local.h"

typedef enum {
  ANCHOR_MARGIN,  // column 0
  ANCHOR_COLUMN,  // the column of `ref`
  ANCHOR_LINE,    // the indentation of the line of `ref`
  ANCHOR_START,   // as COLUMN when `ref` begins its line or follows a bracket; else LINE and 2
  ANCHOR_INSIDE,  // within the bracket `ref`
  ANCHOR_CLOSE,   // the bracket that closes `ref`
} AnchorTag;
typedef struct {
  AnchorTag tag;
  int ref;    // index of an earlier token
  int delta;  // added
} Anchor;

enum {
  MARK_NONE,
  MARK_SPACED,  // a colon with blanks on both sides; the operator of a section (op e)
  MARK_TIGHT,   // no blank after this bracket
  MARK_BLOCK,   // a brace around declarations or specifications
};
typedef struct {
  const Source *src;
  TokenList toks;
  Anchor *anchors;  // of each token
  int *match;       // of each bracket its partner, else -1
  int *outer;       // of each token the bracket it stands in, else -1
  uint8_t *marks;
} Layout;
Layout layout_new(Arena *arena, const SourceFile *file, TokenList toks);
#endif
