// Making statements as one would write them: declarations with initialisers.
#include "local.h"

typedef struct {
  const CVar *var;
  bool found;
} Mention;

static bool mentions_in(const CExpr *e, void *state) {
  Mention *m = state;
  if (e->tag == CE_VAR && e->var == m->var) m->found = true;
  return !m->found;
}

bool stmt_mentions(const CStmt *s, const CVar *v) {
  Mention m = {v, false};
  cstmt_visit(s, NULL, mentions_in, &m);
  return m.found;
}

static bool mentions_expr(const CExpr *e, const CVar *v) {
  Mention m = {v, false};
  cexpr_visit(e, mentions_in, &m);
  return m.found;
}

// Where v is declared without a value, nothing since mentions it; -1: nowhere.
static int declared_bare(const Stmts *list, const CVar *v) {
  for (int k = list->len - 1; k >= 0; k--) {
    const CStmt *s = list->at[k];
    if (s->tag == CS_DECL && s->vars.len == 1 && s->vars.at[0] == v)
      return v->init || s->record ? -1 : k;
    if (stmt_mentions(s, v) || s->tag == CS_LABEL || s->tag == CS_CASE) return -1;
  }
  return -1;
}

void declarations_join(CDiff *d, Stmts *list) {
  Stmts kept = {0};
  for (int i = 0; i < list->len; i++) {
    const CStmt *s = list->at[i];
    const CExpr *e = s->tag == CS_EXPR && s->x->tag == CE_ASSIGN && !s->x->op ? s->x : NULL;
    CVar *v = e && e->x->tag == CE_VAR ? (CVar *)(uintptr_t)e->x->var : NULL;
    int at = v && !mentions_expr(e->y, v) ? declared_bare(&kept, v) : -1;
    if (at < 0) {
      list_push(d->arena, &kept, s);
      continue;
    }
    v->init = e->y;
    CStmt *joined = arena_copy(d->arena, kept.at[at], sizeof *joined);
    for (int k = 0; k < s->before.len; k++) list_push(d->arena, &joined->before, s->before.at[k]);
    if (!joined->after) joined->after = s->after;
    if (s->at.src) joined->at = s->at;
    for (int k = at; k + 1 < kept.len; k++) kept.at[k] = kept.at[k + 1];
    kept.at[kept.len - 1] = joined;
  }
  *list = kept;
}

// ---- after everything ---------------------------------------------------------------------------
typedef struct {
  const CVar *var;
  bool read, pushed;
} Use;

static bool use_in(const CExpr *e, void *state);

static void uses_of(const CExpr *e, Use *u) { cexpr_visit(e, use_in, u); }

static bool use_in(const CExpr *e, void *state) {
  Use *u = state;
  if (e->tag == CE_ASSIGN && cexpr_owner(e->x) == u->var) {
    if (e->op) uses_of(e->y, u);
    uses_of(e->y, u);
    return false;
  }
  if (e->tag == CE_STEP && e->x->tag == CE_VAR && e->x->var == u->var) return false;
  bool push = e->tag == CE_CALL && e->x->tag == CE_FUNCTION && e->nargs > 1 &&
              strncmp(e->x->function->name, "dz_push", 7) == 0;
  const CExpr *saved = push ? cexpr_bare(e->args[1]) : NULL;
  if (saved && saved->tag == CE_CAST) saved = cexpr_bare(saved->x);
  if (saved && cexpr_owner(saved) == u->var) u->pushed = true;
  if (e->tag == CE_VAR && e->var == u->var) u->read = true;
  return true;
}

static Use use_of(const Stmts *body, const CVar *v) {
  Use u = {v, false, false};
  for (int i = 0; i < body->len; i++) cstmt_visit(body->at[i], NULL, use_in, &u);
  return u;
}

// ---- reads before a value -----------------------------------------------------------------------
// Law: set holds of a point if the variable has a value on every way there, or a function has had
// its address.  A loop may have no iteration, and its first one begins with the values from before.
typedef struct {
  const CVar *var;
  bool set, early;  // early: it is read where set does not hold
} Unset;

static bool unset_in(const CExpr *e, void *state) {
  Unset *u = state;
  if (e->tag == CE_SIZEOF) return false;
  const bool address = e->tag == CE_UNARY && e->op == COP_ADDRESS;
  if (address && e->x->tag == CE_VAR && e->x->var == u->var) {
    u->set = true;
    return false;
  }
  if (e->tag == CE_ASSIGN && e->x->tag == CE_VAR && e->x->var == u->var) {
    cexpr_visit(e->y, unset_in, u);
    u->early = u->early || (e->op && !u->set);
    u->set = true;
    return false;
  }
  if (e->tag == CE_VAR && e->var == u->var && !u->set) u->early = true;
  return true;
}

