// One effect in each statement: calls, assignments and steps inside expressions become statements
// before (a step `x++` whose old value is used: after), && || ?: with effects become branches.
#include "local.h"

typedef struct {
  CSimple *s;
  Arena *arena;
  Stmts *out;                  // where statements go
  Stmts after;                 // steps to be done once the statement is over
  bool in_condition;           // no place for them: old values are copied
  Span at;                     // of the statement that is simplified: new ones have it, too
} Simplify;

static const CExpr *value(Simplify *s, const CExpr *e);
static const CStmt *statement(Simplify *s, const CStmt *st);

static void emit(Simplify *s, const CStmt *st) {
  if (!st->at.src) ((CStmt *)(uintptr_t)st)->at = s->at;
  list_push(s->arena, s->out, st);
}

static void emit_expr(Simplify *s, const CExpr *e) {
  CStmt *st = arena_copy(s->arena, cstmt_expr(s->arena, e), sizeof *st);
  st->at = s->at;
  emit(s, st);
}

static CExpr *copied(Simplify *s, const CExpr *e) { return arena_copy(s->arena, e, sizeof *e); }

static const CExpr *temporary(Simplify *s, const char *base, const CExpr *e) {
  CVar *v = cvar_fresh(s->s, base, ctype_plain(s->arena, e->type));
  emit(s, cstmt_decl(s->arena, v));
  const CExpr *x = cbuild_var(s->arena, v);
  emit_expr(s, cbuild_assign(s->arena, COP_NONE, x, e));
  return x;
}

static bool library_pure(const CExpr *call) {
  const CLibc *row = call->x->tag == CE_FUNCTION ? call->x->function->libc : NULL;
  return row && (row->kind == LIBC_MATH || row->kind == LIBC_PURE);
}

static const CExpr *call_args(Simplify *s, const CExpr *e) {
  CExpr *r = copied(s, e);
  const CExpr **args = NEW_ARRAY(s->arena, const CExpr *, e->nargs + 1);
  for (int i = 0; i < e->nargs; i++) args[i] = value(s, e->args[i]);
  r->args = args;
  if (e->x->tag != CE_FUNCTION) r->x = value(s, e->x);
  return r;
}

// Emits the statements of its parts; the value, or NULL.
static const CExpr *parts_value(Simplify *s, const CExpr *e) {
  const CExpr *call = call_args(s, e), *x = call->args[0];
  if (x->tag != CE_VAR || x->var->addressed || x->var->is_global) x = temporary(s, "t", x);
  CParts parts = call_parts(s->s->program, call, x);
  emit_expr(s, parts.first);
  if (parts.second) emit_expr(s, parts.second);
  return parts.value;
}

static const CExpr *step_effect(Simplify *s, const CExpr *e) {
  CExpr *r = copied(s, e);
  r->x = value(s, e->x);
  r->postfix = true;
  return r;
}

static const CExpr *assign_parts(Simplify *s, const CExpr *e) {
  CExpr *r = copied(s, e);
  r->x = value(s, e->x);
  const CExpr *bare = cexpr_stripped(e->y);
  bool direct = bare->tag == CE_CALL && !library_pure(bare) && !call_has_parts(bare) &&
                e->op == COP_NONE &&
                (bare == e->y || ctype_is_pointer(e->type));
  if (!direct) {
    r->y = value(s, e->y);
    return r;
  }
  const CExpr *call = call_args(s, bare);
  r->y = bare == e->y ? call : cbuild_convert(s->arena, call, e->y->type);
  bool user = call->x->tag != CE_FUNCTION || !call->x->function->libc;
  if (user && call_may_use(call, r->x)) r->y = temporary(s, "t", r->y);
  return r;
}

static void finish(Simplify *s, int from) {
  for (int i = from; i < s->after.len; i++) emit(s, s->after.at[i]);
  s->after.len = from;
}

static const CStmt *branch(Simplify *s, const CExpr *c, const Stmts *yes, const Stmts *no) {
  CStmt *st = NEW(s->arena, CStmt);
  st->tag = CS_IF;
  st->at = c->at;
  st->x = c;
  st->body = cstmt_block(s->arena, yes->at, yes->len);
  if (no && no->len) st->other = cstmt_block(s->arena, no->at, no->len);
  return st;
}

