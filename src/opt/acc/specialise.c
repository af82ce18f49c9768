// Accumulators to reductions and plain arrays (doc/accumulators.md).  Reverse mode makes
// `withacc` around nests of maps that add into an array.  Innermost first:
//
//   private sums   an update whose index does not vary with the map (or loop) around it is summed
//                  by a reduction (a loop parameter) and done once
//   loop order     nest.c: nests whose only work is one update run in the order of memory
//   plain arrays   a nest that writes every cell of a zero array exactly once is a map
//   sums           scatter_to_gather.c: updates at indices that can be solved for the iterations
//                  are a map of sums
//
// needs operators that are commutative, as those of accumulators are.
#include "acc.h"

const Operator *acc_operator(const Acc *a, Atom acc) {
  Type t = atom_type(a->prog, acc);
  const Operator *op = t.is_acc ? map_get(a->ops, t.token.id) : NULL;
  return op && op->op && op->neutral.len == 1 ? op : NULL;
}

static void mark_vars(Acc *a, const Vars *vars) {
  for (int i = 0; i < vars->len; i++) a->inner[vars->at[i].id] = a->stamp;
}

static void mark_body(Acc *a, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    mark_vars(a, &body->stms.at[i].bound);
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(a->scratch, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) {
      if (parts.at[k].fn) mark_vars(a, &parts.at[k].fn->params);
      mark_body(a, parts.at[k].body);
    }
  }
}

static void mark_begin(Acc *a) {
  if (a->prog->vars.len > a->cap) {
    a->cap = a->prog->vars.len * 2;
    a->inner = NEW_ARRAY(a->scratch, int, a->cap);
    a->stamp = 0;
  }
  a->stamp++;
  a->marked = NULL;
}

void acc_mark_inner(Acc *a, const Lambda *fn) {
  if (a->marked == fn) return;
  mark_begin(a);
  mark_vars(a, &fn->params);
  mark_body(a, &fn->body);
  a->marked = fn;
}

// Without what is bound deeper, of which statements standing directly in the lambda see nothing.
static void mark_directly(Acc *a, const Lambda *fn) {
  mark_begin(a);
  mark_vars(a, &fn->params);
  for (int i = 0; i < fn->body.stms.len; i++) mark_vars(a, &fn->body.stms.at[i].bound);
}

bool acc_is_inner(const Acc *a, Atom x) {
  return x.is_var && (int)x.var.id < a->cap && a->inner[x.var.id] == a->stamp;
}

void acc_define(Acc *a, Var v, Exp exp) {
  map_put(a->defs, v.id, arena_copy(a->scratch, &exp, sizeof exp));
}

void acc_name(Acc *a, Var v, Var dim) {
  acc_define(a, v, (Exp){.form = FORM_ATOM, .atom = {atom_var(dim)}});
  list_push(a->scratch, &a->named, v);
}

void acc_names_forget(Acc *a) {
  for (int i = 0; i < a->named.len; i++) map_put(a->defs, a->named.at[i].id, NULL);
  a->named.len = 0;
}

// ---- private sums
typedef struct {
  Atoms index;
  Atom value;
  const Operator *op;
  Var token;
} Sum;
typedef LIST(Sum) Sums;

static bool index_outside(const Acc *a, const Atoms *index) {
  for (int i = 0; i < index->len; i++)
    if (acc_is_inner(a, index->at[i])) return false;
  return true;
}

// Updates standing directly in the lambda whose index comes from outside it; they become names of
// the accumulator they were given.
static Sums take_sums(Acc *a, Lambda *fn) {
  Sums sums = {0};
  mark_directly(a, fn);
  for (int i = 0; i < fn->body.stms.len; i++) {
    Stm *stm = &fn->body.stms.at[i];
    if (stm->exp.form != FORM_UPDATEACC) continue;
    const struct updateacc_form *u = &stm->exp.updateacc;
    const Operator *op = acc_operator(a, u->acc);
    if (!op || !index_outside(a, &u->index)) continue;
    if (!type_is_scalar(atom_type(a->prog, u->value))) continue;
    if (!prog_may(a->prog, SWITCH_PRIVATE_SUMS)) continue;
    Sum sum = {u->index, u->value, op, atom_type(a->prog, u->acc).token};
    list_push(a->scratch, &sums, sum);
    stm->exp = (Exp){.form = FORM_ATOM, .atom = {u->acc}};
    a->changed = true;
  }
  return sums;
}

