// Loops with `$AD BINOMIAL-CKP steps+1 snapshots first`: the forward sweep executes the loop and,
// before some iterations, pushes a snapshot: the variables that iterations change.  The reverse
// sweep takes iterations from the last to the first.  For each it restores the latest snapshot,
// executes the iterations between, which takes new snapshots while some are free, and then
// executes the iteration with its adjoint:
//   F(for i S) = for i { [copy;] S }
//   B(for i S) = for i backwards { copy back; for those between { [copy;] S } F(S); B(S) }
// Which iterations are copied is dz_binomial_next of dagaz_tape.h: no schedule with as many copies
// executes less.  Source: A. Griewank, A. Walther, "Algorithm 799: revolve", TOMS 26 (2000).
#include "sweep.h"
#include <stdlib.h>

// The second word of the pragma: a number, or a parameter that stays.
static const CExpr *snapshots_said(Sweep *w, const CStmt *pragma) {
  const char *at = pragma->text + 12;
  for (int word = 0; word < 2 && *at; word++) {
    at += strspn(at, " \t");
    if (word == 0) at += strcspn(at, " \t");
  }
  size_t len = strcspn(at, " \t*");
  char *end = NULL;
  long n = strtol(at, &end, 10);
  if (len && end == at + len && n > 0) return cbuild_int(w->arena, n);
  for (int i = 0; i < w->f->source->params.len; i++) {
    const CVar *v = w->f->source->params.at[i];
    bool same = strlen(v->name) == len && strncmp(v->name, at, len) == 0;
    if (same && ctype_is_integer(v->type) && !v->assigned && !v->addressed)
      return cbuild_convert(w->arena, cbuild_var(w->arena, v), &ctype_long);
  }
  refuse(w->d, pragma->at, "[c-pragma] The number of snapshots is a number, or a parameter.",
         "write `$AD BINOMIAL-CKP steps+1 snapshots 1`, as `$AD BINOMIAL-CKP n+1 10 1`");
}

bool loop_binomial(Sweep *w, const CStmt *s, const Counted *c, ObjSet *reads) {
  if (!advice_binomial(w, s) || c->down) return false;
  *reads = reads_in(w, s->body);
  return true;
}

// ---- code ---------------------------------------------------------------------------------------
typedef struct {
  Sweep *w;
  const CStmt *loop, *inner;   // its body, as it is executed now
  const Counted *counted;
  const CExpr *snapshots, *trips;
  const CExpr *next, *used, *at, *step;  // variables
  Code state;
} Binomial;

static const CExpr *plus(Binomial *b, const CExpr *x, int n) {
  COp op = n < 0 ? COP_SUB : COP_ADD;
  return cbuild_binary(b->w->arena, op, x, cbuild_int(b->w->arena, n < 0 ? -n : n));
}

static void count(Binomial *b, COp op, Stmts *out) {
  CExpr *e = NEW(b->w->arena, CExpr);
  *e = (CExpr){.tag = CE_STEP, .op = op, .x = b->used, .postfix = true, .type = b->used->type};
  stmts_expr(b->w->d, out, e);
}

static void next_set(Binomial *b, const CExpr *from, const CExpr *end, Stmts *out) {
  const CExpr *left = cbuild_binary(b->w->arena, COP_SUB, b->snapshots, b->used);
  const CExpr *args[3] = {from, end, left};
  stmts_assign(b->w->d, out, b->next, mk_call(b->w->d, "dz_binomial_next", &ctype_long, args, 3));
}

static void position_push(Binomial *b, const CExpr *x, Stmts *push, Stmts *pop) {
  Code one = {0};
  push_value(b->w, x, &one);
  if (push) stmts_add_all(b->w->d, push, &one.forward);
  if (pop) stmts_add_all(b->w->d, pop, &one.reverse);
}

// The counter of an iteration that is counted from 0.
static const CExpr *counter_at(Binomial *b, const CExpr *k) {
  int64_t zero;
  if (cexpr_integer(b->counted->from, &zero) && zero == 0) return k;
  return cbuild_binary(b->w->arena, COP_ADD, b->counted->from, k);
}

static const CStmt *if_of(Binomial *b, const CExpr *c, const Stmts *yes, const Stmts *no) {
  CStmt *s = NEW(b->w->arena, CStmt);
  *s = (CStmt){.tag = CS_IF, .x = c, .body = stmts_block(b->w->d, yes)};
  if (no) s->other = stmts_block(b->w->d, no);
  return s;
}

