// The strategy "auto": the way of the least work among those that accept a derivative, by formulas
// of the sizes (doc/strategies.md).
//
// A *unit* is an operator without operators inside, or a map of a constant number of directions at
// one point.  Each becomes a separate program (operators.c), which every strategy differentiates
// and all passes optimise; what comes out is counted (opt/common/polynomial.h).  Where one strategy
// is the best at all sizes the unit gets its name; where another is better at some sizes the unit
// is there with both, under a comparison of their formulas.
#include "driver.h"
#include "ad/common/ad.h"
#include "opt/common/polynomial.h"
#include <math.h>

enum {
  SIZES_MOST = 4,          // that corners are looked at for
  TRIPS = 10,              // of loops whose trips the sizes do not tell
  STATEMENTS_BOTH = 400,   // of two strategies under one branch
  STATEMENTS_RATIO = 10,   // of a candidate to the shortest one
};
// Within this the work is the same; a branch must save more than that, and so many operations.
static const double same_work = 1.05, worth_a_branch = 1.25, saved_least = 1000;
static const double corners[] = {1, 100, 10000};

typedef struct {
  int strategy;
  const char *why;           // why it refuses; NULL: it does not
  const char *text;          // its operations
  Poly work, memory;         // variable k + 1 is input k; eight live bytes are one operation
  int statements;
} Candidate;

typedef struct {
  int best, rival;           // rival: better where its work is less; STRATEGY_NONE: nowhere
  Poly gain;                 // work of the rival less that of the best
  Vars inputs;
} Choice;

typedef struct {
  Rewrite w;                 // first
  Session *s;
  const Prog *prog;
  const bool *mentioned;
  Map *choices;              // KEY(unit) -> Choice
  Map *ways;                 // KEY(operator of a unit) -> Choice
  Map *defs;                 // variable -> Stm
  bool repeated;             // inside a map or loop
  int way;                   // of the operators that are being copied; 0: as chosen
} Choose;

// ---- a unit with what its directions are, where that is known: the rows of an identity
static bool is_derivative(const Exp *e) { return e->form == FORM_JVP || e->form == FORM_VJP; }

static bool makes_constant(Form f) {
  return f == FORM_MAP || f == FORM_IOTA || f == FORM_REPLICATE || f == FORM_LITERAL;
}

// False: it depends on something else.
static bool add_constant(Choose *c, Var v, Stms *out) {
  const Stm *def = map_get(c->defs, v.id);
  Type t = var_type(c->prog, v);
  if (!def || !makes_constant(def->exp.form)) return false;
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var) return false;
  for (int i = 0; i < out->len; i++)
    if (vars_have(out->at[i].bound, v)) return true;
  Vars free = exp_free(c->prog, c->s->arena, &def->exp);
  for (int i = 0; i < free.len; i++)
    if (!add_constant(c, free.at[i], out)) return false;
  list_push(c->s->arena, out, *def);
  return true;
}

static Stms unit_stms(Choose *c, const Stm *unit) {
  Stms out = {0};
  for (int i = 0; unit->exp.form == FORM_MAP && i < unit->exp.map.inputs.len; i++) {
    Stms with = {0};
    for (int k = 0; k < out.len; k++) list_push(c->s->arena, &with, out.at[k]);
    if (add_constant(c, unit->exp.map.inputs.at[i].var, &with)) out = with;
  }
  list_push(c->s->arena, &out, *unit);
  return out;
}

// ---- candidates
// Variables that are no sizes of the unit count as TRIPS.
static Poly factor_in_inputs(Arena *arena, const Fn *fn, Var v) {
  for (int j = 0; j < fn->params.len; j++)
    if (fn->params.at[j].id == v.id) return poly_var(arena, (Var){(uint32_t)j + 1});
  return poly_number(arena, TRIPS);
}

static Poly in_inputs(Arena *arena, const Fn *fn, Poly p) {
  Poly out = {0};
  for (int i = 0; i < p.len; i++) {
    Poly term = poly_number(arena, p.at[i].factor);
    for (int k = 0; k < p.at[i].n; k++)
      term = poly_times(arena, term, factor_in_inputs(arena, fn, p.at[i].vars[k]));
    out = poly_add(arena, out, term);
  }
  return out;
}

