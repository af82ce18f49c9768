// Shared by the files of ad only.  Letters as in doc/ad.md: dx tangent of x, xB adjoint of x.
//
// Both modes read a *source* lambda that is never itself emitted and write statements through a
// Rewrite whose substitution P says which emitted atom holds the value of a source variable now.
// The same source scope may be emitted any number of times; P holds the latest copy.
#ifndef AD_LOCAL_H
#define AD_LOCAL_H
#include "ad.h"
#include "ad/normalise/normalise.h"
#include "guarded.h"

// Facts about the source code's scopes.
typedef struct {
  const Prog *prog;
  FreeVars *free_vars;
  Map *scopes;  // Body * -> what tbr.c found
} TbrCache;

// ---- builders.c
_Noreturn void ad_unsupported(const Prog *prog, const Loc *loc, const char *what);
bool atom_absent(Atom a);
Atom atom_none(void);
Atoms atoms1(Arena *arena, Atom a);
Atoms atoms2(Arena *arena, Atom a, Atom b);
Atoms atoms3(Arena *arena, Atom a, Atom b, Atom c);
Types types_rows(const Prog *prog, Atoms arrays);  // one row of each; accumulators whole

bool op_carries(Op op, Prim p, int i);
bool op_is_bits(Op op);
bool operator_is(const Lambda *op, Op *kind, Prim *prim);  // a scalar operation, elementwise
bool operator_is_sum(const Lambda *op);
bool rule_is_sum(const Prog *prog, const Lambda *op);  // and the rules for sums are wanted

// Statements whose result types follow from their operands.
Vars build_exp(Builder *b, const char *hint, Exp exp);
Atom build_exp1(Builder *b, const char *hint, Exp exp);
Atom build_quot(Builder *b, Atom x, Atom y);         // y is not zero
Atom build_times(Builder *b, Atom x, Atom y);        // scalars; `and` on bool
// The same, marked as a product by derivatives (core.h: Attrs.linear), unless zeros count as IEEE
// says.
enum { LINEAR_FIRST = 1, LINEAR_SECOND = 2, LINEAR_BOTH = 3 };
Atom build_linear(Builder *b, Atom d, Atom J, int which);
Atom build_plus(Builder *b, Atom x, Atom y);         // any type; `or` on bool
Atom build_fit(Builder *b, Atom x, Type type);       // x at a type equal but for names of sizes
Atom build_slice(Builder *b, Atom x, Atom start, Atom count);      // a view, dimension 0
Atom build_slice_all(Builder *b, Atom x, Slice slice, bool unchecked);
Atom build_slice_update(Builder *b, Atom x, Slice slice, Atom value, bool unchecked);
Atom build_flat(Builder *b, Atom x);                 // an array as one dimension
Atom build_reverse(Builder *b, Atom x);
Atoms atoms_reversed(Builder *b, Atoms arrays);
Atom build_scratch(Builder *b, Type type);
Atom build_width(Builder *b, Atom bound);            // max(i64 bound, 0)
Atom build_gather(Builder *b, Atom array, Atom indices);  // rows, zeros where out of range
Atom build_literal(Builder *b, const char *hint, Prim prim, Atoms elems);
Slice slice_fixed(Arena *arena, Atoms at);
Type type_fresh(Type t);                             // not unique
Atom atom_width(const Prog *prog, Atom array);

// match cond { true -> .. ; _ -> .. }
typedef struct {
  Builder *outer, then, otherwise;
  Atom cond;
  Case *yes, *no;
} PickBuilder;
PickBuilder pick_begin(Builder *b, Atom cond);
Atom pick_end(PickBuilder *p, Type type, Atom yes, Atom no);
Atoms pick_end_all(PickBuilder *p, Atoms yes, Atoms no);
Atom shift_right(Builder *b, Atom width, Atom xs, Atom ne);  // ne, xs[0], xs[1], ..

