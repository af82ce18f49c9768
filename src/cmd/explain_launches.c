// dagaz explain --target of a device: how often the host launches each kernel, and of how many
// iterations, as formulas of the scalars among the function's parameters (sizes, too).
//
// Law: a kernel in loops of a, b, .. iterations is launched a b .. times in each call, where the
// conditions around it hold, and not at all where it has no iterations.  Where no formula of
// parameters says a number it is said to be known at run time: never a bound, never a guess.
#include "cmd.h"
#include <inttypes.h>
#include <string.h>

typedef struct {
  ImpVar var;
  const char *name;
} Tuned;
typedef struct {
  Arena *arena;
  Text *out;
  const ImpProg *prog;
  const ImpFn *fn;
  LIST(Tuned) tuned;
  bool json;
  int kernels;                // so many so far, in the order of their names
  const char *times, *where;  // times: NULL, known at run time only; where: "", always
} Launches;

static const char *formula(const Launches *l, const ImpExp *e);

static bool is_param(const ImpFn *fn, ImpVar var) {
  for (int i = 0; i < fn->params.len; i++)
    if (fn->params.at[i].id == var.id) return true;
  return false;
}

static const char *sign_of(Op op) {
  return op == OP_ADD ? "+" : op == OP_SUB ? "-" : op == OP_MUL ? "*" : op == OP_LT ? "<"
         : op == OP_LE ? "<=" : op == OP_EQ ? "==" : NULL;
}

static const char *op_formula(const Launches *l, const ImpExp *e) {
  const char *a = formula(l, e->args[0]), *b = e->args[1] ? formula(l, e->args[1]) : "";
  const char *sign = sign_of(e->op);
  if (!a || !b) return NULL;
  if (sign && *b) return arena_printf(l->arena, "(%s %s %s)", a, sign, b);
  return arena_printf(l->arena, "%s(%s%s%s)", op_info[e->op].name, a, *b ? ", " : "", b);
}

static const char *formula(const Launches *l, const ImpExp *e) {
  if (e->prim != PRIM_I64 && e->prim != PRIM_F64 && e->prim != PRIM_BOOL) return NULL;
  if (e->kind == IMP_CONV && e->from == PRIM_F64 && e->prim == PRIM_I64) {
    const char *of = formula(l, e->args[0]);
    return of ? arena_printf(l->arena, "whole(%s)", of) : NULL;
  }
  if (e->kind == IMP_CONV)  // exact below 2^53
    return e->from == PRIM_I64 && e->prim != PRIM_BOOL ? formula(l, e->args[0]) : NULL;
  if (e->kind == IMP_OP && !e->args[2]) return op_formula(l, e);
  if (e->kind == IMP_CONST) {
    if (e->prim == PRIM_I64) return arena_printf(l->arena, "%" PRId64, e->value.i);
    return e->prim == PRIM_F64 ? arena_printf(l->arena, "%.17g", e->value.f) : NULL;
  }
  if (e->kind != IMP_VAR) return NULL;
  const ImpVarInfo *v = &l->fn->vars.at[e->var.id];
  if (is_param(l->fn, e->var)) return v->base;
  for (int i = 0; i < l->tuned.len; i++)
    if (l->tuned.at[i].var.id == e->var.id) return l->tuned.at[i].name;
  return v->kind == IMP_LET && v->def ? formula(l, v->def) : NULL;
}

static void put_formula(Text *out, bool json, const char *text) {
  if (json && text) json_print_string(out, text);
  else text_puts(out, text ? text : json ? "null" : "(known at run time)");
}

static void put_place(const Launches *l, const struct imp_kernel *k) {
  const Loc *loc = l->fn->vars.at[k->var.id].loc;
  if (!loc) loc = l->fn->vars.at[k->order.id].loc;
  Text at = {0};
  if (loc && loc->span.src) span_print(&at, loc->span);
  else text_puts(&at, "here");
  if (l->json) text_puts(l->out, "{\"at\": "), json_print_string(l->out, at.at);
  else text_puts(l->out, at.at);
  text_free(&at);
}

static void put_kernel(Launches *l, const struct imp_kernel *k) {
  const char *name = l->fn->core ? l->fn->name : "constants";
  put_place(l, k);
  text_printf(l->out, l->json ? ", \"function\": \"%s\", \"kernel\": %d, \"launches\": "
                              : ": in %s kernel %d: launches ", name, ++l->kernels);
  put_formula(l->out, l->json, l->times);
  text_puts(l->out, l->json ? ", \"iterations\": " : ", iterations ");
  put_formula(l->out, l->json, formula(l, k->bound));
  if (l->json) text_puts(l->out, ", \"where\": "), json_print_string(l->out, l->where);
  else if (*l->where) text_printf(l->out, ", where %s", l->where);
  text_puts(l->out, l->json ? "}\n" : "\n");
}

static void walk(void *state, ImpBlock *block);

static void walk_if(Launches *l, const struct imp_if_ *s) {
  const char *outer = l->where, *times = l->times, *cond = formula(l, s->cond);
  if (!cond && times && strcmp(times, "1") != 0) l->times = NULL;  // in some rounds
  for (int i = 0; i < 2; i++) {
    const char *said = cond ? cond : "a value of the run says so";
    if (cond && i) said = arena_printf(l->arena, "not %s", cond);
    l->where = *outer ? arena_printf(l->arena, "%s and %s", outer, said) : said;
    walk(l, i ? s->other : s->then);
  }
  l->where = outer;
  l->times = times;
}

static void walk_loop(Launches *l, const ImpStm *stm) {
  const char *outer = l->times;
  const char *n = stm->form == IMP_STM_FOR ? formula(l, stm->for_.bound) : NULL;
  if (!outer || !n) l->times = NULL;
  else l->times = strcmp(outer, "1") == 0 ? n : arena_printf(l->arena, "%s * %s", outer, n);
  imp_each_block(stm, walk, l);
  l->times = outer;
}

// The machine's and the run's: the least work of a block, the lanes of a vector, parameters.
static void note_tuned(Launches *l, const struct imp_tuned *t) {
  static const char *const own[] = {[-IMP_TUNED_BLOCK] = "block_cost",
                                    [-IMP_TUNED_THREADS] = "threads",
                                    [-IMP_TUNED_LANES] = "lanes", [-IMP_TUNED_SPREAD] = "spread"};
  const char *name = t->param < 0 ? own[-t->param] : l->prog->params.at[t->param];
  list_push(l->arena, &l->tuned, (Tuned){t->var, name});
}

static void walk(void *state, ImpBlock *block) {
  Launches *l = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    const ImpForm form = stm->form;
    if (form == IMP_STM_KERNEL) put_kernel(l, &stm->kernel);
    else if (form == IMP_STM_TUNED) note_tuned(l, &stm->tuned);
    else if (form == IMP_STM_IF) walk_if(l, &stm->if_);
    else if (form == IMP_STM_FOR || form == IMP_STM_WHILE || form == IMP_STM_CHUNKS)
      walk_loop(l, stm);
    else imp_each_block(stm, walk, l);
  }
}

void explain_launches(Text *out, const ImpProg *imp, bool json) {
  for (int i = 0; i < imp->fns.len; i++) {
    const ImpFn *fn = imp->fns.at[i];
    Launches l = {.arena = imp->arena, .out = out, .prog = imp, .fn = fn, .json = json,
                  .times = "1", .where = ""};
    walk(&l, fn->body);
  }
}
