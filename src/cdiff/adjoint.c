// The adjoint of a function: a forward sweep that saves, a reverse sweep that restores and adds.
//   F(s1; s2) = F(s1); F(s2)                    B(s1; s2) = B(s2); B(s1)
//   F(v = e)  = [save v;] v = e                 B(v = e)  = [restore v;] see adjoint_expr.c
//   F(if c S T) = [keep c;] if c F(S) F(T)      B = if c B(S) B(T)
//   F(for i = a .. b) = for .. F(S)             B = for i = b .. a  B(S)
//   F(while c S) = count trips                  B = that many times B(S)
#include "sweep.h"

// ---- saving -------------------------------------------------------------------------------------
const CExpr *tape_pointer(Sweep *w) {
  w->d->tape = w->used_tape = true;
  const CExpr *x = cbuild_var(w->arena, w->tape);
  return w->split ? x : cbuild_unary(w->arena, COP_ADDRESS, x);
}

void kept_note(Sweep *w, KeptTag tag, const CExpr *place, const CExpr *pushed) {
  Kept k = {.tag = tag, .at = w->d->at, .who = w->doing, .place = place, .pushed = pushed};
  if (tag == KEPT_TAPE && !w->split && w->depth == 0) k.tag = KEPT_LOCAL;
  if (!w->doing) k.tag = KEPT_END;
  list_push(w->arena, &w->notes->kept, k);
}

void tape_bytes(Sweep *w, const char *name, const CExpr *at, const CExpr *bytes, Stmts *out) {
  const CExpr *args[3] = {tape_pointer(w), at, bytes};
  stmts_expr(w->d, out, mk_call(w->d, name, &ctype_void, args, 3));
}

void push_bytes(Sweep *w, const CExpr *at, const CExpr *bytes, Code *out) {
  tape_bytes(w, "dz_push_bytes", at, bytes, &out->forward);
  tape_bytes(w, "dz_pop_bytes", at, bytes, &out->reverse);
}

void push_value(Sweep *w, const CExpr *x, Code *out) {
  CDiff *d = w->d;
  const CExpr *args[2] = {tape_pointer(w), x};
  if (ctype_is_record(x->type)) {
    push_bytes(w, cbuild_unary(d->arena, COP_ADDRESS, x), cbuild_sizeof(d->arena, x, x->type),
               out);
    return;
  }
  bool pointer = x->type->tag == CTYPE_POINTER, real = ctype_is_float(x->type);
  const char *push = pointer ? "dz_push_pointer" : real ? "dz_push_real" : "dz_push_int";
  const char *pop = pointer ? "dz_pop_pointer" : real ? "dz_pop_real" : "dz_pop_int";
  const CType *t = pointer ? ctype_pointer(d->arena, &ctype_void) : real ? &ctype_double
      : &ctype_long;
  CExpr *value = (CExpr *)(uintptr_t)mk_call(d, pop, t, args, 1);
  if (pointer && (x->type->base->quals & CQ_CONST)) {
    CExpr *cast = NEW(d->arena, CExpr);
    *cast = (CExpr){.tag = CE_CAST, .type = ctype_pointer(d->arena, &ctype_void), .x = x};
    args[1] = cast;
  }
  stmts_expr(d, &out->forward, mk_call(d, push, &ctype_void, args, 2));
  CExpr *cast = NEW(d->arena, CExpr);
  *cast = (CExpr){.tag = CE_CAST, .type = ctype_plain(d->arena, x->type), .x = value};
  bool plain = pointer || ctype_same(t, x->type);
  stmts_assign(d, &out->reverse, x, plain ? value : cast);
}

static void save_value(Sweep *w, const CExpr *x, const char *base, Code *out) {
  if (w->split || w->depth > 0) {
    push_value(w, x, out);
    return;
  }
  const CExpr *t = var_of(w->d, local_new(w->f, base, x->type));
  stmts_assign(w->d, &out->forward, t, x);
  stmts_assign(w->d, &out->reverse, x, t);
}

static const char *base_name(Sweep *w, const CExpr *e) {
  while (e->tag == CE_MEMBER || e->tag == CE_INDEX || e->tag == CE_CONVERT) e = e->x;
  if (e->tag == CE_UNARY) e = cexpr_bare(e->x);
  return arena_printf(w->arena, "%s_was", e->tag == CE_VAR ? e->var->name : "t");
}

static bool has_pair(Sweep *w, const CExpr *x) {
  return x->type->tag == CTYPE_POINTER && may_have_shadow(x->type) && is_active(w->f, x);
}

// A value saved later is restored earlier.
static void saved_after(CDiff *d, Code *one, Code two) {
  stmts_add_all(d, &one->forward, &two.forward);
  stmts_add_all(d, &two.reverse, &one->reverse);
  one->reverse = two.reverse;
}

