// The reverse of one assignment: what each active operand of the value gets.
//   v = e:   xb += vb * de/dx for the operands x other than v;   then  vb = vb * de/dv, or 0
// Where an operand may or may not be the cell v is, vb is taken first and zeroed.
//   v = c ? e : g:   the shares of e and g are computed, and their places touched, only where e and
//                    g are: g may be an element that does not exist, or have no derivative
#include "sweep.h"

typedef struct {
  const CExpr *place, *value;
  const CExpr *guard;  // NULL: always
} Share;
typedef LIST(Share) Shares;
typedef struct {
  Sweep *w;
  Shares shares;
  Stmts *before;   // temporaries
  const CExpr *guard;  // where the current operands are computed; NULL: always
} Reverse;

static void reverse(Reverse *r, const CExpr *e, const CExpr *seed);

static bool simple_seed(const CExpr *e) {
  e = cexpr_bare(e);
  if (e->tag == CE_UNARY && e->op == COP_NEG) return simple_seed(e->x);
  return cexpr_is_lvalue(e) || e->tag == CE_INT || e->tag == CE_FLOAT;
}

static int leaves(Sweep *w, const CExpr *e) {
  if (!e || !ctype_is_float(e->type)) return 0;
  const CExpr *was = e->tag == CE_VAR ? map_get(w->f->named, KEY(e->var)) : NULL;
  if (was) return leaves(w, was);
  if (cexpr_is_lvalue(e)) return is_active(w->f, e);
  int n = leaves(w, e->y) + leaves(w, e->z);
  if (e->tag != CE_CALL) n += leaves(w, e->x);
  for (int i = 0; e->tag == CE_CALL && i < e->nargs; i++) n += leaves(w, e->args[i]);
  return n;
}

// A seed that several operands share and that is an expression gets a name.
static const CExpr *shared(Reverse *r, const CExpr *e, const CExpr *seed) {
  if (simple_seed(seed) || leaves(r->w, e) < 2) return seed;
  CVar *v = local_new(r->w->f, "tb", ctype_is_float(seed->type) ? seed->type : &ctype_double);
  const CExpr *x = var_of(r->w->d, v);
  if (r->guard) seed = mk_cond(r->w->d, r->guard, seed, NULL);
  stmts_assign(r->w->d, r->before, x, seed);
  return x;
}

static void reverse_binary(Reverse *r, const CExpr *e, const CExpr *result, const CExpr *seed) {
  CDiff *d = r->w->d;
  switch ((int)e->op) {
    case COP_ADD: case COP_SUB:
      seed = shared(r, e, seed);
      reverse(r, e->x, seed);
      reverse(r, e->y, e->op == COP_ADD ? seed : mk_neg(d, seed));
      return;
    case COP_MUL:
      if (same_expr(e->x, e->y)) {
        const CExpr *twice = mk_mul(d, cbuild_int(d->arena, 2), e->x);
        reverse(r, e->x, mk_mul(d, twice, seed));
        return;
      }
      seed = shared(r, e, seed);
      if (leaves(r->w, e->x)) reverse(r, e->x, mk_mul(d, e->y, seed));
      if (leaves(r->w, e->y)) reverse(r, e->y, mk_mul(d, e->x, seed));
      return;
    default: {
      const CExpr *part = mk_div(d, seed, e->y);
      part = shared(r, e, part);
      if (leaves(r->w, e->x)) reverse(r, e->x, part);
      if (leaves(r->w, e->y)) reverse(r, e->y, mk_neg(d, mk_mul(d, result, part)));
      return;
    }
  }
}

static const CExpr *both(Arena *arena, const CExpr *a, const CExpr *b) {
  if (!a || !b) return a ? a : b;
  return cbuild_binary(arena, COP_ANDAND, cbuild_truth(arena, a), cbuild_truth(arena, b));
}

static void share_add(Reverse *r, Share add);

static Shares arm_shares(Reverse *r, const CExpr *arm, const CExpr *seed, const CExpr *guard) {
  Reverse of = {.w = r->w, .before = r->before, .guard = both(r->w->arena, r->guard, guard)};
  if (leaves(r->w, arm)) reverse(&of, arm, seed);
  return of.shares;
}