static Candidate candidate(Choose *c, Stms unit, int strategy) {
  Session *s = c->s;
  Candidate out = {.strategy = strategy};
  int programs = s->programs.len, notes = s->notes.len;
  const Prog *source = operator_program(s, c->prog, unit, c->mentioned);
  const Prog *made = strategy_try(s, source, strategy, TRY_OPTIMISED, &out.why);
  if (made) {
    StrategyCost cost = strategy_cost(s, made);
    const Fn *fn = prog_fn(made, "main");
    out.why = NULL;
    out.text = cost.work;
    out.statements = cost.statements;
    out.memory = in_inputs(s->arena, fn, cost.memory_poly);
    out.work = poly_add(s->arena, in_inputs(s->arena, fn, cost.time_poly),
                        poly_times(s->arena, poly_number(s->arena, 1. / 8), out.memory));
  } else {
    out.why = arena_strdup(s->arena, out.why);
  }
  s->notes.len = notes;
  session_drop_programs(s, programs);
  return out;
}

// ---- comparison
static double value_at(Poly p, const double *sizes) {
  double sum = 0;
  for (int i = 0; i < p.len; i++) {
    double term = p.at[i].factor;
    for (int k = 0; k < p.at[i].n; k++) term *= sizes[p.at[i].vars[k].id - 1];
    sum += term;
  }
  return sum;
}

static Vars sizes_of(Arena *arena, Poly p) {
  Vars out = {0};
  for (int i = 0; i < p.len; i++)
    for (int k = 0; k < p.at[i].n; k++)
      if (!vars_have(out, p.at[i].vars[k])) list_push(arena, &out, p.at[i].vars[k]);
  return out;
}

// The largest of best / rival over all sizes that are corners; 0: it saves too little.
static double advantage(Arena *arena, const Candidate *best, const Candidate *rival, int inputs) {
  Vars vars = sizes_of(arena, poly_add(arena, best->work, rival->work));
  double most = 0, *at = NEW_ARRAY(arena, double, inputs + 1);
  int n = vars.len < SIZES_MOST ? vars.len : SIZES_MOST, all = 1;
  for (int i = 0; i < inputs; i++) at[i] = 100;
  for (int i = 0; i < n; i++) all *= COUNT_OF(corners);
  for (int corner = 0; corner < all; corner++) {
    for (int i = 0, rest = corner; i < n; i++, rest /= COUNT_OF(corners))
      at[vars.at[i].id - 1] = corners[rest % COUNT_OF(corners)];
    double x = value_at(best->work, at), y = value_at(rival->work, at);
    if (x - y >= saved_least) most = fmax(most, x / fmax(y, 1));
  }
  return most;
}

static bool is_better(const Candidate *x, const Candidate *y) {
  double wx = poly_at(x->work, 100), wy = poly_at(y->work, 100);
  double mx = poly_at(x->memory, 100), my = poly_at(y->memory, 100);
  return wx * same_work < wy || (wx <= wy * same_work && mx * same_work < my);
}

static bool is_short(const Candidate *x, int shortest) {
  return x->statements <= STATEMENTS_RATIO * shortest + STATEMENTS_BOTH;
}

static const Candidate *least(const Candidate *at, int n) {
  int shortest = at[0].statements;
  const Candidate *best = NULL;
  for (int i = 0; i < n; i++)
    if (!at[i].why && at[i].statements < shortest) shortest = at[i].statements;
  for (int i = 0; i < n; i++)
    if (!at[i].why && is_short(&at[i], shortest) && (!best || is_better(&at[i], best)))
      best = &at[i];
  return best;
}

static const Candidate *rival_of(Choose *c, const Candidate *at, int n, const Candidate *best) {
  const Candidate *out = NULL;
  double most = worth_a_branch;
  for (int i = 0; i < n && !c->repeated; i++) {
    if (&at[i] == best || at[i].why) continue;
    if (at[i].statements + best->statements > STATEMENTS_BOTH) continue;
    double by = advantage(c->s->arena, best, &at[i], 64);
    if (by > most) most = by, out = &at[i];
  }
  return out;
}

static const Loc *operator_loc(const Stm *unit) {
  if (unit->exp.form != FORM_MAP) return unit->loc;
  const Stms *stms = &unit->exp.map.fn->body.stms;
  for (int i = 0; i < stms->len; i++)
    if (is_derivative(&stms->at[i].exp)) return stms->at[i].loc;
  return unit->loc;
}