// Restoring goes the other way: pointer pairs come back shadow first.
void save_place(Sweep *w, const CExpr *x, Code *out) {
  Code one = {0};
  kept_note(w, KEPT_TAPE, x, x);
  save_value(w, x, base_name(w, x), &one);
  if (has_pair(w, x)) {
    Code two = {0};
    save_value(w, shadow_place(w->f, x), base_name(w, x), &two);
    saved_after(w->d, &one, two);
  }
  stmts_add_all(w->d, &out->forward, &one.forward);
  stmts_add_all(w->d, &out->reverse, &one.reverse);
}

// ---- assignments --------------------------------------------------------------------------------
static void undo(Sweep *w, const CExpr *e, bool shadow, Stmts *out) {
  CExpr *r = arena_copy(w->arena, e, sizeof *e);
  r->op = e->op == COP_ADD ? COP_SUB : COP_ADD;
  if (shadow) r->x = shadow_place(w->f, e->x);
  stmts_expr(w->d, out, r);
}

static void free_code(const CExpr *pointer, Stmts *out, CDiff *d) {
  const CExpr *arg = pointer;
  stmts_expr(d, out, mk_call(d, "free", &ctype_void, &arg, 1));
}

static void pointer_forward(Sweep *w, const CExpr *e, const Effect *r, Stmts *out) {
  CDiff *d = w->d;
  if (r->pointer) {
    const CExpr *xd = shadow_place(w->f, e->x);
    CExpr *same = arena_copy(d->arena, e, sizeof *e);
    same->x = xd;
    if (e->tag == CE_STEP || e->op) stmts_expr(d, out, same);
    else stmts_assign(d, out, xd, shadow_pointer(w->f, e->y));
  }
  stmts_expr(d, out, e);
}

static void record_reverse(Sweep *w, const CExpr *place, const CExpr *value, Stmts *out);

// A member of a struct that is assigned, or an element of one.
static void part_reverse(Sweep *w, const CExpr *p, const CExpr *v, Stmts *out) {
  const CType *t = p->type;
  if (t->tag == CTYPE_STRUCT) record_reverse(w, p, v, out);
  else if (t->tag == CTYPE_ARRAY && t->count >= 0)
    for (int64_t k = 0; k < t->count; k++)
      part_reverse(w, cbuild_index(w->arena, p, cbuild_int(w->arena, k)),
                   cbuild_index(w->arena, v, cbuild_int(w->arena, k)), out);
  else if (ctype_is_float(t)) reverse_assign(w, p, v, NULL, out);
  else
    refuse(w->d, w->d->at, "[c-unsupported] A struct with pointers to active memory is copied.",
           "assign its members one by one");
}

static void record_reverse(Sweep *w, const CExpr *place, const CExpr *value, Stmts *out) {
  const CType *t = place->type;
  for (int i = 0; i < t->record->fields.len; i++) {
    const CField *f = &t->record->fields.at[i];
    if (!type_has_shadow(f->type)) continue;
    part_reverse(w, cbuild_field(w->arena, place, false, f),
                 cbuild_field(w->arena, value, false, f), out);
  }
}

static void value_reverse(Sweep *w, const CExpr *e, const Effect *r, const CExpr *known,
                          Stmts *out) {
  if (ctype_is_record(e->x->type)) {
    if (!cexpr_is_lvalue(r->value) || r->value->tag == CE_COMPOUND)
      refuse(w->d, e->at, "[c-unsupported] A struct is assigned a value that is not a variable.",
             "assign its members one by one");
    record_reverse(w, e->x, r->value, out);
  } else reverse_assign(w, e->x, r->value, known, out);
}

// v = g(..) where v is saved: what g keeps on the tape lies below, as its reverse needs v.
static Code call_assign(Sweep *w, const CExpr *e, const Effect *r, const ObjSet *need) {
  CDiff *d = w->d;
  Code c = {0}, call = {0}, keep = {0};
  const CExpr *places[2] = {e->x, NULL};
  if (r->saved && has_pair(w, e->x)) places[1] = shadow_place(w->f, e->x);
  call_code(w, r->call, r, need, &call);
  for (int i = 0; r->saved && i < 2 && places[i]; i++) {
    const CExpr *t = var_of(d, local_new(w->f, base_name(w, e->x), places[i]->type));
    Code one = {0};
    kept_note(w, KEPT_TAPE, places[i], t);
    stmts_assign(d, &c.forward, t, places[i]);
    if (w->split || w->depth > 0) push_value(w, t, &one);
    stmts_assign(d, &one.reverse, places[i], t);
    stmts_add_all(d, &keep.forward, &one.forward);
    stmts_add_all(d, &one.reverse, &keep.reverse);
    keep.reverse = one.reverse;
  }
  stmts_add_all(d, &c.forward, &call.forward);
  stmts_add_all(d, &c.forward, &keep.forward);
  stmts_add_all(d, &c.reverse, &keep.reverse);
  stmts_add_all(d, &c.reverse, &call.reverse);
  return c;
}