// The result of stm that carries the accumulator is bound anew, so that updates can follow.
static Var *acc_result(Acc *a, Stm *stm, Var token) {
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(a->prog, stm->bound.at[i]);
    if (t.is_acc && t.token.id == token.id) return &stm->bound.at[i];
  }
  ice("an accumulator is lost");
}

// acc' = update acc index value for every sum, the last under the name the statement bound before.
static void updates_after(Acc *a, Stms *out, int at, const Sums *sums, const Atoms *values) {
  Stms updates = {0};
  for (int i = 0; i < sums->len; i++) {
    const Sum *sum = &sums->at[i];
    Var *slot = acc_result(a, &out->at[at], sum->token);
    Var old = *slot, now = var_new(a->prog, var_info(a->prog, old)->base, var_type(a->prog, old));
    *slot = now;
    Stm update = {.exp = {.form = FORM_UPDATEACC,
                          .updateacc = {.acc = atom_var(now), .index = sum->index,
                                        .value = values->at[i]}},
                  .loc = out->at[at].loc};
    list_push(a->arena, &update.bound, old);
    list_push(a->scratch, &updates, update);
  }
  // Each renamed what the one before takes: the last comes first.
  for (int i = updates.len - 1; i >= 0; i--) list_push(a->arena, out, updates.at[i]);
}

static void sums_of_map(Acc *a, Stms *out, Stm *stm) {
  struct map_form *m = &stm->exp.map;
  Sums sums = take_sums(a, m->fn);
  Vars parts = {0};
  Atoms totals = {0};
  for (int i = 0; i < sums.len; i++) {
    Type t = atom_type(a->prog, sums.at[i].value);
    Var v = var_new(a->prog, "part", type_array(a->arena, t, m->width));
    list_push(a->arena, &m->fn->body.results, sums.at[i].value);
    list_push(a->arena, &m->fn->rets, t);
    list_push(a->arena, &stm->bound, v);
    list_push(a->arena, &parts, v);
  }
  int at = out->len;
  list_push(a->arena, out, *stm);
  for (int i = 0; i < sums.len; i++) {
    Builder b = builder_new(a->prog, out);
    b.loc = stm->loc;
    Atom part = atom_var(parts.at[i]);
    Exp reduce = {.form = FORM_REDUCE,
                  .reduce = {.width = m->width, .comm = true,
                             .op = lambda_copy(&b, sums.at[i].op->op),
                             .neutral = atoms_concat(a->arena, sums.at[i].op->neutral, (Atoms){0}),
                             .inputs = atoms_of(a->arena, 1, &part)}};
    list_push(a->scratch, &totals,
              build(&b, "total", atom_type(a->prog, sums.at[i].value), reduce));
  }
  updates_after(a, out, at, &sums, &totals);
}

static void sums_of_loop(Acc *a, Stms *out, Stm *stm) {
  struct loop_form *l = &stm->exp.loop;
  Sums sums = take_sums(a, l->fn);
  Vars totals = {0};
  for (int i = 0; i < sums.len; i++) {
    Type t = atom_type(a->prog, sums.at[i].value);
    Var param = var_new(a->prog, "sum", t), total = var_new(a->prog, "total", t);
    Builder b = builder_new(a->prog, &l->fn->body.stms);
    b.loc = stm->loc;
    Atom args[] = {atom_var(param), sums.at[i].value};
    Atoms next = lambda_inline(&b, sums.at[i].op->op, atoms_of(a->arena, 2, args));
    list_push(a->arena, &l->fn->params, param);
    list_push(a->arena, &l->fn->body.results, next.at[0]);
    list_push(a->arena, &l->fn->rets, t);
    list_push(a->arena, &l->inits, sums.at[i].op->neutral.at[0]);
    list_push(a->arena, &stm->bound, total);
    list_push(a->arena, &totals, total);
  }
  int at = out->len;
  list_push(a->arena, out, *stm);
  Atoms values = atoms_of_vars(a->arena, totals);
  updates_after(a, out, at, &sums, &values);
}

