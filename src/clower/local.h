// clower's own: objects and their cells, the state of a function being lowered.
#ifndef CLOWER_LOCAL_H
#define CLOWER_LOCAL_H
#include "clower.h"

// LOOP_NULL: null when the loop is entered, and changed in it.
// OPAQUE_OBJECT: memory of the caller with pointers in it.  It may be passed on, nothing else.
enum { NO_OBJECT = -1, SEVERAL_OBJECTS = -2, DEAD_OBJECT = -3, LOOP_NULL = -4, OPAQUE_OBJECT = -5 };
typedef struct Several Several;
typedef struct {
  int obj;             // or one of these
  int leaf;            // first leaf of the struct or array it points to
  Atom at;             // in elements of type unit
  const CType *unit;
  Atom tag;            // of several objects, which one: i64
  const Several *several;  // NULL: too many to follow
  bool nullable;       // null where `null`, a bool, is true
  bool far;            // no index is in range then
  Atom null;
} Ptr;
enum { MOST_SEVERAL = 8 };
struct Several {
  int n;
  Ptr alt[MOST_SEVERAL];  // at is that of the pointer
};
// The value of a leaf: a scalar, an array of them, a pointer, or an array of pointers to one object
// (rows.c: `ptr` has the object, `atom` their offsets).
typedef struct {
  bool set, pointer;
  Atom atom;
  Ptr ptr;
} Cell;
typedef struct {
  const CType *type;   // number or pointer
  const char *path;    // of members
  bool array;          // inside arrays
  Atom many;           // how many in one element of the object
  bool boolean;        // only 0 and 1 are assigned
} Leaf;
typedef LIST(Leaf) Leaves;
typedef struct {
  const char *name;
  const CType *type;   // of an element
  bool one;            // one element
  int first;           // its cells
  Leaves leaves;
  bool heap;           // allocated
  bool blocks, used;   // of arrays of pointers: whose blocks it has; it has some
} Object;
typedef LIST(Object) Objects;
typedef struct {
  int obj, leaf;
  Atom at;
  const CType *type;
} Place;
typedef LIST(int) Cells;

typedef struct Variant Variant;
typedef struct {
  CProgram *p;
  Arena *arena;
  Prog *prog;
  const CLowerOptions *options;
  Map *variants;           // by interned key
  Map *taken;              // names of functions
  Map *splices;            // functions that are lowered in place: splice.c
} Unit;
typedef struct {
  Unit *u;
  Arena *arena;
  Prog *prog;
  Builder b;
  const CSimple *simple;
  Objects objects;
  Cell *cells;             // the state: by object's first + leaf
  int len, cap;
  Map *vars;               // CVar -> object + 1
  Map *lengths;            // length expression of an array type -> Atom *
  bool null_tested;        // a LOOP_NULL, since the loop's attempt began
  int loop_objects;        // objects before the innermost loop
  Map *guesses;            // loop -> Guess
  Map *booleans;           // variables that are 0 or 1
  Cells declared;          // cells of variables whose declaration was passed
  Map *spliced;            // call -> CSimple of the function that stands in its place
} Lower;

