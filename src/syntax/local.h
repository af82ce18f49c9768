// Shared by the files of syntax/: tokens, the parser's state and one entry per nonterminal.
// A parse function leaves through `p->bail` on a syntax error, so it never returns NULL.
#ifndef SYNTAX_LOCAL_H
#define SYNTAX_LOCAL_H
#include "syntax.h"

#define KEYWORDS(K)                                                                   \
  K(TRUE, "true") K(FALSE, "false") K(IF, "if") K(THEN, "then") K(ELSE, "else")       \
  K(DEF, "def") K(LET, "let") K(LOOP, "loop") K(IN, "in") K(VAL, "val")               \
  K(FOR, "for") K(DO, "do") K(WITH, "with") K(LOCAL, "local") K(OPEN, "open")         \
  K(INCLUDE, "include") K(IMPORT, "import") K(TYPE, "type") K(ENTRY, "entry")         \
  K(MODULE, "module") K(WHILE, "while") K(ASSERT, "assert") K(MATCH, "match")         \
  K(CASE, "case")

// Longer spellings before their prefixes: the lexer takes the first that fits.
#define PUNCTUATION(K)                                                                \
  K(HOLE, "???") K(QUESTION, "?") K(RANGE_BELOW, "..<") K(RANGE_ABOVE, "..>")         \
  K(RANGE_TO, "...") K(DOTDOT, "..") K(DOT, ".") K(LPAREN, "(") K(RPAREN, ")")        \
  K(LBRACK, "[") K(RBRACK, "]") K(LBRACE, "{") K(RBRACE, "}") K(COMMA, ",")           \
  K(COERCE, ":>") K(COLON, ":") K(LAMBDA, "\\") K(TILDE, "~") K(TICK_LIFTED, "'^")    \
  K(TICK_TILDE, "'~") K(TICK, "'") K(BACKTICK, "`") K(ATTR, "#[") K(DOLLAR, "$")

typedef enum {
  TOK_EOF, TOK_ERROR, TOK_DOC, TOK_ID, TOK_WILD, TOK_CONSTR, TOK_INT, TOK_FLOAT, TOK_CHAR,
  TOK_STRING,
  TOK_OP,      // any operator but the next four
  TOK_QUALOP,  // m.+
  TOK_MINUS, TOK_EQUALS, TOK_BANG, TOK_ARROW,
#define K(id, text) TOK_##id,
  KEYWORDS(K) PUNCTUATION(K)
#undef K
} TokTag;

typedef struct {
  uint32_t from, to;
  uint8_t tag;
  bool tight;  // of '[': directly after a letter, digit, _, ', ) or ]
} Token;
typedef LIST(Token) TokenList;

typedef struct {
  Arena *arena;
  Names *names;
  const Source *src;
  Diag *diag;
  const Token *toks;  // the last one is TOK_EOF
  int at, depth;
  SourceFile *file;   // NULL when not parsing a whole file
  jmp_buf bail;
} Parser;

enum {
  MAX_DEPTH = 2000,
  MAX_PARTS = 100,  // of a qualified name, of a path of fields
  MAX_CHAIN = 3 * MAX_DEPTH,  // else if .. else if; cases of a match: later they are nested
};
enum {  // binding levels, loosest first
  LEVEL_TAIL = -1, LEVEL_ASCRIBE = 0, LEVEL_RANGE = 1, LEVEL_BACKTICK = 2, LEVEL_WITH = 3,
  LEVEL_OP = 4, LEVEL_PIPE_LEFT = 5, LEVEL_PREFIX = 14, LEVEL_ATOM = 15,
};

// lex.c
TokenList lex(Arena *arena, const Source *src, Diag *diag);

// literal.c: the value of one token's text
Suffix literal_suffix(const char *s, size_t len);
void literal_digits(char *out, const char *s, size_t len);  // drops underscores
uint64_t int_value(const char *text, bool *overflow);
void int_literal(Arena *arena, const char *s, size_t len, Expr *into);
void float_literal(Arena *arena, const char *s, size_t len, Expr *into);
uint64_t float_bits(const char *text, Suffix suffix);
uint32_t char_literal(const char *s, size_t len);
char *string_literal(Arena *arena, const char *s, size_t len, size_t *bytes);
size_t utf8_put(char *out, uint32_t code);
int operator_level(Name op);  // 2 for identifiers, which stand between backticks