// e assigned to x (x NULL: for its effect) in a list of statements that stand in a branch.
static void effect(Simplify *s, const CExpr *e);
static Stmts in_branch(Simplify *s, const CExpr *x, const CExpr *e) {
  Stmts inner = {0};
  Stmts *outer = s->out;
  s->out = &inner;
  int from = s->after.len;
  if (!x) effect(s, e);
  else if (ctype_is_pointer(x->type)) effect(s, cbuild_assign(s->arena, COP_NONE, x, e));
  else emit_expr(s, cbuild_assign(s->arena, COP_NONE, x, value(s, e)));
  finish(s, from);
  s->out = outer;
  return inner;
}

static const CExpr *pointer_stripped(const CExpr *e) {
  while ((e->tag == CE_CONVERT || e->tag == CE_CAST) && e->type->tag == CTYPE_POINTER) e = e->x;
  return e;
}

static const CExpr *cond_converted(Simplify *s, const CExpr *e, const CType *type) {
  CExpr *r = copied(s, e);
  r->type = ctype_plain(s->arena, type);
  r->y = cbuild_convert(s->arena, e->y, r->type);
  r->z = cbuild_convert(s->arena, e->z, r->type);
  return r;
}

static const CExpr *chosen(Simplify *s, const CExpr *e) {
  bool logic = e->tag == CE_BINARY;
  CVar *v = cvar_fresh(s->s, "t", ctype_plain(s->arena, e->type));
  emit(s, cstmt_decl(s->arena, v));
  const CExpr *x = cbuild_var(s->arena, v);
  const CExpr *c = value(s, e->x);
  if (logic) {
    emit_expr(s, cbuild_assign(s->arena, COP_NONE, x, cbuild_truth(s->arena, c)));
    Stmts yes = in_branch(s, x, cbuild_truth(s->arena, e->y));
    c = e->op == COP_ANDAND ? x : cbuild_unary(s->arena, COP_NOT, x);
    emit(s, branch(s, c, &yes, NULL));
    return x;
  }
  Stmts yes = in_branch(s, x, e->y), no = in_branch(s, x, e->z);
  emit(s, branch(s, c, &yes, &no));
  return x;
}

static const CExpr *stepped(Simplify *s, const CExpr *e) {
  const CExpr *step = step_effect(s, e);
  if (!e->postfix) {
    emit_expr(s, step);
    return step->x;
  }
  if (s->in_condition) {
    const CExpr *old = temporary(s, "t", step->x);
    emit_expr(s, step);
    return old;
  }
  list_push(s->arena, &s->after, cstmt_expr(s->arena, step));
  return step->x;
}

static const CExpr *list_value(Simplify *s, const CExpr *e) {
  CExpr *r = copied(s, e);
  CInit *elems = NEW_ARRAY(s->arena, CInit, e->nelems + 1);
  for (int i = 0; i < e->nelems; i++) {
    elems[i] = e->elems[i];
    elems[i].value = value(s, e->elems[i].value);
  }
  r->elems = elems;
  return r;
}

// A pointer that is converted is made with the type that is wanted: memory of malloc has it.
static const CExpr *pointer_converted(Simplify *s, const CExpr *e) {
  const CExpr *of = pointer_stripped(e);
  if (of->type->tag != CTYPE_POINTER) return NULL;
  if (of->tag == CE_COND) return chosen(s, cond_converted(s, of, e->type));
  if (of->tag != CE_CALL || library_pure(of)) return NULL;
  const CType *type = ctype_plain(s->arena, e->type);
  return temporary(s, "t", cbuild_convert(s->arena, call_args(s, of), type));
}

static bool splits_in(const CExpr *e, void *state) {
  bool literal = e->tag == CE_COMPOUND && e->x->tag == CE_LIST;
  *(bool *)state |= literal || (e->tag == CE_COND && ctype_is_record(e->type));
  return true;
}

// No effects, and no struct but those of variables.
static bool is_plain(const CExpr *e) {
  bool splits = false;
  cexpr_visit(e, splits_in, &splits);
  return !splits && cexpr_is_pure(e);
}