static Code assign_code(Sweep *w, const CExpr *e, const ObjSet *need) {
  w->doing = e;
  Effect r = effect_of(w, e, need);
  if (r.call && !r.allocates) return call_assign(w, e, &r, need);
  Code c = {0}, saved = {0};
  if (r.saved) save_place(w, e->x, &saved);
  stmts_add_all(w->d, &c.forward, &saved.forward);
  if (r.allocates) {
    pointer_forward(w, e, &r, &c.forward);
    if (r.pointer) free_code(shadow_place(w->f, e->x), &c.reverse, w->d);
    free_code(e->x, &c.reverse, w->d);
  } else pointer_forward(w, e, &r, &c.forward);
  const CExpr *known = r.back ? var_of(w->d, local_new(w->f, "t", e->x->type)) : NULL;
  if (known) stmts_assign(w->d, &c.reverse, known, e->x);
  stmts_add_all(w->d, &c.reverse, &saved.reverse);
  if (r.undone) kept_note(w, KEPT_UNDONE, e->x, e->x);
  if (r.undone && r.pointer) undo(w, e, true, &c.reverse);
  if (r.undone) undo(w, e, false, &c.reverse);
  if (r.active) value_reverse(w, e, &r, known, &c.reverse);
  return c;
}

// ---- control ------------------------------------------------------------------------------------
static Code block_code(Sweep *w, const CStmt *s, ObjSet need) {
  Code all = {0};
  LIST(Code) parts = {0};
  for (int i = 0, next; i < s->stmts.len; i = next) {
    const CStmt *region = advice_region(w, s, i, &next);
    list_push(w->arena, &parts, region ? checkpoint_code(w, region, need)
                                       : sweep_code(w, s->stmts.at[i], need));
    need = part_after(w, s->stmts.at[i], region, need);
  }
  for (int i = 0; i < parts.len; i++)
    for (int k = 0; k < parts.at[i].forward.len; k++)
      stmts_add(w->d, &all.forward, parts.at[i].forward.at[k]);
  for (int i = parts.len - 1; i >= 0; i--)
    for (int k = 0; k < parts.at[i].reverse.len; k++)
      stmts_add(w->d, &all.reverse, parts.at[i].reverse.at[k]);
  return all;
}

static const CStmt *branch(Sweep *w, const CExpr *c, const Stmts *yes, const Stmts *no) {
  CStmt *s = NEW(w->arena, CStmt);
  bool swap = yes->len == 0;
  *s = (CStmt){.tag = CS_IF, .x = swap ? cbuild_unary(w->arena, COP_NOT, c) : c};
  s->body = stmts_block(w->d, swap ? no : yes);
  if (!swap && no->len) s->other = stmts_block(w->d, no);
  return s;
}

static Code if_code(Sweep *w, const CStmt *s, ObjSet need) {
  CDiff *d = w->d;
  Code yes = sweep_code(w, s->body, need), no = {0}, c = {0};
  if (s->other) no = sweep_code(w, s->other, need);
  bool reverse = yes.reverse.len || no.reverse.len;
  const CExpr *test = s->x;
  Code keep = {0};
  if (reverse && !condition_stays(w, s)) {
    w->doing = s;
    const CExpr *k = var_of(d, local_new(w->f, "branch", &ctype_int));
    stmts_assign(d, &c.forward, k, cbuild_truth(w->arena, s->x));
    kept_note(w, KEPT_CONDITION, s->x, k);
    test = k;
    if (w->split || w->depth > 0) push_value(w, k, &keep);
  }
  if (yes.forward.len || no.forward.len)
    stmts_add(d, &c.forward, branch(w, test, &yes.forward, &no.forward));
  stmts_add_all(d, &c.forward, &keep.forward);
  stmts_add_all(d, &c.reverse, &keep.reverse);
  if (reverse) stmts_add(d, &c.reverse, branch(w, test, &yes.reverse, &no.reverse));
  return c;
}

// for (i = b - 1; i >= a; i--) and its like.
const CStmt *counted_reverse(Sweep *w, const Counted *c, const Stmts *body) {
  Arena *arena = w->arena;
  const CExpr *i = cbuild_var(arena, c->counter), *last = c->to, *one = cbuild_int(arena, 1);
  if (c->compare == COP_LT) last = cbuild_binary(arena, COP_SUB, last, one);
  if (c->compare == COP_GT) last = cbuild_binary(arena, COP_ADD, last, one);
  int64_t v;
  if (cexpr_integer(last, &v)) last = cbuild_int(arena, v);
  CStmt *s = NEW(arena, CStmt);
  CExpr *step = NEW(arena, CExpr);
  *step = (CExpr){.tag = CE_STEP, .op = c->down ? COP_ADD : COP_SUB, .x = i, .postfix = true,
                  .type = i->type};
  *s = (CStmt){.tag = CS_FOR, .step = step};
  s->init = cstmt_assign(arena, i, last);
  s->x = cbuild_binary(arena, c->down ? COP_LE : COP_GE, i, c->from);
  s->body = stmts_block(w->d, body);
  return s;
}

