// Which statements need the values that a sweep keeps.  One statement at a time is taken to be the
// only one whose reverse code uses anything; what is then still saved is saved for it.
#include "sweep.h"

typedef struct {
  const void *who;
  int line;
} User;
typedef struct {
  Sweep *w;
  SweepNotes *notes;
  LIST(User) users;
  int line;          // of the user in question; 0: the caller
} Why;

// ---- who uses values ----------------------------------------------------------------------------
static int line_of(Span at) { return at.src ? span_place(at).line : 0; }

// Of statements that simplification made: the line of what is in them.
static int line_inside(const CStmt *s) {
  int line = line_of(s->at);
  if (!line && s->body) line = line_inside(s->body);
  for (int i = 0; i < s->stmts.len && !line; i++) line = line_inside(s->stmts.at[i]);
  return line;
}

static bool user_add(const CStmt *s, void *state) {
  Why *y = state;
  int line = line_inside(s);
  const CExpr *exprs[3] = {s->tag == CS_EXPR ? s->x : NULL, s->step, NULL};
  for (int i = 0; i < 3; i++)
    for (const CExpr *e = exprs[i]; e; e = e->tag == CE_COMMA ? e->y : NULL) {
      const CExpr *one = e->tag == CE_COMMA ? e->x : e;
      list_push(y->w->arena, &y->users, ((User){one, line}));
    }
  if (s->tag == CS_IF || s->tag == CS_FOR) list_push(y->w->arena, &y->users, ((User){s, line}));
  for (int i = 0, next; s->tag == CS_BLOCK && i < s->stmts.len; i++) {
    const CStmt *region = advice_region(y->w, s, i, &next);
    if (region) list_push(y->w->arena, &y->users, ((User){region, line_of(region->at)}));
  }
  return true;
}

// ---- what is kept for one of them ---------------------------------------------------------------
static void line_add(Arena *arena, Lines *lines, int line) {
  int i = 0;
  for (; i < lines->len; i++)
    if (lines->at[i] == line) return;
  list_push(arena, lines, line);
  for (i = lines->len - 1; i > 0 && lines->at[i - 1] > line; i--) {
    lines->at[i] = lines->at[i - 1];
    lines->at[i - 1] = line;
  }
}

static void mark(Why *y, const void *who) {
  for (int i = 0; i < y->notes->kept.len; i++) {
    Kept *k = &y->notes->kept.at[i];
    if (k->who != who) continue;
    if (y->line) line_add(y->w->arena, &k->needed, y->line);
    else k->outside = true;
  }
}

static void walk(Why *y, const CStmt *s, ObjSet need);

static void walk_effect(Why *y, const CExpr *e, ObjSet need) {
  if (e->tag == CE_COMMA) {
    walk_effect(y, e->x, need);
    need = need_after(y->w, cstmt_expr(y->w->arena, e->x), need);
    walk_effect(y, e->y, need);
  } else if (e->tag == CE_ASSIGN || e->tag == CE_STEP) {
    Effect r = effect_of(y->w, e, &need);
    if (r.saved || r.undone) mark(y, e);
  } else if (e->tag == CE_CALL) {
    CallPlan p = call_plan(y->w, e, NULL, &need);
    if (!set_empty(&p.saved)) mark(y, e);
  }
}

static void walk_counted(Why *y, const CStmt *s, ObjSet need) {
  ObjSet reads;
  walk(y, s->init, need);
  need = need_after(y->w, s->init, need);
  bool again = loop_again(y->w, s, &need, &reads);
  if (again && y->w->only == s) set_join(&need, &reads);
  if (!again) need = need_loop(y->w, s->body, need);
  walk(y, s->body, need);
}

static void walk(Why *y, const CStmt *s, ObjSet need) {
  Counted c;
  switch ((int)s->tag) {
    case CS_EXPR: walk_effect(y, s->x, need); return;
    case CS_BLOCK:
      for (int i = 0, next; i < s->stmts.len; i = next) {
        const CStmt *region = advice_region(y->w, s, i, &next);
        walk(y, region ? region : s->stmts.at[i], need);
        need = part_after(y->w, s->stmts.at[i], region, need);
      }
      return;
    case CS_IF:
      walk(y, s->body, need);
      if (s->other) walk(y, s->other, need);
      return;
    case CS_FOR:
      if (loop_counted(y->w, s, &c)) walk_counted(y, s, need);
      else walk(y, loop_plain(y->w, s), need);
      return;
    case CS_WHILE: case CS_DO: walk(y, s->body, need_loop(y->w, s->body, need)); return;
    default: return;
  }
}

// Locals that a split function keeps at its end.
static void mark_end(Why *y, const ObjSet *end) {
  for (int i = 0; i < y->notes->kept.len; i++) {
    Kept *k = &y->notes->kept.at[i];
    if (k->tag != KEPT_END) continue;
    ObjSet places = cflow_places(y->w->flow, k->place);
    places = cflow_spread(y->w->flow, places);
    if (!set_meets(&places, end)) continue;
    if (y->line) line_add(y->w->arena, &k->needed, y->line);
    else k->outside = true;
  }
}

void kept_explain(SweepNotes *notes) {
  Derived *f = notes->f;
  Sweep w = sweep_new(f, notes->split != NULL);
  Why y = {.w = &w, .notes = notes};
  const CStmt *body = f->simple->f->body;
  cstmt_visit(body, user_add, NULL, &y);
  for (int i = -1; i < y.users.len; i++) {
    w.only = i < 0 ? (const void *)notes : y.users.at[i].who;
    y.line = i < 0 ? 0 : y.users.at[i].line;
    if (i >= 0 && !y.line) continue;
    ObjSet need = {{0}};
    if (i < 0) need = notes->need;
    w.notes->need = need;
    walk(&y, body, need);
    ObjSet end = need_after(&w, body, need);
    mark_end(&y, &end);
  }
}
