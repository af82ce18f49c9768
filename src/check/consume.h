// Uniqueness: who may still look at an array after it was updated in place.
//
// A forward walk over one definition, after its types are known.  Every expression has an alias
// tree: its type with a set of names at each array, abstract or function leaf.  Consuming a value
// consumes all names in its set; using a name any of whose aliases has been consumed is an error.
//
//   consume_alias.c   names, sets of names, what has been consumed
//   consume_tree.c    alias trees
//   consume_pat.c     binding patterns
//   consume_call.c    application
//   consume_fun.c     functions and what they return
//   consume_loop.c    loops
//   consume_exp.c     the other forms
#ifndef CONSUME_H
#define CONSUME_H
#include "local.h"

// Checks one definition whose types are known, reports every misuse.  Where no result type is
// declared, gives the parts of the result that are fresh a `*` in the binding's type.
void consume_check(Checker *c, FunDef *fun, Binding *b);
// May a value of type `have`, of an instance, be used as one of type `want`, which differs at most
// in `*`?  NULL, or the reason.
const char *consume_misfit(Checker *c, SType *want, SType *have, const Inst *inst);

// ---- consume_alias.c -------------------------------------------------------------------------
typedef struct Alias Alias;
typedef struct Owner Owner;
typedef LIST(Alias *) AliasList;

// A variable, or the nameless result of a call.  It has a member for each leaf of its type and
// is consumed as a whole.
struct Owner {
  Name name;         // NULL: result of a call
  const char *what;  // in messages: variable "x"
  AliasList members;
  int depth;         // of functions and loops around it; deeper than the walk: out of scope
  uint32_t serial;
  bool global;
  bool consumed;
  Span at;           // where it was consumed
  Span span;         // where it is bound, if known
};

// A set of members: one member, or the union of two sets.  NULL is the empty set.
struct Alias {
  Owner *owner;      // one member
  bool consumable;
  bool declared;     // loop parameters: `consumable` was written
  bool direct;       // this member was consumed, not only another one of its owner
  int index;         // loop parameters: which leaf of the pattern
  Alias *left, *right;
  AliasList users;   // unions made from this set
  Owner *tainted;    // a consumed owner in the set
  uint32_t mark;     // last visit
  int visitor;
};

typedef struct {
  Alias *member;
  bool first;  // consumed its owner
} Consumption;
typedef struct {
  int consumed, tainted;
  uint32_t serial;
} Snapshot;

// A variable in scope.  Variables without leaves have no entry.
typedef struct Tree Tree;
typedef struct {
  Owner *owner;
  Tree *tree;        // with the variable itself
  Alias *all;
  int depth;
  struct UseFrame *seen;  // the innermost frame in which it is free
} UseEntry;
// A function, lambda or loop being walked, and its free variables.
typedef struct UseFrame {
  struct UseFrame *outer;
  int depth;
  LIST(UseEntry *) free;
} UseFrame;

typedef struct {
  Checker *c;
  Arena *arena;      // of this check
  Map *entries;      // Binding to UseEntry
  Map *globals;      // Binding to Alias
  UseFrame *frame;
  int depth;
  int frozen;        // > 0: in a size expression, nothing is consumable
  uint32_t mark, serial;
  LIST(Consumption) consumed;
  AliasList tainted;  // in the order it happened
} Consumer;

Owner *owner_new(Consumer *u, Name name, const char *what);
Alias *owner_member(Consumer *u, Owner *owner, bool consumable);
Alias *alias_union(Consumer *u, Alias *a, Alias *b);
void alias_members(Consumer *u, Alias *set, AliasList *out);
bool alias_overlap(Consumer *u, Alias *a, Alias *b);
Alias *alias_live(Consumer *u, Alias *set);  // without what has been consumed
// Which of the sets share a member with another one.
void alias_shared(Consumer *u, const AliasList *sets, bool *shared);
bool member_is_free(const Consumer *u, const Alias *member);  // may be consumed here
void alias_consume(Consumer *u, Alias *set, Span at);
void alias_reconsume(Consumer *u, Alias *member, Span at);
Snapshot uses_snapshot(const Consumer *u);
void uses_undo(Consumer *u, Snapshot to);
bool consumed_since(const Consumer *u, Snapshot from);  // something that existed then
const char *span_text(Consumer *u, Span span);
void report_use(Consumer *u, const Owner *owner, Name through, Span at);