static Code counted_code(Sweep *w, const CStmt *s, const Counted *c, ObjSet need) {
  Code init = sweep_code(w, s->init, need), all = {0};
  ObjSet start = need_after(w, s->init, need), reads;
  bool binomial = loop_binomial(w, s, c, &reads);
  if (binomial || loop_again(w, s, &start, &reads)) {
    ObjSet joined = start, copied = {{0}};
    if (!binomial) copied = loop_copied(w, s, &start);
    set_without(&reads, &copied);
    set_join(&joined, &reads);
    Code code = binomial ? binomial_code(w, s, c, start) : again_code(w, s, c, joined, &copied);
    if (binomial) originals_noted(w, s);
    if (init.forward.len) init.forward.len--;  // the assignment itself is in the loop
    stmts_add_all(w->d, &all.forward, &init.forward);
    stmts_add_all(w->d, &all.forward, &code.forward);
    stmts_add_all(w->d, &all.reverse, &code.reverse);
    stmts_add_all(w->d, &all.reverse, &init.reverse);
    return all;
  }
  ObjSet inside = need_loop(w, s->body, start);
  w->depth++;
  Code body = sweep_code(w, s->body, inside);
  w->depth--;
  for (int i = 0; i + 1 < init.forward.len; i++) stmts_add(w->d, &all.forward, init.forward.at[i]);
  CStmt *loop = arena_copy(w->arena, s, sizeof *s);
  loop->body = stmts_block(w->d, &body.forward);
  stmts_add(w->d, &all.forward, loop);
  if (body.reverse.len) stmts_add(w->d, &all.reverse, counted_reverse(w, c, &body.reverse));
  stmts_add_all(w->d, &all.reverse, &init.reverse);
  return all;
}

static Code trips_code(Sweep *w, const CStmt *s, ObjSet need) {
  CDiff *d = w->d;
  ObjSet inside = need_loop(w, s->body, need);
  w->depth++;
  Code body = sweep_code(w, s->body, inside), all = {0};
  w->depth--;
  CStmt *loop = arena_copy(w->arena, s, sizeof *s);
  loop->body = stmts_block(d, &body.forward);
  if (!body.reverse.len) {
    stmts_add(d, &all.forward, loop);
    return all;
  }
  const CExpr *n = var_of(d, local_new(w->f, "trips", &ctype_long));
  CExpr *up = NEW(w->arena, CExpr);
  *up = (CExpr){.tag = CE_STEP, .op = COP_ADD, .x = n, .postfix = true, .type = n->type};
  stmts_expr(d, &body.forward, up);
  loop->body = stmts_block(d, &body.forward);
  stmts_assign(d, &all.forward, n, cbuild_int(w->arena, 0));
  stmts_add(d, &all.forward, loop);
  CStmt *back = NEW(w->arena, CStmt);
  CExpr *down = arena_copy(w->arena, up, sizeof *up);
  down->op = COP_SUB;
  *back = (CStmt){.tag = CS_FOR, .step = down};
  back->x = cbuild_binary(w->arena, COP_GT, n, cbuild_int(w->arena, 0));
  back->body = stmts_block(d, &body.reverse);
  w->doing = s;
  kept_note(w, KEPT_TRIPS, n, n);
  if (w->split || w->depth > 0) push_value(w, n, &all);
  stmts_add(d, &all.reverse, back);
  return all;
}

static Code statement_code(Sweep *w, const CStmt *s, ObjSet need) {
  Counted counted;
  Code c = {0};
  switch ((int)s->tag) {
    case CS_BLOCK: return block_code(w, s, need);
    case CS_IF: return if_code(w, s, need);
    case CS_FOR:
      if (loop_counted(w, s, &counted)) return counted_code(w, s, &counted, need);
      return sweep_code(w, loop_plain(w, s), need);
    case CS_WHILE: case CS_DO: return trips_code(w, s, need);
    case CS_EXPR:
      if (s->x->tag == CE_COMMA) {
        Stmts two = {0};
        stmts_expr(w->d, &two, s->x->x);
        stmts_expr(w->d, &two, s->x->y);
        return block_code(w, stmts_block(w->d, &two), need);
      }
      if (s->x->tag == CE_ASSIGN || s->x->tag == CE_STEP) c = assign_code(w, s->x, &need);
      else if (s->x->tag == CE_CALL) w->doing = s->x, call_code(w, s->x, NULL, &need, &c);
      for (int i = 0; i < c.forward.len; i++)
        if (c.forward.at[i]->x == s->x) c.forward.at[i] = s;  // with its comments
      return c;
    default: return c;
  }
}

Code sweep_code(Sweep *w, const CStmt *s, ObjSet need) {
  Span outer = w->d->at;
  if (s->at.src) w->d->at = s->at;
  Code c = statement_code(w, s, need);
  w->d->at = outer;
  return c;
}

