// Several directions at once.  The shadow of a number is an array of NBDirsMax numbers, one for
// each direction; nbdirs of them are used.  The derivative of a statement is a loop over them:
//   (v = e)' = t = ..;  for (nd = 0; nd < nbdirs; nd++) vd[nd] = sum of (de/dx) xd[nd]
// and in adjoints  for (..) { xb[nd] += (de/dx) vb[nd]; ..; vb[nd] = 0; }
// With --multi runtime nbdirs replaces NBDirsMax, so that the arrays are of variable length.  What
// costs and is the same for all directions is named before the loop.  Loops that stand next
// to each other become one: a direction has no part in another one.
#include "local.h"

bool directions_many(const CDiff *d) { return d->options->directions > 0; }

bool directions_any(const CDiff *d) { return d->options->any_directions; }

static bool are_last(const CDiff *d) { return directions_many(d) && !directions_any(d); }

void directions_param_first(Derived *f, CVars *params) {
  if (directions_any(f->d)) list_push(f->d->arena, params, directions_used(f));
}

void directions_param_last(Derived *f, CVars *params) {
  if (are_last(f->d)) list_push(f->d->arena, params, directions_used(f));
}

void directions_arg_first(Derived *f, Exprs *args) {
  if (directions_any(f->d)) list_push(f->d->arena, args, var_of(f->d, directions_used(f)));
}

void directions_arg_last(Derived *f, Exprs *args) {
  if (are_last(f->d)) list_push(f->d->arena, args, var_of(f->d, directions_used(f)));
}

bool directions_sized(const CDiff *d, const CType *t) {
  return directions_any(d) && t->tag == CTYPE_ARRAY && ctype_is_float(ctype_element(t));
}

const CType *directions_type(const CDiff *d, const CType *number) {
  CExpr *most = NEW(d->arena, CExpr);
  *most = (CExpr){.tag = CE_INT, .type = &ctype_int, .value = d->options->directions,
                  .spelling = directions_any(d) ? "nbdirs" : "NBDirsMax"};
  CType *t = NEW(d->arena, CType);
  *t = (CType){.tag = CTYPE_ARRAY, .base = number, .length = most,
               .count = d->options->directions};
  return t;
}

// The type of a parameter that has them.
const CType *directions_parameter(const CDiff *d, const CType *number) {
  CType *p = arena_copy(d->arena, directions_type(d, number), sizeof *p);
  p->tag = CTYPE_POINTER;
  p->was_array = true;
  return p;
}

// The parameter nbdirs.
CVar *directions_used(Derived *f) {
  if (!f->directions) f->directions = cvar_fresh(f->simple, "nbdirs", &ctype_int);
  if (directions_any(f->d) && strcmp(f->directions->name, "nbdirs") != 0)
    refuse(f->d, f->source->at, "[c-unsupported] A variable is called `nbdirs`, as the number of "
           "directions is.", "rename it");
  f->directions->is_param = true;
  return f->directions;
}

CVar *directions_temporary(Derived *f, const CType *number) {
  CVar *v = local_new(f, "td", &ctype_double);
  v->type = directions_type(f->d, ctype_plain(f->d->arena, number));
  return v;
}

static const CExpr *counter(Derived *f) {
  if (!f->direction) {
    f->direction = local_new(f, "nd", &ctype_int);
    for (int i = f->extra.len - 1; i > 0; i--) f->extra.at[i] = f->extra.at[i - 1];
    f->extra.at[0] = f->direction;
  }
  return var_of(f->d, f->direction);
}

const CExpr *direction_of(Derived *f, const CExpr *shadow) {
  if (!directions_many(f->d)) return shadow;
  return cbuild_index(f->d->arena, shadow, counter(f));
}

// A parameter by value that changes: so does a copy of its directions, not the caller's array.
CVar *directions_copied(Derived *f, CVar *s) {
  CVar *given = cvar_fresh(f->simple, s->name, directions_parameter(f->d, s->type->base));
  given->is_param = true;
  Name name = given->name;
  given->name = s->name;
  s->name = name;
  s->is_param = false;
  s->type = directions_type(f->d, s->type->base);
  list_push(f->d->arena, &f->copied, s);
  list_push(f->d->arena, &f->copied, given);
  return given;
}

