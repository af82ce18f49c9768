// Shared by the files of interp only.
#ifndef INTERP_LOCAL_H
#define INTERP_LOCAL_H
#include "interp.h"
#include "rts/nan.h"

// Value lists with the lifetime of a form's evaluation: a bump allocator with marks.
typedef struct ScratchBlock ScratchBlock;
typedef struct {
  ScratchBlock *block;
  int used;
} Scratch;

typedef struct {
  const Prog *prog;
  Arena *arena;
  Scratch scratch;
  InterpOptions options;
  InterpCounts counts;
  IValue *env;      // indexed by Var id; a slot owns its value
  int depth;
  const char *stack_end;  // frames go no lower; NULL: not known
  int64_t steps;
  const Stm *stm;   // the statement being evaluated, for error positions
  Map *fn_vars;     // Fn -> Vars *: what the function binds, for recursion
  Map *active;      // Fn -> itself while it runs
  Map *acc_ops;     // accumulator token -> Lambda *, or NULL for overwriting
  IArray *arrays;   // the ring's start: the arrays that a failed call leaves
  DzLooks looks;    // for trace_nan
  Map *sites;       // Stm -> DzLookSite *
  jmp_buf fail;
  const char *message, *error;
  bool unchecked;   // the statement that failed is marked as one that cannot
} Interp;

// ---- value.c: all functions own what they return ----------------------------------------------
IArray *array_new(Interp *in, Prim prim, int rank, const int64_t *dims);
// For what compiled programs share with another array, or do not write: counted nowhere.
IArray *array_view(Interp *in, Prim prim, int rank, const int64_t *dims);
void array_unlink(IArray *a);                                // out of its call's ring
IValue array_owned(Interp *in, IValue v);                    // refs == 1; consumes v
IValue array_part(Interp *in, const IArray *a, int64_t i);   // row or element i, a copy
void array_part_set(Interp *in, IArray *a, int64_t i, IValue v);
IValue value_copy(Interp *in, IValue v);
int64_t row_len(const IArray *a);
IValue *values_new(Interp *in, int n);                       // until the mark is reset
Scratch scratch_mark(const Interp *in);
void scratch_reset(Interp *in, Scratch mark);
void scratch_free(Interp *in);

// ---- eval.c ------------------------------------------------------------------------------------
_Noreturn void interp_fail(Interp *in, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
IValue atom_get(Interp *in, Atom a);    // borrowed
int64_t atom_int(Interp *in, Atom a);
IValue atom_own(Interp *in, Atom a);    // retained
IValue atom_take(Interp *in, Atom a);   // consumed: moved out of the environment, refs == 1
void var_set(Interp *in, Var v, IValue value);  // takes over value
void stms_eval(Interp *in, const Stms *stms);
void steps_take(Interp *in, int64_t steps);  // fails where the limit of steps is passed
void nan_look(Interp *in, const Stm *stm, const IValue *out);  // nan.c
void nan_arguments(const Interp *in, const Fn *fn, const IValue *args);  // those that come in
void nan_report(Interp *in, const IValues *results);
void body_eval(Interp *in, const Body *body, IValue *out);   // out[results.len]
// Takes over args.
void lambda_eval(Interp *in, const Lambda *fn, IValue *args, IValue *out);
void exp_eval(Interp *in, const Exp *exp, const Vars *bound, IValue *out);
void dims_eval(Interp *in, const Atoms *dims, int64_t out[16]);  // fails on negative sizes
IValue zeros_of_type(Interp *in, Type t, int leading, const int64_t *dims);

// ---- rounding.c: changes the result where the options ask for random rounding
void round_at_random(Interp *in, Op op, const Scalar *args, int count, Scalar *result);
bool random_bit(Interp *in);  // by the same seed

// ---- deep.c
void deep_run(void (*run)(void *state), void *state);  // on a large stack

// ---- one function per form: eval_<form>(in, e, out)
#define FORM(id, member, keyword, fields) \
  void eval_##member(Interp *in, const struct member##_form *e, IValue *out);
#include "core/form.def"
#endif
