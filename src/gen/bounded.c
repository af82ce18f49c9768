// Branches that keep indices in range, said in the many ways programs say it; in programs that may
// fail some say it wrongly.  Reads in the branch test their index unless a pass proves it.
#include "local.h"

typedef struct {
  Atom i, n;
  int64_t c;  // what is read is at i + c
} Near;

// The guard of another place, where the program may fail.
static int64_t shift_said(Gen *g, int64_t c) {
  if (!g->options.may_fail || gen_chance(g, 60)) return c;
  return c + (int64_t)gen_random(g, 3) - 1;
}

// Holds where i + c < n and 0 <= i < n; or (not), where it does not.
static Atom said_above(Gen *g, const Near *at, bool not) {
  Builder *b = &g->b;
  int64_t c = shift_said(g, at->c);
  Atom end = build_op(b, OP_SUB, at->n, atom_i64(c)), last = build_op(b, OP_SUB, end, atom_i64(1));
  switch (gen_random(g, c == 1 ? 5 : 4)) {
  case 0: {
    Atom next = build_op(b, OP_ADD, at->i, atom_i64(c));
    return not ? build_op(b, OP_LE, at->n, next) : build_op(b, OP_LT, next, at->n);
  }
  case 1: return not ? build_op(b, OP_LE, end, at->i) : build_op(b, OP_LT, at->i, end);
  case 2: return not ? build_op(b, OP_LT, last, at->i) : build_op(b, OP_LE, at->i, last);
  case 3: {
    Atom below = build_op(b, OP_LE, end, at->i);
    return not ? below : build_op1(b, OP_NOT, below);
  }
  default: return build_op(b, not ? OP_EQ : OP_NE, at->i, end);
  }
}

// Holds where 0 <= i - c, likewise.
static Atom said_below(Gen *g, const Near *at, bool not) {
  Builder *b = &g->b;
  int64_t c = shift_said(g, at->c);
  Atom zero = atom_i64(0), least = atom_i64(c);
  switch (gen_random(g, c == 1 ? 3 : 2)) {
  case 0: {
    Atom before = build_op(b, OP_SUB, at->i, least);
    return not ? build_op(b, OP_LT, before, zero) : build_op(b, OP_LE, zero, before);
  }
  case 1: return not ? build_op(b, OP_LT, at->i, least) : build_op(b, OP_LE, least, at->i);
  default: return build_op(b, not ? OP_EQ : OP_NE, at->i, zero);
  }
}

static Atom read_checked(Gen *g, Atom xs, Atom i, int64_t c) {
  Builder *b = &g->b;
  Slice slice = {0};
  Atom at = build_op(b, OP_ADD, i, atom_i64(c));
  list_push(g->arena, &slice, (SliceDim){.is_fix = true, .start = at});
  Exp exp = {.form = FORM_INDEX, .index = {.array = xs, .slice = slice}};
  return build(b, "near", type_scalar(atom_type(g->prog, xs).prim), exp);
}

static Body branch(Gen *g, Atom xs, const Near *up, const Near *down, Atom other) {
  Body body = {0};
  Builder saved = g->b;
  int known = g->known.len;
  g->b.stms = &body.stms;
  Atom r = other;
  if (up) r = gen_mix(g, r, read_checked(g, xs, up->i, up->c));
  if (down) r = gen_mix(g, r, read_checked(g, xs, down->i, -down->c));
  list_push(g->arena, &body.results, r);
  g->known.len = known;
  g->b = saved;
  return body;
}

// match (guard) { true -> x[i+c] .. x[i-d]; _ -> y }, or the other way round.
static Atom guarded(Gen *g, Atom xs, Atom y, Near up, Near down) {
  Builder *b = &g->b;
  bool not = gen_chance(g, 50), both = gen_chance(g, 50), first = gen_chance(g, 50);
  Atom test = first || both ? said_above(g, &up, not) : said_below(g, &down, not);
  if (both) test = build_op(b, not ? OP_OR : OP_AND, test, said_below(g, &down, not));
  const Near *above = first || both ? &up : NULL, *below = both || !first ? &down : NULL;
  Body reads = branch(g, xs, above, below, y), keeps = branch(g, xs, NULL, NULL, y);
  Exp exp = {.form = FORM_MATCH, .match = {.args = atoms_of(g->arena, 1, &test)}};
  Case yes = {.body = not ? keeps : reads}, no = {.body = not ? reads : keeps};
  list_push(g->arena, &yes.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(g->arena, &exp.match.cases, yes);
  list_push(g->arena, &exp.match.cases, no);
  return build(b, "inside", type_scalar(atom_type(g->prog, xs).prim), exp);
}

bool gen_stm_bounded(Gen *g) {
  Prim p = gen_number(g);
  Atom n = gen_size(g), xs = gen_array(g, p, n), ys = gen_array(g, p, n);
  GenOver o = gen_over_begin(g, n);
  Atom r = gen_read1(g, ys, o.i);
  for (int k = gen_chance(g, 40) ? 2 : 1; k > 0; k--) {
    Near up = {o.i, n, gen_random(g, 3)}, down = {o.i, n, gen_random(g, 3)};
    r = guarded(g, xs, r, up, down);
  }
  gen_over_end(g, &o, atoms_of(g->arena, 2, (Atom[]){r, gen_scalar(g, gen_real(g))}));
  g->budget -= 2;
  return true;
}
