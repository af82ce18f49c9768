// Index-set splitting: for i < n { .. if 0 < i .. if i + 1 < n .. } becomes three loops, of the
// first L iterations, of those between, and of the last H.  Between them every comparison of i with
// a number near 0 or near n is resolved, so that stencils with conditions at their borders run
// without them, as vector code.  L and H are constants, at most MOST.
//
// The iterations keep their order.  Loops that reduce are left alone: where a float sum is split
// decides its last bits.  Bounds are widths of arrays: sums of them and small constants are exact.
#include "imp/common/imp.h"

enum { MOST = 4, FEW = 16, LARGEST = 120, DEEPEST = 6 };

typedef enum { UNKNOWN, NEVER, ALWAYS } Truth;

// i * counter + base * (a variable) + k
typedef struct {
  int64_t i, k;
  int base;
  ImpVar of;
  bool known;
} Linear;

typedef struct {
  Arena *arena;
  ImpFn *fn;
  ImpVar counter;
  Linear bound;
  int64_t first, last;  // L and H
  int size;  // statements
  bool splits;  // what is in the body may be there three times
  const ImpExp **resolved;  // by variable: the constant that it is in between; NULL
} Split;

// ---- where a comparison is resolved ------------------------------------------------------------
static Linear linear_of(const Split *s, const ImpExp *e, int depth);

static Linear linear_sum(Linear a, Linear b, int sign) {
  if (!a.known || !b.known || (a.base && b.base && a.of.id != b.of.id)) return (Linear){0};
  Linear sum = {a.i + sign * b.i, 0, a.base + sign * b.base, a.base ? a.of : b.of, true};
  sum.known = !__builtin_add_overflow(a.k, sign * b.k, &sum.k);
  return sum;
}

static Linear linear_var(const Split *s, ImpVar v, int depth) {
  const ImpVarInfo *info = &s->fn->vars.at[v.id];
  if (v.id == s->counter.id) return (Linear){.i = 1, .known = true};
  if (info->kind != IMP_LET || info->prim != PRIM_I64) return (Linear){0};
  Linear of_def = info->def ? linear_of(s, info->def, depth + 1) : (Linear){0};
  return of_def.known ? of_def : (Linear){.base = 1, .of = v, .known = true};
}

static Linear linear_of(const Split *s, const ImpExp *e, int depth) {
  enum { HUGE_CONSTANT = 1 << 30 };
  if (depth > DEEPEST) return (Linear){0};
  if (e->kind == IMP_CONST && prim_is_int(e->prim))
    return (Linear){.k = e->value.i,
                    .known = e->value.i > -HUGE_CONSTANT && e->value.i < HUGE_CONSTANT};
  if (e->kind == IMP_CONV && e->prim == PRIM_U64 && e->from == PRIM_I64)
    return linear_of(s, e->args[0], depth);
  if (e->kind == IMP_VAR) return linear_var(s, e->var, depth);
  if (e->kind != IMP_OP || e->from != PRIM_I64 || (e->op != OP_ADD && e->op != OP_SUB))
    return (Linear){0};
  return linear_sum(linear_of(s, e->args[0], depth + 1), linear_of(s, e->args[1], depth + 1),
                    e->op == OP_ADD ? 1 : -1);
}

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

// At least so many iterations at either end are separate; false where that is too many, or more
// than was found while looking.
static bool separate(Split *s, int64_t first, int64_t last) {
  if (s->resolved) return first <= s->first && last <= s->last;
  if (first > MOST || last > MOST) return false;
  s->first = most_of(s->first, first), s->last = most_of(s->last, last);
  return true;
}

// Is i < at for L <= i < n - H?  from_end: at counts from n.
static Truth is_below(Split *s, int64_t at, bool from_end) {
  if (from_end) {
    if (at > 0) return ALWAYS;
    return separate(s, 0, -at) ? ALWAYS : UNKNOWN;
  }
  if (separate(s, at, 0)) return NEVER;
  if (s->bound.base) return UNKNOWN;
  return separate(s, 0, s->bound.k - at) ? ALWAYS : UNKNOWN;
}

// Is d > 0 there?
static Truth is_positive(Split *s, Linear d) {
  if (!d.known || (d.i != 1 && d.i != -1)) return UNKNOWN;
  bool from_end = d.base != 0;
  if (from_end && (!s->bound.base || d.of.id != s->bound.of.id || d.base != -d.i)) return UNKNOWN;
  // d = k - i or i - k, k counted from n = base + bound.k where there is a base
  int64_t k = -d.i * d.k - (from_end ? s->bound.k : 0);
  if (d.i < 0) return is_below(s, k, from_end);
  Truth below = is_below(s, k + 1, from_end);
  return below == UNKNOWN ? UNKNOWN : below == ALWAYS ? NEVER : ALWAYS;
}

static Linear negated(Linear d) { return linear_sum((Linear){.known = true}, d, -1); }

static Linear plus(Linear d, int64_t k) {
  return linear_sum(d, (Linear){.k = k, .known = true}, 1);
}

