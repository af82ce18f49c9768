// Sets of names as a graph of unions.  Consuming a name taints every set that contains it, so
// that asking "was any alias consumed?" costs nothing; branches are undone by a log.
#include "consume.h"

Owner *owner_new(Consumer *u, Name name, const char *what) {
  Owner *o = NEW(u->arena, Owner);
  o->name = name;
  o->what = what ? what : arena_printf(u->arena, "variable \"%s\"", name);
  o->depth = u->depth;
  o->serial = ++u->serial;
  return o;
}

Alias *owner_member(Consumer *u, Owner *owner, bool consumable) {
  Alias *a = NEW(u->arena, Alias);
  a->owner = owner;
  a->consumable = consumable;
  a->index = -1;
  list_push(u->arena, &owner->members, a);
  return a;
}

static void taint_one(Consumer *u, Alias *a, Owner *by) {
  a->tainted = by;
  list_push(u->arena, &u->tainted, a);
}

Alias *alias_union(Consumer *u, Alias *a, Alias *b) {
  if (!a || a == b) return b;
  if (!b) return a;
  Alias *both = NEW(u->arena, Alias);
  both->left = a;
  both->right = b;
  both->index = -1;
  list_push(u->arena, &a->users, both);
  list_push(u->arena, &b->users, both);
  if (a->tainted || b->tainted) taint_one(u, both, a->tainted ? a->tainted : b->tainted);
  return both;
}

// ---- visiting --------------------------------------------------------------------------------
// The graph may be as deep as the program is long: visits keep their own stack.
typedef struct {
  AliasList stack;
} Visit;

static Alias *visit_next(Consumer *u, Visit *v) {
  while (v->stack.len) {
    Alias *a = v->stack.at[--v->stack.len];
    if (a->mark == u->mark) continue;
    a->mark = u->mark;
    if (a->owner) return a;
    list_push(u->arena, &v->stack, a->right);
    list_push(u->arena, &v->stack, a->left);
  }
  return NULL;
}

static Visit visit_begin(Consumer *u, Alias *set) {
  Visit v = {{0}};
  u->mark++;
  if (set) list_push(u->arena, &v.stack, set);
  return v;
}

void alias_members(Consumer *u, Alias *set, AliasList *out) {
  Visit v = visit_begin(u, set);
  for (Alias *a; (a = visit_next(u, &v));) list_push(u->arena, out, a);
}

bool alias_overlap(Consumer *u, Alias *a, Alias *b) {
  if (!a || !b) return false;
  Visit v = visit_begin(u, a);
  while (visit_next(u, &v)) continue;
  uint32_t seen = u->mark;
  AliasList stack = {0};
  list_push(u->arena, &stack, b);
  u->mark++;
  while (stack.len) {
    Alias *x = stack.at[--stack.len];
    if (x->mark == seen) return true;
    if (x->mark == u->mark) continue;
    x->mark = u->mark;
    if (x->owner) continue;
    list_push(u->arena, &stack, x->right);
    list_push(u->arena, &stack, x->left);
  }
  return false;
}

Alias *alias_live(Consumer *u, Alias *set) {
  if (!set || !set->tainted) return set;
  AliasList members = {0};
  alias_members(u, set, &members);
  Alias *live = NULL;
  for (int i = 0; i < members.len; i++)
    if (!members.at[i]->owner->consumed) live = alias_union(u, live, members.at[i]);
  return live;
}

// A node met again from another set is shared; what lies below it need not be visited twice.
static void shared_visit(Consumer *u, Alias *set, int visitor, bool *shared) {
  AliasList stack = {0};
  list_push(u->arena, &stack, set);
  while (stack.len) {
    Alias *a = stack.at[--stack.len];
    if (a->mark == u->mark) {
      if (a->visitor != visitor) shared[visitor] = shared[a->visitor] = true;
      continue;
    }
    a->mark = u->mark;
    a->visitor = visitor;
    if (a->owner) continue;
    list_push(u->arena, &stack, a->right);
    list_push(u->arena, &stack, a->left);
  }
}

void alias_shared(Consumer *u, const AliasList *sets, bool *shared) {
  u->mark++;
  for (int i = 0; i < sets->len; i++) {
    shared[i] = false;
    if (sets->at[i]) shared_visit(u, sets->at[i], i, shared);
  }
}