// ---- functions ----------------------------------------------------------------------------------
static CVar *tape_new(Derived *f, bool split) {
  CType *t = NEW(f->d->arena, CType);
  *t = (CType){.tag = CTYPE_OPAQUE, .alias = name_of(f->d->p->names, "dz_tape"), .count = -1};
  CVar *v = cvar_fresh(f->simple, "tape", split ? ctype_pointer(f->d->arena, t) : t);
  v->is_param = split;
  return v;
}

Sweep sweep_new(Derived *f, bool split) {
  Sweep w = {.f = f, .d = f->d, .flow = f->flow, .arena = f->d->arena, .split = split};
  w.tape = tape_new(f, split);
  w.notes = NEW(w.arena, SweepNotes);
  w.notes->f = f;
  return w;
}

static CVar *result_shadow(Derived *f) {
  CVar *v = shadow_var(f, f->simple->result);
  const CType *t = f->simple->result->type;
  bool many = directions_many(f->d) && ctype_is_float(t);
  v->is_param = true;
  v->type = many ? directions_parameter(f->d, ctype_plain(f->d->arena, t)) : shadow_type(f->d, t);
  return many && f->head ? directions_copied(f, v) : v;
}

static CFunction *function_new(Derived *f, Name name, const CType *result, const CVars *params) {
  CFunction *out = NEW(f->d->arena, CFunction);
  CType *t = NEW(f->d->arena, CType);
  *t = (CType){.tag = CTYPE_FUNCTION, .count = -1, .params = *params, .base = result};
  *out = (CFunction){.name = name, .type = t, .params = *params, .is_static = !f->head,
                     .at = f->source->at};
  return out;
}

// An active parameter that is neither input nor output of the head: its shadow is a local array.
bool adjoint_inside_only(Derived *f, int i) {
  const CVar *v = f->source->params.at[i];
  if (!f->head || v->type->tag != CTYPE_POINTER) return false;
  ObjSet below = cflow_floats_below(f->flow, f->flow->targets.at[cflow_var(f->flow, v)]);
  return !set_meets(&below, &f->wanted) && !set_meets(&below, &f->given);
}

static CVars reverse_params(Derived *f) {
  CVars params = {0};
  directions_param_first(f, &params);
  for (int i = 0; i < f->source->params.len; i++) {
    CVar *v = f->source->params.at[i];
    list_push(f->d->arena, &params, v);
    if (derived_param_active(f, i) && !adjoint_inside_only(f, i)) list_push(f->d->arena, &params,
        shadow_var(f, v));
  }
  if (f->result_active && f->simple->result->type->tag != CTYPE_POINTER)
    list_push(f->d->arena, &params, result_shadow(f));
  directions_param_last(f, &params);
  return params;
}

// Numbers that pointers in memory lead to: rows, members that are pointers.
static void rows_refused(Derived *f, const CVar *v) {
  if (!shadow_leads(v->type->base)) return;
  const char *message = arena_printf(
      f->d->arena, "[c-length] How much memory the pointers in `%s` lead to is not known, so its "
      "adjoint cannot start at zero.", v->name);
  refuse(f->d, v->at, message, "name it as an output, too, and zero its adjoint before the call");
}

// x[0] .. x[n - 1], numbers
static void numbers_zeroed(Derived *f, const CExpr *x, const CExpr *n, Stmts *out) {
  CDiff *d = f->d;
  CVar *i = cvar_fresh(f->simple, "i", &ctype_long);
  i->init = cbuild_int(d->arena, 0);
  const CExpr *at = var_of(d, i);
  CStmt *loop = NEW(d->arena, CStmt);
  CExpr *step = NEW(d->arena, CExpr);
  Stmts body = {0};
  *step = (CExpr){.tag = CE_STEP, .op = COP_ADD, .x = at, .postfix = true, .type = i->type};
  direction_assign(f, COP_NONE, cbuild_index(d->arena, x, at), NULL, &body);
  *loop = (CStmt){.tag = CS_FOR, .init = cstmt_decl(d->arena, i), .step = step,
                  .x = cbuild_binary(d->arena, COP_LT, at, n), .body = body.at[0]};
  stmts_add(d, out, loop);
}

// Whether the parameter points to one struct, whose pointers lead to numbers.
static bool has_members(Derived *f, const CVar *v) {
  int64_t one;
  const CType *t = v->type->base;
  if (t->tag != CTYPE_STRUCT || !shadow_leads(t)) return false;
  const CExpr *n = cdiff_length_known(f->d->p, &f->d->options->lengths, f->source, v);
  if (!n || n->spelling || !cexpr_integer(n, &one) || one != 1) return false;
  for (int i = 0; i < t->record->fields.len; i++) {
    const CType *m = t->record->fields.at[i].type;
    bool numbers = m->tag == CTYPE_POINTER && ctype_is_float(m->base);
    if (type_has_shadow(m) && shadow_leads(m) && !numbers) return false;
  }
  return true;
}