static Truth differs(Split *s, Linear d) {
  if (is_positive(s, d) == ALWAYS || is_positive(s, negated(d)) == ALWAYS) return ALWAYS;
  return UNKNOWN;
}

// a < b of unsigned numbers, as bounds of indices are tested: 0 <= a < b.
static Truth in_range(Split *s, Linear a, Linear b) {
  bool both = is_positive(s, linear_sum(b, a, -1)) == ALWAYS
              && is_positive(s, plus(a, 1)) == ALWAYS;
  return both ? ALWAYS : UNKNOWN;
}

static Truth compare(Split *s, const ImpExp *e) {
  if (e->kind != IMP_OP || (e->from != PRIM_I64 && e->from != PRIM_U64)) return UNKNOWN;
  if (e->op != OP_LT && e->op != OP_LE && e->op != OP_EQ && e->op != OP_NE) return UNKNOWN;
  Linear a = linear_of(s, e->args[0], 0), b = linear_of(s, e->args[1], 0);
  if (e->from == PRIM_U64) return e->op == OP_LT ? in_range(s, a, b) : UNKNOWN;
  Linear d = linear_sum(b, a, -1);
  if (e->op == OP_LT) return is_positive(s, d);
  if (e->op == OP_LE) return is_positive(s, plus(d, 1));
  Truth ne = differs(s, d);
  return ne == UNKNOWN || e->op == OP_NE ? ne : NEVER;
}

// ---- looking ----------------------------------------------------------------------------------
static void look_exp(void *state, const ImpExp *e) {
  compare(state, e);
  for (int i = 0; i < 3 && e->args[i]; i++) look_exp(state, e->args[i]);
}

static void look_block(void *state, ImpBlock *block) {
  Split *s = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    s->size++;
    if (stm->form == IMP_STM_ALLOC || stm->form == IMP_STM_CALL || stm->form == IMP_STM_WHILE)
      s->splits = false;
    imp_each_exp(stm, look_exp, s);
    imp_each_block(stm, look_block, s);
  }
}

// ---- resolving ---------------------------------------------------------------------------------
static const ImpExp *truth(const Split *s, bool is) {
  return imp_const(s->arena, scalar_bool(is));
}

// The other operand where one of a && b, a || b is known; NULL: e stays.
static const ImpExp *resolve_logic(const ImpExp *e, const ImpExp *a, const ImpExp *b) {
  if (e->kind != IMP_OP || e->prim != PRIM_BOOL || (e->op != OP_AND && e->op != OP_OR)) return NULL;
  const ImpExp *known = a->kind == IMP_CONST ? a : b->kind == IMP_CONST ? b : NULL;
  if (!known) return NULL;
  bool decides = (known->value.i != 0) == (e->op == OP_OR);
  return decides ? known : known == a ? b : a;
}

static const ImpExp *resolve(Split *s, const ImpExp *e) {
  if (e->kind == IMP_VAR && s->resolved[e->var.id]) return s->resolved[e->var.id];
  if (e->kind == IMP_CONST || e->kind == IMP_VAR) return e;
  Truth is = compare(s, e);
  if (is != UNKNOWN) return truth(s, is == ALWAYS);
  ImpExp copy = *e;
  bool changed = false;
  for (int i = 0; i < 3 && e->args[i]; i++) {
    copy.args[i] = resolve(s, e->args[i]);
    changed = changed || copy.args[i] != e->args[i];
  }
  if (!changed) return e;
  const ImpExp *logic = resolve_logic(e, copy.args[0], copy.args[1]);
  if (logic) return logic;
  if (e->kind == IMP_OP && e->op == OP_SELECT && copy.args[0]->kind == IMP_CONST)
    return copy.args[copy.args[0]->value.i ? 1 : 2];
  if (e->kind == IMP_CONV) return imp_conv(s->arena, e->prim, copy.args[0]);
  if (e->index) return arena_copy(s->arena, &copy, sizeof copy);
  return imp_op(s->arena, e->op, e->from, copy.args[0], copy.args[1], copy.args[2]);
}

static void resolve_fields(Split *s, ImpStm *stm) {
  for (const ImpField *d = imp_form_info[stm->form].fields; d->kind != IMP_FIELD_END; d++) {
    void *at = (char *)stm + d->offset;
    if (d->kind == IMP_FIELD_EXP) *(const ImpExp **)at = resolve(s, *(const ImpExp **)at);
    ImpExps *list = d->kind == IMP_FIELD_EXPS ? at : NULL;
    for (int i = 0; list && i < list->len; i++) list->at[i] = resolve(s, list->at[i]);
  }
}

static void resolve_block(void *state, ImpBlock *block);

