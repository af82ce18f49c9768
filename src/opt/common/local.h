// Shared by the passes.  A pass first makes the program its own (prog_own), then changes it
// freely: variables keep their ids, statements are moved, operands replaced in place.
#ifndef OPT_LOCAL_H
#define OPT_LOCAL_H
#include "opt.h"

// The program that a pass may change: prog itself where nothing else reads it, otherwise a copy in
// `arena`, compactly renumbered, which is at its fixpoint where prog is.
Prog *prog_own(Prog *prog, Arena *arena);

// ---- operands.c: operands and bodies of a form, mutable
// Pointers to every operand atom of the form itself (not inside its bodies); in textual order.
typedef LIST(Atom *) AtomRefs;
AtomRefs exp_atom_refs(Arena *arena, Exp *exp);
void exp_change_atoms(Exp *exp, Atom (*f)(void *state, Atom atom), void *state);  // of the same
// The bodies inside a form: a lambda's (with its lambda) or a branch's (fn NULL).
typedef struct {
  Body *body;
  Lambda *fn;
} Part;
typedef LIST(Part) Parts;
Parts exp_parts(Arena *arena, Exp *exp);
static inline bool exp_has_parts(const Exp *exp) { return form_has_bodies[exp->form]; }

// ---- use_counts.c
// How often each variable is an operand or a result; occurrences in types count separately.
typedef struct {
  int *count, *in_types;
  int cap;
} Uses;
Uses uses_compute(Arena *arena, const Prog *prog);

// ---- alias_classes.c
// Memory classes: variables that may share memory have one class (flow insensitive).  A class is
// consumed when some operation overwrites one of its members.  Names of classes never consumed
// may replace each other and be read anywhere in their scope.
typedef struct {
  int *parent;
  int *consumers;  // by root: operations that overwrite
  int cap;
} AliasClasses;
AliasClasses alias_classes_compute(Arena *arena, const Prog *prog);
int alias_class_of(AliasClasses *classes, Var v);
bool alias_class_consumed(AliasClasses *classes, Var v);  // variables newer than the table: true
bool alias_class_consumed_once(AliasClasses *classes, Var v);
// a represents v from now on
void alias_class_join(AliasClasses *classes, const Prog *prog, Var v, Var a);

// ---- affine.c: k + sum of c * v; not ok: too long, or numbers too large
enum { AFFINE_TERMS = 16 };
typedef struct {
  bool ok;
  int64_t k;
  int n;
  Var v[AFFINE_TERMS];
  int64_t c[AFFINE_TERMS];
} Affine;
bool coef_is_small(int64_t x);  // two of them may be multiplied
void affine_add(Affine *l, const Affine *x, int64_t scale);
void affine_add_const(Affine *l, int64_t k);
void affine_add_term(Affine *l, Var v, int64_t c);
int64_t affine_coef(const Affine *l, Var v);
int64_t affine_gcd(const Affine *l);           // the greatest of all factors; 0: there are none
bool affine_divides(const Affine *l, int64_t by);  // by > 0 divides all factors
Affine affine_floor(const Affine *l, int64_t by);    // then: floor (l / by)
int64_t affine_mod(const Affine *l, int64_t by);  // then: l mod by

