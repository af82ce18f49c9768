// Splits maps that compute costly values and then add results of these:
//
//   map k { v = costly x_k; map j { A[j] += v * u[k,j] } }
//
// becomes     vs = map k { costly x_k }     and     map k { map j { A[j] += vs[k] * u[k,j] } }
//
// The first map has no accumulator: it is vectorised, its reductions in SIMD lanes.  The second is
// a nest of updates whose values are read, which may become a gather (scatter_to_gather.c).  What
// is kept are numbers, one for each iteration: as much as an array that the map reads or returns.
#include "acc.h"

enum { KEPT = 8, SHORT = 16 };  // arrays; constant widths that are written out later

typedef enum { IS_EARLY, IS_COPIED, IS_LATE } Side;
typedef struct {
  Acc *a;
  Stm *stm;
  Body *body;
  Map *sides;   // variable bound directly in the body -> Side
  Side *side;   // by statement
  int kept;
  Var keep[KEPT];
} Fission;

static const Side *side_of(const Fission *f, Var v) { return map_get(f->sides, v.id); }

static bool is_short(Atom width) {
  int64_t n;
  return atom_const_i64(width, &n) && n <= SHORT;
}

static bool has_acc(const Fission *f, Atom x) {
  return x.is_var && atom_type(f->a->prog, x).is_acc;
}

// ---- which statements go where ----------------------------------------------------------------
// Names, indices and reads: computed in both maps.
static bool is_copyable(const Fission *f, const Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_INDEX: case FORM_ATOM: case FORM_IOTA: case FORM_REPLICATE: case FORM_SCRATCH:
  case FORM_REARRANGE: return true;
  case FORM_PRIM: case FORM_CONV:
    return exp_is_cheap(&stm->exp) &&
           !prim_is_float(var_type(f->a->prog, stm->bound.at[0]).prim);
  }
  return false;
}

static Side side_for(const Fission *f, const Stm *stm) {
  Vars free = exp_free(f->a->prog, f->a->scratch, &stm->exp);
  bool copied = is_copyable(f, stm);
  for (int i = 0; i < free.len; i++) {
    const Side *side = side_of(f, free.at[i]);
    if (var_type(f->a->prog, free.at[i]).is_acc || (side && *side == IS_LATE)) return IS_LATE;
    if (side && *side == IS_EARLY) copied = false;
  }
  return copied ? IS_COPIED : IS_EARLY;
}

// Each side overwrites only arrays that it has made.
static bool consumes_own(const Fission *f, const Stm *stm, Side mine) {
  Atoms consumed = exp_consumes(f->a->prog, f->a->scratch, &stm->exp);
  for (int i = 0; i < consumed.len; i++) {
    if (!consumed.at[i].is_var || has_acc(f, consumed.at[i])) continue;
    const Side *side = side_of(f, consumed.at[i].var);
    if (!side || *side != mine) {
      bool fresh = false;
      for (int k = 0; side && *side == IS_COPIED && k < f->body->stms.len; k++) {
        const Stm *made = &f->body->stms.at[k];
        if (made->bound.len == 1 && atom_is_var(consumed.at[i], made->bound.at[0]))
          fresh = made->exp.form == FORM_REPLICATE || made->exp.form == FORM_SCRATCH;
      }
      if (!fresh) return false;
    }
  }
  return true;
}

static bool is_costly(const Stm *stm) {
  if (stm->exp.form == FORM_PRIM) return !exp_is_cheap(&stm->exp);
  return exp_has_parts(&stm->exp);
}

static bool is_nest(const Stm *stm) {
  return stm->exp.form == FORM_WITHACC ||
         (stm->exp.form == FORM_MAP && !is_short(stm->exp.map.width));
}

static const Body *body_of(const Stm *stm) {
  if (stm->exp.form == FORM_MAP) return &stm->exp.map.fn->body;
  return stm->exp.form == FORM_SCREMA ? &stm->exp.screma.fn->body : NULL;
}

bool stm_is_costly(const Stm *stm) {
  const Body *body = body_of(stm);
  for (int i = 0; body && i < body->stms.len; i++)
    if (is_costly(&body->stms.at[i])) return true;
  return false;
}

bool stm_adds_in_maps(const Stm *stm) {
  const Body *body = body_of(stm);
  for (int i = 0; body && i < body->stms.len; i++)
    if (is_nest(&body->stms.at[i])) return true;
  return false;
}

// Every size of y is one of x, in the same order.
static bool has_dims(const Type *x, const Type *y) {
  int at = 0;
  for (int k = 0; k < x->rank && at < y->rank; k++) at += atom_same(x->dims[k], y->dims[at]);
  return at == y->rank;
}

