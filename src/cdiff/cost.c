// cost(S; T) = cost(S) + cost(T)         cost(if c S T) = cost(c) + the larger of cost(S), cost(T)
// cost(for i S) = sum over i of cost(S), where trips are known; else trips * cost(S), `trips` a
// symbol for their average.  A call costs what its body does, the arguments for the parameters.
// No loop is taken to have a negative number of trips.
#include "cost.h"
#include "sweep.h"

typedef struct {
  Costs *all;
  Arena *arena;
  CIndex index;
  Pushes pushes;
  Span at;             // of the source's statement
  bool bound;
  Poly copies;         // bytes of the snapshots of binomial loops
  int again;           // in the reverse sweep of such a loop, where they are those
} Walk;

static Poly zero(void) { return (Poly){.known = true}; }
static Poly one(Arena *arena) { return cpoly_const(arena, 1); }
static Cost nothing(void) { return (Cost){zero(), zero(), zero(), zero()}; }

// ---- symbols ------------------------------------------------------------------------------------
static Poly symbol(Walk *w, const char *letter, Span at, const char *meaning) {
  Costs *c = w->all;
  int line = at.src ? span_place(at).line : 0;
  const char *text = arena_printf(c->arena, "%s%d", letter, line);
  for (int i = 0; i < c->symbols.len; i++)
    if (strcmp(c->symbols.at[i].var->name, text) == 0)
      return cpoly_var(c->arena, c->symbols.at[i].var);
  CVar *v = NEW(c->arena, CVar);
  *v = (CVar){.name = name_of(c->d->p->names, text), .type = &ctype_long,
              .number = 1000000 + c->symbols.len};
  Symbol s = {v, arena_printf(c->arena, meaning, line)};
  list_push(c->arena, &c->symbols, s);
  return cpoly_var(c->arena, v);
}

// ---- arithmetic of costs ------------------------------------------------------------------------
enum { PARTS = 4 };
static Poly *part(Cost *c, int i) {
  Poly *const parts[PARTS] = {&c->arithmetic, &c->functions, &c->push, &c->pop};
  return parts[i];
}

static void cost_add(Arena *arena, Cost *to, Cost c) {
  for (int i = 0; i < PARTS; i++) *part(to, i) = cpoly_add(arena, *part(to, i), *part(&c, i), 1);
}

static Poly larger(Walk *w, Poly a, Poly b) {
  Poly d = cpoly_add(w->arena, a, b, -1), e = cpoly_add(w->arena, b, a, -1);
  if (cpoly_zero(&d)) return a;
  w->bound = true;
  if (cpoly_at_least_zero(w->arena, d)) return a;
  return cpoly_at_least_zero(w->arena, e) ? b : cpoly_add(w->arena, a, b, 1);
}

static Cost cost_larger(Walk *w, Cost a, Cost b) {
  for (int i = 0; i < PARTS; i++) *part(&a, i) = larger(w, *part(&a, i), *part(&b, i));
  return a;
}

// 0^k + 1^k + .. + n^k
static Poly power_sum(Arena *a, Poly n, int k) {
  Poly next = cpoly_add(a, n, one(a), 1), half = cpoly_over(a, cpoly_mul(a, n, next), 2);
  if (k == 0) return next;
  if (k == 1) return half;
  if (k == 3) return cpoly_mul(a, half, half);
  Poly twice = cpoly_add(a, next, n, 1);
  return k == 2 ? cpoly_over(a, cpoly_mul(a, half, twice), 3) : (Poly){0};
}

// The sum of p over the trips of a loop; not known: p has a power of the counter that is too high.
static Poly sum_over(Walk *w, Poly p, const CRange *r) {
  Arena *a = w->arena;
  int degree = cpoly_degree(&p, r->counter);
  if (degree == 0) return cpoly_mul(a, p, r->trips);
  Poly all = cpoly_add(a, cpoly_add(a, r->high, r->low, -1), one(a), 1);
  Poly jumped = cpoly_add(a, all, r->trips, -1);
  if (!cpoly_zero(&jumped)) return (Poly){0};  // not every number between
  Poly below = cpoly_add(a, r->low, one(a), -1), sum = zero();
  for (int k = 0; k <= degree; k++) {
    Poly s = cpoly_add(a, power_sum(a, r->high, k), power_sum(a, below, k), -1);
    sum = cpoly_add(a, sum, cpoly_mul(a, cpoly_coefficient(a, p, r->counter, k), s), 1);
  }
  return sum;
}

