// Independent loops: the forward sweep executes the loop as it is written, the reverse sweep each
// iteration again and at once its adjoint; so nothing is kept from one iteration to the next.
//   F(for i S) = for i S                        B(for i S) = for i backwards: F(S); B(S)
// An iteration may not use values of others (cflow/independent.c), nor overwrite what reverse code
// of statements before the loop needs.  The loop costs one more execution, so it is chosen only
// where its iterations would save values.
//   `$AD II-LOOP`: the iterations are independent though that is not seen.  Memory that they write
// and use, or others need, is copied before the loop and copied back (restart.c), so an iteration
// finds it unchanged.  A need that is certain is an error.
// Source: L. Hascoet et al., "Adjoining independent computations", 2001.
#include "sweep.h"

typedef struct {
  bool independent, again;
  bool said;             // by a pragma, of a loop that has such a reverse sweep
  ObjSet reads, writes;
} LoopFacts;

// ---- what users say -----------------------------------------------------------------------------
static void need_refused(Sweep *w, Span at, const char *what) {
  const char *message = arena_printf(
      w->arena, "[c-pragma] The iterations of this loop are not independent: each uses `%s`, which "
      "others write.", what);
  refuse(w->d, at, message, "give it a value in each iteration before it is used, or leave out the "
                            "pragma");
}

static void said_checked(Sweep *w, const CStmt *s, const LoopFacts *facts) {
  const CExpr *e = cflow_carried(w->flow, s);
  Text name = {0};
  if (e) cexpr_print(&name, e);
  for (int i = 0; !e && !name.len && i < w->flow->objs.len; i++)
    if (set_has(&facts->reads, i) && set_has(&facts->writes, i) && w->flow->objs.at[i].one)
      place_print(&name, w->flow, i);
  if (name.len) {
    const char *what = arena_strdup(w->arena, name.at);
    text_free(&name);
    need_refused(w, e ? e->at : s->at, what);
  }
  restart_checked(w, s->body);
}

static void said_facts(Sweep *w, const CStmt *s, LoopFacts *facts) {
  Counted c;
  facts->said = advice_independent(w, s) && loop_counted(w, s, &c);
  if (!facts->said || facts->independent) return;
  if (!cflow_exposed(w->flow, s, false, &facts->reads)) facts->reads = reads_in(w, s->body);
  said_checked(w, s, facts);
}

// ---- facts --------------------------------------------------------------------------------------
static LoopFacts *facts_of(Sweep *w, const CStmt *s) {
  LoopFacts *facts = map_get(w->f->loops, KEY(s));
  if (facts) return facts;
  facts = NEW(w->arena, LoopFacts);
  facts->writes = writes_in(w, s->body);
  facts->independent = cflow_independent(w->flow, s, &facts->writes, &facts->reads);
  map_put(w->f->loops, KEY(s), facts);
  said_facts(w, s, facts);
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
  if (!w->only)
    facts->again = facts->said || (facts->independent && again_saves(w, s, facts, need));
  *reads = facts->reads;
  return facts->again;
}

ObjSet loop_copied(Sweep *w, const CStmt *s, const ObjSet *need) {
  LoopFacts *facts = facts_of(w, s);
  if (!facts->said) return (ObjSet){{0}};
  return restart_state(w, s->body, &facts->reads, need);
}

bool loop_independent(Sweep *w, const CStmt *s) { return facts_of(w, s)->independent; }

bool loop_believed(Sweep *w, const CStmt *s) {
  LoopFacts *facts = facts_of(w, s);
  return facts->said && !facts->independent && facts->again;
}

bool loop_again_reads(Sweep *w, const CStmt *s, ObjSet *reads) {
  if (w->d->options->no_independent) return false;
  LoopFacts *facts = facts_of(w, s);
  ObjSet none = {{0}};
  if (!facts->said && (!facts->independent || !again_saves(w, s, facts, &none))) return false;
  *reads = facts->reads;
  return true;
}

// ---- code ---------------------------------------------------------------------------------------
Code again_code(Sweep *w, const CStmt *s, const Counted *c, ObjSet need, const ObjSet *copied) {
  Kept note = {.tag = KEPT_AGAIN, .at = w->d->at, .loop = s};
  list_push(w->arena, &w->notes->kept, note);
  w->depth++;
  Code body = sweep_code(w, s->body, need), all = {0};
  w->doing = s;
  restart_copy(w, s, copied, &all);
  w->depth--;
  stmts_add(w->d, &all.forward, s);
  originals_noted(w, s);
  if (!body.reverse.len) return all;
  Stmts both = dead_removed(w, &body.forward, need_after(w, s->body, need));
  both = restart_quiet_all(w, both.at, both.len);
  stmts_add_all(w->d, &both, &body.reverse);
  stmts_add(w->d, &all.reverse, counted_reverse(w, c, &both));
  return all;
}
