// Shared by the files of gen only.
#ifndef GEN_LOCAL_H
#define GEN_LOCAL_H
#include "gen.h"

// Something a statement may use.  roots: one bit for each piece of memory it may share; bit 63
// means memory that is never consumed.
typedef struct {
  Atom atom;
  Type type;
  uint64_t roots;
  bool has_below;
  Atom below;  // with has_below: 0 <= atom < below
  bool consumed;   // consumed, though it has no root
} Known;
typedef LIST(Known) KnownList;

typedef struct {
  Arena *arena;
  Prog *prog;
  Builder b;
  GenOptions options;
  uint64_t rng;
  KnownList known, constants;
  uint64_t dead;   // roots consumed so far
  uint64_t owned;  // roots that may be consumed here
  int roots;       // how many bits are given out
  int budget;      // statements left
  int depth;       // of the current body
  int nested;      // operators around it
  int kernels;     // how often kernels are chosen: their weight
  LIST(Fn *) callees;
  bool wild;       // inputs
} Gen;
#define ROOT_SHARED (1ull << 63)

// ---- scope.c: chance, and what is known
uint32_t gen_random(Gen *g, uint32_t below);
bool gen_chance(Gen *g, int percent);
uint64_t gen_root(Gen *g);                               // fresh, owned here
void gen_know(Gen *g, Atom atom, uint64_t roots);
void gen_know_below(Gen *g, Atom atom, Atom below);
void gen_know_fresh(Gen *g, Vars vars);                  // each its own memory
bool gen_usable(const Gen *g, const Known *k);
bool gen_consumable(const Gen *g, const Known *k);
Known *gen_pick(Gen *g, bool (*fits)(Gen *g, const Known *k));  // a usable one, or NULL
Known *gen_pick_type(Gen *g, Type type);
uint64_t gen_roots_of(Gen *g, Atom atom);
void gen_kill(Gen *g, Atom atom);                        // it is consumed
Prim gen_prim(Gen *g);                                   // f64 mostly
Prim gen_number(Gen *g);                                 // the same, no bool
Prim gen_float(Gen *g);
Prim gen_real(const Gen *g);                             // of what derivatives are taken
Type gen_type(Gen *g, int most_rank);                    // sizes known here
Atom gen_size(Gen *g);
Atom gen_constant(Gen *g, Prim p);
Atom gen_scalar(Gen *g, Prim p);                         // known or constant
Atom gen_value(Gen *g, Type type);                       // known or built
Atom gen_fresh(Gen *g, Type type);                       // an array nothing else holds

// ---- bodies
Atoms gen_body(Gen *g, int statements, Types wants);     // statements here, then values
void gen_statements(Gen *g, int count);
typedef struct {
  int known;
  uint64_t owned;
  Builder b;
} GenMark;
GenMark gen_enter(Gen *g, LambdaBuilder *lb);            // a body that owns nothing yet
void gen_leave(Gen *g, GenMark mark);

// ---- soacs.c: what second-order statements share
typedef struct {
  Atom width;
  Atoms inputs;
  Types rows;
  bool *is_iota;
} GenInputs;
typedef struct {
  LambdaBuilder lb;
  GenMark mark;
  uint64_t dead;
  int consumable;  // the input whose rows the lambda owns, or -1
  uint64_t root;   // of that row
} GenRows;
bool gen_inputs_pick(Gen *g, GenInputs *in);
GenRows gen_rows_begin(Gen *g, const GenInputs *in);
Lambda *gen_rows_end(Gen *g, GenRows *rl, Atoms results);
Operator gen_operator(Gen *g, Types types);  // associative; NULL op: none is known
int gen_body_size(Gen *g);
void gen_bind(Gen *g, Exp exp);              // with fresh results

