// Equality and hashing of expressions up to renaming of what they bind.
#include "local.h"

#include <string.h>

// Hashing.  Of what stands in bodies only the outline counts: forms, operations and literals, and
// which variables are free.  So every body is hashed once, however deep it is.
struct AlphaHash {
  Arena *arena;
  FreeVars *free_vars;
  Map *outlines;  // Body * -> uint64_t *
};

AlphaHash *alpha_hash_new(const Prog *prog, Arena *scratch) {
  AlphaHash *h = NEW(scratch, AlphaHash);
  *h = (AlphaHash){scratch, free_vars_new(prog, scratch), map_new(scratch)};
  return h;
}

typedef struct {
  AlphaHash *known;
  uint64_t hash;
  bool names;  // variables count
} Hash;

static void mix(Hash *h, uint64_t x) {
  h->hash ^= x + 0x9e3779b97f4a7c15u + (h->hash << 6) + (h->hash >> 2);
  h->hash *= 0xff51afd7ed558ccdu;
}

static void hash_atom(void *state, Atom a) {
  Hash *h = state;
  if (!a.is_var) {
    mix(h, (uint64_t)a.value.prim * 31 + 7);
    mix(h, (uint64_t)a.value.i);
    return;
  }
  mix(h, h->names ? (uint64_t)a.var.id * 2 + 1 : 1);
}

// The operands that are not atoms.
static void hash_plain(Hash *h, const Exp *x) {
  switch ((int)x->form) {
  case FORM_PRIM: mix(h, (uint64_t)x->prim.op * 64 + x->prim.prim); break;
  case FORM_CONV: mix(h, x->conv.to); break;
  case FORM_REARRANGE:
    for (int i = 0; i < x->rearrange.perm.len; i++) mix(h, (uint64_t)x->rearrange.perm.at[i]);
    break;
  case FORM_CONSTANT: mix(h, (uint64_t)x->constant.data.len); break;
  }
}

static void hash_body(void *state, const Body *body, const Vars *params);

static void hash_exp(Hash *h, const Exp *x) {
  mix(h, x->form);
  hash_plain(h, x);
  exp_each_atom(x, hash_atom, h);
  if (form_has_bodies[x->form]) exp_each_body(x, hash_body, h);
}

static uint64_t outline_of(AlphaHash *known, const Body *body, const Vars *params) {
  Hash h = {.known = known, .hash = (uint64_t)params->len};
  for (int i = 0; i < body->stms.len; i++) {
    hash_exp(&h, &body->stms.at[i].exp);
    mix(&h, (uint64_t)body->stms.at[i].bound.len);
  }
  for (int i = 0; i < body->results.len; i++) hash_atom(&h, body->results.at[i]);
  return h.hash;
}

static void hash_body(void *state, const Body *body, const Vars *params) {
  Hash *h = state;
  uint64_t *outline = map_get(h->known->outlines, KEY(body));
  if (!outline) {
    uint64_t hash = outline_of(h->known, body, params);
    outline = arena_copy(h->known->arena, &hash, sizeof hash);
    map_put(h->known->outlines, KEY(body), outline);
  }
  mix(h, *outline);
}

uint64_t alpha_hash(AlphaHash *known, const Exp *exp) {
  Hash h = {.known = known, .hash = 1, .names = true};
  hash_exp(&h, exp);
  if (!form_has_bodies[exp->form]) return h.hash | 1;
  Vars free = free_vars_of_exp(known->free_vars, exp);
  for (int i = 0; i < free.len; i++) mix(&h, free.at[i].id);
  return h.hash | 1;
}

struct Alpha {
  const Prog *prog;
  Arena *arena;
  Map *twin;  // variable bound in a -> the one bound in b, as a pointer
};

static void twin(Alpha *s, Var a, Var b) { map_put(s->twin, a.id, (void *)(uintptr_t)b.id); }

static bool same_atom(Alpha *s, Atom a, Atom b) {
  if (!a.is_var || !b.is_var) return atom_same(a, b);
  void *to = map_get(s->twin, a.var.id);
  return to ? (uintptr_t)to == b.var.id : a.var.id == b.var.id;
}

static bool same_vars(Alpha *s, const Vars *a, const Vars *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++) {
    Type t = var_type(s->prog, a->at[i]), u = var_type(s->prog, b->at[i]);
    if (t.prim != u.prim || t.rank != u.rank || t.is_acc != u.is_acc || t.unique != u.unique)
      return false;
    twin(s, a->at[i], b->at[i]);
  }
  return true;
}

static bool same_ints(const Ints *a, const Ints *b) {
  return a->len == b->len &&
         (a->len == 0 || memcmp(a->at, b->at, sizeof *a->at * (size_t)a->len) == 0);
}

static bool same_slice_shape(const Slice *a, const Slice *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (a->at[i].is_fix != b->at[i].is_fix) return false;
  return true;
}

static bool same_data(const Data *a, const Data *b) {
  if (a->prim != b->prim || a->len != b->len) return false;
  for (int64_t i = 0; i < a->len; i++)
    if (!scalar_same(a->at[i], b->at[i])) return false;
  return true;
}

