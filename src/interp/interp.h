// interp: the reference interpreter of core: slow, obvious, the oracle that every pass, back end
// and differentiation strategy is compared with.  Arrays are values; an update writes in place
// only when nothing else holds the array.
#ifndef INTERP_H
#define INTERP_H
#include "core/core.h"
#include "values/values.h"

// A run-time value: a scalar, or an array of 64-bit cells, row-major, reference counted.
typedef union {
  int64_t i;
  double f;
} Cell;
typedef struct IArray {
  struct IArray *before, *after;  // a ring: what one call has made and not given away
  int refs;
  Prim prim;
  int rank;
  int64_t dims[16];
  int64_t len;
  Cell at[];
} IArray;
typedef struct {
  Scalar scalar;   // when array is NULL
  IArray *array;   // for an accumulator: the array it writes into
} IValue;
typedef LIST(IValue) IValues;

IValue ivalue_scalar(Scalar s);
IValue ivalue_array(Prim prim, int rank, const int64_t *dims);  // zeros; one reference
Scalar cell_scalar(const IArray *a, int64_t i);
void cell_set(IArray *a, int64_t i, Scalar s);
IValue ivalue_retain(IValue v);
void ivalue_release(IValue v);
// Floats: |a - b| <= tolerance * max(1, |a|, |b|), where f32 and f16 have tolerances of their type
// if these are larger.
bool ivalue_same(IValue a, IValue b, double tolerance);
bool ivalue_within(IValue a, IValue b, double tolerance, double share);  // of that distance
void ivalue_print(Text *out, IValue v);                  // for messages: nested brackets

typedef struct {
  int64_t step_limit;   // statements executed, elements of new arrays; 0: none
  int depth_limit;      // nested calls; 0: what the stack has room for
  int64_t memory_limit; // bytes, for derivatives that keep to it; 0: none
  bool trace_nan;       // say on stderr where the first infinity and NaN come from
  bool finite;          // arithmetic on infinite numbers gives NaN: do results depend on it?
  bool trace;           // print what #[trace] asks for on stderr
  // Inexact operations on floats round at random, reductions and scans group their elements at
  // random, by this seed; 0: to nearest, from left to right.
  uint64_t rounding;
} InterpOptions;
typedef struct {
  int64_t scalar_ops, memory_bytes, allocations;
  int64_t functions;  // of the operations, transcendental ones
  int64_t overflows;  // infinite sums and products of finite numbers
  // Statements on the critical path, were everything that may run in parallel to: of a map its
  // longest iteration, of a reduction, scan or histogram as many of its longest operator as n has
  // bits.
  int64_t span;
} InterpCounts;
typedef struct {
  bool ok;
  IValues results;      // in arena; the caller releases them
  const char *error;    // in arena, with backtrace: "..\n\nBacktrace:\n-> #0  f.fut:1:2-3\n"
  const char *message;  // the same without the backtrace
  bool unchecked;       // it failed at a statement that is marked as one that cannot
  InterpCounts counts;
} InterpResult;
// Calls a function of the program; evaluates the program's constants first.  args are borrowed;
// arguments of unique parameters are copied when shared.
InterpResult interp_call(Arena *arena, const Prog *prog, const char *fn, IValues args,
                         const InterpOptions *options);

// ---- nan.c: what rts/nan.h has to know of a statement -------------------------------------------
struct DzLookSite;
struct DzLookSite look_site(const Prog *prog, Arena *arena, const Stm *stm);
size_t look_words(const Prog *prog);  // a bit for every variable

// ---- entry.c: entry points on values as users write them ----------------------------------------
// The entry function of that name; NULL when there is none.
const Fn *interp_entry_fn(const Prog *prog, const char *name);
// The types that an entry point reads, in order; false when one has no text form (*opaque is the
// parameter's number).
bool interp_entry_inputs(Arena *arena, const Fn *fn, ValueTypes *out, int *opaque);
// Calls it: binds the sizes from the arguments (an error when they disagree), flattens a tuple
// result to its components.  An opaque component is an error, as in compiled programs.
typedef struct {
  bool ok;
  Values outputs;
  const char *error, *message;
  bool opaque;  // it went well but for a result without text form
  InterpCounts counts;
} EntryResult;
EntryResult interp_entry(Arena *arena, const Prog *prog, const char *name, Values inputs,
                         const InterpOptions *options);
// The same with inputs and outputs of any type, given as their leaves.
EntryResult interp_leaves(Arena *arena, const Prog *prog, const char *name, Values inputs,
                          const InterpOptions *options);
// ---- abi_print.c: a value of any type, given as its leaves, as the language writes it
void abi_print(Text *out, Arena *arena, const AbiType *t, const Value *leaves);
// ---- abi_read.c: the values of an entry point's parameters, of any types, from text
typedef struct {
  Values leaves;
  int param;  // where reading failed
} AbiInputs;
bool abi_inputs_read(ValueText *text, const Prog *prog, const Fn *fn, AbiInputs *in);
IValue ivalue_of(const Value *v);
Value value_of(Arena *arena, IValue v);
#endif