// "dual, 4 n operations; redundant 5 n; elimination refuses a scan"
static void note_choice(Choose *c, const Stm *unit, const Candidate *at, int n, const Choice *x) {
  Arena *arena = c->s->arena;
  const char *text = "", *rest = "";
  for (int i = 0; i < n; i++) {
    const char *name = strategy_info[at[i].strategy].name;
    if (at[i].strategy == x->best)
      text = arena_printf(arena, "%s, %s operations", name, at[i].text);
    else if (at[i].why) rest = arena_printf(arena, "%s; %s refuses %s", rest, name, at[i].why);
    else rest = arena_printf(arena, "%s; %s %s", rest, name, at[i].text);
  }
  if (x->rival)
    text = arena_printf(arena, "%s, or %s where the sizes make that less, when it runs", text,
                        strategy_info[x->rival].name);
  Note note = {.loc = operator_loc(unit), .kind = "chosen"};
  note.text = arena_printf(arena, "%s%s", text, rest);
  list_push(arena, &c->s->notes, note_copy(arena, note));
}

static Choice *decide(Choose *c, const Stm *unit) {
  const Stms stms = unit_stms(c, unit);
  Candidate at[STRATEGY_AUTO];
  int n = 0;
  Arena *arena = c->s->arena;
  Choice *out = NEW(arena, Choice);
  for (int k = 1; k < STRATEGY_AUTO; k++) at[n++] = candidate(c, stms, k);
  const Candidate *best = least(at, n);
  *out = (Choice){.best = STRATEGY_REDUNDANT, .inputs = operator_inputs(c->prog, arena, stms)};
  if (!best) return out;
  const Candidate *rival = out->inputs.len <= 64 ? rival_of(c, at, n, best) : NULL;
  out->best = best->strategy;
  if (rival) {
    out->rival = rival->strategy;
    out->gain = poly_add(arena, rival->work,
                         poly_times(arena, poly_number(arena, -1), best->work));
  }
  note_choice(c, unit, at, n, out);
  return out;
}

// ---- units
static void find_derivative(void *state, const Body *body, const Vars *params) {
  bool *found = state;
  (void)params;
  for (int i = 0; i < body->stms.len && !*found; i++) {
    const Exp *e = &body->stms.at[i].exp;
    *found = is_derivative(e) || e->form == FORM_JACOBIAN;
    if (!*found) exp_each_body(e, find_derivative, found);
  }
}

static bool holds_derivative(const Exp *e) {
  bool found = false;
  exp_each_body(e, find_derivative, &found);
  return found;
}

static bool is_innermost(const Choose *c, const Stm *stm) {
  return is_derivative(&stm->exp) && strategy_asked(c->prog, stm) == STRATEGY_AUTO &&
         !stm->attrs.memory_limit && !stm->attrs.checkpoint && !holds_derivative(&stm->exp);
}

static bool is_directions(const Choose *c, const Stm *stm) {
  if (stm->exp.form != FORM_MAP || stm->exp.map.width.is_var) return false;
  const Body *body = &stm->exp.map.fn->body;
  int n = 0;
  for (int i = 0; i < body->stms.len; i++) {
    if (is_innermost(c, &body->stms.at[i])) n++;
    else if (is_derivative(&body->stms.at[i].exp) || holds_derivative(&body->stms.at[i].exp))
      return false;
  }
  return n == 1;
}

static bool has_accs(const Choose *c, const Stm *stm) {
  Vars vars = operator_inputs(c->prog, c->s->arena, (Stms){(Stm *)stm, 1, 1});
  for (int i = 0; i < vars.len; i++)
    if (var_type(c->prog, vars.at[i]).is_acc) return true;
  return false;
}

static void choose_unit(Choose *c, const Stm *stm) {
  Choice *x = decide(c, stm);
  if (x->rival) map_put(c->choices, KEY(stm), x);
  if (is_derivative(&stm->exp)) {
    map_put(c->ways, KEY(stm), x);
    return;
  }
  const Stms *stms = &stm->exp.map.fn->body.stms;
  for (int i = 0; i < stms->len; i++)
    if (is_derivative(&stms->at[i].exp)) map_put(c->ways, KEY(&stms->at[i]), x);
}

static void find_units(void *state, const Body *body, const Vars *params) {
  Choose *c = state;
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    for (int k = 0; k < stm->bound.len; k++)
      map_put(c->defs, stm->bound.at[k].id, (void *)stm);
    bool unit = is_innermost(c, stm) || is_directions(c, stm), repeated = c->repeated;
    if (unit && !has_accs(c, stm)) {
      choose_unit(c, stm);
      continue;
    }
    c->repeated = repeated || (!is_derivative(&stm->exp) && stm->exp.form != FORM_MATCH);
    exp_each_body(&stm->exp, find_units, c);
    c->repeated = repeated;
  }
}

