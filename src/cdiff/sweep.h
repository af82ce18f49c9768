// The adjoint's own: two sweeps made of one function, and the sets of needed values they carry.
#ifndef CDIFF_SWEEP_H
#define CDIFF_SWEEP_H
#include "local.h"

// For the report: how a sweep keeps a value.
typedef enum {
  KEPT_TAPE, KEPT_LOCAL, KEPT_UNDONE, KEPT_CONDITION, KEPT_TRIPS, KEPT_END, KEPT_COPY, KEPT_AGAIN
} KeptTag;
typedef struct {
  KeptTag tag;
  Span at;
  const void *who;     // the assignment or call that overwrites it; NULL: none
  const CExpr *place;
  const CExpr *pushed; // what is put on the tape: the place, or a copy
  const CStmt *loop;   // of KEPT_AGAIN
  Lines needed;        // why.c: statements whose reverse code uses the value
  bool outside;        // .. that of the caller, too
} Kept;
// One sweep made: of f, or of one that is split.
typedef struct SweepNotes {
  Derived *f;
  struct Split *split;
  ObjSet need;         // at entry, of what precedes the call
  struct Readers *readers;  // cells.c
  LIST(Kept) kept;
} SweepNotes;
typedef struct {
  Derived *f;
  CDiff *d;
  CFlow *flow;
  Arena *arena;
  bool split;        // forward and reverse sweep are functions of their own
  bool used_tape;
  CVar *tape;
  int depth;         // loops around
  SweepNotes *notes;
  const void *doing; // the assignment or call whose code is made
  const void *only;  // of the report: what others use is not needed; NULL: all is
  Exprs *seen;       // gets the expressions that reverse code uses; NULL: none does
} Sweep;
typedef struct {
  Stmts forward, reverse;
} Code;
// One function as two sweeps: f_fwd, f_bwd with a tape.  Sets are in the source's terms.
struct Split {
  Derived *f;
  ObjSet need, after;    // at exit of the caller's wish (restore), and needed at the end
  Name forward_name, backward_name;
  CFunction *forward, *backward;
  bool running, used, made;
};

// ---- declare.c ----------------------------------------------------------------------------------
void adjoint_declare(Derived *f, const CVars *params, CVar *tape, Stmts *body);

// ---- shared.c: locals of a split function that pointers on the tape lead to ---------------------
void locals_shared(Sweep *w, Stmts *forward, Stmts *backward);

// ---- needs.c: which values the reverse sweep needs (TBR) ----------------------------------------
// An assignment or step, looked at.
typedef struct {
  const CExpr *lhs, *value, *call;  // value: the whole right side; call: of a function, or NULL
  ObjSet places, uses, address;
  int one;            // the one cell it certainly is; -1
  bool active;        // numbers with a derivative
  bool pointer;       // with a shadow
  bool back;          // its reverse code reads the value where it was stored
  bool allocates, saved, undone;
} Effect;
Effect effect_begin(Sweep *w, const CExpr *e);  // without calls, `saved`, `undone`
Effect effect_of(Sweep *w, const CExpr *e, const ObjSet *need);
ObjSet need_after(Sweep *w, const CStmt *s, ObjSet need);
ObjSet part_after(Sweep *w, const CStmt *s, const CStmt *region, ObjSet need);  // region or NULL: s
ObjSet need_loop(Sweep *w, const CStmt *body, ObjSet need);  // at the head of the body
ObjSet writes_in(Sweep *w, const CStmt *s);
void set_remove(ObjSet *s, int i);
void set_without(ObjSet *s, const ObjSet *others);
bool condition_stays(Sweep *w, const CStmt *s);   // its value can be had again after the branch
typedef struct {
  const CVar *counter;
  const CExpr *from, *to;   // runs from `from` while counter OP to
  COp compare;
  bool down;
} Counted;
bool loop_counted(Sweep *w, const CStmt *s, Counted *c);
const CStmt *loop_plain(Sweep *w, const CStmt *s);  // for as while

// ---- cells.c: cells that no reverse code uses any more when they are overwritten ----------------
bool cell_unneeded(Sweep *w, const CExpr *e);     // the one that the assignment e overwrites

// ---- independent.c: loops whose iterations are executed again, each before its adjoint ----------
// Where its values would have to be saved.  need: after the loop's init; reads: what an iteration
// uses and does not write.
bool loop_again(Sweep *w, const CStmt *s, const ObjSet *need, ObjSet *reads);
ObjSet loop_copied(Sweep *w, const CStmt *s, const ObjSet *need);  // before it, by a pragma
bool loop_independent(Sweep *w, const CStmt *s);
bool loop_believed(Sweep *w, const CStmt *s);  // only a pragma says so, and it is followed
Code again_code(Sweep *w, const CStmt *s, const Counted *c, ObjSet need, const ObjSet *copied);
// Objects read when iterations are executed again, whatever is needed; false: they never are.
bool loop_again_reads(Sweep *w, const CStmt *s, ObjSet *reads);