void directions_copy(Derived *f, Stmts *out) {
  CDiff *d = f->d;
  if (f->copied.len) counter(f);
  for (int i = 0; i < f->copied.len; i += 2)
    direction_assign(f, COP_NONE, var_of(d, f->copied.at[i]),
                     direction_of(f, var_of(d, f->copied.at[i + 1])), out);
}

// ---- values common to all directions ------------------------------------------------------------
typedef struct {
  Derived *f;
  CVars each;          // variables with a value of their own in each direction
  const CExpr *guard;  // where the expression is computed; NULL: always
  Stmts *before;
} Hoist;
typedef struct {
  const CVars *each;
  bool found, costs;
} Look;

static bool look_at(const CExpr *e, void *state) {
  Look *l = state;
  for (int i = 0; i < l->each->len; i++)
    l->found |= e->tag == CE_VAR && e->var == l->each->at[i];
  l->costs |= e->tag == CE_CALL ||
              (e->tag == CE_BINARY && e->op == COP_DIV && ctype_is_float(e->type));
  return true;
}

static const CExpr *guard_both(Arena *arena, const CExpr *a, const CExpr *b) {
  if (!a || !b) return a ? a : b;
  return cbuild_binary(arena, COP_ANDAND, cbuild_truth(arena, a), cbuild_truth(arena, b));
}

static const CExpr *hoisted(Hoist *h, const CExpr *e);

static const CExpr *hoisted_if(Hoist *h, const CExpr *guard, const CExpr *e) {
  Hoist inner = *h;
  inner.guard = guard_both(h->f->d->arena, h->guard, guard);
  return hoisted(&inner, e);
}

// Sides of a condition are computed where it holds, before the loop as in it.
static const CExpr *hoisted(Hoist *h, const CExpr *e) {
  if (!e || !ctype_is_float(e->type)) return e;
  CDiff *d = h->f->d;
  Look l = {.each = &h->each};
  cexpr_visit(e, look_at, &l);
  if (!l.costs) return e;
  if (!l.found) {
    const CExpr *t = var_of(d, local_new(h->f, "t", e->type));
    stmts_assign(d, h->before, t, h->guard ? mk_cond(d, h->guard, e, NULL) : e);
    return t;
  }
  if (e->tag == CE_CALL || e->tag == CE_INDEX) return e;
  CExpr *r = arena_copy(d->arena, e, sizeof *e);
  if (e->tag == CE_COND) {
    r->y = hoisted_if(h, e->x, e->y);
    r->z = hoisted_if(h, cbuild_unary(d->arena, COP_NOT, e->x), e->z);
    return r;
  }
  r->x = hoisted(h, e->x);
  r->y = hoisted(h, e->y);
  return r;
}

// An assignment, or a branch around such.
static const CStmt *stmt_hoisted(Hoist *h, const CStmt *s) {
  CDiff *d = h->f->d;
  CStmt *r = arena_copy(d->arena, s, sizeof *s);
  if (s->tag == CS_EXPR) {
    CExpr *e = arena_copy(d->arena, s->x, sizeof *e);
    e->y = hoisted(h, e->y);
    r->x = e;
    return r;
  }
  check(s->tag == CS_IF && !s->other && s->body->tag == CS_BLOCK);
  Hoist inner = *h;
  Stmts list = {0};
  inner.guard = guard_both(d->arena, h->guard, s->x);
  for (int i = 0; i < s->body->stmts.len; i++)
    list_push(d->arena, &list, stmt_hoisted(&inner, s->body->stmts.at[i]));
  r->body = stmts_block(d, &list);
  return r;
}

