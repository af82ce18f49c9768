// Small arrays of constant shape become scalars.  Combinators and loops of few constant trips are
// written out, but for maps that are better off as vector code (vector_cost.c); the simplifier,
// told to, turns updates of literals into literals and reads of literals into names; loop
// parameters and branch results that are only read at constant places are passed element by
// element.  A branch that writes one element at a place that is not constant hands on the array:
// all its elements would have to be read.  So stays a reduction of arrays that were written so, in
// a loop: they are in memory anyway.
#include "opt/common/local.h"

enum { WIDTH = 16, WORK = 400 };  // trips, and statements written out
typedef struct {
  Prog *prog;
  Arena *arena, *scratch;
  AliasClasses classes;
  bool *dynamic;  // by variable: used otherwise than at constant places
  bool *written;  // by variable: an array after writes at other places
  bool changed;
  bool lanes;     // inside a form whose iterations run in SIMD lanes
} Scalars;

bool type_is_small(Type t, int64_t *count) {
  int64_t n = 1, k;
  if (t.rank == 0 || t.is_acc) return false;
  for (int i = 0; i < t.rank; i++) {
    if (!atom_const_i64(t.dims[i], &k) || k < 1 || k > SMALL_ARRAY) return false;
    n *= k;
  }
  *count = n;
  return n <= SMALL_ARRAY;
}

// ---- arrays that stay
static bool slice_is_constant(const Slice *slice) {
  int64_t k;
  for (int i = 0; i < slice->len; i++)
    if (!slice->at[i].is_fix || !atom_const_i64(slice->at[i].start, &k)) return false;
  return true;
}

// Whether one of the bodies hands such an array on as result k.
static bool is_written(const Scalars *s, Parts bodies, int k) {
  for (int i = 0; i < bodies.len; i++) {
    Atom result = bodies.at[i].body->results.at[k];
    if (result.is_var && s->written[result.var.id]) return true;
  }
  return false;
}

static void written_of_body(Scalars *s, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    Exp x = stm->exp;
    if (x.form == FORM_UPDATE)
      s->written[stm->bound.at[0].id] = !slice_is_constant(&x.update.slice);
    if (!exp_has_parts(&x)) continue;
    Parts parts = exp_parts(s->scratch, &x);
    for (int k = 0; k < parts.len; k++) written_of_body(s, parts.at[k].body);
    for (int k = 0; k < stm->bound.len && (x.form == FORM_MATCH || x.form == FORM_LOOP); k++)
      s->written[stm->bound.at[k].id] = is_written(s, parts, k);
  }
}

static void written_of(Scalars *s) {
  s->written = NEW_ARRAY(s->scratch, bool, s->prog->vars.len);
  for (int i = 0; i < s->prog->fns.len; i++) written_of_body(s, &s->prog->fns.at[i]->body);
}

// ---- writing out
static int work_of(Scalars *s, const Body *body) {
  int n = body->stms.len;
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    if (body->stms.at[i].exp.form != FORM_MATCH) return 1 << 20;
    Parts parts = exp_parts(s->scratch, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) {
      int inner = work_of(s, parts.at[k].body);
      n = inner > WORK ? 1 << 20 : n + inner;
    }
  }
  return n;
}

static bool is_short(Scalars *s, Atom width, const Lambda *fn, int64_t *n) {
  if (!atom_const_i64(width, n) || *n < 1 || *n > WIDTH) return false;
  return *n * (work_of(s, &fn->body) + 1) <= WORK;
}

static bool overwrites(Scalars *s, const Exp *exp) {
  Atoms consumed = exp_consumes(s->prog, s->scratch, exp);
  for (int i = 0; i < consumed.len; i++)
    if (!atom_type(s->prog, consumed.at[i]).is_acc) return true;
  return false;
}

static Atom element(Builder *b, Atom array, int64_t i) {
  Atom at = atom_i64(i);
  if (atom_type(b->prog, array).is_acc) return array;
  return build_index(b, array, atoms_of(b->prog->arena, 1, &at));
}

