// The adjoint's own: two sweeps made of one function, and the sets of needed values they carry.
#ifndef CDIFF_SWEEP_H
#define CDIFF_SWEEP_H
#include "local.h"

typedef struct {
  Derived *f;
  CDiff *d;
  CFlow *flow;
  Arena *arena;
  bool split;        // forward and reverse sweep are functions of their own
  bool used_tape;
  CVar *tape;
  int depth;         // loops around
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

// ---- needs.c: which values the reverse sweep needs (TBR) ----------------------------------------
// An assignment or step, looked at.
typedef struct {
  const CExpr *lhs, *value, *call;  // value: the whole right side; call: of a function, or NULL
  ObjSet places, uses, address;
  int one;            // the one cell it certainly is; -1
  bool active;        // numbers with a derivative
  bool pointer;       // with a shadow
  bool allocates, saved, undone;
} Effect;
Effect effect_of(Sweep *w, const CExpr *e, const ObjSet *need);
ObjSet need_after(Sweep *w, const CStmt *s, ObjSet need);
ObjSet need_loop(Sweep *w, const CStmt *body, ObjSet need);  // at the head of the body
ObjSet writes_in(Sweep *w, const CStmt *s);
void set_remove(ObjSet *s, int i);
bool condition_stays(Sweep *w, const CStmt *s);   // its value can be had again after the branch
typedef struct {
  const CVar *counter;
  const CExpr *from, *to;   // runs from `from` while counter OP to
  COp compare;
  bool down;
} Counted;
bool loop_counted(Sweep *w, const CStmt *s, Counted *c);
const CStmt *loop_plain(Sweep *w, const CStmt *s);  // for as while

// ---- independent.c: loops whose iterations are executed again, each before its adjoint ----------
// Where its values would have to be saved.  need: after the loop's init; reads: what an iteration
// uses and does not write.
bool loop_again(Sweep *w, const CStmt *s, const ObjSet *need, ObjSet *reads);

// ---- adjoint_call.c -----------------------------------------------------------------------------
typedef struct {
  Derived *g;       // NULL: nothing active
  Split *split;     // NULL: joint
  ObjSet uses, writes;
  ObjSet saved;     // single cells to be saved around it
  const CExpr **kept;  // arguments' values before, of those that the callee overwrites
} CallPlan;
CallPlan call_plan(Sweep *w, const CExpr *call, const CExpr *lhs, const ObjSet *need);
void call_code(Sweep *w, const CExpr *call, const Effect *e, const ObjSet *need, Code *out);
Split *split_of(Derived *f, const ObjSet *need);
Derived *derived_passive(Derived *caller, CFunction *source);

// ---- adjoint_expr.c -----------------------------------------------------------------------------
void reverse_assign(Sweep *w, const CExpr *lhs, const CExpr *value, Stmts *out);
// The adjoint of e, seeded, added to what e is made of.
void reverse_value(Sweep *w, const CExpr *e, const CExpr *seed, Stmts *out);

// ---- adjoint.c ----------------------------------------------------------------------------------
Code sweep_code(Sweep *w, const CStmt *s, ObjSet need);
void save_place(Sweep *w, const CExpr *lvalue, Code *out);
void push_value(Sweep *w, const CExpr *x, Code *out);  // on the tape; restored in reverse
const CExpr *tape_pointer(Sweep *w);
bool adjoint_inside_only(Derived *f, int i);  // parameter i of the head has its adjoint inside
Stmts dead_removed(Sweep *w, const Stmts *forward, ObjSet live);
#endif