// for (i = from; i < to; i++) { if (i is the next) { copy; choose the one after } S }
static const CStmt *advance(Binomial *b, const CExpr *from, COp compare, const CExpr *to,
                            const CExpr *end) {
  Sweep *w = b->w;
  const CExpr *i = cbuild_var(w->arena, b->counted->counter);
  Stmts copy = {0}, body = {0};
  stmts_add_all(b->w->d, &copy, &b->state.forward);
  position_push(b, b->next, &copy, NULL);
  count(b, COP_ADD, &copy);
  next_set(b, b->next, end, &copy);
  const CExpr *here = cbuild_binary(w->arena, COP_EQ, i, counter_at(b, b->next));
  stmts_add(w->d, &body, if_of(b, here, &copy, NULL));
  const CStmt *inner = b->inner;
  for (int k = 0; inner->tag == CS_BLOCK && k < inner->stmts.len; k++)
    stmts_add(w->d, &body, inner->stmts.at[k]);
  if (inner->tag != CS_BLOCK) stmts_add(w->d, &body, inner);
  CStmt *s = arena_copy(w->arena, b->loop, sizeof *s);
  s->before = (CTexts){0};
  s->after = NULL;
  s->init = cstmt_assign(w->arena, i, from);
  s->x = cbuild_binary(w->arena, compare, i, to);
  s->body = stmts_block(w->d, &body);
  return s;
}

static void forward_make(Binomial *b, Stmts *out) {
  Sweep *w = b->w;
  stmts_assign(w->d, out, b->used, cbuild_int(w->arena, 0));
  stmts_assign(w->d, out, b->next, cbuild_int(w->arena, 0));
  stmts_add(w->d, out, advance(b, b->counted->from, b->counted->compare, b->counted->to, b->trips));
  position_push(b, b->used, out, NULL);
}

static const CStmt *backwards(Binomial *b, const Stmts *body) {
  Sweep *w = b->w;
  CStmt *s = NEW(w->arena, CStmt);
  CExpr *down = NEW(w->arena, CExpr);
  *down = (CExpr){.tag = CE_STEP, .op = COP_SUB, .x = b->step, .postfix = true,
                  .type = b->step->type};
  *s = (CStmt){.tag = CS_FOR, .step = down, .at = b->loop->at, .body = stmts_block(w->d, body)};
  s->init = cstmt_assign(w->arena, b->step, plus(b, b->trips, -1));
  s->x = cbuild_binary(w->arena, COP_GE, b->step, cbuild_int(w->arena, 0));
  return s;
}

// one: F(S); B(S)
static void reverse_make(Binomial *b, const Stmts *one, Stmts *out) {
  Sweep *w = b->w;
  Stmts body = {0}, free = {0}, again = {0};
  position_push(b, b->used, NULL, out);
  position_push(b, b->at, NULL, &body);
  stmts_add_all(b->w->d, &body, &b->state.reverse);
  count(b, COP_SUB, &free);
  stmts_add_all(b->w->d, &again, &b->state.forward);
  position_push(b, b->at, &again, NULL);
  const CExpr *end = plus(b, b->step, 1);
  next_set(b, b->at, end, &again);
  stmts_add(w->d, &again, advance(b, counter_at(b, b->at), COP_LT, counter_at(b, b->step), end));
  const CExpr *here = cbuild_binary(w->arena, COP_EQ, b->at, b->step);
  stmts_add(w->d, &body, if_of(b, here, &free, &again));
  stmts_assign(w->d, &body, cbuild_var(w->arena, b->counted->counter), counter_at(b, b->step));
  stmts_add_all(b->w->d, &body, one);
  stmts_add(w->d, out, backwards(b, &body));
}

static const CExpr *local(Sweep *w, const char *name) {
  return var_of(w->d, local_new(w->f, name, &ctype_long));
}

Code binomial_code(Sweep *w, const CStmt *s, const Counted *c, ObjSet need) {
  Binomial b = {.w = w, .loop = s, .inner = s->body, .counted = c};
  Arena *arena = w->arena;
  int64_t from;
  b.snapshots = snapshots_said(w, advice_binomial(w, s));
  b.trips = c->to;
  if (!cexpr_integer(c->from, &from) || from != 0)
    b.trips = cbuild_binary(arena, COP_SUB, b.trips, c->from);
  if (c->compare == COP_LE) b.trips = plus(&b, b.trips, 1);
  b.next = local(w, "next"), b.used = local(w, "used");
  b.at = local(w, "at"), b.step = local(w, "step");
  restart_checked(w, s->body);
  w->depth++;
  Code body = sweep_code(w, s->body, need), all = {0};
  ObjSet used = reads_in(w, s->body);
  ObjSet changed = restart_state(w, s->body, &used, &need);
  w->doing = s;
  restart_copy(w, s, &changed, &b.state);
  w->depth--;
  Stmts one = dead_removed(w, &body.forward, need_after(w, s->body, need)), none = {0};
  Stmts both = restart_quiet_all(w, one.at, one.len);
  stmts_add_all(w->d, &both, &body.reverse);
  forward_make(&b, &all.forward);
  b.inner = restart_quiet(w, s->body);
  if (!b.inner) b.inner = stmts_block(w->d, &none);
  reverse_make(&b, &both, &all.reverse);
  return all;
}