// ---- consume_tree.c --------------------------------------------------------------------------
// The aliases of a value.  NULL: none anywhere.
struct Tree {
  bool leaf;
  Alias *set;
  SType *fn;         // function leaves: the type, with its instance
  const Inst *inst;
  int len;           // records: fields; sums: payloads of all constructors in order
  Tree **kids;
};
// The type for a type parameter of the instance; NULL: the type itself.
SType *inst_arg(const Inst *inst, const TypeDef *def);
Tree *tree_leaf(Consumer *u, Alias *set);
Tree *tree_function(Consumer *u, Alias *set, SType *fn, const Inst *inst);
Tree *tree_node(Consumer *u, Tree **kids, int len);
// Every leaf of the type that is not unique gets the set; functions get `of_functions`.
Tree *tree_spread(Consumer *u, SType *type, const Inst *inst, Alias *set, Alias *of_functions);
bool type_has_open(SType *type, const Inst *inst);  // would tree_spread place the set?
Tree *tree_join(Consumer *u, Tree *a, Tree *b);
Tree *tree_live(Consumer *u, Tree *t);
Owner *tree_tainted(const Tree *t);
Alias *tree_all(Consumer *u, Tree *t);
Tree *tree_field(const Tree *t, SType *record, Name field);
int field_index(const SType *record, Name field);
int payload_index(const SType *sum, Name constr);  // of its first payload among all
int payload_count(const SType *sum);
// The leaves of a type in order: the sets of the tree (NULL: empty), or whether they are unique.
void tree_leaves(Consumer *u, SType *type, const Tree *t, AliasList *out);
typedef LIST(bool) FlagList;
// After errors in other bindings types may be incomplete; otherwise leaves must agree.
bool leaves_agree(Consumer *u, int have, int want);
void leaves_fit(Consumer *u, AliasList *leaves, int len);
void type_uniques(Consumer *u, SType *type, const Inst *inst, bool unique, FlagList *out);
Tree *tree_build(Consumer *u, SType *type, const AliasList *leaves, int *at);
SType *type_with_uniques(Checker *c, SType *type, const FlagList *unique, int *at);

// ---- consume_pat.c ---------------------------------------------------------------------------
typedef enum {
  BIND_CONSUMABLE,  // let, case
  BIND_DECLARED,    // parameters: where they have a `*`
  BIND_LOOP,        // where no ascription says otherwise
  BIND_FROZEN,      // index and row of a for loop
} BindMode;
// Binds the names of the pattern; gives the aliases they have from then on.
Tree *consume_pat(Consumer *u, Pat *pat, Tree *value, BindMode mode);
UseEntry *entry_new(Consumer *u, Binding *b, Owner *owner, Tree *tree);
void consume_type(Consumer *u, TypeExp *exp);  // the expressions of its sizes
void consume_params(Consumer *u, PatList *params);

// ---- consume_call.c --------------------------------------------------------------------------
// Where the function t, if it is one, is used as one of the type `want`: reports if it may not.
void function_expect(Consumer *u, Span at, SType *want, const Tree *t, const char *header);
Tree *consume_var(Consumer *u, const VarRef *ref);
Tree *consume_apply(Consumer *u, Expr *exp);
Tree *consume_binop(Consumer *u, Expr *exp);
Tree *consume_section(Consumer *u, Expr *exp);
// Consumes a value: `from` says which leaves the consumer changes.
void report_self_alias(Consumer *u, Span at);

// ---- consume_fun.c ---------------------------------------------------------------------------
void frame_begin(Consumer *u, UseFrame *frame);
void frame_end(Consumer *u);
Tree *consume_lambda(Consumer *u, Expr *exp);
void consume_letfun(Consumer *u, FunDef *fun);
void consume_def(Consumer *u, FunDef *fun, Binding *b);

// ---- consume_loop.c, consume_exp.c -----------------------------------------------------------
Tree *consume_loop(Consumer *u, Expr *exp);
Tree *consume_exp(Consumer *u, Expr *exp);
void consume_scalars(Consumer *u, const IndexList *index);
#endif
