// Independent loops: the forward sweep executes the loop as it is written, the reverse sweep each
// iteration again and at once its adjoint; so nothing is kept from one iteration to the next.
//   F(for i S) = for i S                        B(for i S) = for i backwards: F(S); B(S)
// An iteration may not use values of others (cflow/independent.c), nor overwrite what reverse code
// of statements before the loop needs.  The loop costs one more execution, so it is chosen only
// where its iterations would save values.
// Source: L. Hascoet et al., "Adjoining independent computations", 2001.
#include "sweep.h"

typedef struct {
  bool independent, again;
  ObjSet reads, writes;
} LoopFacts;

static LoopFacts *facts_of(Sweep *w, const CStmt *s) {
  LoopFacts *facts = map_get(w->f->loops, KEY(s));
  if (facts) return facts;
  facts = NEW(w->arena, LoopFacts);
  facts->writes = writes_in(w, s->body);
  facts->independent = cflow_independent(w->flow, s, &facts->writes, &facts->reads);
  map_put(w->f->loops, KEY(s), facts);
  return facts;
}

static bool again_saves(Sweep *w, const CStmt *s, const LoopFacts *facts, const ObjSet *need) {
  if (set_meets(&facts->writes, need)) return false;
  ObjSet kept = need_loop(w, s->body, *need);
  return set_meets(&kept, &facts->writes);
}

bool loop_again(Sweep *w, const CStmt *s, const ObjSet *need, ObjSet *reads) {
  if (w->d->options->no_independent) return false;
  LoopFacts *facts = facts_of(w, s);
  if (!w->only) facts->again = facts->independent && again_saves(w, s, facts, need);
  *reads = facts->reads;
  return facts->again;
}

bool loop_independent(Sweep *w, const CStmt *s) { return facts_of(w, s)->independent; }

bool loop_again_reads(Sweep *w, const CStmt *s, ObjSet *reads) {
  if (w->d->options->no_independent) return false;
  LoopFacts *facts = facts_of(w, s);
  ObjSet none = {{0}};
  if (!facts->independent || !again_saves(w, s, facts, &none)) return false;
  *reads = facts->reads;
  return true;
}
