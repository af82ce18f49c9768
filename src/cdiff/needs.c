// To be recorded: `need` is the set of places whose present value the reverse sweep of what
// precedes needs.  A write of a needed place saves it.
//   need after  v = e:         (need + uses of its reverse code) - v, where v is one cell
//   need after  if c S T:      need after S + need after T + what c reads, if it can be had again
//   need after  loop S:        the least N with need and need after S of N in it
#include "sweep.h"

void set_remove(ObjSet *s, int i) { s->w[i / 64] &= ~((uint64_t)1 << i % 64); }

void set_without(ObjSet *s, const ObjSet *others) {
  for (int i = 0; i < COUNT_OF(s->w); i++) s->w[i] &= ~others->w[i];
}

static void seen(Sweep *w, const CExpr *e) {
  if (w->seen) list_push(w->arena, w->seen, e);
}

static ObjSet address_reads(Sweep *w, const CExpr *e) {
  CExpr address = {.tag = CE_UNARY, .op = COP_ADDRESS, .x = e, .type = &ctype_long};
  if (w->seen) seen(w, arena_copy(w->arena, &address, sizeof address));
  return cflow_reads(w->flow, &address);
}

static void add_reads(Sweep *w, const CExpr *e, ObjSet *to) {
  ObjSet r = cflow_reads(w->flow, e);
  seen(w, e);
  set_join(to, &r);
}

// The values that `who`, a statement or its expression, uses are needed.
static void want(const Sweep *w, const void *who, const ObjSet *uses, ObjSet *need) {
  if (!w->only || w->only == who) set_join(need, uses);
}

static void want_reads(Sweep *w, const void *who, const CExpr *e, ObjSet *need) {
  ObjSet r = cflow_reads(w->flow, e);
  want(w, who, &r, need);
}

// ---- what the reverse code of a value reads -----------------------------------------------------
static void value_uses(Sweep *w, const CExpr *e, ObjSet *to);

static void binary_uses(Sweep *w, const CExpr *e, ObjSet *to) {
  bool x = depends_active(w->f, e->x), y = depends_active(w->f, e->y);
  if (e->op == COP_MUL && x) add_reads(w, e->y, to);
  if (e->op == COP_MUL && y) add_reads(w, e->x, to);
  if (e->op == COP_DIV) add_reads(w, e->y, to);
  if (e->op == COP_DIV && y) add_reads(w, e->x, to);
  value_uses(w, e->x, to);
  value_uses(w, e->y, to);
}

static void value_uses(Sweep *w, const CExpr *e, ObjSet *to) {
  if (!ctype_is_float(e->type) || !depends_active(w->f, e)) return;
  if (cexpr_is_lvalue(e)) {
    ObjSet a = address_reads(w, e);
    set_join(to, &a);
    return;
  }
  switch ((int)e->tag) {
    case CE_BINARY: binary_uses(w, e, to); return;
    case CE_UNARY: case CE_CAST: case CE_CONVERT: value_uses(w, e->x, to); return;
    case CE_COND:
      add_reads(w, e->x, to);
      value_uses(w, e->y, to);
      value_uses(w, e->z, to);
      return;
    case CE_CALL:
      for (int i = 0; i < e->nargs; i++) {
        add_reads(w, e->args[i], to);
        value_uses(w, e->args[i], to);
      }
      return;
    default: add_reads(w, e, to); return;
  }
}

// ---- reading the result back --------------------------------------------------------------------
//   a[i] = x / y     the adjoint of y needs the quotient, which is in a[i]
//   a[i] = sqrt(x)   so does that of x
// It is read there where x would have to be saved: a variable that the next iteration overwrites,
// or a[i] itself.  Then a is needed after the statement, and x is not.
static const CExpr *result_operand(Sweep *w, const CExpr *value) {
  if (value->tag == CE_BINARY && value->op == COP_DIV && depends_active(w->f, value->y))
    return value->x;
  bool call = value->tag == CE_CALL && value->x->tag == CE_FUNCTION && value->nargs == 1;
  if (!call || !value->x->function->libc || !partial_of_result(value)) return NULL;
  return value->args[0];
}

