// check: names, modules, types.  Fills the `Type`, `Inst`, `Info` and `ModInfo` slots of the
// syntax tree and checks the program; elab/ reads the slots afterwards.
//
// For readers of the results:
//
// * Types.  Follow variables with stype_find() before looking at a tag.  After checking, no
//   unsolved variable is left: generalised ones point to a TYPE_NAMED of a new type parameter.
//   Abbreviations are always expanded.  A TYPE_NAMED is a type parameter, an abstract type or the
//   built-in `acc`; its identity is the TypeDef pointer.
// * Sizes.  Types are correct up to the sizes of their arrays.  `dim` is NULL or a size that the
//   program wrote; after unification it may be any of the equal sizes.  Who needs declared sizes
//   (`e :> [n]t`, parameters, entry points, abbreviations with size arguments) evaluates the
//   TypeExp of the syntax tree: names in it carry an Inst like all other names, and the
//   expressions of its sizes are checked like other expressions (type i64).
// * Occurrences.  VarRef.inst says how many leading components of a.b.c.d are modules
//   (inst->mods), which Binding the next one is, and how many trailing ones are fields
//   (inst->fields).  inst->args gives the type of every type parameter of the binding, as types of
//   the place of the occurrence.  Names mean what name-based environments with the scoping of
//   the language mean: the innermost binding of that name and name space; `open` adds all names.
// * Type parameters.  FunDef.info->tparams lists explicit ones first, then those that inference
//   generalised.  Types inside the function mention these TypeDefs.  A caller's inst->args binds
//   them, except across an ascription (next point).
// * Modules.  Abstract types are TypeDefs too.  Whoever evaluates a module expression binds them:
//     - a ModTypeExp has info->fresh: the abstract types of this mention of the module type, each
//       with its path.  For a parameter `(p: S)`, when the functor is applied, and for an
//       ascription `e : S`: bind each fresh def to the type at `path` in the argument (in e).
//     - a functor application has info->fresh: bind each def to the type at `path` in the result;
//       when the path is empty (not reachable by name), to what `from` means in the result.
//     - such bindings belong to the environment of the place (file, module body, functor instance)
//       where the expression stands; types checked there mention them.
//     - info->coerce (ascriptions, and applications: argument to parameter) lists the values whose
//       type parameters differ on both sides: a use of the specification's value instantiates the
//       specification's parameters, and `args` gives the implementation's in terms of them.
//       NULL: nothing to do.
//   Where the results are: ModExp.info; ModTypeExp.info; for `module m (p: S) : T = e`,
//   T.info->fresh and dec->info->coerce (T is checked with the parameters in scope).
#ifndef CHECK_H
#define CHECK_H
#include "prim/prim.h"
#include "syntax/syntax.h"
#include "values/embed.h"

typedef enum {
#define INTRINSIC(id, name, scheme) INTR_##id,
#include "syntax/intrinsics.def"
  INTR_COUNT
} Intrinsic;

typedef struct Type SType;  // the *source* type; plain `Type`, `SField`, `stype_same` .. are core's
typedef struct TypeDef TypeDef;
typedef struct TypeVar TypeVar;
typedef struct Size Size;
typedef struct Binding Binding;
typedef struct Inst Inst;
typedef struct Info Info;
typedef struct ModInfo ModInfo;
typedef struct Mod Mod;
typedef struct ModEnv ModEnv;
typedef struct ModTypeDef ModTypeDef;
typedef struct Coercion Coercion;
typedef struct CheckedFile CheckedFile;
typedef LIST(SType *) TypeList;
typedef LIST(TypeDef *) TypeDefList;
typedef LIST(Binding *) BindingList;

// ---- types (type.c) --------------------------------------------------------------------------
typedef enum {
  TYPE_VAR,     // to be inferred; see stype_find
  TYPE_PRIM,
  TYPE_ARRAY,   // one dimension
  TYPE_RECORD,  // tuples are records with fields 0, 1, ..; () is the empty record
  TYPE_SUM,
  TYPE_ARROW,
  TYPE_NAMED,   // type parameter, abstract type, acc
  TYPE_ERROR,   // an error was reported: fits everything
} TypeTag;

typedef struct {
  Name name;
  SType *type;
} SField;
typedef LIST(SField) FieldList;  // canonical order: numbers by value, then names by strcmp

typedef struct {
  Name name;  // without '#'
  TypeList args;
} Constr;
typedef LIST(Constr) ConstrList;  // by strcmp

typedef struct {
  bool is_size;
  Size *size;  // is_size; NULL: anonymous
  SType *type;
} NamedArg;
typedef LIST(NamedArg) NamedArgList;

// Whose type became a primitive one because nothing declares it.
typedef struct {
  Binding *of;
  const Pat *param;  // NULL: of the result, or of a constant
} Defaulted;

