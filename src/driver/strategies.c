// Strategies tried: what a program's derivatives would be by one of them.
#include "driver.h"
#include "ad/common/ad.h"
#include "opt/common/polynomial.h"

// Operators that a strategy leaves for another name it; those of the source forget what they named.
static void forget_strategy(Rewrite *w, const Stm *stm) {
  rewrite_stm(w, stm);
  if (stm->attrs.strategy) w->to.stms->at[w->to.stms->len - 1].attrs.strategy = STRATEGY_NONE;
}

// In a new arena: passes change what they are given.
static Prog *copy_of(Session *s, const Prog *prog) {
  Arena *arena = arena_beside(s->arena);
  Rewrite w = {.stm = forget_strategy};
  list_push(s->arena, &s->programs, arena);
  return rewrite_prog(prog, arena, &w);
}

// The settings of a session by which it shows its passes; those tried are not shown.
typedef struct {
  Switches switches;
  const char *pass, *print_after, *stop_after;
  bool silent, time;
} Shown;

static Shown shown_suspend(Session *s) {
  Shown out = {s->switches, s->pass, s->print_after, s->stop_after, s->diag->no_warnings, s->time};
  s->print_after = s->stop_after = NULL;
  s->time = false;
  s->diag->no_warnings = true;
  return out;
}

static void shown_resume(Session *s, const Shown *before) {
  uint64_t asked = s->switches.asked;
  s->switches = before->switches;
  s->switches.asked |= asked;
  s->pass = before->pass;
  s->print_after = before->print_after;
  s->stop_after = before->stop_after;
  s->diag->no_warnings = before->silent;
  s->time = before->time;
}

Prog *strategy_try(Session *s, const Prog *prog, int strategy, StrategyTry how,
                   const char **why) {
  const Shown before = shown_suspend(s);
  Prog *volatile out = NULL;
  Stop stop;
  s->switches.strategy = strategy;
  s->switches.trial = true;
  s->switches.why = "a construct";
  if (stop_arm(&stop)) {
    Prog *made = pipeline_differentiate(s, copy_of(s, prog));
    out = how == TRY_OPTIMISED ? pipeline_counted(s, made) : made;
    stop_pop(&stop);
  }
  *why = s->switches.why;
  shown_resume(s, &before);
  return out;
}

void session_drop_programs(Session *s, int from) {
  while (s->programs.len > from) arena_free(s->programs.at[--s->programs.len]);
  s->last_good = NULL;
}

// ---- what it costs
const char *poly_text(Arena *arena, const Prog *prog, Poly p) {
  Text text = {0};
  poly_print(&text, prog, p);
  const char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

static void statements_count(void *state, const Body *body, const Vars *params) {
  int *n = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    ++*n;
    exp_each_body(&body->stms.at[i].exp, statements_count, n);
  }
}

// The schedule's functions, which are the same for all loops, do not count.
int program_statements(const Prog *prog) {
  int n = 0;
  for (int i = 0; i < prog->fns.len; i++)
    if (!fn_name_is_reserved(prog->fns.at[i]->name))
      statements_count(&n, &prog->fns.at[i]->body, NULL);
  return n;
}

StrategyCost strategy_cost(Session *s, const Prog *made) {
  const Fn *fn = prog_fn(made, "main");
  Cost *c = cost_new(made, s->arena, fn, 1);
  StrategyCost out = {.memory_poly = cost_memory(c, &fn->body)};
  out.work = poly_text(s->arena, made, cost_work(c, &fn->body));
  out.tapes = poly_text(s->arena, made, cost_tapes(c, &fn->body));
  out.memory = poly_text(s->arena, made, out.memory_poly);
  out.span = poly_text(s->arena, made, cost_span(c, &fn->body));
  Cost *time = cost_new(made, s->arena, fn, op_work(COST_FUNCTION).lanes);
  out.time_poly = cost_work(time, &fn->body);
  out.at_hundred = poly_at(out.time_poly, 100);
  out.statements = program_statements(made);
  return out;
}