// ---- plain arrays
// One level of the nest from a zero array to the update that writes a cell of it.
typedef struct {
  Stm *stm;
  int pos;  // of the accumulator among the inputs
  int out;  // and among the results
} NestLevel;
enum { LEVELS = 8 };

static int input_at(const Atoms *inputs, Atom acc) {
  for (int i = 0; i < inputs->len; i++)
    if (atom_same(inputs->at[i], acc)) return i;
  return -1;
}

// The one statement of the body that uses acc; NULL when there is none or it is used deeper.
static Stm *user_of(Body *body, Atom acc) {
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_UPDATEACC && atom_same(stm->exp.updateacc.acc, acc)) return stm;
    if (stm->exp.form == FORM_MAP && input_at(&stm->exp.map.inputs, acc) >= 0) return stm;
  }
  return NULL;
}

static int result_at(const Atoms *results, Var v) {
  for (int i = 0; i < results->len; i++)
    if (atom_is_var(results->at[i], v)) return i;
  return -1;
}

static bool is_index_of(const Acc *a, const struct map_form *m, Atom x) {
  for (int i = 0; i < m->inputs.len; i++)
    if (atom_is_var(x, m->fn->params.at[i]))
      return map_get(a->iotas, m->inputs.at[i].var.id) != NULL;
  return false;
}

// Follows acc inwards; the depth of the nest, or 0 when it is not of the shape.
static int nest_levels(Acc *a, Body *body, Atom acc, const Type *t, NestLevel *levels,
                       Stm **update) {
  Stm *stm = user_of(body, acc);
  for (int depth = 0; stm; depth++) {
    if (stm->exp.form == FORM_UPDATEACC) {
      const struct updateacc_form *u = &stm->exp.updateacc;
      if (u->index.len != depth || depth == 0) return 0;
      for (int i = 0; i < depth; i++)
        if (!is_index_of(a, &levels[i].stm->exp.map, u->index.at[i])) return 0;
      *update = stm;
      return depth;
    }
    struct map_form *m = &stm->exp.map;
    if (depth == LEVELS || depth >= t->rank || !atom_same(m->width, t->dims[depth])) return 0;
    levels[depth].stm = stm;
    levels[depth].pos = input_at(&m->inputs, acc);
    acc = atom_var(m->fn->params.at[levels[depth].pos]);
    stm = user_of(&m->fn->body, acc);
    if (!stm) return 0;
    // The level's result for the accumulator is the result of its one user.
    int out = -1;
    for (int i = 0; i < stm->bound.len && out < 0; i++)
      if (var_info(a->prog, stm->bound.at[i])->type.is_acc &&
          var_info(a->prog, stm->bound.at[i])->type.token.id == t->token.id)
        out = result_at(&m->fn->body.results, stm->bound.at[i]);
    if (out < 0) return 0;
    levels[depth].out = out;
  }
  return 0;
}

// Innermost first, the accumulator results become arrays of what was added.
static Atom nest_to_map(Acc *a, NestLevel *levels, int depth, const Stm *update) {
  Atom value = update->exp.updateacc.value;
  for (int d = depth - 1; d >= 0; d--) {
    Stm *stm = levels[d].stm;
    struct map_form *m = &stm->exp.map;
    Type t = atom_type(a->prog, value);
    t.unique = false;
    m->fn->body.results.at[levels[d].out] = value;
    m->fn->rets.at[levels[d].out] = t;
    Var now = var_new(a->prog, "contrib", type_array(a->arena, t, m->width));
    stm->bound.at[levels[d].out] = now;
    value = atom_var(now);
    if (d == depth - 1) {
      for (int i = 0; i < m->fn->body.stms.len; i++)
        if (&m->fn->body.stms.at[i] == update) {
          Stms *s = &m->fn->body.stms;
          for (int k = i; k + 1 < s->len; k++) s->at[k] = s->at[k + 1];
          s->len--;
          break;
        }
    }
  }
  for (int d = 0; d < depth; d++) {
    struct map_form *m = &levels[d].stm->exp.map;
    lambda_drop_param(m->fn, levels[d].pos);
    atoms_drop(&m->inputs, levels[d].pos);
  }
  return value;
}

