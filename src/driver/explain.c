// The cost of derivatives.  Every operator is compiled by itself: the program with every call
// inlined is searched for operators, and each becomes the body of an entry point whose parameters
// are its free variables; so does the function it differentiates.  Both go through all passes.
// The notes of passes on the way are the reasons; the costs are counted in the result.
#include "driver.h"
#include "ad/common/ad.h"
#include "derive/derive.h"
#include "opt/common/opt.h"
#include "opt/common/polynomial.h"
#include <stdarg.h>
#include <string.h>

typedef struct {
  Session *s;
  Prog *prog;
  const Fn *fn;
  const char *name;       // of the function explained
  const bool *mentioned;  // variables of the program
  ExplainedList *out;
  LIST(Note) chosen;      // by the strategy auto, in the whole program
} Explain;

static bool has_accs(const Prog *prog, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (var_type(prog, vars.at[i]).is_acc) return true;
  return false;
}

static Stms stms_of(const Stm *stm) { return (Stms){(Stm *)stm, 1, 1}; }

static const char *params_text(Arena *arena, const Prog *prog, const Fn *fn) {
  const char *text = "";
  for (int i = 0; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    if (t.rank == 0) continue;
    text = arena_printf(arena, "%s%s%s: %s", text, *text ? ", " : "",
                        var_info(prog, fn->params.at[i])->base, type_text(prog, arena, t));
  }
  return text;
}

// ---- what is left
typedef struct {
  Arena *arena;
  Explained *out;
} Updates;

static void hists_body(void *state, const Body *body, const Vars *params) {
  Updates *u = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Note note = {.loc = stm->loc, .kind = "accumulated",
                 .text = "a histogram: atomic, or into copies, when run in parallel"};
    if (stm->exp.form == FORM_HIST) list_push(u->arena, &u->out->notes, note_copy(u->arena, note));
    exp_each_body(&stm->exp, hists_body, u);
  }
}

static const char *update_text(const SharedUpdate *update) {
  if (update->data)
    return "a histogram, additions at indices that come from data: atomic, or into copies, when "
           "run "
           "in parallel";
  if (update->private_)
    return "private sums, additions at the same places in every iteration of a map: into copies, "
           "when run in parallel";
  return "additions at indices that several iterations of a map may share: atomic, or into "
         "copies, when run in parallel";
}

static void updates_body(Updates *u, Prog *prog, const Body *body) {
  SharedUpdates shared = acc_shared(prog, u->arena, body);
  for (int i = 0; i < shared.len; i++) {
    Note note = {.loc = shared.at[i].stm->loc, .kind = "accumulated"};
    note.text = update_text(&shared.at[i]);
    list_push(u->arena, &u->out->notes, note_copy(u->arena, note));
  }
  hists_body(u, body, NULL);
}

static bool loc_same(const Loc *a, const Loc *b) {
  if (!a || !b) return a == b;
  return a->span.src == b->span.src && a->span.from == b->span.from && a->span.to == b->span.to;
}

// Scopes are re-executed at every depth, and say so every time.
static void notes_add(Arena *arena, Explained *x, const Note *at, int n) {
  for (int i = 0; i < n; i++) {
    bool known = strcmp(at[i].kind, "chosen") == 0;  // of the whole program, below
    for (int k = 0; k < x->notes.len; k++)
      known = known || (loc_same(x->notes.at[k].loc, at[i].loc) &&
                        strcmp(x->notes.at[k].text, at[i].text) == 0);
    if (!known) list_push(arena, &x->notes, note_copy(arena, at[i]));
  }
}

static Prog *compiled(Session *s, Prog *prog) {
  return pipeline_counted(s, pipeline_differentiate(s, prog));
}

// ---- bounds on memory
static void find_low_peak(void *state, const Body *body, const Vars *params) {
  bool *found = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    *found = *found || body->stms.at[i].attrs.low_peak;
    exp_each_body(&body->stms.at[i].exp, find_low_peak, found);
  }
}

// Whether iterations may be re-executed, as loops hold some of their states only.
static bool executes_again(const Prog *prog) {
  bool found = false;
  for (int i = 0; i < prog->fns.len; i++) find_low_peak(&found, &prog->fns.at[i]->body, NULL);
  return found;
}

