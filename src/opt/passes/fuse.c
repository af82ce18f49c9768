// Fusion.  Per body, consumers from last to first: a producer moves down into the consumer when
// everything between the two can stand before or after the pair, and when the consumer reads the
// producer's arrays only as its inputs.  Outputs still wanted elsewhere become outputs of the
// fused form; nothing is computed twice.  Then unrelated neighbours of equal width that read a
// common array join.  Bodies inside follow, so that inner combinators made neighbours fuse too.
#include "opt/common/local.h"

// Statements looked over per attempt; streams into one loop, and out of it.
enum { SPAN = 512, OPERANDS = 64, OUTPUTS = 256 };
typedef struct {
  Prog *prog;
  Arena *arena;
  Uses uses;
  AliasClasses classes;
  DepsTable table;
  bool maps_only;            // below derivative operators, over arrays of rows
  int operators;             // jvp and vjp around the body
  int fused;                 // how many pairs
  Stms *stms;                // of the body being fused, as far as it is not finished
  int end, finished_from;    // the finished statements lie from here to the end
  LIST(Deps *) deps;         // by position
  LIST(GroupRoom) room;      // by position
  LIST(int) def;             // position in this body by variable, -1 elsewhere
  LIST(int) read;            // by variable: the last statement looked at that has it as an input
  int reader;
  Stm old[SPAN + 1];         // for replace
  Deps *old_deps[SPAN + 1];
  GroupRoom old_room[SPAN + 1];
  Map *acc_ops;              // token -> Operator
} Fuse;

static int use_count(const Fuse *f, Var v) {
  return (int)v.id < f->uses.cap ? f->uses.count[v.id] : 1 << 20;
}

static Deps *deps_at(Fuse *f, int i) {
  if (!f->deps.at[i]) f->deps.at[i] = deps_of(&f->table, &f->stms->at[i]);
  return f->deps.at[i];
}

static void index_body(Fuse *f, int from) {
  while (f->def.len < f->prog->vars.len) list_push(f->arena, &f->def, -1);
  for (int i = from; i < f->stms->len; i++)
    for (int k = 0; k < f->stms->at[i].bound.len; k++)
      f->def.at[f->stms->at[i].bound.at[k].id] = i;
}

static const Atoms *inputs_of(const Stm *stm) {
  const Exp *x = &stm->exp;
  switch ((int)x->form) {
  case FORM_MAP: return &x->map.inputs;
  case FORM_REDUCE: return &x->reduce.inputs;
  case FORM_SCAN: return &x->scan.inputs;
  case FORM_SCREMA: return &x->screma.inputs;
  case FORM_HIST: return &x->hist.inputs;
  case FORM_SCATTER: return &x->scatter.inputs;
  }
  return NULL;
}

static Atom width_of(const Stm *stm) {
  const Exp *x = &stm->exp;
  switch ((int)x->form) {
  case FORM_MAP: return x->map.width;
  case FORM_REDUCE: return x->reduce.width;
  case FORM_SCAN: return x->scan.width;
  case FORM_SCREMA: return x->screma.width;
  case FORM_HIST: return x->hist.width;
  case FORM_SCATTER: return x->scatter.width;
  }
  return atom_i64(-1);
}

static bool binds(const Stm *stm, Atom a) {
  for (int i = 0; i < stm->bound.len; i++)
    if (atom_is_var(a, stm->bound.at[i])) return true;
  return false;
}

static int uses_as_input(const Stm *c, Var v) {
  const Atoms *inputs = inputs_of(c);
  int n = 0;
  for (int i = 0; i < inputs->len; i++) n += atom_is_var(inputs->at[i], v);
  return n;
}

// c mentions results of p elsewhere than among its inputs.
static bool free_use(Fuse *f, const Stm *p, int c) {
  const Deps *d = deps_at(f, c);
  for (int i = 0; i < d->inner.len; i++)
    if (binds(p, atom_var(d->inner.at[i]))) return true;
  return false;
}

// An accumulator threaded through both: only when the order of its updates does not matter.
static bool accs_commute(const Fuse *f, const Stm *p) {
  for (int i = 0; i < p->bound.len; i++) {
    Type t = var_type(f->prog, p->bound.at[i]);
    if (!t.is_acc) continue;
    const Operator *op = map_get(f->acc_ops, t.token.id);
    if (!op || !op->op) return false;
  }
  return true;
}

