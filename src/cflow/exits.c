// Functions without jumps.  Statements after one that may jump go into the branch that does not,
// or, where both may or may not, under a flag:
//   if (c) { A; return e; } R      =  if (c) { A; f = e; } else { R }
//   while (c) { .. break; .. }     =  left = 0; while (!left && c) { .. left = 1; .. }
//   switch                         =  a chain of branches; with a flag where cases fall through
// Declarations move to the top, each name once; initialisers become assignments.
#include "local.h"

typedef struct Around {
  struct Around *outer;
  bool is_switch;
  CVar *left;          // set by break; NULL: not needed so far
  CVar *next;          // set by continue, where it is needed
  bool left_needed, next_needed;
} Around;
typedef struct {
  CSimple *s;
  Arena *arena;
  CVars vars;          // declared so far
  Map *seen;           // their names
  CVar *done;          // set by return, where it is needed
  bool done_needed;
} Exits;
enum { JUMP_BREAK = 1, JUMP_CONTINUE = 2, JUMP_RETURN = 4 };

static Stmts lower(Exits *x, Around *a, const CStmt *const *at, int n);

// Of those to a label; the label where there is none.
typedef struct {
  const CStmt *label, *jump;
} Jump;

static bool jump_found(const CStmt *s, void *state) {
  Jump *j = state;
  if (!j->jump && s->tag == CS_GOTO && s->label == j->label->label) j->jump = s;
  return true;
}

static const CStmt *first_jump(const CStmt *body, const CStmt *label) {
  Jump j = {label, NULL};
  cstmt_visit(body, jump_found, NULL, &j);
  return j.jump ? j.jump : label;
}

// ---- questions ----------------------------------------------------------------------------------
static int jumps_in(const CStmt *s, bool loop, bool sw) {
  int all = 0;
  if (!s) return 0;
  if (s->tag == CS_BREAK) return loop || sw ? 0 : JUMP_BREAK;
  if (s->tag == CS_CONTINUE) return loop ? 0 : JUMP_CONTINUE;
  if (s->tag == CS_RETURN) return JUMP_RETURN;
  bool is_loop = s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO;
  loop |= is_loop;
  sw = !is_loop && (sw || s->tag == CS_SWITCH);
  all |= jumps_in(s->body, loop, sw) | jumps_in(s->other, loop, sw);
  for (int i = 0; i < s->stmts.len; i++) all |= jumps_in(s->stmts.at[i], loop, sw);
  return all;
}

static bool always_jumps(const CStmt *s) {
  if (!s) return false;
  if (s->tag == CS_BREAK || s->tag == CS_CONTINUE || s->tag == CS_RETURN) return true;
  if (s->tag == CS_IF) return s->other && always_jumps(s->body) && always_jumps(s->other);
  for (int i = 0; s->tag == CS_BLOCK && i < s->stmts.len; i++)
    if (always_jumps(s->stmts.at[i])) return true;
  return false;
}

// ---- making -------------------------------------------------------------------------------------
static void add(Exits *x, Stmts *to, const CStmt *s) { list_push(x->arena, to, s); }

static void add_assign(Exits *x, Stmts *to, const CExpr *v, const CExpr *e) {
  add(x, to, cstmt_assign(x->arena, v, e));
}

static const CStmt *block_of(Exits *x, const Stmts *list) {
  return cstmt_block(x->arena, list->at, list->len);
}

static void add_all(Exits *x, Stmts *to, const Stmts *from) {
  for (int i = 0; i < from->len; i++) add(x, to, from->at[i]);
}

static CVar *flag(Exits *x, CVar **at, const char *name) {
  if (*at) return *at;
  *at = cvar_fresh(x->s, name, &ctype_int);
  list_push(x->arena, &x->vars, *at);
  return *at;
}

static void set_flag(Exits *x, Stmts *to, const CVar *v, int value) {
  add_assign(x, to, cbuild_var(x->arena, v), cbuild_int(x->arena, value));
}

