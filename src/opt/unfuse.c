// Fused forms taken apart: SCREMA to map, scans, reductions, map; and the rewriting of operators
// that work elementwise on rows.  Differentiation has rules for the plain forms.
#include "local.h"

static Vars fresh_arrays(Prog *prog, const Lambda *fn, int from, int to, Atom width) {
  Vars out = {0};
  for (int i = from; i < to; i++) {
    Type t = type_array(prog->arena, fn->rets.at[i], width);
    list_push(prog->arena, &out, var_new(prog, "u", t));
  }
  return out;
}

static void emit(Rewrite *w, const Stm *like, Vars bound, Exp exp) {
  Stm stm = {.exp = exp, .bound = bound, .attrs = like->attrs, .loc = w->to.loc};
  build_stm(&w->to, stm);
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
    emit(w, stm, ys, (Exp){.form = FORM_SCAN,
                           .scan = {.width = s->width, .op = s->scans.at[i].op,
                                    .neutral = s->scans.at[i].neutral,
                                    .inputs = atoms_of(arena, n, inputs.at + at)}});
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

static void unfuse_stm(Rewrite *w, const Stm *stm) {
  if (stm->exp.form == FORM_SCREMA) unfuse_screma(w, stm);
  else rewrite_stm(w, stm);
}

// needs: any program.  leaves: no SCREMA; simplified.  cost: linear, then simplify.
Prog *pass_unfuse(const Prog *prog, Arena *arena) {
  Rewrite w = {.stm = unfuse_stm};
  Prog *out = rewrite_prog(prog, arena, &w);
  simplify_prog(out);
  return out;
}
