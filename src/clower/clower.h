// clower: C functions as core.  Memory has no addresses there: every object is a separate value
// that stores change in place, and a pointer is an object, known where the program is lowered, with
// an offset.  Other uses of memory are refused with a code; path R (cdiff) takes more.
//
//   object   = variable | what a pointer parameter points to | what one allocation gives
//   leaf     = a number or pointer of an object: [rows]t, or a scalar; structs are split into them
//   int .. long are i64, unsigned int u32, unsigned long u64, _Bool and comparisons bool; what lies
//   in memory has C's width
#ifndef CLOWER_H
#define CLOWER_H
#include "cdiff/cdiff.h"
#include "core/core.h"

typedef struct {
  CNames lengths;      // "x[n]": what users say of lengths
  bool unchecked;      // indices are not tested
} CLowerOptions;

// One parameter of the C function, as the core function has it: leaves in order.
typedef struct {
  const CVar *var;
  const CExpr *length;     // elements of the array it points to; NULL: a number or struct
  bool one;                // it points to one element
  bool opaque;             // to memory with pointers, which the function does not use, or that
                           // lead to memory with pointers: no leaves
  int first, leaves;       // in `leaf_..` of CLowered
} CLoweredParam;
typedef struct {
  const CVar *param;       // NULL: the returned value
  const CType *type;       // scalar
  const char *path;        // of members, ".p.x"; "" none
  bool array;              // [size]
  Var size, in;            // parameters of the core function; size 0: constant; in 0: none
  int64_t many;            // elements in each of what the pointer points to
  int out;                 // result; -1: not written
  enum {
    LEAF_PLAIN,            // in what the parameter points to
    LEAF_MEMBER,           // numbers that a pointer in the one struct there leads to
    LEAF_ROWS,             // an array of pointers, as offsets from the lowest of their addresses
    LEAF_FAR               // the memory from that address on, of unknown length
  } way;
  const CExpr *length;     // of LEAF_MEMBER; NULL: not known
} CLoweredLeaf;
typedef struct {
  Prog *prog;
  Fn *fn;
  const CFunction *source;
  LIST(CLoweredParam) params;
  LIST(CLoweredLeaf) leaves;   // of parameters in order, then of the returned value
} CLowered;
// Whether nothing but the leaf lies in the structs of an array.
bool clower_is_only(const CLoweredLeaf *leaf);
// Leaves with messages where it is refused.
CLowered *clower_function(CProgram *p, const CFunction *f, const CLowerOptions *options);

// ---- derive.c: entry points that compute derivatives --------------------------------------------
typedef enum {
  CDERIVE_VALUE, CDERIVE_GRAD, CDERIVE_JVP, CDERIVE_VJP, CDERIVE_JAC, CDERIVE_HVP
} CDeriveMode;
typedef LIST(int) CLeafs;    // numbers of leaves
typedef struct {
  CLowered *low;
  CDeriveMode mode;
  CLeafs inputs, outputs;    // of the head
  const char *name;          // of the C function that is made
} CDerived;
// Adds an entry point of that name to the program.  Parameters: those of the function; seeds of the
// outputs (VJP), directions of the inputs (JVP, HVP).  Results: what the function writes, in its
// order; then gradients of inputs (GRAD, VJP, HVP), products of inputs (HVP) or outputs (JVP), or
// the Jacobian by rows (JAC), whose size comes first of all.
void clower_derive(CProgram *p, CDerived *d, const CHead *head);
const CType *clower_jacobian_type(const CDerived *d);

// ---- wrapper.c: C functions that call these -----------------------------------------------------
typedef struct {
  bool tapenade;     // signatures of `dagaz adjoint` and `dagaz tangent`
  const char *base;  // of the names of files
} CWrapOptions;
void clower_wrapper(Text *out, CProgram *p, const CDerived *d, const CWrapOptions *options);
void clower_header(Text *out, CProgram *p, const CDerived *d, const CWrapOptions *options);
void clower_header_cpp(Text *out, const CDerived *d, const CWrapOptions *options);
#endif
