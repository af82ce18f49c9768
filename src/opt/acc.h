// Shared by accspec.c and accnest.c.
#ifndef OPT_ACC_H
#define OPT_ACC_H
#include "local.h"

typedef struct {
  Prog *prog;
  Arena *arena;    // the program's
  Arena *scratch;
  Map *ops;        // token -> const Operator
  Map *iotas;      // variables that are iota n 0 1
  Map *zeros;      // variables that are arrays of zeros
  int *inner;      // by variable: stamp when bound inside the lambda looked at
  int stamp, cap;
  int depth;       // of maps and loops around
  bool changed;
} Acc;
const Operator *acc_operator(const Acc *a, Atom acc);  // NULL: overwriting, or not scalar
void acc_mark_inner(Acc *a, const Lambda *fn);         // then acc_is_inner answers for fn
bool acc_is_inner(const Acc *a, Atom x);

// ---- k + sum of c * v (accline.c); not ok: too long, or numbers too large
enum { LINE = 8 };
typedef struct {
  bool ok;
  int64_t k;
  int n;
  Var v[LINE];
  int64_t c[LINE];
} Line;
Line line_of(const Map *defs, Atom x);  // defs: variable -> Exp, what to follow
void line_add(Line *l, const Line *x, int64_t scale);
void line_add_term(Line *l, Var v, int64_t c);
int64_t line_coef(const Line *l, Var v);

// ---- nests of maps around updates (accnest.c)
enum { DIMS = 8, UPDATES = 8, CORE = 24 };

// What a name of the nest stands for.
typedef struct {
  enum { IS_OUTER, IS_INDEX, IS_READ, IS_COMPUTED } kind;
  int dim;         // IS_INDEX
  Atom base;       // IS_READ: base[at..], a row when not all dimensions are fixed
  Atoms at;
  const Stm *stm;  // IS_COMPUTED
  Atom made;       // while generating: its new name, and the level where it stands
  int level;
} Access;
typedef struct {
  Acc *a;
  int dims;
  Atom width[DIMS];
  Map *names;      // variable -> Access
  int n;
  const struct updateacc_form *update[UPDATES];
  int expensive, stms;
  Builder *to[DIMS + 1];  // while generating: where level t is built; [0] is outside
  Atom index[DIMS];       // of old dimension d: a variable standing for it, then its new index
  int position[DIMS];     // place of old dimension d in the new order
} Nest;

Access *access_of(const Nest *n, Atom x);                   // NULL: from outside, or not known
Access *access_new(Nest *n, Var v, Access name);
bool nest_param(Nest *n, Var p, Atom input, int dim);       // p is input[index of dim]
bool nest_read(Nest *n, const Stm *stm);                    // an `index` statement
Atom nest_make(Nest *n, Atom x, int *level);                // while generating: x, and where it is
int nest_reads_score(const Nest *n, Atom x, int d);         // < 0: x reads with strides along d
Exp nest_map(Nest *n, Atom width, Lambda *fn, Atom iota, const Atom *acc);
// Ends the lambda at depth + 1; the sum of its value over iota, built at that depth.
Atom nest_sum(Nest *n, const struct updateacc_form *u, LambdaBuilder *lb, int depth, Atom width,
              Atom iota, Atom value);

// A nest of maps whose only effect is updates: appends the same nests, one per update, in an order
// that walks memory; false when the order is good as it is.
bool acc_reorder(Acc *a, Stms *out, Stm *stm);
// The array that accumulator k of the `withacc` sums up, computed without it in front of what else
// its maps do; false, and nothing done, when its update is not of the kind.  See accgather.c.
bool acc_gather(Acc *a, const Stm *stm, int k, Atom *contrib);
// Appends to out what leaves the `withacc` stm; see accsplit.c.
void acc_split(Acc *a, Stms *out, Stm *stm);
#endif