// ---- rewrite_env.c: the state of a forward walk that rewrites in place
typedef struct {
  Stm *def;      // its statement as emitted; NULL: a parameter or not yet seen
  int result;    // which result of def
  int scope;     // the number of the body that binds it; 0: not met yet
  int uses;      // upper bound on its uses as operand or result
  int type_uses; // uses as a size in types
  const Operator *op;  // of an accumulator's token
  bool counted;  // uses are known
  bool has_subst, has_below, dropped;
  bool has_least, has_most;  // least <= v, v <= most
  int64_t least, most;
  Atom subst;    // what it represents now
  Atom below;    // 0 <= v < below
} Fact;
typedef struct {
  Var var;
  Fact old;
} Undo;
#define FACTS_PER_BLOCK 512
typedef struct Env {
  Prog *prog;
  Arena *arena;       // the program's
  Arena *scratch;     // of this walk
  Fact **facts;       // blocks of FACTS_PER_BLOCK, so that pointers to facts stay good
  int blocks;
  Builder to;         // statements of the body being rewritten go here
  int scope, scopes;  // current body, number of bodies so far
  int depth;          // bodies around the current one
  LIST(Stms *) around;  // their statements so far, outermost first
  AliasClasses classes;
  bool small;         // the last rounds: updates of small literals make literals
  bool onehot;        // with the rules of opt/onehot
  bool loops;         // with the rule of opt/loops
  bool reverse;       // a vjp is left in the program
  uint32_t varying;   // env_varies
  bool changed, again;  // again: a rule changed the statement, try the rules once more
  LIST(Undo) undo;    // facts that hold in the current body only
  LIST(Affine) holds;   // such, too: none of these sums is negative
} Env;
Env renv_new(Prog *prog, Arena *scratch);
Fact *env_new_fact(Env *e, Var v);
static inline Fact *env_fact(Env *e, Var v) {
  int block = (int)(v.id / FACTS_PER_BLOCK);
  if (block >= e->blocks || !e->facts[block]) return env_new_fact(e, v);
  return &e->facts[block][v.id % FACTS_PER_BLOCK];
}
Atom env_atom(Env *e, Atom a);                   // substituted
Atoms env_atoms(Env *e, Atoms atoms);            // in place
Type renv_type(Env *e, Type t);
void env_exp(Env *e, Exp *exp);                  // operands, and sizes in lambdas' result types
void env_bound(Env *e, const Stm *stm);          // sizes in the types of what it binds
void env_bind(Env *e, Var v, Atom a);            // v represents a from here on
void env_bind_here(Env *e, Var v, Atom a);       // until the end of the current body
void env_below_here(Env *e, Var v, Atom below);  // 0 <= v < below in the current body
void env_least_here(Env *e, Var v, int64_t least);  // v >= least in the current body
void env_most_here(Env *e, Var v, int64_t most);  // v <= most in the current body
void env_sizes_here(Env *e, Var v);              // the extents of v's type are not negative
void env_emit(Env *e, Stm stm);                  // appends and registers the definition
void env_register(Env *e, int from);             // statements appended since `from`
void env_use_body(Env *e, const Body *body);     // a copy: all that it mentions is used once more
Stm *renv_def(Env *e, Atom a);                    // NULL for constants and parameters
Stm *env_def_as(Env *e, Atom a, Form form);      // NULL unless defined by that form
int env_uses(Env *e, Atom a);                    // a large number where not known
bool env_unused(Env *e, Var v);                  // for certain
bool env_shared(Env *e, Atom a);                 // scalar, or of a class never consumed
bool env_replace(Env *e, Stm *stm, Atom a);      // stm's one result is a; true
bool env_become(Env *e, Stm *stm, Exp exp);      // stm is now exp; try again; false
void env_drop(Env *e, Var v);                    // its statement is to be forgotten
typedef struct {
  Stms *stms;
  int scope, undo, holds;
} BodyMark;
// Statements that take the place of `in` while it is walked.  They are written over it as long as
// they are no more than those taken, of which the walk has copies.
Stms stms_over(Stms in);
void stms_taken(Stms *out, Stms in, int i);  // number i is about to be copied and walked
BodyMark renv_open(Env *e, Stms *out);
void env_close(Env *e, BodyMark mark);

// ---- dependence.c: order between the statements of one body
// What a statement reads and overwrites.  b depends on an earlier a when it uses what a binds,
// or overwrites memory that a reads.
typedef struct {
  Vars uses;            // free variables, sizes in types included
  Vars inner;           // those mentioned elsewhere than among the inputs of a combinator
  LIST(int) reads;      // memory classes of the arrays among uses and bound
  LIST(int) consumes;   // memory classes overwritten (accumulators aside)
} Deps;
typedef struct {
  const Prog *prog;
  Arena *arena;         // of the pass, not of the program
  AliasClasses *classes;
  FreeVars *free_vars;         // nothing changes a body once a statement above it was asked about
  int *var_mark, *class_mark;  // stamps
  int stamp, cap;
} DepsTable;
DepsTable deps_table(const Prog *prog, Arena *scratch, AliasClasses *classes);
Deps *deps_of(DepsTable *t, const Stm *stm);
void deps_add(DepsTable *t, Deps *to, const Deps *more);
void deps_mark_clear(DepsTable *t);                   // the marked set becomes empty
void deps_mark(DepsTable *t, const Stm *stm, const Deps *deps);
bool deps_on_marked(DepsTable *t, const Deps *deps);  // depends on a statement marked

