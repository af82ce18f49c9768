// The text of a program's kernels, for a device whose driver compiles it: the dialect's words
// (rts/gpu_opencl.h, rts/gpu_cuda.h), the scalar operations that the kernels call and what these
// call (rts/device.h), the kernels.  In C it is a list of lines: compilers limit the length of a
// string.
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

void c_kernels_text(Text *out, const Kernels *kernels, Dialect dialect) {
  uint64_t pasted = 0;
  if (!kernels->count) return;
  rts_paste(out, dialect == DIALECT_CUDA ? "gpu_cuda.h" : "gpu_opencl.h", &pasted);
  back_select(out, rts_scalars, kernels->text.at);
  text_puts(out, kernels->text.at);
}

void c_kernels_end(Text *out, const ImpProg *prog, Kernels *kernels) {
  if (c_kernels_are_text(prog)) {
    bool cuda = prog_target(prog->core) == TARGET_CUDA;
    Text text = {0};
    c_kernels_text(&text, kernels, cuda ? DIALECT_CUDA : DIALECT_OPENCL);
    text_puts(out, "static const char *const dz_kernel_lines[] = {\n");
    if (kernels->count) put_lines(out, &text);
    text_printf(out, "  NULL};\nstatic int dz_program_open(DzCtx *ctx) {\n"
                     "  return dz_%s_open(ctx, dz_kernel_lines, %d);\n}\n",
                cuda ? "cuda" : "opencl", kernels->count);
    text_free(&text);
  }
  text_free(&kernels->text);
}
