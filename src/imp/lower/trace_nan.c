// --trace-nan: statements that look at every float a scalar operation makes, and count iterations
// for them (rts/nan.h).  They are to meet what the interpreter meets, in its order: no operation is
// recognised in a combinator's function, and no loop with a LOOK promises `parallel`.
#include "imp/common/local.h"

static int look_site_of(Lower *l, const Stm *stm) {
  intptr_t known = (intptr_t)map_get(l->looks, KEY(stm));
  if (known) return (int)known - 1;
  list_push(l->arena, &l->out->looks, stm);
  map_put(l->looks, KEY(stm), (void *)(intptr_t)l->out->looks.len);
  return l->out->looks.len - 1;
}

void probe_value(Lower *l, const Stm *stm, int n, const ImpExp *const *args) {
  if (!l->looks || !stm_makes_float(l->prog, stm)) return;
  struct imp_probe probe = {.site = look_site_of(l, stm),
                          .value = atom_exp(l, atom_var(stm->bound.at[0]))};
  for (int i = 0; i < n; i++) list_push(l->arena, &probe.values, args[i]);
  imp_emit(l, (ImpStm){.form = IMP_STM_PROBE, .probe = probe});
  l->ordered++;
}

static void emit_nest(Lower *l, int change, const ImpExp *i, bool backwards) {
  if (l->looks)
    imp_emit(l, (ImpStm){.form = IMP_STM_PROBE_LOOP, .probe_loop = {change, i, backwards}});
}

void probe_enter(Lower *l) { emit_nest(l, 1, int_exp(l, 0), false); }
void probe_iteration(Lower *l, const ImpExp *i, bool backwards) { emit_nest(l, 0, i, backwards); }
void probe_leave(Lower *l) { emit_nest(l, -1, int_exp(l, 0), false); }
