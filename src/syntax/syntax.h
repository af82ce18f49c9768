// syntax: the surface language as written.  Lexer, parser and printer.
//
// Nodes are tagged unions in an arena: the tag first, then one member per tag, named after it.
// Nothing is resolved here: names stay as written.  Slots typed `struct Type`, `struct Inst` and
// `struct Info` are NULL after parsing; check/ fills them in and elab/ reads them.
// Parentheses leave no node: they only widen the span.  `Expr` is the surface expression, `Exp`
// belongs to core.  Lists are LIST()s with names, so that functions can take them.
#ifndef SYNTAX_H
#define SYNTAX_H
#include "diag/diag.h"

struct Type;     // check: an inferred type
struct Inst;     // check: what an occurrence refers to, and its instance
struct Info;     // check: whatever else a node's rule has to record
struct ModInfo;  // check: what a module or module type expression denotes

typedef struct Expr Expr;
typedef struct Pat Pat;
typedef struct TypeExp TypeExp;
typedef struct Dec Dec;
typedef struct ModExp ModExp;
typedef struct ModTypeExp ModTypeExp;
typedef struct Spec Spec;
typedef struct Attr Attr;
typedef LIST(Expr *) ExprList;
typedef LIST(Pat *) PatList;
typedef LIST(TypeExp *) TypeExpList;
typedef LIST(Dec *) DecList;
typedef LIST(Spec *) SpecList;
typedef LIST(Attr *) AttrList;

// ---- names -----------------------------------------------------------------------------------
// a.b.c, or one component; the last one may be an operator.  Components of a variable may turn
// out to be modules, a value, then fields.
typedef LIST(Name) NameList;
typedef struct {
  NameList parts;  // at least one
  Span span;
} QualName;

// One occurrence of a variable, operator, type name, module name or module type name.
typedef struct {
  QualName name;
  struct Inst *inst;
  struct Type *type;  // values: the type of this occurrence
} VarRef;

// ---- attributes: #[name], #[3], #[name(args)] -------------------------------------------------
typedef enum { ATTR_NAME, ATTR_INT, ATTR_CALL } AttrTag;
struct Attr {
  AttrTag tag;
  Name name;       // ATTR_INT: its digits
  AttrList args;   // ATTR_CALL
  Span span;
};

// ---- literals --------------------------------------------------------------------------------
typedef enum {
  SUFFIX_NONE,
  SUFFIX_I8, SUFFIX_I16, SUFFIX_I32, SUFFIX_I64,
  SUFFIX_U8, SUFFIX_U16, SUFFIX_U32, SUFFIX_U64,
  SUFFIX_F16, SUFFIX_F32, SUFFIX_F64,
} Suffix;
const char *suffix_name(Suffix suffix);  // "i32"; "" for SUFFIX_NONE

// ---- expressions -----------------------------------------------------------------------------
typedef enum {
  EXP_INT,           // 12, 0xff, 3u8 (integer suffix or none)
  EXP_FLOAT,         // 1.5, 2f32
  EXP_CHAR,          // 'c': an overloaded integer literal
  EXP_STRING,        // "..": [k]u8
  EXP_BOOL,
  EXP_HOLE,          // ???
  EXP_VAR,           // x, m.x, r.f, (+), m.(+): as one qualified name
  EXP_TUPLE,         // (a, b); () has no elements
  EXP_RECORD,        // {f = e, x}
  EXP_ARRAY,         // [a, b]
  EXP_ARRAYLIT,      // [1i32, -2i32]: nonempty, only literals of one suffix
  EXP_RANGE,         // a..s..<b
  EXP_CONSTR,        // #c e1 .. ek: always saturated
  EXP_APPLY,         // f e1 .. ek
  EXP_PROJECT,       // e.f where e is not a name
  EXP_INDEX,         // e[i, j:k]
  EXP_NEG,           // -e
  EXP_NOT,           // !e
  EXP_BINOP,         // a + b, a `f` b, a && b
  EXP_SECTION_LEFT,  // (e op)
  EXP_SECTION_RIGHT, // (op e)
  EXP_SECTION_PATH,  // (.f.g[i]), (.[i, j:k])
  EXP_UPDATE,        // e with .. = v
  EXP_IF,
  EXP_MATCH,
  EXP_LET,           // also `let a[i] = e in b`, as let a = a with [i] = e in b
  EXP_LETFUN,
  EXP_LOOP,
  EXP_LAMBDA,
  EXP_ASSERT,
  EXP_ASCRIBE,       // e : t
  EXP_COERCE,        // e :> t
  EXP_ATTR,          // #[a] e
  EXP_LOCALOPEN,     // m.(e)
} ExprTag;