static const CStmt *branch(Exits *x, const CExpr *c, const Stmts *yes, const Stmts *no) {
  CStmt *s = NEW(x->arena, CStmt);
  bool swap = yes->len == 0 && no && no->len;
  s->tag = CS_IF;
  s->at = c->at;
  s->x = swap ? cbuild_unary(x->arena, COP_NOT, c) : c;
  s->body = block_of(x, swap ? no : yes);
  if (!swap && no && no->len) s->other = block_of(x, no);
  return s;
}

static const CExpr *both(Exits *x, const CExpr *a, const CExpr *b) {
  return !a ? b : !b ? a : cbuild_binary(x->arena, COP_ANDAND, a, b);
}

static const CExpr *unset(Exits *x, const CVar *v) {
  return v ? cbuild_unary(x->arena, COP_NOT, cbuild_var(x->arena, v)) : NULL;
}

// ---- declarations -------------------------------------------------------------------------------
static void init_assign(Exits *x, const CExpr *place, const CExpr *init, Stmts *to);

// The type of a variable that is assigned what initialised it, elements of arrays too.
static const CType *assignable(Exits *x, const CType *t) {
  if (t->tag != CTYPE_ARRAY)
    return ctype_qualified(x->arena, t, t->quals & ~(unsigned)CQ_CONST);
  CType *own = arena_copy(x->arena, t, sizeof *t);
  own->quals &= ~(unsigned)CQ_CONST;
  own->base = assignable(x, t->base);
  return own;
}

static void zero_assign(Exits *x, const CExpr *place, Stmts *to) {
  const CType *t = place->type;
  if (t->tag == CTYPE_ARRAY) {
    for (int64_t i = 0; i < t->count; i++)
      zero_assign(x, cbuild_index(x->arena, place, cbuild_int(x->arena, i)), to);
  } else if (t->tag == CTYPE_STRUCT) {
    for (int i = 0; i < t->record->fields.len; i++)
      zero_assign(x, cbuild_field(x->arena, place, false, &t->record->fields.at[i]), to);
  } else {
    add_assign(x, to, place, cbuild_convert(x->arena, cbuild_int(x->arena, 0), t));
  }
}

static void list_assign(Exits *x, const CExpr *place, const CExpr *list, Stmts *to) {
  const CType *t = place->type;
  int64_t n = t->tag == CTYPE_ARRAY ? t->count : t->record->fields.len;
  if (n > 1000)
    cflow_gap(x->s->program->diag, list->at,
              "[c-unsupported] A large table that is initialised inside a loop.");
  for (int64_t i = 0; i < n; i++) {
    const CExpr *at = t->tag == CTYPE_ARRAY
                          ? cbuild_index(x->arena, place, cbuild_int(x->arena, i))
                          : cbuild_field(x->arena, place, false, &t->record->fields.at[i]);
    const CExpr *value = NULL;
    for (int k = 0; k < list->nelems; k++)
      if (list->elems[k].at <= i && i <= list->elems[k].to) value = list->elems[k].value;
    if (value) init_assign(x, at, value, to);
    else zero_assign(x, at, to);
  }
}

static void init_assign(Exits *x, const CExpr *place, const CExpr *init, Stmts *to) {
  if (place->type->quals & CQ_CONST)
    cflow_gap(x->s->program->diag, init->at, "[c-unsupported] A constant member is initialised.");
  if (init->tag == CE_LIST) list_assign(x, place, init, to);
  else if (init->tag == CE_STRING && place->type->tag == CTYPE_ARRAY)
    cflow_gap(x->s->program->diag, init->at, "[c-unsupported] A text is copied to an array.");
  else add_assign(x, to, place, init);
}

static bool constants_only(const CExpr *e) {
  double v;
  for (int i = 0; e->tag == CE_LIST && i < e->nelems; i++)
    if (!constants_only(e->elems[i].value)) return false;
  return e->tag == CE_LIST || e->tag == CE_STRING || cexpr_number(e, &v);
}

