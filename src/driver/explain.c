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
} Explain;

// ---- programs of one operator
static void want(const Prog *prog, Arena *arena, Vars *wanted, const Vars *constants, Var v) {
  for (int i = 0; i < wanted->len; i++)
    if (wanted->at[i].id == v.id) return;
  for (int i = 0; i < constants->len; i++)
    if (constants->at[i].id == v.id) return;
  Type t = var_type(prog, v);
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var) want(prog, arena, wanted, constants, t.dims[d].var);
  list_push(arena, wanted, v);
}

static Vars constant_vars(const Prog *prog, Arena *arena) {
  Vars out = {0};
  for (int i = 0; i < prog->constants.len; i++)
    for (int k = 0; k < prog->constants.at[i].bound.len; k++)
      list_push(arena, &out, prog->constants.at[i].bound.at[k]);
  return out;
}

// Free variables of the statement with the sizes in their types, sizes first.
static Vars inputs_of(const Prog *prog, Arena *arena, const Stm *stm) {
  Vars constants = constant_vars(prog, arena), wanted = {0};
  Vars vars = exp_free(prog, arena, &stm->exp);
  for (int i = 0; i < vars.len; i++) want(prog, arena, &wanted, &constants, vars.at[i]);
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(prog, stm->bound.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var) want(prog, arena, &wanted, &constants, t.dims[d].var);
  }
  return wanted;
}

static bool has_accs(const Prog *prog, Vars vars) {
  for (int i = 0; i < vars.len; i++)
    if (var_type(prog, vars.at[i]).is_acc) return true;
  return false;
}

static Atoms value_of(Rewrite *w, const Lambda *fn, Atoms args) {
  for (int i = 0; i < fn->params.len; i++)
    rewrite_bind(w, fn->params.at[i], rewrite_atom(w, args.at[i]));
  rewrite_stms(w, fn->body.stms);
  return rewrite_atoms(w, fn->body.results);
}

// Sizes are distinguished in formulas: n, n2, n3.
static void name_params(Prog *prog, Fn *fn) {
  for (int i = 0; i < fn->params.len; i++) {
    VarInfo *info = &prog->vars.at[fn->params.at[i].id];
    const char *base = info->base;
    int same = 1;
    for (int k = 0; k < i; k++) {
      const char *other = var_info(prog, fn->params.at[k])->base;
      size_t len = strlen(base);
      if (strncmp(other, base, len) != 0) continue;
      same += strspn(other + len, "0123456789") == strlen(other + len);
    }
    if (same > 1) info->base = name_of(prog->names, arena_printf(prog->arena, "%s%d", base, same));
  }
}

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

// The results of a derivative that are used, the value perhaps.
static Atoms wanted_of(const Explain *e, Arena *arena, const Stm *stm) {
  Vars wanted = {0};
  for (int k = 0; k < stm->bound.len; k++)
    if (e->mentioned[stm->bound.at[k].id]) list_push(arena, &wanted, stm->bound.at[k]);
  return atoms_of_vars(arena, wanted);
}

// An entry point that computes the statement, or, without its derivative, its function's value.
static Prog *program_of(const Explain *e, const Stm *stm, bool value) {
  Session *s = e->s;
  const Prog *prog = e->prog;
  Arena *arena = arena_beside(s->arena);
  list_push(s->arena, &s->programs, arena);
  Prog *out = prog_new(arena);
  Rewrite w = rewrite_new(prog, builder_new(out, &out->constants));
  rewrite_stms(&w, prog->constants);
  Fn *fn = NEW(arena, Fn);
  fn->name = "main";
  fn->loc = stm->loc;
  Vars inputs = inputs_of(prog, arena, stm);
  for (int i = 0; i < inputs.len; i++) {
    list_push(arena, &fn->params, rewrite_var(&w, inputs.at[i]));
    out->vars.at[fn->params.at[i].id].type.unique = false;
  }
  name_params(out, fn);
  w.to.stms = &fn->body.stms;
  w.to.loc = stm->loc;
  if (!value) {
    rewrite_stm(&w, stm);
    fn->body.results = rewrite_atoms(&w, wanted_of(e, arena, stm));
  } else if (stm->exp.form == FORM_VJP) {
    fn->body.results = value_of(&w, stm->exp.vjp.fn, stm->exp.vjp.args);
  } else {
    fn->body.results = value_of(&w, stm->exp.jvp.fn, stm->exp.jvp.args);
  }
  for (int i = 0; i < fn->body.results.len; i++) {
    Type t = atom_type(out, fn->body.results.at[i]);
    t.unique = false;
    list_push(arena, &fn->results, var_new(out, "r", t));
  }
  fn->entry = entry_info_plain(out, fn, "main");
  list_push(arena, &out->fns, fn);
  for (int i = 0; i < prog->fns.len; i++)  // what it may call; the rest goes soon
    if (!prog->fns.at[i]->entry) list_push(arena, &out->fns, rewrite_fn(&w, prog->fns.at[i]));
  return out;
}

