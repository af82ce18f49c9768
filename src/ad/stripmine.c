// #[stripmine(c)] on a for loop of n trips: before reverse mode it becomes a nest of c loops of
// m = floor(n^(1/c)) trips each and a loop for the n - m^c trips that remain.  Each level of the
// nest tapes only its own m states, so about c * m of m^c are held at a time, and every iteration is
// executed up to c + 1 times forward; the loop for what remains tapes all of its states.  A loop that
// only updates arrays in place stays as it is: what its updates overwrite is kept for all n iterations
// either way.
#include "local.h"

typedef struct {
  const Stm *loop;  // the loop as it would be without the attribute
  Atom m;
} Strip;

static Vars loop_like(Builder *b, const Strip *s, Atom bound, Atoms inits, Lambda *fn) {
  Stm out = {.exp = s->loop->exp, .loc = b->loc};
  Rewrite w = rewrite_new(b->prog, *b);
  out.exp.loop.bound = bound;
  out.exp.loop.inits = inits;
  out.exp.loop.fn = fn;
  for (int k = 0; k < s->loop->bound.len; k++)
    list_push(b->prog->arena, &out.bound, rewrite_var(&w, s->loop->bound.at[k]));
  build_stm(b, out);
  return out.bound;
}

// \j p.. -> the loop's body at base + j, under level - 1 further loops of m trips.
static Lambda *strip_level(Builder *b, const Strip *s, int level, Atom base) {
  Prog *prog = b->prog;
  const Lambda *fn = s->loop->exp.loop.fn;
  Lambda *out = NEW(prog->arena, Lambda);
  Builder in = builder_new(prog, &out->body.stms);
  in.loc = b->loc;
  Rewrite w = rewrite_new(prog, in);
  list_push(prog->arena, &out->params, var_new(prog, "i", type_scalar(PRIM_I64)));
  for (int k = 1; k < fn->params.len; k++)
    list_push(prog->arena, &out->params, rewrite_var(&w, fn->params.at[k]));
  out->rets = rewrite_types(&w, fn->rets);
  Atoms params = atoms_of_vars(prog->arena, out->params);
  Atom i = build_op(&in, OP_ADD, base, params.at[0]);
  if (level == 1) {
    params.at[0] = build_conv(&in, var_type(prog, fn->params.at[0]).prim, i);
    out->body.results = lambda_inline(&in, fn, params);
    return out;
  }
  Lambda *inner = strip_level(&in, s, level - 1, build_op(&in, OP_MUL, i, s->m));
  Vars bound = loop_like(&in, s, s->m, atoms_slice(params, 1, params.len - 1), inner);
  out->body.results = atoms_of_vars(prog->arena, bound);
  return out;
}

static Atom power(Builder *b, Atom m, int c) {
  Atom r = m;
  for (int k = 1; k < c; k++) r = build_op(b, OP_MUL, r, m);
  return r;
}

// floor(n^(1/c)): the root of n + 1/2 is clear of whole numbers for as many iterations as anyone can
// wait for; beyond, it may be one less, and never more.
static Atom root(Builder *b, Atom n, int c) {
  Atom middle = build_op(b, OP_ADD, build_conv(b, PRIM_F64, n), atom_number(PRIM_F64, 0.5));
  Atom x = build_op(b, OP_POW, middle, atom_number(PRIM_F64, 1.0 / c));
  Atom m = build_conv(b, PRIM_I64, x), less = build_op(b, OP_SUB, m, atom_i64(1));
  return build_select(b, build_op(b, OP_LT, n, power(b, m, c)), less, m);
}

Atoms strip_mine(Builder *b, const Stm *loop, int c) {
  Atom n = build_width(b, loop->exp.loop.bound);
  Strip s = {.loop = loop, .m = root(b, n, c)};
  Lambda *nest = strip_level(b, &s, c, atom_i64(0));
  Vars most = loop_like(b, &s, s.m, loop->exp.loop.inits, nest);
  Atom done = power(b, s.m, c);
  Lambda *rest = strip_level(b, &s, 1, done);
  Atoms inits = atoms_of_vars(b->prog->arena, most);
  return atoms_of_vars(b->prog->arena,
                       loop_like(b, &s, build_op(b, OP_SUB, n, done), inits, rest));
}
