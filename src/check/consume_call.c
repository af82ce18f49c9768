// Variables and application.
//
// A function's result may be any observed argument, anything the function captured, or something
// new that several parts of the result share; parts that are unique are none of these.
#include "consume.h"

// ---- variables -------------------------------------------------------------------------------
// Loops and functions around the use, but inside the variable's scope, know it as free.
static void entry_capture(Consumer *u, UseEntry *e) {
  if (!u->frame || u->frame->depth <= e->depth || e->seen == u->frame) return;
  e->seen = u->frame;
  list_push(u->arena, &u->frame->free, e);
}

static Tree *entry_observe(Consumer *u, UseEntry *e, Span at) {
  if (e->all && e->all->tainted) {
    report_use(u, e->all->tainted, e->owner->name, at);
    return tree_live(u, e->tree);
  }
  entry_capture(u, e);
  return e->tree;
}

// A global array is its own alias and never consumable.  Instances of size-polymorphic ones are
// made at the use.  Globals of abstract type, like a neutral element in a parametric module, may be
// numbers: nothing aliases them, and elaboration copies them where they are consumed.
static Alias *global_alias(Consumer *u, Binding *b) {
  if (b->sparams.len || (b->tag != BIND_TOP && b->tag != BIND_SPEC)) return NULL;
  if (!stype_has_array(b->type)) return NULL;
  Alias *a = map_get(u->globals, KEY(b));
  if (a) return a;
  Owner *o = owner_new(u, b->name, NULL);
  o->global = true;
  o->depth = 0;
  a = owner_member(u, o, false);
  map_put(u->globals, KEY(b), a);
  return a;
}

static Tree *var_root(Consumer *u, const VarRef *ref) {
  const Inst *inst = ref->inst;
  Binding *b = inst ? inst->binding : NULL;
  if (!b || b->tag == BIND_SIZE || b->tag == BIND_MODULE) return NULL;
  UseEntry *e = map_get(u->entries, KEY(b));
  if (e) {
    Tree *t = entry_observe(u, e, ref->name.span);
    // Each use of a polymorphic local function is a separate instance.
    return t && t->leaf && t->fn && b->tparams.len ? tree_function(u, t->set, t->fn, inst) : t;
  }
  if (b->tag == BIND_LOCAL || b->tag == BIND_PARAM || !b->type) return NULL;
  SType *t = stype_find(b->type);
  if (t->tag == TYPE_ARROW) return tree_function(u, NULL, t, inst);
  return tree_spread(u, b->type, inst, global_alias(u, b), NULL);
}

Tree *consume_var(Consumer *u, const VarRef *ref) {
  Tree *t = var_root(u, ref);
  const Inst *inst = ref->inst;
  if (!inst || !inst->fields || !inst->type) return t;
  SType *type = inst->type;
  for (int i = ref->name.parts.len - inst->fields; i < ref->name.parts.len && t; i++) {
    t = tree_field(t, type, ref->name.parts.at[i]);
    type = stype_field(stype_find(type), ref->name.parts.at[i]);
    if (!type) return NULL;
  }
  return t;
}

// ---- calls -----------------------------------------------------------------------------------
typedef struct {
  Expr *exp;
  Tree *tree;
  SType *from;        // parameter's type, or NULL
  const Inst *inst;   // of that type
  bool consumes;
  bool known;         // walked already
} UseArg;

typedef struct {
  Consumer *u;
  Tree *fn;
  const char *name;   // of the function, or NULL
  Span at;
  UseArg *args;
  int len;
  SType *to;          // result
  const Inst *to_inst;
  Alias *before;      // aliases of the arguments evaluated so far
  bool overlap;       // that an argument is lost has been reported
} UseCall;

// The arrow type of an instance's type; NULL: not a function.
static SType *arrow_of(SType *type, const Inst **inst) {
  type = stype_find(type);
  while (type->tag == TYPE_NAMED) {
    SType *arg = inst_arg(*inst, type->named.def);
    if (!arg) return NULL;
    *inst = NULL;
    type = stype_find(arg);
  }
  return type->tag == TYPE_ARROW ? type : NULL;
}

static void call_types(UseCall *call, SType *fallback) {
  SType *t = call->fn && call->fn->fn ? call->fn->fn : fallback;
  const Inst *inst = call->fn && call->fn->fn ? call->fn->inst : NULL;
  for (int i = 0; i < call->len; i++) {
    SType *arrow = t ? arrow_of(t, &inst) : NULL;
    if (!arrow) {
      call->to = NULL;
      return;
    }
    UseArg *arg = &call->args[i];
    arg->from = stype_find(arrow->arrow.from);
    arg->inst = inst;
    arg->consumes = arg->from->starred;
    t = arrow->arrow.to;
  }
  call->to = t;
  call->to_inst = inst;
}

void report_self_alias(Consumer *u, Span at) {
  diag_error(u->c->diag, at, "[self-aliased] Argument passed for consuming parameter is "
                             "self-aliased.");
}

