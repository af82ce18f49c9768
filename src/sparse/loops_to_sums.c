// Loops that add up one number, s = a; for i < n: s = s + g i, as what they are:
//
//     a + reduce (+) 0 (map g (iota n))
//
// where g does not mention s, x has a part in it and n is no small constant.  Likewise
//
//     scan (+) 0 xs = map (\i -> reduce (+) 0 (map (\j -> xs[j]) (iota (i + 1)))) (iota n)
#include "jacobian.h"

enum { FEWEST_TERMS = 33 };  // fewer are unrolled

typedef struct {
  Rewrite w;  // first
  VarSet varied;
} Loops;

static bool mentions(const Prog *prog, const Stm *stm, Var v) {
  Vars free = exp_free(prog, prog->arena, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (free.at[i].id == v.id) return true;
  return false;
}

// The statement that adds, and what it adds; NULL: the loop is something else.
static const Stm *adding(const Loops *l, const Stm *stm, Atom *term) {
  const struct loop_form *e = &stm->exp.loop;
  if (stm->exp.form != FORM_LOOP || !e->is_for || e->inits.len != 1) return NULL;
  const Prog *prog = l->w.from;
  Var i = e->fn->params.at[0], s = e->fn->params.at[1];
  Type t = var_type(prog, s);
  bool many = e->bound.is_var || e->bound.value.i >= FEWEST_TERMS;
  if (t.rank > 0 || t.is_acc || !prim_is_float(t.prim) || !many) return NULL;
  if (var_type(prog, i).prim != PRIM_I64 || !varset_has(&l->varied, stm->bound.at[0])) return NULL;
  const Stm *out = NULL;
  for (int k = 0; k < e->fn->body.stms.len; k++) {
    const Stm *in = &e->fn->body.stms.at[k];
    bool last = in->bound.len == 1 && atom_is_var(e->fn->body.results.at[0], in->bound.at[0]);
    if (!last && mentions(prog, in, s)) return NULL;
    if (last) out = in;
  }
  if (!out || out->exp.form != FORM_PRIM || out->exp.prim.op != OP_ADD) return NULL;
  Atom x = out->exp.prim.args.at[0], y = out->exp.prim.args.at[1];
  bool first = atom_is_var(x, s);
  *term = first ? y : x;
  return first != atom_is_var(y, s) ? out : NULL;
}

static void sum_build(Rewrite *w, const Stm *stm, const Stm *add, Atom term) {
  const struct loop_form *e = &stm->exp.loop;
  Builder *b = &w->to;
  Arena *arena = b->prog->arena;
  Prim p = var_type(w->from, stm->bound.at[0]).prim;
  Atom init = rewrite_atom(w, e->inits.at[0]);
  Atom n = build_op(b, OP_MAX, rewrite_atom(w, e->bound), atom_i64(0));
  MapBuilder map = map_begin(b, n, atoms1(arena, build_iota(b, n)));
  rewrite_bind(w, e->fn->params.at[0], map_param(&map, 0));
  Builder outer = w->to;
  w->to = map.lb.inner;
  Stms stms = {0};
  for (int k = 0; k < e->fn->body.stms.len; k++)
    if (&e->fn->body.stms.at[k] != add) list_push(arena, &stms, e->fn->body.stms.at[k]);
  rewrite_stms(w, stms);
  Atom each = rewrite_atom(w, term);
  map.lb.inner = w->to;
  w->to = outer;
  Atoms terms = atoms1(arena, map_end1(&map, "terms", each));
  Lambda *plus = lambda_binop(b->prog, OP_ADD, p);
  Atom sum = build_reduce(b, n, plus, atoms1(arena, atom_number(p, 0)), terms).at[0];
  rewrite_bind(w, stm->bound.at[0], build_op(b, OP_ADD, init, sum));
}

static bool is_prefixes(const Loops *l, const Stm *stm) {
  if (stm->exp.form != FORM_SCAN) return false;
  const struct scan_form *e = &stm->exp.scan;
  Type t = var_type(l->w.from, stm->bound.at[0]);
  return e->inputs.len == 1 && t.rank == 1 && prim_is_float(t.prim) && operator_is_sum(e->op) &&
         atom_is(e->neutral.at[0], 0) && (e->width.is_var || e->width.value.i >= FEWEST_TERMS) &&
         varset_has(&l->varied, stm->bound.at[0]);
}

static void prefixes_build(Rewrite *w, const Stm *stm) {
  const struct scan_form *e = &stm->exp.scan;
  Builder *b = &w->to;
  Arena *arena = b->prog->arena;
  Prim p = var_type(w->from, stm->bound.at[0]).prim;
  Atom n = rewrite_atom(w, e->width), xs = rewrite_atom(w, e->inputs.at[0]);
  MapBuilder map = map_begin(b, n, atoms1(arena, build_iota(b, n)));
  Builder *in = &map.lb.inner;
  Atom i = map_param(&map, 0), count = e->exclusive ? i : build_op(in, OP_ADD, i, atom_i64(1));
  MapBuilder each = map_begin(in, count, atoms1(arena, build_iota(in, count)));
  Atom x = build_index(&each.lb.inner, xs, atoms1(arena, map_param(&each, 0)));
  Atoms before = atoms1(arena, map_end1(&each, "before", x));
  Lambda *plus = lambda_binop(b->prog, OP_ADD, p);
  Atom sum = build_reduce(in, count, plus, atoms1(arena, atom_number(p, 0)), before).at[0];
  rewrite_bind(w, stm->bound.at[0], map_end1(&map, "prefixes", sum));
}

static void loop_stm(Rewrite *w, const Stm *stm) {
  Atom term;
  const Stm *add = adding((Loops *)w, stm, &term);
  if (is_prefixes((Loops *)w, stm)) prefixes_build(w, stm);
  else if (add) sum_build(w, stm, add, term);
  else rewrite_stm(w, stm);
}

Lambda *blocks_sums_of_loops(Builder *b, const Lambda *fn) {
  Loops l = {.w = rewrite_new(b->prog, *b), .varied = varset_new(b->prog->arena)};
  l.w.stm = loop_stm;
  varset_add(&l.varied, fn->params.at[0]);
  varied_body(b->prog, &l.varied, &fn->body);
  return rewrite_lambda(&l.w, fn);
}
