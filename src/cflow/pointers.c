// Pointers to functions that are known become names, so that everything else need not know them:
//   p(x), (*p)(x)    where p is f: f(x)
//   g(f, x)          g has a parameter p for f: g_f(x), a copy of g with f for p
//   p != 0           true
//   t[i](x)          t is a table of few functions: i == 0 ? f(x) : g(x); g(t[i], x) likewise
// A pointer is known if it has its value from its declaration and keeps it: a local or static
// variable, an element of a constant table, a parameter of such a copy.
#include "local.h"

typedef LIST(const CExpr *) Exprs;
enum { MOST_COPIES = 256, MOST_CHOICES = 8 };
typedef struct {
  const CFunction *of;
  Exprs given;             // by parameter; NULL: not a known function
  CFunction *made;
} Copy;
typedef struct {
  CProgram *p;
  Map *known;              // by parameter of a copy: the function
  LIST(Copy) copies;
} Pointers;

// ---- which function -----------------------------------------------------------------------------
static bool stays(const CVar *v) {
  bool elsewhere = v->is_global && v->storage != CSTORE_STATIC && !(v->type->quals & CQ_CONST);
  return !v->is_param && !v->assigned && !v->addressed && !elsewhere && v->init;
}

static const CFunction *known(const Pointers *s, const CExpr *e);

// A constant table of which e is an element; NULL: it is none.
static const CVar *table_of(const CExpr *e) {
  const CExpr *table = e->tag == CE_INDEX ? cexpr_bare(e->x) : e;
  if (table->tag != CE_VAR || table->type->tag != CTYPE_ARRAY) return NULL;
  const CVar *v = table->var;
  bool constant = v->type->base->quals & CQ_CONST;
  return constant && !v->is_param && v->init && v->init->tag == CE_LIST ? v : NULL;
}

// table[2]
static const CFunction *in_table(const Pointers *s, const CExpr *e) {
  const CVar *v = table_of(e);
  int64_t at;
  if (!v || !cexpr_integer(e->y, &at)) return NULL;
  for (int i = v->init->nelems - 1; i >= 0; i--)
    if (v->init->elems[i].at <= at && at <= v->init->elems[i].to)
      return known(s, v->init->elems[i].value);
  return NULL;
}

static const CFunction *known(const Pointers *s, const CExpr *e) {
  if (!e) return NULL;
  switch ((int)e->tag) {
    case CE_FUNCTION: return e->function;
    case CE_CONVERT: return known(s, e->x);
    case CE_UNARY: return e->op == COP_ADDRESS || e->op == COP_DEREF ? known(s, e->x) : NULL;
    case CE_INDEX: return in_table(s, e);
    case CE_VAR: {
      const CFunction *f = map_get(s->known, KEY(e->var));
      return f || !stays(e->var) ? f : known(s, e->var->init);
    }
    default: return NULL;
  }
}

static bool leads_to_function(const CType *t) {
  return t->tag == CTYPE_POINTER && t->base->tag == CTYPE_FUNCTION;
}

static const CExpr *named(Pointers *s, const CFunction *f, Span at) {
  CExpr *e = NEW(s->p->arena, CExpr);
  *e = (CExpr){.tag = CE_FUNCTION, .at = at, .type = f->type, .function = f};
  return e;
}

// ---- copies -------------------------------------------------------------------------------------
static void resolve(Pointers *s, CFunction *f);

static CFunction *copy_new(Pointers *s, const CFunction *g, const Exprs *given) {
  Arena *arena = s->p->arena;
  Map *vars = map_new(arena);
  CFunction *r = arena_copy(arena, g, sizeof *r);
  const char *name = g->name;
  r->params = (CVars){0};
  for (int i = 0; i < g->params.len; i++) {
    CVar *v = arena_copy(arena, g->params.at[i], sizeof *v);
    const CExpr *f = given->at[i];
    v->owner = r;
    map_put(vars, KEY(g->params.at[i]), v);
    if (f) map_put(s->known, KEY(v), (void *)(uintptr_t)f->function);
    if (f) name = arena_printf(arena, "%s_%s", name, f->function->name);
    else list_push(arena, &r->params, v);
  }
  CType *t = arena_copy(arena, g->type, sizeof *t);
  t->params = r->params;
  r->type = t;
  r->name = cname_fresh(arena, s->p->names, s->p->used, name);
  r->is_static = true;
  r->body = cstmt_cloned(arena, vars, g->body);
  return r;
}