struct Type {
  TypeTag tag;
  bool unique;    // `*`: meaningful at leaves of arrow.from (consuming) and arrow.to (fresh)
  bool starred;   // some part outside arrows is unique
  union {
    TypeVar *var;
    struct { Prim prim; const Defaulted *defaulted; };  // NULL: not by default
    struct { Size *dim; SType *elem; } array;
    struct { FieldList fields; } record;
    struct { ConstrList constrs; } sum;
    struct {
      Name param;  // NULL: unnamed
      Binding *binding;  // of the parameter's name in sizes of `to`, or NULL
      SType *from, *to;
    } arrow;
    struct { TypeDef *def; NamedArgList args; } named;
  };
};

// A size as written.  Sizes without form of their own stay expressions.
typedef enum { SIZE_CONST, SIZE_NAME, SIZE_EXP } SizeTag;
struct Size {
  SizeTag tag;
  union {
    int64_t value;
    Binding *name;
    Expr *exp;
  };
};

SType *stype_find(SType *type);           // the type, solved variables followed
bool stype_has_array(SType *type);  // outside functions; abstract types have none
void stype_print(Text *out, SType *type);
bool stype_is_tuple(const SType *type);  // of a record
bool stype_same(SType *a, SType *b);      // up to sizes; no variables bound
bool stype_is_functional(SType *type);   // contains functions, or may (lifted parameters)
SType *stype_field(const SType *record, Name field);    // NULL: none
int constr_index(const SType *sum, Name name);        // -1: none

// The meaning of a type name.
typedef enum {
  TYPEDEF_PRIM,
  TYPEDEF_PARAM,     // 'a of a function, an abbreviation, a val spec
  TYPEDEF_ABSTRACT,  // of a module type, an ascribed module, a functor's parameter or result
  TYPEDEF_ABBREV,
  TYPEDEF_ACC,
} TypeDefTag;
typedef struct {
  bool is_size;
  TypeDef *type;
  Binding *size;
} TypeDefParam;
struct TypeDef {
  TypeDefTag tag;
  Name name;
  uint32_t id;   // in order of creation
  Lift lift;
  int level;     // PARAM: where it was bound, for the scope check
  Span span;
  Prim prim;
  LIST(TypeDefParam) params;
  SType *type;        // ABBREV: the definition, over params
  TypeExp *written;  // ABBREV: as in the source, or NULL
  const char *shown; // in messages, or NULL
};

// ---- names -----------------------------------------------------------------------------------
typedef enum {
  BIND_LOCAL,      // let, loop, case, lambda: pat
  BIND_PARAM,      // parameter of a definition or local function: pat
  BIND_SIZE,       // size parameter [n]: i64
  BIND_FUN,        // local function: fun
  BIND_TOP,        // def, entry: fun, dec
  BIND_SPEC,       // value known through a module type: spec
  BIND_INTRINSIC,  // intrinsics.x: intr
  BIND_OPERATOR,   // overloaded built-in: intr
  BIND_MODULE,     // mod
} BindTag;
struct Binding {
  BindTag tag;
  Name name;
  uint32_t id;
  int level;
  Span span;
  TypeDefList tparams;  // type parameters, explicit ones first
  BindingList sparams;  // explicit size parameters
  SType *type;
  SType *proven;        // BIND_TOP: the type with more unique parts of the result than declared
  Mod *mod;             // BIND_MODULE
  Pat *pat;
  FunDef *fun;
  Dec *dec;             // BIND_TOP, BIND_MODULE
  Spec *spec;
  Intrinsic intr;
  bool used;
  uint32_t prims;       // BIND_OPERATOR: allowed operand types, 1 << Prim; 0: any with equality
};

typedef struct {
  TypeDef *param;
  SType *type;
} InstArg;
typedef LIST(InstArg) InstArgList;

// A size that inference found, over names of the place.
typedef enum {
  SIZETERM_CONST,
  SIZETERM_NAME,     // binding
  SIZETERM_PROJECT,  // args[0].field
  SIZETERM_APPLY,    // args[0] (a function or operator) applied to the others
  SIZETERM_FOUND,    // the size number `value` that a value shows, see SizeWitness
  SIZETERM_UNKNOWN,  // nothing that can be written here
} SizeTermTag;
typedef struct SizeTerm {
  SizeTermTag tag;
  int64_t value;
  Binding *binding;
  const VarRef *path;  // where the name was written with modules before it, or NULL
  Name field;
  LIST(struct SizeTerm *) args;
} SizeTerm;
typedef struct {
  Binding *param;  // explicit size parameter
  SizeTerm *size;
} InstSize;
struct Inst {
  int mods;          // leading components that are modules
  int fields;        // trailing components that are fields
  Binding *root;     // of the first component (values, modules)
  Binding *binding;  // of component `mods`: value or module
  TypeDef *def;      // type names
  ModTypeDef *modtype;
  SType *type;        // values: of this instance of the binding, before the fields
  InstArgList args;
  LIST(InstSize) sizes;
};

// Further records of nodes.
struct Info {
  Binding *binding;     // PAT_NAME, FunDef, size TypeParam, DEC_MOD, value and module specs
  TypeDef *def;         // type TypeParam, DEC_TYPE, type specs
  TypeDefList tparams;  // FunDef: type parameters, explicit ones first
  bool recursive;       // FunDef: occurs in its own body
  bool unsound;         // FunDef: has a type error, or uses what has
  SType *type;           // TypeExp: what it denotes;  FunDef: the type of its body's result
  CheckedFile *file;    // DEC_IMPORT
  Coercion *coerce;     // DEC_MOD with an ascription
  Mod *mod;             // DEC_MOD, DEC_OPEN: what it binds, opens
};

