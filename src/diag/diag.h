// diag: source files, positions and the messages users see.  Errors are collected, not printed
// at once; `diag_print` writes them in source order.  Reporting an error never leaves: callers
// continue with an error value that silences followers.  `diag_unsupported` does leave.
//
// A message begins with its code, "[unknown-name] Unknown name ..": the stable name of this kind
// of message, which is taken off and printed beside the excerpt, and is its own field in JSON.
#ifndef DIAG_H
#define DIAG_H
#include "base/base.h"

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
typedef struct {
  int line, col, end_line, end_col;  // 1-based, inclusive; columns counted in characters
} SpanPlace;
SpanPlace span_place(Span span);  // of any span, also one that reaches past the end of the file
Span span_join(Span a, Span b);
// "file:L1:C1-C2" or "file:L1:C1-L2:C2"; as in the original compiler, C2 is the column after.
// Without "file:" where the path is empty.
void span_print(Text *out, Span span);

typedef enum { DIAG_ERROR, DIAG_WARNING } DiagKind;
typedef struct {
  Span span;  // src == NULL: no second place
  const char *message;
} DiagNote;
typedef struct {
  const char *message;  // NULL: no suggestion
  Span span;            // what to replace
  const char *text;     // by this; NULL: nothing an editor could do by itself
} DiagHint;
typedef struct {
  DiagKind kind;
  int serial;
  const char *code;  // NULL: none
  Span span;
  const char *message;
  LIST(DiagNote) notes;
  DiagHint hint;
} DiagEntry;
// A text made of inputs that were typed one by one: positions are printed as those of the input.
typedef struct {
  uint32_t from;     // it ends where the next begins
  const char *path;  // "": the current input, which has no name
} DiagPart;
typedef LIST(DiagPart) DiagParts;
typedef enum { DIAG_TEXT, DIAG_JSON } DiagFormat;
typedef struct Diag {
  Arena *arena;
  LIST(DiagEntry) entries;
  int errors, warnings;
  int limit;     // stop collecting errors past the limit (20)
  bool dropped;  // the entry reported last was not collected
  bool no_warnings, werror;
  bool quiet;    // diag_unsupported prints nothing
  int format;    // DiagFormat; an int for option parsing
  const char *split_code;  // the text that has parts; NULL: none
  DiagParts parts;
} Diag;
Diag *diag_new(Arena *arena);
void diag_error(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void diag_error_args(Diag *diag, Span at, const char *fmt, va_list args);
void diag_warn(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// A second place for the entry reported last.
void diag_note(Diag *diag, Span at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// The one suggestion of the entry reported last: the first stays.  diag_fix also says which text
// to put in place of `at`.
void diag_hint(Diag *diag, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_fix(Diag *diag, Span at, const char *text, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// Takes back what was reported from one mark to the other.
typedef struct {
  int entries, errors, warnings;
} DiagMark;
DiagMark diag_mark(const Diag *diag);
void diag_forget(Diag *diag, DiagMark from, DiagMark to);
// Prints everything, leaves the list empty:
//   Error at file:L:C-C:            (first line exactly as the original compiler words it,
//   message                          so that tools which match on it keep working)
//     12 | source line
//        |   ^^^ [code]
//   Note at file:L:C-C: ..
//   Hint: ..
// or, as JSON, one object per line: file, range, severity, code, message, notes, suggestion.
void diag_print(Diag *diag, FILE *out);
// Prints what is collected, then this message, then leaves with STATUS_UNSUPPORTED.
_Noreturn void diag_unsupported(Diag *diag, Span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

// ---- excerpt.c, json.c, similar.c ------------------------------------------------------------
// The source line of the span with carets below, the code after them; long lines are cut around
// the place, of many lines the first and the last are shown, and nothing unprintable gets out.
void excerpt_print(Text *out, Span span, const char *code);
void entry_print_json(Text *out, const DiagEntry *entry);
// Of names offered one by one, the most similar to the one that is wanted.
typedef struct {
  const char *wanted, *best;
  int distance;  // of best; larger ones are not taken
} Similar;
Similar similar_begin(const char *wanted);
void similar_offer(Similar *s, const char *name);
#endif