static bool kept_for_operand(Sweep *w, const ObjSet *operand, const ObjSet *places) {
  bool found = false;
  for (int i = 0; i < w->flow->objs.len; i++) {
    const Obj *o = &w->flow->objs.at[i];
    if (!set_has(operand, i)) continue;
    if (!o->one && !set_has(places, i)) return false;
    found |= set_has(places, i);
    found |= o->tag == OBJ_VAR && o->var->assigned && cflow_floats(w->flow, i);
  }
  return found;
}

static bool reads_back(Sweep *w, Effect *r) {
  const CExpr *value = cexpr_bare(r->value), *x = r->lhs;
  if (r->one >= 0 || !ctype_is_float(x->type) || !ctype_same(value->type, x->type)) return false;
  const CExpr *operand = result_operand(w, value);
  if (!operand) return false;
  ObjSet reads = cflow_reads(w->flow, operand);
  if (!kept_for_operand(w, &reads, &r->places)) return false;
  if (value->tag == CE_BINARY) add_reads(w, value->y, &r->uses), value_uses(w, value->y, &r->uses);
  value_uses(w, operand, &r->uses);
  return true;
}

// ---- effects ------------------------------------------------------------------------------------
static const CExpr *called(const CExpr *e) {
  e = cexpr_bare(e);
  while (e->tag == CE_CAST) e = cexpr_bare(e->x);
  if (e->tag != CE_CALL || e->x->tag != CE_FUNCTION) return NULL;
  const CLibc *row = e->x->function->libc;
  return row && (row->kind == LIBC_MATH || row->kind == LIBC_PURE) ? NULL : e;
}

static bool allocates(Sweep *w, const CExpr *call) {
  const CLibc *row = call->x->function->libc;
  return row && row->kind == LIBC_ALLOCATE && !cprogram_body(w->d->p, call->x->function);
}

static int one_cell(Sweep *w, const ObjSet *places) {
  int found = -1;
  for (int i = 0; i < w->flow->objs.len; i++) {
    if (!set_has(places, i)) continue;
    if (found >= 0 || !w->flow->objs.at[i].one) return -1;
    found = i;
  }
  return found;
}

// i++, p += 2: undone by the opposite.
static bool invertible(const CExpr *e) {
  int64_t v;
  if (ctype_is_float(e->x->type)) return false;
  if (e->tag == CE_STEP) return true;
  return (e->op == COP_ADD || e->op == COP_SUB) && cexpr_integer(e->y, &v);
}

Effect effect_begin(Sweep *w, const CExpr *e) {
  Effect r = {.lhs = e->x, .one = -1};
  CDiff *d = w->d;
  if (e->tag == CE_STEP) r.value = cbuild_binary(d->arena, e->op, e->x, cbuild_int(d->arena, 1));
  else if (e->op)
    r.value = cbuild_convert(d->arena, cbuild_binary(d->arena, e->op, e->x, e->y), e->x->type);
  else r.value = e->y;
  r.places = cflow_places(w->flow, e->x);
  r.one = one_cell(w, &r.places);
  r.address = address_reads(w, e->x);
  bool has = may_have_shadow(e->x->type) && is_active(w->f, e->x);
  r.pointer = has && e->x->type->tag == CTYPE_POINTER;
  r.active = has && !r.pointer;
  r.call = e->tag == CE_ASSIGN && !e->op ? called(e->y) : NULL;
  r.allocates = r.call && allocates(w, r.call);
  if (!r.active || r.call) return r;
  r.back = reads_back(w, &r);
  if (!r.back) value_uses(w, r.value, &r.uses);
  set_join(&r.uses, &r.address);
  return r;
}

Effect effect_of(Sweep *w, const CExpr *e, const ObjSet *need) {
  CDiff *d = w->d;
  Effect r = effect_begin(w, e);
  if (r.call && !r.allocates) {
    CallPlan plan = call_plan(w, r.call, r.lhs, need);
    set_join(&r.uses, &plan.uses);
    set_join(&r.uses, &r.address);
  }
  ObjSet wanted = *need;
  want(w, e, &r.uses, &wanted);
  ObjSet all = ctype_is_record(e->x->type) ? cflow_spread(w->flow, r.places) : r.places;
  bool hit = set_meets(&wanted, &all) && !cell_unneeded(w, e);
  r.undone = hit && invertible(e);
  r.saved = hit && !r.undone;
  if (hit && set_meets(&r.address, &r.places))
    refuse(d, e->at, "[c-unsupported] A place is overwritten that its own address depends on.",
           "copy the index to a variable before");
  return r;
}

