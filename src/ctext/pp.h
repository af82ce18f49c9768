// The preprocessor's own: tokens, macros and its state.
#ifndef CTEXT_PP_H
#define CTEXT_PP_H
#include "ctext.h"

typedef enum { PP_NAME, PP_NUMBER, PP_STRING, PP_CHAR, PP_PUNCT, PP_EMPTY } PpTag;
// Macros that made a token do not expand it again.
typedef struct PpHidden {
  Name name;
  const struct PpHidden *next;
} PpHidden;
typedef struct {
  PpTag tag;
  bool space;           // white space before it
  int line;             // of the file; of what a macro made: the line of its name
  Name text;
  const PpHidden *hidden;
} PpToken;
typedef LIST(PpToken) PpTokens;
typedef enum { MACRO_TEXT, MACRO_LINE, MACRO_FILE, MACRO_COUNTER } PpMacroKind;
typedef struct {
  Name name;
  PpMacroKind kind;
  bool function, variadic;   // variadic: the last parameter takes the remaining arguments
  LIST(Name) params;
  PpTokens body;
} PpMacro;
typedef struct {
  int line;                  // of its #if
  bool outer, active, taken, after_else;
} PpCondition;
typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
  const CPreprocess *job;
  Map *macros, *once;        // by name; by path
  const Source *file;        // being read
  const char *at;
  int line;                  // of `at`
  bool system;
  LIST(PpCondition) conditions;
  PpTokens pending;          // text since the last directive
  Text *out;
  Text scratch;              // one line
  int out_line;              // of file: what is printed next stands there
  int depth;                 // of includes
  int made, at_line;         // tokens made by macros so far; the line of the last one's name
  int counter;
} Pp;

// ---- pp.c ---------------------------------------------------------------------------------------
_Noreturn void pp_fail(Pp *pp, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
Span pp_line_span(const Pp *pp, int line);

// ---- pp_lex.c -----------------------------------------------------------------------------------
// One line as its tokens, comments left out; of a directive all lines that `\` joins to it.
// False: end of file.
bool pp_line(Pp *pp, PpTokens *out);
// A text that is no part of a file.
void pp_tokens_of(Pp *pp, const char *text, int line, PpTokens *out);
bool pp_is(const PpToken *t, const char *punct);
void pp_token_print(Text *out, const PpToken *before, const PpToken *t);

// ---- pp_macro.c ---------------------------------------------------------------------------------
PpMacro *pp_macro(const Pp *pp, Name name);  // NULL: not defined
PpTokens pp_expand(Pp *pp, PpTokens in);
void pp_define(Pp *pp, const PpTokens *line, int from);  // from: the token of the name

// ---- pp_if.c ------------------------------------------------------------------------------------
bool pp_condition(Pp *pp, const PpTokens *line, int from);
#endif
