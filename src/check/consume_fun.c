// Functions: parameters, free variables, and what the result may alias.
#include "consume.h"

void frame_begin(Consumer *u, UseFrame *frame) {
  frame->outer = u->frame;
  frame->depth = ++u->depth;
  u->frame = frame;
}

// A variable free inside and not bound by the function around is free there too.
void frame_end(Consumer *u) {
  UseFrame *inner = u->frame;
  u->frame = inner->outer;
  u->depth--;
  for (int i = 0; i < inner->free.len; i++) {
    UseEntry *e = inner->free.at[i];
    if (!u->frame || u->frame->depth <= e->depth || e->seen == u->frame) continue;
    e->seen = u->frame;
    list_push(u->arena, &u->frame->free, e);
  }
}

static Alias *frame_captured(Consumer *u, const UseFrame *frame) {
  Alias *set = NULL;
  for (int i = 0; i < frame->free.len; i++) set = alias_union(u, set, frame->free.at[i]->all);
  return set;
}

// ---- results ---------------------------------------------------------------------------------
typedef struct {
  Consumer *u;
  SType *declared;  // NULL: uniqueness is inferred
  Tree *tree;
  SType *type;
  Span at;
  const char *name;  // of the function, or NULL
  bool constant;     // no parameters
  AliasList sets;
  bool *shared;
  FlagList unique;   // in: declared;  out: what holds
  FlagList proven;   // what holds, also where less is declared
} Result;

static const Owner *member_bound(const Consumer *u, const AliasList *members) {
  for (int i = 0; i < members->len; i++)
    if (!member_is_free(u, members->at[i])) return members->at[i]->owner;
  return NULL;
}

static const Owner *member_global(const AliasList *members) {
  for (int i = 0; i < members->len; i++) {
    const Owner *o = members->at[i]->owner;
    if (o->global) return o;
  }
  return NULL;
}

static void leaf_unique(Result *r, int i, const Owner *bound) {
  Diag *diag = r->u->c->diag;
  const char *of = r->name ? arena_printf(r->u->arena, " of \"%s\"", r->name) : "";
  if (bound)
    diag_error(diag, r->at, "[unique-result-aliased] Unique-typed return value%s is aliased to "
                            "\"%s\", which is not "
               "consumable.", of, bound->name ? bound->name : bound->what);
  else if (r->shared[i])
    diag_error(diag, r->at, "[unique-result-shared] A unique-typed component of the return "
                            "value%s is aliased to some "
               "other component.", of);
}

static void leaf_result(Result *r, int i, bool *reported) {
  AliasList members = {0};
  alias_members(r->u, r->sets.at[i], &members);
  const Owner *bound = member_bound(r->u, &members), *global = member_global(&members);
  if (global && !r->constant) {
    diag_error(r->u->c->diag, r->at, "[result-aliases-free] Function result aliases the free "
                                     "variable \"%s\".",
               global->name);
    *reported = true;
  } else if (r->declared && r->unique.at[i] && !*reported && (bound || r->shared[i])) {
    leaf_unique(r, i, bound);
    *reported = true;
  }
  bool holds = !bound && !global && !r->shared[i];
  list_push(r->u->arena, &r->proven, r->unique.at[i] || holds);
  if (!r->declared) r->unique.at[i] = !bound && !r->shared[i];
}

static void result_check(Result *r) {
  Consumer *u = r->u;
  Owner *lost = tree_tainted(r->tree);
  if (lost) report_use(u, lost, NULL, r->at);
  tree_leaves(u, r->type, tree_live(u, r->tree), &r->sets);
  type_uniques(u, r->declared ? r->declared : r->type, NULL, false, &r->unique);
  if (!leaves_agree(u, r->sets.len, r->unique.len)) {
    r->unique.len = 0;
    return;
  }
  r->shared = NEW_ARRAY(u->arena, bool, r->sets.len + 1);
  alias_shared(u, &r->sets, r->shared);
  bool reported = false;
  for (int i = 0; i < r->sets.len; i++) leaf_result(r, i, &reported);
}

