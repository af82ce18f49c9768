// One self-contained C file: the runtime's text, the program's functions, its tables, and `main`
// or the public functions of a library.
#include <inttypes.h>
#include "local.h"
#include "values/embed.h"

static void put_globals(Text *out, const ImpProg *prog) {
  if (prog->globals.len == 0 && !prog->trace_nan) return;
  text_puts(out, "typedef struct DzGlobals {\n");
  if (prog->trace_nan) text_puts(out, "  DzLooks looks;\n");
  for (int i = 0; i < prog->globals.len; i++) {
    const ImpGlobal *g = &prog->globals.at[i];
    if (g->is_mem) text_printf(out, "  DzBlock b%d;\n", i);
    else text_printf(out, "  %s s%d;\n", c_type(g->prim), i);
  }
  text_puts(out, "} DzGlobals;\n\n");
}

static void put_fini(Text *out, const ImpProg *prog) {
  if (!prog->has_init && !prog->trace_nan) return;
  text_puts(out, "static void dz_fini(DzCtx *ctx) {\n");
  text_puts(out, prog->globals.len || prog->trace_nan
                     ? "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n  (void)globals;\n"
                     : "  (void)ctx;\n");
  for (int i = 0; i < prog->globals.len; i++)
    if (prog->globals.at[i].is_mem) text_printf(out, "  dz_free(ctx, &globals->b%d);\n", i);
  if (prog->trace_nan) text_puts(out, "  dz_looks_free(&globals->looks);\n");
  text_puts(out, "}\n\n");
}

static void find_outer_vec(void *state, ImpBlock *block) {
  bool *found = state;
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_FOR && block->at[i]->for_.outer_vec) *found = true;
    imp_each_block(block->at[i], find_outer_vec, state);
  }
}
static bool has_outer_vec(const ImpProg *prog) {
  bool found = false;
  for (int i = 0; i < prog->fns.len; i++) find_outer_vec(&found, prog->fns.at[i]->body);
  return found;
}

static void put_functions(Text *out, const ImpProg *prog, Kernels *kernels) {
  Text bodies = {0};
  Shares shares = c_shares_new(prog->arena);
  CFile file = {&bodies, out, prog, has_outer_vec(prog), &shares, kernels};
  for (int i = 0; i < prog->fns.len; i++) {
    kernels->fn = i;
    c_function(&file, prog->fns.at[i]);
  }
  text_putc(out, '\n');
  text_write(out, bodies.at ? bodies.at : "", bodies.len);
  text_free(&bodies);
}

void back_kernels(Text *out, const ImpProg *prog, Dialect dialect) {
  Text host = {0};
  Kernels kernels = c_kernels_new(prog);
  put_functions(&host, prog, &kernels);
  c_kernels_text(out, &kernels, dialect);
  text_free(&host);
}

// Code that runs once per value read or printed is compiled fast, not to be fast: it is most of
// the text of a small program.
static void paste_cold(Text *c, const char *name, uint64_t *pasted) {
  text_puts(c, "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC push_options\n"
               "#pragma GCC optimize(\"O0\")\n#endif\n");
  rts_paste(c, name, pasted);
  text_puts(c, "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n");
}

static const char *edge_file(BackMode mode) {
  return mode == BACK_EXECUTABLE ? "exe.h"
         : mode == BACK_SERVER   ? "server.h"
         : mode == BACK_SHARED   ? "leaf.h"
         : mode == BACK_RAW      ? "ctx.h"
                                 : "object.h";
}

