// Which results of g can depend on which of its parameters, whatever the data: at least where
// `depends` finds a mark when the program runs.  Results that cannot are left out of the blocks'
// entries.
//
//     reach(op(x..)) = union of reach(x)      reach(comparison) = {}      arrays element by element
//
// Where elements are not distinguished an array has one set for all.
#include "jacobian.h"

enum { WORDS = (MOST_LEAVES + 63) / 64, MOST_ELEMENTS = 256, MOST_ROWS_DISTINCT = 32 };

typedef struct {
  uint64_t bits[WORDS];
} Marks;
typedef struct {
  int len;  // of an array with constant sizes, in row-major order; or 1, for all
  Marks *at;
} Sets;
typedef struct {
  const Prog *prog;
  Arena *arena;
  Map *of;  // variable id -> Sets *
} Reach;

static void unite(Marks *into, Marks more) {
  for (int i = 0; i < WORDS; i++) into->bits[i] |= more.bits[i];
}

static Marks element(Sets s, int i) { return s.at[s.len == 1 ? 0 : i]; }

static Marks all_of(Sets s) {
  Marks out = {0};
  for (int i = 0; i < s.len; i++) unite(&out, s.at[i]);
  return out;
}

static Sets sets_new(Reach *r, int len) { return (Sets){len, NEW_ARRAY(r->arena, Marks, len)}; }

static Sets sets_one(Reach *r, Marks m) {
  Sets out = sets_new(r, 1);
  out.at[0] = m;
  return out;
}

static Sets sets_of(Reach *r, Atom a) {
  const Sets *known = a.is_var ? map_get(r->of, a.var.id) : NULL;
  return known ? *known : sets_new(r, 1);
}

static void sets_put(Reach *r, Var v, Sets s) {
  map_put(r->of, v.id, arena_copy(r->arena, &s, sizeof s));
}

// The number of elements, -1 where it is not a constant or too large to distinguish them.
static int count_of(Type t) {
  int64_t n = 1;
  for (int i = 0; i < t.rank; i++) {
    if (t.dims[i].is_var || t.dims[i].value.i < 0 || t.dims[i].value.i > MOST_ELEMENTS) return -1;
    n *= t.dims[i].value.i;
    if (n > MOST_ELEMENTS) return -1;
  }
  return (int)n;
}

static int width_of(Atom a) {
  bool good = !a.is_var && a.value.i >= 1 && a.value.i <= MOST_ROWS_DISTINCT;
  return good ? (int)a.value.i : -1;
}

// ---- statements
static void everything(Reach *r, const Stm *stm) {
  Vars free = exp_free(r->prog, r->arena, &stm->exp);
  Marks all = {0};
  for (int i = 0; i < free.len; i++) unite(&all, all_of(sets_of(r, atom_var(free.at[i]))));
  for (int k = 0; k < stm->bound.len; k++) sets_put(r, stm->bound.at[k], sets_one(r, all));
}

static bool is_comparison(const Reach *r, const Stm *stm) {
  return stm->exp.form == FORM_PRIM && var_type(r->prog, stm->bound.at[0]).prim == PRIM_BOOL &&
         stm->exp.prim.prim != PRIM_BOOL;
}

// One array after the other.
static bool joined(Reach *r, Atoms parts, Sets *out) {
  int total = 0;
  for (int i = 0; i < parts.len; i++) {
    int n = count_of(atom_type(r->prog, parts.at[i]));
    if (n < 0 || total + n > MOST_ELEMENTS) return false;
    total += n;
  }
  *out = sets_new(r, total > 0 ? total : 1);
  for (int i = 0, at = 0; i < parts.len; i++) {
    Sets s = sets_of(r, parts.at[i]);
    int n = count_of(atom_type(r->prog, parts.at[i]));
    for (int k = 0; k < n; k++) out->at[at++] = element(s, k);
  }
  return true;
}

// The places of a slice with constant bounds, dimension by dimension.
static bool sliced(Reach *r, const struct index_form *e, Sets *out) {
  Type t = atom_type(r->prog, e->array);
  if (count_of(t) < 1) return false;
  int *at = NEW_ARRAY(r->arena, int, MOST_ELEMENTS), len = 1;
  for (int d = 0; d < t.rank; d++) {
    int64_t size = t.dims[d].value.i, start = 0, step = 1, count = size;
    if (d < e->slice.len) {
      SliceDim s = e->slice.at[d];
      bool constant = !s.start.is_var && (s.is_fix || (!s.count.is_var && !s.stride.is_var));
      if (!constant) return false;
      start = s.start.value.i, count = s.is_fix ? 1 : s.count.value.i;
      step = s.is_fix ? 1 : s.stride.value.i;
    }
    if (count < 1 || count > size || start < 0 || start >= size) return false;
    if (count > 1 && (step < -size || step > size)) return false;
    int64_t last = start + (count - 1) * step;
    if (last < 0 || last >= size) return false;
    int *next = NEW_ARRAY(r->arena, int, MOST_ELEMENTS);
    for (int i = 0; i < len; i++)
      for (int64_t k = 0; k < count; k++)
        next[i * count + k] = (int)(at[i] * size + start + k * step);
    len *= (int)count, at = next;
  }
  Sets s = sets_of(r, e->array);
  *out = sets_new(r, len);
  for (int i = 0; i < len; i++) out->at[i] = element(s, at[i]);
  return true;
}

