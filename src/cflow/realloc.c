// realloc is a new block, a loop that copies, and free:
//   v = realloc(p, n * sizeof *p)
//     =  { length = n; fresh = malloc(length * sizeof *p);
//          if (fresh) { count = least of p_length and length;
//                       for (k = 0; k < count; k++) fresh[k] = p[k];
//                       free(p); }
//          v = fresh; v_length = length; }
// An `if` that begins with such an assignment makes it before.  p is NULL, or a local variable that
// has its values from malloc, calloc, realloc, NULL and other such variables, in statements: each
// has a variable for the length of its memory.  Other calls stay.
#include "local.h"
#include <string.h>

typedef struct {
  CProgram *p;
  Arena *arena;
  CFunction *f;
  Map *taken;    // names
  Map *lengths;  // by variable: that of its length, in elements
  CVars vars;    // that have one
  bool any, known;
  int written, handled;  // times that a value is given to one; in statements
} Realloc;

static bool is_null(const CExpr *e) {
  int64_t value;
  return cexpr_integer(cexpr_stripped(e), &value) && value == 0;
}
static const CExpr *call_of(const CExpr *e, const char *name) {
  e = cexpr_stripped(e);
  const bool call = e->tag == CE_CALL && e->x->tag == CE_FUNCTION && e->x->function->libc;
  return call && strcmp(e->x->function->name, name) == 0 ? e : NULL;
}
static const CExpr *realloc_of(const CExpr *e) {
  const CExpr *call = call_of(e, "realloc");
  return call && call->nargs == 2 ? call : NULL;
}

// ---- the variables ------------------------------------------------------------------------------
static CVar *var_new(Realloc *r, const char *base, const CType *type) {
  CVar *v = var_named(r->p, r->taken, r->f, base, type);
  v->assigned = true;
  return v;
}

static const CExpr *zero(Realloc *r) {
  return cbuild_convert(r->arena, cbuild_int(r->arena, 0), &ctype_long);
}

static bool has_elements(const CType *t) {
  return t->tag == CTYPE_POINTER && t->base->tag != CTYPE_VOID && ctype_size(t->base) > 0;
}

static const CExpr *length_of(Realloc *r, const CVar *v) {
  CVar *length = map_get(r->lengths, KEY(v));
  if (length) return cbuild_var(r->arena, length);
  const bool local = v->owner == r->f && !v->is_param && !v->is_global && !v->addressed &&
                     v->storage != CSTORE_STATIC && v->storage != CSTORE_EXTERN;
  r->known = r->known && local && has_elements(v->type);
  length = var_new(r, arena_printf(r->arena, "%s_length", v->name), &ctype_long);
  length->init = zero(r);
  map_put(r->lengths, KEY(v), length);
  list_push(r->arena, &r->vars, (CVar *)(uintptr_t)v);
  return cbuild_var(r->arena, length);
}

static bool is_size(const CExpr *e, const CType *type) {
  int64_t value;
  e = cexpr_stripped(e);
  return cexpr_integer(e, &value) && value == ctype_size(type);
}
// A conversion from an integer to an integer type that is as long or longer.
static bool is_same_count(const CExpr *e) {
  const bool convert = e->tag == CE_CONVERT || e->tag == CE_CAST;
  return convert && ctype_is_integer(e->type) && ctype_is_integer(e->x->type) &&
         ctype_size(e->type) >= ctype_size(e->x->type);
}
static const CExpr *as_long(Realloc *r, const CExpr *e) {
  while (is_same_count(e)) e = e->x;
  return cbuild_convert(r->arena, e, &ctype_long);
}
// A factor keeps its fraction: n * sizeof (T) * 1.5 is cut off as a whole.
static const CExpr *factor(Realloc *r, const CExpr *e) {
  while (e->tag == CE_CONVERT && ctype_is_float(e->type)) e = e->x;
  return ctype_is_float(e->type) ? e : as_long(r, e);
}
static const CExpr *some_elements(Realloc *r, const CExpr *bytes, const CType *type);

// n * sizeof (T), m * n * sizeof (T), ..
static const CExpr *product(Realloc *r, const CExpr *x, const CExpr *y, const CType *type) {
  if (!cexpr_is_pure(x) || !cexpr_is_pure(y)) return NULL;
  if (is_size(y, type)) return factor(r, x);
  if (is_size(x, type)) return factor(r, y);
  const CExpr *some = some_elements(r, x, type), *times = y;
  if (!some) some = some_elements(r, y, type), times = x;
  return some ? cbuild_binary(r->arena, COP_MUL, some, factor(r, times)) : NULL;
}
// So many elements that have these bytes; NULL: that is not said, or it has effects.
static const CExpr *some_elements(Realloc *r, const CExpr *bytes, const CType *type) {
  const CExpr *e = cexpr_stripped(bytes);
  if (is_size(e, type)) return as_long(r, cbuild_int(r->arena, 1));
  const bool times = e->tag == CE_BINARY && e->op == COP_MUL;
  return times ? product(r, e->x, e->y, type) : NULL;
}