// A map under construction.
typedef struct {
  Builder *outer;
  LambdaBuilder lb;
  Atom width;
  Atoms inputs;
  FreeVars *free_vars;  // of the bodies that are complete; or NULL
} MapBuilder;
MapBuilder map_begin(Builder *b, Atom width, Atoms inputs);
Atom map_param(const MapBuilder *m, int i);
Vars map_end(MapBuilder *m, const char *hint, Atoms results);  // drops unused inputs
Atom map_end1(MapBuilder *m, const char *hint, Atom result);
Vars build_map(Builder *b, Atom width, const Lambda *fn, Atoms inputs);
Atoms build_scan(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs);
Atoms build_reduce(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs);
// Exclusive prefixes: element 0 is the neutral element.
Atoms build_scan_exclusive(Builder *b, Atom width, const Lambda *op, Atoms neutral, Atoms inputs);

// A withacc that adds, under construction: its function's body goes to `inner`.
typedef struct {
  Builder *outer;
  Builder inner;
  Lambda *fn;
  Atoms arrays;
} AccBuilder;
AccBuilder acc_begin(Builder *b, Atoms arrays);
Atom acc_param(const AccBuilder *a, int k);
Vars acc_end(AccBuilder *a, Atoms results);  // updated arrays, then other results

// ---- erase_accs.c: code without some accumulators
typedef struct {
  Arena *arena;
  const Prog *prog;
  Map *tokens;        // of these, to anything but NULL
} AccErase;
bool erase_has(const AccErase *g, Type t);
bool erase_stm(const AccErase *g, const Stm *stm, Stm *out);  // false: nothing of it is left
void erase_copy(const AccErase *g, Rewrite *w, const Stm *stm);  // what is left of it

// ---- calls.c, call_rules.c: derivatives of functions
// One character per parameter or result, '1' for those meant.
typedef const char *Mask;
Calls *calls_new(const Prog *from, const Rewrite *w, bool strict);
bool calls_strict(const Calls *c);
VarSet *calls_counted(Calls *c);  // trip counts that copies of while loops find (while_to_for.c)
void calls_import(Calls *c, const Body *body);  // the functions that source code reaches
const Fn *calls_fn(Calls *c, const char *name);  // its signature, in the program built
Mask calls_varied(Calls *c, const char *name, Mask args);  // results that depend on these arguments
Mask calls_useful(Calls *c, const char *name, Mask varied, Mask results);  // and the other way
// The name of the derivative function, which is made when the pass ends: doc/ad.md 4.15.
const char *calls_jvp(Calls *c, const char *name, Mask args, Mask results);
const char *calls_vjp(Calls *c, const char *name, Mask varied, Mask args, Mask results);
void calls_finish(Calls *c);  // makes them
const Prog *calls_schedule(Calls *c);  // loops/schedule.ir
void calls_bring(Calls *c, const char *name);  // the program built gets this function of it
Mask mask_of(const VarSet *set, Atoms atoms);
// Whether the adjoint of a parameter goes through the derivative; results that are sizes of others.
bool apply_sums(const Prog *prog, const Fn *fn, int param);
Atoms apply_sizes(Arena *arena, const Prog *prog, const Fn *fn, Atoms results);
// Whether result k is a new array, no other result, bound since the builder's first statement.
bool ad_fresh(const Builder *b, int from, Atoms results, int k);

// ---- activity.c --------------------------------------------------------------------------------
// Adds the variables of the body that depend on members of the set through nonzero partials.
void varied_body(const Prog *prog, VarSet *varied, const Body *body);
// Adds what the members of the set depend on in that way; only members of `varied` count.
void useful_body(const Prog *prog, const VarSet *varied, VarSet *useful, const Body *body);
void useful_atom(const VarSet *varied, VarSet *useful, Atom a);
void useful_stm(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm);
// The outer variables that results of statements with bodies depend on, by the results asked for:
// where every level of a nest asks, each is walked once.
UsefulCache *useful_cache_new(FreeVars *free_vars, Arena *arena);
// Adds what return-sweep code for the body mentions, given the active variables; with everything
// the re-execution of the body needs for that.
// keep: the arrays that adjoint code reads itself; their memory must survive, or be restored.
// given: variables that are not computed again but taken from another (Var *), by id.
void tbr_body(TbrCache *tbr, const VarSet *active, const Map *reload, VarSet *need, VarSet *restore,
               const Body *body);