static bool has_acc(const Fuse *f, const Stm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (var_type(f->prog, stm->bound.at[i]).is_acc) return true;
  return false;
}

// Neither may touch an array that the other overwrites: fusion would interleave the accesses.
static bool memory_disjoint(Fuse *f, int p, int c) {
  const Deps *dp = deps_at(f, p), *dc = deps_at(f, c);
  if (dp->consumes.len) return false;
  for (int i = 0; i < dc->consumes.len; i++)
    for (int k = 0; k < dp->reads.len; k++)
      if (dc->consumes.at[i] == dp->reads.at[k]) return false;
  return true;
}

// Splits what stands between p and c: after[i] when it depends on p.  False when c needs such a
// statement, or too much stands between.
static bool split_between(Fuse *f, int p, int c, bool *after) {
  if (c - p > SPAN) return false;
  deps_mark_clear(&f->table);
  deps_mark(&f->table, &f->stms->at[p], deps_at(f, p));
  for (int i = p + 1; i < c; i++) {
    after[i - p] = deps_on_marked(&f->table, deps_at(f, i));
    if (after[i - p]) deps_mark(&f->table, &f->stms->at[i], deps_at(f, i));
  }
  deps_mark_clear(&f->table);
  for (int i = p + 1; i < c; i++)
    if (after[i - p]) deps_mark(&f->table, &f->stms->at[i], deps_at(f, i));
  return !deps_on_marked(&f->table, deps_at(f, c));
}

// p's results, as far as c is their only user.
static bool *outputs_dropped(Fuse *f, const Group *g, const Stm *c, bool *all) {
  bool *drop = NEW_ARRAY(f->arena, bool, g->out_bound.len + 1);
  *all = true;
  for (int i = 0; i < g->out_bound.len; i++) {
    int here = uses_as_input(c, g->out_bound.at[i]);
    drop[i] = here > 0 && use_count(f, g->out_bound.at[i]) == here;
    *all = *all && drop[i];
  }
  return drop;
}

static Group group_at(Fuse *f, int i) {
  return group_of(f->prog, &f->stms->at[i], f->room.at[i]);
}

static bool forms_fit(const Fuse *f, const Group *p, const Group *c, bool edge) {
  if (p->form != FORM_MAP) return false;
  if (f->maps_only && (p->n_scan || p->n_red || c->n_scan || c->n_red)) return false;
  if (c->form != FORM_MAP) return edge && !p->n_scan && !p->n_red;
  if (edge && p->n_scan) return !c->n_scan && !c->n_red;
  return true;
}

// A reduction is known only after all of p.
static bool reads_reduction(const Group *p, const Group *c) {
  for (int i = 0; i < p->red_bound.len; i++)
    for (int k = 0; k < c->inputs.len; k++)
      if (atom_is_var(c->inputs.at[k], p->red_bound.at[i])) return true;
  return false;
}

static void move(Fuse *f, int from, int to) {
  f->stms->at[to] = f->stms->at[from];
  f->deps.at[to] = f->deps.at[from];
  f->room.at[to] = f->room.at[from];
}

static void move_old(Fuse *f, int i, int to) {
  f->stms->at[to] = f->old[i];
  f->deps.at[to] = f->old_deps[i];
  f->room.at[to] = f->old_room[i];
}

static void replace(Fuse *f, int p, int c, Stm fused, GroupRoom room, const bool *after) {
  Deps *deps = deps_at(f, c);
  deps_add(&f->table, deps, deps_at(f, p));
  int n = c - p + 1, at = p;
  for (int i = 0; i < n; i++) {
    f->old[i] = f->stms->at[p + i];
    f->old_deps[i] = f->deps.at[p + i];
    f->old_room[i] = f->room.at[p + i];
  }
  for (int i = 1; i < n - 1; i++)
    if (!after[i]) move_old(f, i, at++);
  f->stms->at[at] = fused;
  f->room.at[at] = room;
  f->deps.at[at++] = deps;
  for (int i = 1; i < n - 1; i++)
    if (after[i]) move_old(f, i, at++);
  for (int i = at; i + 1 < f->stms->len; i++) move(f, i + 1, i);
  f->stms->len--;
  index_body(f, p);
}

// Bodies are fused from the back; nothing looks at what stands after the consumer any more.  So
// that replacing does not move it either, statement c and those after it go to the end.
static void finish(Fuse *f, int c) {
  while (f->stms->len > c) move(f, --f->stms->len, --f->finished_from);
}

