// --trace-nan: statements that look at every float a scalar operation makes, and count iterations
// for them (rts/nan.h).  They are to meet what the interpreter meets, in its order: no operation is
// recognised in a combinator's function, and no loop with a LOOK promises `parallel`.
#include "local.h"

static int look_site_of(Lower *l, const Stm *stm) {
  intptr_t known = (intptr_t)map_get(l->looks, KEY(stm));
  if (known) return (int)known - 1;
  list_push(l->arena, &l->out->looks, stm);
  map_put(l->looks, KEY(stm), (void *)(intptr_t)l->out->looks.len);
  return l->out->looks.len - 1;
}

void look_at(Lower *l, const Stm *stm, int n, const ImpExp *const *args) {
  if (!l->looks || !stm_makes_float(l->prog, stm)) return;
  struct imp_look look = {.site = look_site_of(l, stm),
                          .value = atom_exp(l, atom_var(stm->bound.at[0]))};
  for (int i = 0; i < n; i++) list_push(l->arena, &look.values, args[i]);
  imp_emit(l, (ImpStm){.form = IMP_STM_LOOK, .look = look});
  l->ordered++;
}

static void emit_nest(Lower *l, int change, const ImpExp *i, bool backwards) {
  if (l->looks)
    imp_emit(l, (ImpStm){.form = IMP_STM_NEST, .nest = {change, i, backwards}});
}

void look_enter(Lower *l) { emit_nest(l, 1, int_exp(l, 0), false); }
void look_iteration(Lower *l, const ImpExp *i, bool backwards) { emit_nest(l, 0, i, backwards); }
void look_leave(Lower *l) { emit_nest(l, -1, int_exp(l, 0), false); }