// True if nothing is left of the statement itself.
static bool resolve_stm(Split *s, ImpStm *stm, ImpBlock *out) {
  resolve_fields(s, stm);
  imp_each_block(stm, resolve_block, s);
  if (stm->form == IMP_STM_LET) {
    s->fn->vars.at[stm->let.var.id].def = stm->let.value;
    if (stm->let.value->kind != IMP_CONST || stm->let.value->prim != PRIM_BOOL) return false;
    s->resolved[stm->let.var.id] = stm->let.value;
    return true;
  }
  if (stm->form == IMP_STM_TEST) return imp_is_int(stm->test.cond, 1);
  if (stm->form != IMP_STM_IF || stm->if_.cond->kind != IMP_CONST) return false;
  const ImpBlock *taken = stm->if_.cond->value.i ? stm->if_.then : stm->if_.other;
  for (int i = 0; i < taken->len; i++) list_push(s->arena, out, taken->at[i]);
  return true;
}

static void resolve_block(void *state, ImpBlock *block) {
  Split *s = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++)
    if (!resolve_stm(s, block->at[i], &out)) list_push(s->arena, &out, block->at[i]);
  *block = out;
}

// ---- splitting --------------------------------------------------------------------------------
static ImpVar counter_new(Split *s, const ImpExp *bound) {
  ImpVar v = {(uint32_t)s->fn->vars.len};
  ImpVarInfo info = {.base = s->fn->vars.at[s->counter.id].base, .kind = IMP_LET,
                     .prim = PRIM_I64, .bound = bound};
  list_push(s->arena, &s->fn->vars, info);
  return v;
}

// The loop runs over start .. start + count - 1: its counter is start + that of `count` rounds.
static void loop_shift(Split *s, struct imp_for_ *loop, const ImpExp *start, const ImpExp *count) {
  ImpVar old = loop->var;
  loop->bound = count;
  if (imp_is_int(start, 0)) return;
  loop->var = counter_new(s, count);
  ImpStm *let = NEW(s->arena, ImpStm);
  const ImpExp *value = imp_add(s->arena, imp_var(s->arena, s->fn, loop->var), start);
  *let = (ImpStm){.form = IMP_STM_LET, .let = {old, value}};
  s->fn->vars.at[old.id].def = value;
  ImpBlock *body = NEW(s->arena, ImpBlock);
  list_push(s->arena, body, let);
  for (int i = 0; i < loop->body->len; i++) list_push(s->arena, body, loop->body->at[i]);
  loop->body = body;
}

static const ImpExp *int_op(const Split *s, Op op, const ImpExp *a, const ImpExp *b) {
  return imp_op(s->arena, op, PRIM_I64, a, b, NULL);
}

// first: min(L, n); between: n - H - L; last: n - max(L, n - H), none of them below 0 but for no
// iteration.
static void split(Split *s, ImpStm *stm, ImpBlock *out) {
  const ImpExp *n = stm->for_.bound, *few = imp_i64(s->arena, s->first);
  const ImpExp *end = imp_sub(s->arena, n, imp_i64(s->arena, s->last));
  ImpStm *first = s->first ? imp_stm_clone(s->arena, s->fn, stm) : NULL;
  ImpStm *last = s->last ? imp_stm_clone(s->arena, s->fn, stm) : NULL;
  if (first) first->for_.parallel = false;  // too few to gain from vector code
  if (last) last->for_.parallel = false;
  s->resolved = NEW_ARRAY(s->arena, const ImpExp *, s->fn->vars.len + 1);
  resolve_block(s, stm->for_.body);
  if (first) {
    loop_shift(s, &first->for_, imp_i64(s->arena, 0), int_op(s, OP_MIN, few, n));
    s->fn->vars.at[first->for_.var.id].bound = first->for_.bound;
    list_push(s->arena, out, first);
  }
  loop_shift(s, &stm->for_, few, imp_sub(s->arena, end, few));
  list_push(s->arena, out, stm);
  if (!last) return;
  const ImpExp *start = int_op(s, OP_MAX, few, end);
  loop_shift(s, &last->for_, start, imp_sub(s->arena, n, start));
  list_push(s->arena, out, last);
}

static bool worth_splitting(Split *s, const struct imp_for_ *loop) {
  if (!loop->parallel || loop->reds.len) return false;
  s->bound = linear_of(s, loop->bound, 0);
  if (!s->bound.known || s->bound.i || s->bound.base < 0 || s->bound.base > 1) return false;
  if (!s->bound.base && s->bound.k <= FEW) return false;
  look_block(s, loop->body);
  return s->splits && s->size <= LARGEST && (s->first || s->last);
}

static void split_block(void *state, ImpBlock *block) {
  const Split *outer = state;
  ImpBlock out = {0};
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    Split s = {.arena = outer->arena, .fn = outer->fn, .splits = true};
    if (stm->form == IMP_STM_FOR) s.counter = stm->for_.var;
    if (stm->form == IMP_STM_FOR && worth_splitting(&s, &stm->for_)) split(&s, stm, &out);
    else list_push(outer->arena, &out, stm);
    imp_each_block(stm, split_block, state);
  }
  *block = out;
}

void imp_pass_split(ImpProg *prog, ImpFn *fn) {
  Arena *arena = prog->arena;
  Split s = {.arena = arena, .fn = fn};
  split_block(&s, fn->body);
}
