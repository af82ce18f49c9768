// ctext: C functions as typed trees.  The text is what `cc -E` gives (line markers lead back to the
// user's files) or plain C without directives; the result is declarations, types, statements and
// expressions, with comments and pragmas, which can be printed back as C.  Constructs outside
// the subset are errors with codes (doc/c.md).  Neither core nor derivatives are used here.
//
// Conventions: sum types have their tag first; arenas own nodes, which do not change once built;
// every expression has its type; implicit conversions are nodes (CE_CONVERT).
#ifndef CTEXT_H
#define CTEXT_H
#include "diag/diag.h"
#include "prim/prim.h"
#include "values/embed.h"

typedef struct CType CType;
typedef struct CExpr CExpr;
typedef struct CStmt CStmt;
typedef struct CVar CVar;
typedef struct CFunction CFunction;
typedef struct CRecord CRecord;

// ---- type.c: types ------------------------------------------------------------------------------
// The arithmetic ones in the order of their ranks: CTYPE_BOOL .. CTYPE_LDOUBLE.
typedef enum {
  CTYPE_VOID, CTYPE_BOOL, CTYPE_CHAR, CTYPE_SCHAR, CTYPE_UCHAR, CTYPE_SHORT, CTYPE_USHORT,
  CTYPE_INT, CTYPE_UINT, CTYPE_LONG, CTYPE_ULONG, CTYPE_LLONG, CTYPE_ULLONG,
  CTYPE_FLOAT, CTYPE_DOUBLE, CTYPE_LDOUBLE,
  CTYPE_ENUM,      // int everywhere else
  CTYPE_POINTER, CTYPE_ARRAY, CTYPE_FUNCTION, CTYPE_STRUCT, CTYPE_UNION,
  CTYPE_OPAQUE,    // of a system header, not understood: an error where it is used
} CTypeTag;
enum { CQ_CONST = 1, CQ_VOLATILE = 2, CQ_RESTRICT = 4 };
typedef LIST(CVar *) CVars;
struct CType {
  CTypeTag tag;
  unsigned quals;       // CQ_..
  Name alias;           // the typedef's name it was written with; NULL: none
  const CType *base;    // of the pointer, array; the result of the function
  const CExpr *length;  // of an array: NULL: [] or taken from the initialiser
  int64_t count;        // of an array whose length is constant; -1
  bool at_least;        // parameter x[static n]
  bool was_array;       // pointer: a parameter written x[length]; length and count are kept
  CVars params;         // of a function
  bool variadic, unprototyped;
  CRecord *record;      // of a struct, union, enum
};
typedef struct {
  Name name;
  const CType *type;
  int64_t offset; Span at;
  const CRecord *record; } CField;  // record: it defines it, too; NULL: none
struct CRecord {
  CTypeTag tag;        // CTYPE_STRUCT, CTYPE_UNION, CTYPE_ENUM
  Name name;           // tag; NULL: none
  Name alias;          // of `typedef struct {..} alias`, for those without a tag
  bool complete;
  LIST(CField) fields;
  LIST(struct CEnumerator *) enumerators;
  const CFunction *owner;  // in whose body it is defined; NULL: of the file
  int64_t size, align;
  Span at;
};
typedef struct CEnumerator {
  Name name; int64_t value;
  const CExpr *written;  // NULL: one more than the one before
} CEnumerator;

extern const CType ctype_void, ctype_bool, ctype_char, ctype_int, ctype_uint, ctype_long,
    ctype_ulong, ctype_float, ctype_double, ctype_ldouble;