static bool same_cases(const Cases *a, const Cases *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++) {
    if (a->at[i].pats.len != b->at[i].pats.len) return false;
    for (int k = 0; k < a->at[i].pats.len; k++) {
      CasePat p = a->at[i].pats.at[k], q = b->at[i].pats.at[k];
      if (p.any != q.any || (!p.any && !scalar_same(p.lit, q.lit))) return false;
    }
  }
  return true;
}

static bool same_operators(const Operators *a, const Operators *b) {
  if (a->len != b->len) return false;
  for (int i = 0; i < a->len; i++)
    if (!a->at[i].op != !b->at[i].op || a->at[i].neutral.len != b->at[i].neutral.len ||
        a->at[i].comm != b->at[i].comm || a->at[i].exclusive != b->at[i].exclusive)
      return false;
  return true;
}

#define FIELD_OF(T, exp, f) ((const T *)(const void *)((const char *)(exp) + (f)->offset))

// Everything but atoms and bodies.
static bool same_plain(const Exp *a, const Exp *b) {
  for (const Field *f = form_info[a->form].fields; f->kind != FIELD_END; f++) {
    bool same = true;
    switch (f->kind) {
    case FIELD_OP: same = *FIELD_OF(Op, a, f) == *FIELD_OF(Op, b, f); break;
    case FIELD_PRIM: same = *FIELD_OF(Prim, a, f) == *FIELD_OF(Prim, b, f); break;
    case FIELD_INT: same = *FIELD_OF(int64_t, a, f) == *FIELD_OF(int64_t, b, f); break;
    case FIELD_FLAG: same = *FIELD_OF(bool, a, f) == *FIELD_OF(bool, b, f); break;
    case FIELD_INTS: same = same_ints(FIELD_OF(Ints, a, f), FIELD_OF(Ints, b, f)); break;
    case FIELD_SLICE:
      same = same_slice_shape(FIELD_OF(Slice, a, f), FIELD_OF(Slice, b, f));
      break;
    case FIELD_CASES: same = same_cases(FIELD_OF(Cases, a, f), FIELD_OF(Cases, b, f)); break;
    case FIELD_OPERATORS:
      same = same_operators(FIELD_OF(Operators, a, f), FIELD_OF(Operators, b, f));
      break;
    case FIELD_STRING: case FIELD_FN:
      same = strcmp(*FIELD_OF(char *, a, f), *FIELD_OF(char *, b, f)) == 0;
      break;
    case FIELD_DATA: same = same_data(FIELD_OF(Data, a, f), FIELD_OF(Data, b, f)); break;
    case FIELD_LAMBDA: same = !*FIELD_OF(Lambda *, a, f) == !*FIELD_OF(Lambda *, b, f); break;
    case FIELD_ATOM: case FIELD_ATOMS: case FIELD_END: break;
    }
    if (!same) return false;
  }
  return true;
}

static bool same_exp(Alpha *s, const Exp *a, const Exp *b);

static bool same_body(Alpha *s, const Body *a, const Body *b) {
  if (a->stms.len != b->stms.len || a->results.len != b->results.len) return false;
  for (int i = 0; i < a->stms.len; i++)
    if (!alpha_stm(s, &a->stms.at[i], &b->stms.at[i])) return false;
  for (int i = 0; i < a->results.len; i++)
    if (!same_atom(s, a->results.at[i], b->results.at[i])) return false;
  return true;
}

static bool same_exp(Alpha *s, const Exp *a, const Exp *b) {
  if (a->form != b->form || !same_plain(a, b)) return false;
  Exp x = *a, y = *b;
  AtomRefs p = exp_atom_refs(s->arena, &x), q = exp_atom_refs(s->arena, &y);
  if (p.len != q.len) return false;
  for (int i = 0; i < p.len; i++)
    if (!same_atom(s, *p.at[i], *q.at[i])) return false;
  if (!exp_has_parts(&x)) return true;
  Parts ps = exp_parts(s->arena, &x), qs = exp_parts(s->arena, &y);
  if (ps.len != qs.len) return false;
  for (int i = 0; i < ps.len; i++) {
    const Lambda *fn = ps.at[i].fn, *gn = qs.at[i].fn;
    if (fn && (!gn || !same_vars(s, &fn->params, &gn->params))) return false;
    if (!same_body(s, ps.at[i].body, qs.at[i].body)) return false;
  }
  return true;
}

bool alpha_same(const Prog *prog, Arena *scratch, const Exp *a, const Exp *b) {
  Alpha s = {prog, scratch, map_new(scratch)};
  return same_exp(&s, a, b);
}

Alpha *alpha_new(const Prog *prog, Arena *scratch) {
  Alpha *s = NEW(scratch, Alpha);
  *s = (Alpha){prog, scratch, map_new(scratch)};
  return s;
}

void alpha_twin(Alpha *alpha, Var a, Var b) { twin(alpha, a, b); }

bool alpha_stm(Alpha *alpha, const Stm *a, const Stm *b) {
  if (a->bound.len != b->bound.len || a->attrs.linear != b->attrs.linear) return false;
  return same_exp(alpha, &a->exp, &b->exp) &&
         same_vars(alpha, &a->bound, &b->bound);
}