// For those who compile the text themselves, with warnings and flags of their own: the results are
// the same.
static void put_head(Text *c, bool single) {
  static const char *const quiet[] = {"unknown-pragmas", "unused-function",
                                      "unused-variable", "type-limits",
                                      "unused-but-set-variable", "unused-parameter"};
  text_printf(c, "// Made by Dagaz; nothing else is needed.  Compile with\n"
                 "//   -O2 -march=native -fno-math-errno -fno-trapping-math%s -lm\n",
              single ? " -Wno-psabi" : "");
  text_puts(c, "// Without -march=native it runs at down to a third of the speed.\n"
               "#ifdef __GNUC__\n");
  for (int i = 0; i < COUNT_OF(quiet); i++)
    text_printf(c, "#pragma GCC diagnostic ignored \"-W%s\"\n", quiet[i]);
  text_puts(c, "#endif\n#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n"
               "#pragma clang diagnostic ignored \"-Wparentheses-equality\"\n"
               "#pragma clang diagnostic ignored \"-Wpass-failed\"\n"
               "#elif defined(__GNUC__)\n#pragma GCC optimize(\"fp-contract=off\", \"wrapv\")\n"
               "#pragma GCC diagnostic ignored \"-Waggressive-loop-optimizations\"\n#endif\n");
}

static void put_runtime(Text *c, const ImpProg *imp, BackMode mode, bool single,
                        uint64_t *pasted) {
  put_head(c, single);
  text_puts(c, "#define _POSIX_C_SOURCE 200809L\n#define _DEFAULT_SOURCE\n");
  if (single) text_puts(c, "#define DZ_SINGLE\n");
  rts_paste(c, "base.h", pasted);
  if (has_outer_vec(imp)) rts_paste(c, "run.h", pasted);
  paste_cold(c, "io.h", pasted);
  rts_paste(c, "ctx.h", pasted);
  rts_paste(c, prog_target(imp->core) == TARGET_CORES ? "logs.h" : "blocks.h", pasted);
  if (prog_on_device(imp->core)) rts_paste(c, "gpu.h", pasted);
  if (imp->trace_nan) rts_paste(c, "nan.h", pasted);
  paste_cold(c, edge_file(mode), pasted);
}

static void put_main(Text *c, const char *name) {
  text_printf(c,
              "int main(int argc, char **argv) {\n"
              "  return dz_%s_main(&dz_program, argc, argv);\n}\n",
              name);
}

void back_c(const ImpProg *imp, const BackOptions *options, BackTexts *texts) {
  Edge edge = edge_new(imp->arena, imp, options);
  uint64_t pasted = 0;
  Text *c = &texts->program;
  texts->threads = prog_target(imp->core) == TARGET_CORES;
  texts->loads = c_kernels_are_text(imp);
  texts->single = c_strips_are_single(imp);
  put_runtime(&texts->runtime, imp, options->mode, texts->single, &pasted);
  if (texts->loads)
    rts_paste(c, prog_target(imp->core) == TARGET_CUDA ? "dev_cuda.h" : "dev_opencl.h", &pasted);
  put_globals(c, imp);
  if (imp->trace_nan) c_look_sites(c, imp);
  Kernels kernels = c_kernels_new(imp);
  put_functions(c, imp, &kernels);
  c_kernels_end(c, imp, &kernels);
  put_fini(c, imp);
  if (options->mode == BACK_RAW) abi_raw_tables(c, &edge);
  else {
    abi_type_tables(c, &edge);
    abi_entry_tables(c, &edge);
  }
  switch (options->mode) {
  case BACK_EXECUTABLE: put_main(c, "exe"); break;
  case BACK_SERVER: put_main(c, "server"); break;
  case BACK_LIBRARY:
    text_printf(c, "#define DZ_API_PREFIX %s\n", edge.prefix);
    rts_paste(c, "api.h", &pasted);
    library_c(c, &edge);
    library_h(&texts->h, &edge);
    if (options->cpp) library_hpp(&texts->hpp, &edge);
    manifest_json(&texts->manifest, &edge);
    leaf_functions(c, &edge, &texts->manifest);
    break;
  case BACK_RAW:
    raw_functions(c, &edge);
    if (options->after) text_puts(c, options->after);
    break;
  case BACK_SHARED:
    manifest_json(&texts->manifest, &edge);
    leaf_functions(c, &edge, &texts->manifest);
    break;
  }
}

void back_texts_free(BackTexts *texts) {
  text_free(&texts->runtime), text_free(&texts->program);
  text_free(&texts->h), text_free(&texts->hpp), text_free(&texts->manifest);
}