static void finish_all(Fuse *f) {
  finish(f, 0);
  while (f->finished_from < f->end) move(f, f->finished_from++, f->stms->len++);
  f->end = f->finished_from = f->stms->len;
  index_body(f, 0);
}

// c reads an array of arrays that p makes.
static bool reads_rows(const Fuse *f, const Stm *p, const Stm *c) {
  for (int i = 0; i < p->bound.len; i++)
    if (uses_as_input(c, p->bound.at[i]) && var_type(f->prog, p->bound.at[i]).rank > 1)
      return true;
  return false;
}

// p computes numbers at some cost, which maps inside c add somewhere: fission.c split them.
static bool is_separate(const Fuse *f, const Stm *p, const Stm *c) {
  return !has_acc(f, p) && has_acc(f, c) && stm_is_costly(p) && stm_adds_in_maps(c) &&
         !reads_rows(f, p, c);
}

static const Lambda *lambda_of(const Stm *stm) {
  if (stm->exp.form == FORM_MAP) return stm->exp.map.fn;
  return stm->exp.form == FORM_SCREMA ? stm->exp.screma.fn : NULL;
}

static bool is_sum(const Exp *exp) {
  return exp->form == FORM_REDUCE || (exp->form == FORM_SCREMA && exp->screma.reds.len > 0);
}

static void find_sums(void *found, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *exp = &body->stms.at[i].exp;
    if (is_sum(exp) || exp->form == FORM_LOOP) *(bool *)found = true;
    exp_each_body(exp, find_sums, found);
  }
}

// A loop in the body reads row and the body sums.
static bool sums_row(const Body *body, Var row) {
  bool reads = false, sums = false;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    reads = reads || (inputs_of(stm) && uses_as_input(stm, row));
    sums = sums || is_sum(&stm->exp);
  }
  return reads && sums;
}

// Maps in the body sum over row, again for each of their iterations.
static bool multiplies(const Body *body, Var row) {
  for (int i = 0; i < body->stms.len; i++) {
    const Lambda *fn = lambda_of(&body->stms.at[i]);
    if (fn && !uses_as_input(&body->stms.at[i], row) && sums_row(&fn->body, row)) return true;
  }
  return false;
}

// p gathers or unpacks the rows of the left factor of a product in c.  Unfused, several rows of the
// product are done at once, and its columns lie together (imp/vector/panels.c), which is worth an
// array.  Rows that are sums themselves stay with what reads them.
static bool makes_factor(const Fuse *f, const Stm *p, const Stm *c) {
  const Lambda *fn = lambda_of(c);
  const Atoms *inputs = inputs_of(c);
  bool sums = false;
  if (!fn || !lambda_of(p) || !reads_rows(f, p, c)) return false;
  exp_each_body(&p->exp, find_sums, &sums);
  if (sums) return false;
  for (int i = 0; i < inputs->len; i++)
    if (binds(p, inputs->at[i]) && multiplies(&fn->body, fn->params.at[i])) return true;
  return false;
}

// Puts statement p into statement c of the body; the position of the result, or -1.
static int try_fuse(Fuse *f, int p, int c, bool edge) {
  const Stm *sp = &f->stms->at[p], *sc = &f->stms->at[c];
  if (!atom_same(width_of(sp), width_of(sc)) || sp->attrs.opaque || sc->attrs.opaque) return -1;
  if (inputs_of(sp)->len + inputs_of(sc)->len > OPERANDS) return -1;
  if (sp->bound.len + sc->bound.len > OUTPUTS) return -1;
  if (!memory_disjoint(f, p, c) || free_use(f, sp, c)) return -1;
  if (has_acc(f, sp) && has_acc(f, sc) && !accs_commute(f, sp)) return -1;
  // A sum of rows in order would delay the rest.
  if (sp->attrs.sequential != sc->attrs.sequential && (has_acc(f, sp) || has_acc(f, sc))) return -1;
  if (is_separate(f, sp, sc) || (f->maps_only && !reads_rows(f, sp, sc))) return -1;
  if (!f->maps_only && makes_factor(f, sp, sc)) return -1;
  Group gp = group_at(f, p), gc = group_at(f, c);
  if (!forms_fit(f, &gp, &gc, edge) || reads_reduction(&gp, &gc)) return -1;
  // After a scan rows are only read.
  if (edge && gp.n_scan && deps_at(f, c)->consumes.len) return -1;
  // Accumulators go through plain maps only.
  if ((has_acc(f, sp) || has_acc(f, sc)) && gp.n_scan + gp.n_red + gc.n_scan + gc.n_red) return -1;
  bool all, *drop = outputs_dropped(f, &gp, sc, &all);
  if (gc.form != FORM_MAP && !all) return -1;
  bool *after = NEW_ARRAY(f->arena, bool, c - p + 1);
  if (!split_between(f, p, c, after)) return -1;
  int late = 0;
  for (int i = 1; i < c - p; i++) late += after[i];
  Group g = group_merge(f->prog, gp, gc, drop);
  replace(f, p, c, group_stm(f->prog, &g, sc), g.room, after);
  f->fused++;
  return c - 1 - late;
}