typedef enum { INDEX_FIX, INDEX_SLICE } IndexTag;
typedef struct {
  IndexTag tag;
  Expr *i, *j, *s;  // fix: i;  slice i:j:s: each may be NULL
  Span span;
} Index;
typedef LIST(Index) IndexList;

// One step of an update or section path.
typedef enum { STEP_FIELD, STEP_INDEX } StepTag;
typedef struct {
  StepTag tag;
  Name field;       // STEP_FIELD
  IndexList index;  // STEP_INDEX
  Span span;
} Step;
typedef LIST(Step) StepList;

typedef struct {
  Name name;
  Expr *value;  // {x} is {x = x}: a one-component EXP_VAR
  bool pun;
  Span span;    // of the field's name
} FieldExpr;
typedef LIST(FieldExpr) FieldExprList;

typedef struct {
  Pat *pat;
  Expr *body;
  Span span;
} MatchCase;  // `Case` is core's
typedef LIST(MatchCase) CaseList;

// [n], 'a, '~a, '^a
typedef enum { TPARAM_SIZE, TPARAM_TYPE, TPARAM_SIZE_LIFTED, TPARAM_LIFTED } TypeParamTag;
typedef struct {
  TypeParamTag tag;
  Name name;
  Span span;
  struct Info *info;
} TypeParam;
typedef LIST(TypeParam) TypeParamList;

// Common to def, entry and local functions.
typedef struct {
  Name name;
  Span name_span;
  TypeParamList tparams;
  PatList params;
  TypeExp *ret;  // NULL: not declared
  Expr *body;
  struct Type *type;
  struct Info *info;
} FunDef;

typedef enum { RANGE_TO, RANGE_BELOW, RANGE_ABOVE } RangeTag;  // ... ..< ..>
typedef enum { LOOP_FOR, LOOP_IN, LOOP_WHILE } LoopTag;

struct Expr {
  ExprTag tag;
  bool parens;  // was written inside its own parentheses
  Span span;
  struct Type *type;
  struct Info *info;
  union {
    struct {
      const char *text;  // digits as written, without suffix and underscores
      uint64_t value;    // modulo 2^64
      bool overflow;     // does not fit 64 bits
      Suffix suffix;
    } int_;
    struct {
      const char *text;  // without suffix and underscores; hex floats too; strtod reads it
      Suffix suffix;     // SUFFIX_NONE or a float suffix
    } float_;
    struct { uint32_t code; } char_;
    struct { const char *bytes; size_t len; } string;
    struct { bool value; } bool_;
    VarRef var;
    struct { ExprList elems; } tuple, array;
    struct { FieldExprList fields; } record;
    struct {
      Suffix suffix;   // never SUFFIX_NONE
      LIST(uint64_t) bits;  // integers modulo 2^64; floats: the bits of the value as a double
    } arraylit;
    struct {
      RangeTag tag;
      Expr *from, *second, *to;  // second: NULL when absent
    } range;
    struct {
      Name name;  // without '#'
      ExprList args;
    } constr;
    struct {
      Expr *fn;
      ExprList args;  // at least one
    } apply;
    struct { Expr *src; Name field; Span field_span; } project;
    struct { Expr *src; IndexList index; } index;
    struct { Expr *arg; } neg, not_;
    struct { VarRef op; Expr *left, *right; } binop;
    struct { VarRef op; Expr *arg; } section;  // EXP_SECTION_LEFT, EXP_SECTION_RIGHT
    struct { StepList path; } section_path;
    struct { Expr *src; StepList path; Expr *value; } update;
    struct { Expr *cond, *yes, *no; } if_;
    struct { Expr *src; CaseList cases; } match;
    struct {
      TypeParamList sizes;  // let [n] p = ..
      Pat *pat;
      Expr *value, *body;
    } let;
    struct { FunDef *fun; Expr *body; } letfun;
    struct {
      Pat *pat;
      Expr *init;
      bool implicit;  // init was not written: it is the pattern read as an expression
      LoopTag tag;
      Pat *index;  // LOOP_FOR: a PAT_NAME;  LOOP_IN: the row's pattern;  LOOP_WHILE: NULL
      Expr *arg;   // bound, array or condition
      Expr *body;
    } loop;
    struct {
      PatList params;
      TypeExp *ret;  // NULL: not declared
      Expr *body;
    } lambda;
    struct { Expr *cond, *body; } assert;
    struct { Expr *src; TypeExp *type; } ascribe, coerce;
    struct { Attr *attr; Expr *body; } attr;
    struct { VarRef mod; Expr *body; } localopen;
  };
};

