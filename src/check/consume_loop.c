// Loops.  Which parameters a loop consumes is found from its body; then the body's result must
// keep them distinct, and the initial value is consumed like an argument.
#include "consume.h"

typedef struct {
  Consumer *u;
  Expr *exp;
  SType *type;       // of the parameters
  int len;           // leaves
  AliasList params;  // their own members; never NULL for names
  AliasList body;    // what the next values alias
  AliasList init;
  bool *consuming;
  bool *starred;     // consuming by declaration or by what the body does itself
} LoopUse;

static const char *param_name(const LoopUse *l, int i) {
  return l->params.at[i] ? l->params.at[i]->owner->name : "_";
}

// A parameter that is returned for a consuming one is handed over, and so consuming as well.
static void diets_close(LoopUse *l) {
  Consumer *u = l->u;
  LIST(int) todo = {0};
  for (int i = 0; i < l->len; i++)
    if (l->consuming[i]) list_push(u->arena, &todo, i);
  while (todo.len) {
    AliasList members = {0};
    alias_members(u, l->body.at[todo.at[--todo.len]], &members);
    for (int k = 0; k < members.len; k++) {
      int j = members.at[k]->index;
      if (j < 0 || j >= l->len || l->params.at[j] != members.at[k]) continue;
      if (l->consuming[j] || !members.at[k]->consumable) continue;
      l->consuming[j] = true;
      list_push(u->arena, &todo, j);
    }
  }
}

static void diets_start(LoopUse *l, bool declared) {
  for (int i = 0; i < l->len; i++) {
    const Alias *p = l->params.at[i];
    l->consuming[i] = p && p->consumable && ((declared && p->declared) || p->direct);
  }
}

// Does the body pass on something that has a name for a consuming parameter?
static bool names_returned(LoopUse *l) {
  for (int i = 0; i < l->len; i++) {
    AliasList members = {0};
    if (l->consuming[i]) alias_members(l->u, l->body.at[i], &members);
    if (members.len) return true;
  }
  return false;
}

// A `*` in the pattern counts, unless names are handed over: then what the body does counts, so
// that a parameter declared `*` that is never consumed may start from an observed value.  (It may
// not become one: `starred`.)
static void diets_infer(LoopUse *l) {
  l->consuming = NEW_ARRAY(l->u->arena, bool, l->len + 1);
  diets_start(l, true);
  l->starred = arena_copy(l->u->arena, l->consuming, sizeof(bool) * (size_t)(l->len + 1));
  if (names_returned(l)) {
    bool *declared = l->consuming;
    diets_close(l);
    l->consuming = NEW_ARRAY(l->u->arena, bool, l->len + 1);
    diets_start(l, false);
    for (int i = 0; i < l->len; i++) {
      AliasList members = {0};
      if (declared[i]) alias_members(l->u, l->body.at[i], &members);
      for (int k = 0; k < members.len; k++) {
        int j = members.at[k]->index;
        if (j < 0 || j >= l->len || l->params.at[j] != members.at[k]) continue;
        l->consuming[j] |= members.at[k]->consumable;
      }
    }
  }
  diets_close(l);
}

// ---- the body's result -----------------------------------------------------------------------
static void next_outside(const LoopUse *l, int i) {
  Consumer *u = l->u;
  AliasList members = {0};
  alias_members(u, l->body.at[i], &members);
  for (int k = 0; k < members.len; k++) {
    if (member_is_free(u, members.at[k])) continue;
    const Owner *o = members.at[k]->owner;
    diag_error(u->c->diag, l->exp->loop.body->span,
               "[consuming-loop-param-aliases] Return value for consuming loop parameter \"%s\" "
               "aliases %s%s%s "
               "(#consuming-loop-param-aliases).", param_name(l, i), o->name ? "\"" : "",
               o->name ? o->name : o->what, o->name ? "\"" : "");
    return;
  }
}

static void next_check(const LoopUse *l) {
  Consumer *u = l->u;
  Span at = l->exp->loop.body->span;
  Alias *consumed = NULL, *observed = NULL;
  for (int i = 0; i < l->len; i++) {
    Alias *set = l->body.at[i];
    if (l->consuming[i] || l->starred[i]) next_outside(l, i);
    if (alias_overlap(u, set, consumed))
      diag_error(u->c->diag, at, "[loop-parameter-aliases-other] Return value for loop parameter "
                                 "\"%s\" aliases other consumed "
                 "loop parameter (#loop-parameter-aliases-other).", param_name(l, i));
    else if (l->consuming[i] && alias_overlap(u, set, observed))
      diag_error(u->c->diag, at, "[aliases-previously-returned] Return value for consuming loop "
                                 "parameter \"%s\" aliases "
                 "previously returned value (#aliases-previously-returned).", param_name(l, i));
    if (l->consuming[i]) consumed = alias_union(u, consumed, set);
    else observed = alias_union(u, observed, set);
  }
}