// The nearest earlier statement that makes an input of c and has not been tried.
static int next_producer(const Fuse *f, int c, int before) {
  const Atoms *inputs = inputs_of(&f->stms->at[c]);
  int best = -1;
  for (int i = 0; i < inputs->len; i++) {
    if (!inputs->at[i].is_var || (int)inputs->at[i].var.id >= f->def.len) continue;
    int d = f->def.at[inputs->at[i].var.id];
    if (d >= 0 && d < before && d > best && stm_is_group(&f->stms->at[d])) best = d;
  }
  return best;
}

// A scan or reduction of equal values takes them from a lambda: no array is made.
static bool takes_replicate(const Fuse *f, const Stm *stm) {
  if (stm->exp.form != FORM_REDUCE && stm->exp.form != FORM_SCAN) return false;
  const Atoms *inputs = inputs_of(stm);
  for (int i = 0; i < inputs->len; i++) {
    Atom a = inputs->at[i];
    int d = a.is_var && (int)a.var.id < f->def.len ? f->def.at[a.var.id] : -1;
    if (d < 0) continue;
    const Exp *x = &f->stms->at[d].exp;
    if (x->form == FORM_REPLICATE && type_is_scalar(atom_type(f->prog, x->replicate.arg)) &&
        x->replicate.dims.len == 1)
      return true;
  }
  return false;
}

static void replicates_inside(Fuse *f) {
  for (int i = 0; i < f->stms->len; i++) {
    Stm *stm = &f->stms->at[i];
    if (!takes_replicate(f, stm)) continue;
    Group g = group_at(f, i);
    *stm = group_stm(f->prog, &g, stm);
    f->fused++;
  }
}

static void fuse_vertically(Fuse *f) {
  for (int c = f->stms->len - 1; c > 0; finish(f, c--)) {
    if (!stm_is_group(&f->stms->at[c])) continue;
    int p = next_producer(f, c, c);
    while (p >= 0) {
      int at = try_fuse(f, p, c, true);
      if (at >= 0) finish(f, (c = at) + 1);
      p = next_producer(f, c, at >= 0 ? c : p);
    }
  }
  finish_all(f);
}

// Then share_input answers for c.
static void note_inputs(Fuse *f, const Stm *c) {
  const Atoms *inputs = inputs_of(c);
  f->reader++;
  while (f->read.len < f->prog->vars.len) list_push(f->arena, &f->read, 0);
  for (int i = 0; i < inputs->len; i++)
    if (inputs->at[i].is_var) f->read.at[inputs->at[i].var.id] = f->reader;
}

static bool share_input(const Fuse *f, const Stm *p) {
  const Atoms *x = inputs_of(p);
  for (int i = 0; i < x->len; i++)
    if (x->at[i].is_var && f->read.at[x->at[i].var.id] == f->reader &&
        !var_type(f->prog, x->at[i].var).is_acc)
      return true;
  return false;
}

static bool is_nested(const Group *g) {
  for (int i = 0; i < g->fn->body.stms.len; i++)
    if (exp_has_parts(&g->fn->body.stms.at[i].exp)) return true;
  return false;
}

// Joining saves reading the common input twice; it must not put loops next to straight code, nor
// independent iterations under a scan.
static bool alike(Fuse *f, int p, int c) {
  Group a = group_at(f, p), b = group_at(f, c);
  if (!a.n_scan != !b.n_scan || is_nested(&a) != is_nested(&b)) return false;
  return !is_nested(&a) || !a.n_red == !b.n_red;
}