// ---- patterns --------------------------------------------------------------------------------
typedef enum {
  PAT_NAME,     // x, (+)
  PAT_WILD,     // _
  PAT_TUPLE,    // (p, q); () has no elements
  PAT_RECORD,   // {f = p, x, y: t}
  PAT_LIT,      // a number, char or bool, perhaps negated (EXP_NEG)
  PAT_CONSTR,   // #c p1 .. pk
  PAT_ASCRIBE,  // p : t
  PAT_ATTR,     // #[a] p
} PatTag;
typedef struct {
  Name name;
  Pat *pat;  // {x} is {x = x}, {x: t} is {x = x: t}
  bool pun;
  Span span;  // of the field's name
} FieldPat;
typedef LIST(FieldPat) FieldPatList;
struct Pat {
  PatTag tag;
  Span span;
  struct Type *type;
  struct Info *info;
  union {
    struct { Name name; } name;
    struct { PatList elems; } tuple;
    struct { FieldPatList fields; } record;
    struct { Expr *exp; } lit;
    struct { Name name; PatList args; } constr;
    struct { Pat *pat; TypeExp *type; } ascribe;
    struct { Attr *attr; Pat *pat; } attr;
  };
};

// ---- type expressions ------------------------------------------------------------------------
typedef enum {
  TEXP_NAME,    // t, m.t
  TEXP_APPLY,   // t [n] u
  TEXP_ARRAY,   // [n]t
  TEXP_TUPLE,   // (t, u); () has no elements
  TEXP_RECORD,  // {f: t}
  TEXP_SUM,     // #a t | #b
  TEXP_ARROW,   // (x: t) -> u
  TEXP_UNIQUE,  // *t
  TEXP_EXISTS,  // ?[n][m].t
} TypeExpTag;
typedef struct {
  Expr *exp;  // NULL: []
  Span span;
} SizeExp;
typedef struct {
  bool is_size;
  SizeExp size;   // is_size
  TypeExp *type;  // otherwise
} TypeArg;
typedef LIST(TypeArg) TypeArgList;
typedef struct {
  Name name;
  Span span;
  TypeExp *type;
} FieldType;
typedef LIST(FieldType) FieldTypeList;
typedef struct {
  Name name;  // without '#'
  Span span;
  TypeExpList args;
} SumClause;
typedef LIST(SumClause) SumClauseList;
struct TypeExp {
  TypeExpTag tag;
  Span span;
  struct Info *info;
  union {
    VarRef name;
    struct {
      TypeExp *fn;  // anything but a TEXP_NAME is the checker's error
      TypeArgList args;
    } apply;
    struct { SizeExp size; TypeExp *elem; } array;
    struct { TypeExpList elems; } tuple;
    struct { FieldTypeList fields; } record;
    struct { SumClauseList clauses; } sum;
    struct {
      Name param;  // NULL: unnamed
      Span param_span;
      TypeExp *from, *to;
    } arrow;
    struct { TypeExp *elem; } unique;
    struct { TypeParamList sizes; TypeExp *type; } exists;
  };
};

// ---- declarations ----------------------------------------------------------------------------
typedef enum { LIFT_NONE, LIFT_SIZE, LIFT_FULL } Lift;  // type, type~, type^
typedef struct {
  Lift lift;
  Name name;
  Span name_span;
  TypeParamList tparams;
  TypeExp *type;  // NULL: abstract (specs only)
} TypeBind;

typedef struct {
  Name name;
  Span span;
  ModTypeExp *type;
} ModParam;
typedef LIST(ModParam) ModParamList;

typedef enum {
  DEC_VAL,      // def, let, entry
  DEC_TYPE,     // type t = ..
  DEC_MODTYPE,  // module type S = ..
  DEC_MOD,      // module m (p: S) .. : S = ..
  DEC_OPEN,     // open m
  DEC_IMPORT,   // import "f"
  DEC_LOCAL,    // local dec
} DecTag;
struct Dec {
  DecTag tag;
  Span span;
  const char *doc;  // text of the doc comment, or NULL
  AttrList attrs;
  struct Info *info;
  union {
    struct { FunDef fun; bool entry; } val;
    TypeBind type;
    struct { Name name; Span name_span; ModTypeExp *type; } modtype;
    struct {
      Name name;
      Span name_span;
      ModParamList params;
      ModTypeExp *type;  // NULL: no ascription
      ModExp *body;
    } mod;
    struct { ModExp *mod; } open;
    struct { const char *path; } import;
    struct { Dec *dec; } local;
  };
};