// ---- soac_compose.c: SOACs as one shape, concatenated
// Bound: reductions.., then arrays out..; fn gives (scan inputs.., reduce inputs.., plain..), post,
// NULL without scans, maps (scan outputs.., plain..) to the arrays.
//
// Lambdas of fused groups grow at their front, statement by statement: what is free before the
// first statement of fn and post.
typedef struct {
  int fn, post;
} GroupRoom;
typedef struct {
  Form form;  // MAP represents everything that SCREMA can express; HIST, SCATTER
  Atom width;
  Lambda *fn;
  Atoms inputs;
  Operators scans, reds;
  Lambda *post;
  Vars red_bound, out_bound;
  int n_scan, n_red;  // components
  GroupRoom room;
} Group;
bool stm_is_group(const Stm *stm);
Group group_of(Prog *prog, const Stm *stm, GroupRoom room);
Stm group_stm(Prog *prog, const Group *g, const Stm *like);
// p before c.  drop[i]: output i of p is not wanted any more.  Outputs of p that are inputs of c
// become names.
Group group_merge(Prog *prog, Group p, Group c, const bool *drop);

// ---- fission.c
bool stm_is_costly(const Stm *stm);     // a map, reduction, scan of more than a few instructions
bool stm_adds_in_maps(const Stm *stm);  // a map with maps inside that have accumulators

// ---- helpers on terms -------------------------------------------------------------------------
bool atom_const_i64(Atom a, int64_t *out);
bool var_is_array(const Prog *prog, Var v);               // array or accumulator
Atom dim_at(const Prog *prog, Atom array, int d);
SliceDim slice_full(Atom n);
bool slicedim_is_full(SliceDim s, Atom n);
Slice slice_copy(Arena *arena, Slice s);
Slice slice_fix(Arena *arena, Atoms at);
bool exp_is_cheap(const Exp *exp);                        // a few instructions at most
bool stm_binds_scalars(const Prog *prog, const Stm *stm);
void lambda_drop_param(Lambda *fn, int i);
void lambda_drop_result(Lambda *fn, int i);
void atoms_drop(Atoms *atoms, int i);
void vars_drop(Vars *vars, int i);
void withacc_drop(Stm *stm, int k);                       // accumulator k, its array and result
Stm stm_like(const Stm *stm, Exp exp);                    // same position and attributes
bool match_same_question(const Stm *a, const Stm *b);     // (merge_branches.c)

// ---- alpha_equal.c: equality of expressions up to the names bound inside them
typedef struct AlphaHash AlphaHash;  // of bodies that nothing changes once they were met
AlphaHash *alpha_hash_new(const Prog *prog, Arena *scratch);
uint64_t alpha_hash(AlphaHash *known, const Exp *exp);
bool alpha_same(const Prog *prog, Arena *scratch, const Exp *a, const Exp *b);
// Step by step: first what counts as equal, then statements, whose results count from then on.
typedef struct Alpha Alpha;
Alpha *alpha_new(const Prog *prog, Arena *scratch);
void alpha_twin(Alpha *alpha, Var a, Var b);
bool alpha_stm(Alpha *alpha, const Stm *a, const Stm *b);

// ---- vector_cost.c: maps of few iterations that stay loops
// Mapped over n: costs less as vector code.
bool map_is_vectorisable(const Target *target, const Lambda *fn, int64_t n);
bool exp_is_vectorised(const Target *target, const Exp *exp);  // its iterations run in SIMD lanes

// ---- scalar_replace.c
enum { SMALL_ARRAY = 32 };                  // elements
bool type_is_small(Type t, int64_t *count); // constant extents, at most SMALL_ARRAY elements

