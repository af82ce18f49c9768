// bulk: programs of whole arrays.  `bulk_from_core` turns maps, reductions, histograms and
// accumulators into statements over whole arrays, whose number depends on the text alone, not on
// sizes; `bulk_to_core` gives core back.  Such programs are differentiated by dual arrays
// (dual.c) and leave as StableHLO (hlo.c).  doc/bulk.md has the rules.
#ifndef BULK_H
#define BULK_H
#include "core/core.h"

// ---- the representation ------------------------------------------------------------------------
typedef enum {
#define BULK(id, ...) BULK_##id,
#include "bulk.def"
  BULK_COUNT
} BulkForm;
typedef struct {
  const char *keyword, *fields;
} BulkInfo;
extern const BulkInfo bulk_info[BULK_COUNT];

typedef struct BulkStm BulkStm;
typedef LIST(BulkStm) BulkStms;
typedef struct {
  Vars params;
  BulkStms stms;
  Atoms results;
  LIST(CasePat) pats;  // of a branch; empty in the last
} BulkBody;
typedef LIST(BulkBody) BulkBodies;
typedef struct {
  BulkForm form;
  Op op;
  Prim prim;
  int64_t number;
  bool flag;
  Ints ints;
  Atoms dims;
  Slice slice;
  const Lambda *fn;  // an operator: a closed function of scalars
  Atoms neutral;
  Atoms args;
  BulkBodies bodies;
  const char *text;  // ASSERT
  Data data;         // CONSTANT
  Exp core;          // CORE
} BulkExp;
struct BulkStm {
  Vars bound;  // their types are in the program's table
  BulkExp exp;
  bool unchecked;
  const Loc *loc;
};

// ---- build.c: appending statements.  Trivial ones give their operand.
typedef struct {
  Prog *prog;
  BulkStms *stms;
  const Loc *loc;
} BulkBuilder;
Atom bulk_emit(BulkBuilder *b, const char *hint, Type type, BulkExp exp);
Vars bulk_emit_many(BulkBuilder *b, const char *hint, Types types, BulkExp exp);
// Operands of one shape or scalars.
Atom bulk_prim(BulkBuilder *b, Op op, Prim prim, Atoms args);
Atom bulk_op(BulkBuilder *b, Op op, Atom x, Atom y);  // the operand type from the operands
Atom bulk_op1(BulkBuilder *b, Op op, Atom x);
Atom bulk_select(BulkBuilder *b, Atom c, Atom x, Atom y);
Atom bulk_conv(BulkBuilder *b, Prim to, Atom x);
Atom bulk_term(BulkBuilder *b, const Term *term, Prim p, const Atom *args, Atom result);
Atom bulk_iota(BulkBuilder *b, Atom n, Atom start, Atom step);
Atom bulk_broadcast(BulkBuilder *b, Atom x, Atoms dims, const int64_t *to);
Atom bulk_zeros(BulkBuilder *b, Type type);
Atom bulk_transpose(BulkBuilder *b, Atom x, const int64_t *perm);
Atom bulk_reshape(BulkBuilder *b, Atom x, Atoms dims);
Atom bulk_gather(BulkBuilder *b, Atom x, int batch, Atoms index);
// op NULL: overwrites.  neutral: one element, or none.
Atom bulk_put(BulkBuilder *b, Atom dest, int batch, Operator op, Atoms index_value);
Operator bulk_adder(Prog *prog, Prim p);
Vars bulk_fold(BulkBuilder *b, int dim, const Lambda *op, Atoms neutral, Atoms inputs);
Atom bulk_sum(BulkBuilder *b, int dim, Atom x);
// batch, sum: pairs of dimensions of x and y.
Atom bulk_contract(BulkBuilder *b, Ints batch, Ints sum, Atom x, Atom y);
void bulk_assert(BulkBuilder *b, Atom cond, const char *text, Atoms args);
bool bulk_name_is_default(const char *base);  // one that builders give
void bulk_name_as(Prog *prog, Var v, Var of);  // v, of a default name, is called as the other
Type bulk_without_dim(Prog *prog, Type t, int dim);
Prim bulk_prim_of(const BulkBuilder *b, Atom x);
Slice slice_whole(Arena *arena, Type t, int from);  // full ranges of the dimensions from `from` on

// ---- print.c, share.c, clean.c, moves.c
void bulk_print(Text *out, const Prog *prog, const BulkBody *body, int indent);
void bulk_print_exp(Text *out, const Prog *prog, const BulkExp *exp);
void bulk_share(Prog *prog, BulkBody *body);  // computes equal statements once (share.c)
void bulk_clean(Prog *prog, BulkBody *body);  // drops unread statements
// Fewer transpositions and repetitions, sums in contractions; nothing where statements are core.
void bulk_moves(Prog *prog, BulkBody *body);

// Sums over windows of arrays as convolutions, where sizes are constants (windows.c): the last
// step, for engines that have that operation.
void bulk_windows(Prog *prog, BulkBody *body);

// ---- from_core.c, to_core.c
typedef struct {
  const Loc *loc;
  const char *text;  // construct and reason
} BulkRefusal;
BulkRefusal bulk_refusal(Arena *arena, const Loc *loc, const char *fmt, va_list args);
// The body over parameters that keep their variables; false and *why where it has no bulk form.
// New variables enter prog's table.
bool bulk_from_core(Prog *prog, const Body *body, BulkBody *out, BulkRefusal *why);
// The same; with_vjp keeps its rule, as a statement of core.
bool bulk_from_core_with_rules(Prog *prog, const Body *body, BulkBody *out, BulkRefusal *why);
// Appends the statements to b; the results.
Atoms bulk_to_core(Builder *b, const BulkBody *body);
// The statement as a function of these variables that it mentions.
Lambda *bulk_lambda(Prog *prog, const BulkStm *stm, Vars operands);
// Variables that are mentioned and not bound, sizes included; in order of the first mention.
Vars bulk_operands(Prog *prog, const BulkStm *stm);
Vars bulk_free(Prog *prog, const BulkBody *body);
Prog *pass_bulk(Prog *prog, Arena *arena);  // each function by way of its bulk form, if any

// ---- dual.c: reverse mode by dual arrays
// Code for the vjp, operands of b's program: (value.., adjoint..).  False and *why where the
// function has no bulk form or no Delta terms.
bool bulk_vjp(Builder *b, const struct vjp_form *e, bool strict, Atoms *out, BulkRefusal *why);

// ---- stages.c: of the function as one to differentiate; false and *why where there is none
typedef enum { STAGE_BULK, STAGE_DELTA, STAGE_TRANSPOSED } BulkStage;
bool bulk_stage_print(Text *out, Prog *prog, const Fn *fn, BulkStage stage, BulkRefusal *why);

// ---- formula_print.c: the function in the notation of NumPy; plain: without guards of products.
// False and *why where something has no formula.
bool bulk_formulas(Text *out, Prog *prog, const Fn *fn, bool plain, BulkRefusal *why);
#endif
