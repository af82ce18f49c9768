// Advice on memory that stands before a statement:
//   $AD NOCHECKPOINT               calls in it are not executed again: g_fwd, g_bwd
//   $AD BINOMIAL-CKP n+1 s first   a loop, see binomial.c
//   $AD II-LOOP                    a loop whose iterations are independent, see independent.c
//   $AD CHECKPOINT-START .. $AD CHECKPOINT-END    statements, see checkpoint.c
// `#pragma dagaz nocheckpoint`, `independent`, `checkpoint begin`, `checkpoint end` are the same;
// `checkpoint` alone is of one statement.
#include "sweep.h"

// After `word` there is a blank, or nothing.
static bool begins(const char *text, const char *word) {
  size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && (!text[n] || text[n] == ' ' || text[n] == '\t');
}

static bool is_advice(const CStmt *s, const char *word) {
  static const char *const same[][2] = {
      {"NOCHECKPOINT", "nocheckpoint"}, {"II-LOOP", "independent"},
      {"CHECKPOINT-START", "checkpoint begin"}, {"CHECKPOINT-END", "checkpoint end"}};
  if (s->tag != CS_PRAGMA) return false;
  if (s->inside) return begins(s->text, word);
  for (int i = 0; i < COUNT_OF(same); i++)
    if (strcmp(word, same[i][0]) == 0)
      return strncmp(s->text, "dagaz ", 6) == 0 && begins(s->text + 6, same[i][1]);
  return false;
}

static void advice_read(Sweep *w);

static bool one_checkpoint(const CStmt *s) {
  return s->tag == CS_PRAGMA && !s->inside && strcmp(s->text, "dagaz checkpoint") == 0;
}

static bool same_statement(const CStmt *a, const CStmt *b) {
  return a->at.src == b->at.src && a->at.from == b->at.from;
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
  for (int i = at + 1; i < block->stmts.len; i++) {
    const CStmt *s = block->stmts.at[i];
    if (!same_statement(s, block->stmts.at[at + 1])) return;
    cstmt_visit(s, NULL, mark_in, &m);
  }
}

// ---- regions ------------------------------------------------------------------------------------
// The END of the START at i; -1: not in this block.
static int region_end(const CStmt *block, int i) {
  int open = 0;
  for (; i < block->stmts.len; i++) {
    if (is_advice(block->stmts.at[i], "CHECKPOINT-START")) open++;
    if (is_advice(block->stmts.at[i], "CHECKPOINT-END") && --open == 0) return i;
  }
  return -1;
}

static int statement_end(const CStmt *block, int i) {
  int end = i + 1;
  while (end < block->stmts.len && same_statement(block->stmts.at[i + 1], block->stmts.at[end]))
    end++;
  return end;
}

// By the pragma: the statements as a block, and its END as that of another.
static void region_mark(Sweep *w, const CStmt *block, int i) {
  const CStmt *p = block->stmts.at[i];
  bool one = one_checkpoint(p);
  if (!one && !is_advice(p, "CHECKPOINT-START")) return;
  int end = one ? statement_end(block, i) : region_end(block, i);
  CStmt *s = NEW(w->arena, CStmt);
  *s = (CStmt){.tag = CS_BLOCK, .at = p->at};
  for (int k = i + 1; k < end; k++) list_push(w->arena, &s->stmts, block->stmts.at[k]);
  if (!s->stmts.len) return;
  map_put(w->f->regions, KEY(p), s);
  if (!one) map_put(w->f->regions, KEY(block->stmts.at[end]), (void *)(uintptr_t)p);
}

const CStmt *advice_region(Sweep *w, const CStmt *block, int i, int *next) {
  const CStmt *p = block->stmts.at[i];
  *next = i + 1;
  if (p->tag != CS_PRAGMA) return NULL;
  advice_read(w);
  const CStmt *s = map_get(w->f->regions, KEY(p));
  if (!s || s->tag != CS_BLOCK) return NULL;
  *next = i + 1 + s->stmts.len;
  return s;
}

static const CStmt *after_pragmas(const CStmt *block, int i) {
  while (i + 1 < block->stmts.len && block->stmts.at[i]->tag == CS_PRAGMA) i++;
  return block->stmts.at[i];
}

static bool find_in(const CStmt *s, void *state) {
  Sweep *w = state;
  for (int i = 0; s->tag == CS_BLOCK && i + 1 < s->stmts.len; i++) {
    const CStmt *p = s->stmts.at[i], *next = after_pragmas(s, i + 1);
    if (is_advice(p, "NOCHECKPOINT")) calls_mark(w->f->advice, s, i);
    if (is_advice(p, "BINOMIAL-CKP") || is_advice(p, "II-LOOP"))
      map_put(w->f->advice, KEY(next), (void *)(uintptr_t)p);
    region_mark(w, s, i);
  }
  return true;
}

static void advice_read(Sweep *w) {
  Derived *f = w->f;
  if (f->advice) return;
  f->advice = map_new(w->arena);
  f->regions = map_new(w->arena);
  cstmt_visit(f->simple->f->body, find_in, NULL, w);
}

static const CStmt *advice(Sweep *w, const void *of, const char *word) {
  advice_read(w);
  const CStmt *p = map_get(w->f->advice, KEY(of));
  return p && is_advice(p, word) ? p : NULL;
}

const CStmt *advice_binomial(Sweep *w, const CStmt *loop) {
  return advice(w, loop, "BINOMIAL-CKP");
}

const CStmt *advice_independent(Sweep *w, const CStmt *loop) { return advice(w, loop, "II-LOOP"); }

// ---- advice that is not followed ----------------------------------------------------------------
typedef struct {
  Sweep *w;
  Map *fit;
} Fitting;

static bool fitting_in(const CStmt *s, void *state) {
  Fitting *x = state;
  Counted c;
  if (s->tag == CS_FOR && loop_counted(x->w, s, &c)) {
    if (!c.down || advice_independent(x->w, s)) map_put(x->fit, KEY(s), x->w);
  }
  bool edge = is_advice(s, "CHECKPOINT-START") || is_advice(s, "CHECKPOINT-END");
  if ((edge || one_checkpoint(s)) && !map_get(x->w->f->regions, KEY(s)))
    diag_warn(x->w->d->p->diag, s->at, "[c-pragma] This checkpoint has no effect: it begins and "
              "ends not in one block, or nothing is in it, or a jump leaves it.");
  return true;
}

void advice_check(Sweep *w) {
  Fitting x = {w, map_new(w->arena)};
  advice_read(w);
  cstmt_visit(w->f->simple->f->body, fitting_in, NULL, &x);
  for (int i = 0; i < map_len(w->f->advice); i++) {
    const CStmt *p = map_value_at(w->f->advice, i);
    bool binomial = is_advice(p, "BINOMIAL-CKP"), loop = binomial || is_advice(p, "II-LOOP");
    if (!loop || map_get(x.fit, map_key_at(w->f->advice, i))) continue;
    diag_warn(w->d->p->diag, p->at, "[c-pragma] %s has no effect: no loop follows that counts %sby "
              "one to a bound that stays.", binomial ? "BINOMIAL-CKP" : "II-LOOP",
              binomial ? "up " : "");
  }
}

bool advice_split(Sweep *w, const CExpr *call) { return advice(w, call, "NOCHECKPOINT") != NULL; }
