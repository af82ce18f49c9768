// ctext's own: tokens, the parser's state, and what its files share.
#ifndef CTEXT_LOCAL_H
#define CTEXT_LOCAL_H
#include "ctext.h"

// ---- lex.c --------------------------------------------------------------------------------------
typedef enum { TOK_END, TOK_NAME, TOK_KEYWORD, TOK_INT, TOK_FLOAT, TOK_CHAR, TOK_STRING, TOK_PUNCT,
               TOK_PRAGMA } TokenTag;
#define CTEXT_KEYWORDS(K) \
  K(AUTO, "auto") K(BREAK, "break") K(CASE, "case") K(CHAR, "char") K(CONST, "const") \
  K(CONTINUE, "continue") K(DEFAULT, "default") K(DO, "do") K(DOUBLE, "double") K(ELSE, "else") \
  K(ENUM, "enum") K(EXTERN, "extern") K(FLOAT, "float") K(FOR, "for") K(GOTO, "goto") K(IF, "if") \
  K(INLINE, "inline") K(INT, "int") K(LONG, "long") K(REGISTER, "register") \
  K(RESTRICT, "restrict") K(RETURN, "return") K(SHORT, "short") K(SIGNED, "signed") \
  K(SIZEOF, "sizeof") K(STATIC, "static") K(STRUCT, "struct") K(SWITCH, "switch") \
  K(TYPEDEF, "typedef") K(UNION, "union") K(UNSIGNED, "unsigned") K(VOID, "void") \
  K(VOLATILE, "volatile") K(WHILE, "while") K(ALIGNAS, "_Alignas") K(ALIGNOF, "_Alignof") \
  K(ATOMIC, "_Atomic") K(BOOL, "_Bool") K(COMPLEX, "_Complex") K(GENERIC, "_Generic") \
  K(NORETURN, "_Noreturn") K(ASSERT, "_Static_assert") K(THREAD, "_Thread_local") \
  K(ATTRIBUTE, "__attribute__") K(EXTENSION, "__extension__") K(ASM, "asm") \
  K(TYPEOF, "__typeof__") K(INT128, "__int128") K(FLOAT128, "_Float128") K(FLOAT16, "_Float16") \
  K(FLOATX, "_Float32x")
typedef enum {
  KW_NONE,
#define K(id, text) KW_##id,
  CTEXT_KEYWORDS(K)
#undef K
} Keyword;
typedef struct {
  TokenTag tag;
  Keyword keyword;
  bool system;        // in a system header
  bool main_file;     // in the unit's own file
  Name text;          // names, punctuation; of literals and pragmas the spelling
  Span at;
} Token;
typedef LIST(Token) Tokens;
typedef struct Reader Reader;

// ---- comments.c ---------------------------------------------------------------------------------
typedef struct {
  Span at;
  const char *text;
} Comment;
typedef LIST(Comment) Comments;

// ---- scope.c ------------------------------------------------------------------------------------
typedef enum { SYM_VAR, SYM_FUNCTION, SYM_TYPEDEF, SYM_ENUMERATOR, SYM_OPAQUE } SymbolTag;
typedef struct {
  SymbolTag tag;
  bool local;          // of a block
  CVar *var;
  CFunction *function;
  const CType *type;
  const CEnumerator *enumerator;
} Symbol;
typedef struct Scope {
  struct Scope *outer;
  Map *names, *tags;
} Scope;

typedef LIST(const CStmt *) Ahead;  // statements that move before the one being read

// The parser.  C: one unit being read.
typedef struct {
  Arena *arena;
  Names *names;
  Diag *diag;
  CUnit *unit;
  Tokens tokens;
  int pos;
  Comments comments;
  int comment;         // the next that is not attached
  Scope *scope;
  CFunction *function; // being read; NULL: none
  int depth;           // of nesting: deep programs are refused
  int loops, switches; // around the statement being read
  int switch_loops;    // loops around the innermost switch
  Ahead *ahead;        // of the statement being read; NULL: none may move before it
} C;
enum { MOST_DEPTH = 400 };

void ctext_lex(C *c, CInput input);
void ctext_comments(C *c);

const Symbol *scope_find(const C *c, Name name);
void scope_add(C *c, Name name, Symbol symbol);
CRecord *scope_tag(const C *c, Name name, bool here);
void scope_add_tag(C *c, Name name, CRecord *record);
void scope_push(C *c);
void scope_pop(C *c);

