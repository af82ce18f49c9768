// Fused forms split: SCREMA to map, scans, reductions, map, exclusive scans to others; and the
// rewriting of operators that work elementwise on rows.  Differentiation has rules for the plain
// forms.
#include "opt/common/local.h"

static Vars fresh_arrays(Prog *prog, const Lambda *fn, int from, int to, Atom width) {
  Vars out = {0};
  for (int i = from; i < to; i++) {
    Type t = type_array(prog->arena, fn->rets.at[i], width);
    list_push(prog->arena, &out, var_new(prog, "u", t));
  }
  return out;
}

static Vars vars_like(Prog *prog, Vars vars) {
  Vars out = {0};
  for (int i = 0; i < vars.len; i++)
    list_push(prog->arena, &out,
              var_new(prog, var_info(prog, vars.at[i])->base, var_type(prog, vars.at[i])));
  return out;
}

static void emit(Rewrite *w, const Stm *like, Vars bound, Exp exp) {
  Stm stm = {.exp = exp, .bound = bound, .attrs = like->attrs, .loc = w->to.loc};
  build_stm(&w->to, stm);
}

// map (\i -> if i == 0 then ne else ys[i - 1]), as y
static void emit_shifted(Rewrite *w, const Stm *like, Var y, Atom width, Atom ys, Atom ne) {
  Arena *arena = w->to.prog->arena;
  Types types = {0};
  list_push(arena, &types, type_scalar(PRIM_I64));
  LambdaBuilder lb = lambda_begin(&w->to, "i", types);
  Atom i = atom_var(lb.lambda->params.at[0]), zero = atom_i64(0), one = atom_i64(1);
  Exp match = {.form = FORM_MATCH}, iota = {.form = FORM_IOTA, .iota = {width, zero, one}};
  Case first = {0}, rest = {0};
  list_push(arena, &match.match.args, build_op(&lb.inner, OP_EQ, i, zero));
  list_push(arena, &first.pats, (CasePat){.lit = scalar_bool(true)});
  list_push(arena, &first.body.results, ne);
  Builder b = builder_new(w->to.prog, &rest.body.stms);
  Atoms at = {0}, inputs = {0}, results = {0};
  list_push(arena, &at, build_op(&b, OP_SUB, i, one));
  b.attrs.unchecked = true;
  list_push(arena, &rest.body.results, build_index(&b, ys, at));
  list_push(arena, &match.match.cases, first);
  list_push(arena, &match.match.cases, rest);
  Type row = type_row(atom_type(w->to.prog, ys));
  list_push(arena, &results, build(&lb.inner, "before", row, match));
  list_push(arena, &inputs,
            build(&w->to, "i", type_array(arena, type_scalar(PRIM_I64), width), iota));
  Vars bound = {0};
  list_push(arena, &bound, y);
  emit(w, like, bound, (Exp){.form = FORM_MAP,
                             .map = {.width = width, .fn = lambda_end(&lb, results),
                                     .inputs = inputs}});
}

// An exclusive scan is one that is not, one place on.
static void emit_scan(Rewrite *w, const Stm *like, Vars bound, struct scan_form scan) {
  bool exclusive = scan.exclusive;
  Vars ys = bound;
  if (exclusive) ys = vars_like(w->to.prog, bound);
  scan.exclusive = false;
  emit(w, like, ys, (Exp){.form = FORM_SCAN, .scan = scan});
  for (int k = 0; exclusive && k < bound.len; k++)
    emit_shifted(w, like, bound.at[k], scan.width, atom_var(ys.at[k]), scan.neutral.at[k]);
}

static Vars part_of(Arena *arena, const Vars *vars, int from, int to) {
  Vars out = {0};
  for (int i = from; i < to; i++) list_push(arena, &out, vars->at[i]);
  return out;
}