static Atoms elements_at(Builder *b, const Atoms *inputs, int64_t i) {
  Atoms out = {0};
  for (int k = 0; k < inputs->len; k++)
    list_push(b->prog->arena, &out, element(b, inputs->at[k], i));
  return out;
}

static void bind(Scalars *s, Stms *out, const Stm *like, Var v, Exp exp) {
  Stm stm = {.exp = exp, .loc = like->loc};
  list_push(s->arena, &stm.bound, v);
  list_push(s->arena, out, stm);
}

static void bind_atom(Scalars *s, Stms *out, const Stm *like, Var v, Atom a) {
  bind(s, out, like, v, (Exp){.form = FORM_ATOM, .atom = {a}});
}

static void bind_literal(Scalars *s, Stms *out, const Stm *like, Var v, Atoms elems) {
  bind(s, out, like, v, (Exp){.form = FORM_LITERAL,
                              .literal = {.prim = var_type(s->prog, v).prim, .elems = elems}});
}

// Binds v to the array of these elements, row by row.
static void array_of(Scalars *s, Stms *out, const Stm *like, Var v, const Atom *elems) {
  Type t = var_type(s->prog, v);
  Atoms parts = {0};
  int64_t count = 1;
  for (int d = 1; d < t.rank; d++) count *= t.dims[d].value.i;
  for (int64_t i = 0; i < t.dims[0].value.i; i++) {
    if (t.rank == 1) {
      list_push(s->arena, &parts, elems[i]);
      continue;
    }
    Type row = type_row(t);
    row.unique = false;
    Var r = var_new(s->prog, var_info(s->prog, v)->base, row);
    array_of(s, out, like, r, elems + i * count);
    list_push(s->arena, &parts, atom_var(r));
  }
  bind_literal(s, out, like, v, parts);
}

static bool write_out_map(Scalars *s, Stms *out, const Stm *stm) {
  const struct map_form *m = &stm->exp.map;
  int64_t n;
  if (!is_short(s, m->width, m->fn, &n) || overwrites(s, &stm->exp)) return false;
  if (!s->lanes && map_is_vectorisable(prog_machine(s->prog), m->fn, n)) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms *rows = NEW_ARRAY(s->scratch, Atoms, stm->bound.len + 1);
  Atoms inputs = atoms_concat(s->arena, m->inputs, (Atoms){0});
  for (int64_t i = 0; i < n; i++) {
    Atoms results = lambda_inline(&b, m->fn, elements_at(&b, &inputs, i));
    for (int k = 0; k < results.len; k++) {
      list_push(s->arena, &rows[k], results.at[k]);
      Type t = atom_type(s->prog, results.at[k]);
      if (!t.is_acc) continue;
      for (int j = 0; j < inputs.len; j++) {
        Type in = atom_type(s->prog, inputs.at[j]);
        if (in.is_acc && in.token.id == t.token.id) inputs.at[j] = results.at[k];
      }
    }
  }
  for (int k = 0; k < stm->bound.len; k++) {
    if (var_type(s->prog, stm->bound.at[k]).is_acc)
      bind_atom(s, out, stm, stm->bound.at[k], rows[k].at[n - 1]);
    else bind_literal(s, out, stm, stm->bound.at[k], rows[k]);
  }
  return true;
}

static void atoms_add(Scalars *s, Atoms *lists, Atoms atoms) {
  for (int k = 0; k < atoms.len; k++) list_push(s->arena, &lists[k], atoms.at[k]);
}

// state = op(state, element); the states before (after) each step when `before` (`after`) is given.
static Atoms write_out_fold(Scalars *s, Builder *b, const Lambda *op, Atoms neutral,
                            const Atoms *inputs, int64_t n, Atoms *before, Atoms *after) {
  Atoms state = neutral;
  for (int64_t i = 0; i < n; i++) {
    if (before) atoms_add(s, before, state);
    Atoms args = atoms_concat(s->arena, state, elements_at(b, inputs, i));
    state = lambda_inline(b, op, args);
    if (after) atoms_add(s, after, state);
  }
  return state;
}

static bool all_written(const Scalars *s, Atoms arrays) {
  for (int i = 0; i < arrays.len; i++)
    if (!arrays.at[i].is_var || !s->written[arrays.at[i].var.id]) return false;
  return true;
}