// The derivative that holds all states.  The cost of re-execution depends on the memory of the
// run: the value's work is a bound for each time.
static Prog *unbounded(Explain *e, const Stm *stm) {
  Session *s = e->s;
  uint64_t off = s->switches.off;
  int64_t limit = s->memory_limit;
  s->switches.off |= UINT64_C(1) << SWITCH_BOUNDS;
  s->memory_limit = -1;
  Prog *out = compiled(s, operator_program(s, e->prog, stms_of(stm), e->mentioned));
  s->switches.off = off;
  s->memory_limit = limit;
  return out;
}

static const Fn *main_of(const Prog *prog) { return prog_fn(prog, "main"); }

// Whether a polynomial is one in parameters alone, not in what results from values.
static bool sizes_tell(const Fn *fn, Poly p) {
  for (int i = 0; i < p.len; i++)
    for (int k = 0; k < p.at[i].n; k++) {
      bool found = false;
      for (int j = 0; j < fn->params.len; j++)
        found = found || fn->params.at[j].id == p.at[i].vars[k].id;
      if (!found) return false;
    }
  return true;
}

// A term in variables of the derivative's own stacks (ad/loops/loop_forward.c,
// ad/loops/undo_log.c): their names mean nothing to the user, their values are known only at run
// time.
static bool is_by_run(const Prog *prog, const Term1 *t) {
  static const char *const stacks[] = {"tape", "top", "undone"};
  for (int k = 0; k < t->n; k++)
    for (int i = 0; i < COUNT_OF(stacks) && t->vars[k].id < (uint32_t)prog->vars.len; i++)
      if (strcmp(var_info(prog, t->vars[k])->base, stacks[i]) == 0) return true;
  return false;
}

static Poly told(Session *s, const Prog *derivative, Poly all, bool *by_run) {
  Poly known = {0};
  for (int i = 0; i < all.len; i++) {
    if (is_by_run(derivative, &all.at[i])) *by_run = true;
    else list_push(s->arena, &known, all.at[i]);
  }
  return known;
}

static void explain_tapes(Session *s, Explained *x, const Prog *derivative) {
  const Fn *fn = main_of(derivative);
  Cost *c = cost_new(derivative, s->arena, fn, 1);
  Poly known = told(s, derivative, cost_tapes(c, &fn->body), &x->tapes_by_run);
  x->tapes = poly_text(s->arena, derivative, known);
  x->tapes_in_maps = cost_tapes_in_maps(c, &fn->body);
}

static void explain_work(Session *s, Explained *x, const Prog *value, const Prog *derivative) {
  const Fn *a = main_of(value), *b = main_of(derivative);
  Poly plain = cost_work(cost_new(value, s->arena, a, 1), &a->body);
  Poly work = cost_work(cost_new(derivative, s->arena, b, 1), &b->body);
  x->value_work = poly_text(s->arena, value, plain);
  x->work = poly_text(s->arena, derivative, told(s, derivative, work, &x->work_by_run));
  bool known = sizes_tell(a, plain) && sizes_tell(b, work) && poly_at(plain, 1000) > 0;
  x->factor = known ? poly_at(work, 1000) / poly_at(plain, 1000) : 0;
}

// ---- strategies compared
static void strategy_explain(Explain *e, Explained *x, const Stm *stm, int strategy) {
  Session *s = e->s;
  const char *why;
  const Prog *alone = operator_program(s, e->prog, stms_of(stm), e->mentioned);
  const Prog *made = strategy_try(s, alone, strategy, TRY_OPTIMISED, &why);
  StrategyCost cost = {.why = arena_strdup(s->arena, why)};
  if (made) cost = strategy_cost(s, made);
  cost.name = strategy_info[strategy].name;
  list_push(s->arena, &x->strategies, cost);
}