// The variables whose values are wanted for more than to tape loops' parameters on the way, and
// what those depend on that are in the set.
void tbr_used(TbrCache *tbr, const VarSet *active, const Map *reload, VarSet *used,
              const Body *body);
// Only what adjoint code mentions itself.
void tbr_direct(TbrCache *tbr, const VarSet *active, VarSet *need, const Body *body);
bool form_shares_memory(Form form);  // results may be views of operands
Atoms withvjp_carrying(const Prog *prog, const struct withvjp_form *e);  // arguments

// ---- jvp.c and friends -------------------------------------------------------------------------
// The statement's results bound through P; returns nothing.  See jvp.c.
typedef struct Jvp {
  Rewrite w;       // first
  bool marks;      // tangents are sets of marks: u64, united where derivatives are added
  VarSet varied;
  Guarding safe;
  Map *tangents;   // source variable id -> Atom *; absent: zero
  const Loc *loc;
} Jvp;
Builder *jvp_builder(Jvp *j);
Type tangent_type(const Jvp *j, Type primal);
Atom tangent_of(const Jvp *j, Atom source);               // atom_none() when zero
Atom tangent_dense(Jvp *j, Atom source);                  // zeros made when needed
void tangent_set(Jvp *j, Var source, Atom dx);
void jvp_stm(Jvp *j, const Stm *stm);
void jvp_stms(Jvp *j, Stms stms);
// Binds the results of the emitted statement to primals then tangents of the source's results.
Atoms jvp_call(Jvp *j, const Lambda *fn, Atoms args, Atoms tangents);  // inlined: (b.., db..)
void jvp_match(Jvp *j, const Stm *stm);
void jvp_loop(Jvp *j, const Stm *stm);
void jvp_map(Jvp *j, const Stm *stm);
void jvp_reduce(Jvp *j, const Stm *stm);
void jvp_scan(Jvp *j, const Stm *stm);
void jvp_hist(Jvp *j, const Stm *stm);
void jvp_scatter(Jvp *j, const Stm *stm);
void jvp_withacc(Jvp *j, const Stm *stm);
void jvp_updateacc(Jvp *j, const Stm *stm);
void jvp_withvjp(Jvp *j, const Stm *stm);  // custom_rule.c, both modes
// Every result depends on all of these.
void marks_spread(Jvp *j, const Stm *stm, Atoms sources);
void jvp_apply(Jvp *j, const Stm *stm);    // call_rules.c, both modes
Atoms ad_jvp(Builder *b, const struct jvp_form *e, const Loc *loc, Calls *calls);
// fn prepared, at these arguments; absent tangents are zero: (b.., dense db..).
// The tangents of the results alone, absent where zero, of a lambda prepared for forward mode.
Atoms ad_jvp_sparse(Builder *b, const Lambda *fn, Atoms args, Atoms tangents, Calls *calls);
Atoms ad_jvp_body(Builder *b, const Lambda *fn, Atoms args, Atoms tangents, Calls *calls);
Atoms ad_depends(Builder *b, const struct depends_form *e, const Loc *loc, Calls *calls);

// ---- adjoints.c: reverse mode's environment
typedef enum { ADJ_ZERO, ADJ_VAL, ADJ_BROADCAST, ADJ_SPARSE, ADJ_ACC, ADJ_VIEW } AdjKind;
// One row of a sparse adjoint: v at outermost index i, if guard.
typedef struct {
  Atom guard, index, value;
  bool unchecked;  // the index is known to be in range where the guard holds
} SparseRow;
typedef LIST(SparseRow) SparseRows;
// The adjoint of one variable.  VAL: an array or scalar, updated in place only if owned.  FILL:
// every row is `value`.  ACC: an accumulator.  VIEW: the part at `prefix` of the accumulator that
// is the adjoint of `root`.
typedef struct {
  AdjKind kind;
  bool owned;
  Atom value;
  SparseRows triples;
  Var root;
  Atoms prefix;
} Adj;
typedef struct {
  uint32_t id;
  Adj old;
} Trail;
enum { ADJ_PAGE = 64 };
// The log entries of a loop's iteration: room enough for any loop in it.
typedef struct UpdateChain UpdateChain;
typedef struct {
  const UpdateChain *chain;
  Atom values, indices;
} LogMark;

