// Calls, both modes: the derivative of a call is a call of a derivative function (calls.c), to
// which goes what varies here.
#include "local.h"

// ---- forward mode
//   y.. = f x..      (y.., dy..) = f_jvp x.. dx..
void jvp_apply(Jvp *j, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  if (j->marks) {
    marks_spread(j, stm, e->args);
    return;
  }
  Builder *b = jvp_builder(j);
  Arena *arena = b->prog->arena;
  Calls *calls = j->varied.calls;
  char *given = NEW_ARRAY(arena, char, e->args.len + 1);
  Atoms args = rewrite_atoms(&j->w, e->args);
  for (int k = 0; k < e->args.len; k++) {
    Atom dx = tangent_of(j, e->args.at[k]);
    given[k] = atom_absent(dx) ? '0' : '1';
    if (!atom_absent(dx)) list_push(arena, &args, dx);
  }
  Mask varied = calls_varied(calls, e->fn, given);
  Stm out = {.attrs = stm->attrs, .loc = b->loc};
  out.exp = (Exp){.form = FORM_APPLY,
                  .apply = {.fn = calls_jvp(calls, e->fn, given, varied), .args = args}};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(arena, &out.bound, rewrite_var(&j->w, stm->bound.at[k]));
  for (int k = 0; k < stm->bound.len; k++) {
    if (varied[k] != '1') continue;
    Var y = out.bound.at[k];
    const char *base = arena_printf(arena, "%s_tan", var_info(b->prog, y)->base);
    Var dy = var_new(b->prog, base, type_fresh(var_type(b->prog, y)));
    list_push(arena, &out.bound, dy);
    tangent_set(j, stm->bound.at[k], atom_var(dy));
  }
  build_stm(b, out);
}

// ---- reverse mode
// The adjoint of argument k goes through the call: what is there already, or zeros where that
// cannot be had (in a map, it is an accumulator) or goes through for another argument.
static Atom sum_given(Vjp *v, const struct apply_form *e, int k, Vars *through) {
  Var x = e->args.at[k].var;
  AdjKind kind = adj_get(v, x).kind;
  if (kind == ADJ_ACC || kind == ADJ_VIEW || vars_have(*through, x))
    return build_zero(vjp_builder(v), primal_type(v, x));
  list_push(vjp_arena(v), through, x);
  return adj_owned(v, x);
}

//   y.. = f x..      xB.. += f_vjp x.. yB..;  of arrays x that f reads  xB = f_vjp x.. yB.. xB
void vjp_apply(Vjp *v, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  Builder *b = vjp_builder(v);
  Arena *arena = vjp_arena(v);
  Calls *calls = v->varied.calls;
  Atoms ys = rewrite_atoms(&v->w, atoms_of_vars(arena, stm->bound));
  Atoms args = rewrite_atoms(&v->w, e->args);
  args = atoms_concat(arena, args, apply_sizes(arena, b->prog, calls_fn(calls, e->fn), ys));
  char *seeded = NEW_ARRAY(arena, char, stm->bound.len + 1);
  for (int k = 0; k < stm->bound.len; k++) {
    seeded[k] = adj_is_zero(v, stm->bound.at[k]) ? '0' : '1';
    if (seeded[k] == '1') list_push(arena, &args, adj_value(v, stm->bound.at[k]));
  }
  Mask varied = mask_of(&v->varied, e->args);
  Mask wanted = calls_useful(calls, e->fn, varied, seeded);
  Stm out = {.attrs = stm->attrs, .loc = b->loc};
  out.exp = (Exp){.form = FORM_APPLY,
                  .apply = {.fn = calls_vjp(calls, e->fn, varied, wanted, seeded), .args = args}};
  Atoms reached = {0};
  Vars through = {0};      // whose adjoints go through the call
  LIST(bool) set = {0};    // by reached: whether its adjoint does
  for (int k = 0; k < e->args.len; k++) {
    if (wanted[k] != '1') continue;
    bool sum = apply_sums(b->prog, calls_fn(calls, e->fn), k);
    int before = through.len;
    if (sum) list_push(arena, &out.exp.apply.args, sum_given(v, e, k, &through));
    list_push(arena, &set, through.len > before);
    const char *base = arena_printf(arena, "%s_adj", var_info(v->w.from, e->args.at[k].var)->base);
    list_push(arena, &out.bound, var_new(b->prog, base, primal_type(v, e->args.at[k].var)));
    list_push(arena, &reached, e->args.at[k]);
  }
  if (reached.len == 0) return;
  build_stm(b, out);
  for (int k = 0; k < reached.len; k++) {
    Atom adjoint = atom_var(out.bound.at[k]);
    if (set.at[k]) adj_set(v, reached.at[k].var, adj_val(adjoint, true));
    else contribute(v, reached.at[k], adjoint, true);
  }
}
