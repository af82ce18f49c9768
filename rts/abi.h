// abi: the static description of a compiled program, and the objects its interface deals in.
//
// The C back end emits one DzProgram per program; everything at the edge of a program (the public
// C functions, the executable's command line, the server) is written once against it, in
// object.h, api.h, exe.h and server.h.  Nothing here is particular to one program.
//
// Order in a generated file:
//   base.h abi.h io.h ctx.h object.h    (always; `rts_files` has the text, base.h with its parts)
//   the program's functions, its tables, `static const DzProgram dz_program = {..};`
//   api.h, the per-program public functions                      (library)
//   cli.h exe.h, then `int main(int argc, char **argv)
//       { return dz_exe_main(&dz_program, argc, argv); }`         (executable)
//   cli.h server.h, `.. dz_server_main(..)`                       (server)
//
// Calling convention of an entry point (DzEntry.call): the values of all inputs flattened to
// leaves, left to right, in the order of DzType.leaves; results likewise.  A leaf is a scalar
// or an array of scalars:
//   static int dz_call_f(DzCtx *ctx, DzVal *out, const DzVal *in) {
//     double x = in[0].f64;
//     const double *a = (const double *)(void *)in[1].array->data;
//     int64_t n = in[1].array->shape[0];
//     DzBlock b = {0};
//     int err = f_12(ctx, &b, x, n, a);                   // 0, DZ_PROGRAM_ERROR, DZ_OUT_OF_MEMORY
//     if (err == 0) err = dz_array_wrap(ctx, &out[0].array, &b, 0, DZ_F64, 1, (int64_t[]){n});
//     return err;
//   }
// * inputs are borrowed: the callee neither frees nor keeps them, except that it may overwrite
//   the elements of a `unique` input; the caller guarantees that such a block is not shared.
// * a result that is (part of) an input or of a constant: dz_retain its block before wrapping.
// * on failure no `out` is set; what the callee made, it has freed.
// * dz_array_wrap takes the block over (also when it fails).
#ifndef DZ_ABI_H
#define DZ_ABI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DZ_SUCCESS 0
#define DZ_ERROR 1          // wrong use of the interface
#define DZ_PROGRAM_ERROR 2  // the program failed: index, assertion, division by zero ..
#define DZ_OUT_OF_MEMORY 3
#define DZ_STOPPED 4        // dagaz_context_stop ended the call (leaf.h)

// The same order as the compiler's `enum Prim`.
typedef enum {
  DZ_I8, DZ_I16, DZ_I32, DZ_I64, DZ_U8, DZ_U16, DZ_U32, DZ_U64, DZ_F16, DZ_F32, DZ_F64, DZ_BOOL,
  DZ_PRIM_COUNT
} DzPrim;

typedef struct DzCtx DzCtx;

// A block of memory by its handle; the header (size, class, references) lies in the 64 bytes
// before `at`.  {0} is no block.  One handle is one reference: copying the handle moves it,
// dz_retain makes a second one, dz_free gives one back and clears the handle.
typedef struct DzBlock {
  char *at;       // 64-byte aligned
  int64_t bytes;  // usable
} DzBlock;

// An array at the program's edge: row-major, elements from `data`, which lies in `mem`.
// struct futhark_f64_2d and its like are never defined: pointers to them are DzArray pointers.
typedef struct DzArray {
  DzBlock mem;
  char *data;
  int32_t prim, rank;
  int64_t shape[];
} DzArray;

typedef struct DzOpaque DzOpaque;

// One value: which member is in use follows from the type.
typedef union DzVal {
  int8_t i8; int16_t i16; int32_t i32; int64_t i64;
  uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
  uint16_t f16; float f32; double f64; bool b;
  DzArray *array;
  DzOpaque *opaque;
} DzVal;

// The type of a leaf; rank 0 is a scalar.
typedef struct DzLeaf {
  DzPrim prim;
  int rank;
} DzLeaf;

// A record, tuple, sum, abstract value, or an array of those: its leaves in order.
// struct futhark_opaque_X is never defined either.
struct DzOpaque {
  const struct DzType *type;
  DzVal leaf[];
};

typedef enum {
  DZ_SCALAR,   // leaves: one of rank 0
  DZ_ARRAY,    // leaves: one of rank > 0
  DZ_RECORD,   // `parts` are the fields, tuples have the names "0", "1", ..; unit has none
  DZ_SUM,      // leaf 0 is the number of the variant (u8), `variants`
  DZ_OPAQUE,   // no known structure
  DZ_OPAQUE_ARRAY,  // array of records, sums or opaques: `rank` dimensions of `elem`, which is not
                    // an array itself; each leaf of elem with `rank` more dimensions in front
} DzKind;

// A field of a record or a payload value of a variant: leaf i of the part is leaf at[i] of the
// whole.  at == NULL: leaves from, from+1, ..
typedef struct DzPart {
  const char *name;  // NULL in variants
  const struct DzType *type;
  int from;
  const int *at;
} DzPart;

