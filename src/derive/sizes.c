// Entry points take a size for every dimension and compare those that their types say are equal.
// As text, whose parameters may share the names of sizes, they need one size for those, and no
// comparison:
//
//   (n, m, x : [n]f64, y : [m]f64)   m == n, asserted   -->   (n, x : [n]f64, y : [n]f64)
#include "derive.h"
#include <string.h>

// How the message begins; the sizes and their arrays may follow.
static const char size_message[] = "entry point arguments have invalid sizes";

typedef struct {
  Prog *prog;
  const Fn *fn;
  Map *same;  // size parameter -> Atom *: one before it, or a constant, that it is equal to
} Sizes;

static int place_of(const Sizes *s, Atom a) {
  for (int i = 0; i < s->fn->entry->size_params && a.is_var; i++)
    if (s->fn->params.at[i].id == a.var.id) return i;
  return -1;
}

static Atom known_as(const Sizes *s, Atom a) {
  const Atom *as = a.is_var ? map_get(s->same, a.var.id) : NULL;
  return as ? known_as(s, *as) : a;
}

static void make_equal(Sizes *s, Atom a, Atom b) {
  a = known_as(s, a);
  b = known_as(s, b);
  int i = place_of(s, a), k = place_of(s, b);
  if ((i < 0 && a.is_var) || (k < 0 && b.is_var) || i == k) return;
  Atom from = i > k ? a : b, to = i > k ? b : a;
  map_put(s->same, from.var.id, arena_copy(s->prog->arena, &to, sizeof to));
}

static const Stm *stm_of(const Body *body, Atom a) {
  for (int i = 0; i < body->stms.len && a.is_var; i++)
    for (int k = 0; k < body->stms.at[i].bound.len; k++)
      if (body->stms.at[i].bound.at[k].id == a.var.id) return &body->stms.at[i];
  return NULL;
}

static void sizes_find(Sizes *s) {
  for (int i = 0; i < s->fn->body.stms.len; i++) {
    const Exp *e = &s->fn->body.stms.at[i].exp;
    if (e->form != FORM_ASSERT) continue;
    if (strncmp(e->assert.message, size_message, sizeof size_message - 1) != 0) continue;
    const Stm *test = stm_of(&s->fn->body, e->assert.cond);
    if (!test || test->exp.form != FORM_PRIM || test->exp.prim.op != OP_EQ) continue;
    make_equal(s, test->exp.prim.args.at[0], test->exp.prim.args.at[1]);
  }
}

static Var var_copy(Rewrite *w, Var old) {
  Prog *prog = w->to.prog;
  Var v = var_new(prog, var_info(prog, old)->base, rewrite_type(w, var_type(prog, old)));
  rewrite_bind(w, old, atom_var(v));
  return v;
}

static void params_copy(Sizes *s, Rewrite *w, Fn *out) {
  Vars params = s->fn->params;
  for (int i = 0; i < params.len; i++) {
    const Atom *same = map_get(s->same, params.at[i].id);
    if (same) rewrite_bind(w, params.at[i], rewrite_atom(w, known_as(s, *same)));
    else list_push(s->prog->arena, &out->params, var_copy(w, params.at[i]));
  }
}

static Fn *fn_with_fewer(Sizes *s) {
  Arena *arena = s->prog->arena;
  Fn *out = arena_copy(arena, s->fn, sizeof *out);
  EntryInfo *entry = arena_copy(arena, s->fn->entry, sizeof *entry);
  Stms nothing = {0};
  Rewrite w = rewrite_new(s->prog, builder_new(s->prog, &nothing));
  out->params = out->results = (Vars){0};
  params_copy(s, &w, out);
  entry->size_params -= map_len(s->same);
  out->entry = entry;
  out->body = rewrite_body(&w, &s->fn->body);
  for (int i = 0; i < s->fn->results.len; i++)
    list_push(arena, &out->results, var_copy(&w, s->fn->results.at[i]));
  return out;
}

Prog *derive_sizes(Arena *arena, const Prog *prog) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  for (int i = 0; i < out->fns.len; i++) {
    if (!out->fns.at[i]->entry) continue;
    Sizes s = {out, out->fns.at[i], map_new(arena)};
    sizes_find(&s);
    if (map_len(s.same)) out->fns.at[i] = fn_with_fewer(&s);
  }
  return out;
}