// Arrays of this size, one for each iteration, are there already: read or returned.
static bool is_there(const Fission *f, Type t) {
  const struct map_form *m = &f->stm->exp.map;
  if (t.is_acc) return false;
  for (int i = 0; i < m->inputs.len; i++) {
    Type x = var_type(f->a->prog, m->fn->params.at[i]);
    bool made = !m->inputs.at[i].is_var || !map_get(f->a->iotas, m->inputs.at[i].var.id);
    if (made && !x.is_acc && has_dims(&x, &t)) return true;
  }
  for (int i = 0; i < m->fn->rets.len; i++)
    if (!m->fn->rets.at[i].is_acc && has_dims(&m->fn->rets.at[i], &t)) return true;
  return false;
}

static bool keep(Fission *f, Var v) {
  Type t = var_type(f->a->prog, v);
  for (int i = 0; i < f->kept; i++)
    if (f->keep[i].id == v.id) return true;
  if (f->kept == KEPT || !prim_is_float(t.prim) || t.is_acc) return false;
  if (t.rank > 0 && !is_there(f, t)) return false;
  f->keep[f->kept++] = v;
  return true;
}

// v is used late.
static bool carry(Fission *f, Var v) {
  const Side *side = side_of(f, v);
  return !side || *side != IS_EARLY || keep(f, v);
}

static bool carry_all(Fission *f, const Stm *stm) {
  Vars free = exp_free(f->a->prog, f->a->scratch, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (!carry(f, free.at[i])) return false;
  for (int i = 0; i < stm->bound.len; i++) {
    Type t = var_type(f->a->prog, stm->bound.at[i]);
    for (int k = 0; k < t.rank; k++)
      if (t.dims[k].is_var && !carry(f, t.dims[k].var)) return false;
  }
  return true;
}

// ---- indices ----------------------------------------------------------------------------------
static void mark_params(const Fission *f, const struct map_form *m, Map *data) {
  for (int i = 0; i < m->inputs.len; i++)
    if (!m->inputs.at[i].is_var || !map_get(f->a->iotas, m->inputs.at[i].var.id))
      map_put(data, m->fn->params.at[i].id, data);
}

static bool is_data(const Fission *f, const Stm *stm, Map *data) {
  if (stm->exp.form != FORM_PRIM && stm->exp.form != FORM_ATOM) return true;
  Exp exp = stm->exp;
  AtomRefs refs = exp_atom_refs(f->a->scratch, &exp);
  for (int i = 0; i < refs.len; i++)
    if (refs.at[i]->is_var && map_get(data, refs.at[i]->var.id)) return true;
  return false;
}

// Indices are iterations or computed from iterations: what is left may become a sum over the
// iterations that come to a cell, or rows added one after the other.  Indices that come from data
// stay histograms.
static bool has_known_indices(const Fission *f, const Body *body, Map *data) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    // of this round
    if (exp_counts(f->a->prog, &stm->exp)) map_put(f->a->iotas, stm->bound.at[0].id, f->a);
    if (stm->exp.form == FORM_UPDATEACC) {
      const Atoms *index = &stm->exp.updateacc.index;
      for (int k = 0; k < index->len; k++)
        if (index->at[k].is_var && map_get(data, index->at[k].var.id)) return false;
    } else if (is_data(f, stm, data)) {
      for (int k = 0; k < stm->bound.len; k++) map_put(data, stm->bound.at[k].id, data);
    }
    if (!exp_has_parts(&stm->exp)) continue;
    if (stm->exp.form == FORM_MAP) mark_params(f, &stm->exp.map, data);
    Exp exp = stm->exp;
    Parts parts = exp_parts(f->a->scratch, &exp);
    for (int k = 0; k < parts.len; k++)
      if (!has_known_indices(f, parts.at[k].body, data)) return false;
  }
  return true;
}

static bool indices_are_known(const Fission *f) {
  Map *data = map_new(f->a->scratch);
  mark_params(f, &f->stm->exp.map, data);
  return has_known_indices(f, f->body, data);
}

// Not to one place, whose sum is private.
static bool adds_here_and_there(const Fission *f, const Stm *stm) {
  const Vars *params = &f->stm->exp.map.fn->params;
  for (int k = 0; stm->exp.form == FORM_UPDATEACC && k < stm->exp.updateacc.index.len; k++) {
    Atom x = stm->exp.updateacc.index.at[k];
    if (x.is_var && side_of(f, x.var)) return true;
    for (int i = 0; i < params->len; i++)
      if (atom_is_var(x, params->at[i])) return true;
  }
  return false;
}

static bool decide(Fission *f) {
  bool costly = false, nest = false, effect = false;
  f->side = NEW_ARRAY(f->a->scratch, Side, f->body->stms.len + 1);
  for (int i = 0; i < f->body->stms.len; i++) {
    const Stm *stm = &f->body->stms.at[i];
    Side side = f->side[i] = side_for(f, stm);
    for (int k = 0; k < stm->bound.len; k++)
      map_put(f->sides, stm->bound.at[k].id, &f->side[i]);
    if (!consumes_own(f, stm, side)) return false;
    if (side == IS_LATE && !carry_all(f, stm)) return false;
    if (side == IS_LATE && exp_has_effect(&stm->exp)) return false;
    costly = costly || (side == IS_EARLY && is_costly(stm));
    nest = nest || (side == IS_LATE && (is_nest(stm) || adds_here_and_there(f, stm)));
    effect = effect || stm->exp.form == FORM_TRACE;
  }
  return costly && nest && f->kept > 0 && !effect;
}

