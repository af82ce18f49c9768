// `goto` back, to a label of a block around, as a loop whose jumps go forwards (forward.c):
//   { A; L: B; if (c) goto L; C }
//     =  { A; L: do { again = 0; B; if (c) { again = 1; goto end; } end: ; } while (again); C }
// The loop ends with the last statement of the block that jumps back to L, or to a label inside of
// it.  `break` and `continue` of a loop around leave it by a flag, and a jump to a label after it.
// Scalars that its block declares are declared in front of it, as C may use them.
#include "local.h"

enum { LEFT = 1, NEXT = 2 };
typedef struct {
  CSimple *s;
  Arena *arena;
  Name label, end, out;
  const CExpr *again, *leave;
  int leaves;  // LEFT, NEXT, both: there is such a jump
} Back;

static void list_back(CSimple *s, const Stmts *list, Stmts *out);

bool jumps_to(const CStmt *s, Name label) {
  if (!s) return false;
  if (s->tag == CS_GOTO) return s->label == label;
  bool found = jumps_to(s->body, label) || jumps_to(s->other, label);
  for (int i = 0; i < s->stmts.len && !found; i++) found = jumps_to(s->stmts.at[i], label);
  return found;
}

static const CStmt *stmt(Back *b, CStmt of) { return arena_copy(b->arena, &of, sizeof of); }
static const CStmt *jump(Back *b, Span at, Name to) {
  return stmt(b, (CStmt){.tag = CS_GOTO, .at = at, .label = to});
}
static const CStmt *set(Back *b, const CExpr *flag, int value) {
  return cstmt_assign(b->arena, flag, cbuild_int(b->arena, value));
}
static const CExpr *flag_new(Back *b, const char *base, Stmts *out) {
  CVar *v = cvar_fresh(b->s, base, &ctype_int);
  v->init = cbuild_int(b->arena, 0);
  list_push(b->arena, out, cstmt_decl(b->arena, v));
  return cbuild_var(b->arena, v);
}
// No name of the user's has a blank.
static Name label_new(Back *b, const char *base) {
  return cname_fresh(b->arena, b->s->program->names, b->s->names, base);
}
static const CStmt *label(Back *b, Span at, Name name, const CStmt *body) {
  if (!body) body = stmt(b, (CStmt){.tag = CS_EMPTY, .at = at});
  return stmt(b, (CStmt){.tag = CS_LABEL, .at = at, .label = name, .body = body});
}

static const CStmt *pair(Back *b, const CStmt *one, const CStmt *two) {
  const CStmt *both[] = {one, two};
  return cstmt_block(b->arena, both, 2);
}

// Jumps to b->label, and out of a loop around, as jumps forwards.  loop: what they stand in is a
// loop itself; breaks: one, or a switch, which `break` leaves.
typedef struct {
  Back *b;
  bool loop, breaks;
} Inside;
static const CStmt *forwards(const CStmt *s, void *state) {
  Inside in = *(Inside *)state;
  Back *b = in.b;
  if (s->tag == CS_GOTO && s->label == b->label)
    return pair(b, set(b, b->again, 1), jump(b, s->at, b->end));
  if ((s->tag == CS_BREAK && !in.breaks) || (s->tag == CS_CONTINUE && !in.loop)) {
    const int kind = s->tag == CS_BREAK ? LEFT : NEXT;
    b->leaves |= kind;
    return pair(b, set(b, b->leave, kind), jump(b, s->at, b->out));
  }
  const bool is_loop = s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO;
  in.loop |= is_loop;
  in.breaks |= is_loop || s->tag == CS_SWITCH;
  return cstmt_mapped(b->arena, s, forwards, &in);
}

// ---- the loop's block ---------------------------------------------------------------------------
static bool moves(const CVar *v) {
  return v->storage != CSTORE_STATIC && ctype_is_scalar(v->type) && v->type->tag != CTYPE_ARRAY;
}