typedef struct LoopSave LoopSave;
// A loop whose adjoint code uses the undo log of the loop around it, and its own part of that log.
typedef struct {
  const Stm *loop;
  LoopSave *save;
} Nested;

typedef struct Vjp {
  Rewrite w;          // first
  Adj **adj;          // pages of ADJ_PAGE, by source variable; NULL: all zero
  int pages;
  LIST(Trail) trail;  // what to restore when a scope is left
  VarSet varied, active;
  UsefulCache *reached;
  TbrCache tbr;
  Guarding safe;
  VarSet entry_restore;  // of the next scope: objects to be handed back as they were
  VarSet restore;        // of the scope whose forward sweep is being emitted
  Map *saves;         // Stm * -> what its forward sweep left for its adjoint code
  // source variable id -> Var *, where re-executed code takes its value: scalar_tape.c
  Map *reload;
  // Body * of the source -> what its results share memory with: recompute_views.c
  Map *shares;
  Map *cotangents;    // token of an accumulator -> Atom *, the adjoint of its array
  VarSet overwritten; // by the forward sweep, until they are restored from the undo log
  VarSet rolled_back;      // emitted arrays made by rolling back; the reverse sweep owns them
  LIST(LogMark) log_marks;  // by the iterations whose adjoint code is being emitted
  VarSet known;       // trip counts popped, of loops in the same iteration
  Nested nested;      // nested_log.c
  const Stm *counter; // the while loop that counts the trips of the loop now emitted, or NULL
  int level;          // 0: results of the scope are still wanted after the reverse sweep
  const Loc *loc;
  // the reverse sweep is inside a map: what the forward sweep made is not its own
  bool vector;
  bool shared;        // it will be
  const Body *body;   // of the scope
  bool valued;        // the results of the outermost scope are wanted
  int maps;           // around the adjoint code that is being emitted
} Vjp;
Builder *vjp_builder(Vjp *v);
Arena *vjp_arena(Vjp *v);
Atom primal_of(Vjp *v, Atom source);            // P: the atom that holds its value
Type primal_type(Vjp *v, Var source);
bool is_varied(const Vjp *v, Atom a);
Adj adj_get(const Vjp *v, Var x);
void adj_set(Vjp *v, Var x, Adj adj);
Adj adj_val(Atom value, bool owned);
bool adj_is_zero(const Vjp *v, Var x);
int scope_begin(Vjp *v);
void scope_end(Vjp *v, int mark);
Atom adj_dense(Vjp *v, Adj adj, Type type, bool *owned);  // materialised
Atom adj_value(Vjp *v, Var x);            // materialised A(x), stored back
Atom adj_owned(Vjp *v, Var x);            // the same, may be consumed by the caller
void contribute(Vjp *v, Atom x, Atom c, bool fresh);
void contribute_adj(Vjp *v, Atom x, Adj adj);
void contribute_broadcast(Vjp *v, Atom x, Atom row);
void contribute_at(Vjp *v, Atom x, Slice slice, Atom c, bool unchecked);  // source x, emitted slice
void contribute_row(Vjp *v, Atom x, SparseRow triple);
// x[is[j]] += cs[j] for every j; indices out of range are ignored.
void contribute_scattered(Vjp *v, Atom x, Atom is, Atom cs);
// revBody: re-executes what adjoint code needs, then adjoint code seeded by `seeds`, the adjoints
// of the body's results.
void vjp_body(Vjp *v, const Body *body, const Adj *seeds);
void vjp_stms_forward(Vjp *v, Stms stms, const VarSet *need);  // need NULL: all
void vjp_stms_return(Vjp *v, Stms stms);
void vjp_copy(Vjp *v, const Stm *stm);    // the forward statement, without removed accumulators
bool is_emitted(const Vjp *v, const Stm *stm);  // in the current scope
void save_put(Vjp *v, const Stm *stm, void *save);
void *save_get(const Vjp *v, const Stm *stm);
bool acc_is_erased(const Vjp *v, Type t);   // its WITHACC is being reversed
bool acc_is_seeded(const Vjp *v, Type t);  // and the array it becomes has an adjoint
Atom consumable(Vjp *v, Atom present);    // an array the reverse sweep may overwrite
void rollback(Vjp *v, Var x, Atom present);            // P(x) := present
// once all that a statement overwrote is back
void recompute_views(Vjp *v, Stms before, Atoms rolled_back);
void rollback_var(Vjp *v, Stms before, Var x, Atom present);  // both, of one
void activate(Vjp *v, const Lambda *fn, const bool *params);  // analyses of a lambda of our own
// Free variables of fn that contributions reach when the marked results are seeded.
Vars useful_free(Vjp *v, const Lambda *fn, const bool *seeded, VarSet *useful);
Vars view_roots(Vjp *v, Vars vars);  // views replaced by what they are views of
typedef struct { bool valued, inside; } VjpUse;  // something uses the results; it is in a map
Atoms ad_vjp(Builder *b, const struct vjp_form *e, const Loc *loc, Calls *calls, VjpUse use);
// fn prepared; adjoints of results are absent where zero, sums, which adjoints are added to, where
// there is none.  The adjoints of the wanted parameters, where the varied ones vary.
Atoms ad_vjp_forward(Builder *b, const struct vjp_form *e, Calls *calls);  // vjp_forward.c
Atoms ad_eliminate(Builder *b, const Stm *stm, bool strict);  // eliminate/: jvp or vjp
typedef struct { Atoms args, seeds, sums; Mask varied, wanted; } VjpCall;
Atoms ad_vjp_body(Builder *b, const Lambda *fn, VjpCall call, Calls *calls);