// (T){ .. } is a variable.
static const CExpr *literal_value(Simplify *s, const CExpr *e) {
  CVar *v = cvar_fresh(s->s, "t", ctype_plain(s->arena, e->type));
  v->init = value(s, e->x);
  emit(s, cstmt_decl(s->arena, v));
  return cbuild_var(s->arena, v);
}

static const CExpr *value(Simplify *s, const CExpr *e) {
  if (is_plain(e)) return e;
  CExpr *r;
  bool converts = e->tag == CE_CONVERT || e->tag == CE_CAST;
  const CExpr *pointer = converts && ctype_is_pointer(e->type) ? pointer_converted(s, e) : NULL;
  if (pointer) return pointer;
  switch (e->tag) {
    case CE_ASSIGN: {
      const CExpr *a = assign_parts(s, e);
      emit_expr(s, a);
      return a->x;
    }
    case CE_STEP: return stepped(s, e);
    case CE_CALL: {
      if (call_has_parts(e)) return temporary(s, "t", parts_value(s, e));
      const CExpr *call = call_args(s, e);
      return library_pure(call) ? call : temporary(s, "t", call);
    }
    case CE_COMMA: effect(s, e->x); return value(s, e->y);
    case CE_COND: return chosen(s, e);
    case CE_BINARY:
      if ((e->op == COP_ANDAND || e->op == COP_OROR) && !cexpr_is_pure(e->y)) return chosen(s, e);
      break;
    case CE_LIST: return list_value(s, e);
    case CE_COMPOUND:
      if (e->x->tag == CE_LIST) return literal_value(s, e);
      break;
    case CE_INT: case CE_FLOAT: case CE_STRING: case CE_VAR: case CE_FUNCTION: case CE_UNARY:
    case CE_INDEX: case CE_MEMBER: case CE_CAST: case CE_CONVERT: case CE_SIZEOF:
      break;
  }
  r = copied(s, e);
  if (e->x) r->x = value(s, e->x);
  if (e->y) r->y = value(s, e->y);
  return r;
}

// p = c ? malloc (n) : 0: an assignment in each branch.
static bool pointer_chosen(Simplify *s, const CExpr *e) {
  if (e->op || e->type->tag != CTYPE_POINTER || !cexpr_is_pure(e->x)) return false;
  const CExpr *of = pointer_stripped(e->y);
  if (of->tag != CE_COND || cexpr_is_pure(of)) return false;
  const CExpr *choice = cond_converted(s, of, e->x->type), *c = value(s, choice->x);
  Stmts yes = in_branch(s, e->x, choice->y), no = in_branch(s, e->x, choice->z);
  emit(s, branch(s, c, &yes, &no));
  return true;
}

static void effect(Simplify *s, const CExpr *e) {
  e = cexpr_bare(e);
  if (e->tag == CE_ASSIGN) {
    if (!pointer_chosen(s, e)) emit_expr(s, assign_parts(s, e));
  } else if (e->tag == CE_STEP) emit_expr(s, step_effect(s, e));
  else if (e->tag == CE_CALL && call_has_parts(e)) parts_value(s, e);
  else if (e->tag == CE_CALL) emit_expr(s, call_args(s, e));
  else if (e->tag == CE_CAST) effect(s, e->x);
  else if (e->tag == CE_COMMA) {
    effect(s, e->x);
    effect(s, e->y);
  } else if (e->tag == CE_COND) {
    const CExpr *c = value(s, e->x);
    Stmts yes = in_branch(s, NULL, e->y), no = in_branch(s, NULL, e->z);
    emit(s, branch(s, c, &yes, &no));
  } else if (!cexpr_is_pure(e)) value(s, e);
}

// ---- statements ---------------------------------------------------------------------------------
static const CStmt *with_comments(Simplify *s, const CStmt *from, Stmts *list) {
  if (list->len == 1) {
    CStmt *one = arena_copy(s->arena, list->at[0], sizeof *one);
    one->before = from->before;
    one->after = from->after;
    if (!one->at.src) one->at = from->at;
    return one;
  }
  CStmt *b = arena_copy(s->arena, cstmt_block(s->arena, list->at, list->len), sizeof *b);
  b->before = from->before;
  b->after = from->after;
  b->at = from->at;
  b->flat = true;
  return b;
}

