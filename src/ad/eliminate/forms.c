// Symbolic evaluation of arrays of constant shape and of control: combinators and loops of few
// trips are written out, branches become selects.
#include "eliminate.h"

static bool constant(const Symbolic *s, Atom a, int64_t most, int64_t *out) {
  if (a.is_var) {
    const SymVal *v = map_get(s->vals, a.var.id);
    if (!v || v->kind != SYM_SCALAR) return false;
    a = v->atom;
  }
  if (a.is_var || !prim_is_int(a.value.prim)) return false;
  *out = a.value.i;
  return *out <= most;
}

static SymVal *put(SymVal *v, int i, SymVal *x) {
  ((SymVal **)v->at)[i] = x;
  return v;
}

// Rows, of constant or, from outside, any place; ranges of constant places.
static SymVal *sliced(Symbolic *s, SymVal *v, const Slice *slice, int d) {
  if (d == slice->len || !v) return v;
  SliceDim at = slice->at[d];
  int64_t i, n, stride;
  if (at.is_fix && v->kind == SYM_WHOLE) {
    Atom index = symbolic_val(s, at.start)->atom;
    Atom row = build_index(s->b, v->atom, atoms1(s->arena, index));
    SymVal *out = sym_scalar(s, row);
    if (atom_type(s->b->prog, row).rank) out->kind = SYM_WHOLE;
    return sliced(s, out, slice, d + 1);
  }
  if (!constant(s, at.start, INT64_MAX, &i)) return NULL;
  if (at.is_fix) return sliced(s, sym_element(s, v, i), slice, d + 1);
  if (!constant(s, at.count, TRIPS_MOST, &n) || !constant(s, at.stride, INT64_MAX, &stride))
    return NULL;
  SymVal *out = sym_elements(s, (int)n);
  for (int k = 0; k < n; k++) {
    SymVal *x = sliced(s, sym_element(s, v, i + k * stride), slice, d + 1);
    if (!x) return NULL;
    put(out, k, x);
  }
  return out;
}

// A place that is not constant may be read of arrays from outside, where no test is lost.
static bool of_index(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct index_form *x = &stm->exp.index;
  for (int d = 0; d < x->slice.len; d++) {
    int64_t i;
    if (!constant(s, x->slice.at[d].start, INT64_MAX, &i) && !stm->attrs.unchecked)
      return symbolic_refuse(s, stm, "an index that is not constant");
  }
  out[0] = sliced(s, symbolic_val(s, x->array), &x->slice, 0);
  return out[0] || symbolic_refuse(s, stm, "an index that is not constant");
}

static SymVal *updated(Symbolic *s, SymVal *v, const Slice *slice, int d, SymVal *value) {
  int64_t i;
  if (d == slice->len) return value;
  if (!slice->at[d].is_fix || !constant(s, slice->at[d].start, INT64_MAX, &i)) return NULL;
  if (v->kind != SYM_ELEMENTS || i < 0 || i >= v->n) return NULL;
  SymVal *row = updated(s, v->at[i], slice, d + 1, value);
  if (!row) return NULL;
  SymVal *out = sym_elements(s, v->n);
  for (int k = 0; k < v->n; k++) put(out, k, k == i ? row : v->at[k]);
  return out;
}

static bool of_update(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct update_form *x = &stm->exp.update;
  out[0] = updated(s, symbolic_val(s, x->array), &x->slice, 0, symbolic_val(s, x->value));
  return out[0] || symbolic_refuse(s, stm, "an update at a place that is not constant");
}

static SymVal *replicated(Symbolic *s, Atoms dims, int d, SymVal *v) {
  int64_t n;
  if (d == dims.len) return v;
  if (!constant(s, dims.at[d], TRIPS_MOST, &n) || n < 0) return NULL;
  SymVal *row = replicated(s, dims, d + 1, v), *out = sym_elements(s, (int)n);
  for (int k = 0; row && k < n; k++) put(out, k, row);
  return row ? out : NULL;
}

