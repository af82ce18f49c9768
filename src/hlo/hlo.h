// hlo: programs of whole arrays as StableHLO text, the input language of XLA.
//
// A module is one function of arrays whose sizes are constants.  Its results are those of the
// program and, last, an i32: 2147483647, or the number of the first check that failed.  Scalar
// operations mean what they mean in core but for three things (doc/hlo.md): denormal numbers may be
// flushed, elementary functions are XLA's, and sums have XLA's order.
#ifndef HLO_H
#define HLO_H
#include "bulk/bulk.h"

typedef struct {
  const char *name;     // of the module
  Vars params;          // of the function, in order
  const BulkBody *body; // sizes are constants
} HloModule;

typedef struct {
  const Loc *loc;
  const char *text;
} HloSite;
typedef LIST(HloSite) HloSites;

// Appends the module.  sites: check number k + 1 is site k.  False, and *why, where a statement has
// no StableHLO form here.
bool hlo_print(Text *out, Prog *prog, const HloModule *module, HloSites *sites, BulkRefusal *why);
#endif