// The declaration of what moves stands in `before`, its value in `out`.
static void declaration(Back *b, const CStmt *s, Stmts *before, Stmts *out) {
  for (int i = 0; i < s->vars.len; i++) {
    CVar *v = s->vars.at[i];
    const CExpr *init = v->init;
    list_push(b->arena, moves(v) ? before : out, cstmt_decl(b->arena, v));
    if (!moves(v)) continue;
    v->init = NULL;
    v->type = ctype_plain(b->arena, v->type);
    const CExpr *x = cbuild_var(b->arena, v);
    if (init) list_push(b->arena, out, cstmt_assign(b->arena, x, init));
  }
}

static const CStmt *loop_of(Back *b, const Stmts *region, Span at, Stmts *before) {
  Stmts inner = {0}, body = {0};
  Inside in = {b, false, false};
  list_back(b->s, region, &inner);
  list_push(b->arena, &body, set(b, b->again, 0));
  for (int i = 0; i < inner.len; i++) {
    const CStmt *s = inner.at[i];
    if (s->tag == CS_DECL) declaration(b, s, before, &body);
    else list_push(b->arena, &body, forwards(s, &in));
  }
  list_push(b->arena, &body, label(b, at, b->end, NULL));
  return stmt(b, (CStmt){.tag = CS_DO, .at = at, .x = b->again,
                         .body = cstmt_block(b->arena, body.at, body.len)});
}

static void leave(Back *b, Span at, int kind, CStmtTag tag, Stmts *out) {
  if (!(b->leaves & kind)) return;
  const CExpr *is = cbuild_binary(b->arena, COP_EQ, b->leave, cbuild_int(b->arena, kind));
  list_push(b->arena, out, stmt(b, (CStmt){.tag = CS_IF, .at = at, .x = is,
                                           .body = stmt(b, (CStmt){.tag = tag, .at = at})}));
}

// Statements first .. last of the list; the first is the label.
static void region_back(CSimple *s, const Stmts *list, int first, int last, Stmts *out) {
  const CStmt *head = list->at[first];
  Back b = {.s = s, .arena = s->program->arena, .label = head->label};
  Stmts region = {0};
  list_push(b.arena, &region, head->body);
  for (int i = first + 1; i <= last; i++) list_push(b.arena, &region, list->at[i]);
  b.again = flag_new(&b, "again", out);
  b.leave = flag_new(&b, "leave", out);
  b.end = label_new(&b, "end of a loop");
  b.out = label_new(&b, "after a loop");
  const CStmt *loop = loop_of(&b, &region, head->at, out);
  list_push(b.arena, out, label(&b, head->at, head->label, pair(&b, set(&b, b.leave, 0), loop)));
  if (!b.leaves) return;
  list_push(b.arena, out, label(&b, head->at, b.out, NULL));
  leave(&b, head->at, LEFT, CS_BREAK, out);
  leave(&b, head->at, NEXT, CS_CONTINUE, out);
}

// ---- blocks -------------------------------------------------------------------------------------
static int last_jump(const Stmts *list, Name name, int from) {
  int last = -1;
  for (int i = from; i < list->len; i++)
    if (jumps_to(list->at[i], name)) last = i;
  return last;
}

// The last statement of the loop that begins at label k; -1: nothing jumps back to it.
static int loop_end(const Stmts *list, int k) {
  int last = last_jump(list, list->at[k]->label, k);
  for (int i = k + 1; i <= last; i++) {
    const int more = list->at[i]->tag == CS_LABEL ? last_jump(list, list->at[i]->label, i) : -1;
    if (more > last) last = more;
  }
  return last;
}

static void list_back(CSimple *s, const Stmts *list, Stmts *out) {
  for (int i = 0; i < list->len; i++) {
    const int end = list->at[i]->tag == CS_LABEL ? loop_end(list, i) : -1;
    if (end < 0) {
      list_push(s->program->arena, out, list->at[i]);
      continue;
    }
    region_back(s, list, i, end, out);
    i = end;
  }
}

static const CStmt *back_in(const CStmt *of, void *simple) { return jumps_back(simple, of); }
const CStmt *jumps_back(CSimple *s, const CStmt *of) {
  const CStmt *r = cstmt_mapped(s->program->arena, of, back_in, s);
  const Stmts list = {r->stmts.at, r->stmts.len, r->stmts.cap};
  Stmts out = {0};
  list_back(s, &list, &out);
  return cstmt_with(s->program->arena, r, &out);
}