enum { NEIGHBOURS = 32 };
static void fuse_horizontally(Fuse *f) {
  for (int c = f->stms->len - 1; c > 0; finish(f, c--)) {
    if (!stm_is_group(&f->stms->at[c])) continue;
    note_inputs(f, &f->stms->at[c]);
    for (int p = c - 1; p >= 0 && p >= c - NEIGHBOURS; p--) {
      if (!stm_is_group(&f->stms->at[p]) || !share_input(f, &f->stms->at[p])) continue;
      bool linked = false;
      const Atoms *inputs = inputs_of(&f->stms->at[c]);
      for (int i = 0; i < inputs->len; i++)
        linked = linked || binds(&f->stms->at[p], inputs->at[i]);
      linked = linked || !alike(f, p, c);
      int at = linked ? -1 : try_fuse(f, p, c, false);
      if (at < 0) continue;
      finish(f, (p = c = at) + 1);
      note_inputs(f, &f->stms->at[c]);
    }
  }
  finish_all(f);
}

static void fuse_body(Fuse *f, Body *body);

static void fuse_inside(Fuse *f, Stm *stm) {
  if (!exp_has_parts(&stm->exp)) return;
  if (stm->exp.form == FORM_WITHACC)
    for (int i = 0; i < stm->exp.withacc.arrays.len; i++)
      map_put(f->acc_ops, stm->exp.withacc.fn->params.at[i].id, &stm->exp.withacc.ops.at[i]);
  bool operator = stm->exp.form == FORM_VJP || stm->exp.form == FORM_JVP;
  f->operators += operator;
  Parts parts = exp_parts(f->arena, &stm->exp);
  for (int i = 0; i < parts.len; i++) fuse_body(f, parts.at[i].body);
  f->operators -= operator;
}

static void fuse_body(Fuse *f, Body *body) {
  f->stms = &body->stms;
  f->deps.len = 0;
  f->room.len = 0;
  for (int i = 0; i < body->stms.len; i++) list_push(f->arena, &f->deps, NULL);
  for (int i = 0; i < body->stms.len; i++) list_push(f->arena, &f->room, (GroupRoom){0});
  f->end = f->finished_from = body->stms.len;
  index_body(f, 0);
  if (!f->maps_only) replicates_inside(f);
  if (!f->maps_only || f->operators) fuse_vertically(f);
  if (!f->maps_only) fuse_horizontally(f);
  for (int i = 0; i < body->stms.len; i++)
    for (int k = 0; k < body->stms.at[i].bound.len; k++)
      f->def.at[body->stms.at[i].bound.at[k].id] = -1;
  for (int i = 0; i < body->stms.len; i++) fuse_inside(f, &body->stms.at[i]);
}

static int fuse_round(Prog *prog, bool maps_only) {
  Arena *scratch = arena_beside(prog->arena);
  Fuse f = {.prog = prog, .arena = scratch, .maps_only = maps_only};
  f.uses = uses_compute(scratch, prog);
  f.classes = alias_classes_compute(scratch, prog);
  f.table = deps_table(prog, scratch, &f.classes);
  f.acc_ops = map_new(scratch);
  for (int i = 0; i < prog->fns.len; i++) fuse_body(&f, &prog->fns.at[i]->body);
  arena_free(scratch);
  return f.fused;
}

static Prog *fuse_own(Prog *prog, Arena *arena, bool maps_only) {
  Prog *out = prog_own(prog, arena);
  out->changed = fuse_round(out, maps_only) > 0;
  out->at_fixpoint = prog->at_fixpoint && !out->changed;
  return out;
}

// Fusing lambdas makes their statements neighbours, so each run reaches one level deeper.
// needs: any program; better after simplify.  leaves: no producer of an array whose only use is as
// input of a combinator of the same width, where legal and on the levels reached.  cost: per pair
// of neighbours, linear in the statements between them, at most SPAN.
Prog *pass_fuse(Prog *prog, Arena *arena) { return fuse_own(prog, arena, false); }

// Before differentiation.  An array of rows between two maps has a dense adjoint, though the second
// map may read one element a row (a minimum): as one map, each row has its own adjoint and the
// selection rule.  An array of numbers stays: the reverse sweep reads it instead of computing it.
// needs, leaves, cost: as pass_fuse, for maps alone over arrays of rows in functions that
// are differentiated; makes no SCREMA.
Prog *pass_fuse_maps(Prog *prog, Arena *arena) { return fuse_own(prog, arena, true); }
