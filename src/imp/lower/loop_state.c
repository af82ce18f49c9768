// The values that loops, reductions and scans carry between iterations.  The mode of each array
// was decided by mem/: kept in place, overwritten element by element, two swapped blocks, or a
// block per iteration.
#include "imp/common/local.h"

static View param_view(Lower *l, ImpVar mem, Var param) {
  Type t = var_type(l->prog, param);
  return view_dense(l, mem, t.prim, t.rank, type_dims(l, t));
}

// A block that this state may write, holding the initial value.
static View state_block(Lower *l, const View *init, bool dead) {
  if (dead && view_movable(l, init)) {
    // Swapped blocks must be equally large.
    const ImpExp *count = l->mems.at[init->mem.id].count;
    if (!count || imp_exp_same(count, view_count(l, init))) return *init;
  }
  ImpVar mem = mem_fresh(l, "state", IMP_BLOCK, init->prim);
  View v = view_dense(l, mem, init->prim, init->rank, init->dims);
  alloc_view(l, &v);
  copy_view(l, &v, init);
  return v;
}

// place: where an elementwise state may live, NULL where it finds its own.
void state_init(Lower *l, LoopState *s, Var param, Atom init, const View *place) {
  Type t = var_type(l->prog, param);
  Value value = atom_value(l, init);
  *s = (LoopState){.param = param, .mode = l->facts->mode[param.id], .value = value,
               .scalar = t.rank == 0 && !t.is_acc};
  if (s->scalar) {
    s->var = emit_var(l, var_base(l, param), value.exp);
    return;
  }
  bool dead = atom_dead(l, init);
  switch (s->mode) {
  case LOOP_SAME: break;
  case LOOP_ELEMENTWISE:
    if (place) {
      s->cur = *place;
      copy_view(l, &s->cur, &value.view);
    } else s->cur = state_block(l, &value.view, dead);
    s->dest = &s->cur;
    break;
  case LOOP_BUFFER: {
    s->cur = state_block(l, &value.view, dead);
    ImpVar mem = mem_fresh(l, "next", IMP_BLOCK, t.prim);
    s->next = view_dense(l, mem, t.prim, t.rank, s->cur.dims);
    alloc_view(l, &s->next);
    s->dest = &s->next;
    break;
  }
  case LOOP_MOVE:
    s->cur = value.view;
    s->cur.mem = view_own(l, &value.view, dead);
    break;
  }
}

void state_bind(Lower *l, LoopState *s) {
  if (s->scalar) bind_exp(l, s->param, var_exp(l, s->var));
  else if (s->mode == LOOP_SAME) bind(l, s->param, s->value);
  else if (s->mode == LOOP_MOVE) bind_view(l, s->param, param_view(l, s->cur.mem, s->param));
  else bind_view(l, s->param, s->cur);
}

void state_dests(const LoopState *s, int n, const View **dests) {
  for (int i = 0; i < n; i++) dests[i] = s[i].scalar ? NULL : s[i].dest;
}

static bool is_other_state(const LoopState *s, int n, int i, const ImpExp *e) {
  for (int j = 0; j < n; j++)
    if (j != i && s[j].scalar && e->kind == IMP_VAR && e->var.id == s[j].var.id) return true;
  return false;
}

// All at once: what is read from other states is read before any is set.
void state_advance(Lower *l, LoopState *s, int n, const Value *results) {
  const ImpExp **scalars = NEW_ARRAY(l->arena, const ImpExp *, n + 1);
  ImpVar *owned = NEW_ARRAY(l->arena, ImpVar, n + 1);
  for (int i = 0; i < n; i++) {
    if (!s[i].scalar) {
      // Two results in one block: only one may take it, so both are copied.
      bool shared = false;
      for (int j = 0; j < n; j++)
        shared = shared || (j != i && !s[j].scalar && results[j].kind == VALUE_ARRAY
                            && results[j].view.mem.id == results[i].view.mem.id);
      if (s[i].mode == LOOP_MOVE) owned[i] = view_own(l, &results[i].view, !shared);
      continue;
    }
    scalars[i] = results[i].exp;
    if (!is_other_state(s, n, i, scalars[i])) continue;
    ImpVar v = var_fresh(l, "next", IMP_LET, scalars[i]->prim);
    imp_emit(l, (ImpStm){.form = IMP_STM_LET, .let = {v, scalars[i]}});
    scalars[i] = var_exp(l, v);
  }
  for (int i = 0; i < n; i++) {
    if (s[i].scalar) {
      if (scalars[i]->kind != IMP_VAR || scalars[i]->var.id != s[i].var.id)
        imp_emit(l, (ImpStm){.form = IMP_STM_SET, .set = {s[i].var, scalars[i]}});
    } else if (s[i].mode == LOOP_MOVE) {
      imp_emit(l, (ImpStm){.form = IMP_STM_FREE, .free = {s[i].cur.mem}});
      imp_emit(l, (ImpStm){.form = IMP_STM_MOVE, .move = {s[i].cur.mem, owned[i]}});
    } else if (s[i].mode == LOOP_BUFFER) {
      imp_emit(l, (ImpStm){.form = IMP_STM_SWAP, .swap = {s[i].cur.mem, s[i].next.mem}});
    }
  }
}

Value state_value(Lower *l, const LoopState *s, Type type) {
  if (s->scalar) return (Value){.kind = VALUE_SCALAR, .exp = var_exp(l, s->var)};
  if (s->mode == LOOP_SAME) return s->value;
  Value v = {.kind = VALUE_ARRAY, .view = s->cur};
  if (s->mode == LOOP_MOVE)
    v.view = view_dense(l, s->cur.mem, type.prim, type.rank, type_dims(l, type));
  return v;
}