static bool of_making(Symbolic *s, const Stm *stm, SymVal **out) {
  const Exp *e = &stm->exp;
  int64_t n;
  if (e->form == FORM_LITERAL) {
    out[0] = sym_elements(s, e->literal.elems.len);
    for (int k = 0; k < e->literal.elems.len; k++)
      put(out[0], k, symbolic_val(s, e->literal.elems.at[k]));
    return true;
  }
  if (e->form == FORM_REPLICATE) {
    out[0] = replicated(s, e->replicate.dims, 0, symbolic_val(s, e->replicate.arg));
    return out[0] || symbolic_refuse(s, stm, "an array whose size is not constant");
  }
  if (!constant(s, e->iota.n, TRIPS_MOST, &n) || n < 0)
    return symbolic_refuse(s, stm, "an array whose size is not constant");
  Prim p = atom_type(s->b->prog, e->iota.start).prim;
  out[0] = sym_elements(s, (int)n);
  for (int k = 0; k < n; k++) {
    Atom way = build_op(s->b, OP_MUL, symbolic_val(s, e->iota.step)->atom, atom_number(p, k));
    put(out[0], k, sym_scalar(s, build_op(s->b, OP_ADD, symbolic_val(s, e->iota.start)->atom,
                                          way)));
  }
  return true;
}

// ---- combinators
static bool element_of_each(Symbolic *s, Atoms inputs, int64_t i, SymVal **args) {
  for (int k = 0; k < inputs.len; k++) {
    args[k] = sym_element(s, symbolic_val(s, inputs.at[k]), i);
    if (!args[k]) return false;
  }
  return true;
}

static bool of_map(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct map_form *m = &stm->exp.map;
  int64_t n;
  if (!constant(s, m->width, TRIPS_MOST, &n))
    return symbolic_refuse(s, stm, "a map whose width is not constant, or above 64");
  SymVal **args = NEW_ARRAY(s->arena, SymVal *, m->inputs.len + 1);
  SymVal **row = NEW_ARRAY(s->arena, SymVal *, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) out[k] = sym_elements(s, (int)n);
  for (int i = 0; i < n; i++) {
    if (!element_of_each(s, m->inputs, i, args))
      return symbolic_refuse(s, stm, "a map over an array that is not known element by element");
    if (!symbolic_lambda(s, m->fn, args, row)) return false;
    for (int k = 0; k < stm->bound.len; k++) put(out[k], i, row[k]);
  }
  return true;
}

static bool fold_step(Symbolic *s, const Lambda *op, SymVal **state, SymVal **element, int k) {
  SymVal **args = NEW_ARRAY(s->arena, SymVal *, 2 * k + 1);
  SymVal **next = NEW_ARRAY(s->arena, SymVal *, k + 1);
  for (int j = 0; j < k; j++) args[j] = state[j], args[k + j] = element[j];
  if (!symbolic_lambda(s, op, args, next)) return false;
  for (int j = 0; j < k; j++) state[j] = next[j];
  return true;
}

static bool of_reduce(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct reduce_form *r = &stm->exp.reduce;
  int k = r->inputs.len;
  int64_t n;
  SymVal **element = NEW_ARRAY(s->arena, SymVal *, k + 1);
  if (!constant(s, r->width, TRIPS_MOST, &n))
    return symbolic_refuse(s, stm, "a reduction whose width is not constant, or above 64");
  for (int j = 0; j < k; j++) out[j] = symbolic_val(s, r->neutral.at[j]);
  for (int i = 0; i < n; i++) {
    if (!element_of_each(s, r->inputs, i, element))
      return symbolic_refuse(s, stm, "a reduction of an array that is not known by elements");
    if (!fold_step(s, r->op, out, element, k)) return false;
  }
  return true;
}

static bool of_loop(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct loop_form *l = &stm->exp.loop;
  int k = l->inits.len;
  int64_t n;
  if (!l->is_for || !constant(s, l->bound, TRIPS_MOST, &n))
    return symbolic_refuse(s, stm, "a loop whose number of trips is not constant, or above 64");
  SymVal **args = NEW_ARRAY(s->arena, SymVal *, k + 2);
  Prim counter = var_type(s->b->prog, l->fn->params.at[0]).prim;
  for (int j = 0; j < k; j++) out[j] = symbolic_val(s, l->inits.at[j]);
  for (int64_t i = 0; i < n; i++) {
    args[0] = sym_scalar(s, atom_scalar(scalar_int(counter, i)));
    for (int j = 0; j < k; j++) args[1 + j] = out[j];
    if (!symbolic_lambda(s, l->fn, args, out)) return false;
  }
  return true;
}

