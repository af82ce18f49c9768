// Taking out of `withacc` what does not write: a map that both returns arrays and updates
// accumulators becomes two when what they share is cheap, and statements that do not depend on an
// accumulator move in front of the `withacc`, where they can fuse with their neighbours.
#include "acc.h"

enum { SHARED_WORK = 40 };  // statements that may run twice

static bool is_copied_freely(Form f) {
  return f == FORM_PRIM || f == FORM_MAP || f == FORM_CONV || f == FORM_INDEX ||
         f == FORM_REPLICATE || f == FORM_ATOM || f == FORM_UPDATEACC || f == FORM_REARRANGE;
}

static bool is_cheap_body(Acc *a, const Body *body, int *work) {
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (++*work > SHARED_WORK) return false;
    switch ((int)stm->exp.form) {
    case FORM_PRIM:
      if (!exp_is_cheap(&stm->exp)) return false;
      break;
    case FORM_MAP:
      if (!is_cheap_body(a, &stm->exp.map.fn->body, work)) return false;
      break;
    }
    if (!is_copied_freely(stm->exp.form)) return false;
  }
  return true;
}

static bool is_mixed(const Prog *prog, const Stm *stm) {
  bool acc = false, plain = false;
  for (int i = 0; i < stm->bound.len; i++) {
    if (var_type(prog, stm->bound.at[i]).is_acc) acc = true;
    else plain = true;
  }
  return acc && plain;
}

// The same map with only its accumulator results, or only the others.
static Stm half_of(Acc *a, Builder *b, const Stm *stm, bool accs) {
  Stm out = *stm;
  Lambda *fn = lambda_copy(b, stm->exp.map.fn);
  Atoms results = {0};
  Types rets = {0};
  out.bound = (Vars){0};
  for (int i = 0; i < stm->bound.len; i++) {
    if (var_type(a->prog, stm->bound.at[i]).is_acc != accs) continue;
    list_push(a->arena, &out.bound, stm->bound.at[i]);
    list_push(a->arena, &results, fn->body.results.at[i]);
    list_push(a->arena, &rets, fn->rets.at[i]);
  }
  fn->body.results = results;
  fn->rets = rets;
  Atoms inputs = {0};
  Vars params = {0};
  for (int i = 0; i < stm->exp.map.inputs.len; i++) {
    bool acc = atom_type(a->prog, stm->exp.map.inputs.at[i]).is_acc;
    if (acc && !accs) continue;
    list_push(a->arena, &inputs, stm->exp.map.inputs.at[i]);
    list_push(a->arena, &params, fn->params.at[i]);
  }
  // Without its accumulators the plain half still names them in updates nothing reads.
  out.exp.map.inputs = inputs;
  fn->params = params;
  out.exp.map.fn = fn;
  return out;
}

static void drop_accs(Acc *a, Stm *map) {
  struct map_form *m = &map->exp.map;
  for (int k = m->inputs.len - 1; k >= 0; k--) {
    if (!atom_type(a->prog, m->inputs.at[k]).is_acc) continue;
    lambda_drop_param(m->fn, k);
    atoms_drop(&m->inputs, k);
  }
  for (int k = map->bound.len - 1; k >= 0; k--) {
    if (!var_type(a->prog, map->bound.at[k]).is_acc) continue;
    lambda_drop_result(m->fn, k);
    vars_drop(&map->bound, k);
  }
}

// Removes updates, and accumulators threaded through maps, from the plain half.
void acc_drop_updates(Acc *a, Body *body) {
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    Stm stm = body->stms.at[i];
    if (stm.exp.form == FORM_UPDATEACC) continue;
    if (stm.exp.form == FORM_ATOM && var_type(a->prog, stm.bound.at[0]).is_acc) continue;
    if (stm.exp.form == FORM_MAP) {
      drop_accs(a, &stm);
      acc_drop_updates(a, &stm.exp.map.fn->body);
      if (stm.bound.len == 0) continue;
    }
    list_push(a->arena, &out, stm);
  }
  body->stms = out;
}

static void split_mixed(Acc *a, Body *body) {
  Stms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    int work = 0;
    if (stm->exp.form != FORM_MAP || !is_mixed(a->prog, stm) ||
        !is_cheap_body(a, &stm->exp.map.fn->body, &work) ||
        !prog_may(a->prog, SWITCH_ACC_SPLIT)) {
      list_push(a->arena, &out, *stm);
      continue;
    }
    Builder b = builder_new(a->prog, &out);
    Stm plain = half_of(a, &b, stm, false), accs = half_of(a, &b, stm, true);
    acc_drop_updates(a, &plain.exp.map.fn->body);
    list_push(a->arena, &out, plain);
    list_push(a->arena, &out, accs);
    a->changed = true;
  }
  body->stms = out;
}

void acc_split(Acc *a, Stms *out, Stm *stm) {
  struct withacc_form *w = &stm->exp.withacc;
  split_mixed(a, &w->fn->body);
  Map *stays = map_new(a->scratch);  // variables that depend on an accumulator
  for (int i = 0; i < w->fn->params.len; i++) map_put(stays, w->fn->params.at[i].id, a);
  Stms inside = {0};
  for (int i = 0; i < w->fn->body.stms.len; i++) {
    Stm *s = &w->fn->body.stms.at[i];
    Vars free = exp_free(a->prog, a->scratch, &s->exp);
    bool stay = exp_consumes(a->prog, a->scratch, &s->exp).len > 0;
    for (int k = 0; k < free.len; k++) stay = stay || map_get(stays, free.at[k].id);
    for (int k = 0; stay && k < s->bound.len; k++) map_put(stays, s->bound.at[k].id, a);
    a->changed = a->changed || !stay;
    list_push(a->arena, stay ? &inside : out, *s);
  }
  w->fn->body.stms = inside;
}