static bool write_out_reduce(Scalars *s, Stms *out, const Stm *stm) {
  const struct reduce_form *r = &stm->exp.reduce;
  int64_t n;
  if (!is_short(s, r->width, r->op, &n) || overwrites(s, &stm->exp)) return false;
  if (all_written(s, r->inputs)) return false;
  for (int i = 0; i < r->op->body.stms.len; i++)
    if (r->op->body.stms.at[i].exp.form == FORM_UPDATE) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms state = write_out_fold(s, &b, r->op, r->neutral, &r->inputs, n, NULL, NULL);
  for (int k = 0; k < stm->bound.len; k++)
    bind_atom(s, out, stm, stm->bound.at[k], state.at[k]);
  return true;
}

static bool write_out_scan(Scalars *s, Stms *out, const Stm *stm) {
  const struct scan_form *r = &stm->exp.scan;
  int64_t n;
  if (!is_short(s, r->width, r->op, &n) || overwrites(s, &stm->exp)) return false;
  if (!stm_binds_scalars(s->prog, &(Stm){.bound = r->op->params})) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms *all = NEW_ARRAY(s->scratch, Atoms, stm->bound.len + 1);
  write_out_fold(s, &b, r->op, r->neutral, &r->inputs, n, r->exclusive ? all : NULL,
                 r->exclusive ? NULL : all);
  for (int k = 0; k < stm->bound.len; k++) bind_literal(s, out, stm, stm->bound.at[k], all[k]);
  return true;
}

// One step of every operator of a list: state = op(state, element).
static void fold_step(Scalars *s, Builder *b, const Operators *ops, Atoms *states,
                      const Atoms *elems, int *at) {
  for (int i = 0; i < ops->len; i++) {
    int n = ops->at[i].neutral.len;
    Atoms args = atoms_concat(s->arena, states[i], atoms_slice(*elems, *at, n));
    states[i] = lambda_inline(b, ops->at[i].op, args);
    *at += n;
  }
}

static Atoms *fold_start(Scalars *s, const Operators *ops) {
  Atoms *states = NEW_ARRAY(s->scratch, Atoms, ops->len + 1);
  for (int i = 0; i < ops->len; i++) states[i] = ops->at[i].neutral;
  return states;
}

static bool operators_on_scalars(Scalars *s, const Operators *ops) {
  for (int i = 0; i < ops->len; i++)
    if (!stm_binds_scalars(s->prog, &(Stm){.bound = ops->at[i].op->params})) return false;
  return true;
}

// The map of a fused form by itself.
static Atoms mapped(Scalars *s, Builder *b, const struct screma_form *r) {
  Types types = {0};
  for (int i = 0; i < r->fn->rets.len; i++)
    list_push(s->arena, &types, type_array(s->arena, r->fn->rets.at[i], r->width));
  Exp map = {.form = FORM_MAP, .map = {.width = r->width, .fn = r->fn, .inputs = r->inputs}};
  return atoms_of_vars(s->arena, build_many(b, "map", types, map));
}