static bool of_match(Symbolic *s, const Stm *stm, SymVal **out) {
  const struct match_form *m = &stm->exp.match;
  int n = stm->bound.len;
  bool two = m->args.len == 1 && m->cases.len == 2 && !m->cases.at[0].pats.at[0].any;
  if (!two) return symbolic_refuse(s, stm, "a branch of more than two cases");
  Scalar lit = m->cases.at[0].pats.at[0].lit;
  Atom x = symbolic_val(s, m->args.at[0])->atom;
  Atom cond = lit.prim == PRIM_BOOL && lit.i ? x : build_op(s->b, OP_EQ, x, atom_scalar(lit));
  if (!cond.is_var) return symbolic_body(s, &m->cases.at[cond.value.i ? 0 : 1].body, out);
  SymVal **yes = NEW_ARRAY(s->arena, SymVal *, n + 1), **no = NEW_ARRAY(s->arena, SymVal *, n + 1);
  s->branches++;
  bool ok = symbolic_body(s, &m->cases.at[0].body, yes) &&
            symbolic_body(s, &m->cases.at[1].body, no);
  s->branches--;
  for (int k = 0; ok && k < n; k++) {
    out[k] = symbolic_select(s, cond, yes[k], no[k]);
    ok = out[k] != NULL;
  }
  return ok || symbolic_refuse(s, stm, "branches that give arrays of unknown elements");
}

static bool of_view(Symbolic *s, const Stm *stm, SymVal **out) {
  const Exp *e = &stm->exp;
  SymVal *v = symbolic_val(s, e->form == FORM_REVERSE ? e->reverse.array : e->concat.arrays.at[0]);
  if (e->form == FORM_REVERSE && v->kind == SYM_ELEMENTS) {
    out[0] = sym_elements(s, v->n);
    for (int k = 0; k < v->n; k++) put(out[0], k, v->at[v->n - 1 - k]);
    return true;
  }
  if (e->form == FORM_REVERSE || e->concat.dim != 0)
    return symbolic_refuse(s, stm, "an array that is not known element by element");
  int n = 0, at = 0;
  for (int i = 0; i < e->concat.arrays.len; i++) {
    v = symbolic_val(s, e->concat.arrays.at[i]);
    if (v->kind != SYM_ELEMENTS)
      return symbolic_refuse(s, stm, "an array that is not known element by element");
    n += v->n;
  }
  out[0] = sym_elements(s, n);
  for (int i = 0; i < e->concat.arrays.len; i++) {
    v = symbolic_val(s, e->concat.arrays.at[i]);
    for (int k = 0; k < v->n; k++) put(out[0], at++, v->at[k]);
  }
  return true;
}

static bool of_conv(Symbolic *s, const Stm *stm, SymVal **out) {
  Atom x = symbolic_val(s, stm->exp.conv.arg)->atom;
  bool active = x.is_var && map_get(s->vertex, x.var.id);
  if (active) return symbolic_refuse(s, stm, "a conversion of what is differentiated");
  out[0] = sym_scalar(s, build_conv(s->b, stm->exp.conv.to, x));
  return true;
}

bool symbolic_form(Symbolic *s, const Stm *stm, SymVal **out) {
  const Exp *e = &stm->exp;
  switch (e->form) {
  case FORM_ATOM: return out[0] = symbolic_val(s, e->atom.arg), true;
  case FORM_COPY: return out[0] = symbolic_val(s, e->copy.arg), true;
  case FORM_CONV: return of_conv(s, stm, out);
  case FORM_LITERAL: case FORM_REPLICATE: case FORM_IOTA: return of_making(s, stm, out);
  case FORM_INDEX: return of_index(s, stm, out);
  case FORM_UPDATE: return of_update(s, stm, out);
  case FORM_REVERSE: case FORM_CONCAT: return of_view(s, stm, out);
  case FORM_MATCH: return of_match(s, stm, out);
  case FORM_LOOP: return of_loop(s, stm, out);
  case FORM_MAP: return of_map(s, stm, out);
  case FORM_REDUCE: return of_reduce(s, stm, out);
  case FORM_PRIM: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT: case FORM_TUNED:
  case FORM_MEMORYLEFT: case FORM_CONSTANT: case FORM_SCRATCH: case FORM_FLATINDEX:
  case FORM_FLATUPDATE: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_ROTATE:
  case FORM_APPLY: case FORM_ASSERT: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
  case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP:
  case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT: break;
  }
  return symbolic_refuse(s, stm, form_info[e->form].keyword);
}
