// One self-contained C file: the runtime's text, the program's functions, its tables, and `main`
// or the public functions of a library.
#include <inttypes.h>
#include "local.h"
#include "../values/embed.h"

// Small helpers that only generated code needs.
static const char helpers[] =
    "static inline DzBlock dz_take(DzBlock *b) {\n"
    "  const DzBlock t = *b;\n"
    "  b->at = NULL;\n"
    "  b->bytes = 0;\n"
    "  return t;\n"
    "}\n"
    "static inline void dz_copy(void *to, const void *from, int64_t bytes) {\n"
    "  if (bytes > 0) memcpy(to, from, (size_t)bytes);\n"
    "}\n"
    "// The elements of an argument that may be overwritten, as a block of their own.\n"
    "static __attribute__((unused)) int dz_consume(DzCtx *ctx, DzBlock *b, const DzArray *a) {\n"
    "  if (a->data == a->mem.at) {\n"
    "    *b = dz_retain(&a->mem);\n"
    "    return 0;\n"
    "  }\n"
    "  const int64_t bytes = dz_array_bytes(a);\n"
    "  const int err = dz_alloc(ctx, b, bytes, -1);\n"
    "  if (err == 0) dz_copy(b->at, a->data, bytes);\n"
    "  return err;\n"
    "}\n\n";

static void put_globals(Text *out, const ImpProg *prog) {
  if (prog->globals.len == 0) return;
  text_puts(out, "typedef struct DzGlobals {\n");
  for (int i = 0; i < prog->globals.len; i++) {
    const ImpGlobal *g = &prog->globals.at[i];
    if (g->is_mem) text_printf(out, "  DzBlock b%d;\n", i);
    else text_printf(out, "  %s s%d;\n", c_type(g->prim), i);
  }
  text_puts(out, "} DzGlobals;\n\n");
}

static void put_fini(Text *out, const ImpProg *prog) {
  if (!prog->has_init) return;
  text_puts(out, "static void dz_fini(DzCtx *ctx) {\n");
  text_puts(out, prog->globals.len
                     ? "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n  (void)globals;\n"
                     : "  (void)ctx;\n");
  for (int i = 0; i < prog->globals.len; i++)
    if (prog->globals.at[i].is_mem) text_printf(out, "  dz_free(ctx, &globals->b%d);\n", i);
  text_puts(out, "}\n\n");
}

static void put_functions(Text *out, const ImpProg *prog) {
  for (int i = 0; i < prog->fns.len; i++) c_prototype(out, prog, prog->fns.at[i]);
  text_putc(out, '\n');
  for (int i = 0; i < prog->fns.len; i++) c_function(out, prog, prog->fns.at[i]);
}

static void find_strips(void *state, ImpBlock *block) {
  bool *found = state;
  for (int i = 0; i < block->len; i++) {
    if (block->at[i]->form == IMP_STM_FOR && block->at[i]->for_.strip) *found = true;
    imp_each_block(block->at[i], find_strips, state);
  }
}
static bool has_strips(const ImpProg *prog) {
  bool found = false;
  for (int i = 0; i < prog->fns.len; i++) find_strips(&found, prog->fns.at[i]->body);
  return found;
}

// What runs once per value read or printed is compiled fast, not to be fast: it is most of the text
// of a small program.
static void paste_cold(Text *c, const char *name, uint64_t *pasted) {
  text_puts(c, "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC push_options\n"
               "#pragma GCC optimize(\"O0\")\n#endif\n");
  rts_paste(c, name, pasted);
  text_puts(c, "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n");
}

ImpProg *back_imp(const Prog *prog, Arena *arena) {
  ImpProg *imp = imp_lower(prog, arena);
  imp_verify(imp, "lower");
  imp_optimise(imp);
  imp_verify(imp, "optimise");
  return imp;
}

void back_c(const Prog *prog, const BackOptions *options, Text *c, Text *h, Text *manifest) {
  Arena *arena = arena_new();
  const ImpProg *imp = back_imp(prog, arena);
  Edge edge = edge_new(arena, imp, options);
  uint64_t pasted = 0;
  text_puts(c, "#define _POSIX_C_SOURCE 200809L\n#define _DEFAULT_SOURCE\n");
  if (options->mode == BACK_LIBRARY) {
    library_h(h, &edge);
    manifest_json(manifest, &edge);
  }
  rts_paste(c, "base.h", &pasted);
  if (has_strips(imp)) rts_paste(c, "vec.h", &pasted);
  paste_cold(c, "io.h", &pasted);
  rts_paste(c, "ctx.h", &pasted);
  paste_cold(c, "object.h", &pasted);
  text_puts(c, helpers);
  put_globals(c, imp);
  put_functions(c, imp);
  put_fini(c, imp);
  abi_type_tables(c, &edge);
  abi_entry_tables(c, &edge);
  switch (options->mode) {
  case BACK_EXECUTABLE:
    paste_cold(c, "exe.h", &pasted);
    text_puts(c, "int main(int argc, char **argv) {\n"
                 "  return dz_exe_main(&dz_program, argc, argv);\n}\n");
    break;
  case BACK_SERVER:
    paste_cold(c, "server.h", &pasted);
    text_puts(c, "int main(int argc, char **argv) {\n"
                 "  return dz_server_main(&dz_program, argc, argv);\n}\n");
    break;
  case BACK_LIBRARY:
    text_printf(c, "#define DZ_PREFIX %s\n", edge.prefix);
    rts_paste(c, "api.h", &pasted);
    library_c(c, &edge);
    break;
  }
  arena_free(arena);
}