static bool write_out_screma(Scalars *s, Stms *out, const Stm *stm) {
  const struct screma_form *r = &stm->exp.screma;
  int64_t n;
  if (!is_short(s, r->width, r->fn, &n) || overwrites(s, &stm->exp)) return false;
  if (!operators_on_scalars(s, &r->scans) || !operators_on_scalars(s, &r->reds)) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms *scans = fold_start(s, &r->scans), *reds = fold_start(s, &r->reds);
  Atoms *outs = NEW_ARRAY(s->scratch, Atoms, stm->bound.len + 1);
  bool vectors = !s->lanes && map_is_vectorisable(prog_machine(s->prog), r->fn, n);
  Atoms inputs = vectors ? mapped(s, &b, r) : r->inputs;
  for (int64_t i = 0; i < n; i++) {
    Atoms elems = elements_at(&b, &inputs, i), after = {0};
    if (!vectors) elems = lambda_inline(&b, r->fn, elems);
    int at = 0;
    Atoms *before = NEW_ARRAY(s->scratch, Atoms, r->scans.len + 1);
    for (int k = 0; k < r->scans.len; k++) before[k] = scans[k];
    fold_step(s, &b, &r->scans, scans, &elems, &at);
    fold_step(s, &b, &r->reds, reds, &elems, &at);
    for (int k = 0; k < r->scans.len; k++)
      after = atoms_concat(s->arena, after, r->scans.at[k].exclusive ? before[k] : scans[k]);
    after = atoms_concat(s->arena, after, atoms_slice(elems, at, elems.len - at));
    Atoms results = lambda_inline(&b, r->post, after);
    for (int k = 0; k < results.len; k++) list_push(s->arena, &outs[k], results.at[k]);
  }
  int at = 0;
  for (int i = 0; i < r->reds.len; i++)
    for (int k = 0; k < reds[i].len; k++)
      bind_atom(s, out, stm, stm->bound.at[at++], reds[i].at[k]);
  for (int k = at; k < stm->bound.len; k++)
    bind_literal(s, out, stm, stm->bound.at[k], outs[k - at]);
  return true;
}

static bool write_out_rearrange(Scalars *s, Stms *out, const Stm *stm) {
  const struct rearrange_form *r = &stm->exp.rearrange;
  Var v = stm->bound.at[0];
  Type t = var_type(s->prog, v);
  int64_t n, at[16] = {0};
  if (!type_is_small(t, &n) || t.rank > 4 || alias_class_consumed(&s->classes, v)) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms elems = {0};
  for (int64_t i = 0; i < n; i++) {
    int64_t rest = i;
    for (int d = t.rank - 1; d >= 0; d--) {
      at[r->perm.at[d]] = rest % t.dims[d].value.i;
      rest /= t.dims[d].value.i;
    }
    Atoms index = {0};
    for (int d = 0; d < t.rank; d++) list_push(s->arena, &index, atom_i64(at[d]));
    list_push(s->arena, &elems, build_index(&b, r->array, index));
  }
  array_of(s, out, stm, v, elems.at);
  return true;
}

// ---- straight-line accumulation
static bool index_is_constant(const Atoms *index, const Type *t) {
  int64_t k, n;
  for (int i = 0; i < index->len; i++)
    if (!atom_const_i64(index->at[i], &k) || !atom_const_i64(t->dims[i], &n) || k < 0 || k >= n)
      return false;
  return true;
}

// Every use of the accumulator is an update at a constant place, directly in the body.
static bool only_constant_updates(Scalars *s, const Body *body, Var acc, Atom result,
                                  const Type *t) {
  Atom now = atom_var(acc);
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *x = &body->stms.at[i].exp;
    if (x->form == FORM_UPDATEACC && atom_same(x->updateacc.acc, now)) {
      if (!index_is_constant(&x->updateacc.index, t)) return false;
      if (!type_is_scalar(atom_type(s->prog, x->updateacc.value))) return false;
      now = atom_var(body->stms.at[i].bound.at[0]);
      continue;
    }
    Vars free = exp_free(s->prog, s->scratch, x);
    for (int k = 0; k < free.len; k++)
      if (atom_is_var(now, free.at[k])) return false;
  }
  return atom_same(now, result);
}

// acc[i] op= v becomes a[i] <- op(a[i], v).
static void updates_in_place(Scalars *s, Body *body, Var acc, Var array, const Lambda *op,
                             Atom *last) {
  Stms out = {0};
  Atom now = atom_var(acc), then = atom_var(array);
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    if (stm->exp.form != FORM_UPDATEACC || !atom_same(stm->exp.updateacc.acc, now)) {
      list_push(s->arena, &out, *stm);
      continue;
    }
    struct updateacc_form u = stm->exp.updateacc;
    Builder b = builder_new(s->prog, &out);
    b.loc = stm->loc;
    Atom args[] = {build_index(&b, then, u.index), u.value};
    Atoms sum = lambda_inline(&b, op, atoms_of(s->arena, 2, args));
    then = build_update(&b, then, u.index, sum.at[0]);
    now = atom_var(stm->bound.at[0]);
  }
  body->stms = out;
  *last = then;
}