static Poly over_loop(Walk *w, Poly p, const CRange *r, const CStmt *loop) {
  Poly sum = r->counter ? sum_over(w, p, r) : (Poly){0};
  if (sum.known) return sum;
  if (r->counter && cpoly_degree(&p, r->counter))
    return symbol(w, "c", loop->at, "what the loop in line %d does, in all");
  Poly trips = symbol(w, "t", loop->at, "the trips of the loop in line %d, on average");
  return cpoly_mul(w->arena, p, trips);
}

// ---- expressions --------------------------------------------------------------------------------
static Cost cost_expr(Walk *w, const CExpr *e);

// A length in the words of users, which are no formula here.
static bool said_bytes(const CExpr *size) {
  const CExpr *n = size->tag == CE_BINARY ? cexpr_bare(size->x) : size;
  int64_t value;
  if (n->tag == CE_COND) n = cexpr_bare(n->y);
  return n->tag == CE_INT && cexpr_integer(n, &value) && value < 0;
}

static Poly bytes_of(Walk *w, const CExpr *size) {
  int64_t n;
  if (said_bytes(size)) return symbol(w, "b", w->at, "bytes saved in line %d");
  if (cexpr_integer(size, &n)) return cpoly_const(w->arena, (n + 7) / 8 * 8);
  Poly p = cindex_poly(&w->index, size);
  bool snapshot = size->tag == CE_BINARY && size->op == COP_MUL && cexpr_integer(size->y, &n);
  const CExpr *count = snapshot ? cexpr_bare(size->x) : NULL;
  if (count && count->tag == CE_COND)  // 0 where the length is negative
    p = cpoly_mul(w->arena, cindex_poly(&w->index, count->y),
                  cpoly_const(w->arena, (n + 7) / 8 * 8));
  return p.known ? p : symbol(w, "b", w->at, "bytes saved in line %d");
}

const char *pushed_text(Arena *arena, const CExpr *x) {
  Text out = {0};
  while (x->tag == CE_CAST || x->tag == CE_CONVERT || (x->tag == CE_UNARY && x->op == COP_ADDRESS))
    x = x->x;
  cexpr_print(&out, x);
  const char *text = arena_strdup(arena, out.at);
  text_free(&out);
  return text;
}

static void push_add(Walk *w, Span at, const char *text, Poly bytes) {
  Push p = {.at = at, .text = text, .bytes = bytes};
  list_push(w->arena, &w->pushes, p);
}

static bool cost_tape(Walk *w, const CExpr *e, Cost *c) {
  const char *name = e->x->function->name;
  if (strcmp(name, "dz_keep_bytes") == 0) {
    c->pop = cpoly_mul(w->arena, bytes_of(w, e->args[1]), cpoly_const(w->arena, -1));
    return true;
  }
  bool push = strncmp(name, "dz_push_", 8) == 0, pop = strncmp(name, "dz_pop_", 7) == 0;
  if (!push && !pop) return false;
  Poly bytes = strstr(name, "_bytes") ? bytes_of(w, e->args[2]) : cpoly_const(w->arena, 8);
  *(push ? &c->push : &c->pop) = bytes;
  if (push) push_add(w, w->at, pushed_text(w->arena, e->args[1]), bytes);
  return true;
}

static const CFunction *made(const CDiff *d, const char *name) {
  for (int i = 0; i < d->derived.len; i++)
    if (d->derived.at[i]->out && strcmp(d->derived.at[i]->name, name) == 0)
      return d->derived.at[i]->out;
  for (int i = 0; i < d->splits.len; i++) {
    const Split *s = d->splits.at[i];
    if (s->made && strcmp(s->forward_name, name) == 0) return s->forward;
    if (s->made && strcmp(s->backward_name, name) == 0) return s->backward;
  }
  return cprogram_function(d->p, name);
}

