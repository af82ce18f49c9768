// Regions between `$AD CHECKPOINT-START` and `CHECKPOINT-END`.  The forward sweep copies the memory
// that a region changes and executes the region as it is written.  The reverse sweep copies the
// memory back, executes the region again, keeping its values, and then the region's adjoint.
//   F(region S) = copy; S                          B(region S) = { copy back; F(S); B(S) }
//   need after region S = (need - state) + what S uses of the beginning - state
// `state` (restart.c) comes back with the copy, so statements below may overwrite it.
#include "sweep.h"

typedef struct {
  ObjSet reads, state;
} Region;

static Region region_of(Sweep *w, const CStmt *s, const ObjSet *need) {
  Region r;
  if (!cflow_exposed(w->flow, s, true, &r.reads)) r.reads = reads_in(w, s);
  r.state = restart_state(w, s, &r.reads, need);
  return r;
}

ObjSet checkpoint_reads(Sweep *w, const CStmt *s) {
  ObjSet none = {{0}};
  return region_of(w, s, &none).reads;
}

ObjSet checkpoint_after(Sweep *w, const CStmt *s, ObjSet need) {
  Region r = region_of(w, s, &need);
  set_without(&need, &r.state);
  set_without(&r.reads, &r.state);
  if (!w->only || w->only == s) set_join(&need, &r.reads);
  return need;
}

static void written(Sweep *w, const CStmt *s, Stmts *out) {
  for (int i = 0; i < s->stmts.len; i++)
    if (s->stmts.at[i]->tag != CS_PRAGMA) stmts_add(w->d, out, s->stmts.at[i]);
}

Code checkpoint_code(Sweep *w, const CStmt *s, ObjSet need) {
  CDiff *d = w->d;
  Region r = region_of(w, s, &need);
  Code body = sweep_code(w, s, need), all = {0}, state = {0};
  Stmts back = {0};
  restart_checked(w, s);
  w->doing = s;
  Span outer = d->at;
  d->at = s->at;
  w->depth++;
  if (body.reverse.len || set_meets(&r.state, &need)) restart_copy(w, s, &r.state, &state);
  w->depth--;
  stmts_add_all(d, &all.forward, &state.forward);
  written(w, s, &all.forward);
  originals_noted(w, s);
  Stmts again = dead_removed(w, &body.forward, need_after(w, s, need));
  stmts_add_all(d, &all.reverse, &state.reverse);
  if (body.reverse.len) back = restart_quiet_all(w, again.at, again.len);
  stmts_add_all(d, &back, &body.reverse);
  if (back.len) stmts_add(d, &all.reverse, stmts_block(d, &back));
  d->at = outer;
  return all;
}