// ---- advice.c: pragmas of statements ------------------------------------------------------------
const CStmt *advice_binomial(Sweep *w, const CStmt *loop);
const CStmt *advice_independent(Sweep *w, const CStmt *loop);
// The region that begins at statement i of the block, as a block; NULL: none does.  next: the
// statement after it, or after i.
const CStmt *advice_region(Sweep *w, const CStmt *block, int i, int *next);
bool advice_split(Sweep *w, const CExpr *call);
void advice_check(Sweep *w);  // warns of advice that is not followed

// ---- binomial.c: loops that are executed again from some of their iterations on -----------------
bool loop_binomial(Sweep *w, const CStmt *s, const Counted *c, ObjSet *reads);
Code binomial_code(Sweep *w, const CStmt *s, const Counted *c, ObjSet need);
ObjSet reads_in(Sweep *w, const CStmt *s);  // dead.c

// ---- restart.c: statements executed again, from a copy of the memory that they change -----------
ObjSet restart_state(Sweep *w, const CStmt *s, const ObjSet *reads, const ObjSet *need);
void restart_copy(Sweep *w, const CStmt *s, const ObjSet *state, Code *out);
void restart_checked(Sweep *w, const CStmt *s);  // leaves with a message where that is not possible
const CStmt *restart_quiet(Sweep *w, const CStmt *s);  // without printing; NULL: nothing is left
Stmts restart_quiet_all(Sweep *w, const CStmt *const *at, int len);
void originals_noted(Sweep *w, const CStmt *s);  // functions that s calls are called by derivatives

// ---- checkpoint.c: regions, of advice_region ----------------------------------------------------
ObjSet checkpoint_reads(Sweep *w, const CStmt *s);  // of their beginning
ObjSet checkpoint_after(Sweep *w, const CStmt *s, ObjSet need);
Code checkpoint_code(Sweep *w, const CStmt *s, ObjSet need);

// ---- adjoint_call.c -----------------------------------------------------------------------------
typedef struct {
  const CExpr *place, *bytes;
  bool read, needed;   // by the call, by others
} Copied;
typedef struct {
  Derived *g;       // NULL: nothing active
  Split *split;     // NULL: joint
  bool given;       // joint, by an adjoint that users wrote
  ObjSet uses, writes;
  ObjSet saved;     // single cells to be saved around it
  const CExpr **kept;  // arguments' values before, of those that the callee overwrites
  LIST(Copied) copied; // snapshot.c: memory that is copied before
} CallPlan;
CallPlan call_plan(Sweep *w, const CExpr *call, const CExpr *lhs, const ObjSet *need);
void call_code(Sweep *w, const CExpr *call, const Effect *e, const ObjSet *need, Code *out);
bool call_moves(const CFlow *callee);  // memory of its caller, or has state: not to be done twice
Split *split_of(Derived *f, const ObjSet *need);
Derived *derived_passive(Derived *caller, CFunction *source);

// ---- snapshot.c ---------------------------------------------------------------------------------
const CExpr *length_positive(Arena *arena, const CExpr *length);  // 0 where it is negative
bool snapshot_wanted(const CDiff *d, const CFunction *g);
// False: the memory that the call overwrites is not known.
bool snapshot_plan(Sweep *w, CallPlan *p, const CExpr *call, const ObjSet *reads,
                   const ObjSet *need);
// Around the call: before it; in the reverse sweep before and after its adjoint.
void snapshot_code(Sweep *w, const CallPlan *p, Stmts *forward, Stmts *before, Stmts *after);

// ---- adjoint_expr.c -----------------------------------------------------------------------------
// known: a variable that has the value; NULL: none
void reverse_assign(Sweep *w, const CExpr *lhs, const CExpr *value, const CExpr *known, Stmts *out);
// The adjoint of e, seeded, added to what e is made of.
void reverse_value(Sweep *w, const CExpr *e, const CExpr *seed, Stmts *out);

// ---- adjoint.c ----------------------------------------------------------------------------------
Code sweep_code(Sweep *w, const CStmt *s, ObjSet need);
const CStmt *counted_reverse(Sweep *w, const Counted *c, const Stmts *body);
void save_place(Sweep *w, const CExpr *lvalue, Code *out);
void kept_note(Sweep *w, KeptTag tag, const CExpr *place, const CExpr *pushed);
Sweep sweep_new(Derived *f, bool split);
bool sizes_change(Derived *f);  // a length that parameters tell may be another at the end
// A call of dz_push_bytes or dz_pop_bytes; both.
void tape_bytes(Sweep *w, const char *name, const CExpr *at, const CExpr *bytes, Stmts *out);
void push_bytes(Sweep *w, const CExpr *at, const CExpr *bytes, Code *out);
void push_value(Sweep *w, const CExpr *x, Code *out);  // on the tape; restored in reverse
const CExpr *tape_pointer(Sweep *w);
bool adjoint_inside_only(Derived *f, int i);  // parameter i of the head has its adjoint inside
Stmts dead_removed(Sweep *w, const Stmts *forward, ObjSet live);
// ---- why.c: which statements need what is kept --------------------------------------------------
void kept_explain(SweepNotes *notes);
#endif