// ---- index_range.c
// Integer expressions as sums of constant * variable; enough to prove indices in range.
void env_vectors_here(Env *e, const Vars *params);         // of a function: their extents
void env_iterations_here(Env *e, Atom n);                  // n of them are made
void env_at_most_here(Env *e, Atom x, Atom y, int64_t k); // x + k <= y in the current body
void env_differ_here(Env *e, Atom x, Atom y);             // x != y, likewise
void env_counts_here(Env *e, Var v, const struct iota_form *iota);  // v is an element of it
bool atom_at_most(Env *e, Atom x, Atom y);                // x <= y for certain
bool index_in_range(Env *e, Atom index, Atom dim);        // 0 <= index < dim for certain
bool atom_in_periods(Env *e, Atom x, Atom d, int64_t first, int64_t end);  // first d <= x < end d
bool atom_nonneg(Env *e, Atom a);
bool atoms_differ(Env *e, Atom a, Atom b);                // for certain

// ---- diff_types.c: scalar types of which a derivative that is still to be taken may be, as bits
uint32_t prims_differentiable(const Prog *prog);
bool env_differentiable(const Env *e, Prim p);

// ---- rules_control.c
void env_assume(Env *e, Atom cond, bool holds);           // in the rest of the current body

// ---- soac_inputs.c: what all forms with one lambda over inputs share
bool exp_counts(const Prog *prog, const Exp *exp);  // iota n 0 1 in i64: the iterations of a map
// the statement if it is a map; of a withacc the one map of its lambda's body; otherwise NULL
Stm *stm_map_within(Stm *stm);
void inputs_simplify(Env *e, Atom width, Lambda *fn, Atoms *inputs);
void env_enter_params(Env *e, const Vars *params);        // at the start of a lambda's body
void env_iota_params(Env *e, Atom width, const Vars *params, const Atoms *inputs);

// ---- rules of simplify: true when the statement was replaced or removed ------------------------
bool rule_prim(Env *e, Stm *stm);
bool rule_conv(Env *e, Stm *stm);
bool rule_index(Env *e, Stm *stm);
bool rule_update(Env *e, Stm *stm);
bool rule_copy(Env *e, Stm *stm);
bool rule_replicate(Env *e, Stm *stm);
bool rule_reshape(Env *e, Stm *stm);
bool rule_rearrange(Env *e, Stm *stm);
bool rule_reverse(Env *e, Stm *stm);
bool rule_rotate(Env *e, Stm *stm);
bool rule_concat(Env *e, Stm *stm);
bool rule_literal(Env *e, Stm *stm);
bool rule_match(Env *e, Stm *stm);
bool rule_loop(Env *e, Stm *stm);
bool rule_assert(Env *e, Stm *stm);
bool rule_apply(Env *e, Stm *stm);
bool rule_map(Env *e, Stm *stm);
bool rule_reduce(Env *e, Stm *stm);
bool rule_scan(Env *e, Stm *stm);
bool rule_screma(Env *e, Stm *stm);
bool rule_hist(Env *e, Stm *stm);
bool rule_scatter(Env *e, Stm *stm);
bool rule_withacc(Env *e, Stm *stm);
bool rule_updateacc(Env *e, Stm *stm);
bool rule_onehot(Env *e, Stm *stm);  // opt/onehot/pass.c
bool onehot_may_apply(const Prog *prog);
// opt/loops/classes.c: once the loops inside are done; before, where they should be parts of it
bool rule_loops(Env *e, Stm *stm);
bool rule_loop_nest(Env *e, Stm *stm);

// ---- the passes on a private copy; the pass functions wrap these --------------------------------
void simplify_stms_of(Env *e, Stms stms);  // into e->to, by the rules
// A copy of the body of a lambda this walk has not been through yet, simplified into e->to.
Atoms env_inline(Env *e, const Lambda *fn, Atoms args);
const bool *vars_live(Prog *prog, Arena *arena);  // by variable: needed for what the program does
int results_without_token(const Prog *prog, const Stm *stm);
// Component k of a reduction of tuples as a reduction by itself; false: others have a part in it.
bool reduce_column(const Prog *prog, Arena *arena, const struct reduce_form *e, int k, Exp *out);
bool dce_prog(Prog *prog);                 // whether there was something to drop
#endif