static ObjSet assign_after(Sweep *w, const CExpr *e, ObjSet need) {
  Effect r = effect_of(w, e, &need);
  want(w, e, &r.uses, &need);
  if (r.one >= 0) set_remove(&need, r.one);
  if (r.saved || r.undone) set_join(&need, &r.address);
  if (r.active || r.pointer) want(w, e, &r.address, &need);
  if (r.undone) set_join(&need, &r.places);
  if (r.allocates || r.back) want(w, e, &r.places, &need);
  return need;
}

// ---- writes -------------------------------------------------------------------------------------
typedef struct {
  Sweep *w;
  ObjSet set;
} Writes;

static void call_writes(Writes *s, const CExpr *call) {
  CFunction *g = call->x->tag == CE_FUNCTION ? cprogram_body(s->w->d->p, call->x->function) : NULL;
  CFlow *callee = g ? cflow_of(s->w->d->p, g) : NULL;
  for (int i = 0; callee && i < callee->objs.len; i++) {
    const Obj *o = &callee->objs.at[i];
    if (!set_has(&callee->writes, i) || (o->tag == OBJ_VAR && !o->var->is_global)) continue;
    ObjSet here = cflow_map(s->w->flow, callee, call, i);
    set_join(&s->set, &here);
  }
  for (int i = 0; !g && i < call->nargs; i++) {
    if (call->args[i]->type->tag != CTYPE_POINTER) continue;
    const CLibc *row = call->x->function->libc;
    bool reads_only = row && (row->kind == LIBC_PRINT || row->kind == LIBC_FREE ||
                              (row->kind == LIBC_COPY && i == 1));
    ObjSet here = cflow_spread(s->w->flow, cflow_targets(s->w->flow, call->args[i]));
    if (!reads_only) set_join(&s->set, &here);
  }
}

static bool writes_expr(const CExpr *e, void *state) {
  Writes *s = state;
  if (e->tag == CE_ASSIGN || e->tag == CE_STEP) {
    ObjSet p = cflow_places(s->w->flow, e->x);
    if (ctype_is_record(e->x->type)) p = cflow_spread(s->w->flow, p);
    set_join(&s->set, &p);
  }
  if (e->tag == CE_CALL) call_writes(s, e);
  return true;
}

ObjSet writes_in(Sweep *w, const CStmt *s) {
  Writes state = {.w = w};
  cstmt_visit(s, NULL, writes_expr, &state);
  return state.set;
}

// ---- branches and loops -------------------------------------------------------------------------
bool condition_stays(Sweep *w, const CStmt *s) {
  ObjSet r = cflow_reads(w->flow, s->x), a = writes_in(w, s->body);
  if (s->other) {
    ObjSet b = writes_in(w, s->other);
    set_join(&a, &b);
  }
  return !set_meets(&r, &a);
}

static bool is_var(const CExpr *e, const CVar *v) {
  e = cexpr_bare(e);
  return e->tag == CE_VAR && e->var == v;
}

static bool step_of(const CExpr *e, const CVar *v, bool *down) {
  int64_t by;
  if (!e || (e->tag != CE_STEP && e->tag != CE_ASSIGN) || !is_var(e->x, v)) return false;
  *down = e->op == COP_SUB;
  if (e->tag == CE_STEP) return true;
  return (e->op == COP_ADD || e->op == COP_SUB) && cexpr_integer(e->y, &by) && by == 1;
}

bool loop_counted(Sweep *w, const CStmt *s, Counted *c) {
  if (s->tag != CS_FOR || !s->init || s->init->tag != CS_EXPR || !s->x) return false;
  const CExpr *init = s->init->x, *test = s->x;
  if (init->tag != CE_ASSIGN || init->op || init->x->tag != CE_VAR) return false;
  if (test->tag != CE_BINARY || !is_var(test->x, init->x->var)) return false;
  *c = (Counted){.counter = init->x->var, .from = init->y, .to = test->y, .compare = test->op};
  if (!ctype_is_integer(c->counter->type) || !step_of(s->step, c->counter, &c->down)) return false;
  bool fits = c->down ? test->op == COP_GT || test->op == COP_GE
                      : test->op == COP_LT || test->op == COP_LE;
  bool is_signed = ctype_is_signed(c->counter->type) && ctype_is_integer(test->x->type) &&
                   ctype_is_signed(test->x->type) && ctype_is_integer(c->from->type) &&
                   ctype_is_signed(cexpr_bare(c->from)->type);
  if (!fits || !is_signed) return false;
  ObjSet body = writes_in(w, s->body), bounds = cflow_reads(w->flow, c->to), counter = {{0}};
  set_add(&counter, cflow_var(w->flow, c->counter));
  ObjSet from = cflow_reads(w->flow, c->from);
  set_join(&bounds, &from);
  if (set_meets(&body, &bounds) || set_meets(&body, &counter) || set_meets(&bounds, &counter))
    return false;
  return !c->counter->addressed || !set_meets(&body, &counter);
}