// An accumulator over a small array, updated at constant places only, is that array.
static void acc_in_place(Scalars *s, Stms *before, Stm *stm, int k) {
  struct withacc_form *w = &stm->exp.withacc;
  Var acc = w->fn->params.at[k];
  Type t = var_type(s->prog, stm->bound.at[k]);
  int64_t n;
  if (!type_is_small(t, &n) || !w->ops.at[k].op) return;
  t.unique = false;
  if (!only_constant_updates(s, &w->fn->body, acc, w->fn->body.results.at[k], &t)) return;
  Var array = var_new(s->prog, var_info(s->prog, acc)->base, t);
  bind_atom(s, before, stm, array, w->arrays.at[k]);
  Atom last;
  updates_in_place(s, &w->fn->body, acc, array, w->ops.at[k].op, &last);
  list_push(s->arena, &w->fn->body.results, last);
  list_push(s->arena, &w->fn->rets, t);
  list_push(s->arena, &stm->bound, stm->bound.at[k]);
  withacc_drop(stm, k);
  s->changed = true;
}

static void accs_in_place(Scalars *s, Stms *out, Stm *stm) {
  for (int k = stm->exp.withacc.arrays.len - 1; k >= 0; k--) acc_in_place(s, out, stm, k);
}

// Loops are written out when that makes indices of small arrays constant.
static bool indexes_small(Scalars *s, const Body *body) {
  for (int k = 0; k < body->stms.len; k++) {
    const Exp *x = &body->stms.at[k].exp;
    int64_t n;
    if (x->form != FORM_INDEX && x->form != FORM_UPDATE) continue;
    Atom array = x->form == FORM_INDEX ? x->index.array : x->update.array;
    const Slice *slice = x->form == FORM_INDEX ? &x->index.slice : &x->update.slice;
    if (!type_is_small(atom_type(s->prog, array), &n)) continue;
    for (int d = 0; d < slice->len; d++)
      if (slice->at[d].is_fix && slice->at[d].start.is_var) return true;
  }
  return false;
}

static bool write_out_loop(Scalars *s, Stms *out, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  int64_t n;
  if (!l->is_for || !is_short(s, l->bound, l->fn, &n)) return false;
  if (!indexes_small(s, &l->fn->body)) return false;
  Builder b = builder_new(s->prog, out);
  b.loc = stm->loc;
  Atoms state = l->inits;
  for (int64_t i = 0; i < n; i++) {
    Atom at = atom_scalar(scalar_int(l->bound.value.prim, i));
    state = lambda_inline(&b, l->fn, atoms_concat(s->arena, atoms_of(s->arena, 1, &at), state));
  }
  for (int k = 0; k < stm->bound.len; k++)
    bind_atom(s, out, stm, stm->bound.at[k], state.at[k]);
  return true;
}

static bool write_out(Scalars *s, Stms *out, const Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_MAP: return write_out_map(s, out, stm);
  case FORM_REDUCE: return write_out_reduce(s, out, stm);
  case FORM_SCAN: return write_out_scan(s, out, stm);
  case FORM_SCREMA: return write_out_screma(s, out, stm);
  case FORM_REARRANGE: return write_out_rearrange(s, out, stm);
  case FORM_LOOP: return write_out_loop(s, out, stm);
  }
  return false;
}

static void expand_body(Scalars *s, Body *body);

static void expand_inside(Scalars *s, Exp *exp) {
  if (!exp_has_parts(exp)) return;
  Parts parts = exp_parts(s->scratch, exp);
  bool lanes = s->lanes;
  s->lanes = lanes || exp_is_vectorised(prog_machine(s->prog), exp);
  for (int k = 0; k < parts.len; k++) expand_body(s, parts.at[k].body);
  s->lanes = lanes;
}

static void expand_body(Scalars *s, Body *body) {
  Stms out = {0};
  list_reserve(s->arena, &out, body->stms.len);
  for (int i = 0; i < body->stms.len; i++) {
    Stm *stm = &body->stms.at[i];
    expand_inside(s, &stm->exp);
    if (stm->exp.form == FORM_WITHACC) accs_in_place(s, &out, stm);
    if (write_out(s, &out, stm)) s->changed = true;
    else list_push(s->arena, &out, *stm);
  }
  body->stms = out;
}