// ---- kernels.c: a map over the counters 0 .. n-1, and what its body needs
typedef struct {
  LambdaBuilder lb;
  GenMark mark;
  Atom n, i, iota;
} GenOver;
GenOver gen_over_begin(Gen *g, Atom n);
Vars gen_over_end(Gen *g, GenOver *o, Atoms results);
Atom gen_over_end1(Gen *g, GenOver *o, Atom result);
Atom gen_array(Gen *g, Prim p, Atom n);      // [n]p
Atom gen_matrix(Gen *g, Prim p, Atom n, Atom m);
Atom gen_read1(Gen *g, Atom array, Atom i);
Atom gen_read2(Gen *g, Atom array, Atom i, Atom j);
Atom gen_total(Gen *g, Atom xs);             // reduce (+) 0 xs
Atom gen_chosen(Gen *g, Atom test, Atom x, Atom y);  // by an integer: a branch or a selection
typedef struct {                             // for i < n, with its state
  LambdaBuilder lb;
  GenMark mark;
  Atom n, i;
  Atoms inits, state;
} GenLoop;
GenLoop gen_loop_begin(Gen *g, Atom n, Atoms inits);  // arrays are unique: they are consumed
Vars gen_loop_end(Gen *g, GenLoop *l, Atoms next);
Atom gen_indices(Gen *g, Atom n);            // [n]i64: any numbers
Atom gen_near(Gen *g, Atom i, Atom n, Atom indices);  // a place near counter i < n, or elsewhere
Atom gen_clamped(Gen *g, Atom x, Atom n);    // below n
Atom gen_mix(Gen *g, Atom x, Atom y);        // of two numbers
Attrs gen_loop_attrs(Gen *g, const Exp *exp);

// ---- one statement of a kind; false: nothing fits
bool gen_stm_scalar(Gen *g);
bool gen_stm_array(Gen *g);
bool gen_stm_view(Gen *g);
bool gen_stm_index(Gen *g);
bool gen_stm_update(Gen *g);
bool gen_stm_map(Gen *g);
bool gen_stm_fold(Gen *g);
bool gen_stm_screma(Gen *g);
bool gen_stm_hist(Gen *g);
bool gen_stm_scatter(Gen *g);
bool gen_stm_withacc(Gen *g);
bool gen_stm_match(Gen *g);
bool gen_stm_for(Gen *g);
bool gen_stm_while(Gen *g);
bool gen_stm_apply(Gen *g);
bool gen_stm_sized(Gen *g);
bool gen_stm_withvjp(Gen *g);
bool gen_stm_assert(Gen *g);
bool gen_stm_kernel(Gen *g);
bool gen_stm_scatters(Gen *g);
bool gen_stm_derivative(Gen *g);
bool gen_stm_bits(Gen *g);
bool gen_stm_guards(Gen *g);
bool gen_stm_bounded(Gen *g);
bool gen_stm_shapes(Gen *g);
bool gen_stm_tuples(Gen *g);
bool gen_stm_rounds(Gen *g);
bool gen_stm_overwritten(Gen *g);
bool gen_stm_patterns(Gen *g);
bool gen_stm_particular(Gen *g);
void gen_columns(Gen *g);                                // parts of rows, in a loop
void gen_appends(Gen *g);                                // an array that grows
void gen_additions(Gen *g);                              // a nest with an accumulator
void gen_ties(Gen *g);                                   // equal operands of min and max
Atom gen_function(Gen *g, Prim p);                       // of floats that are known
Atom gen_index(Gen *g, Atom dim, bool *ok);              // an i64 known to be below dim

// ---- program.c: functions
Fn *gen_fn_begin(Gen *g, const char *name);
Var gen_param_add(Gen *g, Fn *fn, const char *base, Type type, bool unique);
void gen_result_add(Gen *g, Fn *fn, Atom atom, bool unique);

// ---- recursive.c
Fn *gen_recursive(Gen *g, int number);
Fn *gen_recursive_call(Gen *g, const Fn *deep, int number);  // a callee that calls it

// ---- census.c
typedef struct {
  const char *name;
  int64_t times;
  int programs, last;  // the last program that has it
  bool expected;       // somewhere in many programs
} CensusRow;
struct GenCensus {
  Arena *arena;
  Names *names;
  Map *rows;  // by interned name
  int programs;
};
CensusRow *gen_census_row(GenCensus *c, const char *name);
#endif