// screma w fn scans reds post inputs
//   = us = map fn inputs; s = scan us..; r = reduce us..; map post s.. us..
static void unfuse_screma(Rewrite *w, const Stm *stm) {
  Arena *arena = w->to.prog->arena;
  Exp copy = rewrite_exp(w, &stm->exp);
  const struct screma_form *s = &copy.screma;
  Vars us = fresh_arrays(w->to.prog, s->fn, 0, s->fn->rets.len, s->width);
  emit(w, stm, us, (Exp){.form = FORM_MAP,
                         .map = {.width = s->width, .fn = s->fn, .inputs = s->inputs}});
  Atoms inputs = atoms_of_vars(arena, us), outs = {0};
  int at = 0, red = 0;
  Vars bound = {0};
  for (int i = 0; i < stm->bound.len; i++)
    list_push(arena, &bound, rewrite_var(w, stm->bound.at[i]));
  for (int i = 0; i < s->scans.len; i++) {
    int n = s->scans.at[i].neutral.len;
    Vars ys = fresh_arrays(w->to.prog, s->fn, at, at + n, s->width);
    emit_scan(w, stm, ys, (struct scan_form){.width = s->width, .op = s->scans.at[i].op,
                                             .exclusive = s->scans.at[i].exclusive,
                                             .neutral = s->scans.at[i].neutral,
                                             .inputs = atoms_of(arena, n, inputs.at + at)});
    outs = atoms_concat(arena, outs, atoms_of_vars(arena, ys));
    at += n;
  }
  for (int i = 0; i < s->reds.len; i++) {
    int n = s->reds.at[i].neutral.len;
    emit(w, stm, part_of(arena, &bound, red, red + n),
         (Exp){.form = FORM_REDUCE,
               .reduce = {.width = s->width, .op = s->reds.at[i].op, .comm = s->reds.at[i].comm,
                          .neutral = s->reds.at[i].neutral,
                          .inputs = atoms_of(arena, n, inputs.at + at)}});
    at += n;
    red += n;
  }
  if (red == bound.len) return;
  outs = atoms_concat(arena, outs, atoms_of(arena, inputs.len - at, inputs.at + at));
  emit(w, stm, part_of(arena, &bound, red, bound.len),
       (Exp){.form = FORM_MAP, .map = {.width = s->width, .fn = s->post, .inputs = outs}});
}

static void unfuse_scan(Rewrite *w, const Stm *stm) {
  Exp copy = rewrite_exp(w, &stm->exp);
  Vars bound = {0};
  for (int i = 0; i < stm->bound.len; i++)
    list_push(w->to.prog->arena, &bound, rewrite_var(w, stm->bound.at[i]));
  emit_scan(w, stm, bound, copy.scan);
}

static void unfuse_stm(Rewrite *w, const Stm *stm) {
  if (stm->exp.form == FORM_SCREMA) unfuse_screma(w, stm);
  else if (stm->exp.form == FORM_SCAN && stm->exp.scan.exclusive) unfuse_scan(w, stm);
  else rewrite_stm(w, stm);
}

static void find_fused(void *found, const Body *body, const Vars *params) {
  (void)params;
  for (int i = 0; i < body->stms.len; i++) {
    const Exp *exp = &body->stms.at[i].exp;
    if (exp->form == FORM_SCREMA || (exp->form == FORM_SCAN && exp->scan.exclusive))
      *(bool *)found = true;
    exp_each_body(exp, find_fused, found);
  }
}

static bool has_fused(const Prog *prog) {
  Body constants = {.stms = prog->constants};
  bool found = false;
  find_fused(&found, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) find_fused(&found, &prog->fns.at[i]->body, NULL);
  return found;
}

// needs: any program.  leaves: no SCREMA, no exclusive SCAN.  cost: linear.
Prog *pass_unfuse(Prog *prog, Arena *arena) {
  if (!has_fused(prog)) return prog;
  Rewrite w = {.stm = unfuse_stm};
  return rewrite_prog(prog, arena, &w);
}