// Parts that the function consumes may not alias other parts of the argument.
static void arg_distinct(Consumer *u, const UseArg *arg) {
  AliasList sets = {0};
  FlagList unique = {0};
  tree_leaves(u, arg->exp->type, arg->tree, &sets);
  type_uniques(u, arg->from, arg->inst, false, &unique);
  if (sets.len < 2 || sets.len != unique.len) return;
  bool *shared = NEW_ARRAY(u->arena, bool, sets.len);
  alias_shared(u, &sets, shared);
  for (int i = 0; i < sets.len; i++)
    if (shared[i] && unique.at[i]) {
      report_self_alias(u, arg->exp->span);
      return;
    }
}

static const char *exp_short(Consumer *u, const Expr *exp) { return exp_text(u->c, exp); }

static void arg_consume(UseCall *call, const UseArg *arg) {
  Consumer *u = call->u;
  Alias *all = tree_all(u, arg->tree);
  arg_distinct(u, arg);
  if (alias_overlap(u, all, call->before)) {
    diag_error(u->c->diag, arg->exp->span,
               "[argument-aliased] Argument is consumed, but aliases another argument of the same "
               "application.");
    call->overlap = true;
  }
  alias_consume(u, all, arg->exp->span);
}

// ---- functions as arguments ------------------------------------------------------------------
// May a function stand where another type is expected?  It may not consume more, nor promise
// less.  The types are the same but for `*`.
static const char *function_misfit(Consumer *u, SType *want, const Inst *want_inst, SType *have,
                                   const Inst *have_inst) {
  SType *w = arrow_of(want, &want_inst), *h = arrow_of(have, &have_inst);
  while (w && h) {
    if (h->arrow.from->starred && !w->arrow.from->starred)
      return "are incompatible regarding consuming their arguments (#unify-consuming-param)";
    want = w->arrow.to;
    have = h->arrow.to;
    w = arrow_of(want, &want_inst);
    h = arrow_of(have, &have_inst);
  }
  if (w || h) return NULL;
  FlagList wants = {0}, haves = {0};
  type_uniques(u, want, want_inst, false, &wants);
  type_uniques(u, have, have_inst, false, &haves);
  for (int i = 0; wants.len == haves.len && i < wants.len; i++)
    if (wants.at[i] && !haves.at[i])
      return "differ in uniqueness: a unique result is expected, but the function's may alias "
             "other values";
  return NULL;
}

const char *consume_misfit(Checker *c, SType *want, SType *have, const Inst *inst) {
  Consumer u = {.c = c, .arena = c->arena};
  return function_misfit(&u, want, NULL, have, inst);
}

// NULL, or why t is no function of the type `want`.
static const char *function_unfit(Consumer *u, SType *want, const Inst *inst, const Tree *t) {
  if (!t || !t->fn || !want || stype_find(want)->tag != TYPE_ARROW) return NULL;
  return function_misfit(u, want, inst, t->fn, t->inst);
}

void function_expect(Consumer *u, Span at, SType *want, const Tree *t, const char *header) {
  const char *why = function_unfit(u, want, NULL, t);
  if (why)
    diag_error(u->c->diag, at, "%s\nExpected: %s\nActual:   %s\nThe function types %s.", header,
               stype_text(u->c, want), stype_text(u->c, t->fn), why);
}

static void arg_function(UseCall *call, const UseArg *arg) {
  Consumer *u = call->u;
  const char *why = function_unfit(u, arg->from, arg->inst, arg->tree);
  if (!why) return;
  diag_error(u->c->diag, arg->exp->span,
             "[argument-type] Cannot apply %s to \"%s\" (invalid type).\nExpected: %s\n"
             "Actual:   %s\nThe function types %s.",
             call->name ? arena_printf(u->arena, "\"%s\"", call->name) : "function",
             exp_short(u, arg->exp), stype_text(u->c, arg->from), stype_text(u->c, arg->tree->fn),
             why);
}

static void use_arg(UseCall *call, UseArg *arg) {
  Consumer *u = call->u;
  Snapshot before = uses_snapshot(u);
  if (!arg->known) arg->tree = consume_exp(u, arg->exp);
  if (!arg->known && consumed_since(u, before) && stype_is_functional(arg->exp->type))
    diag_error(u->c->diag, arg->exp->span,
               "[consuming-argument] Argument of functional type \"%s\" contains consumption, "
               "which is not allowed "
               "(#consuming-argument).", stype_text(u->c, arg->exp->type));
  arg_function(call, arg);
  if (arg->consumes) arg_consume(call, arg);
}

// An argument may have been consumed while another one was evaluated after it.
static void args_alive(UseCall *call) {
  Owner *lost = NULL;
  Consumer *u = call->u;
  for (int i = 0; i < call->len; i++) {
    UseArg *arg = &call->args[i];
    if (arg->consumes) continue;
    lost = tree_tainted(arg->tree);
    if (!lost) continue;
    if (!call->overlap) report_use(u, lost, NULL, arg->exp->span);
    arg->tree = tree_live(u, arg->tree);
  }
  lost = tree_tainted(call->fn);
  if (lost) report_use(u, lost, NULL, call->at);
}