// The share of a place that both sides touch, or that is a variable, needs no guard.
static void reverse_cond(Reverse *r, const CExpr *e, const CExpr *seed) {
  CDiff *d = r->w->d;
  const CExpr *c = e->x, *not = cbuild_unary(d->arena, COP_NOT, c);
  Shares y = arm_shares(r, e->y, seed, c), z = arm_shares(r, e->z, seed, not);
  for (int i = 0; i < y.len; i++) {
    Share s = y.at[i], *other = NULL;
    for (int k = 0; k < z.len && !s.guard; k++)
      if (same_expr(z.at[k].place, s.place) && !z.at[k].guard) other = &z.at[k];
    bool plain = s.place->tag == CE_VAR && !s.guard;
    if (other || plain) s.value = mk_cond(d, c, s.value, other ? other->value : NULL);
    else s.guard = both(d->arena, c, s.guard);
    if (other) other->value = NULL;
    share_add(r, s);
  }
  for (int i = 0; i < z.len; i++) {
    Share s = z.at[i];
    if (!s.value) continue;
    if (s.place->tag == CE_VAR && !s.guard) s.value = mk_cond(d, c, NULL, s.value);
    else s.guard = both(d->arena, not, s.guard);
    share_add(r, s);
  }
}

static void reverse_of(Reverse *r, const CExpr *e, const CExpr *result, const CExpr *seed) {
  CDiff *d = r->w->d;
  switch ((int)e->tag) {
    case CE_CONVERT: case CE_CAST: reverse(r, e->x, seed); return;
    case CE_UNARY: reverse(r, e->x, e->op == COP_NEG ? mk_neg(d, seed) : seed); return;
    case CE_BINARY: reverse_binary(r, e, result, seed); return;
    case CE_COND: reverse_cond(r, e, shared(r, e, seed)); return;
    case CE_CALL:
      if (e->x->function->libc && e->x->function->libc->kind == LIBC_PURE) return;
      seed = shared(r, e, seed);
      for (int i = 0; i < e->nargs; i++)
        if (leaves(r->w, e->args[i]))
          reverse(r, e->args[i], mk_mul(d, partial_of(d, e, i, result), seed));
      return;
    default: return;
  }
}

static bool guards_same(const CExpr *a, const CExpr *b) {
  return a == b || (a && b && same_expr(a, b));
}

static void share_add(Reverse *r, Share add) {
  for (int i = 0; i < r->shares.len; i++) {
    Share *s = &r->shares.at[i];
    if (!same_expr(s->place, add.place) || !guards_same(s->guard, add.guard)) continue;
    s->value = mk_add(r->w->d, s->value, add.value);
    return;
  }
  list_push(r->w->arena, &r->shares, add);
}

static void reverse(Reverse *r, const CExpr *e, const CExpr *seed) {
  if (!seed || !ctype_is_float(e->type)) return;
  const CExpr *was = e->tag == CE_VAR ? map_get(r->w->f->named, KEY(e->var)) : NULL;
  if (was) reverse_of(r, was, e, seed);
  else if (!cexpr_is_lvalue(e)) reverse_of(r, e, e, seed);
  else if (is_active(r->w->f, e)) share_add(r, (Share){e, seed, NULL});
}

// ---- are two places one cell? -------------------------------------------------------------------
static void split_constant(const CExpr *e, const CExpr **rest, int64_t *c) {
  e = cexpr_bare(e);
  int64_t v;
  *rest = e;
  *c = 0;
  if (cexpr_integer(e, &v)) *rest = NULL, *c = v;
  else if (e->tag == CE_BINARY && (e->op == COP_ADD || e->op == COP_SUB) &&
      cexpr_integer(e->y, &v)) {
    split_constant(e->x, rest, c);
    *c += e->op == COP_ADD ? v : -v;
  }
}

typedef enum { CELL_OTHER, CELL_SAME, CELL_UNKNOWN } Cells;