// ---- what is left
static void statements_count(void *state, const Body *body, const Vars *params) {
  int *n = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    ++*n;
    exp_each_body(&body->stms.at[i].exp, statements_count, n);
  }
}

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
    bool known = false;
    for (int k = 0; k < x->notes.len; k++)
      known = known || (loc_same(x->notes.at[k].loc, at[i].loc) &&
                        strcmp(x->notes.at[k].text, at[i].text) == 0);
    if (!known) list_push(arena, &x->notes, note_copy(arena, at[i]));
  }
}

static const char *poly_text(Arena *arena, const Prog *prog, Poly p) {
  Text text = {0};
  poly_print(&text, prog, p);
  const char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

static Prog *compiled(Session *s, Prog *prog) {
  return pipeline_optimise(s, pipeline_differentiate(s, prog));
}

static int program_statements(const Prog *prog) {
  int n = 0;
  for (int i = 0; i < prog->fns.len; i++) statements_count(&n, &prog->fns.at[i]->body, NULL);
  return n;
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
  Prog *out = compiled(s, program_of(e, stm, false));
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

static void explain_tapes(Session *s, Explained *x, const Prog *derivative) {
  const Fn *fn = main_of(derivative);
  Cost *c = cost_new(derivative, s->arena, fn, 1);
  Poly all = cost_tapes(c, &fn->body), known = {0};
  for (int i = 0; i < all.len; i++) {
    if (is_by_run(derivative, &all.at[i])) x->tapes_by_run = true;
    else list_push(s->arena, &known, all.at[i]);
  }
  x->tapes = poly_text(s->arena, derivative, known);
  x->tapes_in_maps = cost_tapes_in_maps(c, &fn->body);
}

static void explain_work(Session *s, Explained *x, const Prog *value, const Prog *derivative) {
  const Fn *a = main_of(value), *b = main_of(derivative);
  Poly plain = cost_work(cost_new(value, s->arena, a, 1), &a->body);
  Poly work = cost_work(cost_new(derivative, s->arena, b, 1), &b->body);
  x->value_work = poly_text(s->arena, value, plain);
  x->work = poly_text(s->arena, derivative, work);
  bool known = sizes_tell(a, plain) && sizes_tell(b, work) && poly_at(plain, 1000) > 0;
  x->factor = known ? poly_at(work, 1000) / poly_at(plain, 1000) : 0;
}

// ---- strategies compared
static void strategy_cost(Explain *e, Explained *x, const Stm *stm, int strategy) {
  Session *s = e->s;
  StrategyCost cost = {.name = strategy_info[strategy].name};
  const Prog *made = strategy_try(s, program_of(e, stm, false), strategy, TRY_OPTIMISED, &cost.why);
  if (made) {
    Cost *c = cost_new(made, s->arena, main_of(made), 1);
    Poly work = cost_work(c, &main_of(made)->body);
    cost.work = poly_text(s->arena, made, work);
    cost.tapes = poly_text(s->arena, made, cost_tapes(c, &main_of(made)->body));
    cost.at_hundred = poly_at(work, 100);
  } else {
    cost.why = arena_strdup(s->arena, cost.why);
  }
  list_push(s->arena, &x->strategies, cost);
}

// The explanation has copies of all that it keeps of them.
static void programs_drop(Session *s, int from) {
  while (s->programs.len > from) arena_free(s->programs.at[--s->programs.len]);
  s->last_good = NULL;
}

static void explain_stm(Explain *e, const Stm *stm) {
  Session *s = e->s;
  if (has_accs(e->prog, inputs_of(e->prog, s->arena, stm))) return;
  Explained *x = NEW(s->arena, Explained);
  *x = (Explained){.loc = stm->loc, .mode = stm->exp.form == FORM_VJP ? "vjp" : "jvp",
                   .entry = e->name};
  int programs = s->programs.len;
  Prog *value = compiled(s, program_of(e, stm, true));
  int first = s->notes.len;
  Prog *derivative = compiled(s, program_of(e, stm, false));
  notes_add(s->arena, x, s->notes.at + first, s->notes.len - first);
  x->inputs = params_text(s->arena, derivative, main_of(derivative));
  explain_tapes(s, x, derivative);
  x->again = executes_again(derivative);
  explain_work(s, x, value, x->again ? unbounded(e, stm) : derivative);
  x->value_statements = program_statements(value);
  x->statements = program_statements(derivative);
  Updates u = {.arena = s->arena, .out = x};
  updates_body(&u, derivative, &main_of(derivative)->body);
  for (int i = 1; s->compare && i < STRATEGY_END; i++)
    if (i != STRATEGY_DUAL) strategy_cost(e, x, stm, i);  // doc/bulk.md has its costs
  list_push(s->arena, e->out, x);
  s->notes.len = first;
  programs_drop(s, programs);
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
  Prog *whole = session_elaborate(s, path), *prog = pipeline_run(s, whole, inlined);
  if (entry && !entry_find(prog, entry))
    cannot_explain(s, entry, (Span){0}, entry_missing(s->arena, prog));
  explain_entries(s, prog, entry, NULL, &out);
  const char *only = entry_chosen(prog, entry);
  if (out.len == 0 && entry_find(prog, only)) explain_derivatives(s, whole, only, &out);
  return out;
}