// ---- modules ---------------------------------------------------------------------------------
typedef enum {
  MODEXP_NAME,     // m.n
  MODEXP_DECS,     // { decs }
  MODEXP_IMPORT,   // import "f"
  MODEXP_APPLY,    // f m
  MODEXP_LAMBDA,   // \(p: S): T -> m
  MODEXP_ASCRIBE,  // m : S
} ModExpTag;
struct ModExp {
  ModExpTag tag;
  Span span;
  struct ModInfo *info;
  union {
    VarRef name;
    struct { DecList decs; } decs;
    struct { const char *path; } import;
    struct { ModExp *fn, *arg; } apply;
    struct {
      ModParam param;
      ModTypeExp *type;  // NULL: no ascription
      ModExp *body;
    } lambda;
    struct { ModExp *mod; ModTypeExp *type; } ascribe;
  };
};

typedef enum {
  MODTYPE_NAME,   // S
  MODTYPE_SPECS,  // { specs }
  MODTYPE_WITH,   // S with t [n] 'a = type
  MODTYPE_ARROW,  // (p: S) -> T
} ModTypeExpTag;
struct ModTypeExp {
  ModTypeExpTag tag;
  Span span;
  struct ModInfo *info;
  union {
    VarRef name;
    struct { SpecList specs; } specs;
    struct {
      ModTypeExp *src;
      VarRef name;
      TypeParamList tparams;
      TypeExp *type;
    } with;
    struct {
      Name param;  // NULL: unnamed
      Span param_span;
      ModTypeExp *from, *to;
    } arrow;
  };
};

typedef enum {
  SPEC_VAL,      // val x [n] 'a: t
  SPEC_TYPE,     // type t 'a, type t 'a = ..
  SPEC_MOD,      // module m: S
  SPEC_INCLUDE,  // include S
} SpecTag;
struct Spec {
  SpecTag tag;
  Span span;
  const char *doc;
  AttrList attrs;
  struct Info *info;
  union {
    struct {
      Name name;
      Span name_span;
      TypeParamList tparams;
      TypeExp *type;
    } val;
    TypeBind type;
    struct { Name name; Span name_span; ModTypeExp *type; } mod;
    struct { ModTypeExp *type; } include;
  };
};

// ---- parser (lex.c, parse_*.c) ---------------------------------------------------------------
// Every `import` of the file, in order, so that the driver can load what it needs first.
typedef struct {
  const char *path;  // as written, without ".fut"
  Span span;
} ImportRef;
typedef LIST(ImportRef) ImportRefList;
typedef struct {
  const Source *src;
  const char *doc;  // the file's own doc comment, or NULL
  DecList decs;
  ImportRefList imports;
} SourceFile;

// Never NULL.  After an error (counted in diag->errors) the declarations that could be read.
SourceFile *syntax_parse(Arena *arena, Names *names, const Source *src, Diag *diag);
// One expression, declaration or type filling the whole text; NULL after an error.
Expr *syntax_parse_exp(Arena *arena, Names *names, const Source *src, Diag *diag);
Dec *syntax_parse_dec(Arena *arena, Names *names, const Source *src, Diag *diag);
TypeExp *syntax_parse_type(Arena *arena, Names *names, const Source *src, Diag *diag);
bool is_operator_char(char c);
bool name_is_operator(Name name);
bool keyword_is(const char *s, size_t len);
const char *keyword_text(int i);  // NULL: there are no more

// ---- printer (print_*.c) ---------------------------------------------------------------------
// Source text again.  Expressions and types print on one line in canonical spacing
// (`x % 2 == 0`, `[n][m]i32`, `(x: a) -> b`); declarations end with a newline.
// Parsing what was printed prints the same again.
void exp_print(Text *out, const Expr *exp);
void pat_print(Text *out, const Pat *pat);
void type_exp_print(Text *out, const TypeExp *type);
void attr_print(Text *out, const Attr *attr);
void qual_name_print(Text *out, const QualName *name);
void dec_print(Text *out, const Dec *dec);
void syntax_print(Text *out, const SourceFile *file);

// ---- formatter (format.c, layout.c) ----------------------------------------------------------
// Appends the source with canonical blanks and indentation; line breaks and comments stay.
// False after a syntax error.  Idempotent; the tokens are the same, which is checked every time.
bool syntax_format(Arena *arena, Names *names, const Source *src, Diag *diag, Text *out);

#endif
