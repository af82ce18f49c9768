// The reader of the IR's text form: lex.c and parse.c only.  After the first error the token is
// TOKEN_END for good, so every loop ends and one message is all there is.
#ifndef CORE_PARSE_H
#define CORE_PARSE_H
#include "local.h"

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_ARROW, TOKEN_CHAR } Token;
typedef struct {
  const Source *src;
  Diag *diag;
  Prog *prog;
  Names *words;
  Map *vars;        // interned word -> Var + 1
  size_t from, at;  // of the current token
  Token token;
  bool failed;
  int depth;        // of nested bodies
} Parser;
void parser_next(Parser *p);
void parser_fail(Parser *p, const char *expected);
bool parser_is(const Parser *p, char c);
bool parser_is_word(const Parser *p, const char *word);
bool parser_take(Parser *p, char c);
bool parser_take_word(Parser *p, const char *word);
void parser_want(Parser *p, char c);
const char *parser_string(Parser *p);
#endif