// ---- vjp_<form>.c ------------------------------------------------------------------------------
void vjp_prim(Vjp *v, const Stm *stm);
void vjp_conv(Vjp *v, const Stm *stm);
void vjp_array(Vjp *v, const Stm *stm);
void vjp_update_forward(Vjp *v, const Stm *stm);
void vjp_update(Vjp *v, Stms before, const Stm *stm);
// Adjoints that meet after branches: those of the wanted variables when a branch ends.
typedef struct { Body body; Adj *adj; } JoinBranch;
typedef struct {
  Vjp *v;
  Vars wanted;
  Builder outer;
  LIST(JoinBranch *) branches;
  JoinBranch *now;
  int mark;
  Types types;
} Join;
Join join_begin(Vjp *v, Vars wanted);
void join_enter(Join *j);
void join_leave(Join *j);
void join_end(Join *j, Atoms args, const Cases *pats);  // pats: the patterns of each branch
void vjp_match(Vjp *v, const Stm *stm);
void vjp_map(Vjp *v, const Stm *stm);
// Adjoint code of `map width fn inputs` (inputs emitted): adjoints of the inputs, none where zero
// or not in `want`; free variables of fn are contributed to, and so are those of `sources` (the
// inputs as source variables, or empty) whose adjoints are accumulators.
Atoms vjp_map_with(Vjp *v, Atom width, const Lambda *fn, Atoms inputs, Atoms sources,
                   const Adj *seeds, const bool *want);