static void declare(Exits *x, Around *a, CVar *v, Stmts *to) {
  if (map_get(x->seen, KEY(v->name))) {
    v->name = cname_fresh(x->arena, x->s->program->names, x->s->names, v->name);
  }
  map_put(x->seen, KEY(v->name), x);
  bool table = v->init && v->type->tag == CTYPE_ARRAY && constants_only(v->init) && !a;
  bool keep = v->storage == CSTORE_STATIC || table;
  const CExpr *init = v->init;
  if (v->storage == CSTORE_REGISTER) v->storage = CSTORE_NONE;
  list_push(x->arena, &x->vars, v);
  if (x->s->keep_declarations) add(x, to, cstmt_decl(x->arena, v));
  if (keep) return;
  v->init = NULL;
  v->type = assignable(x, v->type);
  if (init) init_assign(x, cbuild_var(x->arena, v), init, to);
}

// ---- statements ---------------------------------------------------------------------------------
static void with_comments(const CStmt *from, Stmts *list, int first) {
  if (list->len <= first) return;
  CStmt *s = (CStmt *)(uintptr_t)list->at[first];
  if (s->before.len == 0) s->before = from->before;
  s = (CStmt *)(uintptr_t)list->at[list->len - 1];
  if (!s->after) s->after = from->after;
}

static Around *loop_around(Around *a) {
  while (a && a->is_switch) a = a->outer;
  return a;
}

static void jump(Exits *x, Around *a, const CStmt *s, Stmts *out) {
  if (s->tag == CS_RETURN) {
    if (s->x) {
      CStmt *st = arena_copy(x->arena, s, sizeof *s);
      st->tag = CS_EXPR;
      st->x = cbuild_assign(x->arena, COP_NONE, cbuild_var(x->arena, x->s->result), s->x);
      add(x, out, st);
    }
    if (x->done_needed) set_flag(x, out, flag(x, &x->done, "done"), 1);
  } else if (s->tag == CS_BREAK) {
    if (!a->is_switch || a->left_needed) set_flag(x, out, flag(x, &a->left, "left"), 1);
  } else {
    Around *loop = loop_around(a);
    if (loop->next_needed) set_flag(x, out, flag(x, &loop->next, "next"), 1);
  }
}

// Jumps of these kinds must leave a mark.
static void need_flags(Exits *x, Around *a, int kinds) {
  if (kinds & JUMP_RETURN) x->done_needed = true;
  if (kinds & JUMP_BREAK) a->left_needed = true;
  if (kinds & JUMP_CONTINUE) loop_around(a)->next_needed = true;
}

static const CExpr *no_flag(Exits *x, Around *a, int kinds) {
  const CExpr *c = NULL;
  if (kinds & JUMP_RETURN) c = both(x, c, unset(x, x->done));
  if (kinds & JUMP_BREAK) c = both(x, c, unset(x, a->left));
  if (kinds & JUMP_CONTINUE) c = both(x, c, unset(x, loop_around(a)->next));
  return c;
}

static Stmts lower_one(Exits *x, Around *a, const CStmt *s) { return lower(x, a, &s, s ? 1 : 0); }

// The statement after which the rest runs only if no flag is set.
static void rest_under_flags(Exits *x, Around *a, int kinds, const Stmts *more, Stmts *out) {
  if (more->len == 0) return;
  Stmts rest = lower(x, a, more->at, more->len);
  const CExpr *c = no_flag(x, a, kinds);
  if (!c || rest.len == 0) add_all(x, out, &rest);
  else add(x, out, branch(x, c, &rest, NULL));
}

static Stmts joined(Exits *x, const CStmt *first, const CStmt *const *at, int n) {
  Stmts all = {0};
  if (first) add(x, &all, first);
  for (int i = 0; i < n; i++) add(x, &all, at[i]);
  return all;
}