static Cells compare(Sweep *w, const CExpr *a, const CExpr *b) {
  if (same_expr(a, b)) return CELL_SAME;
  ObjSet x = cflow_places(w->flow, a), y = cflow_places(w->flow, b);
  if (!set_meets(&x, &y)) return CELL_OTHER;
  if (a->tag != CE_INDEX || b->tag != CE_INDEX || !same_expr(a->x, b->x)) return CELL_UNKNOWN;
  const CExpr *p, *q;
  int64_t m, n;
  split_constant(a->y, &p, &m);
  split_constant(b->y, &q, &n);
  bool alike = (!p && !q) || (p && q && same_expr(p, q));
  return alike && m != n ? CELL_OTHER : CELL_UNKNOWN;
}

// ---- statements ---------------------------------------------------------------------------------
static void add_to(Sweep *w, const Share *s, Stmts *out) {
  const CExpr *v = cexpr_bare(s->value);
  bool minus = v->tag == CE_UNARY && v->op == COP_NEG;
  const CExpr *shadow = direction_of(w->f, shadow_place(w->f, s->place));
  Stmts guarded = {0}, *to = s->guard ? &guarded : out;
  stmts_expr(w->d, to,
      cbuild_assign(w->arena, minus ? COP_SUB : COP_ADD, shadow, minus ? v->x : s->value));
  if (!s->guard) return;
  CStmt *branch = NEW(w->arena, CStmt);
  *branch = (CStmt){.tag = CS_IF, .x = s->guard, .body = stmts_block(w->d, &guarded)};
  stmts_add(w->d, out, branch);
}

static Reverse begin(Sweep *w, const CExpr *value, const CExpr *seed, Stmts *before) {
  Reverse r = {.w = w, .before = before};
  reverse(&r, value, seed);
  return r;
}

void reverse_value(Sweep *w, const CExpr *e, const CExpr *seed, Stmts *out) {
  const CExpr *value = prepare(w->f, e, out);
  Stmts body = {0};
  Reverse r = begin(w, value, seed, &body);
  for (int i = 0; i < r.shares.len; i++) add_to(w, &r.shares.at[i], &body);
  direction_body(w->f, &body, out);
}

// In one direction.
static void assign_body(Sweep *w, const CExpr *lhs, const CExpr *value, Stmts *out) {
  CDiff *d = w->d;
  const CExpr *vb = direction_of(w->f, shadow_place(w->f, lhs));
  Stmts scratch = {0};
  Reverse trial = begin(w, value, vb, &scratch);
  bool unknown = false;
  for (int i = 0; i < trial.shares.len; i++)
    unknown |= compare(w, lhs, trial.shares.at[i].place) == CELL_UNKNOWN;
  if (unknown) {
    const CExpr *t = var_of(d, local_new(w->f, "tb", lhs->type));
    stmts_assign(d, out, t, vb);
    stmts_assign(d, out, vb, cbuild_int(d->arena, 0));
    Reverse r = begin(w, value, t, out);
    for (int i = 0; i < r.shares.len; i++)
      add_to(w, &r.shares.at[i], out);
    return;
  }
  Reverse r = begin(w, value, vb, out);
  const CExpr *self = NULL;
  for (int i = 0; i < r.shares.len; i++) {
    const Share *s = &r.shares.at[i];
    const CExpr *own = s->guard ? mk_cond(d, s->guard, s->value, NULL) : s->value;
    if (compare(w, lhs, s->place) == CELL_SAME) self = mk_add(d, self, own);
    else add_to(w, s, out);
  }
  if (!self) stmts_assign(d, out, vb, cbuild_int(d->arena, 0));
  else if (!same_expr(self, vb)) stmts_assign(d, out, vb, self);
}

void reverse_assign(Sweep *w, const CExpr *lhs, const CExpr *value, const CExpr *known,
                    Stmts *out) {
  Stmts body = {0};
  value = known ? prepare_known(w->f, value, known, out) : prepare(w->f, value, out);
  assign_body(w, lhs, value, &body);
  direction_body(w->f, &body, out);
}