static Tree *use_result(UseCall *call) {
  Consumer *u = call->u;
  if (!call->to || !type_has_open(call->to, call->to_inst)) return NULL;
  const char *what = arena_printf(u->arena, "result of applying %s (at %s)",
                                  call->name ? arena_printf(u->arena, "\"%s\"", call->name)
                                             : "function",
                                  span_text(u, call->at));
  Alias *set = owner_member(u, owner_new(u, NULL, what), true);
  if (call->fn) set = alias_union(u, set, alias_live(u, call->fn->set));
  for (int i = 0; i < call->len; i++)
    if (!call->args[i].consumes) set = alias_union(u, set, tree_all(u, call->args[i].tree));
  return tree_spread(u, call->to, call->to_inst, set, set);
}

static void arg_step(UseCall *call, int i, bool any) {
  use_arg(call, &call->args[i]);
  if (any) call->before = alias_union(call->u, call->before, tree_all(call->u, call->args[i].tree));
}

// Arguments are evaluated from right to left, operands from left to right.
static Tree *call_check(UseCall *call, bool from_left) {
  bool any = false;
  for (int i = 0; i < call->len; i++) any |= call->args[i].consumes;
  if (from_left)
    for (int i = 0; i < call->len; i++) arg_step(call, i, any);
  else
    for (int i = call->len; i-- > 0;) arg_step(call, i, any);
  args_alive(call);
  return use_result(call);
}

static const char *ref_text(Consumer *u, const VarRef *ref) {
  return path_text(u->c, &ref->name.parts, ref->name.parts.len);
}

Tree *consume_apply(Consumer *u, Expr *exp) {
  Expr *fn = exp->apply.fn;
  UseCall call = {.u = u, .at = exp->span, .len = exp->apply.args.len};
  call.name = fn->tag == EXP_VAR ? ref_text(u, &fn->var) : NULL;
  call.args = NEW_ARRAY(u->arena, UseArg, call.len);
  for (int i = 0; i < call.len; i++) call.args[i].exp = exp->apply.args.at[i];
  call.fn = consume_exp(u, fn);
  call_types(&call, fn->type);
  return call_check(&call, false);
}

// ---- operators -------------------------------------------------------------------------------
static bool is_builtin(const VarRef *op) {
  return op->inst && op->inst->binding && op->inst->binding->tag == BIND_OPERATOR;
}

static Tree *binop_call(Consumer *u, Expr *exp, Tree *left) {
  if (is_builtin(&exp->binop.op)) {
    consume_exp(u, exp->binop.right);
    Owner *lost = tree_tainted(left);
    if (lost) report_use(u, lost, NULL, exp->binop.left->span);
    return NULL;
  }
  UseArg args[2] = {{.exp = exp->binop.left, .tree = left, .known = true},
                 {.exp = exp->binop.right}};
  UseCall call = {.u = u, .name = ref_text(u, &exp->binop.op), .at = exp->span, .args = args,
               .len = 2};
  call.fn = consume_var(u, &exp->binop.op);
  call_types(&call, exp->binop.op.type);
  return call_check(&call, true);
}

// A chain a + b + c is deep on the left: it is walked without recursion.
Tree *consume_binop(Consumer *u, Expr *exp) {
  LIST(Expr *) spine = {0};
  for (; exp->tag == EXP_BINOP; exp = exp->binop.left) list_push(u->arena, &spine, exp);
  Tree *left = consume_exp(u, exp);
  for (int i = spine.len; i-- > 0;) left = binop_call(u, spine.at[i], left);
  return left;
}

// (e op): the function applied to its first argument.
static Tree *section_left(Consumer *u, Expr *exp) {
  UseArg arg = {.exp = exp->section.arg};
  UseCall call = {.u = u, .name = ref_text(u, &exp->section.op), .at = exp->span, .args = &arg,
               .len = 1};
  call.fn = consume_var(u, &exp->section.op);
  call_types(&call, exp->section.op.type);
  return call_check(&call, true);
}

// (op e): \x -> x op e, which keeps e.
static Tree *section_right(Consumer *u, Expr *exp) {
  Tree *op = consume_var(u, &exp->section.op);
  UseArg arg = {.exp = exp->section.arg};
  UseCall call = {.u = u, .name = ref_text(u, &exp->section.op), .at = exp->span, .args = &arg,
               .len = 1, .fn = op};
  const Inst *inst = op && op->fn ? op->inst : NULL;
  SType *first = op && op->fn ? arrow_of(op->fn, &inst) : NULL, *type = exp->type;
  SType *second = first ? arrow_of(first->arrow.to, &inst) : NULL;
  if (second) {
    arg.from = stype_find(second->arrow.from);
    arg.inst = inst;
    arg.consumes = arg.from->starred;
    type = stype_arrow(u->c, first->arrow.param, first->arrow.from, second->arrow.to);
  }
  use_arg(&call, &arg);
  args_alive(&call);
  Alias *set = alias_union(u, op ? op->set : NULL, tree_all(u, arg.tree));
  return tree_function(u, set, type, second ? inst : NULL);
}

Tree *consume_section(Consumer *u, Expr *exp) {
  return exp->tag == EXP_SECTION_LEFT ? section_left(u, exp) : section_right(u, exp);
}
