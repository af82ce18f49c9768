// Source lambdas in a form with fewer cases, before the rules see them.  Included by local.h.
#ifndef AD_PREPARE_H
#define AD_PREPARE_H
#include "ad.h"
#include "safe.h"

typedef struct {
  bool reverse;   // while loops become for loops
  bool own_only;  // scopes consume only what they own
  Calls *calls;
} PrepareFor;
Lambda *ad_prepare(Builder *b, const Lambda *fn, PrepareFor what);
void first_body(const Body *body);  // first.c: ties of min and max in operators
const Lambda *prepare_accs(Builder *b, const Lambda *fn, bool reverse);  // prepare_acc.c
bool loop_consumes(const Prog *prog, const struct loop_form *e);  // some unique array parameter
// The iterations of a while loop that is not emitted itself, counted by a copy.
Atom build_trips(Builder *b, const Stm *loop);                   // prepare_trips.c
bool operator_is_by_column(const Prog *prog, const Lambda *op);  // prepare_rows.c
Atoms build_by_column(Builder *b, const Exp *exp);             // reduce, scan or hist with such
typedef struct Parting Parting;  // prepare_parts.c: of an operator; group[k]: smallest member of k's
Parting *parting_of(const Prog *prog, const Lambda *op, int *group);
Lambda *parting_part(const Parting *p, int g);  // the operator restricted to group g
typedef struct Ranges Ranges;  // ranges.c: what is known where branches are
typedef enum { RANGE_UNKNOWN, RANGE_SIZE, RANGE_INDEX } IndexRange;  // there are elements; it is one
Ranges *ranges_find(const Prog *prog, const Lambda *fn);
IndexRange range_at(const Ranges *r, const Stm *match, Atom index, Atom size);
// prepare_cells.c; arrays: those that the statements consume
bool match_to_cells(Prog *prog, const Ranges *ranges, const Stm *stm, Stms *out, Atoms *arrays);
bool match_unbranch(Prog *prog, const Stm *stm, Stms *out);  // prepare_match.c
bool match_to_loops(Prog *prog, const Stm *stm, Stms *out, Atoms *arrays);  // prepare_branch.c
// What result k of the statement is a later version of; none where it is an array of its own.
Atom earlier_version(const Prog *prog, const Stm *stm, int k);
bool hist_is_few(const Prog *prog, const struct hist_form *e);  // prepare_hist.c
bool hist_is_undone(const Prog *prog, const struct hist_form *e);  // return code puts rows back
void hist_spread(Prog *prog, const Stm *stm, Stms *out);
#endif