static bool same_given(const Exprs *a, const Exprs *b) {
  for (int i = 0; i < a->len; i++) {
    const CFunction *x = a->at[i] ? a->at[i]->function : NULL;
    const CFunction *y = b->at[i] ? b->at[i]->function : NULL;
    if (x != y) return false;
  }
  return true;
}

static CFunction *copy_of(Pointers *s, const CFunction *g, const Exprs *given) {
  for (int i = 0; i < s->copies.len; i++)
    if (s->copies.at[i].of == g && same_given(&s->copies.at[i].given, given))
      return s->copies.at[i].made;
  if (s->copies.len == MOST_COPIES) return NULL;
  Copy c = {g, *given, copy_new(s, g, given)};
  list_push(s->p->arena, &s->copies, c);
  resolve(s, c.made);
  return c.made;
}

// State that is one for all calls, and types, would be two.
static bool shared_in(const CStmt *s, void *state) {
  bool *shared = state;
  *shared |= s->record != NULL;
  for (int i = 0; i < s->vars.len; i++) {
    const CVar *v = s->vars.at[i];
    const CType *t = v->type->tag == CTYPE_ARRAY ? v->type->base : v->type;
    *shared |= v->storage == CSTORE_STATIC && !(t->quals & CQ_CONST);
  }
  return true;
}

// ---- calls --------------------------------------------------------------------------------------
static void specialise(Pointers *s, CExpr *call) {
  const CFunction *g = cprogram_body(s->p, call->x->function);
  Exprs given = {0}, rest = {0};
  bool any = false, shared = false;
  if (!g || g->given || g->params.len != call->nargs) return;
  for (int i = 0; i < call->nargs; i++) {
    const CVar *v = g->params.at[i];
    bool may = leads_to_function(v->type) && !v->assigned && !v->addressed;
    const CFunction *f = may ? known(s, call->args[i]) : NULL;
    list_push(s->p->arena, &given, f ? named(s, f, call->args[i]->at) : NULL);
    if (!f) list_push(s->p->arena, &rest, call->args[i]);
    any |= f != NULL;
  }
  if (any) cstmt_visit(g->body, shared_in, NULL, &shared);
  CFunction *made = any && !shared ? copy_of(s, g, &given) : NULL;
  if (!made) return;
  call->x = named(s, made, call->x->at);
  call->args = rest.at;
  call->nargs = rest.len;
}

// ---- choices ------------------------------------------------------------------------------------
// The table's element that e is, at an index that is not constant; NULL: it is none.
static const CExpr *chosen(const Pointers *s, const CExpr *e) {
  while (e->tag == CE_CONVERT || (e->tag == CE_UNARY && e->op == COP_DEREF)) e = e->x;
  if (e->tag != CE_INDEX || !leads_to_function(e->type) || known(s, e)) return NULL;
  return table_of(e) && cexpr_is_pure(e->y) ? e : NULL;
}

static const CExpr *call_with(Pointers *s, const CExpr *call, int arg, const CFunction *f) {
  Arena *arena = s->p->arena;
  CExpr *r = arena_copy(arena, call, sizeof *r);
  const CExpr *name = named(s, f, call->x->at);
  if (arg < 0) r->x = name;
  const CExpr **args = NEW_ARRAY(arena, const CExpr *, call->nargs + 1);
  for (int i = 0; i < call->nargs; i++) args[i] = i == arg ? name : call->args[i];
  r->args = args;
  return r;
}

// arg: where the element stands; -1: it is called.
static void choice(Pointers *s, CExpr *call, int arg, const CExpr *element) {
  Arena *arena = s->p->arena;
  const CVar *table = table_of(element);
  int64_t count = table->type->count;
  const CExpr *all = NULL;
  for (int64_t i = count - 1; i >= 0 && count <= MOST_CHOICES; i--) {
    CExpr one = *element;
    one.y = cbuild_int(arena, i);
    const CFunction *f = in_table(s, &one);
    if (!f) continue;
    const CExpr *with = call_with(s, call, arg, f);
    if (!all) {
      all = with;
      continue;
    }
    CExpr *r = NEW(arena, CExpr);
    *r = (CExpr){.tag = CE_COND, .at = call->at, .type = call->type, .y = with, .z = all};
    r->x = cbuild_binary(arena, COP_EQ, element->y, one.y);
    all = r;
  }
  if (all) *call = *all;
}