static const CExpr *condition_value(Simplify *s, const CExpr *e, Stmts *before) {
  Stmts *outer = s->out;
  bool was = s->in_condition;
  s->out = before;
  s->in_condition = true;
  const CExpr *c = value(s, e);
  s->in_condition = was;
  s->out = outer;
  return c;
}

static const CStmt *expression_statement(Simplify *s, const CStmt *st) {
  Stmts list = {0};
  s->out = &list;
  effect(s, st->x);
  finish(s, 0);
  s->out = NULL;
  return with_comments(s, st, &list);
}

static void declare(Simplify *s, const CStmt *st, CVar *v, Stmts *list) {
  CStmt *d = arena_copy(s->arena, cstmt_decl(s->arena, v), sizeof *d);
  d->record = list->len ? NULL : st->record;
  const CExpr *init = v->init;
  if (init && init->tag == CE_COMPOUND && init->x->tag == CE_LIST) init = v->init = init->x;
  bool impure = init && !is_plain(init);
  bool constant = v->storage == CSTORE_STATIC;
  if (!init || !impure || constant) {
    list_push(s->arena, list, d);
    return;
  }
  CVar *bare = v;
  if (init->tag == CE_LIST || init->tag == CE_STRING) {
    bare->init = value(s, init);
    list_push(s->arena, list, d);
    return;
  }
  bare->init = NULL;
  bare->type = ctype_qualified(s->arena, v->type, v->type->quals & ~(unsigned)CQ_CONST);
  list_push(s->arena, list, d);
  effect(s, cbuild_assign(s->arena, COP_NONE, cbuild_var(s->arena, bare), init));
  finish(s, 0);
}

static const CStmt *declaration(Simplify *s, const CStmt *st) {
  Stmts list = {0};
  bool plain = true;
  for (int i = 0; i < st->vars.len; i++)
    if (st->vars.at[i]->init && !is_plain(st->vars.at[i]->init)) plain = false;
  if (plain) return st;
  s->out = &list;
  for (int i = 0; i < st->vars.len; i++) declare(s, st, st->vars.at[i], &list);
  s->out = NULL;
  return with_comments(s, st, &list);
}

static const CStmt *if_statement(Simplify *s, const CStmt *st) {
  Stmts list = {0};
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  r->x = condition_value(s, st->x, &list);
  r->body = statement(s, st->body);
  if (st->other) r->other = statement(s, st->other);
  list_push(s->arena, &list, r);
  if (list.len > 1) r->before = (CTexts){0};
  return list.len == 1 ? r : with_comments(s, st, &list);
}

static bool is_continue(const CStmt *st, void *state) {
  if (st->tag == CS_CONTINUE) *(bool *)state = true;
  return st->tag != CS_FOR && st->tag != CS_WHILE && st->tag != CS_DO;
}

static bool continues(const CStmt *body) {
  bool found = false;
  cstmt_visit(body, is_continue, NULL, &found);
  return found;
}

static const CStmt *leave_unless(Simplify *s, const CExpr *c) {
  CStmt *b = NEW(s->arena, CStmt);
  b->tag = CS_BREAK;
  const CStmt *jump = b;
  CStmt *st = NEW(s->arena, CStmt);
  st->tag = CS_IF;
  st->x = cbuild_unary(s->arena, COP_NOT, c);
  st->body = cstmt_block(s->arena, &jump, 1);
  return st;
}

// while (c) S with effects in c: while (1) { ..; if (!c) break; S }.
static const CStmt *while_statement(Simplify *s, const CStmt *st) {
  Stmts list = {0};
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  const CExpr *c = condition_value(s, st->x, &list);
  const CStmt *body = statement(s, st->body);
  r->x = c;
  r->body = body;
  if (list.len == 0) return r;
  list_push(s->arena, &list, leave_unless(s, c));
  list_push(s->arena, &list, body);
  r->x = cbuild_int(s->arena, 1);
  r->body = cstmt_block(s->arena, list.at, list.len);
  return r;
}