static const CExpr *whole(Realloc *r, const CExpr *count) {
  return count ? as_long(r, count) : NULL;
}
static const CExpr *elements(Realloc *r, const CExpr *bytes, const CType *type) {
  return whole(r, some_elements(r, bytes, type));
}

// Of the memory that a pointer's new value leads to; NULL: not known.
static const CExpr *length_given(Realloc *r, const CExpr *value, const CType *pointer) {
  const CExpr *malloced = call_of(value, "malloc"), *counted = call_of(value, "calloc");
  const CExpr *again = realloc_of(value);
  if (malloced) return elements(r, malloced->args[0], pointer->base);
  if (again) return elements(r, again->args[1], pointer->base);
  if (counted) return whole(r, product(r, counted->args[0], counted->args[1], pointer->base));
  if (is_null(value)) return zero(r);
  const CExpr *e = cexpr_stripped(value);
  return e->tag == CE_VAR ? length_of(r, e->var) : NULL;
}

// ---- questions ----------------------------------------------------------------------------------
static bool find_realloc(const CExpr *e, void *state) {
  Realloc *r = state;
  const CExpr *call = e->tag == CE_CALL ? realloc_of(e) : NULL;
  if (!call) return true;
  r->any = true;
  r->written++;
  const CExpr *from = cexpr_stripped(call->args[0]);
  if (from->tag == CE_VAR) length_of(r, from->var);
  else r->known = r->known && is_null(from);
  return true;
}

static bool has_length(const Realloc *r, const CExpr *e) {
  return e->tag == CE_VAR && map_get(r->lengths, KEY(e->var));
}

static bool count_write(const CExpr *e, void *state) {
  Realloc *r = state;
  const bool write = e->tag == CE_ASSIGN || e->tag == CE_STEP;
  r->written += write && has_length(r, e->x) && !(e->tag == CE_ASSIGN && realloc_of(e->y));
  return true;
}
static bool count_init(const CStmt *s, void *state) {
  Realloc *r = state;
  for (int i = 0; s->tag == CS_DECL && i < s->vars.len; i++) {
    const CVar *v = s->vars.at[i];
    r->written += v->init && map_get(r->lengths, KEY(v)) && !realloc_of(v->init);
  }
  return true;
}

// A statement that gives a pointer the value.  counted: it has a length.
static void look_at(Realloc *r, bool counted, const CType *type, const CExpr *value) {
  if (!realloc_of(value) && !counted) return;
  r->handled++;
  const CExpr *call = realloc_of(value), *from = call ? cexpr_stripped(call->args[0]) : NULL;
  const bool copies = from && from->tag == CE_VAR && has_elements(from->type);
  r->known = r->known && has_elements(type) && length_given(r, value, type) &&
             (!copies || ctype_same(from->type->base, type->base));
}

static void look(Realloc *r, const CStmt *s) {
  if (!s) return;
  const CExpr *e = s->tag == CS_EXPR ? s->x : NULL;
  if (e && e->tag == CE_ASSIGN && e->op == COP_NONE && cexpr_is_pure(e->x))
    look_at(r, has_length(r, e->x), e->x->type, e->y);
  for (int i = 0; s->tag == CS_DECL && i < s->vars.len; i++) {
    const CVar *v = s->vars.at[i];
    if (v->init && v->init->tag != CE_LIST)
      look_at(r, map_get(r->lengths, KEY(v)) != NULL, v->type, v->init);
  }
  look(r, s->body);
  look(r, s->other);
  for (int i = 0; i < s->stmts.len; i++) look(r, s->stmts.at[i]);
}

// Variables lead to others: until all have a length.
static bool all_known(Realloc *r) {
  int vars = -1;
  const int reallocs = r->written;
  while (r->known && vars != r->vars.len) {
    vars = r->vars.len;
    r->handled = 0;
    look(r, r->f->body);
  }
  r->written = reallocs;
  cstmt_visit(r->f->body, count_init, count_write, r);
  return r->known && r->written == r->handled;
}

