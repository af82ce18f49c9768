// property: tests of properties, entry points of type t -> bool that have to hold for random
// values.
//   #[prop] #[prop(gen(f), shrink(g), size(N))]
//   f : (size: i64) -> (seed: u64 or i64) -> t       g : t -> (random: any integer type) -> t
#ifndef PROPERTY_H
#define PROPERTY_H
#include "cmd.h"
#include "interp/interp.h"

// Calls an entry point: arguments and results are the leaves of its types.  False with an error.
typedef bool PropertyCall(void *state, Arena *arena, const Fn *fn, const Values *in, Values *out,
                          const char **error);
typedef struct {
  Arena *arena;            // of messages
  const Prog *prog;        // types of the entry points
  const SourceFile *file;  // their attributes
  uint64_t seed;
  PropertyCall *call;
  void *state;             // its first argument
} PropertyJob;
// NULL when the property holds for all values tried; else a message with the counterexample.
const char *property_test(const PropertyJob *job, const char *name);

// ---- generate.c: the values of parameters
// Random leaves of an entry point's only parameter: dimensions are `size` where the type leaves
// them open; constructors of sums are among those that the type has.
Values leaves_random(Arena *arena, const Prog *prog, const Fn *fn, int64_t size, uint64_t seed);

// ---- leaves.c: leaves in the format in which executables read and write
void leaves_write(Text *out, Arena *arena, const AbiType *type, const Value **leaves);
void leaves_save(FILE *out, Arena *arena, const AbiType *type, const Value **leaves);  // see ferror
bool leaves_read(Arena *arena, const AbiType *type, const char *bytes, size_t len, Values *out);
#endif