const CType *ctype_basic(CTypeTag tag);  // unqualified arithmetic types and void
const CType *ctype_pointer(Arena *arena, const CType *to);
const CType *ctype_qualified(Arena *arena, const CType *t, unsigned quals);  // exactly these
const CType *ctype_plain(Arena *arena, const CType *t);  // without qualifiers
bool ctype_is_integer(const CType *t);     // with _Bool and enums
bool ctype_is_float(const CType *t);
bool ctype_has_derivative(const CType *t);        // of a parameter: a float, a pointer to such
const CType *ctype_element(const CType *t);       // of an array, all dimensions; else t
bool ctype_is_arithmetic(const CType *t);
bool ctype_is_scalar(const CType *t);      // arithmetic or pointer
bool ctype_is_pointer(const CType *t);     // pointer or array
bool ctype_is_record(const CType *t);      // struct or union
bool ctype_is_signed(const CType *t);
bool ctype_is_variable(const CType *t);    // an array whose length is no constant, or of such
bool ctype_same(const CType *a, const CType *b);  // but for qualifiers at the top
int64_t ctype_size(const CType *t);        // bytes (of LP64); -1: incomplete or variable
int64_t ctype_align(const CType *t);
bool ctype_prim(const CType *t, Prim *out);  // arithmetic types but long double
const CField *ctype_field(const CType *t, Name name);  // NULL: none

// ---- expressions --------------------------------------------------------------------------------
typedef enum {
  CE_INT,       // literal, character or enumerator: value; spelling as written
  CE_FLOAT,     // number; spelling
  CE_STRING,    // spelling with quotes; text, length without
  CE_VAR,       // var
  CE_FUNCTION,  // function
  CE_UNARY,     // op x
  CE_BINARY,    // x op y; with pointers: p + i, p - i, p - q, comparisons
  CE_ASSIGN,    // x op= y; op COP_NONE: x = y.  y of an op= has its own type, not x's
  CE_STEP,      // ++x, x--: op COP_ADD or COP_SUB; postfix
  CE_COND,      // x ? y : z
  CE_CALL,      // x (args); x is CE_FUNCTION where the callee is named
  CE_INDEX,     // x[y], x a pointer
  CE_MEMBER,    // x.field, or x->field where arrow
  CE_CAST,      // (type) x
  CE_CONVERT,   // x converted to type implicitly: arithmetic, decay of arrays, pointers
  CE_SIZEOF,    // of measured; x: the operand as written, NULL: a type
  CE_COMMA,     // x, y
  CE_LIST,      // initialiser { .. }: elems in the order of their places
  CE_COMPOUND,  // (type) { .. }: x the list
} CExprTag;
typedef enum {
  COP_NONE,
  COP_MUL, COP_DIV, COP_REM, COP_ADD, COP_SUB, COP_SHL, COP_SHR, COP_LT, COP_GT, COP_LE, COP_GE,
  COP_EQ, COP_NE, COP_AND, COP_XOR, COP_OR, COP_ANDAND, COP_OROR,             // binary
  COP_NEG, COP_PLUS, COP_NOT, COP_COMPL, COP_DEREF, COP_ADDRESS,              // unary
} COp;
typedef struct {
  int64_t at;           // element or field number
  int64_t to;           // of a GNU range; otherwise at
  const CExpr *value;
} CInit;
struct CExpr {
  CExprTag tag;
  COp op;
  bool postfix, arrow, parens;  // parens: written in parentheses
  Span at;
  const CType *type;
  const CExpr *x, *y, *z;
  union {
    int64_t value;
    double number;
    const CVar *var;
    const CFunction *function;
    const CField *field;
    const CType *measured;
    struct { const char *text; size_t len; };
    struct { const CExpr *const *args; int nargs; };
    struct { const CInit *elems; int nelems; };
  };
  const char *spelling;   // of literals and enumerators; NULL: to be made
  const struct CEnumerator *enumerator;  // of CE_INT; NULL: none
};
const char *cop_text(COp op);  // "+"
bool cop_compares(COp op);     // < > <= >= == !=
const CExpr *cexpr_bare(const CExpr *e);  // without implicit conversions at the top
const CExpr *cexpr_stripped(const CExpr *e);  // without casts, either
const CVar *cexpr_owner(const CExpr *e);  // x of x, x.a, x[i] of an array; NULL: not in a variable
bool cexpr_is_lvalue(const CExpr *e);
bool cexpr_is_pure(const CExpr *e);  // no assignment, step or call but of pure library functions
// constant.c: folding.  False: not a constant, or undefined (division by zero, shifts too far).
bool cexpr_integer(const CExpr *e, int64_t *out);
bool cexpr_number(const CExpr *e, double *out);   // of any arithmetic type