// Whether the rest has been taken into the branch.
static bool if_statement(Exits *x, Around *a, const CStmt *const *at, int n, Stmts *out) {
  const CStmt *s = at[0];
  int kinds = jumps_in(s, false, false);
  bool yes = always_jumps(s->body), no = always_jumps(s->other);
  Stmts body, other = {0};
  if (kinds && (yes || no)) {
    Stmts more = joined(x, yes ? s->other : s->body, at + 1, yes && no ? 0 : n - 1);
    body = yes ? lower_one(x, a, s->body) : lower(x, a, more.at, more.len);
    other = yes ? lower(x, a, more.at, more.len) : lower_one(x, a, s->other);
    add(x, out, branch(x, s->x, &body, &other));
    return true;
  }
  if (kinds) need_flags(x, a, n > 1 ? kinds : 0);
  body = lower_one(x, a, s->body);
  if (s->other) other = lower_one(x, a, s->other);
  add(x, out, branch(x, s->x, &body, &other));
  if (!kinds) return false;
  Stmts more = joined(x, NULL, at + 1, n - 1);
  rest_under_flags(x, a, kinds, &more, out);
  return true;
}

static void for_init(Exits *x, Around *a, const CStmt *s, Stmts *out) {
  if (!s->init) return;
  if (s->init->tag == CS_DECL)
    for (int i = 0; i < s->init->vars.len; i++) declare(x, a, s->init->vars.at[i], out);
  else add(x, out, s->init);
}

static void add_effects(Exits *x, Stmts *to, const CExpr *e) {
  if (e && e->tag == CE_COMMA) {
    add_effects(x, to, e->x);
    add_effects(x, to, e->y);
  } else if (e) add(x, to, cstmt_expr(x->arena, e));
}

// for without break: stays; its first assignment becomes its init again.
static const CStmt *for_kept(Exits *x, const CStmt *s, Stmts *out, const Stmts *body) {
  CStmt *r = arena_copy(x->arena, s, sizeof *s);
  r->init = NULL;
  const CStmt *last = out->len ? out->at[out->len - 1] : NULL;
  if (last && last->tag == CS_EXPR && s->init) {
    r->init = last;
    out->len--;
  }
  r->body = block_of(x, body);
  return r;
}

static bool true_constant(const CExpr *e) {
  int64_t v;
  return e && cexpr_integer(e, &v) && v;
}

static void loop(Exits *x, Around *outer, const CStmt *s, Stmts *out) {
  Around a = {.outer = outer};
  int kinds = jumps_in(s->body, false, false);
  if (kinds & JUMP_RETURN) x->done_needed = true;
  int from = out->len;
  if (s->tag == CS_FOR) for_init(x, outer, s, out);
  Stmts body = lower_one(x, &a, s->body);
  if (a.next) {
    Stmts with = {0};
    set_flag(x, &with, a.next, 0);
    add_all(x, &with, &body);
    body = with;
  }
  const CExpr *go = both(x, unset(x, a.left), kinds & JUMP_RETURN ? unset(x, x->done) : NULL);
  CStmt *r = arena_copy(x->arena, s, sizeof *s);
  r->before = (CTexts){0};
  r->after = NULL;
  if (!go && s->tag == CS_FOR && s->x) {
    r = (CStmt *)(uintptr_t)for_kept(x, s, out, &body);
    r->before = (CTexts){0};
  } else {
    if (a.left) set_flag(x, out, a.left, 0);
    Stmts step = {0};
    add_effects(x, &step, s->step);
    if (s->tag == CS_FOR && step.len && go) add(x, &body, branch(x, go, &step, NULL));
    else add_all(x, &body, &step);
    r->tag = s->tag == CS_DO ? CS_DO : CS_WHILE;
    r->init = NULL;
    r->step = NULL;
    r->x = both(x, go, go && (!s->x || true_constant(s->x)) ? NULL : s->x);
    if (!r->x)
      cflow_gap(x->s->program->diag, s->at, "[c-unsupported] A loop without an end.");
    r->body = block_of(x, &body);
  }
  add(x, out, r);
  with_comments(s, out, from);
}

// ---- switch -------------------------------------------------------------------------------------
typedef struct {
  const CExpr *test;   // k == 1 || k == 2; NULL with default alone
  bool is_default;
  Stmts body;
} Group;
typedef LIST(Group) Groups;

