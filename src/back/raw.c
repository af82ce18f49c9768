// Entry points as plain C functions: numbers and pointers in, results to where the caller says.
// Each call makes a context, so they may run in several threads.
//   static int dz_raw_NAME(char **error, parameters.., results.. *)
// Parameters and results in the order of core; arrays of parameters are only read, results that
// are NULL are left out.  0, or the code of a failure and its message, the caller's to free.
#include "local.h"

static void put_size(Text *out, const Fn *fn, Atom a) {
  if (!a.is_var) {
    c_scalar(out, a.value);
    return;
  }
  for (int i = 0; i < fn->params.len; i++)
    if (fn->params.at[i].id == a.var.id) {
      text_printf(out, "a%d", i);
      return;
    }
  for (int i = 0; i < fn->results.len; i++)
    if (fn->results.at[i].id == a.var.id) {
      text_printf(out, "r%d", i);
      return;
    }
  ice("a size of raw entry point %s is not known", fn->name);
}

static void put_params(Text *out, const Edge *e, const Fn *fn) {
  const Prog *core = e->prog->core;
  text_puts(out, "char **error");
  for (int i = 0; i < fn->params.len; i++) {
    Type t = var_type(core, fn->params.at[i]);
    check(!t.unique);
    text_printf(out, ", %s%s %sa%d", t.rank ? "const " : "", c_type(t.prim), t.rank ? "*" : "", i);
  }
  for (int i = 0; i < fn->results.len; i++)
    text_printf(out, ", %s *o%d", c_type(var_type(core, fn->results.at[i]).prim), i);
}

static void put_call(Text *out, const Edge *e, const Fn *fn) {
  const Prog *core = e->prog->core;
  if (e->prog->recursive) text_puts(out, "  ctx->stack_end = dz_stack_end();\n");
  text_puts(out, "  int err = ctx->error != NULL ? DZ_ERROR : ");
  c_fn_name(out, e->prog, fn->name);
  text_puts(out, "(ctx");
  for (int i = 0; i < fn->params.len; i++) text_printf(out, ", a%d", i);
  for (int i = 0; i < fn->results.len; i++) text_printf(out, ", &r%d", i);
  text_puts(out, ");\n");
  for (int i = 0; i < fn->results.len; i++) {
    Type t = var_type(core, fn->results.at[i]);
    text_printf(out, "  if (err == 0 && o%d != NULL) ", i);
    if (t.rank == 0) {
      text_printf(out, "*o%d = r%d;\n", i, i);
      continue;
    }
    text_printf(out, "memcpy(o%d, r%d.at, sizeof *o%d * (size_t)(", i, i, i);
    put_size(out, fn, t.dims[0]);
    text_puts(out, "));\n");
  }
}

static void put_raw(Text *out, const Edge *e, const Fn *fn) {
  const Prog *core = e->prog->core;
  text_printf(out, "static int dz_raw_%s(", fn->entry->name);
  put_params(out, e, fn);
  bool plain = !e->prog->has_init && !e->prog->globals.len && !e->prog->params.len;
  text_puts(out, ") {\n");
  text_puts(out, plain ? "  _Alignas(64) char lent[DZ_LENT];\n"
                         "  DzCtx here = {.program = &dz_program, .log = stderr, .lent = lent,\n"
                         "    .lent_next = lent, .lent_end = lent + DZ_LENT}, *ctx = &here;\n"
                       : "  DzConfig config = {0};\n"
                         "  DzCtx *ctx = dz_ctx_new(&dz_program, &config);\n"
                         "  if (ctx == NULL) return DZ_OUT_OF_MEMORY;\n");
  for (int i = 0; i < fn->results.len; i++) {
    Type t = var_type(core, fn->results.at[i]);
    if (t.rank) text_printf(out, "  DzBlock r%d = {0};\n", i);
    else text_printf(out, "  %s r%d = 0;\n", c_type(t.prim), i);
  }
  put_call(out, e, fn);
  for (int i = 0; i < fn->results.len; i++)
    if (var_type(core, fn->results.at[i]).rank) text_printf(out, "  dz_free(ctx, &r%d);\n", i);
  text_puts(out, "  if (err != 0) *error = dz_error_take(ctx);\n");
  text_puts(out, plain ? "  dz_clear_caches(ctx);\n" : "  dz_ctx_free(ctx);\n");
  text_puts(out, "  return err;\n}\n");
}

void raw_functions(Text *out, const Edge *e) {
  for (int i = 0; edge_entry(e, i); i++) put_raw(out, e, edge_entry(e, i));
}