static void explain_stm(Explain *e, const Stm *stm) {
  Session *s = e->s;
  if (has_accs(e->prog, operator_inputs(e->prog, s->arena, stms_of(stm)))) return;
  Explained *x = NEW(s->arena, Explained);
  *x = (Explained){.loc = stm->loc, .mode = stm->exp.form == FORM_VJP ? "vjp" : "jvp",
                   .entry = e->name};
  int programs = s->programs.len;
  Prog *value = compiled(s, operator_program(s, e->prog, stms_of(stm), NULL));
  int first = s->notes.len;
  Prog *derivative = compiled(s, operator_program(s, e->prog, stms_of(stm), e->mentioned));
  notes_add(s->arena, x, s->notes.at + first, s->notes.len - first);
  for (int i = 0; i < e->chosen.len; i++)
    if (loc_same(e->chosen.at[i].loc, stm->loc)) list_push(s->arena, &x->notes, e->chosen.at[i]);
  x->inputs = params_text(s->arena, derivative, main_of(derivative));
  explain_tapes(s, x, derivative);
  x->again = executes_again(derivative);
  explain_work(s, x, value, x->again ? unbounded(e, stm) : derivative);
  x->value_statements = program_statements(value);
  x->statements = program_statements(derivative);
  Updates u = {.arena = s->arena, .out = x};
  updates_body(&u, derivative, &main_of(derivative)->body);
  for (int i = 1; s->compare && i < STRATEGY_AUTO; i++) strategy_explain(e, x, stm, i);
  list_push(s->arena, e->out, x);
  s->notes.len = first;
  session_drop_programs(s, programs);
}

static void explain_body(void *state, const Body *body, const Vars *params) {
  Explain *e = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_VJP || stm->exp.form == FORM_JVP) explain_stm(e, stm);
    exp_each_body(&stm->exp, explain_body, e);
  }
}

// Units of the choice may be larger than one operator.
static void find_chosen(Explain *e) {
  Session *s = e->s;
  int from = s->notes.len, programs = s->programs.len;
  if (!choice_is_asked(s, e->prog)) return;
  Arena *arena = arena_new();
  Rewrite w = {0};
  list_push(s->arena, &s->programs, arena);
  pipeline_differentiate(s, rewrite_prog(e->prog, arena, &w));
  for (int i = from; i < s->notes.len; i++)
    if (strcmp(s->notes.at[i].kind, "chosen") == 0)
      list_push(s->arena, &e->chosen, note_copy(s->arena, s->notes.at[i]));
  s->notes.len = from;
  session_drop_programs(s, programs);
}

static const char *const inlined[] = {"inline-all", "simplify", "cse", "dce", NULL};

// The derivatives in the entry point; in all where it is NULL.  name: to print for it, or NULL.
static void explain_entries(Session *s, Prog *prog, const char *entry, const char *name,
                            ExplainedList *out) {
  const bool *mentioned = prog_mentions(prog, s->arena);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    if (!fn->entry || (entry && strcmp(fn->entry->name, entry) != 0)) continue;
    Explain e = {.s = s, .prog = prog, .fn = fn, .name = name ? name : fn->entry->name,
                 .mentioned = mentioned, .out = out};
    find_chosen(&e);
    explain_body(&e, &fn->body, NULL);
  }
}

static void cannot_explain(Session *s, const char *entry, Span at, const char *why) {
  diag_error(s->diag, at, "cannot explain \"%s\": %s", entry, why);
  session_stop_on_errors(s);
}

// Of a function that holds no derivative: its own, in both modes.
static void explain_derivatives(Session *s, Prog *prog, const char *entry, ExplainedList *out) {
  static const DeriveMode modes[] = {DERIVE_VJP, DERIVE_JVP};
  for (int k = 0; k < COUNT_OF(modes); k++) {
    Arena *arena = arena_new();
    list_push(s->arena, &s->programs, arena);
    DeriveObstacle obstacle;
    Prog *derived = derive_entry(arena, prog, entry, modes[k], &obstacle);
    if (!derived) cannot_explain(s, entry, obstacle.at, obstacle.why);
    explain_entries(s, pipeline_run(s, derived, inlined), NULL, entry, out);
  }
}

ExplainedList explain_program(Session *s, const char *path, const char *entry) {
  ExplainedList out = {0};
  Prog *whole = session_core(s, path), *prog = pipeline_run(s, whole, inlined);
  if (entry && !entry_find(prog, entry))
    cannot_explain(s, entry, (Span){0}, entry_missing(s->arena, prog));
  explain_entries(s, prog, entry, NULL, &out);
  const char *only = entry_chosen(prog, entry);
  if (out.len == 0 && entry_find(prog, only)) explain_derivatives(s, whole, only, &out);
  return out;
}