static void choices(Pointers *s, CExpr *call) {
  const CExpr *element = chosen(s, call->x);
  int arg = -1;
  while (!element && ++arg < call->nargs) element = chosen(s, call->args[arg]);
  if (element) choice(s, call, arg, element);
}

// ---- tests --------------------------------------------------------------------------------------
// A known function is not null.
static const CExpr *tested(Pointers *s, const CExpr *e) {
  bool pointer = e && e->tag != CE_CALL && (leads_to_function(e->type) || e->tag == CE_CONVERT);
  return pointer && known(s, e) ? cbuild_int(s->p->arena, 1) : e;
}

static void compare(Pointers *s, CExpr *e) {
  int64_t zero;
  const CExpr *null = cexpr_bare(e->y);
  while (null->tag == CE_CAST) null = cexpr_bare(null->x);
  if (known(s, e->x) && cexpr_integer(null, &zero) && zero == 0)
    *e = *cbuild_int(s->p->arena, e->op == COP_NE);
}

static bool test_in(const CStmt *s, void *state) {
  CStmt *m = (CStmt *)(uintptr_t)s;
  if (s->tag == CS_IF || s->tag == CS_WHILE || s->tag == CS_DO || s->tag == CS_FOR)
    m->x = tested(state, s->x);
  return true;
}

static void tests(Pointers *s, CExpr *e) {
  bool both = e->op == COP_ANDAND || e->op == COP_OROR;
  if (e->tag == CE_BINARY && (e->op == COP_EQ || e->op == COP_NE)) compare(s, e);
  else if (e->tag == CE_COND || (e->tag == CE_UNARY && e->op == COP_NOT))
    e->x = tested(s, e->x);
  else if (e->tag == CE_BINARY && both) e->x = tested(s, e->x), e->y = tested(s, e->y);
}

// ---- functions ----------------------------------------------------------------------------------
static bool resolve_in(const CExpr *e, void *state) {
  Pointers *s = state;
  CExpr *m = (CExpr *)(uintptr_t)e;
  tests(s, m);
  if (e->tag == CE_VAR && leads_to_function(e->type)) {
    const CFunction *f = known(s, e);
    if (f) *m = *named(s, f, e->at);
  }
  if (e->tag == CE_CALL) choices(s, m);
  if (e->tag != CE_CALL) return true;
  const CFunction *f = known(s, e->x);
  if (f && e->x->tag != CE_FUNCTION) m->x = named(s, f, e->x->at);
  if (m->x->tag == CE_FUNCTION) specialise(s, m);
  return true;
}

// A local pointer whose uses have become names is not declared any more.
static bool undeclare_in(const CStmt *s, void *state) {
  CStmt *m = (CStmt *)(uintptr_t)s;
  CVars kept = {0};
  if (s->tag != CS_DECL) return true;
  for (int i = 0; i < s->vars.len; i++) {
    CVar *v = s->vars.at[i];
    bool named = leads_to_function(v->type) && stays(v) && known(state, v->init);
    if (!named) list_push(((Pointers *)state)->p->arena, &kept, v);
  }
  m->vars = kept;
  if (kept.len || s->record) return true;
  m->tag = CS_BLOCK;
  m->flat = true;
  return true;
}

static void resolve(Pointers *s, CFunction *f) {
  cstmt_visit(f->body, test_in, resolve_in, s);
  cstmt_visit(f->body, undeclare_in, NULL, s);
}

void cprogram_pointers(CProgram *p) {
  Pointers s = {.p = p, .known = map_new(p->arena)};
  for (int u = 0; u < p->units.len; u++)
    for (int i = 0; i < p->units.at[u]->functions.len; i++) {
      CFunction *f = p->units.at[u]->functions.at[i];
      if (f->body && !f->system) resolve(&s, f);
    }
}
