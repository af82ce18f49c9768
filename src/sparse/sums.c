// The terms of a function whose Hessian is made of blocks:
//
//     f x = c_1 sum ys_1 + .. + c_k sum ys_k + d        c_i: what x has no part in; d: a scalar
//
// Each sum has a block for each of its elements, d is one block.  The same holds where that is the
// result of an iteration of a map, whose blocks are added into a row of the Jacobian; and
// where what is summed are such iterations.
#include "jacobian.h"

enum { MOST_TERMS = 8, MOST_DEPTH = 64 };

typedef struct {
  const Prog *prog;
  Arena *arena;
  const VarSet *varied;
  const Lambda *fn;
  Stms stms;
  BlockTerms out;
  int sums;
} Search;

static const Stm *binding(Stms stms, Atom a) {
  for (int i = 0; i < stms.len; i++)
    for (int k = 0; k < stms.at[i].bound.len; k++)
      if (atom_is_var(a, stms.at[i].bound.at[k])) return &stms.at[i];
  return NULL;
}

static bool is_sum(const Stm *stm) {
  if (!stm || stm->exp.form != FORM_REDUCE) return false;
  const struct reduce_form *e = &stm->exp.reduce;
  return e->inputs.len == 1 && e->width.is_var && operator_is_sum(e->op) &&
         atom_is(e->neutral.at[0], 0);
}

// Which operands of the operation are terms, or have them: bits 0 and 1.
static int term_operands(const Search *s, const Stm *stm) {
  if (!stm || stm->exp.form != FORM_PRIM) return 0;
  const struct prim_form *e = &stm->exp.prim;
  if (e->op == OP_ADD || e->op == OP_SUB) return 3;
  if (e->op == OP_NEG) return 1;
  if (e->op != OP_MUL && e->op != OP_DIV) return 0;
  if (!varset_has_atom(s->varied, e->args.at[1])) return 1;
  return e->op == OP_MUL && !varset_has_atom(s->varied, e->args.at[0]) ? 2 : 0;
}

static bool has_sum(const Search *s, Atom a, int depth) {
  const Stm *stm = binding(s->stms, a);
  if (is_sum(stm)) return true;
  int of = depth < MOST_DEPTH ? term_operands(s, stm) : 0;
  for (int i = 0; i < 2; i++)
    if (of >> i & 1 && has_sum(s, stm->exp.prim.args.at[i], depth + 1)) return true;
  return false;
}

static BlockFactors with(Search *s, BlockFactors all, Op op, Atom other) {
  BlockFactors out = {0};
  list_push(s->arena, &out, ((BlockFactor){op, other}));
  for (int i = 0; i < all.len; i++) list_push(s->arena, &out, all.at[i]);
  return out;
}

static void find_terms(Search *s, Atom a, BlockFactors factors, int depth) {
  if (!varset_has_atom(s->varied, a) || s->out.len > MOST_TERMS) return;
  const Stm *stm = binding(s->stms, a);
  bool sum = is_sum(stm);
  if (sum || !has_sum(s, a, depth)) {
    Atom of = sum ? stm->exp.reduce.inputs.at[0] : a;
    list_push(s->arena, &s->out, ((BlockTerm){s->fn, of, factors}));
    s->sums += sum;
    return;
  }
  const struct prim_form *e = &stm->exp.prim;
  int of = term_operands(s, stm);
  if (of == 3) {
    find_terms(s, e->args.at[0], factors, depth + 1);
    bool minus = e->op == OP_SUB;
    find_terms(s, e->args.at[1], minus ? with(s, factors, OP_NEG, atom_none()) : factors,
               depth + 1);
    return;
  }
  Atom other = e->op == OP_NEG ? atom_none() : e->args.at[of == 1 ? 1 : 0];
  find_terms(s, e->args.at[of == 1 ? 0 : 1], with(s, factors, e->op, other), depth + 1);
}

static BlockTerms joined(Arena *arena, BlockTerm first, BlockTerms rest) {
  BlockTerms out = {0};
  list_push(arena, &out, first);
  for (int i = 0; i < rest.len; i++) list_push(arena, &out, rest.at[i]);
  return out;
}

// The ways of a term: those of the sums that its elements are, or itself.
static BlockWays ways_of(const Search *s, const Body *body, BlockTerm term) {
  BlockWays out = {0};
  Atom made = term.of;
  const Stm *stm = blocks_making(body, &made, false);
  for (int k = 0; stm && k < stm->bound.len; k++) {
    const Lambda *fn = stm->exp.map.fn;
    if (!atom_is_var(made, stm->bound.at[k])) continue;
    out = blocks_ways(s->prog, s->varied, fn, &fn->body, fn->body.results.at[k]);
  }
  for (int i = 0; i < out.len; i++) out.at[i] = joined(s->arena, term, out.at[i]);
  if (out.len == 0) list_push(s->arena, &out, joined(s->arena, term, (BlockTerms){0}));
  return out;
}

BlockWays blocks_ways(const Prog *prog, const VarSet *varied, const Lambda *fn, const Body *body,
                      Atom result) {
  Search s = {.prog = prog, .arena = prog->arena, .varied = varied, .fn = fn, .stms = body->stms};
  BlockWays out = {0};
  find_terms(&s, result, (BlockFactors){0}, 0);
  if (s.sums == 0 || s.out.len > MOST_TERMS) return out;
  for (int i = 0; i < s.out.len; i++) {
    BlockWays more = ways_of(&s, body, s.out.at[i]);
    for (int k = 0; k < more.len; k++) list_push(s.arena, &out, more.at[k]);
  }
  return out.len <= MOST_TERMS ? out : (BlockWays){0};
}

const BlockTerm *blocks_term(const Jac *b, const Lambda *fn) {
  for (int i = 0; i < b->way.len; i++)
    if (fn && b->way.at[i].fn == fn) return &b->way.at[i];
  return NULL;
}

static void need_type(VarSet *need, Type t) {
  for (int d = 0; d < t.rank; d++)
    if (t.dims[d].is_var) varset_add(need, t.dims[d].var);
}

Stms blocks_needed(const Prog *prog, Stms stms, const BlockTerm *term) {
  Arena *arena = prog->arena;
  VarSet need = varset_new(arena);
  varset_add_atom(&need, term->of);
  for (int i = 0; i < term->factors.len; i++) varset_add_atom(&need, term->factors.at[i].other);
  Stms backwards = {0}, out = {0};
  for (int i = stms.len - 1; i >= 0; i--) {
    const Stm *stm = &stms.at[i];
    bool needed = stm->bound.len == 0;  // a test
    for (int k = 0; k < stm->bound.len; k++) needed = needed || varset_has(&need, stm->bound.at[k]);
    if (!needed) continue;
    Vars free = exp_free(prog, arena, &stm->exp);
    for (int k = 0; k < free.len; k++) varset_add(&need, free.at[k]);
    for (int k = 0; k < stm->bound.len; k++) need_type(&need, var_type(prog, stm->bound.at[k]));
    list_push(arena, &backwards, *stm);
  }
  for (int i = backwards.len - 1; i >= 0; i--) list_push(arena, &out, backwards.at[i]);
  return out;
}

Atom blocks_scaled(Jac *b, Atom row, BlockFactors factors) {
  for (int i = 0; i < factors.len; i++) {
    const BlockFactor *f = &factors.at[i];
    if (f->op == OP_NEG) row = build_op1(&b->g, OP_NEG, row);
    else row = build_op(&b->g, f->op, row, rewrite_atom(&b->w, f->other));
  }
  return row;
}