// ---- element by element
static void mark_dynamic(Scalars *s, Atom a) {
  if (a.is_var) s->dynamic[a.var.id] = true;
}

static void uses_of_body(Scalars *s, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) {
    Exp x = body->stms.at[i].exp;
    bool constant = (x.form == FORM_INDEX && slice_is_constant(&x.index.slice)) ||
                    (x.form == FORM_UPDATE && slice_is_constant(&x.update.slice)) ||
                    x.form == FORM_LITERAL || x.form == FORM_LOOP;
    AtomRefs refs = exp_atom_refs(s->scratch, &x);
    for (int k = 0; !constant && k < refs.len; k++) mark_dynamic(s, *refs.at[k]);
    if (!exp_has_parts(&x)) continue;
    Parts parts = exp_parts(s->scratch, &x);
    for (int k = 0; k < parts.len; k++) uses_of_body(s, parts.at[k].body);
  }
}

static void element_list(Scalars *s, Builder *b, Atom array, Atoms at, Atoms *out) {
  Type t = atom_type(s->prog, array);
  if (at.len == t.rank) {
    list_push(s->arena, out, build_index(b, array, at));
    return;
  }
  for (int64_t i = 0; i < t.dims[at.len].value.i; i++) {
    Atom x = atom_i64(i);
    element_list(s, b, array, atoms_concat(s->arena, at, atoms_of(s->arena, 1, &x)), out);
  }
}

static Vars fresh_scalars(Scalars *s, Var like, int64_t n) {
  Vars out = {0};
  for (int64_t i = 0; i < n; i++)
    list_push(s->arena, &out, var_new(s->prog, var_info(s->prog, like)->base,
                                      type_scalar(var_type(s->prog, like).prim)));
  return out;
}

static void vars_splice(Scalars *s, Vars *vars, int at, const Vars *with) {
  Vars out = {0};
  for (int i = 0; i < at; i++) list_push(s->arena, &out, vars->at[i]);
  for (int i = 0; i < with->len; i++) list_push(s->arena, &out, with->at[i]);
  for (int i = at + 1; i < vars->len; i++) list_push(s->arena, &out, vars->at[i]);
  *vars = out;
}

static void atoms_splice(Scalars *s, Atoms *atoms, int at, Atoms with) {
  Atoms tail = atoms_slice(*atoms, at + 1, atoms->len - at - 1);
  *atoms = atoms_concat(s->arena, atoms_concat(s->arena, atoms_slice(*atoms, 0, at), with), tail);
}

static void rets_splice(Scalars *s, Types *rets, int at, int64_t n, Prim p) {
  Types out = {0};
  for (int i = 0; i < at; i++) list_push(s->arena, &out, rets->at[i]);
  for (int64_t i = 0; i < n; i++) list_push(s->arena, &out, type_scalar(p));
  for (int i = at + 1; i < rets->len; i++) list_push(s->arena, &out, rets->at[i]);
  *rets = out;
}

static void results_splice(Scalars *s, Body *body, int at) {
  Builder b = builder_new(s->prog, &body->stms);
  Atoms elems = {0};
  element_list(s, &b, body->results.at[at], (Atoms){0}, &elems);
  atoms_splice(s, &body->results, at, elems);
}

static void stms_prepend(Scalars *s, Body *body, const Stms *front) {
  Stms out = {0};
  for (int i = 0; i < front->len; i++) list_push(s->arena, &out, front->at[i]);
  for (int i = 0; i < body->stms.len; i++) list_push(s->arena, &out, body->stms.at[i]);
  body->stms = out;
}

// The array v that a loop or branch bound is rebuilt after it.
static void result_splice(Scalars *s, Stm *stm, int k, int64_t n, Stms *after) {
  Var v = stm->bound.at[k];
  Vars scalars = fresh_scalars(s, v, n);
  vars_splice(s, &stm->bound, k, &scalars);
  array_of(s, after, stm, v, atoms_of_vars(s->arena, scalars).at);
}