// ---- statements ---------------------------------------------------------------------------------
static const CExpr *declared(Realloc *r, const char *base, const CType *type, const CExpr *value,
                             Stmts *out) {
  CVar *v = var_new(r, base, type);
  v->init = value ? cbuild_convert(r->arena, value, type) : NULL;
  list_push(r->arena, out, cstmt_decl(r->arena, v));
  return cbuild_var(r->arena, v);
}
static const CStmt *stmt(Realloc *r, CStmt s) { return arena_copy(r->arena, &s, sizeof s); }

// count = from_length < length ? from_length : length;
// for (k = 0; k < count; k++) to[k] = from[k];
static void put_copy(Realloc *r, const CExpr *to, const CExpr *from, const CExpr *length,
                     Stmts *out) {
  Arena *a = r->arena;
  const CExpr *had = length_of(r, from->var);
  CExpr *least = NEW(a, CExpr);
  *least = (CExpr){.tag = CE_COND, .type = &ctype_long, .y = had, .z = length};
  least->x = cbuild_binary(a, COP_LT, had, length);
  const CExpr *count = declared(r, "count", &ctype_long, least, out);
  CVar *counter = var_new(r, "k", &ctype_long);
  counter->init = zero(r);
  const CExpr *k = cbuild_var(a, counter);
  CExpr *step = NEW(a, CExpr);
  *step = (CExpr){.tag = CE_STEP, .op = COP_ADD, .postfix = true, .type = k->type, .x = k};
  list_push(a, out, stmt(r, (CStmt){.tag = CS_FOR, .init = cstmt_decl(a, counter), .step = step,
                                    .x = cbuild_binary(a, COP_LT, k, count),
                                    .body = cstmt_assign(r->arena, cbuild_index(a, to, k),
                                                   cbuild_index(a, from, k))}));
}

static const CStmt *expansion(Realloc *r, const CExpr *x, const CExpr *call, Span at) {
  Arena *a = r->arena;
  Stmts all = {0}, inner = {0};
  const CType *type = ctype_plain(a, x->type);
  const CExpr *from = cexpr_stripped(call->args[0]);
  const CExpr *own = has_length(r, x) ? length_of(r, x->var) : NULL;
  const CExpr *length = declared(r, "length", &ctype_long, length_given(r, call, type), &all);
  const CExpr *bytes = cbuild_binary(a, COP_MUL, length, cbuild_sizeof(a, NULL, type->base));
  const CExpr *made = libc_call(r->p, "malloc", ctype_pointer(a, &ctype_void), &bytes, 1);
  const CExpr *fresh = declared(r, "fresh", type, made, &all);
  if (from->tag == CE_VAR) {
    put_copy(r, fresh, from, length, &inner);
    list_push(a, &inner, cstmt_expr(a, libc_call(r->p, "free", &ctype_void, &from, 1)));
    list_push(a, &all, stmt(r, (CStmt){.tag = CS_IF, .at = at, .x = fresh,
                                       .body = cstmt_block(a, inner.at, inner.len)}));
  }
  list_push(a, &all, cstmt_assign(r->arena, x, fresh));
  if (own) list_push(a, &all, cstmt_assign(r->arena, own, length));
  return cstmt_block(a, all.at, all.len);
}

// The statement before, or instead of, one that gives x the value; NULL: none.  Before: the length
// may be read from the memory that x leads to until then.
static const CStmt *before(Realloc *r, const CExpr *x, const CExpr *value, Span at) {
  const CExpr *call = realloc_of(value);
  if (call) return expansion(r, x, call, at);
  if (!has_length(r, x)) return NULL;
  return cstmt_assign(r->arena, length_of(r, x->var), length_given(r, value, x->type));
}

// The variables of a declaration from one to another.
static void put_part(Realloc *r, const CStmt *s, int from, int to, Stmts *out) {
  if (from == to && s->vars.len > 0) return;
  CStmt *part = arena_copy(r->arena, s, sizeof *part);
  part->vars.at += from;
  part->vars.len = part->vars.cap = to - from;
  list_push(r->arena, out, part);
}

// Each variable with a length begins and ends a declaration: later ones are computed from it.
static void declaration(Realloc *r, const CStmt *s, Stmts *out) {
  int from = 0;
  for (int i = 0; i < s->vars.len; i++) {
    CVar *v = s->vars.at[i];
    const CExpr *init = v->init && v->init->tag != CE_LIST ? v->init : NULL;
    const CStmt *more = init ? before(r, cbuild_var(r->arena, v), init, s->at) : NULL;
    if (!more) continue;
    const bool instead = realloc_of(init) != NULL;
    if (instead) v->init = NULL;
    put_part(r, s, from, i, out);
    if (!instead) list_push(r->arena, out, more);
    put_part(r, s, i, i + 1, out);
    if (instead) list_push(r->arena, out, more);
    from = i + 1;
  }
  if (from < s->vars.len || s->vars.len == 0) put_part(r, s, from, s->vars.len, out);
}