// Row k receives contributions in few cells, and its array's adjoint is an array: vjp_rows.c
bool map_input_is_sparse(Vjp *v, const Lambda *fn, int k, Var source);
void vjp_reduce_forward(Vjp *v, const Stm *stm);
void vjp_reduce(Vjp *v, const Stm *stm);
Lambda *operator_constant(Vjp *v, const Lambda *op);         // op, contributing to no free variable
bool operator_is_extremum(const Prog *prog, const Lambda *op, Op *kind, Prim *p);
Lambda *extremum_operator(Vjp *v, Op kind, Prim p);
void vjp_scan(Vjp *v, const Stm *stm);
// r_j = w_j + J1 op(ys[j], xs[j+1])^T r_(j+1), for arrays of this width; all but ys last j first.
typedef struct {
  Atom width;
  Atoms ys, before, xs, w;  // before: ne, ys[0], ys[1], ..
} Recurrence;
bool recurrence_by_blocks(Vjp *v, const Lambda *op, Recurrence e, Atoms *r);  // vjp_scan_linear.c
Atoms first_operands(Vjp *v, const Lambda *op, Atoms args, const Adj *seeds);
void vjp_hist_forward(Vjp *v, const Stm *stm);
void vjp_hist(Vjp *v, Stms before, const Stm *stm);
Atom build_in_range(Builder *b, Atom i, Atom k);                 // vjp_hist_fold.c
Atoms vjp_hist_tape(Vjp *v, const Stm *stm);           // per value, what was in its bin before
void vjp_hist_general(Vjp *v, const Stm *stm, Atoms seen);
Atom build_scatter(Builder *b, Atom width, Atom dest, Atom is, Atom values);
// Adjoint code of what wrote rows of its destination k at is: there are the rows that were.
void rows_put_back(Vjp *v, const Stm *stm, int k, Atom is, Atom rows);
void vjp_scatter_forward(Vjp *v, const Stm *stm);
void vjp_scatter(Vjp *v, Stms before, const Stm *stm);
// Further parameters of an emitted loop.
typedef struct {
  Vars params;
  Atoms inits, results;
  Vars deferred;           // of the source: put in row late_row of late_tapes when the body is done
  Atoms deferred_tapes;
  Atom deferred_row;
  const Stm *count;    // the loop emitted is a while loop again that counts its trips, as this does
} ExtraParams;
// Stacks for what is overwritten in one object; in counting mode only their heights.
typedef struct {
  const UpdateChain *chain;
  bool size_only;
  Atom values, value_top, indices, index_top;
} UndoLog;
typedef LIST(UndoLog) UndoLogs;
typedef struct {
  const UpdateChain *chain;
  Atom object, values, value_top, indices, index_top;
  bool inside;  // of a loop that is undone
} Undo;
// The classes of a loop's parameters: see loop_forward.c.
typedef enum {
  TAPE_NONE, TAPE_INVARIANT, TAPE_AFFINE, CLASS_GROWS, TAPE_UNDO, TAPE_ROWS, TAPE_RAGGED
} TapeKind;
typedef struct {
  TapeKind class;
  Atom step;           // CLASS_AFFINE
  Atom tape, offsets;  // after the forward loop
  UpdateChain *chain;        // CLASS_OBJECT
  UndoLog stacks;         // after the forward loop
} Tape;
typedef struct Checkpoint Checkpoint;
// Scalars of the body that are taped instead of parameters (scalar_tape.c).
typedef struct {
  Lambda *forward, *back;  // the body that makes `made`, the body that reads `kept`
  Vars made, kept;         // per scalar an array of one iteration; where bounded parameters, too
  Atoms tapes;             // after the forward loop: those of all iterations
} ScalarTape;
struct LoopSave {
  Tape *tapes;
  ScalarTape *store;        // or NULL
  Atom trips;              // i64, not negative
  Checkpoint *checkpoint;  // NULL: every value of taped parameters is kept
};
// The values that the return loop of a checkpointed loop carries.
typedef struct {
  Atoms states;        // per parameter of the source: the values stored, or none
  Atoms values;        // those of the current iteration
  // which iterations they start; how many there are, without a store rows free
  Atom snap_iters, count;
  Atoms tapes;         // of a block
} Snapshots;
// scalar_tape.c
ScalarTape *scalar_tape_choose(Vjp *v, const struct loop_form *e, const LoopSave *save);
VarSet loop_inside(Arena *arena, const Lambda *fn);  // parameters and what the body itself binds
void loop_recomputable(Vjp *v, const struct loop_form *e, const LoopSave *save, Atom i);
Atoms forward_inits(Vjp *v, const struct loop_form *e, const LoopSave *save);
Atom element_count(Builder *b, Type t);
VarSet loop_tbr(Vjp *v, const Lambda *fn);
bool loop_grows(const Prog *prog, const Lambda *fn, int k);  // append_only.c: only at its end
bool varies_in_size(const Lambda *fn, Type t);  // a size is a parameter of fn
bool forward_elidable(Vjp *v, const Stm *stm);  // elide_forward.c
// checkpoint.c
bool checkpoint_applies(Vjp *v, const Stm *stm, LoopSave *save);
void checkpoint_forward(Vjp *v, const Stm *stm, LoopSave *save);
void snaps_params(Vjp *v, Snapshots *snaps, const LoopSave *save, const struct loop_form *e,
                  Lambda *fn, Atoms *inits);