// ---- parse.c: tokens and messages ---------------------------------------------------------------
const Token *token_at(const C *c);
const Token *token_ahead(const C *c, int n);
bool is_punct(const Token *t, const char *text);
bool at_punct(const C *c, const char *text);
bool at_keyword(const C *c, Keyword k);
bool take_punct(C *c, const char *text);
bool take_keyword(C *c, Keyword k);
void expect_punct(C *c, const char *text);
Name expect_name(C *c, const char *what);
Span span_since(const C *c, int from);   // from token `from` to the last one read
// One error; leaves to the declaration being read.
_Noreturn void parse_fail(C *c, Span at, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
_Noreturn void parse_fail_hint(C *c, Span at, const char *message, const char *hint);
void enter(C *c);  // one level of nesting more
void leave(C *c);
void skip_attributes(C *c);
void skip_parens(C *c);  // at "(": to after its partner
void skip_to_end(C *c);  // of the declaration: after `;` or a matching brace

// ---- decl.c, declarator.c, record.c, init.c -----------------------------------------------------
typedef struct {
  const CType *type;
  Name name;
  Span at;
} Declared;
typedef struct {
  const CType *type;
  CStorage storage;
  bool is_typedef, is_inline, is_noreturn;
  CRecord *record;   // struct, union or enum defined here
} Specifiers;
bool starts_type(const C *c, const Token *t);
Specifiers specifiers(C *c);
Declared declarator(C *c, const CType *base);
const CType *type_name(C *c);
CRecord *record_specifier(C *c, bool *defined);
CRecord *enum_specifier(C *c, bool *defined);
CVar *cvar_new(C *c, Declared d, CStorage storage);
const CExpr *initialiser(C *c, const CType *type, const CType **complete);
void declaration_rest(C *c, Specifiers s, CVars *vars);  // locals, up to `;`
void static_assertion(C *c);
void external_declaration(C *c);

void rule_pragma(C *c, const Token *pragma);  // rule.c
CFunction *rule_function(C *r);               // the name of one that is declared
void given_read(C *r, bool adjoint);          // given.c

// ---- expr.c, postfix.c, literal.c, convert.c ----------------------------------------------------
const CExpr *expression(C *c);
const CExpr *assignment(C *c);
const CExpr *conditional(C *c);
const CExpr *unary(C *c);
const CExpr *postfix(C *c);
const CExpr *primary(C *c);
const CExpr *literal(C *c);
const CExpr *decayed(C *c, const CExpr *e);               // arrays and functions decay
const CExpr *convert_to(C *c, const CExpr *e, const CType *to);
const CExpr *convert_assigned(C *c, const CExpr *e, const CType *to);  // checks
const CExpr *condition(C *c);                              // a scalar expression
CExpr *expr_new(C *c, CExprTag tag, Span at, const CType *type);
const CType *arithmetic_common(C *c, const CType *a, const CType *b);
const CType *promoted(const CType *t);
const CExpr *make_unary(C *c, COp op, const CExpr *x, Span at);
const CExpr *make_binary(C *c, COp op, const CExpr *x, const CExpr *y);
const CExpr *make_assign(C *c, COp op, const CExpr *x, const CExpr *y);
const CExpr *make_index(C *c, const CExpr *x, const CExpr *y, Span at);
const CExpr *make_member(C *c, const CExpr *x, bool arrow, Name name, Span at);
const CExpr *make_call(C *c, const CExpr *callee, const CExpr *const *args, int n, Span at);
void mark_assigned(const CExpr *target);

// ---- print_expr.c -------------------------------------------------------------------------------
const CType *ctype_declarator(Text *out, const CType *t, const char *inner);
void ctype_specifiers(Text *out, const CType *base);

// ---- inside.c -----------------------------------------------------------------------------------
const CExpr *statement_expression(C *c);                    // at the `{` of `({`
bool statements_alone(C *c, CStmt *s);                      // `({ .. });` is a block
CStmt *with_ahead(C *c, const Ahead *ahead, CStmt *s);

// ---- stmt.c, sequence.c -------------------------------------------------------------------------
CStmt *block(C *c);
CTexts comments_before(C *c);
const char *comment_after(C *c);
void check_sequence(C *c, const CExpr *e);  // [c-unsequenced]
#endif