static bool is_sum(const Operator *op) {
  Op which;
  Prim p;
  return lambda_is_op(op->op, &which, &p) && which == OP_ADD;
}

static bool nest_array(Acc *a, struct withacc_form *w, int k, const Type *t, Atom *contrib) {
  NestLevel levels[LEVELS];
  Stm *update;
  int depth = nest_levels(a, &w->fn->body, atom_var(w->fn->params.at[k]), t, levels, &update);
  if (!depth) return false;
  Var last = levels[0].stm->bound.at[levels[0].out];
  if (!atom_is_var(w->fn->body.results.at[k], last)) return false;
  if (!prog_may(a->prog, SWITCH_ACC_CELLS)) return false;
  *contrib = nest_to_map(a, levels, depth, update);
  a->marked = NULL;
  return true;
}

// Accumulator k written once per cell: its array is the former contents plus the sum.
// early: the maps inside have not been looked at.  solvable: perhaps scatter_to_gather.c can.
static bool acc_to_array(Acc *a, Stms *after, Stm *stm, int k, bool early, bool solvable) {
  struct withacc_form *w = &stm->exp.withacc;
  Var p = w->fn->params.at[k];
  Type t = var_type(a->prog, p);
  const Operator *op = acc_operator(a, atom_var(p));
  Atom contrib;
  if (!op || !is_sum(op)) return false;
  bool plain = !early && nest_array(a, w, k, &t, &contrib);
  if (!plain && !(solvable && acc_gather(a, stm, k, !early, &contrib))) return false;
  a->changed = true;
  if (!contrib.is_var) return true;
  Atom array = w->arrays.at[k];
  Var y = stm->bound.at[k];
  Type whole = atom_type(a->prog, contrib);
  // The accumulator goes; what was added leaves as one more result.
  withacc_drop(stm, k);
  list_push(a->arena, &w->fn->body.results, contrib);
  list_push(a->arena, &w->fn->rets, whole);
  Var added = var_new(a->prog, "contrib", whole);
  list_push(a->arena, &stm->bound, added);
  Builder b = builder_new(a->prog, after);
  b.loc = stm->loc;
  bool zero = array.is_var && map_get(a->zeros, array.var.id);
  Atom sum = zero ? atom_var(added) : build_add(&b, array, atom_var(added));
  Stm bind = {.exp = {.form = FORM_ATOM, .atom = {sum}}, .loc = stm->loc};
  list_push(a->arena, &bind.bound, y);
  list_push(a->arena, after, bind);
  return true;
}

static void arrays_of_withacc(Acc *a, Stms *after, Stm *stm, bool early) {
  const struct withacc_form *w = &stm->exp.withacc;
  a->marked = NULL;
  const Map *data = w->arrays.len > 1 ? acc_indirect(a, &w->fn->body) : NULL;
  for (int k = w->arrays.len - 1; k >= 0; k--) {
    Var token = var_type(a->prog, w->fn->params.at[k]).token;
    acc_to_array(a, after, stm, k, early, !data || !map_get(data, token.id));
  }
  a->marked = NULL;
  for (int k = 0; k < w->arrays.len; k++) map_put(a->ops, w->fn->params.at[k].id, &w->ops.at[k]);
}

// ---- the walk
void acc_note_sizes(Acc *a, const Vars *vars) {
  for (int i = 0; i < vars->len; i++) {
    Type t = var_type(a->prog, vars->at[i]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var) map_put(a->sizes, t.dims[d].var.id, a);
  }
}

static void note_facts(Acc *a, const Stm *stm) {
  const Exp *x = &stm->exp;
  acc_note_sizes(a, &stm->bound);
  if (exp_counts(a->prog, x)) map_put(a->iotas, stm->bound.at[0].id, a);
  if (x->form == FORM_PRIM && x->prim.prim == PRIM_I64) acc_define(a, stm->bound.at[0], *x);
  if (x->form == FORM_REPLICATE && !x->replicate.arg.is_var && atom_is(x->replicate.arg, 0))
    map_put(a->zeros, stm->bound.at[0].id, a);
}

