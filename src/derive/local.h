// Shared by the files that print source text.
#ifndef DERIVE_LOCAL_H
#define DERIVE_LOCAL_H
#include "derive.h"

// The definitions that the text needs in front, bit p for prim p: lib/special; a function for safe
// products.
typedef struct {
  unsigned special, guards, products;
} Front;
typedef struct {
  Text *out;
  const Prog *prog;
  Arena *arena;
  Diag *diag;
  int depth;           // of indentation
  const char *ok;      // the name that a statement without results got last
  bool lets;           // in this body, since it began or an assertion did
  bool begun;          // the next body has bindings in front of it already
  bool tail;           // the next statement is the body's result: without a name
  bool chained;        // the next body follows `else`: a branch that is all of it stays on the line
  int asserted;        // assertions in this body that are open
  Map *names;          // variable id -> its name in the text
  Map *bases;          // variable id -> what it is better called than in the program
  int vars;           // of the program before printing, which makes more
  int *mentions;      // of each of these, so far
  const int *before;  // in the draft; NULL: this is it
  Map *taken;          // interned name -> it is in use
  Map *numbers;        // interned name -> the number that the next one like it tries first
  Map *nested;         // variable id -> its Stm, printed where the variable is used
  Map *fns, *printed;  // functions -> their names in the text; those that are there already
  Map *iotas;          // variables that are iota n
  Map *counters;       // elements of such: variable id -> Atom *, n
  Map *shared;         // arrays that share memory with others in the eyes of the checker
  Aliases *aliases;    // of the program before printing
  Front *front;
  const Loc *loc;
  int line;            // of the user's program, that the text was last said to come from
} Writer;

// ---- names.c
void names_plan(Writer *s, const Fn *fn, const Body *body);
const char *source_name(Writer *s, Var v);
const char *source_fresh(Writer *s, const char *base);  // a name that nothing else has
// ---- print.c
_Noreturn void source_unsupported(Writer *s, const char *what);
void put(Writer *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void put_line(Writer *s);
void put_shapes(Writer *s, Vars bound);  // as a comment
void put_atom(Writer *s, Atom a);        // where an argument can stand
void put_open(Writer *s, Atom a);        // where any expression can
void put_operand(Writer *s, Atom a, int level);  // where one that binds as tightly can
void put_owned(Writer *s, Atom a);       // what is consumed: a copy where it is shared
void put_typed(Writer *s, Atom a, Type want);  // an argument; coerced where sizes have other names
void array_share(Writer *s, Var v);      // the checker takes it for a part of something else
void put_size(Writer *s, Atom a);        // without a suffix
void put_type(Writer *s, Type t);
void put_atoms_tuple(Writer *s, Atoms atoms);
void put_vars_tuple(Writer *s, Vars vars);
void put_let(Writer *s, Vars bound);     // "let (a, b) = "
bool tail_take(Writer *s);               // whether the statement is the result, now being printed
void put_body(Writer *s, const Body *body);  // lets and `in (r..)`, on lines of their own
void put_body_with(Writer *s, const Body *body, void (*results)(Writer *s, void *state),
                   void *state);
const Stm *body_tail(Writer *s, const Body *body);  // what binds just the results; NULL: none
bool body_is_branch(Writer *s, const Body *body);   // and is all there is, and a branch
void put_body_tail(Writer *s, const Body *body, const Stm *tail,
                   void (*results)(Writer *s, void *state), void *state);
void put_zeros(Writer *s, Type t);
void put_stms(Writer *s, Stms stms);
// ---- nest.c
void nest_plan(Writer *s, const Body *body);
const Stm *nested_stm(const Writer *s, Atom a);  // NULL: the atom has a name
bool stm_is_nested(const Writer *s, const Stm *stm);
// ---- print_exp.c: scalars and what moves arrays, as expressions
void put_prim(Writer *s, const struct prim_form *e);
void put_conv(Writer *s, const struct conv_form *e);
void put_simple(Writer *s, const Stm *stm);
bool source_nests(Op op);          // its operands are printed once, where expressions can stand
int source_level(const Exp *exp);  // how tightly the text of a PRIM or CONV binds
// ---- print_control.c
void stm_match(Writer *s, const Stm *stm);
bool match_can_be_tail(Writer *s, const Stm *stm);
void stm_loop(Writer *s, const Stm *stm);
bool type_mentions(Type t, Vars vars);
// Binders; those with a loose name are coerced to their types afterwards.
void put_bound(Writer *s, Vars bound, const char *const *loose);
void put_coercions(Writer *s, Vars bound, const char *const *loose);
// ---- print_fn.c
void stm_apply(Writer *s, const Stm *stm);
const char *source_fn(Writer *s, const Fn *fn);
void put_helper(Writer *s, const Fn *fn);  // the head of a function that is no entry point
void put_helpers(Writer *s, const Body *body, void (*put_fn)(Writer *s, const Fn *fn));
// ---- print_soac.c.  Groups of more than five are nested pairs.
void stm_map(Writer *s, const Stm *stm);
bool soac_can_be_tail(Writer *s, const Stm *stm);
void put_operator(Writer *s, const Lambda *op);  // (\a b -> ..)
void stm_reduce(Writer *s, const Stm *stm);
void stm_scan(Writer *s, const Stm *stm);
void stm_hist(Writer *s, const Stm *stm);
void stm_scatter(Writer *s, const Stm *stm);
// ---- print_acc.c
void stm_map_acc(Writer *s, const Stm *stm);  // a map that hands accumulators on, as a loop
void stm_withacc(Writer *s, const Stm *stm);
void stm_updateacc(Writer *s, const Stm *stm);
#endif