// An array with one number for each iteration is there already.
static bool has_array(const Fission *f) {
  const struct map_form *m = &f->stm->exp.map;
  for (int i = 0; i < m->inputs.len; i++)
    if (!has_acc(f, m->inputs.at[i]) && !map_get(f->a->iotas, m->inputs.at[i].var.id)) return true;
  for (int i = 0; i < f->stm->bound.len; i++)
    if (!var_type(f->a->prog, f->stm->bound.at[i]).is_acc) return true;
  return false;
}

// ---- the two maps -----------------------------------------------------------------------------
static void drop_side(const Fission *f, Body *body, Side side) {
  Stms kept = {0};
  for (int i = 0; i < body->stms.len; i++)
    if (f->side[i] != side) list_push(f->a->arena, &kept, body->stms.at[i]);
  body->stms = kept;
}

static bool result_is_late(const Fission *f, int k) {
  Atom x = f->body->results.at[k];
  const Side *side = x.is_var ? side_of(f, x.var) : NULL;
  return has_acc(f, x) || (side && *side == IS_LATE);
}

// The map without accumulators, and the arrays of what is kept.
static Stm early_map(Fission *f, Builder *b, Vars *arrays) {
  Stm out = *f->stm;
  Lambda *fn = lambda_copy(b, f->stm->exp.map.fn);
  Body old = fn->body;
  Atoms inputs = {0}, results = {0};
  Vars params = {0};
  Types rets = {0};
  out.bound = (Vars){0};
  for (int i = 0; i < fn->params.len; i++) {
    if (has_acc(f, atom_var(fn->params.at[i]))) continue;
    list_push(f->a->arena, &inputs, f->stm->exp.map.inputs.at[i]);
    list_push(f->a->arena, &params, fn->params.at[i]);
  }
  for (int k = 0; k < f->stm->bound.len; k++) {
    if (result_is_late(f, k)) continue;
    list_push(f->a->arena, &out.bound, f->stm->bound.at[k]);
    list_push(f->a->arena, &results, old.results.at[k]);
    list_push(f->a->arena, &rets, fn->rets.at[k]);
  }
  for (int i = 0; i < f->body->stms.len; i++)
    for (int k = 0; k < f->body->stms.at[i].bound.len; k++) {
      Var v = f->body->stms.at[i].bound.at[k];
      for (int j = 0; j < f->kept; j++) {
        if (f->keep[j].id != v.id) continue;
        Type t = var_type(f->a->prog, v);
        t.unique = false;
        arrays->at[j] = var_new(f->a->prog, var_info(f->a->prog, v)->base,
                                type_array(f->a->arena, t, f->stm->exp.map.width));
        list_push(f->a->arena, &out.bound, arrays->at[j]);
        list_push(f->a->arena, &results, atom_var(old.stms.at[i].bound.at[k]));
        list_push(f->a->arena, &rets, t);
      }
    }
  drop_side(f, &fn->body, IS_LATE);
  fn->params = params;
  fn->body.results = results;
  fn->rets = rets;
  out.exp.map.fn = fn;
  out.exp.map.inputs = inputs;
  return out;
}

// The map as it was, with parameters for what is kept.
static void late_map(Fission *f, const Vars *arrays) {
  struct map_form *m = &f->stm->exp.map;
  for (int k = f->stm->bound.len - 1; k >= 0; k--) {
    if (result_is_late(f, k)) continue;
    lambda_drop_result(m->fn, k);
    vars_drop(&f->stm->bound, k);
  }
  drop_side(f, f->body, IS_EARLY);
  for (int j = 0; j < f->kept; j++) {
    list_push(f->a->arena, &m->fn->params, f->keep[j]);
    list_push(f->a->arena, &m->inputs, atom_var(arrays->at[j]));
  }
}

bool acc_fission(Acc *a, Stms *out, Stm *stm) {
  Fission f = {.a = a, .stm = stm, .body = &stm->exp.map.fn->body, .sides = map_new(a->scratch)};
  bool any = false;
  for (int i = 0; i < stm->bound.len; i++) any = any || var_type(a->prog, stm->bound.at[i]).is_acc;
  if (!any || is_short(stm->exp.map.width) || !decide(&f) || !has_array(&f) ||
      !indices_are_known(&f) ||
      !prog_may(a->prog, SWITCH_ACC_FISSION))
    return false;
  Builder b = builder_new(a->prog, out);
  b.loc = stm->loc;
  Vars arrays = {0};
  for (int i = 0; i < f.kept; i++) list_push(a->scratch, &arrays, (Var){0});
  Stm early = early_map(&f, &b, &arrays);
  list_push(a->arena, out, early);
  late_map(&f, &arrays);
  a->changed = true;
  return true;
}