static void note_all(Acc *a, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    note_facts(a, &stm);
    if (!exp_has_parts(&stm.exp)) continue;
    Parts parts = exp_parts(a->scratch, &stm.exp);
    for (int k = 0; k < parts.len; k++) note_all(a, parts.at[k].body);
  }
}

static void acc_body(Acc *a, Body *body);

static void acc_parts(Acc *a, Stm *stm) {
  Parts parts = exp_parts(a->scratch, &stm->exp);
  bool repeats = stm->exp.form == FORM_MAP || stm->exp.form == FORM_LOOP;
  a->depth += repeats;
  for (int i = 0; i < parts.len; i++) acc_body(a, parts.at[i].body);
  a->depth -= repeats;
}

// Whole nests first, then from the inside out.
static void acc_withacc(Acc *a, Stms *out, Stm *stm) {
  struct withacc_form *w = &stm->exp.withacc;
  Stms after = {0};
  for (int i = 0; i < w->arrays.len; i++) map_put(a->ops, w->fn->params.at[i].id, &w->ops.at[i]);
  note_all(a, &w->fn->body);
  arrays_of_withacc(a, &after, stm, true);
  acc_parts(a, stm);
  acc_split(a, out, stm);
  arrays_of_withacc(a, &after, stm, false);
  list_push(a->arena, out, *stm);
  for (int i = 0; i < after.len; i++) list_push(a->arena, out, after.at[i]);
}

static void acc_stm(Acc *a, Stms *out, Stm *stm) {
  note_facts(a, stm);
  if (stm->exp.form == FORM_WITHACC) {
    acc_withacc(a, out, stm);
    return;
  }
  if (exp_has_parts(&stm->exp)) acc_parts(a, stm);
  switch ((int)stm->exp.form) {
  case FORM_MAP:
    if (acc_fission(a, out, stm)) break;  // what is left is a nest now, for acc_gather
    if (!acc_reorder(a, out, stm)) sums_of_map(a, out, stm);
    return;
  case FORM_LOOP: sums_of_loop(a, out, stm); return;
  }
  list_push(a->arena, out, *stm);
}

static void acc_body(Acc *a, Body *body) {
  Stms out = {0};
  list_reserve(a->arena, &out, body->stms.len);
  for (int i = 0; i < body->stms.len; i++) acc_stm(a, &out, &body->stms.at[i]);
  body->stms = out;
}

static bool accspec_prog(Prog *prog, bool to_read) {
  Arena *scratch = arena_beside(prog->arena);
  Acc a = {.prog = prog, .arena = prog->arena, .scratch = scratch, .ops = map_new(scratch),
           .iotas = map_new(scratch), .zeros = map_new(scratch), .sizes = map_new(scratch),
           .defs = map_new(scratch), .to_read = to_read};
  Body constants = {.stms = prog->constants};
  acc_loops(&a, &constants);
  acc_body(&a, &constants);
  prog->constants = constants.stms;
  for (int i = 0; i < prog->fns.len; i++) {
    acc_note_sizes(&a, &prog->fns.at[i]->params);
    acc_loops(&a, &prog->fns.at[i]->body);
    acc_body(&a, &prog->fns.at[i]->body);
  }
  arena_free(scratch);
  return a.changed;
}

// needs: simplified and fused, so that updates stand in nests of maps.  leaves: no update whose
// index ignores the innermost map or loop around it; arrays written cell by cell are maps;
// simplify and fuse follow.  cost: a few linear walks.
static Prog *accspec(Prog *prog, Arena *arena, bool to_read) {
  Prog *out = prog_own(prog, arena);
  out->changed = accspec_prog(out, to_read);
  out->at_fixpoint = prog->at_fixpoint && !out->changed;
  return out;
}

Prog *pass_accspec(Prog *prog, Arena *arena) { return accspec(prog, arena, false); }

// The same for text that is read: an array of sums is one also where a sum would be slower than
// additions row by row.
Prog *pass_accsums(Prog *prog, Arena *arena) { return accspec(prog, arena, true); }