_Noreturn void lower_gap(Lower *l, Span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

// ---- types.c
Prim memory_prim(Lower *l, const CType *t, Span at);    // as it lies in memory
Prim register_prim(Lower *l, const CType *t, Span at);  // as it is computed with
Leaves leaves_of(Lower *l, const CType *t, Span at);
bool leaves_have_pointers(const Leaves *leaves);
void lengths_keep(Lower *l, const CType *t);  // arrays in t keep the lengths they have here
Atom array_length(Lower *l, const CType *array);
Atom convert(Lower *l, Atom x, const CType *to, Span at);    // between registers
Atom as_prim(Lower *l, Atom x, Prim p);

// ---- memory.c
int object_new(Lower *l, const char *name, const CType *type, bool one);
void cells_reserve(Lower *l, int n);               // room for n in all
bool is_array(const Object *o, const Leaf *leaf);  // otherwise a number or pointer
// Fails when it runs unless c: "FILE:LINE: what", where %d are the arguments.
void assertion(Lower *l, Atom c, Span at, const char *what, Atoms args);
void object_zero(Lower *l, int obj, Atom count);   // count elements of zeros
int object_of(Lower *l, const CVar *v, Span at);
int leaves_count(const CType *t);            // of an element
Place place_of(Lower *l, const CExpr *e);
Ptr pointer_of(Lower *l, const CExpr *e);
Cell load(Lower *l, Place p, Span at);
void store(Lower *l, Place p, Cell value, Span at);
void struct_copy(Lower *l, Place to, Place from, Span at);
Place pointer_place(Lower *l, Ptr p, const CType *type, Span at);
Cell cell_atom(Atom a);
Cell cell_ptr(Ptr p);
Slice one_index(Lower *l, Atom at);
Cell *cell_at(Lower *l, Place p);
Prim leaf_prim(Lower *l, const Leaf *leaf, bool in_array, Span at);

// ---- rows.c: arrays of pointers
bool is_rows(const Cell *c);
bool rows_unused(const Lower *l, const Cell *c);   // all are null
Cell rows_new(Lower *l, const Object *o, const Leaf *leaf, Atom n);
Cell rows_load(Lower *l, const Cell *rows, const CType *unit, Atom at);
void rows_store(Lower *l, Place p, Ptr value, Span at);
Ptr rows_allocate(Lower *l, Place p, Atom n, Span at);  // a new block

// ---- expr.c
Atom scalar(Lower *l, const CExpr *e);        // register, or bool for truth values
Atom in_register(Lower *l, const CExpr *e);
Atom index_value(Lower *l, const CExpr *e);   // i64
Atom truth_of(Lower *l, const CExpr *e);     // bool
bool ptr_is_null(const Ptr *p);
// Whether it is null counts here: that of LOOP_NULL is noted, that of an unknown pointer refused.
Ptr ptr_tested(Lower *l, Ptr p, Span at);
_Noreturn void opaque_refuse(Lower *l, const CType *unit, Span at);  // memory of OPAQUE_OBJECT
Cell cell_of(Lower *l, const CExpr *e);

// ---- libm.c
Atom library_call(Lower *l, const CExpr *e);  // functions without effects

// ---- control.c
typedef struct {
  Stms stms;
  Cell *cells;
  Cell value;          // of an expression
  int len;
  Objects made;        // in it, from the number of objects before on
} Arm;
typedef void ArmBody(Lower *l, const void *what, Cell *value);
Arm arm_lower(Lower *l, ArmBody *f, const void *what);
Cell arms_join(Lower *l, Atom c, Arm *yes, Arm *no);  // the joined value, if both have one
bool cell_same(const Cell *a, const Cell *b);

Cell *cells_copy(Lower *l);
bool objects_alike(const Object *a, const Object *b);  // one may take the place of the other

// ---- several.c: pointers that may point to several objects
bool ptr_leads_to(const Ptr *p, int obj);  // perhaps among others
bool several_add(Lower *l, const Ptr *p, Several *to);  // false: unknown, or too many
Atom several_tag(Builder *b, const Ptr *p, const Several *of);  // its tag there
Ptr several_pick(const Ptr *p, int i);
bool statement_split(Lower *l, const CStmt *s);  // by where a pointer of it points; false: no need

// ---- tables.c
// The cells of the object of a variable that is initialised; false: its type is not followed.
bool table_cells(Lower *l, const CVar *v, int obj);

// ---- stmt.c, loops.c
void statement(Lower *l, const CStmt *s);
void loop_statement(Lower *l, const CStmt *s);

// ---- body.c: what separate functions and those in their caller share
CSimple *body_simple(CProgram *p, const CFunction *f);  // without jumps
void body_lower(Lower *l, const CSimple *s);            // parameters have objects

// ---- splice.c
bool is_spliced(Unit *u, const CFunction *f);
bool may_splice(Unit *u, const CFunction *f);  // it does not call itself
void splice(Lower *l, const CExpr *call, const CFunction *f, const Place *to);

// ---- calls.c
void call_statement(Lower *l, const CExpr *call, const Place *to);
void allocate(Lower *l, const CExpr *call, const CExpr *pointer);
#endif