// ---- modules ---------------------------------------------------------------------------------
struct ModEnv {
  BindingList terms;  // values and modules; later ones shadow earlier ones of the same name
  TypeDefList types;
  LIST(ModTypeDef *) modtypes;
  Map *index[3];      // of each of these by name,
  int indexed[3];     // as far as this: modenv.c
};
// A module as seen from outside.
struct Mod {
  ModEnv *env;          // plain module; NULL: functor
  Name param_name;
  TypeDefList abstract;  // functor: abstract types of the parameter
  Mod *param, *result;
  TypeDefList fresh;     // functor: abstract types that every application makes anew
};
// A module type: each mention renames its abstract types.
struct ModTypeDef {
  Name name;
  Span span;
  TypeDefList abstract;
  Mod *mod;
};

typedef struct {
  NameList path;  // t, m.t; empty: not reachable
  TypeDef *def;
  TypeDef *from;  // applications: the functor's own name for it
} FreshType;
struct ModInfo {
  Mod *mod;           // what the expression denotes
  LIST(FreshType) fresh;
  Coercion *coerce;   // MODEXP_ASCRIBE, MODEXP_LAMBDA with a type, MODEXP_APPLY (argument)
  CheckedFile *file;  // MODEXP_IMPORT
};

typedef struct {
  Name name;
  Binding *spec, *impl;
  InstArgList args;  // impl's type parameters over those of spec
  Inst *inst;        // impl's size parameters over those of spec
} ValCoercion;
typedef struct {
  Name name;
  Coercion *coerce;
} ModCoercion;
// From an implementation to its module type.  Members that need nothing are not listed.
struct Coercion {
  LIST(ValCoercion) vals;
  LIST(ModCoercion) mods;
  Coercion *param;   // functors: from the specified parameter to the implementation's
  Coercion *result;
};

// ---- programs (load.c, check.c) --------------------------------------------------------------
// The library comes as text in the compiler: names as below lib/, e.g. "prelude/array.fut".
typedef LIST(CheckedFile *) CheckedFileList;
struct CheckedFile {
  const char *path;         // canonical, with ".fut"
  SourceFile *syntax;
  bool prelude;
  bool builtin;  // of the prelude or the library
  CheckedFileList imports;  // as syntax->imports, same order
  ModEnv *exports;          // NULL until checked
};
typedef struct {
  Name name;
  FunDef *fun;
  Dec *dec;
  Binding *binding;
  // The dimensions of the parameters in order, arrays outside-in, fields in order: those with the
  // same number have the same size by inference though nothing written says so.  -1: no other.
  LIST(int) dims;
  bool dims_known;  // false: a sum or abstract type has no such order
} EntryPoint;
// A size without a name that an occurrence needs: it is seen in the value of an expression or a
// parameter, in the field that `fields` leads to, in dimension `depth`; -1: it is that value.
typedef struct {
  int number, depth;
  NameList fields;
} SizeWitness;
typedef LIST(SizeWitness) SizeWitnessList;
// The sizes in the type of the elements of an empty array literal: a tree of the type's form.
typedef struct SizeShape {
  SizeTerm *size;                  // arrays; NULL: another type
  LIST(struct SizeShape *) parts;  // arrays: the element; records, sums: in order; others: none
} SizeShape;

typedef struct {
  CheckedFileList files;  // every file after those it imports; prelude first
  CheckedFile *prelude;   // opened implicitly by every file outside the prelude
  CheckedFile *root;      // NULL: could not be read
  LIST(EntryPoint) entries;
  Map *witnesses;         // Expr or Pat to SizeWitnessList
  Map *shapes;            // empty array literals whose elements have sizes: Expr to SizeShape
} CheckedProgram;

// Reads root and everything it imports.  `lib` ends with a NULL name.  Errors are in diag; the
// program then lacks files.  program_load_text takes the root's text from memory.
CheckedProgram *program_load(Arena *arena, Names *names, Diag *diag,
                             const struct EmbeddedFile *lib, const char *path);
CheckedProgram *program_load_text(Arena *arena, Names *names, Diag *diag,
                                  const struct EmbeddedFile *lib, const char *path,
                                  const char *text, size_t len);
// The same, with only what the program needs of the prelude; text: NULL, or the root's.  Messages
// that show what else there is, such as similar names, want all of it.
CheckedProgram *program_load_needed(Arena *arena, Names *names, Diag *diag,
                                    const struct EmbeddedFile *lib, const char *path,
                                    const char *text, size_t len);
// The library from a folder (tests, development): reads dir/prelude/*.fut.
struct EmbeddedFile *lib_read(Arena *arena, const char *dir);
// Checks every file in order.  Call only when loading gave no error.  Accepted iff diag->errors
// stays the same.  `extra` names further entry points (NULL-terminated list), or is NULL.
void program_check(Arena *arena, Names *names, Diag *diag, CheckedProgram *program,
                   const char *const *extra);
#endif
