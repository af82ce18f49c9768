// Formulas: programs of whole arrays in the notation of NumPy, one assignment a line.
//
// A statement is either a separate line or text that stands where its result is used (the *nested*
// ones): views of arrays, and values of a default name that one place uses.  NumPy repeats an
// operand along dimensions that it lacks; such an operand is *partial*, and is made whole where no
// other operand of the operation has all dimensions.
#ifndef BULK_FORMULA_H
#define BULK_FORMULA_H
#include "bulk.h"

// How tightly an operator binds in Python.
typedef enum {
  BINDS_LAMBDA, BINDS_COMPARISON, BINDS_OR, BINDS_XOR, BINDS_AND, BINDS_SHIFT, BINDS_ADD,
  BINDS_MUL, BINDS_NEG, BINDS_POW, BINDS_ATOM
} Binds;

typedef struct {
  const char *text;
  Binds binds;
  bool partial, constant;  // constant: a number, for all elements
  const char *guard_by, *guarded;  // of guard(d, p, p): d and p; NULL: it is none
} Formula;

// Functions that the text defines in front, where it uses them (formula_front.c).
typedef enum {
  HELP_SPECIAL, HELP_TIMES, HELP_GUARD, HELP_POWZ, HELP_PUT, HELP_FOLD,
  HELP_FIRST, HELP_SCAN, HELP_BEFORE
} Help;

typedef struct {
  Prog *prog;
  Arena *arena;
  Text lines;
  int depth;
  bool plain;     // products without guards
  Map *names;     // variable -> its name
  Map *nested;    // variable -> Formula *
  Map *uses;      // variable -> how often it is mentioned
  Map *defs;      // variable -> the BulkStm that binds it
  Map *owned;     // parameters of loops whose arrays nothing else holds
  Map *taken;     // names in use
  Map *numbers;   // name -> the number that the next one like it tries first
  Map *mentioned; // variables that the lines mention by name
  unsigned helps;
  int guards;     // calls of `guard` in the text
  const Loc *loc;
  jmp_buf refused;
  BulkRefusal *why;
} Formulas;
_Noreturn void formula_refuse(Formulas *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

// ---- formula_names.c
const char *formula_name(Formulas *f, Var v);
void formula_rename(Formulas *f, Var v, const char *name);
bool formula_is_named(const Formulas *f, Var v);  // by the user, or as the adjoint of such
void formula_uses(Formulas *f, const BulkBody *body);
bool formula_is_view(BulkForm form);
int formula_used(const Formulas *f, Var v);

// ---- formula_op.c
Formula formula_of(Formulas *f, Atom a);
const char *formula_text(Formulas *f, Atom a, Binds least);   // in parentheses where it must
Formula formula_operation(Formulas *f, Op op, Prim prim, const Formula *args, int rank);
Formula formula_conv(Formulas *f, Prim to, Formula x);
const char *formula_operator(Formulas *f, const Lambda *fn);  // as a lambda

// ---- formula_array.c
const char *formula_dims(Formulas *f, Type t);      // (n, m); n
Formula formula_whole(Formulas *f, Atom a);         // never partial
Formula formula_array(Formulas *f, const BulkStm *stm);  // of a form with one result
const char *formula_index(Formulas *f, Type t, const Slice *slice);  // [0, 1:n]
const char *formula_fold(Formulas *f, const BulkStm *stm);   // also of several results

// ---- formula_front.c
void formula_front(Text *out, unsigned helps);
#endif