typedef struct DzVariant {
  const char *name;
  int part_count;
  const DzPart *parts;
} DzVariant;

typedef struct DzType {
  const char *name;   // as users see it: "[][]f64", "i32", "(i32, f64)", "state"
  const char *cname;  // "futhark_f64_2d", "double", "futhark_opaque_tup2_i32_f64"
  DzKind kind;
  int leaf_count;
  const DzLeaf *leaves;
  int part_count;     // DZ_RECORD
  const DzPart *parts;
  int variant_count;  // DZ_SUM
  const DzVariant *variants;
  int rank;                   // DZ_ARRAY, DZ_OPAQUE_ARRAY: dimensions
  const struct DzType *elem;  // DZ_ARRAY, DZ_OPAQUE_ARRAY: type of one element
} DzType;

typedef struct DzIo {
  const char *name;  // parameter's name, may be NULL
  const DzType *type;
  bool unique;       // inputs: consumed; output: fresh
} DzIo;

typedef int DzCall(DzCtx *ctx, DzVal *out, const DzVal *in);

typedef struct DzEntry {
  const char *name;
  int in_count;
  const DzIo *in;
  DzIo out;  // one value; several results are a tuple
  DzCall *call;
  const char *const *attributes;  // NULL or NULL-terminated
  const int *tuning;              // NULL or parameters it uses, terminated by -1
} DzEntry;

// A place that can fail.  `format` has, for each value given to dz_fail in order: %d an int64_t,
// %u a uint64_t, %f a double, %b an int (bool), %s a const char *; %% is a per cent sign.
// `where` is the backtrace, ready to print: "-> #0  a.fut:3:5-9\n   #1  a.fut:7:3-12\n".
typedef struct DzSite {
  const char *format;
  const char *where;
} DzSite;

// A loop that programs made to be profiled measure: "f.fut:3:5-9", "loop".
typedef struct DzRegion {
  const char *place, *form;
} DzRegion;

typedef struct DzTuning {
  const char *name, *klass;
  int64_t value;  // default
} DzTuning;
#define DZ_UNTUNED INT64_MIN  // the default of a parameter whose default the program computes

typedef struct DzProgram {
  const char *backend;  // "c", "multicore", ..
  const char *version;  // of the compiler
  int type_count;
  const DzType *const *types;  // every type that occurs in `entries`, and their parts
  int entry_count;
  const DzEntry *entries;
  int site_count;
  const DzSite *sites;
  int tuning_count;
  const DzTuning *tuning;
  size_t globals_bytes;         // the program's constants: ctx->globals points to so many
  int (*init)(DzCtx *ctx);      // computes the constants; NULL: none
  void (*fini)(DzCtx *ctx);     // frees them (also after a failed init)
  int region_count;
  const DzRegion *regions;      // loops that are measured
  int64_t mem_limit;            // where the configuration has none; 0: none
  int (*device)(DzCtx *ctx);    // begins the use of a device; NULL: none
  int own_param;                // 1 + the last tuning parameter, the machine's; 0: it has none
} DzProgram;

// Names in the public interface, for the emitter of OUT.h and for object.h / api.h:
//   api.h (text depends only on dz_program and DZ_API_PREFIX):
//     DZ_API_CONTEXT                   all futhark_context_* and futhark_get_tuning_*
//     DZ_API_ARRAY(_f64_2d, double, DZ_F64, 2)    new new_raw free values index shape values_raw
//     DZ_API_OPAQUE(X, &dz_type_7)     free store restore of futhark_opaque_X
//     DZ_API_SUM DZ_API_ROWS           see api.h
//   object.h, for functions whose signature depends on the type (the emitter writes the body as
//   one call, arguments in an array of DzVal):
//     dz_entry_call(ctx, &entry, DzVal *out, const DzVal *in)      whole values, not leaves
//     dz_record_new(ctx, type, DzOpaque **out, const DzVal *fields)
//     dz_record_project(ctx, opaque, field, DzVal *out)
//     dz_sum_variant(opaque)    dz_sum_new(ctx, type, variant, DzOpaque **out, const DzVal *)
//     dz_sum_destruct(ctx, opaque, variant, DzVal *out)
//     dz_rows_new(ctx, type, DzOpaque **out, const DzVal *elems, const int64_t *shape)
//     dz_rows_index(ctx, opaque, const int64_t *at, DzVal *out)
//     dz_rows_set(ctx, opaque, DzVal value, const int64_t *at)
//     dz_rows_shape(opaque) -> const int64_t *
//     dz_rows_zip(ctx, type, DzOpaque **out, types, const DzVal *fields)   arrays of the fields
//     dz_rows_project(ctx, opaque, field, type, DzVal *out)     type: of the arrays of that field
// All return 0 or an error code; what they make is the caller's.
#endif