// x->a = 0; x->m[i] = 0, where users say how long the member m is.
static void members_zeroed(Derived *f, const CVar *v, const CExpr *x, Stmts *out) {
  CDiff *d = f->d;
  const CRecord *r = v->type->base->record;
  for (int i = 0; i < r->fields.len; i++) {
    const CField *of = &r->fields.at[i], *own = ctype_field(x->type->base, of->name);
    if (!own) continue;
    const CExpr *to = cbuild_field(d->arena, x, true, own);
    bool pointer = of->type->tag == CTYPE_POINTER;
    if (ctype_is_float(of->type)) direction_assign(f, COP_NONE, to, NULL, out);
    else if (!pointer) memory_cleared(d, to, out);
    if (!pointer || !is_active(f, cbuild_field(d->arena, var_of(d, v), true, of))) continue;
    const char *name = arena_printf(d->arena, "%s.%s", v->name, of->name);
    const CExpr *n = cdiff_length_said(d->p, &d->options->lengths, f->source, name);
    if (!n) cdiff_length_refuse_member(d->p, v, name + strlen(v->name));
    numbers_zeroed(f, to, n, out);
  }
}

static void zero_memory(Derived *f, const CVar *v, const CExpr *x, Stmts *out) {
  CDiff *d = f->d;
  if (has_members(f, v)) {
    members_zeroed(f, v, x, out);
    return;
  }
  rows_refused(f, v);
  const CExpr *n = cdiff_length(f, v);
  if (ctype_is_float(v->type->base)) {
    numbers_zeroed(f, x, n, out);
    return;
  }
  const CExpr *size = cbuild_sizeof(d->arena, NULL, x->type->base);
  const CExpr *args[3] = {x, cbuild_int(d->arena, 0), cbuild_binary(d->arena, COP_MUL, n, size)};
  stmts_expr(d, out, mk_call(d, "memset", &ctype_void, args, 3));
}

// The adjoint of a number that is passed by value, in the caller.
static const CExpr *given_shadow(Derived *f, const CExpr *x) {
  return directions_many(f->d) ? x : cbuild_unary(f->d->arena, COP_DEREF, x);
}

// The head's inputs that are no outputs start at zero.
static void head_zeroes(Derived *f, Stmts *out) {
  CDiff *d = f->d;
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    if (!derived_param_active(f, i)) continue;
    const CExpr *x = var_of(d, shadow_var(f, v));
    if (v->type->tag != CTYPE_POINTER) {
      if (ctype_is_float(v->type)) direction_assign(f, COP_NONE, given_shadow(f, x), NULL, out);
      else if (shadow_leads(v->type))
        refuse(d, v->at, "[c-unsupported] A struct with pointers by value is an input.",
               "pass a pointer to it");
      else memory_cleared(d, cbuild_unary(d->arena, COP_DEREF, x), out);
      continue;
    }
    ObjSet below = cflow_floats_below(f->flow, f->flow->targets.at[cflow_var(f->flow, v)]);
    bool output = set_meets(&below, &f->wanted);
    if (!output && !adjoint_inside_only(f, i)) zero_memory(f, v, x, out);
  }
}

// Pointers that walk, sizes that the function assigns, and integers in memory that it writes, of
// which a length may be made: adjoints are zeroed before they change.
bool sizes_change(Derived *f) {
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    if ((parameter_changes(f, v) || v->addressed) && !ctype_is_float(v->type)) return true;
  }
  for (int i = 0; i < f->flow->objs.len; i++)
    if (set_has(&f->flow->writes, i) && f->flow->objs.at[i].entry && !cflow_floats(f->flow, i))
      return true;
  return false;
}

static ObjSet need_none(void) { return (ObjSet){{0}}; }

static void inner_shadows(Derived *f, Stmts *body) {
  CDiff *d = f->d;
  Stmts all = {0};
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    if (!derived_param_active(f, i) || !adjoint_inside_only(f, i)) continue;
    rows_refused(f, v);
    CVar *s = shadow_var(f, v);
    s->is_param = false;
    s->type = ctype_pointer(d->arena, s->type->base);  // a parameter y[n] is a pointer here
    const CExpr *size = cbuild_sizeof(d->arena, NULL, s->type->base);
    const CExpr *args[2] = {cdiff_length(f, v), size}, *x = var_of(d, s);
    d->tape = true;
    stmts_assign(d, &all, x, mk_call(d, "dz_new", ctype_pointer(d->arena, &ctype_void), args, 2));
    free_code(x, body, d);
  }
  stmts_add_all(d, &all, body);
  *body = all;
}

