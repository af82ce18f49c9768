// `goto` forwards, out of blocks, loops and switches to a label of a block around:
//   { A; if (c) goto L; B; L: C }     =  { int at = 0; A; if (c) at = 1; if (!at) { B } C }
//   while (c) { .. goto L; .. }       =  while (c) { .. { at = 1; break; } .. }; if (!at) ..
// Inner loops are left one by one: `if (at) break;` stands after each.  Other jumps stay as they
// are.
#include "local.h"

typedef struct {
  CSimple *s;
  Arena *arena;
  Name label;
  const CExpr *flag;
} Forward;

static const CStmt *block_of(Forward *w, const Stmts *list) {
  return cstmt_block(w->arena, list->at, list->len);
}

static const CStmt *branch(Forward *w, bool set, const CStmt *body) {
  CStmt *s = NEW(w->arena, CStmt);
  *s = (CStmt){.tag = CS_IF, .at = body->at, .body = body};
  s->x = set ? w->flag : cbuild_unary(w->arena, COP_NOT, w->flag);
  return s;
}

static const CStmt *left(Forward *w, Span at) {
  CStmt *s = NEW(w->arena, CStmt);
  *s = (CStmt){.tag = CS_BREAK, .at = at};
  return s;
}

static Stmts list_forward(Forward *w, const CStmt *const *at, int n, bool inside);

// inside: of a loop or switch that is left, too.
static const CStmt *one_forward(Forward *w, const CStmt *s, bool inside) {
  if (!s || !jumps_to(s, w->label)) return s;
  Stmts list = {0};
  if (s->tag == CS_GOTO) {
    const CExpr *set = cbuild_assign(w->arena, COP_NONE, w->flag, cbuild_int(w->arena, 1));
    list_push(w->arena, &list, cstmt_expr(w->arena, set));
    if (inside) list_push(w->arena, &list, left(w, s->at));
    return block_of(w, &list);
  }
  if (s->tag == CS_BLOCK) {
    list = list_forward(w, s->stmts.at, s->stmts.len, inside);
    return block_of(w, &list);
  }
  bool leaves = s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO || s->tag == CS_SWITCH;
  CStmt *r = arena_copy(w->arena, s, sizeof *s);
  r->body = one_forward(w, s->body, inside || leaves);
  r->other = one_forward(w, s->other, inside || leaves);
  return r;
}

static Stmts list_forward(Forward *w, const CStmt *const *at, int n, bool inside) {
  Stmts out = {0};
  for (int i = 0; i < n; i++) {
    list_push(w->arena, &out, one_forward(w, at[i], inside));
    if (!jumps_to(at[i], w->label) || i + 1 == n) continue;
    if (inside) list_push(w->arena, &out, branch(w, true, left(w, at[i]->at)));
    else {
      Stmts rest = list_forward(w, at + i + 1, n - i - 1, false);
      list_push(w->arena, &out, branch(w, false, block_of(w, &rest)));
      return out;
    }
  }
  return out;
}

// The label is statement k of the list, and nothing after it jumps to it.
static Stmts label_removed(CSimple *s, const Stmts *list, int k) {
  Arena *arena = s->program->arena;
  CVar *v = cvar_fresh(s, "at", &ctype_int);
  v->init = cbuild_int(arena, 0);
  Forward w = {s, arena, list->at[k]->label, cbuild_var(arena, v)};
  bool used = false;
  for (int i = 0; i < k; i++) used |= jumps_to(list->at[i], w.label);
  Stmts out = {0}, before = list_forward(&w, list->at, k, false);
  if (used) list_push(arena, &out, cstmt_decl(arena, v));
  for (int i = 0; i < before.len; i++) list_push(arena, &out, before.at[i]);
  list_push(arena, &out, list->at[k]->body);
  for (int i = k + 1; i < list->len; i++) list_push(arena, &out, list->at[i]);
  return out;
}

static bool only_before(const CStmt *body, const Stmts *list, int k) {
  Name label = list->at[k]->label;
  int all = 0, here = 0;
  for (int i = 0; i < list->len; i++) all += jumps_to(list->at[i], label);
  for (int i = 0; i < k; i++) here += jumps_to(list->at[i], label);
  return all == here && (all > 0 || !jumps_to(body, label));
}

static const CStmt *forward_in(const CStmt *of, void *simple) {
  return jumps_forward(simple, of);
}
const CStmt *jumps_forward(CSimple *s, const CStmt *of) {
  Arena *arena = s->program->arena;
  const CStmt *r = cstmt_mapped(arena, of, forward_in, s);
  Stmts list = {r->stmts.at, r->stmts.len, r->stmts.cap};
  for (int k = 0; of->tag == CS_BLOCK && k < list.len; k++)
    if (list.at[k]->tag == CS_LABEL && only_before(s->f->body, &list, k)) {
      list = label_removed(s, &list, k);
      k = -1;
    }
  return cstmt_with(arena, r, &list);
}