const CStmt *loop_plain(Sweep *w, const CStmt *s) {
  Stmts all = {0}, body = {0};
  if (s->init) stmts_add(w->d, &all, s->init);
  stmts_add(w->d, &body, s->body);
  for (const CExpr *e = s->step; e;) {
    const CExpr *first = e->tag == CE_COMMA ? e->x : e;
    stmts_expr(w->d, &body, first);
    e = e->tag == CE_COMMA ? e->y : NULL;
  }
  CStmt *r = arena_copy(w->arena, s, sizeof *s);
  r->tag = CS_WHILE;
  r->init = NULL;
  r->step = NULL;
  r->body = stmts_block(w->d, &body);
  r->before = (CTexts){0};
  stmts_add(w->d, &all, r);
  return stmts_block(w->d, &all);
}

ObjSet need_loop(Sweep *w, const CStmt *body, ObjSet need) {
  for (;;) {
    ObjSet after = need_after(w, body, need);
    if (!set_join(&need, &after)) return need;
  }
}

static ObjSet counted_after(Sweep *w, const CStmt *s, const Counted *c, ObjSet need) {
  ObjSet reads;
  need = need_after(w, s->init, need);
  bool binomial = loop_binomial(w, s, c, &reads);
  if (binomial || loop_again(w, s, &need, &reads)) {
    ObjSet copied = {{0}};
    if (!binomial) copied = loop_copied(w, s, &need);
    set_without(&reads, &copied);
    set_without(&need, &copied);
    want(w, s, &reads, &need);
  } else need = need_loop(w, s->body, need);
  want_reads(w, s, c->from, &need);
  want_reads(w, s, c->to, &need);
  set_remove(&need, cflow_var(w->flow, c->counter));
  return need;
}

ObjSet part_after(Sweep *w, const CStmt *s, const CStmt *region, ObjSet need) {
  return region ? checkpoint_after(w, region, need) : need_after(w, s, need);
}

static ObjSet call_after(Sweep *w, const CExpr *call, ObjSet need) {
  CallPlan plan = call_plan(w, call, NULL, &need);
  want(w, call, &plan.uses, &need);
  return need;
}

ObjSet need_after(Sweep *w, const CStmt *s, ObjSet need) {
  Counted c;
  switch ((int)s->tag) {
    case CS_EXPR:
      if (s->x->tag == CE_COMMA) {
        need = need_after(w, cstmt_expr(w->arena, s->x->x), need);
        return need_after(w, cstmt_expr(w->arena, s->x->y), need);
      }
      if (s->x->tag == CE_CALL) return call_after(w, s->x, need);
      return s->x->tag == CE_ASSIGN || s->x->tag == CE_STEP ? assign_after(w, s->x, need) : need;
    case CS_BLOCK:
      for (int i = 0, next; i < s->stmts.len; i = next) {
        const CStmt *region = advice_region(w, s, i, &next);
        need = part_after(w, s->stmts.at[i], region, need);
      }
      return need;
    case CS_IF: {
      ObjSet yes = need_after(w, s->body, need);
      ObjSet no = s->other ? need_after(w, s->other, need) : need;
      set_join(&yes, &no);
      if (condition_stays(w, s)) want_reads(w, s, s->x, &yes);
      return yes;
    }
    case CS_FOR:
      if (loop_counted(w, s, &c)) return counted_after(w, s, &c, need);
      return need_after(w, loop_plain(w, s), need);
    case CS_WHILE: case CS_DO: return need_loop(w, s->body, need);
    default: return need;
  }
}
