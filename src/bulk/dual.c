// Reverse mode by dual arrays: the function as a bulk program, its Delta terms, their
// transposition, and core again.  Nothing of the Delta terms is left at run time.
//
// Source: "Dual-Numbers Reverse AD for Functional Array Languages", whose terms are built here when
// the program is compiled, not when it runs.
#include "delta.h"
#include "local_core.h"

typedef struct {
  Deltas d;
  BulkBody reverse;  // from seeds to adjoints
  Vars seeds;
} Dual;

static bool dual_build(Prog *prog, const struct vjp_form *e, Dual *out, BulkRefusal *why) {
  BulkBody body;
  if (!bulk_from_core_with_rules(prog, &e->fn->body, &body, why) ||
      !delta_build(prog, &body, e->fn->params, &out->d, why))
    return false;
  for (int i = 0; i < e->seeds.len; i++) {
    Type t = type_peel(atom_type(prog, e->seeds.at[i]), e->shape.len);
    list_push(prog->arena, &out->seeds, var_new(prog, "seed", t));
  }
  out->reverse = (BulkBody){0};
  BulkBuilder b = {.prog = prog, .stms = &out->reverse.stms};
  out->reverse.results = delta_transpose(&out->d, &b, e->fn->params, out->d.body.results,
                                         atoms_of_vars(prog->arena, out->seeds));
  return true;
}

static void bind_all(ToCore *c, Vars vars, Atoms atoms) {
  for (int i = 0; i < vars.len; i++) core_bind(c, vars.at[i], atoms.at[i]);
}

// One seed: one program.
static Atoms emit_one(ToCore *c, Dual *dual, const struct vjp_form *e) {
  BulkBody all = dual->d.body;
  for (int i = 0; i < dual->reverse.stms.len; i++)
    list_push(c->prog->arena, &all.stms, dual->reverse.stms.at[i]);
  all.results = atoms_concat(c->prog->arena, dual->d.body.results, dual->reverse.results);
  bulk_clean(c->prog, &all);
  bind_all(c, dual->seeds, e->seeds);
  return core_body(c, &all);
}

// Many seeds: values and partials once, then a map over the seeds.
static Atoms emit_many(ToCore *c, Dual *dual, const struct vjp_form *e) {
  Prog *prog = c->prog;
  bulk_clean(prog, &dual->reverse);
  Vars needed = bulk_free(prog, &dual->reverse);
  BulkBody primal = dual->d.body;
  int n = primal.results.len;
  for (int i = 0; i < needed.len; i++)
    if (needed.at[i].id < (uint32_t)c->cap)
      list_push(prog->arena, &primal.results, atom_var(needed.at[i]));
  bulk_clean(prog, &primal);
  Atoms values = core_body(c, &primal);
  Types rows = {0};
  for (int i = 0; i < e->seeds.len; i++)
    list_push(prog->arena, &rows, type_row(atom_type(prog, e->seeds.at[i])));
  LambdaBuilder fn = lambda_begin(&c->b, "seed", rows);
  Builder outer = c->b;
  bind_all(c, dual->seeds, atoms_of_vars(prog->arena, fn.lambda->params));
  c->b = fn.inner;
  Atoms adjoints = core_body(c, &dual->reverse);
  fn.inner = c->b;
  c->b = outer;
  Lambda *lambda = lambda_end(&fn, adjoints);
  Exp exp = {.form = FORM_MAP,
             .map = {.width = e->shape.at[0], .fn = lambda, .inputs = e->seeds}};
  Vars r = build_many(&c->b, NULL, exp_types(prog, &exp), exp);
  return atoms_concat(prog->arena, atoms_slice(values, 0, n), atoms_of_vars(prog->arena, r));
}

bool bulk_vjp(Builder *b, const struct vjp_form *e, bool strict, Atoms *out, BulkRefusal *why) {
  Dual dual = {.d.strict = strict};
  if (!dual_build(b->prog, e, &dual, why)) return false;
  ToCore c = core_begin(b);
  bind_all(&c, e->fn->params, e->args);
  *out = e->shape.len ? emit_many(&c, &dual, e) : emit_one(&c, &dual, e);
  return true;
}