// ---- statements ---------------------------------------------------------------------------------
static const CStmt *direction_loop(Derived *f, const Stmts *body) {
  CDiff *d = f->d;
  const CExpr *nd = counter(f);
  CExpr *step = NEW(d->arena, CExpr);
  *step = (CExpr){.tag = CE_STEP, .op = COP_ADD, .x = nd, .postfix = true, .type = nd->type};
  CStmt *s = NEW(d->arena, CStmt);
  *s = (CStmt){.tag = CS_FOR, .step = step, .at = d->at};
  s->body = body->len == 1 && body->at[0]->tag == CS_EXPR ? body->at[0] : stmts_block(d, body);
  s->init = cstmt_assign(d->arena, nd, cbuild_int(d->arena, 0));
  s->x = cbuild_binary(d->arena, COP_LT, nd, var_of(d, directions_used(f)));
  return s;
}

// Assignments of numbers, each for one direction: for all of them.
void direction_body(Derived *f, const Stmts *body, Stmts *out) {
  CDiff *d = f->d;
  if (!directions_many(d) || !body->len) {
    stmts_add_all(d, out, body);
    return;
  }
  counter(f);
  Hoist h = {.f = f, .before = out};
  Stmts inside = {0};
  list_push(d->arena, &h.each, f->direction);
  for (int i = 0; i < body->len; i++) {
    const CExpr *e = body->at[i]->tag == CS_EXPR ? body->at[i]->x : NULL;
    if (e && e->x->tag == CE_VAR) list_push(d->arena, &h.each, (CVar *)(uintptr_t)e->x->var);
  }
  for (int i = 0; i < body->len; i++)
    list_push(d->arena, &inside, stmt_hoisted(&h, body->at[i]));
  stmts_add(d, out, direction_loop(f, &inside));
}

// shadow op= value; value: of direction_of's.  NULL: zero.
void direction_assign(Derived *f, COp op, const CExpr *shadow, const CExpr *value, Stmts *out) {
  CDiff *d = f->d;
  Stmts body = {0};
  if (!value) value = cbuild_int(d->arena, 0);
  stmts_expr(d, &body, cbuild_assign(d->arena, op, direction_of(f, shadow), value));
  direction_body(f, &body, out);
}

// ---- loops next to each other -------------------------------------------------------------------
static bool over_directions(const Derived *f, const CStmt *s) {
  if (s->tag != CS_FOR || !s->init || s->init->tag != CS_EXPR) return false;
  const CExpr *e = s->init->x;
  return e->tag == CE_ASSIGN && e->x->tag == CE_VAR && e->x->var == f->direction;
}

static const CStmt *loops_joined(Derived *f, const CStmt *a, const CStmt *b) {
  CDiff *d = f->d;
  const CStmt *parts[2] = {a->body, b->body};
  Stmts body = {0};
  for (int i = 0; i < 2; i++) {
    if (parts[i]->tag != CS_BLOCK) list_push(d->arena, &body, parts[i]);
    for (int k = 0; parts[i]->tag == CS_BLOCK && k < parts[i]->stmts.len; k++)
      list_push(d->arena, &body, parts[i]->stmts.at[k]);
  }
  CStmt *r = arena_copy(d->arena, a, sizeof *a);
  r->body = stmts_block(d, &body);
  r->after = b->after;
  return r;
}

static const CStmt *fused_below(Derived *f, const CStmt *s) {
  CDiff *d = f->d;
  if (!s || over_directions(f, s)) return s;
  CStmt *r = arena_copy(d->arena, s, sizeof *s);
  Stmts list = {s->stmts.at, s->stmts.len, s->stmts.cap};
  if (s->tag == CS_BLOCK) list = directions_fused(f, &list);
  r->stmts.at = list.at;
  r->stmts.len = list.len;
  r->stmts.cap = list.cap;
  r->body = fused_below(f, s->body);
  r->other = fused_below(f, s->other);
  return r;
}

Stmts directions_fused(Derived *f, const Stmts *list) {
  Stmts r = {0};
  if (!f->direction) return *list;
  for (int i = 0; i < list->len; i++) {
    const CStmt *s = fused_below(f, list->at[i]), *last = r.len ? r.at[r.len - 1] : NULL;
    bool joins = last && !s->before.len && !last->after && over_directions(f, s) &&
                 over_directions(f, last);
    if (joins) r.at[r.len - 1] = loops_joined(f, last, s);
    else list_push(f->d->arena, &r, s);
  }
  return r;
}