static void group_label(Exits *x, Groups *groups, const CStmt **s, const CExpr *k, bool fresh) {
  if (fresh) list_push(x->arena, groups, (Group){0});
  Group *g = &groups->at[groups->len - 1];
  if ((*s)->tag == CS_DEFAULT) g->is_default = true;
  else {
    const CExpr *t = cbuild_binary(x->arena, COP_EQ, k, (*s)->x);
    g->test = g->test ? cbuild_binary(x->arena, COP_OROR, g->test, t) : t;
  }
  *s = (*s)->body;
}

static bool is_label(const CStmt *s) { return s->tag == CS_CASE || s->tag == CS_DEFAULT; }

static Groups groups_of(Exits *x, const CStmt *body, const CExpr *k) {
  Groups groups = {0};
  for (int i = 0; i < body->stmts.len; i++) {
    const CStmt *s = body->stmts.at[i];
    for (bool fresh = true; is_label(s); fresh = false) group_label(x, &groups, &s, k, fresh);
    if (groups.len) add(x, &groups.at[groups.len - 1].body, s);
  }
  return groups;
}

static bool falls(const Groups *groups) {
  for (int i = 0; i + 1 < groups->len; i++) {
    CStmt b = {.tag = CS_BLOCK};
    b.stmts.at = groups->at[i].body.at;
    b.stmts.len = groups->at[i].body.len;
    if (!always_jumps(&b)) return true;
  }
  return false;
}

static const CExpr *default_test(Exits *x, const Groups *groups) {
  const CExpr *any = NULL;
  for (int i = 0; i < groups->len; i++) {
    const CExpr *t = groups->at[i].test;
    if (t) any = any ? cbuild_binary(x->arena, COP_OROR, any, t) : t;
  }
  return any ? cbuild_unary(x->arena, COP_NOT, any) : cbuild_int(x->arena, 1);
}

static const CStmt *chain(Exits *x, Around *a, const Groups *groups) {
  const CStmt *result = NULL;
  for (int i = 0; i < groups->len; i++)
    if (groups->at[i].is_default) {
      Stmts body = lower(x, a, groups->at[i].body.at, groups->at[i].body.len);
      result = block_of(x, &body);
    }
  for (int i = groups->len - 1; i >= 0; i--) {
    const Group *g = &groups->at[i];
    if (g->is_default) continue;
    Stmts body = lower(x, a, g->body.at, g->body.len);
    CStmt *s = NEW(x->arena, CStmt);
    *s = (CStmt){.tag = CS_IF, .x = g->test, .body = block_of(x, &body), .other = result};
    result = s;
  }
  return result;
}

// kinds: jumps out of the switch; no later case is entered after one.
static void falling(Exits *x, Around *a, int kinds, const Groups *groups, Stmts *out) {
  CVar *fall = NULL;
  flag(x, &fall, "fall");
  a->left_needed = true;
  set_flag(x, out, fall, 0);
  set_flag(x, out, flag(x, &a->left, "left"), 0);
  for (int i = 0; i < groups->len; i++) {
    const Group *g = &groups->at[i];
    Stmts body = {0}, inner = lower(x, a, g->body.at, g->body.len);
    set_flag(x, &body, fall, 1);
    add_all(x, &body, &inner);
    const CExpr *t = g->is_default ? default_test(x, groups) : g->test;
    if (g->is_default && g->test) t = cbuild_binary(x->arena, COP_OROR, t, g->test);
    const CExpr *go = cbuild_binary(x->arena, COP_OROR, cbuild_var(x->arena, fall), t);
    const CExpr *inside = both(x, unset(x, a->left), no_flag(x, a->outer, kinds));
    add(x, out, branch(x, both(x, inside, go), &body, NULL));
  }
}

