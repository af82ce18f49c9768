// Shared by the files that write StableHLO.  Values are names of SSA variables, "%x_1"; names are
// unique in the whole module, since regions do not hide those around them.
#ifndef HLO_LOCAL_H
#define HLO_LOCAL_H
#include "hlo.h"

typedef struct {
  Text *out;
  Prog *prog;
  Arena *arena;
  int depth, made;
  LIST(Map *) constants;  // of the regions that are open: text -> its value
  Map *names;        // Var -> its name
  const char *code;  // the i32 of the checks so far
  HloSites *sites;
  const Loc *loc;
  jmp_buf refused;
  BulkRefusal *why;
} Hlo;

_Noreturn void hlo_refuse(Hlo *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *hlo_text(Hlo *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hlo_line(Hlo *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *hlo_new(Hlo *h);  // a fresh name
void hlo_enter(Hlo *h);  // lines are of an inner region now
void hlo_leave(Hlo *h);
// `name = text` on a line; the name.
const char *hlo_let(Hlo *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *hlo_type(Hlo *h, Type t);   // "tensor<4x3xf64>"
const char *hlo_prim(Prim p);
Type hlo_with_prim(Type t, Prim p);
int64_t hlo_dim(Hlo *h, Atom dim);      // a size, which must be a constant
const char *hlo_dims(Hlo *h, int n, const int64_t *at);  // "[0, 2]"
const char *hlo_name(Hlo *h, Atom a);
const char *hlo_value_at(Hlo *h, Atom a, Type t);  // broadcast to the shape of t
const char *hlo_full(Hlo *h, double x, Type t);    // constant in all elements
const char *hlo_full_int(Hlo *h, int64_t x, Type t);
void hlo_bind(Hlo *h, Var v, const char *name);

// ---- op.c, conv.c
const char *hlo_unary(Hlo *h, const char *op, const char *x, Type t);
const char *hlo_binary(Hlo *h, const char *op, const char *x, const char *y, Type t);
const char *hlo_compare(Hlo *h, const char *how, const char *x, const char *y, Type t);
const char *hlo_choose(Hlo *h, const char *c, const char *x, const char *y, Type t);
// The operation at operands of one shape; t: shape, and the type the operation is at.
const char *hlo_op(Hlo *h, Op op, const char *const *args, Type t);
const char *hlo_conv(Hlo *h, const char *x, Type from, Prim to);
// A closed function of scalars, on values of the shape of `shape`.
void hlo_lambda(Hlo *h, const Lambda *fn, const char *const *args, Type shape, const char **out);

// ---- place.c, fold.c, control.c
void hlo_slice(Hlo *h, const BulkStm *stm);
void hlo_update(Hlo *h, const BulkStm *stm);
void hlo_gather(Hlo *h, const BulkStm *stm);
void hlo_put(Hlo *h, const BulkStm *stm);
void hlo_fold(Hlo *h, const BulkStm *stm);
void hlo_prefix(Hlo *h, const BulkStm *stm);
void hlo_contract(Hlo *h, const BulkStm *stm);
void hlo_convolve(Hlo *h, const BulkStm *stm);
void hlo_loop(Hlo *h, const BulkStm *stm);
void hlo_match(Hlo *h, const BulkStm *stm);
void hlo_check(Hlo *h, const char *ok, const char *text);  // fails where the i1 is false
void hlo_stms(Hlo *h, const BulkBody *body);
Type hlo_stm_type(Hlo *h, const BulkStm *stm);  // of the first result
#endif
