// Cleaning: statements without readers go; assertions stay.
#include "bulk.h"

typedef struct {
  bool *read;
  int cap;
} Reads;

static void see(Reads *r, Atom a) {
  if (a.is_var && a.var.id < (uint32_t)r->cap) r->read[a.var.id] = true;
}

static void see_all(Reads *r, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) see(r, atoms.at[i]);
}

static void see_type(Reads *r, Type t) {
  for (int d = 0; d < t.rank; d++) see(r, t.dims[d]);
}

static void see_core(void *state, Atom a) { see(state, a); }

static void clean_body(Prog *prog, Reads *r, BulkBody *body);

static void see_exp(Prog *prog, Reads *r, BulkExp *e) {
  see_all(r, e->args);
  see_all(r, e->dims);
  see_all(r, e->neutral);
  for (int i = 0; i < e->slice.len; i++) {
    see(r, e->slice.at[i].start);
    see(r, e->slice.at[i].count);
    see(r, e->slice.at[i].stride);
  }
  for (int i = 0; i < e->bodies.len; i++) clean_body(prog, r, &e->bodies.at[i]);
  if (e->form != BULK_CORE) return;
  Vars free = exp_free(prog, prog->arena, &e->core);
  exp_each_atom(&e->core, see_core, r);
  for (int i = 0; i < free.len; i++) see(r, atom_var(free.at[i]));
}

static bool is_read(Reads *r, const BulkStm *stm) {
  for (int i = 0; i < stm->bound.len; i++)
    if (r->read[stm->bound.at[i].id]) return true;
  return stm->exp.form == BULK_ASSERT;
}

static void clean_body(Prog *prog, Reads *r, BulkBody *body) {
  see_all(r, body->results);
  for (int i = 0; i < body->params.len; i++) see_type(r, var_type(prog, body->params.at[i]));
  BulkStms kept = {0};
  for (int i = body->stms.len - 1; i >= 0; i--) {
    BulkStm stm = body->stms.at[i];
    if (!is_read(r, &stm)) continue;
    for (int k = 0; k < stm.bound.len; k++) see_type(r, var_type(prog, stm.bound.at[k]));
    see_exp(prog, r, &stm.exp);
    list_push(prog->arena, &kept, stm);
  }
  for (int i = 0; i < kept.len / 2; i++) {
    BulkStm other = kept.at[i];
    kept.at[i] = kept.at[kept.len - 1 - i], kept.at[kept.len - 1 - i] = other;
  }
  body->stms = kept;
}

void bulk_clean(Prog *prog, BulkBody *body) {
  Reads r = {.read = NEW_ARRAY(prog->arena, bool, prog->vars.len), .cap = prog->vars.len};
  clean_body(prog, &r, body);
}