static void unset_stmt(const CStmt *s, Unset *u) {
  if (!s) return;
  for (int i = 0; i < s->vars.len; i++) {
    cexpr_visit(s->vars.at[i]->init, unset_in, u);
    u->set = u->set || (s->vars.at[i] == u->var && u->var->init);
  }
  unset_stmt(s->init, u);
  if (s->tag != CS_DO) cexpr_visit(s->x, unset_in, u);
  const bool was = u->set;
  for (int i = 0; i < s->stmts.len; i++) unset_stmt(s->stmts.at[i], u);
  unset_stmt(s->body, u);
  cexpr_visit(s->step, unset_in, u);
  if (s->tag == CS_DO) cexpr_visit(s->x, unset_in, u);
  if (s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_SWITCH) u->set = was;
  if (s->tag != CS_IF) return;
  const bool then = u->set;
  u->set = was;
  unset_stmt(s->other, u);
  u->set = u->set && then;
}

static bool read_early(const Stmts *body, const CVar *v) {
  Unset u = {v, false, false};
  for (int i = 0; i < body->len; i++) unset_stmt(body->at[i], &u);
  return u.early;
}

// An array that the first statement with it saves may have no value then.
static bool saved_first(const Stmts *body, const CVar *v) {
  Use u = {v, false, false};
  if (v->type->tag != CTYPE_ARRAY || v->type->count < 0 || v->init) return false;
  for (int i = 0; i < body->len; i++) {
    const CStmt *s = body->at[i];
    if (s->tag == CS_DECL || !stmt_mentions(s, v)) continue;
    cstmt_visit(s, NULL, use_in, &u);
    return u.pushed;
  }
  return false;
}

// Not too long to be made zero in every call.
static bool is_short(const CType *t) {
  enum { ELEMENTS = 16 };
  return ctype_is_record(t) || (t->tag == CTYPE_ARRAY && t->count >= 0 && t->count <= ELEMENTS);
}

// Variables that are saved before they have a value, and those that are assigned only.
void body_tidy(CDiff *d, Stmts *body) {
  declarations_join(d, body);
  Stmts last = {0};
  for (int i = 0; i < body->len; i++) {
    const CStmt *s = body->at[i];
    CVar *v = s->tag == CS_DECL && s->vars.len == 1 ? s->vars.at[0] : NULL;
    bool saved = v && v->storage != CSTORE_STATIC && saved_first(body, v);
    if (saved) v->init = zeros(d->arena, v->type);
    bool scalar = v && ctype_is_scalar(v->type), small = v && is_short(v->type);
    if (!scalar && !small) continue;
    Use u = use_of(body, v);
    bool starts = !v->init && v->storage != CSTORE_STATIC;
    if (starts && scalar && (u.pushed || read_early(body, v))) v->init = cbuild_int(d->arena, 0);
    if (starts && small && u.pushed) v->init = zeros(d->arena, v->type);
    if (v->type->tag == CTYPE_ARRAY) continue;
    if (u.read) continue;
    CExpr *e = NEW(d->arena, CExpr);
    *e = (CExpr){.tag = CE_CAST, .type = &ctype_void, .x = cbuild_var(d->arena, v)};
    stmts_expr(d, &last, e);
  }
  bool returns = body->len && body->at[body->len - 1]->tag == CS_RETURN;
  const CStmt *end = returns ? body->at[--body->len] : NULL;
  for (int i = 0; i < last.len; i++) list_push(d->arena, body, last.at[i]);
  if (end) list_push(d->arena, body, end);
}

void parameters_use(CDiff *d, CFunction *f, Stmts *body) {
  Stmts all = {0};
  for (int i = 0; i < f->params.len; i++) {
    if (use_of(body, f->params.at[i]).read) continue;
    CExpr *e = NEW(d->arena, CExpr);
    *e = (CExpr){.tag = CE_CAST, .type = &ctype_void, .x = cbuild_var(d->arena, f->params.at[i])};
    stmts_expr(d, &all, e);
  }
  for (int i = 0; i < body->len; i++) list_push(d->arena, &all, body->at[i]);
  *body = all;
}