// ---- variables, functions, statements -----------------------------------------------------------
typedef enum { CSTORE_NONE, CSTORE_STATIC, CSTORE_EXTERN, CSTORE_REGISTER } CStorage;
struct CVar {
  Name name;             // NULL: a parameter of a prototype without one
  const CType *type;
  CStorage storage;
  bool is_param, is_global;
  bool addressed;        // &x is taken
  bool assigned;         // by =, op=, ++, -- anywhere
  const CExpr *init;     // NULL: none
  const CFunction *owner;  // NULL: global, or of a prototype
  int number;            // from 0 in the unit
  Span at;
};
typedef enum {
  CS_EMPTY, CS_EXPR, CS_DECL, CS_BLOCK, CS_IF, CS_FOR, CS_WHILE, CS_DO, CS_SWITCH, CS_CASE,
  CS_DEFAULT, CS_LABEL, CS_GOTO, CS_BREAK, CS_CONTINUE, CS_RETURN, CS_PRAGMA,
} CStmtTag;
typedef LIST(const char *) CTexts;
struct CStmt {
  CStmtTag tag;
  Span at;
  CTexts before;         // comments above, as written
  const char *after;     // comment at the end of its line; NULL: none
  bool inside;           // pragma written as a comment: $AD ..
  bool flat;             // block: made of one statement, no scope
  const CExpr *x;        // expression; condition; value of return (NULL: none), of case
  const CExpr *step;     // of for
  const CStmt *init;     // of for: CS_DECL, CS_EXPR or NULL
  const CStmt *body;     // of if, loops, switch, labels
  const CStmt *other;    // else; NULL: none
  LIST(const CStmt *) stmts;  // of a block
  bool valued;                // a block: its value is that of its last statement
  CVars vars;            // of a declaration
  const CRecord *record;   // a declaration that defines it, too
  Name label;            // of label, goto
  const char *text;      // of a pragma: what follows `#pragma ` or `$AD `
};
struct CFunction {
  Name name;
  const CType *type;
  CVars params;
  const CStmt *body;     // CS_BLOCK; NULL: only declared
  bool is_static, is_inline, is_noreturn, system, opaque;
  const struct CLibc *libc;  // row of libc.def, or the rule; NULL: none
  const struct CLibc *rule;  // of a pragma, used instead of the body; NULL: none
  const struct CGiven *given;  // of pragmas: derivatives; NULL: none
  CTexts before;
  Span at, end;          // of its name; of the closing brace
};

// ---- units --------------------------------------------------------------------------------------
typedef enum { CITEM_FUNCTION, CITEM_VARS, CITEM_RECORD, CITEM_TYPEDEF, CITEM_PRAGMA } CItemTag;
typedef struct {
  CItemTag tag;
  Span at;
  bool included;         // from a header of the user's (those of the system are left out)
  CTexts before;
  CFunction *function;   // prototype where body is elsewhere: `defines` tells
  bool defines;          // the function's body is here; variables: not only declared `extern`
  CVars vars; const CRecord *record;
  Name name; const CType *type;  // of the typedef
  const char *text;      // of the pragma
} CItem;
// A place in printed text, and where in the user's file that statement or function stands.
typedef struct { size_t at; Span from; } CPrinted;
typedef struct { Arena *arena; LIST(CPrinted) list; } CPrintedList;  // in the order of the text
typedef struct {
  int indent;            // blanks
  bool brace_below;      // a function's brace has its own line
  CPrintedList *printed; // gets a row for every statement that is printed; NULL: none
} CLayout;
typedef struct CUnit {
  const char *path;
  const Source *source;      // the file as the user wrote it
  CTexts includes;           // its #include lines, as written
  LIST(CItem) items;         // of the user's files, in order
  LIST(CFunction *) functions;  // all, those of system headers, too
  CVars globals;
  LIST(CRecord *) records;   // of the user's files, inner ones first
  int vars;                  // how many: numbers are below
  CLayout layout;
} CUnit;
typedef struct {
  const char *path, *text;   // text: as the user wrote it
  const char *preprocessed;  // by `cc -E`; NULL: text is read as it is
} CInput;
// The unit; messages go to diag: with errors among them it is not to be used.
CUnit *cunit_parse(Arena *arena, Names *names, Diag *diag, CInput input);
CFunction *cunit_function(const CUnit *unit, const char *name);  // NULL: none

