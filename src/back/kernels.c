// The texts of a program's kernels, for a device whose driver compiles them when it needs one: the
// dialect's words (rts/gpu_opencl.h, rts/gpu_cuda.h), the scalar operations that the kernels call
// and what these call (rts/device.h), the kernels of some entry points (kernel_texts.c).  In C a
// text is a list of lines: compilers limit the length of a string.
#include <string.h>
#include "local.h"
#include "values/embed.h"

const char *c_device_open(const ImpProg *prog) {
  switch (prog_target(prog->core)) {
  case TARGET_ONE:
  case TARGET_CORES: break;
  case TARGET_GPU_HOST: return "dz_host_open";
  case TARGET_OPENCL:
  case TARGET_CUDA: return "dz_program_open";
  }
  return "NULL";
}

bool c_kernels_are_text(const ImpProg *prog) {
  return prog_on_device(prog->core) && prog_target(prog->core) != TARGET_GPU_HOST;
}

// ---- kernels ------------------------------------------------------------------------------------
Kernels c_kernels_new(const ImpProg *prog) {
  return (Kernels){.prog = prog, .by_name = map_new(prog->arena), .roots = root_sets_new(prog)};
}

static KernelText *kernel_new(Kernels *all, Name name, const Text *text) {
  Arena *arena = all->prog->arena;
  KernelText *k = NEW(arena, KernelText);
  *k = (KernelText){.name = name, .text = arena_strdup(arena, text->at),
                    .number = all->kernels.len,
                    .roots = NEW_ARRAY(arena, uint64_t, all->roots.words)};
  list_push(arena, &all->kernels, k);
  map_put(all->by_name, KEY(name), k);
  return k;
}

const KernelText *c_kernel_of(Writer *w, bool groups, const Text *text, const char *name,
                              bool *is_new) {
  Kernels *all = w->kernels;
  const uint64_t *roots = root_set_of(&all->roots, all->fn);
  const char *known = c_share(w->shares, text, name);
  Name key = name_of(all->roots.names, known ? known : name);
  KernelText *k = known ? map_get(all->by_name, KEY(key)) : kernel_new(all, key, text);
  *is_new = !known;
  k->groups = groups;
  for (int i = 0; i < all->roots.words; i++) k->roots[i] |= roots[i];
  return k;
}

// ---- texts --------------------------------------------------------------------------------------
typedef struct {
  uint64_t *roots;
  Text kernels;
} TextOf;
typedef struct {
  TextOf *at;
  int len, *text_of;  // by kernel
} Texts;

static Texts texts_of(const Kernels *all) {
  Arena *arena = all->prog->arena;
  const int words = all->roots.words;
  Texts t = {.text_of = NEW_ARRAY(arena, int, all->kernels.len + 1)};
  t.len = kernel_texts(all, t.text_of);
  t.at = NEW_ARRAY(arena, TextOf, t.len + 1);
  for (int i = 0; i < t.len; i++) t.at[i].roots = NEW_ARRAY(arena, uint64_t, words);
  for (int i = 0; i < all->kernels.len; i++) {
    const KernelText *k = all->kernels.at[i];
    TextOf *text = &t.at[t.text_of[i]];
    for (int j = 0; j < words; j++) text->roots[j] |= k->roots[j];
    text_printf(&text->kernels, "DZ_KERNEL(%s)%s", k->name, k->text);
  }
  return t;
}

static void texts_free(Texts *t) {
  for (int i = 0; i < t->len; i++) text_free(&t->at[i].kernels);
}

// "// Kernels of f, g": the entry points; "constants".
static void put_title(Text *out, const Kernels *all, const uint64_t *roots) {
  const char *between = "// Kernels of ";
  for (int i = 0; i < all->prog->fns.len; i++) {
    const ImpFn *fn = all->prog->fns.at[i];
    if (!(roots[i / 64] >> (i % 64) & 1)) continue;
    text_printf(out, "%s%s", between, fn->core ? fn->core->entry->name : "constants");
    between = ", ";
  }
  text_putc(out, '\n');
}

static void put_text(Text *out, const Kernels *all, const TextOf *t, Dialect dialect) {
  uint64_t pasted = 0;
  put_title(out, all, t->roots);
  rts_paste(out, dialect == DIALECT_CUDA ? "gpu_cuda.h" : "gpu_opencl.h", &pasted);
  back_select(out, rts_scalars, t->kernels.at);
  text_puts(out, t->kernels.at);
}

void c_kernels_text(Text *out, const Kernels *kernels, Dialect dialect) {
  Texts t = texts_of(kernels);
  for (int i = 0; i < t.len; i++) put_text(out, kernels, &t.at[i], dialect);
  texts_free(&t);
}

// ---- as data of the program ---------------------------------------------------------------------
// A line as a string; tabs and other control characters are not in there.
static void put_line(Text *out, const char *line, size_t len) {
  text_puts(out, "  \"");
  for (size_t i = 0; i < len; i++) {
    if (line[i] == '"' || line[i] == '\\') text_putc(out, '\\');
    text_putc(out, line[i]);
  }
  text_puts(out, "\\n\",\n");
}

static void put_lines(Text *out, const Text *text) {
  for (const char *line = text->at; *line;) {
    size_t len = strcspn(line, "\n");
    if (len) put_line(out, line, len);
    line += len + (line[len] == '\n');
  }
}

static void put_table(Text *out, const Kernels *kernels, const Texts *t) {
  text_puts(out, "static const char *const *const dz_kernel_texts[] = {");
  for (int i = 0; i < t->len; i++) text_printf(out, "dz_kernel_lines%d, ", i);
  text_puts(out, "NULL};\nstatic const int dz_kernel_text_of[] = {");
  for (int i = 0; i < kernels->kernels.len; i++) text_printf(out, "%d, ", t->text_of[i]);
  text_printf(out, "0};\nstatic const DzKernelTexts dz_kernels = {dz_kernel_texts, "
                   "dz_kernel_text_of, %d, %d};\n", t->len, kernels->kernels.len);
}

void c_kernels_end(Text *out, const ImpProg *prog, const Kernels *kernels) {
  if (!c_kernels_are_text(prog)) return;
  bool cuda = prog_target(prog->core) == TARGET_CUDA;
  Texts t = texts_of(kernels);
  for (int i = 0; i < t.len; i++) {
    Text text = {0};
    put_text(&text, kernels, &t.at[i], cuda ? DIALECT_CUDA : DIALECT_OPENCL);
    text_printf(out, "static const char *const dz_kernel_lines%d[] = {\n", i);
    put_lines(out, &text);
    text_puts(out, "  NULL};\n");
    text_free(&text);
  }
  put_table(out, kernels, &t);
  text_printf(out, "static int dz_program_open(DzCtx *ctx) {\n"
                   "  return dz_%s_open(ctx, &dz_kernels);\n}\n", cuda ? "cuda" : "opencl");
  texts_free(&t);
}