// ---- emission
static Atom gain_atom(Choose *c, const Choice *x) {
  Builder *b = &c->w.to;
  Atom sum = atom_number(PRIM_F64, 0);
  for (int i = 0; i < x->gain.len; i++) {
    Atom term = atom_number(PRIM_F64, x->gain.at[i].factor);
    for (int k = 0; k < x->gain.at[i].n; k++) {
      Atom size = rewrite_atom(&c->w, atom_var(x->inputs.at[x->gain.at[i].vars[k].id - 1]));
      term = build_op(b, OP_MUL, term, build_conv(b, PRIM_F64, size));
    }
    sum = build_op(b, OP_ADD, sum, term);
  }
  return sum;
}

// With the name of its strategy.
static void copy_named(Choose *c, const Stm *stm) {
  const Choice *x = map_get(c->ways, KEY(stm));
  rewrite_stm(&c->w, stm);
  Stm *last = &c->w.to.stms->at[c->w.to.stms->len - 1];
  if (x) last->attrs.strategy = (uint8_t)(c->way ? c->way : x->best);
}

static Case case_of(Choose *c, const Stm *unit, int way) {
  Case out = {0};
  Stms *saved = c->w.to.stms;
  c->w.to.stms = &out.body.stms;
  c->way = way;
  copy_named(c, unit);
  c->way = 0;
  for (int k = 0; k < unit->bound.len; k++)
    list_push(c->w.to.prog->arena, &out.body.results,
              rewrite_atom(&c->w, atom_var(unit->bound.at[k])));
  c->w.to.stms = saved;
  return out;
}

// if 0 <= work of the rival - work of the best then the best else the rival
static void emit_both(Choose *c, const Stm *unit, const Choice *x) {
  Builder *b = &c->w.to;
  Arena *arena = b->prog->arena;
  Atom best = build_op(b, OP_LE, atom_number(PRIM_F64, 0), gain_atom(c, x));
  Cases cases = {0};
  list_push(arena, &cases, case_of(c, unit, x->best));
  list_push(arena, &cases, case_of(c, unit, x->rival));
  list_push(arena, &cases.at[0].pats, (CasePat){.lit = atom_bool(true).value});
  Types types = {0};
  for (int k = 0; k < unit->bound.len; k++)
    list_push(arena, &types, rewrite_type(&c->w, var_type(c->prog, unit->bound.at[k])));
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(arena, 1, &best), .cases = cases}};
  Vars out = build_many(b, "chosen", types, exp);
  for (int k = 0; k < out.len; k++) rewrite_bind(&c->w, unit->bound.at[k], atom_var(out.at[k]));
}

static void choose_stm(Rewrite *w, const Stm *stm) {
  Choose *c = (Choose *)w;
  const Choice *both = c->way ? NULL : map_get(c->choices, KEY(stm));
  if (both) emit_both(c, stm, both);
  else copy_named(c, stm);
}

static bool asks(const Prog *prog, const Body *body);
typedef struct {
  const Prog *prog;
  bool found;
} Asks;
static void find_asking(void *state, const Body *body, const Vars *params) {
  Asks *a = state;
  (void)params;
  a->found = a->found || asks(a->prog, body);
}

static bool asks(const Prog *prog, const Body *body) {
  Asks a = {prog, false};
  for (int i = 0; i < body->stms.len && !a.found; i++) {
    const Stm *stm = &body->stms.at[i];
    a.found = is_derivative(&stm->exp) && strategy_asked(prog, stm) == STRATEGY_AUTO;
    if (!a.found) exp_each_body(&stm->exp, find_asking, &a);
  }
  return a.found;
}

bool choice_is_asked(Session *s, Prog *prog) {
  bool any = false;
  prog->switches = &s->switches;
  for (int i = 0; i < prog->fns.len; i++) any = any || asks(prog, &prog->fns.at[i]->body);
  return any;
}

Prog *pipeline_choose(Session *s, Prog *prog) {
  if (!choice_is_asked(s, prog) || s->memory_limit > 0) return prog;
  Choose c = {.w = {.stm = choose_stm}, .s = s, .prog = prog,
              .mentioned = prog_mentions(prog, s->arena), .choices = map_new(s->arena),
              .ways = map_new(s->arena),
              .defs = map_new(s->arena)};
  for (int i = 0; i < prog->fns.len; i++) find_units(&c, &prog->fns.at[i]->body, NULL);
  Arena *arena = arena_beside(s->arena);
  list_push(s->arena, &s->programs, arena);
  return rewrite_prog(prog, arena, &c.w);
}