static void reach_stms(Reach *r, Stms stms);

static bool branches(Reach *r, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  Sets *out = NEW_ARRAY(r->arena, Sets, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    int n = count_of(var_type(r->prog, stm->bound.at[k]));
    out[k] = sets_new(r, n < 1 ? 1 : n);
  }
  for (int i = 0; i < e->cases.len; i++) {
    reach_stms(r, e->cases.at[i].body.stms);
    for (int k = 0; k < stm->bound.len; k++) {
      Sets s = sets_of(r, e->cases.at[i].body.results.at[k]);
      for (int j = 0; j < out[k].len; j++)
        unite(&out[k].at[j], out[k].len == 1 ? all_of(s) : element(s, j));
    }
  }
  for (int k = 0; k < stm->bound.len; k++) sets_put(r, stm->bound.at[k], out[k]);
  return true;
}

static void bind_row(Reach *r, Var param, Atom input, int i) {
  Sets s = sets_of(r, input);
  int n = count_of(var_type(r->prog, param));
  Sets row = n < 1 ? sets_one(r, all_of(s)) : sets_new(r, n);
  for (int k = 0; k < n; k++) row.at[k] = element(s, i * n + k);
  sets_put(r, param, row);
}

// Iteration by iteration, where the width is a small constant.
static bool rows(Reach *r, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  int n = width_of(e->width);
  Sets *out = NEW_ARRAY(r->arena, Sets, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(r->prog, stm->bound.at[k]);
    if (n < 0 || t.is_acc || count_of(t) < 1) return false;
    out[k] = sets_new(r, count_of(t));
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < e->inputs.len; k++) bind_row(r, e->fn->params.at[k], e->inputs.at[k], i);
    reach_stms(r, e->fn->body.stms);
    for (int k = 0; k < stm->bound.len; k++) {
      Sets s = sets_of(r, e->fn->body.results.at[k]);
      int each = out[k].len / n;
      for (int j = 0; j < each; j++)
        out[k].at[i * each + j] = element(s, j);
    }
  }
  for (int k = 0; k < stm->bound.len; k++) sets_put(r, stm->bound.at[k], out[k]);
  return true;
}

static void reach_stm(Reach *r, const Stm *stm) {
  const Exp *e = &stm->exp;
  Sets out;
  bool known = false;
  if (is_comparison(r, stm)) known = true, out = sets_new(r, 1);
  else if (e->form == FORM_ATOM) known = true, out = sets_of(r, e->atom.arg);
  else if (e->form == FORM_COPY) known = true, out = sets_of(r, e->copy.arg);
  else if (e->form == FORM_RESHAPE) known = true, out = sets_of(r, e->reshape.array);
  else if (e->form == FORM_LITERAL) known = joined(r, e->literal.elems, &out);
  else if (e->form == FORM_CONCAT && e->concat.dim == 0) known = joined(r, e->concat.arrays, &out);
  else if (e->form == FORM_INDEX) known = sliced(r, &e->index, &out);
  else if (e->form == FORM_MATCH && branches(r, stm)) return;
  else if (e->form == FORM_MAP && rows(r, stm)) return;
  if (known) sets_put(r, stm->bound.at[0], out);
  else everything(r, stm);
}

static void reach_stms(Reach *r, Stms stms) {
  for (int i = 0; i < stms.len; i++) reach_stm(r, &stms.at[i]);
}

bool *jac_pattern(const Prog *prog, const Lambda *g) {
  Reach r = {prog, prog->arena, map_new(prog->arena)};
  for (int k = 0; k < g->params.len; k++) {
    Marks m = {0};
    m.bits[k / 64] |= UINT64_C(1) << k % 64;
    sets_put(&r, g->params.at[k], sets_one(&r, m));
  }
  reach_stms(&r, g->body.stms);
  int width = g->params.len;
  bool *out = NEW_ARRAY(r.arena, bool, g->body.results.len * width + 1);
  for (int i = 0; i < g->body.results.len; i++) {
    Marks m = all_of(sets_of(&r, g->body.results.at[i]));
    for (int k = 0; k < width; k++) out[i * width + k] = m.bits[k / 64] >> k % 64 & 1;
  }
  return out;
}