// ---- consuming -------------------------------------------------------------------------------
// Names that have left their scope are only their aliases; no one can see them any more.
bool member_is_free(const Consumer *u, const Alias *m) {
  if (m->owner->global) return false;
  if (m->owner->depth > u->depth) return true;
  return m->consumable && m->owner->depth == u->depth && !u->frozen;
}

static void taint(Consumer *u, Alias *member, Owner *by) {
  AliasList stack = {0};
  list_push(u->arena, &stack, member);
  while (stack.len) {
    Alias *a = stack.at[--stack.len];
    if (a->tainted) continue;
    taint_one(u, a, by);
    for (int i = 0; i < a->users.len; i++) list_push(u->arena, &stack, a->users.at[i]);
  }
}

void alias_reconsume(Consumer *u, Alias *m, Span at) {
  Owner *o = m->owner;
  if (o->global || m->direct) return;
  Consumption step = {m, !o->consumed};
  list_push(u->arena, &u->consumed, step);
  m->direct = true;
  if (o->consumed) return;
  o->consumed = true;
  o->at = at;
  for (int i = 0; i < o->members.len; i++) taint(u, o->members.at[i], o);
}

void alias_consume(Consumer *u, Alias *set, Span at) {
  AliasList members = {0};
  alias_members(u, set, &members);
  const Owner *bad = NULL;
  for (int i = 0; i < members.len; i++) {
    if (!bad && !member_is_free(u, members.at[i])) bad = members.at[i]->owner;
    alias_reconsume(u, members.at[i], at);
  }
  if (!bad) return;
  diag_error(u->c->diag, at, "[not-consumable] Consuming %s, which is not consumable.",
             bad->what);
  if (bad->global || !bad->name) return;
  diag_note(u->c->diag, bad->span, "It is bound here.");
  diag_hint(u->c->diag, "consume a copy instead, \"copy %s\"; of a parameter, a * before its type "
            "allows consumption.", bad->name);
}

// ---- going back ------------------------------------------------------------------------------
Snapshot uses_snapshot(const Consumer *u) {
  return (Snapshot){u->consumed.len, u->tainted.len, u->serial};
}

void uses_undo(Consumer *u, Snapshot to) {
  for (int i = to.consumed; i < u->consumed.len; i++) {
    u->consumed.at[i].member->direct = false;
    if (u->consumed.at[i].first) u->consumed.at[i].member->owner->consumed = false;
  }
  u->consumed.len = to.consumed;
  // Sets made since then may contain what was consumed before: these stay tainted.
  for (int i = to.tainted; i < u->tainted.len; i++) u->tainted.at[i]->tainted = NULL;
  int end = u->tainted.len;
  u->tainted.len = to.tainted;
  for (int i = to.tainted; i < end; i++) {
    Alias *a = u->tainted.at[i];
    Owner *by = a->owner ? NULL : a->left->tainted ? a->left->tainted : a->right->tainted;
    if (by) taint_one(u, a, by);
  }
}

bool consumed_since(const Consumer *u, Snapshot from) {
  for (int i = from.consumed; i < u->consumed.len; i++)
    if (u->consumed.at[i].member->owner->serial <= from.serial) return true;
  return false;
}

// ---- messages --------------------------------------------------------------------------------
const char *span_text(Consumer *u, Span span) {
  Text text = {0};
  span_print(&text, span);
  const char *s = arena_strndup(u->arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return s;
}

void report_use(Consumer *u, const Owner *owner, Name through, Span at) {
  const char *where = span_text(u, owner->at);
  if (through && through != owner->name)
    diag_error(u->c->diag, at, "[use-after-consume] Using %s, but this was consumed at %s.\n"
               "(\"%s\" may be the same array.)", owner->what, where, through);
  else
    diag_error(u->c->diag, at, "[use-after-consume] Using %s, but this was consumed at %s.  "
                               "(Possibly through "
               "aliases.)", owner->what, where);
  diag_note(u->c->diag, owner->at, "It is consumed here.");
  if (owner->name)
    diag_hint(u->c->diag, "consume a copy there to keep it: \"copy %s\".", owner->name);
}