static const CStmt *do_statement(Simplify *s, const CStmt *st) {
  Stmts list = {0};
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  r->body = statement(s, st->body);
  r->x = condition_value(s, st->x, &list);
  if (list.len == 0) return r;
  if (continues(st->body))
    cflow_gap(s->s->program->diag, st->x->at,
                     "[c-unsupported] `continue` where the condition of do-while has effects.");
  Stmts all = {0};
  list_push(s->arena, &all, r->body);
  for (int i = 0; i < list.len; i++) list_push(s->arena, &all, list.at[i]);
  list_push(s->arena, &all, leave_unless(s, r->x));
  r->tag = CS_WHILE;
  r->x = cbuild_int(s->arena, 1);
  r->body = cstmt_block(s->arena, all.at, all.len);
  return r;
}

// Assignments and steps of one variable each: the head of a for keeps them.
static bool head_simple(const CExpr *e) {
  if (!e) return true;
  if (e->tag == CE_COMMA) return head_simple(e->x) && head_simple(e->y);
  if (e->tag == CE_STEP) return cexpr_is_pure(e->x);
  return e->tag == CE_ASSIGN && cexpr_is_pure(e->x) && cexpr_is_pure(e->y);
}

static bool init_simple(const CStmt *init) {
  if (!init || init->tag == CS_EXPR) return !init || head_simple(init->x);
  for (int i = 0; i < init->vars.len; i++)
    if (init->vars.at[i]->init && !cexpr_is_pure(init->vars.at[i]->init)) return false;
  return true;
}

static void push_effects(Simplify *s, const CExpr *e, Stmts *list) {
  if (!e) return;
  Stmts *outer = s->out;
  s->out = list;
  int from = s->after.len;
  effect(s, e);
  finish(s, from);
  s->out = outer;
}

// for (i = e; i-- > 0; ) is for (i = e - 1; i >= 0; i--); i is signed, and no other step is there.
static const CStmt *for_countdown(Simplify *s, const CStmt *st) {
  const CExpr *test = st->x ? cexpr_bare(st->x) : NULL, *last;
  int64_t low = 0;
  bool compares = test && test->tag == CE_BINARY && (test->op == COP_GT || test->op == COP_NE);
  if (compares && !(cexpr_integer(test->y, &low) && low == 0)) return NULL;
  const CExpr *i = compares ? cexpr_bare(test->x) : test;
  if (!i || st->step || i->tag != CE_STEP || !i->postfix || i->op != COP_SUB) return NULL;
  if (i->x->tag != CE_VAR || !ctype_is_signed(i->x->type) || !st->init) return NULL;
  Arena *a = s->arena;
  CStmt *r = arena_copy(a, st, sizeof *r), *init = arena_copy(a, st->init, sizeof *init);
  if (init->tag == CS_DECL && init->vars.len == 1 && init->vars.at[0] == i->x->var) {
    last = init->vars.at[0]->init;
    if (!last) return NULL;
    init->vars.at[0]->init = cbuild_binary(a, COP_SUB, last, cbuild_int(a, 1));
  } else {
    const CExpr *e = init->tag == CS_EXPR ? init->x : NULL;
    if (!e || e->tag != CE_ASSIGN || e->op || e->x->tag != CE_VAR || e->x->var != i->x->var)
      return NULL;
    init->x = cbuild_assign(a, COP_NONE, e->x, cbuild_binary(a, COP_SUB, e->y, cbuild_int(a, 1)));
  }
  r->init = init;
  r->step = i;
  r->x = cbuild_binary(a, COP_GE, i->x, cbuild_int(a, 0));
  return r;
}

static const CStmt *for_statement(Simplify *s, const CStmt *st) {
  const CStmt *countdown = for_countdown(s, st);
  if (countdown) st = countdown;
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  if (init_simple(st->init) && head_simple(st->step) && (!st->x || cexpr_is_pure(st->x))) {
    r->body = statement(s, st->body);
    return r;
  }
  if (continues(st->body))
    cflow_gap(s->s->program->diag, st->at,
                     "[c-unsupported] `continue` in a loop whose head has effects inside.");
  Stmts list = {0}, body = {0};
  if (st->init) list_push(s->arena, &list, statement(s, st->init));
  if (st->x) {
    const CExpr *c = condition_value(s, st->x, &body);
    list_push(s->arena, &body, leave_unless(s, c));
  }
  list_push(s->arena, &body, statement(s, st->body));
  push_effects(s, st->step, &body);
  r->tag = CS_WHILE;
  r->init = NULL;
  r->step = NULL;
  r->x = cbuild_int(s->arena, 1);
  r->body = cstmt_block(s->arena, body.at, body.len);
  r->before = (CTexts){0};
  list_push(s->arena, &list, r);
  CStmt *b = arena_copy(s->arena, cstmt_block(s->arena, list.at, list.len), sizeof *b);
  b->before = st->before;
  b->at = st->at;
  return b;
}