// The function's type with the result's uniqueness that was found.
static SType *type_with_result(Checker *c, SType *type, int params, SType *to) {
  type = stype_find(type);
  if (!params || type->tag != TYPE_ARROW) return to;
  SType *t = stype_arrow(c, type->arrow.param, type->arrow.from,
                         type_with_result(c, type->arrow.to, params - 1, to));
  t->arrow.binding = type->arrow.binding;
  return t;
}

static SType *result_starred(Result *r) {
  int at = 0;
  return type_with_uniques(r->u->c, r->type, &r->unique, &at);
}

static bool result_found(const Result *r) {
  bool any = false;
  for (int i = 0; i < r->unique.len; i++) any |= r->unique.at[i];
  return any && !r->declared && !r->constant;
}

// ---- lambdas ---------------------------------------------------------------------------------
static Result body_check(Consumer *u, PatList *params, TypeExp *ret, Expr *body, const char *name) {
  Result r = {.u = u, .at = body->span, .name = name, .constant = params->len == 0,
              .type = body->type};
  Snapshot before = uses_snapshot(u);
  consume_params(u, params);
  if (ret) {
    consume_type(u, ret);
    if (ret->info) r.declared = ret->info->type;
  }
  r.tree = consume_exp(u, body);
  if (r.declared)
    function_expect(u, body->span, r.declared, r.tree,
                    "[result-type] Function body does not have expected type.");
  result_check(&r);
  uses_undo(u, before);
  return r;
}

Tree *consume_lambda(Consumer *u, Expr *exp) {
  UseFrame frame = {0};
  frame_begin(u, &frame);
  Result r = body_check(u, &exp->lambda.params, exp->lambda.ret, exp->lambda.body, NULL);
  frame_end(u);
  SType *type = exp->type;
  if (result_found(&r))
    type = type_with_result(u->c, type, exp->lambda.params.len, result_starred(&r));
  return tree_function(u, frame_captured(u, &frame), type, NULL);
}

// ---- definitions -----------------------------------------------------------------------------
// Where a definition says that a part of its result is unique, a module type may say so of other
// parts, too, if it holds.
static void proven_note(Result *r, const FunDef *fun) {
  bool some = false, more = false;
  for (int i = 0; i < r->proven.len; i++) {
    some |= r->unique.at[i];
    more |= r->proven.at[i] && !r->unique.at[i];
  }
  if (!some || !more || !r->declared || r->constant) return;
  int at = 0;
  SType *to = type_with_uniques(r->u->c, r->declared, &r->proven, &at);
  fun->info->binding->proven = type_with_result(r->u->c, fun->type, fun->params.len, to);
}

static void fun_body(Consumer *u, FunDef *fun) {
  Result r = body_check(u, &fun->params, fun->ret, fun->body, fun->name);
  proven_note(&r, fun);
  if (!result_found(&r)) return;
  SType *to = result_starred(&r);
  fun->type = type_with_result(u->c, fun->type, fun->params.len, to);
  fun->info->type = to;
}

// The function is an alias of its captures; its name is not consumable by itself.
void consume_letfun(Consumer *u, FunDef *fun) {
  UseFrame frame = {0};
  frame_begin(u, &frame);
  fun_body(u, fun);
  frame_end(u);
  Binding *b = fun->info->binding;
  b->type = fun->type;
  Tree *t = tree_function(u, frame_captured(u, &frame), fun->type, NULL);
  entry_new(u, b, owner_new(u, fun->name, NULL), t);
}

void consume_def(Consumer *u, FunDef *fun, Binding *b) {
  UseFrame frame = {0};
  frame_begin(u, &frame);
  fun_body(u, fun);
  frame_end(u);
  b->type = fun->type;
}

void consume_check(Checker *c, FunDef *fun, Binding *b) {
  Arena *arena = arena_new();
  Consumer u = {.c = c, .arena = arena, .entries = map_new(arena), .globals = map_new(arena)};
  consume_def(&u, fun, b);
  arena_free(arena);
}
