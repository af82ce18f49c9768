// Random data for an entry point.  Its sizes: all the same, until tests at its beginning that would
// fail say otherwise.
//
//   eq i64 (n, e)      n a size parameter, e known: n = e; or the other way round
//   assert of it       n an integer parameter that nothing is known of: likewise
#include "gradcheck.h"

enum { MOST_STATEMENTS = 200, MOST_ROUNDS = 20, LARGEST = 1 << 24 };
typedef struct {
  const Fn *fn;
  Map *known;  // Var id -> Scalar *
  Arena *arena;
} Sizes;

static Scalar *known(const Sizes *s, Atom a) {
  if (a.is_var) return map_get(s->known, a.var.id);
  return arena_copy(s->arena, &a.value, sizeof a.value);
}

static void know(Sizes *s, Var v, Scalar value) {
  map_put(s->known, v.id, arena_copy(s->arena, &value, sizeof value));
}

// Whether a parameter may be given this value: a size, or a number that nothing is known of.
static bool may_choose(const Sizes *s, Atom a) {
  for (int p = 0; p < s->fn->params.len; p++)
    if (atom_is_var(a, s->fn->params.at[p])) return p < s->fn->entry->size_params || !known(s, a);
  return false;
}

static void evaluate(Sizes *s, const Stm *stm) {
  Scalar args[3], out;
  const struct prim_form *e = &stm->exp.prim;
  if (stm->exp.form != FORM_PRIM || e->args.len > (int)COUNT_OF(args)) return;
  for (int i = 0; i < e->args.len; i++) {
    const Scalar *value = known(s, e->args.at[i]);
    if (!value) return;
    args[i] = *value;
  }
  if (op_eval(e->op, e->prim, args, &out)) know(s, stm->bound.at[0], out);
}

static const Stm *definition(const Sizes *s, Atom a) {
  for (int i = 0; a.is_var && i < s->fn->body.stms.len && i < MOST_STATEMENTS; i++)
    if (s->fn->body.stms.at[i].bound.len == 1 && atom_is_var(a, s->fn->body.stms.at[i].bound.at[0]))
      return &s->fn->body.stms.at[i];
  return NULL;
}

// Makes a test that fails hold, if it says what a size must be.
static bool repair(Sizes *s, const Stm *test) {
  const Scalar *holds = known(s, test->exp.assert.cond);
  const Stm *eq = definition(s, test->exp.assert.cond);
  if ((holds && holds->i) || !eq || eq->exp.form != FORM_PRIM || eq->exp.prim.op != OP_EQ)
    return false;
  Atoms sides = eq->exp.prim.args;
  for (int i = 0; i < 2; i++) {
    const Scalar *value = known(s, sides.at[1 - i]);
    if (!may_choose(s, sides.at[i]) || !value || value->i < 0 || value->i > LARGEST) continue;
    know(s, sides.at[i].var, *value);
    return true;
  }
  return false;
}

static bool repair_one(Sizes *s) {
  const Stms *stms = &s->fn->body.stms;
  for (int i = 0; i < stms->len && i < MOST_STATEMENTS; i++) {
    const Stm *stm = &stms->at[i];
    evaluate(s, stm);
    if (stm->exp.form == FORM_ASSERT && repair(s, stm)) return true;
  }
  return false;
}

static Sizes sizes_of(Arena *arena, const Fn *fn, int64_t size) {
  Sizes s = {.fn = fn, .arena = arena, .known = map_new(arena)};
  for (int p = 0; p < fn->entry->size_params; p++)
    know(&s, fn->params.at[p], scalar_int(PRIM_I64, size));
  for (int i = 0; i < MOST_ROUNDS && repair_one(&s); i++) {}
  return s;
}

Values gradcheck_random(Arena *arena, const Prog *prog, const Fn *fn, int64_t size,
                        RandomOptions *options) {
  Values out = {0};
  Sizes sizes = sizes_of(arena, fn, size);
  for (int p = PRIM_I8; p <= PRIM_U64; p++)
    options->low[p] = 0, options->high[p] = (double)size - 1;
  for (int p = PRIM_F16; p <= PRIM_F64; p++) options->low[p] = 0.1, options->high[p] = 2;
  for (int i = fn->entry->size_params; i < fn->params.len; i++) {
    Type t = var_type(prog, fn->params.at[i]);
    int64_t shape[VALUE_MOST_RANK];
    for (int d = 0; d < t.rank; d++) {
      const Scalar *n = known(&sizes, t.dims[d]);
      shape[d] = n ? n->i : size;
    }
    const Scalar *chosen = known(&sizes, atom_var(fn->params.at[i]));
    Value value = value_random_shape(arena, t.prim, t.rank, shape, options);
    if (chosen) value_put(&value, 0, *chosen);
    list_push(arena, &out, value);
  }
  return out;
}