static void split_loop(Scalars *s, Stms *before, Stm *stm, Stms *after) {
  struct loop_form *l = &stm->exp.loop;
  int first = l->is_for ? 1 : 0;
  for (int k = l->inits.len - 1; k >= 0; k--) {
    Var p = l->fn->params.at[first + k];
    int64_t n;
    if (!type_is_small(var_type(s->prog, p), &n) || s->dynamic[p.id]) continue;
    Builder b = builder_new(s->prog, before);
    b.loc = stm->loc;
    Atoms inits = {0};
    element_list(s, &b, l->inits.at[k], (Atoms){0}, &inits);
    Vars params = fresh_scalars(s, p, n);
    Stms front = {0};
    array_of(s, &front, stm, p, atoms_of_vars(s->arena, params).at);
    stms_prepend(s, &l->fn->body, &front);
    results_splice(s, &l->fn->body, k);
    rets_splice(s, &l->fn->rets, k, n, var_type(s->prog, p).prim);
    atoms_splice(s, &l->inits, k, inits);
    vars_splice(s, &l->fn->params, first + k, &params);
    result_splice(s, stm, k, n, after);
    if (!l->is_for && l->cond > k) l->cond += n - 1;
    s->changed = true;
  }
}

static void split_match(Scalars *s, Stm *stm, Stms *after) {
  struct match_form *m = &stm->exp.match;
  for (int k = stm->bound.len - 1; k >= 0; k--) {
    Var v = stm->bound.at[k];
    int64_t n;
    if (!type_is_small(var_type(s->prog, v), &n) || s->dynamic[v.id]) continue;
    if (s->written[v.id]) continue;
    for (int i = 0; i < m->cases.len; i++) results_splice(s, &m->cases.at[i].body, k);
    result_splice(s, stm, k, n, after);
    s->changed = true;
  }
}

static void split_body(Scalars *s, Body *body) {
  Stms out = {0};
  list_reserve(s->arena, &out, body->stms.len);
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    Stms after = {0};
    Parts parts = {0};
    if (exp_has_parts(&stm.exp)) parts = exp_parts(s->scratch, &stm.exp);
    for (int k = 0; k < parts.len; k++) split_body(s, parts.at[k].body);
    if (stm.exp.form == FORM_LOOP) split_loop(s, &out, &stm, &after);
    if (stm.exp.form == FORM_MATCH) split_match(s, &stm, &after);
    list_push(s->arena, &out, stm);
    for (int k = 0; k < after.len; k++) list_push(s->arena, &out, after.at[k]);
  }
  body->stms = out;
}

// One of the two passes below on every function.
static Prog *scalars_run(Prog *prog, Arena *arena, void (*run)(Scalars *s, Prog *prog)) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Scalars s = {.prog = out, .arena = out->arena, .scratch = scratch,
               .classes = alias_classes_compute(scratch, out)};
  written_of(&s);
  run(&s, out);
  arena_free(scratch);
  out->changed = s.changed;
  out->at_fixpoint = prog->at_fixpoint && !s.changed;
  return out;
}

static void expand_all(Scalars *s, Prog *prog) {
  for (int i = 0; i < prog->fns.len; i++) expand_body(s, &prog->fns.at[i]->body);
}

static void split_all(Scalars *s, Prog *prog) {
  s->dynamic = NEW_ARRAY(s->scratch, bool, prog->vars.len);
  for (int i = 0; i < prog->fns.len; i++) uses_of_body(s, &prog->fns.at[i]->body);
  for (int i = 0; i < prog->fns.len; i++) split_body(s, &prog->fns.at[i]->body);
}

// needs: simplified; better after fusion.  leaves: combinators of few constant trips written out.
// cost: linear; code grows by at most WORK per combinator.
Prog *pass_expand_small(Prog *prog, Arena *arena) { return scalars_run(prog, arena, expand_all); }

// needs: simplified by simplify-small.  leaves: small constant arrays in names where all places are
// constant.  cost: linear.
Prog *pass_scalar_replace(Prog *prog, Arena *arena) { return scalars_run(prog, arena, split_all); }