// ---- pp.c: our own preprocessor ---------------------------------------------------------------
typedef struct {
  const char *path, *text;             // of the file, as the user wrote it
  CTexts flags;                        // -I, -D, -U; others are ignored
  const struct EmbeddedFile *headers;  // of the C library; ends with {0}
} CPreprocess;
// Text as `cc -E` gives it, for CInput; NULL after a message.
const char *cpreprocess(Arena *arena, Names *names, Diag *diag, const CPreprocess *job);

// ---- visit.c ------------------------------------------------------------------------------------
// Calls f on e and all expressions below it, parents first; f returns false: not below this one.
typedef bool CExprVisit(const CExpr *e, void *state);
void cexpr_visit(const CExpr *e, CExprVisit *f, void *state);
// The same on statements, and on the expressions that stand in them (initialisers, lengths, too).
typedef bool CStmtVisit(const CStmt *s, void *state);
void cstmt_visit(const CStmt *s, CStmtVisit *on_stmt, CExprVisit *on_expr, void *state);

// ---- build.c: well-typed expressions from their parts, conversions added ------------------------
const CExpr *cbuild_int(Arena *arena, int64_t value);
const CExpr *cbuild_float(Arena *arena, const CType *type, double value);
const CExpr *cbuild_var(Arena *arena, const CVar *var);
const CExpr *cbuild_unary(Arena *arena, COp op, const CExpr *x);
const CExpr *cbuild_binary(Arena *arena, COp op, const CExpr *x, const CExpr *y);
const CExpr *cbuild_assign(Arena *arena, COp op, const CExpr *x, const CExpr *y);
const CExpr *cbuild_index(Arena *arena, const CExpr *x, const CExpr *y);
const CExpr *cbuild_sizeof(Arena *arena, const CExpr *x, const CType *t);  // x NULL: of the type
const CExpr *cbuild_convert(Arena *arena, const CExpr *x, const CType *to);  // x itself if the same
const CExpr *cbuild_truth(Arena *arena, const CExpr *x);  // x != 0, as an int
const CExpr *cbuild_call(Arena *arena, const CFunction *f, const CExpr *const *args, int n);
const CExpr *cbuild_field(Arena *arena, const CExpr *x, bool arrow, const CField *field);
const CStmt *cstmt_expr(Arena *arena, const CExpr *e);
const CStmt *cstmt_assign(Arena *arena, const CExpr *x, const CExpr *value);  // x = value;
const CStmt *cstmt_decl(Arena *arena, CVar *var);
const CStmt *cstmt_block(Arena *arena, const CStmt *const *stmts, int n);

// ---- print.c, dump.c ----------------------------------------------------------------------------
void cexpr_print(Text *out, const CExpr *e);
void ctype_print(Text *out, const CType *type, const char *name);  // a declaration without `;`
void cstmt_print(Text *out, const CStmt *s, int depth, CLayout layout);
void cfunction_head_print(Text *out, const CFunction *f);
void cfunction_print(Text *out, const CFunction *f, CLayout layout);
void cunit_print(Text *out, const CUnit *unit);  // reads back to the same tree
void cunit_dump(Text *out, const CUnit *unit);   // the tree with its types, for tests
#include "ctext/libc.h"
#endif
