// Advice on memory that stands before a statement:
//   $AD NOCHECKPOINT               calls in it are not executed again: g_fwd, g_bwd
//   $AD BINOMIAL-CKP n+1 s first   a loop, see binomial.c
#include "sweep.h"

static bool is_advice(const CStmt *s, const char *word) {
  return s->tag == CS_PRAGMA && s->inside && strncmp(s->text, word, strlen(word)) == 0;
}

typedef struct {
  Map *found;
  const CStmt *pragma;
} Marking;

static bool mark_in(const CExpr *e, void *state) {
  Marking *m = state;
  if (e->tag == CE_CALL) map_put(m->found, KEY(e), (void *)(uintptr_t)m->pragma);
  return true;
}

// All that one statement of the source has become.
static void calls_mark(Map *found, const CStmt *block, int at) {
  Marking m = {found, block->stmts.at[at]};
  const Span of = block->stmts.at[at + 1]->at;
  for (int i = at + 1; i < block->stmts.len; i++) {
    const CStmt *s = block->stmts.at[i];
    if (s->at.src != of.src || s->at.from != of.from) return;
    cstmt_visit(s, NULL, mark_in, &m);
  }
}

static bool find_in(const CStmt *s, void *state) {
  Map *found = state;
  for (int i = 0; s->tag == CS_BLOCK && i + 1 < s->stmts.len; i++) {
    const CStmt *p = s->stmts.at[i], *next = s->stmts.at[i + 1];
    if (is_advice(p, "NOCHECKPOINT")) calls_mark(found, s, i);
    if (is_advice(p, "BINOMIAL-CKP")) map_put(found, KEY(next), (void *)(uintptr_t)p);
  }
  return true;
}

static const CStmt *advice(Sweep *w, const void *of) {
  Derived *f = w->f;
  if (!f->advice) {
    f->advice = map_new(w->arena);
    cstmt_visit(f->simple->f->body, find_in, NULL, f->advice);
  }
  return map_get(f->advice, KEY(of));
}

const CStmt *advice_binomial(Sweep *w, const CStmt *loop) { return advice(w, loop); }

typedef struct {
  Sweep *w;
  Map *fit;
} Fitting;

static bool fitting_in(const CStmt *s, void *state) {
  Fitting *x = state;
  Counted c;
  if (s->tag == CS_FOR && loop_counted(x->w, s, &c) && !c.down) map_put(x->fit, KEY(s), x->w);
  return true;
}

// Advice that is not followed.
void advice_check(Sweep *w) {
  Fitting x = {w, map_new(w->arena)};
  advice(w, w->f->simple->f->body);
  cstmt_visit(w->f->simple->f->body, fitting_in, NULL, &x);
  for (int i = 0; i < map_len(w->f->advice); i++) {
    const CStmt *p = map_value_at(w->f->advice, i);
    if (!is_advice(p, "BINOMIAL-CKP") || map_get(x.fit, map_key_at(w->f->advice, i))) continue;
    diag_warn(w->d->p->diag, p->at, "[c-pragma] BINOMIAL-CKP has no effect: no loop follows that "
              "counts up by one to a bound that stays.");
  }
}

bool advice_split(Sweep *w, const CExpr *call) { return advice(w, call) != NULL; }
