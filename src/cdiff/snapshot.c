// Snapshots: a call that overwrites its inputs can be executed again from a copy of these inputs.
//   forward sweep    push what the call overwrites and reads, or what others need; the call
//   reverse sweep    pop it; the adjoint, which executes the call; pop it once more for the others
// Users choose it (--joint g): the tape has a copy of arrays in place of all that g would keep.
#include "sweep.h"

// The parameter of the callee whose memory an object is in; -1: another object.
static int param_of(const CFlow *callee, int obj) {
  const Obj *o = cflow_whole(callee, obj);
  const CVar *v = o->tag == OBJ_TARGET ? callee->objs.at[o->parent].var : NULL;
  for (int i = 0; v && i < callee->function->params.len; i++)
    if (callee->function->params.at[i] == v) return i;
  return -1;
}

// An expression of the callee's parameters in terms of the arguments; NULL: another expression.
static const CExpr *in_caller(Arena *arena, const CFunction *g, const CExpr *call, const CExpr *e) {
  if (e->tag == CE_INT) return e;
  for (int i = 0; e->tag == CE_VAR && i < g->params.len; i++)
    if (g->params.at[i] == e->var && !e->var->assigned && !e->var->addressed) return call->args[i];
  bool known = e->tag == CE_BINARY || e->tag == CE_UNARY || e->tag == CE_CONVERT ||
               e->tag == CE_CAST;
  if (!known || !ctype_is_integer(e->type)) return NULL;
  CExpr *r = arena_copy(arena, e, sizeof *e);
  r->x = in_caller(arena, g, call, e->x);
  if (e->y) r->y = in_caller(arena, g, call, e->y);
  return r->x && (!e->y || r->y) ? r : NULL;
}

// 0 where it is negative: loops without iterations.
const CExpr *length_positive(Arena *arena, const CExpr *length) {
  int64_t v;
  if (cexpr_integer(length, &v) && v >= 0) return length;
  const CExpr *zero = cbuild_int(arena, 0);
  CExpr *r = NEW(arena, CExpr);
  *r = (CExpr){.tag = CE_COND, .type = length->type, .z = zero, .y = length,
               .x = cbuild_binary(arena, COP_GT, length, zero)};
  return r;
}

static const CExpr *bytes_of(Sweep *w, const CFunction *g, const CExpr *call, int k) {
  Arena *arena = w->arena;
  const CVar *v = g->params.at[k];
  const CExpr *length = v->type->was_array ? v->type->length : NULL;
  if (!length) length = clength_of(w->d->p, g, v);
  if (length) length = in_caller(arena, g, call, length);
  if (!length) return NULL;
  return cbuild_binary(arena, COP_MUL, length_positive(arena, length),
                       cbuild_sizeof(arena, NULL, v->type->base));
}

bool snapshot_wanted(const CDiff *d, const CFunction *g) {
  for (int i = 0; i < d->options->joint.len; i++)
    if (strcmp(d->options->joint.at[i], g->name) == 0) return true;
  return false;
}

typedef struct {
  Sweep *w;
  CFlow *callee;
  const CExpr *call;
  const ObjSet *reads, *need;
  bool read[64], needed[64];  // parameters: memory that is overwritten
} Snapshot;

static bool params_find(Snapshot *s) {
  for (int i = 0; i < s->callee->objs.len; i++) {
    const Obj *o = &s->callee->objs.at[i];
    bool own = o->tag == OBJ_VAR && !o->var->is_global && o->var->storage != CSTORE_STATIC;
    if (!set_has(&s->callee->writes, i) || own || o->tag == OBJ_HEAP) continue;
    if (o->tag == OBJ_FIELD && param_of(s->callee, i) < 0 && !o->entry) continue;
    int k = param_of(s->callee, i);
    if (k < 0 || k >= 64 || k >= s->call->nargs) return false;
    ObjSet here = cflow_map(s->w->flow, s->callee, s->call, i);
    s->read[k] |= set_meets(&here, s->reads);
    s->needed[k] |= set_meets(&here, s->need);
  }
  return true;
}

bool snapshot_plan(Sweep *w, CallPlan *p, const CExpr *call, const ObjSet *reads,
                   const ObjSet *need) {
  Snapshot s = {.w = w, .callee = cflow_of(w->d->p, p->g->source), .call = call, .reads = reads,
                .need = need};
  if (!params_find(&s)) return false;
  for (int k = 0; k < call->nargs && k < 64; k++) {
    if (!s.read[k] && !s.needed[k]) continue;
    Copied c = {call->args[k], bytes_of(w, p->g->source, call, k), s.read[k], s.needed[k]};
    if (!c.bytes) return false;
    list_push(w->arena, &p->copied, c);
  }
  for (int i = 0; i < s.callee->objs.len; i++) {
    int k = param_of(s.callee, i);
    if (!set_has(&s.callee->reads, i) || (k >= 0 && k < 64 && s.read[k])) continue;
    const Obj *o = &s.callee->objs.at[i];
    if (o->tag == OBJ_VAR && !o->var->is_global) continue;
    ObjSet here = cflow_map(w->flow, s.callee, call, i);
    set_join(&p->uses, &here);
  }
  return true;
}

static void tape_call(Sweep *w, const Copied *c, const char *name, Stmts *out) {
  tape_bytes(w, name, c->place, c->bytes, out);
}

void snapshot_code(Sweep *w, const CallPlan *p, Stmts *forward, Stmts *before, Stmts *after) {
  bool again = false;  // copies are needed after the adjoint, too: all go back
  for (int i = 0; i < p->copied.len; i++) again |= p->copied.at[i].needed;
  for (int i = 0; i < p->copied.len; i++) {
    kept_note(w, KEPT_TAPE, p->copied.at[i].place, p->copied.at[i].place);
    tape_call(w, &p->copied.at[i], "dz_push_bytes", forward);
  }
  for (int i = p->copied.len - 1; i >= 0; i--)
    tape_call(w, &p->copied.at[i], "dz_pop_bytes", before);
  for (int i = 0; again && i < p->copied.len; i++) {
    const CExpr *args[2] = {tape_pointer(w), p->copied.at[i].bytes};
    stmts_expr(w->d, before, mk_call(w->d, "dz_keep_bytes", &ctype_void, args, 2));
  }
  for (int i = p->copied.len - 1; again && i >= 0; i--)
    tape_call(w, &p->copied.at[i], "dz_pop_bytes", after);
}