static void switch_statement(Exits *x, Around *outer, const CStmt *s, Stmts *out) {
  Around a = {.outer = outer, .is_switch = true};
  if (s->body->tag != CS_BLOCK)
    cflow_gap(x->s->program->diag, s->at, "[c-switch] A switch without braces.");
  int from = out->len;
  int kinds = jumps_in(s->body, false, true);
  CVar *k = cvar_fresh(x->s, "k", ctype_plain(x->arena, s->x->type));
  list_push(x->arena, &x->vars, k);
  add_assign(x, out, cbuild_var(x->arena, k), s->x);
  Groups groups = groups_of(x, s->body, cbuild_var(x->arena, k));
  bool fall = falls(&groups);
  if (fall) falling(x, &a, kinds, &groups, out);
  else {
    const CStmt *all = chain(x, &a, &groups);
    if (a.left) {
      Stmts reset = {0};
      set_flag(x, &reset, a.left, 0);
      add_all(x, out, &reset);
    }
    if (all) add(x, out, all);
  }
  with_comments(s, out, from);
}

// ---- lists --------------------------------------------------------------------------------------
static Stmts lower(Exits *x, Around *a, const CStmt *const *at, int n) {
  Stmts out = {0};
  for (int i = 0; i < n; i++) {
    const CStmt *s = at[i];
    int from = out.len, kinds;
    Stmts more;
    switch (s->tag) {
      case CS_RETURN: case CS_BREAK: case CS_CONTINUE:
        jump(x, a, s, &out);
        return out;
      case CS_BLOCK: {
        Stmts all = {0};
        for (int k = 0; k < s->stmts.len; k++) add(x, &all, s->stmts.at[k]);
        for (int k = i + 1; k < n; k++) add(x, &all, at[k]);
        Stmts rest = lower(x, a, all.at, all.len);
        add_all(x, &out, &rest);
        with_comments(s, &out, from);
        return out;
      }
      case CS_IF: {
        bool taken = if_statement(x, a, at + i, n - i, &out);
        with_comments(s, &out, from);
        if (taken) return out;
        break;
      }
      case CS_FOR: case CS_WHILE: case CS_DO: case CS_SWITCH:
        kinds = jumps_in(s, false, false);
        need_flags(x, a, kinds);
        if (s->tag == CS_SWITCH) switch_statement(x, a, s, &out);
        else loop(x, a, s, &out);
        if (!kinds) break;
        more = joined(x, NULL, at + i + 1, n - i - 1);
        rest_under_flags(x, a, kinds, &more, &out);
        return out;
      case CS_DECL:
        for (int k = 0; k < s->vars.len; k++) declare(x, a, s->vars.at[k], &out);
        with_comments(s, &out, from);
        break;
      case CS_GOTO: case CS_LABEL:
        if (s->tag == CS_LABEL) s = first_jump(x->s->f->body, s);
        cflow_gap(x->s->program->diag, s->at,
                  "[c-goto] `goto` into a block or a loop is not supported in adjoints: write "
                  "loops and branches.");
      case CS_EMPTY: case CS_EXPR: case CS_PRAGMA: add(x, &out, s); break;
      case CS_CASE: case CS_DEFAULT:
        cflow_gap(x->s->program->diag, s->at, "[c-switch] A label inside a block of the switch.");
    }
  }
  return out;
}

void exits_remove(CSimple *s) {
  Arena *arena = s->program->arena;
  Exits x = {.s = s, .arena = arena, .seen = map_new(arena)};
  for (int i = 0; i < s->f->params.len; i++) map_put(x.seen, KEY(s->f->params.at[i]->name), s);
  const CType *type = s->f->type->base;
  if (type->tag != CTYPE_VOID) {
    s->result = NEW(arena, CVar);
    *s->result = (CVar){.name = s->source->name, .type = ctype_plain(arena, type),
                        .owner = s->source, .number = -1};
  }
  s->f->body = jumps_back(s, s->f->body);
  s->f->body = jumps_forward(s, s->f->body);
  Stmts body = lower(&x, NULL, s->f->body->stmts.at, s->f->body->stmts.len);
  Stmts all = {0};
  if (x.done) set_flag(&x, &all, x.done, 0);
  add_all(&x, &all, &body);
  s->f->body = cstmt_block(arena, all.at, all.len);
  s->locals = x.vars;
}