// Member by member; t: the type whose derivatives they are.
static void record_added(Derived *f, const CType *t, const CExpr *to, const CExpr *from,
                         Stmts *out) {
  CDiff *d = f->d;
  if (ctype_is_float(t)) {
    direction_assign(f, COP_ADD, to, direction_of(f, from), out);
    return;
  }
  for (int64_t i = 0; t->tag == CTYPE_ARRAY && i < t->count; i++) {
    const CExpr *at = cbuild_int(d->arena, i);
    record_added(f, t->base, cbuild_index(d->arena, to, at), cbuild_index(d->arena, from, at), out);
  }
  for (int i = 0; t->tag == CTYPE_STRUCT && i < t->record->fields.len; i++) {
    const CField *of = &t->record->fields.at[i], *own = ctype_field(from->type, of->name);
    if (own && !shadow_leads(of->type))
      record_added(f, of->type, cbuild_field(d->arena, to, false, own),
                   cbuild_field(d->arena, from, false, own), out);
  }
}

// By-value parameters that are assigned: what their adjoint has become is added at the end.
static void accumulators_add(Derived *f, Stmts *body) {
  CDiff *d = f->d;
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    CVar *xb = map_get(f->shadows, KEY(v)), *sum = xb ? map_get(f->shadows, KEY(xb)) : NULL;
    if (!sum) continue;
    if (ctype_is_record(v->type))
      record_added(f, v->type, cbuild_unary(d->arena, COP_DEREF, var_of(d, xb)), var_of(d, sum),
                   body);
    else direction_assign(f, COP_ADD, given_shadow(f, var_of(d, xb)),
                     direction_of(f, var_of(d, sum)), body);
  }
}

void adjoint_make(Derived *f) {
  CDiff *d = f->d;
  CVars params = reverse_params(f);
  Sweep w = sweep_new(f, false);
  list_push(d->arena, &d->notes, w.notes);
  advice_check(&w);
  const CStmt *source = f->simple->f->body;
  Code c = sweep_code(&w, source, need_none());
  ObjSet end = need_after(&w, source, need_none());
  Stmts body = {0}, forward = dead_removed(&w, &c.forward, end);
  bool first = f->head && sizes_change(f);
  if (first) head_zeroes(f, &body);
  stmts_add_all(d, &body, &forward);
  if (f->head && !first) head_zeroes(f, &body);
  directions_copy(f, &body);
  stmts_add_all(d, &body, &c.reverse);
  accumulators_add(f, &body);
  if (f->head) inner_shadows(f, &body);
  if (w.used_tape) {
    const CExpr *args[1] = {tape_pointer(&w)};
    stmts_expr(d, &body, mk_call(d, "dz_tape_free", &ctype_void, args, 1));
  }
  f->out = function_new(f, f->name, &ctype_void, &params);
  body = directions_fused(f, &body);
  adjoint_declare(f, &params, w.tape, &body);
  body_tidy(d, &body);
  parameters_use(d, f->out, &body);
  f->out->body = stmts_block(d, &body);
}

// ---- split functions ----------------------------------------------------------------------------
static bool inner_var(const Derived *f, int i) {
  const Obj *o = &f->flow->objs.at[i];
  return o->tag == OBJ_VAR && !o->var->is_global && o->var->storage != CSTORE_STATIC;
}

static bool needed_at_all(const Derived *f, const ObjSet *end, int obj) {
  if (set_has(end, obj)) return true;
  for (int i = 0; i < f->flow->objs.len; i++)
    if (f->flow->objs.at[i].tag == OBJ_FIELD && f->flow->objs.at[i].parent == obj &&
        needed_at_all(f, end, i))
      return true;
  return false;
}

// Pointers in a struct or array have shadows that are kept, too.
static void shadows_kept(Sweep *w, const CVar *v, Code *one) {
  const CExpr *x = var_of(w->d, v);
  bool inside = v->type->tag != CTYPE_POINTER && !v->is_param && type_has_shadow(v->type) &&
                shadow_leads(v->type);
  if (!inside || !is_active(w->f, x)) return;
  const CExpr *xb = shadow_place(w->f, x), *size = cbuild_sizeof(w->arena, xb, xb->type);
  if (v->type->tag != CTYPE_ARRAY) xb = cbuild_unary(w->arena, COP_ADDRESS, xb);
  Code two = {0};
  push_bytes(w, xb, size, &two);
  saved_after(w->d, one, two);
}

// Locals the reverse sweep needs: kept at the end of the one, taken at the start of the other.
static void keep_locals(Sweep *w, const ObjSet *end, Code *out) {
  Derived *f = w->f;
  Code parts[64];
  int n = 0;
  int count = f->flow->objs.len;
  for (int pass = 0; pass < 2 * count; pass++) {  // what variables measure comes back after them
    int i = pass % count;
    if (!inner_var(f, i) || !needed_at_all(f, end, i)) continue;
    const CVar *v = f->flow->objs.at[i].var;
    if (ctype_is_variable(v->type) != (pass < count)) continue;
    if (v->is_param && !parameter_changes(f, v) && !v->addressed) continue;
    Code one = {0};
    if (n == 64 || v->type->tag == CTYPE_ARRAY) {
      const CExpr *x = var_of(w->d, v);
      kept_note(w, KEPT_END, x, x);
      if (n == 64) refuse(w->d, v->at, "[c-unsupported] More than 64 local variables to keep.",
          NULL);
      push_bytes(w, x, cbuild_sizeof(w->arena, x, v->type), &one);
    } else {
      save_place(w, var_of(w->d, v), &one);
    }
    shadows_kept(w, v, &one);
    parts[n++] = one;
  }
  for (int i = 0; i < n; i++) stmts_add_all(w->d, &out->forward, &parts[i].forward);
  for (int i = n - 1; i >= 0; i--) stmts_add_all(w->d, &out->reverse, &parts[i].reverse);
}