// ---- the initial value -----------------------------------------------------------------------
static void init_check(LoopUse *l) {
  Consumer *u = l->u;
  Expr *init = l->exp->loop.init;
  Tree *t = consume_exp(u, init);
  tree_leaves(u, l->type, t, &l->init);
  leaves_fit(u, &l->init, l->len);
  bool *shared = NEW_ARRAY(u->arena, bool, l->len + 1), reported = false;
  alias_shared(u, &l->init, shared);
  Alias *all = NULL;
  for (int i = 0; i < l->len; i++) {
    if (!l->consuming[i]) continue;
    if (shared[i] && !reported) report_self_alias(u, init->span);
    reported |= shared[i];
    all = alias_union(u, all, l->init.at[i]);
  }
  alias_consume(u, all, init->span);
}

// Neither the body nor the condition may use what the loop has taken over.
static void free_check(const LoopUse *l, const UseFrame *frame, const Tree *rows) {
  Diag *diag = l->u->c->diag;
  Span at = l->exp->loop.body->span;
  for (int i = 0; i < frame->free.len; i++) {
    const UseEntry *e = frame->free.at[i];
    if (e->all && e->all->tainted)
      diag_error(diag, at, "[loop-uses-consumed] Loop body uses \"%s\" (or aliases), but this is "
                           "consumed by the "
                 "initial loop argument at %s.", e->owner->name,
                 span_text(l->u, e->all->tainted->at));
  }
  const Owner *lost = tree_tainted(rows);
  if (lost)
    diag_error(diag, at, "[loop-uses-consumed] Loop body uses %s through the loop's array, but "
                         "this is consumed by the "
               "initial loop argument at %s.", lost->what, span_text(l->u, lost->at));
}

// ---- the loop's result -----------------------------------------------------------------------
// The last value of an observing parameter may be its first one, the value of the body, or
// another parameter's value where the body passes one on.  A value without a name is `own`, one
// for each parameter: so two results that may both be what one parameter was share memory.
static Alias *leaf_value(LoopUse *l, const AliasList *own, int start) {
  Consumer *u = l->u;
  bool *seen = NEW_ARRAY(u->arena, bool, l->len);
  LIST(int) todo = {0};
  Alias *set = NULL;
  list_push(u->arena, &todo, start);
  seen[start] = true;
  while (todo.len) {
    int i = todo.at[--todo.len];
    if (l->consuming[i]) continue;
    set = alias_union(u, set, alias_union(u, own->at[i], alias_live(u, l->init.at[i])));
    AliasList members = {0};
    alias_members(u, l->body.at[i], &members);
    for (int k = 0; k < members.len; k++) {
      Alias *m = members.at[k];
      int j = m->index;
      if (j < 0 || j >= l->len || l->params.at[j] != m) {
        set = alias_union(u, set, m);
      } else if (!seen[j]) {
        seen[j] = true;
        list_push(u->arena, &todo, j);
      }
    }
  }
  return set;
}

static AliasList results_own(LoopUse *l) {
  Consumer *u = l->u;
  AliasList own = {0};
  const char *what = arena_printf(u->arena, "result of loop (at %s)", span_text(u, l->exp->span));
  for (int i = 0; i < l->len; i++)
    list_push(u->arena, &own, owner_member(u, owner_new(u, NULL, what), true));
  return own;
}

static Tree *loop_result(LoopUse *l) {
  AliasList leaves = {0}, own = results_own(l);
  for (int i = 0; i < l->len; i++)
    list_push(l->u->arena, &leaves, l->consuming[i] ? NULL : leaf_value(l, &own, i));
  int at = 0;
  return tree_build(l->u, l->type, &leaves, &at);
}

static void loop_body(LoopUse *l) {
  Consumer *u = l->u;
  Expr *exp = l->exp;
  Tree *pat = consume_pat(u, exp->loop.pat, NULL, BIND_LOOP);
  tree_leaves(u, l->type, pat, &l->params);
  l->len = l->params.len;
  for (int i = 0; i < l->len; i++)
    if (l->params.at[i]) l->params.at[i]->index = i;
  if (exp->loop.tag == LOOP_WHILE) consume_exp(u, exp->loop.arg);
  Tree *body = consume_exp(u, exp->loop.body);
  Owner *lost = tree_tainted(body);
  if (lost) report_use(u, lost, NULL, exp->loop.body->span);
  tree_leaves(u, l->type, tree_live(u, body), &l->body);
  leaves_fit(u, &l->body, l->len);
  diets_infer(l);
  next_check(l);
}

Tree *consume_loop(Consumer *u, Expr *exp) {
  LoopUse l = {.u = u, .exp = exp, .type = exp->type};
  Tree *rows = exp->loop.tag == LOOP_WHILE ? NULL : consume_exp(u, exp->loop.arg);
  UseFrame frame = {0};
  frame_begin(u, &frame);
  Snapshot before = uses_snapshot(u);
  if (exp->loop.tag == LOOP_IN) {
    Alias *all = tree_all(u, rows);
    consume_pat(u, exp->loop.index, tree_spread(u, exp->loop.index->type, NULL, all, all),
                BIND_FROZEN);
  }
  loop_body(&l);
  uses_undo(u, before);
  frame_end(u);
  init_check(&l);
  free_check(&l, &frame, rows);
  return loop_result(&l);
}