static Poly with_arguments(Walk *w, Poly p, const CFunction *f, const CExpr *call) {
  for (int i = 0; i < f->params.len && i < call->nargs; i++)
    if (cpoly_degree(&p, f->params.at[i]) > 0)
      p = cpoly_subst(w->arena, p, f->params.at[i], cindex_poly(&w->index, call->args[i]));
  return p.known ? p : symbol(w, "c", w->at, "the cost of the call in line %d");
}

static Cost cost_call(Walk *w, const CExpr *e) {
  Cost c = nothing();
  if (e->x->tag != CE_FUNCTION || cost_tape(w, e, &c)) return c;
  const CLibc *row = e->x->function->libc;
  if (row && (row->kind == LIBC_MATH || row->kind == LIBC_PURE || row->kind == LIBC_SPECIAL))
    c.functions = one(w->arena);
  const CFunction *f = made(w->all->d, e->x->function->name);
  if (!f || row) return c;
  const CostOf *of = cost_of(w->all, f);
  w->bound |= of->bound;
  bool split = f->params.len && f->params.at[f->params.len - 1]->type->tag == CTYPE_POINTER &&
               f->params.at[f->params.len - 1]->type->base->tag == CTYPE_OPAQUE;
  c = of->cost;
  if (!split) c.push = c.pop = zero();  // it has a separate tape
  for (int i = 0; i < PARTS; i++) *part(&c, i) = with_arguments(w, *part(&c, i), f, e);
  if (c.push.terms.len) push_add(w, w->at, f->name, c.push);
  return c;
}

static Cost cost_expr(Walk *w, const CExpr *e) {
  Cost c = nothing();
  if (!e || e->tag == CE_SIZEOF) return c;
  bool binary = e->tag == CE_BINARY || (e->tag == CE_ASSIGN && e->op);
  if (binary && ctype_is_float(e->type)) c.arithmetic = one(w->arena);
  if (e->tag == CE_CALL) cost_add(w->arena, &c, cost_call(w, e));
  else cost_add(w->arena, &c, cost_expr(w, e->x));
  if (e->tag == CE_COND)
    cost_add(w->arena, &c, cost_larger(w, cost_expr(w, e->y), cost_expr(w, e->z)));
  else cost_add(w->arena, &c, cost_expr(w, e->y));
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++)
    cost_add(w->arena, &c, cost_expr(w, e->args[i]));
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++)
    cost_add(w->arena, &c, cost_expr(w, e->elems[i].value));
  return c;
}

// ---- statements ---------------------------------------------------------------------------------
static Cost cost_stmt(Walk *w, const CStmt *s);

// The loop does not keep the bytes that each iteration takes back itself.
static Cost cost_loop(Walk *w, const CStmt *s) {
  CRange r = cindex_range(&w->index, s);
  int from = w->pushes.len;
  w->index.ranges = &r;
  Cost c = cost_stmt(w, s->body);
  cost_add(w->arena, &c, cost_expr(w, s->x));
  cost_add(w->arena, &c, cost_expr(w, s->step));
  w->index.ranges = r.outer;
  Poly left = cpoly_add(w->arena, c.push, c.pop, -1);
  bool back = c.push.terms.len && cpoly_zero(&left);
  if (back) {
    for (int i = from; i < w->pushes.len; i++)
      if (!w->pushes.at[i].inside.src) w->pushes.at[i].inside = s->at;
    push_add(w, s->at, NULL, c.push);
    c.push = c.pop = zero();
    from = w->pushes.len;
  }
  for (int i = from; i < w->pushes.len; i++) {
    Push *p = &w->pushes.at[i];
    if (!p->inside.src && !p->once) p->bytes = over_loop(w, p->bytes, &r, s);
  }
  for (int i = 0; i < PARTS; i++)
    if (part(&c, i)->terms.len) *part(&c, i) = over_loop(w, *part(&c, i), &r, s);
  return c;
}