// parse.c: tokens
TokTag tok_at(const Parser *p, int ahead);
TokTag tok(const Parser *p);
Span tok_span(const Parser *p);
Span span_from(const Parser *p, Span from);  // up to the token read last
const char *tok_text(const Parser *p, size_t *len);
bool tok_is(const Parser *p, int ahead, char c);  // the one-character operator c
Span take(Parser *p);
bool accept(Parser *p, TokTag tag);
Span expect(Parser *p, TokTag tag, const char *what);
Name take_name(Parser *p);
Name expect_id(Parser *p, Span *at);
_Noreturn void unexpected(Parser *p, const char *expected);
// With a second place: what the missing token would belong to.
_Noreturn void unexpected_within(Parser *p, const char *expected, Span outer, const char *note);
_Noreturn void parse_leave(Parser *p);  // after an error
_Noreturn void syntax_error(Parser *p, Span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void depth_enter(Parser *p);
void depth_leave(Parser *p);
bool list_goes_on(Parser *p, TokTag close);  // after an element: a comma that is not trailing
VarRef var_ref(Parser *p, Name name, Span at);
QualName qual_name(Parser *p);
VarRef qual_ref(Parser *p);
Attr *parse_attr(Parser *p);  // #[..]
const char *parse_path(Parser *p);  // STRING of an import

// habits.c: what to add to the error reported last
void hint_habit(Parser *p, const char *expected);
void hint_character(Diag *diag, char c);  // that begins no token
void note_outer(Parser *p, Span outer, const char *note);  // if on another line; src may be NULL
// The last bracket before here that nothing closes, if its end is expected; else src is NULL.
Span open_bracket(const Parser *p, const char *expected);

// parse_ops.c: operators
bool at_binop(const Parser *p, int *width);  // the next `width` tokens are an operator
VarRef take_binop(Parser *p);
Name bind_binop(Parser *p, Span *at);  // an operator being bound: not qualified
bool at_bind_operator(const Parser *p);  // "(" binop ")"
Name bind_operator(Parser *p, Span *at);

// parse_exp.c
Expr *exp_new(Parser *p, ExprTag tag, Span span);
Expr *parse_var_exp(Parser *p, Name name, Span at);
Expr *parse_exp(Parser *p);
Expr *parse_exp2(Parser *p, int level);  // operators of at least this level
// parse_atom.c
bool at_atom(const Parser *p);
Expr *parse_atom(Parser *p);
Expr *parse_literal(Parser *p);  // number, char, bool
IndexList parse_index(Parser *p);
StepList parse_steps(Parser *p);
Name parse_field(Parser *p, Span *at);
// parse_control.c
bool at_tail_form(TokTag tag);
bool is_tail_form(ExprTag tag);
Expr *parse_tail_form(Parser *p);
Expr *parse_lambda(Parser *p);
Expr *parse_loop(Parser *p);
Expr *parse_match(Parser *p);
// parse_pat.c
bool at_param(const Parser *p);
Pat *parse_pat(Parser *p);
Pat *parse_param(Parser *p);
Expr *pat_to_exp(Parser *p, const Pat *pat);
// parse_type.c
TypeExp *parse_type(Parser *p);
TypeExp *parse_type_term(Parser *p);
TypeParamList parse_tparams(Parser *p);
TypeParamList parse_size_binders(Parser *p);
// parse_dec.c
void parse_file(Parser *p);
Dec *parse_dec(Parser *p);
TypeBind parse_typebind(Parser *p, bool abstract);
const char *parse_doc(Parser *p);
// parse_mod.c
ModExp *parse_modexp(Parser *p);
ModTypeExp *parse_modtype(Parser *p);
ModParam parse_modparam(Parser *p);

// print_*.c
void exp_print_at(Text *out, const Expr *exp, int level);
void type_term_print(Text *out, const TypeExp *type);
void param_print(Text *out, const Pat *pat);
void tparams_print(Text *out, const TypeParamList *tparams);
void fun_head_print(Text *out, const FunDef *fun);
void name_print(Text *out, Name name);  // operators in parentheses
void index_print(Text *out, const IndexList *index);
void steps_print(Text *out, const StepList *path, bool leading_dot);
void string_print(Text *out, const char *bytes, size_t len);
void literal_print(Text *out, const Expr *exp);
#endif