Split *split_of(Derived *f, const ObjSet *need) {
  for (int i = 0; i < f->splits.len; i++) {
    Split *s = f->splits.at[i];
    if (memcmp(&s->need, need, sizeof *need) == 0) {
      return s;
    }
  }
  CDiff *d = f->d;
  Split *s = NEW(d->arena, Split);
  *s = (Split){.f = f, .need = *need, .running = true};
  list_push(d->arena, &f->splits, s);
  list_push(d->arena, &d->splits, s);
  s->forward_name = cname_fresh(d->arena, d->p->names, d->p->used,
                                arena_printf(d->arena, "%s_fwd", f->source->name));
  s->backward_name = cname_fresh(d->arena, d->p->names, d->p->used,
                                 arena_printf(d->arena, "%s_bwd", f->source->name));
  CFlow *source = cflow_of(d->p, f->source);
  Sweep w = sweep_new(f, true);
  ObjSet inside = entry_places(f->flow, source, need);
  w.notes->need = inside;
  for (;;) {
    ObjSet end = need_after(&w, f->simple->f->body, inside);
    ObjSet out = entry_places(source, f->flow, &end);
    if (!set_join(&s->after, &out)) break;
  }
  s->running = false;
  return s;
}

static CVars forward_params(Split *s, const Sweep *w) {
  Derived *f = s->f;
  CVars params = {0};
  directions_param_first(f, &params);
  for (int i = 0; i < f->source->params.len; i++) {
    CVar *v = f->source->params.at[i];
    list_push(f->d->arena, &params, v);
    if (v->type->tag == CTYPE_POINTER && derived_param_active(f, i))
      list_push(f->d->arena, &params, shadow_var(f, v));
  }
  if (f->result_active && f->simple->result->type->tag == CTYPE_POINTER) {
    CVar *v = shadow_var(f, f->simple->result);
    CVar *to = cvar_fresh(f->simple, "shadow", ctype_pointer(f->d->arena, v->type));
    list_push(f->d->arena, &params, to);
  }
  list_push(f->d->arena, &params, w->tape);
  return params;
}

static void forward_result(Derived *f, const CVars *params, Stmts *forward) {
  CDiff *d = f->d;
  CVar *result = f->simple->result;
  if (!result) return;
  if (f->result_active && result->type->tag == CTYPE_POINTER) {
    CVar *to = params->at[params->len - 2];
    stmts_assign(d, forward, cbuild_unary(d->arena, COP_DEREF, var_of(d, to)),
                 var_of(d, shadow_var(f, result)));
  }
  CStmt *r = NEW(d->arena, CStmt);
  *r = (CStmt){.tag = CS_RETURN, .x = var_of(d, result)};
  stmts_add(d, forward, r);
}

void split_make(Split *s) {
  Derived *f = s->f;
  CDiff *d = f->d;
  Sweep w = sweep_new(f, true);
  CFlow *source = cflow_of(d->p, f->source);
  ObjSet need = entry_places(f->flow, source, &s->need);
  w.notes->split = s;
  w.notes->need = need;
  list_push(d->arena, &d->notes, w.notes);
  const CStmt *body = f->simple->f->body;
  Code c = sweep_code(&w, body, need), kept = {0};
  ObjSet end = need_after(&w, body, need);
  w.doing = NULL;
  keep_locals(&w, &end, &kept);
  CVars params = forward_params(s, &w);
  Stmts forward = {0}, backward = {0};
  stmts_add_all(d, &forward, &c.forward);
  stmts_add_all(d, &forward, &kept.forward);
  stmts_add_all(d, &backward, &kept.reverse);
  stmts_add_all(d, &backward, &c.reverse);
  accumulators_add(f, &backward);
  locals_shared(&w, &forward, &backward);
  forward_result(f, &params, &forward);
  s->forward = function_new(f, s->forward_name, f->source->type->base, &params);
  s->forward->is_static = true;
  adjoint_declare(f, &params, NULL, &forward);
  body_tidy(d, &forward);
  parameters_use(d, s->forward, &forward);
  s->forward->body = stmts_block(d, &forward);
  params = reverse_params(f);
  list_push(d->arena, &params, w.tape);
  s->backward = function_new(f, s->backward_name, &ctype_void, &params);
  s->backward->is_static = true;
  backward = directions_fused(f, &backward);
  adjoint_declare(f, &params, NULL, &backward);
  body_tidy(d, &backward);
  parameters_use(d, s->backward, &backward);
  s->backward->body = stmts_block(d, &backward);
}