// The choice of the next snapshot among these statements; NULL: none.
static const CExpr *next_snapshot(const CStmt *s) {
  for (int i = 0; s && s->tag == CS_BLOCK && i < s->stmts.len; i++) {
    const CExpr *e = s->stmts.at[i]->tag == CS_EXPR ? s->stmts.at[i]->x : NULL;
    e = e && e->tag == CE_ASSIGN ? cexpr_bare(e->y) : NULL;
    if (e && e->tag == CE_CALL && e->x->tag == CE_FUNCTION &&
        strcmp(e->x->function->name, "dz_binomial_next") == 0)
      return e;
  }
  return NULL;
}

// if (i == next) { copy; .. }: as often as there are snapshots, in all.
static void cost_copy(Walk *w, const CStmt *s, const CExpr *next) {
  int from = w->pushes.len;
  Cost c = cost_stmt(w, s->body);
  const CExpr *left = cexpr_bare(next->args[2]);
  Poly most = cindex_poly(&w->index, left->x);
  for (const CRange *r = w->index.ranges ? w->index.ranges->outer : NULL; r; r = r->outer)
    most = over_loop(w, most, r, s);
  if (w->again) w->pushes.len = from;
  else w->copies = cpoly_add(w->arena, w->copies, cpoly_mul(w->arena, most, c.push), 1);
  for (int i = from; i < w->pushes.len; i++) {
    w->pushes.at[i].bytes = cpoly_mul(w->arena, w->pushes.at[i].bytes, most);
    w->pushes.at[i].once = true;
  }
}

// if (at == step) free it; else { copy back; go on }: what the loop took is there again.
static Cost cost_again(Walk *w, const CStmt *s) {
  int from = w->pushes.len;
  w->again++;
  Cost c = cost_stmt(w, s->other);
  w->again--;
  w->pushes.len = from;
  return c;
}

// { F(S); B(S) } (checkpoint.c): as an iteration of a loop.
static Cost cost_region(Walk *w, const CStmt *s) {
  int from = w->pushes.len;
  Cost c = cost_stmt(w, s);
  Poly left = cpoly_add(w->arena, c.push, c.pop, -1);
  if (!c.push.terms.len || !cpoly_zero(&left)) return c;
  for (int i = from; i < w->pushes.len; i++) {
    if (w->pushes.at[i].inside.src) continue;
    w->pushes.at[i].inside = s->at;
    w->pushes.at[i].region = true;
  }
  c.push = c.pop = zero();
  return c;
}

static Cost cost_stmt(Walk *w, const CStmt *s) {
  Cost c = nothing(), other = nothing();
  if (!s) return c;
  if (s->at.src) w->at = s->at;
  if (s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO) {
    if (s->init) c = cost_stmt(w, s->init);
    cost_add(w->arena, &c, cost_loop(w, s));
    return c;
  }
  const CExpr *next = s->tag == CS_IF ? next_snapshot(s->body) : NULL;
  if (next) cost_copy(w, s, next);
  if (next) return c;
  if (s->tag == CS_IF && next_snapshot(s->other)) return cost_again(w, s);
  c = cost_expr(w, s->x);
  for (int i = 0; i < s->vars.len; i++)
    cost_add(w->arena, &c, cost_expr(w, s->vars.at[i]->init));
  for (int i = 0; i < s->stmts.len; i++) {
    const CStmt *one = s->stmts.at[i];
    cost_add(w->arena, &c, one->tag == CS_BLOCK ? cost_region(w, one) : cost_stmt(w, one));
  }
  Cost body = cost_stmt(w, s->body);
  if (s->other) other = cost_stmt(w, s->other);
  cost_add(w->arena, &c, s->tag == CS_IF ? cost_larger(w, body, other) : body);
  bool leaves = s->tag == CS_BREAK || s->tag == CS_CONTINUE || s->tag == CS_GOTO ||
                (s->tag == CS_RETURN && w->index.ranges);
  if (s->tag == CS_SWITCH || leaves) w->bound = true;
  return c;
}