static void expression(Realloc *r, const CStmt *s, Stmts *out) {
  const bool sets = s->x->tag == CE_ASSIGN;
  const CStmt *more = sets ? before(r, s->x->x, s->x->y, s->at) : NULL;
  if (more) list_push(r->arena, out, more);
  if (!more || !realloc_of(s->x->y)) list_push(r->arena, out, s);
}

static const CStmt *rewritten(Realloc *r, const CStmt *s);

static void put(Realloc *r, const CStmt *s, Stmts *out) {
  if (s->tag == CS_DECL) declaration(r, s, out);
  else if (s->tag == CS_EXPR) expression(r, s, out);
  else list_push(r->arena, out, rewritten(r, s));
}

static const CStmt *rewritten(Realloc *r, const CStmt *s) {
  if (!s) return NULL;
  if (s->tag == CS_DECL || s->tag == CS_EXPR) {
    Stmts one = {0};
    put(r, s, &one);
    return one.len == 1 ? one.at[0] : cstmt_block(r->arena, one.at, one.len);
  }
  CStmt *copy = arena_copy(r->arena, s, sizeof *copy);
  copy->body = rewritten(r, s->body);
  copy->other = rewritten(r, s->other);
  Stmts list = {0};
  for (int i = 0; i < s->stmts.len; i++) put(r, s->stmts.at[i], &list);
  return cstmt_with(r->arena, copy, &list);
}

// ---- conditions --------------------------------------------------------------------------------
// The assignment of an allocation that e computes first; NULL: there is none.
static const CExpr *first_assignment(const CExpr *e) {
  e = cexpr_stripped(e);
  if (e->tag == CE_ASSIGN && e->op == COP_NONE && cexpr_is_pure(e->x))
    return realloc_of(e->y) || call_of(e->y, "malloc") || call_of(e->y, "calloc") ? e : NULL;
  const bool first = e->tag == CE_BINARY || (e->tag == CE_UNARY && e->op == COP_NOT);
  return first ? first_assignment(e->x) : NULL;
}
static const CExpr *without(Realloc *r, const CExpr *e, const CExpr *assignment) {
  if (e == assignment) return e->x;
  CExpr *copy = arena_copy(r->arena, e, sizeof *copy);
  copy->x = without(r, e->x, assignment);
  return copy;
}

// if ((q = realloc(p, n)) == NULL) A  =  q = realloc(p, n); if (q == NULL) A
static const CStmt *tests_after(const CStmt *s, void *state) {
  Realloc *r = state;
  CStmt *copy = cstmt_mapped(r->arena, s, tests_after, r);
  const CExpr *assignment = s->tag == CS_IF ? first_assignment(s->x) : NULL;
  if (!assignment) return copy;
  copy->x = without(r, s->x, assignment);
  const CStmt *both[] = {stmt(r, (CStmt){.tag = CS_EXPR, .at = s->at, .x = assignment}), copy};
  return cstmt_block(r->arena, both, 2);
}

// ---- functions ----------------------------------------------------------------------------------
static void function_realloc(CProgram *p, CFunction *f) {
  Realloc r = {.p = p, .arena = p->arena, .f = f, .taken = names_taken(p, f),
               .lengths = map_new(p->arena), .known = true};
  cstmt_visit(f->body, NULL, find_realloc, &r);
  if (!r.any) return;
  f->body = tests_after(f->body, &r);
  if (!all_known(&r)) return;
  const CStmt *body = rewritten(&r, f->body);
  Stmts list = {0};
  for (int i = 0; i < r.vars.len; i++)
    list_push(r.arena, &list, cstmt_decl(r.arena, map_get(r.lengths, KEY(r.vars.at[i]))));
  for (int i = 0; i < body->stmts.len; i++) list_push(r.arena, &list, body->stmts.at[i]);
  f->body = cstmt_with(r.arena, body, &list);
}

void cprogram_realloc(CProgram *p) {
  for (int u = 0; u < p->units.len; u++)
    for (int i = 0; i < p->units.at[u]->functions.len; i++) {
      CFunction *f = p->units.at[u]->functions.at[i];
      if (f->body && !f->system) function_realloc(p, f);
    }
}
