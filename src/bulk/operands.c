// The variables that a statement or a body mentions and does not bind.
#include "bulk.h"

typedef struct {
  Prog *prog;
  Map *seen, *bound;
  Vars out;
} Free;

static void see(Free *f, Atom a) {
  if (!a.is_var || map_get(f->seen, a.var.id) || map_get(f->bound, a.var.id)) return;
  map_put(f->seen, a.var.id, f);
  list_push(f->prog->arena, &f->out, a.var);
}

static void see_all(Free *f, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) see(f, atoms.at[i]);
}

static void bind(Free *f, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(f->bound, vars.at[i].id, f);
}

static void see_body(Free *f, const BulkBody *body);

static void see_exp(Free *f, const BulkExp *e) {
  see_all(f, e->args);
  see_all(f, e->dims);
  see_all(f, e->neutral);
  for (int i = 0; i < e->slice.len; i++) {
    see(f, e->slice.at[i].start);
    see(f, e->slice.at[i].count);
    see(f, e->slice.at[i].stride);
  }
  for (int i = 0; i < e->bodies.len; i++) see_body(f, &e->bodies.at[i]);
  if (e->form != BULK_CORE) return;
  Vars free = exp_free(f->prog, f->prog->arena, &e->core);
  for (int i = 0; i < free.len; i++) see(f, atom_var(free.at[i]));
}

static void see_types(Free *f, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    Type t = var_type(f->prog, vars.at[i]);
    for (int d = 0; d < t.rank; d++) see(f, t.dims[d]);
  }
}

static void see_body(Free *f, const BulkBody *body) {
  see_types(f, body->params);
  bind(f, body->params);
  for (int i = 0; i < body->stms.len; i++) {
    see_exp(f, &body->stms.at[i].exp);
    see_types(f, body->stms.at[i].bound);
    bind(f, body->stms.at[i].bound);
  }
  see_all(f, body->results);
}

static Free free_new(Prog *prog) {
  return (Free){.prog = prog, .seen = map_new(prog->arena), .bound = map_new(prog->arena)};
}

Vars bulk_operands(Prog *prog, const BulkStm *stm) {
  Free f = free_new(prog);
  see_exp(&f, &stm->exp);
  return f.out;
}

Vars bulk_free(Prog *prog, const BulkBody *body) {
  Free f = free_new(prog);
  see_body(&f, body);
  return f.out;
}