// ---- functions ----------------------------------------------------------------------------------
const CostOf *cost_of(Costs *c, const CFunction *f) {
  CostOf *of = map_get(c->known, KEY(f));
  if (of && of->done) return of;
  Walk w = {.all = c, .arena = c->arena, .copies = zero()};
  w.index = (CIndex){.arena = c->arena, .body = f->body, .exact = true};
  if (!of) {
    of = NEW(c->arena, CostOf);
    map_put(c->known, KEY(f), of);
    of->cost = nothing();
    Cost cost = cost_stmt(&w, f->body);
    of->cost = cost;
    of->cost.push = cpoly_add(c->arena, cost.push, w.copies, 1);
    of->pushes = w.pushes;
    of->bound = w.bound;
  } else {  // recursive
    for (int i = 0; i < PARTS; i++)
      *part(&of->cost, i) = symbol(&w, "r", f->at, "the cost of a call of the function in line %d");
    return of;
  }
  of->done = true;
  return of;
}

Costs costs_new(const CDiff *d) {
  return (Costs){.d = d, .arena = d->arena, .known = map_new(d->arena)};
}

Poly loop_trips(Costs *c, const CRange *r, const CStmt *loop) {
  Walk w = {.all = c, .arena = c->arena};
  return over_loop(&w, one(c->arena), r, loop);
}

// ---- text ---------------------------------------------------------------------------------------
static int var_order(const CVar *a, const CVar *b) {
  return a->number != b->number ? (a->number < b->number ? -1 : 1) : strcmp(a->name, b->name);
}

static void factors_sort(Monomial *m) {
  for (int i = 1; i < m->n; i++)
    for (int k = i; k > 0 && var_order(m->vars[k], m->vars[k - 1]) < 0; k--) {
      const CVar *t = m->vars[k];
      m->vars[k] = m->vars[k - 1];
      m->vars[k - 1] = t;
    }
}

static int term_order(const Monomial *a, const Monomial *b) {
  if (a->n != b->n) return a->n > b->n ? -1 : 1;
  for (int i = 0; i < a->n; i++) {
    int o = var_order(a->vars[i], b->vars[i]);
    if (o) return o;
  }
  return 0;
}

static void monomial_print(Text *out, const Monomial *m, int64_t den, bool first) {
  int64_t n = m->num * (den / m->den), size = n < 0 ? -n : n;
  if (n < 0) text_puts(out, first ? "-" : " - ");
  else if (!first) text_puts(out, " + ");
  if (size != 1 || m->n == 0) text_printf(out, "%lld%s", (long long)size, m->n ? "*" : "");
  for (int k = 0; k < m->n; k++) text_printf(out, "%s%s", k ? "*" : "", m->vars[k]->name);
}

// C: 8*n*n + 2, (n*n - n)/2
const char *cpoly_text(Arena *arena, Poly p) {
  if (!p.known) return "?";
  if (!p.terms.len) return "0";
  Text out = {0};
  int64_t den = cpoly_denominator(&p);
  for (int i = 0; i < p.terms.len; i++) factors_sort(&p.terms.at[i]);
  for (int i = 1; i < p.terms.len; i++)
    for (int k = i; k > 0 && term_order(&p.terms.at[k], &p.terms.at[k - 1]) < 0; k--) {
      Monomial t = p.terms.at[k];
      p.terms.at[k] = p.terms.at[k - 1];
      p.terms.at[k - 1] = t;
    }
  bool paren = den != 1 && p.terms.len > 1;
  text_puts(&out, paren ? "(" : "");
  for (int i = 0; i < p.terms.len; i++) monomial_print(&out, &p.terms.at[i], den, i == 0);
  text_puts(&out, paren ? ")" : "");
  if (den != 1) text_printf(&out, "/%lld", (long long)den);
  const char *text = arena_strdup(arena, out.at);
  text_free(&out);
  return text;
}
