// Source lambdas in a form with fewer cases, before the rules see them.  Included by local.h.
#ifndef AD_PREPARE_H
#define AD_PREPARE_H
#include "ad/common/ad.h"
#include "ad/common/guarded.h"

typedef struct {
  bool reverse;   // while loops become for loops
  bool own_only;  // scopes consume only what they own
  Calls *calls;
} NormaliseFor;
Lambda *ad_normalise(Builder *b, const Lambda *fn, NormaliseFor what);
void first_body(const Body *body);  // first_winner.c: ties of min and max in operators
const Lambda *normalise_accs(Builder *b, const Lambda *fn, bool reverse);  // acc_to_loop.c
bool loop_consumes(const Prog *prog, const struct loop_form *e);  // some unique array parameter
// The iterations of a while loop that is not emitted itself, counted by a copy.
Atom build_trip_count(Builder *b, const Stm *loop);                   // while_to_for.c
bool operator_is_by_column(const Prog *prog, const Lambda *op);  // operator_columns.c
Atoms build_by_column(Builder *b, const Exp *exp);             // reduce, scan or hist with such
// operator_parts.c: of an operator; group[k]: smallest member of k's
typedef struct OperatorParts OperatorParts;
OperatorParts *operator_parts(const Prog *prog, const Lambda *op, int *group);
Lambda *operator_part(const OperatorParts *p, int g);  // the operator restricted to group g
typedef struct Ranges Ranges;  // index_ranges.c: what is known where branches are
// there are elements; it is one
typedef enum { RANGE_UNKNOWN, RANGE_SIZE, RANGE_INDEX } IndexRange;
Ranges *ranges_find(const Prog *prog, const Lambda *fn);
IndexRange range_at(const Ranges *r, const Stm *match, Atom index, Atom size);
// predicate_cells.c; arrays: those that the statements consume
bool match_to_cells(Prog *prog, const Ranges *ranges, const Stm *stm, Stms *out, Atoms *arrays);
bool match_if_convert(Prog *prog, const Stm *stm, Stms *out);  // predicate_update.c
bool match_to_loops(Prog *prog, const Stm *stm, Stms *out, Atoms *arrays);  // branch_to_loop.c
// The array of which result k of the statement is a later version; none where it is a new array.
Atom earlier_version(const Prog *prog, const Stm *stm, int k);
bool hist_is_small(const Prog *prog, const struct hist_form *e);  // hist_to_loop.c
bool hist_restores(const Prog *prog, const struct hist_form *e);  // adjoint code puts rows back
void hist_to_loop(Prog *prog, const Stm *stm, Stms *out);
#endif
