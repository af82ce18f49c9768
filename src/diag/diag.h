// diag: source files, positions and the messages users see.  Errors are collected, not printed
// at once; `diag_print` writes them in source order.  Reporting an error never leaves: callers
// continue with an error value that silences followers.  `diag_unsupported` does leave.
#ifndef DIAG_H
#define DIAG_H
#include "../base/base.h"

typedef struct {
  const char *path;  // as the user wrote it, for messages
  const char *text;  // NUL-terminated UTF-8
  size_t len;
  bool builtin;      // of the prelude or the library
  LIST(uint32_t) lines;  // byte offset of each line's start
} Source;
Source *source_new(Arena *arena, const char *path, const char *text, size_t len);

// A range of bytes [from, to) of one file.  src == NULL: no position known.
typedef struct {
  const Source *src;
  uint32_t from, to;
} Span;
void span_place(Span span, int *line, int *col, int *end_line, int *end_col);  // 1-based, inclusive
Span span_join(Span a, Span b);
// "file:L1:C1-C2" or "file:L1:C1-L2:C2", columns counted in characters.
void span_print(Text *out, Span span);

typedef enum { DIAG_ERROR, DIAG_WARNING } DiagKind;
typedef struct {
  DiagKind kind;
  Span span;
  const char *message;
  Span note_span;
  const char *note;  // NULL: none
} DiagEntry;
typedef struct Diag {
  Arena *arena;
  LIST(DiagEntry) entries;
  int errors, warnings;
  int limit;  // stop collecting errors past the limit (20)
  bool no_warnings, werror;
} Diag;
Diag *diag_new(Arena *arena);
void diag_error(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void diag_warn(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// A second place for the entry reported last.
void diag_note(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// Prints everything, leaves the list empty:
//   Error at file:L:C-C:            (first line exactly as the original compiler words it,
//   message                          so that tools which match on it keep working)
//     12 | source line
//        |   ^^^
void diag_print(Diag *diag, FILE *out);
// Prints what is collected, then this message, then leaves with STATUS_UNSUPPORTED.
_Noreturn void diag_unsupported(Diag *diag, Span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#endif
