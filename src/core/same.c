// Structural equality and hashing of expressions without nested bodies, for common subexpressions.
#include "local.h"
#include <string.h>

static bool atoms_same(Atoms a, Atoms b) {
  if (a.len != b.len) return false;
  for (int i = 0; i < a.len; i++)
    if (!atom_same(a.at[i], b.at[i])) return false;
  return true;
}

static bool slice_same(Slice a, Slice b) {
  if (a.len != b.len) return false;
  for (int i = 0; i < a.len; i++) {
    const SliceDim *x = &a.at[i], *y = &b.at[i];
    if (x->is_fix != y->is_fix || !atom_same(x->start, y->start)) return false;
    if (x->is_fix) continue;
    if (!atom_same(x->count, y->count) || !atom_same(x->stride, y->stride)) return false;
  }
  return true;
}

static bool ints_same(Ints a, Ints b) {
  if (a.len != b.len) return false;
  for (int i = 0; i < a.len; i++)
    if (a.at[i] != b.at[i]) return false;
  return true;
}

static bool data_same(Data a, Data b) {
  if (a.prim != b.prim || a.len != b.len) return false;
  for (int64_t i = 0; i < a.len; i++)
    if (!scalar_same(a.at[i], b.at[i])) return false;
  return true;
}

static bool field_same(const Field *f, const Exp *a, const Exp *b) {
#define GET(T) FIELD_CONST(a, f, T), FIELD_CONST(b, f, T)
#define EQUAL(T) (FIELD_CONST(a, f, T) == FIELD_CONST(b, f, T))
  switch (f->kind) {
    case FIELD_ATOM: return atom_same(GET(Atom));
    case FIELD_ATOMS: return atoms_same(GET(Atoms));
    case FIELD_LAMBDA: return !FIELD_CONST(a, f, Lambda *) && !FIELD_CONST(b, f, Lambda *);
    case FIELD_OPERATORS:
      return FIELD_CONST(a, f, Operators).len == 0 && FIELD_CONST(b, f, Operators).len == 0;
    case FIELD_CASES: return false;
    case FIELD_SLICE: return slice_same(GET(Slice));
    case FIELD_OP: return EQUAL(Op);
    case FIELD_PRIM: return EQUAL(Prim);
    case FIELD_INT: return EQUAL(int64_t);
    case FIELD_INTS: return ints_same(GET(Ints));
    case FIELD_FLAG: return EQUAL(bool);
    case FIELD_STRING: case FIELD_FN: return strcmp(GET(const char *)) == 0;
    case FIELD_DATA: return data_same(GET(Data));
    case FIELD_END: return true;
  }
  return false;
#undef GET
#undef EQUAL
}

bool exp_same(const Exp *a, const Exp *b) {
  if (a->form != b->form) return false;
  for (const Field *f = form_info[a->form].fields; f->kind != FIELD_END; f++)
    if (!field_same(f, a, b)) return false;
  return true;
}

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 31);
}

static uint64_t scalar_hash(Scalar s) {
  uint64_t bits = 0;
  if (!prim_is_float(s.prim)) bits = (uint64_t)s.i;
  else if (s.f == s.f) memcpy(&bits, &s.f, sizeof bits);
  return mix(s.prim, bits);
}

static uint64_t atom_hash(Atom a) {
  return a.is_var ? mix(1, a.var.id) : mix(2, scalar_hash(a.value));
}

static void hash_atom(void *state, Atom a) {
  uint64_t *h = state;
  *h = mix(*h, atom_hash(a));
}

static uint64_t text_hash(uint64_t h, const char *s) {
  for (; *s; s++) h = mix(h, (unsigned char)*s);
  return h;
}

uint64_t exp_hash(const Exp *exp) {
  uint64_t h = mix(0, exp->form);
  exp_each_atom(exp, hash_atom, &h);
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    if (f->kind == FIELD_OP) h = mix(h, FIELD_CONST(exp, f, Op));
    else if (f->kind == FIELD_PRIM) h = mix(h, FIELD_CONST(exp, f, Prim));
    else if (f->kind == FIELD_INT) h = mix(h, (uint64_t)FIELD_CONST(exp, f, int64_t));
    else if (f->kind == FIELD_FLAG) h = mix(h, FIELD_CONST(exp, f, bool));
    else if (f->kind == FIELD_STRING || f->kind == FIELD_FN)
      h = text_hash(h, FIELD_CONST(exp, f, const char *));
    else if (f->kind == FIELD_INTS)
      for (int i = 0; i < FIELD_CONST(exp, f, Ints).len; i++)
        h = mix(h, (uint64_t)FIELD_CONST(exp, f, Ints).at[i]);
    else if (f->kind == FIELD_DATA)
      for (int64_t i = 0; i < FIELD_CONST(exp, f, Data).len; i++)
        h = mix(h, scalar_hash(FIELD_CONST(exp, f, Data).at[i]));
  }
  return h;
}