// The state of an iteration or, with a store, the tapes of a block: of the one before the last j.
void snaps_restore(Vjp *v, Snapshots *snaps, const struct loop_form *e, const LoopSave *save,
                   Atom to, Atom j);
void snaps_results(Vjp *v, const Snapshots *snaps, const LoopSave *save, Atoms *out);
Atom checkpoint_blocks(const LoopSave *save);  // how many blocks the iterations are in
// Block number b: its first iteration, how many it has.
void checkpoint_block(Vjp *v, const LoopSave *save, Atom b, Atom *first, Atom *count);
Atoms stores_scratch(Vjp *v, const ScalarTape *store, Atom rows);
Var extra_param(Vjp *v, ExtraParams *x, Atom init);
Lambda *loop_lambda(Vjp *v, const struct loop_form *e, Stms **saved);
Vars loop_emit(Vjp *v, const Stm *stm, Lambda *fn, Stms *saved, ExtraParams *x, Atoms inits,
               UndoLogs *ps);
// While loops in loops: trip_counts.c.
bool trips_are_counted(Vjp *v, Stms stms, int i);  // statement i counts for the next one
void trips_counted(Vjp *v, const Stm *count, Stm *out, Atom next);
void trips_known(Vjp *v, Atom bound, Atom trips);
void trips_forget(Vjp *v, Stms stms);
bool trips_are_known(const Vjp *v, const Stm *stm, const VarSet *need);
// a loop of the chain, and its version
bool chain_has(const UpdateChain *c, const Stm *stm, Atom init);
UpdateChain *chain_find(const Prog *prog, Arena *arena, const struct loop_form *e, int k);
void logs_begin(Vjp *v, UndoLogs *ps, ExtraParams *x);
void logs_end(Vjp *v, UndoLogs *ps, ExtraParams *x);
void logs_read(UndoLogs *ps, Vars bound, int *at);
void log_stms(Vjp *v, UndoLogs *ps, Stms stms);
void undo_stms(Vjp *v, Undo *u, Stms stms);
// nested_log.c: the loop that makes all updates of a loop's body, or NULL
const Stm *nested_loop(Vjp *v, const struct loop_form *e, const LoopSave *save, LoopSave **out);
void nested_enter(Vjp *v, const struct loop_form *e, const LoopSave *save, const Undo *undo);
void nested_forward(Vjp *v);
void nested_leave(const struct loop_form *e, const LoopSave *save, const Nested *n, Undo *undo);
LoopSave *loop_tape_kinds(Vjp *v, const struct loop_form *e);
void vjp_loop_forward(Vjp *v, const Stm *stm);
void vjp_loop(Vjp *v, Stms before, const Stm *stm);
bool loop_restores(const Vjp *v, const Stm *stm);  // adjoint code restores what it updates
void vjp_withacc(Vjp *v, const Stm *stm);
void vjp_updateacc(Vjp *v, const Stm *stm);
void vjp_withvjp(Vjp *v, const Stm *stm);
void withvjp_inline(Rewrite *w, const Stm *stm);  // its function in its place
Lambda *withvjp_plain(Builder *b, const Lambda *fn, const VarSet *varied);  // NULL: it is so
void vjp_apply(Vjp *v, const Stm *stm);
#endif