static const CStmt *valued(Simplify *s, const CStmt *st) {  // return, switch
  Stmts list = {0};
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  if (st->x) r->x = condition_value(s, st->x, &list);
  if (st->body) r->body = statement(s, st->body);
  list_push(s->arena, &list, r);
  if (list.len > 1) r->before = (CTexts){0};
  return list.len == 1 ? r : with_comments(s, st, &list);
}

static const CStmt *block(Simplify *s, const CStmt *st) {
  CStmt *r = arena_copy(s->arena, st, sizeof *r);
  Stmts list = {0};
  for (int i = 0; i < st->stmts.len; i++) {
    const CStmt *one = statement(s, st->stmts.at[i]);
    bool open = one->tag == CS_BLOCK && one->flat && !one->before.len;
    for (int k = 0; open && k < one->stmts.len; k++)
      list_push(s->arena, &list, one->stmts.at[k]);
    if (!open) list_push(s->arena, &list, one);
  }
  r->stmts.at = list.at;
  r->stmts.len = list.len;
  return r;
}

static const CStmt *simplified(Simplify *s, const CStmt *st) {
  CStmt *r;
  switch (st->tag) {
    case CS_EXPR: return expression_statement(s, st);
    case CS_DECL: return declaration(s, st);
    case CS_BLOCK: return block(s, st);
    case CS_IF: return if_statement(s, st);
    case CS_FOR: return for_statement(s, st);
    case CS_WHILE: return while_statement(s, st);
    case CS_DO: return do_statement(s, st);
    case CS_SWITCH: case CS_RETURN: return valued(s, st);
    case CS_CASE: case CS_DEFAULT: case CS_LABEL:
      r = arena_copy(s->arena, st, sizeof *r);
      r->body = statement(s, st->body);
      return r;
    case CS_EMPTY: case CS_GOTO: case CS_BREAK: case CS_CONTINUE: case CS_PRAGMA: return st;
  }
  return st;
}

static const CStmt *statement(Simplify *s, const CStmt *st) {
  Span outer = s->at;
  s->at = st->at;
  const CStmt *r = simplified(s, st);
  s->at = outer;
  return r;
}

static bool name_taken(const CStmt *st, void *taken) {
  for (int i = 0; i < st->vars.len; i++) map_put(taken, KEY(st->vars.at[i]->name), taken);
  return true;
}

Map *names_taken(CProgram *p, const CFunction *f) {
  Map *taken = map_new(p->arena);
  for (int i = 0; i < map_len(p->used); i++) map_put(taken, map_key_at(p->used, i), taken);
  for (int i = 0; i < f->params.len; i++) map_put(taken, KEY(f->params.at[i]->name), taken);
  cstmt_visit(f->body, name_taken, NULL, taken);
  return taken;
}

Name cname_fresh(Arena *arena, Names *names, Map *taken, const char *base) {
  Name name = name_of(names, base);
  for (int i = 0; map_get(taken, KEY(name)); i++)
    name = name_of(names, arena_printf(arena, "%s%d", base, i));
  map_put(taken, KEY(name), taken);
  return name;
}

CVar *var_named(CProgram *p, Map *taken, const CFunction *owner, const char *base, const CType *t) {
  CVar *v = NEW(p->arena, CVar);
  *v = (CVar){.name = cname_fresh(p->arena, p->names, taken, base), .type = t, .owner = owner,
              .number = -1};
  return v;
}
CVar *cvar_fresh(CSimple *s, const char *base, const CType *type) {
  return var_named(s->program, s->names, s->source, base, type);
}

CSimple *csimple_of(CProgram *p, const CFunction *f) {
  CSimple *s = NEW(p->arena, CSimple);
  *s = (CSimple){.program = p, .source = f, .names = names_taken(p, f)};
  Simplify state = {.s = s, .arena = p->arena};
  s->f = arena_copy(p->arena, f, sizeof *f);
  s->f->body = statement(&state, locals_copied(s, f->body));
  return s;
}
